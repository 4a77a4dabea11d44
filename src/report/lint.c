/* lint.c - likely mistakes in a sharded program.
 *
 * Each check is a function over the program; most walk the values of @main once.
 * A finding says what was found, where, what it costs over all devices, and what to
 * change. */
#include "report/lint.h"

#include "report/words.h"

#include <stdlib.h>

typedef struct lint_row {
	int code;
	const char *id, *title;
	lint_severity severity;
} lint_row;

static const lint_row lint_rows[] = {
#define LINT(code, id, severity, title) {code, #id, title, LINT_##severity},
#include "report/lint.def"
#undef LINT
};

const char *lint_title(lint_kind k) { return lint_rows[k].title; }
lint_severity lint_severity_of(lint_kind k) { return lint_rows[k].severity; }

const char *lint_code(lint_kind k)
{
	static const char *const codes[] = {
#define LINT(code, id, severity, title) "L" #code,
#include "report/lint.def"
#undef LINT
	};
	return codes[k];
}

const char *lint_id(lint_kind k) { return lint_rows[k].id; }

typedef struct lint_walk {
	const lint_input *in;
	arena *mem;
	finding_list *out;
} lint_walk;

static void found(lint_walk *w, finding f, const char *fmt, ...) PRINTF(3, 4);
static void found(lint_walk *w, finding f, const char *fmt, ...)
{
	char text[500];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	f.text = arena_str(w->mem, str_of(text)).ptr;
	const op *o = f.o ? f.o : f.v ? f.v->def : NULL;
	if (!f.loc)
		f.loc = o ? o->loc : f.v ? f.v->loc : NULL;
	if (!f.at.src && o)
		f.at = op_place(f.o == o && w->in->local && op_inside(o, w->in->local->top)
		                    ? w->in->local : w->in->global, o);
	vec_push(w->mem, w->out, f);
}

static const char *value_words(lint_walk *w, const value *v)
{
	writer t;
	writer_init(&t, w->mem);
	put_value(&t, v);
	put_c(&t, ' ');
	put_type_short(&t, v->type);
	put_c(&t, 0);
	return t.ptr;
}

static const char *dims_of_sharding(lint_walk *w, const sharding *s)
{
	writer t;
	writer_init(&t, w->mem);
	if (s)
		sharding_print(&t, s);
	else
		put_lit(&t, "none");
	put_c(&t, 0);
	return t.ptr;
}

/* ---- facts of a value ------------------------------------------------------------- */

static const mesh *mesh_under(const lint_walk *w, const sharding *s)
{
	return s ? sharding_mesh(w->in->global, s) : w->in->mesh;
}

static int64_t shard_count(const lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, v->sharding);
	int64_t n = 1;
	if (!v->sharding || !m || v->sharding->rank != v->type->rank)
		return 1;
	for (int d = 0; d < v->type->rank; d++)
		n *= sharding_dim_shards(v->sharding, d, m);
	return n;
}

static int64_t copies_waste(const lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, v->sharding);
	int64_t bytes = type_bytes(v->type);
	if (!m || bytes <= 0 || !type_is_tensor(v->type))
		return 0;
	return bytes * (m->n_devices / shard_count(w, v) - 1);
}

typedef void value_check(lint_walk *w, const value *v);

static void each_value(lint_walk *w, const module *m, value_check *check)
{
	const op *f = module_main(m);
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++)
		check(w, b->args[i]);
	for (const op *o = b ? b->first : NULL; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			check(w, &o->results[i]);
}

/* ---- replication -------------------------------------------------------------------- */

static bool remade_cheaply(const value *v)
{
	const op *o = v->def;
	return o && (o->kind == OP_CONSTANT || o->kind == OP_SDY_CONSTANT || o->kind == OP_IOTA ||
	             o->kind == OP_BROADCAST_IN_DIM || o->kind == OP_SDY_SHARDING_CONSTRAINT);
}

static void check_replicated(lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, v->sharding);
	if (!m || m->n_devices < 2 || !type_is_tensor(v->type) || shard_count(w, v) > 1 ||
	    type_bytes(v->type) < w->in->large || remade_cheaply(v))
		return;
	bool argument = !v->def;
	found(w, (finding){.kind = argument && !v->sharding ? LINT_UNSHARDED_ARGUMENT
	                                                    : LINT_LARGE_REPLICATED,
	                   .v = v, .bytes = copies_waste(w, v),
	                   .advice = argument ? "give it a sharding in in_shardings"
	                                      : "constrain it with with_sharding_constraint, or see "
	                                        "`tess explain` for what stopped its axes"},
	      "%s is whole on each of %" PRId64 " devices", value_words(w, v), m->n_devices);
}

static void check_divisible(lint_walk *w, const value *v)
{
	const mesh *m = mesh_under(w, v->sharding);
	if (!v->sharding || !m || !type_is_tensor(v->type) || !v->type->is_static ||
	    v->sharding->rank != v->type->rank)
		return;
	for (int d = 0; d < v->type->rank; d++) {
		int64_t n = v->type->dims[d], k = sharding_dim_shards(v->sharding, d, m);
		if (k < 2 || n % k == 0)
			continue;
		int64_t pad = ceil_div(n, k) * k - n;
		found(w, (finding){.kind = LINT_NON_DIVISIBLE, .v = v,
		                   .bytes = n ? type_bytes(v->type) / n * pad : 0,
		                   .advice = "choose a size that is a multiple of the shards, or other axes"},
		      "dimension %d of %s has %" PRId64 " elements over %" PRId64 " shards, %" PRId64
		      " are padding", d, value_words(w, v), n, k, pad);
	}
}

/* ---- axes ---------------------------------------------------------------------------- */

static bool shards_over(const module *m, const name *axis)
{
	axis_ref a = axis_full(axis);
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			if (o->results[i].sharding && sharding_uses_axis(o->results[i].sharding, a))
				return true;
		const block *b = o->func ? op_body(o) : NULL;
		for (int i = 0; b && i < b->n_args; i++)
			if (b->args[i]->sharding && sharding_uses_axis(b->args[i]->sharding, a))
				return true;
		const attr *manual = op_attr(o, N_manual_axes);
		for (int i = 0; manual && i < manual->n; i++)
			if (manual->list[i]->text == axis)
				return true;
	}
	return false;
}

static void check_axes(lint_walk *w)
{
	const mesh *m = w->in->mesh;
	for (int i = 0; m && i < m->n_axes; i++)
		if (m->axes[i].size > 1 && !shards_over(w->in->global, m->axes[i].name))
			found(w, (finding){.kind = LINT_UNUSED_AXIS,
			                   .advice = "drop the axis from the mesh, or shard something over it"},
			      "axis \"%s\" of size %" PRId64 " shards nothing: %" PRId64
			      " times the same work is done", m->axes[i].name->s, m->axes[i].size,
			      m->axes[i].size);
}

/* ---- constraints ------------------------------------------------------------------------ */

/* Both shard some dimension, and differently. */
static int clashing_dim(const sharding *a, const sharding *b)
{
	for (int d = 0; a && b && a->rank == b->rank && d < a->rank; d++)
		if ((a->dims[d].n_axes || !a->dims[d].open) && (b->dims[d].n_axes || !b->dims[d].open) &&
		    !axes_eq(dim_axes(&a->dims[d]), dim_axes(&b->dims[d])))
			return d;
	return -1;
}

static void check_constraints(lint_walk *w)
{
	for (const op *o = w->in->given->top; o; o = op_next(o, w->in->given->top)) {
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		const value *v = operand(o, 0);
		const sharding *mine = o->results[0].sharding;
		if (v->def && v->def->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		int d = clashing_dim(v->sharding, mine);
		if (d >= 0)
			found(w, (finding){.kind = LINT_CONSTRAINTS_DISAGREE, .v = v, .o = o,
			                   .bytes = max_i64(type_bytes(v->type), 0),
			                   .at = op_place(w->in->given, o),
			                   .advice = "keep one of the two, each change costs a reshard"},
			      "%s is %s, then at once constrained to %s: dimension %d differs",
			      value_words(w, v), dims_of_sharding(w, v->sharding),
			      dims_of_sharding(w, mine), d);
	}
}

static void check_unreduced(lint_walk *w)
{
	for (const op *o = w->in->given->top; o; o = op_next(o, w->in->given->top)) {
		if (o->n_results != 1 || o->results[0].sharding == NULL || op_has(o, COLLECTIVE) ||
		    o->kind == OP_SDY_RESHARD || o->kind == OP_SDY_SHARDING_CONSTRAINT)
			continue;
		for (int i = 0; i < o->n_operands; i++) {
			const sharding *s = operand(o, i)->sharding;
			if (!s || !s->n_unreduced || o->results[0].sharding->n_unreduced)
				continue;
			found(w, (finding){.kind = LINT_UNREDUCED_LOST, .o = o, .v = operand(o, i),
			                   .bytes = max_i64(type_bytes(o->results[0].type), 0),
			                   .at = op_place(w->in->given, o),
			                   .advice = "keep `unreduced` on the result, or reshard on purpose"},
			      "%s takes %s, which is unreduced, and gives a reduced result",
			      op_short_name(o), value_words(w, operand(o, i)));
		}
	}
}

/* ---- what a step returns in the place of what it took ------------------------------------- */

static void check_updates(lint_walk *w)
{
	const op *f = module_main(w->in->global);
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++) {
		const attr *alias = attrs_get(&f->func->arg_attrs[i], N_tf_aliasing_output);
		int64_t r = alias && alias->kind == AT_INT ? alias->i : -1;
		if (r < 0 || r >= f->func->type->n_out)
			continue;
		const value *v = b->args[i];
		int d = clashing_dim(v->sharding, f->func->result_shardings[r]);
		if (d >= 0)
			found(w, (finding){.kind = LINT_UPDATE_MISMATCH, .v = v,
			                   .bytes = max_i64(type_bytes(v->type), 0),
			                   .advice = "give both the same sharding: donation is lost, and the "
			                             "next step reshards"},
			      "%s is %s, but the result %" PRId64 " that replaces it is %s",
			      value_words(w, v), dims_of_sharding(w, v->sharding), r,
			      dims_of_sharding(w, f->func->result_shardings[r]));
	}
}

/* ---- collectives ---------------------------------------------------------------------------- */

static bool is_slice(const op *o)
{
	return o->kind == OP_SLICE || o->kind == OP_DYNAMIC_SLICE;
}

static void check_collectives(lint_walk *w)
{
	for (const op *o = w->in->local->top; o; o = op_next(o, w->in->local->top)) {
		if ((o->kind != OP_ALL_GATHER && o->kind != OP_ALL_REDUCE) || o->n_results != 1)
			continue;
		const value *v = &o->results[0];
		bool sliced = v->uses != NULL;
		int64_t most = 0;
		for (const use *u = v->uses; u && sliced; u = u->next) {
			sliced = is_slice(u->owner) && use_index(u) == 0;
			if (sliced)
				most = max_i64(most, type_bytes(u->owner->results[0].type));
		}
		if (!sliced || most * 2 > type_bytes(v->type))
			continue;
		bool gather = o->kind == OP_ALL_GATHER;
		found(w, (finding){.kind = gather ? LINT_GATHER_THEN_SLICE : LINT_REDUCE_THEN_SLICE,
		                   .o = o, .v = v, .bytes = type_bytes(v->type) - most,
		                   .advice = gather ? "an all_to_all or a collective_permute moves only what "
		                                      "is kept: shard the producer like the consumer"
		                                    : "a reduce_scatter sends half: shard the result of "
		                                      "the product"},
		      "%s makes %s whole, of which only a part is used", op_short_name(o),
		      value_words(w, v));
	}
}

/* ---- the whole --------------------------------------------------------------------------------- */

static int by_gravity(const void *a, const void *b)
{
	const finding *x = a, *y = b;
	lint_severity sx = lint_severity_of(x->kind), sy = lint_severity_of(y->kind);
	if (sx != sy)
		return sx < sy ? 1 : -1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return x->at.begin < y->at.begin ? -1 : x->at.begin > y->at.begin;
}

void lint_run(const lint_input *in, arena *mem, finding_list *out)
{
	lint_walk w = {in, mem, out};
	each_value(&w, in->global, check_replicated);
	each_value(&w, in->global, check_divisible);
	check_axes(&w);
	check_constraints(&w);
	check_unreduced(&w);
	check_updates(&w);
	if (in->local)
		check_collectives(&w);
	if (out->len)
		qsort(out->ptr, (size_t)out->len, sizeof(finding), by_gravity);
}
