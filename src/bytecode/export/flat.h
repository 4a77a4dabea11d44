/* flat.h - FlatBuffers, as far as jax.export's artifacts need them.  Private to the folder.
 *
 * The first number of the file says where the root table is.  A table begins with how far before it
 * its list of fields is; that list has its size, the table's, and where in the table each field is, 0
 * for one that is not there.  Texts, lists and tables are given by how far behind they are.  Source:
 * FlatBuffers, "Internals".
 *
 * After an error everything is absent, so that no step needs a check. */
#ifndef TESS_BYTECODE_EXPORT_FLAT_H
#define TESS_BYTECODE_EXPORT_FLAT_H

#include "bytecode/bytecode.h"

typedef struct flat {
	const unsigned char *p;
	size_t len;
	bool failed;
	size_t wrong; /* where the first error is */
} flat;

uint64_t flat_number(flat *f, size_t at, int bytes);
/* What the number at `at` points to; 0: outside of the file. */
size_t flat_follow(flat *f, size_t at);
/* Where field `i` of a table is; 0: it has none. */
size_t flat_field(flat *f, size_t table, int i);
/* Values of fields; 0 and empty for those that are not there. */
uint64_t flat_value(flat *f, size_t table, int i, int bytes);
size_t flat_table(flat *f, size_t table, int i);
tess_str flat_text(flat *f, size_t table, int i);

/* A field that is a list of items of so many bytes. */
typedef struct flat_list {
	size_t first;
	uint64_t n;
	int bytes;
} flat_list;
flat_list flat_list_of(flat *f, size_t table, int i, int bytes);
uint64_t flat_list_number(flat *f, const flat_list *l, uint64_t k);
/* Of a list of tables, of texts. */
size_t flat_list_table(flat *f, const flat_list *l, uint64_t k);
tess_str flat_list_text(flat *f, const flat_list *l, uint64_t k);

/* The table of a program: fields that both files of the folder need. */
enum { EXPORT_NAME = 1, EXPORT_PLATFORMS = 9, EXPORT_MODULE = 13, EXPORT_VJP = 17 };
/* That of the derivative of some order, 0: of the function. */
size_t export_table(flat *f, int order);

#endif
