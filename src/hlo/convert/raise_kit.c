/* raise_kit.c - helpers of the files that convert HLO to StableHLO. */
#include "hlo/convert/raise.h"

void raise_attr(hlo_raiser *r, op *to, const char *attr_name, const attr *a)
{
	op_set_attr_named(r->to, to, name_of_z(r->ctx, attr_name), a);
}

bool raise_fail(hlo_raiser *r, const op *o, const char *what)
{
	if (!r->failed)
		diag_error(r->ctx, op_place(r->from, o), E_HLO_CONVERT,
		           "%s has no counterpart in StableHLO", what);
	r->failed = true;
	return false;
}

static void flatten(hlo_raiser *r, const shape *s, const shape ***ptr, int *n, int *cap)
{
	if (s->kind != SH_TUPLE) {
		VEC(const shape *) v = {*ptr, *n, *cap};
		vec_push(r->mem, &v, s);
		*ptr = v.ptr, *n = v.len, *cap = v.cap;
		return;
	}
	for (int i = 0; i < s->n_parts; i++)
		flatten(r, s->parts[i], ptr, n, cap);
}

const shape **raise_flat_shapes(hlo_raiser *r, const shape *s, int *n)
{
	const shape **ptr = NULL;
	int cap = 0;
	*n = 0;
	flatten(r, s, &ptr, n, &cap);
	return ptr;
}

const type **flat_types(hlo_raiser *r, const shape *s, int *n)
{
	const shape **shapes = raise_flat_shapes(r, s, n);
	const type **types = NEW_N(r->mem, const type *, *n + 1);
	for (int i = 0; i < *n; i++)
		types[i] = hlo_type(r->ctx, shapes[i]);
	return types;
}

/* The texts of shardings are kept with the operation, as in XLA's own conversion. */
void keep_texts(hlo_raiser *r, const op *from, op *to)
{
	tess_str sharding = hlo_attr_text(from, r->ctx, "sharding");
	tess_str frontend = hlo_attr_text(from, r->ctx, "frontend_attributes");
	if (sharding.len)
		raise_attr(r, to, "mhlo.sharding", attr_string(r->ctx, name_of(r->ctx, sharding)));
	if (frontend.len)
		raise_attr(r, to, "mhlo.frontend_attributes",
		           hlo_dictionary_attr(r->ctx, frontend));
}

op *raise_append(hlo_raiser *r, const op *from, int kind, const name *opname, hlo_leaves operands,
                 const shape *result, int n_regions)
{
	int n;
	const type **types = flat_types(r, result, &n);
	op *o = kind ? op_make(r->to, (op_kind)kind, operands.ptr, operands.n, types, n, n_regions)
	             : op_new(r->to, 0, opname, operands.ptr, operands.n, types, n, n_regions);
	hlo_leaves l = {NEW_N(r->mem, value *, n + 1), n};
	for (int i = 0; i < n; i++)
		l.ptr[i] = &o->results[i];
	build_put(&(builder){.m = r->to, .at = r->at, .like = from}, o);
	op_set_loc(r->to, o, raise_loc(r, from));
	keep_texts(r, from, o);
	raise_set(r, from, l);
	return o;
}

hlo_leaves raise_operand(hlo_raiser *r, const op *o, int i)
{
	const hlo_leaves *l = ptr_map_get(&r->leaves, value_def(operand(o, i)));
	return l ? *l : (hlo_leaves){0};
}

hlo_leaves raise_operands(hlo_raiser *r, const op *o)
{
	VEC(value *) v = {0};
	for (int i = 0; i < hlo_operands(o, r->ctx); i++) {
		hlo_leaves l = raise_operand(r, o, i);
		for (int k = 0; k < l.n; k++)
			vec_push(r->mem, &v, l.ptr[k]);
	}
	return (hlo_leaves){v.ptr, v.len};
}

/* value_given_name() of a value in a block that may not be in a module yet. */
static const name *name_so_far(const hlo_raiser *r, const value *v)
{
	return v->id < (uint32_t)r->to->names.len ? r->to->names.ptr[v->id] : NULL;
}

/* Values have the name of the instruction that makes them. If several operations are appended for
 * one, only the last has it. */
static void name_leaves(hlo_raiser *r, const op *o, hlo_leaves l)
{
	const hlo_leaves *before = ptr_map_get(&r->leaves, o);
	const name *label = value_given_name(result(o, 0));
	for (int i = 0; before && i < before->n; i++)
		if (name_so_far(r, before->ptr[i]) == label)
			value_forget_name(r->to, before->ptr[i]);
	for (int i = 0; label && i < l.n; i++)
		if (!name_so_far(r, l.ptr[i])) /* the elements of a tuple have names already */
			value_set_name(r->to, l.ptr[i], label);
}

void raise_set(hlo_raiser *r, const op *o, hlo_leaves l)
{
	name_leaves(r, o, l);
	hlo_leaves *copy = NEW(r->mem, hlo_leaves);
	copy->n = l.n;
	copy->ptr = arena_copy(r->mem, l.ptr, sizeof *l.ptr * (size_t)l.n);
	*ptr_map_at(&r->leaves, r->mem, o) = copy;
}

int raise_ints(hlo_raiser *r, const op *o, const char *attr_name, int64_t *v, int cap)
{
	return (int)min_i64(max_i64(hlo_attr_numbers(o, r->ctx, attr_name, v, cap), 0), cap);
}

const attr *raise_matrix(hlo_raiser *r, const int64_t *v, int64_t rows, int64_t cols)
{
	int64_t dims[2] = {rows, cols}, n = rows * cols;
	bool splat = n > 0;
	for (int64_t i = 1; i < n; i++)
		splat = splat && v[i] == v[0];
	return attr_dense(r->ctx, type_tensor(r->ctx, DT_I64, dims, 2), v,
	                  sizeof *v * (size_t)(splat ? 1 : n), splat);
}

tess_str raise_unquoted(hlo_raiser *r, tess_str s)
{
	source src = {.name = "", .text = s, .first_line = 1};
	hlo_reader text = hlo_reader_of(r->ctx, &src);
	return s.len && s.ptr[0] == '"' ? hlo_string(&text) : s;
}
