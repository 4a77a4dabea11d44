/* generate_reduce.c - products, reductions, windows, sorts. */
#include "generator.h"

#include <string.h>

/* ---- products and reductions ----------------------------------------------------------------- */

bool gen_dot(generator *g)
{
	term *t = numeric(g, 1);
	char text[512], lists[4][64];
	int64_t lb[MAX_RANK], rb[MAX_RANK], lc[MAX_RANK], rc[MAX_RANK];
	int nb = 0, nc = 0;
	if (!t)
		return false;
	term lhs = *t, rhs = {0}, *found = NULL;
	for (int tries = 0; tries < 30 && !found; tries++) {
		term *o = any_term(g);
		if (o->s.rank && !strcmp(o->type, t->type))
			found = o;
	}
	rhs = found ? *found : *t;
	bool used[MAX_RANK] = {false};
	for (int d = 0; d < lhs.s.rank; d++)
		for (int k = 0; k < rhs.s.rank; k++) {
			if (used[k] || lhs.s.dims[d] != rhs.s.dims[k] || chance(g, 30))
				continue;
			used[k] = true;
			if (chance(g, 60)) {
				lc[nc] = d;
				rc[nc++] = k;
			} else {
				lb[nb] = d;
				rb[nb++] = k;
			}
			break;
		}
	shape s = {0};
	bool in_l[MAX_RANK] = {false};
	for (int i = 0; i < nb; i++) {
		s.dims[s.rank++] = lhs.s.dims[lb[i]];
		in_l[lb[i]] = true;
	}
	for (int i = 0; i < nc; i++)
		in_l[lc[i]] = true;
	int rank = lhs.s.rank + rhs.s.rank - nb - 2 * nc;
	if (rank > MAX_RANK)
		return false;
	for (int d = 0; d < lhs.s.rank; d++)
		if (!in_l[d])
			s.dims[s.rank++] = lhs.s.dims[d];
	for (int k = 0; k < rhs.s.rank; k++)
		if (!used[k])
			s.dims[s.rank++] = rhs.s.dims[k];
	int64_t *const all[4] = {lb, rb, lc, rc};
	for (int i = 0; i < 4; i++) {
		size_t at = 0;
		lists[i][0] = 0;
		for (int k = 0; k < (i < 2 ? nb : nc); k++)
			at += (size_t)snprintf(lists[i] + at, 64 - at, "%s%" PRId64, k ? ", " : "",
			                       all[i][k]);
	}
	snprintf(
		text, sizeof text,
		"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [%s], rhs_batching_dimensions = "
		"[%s], lhs_contracting_dimensions = [%s], rhs_contracting_dimensions = [%s]>",
		lists[0], lists[1], lists[2], lists[3]);
	return one_result(g, "stablehlo.dot_general", (term[]){lhs, rhs}, 2, text, NULL, s,
	                  lhs.type);
}

bool gen_reduce(generator *g)
{
	static const char *const ops[] = {"add",      "maximum", "minimum",
	                                  "multiply", "and",     "xor"};
	term *t = numeric(g, 1);
	char list[128], text[160], region[1024];
	int64_t dims[MAX_RANK];
	int n = 0;
	if (!t)
		return false;
	const char *op = ops[below(g, t->type[0] == 'f' ? 4 : 6)];
	bool identity = chance(g, 60);
	shape s = {0};
	for (int d = 0; d < t->s.rank; d++) {
		if (chance(g, 60))
			dims[n++] = d;
		else
			s.dims[s.rank++] = t->s.dims[d];
	}
	term from = *t, init = scalar(g, t->type, !strcmp(op, "multiply") ? 1 : identity ? 0 : 2);
	snprintf(text, sizeof text, "dimensions = %s", list_text(list, sizeof list, dims, n));
	return one_result(g, "stablehlo.reduce", (term[]){from, init}, 2, text,
	                  reducer_text(g, region, sizeof region, op, from.type), s, from.type);
}

/* Writes a reduction body of several ops: the larger of two elements, and its index. */
static const char *better_text(generator *g, char *region, size_t size, const char *T)
{
	int id = g->next++;
	snprintf(
		region, size,
		"{^bb0(%%a%d: tensor<%s>, %%b%d: tensor<i32>, %%c%d: tensor<%s>, %%d%d: tensor<i32>):\n"
		"      %%g%d = \"stablehlo.compare\"(%%a%d, %%c%d) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<%s>, tensor<%s>) -> tensor<i1>\n"
		"      %%e%d = \"stablehlo.compare\"(%%a%d, %%c%d) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<%s>, tensor<%s>) -> tensor<i1>\n"
		"      %%l%d = \"stablehlo.compare\"(%%b%d, %%d%d) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
		"      %%h%d = stablehlo.and %%e%d, %%l%d : tensor<i1>\n      %%o%d = stablehlo.or %%g%d, %%h%d : tensor<i1>\n"
		"      %%s%d = stablehlo.select %%o%d, %%a%d, %%c%d : tensor<i1>, tensor<%s>\n"
		"      %%t%d = stablehlo.select %%o%d, %%b%d, %%d%d : tensor<i1>, tensor<i32>\n"
		"      \"stablehlo.return\"(%%s%d, %%t%d) : (tensor<%s>, tensor<i32>) -> ()\n    }",
		id, T, id, id, T, id, id, id, id, T, T, id, id, id, T, T, id, id, id, id, id, id,
		id, id, id, id, id, id, id, T, id, id, id, id, id, id, T);
	return region;
}

/* Sets up an argmax: elements, their indices along a dimension, and two initial values. */
static bool with_places(generator *g, term *four, int *dim)
{
	term *t = filled(g, 1);
	char text[64];
	if (!t)
		return false;
	*dim = below(g, t->s.rank);
	four[0] = *t;
	four[1] = fresh(g, four[0].s, "i32");
	snprintf(text, sizeof text, "iota_dimension = %d : i64", *dim);
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &four[1], 1);
	four[2] = scalar(g, four[0].type, -1000000);
	four[3] = scalar(g, "i32", 1000000);
	return true;
}

bool gen_argmax(generator *g)
{
	term four[4];
	char text[160], region[2048];
	int dim;
	if (!with_places(g, four, &dim))
		return false;
	term from = four[0];
	shape s = {0};
	for (int d = 0; d < from.s.rank; d++)
		if (d != dim)
			s.dims[s.rank++] = from.s.dims[d];
	term results[2] = {fresh(g, s, from.type), fresh(g, s, "i32")};
	snprintf(text, sizeof text, "dimensions = array<i64: %d>", dim);
	say_operation(g, "stablehlo.reduce", four, 4, text,
	              better_text(g, region, sizeof region, from.type), results, 2);
	return true;
}

/* Writes an argmax over windows of two or three elements. */
bool gen_best_in_windows(generator *g)
{
	term four[4];
	char text[512], region[2048], a[96], b[96], pads[128] = "";
	int64_t size[MAX_RANK], stride[MAX_RANK];
	int dim;
	if (!with_places(g, four, &dim))
		return false;
	shape s = four[0].s;
	for (int d = 0; d < s.rank; d++) {
		size[d] = d == dim || chance(g, 30) ? 2 + below(g, 2) : 1;
		stride[d] = size[d] > 1 ? 1 + below(g, 3) : 1;
		int low = size[d] > 1 && chance(g, 50), high = size[d] > 1 ? (int)size[d] - 1 : 0;
		s.dims[d] = (s.dims[d] + low + high - size[d]) / stride[d] + 1;
		snprintf(pads + strlen(pads), sizeof pads - strlen(pads), "%s[%d, %d]",
		         d ? ", " : "", low, high);
	}
	snprintf(text, sizeof text,
	         "window_dimensions = %s, window_strides = %s, padding = dense<[%s]> : "
	         "tensor<%dx2xi64>",
	         list_text(a, sizeof a, size, s.rank), list_text(b, sizeof b, stride, s.rank), pads,
	         s.rank);
	term results[2] = {fresh(g, s, four[0].type), fresh(g, s, "i32")};
	say_operation(g, "stablehlo.reduce_window", four, 4, text,
	              better_text(g, region, sizeof region, four[0].type), results, 2);
	return true;
}

bool gen_reduce_window(generator *g)
{
	term *t = filled(g, 1);
	char a[128], b[128], c[128], e[128], pads[256], text[1024], region[1024];
	int64_t size[MAX_RANK], stride[MAX_RANK], dilation[MAX_RANK], base[MAX_RANK], low, high;
	if (!t)
		return false;
	bool sum = chance(g, 60);
	shape s = t->s;
	size_t at = (size_t)snprintf(pads, sizeof pads, "dense<[");
	for (int d = 0; d < s.rank; d++) {
		bool cumulative = chance(g, 10), trivial = chance(g, 40);
		size[d] = trivial ? 1 : cumulative ? s.dims[d] : 1 + below(g, 3);
		stride[d] = trivial || cumulative || chance(g, 60) ? 1 : 1 + below(g, 3);
		dilation[d] = chance(g, 85) ? 1 : 2;
		low = trivial ? 0 : cumulative ? s.dims[d] - 1 : below(g, 3);
		high = trivial || cumulative ? 0 : below(g, 3);
		base[d] = trivial || cumulative || chance(g, 85) ? 1 : 2;
		if (cumulative)
			dilation[d] = 1;
		int64_t reach = (size[d] - 1) * dilation[d] + 1;
		int64_t wide = (s.dims[d] - 1) * base[d] + 1 + low + high;
		if (wide < reach)
			return false;
		s.dims[d] = (wide - reach) / stride[d] + 1;
		at += (size_t)snprintf(pads + at, sizeof pads - at, "%s[%" PRId64 ", %" PRId64 "]",
		                       d ? ", " : "", low, high);
	}
	snprintf(pads + at, sizeof pads - at, "]> : tensor<%dx2xi64>", s.rank);
	term from = *t, init = scalar(g, t->type, sum ? 0 : -1000000);
	snprintf(text, sizeof text,
	         "window_dimensions = %s, window_strides = %s, window_dilations = %s, "
	         "base_dilations = %s, padding = %s",
	         list_text(a, sizeof a, size, s.rank), list_text(b, sizeof b, stride, s.rank),
	         list_text(c, sizeof c, dilation, s.rank), list_text(e, sizeof e, base, s.rank),
	         pads);
	return one_result(
		g, "stablehlo.reduce_window", (term[]){from, init}, 2, text,
		reducer_text(g, region, sizeof region, sum ? "add" : "maximum", from.type), s,
		from.type);
}

bool gen_sort(generator *g)
{
	term *t = numeric(g, 1);
	char text[128], region[1024], more[64];
	if (!t)
		return false;
	int id = g->next++, d = below(g, t->s.rank);
	bool pair = chance(g, 50);
	term both[2] = {*t}, results[2], from = *t;
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, from.s.rank));
	if (pair) {
		both[1] = fresh(g, from.s, "i32");
		say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &both[1], 1);
	}
	snprintf(more, sizeof more, ", %%s%d: tensor<i32>, %%t%d: tensor<i32>", id, id);
	snprintf(
		region, sizeof region,
		"{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>%s):\n      %%r%d = \"stablehlo.compare\"(%%p%d, %%q%d) "
		"<{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<%s>, tensor<%s>) -> "
		"tensor<i1>\n      \"stablehlo.return\"(%%r%d) : (tensor<i1>) -> ()\n    }",
		id, from.type, id, from.type, pair ? more : "", id, id, id, from.type, from.type, id);
	snprintf(text, sizeof text, "dimension = %d : i64, is_stable = true", d);
	for (int i = 0; i < 1 + pair; i++)
		results[i] = fresh(g, from.s, both[i].type);
	say_operation(g, "stablehlo.sort", both, 1 + pair, text, region, results, 1 + pair);
	return true;
}
