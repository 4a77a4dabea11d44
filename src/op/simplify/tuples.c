/* tuples.c - `flatten-tuples`: replaces tuples by the values in them.
 *
 * XLA's conversion of HLO passes tuples between functions: loops of PyTorch return one, and a
 * program with more than 3,200 parameters takes one. Propagation and partitioning only know
 * tensors, so functions, calls, composites and custom calls are made to take and return the leaves:
 *
 *     %t = call @f(%x) : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<i32>>
 *     %y = stablehlo.get_tuple_element %t[0]
 *
 *     %t:2 = call @f(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>)
 *
 * Each of them is changed separately: elements are taken out of its operands before it, and tuples
 * are made of its results after it. So the program is valid after each step. In the end an element
 * of a tuple whose stablehlo.tuple is known is replaced by that op's operand. Tuples of other
 * operations stay. */
#include <stdlib.h>

#include "op/build.h"
#include "op/op.h"

/* A few characters of a type can describe more parts than fit in memory. */
enum { MOST_PARTS = 1 << 22 };

typedef VEC(const type *) type_vec;
typedef VEC(value *) value_vec;

/* The leaves of a tuple type. */
typedef struct tuple_shape {
	int n_parts;  /* itself, its parts, and theirs: at most MOST_PARTS + 1 */
	int starts[]; /* [n_in + 1] the first leaf of each part; the number of leaves */
} tuple_shape;

typedef struct flattener {
	module *m;
	arena *mem;
	ptr_map shapes; /* by type */
	int64_t n_parts; /* of all tuples so far */
} flattener;

static bool is_tuple(const type *t) { return t->kind == TY_TUPLE; }

static bool any_tuple(const type *const *types, int n)
{
	for (int i = 0; i < n; i++)
		if (is_tuple(types[i]))
			return true;
	return false;
}

/* ---- types ------------------------------------------------------------------------------------ */

static const tuple_shape *tuple_shape_of(flattener *k, const type *t)
{
	tuple_shape *s = ptr_map_get(&k->shapes, t);
	if (s)
		return s;
	s = arena_alloc(k->mem, sizeof *s + sizeof *s->starts * ((size_t)t->n_in + 1));
	s->n_parts = 1;
	s->starts[0] = 0;
	for (int i = 0; i < t->n_in; i++) {
		const tuple_shape *part = is_tuple(t->in[i]) ? tuple_shape_of(k, t->in[i]) : NULL;
		const int n = part ? part->starts[t->in[i]->n_in] : 1;
		s->n_parts = (int)min_i64(s->n_parts + (part ? part->n_parts : 1), MOST_PARTS + 1);
		s->starts[i + 1] = (int)min_i64(s->starts[i] + n, MOST_PARTS + 1);
	}
	*ptr_map_at(&k->shapes, k->mem, t) = s;
	return s;
}

static int count_leaves(flattener *k, const type *t)
{
	return is_tuple(t) ? tuple_shape_of(k, t)->starts[t->n_in] : 1;
}

/* Several types as one tuple; false after a diagnostic: too many parts. */
static bool tuple_of(flattener *k, const op *o, const type *const *types, int n, const type **out)
{
	*out = type_list(k->m->ctx, TY_TUPLE, types, n, NULL, 0);
	k->n_parts += any_tuple(types, n) ? tuple_shape_of(k, *out)->n_parts : 0;
	return k->n_parts <= MOST_PARTS ||
	       diag_error(k->m->ctx, op_place(k->m, o), E_TOO_LARGE,
	                  "the tuples of the program have more than %d parts", MOST_PARTS);
}

static void add_leaf_types(flattener *k, const type *t, type_vec *out)
{
	if (!is_tuple(t))
		vec_push(k->mem, out, t);
	for (int i = 0; is_tuple(t) && i < t->n_in; i++)
		add_leaf_types(k, t->in[i], out);
}

/* The number of the leaf at the end of a path of indices; -1: it ends at a tuple, or nowhere. */
static int leaf_of_path(flattener *k, const type *t, const int64_t *path, int n)
{
	int leaf = 0;
	for (int i = 0; i < n; i++) {
		if (!is_tuple(t) || path[i] < 0 || path[i] >= t->n_in)
			return -1;
		leaf += tuple_shape_of(k, t)->starts[path[i]];
		t = t->in[path[i]];
	}
	return count_leaves(k, t) == 1 ? leaf : -1;
}

/* The same for the values that `all` lists as a tuple; for a single value the path is its own. */
static int leaf_of_values(flattener *k, const type *all, const int64_t *path, int n)
{
	return leaf_of_path(k, all->n_in == 1 ? all->in[0] : all, path, n);
}

static int leaf_of_number(flattener *k, const type *all, const attr *number, const int64_t *path, int n)
{
	const int64_t i = number && number->kind == AT_INT ? number->i : -1;
	const int of = i >= 0 && i < all->n_in ? leaf_of_path(k, all->in[i], path, n) : -1;
	return of < 0 ? -1 : tuple_shape_of(k, all)->starts[i] + of;
}

/* ---- values ------------------------------------------------------------------------------------ */

/* Appends the leaves of a value, which are taken out of it at the builder's place. */
static void add_leaves(flattener *k, const builder *b, value *v, value_vec *out)
{
	if (!is_tuple(v->type))
		vec_push(k->mem, out, v);
	for (int i = 0; is_tuple(v->type) && i < v->type->n_in; i++) {
		value *part = build(b, OP_GET_TUPLE_ELEMENT, &v, 1, v->type->in[i]);
		op_set_attr(k->m, value_def(part), N_index, attr_i32(k->m->ctx, i));
		add_leaves(k, b, part, out);
	}
}

/* Makes a value of that type from leaves; *at is the first of these, and advances. */
static value *value_of_leaves(flattener *k, const builder *b, const type *t, value *const **at)
{
	if (!is_tuple(t))
		return *(*at)++;
	value **parts = NEW_N(k->mem, value *, t->n_in + 1);
	for (int i = 0; i < t->n_in; i++)
		parts[i] = value_of_leaves(k, b, t->in[i], at);
	return build(b, OP_TUPLE, parts, t->n_in, t);
}

/* ---- attributes --------------------------------------------------------------------------------- */

/* Part i of "{{devices=[2]0,1}, {replicated}}"; a single sharding holds for all parts. */
static tess_str part_of_text(tess_str s, int i)
{
	const char *at = s.ptr + 1, *end = s.ptr + s.len;
	while (at < end && *at == ' ')
		at++;
	if (s.len < 2 || at == end || (*at != '{' && *at != '}'))
		return s;
	for (int depth = 0, part = 0; at < end; at++) {
		const char *from = at;
		while (at < end && (depth += (*at == '{') - (*at == '}')) > 0)
			at++;
		if (depth < 0)
			break;
		if (at < end && at > from && part++ == i)
			return (tess_str){from, (size_t)(at + 1 - from)};
	}
	return (tess_str){0};
}

/* The attributes of leaf i of a value with these attributes: all of them, but only its part of the
 * sharding. */
static attr_list attrs_of_leaf(flattener *k, const attr_list *l, int i, bool is_leaf)
{
	tess_ctx *ctx = k->m->ctx;
	const name *known = name_of_z(ctx, "mhlo.sharding");
	const attr *whole = is_leaf ? NULL : attrs_get_named(l, known);
	attr_list out = module_attrs(k->m, l->ptr, l->n);
	if (!whole || whole->kind != AT_STRING)
		return out;
	const tess_str part = part_of_text(name_str(whole->text), i);
	attrs_set(&k->m->mem, &out, known,
	          part.len ? attr_string(ctx, name_of(ctx, part)) : NULL);
	return out;
}

/* Translates tf.aliasing_output, which numbers the old results. */
static void renumber_aliasing(flattener *k, attr_list *l, const type *results)
{
	const name *known = name_known(k->m->ctx, N_tf_aliasing_output);
	const attr *a = attrs_get_named(l, known);
	const int to = leaf_of_number(k, results, a, NULL, 0);
	if (a)
		attrs_set(&k->m->mem, l, known, to < 0 ? NULL : attr_int(k->m->ctx, to, a->type));
}

/* The attribute with another value for one of its keys. */
static const attr *attr_with(flattener *k, const attr *a, const char *key, const attr *v)
{
	attr copy = *a;
	const attr **list = COPY_N(k->mem, a->list, a->n);
	for (int i = 0; i < a->n; i++)
		if (a->names[i] == name_of_z(k->m->ctx, key))
			list[i] = v;
	copy.list = list;
	return attr_of(k->m->ctx, &copy);
}

static const int64_t *indices_of(flattener *k, const attr *a, const char *key, int *n)
{
	const attr *v = attr_get_named(a, name_of_z(k->m->ctx, key));
	const int64_t *path = v ? attr_ints(k->m->ctx, v, n) : NULL;
	*n = path ? *n : 0;
	return path;
}

/* ---- functions ------------------------------------------------------------------------------------ */

/* The arguments of a block have ascending ids, so those after a tuple need new ones. */
static value *renewed_argument(flattener *k, block *body, value *was)
{
	value *arg = block_add_arg(k->m, body, was->type);
	arg_set_loc(arg, value_loc(was));
	value_take_name(k->m, arg, was);
	arg->sharding = was->sharding;
	value_hand_over_uses(was, arg);
	return arg;
}

/* Replaces the arguments by their leaves; tuples are made of these at the start of the body. */
static void flatten_arguments(flattener *k, op *f, const func *old, func *new)
{
	block *body = op_body(f);
	const builder b = {.m = k->m, .at = body, .before = body->first, .like = f};
	const int n_old = body->n_args;
	value **was = COPY_N(k->mem, body->args, n_old);
	value **args = NEW_N(&k->m->mem, value *, new->type->n_in + 1);
	for (int i = 0, n = 0; i < n_old; i++) {
		if (!is_tuple(was[i]->type)) {
			args[n++] = renewed_argument(k, body, was[i]);
			continue;
		}
		const int first = n;
		for (const int end = n + count_leaves(k, was[i]->type); n < end; n++) {
			args[n] = block_add_arg(k->m, body, new->type->in[n]);
			arg_set_loc(args[n], value_loc(was[i]));
		}
		if (n == first + 1)
			args[first]->sharding = was[i]->sharding;
		value *const *at = args + first;
		value_replace_uses(was[i], value_of_leaves(k, &b, old->type->in[i], &at));
	}
	for (int i = 0; i < new->type->n_in; i++)
		args[i]->index = (uint32_t)i & INDEX_MAX;
	body->args = args;
	body->n_args = body->cap_args = new->type->n_in;
}

static void give_argument_attrs(flattener *k, const func *old, func *new, const type *results)
{
	for (int i = 0, n = 0; i < old->type->n_in; i++) {
		const type *t = old->type->in[i];
		for (int j = 0; j < count_leaves(k, t); j++, n++) {
			new->arg_attrs[n] = attrs_of_leaf(k, &old->arg_attrs[i], j, !is_tuple(t));
			renumber_aliasing(k, &new->arg_attrs[n], results);
		}
	}
}

static void give_result_attrs(flattener *k, const func *old, func *new)
{
	for (int i = 0, n = 0; i < old->type->n_out; i++) {
		const type *t = old->type->out[i];
		const int leaves = count_leaves(k, t);
		for (int j = 0; j < leaves; j++, n++) {
			new->result_attrs[n] = attrs_of_leaf(k, &old->result_attrs[i], j, !is_tuple(t));
			if (leaves == 1)
				new->result_shardings[n] = old->result_shardings[i];
		}
	}
}

/* Translates the module's mhlo.input_output_alias, which refers to parts of tuples by indices. */
static void renumber_module_aliases(flattener *k, const type *in, const type *out)
{
	tess_ctx *ctx = k->m->ctx;
	const attr *list = op_attr(k->m->top, N_mhlo_input_output_alias);
	if (!list || list->kind != AT_ARRAY || !list->n)
		return;
	const attr **all = COPY_N(k->mem, list->list, list->n);
	const bool one = count_leaves(k, out) == 1;
	for (int i = 0; i < list->n; i++) {
		int n_from = 0, n_to = 0;
		const attr *a = all[i]->kind == AT_DICT ? attr_get_named(all[i], name_of_z(ctx, "alias"))
		                                        : NULL;
		if (!a || a->kind != AT_DICT)
			continue;
		const int64_t *from = indices_of(k, a, "parameter_index", &n_from);
		const int64_t *to = indices_of(k, all[i], "output_index", &n_to);
		const attr *number = attr_get_named(a, name_of_z(ctx, "parameter_number"));
		const int64_t result = leaf_of_values(k, out, to, n_to);
		a = attr_with(k, a, "parameter_number",
		              attr_i64(ctx, leaf_of_number(k, in, number, from, n_from)));
		a = attr_with(k, a, "parameter_index", attr_i64_array(ctx, NULL, 0));
		all[i] = attr_with(k, all[i], "alias", a);
		all[i] = attr_with(k, all[i], "output_index", attr_i64_array(ctx, &result, !one));
	}
	op_set_attr(k->m, k->m->top, N_mhlo_input_output_alias, attr_array(ctx, all, list->n));
}

static bool flatten_function(flattener *k, op *f)
{
	const func *old = op_func(f);
	const type *t = old->type, *ins, *outs;
	type_vec in = {0}, out = {0};
	if (!any_tuple(t->in, t->n_in) && !any_tuple(t->out, t->n_out))
		return true;
	if (!tuple_of(k, f, t->in, t->n_in, &ins) || !tuple_of(k, f, t->out, t->n_out, &outs))
		return false;
	if (f == module_main(k->m))
		renumber_module_aliases(k, ins, outs);
	add_leaf_types(k, ins, &in);
	add_leaf_types(k, outs, &out);
	func *new = func_new(k->m, type_list(k->m->ctx, TY_FUNCTION, in.ptr, in.len, out.ptr, out.len));
	give_argument_attrs(k, old, new, outs);
	give_result_attrs(k, old, new);
	if (!func_is_declaration(f))
		flatten_arguments(k, f, old, new);
	op_set_func(k->m, f, new);
	return true;
}

/* ---- operations ------------------------------------------------------------------------------------- */

static bool takes_leaves(const op *o)
{
	return op_callee_attr(o->kind) || o->kind == OP_FUNC_RETURN || o->kind == OP_CUSTOM_CALL;
}

static bool has_tuples(const op *o)
{
	for (int i = 0; i < o->n_operands; i++)
		if (is_tuple(operand(o, i)->type))
			return true;
	for (int i = 0; i < o->n_results; i++)
		if (is_tuple(result(o, i)->type))
			return true;
	return false;
}

/* #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, …> of a custom call */
static void renumber_call_aliases(flattener *k, op *o, const type *in, const type *out)
{
	tess_ctx *ctx = k->m->ctx;
	const attr *list = op_attr(o, N_output_operand_aliases);
	if (!list || list->kind != AT_ARRAY)
		return;
	const attr **all = COPY_N(k->mem, list->list, list->n);
	int n = 0;
	for (int i = 0; i < list->n; i++) {
		int n_from = 0, n_to = 0;
		const attr *a = list->list[i];
		const int64_t *from = indices_of(k, a, "operand_tuple_indices", &n_from);
		const int64_t *to = indices_of(k, a, "output_tuple_indices", &n_to);
		const int64_t arg = leaf_of_number(k, in, attr_get(a, N_operand_index), from, n_from);
		const int64_t result = leaf_of_values(k, out, to, n_to);
		if (arg < 0 || result < 0)
			continue;
		a = attr_with(k, a, "operand_index", attr_i64(ctx, arg));
		a = attr_with(k, a, "operand_tuple_indices", attr_i64_array(ctx, NULL, 0));
		all[n++] = attr_with(k, a, "output_tuple_indices",
		                     attr_i64_array(ctx, &result, o->n_results != 1));
	}
	op_set_attr(k->m, o, N_output_operand_aliases, attr_array(ctx, all, n));
}

/* Layouts are those of tensors; a list with another length is about tuples. */
static void drop_layouts(flattener *k, op *o)
{
	const attr *in = op_attr(o, N_operand_layouts), *out = op_attr(o, N_result_layouts);
	if (in && out && in->n == o->n_operands && out->n == o->n_results)
		return;
	op_set_attr(k->m, o, N_operand_layouts, NULL);
	op_set_attr(k->m, o, N_result_layouts, NULL);
}

/* Replaces the results of `o` by those of the new operation, as tuples where they were. */
static void hand_over_results(flattener *k, const builder *b, op *o, op *new)
{
	value **leaves = NEW_N(k->mem, value *, new->n_results + 1);
	for (int i = 0; i < new->n_results; i++)
		leaves[i] = result(new, i);
	value *const *at = leaves;
	for (int i = 0; i < o->n_results; i++) {
		value *const *first = at;
		value *v = value_of_leaves(k, b, result(o, i)->type, &at);
		if (at == first + 1)
			(*first)->sharding = result(o, i)->sharding;
		if (!is_tuple(v->type) && o->n_results == new->n_results)
			value_take_name(k->m, v, result(o, i));
		value_replace_uses(result(o, i), v);
	}
}

/* The operand types and the result types, each as one tuple. */
static bool tuples_of(flattener *k, const op *o, const type **in, const type **out)
{
	const type **types = NEW_N(k->mem, const type *, max_i64(o->n_operands, o->n_results) + 1);
	for (int i = 0; i < o->n_operands; i++)
		types[i] = operand(o, i)->type;
	if (!tuple_of(k, o, types, o->n_operands, in))
		return false;
	for (int i = 0; i < o->n_results; i++)
		types[i] = result(o, i)->type;
	return tuple_of(k, o, types, o->n_results, out);
}

static bool flatten_operation(flattener *k, op *o)
{
	const builder b = builder_before(k->m, o);
	const type *in, *out;
	value_vec operands = {0};
	type_vec leaves = {0};
	if (!tuples_of(k, o, &in, &out))
		return false;
	for (int i = 0; i < o->n_operands; i++)
		add_leaves(k, &b, operand(o, i), &operands);
	if (o->kind == OP_FUNC_RETURN) {
		op_set_operands(k->m, o, operands.ptr, operands.len);
		return true;
	}
	add_leaf_types(k, out, &leaves);
	op *new = op_new_like(k->m, o, operands.ptr, operands.len, leaves.ptr, leaves.len);
	build_put(&b, new);
	for (int i = 0; i < op_n_regions(o); i++)
		region_take(op_region(new, i), op_region(o, i));
	op_set_attr_named(k->m, new, name_of_z(k->m->ctx, "xla_shape"), NULL);
	if (o->kind == OP_CUSTOM_CALL) {
		renumber_call_aliases(k, new, in, out);
		drop_layouts(k, new);
	}
	hand_over_results(k, &b, o, new);
	op_erase(o);
	return true;
}

/* ---- elements -------------------------------------------------------------------------------------------- */

typedef VEC(op *) op_vec;

/* Replaces an element of a tuple whose stablehlo.tuple is known; elements of that may follow. */
static void fold_element(flattener *k, op *o, op_vec *todo)
{
	op *made = value_def(operand(o, 0));
	const int64_t i = op_int(o, N_index, -1);
	if (!made || made->kind != OP_TUPLE || i < 0 || i >= made->n_operands ||
	    operand(made, (int)i) == result(o, 0))
		return;
	for (const use *u = result(o, 0)->uses; u; u = u->next)
		if (u->owner->kind == OP_GET_TUPLE_ELEMENT)
			vec_push(k->mem, todo, u->owner);
	value_replace_uses(result(o, 0), operand(made, (int)i));
}

static void fold_elements(flattener *k)
{
	op_vec todo = {0};
	for (op *o = k->m->top; o; o = op_next(o, k->m->top)) {
		if (o->kind != OP_GET_TUPLE_ELEMENT)
			continue;
		vec_push(k->mem, &todo, o);
		while (todo.len)
			fold_element(k, todo.ptr[--todo.len], &todo);
	}
	/* Users before what they use, as far as the program's order tells. */
	for (op *o = k->m->top; o; o = op_next(o, k->m->top))
		if (o->kind == OP_GET_TUPLE_ELEMENT || o->kind == OP_TUPLE)
			vec_push(k->mem, &todo, o);
	while (todo.len) {
		op *o = todo.ptr[--todo.len];
		if (value_unused(result(o, 0)))
			op_erase(o);
	}
}

/* ---- the pass ------------------------------------------------------------------------------- */

bool pass_flatten_tuples(module *m, const pass_options *options)
{
	UNUSED(options);
	if (!type_tuples_made(m->ctx))
		return true;
	arena_mark here = arena_here(&m->ctx->scratch);
	flattener k = {.m = m, .mem = &m->ctx->scratch};
	bool ok = true;
	for (op *f = module_body(m)->first; ok && f; f = f->next)
		ok = !op_is_func(f) || flatten_function(&k, f);
	for (op *o = m->top, *next; ok && o; o = next) {
		next = op_next(o, m->top);
		ok = !takes_leaves(o) || !has_tuples(o) || flatten_operation(&k, o);
	}
	if (ok)
		fold_elements(&k);
	arena_back(&m->ctx->scratch, here);
	return ok;
}
