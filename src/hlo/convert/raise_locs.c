/* raise_locs.c - locations of instructions, from their metadata and the module's tables of stack
 * frames.
 *
 *   metadata={op_name="jit(f)/tanh" source_file="f.py" source_line=4 stack_frame_id=7}
 *
 * becomes a name location around the frames, nested as call sites, as JAX writes it in MLIR. */
#include "hlo/convert/raise.h"

typedef struct frame_place {
	int64_t file, line, column;
} frame_place;

typedef struct frame_entry {
	int64_t at, parent; /* counted from 1; 0: none */
} frame_entry;

struct hlo_frames {
	VEC(const name *) files;
	VEC(frame_place) places;
	VEC(frame_entry) frames;
};

/* Reads word=3 … up to the brace, and stores the number of each requested word. */
static void read_frame_numbers(hlo_reader *r, const char *const *words, int64_t *const *to, int n)
{
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		int i = 0;
		while (i < n && !hlo_accept_word(r, words[i]))
			i++;
		if (i == n) {
			hlo_unexpected(r, words[0]);
			return;
		}
		hlo_expect(r, "=");
		int64_t v = hlo_integer(r);
		if (to[i])
			*to[i] = v;
	}
}

static void read_place(hlo_reader *r, frame_place *p)
{
	static const char *const words[] = {"file_name_id", "function_name_id", "line", "end_line",
	                                    "column", "end_column"};
	int64_t *const to[] = {&p->file, NULL, &p->line, NULL, &p->column, NULL};
	read_frame_numbers(r, words, to, COUNT(words));
}

/* The text counts parents from 1, where 1 means none. */
static void read_frame(hlo_reader *r, frame_entry *f)
{
	static const char *const words[] = {"file_location_id", "parent_frame_id"};
	int64_t *const to[] = {&f->at, &f->parent};
	read_frame_numbers(r, words, to, COUNT(words));
	f->parent--;
}

static bool at_line(hlo_reader *r)
{
	bool more = !r->s.failed && hlo_peek(r) >= '0' && hlo_peek(r) <= '9';
	if (more)
		hlo_integer(r);
	return more;
}

hlo_frames *raise_frames(tess_ctx *ctx, arena *mem, tess_str text)
{
	hlo_frames *f = NEW(mem, hlo_frames);
	source src = {.name = "", .text = text, .first_line = 1};
	hlo_reader r = hlo_reader_of(ctx, &src);
	r.mem = mem;
	hlo_accept_word(&r, "FileNames");
	while (at_line(&r))
		vec_push(mem, &f->files, name_of(ctx, hlo_string(&r)));
	hlo_accept_word(&r, "FunctionNames");
	while (at_line(&r))
		hlo_string(&r);
	hlo_accept_word(&r, "FileLocations");
	while (at_line(&r)) {
		frame_place p = {0};
		read_place(&r, &p);
		vec_push(mem, &f->places, p);
	}
	hlo_accept_word(&r, "StackFrames");
	while (at_line(&r)) {
		frame_entry e = {0};
		read_frame(&r, &e);
		vec_push(mem, &f->frames, e);
	}
	return f;
}

/* ---- locations -------------------------------------------------------------------------------- */

static const attr *line_loc(tess_ctx *ctx, const name *file, int64_t line, int64_t column)
{
	int64_t at[4] = {line, column};
	return attr_of(ctx, &(attr){.kind = AT_LOC_FILE, .text = file, .ints = at, .n_ints = 4});
}

static const attr *frame_loc(const hlo_raiser *r, int64_t frame)
{
	const hlo_frames *f = r->frames;
	const frame_entry *e = &f->frames.ptr[frame - 1];
	if (e->at < 1 || e->at > f->places.len)
		return NULL;
	const frame_place *p = &f->places.ptr[e->at - 1];
	if (p->file < 1 || p->file > f->files.len)
		return NULL;
	return line_loc(r->ctx, f->files.ptr[p->file - 1], p->line, p->column);
}

/* Returns the location of a frame with its callers, of which it limits the number. */
static const attr *stack_loc(const hlo_raiser *r, int64_t frame)
{
	enum { MOST = 64 };
	const attr *stack[MOST], *all = NULL;
	int n = 0;
	while (r->frames && frame >= 1 && frame <= r->frames->frames.len && n < MOST) {
		const attr *one = frame_loc(r, frame);
		if (one)
			stack[n++] = one;
		frame = r->frames->frames.ptr[frame - 1].parent;
	}
	while (n-- > 0) {
		const attr *pair[] = {stack[n], all};
		all = all ? attr_of(r->ctx, &(attr){.kind = AT_LOC_CALLSITE, .list = pair, .n = 2})
		          : stack[n];
	}
	return all;
}

typedef struct hlo_origin {
	tess_str op, file;
	int64_t line, frame;
} hlo_origin;

/* Reads the metadata of an instruction, whose syntax the parser has checked. */
static hlo_origin read_origin(const hlo_raiser *r, const op *o)
{
	hlo_origin from = {0};
	tess_str text = hlo_attr_text(o, r->ctx, "metadata");
	if (!text.len)
		return from;
	source src = {.name = "", .text = text, .first_line = 1};
	hlo_reader s = hlo_reader_of(r->ctx, &src);
	s.mem = r->mem;
	hlo_expect(&s, "{");
	while (!s.s.failed && !hlo_accept(&s, "}")) {
		tess_str *to = hlo_accept_word(&s, "op_name")       ? &from.op
		               : hlo_accept_word(&s, "source_file") ? &from.file
		                                                    : NULL;
		int64_t *number = to                                    ? NULL
		                  : hlo_accept_word(&s, "source_line")    ? &from.line
		                  : hlo_accept_word(&s, "stack_frame_id") ? &from.frame
		                                                          : NULL;
		if (!to && !number)
			hlo_name(&s);
		hlo_expect(&s, "=");
		if (hlo_peek(&s) == '"') {
			tess_str v = hlo_string(&s);
			if (to)
				*to = v;
		} else if (hlo_peek(&s) == '{') {
			hlo_braces(&s);
		} else {
			int64_t v = hlo_integer(&s);
			if (number)
				*number = v;
		}
	}
	return from;
}

const attr *raise_loc(hlo_raiser *r, const op *o)
{
	attr a = {.kind = AT_LOC_NAME, .text = value_given_name(result(o, 0))};
	hlo_origin from = r->facts ? read_origin(r, o) : (hlo_origin){0};
	const attr *at = stack_loc(r, from.frame);
	if (!at && from.file.len && from.line > 0)
		at = line_loc(r->ctx, name_of(r->ctx, from.file), from.line, 0);
	if (from.op.len)
		a.text = name_of(r->ctx, from.op);
	if (at) {
		a.list = &at;
		a.n = 1;
	}
	return attr_of(r->ctx, &a);
}
