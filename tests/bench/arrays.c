/* arrays.c - how long array programs take besides their kernels.
 *
 * Start-up: a context, a mesh, the first type.  Tracing: a training step of a transformer of two
 * layers with Adam.  Eager: one small operation at a time.  tests/bench/arrays_peers runs it and
 * measures JAX and DTensor alike, where they are installed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/lent.h"
#include "../support/meshes.h"
#include <tessera/array.h>
#include <tessera/core.h>

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, by_size);
	return v[n / 2];
}

static void give_up(tess_ctx *c)
{
	tess_str s = lent(tess_diag_render(c, false));
	fprintf(stderr, "%.*s", (int)s.len, s.ptr);
	exit(1);
}

static tess_ctx *devices8(void)
{
	tess_ctx *c = tess_ctx_new(NULL);
	tess_array_set_mesh(
		c, jax_mesh(c, (int64_t[]){4, 2}, 2, (const char *[]){"X", "Y"}, 2, NULL, 0));
	return c;
}

/* ---- a training step ------------------------------------------------------------------- */

enum { LAYERS = 2, PER_LAYER = 8, N_PARAMS = 2 + LAYERS * PER_LAYER };

static const struct {
	int64_t dims[3];
	int rank;
	const char *spec;
} layer[PER_LAYER] = {
	{{64}, 1, NULL},          {{64, 4, 16}, 3, "_, Y, _"}, {{64, 4, 16}, 3, "_, Y, _"},
	{{64, 4, 16}, 3, "_, Y, _"}, {{4, 16, 64}, 3, "Y, _, _"}, {{64}, 1, NULL},
	{{64, 256}, 2, "_, Y"},   {{256, 64}, 2, "Y, _"},
};

static tess_array *mul(tess_ctx *c, tess_array *a, tess_array *b)
{
	return tess_apply1(c, "jnp.multiply", NULL, 2, a, b);
}
static tess_array *add(tess_ctx *c, tess_array *a, tess_array *b)
{
	return tess_apply1(c, "jnp.add", NULL, 2, a, b);
}
static tess_array *number(tess_ctx *c, double v)
{
	return tess_apply1(c, "scalar", tess_params_number(tess_params_new(c), "value", v), 0);
}

static tess_array *einsum(tess_ctx *c, const char *how, const char *spec, tess_array *a,
                          tess_array *b)
{
	tess_params *at = tess_params_text(tess_params_new(c), "subscripts", how);
	return tess_apply1(c, "jnp.einsum", spec ? tess_params_spec(at, "out_sharding", spec) : at,
	                   2, a, b);
}

static tess_array *norm(tess_ctx *c, tess_array *x, tess_array *scale)
{
	tess_params *a = tess_params_int(tess_params_int(tess_params_new(c), "axis", -1),
	                                 "keepdims", 1);
	tess_array *mean = tess_apply1(c, "jnp.mean", a, 1, mul(c, x, x));
	return mul(c,
	           mul(c, x, tess_apply1(c, "lax.rsqrt", NULL, 1, add(c, mean, number(c, 1e-5)))),
	           scale);
}

static tess_array *block(tess_ctx *c, tess_array *const *p, tess_array *x)
{
	tess_array *h = norm(c, x, p[0]);
	tess_array *q = einsum(c, "btd,dhk->bthk", NULL, h, p[1]),
		   *k = einsum(c, "btd,dhk->bthk", NULL, h, p[2]);
	tess_array *v = einsum(c, "btd,dhk->bthk", NULL, h, p[3]);
	tess_array *w = tess_apply1(
		c, "nn.softmax", NULL, 1,
		mul(c, einsum(c, "bthk,bshk->bhts", NULL, q, k), number(c, 0.25)));
	x = add(c, x,
	        einsum(c, "bthk,hkd->btd", "X, _, _", einsum(c, "bhts,bshk->bthk", NULL, w, v),
	               p[4]));
	h = tess_apply1(c, "nn.gelu", NULL, 1,
	                einsum(c, "btd,df->btf", NULL, norm(c, x, p[5]), p[6]));
	return add(c, x, einsum(c, "btf,fd->btd", "X, _, _", h, p[7]));
}

static int loss(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
                size_t cap)
{
	(void)env, (void)n, (void)cap;
	tess_array *x = einsum(c, "btv,vd->btd", NULL, in[N_PARAMS], in[0]);
	for (int i = 0; i < LAYERS; i++)
		x = block(c, in + 2 + i * PER_LAYER, x);
	tess_array *logits = einsum(c, "btd,dv->btv", NULL, x, in[1]);
	out[0] = tess_apply1(
		c, "jnp.mean", NULL, 1,
		mul(c, tess_apply1(c, "nn.log_softmax", NULL, 1, logits), in[N_PARAMS]));
	return out[0] ? 1 : -1;
}

static int adam_step(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
                     size_t cap)
{
	tess_array *args[N_PARAMS + 1], *grads[N_PARAMS + 1];
	int64_t which[N_PARAMS];
	void *none = env;
	(void)n, (void)cap;
	for (int i = 0; i < N_PARAMS; i++) {
		args[i] = in[3 * i];
		which[i] = i;
	}
	args[N_PARAMS] = in[3 * N_PARAMS];
	tess_params *a = tess_params_ints(tess_params_new(c), "argnums", which, N_PARAMS);
	int got = tess_apply_body(c, "value_and_grad", loss, &none, 1, args, N_PARAMS + 1, a, grads,
	                          N_PARAMS + 1);
	tess_params_free(a);
	if (got < 0)
		return -1;
	out[0] = grads[0];
	for (int i = 0; i < N_PARAMS; i++) {
		tess_array *g = grads[i + 1];
		tess_array *m = add(c, mul(c, in[3 * i + 1], number(c, 0.9)),
		                    mul(c, g, number(c, 0.1)));
		tess_array *v = add(c, mul(c, in[3 * i + 2], number(c, 0.999)),
		                    mul(c, mul(c, g, g), number(c, 0.001)));
		tess_array *size = add(c, tess_apply1(c, "lax.sqrt", NULL, 1, v), number(c, 1e-8));
		out[1 + 3 * i] = tess_apply1(
			c, "jnp.subtract", NULL, 2, in[3 * i],
			mul(c, tess_apply1(c, "jnp.divide", NULL, 2, m, size), number(c, 1e-3)));
		out[2 + 3 * i] = m;
		out[3 + 3 * i] = v;
		if (!out[1 + 3 * i])
			return -1;
	}
	return 1 + 3 * N_PARAMS;
}

static int step_types(tess_ctx *c, const tess_array_type **types)
{
	int64_t embed[] = {128, 64}, unembed[] = {64, 128}, tokens[] = {8, 32, 128};
	int n = 0;
	for (int i = 0; i < N_PARAMS; i++)
		for (int k = 0; k < 3; k++) {
			int l = (i - 2) % PER_LAYER;
			types[n++] = i == 0 ? tess_array_type_make(c, TESS_F32, embed, 2, NULL)
			             : i == 1
			                     ? tess_array_type_make(c, TESS_F32, unembed, 2, "_, Y")
			                     : tess_array_type_make(c, TESS_F32, layer[l].dims,
			                                            layer[l].rank, layer[l].spec);
		}
	types[n++] = tess_array_type_make(c, TESS_F32, tokens, 3, "X, _, _");
	return n;
}

static int count(tess_str s, const char *word)
{
	int n = 0;
	for (const char *at = s.ptr, *end = s.ptr + s.len; at < end && (at = strstr(at, word));
	     at += strlen(word))
		n++;
	return n;
}

static void measure_trace(void)
{
	enum { TIMES = 40 };
	double t[TIMES];
	int ops = 0;
	for (int i = 0; i < TIMES; i++) {
		tess_ctx *c = devices8();
		const tess_array_type *types[3 * N_PARAMS + 1];
		int n = step_types(c, types);
		double from = seconds();
		tess_fn *f = tess_fn_trace(c, adam_step, NULL, types, n);
		t[i] = seconds() - from;
		if (!f)
			give_up(c);
		if (i == 0)
			ops = count(lent(tess_fn_print(f)), " = sdy.sharding_constraint");
		tess_fn_free(f);
		tess_ctx_free(c);
	}
	printf("tessera  trace a training step of %d operations %8.3f ms\n", ops,
	       median(t, TIMES) * 1e3);
}

/* ---- start-up and eager operations ----------------------------------------------------------- */

static void measure_start(void)
{
	enum { TIMES = 40 };
	double t[TIMES];
	for (int i = 0; i < TIMES; i++) {
		double from = seconds();
		tess_ctx *c = devices8();
		int64_t dims[] = {8, 4};
		const tess_array_type *x = tess_array_type_make(c, TESS_F32, dims, 2, "X, Y"),
				      *in[] = {x, x}, *out;
		if (tess_array_infer(c, "lax.add", in, 2, NULL, &out, 1) != 1)
			give_up(c);
		t[i] = seconds() - from;
		tess_ctx_free(c);
	}
	printf("tessera  start: context, mesh, first type       %8.3f ms\n",
	       median(t, TIMES) * 1e3);
}

static void measure_eager(void)
{
	enum { TIMES = 20, OPS = 2000 };
	double t[TIMES];
	float data[32] = {1};
	int64_t dims[] = {8, 4};
	tess_ctx *c = devices8();
	tess_array *x = tess_array_new(c, tess_array_type_make(c, TESS_F32, dims, 2, "X, Y"), data);
	for (int i = 0; i < TIMES; i++) {
		double from = seconds();
		for (int k = 0; k < OPS; k++) {
			tess_array *y = tess_apply1(c, "lax.add", NULL, 2, x, x);
			if (!y)
				give_up(c);
			tess_array_free(y);
		}
		t[i] = (seconds() - from) / OPS;
	}
	printf("tessera  eager add of f32[8@X,4@Y], 8 devices    %8.3f us\n",
	       median(t, TIMES) * 1e6);
	tess_array_free(x);
	tess_ctx_free(c);
}

int main(void)
{
	measure_start();
	measure_trace();
	measure_eager();
	return 0;
}
