/* op_attrs.c - writes the attributes of an operation: its properties, and the dictionary of the
 * others.
 *
 * Programs repeat few attribute lists, so the result for each list is remembered. */
#include "bytecode/write/write.h"

typedef VEC(named_attr) attr_vec;

/* The result for an attribute list of ops of this kind. */
typedef struct known_list {
	const named_attr *list;
	int kind;
	op_attrs as;
	struct known_list *next;
} known_list;

/* Properties that were written; equal ones share an entry. */
typedef struct known_properties {
	size_t at, n; /* position and size among all of them */
	uint32_t number;
	struct known_properties *next; /* with the same hash */
} known_properties;

/* ---- attributes that are slots ----------------------------------------------------------------- */

static const attr *new_arg_dict(encoder *e, const attr_list *list, const sharding *s)
{
	int n = list->n + (s != NULL);
	const name **names = NEW_N(e->mem, const name *, n);
	const attr **values = NEW_N(e->mem, const attr *, n);
	for (int k = 0; k < list->n; k++) {
		names[k] = list->ptr[k].name;
		values[k] = list->ptr[k].value;
	}
	if (s) {
		names[list->n] = name_known(e->ctx, N_sdy_sharding);
		values[list->n] = attr_sharding(e->ctx, s);
	}
	return attr_dict(e->ctx, names, values, n);
}

/* Returns the attributes of an argument or result; most are only a sharding, often shared. */
static const attr *arg_dict(encoder *e, const attr_list *list, const sharding *s)
{
	if (list->n)
		return new_arg_dict(e, list, s);
	const attr *known = ptr_map_get(&e->dicts_of_shardings, s ? (const void *)s : e);
	if (!known) {
		known = new_arg_dict(e, list, s);
		*ptr_map_at(&e->dicts_of_shardings, e->mem, s ? (const void *)s : e) = (void *)known;
	}
	return known;
}

/* Returns the list for a function's arguments or results; NULL if none has attributes. */
static const attr *dicts_of(encoder *e, const attr_list *lists, const sharding *const *shardings,
                            const block *args, int n)
{
	const attr **dicts = NEW_N(e->mem, const attr *, n);
	bool any = false;
	for (int i = 0; i < n; i++) {
		const sharding *s = shardings                  ? shardings[i]
		                    : args && i < args->n_args ? args->args[i]->sharding
		                                               : NULL;
		dicts[i] = arg_dict(e, &lists[i], s);
		any |= dicts[i]->n > 0;
	}
	return any ? attr_array(e->ctx, dicts, n) : NULL;
}

/* Returns the shardings of all results; a missing one is fully open, on the mesh of the others. */
static const attr *result_shardings_of(encoder *e, const op *o)
{
	const sharding **list = NEW_N(e->mem, const sharding *, o->n_results);
	mesh_ref mesh = {0};
	bool any = false;
	for (int i = 0; i < o->n_results; i++) {
		list[i] = o->results[i].sharding;
		if (list[i] && !any)
			mesh = list[i]->mesh;
		any |= list[i] != NULL;
	}
	for (int i = 0; any && i < o->n_results; i++)
		if (!list[i])
			list[i] = sharding_open(e->ctx, mesh, o->results[i].type->rank);
	return any ? attr_shardings(e->ctx, list, o->n_results) : NULL;
}

/* Returns an inherent attribute, wherever the IR stores it; NULL if absent. */
static const attr *inherent(encoder *e, const op *o, int known)
{
	const func *f = op_func(o);
	if (f && known == N_function_type)
		return attr_type(e->ctx, f->type);
	if (f && known == N_arg_attrs)
		return dicts_of(e, f->arg_attrs, NULL, op_body(o), f->type->n_in);
	if (f && known == N_res_attrs)
		return dicts_of(e, f->result_attrs, f->result_shardings, NULL, f->type->n_out);
	int slot = op_sharding_attr(o->kind);
	if (known == slot && slot != N_sdy_sharding && o->n_results == 1 && o->results[0].sharding)
		return attr_sharding(e->ctx, o->results[0].sharding);
	return op_attr(o, known);
}

/* ---- inherent and other attributes ---------------------------------------------------------- */

static bool versioned_name(const vhlo_row *row, const name *n)
{
	for (const vhlo_attr *a = row->attrs; a->name != N_empty; a++)
		if (name_is(n, a->into) && a->how != VHLO_LOST)
			return true;
	return false;
}

/* Since version 5, an inherent attribute is a property. */
static void part_add(encoder *e, attr_vec *dict, bool in_dict, int known, const attr *a, form f, bool needed)
{
	if (in_dict && a)
		vec_push(e->mem, dict, (named_attr){name_known(e->ctx, known), a});
	if (in_dict)
		return;
	uint64_t n = a ? attr_number(e, f, a) : 0;
	if (needed)
		put_number(&e->property, n);
	else
		put_flagged(&e->property, n, a != NULL);
}

static void part_versioned(encoder *e, const op *o, const vhlo_row *row, attr_vec *dict)
{
	bool in_dict = e->version < 5;
	int number = vhlo_form_for(&e->coder, row, o, e->target);
	for (const vhlo_attr *a = row->attrs; a->name != N_empty && !e->failed; a++) {
		if (!vhlo_has(a, number))
			continue;
		const attr *slot = op_func(o) ? inherent(e, o, a->into) : NULL;
		const attr *v = slot ? slot : vhlo_from_stablehlo(&e->coder, row, a, o);
		if (v)
			part_add(e, dict, in_dict, a->name, v, VERSIONED, true);
	}
}

/* A reader without the dialect expects a single attribute as properties, and accepts any
 * dictionary. So ops of dialects that only StableHLO's own tools know have no properties. */
static bool is_of_tools(const op *o)
{
	tess_str s = str_of(op_name(o));
	return str_starts(s, "interpreter.") || str_starts(s, "check.");
}

/* If there are no inherent attributes, no properties are written: their layout differs between
 * MLIR's versions. */
static void part_plain(encoder *e, const op *o, attr_vec *dict)
{
	bool in_dict = e->version < 5 || is_of_tools(o), any = false;
	property_rows rows = code_property_rows(e->ctx, o->kind, (uint64_t)e->version);
	for (int i = 0; i < rows.n; i++) {
		const attr_row *row = rows.rows[i];
		const attr *a = inherent(e, o, row->name);
		if (row->needed && !a)
			e->coder.fail(&e->coder, "%s has no %s", op_name(o),
			              name_known(e->ctx, row->name)->s);
		part_add(e, dict, in_dict, row->name, a, PLAIN, row->needed);
		any |= a != NULL;
	}
	if (!any && !rows.n_sizes)
		e->property.len = 0;
}

/* Returns the number of the dictionary plus one; 0 if it is empty. */
static uint32_t dict_number(encoder *e, const attr_vec *v, form f)
{
	int n = v->len;
	if (!n)
		return 0;
	const name **names = NEW_N(e->mem, const name *, n);
	const attr **values = NEW_N(e->mem, const attr *, n);
	for (int i = 0; i < n; i++) {
		names[i] = v->ptr[i].name;
		values[i] = v->ptr[i].value;
	}
	const attr *dict = attr_dict(e->ctx, names, values, n);
	return 1 + (f == PLAIN ? attr_number(e, PLAIN, dict) : mixed_dict_number(e, dict));
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Since version 6, the sizes of groups are plain numbers. */
static void put_sizes(encoder *e, const op *o)
{
	static const int sizes[] = {N_operandSegmentSizes, N_resultSegmentSizes};
	for (int k = 0; k < COUNT(sizes); k++) {
		const attr *a = e->version >= 6 ? op_attr(o, sizes[k]) : NULL;
		if (a)
			put_flagged(&e->property, (uint64_t)a->n, false);
		for (int i = 0; a && i < a->n; i++) {
			int32_t v;
			memcpy(&v, (const char *)a->data + 4 * i, sizeof v);
			put_number(&e->property, (uint64_t)v);
		}
	}
}

/* Returns the number of what e->property contains, plus one. */
static uint32_t property_number(encoder *e)
{
	tess_str s = writer_str(&e->property);
	uint64_t h = hash_bytes(s.ptr, s.len, 0) | 1;
	known_properties **slot = (known_properties **)ptr_map_at(&e->property_numbers, e->mem,
	                                                          (void *)(uintptr_t)h);
	for (known_properties *k = *slot; k; k = k->next)
		if (str_eq(s, (tess_str){e->properties.ptr + k->at, k->n}))
			return k->number;
	known_properties *k = NEW(e->mem, known_properties);
	put_number(&e->properties, s.len);
	*k = (known_properties){e->properties.len, s.len, ++e->n_properties, *slot};
	put_str(&e->properties, s);
	*slot = k;
	return k->number;
}

/* ---- operations ------------------------------------------------------------------------------- */

static op_attrs new_op_attrs(encoder *e, const op *o, const vhlo_row *row)
{
	attr_vec dict = {0};
	e->property.len = 0;
	if (row)
		part_versioned(e, o, row, &dict);
	else
		part_plain(e, o, &dict);
	for (int i = 0; i < o->attrs.n; i++) {
		named_attr a = o->attrs.ptr[i];
		bool known = row ? versioned_name(row, a.name) : op_attr_row(o->kind, a.name) != NULL;
		if (name_is(a.name, N_empty))
			e->coder.fail(&e->coder, "the properties of %s cannot be written", op_name(o));
		if (!known)
			vec_push(e->mem, &dict, a);
	}
	const attr *shardings = op_sharding_attr(o->kind) == N_sdy_sharding
	                            ? result_shardings_of(e, o) : NULL;
	if (shardings)
		vec_push(e->mem, &dict,
		         (named_attr){name_known(e->ctx, N_sdy_sharding), shardings});
	if (e->failed)
		return (op_attrs){0};
	put_sizes(e, o);
	return (op_attrs){e->property.len ? property_number(e) : 0,
	                  dict_number(e, &dict, row ? VERSIONED : PLAIN)};
}

/* True if the op's attributes are its list, and nothing else. */
static bool has_list_only(const op *o)
{
	for (int i = 0; i < (int)o->n_results; i++)
		if (o->results[i].sharding)
			return false;
	return o->kind != OP_UNKNOWN && !op_func(o);
}

static const known_list *known_list_of(encoder *e, const op *o, const vhlo_row *row)
{
	known_list *first = ptr_map_get(&e->lists, o->attrs.ptr);
	for (known_list *k = first; k; k = k->next)
		if (k->kind == o->kind)
			return k;
	known_list *k = NEW(e->mem, known_list);
	*k = (known_list){o->attrs.ptr, o->kind, new_op_attrs(e, o, row), first};
	*ptr_map_at(&e->lists, e->mem, o->attrs.ptr) = k;
	return k;
}

op_attrs op_attrs_number(encoder *e, const op *o, const vhlo_row *row)
{
	if (!has_list_only(o))
		return new_op_attrs(e, o, row);
	if (!o->attrs.n) {
		op_attrs *known = &e->of_kind[o->kind];
		if (UNLIKELY(known->properties == UINT32_MAX))
			*known = new_op_attrs(e, o, row);
		return *known;
	}
	const known_list **seen = &e->lists_seen[((uintptr_t)o->attrs.ptr / 16 + o->kind) % RECENT];
	if (!*seen || (*seen)->list != o->attrs.ptr || (*seen)->kind != o->kind)
		*seen = known_list_of(e, o, row);
	return (*seen)->as;
}

void op_attrs_init(encoder *e)
{
	e->of_kind = NEW_N(e->mem, op_attrs, OP_COUNT);
	for (int i = 0; i < OP_COUNT; i++)
		e->of_kind[i].properties = UINT32_MAX;
	writer_init(&e->property, e->mem);
	writer_init(&e->properties, e->mem);
}
