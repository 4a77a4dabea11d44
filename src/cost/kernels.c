/* kernels.c - what XLA's compiler for CPUs runs in a block.
 *
 * Each operation whose result is written is a kernel, with the operations that are fused into it.
 * It reads the values that none of them computes. In addition there are copies: of what a product
 * reads in another order, of half precision that it reads in 32 bits, and of what a loop would
 * overwrite. */
#include "cost/kernels.h"

typedef struct cone_step {
	const op *o;
	bool in_step;
} cone_step;

typedef struct kernel_search {
	cpu_block *c;
	VEC(cone_step) stack; /* operations whose operands have to be processed */
} kernel_search;

static cpu_kernel *last_kernel(const kernel_search *k)
{
	return &k->c->kernels.ptr[k->c->kernels.len - 1];
}

/* ---- buffers ---------------------------------------------------------------------------- */

static int add_buffer(kernel_search *k, buffer b)
{
	vec_push(k->c->w->mem, &k->c->buffers, b);
	return k->c->buffers.len - 1;
}

static bool is_in_block(const kernel_search *k, const value *v)
{
	return value_block(v) == k->c->b;
}

int64_t written_bytes(const mem_walk *w, const value *v, bool wide)
{
	enum { REGISTER = 8, WIDER = 2 };
	const op *def = value_def(v);
	int64_t n = is_counted(w, v) && !(def && op_has(def, CONSTANT)) ? value_bytes(v) : 0;
	return n <= REGISTER && !fact_const(w, v)->returned ? 0 : wide ? WIDER * n : n;
}

/* Returns the value behind operations that only rename its buffer. */
static const value *seen_through(const mem_walk *w, const value *v)
{
	while (renamed(w, v))
		v = renamed(w, v);
	return v;
}

/* Returns the buffer of a value; -1: it belongs to another block. */
static int buffer_of(const kernel_search *k, const value *v)
{
	v = seen_through(k->c->w, v);
	return is_in_block(k, v) ? k->c->w->buffer_of[v->id] - 1 : -1;
}

static void add_argument(kernel_search *k, const value *v, bool main)
{
	buffer b = {.v = v,
	            .t = v->type,
	            .by = -1,
	            .after = -1,
	            .from = -1,
	            .fixed = main,
	            .kept = !main};
	k->c->w->buffer_of[v->id] = add_buffer(k, b) + 1;
}

static int add_output(kernel_search *k, const value *v, int64_t bytes)
{
	cpu_kernel *last = last_kernel(k);
	int at = add_buffer(k, (buffer){.v = v,
	                                .t = v->type,
	                                .bytes = bytes,
	                                .by = k->c->kernels.len - 1,
	                                .after = -1});
	last->first_output = last->n_outputs ? last->first_output : at;
	last->n_outputs++;
	return at;
}

/* ---- what a kernel reads ------------------------------------------------------------------ */

static void kernel_reads(kernel_search *k, int at, bool in_step)
{
	cpu_block *c = k->c;
	buffer *b = &c->buffers.ptr[at];
	if (b->reader == c->kernels.len) {
		c->inputs.ptr[b->read_at].in_step &= in_step;
		return;
	}
	b->reader = c->kernels.len;
	b->read_at = c->inputs.len;
	vec_push(c->w->mem, &c->inputs, ((kernel_input){at, in_step}));
	last_kernel(k)->n_inputs++;
}

/* Returns true if the operands of `o` have been processed for this kernel. They are processed again
 * if all reads so far were in step, and this one is not. */
static bool is_seen(kernel_search *k, const op *o, bool in_step)
{
	int64_t *seen = &k->c->w->seen[o->id], now = 2 * k->c->w->n_seen + !in_step;
	bool before = *seen >= now && *seen / 2 == k->c->w->n_seen;
	if (!before)
		*seen = now;
	return before;
}

/* A result of a barrier waits for all its operands. Behind a reshape a value is not read in
 * step. */
static void kernel_reads_value(kernel_search *k, const value *v, bool in_step)
{
	int at = buffer_of(k, v);
	for (const value *from = v; renamed(k->c->w, from); from = renamed(k->c->w, from)) {
		const op *o = value_def(from);
		if (o->kind == OP_OPTIMIZATION_BARRIER && o->parent == k->c->b && o->n_operands > 1)
			kernel_reads(k, k->c->w->buffer_of[o->results[0].id] - 1, false);
		in_step = in_step && o->kind != OP_RESHAPE;
	}
	if (at >= 0)
		kernel_reads(k, at, in_step);
}

static void kernel_reads_operand(kernel_search *k, const op *o, int i, bool in_step)
{
	const value *v = operand(o, i);
	if (makes_operand(k->c->w->fusing, o, i)) {
		const op *def = value_def(v);
		if (!is_seen(k, def, in_step))
			vec_push(k->c->w->mem, &k->stack, ((cone_step){def, in_step}));
		return;
	}
	kernel_reads_value(k, v, in_step);
}

/* Adds what an operation and those fused into it read. */
static void kernel_reads_cone(kernel_search *k, const op *o)
{
	bool library = k->c->w->fusing->at[o->id].library;
	k->c->w->n_seen++;
	vec_push(k->c->w->mem, &k->stack, ((cone_step){o, !library}));
	while (k->stack.len) {
		cone_step s = k->stack.ptr[--k->stack.len];
		for (int i = s.o->n_operands - 1; i >= 0; i--)
			kernel_reads_operand(k, s.o, i, s.in_step && op_has(s.o, ELEMENTWISE));
	}
}

/* Adds the values of this block that regions use. */
static void read_in_regions(kernel_search *k, const op *o)
{
	for (const op *in = op_next(o, o); in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++) {
			int at = buffer_of(k, operand(in, i));
			if (at >= 0)
				kernel_reads(k, at, false);
		}
}

/* Half precision is kept in 32 bits by operations that compute in 32 bits, and if only products
 * read it. */
static bool is_written_wide(const op *o, const value *v)
{
	if (!is_half(v))
		return false;
	if (op_has(o, PRODUCT) || op_is_device_reduction(o))
		return true;
	for (const use *u = v->uses; u; u = u->next)
		if (!op_has(u->owner, PRODUCT))
			return false;
	return op_has(o, ELEMENTWISE | MOVES);
}

/* ---- copies -------------------------------------------------------------------------------- */

static void begin_kernel(kernel_search *k, const op *o, bool copies)
{
	vec_push(k->c->w->mem, &k->c->kernels,
	         ((cpu_kernel){.o = o, .copies = copies, .first_input = k->c->inputs.len}));
}

/* Adds a copy. @return its buffer */
static int copy_buffer(kernel_search *k, const op *by, int at, const value *v, int64_t bytes)
{
	begin_kernel(k, by, true);
	kernel_reads(k, at, false);
	return add_output(k, v, bytes);
}

/* True if this operation is the only user, so that the value is written as it wants to read it. */
static bool is_made_for(const kernel_search *k, const value *v)
{
	const op *def = value_def(v);
	return def && value_has_one_use(v) && op_has(def, ELEMENTWISE | MOVES) &&
	       k->c->w->fusing->at[def->id].stored && !k->c->w->fusing->at[def->id].library;
}

/* Returns the 32-bit copy of an argument of the block in half precision that products read. It is
 * made once. */
static int widened(kernel_search *k, const op *o, const value *v, int at)
{
	enum { WIDER = 2 };
	if (!k->c->buffers.ptr[at].wide) {
		int copy = copy_buffer(k, o, at, v, WIDER * value_bytes(v));
		k->c->buffers.ptr[at].wide = copy + 1;
	}
	return k->c->buffers.ptr[at].wide - 1;
}

/* True if operand i of a convolution, or its result (2), is in the library's order: batch, spatial
 * dimensions, features; for the kernel: spatial dimensions, input features, output features. */
bool convolves_in_order(const module *m, const op *o, int i)
{
	conv_dims d;
	if (o->kind != OP_CONVOLUTION || !op_conv_dims(m, o, &d))
		return true;
	const int64_t *space = i == 0 ? d.in_spatial : i == 1 ? d.k_spatial : d.out_spatial;
	int64_t first = i == 0 ? d.in_batch : d.out_batch,
		last = i == 0 ? d.in_feature : d.out_feature;
	for (int n = 0; n < d.n_spatial; n++)
		if (space[n] != n + (i != 1))
			return false;
	return i == 1 ? d.k_in < d.k_out : first == 0 && last == d.n_spatial + 1;
}

/* Returns the buffer that a product reads for operand i: its own or a copy; -1: the product
 * computes the operand itself, or it belongs to another block. */
static int operand_of_product(kernel_search *k, const op *o, int i)
{
	const value *v = operand(o, i);
	int at = makes_operand(k->c->w->fusing, o, i) ? -1 : buffer_of(k, v);
	if (at < 0 || !is_counted(k->c->w, v))
		return -1;
	const value *root = seen_through(k->c->w, v);
	if (is_half(v) && !(value_def(root) && is_written_wide(value_def(root), root)))
		return widened(k, o, root, at);
	if (!(o->kind == OP_DOT_GENERAL ? reads_as_it_lies(k->c->w->fusing, o, i)
	                                : convolves_in_order(k->c->w->m, o, i)) &&
	    !is_made_for(k, v))
		return copy_buffer(k, o, at, v, written_bytes(k->c->w, v, is_half(v)));
	return -1;
}

/* True if the operand may be overwritten: it has no other user, and it is not an argument of
 * main. */
static bool may_begin_in(const kernel_search *k, const value *v)
{
	for (; value_has_one_use(v); v = renamed(k->c->w, v)) {
		const op *def = value_def(v);
		if (!renamed(k->c->w, v))
			return is_in_block(k, v) && (!def || !op_has(def, CONSTANT)) &&
			       !k->c->buffers.ptr[buffer_of(k, v)].fixed;
	}
	return false;
}

/* True if a loop may use the buffer of its initial value i. If several initial values are the same
 * value, that is true for the first one only. */
static bool begins_in_place(const kernel_search *k, const op *o, int i)
{
	const value *v = operand(o, i);
	const op *def = value_def(v);
	if (may_begin_in(k, v))
		return true;
	if (!def || !is_in_block(k, v) || op_has(def, CONSTANT) || renamed(k->c->w, v))
		return false;
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner != o || use_index(u) < i)
			return false;
	return true;
}

static bool loop_keeps(const op *o, int i)
{
	const block *body = o->kind == OP_WHILE ? op_block(o, 1) : NULL;
	const op *end = body ? block_terminator(body) : NULL;
	return end && i < end->n_operands && operand(end, i) == body->args[i];
}

/* ---- kernels --------------------------------------------------------------------------------- */

static bool is_updated(const op *o, int i)
{
	switch (o->kind) {
	case OP_DYNAMIC_UPDATE_SLICE: return i == 0;
	case OP_SCATTER: return i < (int)o->n_results;
	case OP_WHILE: return !loop_keeps(o, i);
	default: return op_is_ragged_all_to_all(o) && i == 1;
	}
}

/* True if a result is copied afterwards, into its type or order, and not by the operation that
 * reads it. */
static bool is_written_apart(const kernel_search *k, const op *o)
{
	const value *v = o->n_results ? &o->results[0] : NULL;
	if (!v || op_has(o, ELEMENTWISE | MOVES))
		return v && is_copied_result(o);
	if (is_written_wide(o, v))
		return !value_has_one_use(v) || !op_has(v->uses->owner, ELEMENTWISE);
	return fact_const(k->c->w, v)->returned && !convolves_in_order(k->c->w->m, o, 2);
}

/* Adds a kernel whose result the next kernel reads. */
static int write_and_go_on(kernel_search *k, const op *o, const value *v, int64_t bytes)
{
	int at = add_output(k, v, bytes);
	begin_kernel(k, o, true);
	kernel_reads(k, at, false);
	return at;
}

/* Adds a running sum: the operand in another order if necessary; the sums of the parts; in a few
 * steps the small sums of their totals; and both together, in the order of the parts or not. */
static void add_running(kernel_search *k, const op *o, const value *v, int copies)
{
	enum { STEPS = 4 };
	int64_t bytes = written_bytes(k->c->w, v, false);
	if (!copies)
		return;
	if (copies > 1)
		write_and_go_on(k, o, v, bytes);
	int parts = write_and_go_on(k, o, v, bytes);
	for (int i = 0; i < STEPS; i++)
		write_and_go_on(k, o, v, 0);
	kernel_reads(k, parts, false);
	if (copies > 1)
		write_and_go_on(k, o, v, bytes);
}

static void write_results_of(kernel_search *k, const op *o)
{
	const mem_walk *w = k->c->w;
	for (int i = 0; i < (int)o->n_results; i++) {
		const value *v = result(o, i);
		int from = op_is_ragged_all_to_all(o) ? 1 : i;
		bool kept = o->kind == OP_WHILE && loop_keeps(o, i);
		int at = from < o->n_operands ? buffer_of(k, operand(o, from)) : -1;
		if (kept && at >= 0) {
			w->buffer_of[v->id] = at + 1;
			continue;
		}
		bool apart = i == 0 && is_written_apart(k, o);
		int64_t bytes = written_bytes(w, v, is_written_wide(o, v) && !apart);
		if (i == 0)
			add_running(k, o, v, running_copies(w->fusing, o));
		if (apart)
			write_and_go_on(k, o, v, written_bytes(w, v, is_written_wide(o, v)));
		int out = add_output(k, v, bytes);
		w->buffer_of[v->id] = out + 1;
		if (at >= 0 && is_updated(o, from) && may_begin_in(k, operand(o, from)))
			k->c->buffers.ptr[out].after = home_of(k->c, at);
	}
}

/* True if it was transposed in this block: loops take it in its own order. */
static bool is_transposed_here(const kernel_search *k, const value *v)
{
	v = seen_through(k->c->w, v);
	return is_in_block(k, v) && value_def_of(v, OP_TRANSPOSE);
}

/* Adds a loop. Initial values that have other users, or occur several times, are copied first. */
static void add_loop(kernel_search *k, const op *o)
{
	int *copies = NEW_N(k->c->w->mem, int, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++) {
		int at = buffer_of(k, operand(o, i));
		if (at >= 0 && (is_transposed_here(k, operand(o, i)) ||
		                (!loop_keeps(o, i) && !begins_in_place(k, o, i))))
			copies[i] = copy_buffer(k, o, at, operand(o, i),
			                        written_bytes(k->c->w, operand(o, i), false)) +
			            1;
	}
	begin_kernel(k, o, false);
	for (int i = 0; i < o->n_operands; i++) {
		int at = copies[i] ? copies[i] - 1 : buffer_of(k, operand(o, i));
		if (at >= 0)
			kernel_reads(k, at, false);
	}
	read_in_regions(k, o);
	write_results_of(k, o);
	for (int i = 0; i < o->n_operands; i++) {
		int at = copies[i] ? copies[i] - 1 : buffer_of(k, operand(o, i));
		if (at >= 0 && loop_keeps(o, i))
			k->c->w->buffer_of[result(o, i)->id] = at + 1;
		else if (at >= 0)
			k->c->buffers.ptr[buffer_of(k, result(o, i))].after = home_of(k->c, at);
	}
}

static void add_kernel(kernel_search *k, const op *o)
{
	if (o->kind == OP_WHILE) {
		add_loop(k, o);
		return;
	}
	int copies[2] = {-1, -1};
	for (int i = 0; i < 2 && i < o->n_operands && op_has(o, PRODUCT); i++)
		copies[i] = operand_of_product(k, o, i);
	begin_kernel(k, o, false);
	if (copies[0] < 0 && copies[1] < 0)
		kernel_reads_cone(k, o);
	for (int i = 0; i < o->n_operands && (copies[0] >= 0 || copies[1] >= 0); i++)
		if (i < 2 && copies[i] >= 0)
			kernel_reads(k, copies[i], false);
		else
			kernel_reads_operand(k, o, i, false);
	if (runs_regions(o))
		read_in_regions(k, o);
	write_results_of(k, o);
}

/* Adds a kernel that does nothing; its results are available when all its operands are. */
static void add_barrier(kernel_search *k, const op *o)
{
	begin_kernel(k, o, true);
	for (int i = 0; i < o->n_operands; i++)
		kernel_reads_value(k, operand(o, i), false);
	k->c->w->buffer_of[o->results[0].id] = add_output(k, &o->results[0], 0) + 1;
}

void find_kernels(cpu_block *c)
{
	kernel_search k = {.c = c};
	bool main = op_is_func(block_parent(c->b)) && c->w->depth == 1;
	for (int i = 0; i < c->b->n_args; i++)
		add_argument(&k, c->b->args[i], main);
	for (const op *o = c->b->first; o; o = o->next)
		if (o->kind == OP_OPTIMIZATION_BARRIER && o->n_operands > 1)
			add_barrier(&k, o);
		else if (!op_is_virtual(c->w, o) && !op_shares(c->w, o))
			add_kernel(&k, o);
}

void find_users(cpu_block *c)
{
	int n = c->buffers.len;
	c->first_user = NEW_N(c->w->mem, int, n + 2);
	c->users = NEW_N(c->w->mem, int, c->inputs.len + 1);
	for (int i = 0; i < c->inputs.len; i++)
		c->first_user[c->inputs.ptr[i].buffer + 2]++;
	for (int i = 2; i < n + 2; i++)
		c->first_user[i] += c->first_user[i - 1];
	for (int i = 0; i < c->kernels.len; i++) {
		const cpu_kernel *k = &c->kernels.ptr[i];
		for (int n_in = 0; n_in < k->n_inputs; n_in++)
			c->users[c->first_user[c->inputs.ptr[k->first_input + n_in].buffer + 1]++] =
				i;
	}
}

/* ---- dependences ------------------------------------------------------------------------------ */

bool kernel_needs(cpu_block *c, int k, int before)
{
	enum { EFFORT = 16 };
	int n = 0;
	if (!c->visited) {
		c->visited = NEW_N(c->w->mem, int, c->kernels.len);
		c->pending = NEW_N(c->w->mem, int, c->kernels.len);
		c->effort = (int64_t)EFFORT * (c->kernels.len + c->inputs.len);
	}
	c->searches++;
	c->pending[n++] = k;
	while (n && c->effort > 0) {
		const cpu_kernel *by = &c->kernels.ptr[c->pending[--n]];
		if (by == &c->kernels.ptr[before])
			return true;
		c->effort -= by->n_inputs;
		for (int i = 0; i < by->n_inputs; i++) {
			int from = c->buffers.ptr[c->inputs.ptr[by->first_input + i].buffer].by;
			if (from < before || c->visited[from] == c->searches)
				continue;
			c->visited[from] = c->searches;
			c->pending[n++] = from;
		}
	}
	return c->effort <= 0 && before <= k;
}

/* True if a product reads the operand, or writes its result, as a matrix of fewer dimensions. */
static bool is_flattened(const module *m, const op *o, int k)
{
	dot_dims d;
	if (o->kind != OP_DOT_GENERAL || !op_dot_dims(m, o, &d))
		return false;
	int kept[2] = {operand(o, 0)->type->rank - d.n_batch - d.n_contract,
	               operand(o, 1)->type->rank - d.n_batch - d.n_contract};
	bool flat[2] = {kept[0] > 1 || d.n_contract > 1, kept[1] > 1 || d.n_contract > 1};
	return k < 2 ? flat[k] : kept[0] > 1 || kept[1] > 1;
}

bool is_reshaped(const cpu_block *c, const buffer *b)
{
	const op *def = value_def(b->v);
	if (def && is_flattened(c->w->m, def, 2))
		return true;
	const use *u = value_has_one_use(b->v) ? b->v->uses : NULL;
	if (u && u->owner->kind == OP_RESHAPE) {
		u = u->owner->results[0].uses;
		return u && !u->next && !op_has(u->owner, ELEMENTWISE | MOVES);
	}
	return u && is_flattened(c->w->m, u->owner, use_index(u));
}

int home_of(const cpu_block *c, int buffer)
{
	while (c->buffers.ptr[buffer].after >= 0)
		buffer = c->buffers.ptr[buffer].after;
	return buffer;
}

bool reads_in_step(const cpu_block *c, int k, int home)
{
	const cpu_kernel *by = &c->kernels.ptr[k];
	for (int i = 0; i < by->n_inputs; i++) {
		const kernel_input *in = &c->inputs.ptr[by->first_input + i];
		if (in->in_step && home_of(c, in->buffer) == home)
			return true;
	}
	return false;
}
