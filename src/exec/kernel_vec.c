/* kernel_vec.c - the elementwise loops for any processor. */
#define VEC_TABLE vec_table_base
#include "exec/vec_body.h"
