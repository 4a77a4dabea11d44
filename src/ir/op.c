/* op.c - operations, their operands and uses, blocks, attributes of an op. */
#include "ir/ir.h"

/* ---- uses ------------------------------------------------------------------- */

static void use_link(use *u, value *v)
{
	u->value = v;
	u->next = v->uses;
	u->prev = &v->uses;
	if (v->uses)
		v->uses->prev = &u->next;
	v->uses = u;
}

static void use_drop(use *u)
{
	if (!u->value)
		return;
	*u->prev = u->next;
	if (u->next)
		u->next->prev = u->prev;
	u->value = NULL;
}

block *value_block(const value *v) { return v->is_arg ? value_owner(v) : value_def(v)->parent; }

op *value_op(const value *v) { return v->is_arg ? block_parent(value_owner(v)) : value_def(v); }

/* Locations in a binary file are read when they are asked for. */
static const attr *loc_in_file(const module *m, uint32_t at, bool of_arg)
{
	return m && m->src && m->src->find_loc ? m->src->find_loc(m, at, of_arg) : NULL;
}

const attr *op_loc(const op *o)
{
	if (o->more && o->more->loc)
		return o->more->loc;
	return o->at_size ? loc_in_file(op_module(o), o->at, false) : NULL;
}

const attr *value_loc(const value *v)
{
	if (!v->is_arg)
		return op_loc(value_def(v));
	const block_arg *a = (const block_arg *)v;
	return a->loc || !a->at ? a->loc : loc_in_file(op_module(value_op(v)), a->at, true);
}

void arg_set_loc(value *arg, const attr *loc)
{
	ASSERT(arg->is_arg);
	((block_arg *)arg)->loc = loc;
}

void value_replace_uses(value *from, value *to)
{
	value_replace_uses_except(from, to, NULL);
}

void value_replace_uses_except(value *from, value *to, const op *except)
{
	if (from == to)
		return;
	for (use *u = from->uses, *next; u; u = next) {
		next = u->next;
		if (except && u->owner == except)
			continue;
		use_drop(u);
		use_link(u, to);
	}
}

void value_hand_over_uses(value *from, value *to)
{
	use *oldest = NULL;
	for (use *u = from->uses; u; u = u->next) {
		u->value = to;
		oldest = u;
	}
	if (!oldest)
		return;
	oldest->next = to->uses;
	if (to->uses)
		to->uses->prev = &oldest->next;
	to->uses = from->uses;
	to->uses->prev = &to->uses;
	from->uses = NULL;
}

/* ---- ops -------------------------------------------------------------------- */

static void more_new(module *m, op *o, int n_regions)
{
	o->more = arena_zalloc(&m->mem,
	                       sizeof *o->more + (size_t)n_regions * sizeof *o->more->regions);
	o->more->n_regions = n_regions;
	for (int i = 0; i < n_regions; i++)
		o->more->regions[i].parent = o;
}

op *op_new(module *m, int kind, const name *opname, value *const *operands, int n_operands,
           const type *const *result_types, int n_results, int n_regions)
{
	/* One piece of memory, because whoever reads an op reads its results and operands next. */
	size_t n_values = (size_t)n_results, n_uses = (size_t)n_operands;
	op *o = arena_alloc(&m->mem, sizeof *o + n_values * sizeof(value) + n_uses * sizeof(use));
	*o = (op){.id = m->n_ops++,
	          .kind = (uint16_t)kind,
	          .n_operands = n_operands,
	          .n_results = (uint32_t)n_results & INDEX_MAX};
	module_note_kind(m, kind);
	for (int i = 0; i < n_results; i++)
		o->results[i] = (value){.id = m->n_values++,
		                        .index = (uint32_t)i & INDEX_MAX,
		                        .type = result_types[i]};
	use *u = op_uses(o);
	for (int i = 0; i < n_operands; i++) {
		u[i].owner = o;
		use_link(&u[i], operands[i]);
	}
	if (n_regions || !kind) {
		more_new(m, o, n_regions);
		o->more->what = kind ? MORE_NOTHING : MORE_NAME;
		o->more->name = kind ? NULL : opname;
	}
	return o;
}

void op_set_loc(module *m, op *o, const attr *loc)
{
	if (loc && !o->more)
		more_new(m, o, 0);
	if (o->more)
		o->more->loc = loc;
}

void op_set_func(module *m, op *o, func *f)
{
	if (!o->more)
		more_new(m, o, 0);
	ASSERT(o->more->what == MORE_NOTHING || o->more->what == MORE_FUNC);
	o->more->what = MORE_FUNC;
	o->more->func = f;
}

void op_take_place(module *m, op *o, const op *from)
{
	o->at = from->at;
	o->at_size = from->at_size;
	op_set_loc(m, o, from->more ? from->more->loc : NULL);
}

void op_set_operand(op *o, int i, value *v)
{
	use *u = &op_uses(o)[i];
	use_drop(u);
	use_link(u, v);
}

void op_set_operands(module *m, op *o, value *const *v, int n)
{
	for (int i = 0; i < o->n_operands; i++)
		use_drop(&op_uses(o)[i]);
	if (n > o->n_operands) {
		if (!o->more)
			more_new(m, o, 0);
		o->more->operands = NEW_N(&m->mem, use, n);
		o->moved = true;
	}
	o->n_operands = n;
	use *u = op_uses(o);
	for (int i = 0; i < n; i++) {
		u[i].owner = o;
		use_link(&u[i], v[i]);
	}
}

static void block_counts(block *b, const op *o)
{
	b->n_ops++;
	b->n_results += o->n_results;
}

void op_append(block *b, op *o)
{
	block_counts(b, o);
	o->parent = b;
	o->prev = b->last;
	o->next = NULL;
	if (b->last)
		b->last->next = o;
	else
		b->first = o;
	b->last = o;
}

void op_insert_before(op *at, op *o)
{
	block *b = at->parent;
	block_counts(b, o);
	o->parent = b;
	o->next = at;
	o->prev = at->prev;
	if (at->prev)
		at->prev->next = o;
	else
		b->first = o;
	at->prev = o;
}

void op_insert_after(op *at, op *o)
{
	if (at->next)
		op_insert_before(at->next, o);
	else
		op_append(at->parent, o);
}

void op_insert_after_value(const value *v, op *o)
{
	block *b = value_block(v);
	if (value_def(v))
		op_insert_after(value_def(v), o);
	else if (b->first)
		op_insert_before(b->first, o);
	else
		op_append(b, o);
}

void op_unlink(op *o)
{
	block *b = o->parent;
	if (!b)
		return;
	if (b->successors && b->successors->of == o)
		b->successors = NULL;
	b->n_ops--;
	b->n_results -= o->n_results;
	if (o->prev)
		o->prev->next = o->next;
	else
		b->first = o->next;
	if (o->next)
		o->next->prev = o->prev;
	else
		b->last = o->prev;
	o->parent = NULL;
	o->prev = o->next = NULL;
}

void op_erase(op *o)
{
	for (op *i = o; i; i = op_next(i, o))
		for (int k = 0; k < i->n_operands; k++)
			use_drop(&op_uses(i)[k]);
	op_unlink(o);
}

void op_forget_place(op *o)
{
	o->at = o->at_size = o->name_back = 0;
	for (int r = 0; r < op_n_regions(o); r++)
		for (block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				value_arg(b->args[i])->at = 0;
}

module *op_module(const op *o)
{
	while (op_parent(o))
		o = op_parent(o);
	return o->more && o->more->what == MORE_TOP ? o->more->module : NULL;
}

bool op_inside(const op *inner, const op *outer)
{
	while (inner && inner != outer)
		inner = op_parent(inner);
	return inner != NULL;
}

/* The first op at or after block b of its region, or NULL. */
static op *first_from(const block *b)
{
	while (b && !b->first)
		b = b->next;
	return b ? b->first : NULL;
}

static op *first_from_region(const op *o, int r)
{
	for (; r < op_n_regions(o); r++) {
		op *first = first_from(op_region(o, r)->first);
		if (first)
			return first;
	}
	return NULL;
}

op *op_next_elsewhere(const op *o, const op *root)
{
	op *first = first_from_region(o, 0);
	return first ? first : op_skip(o, root);
}

op *op_skip(const op *o, const op *root)
{
	while (o != root && o->parent) {
		if (o->next)
			return o->next;
		op *n = first_from(o->parent->next);
		if (n)
			return n;
		const op *up = op_parent(o);
		n = first_from_region(up, (int)(o->parent->parent - op_region(up, 0)) + 1);
		if (n)
			return n;
		o = up;
	}
	return NULL;
}

op *op_first_post(op *root)
{
	for (op *inner; op_n_regions(root) && (inner = first_from_region(root, 0)); root = inner)
		;
	return root;
}

op *op_next_post(const op *o, const op *root)
{
	if (o == root || !o->parent)
		return NULL;
	if (o->next)
		return op_first_post(o->next);
	op *n = first_from(o->parent->next), *up = op_parent(o);
	if (!n)
		n = first_from_region(up, (int)(o->parent->parent - op_region(up, 0)) + 1);
	return n ? op_first_post(n) : up;
}

/* ---- blocks ------------------------------------------------------------------- */

block *block_new(module *m, region *r)
{
	block *b = NEW(&m->mem, block);
	b->id = m->n_blocks++;
	if (r)
		block_append(m, r, b);
	return b;
}

void block_append(module *m, region *r, block *b)
{
	b->parent = r;
	b->prev = r->last;
	if (r->last) {
		r->last->next = b;
		m->many_blocks = true;
	} else {
		r->first = b;
	}
	r->last = b;
}

block *const *op_successors(const op *o, int *n)
{
	const successors *s = o->parent ? o->parent->successors : NULL;
	bool its = s && s->of == o;
	*n = its ? s->n : 0;
	return its ? s->to : NULL;
}

void op_set_successors(module *m, const op *o, block *const *to, int n)
{
	successors *s = arena_alloc(&m->mem, sizeof *s + (size_t)n * sizeof(block *));
	*s = (successors){.of = o, .n = n};
	m->many_blocks |= n > 0;
	for (int i = 0; i < n; i++)
		s->to[i] = to[i];
	o->parent->successors = n ? s : NULL;
}

static bool has_branches(const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++) {
		const region *g = op_region(o, r);
		if (g->first != g->last || (g->first && g->first->successors))
			return true;
	}
	return false;
}

const op *module_branching(const module *m)
{
	for (const op *o = m->many_blocks ? m->top : NULL; o; o = op_next(o, m->top))
		if (has_branches(o))
			return o;
	return NULL;
}

value *block_add_arg(module *m, block *b, const type *t)
{
	if (b->n_args == b->cap_args) {
		int cap = b->cap_args ? 2 * b->cap_args : 2;
		b->args = arena_grow(&m->mem, b->args, sizeof(value *) * (size_t)b->cap_args,
		                     sizeof(value *) * (size_t)cap);
		b->cap_args = cap;
	}
	block_arg *arg = NEW(&m->mem, block_arg);
	arg->value = (value){.id = m->n_values++,
	                     .index = (uint32_t)b->n_args & INDEX_MAX,
	                     .is_arg = 1,
	                     .type = t};
	arg->owner = b;
	b->args[b->n_args++] = &arg->value;
	return &arg->value;
}

void block_erase_arg(block *b, int i)
{
	ASSERT(value_unused(b->args[i]));
	for (b->n_args--; i < b->n_args; i++) {
		b->args[i] = b->args[i + 1];
		b->args[i]->index = (uint32_t)i & INDEX_MAX;
	}
}

void region_take(region *to, region *from)
{
	ASSERT(!to->first);
	for (block *b = from->first; b; b = b->next)
		b->parent = to;
	to->first = from->first;
	to->last = from->last;
	from->first = from->last = NULL;
}

/* ---- attributes ------------------------------------------------------------------ */

const attr *attrs_get(const attr_list *l, int known)
{
	for (int i = 0; i < l->n; i++)
		if (name_is(l->ptr[i].name, known))
			return l->ptr[i].value;
	return NULL;
}

const attr *attrs_get_named(const attr_list *l, const name *n)
{
	for (int i = 0; i < l->n; i++)
		if (l->ptr[i].name == n)
			return l->ptr[i].value;
	return NULL;
}

enum { N_SHARED_LISTS = 128 };

/* Only shares lists among the most recent ones: in a program that repeats none, a table of all
 * lists would take more memory than sharing saves. */
attr_list module_attrs(module *m, const named_attr *list, int n)
{
	if (!n)
		return (attr_list){0};
	if (!m->lists)
		m->lists = NEW_N(&m->mem, attr_list, N_SHARED_LISTS);
	uint64_t hash = hash_bytes(list, sizeof *list * (size_t)n, 0);
	attr_list *l = &m->lists[hash % N_SHARED_LISTS];
	if (l->n != n || memcmp(l->ptr, list, sizeof *list * (size_t)n) != 0)
		*l = (attr_list){COPY_N(&m->mem, list, n), n, 0};
	return *l;
}

static void attrs_own(arena *a, attr_list *l)
{
	if (l->cap || !l->n)
		return;
	l->ptr = COPY_N(a, l->ptr, l->n);
	l->cap = l->n;
}

void attrs_set(arena *a, attr_list *l, const name *n, const attr *v)
{
	int at = 0;
	while (at < l->n && l->ptr[at].name != n &&
	       str_cmp(name_str(l->ptr[at].name), name_str(n)) < 0)
		at++;
	bool there = at < l->n && l->ptr[at].name == n;
	if (there || v)
		attrs_own(a, l);
	if (there && v) {
		l->ptr[at].value = v;
	} else if (there) {
		l->n--;
		memmove(l->ptr + at, l->ptr + at + 1, sizeof *l->ptr * (size_t)(l->n - at));
	} else if (v) {
		if (l->n == l->cap) {
			int cap = l->cap ? 2 * l->cap : 2;
			l->ptr = arena_grow(a, l->ptr, sizeof *l->ptr * (size_t)l->cap,
			                    sizeof *l->ptr * (size_t)cap);
			l->cap = cap;
		}
		memmove(l->ptr + at + 1, l->ptr + at, sizeof *l->ptr * (size_t)(l->n - at));
		l->ptr[at] = (named_attr){n, v};
		l->n++;
	}
}

bool attrs_same(const attr_list *a, const attr_list *b)
{
	for (int i = 0; i < a->n && a->n == b->n; i++)
		if (a->ptr[i].name != b->ptr[i].name || a->ptr[i].value != b->ptr[i].value)
			return false;
	return a->n == b->n;
}

const attr *op_attr(const op *o, int known) { return attrs_get(&o->attrs, known); }
const attr *op_attr_named(const op *o, const name *n) { return attrs_get_named(&o->attrs, n); }

void op_set_attr(module *m, op *o, int known, const attr *a)
{
	attrs_set(&m->mem, &o->attrs, name_known(m->ctx, known), a);
}

void op_set_attr_named(module *m, op *o, const name *n, const attr *a)
{
	attrs_set(&m->mem, &o->attrs, n, a);
}

int64_t op_int(const op *o, int known, int64_t fallback)
{
	const attr *a = op_attr(o, known);
	return a && (a->kind == AT_INT || a->kind == AT_BOOL) ? a->i : fallback;
}

bool op_bool(const op *o, int known)
{
	const attr *a = op_attr(o, known);
	return a && (a->kind == AT_UNIT || (a->kind == AT_BOOL && a->i));
}

const int64_t *op_ints(const module *m, const op *o, int known, int *n)
{
	return attr_ints(m->ctx, op_attr(o, known), n);
}
