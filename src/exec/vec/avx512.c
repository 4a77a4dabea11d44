/* avx512.c - the elementwise loops for AVX-512. */
#ifdef __AVX512F__
#define VEC_TABLE vec_table_avx512
#include "exec/vec/body.h"
#else
typedef int vec_avx512_unused;
#endif
