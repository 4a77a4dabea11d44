/* comm.c - derivatives of collectives: the transpose of a sum is a broadcast, of a gather a
 * reduce-scatter, of a permutation its inverse.
 *
 * A value that is the same along an axis, and used where values vary, is cast implicitly; its
 * cotangent is summed when it is passed on (back_fit). */
#include "array/grad/grad.h"

static axis_set axes_of_comm(const anode *n)
{
	return amesh_axes_named(n->mesh, param_text(n->attrs, "axes"), ~(axis_set)0, NULL);
}

/* Devices along manual axes, or elements of dimensions that a vmap maps by name. */
static comm_reach comm_of(const backward *b)
{
	comm_reach c;
	if (!comm_reach_of(b->ctx, b->node->op->name, b->node->mesh, b->node->attrs, &c))
		c = (comm_reach){.size = 1};
	return c;
}

/* All devices get the same sum, so its cotangent is the same for all, too. An operand that does not
 * vary was counted once per device, as if it did: its cotangent is cast accordingly. If it is not
 * tracked what varies, the cotangents of all devices, or of mapped elements, are summed. */
void back_psum(backward *b)
{
	avalue *ct = b->ct;
	const atype *x = b->node->in[0]->type;
	comm_reach c = comm_of(b);
	bool summed = array_state_of(b->ctx)->unchecked || c.mapped;
	if (!summed)
		ct = back_over(b, "lax.pcast", "varying", ct,
		               axes_of_comm(b->node) & ~x->varying & ~x->unreduced);
	if (summed)
		ct = back1(b, "lax.psum", ct, back_params(b));
	if (strcmp(b->node->op->name, "lax.pmean") == 0)
		ct = back2(b, "jnp.divide", ct, back_number(b, (double)c.size), NULL);
	back_give(b, 0, ct);
}

/* If the gathered value is invarying, so is its cotangent, and each device contributes an equal
 * part of the sum. */
void back_all_gather(backward *b)
{
	params *a = back_params(b);
	int64_t axis = param_int(b->node->attrs, "axis", 0);
	bool same = str_is(param_text(b->node->attrs, "to"), "invarying");
	params_set_ints(&b->ctx->scratch, a, "scatter_dimension", &axis, 1);
	params_set(&b->ctx->scratch, a,
	           (param){.key = "to", .kind = PK_TEXT, .n = 1, .text = str_of("varying")});
	avalue *ct = back1(b, "lax.psum_scatter", b->ct, a);
	if (same)
		ct = back_times(b, ct, back_number(b, 1 / (double)comm_of(b).size));
	back_give(b, 0, ct);
}

void back_psum_scatter(backward *b)
{
	params *a = back_params(b);
	int64_t axis = param_int(b->node->attrs, "scatter_dimension", 0);
	params_set_ints(&b->ctx->scratch, a, "axis", &axis, 1);
	if (b->node->in[0]->type->unreduced & axes_of_comm(b->node))
		params_set(
			&b->ctx->scratch, a,
			(param){.key = "to", .kind = PK_TEXT, .n = 1, .text = str_of("reduced")});
	back_give(b, 0, back1(b, "lax.all_gather", b->ct, a));
}

void back_all_to_all(backward *b)
{
	params *a = back_params(b);
	int64_t split = param_int(b->node->attrs, "split_axis", 0),
		join = param_int(b->node->attrs, "concat_axis", 0);
	params_set_ints(&b->ctx->scratch, a, "split_axis", &join, 1);
	params_set_ints(&b->ctx->scratch, a, "concat_axis", &split, 1);
	back_give(b, 0, back1(b, "lax.all_to_all", b->ct, a));
}

void back_ppermute(backward *b)
{
	params *a = back_params(b);
	const int64_t *perm;
	int n = param_ints(b->node->attrs, "perm", &perm);
	int64_t *turned = NEW_N(&b->ctx->scratch, int64_t, n + 2);
	for (int i = 0; i + 1 < n; i += 2) {
		turned[i] = perm[i + 1];
		turned[i + 1] = perm[i];
	}
	params_set_ints(&b->ctx->scratch, a, "perm", turned, n);
	back_give(b, 0, back1(b, "lax.ppermute", b->ct, a));
}

void back_pcast(backward *b) { back_give(b, 0, b->ct); }
