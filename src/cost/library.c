/* library.c - what a library computes as one kernel, as XLA's compiler for CPUs uses it.
 *
 * From each reduction, the last one first, a group grows. It takes in operations whose result only
 * the group reads, and the only operation that reads the group's result, as long as the library
 * supports them. Products and convolutions that are reached join with the groups that they are in,
 * but the group does not grow from them. A group has one result. */
#include "cost/cluster.h"

enum { LEAST_ELEMENTS = 4096, LEAST_SUM = 8, LEAST_FEATURES = 16, MOST_USERS = 32 };

typedef struct library_group {
	VEC(const op *) members;
	const op *root; /* the member whose result is that of the group */
} library_group;

typedef struct grouping {
	fusing *f;
	VEC(library_group *) groups;
	VEC(const op *) reached; /* members whose operands have to be looked at */
} grouping;

/* ---- what the library knows ----------------------------------------------------------------- */

/* The library computes half precision in 32 bits. */
static bool is_type_known(const type *t)
{
	switch (t->dtype) {
	case DT_F64:
	case DT_F32:
	case DT_BF16:
	case DT_F16:
	case DT_I8:
	case DT_UI8: return t->is_static;
	default: return false;
	}
}

static bool is_kind_known(const op *o)
{
	static const bool known[OP_COUNT] = {
		[OP_ABS] = true,      [OP_CEIL] = true,         [OP_CONVERT] = true,
		[OP_COSINE] = true,   [OP_CHLO_ERF] = true,     [OP_EXPONENTIAL] = true,
		[OP_FLOOR] = true,    [OP_LOG] = true,          [OP_EXPONENTIAL_MINUS_ONE] = true,
		[OP_LOGISTIC] = true, [OP_LOG_PLUS_ONE] = true, [OP_NEGATE] = true,
		[OP_RSQRT] = true,    [OP_SIGN] = true,         [OP_ROUND_NEAREST_EVEN] = true,
		[OP_SINE] = true,     [OP_SQRT] = true,         [OP_TANH] = true,
		[OP_TAN] = true,      [OP_ADD] = true,          [OP_DIVIDE] = true,
		[OP_MAXIMUM] = true,  [OP_MINIMUM] = true,      [OP_MULTIPLY] = true,
		[OP_POWER] = true,    [OP_SUBTRACT] = true,     [OP_CHLO_SQUARE] = true,
	};
	return known[o->kind];
}

static bool has_elements(const type *t, int64_t n) { return t->is_static && t->n_elems >= n; }

/* Small values are computed without the library. */
static bool is_worth_a_call(const op *o)
{
	if (has_elements(o->results[0].type, LEAST_ELEMENTS))
		return true;
	for (int i = 0; i < o->n_operands; i++)
		if (has_elements(operand(o, i)->type, LEAST_ELEMENTS))
			return true;
	return false;
}

static bool is_elementwise_known(const fusing *f, const op *o)
{
	UNUSED(f);
	for (int i = 0; i < o->n_operands; i++)
		if (!is_type_known(operand(o, i)->type))
			return false;
	return is_kind_known(o) && is_type_known(o->results[0].type) && is_worth_a_call(o);
}

static bool is_reduction_known(const fusing *f, const op *o)
{
	UNUSED(f);
	monoid by = monoid_of_op(op_body_kind(o, 0));
	return o->n_operands == 2 && is_type_known(operand(o, 0)->type) && is_worth_a_call(o) &&
	       (by == MONOID_SUM || by == MONOID_MAX || by == MONOID_MIN);
}

/* True for windows that are next to each other. */
static bool are_windows_known(const fusing *f, const op *o)
{
	const module *m = f->m;
	int n, k, any = 0;
	const int64_t *window = op_ints(m, o, N_window_dimensions, &n);
	const int64_t *step = op_ints(m, o, N_window_strides, &k);
	int n_base, n_dilated;
	const int64_t *base = op_ints(m, o, N_base_dilations, &n_base);
	const int64_t *dilated = op_ints(m, o, N_window_dilations, &n_dilated);
	for (int i = 0; i < n; i++) {
		if ((i < n_base && base[i] != 1) || (i < n_dilated && dilated[i] != 1))
			return false;
		int64_t by = i < k ? step[i] : 1;
		if (window[i] > 1 && by != window[i])
			return false;
		any += window[i] > 1 || by > 1;
	}
	return any && is_reduction_known(f, o);
}

/* Returns the number of elements in the dimensions of operand k that the product keeps. */
static int64_t kept_elements(const op *o, int k, const dot_dims *d)
{
	const type *t = operand(o, k)->type;
	int64_t n = 1;
	for (int i = 0; i < t->rank; i++)
		if (!dim_listed(k ? d->rhs_batch : d->lhs_batch, d->n_batch, i) &&
		    !dim_listed(k ? d->rhs_contract : d->lhs_contract, d->n_contract, i))
			n *= t->dims[i];
	return n;
}

/* True for a product of vectors, which is a reduction of products of elements. */
static bool multiplies_vectors(const module *m, const op *o)
{
	dot_dims d;
	return op_dot_dims(m, o, &d) && product_keeps_nothing(o, 0, &d) &&
	       product_keeps_nothing(o, 1, &d);
}

bool swaps_last_two(const module *m, const op *o)
{
	int n;
	const int64_t *order = op_ints(m, o, N_permutation, &n);
	for (int i = 0; i < n - 2; i++)
		if (order[i] != i)
			return false;
	return true;
}

/* True if dimension d is the last one of what a product reads. A product reads the operand of a
 * transposition in place of it. */
static bool is_last(const module *m, const value *v, int64_t d)
{
	int n;
	const op *o = value_def_of(v, OP_TRANSPOSE);
	const int64_t *order = o && swaps_last_two(m, o) ? op_ints(m, o, N_permutation, &n) : NULL;
	return (order ? order[d] : d) == v->type->rank - 1;
}

/* True for products of matrices, not of vectors, of which the first one is in an order in which its
 * last dimension is summed, or is copied into that order. */
static bool is_product_known(const fusing *f, const op *o)
{
	dot_dims d;
	if (!op_dot_dims(f->m, o, &d) || !is_type_known(o->results[0].type))
		return false;
	if (multiplies_vectors(f->m, o))
		return is_worth_a_call(o);
	const type *lhs = operand(o, 0)->type;
	int64_t rows = kept_elements(o, 0, &d), columns = kept_elements(o, 1, &d), sum = 1;
	for (int i = 0; i < d.n_contract; i++)
		sum *= lhs->dims[d.lhs_contract[i]];
	bool last = d.n_contract && is_last(f->m, operand(o, 0), d.lhs_contract[d.n_contract - 1]);
	return rows > 1 && columns > 1 && max_i64(sum, max_i64(rows, columns)) >= LEAST_SUM &&
	       (last || !reads_as_it_lies(f, o, 0));
}

/* True for a convolution of images whose features are the last dimension, with a kernel whose
 * output features are its last dimension. */
static bool is_convolution_known(const fusing *f, const op *o)
{
	conv_dims d;
	if (!op_conv_dims(f->m, o, &d) || d.n_spatial != 2 || d.batch_groups != 1 ||
	    !is_type_known(o->results[0].type))
		return false;
	const type *in = operand(o, 0)->type, *out = o->results[0].type;
	for (int i = 0; i < 2; i++)
		if (d.in_spatial[i] != i + 1 || d.out_spatial[i] != i + 1 || d.k_spatial[i] != i ||
		    d.lhs_dilation[i] != 1 || d.reversed[i] || out->dims[i + 1] > in->dims[i + 1])
			return false;
	return d.in_feature == 3 && d.out_feature == 3 && d.k_in == 2 && d.k_out == 3 &&
	       max_i64(in->dims[3], out->dims[3]) > LEAST_FEATURES;
}

static bool is_broadcast_known(const fusing *f, const op *o)
{
	int n;
	const int64_t *dims = op_ints(f->m, o, N_broadcast_dimensions, &n);
	for (int i = 1; i < n; i++)
		if (dims[i] <= dims[i - 1])
			return false;
	return is_type_known(o->results[0].type);
}

static bool is_renaming_known(const fusing *f, const op *o)
{
	UNUSED(f);
	return is_type_known(o->results[0].type);
}

static bool is_known(const fusing *f, const op *o)
{
	static bool (*const known[OP_COUNT])(const fusing *f, const op *o) = {
		[OP_REDUCE] = is_reduction_known,           [OP_REDUCE_WINDOW] = are_windows_known,
		[OP_DOT_GENERAL] = is_product_known,        [OP_CONVOLUTION] = is_convolution_known,
		[OP_BROADCAST_IN_DIM] = is_broadcast_known, [OP_RESHAPE] = is_renaming_known,
	};
	return o->n_results == 1 &&
	       (known[o->kind] ? known[o->kind](f, o) : is_elementwise_known(f, o));
}

/* ---- groups ----------------------------------------------------------------------------------- */

static const library_group *library_group_of(const grouping *g, const op *o)
{
	int at = g->f->at[o->id].library;
	return at ? g->groups.ptr[at - 1] : NULL;
}

static void join_group(grouping *g, int to, const op *o)
{
	g->f->at[o->id].library = to;
	vec_push(g->f->mem, &g->groups.ptr[to - 1]->members, o);
	vec_push(g->f->mem, &g->reached, o);
}

/* Returns the only operation that reads all of a value, or the last one of the group that is its
 * only reader; NULL: there are several. */
static const op *only_reader(const grouping *g, const value *v, const block *b)
{
	const op *first = v->uses ? v->uses->owner : NULL;
	int n = 0;
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = u->owner;
		if (o->parent != b || n++ >= MOST_USERS)
			return NULL;
		if (o != first && (!library_group_of(g, o) ||
		                   library_group_of(g, o) != library_group_of(g, first)))
			return NULL;
	}
	return first;
}

/* Puts an operation, and the group that it is in, into a group. @return the group of both */
static int take_up(grouping *g, int to, const op *o)
{
	int at = g->f->at[o->id].library;
	if (!at) {
		join_group(g, to, o);
		return to;
	}
	bool larger = g->groups.ptr[at - 1]->members.len > g->groups.ptr[to - 1]->members.len;
	int from = larger ? to : at, into = larger ? at : to;
	library_group *emptied = g->groups.ptr[from - 1];
	for (int i = 0; i < emptied->members.len; i++)
		join_group(g, into, emptied->members.ptr[i]);
	emptied->members.len = 0;
	emptied->root = NULL;
	return into;
}

/* What a product reads in another order is copied in between. */
static bool reads_in_another_order(const grouping *g, const op *o, const value *v)
{
	for (int k = 0; o->kind == OP_DOT_GENERAL && k < 2; k++)
		if (operand(o, k) == v && !reads_as_it_lies(g->f, o, k))
			return true;
	return false;
}

static bool can_take_up(const grouping *g, int to, const op *o)
{
	if (!o || g->f->at[o->id].library == to || op_has(o, CONSTANT))
		return false;
	return library_group_of(g, o) || is_known(g->f, o);
}

/* Adds the operations that compute operands of the newest members for no other user. */
static int grow_up(grouping *g, int to)
{
	while (g->reached.len) {
		const op *o = g->reached.ptr[--g->reached.len], *root = g->groups.ptr[to - 1]->root;
		for (int k = 0; k < o->n_operands; k++) {
			const op *def = value_def(operand(o, k));
			if (!def || def->parent != o->parent || !can_take_up(g, to, def) ||
			    reads_in_another_order(g, o, operand(o, k)))
				continue;
			const op *by = only_reader(g, operand(o, k), o->parent);
			if (by && g->f->at[by->id].library == to)
				to = take_up(g, to, def);
			g->groups.ptr[to - 1]->root = root;
		}
	}
	return to;
}

/* Adds the only operation that reads the result. @return the group then; 0: there is no such
 * operation */
static int grow_down(grouping *g, int to)
{
	const op *root = g->groups.ptr[to - 1]->root;
	const op *by = only_reader(g, &root->results[0], root->parent);
	if (!can_take_up(g, to, by))
		return 0;
	for (const use *u = root->results[0].uses; u; u = u->next)
		if (reads_in_another_order(g, u->owner, &root->results[0]))
			return 0;
	const library_group *other = library_group_of(g, by);
	root = other ? other->root : by;
	to = take_up(g, to, by);
	g->groups.ptr[to - 1]->root = root;
	return to;
}

/* Starts a group with one operation, and lets it grow. */
static void start_group(grouping *g, const op *o, bool grows)
{
	library_group *group = NEW(g->f->mem, library_group);
	*group = (library_group){.root = o};
	vec_push(g->f->mem, &g->groups, group);
	int at = g->groups.len;
	join_group(g, at, o);
	for (int next = at; grows && next; next = grow_down(g, at))
		at = grow_up(g, next);
	g->reached.len = 0;
}

/* A group does not end with an operation that only renames its result. */
static void end_group(grouping *g, library_group *group)
{
	while (group->root && group->root->kind == OP_RESHAPE) {
		const op *o = group->root;
		g->f->at[o->id].library = 0;
		group->root = value_def(operand(o, 0));
	}
	for (int i = 0; i < group->members.len; i++)
		if (g->f->at[group->members.ptr[i]->id].library)
			g->f->at[group->members.ptr[i]->id].library_root = group->root;
}

void find_library_kernels(fusing *f, const block *b)
{
	grouping g = {.f = f};
	for (const op *o = b->last; o; o = o->prev) {
		bool product = op_has(o, PRODUCT);
		bool reduces = o->kind == OP_REDUCE || o->kind == OP_REDUCE_WINDOW ||
		               (product && multiplies_vectors(f->m, o));
		if ((reduces || product) && !f->at[o->id].library && is_known(f, o))
			start_group(&g, o, reduces);
	}
	for (int i = 0; i < g.groups.len; i++)
		end_group(&g, g.groups.ptr[i]);
}
