/* jax_explicit_cases.c - recorded answers of JAX on sharding in types, through the public API.
 *
 *   jax_explicit_cases CASES.jsonl [DIFFERENCES.txt]
 *
 * A case passes if the types of its results are equal, or if both tessera and JAX report an error
 * for the same kind of reason.  A case with values must also compute them, on the devices of its
 * mesh.  If a newer JAX answers differently, the case has both answers, and either passes.
 * DIFFERENCES lists cases in which tessera does better than JAX, by `id result`, each after a line
 * that starts with "# " and says why; the result is checked. */
#include "../../support/cases.h"
#include "jax_explicit_factors.h"

#include "../../support/lent.h"
#include "../../support/meshes.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/array.h>

enum { MAX_VALUES = 64, MAX_MEMBERS = 32 };

typedef struct jax_case {
	tess_ctx *ctx;
	const json_value *json;
	char got[1000]; /* types of the results, joined by " " */
} jax_case;

/* ---- parameters -------------------------------------------------------------------------- */

typedef struct text_buf {
	char s[600];
	size_t n;
} text_buf;

static void add(text_buf *b, const char *s, size_t n)
{
	if (b->n + n >= sizeof b->s)
		n = sizeof b->s - 1 - b->n;
	memcpy(b->s + b->n, s, n);
	b->n += n;
	b->s[b->n] = 0;
}

static void add_axes(text_buf *b, const json_value *list)
{
	add(b, "(", 1);
	for (const json_value *a = list->first; a; a = a->next) {
		if (a != list->first)
			add(b, ",", 1);
		if (a->kind == J_STRING)
			add(b, a->text.ptr, a->text.len);
		else
			add(b, "_", 1);
	}
	add(b, ")", 1);
}

static void add_set(text_buf *b, const json_value *v, const char *key, const char *prefix)
{
	const json_value *set = json_get(v, key);
	if (!set || !set->n)
		return;
	add(b, prefix, strlen(prefix));
	add_axes(b, set);
}

/* {"spec": ["X", null, ["X","Y"]], "unreduced": []} as "X,_,(X,Y)". */
static void spec_text(const json_value *v, text_buf *b)
{
	const json_value *spec = json_get(v, "spec");
	for (const json_value *d = spec ? spec->first : NULL; d; d = d->next) {
		if (d != spec->first)
			add(b, ", ", 2);
		if (d->kind == J_STRING)
			add(b, d->text.ptr, d->text.len);
		else if (d->kind == J_ARRAY && d->n)
			add_axes(b, d);
		else
			add(b, "_", 1);
	}
	add_set(b, v, "unreduced", " U:");
	add_set(b, v, "reduced", " R:");
}

static const tess_mesh *mesh_of(tess_ctx *ctx, const json_value *v)
{
	int64_t sizes[8];
	char names[8][32];
	const char *name[8];
	tess_axis_kind types[8];
	int n = 0;
	const json_value *axes = json_get(v, "axes"), *kinds = json_get(v, "types");
	if (!axes)
		return NULL;
	for (const json_value *a = axes->first; a && n < 8; a = a->next, n++) {
		snprintf(names[n], sizeof names[n], "%.*s", (int)a->first->text.len,
		         a->first->text.ptr);
		name[n] = names[n];
		sizes[n] = a->first->next->integer;
		types[n] = TESS_AXIS_EXPLICIT;
	}
	const json_value *t = kinds ? kinds->first : NULL;
	for (int i = 0; t && i < n; i++, t = t->next)
		types[i] = text_is(t->text, "Auto") ? TESS_AXIS_AUTO
		           : text_is(t->text, "Manual") ? TESS_AXIS_MANUAL : TESS_AXIS_EXPLICIT;
	return jax_mesh(ctx, sizes, (size_t)n, name, (size_t)n, types, (size_t)n);
}

/* [0, ["s", 1, 5], null, "...", {"arg": 1}] as "0, 1:5, None, ..., #1". */
static void index_text(const json_value *v, text_buf *b)
{
	char s[64];
	for (const json_value *i = v->first; i; i = i->next) {
		if (i != v->first)
			add(b, ", ", 2);
		if (i->kind == J_NUMBER) {
			add(b, s, (size_t)snprintf(s, sizeof s, "%" PRId64, i->integer));
		} else if (i->kind == J_STRING) {
			add(b, i->text.ptr, i->text.len);
		} else if (i->kind == J_OBJECT) {
			add(b, s,
			    (size_t)snprintf(s, sizeof s, "#%" PRId64,
			                     json_get(i, "arg")->integer));
		} else if (i->kind == J_ARRAY) {
			int at = 0;
			for (const json_value *p = i->first->next; p; p = p->next, at++) {
				if (at)
					add(b, ":", 1);
				if (p->kind == J_NUMBER)
					add(b, s,
					    (size_t)snprintf(s, sizeof s, "%" PRId64, p->integer));
			}
			if (at == 1)
				add(b, ":", 1);
		} else {
			add(b, "None", 4);
		}
	}
}

/* All numbers of nested lists in order; null is "not mapped". */
static size_t flatten(const json_value *v, int64_t *out, size_t n, size_t cap)
{
	if (v->kind == J_ARRAY) {
		for (const json_value *e = v->first; e; e = e->next)
			n = flatten(e, out, n, cap);
	} else if (n < cap) {
		out[n++] = v->kind == J_BOOL   ? v->yes
		           : v->kind == J_NULL ? TESS_VMAP_NOT_MAPPED
		                               : v->integer;
	}
	return n;
}

static tess_dtype dtype_named(tess_str s)
{
	static const struct {
		const char *name;
		tess_dtype t;
	} names[] = {{"float32", TESS_F32},   {"int32", TESS_I32}, {"uint8", TESS_UI8},
	             {"bfloat16", TESS_BF16}, {"bool", TESS_I1},   {"complex64", TESS_C64},
	             {"uint32", TESS_UI32},   {"int8", TESS_I8},   {"float16", TESS_F16},
	             {"float64", TESS_F64},      {"int16", TESS_I16}, {"uint16", TESS_UI16},
	             {"int64", TESS_I64},     {"uint64", TESS_UI64}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (text_is(s, names[i].name))
			return names[i].t;
	return TESS_NO_DTYPE;
}

static bool is_spec(const json_value *v) { return v->kind == J_OBJECT && json_get(v, "spec"); }

static bool is_spec_list(const json_value *v)
{
	return v->kind == J_ARRAY && v->first && is_spec(v->first);
}

static void put_specs(tess_params *a, const char *key, const json_value *v)
{
	static text_buf bufs[16];
	const char *texts[16];
	size_t n = 0;
	const json_value *one = is_spec(v) ? v : v->first;
	for (; one && n < 16; one = is_spec(v) ? NULL : one->next, n++) {
		bufs[n].n = 0;
		bufs[n].s[0] = 0;
		spec_text(one, &bufs[n]);
		texts[n] = bufs[n].s;
	}
	tess_params_specs(a, key, texts, n);
}

static void put_axis_list(tess_params *a, const char *key, const json_value *v)
{
	text_buf b = {.n = 0};
	for (const json_value *e = v->first; e; e = e->next) {
		if (e != v->first)
			add(&b, ",", 1);
		add(&b, e->text.ptr, e->text.len);
	}
	tess_params_text(a, key, b.s);
}

/* dimension_numbers of dot_general, or the layouts of a convolution. */
static void put_dimension_numbers(tess_params *a, const json_value *v)
{
	static const char *const parts[] = {"lhs_contract", "rhs_contract", "lhs_batch",
	                                    "rhs_batch"};
	static const char *const layouts[] = {"lhs_layout", "rhs_layout", "out_layout"};
	int at = 0;
	if (v->first->kind == J_STRING) {
		for (const json_value *e = v->first; e && at < 3; e = e->next, at++) {
			char s[32];
			snprintf(s, sizeof s, "%.*s", (int)e->text.len, e->text.ptr);
			tess_params_text(a, layouts[at], s);
		}
		return;
	}
	for (const json_value *pair = v->first; pair; pair = pair->next)
		for (const json_value *side = pair->first; side && at < 4;
		     side = side->next, at++) {
			int64_t d[16];
			tess_params_ints(a, parts[at], d, flatten(side, d, 0, 16));
		}
}

/* Keys must outlive the attributes: they stay in a table. */
static const char *kept_key(tess_str key)
{
	static char keys[1000][48];
	static int n;
	for (int i = 0; i < n; i++)
		if (text_is(key, keys[i]))
			return keys[i];
	if (n == 1000)
		abort();
	snprintf(keys[n], sizeof keys[n], "%.*s", (int)key.len, key.ptr);
	return keys[n++];
}

static const tess_mesh *changed_mesh(tess_ctx *ctx, const json_value *params,
                                     const json_value *mesh)
{
	int64_t sizes[8];
	char names[8][32];
	const char *name[8];
	tess_axis_kind types[8];
	size_t n = 0;
	if (json_get(params, "axes"))
		return mesh_of(ctx, params);
	const json_value *kind = json_get(mesh, "types")->first;
	for (const json_value *a = json_get(mesh, "axes")->first; a;
	     a = a->next, kind = kind->next, n++) {
		snprintf(names[n], sizeof names[n], "%.*s", (int)a->first->text.len,
		         a->first->text.ptr);
		name[n] = names[n];
		sizes[n] = a->first->next->integer;
		tess_str t = json_text(json_get(params, "types"), names[n]);
		types[n] = text_is(t.len ? t : kind->text, "Auto") ? TESS_AXIS_AUTO
		                                                   : TESS_AXIS_EXPLICIT;
	}
	return jax_mesh(ctx, sizes, n, name, n, types, n);
}

static void put_one(tess_ctx *ctx, tess_params *a, const json_value *v)
{
	const char *key = kept_key(v->key);
	int64_t numbers[64];
	char s[200];
	if (is_spec(v) || is_spec_list(v)) {
		put_specs(a, key, v);
		if (is_spec(v) && json_get(v, "mesh"))
			tess_params_mesh(a, "mesh", mesh_of(ctx, json_get(v, "mesh")));
	} else if (strcmp(key, "dimension_numbers") == 0) {
		put_dimension_numbers(a, v);
	} else if (strcmp(key, "index") == 0 && v->kind == J_ARRAY) {
		text_buf b = {.n = 0};
		index_text(v, &b);
		tess_params_text(a, key, b.s);
	} else if (v->kind == J_ARRAY && v->first && v->first->kind == J_STRING) {
		put_axis_list(a, key, v);
	} else if (v->kind == J_STRING && dtype_named(v->text)) {
		tess_params_dtype(a, key, dtype_named(v->text));
	} else if (v->kind == J_STRING) {
		snprintf(s, sizeof s, "%.*s", (int)v->text.len, v->text.ptr);
		tess_params_text(a, key, s);
	} else if (v->kind == J_ARRAY || v->kind == J_NUMBER || v->kind == J_BOOL ||
	           v->kind == J_NULL) {
		if (v->kind == J_NUMBER &&
		    (v->number != (double)v->integer || strcmp(key, "fill_value") == 0))
			tess_params_number(a, key, v->number);
		else
			tess_params_ints(a, key, numbers, flatten(v, numbers, 0, 64));
	}
}

static bool is_body_key(tess_str key)
{
	static const char *const keys[] = {"body",     "ret",       "true",        "false",
	                                   "true_ret", "false_ret", "branches",    "primal",
	                                   "bwd",      "bwd_ret",   "operand_mesh"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (text_is(key, keys[i]))
			return true;
	return false;
}

static tess_params *attrs_of(jax_case *c, tess_str op, const json_value *params)
{
	tess_params *a = tess_params_new(c->ctx);
	bool use_mesh = text_is(op, "use_abstract_mesh");
	for (const json_value *p = params ? params->first : NULL; p; p = p->next)
		if (!is_body_key(p->key) &&
		    !(use_mesh && (text_is(p->key, "types") || text_is(p->key, "axes"))))
			put_one(c->ctx, a, p);
	if (use_mesh)
		tess_params_mesh(a, "mesh",
		                 changed_mesh(c->ctx, params, json_get(c->json, "mesh")));
	return a;
}

/* ---- programs ------------------------------------------------------------------------------- */

/* A body: steps [op, [arguments], parameters], and which values it returns. */
typedef struct program {
	jax_case *c;
	const json_value *steps, *ret;
	tess_str op; /* instead of steps: one operation of all values */
	const json_value *params;
	bool sum; /* of a custom_vjp under grad: the sum of the result */
	tess_array *const *outside; /* values that the body closes over */
	int n_outside;
} program;

static int run_op(jax_case *c, tess_str op, const json_value *params, tess_array **in, int n_in,
                  tess_array **out, int cap);

static int run_program(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                       tess_array **out, size_t cap)
{
	program *p = env;
	tess_array *values[MAX_VALUES];
	int n = 0, last = 0, n_last = 0;
	(void)ctx;
	for (; n < (int)n_in && n < MAX_VALUES; n++)
		values[n] = in[n];
	for (int i = 0; i < p->n_outside; i++)
		values[n++] = p->outside[i];
	if (p->op.len) {
		n_last = run_op(p->c, p->op, p->params, values, (int)n_in, out, (int)cap);
		if (n_last == 1 && p->sum)
			return tess_apply(p->c->ctx, "jnp.sum", out, 1, NULL, out, cap);
		return n_last;
	}
	n_last = n;
	last = 0;
	for (const json_value *s = p->steps ? p->steps->first : NULL; s; s = s->next) {
		tess_array *args[MAX_VALUES];
		int n_args = 0;
		for (const json_value *a = s->first->next->first; a; a = a->next) {
			const json_value *lit = json_get(a, "lit");
			if (a->kind != J_OBJECT) {
				args[n_args++] = a->integer >= 0 && a->integer < n
				                         ? values[a->integer]
				                         : NULL;
				continue;
			}
			tess_params *at = tess_params_new(p->c->ctx);
			tess_params_number(at, "value",
			                   lit->kind == J_BOOL ? lit->yes : lit->number);
			if (lit->kind == J_BOOL || lit->number == (double)lit->integer) {
				tess_params_dtype(at, "dtype",
				                  lit->kind == J_BOOL ? TESS_I1
				                  : lit->is_real      ? TESS_F32
				                                      : TESS_I32);
			}
			if (tess_apply(p->c->ctx, "scalar", NULL, 0, at, &args[n_args++], 1) != 1)
				n_args = -1;
			tess_params_free(at);
		}
		last = n;
		n_last = run_op(p->c, s->first->text, s->first->next->next, args, n_args,
		                values + n, MAX_VALUES - n);
		if (n_last < 0)
			return -1;
		n += n_last;
	}
	if (!p->ret) {
		/* without a list: what the last step gave */
		for (int i = 0; i < n_last && i < (int)cap; i++)
			out[i] = values[last + i];
		return n_last;
	}
	n_last = 0;
	for (const json_value *r = p->ret->first; r && n_last < (int)cap; r = r->next)
		out[n_last++] = r->integer < n ? values[r->integer] : NULL;
	return n_last;
}

typedef struct bodies {
	program p[4];
	void *env[4];
	int n;
} bodies;

static void add_body(bodies *b, jax_case *c, const json_value *steps, const json_value *ret)
{
	b->p[b->n] = (program){.c = c, .steps = steps, .ret = ret};
	b->env[b->n] = &b->p[b->n];
	b->n++;
}

static void find_bodies(bodies *b, jax_case *c, const json_value *params)
{
	b->n = 0;
	if (json_get(params, "body"))
		add_body(b, c, json_get(params, "body"), json_get(params, "ret"));
	if (json_get(params, "true")) {
		add_body(b, c, json_get(params, "true"), json_get(params, "true_ret"));
		add_body(b, c, json_get(params, "false"), json_get(params, "false_ret"));
	}
	const json_value *branches = json_get(params, "branches");
	for (const json_value *s = branches ? branches->first : NULL; s && b->n < 4; s = s->next)
		add_body(b, c, s, NULL);
	if (json_get(params, "primal")) {
		add_body(b, c, json_get(params, "primal"), NULL);
		add_body(b, c, json_get(params, "bwd"), json_get(params, "bwd_ret"));
	}
}

/* The names of the cases for what takes bodies. */
static const char *body_call(tess_str op)
{
	static const struct {
		const char *theirs, *ours;
	} names[] = {{"while_loop", "while"}, {"fori_loop", "while"}, {"switch", "cond"},
	             {"use_abstract_mesh", "use_mesh"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (text_is(op, names[i].theirs))
			return names[i].ours;
	return kept_key(op);
}

/* custom_vjp in the cases is the gradient of the sum of its result. */
static int run_custom_vjp(jax_case *c, tess_str op, const json_value *params, const tess_params *a,
                          tess_array **in, int n_in, tess_array **out, int cap)
{
	program p = {.c = c, .op = op, .params = params, .sum = true};
	void *env = &p;
	c->got[0] = 'g'; /* the inner call is the custom_vjp itself */
	int n = tess_apply_body(c->ctx, "grad", run_program, &env, 1, in, n_in, a, out, cap);
	c->got[0] = 0;
	return n;
}

static int run_op(jax_case *c, tess_str op, const json_value *params, tess_array **in, int n_in,
                  tess_array **out, int cap)
{
	bodies b;
	tess_params *a = attrs_of(c, op, params);
	int n;
	find_bodies(&b, c, params);
	if (n_in < 0)
		n = -1;
	else if (text_is(op, "custom_vjp") && !c->got[0])
		n = run_custom_vjp(c, op, params, a, in, n_in, out, cap);
	else if (text_is(op, "program"))
		n = run_program(c->ctx, b.env[0], in, n_in, out, cap);
	else if (text_is(op, "shard_map_closure") && n_in == 2) {
		b.p[0].outside = in + 1;
		b.p[0].n_outside = 1;
		n = tess_apply_body(c->ctx, "shard_map", run_program, b.env, 1, in, 1, a, out, cap);
	} else if (b.n)
		n = tess_apply_body(c->ctx, body_call(op), run_program, b.env, b.n, in, n_in, a,
		                    out, cap);
	else
		n = tess_apply(c->ctx, kept_key(op), in, n_in, a, out, cap);
	tess_params_free(a);
	return n;
}

/* ---- the API cases --------------------------------------------------------------------------- */

static void got_text(jax_case *c, tess_str s)
{
	size_t n = strlen(c->got);
	snprintf(c->got + n, sizeof c->got - n, "%s%.*s", n ? " " : "", (int)s.len, s.ptr);
}

static bool run_make_mesh(jax_case *c, const json_value *params)
{
	int64_t sizes[8];
	char names[8][32];
	const char *name[8];
	tess_axis_kind types[8];
	int n_sizes = json_ints(params, "sizes", sizes, 8), n = 0, n_types = 0;
	for (const json_value *a = json_get(params, "names")->first; a; a = a->next, n++) {
		snprintf(names[n], sizeof names[n], "%.*s", (int)a->text.len, a->text.ptr);
		name[n] = names[n];
	}
	const json_value *t = json_get(params, "types");
	for (t = t ? t->first : NULL; t; t = t->next)
		types[n_types++] = text_is(t->text, "Auto") ? TESS_AXIS_AUTO : TESS_AXIS_EXPLICIT;
	const tess_mesh *m = jax_mesh(c->ctx, sizes, (size_t)n_sizes, name, (size_t)n, types,
	                              (size_t)n_types);
	bool fits = m && tess_array_set_mesh(c->ctx, m) == TESS_OK;
	if (fits)
		got_text(c, lent(tess_array_mesh_print(c->ctx, m, false)));
	return fits;
}

static bool run_aval(jax_case *c, const json_value *params, const char *spec)
{
	int64_t dims[8];
	int rank = json_ints(params, "shape", dims, 8);
	const tess_array_type *t = tess_array_type_make(c->ctx, TESS_F32, dims, rank, spec);
	if (t)
		got_text(c, lent(tess_array_type_print(c->ctx, t, TESS_ARRAY_TYPE_FORM_LONG)));
	return t != NULL;
}

static int set_mesh_inside(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                           tess_array **out, size_t cap)
{
	(void)n_in, (void)cap;
	out[0] = in[0];
	return tess_array_set_mesh(ctx, env) == TESS_OK ? 1 : -1;
}

static bool run_api(jax_case *c, tess_str op, const json_value *params)
{
	text_buf spec = {.n = 0};
	const json_value *sharding = json_get(params, "sharding");
	spec_text(sharding ? sharding : params, &spec);
	if (text_is(op, "api.PartitionSpec")) {
		tess_str s = lent(tess_spec_print(c->ctx, spec.s));
		got_text(c, s);
		return s.len > 0;
	}
	if (text_is(op, "api.NamedSharding")) {
		const tess_mesh *m = json_get(params, "mesh")
		                             ? mesh_of(c->ctx, json_get(params, "mesh"))
		                             : tess_array_mesh(c->ctx);
		bool ok = tess_spec_check(c->ctx, m, spec.s) == TESS_OK;
		if (ok) {
			tess_str s = lent(tess_spec_print(c->ctx, spec.s));
			snprintf(c->got, sizeof c->got, "NamedSharding(spec=%.*s)", (int)s.len,
			         s.ptr);
		}
		return ok;
	}
	if (text_is(op, "api.make_mesh"))
		return run_make_mesh(c, params);
	if (text_is(op, "api.abstract_mesh")) {
		const tess_mesh *m = mesh_of(c->ctx, json_get(params, "mesh"));
		if (m)
			got_text(c, lent(tess_array_mesh_print(c->ctx, m, true)));
		return m != NULL;
	}
	if (text_is(op, "api.aval"))
		return run_aval(c, params, spec.s);
	int64_t dim = 8;
	const tess_array_type *t = tess_array_type_make(c->ctx, TESS_F32, &dim, 1, NULL);
	tess_fn *f = tess_fn_trace(c->ctx, set_mesh_inside,
	                           (void *)mesh_of(c->ctx, json_get(params, "mesh")), &t, 1);
	bool ok = f != NULL;
	tess_fn_free(f);
	return ok;
}

/* ---- one case -------------------------------------------------------------------------------- */

/* The values given are exact in bfloat16. */
static uint16_t bf16_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return (uint16_t)(bits >> 16);
}

static double bf16_value(uint16_t b)
{
	uint32_t bits = (uint32_t)b << 16;
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Element i of operand k: what jax_explicit_generate.py gives to JAX. */
static void put_input(tess_dtype t, void *data, size_t i, size_t k)
{
	double v = (double)((i * 7 + k * 3) % 11) / 8 + 0.25;
	int64_t n = (int64_t)((i * 5 + k) % 3);
	switch (t) {
	case TESS_F32: ((float *)data)[i] = (float)v; break;
	case TESS_F64: ((double *)data)[i] = v; break;
	case TESS_I32:
	case TESS_UI32: ((int32_t *)data)[i] = (int32_t)n; break;
	case TESS_I8:
	case TESS_UI8: ((int8_t *)data)[i] = (int8_t)n; break;
	case TESS_I1: ((uint8_t *)data)[i] = (i + k) % 2 == 0; break;
	case TESS_BF16: ((uint16_t *)data)[i] = bf16_of((float)v); break;
	case TESS_C64:
		((float *)data)[2 * i] = (float)v;
		((float *)data)[2 * i + 1] = 0;
		break;
	default: break;
	}
}

static double element_at(const tess_tensor *t, size_t i)
{
	switch (t->dtype) {
	case TESS_F32: return ((const float *)t->data)[i];
	case TESS_F64: return ((const double *)t->data)[i];
	case TESS_I32: return ((const int32_t *)t->data)[i];
	case TESS_UI32: return ((const uint32_t *)t->data)[i];
	case TESS_BF16: return bf16_value(((const uint16_t *)t->data)[i]);
	case TESS_I8: return ((const int8_t *)t->data)[i];
	case TESS_UI8:
	case TESS_I1: return ((const uint8_t *)t->data)[i];
	default: return NAN;
	}
}

static bool values_fit(jax_case *c, const tess_tensor *t, const json_value *want, int result)
{
	size_t i = 0;
	for (const json_value *v = want->first; v; v = v->next, i++) {
		double got = i * (size_t)tess_dtype_bytes(t->dtype) < t->bytes ? element_at(t, i)
		                                                               : NAN;
		if (fabs(got - v->number) <= 1e-4 * (1 + fabs(v->number)))
			continue;
		snprintf(c->got, sizeof c->got, "result %d, element %zu: %g, not %g", result, i,
		         got, v->number);
		return false;
	}
	return true;
}

/* The operation whose results a case has: its own, or that of the only step of its program. */
static const char *results_of(const jax_case *c)
{
	const json_value *body = json_get(json_get(c->json, "params"), "body");
	if (text_is(json_text(c->json, "op"), "program") && body && body->n == 1)
		return kept_key(body->first->first->text);
	return kept_key(json_text(c->json, "op"));
}

static factor factor_of(const tess_tensor *t)
{
	size_t n = t->bytes / (size_t)tess_dtype_bytes(t->dtype);
	factor f = {calloc(n + 1, sizeof(double)), t->dims, t->rank};
	for (size_t i = 0; i < n; i++)
		f.at[i] = element_at(t, i);
	return f;
}

/* Factors of matrices, which are right in several ways: by what defines them. */
static bool matrices_fit(jax_case *c, const char *op, const tess_tensor *in,
                         const tess_tensor *out, int n_out)
{
	factor a = factor_of(in), r[MAX_VALUES];
	for (int i = 0; i < n_out; i++)
		r[i] = factor_of(&out[i]);
	bool fit = factors_fit(op, &a, r, c->got, sizeof c->got);
	for (int i = 0; i < n_out; i++)
		free(r[i].at);
	free(a.at);
	return fit;
}

static bool results_fit(jax_case *c, const tess_tensor *in, const tess_tensor *out, int n_out)
{
	const char *op = results_of(c);
	bool factors = factors_of(op);
	const json_value *want = json_get(c->json, "values")->first;
	for (int i = 0; i < n_out; i++, want = want->next) {
		if (!want)
			return false;
		if ((!factors || factor_is_unique(op, i)) && !values_fit(c, &out[i], want, i))
			return false;
	}
	return !factors || matrices_fit(c, op, in, out, n_out);
}

/* A case with values is run on the devices of its mesh. */
static bool run_values(jax_case *c, tess_fn *f, const tess_array_type *const *types, int n)
{
	tess_array *in[MAX_VALUES] = {NULL}, *out[MAX_VALUES];
	tess_tensor first = {.name = ""}, results[MAX_VALUES];
	for (int k = 0; k < n; k++) {
		size_t count = 1;
		for (int d = 0; d < tess_array_type_rank(types[k]); d++)
			count *= (size_t)tess_array_type_dim(types[k], d);
		void *data = calloc(count + 1, 16);
		for (size_t i = 0; i < count; i++)
			put_input(tess_array_type_dtype(types[k]), data, i, (size_t)k);
		in[k] = tess_array_new(c->ctx, types[k], data);
		free(data);
	}
	int got = tess_fn_call(f, in, n, out, MAX_VALUES);
	bool fit = got >= 0 && (n == 0 || tess_array_tensor(in[0], &first));
	for (int i = 0; i < got; i++)
		fit = fit && tess_array_tensor(out[i], &results[i]);
	fit = fit && results_fit(c, &first, results, got);
	for (int i = 0; i < got; i++)
		tess_array_free(out[i]);
	for (int k = 0; k < n; k++)
		tess_array_free(in[k]);
	return fit;
}

static bool run_typed(jax_case *c, tess_str op, const json_value *params)
{
	const tess_array_type *types[MAX_VALUES];
	int n = 0;
	const json_value *om = json_get(params, "operand_mesh");
	const tess_mesh *m = mesh_of(c->ctx, om ? om : json_get(c->json, "mesh"));
	if (!m && !om) { /* JAX makes the operands on a mesh that is not the context's */
		int64_t sizes[] = {4, 2};
		const char *names[] = {"X", "Y"};
		m = jax_mesh(c->ctx, sizes, 2, names, 2, NULL, 0);
	}
	for (const json_value *o = json_get(c->json, "operands")->first; o; o = o->next)
		if (!(types[n++] = tess_array_type_parse(c->ctx, o->text, m)))
			return false;
	program p = {.c = c, .op = op, .params = params};
	if (text_is(op, "jax.typeof"))
		p.op.len = 0; /* no steps: the operand itself */
	tess_fn *f = tess_fn_trace(c->ctx, run_program, &p, types, n);
	for (size_t i = 0; i < tess_fn_result_count(f); i++)
		got_text(c, lent(tess_array_type_print(c->ctx, tess_fn_result_type(f, i),
		                                       TESS_ARRAY_TYPE_FORM_LONG)));
	bool right = f && (!json_get(c->json, "values") || run_values(c, f, types, n));
	tess_fn_free(f);
	return right && tess_diag_errors(c->ctx) == 0; /* a parameter may have been refused */
}

static void join_results(const json_value *v, text_buf *b)
{
	if (v && v->kind == J_STRING)
		add(b, v->text.ptr, v->text.len);
	for (const json_value *e = v && v->kind == J_ARRAY ? v->first : NULL; e; e = e->next) {
		if (e != v->first)
			add(b, " ", 1);
		add(b, e->text.ptr, e->text.len);
	}
}

/* Which diagnostics stand for which of JAX's messages, found by a part of the message. */
static const struct {
	const char *part;
	const char *codes;
} kinds[] = {
	{"produces an illegally sharded result", "E1003"},
	{"DuplicateSpec", "E1003"}, /* of a lookup: ambiguous before that */
	{"has duplicate entries", "E1003 E1014"},
	{"incompatible shardings for broadcasting", "E1013"},
	{"incompatible shapes", "E1011"},
	{"same number of dimensions", "E1007"},
	{"to have the same dtypes", "E1012"},
	{"does not accept dtype", "E1012"},
	{"not compatible with finfo", "E1012"},
	{"Contracting dimensions are sharded", "E1014"},
	{"contracting dimensions to have consistent", "E1014"},
	{"must be unsharded on", "E1015"},
	{"batch dimensions", "E1013"},
	{"unreduced axes should be", "E1016"},
	{"should be sharded identically", "E1016"},
	{"is not found in mesh: ()", "any"},
	{"is not found in mesh", "E1002"},
	{"evenly divide", "E1006"},
	{"evenly divisible", "E1006"},
	{"can only refer to Auto axes", "E1004"},
	{"UNCONSTRAINED", "E1005"},
	{"Length of sharding.spec", "E1007"},
	{"Incompatible types for broadcasting", "E1013 E1014"},
	{"must be equal to dimension", "E1011"},
	{"the same shape, got", "E1011"},
	{"equal to fft_lengths", "E1011"},
	{"size of the input must", "E1011"},
	{"being rolled over", "E1006"},
	{"negative axes", "E1020"},
	{"out of bounds", "E1020 E1011"},
	{"must be between", "E1020"},
	{"Attempting to convert array of shape", "E1011"},
	{"pvary cannot accept", "E1017 E1016"},
	{"inputs that are varying", "E1017"},
	{"can only accept axis_name", "E1017"},
	{"Transpose rule", "E1021"},
	{"linear_transpose only supports", "E1021"},
	{"jvp called with", "E1018"},
	{"arguments to jax.jvp do not match", "E1018"},
	{"ragged_dot", "E1014"},
	{"which` must be scalar", "E1013"},
	{"cases must have the same", "E1013"},
	{"This reshape is not supported", "E1014"},
	{"should have the same sharding", "E1013"},
	{"on sharded dims where out dim", "E1006"},
	{"sharding must be equal to update sharding", "E1013"},
	{"Use `.at[...]", "E1014"},
	{"must be unsharded over the sorting", "E1015"},
	{"must have equal shardings", "E1013"},
	{"hould be unsharded", "E1015"},
	{"cannot be sharded on the unstacking", "E1015"},
	{"should be fully replicated", "E1015"},
	{"Please specify the output sharding", "E1014"},
	{"Please pass sharding to `jnp.repeat`", "E1014"},
	{"cannot be sharded on dimension", "E1015"},
	{"same batch sharding", "E1013"},
	{"of type Auto or Manual", "E1004"},
	{"can only refer to Auto axes", "E1004"},
	{"not under a mesh context", "E1008"},
	{"mesh cannot be empty", "E1008"},
	{"equal types", "E1018"},
	{"equal output types", "E1018"},
	{"Pred must be a scalar", "E1011"},
	{"should be replicated", "E1015"},
	{"Mapped away dimension", "E1019"},
	{"Unmapped values", "E1019"},
	{"Only one of spmd_axis_name", "E1019"},
	{"vmap got inconsistent sizes", "E1011"},
	{"scalar-output", "E1011"},
	{"cotangent type does not match", "E1018"},
	{"unexpected JAX type", "E1018"},
	{"Custom VJP bwd", "E1018"},
	{"Sharding passed to jit", "E1013"},
	{"acts as an assert", "E1022"},
	{"Missing required keyword", "E1020"},
	{"unexpected keyword", "E1020"},
	{"Going from `Manual`", "E1004"},
	{"context mesh", "E1010"},
	{"cannot change the size of the mesh", "E1000"},
	{"does not match the specs of the input", "E1013"},
	{"which can't be statically", "E1017"},
	{"too long", "E1007"},
	{"marked as manual", "E1004"},
	{"must be a pytree", "E1020"},
	{"Unsupported pcast", "E1017"},
	{"unbound axis name", "E1002"},
	{"isn't a permutation", "E1020"},
	{"cannot select an axis to squeeze", "E1011"},
	{"Number of devices", "E1000"},
	{"Mesh requires", "E1000"},
	{"Number of axis names", "E1000"},
	{"partitions cannot overlap", "E1001 E1016"},
	{"`set_mesh` can only", "E1023"},
	{"accepts a single key", "E1011"},
	{"boolean indices must be concrete", "E1021"},
	{"unreduced", "E1016 E1004 E1001 E1002"},
	{"reduced", "E1016 E1004 E1001"},
};

static bool kind_fits(tess_ctx *ctx, tess_str message, tess_str type)
{
	char text[400];
	tess_diag d;
	snprintf(text, sizeof text, "%.*s", (int)message.len, message.ptr);
	if (!tess_diag_get(ctx, 0, &d))
		return false;
	/* JAX's accidents: a bare assertion, a KeyError, a helper that refuses its operand */
	if (text_is(type, "AssertionError") && !strstr(text, "acts as an assert"))
		return true;
	if (text_is(type, "KeyError") || strstr(text, "is dangerous when PartitionSpec"))
		return true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strstr(text, kinds[i].part))
			return strcmp(kinds[i].codes, "any") == 0 || strstr(kinds[i].codes, d.code);
	return false;
}

static bool outcome_fits(jax_case *c, const json_value *outcome, bool ok)
{
	text_buf want = {.n = 0};
	tess_str error = json_text(outcome, "error");
	if (error.len || json_text(outcome, "error_type").len)
		return !ok && kind_fits(c->ctx, error, json_text(outcome, "error_type"));
	join_results(json_get(outcome, "result"), &want);
	return ok && strcmp(want.s, c->got) == 0;
}

/* A difference: "id what comes instead". */
static bool is_difference(tess_str id, const char *got)
{
	char line[1200];
	int n = snprintf(line, sizeof line, "%.*s %s", (int)id.len, id.ptr, got);
	return case_differs((tess_str){line, (size_t)n < sizeof line ? (size_t)n : 0});
}

/* A machine without LAPACK cannot factor matrices, and says so. */
static bool lacks_lapack(tess_ctx *ctx)
{
	tess_diag d;
	return tess_diag_get(ctx, 0, &d) &&
	       memmem(d.message.ptr, d.message.len, "no LAPACK library", 17);
}

static case_outcome run_case(const json_value *json)
{
	jax_case c = {.ctx = tess_ctx_new(NULL), .json = json};
	tess_str op = json_text(json, "op"), id = json_text(json, "id");
	const json_value *params = json_get(json, "params"), *newer = json_get(json, "newer");
	tess_array_set_device_count(c.ctx, 8);
	const tess_mesh *m = json_get(json, "mesh")->kind == J_OBJECT
	                             ? mesh_of(c.ctx, json_get(json, "mesh"))
	                             : NULL;
	tess_array_set_mesh(c.ctx, m);
	bool ok = op.len > 4 && memcmp(op.ptr, "api.", 4) == 0 ? run_api(&c, op, params)
	                                                       : run_typed(&c, op, params);
	bool fits = outcome_fits(&c, json, ok) || (newer && outcome_fits(&c, newer, ok)) ||
	            is_difference(id, ok ? c.got : "error");
	bool skipped = !fits && lacks_lapack(c.ctx);
	if (!fits && !skipped) {
		text_buf want = {.n = 0};
		tess_diag d = {.code = ""};
		tess_str error = json_text(json, "error");
		join_results(json_get(json, "result"), &want);
		tess_diag_get(c.ctx, 0, &d);
		printf("%.*s %.*s: %s%s%.*s\n    not %s%.*s\n", (int)id.len, id.ptr, (int)op.len,
		       op.ptr, ok || json_get(json, "values") ? c.got : "", d.code,
		       (int)d.message.len, d.message.ptr, want.s,
		       error.len > 150 ? 150 : (int)error.len, error.ptr);
	}
	tess_ctx_free(c.ctx);
	return skipped ? CASE_SKIPPED : fits ? CASE_PASSED : CASE_FAILED;
}

int main(int argc, char **argv) { return cases_main(argc, argv, "category", run_case); }
