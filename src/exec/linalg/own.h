/* own.h - helpers of the routines used if no LAPACK is installed. Their matrices are column-major
 * double complex, real ones too. */
#ifndef TESS_EXEC_LINALG_OWN_H
#define TESS_EXEC_LINALG_OWN_H

#include "exec/linalg/routines.h"
#include "exec/linalg/triangular.h"

static inline dtype lapack_type(const lapack_plan *k)
{
	return k->two_parts ? (k->wide ? DT_C128 : DT_C64) : k->wide ? DT_F64 : DT_F32;
}
static inline dtype lapack_real(const lapack_plan *k) { return k->wide ? DT_F64 : DT_F32; }

static inline void lapack_load(const lapack_plan *k, cplx *to, const char *from, int64_t n)
{
	dtype t = lapack_type(k);
	for (int64_t i = 0; i < n; i++)
		to[i] = cplx_get(t, from + i * dtype_bytes(t));
}

static inline void lapack_store(const lapack_plan *k, char *to, const cplx *from, int64_t n)
{
	dtype t = lapack_type(k);
	for (int64_t i = 0; i < n; i++)
		cplx_put(t, to + i * dtype_bytes(t), from[i]);
}

lapack_run own_potrf, own_trsm, own_getrf, own_gtsv;  /* factor.c */
lapack_run own_geqrf, own_orgqr, own_ormqr;           /* reflect.c */
lapack_run own_syevd, own_svd;                        /* jacobi.c */

#endif
