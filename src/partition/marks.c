/* marks.c - how a local program says what its values are parts of.
 *
 * The types of @main's arguments and results are those of one device's part. The global type is
 * beside them in tess.global_type, and the sharding, if there is one, in tess.global_sharding. It
 * is not in sdy.sharding, because that tells other tools, and us, that the program is still to be
 * partitioned. */
#include "partition/local.h"

/* ---- writing ------------------------------------------------------------------------- */

static void mark_value(module *m, attr_list *attrs, const global_value *g)
{
	attrs_set(&m->mem, attrs, name_known(m->ctx, N_tess_global_type),
	          attr_type(m->ctx, g->type));
	if (g->sharding)
		attrs_set(&m->mem, attrs, name_known(m->ctx, N_tess_global_sharding),
		          attr_sharding(m->ctx, g->sharding));
}

void marks_write(module *m, op *main_func, const local_program *p)
{
	func *f = op_func(main_func);
	for (int i = 0; i < p->n_args; i++)
		mark_value(m, &f->arg_attrs[i], &p->args[i]);
	for (int i = 0; i < p->n_results; i++)
		mark_value(m, &f->result_attrs[i], &p->results[i]);
}

static void unmark_values(module *m, attr_list *lists, int n)
{
	for (int i = 0; i < n; i++) {
		attrs_set(&m->mem, &lists[i], name_known(m->ctx, N_tess_global_type), NULL);
		attrs_set(&m->mem, &lists[i], name_known(m->ctx, N_tess_global_sharding), NULL);
	}
}

/* Meshes that some op's attribute names stay. */
bool marks_erase(module *m)
{
	static const pass_options none;
	op *main_func = module_main(m);
	if (main_func) {
		func *f = op_func(main_func);
		unmark_values(m, f->arg_attrs, f->type->n_in);
		unmark_values(m, f->result_attrs, f->type->n_out);
	}
	const attr *private = attr_string(m->ctx, name_known(m->ctx, N_private));
	for (op *o = module_body(m)->first; o; o = o->next)
		if (o->kind == OP_SDY_MESH)
			op_set_attr(m, o, N_sym_visibility, private);
	if (!pass_symbol_dce(m, &none))
		return false;
	for (op *o = module_body(m)->first; o; o = o->next)
		if (o->kind == OP_SDY_MESH)
			op_set_attr(m, o, N_sym_visibility, NULL);
	return true;
}

/* ---- asking ---------------------------------------------------------------------------- */

static bool any_marked(const attr_list *lists, int n)
{
	for (int i = 0; i < n; i++)
		if (attrs_get(&lists[i], N_tess_global_type))
			return true;
	return false;
}

bool program_is_local(const module *m)
{
	const op *main_func = module_main(m);
	const func *f = main_func ? op_func(main_func) : NULL;
	return f && (any_marked(f->arg_attrs, f->type->n_in) ||
	             any_marked(f->result_attrs, f->type->n_out));
}

bool program_came_partitioned(const module *m)
{
	return program_is_local(m) || op_attr(m->top, N_tess_partitioned);
}

static bool refuse_local(module *m, const char *because, const char *who)
{
	const op *f = module_main(m);
	return diag_error(m->ctx, op_place(m, f), E_PARTITION_LOCAL,
	                  "@%s is the program of one device already: %s; for %s, give the whole program "
	                  "that it was made from",
	                  op_symbol(f)->s, because, who);
}

bool program_wants_global(module *m, const char *who)
{
	return !program_is_local(m) || refuse_local(m, "it has tess.global_type", who);
}

static bool sizes_known(module *m)
{
	const op *f = module_main(m);
	for (int i = 0; f && i < op_func(f)->type->n_in; i++) {
		const type *t = op_func(f)->type->in[i];
		if (t->kind == TY_TENSOR && !t->is_static)
			return diag_error(m->ctx, op_place(m, f), E_PROPAGATE_TYPE,
			                  "argument %d of @%s has an open dimension: give its size with --dim "
			                  "(with_dims() in Python)", i, op_symbol(f)->s);
	}
	return true;
}

bool program_wants_annotations(module *m, const char *who)
{
	return program_wants_global(m, who) && sizes_known(m) &&
	       (!program_came_partitioned(m) || !module_main(m) ||
	        refuse_local(m, "XLA has partitioned it", who));
}

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct marks_reader {
	module *m;
	int64_t n_devices;
	arena *mem;
	const char *what; /* "argument" */
	place at;
} marks_reader;

static bool marks_error(const marks_reader *r, int i, const char *name, const char *wanted)
{
	return diag_error(r->m->ctx, r->at, E_PARTITION_MARKS, "%s of %s %d: expected %s",
	                  name, r->what, i, wanted);
}

/* The type of one device's part. */
static const type *part_type(const marks_reader *r, const global_value *g)
{
	if (!g->sharding)
		return g->type;
	int64_t *dims = NEW_N(r->mem, int64_t, g->type->rank + 1);
	sharding_local_shape(g->sharding, g->mesh, g->type->dims, g->type->rank, dims);
	return type_with_dims(r->m->ctx, g->type, dims, g->type->rank);
}

static void put_dims(writer *w, const type *t)
{
	put_c(w, '[');
	for (int d = 0; type_is_tensor(t) && d < t->rank; d++)
		put_f(w, "%s%" PRId64, d ? ", " : "", t->dims[d]);
	put_c(w, ']');
}

static bool part_error(const marks_reader *r, int i, const type *part, const type *local)
{
	writer w;
	writer_init(&w, &r->m->ctx->scratch);
	put_dims(&w, part);
	put_lit(&w, ", and the function has ");
	put_dims(&w, local);
	if (type_is_tensor(part) && type_is_tensor(local) && part->elem != local->elem)
		put_lit(&w, " of another element type");
	return diag_error(r->m->ctx, r->at, E_PARTITION_MARKS,
	                  "%s %d: by tess.global_type and tess.global_sharding a device's part is "
	                  "%.*s", r->what, i, STR_ARG(writer_str(&w)));
}

/* An attribute's inlined mesh does not decide how many devices there are; checks that it fits. */
static bool mesh_fits(const marks_reader *r, const mesh *m)
{
	return mesh_is_empty(m) || mesh_is_maximal(m) || r->n_devices % m->n_devices == 0;
}

/* `annotated`: the value's sdy.sharding, which is used if tess.global_sharding is missing. */
static bool read_value(const marks_reader *r, int i, const attr_list *attrs, const type *local,
                       const sharding *annotated, global_value *out)
{
	const attr *t = attrs_get(attrs, N_tess_global_type),
		   *s = attrs_get(attrs, N_tess_global_sharding);
	*out = (global_value){.type = local};
	if (t && t->kind != AT_TYPE)
		return marks_error(r, i, "tess.global_type", "a type");
	if (t)
		out->type = t->type;
	bool spreads = type_is_tensor(out->type) && out->type->is_static;
	if (s && (s->kind != AT_SHARDING || !spreads))
		return marks_error(r, i, "tess.global_sharding",
		                   "#sdy.sharding, of a tensor of static shape");
	out->sharding = s ? s->sharding : t ? annotated : NULL;
	out->mesh = out->sharding ? sharding_mesh(r->m, out->sharding) : NULL;
	if (out->sharding && (!out->mesh || !mesh_fits(r, out->mesh)))
		return marks_error(r, i, "tess.global_sharding", "a mesh of this program");
	if (out->sharding && !sharding_verify(r->m->ctx, out->sharding, out->mesh, out->type->rank,
	                                      &(sharding_places){.all = r->at}))
		return false;
	const type *part = part_type(r, out);
	return part == local || part_error(r, i, part, local);
}

bool local_program_read(module *m, arena *mem, local_program *out)
{
	op *main_func = module_main(m);
	const func *f = op_func(main_func);
	const block *b = op_body(main_func);
	int n_in = f->type->n_in, n_out = f->type->n_out;
	global_value *args = NEW_N(mem, global_value, n_in + 1),
		     *results = NEW_N(mem, global_value, n_out + 1);
	program_meshes meshes;
	program_meshes_of(m, mem, &meshes);
	marks_reader r = {m, census_devices(m, &meshes), mem, "argument", op_place(m, main_func)};
	*out = (local_program){.module = m, .n_devices = r.n_devices, .n_args = n_in,
	                       .n_results = n_out, .args = args, .results = results,
	                       .replicas = program_has_replicas(m)};
	if (!census_in_limits(m, r.n_devices))
		return false;
	for (int i = 0; i < n_in; i++)
		if (!read_value(&r, i, &f->arg_attrs[i], f->type->in[i],
		                b ? b->args[i]->sharding : NULL, &args[i]))
			return false;
	r.what = "result";
	for (int i = 0; i < n_out; i++)
		if (!read_value(&r, i, &f->result_attrs[i], f->type->out[i],
		                f->result_shardings[i], &results[i]))
			return false;
	return true;
}
