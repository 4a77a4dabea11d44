/* lint.c - finds likely mistakes in a sharded program.
 *
 * A finding says what was found, where, what it costs over all devices, and what to change. The
 * checks look at values (lint_values.c), at the program's annotations (lint_annotations.c), and at
 * the resulting collectives (lint_collectives.c). */
#include "report/lint_walk.h"

#include <stdlib.h>

typedef struct lint_row {
	const char *code, *title;
	lint_severity severity;
} lint_row;

static const lint_row lint_rows[] = {
#define LINT(code, id, severity, title) {"L" #code, title, LINT_##severity},
#include "report/lint.def"
#undef LINT
};

const char *lint_code(lint_kind k) { return lint_rows[k].code; }
const char *lint_title(lint_kind k) { return lint_rows[k].title; }
lint_severity lint_severity_of(lint_kind k) { return lint_rows[k].severity; }

/* ---- running all checks --------------------------------------------------------------------- */

static int by_gravity(const void *a, const void *b)
{
	const finding *x = a, *y = b;
	lint_severity sx = lint_severity_of(x->kind), sy = lint_severity_of(y->kind);
	if (sx != sy)
		return sx < sy ? 1 : -1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return x->at.begin < y->at.begin ? -1 : x->at.begin > y->at.begin;
}

void lint_run(const lint_input *in, arena *mem, finding_list *out)
{
	lint_walk w = {.in = in, .mem = mem, .out = out};
	lint_values(&w);
	lint_annotations(&w);
	if (in->local)
		lint_collectives(&w);
	if (out->len)
		qsort(out->ptr, (size_t)out->len, sizeof(finding), by_gravity);
}
