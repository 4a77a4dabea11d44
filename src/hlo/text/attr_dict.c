/* attr_dict.c - parses attributes that are dictionaries: frontend_attributes, metadata.
 *
 *   dictionary ::= '{' (key '=' (string | braces)),… '}'
 *   metadata   ::= '{' (word '=' (string | integer | braces))* '}' */
#include "hlo/text/text.h"

#include <stdlib.h>

typedef struct dict_entry {
	tess_str key, value; /* as printed */
} dict_entry;

static int compare_keys(const void *a, const void *b)
{
	return str_cmp(((const dict_entry *)a)->key, ((const dict_entry *)b)->key);
}

/* '{' (key '=' (string | braces)),… '}', sorted by key */
const attr *hlo_read_dictionary(hlo_reader *r)
{
	VEC(dict_entry) v = {0};
	writer w;
	hlo_expect(r, "{");
	if (!hlo_accept(r, "}")) {
		do {
			dict_entry e = {.key = hlo_word(r)};
			if (!e.key.len)
				hlo_unexpected(r, "the name of an attribute");
			hlo_expect(r, "=");
			if (hlo_peek(r) == '{') {
				e.value = hlo_braces(r);
			} else {
				writer_init(&w, r->mem);
				hlo_put_quoted(&w, hlo_string(r));
				e.value = writer_str(&w);
			}
			vec_push(r->mem, &v, e);
		} while (hlo_accept(r, ","));
		hlo_expect(r, "}");
	}
	if (v.len)
		qsort(v.ptr, (size_t)v.len, sizeof *v.ptr, compare_keys);
	writer_init(&w, r->mem);
	put_c(&w, '{');
	for (int i = 0; i < v.len; i++) {
		if (i)
			put_c(&w, ',');
		put_str(&w, v.ptr[i].key);
		put_c(&w, '=');
		put_str(&w, v.ptr[i].value);
	}
	put_c(&w, '}');
	return hlo_written_attr(r, &w);
}

const hlo_metadata_word hlo_metadata_words[] = {
	{"op_type", 1, true}, {"op_name", 2, true}, {"source_file", 3, true},
	{"source_line", 4, false}, {"source_end_line", 17, false}, {"source_column", 18, false},
	{"source_end_column", 19, false}, {"profile_type", 0, false},
	{"deduplicated_name", 12, true}, {"metadata_payload", 0, true},
	{"stack_frame_id", 15, false}, {"scheduling_name", 16, true}, {NULL, 0, false},
};

static tess_str read_metadata_value(hlo_reader *r)
{
	writer w;
	if (hlo_peek(r) == '{')
		return hlo_braces(r);
	writer_init(&w, r->mem);
	if (hlo_peek(r) == '"')
		hlo_put_quoted(&w, hlo_string(r));
	else
		put_int(&w, hlo_integer(r));
	return writer_str(&w);
}

/* '{' (word '=' value)* '}'. A stack frame is dropped if there is no table of frames. */
const attr *hlo_read_metadata(hlo_reader *r)
{
	enum { METADATA_WORDS = COUNT(hlo_metadata_words) - 1 };
	tess_str values[METADATA_WORDS] = {0};
	writer w;
	hlo_expect(r, "{");
	while (!r->s.failed && !hlo_accept(r, "}")) {
		int i = 0;
		while (i < METADATA_WORDS && !hlo_accept_word(r, hlo_metadata_words[i].word))
			i++;
		if (i == METADATA_WORDS)
			hlo_unexpected(r,
			               "op_type, op_name, source_file or another word of metadata");
		else if (values[i].ptr)
			hlo_unexpected(r, "each word of metadata once");
		hlo_expect(r, "=");
		tess_str v = read_metadata_value(r);
		if (!r->s.failed &&
		    (r->has_frames || strcmp(hlo_metadata_words[i].word, "stack_frame_id") != 0))
			values[i] = v;
		hlo_accept(r, ",");
	}
	writer_init(&w, r->mem);
	for (int i = 0; i < METADATA_WORDS; i++)
		if (values[i].ptr) {
			put_f(&w, "%c%s=", w.len ? ' ' : '{', hlo_metadata_words[i].word);
			put_str(&w, values[i]);
		}
	if (!w.len)
		return NULL;
	put_c(&w, '}');
	return hlo_written_attr(r, &w);
}
