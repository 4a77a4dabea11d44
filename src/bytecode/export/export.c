/* export.c - jax.export's artifacts: a program with what JAX needs to call it.
 *
 * The file is a FlatBuffer without a name of its own: the first number says where the root table is.  A
 * table begins with how far before it its list of fields is; that list has its size, the table's, and
 * where in the table each field is, 0 for one that is not there.  Texts, lists and tables are given by
 * how far behind they are.  Source: FlatBuffers, "Internals"; JAX, serialization.fbs. */
#include "bytecode/bytecode.h"

typedef struct flat {
	const unsigned char *p;
	size_t len;
	bool failed;
} flat;

static uint64_t flat_number(flat *f, size_t at, int bytes)
{
	uint64_t v = 0;
	if (f->failed || at > f->len || f->len - at < (size_t)bytes) {
		f->failed = true;
		return 0;
	}
	for (int i = bytes; i-- > 0;)
		v = v << 8 | f->p[at + (size_t)i];
	return v;
}

/* Where a number at `at` points to; 0, and failed: outside of the file. */
static size_t flat_follow(flat *f, size_t at)
{
	uint64_t far = flat_number(f, at, 4);
	if (f->failed || !far || far > f->len - at) {
		f->failed = true;
		return 0;
	}
	return at + (size_t)far;
}

/* Where field `i` of a table is; 0: it has none. */
static size_t flat_field(flat *f, size_t table, int i)
{
	int64_t list = (int64_t)table - (int32_t)flat_number(f, table, 4);
	if (f->failed || list < 0 || (uint64_t)list > f->len) {
		f->failed = true;
		return 0;
	}
	uint64_t size = flat_number(f, (size_t)list, 2);
	if (4 + 2 * (uint64_t)i + 2 > size)
		return 0;
	uint64_t at = flat_number(f, (size_t)list + 4 + 2 * (size_t)i, 2);
	return f->failed || !at ? 0 : table + (size_t)at;
}

/* A list of items of so many bytes: where the first is, and how many there are. */
static size_t flat_list(flat *f, size_t field, size_t bytes, size_t *n)
{
	size_t at = field ? flat_follow(f, field) : 0;
	*n = at ? (size_t)flat_number(f, at, 4) : 0;
	if (f->failed || !at || *n > (f->len - at - 4) / bytes) {
		f->failed |= at != 0;
		*n = 0;
		return 0;
	}
	return at + 4;
}

static tess_str flat_text(flat *f, size_t field)
{
	size_t n, at = flat_list(f, field, 1, &n);
	return (tess_str){(const char *)f->p + at, n};
}

enum { FIELD_NAME = 1, FIELD_PLATFORMS = 9, FIELD_MODULE = 13 };

bool export_open(tess_str bytes, export_artifact *out)
{
	flat f = {(const unsigned char *)bytes.ptr, bytes.len, false};
	*out = (export_artifact){0};
	if (bytes.len < 32 || bytes.len > INT32_MAX)
		return false;
	size_t root = flat_follow(&f, 0), n;
	if (f.failed)
		return false;
	out->module = flat_text(&f, flat_field(&f, root, FIELD_MODULE));
	if (f.failed || !bytecode_is(out->module))
		return false;
	out->name = flat_text(&f, flat_field(&f, root, FIELD_NAME));
	size_t list = flat_list(&f, flat_field(&f, root, FIELD_PLATFORMS), 4, &n);
	for (size_t i = 0; i < n && i < COUNT(out->platforms); i++)
		out->platforms[out->n_platforms++] = flat_text(&f, list + 4 * i);
	return !f.failed;
}

/* ---- platforms ---------------------------------------------------------------------------- */

static const op *platform_taker(const module *m)
{
	const op *f = module_main(m);
	const func *own = f ? op_func(f) : NULL;
	const attr *a = own && own->type->n_in ? attrs_get_named(&own->arg_attrs[0],
	                                                         name_of_z(m->ctx, "jax.global_constant"))
	                                       : NULL;
	bool takes = a && a->kind == AT_STRING && !strcmp(a->text->s, "_platform_index");
	return takes && op_body(f) && type_is_scalar_tensor(own->type->in[0]) ? f : NULL;
}

/* "cpu", "tpu" */
static const char *platform_list(const export_artifact *x, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	for (int i = 0; i < x->n_platforms; i++)
		put_f(&w, "%s%.*s", i ? ", " : "", STR_ARG(x->platforms[i]));
	return writer_z(&w);
}

/* An empty name is the processor, or what is there. */
static int platform_number(const export_artifact *x, const char *name)
{
	for (int i = 0; i < x->n_platforms; i++)
		if (str_is(x->platforms[i], *name ? name : "cpu"))
			return i;
	return *name ? -1 : 0;
}

bool export_choose_platform(module *m, const export_artifact *x, const char *name)
{
	int i = platform_number(x, name);
	if (i < 0)
		return diag_error(m->ctx, NOWHERE, E_INPUT,
		                  "the program was exported for %s, not for %s",
		                  x->n_platforms ? platform_list(x, &m->ctx->scratch) : "no platform", name);
	op *f = (op *)platform_taker(m);
	if (!f)
		return true;
	block *b = op_body(f);
	func *own = op_func(f);
	const type *t = own->type;
	op *c = op_make(m, OP_CONSTANT, NULL, 0, &t->in[0], 1, 0);
	op_set_attr(m, c, N_value, attr_splat_bits(m->ctx, t->in[0], (uint64_t)i));
	op_insert_before(b->first, c);
	value_replace_uses(b->args[0], result(c, 0));
	block_erase_arg(b, 0);
	own->type = type_list(m->ctx, TY_FUNCTION, t->in + 1, t->n_in - 1, t->out, t->n_out);
	own->arg_attrs++;
	return true;
}
