/* session.c - prepares a program and runs it. */
#include "run/session.h"

/* ---- creating ------------------------------------------------------------------------------- */

session *session_new(tess_ctx *ctx, const session_opts *o)
{
	session *s = ctx_realloc(ctx, NULL, sizeof *s);
	if (!s)
		return NULL;
	*s = (session){.ctx = ctx, .opts = *o};
	atomic_init(&s->references, 1);
	s->pool = o->exec.pool ? o->exec.pool : &s->own;
	s->own.threads = o->exec.pool ? NULL : pool_new(o->exec.threads);
	const bool keeps = o->exec.shards && !o->exec.pool;
	s->own.store = keeps ? store_new() : NULL;
	s->own.idle = keeps ? idle_runs_new() : NULL;
	arena_init(&s->mem, ctx);
	arena_init(&s->planned, ctx);
	return s;
}

static bool ranks_exist(const session *s)
{
	const tess_exec_opts *o = &s->opts.exec;
	for (int64_t d = 0; o->device_ranks && s->opts.ranks && d < o->n_device_ranks; d++)
		if (o->device_ranks[d] < 0 || o->device_ranks[d] >= s->opts.ranks->n_ranks)
			return diag_error(s->ctx, NOWHERE, E_INPUT,
			                  "opts.device_ranks assigns device %" PRId64 " to rank %d; there are %d",
			                  d, o->device_ranks[d], s->opts.ranks->n_ranks);
	return true;
}

/* Rejects contradictory options. Runs on shards are not given input dimensions, and several may run
 * at once, so there is no last one to trace. Runs on whole tensors assign devices themselves. */
static bool options_agree(const session *s)
{
	const tess_exec_opts *o = &s->opts.exec;
	const char *other = o->direct ? "direct" : o->trace ? "trace" : NULL;
	if (o->shards && other)
		return diag_error(s->ctx, NOWHERE, E_INPUT,
		                  "opts.shards does not go with opts.%s", other);
	if (o->device_ranks && !o->shards)
		return diag_error(s->ctx, NOWHERE, E_INPUT,
		                  "opts.device_ranks needs opts.shards");
	return ranks_exist(s);
}

tess_status session_make(session *s, const module *m)
{
	if (!options_agree(s))
		return TESS_INVALID;
	if (s->opts.exec.shards && !s->pool->idle)
		return TESS_NOMEM;
	s->copy = module_clone(m);
	module_adopt(s->copy);
	s->mantissa = s->opts.nudged ? least_mantissa(s->copy) : 0;
	if (!program_make(s))
		return TESS_INVALID;
	if (s->open)
		return TESS_OK;
	plan_arguments(s);
	if (!plan_program(s))
		return TESS_INVALID;
	if (s->opts.exec.shards)
		shards_plan(s);
	return TESS_OK;
}

session *session_share(session *s)
{
	atomic_fetch_add_explicit(&s->references, 1, memory_order_relaxed);
	return s;
}

bool session_is_shared(const session *s)
{
	return atomic_load_explicit(&s->references, memory_order_relaxed) > 1;
}

void session_on_end(session *s, void (*ended)(void *user), void *user)
{
	s->ended = ended;
	s->ended_user = user;
}

static void session_end(session *s)
{
	void (*const ended)(void *) = s->ended;
	void *const user = s->ended_user;
	nudge_free(s);
	tensors_free(s);
	shards_free(s);
	plan_free(s);
	exec_plan_free(s->sized_by);
	module_free(s->local.module);
	module_free(s->unsized);
	module_free(s->copy);
	pool_free(s->own.threads);
	store_free(s->own.store);
	idle_runs_free(s->own.idle);
	arena_free(&s->planned);
	arena_free(&s->mem);
	ctx_realloc(s->ctx, s, 0);
	if (ended)
		ended(user);
}

void session_free(session *s)
{
	if (s && atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) == 1)
		session_end(s);
}

/* ---- properties ----------------------------------------------------------------------------- */

tess_ctx *session_ctx(const session *s) { return s->ctx; }
int64_t session_devices(const session *s) { return s->local.n_devices; }
int session_n_inputs(const session *s) { return s->local.n_args; }
int session_n_outputs(const session *s) { return s->local.n_results; }

bool session_has_shards(const session *s) { return s->shards != NULL; }
const type *session_input_shard(const session *s, int i) { return s->args[i].type; }
const type *session_output_shard(const session *s, int i) { return s->results[i].type; }
const global_value *session_input_value(const session *s, int i) { return &s->local.args[i]; }
const global_value *session_output_value(const session *s, int i) { return &s->local.results[i]; }

exec_facts session_facts(const session *s)
{
	return s->plan ? exec_plan_facts(s->plan) : (exec_facts){0};
}

tess_tensor tensor_of_type(const type *t, const void *data)
{
	return (tess_tensor){.name = "",
	                     .dtype = (tess_dtype)t->dtype,
	                     .rank = t->rank,
	                     .dims = t->dims,
	                     .data = data,
	                     .bytes = t->is_static ? (size_t)type_bytes(t) : 0};
}

tess_tensor session_input(const session *s, int i)
{
	return tensor_of_type(s->local.args[i].type, NULL);
}

tess_tensor session_output(const session *s, int i)
{
	return tensor_of_type(s->local.results[i].type, s->outputs ? s->outputs[i] : NULL);
}

void session_trace(const session *s, writer *w) { exec_trace_json(s->plan, w); }

/* ---- running --------------------------------------------------------------------------------- */

static bool inputs_fit(session *s, const tess_tensor *inputs, size_t n)
{
	if (n != (size_t)s->local.n_args)
		return diag_error(s->ctx, NOWHERE, E_INPUT, "%zu inputs for %d arguments", n,
		                  s->local.n_args);
	for (int i = 0; i < s->local.n_args; i++)
		if (!tensor_fits(s, i, &inputs[i]))
			return false;
	return true;
}

tess_status session_run(session *s, const tess_tensor *inputs, size_t n)
{
	if (!inputs_fit(s, inputs, n))
		return TESS_INVALID;
	if (s->opts.nudged && !(inputs = nudge_inputs(s, inputs)))
		return TESS_NOMEM;
	bool unplanned = false;
	if (s->open && !plan_open_arguments(s, inputs, &unplanned))
		return TESS_INVALID;
	tess_status status = tensors_cut(s, inputs);
	if (status == TESS_OK && unplanned && !plan_program(s))
		return TESS_INVALID;
	if (status == TESS_OK)
		status = exec_run(s->plan, s->args, s->results);
	return status == TESS_OK ? tensors_paste(s) : status;
}

void session_drop_half_plan(session *s)
{
	if (s->open)
		plan_free(s);
}
