/* structs.c - prints structured attributes (forms/structs.h). */
#include "mlir/forms/structs.h"
#include "mlir/write/write.h"

static const attr *field_named(const attr *a, const char *name)
{
	for (int i = 0; i < a->n; i++)
		if (!strcmp(a->names[i]->s, name))
			return a->list[i];
	return NULL;
}

/* ---- convolutions: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] ------------------------ */

static const char *const conv_fields[] = {
    "input_batch_dimension",         "input_feature_dimension",  "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension",
    "kernel_spatial_dimensions",     "output_batch_dimension",   "output_feature_dimension",
    "output_spatial_dimensions"};
/* Finds what each dimension of one tensor is: a spatial dimension, or -2 and -3 for the two named
 * ones. Returns false if the attributes do not fit together. */
static bool conv_layout(const attr *a, const char *const *fields, int64_t *shown, int64_t *n)
{
	const attr *batch = field_named(a, fields[0]), *feature = field_named(a, fields[1]);
	const attr *spatial = field_named(a, fields[2]);
	if (!batch || !feature || !spatial)
		return false;
	int64_t named[2] = {batch->i, feature->i};
	const int64_t *s = spatial->data;
	*n = spatial->n + 2;
	if (*n > MAX_SPATIAL + 2)
		return false;
	for (int64_t i = 0; i < *n; i++)
		shown[i] = -1;
	for (int64_t i = 0; i < *n; i++) {
		int64_t at = i < 2 ? named[i] : s[i - 2];
		if (at < 0 || at >= *n || shown[at] != -1)
			return false;
		shown[at] = i < 2 ? -2 - i : i - 2;
	}
	return true;
}

static bool conv_has_layout(const attr *a)
{
	int64_t shown[MAX_SPATIAL + 2], n;
	for (int i = 0; i < 9; i += 3)
		if (!conv_layout(a, conv_fields + i, shown, &n))
			return false;
	return true;
}

static void write_conv_tensor(printer *p, const attr *a, const char *const *fields,
                              const char *letters)
{
	int64_t shown[MAX_SPATIAL + 2], n;
	conv_layout(a, fields, shown, &n);
	put_c(p->w, '[');
	for (int64_t i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		if (shown[i] >= 0)
			put_int(p->w, shown[i]);
		else
			put_c(p->w, letters[-2 - shown[i]]);
	}
	put_c(p->w, ']');
}

static void write_fields(printer *p, const attr *a, const struct_row *row);

void write_conv_dims(printer *p, const attr *a)
{
	if (!conv_has_layout(a)) {
		put_lit(p->w, "raw ");
		write_fields(p, a, &struct_conv_row);
		return;
	}
	write_conv_tensor(p, a, conv_fields, "bf");
	put_c(p->w, 'x');
	write_conv_tensor(p, a, conv_fields + 3, "io");
	put_lit(p->w, "->");
	write_conv_tensor(p, a, conv_fields + 6, "bf");
}

/* ---- fields ------------------------------------------------------------------------ */

static void write_struct_field(printer *p, const attr *a, struct_field_kind kind)
{
	switch (kind) {
	case SF_END: return;
	case SF_LIST: write_ints(p, a); return;
	case SF_INT: put_int(p->w, a->i); return;
	case SF_BOOL: put_z(p->w, a->i ? "true" : "false"); return;
	case SF_TYPE: write_type(p, a->type); return;
	case SF_STRING: put_quoted(p->w, name_str(a->text)); return;
	case SF_FLOAT: write_float(p->w, a->bits, DT_F64); return;
	case SF_ATTR: write_attr(p, a); return;
	case SF_AXES:
		put_c(p->w, '[');
		for (int i = 0; i < a->n; i++) {
			if (i)
				put_lit(p->w, ", ");
			write_struct_body(p, a->list[i]);
		}
		put_c(p->w, ']');
		return;
	case SF_SUB_AXIS:
		put_f(p->w, "(%" PRId64 ")%" PRId64, ((const int64_t *)a->data)[0],
		      ((const int64_t *)a->data)[1]);
		return;
	}
}

static bool is_empty_field(const attr *a, struct_field_kind kind)
{
	return kind == SF_LIST ? !a->n : kind == SF_INT ? !a->i : kind == SF_FLOAT && !a->bits;
}

static void write_fields(printer *p, const attr *a, const struct_row *row)
{
	bool first = true;
	for (int i = 0; i < struct_fields(row); i++) {
		const struct_field *f = &row->fields[i];
		const attr *v = field_named(a, f->name);
		if (!v || (row->omit_empty && is_empty_field(v, f->kind)))
			continue;
		if (!first)
			put_lit(p->w, ", ");
		first = false;
		put_z(p->w, f->name);
		put_z(p->w, row->tight ? "=" : " = ");
		write_struct_field(p, v, f->kind);
	}
}

void write_struct_body(printer *p, const attr *a)
{
	const struct_row *row = struct_row_of(name_str(a->text));
	put_c(p->w, '<');
	if (row)
		write_fields(p, a, row);
	else
		write_conv_dims(p, a);
	put_c(p->w, '>');
}

static void write_type_extensions(printer *p, const attr *a)
{
	const attr *bounds = field_named(a, "bounds");
	put_lit(p->w, "#stablehlo.bounds<");
	for (int i = 0; i < bounds->n; i++) {
		int64_t v = ((const int64_t *)bounds->data)[i];
		if (i)
			put_lit(p->w, ", ");
		if (v == DIM_DYNAMIC)
			put_c(p->w, '?');
		else
			put_int(p->w, v);
	}
	put_c(p->w, '>');
}

void write_struct(printer *p, const attr *a)
{
	if (!strcmp(a->text->s, "stablehlo.type_extensions")) {
		write_type_extensions(p, a);
		return;
	}
	put_c(p->w, '#');
	put_name(p->w, a->text);
	write_struct_body(p, a);
}
