/* blame.c - attributes the time of collectives to the sites of a program.
 *
 * A plan is best changed where most is sent. For each collective the partitioner says which value
 * it moves and which operation required that. Its time is attributed to both, and to what the value
 * is computed from as long as that is a single value, since the value could be moved before it is
 * computed. */
#include "plan/applied.h"
#include "plan/polish.h"

#include "partition/partition.h"
#include "shardy/shardy.h"

typedef struct blame {
	const plan_subject *s;
	ptr_map site_of; /* by value: 1 + site */
	double *seconds; /* [n_sites] */
} blame;

static void add_blame(blame *b, const value *v, double seconds)
{
	int at = v ? (int)(intptr_t)ptr_map_get(&b->site_of, v) - 1 : -1;
	if (at >= 0)
		b->seconds[at] += seconds;
}

/* Returns the only value that an operation computes from, not counting constants; NULL: there are
 * several. */
static const value *only_source(const op *o)
{
	const value *source = NULL;
	for (int i = 0; o && i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const op *def = value_def(v);
		if (def && !def->n_operands)
			continue;
		if (source)
			return NULL;
		source = v;
	}
	return source;
}

static void blame_moved(blame *b, const value *v, double seconds)
{
	enum { STEPS = 4 };
	for (int i = 0; v && i < STEPS; i++) {
		add_blame(b, v, seconds);
		v = only_source(value_def(v));
	}
}

static void blame_collective(blame *b, const collective_origin *c, double seconds)
{
	blame_moved(b, c->moved, seconds);
	for (int i = 0; c->cause && i < (int)c->cause->n_results; i++)
		add_blame(b, result(c->cause, i), seconds);
	for (int i = 0; c->cause && !c->moved && i < c->cause->n_operands; i++)
		blame_moved(b, operand(c->cause, i), seconds);
}

/* Finds the sites of the program's values before it is propagated. */
static void find_values(const plan_subject *s, const module *m, arena *mem, blame *b)
{
	value *const *at = plan_values_of(s, m, mem);
	for (int i = 0; i < s->n_sites; i++)
		if (at[i])
			*ptr_map_at(&b->site_of, mem, at[i]) = (void *)(intptr_t)(i + 1); /* NOLINT: a number */
}

static void blame_collectives(blame *b, module *m, const target *t, arena *mem)
{
	origin_list origins = {0};
	local_program l;
	ptr_map by_op = {0};
	costs c;
	if (!partition_local(m, &(partition_options){.quiet = true, .counted = true, .origins = &origins}, mem, &l))
		return;
	if (program_countable(l.module)) {
		costs_of(l.module, NULL, &l.meshes, t, mem, &c);
		for (int i = 0; i < origins.len; i++)
			*ptr_map_at(&by_op, mem, origins.ptr[i].local) = (void *)(intptr_t)(i + 1); /* NOLINT */
		for (int i = 0; i < c.collectives.len; i++) {
			const collective *k = &c.collectives.ptr[i];
			intptr_t at = (intptr_t)ptr_map_get(&by_op, k->o);
			if (at)
				blame_collective(b, &origins.ptr[at - 1], k->times * k->seconds);
		}
	}
	module_free(l.module);
}

static void blame_plan(const plan_subject *s, const target *t, const plan *p, double *seconds)
{
	tess_ctx *ctx = s->m->ctx;
	arena *mem = &ctx->scratch;
	arena_mark here = arena_here(mem);
	diag_mark said = diag_here(ctx);
	blame b = {.s = s, .seconds = seconds};
	module *m = plan_applied(s, p);
	find_values(s, m, mem, &b);
	m = plan_propagate(m, NULL);
	if (m) {
		blame_collectives(&b, m, t, mem);
		module_free(m);
	}
	diag_back(ctx, said);
	arena_back(mem, here);
}

void search_blame(const plan_search *w, const plan_trial *t, const site_classes *c, double *seconds)
{
	const sketch_pair *few = &w->sketch.few;
	const plan_subject *s = few->layers ? &few->of[1] : w->s;
	const int *source = few->layers ? few->source[1] : NULL;
	arena *scratch = &w->ctx->scratch;
	arena_mark here = arena_here(scratch);
	double *of_site = NEW_N(scratch, double, s->n_sites + 1);
	plan p = t->p;
	p.at = NEW_N(scratch, const sharding *, s->n_sites + 1);
	for (int i = 0; i < s->n_sites; i++)
		p.at[i] = t->p.at[source ? source[i] : i];
	blame_plan(s, w->o->target, &p, of_site);
	for (int i = 0; i < s->n_sites; i++) {
		int class = c->of[source ? source[i] : i];
		if (class >= 0)
			seconds[class] += of_site[i];
	}
	arena_back(scratch, here);
}
