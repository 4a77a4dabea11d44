/* peak.c - walks through a block and finds how much lives at the same time. */
#include "cost/live.h"

typedef struct block_walk {
	int64_t live, peak;
	int64_t unwritten; /* bytes of results that have not been written yet */
	const value **dying; /* [n positions]: the newest value whose last use is there; the others
			      * follow (value_fact) */
	memory *out;       /* of main only: curve and tensors at the peak; else NULL */
} block_walk;

void mark_returned(mem_walk *w, const block *b, const op *main_func)
{
	const op *ret = block_terminator(b);
	const int *donor = main_func ? w->donor : NULL;
	for (int i = 0; ret && i < ret->n_operands; i++) {
		const value *v = operand(ret, i);
		while (renamed(w, v) && value_def(v)->parent == b)
			v = renamed(w, v);
		if (value_def(v) && value_def(v)->parent == b &&
		    (!main_func || !w->on_host ||
		     attrs_on_host(&op_func(main_func)->result_attrs[i]) == lies_on_host(w, v))) {
			fact(w, v)->returned = true;
			fact(w, v)->donor = donor && donor[i] >= 0 ? b->args[donor[i]] : NULL;
		}
	}
}

int64_t region_peak(mem_walk *w, const block *b, memory *out)
{
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			fact(w, &o->results[i])->returned = false;
	if (block_parent(b)->kind != OP_WHILE)
		mark_returned(w, b, NULL);
	return block_peak(w, b, out);
}

op *called(const mem_walk *w, const op *call)
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
	int64_t peak = region_peak(w, op_body(f), NULL);
	*ptr_map_at(&w->func_peaks, w->mem, f) = (void *)(intptr_t)(peak + 1);
	return peak;
}

/* Returns the size of a product's operands in the order in which it reads them. Operands that are
 * computed for it alone are not copied. Those that have no later use are freed when the result is
 * written. */
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

/* The same for the product with which an op is fused. */
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

bool runs_regions(const op *o) { return op_has(o, CONTROL | LISTED); }

int64_t inner_peak(mem_walk *w, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		return func_peak(w, o);
	if (!runs_regions(o) && w->buffer_of)
		return w->host || o->kind != OP_SELECT_AND_SCATTER ? 0 : scratch_besides(w->fusing, o);
	if (!runs_regions(o) && w->fused)
		return (w->fusing->at[o->id].has_product ? order_of_products(w, o, 0)
		                                                        : 0) +
		       (w->host ? 0 : scratch_besides(w->fusing, o));
	if (!runs_regions(o)) /* the regions of reducers work on scalars */
		return w->host ? 0 : max_i64(op_scratch(o), scratch_besides(w->fusing, o));
	int64_t peak = 0;
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			peak = max_i64(peak, region_peak(w, op_block(o, r), NULL));
	return peak;
}

/* True if an op that is fused with the last reader reads some elements at other positions. */
static bool is_read_in_another_order(const mem_walk *w, const value *v)
{
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = u->owner;
		if (!op_has(o, ELEMENTWISE) && !op_shares(w, o) && o->n_results == 1 &&
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

/* Returns a value as large as `into`, and in the same memory, that operands [first, end) of `o`
 * read and whose life ends at position `at`, looking through what is fused into the op. */
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

/* Returns an operand whose buffer result i may take over, or NULL. */
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
			f->last = at; /* it has no use: freed immediately */
		f->dies_with = bw->dying[f->last];
		bw->dying[f->last] = v;
	}
}

static void free_dying(mem_walk *w, block_walk *bw, int at)
{
	for (const value *v = bw->dying[at]; v; v = fact_const(w, v)->dies_with) {
		const value_fact *f = fact(w, v);
		if (!f->reused && !f->fixed && !f->virtual && !f->returned && !f->borrowed)
			bw->live -= temp_bytes(w, v);
	}
}

/* True if a donated argument still has uses when `v` would be written over it. */
static bool donor_is_needed(mem_walk *w, const value *v, const value *donor)
{
	return donor && value_def(v) && fact(w, donor)->last > w->pos[value_def(v)->id];
}

/* A value whose last use computes a result can be in that result's memory, if the memory is free by
 * then. */
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

/* Returns the peak of temporaries inside the block, without its arguments and the values from
 * outside. */
int64_t block_peak(mem_walk *w, const block *b, memory *out)
{
	if (!b->first || w->depth > MOST_NESTED)
		return 0;
	w->depth++;
	if (w->buffer_of) {
		int64_t peak = assigned_peak(w, b, out);
		w->depth--;
		return peak;
	}
	int n = number_ops(w, b), at = 0;
	find_ranges(w, b);
	extend_results(w, b);
	block_walk bw = {.out = out, .dying = NEW_N(w->mem, const value *, n)};
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			if (fact(w, &o->results[i])->returned && is_counted(w, &o->results[i]))
				bw.unwritten += value_bytes(&o->results[i]);
	for (const op *o = b->first; o; o = o->next, at++) {
		define_results(w, &bw, o, at);
		int64_t inside = inner_peak(w, o), now = bw.live + inside;

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
