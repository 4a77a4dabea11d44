/* turn.c - starts and ends a run of several ranks.
 *
 * Runs that use one transport take turns. Ranks that take different steps would wait for each other
 * until their patience ends, or worse. So the first rank sends a fingerprint of its steps to all
 * others. A failure on one rank is reported to all the others, with the rank's number. */
#include "exec/steps/plan.h"

enum { TAG_AGREE = 32000 };

/* ---- start and end -------------------------------------------------------------------------- */

static bool run_may_proceed(void *user)
{
	const struct run *r = user;
	const exec_opts *o = &r->p->opts;
	return o->proceed(o->user, r->next, r->p->main.len, 0);
}

void exchange_begin(struct run *r)
{
	const exec_plan *p = r->p;
	transport *t = p->opts.ranks;
	if (!p->ranks->talk)
		return;
	pthread_mutex_lock(&t->turn);
	t->proceed = p->opts.proceed ? run_may_proceed : NULL;
	t->user = r;
	t->begin(t, p->ranks->busy);
}

void exchange_end(struct run *r)
{
	transport *t = r->p->opts.ranks;
	if (!r->p->ranks->talk)
		return;
	t->proceed = NULL;
	pthread_mutex_unlock(&t->turn);
}

/* ---- failures ------------------------------------------------------------------------------- */

static void rank_fails(struct run *r, int rank, const char *why)
{
	r->status = TESS_INVALID;
	r->failed_at = NULL;
	r->failed_code = E_EXEC_RANK;
	snprintf(r->failed_text, sizeof r->failed_text, "rank %d%s%s", rank, why[0] == ' ' ? "" : ": ",
	         why);
}

bool exchange_wait(struct run *r)
{
	transport *t = r->p->opts.ranks;
	transport_trouble trouble = {0};
	transport_result result = t->wait(t, &trouble);
	if (result == TRANSPORT_STOPPED)
		r->status = TESS_STOPPED;
	else if (result != TRANSPORT_DONE)
		rank_fails(r, trouble.rank, trouble.why);
	r->told = result == TRANSPORT_FAILED; /* the other ranks know it, too */
	return result == TRANSPORT_DONE;
}

static const char *reason_of(const struct run *r)
{
	const tess_ctx *ctx = r->p->ctx;
	const int last = r->p->opts.shards ? -1 : diag_count(ctx) - 1;
	return r->failed_text[0]           ? r->failed_text
	       : last >= 0                 ? diag_at(ctx, last)->message.ptr
	       : r->status == TESS_STOPPED ? "it was stopped"
	                                   : "out of memory";
}

void exchange_fail(struct run *r)
{
	transport *t = r->p->opts.ranks;
	if (r->p->ranks->talk && !r->told)
		t->fail(t, reason_of(r));
	r->told = true;
}

void exchange_give_up(const exec_plan *p, const char *why)
{
	transport *t = p->opts.ranks;
	if (!p->ranks || !p->ranks->talk)
		return;
	pthread_mutex_lock(&t->turn);
	t->begin(t, p->ranks->busy);
	t->fail(t, why);
	pthread_mutex_unlock(&t->turn);
}

/* ---- checking that all ranks have the same program ------------------------------------------ */

static uint64_t list_fingerprint(uint64_t h, const step_list *list)
{
	for (int i = 0; i < list->len; i++) {
		const step *s = list->ptr[i];
		const step_plan *k = s->plan;
		h = hash_mix(h, (uint64_t)k->kind);
		h = hash_mix(h, s->op ? name_hash(str_of(op_name(s->op))) : 0);
		for (int t = 0; t < s->n_in + s->n_out; t++)
			h = hash_mix(h, k->refs[t].slot->used);
		h = hash_mix(h, (uint64_t)k->n_blocks);
		for (int b = 0; b < k->n_blocks; b++)
			h = list_fingerprint(h, &k->blocks[b]);
	}
	return h;
}

uint64_t exchange_fingerprint(const exec_plan *p)
{
	uint64_t h = (uint64_t)p->n_devices;
	for (int d = 0; d < p->n_devices; d++)
		h = hash_mix(h, (uint64_t)p->ranks->rank_of[d]);
	return list_fingerprint(h, &p->main);
}

void exchange_agree(struct run *r)
{
	const ranks_plan *k = r->p->ranks;
	transport *t = r->p->opts.ranks;
	uint64_t own = k->fingerprint, leader = own;
	char why[80];
	if (!k->talk)
		return;
	for (int rank = k->leader + 1; t->rank == k->leader && rank < t->n_ranks; rank++)
		if (k->busy[rank])
			t->send(t, rank, TAG_AGREE, &own, sizeof own);
	if (t->rank != k->leader)
		t->receive(t, k->leader, TAG_AGREE, &leader, sizeof leader);
	if (!exchange_wait(r) || own == leader)
		return;
	snprintf(why, sizeof why, " does not run the program that rank %d runs", k->leader);
	rank_fails(r, t->rank, why);
}
