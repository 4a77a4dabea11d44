/* view.c - converts shardings of tensors to those of factors, and back.
 *
 * Source: Shardy, propagation/sharding_projection.cc. */
#include "shardy/explicit/explicit.h"

bool rule_has_kind(factor_set s, int factor)
{
	for (int i = 0; i < s.n; i++)
		if (s.factors[i] == factor)
			return true;
	return false;
}

axis_list axes_joined(arena *mem, axis_list a, axis_list b)
{
	axis_ref *all = NEW_N(mem, axis_ref, a.n + b.n);
	for (int i = 0; i < a.n; i++)
		all[i] = a.ptr[i];
	for (int i = 0; i < b.n; i++)
		all[a.n + i] = b.ptr[i];
	return (axis_list){all, a.n + b.n};
}

static axis_list vec_axes(const axes_vec *v) { return (axis_list){v->ptr, v->len}; }

/* ---- taking axes from a list ---------------------------------------------------------------- */

typedef struct axes_left {
	const mesh *mesh;
	axis_list l;
	int i;             /* the current axis; l.n at the end */
	int64_t pre, size; /* what remains of it */
	bool cut;          /* it is no longer whole, or is a sub-axis */
} axes_left;

static void left_at(axes_left *a, int i)
{
	a->i = i;
	if (i >= a->l.n)
		return;
	a->pre = axis_pre(a->l.ptr[i]);
	a->size = axis_size(a->l.ptr[i], a->mesh);
	a->cut = !axis_is_full(a->l.ptr[i]);
}

static axis_ref left_axis(const axes_left *a)
{
	const name *n = a->l.ptr[a->i].axis;
	return a->cut ? (axis_ref){n, a->pre, a->size} : axis_full(n);
}

static axis_ref take_part(axes_left *a, int64_t size)
{
	axis_ref part = {a->l.ptr[a->i].axis, a->pre, size};
	a->pre *= size;
	a->size /= size;
	a->cut = true;
	return part;
}

static axis_list take_all_left(axes_left *a, arena *mem)
{
	axes_vec out = {0};
	for (; a->i < a->l.n; left_at(a, a->i + 1))
		axes_append(&out, mem, left_axis(a), a->mesh);
	return vec_axes(&out);
}

/* ---- from tensors to factors ---------------------------------------------------------------- */

/* A factor that is not the last of its dimension takes axes as long as they divide its size. */
static void load_divisors(const op_view *v, factor_axes *f, axes_left *a, int64_t size)
{
	axes_vec out = {0};
	while (a->i < a->l.n) {
		int64_t common = a->size == 1 ? 1 : gcd_i64(size, a->size);
		if (common == 1 && a->size != 1)
			break;
		size /= common;
		if (a->size > common) {
			vec_push(v->mem, &out, take_part(a, common));
		} else {
			vec_push(v->mem, &out, left_axis(a));
			left_at(a, a->i + 1);
		}
	}
	f->axes = vec_axes(&out);
	if (size > 1 && a->i < a->l.n)
		f->overflow = take_all_left(a, v->mem);
}

static void load_dim(const op_view *v, factor_axes *row, const dim_factors *d, axis_list axes)
{
	axes_left a = {.mesh = v->mesh, .l = axes};
	if (d->n == 1) {
		row[d->factors[0]] = (factor_axes){.present = true, .axes = axes};
		return;
	}
	left_at(&a, 0);
	for (int i = 0; i < d->n; i++) {
		factor_axes *f = &row[d->factors[i]];
		f->present = true;
		if (i + 1 == d->n)
			f->axes = take_all_left(&a, v->mem);
		else
			load_divisors(v, f, &a, v->rule->sizes[d->factors[i]]);
		if (f->overflow.n) { /* later factors get no axes */
			if (i + 1 < d->n)
				row[d->factors[i + 1]].present = true;
			return;
		}
	}
}

void view_build(op_view *v, const sharding *const *shardings)
{
	const sharding_rule *r = v->rule;
	v->n_operands = r->n_operands;
	v->n_tensors = r->n_operands + r->n_results;
	v->tensors = NEW_N(v->mem, tensor_view, v->n_tensors);
	factor_axes *cells = NEW_N(v->mem, factor_axes, v->n_tensors * r->n_factors);
	for (int t = 0; t < v->n_tensors; t++) {
		tensor_view *tv = &v->tensors[t];
		const tensor_factors *tf = &r->tensors[t];
		const sharding *s = shardings[t];
		bool bears = s && s->rank == tf->rank;
		tv->factors = cells + (ptrdiff_t)t * r->n_factors;
		tv->closed = NEW_N(v->mem, bool, tf->rank);
		for (int d = 0; d < tf->rank; d++) {
			tv->closed[d] = !bears || !s->dims[d].open;
			load_dim(v, tv->factors, &tf->dims[d],
			         bears ? dim_axes(&s->dims[d]) : (axis_list){0});
		}
		if (s) {
			tv->replicated = (axis_list){s->replicated, s->n_replicated};
			tv->unreduced = (axis_list){s->unreduced, s->n_unreduced};
			tv->reduction = s->reduction;
		}
	}
}

/* ---- from factors to tensors ---------------------------------------------------------------- */

/* Sub-axes that meet at the border between two factors are merged. */
static int64_t store_axes(const op_view *v, axes_vec *out, axis_list l)
{
	for (int i = 0; i < l.n; i++) {
		if (i)
			vec_push(v->mem, out, l.ptr[i]);
		else
			axes_append(out, v->mem, l.ptr[i], v->mesh);
	}
	return axes_size(l, v->mesh);
}

/* Stops at the first factor that is not fully sharded: later ones would be strided. */
static axis_list store_dim(const op_view *v, const factor_axes *row, const dim_factors *d)
{
	axes_vec out = {0};
	if (d->n == 1 && !row[d->factors[0]].overflow.n)
		return row[d->factors[0]].axes;
	for (int i = 0; i < d->n; i++) {
		const factor_axes *f = &row[d->factors[i]];
		int64_t shards = store_axes(v, &out, f->axes);
		store_axes(v, &out, f->overflow);
		if (f->overflow.n || shards < v->rule->sizes[d->factors[i]])
			break;
	}
	return vec_axes(&out);
}

const sharding *view_sharding(const op_view *v, int tensor)
{
	const tensor_view *tv = &v->tensors[tensor];
	const tensor_factors *tf = &v->rule->tensors[tensor];
	dim_sharding *dims = NEW_N(v->mem, dim_sharding, tf->rank);
	for (int d = 0; d < tf->rank; d++) {
		axis_list l = store_dim(v, tv->factors, &tf->dims[d]);
		dims[d] = (dim_sharding){l.ptr, l.n, !tv->closed[d], PRIORITY_NONE};
	}
	return sharding_of(v->m->ctx, &(sharding){.mesh = v->ref,
	                                          .rank = tf->rank,
	                                          .dims = dims,
	                                          .n_replicated = tv->replicated.n,
	                                          .replicated = tv->replicated.ptr,
	                                          .n_unreduced = tv->unreduced.n,
	                                          .unreduced = tv->unreduced.ptr,
	                                          .reduction = tv->reduction});
}

/* ---- queries and changes -------------------------------------------------------------------- */

void view_set_factor(op_view *v, int factor, axis_list axes, bool *changed)
{
	for (int t = 0; t < v->n_tensors; t++) {
		factor_axes *f = &v->tensors[t].factors[factor];
		if (!f->present || (axes_eq(f->axes, axes) && !f->overflow.n))
			continue;
		f->axes = axes;
		f->overflow = (axis_list){0};
		changed[t] = true;
	}
}

bool view_overflows(const op_view *v, bool *changed)
{
	bool any = false;
	for (int t = 0; t < v->n_tensors; t++)
		for (int f = 0; f < v->rule->n_factors; f++)
			if (v->tensors[t].factors[f].overflow.n)
				any = changed[t] = true;
	return any;
}

int64_t view_shards(const op_view *v, int tensor)
{
	int64_t n = 1;
	for (int f = 0; f < v->rule->n_factors; f++) {
		const factor_axes *fa = &v->tensors[tensor].factors[f];
		n *= axes_size(fa->axes, v->mesh) * axes_size(fa->overflow, v->mesh);
	}
	return n;
}

factor_lists view_common_prefixes(const op_view *v)
{
	factor_lists out = NEW_N(v->mem, axis_list, v->rule->n_factors);
	for (int f = 0; f < v->rule->n_factors; f++) {
		bool seen = false;
		for (int t = 0; t < v->n_tensors; t++) {
			const factor_axes *fa = &v->tensors[t].factors[f];
			if (!fa->present)
				continue;
			if (!seen) {
				out[f] = fa->axes;
				seen = true;
				continue;
			}
			axis_ref *common = NEW_N(v->mem, axis_ref, out[f].n);
			int n = axes_common_prefix(out[f], fa->axes, common);
			out[f] = (axis_list){common, n};
		}
	}
	return out;
}

bool view_factor_agrees(const op_view *v, int factor, axis_list *axes)
{
	bool seen = false;
	*axes = (axis_list){0};
	for (int t = 0; t < v->n_tensors; t++) {
		const factor_axes *f = &v->tensors[t].factors[factor];
		if (!f->present)
			continue;
		if (seen && !axes_eq(*axes, f->axes))
			return false;
		*axes = f->axes;
		seen = true;
	}
	return true;
}

/* ---- distributing axes over factors --------------------------------------------------------- */

/* Returns true if the current axis is used up. */
static bool give_axis(const op_view *v, axes_left *a, axes_vec *to, int64_t *left)
{
	int64_t common = gcd_i64(*left, a->size);
	if (a->size > common) {
		axes_append(to, v->mem, take_part(a, common), v->mesh);
		*left /= common;
		return false;
	}
	axes_append(to, v->mem, left_axis(a), v->mesh);
	*left /= a->size;
	left_at(a, a->i + 1);
	return true;
}

void hand_out_axes(const op_view *v, factor_axes *factors, const int64_t *sizes, int n,
                   axis_list axes)
{
	axes_vec *given = NEW_N(v->mem, axes_vec, n);
	int64_t *left = COPY_N(v->mem, sizes, n);
	axes_left a = {.mesh = v->mesh, .l = axes};
	left_at(&a, 0);
	for (bool used = true; n && used && a.i < axes.n;) {
		used = false;
		for (int i = 0; i < n; i++) {
			if (left[i] <= 1 || (a.size != 1 && gcd_i64(left[i], a.size) == 1))
				continue;
			used = true;
			if (give_axis(v, &a, &given[i], &left[i]))
				break;
		}
	}
	for (int i = 0; i < n; i++) {
		factors[i].axes = vec_axes(&given[i]);
		factors[i].overflow = (axis_list){0};
	}
	if (n && a.i < axes.n)
		factors[n - 1].overflow = take_all_left(&a, v->mem);
}
