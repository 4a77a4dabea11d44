/* sparse.c - the custom call cpu_csr_sparse_dense_ffi, which JAX emits for products with BCSR
 * matrices.
 *
 *   (elements, row starts, column indices, dense matrix or vector) -> dense matrix or vector
 *
 * Row i of the sparse matrix has the elements from starts[i] to starts[i + 1]. JAX may leave unused
 * elements after the last row; they, and columns out of bounds, are ignored. Sums are computed in
 * the dtype of the elements, in their order. */
#include "exec/kernel/index.h"

#include <complex.h>

typedef struct sparse_plan {
	dtype index;
	int64_t rows, inner, columns, elements; /* inner: rows of the dense matrix */
} sparse_plan;

/* to[c] += a * from[c], for n elements. */
typedef void add_row_fn(char *to, const char *a, const char *from, int64_t n);

#define ADD_ROW(name, T) \
	static void add_##name(char *to, const char *a, const char *from, int64_t n) \
	{ \
		const T by = *(const T *)a; \
		for (int64_t c = 0; c < n; c++) \
			((T *)to)[c] += by * ((const T *)from)[c]; \
	}
ADD_ROW(i32, uint32_t) /* unsigned: overflow wraps */
ADD_ROW(i64, uint64_t)
ADD_ROW(f32, float)
ADD_ROW(f64, double)
ADD_ROW(c64, float _Complex)
ADD_ROW(c128, double _Complex)

static add_row_fn *add_row_of(dtype t)
{
	const struct {
		dtype type;
		add_row_fn *add;
	} all[] = {{DT_I32, add_i32}, {DT_I64, add_i64}, {DT_F32, add_f32},
	           {DT_F64, add_f64}, {DT_C64, add_c64}, {DT_C128, add_c128}};
	for (int i = 0; i < COUNT(all); i++)
		if (all[i].type == t)
			return all[i].add;
	return NULL;
}

static void run_sparse_dense(const step *s, const call *c)
{
	const sparse_plan *k = s->params;
	const int bytes = step_in(s, 0)->bytes;
	const int64_t row_bytes = k->columns * bytes;
	add_row_fn *add = add_row_of(step_in(s, 0)->dtype);
	const int64_t end = tile_begin(s, k->rows, c->tile + 1);
	for (int64_t row = tile_begin(s, k->rows, c->tile); row < end; row++) {
		char *to = call_out(s, c, 0) + row * row_bytes;
		int64_t at = index_read(k->index, call_in(c, 1), row);
		int64_t last = index_read(k->index, call_in(c, 1), row + 1);
		memset(to, 0, (size_t)row_bytes);
		for (at = at < 0 ? 0 : at; at < min_i64(last, k->elements); at++) {
			int64_t column = index_read(k->index, call_in(c, 2), at);
			if (column >= 0 && column < k->inner)
				add(to, call_in(c, 0) + at * bytes,
				    call_in(c, 3) + column * row_bytes, k->columns);
		}
	}
}

static bool sparse_fits(const step *s)
{
	if (s->n_in != 4 || s->n_out != 1)
		return false;
	const tensor *a = step_in(s, 0), *begins = step_in(s, 1), *columns = step_in(s, 2);
	const tensor *b = step_in(s, 3), *y = step_out(s, 0);
	return a->rank == 1 && begins->rank == 1 && columns->rank == 1 && a->n == columns->n &&
	       (b->rank == 1 || b->rank == 2) && y->rank == b->rank && begins->n == y->dims[0] + 1 &&
	       (b->rank == 1 || b->dims[1] == y->dims[1]) && a->dtype == b->dtype &&
	       a->dtype == y->dtype && begins->dtype == columns->dtype &&
	       (begins->dtype == DT_I32 || begins->dtype == DT_I64);
}

bool prepare_sparse_dense(exec_plan *p, step *s)
{
	if (!sparse_fits(s))
		return step_invalid(p, s, "elements, begins of rows and columns as for a matrix in CSR form, "
		                    "a dense matrix or vector of the same type, and a result with one "
		                    "row less than there are begins were expected");
	const tensor *b = step_in(s, 3), *y = step_out(s, 0);
	if (!add_row_of(b->dtype))
		return step_unsupported(p, s, "elements of type %s are", dtype_mlir(b->dtype));
	sparse_plan *k = NEW(plan_mem(p), sparse_plan);
	*k = (sparse_plan){.index = step_in(s, 1)->dtype, .rows = y->dims[0], .inner = b->dims[0],
	                   .columns = b->rank == 2 ? b->dims[1] : 1, .elements = step_in(s, 0)->n};
	s->params = k;
	s->run = run_sparse_dense;
	s->cost = 100 + (double)(k->elements + k->rows) * (2 + (double)k->columns / 4);
	step_split(s, k->rows, 64);
	return true;
}
