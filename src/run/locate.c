/* locate.c - finds the operation from which on a partitioned program computes something else.
 *
 * Watched values are compared one by one. A program that was partitioned elsewhere has no values
 * that correspond to the global ones by name, so they are matched by content: a global value is
 * present if some value of the devices, pasted together as its sharding says, equals it. */
#include "run/session.h"

#include <limits.h>

typedef struct content_search {
	session *whole, *local;
	void *gathered; /* room for the largest watched value */
	int *found;     /* the local value that matches; -1: none */
} content_search;

static bool same_local_type(const content_search *c, const distribution *s, int k)
{
	const type *t = c->local->results[k].type, *g = s->global->type;
	if (t->dtype != g->dtype || t->rank != g->rank)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (t->dims[d] != s->local[d])
			return false;
	return true;
}

/* True if many of a few sampled elements differ: quicker than comparing all of them. */
static bool clearly_differ(const tess_tensor *got, const tess_tensor *want)
{
	enum { SAMPLES = 64, MOST_APART = 8, WIDEST = 16 };
	size_t width = (size_t)dtype_bytes((dtype)want->dtype), n = width ? want->bytes / width : 0;
	char few_got[SAMPLES * WIDEST], few_want[SAMPLES * WIDEST];
	tess_tensor a = {.dtype = got->dtype, .rank = 1, .data = few_got, .bytes = SAMPLES * width}, b = a;
	tess_difference diff;
	b.data = few_want;
	if (!width || width > WIDEST || n <= SAMPLES)
		return false;
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t at = i * (n / SAMPLES) * width;
		memcpy(few_got + i * width, (const char *)got->data + at, width);
		memcpy(few_want + i * width, (const char *)want->data + at, width);
	}
	tensors_agree(&a, &b, NULL, tolerance_of((dtype)want->dtype), &diff);
	return diff.wrong > MOST_APART;
}

/* True if the devices' values, pasted together, equal the global value. */
static bool is_global_value(const content_search *c, const distribution *s, int k,
                            const tess_tensor *want)
{
	distribution_gather(s, c->local->local.n_devices, &c->local->results[k], c->gathered,
	              &c->whole->ctx->scratch);
	tess_tensor got = *want;
	tess_difference diff;
	got.data = c->gathered;
	return !clearly_differ(&got, want) &&
	       tensors_agree(&got, want, NULL, tolerance_of((dtype)want->dtype), &diff);
}

/* Returns the local value that matches watched value i; -1 if there is none. */
static int find_content(const content_search *c, int i)
{
	const watched *w = &c->whole->watched[i];
	arena *scratch = &c->whole->ctx->scratch;
	distribution s;
	const tess_tensor want = session_output(c->whole, c->whole->n_results + i);
	distribution_init(scratch, &w->global, c->local->local.n_devices, &s);
	for (int k = 0; k < c->local->n_results + c->local->n_watched; k++) {
		arena_mark mark = arena_here(scratch);
		bool is_it = same_local_type(c, &s, k) && is_global_value(c, &s, k, &want);
		arena_back(scratch, mark);
		if (is_it)
			return k;
	}
	return -1;
}

/* Counts, for each watched value, how many operations later a matching float value is computed from
 * it. If there are only a few, the value itself is fine and devices just hold it in another form:
 * as partial sums, or fused away. Booleans and integers are no evidence, since they may match by
 * chance. */
static void measure_distances(const session *e, const int *found, int *distance)
{
	for (int i = 0; i < e->n_watched; i++)
		distance[i] = found[i] >= 0 ? 0 : INT_MAX / 2;
	for (int i = e->n_watched; i-- > 0;) {
		const watched *w = &e->watched[i];
		for (int k = 0; k < w->n_operands && dtype_is_float(w->global.type->dtype); k++) {
			int *source = &distance[w->operands[k]];
			*source = (int)min_i64(*source, distance[i] + 1);
		}
	}
}

int locate_by_content(session *whole, session *local, bool (*proceed)(void *, const tess_progress *),
                      void *user)
{
	enum { FEW = 3 };
	arena *scratch = &whole->ctx->scratch;
	int64_t most = 1;
	for (int i = 0; i < whole->n_watched; i++)
		most = max_i64(most, type_bytes(whole->watched[i].global.type));
	content_search c = {whole, local, arena_alloc(scratch, (size_t)most),
	                    NEW_N(scratch, int, whole->n_watched + 1)};
	int *distance = NEW_N(scratch, int, whole->n_watched + 1), first = -1;
	for (int i = 0; i < whole->n_watched; i++) {
		if (proceed && !proceed(user, &(tess_progress){.done = i, .total = whole->n_watched}))
			return -1;
		c.found[i] = find_content(&c, i);
	}
	measure_distances(whole, c.found, distance);
	for (int i = whole->n_watched; i-- > 0;)
		if (distance[i] > FEW)
			first = i;
	return first;
}

void watched_blame(const session *s, int i, const char *what)
{
	const watched *w = &s->watched[i];
	diag_error(s->ctx, w->at, E_EXEC_DIFFERS, "%s: %s", w->op, what);
	if (!w->global.sharding)
		return;
	writer text;
	writer_init(&text, &s->ctx->scratch);
	sharding_print(&text, w->global.sharding);
	diag_note(s->ctx, w->at, "its sharding is %.*s", STR_ARG(writer_str(&text)));
}
