/* flat.h - FlatBuffers, as far as jax.export's artifacts need them; internal to bytecode/export.
 *
 * The first number of the file is the position of the root table. A table starts with the distance
 * back to its list of fields; that list has its own size, the table's size, and the offset of each
 * field in the table, 0 if absent. Texts, lists and tables are given by the distance forward to
 * them. Source: FlatBuffers, "Internals".
 *
 * After an error, everything reads as absent, so that no step needs a check. */
#ifndef TESS_BYTECODE_EXPORT_FLAT_H
#define TESS_BYTECODE_EXPORT_FLAT_H

#include "bytecode/bytecode.h"

typedef struct flat {
	const unsigned char *p;
	size_t len;
	bool failed;
	size_t wrong; /* position of the first error */
} flat;

uint64_t flat_number(flat *f, size_t at, int bytes);
/* Return the value of a field; 0 or empty if it is absent. */
uint64_t flat_value(flat *f, size_t table, int i, int bytes);
size_t flat_table(flat *f, size_t table, int i);
tess_str flat_text(flat *f, size_t table, int i);

/* A field that is a list of items of equal size. */
typedef struct flat_list {
	size_t first;
	uint64_t n;
	int bytes;
} flat_list;
flat_list flat_list_of(flat *f, size_t table, int i, int bytes);
uint64_t flat_list_number(flat *f, const flat_list *l, uint64_t k);
/* Return item k of a list of tables, or of texts. */
size_t flat_list_table(flat *f, const flat_list *l, uint64_t k);
tess_str flat_list_text(flat *f, const flat_list *l, uint64_t k);

/* The table of a program: the fields that both files of the folder use. */
enum { EXPORT_NAME = 1, EXPORT_PLATFORMS = 9, EXPORT_MODULE = 13, EXPORT_VJP = 17 };
/* Returns the table of the derivative of some order; 0: of the function itself. */
size_t export_table(flat *f, int order);

#endif
