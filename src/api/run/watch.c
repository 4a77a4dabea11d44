/* watch.c - which operation is it that computes something else?
 *
 * Values inside of @main become results of it, so that they come out of a partitioned
 * run gathered like all results, and can be compared one by one.  A program that was
 * partitioned elsewhere has no values that correspond to the global ones by name, but
 * it has them by content: some value of its devices, put together as the sharding says,
 * is the global value. */
#include "api/exec.h"
#include "api/frame.h"

#include <limits.h>

/* ---- watching -------------------------------------------------------------------------- */

static bool worth_watching(const value *v)
{
	return v->type->kind == TY_TENSOR && v->type->is_static &&
	       !op_has(value_def(v), CONSTANT) && dtype_bytes(v->type->dtype) > 0 &&
	       !value_unused(v);
}

static void note_watched(tess_exec *e, module *m, const value *v, const int *place_of)
{
	watched *w = &e->watched[e->n_watched++];
	const op *o = value_def(v);
	*w = (watched){.at = op_place(m, o), .op = op_name(o), .global = {.type = v->type}};
	const sharding *s = value_sharding(m, v);
	if (s && sharding_mesh(m, s)) {
		/* What is still to be combined comes out combined. */
		w->global.sharding = sharding_with_unreduced(m->ctx, s, (axis_list){0}, RED_SUM);
		w->global.mesh = sharding_mesh(m, s);
	}
	int *list = NEW_N(&e->mem, int, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		if (place_of[operand(o, i)->id] >= 0)
			list[w->n_operands++] = place_of[operand(o, i)->id];
	w->operands = list;
}

/* The function's type with further results. */
static void add_results(module *m, op *func, value *const *values, int n)
{
	const type *t = op_func(func)->type;
	const type **out = NEW_N(&m->mem, const type *, t->n_out + n);
	const sharding **shardings = NEW_N(&m->mem, const sharding *, t->n_out + n);
	attr_list *attrs = NEW_N(&m->mem, attr_list, t->n_out + n);
	for (int i = 0; i < t->n_out; i++) {
		out[i] = t->out[i];
		shardings[i] = op_func(func)->result_shardings[i];
		attrs[i] = op_func(func)->result_attrs[i];
	}
	for (int i = 0; i < n; i++) {
		out[t->n_out + i] = values[i]->type;
		shardings[t->n_out + i] = value_sharding(m, values[i]);
	}
	const type *changed = type_list(m->ctx, TY_FUNCTION, t->in, t->n_in, out, t->n_out + n);
	op_func(func)->type = changed;
	op_func(func)->result_shardings = shardings;
	op_func(func)->result_attrs = attrs;
	if (op_attr(func, N_function_type))
		op_set_attr(m, func, N_function_type, attr_type(m->ctx, changed));
}

void watch_values(tess_exec *e, module *m, op *func, int64_t first, int64_t count)
{
	op *end = op_body(func)->last;
	VEC(value *) returned = {0};
	int *place_of = NEW_N(&e->ctx->scratch, int, m->n_values);
	memset(place_of, -1, sizeof *place_of * m->n_values);
	for (int i = 0; i < end->n_operands; i++)
		vec_push(&e->ctx->scratch, &returned, operand(end, i));
	int before = returned.len;
	int64_t seen = 0;
	e->watched = NEW_N(&e->mem, watched, m->n_values);
	for (const op *o = op_body(func)->first; o != end; o = o->next)
		for (int i = 0; i < o->n_results; i++) {
			if (!worth_watching(result(o, i)) || seen++ < first ||
			    e->n_watched >= count)
				continue;
			place_of[result(o, i)->id] = e->n_watched;
			note_watched(e, m, result(o, i), place_of);
			vec_push(&e->ctx->scratch, &returned, result(o, i));
		}
	add_results(m, func, returned.ptr + before, returned.len - before);
	op_set_operands(m, end, returned.ptr, returned.len);
}

/* ---- values of devices, by content ----------------------------------------------------------- */

typedef struct content_search {
	tess_exec *whole, *local;
	void *gathered; /* as large as the largest watched value */
	int *found;     /* the value of the devices; -1: none */
} content_search;

static bool same_local_type(const content_search *c, const spread *s, int k)
{
	const type *t = c->local->results[k].type, *g = s->global->type;
	if (t->dtype != g->dtype || t->rank != g->rank)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] != s->local[d])
			return false;
	return true;
}

/* Whether the devices' values, put together, are the global value. */
static bool is_global_value(const content_search *c, const spread *s, int k,
                            const tess_tensor *want)
{
	const exec_value *v = &c->local->results[k];
	uint8_t *pasted = NEW_N(&c->whole->ctx->scratch, uint8_t, s->n);
	for (int64_t d = 0; d < (s->of ? c->local->local.n_devices : 1); d++) {
		int shard = s->of ? s->of[d] : 0;
		if (!pasted[shard])
			spread_paste(s, shard, v->data[v->of ? v->of[d] : 0], c->gathered);
		pasted[shard] = true;
	}
	tess_tensor got = *want;
	tess_difference diff;
	got.data = c->gathered;
	return tess_tensor_compare(&got, want, tess_tolerance_of(want->dtype), &diff);
}

/* The value of the devices that is watched value i, if there is one. */
static int find_content(const content_search *c, int i)
{
	const watched *w = &c->whole->watched[i];
	arena *scratch = &c->whole->ctx->scratch;
	spread s;
	tess_tensor want;
	spread_init(scratch, &w->global, c->local->local.n_devices, &s);
	tess_exec_output(c->whole, (size_t)(c->whole->n_results + i), &want);
	for (int k = 0; k < c->local->n_results + c->local->n_watched; k++) {
		arena_mark mark = arena_here(scratch);
		bool is_it = same_local_type(c, &s, k) && is_global_value(c, &s, k, &want);
		arena_back(scratch, mark);
		if (is_it)
			return k;
	}
	return -1;
}

/* A value that is not found, but from which one that is found is computed a few operations
 * later, is only kept otherwise by the devices: partial, or fused away.  Truth values and
 * integers prove nothing, they may be right by chance. */
static void measure_distances(const tess_exec *e, const int *found, int *distance)
{
	for (int i = 0; i < e->n_watched; i++)
		distance[i] = found[i] >= 0 ? 0 : INT_MAX / 2;
	for (int i = e->n_watched; i-- > 0;) {
		const watched *w = &e->watched[i];
		for (int k = 0; k < w->n_operands && dtype_is_float(w->global.type->dtype); k++) {
			int *source = &distance[w->operands[k]];
			*source = (int)min_i64(*source, distance[i] + 1);
		}
	}
}

typedef struct locate_call {
	tess_exec *whole, *local;
	int64_t at;
} locate_call;

static tess_status locate_body(tess_ctx *ctx, void *arg)
{
	locate_call *l = arg;
	const tess_exec *e = l->whole;
	int64_t most = 1;
	for (int i = 0; i < e->n_watched; i++)
		most = max_i64(most, type_bytes(e->watched[i].global.type));
	content_search c = {l->whole, l->local, arena_alloc(&ctx->scratch, (size_t)most),
	                    NEW_N(&ctx->scratch, int, e->n_watched + 1)};
	enum { FEW = 3 };
	int *distance = NEW_N(&ctx->scratch, int, e->n_watched + 1);
	for (int i = 0; i < e->n_watched; i++)
		c.found[i] = find_content(&c, i);
	measure_distances(e, c.found, distance);
	l->at = -1;
	for (int i = e->n_watched; i-- > 0;)
		if (distance[i] > FEW)
			l->at = i; /* the first of all */
	return TESS_OK;
}

int64_t tess_exec_locate(tess_exec *whole, tess_exec *local)
{
	locate_call l = {whole, local, -1};
	return frame_run(whole->ctx, locate_body, &l) == TESS_OK ? l.at : -1;
}

/* ---- telling ------------------------------------------------------------------------------ */

size_t tess_exec_watch_count(const tess_exec *e) { return (size_t)e->n_watched; }

typedef struct blame_call {
	tess_exec *e;
	size_t i;
	const char *what;
} blame_call;

static tess_status blame_body(tess_ctx *ctx, void *arg)
{
	const blame_call *b = arg;
	const watched *w = &b->e->watched[b->i];
	diag_error(ctx, w->at, E_EXEC_DIFFERS, "%s: %s", w->op, b->what);
	if (w->global.sharding) {
		writer text;
		writer_init(&text, &ctx->scratch);
		sharding_print(&text, w->global.sharding);
		diag_note(ctx, w->at, "its sharding is %.*s", STR_ARG(writer_str(&text)));
	}
	return TESS_OK;
}

void tess_exec_blame(tess_exec *e, size_t watched_index, const char *what)
{
	blame_call b = {e, watched_index, what};
	if (watched_index < (size_t)e->n_watched)
		frame_run(e->ctx, blame_body, &b);
}
