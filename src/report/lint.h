/* lint.h - finds likely mistakes in a sharded program. */
#ifndef TESS_REPORT_LINT_H
#define TESS_REPORT_LINT_H

#include "partition/partition.h"

typedef enum lint_severity { LINT_NOTE, LINT_WARNING, LINT_ERROR } lint_severity;

/* lint.def: LINT(code, id, severity, title). Codes never change. */
typedef enum lint_kind {
#define LINT(code, id, severity, title) LINT_##id,
#include "report/lint.def"
#undef LINT
	LINT_KINDS
} lint_kind;

typedef struct finding {
	lint_kind kind;
	const value *v;    /* what it is about; may be NULL */
	const op *o;       /* the same */
	const attr *loc;   /* the user's source line; may be NULL */
	place at;          /* in the program's text */
	int64_t bytes;     /* its cost over all devices */
	int more;          /* further findings of this kind that are alike */
	int collective;    /* the collective's number in reports and for explain, plus 1; 0: none */
	const char *text;  /* what was found */
	const char *advice; /* what to do */
} finding;

typedef VEC(finding) finding_list;

/* The program as given, after propagation (`global`), and the per-device program (`local`). `local`
 * may be NULL; then collectives are not checked. */
typedef struct lint_input {
	const module *given, *global, *local;
	const collective_origin *origins; /* of the collectives of `local` */
	int n_origins;
	const mesh *mesh;      /* the program's */
	program_meshes meshes; /* all meshes that it names */
	int64_t large; /* a replicated tensor is large from this many bytes on */
} lint_input;

const char *lint_code(lint_kind k); /* "L2" */
const char *lint_title(lint_kind k);
lint_severity lint_severity_of(lint_kind k);

/* Runs all checks; findings are ordered by severity, then by size. */
void lint_run(const lint_input *in, arena *mem, finding_list *out);
void lint_text(const finding_list *f, writer *w, bool color);
void lint_json(const finding_list *f, arena *mem, writer *w);
/* Writes "findings", a member of an open object. */
void lint_members(const finding_list *f, arena *mem, json *j);
/* Writes SARIF 2.1.0, for code hosts and editors. */
void lint_sarif(const finding_list *f, const char *file, arena *mem, writer *w);

#endif
