/* run.c - programs partitioned over a mesh of virtual devices, and run. */
#include "api/exec.h"
#include "api/frame.h"
#include "api/module.h"
#include "api/ranks.h"
#include "shardy/shardy.h"

/* ---- looking ------------------------------------------------------------------------- */

int64_t tess_exec_devices(const tess_exec *e) { return e->local.n_devices; }
uint64_t tess_exec_memory(const tess_exec *e)
{
	return e->plan ? exec_plan_facts(e->plan).memory_bytes : 0;
}
int64_t tess_exec_checks(const tess_exec *e)
{
	return e->plan ? exec_plan_facts(e->plan).n_checks : 0;
}
size_t tess_exec_input_count(const tess_exec *e) { return (size_t)e->local.n_args; }
size_t tess_exec_output_count(const tess_exec *e) { return (size_t)e->local.n_results; }

static tess_tensor tensor_of(const global_value *v, const void *data)
{
	const type *t = v->type;
	return (tess_tensor){.name = "",
	                     .dtype = (tess_dtype)t->dtype,
	                     .rank = t->rank,
	                     .dims = t->dims,
	                     .data = data,
	                     .bytes = (size_t)type_bytes(t)};
}

bool tess_exec_input(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (i >= (size_t)e->local.n_args)
		return false;
	*out = tensor_of(&e->local.args[i], NULL);
	return true;
}

bool tess_exec_output(const tess_exec *e, size_t i, tess_tensor *out)
{
	if (i >= (size_t)e->local.n_results)
		return false;
	*out = tensor_of(&e->local.results[i], e->outputs ? e->outputs[i] : NULL);
	return true;
}

/* ---- running --------------------------------------------------------------------------- */

/* Whether the elements can be taken as the program's: the same type, or one that
 * NumPy has no name for, in integers of its width. */
static bool dtype_fits(const tess_tensor *t, dtype want)
{
	if (t->dtype == (tess_dtype)want)
		return true;
	bool nameless = t->dtype == TESS_NO_DTYPE || t->dtype == TESS_UI8 || t->dtype == TESS_UI16;
	switch (want) {
	case DT_F16:
	case DT_F32:
	case DT_F64:
	case DT_I1:
	case DT_I8:
	case DT_I16:
	case DT_I32:
	case DT_I64:
	case DT_UI16:
	case DT_UI32:
	case DT_UI64:
	case DT_C64:
	case DT_C128: return false;
	default: return nameless || (want == DT_I4 && t->dtype == TESS_I8);
	}
}

static bool check_input(tess_exec *e, int i, const tess_tensor *t)
{
	const type *want = e->open ? e->open[i] : e->local.args[i].type;
	bool same = t->rank == want->rank && dtype_fits(t, want->dtype);
	for (int d = 0; same && d < t->rank; d++)
		same = t->dims[d] == want->dims[d] ||
		       (want->dims[d] == DIM_DYNAMIC && t->dims[d] >= 0);
	if (same && t->bytes == (size_t)type_bytes(type_with_dims(e->ctx, want, t->dims, t->rank)))
		return t->data || !t->bytes ||
		       diag_error(e->ctx, NOWHERE, E_INPUT, "input %d has no data", i);
	writer w;
	writer_init(&w, &e->ctx->scratch);
	put_f(&w, "input %d: argument %d is a ", i, i);
	mlir_print_type(&w, e->ctx, want);
	put_lit(&w, ", not a ");
	if (t->dtype != TESS_NO_DTYPE && t->rank >= 0)
		mlir_print_type(&w, e->ctx, type_tensor(e->ctx, (dtype)t->dtype, t->dims, t->rank));
	else
		put_f(&w, "tensor of rank %d of another type", t->rank);
	return diag_error(e->ctx, NOWHERE, E_INPUT, "%.*s", STR_ARG(writer_str(&w)));
}

/* Any device that holds a shard will do: they hold the same. */
static void paste_result(tess_exec *e, int i)
{
	const spread *s = &e->out[i];
	const exec_value *v = &e->results[i];
	uint8_t *pasted = NEW_N(&e->ctx->scratch, uint8_t, s->n);
	for (int64_t d = 0; d < (s->of ? e->local.n_devices : 1); d++) {
		int shard = s->of ? s->of[d] : 0;
		if (!pasted[shard])
			spread_paste(s, shard, v->data[v->of ? v->of[d] : 0], e->outputs[i]);
		pasted[shard] = true;
	}
}

static tess_status paste_results(tess_exec *e)
{
	if (!e->outputs) {
		e->pasted = NEW_N(&e->planned, void *, e->local.n_results + 1);
		e->outputs = NEW_N(&e->planned, void *, e->local.n_results + 1);
	}
	const transport *ranks = ranks_transport(e->opts.ranks);
	for (int i = 0; i < e->local.n_results && !(ranks && ranks->rank); i++) {
		if (exec_held_whole(&e->out[i])) {
			e->outputs[i] = e->results[i].data[0];
			continue;
		}
		if (!e->pasted[i])
			e->pasted[i] = ctx_realloc(
				e->ctx, NULL, (size_t)type_bytes(e->local.results[i].type) + 1);
		if (!e->pasted[i])
			return TESS_NOMEM;
		e->outputs[i] = e->pasted[i];
		paste_result(e, i);
	}
	return TESS_OK;
}

typedef struct run_exec_call {
	tess_exec *e;
	const tess_tensor *inputs;
	size_t n;
} run_exec_call;

static tess_status run_exec_body(tess_ctx *ctx, void *arg)
{
	run_exec_call *c = arg;
	tess_exec *e = c->e;
	if (c->n != (size_t)e->local.n_args) {
		diag_error(ctx, NOWHERE, E_INPUT, "%zu inputs for %d arguments", c->n,
		           e->local.n_args);
		return TESS_INVALID;
	}
	for (int i = 0; i < e->local.n_args; i++)
		if (!check_input(e, i, &c->inputs[i]))
			return TESS_INVALID;
	const tess_tensor *inputs = c->inputs; /* NULL where there are none */
	if (e->opts.nudged && !(inputs = nudge_inputs(e, inputs)))
		return TESS_NOMEM;
	tess_status status = e->open ? exec_plan_for(e, inputs) : exec_cut_inputs(e, inputs);
	if (status == TESS_OK)
		status = exec_run(e->plan, e->args, e->results);
	return status == TESS_OK ? paste_results(e) : status;
}

tess_status tess_exec_run(tess_exec *e, const tess_tensor *inputs, size_t n)
{
	run_exec_call c = {.e = e, .inputs = inputs, .n = n};
	if (!e || (n && !inputs))
		return TESS_USAGE;
	tess_status status = frame_run(CTX_OF(e), run_exec_body, &c);
	if (status == TESS_NOMEM && e->open)
		exec_drop_plan(e); /* it may be half of one */
	return status;
}

/* ---- text ----------------------------------------------------------------------------- */

typedef struct text_call {
	const tess_tensor *t;
	tess_str out;
} text_call;

static tess_status text_body(tess_ctx *ctx, void *arg)
{
	text_call *c = arg;
	const tess_tensor *t = c->t;
	const type *type = type_tensor(ctx, (dtype)t->dtype, t->dims, t->rank);
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	mlir_print_attr(&w, ctx, attr_dense(ctx, type, t->data, t->bytes, false));
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_tensor_text(tess_ctx *ctx, const tess_tensor *t)
{
	text_call c = {.t = t};
	return frame_run(ctx, text_body, &c) == TESS_OK ? c.out : (tess_str){0};
}

/* ---- trace ---------------------------------------------------------------------------- */

typedef struct trace_call {
	tess_exec *e;
	tess_str out;
} trace_call;

static tess_status trace_text_body(tess_ctx *ctx, void *arg)
{
	trace_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	exec_trace_json(c->e->plan, &w);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_exec_trace(tess_exec *e)
{
	trace_call c = {.e = e};
	return frame_run(CTX_OF(e), trace_text_body, &c) == TESS_OK ? c.out : (tess_str){0};
}
