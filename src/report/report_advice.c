/* report_advice.c - writes what to change in a program, as text and JSON.
 *
 * Each change is written as the line of Python that makes it, with its place in the source. */
#include "report/report.h"

/* ---- names ------------------------------------------------------------------------------- */

/* Writes "params['w']", from the value's location, or else its name in the program text. */
static void put_place_name(writer *w, const value *v)
{
	const attr *loc = value_loc(v);
	if (!value_def(v) && loc && loc->kind == AT_LOC_NAME)
		put_str(w, name_str(loc->text));
	else {
		put_value(w, v);
		put_function_around(w, v);
	}
}

/* Returns the first part of a path, which is the function's argument: "params". */
static tess_str first_part(const value *v)
{
	const attr *loc = value_loc(v);
	tess_str s = loc && loc->kind == AT_LOC_NAME ? name_str(loc->text) : (tess_str){0};
	size_t n = 0;
	while (n < s.len && !strchr(".[", s.ptr[n]))
		n++;
	return (tess_str){s.ptr, n};
}

static void put_donors(writer *w, const advice *a)
{
	tess_str last = {0};
	if (!first_part(a->places[0].v).len) {
		put_lit(w, "jax.jit(…, donate_argnums=…)");
		return;
	}
	put_lit(w, "jax.jit(…, donate_argnames=(");
	for (int i = 0; i < a->n; i++) {
		tess_str name = first_part(a->places[i].v);
		if (!name.len || str_eq(name, last))
			continue;
		put_f(w, "%s\"%.*s\"", last.len ? ", " : "", STR_ARG(name));
		last = name;
	}
	put_lit(w, ",))");
}

static void put_new_mesh(writer *w, const mesh *m)
{
	put_lit(w, "jax.make_mesh((");
	for (int i = 0; i < m->n_axes; i++)
		put_f(w, "%s%" PRId64, i ? ", " : "", m->axes[i].size);
	put_lit(w, "), (");
	for (int i = 0; i < m->n_axes; i++)
		put_f(w, "%s\"%s\"", i ? ", " : "", m->axes[i].name->s);
	put_lit(w, "))");
}

/* Counts the places of a change that get the same sharding as place `first`; 0 unless `first` is
 * the first of them. */
static int count_alike(const advice *a, int first)
{
	int n = 0;
	for (int i = 0; i < a->n; i++) {
		if (i < first && a->places[i].to == a->places[first].to)
			return 0;
		n += a->places[i].to == a->places[first].to;
	}
	return n;
}

static void put_state_shardings(writer *w, const advice *a)
{
	enum { MOST = 4 };
	bool results = false;
	int said = 0;
	for (int i = 0; i < a->n; i++)
		results |= a->places[i].result >= 0;
	put_z(w, results ? "in_shardings and out_shardings: " : "in_shardings: ");
	for (int i = 0; i < a->n && said <= MOST; i++) {
		int n = count_alike(a, i);
		if (!n)
			continue;
		put_z(w, said ? "; " : "");
		if (said++ == MOST) {
			put_lit(w, "…");
			return;
		}
		put_place_name(w, a->places[i].v);
		if (n > 1)
			put_f(w, " and %d more", n - 1);
		put_lit(w, ": ");
		put_partition_spec(w, a->places[i].to);
	}
}

/* Writes the line of Python. */
static void put_python(writer *w, const advice *a)
{
	const advice_place *p = a->places;
	switch (a->kind) {
	case ADVICE_CONSTRAIN:
	case ADVICE_RECONSTRAIN:
		put_lit(w, "x = jax.lax.with_sharding_constraint(x, ");
		put_partition_spec(w, p->to);
		put_c(w, ')');
		break;
	case ADVICE_DROP: put_lit(w, "without jax.lax.with_sharding_constraint"); break;
	case ADVICE_SHARD: put_state_shardings(w, a); break;
	case ADVICE_DONATE: put_donors(w, a); break;
	case ADVICE_MESH: put_new_mesh(w, a->mesh); break;
	case ADVICE_LOOKUP:
		put_lit(w, "jax.vmap(lambda x, i: x[i])(x, i), not x[jnp.arange(len(x)), i]");
		break;
	}
}

/* ---- source lines --------------------------------------------------------------------------- */

/* Lists the frames in the user's own files that lead to a value. */
static int advice_frames(const advice *a, const attr **out, int most)
{
	const value *v = a->n ? a->places[0].v : NULL;
	return v && value_def(v) ? source_own_frames(value_loc(v), out, most) : 0;
}

/* Writes "model.py:9"; for the program's own constraints, with the callers. */
static bool put_advice_source(writer *w, const advice *a)
{
	const value *v = a->n ? a->places[0].v : NULL;
	if (!v || !value_def(v))
		return false;
	bool constraint = a->kind == ADVICE_RECONSTRAIN || a->kind == ADVICE_DROP;
	return (constraint ? put_calling_line : put_source_line)(w, value_loc(v));
}

/* ---- text --------------------------------------------------------------------------------- */

static const char *const kind_words[] = {
	[ADVICE_CONSTRAIN] = "constrain", [ADVICE_RECONSTRAIN] = "constrain otherwise",
	[ADVICE_DROP] = "drop the constraint of", [ADVICE_SHARD] = "shard",
	[ADVICE_DONATE] = "donate", [ADVICE_MESH] = "another mesh shape",
	[ADVICE_LOOKUP] = "look up row by row",
};

static void put_subject(writer *w, const advice *a)
{
	put_z(w, kind_words[a->kind]);
	if (!a->n)
		return;
	put_c(w, ' ');
	put_place_name(w, a->places[0].v);
	put_c(w, ' ');
	put_type_short(w, a->places[0].v->type);
	if (a->n > 1)
		put_f(w, " and %d more", a->n - 1);
	if (a->axis)
		put_f(w, " over \"%s\"", a->axis->s);
}

static void put_change(writer *w, const plan_cost *before, const plan_cost *after)
{
	put_lit(w, "peak ");
	put_bytes(w, (double)before->peak_bytes);
	put_lit(w, " → ");
	put_bytes(w, (double)after->peak_bytes);
	put_lit(w, ", step ");
	put_seconds(w, before->step_seconds);
	put_lit(w, " → ");
	put_seconds(w, after->step_seconds);
}

static void put_advice(const advice_words *p, writer *w, int i)
{
	const advice *a = &p->r->list.ptr[i];
	put_f(w, p->color ? "\n\033[1m%d. " : "\n%d. ", i + 1);
	put_subject(w, a);
	put_z(w, p->color ? "\033[0m\n" : "\n");
	put_lit(w, "   ");
	put_python(w, a);
	size_t at = w->len;
	put_lit(w, "  # ");
	if (!put_advice_source(w, a))
		w->len = at;
	put_lit(w, "\n   ");
	put_change(w, &a->before, &a->after);
	put_c(w, '\n');
}

void advice_list_text(const advice_words *p, writer *w)
{
	const advice_list *r = p->r;
	for (int i = 0; i < r->list.len; i++)
		put_advice(p, w, i);
	if (!r->list.len)
		put_lit(w, "\nnothing that was tried gains 3 % of the time or 5 % of the memory\n");
	put_f(w, "\n%" PRId64 " changes tried", r->tried);
	put_z(w, r->list.len > 1 ? "; each figure is with the changes above it\n" : "\n");
}

void advice_text(const advice_words *p, writer *w)
{
	const advice_list *r = p->r;
	put_f(w, "%s on %s, ", p->title, p->target->name);
	put_number_of(w, r->subject.given->n_devices, "device");
	put_lit(w, ", ");
	put_mesh_axes(w, r->subject.given);
	put_lit(w, "\nas it is: step ");
	put_seconds(w, r->as_it_is.step_seconds);
	put_lit(w, ", peak ");
	put_bytes(w, (double)r->as_it_is.peak_bytes);
	put_lit(w, " of ");
	put_bytes(w, (double)r->limit);
	put_z(w, r->as_it_is.peak_bytes > r->limit ? ", does not fit\n" : "\n");
	advice_list_text(p, w);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_cost(json *j, const char *key, const plan_cost *c)
{
	json_key_obj(j, key);
	json_key_num(j, "step_seconds", c->step_seconds);
	json_key_int(j, "peak_bytes", c->peak_bytes);
	json_end(j);
}

static void json_frames(json *j, const advice *a)
{
	static const char *const keys[] = {"line", "column", "end_line", "end_column"};
	const attr *frames[16];
	int n = advice_frames(a, frames, COUNT(frames));
	if (!n)
		return;
	json_key_arr(j, "frames");
	for (int i = 0; i < n; i++) {
		json_obj(j);
		json_key_str(j, "file", name_str(frames[i]->text));
		for (int k = 0; k < COUNT(keys); k++)
			json_key_int(j, keys[k], frames[i]->ints[k]);
		json_end(j);
	}
	json_end(j);
}

static void json_place(json *j, const advice_place *p, arena *mem)
{
	writer w;
	json_obj(j);
	writer_init(&w, mem);
	put_place_name(&w, p->v);
	json_key_str(j, "value", writer_str(&w));
	if (p->argument >= 0)
		json_key_int(j, "argument", p->argument);
	if (p->result >= 0)
		json_key_int(j, "result", p->result);
	if (p->to) {
		writer_init(&w, mem);
		sharding_print(&w, p->to);
		json_key_str(j, "sharding", writer_str(&w));
		writer_init(&w, mem);
		put_partition_spec(&w, p->to);
		json_key_str(j, "spec", writer_str(&w));
	}
	json_end(j);
}

static void json_advice(json *j, const advice *a, arena *mem)
{
	static const char *const kinds[] = {
		[ADVICE_CONSTRAIN] = "constrain", [ADVICE_RECONSTRAIN] = "reconstrain",
		[ADVICE_DROP] = "drop", [ADVICE_SHARD] = "shard",
		[ADVICE_DONATE] = "donate", [ADVICE_MESH] = "mesh",
		[ADVICE_LOOKUP] = "lookup",
	};
	writer w;
	json_obj(j);
	json_key_z(j, "kind", kinds[a->kind]);
	writer_init(&w, mem);
	put_subject(&w, a);
	json_key_str(j, "title", writer_str(&w));
	writer_init(&w, mem);
	put_python(&w, a);
	json_key_str(j, "python", writer_str(&w));
	writer_init(&w, mem);
	if (put_advice_source(&w, a))
		json_key_str(j, "source", writer_str(&w));
	json_frames(j, a);
	json_key_arr(j, "places");
	for (int i = 0; i < a->n; i++)
		json_place(j, &a->places[i], mem);
	json_end(j);
	json_cost(j, "before", &a->before);
	json_cost(j, "after", &a->after);
	json_end(j);
}

void advice_members(const advice_list *r, arena *mem, json *j)
{
	json_key_arr(j, "advice");
	for (int i = 0; i < r->list.len; i++)
		json_advice(j, &r->list.ptr[i], mem);
	json_end(j);
}

void advice_json(const advice_words *p, arena *mem, writer *w)
{
	const advice_list *r = p->r;
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key_z(&j, "title", p->title);
	json_key_z(&j, "target", p->target->name);
	json_key_int(&j, "devices", r->subject.given->n_devices);
	json_key_int(&j, "limit", r->limit);
	json_key_int(&j, "tried", r->tried);
	json_cost(&j, "as_it_is", &r->as_it_is);
	advice_members(r, mem, &j);
	json_end(&j);
	put_c(w, '\n');
}
