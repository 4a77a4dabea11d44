/* edited.c - if every operation of a program is edited and the edit is undone, the program is the
 * same.
 *
 *   edited FILE.mlir...
 *
 * Each part of a file between its `// -----` lines, valid or not, is parsed twice. In one of the
 * two modules, every operation gets one more operand, and then its old operands again. Both must
 * produce the same diagnostics, print alike, and be equal after the passes below. */
#include "../support/lent.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/passes.h>

static const char *const pipelines[] = {
	"sdy-populate-op-sharding-rules", "canonicalize", "cse,symbol-dce", "inline",
	"sdy-propagation-pipeline",       "sdy-import-pipeline",
};

typedef struct tally {
	int parts, differ;
} tally;

/* ---- describing a program ------------------------------------------------------------------- */

static void say(FILE *out, tess_str s) { fprintf(out, "%.*s\n", (int)s.len, s.ptr); }

static void say_diagnostics(FILE *out, tess_ctx *ctx)
{
	say(out, lent(tess_diag_render(ctx, false)));
	tess_diag_clear(ctx);
}

static void say_module(FILE *out, tess_module *m)
{
	tess_print_opts o = TESS_PRINT_OPTS_INIT;
	o.generic = true;
	say(out, lent(tess_module_print(m, &o)));
}

static void say_all(FILE *out, tess_module *m)
{
	tess_ctx *ctx = tess_module_ctx(m);
	bool valid = tess_module_verify(m) == TESS_OK;
	say_diagnostics(out, ctx);
	say_module(out, m);
	for (size_t i = 0; valid && i < sizeof pipelines / sizeof *pipelines; i++) {
		tess_module *copy = tess_module_clone(m);
		tess_status s = tess_module_run_passes(copy, pipelines[i]);
		fprintf(out, "%s: %d\n", pipelines[i], s);
		say_diagnostics(out, ctx);
		if (s == TESS_OK)
			say_module(out, copy);
		tess_module_free(copy);
	}
}

/* ---- edits ------------------------------------------------------------------------------------- */

static void edit_operands(tess_module *m, tess_op *o)
{
	size_t n = tess_op_operand_count(o);
	tess_value **v = malloc((n + 1) * sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i] = tess_op_operand(o, i);
	v[n] = n ? v[0] : NULL;
	if (n && (tess_op_set_operands(m, o, v, n + 1) || tess_op_set_operands(m, o, v, n)))
		abort();
	free(v);
}

static void edit_all(tess_module *m)
{
	tess_op *top = tess_module_op(m);
	for (tess_op *o = top; o; o = tess_op_walk(o, top))
		edit_operands(m, o);
}

/* ---- files ------------------------------------------------------------------------------------- */

/* Returns the description of the program, to be freed; NULL if it cannot be parsed. */
static char *said_of(tess_str text, const char *name, bool edited)
{
	char *said = NULL;
	size_t size = 0;
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.skip_verify = opts.allow_unregistered = true;
	tess_module *m = tess_module_parse(ctx, text, name, &opts);
	if (m) {
		FILE *out = open_memstream(&said, &size);
		if (edited)
			edit_all(m);
		say_all(out, m);
		fclose(out);
		tess_module_free(m);
	}
	tess_ctx_free(ctx);
	return said;
}

static void try_part(tess_str text, const char *name, tally *t)
{
	char *plain = said_of(text, name, false), *edited = said_of(text, name, true);
	if (plain) {
		t->parts++;
		if (strcmp(plain, edited)) {
			t->differ++;
			fprintf(stderr, "%s: an edit that was undone is seen.  Before:\n%s\nAfter:\n%s\n",
			        name, plain, edited);
		}
	}
	free(plain);
	free(edited);
}

static void try_file(const char *path, tally *t)
{
	static const char mark[] = "// -----";
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0;
	if (!f || getdelim(&text, &size, '\0', f) < 0) {
		perror(path);
		exit(2);
	}
	fclose(f);
	for (char *part = text, *end; part; part = end) {
		end = strstr(part + 1, mark);
		try_part((tess_str){part, end ? (size_t)(end - part) : strlen(part)}, path, t);
	}
	free(text);
}

int main(int argc, char **argv)
{
	tally t = {0};
	for (int i = 1; i < argc; i++)
		try_file(argv[i], &t);
	printf("%d programs, %d differ after edits that were undone\n", t.parts, t.differ);
	return t.differ || !t.parts;
}
