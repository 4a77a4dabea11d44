/* passes.c - passes by name, and `tess opt`. */
#include <tessera/passes.h>

#include "api/frame.h"
#include "api/module.h"
#include "shardy/shardy.h"

bool tess_pass_get(size_t i, tess_pass_info *out)
{
	if (i >= (size_t)pass_def_count() || !out)
		return false;
	const pass_def *d = pass_def_at((int)i);
	*out = (tess_pass_info){.name = d->name,
	                        .summary = d->summary,
	                        .pipeline = d->expand != NULL,
	                        .options = d->options};
	return true;
}

bool tess_pass_option_get(const char *name, tess_pass_option *out)
{
	const pass_option *o = name ? pass_option_find(str_of(name)) : NULL;
	if (!o || !out)
		return false;
	*out = (tess_pass_option){.name = o->name, .initial = o->initial, .help = o->help};
	return true;
}

static tess_status run_passes(module *m, const char *pipeline)
{
	pass_list passes = {.mem = &m->ctx->scratch};
	run_opts opts = {.verify = VERIFY_NAMED};
	if (!pass_list_parse(m->ctx, &passes, pipeline))
		return TESS_USAGE;
	return pass_list_run(m, &passes, &opts) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_run_passes(tess_module *h, const char *pipeline)
{
	frame f;
	if (!h || !pipeline)
		return TESS_USAGE;
	tess_status settled = module_settle(h);
	if (settled != TESS_OK)
		return settled;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = run_passes(h->m, pipeline);
	return frame_end(&f);
}

/* ---- tess opt ------------------------------------------------------------------------------- */

static opt_opts opt_opts_of(const tess_opt_opts *o)
{
	return (opt_opts){
		.pipeline = o->pipeline,
		.split_input = o->split_input,
		.verify_diagnostics = o->verify_diagnostics,
		.any_note = o->any_note,
		.allow_unregistered = o->allow_unregistered,
		.read = module_read,
		.run = {.verify = o->verify_each ? VERIFY_EACH : VERIFY_NAMED,
	                .timed = o->timed,
	                .dump_all = o->print_after_all,
	                .dump = o->dump,
	                .user = o->user,
	                .print = print_opts_of(&o->print)},
	};
}

static tess_status opt_text(tess_ctx *ctx, tess_str text, const char *name, const tess_opt_opts *o,
                            bool mapped, char **out)
{
	opt_opts inner = opt_opts_of(o);
	writer w;
	writer_to_sink(&w, &ctx->text, o->write, o->user);
	inner.mapped = mapped;
	tess_status status = opt_run(ctx, name, text, &inner, &w);
	bool written = writer_flush(&w);
	if (out && !o->write)
		*out = text_give(ctx, &w);
	return status == TESS_OK && !written ? TESS_IO : status;
}

tess_status tess_opt(tess_ctx *ctx, tess_str text, const char *name, const tess_opt_opts *opts,
                     char **out)
{
	tess_opt_opts o = TESS_OPT_OPTS_INIT;
	frame f;
	if (out)
		*out = NULL;
	OPTS_READ(o, opts);
	if (!ctx || !text.ptr || (!out && !o.write))
		return TESS_USAGE;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.status = opt_text(ctx, text, name ? name : "", &o, false, out);
	return frame_end(&f);
}

typedef struct opt_file_job {
	const char *path;
	tess_opt_opts opts;
	file_text file;
	char **out;
} opt_file_job;

static tess_status opt_file_body(tess_ctx *ctx, void *arg)
{
	opt_file_job *j = arg;
	tess_status status = file_read(ctx, j->path, &j->file);
	const char *name = strcmp(j->path, "-") == 0 ? "<stdin>" : j->path;
	return status == TESS_OK
	               ? opt_text(ctx, j->file.text, name, &j->opts, j->file.map != NULL, j->out)
	               : status;
}

tess_status tess_opt_file(tess_ctx *ctx, const char *path, const tess_opt_opts *opts, char **out)
{
	opt_file_job j = {.path = path, .opts = TESS_OPT_OPTS_INIT, .out = out};
	if (out)
		*out = NULL;
	OPTS_READ(j.opts, opts);
	if (!ctx || !path || (!out && !j.opts.write))
		return TESS_USAGE;
	tess_status status = frame_run(ctx, opt_file_body, &j);
	file_close(ctx, &j.file);
	return status;
}
