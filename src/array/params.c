/* params.c - the parameters of an operation: a short list of keys and values. */
#include "array/array.h"

const param *param_find(const params *a, const char *key)
{
	for (int i = 0; a && i < a->list.len; i++)
		if (strcmp(a->list.ptr[i].key, key) == 0) {
			a->list.ptr[i].asked = true;
			return &a->list.ptr[i];
		}
	return NULL;
}

/* The same for callers that accept these kinds only; NULL for any other. */
static const param *param_as(const params *a, const char *key, unsigned kinds)
{
	param *t = (param *)param_find(a, key);
	if (t)
		t->asked_as |= kinds;
	return t && (kinds & 1u << t->kind) ? t : NULL;
}

void params_begin(const params *a)
{
	for (int i = 0; a && i < a->list.len; i++) {
		a->list.ptr[i].asked = false;
		a->list.ptr[i].asked_as = 0;
	}
}

/* Attributes that are looked up only when the operation is lowered, expanded or differentiated, or
 * that do not affect values. */
static const struct {
	const char *op; /* with '*' at the end: a prefix */
	const char *keys;
} later[] = {
	{"*", "accuracy precision indices_are_sorted unique_indices name unroll inline"},
	{"random.*", "seed num data shape dtype minval maxval lower upper p axis independent replace "
	             "x"},
	{"scalar", "value"},
	{"jnp.full*", "fill_value shape dtype"},
	{"lax.full*", "fill_value shape dtype"},
	{"jnp.roll", "shift axis"},
	{"jnp.repeat", "repeats axis out_sharding total_repeat_length"},
	{"jnp.tile", "reps"},
	{"jnp.tri*", "k"},
	{"jnp.eye", "n m k dtype"},
	{"jnp.linspace", "start stop num dtype"},
	{"lax.ppermute", "perm"},
	{"lax.pshuffle", "perm"},
	{"lax.reduce_precision", "exponent_bits mantissa_bits"},
	{"lax.reduce*", "computation axes dimensions keepdims"},
	{"lax.cum*", "reverse axis"},
	{"jnp.cum*", "axis"},
	{"lax.round", "rounding_method"},
	{"lax.sort", "num_keys is_stable dimension"},
	{"lax.top_k", "k"},
	{"lax.approx_*", "k recall_target aggregate_to_topk"},
	{"lax.linalg.*", "symmetrize_input full_matrices lower left_side transpose_a unit_diagonal"},
	{"jnp.linalg.*", "symmetrize_input full_matrices lower hermitian"},
	{"lax.fft", "fft_type fft_lengths"},
	{"jnp.take*", "mode fill_value axis"},
	{"index", "mode fill_value"},
	{"at.*", "mode"},
	{"lax.gather*", "mode slice_sizes fill_value"},
	{"lax.scatter*", "mode how"},
	{"lax.dot*", "preferred_element_type"},
	{"jnp.median", "axis"},
	{"jnp.quantile", "axis method"},
	{"while", "trips"},
	{"while_loop", "trips"},
	{"scan", "num_xs num_carry length reverse"},
	{"map", "batch_size"},
	{"custom_*", "argnums num_primals nondiff_argnums"},
	{"auto_axes", "out_sharding axes"},
	{"explicit_axes", "in_sharding out_sharding axes"},
};

static bool op_fits(const char *pattern, const char *op)
{
	size_t n = strlen(pattern);
	return pattern[n - 1] == '*' ? !strncmp(op, pattern, n - 1) : !strcmp(op, pattern);
}

static bool has_word_of(const char *keys, const char *key)
{
	size_t n = strlen(key);
	for (const char *at = keys; (at = strstr(at, key)); at += n)
		if ((at == keys || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* Returns "integers or a text". */
static const char *kinds_text(tess_ctx *ctx, unsigned kinds)
{
	static const char *const words[] = {"integers",  "a number",        "a text",
	                                    "shardings", "an element type", "a mesh"};
	const char *text = "";
	for (int i = 0; i < COUNT(words); i++)
		if (kinds & 1u << i)
			text = arena_printf(&ctx->scratch, "%s%s%s", text, *text ? " or " : "", words[i]);
	return text;
}

bool params_all_asked(tess_ctx *ctx, const char *op, const params *a)
{
	for (int i = 0; a && i < a->list.len; i++) {
		const param *t = &a->list.ptr[i];
		const char *key = t->key;
		bool known = t->asked, none = t->kind == PK_INTS && !t->n;
		if (t->asked_as && !none && !(t->asked_as & 1u << t->kind))
			return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "%s: attribute '%s' is %s; it has to be %s", op, key,
			                  kinds_text(ctx, 1u << t->kind), kinds_text(ctx, t->asked_as));
		for (int k = 0; !known && k < COUNT(later); k++)
			known = op_fits(later[k].op, op) && has_word_of(later[k].keys, key);
		if (!known)
			return diag_error(ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "%s has no attribute '%s'", op, key);
	}
	return true;
}

bool param_has(const params *a, const char *key) { return param_find(a, key) != NULL; }

int64_t param_int(const params *a, const char *key, int64_t otherwise)
{
	const param *t = param_as(a, key, 1 << PK_INTS);
	return t && t->n >= 1 ? t->ints[0] : otherwise;
}

double param_number(const params *a, const char *key, double otherwise)
{
	const param *t = param_as(a, key, 1 << PK_NUMBER | 1 << PK_INTS);
	return t && t->kind == PK_NUMBER ? t->number : t && t->n ? (double)t->ints[0] : otherwise;
}

int param_ints(const params *a, const char *key, const int64_t **out)
{
	const param *t = param_as(a, key, 1 << PK_INTS);
	if (!t)
		return -1;
	*out = t->ints;
	return t->n;
}

const pspec *param_spec(const params *a, const char *key)
{
	const param *t = param_as(a, key, 1 << PK_SPECS);
	return t && t->n == 1 ? t->specs[0] : NULL;
}

const pspec *param_spec_at(const params *a, const char *key, int i)
{
	const param *t = param_as(a, key, 1 << PK_SPECS);
	if (!t || (t->n > 1 && i >= t->n))
		return NULL;
	return t->n == 1 ? t->specs[0] : t->n ? t->specs[i] : NULL;
}

const amesh *param_mesh(const params *a, const char *key, const amesh *otherwise)
{
	const param *t = param_as(a, key, 1 << PK_MESH);
	return t ? t->mesh : otherwise;
}

tess_str param_text(const params *a, const char *key)
{
	const param *t = param_as(a, key, 1 << PK_TEXT);
	return t ? t->text : (tess_str){"", 0};
}

dtype param_dtype(const params *a, const char *key, dtype otherwise)
{
	const param *t = param_as(a, key, 1 << PK_DTYPE);
	return t ? t->dtype : otherwise;
}

void params_set(arena *mem, params *a, param one)
{
	for (int i = 0; i < a->list.len; i++)
		if (strcmp(a->list.ptr[i].key, one.key) == 0) {
			a->list.ptr[i] = one;
			return;
		}
	vec_push(mem, &a->list, one);
}

params *params_copy(arena *mem, const params *a)
{
	params *out = NEW(mem, params);
	for (int i = 0; a && i < a->list.len; i++) {
		param one = a->list.ptr[i];
		if (one.kind == PK_INTS && one.n)
			one.ints = COPY_N(mem, one.ints, one.n);
		if (one.kind == PK_TEXT)
			one.text = arena_str(mem, one.text);
		if (one.kind == PK_SPECS && one.n)
			one.specs = COPY_N(mem, one.specs, one.n);
		vec_push(mem, &out->list, one);
	}
	return out;
}

void params_set_ints(arena *mem, params *a, const char *key, const int64_t *v, int n)
{
	params_set(mem, a, (param){.key = key, .kind = PK_INTS, .n = n,
	                               .ints = n ? COPY_N(mem, v, n) : NULL});
}
