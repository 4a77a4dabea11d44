/* scope.c - the names of SSA values during parsing.
 *
 * %7 is found by its number in an array, %arg0 and %cst_3 in a hash table by their interned name. A
 * region sees the bindings of the regions around it, unless it is isolated; each binding has the
 * number of its isolated region, so that opening a scope costs nothing. Closing one removes its
 * bindings and restores the few that they hid.
 *
 * A name may be used before its definition: the use gets a placeholder, which the definition
 * replaces. */
#include "mlir/read/read.h"

enum { NUMBER_DIGITS = 7 };

/* Numbers index an array; large ones only if the text is long enough to justify it. */
static bool is_small(const reader *r, uint32_t number)
{
	return number < 1024 || number < (uint64_t)(r->end - r->text);
}

static bool is_small_number(const reader *r, tess_str text, uint32_t *number)
{
	uint32_t v = 0;
	if (!text.len || text.len > NUMBER_DIGITS || (text.ptr[0] == '0' && text.len > 1))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return false;
		v = v * 10 + (uint32_t)(text.ptr[i] - '0');
	}
	*number = v;
	return is_small(r, v);
}

/* ---- tables in pages, which grow without being copied --------------------------------------- */

enum { PAGE = 256 };

static void *page_item(reader *r, scope_pages *p, uint32_t i, size_t size)
{
	while (UNLIKELY((uint32_t)p->len <= i / PAGE))
		vec_push(r->mem, p, NULL);
	void **page = &p->ptr[i / PAGE];
	if (UNLIKELY(!*page))
		*page = arena_zalloc(r->mem, PAGE * size);
	return (char *)*page + i % PAGE * size;
}

static scope_slot *other_slot(reader *r, uint32_t i)
{
	return page_item(r, &r->scopes.others, i, sizeof(scope_slot));
}

static name_binding *binding_of(reader *r, scope_name n)
{
	if (UNLIKELY(n & OTHER_NAME))
		return &other_slot(r, n & ~OTHER_NAME)->bound;
	return page_item(r, &r->scopes.numbers, n, sizeof(name_binding));
}

static scope_name *bound_name(reader *r, uint32_t i)
{
	return page_item(r, &r->scopes.bound, i, sizeof(scope_name));
}

/* Records that `n` is bound now, and what it was bound to before. */
static void note_bound(reader *r, scope_name n, name_binding before)
{
	scopes *s = &r->scopes;
	if (UNLIKELY(before.first || before.forward))
		vec_push(r->mem, &s->hidden, (hidden_binding){n, s->n_bound, before});
	*bound_name(r, s->n_bound) = n;
	s->n_bound++;
}

/* ---- names ----------------------------------------------------------------------------- */

static tess_str slot_text(const scope_slot *s) { return (tess_str){s->text, s->len}; }

/* Returns the name's place in the index, or where it would be. */
static struct scope_index *name_probe(reader *r, tess_str text, uint32_t hash)
{
	scopes *s = &r->scopes;
	for (uint32_t i = hash & (s->index_cap - 1);; i = (i + 1) & (s->index_cap - 1)) {
		struct scope_index *x = &s->index[i];
		if (!x->item)
			return x;
		if (x->hash == hash && str_eq(slot_text(other_slot(r, x->item - 1)), text))
			return x;
	}
}

static void grow_index(reader *r)
{
	scopes *s = &r->scopes;
	s->index_cap = s->index_cap ? s->index_cap * 2 : 64;
	s->index = NEW_N(r->mem, struct scope_index, s->index_cap);
	for (uint32_t i = 0; i < s->n_others; i++) {
		const scope_slot *n = other_slot(r, i);
		*name_probe(r, slot_text(n), n->hash) = (struct scope_index){n->hash, i + 1};
	}
}

/* Numbers a name when it is first seen; later uses find it by its text. */
static scope_name other_name(reader *r, tess_str text)
{
	scopes *s = &r->scopes;
	if (s->n_others >= s->index_cap / 4 * 3)
		grow_index(r);
	uint32_t hash = (uint32_t)name_hash(text);
	struct scope_index *x = name_probe(r, text, hash);
	if (!x->item) {
		scope_slot *n = other_slot(r, s->n_others);
		n->text = arena_str(r->mem, text).ptr;
		n->len = (uint32_t)text.len;
		n->hash = hash;
		*x = (struct scope_index){hash, ++s->n_others};
	}
	return (x->item - 1) | OTHER_NAME;
}

static tess_str name_text(const reader *r)
{
	tess_str t = tok_text(r);
	return (tess_str){t.ptr + 1, t.len - 1};
}

static scope_name name_in_scopes(reader *r, tess_str text)
{
	uint32_t number;
	return is_small_number(r, text, &number) ? number : other_name(r, text);
}

/* Returns the name as a C string, mostly for messages. */
static const char *name_of_scopes(reader *r, scope_name n)
{
	return n & OTHER_NAME ? other_slot(r, n & ~OTHER_NAME)->text
	                      : arena_printf(r->mem, "%u", n);
}

void name_value(reader *r, value *v, scope_name n)
{
	if (!r->built || n & OTHER_NAME)
		value_set_name(r->m, v, name_of_z(r->ctx, name_of_scopes(r, n)));
}

/* ---- scopes -------------------------------------------------------------------- */

scope_mark scope_open(reader *r, bool isolated, place op_at)
{
	scopes *s = &r->scopes;
	scope_mark m = {s->forwards.len, s->n_bound, s->isolation, op_at};
	if (isolated)
		s->isolation = ++s->n_isolations;
	return m;
}

/* Reports a name without a definition. If it is defined outside an isolated region, the message
 * says so. */
static void unknown_name(reader *r, const forward_ref *f, const name_binding *outside, place op_at)
{
	place at = {r->src, f->at, f->at_end};
	const char *n = name_of_scopes(r, f->name);
	if (!outside) {
		read_fail_at(r, at, E_UNKNOWN_VALUE, "no value is named %%%s here", n);
		return;
	}
	if (!r->failed) {
		read_fail_at(r, at, E_UNKNOWN_VALUE, "%%%s is defined outside of this region", n);
		diag_note(r->ctx, op_at, "the region of this op sees no values from outside");
	}
}

/* Returns what a name was bound to before the scope that `m` opened. */
static const name_binding *outer_binding(const reader *r, scope_mark m, scope_name n)
{
	const scopes *s = &r->scopes;
	for (int i = s->hidden.len; i-- && s->hidden.ptr[i].at >= m.bound;) {
		const hidden_binding *h = &s->hidden.ptr[i];
		if (h->name == n && h->bound.first && h->bound.isolation == m.isolation)
			return &h->bound;
	}
	return NULL;
}

void scope_close(reader *r, scope_mark m)
{
	scopes *s = &r->scopes;
	if (s->isolation != m.isolation) {
		for (int i = m.forwards; i < s->forwards.len && !r->failed; i++) {
			const forward_ref *f = &s->forwards.ptr[i];
			if (f->placeholder)
				unknown_name(r, f, outer_binding(r, m, f->name), m.opened_at);
		}
		s->forwards.len = m.forwards;
		s->isolation = m.isolation;
	}
	VEC(hidden_binding) awaited = {0};
	while (s->n_bound > m.bound) {
		scope_name n = *bound_name(r, --s->n_bound);
		name_binding *b = binding_of(r, n);
		bool hid = s->hidden.len && s->hidden.ptr[s->hidden.len - 1].at == s->n_bound;
		if (UNLIKELY(!b->first && b->forward && b->isolation == m.isolation))
			vec_push(r->mem, &awaited, (hidden_binding){.name = n, .bound = *b});
		*b = hid ? s->hidden.ptr[--s->hidden.len].bound : (name_binding){0};
	}
	/* Names that were used but not defined may be defined further out. */
	for (int i = awaited.len; i-- > 0;) {
		name_binding *b = binding_of(r, awaited.ptr[i].name);
		note_bound(r, awaited.ptr[i].name, *b);
		*b = awaited.ptr[i].bound;
	}
}

scope_name read_value_name(reader *r)
{
	if (r->tok != T_VALUE) {
		read_expected(r, "a value, %name");
		return 0;
	}
	scope_name n = name_in_scopes(r, name_text(r));
	read_next(r);
	return n;
}

/* ---- definitions ------------------------------------------------------------------ */

/* Replaces the placeholders of this name by the values that now exist. */
static void resolve_forwards(reader *r, const name_binding *b, scope_name n, uint32_t forward)
{
	for (uint32_t i = forward; i; i = r->scopes.forwards.ptr[i - 1].older) {
		forward_ref *f = &r->scopes.forwards.ptr[i - 1];
		place at = {r->src, f->at, f->at_end};
		if (f->number >= b->count) {
			read_fail_at(r, at, E_UNKNOWN_VALUE, "%%%s has %u result%s",
			             name_of_scopes(r, n), b->count, b->count == 1 ? "" : "s");
			return;
		}
		value *v = &b->first[f->number];
		if (f->placeholder->type != v->type) {
			read_fail_at(r, at, E_OPERAND_TYPE,
			             "%%%s is used as another type here than it is defined with",
			             name_of_scopes(r, n));
			return;
		}
		value_replace_uses(f->placeholder, v);
		f->placeholder = NULL;
	}
}

void scope_define(reader *r, scope_name n, value *first, int count, place at)
{
	scopes *s = &r->scopes;
	if (r->failed)
		return;
	name_binding *b = binding_of(r, n);
	bool visible = b->isolation == s->isolation && (b->first || b->forward);
	if (visible && b->first) {
		read_fail_at(r, at, E_REDEFINED, "%%%s is defined already", name_of_scopes(r, n));
		return;
	}
	uint32_t forward = visible ? b->forward : 0;
	note_bound(r, n, visible ? (name_binding){0} : *b);
	*b = (name_binding){.first = first, .count = (uint32_t)count, .isolation = s->isolation};
	if (UNLIKELY(forward))
		resolve_forwards(r, b, n, forward);
}

void scope_define_operands(reader *r, value *const *v, int n)
{
	for (int i = 0; i < n; i++) {
		scope_name name = (scope_name)i;
		if (!is_small(r, name))
			name = other_name(r, str_of(arena_printf(r->mem, "%d", i)));
		scope_define(r, name, v[i], 1, NOWHERE);
	}
	r->scopes.n_operands = n;
}

/* ---- uses ---------------------------------------------------------------------------- */

/* A built op sees only its operands and what its own regions define. */
static bool no_such_operand(reader *r, scope_name n, uint32_t at)
{
	int given = r->scopes.n_operands;
	const char *have = given > 1 ? arena_printf(r->mem, "the operands are %%0 to %%%d", given - 1)
	                   : given   ? "the only operand is %0"
	                             : "no operands are given";
	return read_fail_at(r, (place){r->src, at, r->last_end}, E_UNKNOWN_VALUE,
	                    "no value is named %%%s here; %s", name_of_scopes(r, n), have);
}

static value *forward_value(reader *r, scope_name n, uint32_t number, uint32_t at)
{
	scopes *s = &r->scopes;
	if (r->built && !r->depth && !r->notes) {
		no_such_operand(r, n, at);
		return NULL;
	}
	name_binding *b = binding_of(r, n);
	if (b->isolation != s->isolation) {
		note_bound(r, n, *b);
		*b = (name_binding){.isolation = s->isolation};
	}
	value *v = &NEW(&r->m->mem, block_arg)->value;
	v->is_arg = 1;
	vec_push(r->mem, &s->forwards,
	         (forward_ref){.placeholder = v,
	                       .name = n,
	                       .number = number,
	                       .at = at,
	                       .at_end = r->last_end,
	                       .isolation = s->isolation,
	                       .older = b->forward});
	b->forward = (uint32_t)s->forwards.len;
	return v;
}

value *read_value(reader *r)
{
	if (r->tok != T_VALUE) {
		read_expected(r, "a value, %name");
		return NULL;
	}
	uint32_t at = tok_pos(r), number = 0;
	scope_name n = name_in_scopes(r, name_text(r));
	read_next(r);
	if (r->tok == T_HASH && tok_pos(r) == r->last_end) {
		tess_str t = tok_text(r);
		if (!is_small_number(r, (tess_str){t.ptr + 1, t.len - 1}, &number)) {
			read_expected(r, "the number of a result");
			return NULL;
		}
		read_next(r);
	}
	const name_binding *b = binding_of(r, n);
	if (LIKELY(b->first && b->isolation == r->scopes.isolation)) {
		if (LIKELY(number < b->count))
			return b->first + number;
		read_fail_at(r, read_since(r, at), E_UNKNOWN_VALUE, "%%%s has %u result%s",
		             name_of_scopes(r, n), b->count, b->count == 1 ? "" : "s");
		return NULL;
	}
	return r->failed ? NULL : forward_value(r, n, number, at);
}
