/* quant.c - parses quantized types.
 *
 *   quant  ::= '!quant.uniform' '<' storage ('<' int ':' int '>')? ':' type where? ',' scales '>'
 *   where  ::= ':' int | ':' '{' int ':' int (',' int ':' int)* '}'
 *   scales ::= scale (':' int)? | '{' scales (',' scales)* '}'
 *
 * There is one scale, or one per index of an axis, or one per block of a grid. Source: MLIR, quant
 * dialect, "Per-layer", "Per-channel" and "Sub-channel quantization". */
#include "mlir/read/read.h"

#include <math.h>

static bool quant_digit(char c) { return c >= '0' && c <= '9'; }

/* Parses i8, u8, ui8, i4, … and sets their range. */
static bool quant_storage(tess_str t, quant_info *q)
{
	int bits = 0;
	bool is_unsigned = t.len && t.ptr[0] == 'u';
	q->storage_ui = is_unsigned && t.len > 2 && t.ptr[1] == 'i';
	t.ptr += q->storage_ui;
	t.len -= q->storage_ui;
	if (t.len < 2 || t.len > 3 || (t.ptr[0] != 'i' && t.ptr[0] != 'u'))
		return false;
	for (size_t i = 1; i < t.len; i++) {
		if (!quant_digit(t.ptr[i]))
			return false;
		bits = bits * 10 + (t.ptr[i] - '0');
	}
	char spelled[16];
	snprintf(spelled, sizeof spelled, "%s%d", is_unsigned ? "ui" : "i", bits);
	q->storage = dtype_from_mlir(str_of(spelled));
	if (q->storage == DT_NONE || bits > 32)
		return false;
	q->min = is_unsigned ? 0 : -((int64_t)1 << (bits - 1));
	q->max = is_unsigned ? ((int64_t)1 << bits) - 1 : ((int64_t)1 << (bits - 1)) - 1;
	return true;
}

static double read_scale(reader *r)
{
	bool minus = read_accept(r, '-');
	uint64_t bits = 0;
	double v = 0;
	if (r->tok == T_FLOAT)
		v = decimal_value(r, tok_text(r));
	else if (r->tok == T_HEX && !minus && token_magnitude(r, &bits))
		v = float_value(bits, DT_F64);
	else
		return read_expected(r, "a scale with a decimal point, or its bits in hexadecimal"),
		       0;
	read_next(r);
	return minus ? -v : v;
}

static void read_scale_zero(reader *r, double *scale, int64_t *zero)
{
	*scale = read_scale(r);
	*zero = read_accept(r, ':') ? read_int(r) : 0;
}

/* The scales read so far: {0.5:1, 0.25}, or nested lists of sizes `shape`. */
typedef struct scale_list {
	VEC(double) scales;
	VEC(int64_t) zeros;
	VEC(int64_t) shape; /* -1: the first list at this depth is not complete yet */
	bool complete;      /* the first scale has been read, so the rank is known */
} scale_list;

static void read_scale_tree(reader *r, scale_list *l, int depth)
{
	place at = tok_place(r);
	if (r->tok != '{' && l->complete && depth != l->shape.len)
		read_expected(r, "'{'");
	if (!read_accept(r, '{')) {
		double scale;
		int64_t zero;
		read_scale_zero(r, &scale, &zero);
		vec_push(r->mem, &l->scales, scale);
		vec_push(r->mem, &l->zeros, zero);
		l->complete = true;
		return;
	}
	if (l->complete && depth >= l->shape.len)
		read_fail_at(r, at, E_TYPE_SYNTAX, "a scale was expected, as in the first list");
	if (!l->complete)
		vec_push(r->mem, &l->shape, -1);
	if (!read_deeper(r))
		return;
	int64_t n = 0;
	do {
		read_scale_tree(r, l, depth + 1);
		n++;
	} while (read_accept(r, ','));
	r->depth--;
	read_expect(r, '}');
	if (r->failed)
		return;
	if (l->shape.ptr[depth] >= 0 && l->shape.ptr[depth] != n)
		read_fail_at(r, at, E_TYPE_SYNTAX,
		             "this list has %" PRId64 " items, and others of its depth %" PRId64, n,
		             l->shape.ptr[depth]);
	l->shape.ptr[depth] = n;
}

static void read_scales(reader *r, quant_info *q, quant_blocks *blocks)
{
	scale_list l = {0};
	read_scale_tree(r, &l, 0);
	q->n = l.scales.len;
	q->scales = l.scales.ptr;
	q->zeros = l.zeros.ptr;
	blocks->rank = l.shape.len;
	blocks->shape = l.shape.ptr;
}

/* Reads {0:1, 1:2}: the dimensions that are divided into blocks, and the block sizes. */
static void read_block_sizes(reader *r, quant_blocks *b)
{
	VEC(int64_t) dims = {0}, sizes = {0};
	read_expect(r, '{');
	if (read_accept(r, '}'))
		return;
	do {
		place at = tok_place(r);
		int64_t dim = read_int(r);
		if (dim < 0 || dim > INT32_MAX)
			read_fail_at(r, at, E_NUMBER, "no dimension has the number %" PRId64, dim);
		read_expect(r, ':');
		at = tok_place(r);
		int64_t size = read_int(r);
		if (size < 1)
			read_fail_at(r, at, E_NUMBER, "a block has one element at least");
		vec_push(r->mem, &dims, dim);
		vec_push(r->mem, &sizes, size);
	} while (read_accept(r, ','));
	read_expect(r, '}');
	b->n = dims.len;
	b->dims = dims.ptr;
	b->sizes = sizes.ptr;
}

bool read_quant(reader *r, quant_info *q, quant_blocks *blocks)
{
	read_next(r);
	if (r->tok != T_WORD || !quant_storage(tok_text(r), q))
		return false;
	read_next(r);
	q->default_range = true;
	if (read_accept(r, '<')) {
		int64_t min = read_int(r);
		read_expect(r, ':');
		int64_t max = read_int(r);
		read_expect(r, '>');
		q->default_range = min == q->min && max == q->max;
		q->min = min;
		q->max = max;
	}
	read_expect(r, ':');
	place of = tok_place(r);
	const type *expressed = read_type(r);
	q->expressed = expressed->dtype;
	q->axis = -1;
	if (!dtype_is_float(q->expressed))
		return read_fail_at(r, of, E_TYPE_SYNTAX, "a quantized type expresses floats");
	if (r->tok == ':') {
		read_next(r);
		if (r->tok == '{') {
			read_block_sizes(r, blocks);
			q->blocks = blocks;
		} else {
			place at = tok_place(r);
			int64_t axis = read_int(r);
			if (axis < 0 || axis > INT32_MAX)
				return read_fail_at(r, at, E_NUMBER,
				                    "no dimension has the number %" PRId64, axis);
			q->axis = (int)axis;
		}
	}
	read_expect(r, ',');
	if (q->axis < 0 && (r->tok == '{') != (q->blocks != NULL))
		return q->blocks ? read_expected(r, "'{'") : false;
	read_scales(r, q, blocks);
	for (int i = 0; q->blocks && i < q->n && !r->failed; i++)
		if (q->zeros[i] < q->min || q->zeros[i] > q->max)
			read_fail(r, E_NUMBER, "a zero point is out of the range of the storage");
	for (int i = 0; i < q->n && !r->failed; i++) {
		double v = q->blocks ? q->scales[i] : fabs(q->scales[i]);
		bool fits = v >= dtype_least(q->expressed) && v <= dtype_largest(q->expressed);
		if (!fits) /* NaN does not fit */
			read_fail(r, E_NUMBER, "a scale is out of the range of %s",
			          dtype_mlir(q->expressed));
	}
	return !r->failed && r->tok == '>';
}
