/* sink_ops.c - operations whose conversion to HLO is more than a row of ops.def: control flow and
 * calls, those that disappear, and those that need another form. */
#include "hlo/convert/fields.h"

/* ---- what a region captures ----------------------------------------------------------------- */

typedef struct capture_walk {
	hlo_sinker *l;
	ptr_map seen;
	VEC(value *) values;
	VEC(const op *) constants;
} capture_walk;

static bool is_within(const block *b, const op *o)
{
	while (b && block_parent(b) != o)
		b = block_parent(b)->parent;
	return b != NULL;
}

static void look_at_use(capture_walk *w, const op *o, value *v)
{
	void **slot;
	if (is_within(value_block(v), o) || *(slot = ptr_map_at(&w->seen, w->l->mem, v)))
		return;
	*slot = v;
	if (value_def_of(v, OP_CONSTANT))
		vec_push(w->l->mem, &w->constants, value_def(v));
	else
		vec_push(w->l->mem, &w->values, v);
}

static void look_at_region(capture_walk *w, const op *o, int region)
{
	for (op *inner = op_block(o, region)->first; inner; inner = inner->next)
		for (op *p = inner; p; p = op_next(p, inner))
			for (int i = 0; i < p->n_operands; i++)
				look_at_use(w, o, operand(p, i));
}

static void sink_constant_op(hlo_sinker *l, const op *o)
{
	const attr *a = op_attr(o, N_value);
	const type *t = o->results[0].type;
	if (!a || a->kind != AT_DENSE) {
		sink_fail(l, o, "a constant whose elements are not in the text");
		return;
	}
	const char *made = sink_begin(l, "constant", &t, 1, NULL, 0);
	l->at->len--; /* the elements go inside the parentheses */
	hlo_write_literal(l->at, a, shape_array(l->ctx, t->dtype, t->dims, t->rank, NULL));
	put_c(l->at, ')');
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

sunk_names sink_captured_constants(hlo_sinker *l, const op *o, int region)
{
	capture_walk w = {.l = l};
	look_at_region(&w, o, region);
	if (w.values.len && !op_has(o, CONTROL))
		sink_fail(l, o, "a computation that takes values from outside");
	sunk_names kept = {w.constants.len, NEW_N(l->mem, const value *, w.constants.len + 1),
	                      NEW_N(l->mem, const char *, w.constants.len + 1)};
	for (int i = 0; i < w.constants.len && !l->failed; i++) {
		kept.values[i] = &w.constants.ptr[i]->results[0];
		kept.names[i] = l->names[kept.values[i]->id];
		sink_constant_op(l, w.constants.ptr[i]);
	}
	return kept;
}

void sink_put_back(hlo_sinker *l, const sunk_names *kept)
{
	for (int i = 0; i < kept->n && !l->failed; i++)
		l->names[kept->values[i]->id] = kept->names[i];
}

/* ---- control flow -------------------------------------------------------------------- */

/* Packs the values into one operand. */
static const char *sink_packed(hlo_sinker *l, value *const *v, int n)
{
	const char **names = NEW_N(l->mem, const char *, n + 1);
	const type **types = NEW_N(l->mem, const type *, n + 1);
	for (int i = 0; i < n; i++) {
		names[i] = l->names[v[i]->id];
		types[i] = v[i]->type;
	}
	if (n == 1)
		return names[0];
	const char *made = sink_begin(l, "tuple", types, n, names, n);
	sink_end(l);
	return made;
}

/* What the loop captures is carried along, after its operands. */
static void sink_while(hlo_sinker *l, const op *o)
{
	capture_walk w = {.l = l};
	look_at_region(&w, o, 0);
	look_at_region(&w, o, 1);
	int n = o->n_operands, all = n + w.values.len;
	value **v = NEW_N(l->mem, value *, all + 1);
	const type **types = NEW_N(l->mem, const type *, all + 1);
	for (int i = 0; i < all; i++) {
		v[i] = i < n ? operand(o, i) : w.values.ptr[i - n];
		types[i] = v[i]->type;
	}
	const char *body = l->driver->tuple_region(l, o, 1, v + n, w.values.len);
	const char *condition = l->driver->tuple_region(l, o, 0, v + n, w.values.len);
	const char *in = sink_packed(l, v, all);
	const char *made = sink_begin(l, "while", types, all, &in, 1);
	const attr *trips = op_attr_named(o, name_of_z(l->ctx, "hlo.trip_count"));
	put_f(l->at, ", condition=%s, body=%s", condition, body);
	if (trips && trips->kind == AT_INT)
		put_f(l->at, ", backend_config={\"known_trip_count\":{\"n\":\"%" PRId64 "\"}}",
		      trips->i);
	sink_end(l);
	if (all == 1) {
		l->names[o->results[0].id] = made;
		return;
	}
	for (int i = 0; i < n; i++) {
		l->names[o->results[i].id] = sink_begin(l, "get-tuple-element", &types[i], 1, &made,
		                                        1);
		put_f(l->at, ", index=%d", i);
		sink_end(l);
	}
}

/* Each branch is passed what it captures. */
static void sink_branches(hlo_sinker *l, const op *o)
{
	int n = op_n_regions(o), n_types;
	const char **operands = NEW_N(l->mem, const char *, n + 1), *made;
	const char **bodies = NEW_N(l->mem, const char *, n + 1);
	operands[0] = l->names[operand(o, 0)->id];
	for (int i = 0; i < n && !l->failed; i++) {
		capture_walk w = {.l = l};
		look_at_region(&w, o, i);
			bodies[i] = l->driver->tuple_region(l, o, i, w.values.ptr, w.values.len);
			operands[i + 1] = sink_packed(l, w.values.ptr, w.values.len);
	}
	if (l->failed)
		return;
	const type **types = sink_types(l, o, &n_types);
	made = sink_begin(l, "conditional", types, n_types, operands, n + 1);
	if (o->kind == OP_IF)
		put_f(l->at, ", true_computation=%s, false_computation=%s", bodies[0], bodies[1]);
	else
		for (int i = 0; i < n; i++)
			put_f(l->at, "%s%s", i ? ", " : ", branch_computations={", bodies[i]);
	put_z(l->at, o->kind == OP_IF ? "" : "}");
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

static void sink_call_of(hlo_sinker *l, const op *o, int known, const char *extra)
{
	int n;
	const attr *symbol = op_attr(o, known);
	const op *f = symbol && symbol->kind == AT_SYMBOL ? module_lookup(l->m, symbol->text)
	                                                  : NULL;
	if (!f || func_is_declaration(f)) {
		sink_fail(l, o, "a call of a function without a body");
		return;
	}
	const char *callee = l->driver->function(l, f);
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "call", types, n, sink_operands(l, o), o->n_operands);
	put_f(l->at, ", to_apply=%s%s", callee ? callee : "", extra);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

static void sink_call(hlo_sinker *l, const op *o) { sink_call_of(l, o, N_callee, ""); }

static void sink_composite(hlo_sinker *l, const op *o)
{
	sink_call_of(l, o, N_decomposition, ", is_composite=true");
}

/* ---- ops that need another form ------------------------------------------------------------- */

/* Passes all operands as one tuple, and extracts the results. */
static void sink_barrier(hlo_sinker *l, const op *o)
{
	int n;
	value **v = NEW_N(l->mem, value *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		v[i] = operand(o, i);
	const char *in = sink_packed(l, v, o->n_operands);
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "opt-barrier", types, n, &in, 1);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

/* Writes an instruction that only moves elements, with these dimensions if any. */
static const char *sink_move(hlo_sinker *l, const char *opcode, const char *from, const type *t,
                             const int64_t *dims, int n)
{
	const char *made = sink_begin(l, opcode, &t, 1, &from, 1);
	if (dims)
		put_lit(l->at, ", dimensions={");
	for (int i = 0; dims && i < n; i++)
		put_f(l->at, "%s%" PRId64, i ? "," : "", dims[i]);
	if (dims)
		put_c(l->at, '}');
	return made;
}

/* Broadcasts a scalar if HLO needs an array of the result's dimensions. */
static const char *sink_spread(hlo_sinker *l, const value *v, const type *like)
{
	const char *from = l->names[v->id];
	if (v->type->rank == like->rank)
		return from;
	from = sink_move(l, "broadcast", from, type_with_elem(l->ctx, like, v->type->elem),
	                 (int64_t[]){0}, 0);
	sink_end(l);
	return from;
}

static void sink_with_scalars(hlo_sinker *l, const op *o)
{
	const char *operands[3];
	const type *t = o->results[0].type;
	for (int i = 0; i < 3; i++)
		operands[i] = sink_spread(l, operand(o, i), t);
	const char *made = sink_begin(l, o->kind == OP_CLAMP ? "clamp" : "select", &t, 1, operands,
	                              3);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

/* HLO's broadcast does not expand dimensions of size 1. As in XLA's builder, dimensions are moved
 * to their places first, those of size 1 are dropped, and then the rest is broadcast. */
static const char *sink_stretch(hlo_sinker *l, const char *from, const type *in, const type *out,
                                const int64_t *to)
{
	int64_t sizes[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK];
	int n = 0;
	for (int i = 0; i < out->rank; i++)
		sizes[i] = out->dims[i];
	for (int i = 0; i < in->rank; i++)
		sizes[to[i]] = in->dims[i];
	from = sink_move(l, "broadcast", from, type_with_dims(l->ctx, in, sizes, out->rank), to,
	                 in->rank);
	sink_end(l);
	for (int i = 0; i < out->rank; i++)
		if (sizes[i] == out->dims[i]) {
			dims[n] = sizes[i];
			at[n++] = i;
		}
	from = sink_move(l, "reshape", from, type_with_dims(l->ctx, in, dims, n), NULL, 0);
	sink_end(l);
	return sink_move(l, "broadcast", from, out, at, n);
}

static void sink_broadcast_in_dim(hlo_sinker *l, const op *o)
{
	int n;
	const int64_t *to = op_ints(l->m, o, N_broadcast_dimensions, &n);
	const type *in = operand(o, 0)->type, *out = o->results[0].type;
	const char *from = l->names[operand(o, 0)->id], *made;
	bool stretches = false, ordered = true;
	for (int i = 0; i < n; i++) {
		stretches = stretches || in->dims[i] != out->dims[to[i]];
		ordered = ordered && (!i || to[i - 1] < to[i]);
	}
	if (ordered && in->n_elems == out->n_elems && !stretches)
		made = sink_move(l, "reshape", from, out, NULL, 0);
	else if (stretches)
		made = sink_stretch(l, from, in, out, to);
	else
		made = sink_move(l, "broadcast", from, out, to ? to : (int64_t[]){0}, n);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

/* The shape operand is not needed: the result has that shape. */
static void sink_random(hlo_sinker *l, const op *o)
{
	const type *t = o->results[0].type;
	const char *made = sink_begin(l, "rng", &t, 1, sink_operands(l, o), 2);
	sink_fields(l, fields_rng, o);
	sink_end(l);
	sink_results(l, o, made);
}

/* The devices' parts, joined in dimension `split`, become a dimension that is moved to `concat`. */
static const char *sink_joined_elsewhere(hlo_sinker *l, const op *o, const char *v, const type *in,
                                         const type *out)
{
	int64_t split = op_int(o, N_split_dimension, 0), concat = op_int(o, N_concat_dimension, 0);
	int64_t count = op_int(o, N_split_count, 1), dims[SHAPE_MAX_RANK], moved[SHAPE_MAX_RANK];
	int64_t perm[SHAPE_MAX_RANK];
	int n = 0;
	for (int i = 0; i < in->rank; i++) {
		if (i == split)
			dims[n++] = count;
		dims[n++] = i == split ? in->dims[i] / count : in->dims[i];
	}
	n = 0;
	for (int i = 0; i < in->rank; i++) {
		if (i == concat)
			perm[n++] = split;
		perm[n++] = i < split ? i : i + 1;
	}
	for (int i = 0; i < n; i++)
		moved[i] = dims[perm[i]];
	v = sink_move(l, "reshape", v, type_with_dims(l->ctx, in, dims, n), NULL, 0);
	sink_end(l);
	v = sink_move(l, "transpose", v, type_with_dims(l->ctx, in, moved, n), perm, n);
	sink_end(l);
	v = sink_move(l, "reshape", v, out, NULL, 0);
	sink_end(l);
	return v;
}

/* Slices of the split dimension go to the devices; HLO concatenates the received ones in the same
 * dimension. HLO's all-to-all with several operands is a different operation, so each operand gets
 * its own. */
static void sink_exchange(hlo_sinker *l, const op *o)
{
	const char **operands = sink_operands(l, o);
	bool elsewhere = op_int(o, N_split_dimension, 0) != op_int(o, N_concat_dimension, 0);
	for (int i = 0; i < o->n_results; i++) {
		const type *in = operand(o, i)->type, *out = o->results[i].type;
		const char *v = sink_begin(l, "all-to-all", &in, 1, operands + i, 1);
		sink_fields(l, fields_all_to_all, o);
		sink_shardings(l, o);
		sink_end(l);
		l->names[result(o, i)->id] = elsewhere ? sink_joined_elsewhere(l, o, v, in, out) : v;
	}
}

static void sink_square(hlo_sinker *l, const op *o)
{
	const char *v = l->names[operand(o, 0)->id];
	const type *t = o->results[0].type;
	const char *made = sink_begin(l, "multiply", &t, 1, (const char *[]){v, v}, 2);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

/* ---- ops that HLO does not have ------------------------------------------------------------- */

/* An op with one operand in HLO, but several here, had a tuple that was split. */
static const char *sink_taken(hlo_sinker *l, const op *o, const char *opcode, const hlo_opcode *row,
                              const type **types, int n)
{
	if (row->max != 1 || o->n_operands == 1)
		return sink_begin(l, opcode, types, n, sink_operands(l, o), o->n_operands);
	value **v = NEW_N(l->mem, value *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		v[i] = operand(o, i);
	const char *in = sink_packed(l, v, o->n_operands);
	return sink_begin(l, opcode, types, n, &in, 1);
}

/* Converts an operation that came from HLO and was kept as it was. */
static bool sink_opaque(hlo_sinker *l, const op *o)
{
	const char *opcode = hlo_opcode_of(o), *stage;
	const hlo_opcode *row = opcode ? hlo_opcode_find(str_of(opcode), &stage) : NULL;
	const hlo_attribute *a;
	int n, region = 0, flags;
	if (!row)
		return false;
	const type **types = sink_types(l, o, &n);
	const char *made = sink_taken(l, o, opcode, row, types, n);
	tess_str literal = hlo_attr_text(o, l->ctx, "hlo.literal");
	if (literal.len) {
		l->at->len--;
		put_f(l->at, "%.*s)", STR_ARG(literal));
	}
	for (int i = 0; (a = hlo_opcode_attr(row, i, &flags)); i++) {
		tess_str text = hlo_attr_text(o, l->ctx, a->name);
		if (a->form == HLO_FORM_computation && region < op_n_regions(o))
			put_f(l->at, ", %s=%s", a->name, l->driver->region(l, o, region++));
		else if (text.len)
			put_f(l->at, ", %s=%.*s", a->name, STR_ARG(text));
	}
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
	return true;
}

/* Converts a CHLO function without an opcode to a call by its name. */
bool sink_by_name(hlo_sinker *l, const op *o)
{
	int n;
	if (!str_starts(str_of(op_name(o)), "chlo.") || op_n_regions(o) || o->attrs.n)
		return false;
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "custom-call", types, n, sink_operands(l, o),
	                              o->n_operands);
	put_f(l->at, ", custom_call_target=\"%s\"", op_name(o));
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
	return true;
}

/* JAX's custom call is an instruction in HLO. */
static void sink_ragged(hlo_sinker *l, const op *o)
{
	int n;
	const type **types = sink_types(l, o, &n);
	const char *made = sink_begin(l, "ragged-all-to-all", types, n, sink_operands(l, o),
	                              o->n_operands);
	const attr *channel = custom_option(l->ctx, o, "channel_id");
	if (channel && channel->kind == AT_INT && channel->i > 0)
		sink_number(l, "channel_id", channel->i);
	sink_fields(l, fields_groups, o);
	sink_shardings(l, o);
	sink_end(l);
	sink_results(l, o, made);
}

bool sink_special(hlo_sinker *l, const op *o)
{
	static const struct {
		op_kind kind;
		void (*fn)(hlo_sinker *l, const op *o);
	} table[] = {
		{OP_CONSTANT, sink_constant_op},
		{OP_BROADCAST_IN_DIM, sink_broadcast_in_dim},
		{OP_WHILE, sink_while},
		{OP_CASE, sink_branches},
		{OP_IF, sink_branches},
		{OP_FUNC_CALL, sink_call},
		{OP_COMPOSITE, sink_composite},
		{OP_OPTIMIZATION_BARRIER, sink_barrier},
		{OP_CLAMP, sink_with_scalars},
		{OP_SELECT, sink_with_scalars},
		{OP_RNG, sink_random},
		{OP_ALL_TO_ALL, sink_exchange},
		{OP_CHLO_SQUARE, sink_square},
	};
	for (int i = 0; i < COUNT(table); i++)
		if (table[i].kind == o->kind) {
			table[i].fn(l, o);
			return true;
		}
	if (op_is_ragged_all_to_all(o)) {
		sink_ragged(l, o);
		return true;
	}
	return o->kind == 0 && sink_opaque(l, o);
}
