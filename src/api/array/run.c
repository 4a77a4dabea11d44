/* run.c - data, and running array programs: the text that a function is lowered to is handled like
 * any other program. */
#include "api/array/fn.h"

#include <stdarg.h>

/* ---- data ------------------------------------------------------------------------------ */

tess_array *array_concrete(tess_ctx *ctx, const tess_array_type *type, const void *data)
{
	size_t bytes = (size_t)atype_elements(type) * (size_t)dtype_bytes(type->dtype);
	tess_array *v = ctx_realloc(ctx, NULL, sizeof *v + bytes);
	if (!v)
		return NULL;
	*v = (tess_array){
		.type = type, .ctx = ctx, .data = v + 1, .bytes = bytes, .mark = HANDLE_ALIVE};
	if (data)
		memcpy(v->data, data, bytes);
	else
		memset(v->data, 0, bytes);
	return v;
}

tess_array *tess_array_new(tess_ctx *ctx, const tess_array_type *type, const void *data)
{
	if (!array_type_here(ctx, type) ||
	    !array_usage(ctx, data && !type->key && !type->varying, "the data is missing, or the type is of keys or varying"))
		return NULL;
	return array_usage(ctx, !type->unreduced && !type->reduced,
	                   "a value with data cannot be unreduced or reduced: create it without, and reshard it")
	               ? array_concrete(ctx, type, data)
	               : NULL;
}

static void array_drop(tess_ctx *ctx, void *handle) { ctx_realloc(ctx, handle, 0); }

/* Unlike other handles, large values are never kept. */
void tess_array_free(tess_array *v)
{
	if (!v || v->home)
		return;
	if (v->bytes <= 65536)
		handle_free(v->ctx, v, &v->mark, "a value", array_drop);
	else if (handle_alive(v->ctx, v->mark, "a value"))
		array_drop(v->ctx, v);
}

bool tess_array_tensor(const tess_array *v, tess_tensor *out)
{
	if (!v || v->home || !out || !handle_alive(v->ctx, v->mark, "a value"))
		return false;
	*out = (tess_tensor){.name = "", .dtype = (tess_dtype)v->type->dtype, .rank = v->type->rank,
	                     .dims = v->type->dim, .data = v->data, .bytes = v->bytes};
	return true;
}

/* ---- lowering ------------------------------------------------------------------------------ */

static char *fn_text(tess_fn *fn)
{
	writer w = text_writer(fn->ctx);
	return array_lower(fn->ctx, fn->f, NULL, fn->placed_in, &w) ? text_give(fn->ctx, &w) : NULL;
}

char *tess_fn_print(tess_fn *fn)
{
	frame f;
	if (!fn || !handle_alive(fn->ctx, fn->mark, "a function"))
		return NULL;
	if (setjmp(*frame_start(&f, fn->ctx)) == 0)
		f.made = fn_text(fn);
	return frame_made(&f);
}

bool array_fn_prepare(tess_fn *fn, bool whole)
{
	if (fn->exec)
		return true;
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	char *text = tess_fn_print(fn);
	opts.threads = 1;
	opts.whole = whole;
	if (text && !fn->module)
		fn->module = tess_module_parse(fn->ctx, str_of(text), "traced", NULL);
	tess_text_free(text);
	if (fn->module && array_places_found(fn))
		fn->exec = tess_exec_new(fn->module, &opts);
	return fn->exec != NULL;
}

/* Values with other placements need another plan. */
static bool places_fit(tess_fn *fn, tess_array *const *in, size_t n_in)
{
	if (!array_places_differ(fn, in, n_in))
		return true;
	tess_exec_free(fn->exec);
	tess_module_free(fn->module);
	fn->exec = NULL;
	fn->module = NULL;
	return array_places_keep(fn, in, n_in);
}

/* ---- running --------------------------------------------------------------------------------- */

static bool fn_inputs(tess_fn *fn, tess_array *const *in, size_t n_in, tess_tensor *out)
{
	const afn *f = fn->f;
	if (!array_usage(fn->ctx, n_in == (size_t)f->n_explicit,
	                 "the function takes a different number of values"))
		return false;
	for (int i = 0; i < f->params.len; i++) {
		const tess_array *v =
			i < f->n_explicit ? in[i] : f->captured.ptr[i - f->n_explicit];
		if (!array_usage(fn->ctx, v && tess_array_tensor(v, &out[i]),
		                 "an operand is not concrete"))
			return false;
		if (v->ctx != fn->ctx)
			return array_usage(fn->ctx, false, "an operand belongs to another context");
		if (i < f->n_explicit && !atype_same(v->type, f->params.ptr[i]->type)) {
			diag_error(fn->ctx, NOWHERE, E_ARRAY_CARRY,
			           "operand %d is not of the type that the "
			           "function was traced for",
			           i);
			return false;
		}
	}
	return true;
}

int array_fn_outputs(tess_fn *fn, tess_array **out)
{
	for (int i = 0; i < fn->f->outs.len; i++) {
		tess_tensor t;
		const atype *type = fn->f->outs.ptr[i]->type;
		bool summed = array_usage(fn->ctx, !type->unreduced,
		                          "a result is unreduced: reshard it first");
		out[i] = summed && tess_exec_output(fn->exec, (size_t)i, &t)
		                 ? array_concrete(fn->ctx, type, t.data)
		                 : NULL;
		if (!out[i]) {
			while (i-- > 0)
				tess_array_free(out[i]);
			return -1;
		}
		out[i]->placed = fn->placed_out ? fn->placed_out[i] : NULL;
	}
	return fn->f->outs.len;
}

int tess_fn_call(tess_fn *fn, tess_array *const *in, size_t n_in, tess_array **out, size_t cap)
{
	if (!fn || !handle_alive(fn->ctx, fn->mark, "a function") ||
	    !array_usage(fn->ctx,
	                 (in || !n_in) && (out || !cap) && cap >= (size_t)fn->f->outs.len,
	                 "the operands, or room for the results, are missing"))
		return -1;
	size_t n = (size_t)fn->f->params.len;
	tess_tensor *tensors = ctx_realloc(fn->ctx, NULL, (n + 1) * sizeof *tensors);
	bool ok = tensors && fn_inputs(fn, in, n_in, tensors) && places_fit(fn, in, n_in) &&
	          array_fn_prepare(fn, false) &&
	          tess_exec_run(fn->exec, tensors, n) == TESS_OK;
	if (tensors)
		ctx_realloc(fn->ctx, tensors, 0);
	return ok ? array_fn_outputs(fn, out) : -1;
}

/* ---- tess_apply1 ---------------------------------------------------------------------------- */

tess_array *tess_apply1(tess_ctx *ctx, const char *op, tess_params *attrs, size_t n, ...)
{
	tess_array *in[ARRAY_MAX_OUT], *out = NULL;
	bool whole = n <= ARRAY_MAX_OUT;
	va_list args;
	va_start(args, n);
	for (size_t i = 0; whole && i < n; i++) {
		in[i] = va_arg(args, tess_array *);
		whole = in[i] != NULL;
	}
	va_end(args);
	int got = whole ? tess_apply(ctx, op, in, n, attrs, &out, 1) : -1;
	tess_params_free(attrs);
	return got == 1 ? out : NULL;
}
