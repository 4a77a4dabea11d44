/* fuzz_shape.c - any text as a shape and as an HloSharding: no crash, accepted input prints as text
 * with the same meaning, positions and elements agree, and data survives a change of layout and
 * back. */
#include "fuzz.h"

#include <string.h>
#include <tessera/hlo.h>
#include <tessera/shape.h>

enum { FEW = 512 };

static void positions_agree(const tess_shape *s)
{
	int64_t index[TESS_MAX_RANK], n = tess_shape_elements(s),
				      padded = tess_shape_padded_elements(s);
	int64_t found = 0;
	if (n < 0 || padded < 0 || padded > FEW)
		return;
	for (int64_t at = 0; at < padded; at++) {
		if (!tess_shape_index_at(s, at, index))
			continue;
		MUST(tess_shape_offset(s, index) == at);
		found++;
	}
	MUST(found == n);
}

/* Converts data to row-major order and back. */
static void data_survives(tess_ctx *ctx, const tess_shape *s)
{
	int64_t bytes = tess_shape_bytes(s, TESS_SIZE_PADDED);
	const tess_shape *plain = tess_shape_with_layout(ctx, s, NULL);
	if (bytes < 0 || bytes > 8 * FEW || !plain || tess_shape_padded_elements(s) > FEW)
		return;
	int64_t plain_bytes = tess_shape_bytes(plain, TESS_SIZE_PADDED);
	if (tess_layout_element_bits(tess_shape_layout(s)) || plain_bytes > 8 * FEW)
		return; /* another width: some bits may be lost */
	char *a = malloc((size_t)plain_bytes + 1), *b = malloc((size_t)bytes + 1);
	char *c = malloc((size_t)plain_bytes + 1);
	for (int64_t i = 0; i < plain_bytes; i++)
		a[i] = (char)(i * 7 + 1);
	MUST(tess_relayout(plain, a, (size_t)plain_bytes, s, b, (size_t)bytes) == TESS_OK);
	MUST(tess_relayout(s, b, (size_t)bytes, plain, c, (size_t)plain_bytes) == TESS_OK);
	MUST(memcmp(a, c, (size_t)plain_bytes) == 0);
	free(a);
	free(b);
	free(c);
}

static void try_shape(tess_ctx *ctx, tess_str text)
{
	const tess_shape *s = tess_shape_parse(ctx, text);
	MUST(s || tess_diag_errors(ctx) > 0);
	if (!s)
		return;
	MUST(tess_shape_parse(ctx, lent(tess_shape_print(ctx, s, true))) == s);
	MUST(tess_shape_same(s, s, 0));
	tess_shape_leaf_count(s);
	tess_shape_bytes(s, TESS_SIZE_SPLIT);
	if (tess_shape_kind_of(s) == TESS_SHAPE_ARRAY) {
		positions_agree(s);
		data_survives(ctx, s);
		tess_shape_align(ctx, s, s);
	}
}

/* sdy shardings cannot express these. V2 does not have those of size 1. */
static bool has_manual_axes(tess_str text)
{
	return memmem(text.ptr, text.len, "manual", strlen("manual"));
}

static void try_sharding(tess_ctx *ctx, tess_str text)
{
	int64_t begin[TESS_MAX_RANK], end[TESS_MAX_RANK], dims[TESS_MAX_RANK], tiles[64];
	const tess_hlo_sharding *s = tess_hlo_sharding_parse(ctx, text);
	if (!s)
		return;
	MUST(tess_hlo_sharding_parse(ctx, tess_hlo_sharding_text(s)) == s);
	const tess_hlo_sharding *v2 = tess_hlo_sharding_v2(ctx, s);
	if (!v2)
		return;
	int rank = tess_hlo_sharding_tiles(v2, tiles, 64) -
	           (int)tess_hlo_sharding_subgroups(v2, NULL, 0);
	if (tess_hlo_sharding_kind_of(v2) != TESS_HLO_SHARDING_TILED || rank > 8 ||
	    tess_hlo_sharding_devices(v2, NULL, 0) > FEW)
		return;
	MUST(tess_hlo_sharding_same_placement(ctx, s, v2) == TESS_OK);
	for (int i = 0; i < rank; i++)
		dims[i] = 5 + i;
	const tess_shape *whole = tess_shape_array(ctx, TESS_F32, dims, rank);
	MUST(tess_hlo_sharding_tile_shape(ctx, s, whole));
	if (tess_hlo_sharding_box(ctx, s, whole, 0, begin, end) == TESS_OK)
		for (int i = 0; i < rank; i++)
			MUST(0 <= begin[i] && begin[i] <= end[i] && end[i] <= dims[i]);
	const tess_sharding *sdy = tess_hlo_sharding_to_sdy(ctx, s, rank, NULL);
	if (sdy && !has_manual_axes(tess_hlo_sharding_text(s)))
		MUST(tess_hlo_sharding_same_placement(
			     ctx, tess_hlo_sharding_from_sdy(ctx, sdy, NULL), v2) == TESS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_str text = {(const char *)data, size};
	try_shape(ctx, text);
	tess_layout_parse(ctx, text);
	try_sharding(ctx, text);
	tess_ctx_free(ctx);
	return 0;
}
