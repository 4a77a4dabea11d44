/* read.c - parses HLO text into the IR described in text.h.
 *
 *   text        ::= header? computation+ | instruction
 *   computation ::= 'ENTRY'? name ('(' parameters ')' '->' shape)? '{' instruction+ '}'
 *                   (',' 'execution_thread=' string)?
 *   parameters  ::= (name ':' shape (',' name ':' shape)*)?
 *
 * Everything is defined before it is used, so one pass is enough. */
#include "hlo/text/text.h"
#include "hlo/hlo.h"

/* ---- computations ------------------------------------------------------------------------ */

/* Returns the shape in the signature; names of parameters are not kept. */
static const shape *read_signature(hlo_reader *r)
{
	hlo_expect(r, "(");
	if (!hlo_accept(r, ")")) {
		do {
			hlo_name(r);
			hlo_expect(r, ":");
			hlo_read_shape(r);
		} while (!r->s.failed && hlo_accept(r, ","));
		hlo_expect(r, ")");
	}
	hlo_expect(r, "->");
	return hlo_read_shape(r);
}

static void check_signature(hlo_reader *r, const op *c, const shape *promised, place at)
{
	if (r->s.failed || !promised)
		return;
	const op *root = hlo_root(r->ctx, c);
	const shape *s = hlo_shape_of(r->ctx, root);
	if (shape_same(s, promised, SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC))
		return;
	hlo_fail(r, at, E_HLO_SHAPE, "the computation's result is not that of its root, %.*s",
	         STR_ARG(hlo_attr_text(root, r->ctx, "hlo.shape")));
	diag_note(r->ctx, op_place(r->m, root), "the root is here");
}

static void read_thread(hlo_reader *r, op *c)
{
	scan before = r->s;
	if (!hlo_accept(r, ",") || !hlo_accept_word(r, "execution_thread")) {
		r->s = before;
		return;
	}
	hlo_expect(r, "=");
	tess_str s = hlo_string(r);
	if (!r->s.failed && !str_is(s, "main"))
		op_set_attr_named(r->m, c, name_of_z(r->ctx, "hlo.thread"),
		                  attr_string(r->ctx, name_of(r->ctx, s)));
}

static bool has_entry(const hlo_reader *r)
{
	for (op *c = module_body(r->m)->first; c; c = c->next)
		if (hlo_is_entry(r->m, c))
			return true;
	return false;
}

static void read_whole_computation(hlo_reader *r)
{
	hlo_scope scope = {0};
	hlo_peek(r);
	const char *from = r->s.at;
	bool entry = hlo_accept_word(r, "ENTRY");
	if (entry && has_entry(r))
		hlo_fail(r, hlo_since(r, from), E_HLO_ROOT, "a module can have only one ENTRY");
	hlo_peek(r);
	from = r->s.at;
	tess_str label = hlo_name(r);
	place at = hlo_since(r, from);
	void **slot = ptr_map_at(&r->computations, r->mem, name_of(r->ctx, label));
	if (*slot)
		hlo_fail(r, at, E_HLO_NAME, "there are two computations %.*s", STR_ARG(label));
	const shape *promised = hlo_peek(r) == '(' ? read_signature(r) : NULL;
	op *c = hlo_begin_computation(r, &scope);
	op_set_place(c, at.begin, at.end);
	hlo_read_instructions(r);
	read_thread(r, c);
	hlo_end_computation(r, &scope, label, entry);
	check_signature(r, c, promised, at);
	if (!r->s.failed)
		*ptr_map_at(&r->computations, r->mem, name_of(r->ctx, label)) = c;
}

/* ---- modules --------------------------------------------------------------------------------- */

/* f = f32[2] add(f32[2] a, f32[2] b): a module with this instruction. */
static void read_lone_instruction(hlo_reader *r)
{
	hlo_scope scope = {.lone = true};
	hlo_begin_computation(r, &scope);
	hlo_read_instruction(r);
	hlo_end_computation(r, &scope, STR("_"), true);
	hlo_set_header(r, "hlo.module", STR("_"));
	hlo_set_header(r, "is_scheduled", STR("true"));
	if (!r->s.failed && !hlo_at_end(r))
		hlo_unexpected(r, "the end of the text");
}

static bool at_lone_instruction(hlo_reader *r)
{
	scan before = r->s;
	hlo_accept_word(r, "ROOT");
	hlo_accept(r, "%");
	bool lone = hlo_word(r).len && hlo_peek(r) == '=';
	r->s = before;
	return lone;
}

/* Recognizes MLIR: "module {", "module @f", "func.func @f", an alias, a generic operation. */
static bool at_mlir(hlo_reader *r)
{
	scan before = r->s;
	int c = hlo_peek(r);
	bool is = c == '#' || c == '!' || c == '"';
	if (!is && c != '%' && c != '{' && c != '(') {
		tess_str w = hlo_word(r);
		c = hlo_peek(r);
		is = (str_is(w, "module") && c != '(') ||
		     (c == '@' && w.len && memchr(w.ptr, '.', w.len));
	}
	r->s = before;
	return is;
}

static void refuse_mlir(hlo_reader *r)
{
	uint32_t at = scan_offset(&r->s);
	hlo_fail(r, (place){r->s.src, at, at + 1}, E_HLO_SYNTAX,
	         "this is MLIR, not HLO: `tess shard`, `tess report` and others read it, "
	         "`tess convert --to-hlo` makes HLO of it");
}

static void read_module(hlo_reader *r)
{
	if (hlo_accept_word(r, "HloModule")) {
		hlo_read_header(r);
	} else if (hlo_at_end(r)) {
		hlo_unexpected(r, "HloModule");
		return;
	} else if (at_mlir(r)) {
		refuse_mlir(r);
		return;
	} else if (at_lone_instruction(r)) {
		read_lone_instruction(r);
		return;
	}
	do
		read_whole_computation(r);
	while (!r->s.failed && !hlo_at_end(r));
}

/* Reports a zero byte, which no text has: it would cut off what is kept as written. */
static void refuse_byte_0(hlo_reader *r)
{
	const char *at = memchr(r->s.at, 0, (size_t)(r->s.end - r->s.at));
	if (!at)
		return;
	r->s.at = at;
	hlo_unexpected(r, "text");
}

module *hlo_parse(tess_ctx *ctx, source *src)
{
	hlo_reader r = hlo_reader_of(ctx, src);
	r.m = module_new(ctx);
	r.names = (hlo_names){.ctx = ctx, .mem = r.mem};
	module_set_source(r.m, src);
	refuse_byte_0(&r);
	if (!r.s.failed)
		read_module(&r);
	hlo_finish_module(&r);
	if (!r.s.failed)
		return r.m;
	module_free(r.m);
	return NULL;
}

bool hlo_is_module(const module *m)
{
	const attr_list *l = &m->top->attrs;
	for (int i = 0; i < l->n; i++)
		if (str_is(name_str(l->ptr[i].name), "hlo.module"))
			return true;
	return false;
}
