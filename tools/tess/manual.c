/* manual.c - manual pages and completion, from the tables that --help prints. */
#include "tess.h"

#include <ctype.h>
#include <string.h>
#include <tessera/core.h>

/* Text as troff reads it: a backslash is two, a dash is no hyphen, and a line that begins
 * with a dot or quote is no request. */
static void put_troff(const char *text, FILE *to)
{
	bool begin = true;
	for (const char *s = text; *s; s++) {
		if (begin && (*s == '.' || *s == '\''))
			fputs("\\&", to);
		if (*s == '\\')
			fputs("\\e", to);
		else if (*s == '-')
			fputs("\\-", to);
		else if (strncmp(s, "…", strlen("…")) == 0)
			fputs("...", to), s += strlen("…") - 1;
		else
			fputc(*s, to);
		begin = *s == '\n';
	}
}

static void put_title(const char *name, const char *summary, FILE *to)
{
	fprintf(to, ".TH TESS%s", *name ? "\\-" : "");
	for (const char *s = name; *s; s++)
		fputc(toupper((unsigned char)*s), to);
	fprintf(to, " 1 \"\" \"tessera %s\" \"User Commands\"\n.SH NAME\n", tess_version());
	fprintf(to, "tess%s%s \\- ", *name ? "\\-" : "", name);
	put_troff(summary, to);
	fputc('\n', to);
}

/* Lines of text that are filled; an empty line begins a paragraph. */
static void put_paragraphs(const char *text, FILE *to)
{
	for (const char *s = text; *s;) {
		const char *end = strchr(s, '\n');
		size_t len = end ? (size_t)(end - s) : strlen(s);
		char line[512];
		snprintf(line, sizeof line, "%.*s", (int)len, s);
		if (len)
			put_troff(line, to);
		else
			fputs(".PP", to);
		fputc('\n', to);
		s += len + (end != NULL);
	}
}

static void put_option(const option *o, FILE *to)
{
	fprintf(to, ".TP\n.BR %s%s", o->name[1] ? "\\-\\-" : "\\-", o->name);
	if (o->arg) {
		fputs(" \" ", to);
		for (const char *s = o->arg; *s; s++)
			fputs(*s == '"' ? "\\(dq" : (char[]){*s, 0}, to);
		fputc('"', to);
	}
	fputc('\n', to);
	put_troff(o->help, to);
	fputc('\n', to);
}

void command_man(const command *self, const option *table, int n, FILE *to)
{
	put_title(self->name, self->summary, to);
	fprintf(to, ".SH SYNOPSIS\n.B tess %s\n", self->name);
	put_troff(self->args, to);
	fputs("\n.SH DESCRIPTION\n", to);
	put_paragraphs(self->about, to);
	if (n)
		fputs(".SH OPTIONS\n", to);
	for (int i = 0; i < n; i++)
		put_option(&table[i], to);
	fputs(".SH EXAMPLES\n.nf\n", to);
	put_troff(self->examples, to);
	fputs(".fi\n.SH EXIT STATUS\n.nf\n", to);
	put_troff(self->status, to);
	fputs("\n2    the command line is wrong\n130  ended by Ctrl\\-C\n.fi\n.SH SEE ALSO\n.BR tess (1)\n",
	      to);
}

void command_options(const option *table, int n, FILE *to)
{
	for (int i = 0; i < n; i++) {
		const char *end = strchr(table[i].help, '\n');
		fprintf(to, "%s%s\t%.*s\n", table[i].name[1] ? "--" : "-", table[i].name,
		        (int)(end ? (size_t)(end - table[i].help) : strlen(table[i].help)),
		        table[i].help);
	}
}

void overview_man(const command *const *commands, int n, FILE *to)
{
	put_title("", "shard tensor programs, explain it, and run the result", to);
	fputs(".SH SYNOPSIS\n.B tess\n.I COMMAND\n[ARGUMENTS]\n.SH DESCRIPTION\n"
	      "FILE is a program: MLIR text or bytecode, what jax.export writes, or HLO; plain or gzipped.\n"
	      "\\- is standard input.\n.PP\n"
	      "Results go to standard output, diagnostics to standard error. Output is coloured only on a\n"
	      "terminal, and not if NO_COLOR is set. Other programs should read the output of \\-\\-json.\n"
	      ".SH COMMANDS\n",
	      to);
	for (int i = 0; i < n; i++) {
		fprintf(to, ".TP\n.BR tess\\-%s (1)\n", commands[i]->name);
		put_troff(commands[i]->summary, to);
		fputc('\n', to);
	}
	fputs(".SH EXIT STATUS\n.nf\n0    done\n1    the input is wrong, or a check failed\n"
	      "2    the command line is wrong\n130  ended by Ctrl\\-C\n.fi\n",
	      to);
}
