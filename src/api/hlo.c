/* hlo.c - the public functions of HLO. */
#include <tessera/hlo.h>

#include "api/frame.h"
#include "api/module.h"
#include "report/report.h"
#include "hlo/hlo.h"
#include "mlir/mlir.h"

bool tess_module_is_hlo(const tess_module *h) { return h && hlo_is_module(h->m); }

static bool must_be_hlo(tess_ctx *ctx, const tess_module *h)
{
	return hlo_is_module(h->m) ||
	       diag_error(ctx, NOWHERE, E_HLO_CONVERT, "the module is not HLO: convert it first");
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

static char *hlo_text(const tess_module *h, const tess_hlo_print_opts *opts)
{
	hlo_print_opts o = hlo_style_opts(opts->style);
	if (!must_be_hlo(h->ctx, h))
		return NULL;
	o.metadata = o.metadata && !opts->no_metadata;
	o.large_constants = o.large_constants || opts->large_constants;
	writer w = text_writer(h->ctx);
	hlo_print(&w, h->m, &o);
	return text_give(h->ctx, &w);
}

char *tess_hlo_print(tess_module *h, const tess_hlo_print_opts *opts)
{
	tess_hlo_print_opts o = TESS_HLO_PRINT_OPTS_INIT;
	frame f;
	if (!h)
		return NULL;
	OPTS_READ(o, opts);
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = hlo_text(h, &o);
	return frame_made(&f);
}

/* ---- converting ---------------------------------------------------------------------- */

/* Replaces the module of the handle; NULL: it is unchanged. */
static tess_status module_becomes(tess_module *h, module *m)
{
	if (!m)
		return TESS_INVALID;
	module_free(h->m);
	h->m = m;
	return TESS_OK;
}

static tess_status to_stablehlo(tess_module *h, bool sdy)
{
	if (!must_be_hlo(h->ctx, h))
		return TESS_INVALID;
	return module_becomes(
		h, hlo_to_stablehlo(h->m, &(hlo_raise_opts){.sdy = sdy, .texts = MLIR_ATTR_TEXTS}));
}

tess_status tess_hlo_to_stablehlo(tess_module *h, const tess_hlo_convert_opts *opts)
{
	tess_hlo_convert_opts o = TESS_HLO_CONVERT_OPTS_INIT;
	frame f;
	if (!h)
		return TESS_USAGE;
	OPTS_READ(o, opts);
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = to_stablehlo(h, o.sdy);
	return frame_end(&f);
}

static tess_status from_stablehlo(tess_module *h)
{
	if (hlo_is_module(h->m))
		return TESS_OK;
	bool fits = module_verify(h->m) && module_wants_single_blocks(h->m, "HLO");
	return module_becomes(h, fits ? hlo_of_stablehlo(h->m, MLIR_ATTR_TEXTS) : NULL);
}

tess_status tess_hlo_from_stablehlo(tess_module *h)
{
	frame f;
	if (!h)
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = from_stablehlo(h);
	return frame_end(&f);
}

/* ---- statistics ----------------------------------------------------------------------------- */

static char *stats_text(const tess_module *h, bool json)
{
	tess_ctx *ctx = h->ctx;
	hlo_stats s;
	if (!must_be_hlo(ctx, h))
		return NULL;
	writer w = text_writer(ctx);
	hlo_stats_of(h->m, &ctx->scratch, &s);
	if (json)
		report_hlo_json(&s, &w);
	else
		report_hlo_text(&s, &w);
	return text_give(ctx, &w);
}

char *tess_hlo_stats(tess_module *h, bool json)
{
	frame f;
	if (!h)
		return NULL;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.made = stats_text(h, json);
	return frame_made(&f);
}

static tess_status hlo_costs(const tess_module *h, tess_hlo_cost *out)
{
	hlo_stats s;
	if (!must_be_hlo(h->ctx, h))
		return TESS_INVALID;
	hlo_stats_of(h->m, &h->ctx->scratch, &s);
	*out = (tess_hlo_cost){.flops = s.cost.flops,
	                       .transcendentals = s.cost.transcendentals,
	                       .bytes = s.cost.bytes,
	                       .result_bytes = s.cost.result_bytes};
	for (int i = 0; i < HLO_COST_OPERANDS; i++) {
		out->operand_bytes[i] = s.cost.operand_bytes[i];
		out->operand_uses[i] = s.cost.operand_uses[i];
	}
	return TESS_OK;
}

tess_status tess_hlo_cost_get(tess_module *h, tess_hlo_cost *out)
{
	frame f;
	if (!h || !out)
		return TESS_USAGE;
	*out = (tess_hlo_cost){0};
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = hlo_costs(h, out);
	return frame_end(&f);
}

/* ---- opcodes -------------------------------------------------------------------------------- */

static const hlo_opcode *opcode_at(size_t i)
{
	return i <= INT32_MAX ? hlo_opcode_at((int)i) : NULL;
}

bool tess_hlo_opcode_get(size_t i, tess_hlo_opcode_info *out)
{
	const hlo_opcode *o = opcode_at(i);
	if (!o || !out)
		return false;
	*out = (tess_hlo_opcode_info){o->opcode, o->min, o->max};
	return true;
}

const char *tess_hlo_opcode_attr(const char *opcode, size_t i, bool *required)
{
	int flags = 0, k = i <= INT32_MAX ? (int)i : INT32_MAX;
	const char *stage;
	const hlo_opcode *o = opcode ? hlo_opcode_find(str_of(opcode), &stage) : NULL;
	const hlo_attribute *a = !opcode ? hlo_common_attr(k)
	                         : o     ? hlo_opcode_attr(o, k, &flags)
	                                 : NULL;
	if (required)
		*required = flags & HLO_ATTR_REQUIRED;
	return a ? a->name : NULL;
}
