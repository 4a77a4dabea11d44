/* origin.c - why each collective of a local program is there.
 *
 * A collective either brings a global value from one spread to another, because the current op
 * needs it so, or is a part of computing that op (a halo, a masked gather, a collective of the
 * user's). Spreads are written as shardings, because only the partitioner knows digits. */
#include "partition/local.h"

/* Writes one digit as axes of a mesh, or parts of them. */
static void put_digit(writer *w, digit g, const mesh *m, bool *first)
{
	int64_t stride = 1, end = g.stride * g.size;
	for (int i = 0; m && i < m->n_axes; i++)
		stride *= m->axes[i].size;
	for (int i = 0; m && i < m->n_axes; i++) {
		int64_t size = m->axes[i].size, high = stride;
		stride /= size;
		int64_t from = max_i64(stride, g.stride), to = min_i64(high, end);
		if (to <= from)
			continue;
		put_f(w, "%s\"%s\"", *first ? "" : ", ", m->axes[i].name->s);
		*first = false;
		if (to - from != high - stride)
			put_f(w, ":(%" PRId64 ")%" PRId64, high / to, to / from);
	}
}

static void put_digits(writer *w, digits l, const mesh *m)
{
	bool first = true;
	put_c(w, '{');
	for (int i = 0; i < l.n; i++)
		put_digit(w, l.at[i], m, &first);
	put_c(w, '}');
}

static const char *spread_words(arena *mem, const spread *s, const mesh *m)
{
	writer w;
	writer_init(&w, mem);
	put_c(&w, '[');
	for (int d = 0; d < s->rank; d++) {
		if (d)
			put_lit(&w, ", ");
		put_digits(&w, s->dims[d], m);
	}
	put_c(&w, ']');
	if (s->partial.n) {
		put_lit(&w, ", unreduced=");
		put_digits(&w, s->partial, m);
	}
	return writer_z(&w);
}

void origin_add(emitter *e, const op *collective)
{
	origin_list *l = e->opts->origins;
	if (!l)
		return;
	const journey *j = e->journey;
	collective_origin c = {.local = collective,
	                       .cause = j ? j->wanted_by : e->b.like,
	                       .no_better_way = e->no_better_way,
	                       .moved = j ? j->moved : NULL};
	if (j) {
		const sharding *s = value_sharding(e->from, j->moved);
		const mesh *m = s ? sharding_mesh(e->from, s) : NULL;
		if (!m || !m->n_axes)
			m = e->meshes.len ? e->meshes.ptr[0].mesh : NULL;
		c.before = spread_words(&e->to->mem, j->before, m);
		c.after = spread_words(&e->to->mem, j->after, m);
	}
	vec_push(&e->to->mem, l, c);
}
