/* symbol_dce.c - `symbol-dce`: erases private symbols to which nothing live refers.
 *
 * Live are public symbols, ops that are not symbols, and, transitively, what they refer to. A
 * sharding refers to its mesh. */
#include "op/op.h"

typedef struct dce_walk {
	module *m;
	uint8_t *live; /* [n_ops], by id */
	VEC(op *) todo;
	ptr_map seen; /* attributes and shardings that have been visited */
	const sharding *last; /* the last one visited */
	bool meshes; /* some mesh is private, so that references by shardings count */
} dce_walk;

/* True if the symbol is invisible outside of the module: "nested" is as good as "private" here. */
static bool is_private(const op *o)
{
	const attr *visibility = op_attr(o, N_sym_visibility);
	return op_symbol(o) && visibility && visibility->kind == AT_STRING &&
	       (name_is(visibility->text, N_private) || !strcmp(visibility->text->s, "nested"));
}

static void mark_live(dce_walk *w, op *o)
{
	if (w->live[o->id])
		return;
	w->live[o->id] = true;
	vec_push(&w->m->ctx->scratch, &w->todo, o);
}

static void mark_symbol(dce_walk *w, const name *symbol)
{
	op *target = module_lookup(w->m, symbol);
	if (target)
		mark_live(w, target);
}

/* True if this is visited for the first time. */
static bool is_new(dce_walk *w, const void *what)
{
	void **seen = ptr_map_at(&w->seen, &w->m->ctx->scratch, what);
	bool first = !*seen;
	*seen = w;
	return first;
}

/* Marks the mesh of a sharding.  `arg` is the walk. */
static void mark_mesh(void *arg, const sharding *s)
{
	dce_walk *w = arg;
	if (s == w->last)
		return;
	w->last = s;
	if (s->mesh.symbol && is_new(w, s))
		mark_symbol(w, s->mesh.symbol);
}

/* Marks what an attribute of an operation refers to, except its own shardings: those are marked
 * with the operation's. The recursion is as deep as the text, which is limited. */
static void mark_attr(dce_walk *w, const attr *a)
{
	if (a->kind == AT_SYMBOL)
		mark_symbol(w, a->text);
	if (a->kind == AT_SYMBOL || !a->list || !is_new(w, a))
		return;
	for (int i = 0; i < a->n; i++) {
		if (!a->list[i])
			continue;
		if (w->meshes)
			attr_each_sharding(a->list[i], mark_mesh, w);
		mark_attr(w, a->list[i]);
	}
}

static void mark_references(dce_walk *w, op *root)
{
	for (op *o = root; o; o = op_next(o, root)) {
		for (int i = 0; i < o->attrs.n; i++) {
			const attr *a = o->attrs.ptr[i].value;
			if (a->kind == AT_SYMBOL || a->list)
				mark_attr(w, a);
		}
		if (w->meshes)
			op_each_sharding(o, mark_mesh, w);
	}
}

bool pass_symbol_dce(module *m, const pass_options *o)
{
	UNUSED(o);
	dce_walk w = {.m = m};
	bool any = false;
	for (const op *s = module_body(m)->first; s; s = s->next) {
		bool here = is_private(s);
		any |= here;
		w.meshes |= here && s->kind == OP_SDY_MESH;
	}
	if (!any)
		return true;
	w.live = NEW_N(&m->ctx->scratch, uint8_t, m->n_ops);
	for (op *s = module_body(m)->first; s; s = s->next)
		if (!is_private(s))
			mark_live(&w, s);
	while (w.todo.len)
		mark_references(&w, w.todo.ptr[--w.todo.len]);
	for (op *s = module_body(m)->first, *next; s; s = next) {
		next = s->next;
		if (!w.live[s->id]) {
			module_remove_symbol(m, op_symbol(s));
			op_erase(s);
		}
	}
	return true;
}
