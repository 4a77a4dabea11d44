/* state.c - the memory of one run of a plan.
 *
 * A plan does not change after it is made. What a run changes is in its state, so that several
 * states of one plan may run at the same time. */
#include "exec/steps/plan.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Fresh 4 kB pages cost more than most kernels that fill them, so memory is kept between runs and
 * requested in huge pages. */
static void *pages_new(size_t bytes)
{
	if (!bytes)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return p;
}

void exec_state_free(exec_state *r)
{
	if (!r)
		return;
	if (r->arena)
		munmap(r->arena, r->arena_bytes);
	if (r->messages)
		munmap(r->messages, r->p->message_bytes);
	if (r->ghosts)
		munmap(r->ghosts, r->p->ghost_bytes);
	if (r->scratch)
		munmap(r->scratch, r->scratch_bytes * (size_t)r->n_workers);
	probes_free(r->probes);
	trace_free(r->trace);
	free(r->tables);
	free(r->base);
	free(r->active);
	free(r->done);
	free(r);
}

static size_t rounded_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

/* ---- addresses of arguments and results ----------------------------------------------------- */

/* The number of slots in the caller's memory, with all their instances. */
static size_t count_given(const exec_plan *p)
{
	size_t n = 0;
	for (int i = 0; i < p->slots.len; i++)
		if (p->slots.ptr[i]->kind == IN_ARG)
			n += (size_t)p->slots.ptr[i]->cls->n;
	for (int i = 0; p->places && i < p->n_results; i++)
		n += (size_t)p->result_cls[i]->n;
	return n;
}

/* Makes tables of instances for each argument and result. Slots that share the memory of a result
 * have its table. */
static bool make_tables(struct run *r)
{
	const exec_plan *p = r->p;
	size_t n_slots = (size_t)p->slots.len, n_results = p->places ? (size_t)p->n_results : 0;
	r->tables = calloc(n_slots + n_results + count_given(p) + 1, sizeof(void *));
	if (!r->tables)
		return false;
	r->given = (char ***)r->tables;
	r->results = r->given + n_slots;
	char **next = (char **)(r->results + n_results);
	for (size_t i = 0; i < n_results; i++) {
		r->results[i] = next;
		next += p->result_cls[i]->n;
	}
	for (int i = 0; i < p->slots.len; i++) {
		const slot *s = p->slots.ptr[i], *root = slot_root((slot *)s);
		if (s->kind == IN_ARG) {
			r->given[i] = next;
			next += s->cls->n;
		} else if (root->kind == IN_RESULT) {
			r->given[i] = r->results[root->arg];
		}
	}
	return true;
}

char **exec_state_argument(exec_state *r, int i) { return r->given[r->p->args[i].slot->id]; }
char **exec_state_result(exec_state *r, int i) { return r->results[i]; }

size_t exec_state_bytes(const exec_state *r)
{
	return r->arena_bytes + r->p->message_bytes + r->p->ghost_bytes +
	       r->scratch_bytes * (size_t)r->n_workers;
}

/* ---- the state ------------------------------------------------------------------------------ */

exec_state *exec_state_new(exec_plan *p)
{
	struct run *r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->p = p;
	r->n_workers = p->opts.pool ? pool_size(p->opts.pool) : 1;
	r->arena_bytes = p->arena_bytes + !p->arena_bytes; /* empty values need an address, too */
	r->table_bytes = rounded_up(sizeof(char *) * (size_t)(p->max_tensors + 1), 64);
	r->scratch_bytes = rounded_up(r->table_bytes + p->scratch, 4096);
	r->arena = pages_new(r->arena_bytes);
	r->scratch = pages_new(r->scratch_bytes * (size_t)r->n_workers);
	r->base = calloc((size_t)p->slots.len + 1, sizeof *r->base);
	r->active = calloc((size_t)p->n_devices, 1);
	r->done = calloc((size_t)p->n_steps + 1, 1);
	r->trace = p->opts.trace ? trace_new(r->n_workers) : NULL;
	r->messages = pages_new(p->message_bytes);
	r->ghosts = pages_new(p->ghost_bytes);
	bool good = make_tables(r) && (r->messages || !p->message_bytes) && (r->ghosts || !p->ghost_bytes) &&
	            r->scratch && r->base && r->active && r->done &&
	            (r->arena || !r->arena_bytes) && (r->trace || !p->opts.trace);
	if (!good) {
		exec_state_free(r);
		return NULL;
	}
	return r;
}
