/* source.c - where ops come from in the user's program, as people read it. */
#include "ir/ir.h"

/* Called for the frames of a location, innermost first, until it returns true. */
typedef bool frame_visit(void *user, const attr *file);

static bool visit_frames(const attr *loc, int depth, frame_visit *visit, void *user)
{
	if (!loc || depth > 100)
		return false;
	switch (loc->kind) {
	case AT_LOC_FILE: return visit(user, loc);
	case AT_LOC_CALLSITE: /* the callee, then its caller */
		for (int i = 0; i < loc->n; i++)
			if (visit_frames(loc->list[i], depth + 1, visit, user))
				return true;
		return false;
	case AT_LOC_NAME:
	case AT_LOC_FUSED: return loc->n && visit_frames(loc->list[0], depth + 1, visit, user);
	default: return false;
	}
}

static bool has_part(const char *path, const char *const *parts, int n)
{
	for (int i = 0; i < n; i++)
		if (strstr(path, parts[i]))
			return true;
	return false;
}

/* True if a file is of tessera's Python package, which has called the user's function. */
static bool is_of_tessera(const char *path)
{
	static const char *const parts[] = {"/site-packages/tessera/", "/python/tessera/"};
	return has_part(path, parts, COUNT(parts));
}

/* True if a file is of an installed library or of Python itself. */
static bool is_library_file(const char *path)
{
	static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3",
	                                    "<frozen ", "<__"};
	return has_part(path, parts, COUNT(parts)) || is_of_tessera(path);
}

typedef struct frame_search {
	const attr *innermost, *own;
} frame_search;

static bool find_own_frame(void *user, const attr *file)
{
	frame_search *s = user;
	if (!s->innermost)
		s->innermost = file;
	if (!is_library_file(file->text->s))
		s->own = file;
	return s->own;
}

const attr *source_file(const attr *loc)
{
	frame_search s = {0};
	visit_frames(loc, 0, find_own_frame, &s);
	return s.own ? s.own : s.innermost;
}

/* "model.py:31" */
static void put_file_line(writer *w, const attr *file)
{
	const char *slash = strrchr(file->text->s, '/');
	put_f(w, "%s:%" PRId64, slash ? slash + 1 : file->text->s, file->ints[0]);
}

typedef struct stack_writer {
	writer *w;
	int n;
	const attr *last;
} stack_writer;

/* A line shared by successive frames is written once. */
static bool put_frame_of_stack(void *user, const attr *file)
{
	stack_writer *s = user;
	if (is_of_tessera(file->text->s) ||
	    (s->last && s->last->text == file->text && s->last->ints[0] == file->ints[0]))
		return false;
	put_z(s->w, s->n++ ? " < " : "");
	put_file_line(s->w, file);
	s->last = file;
	return false;
}

bool put_stack(writer *w, const attr *loc)
{
	stack_writer s = {.w = w};
	size_t at = w->len;
	visit_frames(loc, 0, put_frame_of_stack, &s);
	if (s.n < 2)
		w->len = at;
	return s.n > 1;
}

typedef struct own_frames {
	const attr **ptr;
	int n, most;
} own_frames;

static bool note_own_frame(void *user, const attr *file)
{
	own_frames *s = user;
	if (!is_library_file(file->text->s) && (!s->n || s->ptr[s->n - 1] != file))
		s->ptr[s->n++] = file;
	return s->n == s->most;
}

int source_own_frames(const attr *loc, const attr **out, int most)
{
	own_frames s = {.ptr = out, .most = most};
	visit_frames(loc, 0, note_own_frame, &s);
	return s.n;
}

const name *source_name(const attr *loc)
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

bool source_runs_backwards(const attr *loc)
{
	const name *n = source_name(loc);
	return n && strstr(n->s, "transpose(");
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

static bool put_source_with(writer *w, const attr *loc, void (*put_name)(writer *, const name *))
{
	const attr *file = source_file(loc);
	const name *n = source_name(loc);
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
	const name *n = source_name(loc);
	const char *slash = n ? strchr(n->s, '/') : NULL;
	return slash ? slash + 1 : NULL;
}

/* ---- operations of JAX that are lowered as several ------------------------------------------
 *
 * What JAX decomposes, "ragged_dot_general", and what it lowers in place, "remat2", becomes
 * operations with a traceback of their own that is called from the whole's: callsite(own at whole).
 * Constants among these operations have the name and the traceback of the whole. So a product of
 * ragged_dot_general inside of jax.checkpoint is
 *
 *   "jit(f)/checkpoint/dot_general"(callsite(callsite(own at ragged) at remat))
 *
 * and a constant before it is "jit(f)/checkpoint/ragged_dot_general"(callsite(ragged at remat)). */

static bool is_callsite(const attr *at) { return at && at->kind == AT_LOC_CALLSITE && at->n > 1; }

/* What the names of a location stand for. A frame has a name, too. */
static const attr *traceback_of(const attr *loc)
{
	while (loc && loc->kind == AT_LOC_NAME && loc->n && loc->list[0]->kind != AT_LOC_FILE)
		loc = loc->list[0];
	return loc;
}

static const attr *innermost_frame(const attr *at)
{
	while (is_callsite(at))
		at = at->list[0];
	return at;
}

/* Mostly, the whole's own frame is the first of a part. */
static bool has_frame_twice(const attr *at)
{
	for (; is_callsite(at); at = at->list[0])
		if (innermost_frame(at->list[0]) == innermost_frame(at->list[1]))
			return true;
	return false;
}

/* True if `at` is called from `whole`. */
static bool is_part_of(const attr *at, const attr *whole)
{
	return is_callsite(at) &&
	       (at->list[1] == whole || (is_callsite(whole) && at->list[1] == whole->list[1] &&
	                                 is_part_of(at->list[0], whole->list[0])));
}

static bool is_lowered_in_place(const char *path)
{
	static const char *const names[] = {"remat2", "checkpoint", "custom_jvp_call",
	                                    "custom_vjp_call"};
	const char *slash = strrchr(path, '/');
	for (int i = 0; i < COUNT(names); i++)
		if (!strcmp(slash ? slash + 1 : path, names[i]))
			return true;
	return false;
}

/* True if the names around an operation, "jvp(norm)/" of "jvp(norm)/mul", are around another, too.
 */
static bool is_beside(const char *path, const char *other)
{
	const char *end = strrchr(path, '/');
	return !end || !strncmp(path, other, (size_t)(end + 1 - path));
}

/* Returns the constant that names the operation which `o` is a part of, or NULL. */
static const op *constant_of_whole(const op *o)
{
	const attr *at = traceback_of(op_loc(o));
	if (!is_callsite(at))
		return NULL;
	for (const op *before = o->prev; before; before = before->prev) {
		const attr *loc = op_loc(before), *there = traceback_of(loc);
		if (there != at->list[1] && !(is_callsite(there) && there->list[1] == at->list[1]))
			return NULL;
		const char *path = before->n_operands ? NULL : source_path(loc);
		if (path && is_part_of(at, there) && is_beside(path, source_path(op_loc(o))))
			return before;
	}
	return NULL;
}

static bool is_read_in(const op *o, const attr *whole)
{
	for (int i = 0; i < o->n_results; i++)
		for (const use *u = o->results[i].uses; u; u = u->next)
			if (is_part_of(traceback_of(op_loc(u->owner)), whole))
				return true;
	return false;
}

const char *source_equation(const op *o)
{
	const char *path = source_path(op_loc(o));
	const op *whole = path ? constant_of_whole(o) : NULL;
	if (!whole)
		return has_frame_twice(traceback_of(op_loc(o))) ? NULL : path;
	const char *name = source_path(op_loc(whole));
	if (is_lowered_in_place(name) ||
	    !strcmp(name, path)) /* gather may have a gather as a part */
		return path;
	return is_read_in(o, traceback_of(op_loc(whole))) ? NULL : name;
}
