/* frames.c - converts the module's tables of stack frames, StackFrameIndexProto: names of files and
 * functions, places, frames. The IR keeps them as text, lines after the header:
 *
 *   FileLocations
 *   1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=4 end_column=12} */
#include "hlo/proto/proto.h"

typedef struct frame_word {
	const char *word;
	uint32_t field;
} frame_word;

static const struct {
	const char *title;
	frame_word words[7]; /* none: lines are strings */
} tables[] = {
	{"FileNames", {{NULL, 0}}},
	{"FunctionNames", {{NULL, 0}}},
	{"FileLocations",
         {{"file_name_id", 1},
          {"function_name_id", 2},
          {"line", 3},
          {"end_line", 5},
          {"column", 4},
          {"end_column", 6}}},
	{"StackFrames", {{"file_location_id", 1}, {"parent_frame_id", 2}}},
};

/* XLA's text counts parents from 1, its proto from 0. */
static int64_t parent_offset(const frame_word *f)
{
	return strcmp(f->word, "parent_frame_id") == 0;
}

/* ---- reading ---------------------------------------------------------------------- */

static void put_frame_line(const frame_word *f, const wire_message *m, writer *w)
{
	for (const char *before = "{"; f->word; f++, before = " ")
		put_f(w, "%s%s=%" PRId64, before, f->word,
		      (int32_t)wire_int(m, f->field) + parent_offset(f));
	put_c(w, '}');
}

void read_proto_frames(proto_reader *p, const wire_message *m)
{
	writer w;
	bool any = false;
	writer_init(&w, p->mem);
	for (uint32_t t = 0; t < COUNT(tables); t++)
		any |= wire_find(m, t + 1) != NULL;
	for (uint32_t t = 0; t < COUNT(tables) && any; t++) {
		int number = 0;
		put_f(&w, "%s%s\n", w.len ? "\n" : "", tables[t].title);
		for (const wire_field *f = NULL; (f = wire_next(m, t + 1, f));) {
			bool quoted = !tables[t].words[0].word;
			wire_message e = quoted ? (wire_message){0} : wire_read(p, f->bytes);
			put_f(&w, "%d ", ++number);
			if (quoted)
				hlo_put_quoted(&w, f->bytes);
			else
				put_frame_line(tables[t].words, &e, &w);
			put_c(&w, '\n');
		}
	}
	p->r.has_frames = wire_find(m, COUNT(tables));
	if (w.len && !p->r.s.failed)
		hlo_set_header(&p->r, "hlo.frames", writer_str(&w));
}

/* ---- writing ---------------------------------------------------------------------- */

static void put_frame(hlo_reader *r, const frame_word *words, writer *w)
{
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		const frame_word *f = words;
		while (f->word && !hlo_accept_word(r, f->word))
			f++;
		if (!f->word) {
			hlo_unexpected(r, words[0].word);
			return;
		}
		hlo_expect(r, "=");
		wire_put_int(w, f->field, (int32_t)hlo_integer(r) - parent_offset(f));
	}
}

void put_proto_frames(proto_writer *p, writer *w, uint32_t number, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	hlo_reader r = hlo_reader_of(p->ctx, &src);
	writer all = proto_part(p);
	r.mem = p->mem;
	for (uint32_t t = 0; t < COUNT(tables); t++) {
		hlo_accept_word(&r, tables[t].title);
		while (!r.s.failed && hlo_peek(&r) >= '0' && hlo_peek(&r) <= '9') {
			writer line = proto_part(p);
			hlo_integer(&r);
			if (tables[t].words[0].word)
				put_frame(&r, tables[t].words, &line);
			else
				put_str(&line, hlo_string(&r));
			wire_put_bytes(&all, t + 1, writer_str(&line));
		}
	}
	wire_put_bytes(w, number, writer_str(&all));
}
