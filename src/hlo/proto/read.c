/* read.c - reads HLO from protos: HloModuleProto, alone or inside HloProto, HloSnapshot,
 * HloModuleProtoWithConfig or HloUnoptimizedSnapshot.
 *
 * Computations and instructions are referred to by id, and defined before they are used. */
#include "hlo/proto/proto.h"

#include <stdlib.h>

typedef struct module_reader {
	proto_reader p;
	ptr_map computations; /* id -> op */
	ptr_map sequences;    /* id of a computation -> the bytes of its schedule */
} module_reader;

/* An instruction of the current computation. */
typedef struct numbered_op {
	int64_t id;
	op *o;
	tess_str bytes;
} numbered_op;

typedef struct computation_reader {
	module_reader *m;
	ptr_map instructions; /* id -> op */
	VEC(numbered_op) all;
	int64_t root;
} computation_reader;

/* Returns a name that is valid in text, so that what is printed can be parsed. */
static tess_str read_plain_name(proto_reader *p, const wire_message *m, uint32_t number,
                                const char *at)
{
	tess_str s = wire_bytes(m, number);
	source src = {.name = "", .text = s, .first_line = 1};
	scan words = hlo_reader_of(p->r.ctx, &src).s;
	bool plain = s.len && s.ptr[0] != '-' && s.ptr[0] != '.' &&
	             (s.ptr[0] < '0' || s.ptr[0] > '9');
	if (!plain || scan_word(&words).len != s.len)
		proto_fail(p, at,
		           "a name must be letters, digits, '_', '.' and '-', and start with a "
		           "letter or '_'");
	return s;
}

static const void *id_key(int64_t id) { return (const void *)((uintptr_t)id + 1); }

/* Returns false, after a diagnostic, if the id is negative. */
static bool is_id(proto_reader *p, int64_t id, const char *at)
{
	return id >= 0 || proto_fail(p, at, "the id %" PRId64 " is negative", id);
}

/* ---- attributes ------------------------------------------------------------------- */

/* Parses the text of an attribute; NULL: its default value, or an error. */
static const attr *read_attr_text(proto_reader *p, const hlo_attribute *a, tess_str text,
                                  const shape *s, const char *at)
{
	source src = {.text = text, .first_line = 1};
	src.name = arena_printf(p->mem, "%s: byte %zu: %s", p->name, (size_t)(at - p->begin),
	                        a->name);
	hlo_reader t = hlo_reader_of(p->r.ctx, &src);
	t.has_frames = p->r.has_frames;
	t.m = p->r.m;
	const attr *v = hlo_read_attr(&t, a, s);
	if (!t.s.failed && !hlo_at_end(&t))
		hlo_unexpected(&t, "the end");
	if (t.s.failed)
		scan_stop(&p->r.s);
	return t.s.failed ? NULL : v;
}

static const attr *called_symbol(computation_reader *c, int64_t id, const char *at)
{
	const op *called = ptr_map_get(&c->m->computations, id_key(id));
	if (!called)
		proto_fail(&c->m->p, at, "there is no computation with the id %" PRId64 " before this one",
		           id);
	return called ? attr_symbol(c->m->p.r.ctx, op_symbol(called)) : NULL;
}

static void set_called(computation_reader *c, hlo_pending *i, const char *attr_name, int64_t id,
                       const char *at)
{
	const attr *symbol = called_symbol(c, id, at);
	hlo_set_attr(&c->m->p.r, &i->attrs, attr_name, symbol);
	*ptr_map_at(&i->seen, c->m->p.mem, hlo_attribute_find(str_of(attr_name))) = i;
}

static void set_called_list(computation_reader *c, hlo_pending *i, const char *attr_name,
                            const int64_t *ids, int n, const char *at)
{
	const attr **list = NEW_N(c->m->p.mem, const attr *, n + 1);
	for (int k = 0; k < n; k++)
		list[k] = called_symbol(c, ids[k], at);
	if (!c->m->p.r.s.failed)
		hlo_set_attr(&c->m->p.r, &i->attrs, attr_name, attr_array(c->m->p.r.ctx, list, n));
}

static bool branches_on_bool(computation_reader *c, const hlo_pending *i, int n)
{
	const shape *s = i->operands.len
	                         ? hlo_shape_of(c->m->p.r.ctx, value_def(i->operands.ptr[0]))
	                         : NULL;
	return n == 2 && s && s->kind == SH_ARRAY && s->dtype == DT_I1;
}

/* Sets the computations that it calls, in the order of the opcode's attributes. */
static void read_called_ids(computation_reader *c, hlo_pending *i, const wire_message *o,
                            const char *at)
{
	int64_t *ids;
	int flags, n = wire_ints(&c->m->p, o, INSTRUCTION_CALLED, &ids), used = 0;
	const hlo_attribute *a;
	if (!n)
		return;
	if (str_is(i->opcode, "while") && n == 2) {
		set_called(c, i, "body", ids[0], at);
		set_called(c, i, "condition", ids[1], at);
		return;
	}
	if (str_is(i->opcode, "conditional") && !branches_on_bool(c, i, n)) {
		set_called_list(c, i, "branch_computations", ids, n, at);
		return;
	}
	if (str_is(i->opcode, "custom-call")) {
		set_called_list(c, i, "called_computations", ids, n, at);
		return;
	}
	for (int k = 0; (a = hlo_opcode_attr(i->row, k, &flags)) && used < n; k++)
		if (a->form == HLO_FORM_computation)
			set_called(c, i, a->name, ids[used++], at);
	if (used < n)
		proto_fail(&c->m->p, at, "%.*s calls %d computations, not %d", STR_ARG(i->opcode),
		           used, n);
}

static void read_proto_attr(computation_reader *c, hlo_pending *i, const hlo_attribute *a,
                            bool required, const wire_message *o, const char *at)
{
	writer w;
	proto_reader *p = &c->m->p;
	writer_init(&w, p->mem);
	if (p->r.s.failed || !proto_attr_text(p, i->row, a, required, o, &w) || p->r.s.failed)
		return;
	*ptr_map_at(&i->seen, p->mem, a) = i;
	hlo_set_attr(&p->r, &i->attrs, a->name, read_attr_text(p, a, writer_str(&w), i->shape, at));
}

static void read_proto_attrs(computation_reader *c, hlo_pending *i, const wire_message *o,
                             const char *at)
{
	int flags;
	const hlo_attribute *a;
	bool stage = strcmp(i->stage, "update") == 0 || strcmp(i->stage, "done") == 0;
	read_called_ids(c, i, o, at);
	for (int k = 0; !stage && (a = hlo_opcode_attr(i->row, k, &flags)); k++)
		read_proto_attr(c, i, a, flags & HLO_ATTR_REQUIRED, o, at);
	if (*i->stage)
		read_proto_attr(c, i, hlo_attribute_find(STR("async_execution_thread")), false, o,
		                at);
	for (int k = 0; (a = hlo_common_attr(k)); k++)
		read_proto_attr(c, i, a, false, o, at);
}

/* ---- instructions ------------------------------------------------------------------ */

static int read_operand_ids(computation_reader *c, hlo_pending *i, const wire_message *o,
                            uint32_t number, const char *at)
{
	int64_t *ids;
	int n = wire_ints(&c->m->p, o, number, &ids);
	for (int k = 0; k < n; k++) {
		op *def = ptr_map_get(&c->instructions, id_key(ids[k]));
		if (!def) {
			proto_fail(&c->m->p, at,
			           "no instruction with the id %" PRId64
			           " before this one in the computation",
			           ids[k]);
			return 0;
		}
		vec_push(c->m->p.mem, &i->operands, result(def, 0));
	}
	return n;
}

static void read_constant(computation_reader *c, hlo_pending *i, const wire_message *o)
{
	proto_reader *p = &c->m->p;
	wire_message literal = wire_sub(p, o, INSTRUCTION_LITERAL);
	bool there = wire_find(o, INSTRUCTION_LITERAL) != NULL;
	if (i->shape && !p->r.s.failed)
		hlo_set_attr(&p->r, &i->attrs, "hlo.literal",
		             there ? proto_literal(p, &literal, i->shape)
		                   : attr_string(p->r.ctx, name_of(p->r.ctx, STR("{...}"))));
}

static void read_proto_instruction(computation_reader *c, tess_str bytes)
{
	proto_reader *p = &c->m->p;
	wire_message o = wire_read(p, bytes), s = wire_sub(p, &o, INSTRUCTION_SHAPE);
	int64_t id = wire_int(&o, INSTRUCTION_ID);
	hlo_pending i = {.from = p->r.s.src->text.ptr,
	                 .label = read_plain_name(p, &o, INSTRUCTION_NAME, bytes.ptr),
	                 .opcode = wire_bytes(&o, INSTRUCTION_OPCODE),
	                 .root = id == c->root};
	if (p->r.s.failed || !is_id(p, id, bytes.ptr))
		return;
	i.row = hlo_opcode_find(i.opcode, &i.stage);
	void **slot = ptr_map_at(&c->instructions, p->mem, id_key(id));
	if (!i.row)
		proto_fail(p, bytes.ptr, "there is no opcode \"%.*s\"",
		           (int)min_i64((int64_t)i.opcode.len, 40), i.opcode.ptr);
	else if (*slot)
		proto_fail(p, bytes.ptr, "there are two instructions with the id %" PRId64, id);
	i.shape = p->r.s.failed ? NULL : proto_shape(p, &s);
	if (p->r.s.failed)
		return;
	if (str_is(i.opcode, "parameter"))
		hlo_set_attr(&p->r, &i.attrs, "hlo.number",
		             attr_i64(p->r.ctx, max_i64(wire_int(&o, INSTRUCTION_PARAMETER), 0)));
	if (str_is(i.opcode, "constant"))
		read_constant(c, &i, &o);
	read_operand_ids(c, &i, &o, INSTRUCTION_OPERANDS, bytes.ptr);
	read_proto_attrs(c, &i, &o, bytes.ptr);
	i.n_controls = read_operand_ids(c, &i, &o, INSTRUCTION_CONTROLS, bytes.ptr);
	int errors = diag_errors(p->r.ctx);
	op *made = hlo_finish_instruction(&p->r, &i);
	if (!made && diag_errors(p->r.ctx) > errors)
		diag_note(p->r.ctx, NOWHERE, "%s: byte %zu: in the instruction %.*s", p->name,
		          (size_t)(bytes.ptr - p->begin), STR_ARG(i.label));
	*slot = made;
	vec_push(p->mem, &c->all, ((numbered_op){.id = id, .o = made}));
}

/* ---- computations -------------------------------------------------------------------- */

static int compare_numbered(const void *a, const void *b)
{
	int64_t x = ((const numbered_op *)a)->id, y = ((const numbered_op *)b)->id;
	return (x > y) - (x < y);
}

static void relink(block *b, op *const *order, int n)
{
	for (int i = 0; i < n; i++) {
		op_unlink(order[i]);
		op_append(b, order[i]);
	}
}

/* XLA sorts the instructions of a proto by id, and prints them as in hlo_order(). */
static void order_as_xla(computation_reader *c, op *computation)
{
	proto_reader *p = &c->m->p;
	block *b = op_body(computation);
	int n = c->all.len;
	op **order = NEW_N(p->mem, op *, n + 1);
	if (p->r.s.failed || !n)
		return;
	qsort(c->all.ptr, (size_t)n, sizeof *c->all.ptr, compare_numbered);
	for (int i = 0; i < n; i++)
		order[i] = c->all.ptr[i].o;
	relink(b, order, n);
	order = hlo_order(p->r.m, computation, false, p->mem, &n);
	relink(b, order, n);
}

/* Reads the instructions in the order of the schedule, or else of the proto. */
static void read_in_order(computation_reader *c, const wire_message *m, int64_t id, tess_str at)
{
	proto_reader *p = &c->m->p;
	const wire_field *scheduled = ptr_map_get(&c->m->sequences, id_key(id));
	ptr_map by_id = {0};
	int64_t *ids;
	if (!scheduled) {
		for (const wire_field *f = NULL;
		     !p->r.s.failed && (f = wire_next(m, COMPUTATION_INSTRUCTIONS, f));)
			read_proto_instruction(c, f->bytes);
		return;
	}
	int n_there = 0;
	for (const wire_field *f = NULL; (f = wire_next(m, COMPUTATION_INSTRUCTIONS, f));
	     n_there++) {
		wire_message o = wire_read(p, f->bytes);
		int64_t instruction = wire_int(&o, INSTRUCTION_ID);
		if (is_id(p, instruction, f->bytes.ptr))
			*ptr_map_at(&by_id, p->mem, id_key(instruction)) = (void *)f;
	}
	wire_message sequence = wire_read(p, scheduled->bytes);
	int n = wire_ints(p, &sequence, 1, &ids);
	if (n != n_there)
		proto_fail(p, at.ptr, "the schedule has %d instructions, but the computation has %d", n,
		           n_there);
	for (int i = 0; i < n && !p->r.s.failed; i++) {
		const wire_field *f = ptr_map_get(&by_id, id_key(ids[i]));
		if (f)
			read_proto_instruction(c, f->bytes);
		else
			proto_fail(p, at.ptr,
			           "the schedule names an instruction that does not exist: %" PRId64,
			           ids[i]);
	}
}

static void read_proto_computation(module_reader *r, tess_str bytes, int64_t entry)
{
	proto_reader *p = &r->p;
	hlo_scope scope = {0};
	wire_message m = wire_read(p, bytes);
	int64_t id = wire_int(&m, COMPUTATION_ID);
	computation_reader c = {.m = r, .root = wire_int(&m, COMPUTATION_ROOT)};
	tess_str thread = wire_bytes(&m, COMPUTATION_THREAD);
	void **slot = ptr_map_at(&r->computations, p->mem, id_key(id));
	op *made = hlo_begin_computation(&p->r, &scope);
	read_in_order(&c, &m, id, bytes);
	if (!ptr_map_get(&r->sequences, id_key(id)))
		order_as_xla(&c, made);
	if (!p->r.s.failed && !op_body(made)->first)
		proto_fail(p, bytes.ptr, "the computation has no instructions");
	if (thread.len && !str_is(thread, "main") && !p->r.s.failed)
		op_set_attr_named(p->r.m, made, name_of_z(p->r.ctx, "hlo.thread"),
		                  attr_string(p->r.ctx, name_of(p->r.ctx, thread)));
	hlo_end_computation(&p->r, &scope, read_plain_name(p, &m, COMPUTATION_NAME, bytes.ptr),
	                    id == entry);
	*slot = made;
}

/* ---- the header ------------------------------------------------------------------------ */

static void put_index(proto_reader *p, const wire_message *m, uint32_t number, writer *w)
{
	int64_t *v;
	int n = wire_ints(p, m, number, &v);
	put_c(w, '{');
	for (int i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? "," : "", v[i]);
	put_c(w, '}');
}

/* Writes { {0}: (0, {}, may-alias) } and { (0, {}) }. */
static void read_proto_aliases(proto_reader *p, const wire_message *m, uint32_t number, bool pairs)
{
	writer w;
	wire_message list = wire_sub(p, m, number);
	writer_init(&w, p->mem);
	put_lit(&w, "{ ");
	for (const wire_field *f = NULL; (f = wire_next(&list, 1, f));) {
		wire_message e = wire_read(p, f->bytes);
		put_z(&w, w.len > 2 ? ", " : "");
		if (pairs) {
			put_index(p, &e, 1, &w);
			put_lit(&w, ": ");
		}
		put_f(&w, "(%" PRId64 ", ", wire_int(&e, pairs ? 2 : 1));
		put_index(p, &e, pairs ? 3 : 2, &w);
		put_z(&w, !pairs ? "" : wire_int(&e, 4) == 2 ? ", must-alias" : ", may-alias");
		put_c(&w, ')');
	}
	put_lit(&w, " }");
	if (wire_find(&list, 1) && !p->r.s.failed)
		hlo_set_header(&p->r, pairs ? "input_output_alias" : "buffer_donor",
		               writer_str(&w));
}

static void read_program_shape(proto_reader *p, const wire_message *m)
{
	writer w;
	int n = 0;
	wire_message program = wire_sub(p, m, MODULE_PROGRAM_SHAPE), out = wire_sub(p, &program, 2);
	if (!wire_find(m, MODULE_PROGRAM_SHAPE) || !wire_find(&program, 2))
		return;
	writer_init(&w, p->mem);
	put_lit(&w, "{(");
	for (const wire_field *f = NULL; (f = wire_next(&program, 1, f)) && !p->r.s.failed;) {
		wire_message part = wire_read(p, f->bytes);
		const shape *s = proto_shape(p, &part);
		if (s)
			hlo_put_listed_shape(&w, n++, s);
	}
	put_lit(&w, ")->");
	const shape *s = proto_shape(p, &out);
	if (!s)
		return;
	shape_print(&w, s, SHAPE_WITH_LAYOUT);
	put_c(&w, '}');
	hlo_set_header(&p->r, "entry_computation_layout", writer_str(&w));
}

static void read_module_frontend(proto_reader *p, const wire_message *m)
{
	writer w;
	wire_message list = wire_sub(p, m, MODULE_FRONTEND);
	if (!wire_find(&list, 1))
		return;
	writer_init(&w, p->mem);
	proto_dictionary_text(p, &list, &w);
	const attr *a = read_attr_text(p, hlo_attribute_find(STR("frontend_attributes")),
	                               writer_str(&w), NULL, p->begin);
	if (a)
		hlo_set_header(&p->r, "frontend_attributes", name_str(a->text));
}

static void read_schedule(module_reader *r, const wire_message *m)
{
	proto_reader *p = &r->p;
	wire_message schedule = wire_sub(p, m, MODULE_SCHEDULE);
	if (!wire_find(m, MODULE_SCHEDULE))
		return;
	hlo_set_header(&p->r, "is_scheduled", STR("true"));
	for (const wire_field *f = NULL; (f = wire_next(&schedule, 1, f));) {
		wire_message entry = wire_read(p, f->bytes);
		int64_t id = wire_int(&entry, 1);
		if (is_id(p, id, f->bytes.ptr))
			*ptr_map_at(&r->sequences, p->mem, id_key(id)) =
				(void *)wire_find(&entry, 2);
	}
}

/* ---- the order of computations ---------------------------------------------------------- */

/* A computation that is not read yet. */
typedef struct listed {
	const wire_field *f;
	int64_t id;
	VEC(int64_t) calls; /* ids, in the order of the calling instructions' ids */
	bool called, entered, done;
} listed;

typedef struct lister {
	module_reader *r;
	ptr_map by_id;
	VEC(listed *) all;
	VEC(listed *) order;
} lister;

static void list_calls(lister *l, listed *c)
{
	proto_reader *p = &l->r->p;
	wire_message m = wire_read(p, c->f->bytes);
	c->id = wire_int(&m, COMPUTATION_ID);
	VEC(numbered_op) callers = {0};
	for (const wire_field *f = NULL; (f = wire_next(&m, COMPUTATION_INSTRUCTIONS, f));) {
		wire_message o = wire_read(p, f->bytes);
		if (wire_find(&o, INSTRUCTION_CALLED))
			vec_push(p->mem, &callers,
			         ((numbered_op){.id = wire_int(&o, INSTRUCTION_ID),
			                     .bytes = f->bytes}));
	}
	if (callers.len)
		qsort(callers.ptr, (size_t)callers.len, sizeof *callers.ptr, compare_numbered);
	for (int i = 0; i < callers.len; i++) {
		int64_t *ids;
		wire_message o = wire_read(p, callers.ptr[i].bytes);
		int n = wire_ints(p, &o, INSTRUCTION_CALLED, &ids);
		for (int k = 0; k < n; k++)
			vec_push(p->mem, &c->calls, ids[k]);
	}
}

static int compare_listed(const void *a, const void *b)
{
	int64_t x = (*(listed *const *)a)->id, y = (*(listed *const *)b)->id;
	return (x > y) - (x < y);
}

/* Appends the computation after its callees. */
static void list_after_callees(lister *l, listed *c)
{
	proto_reader *p = &l->r->p;
	if (c->done || p->r.s.failed)
		return;
	if (c->entered || p->r.depth >= (int)p->r.ctx->opts.max_depth) {
		proto_fail(p, c->f->bytes.ptr,
		           c->entered ? "the computation calls itself"
		                      : "computations are nested too deeply");
		return;
	}
	c->entered = true;
	p->r.depth++;
	for (int i = 0; i < c->calls.len; i++) {
		listed *callee = ptr_map_get(&l->by_id, id_key(c->calls.ptr[i]));
		if (callee)
			list_after_callees(l, callee);
	}
	p->r.depth--;
	c->done = true;
	vec_push(p->mem, &l->order, c);
}

/* Orders computations as XLA does: those that nobody calls by id, each after its callees. */
static void list_computations(lister *l, const wire_message *m)
{
	proto_reader *p = &l->r->p;
	for (const wire_field *f = NULL;
	     !p->r.s.failed && (f = wire_next(m, MODULE_COMPUTATIONS, f));) {
		listed *c = NEW(p->mem, listed);
		c->f = f;
		list_calls(l, c);
		if (!is_id(p, c->id, f->bytes.ptr))
			return;
		vec_push(p->mem, &l->all, c);
		void **slot = ptr_map_at(&l->by_id, p->mem, id_key(c->id));
		if (*slot)
			proto_fail(p, f->bytes.ptr, "there are two computations with the id %" PRId64,
			           c->id);
		*slot = c;
	}
	for (int i = 0; i < l->all.len; i++)
		for (int k = 0; k < l->all.ptr[i]->calls.len; k++) {
			listed *callee = ptr_map_get(&l->by_id,
			                             id_key(l->all.ptr[i]->calls.ptr[k]));
			if (callee)
				callee->called = true;
		}
	if (l->all.len)
		qsort(l->all.ptr, (size_t)l->all.len, sizeof *l->all.ptr, compare_listed);
	for (int i = 0; i < l->all.len; i++)
		if (!l->all.ptr[i]->called)
			list_after_callees(l, l->all.ptr[i]);
	if (l->order.len < l->all.len)
		proto_fail(p, p->begin, "computations call each other in a circle");
}

/* Checks for parts that every module has: a proto cut off between two fields still parses. */
static void check_whole(module_reader *r, const wire_message *m, tess_str bytes)
{
	proto_reader *p = &r->p;
	const char *end = bytes.ptr + bytes.len;
	if (!p->r.s.failed && !module_body(p->r.m)->first)
		proto_fail(p, end, "the module has no computations");
	if (!wire_find(m, MODULE_PROGRAM_SHAPE))
		proto_fail(p, end,
		           "the module does not say the shapes of its program: it may be cut off here");
	if (!ptr_map_get(&r->computations, id_key(wire_int(m, MODULE_ENTRY))))
		proto_fail(p, end, "no computation has the id of the entry, %" PRId64,
		           wire_int(m, MODULE_ENTRY));
}

static void read_proto_module(module_reader *r, tess_str bytes)
{
	proto_reader *p = &r->p;
	wire_message m = wire_read(p, bytes);
	tess_str title = read_plain_name(p, &m, MODULE_NAME, bytes.ptr);
	if (p->r.s.failed)
		return;
	hlo_set_header(&p->r, "hlo.module", title);
	read_schedule(r, &m);
	read_proto_aliases(p, &m, MODULE_ALIASES, true);
	read_proto_aliases(p, &m, MODULE_DONORS, false);
	read_program_shape(p, &m);
	read_module_frontend(p, &m);
	wire_message frames = wire_sub(p, &m, MODULE_FRAMES);
	read_proto_frames(p, &frames);
	lister l = {.r = r};
	list_computations(&l, &m);
	for (int i = 0; i < l.order.len && !p->r.s.failed; i++)
		read_proto_computation(r, l.order.ptr[i]->f->bytes, wire_int(&m, MODULE_ENTRY));
	check_whole(r, &m, bytes);
	hlo_finish_module(&p->r);
}

/* ---- recognizing the message ---------------------------------------------------------------- */

/* True if the message has a computation with an instruction that has an opcode. */
bool proto_is_module(arena *mem, tess_str bytes)
{
	wire_message m, c, i;
	const char *stage;
	if (!wire_parses(mem, bytes, &m, NULL))
		return false;
	const wire_field *f = wire_next(&m, MODULE_COMPUTATIONS, NULL);
	if (!f || f->type != WIRE_BYTES || !wire_parses(mem, f->bytes, &c, NULL))
		return false;
	const wire_field *first = wire_next(&c, COMPUTATION_INSTRUCTIONS, NULL);
	return first && first->type == WIRE_BYTES && wire_parses(mem, first->bytes, &i, NULL) &&
	       hlo_opcode_find(wire_bytes(&i, INSTRUCTION_OPCODE), &stage);
}

/* Finds the HloModuleProto, which may be field 1 of field 1. */
static bool find_module(arena *mem, tess_str bytes, tess_str *out)
{
	enum { LEVELS = 3 };
	for (int level = 0; level < LEVELS; level++) {
		wire_message m;
		*out = bytes;
		if (proto_is_module(mem, bytes))
			return true;
		if (!wire_parses(mem, bytes, &m, NULL))
			return false;
		const wire_field *f = wire_next(&m, 1, NULL);
		if (!f || f->type != WIRE_BYTES)
			return false;
		bytes = f->bytes;
	}
	return false;
}

/* Protos start with field 1, a name or a message, and its length; text that starts with a newline
 * does not continue like that. A proto that is damaged later on is recognized, too; its reader says
 * where. */
bool hlo_is_proto(tess_ctx *ctx, tess_str text)
{
	enum { FIELD_1 = 0x0a, FIELD_2 = 0x12, FIELD_3 = 0x1a };
	unsigned char c = text.len > 1 ? (unsigned char)text.ptr[1] : 0;
	UNUSED(ctx);
	if (text.len < 2 || text.ptr[0] != FIELD_1)
		return text.len > 1 && (text.ptr[0] == FIELD_2 || text.ptr[0] == FIELD_3);
	if (c >= 128 || (c < ' ' && !strchr("\t\n\r", c)))
		return true;
	return c + 2u < text.len && (text.ptr[c + 2] == FIELD_2 || text.ptr[c + 2] == FIELD_3);
}

module *hlo_of_proto(tess_ctx *ctx, source *src)
{
	module_reader r = {0};
	tess_str bytes;
	source *empty = source_new(ctx, src->name, STR(""));
	proto_reader *p = &r.p;
	*p = (proto_reader){.r = hlo_reader_of(ctx, empty),
	                    .name = src->name,
	                    .begin = src->text.ptr,
	                    .mem = &ctx->scratch};
	p->r.m = module_new(ctx);
	p->r.names = (hlo_names){.ctx = ctx, .mem = p->mem};
	module_set_source(p->r.m, empty);
	if (!find_module(p->mem, src->text, &bytes))
		bytes = src->text;
	read_proto_module(&r, bytes);
	if (!p->r.s.failed)
		return p->r.m;
	module_free(p->r.m);
	return NULL;
}
