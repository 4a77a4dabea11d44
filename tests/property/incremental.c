/* incremental.c - after a series of changed annotations, incremental propagation gives the same
 * result as a fresh one.
 *
 *   incremental [--seed N] [--count N] [--quiet]
 *
 * Each random program gets a series of changes: a value is annotated differently, or loses its
 * annotation. After each change, the propagation that was kept is updated, and the pass runs on a
 * copy of the imported program with the same annotations. Every sharding must be the same pointer.
 * Two more programs check that a change visits few operations. */
#include "generate.h"

#include "../support/lent.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/passes.h>
#include <tessera/propagate.h>

enum { MAX_VALUES = 20000, CHANGES = 8 };

typedef struct trial {
	tess_ctx *ctx;
	tess_module *m, *annotated; /* annotated: has the annotations only */
	tess_propagation *p;
	const char *options;
	uint64_t rng;
	tess_value *values[MAX_VALUES], *twins[MAX_VALUES];
	size_t n;
} trial;

typedef struct tally {
	long runs, wrong, refused, how[6];
	unsigned long long visits, operations; /* of partial runs */
} tally;

static uint64_t below(trial *t, uint64_t n) { return random_next(&t->rng) % n; }

/* ---- values ----------------------------------------------------------------------- */

static size_t list_values(tess_module *m, tess_value **out)
{
	size_t n = 0;
	tess_op *top = tess_module_op(m);
	for (tess_op *o = top; o; o = tess_op_walk(o, top)) {
		for (size_t i = 0; i < tess_op_result_count(o) && n < MAX_VALUES; i++)
			out[n++] = tess_op_result(o, i);
		for (size_t r = 0; r < tess_op_region_count(o); r++)
			for (tess_block *b = tess_op_body(o, r); b; b = tess_block_next(b))
				for (size_t i = 0; i < tess_block_arg_count(b) && n < MAX_VALUES;
				     i++)
					out[n++] = tess_block_arg(b, i);
	}
	return n;
}

/* True if not all axes of the mesh are available. */
static bool is_of_manual(const tess_value *v)
{
	const tess_op *o = tess_value_op(v);
	if (o && tess_op_is(o, "sdy.data_flow_edge"))
		v = tess_op_operand(o, 0);
	for (o = tess_value_op(v) ? tess_value_op(v) : tess_block_parent(tess_value_block(v)); o;
	     o = tess_op_parent(o))
		if (tess_op_is(o, "sdy.manual_computation"))
			return true;
	return false;
}

/* True if the value carries its sharding itself, and not an edge or a list of shardings. */
static bool bears_itself(const tess_value *v)
{
	static const char *const flow[] = {"stablehlo.while", "stablehlo.case",
	                                   "stablehlo.optimization_barrier",
	                                   "sdy.manual_computation", "sdy.named_computation"};
	const tess_op *o = tess_value_op(v);
	if (!o)
		return tess_func_type(tess_block_parent(tess_value_block(v)));
	for (size_t i = 0; i < sizeof flow / sizeof *flow; i++)
		if (tess_op_is(o, flow[i]))
			return false;
	return true;
}

/* ---- annotations ------------------------------------------------------------------ */

static void random_dim(trial *t, const tess_mesh *mesh, bool *used, tess_axis *axes,
                       tess_dim_spec *dim)
{
	*dim = (tess_dim_spec){.axes = axes, .priority = TESS_NO_PRIORITY};
	for (size_t k = 0; k < tess_mesh_axis_count(mesh); k++) {
		tess_mesh_axis a;
		if (used[k] || below(t, 3) || !tess_mesh_axis_get(mesh, k, &a))
			continue;
		bool part = a.size % 4 == 0 && below(t, 4) == 0;
		used[k] = true;
		axes[dim->n_axes++] = (tess_axis){a.name, 1, part ? 2 : 0};
	}
	dim->open = below(t, 2);
	if (below(t, 60) == 0 && (dim->n_axes || dim->open))
		dim->priority = (int64_t)below(t, 2);
}

/* Returns NULL for no annotation, or if the type does not take one. */
static const tess_sharding *random_sharding(trial *t, const tess_value *v)
{
	tess_op *at = tess_module_find(t->m, "mesh");
	const tess_mesh *mesh = at ? tess_attr_get_mesh(tess_op_attr(at, "mesh")) : NULL;
	tess_dim_spec dims[8];
	tess_axis axes[8][8];
	bool used[8] = {0};
	int rank = tess_type_rank(tess_value_type(v));
	if (!mesh || rank < 0 || rank > 8 || tess_mesh_axis_count(mesh) > 8 || below(t, 5) == 0)
		return NULL;
	for (int d = 0; d < rank; d++)
		random_dim(t, mesh, used, axes[d], &dims[d]);
	tess_sharding_spec spec = TESS_SHARDING_SPEC_INIT;
	spec.mesh_name = "mesh";
	spec.mesh = mesh;
	spec.dims = dims;
	spec.rank = (size_t)rank;
	return tess_sharding_make(t->ctx, &spec);
}

static void change_annotation(trial *t)
{
	tess_op *main = tess_module_find(t->m, "main");
	size_t n_out = tess_type_out_count(tess_func_type(main));
	if (n_out && below(t, 6) == 0) {
		size_t i = below(t, n_out);
		const tess_value *returned = tess_op_operand(tess_block_last(tess_op_body(main, 0)),
		                                             i);
		const tess_sharding *s = random_sharding(t, returned);
		if (tess_propagation_annotate_result(t->p, i, s) == TESS_OK)
			tess_func_set_result_sharding(tess_module_find(t->annotated, "main"), i, s);
		return;
	}
	for (int tries = 0; tries < 20; tries++) {
		size_t i = below(t, t->n);
		if (!bears_itself(t->values[i]) || is_of_manual(t->values[i]))
			continue;
		const tess_sharding *s = random_sharding(t, t->values[i]);
		if (tess_propagation_annotate(t->p, t->values[i], s) != TESS_OK)
			continue;
		list_values(t->annotated, t->twins);
		tess_value_set_sharding(t->annotated, t->twins[i],
		                        tess_propagation_annotation(t->p, t->values[i]));
		return;
	}
}

/* ---- a fresh run to compare with -------------------------------------------------- */

static void tell_difference(trial *t, size_t i)
{
	tess_op *o = tess_value_op(t->values[i]);
	tess_str n = o ? tess_op_name(o) : (tess_str){"argument", 8};
	const tess_sharding *both[2] = {tess_value_sharding(t->values[i]),
	                                tess_value_sharding(t->twins[i])};
	printf("  value %zu of %.*s:", i, (int)n.len, n.ptr);
	for (int k = 0; k < 2; k++) {
		tess_str s = both[k] ? lent(tess_sharding_print(t->ctx, both[k]))
		                     : (tess_str){"nothing", 7};
		printf("%s %.*s", k ? ", fresh" : "", (int)s.len, s.ptr);
	}
	printf("\n");
}

static bool same_as(trial *t, tess_module *fresh)
{
	tess_op *a = tess_module_find(t->m, "main"), *b = tess_module_find(fresh, "main");
	list_values(fresh, t->twins);
	for (size_t i = 0; i < t->n; i++)
		if (bears_itself(t->values[i]) &&
		    tess_value_sharding(t->values[i]) != tess_value_sharding(t->twins[i])) {
			tell_difference(t, i);
			return false;
		}
	for (size_t i = 0; i < tess_type_out_count(tess_func_type(a)); i++)
		if (tess_func_result_sharding(a, i) != tess_func_result_sharding(b, i))
			return false;
	return true;
}

/* If members of a group disagree, the fresh program gets constraints. Values are matched by
 * position, so such a run cannot be compared. */
static bool comparable(trial *t, tess_module *fresh)
{
	return list_values(fresh, t->twins) == t->n;
}

static void check_run(trial *t, tally *sum, uint64_t seed)
{
	char pass[200];
	tess_propagation_stats stats = TESS_PROPAGATION_STATS_INIT;
	tess_module *fresh = tess_module_clone(t->annotated);
	snprintf(pass, sizeof pass, "sdy-user-priority-propagate{%s more-rules=true}",
	         t->options);
	bool good = tess_propagation_run(t->p, &stats) == TESS_OK;
	good = tess_module_run_passes(fresh, pass) == TESS_OK && good;
	sum->runs++;
	sum->how[stats.how]++;
	if (stats.how == TESS_PROPAGATED_PART) {
		sum->visits += stats.visits;
		sum->operations += stats.operations;
	}
	if (!good || (comparable(t, fresh) && !same_as(t, fresh))) {
		sum->wrong++;
		printf("program %llu, options '%s': run %ld differs from a fresh one\n",
		       (unsigned long long)seed, t->options, sum->runs);
		tess_str why = lent(tess_diag_render(t->ctx, false));
		printf("%.*s", (int)why.len, why.ptr);
	}
	tess_module_free(fresh);
}

static void check_text(const char *text, uint64_t seed, tally *sum)
{
	static const char *const options[] = {"",
	                                      "",
	                                      "",
	                                      "propagation-strategy=basic",
	                                      "propagation-strategy=basic-then-aggressive",
	                                      "conservative-propagation=true",
	                                      "run-op-priority-propagation=false",
	                                      "order=canonical"};
	trial *t = calloc(1, sizeof *t);
	t->ctx = tess_ctx_new(NULL);
	t->rng = seed * 2 + 1;
	t->options = options[seed % (sizeof options / sizeof *options)];
	t->m = tess_module_parse(t->ctx, (tess_str){text, strlen(text)}, "random", NULL);
	t->p = t->m ? tess_propagation_new(t->m, t->options) : NULL;
	if (t->p) {
		t->annotated = tess_module_clone(t->m);
		t->n = list_values(t->m, t->values);
		check_run(t, sum, seed);
		for (int i = 0; i < CHANGES; i++) {
			for (uint64_t k = below(t, 3); k < 3; k++)
				change_annotation(t);
			check_run(t, sum, seed);
		}
	} else {
		sum->refused++;
		tess_str why = lent(tess_diag_render(t->ctx, false));
		printf("program %llu is refused: %.*s\n", (unsigned long long)seed, (int)why.len,
		       why.ptr);
	}
	tess_propagation_free(t->p);
	tess_module_free(t->annotated);
	tess_module_free(t->m);
	tess_ctx_free(t->ctx);
	free(t);
}

static void check_program(uint64_t seed, tally *sum)
{
	char *text = generate_program(seed);
	check_text(text, seed, sum);
	free(text);
}

/* Random programs have no groups like these. */
static const char *const with_groups =
	"sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
	"func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
	"  %0 = stablehlo.tanh %a : tensor<8x8xf32>\n"
	"  %1 = stablehlo.dot %0, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>\n"
	"  sdy.sharding_group %0 group_id=0 : tensor<8x8xf32>\n"
	"  sdy.sharding_group %b group_id=0 : tensor<8x8xf32>\n"
	"  return %1 : tensor<8x8xf32>\n}\n";

/* ---- number of visits ----------------------------------------------------------------------- */

enum { LAYERS = 96 };

/* Writes layers of a product and other ops, separated by barriers that propagation cannot pass. */
static char *barrier_chain(void)
{
	char *text = malloc(LAYERS * 800 + 1000);
	size_t n = (size_t)sprintf(text, "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
	                                 "func.func @main(%%v0: tensor<16x16xf32>");
	for (int i = 0; i < LAYERS; i++)
		n += (size_t)sprintf(text + n, ", %%w%d: tensor<16x16xf32>", i);
	n += (size_t)sprintf(text + n, ") -> tensor<16x16xf32> {\n");
	for (int i = 0; i < LAYERS; i++)
		n += (size_t)sprintf(
			text + n,
			"  %%d%d = stablehlo.dot %%v%d, %%w%d : (tensor<16x16xf32>, tensor<16x16xf32>)"
			" -> tensor<16x16xf32>\n  %%t%d = stablehlo.tanh %%d%d : tensor<16x16xf32>\n"
			"  %%a%d = stablehlo.add %%t%d, %%v%d : tensor<16x16xf32>\n"
			"  %%v%d = sdy.propagation_barrier %%a%d allowed_direction=NONE : "
			"tensor<16x16xf32>\n",
			i, i, i, i, i, i, i, i, i + 1, i);
	sprintf(text + n, "  return %%v%d : tensor<16x16xf32>\n}\n", LAYERS);
	return text;
}

static bool expect(bool good, const char *what, const tess_propagation_stats *s)
{
	if (!good)
		printf("%s: %llu of %llu operations visited, %llu changed, how %d\n", what,
		       (unsigned long long)s->visits, (unsigned long long)s->operations,
		       (unsigned long long)s->changed, (int)s->how);
	return good;
}

static bool run_with(tess_propagation *p, tess_value *v, const tess_sharding *s,
                     tess_propagation_stats *stats)
{
	*stats = (tess_propagation_stats)TESS_PROPAGATION_STATS_INIT;
	return tess_propagation_annotate(p, v, s) == TESS_OK &&
	       tess_propagation_run(p, stats) == TESS_OK;
}

static bool check_chain(void)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	char *text = barrier_chain();
	tess_module *m = tess_module_parse(ctx, (tess_str){text, strlen(text)}, "chain", NULL);
	tess_propagation *p = m ? tess_propagation_new(m, NULL) : NULL;
	tess_propagation_stats s = TESS_PROPAGATION_STATS_INIT;
	bool good = p && tess_propagation_run(p, &s) == TESS_OK;
	good = good &&
	       expect(s.how == TESS_PROPAGATED_FIRST && s.visits >= s.operations, "first", &s);
	tess_block *body = good ? tess_op_body(tess_module_find(m, "main"), 0) : NULL;
	tess_value *w = body ? tess_block_arg(body, LAYERS / 2) : NULL;
	const tess_sharding *x = tess_sharding_parse(ctx, (tess_str){"<@mesh, [{}, {\"x\"}]>", 21},
	                                             NULL, NULL, 2);
	good = good && x && run_with(p, w, x, &s) &&
	       expect(s.how == TESS_PROPAGATED_PART && s.changed >= 4 && s.visits < 60, "a layer",
	              &s);
	good = good && run_with(p, w, x, &s) && expect(s.visits == 0, "the same again", &s);
	good = good && run_with(p, w, NULL, &s) &&
	       expect(s.changed >= 4 && s.visits < 60, "back", &s);
	/* A closed annotation that matches the present sharding affects only the neighbors. */
	const tess_sharding *closed = tess_sharding_parse(ctx, (tess_str){"<@mesh, [{}, {}]>", 17},
	                                                  NULL, NULL, 2);
	good = good && closed && run_with(p, w, closed, &s) &&
	       expect(s.changed == 1 && s.visits <= 5, "nothing passes", &s);
	good = good &&
	       tess_propagation_annotate(
		       p,
		       tess_op_result(tess_value_op(tess_op_operand(tess_block_last(body), 0)), 0),
		       tess_sharding_parse(ctx, (tess_str){"<@mesh, [{}]>", 13}, NULL, NULL, 1)) ==
	               TESS_INVALID;
	good = good && tess_propagation_annotate_result(p, 1, closed) == TESS_USAGE;
	tess_propagation_free(p);
	tess_module_free(m);
	tess_ctx_free(ctx);
	free(text);
	return good;
}

int main(int argc, char **argv)
{
	uint64_t seed = 0, count = 200;
	bool quiet = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--quiet") == 0)
			quiet = true;
		else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
			seed = strtoull(argv[++i], NULL, 10);
		else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
			count = strtoull(argv[++i], NULL, 10);
	}
	tally sum = {0};
	for (uint64_t i = seed; i < seed + count; i++)
		check_program(i, &sum);
	for (uint64_t i = 0; i < 8; i++)
		check_text(with_groups, i, &sum);
	if (!quiet || sum.wrong)
		printf("%ld runs, %ld differ, %ld programs refused; partial %ld (%.1f visits per 100 "
		       "operations), first %ld, large %ld, canonical %ld, groups %ld, priorities %ld\n",
		       sum.runs, sum.wrong, sum.refused, sum.how[0],
		       sum.operations ? 100.0 * (double)sum.visits / (double)sum.operations : 0,
		       sum.how[1], sum.how[2], sum.how[3], sum.how[4], sum.how[5]);
	bool every_way = true;
	for (int i = 0; i < 6; i++)
		every_way = every_way && sum.how[i];
	if (!every_way)
		printf("not every way to run occurred\n");
	return sum.wrong || !every_way || !check_chain();
}
