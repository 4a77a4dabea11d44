/* depends.c - whether what a function computes depends on the numbers in one of its values.
 *
 * Dependent values are marked in the order of the nodes, through bodies from parameters to results.
 * What a loop carries is marked repeatedly, until a round marks no further carry. */
#include "array/control.h"

typedef struct marks {
	arena *mem;
	ptr_map of; /* value -> itself */
} marks;

static bool is_marked(const marks *m, const avalue *v) { return ptr_map_get(&m->of, v) != NULL; }

static void mark(marks *m, const avalue *v)
{
	*ptr_map_at(&m->of, m->mem, v) = (void *)(uintptr_t)v;
}

/* True for operations that only use the type of their operand. */
static bool ignores_numbers(const anode *n)
{
	return strcmp(n->op->name, "jnp.zeros_like") == 0 ||
	       strcmp(n->op->name, "jnp.ones_like") == 0 ||
	       strcmp(n->op->name, "jnp.full_like") == 0;
}

static void mark_function(marks *m, const afn *f);

/* Parameter i of body b is operand `first` + i, or a captured value. */
static void mark_params(marks *m, const anode *n, int b, int first)
{
	const afn *f = n->body[b];
	int from = captures_from(n, b);
	for (int i = 0; i < f->params.len; i++) {
		int at = i < f->n_explicit ? first + i : from + i - f->n_explicit;
		if (is_marked(m, n->in[at]))
			mark(m, f->params.ptr[i]);
	}
}

/* Marks carries for the next round; returns false if no more were marked. */
static bool mark_carries(marks *m, const anode *n)
{
	const afn *f = n->body[0];
	bool any = false, scan = strcmp(n->op->name, "scan") == 0;
	int n_carry = scan ? (int)param_int(n->attrs, "num_carry", 0) : n->n_out;
	if (!scan && strcmp(n->op->name, "while") != 0)
		return false;
	for (int i = 0; i < n_carry; i++)
		if (is_marked(m, f->outs.ptr[i]) && !is_marked(m, f->params.ptr[i])) {
			mark(m, f->params.ptr[i]);
			any = true;
		}
	return any;
}

/* If a condition is dependent, so is everything else. */
static bool choice_marked(const marks *m, const anode *n)
{
	bool cond = strcmp(n->op->name, "cond") == 0;
	const afn *test = strcmp(n->op->name, "while") == 0 && n->n_bodies > 1 ? n->body[1] : NULL;
	return (cond && is_marked(m, n->in[0])) || (test && is_marked(m, test->outs.ptr[0]));
}

static void mark_call(marks *m, const anode *n)
{
	int first = strcmp(n->op->name, "cond") == 0;
	int bodies = strcmp(n->op->name, "custom_vjp") == 0 ? 1 : n->n_bodies;
	for (int b = 0; b < bodies; b++)
		mark_params(m, n, b, first);
	do
		for (int b = 0; b < bodies; b++)
			mark_function(m, n->body[b]);
	while (mark_carries(m, n));
	for (int i = 0; i < n->n_out; i++) {
		bool any = choice_marked(m, n);
		for (int b = 0; b < bodies && !any; b++)
			any = i < n->body[b]->outs.len && is_marked(m, n->body[b]->outs.ptr[i]);
		if (any)
			mark(m, n->out[i]);
	}
}

/* Results of the bodies of transformations that were not expanded are not the node's results. */
static bool has_results_of_bodies(const anode *n)
{
	static const char *const names[] = {"scan", "while", "cond", "custom_vjp", "shard_map"};
	for (int i = 0; i < COUNT(names); i++)
		if (strcmp(n->op->name, names[i]) == 0)
			return n->n_bodies > 0;
	return false;
}

static void mark_function(marks *m, const afn *f)
{
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		if (has_results_of_bodies(n)) {
			mark_call(m, n);
			continue;
		}
		bool any = false;
		for (int k = 0; k < n->n_in; k++)
			any |= is_marked(m, n->in[k]);
		for (int k = 0; k < n->n_out && any && !ignores_numbers(n); k++)
			mark(m, n->out[k]);
	}
}

const anode *dependent_node(tess_ctx *ctx, const afn *f, const avalue *on,
                            bool (*which)(const anode *n))
{
	marks m = {.mem = &ctx->scratch};
	mark(&m, on);
	mark_function(&m, f);
	for (int i = 0; i < f->nodes.len; i++) {
		const anode *n = f->nodes.ptr[i];
		for (int k = 0; k < n->n_out; k++)
			if (is_marked(&m, n->out[k]) && which(n))
				return n;
	}
	return NULL;
}

bool depends_on(tess_ctx *ctx, const afn *f, const avalue *v, const avalue *on)
{
	marks m = {.mem = &ctx->scratch};
	mark(&m, on);
	mark_function(&m, f);
	return is_marked(&m, v);
}
