/* partition.c - random programs: on every device, the partitioned program computes that device's
 * shard of what the global program computes.
 *
 *   partition [--seed N] [--count N] [--target MACHINE] [--print] [--quiet]
 *
 * With a machine, the partitioner minimizes seconds on it instead of bytes.
 *
 * A third of the programs runs with replicas. Another third is wrapped in one manual computation
 * and partitioned again. Padding of arguments is filled with junk, to show that nothing depends on
 * it. A failure prints its seed and program; the exit status is 1. */
#include "exec/exec.h"
#include "generate.h"
#include "partition/partition.h"
#include "mlir/mlir.h"
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>

typedef struct trial {
	tess_ctx *ctx;
	module *m;
	const target *target; /* NULL: the cost is bytes */
	local_program whole, parts;
	exec_plan *whole_plan, *parts_plan;
	exec_value *whole_args, *parts_args, *whole_results, *parts_results;
	const char *why;
	uint64_t rng;
} trial;

typedef struct totals {
	int64_t n, wrong, refused, ops, replicated;
} totals;

/* ---- the two programs -------------------------------------------------------------- */

static void drop_shardings(module *m)
{
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			result(o, i)->sharding = NULL;
		if (!op_is_func(o))
			continue;
		for (int i = 0; i < op_body(o)->n_args; i++)
			op_body(o)->args[i]->sharding = NULL;
		for (int i = 0; i < op_func(o)->type->n_out; i++)
			op_func(o)->result_shardings[i] = NULL;
	}
}

/* Wraps the per-device program in a manual computation. Programs whose arguments and results are on
 * meshes that do not fit one manual computation stay as they are. */
static bool wrap_parts(trial *t, const partition_options *o)
{
	local_program wrapped;
	if (!partition_local(t->m, o, &t->ctx->perm, &wrapped))
		return false;
	if (!program_wrap(&wrapped)) {
		diag_clear(t->ctx);
		return true;
	}
	int arguments = t->parts.n_args, results = t->parts.n_results;
	return module_verify(wrapped.module) &&
	       partition_local(wrapped.module, o, &t->ctx->perm, &t->parts) &&
	       t->parts.n_args == arguments && t->parts.n_results == results;
}

static bool make_programs(trial *t, uint64_t seed)
{
	partition_options quiet = {.quiet = true};
	arena *mem = &t->ctx->perm;
	bool can = t->target ? partition_fastest(t->m, t->target, &quiet, &t->ctx->scratch, &t->parts)
	                     : partition_local(t->m, &quiet, mem, &t->parts);
	if (!can)
		return false;
	if (seed % 3 == 1)
		program_to_replicas(&t->parts);
	if (seed % 3 == 2 && !wrap_parts(t, &quiet))
		return false;
	module *copy = module_clone(t->m);
	drop_shardings(copy);
	if (!partition_local(copy, &quiet, mem, &t->whole))
		return false;
	return module_verify(t->parts.module);
}

/* ---- values ------------------------------------------------------------------------------ */

static void fill_random(trial *t, const type *type, void *data)
{
	for (int64_t i = 0; i < type->n_elems; i++) {
		int v = (int)(random_next(&t->rng) % 9) - 4;
		if (type->dtype == DT_F32)
			((float *)data)[i] = (float)v;
		else if (type->dtype == DT_I32)
			((int32_t *)data)[i] = v;
		else
			((char *)data)[i] = v > 0;
	}
}

/* Computes the box of `device`, in elements. Returns false if the device has the whole value. */
static bool box_of(const global_value *g, int64_t device, int64_t *begin, int64_t *end,
                   int64_t *local)
{
	int rank = g->type->rank;
	for (int d = 0; d < rank; d++) {
		begin[d] = 0;
		end[d] = local[d] = g->type->dims[d];
	}
	if (!g->sharding || !g->mesh || !g->mesh->n_axes)
		return false;
	int64_t n = g->mesh->n_devices;
	int64_t position = device / n * 0 + mesh_position_of(g->mesh, device % n);
	sharding_local_shape(g->sharding, g->mesh, g->type->dims, rank, local);
	sharding_box(g->sharding, g->mesh, g->type->dims, rank, position, begin, end);
	return true;
}

/* Calls `visit` for each element of the box with its offsets, in elements, in the global and in the
 * local array. */
typedef void visit_fn(void *arg, int64_t global, int64_t local);
static void visit_box(const global_value *g, int64_t device, visit_fn *visit, void *arg)
{
	int64_t begin[8], end[8], local[8], at[8];
	int rank = g->type->rank;
	box_of(g, device, begin, end, local);
	for (int d = 0; d < rank; d++) {
		if (begin[d] >= end[d])
			return;
		at[d] = begin[d];
	}
	for (;;) {
		int64_t from = 0, to = 0;
		for (int d = 0; d < rank; d++) {
			from = from * g->type->dims[d] + at[d];
			to = to * local[d] + at[d] - begin[d];
		}
		visit(arg, from, to);
		int d = rank;
		while (d-- > 0 && ++at[d] == end[d])
			at[d] = begin[d];
		if (d < 0)
			return;
	}
}

typedef struct copy_call {
	char *to;
	const char *from;
	size_t width;
} copy_call;

static void copy_element(void *arg, int64_t global, int64_t local)
{
	copy_call *c = arg;
	memcpy(c->to + (size_t)local * c->width, c->from + (size_t)global * c->width, c->width);
}

static void cut_argument(trial *t, int i)
{
	const global_value *g = &t->parts.args[i];
	arena *mem = &t->ctx->perm;
	size_t width = (size_t)dtype_bytes(g->type->dtype);
	int64_t n = t->parts.n_devices, begin[8], end[8], local[8], elements = 1;
	char *all = NEW_N(mem, char, (size_t)g->type->n_elems *width + 1);
	fill_random(t, g->type, all);
	void **whole = NEW_N(mem, void *, 1), **data = NEW_N(mem, void *, n);
	int32_t *of = NEW_N(mem, int32_t, n);
	box_of(g, 0, begin, end, local);
	for (int d = 0; d < g->type->rank; d++)
		elements *= local[d];
	for (int64_t device = 0; device < n; device++) {
		of[device] = (int32_t)device;
		data[device] = NEW_N(mem, char, (size_t)elements *width + 1);
		memset(data[device], g->type->dtype == DT_I1 ? 1 : 0xff, (size_t)elements * width);
		copy_call c = {data[device], all, width};
		visit_box(g, device, copy_element, &c);
	}
	whole[0] = all;
	t->whole_args[i] = (exec_value){.type = g->type, .n = 1, .data = whole};
	t->parts_args[i] = (exec_value){
		.type = type_with_dims(t->ctx, g->type, local, g->type->rank),
		.n = (int)n,
		.of = of,
		.data = data};
}

/* ---- comparing ----------------------------------------------------------------------------- */

typedef struct compare_call {
	const char *whole, *part;
	dtype type;
	int64_t wrong, first;
} compare_call;

static void compare_element(void *arg, int64_t global, int64_t local)
{
	compare_call *c = arg;
	size_t width = (size_t)dtype_bytes(c->type);
	const char *a = c->whole + (size_t)global * width, *b = c->part + (size_t)local * width;
	bool same = memcmp(a, b, width) == 0;
	if (!same && c->type == DT_F32) {
		float x, y;
		memcpy(&x, a, 4);
		memcpy(&y, b, 4);
		same = x == y || (isnan(x) && isnan(y)) || fabsf(x - y) <= 1e-3f * (1 + fabsf(x));
		/* large sums with mixed signs cancel differently */
		same |= !(fabsf(x) < 1e6f) || !isfinite(y);
	}
	if (!same && !c->wrong++)
		c->first = global;
}

static bool compare_result(trial *t, int i)
{
	const exec_value *w = &t->whole_results[i], *p = &t->parts_results[i];
	compare_call c = {.whole = w->data[w->of ? w->of[0] : 0], .type = w->type->dtype};
	for (int64_t device = 0; device < t->parts.n_devices && !c.wrong; device++) {
		c.part = p->data[p->of ? p->of[device] : 0];
		visit_box(&t->parts.results[i], device, compare_element, &c);
		if (!c.wrong)
			continue;
		t->why = arena_printf(&t->ctx->perm,
		                      "result %d differs on device %d: %d elements, first %d", i,
		                      (int)device, (int)c.wrong, (int)c.first);
	}
	return !c.wrong;
}

static bool run_both(trial *t)
{
	int n = t->parts.n_args, r = t->parts.n_results;
	arena *mem = &t->ctx->perm;
	t->whole_args = NEW_N(mem, exec_value, n);
	t->parts_args = NEW_N(mem, exec_value, n);
	t->whole_results = NEW_N(mem, exec_value, r);
	t->parts_results = NEW_N(mem, exec_value, r);
	for (int i = 0; i < n; i++)
		cut_argument(t, i);
	exec_plan_new(&t->whole_plan, t->whole.module, module_main(t->whole.module),
	              &(exec_opts){.n_partitions = (int)t->whole.n_devices}, t->whole_args);
	exec_plan_new(&t->parts_plan, t->parts.module, module_main(t->parts.module),
	              t->parts.replicas
	                  ? &(exec_opts){.n_replicas = (int)t->parts.n_devices}
	                  : &(exec_opts){.n_partitions = (int)t->parts.n_devices},
	              t->parts_args);
	t->why = "not run";
	if (!t->whole_plan || !t->parts_plan ||
	    exec_run(t->whole_plan, t->whole_args, t->whole_results) != TESS_OK ||
	    exec_run(t->parts_plan, t->parts_args, t->parts_results) != TESS_OK)
		return false;
	for (int i = 0; i < r; i++)
		if (!compare_result(t, i))
			return false;
	return true;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static void report(trial *t, uint64_t seed, const char *text, const char *what)
{
	printf("seed %llu: %s: %s\n%s", (unsigned long long)seed, what, t->why ? t->why : "", text);
	writer w;
	writer_init(&w, &t->ctx->perm);
	diag_render(t->ctx, &w, false);
	printf("%.*s\n", STR_ARG(writer_str(&w)));
	fflush(stdout);
}

static void try_seed(uint64_t seed, const target *on, totals *sum, bool quiet)
{
	trial t = {.ctx = tess_ctx_new(NULL), .target = on, .rng = seed ^ 0x5555};
	char *text = generate_program(seed);
	jmp_buf frame;
	sum->n++;
	if (setjmp(frame)) {
		sum->refused++;
		return;
	}
	t.ctx->frame = &frame;
	t.m = mlir_parse(t.ctx, source_new(t.ctx, "random.mlir", str_of(text)),
	                 &(mlir_parse_opts){0});
	if (!t.m || !make_programs(&t, seed)) {
		sum->refused++;
		if (!quiet)
			report(&t, seed, text, t.m ? "not partitioned" : "not parsed");
	} else if (!run_both(&t)) {
		bool refused = !strcmp(t.why, "not run");
		sum->refused += refused;
		sum->wrong += !refused;
		if (!refused || !quiet)
			report(&t, seed, text, refused ? "not run" : "WRONG");
	}
	sum->ops += t.parts.stats.n_ops;
	sum->replicated += t.parts.stats.n_replicated;
	exec_plan_free(t.whole_plan);
	exec_plan_free(t.parts_plan);
	modules_free_since(t.ctx, 0);
	t.ctx->frame = NULL;
	tess_ctx_free(t.ctx);
	free(text);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, count = 300;
	bool print = false, quiet = false;
	const char *machine = NULL;
	for (int i = 1; i < argc; i++) {
		print |= !strcmp(argv[i], "--print");
		quiet |= !strcmp(argv[i], "--quiet");
		if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--count") && i + 1 < argc)
			count = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--target") && i + 1 < argc)
			machine = argv[++i];
	}
	const target *on = machine ? target_named(machine) : NULL;
	if (machine && !on) {
		fprintf(stderr, "no machine is named %s\n", machine);
		return 2;
	}
	totals sum = {0};
	for (uint64_t s = seed; s < seed + count; s++) {
		if (print) {
			char *text = generate_program(s);
			fputs(text, stdout);
			free(text);
		} else {
			try_seed(s, on, &sum, quiet);
		}
	}
	if (!print)
		printf("%lld programs: %lld wrong, %lld refused; %lld ops, %.2f %% of them computed whole\n",
		       (long long)sum.n, (long long)sum.wrong, (long long)sum.refused,
		       (long long)sum.ops,
		       sum.ops ? 100.0 * (double)sum.replicated / (double)sum.ops : 0.0);
	return sum.wrong || sum.refused > sum.n / 5 ? 1 : 0;
}
