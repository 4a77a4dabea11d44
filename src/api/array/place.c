/* place.c - placements of concrete values: their types, plus Auto axes that the user named or the
 * compiler chose.
 *
 * A function is planned for the placements of its first arguments, and again for others;
 * propagation determines the placements of its results. */
#include "api/array/fn.h"
#include "api/module.h"
#include "sharding/sharding.h"

#include <tessera/partition.h>

/* ---- placements from shardings -------------------------------------------------------------- */

static void put_placed_dim(writer *w, const dim_sharding *d)
{
	int n = 0;
	while (n < d->n_axes && axis_is_full(d->axes[n]))
		n++; /* parts of axes cannot be named here */
	put_z(w, n > 1 ? "(" : n ? "" : "_");
	for (int i = 0; i < n; i++)
		put_f(w, "%s%s", i ? "," : "", d->axes[i].axis->s);
	put_z(w, n > 1 ? ")" : "");
}

/* Returns the spec if it names Auto axes; NULL: the type says everything. */
static const pspec *placed_as(tess_ctx *ctx, const atype *t, const sharding *s)
{
	aspec a;
	writer w;
	axis_set named = 0;
	if (!s || !t->mesh || s->rank != t->rank)
		return NULL;
	writer_init(&w, &ctx->scratch);
	for (int d = 0; d < s->rank; d++) {
		put_z(&w, d ? ", " : "");
		put_placed_dim(&w, &s->dims[d]);
	}
	const pspec *spec = pspec_parse(ctx, writer_str(&w));
	if (!spec || !aspec_bind(ctx, t->mesh, spec, &a))
		return NULL;
	for (int d = 0; d < a.n; d++)
		named |= axis_seq_set(a.dim[d]);
	return named & amesh_axes_of_kind(t->mesh, AXIS_AUTO) ? spec : NULL;
}

typedef struct place_call {
	tess_fn *fn;
	tess_module *spread;
} place_call;

static tess_status read_places(tess_ctx *ctx, void *arg)
{
	place_call *c = arg;
	const op *entry = module_main(c->spread->m);
	for (int i = 0; i < c->fn->f->outs.len; i++)
		c->fn->placed_out[i] = placed_as(ctx, c->fn->f->outs.ptr[i]->type,
		                                 op_func(entry)->result_shardings[i]);
	return TESS_OK;
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool has_auto_axes(const atype *t)
{
	return t->mesh && axis_set_size(t->mesh, amesh_axes_of_kind(t->mesh, AXIS_AUTO)) > 1;
}

bool array_places_differ(const tess_fn *fn, tess_array *const *in, size_t n_in)
{
	for (size_t i = 0; i < n_in; i++)
		if (in[i] && in[i]->placed != (fn->placed_in ? fn->placed_in[i] : NULL))
			return true;
	return false;
}

bool array_places_keep(tess_fn *fn, tess_array *const *in, size_t n_in)
{
	size_t n = (size_t)fn->f->params.len + 1;
	if (!fn->placed_in && !(fn->placed_in = ctx_realloc(fn->ctx, NULL,
	                                                    sizeof *fn->placed_in * n)))
		return false;
	for (size_t i = 0; i < n; i++)
		fn->placed_in[i] = i < n_in && in[i] ? in[i]->placed : NULL;
	return true;
}

bool array_places_found(tess_fn *fn)
{
	place_call c = {.fn = fn};
	bool any = false;
	int n = fn->f->outs.len;
	for (int i = 0; i < n; i++)
		any |= has_auto_axes(fn->f->outs.ptr[i]->type);
	if (!any)
		return true;
	if (!fn->placed_out)
		fn->placed_out = ctx_realloc(fn->ctx, NULL,
		                             sizeof *fn->placed_out * ((size_t)n + 1));
	c.spread = fn->placed_out ? tess_module_clone(fn->module) : NULL;
	bool ok = c.spread && tess_module_propagate(c.spread) == TESS_OK &&
	          frame_run(fn->ctx, read_places, &c) == TESS_OK;
	tess_module_free(c.spread);
	return ok;
}

/* ---- values --------------------------------------------------------------------------------- */

static char *placed_text(const tess_array *v)
{
	writer w = text_writer(v->ctx);
	put_pspec(&w, v->placed ? v->placed : pspec_of(v->ctx, v->type));
	return text_give(v->ctx, &w);
}

char *tess_array_sharding(const tess_array *v)
{
	frame f;
	if (!v || v->home || !handle_alive(v->ctx, v->mark, "a value"))
		return NULL;
	if (setjmp(*frame_start(&f, v->ctx)) == 0)
		f.made = placed_text(v);
	return frame_made(&f);
}
