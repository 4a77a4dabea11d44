/* settle.c - checks a program whose mesh was changed, before it is used. */
#include "api/frame.h"
#include "api/module.h"
#include "op/op.h"

/* Reports only the first few arguments and results that do not divide evenly. */
enum { MOST_TOLD = 8 };

typedef struct division_check {
	const module *m;
	int n; /* found so far */
} division_check;

/* Arguments and results are never padded: axes that do not divide one evenly are dropped. */
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

static tess_status settle(module *m)
{
	if (!module_verify(m))
		return TESS_INVALID;
	check_main(m);
	return TESS_OK;
}

tess_status module_settle(tess_module *h)
{
	frame f;
	if (!h)
		return TESS_USAGE;
	if (!h->unsettled)
		return TESS_OK;
	if (setjmp(*frame_start(&f, h->ctx)) == 0)
		f.status = settle(h->m);
	h->unsettled = frame_end(&f) != TESS_OK;
	return f.status;
}
