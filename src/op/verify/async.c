/* async.c - async_start and async_done, sends and receives. */
#include "op/verify/verify.h"

/* Checks that the body is one collective on the arguments and a return of its result. */
bool infer_async_start(module *m, const op *o, const type **out)
{
	const block *b = op_body(o);
	const op *inner = b->first, *end = inner ? inner->next : NULL;
	if (!end || end->next)
		return bad_region(m, o, "has a body that is not one op and a return");
	if (!(op_kind_traits(inner->kind) & ASYNC))
		return bad_region(m, o, "has a body of %s, expected a collective or a slice",
		                  op_name(inner));
	if (b->n_args != o->n_operands)
		return bad_region(m, o, "has a body with %d arguments for %d operands", b->n_args,
		                  o->n_operands);
	for (int i = 0; i < b->n_args; i++)
		if (b->args[i]->type != operand(o, i)->type)
			return bad_region(m, o, "has a body whose argument %d is %s, expected %s",
			                  i, type_words(m, b->args[i]->type),
			                  type_words(m, operand(o, i)->type));
	if (end->n_operands != 1)
		return bad_region(m, o, "has a body that returns %d values, expected 1",
		                  end->n_operands);
	const type *t = operand(end, 0)->type;
	out[0] = type_list(m->ctx, TY_FUTURE, &t, 1, NULL, 0);
	return true;
}

bool infer_async_done(module *m, const op *o, const type **out)
{
	const type *t = operand(o, 0)->type;
	if (t->kind != TY_FUTURE || t->n_in != o->n_results)
		return broken(m, o, "", "waits for %s, expected a future of %d values",
		              type_words(m, t), o->n_results);
	for (int i = 0; i < t->n_in; i++)
		out[i] = t->in[i];
	return true;
}

/* Channel types: 1 between devices, 2 device to host, 3 host to device. */
static bool channel_ok(module *m, const op *o, int64_t to_host)
{
	const attr *h = op_attr(o, N_channel_handle);
	const attr *t = h ? attr_get(h, N_type) : NULL;
	bool host = op_bool(o, N_is_host_transfer);
	int64_t want = host ? to_host : 1;
	return !t || t->i == want ||
	       broken_at(m, o, PART(N_channel_handle, N_type), "C1",
	                 "has channel type %" PRId64 ", expected %" PRId64, t->i, want);
}

bool check_send(module *m, const op *o) { return channel_ok(m, o, 2); }

bool check_recv(module *m, const op *o)
{
	int last = o->n_results - 1;
	for (int i = 0; i < last; i++)
		if (!is_tensor(o->results[i].type))
			return broken(m, o, "C3", "receives %s, expected a tensor",
			              type_words(m, o->results[i].type));
	if (o->results[last].type->kind != TY_TOKEN)
		return broken(m, o, "C4", "must give a token as its last result");
	return channel_ok(m, o, 3);
}
