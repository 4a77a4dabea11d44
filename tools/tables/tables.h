/* tables.h - what is made from the tables of operations and passes. */
#ifndef TABLES_H
#define TABLES_H

#include "op/op.h"

/* The i-th word of a list "lhs rhs", "inputs* token"; false: no more. */
typedef struct word {
	char text[64];
	bool many; /* name*: any number of them */
} word;
bool word_at(const char *words, int i, word *out);
int word_count(const char *words);

/* All ops, by name within their dialect. */
int kinds_by_name(int *kinds);
const char *dialect_of(int kind, size_t *len);
const char *name_text(int known);

void write_docs(FILE *f);
void write_passes(FILE *f);
void write_dictionary(FILE *f);

#endif
