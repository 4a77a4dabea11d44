/* raise_shardings.c - converts shardings in HLO's texts to sdy's.
 *
 * Programs from JAX have the meshes and each sharding twice: in sdy's own text, as frontend
 * attributes, and as an HloSharding. The former have more information (open dimensions, names) and
 * are preferred. Otherwise HloShardings are converted, on meshes made from their devices; the
 * program's first mesh is tried for each.
 *
 * If a program declares its meshes, its shardings are sdy's already, except for calls to a
 * partitioner that it inherited from a program made for GSPMD, as callers of jax.export do. */
#include "hlo/convert/raise.h"
#include <stdlib.h>

typedef struct mesh_symbols {
	hlo_raiser *r;
	ptr_map symbols;   /* mesh -> its name */
	const mesh *first; /* the program's first mesh; a hint for the others */
	op *last;          /* the last mesh operation, at the start of the module */
	bool own;          /* the program declares meshes: only calls are converted */
} mesh_symbols;

/* ---- meshes -------------------------------------------------------------------- */

static const name *add_mesh(mesh_symbols *t, const name *wanted, const mesh *m)
{
	module *to = t->r->to;
	void **slot = ptr_map_at(&t->symbols, t->r->mem, m);
	if (*slot)
		return *slot;
	const name *symbol = module_fresh_symbol(to, wanted);
	t->last = module_declare_mesh(to, t->last, symbol, m);
	if (!t->first)
		t->first = m;
	if (!t->r->mesh)
		t->r->mesh = symbol;
	*ptr_map_at(&t->symbols, t->r->mem, m) = (void *)symbol;
	return symbol;
}

/* Records the meshes that the program declares; the first one with axes is the hint. */
static void know_declared(mesh_symbols *t)
{
	for (op *o = module_body(t->r->to)->first; o; o = o->next) {
		const mesh *m = op_declared_mesh(o);
		if (!m)
			continue;
		void **slot = ptr_map_at(&t->symbols, t->r->mem, m);
		if (!*slot)
			*slot = (void *)op_symbol(o);
		t->last = o;
		t->own = true;
	}
	const op *first = module_first_mesh(t->r->to);
	if (first) {
		t->first = op_declared_mesh(first);
		t->r->mesh = op_symbol(first);
	}
}

/* Returns the word that ends before `at` and " = ". */
static tess_str name_before(const char *begin, const char *at)
{
	while (at > begin && (at[-1] == ' ' || at[-1] == '='))
		at--;
	const char *from = at;
	while (from > begin && from[-1] != ' ' && from[-1] != '{' && from[-1] != ',')
		from--;
	return (tess_str){from, (size_t)(at - from)};
}

/* Parses {mesh = #sdy.mesh<["x"=2]>, other = #sdy.mesh<…>}. */
static bool read_meshes(mesh_symbols *t, tess_str text)
{
	static const char word[] = "#sdy.mesh";
	source *src = source_new(t->r->ctx, "xla.sdy.meshes", text);
	const char *at = text.ptr;
	while ((at = strstr(at, word))) {
		tess_str wanted = name_before(text.ptr, at);
		uint32_t end = (uint32_t)(at - text.ptr) + (uint32_t)strlen(word);
		const mesh *m = mesh_parse(t->r->ctx, src, end, &end);
		if (!m)
			return false;
		add_mesh(t, name_of(t->r->ctx, wanted), m);
		at = text.ptr + end;
	}
	return true;
}

/* ---- one sharding ----------------------------------------------------------------- */

static tess_str frontend_text(const attr_list *l, tess_ctx *ctx, const char *key)
{
	const attr *dict = attrs_get_named(l, name_of_z(ctx, "mhlo.frontend_attributes"));
	const attr *a = dict ? attr_get_named(dict, name_of_z(ctx, key)) : NULL;
	return a ? name_str(a->text) : (tess_str){0};
}

/* Converts the HloSharding of a tensor of this type; from a tuple's, that leaf's. */
static const sharding *sharding_of_hlo(mesh_symbols *t, const hlo_sharding *h, const type *type,
                                       int number)
{
	tess_ctx *ctx = t->r->ctx;
	const mesh *m;
	if (h && h->kind == HS_TUPLE)
		h = number < h->n_parts ? h->parts[number] : NULL;
	bool alone = h && h->kind == HS_UNREDUCED && !h->named && !t->first; /* one device */
	if (!h || h->kind == HS_MANUAL || alone)
		return NULL;
	const sharding *s = hlo_sharding_to_sdy(ctx, h, type_is_tensor(type) ? type->rank : 0,
	                                        t->first, &m);
	if (!s)
		return NULL;
	const name *symbol = add_mesh(
		t, name_of_z(ctx, mesh_is_maximal(m) ? "maximal_mesh" : "mesh"), m);
	return sharding_with_mesh(ctx, s, (mesh_ref){.symbol = symbol});
}

/* Returns the sharding in the attributes of a value, and removes it from them. */
static const sharding *take_given_sharding(mesh_symbols *t, attr_list *l, const type *type,
                                          int number)
{
	tess_ctx *ctx = t->r->ctx;
	tess_str sdy = frontend_text(l, ctx, "xla.sdy.sharding");
	static const char many[] = "#sdy.sharding_per_value";
	if (sdy.len && str_starts(sdy, many)) {
		sharding_list list;
		uint32_t end = (uint32_t)strlen(many);
		source *src = source_new(ctx, "xla.sdy.sharding", sdy);
		bool ok = sharding_per_value_parse(ctx, src, end, &end, &list, NULL);
		return ok && number < list.n ? list.ptr[number] : NULL;
	}
	if (sdy.len)
		return sharding_parse_whole(ctx, source_new(ctx, "xla.sdy.sharding", sdy), NULL,
		                            NULL);
	return sharding_of_hlo(t, gspmd_sharding(ctx, l), type, number);
}

static void drop_texts(mesh_symbols *t, attr_list *l)
{
	tess_ctx *ctx = t->r->ctx;
	attrs_set(&t->r->to->mem, l, name_of_z(ctx, "mhlo.sharding"), NULL);
	if (frontend_text(l, ctx, "xla.sdy.sharding").len)
		attrs_set(&t->r->to->mem, l, name_of_z(ctx, "mhlo.frontend_attributes"), NULL);
}

/* ---- operations ----------------------------------------------------------------------- */

/* unspecified_dims=[0,1] on a @Sharding call: these dimensions are open. */
static const sharding *opened_dims(mesh_symbols *t, const op *o, const sharding *s)
{
	static const char key[] = "unspecified_dims=[";
	const attr *config = op_attr(o, N_backend_config);
	const char *at = config && config->kind == AT_STRING ? strstr(config->text->s, key) : NULL;
	if (!at)
		return s;
	sharding open = *s;
	open.dims = memcpy(NEW_N(t->r->mem, dim_sharding, s->rank + 1), s->dims,
	                   sizeof *s->dims * (size_t)s->rank);
	for (at += strlen(key) - 1; *at == '[' || *at == ',';) {
		char *end;
		long long dim = strtoll(at + 1, &end, 10);
		if (end > at + 1 && dim >= 0 && dim < s->rank)
			((dim_sharding *)open.dims)[dim].open = true;
		at = end;
	}
	return sharding_of(t->r->ctx, &open);
}

/* shard_as and shard_like: the value has the same sharding as the others of its group. */
static void take_group(mesh_symbols *t, op *o, value *v, const hlo_sharding *h)
{
	if (!h || h->group == GROUP_NONE || !type_is_tensor(v->type) || !v->type->rank)
		return;
	const builder b = builder_before(t->r->to, o);
	op *group = build_op(&b, OP_SDY_SHARDING_GROUP, &v, 1, NULL, 0, 0);
	op_set_attr(t->r->to, group, N_group_id, attr_i64(t->r->ctx, h->group_id));
}

/* A call that only annotates becomes a constraint; for a scalar, or inside a manual computation, it
 * has no effect. */
static void take_mark(mesh_symbols *t, op *o, const sharding *s, const hlo_sharding *h)
{
	value *v = operand(o, 0);
	const builder b = builder_before(t->r->to, o);
	value *to = v;
	if (s && s->rank) {
		to = build_sharded(&b, OP_SDY_SHARDING_CONSTRAINT, v, opened_dims(t, o, s));
		value_take_name(t->r->to, to, result(o, 0));
	}
	take_group(t, o, to, h);
	value_replace_uses(&o->results[0], to);
	op_erase(o);
}

/* Parses the number in a frontend attribute, 3 or 3 : i64; returns false if there is none. */
static bool given_number(mesh_symbols *t, const op *o, const char *key, int64_t *out)
{
	char *end;
	tess_str text = frontend_text(&o->attrs, t->r->ctx, key);
	*out = text.len ? strtoll(text.ptr, &end, 10) : 0;
	return text.len && end > text.ptr;
}

/* Converts xla.sdy.ShardingGroup and xla.sdy.PropagationBarrier; returns false for other calls. */
static bool take_sdy_call(mesh_symbols *t, op *o)
{
	module *to = t->r->to;
	int64_t n;
	if (o->n_operands != 1 || o->n_results > 1)
		return false;
	value *v = operand(o, 0);
	const type *type = o->n_results ? o->results[0].type : v->type;
	bool group = op_calls(o, "xla.sdy.ShardingGroup");
	if (!group && !op_calls(o, "xla.sdy.PropagationBarrier"))
		return false;
	if (type != v->type || (!group && !o->n_results) ||
	    !given_number(t, o, group ? "xla.sdy.sharding_group_id" : "xla.sdy.allowed_direction",
	                 &n))
		return false;
	const builder b = builder_before(to, o);
	op *made = build_op(&b, group ? OP_SDY_SHARDING_GROUP : OP_SDY_PROPAGATION_BARRIER, &v, 1,
	                    &type, !group, 0);
	if (group)
		op_set_attr(to, made, N_group_id, attr_i64(t->r->ctx, n));
	else
		op_set_attr(to, made, N_allowed_direction, attr_i32(t->r->ctx, n));
	if (o->n_results)
		value_replace_uses(&o->results[0], group ? v : &made->results[0]);
	op_erase(o);
	return true;
}

static void take_op_shardings(mesh_symbols *t, op *o)
{
	bool mark = op_calls(o, "Sharding") && o->n_operands == 1 && o->n_results == 1 &&
	            operand(o, 0)->type == result(o, 0)->type;
	const hlo_sharding *h = mark ? gspmd_sharding(t->r->ctx, &o->attrs) : NULL;
	if (take_sdy_call(t, o) || op_calls(o, "SPMDFullToShardShape"))
		return; /* handled by raise_region.c */
	for (int i = 0; i < o->n_results; i++) {
		const sharding *given = take_given_sharding(t, &o->attrs, o->results[i].type, i);
		if (given)
			o->results[i].sharding = given;
	}
	drop_texts(t, &o->attrs);
	if (mark && (o->results[0].sharding || h))
		take_mark(t, o, o->results[0].sharding, h);
}

static bool marks_result(const op *o)
{
	return o && op_calls(o, "xla.sdy.FuncResultSharding") && o->n_operands == 1 &&
	       o->n_results == 1;
}

/* xla.sdy.FuncResultSharding annotates what a function returns. */
static void take_given_results(mesh_symbols *t, op *f)
{
	op *ret = block_terminator(op_body(f));
	for (int i = 0; i < ret->n_operands; i++) {
		op *mark = value_def(operand(ret, i));
		const sharding *given = take_given_sharding(t, &op_func(f)->result_attrs[i],
		                                          op_func(f)->type->out[i], 0);
		if (given)
			op_func(f)->result_shardings[i] = given;
		drop_texts(t, &op_func(f)->result_attrs[i]);
		if (marks_result(mark))
			op_func(f)->result_shardings[i] = mark->results[0].sharding;
	}
	for (int i = 0; i < ret->n_operands; i++) {
		op *mark = value_def(operand(ret, i));
		if (!marks_result(mark))
			continue;
		value_replace_uses(&mark->results[0], operand(mark, 0));
		op_erase(mark);
	}
}

static void take_function_shardings(mesh_symbols *t, op *f)
{
	block *b = op_body(f);
	for (int i = 0; !t->own && i < b->n_args; i++) {
		const sharding *given = take_given_sharding(t, &op_func(f)->arg_attrs[i],
		                                          b->args[i]->type, 0);
		if (given)
			b->args[i]->sharding = given;
		drop_texts(t, &op_func(f)->arg_attrs[i]);
	}
	for (op *o = b->first, *next; o; o = next) {
		next = op_next(o, f);
		if (!t->own || op_is_partitioner_call(o))
			take_op_shardings(t, o);
	}
	if (!t->own)
		take_given_results(t, f);
}

/* A partitioned program has the shapes of one device: the shardings of its parameters have been
 * applied already. */
static void drop_all_texts(mesh_symbols *t)
{
	for (op *f = module_body(t->r->to)->first; f; f = f->next) {
		for (int i = 0; op_is_func(f) && i < op_body(f)->n_args; i++)
			drop_texts(t, &op_func(f)->arg_attrs[i]);
		for (int i = 0; op_is_func(f) && i < op_func(f)->type->n_out; i++)
			drop_texts(t, &op_func(f)->result_attrs[i]);
		for (op *o = f; o; o = op_next(o, f))
			drop_texts(t, &o->attrs);
	}
}

bool raise_shardings(hlo_raiser *r)
{
	mesh_symbols t = {.r = r};
	int errors = diag_errors(r->ctx);
	bool local = r->from && hlo_is_partitioned(r->from);
	tess_str meshes = frontend_text(&r->to->top->attrs, r->ctx, "xla.sdy.meshes");
	if (!local)
		know_declared(&t);
	if (meshes.len && !local && !read_meshes(&t, meshes))
		return false;
	if (!meshes.len && !local && !t.own)
		t.first = gspmd_mesh(r);
	if (diag_errors(r->ctx) != errors)
		return false;
	if (meshes.len || r->from)
		raise_attr(r, r->to->top, "mhlo.frontend_attributes", NULL);
	if (local) {
		drop_all_texts(&t);
		return true;
	}
	for (op *f = module_body(r->to)->first, *next; f; f = next) {
		next = f->next;
		if (op_is_func(f) && !func_is_declaration(f))
			take_function_shardings(&t, f);
	}
	raise_manual_computations(r);
	raise_gspmd_regions(r);
	return diag_errors(r->ctx) == errors && module_marks_are_taken(r->to);
}

/* True if the program was annotated for GSPMD, or went through HLO, and has no mesh of its own, or
 * calls a partitioner although it has one. */
static bool tells_in_texts(const module *m, tess_str text)
{
	static const char *const words[] = {"mhlo.sharding", "xla.sdy.sharding"};
	if (module_has(m, OP_SDY_MESH) && !module_first_mark(m))
		return false;
	for (int i = 0; i < COUNT(words); i++)
		if (memmem(text.ptr, text.len, words[i], strlen(words[i])))
			return true;
	return false;
}

bool module_take_texts(module *m, tess_str text, const attr_texts *texts)
{
	hlo_raiser r = {.ctx = m->ctx, .to = m, .texts = texts, .mem = &m->ctx->scratch};
	return !tells_in_texts(m, text) || (raise_shardings(&r) && module_verify(m));
}
