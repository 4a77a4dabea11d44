/* bound.c - a time that no plan is under.
 *
 * However it is sharded, a program's kernels do their arithmetic, and read and write what they read and
 * write, on all devices together at least once: no device can be done before an even share of it is.
 * Launches, padding, what is computed on several devices, shapes that are too small for the machine, and
 * communication come on top.  So the bound holds on every mesh; it is of the cost model's machine, and of
 * kernels as they are fused in the whole program. */
#include "plan/bound.h"

/* One run of a kernel on one device, with nothing lost. */
static double least_seconds(const target *t, const op_cost *k)
{
	double share = op_has(k->o, PRODUCT) ? t->product_efficiency : 1;
	double arithmetic = k->peak_seconds / share;
	double traffic = k->w.bytes / (t->memory_bandwidth * t->memory_efficiency);
	return arithmetic > traffic ? arithmetic : traffic;
}

double plan_bound(const plan_subject *s, const target *t, int64_t devices)
{
	tess_ctx *ctx = s->m->ctx;
	arena_mark here = arena_here(&ctx->scratch);
	diag_mark said = diag_here(ctx);
	program_meshes meshes = {0};
	costs c;
	double sum = 0;
	module *opened = program_countable(s->m) && program_openable(s->m) ? program_opened(s->m) : NULL;
	if (opened) {
		costs_of(opened, NULL, &meshes, t, &ctx->scratch, &c);
		for (int i = 0; i < c.ops.len; i++)
			sum += c.ops.ptr[i].times * least_seconds(t, &c.ops.ptr[i]);
		module_free(opened);
	}
	diag_back(ctx, said);
	arena_back(&ctx->scratch, here);
	return sum / (double)devices;
}
