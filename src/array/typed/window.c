/* window.c - convolutions and windows. */
#include "array/typed/typed.h"

/* The size of a dimension under a window; padding is SAME or VALID. */
static int64_t window_size(int64_t size, int64_t window, int64_t stride, bool same)
{
	if (same)
		return ceil_div(size, stride);
	return size < window ? 0 : (size - window) / stride + 1;
}

/* `window`, `strides`, `padding`. */
bool typed_reduce_window(typing *q)
{
	const atype *x = q->in[0];
	const int64_t *window, *strides;
	bool same = str_is(param_text(q->attrs, "padding"), "SAME");
	if (param_ints(q->attrs, "window", &window) != x->rank ||
	    param_ints(q->attrs, "strides", &strides) != x->rank)
		return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "reduce_window needs window and strides for each dimension");
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		if (window[d] < 1 || strides[d] < 1)
			return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "reduce_window: sizes are positive");
		out->dim[d] = window_size(x->dim[d], window[d], strides[d], same);
	}
	return typed_no_unreduced(q) && typed_resized(q, x, out, "reduce_window");
}

/* The position of a letter in a layout such as "NWC"; -1 if it is missing. */
static int letter_at(tess_str layout, char letter)
{
	const char *at = layout.len ? memchr(layout.ptr, letter, layout.len) : NULL;
	return at ? (int)(at - layout.ptr) : -1;
}

typedef struct conv_layout {
	tess_str lhs, rhs, out; /* "NWC", "WIO", "NWC" */
} conv_layout;

static bool conv_read(typing *q, conv_layout *l)
{
	int rank = q->in[0]->rank;
	l->lhs = param_text(q->attrs, "lhs_layout");
	l->rhs = param_text(q->attrs, "rhs_layout");
	l->out = param_text(q->attrs, "out_layout");
	bool fit = rank >= 2 && q->in[1]->rank == rank && (int)l->lhs.len == rank &&
	           (int)l->rhs.len == rank && (int)l->out.len == rank;
	fit = fit && letter_at(l->lhs, 'N') >= 0 && letter_at(l->lhs, 'C') >= 0 &&
	      letter_at(l->rhs, 'I') >= 0 && letter_at(l->rhs, 'O') >= 0;
	for (int d = 0; fit && d < rank; d++)
		fit = letter_at(l->lhs, l->out.ptr[d]) >= 0;
	return fit || diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
	                         "conv_general_dilated: layouts do not fit the operands");
}

bool typed_conv(typing *q)
{
	const atype *x = q->in[0], *k = q->in[1];
	const int64_t *strides;
	conv_layout l;
	bool same = str_is(param_text(q->attrs, "padding"), "SAME");
	int n_strides = param_ints(q->attrs, "window_strides", &strides), spatial = 0;
	if (!conv_read(q, &l) || !typed_no_unreduced(q))
		return false;
	atype *out = typed_out(q, x);
	for (int d = 0; d < x->rank; d++) {
		char c = l.out.ptr[d];
		int from = letter_at(l.lhs, c), kernel = letter_at(l.rhs, c);
		out->spec[d] = c == 'C' ? 0 : x->spec[from];
		out->dim[d] = x->dim[from];
		if (c == 'C') {
			out->dim[d] = k->dim[letter_at(l.rhs, 'O')];
		} else if (c != 'N') {
			int64_t by = spatial < n_strides ? strides[spatial] : 1;
			if (kernel < 0 || by < 1)
				return diag_error(q->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
				                  "conv: a stride or layout");
			out->dim[d] = window_size(x->dim[from], k->dim[kernel], by, same);
			spatial++;
		}
	}
	if (param_has(q->attrs, "out_sharding"))
		return typed_out_sharding(q, out);
	if (axis_set_size(k->mesh, atype_axes(k)) > 1 || x->spec[letter_at(l.lhs, 'C')]) {
		diag_error(
			q->ctx, NOWHERE, E_ARRAY_AMBIGUOUS,
			"pass out_sharding to conv_general_dilated: its kernel or features are sharded; got %s",
			typed_operands_text(q, 2));
		typed_note_choices(q, out);
		return false;
	}
	return typed_resized(q, x, out, "conv_general_dilated");
}
