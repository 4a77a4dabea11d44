/* report_text.c - writes a report for a terminal: one screen, most important first. */
#include "report/report.h"

enum { TOP_TENSORS = 5, TOP_COLLECTIVES = 10, TOP_OPERATIONS = 5, TOP_REPLICATED = 5 };

static void heading(writer *w, const char *text, bool color)
{
	put_f(w, color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

/* Pads what was written since `from` to `width` columns. */
static void pad_to(writer *w, size_t from, int width)
{
	put_spaces(w, width - (int)(w->len - from));
}

static void put_other_meshes(const report *r, writer *w)
{
	int64_t n = r->in.mesh->n_devices;
	for (int i = 1; i < r->in.meshes.len; i++) {
		const program_mesh *p = &r->in.meshes.ptr[i];
		put_lit(w, "other mesh: ");
		put_mesh_axes(w, p->mesh);
		if (p->declared)
			put_f(w, " (@%s)", op_symbol(p->declared)->s);
		if (p->mesh->n_devices == n)
			put_lit(w, " over the same devices\n");
		else
			put_f(w, " over %" PRId64 " of the devices\n", p->mesh->n_devices);
	}
}

static void put_title(const report *r, writer *w, bool color)
{
	const mesh *m = r->in.mesh;
	put_f(w, color ? "\033[1m%s\033[0m" : "%s", r->in.title);
	put_f(w, " on %s, %" PRId64 " device%s", r->costs.target->name, r->n_devices,
	      r->n_devices == 1 ? "" : "s");
	if (m && (m->n_axes || mesh_is_maximal(m))) {
		put_z(w, m->n_axes ? ", mesh " : ", all on ");
		put_mesh_axes(w, m);
	}
	put_c(w, '\n');
	if (r->in.meshes.len > 1)
		put_other_meshes(r, w);
	if (!m && r->n_devices == 1)
		put_lit(w,
		        "no mesh: try one with --mesh data=4,model=2 and --arg 0='[{\"data\"}, {}]'\n");
}

/* ---- the summary: does it fit, and what bounds it ------------------------------------------- */

/* Says whether the peak, or its upper bound, exceeds `have`. */
static const char *fit_words(const memory *m, double have)
{
	if ((double)m->peak > have)
		return ": does not fit";
	return (double)(m->peak - m->temp) + (double)m->temp_upper > have ? ": may not fit" : "";
}

static void put_fit(const report *r, writer *w)
{
	const memory *m = &r->costs.mem;
	double have = r->costs.target->memory_bytes;
	const char *words = fit_words(m, have);
	put_z(w, words[0] ? words + 2 : "fits");
	put_lit(w, ": ");
	put_bytes(w, (double)m->peak);
	put_lit(w, " of ");
	put_bytes(w, have);
	if (r->costs.step.prefetched_bytes > 0) {
		put_lit(w, ", and ");
		put_bytes(w, r->costs.step.prefetched_bytes);
		put_lit(w, " if weights are gathered ahead");
	}
	put_c(w, '\n');
}

/* Returns the axes that take most of the time among links of this class. */
static const char *axes_over(const report *r, bool far)
{
	for (int i = 0; i < r->traffic.len; i++) /* by seconds, most first */
		if (r->traffic.ptr[i].far == far)
			return r->traffic.ptr[i].axes;
	return "";
}

static void put_bound(const report *r, writer *w)
{
	bound b = r->costs.step.bound;
	const char *axes = b < BOUND_NEAR ? "" : axes_over(r, b == BOUND_FAR);
	put_f(w, "bound by %s", bound_word(r->costs.target, b));
	if (axes[0])
		put_f(w, ", over %s", axes);
}

static void put_answer(const report *r, writer *w)
{
	const step_time *s = &r->costs.step;
	put_fit(r, w);
	seconds_range range = step_range(s);
	put_lit(w, "a step takes ");
	put_seconds(w, s->overlapped_seconds);
	put_lit(w, ", ");
	put_seconds(w, range.least);
	put_lit(w, " to ");
	put_seconds(w, range.most);
	put_lit(w, " (overlapped; ");
	put_seconds(w, s->serial_seconds);
	put_lit(w, " one after the other), ");
	put_bound(r, w);
	put_c(w, '\n');
}

/* Value names of the per-device program mean little to users; writes what computes them. */
static void put_maker(writer *w, const value *v)
{
	const attr *loc = value_loc(v);
	if (value_def(v))
		put_f(w, ", by %s", op_short_name(value_def(v)));
	put_z(w, value_def(v) ? " (" : " [");
	if (put_source_line(w, loc))
		put_c(w, value_def(v) ? ')' : ']');
	else
		w->len -= 2;
}

/* Writes one row for each kind of tensor; tensors in an op's regions are indented below it. */
static void put_tensors(const tensor_group *list, int n, int indent, writer *w)
{
	enum { TOP_WITHIN = 3, DEEPEST = 10 };
	int most = indent > 4 ? TOP_WITHIN : TOP_TENSORS;
	for (int i = 0; i < n && i < most; i++) {
		const tensor_group *g = &list[i];
		size_t from = w->len;
		put_spaces(w, indent);
		put_bytes(w, (double)g->first.bytes * (double)g->count);
		pad_to(w, from, 10 + indent);
		if (g->count > 1)
			put_f(w, "%" PRId64 " x ", g->count);
		put_z(w, live_role_word(g->first.role));
		pad_to(w, from, 28 + indent);
		put_value(w, g->first.v);
		put_z(w, g->count > 1 ? ", …" : "");
		if (g->first.role != LIVE_INSIDE) {
			put_c(w, ' ');
			put_type_short(w, g->first.v->type);
		}
		put_maker(w, g->first.v);
		put_c(w, '\n');
		if (indent < 2 * DEEPEST)
			put_tensors(g->within, g->n_within, indent + 2, w);
	}
	if (n > most) {
		put_spaces(w, indent);
		put_f(w, "and %d other kinds\n", n - most);
	}
}

/* Writes arguments, results and temporaries. */
static void put_parts(const memory *m, writer *w)
{
	put_lit(w, "; arguments ");
	put_bytes(w, (double)m->arguments);
	put_lit(w, ", results ");
	put_bytes(w, (double)m->results);
	if (m->donated) {
		put_lit(w, " (");
		put_bytes(w, (double)m->donated);
		put_lit(w, " in donated arguments)");
	}
	put_lit(w, ", temporaries ");
	put_bytes(w, (double)m->temp);
	if (m->temp_upper != m->temp_lower) {
		put_lit(w, " (");
		put_bytes(w, (double)m->temp_lower);
		put_lit(w, " to ");
		put_bytes(w, (double)m->temp_upper);
		put_lit(w, " by compiler)");
	}
	put_c(w, '\n');
}

/* Writes " for parameters 53 GB, optimizer state 106 GB". */
static void put_held(const report *r, const int64_t *held, writer *w)
{
	static const purpose order[] = {FOR_PARAMETERS, FOR_OPTIMIZER, FOR_GRADIENTS, FOR_ACTIVATIONS,
	                                FOR_INPUTS, FOR_OUTPUTS, FOR_COMMUNICATION, FOR_OTHER};
	const char *between = "  for ";
	if (!r->purposes_told)
		return;
	for (int i = 0; i < PURPOSES; i++)
		if (held[order[i]]) {
			put_f(w, "%s%s ", between, purpose_word(order[i]));
			put_bytes(w, (double)held[order[i]]);
			between = ", ";
		}
	put_c(w, '\n');
}

static void put_memory(const report *r, writer *w, bool color)
{
	const memory *m = &r->costs.mem, *host = &r->costs.host;
	double have = r->costs.target->memory_bytes;
	heading(w, "memory of one device", color);
	put_lit(w, "  peak ");
	put_bytes(w, (double)m->peak);
	put_lit(w, " of ");
	put_bytes(w, have);
	put_f(w, " (%.1f %%%s)", 100 * (double)m->peak / have, fit_words(m, have));
	put_parts(m, w);
	put_held(r, r->held, w);
	put_lit(w, "  alive at the peak:\n");
	put_tensors(r->at_peak.ptr, r->at_peak.len, 4, w);
	if (!host->peak)
		return;
	put_lit(w, "  in the memory of the host, for each device: peak ");
	put_bytes(w, (double)host->peak);
	put_parts(host, w);
	put_held(r, r->held_on_host, w);
	put_tensors(r->on_host.ptr, r->on_host.len, 4, w);
}

static void put_group_row(const collective_group *g, writer *w)
{
	const collective *c = g->first;
	size_t from = w->len;
	put_f(w, "  %4d %s", g->number, op_short_name(c->o));
	pad_to(w, from, 26);
	put_z(w, c->axes[0] ? c->axes : "-");
	pad_to(w, from, 38);
	put_f(w, "%" PRId64 "x%" PRId64, c->n_groups, c->group_size);
	pad_to(w, from, 47);
	put_bytes(w, (double)c->bytes);
	pad_to(w, from, 57);
	put_f(w, "%.0f", c->times * (double)g->count);
	pad_to(w, from, 64);
	put_seconds(w, g->seconds);
	pad_to(w, from, 74);
	bool told = g->count > 1 ? put_source_alike(w, op_loc(c->o)) : put_source(w, op_loc(c->o));
	if (!told && g->origin && g->origin->moved) {
		put_value(w, g->origin->moved);
		put_f(w, " %s to %s", g->origin->before, g->origin->after);
	}
	put_c(w, '\n');
}

static void put_communication(const report *r, writer *w, bool color)
{
	heading(w, "communication of one step", color);
	if (!r->costs.collectives.len) {
		put_lit(w, "  none\n");
		return;
	}
	put_lit(w, "  ");
	put_number_of(w, r->costs.collectives.len, "collective");
	put_lit(w, ", ");
	put_bytes(w, r->costs.comm_bytes);
	put_lit(w, " sent by each device, ");
	put_seconds(w, r->costs.comm_seconds);
	put_c(w, '\n');
	if (r->in.n_merged) {
		put_lit(w, "  ");
		put_number_of(w, r->costs.collectives.len - r->in.n_merged, "collective");
		put_lit(w, " when it runs, since some are merged\n");
	}
	for (int i = 0; i < r->traffic.len; i++) {
		const axis_traffic *t = &r->traffic.ptr[i];
		put_f(w, "  over %s: ", t->axes[0] ? t->axes : "other groups");
		put_number_of(w, t->count, "collective");
		put_lit(w, ", ");
		put_bytes(w, t->wire_bytes);
		put_lit(w, ", ");
		put_seconds(w, t->seconds);
		put_c(w, '\n');
	}
	put_lit(w,
	        "     # op                  axes        groups   bytes     times  time      where\n");
	for (int i = 0; i < r->groups.len && i < TOP_COLLECTIVES; i++)
		put_group_row(&r->groups.ptr[i], w);
	if (r->groups.len > TOP_COLLECTIVES)
		put_f(w,
		      "  and %d other kinds; `tess explain FILE --collective N` says why one exists\n",
		      r->groups.len - TOP_COLLECTIVES);
}

static void put_operation_types(writer *w, const op *o)
{
	for (int i = 0; i < o->n_operands && i < 3; i++) {
		put_z(w, i ? ", " : "");
		put_type_short(w, operand(o, i)->type);
	}
	put_z(w, o->n_operands > 3 ? ", … -> " : " -> ");
	if (o->n_results)
		put_type_short(w, o->results[0].type);
}

static void put_operation_row(const op_group *g, writer *w)
{
	size_t from = w->len;
	put_lit(w, "  ");
	put_z(w, op_short_name(g->first));
	pad_to(w, from, 24);
	put_f(w, "%.0f", g->times);
	pad_to(w, from, 31);
	put_seconds(w, g->seconds);
	pad_to(w, from, 40);
	put_count(w, g->work.flops);
	put_lit(w, "FLOP");
	pad_to(w, from, 53);
	put_bytes(w, g->work.bytes);
	pad_to(w, from, 63);
	put_operation_types(w, g->first);
	put_c(w, '\n');
}

static void put_link_seconds(const costs *c, bool far, writer *w)
{
	double sum = 0;
	for (int i = 0; i < c->collectives.len; i++) {
		const collective *k = &c->collectives.ptr[i];
		sum += k->far == far ? k->times * k->seconds : 0;
	}
	put_seconds(w, sum);
}

/* Writes what the step time consists of, and how long each resource would take. */
static void put_step_parts(const costs *c, writer *w)
{
	const step_time *s = &c->step;
	put_lit(w, "  overlapped ");
	put_seconds(w, s->overlapped_seconds);
	put_lit(w, ", of which exposed communication ");
	put_seconds(w, s->exposed_communication_seconds);
	put_f(w, "; %.1f %% of the arithmetic's peak", 100 * s->mfu);
	put_lit(w, "\n  one after the other ");
	put_seconds(w, s->serial_seconds);
	put_lit(w, ": clusters ");
	put_seconds(w, c->op_seconds);
	put_f(w, ", links %s ", link_words(c->target, false));
	put_link_seconds(c, false, w);
	put_f(w, ", %s ", link_words(c->target, true));
	put_link_seconds(c, true, w);
	put_lit(w, "\n  at peak rates: arithmetic ");
	put_seconds(w, c->compute_seconds);
	put_lit(w, " (");
	put_count(w, c->total.flops);
	put_lit(w, "FLOP, each at its precision), memory traffic ");
	put_seconds(w, c->memory_seconds);
	put_lit(w, " (");
	put_bytes(w, c->total.bytes);
	put_lit(w, " fused, ");
	put_bytes(w, c->unfused_bytes);
	put_lit(w, " unfused)\n");
}

static void put_time(const report *r, writer *w, bool color)
{
	const costs *c = &r->costs;
	heading(w, program_came_partitioned(r->in.global) ? "time of one step, predicted for the program as it came, fused as XLA fuses"
	           : r->in.as_shardy ? "time of one step, predicted for a partition with Shardy's reshards, fused as XLA fuses"
	                             : "time of one step, predicted for tessera's partition, fused as XLA fuses", color);
	put_step_parts(c, w);
	if (r->operations.len)
		put_lit(w,
		        "  cluster, by its main   times  time     arithmetic   bytes     types, dearest first\n");
	for (int i = 0; i < r->operations.len && i < TOP_OPERATIONS; i++)
		put_operation_row(&r->operations.ptr[i], w);
	if (r->operations.len > TOP_OPERATIONS)
		put_f(w, "  and %d other kinds\n", r->operations.len - TOP_OPERATIONS);
	if (c->unknown_loops) {
		put_lit(w, "  counted once: ");
		put_number_of(w, c->unknown_loops, "loop");
		put_lit(w, " whose trip count the program does not say\n");
	}
	if (c->custom_calls) {
		put_lit(w, "  not counted: ");
		put_number_of(w, c->custom_calls, "custom call");
		put_c(w, '\n');
	}
}

static void put_replicated_row(const report *r, const replicated_group *g, writer *w)
{
	const replicated_tensor *t = &g->first;
	const sharding *s = value_sharding(r->in.global, t->v);
	size_t from = w->len;
	put_lit(w, "  ");
	put_bytes(w, (double)t->bytes);
	pad_to(w, from, 14);
	put_f(w, "on %" PRId64 " devices", t->copies);
	pad_to(w, from, 30);
	if (g->count > 1)
		put_f(w, "%" PRId64 " x ", g->count);
	put_value(w, t->v);
	put_z(w, g->count > 1 ? ", … " : " ");
	put_type_short(w, t->v->type);
	put_c(w, ' ');
	if (s)
		sharding_print(w, s);
	else
		put_lit(w, "no sharding");
	put_maker(w, t->v);
	put_c(w, '\n');
}

static void put_padded_row(const padded_tensor *t, writer *w)
{
	put_lit(w, "  ");
	put_bytes(w, (double)t->waste);
	put_f(w, ": dimension %d of ", t->dim);
	put_value(w, t->v);
	put_f(w, " has %" PRId64 " elements over %" PRId64 " shards\n", t->size, t->shards);
}

static void put_wasted(const report *r, writer *w, bool color)
{
	int kinds = r->replicated_kinds.len;
	if (kinds)
		heading(w, "largest replicated tensors", color);
	for (int i = 0; i < kinds && i < TOP_REPLICATED; i++)
		put_replicated_row(r, &r->replicated_kinds.ptr[i], w);
	if (kinds > TOP_REPLICATED)
		put_f(w, "  and %d other kinds\n", kinds - TOP_REPLICATED);
	if (r->padded.len)
		heading(w, "padding", color);
	for (int i = 0; i < r->padded.len && i < TOP_REPLICATED; i++)
		put_padded_row(&r->padded.ptr[i], w);
}

static void put_what_to_change(const report *r, writer *w, bool color)
{
	advice_words words = {.r = r->in.advice, .color = color};
	if (!r->in.advice)
		return;
	heading(w, "what to change", color);
	advice_list_text(&words, w);
}

void report_text(const report *r, writer *w, bool color)
{
	put_title(r, w, color);
	put_answer(r, w);
	put_what_to_change(r, w, color);
	put_memory(r, w, color);
	put_communication(r, w, color);
	put_time(r, w, color);
	put_wasted(r, w, color);
}
