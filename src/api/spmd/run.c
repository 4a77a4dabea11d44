/* run.c - runs programs on marked tensors: written as if nothing were sharded, then partitioned by
 * the marks of their inputs; propagation marks the results. */
#include "api/array/fn.h"
#include "api/module.h"
#include "api/spmd/spmd.h"
#include "hlo/hlo.h"

#include <tessera/partition.h>

typedef struct spmd_run {
	tess_ctx *ctx;
	tess_spmd_tensor *const *in;
	tess_spmd_tensor **out;
	size_t n_in, n_out;
	const mesh *mesh; /* the mesh of all marked inputs; NULL: none is marked */
	tess_module *module, *spread;
	tess_exec *exec;
	tess_fn *fn;
	char *text;
	const amesh *axes; /* the mesh in the body, with Auto axes */
} spmd_run;

static bool inputs_share_mesh(spmd_run *r)
{
	for (size_t i = 0; i < r->n_in; i++) {
		const mesh *m = r->in[i]->marked ? r->in[i]->mark.mesh : NULL;
		if (m && r->mesh && m != r->mesh)
			return array_usage(r->ctx, false,
			                   "the inputs are marked on different meshes");
		r->mesh = m ? m : r->mesh;
	}
	return true;
}

static const char *mesh_spelled(spmd_run *r)
{
	writer w;
	writer_init(&w, &r->ctx->scratch);
	mesh_print(&w, r->mesh);
	return writer_z(&w);
}

static tess_status annotate_body(tess_ctx *ctx, void *arg)
{
	spmd_run *r = arg;
	UNUSED(ctx);
	if (!r->mesh)
		return TESS_OK;
	tess_status done = r->axes ? TESS_OK : tess_module_set_mesh(r->module, mesh_spelled(r));
	for (size_t i = 0; i < r->n_in && done == TESS_OK; i++)
		if (r->in[i]->marked)
			done = tess_module_shard_input(r->module, (size_t)i, r->in[i]->mark.sdy);
	return done;
}

/* ---- results -------------------------------------------------------------------------------- */

/* Returns the mark that corresponds to a sharding of the compiler. */
static bool mark_of(spmd_run *r, tess_spmd_tensor *t, const mesh *m, const sharding *s)
{
	const hlo_sharding *h = s ? hlo_sharding_v2(r->ctx, hlo_sharding_named(r->ctx, m, s,
	                                                                       (axis_list){0}))
	                          : NULL;
	spmd_mark *k = &t->mark;
	*k = (spmd_mark){.mesh = r->mesh,
	                 .n = r->mesh->n_devices,
	                 .copies = r->mesh->n_devices,
	                 .type = TESS_SPMD_REPLICATED,
	                 .sdy = "[]"};
	k->devices = NEW_N(&t->mem, int64_t, k->n);
	k->place = NEW_N(&t->mem, int64_t, k->n);
	bool tiled = h && h->kind == HS_TILED && h->devices.n == k->n;
	for (int d = 0; d < t->rank; d++) {
		k->parts[d] = tiled ? h->tiles[d] : 1;
		k->copies /= k->parts[d];
	}
	for (int64_t p = 0; p < k->n; p++) {
		k->devices[p] = tiled ? device_array_at(&h->devices, p) : p;
		k->place[k->devices[p]] = p;
	}
	if (tiled)
		k->type = k->copies == 1 ? TESS_SPMD_TILED : TESS_SPMD_PARTIAL;
	t->marked = true;
	return true;
}

static const char *dims_spelled(spmd_run *r, tess_spmd_tensor *t, const sharding *s)
{
	writer w;
	writer_init(&w, &t->mem);
	if (s) {
		sharding_print(&w, s);
		put_c(&w, 0);
		char *open = strstr(w.ptr, ", ["), *end = strrchr(w.ptr, '>');
		if (open && end) {
			*end = 0;
			return open + 2;
		}
	}
	UNUSED(r);
	put_c(&w, '[');
	for (int d = 0; d < t->rank; d++)
		put_z(&w, d ? ", {}" : "{}");
	put_lit(&w, "]");
	return writer_z(&w);
}

static tess_status results_body(tess_ctx *ctx, void *arg)
{
	spmd_run *r = arg;
	op *main_func = module_main(r->spread->m);
	for (size_t i = 0; i < r->n_out; i++) {
		const sharding *s = op_func(main_func)->result_shardings[i];
		const mesh *m = s ? sharding_mesh(r->spread->m, s) : NULL;
		if (!mark_of(r, r->out[i], m, m ? s : NULL))
			return TESS_INVALID;
		r->out[i]->mark.sdy = dims_spelled(r, r->out[i], m ? s : NULL);
	}
	UNUSED(ctx);
	return TESS_OK;
}

static bool collect(spmd_run *r)
{
	for (size_t i = 0; i < r->n_out; i++) {
		tess_tensor t;
		r->out[i] = tess_exec_output(r->exec, (size_t)i, &t)
		                    ? tess_spmd_tensor_new(r->ctx, t.dtype, t.dims, t.rank, t.data)
		                    : NULL;
		if (!r->out[i])
			return false;
	}
	return !r->mesh || frame_run(r->ctx, results_body, r) == TESS_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool execute(spmd_run *r)
{
	tess_tensor *tensors = ctx_realloc(r->ctx, NULL, sizeof *tensors * (r->n_in + 1));
	tess_exec_opts opts = TESS_EXEC_OPTS_INIT;
	opts.threads = 1;
	opts.whole = !r->mesh;
	for (size_t i = 0; tensors && i < r->n_in; i++)
		tensors[i] = tess_spmd_tensor_global(r->in[i]);
	bool ok = tensors && frame_run(r->ctx, annotate_body, r) == TESS_OK;
	r->spread = ok ? tess_module_clone(r->module) : NULL;
	ok = ok && r->spread && tess_module_propagate(r->spread) == TESS_OK;
	r->exec = ok ? tess_exec_new(r->module, &opts) : NULL;
	ok = r->exec && tess_exec_run(r->exec, tensors, r->n_in) == TESS_OK && collect(r);
	if (tensors)
		ctx_realloc(r->ctx, tensors, 0);
	return ok;
}

/* Converts the mesh to an array mesh; the body does not see meshes with too many dimensions. */
static tess_status see_mesh_body(tess_ctx *ctx, void *arg)
{
	spmd_run *r = arg;
	if (r->mesh->n_axes > ARRAY_MAX_AXES)
		return TESS_OK;
	r->axes = array_mesh_of(ctx, mesh_plain(ctx, r->mesh));
	return r->axes ? TESS_OK : TESS_INVALID;
}

static tess_status lower_marked(tess_ctx *ctx, void *arg)
{
	spmd_run *r = arg;
	writer w = text_writer(ctx);
	if (!array_lower(ctx, r->fn->f, r->axes, NULL, &w))
		return TESS_INVALID;
	r->text = text_give(ctx, &w);
	return TESS_OK;
}

static tess_fn *trace_whole(spmd_run *r, tess_fn_body *body, void *env)
{
	array_state *st = array_state_of(r->ctx);
	const amesh *before = st->mesh;
	const tess_array_type **types = ctx_realloc(r->ctx, NULL,
	                                            sizeof *types * (r->n_in + 1));
	tess_fn *f = NULL;
	bool ok = types && (!r->mesh || frame_run(r->ctx, see_mesh_body, r) == TESS_OK);
	st->mesh = r->axes;
	for (size_t i = 0; i < r->n_in && ok; i++)
		ok = (types[i] = tess_array_type_make(r->ctx, r->in[i]->dtype, r->in[i]->dims,
		                                      r->in[i]->rank, NULL));
	if (ok)
		f = tess_fn_trace(r->ctx, body, env, types, r->n_in);
	st->mesh = before;
	if (types)
		ctx_realloc(r->ctx, types, 0);
	return f;
}

int tess_spmd_run(tess_ctx *ctx, tess_fn_body *body, void *env, tess_spmd_tensor *const *in,
                  size_t n_in, tess_spmd_tensor **out, size_t cap)
{
	spmd_run r = {.ctx = ctx, .in = in, .n_in = n_in, .out = out};
	bool right = ctx && body && (in || !n_in) && (out || !cap);
	for (size_t i = 0; right && i < n_in; i++)
		right = in[i] && handle_alive(ctx, in[i]->live, "a tensor") && in[i]->ctx == ctx;
	if (!array_usage(ctx, right, "an input is missing or belongs to another context") ||
	    !inputs_share_mesh(&r))
		return -1;
	for (size_t i = 0; i < cap; i++)
		out[i] = NULL;
	tess_fn *f = trace_whole(&r, body, env);
	r.n_out = tess_fn_result_count(f);
	r.fn = f;
	if (f && array_usage(ctx, r.n_out <= cap, "there are more results than room"))
		array_run(ctx, lower_marked, &r);
	r.module = r.text ? tess_module_parse(ctx, str_of(r.text), "traced", NULL) : NULL;
	tess_text_free(r.text);
	bool ok = r.module && execute(&r);
	for (size_t i = 0; i < cap && !ok; i++) {
		tess_spmd_tensor_free(out[i]);
		out[i] = NULL;
	}
	tess_exec_free(r.exec);
	tess_module_free(r.spread);
	tess_module_free(r.module);
	tess_fn_free(f);
	return ok ? (int)r.n_out : -1;
}
