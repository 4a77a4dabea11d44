/* cost.c - counts the operations and bytes of one instruction like XLA's HloCostAnalysis: each
 * element of an elementwise operation is one operation, or a transcendental; a product counts two
 * for each multiply-add; positions of a convolution in the padding do not count. Moving data costs
 * bytes only. */
#include "hlo/text/facts.h"

static double elements_of(const shape *s)
{
	int64_t n;
	double sum = 0;
	if (s->kind == SH_ARRAY)
		return shape_elements(s, &n) ? (double)n : 0;
	for (int i = 0; i < s->n_parts; i++)
		sum += elements_of(s->parts[i]);
	return sum;
}

static double flops_of_dot(const op *o, tess_ctx *ctx, const shape *result)
{
	int64_t dims[SHAPE_MAX_RANK];
	const shape *lhs = hlo_shape_of(ctx, value_def(operand(o, 0)));
	int n = hlo_attr_numbers(o, ctx, "lhs_contracting_dims", dims, SHAPE_MAX_RANK);
	double flops = 2 * elements_of(result);
	for (int i = 0; i < n && i < SHAPE_MAX_RANK; i++)
		flops *= dims[i] >= 0 && dims[i] < lhs->rank ? (double)lhs->dims[dims[i]] : 1;
	return flops;
}

enum { MANY_POSITIONS = 1 << 20 }; /* from here on padding counts like elements */

/* Counts the pairs of output and kernel positions along one dimension that hit an element. */
static double valid_positions(const hlo_window *w, int i, int64_t in, int64_t out)
{
	int64_t dilation = w->lhs_dilation[i], n = 0;
	if (dilation < 1 || (double)out * (double)w->size[i] > MANY_POSITIONS)
		return (double)out * (double)w->size[i];
	for (int64_t k = 0; k < w->size[i]; k++)
		for (int64_t o = 0; o < out; o++) {
			int64_t at = o * w->stride[i] + k * w->rhs_dilation[i] - w->low[i];
			n += at >= 0 && at % dilation == 0 && at / dilation < in;
		}
	return (double)n;
}

static double convolution_flops(const op *o, tess_ctx *ctx, const shape *result)
{
	hlo_window w;
	hlo_labels l;
	const shape *in = hlo_shape_of(ctx, value_def(operand(o, 0)));
	const shape *kernel = hlo_shape_of(ctx, value_def(operand(o, 1)));
	if (!hlo_window_of(o, ctx, &w) || !hlo_labels_of(o, ctx, &l) || w.n != l.n ||
	    in->rank != l.n + 2 || kernel->rank != l.n + 2 || result->rank != l.n + 2)
		return 0;
	double flops = 2.0 * (double)kernel->dims[l.k_in] * (double)result->dims[l.out_feature] *
	               (double)result->dims[l.out_batch];
	for (int i = 0; i < l.n; i++)
		flops *= valid_positions(&w, i, in->dims[l.in_spatial[i]],
		                         result->dims[l.out_spatial[i]]);
	return flops;
}

/* Each element that is reduced away is one operation. */
static double reduce_flops(const op *o, tess_ctx *ctx, const shape *result)
{
	double in = 0;
	for (int i = 0; i < hlo_operands(o, ctx) / 2; i++)
		in += elements_of(hlo_shape_of(ctx, value_def(operand(o, i))));
	return in - elements_of(result);
}

static void count_bytes(const op *o, tess_ctx *ctx, const shape *result, hlo_cost *out)
{
	int n = hlo_operands(o, ctx);
	for (int i = 0; i < n; i++) {
		double bytes = (double)shape_bytes(hlo_shape_of(ctx, value_def(operand(o, i))),
		                                   SIZE_DATA);
		out->bytes += bytes;
		if (i < HLO_COST_OPERANDS) {
			out->operand_bytes[i] = bytes;
			out->operand_uses[i] = 1;
		}
	}
	out->result_bytes = (double)shape_bytes(result, SIZE_DATA);
	out->bytes += out->result_bytes;
}

void hlo_instruction_cost(const op *o, tess_ctx *ctx, hlo_cost *out)
{
	const char *stage;
	const hlo_opcode *row = hlo_opcode_find(str_of(hlo_opcode_of(o)), &stage);
	const shape *s = hlo_shape_of(ctx, o);
	hlo_work work = row && !*stage ? row->work : HLO_WORK_moves;
	*out = (hlo_cost){0};
	if (work == HLO_WORK_nothing)
		return;
	count_bytes(o, ctx, s, out);
	switch (work) {
	case HLO_WORK_nothing:
	case HLO_WORK_moves: break;
	case HLO_WORK_each: out->flops = elements_of(s); break;
	case HLO_WORK_transcendental: out->transcendentals = elements_of(s); break;
	case HLO_WORK_dot: out->flops = flops_of_dot(o, ctx, s); break;
	case HLO_WORK_convolution: out->flops = convolution_flops(o, ctx, s); break;
	case HLO_WORK_reduce: out->flops = reduce_flops(o, ctx, s); break;
	}
}
