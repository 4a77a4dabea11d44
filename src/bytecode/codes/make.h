/* make.h - declares the functions that the rows of codes.def name. */
#ifndef TESS_BYTECODE_CODES_MAKE_H
#define TESS_BYTECODE_CODES_MAKE_H

#include "bytecode/codes/codes.h"

#define ATTR(d, number, from, k, letters, how, n1, n2)                                             \
	make_attr_fn codes_make_##how;                                                                   \
	take_attr_fn codes_take_##how;
#define TYPE(d, number, from, k, letters, how, n1, n2)                                             \
	make_type_fn codes_make_##how;                                                                   \
	take_type_fn codes_take_##how;
#define READ_ATTR(d, number, k, letters, how) make_attr_fn codes_make_##how;
#define READ_TYPE(d, number, k, letters, how, n1) make_type_fn codes_make_##how;
#define PLAIN(...)
#include "bytecode/codes/codes.def"
make_type_fn codes_make_plain_type;
take_type_fn codes_take_plain_type;

/* ---- shared helpers (attrs.c) --------------------------------------------------------------- */

static inline field field_attr(const attr *a) { return (field){.present = a != NULL, .a = a}; }
static inline field field_type(const type *t) { return (field){.present = true, .t = t}; }
static inline field field_name(const name *n) { return (field){.present = true, .name = n}; }
static inline field field_int(int64_t v) { return (field){.present = true, .i = v}; }
static inline field field_list(const attr *const *list, int n)
{
	return (field){.present = true, .n = n, .list = list};
}
static inline field field_ints(const int64_t *v, int64_t n)
{
	return (field){.present = true, .n = n, .ints = v};
}
/* Returns false, and reports it, if an item of the list is not of that kind (and struct name). */
bool list_is(coder *c, const field *f, attr_kind kind, const char *name);
/* The same for a single attribute. */
bool attr_is(coder *c, const attr *a, attr_kind kind, const char *name);
/* Returns the number in field i of a struct; its row has made the fields in order. */
static inline int64_t struct_int(const attr *a, int i) { return a->list[i]->i; }

#endif
