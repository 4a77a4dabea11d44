/* cluster.c - which operations run as one kernel: what it reads and writes, and how long it takes.
 *
 * A cluster is an operation whose result is written to memory, with the operations that are fused
 * into it (fusing.c). It reads each value once that no member computes, and of that value only the
 * part that a slice or a gather touches. An operation that updates a part of its operand writes
 * only that part, in place, unless the operand is needed later. Loops over equally many elements
 * that read the same value, or of which one reads the other's result, run as one kernel if nothing
 * has to run between them; XLA's compiler for CPUs does not do that. A value that a loop carries is
 * written over the value that came in, or copied if that is still read. */
#include "cost/cluster.h"

#include <math.h>

/* How much the current cluster has read of a value, or computed of an operation. */
typedef struct value_read {
	const op *by;
	double share;
} value_read;

/* A cluster that is still being put together. */
typedef struct kernel {
	cluster *c;
	double arithmetic; /* seconds */
	double elements;   /* that it computes; 0: it cannot run with another one */
	int at;            /* its position in the block */
	int ends;          /* number of operations whose results it writes */
} kernel;

/* A value that a cluster reads, and how much of it. */
typedef struct border {
	const value *v;
	double share;
} border;

/* What is known of a value while its block is processed. */
typedef struct value_place {
	kernel *with; /* the last kernel that read or wrote all of it */
	kernel *by;   /* the kernel that wrote it */
	value_read read;
	int ready;                 /* position after which it is available */
	int last_read, last_moved; /* position + 1 of the last kernel that read it; and in
				    * another order */
	bool kept;                 /* an argument of a function that is not donated */
	bool returned;             /* by a function, so it is written to memory of its own */
	double touched;            /* bytes that all kernels had touched then; 0: never touched */
	bool wide;                 /* half precision that was also written in 32 bits */
} value_place;

/* An operation of the current cluster, some of whose operands have been read. */
typedef struct reading {
	const op *o;
	double share;
	bool moved;
	int next; /* operand */
} reading;

typedef struct clustering {
	fusing *f;
	const target *t;
	value_place *at;       /* [n_values] */
	value_read *made;      /* [n_ops] */
	bool *counted;         /* [n_ops]: its work has been counted */
	VEC(border) borders;   /* of the current cluster */
	VEC(reading) readings; /* a stack: a cluster may be a chain of 100,000 operations */
	VEC(kernel *) kernels; /* of all blocks */
	double touched;        /* bytes that all kernels so far read and wrote, from 1 on */
	double share;          /* of memory's time, in a cache: memory_share_of_nearest() */
	clusters out;
} clustering;

static double bytes_in(const value *v) { return (double)value_bytes(v); }

/* ---- caches --------------------------------------------------------------------------- */

/* A value is in the cache if all of it, and what kernels have read and written since it was touched
 * last, fits in there. What the devices that share a core do to each other's caches is counted by
 * `turn_seconds`. */

/* Adds bytes that a kernel reads or writes. */
static void move_bytes(clustering *c, kernel *k, double bytes, bool in_cache)
{
	k->c->w.bytes += bytes;
	k->c->memory_bytes += (in_cache ? c->share : 1) * bytes;
	c->touched += bytes;
}

static bool is_in_cache(const clustering *c, const value *v)
{
	const value_place *p = &c->at[v->id];
	return p->touched > 0 && c->touched - p->touched + bytes_in(v) <= c->t->cache_bytes;
}

static bool fits_in_cache(const clustering *c, const value *v)
{
	return bytes_in(v) <= c->t->cache_bytes;
}

static bool results_stay_in_cache(const clustering *c, const op *o)
{
	for (int i = 0; i < (int)o->n_results; i++)
		if (!fits_in_cache(c, &o->results[i]) || c->at[o->results[i].id].returned)
			return false;
	return true;
}

/* ---- reading ------------------------------------------------------------------------- */

/* Returns which share of operand k is read to compute a share of the result. */
static double share_read(const op *o, int k, double share)
{
	if (!op_has(o, SELECTS) || k)
		return share;
	double in = elements_of(operand(o, k)->type), out = elements_of(result(o, 0)->type);
	return in > 0 ? fmin(share * out / in, 1) : share;
}

/* Returns true if elements are read at other positions than they are written to. */
static bool reads_elsewhere(const op *o)
{
	return !op_has(o, ELEMENTWISE) && o->kind != OP_RESHAPE;
}

static void read_of_value(clustering *c, const kernel *k, const value *v, double share, bool moved)
{
	v = value_behind(v);
	const op *def = value_def(v);
	if (def && op_has(def, CONSTANT) && v->type->n_elems <= 1)
		return;
	value_place *p = &c->at[v->id];
	double before = p->read.by == k->c->root ? p->read.share : 0;
	p->last_read = k->at + 1;
	if (moved)
		p->last_moved = k->at + 1;
	if (share <= before)
		return;
	p->read = (value_read){k->c->root, share};
	vec_push(c->f->mem, &c->borders, (border){v, share - before});
}

static void count_work(clustering *c, kernel *k, const op *o);

/* An operand of a product is first written in the order in which the product reads it: by the
 * operation that computes it if that is a loop whose result has no other user. */
static void order_operand(clustering *c, kernel *k, const op *o, int i)
{
	if (o->kind != OP_DOT_GENERAL || reads_as_it_lies(c->f, o, i))
		return;
	const value *v = operand(o, i);
	const op *def = value_def(v);
	if (!def || !op_has(def, ELEMENTWISE | MOVES) || !value_has_one_use(v) ||
	    c->f->at[def->id].library)
		move_bytes(c, k, 2 * bytes_in(v), fits_in_cache(c, v));
}

/* As it is, or reshaped up to `times` times. */
static bool only_products_read(const value *v, int times)
{
	for (const use *u = v->uses; u; u = u->next)
		if (!op_has(u->owner, PRODUCT) &&
		    !(times && op_renames(u->owner) && u->owner->n_results == 1 &&
		      only_products_read(result(u->owner, 0), times - 1)))
			return false;
	return true;
}

static bool computes_wide(const clustering *c, const op *o)
{
	return c->f->cpu && op_has(o, PRODUCT);
}

/* CPUs multiply matrices of half precision in 32 bits. If only products read an operand, the
 * operation that computes it writes it in 32 bits; otherwise it is converted, once. */
static void widen_operand(clustering *c, kernel *k, const op *o, int i)
{
	enum { WRITTEN = 1, CONVERTED = 3, RESHAPED = 4 };
	const value *v = computes_wide(c, o) ? value_behind(operand(o, i)) : NULL;
	if (!v || !is_half(v))
		return;
	const op *def = value_def(v);
	bool made = def && op_has(def, ELEMENTWISE | MOVES) && only_products_read(v, RESHAPED);
	double bytes = bytes_in(v);
	if (!c->at[v->id].wide)
		bytes += (made ? WRITTEN : CONVERTED) * bytes_in(v);
	move_bytes(c, k, bytes, fits_in_cache(c, v));
	c->at[v->id].wide = true;
}

/* The result is converted by the elementwise operation that reads it, or in a pass of its own. */
static void widen_result(clustering *c, kernel *k, const op *o)
{
	enum { READ = 2, CONVERTED = 4 };
	const value *v = &o->results[0];
	if (!o->n_results || !computes_wide(c, o) || !is_half(v))
		return;
	const op *by = value_has_one_use(v) ? v->uses->owner : NULL;
	double passes = by && op_has(by, ELEMENTWISE) ? READ : CONVERTED;
	move_bytes(c, k, passes * bytes_in(v), fits_in_cache(c, v));
}

static void push_reading(clustering *c, const op *o, double share, bool moved)
{
	/* An operation that updates a part of operand 0 in place does not read the rest of it. */
	int first = op_has(o, UPDATES) ? 1 : 0;
	vec_push(c->f->mem, &c->readings, (reading){o, share, moved || reads_elsewhere(o), first});
}

static void reads_of_operand(clustering *c, kernel *k, const op *o, int i, double share, bool moved)
{
	share = share_read(o, i, share);
	order_operand(c, k, o, i);
	widen_operand(c, k, o, i);
	if (!makes_operand(c->f, o, i)) {
		read_of_value(c, k, operand(o, i), share, moved);
		return;
	}
	const op *def = value_def(operand(o, i));
	value_read *made = &c->made[def->id];
	if (made->by == k->c->root && made->share >= share)
		return;
	*made = (value_read){k->c->root, share};
	count_work(c, k, def);
	push_reading(c, def, share, moved);
}

/* Operands of a member come before the next operand of the operation that reads it. */
static void reads_of_op(clustering *c, kernel *k, const op *o)
{
	push_reading(c, o, 1, false);
	while (c->readings.len) {
		reading *r = &c->readings.ptr[c->readings.len - 1];
		int i = r->next++;
		if (i < (int)r->o->n_operands)
			reads_of_operand(c, k, r->o, i, r->share, r->moved);
		else
			c->readings.len--;
	}
}

/* ---- writing ------------------------------------------------------------------------- */

/* Returns true if operand 0 may be overwritten because it is not needed afterwards. */
static bool dies_in(const clustering *c, const op *o, const value *v)
{
	if (c->at[v->id].kept)
		return false;
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner != o)
			return false;
	return true;
}

static double writes_of(const clustering *c, const op *o)
{
	double bytes = 0;
	if (!op_has(o, UPDATES)) {
		for (int i = 0; i < (int)o->n_results; i++)
			bytes += bytes_in(&o->results[i]);
		return bytes;
	}
	bool scatters = o->kind == OP_SCATTER;
	int n = scatters ? (int)o->n_results : 1;
	for (int i = 0; i < n; i++) {
		double update = bytes_in(operand(o, scatters ? n + 1 + i : 1));
		const value *into = value_behind(operand(o, i));
		const op *def = value_def(into);
		double all = bytes_in(into);
		/* A scatter adds to what is in memory; if the operand is small, it stays in a
		 * cache. */
		bytes += scatters ? 2 * (update < all ? update : all) : update;
		if (def && c->f->at[def->id].fused)
			bytes += all; /* the result is filled with the operand first */
		else if (!dies_in(c, o, into))
			bytes += 2 * all;
	}
	return bytes;
}

/* ---- time ------------------------------------------------------------------------------ */

static void count_work(clustering *c, kernel *k, const op *o)
{
	if (c->counted[o->id])
		return;
	c->counted[o->id] = true;
	work w = op_work(c->f->m, o);
	cluster *to = k->c;
	to->w.flops += w.flops;
	to->unfused_bytes += w.bytes;
	if (op_has(o, PRODUCT))
		to->main = o;
	if (w.flops <= 0)
		return;
	double peak = w.flops / op_flop_rate(c->t, o);
	to->peak_seconds += peak;
	if (op_has(o, PRODUCT))
		peak /= c->t->product_efficiency * product_share(c->f->m, c->t, o);
	k->arithmetic += peak;
}

static void finish(const clustering *c, const kernel *k)
{
	double traffic = memory_seconds(c->t, k->c->memory_bytes);
	k->c->seconds = c->t->launch_seconds + (k->arithmetic > traffic ? k->arithmetic : traffic);
}

/* ---- kernels with several results -------------------------------------------------------- */

/* Returns the number of elements that a loop computes; 0: it is not a loop, or it holds rows. */
static double loop_elements(const clustering *c, const op *o)
{
	const fused_op *f = &c->f->at[o->id];
	bool loop = op_has(o, ELEMENTWISE | MOVES) || o->kind == OP_REDUCE;
	if (c->f->cpu || !loop || f->has_product || f->reduced)
		return 0;
	return elements_of(o->kind == OP_REDUCE ? operand(o, 0)->type : o->results[0].type);
}

/* Returns a kernel before k, over equally many elements, that reads or writes most of what k also
 * reads, and at whose position everything else that k reads is available; NULL: there is none. */
static kernel *partner_of(const clustering *c, const kernel *k)
{
	enum { MOST_ENDS = 8 };
	kernel *best = NULL;
	double most = 0;
	for (int i = 0; k->elements && i < c->borders.len; i++) {
		const value *v = c->borders.ptr[i].v;
		kernel *with = c->at[v->id].with;
		if (with && with->c->root->parent == k->c->root->parent && bytes_in(v) > most &&
		    with->elements == k->elements && with->ends < MOST_ENDS) {
			best = with;
			most = bytes_in(v);
		}
	}
	for (int i = 0; best && i < c->borders.len; i++) {
		const value_place *p = &c->at[c->borders.ptr[i].v->id];
		/* Values that the kernel writes itself are available element by element. */
		bool later = p->by == best ? p->last_moved == k->at + 1 : p->ready > best->at;
		if (later)
			return NULL;
	}
	return best;
}

/* Adds the values that the kernel has not read before; `at` is the position at which it would have
 * run alone. */
static void read_borders(clustering *c, kernel *k, int at)
{
	for (int i = 0; i < c->borders.len; i++) {
		const border *b = &c->borders.ptr[i];
		value_place *p = &c->at[b->v->id];
		p->last_read = p->last_read == at + 1 ? k->at + 1 : p->last_read;
		p->last_moved = p->last_moved == at + 1 ? k->at + 1 : p->last_moved;
		if (p->with == k)
			continue;
		move_bytes(c, k, b->share * bytes_in(b->v), is_in_cache(c, b->v));
		p->touched = c->touched;
		if (b->share >= 1)
			p->with = k;
	}
}

static void write_results(clustering *c, kernel *k, const op *o)
{
	move_bytes(c, k, writes_of(c, o) + bytes_besides(c->f, o), results_stay_in_cache(c, o));
	widen_result(c, k, o);
	k->ends++;
	for (int i = 0; i < (int)o->n_results; i++) {
		c->at[o->results[i].id].with = c->at[o->results[i].id].by = k;
		c->at[o->results[i].id].ready = k->at;
		c->at[o->results[i].id].touched = c->touched;
	}
}

static void join_kernel(kernel *k, const kernel *from)
{
	cluster *to = k->c;
	to->w.flops += from->c->w.flops;
	to->w.bytes += from->c->w.bytes;
	to->memory_bytes += from->c->memory_bytes;
	to->unfused_bytes += from->c->unfused_bytes;
	to->peak_seconds += from->c->peak_seconds;
	k->arithmetic += from->arithmetic;
}

static void cluster_at(clustering *c, const op *o, int at)
{
	kernel *k = NEW(c->f->mem, kernel);
	*k = (kernel){.c = NEW(c->f->mem, cluster), .elements = loop_elements(c, o), .at = at};
	*k->c = (cluster){.root = o, .main = o};
	c->borders.len = 0;
	count_work(c, k, o);
	reads_of_op(c, k, o);
	kernel *with = partner_of(c, k);
	if (with) {
		join_kernel(with, k);
		c->out.with[o->id] = with->c->root;
		k = with;
	} else {
		c->out.at[o->id] = k->c;
		vec_push(c->f->mem, &c->kernels, k);
	}
	read_borders(c, k, at);
	write_results(c, k, o);
}

/* ---- what a loop carries -------------------------------------------------------------------- */

/* Returns true if the value for the next iteration cannot be written over the present one. */
static bool is_carried_by_copy(const clustering *c, const block *body, int i, const value *next)
{
	const value *old = body->args[i];
	const op *def = value_def(next);
	if (next == old)
		return false;
	if (!def)
		return value_owner(next) == body; /* it is another carried value */
	if (def->parent != body || op_has(def, UPDATES))
		return false;
	int at = c->at[next->id].ready + 1;
	return c->at[old->id].last_read > at || c->at[old->id].last_moved == at;
}

/* Such values are copied at the end of each iteration. */
static void copy_carried(clustering *c, const op *loop)
{
	const block *body = op_block(loop, 1);
	const op *end = body ? block_terminator(body) : NULL;
	double bytes = 0;
	for (int i = 0; end && i < end->n_operands && i < body->n_args; i++)
		if (is_carried_by_copy(c, body, i, value_behind(operand(end, i))))
			bytes += 2 * bytes_in(body->args[i]);
	if (bytes <= 0)
		return;
	kernel *k = NEW(c->f->mem, kernel);
	*k = (kernel){.c = NEW(c->f->mem, cluster)};
	*k->c = (cluster){.root = end, .main = end};
	move_bytes(c, k, bytes, bytes <= c->t->cache_bytes);
	c->out.at[end->id] = k->c;
	vec_push(c->f->mem, &c->kernels, k);
}

/* ---- all blocks --------------------------------------------------------------------------- */

static void cluster_block(clustering *c, const block *b);

/* If all that an iteration of a loop touches fits into the cache, the next one finds it there. */
static void warm_loop(clustering *c, int first, double touched)
{
	if (c->touched - touched > c->t->cache_bytes)
		return;
	for (int i = first; i < c->kernels.len; i++) {
		cluster *k = c->kernels.ptr[i]->c;
		k->memory_bytes = c->share * k->w.bytes;
	}
}

static void cluster_regions(clustering *c, const op *o)
{
	int first = c->kernels.len;
	double touched = c->touched;
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			cluster_block(c, op_block(o, r));
	if (o->kind == OP_WHILE) {
		copy_carried(c, o);
		warm_loop(c, first, touched);
	}
}

static void cluster_block(clustering *c, const block *b)
{
	int at = 0;
	fuse_block(c->f, b);
	for (int i = 0; i < b->n_args && !op_is_func(block_parent(b)); i++)
		c->at[b->args[i]->id].touched = c->touched;
	for (const op *o = b->first; o; o = o->next, at++) {
		for (int i = 0; i < (int)o->n_results; i++)
			c->at[o->results[i].id].ready = at;
		if (op_has(o, CONTROL | LISTED))
			cluster_regions(c, o);
		else if (c->f->at[o->id].stored && !op_is_collective(o))
			cluster_at(c, o, at);
	}
}

/* Arguments of main keep their values, unless they are donated to a result. */
static void keep_arguments(clustering *c, const op *func)
{
	const op *end = block_terminator(op_body(func));
	const block *b = op_body(func);
	const int *donor = func_donors(c->f->m, func, c->f->mem);
	for (int i = 0; i < b->n_args; i++)
		c->at[b->args[i]->id].kept = true;
	for (int i = 0; i < op_func(func)->type->n_out; i++)
		if (donor[i] >= 0)
			c->at[b->args[donor[i]]->id].kept = false;
	for (int i = 0; end && i < end->n_operands; i++)
		c->at[value_behind(operand(end, i))->id].returned = true;
}

/* The lists stay as they are until their numbers say that something is in them. */
static fused_op *no_fused_ops(size_t n, arena *mem)
{
	fused_op *list = arena_alloc(mem, n * sizeof *list);
	for (size_t i = 0; i < n; i++)
		memset(&list[i].n_roots, 0, sizeof *list - offsetof(fused_op, n_roots));
	return list;
}

clusters clusters_of(const module *m, const target *t, arena *mem)
{
	clustering c = {.f = NEW(mem, fusing), .t = t, .touched = 1, .share = memory_share_of_nearest(t)};
	*c.f = (fusing){.m = m, .mem = mem, .cpu = t->is_cpu, .at = no_fused_ops(m->n_ops + 1, mem)};
	c.out.fusing = c.f;
	c.out.at = NEW_N(mem, cluster *, m->n_ops + 1);
	c.out.with = NEW_N(mem, const op *, m->n_ops + 1);
	c.at = NEW_N(mem, value_place, m->n_values + 1);
	c.made = NEW_N(mem, value_read, m->n_ops + 1);
	c.counted = NEW_N(mem, bool, m->n_ops + 1);
	for (const op *o = module_body(m)->first; o; o = o->next)
		if (op_is_func(o) && !func_is_declaration(o)) {
			keep_arguments(&c, o);
			cluster_regions(&c, o);
		}
	for (int i = 0; i < c.kernels.len; i++)
		finish(&c, c.kernels.ptr[i]);
	return c.out;
}
