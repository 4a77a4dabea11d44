/* expand_legacy.c - ops that StableHLO keeps for old programs, and rng. */
#include "exec/rewrite/expand.h"

bool expand_broadcast_in_front(expander *e, op *o)
{
	value *v = operand(o, 0);
	const type *t = result(o, 0)->type;
	int64_t *dims = NEW_N(e->mem, int64_t, v->type->rank + 1);
	for (int i = 0; i < v->type->rank; i++)
		dims[i] = t->rank - v->type->rank + i;
	return expand_done(e, o, build_broadcast(&e->b, v, t, dims, v->type->rank));
}

/* ---- einsum ------------------------------------------------------------------------------ */

enum { MAX_LABELS = 64 };

/* "ab,bc->ac": a letter for each dimension. */
typedef struct einsum {
	char in[2][MAX_LABELS], out[MAX_LABELS];
	int n_in;
} einsum;

static bool einsum_word(const char **at, char *to)
{
	int n = 0;
	for (; **at && **at != ',' && **at != '-' && **at != '>'; ++*at) {
		if (**at == ' ')
			continue;
		if (n + 1 >= MAX_LABELS || memchr(to, **at, (size_t)n) || **at == '.')
			return false;
		to[n++] = **at;
	}
	to[n] = 0;
	return true;
}

static bool einsum_parse(const op *o, einsum *s)
{
	const attr *a = op_attr(o, N_einsum_config);
	const char *at = a && a->text ? a->text->s : "";
	*s = (einsum){.n_in = o->n_operands};
	for (int i = 0; i < s->n_in; i++) {
		if (!einsum_word(&at, s->in[i]) || (i + 1 < s->n_in && *at++ != ','))
			return false;
		if ((int)strlen(s->in[i]) != operand(o, i)->type->rank)
			return false;
	}
	if (*at++ != '-' || *at++ != '>' || !einsum_word(&at, s->out) || *at)
		return false;
	return (int)strlen(s->out) == result(o, 0)->type->rank;
}

/* Sums over the labels that neither the result nor the other operand has. */
static value *einsum_summed(expander *e, value *v, char *labels, const char *kept,
                            const char *kept2)
{
	int64_t *dims = NEW_N(e->mem, int64_t, v->type->rank + 1);
	int n = 0, left = 0;
	for (int i = 0; labels[i]; i++) {
		if (strchr(kept, labels[i]) || strchr(kept2, labels[i]))
			labels[left++] = labels[i];
		else
			dims[n++] = i;
	}
	labels[left] = 0;
	return n ? expand_sum(e, v, dims, n) : v;
}

/* Transposes from the order of `labels` to that of `out`; false: the labels differ. */
static bool einsum_order(expander *e, value **v, const char *labels, const char *out)
{
	int64_t *permutation = NEW_N(e->mem, int64_t, strlen(out) + 1);
	if (strlen(labels) != strlen(out))
		return false;
	for (int i = 0; out[i]; i++) {
		const char *at = strchr(labels, out[i]);
		if (!at)
			return false;
		permutation[i] = at - labels;
	}
	*v = build_transpose(&e->b, *v, permutation);
	return true;
}

static bool einsum_unclear(expander *e, op *o)
{
	return plan_error(e->p, o,
	                  "einsum_config does not name the dimensions of operands and result");
}

bool expand_unary_einsum(expander *e, op *o)
{
	einsum s;
	if (!einsum_parse(o, &s))
		return einsum_unclear(e, o);
	value *v = einsum_summed(e, operand(o, 0), s.in[0], s.out, "");
	return einsum_order(e, &v, s.in[0], s.out) ? expand_done(e, o, v) : einsum_unclear(e, o);
}

bool expand_einsum(expander *e, op *o)
{
	einsum s;
	if (!einsum_parse(o, &s))
		return einsum_unclear(e, o);
	value *a = einsum_summed(e, operand(o, 0), s.in[0], s.out, s.in[1]);
	value *b = einsum_summed(e, operand(o, 1), s.in[1], s.out, s.in[0]);
	int64_t dims[4][MAX_LABELS], sizes[2 * MAX_LABELS];
	dot_dims d = {.lhs_batch = dims[0], .rhs_batch = dims[1], .lhs_contract = dims[2],
	              .rhs_contract = dims[3]};
	char labels[2 * MAX_LABELS];
	int n = 0;
	for (int i = 0; s.in[0][i]; i++) {
		const char *at = strchr(s.in[1], s.in[0][i]);
		if (at && strchr(s.out, *at)) {
			dims[0][d.n_batch] = i;
			dims[1][d.n_batch++] = at - s.in[1];
			sizes[n] = a->type->dims[i];
			labels[n++] = *at;
		} else if (at) {
			dims[2][d.n_contract] = i;
			dims[3][d.n_contract++] = at - s.in[1];
		}
	}
	for (int k = 0; k < 2; k++)
		for (int i = 0; s.in[k][i]; i++)
			if (!strchr(s.in[!k], s.in[k][i])) {
				sizes[n] = (k ? b : a)->type->dims[i];
				labels[n++] = s.in[k][i];
			}
	labels[n] = 0;
	value *v = expand_dot(e, a, b, &d, type_with_dims(e->ctx, result(o, 0)->type, sizes, n));
	return einsum_order(e, &v, labels, s.out) ? expand_done(e, o, v) : einsum_unclear(e, o);
}

/* ---- torch_index_select --------------------------------------------------------------------- */

bool expand_torch_index_select(expander *e, op *o)
{
	const type *in = operand(o, 0)->type, *index = operand(o, 1)->type, *t = result(o, 0)->type;
	int64_t dim = op_int(o, N_dim, 0), batch = op_int(o, N_batch_dims, 0);
	dim += dim < 0 ? in->rank : 0;
	batch += batch < 0 ? index->rank : 0;
	if (batch < 0 || batch > dim || dim >= in->rank || batch > index->rank ||
	    t->rank != in->rank + index->rank - batch - 1)
		return plan_error(e->p, o, "dim and batch_dims do not fit the operands");
	int64_t *numbers = NEW_N(e->mem, int64_t, in->rank + t->rank + 1),
		*offset = numbers + in->rank;
	int64_t *sizes = COPY_N(e->mem, in->dims, in->rank), vector_dim = index->rank;
	int n_offset = 0;
	for (int d = 0; d < in->rank; d++)
		numbers[d] = d; /* the batch dimensions come first in both */
	for (int d = (int)batch; d < dim; d++)
		offset[n_offset++] = d;
	for (int d = (int)dim + 1; d < in->rank; d++)
		offset[n_offset++] = d + index->rank - batch - 1;
	for (int d = 0; d < batch; d++)
		sizes[d] = 1;
	sizes[dim] = 1;
	const ints_field fields[] = {{N_offset_dims, offset, n_offset},
	                             {N_collapsed_slice_dims, &dim, 1},
	                             {N_operand_batching_dims, numbers, (int)batch},
	                             {N_start_indices_batching_dims, numbers, (int)batch},
	                             {N_start_index_map, &dim, 1},
	                             {N_index_vector_dim, &vector_dim, -1}};
	value *v = build(&e->b, OP_GATHER, (value *[]){operand(o, 0), operand(o, 1)}, 2, t);
	op_set_attr(e->b.m, value_def(v), N_dimension_numbers,
	            struct_of_ints(e->ctx, "stablehlo.gather", fields, COUNT(fields)));
	op_set_attr(e->b.m, value_def(v), N_slice_sizes, attr_i64_array(e->ctx, sizes, in->rank));
	return expand_done(e, o, v);
}

/* ---- rng ------------------------------------------------------------------------------------ */

/* Random bits from a separate stream for each op of the program. */
static value *random_bits(expander *e, const op *o, const type *t)
{
	const int64_t dims[1] = {2};
	const type *state = type_tensor(e->ctx, DT_UI64, dims, 1), *out[2] = {state, t};
	const int64_t seed[2] = {(int64_t)o->id, 0x7e55e7a};
	value *in = build_ints(&e->b, DT_UI64, seed, 2);
	op *rng = build_op(&e->b, OP_RNG_BIT_GENERATOR, &in, 1, out, 2, 0);
	op_set_attr(e->b.m, rng, N_rng_algorithm,
	            attr_enum(e->ctx, "stablehlo", "rng_algorithm", "PHILOX"));
	return result(rng, 1);
}

/* Numbers in [0, 1) with as many random bits as the mantissa of a float32 or float64. */
static value *random_unit(expander *e, const op *o, const type *like, bool wide)
{
	dtype ints = wide ? DT_UI64 : DT_UI32, floats = wide ? DT_F64 : DT_F32;
	value *bits = random_bits(e, o, type_of_elem(e->ctx, like, ints));
	bits = build_binary(&e->b, OP_SHIFT_RIGHT_LOGICAL, bits,
	                    expand_splat(e, bits->type, wide ? 11 : 8));
	value *v = build_convert(&e->b, bits, floats);
	return build_binary(&e->b, OP_MULTIPLY, v,
	                    expand_splat(e, v->type, wide ? 0x1p-53 : 0x1p-24));
}

/* rng(a, b, shape): UNIFORM in [a, b), or NORMAL with mean a and standard deviation b. */
bool expand_rng(expander *e, op *o)
{
	const type *t = result(o, 0)->type;
	bool normal = !strcmp(enum_word(op_attr(o, N_rng_distribution)), "NORMAL");
	bool wide = t->dtype == DT_F64 || dtype_bits(t->dtype) > 32 || !dtype_is_float(t->dtype);
	value *a = build_fill(&e->b, operand(o, 0), t), *b = build_fill(&e->b, operand(o, 1), t);
	if (dtype_is_complex(t->dtype))
		return plan_unsupported(e->p, o, "complex random numbers are");
	value *u = random_unit(e, o, t, wide);
	dtype inner = u->type->dtype;
	a = build_convert(&e->b, a, inner);
	b = build_convert(&e->b, b, inner);
	if (normal) { /* sqrt(2) erf_inv(2u - 1) */
		value *two = expand_splat(e, u->type, 2), *one = expand_splat(e, u->type, 1);
		/* the middle of the step, so that -1 does not occur */
		u = build_binary(&e->b, OP_ADD, u,
		                 expand_splat(e, u->type, wide ? 0x1p-54 : 0x1p-25));
		u = build_binary(&e->b, OP_SUBTRACT, build_binary(&e->b, OP_MULTIPLY, u, two), one);
		u = build_unary(&e->b, OP_CHLO_ERF_INV, u);
		u = build_binary(&e->b, OP_MULTIPLY, u,
		                 expand_splat(e, u->type, 1.4142135623730951));
		u = build_binary(&e->b, OP_ADD, build_binary(&e->b, OP_MULTIPLY, u, b), a);
	} else {
		value *width = build_binary(&e->b, OP_SUBTRACT, b, a);
		u = build_binary(&e->b, OP_ADD, build_binary(&e->b, OP_MULTIPLY, u, width), a);
		if (!dtype_is_float(t->dtype))
			u = build_unary(&e->b, OP_FLOOR, u);
	}
	return expand_done(e, o, build_convert(&e->b, u, t->dtype));
}
