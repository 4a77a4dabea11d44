/* fft.c - discrete Fourier transforms over the last one to three dimensions.
 *
 * Each line is transformed by itself, in double precision: by mixed-radix decimation in time if its
 * length has only small prime factors, by Bluestein's chirp algorithm if it has a large one. A real
 * transform is computed as a complex one, of which half is dropped or restored by symmetry. */
#include "exec/kernel/complex.h"

#include <math.h>

enum { SMALL_PRIME = 64, MAX_FACTORS = 64 };

/* A plan for transforms of one length. */
typedef struct fft_line {
	int64_t n;
	int n_factors;
	int64_t factors[MAX_FACTORS];
	cplx *roots; /* [n] exp(-2 pi i k / n) */
	/* Bluestein: a convolution of length m, a power of two */
	int64_t m;
	struct fft_line *inner;
	cplx *chirp, *chirp_hat; /* [n], [m] */
} fft_line;

typedef struct fft_plan {
	int rank; /* number of transformed dimensions */
	bool inverse, real_in, real_out;
	fft_line *lines[3];
} fft_plan;

static size_t fft_room(const fft_line *l)
{
	return l->inner ? (size_t)(2 * l->m) * sizeof(cplx) + fft_room(l->inner)
	                : (size_t)(l->n + SMALL_PRIME) * sizeof(cplx);
}

static void fft_run(const fft_line *l, cplx *x, bool inverse, cplx *room);

/* Complex product without the recovery that C requires for NaN results, which is slow. */
static inline cplx times(cplx a, cplx b)
{
	return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
	             creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* The butterflies: combine the transforms of the f subsequences, stored one after the other in
 * `out`, into the transform of the whole. */
static void join_2(const cplx *roots, int64_t turn, int64_t sub, cplx *out)
{
	for (int64_t k = 0; k < sub; k++) {
		cplx a = out[k], b = times(out[sub + k], roots[k * turn]);
		out[k] = a + b;
		out[sub + k] = a - b;
	}
}

static void join_4(const cplx *roots, int64_t turn, int64_t sub, cplx *out)
{
	for (int64_t k = 0; k < sub; k++) {
		cplx a = out[k], b = times(out[sub + k], roots[k * turn]),
		     c = times(out[2 * sub + k], roots[2 * k * turn]),
		     d = times(out[3 * sub + k], roots[3 * k * turn]);
		cplx even = a + c, odd = b + d, apart = a - c, turned = b - d;
		turned = CMPLX(cimag(turned), -creal(turned));
		out[k] = even + odd;
		out[sub + k] = apart + turned;
		out[2 * sub + k] = even - odd;
		out[3 * sub + k] = apart - turned;
	}
}

/* (i + by) mod n, for i and by in [0, n). */
static inline int64_t around(int64_t i, int64_t by, int64_t n) { return i + by < n ? i + by : i + by - n; }

static void join_any(const fft_line *l, int64_t f, int64_t turn, int64_t sub, cplx *out, cplx *part)
{
	for (int64_t k = 0; k < sub; k++) {
		for (int64_t r = 0, at = 0; r < f; r++, at = around(at, k * turn, l->n))
			part[r] = times(out[r * sub + k], l->roots[at]);
		for (int64_t q = 0; q < f; q++) {
			cplx sum = part[0];
			for (int64_t r = 1, at = 0; r < f; r++) {
				at = around(at, q * sub * turn, l->n);
				sum += times(part[r], l->roots[at]);
			}
			out[q * sub + k] = sum;
		}
	}
}

/* Sets out[0..n) to the transform of in[0], in[step], …; the radix is l->factors[level]. */
static void fft_radix(const fft_line *l, int level, int64_t n, const cplx *in, int64_t step,
                      cplx *out, cplx *part)
{
	if (n == 1) {
		out[0] = in[0];
		return;
	}
	int64_t f = l->factors[level], sub = n / f, turn = l->n / n;
	for (int64_t r = 0; r < f; r++) {
		if (sub == 1)
			out[r] = in[r * step];
		else
			fft_radix(l, level + 1, sub, in + r * step, step * f, out + r * sub, part);
	}
	if (f == 2)
		join_2(l->roots, turn, sub, out);
	else if (f == 4)
		join_4(l->roots, turn, sub, out);
	else
		join_any(l, f, turn, sub, out, part);
}

static void bluestein(const fft_line *l, cplx *x, cplx *room)
{
	cplx *a = room, *rest = room + 2 * l->m;
	for (int64_t i = 0; i < l->m; i++)
		a[i] = i < l->n ? x[i] * l->chirp[i] : 0;
	fft_run(l->inner, a, false, rest);
	for (int64_t i = 0; i < l->m; i++)
		a[i] *= l->chirp_hat[i];
	fft_run(l->inner, a, true, rest);
	for (int64_t i = 0; i < l->n; i++)
		x[i] = a[i] / (double)l->m * l->chirp[i];
}

/* Transforms x in place; the inverse is not scaled by 1 / n. */
static void fft_run(const fft_line *l, cplx *x, bool inverse, cplx *room)
{
	for (int64_t i = 0; i < l->n && inverse; i++)
		x[i] = conj(x[i]);
	if (l->inner) {
		bluestein(l, x, room);
	} else {
		fft_radix(l, 0, l->n, x, 1, room, room + l->n);
		memcpy(x, room, sizeof *x * (size_t)l->n);
	}
	for (int64_t i = 0; i < l->n && inverse; i++)
		x[i] = conj(x[i]);
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

static fft_line *fft_line_new(arena *mem, int64_t n)
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
	if (largest <= SMALL_PRIME) {
		l->roots = NEW_N(mem, cplx, n);
		for (int64_t i = 0; i < n; i++)
			l->roots[i] = fft_root(i, n);
		return l;
	}
	for (l->m = 1; l->m < 2 * n - 1;)
		l->m *= 2;
	l->inner = fft_line_new(mem, l->m);
	l->chirp = NEW_N(mem, cplx, n);
	l->chirp_hat = NEW_N(mem, cplx, l->m);
	for (int64_t i = 0; i < n; i++) {
		/* i^2 mod 2n keeps the angle small, and so precise */
		int64_t square = (int64_t)((__int128)i * i % (2 * n));
		l->chirp[i] = cexp(-M_PI * I * ((double)square / (double)n));
		l->chirp_hat[i] = conj(l->chirp[i]);
		if (i)
			l->chirp_hat[l->m - i] = conj(l->chirp[i]);
	}
	cplx *room = arena_alloc(mem, fft_room(l->inner));
	fft_run(l->inner, l->chirp_hat, false, room);
	return l;
}

/* ---- all dimensions of an array ------------------------------------------------------------- */

/* Transforms dimension d of the block a, in place. */
static void fft_dim(const fft_plan *k, cplx *a, const int64_t *dims, int d, cplx *line)
{
	int64_t n = dims[d], inner = 1, outer = 1;
	for (int i = d + 1; i < k->rank; i++)
		inner *= dims[i];
	for (int i = 0; i < d; i++)
		outer *= dims[i];
	for (int64_t x = 0; x < outer * inner; x++) {
		cplx *from = a + x / inner * n * inner + x % inner;
		for (int64_t i = 0; i < n; i++)
			line[i] = from[i * inner];
		fft_run(k->lines[d], line, k->inverse, line + n);
		for (int64_t i = 0; i < n; i++)
			from[i * inner] = line[i];
	}
}

/* Restores the half of each line that the spectrum of a real signal leaves out: the conjugates.
 * They are mirrored in all transformed dimensions, but once the other dimensions are transformed
 * back, only in the last. */
static void fill_half(cplx *a, int64_t rows, int64_t n)
{
	for (int64_t r = 0; r < rows; r++)
		for (int64_t i = n / 2 + 1; i < n; i++)
			a[r * n + i] = conj(a[r * n + n - i]);
}

/* Reads n contiguous elements. */
static void read_line(dtype t, const char *from, cplx *to, int64_t n)
{
	const float *f = (const float *)from;
	for (int64_t i = 0; i < n && t == DT_C64; i++)
		to[i] = CMPLX(f[2 * i], f[2 * i + 1]);
	for (int64_t i = 0; i < n && t == DT_F32; i++)
		to[i] = f[i];
	for (int64_t i = 0; i < n && t != DT_C64 && t != DT_F32; i++)
		to[i] = cplx_get(t, from + i * dtype_bytes(t));
}

static void write_line(dtype t, char *to, const cplx *from, double scale, int64_t n)
{
	float *f = (float *)to;
	for (int64_t i = 0; i < n && t == DT_C64; i++) {
		f[2 * i] = (float)(creal(from[i]) * scale);
		f[2 * i + 1] = (float)(cimag(from[i]) * scale);
	}
	for (int64_t i = 0; i < n && t == DT_F32; i++)
		f[i] = (float)(creal(from[i]) * scale);
	for (int64_t i = 0; i < n && t != DT_C64 && t != DT_F32; i++)
		cplx_put(t, to + i * dtype_bytes(t), from[i] * scale);
}

static void run_fft(const step *s, const call *c)
{
	const fft_plan *k = s->params;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	int64_t dims[3], total = 1, rows = 1;
	for (int i = 0; i < k->rank; i++)
		total *= dims[i] = k->lines[i]->n;
	for (int i = 0; i < k->rank - 1; i++)
		rows *= dims[i];
	int64_t n = dims[k->rank - 1], n_in = in->dims[in->rank - 1],
		n_out = out->dims[out->rank - 1];
	cplx *a = c->scratch, *line = a + total;
	const char *from = c->at[0] + c->tile * rows * n_in * in->bytes;
	char *to = call_out(s, c, 0) + c->tile * rows * n_out * out->bytes;
	memset(a, 0, sizeof *a * (size_t)total);
	for (int64_t r = 0; r < rows; r++)
		read_line(in->dtype, from + r * n_in * in->bytes, a + r * n, n_in);
	for (int d = 0; d < k->rank - 1; d++)
		fft_dim(k, a, dims, d, line);
	if (k->real_out) {
		for (int64_t r = 0; r < rows; r++) /* no imaginary part for real signals */
			a[r * n] = creal(a[r * n]);
		fill_half(a, rows, n);
	}
	fft_dim(k, a, dims, k->rank - 1, line);
	double scale = k->inverse ? 1 / (double)total : 1;
	for (int64_t r = 0; r < rows; r++)
		write_line(out->dtype, to + r * n_out * out->bytes, a + r * n, scale, n_out);
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
	size_t room = 0;
	int64_t total = 1, longest = 1;
	for (int i = 0; i < k->rank; i++) {
		k->lines[i] = length[i] > 0 ? fft_line_new(plan_mem(p), length[i]) : NULL;
		total *= length[i];
		longest = max_i64(longest, length[i]);
		if (k->lines[i] && fft_room(k->lines[i]) > room)
			room = fft_room(k->lines[i]);
	}
	s->n_tiles = out->n && total
	                     ? out->n / (total / length[k->rank - 1] * out->dims[out->rank - 1])
	                     : 0;
	s->scratch = (size_t)(total + longest) * sizeof(cplx) + room;
	s->cost = (double)in->n * 60;
	s->params = k;
	s->run = run_fft;
	return true;
}
