/* besides.c - what XLA's compilers, mostly the one for CPUs, read and write in addition to operands
 * and results.
 *
 * A running sum, which naively adds each element to all later ones, is computed as running sums of
 * PART elements along the last dimension. The running sums of their totals are added in a second
 * pass. If an operation with several results ends in a transposition, that result is computed in
 * the order of the operand and then copied. The gradient of a maximum over windows is computed
 * through the positions of all elements and of all windows. */
#include "cost/cluster.h"

enum { PART = 16, POSITION = 4 };

bool is_half(const value *v) { return v->type->dtype == DT_BF16 || v->type->dtype == DT_F16; }

/* ---- running sums ------------------------------------------------------------------------------ */

/* Returns true if a list is absent or has only ones. */
static bool is_all_ones(const module *m, const op *o, int known)
{
	int n;
	const int64_t *v = op_ints(m, o, known, &n);
	for (int i = 0; i < n; i++)
		if (v[i] != 1)
			return false;
	return true;
}

/* Returns the dimension along which each window holds an element and all elements before it, or all
 * after it; -1: there is none. */
static int running_dim(const module *m, const op *o)
{
	int n, k, d = -1;
	const int64_t *window = op_ints(m, o, N_window_dimensions, &n);
	const type *t = operand(o, 0)->type;
	for (int i = 0; i < n; i++) {
		if (window[i] == 1)
			continue;
		if (d >= 0 || window[i] != t->dims[i])
			return -1;
		d = i;
	}
	const int64_t *pad = op_ints(m, o, N_padding, &k);
	bool runs = d >= 0 && k == 2 * n && pad[2 * d] + pad[2 * d + 1] == t->dims[d] - 1 &&
	            is_all_ones(m, o, N_base_dilations) && is_all_ones(m, o, N_window_dilations) &&
	            is_all_ones(m, o, N_window_strides);
	return runs && o->results[0].type == t ? d : -1;
}

/* Returns how many more copies of all elements are in memory: one for the sums of the parts, and
 * one for the operand in another order if the dimension is not the last. */
static int copies_of_running(const module *m, const op *o)
{
	if (o->kind != OP_REDUCE_WINDOW || o->n_operands != 2 || !operand(o, 0)->type->is_static)
		return 0;
	int d = running_dim(m, o);
	if (d < 0 || operand(o, 0)->type->dims[d] <= PART)
		return 0;
	return d == operand(o, 0)->type->rank - 1 ? 1 : 2;
}

int running_copies(const fusing *f, const op *o) { return f->cpu ? copies_of_running(f->m, o) : 0; }

/* ---- results ------------------------------------------------------------------------------------- */

/* Returns the only operand that is not one number, repeated; NULL: there are several. */
static const value *real_operand(const op *o)
{
	const value *real = NULL;
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const op *def = value_def(v);
		if (def && (op_has(def, CONSTANT) || (def->kind == OP_BROADCAST_IN_DIM &&
		                                      operand(def, 0)->type->n_elems == 1)))
			continue;
		if (real && real != v)
			return NULL;
		real = v;
	}
	return real;
}

/* Returns true if the operation computes, element by element, only from a transposed value. The
 * compiler then transposes last. */
static bool ends_in_transposition(const op *o)
{
	enum { DEEP = 16 };
	for (int depth = 0; o && depth < DEEP; depth++) {
		if (o->kind == OP_TRANSPOSE)
			return true;
		const value *v = op_has(o, ELEMENTWISE) ? real_operand(o) : NULL;
		o = v ? value_def(v) : NULL;
	}
	return false;
}

bool is_copied_result(const op *o)
{
	const op *func = op_has(o, ELEMENTWISE | MOVES) ? op_parent(o) : NULL;
	if (!func || !op_is_func(func) || !ends_in_transposition(o))
		return false;
	for (const use *u = o->results[0].uses; u; u = u->next)
		if (op_has(u->owner, TERMINATOR) && u->owner->n_operands > 1)
			return true;
	return false;
}

/* ---- positions ------------------------------------------------------------------------------------ */

/* Returns the traffic of the positions. Those of elements are written and read; those of windows
 * are written, read, concatenated, and read again. The values of the windows are copied. */
static double bytes_of_positions(const op *o)
{
	const type *in = operand(o, 0)->type, *windows = operand(o, 1)->type;
	return (2 * elements_of(in) + 4 * elements_of(windows)) * in->rank * POSITION +
	       2 * (double)value_bytes(operand(o, 1));
}

/* XLA's compiler for GPUs computes the positions of elements where it reads them. The positions of
 * windows are written, with the values, and read. */
static double bytes_of_found_positions(const op *o)
{
	return elements_of(operand(o, 1)->type) * 2 * operand(o, 0)->type->rank * POSITION +
	       (double)value_bytes(operand(o, 1));
}

double bytes_besides(const fusing *f, const op *o)
{
	if (o->kind == OP_SELECT_AND_SCATTER)
		return f->cpu ? bytes_of_positions(o) : bytes_of_found_positions(o);
	if (!f->cpu || !o->n_results)
		return 0;
	double result = (double)value_bytes(&o->results[0]);
	return 2 * result * (is_copied_result(o) ? 1 : 0) +
	       result * (copies_of_running(f->m, o) == 2 ? 6 : 2 * copies_of_running(f->m, o));
}

/* Returns the size of the 32-bit copies of operands and results of a product of half precision.
 * Values between two such products are in 32 bits anyway. */
static int64_t wide_scratch(const op *o)
{
	enum { WIDER = 2 };
	int64_t n = 0;
	for (int i = 0; i < o->n_operands; i++)
		if (is_half(operand(o, i)) && !value_def(operand(o, i)))
			n += WIDER * value_bytes(operand(o, i));
	for (const use *u = o->results[0].uses; u; u = u->next)
		if (is_half(&o->results[0]) && op_has(u->owner, TERMINATOR))
			return n + WIDER * value_bytes(&o->results[0]);
	return n;
}

/* Returns the size of the positions of elements and windows; the latter are stored with the
 * windows' values. */
static int64_t scratch_of_positions(const op *o)
{
	const type *in = operand(o, 0)->type, *windows = operand(o, 1)->type;
	return (int64_t)((elements_of(in) + elements_of(windows)) * in->rank) * POSITION +
	       value_bytes(operand(o, 1));
}

int64_t scratch_besides(const fusing *f, const op *o)
{
	if (!f->cpu || !o->n_results)
		return 0;
	if (op_has(o, PRODUCT))
		return wide_scratch(o);
	if (o->kind == OP_SELECT_AND_SCATTER)
		return scratch_of_positions(o);
	int64_t n = copies_of_running(f->m, o) + is_copied_result(o);
	return n * value_bytes(&o->results[0]);
}
