/* write.c - writes HLO as an HloModuleProto; the reverse of read.c.
 *
 * XLA sorts computations and instructions by id, and prints a computation after those that its
 * instructions call, in the order of the instructions. So ids follow the text, except that
 * instructions which call something are ordered among themselves by the computations they call.
 * There are no fields for the number of replicas and partitions and for other options of XLA in the
 * header.
 *
 * The IR keeps add-start(x) where XLA has async-start(x) and a computation with one add
 * (text/async.c): that computation is written before the one that starts it. */
#include "hlo/proto/proto.h"

#include <stdlib.h>

void proto_refuse(proto_writer *p, const op *o, const char *fmt, ...)
{
	char text[200];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!p->failed)
		diag_error(p->ctx, op_place(p->m, o), E_HLO_PROTO, "protos cannot hold %s", text);
	p->failed = true;
}

writer proto_part(proto_writer *p)
{
	writer w;
	writer_init(&w, p->mem);
	return w;
}

static int64_t id_in(const ptr_map *m, const void *key)
{
	return (int64_t)(intptr_t)ptr_map_get(m, key);
}

static const char *stage_of(const op *o, const hlo_opcode **row)
{
	const char *stage;
	*row = hlo_opcode_find(str_of(hlo_opcode_of(o)), &stage);
	return stage;
}

/* ---- what is called ---------------------------------------------------------------- */

typedef VEC(int64_t) id_list;

static void add_called(proto_writer *p, const attr *symbol, id_list *ids)
{
	const op *c = hlo_computation(p->m, symbol);
	if (c)
		vec_push(p->mem, ids, id_in(&p->numbers, c));
}

static id_list called_ids(proto_writer *p, const op *o, const hlo_opcode *row)
{
	id_list ids = {0};
	const hlo_attribute *a;
	int flags;
	for (int i = 0; (a = hlo_opcode_attr(row, i, &flags)); i++) {
		const attr *v = hlo_attr(o, p->ctx, a->name);
		if (v && v->kind == AT_SYMBOL)
			add_called(p, v, &ids);
		for (int k = 0; v && v->kind == AT_ARRAY && k < v->n; k++)
			add_called(p, v->list[k], &ids);
	}
	if (strcmp(row->opcode, "while") == 0 && ids.len == 2) { /* body, condition */
		int64_t condition = ids.ptr[0];
		ids.ptr[0] = ids.ptr[1];
		ids.ptr[1] = condition;
	}
	return ids;
}

/* ---- instructions ------------------------------------------------------------------ */

static void put_operand_ids(proto_writer *p, const op *o, writer *w)
{
	int n = hlo_operands(o, p->ctx);
	int64_t *ids = NEW_N(p->mem, int64_t, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		ids[i] = id_in(&p->ids, value_def(operand(o, i)));
	wire_put_ints(w, INSTRUCTION_OPERANDS, ids, n);
	wire_put_ints(w, INSTRUCTION_CONTROLS, ids + n, o->n_operands - n);
}

static void put_constant(proto_writer *p, const op *o, const attr *literal, writer *w)
{
	writer part = proto_part(p);
	if (!put_proto_literal(p->ctx, &part, literal, hlo_shape_of(p->ctx, o)))
		proto_refuse(p, o,
		             "a constant whose elements the text leaves out: print it with them");
	wire_put_bytes(w, INSTRUCTION_LITERAL, writer_str(&part));
}

/* Returns the previous stage of an asynchronous operation; NULL if it starts there. */
static const op *goes_on_with(const op *o)
{
	const hlo_opcode *row;
	const char *stage = stage_of(o, &row);
	bool later = strcmp(stage, "update") == 0 || strcmp(stage, "done") == 0;
	return later && o->n_operands ? value_def(operand(o, 0)) : NULL;
}

/* Returns the start of an asynchronous operation from any of its stages; there may be many. */
static const op *async_start(proto_writer *p, const op *o)
{
	const op *start = o;
	for (const op *before; (before = goes_on_with(start));) {
		const op *known = ptr_map_get(&p->starts, before);
		start = known ? known : before;
	}
	for (const op *i = o; i != start && !ptr_map_get(&p->starts, i); i = goes_on_with(i))
		*ptr_map_at(&p->starts, p->mem, i) = (void *)start;
	return start;
}

/* Returns the thread on which an asynchronous operation runs, from its start. */
static tess_str async_thread(proto_writer *p, const op *o)
{
	tess_str s = hlo_attr_text(async_start(p, o), p->ctx, "async_execution_thread");
	return s.len > 2 ? (tess_str){s.ptr + 1, s.len - 2} : STR("main");
}

static void put_instruction(proto_writer *p, const op *o, writer *w)
{
	const hlo_opcode *row;
	const char *stage = stage_of(o, &row);
	const attr *literal = hlo_attr(o, p->ctx, "hlo.literal"),
		   *number = hlo_attr(o, p->ctx, "hlo.number");
	wire_put_str(w, INSTRUCTION_NAME, name_str(value_given_name(result(o, 0))));
	wire_put_str(w, INSTRUCTION_OPCODE,
	             str_of(*stage ? arena_printf(p->mem, "async-%s", stage) : hlo_opcode_of(o)));
	put_proto_shape_field(p, w, INSTRUCTION_SHAPE, hlo_shape_of(p->ctx, o));
	if (literal)
		put_constant(p, o, literal, w);
	wire_put_int(w, INSTRUCTION_PARAMETER, number ? number->i : 0);
	wire_put_int(w, INSTRUCTION_ID, id_in(&p->ids, o));
	put_operand_ids(p, o, w);
	if (*stage) {
		int64_t called = id_in(&p->numbers, o);
		wire_put_ints(w, INSTRUCTION_CALLED, &called, called != 0);
		wire_put_str(w, INSTRUCTION_THREAD, async_thread(p, o));
	} else {
		id_list called = called_ids(p, o, row);
		wire_put_ints(w, INSTRUCTION_CALLED, called.ptr, called.len);
		put_proto_attrs(p, o, row, w);
	}
	put_proto_common(p, o, w);
}

/* ---- computations ------------------------------------------------------------------ */

static tess_str thread_of(proto_writer *p, const op *c)
{
	tess_str s = hlo_attr_text(c, p->ctx, "hlo.thread");
	return s.len ? s : STR("main");
}

static void put_parameter_names(proto_writer *p, const op *c, writer *w)
{
	int n;
	op **params = hlo_parameters(c, p->ctx, p->mem, &n);
	for (int i = 0; i < n; i++)
		wire_put_bytes(w, 3, name_str(value_given_name(result(params[i], 0))));
}

static void put_program_shape(proto_writer *p, const op *c, writer *w)
{
	int n;
	writer all = proto_part(p);
	op **params = hlo_parameters(c, p->ctx, p->mem, &n);
	for (int i = 0; i < n; i++)
		put_proto_shape_field(p, &all, 1, hlo_shape_of(p->ctx, params[i]));
	put_proto_shape_field(p, &all, 2, hlo_shape_of(p->ctx, hlo_root(p->ctx, c)));
	put_parameter_names(p, c, &all);
	wire_put_bytes(w, COMPUTATION_SHAPE, writer_str(&all));
}

static void put_computation(proto_writer *p, const op *c, writer *w)
{
	wire_put_str(w, COMPUTATION_NAME, name_str(op_symbol(c)));
	for (const op *o = op_body(c)->first; o && !p->failed; o = o->next) {
		writer part = proto_part(p);
		put_instruction(p, o, &part);
		wire_put_bytes(w, COMPUTATION_INSTRUCTIONS, writer_str(&part));
	}
	put_program_shape(p, c, w);
	wire_put_int(w, COMPUTATION_ID, id_in(&p->numbers, c));
	wire_put_int(w, COMPUTATION_ROOT, id_in(&p->ids, hlo_root(p->ctx, c)));
	wire_put_int(w, COMPUTATION_FUSED, ptr_map_get(&p->fused, c) != NULL);
	wire_put_str(w, COMPUTATION_THREAD, thread_of(p, c));
}

/* Writes the order in which the instructions of a computation run. */
static void put_sequence(proto_writer *p, int64_t computation, const id_list *ids, writer *w)
{
	writer entry = proto_part(p), sequence = proto_part(p);
	wire_put_ints(&sequence, 1, ids->ptr, ids->len);
	wire_put_int(&entry, 1, computation);
	wire_put_bytes(&entry, 2, writer_str(&sequence));
	wire_put_bytes(w, 1, writer_str(&entry));
}

/* ---- computations that wrap a started instruction ------------------------------------------- */

static int64_t put_wrapped_parameters(proto_writer *p, const op *start, writer *w, id_list *ids)
{
	int n = hlo_operands(start, p->ctx);
	for (int i = 0; i < n; i++) {
		writer part = proto_part(p);
		wire_put_str(&part, INSTRUCTION_NAME,
		             str_of(arena_printf(p->mem, "async_param.%" PRId64, ++p->last_id)));
		wire_put_str(&part, INSTRUCTION_OPCODE, STR("parameter"));
		put_proto_shape_field(p, &part, INSTRUCTION_SHAPE,
		                      hlo_shape_of(p->ctx, value_def(operand(start, i))));
		wire_put_int(&part, INSTRUCTION_PARAMETER, i);
		wire_put_int(&part, INSTRUCTION_ID, p->last_id);
		wire_put_bytes(w, COMPUTATION_INSTRUCTIONS, writer_str(&part));
		vec_push(p->mem, ids, p->last_id);
	}
	return ++p->last_id;
}

/* The shape of a start is ((operands), result, what the device needs meanwhile). */
static const shape *shape_of_started(proto_writer *p, const op *start)
{
	const shape *s = hlo_shape_of(p->ctx, start);
	if (s->kind == SH_TUPLE && s->n_parts >= 2)
		return s->parts[1];
	proto_refuse(p, start, "the start of an operation without the shape of its result");
	return s;
}

static void put_wrapped(proto_writer *p, const op *start, writer *w)
{
	const hlo_opcode *row;
	id_list operands = {0};
	writer part = proto_part(p), program = proto_part(p);
	const shape *s = shape_of_started(p, start);
	int64_t number = id_in(&p->numbers, start);
	stage_of(start, &row);
	wire_put_str(w, COMPUTATION_NAME,
	             str_of(arena_printf(p->mem, "async_computation.%" PRId64, number)));
	int64_t root = put_wrapped_parameters(p, start, w, &operands);
	wire_put_str(&part, INSTRUCTION_NAME,
	             str_of(arena_printf(p->mem, "%s.%" PRId64, row->opcode, root)));
	wire_put_str(&part, INSTRUCTION_OPCODE, str_of(row->opcode));
	put_proto_shape_field(p, &part, INSTRUCTION_SHAPE, s);
	wire_put_int(&part, INSTRUCTION_ID, root);
	wire_put_ints(&part, INSTRUCTION_OPERANDS, operands.ptr, operands.len);
	id_list called = called_ids(p, start, row);
	wire_put_ints(&part, INSTRUCTION_CALLED, called.ptr, called.len);
	put_proto_attrs(p, start, row, &part);
	wire_put_bytes(w, COMPUTATION_INSTRUCTIONS, writer_str(&part));
	for (int i = 0; i < operands.len; i++)
		put_proto_shape_field(p, &program, 1,
		                      hlo_shape_of(p->ctx, value_def(operand(start, i))));
	put_proto_shape_field(p, &program, 2, s);
	wire_put_bytes(w, COMPUTATION_SHAPE, writer_str(&program));
	wire_put_int(w, COMPUTATION_ID, number);
	wire_put_int(w, COMPUTATION_ROOT, root);
	wire_put_str(w, COMPUTATION_THREAD, async_thread(p, start));
	vec_push(p->mem, &operands, root);
	put_sequence(p, number, &operands, &p->sequences);
}

/* ---- the module -------------------------------------------------------------------- */

/* {(f32[2]{0}, f32[])->f32[2]{0}} */
static void put_entry_layout(proto_writer *p, const op *entry, writer *w)
{
	source src = {.name = "", .first_line = 1};
	src.text = hlo_attr_text(p->m->top, p->ctx, "entry_computation_layout");
	hlo_reader r = hlo_reader_of(p->ctx, &src);
	writer all = proto_part(p);
	r.mem = p->mem;
	hlo_expect(&r, "{");
	hlo_expect(&r, "(");
	while (!r.s.failed && hlo_peek(&r) != ')') {
		const shape *s = hlo_read_shape(&r);
		if (s)
			put_proto_shape_field(p, &all, 1, s);
		hlo_accept(&r, ",");
	}
	hlo_expect(&r, ")");
	hlo_expect(&r, "->");
	const shape *s = r.s.failed ? NULL : hlo_read_shape(&r);
	if (s)
		put_proto_shape_field(p, &all, 2, s);
	put_parameter_names(p, entry, &all);
	wire_put_bytes(w, MODULE_PROGRAM_SHAPE, writer_str(&all));
}

/* The schedule is the order of the text; fused computations have none. */
static void put_schedule(proto_writer *p, writer *w)
{
	writer all = proto_part(p);
	for (const op *c = module_body(p->m)->first; c; c = c->next) {
		id_list ids = {0};
		if (ptr_map_get(&p->fused, c))
			continue;
		for (const op *o = op_body(c)->first; o; o = o->next)
			vec_push(p->mem, &ids, id_in(&p->ids, o));
		put_sequence(p, id_in(&p->numbers, c), &ids, &all);
	}
	put_str(&all, writer_str(&p->sequences));
	wire_put_bytes(w, MODULE_SCHEDULE, writer_str(&all));
}

/* ---- ids --------------------------------------------------------------------------- */

/* Wrapper computations are numbered with the computation that starts them. */
static void number_computation(proto_writer *p, const op *c)
{
	const hlo_opcode *row;
	for (const op *o = op_body(c)->first; o; o = o->next) {
		if (strcmp(stage_of(o, &row), "start") == 0)
			*ptr_map_at(&p->numbers, p->mem, o) = (void *)(intptr_t)++p->last_number;
		const op *fused = strcmp(hlo_opcode_of(o), "fusion") == 0
		                          ? hlo_computation(p->m, hlo_attr(o, p->ctx, "calls"))
		                          : NULL;
		if (fused)
			*ptr_map_at(&p->fused, p->mem, fused) = (void *)fused;
	}
	*ptr_map_at(&p->numbers, p->mem, c) = (void *)(intptr_t)++p->last_number;
}

/* An instruction that calls computations; `last` is the highest of their ids. */
typedef struct caller {
	const op *o;
	int64_t last, place;
} caller;

static int compare_callers(const void *a, const void *b)
{
	const caller *x = a, *y = b;
	return x->last != y->last ? (x->last > y->last) - (x->last < y->last)
	                          : (x->place > y->place) - (x->place < y->place);
}

static int64_t last_called(proto_writer *p, const op *o)
{
	const hlo_opcode *row;
	stage_of(o, &row);
	id_list ids = called_ids(p, o, row);
	int64_t last = id_in(&p->numbers, o);
	for (int i = 0; i < ids.len; i++)
		last = max_i64(last, ids.ptr[i]);
	return last;
}

static void number_instructions(proto_writer *p, const op *c)
{
	VEC(caller) callers = {0};
	VEC(int64_t) free_ids = {0};
	for (const op *o = op_body(c)->first; o; o = o->next) {
		int64_t last = last_called(p, o);
		*ptr_map_at(&p->ids, p->mem, o) = (void *)(intptr_t)++p->last_id;
		if (!last)
			continue;
		vec_push(p->mem, &callers, ((caller){o, last, p->last_id}));
		vec_push(p->mem, &free_ids, p->last_id);
	}
	if (callers.len)
		qsort(callers.ptr, (size_t)callers.len, sizeof *callers.ptr, compare_callers);
	for (int i = 0; i < callers.len; i++)
		*ptr_map_at(&p->ids, p->mem, callers.ptr[i].o) = (void *)(intptr_t)free_ids.ptr[i];
}

/* ---- the whole module ----------------------------------------------------------------------- */

static void put_computations(proto_writer *p, writer *w)
{
	for (const op *c = module_body(p->m)->first; c; c = c->next)
		number_computation(p, c);
	for (const op *c = module_body(p->m)->first; c; c = c->next)
		number_instructions(p, c);
	for (const op *c = module_body(p->m)->first; c && !p->failed; c = c->next) {
		const hlo_opcode *row;
		writer part;
		for (const op *o = op_body(c)->first; o; o = o->next) {
			if (strcmp(stage_of(o, &row), "start") != 0)
				continue;
			part = proto_part(p);
			put_wrapped(p, o, &part);
			wire_put_bytes(w, MODULE_COMPUTATIONS, writer_str(&part));
		}
		part = proto_part(p);
		put_computation(p, c, &part);
		wire_put_bytes(w, MODULE_COMPUTATIONS, writer_str(&part));
	}
}

static const op *proto_entry_of(const module *m)
{
	const op *c = module_body(m)->first;
	while (c && !hlo_is_entry(m, c))
		c = c->next;
	return c;
}

static void put_text_of(proto_writer *p, const char *header, writer *w, uint32_t number,
                        void (*put)(proto_writer *p, writer *w, uint32_t number, tess_str text))
{
	tess_str text = hlo_attr_text(p->m->top, p->ctx, header);
	if (text.len)
		put(p, w, number, text);
}

bool hlo_write_proto(writer *w, const module *m)
{
	proto_writer p = {.ctx = m->ctx, .m = m, .mem = &m->ctx->scratch};
	int errors = diag_errors(m->ctx);
	p.sequences = proto_part(&p);
	const op *entry = proto_entry_of(m);
	if (!entry)
		return diag_error(m->ctx, NOWHERE, E_HLO_PROTO,
		                  "the module has no entry computation");
	wire_put_str(w, MODULE_NAME, hlo_attr_text(m->top, m->ctx, "hlo.module"));
	wire_put_str(w, MODULE_ENTRY_NAME, name_str(op_symbol(entry)));
	put_computations(&p, w);
	put_entry_layout(&p, entry, w);
	wire_put_int(w, MODULE_ID, 1);
	wire_put_int(w, MODULE_ENTRY, id_in(&p.numbers, entry));
	if (hlo_is_scheduled(m))
		put_schedule(&p, w);
	put_text_of(&p, "input_output_alias", w, MODULE_ALIASES, put_proto_aliases);
	put_text_of(&p, "hlo.frames", w, MODULE_FRAMES, put_proto_frames);
	put_text_of(&p, "buffer_donor", w, MODULE_DONORS, put_proto_donors);
	put_text_of(&p, "frontend_attributes", w, MODULE_FRONTEND, put_proto_dictionary);
	return !p.failed && diag_errors(m->ctx) == errors;
}
