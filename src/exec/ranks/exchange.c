/* exchange.c - what ranks send each other.
 *
 * All ranks make the same plan, so each knows what every other one lacks: before a collective, the
 * instances of the operand that members of its devices' groups have (or only its part of them);
 * before control flow that differs between devices, all predicates; at the end, on rank 0, the
 * results. A rank stores what it fetches as ghosts, apart from its own instances. The collective
 * then runs as if everything were local, so that sums are formed in the same order as on one rank,
 * with the same bits.
 *
 * An instance is sent by the rank of the first device that has it. All that one rank sends another
 * before a step is one message. */
#include "exec/steps/plan.h"

#include <stdlib.h>

enum { WHOLE = -1 };

/* An instance, or a part of one, sent to or by `rank`. */
typedef struct parcel {
	int rank, ref;
	int32_t instance, part;
	size_t bytes;
	size_t ghost; /* offset of the instance among the ghosts */
} parcel;

typedef struct parcels {
	int n;
	parcel *list; /* sorted by rank */
} parcels;

typedef struct exchange {
	const ref *refs;
	const part_box *part;
	parcels out, in;
	bool own;         /* data goes to instances of this rank, not to ghosts */
	size_t bytes;     /* of all messages */
	int n_refs;
	size_t **ghost;   /* [ref][instance]: offset + 1; 0: not fetched. NULL: nothing of it is */
} exchange;

/* ---- planning ---------------------------------------------------------------------- */

typedef struct exchange_builder {
	exec_plan *p;
	const ref *refs;
	int n_refs;
	const part_box *part;
	bool talk; /* some rank needs something from another */
	VEC(parcel) out, in;
} exchange_builder;

static const classes *ref_classes(const ref *f) { return f->slot->cls; }

static int provider_of(const exec_plan *p, const classes *c, int32_t instance)
{
	return p->ranks->rank_of[c->first[instance]];
}

static bool rank_has(const exec_plan *p, const classes *c, int32_t instance, int rank)
{
	const ranks_plan *r = p->ranks;
	for (int32_t i = r->first[rank]; i < r->first[rank + 1]; i++)
		if (c->of[r->devices[i]] == instance)
			return true;
	return false;
}

/* Records that `rank` is going to read the instance. */
static void need(exchange_builder *b, int rank, int ref_index, int32_t instance, int32_t part)
{
	const exec_plan *p = b->p;
	const classes *c = ref_classes(&b->refs[ref_index]);
	arena *scratch = &p->ctx->scratch;
	const int self = p->opts.ranks->rank, provider = provider_of(p, c, instance);
	parcel x = {.ref = ref_index, .instance = instance, .part = part};
	if (rank == provider || rank_has(p, c, instance, rank))
		return;
	b->talk = true;
	if (rank == self) {
		x.rank = provider;
		vec_push(scratch, &b->in, x);
	} else if (provider == self) {
		x.rank = rank;
		vec_push(scratch, &b->out, x);
	}
}

/* One rank has written an instance that others hold, too: they get it. */
static void share_instance(exchange_builder *b, int ref_index, int32_t instance)
{
	const exec_plan *p = b->p;
	const classes *c = ref_classes(&b->refs[ref_index]);
	const int self = p->opts.ranks->rank, provider = provider_of(p, c, instance);
	for (int rank = 0; rank < p->opts.ranks->n_ranks; rank++) {
		if (rank == provider || !rank_has(p, c, instance, rank))
			continue;
		parcel x = {.rank = provider, .ref = ref_index, .instance = instance, .part = WHOLE};
		b->talk = true;
		if (rank == self)
			vec_push(&p->ctx->scratch, &b->in, x);
		x.rank = rank;
		if (provider == self)
			vec_push(&p->ctx->scratch, &b->out, x);
	}
}

static int parcel_order(const void *a, const void *b)
{
	const parcel *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->ref != y->ref)
		return x->ref < y->ref ? -1 : 1;
	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

static size_t part_bytes(const part_box *part)
{
	size_t n = (size_t)part->bytes;
	for (int i = 0; i < part->rank; i++)
		n *= (size_t)part->dims[i];
	return n;
}

/* Sorts the list and drops duplicates. */
static parcels parcels_end(exchange_builder *b, parcel *list, int n)
{
	int kept = 0;
	if (n)
		qsort(list, (size_t)n, sizeof *list, parcel_order);
	for (int i = 0; i < n; i++) {
		if (kept && parcel_order(&list[kept - 1], &list[i]) == 0)
			continue;
		list[kept] = list[i];
		const ref *f = &b->refs[list[i].ref];
		list[kept++].bytes = list[i].part == WHOLE ? f->slot->used - (size_t)f->offset
		                                           : part_bytes(b->part);
	}
	return (parcels){kept, COPY_N(&b->p->mem, list, kept)};
}

/* Assigns offsets to ghosts, from `at` on. */
static size_t place_ghosts(exec_plan *p, exchange *x, size_t at)
{
	x->ghost = NEW_N(&p->mem, size_t *, x->n_refs);
	for (int i = 0; i < x->in.n; i++) {
		parcel *k = &x->in.list[i];
		const slot *s = x->refs[k->ref].slot;
		if (!x->ghost[k->ref])
			x->ghost[k->ref] = NEW_N(&p->mem, size_t, s->cls->n);
		size_t *ghost = &x->ghost[k->ref][k->instance];
		if (!*ghost) {
			*ghost = at + 1;
			at += s->bytes;
		}
		k->ghost = *ghost - 1;
	}
	return at;
}

static const exchange *exchange_new(exchange_builder *b, size_t ghosts_at, bool own)
{
	exec_plan *p = b->p;
	((ranks_plan *)p->ranks)->talk |= b->talk;
	if (!b->in.len && !b->out.len)
		return NULL;
	exchange *x = NEW(&p->mem, exchange);
	*x = (exchange){.refs = b->refs, .part = b->part, .n_refs = b->n_refs, .own = own,
	                .out = parcels_end(b, b->out.ptr, b->out.len),
	                .in = parcels_end(b, b->in.ptr, b->in.len)};
	size_t end = own ? 0 : place_ghosts(p, x, ghosts_at);
	for (int i = 0; i < x->out.n; i++)
		x->bytes += x->out.list[i].bytes;
	for (int i = 0; i < x->in.n; i++)
		x->bytes += x->in.list[i].bytes;
	p->message_bytes = x->bytes > p->message_bytes ? x->bytes : p->message_bytes;
	p->ghost_bytes = end > p->ghost_bytes ? end : p->ghost_bytes;
	return x;
}

/* ---- what steps need --------------------------------------------------------------------- */

static int rank_of(const exchange_builder *b, int32_t device)
{
	return b->p->ranks->rank_of[device];
}

/* Each rank with a member of the group needs the operands of all members. */
static void need_members(exchange_builder *b, const step *s, const groups *g, int k)
{
	const classes *c = ref_classes(&b->refs[0]);
	const int32_t *members = g->members[k];
	bool root_reads = s->op->kind == OP_COLLECTIVE_REDUCE;
	bool root_sends = s->op->kind == OP_COLLECTIVE_BROADCAST && s->n_in == 1;
	int last_rank = -1;
	for (int i = 0; i < (root_reads ? 1 : g->sizes[k]); i++) {
		int rank = rank_of(b, members[i]);
		if (!b->part && rank == last_rank)
			continue;
		last_rank = rank;
		for (int j = 0; j < (root_sends ? 1 : g->sizes[k]); j++)
			need(b, rank, 0, c->of[members[j]], b->part ? i : WHOLE);
	}
}

static void need_sources(exchange_builder *b, const int32_t *sources)
{
	const classes *c = ref_classes(&b->refs[0]);
	for (int32_t d = 0; d < b->p->n_devices; d++)
		if (sources[d] >= 0)
			need(b, rank_of(b, d), 0, c->of[sources[d]], WHOLE);
}

static void need_predicates(exchange_builder *b, const classes *control)
{
	for (int32_t i = 0; i < control->n; i++)
		for (int rank = 0; rank < b->p->opts.ranks->n_ranks; rank++)
			if (b->p->ranks->busy[rank])
				need(b, rank, 0, i, WHOLE);
}

static bool plan_step_exchange(exec_plan *p, step *s)
{
	step_plan *k = s->plan;
	arena_mark mark = arena_here(&p->ctx->scratch);
	exchange_builder b = {.p = p, .refs = k->refs, .n_refs = s->n_in + s->n_out,
	                      .part = k->part};
	if (k->kind == STEP_HOST && s->n_out && !k->alone)
		return plan_unsupported(p, s->op, "on several ranks, this is");
	if (k->kind == STEP_COLLECTIVE && k->sources)
		need_sources(&b, k->sources);
	for (int i = 0; k->kind == STEP_COLLECTIVE && k->groups && i < k->groups->n; i++)
		need_members(&b, s, k->groups, i);
	if ((k->kind == STEP_CASE || k->kind == STEP_WHILE) && !classes_is_uniform(k->control))
		need_predicates(&b, k->control);
	for (int i = s->n_in; k->alone && i < s->n_in + s->n_out; i++)
		for (int32_t c = 0; c < ref_classes(&k->refs[i])->n; c++)
			share_instance(&b, i, c);
	k->exchange = exchange_new(&b, 0, k->alone);
	arena_back(&p->ctx->scratch, mark);
	return true;
}

static bool plan_list_exchanges(exec_plan *p, const step_list *list)
{
	for (int i = 0; i < list->len; i++) {
		step *s = list->ptr[i];
		if (!plan_step_exchange(p, s))
			return false;
		for (int k = 0; k < s->plan->n_blocks; k++)
			if (!plan_list_exchanges(p, &s->plan->blocks[k]))
				return false;
	}
	return true;
}

/* Results stay until the next run, so their ghosts come after those of all steps. */
bool plan_exchanges(exec_plan *p)
{
	if (!plan_list_exchanges(p, &p->main))
		return false;
	((ranks_plan *)p->ranks)->fingerprint = exchange_fingerprint(p);
	if (p->opts.shards)
		return true;
	exchange_builder b = {.p = p, .refs = p->results, .n_refs = p->n_results};
	for (int i = 0; i < p->n_results; i++)
		for (int32_t k = 0; k < p->result_cls[i]->n; k++)
			need(&b, 0, i, k, WHOLE);
	p->result_exchange = exchange_new(&b, p->ghost_bytes, false);
	return true;
}

/* ---- running ------------------------------------------------------------------------------- */

char *exchange_ghost(const struct run *r, const exchange *x, int ref_index, int32_t instance)
{
	size_t *ghost = x ? x->ghost[ref_index] : NULL;
	return ghost && ghost[instance] ? r->ghosts + ghost[instance] - 1 : NULL;
}

/* Copies a part, as a dense box, to a message or back. */
static void copy_part_box(const part_box *part, int32_t i, char *instance, char *message, bool out)
{
	int64_t dense[MAX_RANK];
	strides_of(part->dims, part->rank, dense);
	char *at = instance + i * part->step * part->bytes;
	if (out)
		box_copy(part->rank, part->dims, message, dense, at, part->strides, part->bytes);
	else
		box_copy(part->rank, part->dims, at, part->strides, message, dense, part->bytes);
}

static void move_parcel(const struct run *r, const exchange *x, const parcel *k, char *message,
                        bool out)
{
	const ref *f = &x->refs[k->ref];
	char *instance = out || x->own ? slot_instance(r, f->slot, k->instance) + f->offset
	                               : r->ghosts + k->ghost;
	if (k->part != WHOLE)
		copy_part_box(x->part, k->part, instance, message, out);
	else
		memcpy(out ? message : instance, out ? instance : message, k->bytes);
}

/* Starts a message to, or from, each rank in the list. @return the end of the last one's memory. */
static char *begin_messages(struct run *r, const exchange *x, const parcels *list, char *at,
                            int tag, bool out)
{
	transport *t = r->p->opts.ranks;
	for (int i = 0; i < list->n;) {
		int rank = list->list[i].rank;
		char *begin = at;
		for (; i < list->n && list->list[i].rank == rank; at += list->list[i++].bytes)
			if (out)
				move_parcel(r, x, &list->list[i], at, true);
		out ? t->send(t, rank, tag, begin, (size_t)(at - begin))
		    : t->receive(t, rank, tag, begin, (size_t)(at - begin));
	}
	return at;
}

void exchange_run(struct run *r, const exchange *x, int tag)
{
	if (!x)
		return;
	tag %= 32000;
	char *out = begin_messages(r, x, &x->in, r->messages, tag, false), *at = r->messages;
	begin_messages(r, x, &x->out, out, tag, true);
	if (!exchange_wait(r))
		return;
	for (int i = 0; i < x->in.n; at += x->in.list[i++].bytes)
		move_parcel(r, x, &x->in.list[i], at, false);
}
