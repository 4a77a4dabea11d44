/* vec.c - finds the loop for an operation on a type; narrow types in memory. */
#include "exec/vec/vec.h"

#include "exec/vec/table.h"

#include <complex.h>
#include <math.h>

/* The best table for this processor. */
static const vec_table *vec_table_here(void)
{
#if defined(__x86_64__)
	if (processor_has_avx512())
		return &vec_table_avx512;
	if (processor_has_avx2())
		return &vec_table_avx2;
#endif
	return &vec_table_base;
}

vec_fn *vec_find(vec_op op, vec_type t) { return vec_table_here()->ops[op][t]; }
vec_fn *vec_convert(vec_type from, vec_type to) { return vec_table_here()->convert[from][to]; }

vec_fold_fn *vec_fold(vec_op op, vec_type t) { return vec_table_here()->folds[op][t]; }
vec_turn_fn *vec_turn(int64_t rows)
{
#if defined(__x86_64__)
	if (vec_table_here() == &vec_table_avx512)
		return rows == 16 ? turn_16_avx512 : rows == 12 ? turn_12_avx512 : NULL;
#endif
	UNUSED(rows);
	return NULL;
}
vec_weigh_fn *vec_weigh(vec_type t) { return vec_table_here()->weigh[t]; }
vec_best_fn *vec_best(bool max, vec_ties ties, vec_type t)
{
	return vec_table_here()->best[max][ties][t];
}
vec_rows_fn *vec_rows(vec_op op, vec_type t) { return vec_table_here()->rows[op][t]; }

int vec_type_bytes(vec_type t)
{
	static const uint8_t bytes[VT_COUNT] = {
#define X(id, c) [VT_##id] = sizeof(c),
		VEC_TYPES(X)
#undef X
	};
	return bytes[t];
}

vec_type vec_type_of(dtype t)
{
	switch (t) {
	case DT_NONE:
	case DT_COUNT:
		return VT_NONE;
	case DT_I1:
		return VT_B;
	case DT_S1:
	case DT_I2:
	case DT_I4:
	case DT_I8:
		return VT_I8;
	case DT_I16:
		return VT_I16;
	case DT_I32:
		return VT_I32;
	case DT_I64:
	case DT_INDEX:
		return VT_I64;
	case DT_U1:
	case DT_UI2:
	case DT_UI4:
	case DT_UI8:
		return VT_U8;
	case DT_UI16:
		return VT_U16;
	case DT_UI32:
		return VT_U32;
	case DT_UI64: return VT_U64;
#define FLOATING(...)
#define NARROW(id, ...) case DT_##id:
#include "shape/dtype.def"
	case DT_BF16:
	case DT_F16:
	case DT_TF32:
	case DT_F32:
		return VT_F32;
	case DT_F64:
		return VT_F64;
	case DT_C64:
		return VT_C64;
	case DT_C128:
		return VT_C128;
	}
	return VT_NONE;
}

/* ---- loads, stores, fix-ups ------------------------------------------------------------ */

#define VEC_LOOP(name, ...)                                                                        \
	static void name(int64_t n, void *d_, const void *a_, const void *b_, const void *c_,      \
	                 int64_t imm)                                                              \
	{                                                                                          \
		UNUSED(b_), UNUSED(c_), UNUSED(imm);                                               \
		for (int64_t i = 0; i < n; i++) {                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

VEC_LOOP(fix_i4, ((int8_t *)d_)[i] = (int8_t)((((const int8_t *)a_)[i] & 15) ^ 8) - 8;)
VEC_LOOP(fix_i2, ((int8_t *)d_)[i] = (int8_t)((((const int8_t *)a_)[i] & 3) ^ 2) - 2;)
VEC_LOOP(fix_ui4, ((uint8_t *)d_)[i] = ((const uint8_t *)a_)[i] & 15;)
VEC_LOOP(fix_ui2, ((uint8_t *)d_)[i] = ((const uint8_t *)a_)[i] & 3;)

/* The conversions for types that are not computed as they are in memory. */
static vec_half kept_as(dtype t)
{
	switch ((int)t) {
#define FLOATING(...)
#define NARROW(id, ...) case DT_##id: return vec_table_here()->narrow[DT_##id];
#include "shape/dtype.def"
	case DT_BF16: return vec_table_here()->bf16;
	case DT_F16: return vec_table_here()->f16;
	case DT_I4: return (vec_half){fix_i4, fix_ui4, fix_i4}; /* in memory the upper bits are 0 */
	case DT_I2: return (vec_half){fix_i2, fix_ui2, fix_i2};
	case DT_UI4: return (vec_half){fix_ui4, fix_ui4, fix_ui4};
	case DT_UI2: return (vec_half){fix_ui2, fix_ui2, fix_ui2};
	}
	return (vec_half){0};
}

vec_fn *vec_load(dtype t) { return kept_as(t).load; }
vec_fn *vec_store(dtype t) { return kept_as(t).store; }
vec_fn *vec_fix(dtype t) { return kept_as(t).fix; }

/* ---- single elements ----------------------------------------------------------------------- */

double elem_get(dtype t, const void *p)
{
	union {
		double d;
		float f;
		float _Complex c;
		double _Complex z;
		int64_t i;
	} u = {0};
	vec_fn *load = vec_load(t);
	if (load)
		load(1, &u, p, NULL, NULL, 0);
	else
		memcpy(&u, p, (size_t)dtype_bytes(t));
	double r = 0;
	vec_convert(vec_type_of(t), VT_F64)(1, &r, &u, NULL, NULL, 0);
	return r;
}

void elem_put(dtype t, void *p, double v)
{
	double _Complex room;
	vec_convert(VT_F64, vec_type_of(t))(1, &room, &v, NULL, NULL,
	                                    dtype_is_int(t) ? dtype_bits(t) : dtype_bits(t) < 32);
	vec_fn *store = vec_store(t);
	if (store)
		store(1, p, &room, NULL, NULL, 0);
	else
		memcpy(p, &room, (size_t)dtype_bytes(t));
}

int64_t elem_get_int(dtype t, const void *p)
{
	int64_t room = 0, r = 0;
	vec_fn *load = vec_load(t);
	if (load)
		load(1, &room, p, NULL, NULL, 0);
	else
		memcpy(&room, p, (size_t)dtype_bytes(t));
	vec_convert(vec_type_of(t), VT_I64)(1, &r, &room, NULL, NULL, 64);
	return r;
}

/* ---- op kinds -------------------------------------------------------------------------------- */

vec_op vec_op_of(int kind)
{
	static const uint8_t ops[OP_COUNT] = {
#define VEC_OP(id, kind) [OP_##kind] = VEC_##id,
#define VEC_ALONE(id)
#define VEC_ALSO(id, kind) [OP_##kind] = VEC_##id,
#include "exec/vec/ops.def"
#undef VEC_OP
#undef VEC_ALONE
#undef VEC_ALSO
	};
	return (vec_op)ops[kind];
}

vec_type vec_result(vec_op op, vec_type t)
{
	if ((op >= VEC_EQ && op <= VEC_TGE) || (op >= VEC_IS_FINITE && op <= VEC_IS_NEG_INF))
		return VT_B;
	bool part = op == VEC_ABS || op == VEC_REAL || op == VEC_IMAG;
	if (op == VEC_COMPLEX)
		return t == VT_F32 ? VT_C64 : VT_C128;
	return part && t == VT_C64 ? VT_F32 : part && t == VT_C128 ? VT_F64 : t;
}

bool vec_needs_fix(vec_op op)
{
	switch ((int)op) {
	case VEC_MAX:
	case VEC_MIN:
	case VEC_AND:
	case VEC_OR:
	case VEC_XOR:
	case VEC_SELECT:
	case VEC_CLAMP:
	case VEC_COPY:
	case VEC_SIGN:
	case VEC_NEXT_AFTER:
	case VEC_REAL:
	case VEC_IMAG:
	case VEC_CONJ:
		return false;
	}
	return !(op >= VEC_EQ && op <= VEC_TGE);
}
