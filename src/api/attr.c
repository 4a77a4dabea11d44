/* attr.c - the public side of attributes. */
#include "api/frame.h"
#include "ir/ir.h"
#include "mlir/mlir.h"
#include <tessera/attr.h>

#include <math.h>

/* One of these makes the whole call. */
typedef struct attr_call {
	tess_str text, printed;
	const type *type;
	const attr *attr;
	attr key; /* what to intern */
	const void *a, *b;
	size_t n;
	dtype dtype;
} attr_call;

static const tess_attr *attr_made(tess_ctx *ctx, frame_fn *body, attr_call *c)
{
	return frame_run(ctx, body, c) == TESS_OK ? c->attr : NULL;
}

/* ---- text ------------------------------------------------------------------------- */

/* Diagnostics keep what they need of the source, so it may go with the call. */
static tess_status parse_attr_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	source src = {.name = "", .text = arena_str(&ctx->scratch, c->text), .first_line = 1};
	c->attr = mlir_parse_attr(ctx, &src);
	return TESS_OK;
}

static tess_status print_attr_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	mlir_print_attr(&w, ctx, c->attr);
	c->printed = writer_str(&w);
	return TESS_OK;
}

const tess_attr *tess_attr_parse(tess_ctx *ctx, tess_str text)
{
	return attr_made(ctx, parse_attr_body, &(attr_call){.text = text});
}

tess_str tess_attr_print(tess_ctx *ctx, const tess_attr *a)
{
	attr_call c = {.attr = a};
	return frame_run(ctx, print_attr_body, &c) == TESS_OK ? c.printed : STR("");
}

/* ---- attributes made ------------------------------------------------------------------- */

/* Interns c->key, once its parts are. */
static tess_status key_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	if (c->dtype)
		c->key.type = type_scalar(ctx, c->dtype);
	if (c->text.ptr)
		c->key.text = name_of(ctx, c->text);
	c->attr = attr_of(ctx, &c->key);
	return TESS_OK;
}

const tess_attr *tess_attr_unit(tess_ctx *ctx)
{
	return attr_made(ctx, key_body, &(attr_call){.key.kind = AT_UNIT});
}

const tess_attr *tess_attr_bool(tess_ctx *ctx, bool v)
{
	return attr_made(ctx, key_body,
	                 &(attr_call){.key = {.kind = AT_BOOL, .i = v}, .dtype = DT_I1});
}

static tess_status int_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	const type *t = tess_type_parse(ctx, c->text);
	c->attr = attr_int(ctx, c->key.i, t);
	return t ? TESS_OK : TESS_NOMEM;
}

const tess_attr *tess_attr_int(tess_ctx *ctx, int64_t v, int bits)
{
	char word[16];
	if (bits == 1)
		return tess_attr_bool(ctx, v != 0);
	if (bits < 1 || bits > 64 || (bits < 64 && (v >> bits) != 0 && (v >> (bits - 1)) != -1))
		return NULL;
	snprintf(word, sizeof word, "i%d", bits);
	return attr_made(ctx, int_body, &(attr_call){.key.i = v, .text = str_of(word)});
}

const tess_attr *tess_attr_float(tess_ctx *ctx, double v, tess_dtype t)
{
	if (t != TESS_F32 && t != TESS_F64)
		return NULL;
	dtype d = (dtype)t;
	attr key = {.kind = AT_FLOAT,
	            .f = d == DT_F32 ? (double)(float)v : v,
	            .bits = float_bits(v, d)};
	return attr_made(ctx, key_body, &(attr_call){.key = key, .dtype = d});
}

const tess_attr *tess_attr_string(tess_ctx *ctx, tess_str text)
{
	attr_call c = {.key.kind = AT_STRING, .text = text.ptr ? text : STR("")};
	return attr_made(ctx, key_body, &c);
}

const tess_attr *tess_attr_symbol(tess_ctx *ctx, const char *name)
{
	return attr_made(ctx, key_body, &(attr_call){.key.kind = AT_SYMBOL, .text = str_of(name)});
}

const tess_attr *tess_attr_type(tess_ctx *ctx, const tess_type *t)
{
	attr key = {.kind = AT_TYPE, .type = t};
	return t ? attr_made(ctx, key_body, &(attr_call){.key = key}) : NULL;
}

const tess_attr *tess_attr_array(tess_ctx *ctx, const tess_attr *const *items, size_t n)
{
	if (!all_there((const void *const *)items, n))
		return NULL;
	attr key = {.kind = AT_ARRAY, .list = items, .n = (int)n};
	return attr_made(ctx, key_body, &(attr_call){.key = key});
}

static tess_status dict_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	const char *const *keys = c->a;
	const name **names = NEW_N(&ctx->scratch, const name *, c->n);
	for (size_t i = 0; i < c->n; i++)
		names[i] = name_of_z(ctx, keys[i]);
	c->attr = attr_dict(ctx, names, c->b, (int)c->n);
	return TESS_OK;
}

const tess_attr *tess_attr_dict(tess_ctx *ctx, const char *const *keys,
                                const tess_attr *const *items, size_t n)
{
	if (!all_there((const void *const *)items, n) || !all_there((const void *const *)keys, n))
		return NULL;
	return attr_made(ctx, dict_body, &(attr_call){.a = keys, .b = items, .n = n});
}

static tess_status numbers_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	c->attr = attr_i64_array(ctx, c->a, (int)c->n);
	return TESS_OK;
}

const tess_attr *tess_attr_numbers(tess_ctx *ctx, const int64_t *v, size_t n)
{
	return n > INT32_MAX ? NULL : attr_made(ctx, numbers_body, &(attr_call){.a = v, .n = n});
}

static tess_status elements_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	bool splat = (int64_t)c->n != type_bytes(c->type) || c->type->n_elems == 1;
	c->attr = attr_dense(ctx, c->type, c->a, c->n, splat);
	return TESS_OK;
}

const tess_attr *tess_attr_elements(tess_ctx *ctx, const tess_type *t, const void *data,
                                    size_t bytes)
{
	const type *inner = t;
	if (!t || !type_is_tensor(inner) || !inner->dtype || type_bytes(inner) < 0 || !data ||
	    ((int64_t)bytes != type_bytes(inner) && bytes != (size_t)dtype_bytes(inner->dtype)))
		return NULL;
	return attr_made(ctx, elements_body, &(attr_call){.type = inner, .a = data, .n = bytes});
}

const tess_attr *tess_attr_mesh(tess_ctx *ctx, const tess_mesh *m)
{
	attr key = {.kind = AT_MESH, .mesh = m};
	return m ? attr_made(ctx, key_body, &(attr_call){.key = key}) : NULL;
}

const tess_attr *tess_attr_sharding(tess_ctx *ctx, const tess_sharding *s)
{
	attr key = {.kind = AT_SHARDING, .sharding = s};
	return s ? attr_made(ctx, key_body, &(attr_call){.key = key}) : NULL;
}

const tess_attr *tess_attr_location(tess_ctx *ctx, const char *file, uint32_t line, uint32_t col)
{
	if (!line)
		return attr_made(ctx, key_body, &(attr_call){.key.kind = AT_LOC_UNKNOWN});
	int64_t ints[4] = {line, col, 0, 0};
	attr key = {.kind = AT_LOC_FILE, .ints = ints, .n_ints = 4};
	return attr_made(ctx, key_body, &(attr_call){.key = key, .text = str_of(file)});
}

/* ---- attributes asked --------------------------------------------------------------------- */

tess_attr_kind tess_attr_kind_of(const tess_attr *a)
{
	switch (a->kind) {
	case AT_UNIT: return TESS_ATTR_UNIT;
	case AT_BOOL: return TESS_ATTR_BOOL;
	case AT_INT: return TESS_ATTR_INT;
	case AT_FLOAT: return TESS_ATTR_FLOAT;
	case AT_STRING: return TESS_ATTR_STRING;
	case AT_TYPE: return TESS_ATTR_TYPE;
	case AT_ARRAY: return TESS_ATTR_ARRAY;
	case AT_DICT: return TESS_ATTR_DICT;
	case AT_SYMBOL: return TESS_ATTR_SYMBOL;
	case AT_DENSE: return TESS_ATTR_ELEMENTS;
	case AT_DENSE_ARRAY: return TESS_ATTR_NUMBERS;
	case AT_ENUM: return TESS_ATTR_ENUM;
	case AT_STRUCT: return TESS_ATTR_STRUCT;
	case AT_MESH: return TESS_ATTR_MESH;
	case AT_SHARDING: return TESS_ATTR_SHARDING;
	case AT_LOC_UNKNOWN:
	case AT_LOC_FILE:
	case AT_LOC_NAME:
	case AT_LOC_CALLSITE:
	case AT_LOC_FUSED: return TESS_ATTR_LOCATION;
	case AT_RESOURCE:
	case AT_OPAQUE:
	case AT_AFFINE:
	case AT_SHARDINGS:
	case AT_MANUAL_AXES:
	case AT_AXES:
	case AT_AXES_LIST:
	case AT_ALL_TO_ALL:
	case AT_RULE: return TESS_ATTR_OTHER;
	}
	return TESS_ATTR_OTHER;
}

int64_t tess_attr_get_int(const tess_attr *a, int64_t fallback)
{
	return a && (a->kind == AT_INT || a->kind == AT_BOOL) ? a->i : fallback;
}

double tess_attr_get_float(const tess_attr *a) { return a && a->kind == AT_FLOAT ? a->f : NAN; }

tess_str tess_attr_text(const tess_attr *a)
{
	const name *n = a->kind == AT_ENUM ? a->word
	                : a->kind == AT_STRING || a->kind == AT_SYMBOL || a->kind == AT_STRUCT ||
	                          a->kind == AT_LOC_FILE || a->kind == AT_LOC_NAME
	                    ? a->text
	                    : NULL;
	return n ? name_str(n) : (tess_str){0};
}

const tess_type *tess_attr_get_type(const tess_attr *a) { return a->type; }

size_t tess_attr_count(const tess_attr *a) { return a->list ? (size_t)a->n : 0; }

const tess_attr *tess_attr_item(const tess_attr *a, size_t i)
{
	return i < tess_attr_count(a) ? a->list[i] : NULL;
}

tess_str tess_attr_key(const tess_attr *a, size_t i)
{
	bool there = i < tess_attr_count(a) && a->names;
	return there ? name_str(a->names[i]) : (tess_str){0};
}

const tess_attr *tess_attr_find(const tess_attr *a, const char *key)
{
	for (size_t i = 0; i < tess_attr_count(a); i++)
		if (str_is(tess_attr_key(a, i), key))
			return tess_attr_item(a, i);
	return NULL;
}

typedef struct numbers_call {
	const attr *a;
	const int64_t *v;
	int n;
} numbers_call;

static tess_status get_numbers_body(tess_ctx *ctx, void *arg)
{
	numbers_call *c = arg;
	c->v = attr_ints(ctx, c->a, &c->n);
	return TESS_OK;
}

int64_t tess_attr_get_numbers(tess_ctx *ctx, const tess_attr *a, const int64_t **v)
{
	numbers_call c = {.a = a, .n = -1};
	if (frame_run(ctx, get_numbers_body, &c) != TESS_OK)
		return -1;
	*v = c.v;
	return c.n;
}

const void *tess_attr_data(const tess_attr *a, size_t *bytes, bool *splat)
{
	if (a->kind != AT_DENSE && a->kind != AT_DENSE_ARRAY)
		return NULL;
	*bytes = a->data_len;
	*splat = a->splat;
	return a->data ? a->data : "";
}

const tess_mesh *tess_attr_get_mesh(const tess_attr *a)
{
	return a->kind == AT_MESH ? a->mesh : NULL;
}

const tess_sharding *tess_attr_get_sharding(const tess_attr *a)
{
	return a->kind == AT_SHARDING ? a->sharding : NULL;
}

bool tess_attr_get_location(const tess_attr *a, tess_str *file, uint32_t *line, uint32_t *col)
{
	if (a->kind != AT_LOC_FILE)
		return false;
	*file = name_str(a->text);
	*line = (uint32_t)a->ints[0];
	*col = (uint32_t)a->ints[1];
	return true;
}
