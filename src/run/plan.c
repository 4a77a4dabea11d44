/* plan.c - plans the program of a session for exec. */
#include "run/session.h"

/* ---- distributing values over devices ------------------------------------------------------- */

/* A faithful run gives each device its own instance. */
static void instance_per_device(session *s, exec_value *v)
{
	int32_t *of = NEW_N(&s->planned, int32_t, s->local.n_devices);
	for (int32_t d = 0; d < s->local.n_devices; d++)
		of[d] = d;
	v->of = of;
	v->n = (int)s->local.n_devices;
}

/* True if each device holds a term of its own of an unreduced value; arguments are not meant, since
 * they are cut out of the whole value. */
static bool holds_terms(const global_value *v)
{
	return v->sharding && v->sharding->n_unreduced;
}

static void distribution_values(session *s, const global_value *values, int n,
                                distribution **spreads, exec_value **shards)
{
	arena *mem = &s->planned;
	*spreads = NEW_N(mem, distribution, n + 1);
	*shards = NEW_N(mem, exec_value, n + 1);
	for (int i = 0; i < n; i++) {
		distribution *to = &(*spreads)[i];
		exec_value *v = &(*shards)[i];
		distribution_init(mem, &values[i], s->local.n_devices, to);
		*v = (exec_value){.type = type_with_dims(s->ctx, values[i].type, to->local, to->rank),
		                  .n = to->n, .of = to->of};
		if (s->opts.exec.faithful || (s->opts.exec.shards && holds_terms(&values[i])))
			instance_per_device(s, v);
		v->data = NEW_N(mem, void *, v->n);
		distribution_for_rank(mem, to, s->local.n_devices, s->opts.ranks);
	}
}

void plan_arguments(session *s)
{
	distribution_values(s, s->local.args, s->local.n_args, &s->in, &s->args);
}

/* ---- planning ------------------------------------------------------------------------------- */

static bool ask_caller(void *user, int64_t done, int64_t total, double seconds)
{
	const tess_exec_opts *o = user;
	return o->proceed(o->user, &(tess_progress){done, total, seconds, NULL});
}

static bool call_outside(void *user, const tess_outside_call *call)
{
	const tess_exec_opts *o = user;
	return o->outside(o->user, call);
}

static bool answers_outside(void *user, tess_str target)
{
	const tess_exec_opts *o = user;
	return o->answers(o->user, target);
}

static const op *entry_function(const session *s)
{
	const module *m = s->local.module;
	return s->function ? module_lookup(m, name_of_z(s->ctx, s->function)) : module_main(m);
}

/* Sets the types of values of a direct program; dimensions may be unknown until inputs come. */
static void set_types(const global_value *values, const type *const *types, int n)
{
	global_value *v = (global_value *)values;
	for (int i = 0; i < n; i++)
		v[i].type = types[i];
}

/* True if the devices run on several ranks. A program that each device runs alone, on its own, does
 * not if devices were assigned to ranks explicitly. */
static bool is_spread(const session *s)
{
	const tess_exec_opts *o = &s->opts.exec;
	return s->opts.ranks && (!o->device_ranks || o->n_device_ranks == s->local.n_devices);
}

bool plan_program(session *s)
{
	tess_exec_opts *o = &s->opts.exec;
	int devices = (int)s->local.n_devices;
	bool replicas = s->local.replicas;
	exec_opts eo = {.n_partitions = replicas ? 1 : devices,
	                .n_replicas = replicas ? devices : 1, .faithful = o->faithful,
	                .pool = s->pool->threads, .max_bytes = o->max_bytes,
	                .ranks = is_spread(s) ? s->opts.ranks : NULL, .rank_of = o->device_ranks,
	                .trace = o->trace, .shards = o->shards, .proceed = o->proceed ? ask_caller : NULL,
	                .outside = o->outside ? call_outside : NULL,
	                .answers = o->outside && o->answers ? answers_outside : NULL, .user = o};
	if (!exec_plan_new(&s->plan, s->local.module, entry_function(s), &eo, s->args))
		return false;
	if (o->direct) { /* the program may have unknown dimensions, the plan has none */
		const type *const *types;
		int n = exec_result_types(s->plan, &types);
		set_types(s->local.results, types, n);
	}
	distribution_values(s, s->local.results, s->local.n_results, &s->out, &s->results);
	if (s->opts.local) { /* watched values are read device by device */
		exec_value *more = NEW_N(&s->planned, exec_value,
		                         s->local.n_results + s->n_watched + 1);
		memcpy(more, s->results, sizeof *more * (size_t)s->local.n_results);
		s->results = more;
	}
	return true;
}

void plan_free(session *s)
{
	exec_plan_free(s->plan);
	s->plan = NULL;
}

/* ---- programs with unknown dimensions ------------------------------------------------------- */

static bool is_planned_for(const session *s, const exec_value *args)
{
	const exec_plan *p = s->unsized ? s->sized_by : s->plan;
	return s->plan && p && exec_plan_fits(p, args);
}

bool plan_open_arguments(session *s, const tess_tensor *inputs, bool *unplanned)
{
	int n = s->local.n_args;
	exec_value *args = NEW_N(&s->ctx->scratch, exec_value, n + 1);
	const type **types = NEW_N(&s->ctx->scratch, const type *, n + 1);
	for (int i = 0; i < n; i++) {
		void **data = NEW(&s->ctx->scratch, void *);
		*data = (void *)inputs[i].data;
		types[i] = type_with_dims(s->ctx, s->open[i], inputs[i].dims, inputs[i].rank);
		args[i] = (exec_value){.data = data, .n = 1, .type = types[i]};
	}
	*unplanned = !is_planned_for(s, args);
	if (!*unplanned)
		return true;
	plan_free(s);
	tensors_free(s);
	arena_free(&s->planned);
	if (!s->unsized)
		set_types(s->local.args, types, n);
	else if (!program_make_sized(s, args))
		return false;
	plan_arguments(s);
	return true;
}
