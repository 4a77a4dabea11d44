/* combine.c - merges collectives among the same devices.
 *
 * Starting a collective takes a device as much time as sending some ten thousand bytes. Gradients,
 * means and variances, parts of a cache: often several collectives of one kind, among the same
 * groups, follow each other without waiting for one another. They become one with several operands.
 *
 * That is allowed at a point where all operands exist and no result has been used yet. Usually this
 * is the place of the last collective, and the others are postponed to it. A postponed operand
 * waits instead of its result, which is at least as large, so memory does not grow. But the data
 * could have been sent meanwhile, so the bytes that are merged are limited. If a result is used
 * before the last collective, that one may come earlier instead (gathered weights); its result then
 * waits, so this limit is lower.
 *
 * Only collectives move. A collective whose operand is made by another collective does not come
 * earlier, because the other one may have been postponed; nor does any if the first user may move.
 * Ops are numbered in pre-order; a use inside a region counts as a use by the enclosing op of the
 * block. */
#include "partition/local.h"

/* At most this many bytes are merged: as in XLA's combiners, an amount that takes far longer to
 * send than a collective takes to start. */
enum {
	MOST_TOGETHER = 32 << 20,
	MOST_EARLY = 8 << 20, /* if one comes earlier */
};

/* Collectives to be merged, in program order. */
typedef struct party {
	VEC(op *) members;
	int64_t bytes;
	uint32_t first_use; /* of a result of any member */
	op *first_user;
	bool early; /* the last one is after the first user, so it has to come earlier */
} party;

/* Collectives that may be merged have the same kind, groups and types as `model`. `now` is the
 * latest party of them. */
typedef struct likeness {
	const op *model;
	party *now;
} likeness;

typedef struct combiner {
	module *m;
	arena *mem;
	uint32_t *number; /* [op id] */
	cons_tab kinds;   /* of likeness */
	VEC(party *) parties;
} combiner;

/* ---- which collectives are merged ----------------------------------------------------------- */

static bool may_go_together(const op *o)
{
	switch (o->kind) {
	case OP_ALL_GATHER:
	case OP_ALL_TO_ALL: return true;
	case OP_ALL_REDUCE: return op_body_kind(o, 0) != OP_UNKNOWN;
	default: return false;
	}
}

static uint64_t likeness_hash(const op *o)
{
	uint64_t h = hash_mix(o->parent->id, (uint64_t)o->kind);
	for (int i = 0; i < o->attrs.n; i++)
		h = hash_mix(h, o->attrs.ptr[i].value->hash);
	return o->kind == OP_ALL_TO_ALL ? hash_mix(h, operand(o, 0)->type->hash) : h;
}

/* An all-to-all needs operands of one type, an all-reduce of one element type. */
static bool operands_agree(const op *a, const op *b)
{
	const type *x = operand(a, 0)->type, *y = operand(b, 0)->type;
	switch (a->kind) {
	case OP_ALL_TO_ALL: return x == y;
	case OP_ALL_REDUCE:
		return x->elem == y->elem && op_body_kind(a, 0) == op_body_kind(b, 0) &&
		       op_body(a)->args[0]->type == op_body(b)->args[0]->type;
	default: return true;
	}
}

static bool same_likeness(const void *obj, const void *key)
{
	const op *a = ((const likeness *)obj)->model, *b = key;
	if (a->kind != b->kind || a->parent != b->parent || a->attrs.n != b->attrs.n)
		return false;
	for (int i = 0; i < a->attrs.n; i++) {
		const named_attr *x = &a->attrs.ptr[i], *y = &b->attrs.ptr[i];
		if (x->name != y->name || x->value != y->value)
			return false;
	}
	return operands_agree(a, b);
}

static likeness *likeness_of(combiner *c, const op *o)
{
	uint64_t h = likeness_hash(o);
	likeness *l = cons_find(&c->kinds, h, same_likeness, o);
	if (l)
		return l;
	l = NEW(c->mem, likeness);
	l->model = o;
	cons_add(&c->kinds, c->mem, h, l);
	return l;
}

static int64_t moved_bytes(const op *o)
{
	int64_t sum = 0;
	for (int i = 0; i < o->n_results; i++)
		sum += max_i64(type_bytes(result(o, i)->type), type_bytes(operand(o, i)->type));
	return sum;
}

/* The op of block b that contains `inner`, or is `inner`. */
static op *op_in_block(op *inner, const block *b)
{
	while (inner->parent != b)
		inner = op_parent(inner);
	return inner;
}

static void note_uses(const combiner *c, party *p, const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		for (const use *u = result(o, i)->uses; u; u = u->next) {
			op *user = op_in_block(u->owner, o->parent);
			if (c->number[user->id] >= p->first_use)
				continue;
			p->first_use = c->number[user->id];
			p->first_user = user;
		}
}

/* True if the value exists before op number `at` of block b. */
static bool is_there(const combiner *c, const value *v, const block *b, uint32_t at)
{
	const op *def = value_def(v);
	return !def || (!op_has(def, COLLECTIVE) &&
	                (def->parent != b || c->number[def->id] < at));
}

/* True if the operands of `o` exist before op number `at`, or can move with it: the op that makes
 * them has one operand (a conversion of a weight). */
static bool could_come_before(const combiner *c, const op *o, uint32_t at)
{
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const op *def = value_def(v);
		if (is_there(c, v, o->parent, at))
			continue;
		if (op_has(def, COLLECTIVE) || def->n_operands != 1 || op_n_regions(def) ||
		    !op_is_dead_if_unused(def) || !is_there(c, operand(def, 0), o->parent, at))
			return false;
	}
	return true;
}

static bool may_join(const combiner *c, const party *p, const op *o, int64_t bytes)
{
	if (!p || p->bytes + bytes > MOST_TOGETHER)
		return false;
	if (!p->early && p->first_use > c->number[o->id])
		return true;
	return p->bytes + bytes <= MOST_EARLY && !op_has(p->first_user, COLLECTIVE) &&
	       could_come_before(c, o, p->first_use);
}

static void join_party(combiner *c, op *o)
{
	likeness *l = likeness_of(c, o);
	party *p = l->now;
	int64_t bytes = moved_bytes(o);
	if (!may_join(c, p, o, bytes)) {
		l->now = p = NEW(c->mem, party);
		p->first_use = UINT32_MAX;
		vec_push(c->mem, &c->parties, p);
	}
	p->early |= p->first_use <= c->number[o->id];
	vec_push(c->mem, &p->members, o);
	p->bytes += bytes;
	note_uses(c, p, o);
}

/* ---- the merged collective ------------------------------------------------------------------ */

static op *merged_party(combiner *c, const party *p)
{
	op *last = p->members.ptr[p->members.len - 1];
	VEC(value *) in = {0};
	VEC(const type *) out = {0};
	for (int i = 0; i < p->members.len; i++)
		for (int k = 0; k < p->members.ptr[i]->n_results; k++) {
			vec_push(c->mem, &in, operand(p->members.ptr[i], k));
			vec_push(c->mem, &out, result(p->members.ptr[i], k)->type);
		}
	op *one = op_new_like(c->m, last, in.ptr, in.len, out.ptr, out.len);
	op_set_loc(c->m, one, op_loc(last));
	for (int i = 0; i < op_n_regions(last); i++)
		region_take(op_region(one, i), op_region(last, i));
	if (!p->early) {
		op_insert_after(last, one);
		return one;
	}
	op_insert_before(p->first_user, one);
	for (int i = 0; i < in.len; i++) {
		op *def = value_def(in.ptr[i]);
		if (!def || op_has(def, COLLECTIVE) || def->parent != one->parent ||
		    c->number[def->id] < p->first_use)
			continue;
		op_unlink(def);
		op_insert_before(one, def);
		c->number[def->id] = 0;
	}
	return one;
}

static void merge_party(combiner *c, const party *p)
{
	op *one = merged_party(c, p);
	int at = 0;
	for (int i = 0; i < p->members.len; i++) {
		op *o = p->members.ptr[i];
		for (int k = 0; k < o->n_results; k++)
			value_replace_uses(result(o, k), result(one, at++));
		op_erase(o);
	}
}

/* Merges collectives if `merge`. @return how many that saves. */
static int combine(module *m, bool merge)
{
	arena *mem = &m->ctx->scratch;
	arena_mark mark = arena_here(mem);
	int fewer = 0;
	combiner c = {.m = m, .mem = mem, .number = NEW_N(mem, uint32_t, m->n_ops)};
	VEC(op *) found = {0};
	uint32_t n = 0;
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		c.number[o->id] = n++;
		if (may_go_together(o))
			vec_push(mem, &found, o);
	}
	for (int i = 0; i < found.len; i++)
		join_party(&c, found.ptr[i]);
	for (int i = 0; i < c.parties.len; i++) {
		fewer += c.parties.ptr[i]->members.len - 1;
		if (merge && c.parties.ptr[i]->members.len > 1)
			merge_party(&c, c.parties.ptr[i]);
	}
	arena_back(mem, mark);
	return fewer;
}

void combine_collectives(module *m) { combine(m, true); }
int combine_count(module *m) { return combine(m, false); }
