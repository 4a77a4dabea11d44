/* fields_window.c - fields of slices, padding, windows, convolutions and products. */
#include "hlo/convert/fields.h"

/* ---- numbers for each dimension ------------------------------------------------- */

/* Two or three numbers for each dimension of the array. If the third is not written, it is the same
 * for all. */
static bool raise_triples(hlo_raiser *r, const hlo_field *f, const op *from, op *to, int64_t third)
{
	int64_t all[4 * SHAPE_MAX_RANK], v[3][SHAPE_MAX_RANK];
	int n = raise_ints(r, from, f->hlo, all, COUNT(all));
	int rank = hlo_shape_of(r->ctx, from)->rank, each = rank ? n / rank : 2;
	if (rank && (n % rank || each < 2 || each > 3))
		return raise_fail(r, from, "a list for other dimensions than the array's");
	for (int i = 0; i < rank; i++)
		for (int k = 0; k < 3; k++)
			v[k][i] = k < each ? all[i * each + k] : third;
	for (int k = 0; k < 3; k++)
		op_set_attr(r->to, to, f->to[k], attr_i64_array(r->ctx, v[k], rank));
	return true;
}

/* Writes two or three numbers for each dimension; the third may be left out. */
static int sink_triples(hlo_sinker *l, const hlo_field *f, const op *o, const char *between,
                        const char *format, int64_t third)
{
	int n, n_second, n_third;
	const int64_t *first = op_ints(l->m, o, f->to[0], &n);
	const int64_t *second = op_ints(l->m, o, f->to[1], &n_second);
	const int64_t *last = op_ints(l->m, o, f->to[2], &n_third);
	for (int i = 0; i < n && i < n_second; i++) {
		put_z(l->at, i ? between : "");
		for (const char *p = format; *p; p++)
			if (*p >= '0' && *p <= '2')
				put_int(l->at, *p == '0'        ? first[i]
				               : *p == '1'      ? second[i]
				               : i < n_third    ? last[i]
				                                : third);
			else
				put_c(l->at, *p);
	}
	return n;
}

/* {[0:4], [1:8:2]}: steps are written for all dimensions or none. */
static bool raise_slices(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	return raise_triples(r, f, from, to, 1);
}

static bool sink_slices(hlo_sinker *l, const hlo_field *f, const op *o)
{
	put_f(l->at, ", %s={", f->hlo);
	sink_triples(l, f, o, ", ", "[0:1:2]", 1);
	put_c(l->at, '}');
	return true;
}

const hlo_field_kind field_slices = {.raise = raise_slices, .sink = sink_slices};

/* 1_1x0_2 or 1_1_0x0_2_1 */
static bool raise_padding(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	return raise_triples(r, f, from, to, 0);
}

static bool sink_padding(hlo_sinker *l, const hlo_field *f, const op *o)
{
	put_f(l->at, ", %s=", f->hlo);
	return sink_triples(l, f, o, "x", "0_1_2", 0) > 0;
}

const hlo_field_kind field_padding = {.raise = raise_padding, .sink = sink_padding};

/* ---- windows -------------------------------------------------------------------- */

/* dense<[[low, high], …]> */
static const attr *window_padding(hlo_raiser *r, const hlo_window *w)
{
	int64_t v[2 * SHAPE_MAX_RANK];
	for (int i = 0; i < w->n; i++) {
		v[2 * i] = w->low[i];
		v[2 * i + 1] = w->high[i];
	}
	return raise_matrix(r, v, w->n, 2);
}

static void set_dims(hlo_raiser *r, op *to, int known, const int64_t *v, int n)
{
	op_set_attr(r->to, to, known, attr_i64_array(r->ctx, v, n));
}

/* Only window reductions have dilations. */
static bool raise_window(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	hlo_window w;
	if (!hlo_window_of(from, r->ctx, &w))
		return raise_fail(r, from, "a window of too many dimensions");
	set_dims(r, to, N_window_dimensions, w.size, w.n);
	set_dims(r, to, N_window_strides, w.stride, w.n);
	op_set_attr(r->to, to, f->to[0], window_padding(r, &w));
	if (to->kind != OP_REDUCE_WINDOW)
		return true;
	set_dims(r, to, N_base_dilations, w.lhs_dilation, w.n);
	set_dims(r, to, N_window_dilations, w.rhs_dilation, w.n);
	return true;
}

static void put_part(hlo_sinker *l, const char *key, const int64_t *v, int n)
{
	for (int i = 0; v && i < n; i++)
		put_f(l->at, "%s%" PRId64, i ? "x" : key, v[i]);
}

/* Writes each part for all dimensions; parts that are NULL have their default. */
static void put_sunk_window(hlo_sinker *l, int n, const int64_t *size, const int64_t *stride,
                            const int64_t *pad, const int64_t *base, const int64_t *window,
                            const int64_t *flip)
{
	if (!n)
		return;
	put_lit(l->at, ", window={");
	put_part(l, "size=", size, n);
	put_part(l, " stride=", stride, n);
	for (int i = 0; pad && i < n; i++)
		put_f(l->at, "%s%" PRId64 "_%" PRId64, i ? "x" : " pad=", pad[2 * i],
		      pad[2 * i + 1]);
	put_part(l, " lhs_dilate=", base, n);
	put_part(l, " rhs_dilate=", window, n);
	put_part(l, " rhs_reversal=", flip, n);
	put_c(l->at, '}');
}

static bool sink_window(hlo_sinker *l, const hlo_field *f, const op *o)
{
	int n, n_pad;
	const int64_t *size = op_ints(l->m, o, N_window_dimensions, &n), *v[3];
	const int known[] = {N_window_strides, N_base_dilations, N_window_dilations};
	const int64_t *pad = op_ints(l->m, o, f->to[0], &n_pad);
	for (int i = 0; i < 3; i++) {
		int k;
		v[i] = op_ints(l->m, o, known[i], &k);
		v[i] = k == n ? v[i] : NULL;
	}
	put_sunk_window(l, n, size, v[0], n_pad == 2 * n ? pad : NULL, v[1], v[2], NULL);
	return true;
}

const hlo_field_kind field_window = {.raise = raise_window, .sink = sink_window};

/* ---- convolutions --------------------------------------------------------------- */

static const attr *spatial_of(hlo_raiser *r, const int *v, int n)
{
	int64_t wide[SHAPE_MAX_RANK];
	for (int i = 0; i < n; i++)
		wide[i] = v[i];
	return attr_i64_array(r->ctx, wide, n);
}

static const attr *conv_numbers(hlo_raiser *r, const hlo_labels *l)
{
	static const char *const fields[] = {
		"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions",
		"kernel_input_feature_dimension", "kernel_output_feature_dimension",
		"kernel_spatial_dimensions", "output_batch_dimension", "output_feature_dimension",
		"output_spatial_dimensions"};
	const attr *values[] = {
		attr_i64(r->ctx, l->in_batch), attr_i64(r->ctx, l->in_feature),
		spatial_of(r, l->in_spatial, l->n), attr_i64(r->ctx, l->k_in),
		attr_i64(r->ctx, l->k_out), spatial_of(r, l->k_spatial, l->n),
		attr_i64(r->ctx, l->out_batch), attr_i64(r->ctx, l->out_feature),
		spatial_of(r, l->out_spatial, l->n)};
	const name *names[COUNT(fields)];
	for (int i = 0; i < COUNT(fields); i++)
		names[i] = name_of_z(r->ctx, fields[i]);
	return attr_of(r->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(r->ctx, "stablehlo.conv"),
	                               .list = values, .names = names, .n = COUNT(fields)});
}

static bool raise_convolution(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	hlo_window w;
	hlo_labels l;
	if (!hlo_window_of(from, r->ctx, &w) || !hlo_labels_of(from, r->ctx, &l) || w.n != l.n)
		return raise_fail(r, from, "a window that does not fit the labels");
	op_set_attr(r->to, to, N_dimension_numbers, conv_numbers(r, &l));
	set_dims(r, to, N_window_strides, w.stride, w.n);
	op_set_attr(r->to, to, f->to[0], window_padding(r, &w));
	set_dims(r, to, N_lhs_dilation, w.lhs_dilation, w.n);
	set_dims(r, to, N_rhs_dilation, w.rhs_dilation, w.n);
	op_set_attr(r->to, to, N_window_reversal, attr_bool_array(r->ctx, w.reversed, w.n));
	return true;
}

/* Writes the dimensions of a tensor as letters, such as b01f. */
static void put_labels(hlo_sinker *l, char first, int64_t a, char second, int64_t b,
                       const int64_t *spatial, int n)
{
	char text[MAX_SPATIAL + 3] = "";
	text[a] = first;
	text[b] = second;
	for (int i = 0; i < n; i++)
		text[spatial[i]] = (char)('0' + i);
	put_mem(l->at, text, (size_t)n + 2);
}

static bool sink_convolution(hlo_sinker *l, const hlo_field *f, const op *o)
{
	conv_dims d;
	int64_t size[MAX_SPATIAL], pad[2 * MAX_SPATIAL], flip[MAX_SPATIAL];
	UNUSED(f);
	if (!op_conv_dims(l->m, o, &d) || d.n_spatial > 10)
		return false;
	for (int i = 0; i < d.n_spatial; i++) {
		size[i] = operand(o, 1)->type->dims[d.k_spatial[i]];
		pad[2 * i] = d.pad_low[i];
		pad[2 * i + 1] = d.pad_high[i];
		flip[i] = d.reversed[i];
	}
	put_sunk_window(l, d.n_spatial, size, d.stride, pad, d.lhs_dilation, d.rhs_dilation, flip);
	put_lit(l->at, ", dim_labels=");
	put_labels(l, 'b', d.in_batch, 'f', d.in_feature, d.in_spatial, d.n_spatial);
	put_c(l->at, '_');
	put_labels(l, 'i', d.k_in, 'o', d.k_out, d.k_spatial, d.n_spatial);
	put_lit(l->at, "->");
	put_labels(l, 'b', d.out_batch, 'f', d.out_feature, d.out_spatial, d.n_spatial);
	return true;
}

const hlo_field_kind field_convolution = {.raise = raise_convolution, .sink = sink_convolution};

/* ---- products ------------------------------------------------------------------- */

/* stablehlo.dot has no dimension numbers: it contracts the last dimension of the left operand with
 * the first of the right one. */
static bool sink_vectors(hlo_sinker *l, const hlo_field *f, const op *o)
{
	dot_dims d;
	UNUSED(f);
	if (!op_dot_dims(l->m, o, &d))
		return false;
	sink_ints(l, "lhs_contracting_dims", d.lhs_contract, d.n_contract);
	sink_ints(l, "rhs_contracting_dims", d.rhs_contract, d.n_contract);
	return true;
}

const hlo_field_kind field_vectors = {.sink = sink_vectors};

static bool raise_algorithm(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	tess_str word = hlo_attr_text(from, r->ctx, f->hlo);
	const attr *a = word.len ? dot_algorithm_named(r->ctx, word) : NULL;
	if (a)
		op_set_attr(r->to, to, f->to[0], a);
	return a || !word.len;
}

static bool sink_algorithm(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = op_attr(o, f->to[0]);
	const dot_algorithm *how = a ? dot_algorithm_of(a) : NULL;
	if (!how)
		return !a;
	put_f(l->at, ", %s=", f->hlo);
	put_dot_algorithm(l->at, how);
	return true;
}

const hlo_field_kind field_algorithm = {.raise = raise_algorithm, .sink = sink_algorithm};
