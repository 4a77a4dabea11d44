/* combine.c - collectives among the same devices go together.
 *
 * Starting a collective costs a device as much time as sending some ten thousand bytes.
 * Gradients, means and variances, parts of a cache: many collectives of one kind, among
 * the same groups, follow each other, and none waits for another.  They become one of
 * several operands, in the place of the last.
 *
 * That is allowed if nobody uses the results of one before the last comes; then the
 * operands of the last do not depend on the others either.  Ops are numbered in
 * pre-order, so that a use inside of a region counts as one by the op around it.
 * What is moved back waits with its operand, which is no larger than its result, so no
 * more memory is needed; but as it could have been sent meanwhile, only so much goes
 * together. */
#include "partition/local.h"

/* Bytes that go together at most: as in XLA's combiners, what takes far longer to send
 * than to start. */
enum { MOST_TOGETHER = 32 << 20 };

/* Collectives that go together, in the order of the text. */
typedef struct party {
	VEC(op *) members;
	int64_t bytes;
	uint32_t first_use; /* of a result of any member */
} party;

/* The latest party of collectives like `model`. */
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

/* ---- which go together ----------------------------------------------------------------- */

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
		if (!name_is(o->attrs.ptr[i].name, N_channel_handle))
			h = hash_mix(h, o->attrs.ptr[i].value->hash);
	return h;
}

/* An all-to-all of several operands wants them of one type, an all-reduce of one element
 * type. */
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
		if (x->name != y->name ||
		    (x->value != y->value && !name_is(x->name, N_channel_handle)))
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

static uint32_t first_use_of(const combiner *c, const op *o)
{
	uint32_t first = UINT32_MAX;
	for (int i = 0; i < o->n_results; i++)
		for (const use *u = result(o, i)->uses; u; u = u->next)
			if (c->number[u->owner->id] < first)
				first = c->number[u->owner->id];
	return first;
}

static void join_party(combiner *c, op *o)
{
	likeness *l = likeness_of(c, o);
	party *p = l->now;
	int64_t bytes = moved_bytes(o);
	if (!p || p->first_use <= c->number[o->id] || p->bytes + bytes > MOST_TOGETHER) {
		l->now = p = NEW(c->mem, party);
		p->first_use = UINT32_MAX;
		vec_push(c->mem, &c->parties, p);
	}
	uint32_t first_use = first_use_of(c, o);
	vec_push(c->mem, &p->members, o);
	p->bytes += bytes;
	p->first_use = first_use < p->first_use ? first_use : p->first_use;
}

/* ---- the one that does it all ------------------------------------------------------------ */

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
	op *one = op_make(c->m, (op_kind)last->kind, in.ptr, in.len, out.ptr, out.len,
	                  last->n_regions);
	for (int i = 0; i < last->attrs.n; i++)
		op_set_attr_named(c->m, one, last->attrs.ptr[i].name, last->attrs.ptr[i].value);
	one->loc = last->loc;
	for (int i = 0; i < last->n_regions; i++)
		region_take(&one->regions[i], &last->regions[i]);
	op_insert_after(last, one);
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

void combine_collectives(module *m)
{
	arena *mem = &m->ctx->scratch;
	arena_mark mark = arena_here(mem);
	combiner c = {.m = m, .mem = mem, .number = NEW_N(mem, uint32_t, m->n_ops)};
	uint32_t n = 0;
	for (const op *o = m->top; o; o = op_next(o, m->top))
		c.number[o->id] = n++;
	for (op *o = m->top; o; o = op_next(o, m->top))
		if (may_go_together(o))
			join_party(&c, o);
	for (int i = 0; i < c.parties.len; i++)
		if (c.parties.ptr[i]->members.len > 1)
			merge_party(&c, c.parties.ptr[i]);
	arena_back(mem, mark);
}
