/* hlo.c - the public side of HLO text. */
#include <tessera/hlo.h>

#include "api/frame.h"
#include "api/module.h"
#include "report/report.h"
#include "hlo/hlo.h"
#include "mlir/mlir.h"

/* ---- reading ---------------------------------------------------------------- */

typedef struct hlo_parse_call {
	tess_module *h;
	tess_str text;
	bool copy;
	const char *name;
} hlo_parse_call;

static tess_status hlo_parse_body(tess_ctx *ctx, void *arg)
{
	hlo_parse_call *c = arg;
	tess_status status = c->copy ? file_copy(ctx, c->text, &c->h->file) : TESS_OK;
	if (status != TESS_OK)
		return status;
	source *src = source_new(ctx, c->name, c->h->file.text);
	c->h->m = text_is_binary(ctx, src) ? NULL : hlo_parse(ctx, src);
	if (!c->h->m)
		return TESS_INVALID;
	module_owns_file(c->h, src);
	return TESS_OK;
}

static tess_module *hlo_handle(tess_ctx *ctx, file_text *file, hlo_parse_call *c)
{
	c->h = module_handle_new(ctx, file);
	if (!c->h || frame_run(ctx, hlo_parse_body, c) == TESS_OK)
		return c->h;
	tess_module_free(c->h);
	return NULL;
}

tess_module *tess_hlo_parse(tess_ctx *ctx, tess_str text, const char *name)
{
	file_text none = {0};
	return hlo_handle(ctx, &none, &(hlo_parse_call){.text = text, .copy = true, .name = name});
}

typedef struct hlo_read_call {
	const char *path;
	file_text file;
} hlo_read_call;

static tess_status hlo_read_body(tess_ctx *ctx, void *arg)
{
	hlo_read_call *c = arg;
	return file_read(ctx, c->path, &c->file);
}

tess_module *tess_hlo_parse_file(tess_ctx *ctx, const char *path)
{
	hlo_read_call f = {.path = path};
	if (frame_run(ctx, hlo_read_body, &f) != TESS_OK)
		return NULL;
	hlo_parse_call c = {.text = f.file.text, .name = strcmp(path, "-") == 0 ? "<stdin>" : path};
	return hlo_handle(ctx, &f.file, &c);
}

typedef struct hlo_question {
	const module *m;
	bool yes;
} hlo_question;

static tess_status is_hlo_body(tess_ctx *ctx, void *arg)
{
	hlo_question *q = arg;
	UNUSED(ctx);
	q->yes = hlo_is_module(q->m);
	return TESS_OK;
}

bool tess_module_is_hlo(const tess_module *h)
{
	hlo_question q = {.m = h->m};
	return frame_run(CTX_OF(h), is_hlo_body, &q) == TESS_OK && q.yes;
}

static bool must_be_hlo(tess_ctx *ctx, const tess_module *h)
{
	return hlo_is_module(h->m) ||
	       diag_error(ctx, NOWHERE, E_HLO_CONVERT, "the module is no HLO: convert it first");
}

/* ---- printing ------------------------------------------------------------------ */

static hlo_print_opts hlo_style_opts(tess_hlo_style style)
{
	switch (style) {
	case TESS_HLO_STYLE_DEFAULT: break;
	case TESS_HLO_STYLE_CANONICAL: return (hlo_print_opts)HLO_PRINT_CANONICAL;
	case TESS_HLO_STYLE_FINGERPRINT: return (hlo_print_opts)HLO_PRINT_FINGERPRINT;
	case TESS_HLO_STYLE_SHORT: return (hlo_print_opts)HLO_PRINT_SHORT;
	}
	return (hlo_print_opts)HLO_PRINT_DEFAULT;
}

typedef struct hlo_print_call {
	tess_module *h;
	hlo_print_opts opts;
	tess_str out;
} hlo_print_call;

static tess_status hlo_print_body(tess_ctx *ctx, void *arg)
{
	hlo_print_call *c = arg;
	writer w;
	if (!must_be_hlo(ctx, c->h))
		return TESS_INVALID;
	arena_free(&c->h->printed);
	writer_init(&w, &c->h->printed);
	hlo_print(&w, c->h->m, &c->opts);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_hlo_print(tess_module *h, const tess_hlo_print_opts *opts)
{
	tess_hlo_print_opts o = TESS_HLO_PRINT_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	hlo_print_call c = {.h = h, .opts = hlo_style_opts(o.style)};
	c.opts.metadata = c.opts.metadata && !o.no_metadata;
	c.opts.large_constants = c.opts.large_constants || o.large_constants;
	return frame_run(CTX_OF(h), hlo_print_body, &c) == TESS_OK ? c.out : (tess_str){0};
}

/* ---- converting ---------------------------------------------------------------------- */

typedef struct hlo_convert_call {
	tess_module *h;
	hlo_raise_opts opts;
} hlo_convert_call;

static tess_status hlo_convert_body(tess_ctx *ctx, void *arg)
{
	hlo_convert_call *c = arg;
	if (!must_be_hlo(ctx, c->h))
		return TESS_INVALID;
	module *m = hlo_to_stablehlo(c->h->m, &c->opts);
	if (!m)
		return TESS_INVALID;
	module_free(c->h->m);
	c->h->m = m;
	return TESS_OK;
}

tess_status tess_hlo_to_stablehlo(tess_module *h, const tess_hlo_convert_opts *opts)
{
	tess_hlo_convert_opts o = TESS_HLO_CONVERT_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	hlo_convert_call c = {.h = h, .opts = {.sdy = o.sdy, .texts = MLIR_ATTR_TEXTS}};
	return frame_run(CTX_OF(h), hlo_convert_body, &c);
}

static tess_status hlo_lower_body(tess_ctx *ctx, void *arg)
{
	tess_module *h = arg;
	UNUSED(ctx);
	if (hlo_is_module(h->m))
		return TESS_OK;
	bool fits = module_verify(h->m) && module_wants_single_blocks(h->m, "HLO");
	module *m = fits ? hlo_of_stablehlo(h->m, MLIR_ATTR_TEXTS) : NULL;
	if (!m)
		return TESS_INVALID;
	module_free(h->m);
	h->m = m;
	return TESS_OK;
}

tess_status tess_hlo_from_stablehlo(tess_module *h)
{
	return frame_run(CTX_OF(h), hlo_lower_body, h);
}

/* ---- facts ------------------------------------------------------------------------ */

typedef struct hlo_stats_call {
	tess_module *h;
	bool json;
	tess_str out;
	tess_hlo_cost cost;
} hlo_stats_call;

static tess_status hlo_stats_body(tess_ctx *ctx, void *arg)
{
	hlo_stats_call *c = arg;
	hlo_stats s;
	writer w;
	if (!must_be_hlo(ctx, c->h))
		return TESS_INVALID;
	hlo_stats_of(c->h->m, &ctx->scratch, &s);
	writer_init(&w, frame_text_arena(ctx));
	if (c->json)
		report_hlo_json(&s, &w);
	else
		report_hlo_text(&s, &w);
	c->out = writer_str(&w);
	return TESS_OK;
}

tess_str tess_hlo_stats(tess_module *h, bool json)
{
	hlo_stats_call c = {.h = h, .json = json};
	return frame_run(CTX_OF(h), hlo_stats_body, &c) == TESS_OK ? c.out : (tess_str){0};
}

static tess_status hlo_cost_body(tess_ctx *ctx, void *arg)
{
	hlo_stats_call *c = arg;
	hlo_stats s;
	if (!must_be_hlo(ctx, c->h))
		return TESS_INVALID;
	hlo_stats_of(c->h->m, &ctx->scratch, &s);
	c->cost = (tess_hlo_cost){.flops = s.cost.flops, .transcendentals = s.cost.transcendentals,
	                          .bytes = s.cost.bytes, .result_bytes = s.cost.result_bytes};
	for (int i = 0; i < HLO_COST_OPERANDS; i++) {
		c->cost.operand_bytes[i] = s.cost.operand_bytes[i];
		c->cost.operand_uses[i] = s.cost.operand_uses[i];
	}
	return TESS_OK;
}

tess_status tess_hlo_cost_get(tess_module *h, tess_hlo_cost *out)
{
	hlo_stats_call c = {.h = h};
	tess_status status = frame_run(CTX_OF(h), hlo_cost_body, &c);
	*out = c.cost;
	return status;
}

/* ---- tables ---------------------------------------------------------------------- */

bool tess_hlo_opcode_get(int i, tess_hlo_opcode_info *out)
{
	const hlo_opcode *o = hlo_opcode_at(i);
	if (!o)
		return false;
	*out = (tess_hlo_opcode_info){o->opcode, o->min, o->max};
	return true;
}

const char *tess_hlo_opcode_attr(int i, int k, bool *required)
{
	int flags = 0;
	const hlo_opcode *o = hlo_opcode_at(i);
	const hlo_attribute *a = i < 0 ? hlo_common_attr(k)
	                         : o   ? hlo_opcode_attr(o, k, &flags)
	                               : NULL;
	if (required)
		*required = flags & HLO_ATTR_REQUIRED;
	return a ? a->name : NULL;
}
