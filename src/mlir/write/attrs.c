/* attrs.c - prints attributes and locations. */
#include "mlir/write/write.h"

/* ---- words ------------------------------------------------------------------------ */

static bool is_keyword(tess_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!letter && (!i || !((c >= '0' && c <= '9') || c == '$' || c == '.')))
			return false;
	}
	return s.len > 0;
}

void write_keyword_or_string(printer *p, tess_str s)
{
	if (is_keyword(s))
		put_str(p->w, s);
	else
		put_quoted(p->w, s);
}

static void write_named(printer *p, const name *n, const attr *a)
{
	write_keyword_or_string(p, name_str(n));
	if (a->kind == AT_UNIT)
		return;
	put_lit(p->w, " = ");
	write_attr(p, a);
}

/* ---- lists ---------------------------------------------------------------------------- */

static void write_number_attr(printer *p, const attr *a, bool in_list);

void write_attr_item(printer *p, const attr *a)
{
	if (a->kind == AT_INT || a->kind == AT_FLOAT)
		write_number_attr(p, a, true);
	else
		write_attr(p, a);
}

/* Prints [1, 2.0, 3 : i32]. */
static void write_attr_list(printer *p, const attr *a)
{
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_attr_item(p, a->list[i]);
	}
}

static void write_dict_attr(printer *p, const attr *a)
{
	put_c(p->w, '{');
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_named(p, a->names[i], a->list[i]);
	}
	put_c(p->w, '}');
}

bool write_dict(printer *p, const attr_list *l, const sharding *s, const char *before)
{
	static const char sharding_name[] = "sdy.sharding";
	if (!l->n && !s)
		return false;
	put_z(p->w, before);
	put_c(p->w, '{');
	for (int i = 0, written = 0; i < l->n || s; written++) {
		if (written)
			put_lit(p->w, ", ");
		if (s && (i == l->n || str_cmp(name_str(l->ptr[i].name), STR(sharding_name)) > 0)) {
			put_lit(p->w, "sdy.sharding = #sdy.sharding");
			sharding_print(p->w, s);
			s = NULL;
			continue;
		}
		write_named(p, l->ptr[i].name, l->ptr[i].value);
		i++;
	}
	put_c(p->w, '}');
	return true;
}

void write_ints(printer *p, const attr *a)
{
	int n;
	const int64_t *v = attr_ints(p->ctx, a, &n);
	put_c(p->w, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		if (v[i] == DIM_DYNAMIC)
			put_c(p->w, '?');
		else
			put_int(p->w, v[i]);
	}
	put_c(p->w, ']');
}

/* ---- sdy -------------------------------------------------------------------------------- */

void write_shardings(printer *p, const sharding *const *s, int n)
{
	put_c(p->w, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		sharding_print(p->w, s[i]);
	}
	put_c(p->w, ']');
}

void write_axes_list(printer *p, const attr *a)
{
	put_c(p->w, '[');
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		axes_print(p->w, (axis_list){a->list[i]->axes, a->list[i]->n});
	}
	put_c(p->w, ']');
}

void write_all_to_all(printer *p, const attr *a)
{
	put_c(p->w, '[');
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		axes_print(p->w, (axis_list){a->list[i]->axes, a->list[i]->n});
		put_f(p->w, ": %" PRId64 "->%" PRId64, a->ints[2 * i], a->ints[2 * i + 1]);
	}
	put_c(p->w, ']');
}

void write_manual_axes(printer *p, const attr *a)
{
	put_c(p->w, '{');
	write_attr_list(p, a);
	put_c(p->w, '}');
}

/* ---- numbers ----------------------------------------------------------------------------- */

static void write_number_attr(printer *p, const attr *a, bool in_list)
{
	const type *t = a->type;
	dtype d = t->kind == TY_SCALAR ? t->dtype : DT_NONE;
	bool decimal = true;
	if (a->kind == AT_FLOAT)
		decimal = write_float(p->w, a->bits, d);
	else if (d && dtype_class_of(d) == DC_UINT)
		put_uint(p->w, (uint64_t)a->i);
	else
		put_int(p->w, a->i);
	if (in_list && decimal && (d == DT_I64 || d == DT_F64))
		return;
	put_lit(p->w, " : ");
	write_type(p, t);
}

/* ---- locations ------------------------------------------------------------------------------ */

static void write_location(printer *p, const attr *a);

static void write_file_location(printer *p, const attr *a)
{
	put_quoted(p->w, name_str(a->text));
	put_f(p->w, ":%" PRId64 ":%" PRId64, a->ints[0], a->ints[1]);
	if (!a->ints[2] && !a->ints[3])
		return;
	put_lit(p->w, " to ");
	if (a->ints[2] != a->ints[0])
		put_int(p->w, a->ints[2]);
	put_c(p->w, ':');
	put_int(p->w, a->ints[3]);
}

static void write_fused(printer *p, const attr *a)
{
	put_lit(p->w, "fused");
	if (a->meta) {
		put_c(p->w, '<');
		write_attr(p, a->meta);
		put_c(p->w, '>');
	}
	put_c(p->w, '[');
	for (int i = 0; i < a->n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_location(p, a->list[i]);
	}
	put_c(p->w, ']');
}

static void write_bare_location(printer *p, const attr *a)
{
	switch (a->kind) {
	case AT_LOC_FILE: write_file_location(p, a); return;
	case AT_LOC_NAME:
		put_quoted(p->w, name_str(a->text));
		if (!a->n)
			return;
		put_c(p->w, '(');
		write_location(p, a->list[0]);
		put_c(p->w, ')');
		return;
	case AT_LOC_CALLSITE:
		put_lit(p->w, "callsite(");
		write_location(p, a->list[0]);
		put_lit(p->w, " at ");
		write_location(p, a->list[1]);
		put_c(p->w, ')');
		return;
	case AT_LOC_FUSED: write_fused(p, a); return;
	default: put_lit(p->w, "unknown"); return;
	}
}

static bool write_loc_alias(printer *p, const attr *a)
{
	uintptr_t number = (uintptr_t)ptr_map_get(&p->loc_aliases, a);
	if (!number)
		return false;
	put_lit(p->w, "#loc");
	if (number > 1)
		put_uint(p->w, number - 1);
	return true;
}

static void write_location(printer *p, const attr *a)
{
	if (!write_loc_alias(p, a))
		write_bare_location(p, a);
}

void write_loc(printer *p, const attr *a)
{
	put_lit(p->w, "loc(");
	write_bare_location(p, a);
	put_c(p->w, ')');
}

static const attr *line_of_file(printer *p, uint32_t line, uint32_t col)
{
	int64_t at[4] = {line, col};
	return attr_of(p->ctx, &(attr){.kind = AT_LOC_FILE,
	                               .text = name_of_z(p->ctx, p->m->src->name),
	                               .ints = at,
	                               .n_ints = 4});
}

/* Returns the location in the text; unknown if there is no text, or no position. */
static const attr *place_loc(printer *p, uint32_t begin, uint32_t end)
{
	uint32_t line, col;
	if (!p->m || !p->m->src || p->m->src->binary || !end)
		return attr_loc_unknown(p->ctx);
	place_line_col(p->ctx, (place){p->m->src, begin, end}, &line, &col);
	return line_of_file(p, line, col);
}

const attr *printed_loc(printer *p, const op *o)
{
	const attr *loc = op_loc(o);
	if (loc)
		return loc;
	if (p->m && p->m->src && o == p->m->top && !p->m->wrapped)
		return line_of_file(p, 0, 0); /* a module that is not in the text */
	return place_loc(p, o->at, o->at + o->at_size);
}

const attr *printed_arg_loc(printer *p, const value *v)
{
	const block_arg *a = value_arg(v);
	const attr *loc = value_loc(v);
	return loc ? loc : place_loc(p, a->at, a->at ? a->at + 1 : 0);
}

void write_op_loc(printer *p, const op *o)
{
	if (!p->opts.debuginfo)
		return;
	put_lit(p->w, " loc(");
	write_location(p, printed_loc(p, o));
	put_c(p->w, ')');
}

void write_arg_loc(printer *p, const value *v)
{
	if (!p->opts.debuginfo)
		return;
	put_c(p->w, ' ');
	write_loc(p, printed_arg_loc(p, v));
}

/* ---- any attribute --------------------------------------------------------------------------- */

static void write_symbol_path(printer *p, const attr *a)
{
	put_symbol(p->w, name_str(a->text));
	for (int i = 0; i < a->n; i++) {
		put_lit(p->w, "::");
		put_symbol(p->w, name_str(a->list[i]->text));
	}
}

static void write_enum(printer *p, const attr *a)
{
	bool mode = !strcmp(a->sub->s, "result_accuracy_mode");
	put_c(p->w, '#');
	put_name(p->w, a->text);
	put_c(p->w, mode ? '.' : '<');
	put_name(p->w, a->sub);
	put_c(p->w, mode ? '<' : ' ');
	put_name(p->w, a->word);
	put_c(p->w, '>');
}

void write_attr(printer *p, const attr *a)
{
	writer *w = p->w;
	switch (a->kind) {
	case AT_UNIT: put_lit(w, "unit"); return;
	case AT_BOOL: put_z(w, a->i ? "true" : "false"); return;
	case AT_INT:
	case AT_FLOAT: write_number_attr(p, a, false); return;
	case AT_STRING:
		put_quoted(w, name_str(a->text));
		if (a->type) {
			put_lit(w, " : ");
			write_type(p, a->type);
		}
		return;
	case AT_TYPE: write_type(p, a->type); return;
	case AT_ARRAY:
		put_c(w, '[');
		write_attr_list(p, a);
		put_c(w, ']');
		return;
	case AT_DICT: write_dict_attr(p, a); return;
	case AT_SYMBOL: write_symbol_path(p, a); return;
	case AT_DENSE: write_dense(p, a); return;
	case AT_DENSE_ARRAY: write_dense_array(p, a, false); return;
	case AT_RESOURCE:
		put_lit(w, "dense_resource<");
		write_keyword_or_string(p, name_str(a->text));
		put_lit(w, "> : ");
		write_type(p, a->type);
		return;
	case AT_ENUM: write_enum(p, a); return;
	case AT_STRUCT: write_struct(p, a); return;
	case AT_OPAQUE:
	case AT_AFFINE: put_name(w, a->text); return;
	case AT_MESH:
		put_lit(w, "#sdy.mesh");
		mesh_print(w, a->mesh);
		return;
	case AT_SHARDING:
		put_lit(w, "#sdy.sharding");
		sharding_print(w, a->sharding);
		return;
	case AT_SHARDINGS:
		put_lit(w, "#sdy.sharding_per_value<");
		write_shardings(p, a->shardings, a->n);
		put_c(w, '>');
		return;
	case AT_MANUAL_AXES:
		put_lit(w, "#sdy<manual_axes");
		write_manual_axes(p, a);
		put_c(w, '>');
		return;
	case AT_AXES:
		put_lit(w, "#sdy<axis_ref_list");
		axes_print(w, (axis_list){a->axes, a->n});
		put_c(w, '>');
		return;
	case AT_AXES_LIST:
		put_lit(w, "#sdy<list_of_axis_ref_lists");
		write_axes_list(p, a);
		put_c(w, '>');
		return;
	case AT_ALL_TO_ALL:
		put_lit(w, "#sdy<all_to_all_param_list");
		write_all_to_all(p, a);
		put_c(w, '>');
		return;
	case AT_RULE:
		put_lit(w, "#sdy.op_sharding_rule");
		rule_print(w, a->rule);
		return;
	case AT_LOC_UNKNOWN:
	case AT_LOC_FILE:
	case AT_LOC_NAME:
	case AT_LOC_CALLSITE:
	case AT_LOC_FUSED: write_loc(p, a); return;
	}
}

void mlir_print_attr(writer *w, tess_ctx *ctx, const attr *a)
{
	printer p = {.w = w, .ctx = ctx, .opts = MLIR_PRINT_OPTS_INIT, .mem = &ctx->scratch};
	write_attr(&p, a);
}
