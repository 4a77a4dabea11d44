/* arrays.c - random array programs have the same types and values when they run eagerly, one
 * operation at a time, as when they are traced and partitioned for 8 devices.
 *
 *   arrays_property [--count N] [--seed S] [--ranks]
 *
 * Each step applies an operation with random attributes to earlier values. If its typing rule
 * refuses, another step is drawn. With --ranks the devices are spread over the processes that
 * mpirun started. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/lent.h"
#include "../support/meshes.h"
#include <tessera/array.h>
#include <tessera/core.h>
#include <tessera/module.h>
#include <tessera/run.h>

enum { MAX_STEPS = 24, MAX_OPERANDS = 3, N_INPUTS = 3, MAX_VALUES = N_INPUTS + MAX_STEPS };

static uint64_t state;

static uint32_t draw(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* ---- steps --------------------------------------------------------------------------------- */

typedef struct step {
	const char *op, *key, *text_key, *spec_key;
	int in[MAX_OPERANDS], n_in;
	int64_t ints[8];
	size_t n_ints;
	const char *key2;
	int64_t ints2[8];
	size_t n_ints2;
	char text[24], spec[24];
} step;

static tess_params *attrs_of(tess_ctx *c, const step *s)
{
	tess_params *a = tess_params_new(c);
	if (s->key)
		tess_params_ints(a, s->key, s->ints, s->n_ints);
	if (s->key2)
		tess_params_ints(a, s->key2, s->ints2, s->n_ints2);
	if (s->text_key)
		tess_params_text(a, s->text_key, s->text);
	if (s->spec_key)
		tess_params_spec(a, s->spec_key, s->spec);
	return a;
}

/* Draws a spec for a value of this rank: each mesh axis on a random dimension, or on none. */
static void draw_spec(char *out, int rank)
{
	char at[4][8] = {"_", "_", "_", "_"};
	const char *axes[] = {"X", "Y"};
	for (int i = 0; i < 2 && rank; i++) {
		uint32_t d = draw((uint32_t)rank + 1);
		if (d < (uint32_t)rank && strcmp(at[d], "_") == 0)
			strcpy(at[d], axes[i]);
	}
	out[0] = 0;
	for (int d = 0; d < rank; d++) {
		strcat(out, d ? ", " : "");
		strcat(out, at[d]);
	}
}

static int draw_value(int n)
{
	return n > 4 && draw(2) ? n - 1 - (int)draw(3) : (int)draw((uint32_t)n);
}

static void draw_unary(step *s)
{
	static const char *const ops[] = {"lax.sin",  "lax.cos",    "lax.tanh",   "lax.logistic",
	                                  "lax.neg",  "lax.abs",    "nn.relu",    "nn.silu",
	                                  "lax.sign", "nn.softmax", "jnp.square", "lax.floor"};
	s->op = ops[draw(sizeof ops / sizeof *ops)];
}

static void draw_reduction(step *s, int rank)
{
	static const char *const ops[] = {"jnp.sum",    "jnp.mean", "jnp.max", "jnp.min",
	                                  "lax.cumsum", "jnp.sort", "jnp.var", "jnp.flip"};
	s->op = ops[draw(sizeof ops / sizeof *ops)];
	s->key = "axis";
	s->n_ints = 1;
	s->ints[0] = rank ? draw((uint32_t)rank) : 0;
}

static void draw_shape(step *s, const tess_array_type *t)
{
	int rank = tess_array_type_rank(t);
	int64_t dims[8], total = 1;
	for (int d = 0; d < rank; d++)
		total *= dims[d] = tess_array_type_dim(t, d);
	switch (draw(4)) {
	case 0:
		s->op = "lax.transpose";
		s->key = "permutation";
		s->n_ints = (size_t)rank;
		for (int d = 0; d < rank; d++)
			s->ints[d] = d;
		for (int d = rank - 1; d > 0; d--) {
			uint32_t k = draw((uint32_t)d + 1);
			int64_t was = s->ints[d];
			s->ints[d] = s->ints[k];
			s->ints[k] = was;
		}
		break;
	case 1: {
		static const int64_t first[] = {1, 2, 4, 8, 16};
		int64_t a = first[draw(5)];
		s->op = "lax.reshape";
		s->key = "new_sizes";
		s->n_ints = 2;
		s->ints[0] = a;
		s->ints[1] = total % a ? total + 1 : total / a;
		break;
	}
	case 2:
		s->op = "lax.slice";
		s->key = "start_indices";
		s->key2 = "limit_indices";
		s->n_ints = s->n_ints2 = (size_t)rank;
		for (int d = 0; d < rank; d++) {
			s->ints[d] = draw(2) ? 0 : dims[d] / 2;
			s->ints2[d] = dims[d];
		}
		break;
	default:
		s->op = "jax.reshard";
		s->spec_key = "sharding";
		draw_spec(s->spec, rank);
	}
}

static void draw_step(tess_ctx *c, step *s, tess_array *const *values, int n)
{
	static const char *const binary[] = {"jnp.add", "jnp.subtract", "jnp.multiply",
	                                     "jnp.maximum", "jnp.minimum"};
	static const char *const products[] = {"ab,bc->ac", "ab,cb->ac", "ba,bc->ac", "ab,b->a",
	                                       "abc,cd->abd"};
	(void)c;
	*s = (step){.n_in = 1, .in = {draw_value(n), draw_value(n), draw_value(n)}};
	const tess_array_type *t = tess_array_typeof(values[s->in[0]]);
	switch (draw(7)) {
	case 0: draw_unary(s); break;
	case 1: draw_reduction(s, tess_array_type_rank(t)); break;
	case 2:
	case 3: draw_shape(s, t); break;
	case 4:
		s->op = binary[draw(5)];
		s->n_in = 2;
		break;
	case 5:
		s->op = "jnp.einsum";
		s->n_in = 2;
		s->text_key = "subscripts";
		strcpy(s->text, products[draw(5)]);
		break;
	default:
		s->op = "lax.concatenate";
		s->n_in = 2;
		s->key = "dimension";
		s->n_ints = 1;
		s->ints[0] = tess_array_type_rank(t) ? draw((uint32_t)tess_array_type_rank(t)) : 0;
	}
}

/* ---- programs ------------------------------------------------------------------------------- */

typedef struct program {
	step steps[MAX_STEPS];
	int n;
} program;

static int replayed(tess_ctx *c, void *env, tess_array *const *in, size_t n_in, tess_array **out,
                    size_t cap)
{
	const program *p = env;
	tess_array *values[MAX_VALUES];
	(void)cap;
	memcpy(values, in, sizeof *values * (size_t)n_in);
	for (int i = 0; i < p->n; i++) {
		const step *s = &p->steps[i];
		tess_array *args[MAX_OPERANDS];
		for (int k = 0; k < s->n_in; k++)
			args[k] = values[s->in[k]];
		tess_params *a = attrs_of(c, s);
		int got = tess_apply(c, s->op, args, s->n_in, a, &values[n_in + i], 1);
		tess_params_free(a);
		if (got != 1)
			return -1;
		out[i] = values[n_in + i];
	}
	return p->n;
}

static bool is_small(const tess_array *v)
{
	const tess_array_type *t = tess_array_typeof(v);
	int64_t n = 1;
	for (int d = 0; d < tess_array_type_rank(t); d++)
		n *= tess_array_type_dim(t, d);
	return n > 0 && n <= 4096 && tess_array_type_rank(t) <= 4;
}

/* Draws steps, and runs each at once on the values of earlier steps. */
static void draw_program(tess_ctx *c, program *p, tess_array **values)
{
	int want = 4 + (int)draw(MAX_STEPS - 4);
	p->n = 0;
	for (int tries = 0; p->n < want && tries < 40 * want; tries++) {
		step *s = &p->steps[p->n];
		int n = N_INPUTS + p->n;
		tess_array *args[MAX_OPERANDS];
		draw_step(c, s, values, n);
		for (int k = 0; k < s->n_in; k++)
			args[k] = values[s->in[k]];
		tess_params *a = attrs_of(c, s);
		int got = tess_apply(c, s->op, args, s->n_in, a, &values[n], 1);
		tess_params_free(a);
		tess_diag_clear(c);
		if (got != 1)
			continue;
		if (is_small(values[n]))
			p->n++;
		else
			tess_array_free(values[n]);
	}
}

/* Values may differ by rounding: sums are added in another order. */
static bool same_values(tess_array *a, const tess_tensor *y)
{
	tess_tensor x;
	if (!tess_array_tensor(a, &x) || x.bytes != y->bytes)
		return false;
	for (size_t i = 0; i < x.bytes / 4; i++) {
		double p = ((const float *)x.data)[i], q = ((const float *)y->data)[i];
		if (!(fabs(p - q) <= 1e-3 * (1 + fabs(p))) && !(isnan(p) && isnan(q)) && p != q)
			return false;
	}
	return true;
}

static void show(tess_ctx *c, const program *p, tess_array *const *values)
{
	for (int i = 0; i < N_INPUTS + p->n; i++) {
		tess_str t = lent(tess_array_type_print(c, tess_array_typeof(values[i]),
		                                        TESS_ARRAY_TYPE_FORM_SHORT));
		printf("  %d: %.*s", i, (int)t.len, t.ptr);
		if (i >= N_INPUTS) {
			const step *s = &p->steps[i - N_INPUTS];
			printf(" = %s(%d, %d) %s%s", s->op, s->in[0], s->in[1], s->text, s->spec);
			for (size_t k = 0; k < s->n_ints; k++)
				printf(" %d", (int)s->ints[k]);
		}
		printf("\n");
	}
}

/* Runs the program again on the processes. Rank 0 has the results. */
static bool check_ranks(tess_ctx *c, tess_ranks *ranks, tess_fn *f, const program *p,
                        tess_array *const *values)
{
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	tess_tensor in[N_INPUTS];
	opts.threads = 1;
	opts.ranks = ranks;
	for (int i = 0; i < N_INPUTS; i++)
		tess_array_tensor(values[i], &in[i]);
	tess_module *m = tess_module_parse(c, lent(tess_fn_print(f)), "traced", NULL);
	tess_exec *e = m ? tess_exec_new(m, &opts) : NULL;
	bool ok = e && tess_exec_run(e, in, N_INPUTS) == TESS_OK;
	for (int i = 0; ok && i < p->n && tess_ranks_rank(ranks) == 0; i++) {
		tess_tensor t;
		ok = tess_exec_output(e, (size_t)i, &t) && same_values(values[N_INPUTS + i], &t);
		if (!ok)
			printf("value %d differs over processes\n", N_INPUTS + i);
	}
	tess_exec_free(e);
	tess_module_free(m);
	return ok;
}

static bool check(tess_ctx *c, const program *p, tess_array *const *values, tess_ranks *ranks)
{
	const tess_array_type *types[N_INPUTS];
	tess_array *out[MAX_STEPS];
	for (int i = 0; i < N_INPUTS; i++)
		types[i] = tess_array_typeof(values[i]);
	tess_fn *f = tess_fn_trace(c, replayed, (void *)(uintptr_t)p, types, N_INPUTS);
	int n = f ? tess_fn_call(f, values, N_INPUTS, out, MAX_STEPS) : -1;
	bool ok = n == p->n && (!ranks || check_ranks(c, ranks, f, p, values));
	for (int i = 0; i < n; i++) {
		tess_tensor t;
		if (ok && tess_array_typeof(out[i]) != tess_array_typeof(values[N_INPUTS + i])) {
			printf("value %d has another type when it is traced\n", N_INPUTS + i);
			ok = false;
		}
		if (ok &&
		    !(tess_array_tensor(out[i], &t) && same_values(values[N_INPUTS + i], &t))) {
			printf("value %d differs when it is partitioned\n", N_INPUTS + i);
			ok = false;
		}
		tess_array_free(out[i]);
	}
	if (!ok) {
		tess_str why = lent(tess_diag_render(c, false));
		printf("%.*s", (int)why.len, why.ptr);
		show(c, p, values);
	}
	tess_fn_free(f);
	return ok;
}

/* @param shared the context of all programs, if they run on several processes; else NULL */
static bool one_program(uint64_t seed, tess_ctx *shared, tess_ranks *spread, int *steps)
{
	static const int64_t dims[N_INPUTS][3] = {{8, 4}, {8, 16}, {4, 8, 4}};
	static const int ranks[N_INPUTS] = {2, 2, 3};
	tess_ctx *c = shared ? shared : tess_ctx_new(NULL);
	tess_array *values[MAX_VALUES];
	program p = {.n = 0};
	state = seed * 0x9E3779B97F4A7C15u + 1;
	tess_array_set_mesh(
		c, jax_mesh(c, (int64_t[]){4, 2}, 2, (const char *[]){"X", "Y"}, 2, NULL, 0));
	for (int i = 0; i < N_INPUTS; i++) {
		float data[128];
		char spec[24];
		for (int k = 0; k < 128; k++)
			data[k] = (float)draw(64) / 32 - 1;
		draw_spec(spec, ranks[i]);
		values[i] = tess_array_new(
			c, tess_array_type_make(c, TESS_F32, dims[i], ranks[i], spec), data);
	}
	draw_program(c, &p, values);
	bool ok = check(c, &p, values, spread);
	for (int i = 0; i < N_INPUTS + p.n; i++)
		tess_array_free(values[i]);
	if (!shared)
		tess_ctx_free(c);
	*steps += p.n;
	return ok;
}

int main(int argc, char **argv)
{
	int count = 100, bad = 0, steps = 0;
	uint64_t seed = 1;
	bool spread = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
			count = atoi(argv[++i]);
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--ranks") == 0)
			spread = true;
	}
	tess_ctx *shared = spread ? tess_ctx_new(NULL) : NULL;
	tess_ranks *ranks = spread ? tess_ranks_open(shared, "mpi", NULL) : NULL;
	if (spread && !ranks)
		return 1;
	for (int i = 0; i < count; i++)
		if (!one_program(seed + (uint64_t)i, shared, ranks, &steps)) {
			printf("seed %llu\n", (unsigned long long)(seed + (uint64_t)i));
			bad++;
		}
	if (ranks && tess_ranks_close(ranks, bad ? "a value differs" : NULL) != TESS_OK)
		bad++;
	tess_ctx_free(shared);
	printf("%d programs of %d operations, %d wrong\n", count, steps, bad);
	return bad > 0;
}
