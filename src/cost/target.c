/* target.c - the table of machines, and tables that users write.
 *
 * A user's table has one machine per line, `name key=value …`. '#' starts a comment, and a
 * backslash at the end of a line continues it. `like=` copies another machine, of this table or of
 * targets.def; what follows overrides its values:
 *
 *     mybox    flops_f32=60e12 flops_bf16=900e12 memory=80e9 memory_bandwidth=3e12 \
 *              link=450e9 latency=3e-6 node=8 far=50e9 far_latency=8e-6
 *     myslow   like=h100x8 far=12.5e9
 */
#include "cost/calibrate.h"

#include <stdlib.h>

static const target targets[] = {
#define TARGET(...) {__VA_ARGS__},
#include "cost/targets.def"
#undef TARGET
};

int target_count(void) { return COUNT(targets); }
const target *target_at(int i) { return &targets[i]; }

const target *target_named(const char *wanted)
{
	for (int i = 0; i < COUNT(targets); i++)
		if (!strcmp(targets[i].name, wanted))
			return &targets[i];
	return NULL;
}

target target_with(const target *t, int64_t devices)
{
	target out = *t;
	if (!t->node_devices || t->node_devices > devices)
		out.node_devices = devices;
	if (!t->torus_axes)
		return out;
	for (out.torus_extent = 1; true; out.torus_extent++) {
		double all = 1;
		for (int64_t i = 0; i < t->torus_axes; i++)
			all *= (double)(out.torus_extent + 1);
		if (all > (double)out.node_devices)
			return out;
	}
}

target target_shared(const target *t, int64_t devices)
{
	target out = *t;
	out.turn_seconds = 0;
	if (!t->cores || devices <= t->cores)
		return out;
	double turns = (double)devices / (double)t->cores;
	double *const rates[] = {&out.flops_f32,        &out.flops_bf16,     &out.flops_f32_default,
	                         &out.flops_f32_high,   &out.flops_8bit,     &out.flops_vector,
	                         &out.memory_bandwidth, &out.link_bandwidth, &out.far_bandwidth,
	                         &out.relayout_bandwidth, &out.cache_bandwidth};
	double *const times[] = {&out.launch_seconds, &out.link_latency, &out.link_floor,
	                         &out.far_latency, &out.far_floor};
	for (int i = 0; i < COUNT(rates); i++)
		*rates[i] /= turns;
	for (int i = 0; i < COUNT(times); i++)
		*times[i] *= turns;
	out.turn_seconds = turns * t->turn_seconds;
	out.link_floor += out.turn_seconds;
	out.far_floor += out.turn_seconds;
	return out;
}

double memory_share_of_nearest(const target *t)
{
	bool cached = t->cache_bytes > 0 && t->cache_bandwidth > t->memory_bandwidth;
	return cached ? t->memory_bandwidth / t->cache_bandwidth : 1;
}

/* Looks among the first n rows. */
static const target *target_in(const target_vec *rows, int n, const char *wanted)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(rows->ptr[i].name, wanted))
			return &rows->ptr[i];
	return NULL;
}

/* ---- users' tables ---------------------------------------------------------------- */

/* A key that is missing in a row gets the value of `otherwise`, or of `like`. */
typedef struct target_key {
	const char *key;
	size_t field;
	enum { NEEDED, OTHERWISE, AS_F32, AS_BF16, AS_LATENCY, AS_FAR_LATENCY } without;
	double otherwise;
} target_key;

static const target_key target_keys[] = {
    {"flops_f32", offsetof(target, flops_f32), NEEDED, 0},
    {"flops_bf16", offsetof(target, flops_bf16), NEEDED, 0},
    {"memory", offsetof(target, memory_bytes), NEEDED, 0},
    {"memory_bandwidth", offsetof(target, memory_bandwidth), NEEDED, 0},
    {"link", offsetof(target, link_bandwidth), NEEDED, 0},
    {"latency", offsetof(target, link_latency), NEEDED, 0},
    {"far", offsetof(target, far_bandwidth), NEEDED, 0},
    {"far_latency", offsetof(target, far_latency), NEEDED, 0},
    {"flops_f32_default", offsetof(target, flops_f32_default), AS_F32, 0},
    {"flops_f32_high", offsetof(target, flops_f32_high), AS_F32, 0},
    {"flops_8bit", offsetof(target, flops_8bit), AS_BF16, 0},
    {"flops_vector", offsetof(target, flops_vector), AS_F32, 0},
    {"product_efficiency", offsetof(target, product_efficiency), OTHERWISE, 0.75},
    {"memory_efficiency", offsetof(target, memory_efficiency), OTHERWISE, 0.85},
    {"link_efficiency", offsetof(target, link_efficiency), OTHERWISE, 0.8},
    {"far_efficiency", offsetof(target, far_efficiency), OTHERWISE, 0.85},
    {"launch", offsetof(target, launch_seconds), OTHERWISE, 2.5e-6},
    {"floor", offsetof(target, link_floor), AS_LATENCY, 0},
    {"far_floor", offsetof(target, far_floor), AS_FAR_LATENCY, 0},
    {"contention", offsetof(target, contention), OTHERWISE, 0.3},
    {"prefetch", offsetof(target, prefetch_bytes), OTHERWISE, 2e9},
    {"relayout", offsetof(target, relayout_bandwidth), OTHERWISE, 0},
    {"turn", offsetof(target, turn_seconds), OTHERWISE, 0},
    {"cache", offsetof(target, cache_bytes), OTHERWISE, 0},
    {"cache_bandwidth", offsetof(target, cache_bandwidth), OTHERWISE, 0},
};

static double field_of(const target *t, const target_key *k)
{
	double v;
	memcpy(&v, (const char *)t + k->field, sizeof v);
	return v;
}

static double value_without(const target *t, const target_key *k)
{
	switch (k->without) {
	case AS_F32: return t->flops_f32;
	case AS_BF16: return t->flops_bf16;
	case AS_LATENCY: return t->link_latency;
	case AS_FAR_LATENCY: return t->far_latency;
	case NEEDED:
	case OTHERWISE: break;
	}
	return k->otherwise;
}

/* Returns the place of the integer that has this key; NULL: it is not the key of an integer. */
static int64_t *target_integer(target *t, const char *key)
{
	return !strcmp(key, "node")           ? &t->node_devices
	       : !strcmp(key, "torus_axes")   ? &t->torus_axes
	       : !strcmp(key, "torus_extent") ? &t->torus_extent
	       : !strcmp(key, "processors")   ? &t->processors
	       : !strcmp(key, "cores")        ? &t->cores
	                                      : NULL;
}

tess_str table_word(tess_str text, size_t *at, bool *line_end)
{
	size_t i = *at;
	*line_end = false;
	for (; i < text.len; i++) {
		char c = text.ptr[i];
		if (c == '\\' && i + 1 < text.len && text.ptr[i + 1] == '\n') {
			i++;
		} else if (c == '#') {
			while (i + 1 < text.len && text.ptr[i + 1] != '\n')
				i++;
		} else if (c == '\n') {
			*line_end = true;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			break;
		}
	}
	size_t begin = i;
	while (i < text.len && !strchr(" \t\r\n#", text.ptr[i]))
		i++;
	*at = i;
	return (tess_str){text.ptr + begin, i - begin};
}

typedef struct target_reader {
	tess_ctx *ctx;
	arena *mem;
	target_vec *rows;
	place start; /* of the current row */
	int n_keys;  /* number of keys that it has so far */
	bool ok;
} target_reader;

static target *last_row(const target_reader *r) { return &r->rows->ptr[r->rows->len - 1]; }

static bool be_like(target_reader *r, const char *other, place at)
{
	target *t = last_row(r);
	const target *from = target_in(r->rows, r->rows->len - 1, other);
	if (!from)
		from = target_named(other);
	if (!from)
		return diag_error(r->ctx, at, E_TARGET, "there is no target '%s' to be like",
		                  other);
	if (r->n_keys > 1)
		return diag_error(r->ctx, at, E_TARGET, "like= comes first, what differs after it");
	const char *name = t->name, *about = t->about;
	*t = *from;
	t->name = name;
	t->about = about;
	return true;
}

static bool set_number(target_reader *r, const char *key, const char *text, place at)
{
	target *t = last_row(r);
	char *end;
	double v = strtod(text, &end);
	if (*end || !(v > 0) || !(v < 1e30))
		return diag_error(r->ctx, at, E_TARGET,
		                  "'%s' wants a positive number in SI units, 80e9, found '%s'", key,
		                  text);
	int64_t *integer = target_integer(t, key);
	if (integer) {
		*integer = v < 1e15 ? (int64_t)v : 0;
		return true;
	}
	for (int i = 0; i < COUNT(target_keys); i++)
		if (!strcmp(key, target_keys[i].key)) {
			memcpy((char *)t + target_keys[i].field, &v, sizeof v);
			return true;
		}
	writer w;
	writer_init(&w, r->mem);
	for (int i = 0; i < COUNT(target_keys); i++)
		put_f(&w, ", %s", target_keys[i].key);
	return diag_error(r->ctx, at, E_TARGET,
	                  "unknown key '%s'; the keys are like, node, processors, cores, torus_axes, torus_extent%s",
	                  key, writer_z(&w));
}

static bool set_key(target_reader *r, tess_str word, place at)
{
	const char *eq = memchr(word.ptr, '=', word.len);
	if (!eq)
		return diag_error(r->ctx, at, E_TARGET, "expected key=value, found '%.*s'",
		                  STR_ARG(word));
	size_t n = (size_t)(eq - word.ptr);
	r->n_keys++;
	const char *key = arena_str(r->mem, (tess_str){word.ptr, n}).ptr;
	const char *value = arena_str(r->mem, (tess_str){eq + 1, word.len - n - 1}).ptr;
	return strcmp(key, "like") ? set_number(r, key, value, at) : be_like(r, value, at);
}

/* Fills in what the row does not say. */
static bool row_is_complete(target_reader *r)
{
	target *t = last_row(r);
	for (int i = 0; i < COUNT(target_keys); i++) {
		const target_key *k = &target_keys[i];
		double v = value_without(t, k);
		if (field_of(t, k) > 0)
			continue;
		if (k->without == NEEDED)
			return diag_error(r->ctx, r->start, E_TARGET, "target '%s' lacks %s=",
			                  t->name, k->key);
		memcpy((char *)t + k->field, &v, sizeof v);
	}
	return true;
}

static void begin_row(target_reader *r, tess_str word, place at)
{
	const char *name = arena_str(r->mem, word).ptr;
	if (memchr(word.ptr, '=', word.len))
		r->ok = diag_error(r->ctx, at, E_TARGET, "expected a name, found '%s'", name);
	else if (target_in(r->rows, r->rows->len, name))
		r->ok = diag_error(r->ctx, at, E_TARGET, "there are two targets '%s'", name);
	vec_push(r->mem, r->rows, (target){.name = name, .about = ""});
	r->start = at;
	r->n_keys = 0;
}

bool target_parse(tess_ctx *ctx, source *src, arena *mem, target_vec *out)
{
	target_reader r = {.ctx = ctx, .mem = mem, .rows = out, .ok = true};
	bool begun = false, fresh;
	size_t at = 0;
	while (r.ok) {
		tess_str w = table_word(src->text, &at, &fresh);
		place here = {src, (uint32_t)(at - w.len), (uint32_t)at};
		if (begun && (fresh || !w.len))
			r.ok = row_is_complete(&r);
		if (!w.len || !r.ok)
			break;
		if (fresh || !begun)
			begin_row(&r, w, here);
		else
			r.ok = set_key(&r, w, here);
		begun = true;
	}
	if (r.ok && at < src->text.len) /* no word starts with this character */
		r.ok = diag_error(ctx, (place){src, (uint32_t)at, (uint32_t)at + 1}, E_TARGET,
		                  "a table of targets is text; found a zero byte");
	return r.ok;
}
