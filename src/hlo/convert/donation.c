/* donation.c - converts donated parameters of HLO to attributes of StableHLO, and back.
 *
 *   input_output_alias={ {1}: (0, {}, may-alias) }   result 1 reuses the memory of parameter 0
 *   buffer_donor={ (2, {}) }                         some result may reuse that of parameter 2
 *
 * XLA's own conversion keeps only the first, as mhlo.input_output_alias of the module, with HLO's
 * parameter numbers, where a tuple is one parameter. JAX has argument attributes for both,
 * tf.aliasing_output and jax.buffer_donor. If more than XLA's conversion is requested, these are
 * set too, and the module's numbers are those of the arguments that tuples became. If both are
 * present, XLA uses the module's. */
#include "hlo/convert/raise.h"
#include "hlo/convert/sink.h"

#include <stdlib.h>

enum { MOST_INDEXES = 32 };

/* The position of a leaf in a shape. */
typedef struct leaf_index {
	int64_t at[MOST_INDEXES];
	int n;
} leaf_index;

/* Returns the number of the leaf, from the left; -1 if there is no leaf at that index. */
static int64_t leaf_at(const shape *s, const leaf_index *x)
{
	int64_t n = 0;
	for (int k = 0; k < x->n; k++) {
		if (s->kind != SH_TUPLE || x->at[k] < 0 || x->at[k] >= s->n_parts)
			return -1;
		for (int i = 0; i < x->at[k]; i++)
			n += shape_leaves(s->parts[i]);
		s = s->parts[x->at[k]];
	}
	return s->kind == SH_TUPLE ? -1 : n;
}

/* ---- parsing HLO's text, as hlo/text/read_header.c writes it -------------------------------- */

static bool next_is(const char **at, char c)
{
	while (**at == ' ' || **at == ',')
		++*at;
	if (**at != c)
		return false;
	++*at;
	return true;
}

static leaf_index read_leaf_index(const char **at)
{
	leaf_index x = {.n = 0};
	if (!next_is(at, '{'))
		return x;
	while (!next_is(at, '}') && **at) {
		char *end;
		long long n = strtoll(*at, &end, 10);
		if (end == *at)
			break;
		if (x.n < MOST_INDEXES)
			x.at[x.n++] = n;
		*at = end;
	}
	return x;
}

/* ---- to StableHLO ------------------------------------------------------------------------ */

typedef struct raised_donation {
	hlo_raiser *r;
	const op *entry;
	op **params;
	int n_params;
	op *main;
} raised_donation;

static void no_such_leaf(const raised_donation *d, const char *what, const leaf_index *x)
{
	writer w;
	writer_init(&w, d->r->mem);
	for (int i = 0; i < x->n; i++)
		put_f(&w, "%s%" PRId64, i ? "," : "", x->at[i]);
	diag_error(d->r->ctx, op_place(d->r->from, d->entry), E_HLO_CONVERT,
	           "the donations of the module name %s{%s}, which is not an array of the entry",
	           what, writer_z(&w));
	d->r->failed = true;
}

/* Returns the argument that a leaf of a parameter became; -1 after an error. */
static int64_t argument_of(const raised_donation *d, int64_t number, const leaf_index *x)
{
	tess_ctx *ctx = d->r->ctx;
	int64_t before = 0, at = -1;
	for (int i = 0; i < d->n_params && i < number; i++)
		before += shape_leaves(hlo_shape_of(ctx, d->params[i]));
	if (number >= 0 && number < d->n_params)
		at = leaf_at(hlo_shape_of(ctx, d->params[number]), x);
	if (at < 0)
		no_such_leaf(d, arena_printf(d->r->mem, "parameter %" PRId64 ", part ", number), x);
	return at < 0 ? -1 : before + at;
}

static void set_argument_attr(const raised_donation *d, int64_t arg, int known, const attr *a)
{
	module *to = d->r->to;
	if (d->r->facts && arg >= 0 && arg < op_body(d->main)->n_args)
		attrs_set(&to->mem, &op_func(d->main)->arg_attrs[arg],
		          name_known(d->r->ctx, known), a);
}

static const attr *dictionary_of(tess_ctx *ctx, const char *const *keys, const attr *const *list,
                                 int n)
{
	const name *names[4];
	for (int i = 0; i < n; i++)
		names[i] = name_of_z(ctx, keys[i]);
	return attr_dict(ctx, names, list, n);
}

static const attr *alias_attr(const raised_donation *d, const leaf_index *to, int64_t number,
                              const leaf_index *from, bool must)
{
	static const char *const keys[] = {"kind", "parameter_index", "parameter_number"};
	static const char *const outer[] = {"alias", "output_index"};
	tess_ctx *ctx = d->r->ctx;
	const attr *in[] = {
		attr_string(ctx, name_of_z(ctx, must ? "must_alias" : "may_alias")),
		attr_i64_array(ctx, from->at, from->n),
		attr_i64(ctx, number),
	};
	const attr *out[] = {dictionary_of(ctx, keys, in, 3), attr_i64_array(ctx, to->at, to->n)};
	return dictionary_of(ctx, outer, out, 2);
}

/* Parses { {0}: (0, {}, may-alias), … }. */
static void raise_aliases(const raised_donation *d, tess_str text)
{
	VEC(const attr *) list = {0};
	const shape *result = hlo_shape_of(d->r->ctx, hlo_root(d->r->ctx, d->entry));
	const char *at = text.ptr;
	next_is(&at, '{');
	while (!d->r->failed && !next_is(&at, '}') && *at) {
		leaf_index to = read_leaf_index(&at);
		next_is(&at, ':');
		next_is(&at, '(');
		char *end;
		int64_t number = strtoll(at, &end, 10);
		at = end;
		leaf_index from = read_leaf_index(&at);
		bool must = next_is(&at, 'm') && str_starts(str_of(at), "ust");
		at += strcspn(at, ")");
		next_is(&at, ')');
		int64_t arg = argument_of(d, number, &from), i = leaf_at(result, &to);
		if (i < 0 && arg >= 0)
			no_such_leaf(d, "result ", &to);
		if (d->r->facts) {
			number = arg;
			from.n = 0;
			to = (leaf_index){{i}, to.n > 0};
		}
		vec_push(d->r->mem, &list, alias_attr(d, &to, number, &from, must));
		set_argument_attr(d, arg, N_tf_aliasing_output, attr_i32(d->r->ctx, i));
	}
	op_set_attr(d->r->to, d->r->to->top, N_mhlo_input_output_alias,
	            attr_array(d->r->ctx, list.ptr, list.len));
}

/* Parses { (0, {}), … }. */
static void raise_donors(const raised_donation *d, tess_str text)
{
	const char *at = text.ptr;
	next_is(&at, '{');
	while (!d->r->failed && next_is(&at, '(')) {
		char *end;
		int64_t number = strtoll(at, &end, 10);
		at = end;
		leaf_index from = read_leaf_index(&at);
		next_is(&at, ')');
		set_argument_attr(d, argument_of(d, number, &from), N_jax_buffer_donor,
		                  attr_bool(d->r->ctx, true));
	}
}

void raise_donation(hlo_raiser *r, const op *entry)
{
	tess_str alias = hlo_attr_text(r->from->top, r->ctx, "input_output_alias");
	tess_str donor = hlo_attr_text(r->from->top, r->ctx, "buffer_donor");
	raised_donation d = {.r = r, .entry = entry, .main = module_main(r->to)};
	if (!d.main || (!alias.len && !donor.len))
		return;
	d.params = hlo_parameters(entry, r->ctx, r->mem, &d.n_params);
	if (alias.len)
		raise_aliases(&d, alias);
	if (donor.len)
		raise_donors(&d, donor);
}

/* ---- to HLO ---------------------------------------------------------------------------------- */

/* For each result the argument whose memory it reuses, or -1; `must` if it has to. */
typedef struct sunk_donation {
	const op *f;
	int64_t *donor; /* [n results] */
	bool *must;
	bool *used; /* [n arguments] */
} sunk_donation;

static void sink_pair(sunk_donation *d, int64_t arg, int64_t to, bool must)
{
	bool known = arg >= 0 && arg < op_body(d->f)->n_args && to >= 0 &&
	             to < op_func(d->f)->type->n_out;
	if (known && d->donor[to] < 0 && !d->used[arg]) {
		d->donor[to] = arg;
		d->must[to] = must;
		d->used[arg] = true;
	}
}

static void find_pairs(hlo_sinker *l, sunk_donation *d)
{
	func_alias alias;
	int n = op_func(d->f)->type->n_out;
	d->donor = NEW_N(l->mem, int64_t, n + 1);
	d->must = NEW_N(l->mem, bool, n + 1);
	d->used = NEW_N(l->mem, bool, op_body(d->f)->n_args + 1);
	for (int i = 0; i < n; i++)
		d->donor[i] = -1;
	for (int i = 0; module_alias(l->m, d->f, i, &alias); i++)
		sink_pair(d, alias.arg, alias.result, alias.must);
	for (int i = 0; i < op_body(d->f)->n_args; i++) {
		const attr *a = attrs_get(&op_func(d->f)->arg_attrs[i], N_tf_aliasing_output);
		if (a && a->kind == AT_INT)
			sink_pair(d, i, a->i, false);
	}
}

void sink_donation(hlo_sinker *l, writer *w)
{
	sunk_donation d = {.f = l->entry};
	int n_out = op_func(d.f)->type->n_out, n = 0;
	find_pairs(l, &d);
	for (int i = 0; i < n_out; i++) {
		if (d.donor[i] < 0)
			continue;
		put_z(w, n++ ? ", {" : ", input_output_alias={ {");
		if (n_out > 1)
			put_f(w, "%d", i);
		put_f(w, "}: (%" PRId64 ", {}, %s-alias)", d.donor[i], d.must[i] ? "must" : "may");
	}
	put_z(w, n ? " }" : "");
	n = 0;
	for (int i = 0; i < op_body(d.f)->n_args; i++) {
		const attr *a = attrs_get(&op_func(d.f)->arg_attrs[i], N_jax_buffer_donor);
		if (!a || d.used[i] || (a->kind == AT_BOOL && !a->i))
			continue;
		put_f(w, "%s(%d, {})", n++ ? ", " : ", buffer_donor={ ", i);
	}
	put_z(w, n ? " }" : "");
}
