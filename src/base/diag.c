/* diag.c - diagnostics with locations.
 *
 * A diagnostic copies its source line when it is created, so that it outlives the text. Only the
 * first opts.max_errors errors are kept; further ones are counted. */
#include "base/base.h"

source *source_new(tess_ctx *ctx, const char *name, tess_str text)
{
	source *s = NEW(&ctx->perm, source);
	s->name = arena_str(&ctx->perm, str_of(name ? name : "")).ptr;
	s->text = text;
	s->first_line = 1;
	s->next = ctx->sources;
	ctx->sources = s;
	return s;
}

static void find_lines(tess_ctx *ctx, source *s)
{
	const char *begin = s->text.ptr, *at = begin, *end = begin + s->text.len;
	uint32_t n = 1;
	for (; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
		n++;
	s->line_starts = NEW_N(&ctx->perm, uint32_t, n);
	s->n_lines = n;
	at = begin;
	for (n = 1; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
		s->line_starts[n++] = (uint32_t)(at - begin) + 1;
}

/* Returns the index of the line with byte `at`. */
static uint32_t line_index(tess_ctx *ctx, source *s, uint32_t at)
{
	if (!s->line_starts)
		find_lines(ctx, s);
	uint32_t lo = 0, hi = s->n_lines;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (s->line_starts[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void place_line_col(tess_ctx *ctx, place p, uint32_t *line, uint32_t *col)
{
	*line = *col = 0;
	if (!p.src || p.src->binary)
		return;
	uint32_t i = line_index(ctx, p.src, p.begin);
	*line = i + p.src->first_line;
	*col = p.begin - p.src->line_starts[i] + 1;
}

/* Returns the end of the line that starts at `begin`. */
static uint32_t line_end(const source *s, uint32_t begin)
{
	const char *from = s->text.ptr + begin;
	const char *end = begin < s->text.len ? memchr(from, '\n', s->text.len - begin) : NULL;
	const char *cr;
	if (!end)
		end = s->text.ptr + s->text.len;
	cr = end > from ? memchr(from, '\r', (size_t)(end - from)) : NULL;
	return (uint32_t)((cr ? cr : end) - s->text.ptr);
}

static void fill_place(tess_ctx *ctx, diag *d, place at)
{
	d->file = "";
	if (!at.src)
		return;
	d->file = arena_str(&ctx->diag_mem, str_of(at.src->name)).ptr; /* maybe of another ctx */
	if (at.src->binary)
		return;
	place_line_col(ctx, at, &d->line, &d->col);
	if (at.op) {
		uint32_t col;
		place_line_col(ctx, (place){at.src, at.op - 1, at.op}, &d->op_line, &col);
	}
	const source *s = at.src;
	uint32_t begin = at.begin - (d->col - 1), end = line_end(s, begin);
	uint32_t stop = at.end > end ? end : at.end;
	d->end_col = stop > at.begin ? d->col + (stop - at.begin) : d->col + 1;
	/* A line may have megabytes: keep the part around the place. */
	enum { KEEP = 400 };
	if (end - begin <= 2 * KEEP)
		d->line_text = arena_str(&ctx->diag_mem,
		                         (tess_str){s->text.ptr + begin, end - begin});
}

/* "E0213"; "" for notes. */
static const char *diag_label(tess_ctx *ctx, tess_severity severity, diag_code code)
{
	if (!code)
		return "";
	char *label = arena_alloc(&ctx->diag_mem, 6);
	label[0] = severity == TESS_SEVERITY_ERROR ? 'E' : 'W';
	for (int i = 4, rest = (int)code; i > 0; i--, rest /= 10)
		label[i] = (char)('0' + rest % 10);
	label[5] = 0;
	return label;
}

/* Returns the message; for a binary file, with the byte offset. */
static tess_str diag_text(tess_ctx *ctx, place at, const char *fmt, va_list ap)
{
	char few[256], where[32] = "";
	va_list again;
	va_copy(again, ap);
	if (at.src && at.src->binary)
		snprintf(where, sizeof where, "at byte %" PRIu64 ": ", at.begin + at.src->skipped);
	size_t before = strlen(where), n = (size_t)vsnprintf(few, sizeof few, fmt, ap);
	char *text = arena_alloc(&ctx->diag_mem, before + n + 1);
	memcpy(text, where, before);
	if (n < sizeof few)
		memcpy(text + before, few, n + 1);
	else
		vsnprintf(text + before, n + 1, fmt, again);
	va_end(again);
	return (tess_str){text, before + n};
}

static void diag_add(tess_ctx *ctx, tess_severity severity, place at, diag_code code,
                     const char *fmt, va_list ap)
{
	if (severity == TESS_SEVERITY_ERROR)
		ctx->n_errors++;
	if (ctx->n_errors > (int)ctx->opts.max_errors)
		return;
	diag d = {.severity = severity, .code = code, .label = diag_label(ctx, severity, code),
	          .message = diag_text(ctx, at, fmt, ap)};
	fill_place(ctx, &d, at);
	vec_push(&ctx->diag_mem, &ctx->diags, d);
}

#define DIAG_FN(fn, severity)                                                                      \
	bool fn(tess_ctx *ctx, place at, diag_code code, const char *fmt, ...)                     \
	{                                                                                          \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		diag_add(ctx, severity, at, code, fmt, ap);                                        \
		va_end(ap);                                                                        \
		return false;                                                                      \
	}
DIAG_FN(diag_error, TESS_SEVERITY_ERROR)
DIAG_FN(diag_warn, TESS_SEVERITY_WARNING)
DIAG_FN(diag_remark, TESS_SEVERITY_REMARK)

bool diag_first(tess_ctx *ctx, diag_code code)
{
	ASSERT((unsigned)code < 64u * (unsigned)COUNT(ctx->diags_said));
	uint64_t *said = &ctx->diags_said[(unsigned)code / 64],
		 bit = (uint64_t)1 << (unsigned)code % 64;
	bool first = !(*said & bit);
	*said |= bit;
	return first;
}

void diag_note(tess_ctx *ctx, place at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	diag_add(ctx, TESS_SEVERITY_NOTE, at, 0, fmt, ap);
	va_end(ap);
}

void diags_copy(tess_ctx *ctx, const tess_ctx *from)
{
	for (int i = 0; i < from->diags.len; i++) {
		diag d = from->diags.ptr[i];
		if (d.severity == TESS_SEVERITY_ERROR)
			ctx->n_errors++;
		if (ctx->n_errors > (int)ctx->opts.max_errors)
			return;
		d.label = arena_str(&ctx->diag_mem, str_of(d.label)).ptr;
		d.file = arena_str(&ctx->diag_mem, str_of(d.file)).ptr;
		d.message = arena_str(&ctx->diag_mem, d.message);
		d.line_text = arena_str(&ctx->diag_mem, d.line_text);
		vec_push(&ctx->diag_mem, &ctx->diags, d);
	}
}

int diag_count(const tess_ctx *ctx) { return ctx->diags.len; }
const diag *diag_at(const tess_ctx *ctx, int i) { return &ctx->diags.ptr[i]; }
int diag_errors(const tess_ctx *ctx) { return ctx->n_errors; }

bool diag_is_kept(const tess_ctx *ctx)
{
	return ctx->n_errors < (int)ctx->opts.max_errors;
}

diag_mark diag_here(const tess_ctx *ctx)
{
	return (diag_mark){ctx->diags.len, ctx->n_errors};
}

void diag_back(tess_ctx *ctx, diag_mark mark)
{
	ctx->diags.len = mark.n;
	ctx->n_errors = mark.n_errors;
}

void diag_clear(tess_ctx *ctx)
{
	memset(&ctx->diags, 0, sizeof ctx->diags);
	ctx->n_errors = 0;
	arena_free(&ctx->diag_mem);
}

const char *severity_word(tess_severity s)
{
	switch (s) {
	case TESS_SEVERITY_NOTE: return "note";
	case TESS_SEVERITY_REMARK: return "remark";
	case TESS_SEVERITY_WARNING: return "warning";
	case TESS_SEVERITY_ERROR: return "error";
	}
	return "";
}

static const char *severity_color(tess_severity s)
{
	switch (s) {
	case TESS_SEVERITY_NOTE: return "\033[1;36m";
	case TESS_SEVERITY_REMARK: return "\033[1;34m";
	case TESS_SEVERITY_WARNING: return "\033[1;35m";
	case TESS_SEVERITY_ERROR: return "\033[1;31m";
	}
	return "";
}

/* Input text may contain terminal escapes: control characters are replaced by '?'. */
static void put_for_terminal(writer *w, tess_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		bool obeyed = (c < ' ' && c != '\t' && c != '\n') || c == 0x7f;
		put_c(w, obeyed ? '?' : s.ptr[i]);
	}
}

/* True if the byte at i starts a column, so is not a continuation byte in UTF-8. */
static bool takes_column(const diag *d, uint32_t i)
{
	return i >= d->line_text.len || ((unsigned char)d->line_text.ptr[i] & 0xc0) != 0x80;
}

/* Writes the source line and, below the range, ^~~~. */
static void render_line(writer *w, const diag *d)
{
	put_for_terminal(w, d->line_text);
	put_c(w, '\n');
	for (uint32_t i = 0; i + 1 < d->col; i++)
		if (takes_column(d, i))
			put_c(w, i < d->line_text.len && d->line_text.ptr[i] == '\t' ? '\t' : ' ');
	put_c(w, '^');
	for (uint32_t i = d->col; i + 1 < d->end_col; i++)
		if (takes_column(d, i))
			put_c(w, '~');
	put_c(w, '\n');
}

void diag_render(tess_ctx *ctx, writer *w, bool color)
{
	for (int i = 0; i < ctx->diags.len; i++) {
		const diag *d = &ctx->diags.ptr[i];
		if (d->file[0])
			put_f(w, "%s:", d->file);
		if (d->line)
			put_f(w, "%u:%u:", d->line, d->col);
		if (d->file[0] || d->line)
			put_c(w, ' ');
		if (color)
			put_z(w, severity_color(d->severity));
		put_z(w, severity_word(d->severity));
		if (d->code)
			put_f(w, "[%s]", d->label);
		put_z(w, ": ");
		if (color)
			put_z(w, "\033[0m");
		put_for_terminal(w, d->message);
		put_c(w, '\n');
		if (d->line_text.ptr && d->line_text.len)
			render_line(w, d);
	}
	if (ctx->n_errors > (int)ctx->opts.max_errors)
		put_f(w, "%d more errors not shown\n", ctx->n_errors - (int)ctx->opts.max_errors);
}
