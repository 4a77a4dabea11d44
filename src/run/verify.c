/* verify.c - does the partitioned program compute the same as the whole one?
 *
 * The program runs twice on the same inputs, partitioned over its mesh and whole, and results are
 * compared elementwise, within a tolerance. Devices sum in another order, so results that suffer
 * from cancellation may differ by more. If any does, the whole program runs once more on perturbed
 * inputs (nudge.c), which shows how much of a difference is noise.
 *
 * To locate a fault, values inside @main are made results, some at a time, in program order; the
 * fault is at the first one that differs by more than noise. In a program that was partitioned
 * elsewhere, values are matched by content (locate.c). */
#include "mlir/mlir.h"
#include "run/session.h"
#include "shardy/shardy.h"

#include <stdio.h>
#include <time.h>

/* ---- progress ------------------------------------------------------------------------------- */

static double clock_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool tell_verification(void *user, const tess_progress *p)
{
	const verification *v = user;
	tess_progress all = {p->done, p->total, clock_seconds() - v->began, v->what};
	return v->opts.proceed(v->opts.user, &all);
}

static bool call_outside_for(void *user, const tess_outside_call *call)
{
	const verification *v = user;
	return v->opts.outside(v->opts.user, call);
}

/* ---- running --------------------------------------------------------------------------------- */

static session_opts options_of(verification *v)
{
	session_opts o = {.exec = TESS_EXEC_OPTS_INIT};
	o.exec.user = v;
	o.exec.proceed = v->opts.proceed ? tell_verification : NULL;
	o.exec.outside = v->opts.outside ? call_outside_for : NULL;
	o.exec.threads = v->opts.threads;
	o.exec.as_is = v->opts.as_is;
	return o;
}

static bool wants_positive(const module *m, size_t i)
{
	const op *main = module_main(m);
	return main && !func_is_declaration(main) && i < (size_t)op_body(main)->n_args &&
	       input_is_positive(m, op_body(main)->args[i]);
}

/* True for dtypes that NumPy does not know: files store them as any dtype of that width. */
static bool dtype_is_nameless(const tess_tensor *t)
{
	return t->dtype == TESS_NO_DTYPE || t->dtype == TESS_I8 || t->dtype == TESS_UI8 ||
	       t->dtype == TESS_UI16;
}

static void put_tensor_type(writer *w, tess_ctx *ctx, const tess_tensor *t)
{
	if (t->dtype == TESS_NO_DTYPE)
		put_f(w, "a tensor of rank %d of another type", t->rank);
	else
		mlir_print_type(w, ctx, type_tensor(ctx, (dtype)t->dtype, t->dims, t->rank));
}

static const tess_tensor *input_like(const verification *v, size_t i)
{
	const tess_tensor *t = i < v->opts.n_like ? &v->opts.like[i] : NULL;
	return t && t->data && t->bytes ? t : NULL;
}

static void fill_input(const verification *v, size_t i, const tess_tensor *t, void *data)
{
	const int width = dtype_bytes((dtype)t->dtype);
	const tess_tensor *like = input_like(v, i);
	int64_t n = width ? (int64_t)t->bytes / width : 0;
	if (like)
		tensor_draw_like(data, n, width, like->data, (int64_t)like->bytes / width, v->opts.seed + i);
	else
		tensor_random((dtype)t->dtype, data, n, wants_positive(v->m, i), v->opts.seed + i);
}

static bool like_fits(const verification *v, size_t i, const tess_tensor *t)
{
	const tess_tensor *like = input_like(v, i);
	const int width = dtype_bytes((dtype)t->dtype);
	if (!like || like->dtype == t->dtype || (dtype_is_nameless(like) && width && like->bytes % (size_t)width == 0))
		return true;
	writer w;
	writer_init(&w, &v->ctx->scratch);
	put_f(&w, "input %zu is to be like ", i);
	put_tensor_type(&w, v->ctx, like);
	put_lit(&w, ", and the program takes ");
	put_tensor_type(&w, v->ctx, t);
	return diag_error(v->ctx, NOWHERE, E_INPUT, "%.*s", STR_ARG(writer_str(&w)));
}

static bool sizes_are_known(const verification *v, size_t i, const tess_tensor *t)
{
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] == DIM_DYNAMIC)
			return diag_error(v->ctx, NOWHERE, E_INPUT,
			                  "dimension %d of argument %zu is open: give its size with --dim (with_dims() in "
			                  "Python), or give inputs", d, i);
	return true;
}

/* Random inputs are created when the first session knows their types. */
static tess_status make_inputs(verification *v, const session *s)
{
	size_t n = (size_t)session_n_inputs(s);
	if (v->inputs)
		return TESS_OK;
	if (v->opts.inputs) {
		v->inputs = v->opts.inputs;
		v->n_inputs = v->opts.n_inputs;
		return TESS_OK;
	}
	tess_tensor *list = NEW_N(&v->verdict->mem, tess_tensor, n + 1);
	v->random = NEW_N(&v->verdict->mem, void *, n + 1);
	v->inputs = list;
	while (v->n_inputs < n) {
		size_t i = v->n_inputs++;
		tess_tensor *t = &list[i];
		*t = session_input(s, (int)i);
		if (!sizes_are_known(v, i, t) || !like_fits(v, i, t))
			return TESS_INVALID;
		void *data = v->random[i] = ctx_realloc(v->ctx, NULL, t->bytes + 1);
		if (!data)
			return TESS_NOMEM;
		t->data = data;
		fill_input(v, i, t, data);
	}
	return TESS_OK;
}

/* Creates a session for `m` and runs it, then releases the scratch memory it used. */
static tess_status make_and_run(verification *v, const module *m, const session_opts *o,
                               const char *what, session **to)
{
	v->what = what;
	if (v->opts.proceed && !tell_verification(v, &(tess_progress){0}))
		return TESS_STOPPED;
	*to = session_new(v->ctx, o);
	if (!*to)
		return TESS_NOMEM;
	arena_mark mark = arena_here(&v->ctx->scratch);
	tess_status status = session_make(*to, m);
	if (status == TESS_OK)
		status = make_inputs(v, *to);
	if (status == TESS_OK)
		status = session_run(*to, v->inputs, v->n_inputs);
	arena_back(&v->ctx->scratch, mark);
	return status;
}

static const tess_tensor *expected_output(const verification *v, int i)
{
	const tess_tensor *t = (size_t)i < v->opts.n_expected ? &v->opts.expected[i] : NULL;
	return t && t->data ? t : NULL;
}

/* True if the whole program should run. A per-device program has none; then expected results must
 * be given. */
static bool wants_whole(const verification *v)
{
	return !program_is_local(v->m) || !expected_output(v, 0);
}

static bool leads(const verification *v) { return !v->ranks || v->ranks->rank == 0; }

static tess_status run_both(verification *v)
{
	session_opts o = options_of(v);
	o.exec.ranks = v->opts.ranks;
	o.ranks = v->ranks;
	o.local = v->local;
	tess_status status = make_and_run(v, v->m, &o, "partitioned", &v->parts);
	o = options_of(v); /* the reference runs on this rank alone */
	o.exec.whole = true;
	if (status == TESS_OK && leads(v) && wants_whole(v))
		status = make_and_run(v, v->m, &o, "whole", &v->whole);
	return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static tess_tolerance tolerance_for(const verification *v, const tess_tensor *t)
{
	tess_tolerance usual = tolerance_of((dtype)t->dtype);
	return usual.most > 0 && v->opts.tolerance.most > 0 ? v->opts.tolerance : usual;
}

static bool agree(const verification *v, const tess_tensor *got, const tess_tensor *expected,
                  const tess_tensor *nudged, tess_difference *d)
{
	return tensors_agree(got, expected, nudged, tolerance_for(v, got), d);
}

/* True if any result differs: then the noise is needed. */
static bool any_differs(const verification *v)
{
	tess_difference d;
	for (int i = 0; i < session_n_outputs(v->parts); i++) {
		const tess_tensor got = session_output(v->parts, i),
				  expected = session_output(v->whole, i);
		if (!agree(v, &got, &expected, NULL, &d))
			return true;
	}
	return false;
}

static tess_status run_nudged(verification *v)
{
	session_opts o = options_of(v);
	o.exec.whole = true;
	o.nudged = true;
	return v->whole && any_differs(v)
	               ? make_and_run(v, v->m, &o, "whole, inputs changed by a rounding", &v->nudged)
	               : TESS_OK;
}

/* Returns JAX's name of result i, such as "result[0]['w']", or "out0". Tokens are not outputs. */
static const char *output_name(const verification *v, int i)
{
	writer w;
	writer_init(&w, &v->verdict->mem);
	const op *main = module_main(v->m);
	const type *t = main && !func_is_declaration(main) ? op_func(main)->type : NULL;
	int k = 0, left = i;
	while (t && k < t->n_out && (t->out[k]->kind == TY_TOKEN || left-- > 0))
		k++;
	const attr *info = t && k < t->n_out
	                           ? attrs_get(&op_func(main)->result_attrs[k], N_jax_result_info)
	                           : NULL;
	if (info && info->kind == AT_STRING && info->text->len)
		put_str(&w, name_str(info->text));
	else
		put_f(&w, "out%d", i);
	put_c(&w, 0);
	return writer_str(&w).ptr;
}

static void compare_output(verification *v, int i, tess_reference against,
                           const tess_tensor *expected)
{
	const tess_tensor got = session_output(v->parts, i);
	tess_comparison c = {.output = (size_t)i, .against = against, .type = got};
	c.type.data = NULL;
	c.type.name = output_name(v, i);
	c.tolerance = tolerance_for(v, &got).most;
	c.agree = agree(v, &got, expected, NULL, &c.difference);
	if (!c.agree && v->nudged) {
		const tess_tensor nudged = session_output(v->nudged, i);
		c.agree = c.sensitive = agree(v, &got, expected, &nudged, &c.difference);
	}
	v->verdict->n_wrong += !c.agree;
	vec_push(&v->verdict->mem, &v->verdict->comparisons, c);
}

static void compare_outputs(verification *v)
{
	for (int i = 0; i < session_n_outputs(v->parts); i++) {
		const tess_tensor *given = expected_output(v, i);
		if (v->whole) {
			const tess_tensor expected = session_output(v->whole, i);
			compare_output(v, i, TESS_REFERENCE_WHOLE, &expected);
		}
		if (given) { /* read as the dtype that the program returns */
			tess_tensor expected = *given;
			expected.dtype = (tess_dtype)session_output(v->parts, i).dtype;
			compare_output(v, i, TESS_REFERENCE_EXPECTED, &expected);
		}
	}
}

/* ---- checking expected results -------------------------------------------------------------- */

static bool is_of_type(const tess_tensor *t, const tess_tensor *want)
{
	bool same = t->rank == want->rank && t->bytes == want->bytes &&
	            (t->dtype == want->dtype || dtype_is_nameless(t));
	for (int d = 0; same && d < t->rank; d++)
		same = t->dims[d] == want->dims[d];
	return same;
}

static bool expected_fits(const verification *v, int i)
{
	const tess_tensor *t = expected_output(v, i);
	if (!t)
		return true;
	writer w;
	writer_init(&w, &v->ctx->scratch);
	put_f(&w, "what is expected of result %d is ", i);
	put_tensor_type(&w, v->ctx, t);
	if (i >= session_n_outputs(v->parts)) {
		put_lit(&w, ", and there is no such result");
	} else {
		const tess_tensor got = session_output(v->parts, i);
		if (is_of_type(t, &got))
			return true;
		put_lit(&w, ", the program's result is ");
		put_tensor_type(&w, v->ctx, &got);
	}
	return diag_error(v->ctx, NOWHERE, E_INPUT, "%.*s", STR_ARG(writer_str(&w)));
}

static bool all_expected_fit(const verification *v)
{
	for (size_t i = 0; i < v->opts.n_expected; i++)
		if (!expected_fits(v, (int)i))
			return false;
	return true;
}

/* ---- locating the operation ----------------------------------------------------------------- */

/* Runs up to three sessions that watch the same values of @main. A program that was partitioned
 * elsewhere needs no noise run: its values are matched by content. */
static tess_status run_watching(verification *v, int64_t first, int64_t count)
{
	verification_search *s = &v->search;
	session_opts o = options_of(v);
	char where[64];
	snprintf(where, sizeof where, "looking for the operation, from value %" PRId64, first);
	o.exec.as_is = true;
	o.watch_first = first;
	o.watch_count = count;
	o.local = v->local;
	tess_status status = make_and_run(v, v->propagated, &o, where, &s->parts);
	o.local = NULL;
	o.exec.whole = true;
	if (status == TESS_OK)
		status = make_and_run(v, v->propagated, &o, where, &s->whole);
	o.nudged = true;
	if (status == TESS_OK && !v->local)
		status = make_and_run(v, v->propagated, &o, where, &s->nudged);
	return status;
}

/* Returns the first watched value that differs by more than noise; -1 if none does. */
static int first_difference(const verification *v)
{
	const verification_search *s = &v->search;
	int results = session_n_outputs(s->whole) - s->whole->n_watched;
	tess_difference d;
	for (int i = 0; i < s->whole->n_watched; i++) {
		const tess_tensor got = session_output(s->parts, results + i),
				  expected = session_output(s->whole, results + i),
				  nudged = session_output(s->nudged, results + i);
		if (!agree(v, &got, &expected, &nudged, &d))
			return i;
	}
	return -1;
}

/* Compares some values of @main. @return true if more are left to compare */
static bool search_among(verification *v, int64_t first, int64_t count)
{
	const verification_search *s = &v->search;
	if (run_watching(v, first, count) != TESS_OK)
		return false;
	v->what = "looking for the values among those of the devices";
	int at = v->local ? locate_by_content(s->whole, s->parts,
	                                      v->opts.proceed ? tell_verification : NULL, v)
	                  : first_difference(v);
	if (at >= 0)
		watched_blame(s->whole, at,
		              v->local ? "no value of the devices is this one, though they have what it "
		                         "is computed from"
		                       : "this is the first value that differs");
	return at < 0 && !v->local && s->whole->n_watched > 0;
}

static void search_end(verification_search *s)
{
	session_free(s->parts);
	session_free(s->whole);
	session_free(s->nudged);
	*s = (verification_search){0};
}

static void locate(verification *v)
{
	enum { AT_ONCE = 64 };
	v->propagated = module_clone(v->m);
	module_adopt(v->propagated);
	bool more = v->opts.as_is || (module_marks_are_taken(v->propagated) &&
	                              propagate_for_partitioning(v->propagated));
	for (int64_t first = 0; more; first += AT_ONCE) {
		more = search_among(v, first, v->local ? INT64_MAX : AT_ONCE);
		search_end(&v->search);
	}
}

/* ---- the whole verification ----------------------------------------------------------------- */

tess_status verify(verification *v)
{
	v->began = clock_seconds();
	tess_status status = run_both(v);
	if (status != TESS_OK)
		return status;
	v->verdict->devices = session_devices(v->parts);
	if (!leads(v))
		return TESS_OK;
	if (!all_expected_fit(v))
		return TESS_INVALID;
	status = run_nudged(v);
	if (status != TESS_OK)
		return status;
	compare_outputs(v);
	v->compared = true;
	if (v->verdict->n_wrong && v->opts.locate && v->whole)
		locate(v);
	return v->verdict->n_wrong ? TESS_FAILED : TESS_OK;
}

void verification_end(verification *v)
{
	search_end(&v->search);
	for (size_t i = 0; v->random && i < v->n_inputs; i++)
		ctx_realloc(v->ctx, v->random[i], 0);
	session_free(v->parts);
	session_free(v->whole);
	session_free(v->nudged);
	module_free(v->propagated);
}
