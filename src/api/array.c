/* array.c - the public side of array programs: meshes, types, attributes, typing, tracing. */
#include <tessera/array.h>

#include "api/array_fn.h"

_Static_assert((int)TESS_AXIS_MANUAL == (int)AXIS_MANUAL, "tess_axis_type and axis_kind differ");
_Static_assert((int)TESS_TYPE_SHORT == (int)TYPE_SHORT, "tess_type_form differs");
_Static_assert((int)TESS_NOT_MAPPED == (int)NOT_MAPPED, "TESS_NOT_MAPPED differs");

/* A call that ended badly must not leave a function open, nor another mesh. */
tess_status array_run(tess_ctx *ctx, frame_fn *fn, void *arg)
{
	array_state *st = array_state_of(ctx), before = *st;
	tess_status done = frame_run(ctx, fn, arg);
	if (done == TESS_NOMEM && !before.trace) {
		st->trace = NULL;
		st->mesh = before.mesh;
		st->hidden = 0;
		st->unchecked = false;
	}
	return done;
}

bool array_usage(tess_ctx *ctx, bool right, const char *what)
{
	if (ctx && !right)
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "%s", what);
	return ctx && right;
}

bool array_mesh_here(tess_ctx *ctx, const tess_array_mesh *m)
{
	return array_usage(ctx, m, "no mesh") &&
	       array_usage(ctx, m->ctx == ctx, "the mesh belongs to another context");
}

/* A type without a mesh is the same everywhere. */
bool array_type_here(tess_ctx *ctx, const tess_type *t)
{
	return array_usage(ctx, t, "no type") &&
	       array_usage(ctx, !t->mesh || t->mesh->ctx == ctx,
	                   "the type belongs to another context");
}

/* ---- meshes ---------------------------------------------------------------------------- */

typedef struct mesh_call {
	const int64_t *sizes;
	const char *const *names;
	const tess_axis_type *types;
	size_t n_sizes, n_names, n_types;
	const amesh *mesh;
	bool abstract;
	tess_str text;
	const int64_t *ids;
} mesh_call;

tess_status tess_set_device_count(tess_ctx *ctx, int64_t n)
{
	if (!ctx || n < 0)
		return TESS_USAGE;
	array_state_of(ctx)->devices = n;
	return TESS_OK;
}

_Static_assert((int)TESS_COMM_DENY == (int)COMM_DENY, "tess_comm and comm_level differ");

tess_status tess_set_comm(tess_ctx *ctx, tess_comm level)
{
	if (!ctx || (int)level < COMM_ALLOW || (int)level > COMM_DENY)
		return TESS_USAGE;
	array_state_of(ctx)->comm = (comm_level)level;
	return TESS_OK;
}

static tess_status mesh_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	amesh m = {.n = (int)c->n_names};
	int64_t devices = 1, have = array_state_of(ctx)->devices;
	for (size_t i = 0; i < c->n_names; i++) {
		m.axis[i] = name_of_z(ctx, c->names[i]);
		m.size[i] = c->sizes[i];
		m.kind[i] = c->n_types ? (axis_kind)c->types[i] : AXIS_EXPLICIT;
		if (m.size[i] > 0 && !mul_ok(devices, m.size[i], &devices))
			devices = INT64_MAX;
	}
	if (have && devices > have) {
		diag_error(ctx, NOWHERE, E_ARRAY_MESH,
		           "a mesh of %" PRId64 " devices, but there are %" PRId64, devices, have);
		return TESS_INVALID;
	}
	c->mesh = amesh_of(ctx, &m);
	return c->mesh ? TESS_OK : TESS_INVALID;
}

const tess_array_mesh *tess_make_mesh(tess_ctx *ctx, const int64_t *sizes, size_t n_sizes,
                                      const char *const *names, size_t n_names,
                                      const tess_axis_type *types, size_t n_types)
{
	mesh_call c = {sizes, names, types, n_sizes, n_names, n_types, .mesh = NULL};
	if (!array_usage(ctx, ((sizes && names) || !n_names) && (types || !n_types),
	                 "a mesh needs sizes and names"))
		return NULL;
	if (n_sizes != n_names || (n_types && n_types != n_names) || n_names > ARRAY_MAX_AXES) {
		diag_error(
			ctx, NOWHERE, E_ARRAY_MESH,
			"a mesh needs as many sizes (%zu) as names (%zu) and, if given, types (%zu), at "
			"most %d",
			n_sizes, n_names, n_types, ARRAY_MAX_AXES);
		return NULL;
	}
	for (size_t i = 0; i < n_names; i++)
		if (!array_usage(ctx, names[i], "an axis has no name") ||
		    !array_usage(ctx, !n_types || (unsigned)types[i] <= TESS_AXIS_MANUAL,
		                 "an axis is Auto, Explicit or Manual"))
			return NULL;
	return array_run(ctx, mesh_body, &c) == TESS_OK ? c.mesh : NULL;
}

static tess_status mesh_on_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	amesh m = *c->mesh;
	m.ids = c->ids;
	c->mesh = amesh_of(ctx, &m);
	return c->mesh ? TESS_OK : TESS_INVALID;
}

const tess_array_mesh *tess_array_mesh_on(tess_ctx *ctx, const tess_array_mesh *mesh,
                                          const int64_t *ids, size_t n)
{
	mesh_call c = {.mesh = mesh, .ids = ids};
	return array_mesh_here(ctx, mesh) &&
	                       array_usage(ctx, ids ? (int64_t)n == amesh_devices(mesh) : !n,
	                                   "there must be an id for each device of the mesh") &&
	                       array_run(ctx, mesh_on_body, &c) == TESS_OK
	               ? c.mesh
	               : NULL;
}

tess_status tess_set_mesh(tess_ctx *ctx, const tess_array_mesh *mesh)
{
	if (!ctx || (mesh && !array_mesh_here(ctx, mesh)))
		return TESS_USAGE;
	array_state *st = array_state_of(ctx);
	if (st->trace) {
		diag_error(ctx, NOWHERE, E_ARRAY_USAGE, "the mesh cannot be set inside a function");
		return TESS_INVALID;
	}
	st->mesh = mesh;
	return TESS_OK;
}

const tess_array_mesh *tess_current_mesh(const tess_ctx *ctx)
{
	array_state *st = ctx ? ctx->slot[SLOT_ARRAY] : NULL;
	return st ? st->mesh : NULL;
}

static tess_status array_mesh_print_body(tess_ctx *ctx, void *arg)
{
	mesh_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	put_amesh(&w, c->mesh, c->abstract ? "AbstractMesh" : "Mesh");
	c->text = writer_str(&w);
	return TESS_OK;
}

tess_str tess_array_mesh_print(tess_ctx *ctx, const tess_array_mesh *mesh, bool abstract)
{
	mesh_call c = {.mesh = mesh, .abstract = abstract};
	return array_mesh_here(ctx, mesh) &&
	                       array_run(ctx, array_mesh_print_body, &c) == TESS_OK
	               ? c.text
	               : (tess_str){"", 0};
}

/* ---- specs and types ----------------------------------------------------------------------- */

typedef struct type_call {
	tess_str text;
	const amesh *mesh;
	const atype *type;
	const int64_t *dims;
	const char *spec;
	dtype dtype;
	int rank, form;
} type_call;

static tess_status spec_print_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	const pspec *s = pspec_parse(ctx, c->text);
	writer w;
	if (!s)
		return TESS_INVALID;
	writer_init(&w, frame_text_arena(ctx));
	put_pspec(&w, s);
	c->text = writer_str(&w);
	return TESS_OK;
}

tess_str tess_spec_print(tess_ctx *ctx, const char *spec)
{
	if (!array_usage(ctx, spec, "no spec"))
		return (tess_str){"", 0};
	type_call c = {.text = str_of(spec)};
	return array_run(ctx, spec_print_body, &c) == TESS_OK ? c.text : (tess_str){"", 0};
}

static tess_status spec_check_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	const pspec *s = pspec_parse(ctx, c->text);
	aspec bound;
	return s && aspec_bind(ctx, c->mesh, s, &bound) ? TESS_OK : TESS_INVALID;
}

tess_status tess_spec_check(tess_ctx *ctx, const tess_array_mesh *mesh, const char *spec)
{
	if (!array_usage(ctx, spec, "no spec") || !array_mesh_here(ctx, mesh))
		return TESS_USAGE;
	type_call c = {.text = str_of(spec), .mesh = mesh};
	return array_run(ctx, spec_check_body, &c);
}

static tess_status type_make_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	atype t = {.dtype = c->dtype, .rank = c->rank, .mesh = array_state_of(ctx)->mesh};
	int64_t total = 1;
	for (int d = 0; d < c->rank; d++) {
		t.dim[d] = c->dims[d];
		if (t.dim[d] < 0 || !mul_ok(total, t.dim[d], &total)) {
			diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
			           "a negative dimension, or too many elements");
			return TESS_INVALID;
		}
	}
	const pspec *s = c->spec ? pspec_parse(ctx, str_of(c->spec)) : NULL;
	if (c->spec && (!s || !atype_shard(ctx, &t, s, "a type")))
		return TESS_INVALID;
	c->type = atype_intern(ctx, &t);
	return TESS_OK;
}

const tess_type *tess_type_make(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank,
                                const char *spec)
{
	type_call c = {.dims = dims, .rank = rank, .spec = spec, .dtype = (dtype)t};
	bool right = rank >= 0 && rank <= ARRAY_MAX_RANK && (dims || !rank) && t > 0 &&
	             (int)t < DT_COUNT;
	return array_usage(ctx, right, "a type needs an element type and dimensions") &&
	                       array_run(ctx, type_make_body, &c) == TESS_OK
	               ? c.type
	               : NULL;
}

static tess_status type_parse_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	c->type = atype_parse(ctx, c->text, c->mesh ? c->mesh : array_state_of(ctx)->mesh);
	return c->type ? TESS_OK : TESS_INVALID;
}

const tess_type *tess_type_parse(tess_ctx *ctx, tess_str text, const tess_array_mesh *mesh)
{
	type_call c = {.text = text, .mesh = mesh};
	return array_usage(ctx, text.ptr, "no text") && (!mesh || array_mesh_here(ctx, mesh)) &&
	                       array_run(ctx, type_parse_body, &c) == TESS_OK
	               ? c.type
	               : NULL;
}

static tess_status type_print_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	put_atype(&w, c->type, c->form);
	c->text = writer_str(&w);
	return TESS_OK;
}

tess_str tess_type_print(tess_ctx *ctx, const tess_type *type, tess_type_form form)
{
	type_call c = {.type = type, .form = (int)form};
	return array_type_here(ctx, type) && array_run(ctx, type_print_body, &c) == TESS_OK
	               ? c.text
	               : (tess_str){"", 0};
}

tess_dtype tess_type_dtype(const tess_type *type)
{
	return type ? (tess_dtype)(type)->dtype : TESS_NO_DTYPE;
}

int tess_type_rank(const tess_type *type) { return type ? (type)->rank : 0; }

int64_t tess_type_dim(const tess_type *type, int dim)
{
	const atype *t = type;
	return t && dim >= 0 && dim < t->rank ? t->dim[dim] : -1;
}

/* ---- attributes ------------------------------------------------------------------------------ */

tess_attrs *tess_attrs_new(tess_ctx *ctx)
{
	tess_attrs *a = ctx ? ctx_realloc(ctx, NULL, sizeof *a) : NULL;
	if (!a)
		return NULL;
	*a = (tess_attrs){.ctx = ctx, .mark = HANDLE_ALIVE};
	arena_init(&a->mem, ctx);
	return a;
}

static void attrs_drop(tess_ctx *ctx, void *handle)
{
	tess_attrs *a = handle;
	arena_free(&a->mem);
	ctx_realloc(ctx, a, 0);
}

void tess_attrs_free(tess_attrs *a)
{
	if (a)
		handle_free(a->ctx, a, &a->mark, "a list of attributes", attrs_drop);
}

/* Attributes that an operation of ctx can take. */
static bool attrs_usable(tess_ctx *ctx, const tess_attrs *a)
{
	return !a || (ctx && handle_alive(ctx, a->mark, "a list of attributes") &&
	              array_usage(ctx, a->ctx == ctx, "the attributes belong to another context"));
}

typedef struct attr_call {
	tess_attrs *a;
	param one;
	const char *const *texts;
	const int64_t *ints;
} attr_call;

static tess_status attr_body(tess_ctx *ctx, void *arg)
{
	attr_call *c = arg;
	arena *mem = &c->a->mem;
	if (c->one.kind == PK_INTS)
		c->one.ints = c->one.n ? COPY_N(mem, c->ints, c->one.n) : NULL;
	if (c->one.kind == PK_TEXT)
		c->one.text = arena_str(mem, c->one.text);
	if (c->one.kind == PK_SPECS) {
		const pspec **specs = NEW_N(mem, const pspec *, c->one.n + 1);
		for (int i = 0; i < c->one.n; i++)
			if (!c->texts[i] || !(specs[i] = pspec_parse(ctx, str_of(c->texts[i]))))
				return TESS_INVALID;
		c->one.specs = specs;
	}
	params_set(mem, &c->a->list, c->one);
	return TESS_OK;
}

static tess_attrs *attr_put(tess_attrs *a, attr_call c)
{
	c.a = a;
	return a && handle_alive(a->ctx, a->mark, "a list of attributes") && c.one.key &&
	                       array_run(a->ctx, attr_body, &c) == TESS_OK
	               ? a
	               : NULL;
}

tess_attrs *tess_attrs_ints(tess_attrs *a, const char *key, const int64_t *v, size_t n)
{
	return n <= INT32_MAX && (v || !n)
	               ? attr_put(a, (attr_call){.one = {.key = key, .kind = PK_INTS, .n = (int)n},
	                                         .ints = v})
	               : NULL;
}

tess_attrs *tess_attrs_int(tess_attrs *a, const char *key, int64_t v)
{
	return tess_attrs_ints(a, key, &v, 1);
}

tess_attrs *tess_attrs_number(tess_attrs *a, const char *key, double v)
{
	return attr_put(a,
	                (attr_call){.one = {.key = key, .kind = PK_NUMBER, .n = 1, .number = v}});
}

tess_attrs *tess_attrs_text(tess_attrs *a, const char *key, const char *v)
{
	return v ? attr_put(
			   a,
			   (attr_call){
				   .one = {.key = key, .kind = PK_TEXT, .n = 1, .text = str_of(v)}})
	         : NULL;
}

tess_attrs *tess_attrs_dtype(tess_attrs *a, const char *key, tess_dtype v)
{
	if (!a || !array_usage(a->ctx, v > 0 && (int)v < DT_COUNT, "there is no such element type"))
		return NULL;
	return attr_put(
		a, (attr_call){.one = {.key = key, .kind = PK_DTYPE, .n = 1, .dtype = (dtype)v}});
}

tess_attrs *tess_attrs_specs(tess_attrs *a, const char *key, const char *const *v, size_t n)
{
	return v || !n ? attr_put(a, (attr_call){.one = {.key = key, .kind = PK_SPECS, .n = (int)n},
	                                         .texts = v})
	               : NULL;
}

tess_attrs *tess_attrs_spec(tess_attrs *a, const char *key, const char *v)
{
	return tess_attrs_specs(a, key, &v, 1);
}

tess_attrs *tess_attrs_mesh(tess_attrs *a, const char *key, const tess_array_mesh *v)
{
	if (!a || !array_mesh_here(a->ctx, v))
		return NULL;
	return attr_put(a, (attr_call){.one = {.key = key, .kind = PK_MESH, .n = 1, .mesh = v}});
}

/* ---- typing and tracing ---------------------------------------------------------------------- */

typedef struct apply_call {
	const char *op;
	const tess_type *const *types;
	avalue *const *in;
	int n_in;
	const params *attrs;
	const tess_type **out_types;
	avalue **out;
	int cap, n;
	array_body *body;
	void *const *env;
	int n_bodies;
	afn *f;
} apply_call;

static const params *attrs_of(const tess_attrs *a) { return a ? &a->list : NULL; }

static int typed_one(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out, int cap)
{
	apply_call *c = env;
	return array_emit(ctx, c->op, in, n_in, c->attrs, out, cap);
}

static afn *trace_types(tess_ctx *ctx, apply_call *c, array_body *body, void *env)
{
	atype *params = NEW_N(&ctx->scratch, atype, c->n_in + 1);
	for (int i = 0; i < c->n_in; i++)
		params[i] = *c->types[i];
	c->f = afn_begin(ctx);
	return array_trace(ctx, body, env, params, c->n_in, c->f);
}

static tess_status typed_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	afn *f = trace_types(ctx, c, typed_one, c);
	c->n = f ? f->outs.len : -1;
	for (int i = 0; i < c->n && i < c->cap; i++)
		c->out_types[i] = f->outs.ptr[i]->type;
	return f ? TESS_OK : TESS_INVALID;
}

static bool types_given(tess_ctx *ctx, const tess_type *const *in, int n_in)
{
	bool right = array_usage(ctx, n_in >= 0 && (in || !n_in), "an operand is missing");
	for (int i = 0; right && i < n_in; i++)
		right = array_type_here(ctx, in[i]);
	return right;
}

int tess_infer(tess_ctx *ctx, const char *op, const tess_type *const *in, int n_in,
               const tess_attrs *a, const tess_type **out, int cap)
{
	apply_call c = {.op = op, .types = in, .n_in = n_in, .attrs = attrs_of(a), .out_types = out,
	                .cap = cap, .n = -1};
	if (!attrs_usable(ctx, a) || !types_given(ctx, in, n_in) ||
	    !array_usage(ctx, op && cap >= 0 && (out || !cap), "no operation, or no room"))
		return -1;
	tess_status done = array_run(ctx, typed_body, &c);
	afn_free(c.f && !c.f->outer ? c.f : NULL);
	return done == TESS_OK ? c.n : -1;
}

static tess_status trace_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	return trace_types(ctx, c, c->body, c->env ? c->env[0] : NULL) ? TESS_OK : TESS_INVALID;
}

tess_fn *tess_trace(tess_ctx *ctx, tess_body *body, void *env, const tess_type *const *in, int n_in)
{
	apply_call c = {.types = in, .n_in = n_in, .body = body, .env = &env};
	if (!types_given(ctx, in, n_in) || !array_usage(ctx, body, "no body") ||
	    !array_usage(ctx, !array_state_of(ctx)->trace, "a function is being traced already"))
		return NULL;
	tess_fn *fn = ctx_realloc(ctx, NULL, sizeof *fn);
	if (fn && array_run(ctx, trace_body, &c) == TESS_OK) {
		*fn = (tess_fn){.ctx = ctx, .f = c.f, .mark = HANDLE_ALIVE};
		return fn;
	}
	afn_free(c.f);
	if (fn)
		ctx_realloc(ctx, fn, 0);
	return NULL;
}

void array_fn_drop(tess_ctx *ctx, void *handle)
{
	tess_fn *fn = handle;
	tess_exec_free(fn->exec);
	tess_module_free(fn->module);
	if (fn->placed_in)
		ctx_realloc(ctx, (void *)fn->placed_in, 0);
	if (fn->placed_out)
		ctx_realloc(ctx, (void *)fn->placed_out, 0);
	afn_free(fn->f);
	ctx_realloc(ctx, fn, 0);
}

void tess_fn_free(tess_fn *fn)
{
	if (fn)
		handle_free(fn->ctx, fn, &fn->mark, "a function", array_fn_drop);
}

int tess_fn_result_count(const tess_fn *fn)
{
	return fn && handle_alive(fn->ctx, fn->mark, "a function") ? fn->f->outs.len : 0;
}

const tess_type *tess_fn_result_type(const tess_fn *fn, int i)
{
	return i >= 0 && i < tess_fn_result_count(fn) ? fn->f->outs.ptr[i]->type : NULL;
}

const tess_type *tess_typeof(const tess_array *v)
{
	return v && (v->home || handle_alive(v->ctx, v->mark, "a value")) ? v->type : NULL;
}

/* ---- applying -------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	array_call *call;
} calls_with_bodies[] = {
	{"jit", array_jit},           {"remat", array_jit},
	{"scan", array_scan},         {"map", array_map},
	{"while", array_while},       {"cond", array_cond},
	{"vmap", array_vmap},         {"grad", array_grad},
	{"value_and_grad", array_value_and_grad},
	{"vjp", array_vjp},           {"jvp", array_jvp},
	{"jacfwd", array_jacfwd},     {"jacrev", array_jacrev},
	{"linear_transpose", array_linear_transpose},
	{"custom_vjp", array_custom_vjp},
	{"shard_map", array_shard_map},
	{"auto_axes", array_auto_axes}, {"explicit_axes", array_explicit_axes},
	{"use_mesh", array_use_mesh},
};

static tess_status array_apply_body(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	c->n = array_emit(ctx, c->op, c->in, c->n_in, c->attrs, c->out, c->cap);
	return c->n < 0 ? TESS_INVALID : TESS_OK;
}

static bool values_given(tess_ctx *ctx, tess_array *const *in, int n_in, tess_array **out, int cap)
{
	if (!array_usage(ctx, n_in >= 0 && (in || !n_in) && cap >= 0 && (out || !cap),
	                 "operands or room are missing"))
		return false;
	for (int i = 0; i < n_in; i++)
		if (in[i] && !in[i]->home &&
		    (!handle_alive(ctx, in[i]->mark, "a value") ||
		     !array_usage(ctx, in[i]->ctx == ctx, "an operand belongs to another context")))
			return false;
	return true;
}

int tess_apply(tess_ctx *ctx, const char *op, tess_array *const *in, int n_in, const tess_attrs *a,
               tess_array **out, int cap)
{
	apply_call c = {.op = op, .in = in, .n_in = n_in, .attrs = attrs_of(a),
	                .out = out, .cap = cap, .n = -1};
	if (!values_given(ctx, in, n_in, out, cap) || !array_usage(ctx, op, "no operation") ||
	    !attrs_usable(ctx, a))
		return -1;
	if (!array_state_of(ctx)->trace)
		return array_eager(ctx, op, in, n_in, a, out, cap);
	return array_run(ctx, array_apply_body, &c) == TESS_OK ? c.n : -1;
}

static tess_status apply_with_bodies(tess_ctx *ctx, void *arg)
{
	apply_call *c = arg;
	call_with_body call = {.ctx = ctx,
	                       .body = c->body,
	                       .env = c->env,
	                       .n_bodies = c->n_bodies,
	                       .in = c->in,
	                       .n_in = c->n_in,
	                       .attrs = c->attrs,
	                       .out = c->out,
	                       .cap = c->cap};
	for (int i = 0; i < c->n_in; i++)
		if (!c->in[i])
			return TESS_INVALID;
	for (int i = 0; i < COUNT(calls_with_bodies); i++)
		if (strcmp(calls_with_bodies[i].name, c->op) == 0) {
			c->n = calls_with_bodies[i].call(&call);
			return c->n < 0 ? TESS_INVALID : TESS_OK;
		}
	diag_error(ctx, NOWHERE, E_ARRAY_OP, "%s takes no body", c->op);
	return TESS_INVALID;
}

int tess_apply_body(tess_ctx *ctx, const char *what, tess_body *body, void *const *env,
                    int n_bodies, tess_array *const *in, int n_in, const tess_attrs *a,
                    tess_array **out, int cap)
{
	apply_call c = {.op = what, .in = in, .n_in = n_in, .attrs = attrs_of(a),
	                .out = out, .cap = cap, .n = -1,
	                .body = body, .env = env, .n_bodies = n_bodies};
	if (!values_given(ctx, in, n_in, out, cap) || !attrs_usable(ctx, a) ||
	    !array_usage(ctx, what && body && env && n_bodies > 0, "no body"))
		return -1;
	if (!array_state_of(ctx)->trace)
		return array_eager_call(ctx, what, body, env, n_bodies, in, n_in, a, out, cap);
	return array_run(ctx, apply_with_bodies, &c) == TESS_OK ? c.n : -1;
}
