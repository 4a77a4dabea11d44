/* report_html.c - a report as one page.
 *
 * page.html has the layout and the code that draws; it is built into the library.
 * What differs from report to report goes into it as one JSON object: the members
 * of report_json.c, the memory curve, and the values in rows of
 *
 *     [name, op, type, sharding, bytes on a device, source]
 *
 * whose texts are numbers into `strings`, since a program repeats them. */
#include "report/report.h"

extern const char report_page[];
extern const size_t report_page_len;

enum { CURVE_POINTS = 700 };

/* ---- texts, each once --------------------------------------------------------------- */

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

static void value_row(json *j, string_table *t, writer *tmp, const module *m, const value *v)
{
	json_arr(j);
	tmp->len = 0;
	put_value(tmp, v);
	json_str(j, writer_str(tmp));
	json_int(j, string_number(t, v->def ? str_of(op_short_name(v->def)) : STR("argument")));
	tmp->len = 0;
	put_type_short(tmp, v->type);
	json_int(j, string_number(t, writer_str(tmp)));
	tmp->len = 0;
	if (v->sharding)
		sharding_print(tmp, v->sharding);
	json_int(j, string_number(t, writer_str(tmp)));
	json_int(j, shard_bytes(m, v->type, v->sharding));
	tmp->len = 0;
	put_source(tmp, v->def ? v->def->loc : v->loc);
	json_int(j, string_number(t, writer_str(tmp)));
	json_end(j);
}

static void put_values(json *j, const report *r, arena *mem)
{
	const module *m = r->in.global;
	string_table t = {.ctx = m->ctx, .mem = mem};
	writer tmp;
	writer_init(&tmp, mem);
	const op *f = module_main(m);
	json_key_arr(j, "values");
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++)
		value_row(j, &t, &tmp, m, b->args[i]);
	for (const op *o = b ? b->first : NULL; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			value_row(j, &t, &tmp, m, &o->results[i]);
	json_end(j);
	json_key_arr(j, "strings");
	for (int i = 0; i < t.list.len; i++)
		json_str(j, name_str(t.list.ptr[i]));
	json_end(j);
}

/* ---- curve -------------------------------------------------------------------------------- */

/* At most CURVE_POINTS points, each the highest of what it stands for. */
static void put_curve(json *j, const memory *m)
{
	int n = m->curve.len, points = n < CURVE_POINTS ? n : CURVE_POINTS;
	json_key_arr(j, "curve");
	for (int p = 0; p < points; p++) {
		int from = (int)((int64_t)p * n / points), to = (int)((int64_t)(p + 1) * n / points);
		int64_t most = 0;
		for (int i = from; i < to; i++)
			most = max_i64(most, m->curve.ptr[i]);
		json_int(j, most);
	}
	json_end(j);
	json_key_int(j, "curve_peak", n ? (int64_t)m->peak_at * points / n : 0);
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

/* "</script>" inside of the data would end it: '<' is written as \u003c. */
static void put_script_safe(writer *w, tess_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '<')
			put_lit(w, "\\u003c");
		else
			put_c(w, s.ptr[i]);
}

void report_html(const report *r, arena *mem, writer *w)
{
	static const char mark[] = "/*DATA*/null";
	writer data;
	json j;
	writer_init(&data, mem);
	json_init(&j, &data, false);
	json_obj(&j);
	report_members(r, &j);
	put_curve(&j, &r->costs.mem);
	put_device_ids(&j, r->in.mesh);
	put_values(&j, r, mem);
	json_end(&j);
	const char *at = strstr(report_page, mark);
	ASSERT(at);
	put_mem(w, report_page, (size_t)(at - report_page));
	put_script_safe(w, writer_str(&data));
	put_mem(w, at + strlen(mark), report_page_len - (size_t)(at - report_page) - strlen(mark));
}
