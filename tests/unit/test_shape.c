/* test_shape.c - shapes and layouts: properties of random ones, and edge cases that the recorded
 * cases do not cover. */
#include "sharding_fixture.h"
#include "hlo/hlo.h"

#include <stdlib.h>

static uint64_t seed = 0x9E3779B97F4A7C15u;

static int64_t random_to(int64_t n) /* 0 … n-1 */
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (int64_t)(seed % (uint64_t)n);
}

static void random_order(int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = i;
	for (int i = n - 1; i > 0; i--) {
		int k = (int)random_to(i + 1), x = p[i];
		p[i] = p[k];
		p[k] = x;
	}
}

/* Returns a layout with up to two tile groups, sometimes with a merged dimension, or a tile longer
 * than the rank. */
static const layout *random_layout(int rank, int max_tiles)
{
	int order[SHAPE_MAX_RANK];
	int64_t dims[2][8];
	tile tiles[2];
	layout l = {.rank = rank, .minor_to_major = order, .tiles = tiles, .tail = 1};
	random_order(order, rank);
	l.n_tiles = (int)random_to(max_tiles + 1);
	for (int i = 0; i < l.n_tiles; i++) {
		tiles[i] = (tile){1 + (int)random_to(rank + 1), dims[i]};
		for (int d = 0; d < tiles[i].rank; d++)
			dims[i][d] = random_to(8) == 0 && d + 1 < tiles[i].rank ? TILE_MERGE
			                                                        : 1 + random_to(5);
	}
	if (random_to(6) == 0)
		l.tail = 1 + random_to(16);
	assert_true(layout_verify(ctx, &l, NOWHERE));
	return layout_of(ctx, &l);
}

static void random_dims(int64_t *dims, int rank)
{
	for (int i = 0; i < rank; i++)
		dims[i] = random_to(12) == 0 ? 0 : 1 + random_to(7);
}

/* Every element has its own position and is found there. All other positions are padding. */
static void offsets_and_indices_agree(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2000; turn++) {
		int64_t dims[5], index[SHAPE_MAX_RANK] = {0}, back[SHAPE_MAX_RANK], n, used = 0;
		int rank = (int)random_to(6);
		random_dims(dims, rank);
		const shape *s = shape_array(ctx, DT_F32, dims, rank, random_layout(rank, 2));
		int64_t padded = shape_padded_elements(s);
		assert_true(shape_elements(s, &n) && padded >= n);
		for (bool more = n > 0; more; more = index_next(s, index)) {
			int64_t at = shape_offset(s, index);
			assert_true(at >= 0 && at < padded);
			assert_true(shape_index_at(s, at, back));
			assert_memory_equal(index, back, sizeof *index * (size_t)rank);
		}
		for (int64_t at = 0; at < padded; at++)
			used += shape_index_at(s, at, back);
		assert_int_equal(used, n);
		assert_false(shape_index_at(s, padded, back));
	}
}

static dtype random_hlo_type(void)
{
	dtype t;
	do
		t = (dtype)(1 + random_to(DT_COUNT - 1));
	while (dtype_number(t, NUMBER_XLA) < 0);
	return t;
}

/* Printed shapes parse as the same shape. */
static void text_is_a_fixpoint(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2000; turn++) {
		int64_t dims[5];
		int rank = (int)random_to(6);
		writer w;
		random_dims(dims, rank);
		const shape *s = shape_array(ctx, random_hlo_type(), dims, rank, random_layout(rank, 2));
		writer_init(&w, &ctx->scratch);
		shape_print(&w, s, SHAPE_WITH_LAYOUT);
		assert_ptr_equal(shape_parse(ctx, writer_str(&w)), s);
	}
	expect_no_errors();
}

static dtype dtype_of_bytes(int64_t bytes)
{
	return bytes == 1   ? DT_I8
	       : bytes == 2 ? DT_I16
	       : bytes == 4 ? DT_F32
	       : bytes == 8 ? DT_F64
	                    : DT_C128;
}

/* Converts through three random layouts and back. Elements are where their offsets say. */
static void relayout_goes_round(dtype t, const int64_t *dims, int rank)
{
	const shape *s[5], *plain = shape_array(ctx, t, dims, rank, NULL);
	char *data[5];
	for (int i = 0; i < 5; i++) {
		s[i] = i % 4 ? shape_with_layout(ctx, plain, random_layout(rank, 2)) : plain;
		data[i] = malloc((size_t)shape_bytes(s[i], SIZE_PADDED) + 1);
	}
	int64_t bytes = shape_bytes(plain, SIZE_PADDED), size = dtype_bytes(t);
	for (int64_t i = 0; i < bytes; i++)
		data[0][i] = (char)(random_to(255) + 1);
	for (int i = 1; i < 5; i++)
		assert_true(relayout(s[i - 1], data[i - 1], s[i], data[i]));
	assert_memory_equal(data[0], data[4], (size_t)bytes);
	int64_t n = bytes / size, by = n < 5000 ? 1 : n / 997;
	for (int64_t at = 0; at < n; at += by) {
		int64_t index[SHAPE_MAX_RANK];
		assert_true(shape_index_at(plain, at, index));
		assert_memory_equal(data[0] + at * size, data[2] + shape_offset(s[2], index) * size,
		                    (size_t)size);
	}
	for (int i = 0; i < 5; i++)
		free(data[i]);
}

static void relayout_loses_nothing(void **state)
{
	(void)state;
	for (int turn = 0; turn < 1200; turn++) {
		int64_t dims[5];
		int rank = (int)random_to(6);
		for (int i = 0; i < rank; i++)
			dims[i] = 1 + random_to(turn % 50 == 0 ? 40 : 9);
		if (rank > 3)
			dims[0] = dims[1] = 2;
		relayout_goes_round(dtype_of_bytes((int64_t)1 << random_to(5)), dims, rank);
	}
}

/* Large enough for several blocks and strips of them (transpose.c); the last exceeds the cache. */
static void relayout_goes_by_blocks(void **state)
{
	(void)state;
	for (int turn = 0; turn < 8; turn++) {
		int64_t dims[3] = {1 + random_to(1400), 1 + random_to(700), 1 + random_to(4)};
		if (random_to(2))
			dims[2] = dims[0], dims[0] = 1 + random_to(3);
		relayout_goes_round(dtype_of_bytes((int64_t)1 << random_to(5)), dims, 2 + turn % 2);
		arena_free(&ctx->scratch);
	}
	relayout_goes_round(DT_F64, (int64_t[]){1030, 1023}, 2);
	/* Blocks that start at cache lines, wherever the buffers start. */
	relayout_goes_round(DT_I8, (int64_t[]){2065, 2300}, 2);
	relayout_goes_round(DT_F32, (int64_t[]){1100, 2048}, 2);
}

/* Each way of copying between layouts moves elements as their offsets say. */
static void relayout_by_offsets(void **state)
{
	static const char *const pairs[][2] = {
		{"f32[140,1100]{1,0}", "f32[140,1100]{0,1}"},
		{"s8[530,270]{1,0}", "s8[530,270]{0,1}"},
		{"c128[70,300]{1,0}", "c128[70,300]{0,1}"},
		{"bf16[64,384]{1,0}", "bf16[64,384]{1,0:T(8,128)(2,1)}"},
		{"s8[67,389]{1,0}", "s8[67,389]{1,0:T(8,128)(4,1)}"},
		{"f64[67,389]{1,0}", "f64[67,389]{1,0:T(8,128)(2,1)}"},
		{"f32[67,389]{0,1}", "f32[67,389]{1,0:T(8,128)}"},
		{"u8[9,33,65]{2,1,0}", "u8[9,33,65]{0,1,2}"},
	};
	(void)state;
	for (size_t i = 0; i < 2 * sizeof pairs / sizeof *pairs; i++) {
		const shape *from = shape_parse(ctx, str_of(pairs[i / 2][i % 2]));
		const shape *to = shape_parse(ctx, str_of(pairs[i / 2][1 - i % 2]));
		int64_t index[SHAPE_MAX_RANK] = {0}, n = shape_bytes(from, SIZE_PADDED);
		int64_t size = dtype_bytes(from->dtype);
		char *a = malloc((size_t)n), *b = malloc((size_t)shape_bytes(to, SIZE_PADDED));
		for (int64_t k = 0; k < n; k++)
			a[k] = (char)random_to(256);
		assert_true(relayout(from, a, to, b));
		int64_t wrong = 0;
		do
			wrong += memcmp(a + shape_offset(from, index) * size,
			                b + shape_offset(to, index) * size, (size_t)size) != 0;
		while (index_next(from, index));
		assert_int_equal(wrong, 0);
		free(a);
		free(b);
	}
}

/* The matrix of XLA's document on shapes, a b c / d e f, in both orders. */
static void orders_of_the_document(void **state)
{
	char columns[7] = "", rows[7] = "";
	const shape *by_rows = shape_parse(ctx, STR("u8[2,3]{1,0}"));
	const shape *by_columns = shape_parse(ctx, STR("u8[2,3]{0,1}"));
	(void)state;
	assert_true(relayout(by_rows, "abcdef", by_columns, columns));
	assert_string_equal(columns, "adbecf");
	assert_true(relayout(by_columns, columns, by_rows, rows));
	assert_string_equal(rows, "abcdef");
}

/* Elements smaller than a byte, packed and unpacked. Padding becomes zero. */
static void relayout_packs_elements(void **state)
{
	(void)state;
	const shape *wide = shape_parse(ctx, STR("s4[3,5]"));
	const shape *packed = shape_parse(ctx, STR("s4[3,5]{0,1:T(2,2)E(4)}"));
	char data[15], packed_data[16], back[15];
	for (int i = 0; i < 15; i++)
		data[i] = (char)(i & 15);
	memset(packed_data, 0xFF, sizeof packed_data);
	assert_int_equal(shape_bytes(packed, SIZE_PADDED), 12);
	assert_true(relayout(wide, data, packed, packed_data));
	assert_int_equal(packed_data[0], 0x50); /* (0,0) in the low bits, then (1,0) */
	assert_true(relayout(packed, packed_data, wide, back));
	assert_memory_equal(data, back, sizeof data);
	const shape *other = shape_parse(ctx, STR("s4[5,3]"));
	assert_false(relayout(wide, data, other, back));
}

/* A tile that spans the minor dimension and divides the others keeps the order of elements. */
static void plain_layouts(void **state)
{
	static const struct {
		const char *text;
		bool plain;
	} cases[] = {
		{"f32[24,128]{1,0:T(8,128)}", true}, {"f32[4,256]{1,0:T(1,128)}", true},
		{"f32[2,3,4]{2,1,0:T(8,128)}", false}, {"f32[25,128]{1,0:T(8,128)}", false},
		{"f32[24,256]{1,0:T(8,128)}", false}, {"f32[16]{0:T(4)}", true},
		{"f32[16]{0:T(4)(2)}", true}, {"f32[]{:T(1)}", true}, {"f32[]{:T(128)}", false},
		{"f32[4,6]{0,1}", true}, {"f32[16]{0:T(*,2)}", true},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const shape *s = shape_parse(ctx, str_of(cases[i].text));
		assert_non_null(s);
		if (shape_is_plain(s) != cases[i].plain)
			fail_msg("%s", cases[i].text);
	}
}

static void equality_ignores_what_it_is_told_to(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned ignore;
	} same[] = {
		{"f32[2,3]{0,1}", "f32[2,3]", SHAPE_IGNORE_LAYOUT},
		{"f32[8]{0:T(8)}", "f32[8]", SHAPE_IGNORE_TILES},
		{"f32[8]{0:S(1)}", "f32[8]", SHAPE_IGNORE_MEMORY_SPACE},
		{"f32[8]", "s8[8]", SHAPE_IGNORE_DTYPE},
		{"f32[8]", "bf16[8]", SHAPE_IGNORE_FLOAT_PRECISION},
		{"f32[<=8]", "f32[8]", SHAPE_IGNORE_DYNAMIC},
		{"f32[8]{0:SC(0:4)}", "f32[8]", SHAPE_IGNORE_SPLITS},
		{"f32[8]{0:L(16)}", "f32[8]", SHAPE_IGNORE_TAIL},
		{"b(f32[8])", "f32[8]", SHAPE_IGNORE_BUFFER},
		{"(f32[8]{0:S(1)}, token[])", "(f32[8], token[])", SHAPE_IGNORE_MEMORY_SPACE},
	};
	(void)state;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		const shape *a = shape_parse(ctx, str_of(same[i].a)),
			    *b = shape_parse(ctx, str_of(same[i].b));
		assert_true(shape_same(a, b, same[i].ignore));
		assert_false(shape_same(a, b, 0));
	}
	assert_false(shape_same(shape_parse(ctx, STR("f32[8]")), shape_parse(ctx, STR("s32[8]")),
	                        SHAPE_IGNORE_FLOAT_PRECISION));
}

/* Aligned shapes are always bitcasts of one another. */
static void aligned_shapes_are_bitcasts(void **state)
{
	static const struct {
		const char *from, *to, *aligned;
	} cases[] = {
		{"f32[6,4]{0,1}", "f32[2,3,4]", NULL},
		{"f32[6,4]{1,0}", "f32[2,3,4]", "f32[2,3,4]{2,1,0}"},
		{"f32[4,6]{0,1}", "f32[4,2,3]", "f32[4,2,3]{0,2,1}"},
		{"f32[4,1,6]{0,2,1}", "f32[4,6]", "f32[4,6]{0,1}"},
		{"f32[2,3,4]{2,1,0}", "f32[6,4]", "f32[6,4]{1,0}"},
		{"f32[2,3,4]{0,1,2}", "f32[6,4]", NULL},
		{"f32[2,3]", "f32[7]", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const shape *from = shape_parse(ctx, str_of(cases[i].from));
		const shape *out = shape_align(ctx, from, shape_parse(ctx, str_of(cases[i].to)));
		const shape *want = cases[i].aligned ? shape_parse(ctx, str_of(cases[i].aligned))
		                                     : NULL;
		if (i == 0) /* 6 = 2 x 3 stays together in any surrounding layout */
			want = shape_parse(ctx, STR("f32[2,3,4]{1,0,2}"));
		assert_ptr_equal(out, want);
	}
}

static void transposes_by_layout(void **state)
{
	int perm[2];
	const shape *a = shape_parse(ctx, STR("f32[10,5]{1,0}")),
		    *b = shape_parse(ctx, STR("f32[5,10]{0,1}"));
	(void)state;
	assert_true(transpose_from_layouts(a, b, perm));
	assert_true(transpose_is_bitcast(a, b, perm));
	assert_ptr_equal(shape_permute(ctx, a, perm), b);
	assert_int_equal(shape_true_rank(shape_parse(ctx, STR("f32[1,5,0,10]"))), 2);
	assert_int_equal(shape_dim_number(a, -1), 1);
	assert_int_equal(shape_dim_number(a, 2), -1);
}

/* SC(0:3) splits 8 into 3 and 5; the larger part counts. */
static void largest_split(void **state)
{
	(void)state;
	assert_int_equal(shape_bytes(shape_parse(ctx, STR("f32[8,4]{1,0:SC(0:3)}")), SIZE_SPLIT),
	                 5 * 4 * 4);
	assert_int_equal(
		shape_bytes(shape_parse(ctx, STR("(f32[2], (s8[3], token[]))")), SIZE_DATA), 11);
	assert_int_equal(shape_bytes(shape_parse(ctx, STR("f32[?]")), SIZE_DATA), -1);
	assert_int_equal(shape_bytes(shape_parse(ctx, STR("f32[10]{0:M(8)}")), SIZE_PADDED), 48);
}

/* Sizes from TPU out-of-memory errors (jax-ml/jax#7502, …), and the layouts that would have
 * helped. */
static void tiles_waste(void **state)
{
	static const struct {
		const char *text, *better;
		int dim;
		int64_t stored, bytes, better_bytes;
	} cases[] = {
		{"bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}",
	         "bf16[2048,1,2048,128]{0,3,1,2:T(4,128)(2,1)}", 1, 4, (int64_t)4 << 30,
	         (int64_t)1 << 30},
		{"u32[12582912,1]{1,0:T(8,128)}", "u32[12582912,1]{0,1:T(8,128)}", 1, 128,
	         (int64_t)12582912 * 128 * 4, (int64_t)12582912 * 8 * 4},
		{"f32[24,128]{1,0:T(8,128)}", NULL, 0, 24, 24 * 128 * 4, 0},
		{"f32[25,100]{1,0:T(8,128)}", NULL, 0, 32, 32 * 128 * 4, 0},
		{"f32[7]{0}", NULL, 0, 7, 28, 0},
		{"f32[5,9]{0,1:T(*,4)}", NULL, 0, 5, 48 * 4, 0}, /* 45 elements in tiles of 4 */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const shape *s = shape_parse(ctx, str_of(cases[i].text));
		const shape *better = shape_least_padded(ctx, s);
		assert_int_equal(shape_bytes(s, SIZE_PADDED), cases[i].bytes);
		assert_int_equal(shape_stored_dim(s, cases[i].dim), cases[i].stored);
		if (!cases[i].better) {
			assert_ptr_equal(better, s);
			continue;
		}
		assert_ptr_equal(better, shape_parse(ctx, str_of(cases[i].better)));
		assert_int_equal(shape_bytes(better, SIZE_PADDED), cases[i].better_bytes);
	}
}

static void nesting_is_limited(void **state)
{
	char text[4001];
	(void)state;
	memset(text, '(', 4000);
	text[4000] = 0;
	assert_null(shape_parse(ctx, str_of(text)));
	assert_int_equal(diag_at(ctx, 0)->code, E_SHAPE_LIMIT);
}

/* Returns a mesh of up to four axes, sometimes with a device order. */
static const mesh *random_mesh(void)
{
	static const char *const names[] = {"x", "y", "z", "w"};
	mesh_axis axes[4];
	int n = 1 + (int)random_to(4), order[256];
	int64_t ids[256], n_devices = 1;
	for (int i = 0; i < n; i++) {
		axes[i] = (mesh_axis){name_of_z(ctx, names[i]), 1 + random_to(4)};
		n_devices *= axes[i].size;
	}
	random_order(order, (int)n_devices);
	for (int64_t i = 0; i < n_devices; i++)
		ids[i] = order[i];
	return mesh_of(ctx, axes, n, ids, random_to(3) == 0 && n_devices > 1 ? n_devices : 0);
}

/* Lists a mesh's axes in random order. One of size 4 may become two separate sub-axes. */
static int random_axes(const mesh *m, axis_ref *out)
{
	axis_ref list[8];
	int order[8], n = 0;
	for (int i = 0; i < m->n_axes; i++)
		if (m->axes[i].size == 4 && random_to(2)) {
			list[n++] = axis_sub(m, m->axes[i].name, 1, 2);
			list[n++] = axis_sub(m, m->axes[i].name, 2, 2);
		} else {
			list[n++] = axis_full(m->axes[i].name);
		}
	random_order(order, n);
	for (int i = 0; i < n; i++)
		out[i] = list[order[i]];
	return n;
}

static const sharding *random_sharding(const mesh *m, int rank)
{
	axis_ref used[8];
	dim_sharding dims[3] = {0};
	axes_vec list;
	int n = random_axes(m, used), at = 0;
	for (int d = 0; d < rank; d++) {
		list = (axes_vec){0};
		while (at < n && random_to(2))
			axes_append(&list, &ctx->scratch, used[at++], m);
		dims[d] = (dim_sharding){
			.axes = list.ptr, .n_axes = list.len, .priority = PRIORITY_NONE};
	}
	list = (axes_vec){0};
	while (at < n && random_to(3) == 0)
		axes_append(&list, &ctx->scratch, used[at++], m);
	axes_sort(list.ptr, list.len, m);
	return sharding_of(ctx, &(sharding){.mesh = {.inlined = m}, .rank = rank, .dims = dims,
	                                    .unreduced = list.ptr, .n_unreduced = list.len});
}

/* Returns the same tiles with their devices listed, as in V1. */
static const hlo_sharding *listed(const hlo_sharding *v2)
{
	static const char *const words[] = {"manual", "unreduced", "replicated"};
	writer w;
	source src = {.name = "listed", .first_line = 1};
	uint32_t end;
	writer_init(&w, &ctx->scratch);
	put_lit(&w, "{devices=");
	for (int i = 0; i < v2->rank; i++)
		put_f(&w, "%s%" PRId64, i ? "," : "[", v2->tiles[i]);
	for (int64_t i = 0; i < v2->devices.n; i++)
		put_f(&w, "%s%" PRId64, i ? "," : "]", device_array_at(&v2->devices, i));
	for (int i = 0; i < v2->n_subgroups; i++)
		put_f(&w, "%s%s", i ? ", " : " last_tile_dims={", words[v2->subgroups[i]]);
	put_z(&w, v2->n_subgroups ? "}}" : "}");
	src.text = writer_str(&w);
	return hlo_sharding_parse(ctx, &src, 0, &end);
}

/* V1, V2 and V3 of the same placement are equal, also after conversion to sdy and back. */
static void spellings_of_a_placement(void **state)
{
	(void)state;
	for (int turn = 0; turn < 1500; turn++) {
		const mesh *made, *m = random_mesh();
		int rank = 1 + (int)random_to(3);
		const sharding *s = random_sharding(m, rank);
		const hlo_sharding *v3 = hlo_sharding_named(ctx, m, s, (axis_list){0});
		const hlo_sharding *v2 = hlo_sharding_v2(ctx, v3);
		const hlo_sharding *v1 = v2->kind == HS_TILED ? listed(v2) : v2;
		assert_true(hlo_sharding_same(ctx, v3, v2));
		assert_true(v1 && hlo_sharding_same(ctx, v1, v2) && hlo_sharding_same(ctx, v1, v3));
		if (v2->kind == HS_UNREDUCED)
			continue; /* has no dimensions to convert back to */
		const sharding *back = hlo_sharding_to_sdy(ctx, v1, rank, random_to(2) ? m : NULL,
		                                           &made);
		assert_non_null(back);
		assert_true(hlo_sharding_same_placement(
		        ctx, hlo_sharding_named(ctx, made, back, (axis_list){0}), v2));
		arena_free(&ctx->scratch);
	}
	expect_no_errors();
}

/* A single tile on one device is the whole array. */
static void one_device_holds_all(void **state)
{
	uint32_t end;
	source tile = {.name = "tile", .text = STR("{devices=[1,1]<=[1]}"), .first_line = 1};
	source all = {.name = "all", .text = STR("{replicated}"), .first_line = 1};
	source one = {.name = "one", .text = STR("{maximal device=0}"), .first_line = 1};
	const hlo_sharding *t = hlo_sharding_parse(ctx, &tile, 0, &end);
	(void)state;
	assert_true(hlo_sharding_same_placement(ctx, t, hlo_sharding_parse(ctx, &all, 0, &end)));
	assert_false(hlo_sharding_same_placement(ctx, t, hlo_sharding_parse(ctx, &one, 0, &end)));
}

/* The box computed from the named sharding is the box computed from its tiles. */
static void boxes_agree(void **state)
{
	const mesh *m = mesh_parse_whole(ctx, text_source("x=2,y=3,z=2"));
	const sharding *s = sharding_parse_whole(ctx, text_source("[{\"z\", \"x\"}, {\"y\"}]"), m,
	                                         NULL);
	const hlo_sharding *h = hlo_sharding_named(ctx, m, s, (axis_list){0});
	const shape *whole = shape_parse(ctx, STR("f32[9,7]"));
	int64_t b1[2], e1[2], b2[2], e2[2];
	(void)state;
	for (int64_t d = 0; d < 12; d++) {
		assert_true(hlo_sharding_box(ctx, h, whole, d, b1, e1));
		sharding_box(s, m, whole->dims, 2, mesh_position_of(m, d), b2, e2);
		assert_memory_equal(b1, b2, sizeof b1);
		assert_memory_equal(e1, e2, sizeof e1);
	}
	assert_false(hlo_sharding_box(ctx, h, whole, 12, b1, e1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(offsets_and_indices_agree, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(text_is_a_fixpoint, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(relayout_loses_nothing, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(relayout_goes_by_blocks, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(relayout_by_offsets, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(orders_of_the_document, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(relayout_packs_elements, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(plain_layouts, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(equality_ignores_what_it_is_told_to, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(aligned_shapes_are_bitcasts, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(transposes_by_layout, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(largest_split, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(tiles_waste, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(nesting_is_limited, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(spellings_of_a_placement, fixture_open,
	                                        fixture_close),
		cmocka_unit_test_setup_teardown(one_device_holds_all, fixture_open, fixture_close),
		cmocka_unit_test_setup_teardown(boxes_agree, fixture_open, fixture_close),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
