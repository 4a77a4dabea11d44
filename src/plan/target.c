/* target.c - the table of machines, and tables that users write.
 *
 * A user's table has one machine a line, `name key=value …`, '#' begins a comment:
 *
 *     mybox  flops_f32=60e12 flops_bf16=900e12 memory=80e9 memory_bandwidth=3e12 \
 *            link=450e9 latency=3e-6 node=8 far=50e9 far_latency=8e-6
 */
#include "plan/plan.h"

#include <stdlib.h>

static const target targets[] = {
#define TARGET(...) {__VA_ARGS__},
#include "plan/targets.def"
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

/* ---- users' tables ---------------------------------------------------------------- */

typedef struct target_key {
	const char *key;
	size_t field;
} target_key;

static const target_key target_keys[] = {
    {"flops_f32", offsetof(target, flops_f32)},
    {"flops_bf16", offsetof(target, flops_bf16)},
    {"memory", offsetof(target, memory_bytes)},
    {"memory_bandwidth", offsetof(target, memory_bandwidth)},
    {"link", offsetof(target, link_bandwidth)},
    {"latency", offsetof(target, link_latency)},
    {"far", offsetof(target, far_bandwidth)},
    {"far_latency", offsetof(target, far_latency)},
};

/* The next word of the text: no blanks, '\\' + newline counts as a blank. */
static tess_str next_word(tess_str text, size_t *at, bool *line_end)
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

static bool set_key(tess_ctx *ctx, target *t, tess_str word, place at)
{
	char buf[64];
	const char *eq = memchr(word.ptr, '=', word.len);
	if (!eq || word.len >= sizeof buf)
		return diag_error(ctx, at, E_TARGET, "expected key=value, found '%.*s'",
		                  STR_ARG(word));
	memcpy(buf, word.ptr, word.len);
	buf[word.len] = 0;
	buf[eq - word.ptr] = 0;
	char *end;
	double v = strtod(buf + (eq - word.ptr) + 1, &end);
	if (*end || !(v > 0))
		return diag_error(ctx, at, E_TARGET, "'%s' wants a positive number", buf);
	if (!strcmp(buf, "node")) {
		t->node_devices = (int64_t)v;
		return true;
	}
	for (int i = 0; i < COUNT(target_keys); i++)
		if (!strcmp(buf, target_keys[i].key)) {
			memcpy((char *)t + target_keys[i].field, &v, sizeof v);
			return true;
		}
	return diag_error(ctx, at, E_TARGET, "unknown key '%s' of a target", buf);
}

static bool complete(tess_ctx *ctx, const target *t, place at)
{
	for (int i = 0; i < COUNT(target_keys); i++) {
		double v;
		memcpy(&v, (const char *)t + target_keys[i].field, sizeof v);
		if (v <= 0)
			return diag_error(ctx, at, E_TARGET, "target '%s' lacks %s=", t->name,
			                  target_keys[i].key);
	}
	return true;
}

bool target_parse(tess_ctx *ctx, source *src, arena *mem, target_vec *out)
{
	bool ok = true, line_end = true, fresh;
	target *t = NULL;
	place start = NOWHERE;
	for (size_t at = 0;;) {
		tess_str w = next_word(src->text, &at, &fresh);
		place here = {src, (uint32_t)(at - w.len), (uint32_t)at};
		if (t && (fresh || !w.len))
			ok &= complete(ctx, t, start);
		if (!w.len)
			return ok;
		if (fresh || line_end) {
			vec_push(mem, out, (target){.name = arena_str(mem, w).ptr, .about = ""});
			t = &out->ptr[out->len - 1];
			start = here;
			line_end = false;
		} else {
			ok &= set_key(ctx, t, w, here);
		}
	}
}
