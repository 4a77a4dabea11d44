/* generate_shapes.c - elementwise operations, and operations that move elements. */
#include "generator.h"

#include <string.h>

/* ---- elementwise ---------------------------------------------------------------------------- */

bool gen_unary(generator *g)
{
	static const char *const ops[] = {"negate", "abs", "sign"};
	static const char *const floats[] = {"tanh", "cosine", "logistic", "exponential"};
	term *t = numeric(g, 0);
	char name[64];
	if (!t)
		return false;
	const char *op = g->type[0] == 'f' && chance(g, 50) ? floats[below(g, 4)]
	                                                    : ops[below(g, 3)];
	snprintf(name, sizeof name, "stablehlo.%s", op);
	return one_result(g, name, t, 1, NULL, NULL, t->s, t->type);
}

/* Returns another value of the same shape, or `like` itself. */
static term *same_shape(generator *g, const term *like)
{
	for (int tries = 0; tries < 30; tries++) {
		term *t = any_term(g);
		if (strcmp(t->type, like->type) == 0 && t->s.rank == like->s.rank &&
		    !memcmp(t->s.dims, like->s.dims, sizeof *t->s.dims * (size_t)t->s.rank))
			return t;
	}
	return (term *)like;
}

bool gen_binary(generator *g)
{
	static const char *const ops[] = {"add", "subtract", "multiply", "maximum", "minimum"};
	term *t = numeric(g, 0);
	char name[64];
	if (!t)
		return false;
	term both[2] = {*t, *same_shape(g, t)};
	snprintf(name, sizeof name, "stablehlo.%s", ops[below(g, 5)]);
	return one_result(g, name, both, 2, NULL, NULL, t->s, t->type);
}

bool gen_select(generator *g)
{
	term *t = numeric(g, 0);
	if (!t)
		return false;
	term both[2] = {*t, *same_shape(g, t)}, which = fresh(g, t->s, "i1");
	say_operation(g, "stablehlo.compare", both, 2,
	              "comparison_direction = #stablehlo<comparison_direction GT>", NULL, &which,
	              1);
	term three[3] = {which, *same_shape(g, &both[0]), both[1]};
	return one_result(g, "stablehlo.select", three, 3, NULL, NULL, three[1].s, three[1].type);
}

/* ---- shapes --------------------------------------------------------------------------------- */

bool gen_transpose(generator *g)
{
	term *t = numeric(g, 2);
	char list[128], text[160];
	int64_t perm[MAX_RANK];
	shape s;
	if (!t)
		return false;
	s.rank = t->s.rank;
	for (int d = 0; d < s.rank; d++) {
		int k = below(g, d + 1);
		perm[d] = perm[k];
		perm[k] = d;
	}
	for (int d = 0; d < s.rank; d++)
		s.dims[d] = t->s.dims[perm[d]];
	snprintf(text, sizeof text, "permutation = %s", list_text(list, sizeof list, perm, s.rank));
	return one_result(g, "stablehlo.transpose", t, 1, text, NULL, s, t->type);
}

bool gen_reshape(generator *g)
{
	term *t = numeric(g, 0);
	if (!t)
		return false;
	shape s = {0};
	int64_t left = elements(&t->s);
	while (s.rank < MAX_RANK - 1 && left > 1 && !chance(g, 25)) {
		int64_t f = 1 + below(g, 8);
		while (left % f)
			f--;
		s.dims[s.rank++] = f;
		left /= f;
	}
	s.dims[s.rank++] = left;
	for (int i = 0; i < s.rank && chance(g, 50); i++) {
		int k = below(g, s.rank);
		int64_t d = s.dims[i];
		s.dims[i] = s.dims[k];
		s.dims[k] = d;
	}
	return one_result(g, "stablehlo.reshape", t, 1, NULL, NULL, s, t->type);
}

bool gen_broadcast(generator *g)
{
	term *t = numeric(g, 0);
	char list[128], text[160];
	int64_t dims[MAX_RANK];
	if (!t || t->s.rank >= MAX_RANK)
		return false;
	shape s = t->s;
	int at = below(g, s.rank + 1);
	for (int d = s.rank; d > at; d--)
		s.dims[d] = s.dims[d - 1];
	s.dims[at] = random_dim(g);
	s.rank++;
	for (int d = 0; d < t->s.rank; d++) {
		dims[d] = d < at ? d : d + 1;
		if (t->s.dims[d] == 1 && chance(g, 50))
			s.dims[dims[d]] = random_dim(g);
	}
	snprintf(text, sizeof text, "broadcast_dimensions = %s",
	         list_text(list, sizeof list, dims, t->s.rank));
	return one_result(g, "stablehlo.broadcast_in_dim", t, 1, text, NULL, s, t->type);
}

bool gen_slice(generator *g)
{
	term *t = filled(g, 1);
	char a[128], b[128], c[128], text[512];
	int64_t starts[MAX_RANK], limits[MAX_RANK], strides[MAX_RANK];
	if (!t)
		return false;
	shape s = t->s;
	for (int d = 0; d < s.rank; d++) {
		starts[d] = chance(g, 50) ? 0 : below(g, (int)s.dims[d]);
		limits[d] = chance(g, 50) ? s.dims[d]
		                          : starts[d] + 1 + below(g, (int)(s.dims[d] - starts[d]));
		strides[d] = chance(g, 70) ? 1 : 1 + below(g, 3);
		s.dims[d] = (limits[d] - starts[d] + strides[d] - 1) / strides[d];
	}
	snprintf(text, sizeof text, "start_indices = %s, limit_indices = %s, strides = %s",
	         list_text(a, sizeof a, starts, s.rank), list_text(b, sizeof b, limits, s.rank),
	         list_text(c, sizeof c, strides, s.rank));
	return one_result(g, "stablehlo.slice", t, 1, text, NULL, s, t->type);
}

bool gen_pad(generator *g)
{
	term *t = filled(g, 1);
	char a[128], b[128], c[128], text[512];
	int64_t low[MAX_RANK], high[MAX_RANK], inner[MAX_RANK];
	if (!t)
		return false;
	term both[2] = {*t, scalar(g, t->type, below(g, 5))};
	shape s = both[0].s;
	for (int d = 0; d < s.rank; d++) {
		low[d] = below(g, 6) - 2;
		high[d] = chance(g, 30) ? -low[d] : below(g, 6) - 2;
		inner[d] = chance(g, 80) ? 0 : 1 + below(g, 2);
		int64_t size = s.dims[d] + (s.dims[d] - 1) * inner[d];
		if (size + low[d] + high[d] < 1)
			low[d] = high[d] = 0;
		s.dims[d] = size + low[d] + high[d];
	}
	snprintf(text, sizeof text,
	         "edge_padding_low = %s, edge_padding_high = %s, interior_padding = %s",
	         list_text(a, sizeof a, low, s.rank), list_text(b, sizeof b, high, s.rank),
	         list_text(c, sizeof c, inner, s.rank));
	return one_result(g, "stablehlo.pad", both, 2, text, NULL, s, both[0].type);
}

bool gen_reverse(generator *g)
{
	term *t = numeric(g, 1);
	char list[128], text[160];
	int64_t dims[MAX_RANK];
	int n = 0;
	if (!t)
		return false;
	for (int d = 0; d < t->s.rank; d++)
		if (chance(g, 60))
			dims[n++] = d;
	snprintf(text, sizeof text, "dimensions = %s", list_text(list, sizeof list, dims, n));
	return one_result(g, "stablehlo.reverse", t, 1, text, NULL, t->s, t->type);
}

bool gen_concatenate(generator *g)
{
	term *t = numeric(g, 1), list[3];
	char text[64];
	if (!t)
		return false;
	int n = 0, dim = below(g, t->s.rank);
	list[n++] = *t;
	for (int tries = 0; tries < 40 && n < 3; tries++) {
		term *o = any_term(g);
		bool fits = !strcmp(o->type, t->type) && o->s.rank == t->s.rank;
		for (int d = 0; fits && d < o->s.rank; d++)
			fits = d == dim || o->s.dims[d] == list[0].s.dims[d];
		if (fits)
			list[n++] = *o;
	}
	shape s = list[0].s;
	for (int i = 1; i < n; i++)
		s.dims[dim] += list[i].s.dims[dim];
	snprintf(text, sizeof text, "dimension = %d : i64", dim);
	return one_result(g, "stablehlo.concatenate", list, n, text, NULL, s, list[0].type);
}

bool gen_iota(generator *g)
{
	shape s = random_shape(g, 3);
	char text[64];
	if (!s.rank)
		return false;
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, s.rank));
	return one_result(g, "stablehlo.iota", NULL, 0, text, NULL, s, g->type);
}
