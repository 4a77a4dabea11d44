/* search.c - chooses the axes of each factor of an op.
 *
 * If all tensors agree already, that is the answer. If exactly two are not scalars, and nothing has
 * to be replicated, one adopts the other's sharding. Otherwise axes are assigned greedily: the
 * candidates are the lists of axes that some tensor has for some factor, and their prefixes; the
 * best one is taken, those that overlap with it are truncated, and so on until none is left. A
 * candidate is better if it has
 *
 *   - more elements in the tensors that have it already,
 *   - then a kind of factor that costs less to shard: pass-through, reduction,
 *     permutation, replication,
 *   - then more shards,
 *   - then the later factor, the longer list, the later axes.
 *
 * If a factor follows another one in some dimension, it waits until that one is fully sharded. Axes
 * won by factors that have to be replicated go to batch dimensions that have room. */
#include "shardy/explicit/explicit.h"

static bool is_reduced_factor(const sharding_rule *r, int f)
{
	return rule_has_kind(r->reduction, f);
}
static bool is_replicated_factor(const sharding_rule *r, int f)
{
	return rule_has_kind(r->need_replication, f);
}
static bool is_permuted_factor(const sharding_rule *r, int f)
{
	return rule_has_kind(r->permutation, f);
}

static bool mentions_factor(const tensor_factors *t, int f)
{
	for (int d = 0; d < t->rank; d++)
		if (rule_has_kind((factor_set){t->dims[d].n, t->dims[d].factors}, f))
			return true;
	return false;
}

/* True if every tensor that is not a scalar has the factor. */
static bool is_everywhere(const op_view *v, int f)
{
	for (int t = 0; t < v->n_tensors; t++)
		if (v->rule->tensors[t].rank && !mentions_factor(&v->rule->tensors[t], f))
			return false;
	return true;
}

/* True if two factors may have these axes. "a":(1)2 and "a":(3)2 of six devices do not overlap, but
 * cannot both be sub-axes of one axis. */
static bool are_apart(axis_list a, axis_list b)
{
	for (int i = 0; i < a.n; i++)
		for (int k = 0; k < b.n; k++)
			if (axis_overlaps(a.ptr[i], b.ptr[k]) || !axis_can_coexist(a.ptr[i], b.ptr[k]))
				return false;
	return true;
}

/* ---- agreement ----------------------------------------------------------------------- */

static bool all_agree(const op_view *v, factor_lists out)
{
	axis_list seen = {0};
	for (int f = 0; f < v->rule->n_factors; f++) {
		axis_list l;
		if (!view_factor_agrees(v, f, &l))
			return false;
		if (is_replicated_factor(v->rule, f)) {
			if (l.n)
				return false;
			continue;
		}
		if (!are_apart(l, seen))
			return false;
		out[f] = l;
		seen = axes_joined(v->mem, seen, l);
	}
	return true;
}

/* ---- two tensors ---------------------------------------------------------------------- */

static bool has_compound_dims(const sharding_rule *r)
{
	for (int t = 0; t < r->n_operands + r->n_results; t++)
		for (int d = 0; d < r->tensors[t].rank; d++)
			if (r->tensors[t].dims[d].n > 1)
				return true;
	return false;
}

/* Finds the tensors that are not scalars if there are exactly two. */
static bool find_pair(const op_view *v, int *a, int *b)
{
	int n = 0;
	for (int t = 0; t < v->n_tensors; t++) {
		if (!v->rule->tensors[t].rank)
			continue;
		if (n < 2)
			*(n ? b : a) = t;
		n++;
	}
	return n == 2;
}

static bool shards_permuted(const op_view *v, int tensor)
{
	for (int f = 0; f < v->rule->n_factors; f++)
		if (v->tensors[tensor].factors[f].axes.n && is_permuted_factor(v->rule, f))
			return true;
	return false;
}

static int64_t elements(const op *o, int tensor)
{
	const value *v = tensor < o->n_operands ? operand(o, tensor)
	                                        : result(o, tensor - o->n_operands);
	return type_is_tensor(v->type) && v->type->is_static ? v->type->n_elems : 0;
}

/* Prefers the tensor without sharded permutation factors, then the larger one, then the one with
 * more shards. */
static bool is_preferred(const op_view *v, const op *o, int a, int b)
{
	bool permutes_a = shards_permuted(v, a), permutes_b = shards_permuted(v, b);
	int64_t size_a = elements(o, a), size_b = elements(o, b);
	if (permutes_a != permutes_b)
		return permutes_b;
	if (size_a != size_b)
		return size_a > size_b;
	return view_shards(v, a) >= view_shards(v, b);
}

/* `other` keeps its axes for factors that the preferred tensor does not have. */
static void adopt(const op_view *v, int from, int other, factor_lists out)
{
	axis_list used = {0};
	for (int f = 0; f < v->rule->n_factors; f++)
		if (v->tensors[from].factors[f].present) {
			out[f] = v->tensors[from].factors[f].axes;
			used = axes_joined(v->mem, used, out[f]);
		}
	for (int f = 0; f < v->rule->n_factors; f++) {
		const factor_axes *fa = &v->tensors[other].factors[f];
		if (!fa->present || v->tensors[from].factors[f].present)
			continue;
		axis_ref *own = COPY_N(v->mem, fa->axes.ptr, fa->axes.n);
		out[f] = (axis_list){own, axes_truncate_without_overlap(own, fa->axes.n, used)};
	}
}

/* ---- candidates ------------------------------------------------------------------------ */

typedef struct candidate {
	int factor;
	axis_list axes;
	int64_t elements; /* size of the tensors whose axes these are, or extend these */
	int64_t shards;   /* by which the factor would be split further */
	int kind;         /* precedence */
} candidate;

typedef struct candidates {
	const op_view *v;
	VEC(candidate) list;
	/* [n_factors][n_factors]: the first waits for the second */
	bool *waits;
} candidates;

static int kind_precedence(const sharding_rule *r, int f)
{
	return is_replicated_factor(r, f) ? 0
	       : is_permuted_factor(r, f) ? 1
	       : is_reduced_factor(r, f)  ? 2
	                                  : 3;
}

static void add_candidate(candidates *c, int factor, axis_list axes)
{
	const op_view *v = c->v;
	for (int i = 0; i < c->list.len; i++)
		if (c->list.ptr[i].factor == factor && axes_eq(c->list.ptr[i].axes, axes))
			return;
	vec_push(v->mem, &c->list,
	         (candidate){.factor = factor,
	                     .axes = axes,
	                     .shards = axes_size(axes, v->mesh),
	                     .kind = kind_precedence(v->rule, factor)});
}

static void count_elements(candidates *c, int factor, axis_list has, int64_t n)
{
	for (int i = 0; i < c->list.len; i++) {
		candidate *k = &c->list.ptr[i];
		if (k->factor == factor &&
		    (axes_eq(k->axes, has) || axes_prefix_of_strictly(k->axes, has)))
			k->elements += n;
	}
}

static void collect_candidates(candidates *c, const op *o)
{
	const op_view *v = c->v;
	for (int t = 0; t < v->n_tensors; t++)
		for (int f = 0; f < v->rule->n_factors; f++) {
			axis_list l = v->tensors[t].factors[f].axes;
			for (; l.n; l.n--)
				add_candidate(c, f, l);
		}
	for (int t = 0; t < v->n_tensors; t++)
		for (int f = 0; f < v->rule->n_factors; f++)
			if (v->tensors[t].factors[f].axes.n)
				count_elements(c, f, v->tensors[t].factors[f].axes, elements(o, t));
}

static void collect_waits(candidates *c)
{
	const sharding_rule *r = c->v->rule;
	c->waits = NEW_N(c->v->mem, bool, r->n_factors * r->n_factors);
	for (int t = 0; t < c->v->n_tensors; t++)
		for (int d = 0; d < r->tensors[t].rank; d++) {
			const dim_factors *df = &r->tensors[t].dims[d];
			for (int i = 1; i < df->n; i++)
				c->waits[df->factors[i] * r->n_factors + df->factors[i - 1]] = true;
		}
}

static bool has_to_wait(const candidates *c, int factor)
{
	int n = c->v->rule->n_factors;
	for (int f = 0; f < n; f++)
		if (c->waits[factor * n + f])
			return true;
	return false;
}

static bool is_better(const candidate *a, const candidate *b)
{
	if (a->elements != b->elements)
		return a->elements > b->elements;
	if (a->kind != b->kind)
		return a->kind > b->kind;
	if (a->shards != b->shards)
		return a->shards > b->shards;
	if (a->factor != b->factor)
		return a->factor > b->factor;
	return axes_cmp(a->axes, b->axes) > 0;
}

static const candidate *best_candidate(const candidates *c)
{
	const candidate *best = NULL;
	for (int i = 0; i < c->list.len; i++) {
		const candidate *k = &c->list.ptr[i];
		if (!has_to_wait(c, k->factor) && (!best || is_better(k, best)))
			best = k;
	}
	return best;
}

/* ---- greedy assignment ---------------------------------------------------------------------- */

/* Truncates a candidate after `won` was assigned. Returns false if nothing is left that its factor
 * does not have already. */
static bool cut_candidate(candidates *c, candidate *k, const candidate *won, factor_lists given)
{
	const op_view *v = c->v;
	axis_list has = {0};
	if (k->factor == won->factor) {
		if (!axes_prefix_of_strictly(won->axes, k->axes))
			return false;
		has = won->axes;
	} else if (!are_apart(k->axes, won->axes)) {
		axis_ref *own = COPY_N(v->mem, k->axes.ptr, k->axes.n);
		k->axes = (axis_list){own,
		                      axes_truncate_without_overlap(own, k->axes.n, won->axes)};
		has = given[k->factor];
		if (axes_eq(k->axes, has))
			return false;
	}
	k->shards = axes_size(k->axes, v->mesh) / axes_size(has, v->mesh);
	return true;
}

static void deal(const op_view *v, const op *o, factor_lists given)
{
	candidates c = {.v = v};
	int n = v->rule->n_factors;
	collect_candidates(&c, o);
	collect_waits(&c);
	for (const candidate *best; (best = best_candidate(&c));) {
		candidate won = *best;
		given[won.factor] = won.axes;
		if (axes_size(won.axes, v->mesh) == v->rule->sizes[won.factor])
			for (int f = 0; f < n; f++)
				c.waits[f * n + won.factor] = false;
		int kept = 0;
		for (int i = 0; i < c.list.len; i++) {
			candidate k = c.list.ptr[i];
			if (cut_candidate(&c, &k, &won, given))
				c.list.ptr[kept++] = k;
		}
		c.list.len = kept;
	}
}

/* ---- giving axes to batch dimensions -------------------------------------------------------- */

static void append_to_factor(const op_view *v, axis_list *l, axis_ref a)
{
	axes_vec out = {0};
	for (int i = 0; i < l->n; i++)
		vec_push(v->mem, &out, l->ptr[i]);
	axes_append(&out, v->mem, a, v->mesh);
	*l = (axis_list){out.ptr, out.len};
}

static void give_to_batch(const op_view *v, axis_list axes, factor_lists given)
{
	for (int f = 0; f < v->rule->n_factors && axes.n; f++) {
		if (kind_precedence(v->rule, f) != 3 || !is_everywhere(v, f))
			continue;
		int64_t size = v->rule->sizes[f], shards = axes_size(given[f], v->mesh);
		if (!size || size % shards)
			continue;
		for (int64_t room = size / shards; axes.n; axes.ptr++, axes.n--) {
			int64_t by = axis_size(axes.ptr[0], v->mesh);
			if (room % by)
				break;
			append_to_factor(v, &given[f], axes.ptr[0]);
			room /= by;
		}
	}
}

static void free_replicated(const op_view *v, factor_lists given)
{
	for (int i = 0; i < v->rule->need_replication.n; i++) {
		int f = v->rule->need_replication.factors[i];
		axis_list axes = given[f];
		given[f] = (axis_list){0};
		if (axes.n && is_everywhere(v, f))
			give_to_batch(v, axes, given);
	}
}

factor_lists find_common_axes(const op_view *v, const op *o)
{
	factor_lists out = NEW_N(v->mem, axis_list, v->rule->n_factors);
	int a, b;
	if (all_agree(v, out))
		return out;
	memset(out, 0, sizeof *out * (size_t)v->rule->n_factors);
	if (!v->rule->need_replication.n && !has_compound_dims(v->rule) && find_pair(v, &a, &b)) {
		bool first = is_preferred(v, o, a, b);
		adopt(v, first ? a : b, first ? b : a, out);
		return out;
	}
	deal(v, o, out);
	free_replicated(v, out);
	return out;
}
