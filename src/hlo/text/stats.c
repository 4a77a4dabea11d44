/* stats.c - statistics of an HLO module: opcodes, bytes, collectives, cost.
 *
 * A computation is executed as often as its callers call it; the body of a while as often as
 * known_trip_count says. Callees come before their callers, so one pass from the end is enough. In
 * a fusion only operations count, while the bytes are those of the fusion; the function applied by
 * a reduction or a sort counts as part of it. */
#include "hlo/text/facts.h"

#include <stdlib.h>

typedef struct stats_walk {
	const module *m;
	tess_ctx *ctx;
	arena *mem;
	hlo_stats *out;
	ptr_map runs; /* computation -> how often it is executed */
	ptr_map by_opcode;
} stats_walk;

typedef struct computation_runs {
	double times;       /* with its bytes */
	double fused_times; /* inside fusions */
} computation_runs;

static computation_runs *runs_of(stats_walk *w, const op *computation)
{
	void **slot = ptr_map_at(&w->runs, w->mem, computation);
	if (!*slot)
		*slot = NEW(w->mem, computation_runs);
	return *slot;
}

/* ---- execution counts ----------------------------------------------------------------------- */

static void add_run(stats_walk *w, const attr *symbol, double times, bool fused)
{
	const op *c = hlo_computation(w->m, symbol);
	if (!c)
		return;
	computation_runs *r = runs_of(w, c);
	r->times += fused ? 0 : times;
	r->fused_times += fused ? times : 0;
}

static void add_runs(stats_walk *w, const attr *a, double times, bool fused)
{
	if (a && a->kind == AT_SYMBOL)
		add_run(w, a, times, fused);
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++)
		add_run(w, a->list[i], times, fused);
}

/* Counts the calls of an instruction, except to functions that it applies to elements. */
static void count_calls(stats_walk *w, const op *o, const computation_runs *r)
{
	const char *opcode = hlo_opcode_of(o);
	double times = r->times + r->fused_times;
	if (strcmp(opcode, "fusion") == 0) {
		add_runs(w, hlo_attr(o, w->ctx, "calls"), times, true);
	} else if (strcmp(opcode, "while") == 0) {
		int64_t trips = hlo_known_trips(o, w->ctx);
		w->out->unknown_loops += !trips;
		add_runs(w, hlo_attr(o, w->ctx, "body"), times * (double)(trips ? trips : 1),
		         false);
		add_runs(w, hlo_attr(o, w->ctx, "condition"),
		         times * (double)(trips ? trips + 1 : 1), false);
	} else if (strcmp(opcode, "conditional") == 0) {
		add_runs(w, hlo_attr(o, w->ctx, "branch_computations"), times, false);
		add_runs(w, hlo_attr(o, w->ctx, "true_computation"), times, false);
		add_runs(w, hlo_attr(o, w->ctx, "false_computation"), times, false);
	} else if (strcmp(opcode, "call") == 0 || strcmp(opcode, "async-start") == 0) {
		add_runs(w, hlo_attr(o, w->ctx, "to_apply"), times, false);
		add_runs(w, hlo_attr(o, w->ctx, "calls"), times, false);
	}
}

/* ---- collectives -------------------------------------------------------------------- */

/* Returns "all-gather" for all-gather and all-gather-start; NULL if it is not a collective. */
static const char *collective_opcode(const char *opcode)
{
	const char *stage;
	tess_str name = str_of(opcode);
	if (str_ends(name, "-start"))
		name.len -= strlen("-start");
	const hlo_opcode *row = hlo_opcode_find(name, &stage);
	bool meets = row && !*stage && (strstr(row->attrs, "replica_groups") ||
	                                strstr(row->attrs, "source_target_pairs"));
	return meets ? row->opcode : NULL;
}

/* op_name="…" in the metadata */
static tess_str op_name_of(const op *o, tess_ctx *ctx)
{
	static const char key[] = "op_name=\"";
	tess_str s = hlo_attr_text(o, ctx, "metadata");
	const char *at = s.len ? strstr(s.ptr, key) : NULL;
	if (!at)
		return (tess_str){"", 0};
	at += strlen(key);
	const char *end = strchr(at, '"');
	return (tess_str){at, end ? (size_t)(end - at) : 0};
}

static void read_collective_groups(stats_walk *w, hlo_collective *c)
{
	c->groups = hlo_attr_text(c->o, w->ctx, "source_target_pairs");
	if (c->groups.len) {
		c->group_size = 2;
		c->n_groups = hlo_numbers(c->groups, NULL, 0) / 2;
		return;
	}
	c->groups = hlo_attr_text(c->o, w->ctx, "replica_groups");
	source src = {.name = "", .text = c->groups, .first_line = 1};
	replica_groups g;
	uint32_t end;
	if (!c->groups.len || !replica_groups_parse(w->ctx, &src, 0, &end, &g))
		return;
	c->n_groups = g.n_groups;
	c->group_size = g.group_size;
}

static void count_collective(stats_walk *w, const op *computation, const op *o, const char *opcode,
                             const computation_runs *r)
{
	hlo_collective c = {.o = o, .opcode = opcode, .computation = op_symbol(computation),
	                    .times = r->times + r->fused_times, .op_name = op_name_of(o, w->ctx),
	                    .channel = hlo_attr_number(o, w->ctx, "channel_id", 0)};
	const shape *s = hlo_shape_of(w->ctx, o);
	bool started = !str_is(str_of(hlo_opcode_of(o)), opcode);
	for (int i = 0; i < hlo_operands(o, w->ctx); i++)
		c.bytes += shape_bytes(hlo_shape_of(w->ctx, value_def(operand(o, i))), SIZE_DATA);
	if (started && s->kind == SH_TUPLE && s->n_parts > 1)
		s = s->parts[1]; /* (operand, result, …) */
	c.result_bytes = shape_bytes(s, SIZE_DATA);
	read_collective_groups(w, &c);
	vec_push(w->mem, &w->out->collectives, c);
}

/* ---- counting -------------------------------------------------------------------------- */

static void count_opcode(stats_walk *w, const op *o)
{
	void **slot = ptr_map_at(&w->by_opcode, w->mem, op_name(o));
	if (!*slot) {
		vec_push(w->mem, &w->out->opcodes, (hlo_opcode_count){.opcode = hlo_opcode_of(o)});
		*slot = (void *)(intptr_t)w->out->opcodes.len;
	}
	hlo_opcode_count *c = &w->out->opcodes.ptr[(intptr_t)*slot - 1];
	c->n++;
	c->bytes += max_i64(0, shape_bytes(hlo_shape_of(w->ctx, o), SIZE_DATA));
}

static void add_cost(hlo_cost *total, const hlo_cost *c, const computation_runs *r)
{
	double all = r->times + r->fused_times;
	total->flops += all * c->flops;
	total->transcendentals += all * c->transcendentals;
	total->bytes += r->times * c->bytes;
	total->result_bytes += r->times * c->result_bytes;
	for (int i = 0; i < HLO_COST_OPERANDS; i++) {
		total->operand_bytes[i] += r->times * c->operand_bytes[i];
		total->operand_uses[i] += r->times * c->operand_uses[i];
	}
}

static void count_instruction(stats_walk *w, const op *computation, const op *o,
                              const computation_runs *r)
{
	hlo_cost cost;
	const char *collective = collective_opcode(hlo_opcode_of(o));
	w->out->n_instructions++;
	count_opcode(w, o);
	if (strcmp(hlo_opcode_of(o), "constant") == 0)
		w->out->constant_bytes += max_i64(0,
		                                  shape_bytes(hlo_shape_of(w->ctx, o), SIZE_DATA));
	if (collective)
		count_collective(w, computation, o, collective, r);
	hlo_instruction_cost(o, w->ctx, &cost);
	add_cost(&w->out->cost, &cost, r);
	count_calls(w, o, r);
}

static int compare_opcode_counts(const void *a, const void *b)
{
	return strcmp(((const hlo_opcode_count *)a)->opcode, ((const hlo_opcode_count *)b)->opcode);
}

static void count_entry(stats_walk *w, const op *entry)
{
	int n;
	op **params = hlo_parameters(entry, w->ctx, w->mem, &n);
	for (int i = 0; i < n; i++)
		w->out->argument_bytes += max_i64(
			0, shape_bytes(hlo_shape_of(w->ctx, params[i]), SIZE_DATA));
	w->out->result_bytes = max_i64(0, shape_bytes(hlo_shape_of(w->ctx, hlo_root(w->ctx, entry)),
	                                              SIZE_DATA));
	runs_of(w, entry)->times = 1;
}

void hlo_stats_of(const module *m, arena *mem, hlo_stats *out)
{
	stats_walk w = {.m = m, .ctx = m->ctx, .mem = mem, .out = out};
	*out = (hlo_stats){0};
	for (op *c = module_body(m)->last; c; c = c->prev)
		if (hlo_is_entry(m, c))
			count_entry(&w, c);
	for (op *c = module_body(m)->last; c; c = c->prev) {
		out->n_computations++;
		for (op *o = op_body(c)->first; o; o = o->next)
			count_instruction(&w, c, o, runs_of(&w, c));
	}
	if (out->opcodes.len)
		qsort(out->opcodes.ptr, (size_t)out->opcodes.len, sizeof *out->opcodes.ptr,
		      compare_opcode_counts);
}
