/* emit.c - operations, regions and blocks as bytes: what read/ops.c reads.
 *
 * Where an operation of another dialect meets VHLO's in a portable artifact, its operands are cast to
 * the types that it knows, one operation for each. */
#include "bytecode/write/write.h"

typedef struct op_emitter {
	encoder *e;
	writer *w;
	uint32_t *numbers; /* of values, by id */
	uint32_t *blocks;  /* of blocks in their region, by id */
	uint32_t next;     /* number of the scope's next value */
	int op;            /* of facts */
} op_emitter;

enum { MASK_ATTRS = 1, MASK_RESULTS = 2, MASK_OPERANDS = 4, MASK_SUCCESSORS = 8, MASK_REGIONS = 16,
	MASK_PROPERTIES = 64 };

static bool needs_cast(const op_emitter *m, const op *o, int i, form f)
{
	return m->e->opts->portable && value_form(m->e, operand(o, i)) != f;
}

static int casts_of(const op_emitter *m, const op *o)
{
	int n = 0;
	form f = op_form(m->e, o);
	for (int i = 0; m->e->cast_name && i < o->n_operands; i++)
		n += needs_cast(m, o, i, f);
	return n;
}

static void put_cast(op_emitter *m, const value *v, form to)
{
	put_number(m->w, m->e->cast_name - 1);
	put_c(m->w, MASK_RESULTS | MASK_OPERANDS);
	put_number(m->w, m->e->unknown_loc->number);
	put_number(m->w, 1);
	put_number(m->w, type_number(m->e, to, v->type)->number);
	put_number(m->w, 1);
	put_number(m->w, m->numbers[v->id]);
}

static void put_region(op_emitter *m, const region *g);

/* Isolated regions have a section of their own, so that readers may come back to them. */
static void put_regions(op_emitter *m, const op *o)
{
	bool isolated = op_has(o, ISOLATED), section = isolated && m->e->version >= 2;
	size_t at = 0;
	uint32_t next = m->next;
	put_flagged(m->w, (uint64_t)op_n_regions(o), isolated);
	if (section) {
		put_c(m->w, 4);
		at = put_number_later(m->w);
	}
	if (isolated)
		m->next = 0;
	for (int i = 0; i < op_n_regions(o); i++)
		put_region(m, op_region(o, i));
	m->next = next;
	if (section)
		patch_number(m->w, at, m->w->len - at - 9);
}

static void put_successors(op_emitter *m, const op *o)
{
	int n;
	block *const *to = op_successors(o, &n);
	put_number(m->w, (uint64_t)n);
	for (int i = 0; i < n; i++)
		put_number(m->w, m->blocks[to[i]->id]);
}

/* Casts come first; *cursor is the number of the region's next value. */
static void put_op(op_emitter *m, const op *o, uint32_t *cursor)
{
	encoder *e = m->e;
	const op_facts *f = &e->facts.ptr[m->op++];
	if (m->op + FETCHED_AHEAD < e->facts.len)
		PREFETCH(e->facts.ptr[m->op + FETCHED_AHEAD].o);
	form form = f->vhlo ? VERSIONED : PLAIN;
	uint32_t cast = *cursor;
	int n_successors = 0;
	for (int i = 0; e->cast_name && i < o->n_operands; i++)
		if (needs_cast(m, o, i, form)) {
			put_cast(m, operand(o, i), form);
			++*cursor;
		}
	op_successors(o, &n_successors);
	put_number(m->w, f->name);
	put_c(m->w, (char)((f->dict ? MASK_ATTRS : 0) | (f->properties ? MASK_PROPERTIES : 0) |
	                   (o->n_results ? MASK_RESULTS : 0) | (o->n_operands ? MASK_OPERANDS : 0) |
	                   (n_successors ? MASK_SUCCESSORS : 0) |
	                   (op_n_regions(o) ? MASK_REGIONS : 0)));
	put_number(m->w, f->loc->number);
	if (f->dict)
		put_number(m->w, f->dict->number);
	if (f->properties)
		put_number(m->w, f->properties - 1);
	if (o->n_results)
		put_number(m->w, (uint64_t)o->n_results);
	for (int i = 0; i < o->n_results; i++) {
		put_number(m->w, type_number(e, form, o->results[i].type)->number);
		m->numbers[o->results[i].id] = (*cursor)++;
	}
	if (o->n_operands)
		put_number(m->w, (uint64_t)o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		put_number(m->w, e->cast_name && needs_cast(m, o, i, form)
		                     ? cast++
		                     : m->numbers[operand(o, i)->id]);
	if (n_successors)
		put_successors(m, o);
	if (op_n_regions(o))
		put_regions(m, o);
}

/* ---- blocks -------------------------------------------------------------------------------------- */

static void put_args(op_emitter *m, const block *b, form f, uint32_t *cursor)
{
	encoder *e = m->e;
	put_number(m->w, (uint64_t)b->n_args);
	for (int i = 0; i < b->n_args; i++) {
		const attr *loc = value_loc(b->args[i]);
		uint64_t t = type_number(e, f, b->args[i]->type)->number;
		uint64_t l = loc ? attr_number(e, PLAIN, loc)->number : e->unknown_loc->number;
		if (e->version >= 4)
			put_flagged(m->w, t, loc != NULL);
		else
			put_number(m->w, t);
		if (loc || e->version < 4)
			put_number(m->w, l);
		m->numbers[b->args[i]->id] = (*cursor)++;
	}
	if (e->version >= 3)
		put_c(m->w, 0);
}

/* Operations of a block stand in the order of facts, each with those within it. */
static bool is_of_block(const op_emitter *m, int i, const block *b)
{
	const op_facts *all = m->e->facts.ptr;
	int n = m->e->facts.len;
	if (i + FETCHED_AHEAD < n)
		PREFETCH(all[i + FETCHED_AHEAD].o);
	return i < n && all[i].o->parent == b;
}

static void put_block(op_emitter *m, const block *b, form f, uint32_t *cursor)
{
	uint64_t n = 0;
	for (int i = m->op; b->first && is_of_block(m, i, b); i += m->e->facts.ptr[i].span)
		n += 1 + (uint64_t)casts_of(m, m->e->facts.ptr[i].o);
	put_flagged(m->w, n, b->n_args > 0);
	if (b->n_args)
		put_args(m, b, f, cursor);
	for (const op *o = b->first; o; o = o->next)
		put_op(m, o, cursor);
}

static void count_values(op_emitter *m, const region *g, uint32_t *n)
{
	uint32_t cursor = m->next;
	int at = m->op;
	for (const block *b = g->first; b; b = b->next) {
		for (int i = 0; i < b->n_args; i++)
			m->numbers[b->args[i]->id] = cursor++;
		for (; is_of_block(m, at, b); at += m->e->facts.ptr[at].span) {
			const op *o = m->e->facts.ptr[at].o;
			cursor += (uint32_t)casts_of(m, o);
			for (int i = 0; i < o->n_results; i++)
				m->numbers[o->results[i].id] = cursor++;
		}
	}
	*n = cursor - m->next;
}

static void put_region(op_emitter *m, const region *g)
{
	uint32_t n_blocks = 0, n_values, begin = m->next, cursor = begin;
	for (const block *b = g->first; b; b = b->next)
		m->blocks[b->id] = n_blocks++;
	put_number(m->w, n_blocks);
	if (!n_blocks)
		return;
	count_values(m, g, &n_values);
	put_number(m->w, n_values);
	m->next = begin + n_values;
	form f = op_form(m->e, g->parent);
	for (const block *b = g->first; b; b = b->next)
		put_block(m, b, f, &cursor);
	m->next = begin;
}

void ops_write(encoder *e, writer *w)
{
	op_emitter *m = NEW(e->mem, op_emitter);
	uint32_t none = 0;
	*m = (op_emitter){.e = e, .w = w};
	m->numbers = NEW_N(e->mem, uint32_t, e->m->n_values);
	m->blocks = NEW_N(e->mem, uint32_t, e->m->n_blocks);
	put_flagged(w, 1, false);
	put_op(m, e->m->top, &none);
}
