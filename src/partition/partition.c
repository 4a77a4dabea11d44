/* partition.c - whole programs: functions, the signature of main, cleaning up. */
#include "partition/local.h"

/* ---- functions --------------------------------------------------------------------------- */

static const type *signature_of(emitter *e, const op *f, const spread *const *args,
                                const spread *const *results)
{
	const type *t = op_func(f)->type;
	const type **in = NEW_N(e->mem, const type *, t->n_in);
	const type **out = NEW_N(e->mem, const type *, t->n_out);
	for (int i = 0; i < t->n_in; i++)
		in[i] = spread_local_type(&e->sp, args[i], t->in[i]);
	for (int i = 0; i < t->n_out; i++)
		out[i] = spread_local_type(&e->sp, results[i], t->out[i]);
	return type_list(e->ctx, TY_FUNCTION, in, t->n_in, out, t->n_out);
}

/* How results leave a function. */
typedef enum leaving {
	LEAVE_AS_IS, /* without a sharding as they come: inner functions */
	LEAVE_WHOLE, /* without a sharding whole */
} leaving;

static const spread *leaving_spread(emitter *e, const op *f, int i, leaving how)
{
	value *v = operand(op_body(f)->last, i);
	const sharding *s = op_func(f)->result_shardings[i];
	if (!s && how == LEAVE_AS_IS)
		return fact_home(e, v);
	return fact_spread(e, s, value_rank(v));
}

/* The local function: its arguments come in the given spreads. */
static op *local_function(emitter *e, const op *f, special_func *s, leaving how)
{
	const block *from = op_body(f);
	op *local = op_make(e->to, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	block *body = block_new(e->to, op_region(local, 0)), *was = e->b.at;
	local_func fn = {.body = body}, *outer = e->fn;
	int regions = e->regions, n = from->last->n_operands;
	value **v = NEW_N(e->mem, value *, n);
	e->b.at = body;
	e->fn = &fn;
	e->regions = 0; /* what is known here is made anew for every use of the function */
	for (int i = 0; i < from->n_args; i++) {
		value *arg = block_add_arg(e->to, body, spread_local_type(&e->sp, s->args[i],
		                                                          from->args[i]->type));
		value_take_name(e->to, arg, from->args[i]);
		arg_set_loc(arg, value_loc(from->args[i]));
		int64_t device = single_device(e, from->args[i]->sharding);
		if (device >= 0)
			single_define(e, from->args[i], arg, device);
		else
			fact_define(e, from->args[i], s->args[i], arg);
	}
	local_block(e, from);
	s->results = NEW_N(e->keep, const spread *, n);
	for (int i = 0; i < n && !e->failed; i++) {
		s->results[i] = leaving_spread(e, f, i, how);
		v[i] = fact_get(e, operand(from->last, i), s->results[i]);
	}
	if (!e->failed) {
		e->b.like = from->last;
		build_op(&e->b, OP_FUNC_RETURN, v, n, NULL, 0, 0);
		op_set_func(e->to, local, func_new(e->to, signature_of(e, f, s->args, s->results)));
	}
	e->regions = regions;
	e->b.at = was;
	e->fn = outer;
	return local;
}

static void name_function(emitter *e, op *local, const op *f, const name *symbol)
{
	op_take_place(e->to, local, f);
	op_set_attr(e->to, local, N_sym_name, attr_string(e->ctx, symbol));
	if (op_attr(f, N_sym_visibility))
		op_set_attr(e->to, local, N_sym_visibility, op_attr(f, N_sym_visibility));
	op_append(module_body(e->to), local);
	module_add_symbol(e->to, local);
}

static special_func *find_special(emitter *e, const op *f, const spread *const *args)
{
	special_func *s = ptr_map_get(&e->funcs, f);
	while (s && memcmp(s->args, args, sizeof *args * (size_t)op_body(f)->n_args) != 0)
		s = s->older;
	return s;
}

static void add_special(emitter *e, special_func *s)
{
	void **of = ptr_map_at(&e->funcs, e->keep, s->global);
	s->older = *of;
	*of = s;
}

const special_func *local_specialize(emitter *e, const op *f, const spread *const *args, place at)
{
	special_func *s = find_special(e, f, args);
	const op *cause = e->b.like;
	if (s && s->open) {
		e->failed = true;
		diag_error(e->ctx, at, E_PARTITION_RECURSION, "function @%s calls itself",
		           op_symbol(f)->s);
		return NULL;
	}
	if (s)
		return s;
	if (e->calls >= e->ctx->opts.max_depth) {
		e->failed = true;
		diag_error(e->ctx, at, E_PARTITION_RECURSION, "calls are nested more than %u deep",
		           e->ctx->opts.max_depth);
		return NULL;
	}
	s = NEW(e->keep, special_func);
	*s = (special_func){.global = f, .open = true,
	                    .args = COPY_N(e->keep, args, op_body(f)->n_args)};
	add_special(e, s);
	e->calls++;
	op *local = local_function(e, f, s, LEAVE_AS_IS);
	e->calls--;
	e->b.like = cause;
	if (e->failed)
		return NULL;
	s->symbol = module_fresh_symbol(e->to, op_symbol(f));
	name_function(e, local, f, s->symbol);
	s->open = false;
	return s;
}

/* ---- main ------------------------------------------------------------------------------------ */

static global_value describe(emitter *e, const type *t, const sharding *s)
{
	return (global_value){t, s, s ? sharding_mesh(e->from, s) : NULL};
}

/* Which memory they lie in, and that a result takes over an argument's, holds for the parts as for
 * the wholes. */
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
	name_function(e, local, f, op_symbol(f));
	for (int i = 0; i < from->n_args; i++)
		keep_memory(e, &op_func(f)->arg_attrs[i], &op_func(local)->arg_attrs[i]);
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		keep_memory(e, &op_func(f)->result_attrs[i], &op_func(local)->result_attrs[i]);
	out->n_args = from->n_args;
	out->n_results = op_func(f)->type->n_out;
	out->args = args;
	out->results = results;
	marks_write(e->to, local, out);
	return true;
}

/* ---- the module ------------------------------------------------------------------------------ */

static void copy_meshes(emitter *e)
{
	ptr_map map = {0};
	for (const op *o = module_body(e->from)->first; o; o = o->next) {
		if (o->kind != OP_SDY_MESH)
			continue;
		op *copy = op_clone(e->to, o, &map, e->mem);
		op_append(module_body(e->to), copy);
		module_add_symbol(e->to, copy);
	}
}

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

/* Erases what nobody uses, users before what they use.  A collective goes, too: it
 * goes from the program of every device. */
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

/* Prepares everything but the emitter's functions. */
static bool begin_module(emitter *e)
{
	if (!census_check(e))
		return false;
	e->facts = NEW_N(e->keep, global_facts, e->from->n_values);
	module_attributes(e);
	copy_meshes(e);
	return true;
}

/* What lives as long as the partitioning lies in the memory of a module that is then
 * dropped: like all modules, it goes if memory runs out meanwhile. */
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
	               .stats = stats};
	e->b.m = e->to;
	e->rules = (rule_memo){.m = from, .mem = e->keep, .flags = RULE_BEYOND_SHARDY};
	program_meshes_of(from, e->keep, &e->meshes);
	spreads_init(&e->sp, e->ctx, e->keep, census_devices(from, &e->meshes));
	e->plans.ls = &e->sp;
}

/* `out`: of a program of which collectives are merged, counted or taken apart; or NULL.  @return the
 * local module, or NULL if it did not come to be. */
static module *emitter_end(emitter *e, module *work, bool good, local_program *out)
{
	module *to = e->to;
	module_free(work);
	if (good) {
		plain_collectives(to, out && !e->opts->origins && !e->opts->merge);
		erase_unused(module_body(to));
		if (out && e->opts->origins)
			out->n_merged = combine_count(to);
		else if (out && e->opts->merge)
			combine_collectives(to);
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
			global->ctx, NOWHERE, E_PARTITION_NO_MAIN,
			"there is no function to start with: no @main and no public function");
	module *work = module_new(global->ctx);
	emitter_init(&e, work, global, o, &out->stats);
	out->n_devices = e.sp.n_devices;
	out->module = emitter_end(&e, work, begin_module(&e) && local_main(&e, f, mem, out), out);
	return out->module != NULL;
}

/* Functions stand in the order in which they stood. */
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

/* Every function as its own shardings say; what is called first, so that it has its name
 * before those who call it ask for it. */
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
		add_special(e, s);
		op *local = local_function(e, f, s, LEAVE_WHOLE);
		e->b.like = NULL;
		if (e->failed)
			return false;
		name_function(e, local, f, s->symbol);
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
