/* fields_call.c - fields of computations, collectives and custom calls. */
#include "hlo/convert/fields.h"

/* ---- computations --------------------------------------------------------------- */

static bool is_scalar_of(const value *v, dtype t)
{
	return v->type->kind == TY_TENSOR && v->type->rank == 0 && v->type->dtype == t;
}

static bool is_body_of(const block *b, dtype t)
{
	bool all = b->n_args > 0;
	for (int i = 0; i < b->n_args; i++)
		all = all && is_scalar_of(b->args[i], t);
	for (const op *o = b->first; o != b->last; o = o->next)
		for (uint32_t i = 0; i < o->n_results; i++)
			all = all && is_scalar_of(&o->results[i], t);
	return all;
}

/* XLA converts the operands of a collective to floats that devices can add, but leaves its reducer
 * unchanged, since it only looks at the operation. Converts the reducer to the operands' dtype. */
static void retype_reducer(hlo_raiser *r, op *to, block *b)
{
	if (!op_has(to, COLLECTIVE) || !to->n_operands || !b || !b->n_args || r->failed)
		return;
	const dtype was = b->args[0]->type->dtype, now = operand(to, 0)->type->dtype;
	if (was == now || !dtype_is_float(was) || !dtype_is_float(now) || !is_body_of(b, was))
		return;
	const type *scalar = type_tensor(r->ctx, now, NULL, 0);
	for (int i = 0; i < b->n_args; i++)
		b->args[i]->type = scalar;
	for (op *o = b->first; o != b->last; o = o->next)
		for (uint32_t i = 0; i < o->n_results; i++)
			o->results[i].type = scalar;
}

static bool raise_region_field(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	region *body = op_region(to, f->region);
	r->driver->region(r, hlo_attr(from, r->ctx, f->hlo), body, from);
	retype_reducer(r, to, body->first);
	return true;
}

static bool sink_region_field(hlo_sinker *l, const hlo_field *f, const op *o)
{
	put_f(l->at, ", %s=%s", f->hlo, l->driver->region(l, o, f->region));
	return true;
}

const hlo_field_kind field_region = {.raise = raise_region_field, .sink = sink_region_field};

/* ---- collectives ---------------------------------------------------------------- */

static const attr *channel_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	int64_t channel = hlo_attr_number(from, r->ctx, f->hlo, 0);
	const name *names[] = {name_known(r->ctx, N_handle), name_known(r->ctx, N_type)};
	const attr *values[] = {attr_i64(r->ctx, channel), attr_i64(r->ctx, 0)};
	if (!channel)
		return NULL;
	return attr_of(r->ctx, &(attr){.kind = AT_STRUCT,
	                               .text = name_of_z(r->ctx, "stablehlo.channel_handle"),
	                               .list = values, .names = names, .n = 2});
}

static void put_channel_id(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	const attr *number = a && a->kind == AT_STRUCT ? attr_get(a, N_handle) : NULL;
	UNUSED(o);
	if (number && number->kind == AT_INT && number->i > 0)
		sink_number(l, f->hlo, number->i);
}

const hlo_field_kind field_channel = {.value = channel_value, .put = put_channel_id};

/* One row per group; shorter groups are filled up with -1. */
static bool raise_groups(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	enum { MANY = 1 << 24 };
	source src = {.name = "", .text = hlo_attr_text(from, r->ctx, f->hlo), .first_line = 1};
	uint32_t end;
	replica_groups g = {0};
	if (src.text.len && !replica_groups_parse(r->ctx, &src, 0, &end, &g))
		return false;
	int64_t width = g.group_size, at = 0;
	for (int64_t i = 0; width < 0 && i < g.n_groups; i++)
		at = max_i64(at, g.sizes[i]);
	width = width < 0 ? at : width;
	if (g.n_groups && width > MANY / g.n_groups)
		return raise_fail(r, from, "more devices than can be listed");
	int64_t *v = NEW_N(r->mem, int64_t, g.n_groups * width + 1);
	at = 0;
	for (int64_t i = 0; i < g.n_groups; i++)
		for (int64_t k = 0; k < width; k++)
			v[i * width + k] = g.group_size < 0 && k >= g.sizes[i]
			                           ? -1 : device_array_at(&g.devices, at++);
	op_set_attr(r->to, to, f->to[0], raise_matrix(r, v, g.n_groups, width));
	return true;
}

/* Groups given by the axes of a mesh are written as lists of devices. */
static bool sink_groups(hlo_sinker *l, const hlo_field *f, const op *o)
{
	group_table t;
	if (replica_groups_of(l->m, o, l->mem, &t))
		return sink_fail(l, o, "a collective of groups that are not known");
	if (t.n)
		sink_matrix(l, f->hlo, t.ids, (int)(t.n * t.size), t.size);
	return true;
}

const hlo_field_kind field_groups = {.raise = raise_groups, .sink = sink_groups};

/* The split dimension is also the one in which the parts are concatenated. Without a dimension
 * there are several operands: see raise_ops.c. */
static bool raise_split(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	const attr *groups = op_attr(to, N_replica_groups);
	if (!hlo_attr_text(from, r->ctx, f->hlo).len)
		return false;
	const attr *dim = attr_i64(r->ctx, hlo_attr_number(from, r->ctx, f->hlo, 0));
	op_set_attr(r->to, to, f->to[0], dim);
	op_set_attr(r->to, to, f->to[1], dim);
	op_set_attr(r->to, to, f->to[2], attr_i64(r->ctx, groups->type->dims[1]));
	return true;
}

static bool sink_split(hlo_sinker *l, const hlo_field *f, const op *o)
{
	int64_t dim = op_int(o, f->to[0], 0);
	sink_ints(l, f->hlo, &dim, 1);
	return true;
}

const hlo_field_kind field_split = {.raise = raise_split, .sink = sink_split};

/* ---- custom calls --------------------------------------------------------------- */

/* Returns the layout of each leaf of a shape: its dimensions from minor to major. */
static const attr *layouts_of(hlo_raiser *r, const shape *s)
{
	int n;
	const shape **leaves = raise_flat_shapes(r, s, &n);
	const attr **list = NEW_N(r->mem, const attr *, n + 1);
	for (int i = 0; i < n; i++) {
		int64_t order[SHAPE_MAX_RANK] = {0}, rank = leaves[i]->rank;
		for (int d = 0; d < rank; d++)
			order[d] = leaves[i]->layout->minor_to_major[d];
		list[i] = attr_dense(r->ctx, type_tensor(r->ctx, DT_INDEX, &rank, 1), order,
		                     sizeof *order * (size_t)rank, rank == 1);
	}
	return attr_array(r->ctx, list, n);
}

/* A custom call without layout constraints accepts any layout. */
static bool raise_layouts(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	tess_str in = hlo_attr_text(from, r->ctx, f->hlo);
	if (in.len < 2)
		return true;
	writer w; /* {…, …}: parse it as a tuple */
	writer_init(&w, r->mem);
	put_f(&w, "(%.*s)", (int)in.len - 2, in.ptr + 1);
	const shape *s = shape_parse(r->ctx, writer_str(&w));
	if (!s)
		return false;
	op_set_attr(r->to, to, f->to[0], layouts_of(r, s));
	op_set_attr(r->to, to, f->to[1], layouts_of(r, hlo_shape_of(r->ctx, from)));
	return true;
}

/* Writes the operands' shapes with these layouts: one list per operand, minor to major. */
static bool sink_layouts(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = op_attr(o, f->to[0]);
	if (!a || a->kind != AT_ARRAY || a->n != o->n_operands)
		return true;
	put_f(l->at, ", %s={", f->hlo);
	for (int i = 0; i < a->n; i++) {
		put_z(l->at, i ? ", " : "");
		sink_shape_in(l, operand(o, i)->type, a, i);
	}
	put_c(l->at, '}');
	return true;
}

const hlo_field_kind field_layouts = {.raise = raise_layouts, .sink = sink_layouts};

/* StableHLO's operands have other numbers than HLO's, since tuples are split into elements. */
static const attr *aliases_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	UNUSED(r);
	UNUSED(f);
	UNUSED(from);
	return NULL;
}

/* #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, …> */
static void put_aliases(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	static const char *const keys[] = {"output_tuple_indices", "operand_index",
	                                   "operand_tuple_indices"};
	static const char *const around[] = {"{", "}: (", ", {"};
	UNUSED(o);
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++) {
		put_f(l->at, ", %s%s", i ? "" : f->hlo, i ? "" : "={");
		for (int k = 0; k < 3; k++) {
			int n = 0;
			const attr *part = attr_get_named(a->list[i], name_of_z(l->ctx, keys[k]));
			const int64_t *v = part ? attr_ints(l->ctx, part, &n) : NULL;
			put_z(l->at, around[k]);
			if (part && part->kind == AT_INT)
				put_int(l->at, part->i);
			for (int d = 0; part && part->kind != AT_INT && d < n; d++)
				put_f(l->at, "%s%" PRId64, d ? "," : "", v[d]);
		}
		put_z(l->at, i + 1 == a->n ? "})}" : "})");
	}
}

const hlo_field_kind field_aliases = {.value = aliases_value, .put = put_aliases};

static const attr *called_value(hlo_raiser *r, const hlo_field *f, const op *from)
{
	const attr *called = hlo_attr(from, r->ctx, f->hlo);
	return called && called->n ? called : NULL;
}

static void put_called(hlo_sinker *l, const hlo_field *f, const op *o, const attr *a)
{
	for (int i = 0; a && a->kind == AT_ARRAY && i < a->n; i++) {
		const op *fn = a->list[i]->kind == AT_SYMBOL ? module_lookup(l->m, a->list[i]->text)
		                                             : NULL;
		const char *called = fn && !func_is_declaration(fn) ? l->driver->function(l, fn) : NULL;
		if (!called)
			sink_fail(l, o, "a custom call whose called_computations name no function with a body");
		put_f(l->at, ", %s%s%s%s", i ? "" : f->hlo, i ? "" : "={", called ? called : "",
		      i + 1 == a->n ? "}" : "");
	}
}

const hlo_field_kind field_called = {.value = called_value, .put = put_called};

enum { TYPED_FFI = 4 }; /* an API version of custom calls */
static const char *const api_versions[] = {
	"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
	"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

static int api_version(tess_str s)
{
	for (int i = 0; i < COUNT(api_versions); i++)
		if (str_is(s, api_versions[i]))
			return i;
	return 1;
}

/* The options of a typed FFI call are a dictionary, those of all others a string. */
static bool raise_config(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	tess_str config = hlo_attr_text(from, r->ctx, f->hlo);
	int version = api_version(hlo_attr_text(from, r->ctx, "api_version"));
	op_set_attr(r->to, to, f->to[1], attr_i32(r->ctx, version));
	if (!config.len)
		return true;
	tess_str text = raise_unquoted(r, config);
	const attr *a = version == TYPED_FFI
	                        ? r->texts->parse(r->ctx, source_new(r->ctx, f->hlo, text))
	                        : attr_string(r->ctx, name_of(r->ctx, text));
	op_set_attr(r->to, to, f->to[0], a);
	return true;
}

/* Returns the options of a typed FFI call, in JAX an attribute of their own; else the string. */
static const attr *config_of(const op *o, int known)
{
	const attr *apart = op_attr(o, N_mhlo_backend_config);
	return apart && apart->kind == AT_DICT ? apart : op_attr(o, known);
}

static bool sink_config(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = config_of(o, f->to[0]);
	int64_t version = a && a->kind == AT_DICT ? TYPED_FFI : op_int(o, f->to[1], 1);
	if (version < 0 || version >= COUNT(api_versions))
		return false;
	if (version != 1)
		put_f(l->at, ", api_version=%s", api_versions[version]);
	if (!a || (a->kind == AT_STRING && !a->text->len))
		return true;
	put_f(l->at, ", %s=", f->hlo);
	if (a->kind == AT_STRING)
		hlo_put_quoted(l->at, name_str(a->text));
	else
		l->texts->print(l->at, l->ctx, a);
	return true;
}

const hlo_field_kind field_config = {.raise = raise_config, .sink = sink_config};

/* A literal that a call has in addition to its operands. XLA's conversion keeps it as mhlo.literal,
 * dense elements. */
static bool raise_call_literal(hlo_raiser *r, const hlo_field *f, const op *from, op *to)
{
	tess_str text = hlo_attr_text(from, r->ctx, f->hlo);
	if (!text.len)
		return true;
	hlo_reader own = hlo_reader_of(r->ctx, source_new(r->ctx, f->hlo, text));
	const shape *s = hlo_read_shape(&own);
	const attr *a = s ? hlo_read_literal(&own, s) : NULL;
	if (!a || a->kind != AT_DENSE)
		return raise_fail(r, from, "a custom call with a literal that is not the elements of an array");
	raise_attr(r, to, "mhlo.literal", a);
	return true;
}

static bool sink_call_literal(hlo_sinker *l, const hlo_field *f, const op *o)
{
	const attr *a = op_attr_named(o, name_of_z(l->ctx, "mhlo.literal"));
	if (!a || a->kind != AT_DENSE || a->type->kind != TY_TENSOR)
		return true;
	const shape *s = shape_array(l->ctx, a->type->dtype, a->type->dims, a->type->rank, NULL);
	put_f(l->at, ", %s=", f->hlo);
	shape_print(l->at, s, SHAPE_WITH_LAYOUT);
	put_c(l->at, ' ');
	hlo_write_literal(l->at, a, s);
	return true;
}

const hlo_field_kind field_call_literal = {.raise = raise_call_literal, .sink = sink_call_literal};
