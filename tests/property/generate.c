/* generate.c - a program is a mesh and a main function: each step takes values from a
 * pool, applies an op with random attributes and adds the results to the pool, with a
 * random sharding more often than not. */
#include "generator.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>


static const mesh_kind meshes[] = {
	{"<[\"x\"=2, \"y\"=4]>",
	 {{"\"x\"", 2, 1}, {"\"y\"", 4, 1}, {"\"y\":(1)2", 2, 1}, {"\"y\":(2)2", 2, 2}}},
	{"<[\"x\"=8]>",
	 {{"\"x\"", 8, 1}, {"\"x\":(1)2", 2, 1}, {"\"x\":(2)4", 4, 2}, {"\"x\":(2)2", 2, 2},
	  {"\"x\":(4)2", 2, 4}}},
	{"<[\"a\"=2, \"b\"=2, \"c\"=2]>", {{"\"a\"", 2, 1}, {"\"b\"", 2, 1}, {"\"c\"", 2, 1}}},
	{"<[\"x\"=3, \"y\"=2]>", {{"\"x\"", 3, 1}, {"\"y\"", 2, 1}}},
	{"<[\"x\"=2, \"y\"=2], device_ids=[0, 2, 3, 1]>", {{"\"x\"", 2, 1}, {"\"y\"", 2, 1}}},
	{"<[\"x\"=6]>",
	 {{"\"x\"", 6, 1}, {"\"x\":(1)2", 2, 1}, {"\"x\":(2)3", 3, 2}, {"\"x\":(1)3", 3, 1},
	  {"\"x\":(1)3", 3, 1}}},
	{"<[\"x\"=4, \"y\"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>",
	 {{"\"x\"", 4, 1}, {"\"y\"", 2, 1}, {"\"x\":(2)2", 2, 2}}},
	{"<[\"x\"=2]>", {{"\"x\"", 2, 1}}},
};

uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

int below(generator *g, int n) { return n > 0 ? (int)(random_next(&g->rng) % (uint64_t)n) : 0; }
bool chance(generator *g, int percent) { return below(g, 100) < percent; }

void say(generator *g, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	int n = vsnprintf(g->text + g->len, MAX_TEXT - g->len, fmt, args);
	va_end(args);
	g->len += (size_t)n;
	if (g->len >= MAX_TEXT)
		abort();
}

/* ---- types and shardings ----------------------------------------------------------- */

int64_t elements(const shape *s)
{
	int64_t n = 1;
	for (int d = 0; d < s->rank; d++)
		n *= s->dims[d];
	return n;
}

void say_type(generator *g, const shape *s, const char *type)
{
	say(g, "tensor<");
	for (int d = 0; d < s->rank; d++)
		say(g, "%" PRId64 "x", s->dims[d]);
	say(g, "%s>", type);
}

static int64_t random_dim(generator *g)
{
	static const int64_t dims[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16};
	return dims[below(g, sizeof dims / sizeof *dims)];
}

shape random_shape(generator *g, int max_rank)
{
	shape s = {.rank = below(g, max_rank + 1)};
	do {
		for (int d = 0; d < s.rank; d++)
			s.dims[d] = random_dim(g);
	} while (elements(&s) > MAX_ELEMENTS);
	return s;
}

/* Whether two parts of axes overlap: they cannot stand in one sharding. */
static bool parts_clash(const axis_part *a, const axis_part *b)
{
	return a->text[1] == b->text[1] && a->pre < b->pre * b->size && b->pre < a->pre * a->size;
}

void say_sharding(generator *g, int rank)
{
	bool second = g->other && !g->manual && chance(g, 15);
	const mesh_kind *m = second ? g->other : g->mesh;
	const axis_part *used[2 * MAX_RANK];
	int n_used = 0, n_parts = 0;
	while (n_parts < 12 && m->parts[n_parts].text)
		n_parts++;
	say(g, "<@%s, [", second ? "other" : "mesh");
	for (int d = 0; d < rank; d++) {
		const axis_part *last = NULL;
		say(g, "%s{", d ? ", " : "");
		for (int tries = 0; tries < 2; tries++) {
			const axis_part *p = &m->parts[below(g, n_parts)];
			bool clash = (last && last->text[1] == p->text[1]) ||
			             (g->manual >> (p->text[1] - 'a') & 1);
			for (int i = 0; i < n_used; i++)
				clash |= parts_clash(used[i], p);
			if (clash || chance(g, 45))
				continue;
			say(g, "%s%s", last ? ", " : "", p->text);
			used[n_used++] = last = p;
		}
		say(g, "}");
	}
	say(g, "]>");
}

/* ---- values -------------------------------------------------------------------------- */

term *any_term(generator *g) { return &g->pool[below(g, g->n)]; }

term *find_term(generator *g, const char *type, int min_rank)
{
	for (int tries = 0; tries < 20; tries++) {
		term *t = any_term(g);
		if (t->s.rank >= min_rank && strcmp(t->type, type) == 0)
			return t;
	}
	return NULL;
}

term *numeric(generator *g, int min_rank) { return find_term(g, g->type, min_rank); }

term fresh(generator *g, shape s, const char *type)
{
	term t = {.s = s, .type = type};
	snprintf(t.name, sizeof t.name, "%%v%d", g->next++);
	return t;
}

void add_to_pool(generator *g, const term *t)
{
	if (g->n < MAX_POOL)
		g->pool[g->n++] = *t;
	else
		g->pool[below(g, MAX_POOL)] = *t;
}

void say_result_sharding(generator *g, const term *results, int n)
{
	if (!chance(g, 60))
		return;
	say(g, " {sdy.sharding = #sdy.sharding_per_value<[");
	for (int i = 0; i < n; i++) {
		say(g, i ? ", " : "");
		say_sharding(g, results[i].s.rank);
	}
	say(g, "]>}");
}

void say_operation(generator *g, const char *name, const term *operands, int n_operands,
                          const char *properties, const char *region, const term *results, int n)
{
	say(g, "    ");
	for (int i = 0; i < n; i++)
		say(g, "%s%s", i ? ", " : "", results[i].name);
	say(g, " = \"%s\"(", name);
	for (int i = 0; i < n_operands; i++)
		say(g, "%s%s", i ? ", " : "", operands[i].name);
	say(g, ")");
	if (properties && *properties)
		say(g, " <{%s}>", properties);
	if (region)
		say(g, " (%s)", region);
	say_result_sharding(g, results, n);
	say(g, " : (");
	for (int i = 0; i < n_operands; i++) {
		say(g, i ? ", " : "");
		say_type(g, &operands[i].s, operands[i].type);
	}
	say(g, ") -> (");
	for (int i = 0; i < n; i++) {
		say(g, i ? ", " : "");
		say_type(g, &results[i].s, results[i].type);
	}
	say(g, ")\n");
	for (int i = 0; i < n; i++)
		add_to_pool(g, &results[i]);
}

bool one_result(generator *g, const char *name, const term *operands, int n,
                       const char *properties, const char *region, shape s, const char *type)
{
	term r = fresh(g, s, type);
	if (elements(&s) > MAX_ELEMENTS)
		return false;
	say_operation(g, name, operands, n, properties, region, &r, 1);
	return true;
}

/* A constant scalar. */
term scalar(generator *g, const char *type, int value)
{
	term t = fresh(g, (shape){0}, type);
	bool is_float = type[0] == 'f';
	say(g, "    %s = stablehlo.constant dense<%d%s> : tensor<%s>\n", t.name, value,
	    is_float ? ".0" : "", type);
	return t;
}

char *list_text(char *to, size_t size, const int64_t *v, int n)
{
	size_t at = (size_t)snprintf(to, size, "array<i64%s", n ? ": " : "");
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(to + at, size - at, "%s%" PRId64, i ? ", " : "", v[i]);
	snprintf(to + at, size - at, ">");
	return to;
}

const char *reducer_text(generator *g, char *to, size_t size, const char *op, const char *type)
{
	int id = g->next++;
	snprintf(
		to, size,
		"{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>):\n      %%r%d = \"stablehlo.%s\"(%%p%d, %%q%d) : "
		"(tensor<%s>, tensor<%s>) -> tensor<%s>\n      \"stablehlo.return\"(%%r%d) : (tensor<%s>) -> ()\n    }",
		id, type, id, type, id, op, id, id, type, type, type, id, type);
	return to;
}

/* ---- element by element ----------------------------------------------------------------- */

static bool make_unary(generator *g)
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

/* Some other value of the same shape, or itself. */
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

static bool make_binary(generator *g)
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

static bool make_select(generator *g)
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

static bool make_transpose(generator *g)
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

static bool make_reshape(generator *g)
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

static bool make_broadcast(generator *g)
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

static bool make_slice(generator *g)
{
	term *t = numeric(g, 1);
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

static bool make_pad(generator *g)
{
	term *t = numeric(g, 1);
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

static bool make_reverse(generator *g)
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

static bool make_concatenate(generator *g)
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

/* ---- products and reductions ----------------------------------------------------------------- */

static bool make_dot(generator *g)
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

static bool make_reduce(generator *g)
{
	static const char *const ops[] = {"add", "maximum", "minimum", "multiply"};
	term *t = numeric(g, 1);
	char list[128], text[160], region[1024];
	int64_t dims[MAX_RANK];
	int n = 0;
	if (!t)
		return false;
	const char *op = ops[below(g, 4)];
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

/* The position of the largest element: two operands, a body of several ops. */
static bool make_argmax(generator *g)
{
	term *t = numeric(g, 1);
	char text[160], region[2048];
	if (!t)
		return false;
	int dim = below(g, t->s.rank), id = g->next++;
	term from = *t, iota = fresh(g, from.s, "i32");
	snprintf(text, sizeof text, "iota_dimension = %d : i64", dim);
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &iota, 1);
	const char *T = from.type;
	term least = scalar(g, T, -1000000), zero = scalar(g, "i32", 0);
	snprintf(
		region, sizeof region,
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
	shape s = {0};
	for (int d = 0; d < from.s.rank; d++)
		if (d != dim)
			s.dims[s.rank++] = from.s.dims[d];
	term results[2] = {fresh(g, s, T), fresh(g, s, "i32")};
	snprintf(text, sizeof text, "dimensions = array<i64: %d>", dim);
	say_operation(g, "stablehlo.reduce", (term[]){from, iota, least, zero}, 4, text, region,
	              results, 2);
	return true;
}

static bool make_reduce_window(generator *g)
{
	term *t = numeric(g, 1);
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

static bool make_sort(generator *g)
{
	term *t = numeric(g, 1);
	char text[128], region[1024];
	if (!t)
		return false;
	int id = g->next++;
	term from = *t;
	snprintf(
		region, sizeof region,
		"{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>):\n      %%r%d = \"stablehlo.compare\"(%%p%d, %%q%d) "
		"<{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<%s>, tensor<%s>) -> "
		"tensor<i1>\n      \"stablehlo.return\"(%%r%d) : (tensor<i1>) -> ()\n    }",
		id, from.type, id, from.type, id, id, id, from.type, from.type, id);
	snprintf(text, sizeof text, "dimension = %d : i64, is_stable = true",
	         below(g, from.s.rank));
	return one_result(g, "stablehlo.sort", &from, 1, text, region, from.s, from.type);
}

/* ---- indices --------------------------------------------------------------------------------- */

static bool make_dynamic_slice(generator *g)
{
	term *t = numeric(g, 1), list[MAX_RANK + 2];
	char a[128], text[256];
	if (!t)
		return false;
	list[0] = *t;
	shape s = list[0].s;
	for (int d = 0; d < s.rank; d++) {
		list[d + 1] = scalar(g, "i32", below(g, (int)s.dims[d] + 4) - 2);
		if (!chance(g, 40))
			s.dims[d] = 1 + below(g, (int)s.dims[d]);
	}
	snprintf(text, sizeof text, "slice_sizes = %s", list_text(a, sizeof a, s.dims, s.rank));
	return one_result(g, "stablehlo.dynamic_slice", list, s.rank + 1, text, NULL, s,
	                  list[0].type);
}

static bool make_update_slice(generator *g)
{
	term *t = numeric(g, 1), *update = NULL, list[MAX_RANK + 2];
	if (!t)
		return false;
	list[0] = *t;
	for (int tries = 0; tries < 60 && !update; tries++) {
		term *o = any_term(g);
		bool fits = !strcmp(o->type, t->type) && o->s.rank == t->s.rank;
		for (int d = 0; fits && d < o->s.rank; d++)
			fits = o->s.dims[d] <= t->s.dims[d];
		if (fits && (o != t || tries > 40))
			update = o;
	}
	if (!update)
		return false;
	list[1] = *update;
	for (int d = 0; d < list[0].s.rank; d++)
		list[d + 2] = scalar(g, "i32", below(g, (int)list[0].s.dims[d] + 4) - 2);
	return one_result(g, "stablehlo.dynamic_update_slice", list, list[0].s.rank + 2, NULL, NULL,
	                  list[0].s, list[0].type);
}

/* Indices [n, m, k] of i32 constants, some of them out of bounds. */
static term random_indices(generator *g, shape s, int limit)
{
	term t = fresh(g, s, "i32");
	int64_t n = elements(&s);
	say(g, "    %s = \"stablehlo.constant\"() <{value = dense<", t.name);
	for (int d = 0; d < s.rank; d++)
		say(g, "[");
	for (int64_t i = 0; i < n; i++) {
		int64_t block = 1;
		for (int d = s.rank; d-- > 0;) {
			block *= s.dims[d];
			if (i && i % block == 0)
				say(g, "%s", "]");
		}
		if (i)
			say(g, ", ");
		block = 1;
		for (int d = s.rank; d-- > 0;) {
			block *= s.dims[d];
			if (i && i % block == 0)
				say(g, "%s", "[");
		}
		say(g, "%d", below(g, limit + 3) - 1);
	}
	for (int d = 0; d < s.rank; d++)
		say(g, "]");
	say(g, "> : ");
	say_type(g, &s, "i32");
	say(g, "}>");
	say_result_sharding(g, &t, 1);
	say(g, " : () -> ");
	say_type(g, &s, "i32");
	say(g, "\n");
	add_to_pool(g, &t);
	return t;
}

static void dims_text(char *to, size_t size, const int *v, int n)
{
	size_t at = 0;
	to[0] = 0;
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(to + at, size - at, "%s%d", i ? ", " : "", v[i]);
}

/* Of the operand's dimensions some are indexed: collapsed, kept with one element, or
 * taken in part. */
static bool make_gather(generator *g)
{
	term *t = numeric(g, 1);
	char text[1024], offset[64], collapsed[64], map[64], sizes[128];
	int off[MAX_RANK], col[MAX_RANK], idx[MAX_RANK], n_off = 0, n_col = 0, n_idx = 0;
	int64_t slice[MAX_RANK];
	if (!t)
		return false;
	term from = *t;
	shape out = {0};
	int64_t kept[MAX_RANK];
	int n_kept = 0, limit = 1;
	for (int d = 0; d < from.s.rank; d++) {
		int how = below(g, 5);
		slice[d] = from.s.dims[d];
		if (how <= 1) {
			slice[d] = 1;
			col[n_col++] = d;
			idx[n_idx++] = d;
		} else if (how == 2) {
			slice[d] = 1 + below(g, (int)slice[d]);
			idx[n_idx++] = d;
			kept[n_kept++] = slice[d];
		} else {
			kept[n_kept++] = slice[d];
		}
		if (how <= 2 && from.s.dims[d] > limit)
			limit = (int)from.s.dims[d];
	}
	if (!n_idx)
		return false;
	shape is = {.rank = 1 + below(g, 2)};
	if (is.rank - (n_idx > 1) + n_kept > MAX_RANK || is.rank > 2)
		return false;
	for (int d = 0; d < is.rank; d++)
		is.dims[d] = 1 + below(g, 6);
	int vector = is.rank;
	if (n_idx > 1 || chance(g, 50)) {
		if (is.rank + 1 > MAX_RANK || is.rank + n_kept > MAX_RANK)
			return false;
		is.dims[is.rank++] = n_idx;
	} else if (is.rank + n_kept > MAX_RANK) {
		return false;
	}
	term indices = random_indices(g, is, limit);
	int n_batch = vector;
	/* offset dimensions last, or first */
	bool first = chance(g, 40);
	for (int i = 0; i < n_kept; i++)
		off[n_off++] = first ? i : n_batch + i;
	out.rank = n_batch + n_kept;
	for (int i = 0; i < n_kept; i++)
		out.dims[off[i]] = kept[i];
	for (int i = 0; i < n_batch; i++)
		out.dims[first ? n_kept + i : i] = is.dims[i];
	dims_text(offset, sizeof offset, off, n_off);
	dims_text(collapsed, sizeof collapsed, col, n_col);
	dims_text(map, sizeof map, idx, n_idx);
	snprintf(
		text, sizeof text,
		"dimension_numbers = #stablehlo.gather<offset_dims = [%s], collapsed_slice_dims = [%s], "
		"start_index_map = [%s], index_vector_dim = %d>, slice_sizes = %s, indices_are_sorted = false",
		offset, collapsed, map, vector, list_text(sizes, sizeof sizes, slice, from.s.rank));
	return one_result(g, "stablehlo.gather", (term[]){from, indices}, 2, text, NULL, out,
	                  from.type);
}

static bool make_scatter(generator *g)
{
	static const char *const ops[] = {"add", "maximum", "minimum", "multiply"};
	term *t = numeric(g, 1);
	char text[1024], window[64], inserted[64], map[64], region[1024];
	int win[MAX_RANK], ins[MAX_RANK], idx[MAX_RANK], n_win = 0, n_ins = 0, n_idx = 0, limit = 1;
	if (!t)
		return false;
	term from = *t;
	int64_t kept[MAX_RANK];
	for (int d = 0; d < from.s.rank; d++) {
		int how = below(g, 4);
		if (how <= 1) {
			ins[n_ins++] = d;
			idx[n_idx++] = d;
		} else if (how == 2) {
			kept[n_win++] = 1 + below(g, (int)from.s.dims[d]);
			idx[n_idx++] = d;
		} else {
			kept[n_win++] = from.s.dims[d];
		}
		if (how <= 2 && from.s.dims[d] > limit)
			limit = (int)from.s.dims[d];
	}
	if (!n_idx)
		return false;
	shape is = {.rank = 1}, us = {0};
	is.dims[0] = 1 + below(g, 8);
	if (1 + n_win > MAX_RANK)
		return false;
	is.dims[is.rank++] = n_idx;
	term indices = random_indices(g, is, limit);
	us.rank = 1 + n_win;
	us.dims[0] = is.dims[0];
	for (int i = 0; i < n_win; i++) {
		us.dims[1 + i] = kept[i];
		win[i] = 1 + i;
	}
	/* updates: an iota is as good as anything */
	term updates = fresh(g, us, from.type);
	if (elements(&us) > MAX_ELEMENTS)
		return false;
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL, &updates, 1);
	dims_text(window, sizeof window, win, n_win);
	dims_text(inserted, sizeof inserted, ins, n_ins);
	dims_text(map, sizeof map, idx, n_idx);
	snprintf(
		text, sizeof text,
		"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [%s], inserted_window_dims = "
		"[%s], scatter_dims_to_operand_dims = [%s], index_vector_dim = 1>, indices_are_sorted = false, "
		"unique_indices = false",
		window, inserted, map);
	return one_result(g, "stablehlo.scatter", (term[]){from, indices, updates}, 3, text,
	                  reducer_text(g, region, sizeof region, ops[below(g, 4)], from.type),
	                  from.s, from.type);
}

/* ---- sources --------------------------------------------------------------------------------- */

static bool make_iota(generator *g)
{
	shape s = random_shape(g, 3);
	char text[64];
	if (!s.rank)
		return false;
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, s.rank));
	return one_result(g, "stablehlo.iota", NULL, 0, text, NULL, s, g->type);
}

static bool make_convolution(generator *g)
{
	char text[1024], a[64];
	int64_t groups = chance(g, 60) ? 1 : 2, batch_groups = groups == 1 && chance(g, 15) ? 2 : 1;
	int64_t batch = batch_groups * (1 + below(g, 4)), in = 1 + below(g, 4),
		out = (1 + below(g, 4)) * 4;
	int64_t size = 4 + below(g, 9), stride = 1 + below(g, 2);
	int64_t window = chance(g, 70) ? 1 + below(g, 3) : size - below(g, 3);
	int64_t low = below(g, 3), high = below(g, 3), dilation = chance(g, 80) ? 1 : 2;
	int64_t base = chance(g, 65) ? 1 : 2 + below(g, 2);
	shape ls = {3, {batch, size, in * groups, 0}}, ks = {3, {window, in, out, 0}};
	term lhs = fresh(g, ls, g->type), kernel = fresh(g, ks, g->type);
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 1 : i64", NULL, &lhs, 1);
	snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, 3));
	say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &kernel, 1);
	int64_t reach = (window - 1) * dilation + 1;
	if (base > 1 && chance(g, 60)) /* as the gradient of a strided one */
		high = size * base * stride - stride + reach - (size - 1) * base - 1 - low;
	int64_t wide = (size - 1) * base + 1 + low + high;
	if (wide < reach)
		return false;
	shape s = {3, {batch / batch_groups, (wide - reach) / stride + 1, out, 0}};
	(void)a;
	snprintf(
		text, sizeof text,
		"window_strides = array<i64: %" PRId64 ">, padding = dense<[[%" PRId64 ", %" PRId64
		"]]> : tensor<1x2xi64>, lhs_dilation = array<i64: %" PRId64
		">, rhs_dilation = array<i64: %" PRId64
		">, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = %" PRId64
		" : i64, batch_group_count = %" PRId64 " : i64",
		stride, low, high, base, dilation, groups, batch_groups);
	return one_result(g, "stablehlo.convolution", (term[]){lhs, kernel}, 2, text, NULL, s,
	                  g->type);
}

/* ---- placement and control ------------------------------------------------------------------- */

static bool make_constraint(generator *g)
{
	term *t = any_term(g), r = fresh(g, t->s, t->type);
	say(g, "    %s = sdy.sharding_constraint %s ", r.name, t->name);
	say_sharding(g, t->s.rank);
	say(g, " : ");
	say_type(g, &t->s, t->type);
	say(g, "\n");
	add_to_pool(g, &r);
	return true;
}

static bool make_loop(generator *g), make_case(generator *g);

static const struct {
	make_fn *make;
	int weight;
} makers[] = {
	{make_unary, 6},      {make_binary, 10},       {make_select, 3},       {make_transpose, 5},
	{make_reshape, 8},    {make_broadcast, 6},     {make_slice, 6},        {make_pad, 6},
	{make_reverse, 4},    {make_concatenate, 6},   {make_dot, 10},         {make_reduce, 8},
	{make_argmax, 2},     {make_reduce_window, 5}, {make_sort, 3},         {make_dynamic_slice, 4},
	{make_update_slice, 4}, {make_gather, 6},      {make_scatter, 6},      {make_iota, 3},
	{make_convolution, 4}, {make_constraint, 5},   {make_loop, 3},         {make_case, 2},
	{make_call, 3},       {make_manual, 3},        {make_fft, 2},         {make_rng, 2},
	{make_cumulative, 3}, {make_solve, 2},         {make_pending, 3},   {make_on_one_device, 2},
	{make_custom_call, 2}, {make_cholesky, 2},     {make_select_and_scatter, 3},
};

void make_step(generator *g)
{
	int total = 0, n = sizeof makers / sizeof *makers;
	for (int i = 0; i < n; i++)
		total += makers[i].weight;
	for (int tries = 0; tries < 10; tries++) {
		int at = below(g, total), i = 0;
		while (at >= makers[i].weight)
			at -= makers[i++].weight;
		if (makers[i].make(g))
			return;
	}
}

void inner_steps(generator *g, const term *want, term *out)
{
	int n = g->n;
	for (int i = 1 + below(g, 3); i > 0; i--)
		make_step(g);
	*out = *want;
	for (int i = n; i < g->n; i++)
		if (!strcmp(g->pool[i].type, want->type) && g->pool[i].s.rank == want->s.rank &&
		    !memcmp(g->pool[i].s.dims, want->s.dims,
		            sizeof *want->s.dims * (size_t)want->s.rank))
			*out = g->pool[i];
	g->n = n;
}

static bool make_loop(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->depth >= 2 || g->n > MAX_POOL - 30)
		return false;
	term init = *t, zero = scalar(g, "i32", 0);
	int id = g->next++;
	term results[2] = {fresh(g, (shape){0}, "i32"), fresh(g, init.s, init.type)};
	say(g, "    %s, %s = \"stablehlo.while\"(%s, %s) ({\n    ^bb0(%%i%d: tensor<i32>, %%c%d: ",
	    results[0].name, results[1].name, zero.name, init.name, id, id);
	say_type(g, &init.s, init.type);
	say(g,
	    "):\n      %%l%d = stablehlo.constant dense<%d> : tensor<i32>\n      %%p%d = stablehlo.compare LT, %%i%d, "
	    "%%l%d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      \"stablehlo.return\"(%%p%d) : (tensor<i1>) -> ()\n"
	    "    }, {\n    ^bb0(%%j%d: tensor<i32>, %%d%d: ",
	    id, 1 + below(g, 3), id, id, id, id, id, id);
	say_type(g, &init.s, init.type);
	say(g, "):\n");
	term carried = init, out;
	snprintf(carried.name, sizeof carried.name, "%%d%d", id);
	int n = g->n;
	add_to_pool(g, &carried);
	g->depth++;
	inner_steps(g, &carried, &out);
	g->depth--;
	g->n = n;
	say(g,
	    "      %%o%d = stablehlo.constant dense<1> : tensor<i32>\n      %%n%d = stablehlo.add %%j%d, %%o%d : "
	    "tensor<i32>\n      \"stablehlo.return\"(%%n%d, %s) : (tensor<i32>, ",
	    id, id, id, id, id, out.name);
	say_type(g, &init.s, init.type);
	say(g, ") -> ()\n    })");
	say_result_sharding(g, results, 2);
	say(g, " : (tensor<i32>, ");
	say_type(g, &init.s, init.type);
	say(g, ") -> (tensor<i32>, ");
	say_type(g, &init.s, init.type);
	say(g, ")\n");
	add_to_pool(g, &results[1]);
	return true;
}

static bool make_case(generator *g)
{
	term *t = numeric(g, 0);
	if (!t || g->depth >= 2 || g->n > MAX_POOL - 30)
		return false;
	term want = *t, which = scalar(g, "i32", below(g, 3)), r = fresh(g, want.s, want.type), out;
	say(g, "    %s = \"stablehlo.case\"(%s) (", r.name, which.name);
	g->depth++;
	for (int i = 0; i < 2; i++) {
		say(g, "%s{\n", i ? ", " : "");
		inner_steps(g, &want, &out);
		say(g, "      \"stablehlo.return\"(%s) : (", out.name);
		say_type(g, &want.s, want.type);
		say(g, ") -> ()\n    }");
	}
	g->depth--;
	say(g, ")");
	say_result_sharding(g, &r, 1);
	say(g, " : (tensor<i32>) -> ");
	say_type(g, &want.s, want.type);
	say(g, "\n");
	add_to_pool(g, &r);
	return true;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void say_signature(generator *g, int n_args)
{
	say(g, "  func.func @main(");
	for (int i = 0; i < n_args; i++) {
		term t = {.s = random_shape(g, MAX_RANK), .type = g->type};
		if (!i && !t.s.rank)
			t.s = (shape){2, {8, 6, 0, 0}};
		snprintf(t.name, sizeof t.name, "%%arg%d", i);
		say(g, "%s%s: ", i ? ", " : "", t.name);
		say_type(g, &t.s, t.type);
		if (chance(g, 80)) {
			say(g, " {sdy.sharding = #sdy.sharding");
			say_sharding(g, t.s.rank);
			say(g, "}");
		}
		add_to_pool(g, &t);
	}
	say(g, ") -> (@RESULTS@) {\n");
}

/* Splices the result types in. */
static char *finish_program(generator *g)
{
	generator tail = *g;
	int n = 0;
	term out[6];
	for (int i = g->n; i-- > 0 && n < 6;)
		if (n < 3 || chance(g, 50))
			out[n++] = g->pool[i];
	tail.text = malloc(MAX_TEXT);
	tail.len = 0;
	tail.text[0] = 0;
	for (int i = 0; i < n; i++) {
		say(&tail, i ? ", " : "");
		say_type(&tail, &out[i].s, out[i].type);
		if (chance(&tail, 60)) {
			say(&tail, " {sdy.sharding = #sdy.sharding");
			say_sharding(&tail, out[i].s.rank);
			say(&tail, "}");
		}
	}
	say(g, "    \"func.return\"(");
	for (int i = 0; i < n; i++)
		say(g, "%s%s", i ? ", " : "", out[i].name);
	say(g, ") : (");
	for (int i = 0; i < n; i++) {
		say(g, i ? ", " : "");
		say_type(g, &out[i].s, out[i].type);
	}
	say(g, ") -> ()\n  }\n%s}\n", g->functions);
	char *at = strstr(g->text, "@RESULTS@"), *all = malloc(2 * MAX_TEXT);
	snprintf(all, 2 * MAX_TEXT, "%.*s%s%s", (int)(at - g->text), g->text, tail.text,
	         at + strlen("@RESULTS@"));
	free(tail.text);
	return all;
}

char *generate_program(uint64_t seed)
{
	generator g = {.rng = seed, .text = malloc(MAX_TEXT), .functions = calloc(1, MAX_TEXT)};
	int n_meshes = sizeof meshes / sizeof *meshes, kind = below(&g, n_meshes);
	static const int eight[] = {0, 1, 2, 6};
	g.mesh = &meshes[kind];
	if ((kind <= 2 || kind == 6) && chance(&g, 40))
		g.other = &meshes[eight[below(&g, 4)]];
	g.type = chance(&g, 75) ? "i32" : "f32";
	say(&g, "module {\n  sdy.mesh @mesh = %s\n", g.mesh->text);
	if (g.other)
		say(&g, "  sdy.mesh @other = %s\n", g.other->text);
	say(&g, "  sdy.mesh @device = <[], device_ids=[%d]>\n", below(&g, 2));
	say_signature(&g, 2 + below(&g, 3));
	for (int i = 2 + below(&g, 8); i > 0; i--)
		make_step(&g);
	char *text = finish_program(&g);
	free(g.text);
	free(g.functions);
	return text;
}
