/* generate_index.c - operations with indices as operands: dynamic slices, gather, scatter. */
#include "generator.h"

#include <string.h>

bool gen_dynamic_slice(generator *g)
{
	term *t = filled(g, 1), list[MAX_RANK + 2];
	char a[128], text[256];
	if (!t)
		return false;
	list[0] = *t;
	shape s = list[0].s;
	for (int d = 0; d < s.rank; d++) {
		list[d + 1] = maybe_hidden(g, scalar(g, "i32", below(g, (int)s.dims[d] + 4) - 2));
		if (!chance(g, 40))
			s.dims[d] = 1 + below(g, (int)s.dims[d]);
	}
	snprintf(text, sizeof text, "slice_sizes = %s", list_text(a, sizeof a, s.dims, s.rank));
	return one_result(g, "stablehlo.dynamic_slice", list, s.rank + 1, text, NULL, s,
	                  list[0].type);
}

bool gen_update_slice(generator *g)
{
	term *t = numeric(g, 1), *update = NULL, list[MAX_RANK + 2];
	if (!t)
		return false;
	list[0] = *t;
	for (int tries = 0; tries < 60 && !update; tries++) {
		term *o = any_term(g);
		bool fits = !strcmp(o->type, t->type) && o->s.rank == t->s.rank;
		for (int d = 0; fits && d < o->s.rank; d++)
			fits = o->s.dims[d] <= t->s.dims[d];
		if (fits && (o != t || tries > 40))
			update = o;
	}
	if (!update)
		return false;
	list[1] = *update;
	for (int d = 0; d < list[0].s.rank; d++)
		list[d + 2] = maybe_hidden(g, scalar(g, "i32", below(g, (int)list[0].s.dims[d] + 4) - 2));
	return one_result(g, "stablehlo.dynamic_update_slice", list, list[0].s.rank + 2, NULL, NULL,
	                  list[0].s, list[0].type);
}

/* Writes i32 constants of shape `s` as indices, some of them out of bounds. */
static term random_indices(generator *g, shape s, int limit)
{
	term t = fresh(g, s, "i32");
	int64_t n = elements(&s);
	say(g, "    %s = \"stablehlo.constant\"() <{value = dense<", t.name);
	for (int d = 0; d < s.rank; d++)
		say(g, "[");
	for (int64_t i = 0; i < n; i++) {
		int64_t block = 1;
		for (int d = s.rank; d-- > 0;) {
			block *= s.dims[d];
			if (i && i % block == 0)
				say(g, "%s", "]");
		}
		if (i)
			say(g, ", ");
		block = 1;
		for (int d = s.rank; d-- > 0;) {
			block *= s.dims[d];
			if (i && i % block == 0)
				say(g, "%s", "[");
		}
		say(g, "%d", below(g, limit + 3) - 1);
	}
	for (int d = 0; d < s.rank; d++)
		say(g, "]");
	say(g, "> : ");
	say_type(g, &s, "i32");
	say(g, "}>");
	say_result_sharding(g, &t, 1);
	say(g, " : () -> ");
	say_type(g, &s, "i32");
	say(g, "\n");
	add_to_pool(g, &t);
	return t;
}

static void dims_text(char *to, size_t size, const int *v, int n)
{
	size_t at = 0;
	to[0] = 0;
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(to + at, size - at, "%s%d", i ? ", " : "", v[i]);
}

/* ---- gathers and scatters ------------------------------------------------------------------ */

/* The roles of an operand's dimensions. Some are indexed: an index selects one element, or the
 * start of a window. Some are batch dimensions, paired with a dimension of the indices. The others
 * are taken in full. */
typedef struct indexed {
	term from;
	int single[MAX_RANK], mapped[MAX_RANK], along[MAX_RANK], n_single, n_mapped, n_along;
	int64_t slice[MAX_RANK], kept[MAX_RANK]; /* sizes of all dimensions; of window dimensions */
	int n_kept, limit;
	shape indices;
	int vector;             /* index_vector_dim */
	int of_indices[MAX_RANK]; /* dimension of the indices for each of `along` */
	int64_t batch[MAX_RANK]; /* dimensions of the indices except index_vector_dim */
	int n_batch;
} indexed;

static void choose_dims(generator *g, indexed *x)
{
	const shape *s = &x->from.s;
	x->limit = 1;
	for (int d = 0; d < s->rank; d++) {
		int how = below(g, 6);
		bool indexes = how <= 2;
		x->slice[d] = how <= 1 || how == 5 ? 1 : s->dims[d];
		if (how <= 1)
			x->single[x->n_single++] = d;
		if (how == 2)
			x->slice[d] = 1 + below(g, (int)s->dims[d]);
		if (indexes)
			x->mapped[x->n_mapped++] = d;
		if (how == 5)
			x->along[x->n_along++] = d;
		if (how >= 2 && how < 5)
			x->kept[x->n_kept++] = x->slice[d];
		if (indexes && s->dims[d] > x->limit)
			x->limit = (int)s->dims[d];
	}
}

/* Chooses the shape of the indices: their own dimensions and the batch dimensions in any order, and
 * index_vector_dim first or last. Returns false if there are too many. */
static bool choose_indices(generator *g, indexed *x)
{
	int own = below(g, x->n_along ? 2 : 3), n = own + x->n_along, taken[MAX_RANK] = {0};
	bool vector = x->n_mapped > 1 || chance(g, 50), in_front = vector && chance(g, 25);
	if (!x->n_mapped || n + x->n_kept > MAX_RANK || n + vector > MAX_RANK)
		return false;
	x->n_batch = n;
	for (int i = 0; i < n; i++)
		x->batch[i] = 1 + below(g, 6);
	for (int i = 0; i < x->n_along; i++) {
		int at = below(g, n);
		while (taken[at])
			at = (at + 1) % n;
		taken[at] = 1;
		x->batch[at] = x->from.s.dims[x->along[i]];
		x->of_indices[i] = at + in_front;
	}
	x->indices.rank = n + vector;
	x->vector = in_front ? 0 : n;
	for (int i = 0; i < n; i++)
		x->indices.dims[i + in_front] = x->batch[i];
	if (vector)
		x->indices.dims[x->vector] = x->n_mapped;
	return elements(&x->indices) <= 64;
}

static bool choose_indexed(generator *g, indexed *x)
{
	term *t = filled(g, 1);
	if (!t)
		return false;
	*x = (indexed){.from = *t};
	choose_dims(g, x);
	return choose_indices(g, x);
}

/* Returns the shape of a gather's result or a scatter's updates: window and batch dimensions, with
 * the windows first or last. window[n_kept] gets the window dimensions. */
static shape outer_shape(generator *g, const indexed *x, int *window)
{
	bool first = chance(g, 40);
	shape s = {.rank = x->n_batch + x->n_kept};
	for (int i = 0; i < x->n_kept; i++) {
		window[i] = first ? i : x->n_batch + i;
		s.dims[window[i]] = x->kept[i];
	}
	for (int i = 0; i < x->n_batch; i++)
		s.dims[first ? x->n_kept + i : i] = x->batch[i];
	return s;
}

typedef struct indexed_text {
	char window[64], single[64], along[64], of_indices[64], map[64];
} indexed_text;

static indexed_text indexed_texts(const indexed *x, const int *window)
{
	indexed_text t;
	dims_text(t.window, sizeof t.window, window, x->n_kept);
	dims_text(t.single, sizeof t.single, x->single, x->n_single);
	dims_text(t.along, sizeof t.along, x->along, x->n_along);
	dims_text(t.of_indices, sizeof t.of_indices, x->of_indices, x->n_along);
	dims_text(t.map, sizeof t.map, x->mapped, x->n_mapped);
	return t;
}

bool gen_gather(generator *g)
{
	indexed x;
	int window[MAX_RANK];
	char text[1024], sizes[128];
	if (!choose_indexed(g, &x))
		return false;
	shape out = outer_shape(g, &x, window);
	indexed_text t = indexed_texts(&x, window);
	term indices = maybe_hidden(g, random_indices(g, x.indices, x.limit));
	snprintf(text, sizeof text,
	         "dimension_numbers = #stablehlo.gather<offset_dims = [%s], collapsed_slice_dims = "
	         "[%s], operand_batching_dims = [%s], start_indices_batching_dims = [%s], "
	         "start_index_map = [%s], index_vector_dim = %d>, slice_sizes = %s, "
	         "indices_are_sorted = false",
	         t.window, t.single, t.along, t.of_indices, t.map, x.vector,
	         list_text(sizes, sizeof sizes, x.slice, x.from.s.rank));
	return one_result(g, "stablehlo.gather", (term[]){x.from, indices}, 2, text, NULL, out,
	                  x.from.type);
}

bool gen_scatter(generator *g)
{
	static const char *const ops[] = {"add", "maximum", "minimum", "multiply"};
	indexed x;
	int window[MAX_RANK];
	char text[1024], region[1024];
	if (!choose_indexed(g, &x))
		return false;
	shape s = outer_shape(g, &x, window);
	if (elements(&s) > MAX_ELEMENTS)
		return false;
	indexed_text t = indexed_texts(&x, window);
	term indices = maybe_hidden(g, random_indices(g, x.indices, x.limit));
	/* an iota serves as updates */
	term updates = s.rank ? fresh(g, s, x.from.type) : scalar(g, x.from.type, 3);
	if (s.rank)
		say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL,
		              &updates, 1);
	snprintf(text, sizeof text,
	         "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [%s], "
	         "inserted_window_dims = [%s], input_batching_dims = [%s], "
	         "scatter_indices_batching_dims = [%s], scatter_dims_to_operand_dims = [%s], "
	         "index_vector_dim = %d>, indices_are_sorted = false, unique_indices = false",
	         t.window, t.single, t.along, t.of_indices, t.map, x.vector);
	return one_result(g, "stablehlo.scatter", (term[]){x.from, indices, updates}, 3, text,
	                  reducer_text(g, region, sizeof region, ops[below(g, 4)], x.from.type),
	                  x.from.s, x.from.type);
}

/* Writes a scatter that replaces rows or columns of one or two operands, each at most once. */
bool gen_replace(generator *g)
{
	term *t = filled(g, 1), list[5], results[2];
	char text[512], region[512];
	if (!t)
		return false;
	int d = below(g, t->s.rank), n = 1 + chance(g, 40), id = g->next++, windows = 0;
	term from = *t, at = fresh(g, (shape){1, {1 + below(g, (int)from.s.dims[d]), 0, 0, 0}}, "i32");
	term rows = from;
	rows.s.dims[d] = at.s.dims[0];
	say_operation(g, "stablehlo.iota", NULL, 0, "iota_dimension = 0 : i64", NULL, &at, 1);
	if (chance(g, 50)) {
		term back = fresh(g, at.s, "i32");
		say_operation(g, "stablehlo.reverse", &at, 1, "dimensions = array<i64: 0>", NULL,
		              &back, 1);
		at = back;
	}
	for (int i = 0; i < n; i++) {
		term made = fresh(g, rows.s, from.type);
		snprintf(text, sizeof text, "iota_dimension = %d : i64", below(g, rows.s.rank));
		say_operation(g, "stablehlo.iota", NULL, 0, text, NULL, &made, 1);
		list[i] = from;
		list[n + 1 + i] = made;
		results[i] = fresh(g, from.s, from.type);
	}
	list[n] = maybe_hidden(g, at);
	int dims[MAX_RANK];
	for (int i = 0; i < from.s.rank; i++)
		if (i != d)
			dims[windows++] = i;
	char window[64];
	dims_text(window, sizeof window, dims, windows);
	const char *e = from.type;
	snprintf(region, sizeof region,
	         n == 1 ? "{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>):\n      "
	                  "\"stablehlo.return\"(%%q%d) : (tensor<%s>) -> ()\n    }"
	                : "{^bb0(%%p%d: tensor<%s>, %%q%d: tensor<%s>, %%r%d: tensor<%s>, %%s%d: "
	                  "tensor<%s>):\n      \"stablehlo.return\"(%%s%d, %%r%d) : (tensor<%s>, "
	                  "tensor<%s>) -> ()\n    }",
	         id, e, id, e, id, e, id, e, id, id, e, e);
	snprintf(text, sizeof text,
	         "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [%s], "
	         "inserted_window_dims = [%d], scatter_dims_to_operand_dims = [%d], "
	         "index_vector_dim = 1>, indices_are_sorted = false, unique_indices = %s",
	         window, d, d, chance(g, 50) ? "true" : "false");
	say_operation(g, "stablehlo.scatter", list, 2 * n + 1, text, region, results, n);
	return true;
}
