/* ffi_attrs.c - the attributes of a call in the form that FFI handlers read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/attr.h>

#include "ffi_api.h"
#include "plugin.h"

/* What one attribute becomes. */
typedef union value {
	XLA_FFI_Scalar scalar;
	XLA_FFI_Array array;
	XLA_FFI_ByteSpan text;
} value;

/* All of a dictionary's: the list that handlers see, and what it points to. */
typedef struct entry {
	XLA_FFI_ByteSpan name;
	value value;
	uint64_t number; /* of a scalar */
	void *data;      /* of an array whose elements were one for all; to be freed */
} entry;

typedef struct list {
	XLA_FFI_Attrs attrs; /* first: the list is found by it */
	entry *entries;
} list;

void ffi_attrs_free(XLA_FFI_Attrs *attrs)
{
	list *l = (list *)attrs;
	if (!l)
		return;
	for (int64_t i = 0; i < attrs->size; i++) {
		if (attrs->types && attrs->types[i] == XLA_FFI_DICTIONARY)
			ffi_attrs_free(attrs->attrs[i]);
		free(l->entries ? l->entries[i].data : NULL);
	}
	free(attrs->types);
	free(attrs->names);
	free(attrs->attrs);
	free(l->entries);
	free(l);
}

static list *list_new(size_t n)
{
	list *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	l->attrs.struct_size = sizeof l->attrs;
	l->attrs.types = calloc(n + 1, sizeof *l->attrs.types);
	l->attrs.names = calloc(n + 1, sizeof *l->attrs.names);
	l->attrs.attrs = calloc(n + 1, sizeof *l->attrs.attrs);
	l->entries = calloc(n + 1, sizeof *l->entries);
	if (l->attrs.types && l->attrs.names && l->attrs.attrs && l->entries) {
		l->attrs.size = (int64_t)n;
		return l;
	}
	ffi_attrs_free(&l->attrs);
	return NULL;
}

/* ---- values ------------------------------------------------------------------------------------- */

static void set_scalar(entry *e, tess_dtype t, uint64_t bits)
{
	e->number = bits; /* little endian: a narrow number is in front */
	e->value.scalar = (XLA_FFI_Scalar){(int)primitive_of_type(t), &e->number};
}

static bool set_float(entry *e, const tess_attr *a, tess_dtype t)
{
	double v = tess_attr_get_float(a);
	float narrow = (float)v;
	uint64_t bits = 0;
	if (t == TESS_F64)
		memcpy(&bits, &v, sizeof v);
	else if (t == TESS_F32)
		memcpy(&bits, &narrow, sizeof narrow);
	else
		return false;
	set_scalar(e, t, bits);
	return true;
}

/* array<f32: 1.0, 2.0> has no type besides its text. */
static tess_dtype dtype_of_numbers(tess_ctx *ctx, const tess_attr *a)
{
	static const struct {
		const char *prefix;
		tess_dtype t;
	} kinds[] = {{"array<i64", TESS_I64}, {"array<i32", TESS_I32}, {"array<i16", TESS_I16},
	             {"array<i8", TESS_I8},   {"array<i1", TESS_I1},   {"array<f32", TESS_F32},
	             {"array<f64", TESS_F64}};
	char *text = tess_attr_print(ctx, a);
	tess_dtype t = TESS_NO_DTYPE;
	for (int i = 0; text && i < COUNT(kinds) && t == TESS_NO_DTYPE; i++)
		if (!strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)))
			t = kinds[i].t;
	tess_text_free(text);
	return t;
}

static bool repeat(entry *e, const void *one, size_t bytes, size_t n)
{
	char *data = malloc(bytes * n + 1);
	for (size_t i = 0; data && i < n; i++)
		memcpy(data + i * bytes, one, bytes);
	e->data = data;
	return data;
}

static bool set_array(entry *e, const tess_attr *a, tess_dtype t)
{
	const tess_type *type = tess_attr_get_type(a);
	size_t bytes = 0, one = (size_t)tess_dtype_bytes(t), n = 1;
	bool splat = false;
	const void *data = tess_attr_data(a, &bytes, &splat);
	if (!data && bytes)
		return false;
	for (int i = 0; type && i < tess_type_rank(type); i++)
		n *= (size_t)tess_type_dim(type, i);
	if (!type)
		n = splat ? 1 : bytes / one;
	if (splat && n != 1 && !repeat(e, data, one, n))
		return false;
	e->value.array = (XLA_FFI_Array){(int)primitive_of_type(t), n, e->data ? e->data : data};
	return true;
}

static void set_text(entry *e, const tess_attr *a)
{
	tess_str s = tess_attr_text(a);
	e->value.text = (XLA_FFI_ByteSpan){s.ptr, s.len};
}

/* The kind for handlers; 0: they know none. */
static int set_value(tess_ctx *ctx, entry *e, const tess_attr *a)
{
	const tess_type *type = tess_attr_get_type(a);
	switch (tess_attr_kind_of(a)) {
	case TESS_ATTR_BOOL:
		set_scalar(e, TESS_I1, tess_attr_get_int(a, 0) != 0);
		return XLA_FFI_SCALAR;
	case TESS_ATTR_INT:
		set_scalar(e, tess_type_dtype(type), (uint64_t)tess_attr_get_int(a, 0));
		return XLA_FFI_SCALAR;
	case TESS_ATTR_FLOAT: return set_float(e, a, tess_type_dtype(type)) ? XLA_FFI_SCALAR : 0;
	case TESS_ATTR_STRING:
	case TESS_ATTR_SYMBOL: set_text(e, a); return XLA_FFI_STRING;
	case TESS_ATTR_ELEMENTS: return set_array(e, a, tess_type_dtype(type)) ? XLA_FFI_ARRAY : 0;
	case TESS_ATTR_NUMBERS: {
		tess_dtype t = dtype_of_numbers(ctx, a);
		return t != TESS_NO_DTYPE && set_array(e, a, t) ? XLA_FFI_ARRAY : 0;
	}
	default: return 0;
	}
}

static bool set_entry(tess_ctx *ctx, list *l, size_t i, const tess_attr *config, char *why, size_t room)
{
	entry *e = &l->entries[i];
	const tess_attr *a = tess_attr_item(config, i);
	tess_str name = tess_attr_key(config, i);
	e->name = (XLA_FFI_ByteSpan){name.ptr, name.len};
	l->attrs.names[i] = &e->name;
	l->attrs.attrs[i] = &e->value;
	if (tess_attr_kind_of(a) == TESS_ATTR_DICT) {
		l->attrs.attrs[i] = ffi_attrs_new(ctx, a, why, room);
		l->attrs.types[i] = l->attrs.attrs[i] ? XLA_FFI_DICTIONARY : 0;
		return l->attrs.attrs[i];
	}
	l->attrs.types[i] = set_value(ctx, e, a);
	if (!l->attrs.types[i])
		snprintf(why, room, "the attribute \"%.*s\" is of a kind that handlers cannot be given",
		         (int)name.len, name.ptr);
	return l->attrs.types[i];
}

XLA_FFI_Attrs *ffi_attrs_new(tess_ctx *ctx, const tess_attr *config, char *why, size_t room)
{
	size_t n = config ? tess_attr_count(config) : 0;
	list *l = list_new(n);
	for (size_t i = 0; l && i < n; i++)
		if (!set_entry(ctx, l, i, config, why, room)) {
			ffi_attrs_free(&l->attrs);
			return NULL;
		}
	return l ? &l->attrs : NULL;
}
