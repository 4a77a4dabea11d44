/* report_plan.c - writes a plan as text and JSON. Its HTML page is a report's, with this JSON. */
#include "report/report.h"

#include <math.h>

static void put_heading(const plan_words *p, writer *w, const char *text)
{
	put_f(w, p->color ? "\033[1m%s\033[0m" : "%s", text);
}

/* Writes the cost relative to the plan's, "+38 %", or as a time if the plan takes none. */
static void put_price(writer *w, const plan_cost *best, const plan_cost *other)
{
	if (best->step_seconds > 0 || !other->step_seconds) {
		put_f(w, "%+.1f %%", (plan_ratio(other->step_seconds, best->step_seconds) - 1) * 100);
		return;
	}
	put_c(w, '+');
	put_seconds(w, other->step_seconds);
}

/* ---- text ------------------------------------------------------------------------------ */

static void put_headline(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	put_f(w, "%s on %" PRId64 " x %s: ", p->title, r->best.mesh->n_devices, p->target);
	put_number_of(w, r->n_meshes, "mesh shape");
	put_f(w, ", %" PRId64 " plans evaluated, %.1f s\n\n", r->evaluated, p->seconds);
}

static void put_annotated(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	put_lit(w, " (as annotated: ");
	put_seconds(w, r->annotated_cost.step_seconds);
	put_lit(w, ", ");
	put_bytes(w, (double)r->annotated_cost.peak_bytes);
	put_z(w, r->annotated_cost.peak_bytes > r->limit ? ", does not fit)" : ")");
}

static void put_best(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	const plan_cost *c = &r->best.cost;
	put_lit(w, "  mesh ");
	put_mesh_axes(w, r->best.mesh);
	put_lit(w, "\n  ");
	put_heading(p, w, "step ");
	put_seconds(w, c->step_seconds);
	if (r->annotated)
		put_annotated(p, w);
	put_lit(w, ", peak ");
	put_bytes(w, (double)c->peak_bytes);
	put_lit(w, " of ");
	put_bytes(w, (double)r->limit);
	put_lit(w, ", communication ");
	put_seconds(w, c->comm_seconds);
	if (c->comm_seconds > 0) {
		put_lit(w, " (");
		put_seconds(w, c->comm_seconds - c->far_seconds);
		put_lit(w, " near, ");
		put_seconds(w, c->far_seconds);
		put_lit(w, " far; ");
		put_seconds(w, c->exposed_seconds);
		put_lit(w, " not hidden)");
	}
	if (r->bound > 0) {
		put_lit(w, "\n  no plan is under ");
		put_seconds(w, r->bound);
	}
	put_f(w, "\n  %s\n", r->best.tactic);
}

/* Says what would have to change so that it fits. */
static void put_way_to_fit(const plan_result *r, writer *w)
{
	const plan_cost *c = &r->best.cost;
	if (c->argument_bytes > r->limit) {
		put_f(w, "its state alone is larger than the limit: more devices are needed, at least "
		         "%" PRId64,
		      ceil_div(c->argument_bytes, r->limit) * r->best.mesh->n_devices);
		return;
	}
	put_lit(w, "it would fit if temporaries took ");
	put_bytes(w, (double)(r->limit - c->peak_bytes + c->temporary_bytes));
	put_lit(w, ": with a smaller batch on each device, or values computed again "
	           "(rematerialization)");
}

static void put_misfit(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	const plan_cost *c = &r->best.cost;
	if (r->fits)
		return;
	put_lit(w, "\n  ");
	put_heading(p, w, "no plan fits: ");
	put_lit(w, "this one takes least, ");
	put_bytes(w, (double)c->argument_bytes);
	put_lit(w, " of arguments and ");
	put_bytes(w, (double)c->temporary_bytes);
	put_lit(w, " of temporaries\n  ");
	put_way_to_fit(r, w);
	put_c(w, '\n');
}

static void put_decisions(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	if (!r->decisions.len)
		return;
	put_f(w, "\n  %-62s %-30s %s\n", "decision", "why", "next best");
	for (int i = 0; i < r->decisions.len; i++) {
		const plan_decision *d = &r->decisions.ptr[i];
		put_f(w, "  %-62s %-30s ", d->what, d->why ? d->why : "");
		if (d->next) {
			put_f(w, "%s ", d->next);
			put_price(w, &r->best.cost, &d->next_cost);
			put_z(w, d->next_fits ? "" : ", does not fit");
		}
		put_c(w, '\n');
	}
}

/* Draws a bar as long as the peak is relative to the largest one. */
static void put_peak_bar(writer *w, int64_t bytes, int64_t most)
{
	enum { WIDTH = 24 };
	int64_t n = bytes * WIDTH / max_i64(most, 1);
	for (int64_t i = 0; i < WIDTH; i++)
		put_c(w, i < max_i64(n, 1) ? '#' : '.');
}

/* Writes the Pareto frontier of time and memory, fastest first. */
static void put_frontier(const plan_words *p, writer *w)
{
	const plan_result *r = p->r;
	int64_t most = 0;
	if (r->frontier.len < 2)
		return;
	put_lit(w, "\n  ");
	put_heading(p, w, "less memory, more time");
	for (int i = 0; i < r->frontier.len; i++)
		most = max_i64(most, r->frontier.ptr[i].cost.peak_bytes);
	for (int i = 0; i < r->frontier.len; i++) {
		const plan *f = &r->frontier.ptr[i];
		put_lit(w, "\n    ");
		put_peak_bar(w, f->cost.peak_bytes, most);
		put_c(w, ' ');
		put_bytes(w, (double)f->cost.peak_bytes);
		put_lit(w, " in ");
		put_seconds(w, f->cost.step_seconds);
		put_lit(w, ", ");
		put_mesh_axes(w, f->mesh);
		put_f(w, "; %s", f->tactic);
	}
	put_c(w, '\n');
}

void plan_text(const plan_words *p, writer *w)
{
	put_headline(p, w);
	put_best(p, w);
	put_misfit(p, w);
	put_decisions(p, w);
	put_frontier(p, w);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_mesh(json *j, const mesh *m)
{
	json_key_obj(j, "mesh");
	for (int a = 0; a < m->n_axes; a++)
		json_key_int(j, m->axes[a].name->s, m->axes[a].size);
	json_end(j);
}

static void json_decision(json *j, const plan_decision *d)
{
	json_obj(j);
	json_key_z(j, "decision", d->what);
	if (d->next) {
		json_key_z(j, "why", d->why);
		json_key_z(j, "next_best", d->next);
		json_key_num(j, "next_step_seconds", d->next_cost.step_seconds);
		json_key_int(j, "next_peak_bytes", d->next_cost.peak_bytes);
		json_key_bool(j, "next_fits", d->next_fits);
	}
	json_end(j);
}

/* True for the chosen plan. Annotations are not compared: it may have fewer, to the same effect. */
static bool is_chosen(const plan_result *r, const plan *p)
{
	return p->mesh == r->best.mesh && p->cost.step_seconds == r->best.cost.step_seconds &&
	       p->cost.peak_bytes == r->best.cost.peak_bytes;
}

static void json_frontier(json *j, const plan_result *r, const plan *p)
{
	json_obj(j);
	json_mesh(j, p->mesh);
	json_key_num(j, "step_seconds", p->cost.step_seconds);
	json_key_int(j, "peak_bytes", p->cost.peak_bytes);
	json_key_z(j, "tactic", p->tactic);
	json_key_bool(j, "fits", p->cost.peak_bytes <= r->limit);
	json_key_bool(j, "chosen", is_chosen(r, p));
	json_end(j);
}

/* Says what would have to change if nothing fits. */
static void json_way_to_fit(json *j, const plan_result *r, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	put_way_to_fit(r, &w);
	json_key_str(j, "to_fit", writer_str(&w));
}

static void json_costs(json *j, const plan_result *r)
{
	json_key_num(j, "step_seconds", r->best.cost.step_seconds);
	json_key_num(j, "annotated_step_seconds",
	             r->annotated ? r->annotated_cost.step_seconds : HUGE_VAL);
	json_key_int(j, "peak_bytes", r->best.cost.peak_bytes);
	json_key_num(j, "annotated_peak_bytes",
	             r->annotated ? (double)r->annotated_cost.peak_bytes : HUGE_VAL);
	json_key_int(j, "limit_bytes", r->limit);
	json_key_bool(j, "fits", r->fits);
	json_key_num(j, "bound_seconds", r->bound > 0 ? r->bound : HUGE_VAL);
}

void plan_members(const plan_words *p, arena *mem, json *j)
{
	const plan_result *r = p->r;
	json_key_z(j, "target", p->target);
	json_mesh(j, r->best.mesh);
	json_costs(j, r);
	if (!r->fits)
		json_way_to_fit(j, r, mem);
	json_key_z(j, "tactic", r->best.tactic);
	json_key_int(j, "mesh_shapes", r->n_meshes);
	json_key_int(j, "plans_evaluated", r->evaluated);
	json_key_num(j, "search_seconds", p->seconds);
	json_key_arr(j, "decisions");
	for (int i = 0; i < r->decisions.len; i++)
		json_decision(j, &r->decisions.ptr[i]);
	json_end(j);
	json_key_arr(j, "frontier");
	for (int i = 0; i < r->frontier.len; i++)
		json_frontier(j, r, &r->frontier.ptr[i]);
	json_end(j);
}

void plan_json(const plan_words *p, arena *mem, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	plan_members(p, mem, &j);
	json_end(&j);
	put_c(w, '\n');
}
