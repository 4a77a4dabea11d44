/* base.c - the elementwise loops for any processor. */
#define VEC_TABLE vec_table_base
#include "exec/vec/body.h"
