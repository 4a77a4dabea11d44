/* source.c - where values and operations come from in the user's program, for people. */
#include "ir/ir.h"

const attr *source_file(const attr *loc)
{
	for (int depth = 0; loc && depth < 100; depth++)
		switch (loc->kind) {
		case AT_LOC_FILE: return loc;
		case AT_LOC_NAME:
		case AT_LOC_CALLSITE:
		case AT_LOC_FUSED: loc = loc->n ? loc->list[0] : NULL; break;
		default: return NULL;
		}
	return NULL;
}

/* The outermost name that is no file: JAX's "jit(f)/layer/dot_general". */
static const name *loc_name(const attr *loc)
{
	for (int depth = 0; loc && depth < 100; depth++)
		switch (loc->kind) {
		case AT_LOC_NAME: return loc->text;
		case AT_LOC_CALLSITE:
		case AT_LOC_FUSED: loc = loc->n ? loc->list[0] : NULL; break;
		default: return NULL;
		}
	return NULL;
}

static void put_loc_name(writer *w, const name *n) { put_z(w, n->s); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* "layer_3.w1" as "layer_*.w1". */
static void put_loc_name_alike(writer *w, const name *n)
{
	const char *c = n->s;
	while (*c) {
		const char *end = c;
		while (is_digit(*end))
			end++;
		bool alone = end > c && (c == n->s || strchr("_[./ ", c[-1])) &&
		             (!*end || strchr("_]./ )('", *end));
		if (alone) {
			put_c(w, '*');
			c = end;
			continue;
		}
		do {
			put_c(w, *c++);
		} while (is_digit(*c) && is_digit(c[-1]));
	}
}

/* "model.py:31" */
static void put_file_line(writer *w, const attr *file)
{
	const char *slash = strrchr(file->text->s, '/');
	put_f(w, "%s:%" PRId64, slash ? slash + 1 : file->text->s, file->ints[0]);
}

static bool put_source_with(writer *w, const attr *loc, void (*put_name)(writer *, const name *))
{
	const attr *file = source_file(loc);
	const name *n = loc_name(loc);
	if (file)
		put_file_line(w, file);
	if (n) {
		put_z(w, file ? " (" : "");
		put_name(w, n);
		put_z(w, file ? ")" : "");
	}
	return file || n;
}

bool put_source(writer *w, const attr *loc) { return put_source_with(w, loc, put_loc_name); }

bool put_source_alike(writer *w, const attr *loc)
{
	return put_source_with(w, loc, put_loc_name_alike);
}

const name *source_alike(arena *mem, const attr *loc)
{
	writer w;
	writer_init(&w, mem);
	return put_source_alike(&w, loc) ? name_of(mem->ctx, writer_str(&w)) : NULL;
}

bool put_source_line(writer *w, const attr *loc)
{
	const attr *file = source_file(loc);
	if (!file)
		return put_source(w, loc);
	put_file_line(w, file);
	return true;
}

const char *source_path(const attr *loc)
{
	const name *n = loc_name(loc);
	const char *slash = n ? strchr(n->s, '/') : NULL;
	return slash ? slash + 1 : NULL;
}

static const attr *innermost_frame(const attr *loc)
{
	while (loc && loc->kind == AT_LOC_CALLSITE && loc->n)
		loc = loc->list[0];
	return loc;
}

bool source_is_part(const attr *loc)
{
	while (loc && loc->kind == AT_LOC_NAME && loc->n && loc->list[0]->kind != AT_LOC_FILE)
		loc = loc->list[0];
	return loc && loc->kind == AT_LOC_CALLSITE && loc->n > 1 &&
	       innermost_frame(loc->list[0]) == innermost_frame(loc->list[1]);
}
