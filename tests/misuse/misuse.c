/* misuse.c - each function of the array headers, called right once, and with each argument wrong:
 * NULL, freed, of another context, negative, ….  What is wrong must be refused, and the context
 * must be usable after it; sanitizers look for the rest.  The calls are made from the headers by
 * generate.py; freed handles are known as such in debug builds only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/array.h>
#include <tessera/spmd.h>

/* One of everything, right and wrong; `other`: the same in another context. */
typedef struct scene scene;
struct scene {
	tess_ctx *ctx;
	const tess_mesh *mesh;
	const tess_array_type *type, *types[1], *no_types[1], *type_out[1];
	tess_params *attrs, *freed_attrs;
	tess_array *array, *freed_array, *arrays[1], *no_arrays[1], *freed_arrays[1], *array_out[1];
	tess_fn *fn, *freed_fn;
	const tess_mesh *spmd;
	tess_spmd_tensor *tensor, *freed_tensor, *tensors[1], *no_tensors[1], *freed_tensors[1];
	tess_spmd_tensor *tensor_out[1];
	tess_spmd_shard shard;
	tess_tensor plain;
	struct DLManagedTensorVersioned *dlpack;
	const void *shards[8], *no_shards[8];
	float data[32];
	int64_t dims[2], axes[2], ones[2], ids[8];
	const char *names[2], *specs[2], *no_names[2];
	tess_mesh_axis mesh_axes[2];
	size_t sizes[8];
	void *env[1];
	scene *other;
};

#define STR(text) ((tess_str){text, sizeof(text) - 1})

#define WRONG_POINTER(call) fine = (call) == NULL
#define WRONG_NUMBER(call) fine = (call) <= 0
#define WRONG_STATUS(call) fine = (call) != TESS_OK
#define WRONG_TEXT(call) fine = (call).len == 0
#define WRONG_BOOL(call) fine = !(call)
#define WRONG_STRING(call) fine = !*(call)
#define WRONG_NOTHING(call) ((call), fine = true)

#define RIGHT_POINTER(call) fine = (call) != NULL
#define RIGHT_NUMBER(call) fine = (call) > 0
#define RIGHT_STATUS(call) fine = (call) == TESS_OK
#define RIGHT_TEXT(call) fine = (call).len > 0
#define RIGHT_BOOL(call) fine = (call)
#define RIGHT_STRING(call) fine = *(call)
#define RIGHT_NOTHING(call) ((call), fine = true)

/* Handles that are given away. */
#define RIGHT_GIVEN(type, call, release)                                                           \
	do {                                                                                       \
		type *given = (call);                                                              \
		fine = given != NULL;                                                              \
		release(given);                                                                    \
	} while (0)
#define RIGHT_TESS_PARAMS(call)      RIGHT_GIVEN(tess_params, call, tess_params_free)
#define RIGHT_TESS_ARRAY(call) RIGHT_GIVEN(tess_array, call, tess_array_free)
#define RIGHT_TESS_FN(call)          RIGHT_GIVEN(tess_fn, call, tess_fn_free)
#define RIGHT_TESS_SPMD_TENSOR(call) RIGHT_GIVEN(tess_spmd_tensor, call, tess_spmd_tensor_free)
#define RIGHT_CHAR(call)             RIGHT_GIVEN(char, call, tess_text_free)
#define RIGHT_DLMANAGEDTENSORVERSIONED(call)                                                       \
	RIGHT_GIVEN(struct DLManagedTensorVersioned, call, release_dlpack)

/* DLPack's own structure, for its deleter. */
static void release_dlpack(struct DLManagedTensorVersioned *t)
{
	struct {
		uint32_t major, minor;
		void *manager;
		void (*deleter)(struct DLManagedTensorVersioned *);
	} *own = (void *)t;
	if (own)
		own->deleter(t);
}

static int misuse_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n, tess_array **out,
                       size_t cap)
{
	(void)env, (void)n, (void)cap;
	out[0] = tess_apply1(ctx, "lax.sin", NULL, 1, in[0]);
	return out[0] ? 1 : -1;
}

static bool misuse_fill(void *env, const int64_t *begin, const int64_t *end, void *data,
                        const int64_t *strides)
{
	(void)env, (void)end, (void)strides;
	*(float *)data = (float)begin[0];
	return true;
}

#include "misuse_calls.h"

static void set_numbers(scene *s)
{
	s->dims[0] = 8;
	s->dims[1] = s->axes[0] = 4;
	s->axes[1] = 2;
	s->ones[0] = s->ones[1] = 1;
	s->names[0] = s->specs[0] = "x";
	s->names[1] = s->specs[1] = "y";
	for (int i = 0; i < 8; i++) {
		s->ids[i] = 7 - i;
		s->shards[i] = s->data;
		s->sizes[i] = 32;
	}
}

static void set_arrays(scene *s)
{
	const char *names[] = {"X", "Y"};
	for (int i = 0; i < 2; i++)
		s->mesh_axes[i] = (tess_mesh_axis){tess_str_of(names[i]), s->axes[i],
		                                   TESS_AXIS_EXPLICIT};
	s->mesh = tess_mesh_make(s->ctx, s->mesh_axes, 2, NULL, 0);
	tess_array_set_mesh(s->ctx, s->mesh);
	s->type = s->types[0] = tess_array_type_make(s->ctx, TESS_F32, s->dims, 2, "X, _");
	s->attrs = tess_params_new(s->ctx);
	s->freed_attrs = tess_params_new(s->ctx);
	s->array = s->arrays[0] = tess_array_new(s->ctx, s->type, s->data);
	s->freed_array = s->freed_arrays[0] = tess_array_new(s->ctx, s->type, s->data);
	s->fn = tess_fn_trace(s->ctx, misuse_body, NULL, s->types, 1);
	s->freed_fn = tess_fn_trace(s->ctx, misuse_body, NULL, s->types, 1);
	s->dlpack = tess_array_to_dlpack(s->ctx, s->array);
	tess_params_free(s->freed_attrs);
	tess_array_free(s->freed_array);
	tess_fn_free(s->freed_fn);
}

static void set_tensors(scene *s)
{
	for (int i = 0; i < 2; i++)
		s->mesh_axes[i] = (tess_mesh_axis){tess_str_of(s->names[i]), s->axes[i],
		                                   TESS_AXIS_AUTO};
	s->spmd = tess_mesh_make(s->ctx, s->mesh_axes, 2, NULL, 0);
	s->tensor = s->tensors[0] = tess_spmd_tensor_new(s->ctx, TESS_F32, s->dims, 2, s->data);
	s->freed_tensor = tess_spmd_tensor_new(s->ctx, TESS_F32, s->dims, 2, s->data);
	s->freed_tensors[0] = s->freed_tensor;
	tess_spmd_tensor_mark(s->tensor, s->spmd, "x, None");
	s->plain = tess_spmd_tensor_global(s->tensor);
	tess_spmd_tensor_free(s->freed_tensor);
}

static scene *scene_new(scene *other)
{
	scene *s = calloc(1, sizeof *s);
	if (!s)
		exit(1);
	s->other = other;
	s->ctx = tess_ctx_new(NULL);
	set_numbers(s);
	set_arrays(s);
	set_tensors(s);
	return s;
}

static void scene_free(scene *s)
{
	release_dlpack(s->dlpack);
	tess_params_free(s->attrs);
	tess_array_free(s->array);
	tess_array_free(s->array_out[0]);
	tess_fn_free(s->fn);
	tess_spmd_tensor_free(s->tensor);
	tess_spmd_tensor_free(s->tensor_out[0]);
	tess_ctx_free(s->ctx);
	free(s);
}

/* The mesh may have been replaced by the call. */
static bool still_works(scene *s)
{
	tess_array_set_mesh(s->ctx, s->mesh);
	tess_array *v = tess_apply1(s->ctx, "lax.sin", NULL, 1, s->array);
	tess_array_free(v);
	return v != NULL;
}

int main(void)
{
	int n = (int)(sizeof misuse_names / sizeof *misuse_names), failed = 0, ran = 0;
	for (int i = 0; i < n; i++) {
#ifdef NDEBUG
		if (strstr(misuse_names[i], "freed"))
			continue;
#endif
		scene *other = scene_new(NULL), *s = scene_new(other);
		bool fine = misuse_call(s, i), works = still_works(s);
		if (!fine || !works)
			printf("%s: %s\n", misuse_names[i],
			       fine ? "the context is of no use after it" : "not as it should be");
		failed += !fine || !works;
		ran++;
		scene_free(s);
		scene_free(other);
	}
	printf("%d calls, %d failed\n", ran, failed);
	return failed != 0;
}
