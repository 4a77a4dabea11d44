/* structs.c - structured attributes, #stablehlo.gather<…> and its like, in
 * and out.
 *
 * Each is a row: its fields in the order of printing and the kind of each.  All
 * fields are kept, also those that the text leaves out (an empty list, zero), so
 * that equal meaning is equal attributes. */
#include "mlir/forms/forms.h"

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

static const struct_row struct_rows[] = {
    {"stablehlo.gather", true,
     {{"offset_dims", SF_LIST}, {"collapsed_slice_dims", SF_LIST},
      {"operand_batching_dims", SF_LIST},
      {"start_indices_batching_dims", SF_LIST}, {"start_index_map", SF_LIST},
      {"index_vector_dim", SF_INT}}},
    {"stablehlo.scatter", true,
     {{"update_window_dims", SF_LIST}, {"inserted_window_dims", SF_LIST},
      {"input_batching_dims", SF_LIST}, {"scatter_indices_batching_dims", SF_LIST},
      {"scatter_dims_to_operand_dims", SF_LIST}, {"index_vector_dim", SF_INT}}},
    {"stablehlo.dot", true,
     {{"lhs_batching_dimensions", SF_LIST}, {"rhs_batching_dimensions", SF_LIST},
      {"lhs_contracting_dimensions", SF_LIST}, {"rhs_contracting_dimensions", SF_LIST}}},
    {"chlo.ragged_dot", true,
     {{"lhs_batching_dimensions", SF_LIST}, {"rhs_batching_dimensions", SF_LIST},
      {"lhs_contracting_dimensions", SF_LIST}, {"rhs_contracting_dimensions", SF_LIST},
      {"lhs_ragged_dimensions", SF_LIST}, {"rhs_group_dimensions", SF_LIST}}},
    {"stablehlo.dot_algorithm", false,
     {{"lhs_precision_type", SF_TYPE}, {"rhs_precision_type", SF_TYPE},
      {"accumulation_type", SF_TYPE}, {"lhs_component_count", SF_INT},
      {"rhs_component_count", SF_INT}, {"num_primitive_operations", SF_INT},
      {"allow_imprecise_accumulation", SF_BOOL}}},
    {"stablehlo.channel_handle", false, {{"handle", SF_INT}, {"type", SF_INT}}},
    {"stablehlo.output_operand_alias", false,
     {{"output_tuple_indices", SF_LIST}, {"operand_index", SF_INT},
      {"operand_tuple_indices", SF_LIST}}},
    {"stablehlo.type_extensions", false, {{"bounds", SF_LIST}}},
    {"stablehlo.result_accuracy", true,
     {{"atol", SF_FLOAT}, {"rtol", SF_FLOAT}, {"ulps", SF_INT}, {"mode", SF_ATTR}}},
    {"chlo.result_accuracy", true,
     {{"atol", SF_FLOAT}, {"rtol", SF_FLOAT}, {"ulps", SF_INT}, {"mode", SF_ATTR}}},
    {"stablehlo.axis_ref", false, {{"name", SF_STRING}, {"sub_axis_info", SF_SUB_AXIS, true}}},
    {"stablehlo.mesh_axis", false, {{"name", SF_STRING}, {"size", SF_INT}}},
    {"stablehlo.mesh", false, {{"axes", SF_AXES}, {"device_ids", SF_ATTR, true}}, true},
    {"stablehlo.replica_group_mesh_axes", false, {{"mesh", SF_ATTR}, {"axes", SF_ATTR}}},
};

static const char *const conv_fields[] = {
    "input_batch_dimension",         "input_feature_dimension",  "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension",
    "kernel_spatial_dimensions",     "output_batch_dimension",   "output_feature_dimension",
    "output_spatial_dimensions"};
/* The same as a row, for the raw spelling. */
static const struct_row conv_row = {
    "stablehlo.conv", true,
    {{"input_batch_dimension", SF_INT}, {"input_feature_dimension", SF_INT},
     {"input_spatial_dimensions", SF_LIST}, {"kernel_input_feature_dimension", SF_INT},
     {"kernel_output_feature_dimension", SF_INT}, {"kernel_spatial_dimensions", SF_LIST},
     {"output_batch_dimension", SF_INT}, {"output_feature_dimension", SF_INT},
     {"output_spatial_dimensions", SF_LIST}}};

static const struct_row *struct_row_of(tess_str name)
{
	for (int i = 0; i < COUNT(struct_rows); i++)
		if (str_is(name, struct_rows[i].name))
			return &struct_rows[i];
	return NULL;
}

static int count_fields(const struct_row *row)
{
	int n = 0;
	while (n < COUNT(row->fields) && row->fields[n].kind != SF_END)
		n++;
	return n;
}

/* ---- reading ------------------------------------------------------------------- */

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

/* <name = "x", size = 2>, or with the name of the attribute before it. */
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

/* Lists and numbers that are empty are not written by rows that omit such. */
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

/* field = value, … '>'; fields in any order, each once */
static const attr *read_fields(reader *r, const struct_row *row)
{
	int n = count_fields(row);
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

/* #stablehlo.bounds<?, 8>: the same as type_extensions<bounds = [?, 8]>. */
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
			return read_fields(r, &conv_row);
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

/* One tensor: where its two named dimensions and its spatial ones stand; `fields` are the names
 * of these three. */
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
	return make_struct(r, "stablehlo.conv", conv_row.fields, values, 9, true);
}

static const attr *field_named(const attr *a, const char *name)
{
	for (int i = 0; i < a->n; i++)
		if (!strcmp(a->names[i]->s, name))
			return a->list[i];
	return NULL;
}

/* What stands at each dimension of one tensor: a spatial dimension, or -2 and -3
 * for the two named ones.  false: they do not fit together. */
static bool conv_layout(const attr *a, const char *const *fields, int64_t *shown, int64_t *n)
{
	const attr *spatial = field_named(a, fields[2]);
	int64_t named[2] = {field_named(a, fields[0])->i, field_named(a, fields[1])->i};
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
		write_fields(p, a, &conv_row);
		return;
	}
	write_conv_tensor(p, a, conv_fields, "bf");
	put_c(p->w, 'x');
	write_conv_tensor(p, a, conv_fields + 3, "io");
	put_lit(p->w, "->");
	write_conv_tensor(p, a, conv_fields + 6, "bf");
}

/* ---- printing ------------------------------------------------------------------------ */

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
	for (int i = 0; i < count_fields(row); i++) {
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
