/* run.c - runs programs partitioned over a mesh of virtual devices. */
#include "api/frame.h"
#include "api/module.h"
#include "api/run/ranks.h"
#include "run/run.h"

#include <stdlib.h>

/* ---- creating ------------------------------------------------------------------------------- */

tess_pool *tess_pool_new(int threads)
{
	tess_pool *p = malloc(sizeof *p);
	if (!p)
		return NULL;
	*p = (tess_pool){pool_new(threads), store_new(), idle_runs_new()};
	if (p->idle)
		return p;
	tess_pool_free(p);
	return NULL;
}

void tess_pool_free(tess_pool *p)
{
	if (!p)
		return;
	pool_free(p->threads);
	store_free(p->store);
	idle_runs_free(p->idle);
	free(p);
}

tess_exec *tess_exec_new(tess_module *m, const tess_exec_opts *opts)
{
	session_opts o = {.exec = TESS_EXEC_OPTS_INIT};
	frame f;
	if (!m || module_settle(m) != TESS_OK)
		return NULL;
	OPTS_READ(o.exec, opts);
	o.ranks = ranks_transport(o.exec.ranks);
	session *const made = session_new(m->ctx, &o);
	if (!made)
		return NULL;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.status = session_make(made, m->m);
	if (frame_end(&f) == TESS_OK)
		return made;
	session_free(made);
	return NULL;
}

void tess_exec_free(tess_exec *e) { session_free(e); }

/* ---- properties ----------------------------------------------------------------------------- */

int64_t tess_exec_devices(const tess_exec *e) { return e ? session_devices(e) : 0; }
uint64_t tess_exec_memory(const tess_exec *e) { return e ? session_facts(e).memory_bytes : 0; }
int64_t tess_exec_checks(const tess_exec *e) { return e ? session_facts(e).n_checks : 0; }
size_t tess_exec_input_count(const tess_exec *e) { return e ? (size_t)session_n_inputs(e) : 0; }
size_t tess_exec_output_count(const tess_exec *e) { return e ? (size_t)session_n_outputs(e) : 0; }

bool tess_exec_input(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (!out || i >= tess_exec_input_count(e))
		return false;
	*out = session_input(e, (int)i);
	return true;
}

bool tess_exec_output(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (!out || i >= tess_exec_output_count(e))
		return false;
	*out = session_output(e, (int)i);
	return true;
}

static tess_status list_signature(module *m, bool results, tess_tensor *list, size_t room, size_t *n)
{
	const type *const *types;
	const int found = program_signature(m, results, &types);
	if (found < 0)
		return TESS_INVALID;
	for (size_t i = 0; i < (size_t)found && i < room; i++)
		list[i] = tensor_of_type(types[i], NULL);
	*n = (size_t)found;
	return TESS_OK;
}

static tess_status module_signature(tess_module *m, bool results, tess_tensor *list, size_t room,
                                    size_t *n)
{
	frame f;
	if (n)
		*n = 0;
	if (!m || !n || (room && !list))
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.status = list_signature(m->m, results, list, room, n);
	return frame_end(&f);
}

tess_status tess_module_inputs(tess_module *m, tess_tensor *list, size_t room, size_t *n)
{
	return module_signature(m, false, list, room, n);
}

tess_status tess_module_outputs(tess_module *m, tess_tensor *list, size_t room, size_t *n)
{
	return module_signature(m, true, list, room, n);
}

/* ---- running ---------------------------------------------------------------------------- */

tess_status tess_exec_run(tess_exec *e, const tess_tensor *inputs, size_t n)
{
	frame f;
	if (!e || (n && !inputs) || session_has_shards(e))
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, session_ctx(e))) == 0)
		f.status = session_run(e, inputs, n);
	const tess_status status = frame_end(&f);
	if (status == TESS_NOMEM)
		session_drop_half_plan(e);
	return status;
}

/* ---- text ------------------------------------------------------------------------------- */

static char *tensor_text(tess_ctx *ctx, const tess_tensor *t)
{
	const type *type = type_tensor(ctx, (dtype)t->dtype, t->dims, t->rank);
	writer w = text_writer(ctx);
	mlir_print_attr(&w, ctx, attr_dense(ctx, type, t->data, t->bytes, false));
	return text_give(ctx, &w);
}

char *tess_tensor_print(tess_ctx *ctx, const tess_tensor *t)
{
	frame f;
	if (!ctx || !t || (!t->data && t->bytes) || !t->dtype)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = tensor_text(ctx, t);
	return frame_made(&f);
}

/* ---- trace ------------------------------------------------------------------------------ */

static char *trace_text(tess_exec *e)
{
	writer w = text_writer(session_ctx(e));
	session_trace(e, &w);
	return text_give(session_ctx(e), &w);
}

char *tess_exec_trace(tess_exec *e)
{
	frame f;
	if (!e)
		return NULL;
	if (setjmp(*frame_start(&f, session_ctx(e))) == 0)
		f.made = trace_text(e);
	return frame_made(&f);
}

/* ---- comparing --------------------------------------------------------------------------- */

tess_tolerance tess_tolerance_of(tess_dtype t) { return tolerance_of((dtype)t); }

bool tess_tensor_compare(const tess_tensor *got, const tess_tensor *expected,
                         tess_tolerance tolerance, tess_difference *out)
{
	return got && expected && out && tensors_agree(got, expected, NULL, tolerance, out);
}
