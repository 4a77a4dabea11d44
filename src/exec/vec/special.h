/* special.h - functions that the C library lacks, and complex ones of which it takes too little
 * care. */
#ifndef TESS_EXEC_VEC_SPECIAL_H
#define TESS_EXEC_VEC_SPECIAL_H

#include "shape/shape.h"

#include <complex.h>

/* glibc does not define CMPLX for clang. */
#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

double special_zeta(double x, double q);
double special_polygamma(double n, double x);
double special_digamma(double x);
double special_lgamma(double x);
double special_erf_inv(double x);
double special_bessel_i1e(double x);
/* The neighbor of x towards y among the values of a narrow float type. */
double special_next_after(double x, double y, dtype t);
double special_reduce_precision(double x, int exponent, int mantissa, dtype t);
double _Complex special_csign(double _Complex x);
double _Complex special_cexp(double _Complex x);
double _Complex special_csquare(double _Complex x);
double _Complex special_catan2(double _Complex y, double _Complex x);
double _Complex special_cexpm1(double _Complex x);
double _Complex special_clog(double _Complex x);
double _Complex special_clog1p(double _Complex x);
double _Complex special_crsqrt(double _Complex x);
double _Complex special_cpow(double _Complex x, double _Complex y);

#endif
