/* convert.c - converts attributes between VHLO and StableHLO, by the rows of vhlo.def. */
#include "bytecode/vhlo/vhlo.h"

/* ---- struct attributes that are separate attributes in VHLO --------------------------------- */

/* Returns the row with the fields of the struct attribute `into` of an op. */
static const code_row *struct_code(int into, int kind)
{
	bool conv = kind == OP_CONVOLUTION || kind == OP_DYNAMIC_CONV;
	int code = into == N_channel_handle              ? 1
	           : into == N_dot_dimension_numbers     ? 5
	           : into == N_scatter_dimension_numbers ? 11
	           : into == N_algorithm                 ? 15
	           : conv                                ? 4
	                                                 : 7;
	return code_row_of(CODES_STABLEHLO, false, (uint64_t)code);
}

/* Returns the index of the field with that name in VHLO. */
static int field_number(const code_row *row, tess_str name)
{
	if (row->code == 1) /* channel_id and channel_type are named handle and type */
		return str_is(name, "channel_type");
	const char *at = row->name2;
	for (int i = 0; *at; i++) {
		size_t len = strcspn(at, " ");
		if (str_eq(name, (tess_str){at, len}))
			return i;
		at += len + (at[len] == ' ');
	}
	return -1;
}


/* Makes array<i64: …> from the elements of a tensor. */
static const attr *array_of_elements(coder *c, const attr *a, dtype dt)
{
	enum { MOST = 1 << 20 };
	if (a->kind == AT_DENSE_ARRAY && a->type->dtype == dt)
		return a;
	if (a->kind != AT_DENSE || a->type->dtype != dt || !a->type->is_static ||
	    a->type->n_elems > MOST)
		return c->fail(c, "an attribute is not a list of %s", dtype_mlir(dt)), NULL;
	int n = (int)a->type->n_elems;
	if (dt == DT_I64 && !a->splat)
		return attr_i64_array(c->ctx, a->data, n);
	int64_t *v = NEW_N(c->mem, int64_t, n);
	bool *b = NEW_N(c->mem, bool, n);
	for (int i = 0; i < n; i++) {
		v[i] = attr_dense_int(a, i);
		b[i] = v[i] != 0;
	}
	return dt == DT_I64 ? attr_i64_array(c->ctx, v, n) : attr_bool_array(c->ctx, b, n);
}

static bool is_none_type(const attr *a)
{
	return a->kind == AT_TYPE && a->type->kind == TY_NONE;
}

/* Converts one field of a struct to what make_struct() expects. */
static bool struct_field_of(coder *c, char letter, const attr *a, field *f)
{
	int n;
	*f = (field){.present = true};
	switch (letter) {
	case 'I': {
		const attr *list = array_of_elements(c, a, DT_I64);
		f->ints = list ? attr_ints(c->ctx, list, &n) : NULL;
		f->n = list ? n : 0;
		return list != NULL;
	}
	case 't':
		f->t = a->type;
		return a->kind == AT_TYPE || c->fail(c, "a field is not a type");
	case 'b':
		f->i = a->i;
		return a->kind == AT_BOOL || c->fail(c, "a field is not a boolean");
	default:
		f->i = a->i;
		return a->kind == AT_INT || c->fail(c, "a field is not a number");
	}
}

/* ---- to StableHLO ------------------------------------------------------------------------ */

/* A struct attribute under construction. */
typedef struct gathered {
	int into;
	const code_row *row;
	field fields[MAX_FIELDS];
	bool none; /* a field is the type none: the attribute is absent */
} gathered;

enum { MAX_STRUCTS = 2 };
typedef struct converter {
	coder *c;
	const vhlo_row *row;
	gathered structs[MAX_STRUCTS];
	int n_structs;
	named_attrs *list;
} converter;

static gathered *gathered_for(converter *v, int into)
{
	for (int i = 0; i < v->n_structs; i++)
		if (v->structs[i].into == into)
			return &v->structs[i];
	ASSERT(v->n_structs < MAX_STRUCTS);
	gathered *g = &v->structs[v->n_structs++];
	*g = (gathered){.into = into, .row = struct_code(into, v->row->kind)};
	return g;
}

static bool gather_field(converter *v, const vhlo_attr *a, const attr *value)
{
	gathered *g = gathered_for(v, a->into);
	int i = field_number(g->row, name_str(name_known(v->c->ctx, a->name)));
	ASSERT(i >= 0);
	if (is_none_type(value)) {
		g->none = true;
		return true;
	}
	return struct_field_of(v->c, g->row->fields[i], value, &g->fields[i]);
}

static void put(converter *v, int known, const attr *a)
{
	vec_push(v->c->mem, v->list, (named_attr){name_known(v->c->ctx, known), a});
}

/* Batching dimensions were added later; if they are missing, there are none. */
static bool put_struct(converter *v, gathered *g)
{
	for (int i = 0; g->row->fields[i]; i++)
		if (!g->fields[i].present && !g->none) {
			if (g->row->fields[i] != 'I')
				return v->c->fail(v->c, "%s lacks a field of %s", v->row->name,
				                  g->row->name1);
			g->fields[i].present = true;
		}
	if (!g->none)
		put(v, g->into, g->row->make_attr(v->c, g->row, g->fields));
	return true;
}

static bool all_equal(const attr *a, int64_t number)
{
	if (a->kind != AT_DENSE || !a->splat || (!dtype_is_int(a->type->dtype)))
		return false;
	return attr_dense_int(a, 0) == number;
}

static bool vhlo_is_word(const attr *a, const char *word)
{
	return a->kind == AT_ENUM && !strcmp(a->word->s, word);
}

static bool vhlo_all_default(const attr *a)
{
	for (int i = 0; a->kind == AT_ARRAY && i < a->n; i++)
		if (!vhlo_is_word(a->list[i], "DEFAULT"))
			return false;
	return a->kind == AT_ARRAY;
}

static bool is_empty(const attr *a, attr_kind kind) { return a->kind == kind && !a->n; }

static bool is_absent(const vhlo_attr *a, const attr *v)
{
	switch (a->absent) {
	case VHLO_NONE:
	case VHLO_LAYOUTS: return false;
	case VHLO_NO: return v->kind == AT_BOOL && !v->i;
	case VHLO_ZERO: return v->kind == AT_INT && !v->i;
	case VHLO_LAST: return v->kind == AT_INT && v->i == -1;
	case VHLO_NOTYPE: return vhlo_is_word(v, "NOTYPE");
	case VHLO_ORIGINAL: return vhlo_is_word(v, "API_VERSION_ORIGINAL");
	case VHLO_ACCURACY: return accuracy_is_default(v);
	case VHLO_EMPTY_LIST: return is_empty(v, AT_ARRAY);
	case VHLO_EMPTY_DICT: return is_empty(v, AT_DICT);
	case VHLO_EMPTY_TEXT: return v->kind == AT_STRING && !v->text->len;
	case VHLO_EMPTY_INTS: return v->kind == AT_DENSE && !v->type->n_elems;
	case VHLO_ONES: return all_equal(v, 1);
	case VHLO_NOS:
	case VHLO_PAIRS: return all_equal(v, 0);
	case VHLO_PRECISE: return vhlo_all_default(v);
	case VHLO_CONFIG: return is_empty(v, AT_DICT) || (v->kind == AT_STRING && !v->text->len);
	}
	return false;
}

static const attr *vhlo_symbol_of(coder *c, const attr *a)
{
	if (a->kind != AT_STRING)
		return c->fail(c, "a name of a function is not a text"), NULL;
	return attr_symbol(c->ctx, a->text);
}

static const attr *symbols_of(coder *c, const attr *a)
{
	const attr **list = NEW_N(c->mem, const attr *, a->n);
	for (int i = 0; a->kind == AT_ARRAY && i < a->n; i++)
		if (!(list[i] = vhlo_symbol_of(c, a->list[i])))
			return NULL;
	return attr_array(c->ctx, list, a->kind == AT_ARRAY ? a->n : 0);
}

static const attr *vhlo_channel_of(coder *c, int64_t handle, int64_t type)
{
	const code_row *row = code_row_of(CODES_STABLEHLO, false, 1);
	field f[2] = {{.present = true, .i = handle}, {.present = true, .i = type}};
	return row->make_attr(c, row, f);
}

static const attr *api_of(coder *c, const attr *a)
{
	field f[MAX_FIELDS];
	const code_row *row = code_take_attr(c, CODES_VHLO, a, f);
	if (!row || a->kind != AT_ENUM)
		return c->fail(c, "api_version is not a version of the interface"), NULL;
	return attr_i32(c->ctx, f[0].i);
}

/* Converts an attribute of its own; NULL: it is absent, or c->fail() was called. */
static const attr *converted(coder *c, const vhlo_attr *a, const attr *v)
{
	switch (a->how) {
	case VHLO_SAME: return v;
	case VHLO_INTS: return array_of_elements(c, v, DT_I64);
	case VHLO_BOOLS: return array_of_elements(c, v, DT_I1);
	case VHLO_UNIT: return attr_unit(c->ctx);
	case VHLO_SYMBOL: return vhlo_symbol_of(c, v);
	case VHLO_SYMBOLS: return symbols_of(c, v);
	case VHLO_CHANNEL:
		if (v->kind == AT_INT)
			return vhlo_channel_of(c, v->i, 0);
		c->fail(c, "channel_id is not a number");
		return NULL;
	case VHLO_API: return api_of(c, v);
	case VHLO_LOST:
	case VHLO_FIELD: break;
	}
	return NULL;
}

static const vhlo_attr *vhlo_attr_named(const vhlo_row *row, const name *n)
{
	for (const vhlo_attr *a = row->attrs; a->name != N_empty; a++)
		if (name_is(n, a->name))
			return a;
	return NULL;
}

/* True if both lists of layouts are empty, which VHLO has when StableHLO leaves them out. */
static bool no_layouts(const named_attr *list, int n)
{
	int empty = 0;
	for (int i = 0; i < n; i++)
		if (name_is(list[i].name, N_operand_layouts) || name_is(list[i].name, N_result_layouts))
			empty += is_empty(list[i].value, AT_ARRAY);
	return empty == 2;
}

bool vhlo_to_stablehlo(coder *c, const vhlo_row *row, named_attrs *list, int from)
{
	int n = list->len - from;
	named_attr *old = n ? COPY_N(c->mem, list->ptr + from, n) : NULL;
	bool bare = row->kind == OP_CUSTOM_CALL && no_layouts(old, n);
	converter *v = NEW(c->mem, converter);
	*v = (converter){.c = c, .row = row, .list = list};
	list->len = from;
	for (int i = 0; i < n; i++) {
		const vhlo_attr *a = vhlo_attr_named(row, old[i].name);
		if (!a) {
			vec_push(c->mem, list, old[i]);
			continue;
		}
		if (is_absent(a, old[i].value) || a->how == VHLO_LOST ||
		    (bare && a->absent == VHLO_LAYOUTS))
			continue;
		if (a->how == VHLO_FIELD) {
			if (!gather_field(v, a, old[i].value))
				return false;
			continue;
		}
		const attr *value = converted(c, a, old[i].value);
		if (!value)
			return false;
		put(v, a->into, value);
	}
	for (int i = 0; i < v->n_structs; i++)
		if (!put_struct(v, &v->structs[i]))
			return false;
	return true;
}

/* ---- from StableHLO ----------------------------------------------------------------------- */

/* Returns the number of dimensions of an op's window. */
static int window_rank(const op *o)
{
	const attr *dims = op_attr(o, N_dimension_numbers), *window = op_attr(o, N_window_dimensions);
	const attr *spatial = dims ? attr_get(dims, N_input_spatial_dimensions) : NULL;
	return spatial ? spatial->n : !window ? 0 : window->kind == AT_DENSE_ARRAY
	                     ? window->n
	                     : (int)window->type->n_elems;
}

static const attr *repeated(coder *c, dtype dt, int n, int columns, int64_t value)
{
	int64_t dims[2] = {n, columns};
	const type *t = type_tensor(c->ctx, dt, dims, columns ? 2 : 1);
	return n ? attr_splat_bits(c->ctx, t, (uint64_t)value) : attr_dense(c->ctx, t, NULL, 0, false);
}

static const attr *accuracy_default(coder *c)
{
	const code_row *row = code_row_of(CODES_STABLEHLO, false, 17);
	field f[4] = {{.present = true}, {.present = true}, {.present = true}, {.present = true}};
	f[3].a = attr_enum(c->ctx, "stablehlo", "result_accuracy_mode", "DEFAULT");
	return row->make_attr(c, row, f);
}

static const attr *precise_default(coder *c)
{
	const attr *word = attr_enum(c->ctx, "stablehlo", "precision", "DEFAULT");
	return attr_array(c->ctx, (const attr *[]){word, word}, 2);
}

static bool is_typed_ffi(const op *o) { return op_int(o, N_api_version, 1) == 4; }

static const attr *default_of(coder *c, const vhlo_attr *a, const op *o)
{
	switch (a->absent) {
	case VHLO_NONE: return NULL;
	case VHLO_NO: return attr_bool(c->ctx, false);
	case VHLO_ZERO:
		/* the version of a composite is i32 when written, and i64 when left out */
		return attr_i64(c->ctx, 0);
	case VHLO_LAST: return attr_i64(c->ctx, -1);
	case VHLO_NOTYPE: return attr_enum(c->ctx, "stablehlo", "comparison_type", "NOTYPE");
	case VHLO_ORIGINAL:
		return attr_enum(c->ctx, "stablehlo", "custom_call_api_version",
		                 "API_VERSION_ORIGINAL");
	case VHLO_ACCURACY: return accuracy_default(c);
	case VHLO_EMPTY_LIST:
	case VHLO_LAYOUTS: return attr_array(c->ctx, NULL, 0);
	case VHLO_EMPTY_DICT: return attr_dict(c->ctx, NULL, NULL, 0);
	case VHLO_EMPTY_TEXT: return attr_string(c->ctx, name_known(c->ctx, N_empty));
	case VHLO_EMPTY_INTS: return attr_i64_array(c->ctx, NULL, 0);
	case VHLO_ONES: return repeated(c, DT_I64, window_rank(o), 0, 1);
	case VHLO_NOS: return repeated(c, DT_I1, window_rank(o), 0, 0);
	case VHLO_PAIRS: return repeated(c, DT_I64, window_rank(o), 2, 0);
	case VHLO_PRECISE: return precise_default(c);
	case VHLO_CONFIG:
		return is_typed_ffi(o) ? attr_dict(c->ctx, NULL, NULL, 0)
		                       : attr_string(c->ctx, name_known(c->ctx, N_empty));
	}
	return NULL;
}

/* Returns a field of a struct attribute; for an absent algorithm, the type none. */
static const attr *member(coder *c, const vhlo_row *row, const vhlo_attr *a, const op *o)
{
	const attr *whole = op_attr(o, a->into);
	if (!whole)
		return a->into == N_algorithm ? attr_type(c->ctx, type_none(c->ctx)) : NULL;
	int i = field_number(struct_code(a->into, row->kind),
	                     name_str(name_known(c->ctx, a->name)));
	return whole->kind == AT_STRUCT && i >= 0 && i < whole->n ? whole->list[i] : NULL;
}

static const attr *api_word(coder *c, const attr *v)
{
	const code_row *row = code_row_of(CODES_VHLO, false, 5);
	return v->kind == AT_INT ? row->make_attr(c, row, &(field){.present = true, .i = v->i}) : v;
}

const attr *vhlo_from_stablehlo(coder *c, const vhlo_row *row, const vhlo_attr *a, const op *o)
{
	const attr *v = a->how == VHLO_LOST ? NULL : op_attr(o, a->into);
	if (a->how == VHLO_FIELD)
		v = member(c, row, a, o);
	else if (!v)
		v = default_of(c, a, o);
	else if (a->how == VHLO_CHANNEL)
		v = v->kind == AT_STRUCT && v->n ? v->list[0] : NULL;
	else if (a->how == VHLO_UNIT)
		v = attr_bool(c->ctx, v->kind == AT_UNIT || v->i);
	else if (a->how == VHLO_API)
		v = api_word(c, v);
	if (!v)
		c->fail(c, "%s has no %s", op_name(o), name_known(c->ctx, a->name)->s);
	return v;
}

/* ---- versions -------------------------------------------------------------------------- */

static bool needs(coder *c, const op *o, int version, const char *what)
{
	return c->fail(c, "%s%s needs StableHLO %d.%d.0", op_name(o), what, version / 100,
	               version % 100);
}

/* True if the first form can express the op: what only the second form has must have the value that
 * the first implies. */
static bool fits_first(coder *c, const vhlo_row *row, const op *o)
{
	for (const vhlo_attr *a = row->attrs; a->name != N_empty; a++) {
		const attr *v = a->only == 2 ? vhlo_from_stablehlo(c, row, a, o) : NULL;
		bool none = !v || is_none_type(v) || is_absent(a, v) ||
		            (a->how == VHLO_FIELD && v->kind == AT_DENSE_ARRAY && !v->n) ||
		            (v->kind == AT_DENSE_ARRAY && !v->n);
		if (!none)
			return needs(c, o, row->v2, arena_printf(c->mem, " with %s",
			                                         name_known(c->ctx, a->name)->s));
	}
	bool one = row->kind == OP_ALL_GATHER || row->kind == OP_ALL_REDUCE ||
	           row->kind == OP_ALL_TO_ALL || row->kind == OP_COLLECTIVE_BROADCAST;
	if (one && o->n_operands != 1)
		return needs(c, o, row->v2, " with several operands");
	if (row->kind == OP_COMPOSITE && op_n_regions(o))
		return needs(c, o, row->v2, " with regions");
	return true;
}

static const type *elem_of(const type *t) { return t->elem ? t->elem : t; }

/* Later versions allowed reductions to another element type, and more in custom calls. */
static bool fits_version(coder *c, const op *o, int version)
{
	bool reduces = op_is_device_reduction(o) || o->kind == OP_REDUCE ||
	               o->kind == OP_REDUCE_WINDOW || o->kind == OP_SCATTER ||
	               o->kind == OP_SELECT_AND_SCATTER;
	for (int i = 0; reduces && version < 17 && i < o->n_operands && i < o->n_results; i++)
		if (elem_of(operand(o, i)->type) != elem_of(result(o, i)->type))
			return needs(c, o, 17, " with another type of elements as its result");
	if (o->kind != OP_CUSTOM_CALL)
		return true;
	const attr *config = op_attr(o, N_backend_config);
	if (version < 103 && (is_typed_ffi(o) || (config && config->kind == AT_DICT)))
		return needs(c, o, 103, " with a dictionary as its backend_config");
	for (int i = 0; version < 117 && i < o->n_operands; i++)
		if (operand(o, i)->type->kind == TY_FUTURE)
			return needs(c, o, 117, " with a future as its operand");
	return true;
}

int vhlo_form_for(coder *c, const vhlo_row *row, const op *o, int version)
{
	if (version < row->v1)
		return needs(c, o, row->v1, "");
	if (!fits_version(c, o, version))
		return 0;
	if (row->v2 && version >= row->v2)
		return 2;
	return !row->v2 || fits_first(c, row, o);
}
