/* recompose.c - `chlo-recompose-ops`: composites that stand for operations of CHLO become these.
 *
 * A portable artifact has no operations of CHLO: JAX writes chlo.erf(x) as a composite "chlo.erf" with a
 * decomposition of thirty operations, and XLA takes it back before it propagates shardings.  A composite
 * is opaque to propagation, and its decomposition is slower than the operation. */
#include "op/build.h"
#include "op/op.h"

/* Version of the composites' attributes; others may mean something else. */
enum { RECOMPOSED_VERSION = 1 };

/* The operation that a composite stands for; OP_UNKNOWN: none.  The attributes of those that are left out
 * are spelled otherwise in composites. */
static int recomposed_kind(const module *m, const op *o)
{
	const attr *called = op_attr(o, N_name);
	if (!called || called->kind != AT_STRING || strncmp(called->text->s, "chlo.", 5) ||
	    op_n_regions(o) || op_int(o, N_version, 0) != RECOMPOSED_VERSION)
		return OP_UNKNOWN;
	const int kind = op_kind_of(m->ctx, called->text);
	return (op_kind_traits(kind) & ELEMENTWISE) || kind == OP_CHLO_TOP_K ? kind : OP_UNKNOWN;
}

/* Attributes that are not about the composite itself. */
static void copy_discardable(module *m, op *to, const op *composite)
{
	for (int i = 0; i < composite->attrs.n; i++) {
		const named_attr *a = &composite->attrs.ptr[i];
		if (!name_is(a->name, N_composite_attributes) && !name_is(a->name, N_decomposition) &&
		    !name_is(a->name, N_name) && !name_is(a->name, N_version))
			op_set_attr_named(m, to, a->name, a->value);
	}
}

static bool recompose(module *m, op *o, int kind)
{
	const builder b = builder_before(m, o);
	const attr *options = op_attr(o, N_composite_attributes);
	value **in = NEW_N(&m->ctx->scratch, value *, o->n_operands + 1);
	const type **types = NEW_N(&m->ctx->scratch, const type *, o->n_results + 1);
	for (int i = 0; i < o->n_operands; i++)
		in[i] = operand(o, i);
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	op *made = build_op(&b, (op_kind)kind, in, o->n_operands, types, o->n_results, 0);
	copy_discardable(m, made, o);
	for (int i = 0; options && i < options->n; i++)
		op_set_attr_named(m, made, options->names[i], options->list[i]);
	for (int i = 0; i < o->n_results; i++) {
		result(made, i)->sharding = result(o, i)->sharding;
		value_take_name(m, result(made, i), result(o, i));
		value_replace_uses(result(o, i), result(made, i));
	}
	op_erase(o);
	return op_verify(m, made);
}

bool pass_chlo_recompose_ops(module *m, const pass_options *o)
{
	UNUSED(o);
	bool good = true;
	for (op *i = m->top, *next; i; i = next) {
		next = op_next(i, m->top);
		const int kind = i->kind == OP_COMPOSITE ? recomposed_kind(m, i) : OP_UNKNOWN;
		if (kind != OP_UNKNOWN && !recompose(m, i, kind))
			good = false;
	}
	return good;
}
