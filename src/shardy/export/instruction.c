/* instruction.c - sdy-per-instruction-partitioning: partitions selected operations only, into
 * manual computations; the rest of the program stays global.
 *
 * This helps to find the operation that another partitioner gets wrong: let it partition all but a
 * few (isolate.c). */
#include "shardy/export/export.h"

/* ---- selecting operations ------------------------------------------------------------------- */

typedef struct instruction_filter {
	tess_str text; /* "dot,reshard"; "": all */
	bool by_number;
	int64_t low, high; /* range of operation numbers; sharded ones count, in program order */
} instruction_filter;

/* Returns the next word of a list, without surrounding blanks. */
static tess_str next_filter_word(tess_str *rest)
{
	size_t n = 0;
	while (rest->len && (*rest->ptr == ',' || *rest->ptr == ' ' || *rest->ptr == '\''))
		rest->ptr++, rest->len--;
	while (n < rest->len && rest->ptr[n] != ',' && rest->ptr[n] != ' ' && rest->ptr[n] != '\'')
		n++;
	tess_str word = {rest->ptr, n};
	rest->ptr += n;
	rest->len -= n;
	return word;
}

static bool read_bound(tess_str word, const char *key, int64_t *to)
{
	size_t n = strlen(key);
	int64_t v = 0;
	if (!str_starts(word, key) || word.len == n)
		return false;
	for (size_t i = n; i < word.len; i++) {
		if (word.ptr[i] < '0' || word.ptr[i] > '9' || v > INT64_MAX / 10 - 10)
			return false;
		v = v * 10 + (word.ptr[i] - '0');
	}
	*to = v;
	return true;
}

static instruction_filter filter_read(tess_str text)
{
	instruction_filter f = {.text = text, .high = INT64_MAX};
	tess_str rest = text;
	for (tess_str w = next_filter_word(&rest); w.len; w = next_filter_word(&rest))
		f.by_number |= read_bound(w, "selectLow=", &f.low) ||
		               read_bound(w, "selectHigh=", &f.high);
	return f;
}

static bool filter_takes(const instruction_filter *f, const op *o, int64_t number)
{
	tess_str rest = f->text;
	if (f->by_number)
		return number >= f->low && number <= f->high;
	bool any = false, found = false;
	for (tess_str w = next_filter_word(&rest); w.len && !found; w = next_filter_word(&rest)) {
		any = true;
		found = memmem(op_name(o), strlen(op_name(o)), w.ptr, w.len) != NULL;
	}
	return found || !any;
}

static bool may_take_out(const op *o)
{
	return !op_has(o, TERMINATOR) && !op_has(o, DATA_FLOW) && o->kind != OP_FUNC_CALL &&
	       o->kind != OP_UNKNOWN && !op_is_branch(o) && !op_has(o, COLLECTIVE) &&
	       op_is_func(op_parent(o));
}

/* ---- reductions that are explicit in the program -------------------------------------------- */

/* True if an operand is sharded along the axis in a dimension that the op reduces. */
static bool reduces_along(module *m, const op *o, axis_ref axis)
{
	const sharding_rule *r = op_rule(m, o, RULE_BEYOND_SHARDY, &m->ctx->scratch);
	for (int i = 0; r && i < r->n_operands; i++) {
		const sharding *s = value_sharding(m, operand(o, i));
		const tensor_factors *t = rule_operand(r, i);
		for (int d = 0; s && s->rank == t->rank && d < t->rank; d++) {
			bool reduced = false, split = false;
			for (int k = 0; k < t->dims[d].n; k++)
				for (int f = 0; f < r->reduction.n; f++)
					reduced |= r->reduction.factors[f] == t->dims[d].factors[k];
			for (int k = 0; k < s->dims[d].n_axes; k++)
				split |= axis_overlaps(s->dims[d].axes[k], axis);
			if (reduced && split)
				return true;
		}
	}
	return false;
}

static bool completes_operand(module *m, const op *o)
{
	const op *def = value_def(operand(o, 0));
	const attr *axes = op_attr(o, o->kind == OP_SDY_ALL_REDUCE ? N_reduction_axes
	                                                           : N_reduce_scatter_axes);
	if (!def || !axes)
		return false;
	if (axes->kind == AT_AXES)
		return axes->n && reduces_along(m, def, axes->axes[0]);
	for (int i = 0; axes->kind == AT_AXES_LIST && i < axes->n; i++)
		if (axes->list[i]->n)
			return reduces_along(m, def, axes->list[i]->axes[0]);
	return false;
}

/* A partitioned operation returns complete values. So an op that only completes its reduction, as
 * inserted by sdy-insert-explicit-reshards, becomes a reshard. */
static void forget_completions(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		if (!op_is_sdy_reduction(o) || !completes_operand(m, o))
			continue;
		const builder b = builder_before(m, o);
		value_replace_uses(result(o, 0), build_sharded(&b, OP_SDY_RESHARD, operand(o, 0),
		                                               result(o, 0)->sharding));
		op_erase(o);
	}
}

bool pass_per_instruction_partitioning(module *m, const pass_options *options)
{
	const instruction_filter f = filter_read(options->filter);
	int64_t number = 0;
	forget_completions(m);
	for (op *func = module_body(m)->first; func; func = func->next) {
		if (!op_is_func(func) || func_is_declaration(func))
			continue;
		for (op *o = op_body(func)->first, *next; o; o = next) {
			next = o->next;
			const sharding *s = may_take_out(o) ? isolation_sharding(m, o) : NULL;
			if (s && filter_takes(&f, o, number++) &&
			    !isolate_operation(m, o, s->mesh, ISOLATE_ALWAYS))
				return false;
		}
	}
	return true;
}
