/* efficiency.c - the share of a machine's rate that a product reaches, by its shape.
 *
 * A machine's product_efficiency is what large aligned products reach. Others are slower
 *   - at the edges: the result consists of tiles, of which the last ones are not full;
 *   - at both ends of each sum: pipelines are filled and drained;
 *   - on CPUs, as XLA compiles for them: if there are few rows of the left operand, for which all
 *     of the right one is read; and if the left one has to be transposed, for few columns;
 *   - on GPUs: without wide loads if rows do not start at multiples of 16 bytes, and because some
 *     processors have nothing to do if there are fewer tiles than processors or the last round is
 *     not full.
 *
 * The widths are those of the hardware (tiles of 64, 16 bytes, MXUs of 128 x 128), and none was
 * fitted; those of CPUs are measured (docs/costs.md). A product with a side of a few elements is
 * bound by what it reads, which is counted elsewhere. */
#include "cost/calibrate.h"
#include "cost/cluster.h"

/* A batch of products of m x k and k x n elements. */
typedef struct product_sides {
	double batch, m, n, k;
	int bytes; /* of an element */
	bool turned; /* the sum is not along the last dimension of the left operand */
} product_sides;

static double sizes_of(const type *t, const int64_t *dims, int n)
{
	double size = 1;
	for (int i = 0; i < n; i++)
		size *= (double)t->dims[dims[i]];
	return size;
}

static bool sides_of_dot(const module *m, const op *o, product_sides *s)
{
	dot_dims d;
	const type *lhs = operand(o, 0)->type, *rhs = operand(o, 1)->type;
	if (!op_dot_dims(m, o, &d) || !lhs->is_static || !rhs->is_static || lhs->n_elems <= 0 ||
	    rhs->n_elems <= 0)
		return false;
	s->batch = sizes_of(lhs, d.lhs_batch, d.n_batch);
	s->k = sizes_of(lhs, d.lhs_contract, d.n_contract);
	s->m = (double)lhs->n_elems / s->batch / s->k;
	s->n = (double)rhs->n_elems / s->batch / s->k;
	s->turned = d.n_contract && d.lhs_contract[d.n_contract - 1] != lhs->rank - 1;
	return true;
}

/* A convolution is the product of a matrix of windows and one of features. */
static bool sides_of_conv(const module *m, const op *o, product_sides *s)
{
	conv_dims d;
	const type *kernel = operand(o, 1)->type, *out = o->results[0].type;
	if (!op_conv_dims(m, o, &d) || !kernel->is_static || !out->is_static ||
	    kernel->n_elems <= 0 || out->n_elems <= 0)
		return false;
	double features = (double)kernel->dims[d.k_out];
	s->batch = (double)max_i64(d.feature_groups, 1);
	s->k = (double)kernel->n_elems / features;
	s->n = features / s->batch;
	s->m = (double)out->n_elems / features;
	return true;
}

/* Returns how full tiles of that width are along `size`. */
static double filled(double size, double width)
{
	double tiles = (double)(int64_t)((size + width - 1) / width);
	return size / (tiles * width);
}

/* True if each row of n elements starts at an address from which wide loads can read. */
static bool is_aligned(double n, int bytes)
{
	enum { WIDE = 16 };
	return (int64_t)n * bytes % WIDE == 0;
}

static double share_on_gpu(const product_sides *s, double units)
{
	enum { TILE = 64, LARGE_TILE = 128, ENDS = 32 };
	double share = filled(s->m, TILE) * filled(s->n, TILE) * s->k / (s->k + ENDS);
	if (!is_aligned(s->k, s->bytes) || !is_aligned(s->n, s->bytes))
		share /= 2;
	/* Small results use smaller tiles, or several parts of each sum. */
	double tiles = s->batch * s->m * s->n / (LARGE_TILE * LARGE_TILE) * (1 + s->k / 1024);
	return units > 0 && tiles > units ? share * filled(tiles, units) : share;
}

static double share_on_cpu(const product_sides *s)
{
	enum { FEW_ROWS = 32, TRANSPOSED = 64 };
	double share = s->m / (s->m + FEW_ROWS);
	return s->turned ? share * s->n / (s->n + TRANSPOSED) : share;
}

static double share_on(const target *t, const product_sides *s)
{
	enum { MXU = 128, ROWS = 8 };
	if (t->is_cpu)
		return share_on_cpu(s);
	if (t->torus_axes)
		return filled(s->m, ROWS) * filled(s->n, MXU) * filled(s->k, MXU);
	return share_on_gpu(s, (double)t->processors);
}

double product_share(const module *m, const target *t, const op *o)
{
	product_sides s = {.bytes = dtype_bits(operand(o, 0)->type->dtype) / 8};
	bool known = o->kind == OP_CONVOLUTION ? sides_of_conv(m, o, &s) : sides_of_dot(m, o, &s);
	return known ? share_on(t, &s) : 1;
}

double matrix_product_share(const target *t, double m, double n, double k, dtype dt)
{
	return share_on(t, &(product_sides){1, m, n, k, dtype_bits(dt) / 8, false});
}
