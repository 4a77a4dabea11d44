/* verify.c - TESSERA_VERIFY=1: the first run of each program is checked, with the values that it gets.
 *
 * Devices that hold the same part of an argument must hold equal bytes of it, since a run reads one of
 * them.  Then the program runs partitioned and whole on the arguments put together; where results
 * differ, the first operation that does is named.  Either is the error of the run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/verify.h>

#include "plugin.h"

enum { MOST_DIMS = 64 };

/* An argument: the whole of it, and what device `d` has of that. */
typedef struct whole_argument {
	const PJRT_Executable *x;
	int i; /* among the arguments */
	const port *port;
	tess_tensor type;
	const tess_sharding *sharding;
	const tess_mesh *mesh;
	char *data;
} whole_argument;

typedef struct box {
	int64_t begin[MOST_DIMS], end[MOST_DIMS];
} box;

static bool box_of(const whole_argument *w, int64_t device, box *out)
{
	return tess_sharding_box(w->sharding, w->mesh, w->type.dims, w->type.rank, device, out->begin,
	                         out->end) == TESS_OK;
}

static bool same_box(const box *a, const box *b, int rank)
{
	size_t n = sizeof *a->begin * (size_t)rank;
	return !memcmp(a->begin, b->begin, n) && !memcmp(a->end, b->end, n);
}

static void row_major(const int64_t *dims, int rank, int element, int64_t *strides)
{
	int64_t stride = element;
	for (int d = rank - 1; d >= 0; d--) {
		strides[d] = stride;
		stride *= dims[d];
	}
}

/* What the device holds goes to its place in the whole. */
static void paste(const whole_argument *w, const box *b, const char *part)
{
	int64_t to[MOST_DIMS], from[MOST_DIMS], dims[MOST_DIMS], at = 0;
	int rank = w->type.rank, element = element_bytes(w->port->type);
	row_major(w->type.dims, rank, element, to);
	row_major(w->port->dims, rank, element, from);
	for (int d = 0; d < rank; d++) {
		dims[d] = b->end[d] - b->begin[d];
		at += b->begin[d] * to[d];
		if (dims[d] <= 0)
			return;
	}
	copy_strided(w->data + at, to, part, from, dims, rank, element);
}

static PJRT_Error *unequal(const whole_argument *w, int a, int b)
{
	return error_new(PJRT_Error_Code_INVALID_ARGUMENT,
	                 "tessera: argument %d of %s differs between devices %d and %d, which hold the "
	                 "same part of it", w->i, w->x->name, a, b);
}

/* The argument from its parts, cells[device]; equal parts are compared with the first of them. */
static PJRT_Error *put_together(const whole_argument *w, cell *const *cells)
{
	int n = w->x->n_plan_devices;
	box *boxes = malloc(sizeof *boxes * (size_t)n);
	PJRT_Error *e = boxes ? NULL : error_no_memory();
	for (int d = 0; d < n && !e; d++) {
		int same = 0;
		if (!box_of(w, d, &boxes[d])) {
			e = error_new(PJRT_Error_Code_INTERNAL,
			              "tessera: the sharding of argument %d of %s has no device %d",
			              w->i, w->x->name, d);
			break;
		}
		while (same < d && !same_box(&boxes[same], &boxes[d], w->type.rank))
			same++;
		const tess_buffer *first = cells[same]->data, *mine = cells[d]->data;
		if (same == d)
			paste(w, &boxes[d], tess_buffer_data(mine));
		else if (first != mine && memcmp(tess_buffer_data(first), tess_buffer_data(mine),
		                                 w->port->bytes) != 0)
			e = unequal(w, same, d);
	}
	free(boxes);
	return e;
}

/* ---- comparing ----------------------------------------------------------------------------------- */

static PJRT_Error *first_difference(PJRT_Executable *x, const tess_verdict *v)
{
	const tess_comparison *c;
	char *text = tess_diag_render(x->ctx, false);
	PJRT_Error *e = NULL;
	for (size_t i = 0; !e && (c = tess_verdict_get(v, i)); i++)
		if (!c->agree)
			e = error_new(PJRT_Error_Code_INTERNAL,
			              "tessera: result %zu of %s on %d devices differs from the whole "
			              "program's: %lld of %lld elements, the first, number %lld, is %g "
			              "and not %g\n%s", c->output, x->name, x->n_plan_devices,
			              (long long)c->difference.wrong, (long long)c->difference.elements,
			              (long long)c->difference.first, c->difference.got,
			              c->difference.expected, text ? text : "");
	tess_text_free(text);
	tess_diag_clear(x->ctx);
	return e;
}

static PJRT_Error *compare_runs(PJRT_Executable *x, const tess_tensor *inputs, size_t n)
{
	tess_verify_opts opts = TESS_VERIFY_OPTS_INIT;
	tess_verdict *v = NULL;
	opts.inputs = inputs;
	opts.n_inputs = n;
	opts.locate = true;
	opts.threads = x->client->threads;
	tess_status status = tess_verify(x->program, &opts, &v);
	PJRT_Error *e = v ? first_difference(x, v)
	                  : error_of_context(x->ctx, status, "the program cannot be verified");
	tess_verdict_free(v);
	return e;
}

static const char *why_not(const PJRT_Executable *x)
{
	const tess_mesh *mesh;
	if (x->n_devices < x->n_all)
		return "it runs in several processes";
	if (x->calls_host)
		return "it calls Python, which must not happen twice";
	for (int i = 0; i < x->n_arguments; i++) {
		const tess_sharding *s =
		    x->arguments[i].number < 0
		        ? NULL
		        : tess_exec_input_sharding(x->exec, (size_t)x->arguments[i].number, &mesh);
		if (s && tess_sharding_axis_count(s, TESS_AXES_UNREDUCED) > 0)
			return "it takes terms of sums";
	}
	return NULL;
}

static PJRT_Error *verify(PJRT_Executable *x, cell *const *cells)
{
	size_t n = tess_exec_input_count(x->exec);
	tess_tensor *inputs = calloc(n + 1, sizeof *inputs);
	PJRT_Error *e = inputs ? NULL : error_no_memory();
	for (int i = 0; i < x->n_arguments && !e; i++) {
		whole_argument w = {.x = x, .i = i, .port = &x->arguments[i]};
		if (w.port->number < 0)
			continue;
		size_t k = (size_t)w.port->number;
		tess_exec_input(x->exec, k, &w.type);
		w.sharding = tess_exec_input_sharding(x->exec, k, &w.mesh);
		inputs[k] = w.type;
		inputs[k].bytes = bytes_of(w.port->type, w.type.dims, w.type.rank);
		inputs[k].data = w.data = malloc(inputs[k].bytes + 1);
		e = w.data ? put_together(&w, cells + k * (size_t)x->n_plan_devices)
		           : error_no_memory();
	}
	if (!e)
		e = compare_runs(x, inputs, n);
	for (size_t i = 0; inputs && i < n; i++)
		free((void *)(uintptr_t)inputs[i].data);
	free(inputs);
	return e;
}

bool verify_is_wanted(void)
{
	const char *wanted = getenv("TESSERA_VERIFY");
	return wanted && *wanted && strcmp(wanted, "0") != 0;
}

PJRT_Error *verify_first_run(PJRT_Executable *x, cell *const *cells)
{
	PJRT_Error *e = NULL;
	if (!x->verifies)
		return NULL;
	pthread_mutex_lock(&x->lock);
	if (!x->verified) {
		const char *why = why_not(x);
		x->verified = true;
		if (why)
			fprintf(stderr, "tessera: %s is not verified: %s\n", x->name, why);
		else
			e = verify(x, cells);
	}
	pthread_mutex_unlock(&x->lock);
	return e;
}
