/* run_make.c - a program made ready to run: propagated, partitioned, planned. */
#include "api/exec.h"
#include "api/frame.h"
#include "api/module.h"
#include "api/ranks.h"
#include "shardy/shardy.h"

/* Every annotation goes but those of manual computations, which say what their bodies see. */
static void forget_annotations(module *m)
{
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->sharding = NULL;
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					b->args[i]->sharding = NULL;
		if (op_is_func(o))
			for (int i = 0; i < op_func(o)->type->n_out; i++)
				op_func(o)->result_shardings[i] = NULL;
	}
}

/* What a partitioner has put in: it gives the same global value. */
static bool is_move(int kind)
{
	return kind == OP_SDY_ALL_GATHER || kind == OP_SDY_ALL_SLICE || kind == OP_SDY_ALL_TO_ALL ||
	       kind == OP_SDY_COLLECTIVE_PERMUTE || kind == OP_SDY_ALL_REDUCE ||
	       kind == OP_SDY_REDUCE_SCATTER;
}

/* Constraints, groups and barriers mean nothing where nothing is sharded. */
static void forget_constraints(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		bool passes_on = is_move(o->kind) || o->kind == OP_SDY_SHARDING_CONSTRAINT ||
		                 o->kind == OP_SDY_RESHARD || o->kind == OP_SDY_PROPAGATION_BARRIER;
		if (passes_on)
			value_replace_uses(result(o, 0), operand(o, 0));
		if (passes_on || o->kind == OP_SDY_SHARDING_GROUP)
			op_erase(o);
	}
}

/* After propagation, before anything is changed for the sake of running it. */
static void watch_main(tess_exec *e)
{
	op *f = module_main(e->copy);
	e->n_results = f && !func_is_declaration(f) ? op_func(f)->type->n_out : 0;
	if (f && !func_is_declaration(f) && e->opts.watch_count)
		watch_values(e, e->copy, f, e->opts.watch_first, e->opts.watch_count);
}

static bool prepare(tess_exec *e)
{
	if (!e->opts.whole) {
		bool good = e->opts.as_is || propagate_for_partitioning(e->copy);
		watch_main(e);
		return good;
	}
	watch_main(e);
	if (!passes_run(e->copy, "inline,sdy-lift-inlined-meshes"))
		return false;
	forget_annotations(e->copy);
	forget_constraints(e->copy);
	return true;
}

/* Of values of an own program, which may lie open until there are inputs. */
static void set_types(const global_value *values, const type *const *types, int n)
{
	global_value *v = (global_value *)values;
	for (int i = 0; i < n; i++)
		v[i].type = types[i];
}

static const global_value *whole_values(tess_exec *e, const type *const *types, int n)
{
	const global_value *v = NEW_N(&e->mem, global_value, n + 1);
	set_types(v, types, n);
	return v;
}

/* The function that was asked for, else @main, else the only one. */
static op *entry_function(const tess_exec *e, const module *m)
{
	if (!e->opts.function)
		return module_main(m);
	op *o = module_lookup(m, name_of_z(e->ctx, e->opts.function));
	return o && op_is_func(o) ? o : NULL;
}

static bool entry_error(const tess_exec *e, const char *what)
{
	writer w;
	writer_init(&w, &e->ctx->scratch);
	int n = 0;
	for (const op *o = module_body(e->copy)->first; o; o = o->next)
		if (op_is_func(o) && !func_is_declaration(o) && n++ < 8)
			put_f(&w, "%s@%s", n > 1 ? ", " : "", op_symbol(o)->s);
	if (!n)
		return diag_error(e->ctx, NOWHERE, E_INPUT,
		                  "there is no function to run: the module has "
		                  "none with a body");
	return diag_error(e->ctx, NOWHERE, E_INPUT, "%s; there %s %.*s%s", what,
	                  n > 1 ? "are" : "is", STR_ARG(writer_str(&w)), n > 8 ? ", ..." : "");
}

/* The function to be run: the one asked for, @main, or the only public one. */
static op *direct_entry(const tess_exec *e)
{
	if (e->opts.function) {
		op *f = entry_function(e, e->copy);
		if (f && !func_is_declaration(f))
			return f;
		writer w;
		writer_init(&w, &e->ctx->scratch);
		put_f(&w, "there is no function @%s with a body%c", e->opts.function, 0);
		return entry_error(e, w.ptr), NULL;
	}
	op *main = module_lookup(e->copy, name_of_z(e->ctx, "main")), *only = NULL;
	if (main && op_is_func(main) && !func_is_declaration(main))
		return main;
	bool several = false;
	for (op *o = module_body(e->copy)->first; o; o = o->next) {
		const attr *hidden = op_is_func(o) ? op_attr(o, N_sym_visibility) : NULL;
		if (!op_is_func(o) || func_is_declaration(o) ||
		    (hidden && hidden->text && strcmp(hidden->text->s, "public")))
			continue;
		several |= only != NULL;
		only = only ? only : o;
	}
	if (only && !several)
		return only;
	return entry_error(e, "which function? There is no @main, and not one public function"),
	       NULL;
}

/* The program as it is written, on one device. */
static bool direct_program(tess_exec *e)
{
	op *f = direct_entry(e);
	if (!f || !entry_make_plain(e, e->copy, f))
		return false;
	e->opts.function = op_symbol(f)->s;
	const type *t = op_func(f)->type;
	e->local = (local_program){.module = e->copy, .n_devices = 1, .n_args = t->n_in,
	                           .n_results = t->n_out, .args = whole_values(e, t->in, t->n_in),
	                           .results = whole_values(e, t->out, t->n_out)};
	e->copy = NULL;
	e->open = exec_needs_arguments(e->local.module, f) ? t->in : NULL;
	return true;
}

static bool partition_program(tess_exec *e)
{
	partition_options po = {.quiet = true, .merge = true};
	op *main = module_main(e->copy);
	if (main && !entry_make_plain(e, e->copy, main))
		return false;
	return prepare(e) && partition_local(e->copy, &po, &e->mem, &e->local);
}

/* Outputs are whole values. */
static bool partitioned_program(tess_exec *e)
{
	if (!partition_program(e))
		return false;
	local_program_complete(&e->local, &e->mem);
	return true;
}

/* ---- a program of one device -------------------------------------------------------------- */

/* It says itself how arguments and results are spread. */
static bool local_as_it_is(tess_exec *e)
{
	op *f = module_main(e->copy);
	if (e->opts.whole || e->opts.as_is || e->opts.watch_count)
		return program_wants_global(e->copy, e->opts.whole ? "a run as a whole"
		                            : e->opts.as_is ? "another reshard policy"
		                                            : "the search for a difference");
	if (func_is_declaration(f))
		return entry_error(e, "@main has no body");
	if (!entry_make_plain(e, e->copy, f))
		return false;
	bool good = local_program_read(e->copy, &e->mem, &e->local);
	e->copy = NULL;
	if (good)
		local_program_complete(&e->local, &e->mem);
	e->n_results = e->local.n_results;
	return good;
}

/* ---- a program that was partitioned elsewhere ------------------------------------------ */

/* What the local program says of itself counts, if it is about the same values. */
static bool take_marked(tess_exec *e, module *local)
{
	local_program own;
	if (!local_program_read(local, &e->mem, &own))
		return false;
	bool same = own.n_args == e->local.n_args && own.n_results == e->local.n_results;
	for (int i = 0; same && i < own.n_args; i++)
		same = own.args[i].type == e->local.args[i].type;
	for (int i = 0; same && i < own.n_results; i++)
		same = own.results[i].type == e->local.results[i].type;
	if (!same || own.n_devices != e->local.n_devices)
		return diag_error(e->ctx, op_place(local, module_main(local)), E_INPUT,
		                  "the partitioned program has, by tess.global_type, other "
		                  "arguments, results or devices than the global one");
	e->local.args = own.args;
	e->local.results = own.results;
	return true;
}

/* What devices hold of a global value may also be all of it. */
static bool fits_local(tess_exec *e, global_value *g, const type *local, const char *what, int i)
{
	spread s;
	spread_init(&e->mem, g, e->local.n_devices, &s);
	const type *want = type_with_dims(e->ctx, g->type, s.local, s.rank);
	if (want == local)
		return true;
	if (local == g->type) {
		g->sharding = NULL;
		return true;
	}
	writer w;
	writer_init(&w, &e->ctx->scratch);
	mlir_print_type(&w, e->ctx, local);
	put_z(&w, ", and the global program's sharding gives devices ");
	mlir_print_type(&w, e->ctx, want);
	return diag_error(e->ctx, NOWHERE, E_INPUT, "%s %d of the partitioned program is %.*s",
	                  what, i, STR_ARG(writer_str(&w)));
}

static bool take_local(tess_exec *e, const op *f)
{
	const type *t = op_func(f)->type;
	global_value *args = (global_value *)e->local.args,
		     *results = (global_value *)e->local.results;
	if (t->n_in != e->local.n_args || t->n_out != e->local.n_results)
		return diag_error(
			e->ctx, NOWHERE, E_INPUT,
			"the partitioned program has %d arguments and %d results, the global "
			"one %d and %d",
			t->n_in, t->n_out, e->local.n_args, e->local.n_results);
	for (int i = 0; i < t->n_in; i++)
		if (!fits_local(e, &args[i], t->in[i], "argument", i))
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (!fits_local(e, &results[i], t->out[i], "result", i))
			return false;
	return true;
}

/* The global program says how arguments and results are spread, unless the local one does. */
static bool given_program(tess_exec *e)
{
	int64_t count = e->opts.watch_count;
	e->opts.watch_count = 0;
	if (!partition_program(e))
		return false;
	module_free(e->local.module);
	e->local.module = module_clone(e->opts.local->m);
	op *f = module_main(e->local.module);
	if (!f || func_is_declaration(f))
		return diag_error(e->ctx, NOWHERE, E_INPUT, "the partitioned program has no @main");
	if (!entry_make_plain(e, e->local.module, f))
		return false;
	bool marked = program_is_local(e->local.module);
	if (marked ? !take_marked(e, e->local.module) : !take_local(e, f))
		return false;
	local_program_complete(&e->local, &e->mem);
	watch_values(e, e->local.module, f, e->opts.watch_first, count);
	return true;
}

/* Each device its own instance, as a faithful run has it. */
static void instance_per_device(tess_exec *e, exec_value *v)
{
	int32_t *of = NEW_N(&e->planned, int32_t, e->local.n_devices);
	for (int32_t d = 0; d < e->local.n_devices; d++)
		of[d] = d;
	v->of = of;
	v->n = (int)e->local.n_devices;
}

static void spread_values(tess_exec *e, const global_value *values, int n, spread **spreads,
                          exec_value **shards)
{
	arena *mem = &e->planned;
	*spreads = NEW_N(mem, spread, n + 1);
	*shards = NEW_N(mem, exec_value, n + 1);
	for (int i = 0; i < n; i++) {
		spread *s = &(*spreads)[i];
		exec_value *v = &(*shards)[i];
		spread_init(mem, &values[i], e->local.n_devices, s);
		*v = (exec_value){.type = type_with_dims(e->ctx, values[i].type, s->local, s->rank),
		                  .n = s->n, .of = s->of};
		if (e->opts.faithful)
			instance_per_device(e, v);
		v->data = NEW_N(mem, void *, v->n);
		spread_for_rank(mem, s, e->local.n_devices, ranks_transport(e->opts.ranks));
	}
}

static bool ask_caller(void *user, int64_t done, int64_t total, double seconds)
{
	const tess_exec *e = user;
	return e->opts.proceed(e->opts.user, &(tess_progress){done, total, seconds});
}

static bool plan_program(tess_exec *e)
{
	exec_opts eo = {.n_partitions = (int)e->local.n_devices, .faithful = e->opts.faithful,
	                .pool = e->pool, .max_bytes = e->opts.max_bytes,
	                .ranks = ranks_transport(e->opts.ranks), .trace = e->opts.trace,
	                .proceed = e->opts.proceed ? ask_caller : NULL, .user = e};
	if (!exec_plan_new(&e->plan, e->local.module, entry_function(e, e->local.module), &eo,
	                   e->args))
		return false;
	if (e->opts.direct) { /* the program may leave dimensions open, the plan does not */
		const type *const *types;
		int n = exec_result_types(e->plan, &types);
		set_types(e->local.results, types, n);
	}
	spread_values(e, e->local.results, e->local.n_results, &e->out, &e->results);
	if (e->opts.local) { /* what it computes besides is looked at device by device */
		exec_value *more = NEW_N(&e->planned, exec_value,
		                         e->local.n_results + e->n_watched + 1);
		memcpy(more, e->results, sizeof *more * (size_t)e->local.n_results);
		e->results = more;
	}
	return true;
}

static tess_status exec_new_body(tess_ctx *ctx, void *arg)
{
	tess_exec *e = arg;
	UNUSED(ctx);
	e->mantissa = e->opts.nudged ? least_mantissa(e->copy) : 0;
	if (e->opts.direct                ? !direct_program(e)
	    : e->opts.local              ? !given_program(e)
	    : program_is_local(e->copy) ? !local_as_it_is(e)
	                                 : !partitioned_program(e))
		return TESS_INVALID;
	if (e->open)
		return TESS_OK;
	spread_values(e, e->local.args, e->local.n_args, &e->in, &e->args);
	return plan_program(e) ? TESS_OK : TESS_INVALID;
}

static tess_status copy_body(tess_ctx *ctx, void *arg)
{
	UNUSED(ctx);
	*(module **)arg = module_clone(*(module **)arg);
	return TESS_OK;
}

tess_exec *tess_exec_new(tess_module *m, const tess_exec_opts *opts)
{
	tess_exec_opts o = TESS_EXEC_OPTS_INIT;
	if (!m)
		return NULL;
	tess_ctx *ctx = m->ctx;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	module *copy = m->m;
	tess_exec *e = NULL;
	if (module_settle(m) == TESS_OK && frame_run(ctx, copy_body, &copy) == TESS_OK)
		e = ctx_realloc(ctx, NULL, sizeof *e);
	if (!e) {
		if (copy != m->m)
			module_free(copy);
		return NULL;
	}
	*e = (tess_exec){.ctx = ctx, .copy = copy, .opts = o, .pool = pool_new(o.threads)};
	arena_init(&e->mem, ctx);
	arena_init(&e->planned, ctx);
	tess_status status = frame_run(ctx, exec_new_body, e);
	if (status == TESS_OK)
		return e;
	if (status == TESS_NOMEM && e->local.module != copy)
		e->local.module = NULL; /* the frame has released it */
	tess_exec_free(e);
	return NULL;
}

static void free_buffers(tess_exec *e)
{
	for (int i = 0; i < e->local.n_args && e->args; i++)
		for (int k = 0; e->in[i].owned && k < e->in[i].n; k++)
			ctx_realloc(e->ctx, e->in[i].owned[k], 0);
	for (int i = 0; i < e->local.n_results && e->pasted; i++)
		ctx_realloc(e->ctx, e->pasted[i], 0);
	e->args = NULL;
	e->pasted = NULL;
	e->outputs = NULL;
}

void exec_drop_plan(tess_exec *e)
{
	exec_plan_free(e->plan);
	e->plan = NULL;
}

void tess_exec_free(tess_exec *e)
{
	if (!e)
		return;
	nudge_free(e);
	free_buffers(e);
	exec_drop_plan(e);
	if (e->local.module)
		module_free(e->local.module);
	if (e->copy)
		module_free(e->copy);
	if (e->pool)
		pool_free(e->pool);
	arena_free(&e->planned);
	arena_free(&e->mem);
	ctx_realloc(e->ctx, e, 0);
}

/* ---- a program with open dimensions ---------------------------------------------------- */

tess_status exec_plan_for(tess_exec *e, const tess_tensor *inputs)
{
	int n = e->local.n_args;
	exec_value *args = NEW_N(&e->ctx->scratch, exec_value, n + 1);
	const type **types = NEW_N(&e->ctx->scratch, const type *, n + 1);
	for (int i = 0; i < n; i++) {
		void **data = NEW(&e->ctx->scratch, void *);
		*data = (void *)inputs[i].data;
		types[i] = type_with_dims(e->ctx, e->open[i], inputs[i].dims, inputs[i].rank);
		args[i] = (exec_value){.data = data, .n = 1, .type = types[i]};
	}
	if (e->plan && exec_plan_fits(e->plan, args))
		return exec_cut_inputs(e, inputs);
	exec_drop_plan(e);
	free_buffers(e);
	arena_free(&e->planned);
	set_types(e->local.args, types, n);
	spread_values(e, e->local.args, n, &e->in, &e->args);
	tess_status status = exec_cut_inputs(e, inputs);
	return status != TESS_OK ? status : plan_program(e) ? TESS_OK : TESS_INVALID;
}

/* Whether each device holds the whole value: then there is nothing to cut or paste. */
bool exec_held_whole(const spread *s)
{
	const type *t = s->global->type;
	for (int d = 0; d < s->rank; d++)
		if (s->local[d] != t->dims[d])
			return false;
	return s->n == 1;
}

/* The shards of a value, in memory that is kept for the next run. */
static tess_status cut_input(tess_exec *e, spread *s, const void *data)
{
	bool aligned = (uintptr_t)data % 16 == 0;
	if (exec_held_whole(s) && aligned) {
		s->shards[0] = (void *)data;
		return TESS_OK;
	}
	for (int k = 0; k < s->n; k++) {
		if (s->wanted && !s->wanted[k])
			continue;
		if (!s->owned[k])
			s->owned[k] = ctx_realloc(e->ctx, NULL, s->shard_bytes + 1);
		if (!s->owned[k])
			return TESS_NOMEM;
		s->shards[k] = s->owned[k];
		spread_cut(s, k, data, s->shards[k]);
	}
	return TESS_OK;
}

tess_status exec_cut_inputs(tess_exec *e, const tess_tensor *inputs)
{
	for (int i = 0; i < e->local.n_args; i++) {
		spread *s = &e->in[i];
		tess_status status = cut_input(e, s, inputs[i].data);
		if (status != TESS_OK)
			return status;
		/* A faithful run has an instance for each device; they may share the data. */
		exec_value *v = &e->args[i];
		for (int k = 0; k < v->n; k++)
			v->data[k] = s->shards[!e->opts.faithful ? k : s->of ? s->of[k] : 0];
	}
	return TESS_OK;
}
