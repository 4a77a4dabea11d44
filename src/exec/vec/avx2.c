/* avx2.c - the elementwise loops for AVX2 and FMA. */
#ifdef __AVX2__
#define VEC_TABLE vec_table_avx2
#include "exec/vec/body.h"
#else
typedef int vec_avx2_unused;
#endif
