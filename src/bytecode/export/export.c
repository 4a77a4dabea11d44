/* export.c - jax.export's artifacts: a program with what JAX needs to call it.
 *
 * The file is a FlatBuffer without an identifier (flat.h); JAX's serialization.fbs defines its
 * fields. info.c describes what it contains besides the program. */
#include "bytecode/export/flat.h"

/* FlatBuffers are written from the end, so the first number, the position of the root table, is
 * small. No text starts like that. */
bool export_is(tess_str bytes)
{
	flat f = {.p = (const unsigned char *)bytes.ptr, .len = bytes.len};
	uint64_t root = flat_number(&f, 0, 4);
	return !f.failed && bytes.len <= INT32_MAX && root >= 4 && root < 256 && root % 4 == 0;
}

static bool export_fail(tess_ctx *ctx, source *src, size_t at, const char *what)
{
	src->binary = true;
	place where = {.src = src, .begin = (uint32_t)at, .end = (uint32_t)at};
	return diag_error(ctx, where, E_BYTECODE, "%s", what);
}

static bool open_table(flat *f, size_t root, export_artifact *out)
{
	flat_list module = flat_list_of(f, root, EXPORT_MODULE, 1);
	flat_list list = flat_list_of(f, root, EXPORT_PLATFORMS, 4);
	out->module = (tess_str){(const char *)f->p + module.first, (size_t)module.n};
	out->name = flat_text(f, root, EXPORT_NAME);
	for (uint64_t i = 0; i < list.n && i < COUNT(out->platforms); i++)
		out->platforms[out->n_platforms++] = flat_list_text(f, &list, i);
	return !f->failed;
}

bool export_open(tess_ctx *ctx, source *src, int order, export_artifact *out)
{
	flat f = {.p = (const unsigned char *)src->text.ptr, .len = src->text.len};
	size_t root = export_table(&f, order);
	*out = (export_artifact){0};
	if (!f.failed && !root)
		return diag_error(ctx, NOWHERE, E_INPUT,
		                  "the program was exported without a derivative of order %d",
		                  order);
	if (f.failed || !open_table(&f, root, out))
		return export_fail(
			ctx, src, f.wrong,
			"this is not what jax.export writes, or it was cut short: it leads out of "
			"the file here");
	if (!bytecode_is(out->module))
		return export_fail(ctx, src, (size_t)(out->module.ptr - src->text.ptr),
		                   "what jax.export has written has no MLIR bytecode here");
	return true;
}

void export_enter(source *src, const export_artifact *x)
{
	src->skipped = (uint64_t)(x->module.ptr - src->text.ptr);
	src->text = x->module;
}

/* ---- platforms ---------------------------------------------------------------------------- */

static const op *platform_taker(const module *m)
{
	const op *f = module_main(m);
	const func *own = f ? op_func(f) : NULL;
	const attr *a = own && own->type->n_in
	                        ? attrs_get_named(&own->arg_attrs[0],
	                                          name_of_z(m->ctx, "jax.global_constant"))
	                        : NULL;
	bool takes = a && a->kind == AT_STRING && !strcmp(a->text->s, "_platform_index");
	return takes && op_body(f) && type_is_scalar_tensor(own->type->in[0]) ? f : NULL;
}

/* Writes "cpu", "tpu". */
static const char *platform_list(const export_artifact *x, arena *mem)
{
	writer w;
	writer_init(&w, mem);
	for (int i = 0; i < x->n_platforms; i++)
		put_f(&w, "%s%.*s", i ? ", " : "", STR_ARG(x->platforms[i]));
	return writer_z(&w);
}

/* An empty name means "cpu", or else the first platform. */
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
		return diag_error(
			m->ctx, NOWHERE, E_INPUT, "the program was exported for %s, not for %s",
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
