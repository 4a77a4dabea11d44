/* names.c - name-computations-apart: gives different named computations different names.
 *
 * After propagation, named computations with the same name and the same argument and result
 * shardings are taken for copies of one function (sdy-unflatten-call-graph). That is right if all
 * of them come from calls. But a program's own named computations may have the same name and
 * compute different things, or have the name of a function. */
#include "shardy/import/import.h"

typedef struct names_apart {
	module *m;
	int counter;      /* for unique names */
	ptr_map first_of; /* name -> the first computation with that name */
} names_apart;

static bool types_match(value *const *a, value *const *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i]->type != b[i]->type || a[i]->sharding != b[i]->sharding)
			return false;
	return true;
}

/* True if the blocks of two ops have arguments of the same types and shardings; records which
 * arguments correspond. */
static bool blocks_match(ptr_map *map, arena *mem, const op *a, const op *b)
{
	for (int r = 0; r < op_n_regions(a); r++) {
		const block *x = op_region(a, r)->first, *y = op_region(b, r)->first;
		for (; x && y; x = x->next, y = y->next) {
			if (x->n_args != y->n_args || !types_match(x->args, y->args, x->n_args))
				return false;
			for (int i = 0; i < x->n_args; i++)
				*ptr_map_at(map, mem, x->args[i]) = y->args[i];
		}
		if (x || y)
			return false;
	}
	return true;
}

static bool op_matches(ptr_map *map, arena *mem, const op *a, const op *b)
{
	if (!op_alike(a, b))
		return false;
	for (int i = 0; i < a->n_operands; i++) {
		void *other = ptr_map_get(map, operand(a, i));
		if ((other ? other : operand(a, i)) != operand(b, i))
			return false;
	}
	for (int i = 0; i < a->n_results; i++)
		*ptr_map_at(map, mem, result(a, i)) = result(b, i);
	return blocks_match(map, mem, a, b);
}

/* True if the bodies of two computations are copies of each other. */
static bool body_matches(arena *mem, const op *a, const op *b)
{
	ptr_map map = {0};
	if (!blocks_match(&map, mem, a, b))
		return false;
	const op *x = op_next(a, a), *y = op_next(b, b);
	for (; x && y; x = op_next(x, a), y = op_next(y, b))
		if (!op_matches(&map, mem, x, y))
			return false;
	return !x && !y;
}

static void name_apart(names_apart *n, op *named, const name *as)
{
	arena *mem = &n->m->ctx->scratch;
	const op **first = (const op **)ptr_map_at(&n->first_of, mem, as);
	bool taken = module_lookup(n->m, as) || (*first && !body_matches(mem, *first, named));
	if (!taken) {
		*first = *first ? *first : named;
		return;
	}
	const name *other;
	do
		other = name_of_z(n->m->ctx, arena_printf(mem, "%s_%d", as->s, n->counter++));
	while (module_lookup(n->m, other) || ptr_map_get(&n->first_of, other));
	*ptr_map_at(&n->first_of, mem, other) = named;
	op_set_attr(n->m, named, N_name, attr_string(n->m->ctx, other));
}

bool pass_name_computations_apart(module *m, const pass_options *o)
{
	UNUSED(o);
	if (!module_has(m, OP_SDY_NAMED_COMPUTATION))
		return true;
	names_apart n = {.m = m};
	for (op *i = m->top; i; i = op_next(i, m->top)) {
		const name *called = op_computation_name(i);
		if (called)
			name_apart(&n, i, called);
	}
	return true;
}
