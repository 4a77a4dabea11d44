/* verify.c - checks that a partitioned program computes the same as the whole one. */
#include <tessera/verify.h>

#include "api/frame.h"
#include "api/module.h"
#include "api/run/ranks.h"
#include "run/run.h"

static tess_verdict *verdict_new(tess_ctx *ctx)
{
	tess_verdict *v = ctx_realloc(ctx, NULL, sizeof *v);
	if (!v)
		return NULL;
	*v = (tess_verdict){.ctx = ctx};
	arena_init(&v->mem, ctx);
	return v;
}

void tess_verdict_free(tess_verdict *v)
{
	if (!v)
		return;
	arena_free(&v->mem);
	ctx_realloc(v->ctx, v, 0);
}

int64_t tess_verdict_devices(const tess_verdict *v) { return v ? v->devices : 0; }
size_t tess_verdict_count(const tess_verdict *v)
{
	return v ? (size_t)v->comparisons.len : 0;
}

const tess_comparison *tess_verdict_get(const tess_verdict *v, size_t i)
{
	return i < tess_verdict_count(v) ? &v->comparisons.ptr[i] : NULL;
}

/* The caller releases what `v` has allocated, even if memory runs out. */
static tess_status verify_in_frame(verification *v)
{
	frame f;
	if (setjmp(*frame_start(&f, v->ctx)) == 0)
		f.status = verify(v);
	return frame_end(&f);
}

tess_status tess_verify(tess_module *m, const tess_verify_opts *opts, tess_verdict **out)
{
	verification v = {.opts = TESS_VERIFY_OPTS_INIT};
	if (out)
		*out = NULL;
	if (!m || !out)
		return TESS_USAGE;
	OPTS_READ(v.opts, opts);
	if (module_settle(m) != TESS_OK)
		return TESS_INVALID;
	v.ctx = m->ctx;
	v.m = m->m;
	v.local = v.opts.local ? v.opts.local->m : NULL;
	v.ranks = ranks_transport(v.opts.ranks);
	v.verdict = verdict_new(m->ctx);
	tess_status status = v.verdict ? verify_in_frame(&v) : TESS_NOMEM;
	verification_end(&v); /* what it has made is in the verdict's memory */
	if (status == TESS_OK || (status == TESS_FAILED && v.compared))
		*out = v.verdict;
	else
		tess_verdict_free(v.verdict);
	return status;
}
