/* generate.c - generates random programs: a mesh and a main function. Each step takes values from a
 * pool, applies an op with random attributes, and adds the results to the pool, usually with a
 * random sharding. */
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

int64_t random_dim(generator *g)
{
	static const int64_t dims[] = {1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16};
	if (g->empty && chance(g, 15))
		return 0;
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

/* True if two parts of an axis overlap, so that one sharding cannot have both. */
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
		bool open = chance(g, 15);
		say(g, "%s}", !open ? "" : last ? ", ?" : "?");
		if (g->priorities && (open || last) && chance(g, 40))
			say(g, "p%d", below(g, 3));
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

term *filled(generator *g, int min_rank)
{
	term *t = numeric(g, min_rank);
	return t && elements(&t->s) ? t : NULL;
}

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

static void say_type_list(generator *g, const term *list, int n)
{
	for (int i = 0; i < n; i++) {
		say(g, i ? ", " : "");
		say_type(g, &list[i].s, list[i].type);
	}
}

void say_types(generator *g, const term *operands, int n_operands, const term *results, int n)
{
	say(g, " : (");
	say_type_list(g, operands, n_operands);
	say(g, ") -> (");
	say_type_list(g, results, n);
	say(g, ")\n");
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
	say_types(g, operands, n_operands, results, n);
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

/* Writes a constant scalar. */
term scalar(generator *g, const char *type, int value)
{
	term t = fresh(g, (shape){0}, type);
	bool is_float = type[0] == 'f';
	say(g, "    %s = stablehlo.constant dense<%d%s> : tensor<%s>\n", t.name, value,
	    is_float ? ".0" : "", type);
	return t;
}

term maybe_hidden(generator *g, term t)
{
	if (chance(g, 50))
		return t;
	term r = fresh(g, t.s, t.type);
	say_operation(g, "stablehlo.optimization_barrier", &t, 1, NULL, NULL, &r, 1);
	return r;
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

/* ---- steps ------------------------------------------------------------------------------ */

static const struct {
	gen_fn *gen;
	int weight;
} makers[] = {
	{gen_unary, 6},      {gen_binary, 10},       {gen_select, 3},       {gen_transpose, 5},
	{gen_reshape, 8},    {gen_broadcast, 6},     {gen_slice, 6},        {gen_pad, 6},
	{gen_reverse, 4},    {gen_concatenate, 6},   {gen_dot, 10},         {gen_reduce, 8},
	{gen_argmax, 2},     {gen_reduce_window, 5}, {gen_sort, 3},         {gen_dynamic_slice, 4},
	{gen_update_slice, 4}, {gen_gather, 6},      {gen_scatter, 6},      {gen_iota, 3},
	{gen_convolution, 4}, {gen_constraint, 5},   {gen_loop, 3},         {gen_case, 2},
	{gen_call, 3},       {gen_manual, 3},        {gen_fft, 2},         {gen_rng, 2},
	{gen_cumulative, 3}, {gen_solve, 2},         {gen_pending, 3},   {gen_on_one_device, 2},
	{gen_custom_call, 2}, {gen_cholesky, 2},     {gen_select_and_scatter, 3},
	{gen_batch_norm, 2}, {gen_complex, 1},       {gen_quantized, 2},    {gen_bitcast, 2},
	{gen_clamp, 2},      {gen_map, 1},           {gen_barrier, 2},      {gen_broadcasting, 2},
	{gen_top_k, 3},      {gen_index_select, 2},  {gen_einsum, 2},       {gen_ragged_dot, 2},
	{gen_dynamic, 4},    {gen_replace, 4},       {gen_best_in_windows, 2},
	{gen_group, 2},
};

void gen_step(generator *g)
{
	int total = 0, n = sizeof makers / sizeof *makers;
	for (int i = 0; i < n; i++)
		total += makers[i].weight;
	for (int tries = 0; tries < 10; tries++) {
		int at = below(g, total), i = 0;
		while (at >= makers[i].weight)
			at -= makers[i++].weight;
		if (makers[i].gen(g))
			return;
	}
}

void inner_steps(generator *g, const term *want, term *out)
{
	int n = g->n;
	for (int i = 1 + below(g, 3); i > 0; i--)
		gen_step(g);
	*out = *want;
	for (int i = n; i < g->n; i++)
		if (!strcmp(g->pool[i].type, want->type) && g->pool[i].s.rank == want->s.rank &&
		    !memcmp(g->pool[i].s.dims, want->s.dims,
		            sizeof *want->s.dims * (size_t)want->s.rank))
			*out = g->pool[i];
	g->n = n;
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

/* Inserts the result types, which are known only at the end, into the signature. */
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
	g.empty = chance(&g, 6);
	g.priorities = chance(&g, 10);
	say(&g, "module {\n  sdy.mesh @mesh = %s\n", g.mesh->text);
	if (g.other)
		say(&g, "  sdy.mesh @other = %s\n", g.other->text);
	say(&g, "  sdy.mesh @device = <[], device_ids=[%d]>\n", below(&g, 2));
	say_signature(&g, 2 + below(&g, 3));
	for (int i = 2 + below(&g, 8); i > 0; i--)
		gen_step(&g);
	char *text = finish_program(&g);
	free(g.text);
	free(g.functions);
	return text;
}
