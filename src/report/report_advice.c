/* report_advice.c - what to change in a program, as text and JSON.
 *
 * Each change is told as the line of Python that makes it, at its place in the source. */
#include "report/report.h"

/* ---- names ------------------------------------------------------------------------------- */

/* "params['w']", as the program's locations have it, or as its text names it. */
static void put_place_name(writer *w, const value *v)
{
	const attr *loc = value_loc(v);
	if (!value_def(v) && loc && loc->kind == AT_LOC_NAME)
		put_str(w, name_str(loc->text));
	else
		put_value(w, v);
}

/* The argument of the function, "params", that a path begins with. */
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

/* The line of Python. */
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
	case ADVICE_SHARD:
		put_lit(w, "in_shardings: ");
		put_place_name(w, p->v);
		put_lit(w, ": ");
		put_partition_spec(w, p->to);
		break;
	case ADVICE_DONATE: put_donors(w, a); break;
	case ADVICE_MESH: put_new_mesh(w, a->mesh); break;
	}
}

/* ---- text --------------------------------------------------------------------------------- */

static const char *const kind_words[] = {
	[ADVICE_CONSTRAIN] = "constrain", [ADVICE_RECONSTRAIN] = "constrain otherwise",
	[ADVICE_DROP] = "drop the constraint of", [ADVICE_SHARD] = "shard",
	[ADVICE_DONATE] = "donate", [ADVICE_MESH] = "another mesh shape",
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
	if (!a->n || !value_def(a->places[0].v) ||
	    !put_source_line(w, value_loc(a->places[0].v)))
		w->len = at;
	put_lit(w, "\n   ");
	put_change(w, &a->before, &a->after);
	put_c(w, '\n');
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
	for (int i = 0; i < r->list.len; i++)
		put_advice(p, w, i);
	if (!r->list.len)
		put_lit(w, "\nnothing that was tried gains 3 % of the time or 5 % of the memory\n");
	put_f(w, "\n%" PRId64 " changes tried", r->tried);
	put_z(w, r->list.len > 1 ? "; each figure is with the changes above it\n" : "\n");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_cost(json *j, const char *key, const plan_cost *c)
{
	json_key_obj(j, key);
	json_key_num(j, "step_seconds", c->step_seconds);
	json_key_int(j, "peak_bytes", c->peak_bytes);
	json_end(j);
}

static void json_advice(json *j, const advice *a, arena *mem)
{
	static const char *const kinds[] = {
		[ADVICE_CONSTRAIN] = "constrain", [ADVICE_RECONSTRAIN] = "reconstrain",
		[ADVICE_DROP] = "drop", [ADVICE_SHARD] = "shard",
		[ADVICE_DONATE] = "donate", [ADVICE_MESH] = "mesh",
	};
	writer w;
	json_obj(j);
	json_key_z(j, "kind", kinds[a->kind]);
	writer_init(&w, mem);
	put_python(&w, a);
	json_key_str(j, "python", writer_str(&w));
	writer_init(&w, mem);
	if (a->n && value_def(a->places[0].v) && put_source_line(&w, value_loc(a->places[0].v)))
		json_key_str(j, "source", writer_str(&w));
	json_key_arr(j, "values");
	for (int i = 0; i < a->n; i++) {
		writer_init(&w, mem);
		put_place_name(&w, a->places[i].v);
		json_str(j, writer_str(&w));
	}
	json_end(j);
	writer_init(&w, mem);
	if (a->n && a->places[0].to) {
		sharding_print(&w, a->places[0].to);
		json_key_str(j, "sharding", writer_str(&w));
	}
	json_cost(j, "before", &a->before);
	json_cost(j, "after", &a->after);
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
	json_key_arr(&j, "advice");
	for (int i = 0; i < r->list.len; i++)
		json_advice(&j, &r->list.ptr[i], mem);
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
