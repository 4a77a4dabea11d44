/* window.c - reductions of windows, of all places before each, and convolutions. */
#include "array/lower/lower.h"

/* Reduces windows of x: window, strides, and what is padded in front and behind. */
static int put_window(lowering *l, int x, const atype *from, const atype *to, const char *word,
                      const int64_t *window, const int64_t *strides, const int64_t (*pad)[2])
{
	atype scalar = {.dtype = from->dtype};
	const atype *in[] = {from, &scalar};
	int start = lower_constant(l, lower_start(word, from->dtype), &scalar), id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.reduce_window\"(%%%d, %%%d) <{", id, x, start);
	lower_i64_array(l, "window_dimensions", window, from->rank);
	put_lit(l->w, ", ");
	lower_i64_array(l, "window_strides", strides, from->rank);
	put_lit(l->w, ", padding = dense<[");
	for (int d = 0; d < from->rank; d++)
		put_f(l->w, "%s[%" PRId64 ", %" PRId64 "]", d ? ", " : "", pad[d][0], pad[d][1]);
	put_f(l->w, "]> : tensor<%dx2xi64>}>", from->rank);
	lower_combiner(l, word, from->dtype);
	lower_types_of(l, in, 2, &to, 1);
	return id;
}

/* Each place is the window of all places before it. */
static bool lower_cumulative(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	atype x = *n->in[0]->type;
	int axis = 0, id = lower_convert_to(l, lower_of(l, n->in[0]), &x, t->dtype);
	x.dtype = t->dtype;
	id = lower_reshape_to(l, id, &x, t);
	int64_t window[ARRAY_MAX_RANK], strides[ARRAY_MAX_RANK], pad[ARRAY_MAX_RANK][2] = {{0}};
	bool back = param_int(n->attrs, "reverse", 0);
	if (param_has(n->attrs, "axis") &&
	    !axis_normal(l->ctx, "cumulative", param_int(n->attrs, "axis", 0), t->rank, &axis))
		return false;
	for (int d = 0; d < t->rank; d++)
		window[d] = strides[d] = 1;
	if (!t->dim[axis])
		return lower_result(l, n, id);
	window[axis] = t->dim[axis];
	pad[axis][back] = t->dim[axis] - 1;
	return lower_result(l, n, put_window(l, id, t, t, l->row->text, window, strides, pad));
}

/* What SAME pads: what the windows lack, more of it behind. */
static void same_padding(int64_t size, int64_t out, int64_t window, int64_t stride, int64_t pad[2])
{
	int64_t lack = (out - 1) * stride + window - size;
	lack = out && lack > 0 ? lack : 0;
	pad[0] = lack / 2;
	pad[1] = lack - lack / 2;
}

static bool lower_reduce_window(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *t = n->out[0]->type;
	const int64_t *window, *strides;
	int64_t pad[ARRAY_MAX_RANK][2] = {{0}};
	tess_str how = param_text(n->attrs, "computation");
	const char *word = str_is(how, "max") ? "maximum" : str_is(how, "min") ? "minimum" : "add";
	param_ints(n->attrs, "window", &window);
	param_ints(n->attrs, "strides", &strides);
	for (int d = 0; d < x->rank && str_is(param_text(n->attrs, "padding"), "SAME"); d++)
		same_padding(x->dim[d], t->dim[d], window[d], strides[d], pad[d]);
	return lower_result(l, n,
	                    put_window(l, lower_of(l, n->in[0]), x, t, word, window, strides, pad));
}

/* [b, 0, f] of "NWC": spatial dimensions are numbered in the order of the result's layout. */
static void put_layout(lowering *l, tess_str layout, tess_str order, const char *names)
{
	put_c(l->w, '[');
	for (size_t d = 0; d < layout.len; d++) {
		int spatial = 0;
		put_z(l->w, d ? ", " : "");
		if (layout.ptr[d] == 'N' || layout.ptr[d] == 'O' || layout.ptr[d] == 'C' ||
		    layout.ptr[d] == 'I') {
			put_c(l->w, names[layout.ptr[d] == 'C' || layout.ptr[d] == 'I']);
			continue;
		}
		for (size_t k = 0; k < order.len && order.ptr[k] != layout.ptr[d]; k++)
			spatial += order.ptr[k] != 'N' && order.ptr[k] != 'C';
		put_f(l->w, "%d", spatial);
	}
	put_c(l->w, ']');
}

static bool lower_conv(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *k = n->in[1]->type, *t = n->out[0]->type;
	tess_str lhs = param_text(n->attrs, "lhs_layout"), rhs = param_text(n->attrs, "rhs_layout");
	tess_str out = param_text(n->attrs, "out_layout");
	const int64_t *strides;
	int n_strides = param_ints(n->attrs, "window_strides", &strides), spatial = 0;
	int64_t by[ARRAY_MAX_RANK], pad[ARRAY_MAX_RANK][2] = {{0}};
	for (int d = 0; d < t->rank; d++) {
		char c = out.ptr[d];
		if (c == 'N' || c == 'C')
			continue;
		int64_t size = x->dim[(const char *)memchr(lhs.ptr, c, lhs.len) - lhs.ptr];
		int64_t window = k->dim[(const char *)memchr(rhs.ptr, c, rhs.len) - rhs.ptr];
		by[spatial] = spatial < n_strides ? strides[spatial] : 1;
		if (str_is(param_text(n->attrs, "padding"), "SAME"))
			same_padding(size, t->dim[d], window, by[spatial], pad[spatial]);
		spatial++;
	}
	int id = lower_begin(l, "convolution(");
	lower_operands(l, n);
	put_lit(l->w, ") dim_numbers = ");
	put_layout(l, lhs, out, "bf");
	put_c(l->w, 'x');
	put_layout(l, rhs, out, "oi");
	put_lit(l->w, "->");
	put_layout(l, out, out, "bf");
	put_lit(l->w, ", window = {stride = ");
	lower_ints(l, by, spatial);
	put_lit(l->w, ", pad = [");
	for (int i = 0; i < spatial; i++)
		put_f(l->w, "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "", pad[i][0], pad[i][1]);
	put_lit(l->w, "]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}");
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

const lower_row lower_window_rows[] = {
	{"lax.cumsum", lower_cumulative, "add"},
	{"lax.cumprod", lower_cumulative, "multiply"},
	{"lax.cummax", lower_cumulative, "maximum"},
	{"lax.cummin", lower_cumulative, "minimum"},
	{"jnp.cumsum", lower_cumulative, "add"},
	{"jnp.cumprod", lower_cumulative, "multiply"},
	{"lax.associative_scan", lower_cumulative, "add"},
	{"lax.reduce_window", lower_reduce_window, ""},
	{"lax.conv_general_dilated", lower_conv, ""},
	{NULL, NULL, NULL},
};
