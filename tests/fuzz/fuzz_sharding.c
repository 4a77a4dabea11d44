/* fuzz_sharding.c - any text as a mesh, a sharding and lists: no crash, and accepted input prints
 * as text with the same meaning.
 *
 * The input before the first '|' is the mesh, the rest the sharding. */
#include "fuzz.h"

#include "sharding/sharding.h"

#include <tessera/sharding.h>

static void boxes_are_within(const tess_sharding *s, const tess_mesh *m, int rank)
{
	enum { MAX_RANK = 8 };
	int64_t dims[MAX_RANK], local[MAX_RANK], begin[MAX_RANK], end[MAX_RANK];
	for (int d = 0; d < MAX_RANK; d++)
		dims[d] = d * 7;
	if (rank > MAX_RANK || tess_sharding_local_shape(s, m, dims, rank, local) != TESS_OK)
		return;
	for (int64_t device = 0; device < 8; device++) {
		if (tess_sharding_box(s, m, dims, rank, device, begin, end) != TESS_OK)
			continue;
		for (int d = 0; d < rank; d++)
			MUST(0 <= begin[d] && begin[d] <= end[d] && end[d] <= dims[d] &&
			     end[d] - begin[d] <= local[d]);
	}
	MUST(tess_sharding_same_placement(s, m, s, m, dims, rank) == TESS_OK);
}

static void try_sharding(tess_ctx *ctx, tess_str text, const tess_mesh *m)
{
	const tess_sharding *s = tess_sharding_parse(ctx, text, "fuzz", NULL, TESS_ANY_RANK);
	if (s) {
		tess_str printed = lent(tess_sharding_print(ctx, s));
		MUST(tess_sharding_parse(ctx, printed, "again", NULL, TESS_ANY_RANK) == s);
		boxes_are_within(s, m, tess_sharding_rank(s));
	}
	const tess_sharding *checked = tess_sharding_parse(ctx, text, "fuzz", m, TESS_ANY_RANK);
	MUST(!checked || !m || tess_sharding_verify(ctx, checked, m, TESS_ANY_RANK) == TESS_OK);
	if (checked)
		boxes_are_within(checked, m, tess_sharding_rank(checked));
}

static void try_lists(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "fuzz", .text = text, .first_line = 1};
	sharding_list shardings;
	sharding_places *places;
	axis_list axes;
	const place *axis_places;
	uint32_t end;
	sharding_per_value_parse(ctx, &src, 0, &end, &shardings, &places);
	MUST(end <= text.len);
	axis_list_parse(ctx, &src, 0, &end, &axes, &axis_places);
	MUST(end <= text.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = size ? (const char *)data : "";
	const char *bar = size ? memchr(text, '|', size) : NULL;
	tess_str mesh_text = {text, bar ? (size_t)(bar - text) : size};
	tess_str rest = bar ? (tess_str){bar + 1, size - mesh_text.len - 1} : mesh_text;
	tess_ctx *ctx = tess_ctx_new(NULL);
	const tess_mesh *m = tess_mesh_parse(ctx, mesh_text, "mesh");
	if (m)
		MUST(tess_mesh_parse(ctx, lent(tess_mesh_print(ctx, m)), "again") == m);
	try_sharding(ctx, rest, m);
	try_lists(ctx, rest);
	lent(tess_diag_render(ctx, false));
	tess_ctx_free(ctx);
	return 0;
}
