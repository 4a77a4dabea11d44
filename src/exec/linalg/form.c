/* form.c - checks the operands of LAPACK's routines.
 *
 * LAPACK cannot check the sizes of its arrays: with wrong shapes it writes out of bounds. And if it
 * finds an invalid argument, it calls xerbla, which ends the process in the reference
 * implementation. So everything is checked before the call.
 *
 * A form lists the operands and, after ">", the results. Each has one letter for its elements, and
 * one for each dimension after the batch dimensions:
 *
 *   E  the routine's elements       m, n, o, p, q, t  any size; equal letters, equal sizes
 *   R  their real parts             l  the smaller of m and n
 *   C  complex of that width        k  n - 1, or 0
 *   I  32-bit integers              u, v  m and n, or l if only so many vectors are computed
 *
 * For example, "Emn > Emn Il I" is getrf: it maps a matrix to a matrix, pivots and an info
 * number. */
#include "exec/linalg/routines.h"

#include <inttypes.h>

typedef struct form_sizes {
	int64_t of[128]; /* by letter; -1: not known yet */
} form_sizes;

static dtype form_type(const lapack_plan *k, char letter)
{
	switch (letter) {
	case 'I': return DT_I32;
	case 'R': return k->wide ? DT_F64 : DT_F32;
	case 'C': return k->wide ? DT_C128 : DT_C64;
	default: return form_type(k, k->two_parts ? 'C' : 'R');
	}
}

/* Derives the other sizes from m, n and the mode. */
static void derive_sizes(const lapack_plan *k, form_sizes *z)
{
	int64_t m = z->of['m'], n = z->of['n'];
	z->of['l'] = min_i64(m, n);
	z->of['k'] = max_i64(n - 1, 0);
	if (k->mode != 'N') { /* mode 'N': no vectors, whose shapes then do not matter */
		z->of['u'] = k->mode == 'A' ? m : z->of['l'];
		z->of['v'] = k->mode == 'A' ? n : z->of['l'];
	}
}

static bool tensor_fits(const lapack_plan *k, const tensor *t, const char *word, int length,
                        int n_batch, form_sizes *z)
{
	bool fits = t->dtype == form_type(k, word[0]) && t->rank == n_batch + length - 1;
	for (int i = 1; fits && i < length; i++) {
		int64_t dim = t->dims[n_batch + i - 1], *size = &z->of[(unsigned char)word[i]];
		if (*size < 0)
			*size = dim;
		fits = *size == dim;
	}
	return fits;
}

/* Reports the expected type, such as "f32[n,3]", with known sizes as numbers. */
static bool refuse_tensor(exec_plan *p, const step *s, const lapack_plan *k, int i,
                          const char *word, int length, const form_sizes *z)
{
	char want[128];
	int n = snprintf(want, sizeof want, "%s[", dtype_mlir(form_type(k, word[0])));
	for (int d = 1; d < length; d++) {
		const char *comma = d > 1 ? "," : "";
		int64_t size = z->of[(unsigned char)word[d]];
		size_t left = sizeof want - (size_t)n;
		n += size < 0 ? snprintf(want + n, left, "%s%c", comma, word[d])
		              : snprintf(want + n, left, "%s%" PRId64, comma, size);
	}
	bool operand = i < s->n_in;
	return step_invalid(p, s, "%s %d of @%s must be %s] behind the dimensions of the batch",
	                    operand ? "operand" : "result", operand ? i : i - s->n_in,
	                    op_call_target(s->op), want);
}

static bool shapes_fit(exec_plan *p, const step *s, const lapack_plan *k, const char *form,
                       int n_batch, form_sizes *z)
{
	int i = 0, n_in = 0, n = 0;
	for (const char *w = form; *w; w += strcspn(w, " "), w += *w == ' ')
		if (*w == '>')
			n_in = n;
		else
			n++;
	if (s->n_in != n_in || s->n_out != n - n_in)
		return step_invalid(p, s, "expected %d operands and %d results", n_in, n - n_in);
	for (const char *w = form; *w; w += *w == ' ') {
		int length = (int)strcspn(w, " ");
		if (*w == '>')
			derive_sizes(k, z);
		else if (!tensor_fits(k, &s->t[i++], w, length, n_batch, z))
			return refuse_tensor(p, s, k, i - 1, w, length, z);
		w += length;
	}
	return true;
}

static bool option_fits(exec_plan *p, const step *s, const char *key, char got, const char *letters)
{
	if (got && strchr(letters, got))
		return true;
	return step_invalid(p, s, "\"%s\" of @%s must be the code of one of the letters %s, not %d",
	                    key, op_call_target(s->op), letters, got);
}

static bool options_fit(exec_plan *p, const step *s, const lapack_plan *k)
{
	const char *modes = k->routine->modes;
	return (!modes || option_fits(p, s, "mode", k->mode, modes)) &&
	       option_fits(p, s, "uplo", k->uplo, "UL") &&
	       option_fits(p, s, "side", k->side, "LR") &&
	       option_fits(p, s, "trans_x", k->trans, "NTC") &&
	       option_fits(p, s, "diag", k->diag, "NU") &&
	       option_fits(p, s, "compute_left", k->left_vectors, "VN") &&
	       option_fits(p, s, "compute_right", k->right_vectors, "VN");
}

bool lapack_fits(exec_plan *p, const step *s, const lapack_plan *k, int n_batch)
{
	const lapack_routine *r = k->routine;
	form_sizes z;
	memset(&z, -1, sizeof z);
	if (!shapes_fit(p, s, k, k->two_parts && r->complex_form ? r->complex_form : r->form,
	                n_batch, &z) ||
	    !options_fit(p, s, k))
		return false;
	const int64_t *of = z.of;
	if (of['o'] >= 0) { /* trsm and ormqr: the matrix that is solved for or multiplied */
		bool left = r->blas ? k->side == 'L' : k->left;
		if (of['o'] != of[left ? 'p' : 'q'])
			return step_invalid(p, s, "the matrices do not fit: the first has %" PRId64
			                    " rows, the last %" PRId64 " %s", of['o'],
			                    of[left ? 'p' : 'q'], left ? "rows" : "columns");
	}
	int64_t most = of['o'] >= 0 ? of['o'] : of['n'];
	if (of['t'] > most || (of['t'] >= 0 && of['o'] < 0 && of['n'] > of['m']))
		return step_invalid(p, s, "%" PRId64 " reflections of %" PRId64 " rows do not make"
		                    " %" PRId64 " columns", of['t'],
		                    of['o'] >= 0 ? of['o'] : of['m'], most);
	bool range = k->low >= 1 && k->low <= max_i64(k->high, 1) && k->high <= of['n'];
	if (!strcmp(r->name, "gehrd") && of['n'] > 0 && !range)
		return step_invalid(p, s, "\"low\" and \"high\" must be a range within 1 and %" PRId64
		                    ", not %d and %d", of['n'], k->low, k->high);
	return true;
}
