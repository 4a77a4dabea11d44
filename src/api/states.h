/* states.h - a program in the states that reports look at. */
#ifndef TESS_API_STATES_H
#define TESS_API_STATES_H

#include "api/module.h"
#include "report/report.h"

/* Of a program of one device both are copies of it.  Else `global` is a propagated copy, `local` what one device runs of it, `origins` why its
 * collectives are there. */
typedef struct program_states {
	module *global;
	local_program local;
	const mesh *mesh;      /* the program's; NULL: it has none */
	program_meshes meshes; /* all that it names, in the scratch memory of the call */
	module *opened; /* `local` with calls opened, if states_open() was asked for it */
	origin_list origins;
	bool as_shardy; /* reshards where Shardy would, if that was set before */
	const target *machine; /* for which it is partitioned, if one was there before; NULL: none */
	trail *trail;  /* of `global`, if one was there before states_make() */
	ptr_map edges; /* with a trail: what the edges stood for that export has erased */
} program_states;

/* @return TESS_OK, or TESS_INVALID once the errors are in the context.  Release in any case. */
tess_status states_make(tess_ctx *ctx, const module *given, program_states *out);
/* Makes `opened`; it stays NULL where that would be far larger. */
void states_open(program_states *s);
void states_free(program_states *s);

/* Makes the page of a program that has a plan's annotations, on the plan's machine (report.c).
 * @return as tess_module_report(). */
tess_status plan_page(tess_module *planned, const plan_words *plan, const target *t, char **out);
#endif
