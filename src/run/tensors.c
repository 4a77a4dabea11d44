/* tensors.c - cuts whole input tensors into shards and pastes results together. */
#include "mlir/mlir.h"
#include "run/session.h"

/* ---- checking inputs ------------------------------------------------------------------------ */

/* True if the elements can be used as the program's dtype: it is the same, or NumPy has no name for
 * it and the tensor has integers of its width. */
static bool dtype_fits(const tess_tensor *t, dtype want)
{
	if (t->dtype == (tess_dtype)want)
		return true;
	bool nameless = t->dtype == TESS_NO_DTYPE || t->dtype == TESS_UI8 || t->dtype == TESS_UI16;
	switch (want) {
	case DT_F16:
	case DT_F32:
	case DT_F64:
	case DT_I1:
	case DT_I8:
	case DT_I16:
	case DT_I32:
	case DT_I64:
	case DT_UI16:
	case DT_UI32:
	case DT_UI64:
	case DT_C64:
	case DT_C128: return false;
	default: return nameless || (want == DT_I4 && t->dtype == TESS_I8);
	}
}

bool tensor_fits(session *s, int i, const tess_tensor *t)
{
	const type *want = s->open ? s->open[i] : s->local.args[i].type;
	bool same = t->rank == want->rank && dtype_fits(t, want->dtype);
	for (int d = 0; same && d < t->rank; d++)
		same = t->dims[d] == want->dims[d] ||
		       (want->dims[d] == DIM_DYNAMIC && t->dims[d] >= 0);
	if (same && t->bytes == (size_t)type_bytes(type_with_dims(s->ctx, want, t->dims, t->rank)))
		return t->data || !t->bytes ||
		       diag_error(s->ctx, NOWHERE, E_INPUT, "input %d has no data", i);
	writer w;
	writer_init(&w, &s->ctx->scratch);
	put_f(&w, "input %d: argument %d is a ", i, i);
	mlir_print_type(&w, s->ctx, want);
	put_lit(&w, ", not a ");
	if (t->dtype != TESS_NO_DTYPE && t->rank >= 0)
		mlir_print_type(&w, s->ctx, type_tensor(s->ctx, (dtype)t->dtype, t->dims, t->rank));
	else
		put_f(&w, "tensor of rank %d of another type", t->rank);
	return diag_error(s->ctx, NOWHERE, E_INPUT, "%.*s", STR_ARG(writer_str(&w)));
}

/* ---- cutting inputs ------------------------------------------------------------------------- */

/* True if each device holds the whole value, so that there is nothing to cut or paste. */
static bool held_whole(const distribution *s)
{
	const type *t = s->global->type;
	for (int d = 0; d < s->rank; d++)
		if (s->local[d] != t->dims[d])
			return false;
	return s->n == 1;
}

/* Cuts out the shards of a value, in memory that is kept for the next run. */
static tess_status cut_input(tess_ctx *ctx, distribution *s, const void *data)
{
	bool aligned = (uintptr_t)data % 16 == 0;
	if (held_whole(s) && aligned) {
		s->shards[0] = (void *)data;
		return TESS_OK;
	}
	for (int k = 0; k < s->n; k++) {
		if (s->wanted && !s->wanted[k])
			continue;
		if (!s->owned[k])
			s->owned[k] = ctx_realloc(ctx, NULL, s->shard_bytes + 1);
		if (!s->owned[k])
			return TESS_NOMEM;
		s->shards[k] = s->owned[k];
		distribution_cut(s, k, data, s->shards[k]);
	}
	return TESS_OK;
}

tess_status tensors_cut(session *s, const tess_tensor *inputs)
{
	for (int i = 0; i < s->local.n_args; i++) {
		distribution *in = &s->in[i];
		tess_status status = cut_input(s->ctx, in, inputs[i].data);
		if (status != TESS_OK)
			return status;
		/* A faithful run has one instance per device; they may share the data. */
		exec_value *v = &s->args[i];
		for (int k = 0; k < v->n; k++)
			v->data[k] = in->shards[!s->opts.exec.faithful ? k : in->of ? in->of[k] : 0];
	}
	return TESS_OK;
}

/* ---- pasting results ------------------------------------------------------------------------ */

static tess_status paste_result(session *s, int i)
{
	if (held_whole(&s->out[i])) {
		s->outputs[i] = s->results[i].data[0];
		return TESS_OK;
	}
	if (!s->pasted[i])
		s->pasted[i] = ctx_realloc(s->ctx, NULL,
		                           (size_t)type_bytes(s->local.results[i].type) + 1);
	if (!s->pasted[i])
		return TESS_NOMEM;
	s->outputs[i] = s->pasted[i];
	distribution_gather(&s->out[i], s->local.n_devices, &s->results[i], s->outputs[i],
	              &s->ctx->scratch);
	return TESS_OK;
}

tess_status tensors_paste(session *s)
{
	if (!s->outputs) {
		s->pasted = NEW_N(&s->planned, void *, s->local.n_results + 1);
		s->outputs = NEW_N(&s->planned, void *, s->local.n_results + 1);
	}
	const transport *ranks = s->opts.ranks;
	tess_status status = TESS_OK;
	for (int i = 0; i < s->local.n_results && status == TESS_OK && !(ranks && ranks->rank); i++)
		status = paste_result(s, i);
	return status;
}

void tensors_free(session *s)
{
	for (int i = 0; i < s->local.n_args && s->args; i++)
		for (int k = 0; s->in[i].owned && k < s->in[i].n; k++)
			ctx_realloc(s->ctx, s->in[i].owned[k], 0);
	for (int i = 0; i < s->local.n_results && s->pasted; i++)
		ctx_realloc(s->ctx, s->pasted[i], 0);
	s->args = NULL;
	s->pasted = NULL;
	s->outputs = NULL;
}
