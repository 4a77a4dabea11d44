/* module.c - programs: read, checked, printed, freed. */
#include "api/module.h"

#include "api/frame.h"
#include "bytecode/bytecode.h"
#include "hlo/hlo.h"
#include "mlir/mlir.h"

tess_module *module_handle_new(tess_ctx *ctx)
{
	tess_module *h = ctx ? ctx_realloc(ctx, NULL, sizeof *h) : NULL;
	if (h)
		*h = (tess_module){.ctx = ctx};
	return h;
}

void tess_module_free(tess_module *h)
{
	if (!h)
		return;
	if (h->m)
		module_free(h->m);
	file_close(h->ctx, &h->file);
	ctx_realloc(h->ctx, h, 0);
}

/* Makes the source own the text, which copies of the module need, too. */
static void module_owns_file(tess_module *h, source *src)
{
	if (h->m->src != src) /* the handle keeps protos: no positions to look up */
		return;
	src->file = h->file;
	h->file = (file_text){0};
}

/* ---- reading ------------------------------------------------------------------------ */

/* For a jax.export artifact, the program becomes the source. */
static bool open_export(tess_module *h, source *src, int order, export_artifact *out)
{
	writer w;
	writer_init(&w, &h->ctx->perm);
	if (!export_open(h->ctx, src, order, out) || !export_describe(h->ctx, src, order, &w))
		return false;
	h->export = writer_z(&w);
	export_enter(src, out);
	return true;
}

/* Reports an error if something is to be chosen that only files of jax.export have. */
static bool nothing_to_choose(tess_ctx *ctx, const char *name, const tess_parse_opts *o)
{
	if (!o->derivative && !(o->platform && *o->platform))
		return true;
	return diag_error(ctx, NOWHERE, E_INPUT, "'%s' has no %s to choose: jax.export did not write it", name,
	                  o->derivative ? "derivative" : "platform");
}

/* Reads the file of the handle. */
static tess_status read_program(tess_module *h, const char *name, const tess_parse_opts *o)
{
	mlir_parse_opts mlir = {.allow_unregistered = o->allow_unregistered,
	                        .no_verify = o->skip_verify};
	source *src = source_new(h->ctx, name, h->file.text);
	export_artifact exported = {0};
	tess_str text = src->text;
	src->mapped = h->file.map != NULL;
	if (!(export_is(text) ? open_export(h, src, o->derivative, &exported) : nothing_to_choose(h->ctx, name, o)))
		return TESS_INVALID;
	h->m = module_read_as(h->ctx, src, &mlir, o->hlo);
	if (!h->m)
		return TESS_INVALID;
	module_owns_file(h, src);
	if (h->export && o->platform && !export_choose_platform(h->m, &exported, o->platform))
		return TESS_INVALID;
	if (o->sharding_texts && !(pass_flatten_tuples(h->m, NULL) &&
	                           module_take_texts(h->m, text, MLIR_ATTR_TEXTS)))
		return TESS_INVALID;
	if (bytecode_is(src->text))
		mlir_name_values(h->m);
	return TESS_OK;
}

static tess_status parse_text(tess_module *h, tess_str text, const char *name,
                              const tess_parse_opts *o)
{
	tess_status status = file_is_gzip(text) ? file_gunzip(h->ctx, name, text, &h->file)
	                                        : file_copy(h->ctx, text, &h->file);
	return status == TESS_OK ? read_program(h, name, o) : status;
}

static tess_status parse_file(tess_module *h, const char *path, const tess_parse_opts *o)
{
	tess_status status = file_read(h->ctx, path, &h->file);
	const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
	return status == TESS_OK ? read_program(h, name, o) : status;
}

tess_module *module_or_free(tess_module *h, tess_status status)
{
	if (status == TESS_OK)
		return h;
	tess_module_free(h);
	return NULL;
}

tess_module *tess_module_parse(tess_ctx *ctx, tess_str text, const char *name,
                               const tess_parse_opts *opts)
{
	tess_parse_opts o = TESS_PARSE_OPTS_INIT;
	tess_module *h = module_handle_new(ctx);
	frame f;
	if (!h)
		return NULL;
	OPTS_READ(o, opts);
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = parse_text(h, text, name ? name : "", &o);
	return module_or_free(h, frame_end(&f));
}

tess_module *tess_module_parse_file(tess_ctx *ctx, const char *path, const tess_parse_opts *opts)
{
	tess_parse_opts o = TESS_PARSE_OPTS_INIT;
	tess_module *h = path ? module_handle_new(ctx) : NULL;
	frame f;
	if (!h)
		return NULL;
	OPTS_READ(o, opts);
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = parse_file(h, path, &o);
	return module_or_free(h, frame_end(&f));
}

tess_status tess_ctx_on_reading(tess_ctx *ctx, void (*fn)(void *user, size_t done, size_t total),
                                void *user)
{
	frame f;
	if (!ctx)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0) {
		text_on_reading(ctx, fn, user);
		f.status = TESS_OK;
	}
	return frame_end(&f);
}

static tess_status make_empty(tess_module *h)
{
	h->m = module_new(h->ctx);
	h->m->top->kind = OP_BUILTIN_MODULE;
	return TESS_OK;
}

tess_module *tess_module_new(tess_ctx *ctx)
{
	tess_module *h = module_handle_new(ctx);
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = make_empty(h);
	return module_or_free(h, frame_end(&f));
}

/* ---- copying, checking, printing ------------------------------------------------------- */

static tess_status copy_to(tess_module *to, const tess_module *from)
{
	to->unsettled = from->unsettled;
	to->export = from->export;
	to->m = module_clone(from->m);
	return TESS_OK;
}

tess_module *tess_module_clone(tess_module *from)
{
	tess_module *h = module_handle_new(CTX_OF(from));
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = copy_to(h, from);
	return module_or_free(h, frame_end(&f));
}

tess_status tess_module_verify(tess_module *h)
{
	frame f;
	if (!h)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = module_verify(h->m) ? TESS_OK : TESS_INVALID;
	return frame_end(&f);
}

static char *export_text(const tess_module *h)
{
	writer w = text_writer(h->ctx);
	put_z(&w, h->export);
	return text_give(h->ctx, &w);
}

char *tess_module_export(tess_module *h)
{
	frame f;
	if (!h || !h->export)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = export_text(h);
	return frame_made(&f);
}

mlir_print_opts print_opts_of(const tess_print_opts *opts)
{
	tess_print_opts o = TESS_PRINT_OPTS_INIT;
	OPTS_READ(o, opts);
	return (mlir_print_opts){.generic = o.generic, .debuginfo = o.locations,
	                         .local_scope = o.local_scope, .elide_larger = o.elide_larger,
	                         .keep_names = o.keep_names,
	                         .packed_booleans = o.packed_booleans};
}

static char *module_text(tess_module *h, const tess_print_opts *opts)
{
	mlir_print_opts o = print_opts_of(opts);
	writer w = text_writer(h->ctx);
	mlir_print(&w, h->m, &o);
	return text_give(h->ctx, &w);
}

char *tess_module_print(tess_module *h, const tess_print_opts *opts)
{
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = module_text(h, opts);
	return frame_made(&f);
}
