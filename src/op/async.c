/* async.c - turns the asynchronous collectives of JAX into the collectives that they are.
 *
 * JAX writes lax.psum_start and similar functions as two custom calls, whose types are those of
 * values:
 *
 *   %1 = custom_call @"all-reduce-start"(%0) {called_computations = [@add], mhlo.frontend_attributes
 *            = {async_collective_config = "{\22replica_groups\22: [[0, 1]], \22channel_id\22: 1}"}}
 *   %2 = custom_call @"all-reduce-done"(%1)
 *
 * The first becomes the collective of its name, with the attributes in the JSON of its config; the
 * second becomes its operand. */
#include "op/op.h"

#include <errno.h>
#include <stdlib.h>

typedef struct async_kind {
	const char *start;
	op_kind kind;
	bool reduces, global_ids;
} async_kind;

static const async_kind async_kinds[] = {
    {"all-reduce-start", OP_ALL_REDUCE, true, true},
    {"all-gather-start", OP_ALL_GATHER, false, true},
    {"reduce-scatter-start", OP_REDUCE_SCATTER, true, true},
    {"all-to-all-start", OP_ALL_TO_ALL, false, false},
    {"collective-permute-start", OP_COLLECTIVE_PERMUTE, false, false},
};

/* The attributes that a config may have, by JAX's name and ours. */
static const struct async_key {
	const char *key;
	int known;
	enum { KEY_INT, KEY_FLAG, KEY_TABLE, KEY_CHANNEL } kind;
} async_keys[] = {
    {"all_gather_dimension", N_all_gather_dim, KEY_INT},
    {"scatter_dimension", N_scatter_dimension, KEY_INT},
    {"split_dimension", N_split_dimension, KEY_INT},
    {"concat_dimension", N_concat_dimension, KEY_INT},
    {"split_count", N_split_count, KEY_INT},
    {"replica_groups", N_replica_groups, KEY_TABLE},
    {"permutation", N_source_target_pairs, KEY_TABLE},
    {"use_global_device_ids", N_use_global_device_ids, KEY_FLAG},
    {"channel_id", N_channel_handle, KEY_CHANNEL},
};

static const async_kind *async_kind_of(const op *o)
{
	if (o->kind != OP_CUSTOM_CALL)
		return NULL;
	for (int i = 0; i < COUNT(async_kinds); i++)
		if (!strcmp(op_call_target(o), async_kinds[i].start))
			return &async_kinds[i];
	return NULL;
}

/* True for custom calls such as all-gather-start. */
static bool async_is_start(const op *o) { return async_kind_of(o) != NULL; }

/* True for custom calls such as all-gather-done. */
static bool async_is_done(const op *o)
{
	if (o->kind != OP_CUSTOM_CALL)
		return false;
	const char *target = op_call_target(o);
	for (int i = 0; i < COUNT(async_kinds); i++) {
		size_t n = strlen(async_kinds[i].start) - strlen("start");
		if (!strncmp(target, async_kinds[i].start, n) && !strcmp(target + n, "done"))
			return true;
	}
	return false;
}

/* ---- the config: an object of numbers, booleans, and tables of numbers ---------------------- */

typedef struct async_reader {
	tess_ctx *ctx;
	const char *at;
	bool failed;
} async_reader;

static bool async_next(async_reader *r, char c)
{
	r->at += strspn(r->at, " \t\r\n");
	if (r->failed || *r->at != c)
		return false;
	r->at++;
	return true;
}

static void async_expect(async_reader *r, char c)
{
	if (!async_next(r, c))
		r->failed = true;
}

static int64_t async_int(async_reader *r)
{
	char *end;
	errno = 0;
	int64_t v = strtoll(r->at, &end, 10);
	r->failed |= end == r->at || errno;
	r->at = end;
	return v;
}

static bool async_bool(async_reader *r)
{
	for (int yes = 0; yes < 2; yes++) {
		const char *word = yes ? "true" : "false";
		if (strncmp(r->at, word, strlen(word)))
			continue;
		r->at += strlen(word);
		return yes;
	}
	r->failed = true;
	return false;
}

typedef VEC(int64_t) async_ints;

/* More than any program's groups need; a short text with uneven rows could ask for terabytes. */
enum { MAX_TABLE = 1 << 24 };

/* [[0, 1], [2]] as [[0, 1], [2, -1]]: shorter rows end with -1. */
static const attr *async_table(async_reader *r)
{
	arena *mem = &r->ctx->scratch;
	async_ints all = {0}, lengths = {0};
	int64_t dims[2] = {0, 0};
	async_expect(r, '[');
	while (!r->failed && !async_next(r, ']')) {
		if (lengths.len)
			async_expect(r, ',');
		int before = all.len;
		async_expect(r, '[');
		while (!r->failed && !async_next(r, ']')) {
			if (all.len > before)
				async_expect(r, ',');
			vec_push(mem, &all, async_int(r));
		}
		vec_push(mem, &lengths, all.len - before);
		dims[1] = max_i64(dims[1], all.len - before);
	}
	int64_t cells;
	dims[0] = lengths.len;
	r->failed |= !mul_ok(dims[0], dims[1], &cells) || cells > MAX_TABLE;
	if (r->failed)
		return NULL;
	int64_t *out = NEW_N(mem, int64_t, cells + 1), at = 0;
	for (int64_t i = 0; i < dims[0]; i++)
		for (int64_t k = 0; k < dims[1]; k++)
			out[i * dims[1] + k] = k < lengths.ptr[i] ? all.ptr[at++] : -1;
	return attr_dense(r->ctx, type_tensor(r->ctx, DT_I64, dims, 2), out,
	                  sizeof *out * (size_t)cells, false);
}

static const attr *async_channel(tess_ctx *ctx, int64_t id)
{
	const attr *values[] = {attr_i64(ctx, id), attr_i64(ctx, 1)}; /* from device to device */
	const name *names[] = {name_known(ctx, N_handle), name_known(ctx, N_type)};
	return attr_of(ctx, &(attr){.kind = AT_STRUCT, .n = 2, .list = values, .names = names,
	                            .text = name_of_z(ctx, "stablehlo.channel_handle")});
}

static const attr *async_value(async_reader *r, const struct async_key *key)
{
	switch (key->kind) {
	case KEY_INT: return attr_i64(r->ctx, async_int(r));
	case KEY_FLAG: return async_bool(r) ? attr_unit(r->ctx) : NULL;
	case KEY_TABLE: return async_table(r);
	case KEY_CHANNEL: return async_channel(r->ctx, async_int(r));
	}
	return NULL;
}

/* Skips a boolean or number that does not matter here: {"tiled": true}. */
static void async_skip(async_reader *r)
{
	if (*r->at == 't' || *r->at == 'f')
		async_bool(r);
	else
		async_int(r);
}

static void async_entry(async_reader *r, module *to, op *o)
{
	async_expect(r, '"');
	size_t n = strcspn(r->at, "\"");
	const char *key = r->at;
	r->at += n;
	async_expect(r, '"');
	async_expect(r, ':');
	r->at += strspn(r->at, " \t\r\n");
	for (int i = 0; i < COUNT(async_keys) && !r->failed; i++)
		if (strlen(async_keys[i].key) == n && !strncmp(key, async_keys[i].key, n)) {
			const attr *a = async_value(r, &async_keys[i]);
			if (a && !r->failed)
				op_set_attr(to, o, async_keys[i].known, a);
			return;
		}
	if (!r->failed)
		async_skip(r);
}

static bool async_config(module *to, const module *from, const op *start, op *o)
{
	const attr *front = op_attr_named(start, name_of_z(to->ctx, "mhlo.frontend_attributes"));
	const attr *text = front && front->kind == AT_DICT
	                       ? attr_get_named(front, name_of_z(to->ctx, "async_collective_config"))
	                       : NULL;
	if (!text || text->kind != AT_STRING)
		return diag_error(to->ctx, op_place(from, start), E_ATTRIBUTE,
		                  "@%s needs async_collective_config, a text, among its "
		                  "mhlo.frontend_attributes",
		                  op_call_target(start));
	async_reader r = {to->ctx, text->text->s, false};
	async_expect(&r, '{');
	for (int n = 0; !r.failed && !async_next(&r, '}'); n++) {
		if (n)
			async_expect(&r, ',');
		async_entry(&r, to, o);
	}
	if (!r.failed && !*r.at)
		return true;
	return diag_error(to->ctx, op_place(from, start), E_ATTRIBUTE,
	                  "the async_collective_config of @%s must be a JSON object of numbers, "
	                  "truths and tables of numbers; it is not one at character %d",
	                  op_call_target(start), (int)(r.at - text->text->s));
}

/* ---- the collective --------------------------------------------------------------------------- */

/* Makes the function that the call names the region of the collective. */
static bool async_reducer(module *to, const module *from, const op *start, op *o)
{
	const attr *names = op_attr(start, N_called_computations);
	const attr *first = names && names->kind == AT_ARRAY && names->n ? names->list[0] : NULL;
	const op *f = first && first->text ? module_lookup(from, first->text) : NULL;
	const block *body = f && op_is_func(f) ? op_body(f) : NULL;
	if (!body || !body->last)
		return diag_error(to->ctx, op_place(from, start), E_ATTRIBUTE,
		                  "@%s needs a function with a body as its called_computations",
		                  op_call_target(start));
	region_copy_block(to, op_region(o, 0), body, OP_RETURN);
	return true;
}

op *async_collective(module *to, const module *from, const op *start)
{
	const async_kind *k = async_kind_of(start);
	if (start->n_operands != 1 || start->n_results != 1) {
		diag_error(to->ctx, op_place(from, start), E_OPERANDS,
		           "@%s takes one operand and has one result, not %d and %d",
		           k->start, start->n_operands, start->n_results);
		return NULL;
	}
	value *in = operand(start, 0);
	const type *t = result(start, 0)->type;
	op *o = op_make(to, k->kind, &in, 1, &t, 1, k->reduces);
	op_take_place(to, o, start);
	if (!async_config(to, from, start, o) || (k->reduces && !async_reducer(to, from, start, o))) {
		op_erase(o);
		return NULL;
	}
	if (!k->global_ids)
		op_set_attr(to, o, N_use_global_device_ids, NULL);
	return o;
}

bool module_raise_async(module *m)
{
	for (op *o = module_has(m, OP_CUSTOM_CALL) ? m->top : NULL, *next; o; o = next) {
		next = op_next(o, m->top);
		if (async_is_done(o) && o->n_operands == 1 && o->n_results == 1) {
			value_replace_uses(result(o, 0), operand(o, 0));
			op_erase(o);
			continue;
		}
		if (!async_is_start(o))
			continue;
		op *made = async_collective(m, m, o);
		if (!made)
			return false;
		op_insert_before(o, made);
		value_take_name(m, result(made, 0), result(o, 0));
		result(made, 0)->sharding = result(o, 0)->sharding;
		value_replace_uses(result(o, 0), result(made, 0));
		op_erase(o);
		if (!op_verify(m, made))
			return false;
	}
	return true;
}
