/* form.c - the forms of programs: whichever one a program has is found by its first bytes. */
#include "api/frame.h"
#include "api/module.h"
#include "bytecode/bytecode.h"
#include "hlo/hlo.h"

static module *read_hlo_form(tess_ctx *ctx, source *src)
{
	return hlo_is_proto(ctx, src->text) ? hlo_of_proto(ctx, src) : hlo_parse(ctx, src);
}

static module *stablehlo_of_hlo(module *hlo)
{
	const hlo_raise_opts opts = {.sdy = true, .texts = MLIR_ATTR_TEXTS};
	module *m = hlo_to_stablehlo(hlo, &opts);
	module_free(hlo);
	return m;
}

static const bytecode_texts texts_in_bytecode = {mlir_parse_attr, mlir_parse_type, mlir_print_attr,
                                                 mlir_print_type};

module *module_read_kept(tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	bytecode_read_opts bytecode = {.allow_unregistered = opts->allow_unregistered,
	                               .no_verify = opts->no_verify,
	                               .texts = texts_in_bytecode};
	export_artifact exported;
	if (export_is(src->text)) {
		if (!export_open(ctx, src, 0, &exported))
			return NULL;
		export_enter(src, &exported);
	}
	if (bytecode_is(src->text))
		return bytecode_read(ctx, src, &bytecode);
	bool hlo = hlo_is_text(ctx, src->text) || hlo_is_proto(ctx, src->text);
	return hlo ? read_hlo_form(ctx, src) : mlir_parse(ctx, src, opts);
}

module *module_read(tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	module *m = module_read_kept(ctx, src, opts);
	return m && hlo_is_module(m) ? stablehlo_of_hlo(m) : m;
}

static tess_status write_module(tess_module *h, const tess_write_opts *o, char **out, size_t *n)
{
	bytecode_write_opts inner = {.version = o->version,
	                             .portable = o->target != NULL,
	                             .texts = texts_in_bytecode};
	writer w = text_writer(h->ctx);
	bool hlo = hlo_is_module(h->m);
	if (hlo && o->target)
		return TESS_USAGE;
	if (o->target && !vhlo_version_parse(h->ctx, o->target, &inner.target))
		return TESS_INVALID;
	if (hlo ? !hlo_write_proto(&w, h->m) : !bytecode_write(&w, h->m, &inner))
		return TESS_INVALID;
	*n = w.len;
	*out = text_give(h->ctx, &w);
	return TESS_OK;
}

tess_status tess_module_write(tess_module *h, const tess_write_opts *opts, char **out, size_t *n)
{
	tess_write_opts o = TESS_WRITE_OPTS_INIT;
	frame f;
	if (out)
		*out = NULL;
	OPTS_READ(o, opts);
	if (!h || !out || !n || o.version < 0 || o.version > BYTECODE_NEWEST)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = write_module(h, &o, out, n);
	return frame_end(&f);
}
