/* common.c - contexts, diagnostics and output of the subcommands. */
#include "tess.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

/* One command is one process, so that its heap may be trimmed here. */
static void trim(void *user)
{
	(void)user;
	malloc_trim(0);
}
#else
#define trim NULL
#endif

tess_ctx *context_new(void)
{
	tess_ctx_opts opts = TESS_CTX_OPTS_INIT;
	opts.trim = trim;
	tess_ctx *ctx = tess_ctx_new(&opts);
	if (!ctx) {
		fputs("tess: out of memory\n", stderr);
		exit(EXIT_WRONG);
	}
	progress_reading(ctx);
	return ctx;
}

/* NO_COLOR: see no-color.org. */
static bool want_color(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	return isatty(fd) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

tess_format terminal_format(void)
{
	return want_color(STDOUT_FILENO) ? TESS_FORMAT_COLOR : TESS_FORMAT_TEXT;
}

void print_diags(tess_ctx *ctx)
{
	char *text = tess_diag_render(ctx, want_color(STDERR_FILENO));
	progress_stop();
	if (text)
		fputs(text, stderr);
	tess_text_free(text);
	tess_diag_clear(ctx);
}

int finish_output(int code)
{
	if (fflush(stdout) == 0 || errno == EPIPE)
		return code;
	fprintf(stderr, "tess: standard output: %s\n", strerror(errno));
	return EXIT_WRONG;
}

/* What was reported only when it was needed, as a damaged location is when it is printed, is wrong, too. */
int finish(tess_ctx *ctx, tess_status status)
{
	bool wrong = tess_diag_errors(ctx) > 0;
	print_diags(ctx);
	if (status == TESS_NOMEM)
		fputs("tess: out of memory\n", stderr);
	tess_ctx_free(ctx);
	if (finish_output(EXIT_DONE) != EXIT_DONE)
		return EXIT_WRONG;
	if (status == TESS_STOPPED)
		return EXIT_INTERRUPTED;
	return status == TESS_OK ? (wrong ? EXIT_WRONG : EXIT_DONE) : status == TESS_USAGE ? EXIT_USAGE : EXIT_WRONG;
}

int on_one_file(const command *self, int argc, char **argv, const option *table, int n,
                file_work *work, void *own)
{
	options o = {.self = self, .table = table, .n = n, .min_files = 1, .max_files = 1};
	int status = options_parse(&o, argc, argv);
	if (status < 0) {
		tess_ctx *ctx = context_new();
		status = finish(ctx, work(self, ctx, o.files[0], own));
	}
	options_free(&o);
	return status;
}

bool write_list(const command *self, const char *path, tess_str text)
{
	enum { SHOWN = 200, SLACK = 20 }; /* a few lines more are no reason to cut */
	size_t lines = 0, end = text.len;
	if ((path && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO))
		return write_text(self, path, text);
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] == '\n' && ++lines == SHOWN)
			end = i + 1;
	if (lines <= SHOWN + SLACK)
		return write_text(self, path, text);
	return write_text(self, path, (tess_str){text.ptr, end}) &&
	       printf("… and %zu more lines; a file or a pipe gets all: tess %s … | less\n",
	              lines - SHOWN, self->name) > 0;
}

bool write_text(const command *self, const char *path, tess_str text)
{
	progress_stop();
	bool std = !path || strcmp(path, "-") == 0;
	FILE *f = std ? stdout : fopen(path, "w");
	bool good = f && (!text.len || fwrite(text.ptr, 1, text.len, f) == text.len) &&
	            fflush(f) == 0;
	if (!good && std && errno == EPIPE) /* who reads has enough, as in finish_output() */
		good = true;
	if (!good)
		fprintf(stderr, "tess %s: %s: %s\n", self->name, std ? "standard output" : path,
		        strerror(errno));
	if (f && !std)
		good &= fclose(f) == 0;
	return good;
}

tess_status give_text(const command *self, const char *path, char *text, bool list)
{
	tess_status status = !text ? TESS_INVALID
	                     : (list ? write_list : write_text)(self, path, tess_str_of(text))
	                             ? TESS_OK
	                             : TESS_IO;
	tess_text_free(text);
	return status;
}

tess_status give_text_and_page(const command *self, char *text, char *page, const char *path)
{
	bool alone = path && strcmp(path, "-") == 0;
	bool good = alone || write_text(self, NULL, tess_str_of(text));
	good = good && (!path || write_text(self, path, tess_str_of(page)));
	tess_text_free(text);
	tess_text_free(page);
	return good ? TESS_OK : TESS_IO;
}
