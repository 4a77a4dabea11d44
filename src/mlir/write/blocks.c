/* blocks.c - prints the blocks of a region, ^bb0, ^bb1, …, each with its predecessors in a comment
 * after the label, as MLIR does. */
#include "mlir/write/write.h"

static void write_label(printer *p, const block *b)
{
	write_block_name(p, b);
	if (b->n_args) {
		put_c(p->w, '(');
		for (int i = 0; i < b->n_args; i++) {
			if (i)
				put_lit(p->w, ", ");
			write_value(p, b->args[i]);
			put_lit(p->w, ": ");
			write_type(p, b->args[i]->type);
			write_arg_loc(p, b->args[i]);
		}
		put_c(p->w, ')');
	}
	put_c(p->w, ':');
}

/* The predecessors of the blocks of a region, by number: those of block i are from[begin[i] …
 * begin[i + 1]), in order. */
typedef struct block_edges {
	uint32_t *begin;
	const block **from;
} block_edges;

static block_edges edges_of(printer *p, const region *g, uint32_t n)
{
	block_edges e = {.begin = NEW_N(p->mem, uint32_t, n + 2)};
	int k;
	for (const block *b = g->first; b; b = b->next) {
		block *const *to = b->last ? op_successors(b->last, &k) : (k = 0, NULL);
		for (int i = 0; i < k; i++)
			e.begin[*block_number(p, to[i]) + 2]++;
	}
	for (uint32_t i = 2; i < n + 2; i++)
		e.begin[i] += e.begin[i - 1];
	e.from = NEW_N(p->mem, const block *, e.begin[n + 1]);
	for (const block *b = g->first; b; b = b->next) {
		block *const *to = b->last ? op_successors(b->last, &k) : (k = 0, NULL);
		for (int i = 0; i < k; i++)
			e.from[e.begin[*block_number(p, to[i]) + 1]++] = b;
	}
	return e;
}

static void write_predecessors(printer *p, const block_edges *e, uint32_t number)
{
	uint32_t at = e->begin[number], end = e->begin[number + 1];
	if (at == end)
		put_z(p->w, number ? "  // no predecessors" : "");
	else if (end - at == 1)
		put_lit(p->w, "  // pred: ");
	else
		put_f(p->w, "  // %" PRIu32 " preds: ", end - at);
	for (uint32_t i = at; i < end; i++) {
		if (i > at)
			put_lit(p->w, ", ");
		write_block_name(p, e->from[i]);
	}
}

static void write_blocks(printer *p, const region *g, bool entry_args, bool end)
{
	uint32_t n = 0;
	block_edges edges = {0};
	if (g->first != g->last || (g->first && g->first->successors)) {
		for (const block *b = g->first; b; b = b->next)
			*block_number(p, b) = n++;
		edges = edges_of(p, g, n);
	}
	put_c(p->w, '{');
	p->indent += 2;
	for (const block *b = g->first; b; b = b->next) {
		if (b->prev || (entry_args && (b->n_args || !b->first))) {
			put_c(p->w, '\n');
			put_spaces(p->w, p->indent - 2);
			write_label(p, b);
			if (edges.begin)
				write_predecessors(p, &edges, *block_number(p, b));
		}
		for (const op *o = b->first; o && (end || o->next); o = o->next) {
			write_newline(p);
			write_op(p, o);
		}
	}
	p->indent -= 2;
	write_newline(p);
	put_c(p->w, '}');
}

void write_region(printer *p, const region *g, bool entry_args)
{
	write_blocks(p, g, entry_args, true);
}

void write_region_without_end(printer *p, const region *g)
{
	write_blocks(p, g, false, false);
}
