/* stablehlo.c - parts of StableHLO's pretty forms that steps cannot express (StableHLO:
 * dialect/AssemblyFormat, dialect/StablehloOps). */
#include "mlir/forms/forms.h"

#include <stdlib.h>

/* ---- constant -------------------------------------------------------------------- */

/* constant ::= dict? elements | '(' ')' …: the generic form is used if the type of the result
 * differs from that of the elements. */
void read_constant(reader *r, pending *p)
{
	p->operand_types = p->result_types = r->type_stack.len;
	if (read_accept(r, '(')) {
		read_expect(r, ')');
		if (read_accept(r, '<')) {
			read_attr_dict(r);
			read_expect(r, '>');
		}
		if (r->tok == '{')
			read_attr_dict(r);
		read_signature(r, p);
		return;
	}
	if (r->tok == '{')
		read_attr_dict(r);
	uint32_t at = tok_pos(r);
	const attr *a = read_attr(r);
	if (r->failed)
		return;
	note_known(r, N_value, 0, at);
	if (!a->type) {
		read_fail_at(r, read_since(r, p->name_end), E_ATTR_SYNTAX,
		             "a constant needs elements: dense<…> : type");
		return;
	}
	pend_known(r, N_value, a);
	push_type(r, a->type);
	p->n_results = 1;
}

void write_constant(printer *p, const op *o)
{
	static const int hidden[] = {N_value, 0};
	const attr *a = op_attr(o, N_value);
	if (!a || a->type != o->results[0].type) {
		write_generic_rest(p, o);
		return;
	}
	write_op_attrs(p, o, hidden, false);
	put_c(p->w, ' ');
	write_attr(p, a);
}

/* ---- dot, dot_general -------------------------------------------------------------- */

static const attr *read_dot_algorithm(reader *r)
{
	return read_struct(r, STR("stablehlo.dot_algorithm"));
}

/* Reads , precision = [DEFAULT, HIGH], algorithm = <…>. */
void read_precision(reader *r, pending *p)
{
	UNUSED(p);
	if (!read_accept(r, ','))
		return;
	if (read_accept_word(r, "precision")) {
		VEC(const attr *) list = {0};
		read_expect(r, '=');
		uint32_t at = tok_pos(r);
		read_expect(r, '[');
		while (r->tok == T_WORD) {
			const attr *a = attr_of(r->ctx,
			                        &(attr){.kind = AT_ENUM,
			                                .text = name_of_z(r->ctx, "stablehlo"),
			                                .sub = name_of_z(r->ctx, "precision"),
			                                .word = name_of(r->ctx, tok_text(r))});
			vec_push(r->mem, &list, a);
			read_next(r);
			if (!read_accept(r, ','))
				break;
		}
		read_expect(r, ']');
		note_known(r, N_precision_config, 0, at);
		pend_known(r, N_precision_config, attr_array(r->ctx, list.ptr, list.len));
		if (!read_accept(r, ','))
			return;
	}
	read_expect_word(r, "algorithm");
	read_expect(r, '=');
	pend_read(r, N_algorithm, read_dot_algorithm);
}

void write_precision(printer *p, const op *o)
{
	const attr *precision = op_attr(o, N_precision_config),
		   *algorithm = op_attr(o, N_algorithm);
	if (precision) {
		put_lit(p->w, ", precision = [");
		for (int i = 0; i < precision->n; i++) {
			if (i)
				put_lit(p->w, ", ");
			put_z(p->w, enum_word(precision->list[i]));
		}
		put_c(p->w, ']');
	}
	if (algorithm) {
		put_lit(p->w, ", algorithm = ");
		write_struct_body(p, algorithm);
	}
}

static const int dot_fields[] = {N_lhs_batching_dimensions, N_rhs_batching_dimensions,
                                 N_lhs_contracting_dimensions, N_rhs_contracting_dimensions};

static const attr *read_dot_field(reader *r, int known)
{
	uint32_t at = tok_pos(r);
	const attr *a = read_ints_attr(r);
	note_known(r, N_dot_dimension_numbers, known, at);
	return a;
}

/* Reads batching_dims = [0] x [0], contracting_dims = [2] x [1]. */
void read_dot_dims(reader *r, pending *p)
{
	const name *names[4];
	const attr *list[4];
	uint32_t at = tok_pos(r);
	UNUSED(p);
	for (int i = 0; i < 4; i++)
		names[i] = name_known(r->ctx, dot_fields[i]);
	list[0] = list[1] = attr_i64_array(r->ctx, NULL, 0);
	if (read_accept_word(r, "batching_dims")) {
		read_expect(r, '=');
		list[0] = read_dot_field(r, dot_fields[0]);
		read_expect_word(r, "x");
		list[1] = read_dot_field(r, dot_fields[1]);
		read_expect(r, ',');
	}
	read_expect_word(r, "contracting_dims");
	read_expect(r, '=');
	list[2] = read_dot_field(r, dot_fields[2]);
	read_expect_word(r, "x");
	list[3] = read_dot_field(r, dot_fields[3]);
	if (r->failed)
		return;
	note_known(r, N_dot_dimension_numbers, 0, at);
	attr a = {.kind = AT_STRUCT, .text = name_of_z(r->ctx, "stablehlo.dot"), .n = 4};
	a.list = list;
	a.names = names;
	pend_known(r, N_dot_dimension_numbers, attr_of(r->ctx, &a));
}

static void write_dims_pair(printer *p, const char *text, const attr *lhs, const attr *rhs)
{
	put_z(p->w, text);
	write_ints(p, lhs);
	put_lit(p->w, " x ");
	write_ints(p, rhs);
}

void write_dot_dims(printer *p, const op *o)
{
	const attr *d = op_attr(o, N_dot_dimension_numbers), *f[4];
	for (int i = 0; i < 4; i++)
		f[i] = attr_get(d, dot_fields[i]);
	if ((f[0] && f[0]->n) || (f[1] && f[1]->n)) {
		write_dims_pair(p, "batching_dims = ", f[0], f[1]);
		put_lit(p->w, ", ");
	}
	write_dims_pair(p, "contracting_dims = ", f[2], f[3]);
}

/* ---- convolution ---------------------------------------------------------------------- */

void read_conv_numbers(reader *r, pending *p)
{
	UNUSED(p);
	pend_read(r, N_dimension_numbers, read_conv_dims);
}

void write_conv_numbers(printer *p, const op *o)
{
	write_conv_dims(p, op_attr(o, N_dimension_numbers));
}

typedef struct window_word {
	const char *word;
	int attr;
} window_word;
static const window_word window_parts[] = {
    {"stride", N_window_strides},     {"pad", N_padding},
    {"lhs_dilate", N_lhs_dilation},   {"rhs_dilate", N_rhs_dilation},
    {"reverse", N_window_reversal},
};

/* Reads [[1, 1], [0, 2]] as dense elements. */
static const attr *read_padding(reader *r)
{
	int base = r->ints.len;
	int64_t dims[2] = {0, 2};
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			place at = tok_place(r);
			if (read_int_list(r) != 2)
				read_fail_at(r, at, E_COUNT, "padding is a pair: [low, high]");
			dims[0]++;
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	r->ints.len = base;
	if (r->failed)
		return NULL;
	return attr_dense(r->ctx, type_tensor(r->ctx, DT_I64, dims, 2), r->ints.ptr + base,
	                  sizeof(int64_t) * 2 * (size_t)dims[0], false);
}

/* Reads [true, false], or numbers. */
static const attr *read_reversal(reader *r)
{
	VEC(bool) list = {0};
	read_expect(r, '[');
	while (r->tok != ']' && !r->failed) {
		bool yes = read_accept_word(r, "true");
		if (!yes && !read_accept_word(r, "false"))
			yes = read_int(r) != 0;
		vec_push(r->mem, &list, yes);
		if (!read_accept(r, ','))
			break;
	}
	read_expect(r, ']');
	return r->failed ? NULL : attr_bool_array(r->ctx, list.ptr, list.len);
}

void read_conv_window(reader *r, pending *p)
{
	int seen = 0;
	UNUSED(p);
	while (r->tok == T_WORD) {
		int i = 0;
		while (i < COUNT(window_parts) && !tok_is(r, window_parts[i].word))
			i++;
		if (i == COUNT(window_parts) || (seen >> i & 1)) {
			read_expected(r,
			              "stride, pad, lhs_dilate, rhs_dilate or reverse, each once");
			return;
		}
		seen |= 1 << i;
		read_next(r);
		read_expect(r, '=');
		int known = window_parts[i].attr;
		pend_read(r, known, known == N_padding           ? read_padding
		                    : known == N_window_reversal ? read_reversal
		                                                 : read_ints_attr);
		if (!read_accept(r, ','))
			break;
	}
}

static void write_padding(printer *p, const attr *a)
{
	int64_t n = a->type->n_elems / 2;
	put_c(p->w, '[');
	for (int64_t i = 0; i < n; i++) {
		put_z(p->w, i ? ", [" : "[");
		put_int(p->w, attr_dense_int(a, 2 * i));
		put_lit(p->w, ", ");
		put_int(p->w, attr_dense_int(a, 2 * i + 1));
		put_c(p->w, ']');
	}
	put_c(p->w, ']');
}

void write_conv_window(printer *p, const op *o)
{
	bool first = true;
	for (int i = 0; i < COUNT(window_parts); i++) {
		const attr *a = op_attr(o, window_parts[i].attr);
		if (!a)
			continue;
		if (!first)
			put_lit(p->w, ", ");
		first = false;
		put_z(p->w, window_parts[i].word);
		put_lit(p->w, " = ");
		if (a->kind == AT_DENSE)
			write_padding(p, a);
		else
			write_dense_array(p, a, true);
	}
}

/* ---- slice: [0:4, 2:8:2] ------------------------------------------------------------------ */

void read_slice_ranges(reader *r, pending *p)
{
	static const int known[] = {N_start_indices, N_limit_indices, N_strides};
	VEC(int64_t) v[3] = {{0}, {0}, {0}};
	uint32_t begin = tok_pos(r);
	UNUSED(p);
	read_expect(r, '[');
	if (r->tok != ']') {
		do
			for (int i = 0; i < 3; i++) {
				bool there = !i || (i == 1 ? read_expect(r, ':') : read_accept(r, ':'));
				uint32_t at = tok_pos(r);
				vec_push(r->mem, &v[i], there ? read_int(r) : 1);
				if (there)
					note_known(r, known[i], ITEM(v[i].len - 1), at);
			}
		while (read_accept(r, ','));
	}
	read_expect(r, ']');
	for (int i = 0; i < 3; i++)
		note_known(r, known[i], 0, begin);
	for (int i = 0; i < 3 && !r->failed; i++)
		pend_known(r, known[i], attr_i64_array(r->ctx, v[i].ptr, v[i].len));
}

void write_slice_ranges(printer *p, const op *o)
{
	int n, n_limit, n_stride;
	const int64_t *start = op_ints(p->m, o, N_start_indices, &n);
	const int64_t *limit = op_ints(p->m, o, N_limit_indices, &n_limit);
	const int64_t *stride = op_ints(p->m, o, N_strides, &n_stride);
	put_lit(p->w, " [");
	for (int i = 0; i < n && i < n_limit && i < n_stride; i++) {
		if (i)
			put_lit(p->w, ", ");
		put_int(p->w, start[i]);
		put_c(p->w, ':');
		put_int(p->w, limit[i]);
		if (stride[i] != 1) {
			put_c(p->w, ':');
			put_int(p->w, stride[i]);
		}
	}
	put_c(p->w, ']');
}

/* ---- reduce_precision, composite, optimization_barrier, return ------------------------------ */

/* Reads e5m10. */
void read_exponent_mantissa(reader *r, pending *p)
{
	int exponent = -1, mantissa = -1, used = 0;
	char word[24];
	tess_str t = tok_text(r);
	UNUSED(p);
	snprintf(word, sizeof word, "%.*s", (int)(t.len < 23 ? t.len : 23), t.ptr);
	if (r->tok != T_WORD || sscanf(word, "e%9dm%9d%n", &exponent, &mantissa, &used) != 2 ||
	    (size_t)used != t.len || exponent < 0 || mantissa < 0) {
		read_expected(r, "a format like e5m10");
		return;
	}
	uint32_t at = tok_pos(r);
	pend_known(r, N_exponent_bits, attr_i32(r->ctx, exponent));
	pend_known(r, N_mantissa_bits, attr_i32(r->ctx, mantissa));
	read_next(r);
	note_known(r, N_exponent_bits, 0, at);
	note_known(r, N_mantissa_bits, 0, at);
}

void write_exponent_mantissa(printer *p, const op *o)
{
	put_f(p->w, "e%" PRId64 "m%" PRId64, op_int(o, N_exponent_bits, 0),
	      op_int(o, N_mantissa_bits, 0));
}

/* Reads %a, %b ({…})? */
void read_composite(reader *r, pending *p)
{
	read_operands(r, p);
	if (read_accept(r, '(')) {
		do
			read_region(r, p, NULL, 0);
		while (read_accept(r, ','));
		read_expect(r, ')');
	}
}

void write_composite(printer *p, const op *o)
{
	write_operands(p, o, 0, o->n_operands);
	for (int i = 0; i < op_n_regions(o); i++) {
		put_z(p->w, i ? ", " : " (");
		write_region(p, op_region(o, i), true);
	}
	if (op_n_regions(o))
		put_c(p->w, ')');
}

/* Reads %a, %b : T, T, or (). */
void read_optimization_barrier(reader *r, pending *p)
{
	if (r->tok == '{')
		read_attr_dict(r);
	p->operand_types = p->result_types = r->type_stack.len;
	if (read_accept(r, '(')) {
		read_expect(r, ')');
		return;
	}
	read_operands(r, p);
	read_types(r, p, TYPES_PAIRWISE);
}

void write_optimization_barrier(printer *p, const op *o)
{
	static const int hidden[] = {0};
	write_op_attrs(p, o, hidden, false);
	if (!o->n_operands) {
		put_lit(p->w, "()");
		return;
	}
	put_c(p->w, ' ');
	write_operands(p, o, 0, o->n_operands);
	write_types_of(p, o, TYPES_PAIRWISE);
}

/* Attributes come before the operands: return {a} %0 : T. */
void read_return_func(reader *r, pending *p)
{
	if (r->tok == '{')
		read_attr_dict(r);
	read_operands(r, p);
	read_types(r, p, TYPES_OPERANDS);
}

void write_return_func(printer *p, const op *o)
{
	static const int hidden[] = {0};
	write_op_attrs(p, o, hidden, false);
	if (!o->n_operands)
		return;
	put_c(p->w, ' ');
	write_operands(p, o, 0, o->n_operands);
	write_types_of(p, o, TYPES_OPERANDS);
}
