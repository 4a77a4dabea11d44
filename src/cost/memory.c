/* memory.c - what lives when, and the peak.
 *
 * Operations run in program order. A value lives from its op to the last op of the same block that
 * uses it, directly or from inside a region. An op that only renames a buffer (reshape, barrier,
 * tuple) shares its operand's buffer. An elementwise op writes into an operand whose last use it
 * is, if that is a temporary.
 *
 * Arguments and results have memory of their own from start to end, as XLA and PJRT allocate it; a
 * result takes over the memory of a donated argument. Everything else is a temporary, and two
 * models give bounds for what compilers need. The upper one fuses only what every compiler fuses,
 * rounds sizes up as allocators do, and adds what libraries and collectives need to bring data into
 * another order. The other one fuses elementwise chains: a value that fusible ops read takes no
 * memory, and what it reads lives until its users have run. That is the estimate; for the lower
 * bound, temporaries may also be in the memory of results that are not written yet. Regions and
 * callees add their own peak while their op runs. What is in the memory of the host (placement.c)
 * is counted separately, in the same way. docs/memory.md compares with XLA.
 *
 * For CPUs the estimate follows what XLA's compiler for CPUs runs, in its order, and how it assigns
 * memory (kernels.c, order.c, assign.c). The upper bound is the larger of what is needed without
 * any fusion and what is needed if no temporary is in the memory of a result. */
#include "cost/live.h"

/* Whose memory is counted, and what is in it. */
typedef struct counted {
	const module *m;
	const op *main_func;
	const clusters *clusters;
	const bool *on_host; /* NULL: nothing is, and no argument or result */
	const int *donor;
	bool host, brief;
	arena *mem;
} counted;

typedef enum fused_by {
	FUSED_BY_ONE,
	FUSED_BY_ALL,
	FUSED_BY_NONE,
	ASSIGNED,
	ASSIGNED_APART
} fused_by;

static int64_t run_model(const counted *c, fused_by who, memory *out)
{
	mem_walk w = {.m = c->m,
	              .mem = c->mem,
	              .fused = who == FUSED_BY_ONE || who == ASSIGNED || who == ASSIGNED_APART,
	              .careful = who == FUSED_BY_ALL || who == ASSIGNED_APART,
	              .fusing = c->clusters->fusing,
	              .on_host = c->on_host,
	              .host = c->host,
	              .donor = c->donor};
	w.pos = NEW_N(c->mem, int, c->m->n_ops);
	w.facts = NEW_N(c->mem, value_fact, c->m->n_values);
	if (who == ASSIGNED || who == ASSIGNED_APART) {
		w.buffer_of = NEW_N(c->mem, int, c->m->n_values + 1);
		w.seen = NEW_N(c->mem, int64_t, c->m->n_ops + 1);
	}
	const block *b = op_body(c->main_func);
	for (int i = 0; i < b->n_args; i++)
		fact(&w, b->args[i])->fixed = true;
	mark_returned(&w, b, c->main_func);
	int64_t peak = block_peak(&w, b, out);
	if (out)
		tensors_at_peak(&w, c->main_func, out);
	return peak;
}

/* Of XLA's compiler for CPUs it is known how it assigns memory. */
static void find_assigned(const counted *c, memory *out)
{
	memory fused = {0};
	int64_t none = run_model(c, FUSED_BY_NONE, NULL), one = run_model(c, FUSED_BY_ONE, &fused);
	out->temp = run_model(c, ASSIGNED, out);
	out->temp_lower = min_i64(out->temp, one > none ? none : fused.temp_lower);
	out->temp_upper = max_i64(out->temp, max_i64(none, run_model(c, ASSIGNED_APART, NULL)));
}

/* A fused value makes its operands live longer. Where that costs more than it saves, a compiler
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
	out->temp_upper = max_i64(out->temp, min_i64(none, run_model(c, FUSED_BY_ALL, NULL)));
	out->temp_lower = min_i64(out->temp_lower, out->temp);
}

static bool is_in_counted(const counted *c, const attr_list *of)
{
	return (c->on_host && attrs_on_host(of)) == c->host;
}

static void count_memory(const counted *c, memory *out)
{
	const block *b = op_body(c->main_func);
	const func *f = op_func(c->main_func);
	for (int i = 0; i < b->n_args; i++)
		if (is_in_counted(c, &f->arg_attrs[i]))
			out->arguments += value_bytes(b->args[i]);
	for (int i = 0; i < f->type->n_out; i++) {
		if (!is_in_counted(c, &f->result_attrs[i]))
			continue;
		int64_t bytes = max_i64(type_packed_bytes(f->type->out[i]), 0);
		out->results += bytes;
		out->donated += c->donor[i] >= 0 ? bytes : 0;
	}
	bool cpu = c->clusters->fusing->cpu;
	if (c->brief && cpu)
		out->temp = run_model(c, ASSIGNED, NULL);
	else if (c->brief)
		out->temp = min_i64(run_model(c, FUSED_BY_NONE, NULL),
		                    run_model(c, FUSED_BY_ONE, NULL));
	else if (cpu)
		find_assigned(c, out);
	else
		find_temporaries(c, out);
	out->peak = out->arguments + out->results - out->donated + out->temp;
}

void memory_of(const module *m, const clusters *c, bool brief, arena *mem, memory *device,
               memory *host)
{
	*device = *host = (memory){.arguments = 0};
	const op *main_func = module_main(m);
	if (!main_func || func_is_declaration(main_func))
		return;
	counted what = {.m = m,
	                .main_func = main_func,
	                .clusters = c,
	                .on_host = values_on_host(m, main_func, mem),
	                .donor = func_donors(m, main_func, mem),
	                .brief = brief,
	                .mem = mem};
	count_memory(&what, device);
	what.host = true;
	if (what.on_host)
		count_memory(&what, host);
}
