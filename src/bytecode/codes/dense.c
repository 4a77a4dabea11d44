/* dense.c - converts between elements as encoded in bytecode and as stored in the IR.
 *
 * In bytecode an element takes whole bytes, little endian, as few as its bits need (three for
 * tf32); but booleans are packed eight to a byte, lowest bit first. A single element for all is a
 * splat; for booleans, the byte FF or 00. Writers before LLVM 21 used a byte for each boolean,
 * which the length reveals. The IR has dtype_bytes() per element, one for a boolean. */
#include "bytecode/codes/make.h"

/* Returns the bytes of an element in bytecode; 0 if it is not a number. */
static int packed_bytes(dtype dt)
{
	dtype part = dtype_part_of(dt);
	int bits = dtype_is_float(part) ? part == DT_TF32 ? 19 : float_width(part)
	           : part == DT_INDEX   ? 64
	                                : dtype_bits(part);
	return (int)ceil_div(bits, 8) * (dtype_is_complex(dt) ? 2 : 1);
}

static bool is_elements_type(const type *t)
{
	return (t->kind == TY_TENSOR || t->kind == TY_VECTOR) && t->is_static &&
	       t->dtype != DT_NONE && type_bytes(t) >= 0;
}

/* Reads booleans stored in a byte each. */
static const attr *bools_of_bytes(coder *c, const type *t, const unsigned char *b, int64_t n)
{
	int64_t count = t->n_elems;
	if (n == 1 && (b[0] == 0xFF || (b[0] == 0 && count != 1)))
		return attr_dense(c->ctx, t, (const char[]){b[0] != 0}, 1, true);
	if (n != count && n != ceil_div(count, 8))
		return c->fail(c, "%" PRId64 " bytes are not %" PRId64 " booleans", n, count), NULL;
	unsigned char *wide = arena_alloc(c->mem, (size_t)count);
	bool packed = n != count;
	for (int64_t i = 0; i < count; i++)
		wide[i] = packed ? b[i / 8] >> (i % 8) & 1 : b[i] != 0;
	return attr_dense(c->ctx, t, wide, (size_t)count, false);
}

/* The IR has zeros in the unused upper bits of narrow types. */
static void clear_spare_bits(unsigned char *p, int64_t n, dtype dt)
{
	int bits = dtype_is_float(dt) ? float_width(dt) : dtype_bits(dt);
	if (bits >= 8 || dt == DT_NONE)
		return;
	for (int64_t i = 0; i < n; i++)
		p[i] &= (unsigned char)((1 << bits) - 1);
}

static const attr *elements_from_bytes(coder *c, const type *t, const void *bytes, int64_t n)
{
	if (!is_elements_type(t))
		return c->fail(c, "elements need a static type of numbers"), NULL;
	if (!t->n_elems && !n)
		return attr_dense(c->ctx, t, NULL, 0, false);
	if (t->dtype == DT_I1)
		return bools_of_bytes(c, t, bytes, n);
	int from = packed_bytes(t->dtype), to = dtype_bytes(t->dtype);
	int64_t count = n / from, all;
	bool splat = n == from && t->n_elems != 1; /* even without elements, as JAX writes it */
	if (!mul_ok(t->n_elems, from, &all) || (n != all && !splat))
		return c->fail(c,
		               "%" PRId64 " bytes are not the elements of a type that needs %" PRId64,
		               n, all),
		       NULL;
	if (from == to && (dtype_bits(t->dtype) >= 8 || dtype_is_complex(t->dtype)))
		return attr_dense(c->ctx, t, bytes, (size_t)n, splat);
	unsigned char *wide = arena_zalloc(c->mem, (size_t)(count * to));
	for (int64_t i = 0; i < count; i++)
		memcpy(wide + i * to, (const char *)bytes + i * from, (size_t)from);
	clear_spare_bits(wide, count, t->dtype);
	return attr_dense(c->ctx, t, wide, (size_t)(count * to), splat);
}

static bool pack_bools(coder *c, const attr *a, field *f)
{
	const unsigned char *from = a->data;
	int64_t count = a->type->n_elems, n = ceil_div(count, 8);
	if (a->splat) {
		f->n = 1;
		f->bytes = arena_copy(c->mem, (const unsigned char[]){from[0] ? 0xFF : 0}, 1);
		return true;
	}
	unsigned char *b = arena_zalloc(c->mem, (size_t)n);
	for (int64_t i = 0; i < count; i++)
		b[i / 8] |= (unsigned char)((from[i] != 0) << (i % 8));
	f->n = n;
	f->bytes = b;
	return true;
}

static bool elements_to_bytes(coder *c, const attr *a, field *f)
{
	if (!is_elements_type(a->type))
		return false;
	*f = (field){.present = true, .n = (int64_t)a->data_len, .bytes = a->data};
	if (a->type->dtype == DT_I1)
		return pack_bools(c, a, f);
	int to = packed_bytes(a->type->dtype), from = dtype_bytes(a->type->dtype);
	if (from == to)
		return true;
	int64_t count = (int64_t)a->data_len / from;
	char *b = arena_alloc(c->mem, (size_t)(count * to));
	for (int64_t i = 0; i < count; i++)
		memcpy(b + i * to, (const char *)a->data + i * from, (size_t)to);
	f->n = count * to;
	f->bytes = b;
	return true;
}

/* ---- dense<…> ------------------------------------------------------------------------- */

const attr *codes_make_dense(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return elements_from_bytes(c, f[0].t, f[1].bytes, f[1].n);
}

/* In VHLO, a single boolean is not a splat, and no booleans take no bytes. */
bool codes_take_dense(coder *c, const code_row *row, const attr *a, field *f)
{
	f[0] = field_type(a->type);
	if (!elements_to_bytes(c, a, &f[1]))
		return false;
	if (!row->name1 || a->type->dtype != DT_I1)
		return true;
	if (a->type->n_elems == 1)
		f[1].bytes = arena_copy(c->mem, (const char[]){*(const char *)a->data != 0}, 1);
	else if (!a->type->n_elems)
		f[1].n = 0;
	return true;
}

/* ---- array<…> ------------------------------------------------------------------------- */

const attr *codes_make_dense_array(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const type *t = f[0].t;
	int bytes = t->kind == TY_SCALAR && !dtype_is_complex(t->dtype) ? packed_bytes(t->dtype) : 0;
	int64_t all;
	if (!bytes || bytes != dtype_bytes(t->dtype) || f[1].i < 0 || f[1].i > INT32_MAX ||
	    !mul_ok(f[1].i, bytes, &all) || all != f[2].n)
		return c->fail(c, "the length of an array is not that of its elements"), NULL;
	return attr_of(c->ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                               .type = t,
	                               .n = (int)f[1].i,
	                               .data = f[2].bytes,
	                               .data_len = (size_t)f[2].n});
}

bool codes_take_dense_array(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(c), UNUSED(row);
	f[0] = field_type(a->type);
	f[1] = field_int(a->n);
	f[2] = (field){.present = true, .n = (int64_t)a->data_len, .bytes = a->data};
	return true;
}

/* VHLO has no arrays; it uses a tensor of one dimension. */
const attr *codes_make_array_as_dense(coder *c, const code_row *row, const field *f)
{
	return codes_make_dense(c, row, f);
}

bool codes_take_array_as_dense(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	int64_t dims[1] = {a->n};
	if (a->type->dtype != DT_I64 && a->type->dtype != DT_I1)
		return false;
	const type *t = type_tensor(c->ctx, a->type->dtype, dims, 1);
	const attr *dense = attr_dense(c->ctx, t, a->data, a->data_len, false);
	return codes_take_dense(c, &(code_row){.name1 = "vhlo"}, dense, f);
}

/* ---- dense_resource<…> ------------------------------------------------------------------ */

const attr *codes_make_resource(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const name *n = c->resource_name(c, f[1].i);
	return n ? attr_of(c->ctx, &(attr){.kind = AT_RESOURCE, .text = n, .type = f[0].t}) : NULL;
}

bool codes_take_resource(coder *c, const code_row *row, const attr *a, field *f)
{
	UNUSED(row);
	f[0] = field_type(a->type);
	f[1] = field_int(c->resource_number(c, a->text));
	return f[1].i >= 0;
}
