/* list.c - lists of passes: looked up by name, parsed, expanded and run. */
#include "shardy/passes.h"

#include <time.h>

/* ---- the table of passes -------------------------------------------------------------------- */

static const pass_def pass_defs[] = {
#define SECTION(title)
#define PASS(name, function, options, summary) {name, summary, function, NULL, options},
#define PIPELINE(name, function, options, summary) {name, summary, NULL, function, options},
#include "shardy/passes.def"
#undef SECTION
#undef PASS
#undef PIPELINE
};

int pass_def_count(void) { return COUNT(pass_defs); }
const pass_def *pass_def_at(int i) { return &pass_defs[i]; }

static const pass_def *pass_def_find(tess_str name)
{
	for (int i = 0; i < COUNT(pass_defs); i++)
		if (str_is(name, pass_defs[i].name))
			return &pass_defs[i];
	return NULL;
}

bool pass_def_takes(const pass_def *d, const pass_option *option)
{
	const char *s = d->options;
	size_t n = strlen(option->name);
	while (*s) {
		size_t len = strcspn(s, " ");
		if (len == n && memcmp(s, option->name, n) == 0)
			return true;
		s += len + (s[len] == ' ');
	}
	return false;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void add_dump_step(pass_list *l, const pass_options *o, const char *name)
{
	if (!o->dump_directory.len)
		return;
	const char *path = arena_printf(l->mem, "%.*s/sdy_module_%d_%s.mlir",
	                                STR_ARG(o->dump_directory), l->n_dumps++, name);
	vec_push(l->mem, &l->steps, (pass_step){.dump = path});
}

static void pass_list_add(pass_list *l, const pass_def *d, const pass_options *o)
{
	if (!d->expand) {
		vec_push(l->mem, &l->steps, (pass_step){.def = d, .opts = *o});
		return;
	}
	pipeline_parts parts = {.mem = l->mem};
	d->expand(&parts, o);
	for (int i = 0; i < parts.list.len; i++) {
		const pipeline_part *p = &parts.list.ptr[i];
		if (p->pass)
			pass_list_add_named(l, p->pass, &p->opts);
		else
			add_dump_step(l, &p->opts, p->dump);
	}
}

void pass_list_add_named(pass_list *l, const char *name, const pass_options *o)
{
	const pass_def *d = pass_def_find(str_of(name));
	ASSERT(d);
	pass_list_add(l, d, o);
}

/* ---- parsing -------------------------------------------------------------------------------- */

typedef struct list_reader {
	tess_ctx *ctx;
	pass_list *list;
	source *src;
	const char *at, *end;
} list_reader;

static bool reader_error(const list_reader *r, const char *from, const char *what)
{
	uint32_t begin = (uint32_t)(from - r->src->text.ptr),
		 end = (uint32_t)(r->at - r->src->text.ptr);
	return diag_error(r->ctx, (place){r->src, begin, end > begin ? end : begin + 1}, E_PIPELINE,
	                  "%s", what);
}

static void reader_blanks(list_reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t'))
		r->at++;
}

static bool reader_take(list_reader *r, char c)
{
	reader_blanks(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Returns everything up to one of `stops`. */
static tess_str reader_until(list_reader *r, const char *stops)
{
	reader_blanks(r);
	const char *begin = r->at;
	while (r->at < r->end && !strchr(stops, *r->at))
		r->at++;
	return (tess_str){begin, (size_t)(r->at - begin)};
}

/* Parses a value: quoted, in braces, or a word. */
static bool reader_value(list_reader *r, tess_str *out)
{
	const char *begin = r->at;
	char quote = r->at < r->end ? *r->at : 0;
	if (quote != '\'' && quote != '"' && quote != '{') {
		*out = reader_until(r, " }");
		return true;
	}
	char close = quote == '{' ? '}' : quote;
	const char *end = memchr(r->at + 1, close, (size_t)(r->end - r->at - 1));
	if (!end)
		return reader_error(r, begin, "this quotation is not closed");
	*out = (tess_str){begin + 1, (size_t)(end - begin) - 1};
	r->at = end + 1;
	return true;
}

/* Describes an option's values: "true or false", "one of sdy|cost". */
static const char *option_values(list_reader *r, const pass_option *option)
{
	switch (option->kind) {
	case PASS_FLAG: return "true or false";
	case PASS_COUNT: return "an integer";
	case PASS_TEXT: return "text";
	case PASS_WORD: return arena_printf(r->list->mem, "one of %s", option->initial);
	}
	return "";
}

/* Parses one `name=value` of a pass. */
static bool read_option(list_reader *r, const pass_def *d, pass_options *o)
{
	const char *begin = r->at;
	tess_str key = reader_until(r, " =}"), value = {0};
	const pass_option *option = pass_option_find(key);
	if (!option || !pass_def_takes(d, option))
		return reader_error(r, begin,
		                    arena_printf(r->list->mem, "%s has no option '%.*s'", d->name,
		                                 STR_ARG(key)));
	if (reader_take(r, '=') && !reader_value(r, &value))
		return false;
	if (!pass_option_set(o, option, value))
		return reader_error(r, begin,
		                    arena_printf(r->list->mem, "%s must be %s, not '%.*s'",
		                                 option->name, option_values(r, option),
		                                 STR_ARG(value)));
	return true;
}

static bool read_options(list_reader *r, const pass_def *d, pass_options *o)
{
	const char *begin = r->at - 1;
	while (!reader_take(r, '}')) {
		if (r->at == r->end)
			return reader_error(r, begin, "this '{' is not closed");
		if (!read_option(r, d, o))
			return false;
	}
	return true;
}

static bool read_passes(list_reader *r, int depth);

/* Parses `func.func(…)`: our passes visit the functions themselves. */
static bool read_nested(list_reader *r, const char *begin, tess_str name, int depth)
{
	if (!str_is(name, "builtin.module") && !str_is(name, "func.func") && !str_is(name, "any"))
		return reader_error(r, begin,
		                    "passes can be nested in builtin.module and func.func only");
	if (depth > (int)r->ctx->opts.max_depth)
		return reader_error(r, begin, "passes are nested too deeply");
	if (reader_take(r, ')'))
		return true;
	if (!read_passes(r, depth + 1))
		return false;
	return reader_take(r, ')') || reader_error(r, begin, "this '(' is not closed");
}

static bool read_pass(list_reader *r, int depth)
{
	reader_blanks(r);
	const char *begin = r->at;
	tess_str name = reader_until(r, " ,(){}");
	if (reader_take(r, '('))
		return read_nested(r, begin, name, depth);
	const pass_def *d = pass_def_find(name);
	if (!d)
		return reader_error(r, begin, arena_printf(r->list->mem,
		                    "there is no pass '%.*s'; `tess opt --list-passes` lists them",
		                    STR_ARG(name)));
	pass_options o = pass_options_default();
	if (reader_take(r, '{') && !read_options(r, d, &o))
		return false;
	pass_list_add(r->list, d, &o);
	r->list->steps.ptr[r->list->steps.len - 1].last = true;
	return true;
}

static bool read_passes(list_reader *r, int depth)
{
	do
		if (!read_pass(r, depth))
			return false;
	while (reader_take(r, ','));
	return true;
}

bool pass_list_parse(tess_ctx *ctx, pass_list *l, const char *text)
{
	if (!text || !*text)
		return true;
	tess_str copy = arena_str(&ctx->perm, str_of(text));
	list_reader r = {.ctx = ctx, .list = l, .src = source_new(ctx, "pipeline", copy),
	                 .at = copy.ptr, .end = copy.ptr + copy.len};
	if (!read_passes(&r, 0))
		return false;
	reader_blanks(&r);
	return r.at == r.end || reader_error(&r, r.at, "expected a comma or the end");
}

/* ---- running ---------------------------------------------------------------------- */

static bool save_module(module *m, const char *path, const mlir_print_opts *print)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	mlir_print(&w, m, print);
	FILE *f = fopen(path, "w");
	bool good = f && fwrite(w.ptr, 1, w.len, f) == w.len;
	if (f)
		good &= fclose(f) == 0;
	return good || diag_error(m->ctx, NOWHERE, E_FILE, "%s cannot be written", path);
}

static void dump_module(module *m, const char *pass, const run_opts *o)
{
	writer w;
	writer_init(&w, &m->ctx->scratch);
	put_f(&w, "// -----// IR Dump After %s //----- //\n", pass);
	mlir_print(&w, m, &o->print);
	put_lit(&w, "\n\n");
	o->dump(o->user, writer_str(&w));
}

double run_clock(const run_opts *o)
{
	struct timespec t;
	if (!o->timed || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void run_timed(const run_opts *o, const char *what, double since)
{
	if (o->timed)
		o->timed(o->user, what, run_clock(o) - since);
}

static bool is_verified_after(const pass_step *s, const run_opts *o)
{
#ifndef NDEBUG
	if (o->verify != VERIFY_NEVER)
		return true;
#endif
	return o->verify == VERIFY_EACH || (o->verify == VERIFY_NAMED && s->last);
}

static bool verify_step(module *m, const run_opts *o)
{
	double begin = run_clock(o);
	bool good = module_verify(m);
	run_timed(o, "verification", begin);
	return good;
}

static bool pass_knows_blocks(const pass_def *d)
{
	return d->run == pass_symbol_dce || d->run == pass_lift_inlined_meshes ||
	       d->run == pass_inline_meshes || d->run == pass_drop_sharding_and_mesh;
}

/* True for passes that take global programs only: in a per-device program, values are shards. */
static bool pass_wants_global(const pass_def *d)
{
	return d->run == pass_basic_propagate || d->run == pass_aggressive_propagate ||
	       d->run == pass_op_priority_propagate || d->run == pass_user_priority_propagate ||
	       d->run == pass_convert_global_to_local;
}

/* Reports an error if the pass does not support this program. */
static bool takes_program(module *m, const pass_def *d)
{
	return (pass_knows_blocks(d) || module_wants_single_blocks(m, d->name)) &&
	       (!pass_wants_global(d) || program_wants_global(m, d->name));
}

static bool run_step(module *m, const pass_step *s, const run_opts *o)
{
	if (s->dump)
		return save_module(m, s->dump, &o->print);
	arena_mark here = arena_here(&m->ctx->scratch);
	double begin = run_clock(o);
	if (!s->def->run)
		return diag_error(m->ctx, NOWHERE, E_PIPELINE, "%s is not written yet",
		                  s->def->name);
	int before = diag_errors(m->ctx);
	if (!takes_program(m, s->def) || !s->def->run(m, &s->opts)) {
		if (diag_errors(m->ctx) == before)
			diag_error(m->ctx, NOWHERE, E_PIPELINE, "%s failed", s->def->name);
		return false;
	}
	arena_back(&m->ctx->scratch, here);
	run_timed(o, s->def->name, begin);
	if (o->dump_all && o->dump)
		dump_module(m, s->def->name, o);
	bool good = !is_verified_after(s, o) || verify_step(m, o);
	arena_back(&m->ctx->scratch, here);
	return good;
}

bool pass_list_run(module *m, const pass_list *l, const run_opts *o)
{
	for (int i = 0; i < l->steps.len; i++)
		if (!run_step(m, &l->steps.ptr[i], o))
			return false;
	return true;
}

bool pass_list_run_on_main(module *m, const pass_list *l, const run_opts *o)
{
	const op *f = module_main(m);
	const name *main_name = f ? op_symbol(f) : NULL;
	if (!pass_list_run(m, l, o))
		return false;
	op *g = main_name ? module_lookup(m, main_name) : NULL;
	if (g && module_main(m) != g) {
		op_unlink(g);
		op_insert_before(module_body(m)->first, g);
	}
	return true;
}

bool passes_run(module *m, const char *text)
{
	pass_list l = {.mem = &m->ctx->scratch};
	run_opts quiet = {0};
	return pass_list_parse(m->ctx, &l, text) && pass_list_run(m, &l, &quiet);
}

bool propagate_for_partitioning(module *m)
{
	pass_list l = {.mem = &m->ctx->scratch};
	run_opts quiet = {0};
	return pass_list_parse(m->ctx, &l,
	                       "sdy-propagation-pipeline{avoid-export-for-partitioning=true "
	                       "more-rules=true}") &&
	       pass_list_run_on_main(m, &l, &quiet);
}

bool reshard_as_shardy(module *m)
{
	pass_list l = {.mem = &m->ctx->scratch};
	run_opts quiet = {0};
	return pass_list_parse(m->ctx, &l,
	                       "sdy-sharding-constraint-to-reshard,"
	                       "sdy-insert-explicit-reshards{enable-full-version=true "
	                       "sound-reductions=true}") &&
	       pass_list_run_on_main(m, &l, &quiet);
}
