/* diff_match.c - matches the values of two programs.
 *
 * Inserting an operation shifts the numbers of all later values, so names are no help. Functions
 * are matched by name, and their values, in program order, by Heckel's algorithm (1978), which
 * takes linear time. Values that are computed in the same way from the same arguments, and are
 * unique as such in both programs, are matched first. Starting at each matched pair, neighbors that
 * look alike are matched too, forward and backward; the first and last values also count as pairs.
 * Dimension sizes are ignored, so that programs with different batch sizes compare. */
#include "report/diff.h"

/* The values of one function in one program. */
typedef struct side {
	VEC(value *) values;
	bool named;      /* all arguments have names */
	uint64_t *looks; /* hash of op, rank and dtype */
	uint64_t *deep;  /* the same, mixed with the `deep` of its operands */
	int *other;      /* index of its match in the other program, or -1 */
	ptr_map places;  /* value -> place + 1 */
} side;

static const name *given_name(const value *v)
{
	const attr *loc = value_loc(v);
	return loc && loc->kind == AT_LOC_NAME ? loc->text : NULL;
}

static bool has_named_arguments(const op *f)
{
	const block *b = op_body(f);
	for (int i = 0; b && i < b->n_args; i++)
		if (!given_name(b->args[i]))
			return false;
	return true;
}

/* Hashes an argument by its name if both programs name theirs, else by its position. */
static uint64_t origin_hash(const side *s, const value *v)
{
	const op *at = value_op(v);
	if (value_def(v))
		return hash_mix(name_hash(str_of(op_name(at))),
		                (uint64_t)at->n_operands << 32 | v->index);
	if (!op_is_func(at)) {
		uint64_t region = (uint64_t)(value_block(v)->parent - op_region(at, 0)) + 1;
		return hash_mix(name_hash(str_of(op_name(at))) + 1, region << 32 | v->index);
	}
	const name *given = s->named ? given_name(v) : NULL;
	return given ? given->hash : v->index;
}

static uint64_t looks_of(const side *s, const value *v)
{
	uint64_t h = origin_hash(s, v);
	return hash_mix(hash_mix(h, (uint64_t)v->type->rank), (uint64_t)v->type->dtype);
}

static void add_side_value(arena *mem, side *s, value *v)
{
	vec_push(mem, &s->values, v);
	*ptr_map_at(&s->places, mem, v) = (void *)(intptr_t)s->values.len;
}

/* True if the arguments of the op's regions are its operands as a whole, not elements of them. */
static bool passes_values_in(const op *o) { return o->kind == OP_WHILE || op_has(o, LISTED); }

/* Returns the deep hash of `v`, an operand of value i. */
static uint64_t depth_of(const side *s, int i, const value *v)
{
	intptr_t at = (intptr_t)ptr_map_get(&s->places, v);
	return at > 0 && at <= i ? s->deep[at - 1] : 0;
}

/* Combines the deep hashes of all operands of the op whose first result is value i. */
static uint64_t depth_of_operands(const side *s, int i, const op *o)
{
	uint64_t h = 0;
	for (int k = 0; k < o->n_operands; k++)
		h = hash_mix(h, depth_of(s, i, operand(o, k)));
	return h;
}

static void look_at_function(const op *f, arena *mem, side *s)
{
	const block *b = op_body(f);
	for (int i = 0; b && i < b->n_args; i++)
		add_side_value(mem, s, b->args[i]);
	for (op *o = op_next(f, f); o; o = op_next(o, f)) {
		for (int i = 0; i < o->n_results; i++)
			add_side_value(mem, s, &o->results[i]);
		for (int r = 0; r < op_n_regions(o) && passes_values_in(o); r++)
			for (int i = 0; i < op_block(o, r)->n_args; i++)
				add_side_value(mem, s, op_block(o, r)->args[i]);
	}
	s->looks = NEW_N(mem, uint64_t, s->values.len + 1);
	s->deep = NEW_N(mem, uint64_t, s->values.len + 1);
	s->other = NEW_N(mem, int, s->values.len + 1);
	uint64_t made_from = 0;
	for (int i = 0; i < s->values.len; i++) {
		const value *v = s->values.ptr[i];
		if (value_def(v) && !v->index)
			made_from = depth_of_operands(s, i, value_def(v));
		else if (!value_def(v))
			made_from = op_is_func(value_op(v))
			                    ? 0
			                    : depth_of(s, i, operand(value_op(v), (int)v->index));
		s->other[i] = -1;
		s->looks[i] = looks_of(s, v);
		s->deep[i] = hash_mix(s->looks[i], made_from);
	}
}

static void pair_up(side *a, int i, side *b, int j)
{
	a->other[i] = j;
	b->other[j] = i;
}

/* How often a deep hash occurs on each side, and where. */
typedef struct occurrence {
	int times[2], at[2];
} occurrence;

static void pair_unique(side s[2], arena *mem)
{
	ptr_map seen = {0};
	VEC(occurrence) list = {0};
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < s[k].values.len; i++) {
			void **slot = ptr_map_at(&seen, mem, (void *)(uintptr_t)(s[k].deep[i] | 1));
			if (!*slot) {
				vec_push(mem, &list, (occurrence){{0}, {0}});
				*slot = (void *)(intptr_t)list.len;
			}
			occurrence *o = &list.ptr[(intptr_t)*slot - 1];
			o->times[k]++;
			o->at[k] = i;
		}
	for (int i = 0; i < list.len; i++)
		if (list.ptr[i].times[0] == 1 && list.ptr[i].times[1] == 1)
			pair_up(&s[0], list.ptr[i].at[0], &s[1], list.ptr[i].at[1]);
}

static bool may_pair(const side s[2], int i, int j)
{
	return i >= 0 && j >= 0 && i < s[0].values.len && j < s[1].values.len &&
	       s[0].other[i] < 0 && s[1].other[j] < 0 && s[0].looks[i] == s[1].looks[j];
}

static void pair_neighbours(side s[2])
{
	int n = s[0].values.len, m = s[1].values.len;
	for (int i = 0; i < n; i++) {
		int j = i ? s[0].other[i - 1] : -1;
		if ((!i || j >= 0) && may_pair(s, i, j + 1))
			pair_up(&s[0], i, &s[1], j + 1);
	}
	for (int i = n - 1; i >= 0; i--) {
		int j = i + 1 < n ? s[0].other[i + 1] : m;
		if (j >= 0 && may_pair(s, i, j - 1))
			pair_up(&s[0], i, &s[1], j - 1);
	}
}

static const op *next_function(const op *o)
{
	while (o && !op_func(o))
		o = o->next;
	return o;
}

/* Counts the values in functions that the other program does not have. */
static int values_elsewhere(const module *m, const module *other, arena *mem)
{
	int n = 0;
	for (const op *f = next_function(module_body(m)->first); f; f = next_function(f->next)) {
		side s = {0};
		const name *symbol = op_symbol(f);
		if (symbol && module_lookup(other, symbol))
			continue;
		look_at_function(f, mem, &s);
		n += s.values.len;
	}
	return n;
}

void match_values(const module *a, const module *b, arena *mem, value_matches *out)
{
	*out = (value_matches){.only = {values_elsewhere(a, b, mem), values_elsewhere(b, a, mem)}};
	for (const op *f = next_function(module_body(b)->first); f; f = next_function(f->next)) {
		const name *symbol = op_symbol(f);
		const op *g = symbol ? module_lookup(a, symbol) : NULL;
		side s[2] = {{{0}}, {{0}}};
		if (!g || !op_func(g))
			continue;
		s[0].named = s[1].named = has_named_arguments(f) && has_named_arguments(g);
		look_at_function(g, mem, &s[0]);
		look_at_function(f, mem, &s[1]);
		pair_unique(s, mem);
		pair_neighbours(s);
		for (int j = 0; j < s[1].values.len; j++) {
			int i = s[1].other[j];
			if (i >= 0)
				vec_push(mem, &out->pairs,
				         (value_pair){s[0].values.ptr[i], s[1].values.ptr[j]});
			out->only[1] += i < 0;
		}
		for (int i = 0; i < s[0].values.len; i++)
			out->only[0] += s[0].other[i] < 0;
	}
}
