/* params.c - builds the parameters of an operation. */
#include <tessera/array.h>

#include "api/array/fn.h"

tess_params *tess_params_new(tess_ctx *ctx)
{
	tess_params *a = ctx ? ctx_realloc(ctx, NULL, sizeof *a) : NULL;
	if (!a)
		return NULL;
	*a = (tess_params){.ctx = ctx, .mark = HANDLE_ALIVE};
	arena_init(&a->mem, ctx);
	return a;
}

static void attrs_drop(tess_ctx *ctx, void *handle)
{
	tess_params *a = handle;
	arena_free(&a->mem);
	ctx_realloc(ctx, a, 0);
}

void tess_params_free(tess_params *a)
{
	if (a)
		handle_free(a->ctx, a, &a->mark, "a list of attributes", attrs_drop);
}

bool array_attrs_here(tess_ctx *ctx, const tess_params *a)
{
	return !a || (ctx && handle_alive(ctx, a->mark, "a list of attributes") &&
	              array_usage(ctx, a->ctx == ctx, "the attributes belong to another context"));
}

typedef struct param_call {
	tess_params *a;
	param one;
	const char *const *texts;
	const int64_t *ints;
	const mesh *mesh;
} param_call;

static tess_status attr_body(tess_ctx *ctx, void *arg)
{
	param_call *c = arg;
	arena *mem = &c->a->mem;
	if (c->one.kind == PK_INTS)
		c->one.ints = c->one.n ? COPY_N(mem, c->ints, c->one.n) : NULL;
	if (c->one.kind == PK_TEXT)
		c->one.text = arena_str(mem, c->one.text);
	if (c->one.kind == PK_SPECS) {
		const pspec **specs = NEW_N(mem, const pspec *, c->one.n + 1);
		for (int i = 0; i < c->one.n; i++)
			if (!c->texts[i] || !(specs[i] = pspec_parse(ctx, str_of(c->texts[i]))))
				return TESS_INVALID;
		c->one.specs = specs;
	}
	if (c->one.kind == PK_MESH && !(c->one.mesh = array_mesh_of(ctx, c->mesh)))
		return TESS_INVALID;
	params_set(mem, &c->a->list, c->one);
	return TESS_OK;
}

static tess_params *attr_put(tess_params *a, param_call c)
{
	c.a = a;
	return a && handle_alive(a->ctx, a->mark, "a list of attributes") && c.one.key &&
	                       array_run(a->ctx, attr_body, &c) == TESS_OK
	               ? a
	               : NULL;
}

tess_params *tess_params_ints(tess_params *a, const char *key, const int64_t *v, size_t n)
{
	return n <= INT32_MAX && (v || !n)
	               ? attr_put(a, (param_call){.one = {.key = key, .kind = PK_INTS, .n = (int)n},
	                                         .ints = v})
	               : NULL;
}

tess_params *tess_params_int(tess_params *a, const char *key, int64_t v)
{
	return tess_params_ints(a, key, &v, 1);
}

tess_params *tess_params_number(tess_params *a, const char *key, double v)
{
	return attr_put(a,
	                (param_call){.one = {.key = key, .kind = PK_NUMBER, .n = 1, .number = v}});
}

tess_params *tess_params_text(tess_params *a, const char *key, const char *v)
{
	return v ? attr_put(
			   a,
			   (param_call){
				   .one = {.key = key, .kind = PK_TEXT, .n = 1, .text = str_of(v)}})
	         : NULL;
}

tess_params *tess_params_dtype(tess_params *a, const char *key, tess_dtype v)
{
	if (!a || !array_usage(a->ctx, v > 0 && (int)v < DT_COUNT, "there is no such element type"))
		return NULL;
	return attr_put(
		a, (param_call){.one = {.key = key, .kind = PK_DTYPE, .n = 1, .dtype = (dtype)v}});
}

tess_params *tess_params_specs(tess_params *a, const char *key, const char *const *v, size_t n)
{
	return n <= INT32_MAX && (v || !n)
	               ? attr_put(a, (param_call){.one = {.key = key, .kind = PK_SPECS, .n = (int)n},
	                                         .texts = v})
	               : NULL;
}

tess_params *tess_params_spec(tess_params *a, const char *key, const char *v)
{
	return tess_params_specs(a, key, &v, 1);
}

tess_params *tess_params_mesh(tess_params *a, const char *key, const tess_mesh *v)
{
	if (!a || !array_mesh_here(a->ctx, v))
		return NULL;
	return attr_put(a, (param_call){.one = {.key = key, .kind = PK_MESH, .n = 1}, .mesh = v});
}
