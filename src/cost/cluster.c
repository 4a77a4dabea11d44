/* cluster.c - what runs as one kernel: what it reads and writes, and how long it takes.
 *
 * A cluster is an operation whose result is written, with what is fused into it (fusing.c).  It reads
 * once what none of them makes, and of that only the part that a slice or a gather touches.  What
 * only updates a part of its operand writes that part, in place, unless the operand is needed later.
 * Two clusters that read the same, or one the other's result, run as one where nothing comes between
 * them. */
#include "cost/cluster.h"

/* What has been read of a value by the cluster that is counted. */
typedef struct value_read {
	const op *by;
	double share;
} value_read;

typedef struct clustering {
	fusing f;
	const target *t;
	value_read *read; /* [n_values] */
	value_read *made; /* [n_ops]: the share that the cluster makes of it */
	bool *counted;    /* [n_ops]: its work is */
	bool *kept;       /* [n_values]: an argument of a function, which is not donated */
	clusters out;
} clustering;

static double bytes_in(const value *v) { return (double)value_bytes(v); }
static double elements_in(const type *t) { return t->is_static ? (double)t->n_elems : 0; }

/* ---- reading ------------------------------------------------------------------------- */

/* The share of operand k that is read for a share of the result. */
static double share_read(const op *o, int k, double share)
{
	double in = elements_in(operand(o, k)->type), out = elements_in(o->results[0].type);
	bool part = o->kind == OP_SLICE ||
	            ((o->kind == OP_DYNAMIC_SLICE || o->kind == OP_GATHER) && k == 0);
	if (!part || in <= 0)
		return share;
	double touched = share * out / in;
	return touched < 1 ? touched : 1;
}

/* Bytes of a value that the cluster has not read yet. */
static double read_of_value(clustering *c, const op *root, const value *v, double share)
{
	v = value_behind(v);
	const op *def = value_def(v);
	if (def && op_has(def, CONSTANT) && v->type->n_elems <= 1)
		return 0;
	value_read *r = &c->read[v->id];
	double before = r->by == root ? r->share : 0;
	if (share <= before)
		return 0;
	*r = (value_read){root, share};
	return (share - before) * bytes_in(v);
}

static double reads_of_op(clustering *c, const op *root, const op *o, double share);

static void count_work(clustering *c, cluster *to, const op *o);

/* Bytes that operand k of o costs the cluster. */
static double reads_of_operand(clustering *c, const op *root, const op *o, int k, double share)
{
	share = share_read(o, k, share);
	if (!makes_operand(&c->f, o, k))
		return read_of_value(c, root, operand(o, k), share);
	const op *def = value_def(operand(o, k));
	value_read *made = &c->made[def->id];
	if (made->by == root && made->share >= share)
		return 0;
	*made = (value_read){root, share};
	count_work(c, c->out.at[root->id], def);
	return reads_of_op(c, root, def, share);
}

/* What updates a part of operand 0 in place does not read the rest. */
static bool updates(const op *o)
{
	return o->kind == OP_DYNAMIC_UPDATE_SLICE || o->kind == OP_SCATTER;
}

static double reads_of_op(clustering *c, const op *root, const op *o, double share)
{
	double bytes = 0;
	for (int k = updates(o) ? 1 : 0; k < o->n_operands; k++)
		bytes += reads_of_operand(c, root, o, k, share);
	return bytes;
}

/* ---- writing ------------------------------------------------------------------------- */

/* Whether operand 0 may be overwritten: it is not needed afterwards. */
static bool dies_in(const clustering *c, const op *o, const value *v)
{
	if (c->kept[v->id])
		return false;
	for (const use *u = v->uses; u; u = u->next)
		if (u->owner != o)
			return false;
	return true;
}

static double writes_of(const clustering *c, const op *o)
{
	double bytes = 0;
	if (!updates(o)) {
		for (int i = 0; i < (int)o->n_results; i++)
			bytes += bytes_in(&o->results[i]);
		return bytes;
	}
	int n = o->kind == OP_SCATTER ? (int)o->n_results : 1;
	for (int i = 0; i < n; i++) {
		double update = bytes_in(operand(o, o->kind == OP_SCATTER ? n + 1 + i : 1));
		const value *into = value_behind(operand(o, i));
		const op *def = value_def(into);
		double all = bytes_in(into);
		/* A scatter adds to what is there; if that is little, it stays in a cache. */
		bytes += o->kind == OP_SCATTER ? 2 * (update < all ? update : all) : update;
		if (def && c->f.at[def->id].fused)
			bytes += all; /* it is filled first */
		else if (!dies_in(c, o, into))
			bytes += 2 * all;
	}
	return bytes;
}

/* ---- time ------------------------------------------------------------------------------ */

static void count_work(clustering *c, cluster *to, const op *o)
{
	if (c->counted[o->id])
		return;
	c->counted[o->id] = true;
	work w = op_work(c->f.m, o);
	to->w.flops += w.flops;
	to->unfused_bytes += w.bytes;
	if (op_has(o, PRODUCT))
		to->main = o;
	if (w.flops <= 0)
		return;
	double peak = w.flops / op_flop_rate(c->t, o);
	to->peak_seconds += peak;
	/* Until the cluster is complete these are its arithmetic. */
	to->seconds += op_has(o, PRODUCT) ? peak / (c->t->product_efficiency *
	                                            product_share(c->f.m, c->t, o))
	                                  : peak;
}

static void cluster_at(clustering *c, const op *o)
{
	cluster *k = NEW(c->f.mem, cluster);
	*k = (cluster){.root = o, .main = o};
	c->out.at[o->id] = k;
	count_work(c, k, o);
	k->w.bytes = reads_of_op(c, o, o, 1) + writes_of(c, o);
	double traffic = k->w.bytes / (c->t->memory_bandwidth * c->t->memory_efficiency);
	if (k->seconds < traffic)
		k->seconds = traffic;
	k->seconds += c->t->launch_seconds;
}

/* ---- all blocks --------------------------------------------------------------------------- */

static void cluster_block(clustering *c, const block *b);

static void cluster_regions(clustering *c, const op *o)
{
	for (int r = 0; r < op_n_regions(o); r++)
		if (op_block(o, r))
			cluster_block(c, op_block(o, r));
}

static void cluster_block(clustering *c, const block *b)
{
	fuse_block(&c->f, b);
	for (const op *o = b->first; o; o = o->next) {
		if (op_has(o, CONTROL | LISTED))
			cluster_regions(c, o);
		else if (c->f.at[o->id].stored && !op_is_collective(o) &&
		         o->kind != OP_COLLECTIVE_PERMUTE)
			cluster_at(c, o);
	}
}

/* What main is given stays as it is, unless its memory goes over to a result. */
static void keep_arguments(clustering *c, const op *func)
{
	const block *b = op_body(func);
	const int *donor = func_donors(c->f.m, func, c->f.mem);
	for (int i = 0; i < b->n_args; i++)
		c->kept[b->args[i]->id] = true;
	for (int i = 0; i < op_func(func)->type->n_out; i++)
		if (donor[i] >= 0)
			c->kept[b->args[donor[i]]->id] = false;
}

clusters clusters_of(const module *m, const target *t, arena *mem)
{
	clustering c = {.f = {.m = m, .mem = mem, .at = NEW_N(mem, fused_op, m->n_ops + 1)}, .t = t};
	c.f.cpu = !strcmp(t->name, "cpu");
	c.out.at = NEW_N(mem, cluster *, m->n_ops + 1);
	c.read = NEW_N(mem, value_read, m->n_values + 1);
	c.made = NEW_N(mem, value_read, m->n_ops + 1);
	c.counted = NEW_N(mem, bool, m->n_ops + 1);
	c.kept = NEW_N(mem, bool, m->n_values + 1);
	for (const op *o = module_body(m)->first; o; o = o->next)
		if (op_is_func(o) && !func_is_declaration(o)) {
			keep_arguments(&c, o);
			cluster_regions(&c, o);
		}
	return c.out;
}
