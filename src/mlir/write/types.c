/* types.c - prints types. */
#include "mlir/write/write.h"

#include <math.h>

static void write_dims(printer *p, const type *t)
{
	for (int i = 0; i < t->rank; i++) {
		if (t->dims[i] == DIM_DYNAMIC)
			put_c(p->w, '?');
		else
			put_int(p->w, t->dims[i]);
		put_c(p->w, 'x');
	}
}

static void write_shaped(printer *p, const type *t, const char *word)
{
	put_z(p->w, word);
	put_c(p->w, '<');
	if (t->kind == TY_UNRANKED)
		put_lit(p->w, "*x");
	write_dims(p, t);
	write_type(p, t->elem);
	if (t->encoding && t->kind == TY_MEMREF && t->encoding->kind == AT_ARRAY) {
		for (int i = 0; i < t->encoding->n; i++) {
			put_lit(p->w, ", ");
			write_attr_item(p, t->encoding->list[i]);
		}
	} else if (t->encoding) {
		put_lit(p->w, ", ");
		(t->kind == TY_MEMREF ? write_attr_item : write_attr)(p, t->encoding);
	}
	put_c(p->w, '>');
}

/* True if the text of the type fits into the buffer of write_tensor(). */
static bool is_short(const type *t) { return t->rank <= 8 && !t->encoding && t->elem->kind == TY_SCALAR; }

static void write_tensor(printer *p, const type *t)
{
	enum { ROOM = 8 * 21 + 32 };
	writer *w = p->w;
	if (!p->m || !is_short(t)) {
		write_shaped(p, t, "tensor");
		return;
	}
	if (!p->types)
		p->types = NEW_N(p->mem, known_text, KNOWN_TEXTS);
	known_text *known = &p->types[t->hash % KNOWN_TEXTS];
	if (w->cap - w->len < ROOM)
		writer_room_(w, ROOM);
	if (known->type == t) {
		memcpy(w->ptr + w->len, known->text, sizeof known->text);
		w->len += known->len;
		return;
	}
	size_t begin = w->len;
	write_shaped(p, t, "tensor");
	if (w->len - begin <= sizeof known->text) {
		*known = (known_text){.type = t, .len = (uint8_t)(w->len - begin)};
		memcpy(known->text, w->ptr + begin, known->len);
	}
}

/* Prints a scale as LLVM prints a double here. */
static void write_scale(printer *p, double v)
{
	write_float(p->w, float_bits(v, DT_F64), DT_F64);
}

static void write_scale_zero(printer *p, const quant_info *q, int i)
{
	write_scale(p, q->scales[i]);
	if (!q->zeros[i])
		return;
	put_c(p->w, ':');
	put_int(p->w, q->zeros[i]);
}

/* Prints :{0:1, 1:2}, {{0.5, 0.25}, {1.0, 2.0:3}}. */
static void write_quant_blocks(printer *p, const quant_info *q)
{
	const quant_blocks *b = q->blocks;
	put_lit(p->w, ":{");
	for (int i = 0; i < b->n; i++)
		put_f(p->w, "%s%" PRId64 ":%" PRId64, i ? ", " : "", b->dims[i], b->sizes[i]);
	put_lit(p->w, "}, ");
	for (int i = 0; i < q->n; i++) {
		/* A list opens or closes at each multiple of the number of scales in it. */
		int64_t size = 1, opened = 0, closed = 0;
		for (int d = b->rank - 1; d >= 0; d--) {
			size *= b->shape[d];
			opened += i % size == 0;
			closed += (i + 1) % size == 0;
		}
		put_z(p->w, i ? ", " : "");
		for (; opened; opened--)
			put_c(p->w, '{');
		write_scale_zero(p, q, i);
		for (; closed; closed--)
			put_c(p->w, '}');
	}
}

static void write_quant(printer *p, const quant_info *q)
{
	bool unsigned_storage = dtype_class_of(q->storage) == DC_UINT;
	put_lit(p->w, "!quant.uniform<");
	put_z(p->w, q->storage_ui ? "ui" : unsigned_storage ? "u" : "i");
	put_int(p->w, dtype_bits(q->storage));
	if (!q->default_range) {
		put_c(p->w, '<');
		put_int(p->w, q->min);
		put_c(p->w, ':');
		put_int(p->w, q->max);
		put_c(p->w, '>');
	}
	put_c(p->w, ':');
	put_z(p->w, dtype_mlir(q->expressed));
	if (q->axis >= 0) {
		put_c(p->w, ':');
		put_int(p->w, q->axis);
	}
	if (q->blocks) {
		write_quant_blocks(p, q);
		put_c(p->w, '>');
		return;
	}
	put_lit(p->w, ", ");
	if (q->axis < 0) {
		write_scale_zero(p, q, 0);
	} else {
		put_c(p->w, '{');
		for (int i = 0; i < q->n; i++) {
			if (i)
				put_c(p->w, ',');
			write_scale_zero(p, q, i);
		}
		put_c(p->w, '}');
	}
	put_c(p->w, '>');
}

static void write_types(printer *p, const type *const *list, int n)
{
	for (int i = 0; i < n; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, list[i]);
	}
}

static void write_list(printer *p, const char *before, const type *t, const char *after)
{
	put_z(p->w, before);
	write_types(p, t->in, t->n_in);
	put_z(p->w, after);
}

void write_type(printer *p, const type *t)
{
	switch (t->kind) {
	case TY_NONE: put_lit(p->w, "none"); return;
	case TY_SCALAR: put_z(p->w, dtype_mlir(t->dtype)); return;
	case TY_INT:
	case TY_OPAQUE: put_name(p->w, t->text); return;
	case TY_COMPLEX:
		put_lit(p->w, "complex<");
		write_type(p, t->elem);
		put_c(p->w, '>');
		return;
	case TY_QUANT: write_quant(p, t->quant); return;
	case TY_TENSOR: write_tensor(p, t); return;
	case TY_UNRANKED: write_shaped(p, t, "tensor"); return;
	case TY_VECTOR: write_shaped(p, t, "vector"); return;
	case TY_MEMREF: write_shaped(p, t, "memref"); return;
	case TY_TUPLE: write_list(p, "tuple<", t, ">"); return;
	case TY_FUTURE: write_list(p, "!stablehlo.future<", t, ">"); return;
	case TY_TOKEN: put_lit(p->w, "!stablehlo.token"); return;
	case TY_FUNCTION: {
		write_list(p, "(", t, ") -> ");
		bool bare = t->n_out == 1 && t->out[0]->kind != TY_FUNCTION;
		if (!bare)
			put_c(p->w, '(');
		write_types(p, t->out, t->n_out);
		if (!bare)
			put_c(p->w, ')');
		return;
	}
	}
}

void write_results_types(printer *p, const op *o)
{
	for (int i = 0; i < o->n_results; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, o->results[i].type);
	}
}

void write_function_type(printer *p, const op *o)
{
	put_c(p->w, '(');
	for (int i = 0; i < o->n_operands; i++) {
		if (i)
			put_lit(p->w, ", ");
		write_type(p, operand(o, i)->type);
	}
	put_lit(p->w, ") -> ");
	bool bare = o->n_results == 1 && o->results[0].type->kind != TY_FUNCTION;
	if (!bare)
		put_c(p->w, '(');
	write_results_types(p, o);
	if (!bare)
		put_c(p->w, ')');
}

void mlir_print_type(writer *w, tess_ctx *ctx, const type *t)
{
	printer p = {.w = w, .ctx = ctx, .opts = MLIR_PRINT_OPTS_INIT, .mem = &ctx->scratch};
	write_type(&p, t);
}
