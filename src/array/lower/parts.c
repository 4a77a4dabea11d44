/* parts.c - helpers that write parts of operations. */
#include "array/lower/lower.h"

#include <math.h>

void lower_ints(lowering *l, const int64_t *v, int n)
{
	put_c(l->w, '[');
	for (int i = 0; i < n; i++)
		put_f(l->w, "%s%" PRId64, i ? ", " : "", v[i]);
	put_c(l->w, ']');
}

/* Starts "%7 = stablehlo.WORD %3, %4"; @return the 7. */
int lower_begin(lowering *l, const char *word)
{
	int id = lower_name(l);
	put_f(l->w, "  %%%d = stablehlo.%s ", id, word);
	return id;
}

void lower_signature(lowering *l, const atype *from, const atype *to)
{
	put_lit(l->w, " : (");
	put_tensor(l, from);
	put_lit(l->w, ") -> ");
	put_tensor(l, to);
	put_c(l->w, '\n');
}

/* Writes the bits of a value that is not finite. */
static void put_not_finite(lowering *l, double v, dtype t)
{
	static const struct {
		dtype t;
		uint64_t infinity, quiet;
		int digits;
	} forms[] = {{DT_F64, 0x7FF0000000000000, 0x8000000000000, 16},
	             {DT_F16, 0x7C00, 0x200, 4},
	             {DT_BF16, 0x7F80, 0x40, 4},
	             {DT_F32, 0x7F800000, 0x400000, 8}};
	int i = 0;
	while (i < COUNT(forms) - 1 && forms[i].t != t)
		i++;
	uint64_t sign = v < 0 ? (uint64_t)8 << (4 * forms[i].digits - 4) : 0;
	put_f(l->w, "dense<0x%0*" PRIX64 "> : ", forms[i].digits,
	      forms[i].infinity | sign | (isnan(v) ? forms[i].quiet : 0));
}

/* Converts a double to an integer, saturating. */
static int64_t integer_of(double v)
{
	return !(v >= -0x1p63) ? isnan(v) ? 0 : INT64_MIN : v < 0x1p63 ? (int64_t)v : INT64_MAX;
}

int lower_constant(lowering *l, double v, const atype *t)
{
	int id = lower_begin(l, "constant");
	if (t->dtype == DT_I1)
		put_f(l->w, "dense<%s> : ", v != 0 ? "true" : "false");
	else if (t->dtype == DT_UI64 && v >= 0x1p63)
		put_f(l->w, "dense<%" PRIu64 "> : ", v < 0x1p64 ? (uint64_t)v : UINT64_MAX);
	else if (dtype_is_int(t->dtype))
		put_f(l->w, "dense<%" PRId64 "> : ", integer_of(v));
	else if (!isfinite(v))
		put_not_finite(l, v, t->dtype);
	else
		put_f(l->w, "dense<%.17e> : ", v);
	put_tensor(l, t);
	put_c(l->w, '\n');
	return id;
}

int lower_convert_to(lowering *l, int id, const atype *from, dtype to)
{
	atype t = *from;
	t.dtype = to;
	if (from->dtype == to)
		return id;
	int out = lower_begin(l, "convert");
	put_f(l->w, "%%%d", id);
	lower_signature(l, from, &t);
	return out;
}

int lower_reshape_to(lowering *l, int id, const atype *from, const atype *to)
{
	int out = lower_begin(l, "reshape");
	put_f(l->w, "%%%d", id);
	lower_signature(l, from, to);
	return out;
}

/* Aligned at the last dimension, as in NumPy. */
int lower_broadcast_to(lowering *l, int id, const atype *from, const atype *to)
{
	bool same = from->rank == to->rank;
	for (int d = 0; same && d < to->rank; d++)
		same = from->dim[d] == to->dim[d];
	if (same)
		return id;
	int out = lower_begin(l, "broadcast_in_dim");
	int64_t dims[ARRAY_MAX_RANK];
	for (int d = 0; d < from->rank; d++)
		dims[d] = d + to->rank - from->rank;
	put_f(l->w, "%%%d, dims = ", id);
	lower_ints(l, dims, from->rank);
	lower_signature(l, from, to);
	return out;
}

int lower_pair(lowering *l, const char *word, int a, int b, const atype *t)
{
	int id = lower_begin(l, word);
	put_f(l->w, "%%%d, %%%d : ", a, b);
	put_tensor(l, t);
	put_c(l->w, '\n');
	return id;
}

void lower_combiner(lowering *l, const char *word, dtype t)
{
	atype scalar = {.dtype = t};
	int a = lower_name(l), b = lower_name(l);
	put_f(l->w, " ({\n  ^bb0(%%%d: ", a);
	put_tensor(l, &scalar);
	put_f(l->w, ", %%%d: ", b);
	put_tensor(l, &scalar);
	put_lit(l->w, "):\n");
	int one = word ? lower_pair(l, word, a, b, &scalar) : b;
	put_f(l->w, "  stablehlo.return %%%d : ", one);
	put_tensor(l, &scalar);
	put_lit(l->w, "\n  })");
}

bool lower_result(lowering *l, const anode *n, int id)
{
	lower_set(l, n->out[0], id);
	return true;
}

/* ---- comparing, selecting, indices ---------------------------------------------------------- */

int lower_compared(lowering *l, const char *how, int a, int b, const atype *t)
{
	atype truth = *t;
	int id = lower_begin(l, "compare");
	truth.dtype = DT_I1;
	put_f(l->w, "%s, %%%d, %%%d : (", how, a, b);
	put_tensor(l, t);
	put_lit(l->w, ", ");
	put_tensor(l, t);
	put_lit(l->w, ") -> ");
	put_tensor(l, &truth);
	put_c(l->w, '\n');
	return id;
}

int lower_chosen(lowering *l, int which, int yes, int no, const atype *t)
{
	atype truth = *t;
	int id = lower_begin(l, "select");
	truth.dtype = DT_I1;
	put_f(l->w, "%%%d, %%%d, %%%d : ", which, yes, no);
	put_tensor(l, &truth);
	put_lit(l->w, ", ");
	put_tensor(l, t);
	put_c(l->w, '\n');
	return id;
}

int lower_from_front(lowering *l, int at, const atype *t, int64_t size)
{
	if (dtype_class_of(t->dtype) != DC_SINT)
		return at;
	int below = lower_compared(l, "LT", at, lower_constant(l, 0, t), t);
	int moved = lower_pair(l, "add", at, lower_constant(l, (double)size, t), t);
	return lower_chosen(l, below, moved, at, t);
}
