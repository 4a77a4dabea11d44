/* report_html.c - writes a report as one HTML page.
 *
 * page.html has the layout and the code that draws; it is built into the library. The data of a
 * report is inserted as one JSON object: the figures of report_json.c, groups of similar items, the
 * memory curve, and the values as rows
 *
 *     [name, op, type, sharding, bytes on a device, source, why]
 *
 * whose texts are indices into `strings`, since they repeat. `why` has, for each axis, the step
 * that brought it, [dim, axis, cause, from row, from dim, through]; the page follows these steps
 * from row to row. */
#include "report/report.h"

#include <math.h>

extern const char report_page[];
extern const size_t report_page_len;

enum { CURVE_POINTS = 700, LIST_ROWS = 200 };

/* ---- interned strings ----------------------------------------------------------------------- */

typedef struct string_table {
	tess_ctx *ctx;
	arena *mem;
	ptr_map numbers; /* name -> number + 1 */
	VEC(const name *) list;
} string_table;

static int64_t string_number(string_table *t, tess_str s)
{
	const name *n = name_of(t->ctx, s);
	void **slot = ptr_map_at(&t->numbers, t->mem, n);
	if (!*slot) {
		vec_push(t->mem, &t->list, n);
		*slot = (void *)(intptr_t)t->list.len;
	}
	return (intptr_t)*slot - 1;
}

/* ---- rows of values -------------------------------------------------------------------- */

typedef struct page_rows {
	const report *r;
	json *j;
	string_table strings;
	writer tmp;
	VEC(const value *) list;
	ptr_map row_of; /* value -> row + 1 */
} page_rows;

static void put_string(page_rows *p)
{
	json_int(p->j, string_number(&p->strings, writer_str(&p->tmp)));
	p->tmp.len = 0;
}

/* Returns the value that an erased edge stood for. */
static const value *behind_edges(page_rows *p, const value *v)
{
	const value *next = v;
	while (next) {
		v = next;
		next = *ptr_map_at(p->r->in.edges, p->strings.mem, v);
	}
	return v;
}

static int64_t page_row_of(page_rows *p, const value *v);

static void put_why_step(page_rows *p, const value *v, int dim, axis_ref a)
{
	why_step s = explain_step(p->r->in.trail, v, dim, a);
	const value *from = s.from ? behind_edges(p, s.from) : NULL;
	json_arr(p->j);
	json_int(p->j, dim);
	axis_print(&p->tmp, a);
	put_string(p);
	json_int(p->j, s.cause);
	json_int(p->j, from ? page_row_of(p, from) : -1);
	json_int(p->j, s.from_dim);
	if (s.through)
		put_z(&p->tmp, op_short_name(s.through));
	put_string(p);
	json_end(p->j);
}

static void put_why(page_rows *p, const value *v)
{
	const sharding *s = value_sharding(p->r->in.global, v);
	json_arr(p->j);
	for (int d = 0; p->r->in.trail && s && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].n_axes; i++)
			put_why_step(p, v, d, s->dims[d].axes[i]);
	json_end(p->j);
}

static void value_row(page_rows *p, const value *v)
{
	const module *m = p->r->in.global;
	const sharding *s = value_sharding(m, v);
	json_arr(p->j);
	put_value(&p->tmp, v);
	json_str(p->j, writer_str(&p->tmp));
	p->tmp.len = 0;
	put_z(&p->tmp, value_def(v) ? op_short_name(value_def(v)) : "argument");
	put_string(p);
	put_type_short(&p->tmp, v->type);
	put_string(p);
	if (s)
		sharding_print(&p->tmp, s);
	put_string(p);
	json_int(p->j, shard_bytes(m, v->type, s));
	put_source(&p->tmp, value_loc(v));
	put_string(p);
	put_why(p, v);
	json_end(p->j);
}

static void add_page_row(page_rows *p, const value *v)
{
	vec_push(p->strings.mem, &p->list, v);
	*ptr_map_at(&p->row_of, p->strings.mem, v) = (void *)(intptr_t)p->list.len;
}

static void find_page_rows(page_rows *p, const report *r, json *j, arena *mem)
{
	const op *f = module_main(r->in.global);
	const block *b = f ? op_body(f) : NULL;
	*p = (page_rows){.r = r, .j = j, .strings = {.ctx = mem->ctx, .mem = mem}};
	writer_init(&p->tmp, mem);
	for (int i = 0; b && i < b->n_args; i++)
		add_page_row(p, b->args[i]);
	for (const op *o = b ? b->first : NULL; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			add_page_row(p, &o->results[i]);
}

/* Returns the value's row; -1 if it has none. */
static int64_t page_row_of(page_rows *p, const value *v)
{
	return (intptr_t)*ptr_map_at(&p->row_of, p->strings.mem, v) - 1;
}

static void put_values(page_rows *p)
{
	json_key_arr(p->j, "values");
	for (int i = 0; i < p->list.len; i++)
		value_row(p, p->list.ptr[i]);
	json_end(p->j);
	json_key_arr(p->j, "strings");
	for (int i = 0; i < p->strings.list.len; i++)
		json_str(p->j, name_str(p->strings.list.ptr[i]));
	json_end(p->j);
}

/* ---- groups --------------------------------------------------------------------------------- */

static const char *kept_words(arena *mem, const value *v, bool type)
{
	writer w;
	writer_init(&w, mem);
	if (type)
		put_type_short(&w, v->type);
	else
		put_value(&w, v);
	return writer_z(&w);
}

static const char *kept_source(arena *mem, const attr *loc)
{
	writer w;
	writer_init(&w, mem);
	put_source_line(&w, loc);
	put_c(&w, 0);
	return w.ptr;
}

static const char *kept_stack(arena *mem, const attr *loc)
{
	writer w;
	writer_init(&w, mem);
	put_stack(&w, loc);
	return writer_z(&w);
}

/* Returns the last user of a value in the value's own block. */
static const op *last_user_beside(const value *v, op_order *order)
{
	const op *last = NULL;
	for (const use *u = v->uses; u; u = u->next) {
		const op *o = u->owner;
		while (o && o->parent != value_block(v))
			o = op_parent(o);
		if (o && (!last || op_stands_before(order, last, o)))
			last = o;
	}
	return last;
}

/* Says what a value is kept for: "reduce, model.py:12". */
static const char *kept_for(arena *mem, const value *v, op_order *order)
{
	const op *o = last_user_beside(v, order);
	writer w;
	writer_init(&w, mem);
	if (!o)
		return "";
	put_z(&w, op_has(o, TERMINATOR) ? "a result" : op_short_name(o));
	put_lit(&w, ", ");
	if (!put_source_line(&w, op_loc(o)))
		w.len -= 2;
	return writer_z(&w);
}

/* `depth`: nesting depth in regions. */
static void put_tensor_rows(json *j, arena *mem, op_order *order, bool told, const tensor_group *list, int n,
                            int depth)
{
	enum { DEEPEST = 10 };
	for (int i = 0; i < n && i < LIST_ROWS; i++) {
		const tensor_group *g = &list[i];
		json_arr(j);
		json_int(j, g->count);
		json_z(j, kept_words(mem, g->first.v, false));
		json_z(j, live_role_word(g->first.role));
		json_z(j, g->first.role == LIVE_INSIDE ? "" : kept_words(mem, g->first.v, true));
		json_int(j, g->first.bytes);
		json_z(j, value_def(g->first.v) ? op_short_name(value_def(g->first.v)) : "");
		json_z(j, kept_source(mem, value_loc(g->first.v)));
		json_int(j, depth);
		json_z(j, kept_for(mem, g->first.v, order));
		json_z(j, kept_stack(mem, value_loc(g->first.v)));
		json_z(j, told && !g->n_within ? purpose_word(g->held_for) : "");
		json_end(j);
		if (depth < DEEPEST)
			put_tensor_rows(j, mem, order, told, g->within, g->n_within, depth + 1);
	}
}

static void put_peak_groups(json *j, const report *r, arena *mem)
{
	op_order order = {.mem = mem};
	json_key_arr(j, "peak_groups");
	put_tensor_rows(j, mem, &order, r->purposes_told, r->at_peak.ptr, r->at_peak.len, 0);
	json_end(j);
	json_key_arr(j, "host_groups");
	put_tensor_rows(j, mem, &order, r->purposes_told, r->on_host.ptr, r->on_host.len, 0);
	json_end(j);
}

/* Writes the rows of the value that a collective moves, and of the operands and results of the op
 * that needs it. */
static void put_origin_rows(page_rows *p, json *j, const collective_origin *o)
{
	if (!o)
		return;
	if (o->moved)
		json_key_int(j, "row", page_row_of(p, o->moved));
	if (!o->cause)
		return;
	json_key_arr(j, "takes");
	for (int i = 0; i < o->cause->n_operands; i++)
		json_int(j, page_row_of(p, operand(o->cause, i)));
	json_end(j);
	json_key_arr(j, "gives");
	for (int i = 0; i < o->cause->n_results; i++)
		json_int(j, page_row_of(p, &o->cause->results[i]));
	json_end(j);
	json_key_bool(j, "whole", o->no_better_way);
}

static void put_collective_groups(page_rows *p, json *j, const report *r, arena *mem)
{
	json_key_int(j, "collective_count", r->costs.collectives.len);
	json_key_arr(j, "groups");
	for (int i = 0; i < r->groups.len; i++) {
		const collective_group *g = &r->groups.ptr[i];
		const collective *c = g->first;
		writer w;
		writer_init(&w, mem);
		(g->count > 1 ? put_source_alike : put_source)(&w, op_loc(c->o));
		json_obj(j);
		json_key_int(j, "number", g->number);
		json_key_int(j, "count", g->count);
		json_key_z(j, "op", op_short_name(c->o));
		json_key_z(j, "axes", c->axes);
		json_key_int(j, "groups", c->n_groups);
		json_key_int(j, "size", c->group_size);
		json_key_int(j, "bytes", c->bytes);
		json_key_num(j, "times", c->times);
		json_key_num(j, "seconds", g->seconds);
		json_key_num(j, "wire", g->wire_bytes);
		json_key_num(j, "held", g->held);
		json_key_str(j, "source", writer_str(&w));
		json_key_z(j, "stack", kept_stack(mem, op_loc(c->o)));
		report_origin_members(g->origin, mem, j);
		put_origin_rows(p, j, g->origin);
		json_end(j);
	}
	json_end(j);
}

static void put_operations(json *j, const report *r, arena *mem)
{
	json_key_arr(j, "operations");
	for (int i = 0; i < r->operations.len && i < LIST_ROWS; i++) {
		const op_group *g = &r->operations.ptr[i];
		json_obj(j);
		json_key_z(j, "op", op_short_name(g->first));
		report_operation_members(g, mem, j);
		json_key_z(j, "source", kept_source(mem, op_loc(g->first)));
		json_end(j);
	}
	json_end(j);
	json_key_int(j, "operation_kinds", r->operations.len);
}

static void put_waste(json *j, const report *r, arena *mem)
{
	json_key_arr(j, "replicated");
	for (int i = 0; i < r->replicated_kinds.len && i < LIST_ROWS; i++) {
		const replicated_group *g = &r->replicated_kinds.ptr[i];
		const replicated_tensor *t = &g->first;
		json_arr(j);
		json_int(j, g->count);
		json_z(j, kept_words(mem, t->v, false));
		json_z(j, kept_words(mem, t->v, true));
		json_int(j, t->bytes);
		json_int(j, t->copies);
		json_int(j, t->waste);
		json_end(j);
	}
	json_end(j);
	json_key_arr(j, "padded");
	for (int i = 0; i < r->padded.len && i < LIST_ROWS; i++) {
		const padded_tensor *t = &r->padded.ptr[i];
		json_arr(j);
		json_z(j, kept_words(mem, t->v, false));
		json_int(j, t->dim);
		json_int(j, t->size);
		json_int(j, t->shards);
		json_int(j, t->waste);
		json_end(j);
	}
	json_end(j);
}

/* ---- memory curve --------------------------------------------------------------------------- */

/* At most CURVE_POINTS points, each the maximum of those it stands for. */
static void put_curve(json *j, const memory *m)
{
	int n = m->curve.len, points = n < CURVE_POINTS ? n : CURVE_POINTS;
	json_key_arr(j, "curve");
	for (int p = 0; p < points; p++) {
		int from = (int)((int64_t)p * n / points),
		    to = (int)((int64_t)(p + 1) * n / points);
		int64_t most = 0;
		for (int i = from; i < to; i++)
			most = max_i64(most, m->curve.ptr[i]);
		json_int(j, most);
	}
	json_end(j);
	json_key_int(j, "curve_peak", n ? (int64_t)m->peak_at * points / n : 0);
}

/* ---- timeline ----------------------------------------------------------------------------- */

/* What runs when: [stream, begin, end, last op, count, its source, seconds that everything waits].
 * Short consecutive events on a stream are merged, so that a page has at most MOST_EVENTS. */
enum { MOST_EVENTS = 3000 };

typedef struct bar_row {
	json *j;
	arena *mem;
	double tick;  /* seconds per unit: integers are shorter and faster to parse */
	double least; /* seconds */
} bar_row;

static void put_ticks(const bar_row *b, double seconds)
{
	json_int(b->j, b->tick > 0 ? llround(seconds / b->tick) : 0);
}

static void put_bar(const bar_row *b, const timeline_event *e, double begin, int count, double held)
{
	json_arr(b->j);
	json_int(b->j, (int)e->on);
	put_ticks(b, begin);
	put_ticks(b, e->end);
	json_z(b->j, op_short_name(e->o));
	json_int(b->j, count);
	json_z(b->j, kept_source(b->mem, op_loc(e->o)));
	put_ticks(b, held);
	json_end(b->j);
}

/* Writes the events of one stream; those shorter than `least` are merged with the next, unless the
 * stream is idle for longer in between. */
static void put_bars(const bar_row *b, const timeline_events *all, stream on)
{
	const timeline_event *last = NULL;
	double begin = 0, held = 0;
	int count = 0;
	for (int i = 0; i < all->len; i++) {
		const timeline_event *e = &all->ptr[i];
		if (e->on != on)
			continue;
		if (last && (e->begin - last->end > b->least || e->end - begin > 4 * b->least)) {
			put_bar(b, last, begin, count, held);
			count = 0;
			held = 0;
		}
		begin = count ? begin : e->begin;
		count++;
		held += e->held;
		last = e;
	}
	if (last)
		put_bar(b, last, begin, count, held);
}

static void put_timeline(json *j, const report *r, arena *mem)
{
	static const double ticks_of_a_step = 1e9;
	const costs *c = &r->costs;
	double all = c->step.overlapped_seconds;
	bar_row b = {j, mem, all / ticks_of_a_step, c->timeline.len > MOST_EVENTS ? all / MOST_EVENTS : -1};
	json_key_num(j, "tick", b.tick);
	json_key_arr(j, "timeline");
	for (int on = STREAM_COMPUTE; on < STREAMS; on++)
		put_bars(&b, &c->timeline, (stream)on);
	json_end(j);
}

static void put_axes(json *j, const mesh *m)
{
	json_key_arr(j, "axes");
	for (int i = 0; m && i < m->n_axes; i++) {
		json_arr(j);
		json_z(j, m->axes[i].name->s);
		json_int(j, m->axes[i].size);
		json_end(j);
	}
	json_end(j);
}

static void put_device_ids(json *j, const mesh *m)
{
	if (!m || !m->n_device_ids)
		return;
	json_key_arr(j, "device_ids");
	for (int64_t i = 0; i < m->n_device_ids; i++)
		json_int(j, m->device_ids[i]);
	json_end(j);
}

/* "</script>" in the data would end the script, so '<' is written as \u003c. */
static void put_script_safe(writer *w, tess_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '<')
			put_lit(w, "\\u003c");
		else
			put_c(w, s.ptr[i]);
}

/* Writes the compiled function's name: "step" for @jit_step. */
static void put_function(json *j, const module *m)
{
	const name *symbol = op_symbol(m->top);
	tess_str s = symbol ? name_str(symbol) : (tess_str){0};
	const char *const made_by[] = {"jit_", "pmap_"};
	for (int i = 0; i < COUNT(made_by); i++)
		if (s.len > strlen(made_by[i]) && !memcmp(s.ptr, made_by[i], strlen(made_by[i])))
			s = (tess_str){s.ptr + strlen(made_by[i]), s.len - strlen(made_by[i])};
	json_key_str(j, "function", s);
}

static void put_link_words(json *j, const target *t)
{
	json_key_arr(j, "links");
	json_z(j, link_words(t, false));
	json_z(j, link_words(t, true));
	json_end(j);
}

static void put_page_data(const report *r, arena *mem, writer *data)
{
	const target *t = r->costs.target;
	page_rows rows;
	json j;
	json_init(&j, data, false);
	json_obj(&j);
	find_page_rows(&rows, r, &j, mem);
	report_members(r, false, &j);
	put_function(&j, r->in.global);
	json_key_z(&j, "target_about", t->about);
	put_link_words(&j, t);
	if (r->in.findings)
		lint_members(r->in.findings, mem, &j);
	if (r->in.advice)
		advice_members(r->in.advice, mem, &j);
	if (r->in.plan) {
		json_key_obj(&j, "plan");
		plan_members(r->in.plan, mem, &j);
		json_end(&j);
	}
	put_peak_groups(&j, r, mem);
	put_collective_groups(&rows, &j, r, mem);
	put_operations(&j, r, mem);
	put_waste(&j, r, mem);
	put_timeline(&j, r, mem);
	put_curve(&j, &r->costs.mem);
	put_axes(&j, r->in.mesh);
	put_device_ids(&j, r->in.mesh);
	put_values(&rows);
	json_end(&j);
}

static void put_page(tess_str data, writer *w)
{
	static const char mark[] = "/*DATA*/null";
	const char *at = strstr(report_page, mark);
	ASSERT(at);
	put_mem(w, report_page, (size_t)(at - report_page));
	put_script_safe(w, data);
	put_mem(w, at + strlen(mark), report_page_len - (size_t)(at - report_page) - strlen(mark));
}

void report_html(const report *r, arena *mem, writer *w)
{
	writer data;
	writer_init(&data, mem);
	put_page_data(r, mem, &data);
	put_page(writer_str(&data), w);
}

void report_html_of_both(const report *a, const report *b, arena *mem, writer *w)
{
	writer data;
	writer_init(&data, mem);
	put_lit(&data, "{\"both\":[");
	put_page_data(a, mem, &data);
	put_c(&data, ',');
	put_page_data(b, mem, &data);
	put_lit(&data, "],\"difference\":");
	report_diff(a, b, true, false, mem, &data);
	put_c(&data, '}');
	put_page(writer_str(&data), w);
}
