/* pages.c - TESSERA_REPORT=FOLDER: the report page of every program that is compiled. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tessera/report.h>

/* Names of programs are those of Python functions; what a file cannot be called becomes _. */
static void file_name(const PJRT_Executable *x, const char *folder, char *out, size_t room)
{
	int n = snprintf(out, room, "%s/", folder);
	for (const char *c = x->name; *c && n > 0 && (size_t)n + 40 < room; c++)
		out[n++] = strchr("/\\ <>:\"|?*", *c) ? '_' : *c;
	snprintf(out + n, room - (size_t)n, "-%.8s.html", strrchr(x->fingerprint, '-') + 1);
}

static bool write_page(const char *path, const char *page)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return false;
	bool good = fputs(page, f) >= 0;
	return fclose(f) == 0 && good;
}

/* What goes wrong is said once a program, and the program runs all the same. */
void page_leave(PJRT_Executable *x)
{
	const char *folder = getenv("TESSERA_REPORT");
	char path[512], *page = NULL;
	if (!folder || !*folder || (x->client && x->client->process > 0))
		return; /* one process leaves the page for all */
	tess_report_opts opts = TESS_REPORT_OPTS_INIT;
	opts.format = TESS_FORMAT_HTML;
	opts.title = x->name;
	opts.target = getenv("TESSERA_TARGET");
	tess_status status = tess_module_report(x->program, &opts, &page);
	if (status != TESS_OK) {
		PJRT_Error *e = error_of_context(x->ctx, status, "no report page");
		const char *text;
		size_t n;
		e->vtable->message(e, &text, &n);
		fprintf(stderr, "%.*s\n", (int)n, text);
		error_drop(e);
		return;
	}
	mkdir(folder, 0777); /* it may be there */
	file_name(x, folder, path, sizeof path);
	if (!write_page(path, page))
		fprintf(stderr, "tessera: %s cannot be written\n", path);
	tess_text_free(page);
}
