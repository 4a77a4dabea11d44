/* dominance.c - checks that every value is defined before it is used.
 *
 * A value is defined for the ops after it in its block, for the ops inside those, and for the
 * blocks that control only reaches through its block: those that it dominates. As in MLIR,
 * unreachable code may use any value, and order does not matter in a module and in the regions of
 * unregistered ops.
 *
 * For regions with one block, which nearly all are, one walk in program order that marks the ops
 * that it has passed is enough. For others the dominator tree is built by Lengauer's and Tarjan's
 * algorithm with path compression, in O(m log n). */
#include "op/verify/dominance.h"

enum { NOT_REACHED = UINT32_MAX };

/* What is needed to build the tree of one region. Blocks are numbered in the order of a depth-first
 * walk from the entry. */
typedef struct dominators {
	dominance *d;
	const region *region;
	arena *mem;
	uint32_t n;
	const block **blocks;
	uint32_t *parent; /* in the depth-first walk */
	uint32_t *semi, *label, *ancestor, *idom;
	uint32_t *begin, *before; /* the predecessors of i are before[begin[i] … begin[i + 1]) */
} dominators;

static block *const *next_blocks(const block *b, int *n)
{
	*n = 0;
	return b->last ? op_successors(b->last, n) : NULL;
}

/* The number of a block; NOT_REACHED also for blocks of other regions. */
static uint32_t *tree_number(const dominators *t, const block *b)
{
	return &t->d->first[b->id];
}

/* ---- the tree ------------------------------------------------------------------------------ */

typedef struct walk_step {
	const block *block;
	int next;
} walk_step;

static void number_reached(dominators *t)
{
	VEC(walk_step) path = {0};
	uint32_t n_blocks = 0;
	for (const block *b = t->region->first; b; b = b->next, n_blocks++)
		*tree_number(t, b) = NOT_REACHED;
	t->blocks = NEW_N(t->mem, const block *, n_blocks);
	t->parent = NEW_N(t->mem, uint32_t, n_blocks);
	*tree_number(t, t->region->first) = 0;
	t->blocks[t->n++] = t->region->first;
	vec_push(t->mem, &path, (walk_step){t->region->first, 0});
	while (path.len) {
		walk_step *top = &path.ptr[path.len - 1];
		int n;
		block *const *to = next_blocks(top->block, &n);
		if (top->next == n) {
			path.len--;
			continue;
		}
		const block *b = to[top->next++];
		if (b->parent != t->region || *tree_number(t, b) != NOT_REACHED)
			continue;
		t->parent[t->n] = *tree_number(t, top->block);
		*tree_number(t, b) = t->n;
		t->blocks[t->n++] = b;
		vec_push(t->mem, &path, (walk_step){b, 0});
	}
}

static void find_predecessors(dominators *t)
{
	t->begin = NEW_N(t->mem, uint32_t, t->n + 2);
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t i = 0; i < t->n; i++) {
			int n;
			block *const *to = next_blocks(t->blocks[i], &n);
			for (int k = 0; k < n; k++) {
				if (to[k]->parent != t->region)
					continue;
				uint32_t j = *tree_number(t, to[k]);
				if (fill)
					t->before[t->begin[j + 1]++] = i;
				else
					t->begin[j + 2]++;
			}
		}
		for (uint32_t i = 2; !fill && i < t->n + 2; i++)
			t->begin[i] += t->begin[i - 1];
		if (!fill)
			t->before = NEW_N(t->mem, uint32_t, t->begin[t->n + 1] + 1);
	}
}

/* The node with the least semidominator on the path from v up in the forest. */
static uint32_t best_ancestor(dominators *t, uint32_t v)
{
	if (t->ancestor[v] == NOT_REACHED)
		return v;
	arena_mark here = arena_here(t->mem);
	VEC(uint32_t) path = {0};
	for (uint32_t u = v; t->ancestor[t->ancestor[u]] != NOT_REACHED; u = t->ancestor[u])
		vec_push(t->mem, &path, u);
	while (path.len) {
		uint32_t u = path.ptr[--path.len], up = t->ancestor[u];
		if (t->semi[t->label[up]] < t->semi[t->label[u]])
			t->label[u] = t->label[up];
		t->ancestor[u] = t->ancestor[up];
	}
	arena_back(t->mem, here);
	return t->label[v];
}

static void find_dominators(dominators *t)
{
	uint32_t *waiting = NEW_N(t->mem, uint32_t, t->n), *next = NEW_N(t->mem, uint32_t, t->n);
	t->semi = NEW_N(t->mem, uint32_t, t->n);
	t->label = NEW_N(t->mem, uint32_t, t->n);
	t->ancestor = NEW_N(t->mem, uint32_t, t->n);
	t->idom = NEW_N(t->mem, uint32_t, t->n);
	for (uint32_t i = 0; i < t->n; i++) {
		t->semi[i] = t->label[i] = i;
		t->ancestor[i] = waiting[i] = next[i] = NOT_REACHED;
	}
	for (uint32_t w = t->n; w-- > 1;) {
		for (uint32_t k = t->begin[w]; k < t->begin[w + 1]; k++) {
			uint32_t u = best_ancestor(t, t->before[k]);
			if (t->semi[u] < t->semi[w])
				t->semi[w] = t->semi[u];
		}
		next[w] = waiting[t->semi[w]];
		waiting[t->semi[w]] = w;
		t->ancestor[w] = t->parent[w];
		for (uint32_t *v = &waiting[t->parent[w]]; *v != NOT_REACHED; *v = next[*v]) {
			uint32_t u = best_ancestor(t, *v);
			t->idom[*v] = t->semi[u] < t->semi[*v] ? u : t->parent[w];
		}
	}
	for (uint32_t w = 1; w < t->n; w++)
		if (t->idom[w] != t->semi[w])
			t->idom[w] = t->idom[t->idom[w]];
}

/* Numbers the tree depth first: a block dominates those from its own number to its last. */
static void number_tree(dominators *t)
{
	uint32_t *size = NEW_N(t->mem, uint32_t, t->n), *used = NEW_N(t->mem, uint32_t, t->n);
	uint32_t *first = NEW_N(t->mem, uint32_t, t->n);
	for (uint32_t i = t->n; i-- > 0;) { /* a dominator has the smaller number */
		size[i]++;
		if (i)
			size[t->idom[i]] += size[i];
	}
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t up = t->idom[i];
		first[i] = first[up] + 1 + used[up];
		used[up] += size[i];
	}
	for (uint32_t i = 0; i < t->n; i++) {
		t->d->first[t->blocks[i]->id] = first[i];
		t->d->last[t->blocks[i]->id] = first[i] + size[i] - 1;
	}
}

static void enter_region(dominance *d, const region *g)
{
	arena *mem = &d->m->ctx->scratch;
	if (g->first == g->last)
		return;
	if (!d->first) {
		d->first = NEW_N(mem, uint32_t, d->m->n_blocks);
		d->last = NEW_N(mem, uint32_t, d->m->n_blocks);
	}
	arena_mark here = arena_here(mem);
	dominators t = {.d = d, .region = g, .mem = mem};
	number_reached(&t);
	find_predecessors(&t);
	find_dominators(&t);
	number_tree(&t);
	arena_back(mem, here);
}

/* ---- uses ------------------------------------------------------------------------------------ */

static bool block_reached(const dominance *d, const block *b)
{
	return b->parent->first == b->parent->last || d->first[b->id] != NOT_REACHED;
}

/* Both blocks are of one region with several blocks. An unreachable block is dominated by all. */
static bool block_dominates(const dominance *d, const block *a, const block *b)
{
	uint32_t x = d->first[a->id], y = d->first[b->id];
	return y == NOT_REACHED || (x != NOT_REACHED && x <= y && y <= d->last[a->id]);
}

static bool region_is_ordered(const region *g)
{
	return g->parent->kind != OP_BUILTIN_MODULE && g->parent->kind != OP_UNKNOWN;
}

static bool op_passed(const dominance *d, const op *o)
{
	return d->passed[o->id >> 6] >> (o->id & 63) & 1;
}

/* Why using `v` in `o` is an error; NULL: it is not. */
static const char *use_fault(const dominance *d, const op *o, const value *v)
{
	const op *def = value_def(v), *at = o;
	const block *from = value_block(v);
	if (!from)
		return "is not in the program";
	while (at->parent != from && (!at->parent || at->parent->parent != from->parent)) {
		at = op_parent(at);
		if (!at)
			return "is defined in a region that is not around it";
	}
	if (at->parent != from)
		return block_dominates(d, from, at->parent)
		               ? NULL
		               : "is not defined on every path that leads here";
	if (!def || !region_is_ordered(from->parent))
		return NULL;
	return at == def          ? "is its own result, or that of an op around it"
	       : op_passed(d, def) ? NULL
	                           : "is defined later";
}

bool dominance_visit(dominance *d, const op *o)
{
	bool reached = block_reached(d, o->parent);
	d->passed[o->id >> 6] |= UINT64_C(1) << (o->id & 63);
	for (int i = 0; i < op_n_regions(o); i++)
		enter_region(d, op_region(o, i));
	for (int i = 0; reached && i < o->n_operands; i++) {
		const value *v = operand(o, i);
		const op *def = value_def(v);
		if (LIKELY(def && def != o && def->parent == o->parent && op_passed(d, def)))
			continue;
		const char *fault = use_fault(d, o, v);
		if (!fault)
			continue;
		diag_error(d->m->ctx, op_place(d->m, o), E_DOMINANCE, "'%s' op operand %d %s",
		           op_name(o), i, fault);
		if (def && def->parent && def != o)
			diag_note(d->m->ctx, op_place(d->m, def), "defined here");
		return false;
	}
	return true;
}

dominance dominance_begin(module *m)
{
	return (dominance){.m = m,
	                   .passed = NEW_N(&m->ctx->scratch, uint64_t, m->n_ops / 64 + 1)};
}
