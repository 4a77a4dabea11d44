/* precision.c - at which rate an op computes.
 *
 * Products of f32 run on the fast units if the program allows it: at DEFAULT precision JAX and XLA
 * use TF32 on GPUs that have it and one pass of bfloat16 on TPUs, at HIGH TF32 or three passes, at
 * HIGHEST f32 or six passes (jax.lax.Precision). A dot algorithm says the type and how many
 * products replace one. Everything else runs on the vector units, in half precision as fast as in
 * f32. */
#include "cost/calibrate.h"

/* Returns the highest precision that an operand requires. */
static product_precision precision_of(const op *o)
{
	const attr *a = op_attr(o, N_precision_config);
	product_precision most = PRODUCT_DEFAULT;
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++) {
		const char *word = enum_word(a->list[i]);
		product_precision p = !strcmp(word, "HIGHEST") ? PRODUCT_HIGHEST
		                      : !strcmp(word, "HIGH")  ? PRODUCT_HIGH
		                                               : PRODUCT_DEFAULT;
		if (p > most)
			most = p;
	}
	return most;
}

static double f32_rate(const target *t, product_precision p)
{
	switch (p) {
	case PRODUCT_DEFAULT: return t->flops_f32_default;
	case PRODUCT_HIGH: return t->flops_f32_high;
	case PRODUCT_HIGHEST: break;
	}
	return t->flops_f32;
}

/* A product of complex numbers is four products of real ones. */
double product_rate(const target *t, dtype dt, product_precision p)
{
	if (dtype_is_complex(dt))
		return product_rate(t, dtype_bits(dt) > 64 ? DT_F64 : DT_F32, p) / 4;
	int bits = dtype_bits(dt);
	if (bits <= 8)
		return t->flops_8bit;
	if (dtype_is_int(dt))
		return t->flops_vector;
	if (bits <= 16)
		return t->flops_bf16;
	return bits <= 32 ? f32_rate(t, p) : t->flops_f32 / 2;
}

static double algorithm_rate(const target *t, const dot_algorithm *a)
{
	double one = a->in == DT_F32    ? t->flops_f32
	             : a->in == DT_TF32 ? t->flops_f32_default
	                                : product_rate(t, a->in, PRODUCT_DEFAULT);
	return one / max_i64(a->products, 1);
}

double op_flop_rate(const target *t, const op *o)
{
	dtype dt = o->n_operands ? operand(o, 0)->type->dtype : DT_NONE;
	if (!dt)
		return t->flops_vector;
	if (!op_has(o, PRODUCT) && o->kind != OP_CUSTOM_CALL)
		return dtype_bits(dt) > 32 ? t->flops_vector / 2 : t->flops_vector;
	const attr *a = op_attr(o, N_algorithm);
	const dot_algorithm *told = a ? dot_algorithm_of(a) : NULL;
	dtype other = o->n_operands > 1 ? operand(o, 1)->type->dtype : DT_NONE;
	if (other && dtype_bits(other) > dtype_bits(dt))
		dt = other;
	return told ? algorithm_rate(t, told) : product_rate(t, dt, precision_of(o));
}
