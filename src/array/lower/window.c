/* window.c - lowers window reductions, cumulative ones, and convolutions. */
#include "array/lower/lower.h"

static void put_padding(lowering *l, const array_window *w, int n)
{
	for (int d = 0; d < n; d++)
		put_f(l->w, "%s[%" PRId64 ", %" PRId64 "]", d ? ", " : "", w[d].low, w[d].high);
}

typedef enum { OF_WINDOW, OF_STRIDE, OF_BASE_DILATION, OF_WINDOW_DILATION } window_part;

/* Collects one number for each dimension. @return true if any is not 1 */
static bool part_of_each(const array_window *w, int n, window_part part, int64_t out[])
{
	bool says = false;
	for (int d = 0; d < n; d++) {
		out[d] = part == OF_WINDOW          ? w[d].window
		         : part == OF_STRIDE        ? w[d].stride
		         : part == OF_BASE_DILATION ? w[d].base_dilation
		                                    : w[d].window_dilation;
		says |= out[d] != 1;
	}
	return says;
}

static void put_window_list(lowering *l, const char *key, const array_window *w, int n,
                            window_part part)
{
	int64_t v[ARRAY_MAX_RANK];
	part_of_each(w, n, part, v);
	lower_i64_array(l, key, v, n);
	put_lit(l->w, ", ");
}

/* Reduces windows of x. */
static int put_window(lowering *l, int x, const atype *from, const atype *to, const char *word,
                      const array_window *w)
{
	atype scalar = {.dtype = from->dtype};
	const atype *in[] = {from, &scalar};
	int start = lower_constant(l, lower_start(word, from->dtype), &scalar), id = lower_name(l);
	put_f(l->w, "  %%%d = \"stablehlo.reduce_window\"(%%%d, %%%d) <{", id, x, start);
	put_window_list(l, "base_dilations", w, from->rank, OF_BASE_DILATION);
	put_window_list(l, "window_dilations", w, from->rank, OF_WINDOW_DILATION);
	put_window_list(l, "window_dimensions", w, from->rank, OF_WINDOW);
	put_window_list(l, "window_strides", w, from->rank, OF_STRIDE);
	put_lit(l->w, "padding = dense<[");
	put_padding(l, w, from->rank);
	put_f(l->w, "]> : tensor<%dx2xi64>}>", from->rank);
	lower_combiner(l, word, from->dtype);
	lower_types_of(l, in, 2, &to, 1);
	return id;
}

/* Each position has a window with all positions before it. */
static bool lower_cumulative(lowering *l, const anode *n)
{
	const atype *t = n->out[0]->type;
	atype x = *n->in[0]->type;
	int axis = 0, id = lower_convert_to(l, lower_of(l, n->in[0]), &x, t->dtype);
	x.dtype = t->dtype;
	id = lower_reshape_to(l, id, &x, t);
	array_window w[ARRAY_MAX_RANK];
	bool back = param_int(n->attrs, "reverse", 0);
	if (param_has(n->attrs, "axis") &&
	    !axis_normal(l->ctx, "cumulative", param_int(n->attrs, "axis", 0), t->rank, &axis))
		return false;
	for (int d = 0; d < t->rank; d++)
		w[d] = (array_window){.window = 1, .stride = 1, .base_dilation = 1, .window_dilation = 1};
	if (!t->dim[axis])
		return lower_result(l, n, id);
	w[axis].window = t->dim[axis];
	*(back ? &w[axis].high : &w[axis].low) = t->dim[axis] - 1;
	return lower_result(l, n, put_window(l, id, t, t, l->row->text, w));
}

static bool lower_reduce_window(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type, *t = n->out[0]->type;
	array_window w[ARRAY_MAX_RANK];
	tess_str how = param_text(n->attrs, "computation");
	const char *word = str_is(how, "max") ? "maximum" : str_is(how, "min") ? "minimum" : "add";
	return pool_read(l->ctx, n->attrs, x, w) &&
	       lower_result(l, n, put_window(l, lower_of(l, n->in[0]), x, t, word, w));
}

/* Writes [b, 0, f], for the dimensions at `at`. */
static void put_layout(lowering *l, const int *at, int rank, const char *names)
{
	put_c(l->w, '[');
	for (int d = 0; d < rank; d++) {
		int i = 0;
		while (at[i] != d)
			i++;
		put_z(l->w, d ? ", " : "");
		if (i < CONV_SPATIAL)
			put_c(l->w, names[i]);
		else
			put_f(l->w, "%d", i - CONV_SPATIAL);
	}
	put_c(l->w, ']');
}

static void put_dilation(lowering *l, const char *key, const array_conv *c, window_part part)
{
	int64_t v[ARRAY_MAX_RANK];
	if (!part_of_each(c->at, c->n_spatial, part, v))
		return;
	put_f(l->w, ", %s = ", key);
	lower_ints(l, v, c->n_spatial);
}

static bool lower_conv(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type;
	int64_t strides[ARRAY_MAX_RANK];
	array_conv c;
	if (!conv_read(l->ctx, n->attrs, x, n->in[1]->type, &c))
		return false;
	int id = lower_begin(l, "convolution(");
	lower_operands(l, n);
	put_lit(l->w, ") dim_numbers = ");
	put_layout(l, c.lhs, x->rank, "bf");
	put_c(l->w, 'x');
	put_layout(l, c.rhs, x->rank, "oi");
	put_lit(l->w, "->");
	put_layout(l, c.out, x->rank, "bf");
	put_lit(l->w, ", window = {stride = ");
	part_of_each(c.at, c.n_spatial, OF_STRIDE, strides);
	lower_ints(l, strides, c.n_spatial);
	put_lit(l->w, ", pad = [");
	put_padding(l, c.at, c.n_spatial);
	put_c(l->w, ']');
	put_dilation(l, "lhs_dilate", &c, OF_BASE_DILATION);
	put_dilation(l, "rhs_dilate", &c, OF_WINDOW_DILATION);
	put_f(l->w, "} {batch_group_count = %" PRId64 " : i64, feature_group_count = %" PRId64 " : i64}",
	      c.batch_groups, c.feature_groups);
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
