/* fft.c - discrete Fourier transforms over the last one to three dimensions.
 *
 * Lines are transformed in double precision, several at a time, by the passes of fft.h if their length has only small
 * prime factors, and by Bluestein's chirp algorithm, which convolves lines of another length, if it has a large one. An
 * inverse transform is one of swapped parts. A real transform is computed as a complex one, of which half is dropped or
 * restored by symmetry; of several dimensions, the half is dropped before the others are transformed, or restored
 * after. */
#include "exec/kernel/complex.h"
#include "exec/vec/vec.h"
#define FFT_LOOPS fft_loops_base
#include "exec/kernel/fft_body.h" /* for any processor; fft_avx2.c and fft_avx512.c have the others */

#include <math.h>

enum { MAX_FACTORS = 64, MOST_LANES = 8 };

/* A plan for transforms of one length. */
typedef struct fft_line {
	int64_t n;
	int n_factors;
	int64_t factors[MAX_FACTORS];
	fft_roots roots;
	/* Bluestein: a convolution of length inner->n */
	struct fft_line *inner;
	fft_parts chirp, hat; /* [n], [inner->n] */
} fft_line;

typedef struct fft_plan {
	int rank; /* number of transformed dimensions */
	bool inverse, real_in, real_out;
	fft_line *lines[3];
	const fft_loops *loops;
	int64_t lanes; /* lines that are transformed together */
	int64_t width; /* of a line of the last dimension between the dimensions: n, or the half that is not dropped */
	int64_t rows;  /* of a tile; if the rank is 1, of all tiles together */
} fft_plan;

static const fft_loops *fft_loops_here(void)
{
#if defined(__x86_64__)
	if (processor_has_avx512())
		return &fft_loops_avx512;
	if (processor_has_avx2())
		return &fft_loops_avx2;
#endif
	return &fft_loops_base;
}

/* ---- one length --------------------------------------------------------------------------- */

/* Arrays that are apart by a power of two collide in the cache. */
enum { PADDING = 24 };
static int64_t parts_room(int64_t n) { return 2 * (n + PADDING); }
static fft_parts parts_in(double *room, int64_t n) { return (fft_parts){room, room + n + PADDING}; }
static fft_parts parts_swapped(fft_parts x) { return (fft_parts){x.im, x.re}; }

/* The numbers that fft_run() needs besides the lines. */
static int64_t fft_room(const fft_line *l, int64_t lanes)
{
	return parts_room(lanes * (l->inner ? l->inner->n : l->n)) + (l->inner ? fft_room(l->inner, lanes) : 0);
}

/* Transforms x, which is overwritten. @return where the result is: x, or in `room` */
static fft_parts fft_run(const fft_loops *loops, const fft_line *l, int64_t lanes, fft_parts x, double *room)
{
	if (l->inner) {
		const int64_t m = l->inner->n;
		const fft_parts a = parts_in(room, m * lanes);
		double *rest = room + parts_room(m * lanes);
		loops->scale(l->n, lanes, x, l->chirp, a);
		memset(a.re + l->n * lanes, 0, sizeof *a.re * (size_t)((m - l->n) * lanes));
		memset(a.im + l->n * lanes, 0, sizeof *a.im * (size_t)((m - l->n) * lanes));
		fft_parts b = fft_run(loops, l->inner, lanes, a, rest);
		loops->scale(m, lanes, b, l->hat, b);
		const fft_parts back = fft_run(loops, l->inner, lanes, parts_swapped(b), b.re == a.re ? rest : room);
		loops->scale(l->n, lanes, parts_swapped(back), l->chirp, x);
		return x;
	}
	fft_parts y = parts_in(room, l->n * lanes);
	int64_t n = l->n, stride = lanes;
	for (int i = 0; i < l->n_factors; i++) {
		loops->pass(&l->roots, l->factors[i], n, stride, x, y);
		const fft_parts was = x;
		x = y, y = was;
		n /= l->factors[i];
		stride *= l->factors[i];
	}
	return x;
}

/* exp(-2 pi i k / n), exact at multiples of a quarter turn. */
static cplx fft_root(int64_t k, int64_t n)
{
	int64_t quarter = 4 * k / n, rest = 4 * k % n;
	double angle = M_PI / 2 * ((double)rest / (double)n);
	cplx r = rest ? CMPLX(cos(angle), -sin(angle)) : 1;
	for (; quarter % 4; quarter--)
		r = CMPLX(cimag(r), -creal(r));
	return r;
}

/* The least length that has only the factors 2, 3 and 5, the latter two rarely, and is not below `least`. */
static int64_t convenient_length(int64_t least)
{
	static const int64_t odd[] = {1, 3, 5, 9, 15};
	int64_t best = INT64_MAX;
	for (int i = 0; i < COUNT(odd); i++) {
		int64_t n = odd[i];
		while (n < least)
			n *= 2;
		best = min_i64(best, n);
	}
	return best;
}

static fft_parts parts_new(arena *mem, int64_t n) { return parts_in(NEW_N(mem, double, parts_room(n)), n); }

static fft_line *fft_line_new(const fft_loops *loops, arena *mem, int64_t n)
{
	fft_line *l = NEW(mem, fft_line);
	int64_t rest = n, largest = 1;
	l->n = n;
	for (; rest % 4 == 0 && rest; rest /= 4)
		l->factors[l->n_factors++] = 4;
	for (int64_t f = 2; rest > 1; f++)
		for (; rest % f == 0; rest /= f) {
			l->factors[l->n_factors++] = f;
			largest = f;
		}
	if (largest <= FFT_SMALL_PRIME) {
		const fft_parts roots = parts_new(mem, n);
		for (int64_t i = 0; i < n; i++) {
			const cplx r = fft_root(i, n);
			roots.re[i] = creal(r), roots.im[i] = cimag(r);
		}
		l->roots = (fft_roots){n, roots.re, roots.im};
		return l;
	}
	const int64_t m = convenient_length(2 * n - 1);
	l->inner = fft_line_new(loops, mem, m);
	l->chirp = parts_new(mem, n);
	fft_parts hat = parts_new(mem, m);
	for (int64_t i = 0; i < n; i++) {
		/* i^2 mod 2n keeps the angle small, and so precise */
		int64_t square = (int64_t)((__int128)i * i % (2 * n));
		const cplx c = cexp(-M_PI * I * ((double)square / (double)n));
		l->chirp.re[i] = creal(c), l->chirp.im[i] = cimag(c);
		const int64_t mirrored = i ? m - i : 0;
		hat.re[i] = hat.re[mirrored] = creal(c) / (double)m;
		hat.im[i] = hat.im[mirrored] = -cimag(c) / (double)m;
	}
	l->hat = fft_run(loops, l->inner, 1, hat, NEW_N(mem, double, fft_room(l->inner, 1)));
	return l;
}

/* ---- lines in memory ------------------------------------------------------------------------ */

/* Reads n contiguous elements, element i to [i * lanes]. */
#define READ(T)                                                                                    \
	for (int64_t i = 0; i < n; i++)                                                            \
		to.re[i * lanes] = ((const T *)from)[i], to.im[i * lanes] = 0;                     \
	break;
#define READ_PAIRS(T)                                                                              \
	for (int64_t i = 0; i < n; i++)                                                            \
		to.re[i * lanes] = ((const T *)from)[2 * i], to.im[i * lanes] = ((const T *)from)[2 * i + 1]; \
	break;
static void read_line(dtype t, const char *from, int64_t n, int64_t lanes, fft_parts to)
{
	switch ((int)t) {
	case DT_F32: READ(float)
	case DT_F64: READ(double)
	case DT_C64: READ_PAIRS(float)
	case DT_C128: READ_PAIRS(double)
	default:
		for (int64_t i = 0; i < n; i++) {
			const cplx c = cplx_get(t, from + i * dtype_bytes(t));
			to.re[i * lanes] = creal(c), to.im[i * lanes] = cimag(c);
		}
	}
}
#undef READ
#undef READ_PAIRS

#define WRITE(T)                                                                                   \
	for (int64_t i = 0; i < n; i++)                                                            \
		((T *)to)[i] = (T)(from.re[i * lanes] * scale);                                    \
	break;
#define WRITE_PAIRS(T)                                                                             \
	for (int64_t i = 0; i < n; i++) {                                                          \
		((T *)to)[2 * i] = (T)(from.re[i * lanes] * scale);                                \
		((T *)to)[2 * i + 1] = (T)(from.im[i * lanes] * scale);                            \
	}                                                                                          \
	break;
static void write_line(dtype t, char *to, fft_parts from, int64_t lanes, double scale, int64_t n)
{
	switch ((int)t) {
	case DT_F32: WRITE(float)
	case DT_F64: WRITE(double)
	case DT_C64: WRITE_PAIRS(float)
	case DT_C128: WRITE_PAIRS(double)
	default:
		for (int64_t i = 0; i < n; i++)
			cplx_put(t, to + i * dtype_bytes(t),
			         CMPLX(from.re[i * lanes] * scale, from.im[i * lanes] * scale));
	}
}
#undef WRITE
#undef WRITE_PAIRS

/* Restores the half of a line that the spectrum of a real signal leaves out: the conjugates. They are mirrored in all
 * transformed dimensions, but once the other dimensions are transformed back, only in the last. */
static void fill_half(fft_parts x, int64_t lanes, int64_t n)
{
	x.im[0] = 0; /* no imaginary part for real signals */
	for (int64_t i = n / 2 + 1; i < n; i++) {
		x.re[i * lanes] = x.re[(n - i) * lanes];
		x.im[i * lanes] = -x.im[(n - i) * lanes];
	}
}

/* Adjacent lines in memory: `n` elements of each are there. */
typedef struct fft_place {
	dtype t;
	char *at;
	int64_t n;
} fft_place;

static char *fft_line_at(fft_place p, int64_t i) { return p.at + i * p.n * dtype_bytes(p.t); }

/* A block of this many elements of all lanes stays in the L1 cache. */
enum { READ_BLOCK = 64 };

/* Transforms `count` lines of the last dimension. */
static void fft_rows(const fft_plan *k, int64_t count, fft_place from, fft_place to, double scale, double *work)
{
	const fft_line *l = k->lines[k->rank - 1];
	for (int64_t first = 0; first < count; first += k->lanes) {
		const int64_t lanes = min_i64(k->lanes, count - first);
		const fft_parts x = parts_in(work, l->n * lanes);
		for (int64_t i = 0; i < from.n; i += READ_BLOCK)
			for (int64_t q = 0; q < lanes; q++)
				read_line(from.t, fft_line_at(from, first + q) + i * dtype_bytes(from.t),
				          min_i64(READ_BLOCK, from.n - i), lanes,
				          (fft_parts){x.re + i * lanes + q, x.im + i * lanes + q});
		for (int64_t q = 0; q < lanes && k->real_out; q++)
			fill_half((fft_parts){x.re + q, x.im + q}, lanes, l->n);
		fft_parts y = fft_run(k->loops, l, lanes, k->inverse ? parts_swapped(x) : x, work + parts_room(l->n * lanes));
		y = k->inverse ? parts_swapped(y) : y;
		for (int64_t i = 0; i < to.n; i += READ_BLOCK)
			for (int64_t q = 0; q < lanes; q++)
				write_line(to.t, fft_line_at(to, first + q) + i * dtype_bytes(to.t),
				           (fft_parts){y.re + i * lanes + q, y.im + i * lanes + q}, lanes, scale,
				           min_i64(READ_BLOCK, to.n - i));
	}
}

/* Transforms dimension d, which is not the last, of the block a: dims[0] x ... x width. */
static void fft_columns(const fft_plan *k, cplx *a, int d, double *work)
{
	const fft_line *l = k->lines[d];
	int64_t inner = k->width, outer = 1;
	for (int i = d + 1; i < k->rank - 1; i++)
		inner *= k->lines[i]->n;
	for (int i = 0; i < d; i++)
		outer *= k->lines[i]->n;
	for (int64_t o = 0; o < outer; o++)
		for (int64_t c = 0; c < inner; c += k->lanes) {
			const int64_t lanes = min_i64(k->lanes, inner - c);
			const fft_parts x = parts_in(work, l->n * lanes);
			double *at = (double *)(a + o * l->n * inner + c);
			for (int64_t i = 0; i < l->n; i++)
				for (int64_t q = 0; q < lanes; q++) {
					x.re[i * lanes + q] = at[2 * (i * inner + q)];
					x.im[i * lanes + q] = at[2 * (i * inner + q) + 1];
				}
			fft_parts y = fft_run(k->loops, l, lanes, k->inverse ? parts_swapped(x) : x,
			                  work + parts_room(l->n * lanes));
			y = k->inverse ? parts_swapped(y) : y;
			for (int64_t i = 0; i < l->n; i++)
				for (int64_t q = 0; q < lanes; q++) {
					at[2 * (i * inner + q)] = y.re[i * lanes + q];
					at[2 * (i * inner + q) + 1] = y.im[i * lanes + q];
				}
		}
}

/* ---- the step ----------------------------------------------------------------------------------- */

/* Copies lines between two types. */
static void fft_copy_rows(int64_t count, fft_place from, fft_place to, double scale)
{
	double block[2 * (READ_BLOCK + PADDING)];
	const fft_parts x = parts_in(block, READ_BLOCK);
	for (int64_t i = 0, n; i < count * from.n; i += n) {
		n = min_i64(READ_BLOCK, count * from.n - i);
		read_line(from.t, from.at + i * dtype_bytes(from.t), n, 1, x);
		write_line(to.t, to.at + i * dtype_bytes(to.t), x, 1, scale, n);
	}
}

static void run_fft(const step *s, const call *c)
{
	const fft_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	const int64_t n_in = in->dims[in->rank - 1], n_out = out->dims[out->rank - 1];
	int64_t total = 1;
	for (int i = 0; i < k->rank; i++)
		total *= k->lines[i]->n;
	const double scale = k->inverse ? 1 / (double)total : 1;
	const int64_t first = c->tile * (k->rank == 1 ? k->lanes : k->rows);
	const fft_place from = {in->dtype, c->at[0] + first * n_in * in->bytes, n_in};
	const fft_place to = {out->dtype, call_out(s, c, 0) + first * n_out * out->bytes, n_out};
	if (k->rank == 1) {
		fft_rows(k, min_i64(k->lanes, k->rows - first), from, to, scale, c->scratch);
		return;
	}
	cplx *a = c->scratch;
	double *work = (double *)(a + k->rows * k->width);
	const fft_place between = {DT_C128, (char *)a, k->width};
	if (k->real_out)
		fft_copy_rows(k->rows, from, between, 1);
	else
		fft_rows(k, k->rows, from, between, 1, work);
	for (int d = 0; d < k->rank - 1; d++)
		fft_columns(k, a, d, work);
	if (k->real_out)
		fft_rows(k, k->rows, between, to, scale, work);
	else
		fft_copy_rows(k->rows, between, to, scale);
}

/* Lines that are transformed together: of many short ones as many as are best for the loops; of few lines so few that
 * there are several tiles; and of very long ones fewer, for memory's sake. */
static int64_t lanes_for(int64_t longest, int64_t lines)
{
	const int64_t cached = 1 << 15, most = 1 << 18, few = 8 * MOST_LANES;
	int64_t lanes = longest * MOST_LANES <= cached && lines >= few ? MOST_LANES
	                : lines >= MOST_LANES                          ? MOST_LANES / 2
	                : lines >= 4                                   ? 2
	                                                               : 1;
	while (lanes > 1 && lanes * longest > most)
		lanes /= 2;
	return lanes;
}

bool prepare_fft(exec_plan *p, step *s)
{
	fft_plan *k = NEW(plan_mem(p), fft_plan);
	const char *kind = enum_word(op_attr(s->op, N_fft_type));
	const int64_t *length = op_ints(plan_module(p), s->op, N_fft_length, &k->rank);
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	if (k->rank < 1 || k->rank > 3 || k->rank > in->rank)
		return step_invalid(p, s, "transforms one to three dimensions of its operand");
	k->real_in = !strcmp(kind, "RFFT");
	k->real_out = !strcmp(kind, "IRFFT");
	k->inverse = k->real_out || !strcmp(kind, "IFFT");
	k->loops = fft_loops_here();
	const int64_t last = length[k->rank - 1];
	int64_t total = 1, longest = 1;
	for (int i = 0; i < k->rank; i++) {
		k->lines[i] = length[i] > 0 ? fft_line_new(k->loops, plan_mem(p), length[i]) : NULL;
		total *= length[i];
		longest = max_i64(longest, length[i]);
	}
	k->width = k->real_in || k->real_out ? last / 2 + 1 : last;
	k->rows = total ? total / last : 0;
	const int64_t tiles = out->n && total ? out->n / (k->rows * out->dims[out->rank - 1]) : 0;
	if (k->rank == 1)
		k->rows = tiles;
	k->lanes = lanes_for(longest, k->rank == 1 ? k->rows : INT64_MAX);
	int64_t room = 0;
	for (int i = 0; i < k->rank; i++)
		if (k->lines[i])
			room = max_i64(room, parts_room(length[i] * k->lanes) + fft_room(k->lines[i], k->lanes));
	s->n_tiles = k->rank == 1 ? ceil_div(tiles, k->lanes) : tiles;
	s->scratch = (size_t)room * sizeof(double) + (k->rank > 1 ? (size_t)(k->rows * k->width) * sizeof(cplx) : 0);
	s->cost = (double)in->n * 10;
	s->params = k;
	s->run = run_fft;
	return true;
}
