/* report_plan_emit.c - writes a plan for other tools: JAX and PyTorch code, tables, JSON.
 *
 * Arguments are named by their path in the user's tree, if the program has it, with [*] for numbers
 * of layers that are alike. */
#include "report/report.h"

#include <math.h>

typedef struct plan_emitter {
	const plan_words *p;
	const plan_result *r;
	arena *mem;
	writer *w;
	const char **places; /* by site: of arguments */
} plan_emitter;

/* ---- one tensor ----------------------------------------------------------------------------- */

/* Writes [Shard(0), Replicate()], one entry for each axis of the mesh. */
static void put_placements(writer *w, const mesh *m, const sharding *s)
{
	put_c(w, '[');
	for (int a = 0; a < m->n_axes; a++) {
		int at = -1;
		for (int d = 0; d < s->rank; d++)
			for (int i = 0; i < s->dims[d].n_axes; i++)
				if (s->dims[d].axes[i].axis == m->axes[a].name)
					at = d;
		put_z(w, a ? ", " : "");
		if (at < 0)
			put_lit(w, "Replicate()");
		else
			put_f(w, "Shard(%d)", at);
	}
	put_c(w, ']');
}

/* Returns the annotation of a site in the program with the plan: the plan's, or that of an argument or
 * result which the user keeps. NULL: none, or one of another mesh. */
static const sharding *site_sharding(const plan_emitter *e, int site)
{
	const plan_subject *s = &e->r->subject;
	const plan_site *at = &s->sites[site];
	if (!at->fixed || at->kind == SITE_VALUE)
		return e->r->best.at[site];
	const sharding *kept = at->kind == SITE_ARGUMENT
	                               ? at->v->sharding
	                               : op_func(module_main(s->m))->result_shardings[at->number];
	return kept->mesh.symbol == s->mesh_symbol ? kept : NULL;
}

/* ---- places of arguments ---------------------------------------------------------------------- */

/* Returns "params['layers'][3]['w']", or with [*] for numbers if it is to be like those of other
 * layers. A program may only name its results: then an argument has the place of the result that
 * replaces it. */
static const char *place_of_argument(const plan_emitter *e, int site, bool alike)
{
	const plan_site *s = &e->r->subject.sites[site];
	const attr *loc = value_loc(s->v);
	const char *state = e->r->places[site];
	writer w;
	writer_init(&w, e->mem);
	if (loc && loc->kind == AT_LOC_NAME)
		(alike ? put_source_alike : put_source)(&w, loc);
	else if (alike && state && state[0])
		put_z(&w, state);
	else
		put_f(&w, "arg:%d", s->number);
	return writer_z(&w);
}

/* Layers whose shardings differ keep their numbers. */
static void find_argument_places(plan_emitter *e)
{
	const plan_subject *s = &e->r->subject;
	ptr_map known = {0}, differ = {0}; /* by place */
	e->places = NEW_N(e->mem, const char *, s->n_sites + 1);
	for (int i = 0; i < s->n_sites; i++) {
		const sharding *at = s->sites[i].kind == SITE_ARGUMENT ? site_sharding(e, i) : NULL;
		if (!at)
			continue;
		e->places[i] = place_of_argument(e, i, true);
		const name *place = name_of_z(s->m->ctx, e->places[i]);
		void **first = ptr_map_at(&known, e->mem, place);
		if (!*first)
			*first = (void *)(uintptr_t)at;
		else if (*first != (const void *)at)
			*ptr_map_at(&differ, e->mem, place) = first;
	}
	for (int i = 0; i < s->n_sites; i++)
		if (e->places[i] && ptr_map_get(&differ, name_of_z(s->m->ctx, e->places[i])))
			e->places[i] = place_of_argument(e, i, false);
}

static bool names_part(const sharding *s)
{
	bool any = false;
	for (int d = 0; s && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			any |= !axis_is_full(s->dims[d].axes[i]);
	return any;
}

/* A comment ends with its line: names and files may have line breaks. */
static void put_in_line(writer *w, const writer *text)
{
	for (size_t i = 0; i < text->len; i++)
		put_c(w, (unsigned char)text->ptr[i] < 0x20 ? ' ' : text->ptr[i]);
}

/* ---- lists of tensors ----------------------------------------------------------------------- */

typedef void put_layout(writer *w, const mesh *m, const sharding *s);

static void put_as_spec(writer *w, const mesh *m, const sharding *s)
{
	UNUSED(m);
	put_partition_spec(w, s);
}

/* Writes one line for each distinct path and sharding, in argument order. */
static void put_places(const plan_emitter *e, const char *before, bool quoted, const char *between,
                       const char *after, put_layout *put)
{
	const plan_result *r = e->r;
	ptr_map said = {0};
	for (int i = 0; i < r->subject.n_sites; i++) {
		const sharding *s = site_sharding(e, i);
		if (r->subject.sites[i].kind != SITE_ARGUMENT || !s)
			continue;
		const name *key = name_of_z(r->subject.m->ctx, e->places[i]);
		void **known = ptr_map_at(&said, e->mem, key);
		if (*known == (const void *)s)
			continue;
		*known = (void *)(uintptr_t)s;
		put_z(e->w, before);
		if (quoted)
			put_json_string(e->w, str_of(e->places[i]));
		else
			put_z(e->w, e->places[i]);
		put_z(e->w, between);
		put(e->w, r->best.mesh, s);
		put_z(e->w, after);
	}
}

/* `none` is written for what the plan leaves unspecified. */
static void put_flat_specs(const plan_emitter *e, int kind, int n, const char *none)
{
	const plan_result *r = e->r;
	int at = 0;
	while (at < r->subject.n_sites && (int)r->subject.sites[at].kind != kind)
		at++;
	for (int i = 0; i < n; i++) {
		bool there = at < r->subject.n_sites && (int)r->subject.sites[at].kind == kind &&
		             r->subject.sites[at].number == i;
		const sharding *s = there ? site_sharding(e, at) : NULL;
		at += there;
		put_lit(e->w, "    ");
		if (s)
			put_partition_spec(e->w, s);
		else
			put_z(e->w, none);
		put_lit(e->w, ",\n");
	}
}

static void put_constrained(const plan_emitter *e, const plan_site *s, const sharding *sh, int n)
{
	const op *o = value_def(s->v);
	writer where;
	writer_init(&where, e->mem);
	if (!put_source_line(&where, op_loc(o)))
		put_value(&where, s->v);
	put_lit(e->w, "#   ");
	put_in_line(e->w, &where);
	put_f(e->w, "  %s ", op_short_name(o));
	put_type_short(e->w, s->type);
	put_lit(e->w, "  ");
	put_constraint_spec(e->w, sh);
	if (n > 1)
		put_f(e->w, "  x %d", n);
	put_c(e->w, '\n');
}

/* Similar values are written once. */
static void put_constraints(const plan_emitter *e)
{
	const plan_result *r = e->r;
	bool *said = NEW_N(e->mem, bool, r->subject.n_sites + 1);
	bool any = false;
	for (int i = 0; i < r->subject.n_sites; i++) {
		const plan_site *s = &r->subject.sites[i];
		if (s->kind != SITE_VALUE || !r->best.at[i] || said[i])
			continue;
		int n = 0;
		for (int k = i; k < r->subject.n_sites; k++) {
			const plan_site *other = &r->subject.sites[k];
			if (other->kind == SITE_VALUE && r->best.at[k] == r->best.at[i] &&
			    r->class_of[k] == r->class_of[i]) {
				said[k] = true;
				n++;
			}
		}
		if (!any)
			put_lit(e->w, "\n# where the plan needs more than the arguments say:\n"
			              "# jax.lax.with_sharding_constraint(value, NamedSharding(mesh, "
			              "spec))\n");
		any = true;
		put_constrained(e, s, r->best.at[i], n);
	}
}

/* Numbers the values of main among those of the same type from ops of the same name, in program order.
 * @return [values of the program] by id */
static const int *numbers_among_alike(const plan_emitter *e)
{
	const module *m = e->r->subject.m;
	int *numbers = NEW_N(e->mem, int, m->n_values + 1);
	ptr_map counts = {0}; /* by a hash of kind, type and name */
	for (const op *o = op_body(module_main(m))->first; o; o = o->next) {
		const char *path = o->n_results == 1 ? source_equation(o) : NULL;
		if (!path)
			continue;
		uint64_t key = hash_mix(o->kind + 1, (uintptr_t)o->results[0].type);
		key = hash_mix(key, (uintptr_t)name_of_z(m->ctx, path));
		void **n = ptr_map_at(&counts, e->mem, (const void *)(uintptr_t)key);
		numbers[o->results[0].id] = (int)(uintptr_t)*n;
		*n = (void *)((uintptr_t)*n + 1);
	}
	return numbers;
}

/* The same for Python: one row per value. */
static void put_constraint_rows(const plan_emitter *e)
{
	const plan_result *r = e->r;
	const int *numbers = numbers_among_alike(e);
	for (int i = 0; i < r->subject.n_sites; i++) {
		const plan_site *s = &r->subject.sites[i];
		if (s->kind != SITE_VALUE || !r->best.at[i])
			continue;
		const attr *loc = op_loc(value_def(s->v));
		const char *path = source_equation(value_def(s->v));
		put_lit(e->w, "    (");
		put_json_string(e->w, str_of(path ? path : op_short_name(value_def(s->v))));
		put_lit(e->w, ", \"");
		put_type_jax(e->w, s->type);
		put_f(e->w, "\", %d): ", numbers[s->v->id]);
		put_constraint_spec(e->w, r->best.at[i]);
		put_c(e->w, ',');
		if (source_file(loc)) {
			writer where;
			writer_init(&where, e->mem);
			put_source_line(&where, loc);
			put_lit(e->w, "  # ");
			put_in_line(e->w, &where);
		}
		put_c(e->w, '\n');
	}
}

static bool has_constraints(const plan_result *r)
{
	for (int i = 0; i < r->subject.n_sites; i++)
		if (r->subject.sites[i].kind == SITE_VALUE && r->best.at[i])
			return true;
	return false;
}

/* ---- output forms --------------------------------------------------------------------------- */

static void put_mesh_tuple(writer *w, const mesh *m, bool names)
{
	put_c(w, '(');
	for (int a = 0; a < m->n_axes; a++) {
		if (names)
			put_json_string(w, name_str(m->axes[a].name));
		else
			put_f(w, "%" PRId64, m->axes[a].size);
		put_z(w, a + 1 < m->n_axes ? ", " : m->n_axes == 1 ? "," : "");
	}
	put_c(w, ')');
}

static void emit_specs(const plan_emitter *e)
{
	put_lit(e->w, "mesh ");
	put_mesh_axes(e->w, e->r->best.mesh);
	put_c(e->w, '\n');
	put_places(e, "", false, "  ", "\n", put_as_spec);
	put_constraints(e);
}

static const char args_of_jit[] =
	"\n\n"
	"def jit_args(arguments, result):\n"
	"    \"\"\"For jax.jit of a function of these arguments, a tuple, and such a result.  JAX drops\n"
	"    arguments that the function does not use; the types of the others say which these are.\"\"\"\n"
	"    def tree(like, specs):\n"
	"        named = [s if s is None else NamedSharding(mesh, s) for s in specs]\n"
	"        return jax.tree.unflatten(jax.tree.structure(like), named)\n\n"
	"    def data(x):\n"
	"        is_key = jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key)\n"
	"        return jax.random.key_data(x) if is_key else x\n\n"
	"    def first_with(types, leaves):\n"
	"        numbers = iter(range(len(leaves)))\n"
	"        return [next((i for i in numbers if leaves[i] == t), -1) for t in types]\n\n"
	"    def of_all(specs):\n"
	"        traced = jax.make_jaxpr(lambda *a: list(map(data, jax.tree.leaves(a))))(*arguments)\n"
	"        leaves = [a.str_short(short_dtypes=True) for a in traced.out_avals]\n"
	"        kept = first_with(in_types, leaves)\n"
	"        last = first_with(in_types[::-1], leaves[::-1])\n"
	"        if kept != [len(leaves) - 1 - i for i in reversed(last)]:\n"
	"            raise ValueError(\"the function has other arguments, or does not use some, and \"\n"
	"                             \"types do not say which: plan it as lowered by \"\n"
	"                             \"jax.jit(f, keep_unused=True)\")\n"
	"        known = dict(zip(kept, specs))\n"
	"        return [known.get(i) for i in range(len(leaves))]\n\n"
	"    n_leaves = len(jax.tree.leaves(arguments))\n"
	"    specs = in_specs if n_leaves == len(in_specs) else of_all(in_specs)\n"
	"    return dict(in_shardings=tree(arguments, specs), out_shardings=tree(result, out_specs))\n";

/* Puts the constraints into the function's jaxpr, also into those that JAX lowers in place. */
static const char constrain_in_jax[] =
	"}\n\n\n"
	"def constrained(function):\n"
	"    \"\"\"The function, which jax.jit takes with jit_args(), with these constraints; by hand each is\n"
	"    jax.lax.with_sharding_constraint(value, NamedSharding(mesh, spec)).\"\"\"\n"
	"    from jax.extend.core import jaxpr_as_fun\n"
	"    from jax.interpreters.partial_eval import dce_jaxpr\n\n"
	"    # equations that JAX lowers in place, and what it adds to the names of their operations\n"
	"    in_place = {\"remat2\": (\"checkpoint\",), \"checkpoint\": (\"checkpoint\",),\n"
	"                \"custom_jvp_call\": (), \"custom_vjp_call\": ()}\n\n"
	"    def constraint(value, spec):\n"
	"        place = lambda v: jax.lax.with_sharding_constraint(v, NamedSharding(mesh, spec))\n"
	"        return jax.make_jaxpr(place)(value).jaxpr.eqns[0]\n\n"
	"    def placed(jaxpr, before, outer, seen, missing):\n"
	"        made = []\n"
	"        for eqn in jaxpr.eqns:\n"
	"            stack = eqn.source_info.name_stack\n"
	"            stack = outer + stack if outer else stack\n"
	"            name = *before, *filter(None, [str(stack)])\n"
	"            if eqn.primitive.name in in_place:\n"
	"                within = (*name, *in_place[eqn.primitive.name]), None\n"
	"                if eqn.primitive.name == \"custom_vjp_call\":  # not lowered by itself first\n"
	"                    within = before, stack\n"
	"                inner = {k: rebuilt(v, *within, seen, missing)\n"
	"                         for k, v in eqn.params.items() if k in (\"jaxpr\", \"call_jaxpr\")}\n"
	"                eqn = eqn.replace(params=dict(eqn.params, **inner))\n"
	"            made.append(eqn)\n"
	"            if len(eqn.outvars) != 1:\n"
	"                continue\n"
	"            value = eqn.outvars[0]\n"
	"            kind = \"/\".join([*name, eqn.primitive.name])\n"
	"            kind = kind, value.aval.str_short(short_dtypes=True)\n"
	"            seen[kind] = seen.get(kind, -1) + 1\n"
	"            spec = missing.pop((*kind, seen[kind]), None)\n"
	"            if spec is not None:\n"
	"                last = constraint(value.aval, spec)\n"
	"                made[-1:] = eqn.replace(outvars=last.invars), last.replace(outvars=[value])\n"
	"        return jaxpr.replace(eqns=made)\n\n"
	"    def rebuilt(jaxpr, *state):\n"
	"        inner = getattr(jaxpr, \"jaxpr\", jaxpr)\n"
	"        new = placed(inner, *state)\n"
	"        return new if inner is jaxpr else jaxpr.replace(jaxpr=new)\n\n"
	"    def wrapped(*arguments):\n"
	"        traced, result = jax.make_jaxpr(function, return_shape=True)(*arguments)\n"
	"        # JAX does not lower what is unused\n"
	"        live, _ = dce_jaxpr(traced.jaxpr, [True] * len(traced.jaxpr.outvars), True)\n"
	"        traced = traced.replace(jaxpr=live, consts=traced.consts)\n"
	"        missing = dict(constraints)\n"
	"        traced = rebuilt(traced, (), None, {}, missing)\n"
	"        if missing:\n"
	"            raise ValueError(f\"the function has no such values: {list(missing)}\")\n"
	"        made = jaxpr_as_fun(traced)(*jax.tree.leaves(arguments))\n"
	"        return jax.tree.unflatten(jax.tree.structure(result), made)\n"
	"    return wrapped\n";

/* As words of lines of some 90 characters. */
static void put_argument_types(const plan_emitter *e)
{
	const block *body = op_body(module_main(e->r->subject.m));
	size_t line = e->w->len;
	for (int i = 0; i < body->n_args; i++) {
		bool full = e->w->len - line > 80;
		put_z(e->w, full ? "\n" : i ? " " : "");
		line = full ? e->w->len : line;
		put_type_jax(e->w, body->args[i]->type);
	}
}

static void put_emitted_title(const plan_emitter *e)
{
	writer title;
	writer_init(&title, e->mem);
	put_z(&title, e->p->title);
	put_lit(e->w, "# a plan for ");
	put_in_line(e->w, &title);
	put_f(e->w, " on %" PRId64 " x %s\n", e->r->best.mesh->n_devices, e->p->target);
}

static void emit_jax(const plan_emitter *e)
{
	const op *main_func = module_main(e->r->subject.m);
	put_emitted_title(e);
	put_lit(e->w,
	      "import jax\n"
	      "from jax.sharding import AxisType, NamedSharding, PartitionSpec as P\n\n"
	      "mesh = jax.make_mesh(");
	put_mesh_tuple(e->w, e->r->best.mesh, false);
	put_lit(e->w, ", ");
	put_mesh_tuple(e->w, e->r->best.mesh, true);
	put_f(e->w,
	      ",\n                     axis_types=(AxisType.Auto,) * %d)\n\n"
	      "# of arguments, by place; [*] stands for the number of a layer\nspecs = {\n",
	      e->r->best.mesh->n_axes);
	put_places(e, "    ", true, ": ", ",\n", put_as_spec);
	put_lit(e->w, "}\n\n# of the arguments and results of the lowered function, in order\n"
	              "in_specs = [\n");
	put_flat_specs(e, SITE_ARGUMENT, op_body(main_func)->n_args, "P()");
	put_lit(e->w, "]\nout_specs = [\n");
	put_flat_specs(e, SITE_RESULT, op_func(main_func)->type->n_out, "None");
	put_lit(e->w, "]\nin_types = \"\"\"");
	put_argument_types(e);
	put_lit(e->w, "\"\"\".split()\n");
	put_z(e->w, args_of_jit);
	if (!has_constraints(e->r))
		return;
	put_lit(e->w, "\n\n# values inside that need more than the arguments say: by JAX's name of their "
	              "operation,\n# their type, and which of those that are alike\nconstraints = {\n");
	put_constraint_rows(e);
	put_z(e->w, constrain_in_jax);
}

static void emit_dtensor(const plan_emitter *e)
{
	put_emitted_title(e);
	put_lit(e->w,
	      "from torch.distributed.device_mesh import init_device_mesh\n"
	      "from torch.distributed.tensor import Replicate, Shard\n\n"
	      "mesh = init_device_mesh(\"cuda\", ");
	put_mesh_tuple(e->w, e->r->best.mesh, false);
	put_lit(e->w, ", mesh_dim_names=");
	put_mesh_tuple(e->w, e->r->best.mesh, true);
	put_lit(e->w, ")\n\n# of arguments, by place; [*] stands for the number of a layer\n"
	              "placements = {\n");
	put_places(e, "    ", true, ": ", ",\n", put_placements);
	put_lit(e->w, "}\n");
	put_constraints(e);
}

static void json_sharding(const plan_emitter *e, json *j, const sharding *s, bool constraint)
{
	writer w;
	writer_init(&w, e->mem);
	sharding_print(&w, s);
	json_key_str(j, "sharding", writer_str(&w));
	if (names_part(s)) {
		json_key_num(j, "spec", NAN); /* null */
		return;
	}
	writer_init(&w, e->mem);
	if (constraint)
		put_constraint_spec(&w, s);
	else
		put_partition_spec(&w, s);
	json_key_str(j, "spec", writer_str(&w));
}

static void json_sites(const plan_emitter *e, json *j, const char *key, int kind)
{
	const plan_result *r = e->r;
	json_key_arr(j, key);
	for (int i = 0; i < r->subject.n_sites; i++) {
		const plan_site *s = &r->subject.sites[i];
		const sharding *sharded = site_sharding(e, i);
		if ((int)s->kind != kind || !sharded)
			continue;
		json_obj(j);
		json_key_int(j, kind == SITE_VALUE ? "operation" : "number", s->number);
		if (kind == SITE_ARGUMENT)
			json_key_z(j, "place", e->places[i]);
		if (kind == SITE_VALUE) {
			writer w;
			writer_init(&w, e->mem);
			if (put_source_line(&w, op_loc(value_def(s->v))))
				json_key_str(j, "source", writer_str(&w));
		}
		json_sharding(e, j, sharded, kind == SITE_VALUE);
		json_end(j);
	}
	json_end(j);
}

static void emit_json(const plan_emitter *e)
{
	json j;
	json_init(&j, e->w, true);
	json_obj(&j);
	json_key_obj(&j, "mesh");
	for (int a = 0; a < e->r->best.mesh->n_axes; a++)
		json_key_int(&j, e->r->best.mesh->axes[a].name->s, e->r->best.mesh->axes[a].size);
	json_end(&j);
	json_sites(e, &j, "arguments", SITE_ARGUMENT);
	json_sites(e, &j, "results", SITE_RESULT);
	json_sites(e, &j, "constraints", SITE_VALUE);
	json_end(&j);
	put_c(e->w, '\n');
}

static const struct {
	const char *word;
	void (*emit)(const plan_emitter *e);
	bool code; /* that names axes as a whole */
} plan_forms[] = {
	{"jax", emit_jax, true}, {"dtensor", emit_dtensor, true}, {"specs", emit_specs, false}, {"json", emit_json, false},
};

/* Only annotations that are kept may name parts of axes. */
static bool names_whole_axes(const plan_emitter *e, const char *form)
{
	const plan_subject *s = &e->r->subject;
	writer w;
	for (int i = 0; i < s->n_sites; i++) {
		const plan_site *at = &s->sites[i];
		const sharding *there = site_sharding(e, i);
		if (!names_part(there))
			continue;
		writer_init(&w, e->mem);
		put_partition_spec(&w, there);
		return diag_error(s->m->ctx, NOWHERE, E_PLAN_OPTION,
		                  "the plan cannot be written as '%s': %s %d keeps %s, over a part of an axis, which "
		                  "only specs and json can say",
		                  form, at->kind == SITE_ARGUMENT ? "argument" : "result", at->number, writer_z(&w));
	}
	return true;
}

bool plan_emit(const plan_words *p, const char *form, arena *mem, writer *w)
{
	plan_emitter e = {.p = p, .r = p->r, .mem = mem, .w = w};
	find_argument_places(&e);
	for (int i = 0; i < COUNT(plan_forms); i++)
		if (!strcmp(plan_forms[i].word, form)) {
			if (plan_forms[i].code && !names_whole_axes(&e, form))
				return false;
			plan_forms[i].emit(&e);
			return true;
		}
	return diag_error(p->r->subject.m->ctx, NOWHERE, E_PLAN_OPTION,
	                  "a plan is not written as '%s', but as jax, dtensor, specs or json", form);
}
