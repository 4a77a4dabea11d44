/* print.c - prints shapes as XLA does. */
#include "hlo/shape/shape.h"

static void print_numbers(writer *w, const int64_t *v, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_c(w, ',');
		if (v[i] == TILE_MERGE)
			put_c(w, '*');
		else
			put_int(w, v[i]);
	}
}

/* Name(number) */
static void print_part(writer *w, const char *name, int64_t v)
{
	put_z(w, name);
	put_c(w, '(');
	put_int(w, v);
	put_c(w, ')');
}

static void print_type_part(writer *w, char name, dtype t)
{
	if (!t)
		return;
	put_c(w, name);
	put_c(w, '(');
	put_z(w, dtype_hlo(t));
	put_c(w, ')');
}

static void print_tiles(writer *w, const layout *l)
{
	if (l->n_tiles)
		put_c(w, 'T');
	for (int i = 0; i < l->n_tiles; i++) {
		put_c(w, '(');
		print_numbers(w, l->tiles[i].dims, l->tiles[i].rank);
		put_c(w, ')');
	}
}

static void print_splits(writer *w, const layout *l)
{
	if (l->n_splits)
		put_lit(w, "SC");
	for (int i = 0; i < l->n_splits; i++) {
		put_c(w, '(');
		put_int(w, l->splits[i].dim);
		put_c(w, ':');
		print_numbers(w, l->splits[i].at, l->splits[i].n);
		put_c(w, ')');
	}
}

/* Parts with their default value are left out. */
static void print_parts(writer *w, const layout *l)
{
	print_tiles(w, l);
	if (l->tail != 1)
		print_part(w, "L", l->tail);
	print_type_part(w, '#', l->index_type);
	print_type_part(w, '*', l->pointer_type);
	if (l->element_bits)
		print_part(w, "E", l->element_bits);
	if (l->memory_space)
		print_part(w, "S", l->memory_space);
	print_splits(w, l);
	if (l->metadata)
		print_part(w, "M", l->metadata);
}

static bool layout_has_parts(const layout *l)
{
	return l->n_tiles || l->n_splits || l->tail != 1 || l->element_bits || l->memory_space ||
	       l->metadata || l->index_type || l->pointer_type;
}

void layout_print(writer *w, const layout *l)
{
	put_c(w, '{');
	for (int i = 0; i < l->rank; i++) {
		if (i)
			put_c(w, ',');
		put_int(w, l->minor_to_major[i]);
	}
	if (layout_has_parts(l)) {
		put_c(w, ':');
		print_parts(w, l);
	}
	put_c(w, '}');
}

static void print_array(writer *w, const shape *s, unsigned flags)
{
	put_z(w, dtype_hlo(s->dtype));
	put_c(w, '[');
	for (int i = 0; i < s->rank; i++) {
		if (i)
			put_c(w, ',');
		if (s->dims[i] == DIM_UNBOUNDED) {
			put_c(w, '?');
			continue;
		}
		if (s->dynamic[i])
			put_lit(w, "<=");
		put_int(w, s->dims[i]);
	}
	put_c(w, ']');
	if ((flags & SHAPE_WITH_LAYOUT) && (s->rank || layout_has_parts(s->layout)))
		layout_print(w, s->layout);
}

/* Every fifth part of a tuple has its number in a comment. */
static void print_tuple(writer *w, const shape *s, unsigned flags)
{
	put_c(w, '(');
	for (int i = 0; i < s->n_parts; i++) {
		if (i)
			put_lit(w, ", ");
		if (i && i % 5 == 0)
			put_f(w, "/*index=%d*/", i);
		shape_print(w, s->parts[i], flags);
	}
	put_c(w, ')');
}

void shape_print(writer *w, const shape *s, unsigned flags)
{
	switch (s->kind) {
	case SH_ARRAY: print_array(w, s, flags); return;
	case SH_TUPLE: print_tuple(w, s, flags); return;
	case SH_TOKEN: put_lit(w, "token[]"); return;
	case SH_OPAQUE: put_lit(w, "opaque[]"); return;
	case SH_BUFFER:
		put_lit(w, "b(");
		shape_print(w, s->parts[0], flags);
		put_c(w, ')');
		return;
	}
}
