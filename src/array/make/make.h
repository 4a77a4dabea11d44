/* make.h - operations composed of others.
 *
 * A step that fails returns NULL, and returns NULL if given NULL. So a maker is a straight sequence
 * of steps, checked once at the end. */
#ifndef TESS_ARRAY_MAKE_MAKE_H
#define TESS_ARRAY_MAKE_MAKE_H

#include "array/array.h"

avalue *make1(maker *k, const char *op, avalue *x, const params *a);
avalue *make2(maker *k, const char *op, avalue *x, avalue *y, const params *a);
avalue *make_number(maker *k, double v);
/* A number that does not change x's type. */
avalue *make_number_like(maker *k, double v, const avalue *x);
avalue *make_scaled(maker *k, avalue *x, double by);
/* x[from : to : by] along one dimension; without `by`, every element. */
avalue *make_slice_by(maker *k, avalue *x, int dim, int64_t from, int64_t to, int64_t by);
avalue *make_slice(maker *k, avalue *x, int dim, int64_t from, int64_t to);
/* Adds a result; returns false if it is NULL. */
bool make_out(maker *k, avalue *v);

params *make_attrs(maker *k);
params *make_ints(maker *k, const char *key, const int64_t *v, int n);
void make_more(maker *k, params *a, const char *key, const int64_t *v, int n);
/* Copies an attribute of the operation being made, if present. */
void make_pass(maker *k, params *a, const char *key);
/* Converts integers and booleans to floats. */
avalue *make_float(maker *k, avalue *x);
/* Converts all operands to their common dtype. */
bool make_alike(maker *k, avalue **in);
/* True if out_sharding is valid for a type, even if no step uses it. */
bool out_sharding_shows(maker *k);
/* Lists the dimensions in `axis`; all if absent. */
bool make_axes(maker *k, const atype *t, int64_t *out, int *n);
/* Reduces over the axes in `axis`; `keep`: keeps the dimensions as 1. */
avalue *make_reduce(maker *k, const char *op, avalue *x, bool keep);

#define PRIM(name, rule, min, max, how)
#define MADE(name, make, min, max, how) make_fn make;
#define SAME(name, as, n, how)
make_fn make_same;
#include "array/ops.def"
#undef PRIM
#undef MADE
#undef SAME

#endif
