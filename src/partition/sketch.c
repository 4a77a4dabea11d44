/* sketch.c - makes sharding rules factor by factor. */
#include "partition/sketch.h"

void sketch_init(rule_sketch *s, emitter *e, const op *o)
{
	int n = o->n_operands + o->n_results;
	*s = (rule_sketch){.e = e, .o = o, .dims = NEW_N(e->mem, dim_factors *, n),
	                   .tensors = NEW_N(e->mem, tensor_factors, n)};
	for (int t = 0; t < n; t++) {
		const value *v = t < o->n_operands ? operand(o, t) : result(o, t - o->n_operands);
		int rank = type_is_tensor(v->type) ? v->type->rank : 0;
		s->dims[t] = NEW_N(e->mem, dim_factors, rank);
		s->tensors[t] = (tensor_factors){rank, s->dims[t]};
	}
}

int sketch_pass(rule_sketch *s, int64_t size)
{
	vec_push(s->e->mem, &s->sizes, size);
	return s->sizes.len - 1;
}

int sketch_reduce(rule_sketch *s, int64_t size)
{
	int f = sketch_pass(s, size);
	vec_push(s->e->mem, &s->reduced, f);
	return f;
}

int sketch_fixed(rule_sketch *s, int64_t size)
{
	int f = sketch_pass(s, size);
	vec_push(s->e->mem, &s->fixed, f);
	return f;
}

static void sketch_map(rule_sketch *s, int tensor, int64_t dim, int factor)
{
	if (dim == ABSENT)
		return;
	dim_factors *d = &s->dims[tensor][dim];
	int *factors = NEW_N(s->e->mem, int, d->n + 1);
	for (int i = 0; i < d->n; i++)
		factors[i] = d->factors[i];
	factors[d->n] = factor;
	*d = (dim_factors){d->n + 1, factors};
}

void sketch_operand(rule_sketch *s, int i, int64_t dim, int factor)
{
	sketch_map(s, i, dim, factor);
}

void sketch_result(rule_sketch *s, int i, int64_t dim, int factor)
{
	sketch_map(s, s->o->n_operands + i, dim, factor);
}

const sharding_rule *sketch_done(rule_sketch *s)
{
	sharding_rule *r = NEW(s->e->mem, sharding_rule);
	*r = (sharding_rule){.n_factors = s->sizes.len, .sizes = s->sizes.ptr,
	                     .n_operands = s->o->n_operands, .n_results = s->o->n_results,
	                     .tensors = s->tensors, .reduction = {s->reduced.len, s->reduced.ptr},
	                     .need_replication = {s->fixed.len, s->fixed.ptr}};
	return r;
}
