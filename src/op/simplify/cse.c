/* cse.c - `cse`: equal operations without side effects are computed once.
 *
 * Two ops are equal if they have the same name, attributes, operands, result types and result
 * shardings. An op is compared with those before it in its own block and in the blocks around it,
 * up to an isolated op. Ops with regions are left alone, except those whose regions combine two
 * values by one op, as in most reductions. An op that is unused when it is visited is erased, too,
 * but only at the end, as in MLIR: ops that only it used stay. */
#include "op/op.h"

typedef struct cse_entry {
	struct cse_entry *next;
	op *op;
	const struct tess_op *root; /* the isolated op around the ops: nothing outside is visible */
	uint64_t hash;
} cse_entry;

typedef struct cse_scope {
	module *m;
	const op *root;
	cse_entry **buckets;
	uint32_t n_buckets; /* a power of two */
	VEC(op *) dead;
} cse_scope;

static uint64_t cse_hash(const op *o)
{
	const name *own = op_own_name(o);
	uint64_t h = hash_mix(o->kind, own ? own->id : 0);
	for (int i = 0; i < o->n_operands; i++)
		h = hash_mix(h, operand(o, i)->id);
	for (int i = 0; i < o->attrs.n; i++)
		h = hash_mix(hash_mix(h, o->attrs.ptr[i].name->id), o->attrs.ptr[i].value->hash);
	for (int i = 0; i < o->n_results; i++)
		h = hash_mix(h, result(o, i)->type->hash);
	return h;
}

/* For regions that combine two values by one op. */
static bool same_regions(const op *a, const op *b)
{
	for (int r = 0; r < op_n_regions(a); r++) {
		const block *x = op_block(a, r), *y = op_block(b, r);
		if (op_body_kind(a, r) != op_body_kind(b, r) ||
		    x->args[0]->type != y->args[0]->type || !attrs_same(&x->first->attrs, &y->first->attrs))
			return false;
	}
	return true;
}

static bool cse_equal(const op *a, const op *b)
{
	if (!op_alike(a, b))
		return false;
	for (int i = 0; i < a->n_operands; i++)
		if (operand(a, i) != operand(b, i))
			return false;
	return same_regions(a, b);
}

static bool is_compared(const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_body_kind(o, r) == OP_UNKNOWN)
			return false;
	return true;
}

static op *cse_find(const cse_scope *s, const op *o, uint64_t hash)
{
	for (cse_entry *e = s->buckets[hash & (s->n_buckets - 1)]; e; e = e->next)
		if (e->hash == hash && e->root == s->root && cse_equal(e->op, o))
			return e->op;
	return NULL;
}

static bool cse_unused(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (!value_unused(&o->results[i]))
			return false;
	return !op_has(o, TERMINATOR | SYMBOL) && op_is_dead_if_unused(o);
}

static void cse_block(cse_scope *s, block *b);

static void cse_regions(cse_scope *s, op *o)
{
	const op *outer = s->root;
	if (op_has(o, ISOLATED))
		s->root = o;
	for (int i = 0; i < op_n_regions(o); i++)
		for (block *b = op_region(o, i)->first; b; b = b->next)
			cse_block(s, b);
	s->root = outer;
}

/* @return the entry of an op that is new. */
static cse_entry *cse_op(cse_scope *s, op *o)
{
	uint64_t hash = hash_mix(cse_hash(o), s->root->id);
	op *same = cse_find(s, o, hash);
	if (same) {
		for (int i = 0; i < o->n_results; i++)
			value_replace_uses(result(o, i), result(same, i));
		op_erase(o);
		return NULL;
	}
	cse_entry **bucket = &s->buckets[hash & (s->n_buckets - 1)],
		  *e = NEW(&s->m->ctx->scratch, cse_entry);
	*e = (cse_entry){.next = *bucket, .op = o, .root = s->root, .hash = hash};
	return *bucket = e;
}

/* Entries of the block are removed at its end, newest first. */
static void cse_block(cse_scope *s, block *b)
{
	VEC(cse_entry *) mine = {0};
	for (op *o = b->first, *next; o; o = next) {
		next = o->next;
		cse_regions(s, o);
		cse_entry *added = NULL;
		if (cse_unused(o))
			vec_push(&s->m->ctx->scratch, &s->dead, o);
		else if (is_compared(o) && o->n_results && op_is_dead_if_unused(o))
			added = cse_op(s, o);
		if (added)
			vec_push(&s->m->ctx->scratch, &mine, added);
	}
	for (int i = mine.len - 1; i >= 0; i--)
		s->buckets[mine.ptr[i]->hash & (s->n_buckets - 1)] = mine.ptr[i]->next;
}

bool pass_cse(module *m, const pass_options *o)
{
	UNUSED(o);
	cse_scope s = {.m = m, .root = m->top, .n_buckets = 64};
	while (s.n_buckets < m->n_ops && s.n_buckets < 1u << 24)
		s.n_buckets *= 2;
	s.buckets = NEW_N(&m->ctx->scratch, cse_entry *, s.n_buckets);
	cse_block(&s, module_body(m));
	for (int i = s.dead.len - 1; i >= 0; i--)
		op_erase(s.dead.ptr[i]);
	return true;
}
