/* dot_algorithm.c - the algorithm of a dot, a word in HLO and a struct in StableHLO:
 *
 *   algorithm=dot_bf16_bf16_f32_x3
 *   #stablehlo.dot_algorithm<lhs_precision_type = bf16, …, num_primitive_operations = 3, …>
 *
 * HLO has one word for all 8-bit types, dot_any_f8_any_f8_f32; as in XLA's own conversion, it is
 * read as f8E5M2. */
#include "hlo/text/text.h"

void put_dot_algorithm(writer *w, const dot_algorithm *a)
{
	const char *in = a->in == DT_F8E5M2 ? "any_f8" : dtype_hlo(a->in);
	put_f(w, "dot_%s_%s_%s", in, in, dtype_hlo(a->sum));
	if (a->products > 1)
		put_f(w, "_x%d", a->products);
	if (a->imprecise)
		put_lit(w, "_fast_accum");
}

static const attr *attr_of_algorithm(tess_ctx *ctx, const dot_algorithm *a)
{
	static const int fields[] = {
		N_lhs_precision_type, N_rhs_precision_type, N_accumulation_type,
		N_lhs_component_count, N_rhs_component_count, N_num_primitive_operations,
		N_allow_imprecise_accumulation};
	const attr *in = attr_type(ctx, type_scalar(ctx, a->in)), *one = attr_i64(ctx, 1);
	const attr *values[] = {in, in, attr_type(ctx, type_scalar(ctx, a->sum)), one, one,
	                        attr_i64(ctx, a->products), attr_bool(ctx, a->imprecise)};
	const name *names[COUNT(fields)];
	for (int i = 0; i < COUNT(fields); i++)
		names[i] = name_known(ctx, fields[i]);
	return attr_of(ctx, &(attr){.kind = AT_STRUCT,
	                            .text = name_of_z(ctx, "stablehlo.dot_algorithm"),
	                            .list = values, .names = names, .n = COUNT(fields)});
}

const attr *dot_algorithm_named(tess_ctx *ctx, tess_str word)
{
	int n;
	const dot_algorithm *all = dot_algorithms(&n);
	for (int i = 0; i < n; i++) {
		writer w;
		writer_init(&w, &ctx->scratch);
		put_dot_algorithm(&w, &all[i]);
		if (str_eq(writer_str(&w), word))
			return attr_of_algorithm(ctx, &all[i]);
	}
	return NULL;
}
