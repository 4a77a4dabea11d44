/* lint_out.c - writes findings as text, JSON and SARIF. */
#include "report/lint.h"
#include "report/words.h"

static const char *severity_name(lint_severity s)
{
	static const char *const words[] = {"note", "warning", "error"};
	return words[s];
}

static void put_place(writer *w, const finding *f)
{
	uint32_t line = 0, col = 0;
	if (f->more ? put_source_alike(w, f->loc) : put_source(w, f->loc)) {
		put_lit(w, ": ");
	} else if (f->at.src && !f->at.src->binary) {
		place_line_col(w->mem->ctx, f->at, &line, &col);
		put_f(w, "%s:%u:%u: ", f->at.src->name, line, col);
	}
}

void lint_text(const finding_list *l, writer *w, bool color)
{
	static const char *const colors[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
	for (int i = 0; i < l->len; i++) {
		const finding *f = &l->ptr[i];
		lint_severity s = lint_severity_of(f->kind);
		put_place(w, f);
		put_f(w, "%s%s[%s]%s: %s", color ? colors[s] : "", severity_name(s),
		      lint_code(f->kind), color ? "\033[0m" : "", f->text);
		if (f->bytes) {
			put_lit(w, " (");
			put_bytes(w, (double)f->bytes);
			if (f->more)
				put_f(w, " in %d places", f->more + 1);
			put_lit(w, ")");
		}
		put_f(w, "\n    %s\n", f->advice);
	}
	put_f(w, l->len ? "%d finding%s\n" : "nothing found\n", l->len, l->len == 1 ? "" : "s");
}

static const char *source_words(arena *mem, const finding *f)
{
	writer w;
	writer_init(&w, mem);
	put_source(&w, f->loc);
	return writer_z(&w);
}

void lint_members(const finding_list *l, arena *mem, json *j)
{
	json_key_arr(j, "findings");
	for (int i = 0; i < l->len; i++) {
		const finding *f = &l->ptr[i];
		uint32_t line = 0, col = 0;
		if (f->at.src)
			place_line_col(mem->ctx, f->at, &line, &col);
		json_obj(j);
		json_key_z(j, "code", lint_code(f->kind));
		json_key_z(j, "title", lint_title(f->kind));
		json_key_z(j, "severity", severity_name(lint_severity_of(f->kind)));
		json_key_z(j, "message", f->text);
		json_key_z(j, "advice", f->advice);
		json_key_int(j, "bytes", f->bytes);
		json_key_int(j, "more", f->more);
		if (f->collective)
			json_key_int(j, "collective", f->collective - 1);
		json_key_int(j, "line", line);
		json_key_z(j, "source", source_words(mem, f));
		json_end(j);
	}
	json_end(j);
}

void lint_json(const finding_list *l, arena *mem, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	lint_members(l, mem, &j);
	json_end(&j);
	put_c(w, '\n');
}

/* ---- SARIF 2.1.0 ---------------------------------------------------------------------- */

static void sarif_rules(json *j)
{
	json_key_arr(j, "rules");
	for (int k = 0; k < LINT_KINDS; k++) {
		json_obj(j);
		json_key_z(j, "id", lint_code((lint_kind)k));
		json_key_obj(j, "shortDescription");
		json_key_z(j, "text", lint_title((lint_kind)k));
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

/* Encodes a path as a relative or absolute URI reference (RFC 3986, 2.1 and 2.3). */
static const char *uri_of(arena *mem, const char *path)
{
	writer w;
	writer_init(&w, mem);
	for (const char *at = path; *at; at++) {
		bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
		             (*at >= '0' && *at <= '9') || strchr("/-._~", *at);
		put_f(&w, plain ? "%c" : "%%%02X", (unsigned char)*at);
	}
	return writer_z(&w);
}

static void sarif_location(json *j, const char *uri, int64_t line, int64_t col)
{
	json_key_obj(j, "physicalLocation");
	json_key_obj(j, "artifactLocation");
	json_key_z(j, "uri", uri);
	json_end(j);
	json_key_obj(j, "region");
	json_key_int(j, "startLine", max_i64(line, 1));
	json_key_int(j, "startColumn", max_i64(col, 1));
	json_end(j);
	json_end(j);
}

/* Writes the user's source line, if it is known, and the line in the program text. */
static void sarif_locations(json *j, const finding *f, const char *file, arena *mem)
{
	const attr *source = source_file(f->loc);
	uint32_t line = 1, col = 1;
	if (f->at.src && !f->at.src->binary)
		place_line_col(mem->ctx, f->at, &line, &col);
	json_key_arr(j, "locations");
	json_obj(j);
	if (source)
		sarif_location(j, uri_of(mem, source->text->s), source->ints[0], source->ints[1]);
	else
		sarif_location(j, uri_of(mem, file), line, col);
	json_end(j);
	json_end(j);
	if (!source)
		return;
	json_key_arr(j, "relatedLocations");
	json_obj(j);
	sarif_location(j, uri_of(mem, file), line, col);
	json_key_obj(j, "message");
	json_key_z(j, "text", "the operation in the program");
	json_end(j);
	json_end(j);
	json_end(j);
}

static void sarif_result(json *j, const finding *f, const char *file, arena *mem)
{
	json_obj(j);
	json_key_z(j, "ruleId", lint_code(f->kind));
	json_key_z(j, "level", severity_name(lint_severity_of(f->kind)));
	json_key_obj(j, "message");
	json_key_z(j, "text", arena_printf(mem, "%s; %s", f->text, f->advice));
	json_end(j);
	sarif_locations(j, f, file, mem);
	json_end(j);
}

void lint_sarif(const finding_list *l, const char *file, arena *mem, writer *w)
{
	json j;
	json_init(&j, w, true);
	json_obj(&j);
	json_key_z(&j, "version", "2.1.0");
	json_key_z(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_key_arr(&j, "runs");
	json_obj(&j);
	json_key_obj(&j, "tool");
	json_key_obj(&j, "driver");
	json_key_z(&j, "name", "tess lint");
	sarif_rules(&j);
	json_end(&j);
	json_end(&j);
	json_key_arr(&j, "results");
	for (int i = 0; i < l->len; i++)
		sarif_result(&j, &l->ptr[i], file, mem);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	put_c(w, '\n');
}
