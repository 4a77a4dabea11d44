/* settle.c - what has to hold of a program that was given another mesh, before it is used. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

/* What no longer divides is told of so many arguments and results. */
enum { MOST_TOLD = 8 };

typedef struct division_check {
	const module *m;
	int n; /* found so far */
} division_check;

/* What enters and leaves a program is never padded: axes that do not divide it are dropped there. */
static void check_division(division_check *c, const char *what, int i, const type *t,
                           const sharding *s)
{
	tess_ctx *ctx = c->m->ctx;
	const mesh *m = s ? sharding_mesh(c->m, s) : NULL;
	for (int d = 0; m && type_is_tensor(t) && t->is_static && s->rank == t->rank && d < t->rank;
	     d++) {
		int64_t shards = sharding_dim_shards(s, d, m);
		if (shards < 2 || t->dims[d] % shards == 0 || c->n++ >= MOST_TOLD)
			continue;
		writer w;
		writer_init(&w, &ctx->scratch);
		sharding_print(&w, s);
		diag_warn(ctx, NOWHERE, E_NOT_DIVIDED,
		          "%s %d is sharded %s: dimension %d of size %" PRId64
		          " does not divide into %" PRId64
		          " shards on this mesh, so axes are dropped there",
		          what, i, writer_z(&w), d, t->dims[d], shards);
	}
}

static void check_main(const module *m)
{
	division_check c = {.m = m};
	const op *f = module_main(m);
	if (!f || func_is_declaration(f))
		return;
	const block *b = op_body(f);
	for (int i = 0; i < b->n_args; i++)
		check_division(&c, "argument", i, b->args[i]->type, b->args[i]->sharding);
	for (int i = 0; i < op_func(f)->type->n_out; i++)
		check_division(&c, "result", i, op_func(f)->type->out[i],
		               op_func(f)->result_shardings[i]);
	if (c.n > MOST_TOLD)
		diag_note(m->ctx, NOWHERE, "and %d others", c.n - MOST_TOLD);
}

static tess_status settle_body(tess_ctx *ctx, void *arg)
{
	const tess_module *h = arg;
	UNUSED(ctx);
	if (!module_verify(h->m))
		return TESS_INVALID;
	check_main(h->m);
	return TESS_OK;
}

tess_status module_settle(tess_module *h)
{
	if (!h)
		return TESS_USAGE;
	tess_status status = h->unsettled ? frame_run(CTX_OF(h), settle_body, h) : TESS_OK;
	h->unsettled &= status != TESS_OK;
	return status;
}
