/* expand.c - operations that are defined by other operations.
 *
 * Their types have rules of their own, so they are nodes. For lowering they are expanded here,
 * without sharding; only the result gets the sharding of its type. */
#include "array/expand/expand.h"
#include "array/lower/lower.h"

/* ---- the tables ------------------------------------------------------------------------------ */

make_fn *expansion_of(const array_op *op)
{
	static const expand_row *const tables[] = {expand_shape_rows, expand_reduce_rows,
	                                           expand_places_rows, expand_random_rows,
	                                           expand_linalg_rows};
	make_fn *make = NULL;
	for (int i = 0; i < COUNT(tables) && !make; i++)
		make = expand_find(tables[i], op->name);
	return make;
}

bool lower_has_expansion(const array_op *op) { return expansion_of(op) != NULL; }

/* Returns the type without sharding. */
static atype bare_type(const atype *t)
{
	atype bare = {.dtype = t->dtype, .weak = t->weak, .rank = t->rank};
	memcpy(bare.dim, t->dim, sizeof bare.dim);
	return bare;
}

bool lower_expansion(lowering *l, const anode *n)
{
	array_state *st = array_state_of(l->ctx), before = *st;
	afn *f = NEW(&l->ctx->scratch, afn);
	*f = (afn){.ctx = l->ctx, .mem = &l->ctx->scratch};
	avalue **in = NEW_N(&l->ctx->scratch, avalue *, n->n_in + 1);
	int *ids = NEW_N(&l->ctx->scratch, int, n->n_in + 1);
	st->mesh = NULL;
	st->trace = f;
	st->hidden = 0;
	for (int i = 0; i < n->n_in; i++) {
		atype bare = bare_type(n->in[i]->type);
		in[i] = afn_param(f, &bare);
		ids[i] = lower_of(l, n->in[i]);
	}
	maker k = {.ctx = l->ctx, .op = n->op, .in = in, .n_in = n->n_in, .attrs = n->attrs};
	bool ok = expansion_of(n->op)(&k) && k.out.len == n->n_out;
	st->mesh = before.mesh;
	st->trace = before.trace;
	st->hidden = before.hidden;
	if (!ok || !lower_body(l, f, ids))
		return false;
	for (int i = 0; i < n->n_out; i++) {
		const avalue *v = k.out.ptr[i];
		lower_set(l, n->out[i],
		          lower_convert_to(l, lower_of(l, v), v->type, n->out[i]->type->dtype));
	}
	return true;
}
