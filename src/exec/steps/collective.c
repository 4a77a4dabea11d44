/* collective.c - collectives, in shared memory.
 *
 * No device waits: when the step runs, all instances of the operand exist, and each distinct
 * instance of the result is computed by reading those of its group's members. Reductions go in the
 * order of the group, so that results depend on nothing else. */
#include "exec/steps/plan.h"

enum { CHUNK = 2048 };

typedef struct collective_step {
	const groups *g;
	const int32_t *sources; /* collective_permute */
	int64_t outer, run;     /* one device's part of an operand: `outer` runs of elements */
	int64_t stride;         /* from run to run in the operand, in elements */
	/* all_to_all, all_gather */
	int64_t dims[MAX_RANK], part_in, part_out; /* dimensions of a part; distances between parts,
	                                            * in elements */
	/* reductions */
	vec_fn *apply, *load, *store;
	const body *body;
	bool root_only;    /* collective_reduce: other members get zeros */
	bool dynamic_root; /* refs[1] has the number of the member to copy, at this element */
	int root_at;
} collective_step;

static const char *instance_at(const struct run *r, const step *s, int ref_index, int32_t device)
{
	return step_instance(r, s, ref_index, s->plan->refs[ref_index].slot->cls->of[device]);
}

static char *result_at(const struct run *r, const step *s, int32_t cls)
{
	return ref_at(r, &s->plan->refs[s->n_in], cls);
}

/* ---- reductions ------------------------------------------------------------------- */

typedef struct member_part {
	const struct run *r;
	const step *s;
	const int32_t *members;
	int n;
	int64_t at; /* elements from the start of the operand */
} member_part;

static const char *member_at(const member_part *m, int i)
{
	return instance_at(m->r, m->s, 0, m->members[i]) + m->at * step_in(m->s, 0)->bytes;
}

/* Reduces `len` elements of all members into `to`. Narrow floats are summed as f32 and rounded
 * once. */
static void fold_members(const collective_step *k, const member_part *m, int64_t len, char *to,
                         char *scratch)
{
	char *acc = k->load ? scratch : to, *wide = scratch + CHUNK * 8;
	size_t bytes = (size_t)(len * step_in(m->s, 0)->bytes);
	if (m->n == 1) {
		memcpy(to, member_at(m, 0), bytes);
		return;
	}
	if (k->load)
		k->load(len, acc, member_at(m, 0), NULL, NULL, 0);
	for (int i = 1; i < m->n; i++) {
		const char *x = member_at(m, i);
		if (k->load) {
			k->load(len, wide, x, NULL, NULL, 0);
			x = wide;
		}
		k->apply(len, acc, i == 1 && !k->load ? member_at(m, 0) : acc, x, NULL, 0);
	}
	if (k->load)
		k->store(len, to, acc, NULL, NULL, 0);
}

/* The same with a body: the partial result alternates between two buffers. */
static void fold_members_body(const collective_step *k, const member_part *m, int64_t len, char *to,
                              char *scratch)
{
	size_t bytes = (size_t)(len * step_in(m->s, 0)->bytes);
	char *other = scratch;
	memcpy(other, member_at(m, 0), bytes);
	for (int i = 1; i < m->n; i++) {
		char *args[2] = {other, (char *)member_at(m, i)}, *results[1] = {to};
		body_run(k->body, len, args, results, scratch + CHUNK * 16);
		memcpy(other, to, bytes);
	}
	memcpy(to, other, bytes);
}

static void reduce_part(const struct run *r, const step *s, int32_t cls, int64_t tile,
                        void *scratch)
{
	const collective_step *k = s->params;
	int32_t device = s->plan->cls->first[cls];
	const groups *g = k->g;
	int of = g->group_of[device], pos = g->position[device];
	char *to = result_at(r, s, cls);
	int bytes = step_in(s, 0)->bytes;
	if (k->root_only && pos != 0) {
		memset(to, 0, (size_t)(step_out(s, 0)->n * bytes));
		return;
	}
	bool scatters = k->stride != k->run;
	int64_t n = ceil_div(k->run, CHUNK) * k->outer;
	for (int64_t i = tile_begin(s, n, tile); i < tile_begin(s, n, tile + 1); i++) {
		int64_t outer = i % k->outer, x = i / k->outer * CHUNK;
		int64_t len = min_i64(CHUNK, k->run - x);
		member_part m = {r, s, g->members[of], g->sizes[of],
		                 outer * k->stride + (scatters ? pos * k->run : 0) + x};
		char *part = to + (outer * k->run + x) * bytes;
		if (k->body)
			fold_members_body(k, &m, len, part, scratch);
		else
			fold_members(k, &m, len, part, scratch);
	}
}

static bool prepare_fold(exec_plan *p, const op *o, collective_step *k, dtype t)
{
	vec_op op_code = o->kind == OP_CROSS_REPLICA_SUM ? VEC_ADD : body_op(o, 0);
	k->apply = op_code ? vec_find(op_code, vec_type_of(t)) : NULL;
	k->load = vec_load(t);
	k->store = vec_store(t);
	if (k->apply && (!k->load || k->store))
		return true;
	k->body = body_new(p, o, 0);
	return k->body != NULL;
}

/* ---- moving parts --------------------------------------------------------------------- */

/* Copies each member's part to its place in the result. A tile is a member. */
static void gather_part(const struct run *r, const step *s, int32_t cls, int64_t tile,
                        void *scratch)
{
	UNUSED(scratch);
	const collective_step *k = s->params;
	int32_t device = s->plan->cls->first[cls];
	const groups *g = k->g;
	int of = g->group_of[device];
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	const char *from = instance_at(r, s, 0, g->members[of][tile]);
	box_copy(in->rank, k->dims, result_at(r, s, cls) + tile * k->part_out * out->bytes,
	         out->strides, from + g->position[device] * k->part_in * in->bytes, in->strides,
	         in->bytes);
}

/* Copies from one device, or writes zeros. */
static void copy_part(const struct run *r, const step *s, int32_t cls, int64_t tile, void *scratch)
{
	UNUSED(scratch), UNUSED(tile);
	const collective_step *k = s->params;
	int32_t device = s->plan->cls->first[cls], from;
	if (k->sources) {
		from = k->sources[device];
	} else {
		int of = k->g->group_of[device];
		int64_t root = 0;
		if (k->dynamic_root && of >= 0) {
			const tensor *t = step_in(s, 1);
			root = elem_get_int(t->dtype, instance_at(r, s, 1, device) +
			                                  k->root_at * t->bytes);
			root = max_i64(0, min_i64(root, k->g->sizes[of] - 1));
		}
		from = of < 0 ? -1 : k->g->members[of][root];
	}
	size_t bytes = (size_t)(step_out(s, 0)->n * step_out(s, 0)->bytes);
	if (from < 0)
		memset(result_at(r, s, cls), 0, bytes);
	else
		memcpy(result_at(r, s, cls), instance_at(r, s, 0, from), bytes);
}

/* ---- planning ---------------------------------------------------------------------------- */

static int group_size(const groups *g)
{
	int n = g->n ? g->sizes[0] : 0;
	for (int i = 1; i < g->n; i++)
		if (g->sizes[i] != n)
			return -1;
	return n;
}

static bool plan_reduction(exec_plan *p, step *s, collective_step *k)
{
	const op *o = s->op;
	const tensor *in = step_in(s, 0);
	k->outer = 1;
	k->run = k->stride = in->n;
	k->root_only = o->kind == OP_COLLECTIVE_REDUCE;
	if (o->kind == OP_REDUCE_SCATTER) {
		int64_t d = op_int(o, N_scatter_dimension, -1);
		int n = group_size(k->g);
		if (d < 0 || d >= in->rank || n < 1 || in->dims[d] % n ||
		    step_out(s, 0)->n * n != in->n)
			return step_invalid(p, s, "the groups do not divide the dimension");
		k->stride = in->dims[d] * in->strides[d];
		k->outer = k->stride ? in->n / k->stride : 0;
		k->run = k->stride / n;
		if (n == 1) { /* all runs as one */
			k->outer = 1;
			k->run = k->stride = in->n;
		}
		part_box box = {2, {k->outer, k->run}, {k->stride, 1}, k->run, in->bytes};
		s->plan->part = COPY_N(&p->mem, &box, 1);
	} else if (step_out(s, 0)->n != in->n) {
		return step_invalid(p, s, "operand and result differ in shape");
	}
	s->plan->run_part = reduce_part;
	s->cost = (double)step_out(s, 0)->n * in->bytes * 0.1 * max_i64(1, group_size(k->g));
	step_split(s, ceil_div(k->run, CHUNK) * k->outer, 4);
	s->scratch = CHUNK * 16;
	if (!prepare_fold(p, o, k, in->dtype))
		return false;
	s->scratch += k->body ? body_scratch_bytes(k->body) : 0;
	return true;
}

static bool plan_parts(exec_plan *p, step *s, collective_step *k)
{
	const op *o = s->op;
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	bool gathers = o->kind == OP_ALL_GATHER;
	int64_t from = gathers ? 0 : op_int(o, N_split_dimension, -1);
	int64_t to = op_int(o, gathers ? N_all_gather_dim : N_concat_dimension, -1);
	int n = group_size(k->g);
	if (from < 0 || (from >= in->rank && !gathers) || to < 0 || to >= in->rank || n < 1 ||
	    (!gathers && in->dims[from] % n) || in->n * (gathers ? n : 1) != out->n)
		return step_invalid(p, s, "the groups do not fit the dimensions");
	for (int i = 0; i < in->rank; i++)
		k->dims[i] = in->dims[i];
	if (!gathers) {
		k->dims[from] /= n;
		k->part_in = k->dims[from] * in->strides[from];
		part_box *box = NEW(&p->mem, part_box);
		*box = (part_box){.rank = in->rank, .step = k->part_in, .bytes = in->bytes};
		memcpy(box->dims, k->dims, sizeof box->dims);
		memcpy(box->strides, in->strides, sizeof *in->strides * (size_t)in->rank);
		s->plan->part = box;
	}
	k->part_out = k->dims[to] * out->strides[to];
	s->plan->run_part = gather_part;
	s->n_tiles = n;
	s->cost = (double)out->n * out->bytes * 0.15;
	return true;
}

static bool plan_one(exec_plan *p, const op *o, int i, const groups *g, const int32_t *sources)
{
	bool dynamic_root = op_bool(o, N_has_dynamic_root);
	const binding *in = bound_dense(p, operand(o, i));
	const binding *root = dynamic_root ? bound_dense(p, operand(o, o->n_operands - 1)) : NULL;
	step *s = step_new(p, o, 1 + dynamic_root, 1, p->cls[result(o, i)->id]);
	/* instances are found by device, so the classes of operands need not be coarser */
	s->t[0] = tensor_of(p, operand(o, i)->type, in);
	s->plan->refs[0] = (ref){in->slot, in->offset * s->t[0].bytes, NULL};
	if (root) {
		s->t[1] = tensor_of(p, operand(o, o->n_operands - 1)->type, root);
		s->plan->refs[1] = (ref){root->slot, root->offset * s->t[1].bytes, NULL};
	}
	step_set_out(p, s, 0, result(o, i)->type, result(o, i));
	s->plan->kind = STEP_COLLECTIVE;
	s->plan->groups = g;
	s->plan->sources = sources;
	collective_step *k = NEW(&p->mem, collective_step);
	*k = (collective_step){.g = g, .sources = sources, .dynamic_root = dynamic_root, .root_at = i};
	s->params = k;
	bool good = true;
	switch (o->kind) {
	case OP_ALL_GATHER:
	case OP_ALL_TO_ALL:
		good = plan_parts(p, s, k);
		break;
	case OP_COLLECTIVE_PERMUTE:
	case OP_COLLECTIVE_BROADCAST:
		s->plan->run_part = copy_part;
		s->cost = (double)step_out(s, 0)->n * step_out(s, 0)->bytes * 0.1;
		break;
	default:
		good = plan_reduction(p, s, k);
	}
	if (good)
		step_add(p, s);
	return good;
}

bool plan_collective(exec_plan *p, const op *o)
{
	const int32_t *sources = NULL;
	const groups *g = NULL;
	if (o->kind == OP_COLLECTIVE_PERMUTE)
		sources = op_sources(p, o);
	else
		g = op_groups(p, o);
	if (!g && !sources)
		return false;
	if (o->n_results != o->n_operands - op_bool(o, N_has_dynamic_root))
		return plan_error(p, o, "each operand needs a result");
	for (int i = 0; i < o->n_results; i++)
		if (!plan_one(p, o, i, g, sources))
			return false;
	return true;
}

/* ---- partition_id and replica_id ------------------------------------------------------------ */

static void run_id(const step *s, const call *c)
{
	int32_t device = s->plan->cls->first[c->cls];
	int P = c->run->p->opts.n_partitions;
	uint32_t id = (uint32_t)(s->op->kind == OP_PARTITION_ID ? device % P : device / P);
	memcpy(c->at[0], &id, sizeof id);
}

bool prepare_device_id(exec_plan *p, step *s)
{
	if (step_out(s, 0)->bytes != 4)
		return step_unsupported(p, s, "an id of this type is");
	s->run = run_id;
	s->cost = 2;
	return true;
}
