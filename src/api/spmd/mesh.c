/* mesh.c - hybrid meshes of slices, and meshes in torch_xla's text form. */
#include "api/spmd/spmd.h"

#include "array/array.h"
#include "hlo/hlo.h"

/* Creates a mesh from its parts; `names` NULL: axes are numbered. */
static const tess_mesh *mesh_of_shape(tess_ctx *ctx, const int64_t *shape, int rank,
                                      const char *const *names, const int64_t *ids, size_t n_ids)
{
	tess_mesh_axis axes[ARRAY_MAX_RANK];
	for (int i = 0; i < rank; i++) {
		bool named = names && names[i];
		axes[i] = (tess_mesh_axis){named ? str_of(names[i]) : (tess_str){0}, shape[i],
		                           TESS_AXIS_AUTO};
	}
	return tess_mesh_make(ctx, axes, (size_t)rank, ids, n_ids);
}

/* ---- slices ----------------------------------------------------------------------------- */

typedef struct hybrid {
	const int64_t *ids, *inner, *outer;
	size_t n_ids;
	int rank;
	int64_t n_slices, shape[ARRAY_MAX_RANK], *out;
} hybrid;

/* Computes the device at each position, from its slice and its position in the slice. */
static tess_status hybrid_body(tess_ctx *ctx, void *arg)
{
	hybrid *h = arg;
	int64_t within = 1, slices = 1, total;
	for (int d = 0; d < h->rank; d++) {
		bool fit = h->inner[d] > 0 && h->outer[d] > 0 &&
		           mul_ok(h->inner[d], h->outer[d], &h->shape[d]) &&
		           mul_ok(within, h->inner[d], &within) &&
		           mul_ok(slices, h->outer[d], &slices);
		if (!fit || !mul_ok(within, slices, &total) || total > INT32_MAX) {
			diag_error(ctx, NOWHERE, E_ARRAY_MESH,
			           "the sizes of the mesh must be positive, and not too large");
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
		for (int d = h->rank; d-- > 0;) {
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

const tess_mesh *tess_spmd_mesh_hybrid(tess_ctx *ctx, const int64_t *ids, size_t n_ids,
                                       int64_t n_slices, const int64_t *inner, const int64_t *outer,
                                       int rank, const char *const *names, size_t n_names)
{
	hybrid h = {.ids = ids,
	            .inner = inner,
	            .outer = outer,
	            .n_ids = n_ids,
	            .rank = rank,
	            .n_slices = n_slices};
	if (!ctx || rank < 0 || rank > ARRAY_MAX_RANK || (rank && (!inner || !outer)) ||
	    (names && n_names != (size_t)rank) || frame_run(ctx, hybrid_body, &h) != TESS_OK)
		return NULL;
	int64_t n = 1;
	for (int d = 0; d < rank; d++)
		n *= h.shape[d];
	return mesh_of_shape(ctx, h.shape, rank, names, h.out, (size_t)n);
}

/* ---- text ---------------------------------------------------------------------------------- */

typedef struct mesh_text {
	tess_str text;
	const char *at;
	int64_t ids[4096], shape[ARRAY_MAX_RANK];
	size_t n_ids, rank, n_names;
	const char *names[ARRAY_MAX_RANK];
	bool named;
} mesh_text;

/* True if every axis is named by its number, since it had no name. */
static bool is_numbered(const mesh *m)
{
	char number[16];
	for (int i = 0; i < m->n_axes; i++) {
		snprintf(number, sizeof number, "%d", i);
		if (strcmp(m->axes[i].name->s, number) != 0)
			return false;
	}
	return true;
}

static char *marking_text(tess_ctx *ctx, const mesh *m)
{
	const char *end = m->n_axes == 1 ? ",)" : ")";
	writer w = text_writer(ctx);
	put_lit(&w, "{'device_ids': [");
	for (int64_t i = 0; i < m->n_devices; i++)
		put_f(&w, "%s%" PRId64, i ? ", " : "", mesh_device_at(m, i));
	put_lit(&w, "], 'mesh_shape': (");
	for (int i = 0; i < m->n_axes; i++)
		put_f(&w, "%s%" PRId64, i ? ", " : "", m->axes[i].size);
	put_f(&w, "%s, 'axis_names': ", end);
	if (is_numbered(m)) {
		put_lit(&w, "None}");
		return text_give(ctx, &w);
	}
	put_c(&w, '(');
	for (int i = 0; i < m->n_axes; i++)
		put_f(&w, "%s'%s'", i ? ", " : "", m->axes[i].name->s);
	put_f(&w, "%s}", end);
	return text_give(ctx, &w);
}

char *tess_spmd_mesh_print(tess_ctx *ctx, const tess_mesh *m)
{
	frame f;
	if (!ctx || !m || m->ctx != ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = marking_text(ctx, m);
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
		if (!text_takes(c, "'") || c->n_names == ARRAY_MAX_RANK)
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
	             read_numbers(c, c->shape, ARRAY_MAX_RANK, &c->rank) && text_takes(c, ",") &&
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

static const tess_mesh *mesh_as_read(tess_ctx *ctx, const mesh_text *c)
{
	if (!c->named || c->n_names == c->rank)
		return mesh_of_shape(ctx, c->shape, (int)c->rank, c->named ? c->names : NULL,
		                     c->ids, c->n_ids);
	diag_error(ctx, NOWHERE, E_ARRAY_MESH,
	           "number of axis names (%zu) must match mesh dimensions (%zu)", c->n_names,
	           c->rank);
	return NULL;
}

const tess_mesh *tess_spmd_mesh_parse(tess_ctx *ctx, tess_str text)
{
	mesh_text *c = ctx && text.ptr ? ctx_realloc(ctx, NULL, sizeof *c) : NULL;
	const tess_mesh *m = NULL;
	if (!c)
		return NULL;
	*c = (mesh_text){.text = text};
	if (frame_run(ctx, mesh_read_body, c) == TESS_OK)
		m = mesh_as_read(ctx, c);
	ctx_realloc(ctx, c, 0);
	return m;
}
