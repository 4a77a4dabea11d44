/* memory.c - what is alive when, and the peak.
 *
 * Ops run in program order.  A value lives from its op to the last op of the same
 * block that uses it, itself or from inside a region.  What only renames a buffer
 * (reshape, barrier, tuple) shares its operand's.  An element-wise op writes into an
 * operand that dies there, if that is a temporary.
 *
 * Arguments and results have memory of their own from the beginning to the end, as XLA and
 * PJRT allocate it; a result takes over a donated argument's.  The rest are temporaries, and
 * two models bracket what a compiler makes of them.  In the upper one only that is fused which
 * every compiler fuses (on CPUs nothing is), values are cut as allocators do, and what libraries
 * and collectives need to put data in another order comes on top.  In the other one element-wise
 * chains are fused: a value that other fusible ops consume takes no memory, and what it reads lives
 * until its consumer has run.  That is the estimate; the lower end of the bracket lets temporaries
 * lie in the memory of results that are not written yet.  Regions and callees add their own peak
 * while their op runs.  What lies in the memory of the host (placement.c) is counted apart, in the
 * same way. docs/memory.md compares with XLA. */
#include "cost/cluster.h"

#include <stdlib.h>

typedef struct value_fact {
	int last;           /* position of the last use in the defining block; -1: none */
	value *root;        /* the value whose buffer this one shares */
	bool virtual;       /* fused away */
	bool reused;        /* its buffer went over to another value: nothing to free */
	bool returned;      /* by main: its memory is that of a result, there from the beginning */
	const value *donor; /* of a result of main: the argument whose memory it takes over */
	bool fixed;         /* argument of main: never freed or reused */
	bool borrowed; /* its buffer was a loop's carried value: counted with the loop's results */
} value_fact;

typedef struct mem_walk {
	const module *m;
	arena *mem;
	bool fused, careful; /* what one compiler fuses; only what all do */
	const fusing *fusing;
	const bool *on_host; /* [n_values]; NULL: nothing is there */
	bool host;           /* the host's memory is counted, not the device's */
	int *pos;            /* [n_ops] in the order in which its block runs */
	int *missing;        /* [n_ops]: of ops_breadth_first(); NULL: the order is the program's */
	value_fact *facts;   /* [n_values] */
	ptr_map func_peaks;  /* func op -> peak + 1 */
	int depth;
} mem_walk;

static value_fact *fact(mem_walk *w, const value *v) { return &w->facts[v->id]; }
static const value_fact *fact_const(const mem_walk *w, const value *v) { return &w->facts[v->id]; }

static bool lies_on_host(const mem_walk *w, const value *v)
{
	return w->on_host && w->on_host[v->id];
}

/* Whether the value lies in the memory that is counted. */
static bool is_counted(const mem_walk *w, const value *v) { return lies_on_host(w, v) == w->host; }

/* Of a temporary: in the upper model as allocators cut them, in the other one without what fits a
 * register; half precision in the upper one and on CPUs as a machine without units for it keeps it.
 */
static int64_t temp_bytes(const mem_walk *w, const value *v)
{
	enum { ALIGNMENT = 64, REGISTER = 8 };
	int64_t n = is_counted(w, v) ? value_bytes(v) : 0;
	if (is_half(v) && w->fusing->cpu)
		n *= 2;
	if (w->fused)
		return n <= REGISTER ? 0 : n;
	return ceil_div(n, ALIGNMENT) * ALIGNMENT;
}

/* ---- what shares, what fuses ------------------------------------------------------- */

static bool renames(const mem_walk *w, const op *o)
{
	switch (o->kind) {
	case OP_CUSTOM_CALL: /* to where it is already */
		return op_places(o) && o->n_operands && o->n_results &&
		       lies_on_host(w, operand(o, 0)) == lies_on_host(w, &o->results[0]);
	case OP_RESHAPE:
	case OP_OPTIMIZATION_BARRIER:
	case OP_GET_TUPLE_ELEMENT:
	case OP_SDY_SHARDING_CONSTRAINT: return true;
	default: return false;
	}
}

/* The operand that the value is only another name of; NULL: none. */
static const value *renamed(const mem_walk *w, const value *v)
{
	const op *o = value_def(v);
	return o && renames(w, o) && (int)v->index < o->n_operands ? operand(o, (int)v->index)
	                                                           : NULL;
}

/* What a loop hands on unchanged stays where it is. */
static bool carries_unchanged(const mem_walk *w, const op *o, int i)
{
	const block *body = o->kind == OP_WHILE ? op_block(o, 1) : NULL;
	const op *end = body ? block_terminator(body) : NULL;
	if (!end || i >= end->n_operands)
		return false;
	const value *v = operand(end, i);
	while (renamed(w, v))
		v = renamed(w, v);
	return v == body->args[i];
}

/* Whether the value is copied to the host right into what it updates there. */
static bool goes_into_update(const mem_walk *w, const value *v)
{
	while (value_has_one_use(v)) {
		const op *o = v->uses->owner;
		if (o->kind == OP_DYNAMIC_UPDATE_SLICE)
			return v == operand(o, 1) && lies_on_host(w, &o->results[0]);
		if (o->kind != OP_RESHAPE && o->kind != OP_BROADCAST_IN_DIM)
			return false;
		v = &o->results[0];
	}
	return false;
}

/* Whether a loop has it in the memory of the host, where it is filled. */
static bool starts_on_host(const mem_walk *w, const value *v)
{
	const use *u = value_has_one_use(v) ? v->uses : NULL;
	return u && u->owner->kind == OP_WHILE && lies_on_host(w, result(u->owner, use_index(u))) &&
	       w->fusing->at[value_def(v)->id].fused;
}

/* Between host and device, parts are copied from and to where they lie. */
static bool moves_in_one(const mem_walk *w, const op *o)
{
	if (starts_on_host(w, &o->results[0]))
		return true;
	if (!lies_on_host(w, &o->results[0]))
		return false;
	return o->kind == OP_SLICE || o->kind == OP_DYNAMIC_SLICE ||
	       ((op_places(o) || o->kind == OP_BROADCAST_IN_DIM) &&
	        goes_into_update(w, &o->results[0]));
}

static bool is_made_by_readers(const mem_walk *w, const op *o)
{
	return w->fusing->at[o->id].fused && !w->fusing->at[o->id].stored;
}

/* What every compiler that fuses lets its readers make: a step of a loop with one reader, and what
 * takes no more memory to keep what it is made of. */
static bool is_made_by_any_reader(const mem_walk *w, const op *o)
{
	return w->careful && is_made_by_readers(w, o) && op_has(o, ELEMENTWISE | MOVES) &&
	       (value_has_one_use(&o->results[0]) || reads_little(o) || reads_one_no_larger(o));
}

static bool is_virtual(const mem_walk *w, const op *o)
{
	if (o->n_results != 1 || fact_const(w, &o->results[0])->returned)
		return false;
	return moves_in_one(w, o) ||
	       (w->fused ? is_made_by_readers(w, o) : is_made_by_any_reader(w, o));
}

/* ---- live ranges of one block --------------------------------------------------------- */

static int last_use(const mem_walk *w, const value *v, const block *b)
{
	int last = -1;
	for (const use *u = v->uses; u; u = u->next) {
		const op *a = op_within(u->owner, b);
		if (a && w->pos[a->id] > last)
			last = w->pos[a->id];
	}
	return last;
}

/* Positions are those of block b; a value from outside lives as long as the op around b. */
static void extend(mem_walk *w, const value *v, const block *b, int to)
{
	value_fact *f = fact(w, v);
	if (f->root && f->last < to && value_block(v) == b)
		f->last = to;
}

static bool passes_at_once(const void *of, const op *o)
{
	const mem_walk *w = of;
	return renames(w, o) || is_virtual(w, o) || op_has(o, CONSTANT);
}

/* Puts the operations into the order in which they run. */
static const op **order_ops(mem_walk *w, const block *b)
{
	int n = 0;
	for (const op *o = b->first; o; o = o->next)
		w->pos[o->id] = n++;
	if (w->missing && op_has(b->last, TERMINATOR)) {
		const op **order = ops_breadth_first(b, passes_at_once, w, w->pos, w->missing,
		                                     w->mem);
		for (int i = 0; i < n; i++)
			w->pos[order[i]->id] = i;
		return order;
	}
	const op **order = NEW_N(w->mem, const op *, n);
	for (const op *o = b->first; o; o = o->next)
		order[w->pos[o->id]] = o;
	return order;
}

static void find_ranges(mem_walk *w, const block *b)
{
	for (int i = 0; i < b->n_args; i++)
		*fact(w, b->args[i]) = (value_fact){.last = last_use(w, b->args[i], b),
		                                    .root = b->args[i],
		                                    .fixed = fact(w, b->args[i])->fixed};
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			value *v = &o->results[i];
			bool share = (renames(w, o) || carries_unchanged(w, o, i)) &&
			             i < o->n_operands && fact(w, operand(o, i))->root;
			*fact(w, v) = (value_fact){.last = last_use(w, v, b),
			                           .root = share ? fact(w, operand(o, i))->root : v,
			                           .returned = fact(w, v)->returned,
			                           .donor = fact(w, v)->donor,
			                           .virtual = is_virtual(w, o)};
		}
	/* Backwards, so that chains of renaming and fusion carry their ends along. */
	for (op *o = b->last; o; o = o->prev)
		for (int i = 0; i < o->n_results; i++) {
			const value_fact *f = fact(w, &o->results[i]);
			if (f->root != &o->results[i])
				extend(w, f->root, b, f->last);
			for (int k = 0; f->virtual && k < o->n_operands; k++)
				extend(w,
				       fact(w, operand(o, k))->root ? fact(w, operand(o, k))->root
				                                    : operand(o, k),
				       b, f->last);
		}
}

/* ---- the walk ------------------------------------------------------------------------------ */

typedef VEC(const value *) value_list;

typedef struct block_walk {
	int64_t live, peak;
	int64_t unwritten; /* bytes of results that nothing has been written to yet */
	value_list *dying; /* [n positions]: values whose last use is there */
	memory *out;       /* main only: curve and tensors at the peak; else NULL */
} block_walk;

static int64_t block_peak(mem_walk *w, const block *b, memory *out);

/* What becomes a result is written into its memory, if that is where it lies.  What only renames
 * another value is, too, if that is made here.  `main_func`: whose body it is, or NULL. */
static void mark_returned(mem_walk *w, const block *b, const op *main_func)
{
	const op *ret = block_terminator(b);
	const int *donor = main_func ? func_donors(w->m, main_func, w->mem) : NULL;
	for (int i = 0; ret && i < ret->n_operands; i++) {
		const value *v = operand(ret, i);
		while (renamed(w, v) && value_def(v)->parent == b)
			v = renamed(w, v);
		if (value_def(v) && value_def(v)->parent == b &&
		    (!main_func ||
		     attrs_on_host(&op_func(main_func)->result_attrs[i]) == lies_on_host(w, v))) {
			fact(w, v)->returned = true;
			fact(w, v)->donor = donor && donor[i] >= 0 ? b->args[donor[i]] : NULL;
		}
	}
}

/* The peak of a block inside of an op.  What a function or a branch yields is a result of the op
 * that runs it; what a loop's body yields takes memory of its own. */
static int64_t region_peak(mem_walk *w, const block *b, bool yields, memory *out)
{
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			fact(w, &o->results[i])->returned = false;
	if (yields)
		mark_returned(w, b, NULL);
	return block_peak(w, b, out);
}

static op *called(const mem_walk *w, const op *call)
{
	op *f = op_callee(w->m, call);
	return f && !func_is_declaration(f) ? f : NULL;
}

static int64_t func_peak(mem_walk *w, const op *call)
{
	op *f = called(w, call);
	if (!f)
		return 0;
	void **memo = ptr_map_at(&w->func_peaks, w->mem, f);
	if (*memo)
		return (int64_t)(intptr_t)*memo - 1;
	*memo = (void *)(intptr_t)1; /* a recursive call counts nothing */
	int64_t peak = region_peak(w, op_body(f), true, NULL);
	*ptr_map_at(&w->func_peaks, w->mem, f) = (void *)(intptr_t)(peak + 1);
	return peak;
}

/* Operands of a product in the order in which it reads them, but for those that are made for it
 * alone; where nobody needs them afterwards they are gone when the result is written. */
static int64_t ordered_operands(const mem_walk *w, const op *o)
{
	int64_t n = 0, result = value_bytes(&o->results[0]);
	for (int i = 0; i < 2; i++) {
		const value *v = operand(o, i);
		const op *def = value_def(v);
		bool made = def && value_has_one_use(v) && op_has(def, ELEMENTWISE | MOVES) &&
		            !fact_const(w, v)->virtual && !w->fusing->at[def->id].library;
		const value *root = fact_const(w, v)->root;
		bool dies = root && !fact_const(w, root)->fixed && value_block(root) == o->parent &&
		            fact_const(w, root)->last <= w->pos[o->id];
		if (!made && is_counted(w, v) && !reads_as_it_lies(w->fusing, o, i))
			n += dies ? max_i64(value_bytes(v) - result, 0) : value_bytes(v);
	}
	return n;
}

/* Whether a product reads operand k in another order than it lies, and nobody writes it so. */
static bool is_copied_for(const mem_walk *w, const op *o, int k)
{
	const value *v = operand(o, k);
	const op *def = value_def(v);
	bool made = def && value_has_one_use(v) && op_has(def, ELEMENTWISE | MOVES) &&
	            !fact_const(w, v)->virtual && !w->fusing->at[def->id].library;
	return !made && is_counted(w, v) && !reads_as_it_lies(w->fusing, o, k);
}

/* The same of the product that an op runs with. */
static int64_t order_of_products(const mem_walk *w, const op *o, int depth)
{
	enum { DEEP = 8 };
	if (o->kind == OP_DOT_GENERAL)
		return ordered_operands(w, o);
	int64_t n = 0;
	for (int i = 0; i < o->n_operands && depth < DEEP && op_has(o, ELEMENTWISE); i++)
		if (fact_const(w, operand(o, i))->virtual && !n)
			n = order_of_products(w, value_def(operand(o, i)), depth + 1);
	return n;
}

static bool runs_regions(const op *o) { return op_has(o, CONTROL | LISTED); }

/* What runs inside of the op needs at most this much more. */
static int64_t inner_peak(mem_walk *w, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		return func_peak(w, o);
	if (!runs_regions(o) && w->fused)
		return (w->fusing->at[o->id].has_product && !w->missing ? order_of_products(w, o, 0)
		                                                        : 0) +
		       (w->host ? 0 : scratch_besides(w->fusing, o));
	if (!runs_regions(o)) /* reducers work on scalars */
		return w->host ? 0 : max_i64(op_scratch(o), scratch_besides(w->fusing, o));
	int64_t peak = 0;
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			peak = max_i64(peak,
			               region_peak(w, op_block(o, r), o->kind != OP_WHILE, NULL));
	return peak;
}

/* Whether what runs with the last op that reads it reads some elements at other places. */
static bool is_read_in_another_order(const mem_walk *w, const value *v)
{
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = u->owner;
		if (!op_has(o, ELEMENTWISE) && !renames(w, o) && o->n_results == 1 &&
		    fact_const(w, &o->results[0])->virtual)
			return true;
	}
	return false;
}

static bool dies_alike(mem_walk *w, const value *root, const block *b, int at, const value *into)
{
	const value_fact *f = fact(w, root);
	return value_block(root) == b && !f->fixed && !f->reused && !f->returned && f->last == at &&
	       value_bytes(root) == value_bytes(into) &&
	       lies_on_host(w, root) == lies_on_host(w, into) && !is_read_in_another_order(w, root);
}

/* A value as large as `into`, and in the same memory, that operands [first, end) of `o` read and
 * that dies at position `at`; what is fused into the op is looked through. */
static value *dying_source(mem_walk *w, const op *o, int first, int end, const block *b, int at,
                           const value *into, int depth)
{
	enum { DEEP = 8 };
	for (int k = first; k < end && k < o->n_operands; k++) {
		value *root = fact(w, operand(o, k))->root;
		if (!root)
			continue;
		bool fused = fact(w, root)->virtual;
		value *from = NULL;
		if (!fused && dies_alike(w, root, b, at, into))
			from = root;
		else if (fused && value_def(root) && depth < DEEP &&
		         op_has(value_def(root), ELEMENTWISE))
			from = dying_source(w, value_def(root), 0, value_def(root)->n_operands, b,
			                    at, into, depth + 1);
		if (from)
			return from;
	}
	return NULL;
}

/* An operand whose buffer result i may take over, or NULL. */
static value *reusable(mem_walk *w, const op *o, int i, int at)
{
	const value *into = &o->results[i];
	switch (o->kind) {
	case OP_DYNAMIC_UPDATE_SLICE:
	case OP_SCATTER: return dying_source(w, o, 0, 1, o->parent, at, into, 0);
	case OP_SORT:
	case OP_WHILE: return dying_source(w, o, i, i + 1, o->parent, at, into, 0);
	default: break;
	}
	if (op_is_ragged_all_to_all(o)) /* into its output */
		return dying_source(w, o, 1, 2, o->parent, at, into, 0);
	return op_has(o, ELEMENTWISE) ? dying_source(w, o, 0, o->n_operands, o->parent, at, into, 0)
	                              : NULL;
}

static void define_results(mem_walk *w, block_walk *bw, const op *o, int at)
{
	for (int i = 0; i < o->n_results; i++) {
		const value *v = &o->results[i];
		value_fact *f = fact(w, v);
		if (f->virtual || f->root != v)
			continue;
		value *from = f->returned ? NULL : reusable(w, o, i, at);
		if (f->returned) {
			bw->unwritten -= is_counted(w, v) ? value_bytes(v) : 0;
			continue;
		}
		if (from) {
			fact(w, from)->reused = true;
			f->borrowed = !value_def(from) || fact(w, from)->borrowed;
		} else {
			bw->live += temp_bytes(w, v);
		}
		if (f->last < 0)
			f->last = at; /* unused: freed at once */
		vec_push(w->mem, &bw->dying[f->last], v);
	}
}

static void free_dying(mem_walk *w, block_walk *bw, int at)
{
	for (int i = 0; i < bw->dying[at].len; i++) {
		const value *v = bw->dying[at].ptr[i];
		const value_fact *f = fact(w, v);
		if (!f->reused && !f->fixed && !f->virtual && !f->returned && !f->borrowed)
			bw->live -= temp_bytes(w, v);
	}
}

/* Whether a donated argument is still read when `v` would be written over it. */
static bool donor_is_needed(mem_walk *w, const value *v, const value *donor)
{
	return donor && value_def(v) && fact(w, donor)->last > w->pos[value_def(v)->id];
}

/* What dies in becoming a result is in its memory already, if that is free by then. */
static void extend_results(mem_walk *w, const block *b)
{
	for (const op *o = b->last; o; o = o->prev)
		for (int i = 0; i < o->n_results; i++) {
			value_fact *f = fact(w, &o->results[i]);
			f->returned = f->returned && !donor_is_needed(w, &o->results[i], f->donor);
			value *from = f->returned ? reusable(w, o, i, w->pos[o->id]) : NULL;
			if (!from || donor_is_needed(w, from, f->donor))
				continue;
			fact(w, from)->returned = true;
			fact(w, from)->donor = f->donor;
		}
}

/* A copy that is made as soon as what is copied is there, and lives as long as the product runs. */
static void copy_early(mem_walk *w, int64_t *more, const value *v, const op *product, int64_t bytes)
{
	const value *root = fact(w, v)->root ? fact(w, v)->root : v;
	const op *def = value_def(root);
	const value_fact *f = fact(w, &product->results[0]);
	int end = f->virtual ? f->last : w->pos[product->id];
	int start = def && def->parent == product->parent ? w->pos[def->id] + 1 : 0;
	start = start < end ? start : end;
	more[start] += bytes;
	more[end + 1] -= bytes;
}

/* What products read of half precision is converted to 32 bits, once for all of them. */
static void widen_argument(mem_walk *w, int64_t *more, const block *b, const value *v)
{
	enum { WIDER = 2 };
	int last = -1;
	for (const use *u = v->uses; u; u = u->next)
		if (op_has(u->owner, PRODUCT) && u->owner->parent == b &&
		    w->pos[u->owner->id] > last)
			last = w->pos[u->owner->id];
	if (last < 0)
		return;
	more[0] += WIDER * value_bytes(v);
	more[last + 1] -= WIDER * value_bytes(v);
}

/* By operation, the bytes of copies that begin to live there, less those that ended before. */
static int64_t *copies_of_operands(mem_walk *w, const block *b, int n)
{
	int64_t *more = NEW_N(w->mem, int64_t, n + 1);
	for (const op *o = b->first; w->missing && o; o = o->next)
		for (int k = 0; k < 2 && o->kind == OP_DOT_GENERAL; k++)
			if (is_copied_for(w, o, k))
				copy_early(w, more, operand(o, k), o, value_bytes(operand(o, k)));
	for (int i = 0; w->missing && i < b->n_args; i++)
		if (is_half(b->args[i]))
			widen_argument(w, more, b, b->args[i]);
	return more;
}

/* Peak of temporaries inside the block, without its arguments and free values. */
static int64_t block_peak(mem_walk *w, const block *b, memory *out)
{
	enum { MAX_DEPTH = 200 };
	if (!b->first || w->depth > MAX_DEPTH)
		return 0;
	w->depth++;
	const op **order = order_ops(w, b);
	find_ranges(w, b);
	extend_results(w, b);
	block_walk bw = {.out = out};
	int n = 0;
	for (const op *o = b->first; o; o = o->next)
		n++;
	bw.dying = NEW_N(w->mem, value_list, n);
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			if (fact(w, &o->results[i])->returned && is_counted(w, &o->results[i]))
				bw.unwritten += value_bytes(&o->results[i]);
	int64_t *more = copies_of_operands(w, b, n), copied = 0;
	for (int at = 0; at < n; at++) {
		const op *o = order[at];
		define_results(w, &bw, o, at);
		copied += more[at];
		int64_t inside = inner_peak(w, o), now = bw.live + inside + copied;

		if (out) {
			out->temp_lower = max_i64(out->temp_lower, now - max_i64(bw.unwritten, 0));
			vec_push(w->mem, &out->curve, now);
			if (now > bw.peak) {
				out->peak_at = out->curve.len - 1;
				out->inside_at_peak = inside;
			}
		}
		bw.peak = max_i64(bw.peak, now);
		free_dying(w, &bw, at);
	}
	w->depth--;
	return bw.peak;
}

/* ---- main ------------------------------------------------------------------------------------ */

static int by_bytes(const void *a, const void *b)
{
	const live_tensor *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->v->id > y->v->id) - (x->v->id < y->v->id);
}

static void sort_at_peak(memory *out)
{
	if (out->at_peak.len)
		qsort(out->at_peak.ptr, (size_t)out->at_peak.len, sizeof(live_tensor), by_bytes);
}

static void block_at_peak(mem_walk *w, const block *b, memory *out);

/* What the op at work needs besides, opened: that of its region with the highest peak. */
static live_tensor inside_at_peak(mem_walk *w, const op *o, int64_t bytes)
{
	live_tensor row = {&o->results[0], bytes, LIVE_INSIDE, 0, NULL};
	const block *b = NULL;
	memory inner = {0};
	int64_t most = 0;
	if (called(w, o))
		b = op_body(called(w, o));
	for (int r = 0; runs_regions(o) && r < op_n_regions(o); r++) {
		const block *k = op_block(o, r);
		int64_t peak = k ? region_peak(w, k, o->kind != OP_WHILE, NULL) : 0;
		if (peak > most)
			most = peak, b = k;
	}
	if (!b)
		return row;
	region_peak(w, b, o->kind != OP_WHILE, &inner);
	block_at_peak(w, b, &inner);
	sort_at_peak(&inner);
	row.within = inner.at_peak.ptr;
	row.n_within = inner.at_peak.len;
	return row;
}

static void temporaries_at_peak(mem_walk *w, const op *o, memory *out)
{
	int at = w->pos[o->id];
	if (at > out->peak_at)
		return;
	for (int i = 0; i < o->n_results; i++) {
		const value *v = &o->results[i];
		const value_fact *f = fact(w, v);
		bool handed_on = f->reused && f->last == out->peak_at;
		if (f->last >= out->peak_at && !handed_on && !f->virtual && f->root == v &&
		    !f->returned && !f->borrowed && temp_bytes(w, v))
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){v, temp_bytes(w, v), LIVE_TEMPORARY, 0, NULL});
	}
	if (at == out->peak_at && out->inside_at_peak && o->n_results)
		vec_push(w->mem, &out->at_peak, inside_at_peak(w, o, out->inside_at_peak));
}

static void block_at_peak(mem_walk *w, const block *b, memory *out)
{
	enum { MAX_DEPTH = 200 };
	w->depth++;
	for (const op *o = b->first; o && out->curve.len && w->depth < MAX_DEPTH; o = o->next)
		temporaries_at_peak(w, o, out);
	w->depth--;
}

static void tensors_at_peak(mem_walk *w, const op *main_func, memory *out)
{
	const block *b = op_body(main_func);
	const op *ret = block_terminator(b);
	const func *f = op_func(main_func);
	for (int i = 0; i < b->n_args; i++)
		if (attrs_on_host(&f->arg_attrs[i]) == w->host)
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){b->args[i], value_bytes(b->args[i]), LIVE_ARGUMENT,
			                       0, NULL});
	const int *donor = func_donors(w->m, main_func, w->mem);
	for (int i = 0; ret && i < ret->n_operands; i++)
		if (donor[i] < 0 && attrs_on_host(&f->result_attrs[i]) == w->host)
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){operand(ret, i), value_bytes(operand(ret, i)),
			                       LIVE_RESULT, 0, NULL});
	block_at_peak(w, b, out);
	sort_at_peak(out);
}

/* Whose memory is counted, and what lies where. */
typedef struct counted {
	const module *m;
	const op *main_func;
	const clusters *clusters;
	const bool *on_host;
	bool host;
	arena *mem;
} counted;

typedef enum fused_by { FUSED_BY_ONE, FUSED_BY_ALL, FUSED_BY_NONE, FUSED_IN_BREADTH } fused_by;

static int64_t run_model(const counted *c, fused_by who, memory *out)
{
	mem_walk w = {.m = c->m,
	              .mem = c->mem,
	              .fused = who == FUSED_BY_ONE || who == FUSED_IN_BREADTH,
	              .careful = who == FUSED_BY_ALL,
	              .fusing = c->clusters->fusing,
	              .on_host = c->on_host,
	              .host = c->host};
	w.pos = NEW_N(c->mem, int, c->m->n_ops);
	w.facts = NEW_N(c->mem, value_fact, c->m->n_values);
	if (who == FUSED_IN_BREADTH)
		w.missing = NEW_N(c->mem, int, c->m->n_ops);
	const block *b = op_body(c->main_func);
	for (int i = 0; i < b->n_args; i++)
		fact(&w, b->args[i])->fixed = true;
	mark_returned(&w, b, c->main_func);
	int64_t peak = block_peak(&w, b, out);
	if (out)
		tensors_at_peak(&w, c->main_func, out);
	return peak;
}

/* What is fused lets its operands live longer: where that costs more than it saves, a compiler
 * does not fuse. */
static void find_temporaries(const counted *c, memory *out)
{
	memory unfused = *out;
	int64_t none = run_model(c, FUSED_BY_NONE, NULL);
	out->temp = run_model(c, FUSED_BY_ONE, out);
	if (out->temp > none) {
		int64_t lower = out->temp_lower;
		*out = unfused;
		out->temp = run_model(c, FUSED_BY_NONE, out);
		out->temp_lower = min_i64(out->temp_lower, lower);
	}
	if (c->clusters->fusing->cpu)
		out->temp_upper = max_i64(none, run_model(c, FUSED_IN_BREADTH, NULL));
	else
		out->temp_upper = max_i64(out->temp,
		                          min_i64(none, run_model(c, FUSED_BY_ALL, NULL)));
	out->temp_lower = min_i64(out->temp_lower, out->temp);
}

static void count_memory(const counted *c, memory *out)
{
	const block *b = op_body(c->main_func);
	const func *f = op_func(c->main_func);
	const int *donor = func_donors(c->m, c->main_func, c->mem);
	for (int i = 0; i < b->n_args; i++)
		if (attrs_on_host(&f->arg_attrs[i]) == c->host)
			out->arguments += value_bytes(b->args[i]);
	for (int i = 0; i < f->type->n_out; i++) {
		if (attrs_on_host(&f->result_attrs[i]) != c->host)
			continue;
		int64_t bytes = max_i64(type_packed_bytes(f->type->out[i]), 0);
		out->results += bytes;
		out->donated += donor[i] >= 0 ? bytes : 0;
	}
	find_temporaries(c, out);
	out->peak = out->arguments + out->results - out->donated + out->temp;
}

void memory_of(const module *m, const clusters *c, arena *mem, memory *device, memory *host)
{
	*device = *host = (memory){.arguments = 0};
	const op *main_func = module_main(m);
	if (!main_func || func_is_declaration(main_func))
		return;
	const bool *on_host = values_on_host(m, main_func, mem);
	count_memory(&(counted){m, main_func, c, on_host, false, mem}, device);
	if (on_host)
		count_memory(&(counted){m, main_func, c, on_host, true, mem}, host);
}
