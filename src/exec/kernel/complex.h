/* complex.h - reads and writes one element, real or complex, as a double complex number. */
#ifndef TESS_EXEC_KERNEL_COMPLEX_H
#define TESS_EXEC_KERNEL_COMPLEX_H

#include "exec/kernel.h"
#include "exec/vec/special.h"

typedef double _Complex cplx;

static inline cplx cplx_get(dtype t, const char *p)
{
	if (!dtype_is_complex(t))
		return elem_get(t, p);
	dtype part = dtype_part_of(t);
	return CMPLX(elem_get(part, p), elem_get(part, p + dtype_bytes(part)));
}

/* For a real dtype, the imaginary part is dropped. */
static inline void cplx_put(dtype t, char *p, cplx v)
{
	dtype part = dtype_part_of(t);
	elem_put(part, p, creal(v));
	if (dtype_is_complex(t))
		elem_put(part, p + dtype_bytes(part), cimag(v));
}

#endif
