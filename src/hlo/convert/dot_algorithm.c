/* dot_algorithm.c - the algorithm of a dot, a word in HLO and a structure in StableHLO:
 *
 *   algorithm=dot_bf16_bf16_f32_x3
 *   #stablehlo.dot_algorithm<lhs_precision_type = bf16, …, num_primitive_operations = 3, …>
 *
 * HLO has one word for all types of 8 bits, dot_any_f8_any_f8_f32; read back it is f8E5M2, as in
 * XLA's own conversion. */
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
	writer w;
	writer_init(&w, &ctx->scratch);
	put_f(&w,
	      "#stablehlo.dot_algorithm<lhs_precision_type = %s, rhs_precision_type = %s, "
	      "accumulation_type = %s, lhs_component_count = 1, rhs_component_count = 1, "
	      "num_primitive_operations = %d, allow_imprecise_accumulation = %s>",
	      dtype_mlir(a->in), dtype_mlir(a->in), dtype_mlir(a->sum), a->products,
	      a->imprecise ? "true" : "false");
	return mlir_parse_attr(ctx, source_new(ctx, "algorithm", writer_str(&w)));
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
