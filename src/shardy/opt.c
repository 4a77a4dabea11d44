/* opt.c - `tess opt`: splits a text into programs, then parses, runs, compares and prints each. */
#include "shardy/shardy.h"

static bool is_separator(tess_str rest)
{
	return str_starts(rest, "// -----");
}

static size_t line_length(tess_str rest)
{
	const char *end = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;
	return end ? (size_t)(end - rest.ptr) + 1 : rest.len;
}

bool split_next(tess_str *rest, uint32_t *line, tess_str *chunk, uint32_t *chunk_line)
{
	if (!rest->ptr)
		return false;
	*chunk = (tess_str){rest->ptr, 0};
	*chunk_line = *line;
	while (rest->len) {
		size_t n = line_length(*rest);
		bool separator = is_separator(*rest);
		rest->ptr += n;
		rest->len -= n;
		++*line;
		if (separator)
			return true;
		chunk->len += n;
	}
	rest->ptr = NULL;
	return true;
}

typedef struct opt_job {
	tess_ctx *ctx;
	const opt_opts *opts;
	const pass_list *passes;
	writer *out;
	mismatch_list mismatches;
} opt_job;

static bool run_program(opt_job *j, source *src)
{
	const opt_opts *o = j->opts;
	mlir_parse_opts parse = {.allow_unregistered = o->allow_unregistered};
	double begin = run_clock(&o->run);
	arena_mark here = arena_here(&j->ctx->scratch);
	module *m = o->read(j->ctx, src, &parse);
	arena_back(&j->ctx->scratch, here);
	if (!m)
		return false;
	run_timed(&o->run, "reading", begin);
	bool good = pass_list_run(m, j->passes, &o->run);
	begin = run_clock(&o->run);
	if (good)
		mlir_print(j->out, m, &o->run.print);
	run_timed(&o->run, "printing", begin);
	module_free(m);
	return good;
}

static tess_status report_mismatches(opt_job *j)
{
	for (int i = 0; i < j->mismatches.len; i++)
		diag_error(j->ctx, j->mismatches.ptr[i].at, E_EXPECTATION, "%s",
		           j->mismatches.ptr[i].text);
	return j->mismatches.len ? TESS_FAILED : TESS_OK;
}

tess_status opt_run(tess_ctx *ctx, const char *name, tess_str text, const opt_opts *o,
                    writer *out)
{
	pass_list passes = {.mem = &ctx->scratch};
	if (!pass_list_parse(ctx, &passes, o->pipeline))
		return TESS_USAGE;
	opt_job j = {.ctx = ctx, .opts = o, .passes = &passes, .out = out};
	tess_str rest = text, chunk = text;
	uint32_t line = 1, chunk_line = 1;
	bool good = true;
	for (bool first = true;
	     o->split_input ? split_next(&rest, &line, &chunk, &chunk_line) : first;
	     first = false) {
		source *src = source_new(ctx, name, chunk);
		src->first_line = chunk_line;
		src->mapped = o->mapped;
		if (!first)
			put_lit(out, "// -----\n");
		good &= run_program(&j, src);
		if (o->verify_diagnostics)
			expect_compare(ctx, src, o->any_note, &ctx->scratch, &j.mismatches);
	}
	if (o->verify_diagnostics)
		return report_mismatches(&j);
	return good ? TESS_OK : TESS_INVALID;
}
