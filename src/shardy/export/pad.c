/* pad.c - sdy-pad-for-divisibility: enlarges dimensions that do not divide evenly.
 *
 * A value that is sharded unevenly gets a larger twin, whose additional elements are arbitrary. An
 * operation with a sharding rule that maps dimensions one to one is computed on the twins: all
 * dimensions of a factor are enlarged alike. If it reduces over an enlarged dimension, the twin is
 * masked first with the identity of the reduction. Any other operation gets its original operands,
 * whole in those dimensions, and its results are enlarged afterward.
 *
 * Arguments and results of functions must already divide evenly
 * (sdy-update-non-divisible-input-output-shardings ensures that). */
#include "shardy/export/export.h"

/* A value of the original program, and its replacements. */
typedef struct twins {
	value *large; /* NULL: none */
	value *plain; /* the original value, restored; NULL: not needed so far */
} twins;

typedef struct pad_pass {
	module *m;
	arena *mem;
	ptr_map twins; /* value -> twins */
	builder b;
	VEC(op *) replaced;
} pad_pass;

/* ---- sizes ----------------------------------------------------------------------------- */

static int64_t shards_of_dim(const pad_pass *p, const sharding *s, int d)
{
	const mesh *m = s ? sharding_mesh(p->m, s) : NULL;
	return m && m->n_axes && d < s->rank ? sharding_dim_shards(s, d, m) : 1;
}

static bool is_uneven(const pad_pass *p, const value *v)
{
	const sharding *s = value_sharding(p->m, v);
	if (!type_is_tensor(v->type) || !v->type->is_static)
		return false;
	for (int d = 0; d < v->type->rank; d++)
		if (v->type->dims[d] % shards_of_dim(p, s, d))
			return true;
	return false;
}

/* Returns the sharding without the dimensions that it divides unevenly. */
static const sharding *even_part(const pad_pass *p, const value *v)
{
	const sharding *s = value_sharding(p->m, v);
	for (int d = 0; s && d < v->type->rank; d++)
		if (v->type->dims[d] % shards_of_dim(p, s, d))
			s = sharding_with_dim(p->m->ctx, s, d,
			                      (dim_sharding){.priority = PRIORITY_NONE});
	return s;
}

static twins *twins_of(pad_pass *p, const value *v)
{
	void **slot = ptr_map_at(&p->twins, p->mem, v);
	if (!*slot)
		*slot = NEW(p->mem, twins);
	return *slot;
}

static value *large_twin(pad_pass *p, const value *v)
{
	const twins *t = ptr_map_get(&p->twins, v);
	return t ? t->large : NULL;
}

/* ---- building ------------------------------------------------------------------------------ */

static const attr *zero_of(pad_pass *p, const type *t)
{
	char zeros[16] = {0};
	return attr_dense(p->m->ctx, type_elem_tensor(p->m->ctx, t), zeros,
	                  (size_t)dtype_bytes(t->dtype), true);
}

static value *make_padded(pad_pass *p, value *v, const int64_t *dims, const attr *with)
{
	const sharding *s = value_sharding(p->m, v);
	return value_with_sharding(build_pad_to(&p->b, v, dims, build_constant(&p->b, with)), s);
}

static value *make_trimmed(pad_pass *p, value *v, const int64_t *dims)
{
	const sharding *s = value_sharding(p->m, v);
	return value_with_sharding(build_first(&p->b, v, dims), s);
}

static value *make_filled(pad_pass *p, const attr *scalar, const type *like, const sharding *s)
{
	value *c = build_constant(&p->b, scalar);
	const type *t = type_with_elem(p->m->ctx, like, scalar->type->elem);
	return value_with_sharding(build_broadcast(&p->b, c, t, NULL, 0), s);
}

/* Sets elements of dimension d from `size` on to `with`. */
static value *make_masked(pad_pass *p, value *v, int d, int64_t size, const attr *with)
{
	const sharding *s = value_sharding(p->m, v);
	const type *scalar = type_tensor(p->m->ctx, DT_I64, NULL, 0);
	const attr *end = attr_splat_bits(p->m->ctx, scalar, (uint64_t)size);
	value *at = build_iota(&p->b, DT_I64, v->type->dims, v->type->rank, d);
	value_with_sharding(at, s);
	value *inside = build_compare(&p->b, COMPARE_LT, at, make_filled(p, end, v->type, s));
	value_with_sharding(inside, s);
	value *out = build_select(&p->b, inside, v, make_filled(p, with, v->type, s));
	return value_with_sharding(out, s);
}

/* ---- restoring original values -------------------------------------------------------------- */

/* Returns the value in its original size, for operations that cannot use its twin. */
static value *plain_twin(pad_pass *p, value *v)
{
	value *large = large_twin(p, v);
	if (!large)
		return v;
	twins *t = twins_of(p, v);
	if (!t->plain) {
		const builder was = p->b;
		p->b = builder_before(p->m, value_def(large)->next);
		value *even = large;
		const sharding *s = even_part(p, v);
		if (s != value_sharding(p->m, large))
			even = build_sharded(&p->b, OP_SDY_RESHARD, large, s);
		t->plain = make_trimmed(p, even, v->type->dims);
		p->b = was;
	}
	return t->plain;
}

/* Returns the value in the given size. In masked dimensions, additional elements are `with`. */
static value *twin_of_size(pad_pass *p, value *v, const int64_t *dims, const bool *masked,
                           const attr *with)
{
	value *large = large_twin(p, v), *out = large ? large : v;
	bool more = false, less = false;
	for (int d = 0; d < v->type->rank; d++) {
		more |= dims[d] > out->type->dims[d];
		less |= dims[d] < out->type->dims[d];
	}
	if (less) {
		int64_t *most = NEW_N(p->mem, int64_t, v->type->rank);
		for (int d = 0; d < v->type->rank; d++)
			most[d] = min_i64(dims[d], out->type->dims[d]);
		out = make_trimmed(p, out, most);
	}
	for (int d = 0; large && d < v->type->rank; d++)
		if (masked[d] && out->type->dims[d] > v->type->dims[d])
			out = make_masked(p, out, d, v->type->dims[d], with);
	return more ? make_padded(p, out, dims, with) : out;
}

/* ---- one operation ------------------------------------------------------------------------- */

static const sharding_rule *dimwise_rule_of(pad_pass *p, const op *o)
{
	static const bool ruled[OP_COUNT] = {
	    [OP_TRANSPOSE] = true, [OP_BROADCAST_IN_DIM] = true, [OP_DOT] = true,
	    [OP_DOT_GENERAL] = true, [OP_REDUCE] = true, [OP_IOTA] = true,
	};
	static const bool identity[OP_COUNT] = {
	    [OP_SDY_RESHARD] = true,
	    [OP_SDY_SHARDING_CONSTRAINT] = true,
	    [OP_SDY_ALL_GATHER] = true,
	    [OP_SDY_ALL_SLICE] = true,
	    [OP_SDY_ALL_TO_ALL] = true,
	    [OP_SDY_COLLECTIVE_PERMUTE] = true,
	    [OP_SDY_ALL_REDUCE] = true,
	    [OP_SDY_REDUCE_SCATTER] = true,
	};
	if (identity[o->kind])
		return op_identity_rule(result(o, 0)->type, 1, 1, p->mem);
	return ruled[o->kind] || (op_is_pointwise(o) && !op_n_regions(o))
	               ? op_rule(p->m, o, RULE_BEYOND_SHARDY, p->mem)
	               : NULL;
}

/* Returns what the padding of operands must be so that reductions over it are unchanged; NULL if
 * there is no such value. */
static const attr *filling(pad_pass *p, const op *o)
{
	if (o->kind != OP_REDUCE)
		return o->n_operands && type_is_tensor(operand(o, 0)->type)
		               ? zero_of(p, operand(o, 0)->type)
		               : NULL;
	monoid by = o->n_operands == 2 ? monoid_of_op(op_body_kind(o, 0)) : MONOID_NONE;
	return by == MONOID_NONE
	               ? NULL
	               : monoid_identity(p->m->ctx, by,
	                                 type_elem_tensor(p->m->ctx, operand(o, 0)->type));
}

static value *tensor_of_rule(const op *o, int t)
{
	return t < o->n_operands ? operand(o, t) : result(o, t - o->n_operands);
}

/* Returns the enlarged size of each factor; NULL if a dimension has several factors. */
static int64_t *grown_sizes(pad_pass *p, const op *o, const sharding_rule *r)
{
	int64_t *grown = COPY_N(p->mem, r->sizes, r->n_factors);
	int64_t *shards = NEW_N(p->mem, int64_t, r->n_factors);
	for (int f = 0; f < r->n_factors; f++)
		shards[f] = 1;
	for (int t = 0; t < r->n_operands + r->n_results; t++) {
		const value *large = large_twin(p, tensor_of_rule(o, t));
		const sharding *s = value_sharding(p->m, large ? large : tensor_of_rule(o, t));
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *df = &r->tensors[t].dims[d];
			int64_t k = shards_of_dim(p, s, d);
			if (df->n != 1)
				return NULL;
			int f = df->factors[0];
			shards[f] *= k / gcd_i64(shards[f], k);
		}
	}
	for (int f = 0; f < r->n_factors; f++)
		if (r->sizes[f] > 1)
			grown[f] = ceil_div(r->sizes[f], shards[f]) * shards[f];
	return grown;
}

static bool is_reduced(const sharding_rule *r, int factor)
{
	return factor_in_set(&r->reduction, factor);
}

/* Returns the operand enlarged to the sizes of its factors. */
static value *grown_operand(pad_pass *p, op *o, const sharding_rule *r, const int64_t *grown,
                            int i, const attr *with)
{
	value *v = operand(o, i);
	const tensor_factors *t = rule_operand(r, i);
	int64_t *dims = NEW_N(p->mem, int64_t, t->rank);
	bool *masked = NEW_N(p->mem, bool, t->rank);
	if (!type_is_tensor(v->type) || v->type->rank != t->rank)
		return plain_twin(p, v);
	for (int d = 0; d < t->rank; d++) {
		dims[d] = grown[t->dims[d].factors[0]];
		masked[d] = is_reduced(r, t->dims[d].factors[0]);
	}
	return twin_of_size(p, v, dims, masked, with ? with : zero_of(p, v->type));
}

static void keep_result(pad_pass *p, value *v, value *large)
{
	if (large->type == v->type) {
		value_replace_uses(v, large);
		return;
	}
	if (is_uneven(p, v)) {
		twins_of(p, v)->large = large;
		return;
	}
	const builder was = p->b;
	p->b = builder_before(p->m, value_def(large)->next);
	value_replace_uses(v, make_trimmed(p, large, v->type->dims));
	p->b = was;
}

/* Returns false if the op cannot be computed on larger values. */
static bool grow_op(pad_pass *p, op *o)
{
	const sharding_rule *r = dimwise_rule_of(p, o);
	const int64_t *grown = r ? grown_sizes(p, o, r) : NULL;
	const attr *with = filling(p, o);
	if (!grown || (o->kind == OP_REDUCE && !with))
		return false;
	value **in = NEW_N(p->mem, value *, o->n_operands);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = grown_operand(p, o, r, grown, i, with);
	ptr_map map = {0};
	op *copy = op_clone(p->m, o, &map, p->mem);
	op_insert_before(o, copy);
	op_set_operands(p->m, copy, in, o->n_operands);
	vec_push(p->mem, &p->replaced, o);
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(copy, i);
		const tensor_factors *t = rule_result(r, i);
		int64_t *dims = NEW_N(p->mem, int64_t, t->rank);
		for (int d = 0; d < t->rank; d++)
			dims[d] = grown[t->dims[d].factors[0]];
		v->type = type_with_dims(p->m->ctx, v->type, dims, t->rank);
		keep_result(p, result(o, i), v);
	}
	return true;
}

/* Gives the op its original operands, and enlarges its results. */
static void leave_op(pad_pass *p, op *o)
{
	const builder was = p->b;
	for (op *in = o; in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++)
			if (large_twin(p, operand(in, i)))
				op_set_operand(in, i, plain_twin(p, operand(in, i)));
	for (int i = 0; i < o->n_results; i++) {
		value *v = result(o, i);
		const sharding *s = value_sharding(p->m, v);
		if (!is_uneven(p, v) || op_has(o, DATA_FLOW))
			continue;
		int64_t *dims = COPY_N(p->mem, v->type->dims, v->type->rank);
		for (int d = 0; d < v->type->rank; d++) {
			int64_t k = shards_of_dim(p, s, d);
			dims[d] = ceil_div(dims[d], k) * k;
		}
		v->sharding = even_part(p, v);
		p->b = builder_before(p->m, o->next);
		value *large = make_padded(p, v, dims, zero_of(p, v->type));
		large = build_sharded(&p->b, OP_SDY_RESHARD, large, s);
		*twins_of(p, v) = (twins){large, v};
	}
	p->b = was;
}

static void pad_op(pad_pass *p, op *o)
{
	bool concerned = false;
	p->b = builder_before(p->m, o);
	for (int i = 0; i < o->n_results; i++)
		concerned |= is_uneven(p, result(o, i));
	for (op *in = o; in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++)
			concerned |= large_twin(p, operand(in, i)) != NULL;
	if (concerned && !grow_op(p, o))
		leave_op(p, o);
}

/* ---- functions ------------------------------------------------------------------------------- */

static place dim_place(const module *m, const op *f, const int *part, const sharding *s, int d)
{
	sharding_places at = op_sharding_places(m, f, part, s);
	return at.dims ? at.dims[d] : at.all;
}

/* `part`: path to the sharding among the function's attributes, for the error's place. */
static bool uneven_border(const pad_pass *p, const op *f, const char *what, int i, const type *t,
                          const sharding *s, const int *part)
{
	for (int d = 0; s && type_is_tensor(t) && d < t->rank; d++)
		if (t->dims[d] % shards_of_dim(p, s, d))
			return diag_error(
				p->m->ctx, dim_place(p->m, f, part, s, d), E_PARTITION_UNEVEN,
				"%s %d of @%s has a dimension of %" PRId64 " elements in %" PRId64
				" shards; sdy-update-non-divisible-input-output-shardings "
				"makes it even",
				what, i, op_symbol(f)->s, t->dims[d], shards_of_dim(p, s, d));
	return true;
}

static bool borders_even(const pad_pass *p, const op *f)
{
	bool good = true;
	for (int i = 0; i < op_body(f)->n_args; i++)
		good &= uneven_border(p, f, "argument", i, op_body(f)->args[i]->type,
		                      op_body(f)->args[i]->sharding,
		                      PART(N_arg_attrs, ITEM(i), N_sdy_sharding));
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		good &= uneven_border(p, f, "result", i, op_func(f)->type->out[i],
		                      op_func(f)->result_shardings[i],
		                      PART(N_res_attrs, ITEM(i), N_sdy_sharding));
	return good;
}

static bool pad_function(module *m, op *f)
{
	pad_pass p = {.m = m, .mem = &m->ctx->scratch};
	if (!borders_even(&p, f))
		return false;
	for (op *o = op_body(f)->first, *next; o; o = next) {
		next = o->next;
		pad_op(&p, o);
	}
	for (int i = p.replaced.len; i-- > 0;)
		op_erase(p.replaced.ptr[i]);
	return true;
}

bool pass_pad_for_divisibility(module *m, const pass_options *o)
{
	UNUSED(o);
	bool good = true;
	for (op *f = module_body(m)->first; f; f = f->next)
		if (op_is_func(f) && !func_is_declaration(f))
			good &= pad_function(m, f);
	return good;
}
