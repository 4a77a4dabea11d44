/* structs.h - structured attributes, #stablehlo.gather<…> and its like.
 *
 * Each is a row: its fields in the order of printing and the kind of each.  All
 * fields are kept, also those that the text leaves out (an empty list, zero), so
 * that equal meaning is equal attributes. */
#ifndef TESS_MLIR_FORMS_STRUCTS_H
#define TESS_MLIR_FORMS_STRUCTS_H

#include "mlir/mlir.h"

typedef enum struct_field_kind {
	SF_END,
	SF_LIST,  /* [1, 2] */
	SF_INT,
	SF_BOOL,
	SF_TYPE,
	SF_STRING,
	SF_FLOAT,
	SF_ATTR,
	SF_AXES,  /* [#stablehlo.axis_ref<…>], the elements printed without their name */
	SF_SUB_AXIS, /* (1)2 */
} struct_field_kind;

typedef struct struct_field {
	const char *name;
	struct_field_kind kind;
	bool optional; /* no default: absent */
} struct_field;

typedef struct struct_row {
	const char *name;
	bool omit_empty; /* printing leaves out empty lists and zeros */
	struct_field fields[10];
	bool tight;      /* no spaces around '=' */
} struct_row;

/* NULL: no such struct. */
const struct_row *struct_row_of(tess_str name);
int struct_fields(const struct_row *row); /* how many */
/* The dimension numbers of convolutions, for the raw spelling. */
extern const struct_row struct_conv_row;

#endif
