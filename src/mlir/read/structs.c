/* structs.c - parses structured attributes (forms/structs.h). */
#include "mlir/forms/structs.h"
#include "mlir/read/read.h"

const attr *read_bare_float(reader *r)
{
	bool minus = read_accept(r, '-');
	if (r->tok != T_FLOAT && r->tok != T_INT) {
		read_expected(r, "a number");
		return NULL;
	}
	double v = decimal_value(r, tok_text(r));
	read_next(r);
	v = minus ? -v : v;
	return attr_float(r->ctx, v, float_bits(v, DT_F64), type_scalar(r->ctx, DT_F64));
}

static const attr *read_sub_axis(reader *r)
{
	int64_t v[2];
	read_expect(r, '(');
	v[0] = read_int(r);
	read_expect(r, ')');
	v[1] = read_int(r);
	return attr_i64_array(r->ctx, v, 2);
}

/* Reads <name = "x", size = 2>; the attribute's name may come before it. */
static const attr *read_mesh_axis(reader *r)
{
	if (r->tok == '<')
		return read_struct(r, STR("stablehlo.mesh_axis"));
	uint32_t begin = tok_pos(r);
	const attr *a = read_attr(r);
	if (!r->failed && (a->kind != AT_STRUCT || strcmp(a->text->s, "stablehlo.mesh_axis") != 0))
		read_fail_at(r, read_since(r, begin), E_SYNTAX, "expected a #stablehlo.mesh_axis");
	return a;
}

static const attr *read_mesh_axes(reader *r)
{
	VEC(const attr *) list = {0};
	read_expect(r, '[');
	if (r->tok != ']') {
		do
			vec_push(r->mem, &list, read_mesh_axis(r));
		while (!r->failed && read_accept(r, ','));
	}
	read_expect(r, ']');
	return r->failed ? NULL : attr_array(r->ctx, list.ptr, list.len);
}

static const attr *read_struct_field(reader *r, struct_field_kind kind)
{
	switch (kind) {
	case SF_END: return NULL;
	case SF_LIST: return read_ints_attr(r);
	case SF_INT: return attr_i64(r->ctx, read_int(r));
	case SF_BOOL:
	case SF_ATTR: return read_attr(r);
	case SF_TYPE: return attr_type(r->ctx, read_type(r));
	case SF_STRING: return attr_string(r->ctx, name_of(r->ctx, read_string(r)));
	case SF_FLOAT: return read_bare_float(r);
	case SF_AXES: return read_mesh_axes(r);
	case SF_SUB_AXIS: return read_sub_axis(r);
	}
	return NULL;
}

/* Returns the value of a field that is not written: empty or zero, if the row allows that. */
static const attr *absent_field(reader *r, const struct_field *f, bool omit_empty)
{
	if (f->optional)
		return NULL;
	switch (omit_empty ? f->kind : SF_END) {
	case SF_LIST: return attr_i64_array(r->ctx, NULL, 0);
	case SF_INT: return attr_i64(r->ctx, 0);
	case SF_FLOAT: return attr_float(r->ctx, 0, 0, type_scalar(r->ctx, DT_F64));
	default: read_fail(r, E_SYNTAX, "the field %s is missing", f->name); return NULL;
	}
}

static const attr *make_struct(reader *r, const char *name, const struct_field *fields,
                               const attr **values, int n, bool omit_empty)
{
	const struct name *names[16];
	int kept = 0;
	for (int i = 0; i < n && !r->failed; i++) {
		const attr *a = values[i] ? values[i] : absent_field(r, &fields[i], omit_empty);
		if (!a)
			continue;
		names[kept] = name_of_z(r->ctx, fields[i].name);
		values[kept++] = a;
	}
	if (r->failed)
		return NULL;
	return attr_of(r->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(r->ctx, name),
	                               .list = values,
	                               .names = names,
	                               .n = kept});
}

/* Reads field = value, … '>'; fields in any order, each once. */
static const attr *read_fields(reader *r, const struct_row *row)
{
	int n = struct_fields(row);
	const attr *values[16] = {0};
	while (r->tok == T_WORD) {
		int i = 0;
		while (i < n && !tok_is(r, row->fields[i].name))
			i++;
		if (i == n || values[i]) {
			read_fail(r, E_SYNTAX, "%s has %s field %.*s", row->name,
			          i == n ? "no" : "already a", STR_ARG(tok_text(r)));
			return NULL;
		}
		read_next(r);
		read_expect(r, '=');
		values[i] = read_struct_field(r, row->fields[i].kind);
		if (!read_accept(r, ','))
			break;
	}
	read_expect(r, '>');
	return r->failed ? NULL : make_struct(r, row->name, row->fields, values, n, row->omit_empty);
}

/* Reads #stablehlo.bounds<?, 8>, the same as type_extensions<bounds = [?, 8]>. */
static const attr *read_bounds(reader *r)
{
	int base = r->ints.len;
	read_next(r);
	if (r->tok != '>') {
		do {
			int64_t v = r->tok == '?' ? DIM_DYNAMIC : 0;
			if (!read_accept(r, '?'))
				v = read_int(r);
			vec_push(r->mem, &r->ints, v);
		} while (read_accept(r, ','));
	}
	read_expect(r, '>');
	const attr *values[1] = {attr_i64_array(r->ctx, r->ints.ptr + base, r->ints.len - base)};
	r->ints.len = base;
	return make_struct(r, "stablehlo.type_extensions",
	                   struct_row_of(STR("stablehlo.type_extensions"))->fields, values, 1,
	                   false);
}

const attr *read_struct(reader *r, tess_str name)
{
	if (str_is(name, "stablehlo.bounds") && r->tok == '<')
		return read_bounds(r);
	if (str_is(name, "stablehlo.conv")) {
		read_expect(r, '<');
		if (read_accept_word(r, "raw"))
			return read_fields(r, &struct_conv_row);
		const attr *a = read_conv_dims(r);
		read_expect(r, '>');
		return a;
	}
	const struct_row *row = struct_row_of(name);
	if (!row)
		return NULL;
	read_expect(r, '<');
	return read_fields(r, row);
}

/* ---- convolutions: [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] ------------------------ */

/* Reads one tensor: the positions of its two named dimensions and its spatial ones. `fields` are
 * the names of these three. */
static bool read_conv_tensor(reader *r, const char *letters, const int *fields, const attr **out)
{
	uint32_t begin = tok_pos(r);
	int64_t named[2] = {-1, -1}, spatial[MAX_SPATIAL], at = 0;
	int n_spatial = 0;
	memset(spatial, -1, sizeof spatial);
	read_expect(r, '[');
	do {
		if (r->tok == T_INT) {
			place where = tok_place(r);
			int64_t i = read_int(r);
			if (i >= MAX_SPATIAL || spatial[i] >= 0)
				return read_fail_at(
					r, where, E_SYNTAX, "spatial dimension %" PRId64 " %s", i,
					i >= MAX_SPATIAL ? "is too large" : "is given twice");
			spatial[i] = at++;
			n_spatial = i >= n_spatial ? (int)i + 1 : n_spatial;
			continue;
		}
		tess_str t = tok_text(r);
		int which = t.len == 1 && t.ptr[0] == letters[0]   ? 0
		            : t.len == 1 && t.ptr[0] == letters[1] ? 1
		                                                   : -1;
		if (r->tok != T_WORD || which < 0 || named[which] >= 0)
			return read_fail(r, E_SYNTAX,
			                 "expected %c and %c once each, and spatial dimensions",
			                 letters[0], letters[1]);
		named[which] = at++;
		uint32_t letter_at = tok_pos(r);
		read_next(r);
		note_known(r, N_dimension_numbers, fields[which], letter_at);
	} while (read_accept(r, ','));
	for (int i = 0; i < n_spatial; i++)
		if (spatial[i] < 0)
			return read_fail(r, E_SYNTAX, "spatial dimension %d is missing", i);
	if (named[0] < 0 || named[1] < 0)
		return read_fail(r, E_SYNTAX, "dimension %c is missing",
		                 letters[named[0] < 0 ? 0 : 1]);
	read_expect(r, ']');
	note_known(r, N_dimension_numbers, fields[2], begin);
	out[0] = attr_i64(r->ctx, named[0]);
	out[1] = attr_i64(r->ctx, named[1]);
	out[2] = attr_i64_array(r->ctx, spatial, n_spatial);
	return !r->failed;
}

const attr *read_conv_dims(reader *r)
{
	static const int fields[] = {
	    N_input_batch_dimension,          N_input_feature_dimension,
	    N_input_spatial_dimensions,       N_kernel_input_feature_dimension,
	    N_kernel_output_feature_dimension, N_kernel_spatial_dimensions,
	    N_output_batch_dimension,         N_output_feature_dimension,
	    N_output_spatial_dimensions};
	const attr *values[16] = {0};
	if (!read_conv_tensor(r, "bf", fields, values))
		return NULL;
	read_expect_word(r, "x");
	if (!read_conv_tensor(r, "io", fields + 3, values + 3))
		return NULL;
	read_expect(r, T_ARROW);
	if (!read_conv_tensor(r, "bf", fields + 6, values + 6))
		return NULL;
	return make_struct(r, "stablehlo.conv", struct_conv_row.fields, values, 9, true);
}
