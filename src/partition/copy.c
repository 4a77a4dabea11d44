/* copy.c - copies ops that are the same on every device, with their regions and the functions that
 * they call. */
#include "partition/local.h"

/* Fetches, whole, the values from outside that the regions of `o` use. */
static void capture_outside(emitter *e, const op *o, ptr_map *map)
{
	for (op *in = op_next(o, o); in; in = op_next(in, o))
		for (int i = 0; i < in->n_operands; i++) {
			value *v = operand(in, i);
			const op *def = value_op(v);
			if (op_inside(def, o) && (def != o || !value_def(v)))
				continue;
			void **slot = ptr_map_at(map, e->mem, v);
			if (!*slot) {
				value *local = fact_get_whole(e, v);
				*ptr_map_at(map, e->mem, v) = local;
			}
		}
}

static void strip_arguments(op *o)
{
	for (int r = 0; r < op_n_regions(o); r++)
		for (block *b = op_region(o, r)->first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				b->args[i]->sharding = NULL;
}

/* Inside of a copied op everything is whole, so shardings go. */
static void strip_shardings(module *m, op *root)
{
	strip_arguments(root);
	for (op *o = op_next(root, root), *next; o; o = next) {
		next = op_next(o, root);
		strip_arguments(o);
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->sharding = NULL;
		op_set_attr(m, o, N_sdy_sharding_rule, NULL);
		if (o->kind == OP_SDY_CONSTANT)
			o->kind = OP_CONSTANT;
		if (op_has(o, RESHARDS)) {
			value_replace_uses(result(o, 0), operand(o, 0));
			op_erase(o);
		}
	}
}

/* The blocks of a region, copied. */
static void copy_region(emitter *e, const region *from, region *to, ptr_map *map)
{
	for (const block *b = from->first; b; b = b->next) {
		block *copy = block_new(e->to, to);
		for (int i = 0; i < b->n_args; i++)
			*ptr_map_at(map, e->mem, b->args[i]) =
			        block_add_arg(e->to, copy, b->args[i]->type);
		for (const op *o = b->first; o; o = o->next)
			op_append(copy, op_clone(e->to, o, map, e->mem));
	}
}

/* ---- functions that copied ops call --------------------------------------------------------- */

/* A name `of`_whole that neither program has yet. */
static const name *whole_symbol(emitter *e, const name *of)
{
	writer w;
	writer_init(&w, e->mem);
	put_name(&w, of);
	put_lit(&w, "_whole");
	const name *n = name_of(e->ctx, writer_str(&w));
	while (module_lookup(e->from, n) || module_lookup(e->to, n))
		n = module_fresh_symbol(e->to, n);
	return n;
}

static void copy_called(emitter *e, op *root);

/* Copies the function as it is: its caller has whole values. */
static const name *copy_function(emitter *e, const op *f)
{
	void **slot = ptr_map_at(&e->whole_funcs, e->keep, f);
	if (*slot)
		return *slot;
	ptr_map map = {0};
	const name *symbol = whole_symbol(e, op_symbol(f));
	*slot = (void *)symbol;
	op *copy = op_clone(e->to, f, &map, e->mem);
	strip_shardings(e->to, copy);
	op_set_func(e->to, copy, func_new(e->to, op_func(f)->type));
	op_set_attr(e->to, copy, N_sym_name, attr_string(e->ctx, symbol));
	op_append(module_body(e->to), copy);
	module_add_symbol(e->to, copy);
	copy_called(e, copy);
	return symbol;
}

/* Copies the functions that a custom call names. */
static void copy_computations(emitter *e, op *o)
{
	const attr *names = op_attr(o, N_called_computations);
	if (!names || names->kind != AT_ARRAY || !names->n)
		return;
	const attr **list = COPY_N(e->mem, names->list, names->n);
	for (int i = 0; i < names->n; i++) {
		const attr *a = names->list[i];
		const op *f = a->kind == AT_SYMBOL ? module_lookup(e->from, a->text) : NULL;
		if (f && op_is_func(f) && !func_is_declaration(f))
			list[i] = attr_symbol(e->ctx, copy_function(e, f));
	}
	op_set_attr(e->to, o, N_called_computations, attr_array(e->ctx, list, names->n));
}

static void copy_callee(emitter *e, op *o)
{
	const op *f = call_callee(e->from, o);
	if (!f || func_is_declaration(f))
		return;
	op_set_attr(e->to, o, op_callee_attr(o->kind), attr_symbol(e->ctx, copy_function(e, f)));
}

static void copy_called(emitter *e, op *root)
{
	for (op *o = op_next(root, root); o; o = op_next(o, root)) {
		if (o->kind == OP_CUSTOM_CALL)
			copy_computations(e, o);
		else
			copy_callee(e, o);
	}
}

/* ---- ops ------------------------------------------------------------------------------------ */

op *emit_copy(emitter *e, const op *o, value *const *operands, const type *const *results)
{
	ptr_map map = {0};
	if (op_n_regions(o))
		capture_outside(e, o, &map);
	op *copy = op_new_like(e->to, o, operands, o->n_operands, results, o->n_results);
	if (op_attr(o, N_sdy_sharding_rule))
		op_set_attr(e->to, copy, N_sdy_sharding_rule, NULL);
	if (op_attr(copy, N_channel_handle) && op_has(o, COLLECTIVE) && !e->opts->replicas)
		device_renumber(e, copy);
	else if (op_is_ragged_all_to_all(o))
		origin_add(e, copy);
	for (int i = 0; i < op_n_regions(o); i++)
		copy_region(e, op_region(o, i), op_region(copy, i), &map);
	if (op_n_regions(o)) {
		strip_shardings(e->to, copy);
		copy_called(e, copy);
	}
	if (copy->kind == OP_CUSTOM_CALL)
		copy_computations(e, copy);
	build_put(&e->b, copy);
	return copy;
}
