/* factors.c - what passes between the tensors of one op: the two strategies.
 *
 * Both start from the axes on which the tensors of a factor agree, from the major end on. The basic
 * strategy then shortens that list until every tensor can have it. The aggressive one shortens it
 * for each tensor separately; if factors compete for an axis, they get it in an order of
 * preference.
 *
 * Source: Shardy, basic_factor_propagation.cc and aggressive_factor_propagation.cc. */
#include "propagate/projection.h"

/* ---- the axes on which tensors agree -------------------------------------------------------- */

static void merge_range(projection *p, int factor, int from, int to, list_no *axes, bool *grow)
{
	for (int t = from; t < to; t++) {
		const cell *c = cell_at(p, t, factor);
		if (c->present)
			*axes = list_merge(p->b, *axes, c->list, grow);
	}
}

/* In the forward direction operands may add axes, in the backward one results; the other tensors
 * can only object. */
list_no factors_compatible(projection *p, int factor)
{
	enum direction dir = p->direction[factor];
	list_no axes = 0;
	bool grow = true;
	if (dir == DIR_NONE)
		return 0;
	if (dir == DIR_BACKWARD) {
		merge_range(p, factor, p->n_operands, p->n_tensors, &axes, &grow);
		grow = false;
		merge_range(p, factor, 0, p->n_operands, &axes, &grow);
		return axes;
	}
	merge_range(p, factor, 0, p->n_operands, &axes, &grow);
	grow = grow && dir == DIR_BOTH;
	merge_range(p, factor, p->n_operands, p->n_tensors, &axes, &grow);
	return axes;
}

/* ---- the axes that a tensor can take -------------------------------------------------------- */

/* The longest prefix of an axis that no other factor of the tensor uses; 0: none. */
static part_no clear_across(const projection *p, int tensor, int factor, part_no part)
{
	for (int f = 0; f < p->n_factors && part; f++) {
		const cell *c = cell_at(p, tensor, f);
		if (f == factor || !(c->list | c->overflow))
			continue;
		part = part_clear_of(p->b, part, c->overflow);
		if (part)
			part = part_clear_of(p->b, part, c->list);
	}
	return part;
}

static bool list_contains(const book *b, list_no list, part_no part)
{
	const part_list *l = list_at(b, list);
	const axis_part *p = part_at(b, part);
	if (!(l->mask & p->bit))
		return false;
	for (int i = 0; i < l->n; i++)
		if (axis_contains(part_at(b, l->parts[i])->ref, p->ref))
			return true;
	return false;
}

/* The longest prefix of an axis by which a factor can still be sharded, after axes that make
 * `before` shards of it; 0: none. Sets *why if that is not the whole axis. */
static part_no fit(projection *p, const cell *c, part_no part, int64_t before, int64_t size,
                   refusal *why)
{
	if (c->closed) {
		*why = REFUSED_CLOSED;
		return 0;
	}
	if (c->overflow) {
		*why = REFUSED_OVERFLOW;
		return 0;
	}
	if (c->minor)
		return part;
	const axis_part *a = part_at(p->b, part);
	int64_t common = size % before == 0 ? gcd_i64(size / before, a->size) : 1;
	if (common == a->size)
		return part;
	*why = REFUSED_DIVISION;
	if (common == 1)
		return 0;
	return book_part(p->b, a->mesh, (axis_ref){a->ref.axis, axis_pre(a->ref), common});
}

static part_no clear_within(projection *p, int tensor, int factor, part_no part, int64_t before,
                            refusal *why)
{
	const view *v = view_at(p->b, p->views[tensor]);
	const cell *c = cell_at(p, tensor, factor);
	*why = REFUSED_REPLICATED;
	part = part_clear_of(p->b, part, v->replicated);
	if (!part)
		return 0;
	*why = REFUSED_UNREDUCED;
	part = part_clear_of(p->b, part, v->unreduced);
	if (!part || list_contains(p->b, c->list, part))
		return part;
	part_no fitting = fit(p, c, part, before, p->rule->sizes[factor], why);
	if (fitting || !c->list)
		return fitting;
	/* The last axis that the factor has can stay, but not grow. */
	const part_list *l = list_at(p->b, c->list);
	part_no last = l->parts[l->n - 1];
	return axis_prefix_of(part_at(p->b, last)->ref, part_at(p->b, part)->ref) ? last : 0;
}

/* ---- shortening a list ---------------------------------------------------------------------- */

typedef part_no cut_fn(projection *p, int tensor, int factor, part_no part, int64_t before);

static part_no cut_within(projection *p, int tensor, int factor, part_no part, int64_t before)
{
	refusal why;
	return clear_within(p, tensor, factor, part, before, &why);
}

static part_no cut_across(projection *p, int tensor, int factor, part_no part, int64_t before)
{
	UNUSED(before);
	return clear_across(p, tensor, factor, part);
}

/* The basic strategy: every tensor must be able to take the axis. */
static part_no cut_for_all(projection *p, int tensor, int factor, part_no part, int64_t before)
{
	UNUSED(tensor);
	for (int t = 0; t < p->n_tensors && part; t++) {
		part = clear_across(p, t, factor, part);
		if (part && cell_at(p, t, factor)->present)
			part = cut_within(p, t, factor, part, before);
	}
	return part;
}

/* Cuts the list at the first axis that cannot be taken whole. */
static list_no cut_list(projection *p, int tensor, int factor, list_no list, cut_fn *cut)
{
	part_list l = *list_at(p->b, list);
	int64_t before = 1;
	for (int i = 0; i < l.n; i++) {
		part_no part = cut(p, tensor, factor, l.parts[i], before);
		if (part && p->conservative && !axis_is_full(part_at(p->b, part)->ref))
			part = 0;
		if (part != l.parts[i]) {
			part_no few[16], *out = few;
			if (i + 1 > COUNT(few))
				out = arena_alloc(p->mem, sizeof *out * (size_t)(i + 1));
			memcpy(out, l.parts, sizeof *out * (size_t)i);
			out[i] = part;
			return book_list(p->b, out, part ? i + 1 : i);
		}
		if (!mul_ok(before, part_at(p->b, part)->size, &before))
			before = INT64_MAX;
	}
	return list;
}

static bool expand(projection *p, int tensor, int factor, list_no axes)
{
	cell *c = cell_at(p, tensor, factor);
	if (!c->present || !list_strict_prefix(p->b, c->list, axes))
		return false;
	c->list = axes;
	p->updated[tensor] = true;
	return true;
}

/* ---- basic -------------------------------------------------------------------------------- */

bool factors_spread_basic(projection *p)
{
	bool any = false;
	for (int f = 0; f < p->n_factors; f++) {
		list_no axes = factors_compatible(p, f);
		if (!axes)
			continue;
		axes = cut_list(p, 0, f, axes, cut_for_all);
		for (int t = 0; t < p->n_tensors; t++)
			any |= expand(p, t, f, axes);
	}
	return any;
}

/* ---- aggressive ----------------------------------------------------------------------------- */

typedef struct preference {
	int64_t elements; /* of the largest tensor with the factor's axes; -1: none */
	int64_t shards;
	int source;
	int factor;
} preference;

static preference preference_of(const projection *p, int factor)
{
	preference best = {-1, 0, -1, factor};
	for (int t = 0; t < p->n_tensors; t++) {
		const cell *c = cell_at(p, t, factor);
		if (!c->present || !list_prefix(p->b, p->compatible[factor], c->list))
			continue;
		uint64_t elements = 1; /* overflows as Shardy's does */
		for (int f = 0; f < p->n_factors; f++)
			if (cell_at(p, t, f)->present)
				elements *= (uint64_t)p->rule->sizes[f];
		if ((int64_t)elements > best.elements) {
			best.elements = (int64_t)elements;
			best.source = t;
		}
	}
	if (p->elementwise)
		best.shards = list_at(p->b, p->compatible[factor])->size;
	return best;
}

static bool prefer(const preference *a, const preference *b)
{
	if (a->elements != b->elements)
		return a->elements > b->elements;
	if (a->shards != b->shards)
		return a->shards > b->shards;
	if (a->source != b->source)
		return a->source < b->source;
	return a->factor < b->factor;
}

/* Sorts p->order. Factors whose axes come from a larger tensor go first, because resharding a
 * smaller tensor is cheaper. */
static void sort_factors(projection *p, int n)
{
	arena_mark mark = arena_here(p->mem);
	preference *all = arena_alloc(p->mem, sizeof *all * (size_t)n);
	for (int i = 0; i < n; i++) {
		preference x = preference_of(p, p->order[i]);
		int at = i;
		for (; at > 0 && prefer(&x, &all[at - 1]); at--)
			all[at] = all[at - 1];
		all[at] = x;
	}
	for (int i = 0; i < n; i++)
		p->order[i] = all[i].factor;
	arena_back(p->mem, mark);
}

/* The axes of a factor that a tensor can take; 0: no more than it has. */
static list_no takable(projection *p, int tensor, int factor)
{
	const cell *c = cell_at(p, tensor, factor);
	list_no want = p->compatible[factor];
	if (!c->present || !list_strict_prefix(p->b, c->list, want))
		return 0;
	want = cut_list(p, tensor, factor, want, cut_within);
	if (!list_strict_prefix(p->b, c->list, want))
		return 0;
	return cut_list(p, tensor, factor, want, cut_across);
}

/* An operand of an elementwise op gets no more axes than the results have got: if a result is
 * closed, there is no point in sharding one operand like the other. */
static list_no limit_by_results(const projection *p, int factor, list_no axes)
{
	for (int t = p->n_operands; t < p->n_tensors; t++) {
		const cell *c = cell_at(p, t, factor);
		if (c->present && list_strict_prefix(p->b, c->list, axes))
			axes = c->list;
	}
	return axes;
}

static bool spread_to(projection *p, int tensor, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++) {
		int f = p->order[i];
		list_no axes = takable(p, tensor, f);
		if (axes && p->elementwise && tensor < p->n_operands)
			axes = limit_by_results(p, f, axes);
		if (axes)
			any |= expand(p, tensor, f, axes);
	}
	return any;
}

bool factors_spread_aggressive(projection *p)
{
	int n = 0;
	bool any = false;
	for (int f = 0; f < p->n_factors; f++) {
		p->compatible[f] = factors_compatible(p, f);
		if (p->compatible[f])
			p->order[n++] = f;
	}
	if (n > 1)
		sort_factors(p, n);
	if (!n)
		return false;
	for (int t = p->n_operands; t < p->n_tensors; t++)
		any |= spread_to(p, t, n);
	for (int t = 0; t < p->n_operands; t++)
		any |= spread_to(p, t, n);
	return any;
}

/* ---- why not more --------------------------------------------------------------------------- */

refusal factors_refusal(projection *p, int tensor, int factor, list_no want, int *other)
{
	part_list l = *list_at(p->b, want);
	int64_t before = 1;
	refusal why = REFUSED_NOT;
	for (int i = 0; i < l.n; i++) {
		part_no part = l.parts[i];
		if (clear_within(p, tensor, factor, part, before, &why) != part)
			return why;
		for (int f = 0; f < p->n_factors; f++) {
			const cell *c = cell_at(p, tensor, f);
			*other = f;
			if (f != factor && (part_clear_of(p->b, part, c->list) != part ||
			                    part_clear_of(p->b, part, c->overflow) != part))
				return REFUSED_USED;
		}
		if (p->conservative && !axis_is_full(part_at(p->b, part)->ref))
			return REFUSED_SUB_AXIS;
		if (!mul_ok(before, part_at(p->b, part)->size, &before))
			before = INT64_MAX;
	}
	return REFUSED_NOT;
}
