/* mark_sharding.c - the example of PyTorch/XLA's mark_sharding proposal: a linear layer 32 -> 10 on a
 * mesh of 4 x 2 devices.  The rows of the input are split over the first mesh dimension, the columns
 * of the weight over the second.  The program itself does not mention devices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/spmd.h>

enum { ROWS = 8, FEATURES = 32, CLASSES = 10 };

static void fail(tess_ctx *ctx)
{
	char *why = tess_diag_render(ctx, false);
	fputs(why ? why : "out of memory\n", stderr);
	exit(1);
}

/* Computes x w + b. */
static int linear(tess_ctx *c, void *env, tess_array *const *in, size_t n, tess_array **out,
                  size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(c, "jnp.add", NULL, 2,
	                     tess_apply1(c, "jnp.matmul", NULL, 2, in[0], in[1]), in[2]);
	return out[0] ? 1 : -1;
}

static void show_mark(const char *what, tess_spmd_tensor *t)
{
	char *s = tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1);
	printf("%s: %s\n", what, s);
	tess_text_free(s);
}

static bool is_right(tess_spmd_tensor *y, const float *x, const float *w, const float *b)
{
	const float *got = tess_spmd_tensor_global(y).data;
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < CLASSES; j++) {
			double want = b[j];
			for (int k = 0; k < FEATURES; k++)
				want += (double)x[i * FEATURES + k] * w[k * CLASSES + j];
			if (fabs(want - got[i * CLASSES + j]) > 1e-4 * (1 + fabs(want)))
				return false;
		}
	return true;
}

int main(void)
{
	static float x[ROWS * FEATURES], w[FEATURES * CLASSES], b[CLASSES];
	tess_ctx *ctx = tess_ctx_new(NULL);
	for (int i = 0; i < ROWS * FEATURES; i++)
		x[i] = (float)(i % 7) - 3;
	for (int i = 0; i < FEATURES * CLASSES; i++)
		w[i] = (float)(i % 5) / 4 - 0.5f;
	for (int i = 0; i < CLASSES; i++)
		b[i] = (float)i;

	const tess_mesh_axis axes[] = {{.name = tess_str_of("x"), .size = 4},
	                               {.name = tess_str_of("y"), .size = 2}};
	const tess_mesh *mesh = tess_mesh_make(ctx, axes, 2, NULL, 0);
	printf("logical mesh:");
	for (int i = 0; i < 4; i++)
		printf(" [%d, %d]", (int)tess_mesh_device_at(mesh, 2 * i),
		       (int)tess_mesh_device_at(mesh, 2 * i + 1));
	tess_mesh_axis rows, columns;
	tess_mesh_axis_get(mesh, 0, &rows);
	tess_mesh_axis_get(mesh, 1, &columns);
	printf("\nshape: %.*s: %d, %.*s: %d\n", (int)rows.name.len, rows.name.ptr, (int)rows.size,
	       (int)columns.name.len, columns.name.ptr, (int)columns.size);

	tess_spmd_tensor *in[] = {
		tess_spmd_tensor_new(ctx, TESS_F32, (int64_t[]){ROWS, FEATURES}, 2, x),
		tess_spmd_tensor_new(ctx, TESS_F32, (int64_t[]){FEATURES, CLASSES}, 2, w),
		tess_spmd_tensor_new(ctx, TESS_F32, (int64_t[]){CLASSES}, 1, b),
	};
	if (tess_spmd_tensor_mark(in[0], mesh, "0, None") != TESS_OK ||
	    tess_spmd_tensor_mark(in[1], mesh, "None, 1") != TESS_OK)
		fail(ctx);
	show_mark("input", in[0]);
	show_mark("weight", in[1]);

	tess_spmd_tensor *y;
	if (tess_spmd_run(ctx, linear, NULL, in, 3, &y, 1) != 1)
		fail(ctx);
	show_mark("output", y);
	char *picture = tess_spmd_tensor_picture(y), *whole = tess_spmd_tensor_print(y);
	printf("%s%.60s...\n", picture, whole);
	tess_text_free(picture);
	tess_text_free(whole);

	bool right = is_right(y, x, w, b) && tess_spmd_tensor_kind(y) == TESS_SPMD_TILED;
	for (int i = 0; i < 3; i++)
		tess_spmd_tensor_free(in[i]);
	tess_spmd_tensor_free(y);
	tess_ctx_free(ctx);
	return right ? 0 : 1;
}
