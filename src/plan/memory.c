/* memory.c - what is alive when, and the peak.
 *
 * Ops run in program order.  A value lives from its op to the last op of the same
 * block that uses it, itself or from inside a region.  What only renames a buffer
 * (reshape, barrier, tuple) shares its operand's.  An element-wise op writes into an
 * operand that dies there, if that is a temporary or a donated argument.
 *
 * Two models bracket what a compiler will do.  In the upper one every value is
 * materialised.  In the lower one element-wise chains are fused: a value that one
 * other fusible op consumes, or that is cheap to make again (iota, splats,
 * broadcasts of little), takes no memory, and what it reads lives until its consumer
 * has run.  Regions and callees add their own peak while their op runs. */
#include "plan/memory.h"

#include <stdlib.h>

typedef struct value_fact {
	int last;     /* position of the last use in the defining block; -1: none */
	value *root;  /* the value whose buffer this one shares */
	bool virtual; /* fused away */
	bool reused;  /* its buffer went over to another value: nothing to free */
	bool returned; /* by main */
	bool fixed;   /* argument of main that is not donated: never freed or reused */
} value_fact;

typedef struct mem_walk {
	const module *m;
	arena *mem;
	bool fused;
	int *pos;          /* [n_ops] in its block */
	value_fact *facts; /* [n_values] */
	ptr_map func_peaks; /* func op -> peak + 1 */
	int depth;
} mem_walk;

static value_fact *fact(mem_walk *w, const value *v) { return &w->facts[v->id]; }

static int64_t bytes_of_value(const value *v)
{
	return max_i64(type_bytes(v->type), 0);
}

/* ---- what shares, what fuses ------------------------------------------------------- */

static bool renames(const op *o)
{
	switch (o->kind) {
	case OP_RESHAPE:
	case OP_OPTIMIZATION_BARRIER:
	case OP_GET_TUPLE_ELEMENT:
	case OP_SDY_SHARDING_CONSTRAINT: return true;
	default: return false;
	}
}

static bool fusible(const op *o)
{
	switch (o->kind) {
	case OP_BROADCAST_IN_DIM:
	case OP_IOTA:
	case OP_SLICE:
	case OP_PAD:
	case OP_REVERSE:
	case OP_TRANSPOSE:
	case OP_DYNAMIC_SLICE:
	case OP_CONCATENATE:
	case OP_RESHAPE: return true;
	default: return op_has(o, ELEMENTWISE);
	}
}

static bool consumes_fused(const op *o)
{
	return fusible(o) || o->kind == OP_REDUCE;
}

/* Cheaper to make again at each use than to keep. */
static bool cheap(const op *o)
{
	enum { LITTLE = 4096 };
	if (o->kind == OP_IOTA)
		return true;
	if (o->kind == OP_CONSTANT) {
		const attr *a = op_attr(o, N_value);
		return a && a->kind == AT_DENSE && a->splat;
	}
	return o->kind == OP_BROADCAST_IN_DIM && bytes_of_value(operand(o, 0)) <= LITTLE;
}

static bool is_virtual(const mem_walk *w, const op *o)
{
	if (!w->fused || o->n_results != 1)
		return false;
	if (cheap(o))
		return true;
	const value *v = &o->results[0];
	return fusible(o) && value_has_one_use(v) && v->uses->owner->parent == o->parent &&
	       consumes_fused(v->uses->owner);
}

/* ---- live ranges of one block --------------------------------------------------------- */

/* The op of block b that is or contains o. */
static const op *ancestor_in(const op *o, const block *b)
{
	while (o && o->parent != b)
		o = op_parent(o);
	return o;
}

static int last_use(const mem_walk *w, const value *v, const block *b)
{
	int last = -1;
	for (const use *u = v->uses; u; u = u->next) {
		const op *a = ancestor_in(u->owner, b);
		if (a && w->pos[a->id] > last)
			last = w->pos[a->id];
	}
	return last;
}

static void extend(mem_walk *w, const value *v, int to)
{
	value_fact *f = fact(w, v);
	if (f->root && f->last < to)
		f->last = to;
}

static void number_ops(mem_walk *w, const block *b)
{
	int i = 0;
	for (const op *o = b->first; o; o = o->next)
		w->pos[o->id] = i++;
}

static void find_ranges(mem_walk *w, const block *b)
{
	for (int i = 0; i < b->n_args; i++)
		*fact(w, b->args[i]) = (value_fact){.last = last_use(w, b->args[i], b),
		                                    .root = b->args[i], .fixed = fact(w, b->args[i])->fixed};
	for (op *o = b->first; o; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			value *v = &o->results[i];
			bool share = renames(o) && i < o->n_operands && fact(w, operand(o, i))->root;
			*fact(w, v) = (value_fact){.last = last_use(w, v, b),
			                           .root = share ? fact(w, operand(o, i))->root : v,
			                           .virtual = is_virtual(w, o)};
		}
	/* Backwards, so that chains of renaming and fusion carry their ends along. */
	for (op *o = b->last; o; o = o->prev)
		for (int i = 0; i < o->n_results; i++) {
			const value_fact *f = fact(w, &o->results[i]);
			if (f->root != &o->results[i])
				extend(w, f->root, f->last);
			for (int k = 0; f->virtual && k < o->n_operands; k++)
				extend(w, fact(w, operand(o, k))->root ? fact(w, operand(o, k))->root
				                                       : operand(o, k), f->last);
		}
}

/* ---- the walk ------------------------------------------------------------------------------ */

typedef VEC(const value *) value_list;

typedef struct block_walk {
	int64_t live, peak;
	value_list *dying; /* [n positions]: values whose last use is there */
	memory *out;       /* main only: curve and tensors at the peak; else NULL */
} block_walk;

static int64_t block_peak(mem_walk *w, const block *b, memory *out);

static int64_t func_peak(mem_walk *w, const op *call)
{
	const attr *callee = op_attr(call, N_callee);
	op *f = callee && callee->kind == AT_SYMBOL ? module_lookup(w->m, callee->text) : NULL;
	if (!f || func_is_declaration(f))
		return 0;
	void **memo = ptr_map_at(&w->func_peaks, w->mem, f);
	if (*memo)
		return (int64_t)(intptr_t)*memo - 1;
	*memo = (void *)(intptr_t)1; /* a recursive call counts nothing */
	int64_t peak = block_peak(w, op_body(f), NULL);
	*ptr_map_at(&w->func_peaks, w->mem, f) = (void *)(intptr_t)(peak + 1);
	return peak;
}

/* What runs inside of the op needs at most this much more. */
static int64_t inner_peak(mem_walk *w, const op *o)
{
	if (o->kind == OP_FUNC_CALL)
		return func_peak(w, o);
	int64_t peak = 0;
	if (o->kind != OP_WHILE && o->kind != OP_CASE && o->kind != OP_IF &&
	    o->kind != OP_SDY_MANUAL_COMPUTATION && o->kind != OP_SDY_NAMED_COMPUTATION)
		return 0; /* reducers work on scalars */
	for (int r = 0; r < o->n_regions; r++)
		if (op_block(o, r))
			peak = max_i64(peak, block_peak(w, op_block(o, r), NULL));
	return peak;
}

/* An operand whose buffer result i may take over, or NULL. */
static value *reusable(mem_walk *w, const op *o, int i, int at)
{
	bool in_place = op_has(o, ELEMENTWISE) || o->kind == OP_DYNAMIC_UPDATE_SLICE ||
	                o->kind == OP_WHILE || o->kind == OP_SCATTER;
	int first = o->kind == OP_WHILE ? i : 0;
	int end = o->kind == OP_DYNAMIC_UPDATE_SLICE || o->kind == OP_SCATTER ? 1
	          : o->kind == OP_WHILE                                       ? i + 1
	                                                                      : o->n_operands;
	for (int k = first; in_place && k < end && k < o->n_operands; k++) {
		value *root = fact(w, operand(o, k))->root;
		if (!root || value_block(root) != o->parent)
			continue;
		const value_fact *f = fact(w, root);
		if (!f->fixed && !f->virtual && !f->reused && f->last == at &&
		    bytes_of_value(root) == bytes_of_value(&o->results[i]))
			return root;
	}
	return NULL;
}

static void define_results(mem_walk *w, block_walk *bw, op *o, int at)
{
	for (int i = 0; i < o->n_results; i++) {
		value *v = &o->results[i];
		value_fact *f = fact(w, v);
		if (f->virtual || f->root != v)
			continue;
		value *from = reusable(w, o, i, at);
		if (from)
			fact(w, from)->reused = true;
		else
			bw->live += bytes_of_value(v);
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
		if (!f->reused && !f->fixed && !f->virtual)
			bw->live -= bytes_of_value(v);
	}
}

/* Peak of temporaries inside the block, without its arguments and free values. */
static int64_t block_peak(mem_walk *w, const block *b, memory *out)
{
	enum { MAX_DEPTH = 200 };
	if (!b->first || w->depth > MAX_DEPTH)
		return 0;
	w->depth++;
	number_ops(w, b);
	find_ranges(w, b);
	block_walk bw = {.out = out};
	bw.dying = NEW_N(w->mem, value_list, w->pos[b->last->id] + 1);
	/* What the terminator yields stays. */
	for (op *o = b->first; o; o = o->next) {
		int at = w->pos[o->id];
		define_results(w, &bw, o, at);
		int64_t now = bw.live + inner_peak(w, o);
		if (out) {
			vec_push(w->mem, &out->curve, now);
			vec_push(w->mem, &out->curve_ops, o);
			if (now > bw.peak)
				out->peak_at = out->curve.len - 1;
		}
		bw.peak = max_i64(bw.peak, now);
		free_dying(w, &bw, at);
	}
	w->depth--;
	return bw.peak;
}

/* ---- main ------------------------------------------------------------------------------------ */

static bool is_donated(const op *main_func, int i)
{
	const attr_list *l = &main_func->func->arg_attrs[i];
	return attrs_get(l, N_tf_aliasing_output) || attrs_get(l, N_jax_buffer_donor);
}

static int by_bytes(const void *a, const void *b)
{
	const live_tensor *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->v->id > y->v->id) - (x->v->id < y->v->id);
}

static void tensors_at_peak(mem_walk *w, const op *main_func, memory *out)
{
	const block *b = op_body(main_func);
	for (int i = 0; i < b->n_args; i++)
		vec_push(w->mem, &out->at_peak,
		         (live_tensor){b->args[i], bytes_of_value(b->args[i]), LIVE_ARGUMENT});
	const op *ret = block_terminator(b);
	for (int i = 0; ret && i < ret->n_operands; i++)
		fact(w, fact(w, operand(ret, i))->root)->returned = true;
	for (op *o = b->first; o && out->curve.len; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			value *v = &o->results[i];
			const value_fact *f = fact(w, v);
			bool alive = w->pos[o->id] <= out->peak_at && f->last >= out->peak_at;
			bool handed_on = f->reused && f->last == out->peak_at;
			if (f->virtual || f->root != v || !alive || handed_on || !bytes_of_value(v))
				continue;
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){v, bytes_of_value(v),
			                       f->returned ? LIVE_RESULT : LIVE_TEMPORARY});
		}
	qsort(out->at_peak.ptr, (size_t)out->at_peak.len, sizeof(live_tensor), by_bytes);
}

static int64_t run_model(const module *m, const op *main_func, bool fused, arena *mem, memory *out)
{
	mem_walk w = {.m = m, .mem = mem, .fused = fused};
	w.pos = NEW_N(mem, int, m->n_ops);
	w.facts = NEW_N(mem, value_fact, m->n_values);
	const block *b = op_body(main_func);
	for (int i = 0; i < b->n_args; i++)
		fact(&w, b->args[i])->fixed = true;
	int64_t peak = block_peak(&w, b, out);
	if (out)
		tensors_at_peak(&w, main_func, out);
	return peak;
}

void memory_of(const module *m, arena *mem, memory *out)
{
	*out = (memory){.arguments = 0};
	const op *main_func = module_main(m);
	if (!main_func || func_is_declaration(main_func))
		return;
	const block *b = op_body(main_func);
	for (int i = 0; i < b->n_args; i++) {
		out->arguments += bytes_of_value(b->args[i]);
		if (is_donated(main_func, i))
			out->donated += bytes_of_value(b->args[i]);
	}
	const type *t = main_func->func->type;
	for (int i = 0; i < t->n_out; i++)
		out->results += max_i64(type_bytes(t->out[i]), 0);
	out->donated = min_i64(out->donated, out->results);
	int64_t upper = run_model(m, main_func, false, mem, NULL);
	int64_t lower = run_model(m, main_func, true, mem, out);
	/* The results are among what the walk found alive; a donated argument gives
	 * its memory to a result. */
	out->peak = out->arguments + lower - min_i64(out->donated, lower);
	out->temp_upper = max_i64(upper - out->results, 0);
	out->temp_lower = max_i64(lower - out->results, 0);
}
