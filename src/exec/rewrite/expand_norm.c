/* expand_norm.c - batch normalization, decomposed as in StableHLO's specification. */
#include "exec/rewrite/expand.h"

typedef struct norm {
	expander *e;
	const type *t;    /* of the operand */
	int64_t feature;
	int64_t *others;  /* the dimensions over which it averages */
	int n_others;
	value *epsilon;   /* with the operand's shape */
	double count;     /* elements for each feature */
} norm;

static norm norm_of(expander *e, const op *o)
{
	norm n = {.e = e,
	          .t = operand(o, 0)->type,
	          .feature = op_int(o, N_feature_index, 0),
	          .count = 1};
	n.others = NEW_N(e->mem, int64_t, n.t->rank);
	for (int d = 0; d < n.t->rank; d++)
		if (d != n.feature) {
			n.others[n.n_others++] = d;
			n.count *= (double)n.t->dims[d];
		}
	const attr *epsilon = op_attr(o, N_epsilon);
	const type *scalar = type_with_dims(e->ctx, n.t, NULL, 0);
	n.epsilon = build_fill(&e->b, expand_splat(e, scalar, epsilon ? epsilon->f : 0), n.t);
	return n;
}

static value *norm_spread(const norm *n, value *feature)
{
	return build_broadcast(&n->e->b, feature, n->t, &n->feature, 1);
}

static value *norm_sum(const norm *n, value *v)
{
	return expand_sum(n->e, v, n->others, n->n_others);
}

static value *norm_mean(const norm *n, value *v)
{
	value *sum = norm_sum(n, v);
	const type *scalar = type_with_dims(n->e->ctx, n->t, NULL, 0);
	return build_binary(&n->e->b, OP_DIVIDE, sum,
	                    build_fill(&n->e->b, expand_splat(n->e, scalar, n->count), sum->type));
}

static value *norm_centered(const norm *n, value *x, value *mean)
{
	return build_binary(&n->e->b, OP_SUBTRACT, x, norm_spread(n, mean));
}

/* variance + epsilon, with the operand's shape. */
static value *norm_variance(const norm *n, value *variance)
{
	return build_binary(&n->e->b, OP_ADD, norm_spread(n, variance), n->epsilon);
}

static value *norm_infer(const norm *n, value *x, value *scale, value *offset, value *mean,
                         value *variance)
{
	expander *e = n->e;
	value *deviation = build_unary(&e->b, OP_SQRT, norm_variance(n, variance));
	value *normal = build_binary(&e->b, OP_DIVIDE, norm_centered(n, x, mean), deviation);
	value *scaled = build_binary(&e->b, OP_MULTIPLY, norm_spread(n, scale), normal);
	return build_binary(&e->b, OP_ADD, scaled, norm_spread(n, offset));
}

bool expand_batch_norm_inference(expander *e, op *o)
{
	norm n = norm_of(e, o);
	return expand_done(e, o, norm_infer(&n, operand(o, 0), operand(o, 1), operand(o, 2),
	                                    operand(o, 3), operand(o, 4)));
}

bool expand_batch_norm_training(expander *e, op *o)
{
	norm n = norm_of(e, o);
	value *x = operand(o, 0), *mean = norm_mean(&n, x), *centered = norm_centered(&n, x, mean);
	value *variance = norm_mean(&n, build_binary(&e->b, OP_MULTIPLY, centered, centered));
	value *y = norm_infer(&n, x, operand(o, 1), operand(o, 2), mean, variance);
	return expand_done_all(e, o, (value *[]){y, mean, variance});
}

bool expand_batch_norm_grad(expander *e, op *o)
{
	norm n = norm_of(e, o);
	value *scale = norm_spread(&n, operand(o, 1)), *grad = operand(o, 4);
	value *centered = norm_centered(&n, operand(o, 0), operand(o, 2));
	value *variance = norm_variance(&n, operand(o, 3));
	value *deviation = build_unary(&e->b, OP_SQRT, variance);
	value *normal = build_binary(&e->b, OP_DIVIDE, centered, deviation);
	const type *scalar = type_with_dims(e->ctx, n.t, NULL, 0);
	value *count = build_fill(&e->b, expand_splat(e, scalar, n.count), n.t);
	value *grad_offset = norm_sum(&n, grad);
	value *grad_scale = norm_sum(&n, build_binary(&e->b, OP_MULTIPLY, grad, normal));
	value *i1 = build_binary(&e->b, OP_MULTIPLY, grad, count);
	value *i3 = norm_spread(&n, norm_sum(&n, build_binary(&e->b, OP_MULTIPLY, grad, centered)));
	value *i5 = build_binary(&e->b, OP_DIVIDE, build_binary(&e->b, OP_MULTIPLY, i3, centered),
	                         variance);
	value *i6 = build_binary(&e->b, OP_SUBTRACT,
	                         build_binary(&e->b, OP_SUBTRACT, i1, norm_spread(&n, grad_offset)),
	                         i5);
	value *factor = build_binary(&e->b, OP_DIVIDE,
	                             build_binary(&e->b, OP_DIVIDE, scale, deviation), count);
	return expand_done_all(
		e, o,
		(value *[]){build_binary(&e->b, OP_MULTIPLY, factor, i6), grad_scale, grad_offset});
}
