/* print.c - prints HLO as XLA does. */
#include "hlo/text/text.h"

typedef struct hlo_printer {
	writer *w;
	tess_ctx *ctx;
	const module *m;
	arena *mem;
	hlo_print_opts opts;
	int indent;
	ptr_map labels; /* number + 1 of each instruction in the computation, for canonical names */
} hlo_printer;

static void print_computation(hlo_printer *p, const op *c, bool nested);

/* ---- names ------------------------------------------------------------------- */

static void print_label(hlo_printer *p, const value *v)
{
	if (p->opts.canonical_names) {
		put_f(p->w, "tmp_%d", (int)(intptr_t)ptr_map_get(&p->labels, value_def(v)) - 1);
		return;
	}
	if (p->opts.percent)
		put_c(p->w, '%');
	put_name(p->w, value_given_name(v));
}

static void print_symbol(hlo_printer *p, const attr *symbol)
{
	if (p->opts.percent)
		put_c(p->w, '%');
	put_name(p->w, symbol->text);
}

/* ---- constants ------------------------------------------------------------------- */

enum { SMALL_CONSTANT = 10 }; /* always printed if there are at most so many elements */

static bool all_elements_are(const attr *a, double v)
{
	int64_t n = a->splat ? 1 : a->type->n_elems;
	if (dtype_is_complex(a->type->dtype))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (dtype_is_float(a->type->dtype)) {
			uint64_t bits = 0;
			int bytes = dtype_bytes(a->type->dtype);
			memcpy(&bits, (const char *)a->data + i * bytes, (size_t)bytes);
			if (float_value(bits, a->type->dtype) != v)
				return false;
		} else if ((double)attr_dense_int(a, i) != v) {
			return false;
		}
	return true;
}

/* Fingerprints only include integers, and constants that are all 0 or all 1. */
static void print_essential(hlo_printer *p, const attr *a, const shape *s)
{
	bool integer = dtype_is_int(s->dtype) && s->dtype != DT_I1;
	if (s->kind != SH_ARRAY || a->kind != AT_DENSE)
		put_lit(p->w, "{...}");
	else if (all_elements_are(a, 0))
		put_lit(p->w, "0");
	else if (all_elements_are(a, 1))
		put_lit(p->w, "1");
	else if (integer)
		hlo_write_literal(p->w, a, s);
	else
		put_lit(p->w, "{...}");
}

static void print_constant(hlo_printer *p, const op *o)
{
	const attr *a = hlo_attr(o, p->ctx, "hlo.literal");
	const shape *s = hlo_shape_of(p->ctx, o);
	int64_t n = 0;
	bool small = s->kind == SH_ARRAY && shape_elements(s, &n) && n <= SMALL_CONSTANT;
	if (p->opts.essential_constants)
		print_essential(p, a, s);
	else if (small || p->opts.large_constants)
		hlo_write_literal(p->w, a, s);
	else
		put_lit(p->w, "{...}");
}

/* ---- operands ----------------------------------------------------------------------- */

static void print_operands(hlo_printer *p, const op *o)
{
	const attr *number = hlo_attr(o, p->ctx, "hlo.number");
	int n = hlo_operands(o, p->ctx);
	if (number)
		put_int(p->w, number->i);
	else if (hlo_attr(o, p->ctx, "hlo.literal"))
		print_constant(p, o);
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		if (i && i % 5 == 0 && p->opts.operand_index)
			put_f(p->w, "/*index=%d*/", i);
		if (p->opts.operand_shapes) {
			put_str(p->w, hlo_attr_text(value_def(operand(o, i)), p->ctx, "hlo.shape"));
			put_c(p->w, ' ');
		}
		print_label(p, operand(o, i));
	}
}

/* ---- attributes ------------------------------------------------------------------------ */

/* Prints the computation itself below the instruction. */
static void print_called(hlo_printer *p, const attr *symbol)
{
	const op *c = hlo_computation(p->m, symbol);
	ptr_map outer = p->labels;
	p->labels = (ptr_map){0};
	p->indent++;
	print_computation(p, c, true);
	p->indent--;
	p->labels = outer;
}

static void print_symbols(hlo_printer *p, const attr *list)
{
	put_z(p->w, p->opts.full_bodies ? "{\n" : "{");
	for (int i = 0; i < list->n; i++) {
		if (i)
			put_z(p->w, p->opts.full_bodies ? ",\n" : ", ");
		if (p->opts.full_bodies)
			print_called(p, list->list[i]);
		else
			print_symbol(p, list->list[i]);
	}
	put_z(p->w, p->opts.full_bodies ? "\n}" : "}");
}

static void print_controls(hlo_printer *p, const op *o)
{
	int n = hlo_operands(o, p->ctx);
	if (n == o->n_operands || !p->opts.control_predecessors)
		return;
	put_lit(p->w, ", control-predecessors={");
	for (int i = n; i < o->n_operands; i++) {
		if (i > n)
			put_lit(p->w, ", ");
		print_label(p, operand(o, i));
	}
	put_c(p->w, '}');
}

/* In fingerprints all groups are listed, so that they do not depend on how groups are written. */
static void print_listed_groups(hlo_printer *p, tess_str text)
{
	source src = {.name = "", .text = text, .first_line = 1};
	replica_groups g;
	uint32_t end;
	if (!replica_groups_parse(p->ctx, &src, 0, &end, &g) || g.group_size < 0) {
		put_str(p->w, text);
		return;
	}
	put_c(p->w, '{');
	for (int64_t i = 0; i < g.n_groups * g.group_size; i++) {
		if (i % g.group_size == 0)
			put_z(p->w, i ? ",{" : "{");
		put_int(p->w, device_array_at(&g.devices, i));
		put_c(p->w, (i + 1) % g.group_size == 0 ? '}' : ',');
	}
	put_c(p->w, '}');
}

/* XLA prints nested bodies as calls=, with some exceptions. */
static const char *body_word(const op *o, const char *word)
{
	bool unknown = strcmp(hlo_opcode_of(o), "reduce-scatter") == 0 ||
	               strcmp(hlo_opcode_of(o), "scan") == 0;
	return unknown ? "calls" : word;
}

static bool is_hidden(const hlo_printer *p, const hlo_attribute *a)
{
	switch (a->form) {
	case HLO_FORM_metadata: return !p->opts.metadata;
	case HLO_FORM_config: return !p->opts.backend_config;
	default: break;
	}
	return !p->opts.ids && (strcmp(a->name, "parameter_replication") == 0 ||
	                        strcmp(a->name, "infeed_config") == 0 ||
	                        strcmp(a->name, "outfeed_config") == 0);
}

static void print_attribute(hlo_printer *p, const op *o, const hlo_attribute *a)
{
	if (a->form == HLO_FORM_predecessors) {
		print_controls(p, o);
		return;
	}
	const attr *v = hlo_attr(o, p->ctx, a->name);
	if (!v || is_hidden(p, a))
		return;
	bool body = v->kind == AT_SYMBOL && p->opts.full_bodies;
	put_f(p->w, ", %s=", body ? body_word(o, a->name) : a->name);
	if (v->kind == AT_ARRAY) {
		print_symbols(p, v);
	} else if (body) {
		put_c(p->w, '\n');
		print_called(p, v);
	} else if (v->kind == AT_SYMBOL) {
		print_symbol(p, v);
	} else if (a->form == HLO_FORM_groups && !p->opts.ids) {
		print_listed_groups(p, name_str(v->text));
	} else {
		put_name(p->w, v->text);
	}
}

static void print_own_attributes(hlo_printer *p, const op *o, const hlo_opcode *row)
{
	const hlo_attribute *a;
	int flags;
	for (int i = 0; (a = hlo_opcode_attr(row, i, &flags)); i++)
		print_attribute(p, o, a);
}

/* Prints the computation that XLA wraps around an asynchronous instruction: that instruction, on
 * parameters of its own. */
static void print_wrapped(hlo_printer *p, const op *o, const hlo_opcode *row)
{
	const shape *s = hlo_shape_of(p->ctx, o);
	int n = hlo_operands(o, p->ctx), tab = 2 * p->indent + 2;
	put_lit(p->w, ", calls=\n");
	put_spaces(p->w, tab);
	put_lit(p->w, "{\n");
	for (int i = 0; i < n; i++) {
		put_spaces(p->w, tab + 2);
		put_f(p->w, "tmp_%d = %.*s parameter(%d)\n", i,
		      STR_ARG(hlo_attr_text(value_def(operand(o, i)), p->ctx, "hlo.shape")), i);
	}
	put_spaces(p->w, tab + 2);
	put_f(p->w, "ROOT tmp_%d = ", n);
	shape_print(p->w, s->kind == SH_TUPLE && s->n_parts > 1 ? s->parts[1] : s,
	            SHAPE_WITH_LAYOUT);
	put_f(p->w, " %s(", row->opcode);
	for (int i = 0; i < n; i++)
		put_f(p->w, "%s%.*s tmp_%d", i ? ", " : "",
		      STR_ARG(hlo_attr_text(value_def(operand(o, i)), p->ctx, "hlo.shape")), i);
	put_c(p->w, ')');
	p->indent++;
	print_own_attributes(p, o, row);
	p->indent--;
	put_c(p->w, '\n');
	put_spaces(p->w, tab);
	put_c(p->w, '}');
	tess_str thread = hlo_attr_text(o, p->ctx, "async_execution_thread");
	if (thread.len && p->opts.ids) {
		put_lit(p->w, ", execution_thread=");
		put_str(p->w, thread);
	}
}

static void print_attributes(hlo_printer *p, const op *o)
{
	const char *stage;
	const hlo_opcode *row = hlo_opcode_find(str_of(hlo_opcode_of(o)), &stage);
	const hlo_attribute *a;
	if (row && *stage)
		print_attribute(p, o, hlo_attribute_find(STR("async_execution_thread")));
	if (row)
		print_own_attributes(p, o, row);
	if (row && p->opts.full_bodies && strcmp(stage, "start") == 0)
		print_wrapped(p, o, row);
	for (int i = 0; (a = hlo_common_attr(i)); i++)
		print_attribute(p, o, a);
}

/* ---- computations ------------------------------------------------------------------------- */

static void print_instruction(hlo_printer *p, const op *o)
{
	put_spaces(p->w, 2 * p->indent + 2);
	if (hlo_attr(o, p->ctx, "hlo.root"))
		put_lit(p->w, "ROOT ");
	print_label(p, &o->results[0]);
	put_lit(p->w, " = ");
	put_str(p->w, hlo_attr_text(o, p->ctx, "hlo.shape"));
	put_c(p->w, ' ');
	put_z(p->w, hlo_opcode_of(o));
	put_c(p->w, '(');
	print_operands(p, o);
	put_c(p->w, ')');
	print_attributes(p, o);
	put_c(p->w, '\n');
}

/* (p: f32[4], q: s32[]) -> f32[4] */
static void print_signature(hlo_printer *p, const op *c)
{
	int n;
	op **params = hlo_parameters(c, p->ctx, p->mem, &n);
	put_lit(p->w, " (");
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		put_name(p->w, value_given_name(result(params[i], 0)));
		put_lit(p->w, ": ");
		shape_print(p->w, hlo_shape_of(p->ctx, params[i]), 0);
	}
	put_lit(p->w, ") -> ");
	shape_print(p->w, hlo_shape_of(p->ctx, hlo_root(p->ctx, c)), 0);
}

static void print_computation_head(hlo_printer *p, const op *c)
{
	if (hlo_is_entry(p->m, c))
		put_lit(p->w, "ENTRY ");
	if (p->opts.ids) {
		if (p->opts.percent)
			put_c(p->w, '%');
		put_name(p->w, op_symbol(c));
		if (p->opts.signatures)
			print_signature(p, c);
		put_c(p->w, ' ');
	}
}

static void print_computation(hlo_printer *p, const op *c, bool nested)
{
	int n;
	arena_mark mark = arena_here(p->mem);
	/* with a schedule, instructions are printed in text order; but nested bodies have none */
	op **order = hlo_order(p->m, c, hlo_is_scheduled(p->m) && !nested, p->mem, &n);
	for (int i = 0; i < n; i++)
		*ptr_map_at(&p->labels, p->mem, order[i]) = (void *)(intptr_t)(i + 1);
	put_spaces(p->w, 2 * p->indent);
	if (!nested)
		print_computation_head(p, c);
	put_lit(p->w, "{\n");
	for (int i = 0; i < n; i++)
		print_instruction(p, order[i]);
	put_spaces(p->w, 2 * p->indent);
	put_c(p->w, '}');
	tess_str thread = hlo_attr_text(c, p->ctx, "hlo.thread");
	if (thread.len && p->opts.ids) {
		put_lit(p->w, ", execution_thread=");
		hlo_put_quoted(p->w, thread);
	}
	p->labels = (ptr_map){0};
	arena_back(p->mem, mark);
}

static void print_header(hlo_printer *p)
{
	const op *top = p->m->top;
	const char *attr_name;
	put_lit(p->w, "HloModule ");
	if (p->opts.ids)
		put_str(p->w, hlo_attr_text(top, p->ctx, "hlo.module"));
	for (int i = 0; (attr_name = hlo_header_name(i)); i++) {
		tess_str s = hlo_attr_text(top, p->ctx, attr_name);
		if (s.len) {
			put_f(p->w, ", %s=", attr_name);
			put_str(p->w, s); /* may contain any byte, even NUL */
		}
	}
	tess_str frames = hlo_attr_text(top, p->ctx, "hlo.frames");
	if (frames.len && p->opts.metadata) {
		put_lit(p->w, "\n\n");
		put_str(p->w, frames);
	}
	put_lit(p->w, "\n\n");
}

void hlo_print(writer *w, const module *m, const hlo_print_opts *opts)
{
	hlo_printer p = {.w = w, .ctx = m->ctx, .m = m, .mem = &m->ctx->scratch, .opts = *opts};
	print_header(&p);
	for (op *c = module_body(m)->first; c; c = c->next) {
		print_computation(&p, c, false);
		put_lit(w, "\n\n");
	}
}
