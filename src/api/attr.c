/* attr.c - the public functions of attributes. */
#include "api/frame.h"
#include "ir/ir.h"
#include "mlir/mlir.h"
#include <tessera/attr.h>

#include <math.h>

/* ---- parsing and printing ------------------------------------------------------------------- */

/* Diagnostics copy what they need of the source, so it need not outlive the call. */
static const attr *attr_read(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = arena_str(&ctx->scratch, text), .first_line = 1};
	return mlir_parse_attr(ctx, &src);
}

const tess_attr *tess_attr_parse(tess_ctx *ctx, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = attr_read(ctx, text);
	return frame_made(&f);
}

static void print_attr(writer *w, tess_ctx *ctx, const void *a) { mlir_print_attr(w, ctx, a); }

char *tess_attr_print(tess_ctx *ctx, const tess_attr *a)
{
	return text_printed(ctx, a, print_attr);
}

/* ---- creating attributes -------------------------------------------------------------------- */

static const attr *attr_interned(tess_ctx *ctx, attr *key, dtype t, tess_str text)
{
	if (t)
		key->type = type_scalar(ctx, t);
	if (text.ptr)
		key->text = name_of(ctx, text);
	return attr_of(ctx, key);
}

/* Interns the key, with its type (DT_NONE: unchanged) and text (ptr NULL: unchanged). */
static const tess_attr *attr_made(tess_ctx *ctx, attr key, dtype t, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = attr_interned(ctx, &key, t, text);
	return frame_made(&f);
}

const tess_attr *tess_attr_bool(tess_ctx *ctx, bool v)
{
	return attr_made(ctx, (attr){.kind = AT_BOOL, .i = v}, DT_I1, (tess_str){0});
}

static const attr *int_of_width(tess_ctx *ctx, int64_t v, int bits)
{
	source src = {.name = "", .first_line = 1};
	src.text = str_of(arena_printf(&ctx->scratch, "i%d", bits));
	return attr_int(ctx, v, mlir_parse_type(ctx, &src));
}

const tess_attr *tess_attr_int(tess_ctx *ctx, int64_t v, int bits)
{
	frame f;
	if (bits == 1)
		return tess_attr_bool(ctx, v != 0);
	if (!ctx || bits < 1 || bits > 64 ||
	    (bits < 64 && (v >> bits) != 0 && (v >> (bits - 1)) != -1))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = int_of_width(ctx, v, bits);
	return frame_made(&f);
}

const tess_attr *tess_attr_float(tess_ctx *ctx, double v, tess_dtype t)
{
	if (t != TESS_F32 && t != TESS_F64)
		return NULL;
	dtype d = (dtype)t;
	attr key = {.kind = AT_FLOAT,
	            .f = d == DT_F32 ? (double)(float)v : v,
	            .bits = float_bits(v, d)};
	return attr_made(ctx, key, d, (tess_str){0});
}

const tess_attr *tess_attr_string(tess_ctx *ctx, tess_str text)
{
	return attr_made(ctx, (attr){.kind = AT_STRING}, DT_NONE, text.ptr ? text : STR(""));
}

const tess_attr *tess_attr_symbol(tess_ctx *ctx, const char *name)
{
	return name ? attr_made(ctx, (attr){.kind = AT_SYMBOL}, DT_NONE, str_of(name)) : NULL;
}

const tess_attr *tess_attr_type(tess_ctx *ctx, const tess_type *t)
{
	attr key = {.kind = AT_TYPE, .type = t};
	return t ? attr_made(ctx, key, DT_NONE, (tess_str){0}) : NULL;
}

const tess_attr *tess_attr_array(tess_ctx *ctx, const tess_attr *const *items, size_t n)
{
	attr key = {.kind = AT_ARRAY, .list = items, .n = (int)n};
	bool whole = all_there((const void *const *)items, n);
	return whole ? attr_made(ctx, key, DT_NONE, (tess_str){0}) : NULL;
}

static const attr *dict_of(tess_ctx *ctx, const char *const *keys, const attr *const *items,
                           size_t n)
{
	const name **names = NEW_N(&ctx->scratch, const name *, n);
	for (size_t i = 0; i < n; i++)
		names[i] = name_of_z(ctx, keys[i]);
	return attr_dict(ctx, names, items, (int)n);
}

const tess_attr *tess_attr_dict(tess_ctx *ctx, const char *const *keys,
                                const tess_attr *const *items, size_t n)
{
	frame f;
	if (!ctx || !all_there((const void *const *)items, n) ||
	    !all_there((const void *const *)keys, n))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = dict_of(ctx, keys, items, n);
	return frame_made(&f);
}

const tess_attr *tess_attr_numbers(tess_ctx *ctx, const int64_t *v, size_t n)
{
	frame f;
	if (!ctx || (n && !v) || n > INT32_MAX)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = attr_i64_array(ctx, v, (int)n);
	return frame_made(&f);
}

const tess_attr *tess_attr_elements(tess_ctx *ctx, const tess_type *t, const void *data,
                                    size_t bytes)
{
	frame f;
	if (!ctx || !t || !type_is_tensor(t) || !t->dtype || type_bytes(t) < 0 || !data ||
	    ((int64_t)bytes != type_bytes(t) && bytes != (size_t)dtype_bytes(t->dtype)))
		return NULL;
	bool splat = (int64_t)bytes != type_bytes(t) || t->n_elems == 1;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = attr_dense(ctx, t, data, bytes, splat);
	return frame_made(&f);
}

const tess_attr *tess_attr_mesh(tess_ctx *ctx, const tess_mesh *m)
{
	frame f;
	if (!ctx || !m)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = attr_mesh(ctx, mesh_plain(ctx, m));
	return frame_made(&f);
}

const tess_attr *tess_attr_sharding(tess_ctx *ctx, const tess_sharding *s)
{
	attr key = {.kind = AT_SHARDING, .sharding = s};
	return s ? attr_made(ctx, key, DT_NONE, (tess_str){0}) : NULL;
}

const tess_attr *tess_attr_location(tess_ctx *ctx, const char *file, uint32_t line, uint32_t col)
{
	int64_t ints[4] = {line, col, 0, 0};
	attr key = {.kind = AT_LOC_FILE, .ints = ints, .n_ints = 4};
	if (!line || !file)
		return attr_made(ctx, (attr){.kind = AT_LOC_UNKNOWN}, DT_NONE, (tess_str){0});
	return attr_made(ctx, key, DT_NONE, str_of(file));
}

/* ---- reading attributes --------------------------------------------------------------------- */

tess_attr_kind tess_attr_kind_of(const tess_attr *a)
{
	if (!a)
		return TESS_ATTR_OTHER;
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
	if (!a)
		return (tess_str){0};
	const name *n = a->kind == AT_ENUM ? a->word
	                : a->kind == AT_STRING || a->kind == AT_SYMBOL || a->kind == AT_STRUCT ||
	                          a->kind == AT_LOC_FILE || a->kind == AT_LOC_NAME
	                    ? a->text
	                    : NULL;
	return n ? name_str(n) : (tess_str){0};
}

const tess_type *tess_attr_get_type(const tess_attr *a) { return a ? a->type : NULL; }

size_t tess_attr_count(const tess_attr *a) { return a && a->list ? (size_t)a->n : 0; }

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
	for (size_t i = 0; key && i < tess_attr_count(a); i++)
		if (str_is(tess_attr_key(a, i), key))
			return tess_attr_item(a, i);
	return NULL;
}

static const int64_t *numbers_of(tess_ctx *ctx, const attr *a, size_t *n)
{
	static const int64_t none = 0;
	int count;
	const int64_t *v = attr_ints(ctx, a, &count);
	if (count < 0)
		return NULL;
	*n = (size_t)count;
	return v ? v : &none;
}

const int64_t *tess_attr_get_numbers(tess_ctx *ctx, const tess_attr *a, size_t *n)
{
	frame f;
	if (n)
		*n = 0;
	if (!ctx || !a || !n)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = numbers_of(ctx, a, n);
	return frame_made(&f);
}

const void *tess_attr_data(const tess_attr *a, size_t *bytes, bool *splat)
{
	if (!a || (a->kind != AT_DENSE && a->kind != AT_DENSE_ARRAY))
		return NULL;
	if (bytes)
		*bytes = a->data_len;
	if (splat)
		*splat = a->splat;
	return a->data ? a->data : "";
}

const tess_mesh *tess_attr_get_mesh(const tess_attr *a)
{
	return a && a->kind == AT_MESH ? a->mesh : NULL;
}

const tess_sharding *tess_attr_get_sharding(const tess_attr *a)
{
	return a && a->kind == AT_SHARDING ? a->sharding : NULL;
}

bool tess_attr_get_location(const tess_attr *a, tess_str *file, uint32_t *line, uint32_t *col)
{
	if (!a || a->kind != AT_LOC_FILE)
		return false;
	if (file)
		*file = name_str(a->text);
	if (line)
		*line = (uint32_t)a->ints[0];
	if (col)
		*col = (uint32_t)a->ints[1];
	return true;
}
