/* build.c - parses a single operation for a builder.
 *
 *   built ::= op
 *
 * It is read like any other, but %0, %1, … are values of an existing program, and types may be left
 * out. During parsing, placeholders stand in for these values, so that neither an error nor lack of
 * memory leaves traces: the uses of the real values are only updated at the end, when nothing can
 * fail any more. */
#include "mlir/read/read.h"

/* Creates a placeholder for each operand; equal values share one, so that their uses keep the order
 * of the text. */
static value **stand_ins(reader *r, const mlir_op_request *want)
{
	value **list = NEW_N(r->mem, value *, want->n_operands);
	ptr_map seen = {0};
	for (int i = 0; i < want->n_operands; i++) {
		const value *v = want->operands[i];
		void **slot = ptr_map_at(&seen, r->mem, v);
		if (!*slot) {
			value *fresh = &NEW(r->mem, block_arg)->value;
			fresh->is_arg = 1;
			fresh->type = v->type;
			*slot = fresh;
		}
		list[i] = *slot;
	}
	return list;
}

/* Removes positions in the text from the op. */
static void forget_text(module *m, op *all, const attr *loc)
{
	for (op *o = all; o; o = op_next(o, all)) {
		op_forget_place(o);
		if (!op_loc(o))
			op_set_loc(m, o, loc);
	}
}

/* Called at the end of the text. */
static void check_built(reader *r, const op *o, const mlir_op_request *want)
{
	module *m = r->m;
	if (r->tok != T_END)
		read_expected(r, "the end of the operation");
	labels_close(r);
	if (r->failed || !o)
		return;
	place at = read_op_place(r, o);
	if (want->n_results >= 0 && o->n_results != want->n_results)
		read_fail_at(r, at, E_COUNT, "%s has %d results, expected %d", op_name(o),
		             o->n_results, want->n_results);
	const name *symbol = want->at_top ? op_symbol(o) : NULL;
	if (symbol && module_lookup(m, symbol))
		read_fail_at(r, at, E_REDEFINED, "the symbol @%s is defined already", symbol->s);
}

static op *read_built(reader *r, const mlir_op_request *want)
{
	labels none = {0};
	region around = {0};
	block here = {.parent = &around};
	r->labels = &none;
	scope_mark mark = scope_open(r, true, NOWHERE);
	value **operands = stand_ins(r, want);
	scope_define_operands(r, operands, want->n_operands);
	read_op(r, &here);
	op *o = here.first;
	check_built(r, o, want);
	scope_close(r, mark);
	if (r->failed)
		return NULL;
	op_unlink(o);
	forget_text(r->m, o, want->loc);
	if (want->at_top)
		module_add_symbol(r->m, o);
	for (int i = 0; i < want->n_operands; i++)
		value_hand_over_uses(operands[i], want->operands[i]);
	return o;
}

op *mlir_read_op(module *m, source *src, const mlir_op_request *want)
{
	static const mlir_parse_opts opts = {.allow_unregistered = true};
	arena_mark here = arena_here(&m->ctx->scratch);
	reader *r = NEW(&m->ctx->scratch, reader);
	src->find_attr = mlir_find_built_attr;
	read_begin(r, m->ctx, src, &opts);
	r->m = m;
	r->built = true;
	r->stretch = r->end;
	op *o = read_built(r, want);
	arena_back(&m->ctx->scratch, here);
	return o;
}
