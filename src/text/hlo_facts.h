/* hlo_facts.h - what hlo_cost.c and hlo_stats.c share.  Private to the layer. */
#ifndef TESS_TEXT_HLO_FACTS_H
#define TESS_TEXT_HLO_FACTS_H

#include "text/hlo.h"

/* Of one instruction, without what it calls. */
void hlo_instruction_cost(const op *o, tess_ctx *ctx, hlo_cost *out);

#endif
