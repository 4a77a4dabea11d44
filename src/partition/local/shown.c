/* shown.c - what an op that is computed on terms of sums sees of its values: no partial digits
 * (terms.c). */
#include "partition/local.h"

digits digits_common(arena *mem, digits l, digits other, bool common)
{
	digit_vec out = {0};
	for (int i = 0; i < l.n; i++) {
		int64_t top = l.at[i].stride * l.at[i].size, low = l.at[i].stride;
		for (int k = 0; k < other.n; k++) { /* by decreasing stride, as `l` is */
			int64_t end = min_i64(top, other.at[k].stride * other.at[k].size),
			        begin = max_i64(low, other.at[k].stride);
			if (begin >= end)
				continue;
			if (!common && end < top)
				vec_push(mem, &out, ((digit){end, top / end}));
			if (common)
				vec_push(mem, &out, ((digit){begin, end / begin}));
			top = begin;
		}
		if (!common && top > low)
			vec_push(mem, &out, ((digit){low, top / low}));
	}
	return digits_of(&out);
}

bool terms_has(const emitter *e, const value *v)
{
	const op *o = e->terms.of;
	if (!o || v == result(o, 0))
		return o != NULL;
	for (int i = 0; i < o->n_operands; i++)
		if (operands_have(e->terms.operands, i) && operand(o, i) == v)
			return true;
	return false;
}

const spread *terms_hide(emitter *e, const value *v, const spread *s)
{
	if (!s || !s->partial.n || !terms_has(e, v))
		return s;
	digits left = digits_common(e->mem, s->partial, e->terms.along->partial, false);
	return spread_with_partial(&e->sp, s, left, left.n ? s->combine : MONOID_SUM);
}

const spread *terms_show(emitter *e, const value *v, const spread *s)
{
	if (!terms_has(e, v))
		return s;
	spread t = *s;
	t.order = e->terms.along->order;
	t.combine = e->terms.along->combine;
	t.partial = digits_append(e->mem, s->partial, e->terms.along->partial);
	return spread_of(&e->sp, &t);
}
