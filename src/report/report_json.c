/* report_json.c - writes a report as JSON. Bytes, seconds and FLOPs are in base units; names are
 * those of the program text. */
#include "report/report.h"

typedef void text_fn(writer *w, const void *what);

static void json_text(json *j, arena *mem, text_fn *fn, const void *what)
{
	writer w;
	writer_init(&w, mem);
	fn(&w, what);
	json_str(j, writer_str(&w));
}

static void text_member(json *j, arena *mem, const char *key, text_fn *fn, const void *what)
{
	json_key(j, key);
	json_text(j, mem, fn, what);
}

static void value_text(writer *w, const void *v) { put_value(w, v); }
static void type_text_short(writer *w, const void *t) { put_type_short(w, t); }
static void sharding_text(writer *w, const void *s) { sharding_print(w, s); }
static void source_text(writer *w, const void *loc) { put_source(w, loc); }

/* `s` is the sharding of the value, or NULL. */
static void value_members(json *j, arena *mem, const value *v, const sharding *s)
{
	text_member(j, mem, "value", value_text, v);
	text_member(j, mem, "type", type_text_short, v->type);
	if (s)
		text_member(j, mem, "sharding", sharding_text, s);
	const attr *loc = value_loc(v);
	if (loc)
		text_member(j, mem, "source", source_text, loc);
}

static void json_tensors(json *j, arena *mem, const report *r, const char *key, const live_tensor *list,
                         int n)
{
	json_key_arr(j, key);
	for (int i = 0; i < n; i++) {
		const live_tensor *t = &list[i];
		json_obj(j);
		json_key_int(j, "bytes", t->bytes);
		json_key_z(j, "role", live_role_word(t->role));
		if (r->purposes_told && !t->n_within)
			json_key_z(j, "for", purpose_key(report_purpose(r, t)));
		value_members(j, mem, t->v, t->v->sharding);
		if (t->n_within)
			json_tensors(j, mem, r, "within", t->within, t->n_within);
		json_end(j);
	}
	json_end(j);
}

static void json_memory(json *j, arena *mem, const report *r, bool host, bool lists)
{
	const memory *m = host ? &r->costs.host : &r->costs.mem;
	const int64_t *held = host ? r->held_on_host : r->held;
	json_key_int(j, "peak", m->peak);
	json_key_int(j, "arguments", m->arguments);
	json_key_int(j, "results", m->results);
	json_key_int(j, "donated", m->donated);
	json_key_int(j, "temporaries", m->temp);
	json_key_int(j, "temporaries_lower", m->temp_lower);
	json_key_int(j, "temporaries_upper", m->temp_upper);
	if (r->purposes_told) {
		json_key_obj(j, "for");
		for (int i = 0; i < PURPOSES; i++)
			json_key_int(j, purpose_key(i), held[i]);
		json_end(j);
	}
	if (lists)
		json_tensors(j, mem, r, "at_peak", m->at_peak.ptr, m->at_peak.len);
}

void report_origin_members(const collective_origin *o, arena *mem, json *j)
{
	if (o && o->moved) {
		text_member(j, mem, "moves", value_text, o->moved);
		json_key_z(j, "from", o->before);
		json_key_z(j, "to", o->after);
	}
	if (o && o->cause)
		json_key_str(j, "for", str_of(op_name(o->cause)));
}

void report_operation_members(const op_group *g, arena *mem, json *j)
{
	json_key_arr(j, "operands");
	for (int i = 0; i < g->first->n_operands; i++)
		json_text(j, mem, type_text_short, operand(g->first, i)->type);
	json_end(j);
	json_key_arr(j, "results");
	for (int i = 0; i < g->first->n_results; i++)
		json_text(j, mem, type_text_short, g->first->results[i].type);
	json_end(j);
	json_key_int(j, "count", g->count);
	json_key_num(j, "times", g->times);
	json_key_num(j, "flops", g->work.flops);
	json_key_num(j, "bytes", g->work.bytes);
	json_key_num(j, "seconds", g->seconds);
	json_key_z(j, "bound", g->compute_bound ? "compute" : "memory");
}

static void json_collectives(json *j, arena *mem, const report *r)
{
	json_key_arr(j, "collectives");
	for (int i = 0; i < r->costs.collectives.len; i++) {
		const collective *k = &r->costs.collectives.ptr[i];
		json_obj(j);
		json_key_int(j, "number", i);
		json_key_z(j, "op", op_told_name(k->o));
		json_key_z(j, "axes", k->axes);
		json_key_int(j, "groups", k->n_groups);
		json_key_int(j, "group_size", k->group_size);
		json_key_int(j, "bytes", k->bytes);
		json_key_int(j, "result_bytes", k->result_bytes);
		json_key_num(j, "times", k->times);
		json_key_num(j, "wire_bytes", k->wire_bytes);
		json_key_num(j, "seconds", k->seconds);
		json_key_z(j, "algorithm", k->algorithm);
		json_key_bool(j, "crosses_nodes", k->far);
		if (op_loc(k->o))
			text_member(j, mem, "source", source_text, op_loc(k->o));
		report_origin_members(r->origin_of.ptr[i], mem, j);
		json_end(j);
	}
	json_end(j);
}

static void json_operations(json *j, arena *mem, const report *r)
{
	json_key_arr(j, "operations");
	for (int i = 0; i < r->operations.len; i++) {
		const op_group *g = &r->operations.ptr[i];
		json_obj(j);
		json_key_str(j, "op", str_of(op_name(g->first)));
		report_operation_members(g, mem, j);
		if (op_loc(g->first))
			text_member(j, mem, "source", source_text, op_loc(g->first));
		json_end(j);
	}
	json_end(j);
}

static void json_communication(json *j, const report *r)
{
	const costs *c = &r->costs;
	json_key_obj(j, "communication");
	json_key_num(j, "wire_bytes", c->comm_bytes);
	json_key_num(j, "seconds", c->comm_seconds);
	json_key_int(j, "collectives", c->collectives.len);
	json_key_int(j, "merged_collectives", c->collectives.len - r->in.n_merged);
	json_end(j);
}

static void json_step_time(json *j, const target *t, const step_time *s)
{
	json_key_obj(j, "step");
	json_key_num(j, "serial_seconds", s->serial_seconds);
	json_key_num(j, "overlapped_seconds", s->overlapped_seconds);
	json_key_arr(j, "range_seconds");
	json_num(j, step_range(s).least);
	json_num(j, step_range(s).most);
	json_end(j);
	json_key_num(j, "exposed_communication_seconds", s->exposed_communication_seconds);
	json_key_num(j, "prefetched_bytes", s->prefetched_bytes);
	json_key_num(j, "mfu", s->mfu);
	json_key_z(j, "bound", bound_word(t, s->bound));
	json_end(j);
}

static void json_traffic(json *j, const report *r)
{
	json_key_arr(j, "traffic");
	for (int i = 0; i < r->traffic.len; i++) {
		const axis_traffic *t = &r->traffic.ptr[i];
		json_obj(j);
		json_key_z(j, "axes", t->axes);
		json_key_int(j, "collectives", t->count);
		json_key_num(j, "runs", t->runs);
		json_key_num(j, "wire_bytes", t->wire_bytes);
		json_key_num(j, "seconds", t->seconds);
		json_end(j);
	}
	json_end(j);
}

static void json_waste(json *j, arena *mem, const report *r)
{
	json_key_arr(j, "replicated");
	for (int i = 0; i < r->replicated.len; i++) {
		const replicated_tensor *t = &r->replicated.ptr[i];
		json_obj(j);
		value_members(j, mem, t->v, value_sharding(r->in.global, t->v));
		json_key_int(j, "bytes", t->bytes);
		json_key_int(j, "copies", t->copies);
		json_key_int(j, "waste", t->waste);
		json_end(j);
	}
	json_end(j);
	json_key_arr(j, "padded");
	for (int i = 0; i < r->padded.len; i++) {
		const padded_tensor *t = &r->padded.ptr[i];
		json_obj(j);
		value_members(j, mem, t->v, value_sharding(r->in.global, t->v));
		json_key_int(j, "dimension", t->dim);
		json_key_int(j, "size", t->size);
		json_key_int(j, "shards", t->shards);
		json_key_int(j, "waste", t->waste);
		json_end(j);
	}
	json_end(j);
}

void report_members(const report *r, bool lists, json *out)
{
	const costs *c = &r->costs;
	const mesh *m = r->in.mesh;
	arena *mem = &r->in.local->ctx->scratch;
	json j = *out;
	json_key_z(&j, "title", r->in.title);
	json_key_bool(&j, "partitioned", program_came_partitioned(r->in.global)); /* when given */
	json_key_z(&j, "reshards", r->in.as_shardy ? "sdy" : "cost");
	json_key_z(&j, "target", c->target->name);
	json_key_num(&j, "target_memory", c->target->memory_bytes);
	json_key_int(&j, "devices", r->n_devices);
	json_key_obj(&j, "mesh");
	for (int i = 0; m && i < m->n_axes; i++)
		json_key_int(&j, m->axes[i].name->s, m->axes[i].size);
	json_end(&j);
	json_mesh_list(&j, &r->in.meshes);
	json_key_obj(&j, "memory");
	json_memory(&j, mem, r, false, lists);
	json_key_obj(&j, "host");
	json_memory(&j, mem, r, true, lists);
	json_end(&j);
	json_end(&j);
	json_key_obj(&j, "work");
	json_key_num(&j, "flops", c->total.flops);
	json_key_num(&j, "bytes", c->total.bytes);
	json_key_num(&j, "unfused_bytes", c->unfused_bytes);
	json_key_num(&j, "compute_seconds", c->compute_seconds);
	json_key_num(&j, "memory_seconds", c->memory_seconds);
	json_key_int(&j, "unknown_loops", c->unknown_loops);
	json_key_int(&j, "custom_calls", c->custom_calls);
	json_end(&j);
	json_step_time(&j, c->target, &c->step);
	json_traffic(&j, r);
	json_communication(&j, r);
	*out = j;
}

void report_json(const report *r, writer *w)
{
	arena *mem = &r->in.local->ctx->scratch;
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	report_members(r, true, &j);
	if (r->in.advice)
		advice_members(r->in.advice, mem, &j);
	json_collectives(&j, mem, r);
	json_operations(&j, mem, r);
	json_waste(&j, mem, r);
	json_end(&j);
	put_c(w, '\n');
}
