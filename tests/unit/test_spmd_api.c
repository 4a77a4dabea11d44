/* test_spmd_api.c - marked tensors in programs: any operation accepts them like global tensors. */
#include <math.h>
#include <stdio.h>

#include "array_fixture.h"

#include "../support/lent.h"
#include "../support/meshes.h"
#include <tessera/hlo.h>
#include <tessera/spmd.h>

enum { ROWS = 8, COLUMNS = 4 };

static const tess_mesh *two_by_four(tess_ctx *ctx)
{
	const tess_mesh *m = torch_mesh(ctx, NULL, 0, (int64_t[]){2, 4}, 2, NULL, 0);
	assert_non_null(m);
	return m;
}

static tess_spmd_tensor *matrix(tess_ctx *ctx)
{
	float data[ROWS * COLUMNS];
	for (int i = 0; i < ROWS * COLUMNS; i++)
		data[i] = (float)((i * 7) % 11) / 8;
	tess_spmd_tensor *t = tess_spmd_tensor_new(ctx, TESS_F32, (int64_t[]){ROWS, COLUMNS}, 2,
	                                           data);
	assert_non_null(t);
	return t;
}

/* ---- marks ------------------------------------------------------------------------------- */

/* None and _ are whole words, not prefixes. Python writes a tuple of one element with a comma. */
static void marks_are_read_word_by_word(void **state)
{
	static const char *const specs[] = {"Nonesuch, _x", "(Nonesuch,), (_x)", "( Nonesuch , ), _x",
	                                    "None, (_x, Nonesuch,)", "_, (Nonesuch, _x)"};
	static const char *const texts[] = {
		"{devices=[2,4]0,1,2,3,4,5,6,7}", "{devices=[2,4]0,1,2,3,4,5,6,7}",
		"{devices=[2,4]0,1,2,3,4,5,6,7}", "{devices=[1,8]0,4,1,5,2,6,3,7}",
		"{devices=[1,8]0,1,2,3,4,5,6,7}"};
	tess_ctx *ctx = context();
	const tess_mesh *m = torch_mesh(ctx, NULL, 0, (int64_t[]){2, 4}, 2,
	                                (const char *[]){"Nonesuch", "_x"}, 2);
	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		tess_spmd_tensor *t = matrix(ctx);
		assert_int_equal(tess_spmd_tensor_mark(t, m, specs[i]), TESS_OK);
		tess_str text = lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1));
		assert_int_equal(text.len, strlen(texts[i]));
		assert_memory_equal(text.ptr, texts[i], text.len);
		tess_spmd_tensor_free(t);
	}
	tess_spmd_tensor *t = matrix(ctx);
	assert_int_equal(tess_spmd_tensor_mark(t, m, "(,), None"), TESS_INVALID);
	assert_int_equal(tess_spmd_tensor_mark(t, m, "(_x,,), None"), TESS_INVALID);
	assert_int_equal(tess_spmd_tensor_mark(t, m, "(_x, None"), TESS_INVALID);
	tess_spmd_tensor_free(t);
	tess_ctx_free(ctx);
}

/* The examples of the proposal: an 8 x 4 tensor on a mesh of 2 x 4. */
static void marks_say_how_a_tensor_is_cut(void **state)
{
	static const struct {
		const char *spec;
		tess_spmd_kind type;
		int64_t rows, columns;
		const char *v1, *v2;
	} marks[] = {
		{"0, 1", TESS_SPMD_TILED, 4, 1, "{devices=[2,4]0,1,2,3,4,5,6,7}",
	         "{devices=[2,4]<=[8]}"},
		{"0, None", TESS_SPMD_PARTIAL, 4, 4,
	         "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}",
	         "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
		{"1, None", TESS_SPMD_PARTIAL, 2, 4,
	         "{devices=[4,1,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}",
	         "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"},
		{"None, None", TESS_SPMD_REPLICATED, 8, 4, "{replicated}", "{replicated}"},
	};
	tess_ctx *ctx = context();
	const tess_mesh *m = two_by_four(ctx);
	(void)state;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		tess_spmd_tensor *t = matrix(ctx);
		tess_spmd_shard s;
		assert_int_equal(tess_spmd_tensor_mark(t, m, marks[i].spec), TESS_OK);
		assert_int_equal(tess_spmd_tensor_kind(t), marks[i].type);
		assert_int_equal(tess_spmd_tensor_shard(t, 5, &s), TESS_OK);
		assert_int_equal(s.dims[0], marks[i].rows);
		assert_int_equal(s.dims[1], marks[i].columns);
		tess_str v1 = lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1));
		assert_int_equal(v1.len, strlen(marks[i].v1));
		assert_memory_equal(v1.ptr, marks[i].v1, v1.len);
		const tess_hlo_sharding *h = tess_hlo_sharding_parse(ctx, v1);
		tess_str v2 = lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V2));
		assert_int_equal(v2.len, strlen(marks[i].v2));
		assert_memory_equal(v2.ptr, marks[i].v2, v2.len);
		assert_int_equal(tess_hlo_sharding_same(ctx, h, tess_hlo_sharding_parse(ctx, v2)),
		                 TESS_OK);
		tess_spmd_tensor_free(t);
	}
	tess_ctx_free(ctx);
}

/* ---- programs ---------------------------------------------------------------------------- */

static tess_params *last_axis(tess_ctx *ctx)
{
	return tess_params_int(tess_params_new(ctx), "axis", 1);
}

static tess_params *whole_axis(tess_ctx *ctx)
{
	return tess_params_int(tess_params_new(ctx), "axis", 0);
}

static tess_params *pooled(tess_ctx *ctx)
{
	int64_t window[] = {2, 2};
	tess_params *a = tess_params_ints(tess_params_new(ctx), "window", window, 2);
	tess_params_ints(a, "strides", window, 2);
	tess_params_text(a, "padding", "SAME");
	return tess_params_text(a, "computation", "max");
}

static const struct {
	const char *op;
	int n_in;
	tess_params *(*attrs)(tess_ctx *ctx);
} operations[] = {
	{"lax.sin", 1, NULL},           {"lax.mul", 2, NULL},         {"nn.softmax", 1, NULL},
	{"jnp.sum", 1, last_axis},      {"jnp.sum", 1, whole_axis},   {"lax.transpose", 1, NULL},
	{"jnp.ravel", 1, NULL},         {"jnp.sort", 1, whole_axis},  {"lax.cumsum", 1, whole_axis},
	{"jnp.argmax", 1, whole_axis},  {"jnp.flip", 1, whole_axis},  {"jnp.inner", 2, NULL},
	{"jnp.kron", 2, NULL},          {"lax.reduce_window", 1, pooled}, {"jnp.var", 1, last_axis},
};

static int one_operation(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                         tess_array **out, size_t cap)
{
	int which = *(const int *)env;
	tess_params *a = operations[which].attrs ? operations[which].attrs(ctx) : NULL;
	(void)n;
	int got = tess_apply(ctx, operations[which].op, in, operations[which].n_in, a, out, cap);
	tess_params_free(a);
	return got;
}

/* Marked tensors give the same values as unmarked ones, and results are marked. */
static void marked_tensors_are_used_as_if_whole(void **state)
{
	tess_ctx *ctx = context();
	const tess_mesh *m = two_by_four(ctx);
	(void)state;
	for (int i = 0; i < (int)(sizeof operations / sizeof *operations); i++) {
		tess_spmd_tensor *plain[] = {matrix(ctx), matrix(ctx)}, *want = NULL, *got = NULL;
		tess_spmd_tensor *marked[] = {matrix(ctx), matrix(ctx)};
		assert_int_equal(tess_spmd_tensor_mark(marked[0], m, "0, 1"), TESS_OK);
		assert_int_equal(tess_spmd_tensor_mark(marked[1], m, "1, None"), TESS_OK);
		assert_int_equal(tess_spmd_run(ctx, one_operation, &i, plain, 2, &want, 1), 1);
		assert_int_equal(tess_spmd_run(ctx, one_operation, &i, marked, 2, &got, 1), 1);
		assert_int_equal(tess_spmd_tensor_kind(want), TESS_SPMD_UNMARKED);
		assert_int_not_equal(tess_spmd_tensor_kind(got), TESS_SPMD_UNMARKED);
		tess_tensor a = tess_spmd_tensor_global(want), b = tess_spmd_tensor_global(got);
		assert_int_equal(a.bytes, b.bytes);
		for (size_t k = 0; k < a.bytes / 4; k++)
			if (a.dtype == TESS_F32
			            ? fabsf(((const float *)a.data)[k] -
			                    ((const float *)b.data)[k]) > 1e-5f
			            : ((const int32_t *)a.data)[k] != ((const int32_t *)b.data)[k])
				fail_msg("%s: element %zu differs", operations[i].op, k);
		for (int k = 0; k < 2; k++) {
			tess_spmd_tensor_free(plain[k]);
			tess_spmd_tensor_free(marked[k]);
		}
		tess_spmd_tensor_free(want);
		tess_spmd_tensor_free(got);
	}
	tess_ctx_free(ctx);
}

/* A picture has one line per part, for any rank. */
static void pictures_are_of_any_rank(void **state)
{
	static const struct {
		int rank;
		const char *spec, *first;
		int lines;
	} shapes[] = {{0, "", "[]  CPU 0,1,2,3,4,5,6,7\n", 1},
	              {1, "1", "[0:2]  CPU 0,4\n", 4},
	              {3, "0, None, 1", "[0:4, 0:8, 0:2]  CPU 0\n", 8},
	              {5, "_, _, _, _, (0,1)", "[0:8, 0:8, 0:8, 0:8, 0:1]  CPU 0\n", 8}};
	tess_ctx *ctx = context();
	const tess_mesh *m = two_by_four(ctx);
	int64_t dims[] = {8, 8, 8, 8, 8};
	(void)state;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		tess_spmd_tensor *t = tess_spmd_tensor_new(ctx, TESS_I8, dims, shapes[i].rank,
		                                           NULL);
		assert_int_equal(tess_spmd_tensor_mark(t, m, shapes[i].spec), TESS_OK);
		tess_str p = lent(tess_spmd_tensor_picture(t));
		int lines = 0;
		for (size_t k = 0; k < p.len; k++)
			lines += p.ptr[k] == '\n';
		assert_int_equal(lines, shapes[i].lines);
		assert_memory_equal(p.ptr, shapes[i].first, strlen(shapes[i].first));
		tess_spmd_tensor_free(t);
	}
	tess_ctx_free(ctx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_read_word_by_word),
		cmocka_unit_test(marks_say_how_a_tensor_is_cut),
		cmocka_unit_test(marked_tensors_are_used_as_if_whole),
		cmocka_unit_test(pictures_are_of_any_rank),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
