/* sink_kit.c - helpers of the files that convert StableHLO to HLO. */
#include "hlo/convert/sink.h"

#include <ctype.h>

void put_opcode(hlo_sinker *l, const char *opcode, const char *const *operands, int n)
{
	put_f(l->at, " %s(", opcode);
	for (int i = 0; i < n; i++)
		put_f(l->at, "%s%s", i ? ", " : "", operands[i]);
	put_c(l->at, ')');
}

/* Extracts the elements of a tuple as these values. */
void sink_elements(hlo_sinker *l, const char *tuple, value *const *v, int n)
{
	for (int i = 0; i < n; i++) {
		l->names[v[i]->id] = sink_begin(l, "get-tuple-element", &v[i]->type, 1, &tuple, 1);
		put_f(l->at, ", index=%d", i);
		sink_end(l);
	}
}

const char *sink_begin(hlo_sinker *l, const char *opcode, const type *const *types, int n_types,
                        const char *const *operands, int n)
{
	const char *made = sink_name(l, opcode);
	put_f(l->at, "  %s = ", made);
	sink_shapes(l, l->at, types, n_types);
	put_opcode(l, opcode, operands, n);
	return made;
}

void sink_end(hlo_sinker *l) { put_c(l->at, '\n'); }

const char **sink_operands(hlo_sinker *l, const op *o)
{
	const char **out = NEW_N(l->mem, const char *, o->n_operands + 1);
	for (int i = 0; i < o->n_operands; i++)
		out[i] = l->names[operand(o, i)->id];
	return out;
}

void sink_results(hlo_sinker *l, const op *o, const char *instruction)
{
	value **v = NEW_N(l->mem, value *, o->n_results + 1);
	for (int i = 0; i < o->n_results; i++)
		v[i] = result(o, i);
	if (o->n_results == 1)
		l->names[v[0]->id] = instruction;
	else
		sink_elements(l, instruction, v, o->n_results);
}

const type **sink_types(hlo_sinker *l, const op *o, int *n)
{
	const type **types = NEW_N(l->mem, const type *, o->n_results + 1);
	for (int i = 0; i < o->n_results; i++)
		types[i] = o->results[i].type;
	*n = o->n_results;
	return types;
}

bool sink_fail(hlo_sinker *l, const op *o, const char *what)
{
	if (!l->failed)
		diag_error(l->ctx, op_place(l->m, o), E_HLO_CONVERT, "%s has no counterpart in HLO",
		           what);
	l->failed = true;
	return false;
}

void sink_shape_in(hlo_sinker *l, const type *t, const attr *layouts, int i)
{
	int n = 0;
	const int64_t *order = layouts && layouts->kind == AT_ARRAY && i < layouts->n
	                               ? attr_ints(l->ctx, layouts->list[i], &n)
	                               : NULL;
	sink_shape(l, l->at, t);
	for (int k = 0; order && k < n; k++)
		put_f(l->at, "%s%" PRId64, k ? "," : "{", order[k]);
	put_z(l->at, order && n > 0 ? "}" : "");
}

/* Replaces invalid characters by underscores, as XLA does (NameUniquer). */
const char *plain_name(hlo_sinker *l, const char *text)
{
	char *made = arena_printf(l->mem, "%s%s", isdigit((unsigned char)*text) ? "_" : "", text);
	for (char *p = made; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.' && *p != '-')
			*p = '_';
	return made;
}

const char *sink_name(hlo_sinker *l, const char *root)
{
	return arena_printf(l->mem, "%s.%d", plain_name(l, root), ++l->number);
}

void sink_shape(hlo_sinker *l, writer *w, const type *t)
{
	switch (t->kind) {
	case TY_TENSOR:
		put_f(w, "%s[", dtype_hlo(t->dtype));
		for (int i = 0; i < t->rank; i++) {
			put_z(w, i ? "," : "");
			if (t->dims[i] == DIM_DYNAMIC)
				put_c(w, '?');
			else
				put_int(w, t->dims[i]);
		}
		put_c(w, ']');
		return;
	case TY_TUPLE: sink_shapes(l, w, t->in, t->n_in); return;
	case TY_TOKEN: put_lit(w, "token[]"); return;
	default: put_lit(w, "opaque[]"); return;
	}
}

void sink_shapes(hlo_sinker *l, writer *w, const type *const *types, int n)
{
	put_z(w, n == 1 ? "" : "(");
	for (int i = 0; i < n; i++) {
		put_z(w, i ? ", " : "");
		sink_shape(l, w, types[i]);
	}
	put_z(w, n == 1 ? "" : ")");
}

void sink_ints(hlo_sinker *l, const char *key, const int64_t *v, int n)
{
	put_f(l->at, ", %s={", key);
	for (int i = 0; i < n; i++)
		put_f(l->at, "%s%" PRId64, i ? "," : "", v[i]);
	put_c(l->at, '}');
}

void sink_number(hlo_sinker *l, const char *key, int64_t v)
{
	put_f(l->at, ", %s=%" PRId64, key, v);
}

void sink_matrix(hlo_sinker *l, const char *key, const int64_t *v, int n, int64_t width)
{
	put_f(l->at, ", %s={", key);
	for (int i = 0; i < n; i++) {
		bool first = i % width == 0;
		if (first)
			put_z(l->at, i ? "},{" : "{");
		if (v[i] >= 0)
			put_f(l->at, "%s%" PRId64, first ? "" : ",", v[i]);
	}
	put_z(l->at, n ? "}}" : "}");
}
