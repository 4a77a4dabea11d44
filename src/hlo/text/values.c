/* values.c - parses numbers in the canonical text of HLO's attributes. */
#include "hlo/text/text.h"

#include <stdlib.h>

int hlo_numbers(tess_str s, int64_t *out, int cap)
{
	int n = 0;
	for (size_t i = 0; i < s.len;) {
		char c = s.ptr[i];
		bool minus = c == '-' && i + 1 < s.len;
		if ((c < '0' || c > '9') && (!minus || s.ptr[i + 1] < '0' || s.ptr[i + 1] > '9')) {
			i++;
			continue;
		}
		char *end; /* interned texts end with a zero */
		int64_t v = strtoll(s.ptr + i, &end, 10);
		i = (size_t)(end - s.ptr);
		if (n < cap)
			out[n] = v;
		n++;
	}
	return n;
}

int hlo_attr_numbers(const op *o, tess_ctx *ctx, const char *attr_name, int64_t *out, int cap)
{
	tess_str s = hlo_attr_text(o, ctx, attr_name);
	return s.len ? hlo_numbers(s, out, cap) : -1;
}

/* "known_trip_count":{"n":"10"} */
int64_t hlo_known_trips(const op *o, tess_ctx *ctx)
{
	static const char key[] = "\"known_trip_count\":";
	tess_str s = hlo_attr_text(o, ctx, "backend_config");
	const char *at = s.len ? strstr(s.ptr, key) : NULL; /* interned texts end with a zero */
	int64_t n;
	return at && hlo_numbers(str_of(at), &n, 1) >= 1 && n > 0 ? n : 0;
}

/* ---- dictionaries -------------------------------------------------------------- */

const attr *hlo_dictionary_attr(tess_ctx *ctx, tess_str text)
{
	VEC(const name *) keys = {0};
	VEC(const attr *) values = {0};
	arena *mem = &ctx->scratch;
	source src = {.name = "", .text = text, .first_line = 1};
	hlo_reader r = hlo_reader_of(ctx, &src);
	hlo_expect(&r, "{");
	while (!r.s.failed && hlo_peek(&r) != '}') {
		vec_push(mem, &keys, name_of(ctx, hlo_word(&r)));
		hlo_expect(&r, "=");
		tess_str v = hlo_peek(&r) == '{' ? hlo_braces(&r) : hlo_string(&r);
		vec_push(mem, &values, attr_string(ctx, name_of(ctx, v)));
		if (!hlo_accept(&r, ","))
			break;
	}
	return attr_dict(ctx, keys.ptr, values.ptr, values.len);
}

/* ---- windows ------------------------------------------------------------------- */

/* Parses the numbers of one part of the window's text, from after "part=" to the next blank. */
static int window_numbers(tess_str s, const char *part, int64_t *out)
{
	size_t n = strlen(part);
	for (size_t i = 1; i + n < s.len; i++) {
		if ((s.ptr[i - 1] != '{' && s.ptr[i - 1] != ' ') || memcmp(s.ptr + i, part, n) != 0)
			continue;
		size_t from = i + n, to = from;
		while (to < s.len && s.ptr[to] != ' ' && s.ptr[to] != '}')
			to++;
		return hlo_numbers((tess_str){s.ptr + from, to - from}, out, 2 * SHAPE_MAX_RANK);
	}
	return -1;
}

bool hlo_window_of(const op *o, tess_ctx *ctx, hlo_window *w)
{
	tess_str s = hlo_attr_text(o, ctx, "window");
	int64_t v[2 * SHAPE_MAX_RANK];
	*w = (hlo_window){0};
	int n = s.len ? window_numbers(s, "size=", w->size) : 0;
	if (n > SHAPE_MAX_RANK)
		return false;
	w->n = n < 0 ? 0 : n;
	for (int i = 0; i < w->n; i++)
		w->stride[i] = w->lhs_dilation[i] = w->rhs_dilation[i] = 1;
	window_numbers(s, "stride=", w->stride);
	window_numbers(s, "lhs_dilate=", w->lhs_dilation);
	window_numbers(s, "rhs_dilate=", w->rhs_dilation);
	if (window_numbers(s, "pad=", v) == 2 * w->n)
		for (int i = 0; i < w->n; i++) {
			w->low[i] = v[2 * i];
			w->high[i] = v[2 * i + 1];
		}
	if (window_numbers(s, "rhs_reversal=", v) == w->n)
		for (int i = 0; i < w->n; i++)
			w->reversed[i] = v[i] != 0;
	return true;
}

/* ---- labels of convolutions ----------------------------------------------------------- */

/* Parses a group of labels, such as b01f: the dimensions `first`, `second`, 0, 1, … */
static bool read_label_group(tess_str s, char first, char second, int *a, int *b, int *spatial,
                             int *n)
{
	int seen = 0;
	*a = *b = -1;
	*n = (int)s.len - 2;
	if (*n < 0 || *n > SHAPE_MAX_RANK)
		return false;
	for (int i = 0; i < *n; i++)
		spatial[i] = -1;
	for (int i = 0; i < (int)s.len; i++) {
		int d = s.ptr[i] - '0';
		if (s.ptr[i] == first)
			*a = i;
		else if (s.ptr[i] == second)
			*b = i;
		else if (d >= 0 && d < *n && spatial[d] < 0)
			spatial[d] = i, seen++;
	}
	return *a >= 0 && *b >= 0 && seen == *n;
}

bool hlo_labels_of(const op *o, tess_ctx *ctx, hlo_labels *l)
{
	tess_str s = hlo_attr_text(o, ctx, "dim_labels");
	const char *end = s.ptr + s.len, *bar = s.len ? memchr(s.ptr, '_', s.len) : NULL;
	const char *arrow = bar ? memchr(bar, '-', (size_t)(end - bar)) : NULL;
	int n[3];
	if (!arrow || end - arrow < 2)
		return false;
	tess_str in = {s.ptr, (size_t)(bar - s.ptr)}, kernel = {bar + 1, (size_t)(arrow - bar - 1)};
	tess_str out = {arrow + 2, (size_t)(end - arrow - 2)};
	return read_label_group(in, 'b', 'f', &l->in_batch, &l->in_feature, l->in_spatial, &n[0]) &&
	       read_label_group(kernel, 'i', 'o', &l->k_in, &l->k_out, l->k_spatial, &n[1]) &&
	       read_label_group(out, 'b', 'f', &l->out_batch, &l->out_feature, l->out_spatial,
	                        &n[2]) &&
	       n[0] == n[1] && n[1] == n[2] && (l->n = n[0]) >= 0;
}

tess_str hlo_attr_text(const op *o, tess_ctx *ctx, const char *attr_name)
{
	const attr *a = hlo_attr(o, ctx, attr_name);
	return a && a->kind == AT_STRING ? name_str(a->text) : (tess_str){"", 0};
}

const attr *hlo_attr(const op *o, tess_ctx *ctx, const char *attr_name)
{
	return op_attr_named(o, name_of_z(ctx, attr_name));
}
