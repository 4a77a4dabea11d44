/* fusing.c - decides which values their users compute themselves.
 *
 * The operations of a block are processed from the last to the first, so that the clusters of an
 * operation's users are known. The operation is fused into them if all its users can compute it,
 * and
 *   - they are all in one cluster: it is computed once, in that cluster; or
 *   - computing it again in each cluster takes less traffic than writing it once and reading it in
 *     each; or
 *   - it is cheap: a constant, positions, or small data repeated. Then it is only written for the
 *     users that cannot compute it.
 *
 * A reduction of rows whose results are broadcast back over the same rows (softmax, normalization)
 * is one kernel with what it reads and what reads it. XLA's compiler for GPUs fuses into a product
 * of matrices of floats what is computed, element by element, from its result alone and is as
 * large; it also lets a product compute simple operands itself. The compiler for CPUs does neither,
 * but leaves reductions and the operations around them to a library (library.c). */
#include "cost/cluster.h"

enum { LITTLE = 4096 /* bytes that are read again at no cost */, LONGEST_ROW = 1 << 16, FEW = 16 };

/* ---- kinds of operations ------------------------------------------------------------ */

bool op_renames(const op *o)
{
	return o->kind == OP_RESHAPE || o->kind == OP_OPTIMIZATION_BARRIER ||
	       o->kind == OP_SDY_SHARDING_CONSTRAINT;
}

const value *value_behind(const value *v)
{
	for (const op *o = value_def(v); o && op_renames(o); o = value_def(v))
		v = operand(o, (int)v->index);
	return v;
}

/* Each user makes these itself. */
bool reads_little(const op *o)
{
	return o->kind == OP_IOTA || op_is_splat(o) ||
	       (o->kind == OP_BROADCAST_IN_DIM && value_bytes(operand(o, 0)) <= LITTLE);
}

/* True for a reduction over dimensions of size 1. */
static bool reduces_nothing(const op *o)
{
	return o->kind == OP_REDUCE && o->n_results == 1 && operand(o, 0)->type->is_static &&
	       operand(o, 0)->type->n_elems == o->results[0].type->n_elems;
}

static bool is_loop(const op *o)
{
	return op_has(o, ELEMENTWISE | MOVES) || o->kind == OP_GATHER || o->kind == OP_MAP ||
	       reduces_nothing(o);
}

bool windows_are_apart(const module *m, const op *o)
{
	enum { MOST_READS = 2 }; /* of each element */
	int n;
	const int64_t *window = op_ints(m, o, N_window_dimensions, &n);
	const type *in = operand(o, 0)->type, *out = o->results[0].type;
	double reads = elements_of(out);
	for (int i = 0; i < n; i++)
		reads *= (double)window[i];
	return in->is_static && reads <= MOST_READS * (double)in->n_elems;
}

/* ---- what is read where everything before is fused --------------------------------------- */

/* True if a value is so much smaller than `whole` bytes that reading it costs nothing. */
static bool is_read_along(const value *v, int64_t whole)
{
	enum { SMALL_PART = 16 };
	int64_t bytes = value_bytes(v);
	if (bytes <= LITTLE || bytes * SMALL_PART <= whole)
		return true;
	const op *o = value_def(value_behind(v));
	return o && reads_little(o);
}

static bool add_input(fused_op *to, const value *v)
{
	for (int i = 0; i < to->n_inputs; i++)
		if (to->inputs[i] == v)
			return true;
	if (to->n_inputs == MOST_INPUTS)
		return false;
	to->inputs[to->n_inputs++] = v;
	return true;
}

static bool add_inputs_of(const fusing *f, const op *o, fused_op *to)
{
	bool all = true;
	const int64_t whole = value_bytes(&o->results[0]);
	for (int k = 0; k < o->n_operands; k++) {
		const value *v = operand(o, k);
		const op *def = value_def(v);
		if (is_read_along(v, whole))
			continue;
		const fused_op *from = def && def->parent == o->parent ? &f->at[def->id] : NULL;
		if (!from)
			all = add_input(to, v) && all;
		for (int i = 0; from && i < from->n_inputs; i++)
			if (!is_read_along(from->inputs[i], whole))
				all = add_input(to, from->inputs[i]) && all;
	}
	return all;
}

/* An operation that would read too many values is itself what others read. */
static void find_inputs(fusing *f, const op *o)
{
	fused_op *to = &f->at[o->id];
	if (!o->n_results)
		return;
	if (o->kind == OP_DOT_GENERAL)
		to->as_they_lie = (uint8_t)operands_as_they_lie(f, o);
	if (!is_loop(o) || !add_inputs_of(f, o, to)) {
		to->n_inputs = 1;
		to->inputs[0] = &o->results[0];
	}
}

static double bytes_of_inputs(const fused_op *o)
{
	double bytes = 0;
	for (int i = 0; i < o->n_inputs; i++)
		bytes += (double)value_bytes(o->inputs[i]);
	return bytes;
}

/* Returns how many operands are not cheap, and their bytes. */
static int real_operands(const op *o, double *bytes)
{
	int n = 0;
	const int64_t whole = value_bytes(&o->results[0]);
	*bytes = 0;
	for (int i = 0; i < o->n_operands; i++) {
		const value *v = operand(o, i);
		if ((i && v == operand(o, i - 1)) || is_read_along(v, whole))
			continue;
		n++;
		*bytes += (double)value_bytes(v);
	}
	return n;
}

bool reads_one_no_larger(const op *o)
{
	double bytes;
	return real_operands(o, &bytes) <= 1 && bytes <= (double)value_bytes(&o->results[0]);
}

static bool is_of_library(const fusing *f, const op *o) { return f->at[o->id].library; }

/* True if `o` is computed in one library call with `by`, or ends a library call. */
static bool is_made_in_library(const fusing *f, const op *by, const op *o)
{
	return f->at[o->id].library == f->at[by->id].library && f->at[o->id].library_root != o;
}

/* True if a product of matrices reads a transposition. On CPUs the product reads the operand of the
 * transposition instead, since it takes matrices in either order. */
static bool is_taken_as_it_was(const fusing *f, const op *o)
{
	if (o->kind != OP_TRANSPOSE || !f->at[o->id].fused)
		return false;
	dot_dims d;
	for (const use *u = o->results[0].uses; u; u = u->next)
		if (op_dot_dims(f->m, u->owner, &d) && !product_keeps_nothing(u->owner, 0, &d) &&
		    !product_keeps_nothing(u->owner, 1, &d))
			return true;
	return false;
}

/* On CPUs a concatenation of many values, or along the last dimension, is a kernel of its own. */
static bool is_put_together_apart(const op *o)
{
	enum { MOST_PARTS = 8, LEAST_ROW = 128 };
	if (o->kind != OP_CONCATENATE)
		return false;
	const type *t = o->results[0].type;
	return o->n_operands > MOST_PARTS ||
	       (t->rank > 1 && op_int(o, N_dimension, 0) == t->rank - 1 &&
	        t->dims[t->rank - 1] >= LEAST_ROW);
}

/* True if `by` computes the value itself that an operation like `o` would give it as operand k. */
static bool can_make(const fusing *f, const op *by, int k, const op *o)
{
	double bytes;
	if (f->cpu && is_of_library(f, o))
		return is_made_in_library(f, by, o);
	if (f->cpu && is_of_library(f, by) && by->kind != OP_DOT_GENERAL)
		return op_has(o, CONSTANT);
	if (f->cpu && (is_taken_as_it_was(f, by) || is_put_together_apart(by) || is_put_together_apart(o)))
		return false;
	if (is_loop(by) && by->kind != OP_RESHAPE)
		return true;
	switch (by->kind) {
	case OP_RESHAPE: return f->at[by->id].fused;
	case OP_REDUCE: return k < by->n_operands / 2;
	case OP_DYNAMIC_UPDATE_SLICE: return k > 0;
	case OP_REDUCE_WINDOW: return op_has(o, SIMPLE) && windows_are_apart(f->m, by);
	case OP_DOT_GENERAL:
		if (o->kind == OP_TRANSPOSE)
			return swaps_last_two(f->m, o);
		return !f->cpu && op_has(o, SIMPLE) && real_operands(o, &bytes) <= 1;
	default: return false;
	}
}

/* ---- users -------------------------------------------------------------------------- */

static bool add_root(fused_op *to, const op *root)
{
	for (int i = 0; i < to->n_roots; i++)
		if (to->roots[i] == root)
			return true;
	if (to->n_roots == MOST_ROOTS)
		return false;
	to->roots[to->n_roots++] = root;
	return true;
}

/* Each user that reads at other positions than it writes has its own copy of the code. */
static void add_copies(fused_op *to, const op *by, const fused_op *user, int *beside)
{
	int n = user->copies ? user->copies : 1;
	if (op_has(by, MOVES) || by->kind == OP_GATHER)
		to->copies = (uint16_t)min_i64(to->copies + n, UINT16_MAX);
	else if (n > *beside)
		*beside = n;
}

/* Finds the clusters of the users that can compute it. Returns false if some user cannot, or there
 * are too many clusters. */
static bool find_roots(const fusing *f, const op *o, fused_op *to)
{
	bool all = true;
	int beside = 0;
	for (const use *u = o->n_results == 1 ? o->results[0].uses : NULL; u; u = u->next) {
		const op *by = u->owner;
		const fused_op *user = &f->at[by->id];
		if (by->parent != o->parent || !can_make(f, by, use_index(u), o)) {
			all = false;
			continue;
		}
		for (int k = 0; k < user->n_roots; k++)
			all = add_root(to, user->roots[k]) && all;
		add_copies(to, by, user, &beside);
	}
	to->copies = (uint16_t)min_i64(to->copies + beside, UINT16_MAX);
	return all && to->n_roots;
}

/* ---- when it pays ---------------------------------------------------------------------- */

/* True if computing it in each of n clusters costs less than writing it once and reading it in
 * each. */
static bool pays_again(const fusing *f, const op *o, int n)
{
	double out = (double)value_bytes(&o->results[0]);
	return o->kind != OP_GATHER && (n - 1) * bytes_of_inputs(&f->at[o->id]) < (n + 1) * out;
}

/* Returns how many of the last dimensions a reduction sums, of rows that a kernel holds; 0: it is
 * another reduction. The compiler for CPUs computes a sum several times only if it has few
 * elements. */
static int reduced_rows(const fusing *f, const op *o)
{
	int n;
	const type *t = operand(o, 0)->type;
	const int64_t *dims = op_ints(f->m, o, N_dimensions, &n);
	int64_t row = 1;
	for (int i = 0; i < n; i++) {
		if (dims[i] < t->rank - n)
			return 0;
		row *= t->dims[dims[i]];
	}
	return row <= (f->cpu ? FEW : LONGEST_ROW) ? n : 0;
}

/* True if a reduction is fused into the only cluster that reads it, since that reads the same
 * rows. */
static bool joins_rows(const fusing *f, const op *o, const op *root)
{
	const fused_op *r = &f->at[root->id];
	const type *in = operand(o, 0)->type, *out = root->results[0].type;
	int n = reduced_rows(f, o);
	if (r->has_product || !n || (r->reduced && r->reduced != n))
		return false;
	if (root->kind == OP_REDUCE && !f->cpu && reduced_rows(f, root) != n)
		return false;
	const type *rows = root->kind == OP_REDUCE ? operand(root, 0)->type : out;
	return in->is_static && rows->is_static && in->n_elems == rows->n_elems;
}

/* Returns the only operation that reads the result; NULL: there are several, or none. */
static const op *only_reader_of(const op *o)
{
	const use *u = o->n_results == 1 ? o->results[0].uses : NULL;
	const op *by = u ? u->owner : NULL;
	for (; u; u = u->next)
		if (u->owner != by)
			return NULL;
	return by;
}

/* True if it writes more than it reads, as a conversion to more bits does, and is not read by the
 * end of the block. */
static bool grows(const op *o)
{
	int64_t in = LITTLE, out = o->n_results ? value_bytes(&o->results[0]) : 0;
	for (int i = 0; i < o->n_operands; i++)
		in += value_bytes(operand(o, i));
	const op *by = out > in ? only_reader_of(o) : NULL;
	return out > in && !(by && op_has(by, TERMINATOR));
}

/* True if one operation reads the result, the same holds for each operation up to the root of the
 * cluster, and none of them writes more than it reads. */
static bool is_read_once(const fusing *f, const op *o)
{
	const op *by = only_reader_of(o);
	return by && f->at[by->id].read_once && !grows(by);
}

/* True if the only cluster that reads a product is fused into it. XLA's compiler follows the users
 * from one operation to the next, and stops where a value has several users or an operation writes
 * more than it reads. */
static bool takes_up(const fusing *f, const op *o, const op *root)
{
	if (!is_read_once(f, o))
		return false;
	const fused_op *r = &f->at[root->id];
	const type *a = o->results[0].type, *b = root->results[0].type;
	return !f->cpu && o->kind == OP_DOT_GENERAL && !dtype_is_int(a->dtype) && is_loop(root) &&
	       root->kind != OP_TRANSPOSE && !r->has_product && !r->reduced && a->is_static &&
	       b->is_static && a->n_elems == b->n_elems;
}

static bool is_fused(fusing *f, const op *o, const fused_op *to)
{
	enum { MOST_COPIES = 15 }; /* in XLA's fusion passes */
	if (o->n_results != 1 || to->copies > MOST_COPIES)
		return false;
	if (f->cpu && o->kind == OP_PAD && to->copies > 1)
		return false;
	if (to->n_roots > 1)
		return is_loop(o) && (f->cpu ? op_has(o, SIMPLE | MOVES) && o->kind != OP_GATHER
		                             : pays_again(f, o, to->n_roots));
	const op *root = to->n_roots ? to->roots[0] : NULL;
	if (is_loop(o))
		return true;
	if (o->kind == OP_REDUCE)
		return joins_rows(f, o, root);
	if (o->kind == OP_REDUCE_WINDOW)
		return windows_are_apart(f->m, o) && is_loop(root);
	return op_has(o, PRODUCT) && takes_up(f, o, root);
}

/* ---- a block ----------------------------------------------------------------------------- */

static void mark_roots(fusing *f, const op *o, const fused_op *to)
{
	for (int i = 0; i < to->n_roots; i++) {
		fused_op *root = &f->at[to->roots[i]->id];
		root->has_product |= op_has(o, PRODUCT);
		if (o->kind == OP_REDUCE && to->roots[i] != o)
			root->reduced = (uint8_t)reduced_rows(f, o);
	}
}

static bool runs(const op *o)
{
	return !op_has(o, CONTROL | LISTED | TERMINATOR) && o->kind != OP_FUNC_CALL &&
	       !op_renames(o);
}

/* Some users cannot compute it. The compiler for CPUs lets the other ones do so anyway if they then
 * do not read more. */
static bool is_made_and_stored(const fusing *f, const op *o, const fused_op *to)
{
	double in;
	if (!f->cpu || o->n_results != 1 || !to->n_roots || !op_has(o, SIMPLE | MOVES) ||
	    op_has(o, FREE))
		return false;
	int operands = real_operands(o, &in);
	return operands <= 1 || in <= (double)value_bytes(&o->results[0]);
}

static void end_cluster(fusing *f, const op *o, fused_op *to)
{
	to->stored = true;
	to->read_once = true;
	if (to->n_roots == MOST_ROOTS)
		to->n_roots--;
	to->roots[to->n_roots++] = o;
	to->copies = 1;
	mark_roots(f, o, to);
}

/* What the library computes is fused into the last operation of its call. */
static void fuse_in_library(fusing *f, const op *o, fused_op *to)
{
	if (to->library_root == o) {
		end_cluster(f, o, to);
		return;
	}
	to->fused = true;
	to->copies = 1;
	to->roots[to->n_roots++] = to->library_root;
	mark_roots(f, o, to);
}

static void fuse_op(fusing *f, const op *o)
{
	fused_op *to = &f->at[o->id];
	if (is_of_library(f, o)) {
		fuse_in_library(f, o, to);
		return;
	}
	bool all = runs(o) || o->kind == OP_RESHAPE ? find_roots(f, o, to) : false;
	if (o->n_results == 1 && reads_little(o)) {
		to->fused = true;
		to->stored = !all && !op_has(o, FREE);
		return;
	}
	to->fused = all ? is_fused(f, o, to) : is_made_and_stored(f, o, to);
	to->read_once = to->fused && is_read_once(f, o);
	if (to->fused && all) {
		mark_roots(f, o, to);
		return;
	}
	if (!to->fused)
		to->n_roots = 0;
	if (runs(o))
		end_cluster(f, o, to);
}

void fuse_block(fusing *f, const block *b)
{
	for (const op *o = b->first; o; o = o->next)
		find_inputs(f, o);
	if (f->cpu)
		find_library_kernels(f, b);
	for (const op *o = b->last; o; o = o->prev)
		fuse_op(f, o);
}

bool makes_operand(const fusing *f, const op *o, int k)
{
	const op *def = value_def(operand(o, k));
	return def && def->parent == o->parent && f->at[def->id].fused && can_make(f, o, k, def);
}
