/* model_graph.c - writes the pairwise model of a program, and the solver's answer to it.
 *
 *   model_graph FILE AXIS=SIZE,... TARGET LAMBDA OUT
 *
 * OUT: nodes, edges; each node: states, own costs; each edge: a, b, rows, cols, row of each state of a, column
 * of each state of b, table.  Numbers are 32-bit integers and doubles of this machine.  Prints the energy,
 * bound, sweeps and CPU seconds of the solver.  The exit status is 1 if the energy is below its bound, or
 * more than 0.1 % above. */
#include "mlir/mlir.h"
#include "plan/model/model.h"

#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

static tess_ctx *ctx;
static jmp_buf frame;

static module *read_module(const char *path)
{
	static file_text f, unpacked;
	mlir_parse_opts o = {0};
	if (file_read(ctx, path, &f) != TESS_OK)
		exit(1);
	if (file_is_gzip(f.text)) {
		file_gunzip(ctx, path, f.text, &unpacked);
		f = unpacked;
	}
	module *m = mlir_parse(ctx, source_new(ctx, path, f.text), &o);
	if (!m)
		exit(1);
	return m;
}

static void drop_shardings(module *m)
{
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < (int)o->n_results; i++)
			result(o, i)->sharding = NULL;
		for (int i = 0; op_body(o) && i < op_body(o)->n_args; i++)
			op_body(o)->args[i]->sharding = NULL;
	}
}

static const mesh *read_mesh(char *text)
{
	mesh_axis axes[PLAN_AXES];
	int n = 0;
	for (char *p = strtok(text, ","); p && n < PLAN_AXES; p = strtok(NULL, ",")) {
		char *size = strchr(p, '=');
		if (!size)
			exit(1);
		*size = 0;
		axes[n++] = (mesh_axis){.name = name_of_z(ctx, p), .size = strtoll(size + 1, NULL, 10)};
	}
	return mesh_of(ctx, axes, n, NULL, 0);
}

static void write_graph(FILE *f, const pair_graph *g)
{
	fwrite(&g->n, sizeof(int), 1, f);
	fwrite(&g->n_edges, sizeof(int), 1, f);
	for (int i = 0; i < g->n; i++) {
		fwrite(&g->states[i], sizeof(int), 1, f);
		fwrite(g->own[i], sizeof(double), (size_t)g->states[i], f);
	}
	for (int i = 0; i < g->n_edges; i++) {
		const pair_edge *e = &g->edges[i];
		int head[] = {e->a, e->b, e->rows, e->cols};
		fwrite(head, sizeof head, 1, f);
		fwrite(e->row, sizeof(int), (size_t)g->states[e->a], f);
		fwrite(e->col, sizeof(int), (size_t)g->states[e->b], f);
		for (int k = 0; k < e->rows * e->cols; k++) {
			double cost = e->table[k] < PAIR_NEVER ? e->table[k] * e->times : PAIR_NEVER;
			fwrite(&cost, sizeof cost, 1, f);
		}
	}
}

int main(int argc, char **argv)
{
	enum { SWEEPS = 400 };
	static const double GAP = 1e-4;
	if (argc != 6)
		return 2;
	ctx = ctx_new(NULL);
	if (setjmp(frame))
		return 1;
	ctx->frame = &frame;
	module *m = read_module(argv[1]);
	drop_shardings(m);
	plan_graph g;
	plan_classes k;
	model_solution s;
	if (!plan_graph_of(m, &ctx->scratch, &g))
		return 1;
	classes_find(&g, &ctx->scratch, &k);
	plan_works w;
	plan_works_of(&g, &k, target_named(argv[3]), &ctx->scratch, &w);
	plan_model *p = model_new(&g, &k, &w, read_mesh(argv[2]), NULL, &ctx->scratch);
	clock_t start = clock();
	model_certify(p, strtod(argv[4], NULL), SWEEPS, GAP, &s);
	printf("%.17g %.17g %d %.4f\n", s.energy, s.bound, s.sweeps,
	       (double)(clock() - start) / CLOCKS_PER_SEC);
	FILE *f = fopen(argv[5], "wb");
	if (!f)
		return 1;
	write_graph(f, model_pairs(p));
	bool good = s.bound <= s.energy * (1 + 1e-9) && s.energy - s.bound <= 1e-3 * s.energy;
	return fclose(f) != 0 || !good;
}
