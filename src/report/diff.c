/* diff.c - what changed between two programs, meshes or sets of annotations.
 *
 * Causes come first: the mesh, then the arguments and constraints whose shardings
 * differ, then what followed from these, the other values.  After that the effects:
 * memory, communication, time.  Values are matched by name; a value that only one of
 * the programs has is counted, not listed. */
#include "report/report.h"

#include <stdlib.h>

/* A value sharded otherwise. */
typedef struct change {
	const value *a, *b;
	bool cause; /* an argument that is annotated otherwise */
} change;

/* A constraint that one of the programs has. */
typedef struct lone_constraint {
	int side;
	const char *value;
	const sharding *s;
} lone_constraint;

typedef struct traffic_kind {
	const name *op;
	const char *axes;
	int64_t count[2];
	double bytes[2], seconds[2];
} traffic_kind;

typedef struct difference {
	const report *side[2];
	VEC(change) changes; /* causes first, then in program order */
	VEC(lone_constraint) constraints;
	int n_causes, only[2]; /* values that one side has not */
	VEC(traffic_kind) traffic; /* that differ */
} difference;

/* ---- values -------------------------------------------------------------------------- */

static tess_str value_name(arena *mem, const value *v)
{
	writer w;
	writer_init(&w, mem);
	put_value(&w, v);
	return writer_str(&w);
}

typedef VEC(const value *) values;

static void add_value(arena *mem, values *l, const value *v)
{
	if (type_is_tensor(v->type))
		vec_push(mem, l, v);
}

static void all_values(const module *m, arena *mem, values *out)
{
	const op *f = module_main(m);
	for (const op *o = f; o; o = op_next(o, f)) {
		const block *b = o->func ? op_body(o) : NULL;
		for (int i = 0; b && i < b->n_args; i++)
			add_value(mem, out, b->args[i]);
		for (int i = 0; i < o->n_results; i++)
			add_value(mem, out, &o->results[i]);
	}
}

/* Equal, or both without effect: meshes may be different objects of equal axes. */
static bool sharded_alike(const sharding *a, const sharding *b)
{
	if (a == b)
		return true;
	int rank = a ? a->rank : b->rank;
	if (a && b && a->rank != b->rank)
		return false;
	for (int d = 0; d < rank; d++) {
		axis_list x = a ? dim_axes(&a->dims[d]) : (axis_list){0};
		axis_list y = b ? dim_axes(&b->dims[d]) : (axis_list){0};
		if (x.n != y.n || (x.n && !axes_eq(x, y)))
			return false;
	}
	return (a ? a->n_unreduced : 0) == (b ? b->n_unreduced : 0);
}

static const value *given_arg(const difference *d, int side, uint32_t i)
{
	const op *f = module_main(d->side[side]->in.given);
	return f && op_body(f) && (int)i < op_body(f)->n_args ? op_body(f)->args[i] : NULL;
}

static bool annotated_otherwise(const difference *d, const value *a, const value *b)
{
	const value *x = a->def ? NULL : given_arg(d, 0, a->index);
	const value *y = b->def ? NULL : given_arg(d, 1, b->index);
	return x && y && !sharded_alike(x->sharding, y->sharding);
}

/* "%h <@mesh, [{"x"}]>" */
static const name *constraint_key(const module *m, const op *o, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	put_value(&w, operand(o, 0));
	put_c(&w, ' ');
	sharding_print(&w, o->results[0].sharding);
	return name_of(m->ctx, writer_str(&w));
}

/* All constraints that a program was given, by their keys. */
static void constraints_of(const difference *d, int side, arena *mem, ptr_map *out)
{
	const module *m = d->side[side]->in.given;
	for (const op *o = m->top; o; o = op_next(o, m->top)) {
		if (o->kind != OP_SDY_SHARDING_CONSTRAINT)
			continue;
		*ptr_map_at(out, mem, constraint_key(m, o, mem)) = (void *)(uintptr_t)o;
	}
}

static void compare_constraints(arena *mem, difference *d)
{
	ptr_map all[2] = {{0}, {0}};
	for (int s = 0; s < 2; s++)
		constraints_of(d, s, mem, &all[s]);
	for (int s = 0; s < 2; s++) {
		const module *m = d->side[s]->in.given;
		for (const op *o = m->top; o; o = op_next(o, m->top)) {
			if (o->kind != OP_SDY_SHARDING_CONSTRAINT)
				continue;
			if (!*ptr_map_at(&all[!s], mem, constraint_key(m, o, mem)))
				vec_push(mem, &d->constraints,
				         (lone_constraint){
						 s,
						 arena_str(mem, value_name(mem, operand(o, 0))).ptr,
						 o->results[0].sharding});
		}
	}
}

static void compare_values(arena *mem, difference *d)
{
	tess_ctx *ctx = d->side[0]->in.global->ctx;
	values l[2] = {{0}, {0}};
	ptr_map by_name = {0};
	int matched = 0;
	for (int i = 0; i < 2; i++)
		all_values(d->side[i]->in.global, mem, &l[i]);
	for (int i = 0; i < l[0].len; i++)
		*ptr_map_at(&by_name, mem, name_of(ctx, value_name(mem, l[0].ptr[i]))) =
		        (void *)(uintptr_t)l[0].ptr[i];
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < l[1].len; i++) {
			const value *b = l[1].ptr[i];
			const value *a = *ptr_map_at(&by_name, mem,
			                             name_of(ctx, value_name(mem, b)));
			matched += a && round;
			if (!a || sharded_alike(a->sharding, b->sharding) ||
			    annotated_otherwise(d, a, b) != !round)
				continue;
			vec_push(mem, &d->changes, (change){a, b, !round});
			d->n_causes += !round;
		}
	d->only[0] = l[0].len - matched;
	d->only[1] = l[1].len - matched;
}

/* ---- communication --------------------------------------------------------------------- */

static traffic_kind *traffic_of(arena *mem, difference *d, const collective *c)
{
	for (int i = 0; i < d->traffic.len; i++)
		if (d->traffic.ptr[i].op == c->o->name && !strcmp(d->traffic.ptr[i].axes, c->axes))
			return &d->traffic.ptr[i];
	vec_push(mem, &d->traffic, (traffic_kind){.op = c->o->name, .axes = c->axes});
	return &d->traffic.ptr[d->traffic.len - 1];
}

static void compare_traffic(arena *mem, difference *d)
{
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < d->side[s]->costs.collectives.len; i++) {
			const collective *c = &d->side[s]->costs.collectives.ptr[i];
			traffic_kind *t = traffic_of(mem, d, c);
			t->count[s]++;
			t->bytes[s] += c->times * c->wire_bytes;
			t->seconds[s] += c->times * c->seconds;
		}
	int kept = 0;
	for (int i = 0; i < d->traffic.len; i++) {
		const traffic_kind *t = &d->traffic.ptr[i];
		if (t->count[0] != t->count[1] || t->bytes[0] != t->bytes[1])
			d->traffic.ptr[kept++] = *t;
	}
	d->traffic.len = kept;
}

/* ---- quantities --------------------------------------------------------------------------- */

typedef struct quantity {
	const char *key, *title;
	double v[2];
	void (*put)(writer *w, double v);
} quantity;

static void put_number(writer *w, double v) { put_f(w, "%.0f", v); }

enum { QUANTITIES = 10 };

static void quantities_of(const difference *d, quantity out[QUANTITIES])
{
	const costs *c[2] = {&d->side[0]->costs, &d->side[1]->costs};
	int n = 0;
#define QUANTITY(key, title, expr, put) out[n++] = (quantity){key, title, {0}, put};               \
	for (int s = 0; s < 2; s++) out[n - 1].v[s] = (double)(expr);
	QUANTITY("devices", "devices", d->side[s]->n_devices, put_number)
	QUANTITY("peak", "peak memory", c[s]->mem.peak, put_bytes)
	QUANTITY("arguments", "arguments", c[s]->mem.arguments, put_bytes)
	QUANTITY("results", "results", c[s]->mem.results, put_bytes)
	QUANTITY("temporaries", "temporaries", c[s]->mem.temp, put_bytes)
	QUANTITY("collectives", "collectives", c[s]->collectives.len, put_number)
	QUANTITY("wire_bytes", "sent by a device", c[s]->comm_bytes, put_bytes)
	QUANTITY("comm_seconds", "communication", c[s]->comm_seconds, put_seconds)
	QUANTITY("compute_seconds", "compute", c[s]->compute_seconds, put_seconds)
	QUANTITY("memory_seconds", "memory traffic", c[s]->memory_seconds, put_seconds)
#undef QUANTITY
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_sharding_or(writer *w, const sharding *s)
{
	if (s)
		sharding_print(w, s);
	else
		put_lit(w, "none");
}

static void put_changes(const difference *d, int from, int to, writer *w)
{
	enum { MOST = 25 };
	for (int i = from; i < to && i < from + MOST; i++) {
		const change *c = &d->changes.ptr[i];
		put_lit(w, "  ");
		put_value(w, c->b);
		put_c(w, ' ');
		put_type_short(w, c->b->type);
		put_lit(w, "\n    - ");
		put_sharding_or(w, c->a->sharding);
		put_lit(w, "\n    + ");
		put_sharding_or(w, c->b->sharding);
		put_c(w, '\n');
	}
	if (to - from > MOST)
		put_f(w, "  and %d more\n", to - from - MOST);
}

static void put_lone_constraints(const difference *d, writer *w)
{
	for (int i = 0; i < d->constraints.len; i++) {
		const lone_constraint *c = &d->constraints.ptr[i];
		put_f(w, "  %s is constrained %s\n    %c ", c->value,
		      c->side ? "in the second only" : "in the first only", c->side ? '+' : '-');
		sharding_print(w, c->s);
		put_c(w, '\n');
	}
}

static void put_change_of(writer *w, const quantity *q)
{
	size_t from = w->len;
	put_f(w, "  %-17s ", q->title);
	q->put(w, q->v[0]);
	put_lit(w, " -> ");
	q->put(w, q->v[1]);
	put_spaces(w, w->len - from < 44 ? (int)(44 - (w->len - from)) : 1);
	if (q->v[0] > 0)
		put_f(w, "%+.1f %%", 100 * (q->v[1] / q->v[0] - 1));
	put_c(w, '\n');
}

static void put_traffic_change(writer *w, const traffic_kind *t)
{
	const char *short_name = t->op->s;
	if (str_starts(name_str(t->op), "stablehlo."))
		short_name += strlen("stablehlo.");
	put_f(w, "  %s", short_name);
	if (t->axes[0])
		put_f(w, " over %s", t->axes);
	put_f(w, ": %" PRId64 " -> %" PRId64 ", ", t->count[0], t->count[1]);
	put_bytes(w, t->bytes[0]);
	put_lit(w, " -> ");
	put_bytes(w, t->bytes[1]);
	put_lit(w, ", ");
	put_seconds(w, t->seconds[0]);
	put_lit(w, " -> ");
	put_seconds(w, t->seconds[1]);
	put_c(w, '\n');
}

static void diff_heading(writer *w, bool color, const char *text)
{
	put_f(w, color ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

static bool same_figures(const difference *d)
{
	quantity q[QUANTITIES];
	quantities_of(d, q);
	for (int i = 0; i < QUANTITIES; i++)
		if (q[i].v[0] != q[i].v[1])
			return false;
	return true;
}

static bool same_programs(const difference *d)
{
	return !d->changes.len && !d->constraints.len && !d->traffic.len && !d->only[0] &&
	       !d->only[1] && same_figures(d);
}

static void diff_text(const difference *d, writer *w, bool color)
{
	quantity q[QUANTITIES];
	if (same_programs(d)) {
		put_lit(w, "no difference\n");
		return;
	}
	quantities_of(d, q);
	bool causes = d->n_causes || d->constraints.len;
	if (causes) {
		diff_heading(w, color, "annotated otherwise");
		put_changes(d, 0, d->n_causes, w);
		put_lone_constraints(d, w);
	}
	if (d->changes.len > d->n_causes) {
		diff_heading(w, color, causes ? "and therefore" : "sharded otherwise");
		put_changes(d, d->n_causes, d->changes.len, w);
	}
	if (d->only[0] || d->only[1])
		put_f(w, "%d values only in the first, %d only in the second\n", d->only[0],
		      d->only[1]);
	if (!same_figures(d))
		diff_heading(w, color, "figures of one device");
	for (int i = 0; i < QUANTITIES; i++)
		if (q[i].v[0] != q[i].v[1])
			put_change_of(w, &q[i]);
	if (d->traffic.len)
		diff_heading(w, color, "collectives");
	for (int i = 0; i < d->traffic.len; i++)
		put_traffic_change(w, &d->traffic.ptr[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_sides(json *j, const char *key, double a, double b)
{
	json_key_obj(j, key);
	json_key_num(j, "before", a);
	json_key_num(j, "after", b);
	json_end(j);
}

static void json_change(json *j, arena *mem, const change *c)
{
	writer w;
	writer_init(&w, mem);
	json_obj(j);
	json_key_str(j, "value", value_name(mem, c->b));
	json_key_bool(j, "cause", c->cause);
	put_sharding_or(&w, c->a->sharding);
	json_key_str(j, "before", writer_str(&w));
	w.len = 0;
	put_sharding_or(&w, c->b->sharding);
	json_key_str(j, "after", writer_str(&w));
	json_end(j);
}

static void diff_json(const difference *d, arena *mem, writer *w)
{
	quantity q[QUANTITIES];
	json j;
	quantities_of(d, q);
	json_init(&j, w, true);
	json_obj(&j);
	json_key_bool(&j, "same", same_programs(d));
	json_key_arr(&j, "shardings");
	for (int i = 0; i < d->changes.len; i++)
		json_change(&j, mem, &d->changes.ptr[i]);
	json_end(&j);
	json_key_arr(&j, "constraints");
	for (int i = 0; i < d->constraints.len; i++) {
		const lone_constraint *c = &d->constraints.ptr[i];
		writer t;
		writer_init(&t, mem);
		sharding_print(&t, c->s);
		json_obj(&j);
		json_key_z(&j, "value", c->value);
		json_key_z(&j, "in", c->side ? "after" : "before");
		json_key_str(&j, "sharding", writer_str(&t));
		json_end(&j);
	}
	json_end(&j);
	json_sides(&j, "only", d->only[0], d->only[1]);
	json_key_obj(&j, "figures");
	for (int i = 0; i < QUANTITIES; i++)
		json_sides(&j, q[i].key, q[i].v[0], q[i].v[1]);
	json_end(&j);
	json_key_arr(&j, "collectives");
	for (int i = 0; i < d->traffic.len; i++) {
		const traffic_kind *t = &d->traffic.ptr[i];
		json_obj(&j);
		json_key_z(&j, "op", t->op->s);
		json_key_z(&j, "axes", t->axes);
		json_sides(&j, "count", (double)t->count[0], (double)t->count[1]);
		json_sides(&j, "wire_bytes", t->bytes[0], t->bytes[1]);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}

bool report_diff(const report *a, const report *b, bool as_json, bool color, arena *mem, writer *w)
{
	difference d = {.side = {a, b}};
	compare_values(mem, &d);
	compare_constraints(mem, &d);
	compare_traffic(mem, &d);
	if (as_json)
		diff_json(&d, mem, w);
	else
		diff_text(&d, w, color);
	return same_programs(&d);
}
