/* emit.c - writes operations, regions and blocks; the counterpart of read/ops.c.
 *
 * A region starts with how many operations its blocks contain and how many values it has. Values
 * are numbered when they are written; if one is used before that, as may happen between blocks,
 * everything is written again with values numbered first. If an operation of another dialect uses
 * VHLO's values in a portable artifact, or the other way round, its operands are cast, by one
 * operation each. */
#include "bytecode/write/write.h"

typedef struct op_emitter {
	encoder *e;
	writer *w;
	uint32_t *numbers; /* of values, by id, plus one; 0: not yet */
	uint32_t *blocks;  /* of blocks in their region, by id */
	uint32_t *sizes;   /* number of operations in blocks, by id */
	uint32_t next;     /* number of the scope's next value */
	bool casts;        /* there are operations that VHLO does not have */
	bool number_first; /* number values before writing the operations of their region */
	bool missed;       /* a value was used before it had a number */
} op_emitter;

enum { MASK_ATTRS = 1, MASK_RESULTS = 2, MASK_OPERANDS = 4, MASK_SUCCESSORS = 8, MASK_REGIONS = 16,
	MASK_PROPERTIES = 64 };
/* Operations are spread over memory; prefetches what is AHEAD bytes on, which is right as long as
 * they are in the order in which they were read. */
static void fetch_ahead(const op *o)
{
	enum { AHEAD = 4096, LINE = 64, LINES_OF_OP = 3 };
	for (int i = 0; i < LINES_OF_OP; i++)
		PREFETCH((const char *)o + AHEAD + i * LINE);
}

static form value_form(const encoder *e, const value *v)
{
	return op_form(e, v->is_arg ? block_parent(value_owner(v)) : value_def(v));
}

static bool needs_cast(const op_emitter *m, const op *o, int i, form f)
{
	return value_form(m->e, operand(o, i)) != f;
}

static uint32_t casts_of(const op_emitter *m, const op *o)
{
	uint32_t n = 0;
	form f = op_form(m->e, o);
	for (int i = 0; i < o->n_operands; i++)
		n += needs_cast(m, o, i, f);
	return n;
}

static void put_cast(op_emitter *m, const value *v, form to)
{
	encoder *e = m->e;
	if (!e->cast_name)
		e->cast_name = 1 + op_name_number(
			e, name_of_z(e->ctx, "builtin.unrealized_conversion_cast"), true);
	put_number(m->w, e->cast_name - 1);
	put_c(m->w, MASK_RESULTS | MASK_OPERANDS);
	put_number(m->w, e->unknown_loc);
	put_number(m->w, 1);
	put_number(m->w, type_number(e, to, v->type));
	put_number(m->w, 1);
	put_number(m->w, m->numbers[v->id] - 1);
}

static void put_region(op_emitter *m, const region *g);

/* Isolated regions have a section of their own, so that readers may skip them for later. */
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

static void put_successors(op_emitter *m, block *const *to, int n)
{
	put_number(m->w, (uint64_t)n);
	for (int i = 0; i < n; i++)
		put_number(m->w, m->blocks[to[i]->id]);
}

/* ---- operations -------------------------------------------------------------------------------- */

/* In VHLO, dot_general is called dot_general_v1 or _v2. */
static uint32_t name_of_op(encoder *e, const op *o, const vhlo_row *row, int form)
{
	enum { FORMS_OF_VHLO = 3 };
	if (o->kind == OP_UNKNOWN)
		return op_name_number(e, name_of_z(e->ctx, op_name(o)), false);
	uint32_t *n = &e->op_name_numbers[o->kind * FORMS_OF_VHLO + (row ? form : 0)];
	if (*n)
		return *n - 1;
	const char *text = row ? arena_printf(e->mem, "vhlo.%s_v%d", row->name, form) : op_name(o);
	*n = 1 + op_name_number(e, name_of_z(e->ctx, text), true);
	return *n - 1;
}

/* Writes the casts before an op; *cursor is the number of the region's next value. */
static uint32_t put_casts(op_emitter *m, const op *o, form f, uint32_t *cursor)
{
	uint32_t first = *cursor;
	for (int i = 0; i < o->n_operands; i++)
		if (needs_cast(m, o, i, f)) {
			put_cast(m, operand(o, i), f);
			++*cursor;
		}
	return first;
}

static char *store_results(op_emitter *m, const op *o, form f, uint32_t *cursor, char *at)
{
	at = store_number(at, o->n_results);
	for (int i = 0; i < (int)o->n_results; i++) {
		at = store_number(at, type_number(m->e, f, o->results[i].type));
		m->numbers[o->results[i].id] = ++*cursor;
	}
	return at;
}

static char *store_operands(op_emitter *m, const op *o, form f, uint32_t cast, char *at)
{
	const use *u = op_uses(o);
	bool missed = false;
	at = store_number(at, (uint64_t)o->n_operands);
	for (int i = 0; i < o->n_operands; i++) {
		bool is_cast = m->casts && needs_cast(m, o, i, f);
		uint32_t n = is_cast ? ++cast : m->numbers[u[i].value->id];
		missed |= !n;
		at = store_number(at, n - 1);
	}
	m->missed |= missed;
	return at;
}

/* Operations of other dialects are stored unchanged in an artifact, except for dialects that VHLO
 * should cover, and HLO's, which readers of artifacts do not know. */
static void refuse_lacking(encoder *e, const op *o)
{
	static const char *const dialects[] = {"stablehlo.", "func.", "hlo."};
	for (int i = 0; i < COUNT(dialects); i++)
		if (str_starts(str_of(op_name(o)), dialects[i]))
			e->coder.fail(&e->coder, "StableHLO's portable artifacts have no operation %s",
			              op_name(o));
}

static void put_op(op_emitter *m, const op *o, uint32_t *cursor)
{
	encoder *e = m->e;
	const vhlo_row *row = e->opts->portable ? vhlo_row_of(o->kind) : NULL;
	form f = row ? VERSIONED : PLAIN;
	int n_successors = 0;
	block *const *to = o->next ? NULL : op_successors(o, &n_successors);
	e->here = o;
	if (e->opts->portable && !row)
		refuse_lacking(e, o);
	int version = row ? vhlo_form_for(&e->coder, row, o, e->target) : 0;
	if (e->failed)
		return;
	uint32_t cast = m->casts ? put_casts(m, o, f, cursor) : 0;
	uint32_t name = name_of_op(e, o, row, version), loc = op_loc_number(e, o);
	op_attrs attrs = op_attrs_number(e, o, row);
	size_t most = 6 + (size_t)o->n_results + (size_t)o->n_operands;
	char *at = writer_room(m->w, most * NUMBER_MOST);
	at = store_number(at, name);
	*at++ = (char)((attrs.dict ? MASK_ATTRS : 0) | (attrs.properties ? MASK_PROPERTIES : 0) |
	               (o->n_results ? MASK_RESULTS : 0) | (o->n_operands ? MASK_OPERANDS : 0) |
	               (n_successors ? MASK_SUCCESSORS : 0) | (op_n_regions(o) ? MASK_REGIONS : 0));
	at = store_number(at, loc);
	if (attrs.dict)
		at = store_number(at, attrs.dict - 1);
	if (attrs.properties)
		at = store_number(at, attrs.properties - 1);
	if (o->n_results)
		at = store_results(m, o, f, cursor, at);
	if (o->n_operands)
		at = store_operands(m, o, f, cast, at);
	m->w->len = (size_t)(at - m->w->ptr);
	if (n_successors)
		put_successors(m, to, n_successors);
	if (op_n_regions(o))
		put_regions(m, o);
}

/* ---- blocks -------------------------------------------------------------------------------------- */

static void put_args(op_emitter *m, const block *b, form f, uint32_t *cursor)
{
	encoder *e = m->e;
	put_number(m->w, (uint64_t)b->n_args);
	for (int i = 0; i < b->n_args; i++) {
		uint32_t loc, t = type_number(e, f, b->args[i]->type);
		bool known = arg_loc_number(e, b->args[i], &loc);
		m->numbers[b->args[i]->id] = ++*cursor;
		if (e->version >= 4)
			put_flagged(m->w, t, known);
		else
			put_number(m->w, t);
		if (known || e->version < 4)
			put_number(m->w, loc);
	}
	if (e->version >= 3)
		put_c(m->w, 0);
}

static void put_block(op_emitter *m, const block *b, form f, uint32_t *cursor)
{
	put_flagged(m->w, m->sizes[b->id], b->n_args > 0);
	if (b->n_args)
		put_args(m, b, f, cursor);
	for (const op *o = b->first; o && !m->e->failed; o = o->next) {
		fetch_ahead(o);
		put_op(m, o, cursor);
	}
}

/* Counts the casts in a block; if values are numbered first, numbers them from *cursor on. */
static uint32_t look_ahead(op_emitter *m, const block *b, uint32_t *cursor)
{
	uint32_t casts = 0;
	for (int i = 0; i < b->n_args; i++)
		m->numbers[b->args[i]->id] = ++*cursor;
	for (const op *o = b->first; o; o = o->next) {
		uint32_t n = m->casts ? casts_of(m, o) : 0;
		fetch_ahead(o);
		casts += n;
		*cursor += n;
		for (int i = 0; m->number_first && i < (int)o->n_results; i++)
			m->numbers[o->results[i].id] = *cursor + (uint32_t)i + 1;
		*cursor += o->n_results;
	}
	return casts;
}

/* Counts the values of a region, including casts. */
static uint32_t count_values(op_emitter *m, const region *g)
{
	uint32_t cursor = m->next, n_values = 0;
	for (const block *b = g->first; b; b = b->next) {
		uint32_t casts = m->casts || m->number_first ? look_ahead(m, b, &cursor) : 0;
		m->sizes[b->id] = b->n_ops + casts;
		n_values += (uint32_t)b->n_args + b->n_results + casts;
	}
	return n_values;
}

static void put_region(op_emitter *m, const region *g)
{
	uint32_t n_blocks = 0, begin = m->next, cursor = begin;
	for (const block *b = g->first; b; b = b->next)
		m->blocks[b->id] = n_blocks++;
	put_number(m->w, n_blocks);
	if (!n_blocks)
		return;
	uint32_t n_values = count_values(m, g);
	put_number(m->w, n_values);
	m->next = begin + n_values;
	form f = op_form(m->e, g->parent);
	for (const block *b = g->first; b; b = b->next)
		put_block(m, b, f, &cursor);
	m->next = begin;
}

/* True if an artifact has operations with values that VHLO does not have; symbols have none. */
static bool has_others(const encoder *e)
{
	for (int kind = 0; e->opts->portable && kind < OP_COUNT; kind++)
		if (module_has(e->m, kind) && !vhlo_row_of(kind) && kind != OP_BUILTIN_MODULE &&
		    !(op_kind_traits(kind) & SYMBOL))
			return true;
	return false;
}

bool ops_write(encoder *e, writer *w)
{
	op_emitter *m = NEW(e->mem, op_emitter);
	uint32_t none = 0;
	*m = (op_emitter){.e = e, .w = w, .casts = has_others(e), .number_first = e->m->many_blocks};
	m->numbers = NEW_N(e->mem, uint32_t, e->m->n_values);
	m->blocks = NEW_N(e->mem, uint32_t, e->m->n_blocks);
	m->sizes = NEW_N(e->mem, uint32_t, e->m->n_blocks);
	size_t begin = w->len;
	put_flagged(w, 1, false);
	put_op(m, e->m->top, &none);
	if (m->missed && !m->number_first) {
		m->number_first = true;
		w->len = begin;
		put_flagged(w, 1, false);
		put_op(m, e->m->top, &none);
	}
	e->here = NULL;
	return !e->failed;
}
