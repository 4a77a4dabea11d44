/* matrix.c - lowers factorizations, triangular systems, transforms. */
#include "array/lower/lower.h"

static bool lower_cholesky(lowering *l, const anode *n)
{
	int from = lower_of(l, n->in[0]), id = lower_begin(l, "cholesky");
	put_f(l->w, "%%%d, lower = true : ", from);
	put_tensor(l, n->out[0]->type);
	put_c(l->w, '\n');
	return lower_result(l, n, id);
}

static bool lower_triangular_solve(lowering *l, const anode *n)
{
	int id = lower_name(l);
	static const char *const turned[] = {"NO_TRANSPOSE", "TRANSPOSE"};
	put_f(l->w, "  %%%d = \"stablehlo.triangular_solve\"(", id);
	lower_operands(l, n);
	put_f(l->w,
	      ") <{left_side = %s, lower = %s, transpose_a = #stablehlo<transpose %s>, unit_diagonal = %s}>",
	      param_int(n->attrs, "left_side", 0) ? "true" : "false",
	      param_int(n->attrs, "lower", 0) ? "true" : "false",
	      turned[param_int(n->attrs, "transpose_a", 0) != 0],
	      param_int(n->attrs, "unit_diagonal", 0) ? "true" : "false");
	lower_node_types(l, n);
	return lower_result(l, n, id);
}

static bool lower_fft(lowering *l, const anode *n)
{
	const int64_t *lengths;
	int k = param_ints(n->attrs, "fft_lengths", &lengths), from = lower_of(l, n->in[0]);
	int id = lower_begin(l, "fft");
	tess_str type = param_text(n->attrs, "fft_type");
	put_f(l->w, "%%%d, type = %.*s, length = ", from, STR_ARG(type));
	lower_ints(l, lengths, k);
	lower_signature(l, n->in[0]->type, n->out[0]->type);
	return lower_result(l, n, id);
}

/* lapack.geqrf and others, as the custom calls that JAX emits for CPUs, on batches of matrices. */
static bool lower_lapack(lowering *l, const anode *n)
{
	const atype *x = n->in[0]->type;
	int mode = strcmp(l->row->text, "syevd") == 0  ? 'V'
	           : param_int(n->attrs, "all", 0) ? 'A'
	                                           : 'S';
	char letter = x->dtype == DT_F64 ? 'd' : 's';
	if (x->dtype != DT_F64 && x->dtype != DT_F32)
		return diag_error(l->ctx, NOWHERE, E_ARRAY_DTYPE,
		                  "LAPACK factors matrices of f32 and f64, not of %s",
		                  dtype_mlir(x->dtype));
	for (int i = 0; i < n->n_out; i++) {
		lower_set(l, n->out[i], lower_name(l));
		put_f(l->w, "%s%%%d", i ? ", " : "  ", lower_of(l, n->out[i]));
	}
	put_lit(l->w, " = \"stablehlo.custom_call\"(");
	lower_operands(l, n);
	put_f(l->w,
	      ") <{api_version = 4 : i32, call_target_name = \"lapack_%c%s_ffi\"}> "
	      "{mhlo.backend_config = {mode = %d : ui8, uplo = %d : ui8}, "
	      "mhlo.frontend_attributes = {num_batch_dims = \"%d\"}}",
	      letter, l->row->text, mode, 'L', x->rank - 2);
	lower_node_types(l, n);
	return true;
}

const lower_row lower_matrix_rows[] = {
	{"linalg.cholesky", lower_cholesky, ""},
	{"lax.linalg.triangular_solve", lower_triangular_solve, ""},
	{"lax.fft", lower_fft, ""},
	{"lapack.geqrf", lower_lapack, "geqrf"},
	{"lapack.orgqr", lower_lapack, "orgqr"},
	{"lapack.gesdd", lower_lapack, "gesdd"},
	{"lapack.syevd", lower_lapack, "syevd"},
	{"lapack.getrf", lower_lapack, "getrf"},
	{NULL, NULL, NULL},
};
