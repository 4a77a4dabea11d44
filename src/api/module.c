/* module.c - programs: read, checked, printed, freed. */
#include "api/module.h"

#include "api/frame.h"
#include "hlo/hlo.h"
#include "mlir/mlir.h"

tess_module *module_handle_new(tess_ctx *ctx, file_text *file)
{
	if (!ctx)
		return NULL;
	tess_module *h = ctx_realloc(ctx, NULL, sizeof *h);
	if (!h) {
		file_close(ctx, file);
		return NULL;
	}
	*h = (tess_module){.ctx = ctx, .file = *file};
	arena_init(&h->printed, ctx);
	return h;
}

void tess_module_free(tess_module *h)
{
	if (!h)
		return;
	if (h->m)
		module_free(h->m);
	arena_free(&h->printed);
	file_close(h->ctx, &h->file);
	ctx_realloc(h->ctx, h, 0);
}

void module_owns_file(tess_module *h, source *src)
{
	src->file = h->file;
	h->file = (file_text){0};
}

/* ---- reading ------------------------------------------------------------------------ */

typedef struct parse_call {
	tess_module *h;
	tess_str text;
	bool copy; /* the caller's text does not live on */
	const char *name;
	mlir_parse_opts opts;
	bool sharding_texts;
} parse_call;

static module *stablehlo_of_hlo(tess_ctx *ctx, source *src)
{
	module *hlo = hlo_parse(ctx, src);
	module *m = hlo ? hlo_to_stablehlo(hlo, &(hlo_raise_opts){.sdy = true, .texts = MLIR_ATTR_TEXTS}) : NULL;
	if (hlo)
		module_free(hlo);
	return m;
}

static tess_status parse_module_body(tess_ctx *ctx, void *arg)
{
	parse_call *c = arg;
	tess_str text = c->text;
	if (c->copy && file_is_gzip(text)) {
		tess_status status = file_gunzip(ctx, c->name ? c->name : "", text, &c->h->file);
		if (status != TESS_OK)
			return status;
		text = c->h->file.text;
	} else if (c->copy) {
		tess_status status = file_copy(ctx, text, &c->h->file);
		if (status != TESS_OK)
			return status;
		text = c->h->file.text;
	}
	source *src = source_new(ctx, c->name, text);
	src->mapped = c->h->file.map != NULL;
	c->h->m = hlo_is_text(ctx, text) ? stablehlo_of_hlo(ctx, src)
	                                 : mlir_parse(ctx, src, &c->opts);
	if (c->h->m)
		module_owns_file(c->h, src);
	if (!c->h->m || (c->sharding_texts && !module_take_texts(c->h->m, text, MLIR_ATTR_TEXTS)))
		return TESS_INVALID;
	return TESS_OK;
}

static tess_module *parse(tess_ctx *ctx, file_text *file, parse_call *c,
                          const tess_parse_opts *opts)
{
	tess_parse_opts o = TESS_PARSE_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	c->opts = (mlir_parse_opts){.allow_unregistered = o.allow_unregistered,
	                            .no_verify = o.skip_verify};
	c->sharding_texts = o.sharding_texts;
	c->h = module_handle_new(ctx, file);
	if (!c->h || frame_run(ctx, parse_module_body, c) == TESS_OK)
		return c->h;
	tess_module_free(c->h);
	return NULL;
}

tess_module *tess_module_parse(tess_ctx *ctx, tess_str text, const char *name,
                               const tess_parse_opts *opts)
{
	file_text none = {0};
	parse_call c = {.text = text, .copy = true, .name = name};
	return parse(ctx, &none, &c, opts);
}

typedef struct reading_call {
	reading_fn *fn;
	void *user;
} reading_call;

static tess_status reading_body(tess_ctx *ctx, void *arg)
{
	reading_call *c = arg;
	text_on_reading(ctx, c->fn, c->user);
	return TESS_OK;
}

tess_status tess_ctx_on_reading(tess_ctx *ctx, void (*fn)(void *user, size_t done, size_t total),
                                void *user)
{
	return frame_run(ctx, reading_body, &(reading_call){fn, user});
}

static tess_status new_body(tess_ctx *ctx, void *arg)
{
	tess_module *h = arg;
	h->m = module_new(ctx);
	h->m->top->kind = OP_BUILTIN_MODULE;
	return TESS_OK;
}

tess_module *tess_module_new(tess_ctx *ctx)
{
	file_text none = {0};
	tess_module *h = module_handle_new(ctx, &none);
	if (!h || frame_run(ctx, new_body, h) == TESS_OK)
		return h;
	tess_module_free(h);
	return NULL;
}

typedef struct read_call {
	const char *path;
	file_text file;
} read_call;

static tess_status read_body(tess_ctx *ctx, void *arg)
{
	read_call *c = arg;
	return file_read(ctx, c->path, &c->file);
}

tess_module *tess_module_parse_file(tess_ctx *ctx, const char *path, const tess_parse_opts *opts)
{
	read_call r = {.path = path};
	if (!path || frame_run(ctx, read_body, &r) != TESS_OK)
		return NULL;
	parse_call c = {.text = r.file.text, .name = strcmp(path, "-") == 0 ? "<stdin>" : path};
	return parse(ctx, &r.file, &c, opts);
}

/* ---- copying, checking, printing ------------------------------------------------------- */

typedef struct clone_call {
	const tess_module *from;
	tess_module *to;
} clone_call;

static tess_status clone_body(tess_ctx *ctx, void *arg)
{
	clone_call *c = arg;
	UNUSED(ctx);
	c->to->m = module_clone(c->from->m);
	return TESS_OK;
}

tess_module *tess_module_clone(tess_module *h)
{
	file_text none = {0};
	clone_call c = {.from = h, .to = module_handle_new(CTX_OF(h), &none)};
	if (c.to)
		c.to->unsettled = h->unsettled;
	if (!c.to || frame_run(CTX_OF(h), clone_body, &c) == TESS_OK)
		return c.to;
	tess_module_free(c.to);
	return NULL;
}

static tess_status verify_body(tess_ctx *ctx, void *arg)
{
	UNUSED(ctx);
	return module_verify(((tess_module *)arg)->m) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_verify(tess_module *h)
{
	return frame_run(CTX_OF(h), verify_body, h);
}

mlir_print_opts print_opts_of(const tess_print_opts *opts)
{
	tess_print_opts o = TESS_PRINT_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	return (mlir_print_opts){.generic = o.generic, .debuginfo = o.locations,
	                         .local_scope = o.local_scope, .elide_larger = o.elide_larger,
	                         .keep_names = o.keep_names};
}

typedef struct print_call {
	tess_module *h;
	mlir_print_opts opts;
	tess_str out;
} print_call;

static tess_status print_body(tess_ctx *ctx, void *arg)
{
	print_call *c = arg;
	writer w;
	UNUSED(ctx);
	arena_free(&c->h->printed);
	writer_init(&w, &c->h->printed);
	mlir_print(&w, c->h->m, &c->opts);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_module_print(tess_module *h, const tess_print_opts *opts)
{
	print_call c = {.h = h, .opts = print_opts_of(opts)};
	return frame_run(CTX_OF(h), print_body, &c) == TESS_OK ? c.out : (tess_str){0};
}
