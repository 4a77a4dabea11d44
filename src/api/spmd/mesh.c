/* mesh.c - meshes of slices, meshes as text, and the mesh that is set. */
#include "api/spmd/spmd.h"

#include "array/array.h"
#include "hlo/hlo.h"

/* ---- the mesh that is set ------------------------------------------------------------ */

typedef struct set_mesh_call {
	const tess_spmd_mesh *m;
} set_mesh_call;

static tess_status set_marking_body(tess_ctx *ctx, void *arg)
{
	array_state_of(ctx)->marking = ((set_mesh_call *)arg)->m;
	return TESS_OK;
}

void tess_spmd_set_mesh(tess_ctx *ctx, const tess_spmd_mesh *m)
{
	set_mesh_call c = {m};
	if (ctx && (!m || (spmd_mesh_alive(m) && m->ctx == ctx)))
		frame_run(ctx, set_marking_body, &c);
}

const tess_spmd_mesh *tess_spmd_current_mesh(const tess_ctx *ctx)
{
	const array_state *st = ctx ? ctx->slot[SLOT_ARRAY] : NULL;
	return st ? st->marking : NULL;
}

/* ---- slices ----------------------------------------------------------------------------- */

typedef struct hybrid {
	const int64_t *ids, *inner, *outer;
	size_t n_ids, rank;
	int64_t n_slices, shape[SPMD_MAX_RANK], *out;
} hybrid;

/* The device at each place: which slice it is in, and where in the slice. */
static tess_status hybrid_body(tess_ctx *ctx, void *arg)
{
	hybrid *h = arg;
	int64_t within = 1, slices = 1, total;
	for (size_t d = 0; d < h->rank; d++) {
		bool fit = h->inner[d] > 0 && h->outer[d] > 0 &&
		           mul_ok(h->inner[d], h->outer[d], &h->shape[d]) &&
		           mul_ok(within, h->inner[d], &within) &&
		           mul_ok(slices, h->outer[d], &slices);
		if (!fit || !mul_ok(within, slices, &total) || total > INT32_MAX) {
			diag_error(ctx, NOWHERE, E_ARRAY_MESH,
			           "sizes of a mesh are positive, and not too large");
			return TESS_INVALID;
		}
	}
	if (slices != h->n_slices || (h->ids && (int64_t)h->n_ids != within * slices)) {
		diag_error(ctx, NOWHERE, E_ARRAY_MESH,
		           "the outer shape asks for %" PRId64 " slices of %" PRId64
		           " devices; there are %" PRId64 " slices and %zu devices",
		           slices, within, h->n_slices,
		           h->ids ? h->n_ids : (size_t)(within * slices));
		return TESS_INVALID;
	}
	h->out = NEW_N(&ctx->perm, int64_t, within * slices + 1);
	for (int64_t p = 0; p < within * slices; p++) {
		int64_t left = p, slice = 0, at = 0, by_slice = 1, by_device = 1;
		for (size_t d = h->rank; d-- > 0;) {
			int64_t i = left % h->shape[d];
			left /= h->shape[d];
			slice += i / h->inner[d] * by_slice;
			at += i % h->inner[d] * by_device;
			by_slice *= h->outer[d];
			by_device *= h->inner[d];
		}
		h->out[p] = h->ids ? h->ids[slice * within + at] : slice * within + at;
	}
	return TESS_OK;
}

tess_spmd_mesh *tess_spmd_mesh_hybrid(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                      int64_t n_slices, const int64_t *inner, const int64_t *outer,
                                      size_t rank, const char *const *names, size_t n_names)
{
	hybrid h = {.ids = ids,
	            .inner = inner,
	            .outer = outer,
	            .n_ids = n_ids,
	            .rank = rank,
	            .n_slices = n_slices};
	if (!ctx || rank > SPMD_MAX_RANK || (rank && (!inner || !outer)) ||
	    frame_run(ctx, hybrid_body, &h) != TESS_OK)
		return NULL;
	int64_t n = 1;
	for (size_t d = 0; d < rank; d++)
		n *= h.shape[d];
	return tess_spmd_mesh_new(ctx, h.out, (size_t)n, h.shape, rank, names, n_names);
}

/* ---- text ---------------------------------------------------------------------------------- */

typedef struct mesh_text {
	tess_str text;
	const char *at;
	int64_t ids[4096], shape[SPMD_MAX_RANK];
	size_t n_ids, rank, n_names;
	const char *names[SPMD_MAX_RANK];
	bool named;
} mesh_text;

static void put_numbers(writer *w, const int64_t *v, int64_t n, bool tuple)
{
	put_c(w, tuple ? '(' : '[');
	for (int64_t i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? ", " : "", v[i]);
	put_z(w, tuple && n == 1 ? ",)" : tuple ? ")" : "]");
}

static char *marking_text(const tess_spmd_mesh *m)
{
	writer w = text_writer(m->ctx);
	put_lit(&w, "{'device_ids': ");
	put_numbers(&w, m->ids, m->size, false);
	put_lit(&w, ", 'mesh_shape': ");
	put_numbers(&w, m->shape, m->rank, true);
	put_lit(&w, ", 'axis_names': ");
	if (m->rank && m->names[0]) {
		put_c(&w, '(');
		for (int i = 0; i < m->rank; i++)
			put_f(&w, "%s'%s'", i ? ", " : "", m->names[i] ? m->names[i]->s : "");
		put_z(&w, m->rank == 1 ? ",)}" : ")}");
	} else {
		put_lit(&w, "None}");
	}
	return text_give(m->ctx, &w);
}

char *tess_spmd_mesh_print(const tess_spmd_mesh *m)
{
	frame f;
	if (!spmd_mesh_alive(m))
		return NULL;
	if (setjmp(*frame_start(&f, m->ctx)) == 0)
		f.made = marking_text(m);
	return frame_made(&f);
}

static bool text_takes(mesh_text *c, const char *word)
{
	while (*c->at == ' ')
		c->at++;
	size_t n = strlen(word);
	bool there = strncmp(c->at, word, n) == 0;
	c->at += there ? n : 0;
	return there;
}

/* "[0, 1, 2]" or "(2, 4)". */
static bool read_numbers(mesh_text *c, int64_t *out, size_t cap, size_t *n)
{
	if (!text_takes(c, "[") && !text_takes(c, "("))
		return false;
	while (!text_takes(c, "]") && !text_takes(c, ")")) {
		bool minus = text_takes(c, "-");
		int64_t v = 0;
		if (*c->at < '0' || *c->at > '9' || *n == cap)
			return false;
		for (; *c->at >= '0' && *c->at <= '9'; c->at++)
			if (!mul_ok(v, 10, &v) || !add_ok(v, *c->at - '0', &v))
				return false;
		out[(*n)++] = minus ? -v : v;
		text_takes(c, ",");
	}
	return true;
}

static bool read_names(tess_ctx *ctx, mesh_text *c)
{
	if (text_takes(c, "None"))
		return true;
	c->named = true;
	if (!text_takes(c, "("))
		return false;
	while (!text_takes(c, ")")) {
		if (!text_takes(c, "'") || c->n_names == SPMD_MAX_RANK)
			return false;
		size_t n = strcspn(c->at, "'");
		c->names[c->n_names++] = name_of(ctx, (tess_str){c->at, n})->s;
		c->at += n;
		if (!text_takes(c, "'"))
			return false;
		text_takes(c, ",");
	}
	return true;
}

static tess_status mesh_read_body(tess_ctx *ctx, void *arg)
{
	mesh_text *c = arg;
	c->at = arena_printf(&ctx->scratch, "%.*s", STR_ARG(c->text));
	const char *start = c->at;
	bool right = text_takes(c, "{") && text_takes(c, "'device_ids'") && text_takes(c, ":") &&
	             read_numbers(c, c->ids, COUNT(c->ids), &c->n_ids) && text_takes(c, ",") &&
	             text_takes(c, "'mesh_shape'") && text_takes(c, ":") &&
	             read_numbers(c, c->shape, SPMD_MAX_RANK, &c->rank) && text_takes(c, ",") &&
	             text_takes(c, "'axis_names'") && text_takes(c, ":") && read_names(ctx, c) &&
	             text_takes(c, "}");
	if (right)
		return TESS_OK;
	diag_error(
		ctx, NOWHERE, E_ARRAY_MESH,
		"a mesh is {'device_ids': […], 'mesh_shape': (…), 'axis_names': (…)}; something else stands at "
		"character %d",
		(int)(c->at - start));
	return TESS_INVALID;
}

tess_spmd_mesh *tess_spmd_mesh_parse(tess_ctx *ctx, tess_str text)
{
	mesh_text *c = ctx && text.ptr ? ctx_realloc(ctx, NULL, sizeof *c) : NULL;
	tess_spmd_mesh *m = NULL;
	if (!c)
		return NULL;
	*c = (mesh_text){.text = text};
	if (frame_run(ctx, mesh_read_body, c) == TESS_OK)
		m = tess_spmd_mesh_new(ctx, c->ids, c->n_ids, c->shape, c->rank,
		                       c->named ? c->names : NULL, c->n_names);
	ctx_realloc(ctx, c, 0);
	return m;
}
