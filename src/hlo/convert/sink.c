/* sink.c - converts StableHLO to HLO.
 *
 * Functions become computations, @main the entry; so do regions. An operation with several results,
 * or none, returns a tuple, whose elements are then extracted. The program is written as text, each
 * computation before those that call it, and parsed again: the parser checks it and converts it to
 * XLA's canonical form.
 *
 * hlo/text/ops.def has the opcode of each operation, for both directions; control flow and special
 * cases are in sink_ops.c, attributes in fields.def, shardings in sink_shardings.c. */
#include "hlo/convert/fields.h"

#include <ctype.h>

/* Turns "two.6" into "two": the number is from another program, and ours would follow it. */
static const char *without_number(hlo_sinker *l, const name *symbol)
{
	size_t n = symbol->len;
	while (n && isdigit((unsigned char)symbol->s[n - 1]))
		n--;
	bool numbered = n > 1 && n < symbol->len && symbol->s[n - 1] == '.';
	return numbered ? arena_str(l->mem, (tess_str){symbol->s, n - 1}).ptr : symbol->s;
}

/* ---- instructions ---------------------------------------------------------------- */

/* The same for an operation, whose results may have layouts. */
static const char *sink_begin_op(hlo_sinker *l, const char *opcode, const op *o)
{
	const attr *layouts = op_attr(o, N_result_layouts);
	const char *made = sink_name(l, opcode);
	put_f(l->at, "  %s = %s", made, o->n_results == 1 ? "" : "(");
	for (int i = 0; i < o->n_results; i++) {
		put_z(l->at, i ? ", " : "");
		sink_shape_in(l, o->results[i].type, layouts, i);
	}
	put_z(l->at, o->n_results == 1 ? "" : ")");
	put_opcode(l, opcode, sink_operands(l, o), o->n_operands);
	return made;
}

static const struct {
	const char *opcode;
	const hlo_field *fields;
} sink_rows[] = {
#define HLO(...)
#define SAME(opcode, kind, fields, ...) [OP_##kind] = {opcode, fields_##fields},
#include "hlo/text/ops.def"
#undef HLO
#undef SAME
	/* alternative forms */
	[OP_DOT] = {"dot", fields_plain_dot},
	[OP_TUPLE] = {"tuple", fields_plain},
	[OP_CREATE_TOKEN] = {"after-all", fields_plain},
};

static bool sink_row(hlo_sinker *l, const op *o)
{
	if (o->kind >= COUNT(sink_rows) || !sink_rows[o->kind].opcode)
		return false;
	const char *made = sink_begin_op(l, sink_rows[o->kind].opcode, o);
	if (!sink_fields(l, sink_rows[o->kind].fields, o))
		return sink_fail(l, o, op_name(o));
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
	return true;
}

/* True if HLO has values of this type; the rank must leave room for one more dimension. */
static bool has_hlo_type(const type *t)
{
	switch (t->kind) {
	case TY_TENSOR:
		return t->rank < SHAPE_MAX_RANK && t->dtype != DT_NONE &&
		       dtype_from_hlo(str_of(dtype_hlo(t->dtype))) == t->dtype;
	case TY_TUPLE:
		for (int i = 0; i < t->n_in; i++)
			if (!has_hlo_type(t->in[i]))
				return false;
		return true;
	case TY_TOKEN:
	case TY_OPAQUE: return true;
	default: return false;
	}
}

static void check_types(hlo_sinker *l, const op *o)
{
	for (int i = 0; i < o->n_results && !l->failed; i++)
		if (!has_hlo_type(o->results[i].type))
			sink_fail(l, o, "a result of this type");
	const block *b = op_is_func(o) ? op_body(o) : NULL;
	for (int i = 0; b && i < b->n_args && !l->failed; i++)
		if (!has_hlo_type(b->args[i]->type))
			sink_fail(l, o, "an argument of this type");
}

static void sink_op(hlo_sinker *l, const op *o)
{
	check_types(l, o);
	if (l->failed)
		return;
	if (!sink_special(l, o) && !sink_sdy(l, o) && !sink_row(l, o) && !sink_by_name(l, o))
		sink_fail(l, o, op_name(o));
}

static void sink_block(hlo_sinker *l, const block *b)
{
	for (const op *o = b->first; o && o != b->last && !l->failed; o = o->next)
		sink_op(l, o);
}

/* ---- computations -------------------------------------------------------------------- */

/* Moves the text of a computation, without its head, to the finished ones, and marks its root. */
static void finish_computation(hlo_sinker *l, const char *title, const char *root)
{
	put_c(l->at, 0);
	const char *line = strstr(l->at->ptr, arena_printf(l->mem, "\n  %s = ", root));
	size_t head = line ? (size_t)(line + 1 - l->at->ptr) : 0;
	ASSERT(line);
	put_f(l->done, "%s {", title);
	put_mem(l->done, l->at->ptr, head);
	put_lit(l->done, "  ROOT ");
	put_mem(l->done, l->at->ptr + head + 2, l->at->len - 1 - head - 2);
	put_lit(l->done, "}\n\n");
}

/* Returns what the block returns: a single value, or a tuple. */
static const char *sink_root(hlo_sinker *l, const op *ret, const char *const *names)
{
	if (ret->n_operands == 1)
		return names[0];
	const type **types = NEW_N(l->mem, const type *, ret->n_operands + 1);
	for (int i = 0; i < ret->n_operands; i++)
		types[i] = operand(ret, i)->type;
	const char *made = sink_begin(l, "tuple", types, ret->n_operands, names, ret->n_operands);
	sink_end(l);
	return made;
}

/* Starts a computation; returns the current one, to be restored. */
static writer *sink_enter(hlo_sinker *l, const op *o)
{
	writer *outer = l->at;
	if (++l->depth > (int)l->ctx->opts.max_depth && !l->failed) {
		diag_error(l->ctx, op_place(l->m, o), E_HLO_DEPTH,
		           "computations are nested too deeply");
		l->failed = true;
	}
	l->at = NEW(l->mem, writer);
	writer_init(l->at, l->mem);
	put_c(l->at, '\n');
	return outer;
}

static void sink_leave(hlo_sinker *l, writer *outer)
{
	l->at = outer;
	l->depth--;
}

static const char *sink_parameter(hlo_sinker *l, int number, const type *const *types, int n)
{
	const char *made = sink_name(l, "Arg");
	put_f(l->at, "  %s = ", made);
	sink_shapes(l, l->at, types, n);
	put_f(l->at, " parameter(%d)", number);
	return made;
}

static const char *sink_region_as(hlo_sinker *l, const op *o, int region, const char *title)
{
	const block *b = op_block(o, region);
	writer *outer = sink_enter(l, o);
	for (int i = 0; i < b->n_args; i++) {
		l->names[b->args[i]->id] = sink_parameter(l, i, &b->args[i]->type, 1);
		sink_end(l);
	}
	sunk_names kept = sink_captured_constants(l, o, region);
	sink_block(l, b);
	if (!l->failed)
		finish_computation(l, title, sink_root(l, b->last, sink_operands(l, b->last)));
	sink_put_back(l, &kept);
	sink_leave(l, outer);
	return title;
}

static const char *sink_region(hlo_sinker *l, const op *o, int region)
{
	return sink_region_as(l, o, region, sink_name(l, "region"));
}

static const char *sink_named_region(hlo_sinker *l, const op *o, const char *title)
{
	return sink_region_as(l, o, 0, sink_name(l, title));
}

/* Returns what a region of control flow returns, as one value; the body of a loop also what it has
 * captured. */
static const char *sink_carried(hlo_sinker *l, const op *o, int region, value *const *captured,
                                int n)
{
	const op *ret = op_block(o, region)->last;
	int carried = o->kind == OP_WHILE && region == 1 ? n : 0, all = ret->n_operands + carried;
	const char **names = NEW_N(l->mem, const char *, all + 1);
	const type **types = NEW_N(l->mem, const type *, all + 1);
	for (int i = 0; i < all; i++) {
		const value *v = i < ret->n_operands ? operand(ret, i)
		                                     : captured[i - ret->n_operands];
		names[i] = l->names[v->id];
		types[i] = v->type;
	}
	if (all == 1)
		return names[0];
	const char *made = sink_begin(l, "tuple", types, all, names, all);
	sink_end(l);
	return made;
}

static const char *sink_tuple_region(hlo_sinker *l, const op *o, int region, value *const *captured, int n)
{
	const block *b = op_block(o, region);
	const char *title = sink_name(l, "region");
	writer *outer = sink_enter(l, o);
	int all = b->n_args + n;
	value **v = NEW_N(l->mem, value *, all + 1);
	const type **types = NEW_N(l->mem, const type *, all + 1);
	const char **outside = NEW_N(l->mem, const char *, n + 1);
	for (int i = 0; i < all; i++) {
		v[i] = i < b->n_args ? b->args[i] : captured[i - b->n_args];
		types[i] = v[i]->type;
	}
	for (int i = 0; i < n; i++)
		outside[i] = l->names[captured[i]->id];
	const char *whole = sink_parameter(l, 0, types, all);
	sink_end(l);
	if (all == 1)
		l->names[v[0]->id] = whole;
	else
		sink_elements(l, whole, v, all);
	sunk_names kept = sink_captured_constants(l, o, region);
	sink_block(l, b);
	if (!l->failed)
		finish_computation(l, title, sink_carried(l, o, region, v + b->n_args, n));
	for (int i = 0; i < n; i++)
		l->names[captured[i]->id] = outside[i];
	sink_put_back(l, &kept);
	sink_leave(l, outer);
	return title;
}

/* The name of a function while it is converted, to detect recursion. */
static const char at_work[] = "";

static const char *sink_function(hlo_sinker *l, const op *f)
{
	void **slot = ptr_map_at(&l->functions, l->mem, f);
	if (*slot == at_work)
		sink_fail(l, f, "a function that calls itself");
	if (*slot || l->failed)
		return *slot;
	*slot = (void *)at_work;
	bool entry = f == l->entry;
	check_types(l, f);
	const block *b = op_body(f);
	writer *outer = sink_enter(l, f);
	for (int i = 0; i < b->n_args; i++) {
		l->names[b->args[i]->id] = sink_parameter(l, i, &b->args[i]->type, 1);
		sink_argument_sharding(l, f, i);
		sink_end(l);
	}
	sink_block(l, b);
	const char *title = sink_name(l, without_number(l, op_symbol(f)));
	if (!l->failed) {
		const char **names = sink_operands(l, b->last);
		for (int i = 0; entry && i < b->last->n_operands; i++)
			names[i] = sink_result_sharding(l, f, i, names[i]);
		finish_computation(l, entry ? arena_printf(l->mem, "ENTRY %s", title) : title,
		                   sink_root(l, b->last, names));
	}
	sink_leave(l, outer);
	*ptr_map_at(&l->functions, l->mem, f) = (void *)title;
	return title;
}

/* ---- modules ---------------------------------------------------------------------------- */

static void sink_header(hlo_sinker *l, writer *w)
{
	const attr *partitions = op_attr_named(l->m->top, name_of_z(l->ctx, "mhlo.num_partitions"));
	const attr *replicas = op_attr_named(l->m->top, name_of_z(l->ctx, "mhlo.num_replicas"));
	const name *symbol = op_symbol(l->m->top);
	put_f(w, "HloModule %s", plain_name(l, symbol && symbol->len ? symbol->s : "main"));
	if (replicas && replicas->kind == AT_INT && replicas->i > 1)
		put_f(w, ", replica_count=%" PRId64, replicas->i);
	if (partitions && partitions->kind == AT_INT && partitions->i > 1)
		put_f(w, ", num_partitions=%" PRId64, partitions->i);
	sink_donation(l, w);
	sink_meshes(l, w);
	put_lit(w, "\n\n");
}

module *hlo_of_stablehlo(const module *m, const attr_texts *texts)
{
	tess_ctx *ctx = m->ctx;
	writer text;
	static const sink_driver driver = {sink_region, sink_named_region, sink_tuple_region,
	                                   sink_function};
	hlo_sinker l = {.driver = &driver, .ctx = ctx, .m = m, .entry = module_main_or_only(m), .texts = texts,
	                .mem = &ctx->scratch, .done = &text};
	if (!l.entry || func_is_declaration(l.entry)) {
		diag_error(ctx, NOWHERE, E_HLO_CONVERT, "there is no function to start with");
		return NULL;
	}
	l.names = NEW_N(l.mem, const char *, m->n_values + 1);
	writer_init(&text, l.mem);
	sink_header(&l, &text);
	sink_function(&l, l.entry);
	return l.failed ? NULL : hlo_parse(ctx, source_new(ctx, "hlo", writer_str(&text)));
}
