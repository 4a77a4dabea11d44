/* resources.c - writes the blobs that attributes refer to by number: those of the text's {-#
 * dialect_resources: { builtin: { name: "0x…" } } #-}.
 *
 * The first four bytes of such a text are the alignment of the blob. */
#include "bytecode/write/write.h"

enum { HEAD = 10 /* "0x" and four bytes */, MOST_ALIGNED = 1 << 16 };

static const attr *resources_of(const module *m)
{
	for (int i = 0; i < m->resources.n; i++) {
		const named_attr *a = &m->resources.ptr[i];
		if (!strcmp(a->name->s, "dialect_resources") && a->value->kind == AT_DICT &&
		    a->value->n && a->value->list[0]->kind == AT_DICT)
			return a->value->list[0];
	}
	return NULL;
}

void resources_init(encoder *e)
{
	e->resources = resources_of(e->m);
	for (int i = 0; e->resources && i < e->resources->n; i++)
		*ptr_map_at(&e->resource_numbers, e->mem, e->resources->names[i]) =
			(void *)((uintptr_t)i + 1);
}

int64_t resource_number_of(coder *c, const name *n)
{
	const encoder *e = c->user;
	return (int64_t)(uintptr_t)ptr_map_get(&e->resource_numbers, n) - 1;
}

static unsigned char hex_byte(const char *s)
{
	int v = 0;
	for (int i = 0; i < 2; i++) {
		int letter = s[i] | 32;
		v = v << 4 | (s[i] >= '0' && s[i] <= '9'       ? s[i] - '0'
		              : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
		                                               : 0);
	}
	return (unsigned char)v;
}

/* Returns 1 if the blob need not be aligned, or if the text does not say how. */
static size_t alignment_of(tess_str s)
{
	uint32_t n = 0;
	for (int i = 0; s.len >= HEAD && i < 4; i++)
		n |= (uint32_t)hex_byte(s.ptr + 2 + 2 * i) << (8 * i);
	return n && n <= MOST_ALIGNED && !(n & (n - 1)) ? n : 1;
}

void put_padding(writer *w, size_t from, size_t alignment)
{
	while ((w->len - from) % alignment)
		put_c(w, (char)0xCB);
}

/* Returns the blob's alignment. */
static size_t put_blob(writer *w, const attr *a)
{
	tess_str s = a->kind == AT_STRING ? name_str(a->text) : (tess_str){0};
	size_t n = s.len > HEAD ? (s.len - HEAD) / 2 : 0, alignment = alignment_of(s);
	put_number(w, alignment);
	put_number(w, n);
	put_padding(w, 0, alignment);
	for (size_t i = 0; i < n; i++)
		put_c(w, (char)hex_byte(s.ptr + HEAD + 2 * i));
	return alignment;
}

size_t resources_write(encoder *e, writer *offsets, writer *data)
{
	const attr *list = e->resources;
	size_t most = 1;
	put_number(offsets, 0); /* number of external groups */
	if (!list)
		return most;
	put_number(offsets, dialect_number(e, STR("builtin")));
	put_number(offsets, (uint64_t)list->n);
	for (int i = 0; i < list->n; i++) {
		size_t from = data->len, alignment = put_blob(data, list->list[i]);
		most = alignment > most ? alignment : most;
		put_number(offsets, string_number_of(e, list->names[i]));
		put_number(offsets, data->len - from);
		put_c(offsets, 0);
	}
	return most;
}
