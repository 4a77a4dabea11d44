/* raise.c - converts HLO to StableHLO.
 *
 * Computations become functions, the entry @main. If an instruction applies a computation to
 * elements, or is a loop or a branch, a copy of the computation becomes its region. Tuples are
 * split, since StableHLO hardly uses them: an instruction becomes as many values as its shape has
 * leaves, from the left. Instructions without a counterpart stay operations of the dialect "hlo",
 * with the text of their attributes and with their computations as regions.
 *
 * Layouts are dropped. The names of instructions become those of values, and locations. For shardings
 * see raise_shardings.c. */
#include "hlo/convert/fields.h"

/* ---- operations ----------------------------------------------------------------------- */

static void raise_region(hlo_raiser *r, const attr *computation, region *to, const op *from);

/* Keeps an instruction as it is, with the text of its attributes. */
static void raise_opaque(hlo_raiser *r, const op *o)
{
	VEC(const attr *) called = {0};
	for (int i = 0; i < o->attrs.n; i++) {
		const attr *a = o->attrs.ptr[i].value;
		if (a->kind == AT_SYMBOL)
			vec_push(r->mem, &called, a);
		for (int k = 0; a->kind == AT_ARRAY && k < a->n; k++)
			if (a->list[k]->kind == AT_SYMBOL)
				vec_push(r->mem, &called, a->list[k]);
	}
	op *to = raise_append(r, o, 0, op_own_name(o), raise_operands(r, o),
	                      hlo_shape_of(r->ctx, o), called.len);
	for (int i = 0; i < o->attrs.n; i++)
		if (o->attrs.ptr[i].value->kind == AT_STRING)
			raise_attr(r, to, o->attrs.ptr[i].name->s, o->attrs.ptr[i].value);
	for (int i = 0; i < called.len && !r->failed; i++)
		raise_region(r, called.ptr[i], op_region(to, i), o);
}

static const struct {
	const char *opcode;
	op_kind kind;
	const hlo_field *fields;
} rows[] = {
#define HLO(...)
#define SAME(opcode, kind, fields, ...) {opcode, OP_##kind, fields_##fields},
#include "hlo/text/ops.def"
#undef HLO
#undef SAME
};

static int row_of(const char *opcode)
{
	for (int low = 0, high = COUNT(rows); low < high;) {
		int mid = (low + high) / 2, c = strcmp(opcode, rows[mid].opcode);
		if (c == 0)
			return mid;
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return -1;
}

/* Returns false if the row does not apply to this instruction. */
static bool raise_row_of(hlo_raiser *r, const op *o, int row)
{
	bool slice = rows[row].kind == OP_DYNAMIC_SLICE;
	hlo_leaves in = slice || rows[row].kind == OP_DYNAMIC_UPDATE_SLICE
	                        ? raise_start_indices(r, o, slice ? 1 : 2)
	                        : raise_operands(r, o);
	op *to = raise_append(r, o, rows[row].kind, NULL, in, hlo_shape_of(r->ctx, o),
	                      fields_regions(rows[row].fields));
	if (raise_fields(r, rows[row].fields, o, to))
		return true;
	op_erase(to);
	return false;
}

static void raise_instruction(hlo_raiser *r, const op *o)
{
	const char *opcode = hlo_opcode_of(o);
	if (strcmp(opcode, "parameter") == 0 || r->failed)
		return; /* parameters are arguments */
	int row = row_of(opcode);
	if (raise_named_call(r, o) || (row >= 0 && raise_row_of(r, o, row)))
		return;
	if (!r->failed && !raise_special(r, o))
		raise_opaque(r, o);
}

/* ---- computations ------------------------------------------------------------------------- */

/* Converts the instructions, in order, into the current block; returns the leaves of the root. */
static hlo_leaves raise_body(hlo_raiser *r, const op *computation)
{
	for (op *o = op_body(computation)->first; o && !r->failed; o = o->next)
		raise_instruction(r, o);
	const hlo_leaves *l = ptr_map_get(&r->leaves, hlo_root(r->ctx, computation));
	return r->failed || !l ? (hlo_leaves){0} : *l;
}

/* Adds arguments for the leaves of the parameters, in order. */
static void raise_arguments(hlo_raiser *r, const op *computation, block *b, const op *from)
{
	int n, n_types;
	op **params = hlo_parameters(computation, r->ctx, r->mem, &n);
	for (int i = 0; i < n; i++) {
		const type **types = flat_types(r, hlo_shape_of(r->ctx, params[i]), &n_types);
		hlo_leaves l = {NEW_N(r->mem, value *, n_types + 1), n_types};
		for (int k = 0; k < n_types; k++) {
			l.ptr[k] = block_add_arg(r->to, b, types[k]);
			arg_set_loc(l.ptr[k], raise_loc(r, from ? from : params[i]));
		}
		raise_set(r, params[i], l);
	}
}

static void raise_return(hlo_raiser *r, op_kind kind, hlo_leaves results)
{
	block_close(r->to, r->at, kind, results.ptr, results.n);
}

/* Regions are copies of computations, so a short text can expand to very many; this limits them. */
static const op *enter_computation(hlo_raiser *r, const attr *computation)
{
	const op *c = hlo_computation(r->from, computation);
	if (!r->failed && (r->depth >= (int)r->ctx->opts.max_depth || r->to->n_ops > r->max_ops)) {
		diag_error(
			r->ctx, op_place(r->from, c), E_HLO_DEPTH,
			"computations are nested too deeply, or too often, to be written in place");
		r->failed = true;
	}
	r->depth++;
	return c;
}

static void raise_region(hlo_raiser *r, const attr *computation, region *to, const op *from)
{
	block *outer = r->at;
	const op *c = enter_computation(r, computation);
	r->at = block_new(r->to, to);
	raise_arguments(r, c, r->at, from);
	raise_return(r, OP_RETURN, raise_body(r, c));
	r->at = outer;
	r->depth--;
}

static void raise_captured_region(hlo_raiser *r, const attr *computation, region *to, hlo_leaves argument)
{
	int n;
	block *outer = r->at;
	const op *c = enter_computation(r, computation);
	op **params = hlo_parameters(c, r->ctx, r->mem, &n);
	r->at = block_new(r->to, to);
	if (n)
		raise_set(r, params[0], argument);
	raise_return(r, OP_RETURN, raise_body(r, c));
	r->at = outer;
	r->depth--;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Sets the sharding of the `n` arguments or results that an instruction became; for a tuple, those
 * of its leaves. */
static void keep_sharding_text(hlo_raiser *r, const op *from, attr_list *to, int64_t n)
{
	source src = {.name = "", .text = hlo_attr_text(from, r->ctx, "sharding"), .first_line = 1};
	uint32_t end;
	const hlo_sharding *s = src.text.len ? hlo_sharding_parse(r->ctx, &src, 0, &end) : NULL;
	for (int64_t i = 0; s && i < n; i++) {
		const hlo_sharding *part = s->kind != HS_TUPLE ? s
		                           : i < s->n_parts    ? s->parts[i]
		                                               : NULL;
		if (part)
			attrs_set(&r->to->mem, &to[i], name_of_z(r->ctx, "mhlo.sharding"),
			          attr_string(r->ctx, part->text));
	}
}

static void keep_argument_texts(hlo_raiser *r, op *f, const op *computation)
{
	int n;
	int64_t at = 0;
	op **params = hlo_parameters(computation, r->ctx, r->mem, &n);
	for (int i = 0; i < n; i++) {
		op texts = {0};
		int64_t leaves = shape_leaves(hlo_shape_of(r->ctx, params[i]));
		keep_texts(r, params[i], &texts);
		if (leaves == 1)
			op_func(f)->arg_attrs[at] = texts.attrs;
		keep_sharding_text(r, params[i], &op_func(f)->arg_attrs[at], leaves);
		at += leaves;
	}
}

/* The sharding of the root is that of the results. */
static void keep_result_texts(hlo_raiser *r, op *f, const op *computation)
{
	keep_sharding_text(r, hlo_root(r->ctx, computation), op_func(f)->result_attrs,
	                   op_func(f)->type->n_out);
}

static void raise_function(hlo_raiser *r, const op *computation)
{
	bool entry = hlo_is_entry(r->from, computation);
	if (!entry && name_is(op_symbol(computation), N_main)) {
		raise_fail(r, computation, "a computation main that is not the entry");
		return;
	}
	op *f = op_make(r->to, OP_FUNC_FUNC, NULL, 0, NULL, 0, 1);
	block *b = r->at = block_new(r->to, op_region(f, 0));
	raise_arguments(r, computation, b, NULL);
	hlo_leaves results = raise_body(r, computation);
	const type **in = NEW_N(r->mem, const type *, b->n_args + 1);
	const type **out = NEW_N(r->mem, const type *, results.n + 1);
	for (int i = 0; i < b->n_args; i++)
		in[i] = b->args[i]->type;
	for (int i = 0; i < results.n; i++)
		out[i] = results.ptr[i]->type;
	raise_return(r, OP_FUNC_RETURN, results);
	op_set_func(r->to, f,
	            func_new(r->to, type_list(r->ctx, TY_FUNCTION, in, b->n_args, out, results.n)));
	op_set_attr(
		r->to, f, N_sym_name,
		attr_string(r->ctx, entry ? name_known(r->ctx, N_main) : op_symbol(computation)));
	if (!entry)
		op_set_attr(r->to, f, N_sym_visibility,
		            attr_string(r->ctx, name_of_z(r->ctx, "private")));
	keep_argument_texts(r, f, computation);
	keep_result_texts(r, f, computation);
	op_append(module_body(r->to), f);
	module_add_symbol(r->to, f);
}

/* ---- modules --------------------------------------------------------------------------------- */

/* Sets attributes of the module, named as in XLA's own conversion. */
static void raise_header(hlo_raiser *r)
{
	const op *top = r->from->top;
	tess_str frontend = hlo_attr_text(top, r->ctx, "frontend_attributes");
	op *to = r->to->top;
	const attr *none = attr_array(r->ctx, NULL, 0);
	op_set_attr(r->to, to, N_sym_name,
	            attr_string(r->ctx, name_of(r->ctx, hlo_attr_text(top, r->ctx, "hlo.module"))));
	raise_attr(r, to, "mhlo.cross_program_prefetches", none);
	raise_attr(r, to, "mhlo.input_output_alias", none);
	raise_attr(r, to, "mhlo.is_dynamic", attr_bool(r->ctx, false));
	raise_attr(r, to, "mhlo.use_auto_spmd_partitioning", attr_bool(r->ctx, false));
	if (frontend.len)
		raise_attr(r, to, "mhlo.frontend_attributes",
		           hlo_dictionary_attr(r->ctx, frontend));
}

/* Sets the number of devices, in JAX's attributes. */
static void raise_device_counts(hlo_raiser *r)
{
	const op *top = r->from->top;
	int64_t partitions = hlo_attr_number(top, r->ctx, "num_partitions", 1);
	int64_t replicas = hlo_attr_number(top, r->ctx, "replica_count", 1);
	raise_attr(r, r->to->top, "mhlo.num_partitions", attr_i32(r->ctx, partitions));
	raise_attr(r, r->to->top, "mhlo.num_replicas", attr_i32(r->ctx, replicas));
	if (hlo_is_partitioned(r->from))
		op_set_attr(r->to, r->to->top, N_tess_partitioned, attr_unit(r->ctx));
}

module *hlo_to_stablehlo(const module *m, const hlo_raise_opts *opts)
{
	static const raise_driver driver = {raise_region, raise_captured_region, raise_instruction};
	hlo_raiser r = {.driver = &driver, .ctx = m->ctx, .from = m, .to = module_new(m->ctx), .mem = &m->ctx->scratch,
	                .texts = opts->texts, .facts = opts->sdy};
	r.max_ops = m->n_ops < 1000000 ? 100 * m->n_ops + 1000000 : UINT32_MAX;
	module_set_source(r.to, m->src);
	r.to->top->kind = OP_BUILTIN_MODULE;
	r.to->wrapped = true;
	raise_header(&r);
	tess_str frames = hlo_attr_text(m->top, m->ctx, "hlo.frames");
	if (frames.len && r.facts)
		r.frames = raise_frames(m->ctx, r.mem, frames);
	for (op *c = module_body(m)->first; c && !r.failed; c = c->next)
		raise_function(&r, c);
	for (op *c = module_body(m)->first; c && !r.failed; c = c->next)
		if (hlo_is_entry(m, c))
			raise_donation(&r, c);
	if (!r.failed && r.facts) {
		raise_device_counts(&r);
		r.failed = !raise_shardings(&r);
	}
	/* the checks of HLO do not cover the values of attributes */
	if (!r.failed && module_verify(r.to))
		return r.to;
	module_free(r.to);
	return NULL;
}
