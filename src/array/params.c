/* params.c - the parameters of an operation: a short list of keys and values. */
#include "array/array.h"

const param *param_find(const params *a, const char *key)
{
	for (int i = 0; a && i < a->list.len; i++)
		if (strcmp(a->list.ptr[i].key, key) == 0)
			return &a->list.ptr[i];
	return NULL;
}

bool param_has(const params *a, const char *key) { return param_find(a, key) != NULL; }

int64_t param_int(const params *a, const char *key, int64_t otherwise)
{
	const param *t = param_find(a, key);
	return t && t->kind == PK_INTS && t->n >= 1 ? t->ints[0] : otherwise;
}

double param_number(const params *a, const char *key, double otherwise)
{
	const param *t = param_find(a, key);
	return t && t->kind == PK_NUMBER          ? t->number
	       : t && t->kind == PK_INTS && t->n ? (double)t->ints[0]
	                                          : otherwise;
}

int param_ints(const params *a, const char *key, const int64_t **out)
{
	const param *t = param_find(a, key);
	if (!t || t->kind != PK_INTS)
		return -1;
	*out = t->ints;
	return t->n;
}

const pspec *param_spec(const params *a, const char *key)
{
	const param *t = param_find(a, key);
	return t && t->n == 1 && t->kind == PK_SPECS ? t->specs[0] : NULL;
}

const pspec *param_spec_at(const params *a, const char *key, int i)
{
	const param *t = param_find(a, key);
	if (!t || t->kind != PK_SPECS || (t->n > 1 && i >= t->n))
		return NULL;
	return t->n == 1 ? t->specs[0] : t->n ? t->specs[i] : NULL;
}

const amesh *param_mesh(const params *a, const char *key, const amesh *otherwise)
{
	const param *t = param_find(a, key);
	return t && t->kind == PK_MESH ? t->mesh : otherwise;
}

tess_str param_text(const params *a, const char *key)
{
	const param *t = param_find(a, key);
	return t && t->kind == PK_TEXT ? t->text : (tess_str){"", 0};
}

dtype param_dtype(const params *a, const char *key, dtype otherwise)
{
	const param *t = param_find(a, key);
	return t && t->kind == PK_DTYPE ? t->dtype : otherwise;
}

void params_set(arena *mem, params *a, param one)
{
	for (int i = 0; i < a->list.len; i++)
		if (strcmp(a->list.ptr[i].key, one.key) == 0) {
			a->list.ptr[i] = one;
			return;
		}
	vec_push(mem, &a->list, one);
}

params *params_copy(arena *mem, const params *a)
{
	params *out = NEW(mem, params);
	for (int i = 0; a && i < a->list.len; i++) {
		param one = a->list.ptr[i];
		if (one.kind == PK_INTS && one.n)
			one.ints = COPY_N(mem, one.ints, one.n);
		if (one.kind == PK_TEXT)
			one.text = arena_str(mem, one.text);
		if (one.kind == PK_SPECS && one.n)
			one.specs = COPY_N(mem, one.specs, one.n);
		vec_push(mem, &out->list, one);
	}
	return out;
}

void params_set_ints(arena *mem, params *a, const char *key, const int64_t *v, int n)
{
	params_set(mem, a, (param){.key = key, .kind = PK_INTS, .n = n,
	                               .ints = n ? COPY_N(mem, v, n) : NULL});
}
