/* form.c - the forms of programs: whichever one a program has is found by its first bytes. */
#include "api/frame.h"
#include "api/module.h"
#include "bytecode/bytecode.h"
#include "hlo/hlo.h"

static module *stablehlo_of_hlo(tess_ctx *ctx, source *src)
{
	module *hlo = hlo_parse(ctx, src);
	module *m = hlo ? hlo_to_stablehlo(hlo, &(hlo_raise_opts){.sdy = true, .texts = MLIR_ATTR_TEXTS}) : NULL;
	if (hlo)
		module_free(hlo);
	return m;
}

static const bytecode_texts texts_in_bytecode = {mlir_parse_attr, mlir_parse_type, mlir_print_attr,
                                                 mlir_print_type};

module *module_read(tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	bytecode_read_opts bytecode = {.allow_unregistered = opts->allow_unregistered,
	                               .no_verify = opts->no_verify,
	                               .texts = texts_in_bytecode};
	if (bytecode_is(src->text))
		return bytecode_read(ctx, src, &bytecode);
	return hlo_is_text(ctx, src->text) ? stablehlo_of_hlo(ctx, src)
	                                   : mlir_parse(ctx, src, opts);
}
