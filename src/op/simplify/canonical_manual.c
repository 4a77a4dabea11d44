/* canonical_manual.c - removes manual computations that do nothing, and their unused arguments. */
#include "op/simplify/rewrite.h"

/* The mesh of the shardings of a manual computation; NULL if it has none. */
static const mesh *manual_mesh(const module *m, const op *o)
{
	static const int lists[] = {N_in_shardings, N_out_shardings};
	for (int l = 0; l < COUNT(lists); l++) {
		const attr *a = op_attr(o, lists[l]);
		for (int i = 0; a && a->kind == AT_SHARDINGS && i < a->n; i++) {
			const mesh *found = a->shardings[i] ? sharding_mesh(m, a->shardings[i])
			                                    : NULL;
			if (found && !mesh_is_empty(found))
				return found;
		}
	}
	return NULL;
}

static bool drop_unused_arguments(rewriter *r, op *o)
{
	block *body = op_body(o);
	const attr *in = op_attr(o, N_in_shardings);
	if (!in || in->n != o->n_operands || body->n_args != o->n_operands)
		return false;
	value **operands = NEW_N(r->mem, value *, o->n_operands);
	const sharding **shardings = NEW_N(r->mem, const sharding *, o->n_operands);
	int kept = 0;
	for (int i = 0; i < o->n_operands; i++)
		if (!value_unused(body->args[i])) {
			operands[kept] = operand(o, i);
			shardings[kept++] = in->shardings[i];
		} else if (value_def(operand(o, i))) {
			rewrite_push(r, value_def(operand(o, i)));
		}
	if (kept == o->n_operands)
		return false;
	for (int i = body->n_args - 1; i >= 0; i--)
		if (value_unused(body->args[i]))
			block_erase_arg(body, i);
	op_set_operands(r->m, o, operands, kept);
	op_set_attr(r->m, o, N_in_shardings, attr_shardings(r->m->ctx, shardings, kept));
	rewrite_push(r, o);
	return true;
}

/* True if all manual axes have size one: then the body computes what the whole op computes. */
static bool has_one_device(rewriter *r, const op *o)
{
	const attr *axes = op_attr(o, N_manual_axes);
	const mesh *m = manual_mesh(r->m, o);
	for (int i = 0; axes && i < axes->n; i++)
		if (!m || mesh_axis_size(m, axes->list[i]->text) != 1)
			return false;
	return true;
}

static void splice_body(rewriter *r, op *o)
{
	block *body = op_body(o);
	for (int i = 0; i < body->n_args; i++)
		value_replace_uses(body->args[i], operand(o, i));
	op *end = block_terminator(body);
	for (op *inner = body->first, *next; inner != end; inner = next) {
		next = inner->next;
		op_unlink(inner);
		op_insert_before(o, inner);
		rewrite_push(r, inner);
	}
	for (int i = 0; i < o->n_results; i++) {
		for (use *u = result(o, i)->uses; u; u = u->next)
			rewrite_push(r, u->owner);
		value_replace_uses(result(o, i), operand(end, i));
	}
	rewrite_erase(r, o);
}

bool canonical_manual(rewriter *r, op *o)
{
	block *body = op_body(o);
	if (!o->n_operands && !o->n_results && body->first == block_terminator(body)) {
		rewrite_erase(r, o);
		return true;
	}
	if (has_one_device(r, o)) {
		splice_body(r, o);
		return true;
	}
	return drop_unused_arguments(r, o);
}
