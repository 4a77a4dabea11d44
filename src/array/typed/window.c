/* window.c - typing of convolutions and window reductions. */
#include "array/typed/typed.h"

/* Attributes `window`, `strides`, `padding`, `base_dilation`, `window_dilation`. */
bool typed_reduce_window(typing *q)
{
	const atype *x = q->in[0];
	array_window w[ARRAY_MAX_RANK];
	if (!pool_read(q->ctx, q->attrs, x, w))
		return false;
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++)
		out->dim[d] = w[d].out;
	return typed_no_unreduced(q) && typed_resized(q, x, out, "reduce_window");
}

/* Layouts such as "NWC", "WIO", "NWC"; attributes `window_strides`, `padding`, `lhs_dilation`,
 * `rhs_dilation`, `feature_group_count`, `batch_group_count`. */
bool typed_conv(typing *q)
{
	const atype *x = q->in[0], *k = q->in[1];
	array_conv c;
	if (!conv_read(q->ctx, q->attrs, x, k, &c) || !typed_no_unreduced(q))
		return false;
	atype *out = typed_out(q, x);
	out->dtype = param_dtype(q->attrs, "preferred_element_type", x->dtype);
	for (int i = 0; i < x->rank; i++) {
		out->spec[c.out[i]] = i == CONV_FEATURE ? 0 : x->spec[c.lhs[i]];
		out->dim[c.out[i]] = i == CONV_BATCH     ? x->dim[c.lhs[i]] / c.batch_groups
		                     : i == CONV_FEATURE ? k->dim[c.rhs[CONV_OUT]]
		                                         : c.at[i - CONV_SPATIAL].out;
	}
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	if (axis_set_size(k->mesh, atype_axes(k)) > 1 || x->spec[c.lhs[CONV_FEATURE]]) {
		diag_error(
			q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
			"pass out_sharding to conv_general_dilated: its kernel or features are sharded; got %s",
			typed_operands_text(q, 2));
		typed_note_choices(q, out);
		return false;
	}
	return typed_resized(q, x, out, "conv_general_dilated");
}
