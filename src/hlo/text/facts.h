/* facts.h - what cost.c and stats.c share. Internal to hlo/text. */
#ifndef TESS_HLO_TEXT_FACTS_H
#define TESS_HLO_TEXT_FACTS_H

#include "hlo/text/text.h"

/* The cost of one instruction, without the computations it calls. */
void hlo_instruction_cost(const op *o, tess_ctx *ctx, hlo_cost *out);

#endif
