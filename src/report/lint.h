/* lint.h - likely mistakes in a sharded program. */
#ifndef TESS_REPORT_LINT_H
#define TESS_REPORT_LINT_H

#include "partition/partition.h"

typedef enum lint_severity { LINT_NOTE, LINT_WARNING, LINT_ERROR } lint_severity;

/* lint.def: LINT(code, id, severity, title).  Codes are permanent. */
typedef enum lint_kind {
#define LINT(code, id, severity, title) LINT_##id,
#include "report/lint.def"
#undef LINT
	LINT_KINDS
} lint_kind;

typedef struct finding {
	lint_kind kind;
	const value *v;    /* what it is about; may be NULL */
	const op *o;       /* likewise */
	const attr *loc;   /* the user's source line; may be NULL */
	place at;          /* in the program's text */
	int64_t bytes;     /* what it costs, over all devices */
	int more;          /* that many others of the kind at the same source line, or alike */
	int collective;    /* its number in reports and for explain, plus 1; 0: it is about none */
	const char *text;  /* what was found */
	const char *advice; /* what to do */
} finding;

typedef VEC(finding) finding_list;

/* The program as given, after propagation, and what one device runs of it.
 * `local` may be NULL: then collectives are not looked at. */
typedef struct lint_input {
	const module *given, *global, *local;
	const collective_origin *origins; /* of the collectives of `local` */
	int n_origins;
	const mesh *mesh;      /* the program's */
	program_meshes meshes; /* all that it names */
	int64_t large; /* bytes from which a replicated tensor counts as large */
} lint_input;

const char *lint_code(lint_kind k); /* "L2" */
const char *lint_title(lint_kind k);
lint_severity lint_severity_of(lint_kind k);

/* Findings, gravest and largest first. */
void lint_run(const lint_input *in, arena *mem, finding_list *out);
void lint_text(const finding_list *f, writer *w, bool color);
void lint_json(const finding_list *f, arena *mem, writer *w);
/* "findings", a member of an object that is open. */
void lint_members(const finding_list *f, arena *mem, json *j);
/* SARIF 2.1.0, for code hosts and editors. */
void lint_sarif(const finding_list *f, const char *file, arena *mem, writer *w);

#endif
