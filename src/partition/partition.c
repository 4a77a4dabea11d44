/* partition.c - the entry points: @main or all functions of a module, then the cleanup. */
#include "partition/local.h"

/* ---- main ------------------------------------------------------------------------------------ */

static global_value describe(emitter *e, const type *t, const sharding *s)
{
	return (global_value){t, s, s ? sharding_mesh(e->from, s) : NULL};
}

/* Memory kinds and donated buffers hold for the parts as for the whole values. */
static void keep_memory(emitter *e, const attr_list *from, attr_list *to)
{
	static const int kept[] = {N_tf_aliasing_output, N_jax_buffer_donor, N_mhlo_memory_kind};
	*to = (attr_list){0};
	for (int i = 0; i < COUNT(kept); i++)
		if (attrs_get(from, kept[i]))
			attrs_set(&e->to->mem, to, name_known(e->ctx, kept[i]),
			          attrs_get(from, kept[i]));
}

static bool local_main(emitter *e, op *f, arena *mem, local_program *out)
{
	const block *from = op_body(f);
	special_func s = {.global = f, .args = NEW_N(e->mem, const spread *, from->n_args)};
	global_value *args = NEW_N(mem, global_value, from->n_args);
	global_value *results = NEW_N(mem, global_value, op_func(f)->type->n_out);
	for (int i = 0; i < from->n_args; i++) {
		const value *v = from->args[i];
		args[i] = describe(e, v->type, v->sharding);
		s.args[i] = fact_spread(e, args[i].sharding, value_rank(v));
	}
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		results[i] = describe(e, op_func(f)->type->out[i], op_func(f)->result_shardings[i]);
	op *local = local_function(e, f, &s, LEAVE_WHOLE);
	if (e->failed)
		return false;
	local_name(e, local, f, op_symbol(f));
	for (int i = 0; i < from->n_args; i++)
		keep_memory(e, &op_func(f)->arg_attrs[i], &op_func(local)->arg_attrs[i]);
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		keep_memory(e, &op_func(f)->result_attrs[i], &op_func(local)->result_attrs[i]);
	out->n_args = from->n_args;
	out->n_results = op_func(f)->type->n_out;
	out->args = args;
	out->results = results;
	if (!e->opts->counted)
		marks_write(e->to, local, out);
	return true;
}

/* ---- the module ------------------------------------------------------------------------------ */

static void module_attributes(emitter *e)
{
	e->to->top->kind = OP_BUILTIN_MODULE;
	for (int i = 0; i < e->from->top->attrs.n; i++)
		op_set_attr_named(e->to, e->to->top, e->from->top->attrs.ptr[i].name,
		                  e->from->top->attrs.ptr[i].value);
	op_set_attr(e->to, e->to->top, N_mhlo_num_partitions, attr_i32(e->ctx, e->sp.n_devices));
	op_set_attr(e->to, e->to->top, N_mhlo_num_replicas, attr_i32(e->ctx, 1));
	e->to->wrapped = e->from->wrapped;
	module_set_source(e->to, e->from->src);
}

static bool erasable(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (!value_unused(result(o, i)))
			return false;
	return o->n_results && (op_has(o, COLLECTIVE) || op_is_dead_if_unused(o));
}

/* Erases what is not used, users before what they use. A collective may go, too: it disappears from
 * the program of every device alike. */
static void erase_unused(block *b)
{
	for (op *o = b->last, *before; o; o = before) {
		before = o->prev;
		if (erasable(o)) {
			op_erase(o);
			continue;
		}
		for (int r = op_n_regions(o); r-- > 0;)
			for (block *in = op_region(o, r)->last; in; in = in->prev)
				erase_unused(in);
	}
}

/* Checks the program and makes what every emitter needs before it emits functions. */
static bool begin_module(emitter *e)
{
	if (!census_check(e))
		return false;
	e->facts = NEW_N(e->keep, global_facts, e->from->n_values);
	e->origins = NEW_N(e->keep, value *, e->from->n_values);
	e->said = NEW_N(e->keep, known_spread, e->from->n_values);
	module_attributes(e);
	module_copy_meshes(e->to, e->from);
	return true;
}

/* What lives as long as the partitioning is in the memory of the module `work`, which is then
 * dropped: like all modules, it is released if memory runs out meanwhile. */
static void emitter_init(emitter *e, module *work, module *from, const partition_options *o,
                         partition_stats *stats)
{
	static const partition_options defaults;
	*e = (emitter){.ctx = from->ctx,
	               .mem = &from->ctx->scratch,
	               .keep = &work->mem,
	               .from = from,
	               .to = module_new(from->ctx),
	               .opts = o ? o : &defaults,
	               .index = DT_I32,
	               .remaking = &remaking_by_rule,
	               .stats = stats};
	e->b.m = e->to;
	program_meshes_of(from, e->keep, &e->meshes);
	spreads_init(&e->sp, e->ctx, e->keep, census_devices(from, &e->meshes));
	e->sp.prices = e->opts->prices;
	e->plans.ls = &e->sp;
}

static bool is_for_others(const partition_options *o)
{
	return !o->origins && !o->merge && !o->counted;
}

/* Rewrites what compilers would write differently, or could not read; counts or merges collectives. */
static void finish_program(module *m, const partition_options *o, local_program *out)
{
	swap_products(m);
	sum_after_loops(m);
	if (o->for_cpu)
		flatten_products(m);
	if (o->origins)
		out->n_merged = combine_count(m);
	else if (o->merge)
		combine_collectives(m);
	else if (is_for_others(o))
		guard_from_xla(m);
}

/* `out`: the program, to be finished as the options say; or NULL.
 * @return the local module, or NULL if an error occurred. */
static module *emitter_end(emitter *e, module *work, bool good, local_program *out)
{
	module *to = e->to;
	module_free(work);
	if (good) {
		plain_collectives(to, out && is_for_others(e->opts));
		erase_unused(module_body(to));
		if (out)
			finish_program(to, e->opts, out);
		device_number(e);
		return to;
	}
	module_free(to);
	return NULL;
}

bool partition_local(module *global, const partition_options *o, arena *mem, local_program *out)
{
	emitter e;
	op *f = module_main(global);
	*out = (local_program){0};
	if (!module_wants_single_blocks(global, "the partitioner") ||
	    !program_wants_global(global, "the partitioner") || !module_marks_are_taken(global) ||
	    !module_raise_async(global))
		return false;
	if (!f)
		return diag_error(
			global->ctx, module_place(global), E_PARTITION_NO_MAIN,
			"there is no function to start with: no @main and no public function that has a body");
	module *work = module_new(global->ctx);
	emitter_init(&e, work, global, o, &out->stats);
	out->n_devices = e.sp.n_devices;
	out->meshes = e.meshes;
	out->meshes.ptr = COPY_N(mem, e.meshes.ptr, e.meshes.len);
	out->module = emitter_end(&e, work, begin_module(&e) && local_main(&e, f, mem, out), out);
	return out->module != NULL;
}

/* Puts functions into the order that they have in the global program. */
static void restore_order(emitter *e)
{
	for (const op *f = module_body(e->from)->first; f; f = f->next) {
		op *local = op_is_func(f) ? module_lookup(e->to, op_symbol(f)) : NULL;
		if (!local)
			continue;
		op_unlink(local);
		op_append(module_body(e->to), local);
	}
}

/* Partitions every function by its own shardings, callees first, so that a function has its name
 * before its callers ask for it. */
static bool local_functions(emitter *e)
{
	func_list all = module_callees_first(e->from, e->keep);
	for (int k = 0; k < all.len; k++) {
		const op *f = all.ptr[k];
		const block *b = op_body(f);
		special_func *s = NEW(e->keep, special_func);
		*s = (special_func){.global = f, .args = NEW_N(e->keep, const spread *, b->n_args),
		                    .symbol = op_symbol(f), .open = true};
		for (int i = 0; i < b->n_args; i++) {
			const spread *w = fact_wanted(e, b->args[i]);
			s->args[i] = w ? w : spread_whole(&e->sp, value_rank(b->args[i]));
		}
		local_add_special(e, s);
		op *local = local_function(e, f, s, LEAVE_WHOLE);
		e->b.like = NULL;
		if (e->failed)
			return false;
		local_name(e, local, f, s->symbol);
		s->open = false;
	}
	restore_order(e);
	return true;
}

module *partition_functions(module *global, const partition_options *o)
{
	emitter e;
	partition_stats stats = {0};
	if (!module_raise_async(global))
		return NULL;
	module *work = module_new(global->ctx);
	emitter_init(&e, work, global, o, &stats);
	return emitter_end(&e, work, begin_module(&e) && local_functions(&e), NULL);
}
