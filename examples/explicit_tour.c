/* explicit_tour.c - a tour of shardings in types, after JAX's documentation of its explicit mode.
 * Every printed type is the one that typeof() shows there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/array.h>

static void fail(tess_ctx *ctx)
{
	char *why = tess_diag_render(ctx, false);
	fputs(why ? why : "out of memory\n", stderr);
	exit(1);
}

static tess_array *show(tess_ctx *ctx, const char *what, tess_array *v)
{
	if (!v)
		fail(ctx);
	char *type = tess_array_type_print(ctx, tess_array_typeof(v), TESS_ARRAY_TYPE_FORM_LONG);
	printf("%s: %s\n", what, type);
	tess_text_free(type);
	return v;
}

/* Returns 0, 1, 2, …, replicated on the devices of the mesh. */
static tess_array *counting(tess_ctx *ctx, int64_t rows, int64_t columns)
{
	int32_t data[64];
	int64_t dims[] = {rows, columns};
	for (int i = 0; i < rows * columns; i++)
		data[i] = i;
	tess_array *v = tess_array_new(ctx, tess_array_type_make(ctx, TESS_I32, dims, 2, NULL),
	                               data);
	if (!v)
		fail(ctx);
	return v;
}

static tess_array *reshard(tess_ctx *ctx, tess_array *v, const char *spec)
{
	return tess_apply1(ctx, "jax.reshard",
	                   tess_params_spec(tess_params_new(ctx), "sharding", spec), 1, v);
}

/* Prints types while the function is traced: they are known before anything runs. */
static int add_arrays(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                      size_t cap)
{
	(void)env, (void)n, (void)cap;
	show(ctx, "  x sharding", in[0]);
	show(ctx, "  y sharding", in[1]);
	out[0] = tess_apply1(ctx, "jnp.add", NULL, 2, in[0], in[1]);
	if (!out[0])
		return -1;
	show(ctx, "  result sharding", out[0]);
	return 1;
}

static tess_array *call(tess_ctx *ctx, tess_fn_body *body, tess_array *x, tess_array *y)
{
	const tess_array_type *types[] = {tess_array_typeof(x), tess_array_typeof(y)};
	tess_array *in[] = {x, y}, *out = NULL;
	tess_fn *f = tess_fn_trace(ctx, body, NULL, types, 2);
	if (f && tess_fn_call(f, in, 2, &out, 1) != 1)
		fail(ctx);
	tess_fn_free(f);
	return out;
}

/* The body for auto_axes: inside, the compiler is in charge of the axes; the caller gives the
 * sharding of the result. */
static int plain_add(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                     size_t cap)
{
	(void)env, (void)n, (void)cap;
	show(ctx, "  inside auto_axes", in[0]);
	out[0] = tess_apply1(ctx, "jnp.add", NULL, 2, in[0], in[1]);
	return out[0] ? 1 : -1;
}

static int auto_add(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                    size_t cap)
{
	void *none = env;
	tess_params *a = tess_params_spec(tess_params_new(ctx), "out_sharding", "X, _");
	int got = tess_apply_body(ctx, "auto_axes", plain_add, &none, 1, in, n, a, out, cap);
	tess_params_free(a);
	return got;
}

static void check_sums(tess_array *sum)
{
	tess_tensor t;
	const int32_t *v;
	if (!tess_array_tensor(sum, &t))
		exit(1);
	v = t.data;
	for (int i = 0; i < 16; i++)
		if (v[i] != 2 * i) {
			fprintf(stderr, "element %d is %d\n", i, v[i]);
			exit(1);
		}
}

int main(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	const tess_mesh_axis axes[] = {{tess_str_of("X"), 2, TESS_AXIS_EXPLICIT},
	                               {tess_str_of("Y"), 4, TESS_AXIS_EXPLICIT}};
	const tess_mesh *mesh = tess_mesh_make(ctx, axes, 2, NULL, 0);
	if (tess_array_set_mesh(ctx, mesh) != TESS_OK)
		fail(ctx);
	char *text = tess_array_mesh_print(ctx, tess_array_mesh(ctx), true);
	printf("current mesh: %s\n", text);
	tess_text_free(text);

	tess_array *replicated = counting(ctx, 4, 2), *sharded = reshard(ctx, replicated, "X, _");
	show(ctx, "replicated array", replicated);
	show(ctx, "sharded array", sharded);

	printf("a sum, each operand sharded along its own axis:\n");
	tess_array *x = counting(ctx, 4, 1), *y = counting(ctx, 1, 8);
	tess_array *xs = reshard(ctx, x, "X, _"), *ys = reshard(ctx, y, "_, Y");
	tess_array *sum = call(ctx, add_arrays, xs, ys);
	show(ctx, "result", sum);

	printf("a sum whose result would use an axis twice:\n");
	tess_array *a = counting(ctx, 4, 4), *rows = reshard(ctx, a, "X, _"),
		   *columns = reshard(ctx, a, "_, X");
	tess_array *illegal = call(ctx, add_arrays, rows, columns);
	tess_diag d;
	if (illegal || !tess_diag_get(ctx, 0, &d))
		return 1;
	printf("  %.*s\n", (int)d.message.len, d.message.ptr);
	tess_diag_clear(ctx);

	printf("the same under auto_axes, with out_sharding:\n");
	tess_array *legal = call(ctx, auto_add, rows, columns);
	show(ctx, "result", legal);
	check_sums(legal);

	tess_array *all[] = {replicated, sharded, x, y, xs, ys, sum, a, rows, columns, legal};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		tess_array_free(all[i]);
	tess_ctx_free(ctx);
	return 0;
}
