/* program.c - prepares a session's program: propagated and partitioned here, or as given. */
#include "mlir/mlir.h"
#include "run/session.h"
#include "shardy/shardy.h"

/* Drops all annotations except those of manual computations, which define what their bodies see. */
static void forget_annotations(module *m)
{
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->sharding = NULL;
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					b->args[i]->sharding = NULL;
		if (op_is_func(o))
			for (int i = 0; i < op_func(o)->type->n_out; i++)
				op_func(o)->result_shardings[i] = NULL;
	}
}

/* True for communication that a partitioner inserted: its result is the same global value. */
static bool is_move(const op *o)
{
	return op_has(o, COLLECTIVE) && op_sharding_attr(o->kind) == N_out_sharding;
}

/* Drops constraints, groups and barriers, which mean nothing if nothing is sharded. */
static void forget_constraints(module *m)
{
	for (op *o = m->top, *next; o; o = next) {
		next = op_next(o, m->top);
		bool passes_on = is_move(o) || op_has(o, ANNOTATES);
		if (passes_on)
			value_replace_uses(result(o, 0), operand(o, 0));
		if (passes_on || o->kind == OP_SDY_SHARDING_GROUP)
			op_erase(o);
	}
}

/* Called after propagation, before the program is changed for running. */
static void watch_main(session *s)
{
	op *f = module_main(s->copy);
	s->n_results = f && !func_is_declaration(f) ? op_func(f)->type->n_out : 0;
	if (f && !func_is_declaration(f) && s->opts.watch_count)
		watch_values(s, s->copy, f, s->opts.watch_first, s->opts.watch_count);
}

static void change_windows(session *s)
{
	if (s->opts.exec.whole_windows)
		windows_stay_whole(s->copy);
}

/* Drops all sharding, for a run on one device. */
static bool make_unsharded(session *s)
{
	if (!passes_run(s->copy, "inline,sdy-lift-inlined-meshes"))
		return false;
	forget_annotations(s->copy);
	forget_constraints(s->copy);
	return true;
}

static bool prepare(session *s)
{
	if (!s->opts.exec.whole) {
		bool good = s->opts.exec.as_is || propagate_for_partitioning(s->copy);
		watch_main(s);
		change_windows(s);
		return good;
	}
	watch_main(s);
	change_windows(s);
	return make_unsharded(s);
}

static const global_value *whole_values(session *s, const type *const *types, int n)
{
	global_value *v = NEW_N(&s->mem, global_value, n + 1);
	for (int i = 0; i < n; i++)
		v[i].type = types[i];
	return v;
}

static bool entry_error(const session *s, const char *what)
{
	writer w;
	writer_init(&w, &s->ctx->scratch);
	int n = 0;
	for (const op *o = module_body(s->copy)->first; o; o = o->next)
		if (op_is_func(o) && !func_is_declaration(o) && n++ < 8)
			put_f(&w, "%s@%s", n > 1 ? ", " : "", op_symbol(o)->s);
	if (!n)
		return diag_error(s->ctx, module_place(s->copy), E_INPUT,
		                  "there is no function to run: the module has "
		                  "none with a body");
	return diag_error(s->ctx, module_place(s->copy), E_INPUT, "%s; there %s %.*s%s", what,
	                  n > 1 ? "are" : "is", STR_ARG(writer_str(&w)), n > 8 ? ", ..." : "");
}

/* Returns the function to run: the requested one, @main, or the only public one. */
static op *direct_entry(const session *s)
{
	const char *function = s->opts.exec.function;
	if (function) {
		op *f = module_lookup(s->copy, name_of_z(s->ctx, function));
		if (f && op_is_func(f) && !func_is_declaration(f))
			return f;
		writer w;
		writer_init(&w, &s->ctx->scratch);
		put_f(&w, "there is no function @%s with a body%c", function, 0);
		return entry_error(s, w.ptr), NULL;
	}
	op *main = module_lookup(s->copy, name_of_z(s->ctx, "main")), *only = NULL;
	if (main && op_is_func(main) && !func_is_declaration(main))
		return main;
	bool several = false;
	for (op *o = module_body(s->copy)->first; o; o = o->next) {
		const attr *hidden = op_is_func(o) ? op_attr(o, N_sym_visibility) : NULL;
		if (!op_is_func(o) || func_is_declaration(o) ||
		    (hidden && hidden->text && strcmp(hidden->text->s, "public")))
			continue;
		several |= only != NULL;
		only = only ? only : o;
	}
	if (only && !several)
		return only;
	return entry_error(s, "there is no @main, and not exactly one public function to run"),
	       NULL;
}

/* Prepares the program as written, for one device. */
static bool direct_program(session *s)
{
	op *f = direct_entry(s);
	if (!f || !entry_make_plain(s->copy, f))
		return false;
	change_windows(s);
	s->function = op_symbol(f)->s;
	const type *t = op_func(f)->type;
	s->local = (local_program){.module = s->copy, .n_devices = 1, .n_args = t->n_in,
	                           .n_results = t->n_out, .args = whole_values(s, t->in, t->n_in),
	                           .results = whole_values(s, t->out, t->n_out)};
	s->copy = NULL;
	s->open = exec_needs_arguments(s->local.module, f) ? t->in : NULL;
	return true;
}

static bool is_for_mesh(const session *s)
{
	return !s->opts.exec.whole && module_has(s->copy, OP_SDY_MESH);
}

static bool has_open_argument(const op *f)
{
	for (int i = 0; i < op_func(f)->type->n_in; i++) {
		const type *t = op_func(f)->type->in[i];
		if (t->kind == TY_TENSOR && !t->is_static)
			return true;
	}
	return false;
}

/* True if dimensions are known only with the inputs. Then a program for one device runs as written,
 * and one for a mesh is partitioned once there are inputs. */
static bool is_open(const session *s)
{
	const tess_exec_opts *o = &s->opts.exec;
	const op *f = module_main(s->copy);
	return f && !func_is_declaration(f) && exec_needs_arguments(s->copy, f) && !o->shards &&
	       !o->ranks && !s->opts.watch_count && (!is_for_mesh(s) || has_open_argument(f));
}

static bool unsized_program(session *s)
{
	op *f = module_main(s->copy);
	if (!passes_run(s->copy, "inline,symbol-dce") || !entry_make_plain(s->copy, f))
		return false;
	s->unsized = s->copy;
	s->copy = NULL;
	const type *t = op_func(f)->type;
	s->open = t->in;
	s->local = (local_program){.n_devices = 1, .n_args = t->n_in, .n_results = t->n_out,
	                           .args = whole_values(s, t->in, t->n_in),
	                           .results = whole_values(s, t->out, t->n_out)};
	return true;
}

static bool open_program(session *s)
{
	if (is_for_mesh(s))
		return unsized_program(s);
	s->opts.exec.direct = true;
	return make_unsharded(s) && direct_program(s);
}

static bool partition_program(session *s)
{
	partition_options po = {.quiet = true, .merge = true};
	op *main = module_main(s->copy);
	if (main && !entry_make_plain(s->copy, main))
		return false;
	local_program made;
	if (!prepare(s) || !partition_local(s->copy, &po, &s->mem, &made))
		return false;
	module_adopt(made.module);
	s->local = made;
	return true;
}

/* Makes outputs whole values, unless the devices' shards are requested. */
static void complete_outputs(session *s)
{
	if (!s->opts.exec.shards)
		local_program_complete(&s->local, &s->mem);
}

static bool partitioned_program(session *s)
{
	if (!partition_program(s))
		return false;
	complete_outputs(s);
	return true;
}

bool program_make_sized(session *s, const exec_value *args)
{
	exec_plan_free(s->sized_by);
	s->sized_by = NULL;
	module_free(s->local.module);
	s->local.module = NULL;
	module_free(s->copy);
	s->copy = NULL;
	module *sized = exec_static_program(&s->sized_by, s->unsized, args);
	if (!sized)
		return false;
	s->copy = module_clone(sized);
	module_adopt(s->copy);
	return partitioned_program(s);
}

/* ---- a per-device program ------------------------------------------------------------------- */

/* Runs a per-device program, which itself says how its arguments and results are sharded. */
static bool local_as_it_is(session *s)
{
	op *f = module_main(s->copy);
	if (s->opts.exec.whole || s->opts.exec.as_is || s->opts.watch_count)
		return program_wants_global(s->copy, s->opts.exec.whole ? "a run as a whole"
		                            : s->opts.exec.as_is ? "another reshard policy"
		                                            : "the search for a difference");
	if (func_is_declaration(f))
		return entry_error(s, "@main has no body");
	if (!entry_make_plain(s->copy, f))
		return false;
	change_windows(s);
	local_program read;
	if (!local_program_read(s->copy, &s->mem, &read))
		return false;
	s->local = read;
	s->copy = NULL;
	complete_outputs(s);
	s->n_results = s->local.n_results;
	return true;
}

/* ---- a per-device program that was partitioned elsewhere ------------------------------------ */

/* The local program's own shardings take precedence, if they are for the same global values. */
static bool take_marked(session *s, module *local)
{
	local_program own;
	if (!local_program_read(local, &s->mem, &own))
		return false;
	bool same = own.n_args == s->local.n_args && own.n_results == s->local.n_results;
	for (int i = 0; same && i < own.n_args; i++)
		same = own.args[i].type == s->local.args[i].type;
	for (int i = 0; same && i < own.n_results; i++)
		same = own.results[i].type == s->local.results[i].type;
	if (!same || own.n_devices != s->local.n_devices)
		return diag_error(s->ctx, op_place(local, module_main(local)), E_INPUT,
		                  "the partitioned program has, by tess.global_type, other "
		                  "arguments, results or devices than the global one");
	s->local.args = own.args;
	s->local.results = own.results;
	return true;
}

/* Checks that a device holds the shard that the sharding gives, or the whole value. */
static bool fits_local(session *s, global_value *g, const type *local, const char *what, int i)
{
	distribution part;
	distribution_init(&s->mem, g, s->local.n_devices, &part);
	const type *want = type_with_dims(s->ctx, g->type, part.local, part.rank);
	if (want == local)
		return true;
	if (local == g->type) {
		g->sharding = NULL;
		return true;
	}
	writer w;
	writer_init(&w, &s->ctx->scratch);
	mlir_print_type(&w, s->ctx, local);
	put_z(&w, ", and the global program's sharding gives devices ");
	mlir_print_type(&w, s->ctx, want);
	return diag_error(s->ctx, NOWHERE, E_INPUT, "%s %d of the partitioned program is %.*s",
	                  what, i, STR_ARG(writer_str(&w)));
}

static bool take_local(session *s, const op *f)
{
	const type *t = op_func(f)->type;
	global_value *args = (global_value *)s->local.args,
		     *results = (global_value *)s->local.results;
	if (t->n_in != s->local.n_args || t->n_out != s->local.n_results)
		return diag_error(
			s->ctx, NOWHERE, E_INPUT,
			"the partitioned program has %d arguments and %d results, the global "
			"one %d and %d",
			t->n_in, t->n_out, s->local.n_args, s->local.n_results);
	for (int i = 0; i < t->n_in; i++)
		if (!fits_local(s, &args[i], t->in[i], "argument", i))
			return false;
	for (int i = 0; i < t->n_out; i++)
		if (!fits_local(s, &results[i], t->out[i], "result", i))
			return false;
	return true;
}

/* Runs the given local program. The global program says how arguments and results are sharded,
 * unless the local one does. */
static bool given_program(session *s)
{
	int64_t count = s->opts.watch_count;
	s->opts.watch_count = 0;
	if (!partition_program(s))
		return false;
	module_free(s->local.module);
	s->local.module = NULL;
	s->local.module = module_clone(s->opts.local);
	s->local.replicas = program_has_replicas(s->local.module);
	module_adopt(s->local.module);
	op *f = module_main(s->local.module);
	if (!f || func_is_declaration(f))
		return diag_error(s->ctx, NOWHERE, E_INPUT, "the partitioned program has no @main");
	if (!entry_make_plain(s->local.module, f))
		return false;
	bool marked = program_is_local(s->local.module);
	if (marked ? !take_marked(s, s->local.module) : !take_local(s, f))
		return false;
	local_program_complete(&s->local, &s->mem);
	watch_values(s, s->local.module, f, s->opts.watch_first, count);
	return true;
}

/* ---- choosing among them -------------------------------------------------------------------- */

bool program_make(session *s)
{
	if (s->opts.exec.direct)
		return direct_program(s);
	if (s->opts.local)
		return given_program(s);
	if (program_is_local(s->copy))
		return local_as_it_is(s);
	return is_open(s) ? open_program(s) : partitioned_program(s);
}

/* ---- the signature -------------------------------------------------------------------------- */

static const type *type_of_value(const local_program *p, const type *t, bool results, int i)
{
	if (t->kind == TY_TOKEN || !p->module)
		return t;
	return results ? p->results[i].type : p->args[i].type;
}

int program_signature(module *m, bool results, const type *const **types)
{
	const op *f = module_main(m);
	local_program local = {0};
	if (!f)
		return diag_error(m->ctx, module_place(m), E_PARTITION_NO_MAIN,
		                  "there is no function to start with: no @main and no public "
		                  "function that has a body"),
		       -1;
	if (program_is_local(m) && !local_program_read(m, &m->ctx->scratch, &local))
		return -1;
	const type *t = op_func(f)->type;
	const int all = results ? t->n_out : t->n_in;
	const type **list = NEW_N(&m->ctx->scratch, const type *, all + 1);
	int n = 0;
	for (int i = 0; i < all; i++) {
		list[n] = type_of_value(&local, results ? t->out[i] : t->in[i], results, i);
		n += list[n]->kind != TY_TOKEN;
	}
	*types = list;
	return n;
}
