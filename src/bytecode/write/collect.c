/* collect.c - what each operation refers to, before anything is written.
 *
 * Properties are kept as lists of attributes until those have numbers.  Programs repeat few lists of
 * attributes, so what a list was written as is remembered. */
#include "bytecode/write/write.h"

/* An op's attributes, apart: those that have a place of their own, and the others. */
typedef struct parted {
	VEC(property) properties;
	VEC(named_attr) dict;
} parted;

/* What a list of attributes of ops of this kind was written as. */
typedef struct known_list {
	int kind;
	uint32_t properties;
	const numbered *dict;
	struct known_list *next;
} known_list;

typedef VEC(int) int_list;

form value_form(const encoder *e, const value *v)
{
	const op *o = v->is_arg ? block_parent(value_owner(v)) : value_def(v);
	return op_form(e, o);
}

/* ---- attributes that are slots ----------------------------------------------------------------- */

/* The list of a function's arguments or results; NULL: none has an attribute. */
static const attr *dicts_of(encoder *e, const attr_list *lists, const sharding *const *shardings,
                            const block *args, int n)
{
	const attr **dicts = NEW_N(e->mem, const attr *, n);
	bool any = false;
	for (int i = 0; i < n; i++) {
		const sharding *s = shardings                  ? shardings[i]
		                    : args && i < args->n_args ? args->args[i]->sharding
		                                               : NULL;
		int k = 0, len = lists[i].n + (s != NULL);
		const name **names = NEW_N(e->mem, const name *, len);
		const attr **values = NEW_N(e->mem, const attr *, len);
		for (; k < lists[i].n; k++) {
			names[k] = lists[i].ptr[k].name;
			values[k] = lists[i].ptr[k].value;
		}
		if (s) {
			names[k] = name_known(e->ctx, N_sdy_sharding);
			values[k] = attr_sharding(e->ctx, s);
		}
		any |= len > 0;
		dicts[i] = attr_dict(e->ctx, names, values, len);
	}
	return any ? attr_array(e->ctx, dicts, n) : NULL;
}

/* The shardings of all results, those that have none open on the mesh of the others. */
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

static bool has_shardings(const op *o)
{
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].sharding)
			return true;
	return false;
}

/* An inherent attribute, wherever the IR has it; NULL: it is not there. */
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

/* ---- apart ---------------------------------------------------------------------------------------- */

static bool versioned_name(const vhlo_row *row, const name *n)
{
	for (const vhlo_attr *a = row->attrs; a->name != N_empty; a++)
		if (name_is(n, a->into) && a->how != VHLO_LOST)
			return true;
	return false;
}

static void part_add(encoder *e, parted *p, bool in_dict, int known, const attr *a, form f, bool needed)
{
	if (in_dict && a)
		vec_push(e->mem, &p->dict, (named_attr){name_known(e->ctx, known), a});
	if (!in_dict)
		vec_push(e->mem, &p->properties,
		         (property){a ? attr_number(e, f, a) : NULL, needed});
}

static void part_versioned(encoder *e, const op *o, const vhlo_row *row, parted *p)
{
	bool in_dict = e->version < 5;
	int number = vhlo_form_for(&e->coder, row, o, e->target);
	for (const vhlo_attr *a = row->attrs; a->name != N_empty && !e->failed; a++) {
		if (!vhlo_has(a, number))
			continue;
		const attr *slot = op_func(o) ? inherent(e, o, a->into) : NULL;
		const attr *v = slot ? slot : vhlo_from_stablehlo(&e->coder, row, a, o);
		if (v)
			part_add(e, p, in_dict, a->name, v, VERSIONED, true);
	}
}

/* A reader without the dialect takes properties for one attribute, and a dictionary as it is: dialects
 * that only StableHLO's own tools have are written for both. */
static bool is_of_tools(const op *o)
{
	tess_str s = str_of(op_name(o));
	return str_starts(s, "interpreter.") || str_starts(s, "check.");
}

static void part_plain(encoder *e, const op *o, parted *p)
{
	bool in_dict = e->version < 5 || is_of_tools(o);
	property_rows rows = code_property_rows(e->ctx, o->kind, (uint64_t)e->version);
	for (int i = 0; i < rows.n; i++) {
		const attr_row *row = rows.rows[i];
		const attr *a = inherent(e, o, row->name);
		if (row->needed && !a)
			e->coder.fail(&e->coder, "%s has no %s", op_name(o),
			              name_known(e->ctx, row->name)->s);
		part_add(e, p, in_dict, row->name, a, PLAIN, row->needed);
	}
}

static const numbered *dict_number(encoder *e, const parted *p, form f)
{
	int n = p->dict.len;
	const name **names = NEW_N(e->mem, const name *, n);
	const attr **values = NEW_N(e->mem, const attr *, n);
	for (int i = 0; i < n; i++) {
		names[i] = p->dict.ptr[i].name;
		values[i] = p->dict.ptr[i].value;
	}
	if (!n)
		return NULL;
	/* The dictionary itself is MLIR's own; what it holds may be VHLO's. */
	field *fields = NEW_N(e->mem, field, 1);
	const attr *dict = attr_dict(e->ctx, names, values, n);
	if (f == PLAIN)
		return attr_number(e, PLAIN, dict);
	numbered *d = ptr_map_get(&e->mixed, dict);
	if (d)
		return d;
	d = NEW(e->mem, numbered);
	*ptr_map_at(&e->mixed, e->mem, dict) = d;
	d->row = code_row_of(CODES_BUILTIN, false, 1);
	d->dialect = dialect_number(e, STR("builtin"));
	d->form = VERSIONED;
	d->fields = fields;
	const attr **keys = NEW_N(e->mem, const attr *, n);
	for (int i = 0; i < n; i++) {
		keys[i] = attr_string(e->ctx, dict->names[i]);
		attr_number(e, PLAIN, keys[i]);
		attr_number(e, VERSIONED, dict->list[i]);
	}
	fields[0] = (field){.present = true, .n = n, .list = keys, .pairs = dict->list};
	d->mixed = true;
	vec_push(e->mem, &e->dialects.ptr[d->dialect].attrs, d);
	return d;
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Equal properties are one entry. */
static uint32_t properties_number(encoder *e, const op *o, const parted *p)
{
	bool sizes = e->version >= 6 && (op_attr(o, N_operandSegmentSizes) || op_attr(o, N_resultSegmentSizes));
	if (!p->properties.len && !sizes)
		return 0;
	property_list *l = NEW(e->mem, property_list);
	l->ptr = p->properties.ptr;
	l->n = p->properties.len;
	l->sizes_of = sizes ? o : NULL;
	uint64_t h = hash_bytes(l->ptr, sizeof *l->ptr * (size_t)l->n, (uint64_t)(sizes ? o->id + 1 : 0));
	h |= 1;
	property_list **slot = (property_list **)ptr_map_at(&e->property_numbers, e->mem,
	                                                    (void *)(uintptr_t)h);
	for (property_list *old = *slot; old && !sizes; old = old->same)
		if (old->n == l->n && !memcmp(old->ptr, l->ptr, sizeof *l->ptr * (size_t)l->n))
			return old->number + 1;
	l->same = *slot;
	*slot = l;
	l->number = (uint32_t)e->properties.len;
	vec_push(e->mem, &e->properties, l);
	return l->number + 1;
}

static void put_sizes(writer *w, const attr *a)
{
	put_flagged(w, (uint64_t)a->n, false);
	for (int i = 0; i < a->n; i++) {
		int32_t v;
		memcpy(&v, (const char *)a->data + 4 * i, sizeof v);
		put_number(w, (uint64_t)v);
	}
}

void properties_write(encoder *e, writer *w)
{
	put_number(w, (uint64_t)e->properties.len);
	writer one;
	writer_init(&one, e->mem);
	for (int i = 0; i < e->properties.len; i++) {
		const property_list *l = e->properties.ptr[i];
		one.len = 0;
		for (int k = 0; k < l->n; k++) {
			const property *p = &l->ptr[k];
			uint64_t v = p->attr ? p->attr->number : 0;
			if (p->needed)
				put_number(&one, v);
			else
				put_flagged(&one, v, p->attr != NULL);
		}
		static const int sizes[] = {N_operandSegmentSizes, N_resultSegmentSizes};
		for (int k = 0; l->sizes_of && k < COUNT(sizes); k++)
			if (op_attr(l->sizes_of, sizes[k]))
				put_sizes(&one, op_attr(l->sizes_of, sizes[k]));
		put_number(w, one.len);
		put_mem(w, one.ptr, one.len);
	}
}

/* ---- operations ------------------------------------------------------------------------------- */

static uint32_t name_of_op(encoder *e, const op *o, const vhlo_row *row, int form)
{
	if (!row && o->kind != OP_UNKNOWN) {
		uint32_t *n = &e->op_name_numbers[o->kind];
		if (!*n)
			*n = 1 + op_name_number(e, name_of_z(e->ctx, op_name(o)), true);
		return *n - 1;
	}
	if (!row)
		return op_name_number(e, name_of_z(e->ctx, op_name(o)), false);
	arena_mark mark = arena_here(e->mem);
	const name *n = name_of_z(e->ctx, arena_printf(e->mem, "vhlo.%s_v%d", row->name, form));
	arena_back(e->mem, mark);
	return op_name_number(e, n, true);
}

static void part_attrs(encoder *e, const op *o, const vhlo_row *row, op_facts *f)
{
	parted p = {0};
	form form = row ? VERSIONED : PLAIN;
	if (row)
		part_versioned(e, o, row, &p);
	else
		part_plain(e, o, &p);
	for (int i = 0; i < o->attrs.n; i++) {
		named_attr a = o->attrs.ptr[i];
		bool known = row ? versioned_name(row, a.name) : op_attr_row(o->kind, a.name) != NULL;
		if (name_is(a.name, N_empty))
			e->coder.fail(&e->coder, "the properties of %s cannot be written", op_name(o));
		if (!known)
			vec_push(e->mem, &p.dict, a);
	}
	const attr *shardings = op_sharding_attr(o->kind) == N_sdy_sharding
	                            ? result_shardings_of(e, o) : NULL;
	if (shardings)
		vec_push(e->mem, &p.dict,
		         (named_attr){name_known(e->ctx, N_sdy_sharding), shardings});
	if (e->failed)
		return;
	f->properties = properties_number(e, o, &p);
	f->dict = dict_number(e, &p, form);
}

/* Lists repeat: what one was written as for an op of the same kind serves again. */
static void attrs_of_op(encoder *e, const op *o, const vhlo_row *row, op_facts *f)
{
	bool shared = !op_func(o) && !has_shardings(o) && o->attrs.n;
	known_list **slot = NULL;
	if (!o->attrs.n && !row && !op_func(o) && !has_shardings(o) && !op_attr_rows(o->kind)->kind)
		return;
	if (shared)
		slot = (known_list **)ptr_map_at(&e->lists, e->mem, o->attrs.ptr);
	for (known_list *k = slot ? *slot : NULL; k; k = k->next)
		if (k->kind == o->kind) {
			f->properties = k->properties;
			f->dict = k->dict;
			return;
		}
	part_attrs(e, o, row, f);
	if (!shared || e->failed)
		return;
	known_list *k = NEW(e->mem, known_list);
	slot = (known_list **)ptr_map_at(&e->lists, e->mem, o->attrs.ptr);
	*k = (known_list){o->kind, f->properties, f->dict, *slot};
	*slot = k;
}

/* VHLO's operations take and give its types, all others those of the program. */
static void collect_types(encoder *e, const op *o, form f)
{
	for (int i = 0; i < o->n_results; i++)
		type_number(e, f, o->results[i].type);
	for (int i = 0; i < o->n_operands; i++)
		if (e->opts->portable && value_form(e, operand(o, i)) != f) {
			type_number(e, f, operand(o, i)->type);
			if (!e->cast_name)
				e->cast_name = 1 + op_name_number(
				    e, name_of_z(e->ctx, "builtin.unrealized_conversion_cast"), true);
		}
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++) {
				const attr *loc = value_loc(b->args[i]);
				type_number(e, f, b->args[i]->type);
				if (loc)
					attr_number(e, PLAIN, loc);
			}
}

static void collect_op(encoder *e, const op *o)
{
	e->here = o;
	op_facts f = {.vhlo = e->opts->portable ? vhlo_row_of(o->kind) : NULL, .o = o, .span = 1};
	int number = f.vhlo ? vhlo_form_for(&e->coder, f.vhlo, o, e->target) : 0;
	const attr *loc = op_loc(o);
	f.loc = loc ? attr_number(e, PLAIN, loc) : e->unknown_loc;
	if (!e->failed) {
		f.name = name_of_op(e, o, f.vhlo, number);
		attrs_of_op(e, o, f.vhlo, &f);
		collect_types(e, o, f.vhlo ? VERSIONED : PLAIN);
	}
	vec_push(e->mem, &e->facts, f);
}

/* Those that o is not within are complete. */
static void close_ops(encoder *e, int_list *open, const op *around)
{
	while (open->len && e->facts.ptr[open->ptr[open->len - 1]].o != around) {
		int i = open->ptr[--open->len];
		e->facts.ptr[i].span = e->facts.len - i;
	}
}

bool collect_ops(encoder *e)
{
	int_list open = {0};
	e->unknown_loc = attr_number(e, PLAIN, attr_loc_unknown(e->ctx));
	e->op_name_numbers = NEW_N(e->mem, uint32_t, OP_COUNT);
	const op *top = e->m->top;
	for (const op *o = top; o && !e->failed; o = op_next(o, top)) {
		PREFETCH(o->next);
		if (o != top)
			close_ops(e, &open, op_parent(o));
		if (op_n_regions(o))
			vec_push(e->mem, &open, e->facts.len);
		collect_op(e, o);
	}
	close_ops(e, &open, NULL);
	e->here = NULL;
	return !e->failed;
}
