/* facts.h - what cost.c and stats.c share.  Private to the layer. */
#ifndef TESS_HLO_TEXT_FACTS_H
#define TESS_HLO_TEXT_FACTS_H

#include "hlo/text/text.h"

/* Of one instruction, without what it calls. */
void hlo_instruction_cost(const op *o, tess_ctx *ctx, hlo_cost *out);

#endif
