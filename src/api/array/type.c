/* type.c - partition specs and array types. */
#include <tessera/array.h>

#include "api/array/fn.h"

_Static_assert((int)TESS_ARRAY_TYPE_FORM_SHORT == (int)TYPE_SHORT, "tess_array_type_form differs");

typedef struct array_type_call {
	tess_str text;
	const mesh *mesh;
	const atype *type;
	const int64_t *dims;
	const char *spec;
	dtype dtype;
	int rank;
} array_type_call;

static char *spec_text(tess_ctx *ctx, const char *spec)
{
	const pspec *s = pspec_parse(ctx, str_of(spec));
	if (!s)
		return NULL;
	writer w = text_writer(ctx);
	put_pspec(&w, s);
	return text_give(ctx, &w);
}

char *tess_spec_print(tess_ctx *ctx, const char *spec)
{
	frame f;
	if (!array_usage(ctx, spec, "the spec is missing"))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = spec_text(ctx, spec);
	return frame_made(&f);
}

static tess_status spec_check_body(tess_ctx *ctx, void *arg)
{
	array_type_call *c = arg;
	const pspec *s = pspec_parse(ctx, c->text);
	const amesh *m = array_mesh_of(ctx, c->mesh);
	aspec bound;
	return s && m && aspec_bind(ctx, m, s, &bound) ? TESS_OK : TESS_INVALID;
}

tess_status tess_spec_check(tess_ctx *ctx, const tess_mesh *mesh, const char *spec)
{
	if (!array_usage(ctx, spec, "the spec is missing") || !array_mesh_here(ctx, mesh))
		return TESS_USAGE;
	array_type_call c = {.text = str_of(spec), .mesh = mesh};
	return array_run(ctx, spec_check_body, &c);
}

static tess_status type_make_body(tess_ctx *ctx, void *arg)
{
	array_type_call *c = arg;
	atype t = {.dtype = c->dtype, .rank = c->rank, .mesh = array_state_of(ctx)->mesh};
	int64_t total = 1;
	for (int d = 0; d < c->rank; d++) {
		t.dim[d] = c->dims[d];
		if (t.dim[d] < 0 || !mul_ok(total, t.dim[d], &total)) {
			diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
			           "a dimension is negative, or there are too many elements");
			return TESS_INVALID;
		}
	}
	const pspec *s = c->spec ? pspec_parse(ctx, str_of(c->spec)) : NULL;
	if (c->spec && (!s || !atype_shard(ctx, &t, s, "a type")))
		return TESS_INVALID;
	c->type = atype_intern(ctx, &t);
	return TESS_OK;
}

const tess_array_type *tess_array_type_make(tess_ctx *ctx, tess_dtype t, const int64_t *dims,
                                            int rank, const char *spec)
{
	array_type_call c = {.dims = dims, .rank = rank, .spec = spec, .dtype = (dtype)t};
	bool right = rank >= 0 && rank <= ARRAY_MAX_RANK && (dims || !rank) && t > 0 &&
	             (int)t < DT_COUNT;
	return array_usage(ctx, right, "a type needs an element type, and at most 16 dimensions") &&
	                       array_run(ctx, type_make_body, &c) == TESS_OK
	               ? c.type
	               : NULL;
}

static tess_status type_parse_body(tess_ctx *ctx, void *arg)
{
	array_type_call *c = arg;
	const amesh *m = c->mesh ? array_mesh_of(ctx, c->mesh) : array_state_of(ctx)->mesh;
	c->type = !c->mesh || m ? atype_parse(ctx, c->text, m) : NULL;
	return c->type ? TESS_OK : TESS_INVALID;
}

const tess_array_type *tess_array_type_parse(tess_ctx *ctx, tess_str text, const tess_mesh *mesh)
{
	array_type_call c = {.text = text, .mesh = mesh};
	return array_usage(ctx, text.ptr, "the text is missing") && (!mesh || array_mesh_here(ctx, mesh)) &&
	                       array_run(ctx, type_parse_body, &c) == TESS_OK
	               ? c.type
	               : NULL;
}

static char *array_type_text(tess_ctx *ctx, const atype *t, tess_array_type_form form)
{
	writer w = text_writer(ctx);
	put_atype(&w, t, (int)form);
	return text_give(ctx, &w);
}

char *tess_array_type_print(tess_ctx *ctx, const tess_array_type *type, tess_array_type_form form)
{
	frame f;
	if (!array_type_here(ctx, type))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = array_type_text(ctx, type, form);
	return frame_made(&f);
}

tess_dtype tess_array_type_dtype(const tess_array_type *type)
{
	return type ? (tess_dtype)(type)->dtype : TESS_NO_DTYPE;
}

int tess_array_type_rank(const tess_array_type *type) { return type ? (type)->rank : 0; }

int64_t tess_array_type_dim(const tess_array_type *type, int dim)
{
	const atype *t = type;
	return t && dim >= 0 && dim < t->rank ? t->dim[dim] : -1;
}
