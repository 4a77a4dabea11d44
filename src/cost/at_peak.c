/* at_peak.c - lists the tensors that live at the peak. */
#include "cost/live.h"

#include <stdlib.h>

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

live_tensor inside_at_peak(mem_walk *w, const op *o, int64_t bytes)
{
	live_tensor row = {&o->results[0], bytes, LIVE_INSIDE, 0, NULL};
	const block *b = NULL;
	memory inner = {0};
	int64_t most = 0;
	if (called(w, o))
		b = op_body(called(w, o));
	for (int r = 0; runs_regions(o) && r < op_n_regions(o); r++) {
		const block *k = op_block(o, r);
		int64_t peak = k ? region_peak(w, k, NULL) : 0;
		if (peak > most)
			most = peak, b = k;
	}
	if (!b)
		return row;
	region_peak(w, b, &inner);
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
	if (w->buffer_of)
		return; /* assigned_peak() has listed them */
	w->depth++;
	for (const op *o = b->first; o && out->curve.len && w->depth < MOST_NESTED; o = o->next)
		temporaries_at_peak(w, o, out);
	w->depth--;
}

void tensors_at_peak(mem_walk *w, const op *main_func, memory *out)
{
	const block *b = op_body(main_func);
	const op *ret = block_terminator(b);
	const func *f = op_func(main_func);
	for (int i = 0; i < b->n_args; i++)
		if (attrs_on_host(&f->arg_attrs[i]) == w->host)
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){b->args[i], value_bytes(b->args[i]), LIVE_ARGUMENT,
			                       0, NULL});
	const int *donor = w->donor;
	for (int i = 0; ret && i < ret->n_operands; i++)
		if (donor[i] < 0 && attrs_on_host(&f->result_attrs[i]) == w->host)
			vec_push(w->mem, &out->at_peak,
			         (live_tensor){operand(ret, i), value_bytes(operand(ret, i)),
			                       LIVE_RESULT, 0, NULL});
	block_at_peak(w, b, out);
	sort_at_peak(out);
}
