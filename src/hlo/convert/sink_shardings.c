/* sink_shardings.c - writes shardings, meshes and manual computations of sdy in the form in which
 * JAX passes them through HLO: in sdy's own text, as frontend attributes, and as an HloSharding.
 * raise_shardings.c and raise_manual.c read them. */
#include "hlo/convert/sink.h"

/* ---- texts -------------------------------------------------------------------- */

/* Returns the HloSharding of a value; NULL if there is none. */
static const hlo_sharding *tiles_of(hlo_sinker *l, const sharding *s)
{
	const mesh *m = s ? sharding_mesh(l->m, s) : NULL;
	if (!m)
		return NULL;
	if (mesh_is_maximal(m))
		return hlo_sharding_maximal(l->ctx, m->device_ids[0]);
	return hlo_sharding_v2(l->ctx, hlo_sharding_named(l->ctx, m, s, (axis_list){0}));
}

/* A dictionary of frontend attributes under construction. */
typedef struct frontend {
	hlo_sinker *l;
	int n;
} frontend;

static void put_frontend(frontend *f, const char *key, tess_str text)
{
	put_f(f->l->at, "%s%s=", f->n++ ? "," : ", frontend_attributes={", key);
	hlo_put_quoted(f->l->at, text);
}

static void put_frontend_attr(frontend *f, const char *key, const attr *a)
{
	writer w;
	writer_init(&w, f->l->mem);
	f->l->texts->print(&w, f->l->ctx, a);
	put_frontend(f, key, writer_str(&w));
}

static void end_frontend(frontend *f) { put_z(f->l->at, f->n ? "}" : ""); }

/* Writes the frontend attributes that the program already had. */
static void put_kept(frontend *f, const attr_list *list)
{
	const attr *dict = attrs_get_named(list, name_of_z(f->l->ctx, "mhlo.frontend_attributes"));
	for (int i = 0; dict && dict->kind == AT_DICT && i < dict->n; i++)
		if (dict->list[i]->kind == AT_STRING)
			put_frontend(f, dict->names[i]->s, name_str(dict->list[i]->text));
}

static void put_kept_sharding(hlo_sinker *l, const attr_list *list)
{
	const attr *a = attrs_get_named(list, name_of_z(l->ctx, "mhlo.sharding"));
	if (a && a->kind == AT_STRING)
		put_f(l->at, ", sharding=%s", a->text->s);
}

/* ---- values --------------------------------------------------------------------- */

/* Returns the shardings of all results, or NULL: in HLO all parts of a tuple have one, or none. */
static const sharding **result_shardings(hlo_sinker *l, const op *o)
{
	const sharding **list = NEW_N(l->mem, const sharding *, o->n_results + 1);
	for (int i = 0; i < o->n_results; i++)
		if (!(list[i] = o->results[i].sharding))
			return NULL;
	return o->n_results ? list : NULL;
}

static void put_tiles(hlo_sinker *l, const sharding *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (!tiles_of(l, list[i]))
			return;
	put_z(l->at, n == 1 ? ", sharding=" : ", sharding={");
	for (int i = 0; i < n; i++)
		put_f(l->at, "%s%s", i ? ", " : "", tiles_of(l, list[i])->text->s);
	put_z(l->at, n == 1 ? "" : "}");
}

void sink_shardings(hlo_sinker *l, const op *o)
{
	const sharding **list = result_shardings(l, o);
	frontend f = {.l = l};
	if (list) {
		put_tiles(l, list, o->n_results);
		put_frontend_attr(&f, "xla.sdy.sharding",
		                  attr_shardings(l->ctx, list, o->n_results));
	} else {
		put_kept_sharding(l, &o->attrs);
	}
	put_kept(&f, &o->attrs);
	end_frontend(&f);
}

void sink_argument_sharding(hlo_sinker *l, const op *fn, int i)
{
	const sharding *s = op_body(fn)->args[i]->sharding;
	frontend f = {.l = l};
	if (s) {
		put_tiles(l, &s, 1);
		put_frontend_attr(&f, "xla.sdy.sharding", attr_sharding(l->ctx, s));
	} else {
		put_kept_sharding(l, &op_func(fn)->arg_attrs[i]);
	}
	put_kept(&f, &op_func(fn)->arg_attrs[i]);
	end_frontend(&f);
}

/* Writes a call that annotates a result of @main. */
const char *sink_result_sharding(hlo_sinker *l, const op *fn, int i, const char *v)
{
	const sharding *s = op_func(fn)->result_shardings[i];
	frontend f = {.l = l};
	if (!s)
		return v;
	const char *made = sink_begin(l, "custom-call", &op_func(fn)->type->out[i], 1, &v, 1);
	put_lit(l->at, ", custom_call_target=\"xla.sdy.FuncResultSharding\", "
	               "custom_call_has_side_effect=true");
	put_frontend_attr(&f, "xla.sdy.sharding", attr_shardings(l->ctx, &s, 1));
	end_frontend(&f);
	sink_end(l);
	return made;
}

/* frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<…>}} of the module */
void sink_meshes(hlo_sinker *l, writer *w)
{
	int n = 0;
	for (const op *o = module_body(l->m)->first; o; o = o->next) {
		if (!op_declared_mesh(o))
			continue;
		put_f(w, "%s%s = ", n++ ? ", " : ", frontend_attributes={xla.sdy.meshes={",
		      op_symbol(o)->s);
		l->texts->print(w, l->ctx, op_attr(o, N_mesh));
	}
	put_z(w, n ? "}}" : "");
}

/* ---- operations of sdy ------------------------------------------------------------- */

/* sharding_constraint and reshard become a call that only annotates. */
static void sink_constraint(hlo_sinker *l, const op *o)
{
	const type *t = o->results[0].type;
	const char *made = sink_begin(l, "custom-call", &t, 1, sink_operands(l, o), 1);
	put_lit(l->at, ", custom_call_target=\"Sharding\"");
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

static void sink_marked(hlo_sinker *l, const op *o, const char *target, const char *key, int known)
{
	int n;
	char text[32];
	frontend f = {.l = l};
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "custom-call", types, n, sink_operands(l, o),
	                              o->n_operands);
	put_f(l->at, ", custom_call_target=\"%s\", custom_call_has_side_effect=true", target);
	snprintf(text, sizeof text, "%" PRId64, op_int(o, known, 0));
	put_frontend(&f, key, str_of(text));
	end_frontend(&f);
	sink_end(l);
	sink_results(l, o, made);
}

/* Writes one end of a manual computation: from global to per-device shapes, or back. */
static const char *sink_manual_end(hlo_sinker *l, const op *o, const char *target,
                                    const type *const *types, int n, const char *const *operands,
                                    int n_operands, const char *key, int known)
{
	frontend f = {.l = l};
	const char *made = sink_begin(l, "custom-call", types, n, operands, n_operands);
	put_f(l->at, ", custom_call_target=\"%s\", custom_call_has_side_effect=true", target);
	put_frontend_attr(&f, key, op_attr(o, known));
	put_frontend_attr(&f, "xla.sdy.manual_axes", op_attr(o, N_manual_axes));
	end_frontend(&f);
	sink_end(l);
	return made;
}

/* Returns the names of the elements of a tuple; for a single value, its own. */
static const char **sink_parts(hlo_sinker *l, const char *tuple, const type *const *types, int n)
{
	const char **out = NEW_N(l->mem, const char *, n + 1);
	for (int i = 0; i < n; i++) {
		out[i] = tuple;
		if (n == 1)
			break;
		out[i] = sink_begin(l, "get-tuple-element", &types[i], 1, &tuple, 1);
		put_f(l->at, ", index=%d", i);
		sink_end(l);
	}
	return out;
}

static void sink_manual(hlo_sinker *l, const op *o)
{
	const block *b = op_body(o);
	const op *ret = b->last;
	int n = b->n_args, n_out = ret->n_operands, n_types;
	const type **in = NEW_N(l->mem, const type *, n + 1);
	const type **out = NEW_N(l->mem, const type *, n_out + 1);
	const char **args = NEW_N(l->mem, const char *, n + 1);
	for (int i = 0; i < n; i++)
		in[i] = b->args[i]->type;
	for (int i = 0; i < n_out; i++)
		out[i] = operand(ret, i)->type;
	if (n)
		args = sink_parts(l,
		                  sink_manual_end(l, o, "xla.sdy.GlobalToLocalShape", in, n,
		                                  sink_operands(l, o), n, "xla.sdy.in_shardings",
		                                  N_in_shardings),
		                  in, n);
	const char *body = l->driver->named_region(l, o, "xla.sdy.manual_computation_body");
	const char *made = sink_begin(l, "call", out, n_out, args, n);
	put_f(l->at, ", to_apply=%s", body);
	sink_end(l);
	const char **results = sink_parts(l, made, out, n_out);
	const type **types = sink_types(l, o, &n_types);
	if (n_out)
		made = sink_manual_end(l, o, "xla.sdy.LocalToGlobalShape", types, n_types, results,
		                       n_out, "xla.sdy.out_shardings", N_out_shardings);
	sink_results(l, o, made);
}

static void sink_named(hlo_sinker *l, const op *o)
{
	int n;
	const attr *title = op_attr(o, N_name);
	const char *body = l->driver->named_region(l, o, title ? title->text->s : "named");
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "call", types, n, sink_operands(l, o), o->n_operands);
	put_f(l->at, ", to_apply=%s", body);
	sink_end(l);
	sink_results(l, o, made);
}

bool sink_sdy(hlo_sinker *l, const op *o)
{
	switch (o->kind) {
	case OP_SDY_SHARDING_CONSTRAINT:
	case OP_SDY_RESHARD: sink_constraint(l, o); return true;
	case OP_SDY_SHARDING_GROUP:
		sink_marked(l, o, "xla.sdy.ShardingGroup", "xla.sdy.sharding_group_id", N_group_id);
		return true;
	case OP_SDY_PROPAGATION_BARRIER:
		sink_marked(l, o, "xla.sdy.PropagationBarrier", "xla.sdy.allowed_direction",
		             N_allowed_direction);
		return true;
	case OP_SDY_MANUAL_COMPUTATION: sink_manual(l, o); return true;
	case OP_SDY_NAMED_COMPUTATION: sink_named(l, o); return true;
	case OP_SDY_DATA_FLOW_EDGE:
		l->names[o->results[0].id] = l->names[operand(o, 0)->id];
		return true;
	default: return false;
	}
}
