/* states.h - a program in the states that reports need. */
#ifndef TESS_API_STATES_H
#define TESS_API_STATES_H

#include "api/module.h"
#include "report/report.h"

/* `global` is a propagated copy, `local` the per-device program, `origins` why its collectives
 * exist. For a per-device program, both are copies of it. */
typedef struct program_states {
	module *global;
	local_program local;
	const mesh *mesh;      /* the program's; NULL: it has none */
	program_meshes meshes; /* all that it names, in the scratch memory of the call */
	module *opened; /* `local` with calls inlined, after states_open() */
	origin_list origins;
	bool as_shardy; /* set by the caller: reshard where Shardy would */
	const target *machine; /* set by the caller: the machine to partition for; NULL: none */
	trail *trail;  /* of `global`; created by the caller, or NULL */
	ptr_map edges; /* with a trail: the values that erased edges stood for */
} program_states;

/* Returns TESS_OK, or TESS_INVALID with a diagnostic. Call states_free() in either case. */
tess_status states_make(tess_ctx *ctx, const module *given, program_states *out);
/* Sets `opened`, or leaves it NULL if it would be far larger. */
void states_open(program_states *s);
void states_free(program_states *s);

/* Makes the page of a program that is annotated by a plan, for the plan's machine (report.c).
 * @return as tess_module_report() */
tess_status plan_page(tess_module *planned, const plan_words *plan, const target *t, char **out);
#endif
