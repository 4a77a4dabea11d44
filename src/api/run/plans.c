/* plans.c - a cache of planned programs, by their text and options.
 *
 * Each has a context of its own, so that several threads may ask, plan and run; diagnostics of
 * planning are copied to the context of the caller. A program that is being planned is in the list
 * already, and other callers wait for it. */
#include <tessera/shards.h>

#include "api/frame.h"
#include "run/run.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct planned {
	struct planned *next;
	uint64_t hash;
	tess_str program;
	tess_exec_opts opts;
	tess_exec *e; /* NULL while it is being planned */
	uint64_t asked; /* number of the last call that asked for it */
} planned;

struct tess_plans {
	pthread_mutex_t lock;
	pthread_cond_t done; /* a program was planned, or cannot be */
	planned *list;
	size_t keep;
	uint64_t asked;
};

tess_plans *tess_plans_new(size_t keep)
{
	tess_plans *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->keep = keep;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->done, NULL);
	return p;
}

static void planned_free(planned *x)
{
	tess_exec_free(x->e);
	free((char *)x->program.ptr);
	free(x);
}

void tess_plans_free(tess_plans *p)
{
	if (!p)
		return;
	while (p->list) {
		planned *x = p->list;
		p->list = x->next;
		planned_free(x);
	}
	pthread_cond_destroy(&p->done);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

/* ---- finding -------------------------------------------------------------------------- */

static bool same_options(const tess_exec_opts *a, const tess_exec_opts *b)
{
	return a->whole == b->whole && a->faithful == b->faithful && a->threads == b->threads &&
	       a->max_bytes == b->max_bytes && a->proceed == b->proceed && a->outside == b->outside &&
	       a->answers == b->answers &&
	       a->user == b->user &&
	       a->as_is == b->as_is && a->pool == b->pool &&
	       a->whole_windows == b->whole_windows;
}

static planned *planned_find(const tess_plans *p, uint64_t hash, tess_str program,
                             const tess_exec_opts *o)
{
	for (planned *x = p->list; x; x = x->next)
		if (x->hash == hash && str_eq(x->program, program) && same_options(&x->opts, o))
			return x;
	return NULL;
}

static void planned_remove(tess_plans *p, planned *x)
{
	planned **at = &p->list;
	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	planned_free(x);
}

/* Among the programs that nobody else holds, drops all but the `keep` most recently used. */
static void forget_old(tess_plans *p)
{
	for (;;) {
		planned *oldest = NULL;
		size_t unused = 0;
		for (planned *x = p->list; x; x = x->next) {
			if (!x->e || session_is_shared(x->e))
				continue;
			unused++;
			oldest = oldest && oldest->asked < x->asked ? oldest : x;
		}
		if (unused <= p->keep)
			return;
		planned_remove(p, oldest);
	}
}

static planned *planned_add(tess_plans *p, uint64_t hash, tess_str program, const tess_exec_opts *o)
{
	planned *x = calloc(1, sizeof *x);
	char *copy = malloc(program.len + 1);
	if (!x || !copy) {
		free(x);
		free(copy);
		return NULL;
	}
	memcpy(copy, program.ptr, program.len);
	*x = (planned){p->list, hash, {copy, program.len}, *o, NULL, ++p->asked};
	p->list = x;
	return x;
}

/* ---- planning ------------------------------------------------------------------------- */

static tess_status say(tess_ctx *to, const tess_ctx *from)
{
	frame f;
	if (setjmp(*frame_start(&f, to)) == 0) {
		diags_copy(to, from);
		f.status = TESS_OK;
	}
	return frame_end(&f);
}

/* The program owns its context. */
static void end_context(void *user) { tess_ctx_free(user); }

static tess_status plan_text(const planned *x, const char *name, tess_ctx *errors, tess_exec **out)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	*out = NULL;
	if (!ctx)
		return TESS_NOMEM;
	tess_module *m = tess_module_parse(ctx, x->program, name, NULL);
	tess_exec *e = m ? tess_exec_new(m, &x->opts) : NULL;
	tess_module_free(m);
	if (errors && tess_diag_count(ctx))
		say(errors, ctx);
	tess_status status = e ? TESS_OK : tess_diag_errors(ctx) ? TESS_INVALID : TESS_NOMEM;
	if (e)
		session_on_end(e, end_context, ctx);
	else
		tess_ctx_free(ctx);
	*out = e;
	return status;
}

/* Plans an entry of the list; the lock is held before and after. */
static tess_status plan_entry(tess_plans *p, planned *x, const char *name, tess_ctx *errors,
                              tess_exec **out)
{
	pthread_mutex_unlock(&p->lock);
	tess_exec *e = NULL;
	tess_status status = plan_text(x, name, errors, &e);
	pthread_mutex_lock(&p->lock);
	x->e = e;
	if (e)
		*out = session_share(e);
	else
		planned_remove(p, x);
	forget_old(p);
	pthread_cond_broadcast(&p->done);
	return status;
}

static tess_status find_or_plan(tess_plans *p, tess_str program, const char *name,
                                const tess_exec_opts *o, tess_ctx *errors, tess_exec **out)
{
	const uint64_t hash = hash_bytes(program.ptr, program.len, 0);
	planned *x;
	while ((x = planned_find(p, hash, program, o)) && !x->e)
		pthread_cond_wait(&p->done, &p->lock);
	if (x) {
		x->asked = ++p->asked;
		*out = session_share(x->e);
		return TESS_OK;
	}
	x = planned_add(p, hash, program, o);
	return x ? plan_entry(p, x, name, errors, out) : TESS_NOMEM;
}

tess_status tess_plans_get(tess_plans *p, tess_str program, const char *name,
                           const tess_exec_opts *opts, tess_ctx *errors, tess_exec **out)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	if (out)
		*out = NULL;
	OPTS_READ(o, opts);
	o.struct_size = sizeof o;
	o.shards = true;
	if (!p || !out || (!program.ptr && program.len) || o.direct || o.ranks || o.trace)
		return TESS_USAGE;
	pthread_mutex_lock(&p->lock);
	tess_status status = find_or_plan(p, program, name, &o, errors, out);
	pthread_mutex_unlock(&p->lock);
	return status;
}
