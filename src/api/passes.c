/* passes.c - passes by name, and `tess opt`. */
#include <tessera/passes.h>

#include "api/frame.h"
#include "api/module.h"
#include "shardy/shardy.h"

bool tess_pass_get(size_t i, tess_pass_info *out)
{
	if (i >= (size_t)pass_def_count())
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
	const pass_option *o = pass_option_find(str_of(name));
	if (!o)
		return false;
	*out = (tess_pass_option){.name = o->name, .initial = o->initial, .help = o->help};
	return true;
}

typedef struct run_call {
	tess_module *h;
	const char *pipeline;
} run_call;

static tess_status run_body(tess_ctx *ctx, void *arg)
{
	run_call *c = arg;
	pass_list passes = {.mem = &ctx->scratch};
	run_opts opts = {.verify = VERIFY_NAMED};
	if (!pass_list_parse(ctx, &passes, c->pipeline))
		return TESS_USAGE;
	return pass_list_run(c->h->m, &passes, &opts) ? TESS_OK : TESS_INVALID;
}

tess_status tess_module_run_passes(tess_module *h, const char *pipeline)
{
	run_call c = {.h = h, .pipeline = pipeline};
	tess_status status = module_settle(h);
	return status == TESS_OK ? frame_run(CTX_OF(h), run_body, &c) : status;
}

typedef struct opt_call {
	const char *path, *name;
	file_text file;
	tess_str text, out;
	opt_opts opts;
	text_sink *write;
} opt_call;

static tess_status opt_body(tess_ctx *ctx, void *arg)
{
	opt_call *c = arg;
	if (c->path) {
		tess_status status = file_read(ctx, c->path, &c->file);
		if (status != TESS_OK)
			return status;
		c->text = c->file.text;
		c->opts.mapped = c->file.map != NULL;
		c->name = strcmp(c->path, "-") == 0 ? "<stdin>" : c->path;
	}
	writer w;
	writer_to_sink(&w, frame_text_arena(ctx), c->write, c->opts.run.user);
	tess_status status = opt_run(ctx, c->name, c->text, &c->opts, &w);
	bool written = writer_flush(&w);
	c->out = writer_str(&w);
	return status == TESS_OK && !written ? TESS_IO : status;
}

static tess_status opt_call_run(tess_ctx *ctx, opt_call *c, const tess_opt_opts *opts,
                                tess_str *out)
{
	tess_opt_opts o = TESS_OPT_OPTS_INIT;
	if (opts)
		memcpy(&o, opts, opts->struct_size < sizeof o ? opts->struct_size : sizeof o);
	c->opts = (opt_opts){
		.pipeline = o.pipeline, .split_input = o.split_input,
		.verify_diagnostics = o.verify_diagnostics, .any_note = o.any_note,
		.allow_unregistered = o.allow_unregistered,
		.run = {.verify = o.verify_each ? VERIFY_EACH : VERIFY_NAMED, .timed = o.timed,
	                .dump_all = o.print_after_all, .dump = o.dump, .user = o.user,
	                .print = print_opts_of(&o.print)},
	};
	c->write = o.write;
	tess_status status = frame_run(ctx, opt_body, c);
	file_close(ctx, &c->file);
	*out = c->out;
	return status;
}

tess_status tess_opt(tess_ctx *ctx, tess_str text, const char *name, const tess_opt_opts *opts,
                     tess_str *out)
{
	opt_call c = {.text = text, .name = name};
	return opt_call_run(ctx, &c, opts, out);
}

tess_status tess_opt_file(tess_ctx *ctx, const char *path, const tess_opt_opts *opts, tess_str *out)
{
	opt_call c = {.path = path};
	return opt_call_run(ctx, &c, opts, out);
}
