/* incremental.c - what one more annotation costs, beside a fresh propagation.
 *
 *   bench_incremental FILE...
 *
 * For each program: a fresh run of the pass, the first run of a kept propagation, then changes of
 * one annotation, each undone again: of every argument of @main in turn (the first 64), split along
 * the first axis of the mesh.  Milliseconds of processor time; visits per operation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/passes.h>
#include <tessera/propagate.h>
#include <time.h>

enum { ARGUMENTS = 64 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The first mesh of the program. */
static tess_op *find_mesh(tess_module *m)
{
	tess_op *o = tess_block_first(tess_module_body(m));
	while (o && !tess_op_is(o, "sdy.mesh"))
		o = tess_op_next(o);
	return o;
}

/* The last dimension along the first axis. */
static const tess_sharding *other_sharding(tess_module *m, tess_op *at, const tess_value *v)
{
	const tess_mesh *mesh = tess_attr_get_mesh(tess_op_attr(at, "mesh"));
	tess_str name = tess_attr_text(tess_op_attr(at, "sym_name"));
	tess_mesh_axis a;
	tess_dim_spec dims[8] = {0};
	char symbol[100];
	int rank = tess_type_rank(tess_value_type(v));
	if (rank < 1 || rank > 8 || !tess_mesh_axis_get(mesh, 0, &a))
		return NULL;
	snprintf(symbol, sizeof symbol, "%.*s", (int)name.len, name.ptr);
	tess_axis axis = {a.name, 0, 0};
	for (int d = 0; d < rank; d++)
		dims[d] = (tess_dim_spec){.priority = TESS_NO_PRIORITY};
	dims[rank - 1].axes = &axis;
	dims[rank - 1].n_axes = 1;
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	spec.mesh_name = symbol;
	spec.mesh = mesh;
	spec.dims = dims;
	spec.rank = (size_t)rank;
	return tess_sharding_make(tess_module_ctx(m), &spec);
}

static double fresh_run(tess_module *imported)
{
	double best = 1e9;
	for (int i = 0; i < 5; i++) {
		tess_module *m = tess_module_clone(imported);
		double begin = now();
		tess_module_run_passes(m, "sdy-user-priority-propagate");
		double spent = now() - begin;
		best = spent < best ? spent : best;
		tess_module_free(m);
	}
	return best;
}

typedef struct change_times {
	double ms[2 * ARGUMENTS], visits;
	int n, whole;
} change_times;

static void timed_run(tess_propagation *p, change_times *c)
{
	tess_propagation_stats s = TESS_PROPAGATION_STATS_INIT;
	double begin = now();
	tess_propagation_run(p, &s);
	c->ms[c->n++] = now() - begin;
	c->visits += (double)s.visits / (double)s.operations;
	c->whole += s.how != TESS_PROPAGATED_PART;
}

static void change_arguments(tess_module *m, tess_propagation *p, change_times *c)
{
	tess_op *mesh = find_mesh(m), *main = tess_module_find(m, "main");
	for (size_t i = 0; i < tess_block_arg_count(tess_op_body(main, 0)) && i < ARGUMENTS; i++) {
		tess_value *v = tess_block_arg(tess_op_body(main, 0), i);
		const tess_sharding *before = tess_propagation_annotation(p, v);
		const tess_sharding *other = other_sharding(m, mesh, v);
		if (!other || tess_propagation_annotate(p, v, other) != TESS_OK)
			continue;
		timed_run(p, c);
		tess_propagation_annotate(p, v, before);
		timed_run(p, c);
	}
}

static int measure(const char *path)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = ctx ? tess_module_parse_file(ctx, path, NULL) : NULL;
	tess_propagation *p = m && find_mesh(m) ? tess_propagation_new(m, NULL) : NULL;
	change_times c = {.n = 0};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (p) {
		double fresh = fresh_run(m), begin = now();
		tess_propagation_run(p, NULL);
		double first = now() - begin;
		change_arguments(m, p, &c);
		qsort(c.ms, (size_t)c.n, sizeof *c.ms, by_size);
		if (c.n)
			printf("%-32s %8.2f %8.2f %10.3f %10.3f %8.3f %6d of %d\n", name, fresh,
			       first, c.ms[c.n / 2], c.ms[c.n - 1], c.visits / c.n, c.whole, c.n);
	} else {
		printf("%-32s refused\n", name);
	}
	tess_propagation_free(p);
	tess_module_free(m);
	tess_ctx_free(ctx);
	return p != NULL;
}

int main(int argc, char **argv)
{
	printf("%-32s %8s %8s %10s %10s %8s %s\n", "ms", "fresh", "first", "median", "largest",
	       "visits", "whole runs");
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	return 0;
}
