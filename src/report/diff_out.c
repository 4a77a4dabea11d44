/* diff_out.c - writes differences as text and as JSON. */
#include "report/diff.h"

/* ---- figures -------------------------------------------------------------------------------- */

typedef struct quantity {
	const char *key, *title;
	double v[2];
	void (*put)(writer *w, double v);
} quantity;
enum { QUANTITIES = 12 };

static void put_number(writer *w, double v) { put_f(w, "%.0f", v); }

static void diff_quantities(const difference *d, quantity out[QUANTITIES])
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
	QUANTITY("overlapped_seconds", "step, overlapped", c[s]->step.overlapped_seconds, put_seconds)
	QUANTITY("serial_seconds", "step, serial", c[s]->step.serial_seconds, put_seconds)
	QUANTITY("comm_seconds", "communication", c[s]->comm_seconds, put_seconds)
	QUANTITY("compute_seconds", "compute", c[s]->compute_seconds, put_seconds)
	QUANTITY("memory_seconds", "memory traffic", c[s]->memory_seconds, put_seconds)
#undef QUANTITY
}

static bool diff_has_other_figures(const difference *d)
{
	quantity q[QUANTITIES];
	diff_quantities(d, q);
	for (int i = 0; i < QUANTITIES; i++)
		if (q[i].v[0] != q[i].v[1])
			return true;
	return false;
}

bool diff_is_none(const difference *d)
{
	return !d->other_mesh && !d->changes.len && !d->constraints.len && !d->traffic.len &&
	       !d->only[0] && !d->only[1] && !diff_has_other_figures(d);
}

/* ---- text ----------------------------------------------------------------------------------- */

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
		put_z(w, c->name);
		put_c(w, ' ');
		put_type_short(w, c->type);
		put_lit(w, "\n    - ");
		put_sharding_or(w, c->before);
		put_lit(w, "\n    + ");
		put_sharding_or(w, c->after);
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
	const char *short_name = t->op;
	if (str_starts(str_of(short_name), "stablehlo."))
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

static void put_mesh_or(writer *w, const mesh *m)
{
	if (m)
		mesh_print(w, m);
	else
		put_lit(w, "none");
}

static void put_other_mesh(const difference *d, writer *w, bool color)
{
	diff_heading(w, color, "another mesh");
	for (int s = 0; s < 2; s++) {
		put_z(w, s ? "    + " : "    - ");
		put_mesh_or(w, d->side[s]->in.mesh);
		put_c(w, '\n');
	}
}

void diff_text(const difference *d, writer *w, bool color)
{
	quantity q[QUANTITIES];
	if (diff_is_none(d)) {
		put_lit(w, "no difference\n");
		return;
	}
	diff_quantities(d, q);
	bool annotated = d->n_causes || d->constraints.len, causes = annotated || d->other_mesh;
	if (d->other_mesh)
		put_other_mesh(d, w, color);
	if (annotated) {
		diff_heading(w, color, "annotations that differ");
		put_changes(d, 0, d->n_causes, w);
		put_lone_constraints(d, w);
		if (!d->n_resharded)
			put_lit(w, "no value is sharded differently\n");
	}
	if (d->changes.len > d->n_causes) {
		diff_heading(w, color, causes ? "shardings that follow from them" : "shardings that differ");
		put_changes(d, d->n_causes, d->changes.len, w);
	}
	if (d->only[0] || d->only[1])
		put_f(w, "%d values only in the first, %d only in the second\n", d->only[0],
		      d->only[1]);
	if (diff_has_other_figures(d))
		diff_heading(w, color, "figures of one device");
	else if (!d->traffic.len)
		put_lit(w, "memory, communication and time of one device are the same\n");
	for (int i = 0; i < QUANTITIES; i++)
		if (q[i].v[0] != q[i].v[1])
			put_change_of(w, &q[i]);
	if (d->traffic.len)
		diff_heading(w, color, "collectives");
	for (int i = 0; i < d->traffic.len; i++)
		put_traffic_change(w, &d->traffic.ptr[i]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

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
	json_key_z(j, "value", c->name);
	json_key_bool(j, "cause", c->cause);
	put_sharding_or(&w, c->before);
	json_key_str(j, "before", writer_str(&w));
	w.len = 0;
	put_sharding_or(&w, c->after);
	json_key_str(j, "after", writer_str(&w));
	json_end(j);
}

static void json_meshes(json *j, arena *mem, const difference *d)
{
	json_key_obj(j, "mesh");
	for (int s = 0; s < 2; s++) {
		writer w;
		writer_init(&w, mem);
		put_mesh_or(&w, d->side[s]->in.mesh);
		json_key_str(j, s ? "after" : "before", writer_str(&w));
	}
	json_end(j);
}

void diff_json(const difference *d, arena *mem, writer *w)
{
	quantity q[QUANTITIES];
	json j;
	diff_quantities(d, q);
	json_init(&j, w, true);
	json_obj(&j);
	json_key_bool(&j, "same", diff_is_none(d));
	if (d->other_mesh)
		json_meshes(&j, mem, d);
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
		json_key_z(&j, "op", t->op);
		json_key_z(&j, "axes", t->axes);
		json_sides(&j, "count", (double)t->count[0], (double)t->count[1]);
		json_sides(&j, "wire_bytes", t->bytes[0], t->bytes[1]);
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
