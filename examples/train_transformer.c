/* train_transformer.c - trains a small transformer to continue sequences, with Adam, data parallel
 * over "X" and tensor parallel over "Y", with every sharding in the types.
 *
 * The step (loss, gradients, update) is traced once and run on 8 virtual devices.  Given the file
 * of losses that the same program in JAX prints (train_transformer.py), it compares each step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/array.h>

enum {
	BATCH = 8,
	LENGTH = 8,
	VOCABULARY = 16,
	WIDTH = 16,
	HEADS = 2,
	HEAD = 8,
	HIDDEN = 32,
	STEPS = 60
};
enum { EMBED, PLACE, QUERY, KEY, VALUE, OUT, UP, DOWN, UNEMBED, N_PARAMS };

static const struct {
	int rank;
	int64_t dims[3];
	const char *spec;
	double scale;
} shapes[N_PARAMS] = {
	[EMBED] = {2, {VOCABULARY, WIDTH}, "_, _", 0.5},
	[PLACE] = {2, {LENGTH, WIDTH}, "_, _", 0.5},
	[QUERY] = {3, {WIDTH, HEADS, HEAD}, "_, Y, _", 0.25},
	[KEY] = {3, {WIDTH, HEADS, HEAD}, "_, Y, _", 0.25},
	[VALUE] = {3, {WIDTH, HEADS, HEAD}, "_, Y, _", 0.25},
	[OUT] = {3, {HEADS, HEAD, WIDTH}, "Y, _, _", 0.25},
	[UP] = {2, {WIDTH, HIDDEN}, "_, Y", 0.25},
	[DOWN] = {2, {HIDDEN, WIDTH}, "Y, _", 0.18},
	[UNEMBED] = {2, {WIDTH, VOCABULARY}, "_, _", 0.25},
};

static void fail(tess_ctx *ctx)
{
	char *why = tess_diag_render(ctx, false);
	fputs(why ? why : "out of memory\n", stderr);
	exit(1);
}

/* ---- the model --------------------------------------------------------------------------- */

static tess_array *einsum(tess_ctx *c, const char *subscripts, const char *spec, tess_array *a,
                          tess_array *b)
{
	tess_params *at = tess_params_text(tess_params_new(c), "subscripts", subscripts);
	if (spec)
		tess_params_spec(at, "out_sharding", spec);
	return tess_apply1(c, "jnp.einsum", at, 2, a, b);
}

static tess_array *add(tess_ctx *c, tess_array *a, tess_array *b)
{
	return tess_apply1(c, "jnp.add", NULL, 2, a, b);
}
static tess_array *mul(tess_ctx *c, tess_array *a, tess_array *b)
{
	return tess_apply1(c, "jnp.multiply", NULL, 2, a, b);
}
static tess_array *number(tess_ctx *c, double v)
{
	return tess_apply1(c, "scalar", tess_params_number(tess_params_new(c), "value", v), 0);
}

/* Normalizes by the root mean square over the last dimension. */
static tess_array *norm(tess_ctx *c, tess_array *x)
{
	int64_t last = -1, one = 1;
	tess_params *a = tess_params_int(tess_params_int(tess_params_new(c), "axis", last),
	                                 "keepdims", one);
	tess_array *mean = tess_apply1(c, "jnp.mean", a, 1, mul(c, x, x));
	return mul(c, x, tess_apply1(c, "lax.rsqrt", NULL, 1, add(c, mean, number(c, 1e-5))));
}

static tess_array *attention(tess_ctx *c, tess_array *const *p, tess_array *mask, tess_array *x)
{
	tess_array *q = einsum(c, "btd,dhk->bthk", NULL, x, p[QUERY]);
	tess_array *k = einsum(c, "btd,dhk->bthk", NULL, x, p[KEY]);
	tess_array *v = einsum(c, "btd,dhk->bthk", NULL, x, p[VALUE]);
	tess_array *scores = mul(c, einsum(c, "bthk,bshk->bhts", NULL, q, k),
	                         number(c, 1 / sqrt(HEAD)));
	tess_array *weights = tess_apply1(c, "nn.softmax", NULL, 1, add(c, scores, mask));
	tess_array *mixed = einsum(c, "bhts,bshk->bthk", NULL, weights, v);
	/* heads are contracted on both sides, so the sum over Y must be requested */
	return einsum(c, "bthk,hkd->btd", "X, _, _", mixed, p[OUT]);
}

static tess_array *feed_forward(tess_ctx *c, tess_array *const *p, tess_array *x)
{
	tess_array *up = tess_apply1(c, "nn.gelu", NULL, 1,
	                             einsum(c, "btd,df->btf", NULL, x, p[UP]));
	return einsum(c, "btf,fd->btd", "X, _, _", up, p[DOWN]);
}

/* in: parameters, tokens as one-hot, targets as one-hot, mask -> mean cross entropy */
static int loss(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
                size_t cap)
{
	(void)env, (void)n, (void)cap;
	tess_array *const *p = in;
	tess_array *x = add(c, einsum(c, "btv,vd->btd", NULL, in[N_PARAMS], p[EMBED]), p[PLACE]);
	x = add(c, x, attention(c, p, in[N_PARAMS + 2], norm(c, x)));
	x = add(c, x, feed_forward(c, p, norm(c, x)));
	tess_array *logits = einsum(c, "btd,dv->btv", NULL, norm(c, x), p[UNEMBED]);
	tess_array *chosen = mul(c, tess_apply1(c, "nn.log_softmax", NULL, 1, logits),
	                         in[N_PARAMS + 1]);
	tess_array *sum = tess_apply1(c, "jnp.sum", NULL, 1, chosen);
	out[0] = mul(c, sum, number(c, -1.0 / (BATCH * LENGTH)));
	return out[0] ? 1 : -1;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Adam; `rate` already holds the correction of the bias. */
static bool update(tess_ctx *c, tess_array *const *state, tess_array *g, tess_array *rate,
                   tess_array **out)
{
	tess_array *m = add(c, mul(c, state[1], number(c, 0.9)), mul(c, g, number(c, 0.1)));
	tess_array *v = add(c, mul(c, state[2], number(c, 0.999)),
	                    mul(c, mul(c, g, g), number(c, 0.001)));
	tess_array *size = add(c, tess_apply1(c, "lax.sqrt", NULL, 1, v), number(c, 1e-8));
	tess_array *by = mul(c, rate, tess_apply1(c, "jnp.divide", NULL, 2, m, size));
	out[0] = tess_apply1(c, "jnp.subtract", NULL, 2, state[0], by);
	out[1] = m;
	out[2] = v;
	return out[0] && m && v;
}

/* in: (parameter, m, v)…, tokens, targets, mask, rate -> loss, (parameter, m, v)… */
static int step(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
                size_t cap)
{
	tess_array *args[N_PARAMS + 3], *grads[N_PARAMS + 1];
	int64_t which[N_PARAMS];
	void *none = env;
	(void)n, (void)cap;
	for (int i = 0; i < N_PARAMS; i++) {
		args[i] = in[3 * i];
		which[i] = i;
	}
	for (int i = 0; i < 3; i++)
		args[N_PARAMS + i] = in[3 * N_PARAMS + i];
	tess_params *a = tess_params_ints(tess_params_new(c), "argnums", which, N_PARAMS);
	int got = tess_apply_body(c, "value_and_grad", loss, &none, 1, args, N_PARAMS + 3, a, grads,
	                          N_PARAMS + 1);
	tess_params_free(a);
	if (got != N_PARAMS + 1)
		return -1;
	out[0] = grads[0];
	for (int i = 0; i < N_PARAMS; i++)
		if (!update(c, in + 3 * i, grads[i + 1], in[3 * N_PARAMS + 3], out + 1 + 3 * i))
			return -1;
	return 1 + 3 * N_PARAMS;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Returns a number in -1 … 1, the same on every machine. */
static double noise(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / (1 << 23) - 1;
}

static tess_array *array_of(tess_ctx *c, const int64_t *dims, int rank, const char *spec,
                            const float *data)
{
	tess_array *v = tess_array_new(c, tess_array_type_make(c, TESS_F32, dims, rank, spec),
	                               data);
	if (!v)
		fail(c);
	return v;
}

static tess_array *one_hot(tess_ctx *c, int shift)
{
	static float data[BATCH * LENGTH * VOCABULARY];
	for (int i = 0; i < BATCH * LENGTH * VOCABULARY; i++)
		data[i] = 0;
	for (int b = 0; b < BATCH; b++) /* each sequence counts in steps of its own */
		for (int t = 0; t < LENGTH; t++)
			data[(b * LENGTH + t) * VOCABULARY +
			     (b + (t + shift) * (1 + b % 3)) % VOCABULARY] = 1;
	return array_of(c, (int64_t[]){BATCH, LENGTH, VOCABULARY}, 3, "X, _, _", data);
}

static void make_state(tess_ctx *c, tess_array **in)
{
	uint32_t seed = 7;
	for (int i = 0; i < N_PARAMS; i++) {
		float data[VOCABULARY * WIDTH * HEADS * 2],
			zero[VOCABULARY * WIDTH * HEADS * 2] = {0};
		int64_t n = 1;
		for (int d = 0; d < shapes[i].rank; d++)
			n *= shapes[i].dims[d];
		for (int64_t k = 0; k < n; k++)
			data[k] = (float)(noise(&seed) * shapes[i].scale);
		for (int k = 0; k < 3; k++)
			in[3 * i + k] = array_of(c, shapes[i].dims, shapes[i].rank, shapes[i].spec,
			                         k ? zero : data);
	}
	float mask[LENGTH * LENGTH];
	for (int t = 0; t < LENGTH; t++)
		for (int s = 0; s < LENGTH; s++)
			mask[t * LENGTH + s] = s > t ? -1e9f : 0;
	in[3 * N_PARAMS] = one_hot(c, 0);
	in[3 * N_PARAMS + 1] = one_hot(c, 1);
	in[3 * N_PARAMS + 2] = array_of(c, (int64_t[]){LENGTH, LENGTH}, 2, NULL, mask);
}

/* True if the loss equals the next line of `losses`, up to rounding: the two programs add in different
 * orders, and the difference grows with each step. */
static bool is_next(FILE *losses, int step, double loss)
{
	double expected = NAN;
	if (!losses)
		return true;
	if (fscanf(losses, "%lf", &expected) == 1 && fabs(loss - expected) <= 1e-4 * expected)
		return true;
	fprintf(stderr, "step %d: the loss is %.8f, not %.8f\n", step, loss, expected);
	return false;
}

int main(int argc, char **argv)
{
	enum { N_IN = 3 * N_PARAMS + 4, N_OUT = 1 + 3 * N_PARAMS };
	tess_ctx *c = tess_ctx_new(NULL);
	tess_array *in[N_IN], *out[N_OUT];
	const tess_array_type *types[N_IN];
	double first = 0, last = 0;
	FILE *losses = argc > 1 ? fopen(argv[1], "r") : NULL;
	bool right = argc < 2 || losses;
	const tess_mesh_axis axes[] = {{tess_str_of("X"), 4, TESS_AXIS_EXPLICIT},
	                               {tess_str_of("Y"), 2, TESS_AXIS_EXPLICIT}};
	tess_array_set_mesh(c, tess_mesh_make(c, axes, 2, NULL, 0));
	make_state(c, in);
	float rate = 0;
	in[N_IN - 1] = array_of(c, NULL, 0, NULL, &rate);
	for (int i = 0; i < N_IN; i++)
		types[i] = tess_array_typeof(in[i]);
	tess_fn *f = tess_fn_trace(c, step, NULL, types, N_IN);
	if (!f)
		fail(c);
	for (int s = 1; s <= STEPS; s++) {
		tess_tensor t;
		tess_array_free(in[N_IN - 1]);
		rate = (float)(0.01 * sqrt(1 - pow(0.999, s)) / (1 - pow(0.9, s)));
		in[N_IN - 1] = array_of(c, NULL, 0, NULL, &rate);
		if (tess_fn_call(f, in, N_IN, out, N_OUT) != N_OUT ||
		    !tess_array_tensor(out[0], &t))
			fail(c);
		last = *(const float *)t.data;
		first = s == 1 ? last : first;
		right = right && is_next(losses, s, last);
		if (s == 1 || s % 10 == 0)
			printf("step %3d loss %.4f\n", s, last);
		tess_array_free(out[0]);
		for (int i = 0; i < 3 * N_PARAMS; i++) {
			tess_array_free(in[i]);
			in[i] = out[i + 1];
		}
	}
	for (int i = 0; i < N_IN; i++)
		tess_array_free(in[i]);
	if (losses)
		fclose(losses);
	tess_fn_free(f);
	tess_ctx_free(c);
	return right && last < first / 4 ? 0 : 1; /* it has learned */
}
