/* npy.c - NumPy's names of dtypes. */
#include "run/npz/npz.h"

static const struct npy_type {
	const char *code;
	dtype type;
} npy_types[] = {
	{"f4", DT_F32}, {"f8", DT_F64}, {"f2", DT_F16}, {"b1", DT_I1},  {"i1", DT_I8},
	{"i2", DT_I16}, {"i4", DT_I32}, {"i8", DT_I64}, {"u1", DT_UI8}, {"u2", DT_UI16},
	{"u4", DT_UI32}, {"u8", DT_UI64}, {"c8", DT_C64}, {"c16", DT_C128},
};

const char *npy_code(dtype t)
{
	for (int i = 0; i < COUNT(npy_types); i++)
		if (npy_types[i].type == t)
			return npy_types[i].code;
	switch (dtype_bytes(t)) {
	case 1: return "u1";
	case 2: return "u2";
	case 4: return "u4";
	default: return "u8";
	}
}

dtype npy_dtype(tess_str code)
{
	for (int i = 0; i < COUNT(npy_types); i++)
		if (str_is(code, npy_types[i].code))
			return npy_types[i].type;
	return DT_NONE;
}
