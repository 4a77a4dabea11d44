/* eager.c - applies operations to concrete values, outside any function.
 *
 * An operation is traced and planned when it first meets operands of these types with these
 * attributes; later calls find it in a table. Devices are virtual and share memory, so what all of
 * them would compute is computed once, on the whole values. */
#include "api/array/fn.h"

enum { EAGER_SLOTS = 1024, EAGER_OPERANDS = 8 }; /* slots: a power of two */

/* An operation seen before. */
typedef struct eager_entry {
	uint64_t hash;
	char *op;
	const amesh *mesh; /* the current one at that time */
	const tess_array_type **types;
	size_t n_in;
	tess_params *attrs; /* a copy; NULL: none */
	tess_fn *fn;
} eager_entry;

struct eager_cache {
	int n;
	eager_entry slot[EAGER_SLOTS];
};

/* ---- keys -------------------------------------------------------------------------------- */

typedef struct eager_key {
	const char *op;
	const amesh *mesh;
	tess_array *const *in;
	size_t n_in;
	const params *attrs;
} eager_key;

static uint64_t param_hash(uint64_t h, const param *p)
{
	for (const char *c = p->key; *c; c++)
		h = hash_mix(h, (uint8_t)*c);
	for (int i = 0; i < p->n && p->kind == PK_INTS; i++)
		h = hash_mix(h, (uint64_t)p->ints[i]);
	for (size_t i = 0; i < p->text.len && p->kind == PK_TEXT; i++)
		h = hash_mix(h, (uint8_t)p->text.ptr[i]);
	for (int i = 0; i < p->n && p->kind == PK_SPECS; i++)
		h = hash_mix(h, (uintptr_t)p->specs[i]);
	return hash_mix(h, (uint64_t)p->kind << 32 | (uint32_t)p->dtype);
}

static uint64_t key_hash(const eager_key *k)
{
	uint64_t h = hash_mix((uintptr_t)k->mesh, k->n_in);
	for (const char *c = k->op; *c; c++)
		h = hash_mix(h, (uint8_t)*c);
	for (size_t i = 0; i < k->n_in; i++)
		h = hash_mix(h, (uintptr_t)k->in[i]->type ^ (uintptr_t)k->in[i]->placed);
	for (int i = 0; k->attrs && i < k->attrs->list.len; i++)
		h = param_hash(h, &k->attrs->list.ptr[i]);
	return h;
}

static bool params_equal(const param *a, const param *b)
{
	if (strcmp(a->key, b->key) != 0 || a->kind != b->kind || a->n != b->n)
		return false;
	switch (a->kind) {
	case PK_INTS: return !a->n || memcmp(a->ints, b->ints, sizeof *a->ints * (size_t)a->n) == 0;
	case PK_NUMBER: return memcmp(&a->number, &b->number, sizeof a->number) == 0;
	case PK_TEXT: return str_eq(a->text, b->text);
	case PK_SPECS:
		return !a->n || memcmp(a->specs, b->specs, sizeof *a->specs * (size_t)a->n) == 0;
	case PK_DTYPE: return a->dtype == b->dtype;
	case PK_MESH: return a->mesh == b->mesh;
	}
	return false;
}

static bool entry_is(const eager_entry *e, uint64_t hash, const eager_key *k)
{
	const params *mine = e->attrs ? &e->attrs->list : NULL;
	int n = mine ? mine->list.len : 0;
	if (e->hash != hash || e->mesh != k->mesh || e->n_in != k->n_in ||
	    strcmp(e->op, k->op) != 0 || n != (k->attrs ? k->attrs->list.len : 0))
		return false;
	for (size_t i = 0; i < k->n_in; i++)
		if (e->types[i] != k->in[i]->type)
			return false;
	if (array_places_differ(e->fn, k->in, k->n_in))
		return false;
	for (int i = 0; i < n; i++)
		if (!params_equal(&mine->list.ptr[i], &k->attrs->list.ptr[i]))
			return false;
	return true;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void entry_free(tess_ctx *ctx, eager_entry *e)
{
	if (e->fn)
		array_fn_drop(ctx, e->fn);
	if (e->attrs) {
		arena_free(&e->attrs->mem);
		ctx_realloc(ctx, e->attrs, 0);
	}
	ctx_realloc(ctx, e->op, 0);
	ctx_realloc(ctx, e->types, 0);
	*e = (eager_entry){0};
}

void array_eager_free(tess_ctx *ctx)
{
	array_state *st = ctx ? ctx->slot[SLOT_ARRAY] : NULL;
	if (!st || !st->eager)
		return;
	for (int i = 0; i < EAGER_SLOTS; i++)
		if (st->eager->slot[i].fn)
			entry_free(ctx, &st->eager->slot[i]);
	ctx_realloc(ctx, st->eager, 0);
	st->eager = NULL;
}

/* Returns the slot of the key, or the free slot for it. */
static eager_entry *entry_at(struct eager_cache *c, uint64_t hash, const eager_key *k)
{
	uint64_t i = hash & (EAGER_SLOTS - 1);
	while (c->slot[i].fn && !entry_is(&c->slot[i], hash, k))
		i = (i + 1) & (EAGER_SLOTS - 1);
	return &c->slot[i];
}

static struct eager_cache *cache_of(tess_ctx *ctx)
{
	array_state *st = array_state_of(ctx);
	if (st->eager && st->eager->n >= EAGER_SLOTS / 2)
		array_eager_free(ctx);
	if (!st->eager && (st->eager = ctx_realloc(ctx, NULL, sizeof *st->eager)))
		memset(st->eager, 0, sizeof *st->eager);
	return st->eager;
}

/* ---- adding an operation -------------------------------------------------------------------- */

typedef struct eager_op {
	const char *op;
	const tess_params *attrs;
} eager_op;

static int eager_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                      tess_array **out, size_t cap)
{
	eager_op *e = env;
	return tess_apply(ctx, e->op, in, n_in, e->attrs, out, cap);
}

typedef struct attrs_copy {
	tess_params *to;
	const tess_params *from;
} attrs_copy;

static tess_status attrs_copy_body(tess_ctx *ctx, void *arg)
{
	attrs_copy *c = arg;
	UNUSED(ctx);
	for (int i = 0; i < c->from->list.list.len; i++) {
		param one = c->from->list.list.ptr[i];
		if (one.kind == PK_INTS)
			one.ints = one.n ? COPY_N(&c->to->mem, one.ints, one.n) : NULL;
		if (one.kind == PK_TEXT)
			one.text = arena_str(&c->to->mem, one.text);
		if (one.kind == PK_SPECS && one.n)
			one.specs = COPY_N(&c->to->mem, one.specs, one.n);
		params_set(&c->to->mem, &c->to->list, one);
	}
	return TESS_OK;
}

/* Fills a free slot; returns false with errors in the context. */
static bool entry_make(tess_ctx *ctx, eager_entry *e, uint64_t hash, const eager_key *k,
                       const tess_params *a)
{
	eager_op body = {k->op, a};
	size_t n = strlen(k->op) + 1;
	eager_entry new = {.hash = hash, .mesh = k->mesh, .n_in = k->n_in};
	new.op = ctx_realloc(ctx, NULL, n);
	new.types = ctx_realloc(ctx, NULL, sizeof *new.types * (k->n_in + 1));
	new.attrs = a ? tess_params_new(ctx) : NULL;
	attrs_copy copy = {new.attrs, a};
	bool ok = new.op &&new.types &&
	          (!a || (new.attrs &&array_run(ctx, attrs_copy_body, &copy) == TESS_OK));
	for (size_t i = 0; ok && i < k->n_in; i++)
		new.types[i] = k->in[i]->type;
	if (ok) {
		memcpy(new.op, k->op, n);
		new.fn = tess_fn_trace(ctx, eager_body, &body, new.types, k->n_in);
	}
	bool placed = new.fn && (!array_places_differ(new.fn, k->in, k->n_in) ||
	                         array_places_keep(new.fn, k->in, k->n_in));
	if (placed && array_fn_prepare(new.fn, true)) {
		*e = new;
		return true;
	}
	entry_free(ctx, &new);
	return false;
}

/* ---- applying -------------------------------------------------------------------------------- */

static bool operands_concrete(tess_ctx *ctx, tess_array *const *in, size_t n_in)
{
	for (size_t i = 0; i < n_in; i++) {
		if (!in[i])
			return false; /* an error that was reported before */
		if (!array_usage(ctx, !in[i]->home,
		                 "an operand belongs to a function whose trace has ended") ||
		    !array_usage(ctx, in[i]->ctx == ctx, "an operand belongs to another context"))
			return false;
	}
	return true;
}

static int eager_run(tess_fn *fn, tess_array *const *in, size_t n_in, tess_array **out, size_t cap)
{
	tess_tensor few[EAGER_OPERANDS], *all = few;
	if (!array_usage(fn->ctx, (size_t)fn->f->outs.len <= cap,
	                 "there are more results than room"))
		return -1;
	if (n_in > EAGER_OPERANDS &&
	    !(all = ctx_realloc(fn->ctx, NULL, sizeof *all * n_in)))
		return -1;
	for (size_t i = 0; i < n_in; i++)
		tess_array_tensor(in[i], &all[i]);
	tess_status done = tess_exec_run(fn->exec, all, n_in);
	if (all != few)
		ctx_realloc(fn->ctx, all, 0);
	return done == TESS_OK ? array_fn_outputs(fn, out) : -1;
}

int array_eager(tess_ctx *ctx, const char *op, tess_array *const *in, size_t n_in,
                const tess_params *a, tess_array **out, size_t cap)
{
	if (!operands_concrete(ctx, in, n_in))
		return -1;
	eager_key k = {op, array_state_of(ctx)->mesh, in, n_in, a ? &a->list : NULL};
	struct eager_cache *c = cache_of(ctx);
	if (!c)
		return -1;
	uint64_t hash = key_hash(&k);
	eager_entry *e = entry_at(c, hash, &k);
	if (!e->fn) {
		if (!entry_make(ctx, e, hash, &k, a))
			return -1;
		c->n++;
	}
	return eager_run(e->fn, in, n_in, out, cap);
}

/* ---- operations with bodies ----------------------------------------------------------------- */

typedef struct eager_call {
	const char *what;
	tess_fn_body *body;
	void *const *env;
	size_t n_bodies;
	const tess_params *attrs;
} eager_call;

static int eager_call_body(tess_ctx *ctx, void *env, tess_array *const *in, size_t n_in,
                           tess_array **out, size_t cap)
{
	eager_call *c = env;
	return tess_apply_body(ctx, c->what, c->body, c->env, c->n_bodies, in, n_in, c->attrs, out,
	                       cap);
}

/* Traces the call for these operands and runs it on the devices of the mesh; not cached. */
int array_eager_call(tess_ctx *ctx, const char *what, tess_fn_body *body, void *const *env,
                     size_t n_bodies, tess_array *const *in, size_t n_in, const tess_params *a,
                     tess_array **out, size_t cap)
{
	eager_call c = {what, body, env, n_bodies, a};
	const tess_array_type **types = NULL;
	if (!operands_concrete(ctx, in, n_in) ||
	    !(types = ctx_realloc(ctx, NULL, sizeof *types * (n_in + 1))))
		return -1;
	for (size_t i = 0; i < n_in; i++)
		types[i] = in[i]->type;
	tess_fn *f = tess_fn_trace(ctx, eager_call_body, &c, types, n_in);
	int n = f ? tess_fn_call(f, in, n_in, out, cap) : -1;
	tess_fn_free(f);
	ctx_realloc(ctx, types, 0);
	return n;
}
