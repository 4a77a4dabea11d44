/* projection.c - from the shardings of tensors to those of factors, and back. */
#include "propagate/projection.h"

/* ---- room ---------------------------------------------------------------------- */

static void make_room(projection *p)
{
	int n_cells = p->n_tensors * p->n_factors;
	if (n_cells > p->room_cells) {
		p->room_cells = 2 * n_cells;
		p->cells = arena_alloc(p->mem, sizeof *p->cells * (size_t)p->room_cells);
	}
	if (p->n_tensors > p->room_tensors) {
		p->room_tensors = 2 * p->n_tensors;
		p->updated = arena_alloc(p->mem, sizeof *p->updated * (size_t)p->room_tensors);
	}
	if (p->n_factors > p->room_factors) {
		p->room_factors = 2 * p->n_factors;
		size_t n = (size_t)p->room_factors;
		p->direction = arena_alloc(p->mem, sizeof *p->direction * n);
		p->compatible = arena_alloc(p->mem, sizeof *p->compatible * n);
		p->order = arena_alloc(p->mem, sizeof *p->order * n);
	}
}

/* ---- dimensions with several factors -------------------------------------------------------- */

/* The axes of a dimension that its factors have not taken yet. */
typedef struct remainder {
	book *b;
	const part_list *axes;
	int i;             /* the current axis; axes->n: none left */
	int64_t pre, size; /* the rest of it; pre 0: all of it */
} remainder;

static void next_axis(remainder *r, int i)
{
	r->i = i;
	if (i < r->axes->n) {
		const axis_part *p = part_at(r->b, r->axes->parts[i]);
		r->pre = axis_is_full(p->ref) ? 0 : p->ref.pre;
		r->size = p->size;
	}
}

/* The part (pre)size of the current axis; the axis itself if pre is 0. */
static part_no axis_piece(const remainder *r, int64_t pre, int64_t size)
{
	part_no whole = r->axes->parts[r->i];
	const axis_part *p = part_at(r->b, whole);
	if (!pre)
		return whole;
	return book_part(r->b, p->mesh, (axis_ref){p->ref.axis, pre, size});
}

/* Appends a part, merged with the last one if they are adjacent. */
static int append_part(book *b, part_no *out, int n, part_no p)
{
	axis_part add = *part_at(b, p);
	if (n) {
		axis_ref last = part_at(b, out[n - 1])->ref;
		if (axis_can_merge(last, add.ref)) {
			out[n - 1] = book_part(b, add.mesh, axis_merge(last, add.ref, add.mesh));
			return n;
		}
	}
	out[n] = p;
	return n + 1;
}

static list_no take_rest(remainder *r, part_no *out)
{
	int n = 0;
	while (r->i < r->axes->n) {
		n = append_part(r->b, out, n, axis_piece(r, r->pre, r->size));
		next_axis(r, r->i + 1);
	}
	return book_list(r->b, out, n);
}

/* A factor that is not the last of its dimension takes axes as far as they divide it. */
static void take_divisors(remainder *r, int64_t size, part_no *out, cell *c)
{
	int n = 0;
	while (r->i < r->axes->n) {
		int64_t common = gcd_i64(size, r->size);
		if (r->size != 1 && common == 1)
			break;
		size /= common;
		if (r->size > common) {
			int64_t pre = r->pre ? r->pre : 1;
			out[n++] = axis_piece(r, pre, common);
			r->pre = pre * common;
			r->size /= common;
		} else {
			out[n++] = axis_piece(r, r->pre, r->size);
			next_axis(r, r->i + 1);
		}
	}
	c->list = book_list(r->b, out, n);
	if (size > 1 && r->i < r->axes->n)
		c->overflow = take_rest(r, out);
}

static void split_dim(projection *p, cell *row, const dim_factors *d, list_no list, bool closed)
{
	part_list axes = *list_at(p->b, list);
	part_no few[32], *out = few;
	if (axes.n + d->n > COUNT(few))
		out = arena_alloc(p->mem, sizeof *out * (size_t)(axes.n + d->n));
	remainder r = {.b = p->b, .axes = &axes};
	next_axis(&r, 0);
	bool overflowed = false;
	for (int i = 0; i < d->n; i++) {
		cell *c = &row[d->factors[i]];
		c->present = true;
		c->minor = i + 1 == d->n;
		c->closed = closed || overflowed;
		if (overflowed)
			break;
		if (c->minor)
			c->list = take_rest(&r, out);
		else
			take_divisors(&r, p->rule->sizes[d->factors[i]], out, c);
		c->was = c->list;
		overflowed = c->overflow != 0;
	}
}

/* ---- load ------------------------------------------------------------------------- */

static void load_tensor(projection *p, int t)
{
	const tensor_factors *tensor = &p->rule->tensors[t];
	const view *v = view_at(p->b, p->views[t]);
	cell *row = cell_at(p, t, 0);
	bool bears = p->views[t] && v->rank == tensor->rank;
	for (int d = 0; d < tensor->rank; d++) {
		const dim_factors *dim = &tensor->dims[d];
		list_no list = bears ? v->dims[d].list : 0;
		bool closed = bears && !v->dims[d].open;
		if (dim->n == 1)
			row[dim->factors[0]] = (cell){list, list, 0, true, closed, true};
		else
			split_dim(p, row, dim, list, closed);
	}
}

/* True if some tensor of a factor has other axes than another. */
static bool anything_differs(const projection *p)
{
	for (int f = 0; f < p->n_factors; f++) {
		const cell *first = NULL;
		for (int t = 0; t < p->n_tensors; t++) {
			const cell *c = cell_at(p, t, f);
			if (!c->present)
				continue;
			if (!first)
				first = c;
			else if (c->list != first->list)
				return true;
		}
	}
	return false;
}

bool projection_load(projection *p)
{
	p->n_factors = p->rule->n_factors;
	p->n_operands = p->rule->n_operands;
	p->n_tensors = p->n_operands + p->rule->n_results;
	make_room(p);
	memset(p->cells, 0, sizeof *p->cells * (size_t)(p->n_tensors * p->n_factors));
	memset(p->updated, 0, sizeof *p->updated * (size_t)p->n_tensors);
	for (int t = 0; t < p->n_tensors; t++)
		load_tensor(p, t);
	return anything_differs(p);
}

/* ---- store -------------------------------------------------------------------------- */

/* Appends a list. Only its first part can merge with the last one there: two factors share an axis
 * then. */
static int append_list(book *b, part_no *out, int n, list_no list)
{
	part_list l = *list_at(b, list);
	for (int i = 0; i < l.n; i++) {
		if (i == 0)
			n = append_part(b, out, n, l.parts[i]);
		else
			out[n++] = l.parts[i];
	}
	return n;
}

static dim_view join_dim(const projection *p, const cell *row, const dim_factors *d)
{
	int n = 0, most = 0;
	bool closed = false;
	for (int i = 0; i < d->n; i++)
		most += list_at(p->b, row[d->factors[i]].list)->n +
		        list_at(p->b, row[d->factors[i]].overflow)->n;
	part_no few[32], *out = few;
	if (most > COUNT(few))
		out = arena_alloc(p->mem, sizeof *out * (size_t)most);
	for (int i = 0; i < d->n; i++) {
		const cell *c = &row[d->factors[i]];
		closed = closed || c->closed;
		n = append_list(p->b, out, n, c->list);
		if (c->overflow) {
			n = append_list(p->b, out, n, c->overflow);
			break;
		}
		/* A factor after one that is not fully sharded would be strided. */
		if (list_at(p->b, c->list)->size < p->rule->sizes[d->factors[i]])
			break;
	}
	return (dim_view){book_list(p->b, out, n), !closed};
}

view_no projection_store(const projection *p, int t)
{
	const tensor_factors *tensor = &p->rule->tensors[t];
	const view *old = view_at(p->b, p->views[t]);
	const cell *row = cell_at(p, t, 0);
	dim_view few[16], *dims = few;
	if (tensor->rank > COUNT(few))
		dims = arena_alloc(p->mem, sizeof *dims * (size_t)tensor->rank);
	for (int d = 0; d < tensor->rank; d++) {
		const dim_factors *dim = &tensor->dims[d];
		const cell *c = &row[dim->factors[0]];
		dims[d] = dim->n == 1 ? (dim_view){c->list, !c->closed} : join_dim(p, row, dim);
	}
	return book_view(p->b, &(view){.ref = p->mesh_ref,
	                               .mesh = p->mesh,
	                               .rank = tensor->rank,
	                               .replicated = old->replicated,
	                               .unreduced = old->unreduced,
	                               .reduction = old->reduction,
	                               .dims = dims});
}

int projection_source(const projection *p, int tensor, int factor)
{
	list_no axes = cell_at(p, tensor, factor)->list;
	for (int t = 0; t < p->n_tensors; t++) {
		const cell *c = cell_at(p, t, factor);
		if (c->present && list_prefix(p->b, axes, c->was))
			return t;
	}
	return -1;
}
