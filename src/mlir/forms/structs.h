/* structs.h - structured attributes, such as #stablehlo.gather<…>.
 *
 * Each has a row with its fields, in printing order, and their kinds. All fields are stored, even
 * those that the text leaves out (an empty list, zero), so that attributes are equal if they mean
 * the same. */
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
	bool optional; /* it has no default and may be absent */
} struct_field;

typedef struct struct_row {
	const char *name;
	bool omit_empty; /* do not print empty lists and zeros */
	struct_field fields[10];
	bool tight;      /* no spaces around '=' */
} struct_row;

/* NULL: there is no such struct. */
const struct_row *struct_row_of(tess_str name);
int struct_fields(const struct_row *row); /* their number */
/* The dimension numbers of convolutions, in their raw spelling. */
extern const struct_row struct_conv_row;

#endif
