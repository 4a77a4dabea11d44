/* sizes.c - a program with unknown dimensions, specialized for given sizes of its arguments.
 *
 * jax.export only names the dimensions in the messages of the checks that it puts at the start of
 * the program:
 *
 *     custom_call @shape_assertion(%ok, %n) {error_message = "… from specification '2*b' for
 *         dimension args[0].shape[1] (= {0}) …"}
 *     custom_call @shape_assertion(%ok, %m, %n) {error_message = "… between dimension size
 *         args[1].shape[0] (= {0}) and the specification 'b' (= {1}) …"}
 *
 * {0} is the first number after the condition, and that is stablehlo.get_dimension_size of an
 * argument. So each open dimension gets its text, and from that its size. The rest follows as when
 * a program runs (specialise.c), including the checks. */
#include "exec/rewrite/specialise.h"
#include "exec/rewrite/symbolic.h"

#include <stdlib.h>

typedef struct sizing {
	module *m;
	op *func;
	arena *mem;
	given_sizes given;
	tess_str **texts;   /* by argument and dimension; empty: the text is unknown */
	exec_value *values; /* with the types that the arguments shall have */
} sizing;

/* ---- the texts of dimensions ---------------------------------------------------------------- */

/* Finds the dimension of an argument whose size the value is; false: it is something else. */
static bool is_size_of_argument(const sizing *s, const value *v, int *arg, int *dim)
{
	while (value_def_of(v, OP_CONVERT))
		v = operand(value_def(v), 0);
	const op *o = value_def_of(v, OP_GET_DIMENSION_SIZE);
	const value *of = o ? operand(o, 0) : NULL;
	if (!of || value_def(of) || value_op(of) != s->func)
		return false;
	*arg = (int)of->index;
	*dim = (int)op_int(o, N_dimension, 0);
	return *dim >= 0 && *dim < of->type->rank;
}

static const char *behind(const char *at, const char *word)
{
	at = at ? strstr(at, word) : NULL;
	return at ? at + strlen(word) : NULL;
}

/* Records that number `index` of a check, as counted in its message, is described by `text`. */
static void note_text(sizing *s, const op *check, const char *index, tess_str text)
{
	int arg, dim;
	long i = index ? strtol(index, NULL, 10) : -1;
	if (i >= 0 && i + 1 < check->n_operands &&
	    is_size_of_argument(s, operand(check, (int)i + 1), &arg, &dim))
		s->texts[arg][dim] = text;
}

/* "… from specification 'b' for dimension args[0].shape[0] (= {0})" */
static const char *note_defined(sizing *s, const op *check, const char *message)
{
	const char *from = behind(message, "from specification '"), *to = from ? strchr(from, '\'') : NULL;
	if (to)
		note_text(s, check, behind(to, "(= {"), (tess_str){from, (size_t)(to - from)});
	return to;
}

/* "… between dimension size args[1].shape[0] (= {0}) and the specification 'b' (= {1})" */
static void note_compared(sizing *s, const op *check, const char *message)
{
	const char *size = behind(behind(message, "between dimension size "), "(= {");
	const char *from = behind(size, "and the specification '"), *to = from ? strchr(from, '\'') : NULL;
	if (to)
		note_text(s, check, size, (tess_str){from, (size_t)(to - from)});
}

static void note_texts(sizing *s)
{
	for (const op *o = op_body(s->func)->first; o; o = o->next) {
		const attr *message = op_attr_named(o, name_of_z(s->m->ctx, "error_message"));
		if (!op_calls(o, "shape_assertion") || !message || !message->text)
			continue;
		note_compared(s, o, message->text->s);
		for (const char *at = message->text->s; at;)
			at = note_defined(s, o, at);
	}
}

/* ---- their sizes ---------------------------------------------------------------------------- */

static given_size *given_for(sizing *s, int arg, int dim)
{
	for (int i = 0; i < s->given.all.len; i++) {
		given_size *g = &s->given.all.ptr[i];
		if (!g->name.len && g->arg == arg && g->dim == dim)
			return g;
	}
	return NULL;
}

static bool dim_error(sizing *s, int arg, int dim, const char *what)
{
	tess_str text = s->texts[arg][dim];
	if (!text.len)
		return diag_error(s->m->ctx, op_place(s->m, s->func), E_INPUT,
		                  "dimension %d of argument %d %s: give it as %d.%d=SIZE", dim, arg,
		                  what, arg, dim);
	return diag_error(s->m->ctx, op_place(s->m, s->func), E_INPUT,
	                  "dimension %d of argument %d, '%.*s', %s", dim, arg, STR_ARG(text), what);
}

static bool size_dim(sizing *s, int arg, int dim, int64_t *size)
{
	tess_str missing;
	given_size *g = given_for(s, arg, dim);
	if (g) {
		g->used = true;
		*size = g->size;
		return true;
	}
	if (!s->texts[arg][dim].len)
		return dim_error(s, arg, dim, "has no name and no size");
	switch (size_compute(s->m->ctx, &s->given, s->texts[arg][dim], size, &missing)) {
	case SIZE_KNOWN:
		return *size >= 0 || dim_error(s, arg, dim, "would have fewer than 0 elements");
	case SIZE_UNNAMED:
		diag_error(s->m->ctx, op_place(s->m, s->func), E_INPUT,
		           "dimension %d of argument %d is '%.*s', but no size is given for '%.*s'", dim,
		           arg, STR_ARG(s->texts[arg][dim]), STR_ARG(missing));
		return false;
	case SIZE_WRONG: break;
	}
	return dim_error(s, arg, dim, "is not a size that can be computed");
}

static bool size_argument(sizing *s, int i)
{
	const type *t = op_body(s->func)->args[i]->type;
	int64_t *dims = COPY_N(s->mem, t->dims, t->rank);
	for (int d = 0; d < t->rank; d++)
		if (dims[d] == DIM_DYNAMIC && !size_dim(s, i, d, &dims[d]))
			return false;
	s->values[i].type = type_with_dims(s->m->ctx, t, dims, t->rank);
	return true;
}

/* Reports a variable on which nothing depends: it may be misspelled. */
static bool all_used(const sizing *s)
{
	for (int i = 0; i < s->given.all.len; i++) {
		const given_size *g = &s->given.all.ptr[i];
		if (!g->used)
			return g->name.len ? diag_error(s->m->ctx, g->at, E_INPUT,
			                                "no dimension of an argument that is open depends on "
			                                "'%.*s'", STR_ARG(g->name))
			                   : diag_error(s->m->ctx, g->at, E_INPUT,
			                                "argument %" PRId64 " has no open dimension %" PRId64,
			                                g->arg, g->dim);
	}
	return true;
}

static bool size_arguments(sizing *s)
{
	const block *b = op_body(s->func);
	s->texts = NEW_N(s->mem, tess_str *, b->n_args + 1);
	s->values = NEW_N(s->mem, exec_value, b->n_args + 1);
	for (int i = 0; i < b->n_args; i++)
		s->texts[i] = NEW_N(s->mem, tess_str, type_is_tensor(b->args[i]->type) ? b->args[i]->type->rank + 1 : 1);
	note_texts(s);
	for (int i = 0; i < b->n_args; i++) {
		const type *t = b->args[i]->type;
		s->values[i].type = t;
		if (t->kind == TY_TENSOR && !t->is_static && !size_argument(s, i))
			return false;
	}
	return all_used(s);
}

/* The @main of jax.export passes its arguments to the program, and only that has their names. */
static void take_names(const sizing *s)
{
	for (op *o = op_body(s->func)->first; o; o = o->next) {
		const op *f = op_callee(s->m, o);
		const block *body = f ? op_body(f) : NULL;
		for (int i = 0; body && i < o->n_operands && i < body->n_args; i++) {
			value *v = operand(o, i);
			const attr *was = value_loc(v), *name = value_loc(body->args[i]);
			if (!value_def(v) && value_op(v) == s->func && name &&
			    (!was || was == attr_loc_unknown(s->m->ctx)))
				arg_set_loc(v, name);
		}
	}
}

bool exec_give_sizes(module *m, const char *sizes)
{
	static const pass_options plain;
	sizing s = {.m = m, .func = module_main(m), .mem = &m->ctx->scratch};
	if (!s.func)
		return diag_error(m->ctx, NOWHERE, E_INPUT, "the program has no @main");
	take_names(&s);
	return sizes_read(m->ctx, s.mem, sizes, &s.given) && size_arguments(&s) &&
	       pass_inline(m, &plain) && specialise_in_place(m, s.func, s.values);
}
