/* hlo_cases.c - compares the public API with recorded facts about shapes, layouts,
 * HloShardings and HLO text, most of them jaxlib's own answers.
 *
 *   hlo_cases CASES.jsonl DIFFERENCES.txt
 *
 * Prints what fails and 'N passed, N failed'.  DIFFERENCES lists inputs that XLA accepts
 * and tessera refuses, one per line with the reason before it; it is checked that they
 * are refused. */
#include "hlo_cases.h"

/* ---- helpers of the checks -------------------------------------------------- */

bool texts_equal(tess_str a, tess_str b)
{
	return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

bool unlike(hlo_case *c, const char *what, tess_str got, tess_str want)
{
	snprintf(c->why, sizeof c->why, "%s is\n    %.*s\n  not\n    %.*s", what, (int)got.len,
	         got.ptr, (int)want.len, want.ptr);
	return false;
}

bool unlike_number(hlo_case *c, const char *what, int64_t got, int64_t want)
{
	snprintf(c->why, sizeof c->why, "%s is %" PRId64 ", not %" PRId64, what, got, want);
	return false;
}

bool numbers_are(hlo_case *c, const char *what, const int64_t *got, int n_got,
                    const int64_t *want, int n_want)
{
	int at = 0;
	if (n_got != n_want)
		return unlike_number(c, what, n_got, n_want);
	while (at < n_got && got[at] == want[at])
		at++;
	if (at == n_got)
		return true;
	snprintf(c->why, sizeof c->why, "%s: item %d is %" PRId64 ", not %" PRId64, what, at,
	         got[at], want[at]);
	return false;
}

bool is_refused(hlo_case *c, bool accepted)
{
	if (!accepted && tess_diag_errors(c->ctx) > 0)
		return true;
	snprintf(c->why, sizeof c->why,
	         accepted ? "is accepted" : "is refused without a diagnostic");
	return false;
}

const tess_shape *case_array(hlo_case *c, const char *dims, const char *order)
{
	int64_t d[TESS_MAX_RANK], o[TESS_MAX_RANK];
	int perm[TESS_MAX_RANK], rank = json_ints(c->json, dims, d, TESS_MAX_RANK);
	const tess_shape *s = tess_shape_array(c->ctx, TESS_F32, d, rank);
	if (!s || !order)
		return s;
	json_ints(c->json, order, o, TESS_MAX_RANK);
	for (int i = 0; i < rank; i++)
		perm[i] = (int)o[i];
	return tess_shape_with_layout(c->ctx, s, tess_layout_dense(c->ctx, perm, rank));
}

/* ---- the table --------------------------------------------------------------- */

static const struct {
	const char *kind;
	check_fn *check;
} checks[] = {
	{"shape_parse", check_shape_parse},
	{"byte_size", check_byte_size},
	{"padded_size_tpu", check_padded_size},
	{"array_size", check_array_size},
	{"tiled_map", check_tiled_map},
	{"tiled_index", check_tiled_index},
	{"strides", check_strides},
	{"reshape_is_bitcast", check_reshape_is_bitcast},
	{"transpose_is_bitcast", check_transpose_is_bitcast},
	{"dims_unmodified_by_reshape", check_kept_dims},
	{"permute_dimensions", check_permute},
	{"sharding_parse", check_sharding_parse},
	{"sharding_tile_shape", check_tile_shape},
	{"sharding_equal", check_sharding_equal},
	{"torch_v1_v2", check_torch},
	{"pspec_to_hlo", check_pspec},
	{"hlo_attrs", check_attrs},
	{"hlo_attrs_common", check_common_attrs},
	{"hlo_module", check_module},
	{"jax_module", check_jax_module},
	{"hlo_schedule", check_schedule},
	{"cost_analysis", check_cost},
	{"hlo_to_stablehlo", check_to_stablehlo},
};

static check_fn *find_check(tess_str kind)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (kind.len == strlen(checks[i].kind) &&
		    memcmp(kind.ptr, checks[i].kind, kind.len) == 0)
			return checks[i].check;
	return NULL;
}

/* ---- running ------------------------------------------------------------------- */

tess_str case_module(tess_str name)
{
	static char text[1 << 14];
	tess_str rest = cases_text(), line;
	while (case_next_line(&rest, &line)) {
		if (!memmem(line.ptr, line.len, "\"hlo_module\"", 12))
			continue;
		json_value *json = json_parse(line);
		tess_str input = json_text(json, "input");
		bool found = texts_equal(json_text(json, "name"), name) && input.len < sizeof text;
		if (found)
			memcpy(text, input.ptr, input.len);
		size_t n = input.len;
		json_free(json);
		if (found)
			return (tess_str){text, n};
	}
	return (tess_str){"", 0};
}

static tess_str case_input(const json_value *json)
{
	tess_str input = json_text(json, "input");
	static char named[100];
	tess_str label = json_text(json, "name");
	if (label.len) {
		int n = snprintf(named, sizeof named, "module %.*s", (int)label.len, label.ptr);
		return (tess_str){named, (size_t)n};
	}
	if (!input.len && json_get(json, "sharding")) {
		static char joined[500];
		tess_str a = json_text(json, "sharding"), b = json_text(json, "shape");
		int n = snprintf(joined, sizeof joined, "%.*s on %.*s", (int)a.len, a.ptr,
		                 (int)b.len, b.ptr);
		return (tess_str){joined, (size_t)n};
	}
	return input;
}

static case_outcome run_case(const json_value *json)
{
	tess_str kind = json_text(json, "kind"), id = json_text(json, "id"),
		 input = case_input(json);
	check_fn *check = find_check(kind);
	hlo_case c = {.ctx = tess_ctx_new(NULL), .json = json, .why = "no check for this kind"};
	c.differs = case_differs(input); /* the input is a line of its own */
	bool ok = check && check(&c);
	if (!ok)
		printf("%.*s: %.*s\n  %s\n", (int)id.len, id.ptr, (int)input.len, input.ptr, c.why);
	tess_ctx_free(c.ctx);
	return ok ? CASE_PASSED : CASE_FAILED;
}

int main(int argc, char **argv) { return cases_main(argc, argv, NULL, run_case); }
