/* fields.h - attributes of instructions and operations: the table fields.def and its kinds of
 * fields. Internal to hlo/convert. */
#ifndef TESS_HLO_CONVERT_FIELDS_H
#define TESS_HLO_CONVERT_FIELDS_H

#include "hlo/convert/raise.h"
#include "hlo/convert/sink.h"

typedef struct hlo_field hlo_field;

/* How one kind of attribute is converted in each direction: by its value, or, if an attribute of
 * one side corresponds to several of the other, by functions that set and write all of them. */
typedef struct hlo_field_kind {
	/* Returns StableHLO's value for the instruction's attribute; NULL: none. */
	const attr *(*value)(hlo_raiser *r, const hlo_field *f, const op *from);
	/* Writes ", key=value"; `a` is NULL if StableHLO has no such attribute. */
	void (*put)(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a);
	/* Return false if the instruction, or operation, has no counterpart. */
	bool (*raise)(hlo_raiser *r, const hlo_field *f, const op *from, op *to);
	bool (*sink)(hlo_sinker *l, const hlo_field *f, const op *o);
} hlo_field_kind;

struct hlo_field {
	const hlo_field_kind *kind; /* NULL: end of the list */
	const char *hlo;            /* attribute name in HLO */
	int to[3];                  /* attribute names in StableHLO, N_… */
	const char *word;           /* a default, prefix or name: see fields.def */
	int region;
	const hlo_field *members; /* for a struct */
};

/* numbers, words, lists (fields_plain.c) */
extern const hlo_field_kind field_ints, field_one, field_int, field_i32, field_real,
        field_flag, field_true, field_unit, field_string, field_word, field_lower, field_precision,
        field_pairs, field_struct, field_comparison, field_largest, field_stable;
/* slices, windows, products (fields_window.c) */
extern const hlo_field_kind field_slices, field_padding, field_window, field_convolution,
        field_vectors, field_algorithm;
/* computations, collectives, custom calls (fields_call.c) */
extern const hlo_field_kind field_region, field_groups, field_channel, field_split, field_layouts,
        field_aliases, field_called, field_call_literal, field_config;

#define FIELDS(name, ...) extern const hlo_field fields_##name[];
#include "hlo/convert/fields.def"
#undef FIELDS

/* Sets the attributes and regions of `to`; false if the instruction has no counterpart. */
bool raise_fields(hlo_raiser *r, const hlo_field *fields, const op *from, op *to);
/* Writes ", key=value" for each attribute of the instruction; false if it has no counterpart. */
bool sink_fields(hlo_sinker *l, const hlo_field *fields, const op *o);
/* Returns the number of regions of the operation. */
int fields_regions(const hlo_field *fields);

#endif
