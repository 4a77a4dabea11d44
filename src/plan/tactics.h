/* tactics.h - plans as people write them: "fsdp over data; megatron over model". */
#ifndef TESS_PLAN_TACTICS_H
#define TESS_PLAN_TACTICS_H

#include "plan/model/layout.h"
#include "plan/roles.h"

typedef enum tactic_id {
#define TACTIC(id, word, uses, stores, about) TACTIC_##id,
#include "plan/tactics.def"
#undef TACTIC
	TACTICS,
} tactic_id;

/* Which values inside the program are annotated. */
typedef enum tactic_pins {
	PINS_ALL,  /* products, copies of parameters, and sums */
	PINS_SUMS, /* sums of a product and something else with several users, which layers pass
		    * on */
	PINS_NONE, /* propagation decides */
	PIN_CHOICES,
} tactic_pins;

/* One tactic for each axis of a mesh. */
typedef struct tactic {
	int n;
	tactic_id on[PLAN_AXES];
	tactic_pins pins;
} tactic;

/* Writes the tactic's shardings into p->at, for p->mesh. */
void tactic_apply(const plan_subject *s, const plan_roles *r, const tactic *t, plan *p);
/* True if the program has the dimensions that the tactic shards. */
bool tactic_applies(const plan_roles *r, tactic_id t);
const char *tactic_text(const tactic *t, const mesh *m, arena *mem);
/* Parses tactic ::= word "over" axis (";" tactic)?. Writes the axes that it names to axes[i].
 * Returns false after reporting an error. */
bool tactic_parse(tess_ctx *ctx, const char *text, tactic *out, const name **axes);

#endif
