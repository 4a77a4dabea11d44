/* digest.c - the content of types, attributes and operations in 128 bits. */
#include "plan/program/digest.h"

digest digest_bytes(digest d, const void *p, size_t n)
{
	if (!n)
		return digest_mix(d, 0);
	return digest_mix(digest_mix(d, hash_bytes(p, n, d.b)), n);
}

static digest name_digest(digest d, const name *n) { return digest_mix(d, n ? n->hash : 0); }

/* ---- what is interned ------------------------------------------------------------------------ */

static digest attr_digest(digests *s, const attr *a);

static digest digest_of_types(digests *s, digest d, const type *const *list, int n)
{
	d = digest_mix(d, (uint64_t)n);
	for (int i = 0; i < n; i++)
		d = digest_add(d, type_digest(s, list[i]));
	return d;
}

static digest digest_of_quant(digest d, const quant_info *q)
{
	d = digest_mix(d, (uint64_t)q->storage << 32 | (uint64_t)q->expressed);
	d = digest_mix(digest_mix(d, (uint64_t)q->min), (uint64_t)q->max);
	d = digest_bytes(digest_mix(d, (uint64_t)q->axis), q->scales, sizeof(double) * (size_t)q->n);
	return digest_bytes(d, q->zeros, sizeof(int64_t) * (size_t)q->n);
}

static digest make_type_digest(digests *s, const type *t)
{
	digest d = {1, (uint64_t)t->kind};
	d = digest_mix(d, (uint64_t)t->dtype);
	d = t->dims ? digest_bytes(d, t->dims, sizeof(int64_t) * (size_t)t->rank) : d;
	d = t->elem ? digest_add(d, type_digest(s, t->elem)) : d;
	d = t->encoding ? digest_add(d, attr_digest(s, t->encoding)) : d;
	d = digest_of_types(s, d, t->in, t->n_in);
	d = digest_of_types(s, d, t->out, t->n_out);
	return t->quant ? digest_of_quant(d, t->quant) : name_digest(d, t->text);
}

static digest known_digest(digests *s, const void *key, const digest *d)
{
	void **at = ptr_map_at(&s->known, s->mem, key);
	*at = arena_copy(s->mem, d, sizeof *d);
	return *d;
}

digest type_digest(digests *s, const type *t)
{
	const digest *found = ptr_map_get(&s->known, t);
	if (found)
		return *found;
	digest d = make_type_digest(s, t);
	return known_digest(s, t, &d);
}

/* Attributes that refer to axes or factors are hashed in their printed form. */
static digest printed_digest(digests *s, const attr *a)
{
	writer w;
	writer_init(&w, s->mem);
	for (int i = 0; a->kind == AT_SHARDINGS && i < a->n; i++)
		if (a->shardings[i])
			sharding_print(&w, a->shardings[i]);
		else
			put_c(&w, '-');
	if (a->kind == AT_SHARDING)
		sharding_print(&w, a->sharding);
	else if (a->kind == AT_AXES)
		axes_print(&w, (axis_list){a->axes, a->n});
	else if (a->kind == AT_RULE)
		rule_print(&w, a->rule);
	else if (a->kind == AT_MESH)
		return digest_mix((digest){3, 1}, a->mesh->hash);
	return digest_bytes((digest){3, 0}, w.ptr, w.len);
}

static bool attr_is_special(const attr *a)
{
	return a->kind == AT_SHARDING || a->kind == AT_SHARDINGS || a->kind == AT_AXES ||
	       a->kind == AT_RULE || a->kind == AT_MESH;
}

static digest make_attr_digest(digests *s, const attr *a)
{
	if (attr_is_special(a))
		return printed_digest(s, a);
	digest d = {2, (uint64_t)a->kind << 1 | a->splat};
	d = digest_mix(digest_mix(d, (uint64_t)a->n), a->bits);
	d = digest_mix(d, a->kind == AT_FLOAT ? 0 : (uint64_t)a->i);
	d = a->type ? digest_add(d, type_digest(s, a->type)) : d;
	d = name_digest(name_digest(d, a->text), a->sub);
	d = a->kind == AT_ENUM ? name_digest(d, a->word) : d;
	for (int i = 0; a->list && i < a->n; i++)
		d = digest_add(d, attr_digest(s, a->list[i]));
	for (int i = 0; a->names && i < a->n; i++)
		d = name_digest(d, a->names[i]);
	d = a->ints ? digest_bytes(d, a->ints, sizeof(int64_t) * (size_t)a->n_ints) : d;
	return a->data ? digest_bytes(d, a->data, a->data_len) : d;
}

static digest attr_digest(digests *s, const attr *a)
{
	const digest *found = ptr_map_get(&s->known, a);
	if (found)
		return *found;
	digest d = make_attr_digest(s, a);
	return known_digest(s, a, &d);
}

digest sharding_digest(digests *s, const sharding *sh)
{
	return sh ? attr_digest(s, attr_sharding(s->ctx, sh)) : (digest){0, 0};
}

/* ---- operations -------------------------------------------------------------------------------- */

digest op_head_digest(digests *s, const op *o)
{
	digest d = {4, (uint64_t)o->kind};
	d = name_digest(d, op_own_name(o));
	d = digest_mix(d, (uint64_t)o->n_operands << 32 | o->n_results);
	for (int i = 0; i < o->n_operands; i++)
		d = digest_add(d, type_digest(s, operand(o, i)->type));
	for (int i = 0; i < (int)o->n_results; i++) {
		d = digest_add(d, type_digest(s, o->results[i].type));
		if (o->results[i].sharding)
			d = digest_add(d, sharding_digest(s, o->results[i].sharding));
	}
	for (int i = 0; i < o->attrs.n; i++)
		d = digest_add(name_digest(d, o->attrs.ptr[i].name),
		               attr_digest(s, o->attrs.ptr[i].value));
	return d;
}

/* Values inside the op, numbered in the order in which they occur; other values are 0. */
typedef struct inner_values {
	arena *mem;
	ptr_map number;
	uintptr_t n;
} inner_values;

static void number_inner(inner_values *in, const value *v)
{
	*ptr_map_at(&in->number, in->mem, v) = (void *)++in->n;
}

static digest inner_op_digest(digests *s, inner_values *in, digest d, const op *o)
{
	d = digest_add(d, op_head_digest(s, o));
	for (int i = 0; i < o->n_operands; i++)
		d = digest_mix(d, (uintptr_t)ptr_map_get(&in->number, operand(o, i)));
	for (int i = 0; i < (int)o->n_results; i++)
		number_inner(in, result(o, i));
	for (int r = 0; r < op_n_regions(o); r++)
		for (const block *b = op_block(o, r); b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				number_inner(in, b->args[i]);
	return digest_mix(d, (uint64_t)op_n_regions(o));
}

digest op_digest(digests *s, const op *o)
{
	digest d = op_head_digest(s, o);
	if (!op_n_regions(o))
		return d;
	inner_values in = {.mem = s->mem};
	d = inner_op_digest(s, &in, d, o);
	for (const op *i = op_next(o, o); i; i = op_next(i, o))
		d = inner_op_digest(s, &in, d, i);
	return d;
}
