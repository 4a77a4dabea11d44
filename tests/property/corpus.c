/* corpus.c - real programs with random shardings compute the same results.
 *
 *   corpus [--seed N] [--count N] FILE.mlir...
 *
 * FILE.npz next to the program has its inputs and expected outputs. Each trial gives the arguments
 * and results of @main random shardings on the program's meshes, inserts random sharding
 * constraints after some operations, propagates, partitions, runs, and compares. */
#include "api/module.h"
#include "../unit/shards_fixture.h"
#include "generate.h"
#include "op/op.h"

#include "../support/lent.h"
#include <stdlib.h>
#include <tessera/partition.h>
#include <tessera/run.h>

typedef struct corpus_trial {
	tess_ctx *ctx;
	module *m;
	uint64_t rng;
	const name *symbol;
	const mesh *mesh;
} corpus_trial;

typedef struct corpus_totals {
	int trials, wrong, refused;
	int64_t ops, replicated;
} corpus_totals;

static int roll(corpus_trial *t, int n)
{
	return (int)(random_next(&t->rng) % (uint64_t)n);
}

/* ---- random shardings ----------------------------------------------------------------- */

static const mesh *pick_mesh(corpus_trial *t)
{
	int n = 0;
	t->mesh = NULL;
	for (const op *o = module_body(t->m)->first; o; o = o->next) {
		const attr *a = o->kind == OP_SDY_MESH ? op_attr(o, N_mesh) : NULL;
		if (!a || a->kind != AT_MESH || !a->mesh->n_axes || roll(t, ++n))
			continue;
		t->mesh = a->mesh;
		t->symbol = op_symbol(o);
	}
	return t->mesh;
}

static const sharding *random_sharding(corpus_trial *t, int rank)
{
	const mesh *m = t->mesh;
	arena *mem = &t->ctx->perm;
	dim_sharding *dims = NEW_N(mem, dim_sharding, rank);
	axes_vec *axes = NEW_N(mem, axes_vec, rank);
	for (int i = 0; i < m->n_axes; i++) {
		int d = roll(t, rank + 1 + rank / 2);
		if (d >= rank)
			continue;
		axis_ref a = axis_full(m->axes[i].name);
		if (m->axes[i].size % 2 == 0 && m->axes[i].size > 2 && !roll(t, 4))
			a = axis_sub(m, a.axis, 1 + roll(t, 2), 2);
		axes_append(&axes[d], mem, a, m);
	}
	for (int d = 0; d < rank; d++)
		dims[d] = (dim_sharding){.axes = axes[d].ptr, .n_axes = axes[d].len,
		                         .open = !roll(t, 3), .priority = PRIORITY_NONE};
	return sharding_of(t->ctx,
	                   &(sharding){.mesh = {.symbol = t->symbol}, .rank = rank, .dims = dims});
}

static void shard_borders(corpus_trial *t)
{
	op *f = module_main(t->m);
	for (int i = 0; i < op_body(f)->n_args; i++) {
		value *v = op_body(f)->args[i];
		if (type_is_tensor(v->type))
			v->sharding = roll(t, 4) ? random_sharding(t, v->type->rank) : NULL;
	}
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		if (type_is_tensor(op_func(f)->type->out[i]))
			op_func(f)->result_shardings[i] =
				roll(t, 3) ? random_sharding(t, op_func(f)->type->out[i]->rank)
					   : NULL;
}

static bool has_manual(const module *m)
{
	for (const op *o = m->top; o; o = op_next(o, m->top))
		if (o->kind == OP_SDY_MANUAL_COMPUTATION)
			return true;
	return false;
}

/* True if a constraint can be inserted after `o`: in functions and control flow, but not in
 * reducers or manual computations. If the program has manual computations, only in `only`, since
 * they may call the other functions. */
static bool in_open_code(const op *o, const op *only)
{
	const op *up = op_parent(o);
	if (only && !op_inside(o, only))
		return false;
	for (; up && !op_is_func(up); up = op_parent(up))
		if (up->kind != OP_WHILE && up->kind != OP_CASE && up->kind != OP_IF)
			return false;
	return up != NULL;
}

static void add_constraints(corpus_trial *t)
{
	const op *only = has_manual(t->m) ? module_main(t->m) : NULL;
	for (op *o = t->m->top, *next; o; o = next) {
		next = op_next(o, t->m->top);
		if (!in_open_code(o, only) || op_has(o, TERMINATOR) || o->n_results != 1 ||
		    !type_is_tensor(result(o, 0)->type) || roll(t, 12))
			continue;
		value *v = result(o, 0);
		op *c = op_make(t->m, OP_SDY_SHARDING_CONSTRAINT, &v, 1, &v->type, 1, 0);
		op_insert_after(o, c);
		value_replace_uses_except(v, result(c, 0), c);
		result(c, 0)->sharding = random_sharding(t, v->type->rank);
	}
}

/* ---- running --------------------------------------------------------------------------------- */

static bool outputs_agree(tess_exec *e, const tess_npz *z, char *why, size_t size)
{
	for (size_t i = 0; i < tess_exec_output_count(e); i++) {
		tess_tensor got, want;
		tess_difference d;
		char key[32];
		snprintf(key, sizeof key, "out%zu", i);
		if (!tess_exec_output(e, i, &got) || !tess_npz_find(z, key, &want))
			continue;
		want.dtype = got.dtype;
		tess_tolerance t = tess_tolerance_of(got.dtype);
		t.most *= 4;
		t.all *= 10;
		if (tess_tensor_compare(&got, &want, t, &d))
			continue;
		snprintf(why, size, "out%zu: %lld of %lld elements, first %lld: %g, not %g", i,
		         (long long)d.wrong, (long long)d.elements, (long long)d.first, d.got,
		         d.expected);
		return false;
	}
	return true;
}

static tess_status run_trial(tess_exec *e, const tess_npz *z)
{
	size_t n = tess_exec_input_count(e);
	tess_tensor *in = calloc(n + 1, sizeof *in);
	for (size_t i = 0; i < n; i++) {
		char key[32];
		snprintf(key, sizeof key, "in%zu", i);
		tess_npz_find(z, key, &in[i]);
	}
	tess_status status = tess_exec_run(e, in, n);
	free(in);
	return status;
}

/* ---- the same on shards --------------------------------------------------------------------- */

typedef struct shard_trial {
	tess_exec *e, *whole; /* whole: an executable that has run on whole tensors */
	size_t devices, n_in, n_out;
	tess_buffer **in, **out;
	bool *donated;
} shard_trial;

static bool cut_shards(shard_trial *s, const tess_npz *z)
{
	for (size_t i = 0; i < s->n_in; i++) {
		tess_tensor t, as;
		char key[32];
		snprintf(key, sizeof key, "in%zu", i);
		if (!tess_npz_find(z, key, &t) || !tess_exec_input(s->e, i, &as))
			return false;
		t.dtype = as.dtype;
		if (!shards_cut(s->e, i, &t, s->in + i * s->devices))
			return false;
		s->donated[i] = i % 3 != 0;
	}
	return true;
}

static bool compare_shards(const shard_trial *s, char *why, size_t size)
{
	for (size_t i = 0; i < s->n_out; i++) {
		tess_tensor want;
		tess_exec_output(s->whole, i, &want);
		tess_tolerance t = tess_tolerance_of(want.dtype);
		t.most *= 4;
		t.all *= 10;
		if (shards_agree(s->e, i, &want, s->out + i * s->devices, t))
			continue;
		snprintf(why, size, "out%zu: the shards are not those of the whole value", i);
		return false;
	}
	return true;
}

/* Runs the program on shards. True if the outputs are the shards of what `whole` computed. */
static bool shards_give_the_same(tess_ctx *ctx, tess_module *m, tess_exec *whole, const tess_npz *z,
                                 char *why, size_t size)
{
	tess_exec_opts eo = TESS_EXEC_OPTS_INIT;
	eo.shards = true;
	eo.threads = 2;
	shard_trial s = {.e = tess_exec_new(m, &eo), .whole = whole};
	snprintf(why, size, "refused with shards");
	if (!s.e)
		return false;
	s.devices = (size_t)tess_exec_devices(s.e);
	s.n_in = tess_exec_input_count(s.e);
	s.n_out = tess_exec_output_count(s.e);
	s.in = calloc(s.n_in * s.devices + 1, sizeof *s.in);
	s.out = calloc(s.n_out * s.devices + 1, sizeof *s.out);
	s.donated = calloc(s.n_in + 1, sizeof *s.donated);
	bool good = cut_shards(&s, z) &&
	            tess_exec_run_shards(s.e, s.in, s.donated, s.out, ctx) == TESS_OK;
	good = good && compare_shards(&s, why, size);
	for (size_t i = 0; i < s.n_in * s.devices; i++)
		if (!s.donated[i / s.devices])
			tess_buffer_free(s.in[i]);
	for (size_t i = 0; i < s.n_out * s.devices; i++)
		tess_buffer_free(s.out[i]);
	free(s.in);
	free(s.out);
	free(s.donated);
	tess_exec_free(s.e);
	return good;
}

static void say_trial(tess_ctx *ctx, const char *path, uint64_t seed, const char *what,
                      tess_module *m)
{
	tess_str text = lent(tess_diag_render(ctx, false));
	printf("%s seed %llu: %s\n%.*s", path, (unsigned long long)seed, what, (int)text.len,
	       text.ptr);
	const char *dump = getenv("CORPUS_DUMP");
	tess_str program = dump ? lent(tess_module_print(m, NULL)) : (tess_str){0};
	FILE *f = dump ? fopen(dump, "w") : NULL;
	if (f) {
		fwrite(program.ptr, 1, program.len, f);
		fclose(f);
	}
	fflush(stdout);
}

static void try_module(const char *path, uint64_t seed, corpus_totals *sum)
{
	char npz[1024], why[256] = "refused";
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = tess_module_parse_file(ctx, path, NULL);
	snprintf(npz, sizeof npz, "%.*s.npz", (int)(strlen(path) - strlen(".mlir")), path);
	tess_npz *z = m ? tess_npz_open(ctx, npz) : NULL;
	jmp_buf frame;
	sum->trials++;
	if (m && z && !setjmp(frame)) {
		corpus_trial t = {.ctx = ctx, .m = m->m, .rng = seed};
		ctx->frame = &frame;
		if (seed && pick_mesh(&t)) {
			shard_borders(&t);
			add_constraints(&t);
		}
		ctx->frame = NULL;
		tess_exec_opts eo = TESS_EXEC_OPTS_INIT; eo.faithful = getenv("FAITHFUL") != NULL;
		tess_exec *e = tess_exec_new(m, &eo);
		tess_status status = e ? run_trial(e, z) : TESS_INVALID;
		bool good = status == TESS_OK && outputs_agree(e, z, why, sizeof why) &&
		            shards_give_the_same(ctx, m, e, z, why, sizeof why);
		sum->refused += status != TESS_OK;
		sum->wrong += status == TESS_OK && !good;
		if (!good)
			say_trial(ctx, path, seed, why, m);
		tess_exec_free(e);
		tess_partition_stats stats = TESS_PARTITION_STATS_INIT;
		if (status == TESS_OK && tess_module_propagate(m) == TESS_OK &&
		    tess_module_partition(m, NULL, &stats) == TESS_OK) {
			sum->ops += stats.operations;
			sum->replicated += stats.replicated;
		}
	} else {
		printf("%s: cannot be read\n", path);
		sum->refused++;
	}
	tess_npz_free(z);
	tess_module_free(m);
	tess_ctx_free(ctx);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, count = 1;
	corpus_totals sum = {0};
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = strtoull(argv[++i], NULL, 10);
		else if (!strcmp(argv[i], "--count") && i + 1 < argc)
			count = strtoull(argv[++i], NULL, 10);
		else
			for (uint64_t s = seed; s < seed + count; s++)
				try_module(argv[i], s, &sum);
	}
	printf("%d trials: %d wrong, %d refused; %lld operations, %.2f %% of them computed whole\n",
	       sum.trials, sum.wrong, sum.refused, (long long)sum.ops,
	       sum.ops ? 100.0 * (double)sum.replicated / (double)sum.ops : 0.0);
	return sum.wrong || sum.refused;
}
