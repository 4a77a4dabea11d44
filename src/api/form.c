/* form.c - the forms of programs. Which form an input has is recognized by its first bytes. */
#include "api/frame.h"
#include "api/module.h"
#include "bytecode/bytecode.h"
#include "hlo/hlo.h"

static module *read_hlo(tess_ctx *ctx, source *src)
{
	if (hlo_is_proto(ctx, src->text))
		return hlo_of_proto(ctx, src);
	return text_is_binary(ctx, src) ? NULL : hlo_parse(ctx, src);
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

module *module_read_as(tess_ctx *ctx, source *src, const mlir_parse_opts *opts, tess_hlo_reading hlo)
{
	bytecode_read_opts bytecode = {.allow_unregistered = opts->allow_unregistered,
	                               .no_verify = opts->no_verify,
	                               .texts = texts_in_bytecode};
	if (hlo == TESS_HLO_EXPECTED)
		return read_hlo(ctx, src);
	if (bytecode_is(src->text))
		return bytecode_read(ctx, src, &bytecode);
	if (!hlo_is_text(ctx, src->text) && !hlo_is_proto(ctx, src->text))
		return mlir_parse(ctx, src, opts);
	module *m = read_hlo(ctx, src);
	return m && hlo == TESS_HLO_CONVERTED ? stablehlo_of_hlo(m) : m;
}

module *module_read(tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	export_artifact exported;
	if (export_is(src->text)) {
		if (!export_open(ctx, src, 0, &exported))
			return NULL;
		export_enter(src, &exported);
	}
	return module_read_as(ctx, src, opts, TESS_HLO_CONVERTED);
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
