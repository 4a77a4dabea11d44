/* buffers.c - custom calls with buffers (memrefs): CreateBuffer makes one, Pin and Unpin convert
 * between tensors and buffers; any other call must alias each buffer that it returns to one that it
 * takes, and no buffer twice. Source: StableHLO, CustomCallOp::verifyKnownCustomCalls. */
#include "op/verify/verify.h"

static bool is_buffer(const type *t) { return t->kind == TY_MEMREF; }

static bool same_shape_and_elems(const type *a, const type *b)
{
	if (a->elem != b->elem || a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (!dims_agree(a->dims[i], b->dims[i]))
			return false;
	return true;
}

/* One operand and one result; `out` says which of them is the buffer. */
static bool pin_ok(module *m, const op *o, bool out)
{
	if (o->n_operands != 1 || o->n_results != 1)
		return broken(m, o, "", "has %d operands and %d results, expected one of each",
		              o->n_operands, o->n_results);
	const type *from = operand(o, 0)->type, *to = o->results[0].type;
	if (is_buffer(from) == out || is_buffer(to) != out || !is_tensor(out ? from : to))
		return broken(m, o, "", "must lead from %s",
		              out ? "a tensor to a buffer" : "a buffer to a tensor");
	return same_shape_and_elems(from, to) ||
	       broken(m, o, "", "changes the shape or the elements, but must keep them");
}

/* A buffer inside a value, at a path of tuple indices, and how many times it is aliased. */
typedef struct buffer_use {
	int value;
	int64_t path[4];
	int depth;
	int times;
} buffer_use;

typedef struct buffer_list {
	buffer_use *ptr;
	int n;
} buffer_list;

enum { MAX_BUFFERS = 4096 };

static void list_buffers(module *m, buffer_list *l, buffer_use at, const type *t)
{
	if (l->n == MAX_BUFFERS)
		return;
	if (is_buffer(t)) {
		if (!l->ptr)
			l->ptr = NEW_N(&m->ctx->scratch, buffer_use, MAX_BUFFERS);
		l->ptr[l->n++] = at;
	}
	for (int i = 0; t->kind == TY_TUPLE && i < t->n_in && at.depth < COUNT(at.path); i++) {
		buffer_use inner = at;
		inner.path[inner.depth++] = i;
		list_buffers(m, l, inner, t->in[i]);
	}
}

static buffer_use *find_buffer(buffer_list *l, int64_t value, const int64_t *path, int n)
{
	for (int i = 0; i < l->n; i++)
		if (l->ptr[i].value == value && l->ptr[i].depth == n &&
		    (!n || !memcmp(l->ptr[i].path, path, sizeof *path * (size_t)n)))
			return &l->ptr[i];
	return NULL;
}

static bool count_alias(module *m, const op *o, const attr *a, const int *part, buffer_list *in,
                        buffer_list *out)
{
	int n_out, n_in;
	const int64_t *to = attr_ints(m->ctx, attr_get(a, N_output_tuple_indices), &n_out);
	const int64_t *from = attr_ints(m->ctx, attr_get(a, N_operand_tuple_indices), &n_in);
	const attr *which = attr_get(a, N_operand_index);
	buffer_use *u = find_buffer(in, which ? which->i : 0, from, n_in);
	if (u && u->times++)
		return broken_at(m, o, part, "", "aliases a buffer of operand %d twice", u->value);
	bool several = o->n_results > 1 && n_out > 0;
	u = several ? find_buffer(out, to[0], to + 1, n_out - 1) : find_buffer(out, 0, to, n_out);
	if (u && u->times++)
		return broken_at(m, o, part, "", "aliases a buffer of its results twice");
	return true;
}

static bool aliases_ok(module *m, const op *o)
{
	const attr *a = op_attr(o, N_output_operand_aliases);
	buffer_list in = {0}, out = {0};
	for (int i = 0; i < o->n_operands; i++)
		list_buffers(m, &in, (buffer_use){.value = i}, operand(o, i)->type);
	for (int i = 0; i < o->n_results; i++)
		list_buffers(m, &out, (buffer_use){.value = i}, o->results[i].type);
	if (!in.n && !out.n)
		return true;
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++)
		if (!count_alias(m, o, a->list[i], PART(N_output_operand_aliases, ITEM(i)), &in,
		                 &out))
			return false;
	for (int i = 0; i < out.n; i++)
		if (!out.ptr[i].times)
			return broken(
				m, o, "",
				"gives a buffer that must alias an operand, but aliases none");
	return true;
}

bool buffers_ok(module *m, const op *o)
{
	const attr *a = op_attr(o, N_call_target_name);
	const char *target = a && a->kind == AT_STRING ? a->text->s : "";
	if (!strcmp(target, "CreateBuffer"))
		return (!o->n_operands && o->n_results == 1 && is_buffer(o->results[0].type)) ||
		       broken(m, o, "", "must take nothing and give one buffer");
	if (!strcmp(target, "Pin"))
		return pin_ok(m, o, true);
	if (!strcmp(target, "Unpin"))
		return pin_ok(m, o, false);
	return aliases_ok(m, o);
}
