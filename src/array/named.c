/* named.c - axis names of collectives: manual axes of a shard_map, and dimensions that an enclosing
 * vmap maps under a name (axis_name). */
#include "array/array.h"

/* Removes the first word from "i,X", and returns it. */
static tess_str cut_word(tess_str *words)
{
	const char *comma = memchr(words->ptr, ',', words->len);
	tess_str word = {words->ptr, comma ? (size_t)(comma - words->ptr) : words->len};
	size_t used = word.len + (comma != NULL);
	words->ptr += used;
	words->len -= used;
	return word;
}

static const mapped_name *mapped_name_of(tess_ctx *ctx, tess_str word)
{
	const mapped_name *m = array_state_of(ctx)->named;
	while (m && !str_eq(m->name, word))
		m = m->outer;
	return m;
}

bool words_have(tess_str words, tess_str word)
{
	while (words.len)
		if (str_eq(cut_word(&words), word))
			return true;
	return false;
}

tess_str words_without(arena *mem, tess_str words, tess_str word)
{
	writer w;
	writer_init(&w, mem);
	for (int n = 0; words.len;) {
		tess_str one = cut_word(&words);
		if (!str_eq(one, word))
			put_f(&w, "%s%.*s", n++ ? "," : "", STR_ARG(one));
	}
	return writer_str(&w);
}

/* A collective works along devices or along mapped dimensions, not both. */
static bool comm_not_mixed(tess_ctx *ctx, const char *op, const comm_reach *c, tess_str words)
{
	return !c->mapped || !c->set ||
	       diag_error(ctx, NOWHERE, E_ARRAY_AXIS,
	                  "%s along %.*s: axes of the mesh and names of a vmap in one collective; "
	                  "write one after the other",
	                  op, STR_ARG(words));
}

bool comm_reach_of(tess_ctx *ctx, const char *op, const amesh *m, const params *a, comm_reach *out)
{
	tess_str all = param_text(a, "axes"), left = all;
	*out = (comm_reach){.size = 1};
	while (left.len) {
		tess_str word = cut_word(&left), wrong;
		const mapped_name *mapped = mapped_name_of(ctx, word);
		if (mapped) {
			out->mapped++;
			if (!mapped->size || !mul_ok(out->size, mapped->size, &out->size))
				return diag_error(
					ctx, NOWHERE, E_ARRAY_SHAPE,
					"%s along %.*s: a mapped dimension of no elements, or too "
					"many",
					op, STR_ARG(word));
			continue;
		}
		out->set |= amesh_axes_named(m, word, amesh_axes_of_kind(m, AXIS_MANUAL), &wrong);
		if (wrong.ptr)
			return diag_error(ctx, NOWHERE, E_ARRAY_AXIS,
			                  "found an unbound axis name: %.*s; call %s under "
			                  "shard_map, or under vmap with this axis_name",
			                  STR_ARG(word), op);
	}
	if (!out->mapped)
		out->size = axis_set_size(m, out->set);
	return comm_not_mixed(ctx, op, out, all);
}
