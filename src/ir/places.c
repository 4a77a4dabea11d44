/* places.c - the places of an op's attributes in the text.
 *
 * A program has many attributes, and few are ever wrong. So an op only keeps the place of its name,
 * and the places of its parts are found by reading it again, with source.find_attr, which the
 * reader of its language has set. */
#include "ir/ir.h"

place op_attr_place(const module *m, const op *o, const int *part)
{
	place at, whole = op_place(m, o);
	bool found = whole.src && whole.src->find_attr && diag_is_kept(m->ctx) &&
	             whole.src->find_attr(m, o, part, &at);
	return found ? at : whole;
}

/* The same places, marked as parts of the op. */
static const place *own_places(tess_ctx *ctx, const place *list, int64_t n, uint32_t op)
{
	place *own = COPY_N(&ctx->scratch, list, n);
	for (int64_t i = 0; i < n; i++)
		own[i].op = op;
	return list ? own : NULL;
}

/* Finds the '<' of a sharding; false: this is something else. */
static bool sharding_begin(place at, uint32_t *begin)
{
	const char *s = at.src->text.ptr, *open = memchr(s + at.begin, '<', at.end - at.begin);
	if (!open)
		return false;
	*begin = (uint32_t)(open - s);
	do
		open++;
	while (open < s + at.end && (*open == ' ' || *open == '\n'));
	return open < s + at.end && (*open == '@' || *open == 'm');
}

sharding_places op_sharding_places(const module *m, const op *o, const int *part, const sharding *s)
{
	enum { MAX_STEPS = 8 };
	int path[MAX_STEPS + 1] = {0}, n = 0;
	for (; part[n] && n + 1 < MAX_STEPS; n++)
		path[n] = part[n];
	path[n] = ALIASED;
	place all = op_attr_place(m, o, path);
	sharding_places at = {.all = all, .mesh = all};
	uint32_t begin, end;
	if (!all.op || !sharding_begin(all, &begin))
		return at;
	diag_mark mark = diag_here(m->ctx);
	bool same = sharding_parse(m->ctx, all.src, begin, &end, &at) == s;
	diag_back(m->ctx, mark);
	if (!same) {
		all = op_place(m, o);
		return (sharding_places){.all = all, .mesh = all};
	}
	int64_t n_axes = 0;
	for (int d = 0; d < s->rank; d++)
		n_axes += s->dims[d].n_axes;
	at.all.op = at.mesh.op = all.op;
	at.dims = own_places(m->ctx, at.dims, s->rank, all.op);
	at.axes = own_places(m->ctx, at.axes, n_axes, all.op);
	at.replicated = own_places(m->ctx, at.replicated, s->n_replicated, all.op);
	at.unreduced = own_places(m->ctx, at.unreduced, s->n_unreduced, all.op);
	return at;
}
