/* wrap.c - turns the program of one device into a global one, whose body is a manual computation.
 *
 * @main takes and returns whole values again, and its body is an sdy.manual_computation over all
 * axes of one mesh, as jax.shard_map makes. A partitioner that knows Shardy's attributes leaves
 * everything inside as it is.
 *
 * Manual axes are whole axes of one mesh. So the mesh has one axis for each atom (spread.h) of the
 * digits that split an argument or a result: ["x"=4, "y"=2] becomes ["x_1"=2, "x_2"=2, "y"=2] if
 * something is split by "x":(1)2. An axis of the program's mesh that is not cut keeps its name.
 * Such a mesh exists if each cut divides the next one, and if the meshes of the arguments and
 * results have their devices in the same order. */
#include "partition/local.h"

typedef struct wrapping {
	module *m;
	tess_ctx *ctx;
	arena *mem;
	spreads sp;
	const spread **args, **results;
	const device_order *order;
	bool ordered; /* something is split, so the order matters */
	cuts cuts;
	const mesh *base; /* the program's mesh, whose axes give names; NULL: none */
	const mesh *mesh;
	mesh_ref ref;
} wrapping;

/* ---- the mesh ---------------------------------------------------------------------------- */

static bool wrap_error(wrapping *w, const char *what)
{
	return diag_error(w->ctx, op_place(w->m, module_main(w->m)), E_PARTITION_WRAP,
	                  "arguments and results of @%s are sharded %s; one manual computation "
	                  "has one mesh: shard them over the same axes",
	                  op_symbol(module_main(w->m))->s, what);
}

/* Checks that shards divide dimensions, as they do for arguments and results after propagation. */
static bool wrap_divides(wrapping *w, const spread *s, const type *t)
{
	for (int d = 0; d < s->rank; d++)
		if (spread_pads(s, d, t->dims[d]))
			return diag_error(w->ctx, op_place(w->m, module_main(w->m)), E_PARTITION_WRAP,
			                  "%" PRId64 " shards do not divide dimension %d, of size %" PRId64
			                  ", of an argument or result of @%s",
			                  spread_shards(s, d), d, t->dims[d],
			                  op_symbol(module_main(w->m))->s);
	return true;
}

/* Takes the spread of an argument or result, and its digits as cuts. */
static bool wrap_take(wrapping *w, const global_value *g, const spread **out)
{
	int rank = type_is_tensor(g->type) ? g->type->rank : 0;
	const spread *s = *out = spread_of_sharding(&w->sp, g->sharding, g->mesh, rank);
	if (spread_is_whole(s))
		return true;
	if (w->ordered && s->order != w->order)
		return wrap_error(w, "over meshes whose devices are in different orders");
	w->order = s->order;
	w->ordered = true;
	cuts_take(&w->cuts, s);
	if (!w->base)
		w->base = g->mesh;
	return wrap_divides(w, s, g->type);
}

static bool wrap_values(wrapping *w, const local_program *p)
{
	w->args = NEW_N(w->mem, const spread *, p->n_args + 1);
	w->results = NEW_N(w->mem, const spread *, p->n_results + 1);
	for (int i = 0; i < p->n_args; i++)
		if (!wrap_take(w, &p->args[i], &w->args[i]))
			return false;
	for (int i = 0; i < p->n_results; i++)
		if (!wrap_take(w, &p->results[i], &w->results[i]))
			return false;
	if (!cuts_chain(&w->cuts))
		return wrap_error(w, "over axes of which none refines both");
	return true;
}

/* Cuts at the axes of the base mesh, too, as far as the cuts remain a chain. */
static void cut_at_axes(wrapping *w)
{
	int64_t end = 1;
	for (int i = w->base ? w->base->n_axes - 1 : -1; i >= 0; i--) {
		cuts more = w->cuts;
		end *= w->base->axes[i].size;
		cuts_take_end(&more, end);
		if (cuts_chain(&more))
			w->cuts = more;
	}
}

/* The axis of the base mesh that contains the atom from `low` to `high`, and the size of the axis's
 * part before it; NULL: none. */
static const mesh_axis *axis_around(const mesh *base, int64_t low, int64_t high, int64_t *pre)
{
	int64_t stride = 1;
	for (int i = base ? base->n_axes - 1 : -1; i >= 0; i--) {
		int64_t end = stride * base->axes[i].size;
		if (stride <= low && high <= end && base->axes[i].size > 1) {
			*pre = end / high;
			return &base->axes[i];
		}
		stride = end;
	}
	return NULL;
}

static bool name_taken(const wrapping *w, const mesh_axis *axes, int n, const name *s)
{
	for (int i = 0; i < n; i++)
		if (axes[i].name == s)
			return true;
	return w->base && mesh_axis_index(w->base, s) >= 0;
}

/* "x" for a whole axis, "x_2" for the part of it after parts of size 2. */
static const name *atom_name(const wrapping *w, const mesh_axis *axes, int n, int64_t low,
                             int64_t high)
{
	int64_t pre = 1;
	const mesh_axis *around = axis_around(w->base, low, high, &pre);
	if (around && around->size == high / low)
		return around->name;
	writer text;
	writer_init(&text, w->mem);
	if (around)
		put_f(&text, "%s_%" PRId64, around->name->s, pre);
	else
		put_f(&text, "devices_%" PRId64, low);
	while (name_taken(w, axes, n, name_of(w->ctx, writer_str(&text))))
		put_c(&text, '_');
	return name_of(w->ctx, writer_str(&text));
}

static void make_mesh(wrapping *w)
{
	mesh_axis axes[MAX_CUTS];
	int n = 0;
	for (int k = w->cuts.n - 1; k > 0; k--) {
		int64_t low = w->cuts.at[k - 1], high = w->cuts.at[k];
		axes[n] = (mesh_axis){atom_name(w, axes, n, low, high), high / low};
		n++;
	}
	if (!n)
		axes[n++] = (mesh_axis){name_of_z(w->ctx, "devices"), 1};
	int64_t *ids = NULL, n_ids = w->order ? w->sp.n_devices : 0;
	if (n_ids)
		ids = NEW_N(w->mem, int64_t, n_ids);
	for (int64_t i = 0; i < n_ids; i++)
		ids[i] = order_device(w->order, i);
	w->mesh = mesh_of(w->ctx, axes, n, ids, n_ids);
}

/* ---- shardings ----------------------------------------------------------------------------- */

/* Digits as axes of the new mesh, major to minor. */
static axis_list axes_of_digits(const wrapping *w, digits l)
{
	digit_vec atoms = {0};
	cuts_refine(w->mem, &w->cuts, l, &atoms);
	axis_ref *axes = NEW_N(w->mem, axis_ref, atoms.len + 1);
	for (int i = 0; i < atoms.len; i++)
		for (int k = 1; k < w->cuts.n; k++)
			if (w->cuts.at[k - 1] == atoms.ptr[i].stride)
				axes[i] = axis_full(w->mesh->axes[w->cuts.n - 1 - k].name);
	return (axis_list){axes, atoms.len};
}

static const sharding *sharding_of_spread(const wrapping *w, const spread *s)
{
	dim_sharding *dims = NEW_N(w->mem, dim_sharding, s->rank + 1);
	for (int d = 0; d < s->rank; d++) {
		axis_list l = axes_of_digits(w, s->dims[d]);
		dims[d] = (dim_sharding){l.ptr, l.n, .priority = PRIORITY_NONE};
	}
	axis_list terms = axes_of_digits(w, s->partial);
	return sharding_of(w->ctx, &(sharding){.mesh = w->ref, .rank = s->rank, .dims = dims,
	                                       .unreduced = terms.ptr, .n_unreduced = terms.n,
	                                       .reduction = (reduction)s->combine});
}

static const attr *shardings_of(const wrapping *w, const spread **s, int n)
{
	const sharding **list = NEW_N(w->mem, const sharding *, n + 1);
	for (int i = 0; i < n; i++)
		list[i] = sharding_of_spread(w, s[i]);
	return attr_shardings(w->ctx, list, n);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void mesh_by_name(wrapping *w)
{
	for (op *o = module_body(w->m)->first; o; o = o->next)
		if (op_declared_mesh(o) == w->mesh) {
			w->ref = (mesh_ref){op_symbol(o), NULL};
			return;
		}
	const name *symbol = module_fresh_symbol(w->m, name_known(w->ctx, N_mesh));
	module_declare_mesh(w->m, NULL, symbol, w->mesh);
	w->ref = (mesh_ref){symbol, NULL};
}

static const attr *all_axes(const wrapping *w)
{
	const attr **list = NEW_N(w->mem, const attr *, w->mesh->n_axes);
	for (int i = 0; i < w->mesh->n_axes; i++)
		list[i] = attr_string(w->ctx, w->mesh->axes[i].name);
	return attr_of(w->ctx, &(attr){.kind = AT_MANUAL_AXES, .list = list, .n = w->mesh->n_axes});
}

/* Moves the body of @main into a manual computation and adapts its terminator. */
static op *manual_of_body(wrapping *w, op *main, block *whole, const local_program *p)
{
	value **given = NEW_N(w->mem, value *, p->n_args + 1);
	const type **types = NEW_N(w->mem, const type *, p->n_results + 1);
	for (int i = 0; i < p->n_args; i++)
		given[i] = whole->args[i];
	for (int i = 0; i < p->n_results; i++)
		types[i] = p->results[i].type;
	op *manual = op_make(w->m, OP_SDY_MANUAL_COMPUTATION, given, p->n_args, types, p->n_results, 1);
	OP_ATTRS(w->m, manual, {N_in_shardings, shardings_of(w, w->args, p->n_args)},
	         {N_manual_axes, all_axes(w)},
	         {N_out_shardings, shardings_of(w, w->results, p->n_results)});
	block_close_otherwise(w->m, op_body(main), OP_SDY_RETURN);
	region_take(op_region(manual, 0), op_region(main, 0));
	return manual;
}

/* Gives @main whole types, with the attributes of the local function. */
static void set_signature(wrapping *w, op *main, const local_program *p)
{
	const type **in = NEW_N(w->mem, const type *, p->n_args + 1),
	           **out = NEW_N(w->mem, const type *, p->n_results + 1);
	const func *was = op_func(main);
	for (int i = 0; i < p->n_args; i++)
		in[i] = p->args[i].type;
	for (int i = 0; i < p->n_results; i++)
		out[i] = p->results[i].type;
	func *f = func_new(w->m, type_list(w->ctx, TY_FUNCTION, in, p->n_args, out, p->n_results));
	for (int i = 0; i < p->n_args; i++)
		f->arg_attrs[i] = was->arg_attrs[i];
	for (int i = 0; i < p->n_results; i++) {
		f->result_attrs[i] = was->result_attrs[i];
		f->result_shardings[i] = sharding_of_spread(w, w->results[i]);
	}
	op_set_func(w->m, main, f);
}

static void wrap_main(wrapping *w, const local_program *p)
{
	op *main = module_main(w->m);
	block *local = op_body(main), *whole = block_new(w->m, NULL);
	for (int i = 0; i < p->n_args; i++) {
		value *arg = block_add_arg(w->m, whole, p->args[i].type);
		value_take_name(w->m, arg, local->args[i]);
		arg_set_loc(arg, value_loc(local->args[i]));
		arg->sharding = sharding_of_spread(w, w->args[i]);
	}
	op *manual = manual_of_body(w, main, whole, p);
	value **v = NEW_N(w->mem, value *, p->n_results + 1);
	for (int i = 0; i < p->n_results; i++)
		v[i] = result(manual, i);
	block_append(w->m, op_region(main, 0), whole);
	op_append(whole, manual);
	block_close(w->m, whole, OP_FUNC_RETURN, v, p->n_results);
	set_signature(w, main, p);
}

bool program_wrap(local_program *p)
{
	module *m = p->module;
	wrapping w = {.m = m, .ctx = m->ctx, .mem = &m->ctx->scratch};
	spreads_init(&w.sp, m->ctx, &m->mem, p->n_devices); /* spread_of() resets the scratch */
	cuts_begin(&w.cuts, &w.sp);
	if (!wrap_values(&w, p))
		return false;
	program_mesh own;
	if (!w.base && program_mesh_of(m, &own))
		w.base = own.mesh;
	cut_at_axes(&w);
	make_mesh(&w);
	mesh_by_name(&w);
	wrap_main(&w, p);
	return marks_erase(m);
}
