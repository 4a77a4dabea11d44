/* generate_convolution.c - convolutions with one or two spatial dimensions and every attribute. */
#include "generator.h"

typedef struct space_dim {
	int64_t size, window, stride, low, high, base, dilation, out;
	bool reversed;
} space_dim;

/* Returns false if no window fits. */
static bool choose_space(generator *g, space_dim *s, int most)
{
	s->size = 3 + below(g, most - 2);
	s->stride = 1 + below(g, 2);
	s->window = chance(g, 70) ? 1 + below(g, 3) : s->size - below(g, 3);
	s->low = below(g, 3);
	s->high = below(g, 3);
	s->dilation = chance(g, 80) ? 1 : 2;
	s->base = chance(g, 65) ? 1 : 2 + below(g, 2);
	s->reversed = chance(g, 20);
	if (s->window < 1)
		return false;
	int64_t reach = (s->window - 1) * s->dilation + 1;
	if (s->base > 1 && chance(g, 60)) /* as in the gradient of a strided convolution */
		s->high = s->size * s->base * s->stride - s->stride + reach -
		          (s->size - 1) * s->base - 1 - s->low;
	int64_t wide = (s->size - 1) * s->base + 1 + s->low + s->high;
	if (wide < reach)
		return false;
	s->out = (wide - reach) / s->stride + 1;
	return true;
}

/* Returns the shape of the operand or result: [b, 0, f] with features last, or [b, f, 0]. */
static shape laid_out(bool features_last, int64_t batch, int64_t features, const int64_t *space,
                      int n)
{
	shape s = {.rank = n + 2, .dims = {batch}};
	s.dims[features_last ? n + 1 : 1] = features;
	for (int i = 0; i < n; i++)
		s.dims[i + (features_last ? 1 : 2)] = space[i];
	return s;
}

/* Returns the shape of the kernel: [0, i, o] or [o, i, 0]. */
static shape kernel_laid_out(bool features_last, int64_t in, int64_t out, const int64_t *space,
                             int n)
{
	shape s = {.rank = n + 2};
	s.dims[features_last ? n : 1] = in;
	s.dims[features_last ? n + 1 : 0] = out;
	for (int i = 0; i < n; i++)
		s.dims[i + (features_last ? 0 : 2)] = space[i];
	return s;
}

static term iota_of(generator *g, shape s)
{
	char text[64];
	term t = fresh(g, s, g->type);
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, s.rank));
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &t, 1);
	return t;
}

typedef struct conv_text {
	char stride[64], pads[96], base[64], dilation[64], reversed[64];
} conv_text;

static conv_text conv_texts(const space_dim *space, int n)
{
	conv_text t;
	int64_t stride[2], base[2], dilation[2];
	int pads = 0, reversed = 0;
	for (int i = 0; i < n; i++) {
		const space_dim *s = &space[i];
		stride[i] = s->stride;
		base[i] = s->base;
		dilation[i] = s->dilation;
		pads += snprintf(t.pads + pads, sizeof t.pads - (size_t)pads,
		                 "%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "", s->low, s->high);
		reversed += snprintf(t.reversed + reversed, sizeof t.reversed - (size_t)reversed,
		                     "%s%s", i ? ", " : "", s->reversed ? "true" : "false");
	}
	list_text(t.stride, sizeof t.stride, stride, n);
	list_text(t.base, sizeof t.base, base, n);
	list_text(t.dilation, sizeof t.dilation, dilation, n);
	return t;
}

bool gen_convolution(generator *g)
{
	static const char *const layouts[2][2] = {
		{"[b, f, 0]x[o, i, 0]->[b, f, 0]", "[b, 0, f]x[0, i, o]->[b, 0, f]"},
		{"[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"},
	};
	char text[1024];
	int n = 1 + chance(g, 50);
	bool last = chance(g, 65);
	int64_t groups = chance(g, 60) ? 1 : 2, batch_groups = groups == 1 && chance(g, 25) ? 2 : 1;
	int64_t batch = batch_groups * (1 + below(g, n == 1 ? 4 : 2)), in = 1 + below(g, 4);
	int64_t out = (1 + below(g, n == 1 ? 4 : 2)) * 4, size[2], window[2], result[2];
	space_dim space[2];
	for (int i = 0; i < n; i++) {
		if (!choose_space(g, &space[i], n == 1 ? 12 : 7))
			return false;
		size[i] = space[i].size;
		window[i] = space[i].window;
		result[i] = space[i].out;
	}
	shape ls = laid_out(last, batch, in * groups, size, n);
	shape ks = kernel_laid_out(last, in, out, window, n);
	shape s = laid_out(last, batch / batch_groups, out, result, n);
	if (elements(&ls) > MAX_ELEMENTS || elements(&ks) > MAX_ELEMENTS ||
	    elements(&s) > MAX_ELEMENTS)
		return false;
	term both[2] = {iota_of(g, ls)};
	both[1] = iota_of(g, ks);
	conv_text t = conv_texts(space, n);
	snprintf(text, sizeof text,
	         "window_strides = %s, padding = dense<[%s]> : tensor<%dx2xi64>, lhs_dilation = %s, "
	         "rhs_dilation = %s, window_reversal = array<i1: %s>, dimension_numbers = "
	         "#stablehlo.conv<%s>, feature_group_count = %" PRId64
	         " : i64, batch_group_count = %" PRId64 " : i64",
	         t.stride, t.pads, n, t.base, t.dilation, t.reversed, layouts[n - 1][last], groups,
	         batch_groups);
	return one_result(g, "stablehlo.convolution", both, 2, text, NULL, s, g->type);
}
