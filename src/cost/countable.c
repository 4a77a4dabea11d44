/* countable.c - decides whether 64 bits are enough to count a program's bytes. */
#include "cost/cost.h"

#include "cost/memory.h"

/* Adds the room for a value as the upper bound of memory.c counts it: half precision takes twice as
 * much, and sizes are rounded up to an allocator's alignment. */
static bool add_room(int64_t *sum, const type *t)
{
	enum { ALIGNMENT = 64 };
	int64_t bytes = max_i64(type_bytes(t), 0);
	if (type_is_tensor(t) && t->is_static && t->n_elems > 0 && bytes == 0 && t->dtype)
		return false; /* type_bytes() had overflowed already */
	return mul_ok(bytes, 2, &bytes) && add_ok(bytes, ALIGNMENT, &bytes) &&
	       add_ok(*sum, bytes, sum);
}

static bool add_op_room(int64_t *sum, const op *o)
{
	bool good = true;
	for (int i = 0; i < o->n_operands; i++)
		good &= add_room(sum, operand(o, i)->type);
	for (int i = 0; i < o->n_results; i++)
		good &= add_room(sum, o->results[i].type);
	for (int r = 0; r < op_n_regions(o); r++)
		for (int i = 0; op_block(o, r) && i < op_block(o, r)->n_args; i++)
			good &= add_room(sum, op_block(o, r)->args[i]->type);
	return good;
}

bool program_countable(const module *m)
{
	int64_t sum = 0;
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (!add_op_room(&sum, o))
			return diag_error(m->ctx, op_place(m, o), E_TOO_LARGE,
			                  "the tensors of one device may take more than 2^63 bytes, "
			                  "counted up to this operation");
	return true;
}
