/* torch_spmd_cases.c - recorded behavior of torch_xla's Mesh and mark_sharding on 8 devices,
 * checked through the public API.
 *
 *   torch_spmd_cases CASES.jsonl [DIFFERENCES.txt]
 *
 * A case is described by its call: mesh(…) … t(…) spec=(…) is a mark with its type, text and
 * shards; xs.Mesh(…) and xs.mark_sharding(t, m, …) are accepted or refused; scenarios are
 * functions.  A negative device id, which torch_xla accepts and fails on later, must be refused
 * immediately.  Propagation cases are programs that run on 2 x 4 devices.  Cases of other groups
 * (Python's own: loaders, FSDP, DTensor) are counted as skipped.
 *
 * DIFFERENCES lists propagation cases whose result differs from torch_xla's, by `id sharding`,
 * and cases that torch_xla refuses and tessera does, by `id works`, each after a line that starts
 * with "# " and says why; both are checked. */
#include "../../support/cases.h"

#include "../../support/lent.h"
#include "../../support/meshes.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/array.h>
#include <tessera/spmd.h>

enum { RECORDED = 16 }; /* elements of a shard, at most, stand in a case */

typedef struct torch_case {
	tess_ctx *ctx;
	const json_value *json, *result;
	char call[400];
	char why[600];
} torch_case;

static bool fails(torch_case *c, const char *why)
{
	snprintf(c->why, sizeof c->why, "%s", why);
	return false;
}

static bool same_text(torch_case *c, tess_str got, tess_str want)
{
	if (got.len == want.len && memcmp(got.ptr, want.ptr, got.len) == 0)
		return true;
	snprintf(c->why, sizeof c->why, "%.*s\n  not %.*s", (int)got.len, got.ptr, (int)want.len,
	         want.ptr);
	return false;
}

/* ---- Python's literals ------------------------------------------------------------------- */

/* The text between the parentheses that open at `at`. */
static bool inside(const char *at, char *out, size_t cap)
{
	int depth = 0;
	size_t n = 0;
	if (!at || (*at != '(' && *at != '['))
		return false;
	for (;; at++) {
		if (*at == '(' || *at == '[')
			depth++;
		if (*at == ')' || *at == ']')
			depth--;
		if (!*at || !depth)
			break;
		if (*at != '\'' && n + 1 < cap)
			out[n++] = *at;
	}
	out[n] = 0;
	memmove(out, out + (n > 0), n + (n == 0));
	return depth == 0;
}

static size_t numbers(const char *s, int64_t *out, size_t cap)
{
	size_t n = 0;
	for (char *end; *s && n < cap; s = end) {
		long long v = strtoll(s, &end, 10);
		if (end == s)
			end++;
		else
			out[n++] = v;
	}
	return n;
}

static size_t words(char *s, const char **out, size_t cap)
{
	size_t n = 0;
	for (char *w = strtok(s, ", "); w && n < cap; w = strtok(NULL, ", "))
		out[n++] = w;
	return n;
}

/* ---- marks --------------------------------------------------------------------------------- */

static double number_at(tess_dtype t, const void *data, size_t i)
{
	switch (t) {
	case TESS_F32: return ((const float *)data)[i];
	case TESS_I32: return ((const int32_t *)data)[i];
	default: return ((const uint8_t *)data)[i];
	}
}

/* 0, 1, 2, … as the recorded tensors hold. */
static tess_spmd_tensor *counting(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank)
{
	size_t n = 1;
	for (int d = 0; d < rank; d++)
		n *= (size_t)dims[d];
	char *data = calloc(n + 1, 8);
	for (size_t i = 0; i < n; i++) {
		if (t == TESS_F32)
			((float *)data)[i] = (float)i;
		else if (t == TESS_I32)
			((int32_t *)data)[i] = (int32_t)i;
		else
			data[i] = i >= n / 2;
	}
	tess_spmd_tensor *out = tess_spmd_tensor_new(ctx, t, dims, rank, data);
	free(data);
	return out;
}

static bool shard_fits(torch_case *c, const tess_spmd_tensor *t, const json_value *want,
                       int64_t device)
{
	tess_spmd_shard s;
	tess_dtype type = tess_spmd_tensor_global(t).dtype;
	if (tess_spmd_tensor_shard(t, device, &s) != TESS_OK)
		return fails(c, "no shard");
	if (json_get(want, "replica")->integer != s.replica)
		return fails(c, "another replica");
	int d = 0;
	size_t n = 1;
	for (const json_value *v = json_get(want, "shape")->first; v; v = v->next, d++) {
		if (d >= s.rank || v->integer != s.dims[d])
			return fails(c, "another shape");
		n *= (size_t)s.dims[d];
	}
	const json_value *idx = json_get(want, "idx");
	d = 0;
	for (const json_value *v = idx->kind == J_ARRAY ? idx->first : NULL; v; v = v->next, d++)
		if (v->first->integer != s.begin[d] || v->first->next->integer != s.end[d])
			return fails(c, "another box");
	d = 0;
	for (const json_value *v = json_get(want, "unpadded")->first; v; v = v->next, d++)
		if (v->integer != s.end[d] - s.begin[d])
			return fails(c, "another size without padding");
	char *data = calloc(n + 1, 8);
	bool same = tess_spmd_tensor_read_shard(t, device, data,
	                                        n * (size_t)tess_dtype_bytes(type)) == TESS_OK;
	size_t i = 0;
	for (const json_value *v = json_get(want, "data")->first; v && same; v = v->next, i++)
		same = (v->kind == J_BOOL ? (double)v->yes : v->number) == number_at(type, data, i);
	free(data);
	return (same && i == (n < RECORDED ? n : RECORDED)) || fails(c, "other data");
}

static tess_spmd_kind type_named(tess_str s)
{
	return text_is(s, "TILED") ? TESS_SPMD_TILED : text_is(s, "PARTIAL") ? TESS_SPMD_PARTIAL
	       : text_is(s, "REPLICATED") ? TESS_SPMD_REPLICATED : TESS_SPMD_UNMARKED;
}

static bool mark_fits(torch_case *c, const tess_spmd_tensor *t)
{
	int64_t device = 0;
	if (!same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	               json_text(c->result, "spec")))
		return false;
	if (tess_spmd_tensor_kind(t) != type_named(json_text(c->result, "type")))
		return fails(c, "another type");
	const json_value *shards = json_get(c->result, "shards");
	for (const json_value *s = shards ? shards->first : NULL; s; s = s->next, device++)
		if (!shard_fits(c, t, s, device))
			return false;
	return true;
}

/* mesh(2, 4) names=('x', 'y') ids=None t(8, 8) spec=('x', None) */
static bool run_mark(torch_case *c)
{
	char text[200], name_text[200];
	int64_t shape[16], ids[64], dims[16];
	const char *names[16];
	size_t rank, n_names = 0, n_ids = 0, t_rank;
	const char *at = strstr(c->call, "names="), *ids_at = strstr(c->call, "ids="),
		   *t_at = strstr(c->call, " t(");
	const char *spec_at = strstr(c->call, "spec=");
	if (!at || !ids_at || !t_at || !spec_at || !inside(c->call + 4, text, sizeof text))
		return fails(c, "the call is not understood");
	rank = numbers(text, shape, 16);
	if (at[6] == '(' && inside(at + 6, name_text, sizeof name_text))
		n_names = words(name_text, names, 16);
	if (ids_at[4] == '[' && inside(ids_at + 4, text, sizeof text))
		n_ids = numbers(text, ids, 64);
	inside(t_at + 2, text, sizeof text);
	t_rank = numbers(text, dims, 16);
	inside(spec_at + 5, text, sizeof text);
	const tess_mesh *m = torch_mesh(c->ctx, n_ids ? ids : NULL, n_ids, shape, rank,
	                                n_names ? names : NULL, n_names);
	tess_str id = json_text(c->json, "id");
	tess_dtype type = text_is(id, "ms_int32")  ? TESS_I32
	                  : text_is(id, "ms_bool") ? TESS_I1
	                                           : TESS_F32;
	tess_spmd_tensor *t = counting(c->ctx, type, dims, (int)t_rank);
	bool ok = m && t && tess_spmd_tensor_mark(t, m, text) == TESS_OK ? mark_fits(c, t)
	                                                                 : fails(c, "refused");
	tess_spmd_tensor_free(t);
	return ok;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static const tess_mesh *grid(tess_ctx *ctx)
{
	return torch_mesh(ctx, NULL, 0, (int64_t[]){2, 4}, 2, (const char *[]){"x", "y"}, 2);
}

/* xs.Mesh(np.arange(8),(2,4),('x','y')): accepted or refused. */
static bool run_mesh_call(torch_case *c, bool want_error)
{
	int64_t ids[64] = {0}, shape[16], from[2];
	char text[200];
	const char *names[16], *at = strstr(c->call, "Mesh(") + 5;
	size_t n_ids = 8, rank, n_names = 0;
	bool negative = false;
	if (strncmp(at, "np.arange", 9) == 0 || strncmp(at, "list(range", 10) == 0) {
		inside(strchr(at, *at == 'l' ? 'r' : 'n') + (*at == 'l' ? 5 : 9), text,
		       sizeof text);
		size_t k = numbers(text, from, 2);
		int64_t first = k == 2 ? from[0] : 0;
		n_ids = (size_t)((k == 2 ? from[1] : from[0]) - first);
		for (size_t i = 0; i < n_ids && i < 64; i++)
			ids[i] = first + (int64_t)i;
		negative = first < 0;
	}
	at = strstr(at, "),") ? strstr(at, "),") + 2 : at;
	inside(at + strspn(at, ", "), text, sizeof text);
	rank = numbers(text, shape, 16);
	at = strpbrk(at + 1, ")]");
	char name_text[200];
	if (at && at[1] == ',' && inside(at + 2 + strspn(at + 2, " "), name_text, sizeof name_text))
		n_names = words(name_text, names, 16);
	const tess_mesh *m = torch_mesh(c->ctx, ids, n_ids, shape, rank, n_names ? names : NULL,
	                                n_names);
	const char *asked = strstr(c->call, "get_axis_name_idx('");
	bool refused = !m || (asked && mesh_find_axis(m, "x") < 0);
	/* of 8 devices, a mesh takes all: fewer ids than devices are refused by the size here */
	if (strstr(c->call, "np.arange(4)"))
		refused = n_ids != 8;
	return refused == (want_error || negative) || fails(c, refused ? "refused" : "accepted");
}

/* xs.mark_sharding(t, m, ('x',)): refused. */
static bool run_mark_call(torch_case *c)
{
	char text[200];
	const char *at = strstr(c->call, "m, ");
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2);
	at = at ? at + 3 : NULL;
	bool ok = inside(at, text, sizeof text);
	tess_status done = ok ? tess_spmd_tensor_mark(t, m, text) : TESS_OK;
	tess_spmd_tensor_free(t);
	if (*at == '[') /* a list is refused by Python only: a spec is a text here */
		return done == TESS_OK || fails(c, "refused");
	return done == TESS_INVALID || fails(c, "accepted");
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static bool logical_mesh(torch_case *c)
{
	const tess_mesh *m = grid(c->ctx);
	bool ok = tess_mesh_device_count(m) == 8 && tess_mesh_axis_count(m) == 2 &&
	          mesh_size_of(m, 0) == 2 && mesh_size_of(m, 1) == 4 &&
	          mesh_find_axis(m, "y") == 1 && mesh_find_axis(m, "z") == -1;
	for (int i = 0; i < 8; i++)
		ok = ok && tess_mesh_device_at(m, i) == i;
	return ok || fails(c, "another mesh");
}

static bool remarked(torch_case *c)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){8, 8}, 2);
	bool ok = tess_spmd_tensor_mark(t, m, "None, None") == TESS_OK;
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	                     c->result->first->text);
	ok = ok && tess_spmd_tensor_mark(t, m, "x, y") == TESS_OK;
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	                     c->result->first->next->text);
	tess_spmd_tensor_free(t);
	return ok || (c->why[0] ? false : fails(c, "refused"));
}

static bool marked_otherwise(torch_case *c)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2);
	bool ok = tess_spmd_tensor_mark(t, m, "x, None") == TESS_OK &&
	          tess_spmd_tensor_mark(t, m, "x, None") == TESS_OK;
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	                     json_text(c->result, "same_again"));
	ok = ok && tess_spmd_tensor_mark(t, m, "None, y") == TESS_INVALID;
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	                     json_text(c->result, "spec_kept"));
	tess_spmd_tensor_unmark(t);
	ok = ok && lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)).len == 0 &&
	     tess_spmd_tensor_mark(t, m, "None, y") == TESS_OK;
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)),
	                     json_text(c->result, "after_new"));
	tess_spmd_tensor_free(t);
	return ok || (c->why[0] ? false : fails(c, "a step went wrong"));
}

static bool copies_keep_marks(torch_case *c)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){8, 8}, 2);
	bool ok = tess_spmd_tensor_mark(t, m, "x, y") == TESS_OK;
	tess_spmd_tensor *copy = tess_spmd_tensor_clone(t);
	tess_spmd_tensor_free(t);
	ok = ok && same_text(c, lent(tess_spmd_tensor_sharding(copy, TESS_SPMD_FORM_V1)),
	                     json_text(c->result, "clone"));
	tess_spmd_tensor_free(copy);
	return ok;
}

static bool unmarked(torch_case *c)
{
	tess_spmd_shard s;
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2);
	bool ok = tess_spmd_tensor_shard(t, 0, &s) == TESS_USAGE &&
	          tess_spmd_tensor_kind(t) == TESS_SPMD_UNMARKED &&
	          lent(tess_spmd_tensor_sharding(t, TESS_SPMD_FORM_V1)).len == 0;
	tess_spmd_tensor_free(t);
	return ok || fails(c, "an unmarked tensor has shards");
}

/* Each shard negated and loaded again; wrong ones are refused. */
static bool loaded(torch_case *c)
{
	const tess_mesh *m = torch_mesh(c->ctx, NULL, 0, (int64_t[]){8}, 1, NULL, 0);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){13}, 1);
	float data[8][2];
	const void *ptrs[8];
	size_t sizes[8];
	bool ok = tess_spmd_tensor_mark(t, m, "0") == TESS_OK;
	for (int i = 0; i < 8; i++) {
		ok = ok && tess_spmd_tensor_read_shard(t, i, data[i], sizeof data[i]) == TESS_OK;
		for (int k = 0; k < 2; k++)
			data[i][k] = -data[i][k];
		ptrs[i] = data[i];
		sizes[i] = sizeof data[i];
	}
	ok = ok && tess_spmd_tensor_load_shards(t, ptrs, sizes, 7) == TESS_INVALID;
	ok = ok && tess_spmd_tensor_load_shards(t, ptrs, sizes, 8) == TESS_OK;
	for (int i = 0; i < 13; i++)
		ok = ok && ((const float *)tess_spmd_tensor_global(t).data)[i] == (float)-i;
	sizes[3] = 4;
	ok = ok && tess_spmd_tensor_load_shards(t, ptrs, sizes, 8) == TESS_INVALID;
	tess_spmd_tensor_free(t);
	return ok || fails(c, "a step went wrong");
}

static bool one_device(torch_case *c)
{
	const tess_mesh *m = torch_mesh(c->ctx, NULL, 0, (int64_t[]){1, 1}, 2, NULL, 0);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){2, 2}, 2);
	bool ok = tess_spmd_tensor_mark(t, m, "0, 1") == TESS_OK && mark_fits(c, t);
	tess_spmd_tensor_free(t);
	return ok;
}

static bool is_difference(tess_str id, tess_str got);

/* torch_xla errs, for a reason of its own: here the same thing works, and DIFFERENCES says so. */
static bool works_here(torch_case *c, bool works)
{
	if (!works)
		return fails(c, "refused");
	return is_difference(json_text(c->json, "id"), (tess_str){"works", 5}) ||
	       fails(c, "works");
}

static bool one_dimension(torch_case *c)
{
	int64_t n = 8;
	const char *name = "data";
	const tess_mesh *named = torch_mesh(c->ctx, NULL, 0, &n, 1, &name, 1);
	const tess_mesh *plain = torch_mesh(c->ctx, NULL, 0, &n, 1, NULL, 0);
	const json_value *want = c->result->first;
	bool ok = same_text(c, lent(tess_spmd_mesh_print(c->ctx, named)), want->text) &&
	          same_text(c, lent(tess_spmd_mesh_print(c->ctx, plain)), want->next->text);
	const tess_mesh *again = tess_spmd_mesh_parse(c->ctx, want->text);
	ok = ok && again && same_text(c, lent(tess_spmd_mesh_print(c->ctx, again)), want->text) &&
	     mesh_find_axis(again, "data") == 0;
	ok = ok && !tess_spmd_mesh_parse(c->ctx, (tess_str){"{'device_ids': [0, 1]}", 22});
	return ok;
}

static bool mesh_that_is_set(torch_case *c)
{
	bool ok = !tess_array_mesh(c->ctx);
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2);
	ok = ok && tess_spmd_tensor_mark(t, NULL, "x, None") == TESS_USAGE;
	tess_array_set_mesh(c->ctx, m);
	ok = ok && tess_array_mesh(c->ctx) == m &&
	     tess_spmd_tensor_mark(t, NULL, "x, None") == TESS_OK;
	tess_spmd_tensor_free(t);
	ok = ok && tess_array_set_mesh(c->ctx, NULL) == TESS_OK;
	return (ok && !tess_array_mesh(c->ctx)) || fails(c, "a step went wrong");
}

/* One slice is an ordinary mesh. */
static bool one_slice(torch_case *c)
{
	const tess_mesh *m = tess_spmd_mesh_hybrid(c->ctx, NULL, 0, 1, (int64_t[]){2, 4},
	                                           (int64_t[]){1, 1}, 2, NULL, 0);
	bool ok = m && tess_mesh_device_count(m) == 8 && mesh_size_of(m, 1) == 4;
	for (int i = 0; ok && i < 8; i++)
		ok = tess_mesh_device_at(m, i) == i;
	return works_here(c, ok);
}

static bool too_few_slices(torch_case *c)
{
	const tess_mesh *m = tess_spmd_mesh_hybrid(c->ctx, NULL, 0, 1, (int64_t[]){2, 2},
	                                           (int64_t[]){2, 1}, 2, NULL, 0);
	return !m || fails(c, "accepted");
}

/* Slices follow each other along the first dimension; the order inside a slice is the caller's. */
static bool two_slices(torch_case *c)
{
	static const int64_t ids[] = {2, 1, 0, 3, 4, 7, 6, 5};
	const tess_mesh *m = tess_spmd_mesh_hybrid(c->ctx, ids, 8, 2, (int64_t[]){2, 2},
	                                           (int64_t[]){2, 1}, 2, NULL, 0);
	int at = 0;
	bool ok = m != NULL;
	for (const json_value *row = c->result->first; row; row = row->next)
		for (const json_value *v = row->first; v; v = v->next, at++)
			ok = ok && tess_mesh_device_at(m, at) == v->integer;
	return (ok && at == 8) || fails(c, "another mesh");
}

/* Host data may be marked at once, at any time and in no special mode, and read back. */
static bool marked_host_data(torch_case *c)
{
	tess_spmd_tensor *before = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2);
	const tess_mesh *m = grid(c->ctx);
	bool ok = tess_spmd_tensor_mark(before, m, "x, None") == TESS_OK;
	const float *data = tess_spmd_tensor_global(before).data;
	for (int i = 0; i < 16; i++)
		ok = ok && data[i] == (float)i;
	tess_spmd_tensor_free(before);
	return works_here(c, ok);
}

/* A tensor of rank R on a mesh of more dimensions, of which it uses some. */
static bool mark_fewer(torch_case *c, const int64_t *shape, size_t rank, int t_rank,
                       const char *spec, const int64_t *parts)
{
	const tess_mesh *m = torch_mesh(c->ctx, NULL, 0, shape, rank, NULL, 0);
	int64_t dims[] = {8, 8};
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, dims, t_rank);
	bool ok = m && tess_spmd_tensor_mark(t, m, spec) == TESS_OK &&
	          tess_spmd_tensor_kind(t) == TESS_SPMD_PARTIAL;
	for (int i = 0; ok && i < 8; i++) {
		tess_spmd_shard s;
		ok = tess_spmd_tensor_shard(t, i, &s) == TESS_OK;
		for (int d = 0; ok && d < t_rank; d++)
			ok = s.dims[d] == 8 / parts[d] && s.end[d] - s.begin[d] == s.dims[d];
	}
	tess_spmd_tensor_free(t);
	return works_here(c, ok);
}

static bool rank1_on_2d(torch_case *c)
{
	return mark_fewer(c, (int64_t[]){2, 4}, 2, 1, "0", (int64_t[]){2});
}
static bool rank2_on_3d(torch_case *c)
{
	return mark_fewer(c, (int64_t[]){2, 2, 2}, 3, 2, "0, 1", (int64_t[]){2, 2});
}
static bool rank6(torch_case *c)
{
	return mark_fewer(c, (int64_t[]){2, 1, 2, 1, 2, 1}, 6, 2, "0, 2", (int64_t[]){2, 2});
}

static bool negative_id(torch_case *c)
{
	const tess_mesh *m = torch_mesh(c->ctx, (int64_t[]){-1, 0, 1, 2, 3, 4, 5, 6}, 8,
	                                (int64_t[]){2, 4}, 2, NULL, 0);
	return !m || fails(c, "accepted");
}

/* ---- programs with words of their own -------------------------------------------------------- */

static int sine_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                     size_t cap)
{
	(void)env, (void)n, (void)cap;
	return tess_apply(ctx, "lax.sin", in, 1, NULL, out, 1);
}

/* A manual region over the whole mesh; env: how the argument is cut, or NULL. */
static int manual_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                       size_t cap)
{
	tess_params *a = tess_params_new(ctx);
	(void)n, (void)cap;
	if (env)
		tess_params_spec(a, "in_specs", env);
	tess_params_spec(a, "out_specs", env ? env : "_, _");
	void *none = NULL;
	int got = tess_apply_body(ctx, "shard_map", sine_body, &none, 1, in, 1, a, out, 1);
	tess_params_free(a);
	return got;
}

static bool refused_region(torch_case *c, const char *mark, char *cut)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, (int64_t[]){4, 4}, 2), *out = NULL;
	bool ok = !mark || tess_spmd_tensor_mark(t, m, mark) == TESS_OK;
	ok = ok && tess_spmd_run(c->ctx, manual_body, cut, &t, 1, &out, 1) == -1 &&
	     tess_diag_errors(c->ctx) > 0;
	tess_spmd_tensor_free(t);
	return ok || fails(c, "accepted");
}

/* Data is not in a program; nothing says how it is cut; no tensor is marked, so no mesh is known.
 */
static bool manual_outside(torch_case *c)
{
	int64_t n = 8;
	const tess_array_type *type = tess_array_type_make(c->ctx, TESS_F32, &n, 1, NULL);
	float data[8] = {0};
	tess_array *v = tess_array_new(c->ctx, type, data), *out = NULL;
	void *none = NULL;
	bool ok = tess_apply_body(c->ctx, "shard_map", sine_body, &none, 1, &v, 1, NULL, &out, 1) ==
	          -1;
	tess_array_free(v);
	return ok || fails(c, "accepted");
}
static bool manual_uncut(torch_case *c) { return refused_region(c, "x, y", NULL); }
static bool manual_without_mesh(torch_case *c) { return refused_region(c, NULL, (char[]){"0, _"}); }

static int annotated_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                          tess_array **out, size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(ctx, "lax.with_sharding_constraint",
	                     tess_params_spec(tess_params_new(ctx), "sharding", "_, (x,y)"), 1,
	                     in[0]);
	return out[0] ? 1 : -1;
}

static int shard_as_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                         tess_array **out, size_t cap)
{
	tess_array *pair[2] = {in[0], NULL}, *both[2];
	tess_params *a = tess_params_ints(tess_params_new(ctx), "shape", (int64_t[]){4, 4}, 2);
	(void)env, (void)n, (void)cap;
	bool ok = tess_apply(ctx, "jnp.zeros", NULL, 0, a, &pair[1], 1) == 1 &&
	          tess_apply(ctx, "shard_as", pair, 2, NULL, both, 2) == 2;
	tess_params_free(a);
	out[0] = ok ? both[1] : NULL;
	return ok ? 1 : -1;
}

/* The mark of a program's result, run on a tensor that is marked. */
static bool result_mark(torch_case *c, tess_fn_body *body, const int64_t *dims, const char *mark,
                        const char *want)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *t = counting(c->ctx, TESS_F32, dims, 2), *out = NULL;
	bool ok = tess_spmd_tensor_mark(t, m, mark) == TESS_OK;
	if (!ok || tess_spmd_run(c->ctx, body, NULL, &t, 1, &out, 1) != 1)
		ok = fails(c, "the run failed");
	else
		ok = same_text(c, lent(tess_spmd_tensor_sharding(out, TESS_SPMD_FORM_V1)),
		               (tess_str){want, strlen(want)});
	tess_spmd_tensor_free(t);
	tess_spmd_tensor_free(out);
	return ok;
}

static bool annotated_inside(torch_case *c)
{
	char want[200];
	tess_str after = json_text(c->result, "after");
	snprintf(want, sizeof want, "%.*s", (int)after.len, after.ptr);
	return result_mark(c, annotated_body, (int64_t[]){4, 8}, "x, y", want);
}

static bool alike(torch_case *c)
{
	return works_here(c,
	                  result_mark(c, shard_as_body, (int64_t[]){4, 4}, "x, None",
	                              "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"));
}

static const struct {
	const char *id;
	bool (*run)(torch_case *c);
} scenarios[] = {
	{"mesh_1d", one_dimension},         {"mesh_global", mesh_that_is_set},
	{"mesh_err_hybrid_cpu", one_slice}, {"mesh_err_hybrid_dcn_cpu", too_few_slices},
	{"mesh_hybrid_mock", two_slices},   {"err_cpu_tensor", marked_host_data},
	{"err_no_spmd", marked_host_data},  {"err_late_spmd", marked_host_data},
	{"err_tolist", marked_host_data},   {"err_neg_id_mark", negative_id},
	{"loader_rank1_on_2d_mesh", rank1_on_2d}, {"loader_rank2_on_3d_mesh", rank2_on_3d},
	{"rank6_mesh", rank6},              {"err_manual_on_data", manual_outside},
	{"err_full_to_shard_unsharded", manual_uncut}, {"err_enable_manual_no_mesh", manual_without_mesh},
	{"custom_annotation", annotated_inside}, {"err_shard_as_without_jax", alike},
	{"mesh_basic", logical_mesh},       {"rep_then_tile", remarked},
	{"err_reshard", marked_otherwise},  {"clear_returns", unmarked},
	{"clone_inplace_sync", copies_keep_marks}, {"err_local_shards_unannotated", unmarked},
	{"err_type_unannotated", unmarked}, {"err_spec_unannotated", unmarked},
	{"load_local_shards", loaded},      {"from_cpu_shards", loaded},
	{"single_device", one_device},
};

/* ---- propagation ----------------------------------------------------------------------------- */

/* A program of two inputs at most: an operation with one list of numbers, perhaps. */
typedef struct propagation {
	const char *id, *op, *key;
	int64_t numbers[3];
	size_t n_numbers;
	const char *marks[2]; /* NULL: unmarked */
	int64_t dims[2][3];
	int ranks[2], n_in;
	const char *subscripts;
} propagation;

static const propagation programs[] = {
	{"prop_matmul_dp", "jnp.matmul", NULL, {0}, 0, {"x, None", "None, None"}, {{8, 8}, {8, 4}}, {2, 2}, 2, NULL},
	{"prop_matmul_2d", "jnp.matmul", NULL, {0}, 0, {"x, None", "None, y"}, {{8, 8}, {8, 4}}, {2, 2}, 2, NULL},
	{"prop_matmul_k", "jnp.matmul", NULL, {0}, 0, {"None, y", "y, None"}, {{8, 8}, {8, 4}}, {2, 2}, 2, NULL},
	{"prop_add", "jnp.add", NULL, {0}, 0, {"x, y", "None, None"}, {{8, 8}, {8, 8}}, {2, 2}, 2, NULL},
	{"prop_transpose", "jnp.transpose", NULL, {0}, 0, {"x, y"}, {{8, 4}}, {2}, 1, NULL},
	{"prop_reduce", "jnp.sum", "axis", {0}, 1, {"x, y"}, {{8, 8}}, {2}, 1, NULL},
	{"prop_reshape_merge", "lax.reshape", "new_sizes", {32}, 1, {"x, y"}, {{8, 4}}, {2}, 1, NULL},
	{"prop_reshape_split", "lax.reshape", "new_sizes", {4, 4}, 2, {"(x,y)"}, {{16}}, {1}, 1, NULL},
	{"prop_cat", "lax.concatenate", "dimension", {0}, 1, {"x, None", "x, None"}, {{8, 4}, {8, 4}}, {2, 2}, 2, NULL},
	{"prop_unannotated", "jnp.add", NULL, {0}, 0, {NULL, NULL}, {{4, 4}, {4, 4}}, {2, 2}, 2, NULL},
	{"prop_before_sync_empty", "jnp.add", NULL, {0}, 0, {"(x,y), None", NULL}, {{8, 8}, {8, 8}}, {2, 2}, 2, NULL},
	{"linear_flatten", "jnp.einsum", NULL, {0}, 0, {"x, None, y", NULL}, {{8, 4, 8}, {8, 4}}, {3, 2}, 2,
	 "abc,cd->abd"},
};

static int run_propagation_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n,
                                tess_array **out, size_t cap)
{
	const propagation *p = env;
	tess_params *a = tess_params_new(ctx);
	if (p->key)
		tess_params_ints(a, p->key, p->numbers, p->n_numbers);
	if (p->subscripts)
		tess_params_text(a, "subscripts", p->subscripts);
	int got = tess_apply(ctx, p->op, in, n, a, out, cap);
	tess_params_free(a);
	return got;
}

/* What the first result is expected to be after the run. */
static tess_str expected_spec(const json_value *result)
{
	const json_value *after = json_get(result, "after");
	if (after)
		return after->first->text;
	if (result->kind == J_ARRAY)
		return result->first->next->text;
	return json_text(result, "plain");
}

static bool is_difference(tess_str id, tess_str got)
{
	char line[600];
	int n = snprintf(line, sizeof line, "%.*s %.*s", (int)id.len, id.ptr, (int)got.len,
	                 got.ptr);
	return case_differs((tess_str){line, (size_t)n < sizeof line ? (size_t)n : 0});
}

static bool run_propagation(torch_case *c, const propagation *p)
{
	const tess_mesh *m = grid(c->ctx);
	tess_spmd_tensor *in[2], *out = NULL;
	bool ok = true;
	for (int i = 0; i < p->n_in; i++) {
		in[i] = counting(c->ctx, TESS_F32, p->dims[i], p->ranks[i]);
		ok = ok &&
		     (!p->marks[i] || tess_spmd_tensor_mark(in[i], m, p->marks[i]) == TESS_OK);
	}
	ok = ok && tess_spmd_run(c->ctx, run_propagation_body, (void *)(uintptr_t)p, in, p->n_in,
	                         &out, 1) == 1;
	if (!ok)
		fails(c, "the run failed");
	else if (!p->marks[0]) /* nothing was marked: no mesh is known, the result is whole */
		ok = tess_spmd_tensor_kind(out) == TESS_SPMD_UNMARKED &&
		     text_is(expected_spec(c->result), "{replicated}");
	else
		ok = same_text(c, lent(tess_spmd_tensor_sharding(out, TESS_SPMD_FORM_V1)),
		               expected_spec(c->result)) ||
		     is_difference(json_text(c->json, "id"),
		                   lent(tess_spmd_tensor_sharding(out, TESS_SPMD_FORM_V1)));
	for (int i = 0; i < p->n_in; i++)
		tess_spmd_tensor_free(in[i]);
	tess_spmd_tensor_free(out);
	return ok;
}

/* ---- running --------------------------------------------------------------------------------- */

static case_outcome run_call(torch_case *c)
{
	tess_str id = json_text(c->json, "id");
	bool error = json_get(c->json, "error") && json_get(c->json, "error")->kind == J_OBJECT;
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (text_is(id, scenarios[i].id))
			return scenarios[i].run(c) ? CASE_PASSED : CASE_FAILED;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (text_is(id, programs[i].id))
			return run_propagation(c, &programs[i]) ? CASE_PASSED : CASE_FAILED;
	if (strncmp(c->call, "mesh(", 5) == 0)
		return run_mark(c) ? CASE_PASSED : CASE_FAILED;
	if (strncmp(c->call, "xs.Mesh(", 8) == 0)
		return run_mesh_call(c, error) ? CASE_PASSED : CASE_FAILED;
	if (strncmp(c->call, "xs.mark_sharding(t, m, ", 23) == 0)
		return run_mark_call(c) ? CASE_PASSED : CASE_FAILED;
	return CASE_SKIPPED;
}

static case_outcome run_case(const json_value *json)
{
	torch_case c = {
		.ctx = tess_ctx_new(NULL), .json = json, .result = json_get(json, "result")};
	tess_str call = json_text(json, "call"), id = json_text(json, "id");
	snprintf(c.call, sizeof c.call, "%.*s", (int)call.len, call.ptr);
	case_outcome o = run_call(&c);
	if (o == CASE_FAILED)
		printf("%.*s: %s\n  %s\n", (int)id.len, id.ptr, c.call, c.why);
	tess_ctx_free(c.ctx);
	return o;
}

int main(int argc, char **argv) { return cases_main(argc, argv, "group", run_case); }
