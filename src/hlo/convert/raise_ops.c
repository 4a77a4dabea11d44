/* raise_ops.c - instructions whose conversion to StableHLO is more than a row of ops.def: those
 * that disappear, those that call, and those that are kept. */
#include "hlo/convert/fields.h"

/* ---- instructions that disappear ------------------------------------------------------------ */

/* Returns the number of leaves before part `index`. */
static int64_t leaves_before(const shape *s, int64_t index)
{
	int64_t n = 0;
	if (s->flat)
		return min_i64(index, s->n_parts);
	for (int64_t i = 0; i < index && i < s->n_parts; i++)
		n += shape_leaves(s->parts[i]);
	return n;
}

/* An element of a tuple is a range of its leaves. */
static void raise_element(hlo_raiser *r, const op *o)
{
	hlo_leaves all = raise_operand(r, o, 0);
	const shape *s = hlo_shape_of(r->ctx, value_def(operand(o, 0)));
	int64_t index = hlo_attr_number(o, r->ctx, "index", 0), first = leaves_before(s, index);
	int64_t n = shape_leaves(hlo_shape_of(r->ctx, o));
	if (first + n > all.n)
		raise_fail(r, o, "an element of what has become one value");
	else
		raise_set(r, o, (hlo_leaves){all.ptr + first, (int)n});
}

/* Creates one constant for each leaf. */
static void raise_literal(hlo_raiser *r, const op *o, const attr *a, const shape *s,
                          hlo_leaves *out)
{
	if (s->kind == SH_TUPLE) {
		for (int i = 0; i < s->n_parts; i++)
			raise_literal(r, o, a->kind == AT_ARRAY ? a->list[i] : a, s->parts[i], out);
		return;
	}
	bool known = a->kind == AT_DENSE; /* else the text left the elements out */
	op *c = raise_append(r, o, known ? OP_CONSTANT : 0, op_own_name(o), (hlo_leaves){0}, s, 0);
	raise_attr(r, c, known ? "value" : "hlo.literal", a);
	out->ptr[out->n++] = result(c, 0);
}

static void raise_constant(hlo_raiser *r, const op *o)
{
	const shape *s = hlo_shape_of(r->ctx, o);
	hlo_leaves out = {NEW_N(r->mem, value *, shape_leaves(s) + 1), 0};
	raise_literal(r, o, hlo_attr(o, r->ctx, "hlo.literal"), s, &out);
	raise_set(r, o, out);
}

/* True if elements of one type can be reinterpreted as the other: numbers of the same width. */
static bool dtypes_interchange(dtype a, dtype b)
{
	bool numbers = (dtype_is_int(a) || dtype_is_float(a)) &&
	               (dtype_is_int(b) || dtype_is_float(b)) && a != DT_I1 && b != DT_I1;
	return a == b || (numbers && dtype_bits(a) == dtype_bits(b));
}

/* Returns the operand of a bitcast, with its elements reinterpreted; `retyped` is its shape with
 * the dtype of the result. */
static hlo_leaves raise_bitcast_operand(hlo_raiser *r, const op *o, const shape *from,
                                        const shape *retyped)
{
	if (from->dtype == retyped->dtype)
		return raise_operands(r, o);
	op *c = raise_append(r, o, OP_BITCAST_CONVERT, NULL, raise_operands(r, o), retyped, 0);
	hlo_leaves l = {NEW_N(r->mem, value *, 1), 1};
	l.ptr[0] = result(c, 0);
	return l;
}

/* A bitcast is a reshape or a transpose that moves nothing in these layouts, possibly after
 * reinterpreting the elements. */
static bool raise_bitcast(hlo_raiser *r, const op *o)
{
	int perm[SHAPE_MAX_RANK];
	int64_t wide[SHAPE_MAX_RANK];
	const shape *from = hlo_shape_of(r->ctx, value_def(operand(o, 0))),
		    *to = hlo_shape_of(r->ctx, o);
	if (from->kind != SH_ARRAY || to->kind != SH_ARRAY ||
	    !dtypes_interchange(from->dtype, to->dtype))
		return false;
	shape retyped = *from;
	retyped.dtype = to->dtype;
	bool reshapes = reshape_is_bitcast(&retyped, to);
	if (!reshapes && (!transpose_from_layouts(&retyped, to, perm) ||
	                  !transpose_is_bitcast(&retyped, to, perm)))
		return false;
	hlo_leaves in = raise_bitcast_operand(r, o, from, &retyped);
	if (from->dtype != to->dtype && shape_same(&retyped, to, 0))
		return true;
	op *moved = raise_append(r, o, reshapes ? OP_RESHAPE : OP_TRANSPOSE, NULL, in, to, 0);
	for (int i = 0; i < to->rank && !reshapes; i++)
		wide[i] = perm[i];
	if (!reshapes)
		raise_attr(r, moved, "permutation", attr_i64_array(r->ctx, wide, to->rank));
	return true;
}

/* ---- calls and control flow ----------------------------------------------------------------- */

/* Calls the function that the computation became; for a fusion, its kind is kept. */
static void raise_call(hlo_raiser *r, const op *o, const char *attr_name)
{
	op *call = raise_append(r, o, OP_FUNC_CALL, NULL, raise_operands(r, o),
	                        hlo_shape_of(r->ctx, o), 0);
	tess_str kind = hlo_attr_text(o, r->ctx, "kind");
	raise_attr(r, call, "callee", hlo_attr(o, r->ctx, attr_name));
	if (kind.len)
		raise_attr(r, call, "hlo.fusion", attr_string(r->ctx, name_of(r->ctx, kind)));
}

static void raise_while(hlo_raiser *r, const op *o)
{
	op *to = raise_append(r, o, OP_WHILE, NULL, raise_operands(r, o), hlo_shape_of(r->ctx, o),
	                      2);
	int64_t trips = r->facts ? hlo_known_trips(o, r->ctx) : 0;
	if (trips)
		raise_attr(r, to, "hlo.trip_count", attr_i64(r->ctx, trips));
	r->driver->region(r, hlo_attr(o, r->ctx, "condition"), op_region(to, 0), o);
	r->driver->region(r, hlo_attr(o, r->ctx, "body"), op_region(to, 1), o);
}

/* Branches take no arguments: they use their operand from outside. */
static void raise_conditional(hlo_raiser *r, const op *o)
{
	const attr *list = hlo_attr(o, r->ctx, "branch_computations");
	const attr *two[] = {hlo_attr(o, r->ctx, "true_computation"),
	                     hlo_attr(o, r->ctx, "false_computation")};
	const attr *const *branches = list ? list->list : two;
	int n = list ? list->n : 2;
	if (hlo_operands(o, r->ctx) != n + 1 || !branches[0] || !branches[n - 1]) {
		raise_fail(r, o, "a conditional with other branches than operands");
		return;
	}
	op *to = raise_append(r, o, list ? OP_CASE : OP_IF, NULL, raise_operand(r, o, 0),
	                      hlo_shape_of(r->ctx, o), n);
	for (int i = 0; i < n && !r->failed; i++)
		r->driver->captured_region(r, branches[i], op_region(to, i), raise_operand(r, o, i + 1));
}

/* ---- slices and start indices --------------------------------------------------------------- */

/* Appends an intermediate operation; only the last one gets the instruction's texts. */
static op *raise_step(hlo_raiser *r, const op *o, op_kind kind, hlo_leaves in, const shape *to)
{
	op *made = raise_append(r, o, kind, NULL, in, to, 0);
	raise_attr(r, made, "mhlo.sharding", NULL);
	raise_attr(r, made, "mhlo.frontend_attributes", NULL);
	return made;
}

static value *raise_reshaped(hlo_raiser *r, const op *o, value *v, const shape *to)
{
	return result(raise_step(r, o, OP_RESHAPE, (hlo_leaves){&v, 1}, to), 0);
}

/* Returns row i of an array, with a first dimension of 1. */
static value *raise_row(hlo_raiser *r, const op *o, value *rows, const shape *row, int64_t i)
{
	int64_t start[SHAPE_MAX_RANK] = {i}, limit[SHAPE_MAX_RANK] = {i + 1},
		step[SHAPE_MAX_RANK] = {1};
	for (int d = 1; d < row->rank; d++) {
		limit[d] = row->dims[d];
		step[d] = 1;
	}
	op *slice = raise_step(r, o, OP_SLICE, (hlo_leaves){&rows, 1}, row);
	raise_attr(r, slice, "start_indices", attr_i64_array(r->ctx, start, row->rank));
	raise_attr(r, slice, "limit_indices", attr_i64_array(r->ctx, limit, row->rank));
	raise_attr(r, slice, "strides", attr_i64_array(r->ctx, step, row->rank));
	return result(slice, 0);
}

hlo_leaves raise_start_indices(hlo_raiser *r, const op *o, int i)
{
	hlo_leaves all = raise_operands(r, o);
	const type *sliced = all.n ? all.ptr[0]->type : NULL;
	const type *t = all.n == i + 1 ? all.ptr[i]->type : NULL;
	if (!t || !type_is_tensor(t) || t->rank != 1 || !type_is_tensor(sliced))
		return all;
	const shape *vector = hlo_shape_of(r->ctx, value_def(operand(o, i)));
	if (t->dims[0] != sliced->rank || vector->kind != SH_ARRAY) {
		raise_fail(r, o, "a vector with another number of start indices than the array has "
		                 "dimensions");
		return all;
	}
	const shape *one = shape_array(r->ctx, vector->dtype, (int64_t[]){1}, 1, NULL);
	const shape *scalar = shape_array(r->ctx, vector->dtype, NULL, 0, NULL);
	hlo_leaves out = {NEW_N(r->mem, value *, i + sliced->rank + 1), i + sliced->rank};
	for (int k = 0; k < i; k++)
		out.ptr[k] = all.ptr[k];
	for (int k = 0; k < sliced->rank; k++) {
		value *element = sliced->rank == 1 ? all.ptr[i] : raise_row(r, o, all.ptr[i], one, k);
		out.ptr[i + k] = raise_reshaped(r, o, element, scalar);
	}
	return out;
}

/* ---- random numbers ------------------------------------------------------------------------- */

/* In StableHLO, rng(a, b) has its shape as a third operand. */
static void raise_rng(hlo_raiser *r, const op *o)
{
	const shape *s = hlo_shape_of(r->ctx, o);
	const shape *dims = shape_array(r->ctx, DT_I64, (int64_t[]){s->rank}, 1, NULL);
	tess_str word = hlo_attr_text(o, r->ctx, "distribution");
	bool uniform = str_is(word, "rng_uniform");
	hlo_leaves ab = raise_operands(r, o);
	if (ab.n != 2 || (!uniform && !str_is(word, "rng_normal"))) {
		raise_fail(r, o, "a random number of this distribution");
		return;
	}
	op *c = raise_step(r, o, OP_CONSTANT, (hlo_leaves){0}, dims);
	raise_attr(r, c, "value",
	           attr_dense(r->ctx, hlo_type(r->ctx, dims), s->dims,
	                      sizeof *s->dims * (size_t)s->rank, false));
	value *operands[] = {ab.ptr[0], ab.ptr[1], result(c, 0)};
	op *to = raise_append(r, o, OP_RNG, NULL, (hlo_leaves){operands, 3}, s, 0);
	raise_attr(
		r, to, "rng_distribution",
		attr_enum(r->ctx, "stablehlo", "rng_distribution", uniform ? "UNIFORM" : "NORMAL"));
}

/* ---- all-to-all with several operands ------------------------------------------------------- */

/* Returns the shape with another first dimension; n 0: without it. */
static const shape *as_rows(hlo_raiser *r, const shape *s, int64_t n)
{
	int64_t dims[SHAPE_MAX_RANK] = {n};
	memcpy(dims + 1, s->dims, sizeof *dims * (size_t)s->rank);
	return shape_array(r->ctx, s->dtype, dims, s->rank + 1, NULL);
}

/* Operand i goes to device i of the group: operands become the rows of an array to exchange. */
static bool raise_exchange(hlo_raiser *r, const op *o)
{
	hlo_leaves in = raise_operands(r, o), out = {NEW_N(r->mem, value *, in.n + 1), in.n};
	const shape *each = in.n ? hlo_shape_of(r->ctx, value_def(operand(o, 0))) : NULL;
	if (!each || each->kind != SH_ARRAY || each->rank == SHAPE_MAX_RANK)
		return false;
	const shape *row = as_rows(r, each, 1), *rows = as_rows(r, each, in.n);
	for (int i = 0; i < in.n; i++)
		in.ptr[i] = raise_reshaped(r, o, in.ptr[i], row);
	op *all = raise_step(r, o, OP_CONCATENATE, in, rows);
	value *v = result(all, 0);
	raise_attr(r, all, "dimension", attr_i64(r->ctx, 0));
	all = raise_step(r, o, OP_ALL_TO_ALL, (hlo_leaves){&v, 1}, rows);
	raise_attr(r, all, "split_dimension", attr_i64(r->ctx, 0));
	raise_attr(r, all, "concat_dimension", attr_i64(r->ctx, 0));
	raise_attr(r, all, "split_count", attr_i64(r->ctx, in.n));
	raise_fields(r, fields_groups, o, all);
	for (int i = 0; i < in.n; i++)
		out.ptr[i] = raise_reshaped(r, o, raise_row(r, o, result(all, 0), row, i), each);
	raise_set(r, o, out);
	return true;
}

/* JAX's custom call has groups and channel in a dictionary. */
static void raise_ragged(hlo_raiser *r, const op *o)
{
	enum { TYPED_FFI = 4 };
	const name *keys[] = {name_of_z(r->ctx, "replica_groups"), name_of_z(r->ctx, "channel_id")};
	int64_t channel = hlo_attr_number(o, r->ctx, "channel_id", 0);
	op *to = raise_append(r, o, OP_CUSTOM_CALL, NULL, raise_operands(r, o),
	                      hlo_shape_of(r->ctx, o), 0);
	if (to->n_operands != 6 || !raise_fields(r, fields_groups, o, to)) {
		raise_fail(r, o, "a ragged-all-to-all of other than six operands");
		return;
	}
	const attr *values[] = {op_attr(to, N_replica_groups), attr_i64(r->ctx, channel)};
	op_set_attr(r->to, to, N_replica_groups, NULL);
	op_set_attr(r->to, to, N_channel_handle, NULL);
	raise_attr(r, to, "call_target_name",
	           attr_string(r->ctx, name_of_z(r->ctx, "ragged_all_to_all")));
	raise_attr(r, to, "api_version", attr_i32(r->ctx, TYPED_FFI));
	raise_attr(r, to, "backend_config", attr_dict(r->ctx, keys, values, channel ? 2 : 1));
}

/* ---- async ------------------------------------------------------------------------------- */

/* The operation runs when it is started; its done only passes the results on. */
static bool raise_async(hlo_raiser *r, const op *o)
{
	const char *opcode = hlo_opcode_of(o);
	if (str_ends(str_of(opcode), "-done") || str_ends(str_of(opcode), "-update")) {
		if (strcmp(opcode, "send-done") == 0 || strcmp(opcode, "recv-done") == 0)
			return false;
		raise_set(r, o, raise_operand(r, o, 0));
		return true;
	}
	return false;
}

/* Returns the result's shape from the (operands, results, context) of a start. */
static const shape *started_shape(hlo_raiser *r, const op *o)
{
	const shape *s = hlo_shape_of(r->ctx, o);
	bool plain = strcmp(hlo_opcode_of(o), "all-reduce-start") == 0;
	return plain || s->kind != SH_TUPLE || s->n_parts < 2 ? s : s->parts[1];
}

/* Converts all-gather-start to an all-gather with the result's shape, and so on. */
static bool raise_start(hlo_raiser *r, const op *o)
{
	tess_str opcode = str_of(hlo_opcode_of(o));
	if (!str_ends(opcode, "-start"))
		return false;
	if (str_is(opcode, "copy-start")) {
		raise_set(r, o, raise_operand(r, o, 0));
		return true;
	}
	writer w;
	size_t n_uses = o->moved ? 0 : (size_t)o->n_operands; /* after the results */
	op *sync = arena_copy(r->mem, o,
	                      sizeof *o + sizeof *o->results * (size_t)o->n_results +
	                              sizeof(use) * n_uses);
	writer_init(&w, r->mem);
	if (str_is(opcode, "async-start"))
		put_lit(&w, "hlo.call");
	else
		put_f(&w, "hlo.%.*s", (int)opcode.len - (int)strlen("-start"), opcode.ptr);
	sync->more = arena_copy(r->mem, o->more, sizeof *o->more);
	op_set_own_name(sync, name_of(r->ctx, writer_str(&w)));
	sync->attrs = (attr_list){0};
	for (int i = 0; i < o->attrs.n; i++)
		attrs_set(r->mem, &sync->attrs, o->attrs.ptr[i].name, o->attrs.ptr[i].value);
	writer_init(&w, r->mem);
	shape_print(&w, started_shape(r, o), SHAPE_WITH_LAYOUT);
	attrs_set(r->mem, &sync->attrs, name_of_z(r->ctx, "hlo.shape"),
	          attr_string(r->ctx, name_of(r->ctx, writer_str(&w))));
	r->driver->instruction(r, sync);
	void *leaves = ptr_map_get(&r->leaves, sync);
	if (leaves)
		raise_set(r, o, *(hlo_leaves *)leaves);
	*ptr_map_at(&r->leaves, r->mem, sync) = NULL;
	return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

typedef enum special_form {
	SPECIAL_FIRST,
	SPECIAL_ALL,
	SPECIAL_CALL,
	SPECIAL_FN
} special_form;

static const struct {
	const char *opcode;
	special_form form;
	void (*fn)(hlo_raiser *r, const op *o);
} specials[] = {
	{"add-dependency", SPECIAL_FIRST, NULL},
	{"copy", SPECIAL_FIRST, NULL},
	{"domain", SPECIAL_FIRST, NULL},
	{"tuple", SPECIAL_ALL, NULL},
	{"call", SPECIAL_CALL, NULL},
	{"fusion", SPECIAL_CALL, NULL},
	{"get-tuple-element", SPECIAL_FN, raise_element},
	{"constant", SPECIAL_FN, raise_constant},
	{"while", SPECIAL_FN, raise_while},
	{"conditional", SPECIAL_FN, raise_conditional},
	{"rng", SPECIAL_FN, raise_rng},
	{"ragged-all-to-all", SPECIAL_FN, raise_ragged},
};

/* Converts a call named after a CHLO operation for which HLO has no opcode. */
bool raise_named_call(hlo_raiser *r, const op *o)
{
	tess_str target = hlo_attr_text(o, r->ctx, "custom_call_target");
	if (target.len < 2 || !str_starts(target, "\"chlo."))
		return false;
	const name *opname = name_of(r->ctx, (tess_str){target.ptr + 1, target.len - 2});
	int kind = op_kind_of(r->ctx, opname);
	if (!kind)
		return false;
	raise_append(r, o, kind, opname, raise_operands(r, o), hlo_shape_of(r->ctx, o), 0);
	return true;
}

bool raise_special(hlo_raiser *r, const op *o)
{
	const char *opcode = hlo_opcode_of(o);
	if (strcmp(opcode, "bitcast") == 0)
		return raise_bitcast(r, o);
	if (strcmp(opcode, "all-to-all") == 0)
		return raise_exchange(r, o);
	for (int i = 0; i < COUNT(specials); i++) {
		if (strcmp(opcode, specials[i].opcode) != 0)
			continue;
		switch (specials[i].form) {
		case SPECIAL_FIRST: raise_set(r, o, raise_operand(r, o, 0)); break;
		case SPECIAL_ALL: raise_set(r, o, raise_operands(r, o)); break;
		case SPECIAL_CALL:
			raise_call(r, o, hlo_attr(o, r->ctx, "calls") ? "calls" : "to_apply");
			break;
		case SPECIAL_FN: specials[i].fn(r, o); break;
		}
		return true;
	}
	return raise_async(r, o) || raise_start(r, o);
}
