/* report_json.c - a report for programs.  Bytes, seconds and FLOPs are numbers in
 * SI base units; names are those of the text. */
#include "report/report.h"

typedef void text_fn(writer *w, const void *what);

static void text_member(json *j, arena *mem, const char *key, text_fn *fn, const void *what)
{
	writer w;
	writer_init(&w, mem);
	fn(&w, what);
	json_key(j, key);
	json_str(j, writer_str(&w));
}

static void value_text(writer *w, const void *v) { put_value(w, v); }
static void type_text_short(writer *w, const void *t) { put_type_short(w, t); }
static void sharding_text(writer *w, const void *s) { sharding_print(w, s); }
static void source_text(writer *w, const void *loc) { put_source(w, loc); }

static void int_member(json *j, const char *key, int64_t v)
{
	json_key(j, key);
	json_int(j, v);
}

static void num_member(json *j, const char *key, double v)
{
	json_key(j, key);
	json_num(j, v);
}

static void z_member(json *j, const char *key, const char *v)
{
	json_key(j, key);
	json_z(j, v);
}

static void value_members(json *j, arena *mem, const value *v)
{
	text_member(j, mem, "value", value_text, v);
	text_member(j, mem, "type", type_text_short, v->type);
	if (v->sharding)
		text_member(j, mem, "sharding", sharding_text, v->sharding);
	const attr *loc = v->def ? v->def->loc : v->loc;
	if (loc)
		text_member(j, mem, "source", source_text, loc);
}

static void json_memory(json *j, arena *mem, const memory *m)
{
	static const char *const roles[] = {"argument", "result", "temporary"};
	json_key(j, "memory");
	json_obj(j);
	int_member(j, "peak", m->peak);
	int_member(j, "arguments", m->arguments);
	int_member(j, "results", m->results);
	int_member(j, "donated", m->donated);
	int_member(j, "temporaries_lower", m->temp_lower);
	int_member(j, "temporaries_upper", m->temp_upper);
	json_key(j, "at_peak");
	json_arr(j);
	for (int i = 0; i < m->at_peak.len; i++) {
		const live_tensor *t = &m->at_peak.ptr[i];
		json_obj(j);
		int_member(j, "bytes", t->bytes);
		z_member(j, "role", roles[t->role]);
		value_members(j, mem, t->v);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void json_collectives(json *j, arena *mem, const costs *c)
{
	json_key(j, "collectives");
	json_arr(j);
	for (int i = 0; i < c->collectives.len; i++) {
		const collective *k = &c->collectives.ptr[i];
		json_obj(j);
		int_member(j, "number", i);
		z_member(j, "op", k->o->name->s);
		z_member(j, "axes", k->axes);
		int_member(j, "groups", k->n_groups);
		int_member(j, "group_size", k->group_size);
		int_member(j, "bytes", k->bytes);
		num_member(j, "times", k->times);
		num_member(j, "wire_bytes", k->wire_bytes);
		num_member(j, "seconds", k->seconds);
		json_key(j, "crosses_nodes");
		json_bool(j, k->far);
		if (k->o->loc)
			text_member(j, mem, "source", source_text, k->o->loc);
		json_end(j);
	}
	json_end(j);
	json_key(j, "communication");
	json_obj(j);
	num_member(j, "wire_bytes", c->comm_bytes);
	num_member(j, "seconds", c->comm_seconds);
	json_end(j);
}

static void json_traffic(json *j, const report *r)
{
	json_key(j, "traffic");
	json_arr(j);
	for (int i = 0; i < r->traffic.len; i++) {
		const axis_traffic *t = &r->traffic.ptr[i];
		json_obj(j);
		z_member(j, "axes", t->axes);
		int_member(j, "collectives", t->count);
		num_member(j, "runs", t->runs);
		num_member(j, "wire_bytes", t->wire_bytes);
		num_member(j, "seconds", t->seconds);
		json_end(j);
	}
	json_end(j);
}

static void json_waste(json *j, arena *mem, const report *r)
{
	json_key(j, "replicated");
	json_arr(j);
	for (int i = 0; i < r->replicated.len; i++) {
		const replicated_tensor *t = &r->replicated.ptr[i];
		json_obj(j);
		value_members(j, mem, t->v);
		int_member(j, "bytes", t->bytes);
		int_member(j, "copies", t->copies);
		int_member(j, "waste", t->waste);
		json_end(j);
	}
	json_end(j);
	json_key(j, "padded");
	json_arr(j);
	for (int i = 0; i < r->padded.len; i++) {
		const padded_tensor *t = &r->padded.ptr[i];
		json_obj(j);
		value_members(j, mem, t->v);
		int_member(j, "dimension", t->dim);
		int_member(j, "size", t->size);
		int_member(j, "shards", t->shards);
		int_member(j, "waste", t->waste);
		json_end(j);
	}
	json_end(j);
}

void report_members(const report *r, json *out)
{
	const costs *c = &r->costs;
	const mesh *m = r->in.mesh;
	arena *mem = &r->in.local->ctx->scratch;
	json j = *out;
	z_member(&j, "title", r->in.title);
	z_member(&j, "target", c->target->name);
	num_member(&j, "target_memory", c->target->memory_bytes);
	int_member(&j, "devices", r->n_devices);
	json_key(&j, "mesh");
	json_obj(&j);
	for (int i = 0; m && i < m->n_axes; i++)
		int_member(&j, m->axes[i].name->s, m->axes[i].size);
	json_end(&j);
	json_memory(&j, mem, &c->mem);
	json_key(&j, "work");
	json_obj(&j);
	num_member(&j, "flops", c->total.flops);
	num_member(&j, "bytes", c->total.bytes);
	num_member(&j, "compute_seconds", c->compute_seconds);
	num_member(&j, "memory_seconds", c->memory_seconds);
	int_member(&j, "unknown_loops", c->unknown_loops);
	int_member(&j, "custom_calls", c->custom_calls);
	json_end(&j);
	json_traffic(&j, r);
	json_collectives(&j, mem, c);
	json_waste(&j, mem, r);
	*out = j;
}

void report_json(const report *r, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	report_members(r, &j);
	json_end(&j);
	put_c(w, '\n');
}
