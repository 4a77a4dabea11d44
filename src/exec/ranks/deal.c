/* deal.c - which rank has which devices. */
#include "exec/steps/plan.h"

static int32_t *ranks_of_devices(exec_plan *p)
{
	const transport *t = p->opts.ranks;
	int32_t *of = NEW_N(&p->mem, int32_t, p->n_devices);
	for (int32_t d = 0; d < p->n_devices; d++)
		of[d] = p->opts.rank_of ? p->opts.rank_of[d]
		                        : transport_rank_of(t, p->n_devices, d);
	return of;
}

/* Counting sort: a rank's devices stay in order. */
static void list_devices(ranks_plan *r, const exec_plan *p, int32_t *first, int32_t *devices)
{
	const int n_ranks = p->opts.ranks->n_ranks;
	int32_t *next = NEW_N(&p->ctx->scratch, int32_t, n_ranks);
	for (int32_t d = 0; d < p->n_devices; d++)
		first[r->rank_of[d] + 1]++;
	for (int k = 0; k < n_ranks; k++) {
		first[k + 1] += first[k];
		next[k] = first[k];
	}
	for (int32_t d = 0; d < p->n_devices; d++)
		devices[next[r->rank_of[d]]++] = d;
}

ranks_plan *ranks_plan_new(exec_plan *p)
{
	const transport *t = p->opts.ranks;
	ranks_plan *r = NEW(&p->mem, ranks_plan);
	int32_t *first = NEW_N(&p->mem, int32_t, t->n_ranks + 1),
	        *devices = NEW_N(&p->mem, int32_t, p->n_devices);
	bool *busy = NEW_N(&p->mem, bool, t->n_ranks), *own = NEW_N(&p->mem, bool, p->n_devices);
	r->rank_of = ranks_of_devices(p);
	list_devices(r, p, first, devices);
	r->leader = t->n_ranks;
	for (int k = t->n_ranks; k-- > 0;) {
		busy[k] = first[k + 1] > first[k];
		r->leader = busy[k] ? k : r->leader;
	}
	for (int32_t d = 0; d < p->n_devices; d++)
		own[d] = r->rank_of[d] == t->rank;
	r->first = first;
	r->devices = devices;
	r->busy = busy;
	r->own = own;
	return r;
}
