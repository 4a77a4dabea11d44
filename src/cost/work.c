/* work.c - FLOPs and bytes of one op, from its shapes.
 *
 * Conventions, those of XLA's cost analysis where it has one: a multiply-add is
 * two FLOPs, an element-wise op one per element of its result (transcendental
 * functions too), a comparison or a move none.  Bytes: each operand is read and
 * each result written once; what only renames a buffer moves nothing. */
#include "cost/memory.h"
#include "cost/cost.h"

static double bytes_of(const type *t) { return (double)max_i64(type_bytes(t), 0); }

static double dot_flops(const module *m, const op *o)
{
	dot_dims d;
	if (!op_dot_dims(m, o, &d))
		return 0;
	double k = 1;
	const type *lhs = operand(o, 0)->type;
	for (int i = 0; i < d.n_contract; i++)
		k *= (double)lhs->dims[d.lhs_contract[i]];
	return 2 * k * elements_of(o->results[0].type);
}

/* Each element of the result is a product of one window with the kernel's input features. */
static double conv_flops(const module *m, const op *o)
{
	conv_dims d;
	if (!op_conv_dims(m, o, &d))
		return 0;
	const type *kernel = operand(o, 1)->type;
	double taps = (double)kernel->dims[d.k_in];
	for (int i = 0; i < d.n_spatial; i++)
		taps *= (double)kernel->dims[d.k_spatial[i]];
	return 2 * taps * elements_of(o->results[0].type);
}

static double window_flops(const module *m, const op *o)
{
	int n;
	const int64_t *window = op_ints(m, o, N_window_dimensions, &n);
	double size = 1;
	for (int i = 0; i < n; i++)
		size *= (double)window[i];
	return size * elements_of(o->results[0].type);
}

/* A transform of length n takes 5 n log2 n. */
static double fft_flops(const module *m, const op *o)
{
	int n;
	const int64_t *length = op_ints(m, o, N_fft_length, &n);
	double size = 1, log = 0;
	for (int i = 0; i < n; i++)
		size *= (double)length[i];
	for (double s = size; s > 1; s /= 2)
		log++;
	return size ? 5 * log * elements_of(operand(o, 0)->type) : 0;
}

static double reduced_elements(const module *m, const op *o)
{
	UNUSED(m);
	return elements_of(operand(o, 0)->type);
}

static double scatter_flops(const module *m, const op *o)
{
	UNUSED(m);
	return elements_of(operand(o, o->n_operands - 1)->type);
}

static double cholesky_flops(const module *m, const op *o)
{
	const type *t = o->results[0].type;
	UNUSED(m);
	return t->rank ? elements_of(t) * (double)t->dims[t->rank - 1] / 3 : 0;
}

static double solve_flops(const module *m, const op *o)
{
	const type *a = operand(o, 0)->type;
	UNUSED(m);
	return a->rank ? elements_of(o->results[0].type) * (double)a->dims[a->rank - 1] : 0;
}

static double no_flops(const module *m, const op *o)
{
	UNUSED(m);
	UNUSED(o);
	return 0;
}

static double flops_of(const module *m, const op *o)
{
	static double (*const flops[OP_COUNT])(const module *m, const op *o) = {
	    [OP_DOT] = dot_flops,
	    [OP_DOT_GENERAL] = dot_flops,
	    [OP_CONVOLUTION] = conv_flops,
	    [OP_REDUCE_WINDOW] = window_flops,
	    [OP_SELECT_AND_SCATTER] = window_flops,
	    [OP_FFT] = fft_flops,
	    [OP_REDUCE] = reduced_elements,
	    [OP_SCATTER] = scatter_flops,
	    [OP_CHOLESKY] = cholesky_flops,
	    [OP_TRIANGULAR_SOLVE] = solve_flops,
	    [OP_CONVERT] = no_flops,
	    [OP_BITCAST_CONVERT] = no_flops,
	    [OP_SELECT] = no_flops,
	    [OP_COMPARE] = no_flops,
	};
	if (flops[o->kind])
		return flops[o->kind](m, o);
	return op_has(o, ELEMENTWISE) ? elements_of(o->results[0].type) : 0;
}

work op_work(const module *m, const op *o)
{
	work w = {.flops = 0};
	if (op_has(o, FREE))
		return w;
	if (o->n_results)
		w.flops = flops_of(m, o);
	if (o->kind == OP_DYNAMIC_UPDATE_SLICE) {
		w.bytes = 2 * bytes_of(operand(o, 1)->type); /* in place */
		return w;
	}
	for (int i = 0; i < o->n_results; i++)
		w.bytes += bytes_of(o->results[i].type);
	if (op_has(o, SELECTS)) {
		w.bytes *= 2; /* it reads only the elements that it returns */
		return w;
	}
	for (int i = 0; i < o->n_operands; i++)
		w.bytes += bytes_of(operand(o, i)->type);
	return w;
}

/* ---- loops ----------------------------------------------------------------------- */

/* Returns what the program says, as HLO does, or what can be counted. */
int64_t while_trip_count(const module *m, const op *o)
{
	const attr *told = op_attr_named(o, name_of_z(m->ctx, "hlo.trip_count"));
	loop_count c;
	if (told && told->kind == AT_INT)
		return max_i64(told->i, 0);
	return while_count(o, &c) ? loop_count_trips(&c) : 0;
}

/* ---- what an operation needs besides operands and results, for its own time ------------------ */

/* Collectives put the parts of devices one after the other. Along another dimension than the major
 * one they need a copy of their operand or result in that order. */
static int64_t order_scratch(const op *o)
{
	switch (o->kind) {
	case OP_ALL_GATHER:
		return op_int(o, N_all_gather_dim, 0) ? value_bytes(&o->results[0]) : 0;
	case OP_REDUCE_SCATTER:
		return op_int(o, N_scatter_dimension, 0) ? value_bytes(operand(o, 0)) : 0;
	case OP_ALL_TO_ALL: return value_bytes(operand(o, 0)) + value_bytes(&o->results[0]);
	default: return 0;
	}
}

/* Libraries need operands and results in an order of their own. */
static int64_t library_scratch(const op *o)
{
	int64_t n = 0;
	if (!op_has(o, LIBRARY))
		return 0;
	for (int i = 0; i < o->n_operands; i++)
		n += value_bytes(operand(o, i));
	for (int i = 0; i < o->n_results; i++)
		n += value_bytes(&o->results[i]);
	return n;
}

/* The gradient of a maximum over windows is computed through the positions of what was chosen, with
 * a number for each dimension: of every element, and of every window. */
static int64_t position_scratch(const op *o)
{
	enum { POSITION = 4 };
	int64_t bytes = 0;
	if (o->kind != OP_SELECT_AND_SCATTER || !operand(o, 0)->type->is_static ||
	    !operand(o, 1)->type->is_static)
		return 0;
	int64_t elements = operand(o, 0)->type->n_elems + operand(o, 1)->type->n_elems;
	return mul_ok(elements, (int64_t)operand(o, 0)->type->rank * POSITION, &bytes) ? bytes : 0;
}

int64_t op_scratch(const op *o)
{
	return order_scratch(o) + library_scratch(o) + position_scratch(o);
}
