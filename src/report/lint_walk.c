/* lint_walk.c - collecting findings, and properties of values that several checks need. */
#include "report/lint_walk.h"

/* Returns the place where a function argument is declared. */
static place argument_place(const module *m, const value *v)
{
	uint32_t at = value_arg(v)->at;
	if (!at || !m->src || !value_name(v).len)
		return op_place(m, value_op(v));
	return (place){m->src, at, at + 1 + (uint32_t)value_name(v).len};
}

static place finding_place(const lint_walk *w, const finding *f)
{
	const op *o = f->o ? f->o : f->v ? value_def(f->v) : NULL;
	if (o)
		return op_place(w->in->global, o); /* the local program has the same source text */
	return f->v ? argument_place(w->in->given, f->v) : NOWHERE;
}

/* Returns the key by which findings of one kind are merged: their source line, ignoring layer
 * numbers; or else their operations, type and sharding. */
static const void *likeness(lint_walk *w, const finding *f)
{
	const value *v = f->v;
	const name *source = f->loc ? source_alike(w->mem, f->loc) : NULL;
	if (source)
		return source;
	if (!v)
		return NULL;
	return name_of_z(w->in->global->ctx,
	                 arena_printf(w->mem, "%s|%s|%p|%p",
	                              value_def(v) ? op_name(value_def(v)) : "",
	                              f->o ? op_name(f->o) : "", (const void *)v->type,
	                              (const void *)sharding_under(w, v)));
}

static finding *found_before(lint_walk *w, const finding *f)
{
	const void *like = likeness(w, f);
	if (!like)
		return NULL;
	void **slot = ptr_map_at(&w->seen[f->kind], w->mem, like);
	if (*slot)
		return &w->out->ptr[(intptr_t)*slot - 1];
	*slot = (void *)(intptr_t)(w->out->len + 1);
	return NULL;
}

void found(lint_walk *w, finding f, const char *fmt, ...)
{
	const op *o = f.o ? f.o : f.v ? value_def(f.v) : NULL;
	if (!f.loc)
		f.loc = o ? op_loc(o) : f.v ? value_loc(f.v) : NULL;
	finding *same = found_before(w, &f);
	if (same) {
		same->more++;
		same->bytes = add_capped(same->bytes, f.bytes);
		return;
	}
	PRINTED(text, w->mem, fmt);
	f.text = text;
	if (!f.at.src)
		f.at = finding_place(w, &f);
	vec_push(w->mem, w->out, f);
}

const char *value_words(lint_walk *w, const value *v)
{
	writer t;
	writer_init(&t, w->mem);
	put_value(&t, v);
	put_c(&t, ' ');
	put_type_short(&t, v->type);
	put_c(&t, 0);
	return t.ptr;
}

const char *sharding_words(lint_walk *w, const sharding *s)
{
	writer t;
	writer_init(&t, w->mem);
	if (s)
		sharding_print(&t, s);
	else
		put_lit(&t, "none");
	put_c(&t, 0);
	return t.ptr;
}

const mesh *mesh_under(const lint_walk *w, const sharding *s)
{
	return mesh_under_sharding(w->in->global, s, w->in->mesh);
}

int64_t shard_count(const lint_walk *w, const value *v)
{
	const sharding *s = sharding_under(w, v);
	const mesh *m = mesh_under(w, s);
	int64_t n = 1;
	if (!s || !m || s->rank != v->type->rank)
		return 1;
	for (int d = 0; d < v->type->rank; d++)
		n *= sharding_dim_shards(s, d, m);
	return n;
}

/* Returns the first dimension that both shard, but differently. */
int clashing_dim(const sharding *a, const sharding *b)
{
	for (int d = 0; a && b && a->rank == b->rank && d < a->rank; d++)
		if ((a->dims[d].n_axes || !a->dims[d].open) &&
		    (b->dims[d].n_axes || !b->dims[d].open) &&
		    !axes_eq(dim_axes(&a->dims[d]), dim_axes(&b->dims[d])))
			return d;
	return -1;
}

void each_value(lint_walk *w, const module *m, value_check *check)
{
	const op *f = module_main(m);
	const block *b = f ? op_body(f) : NULL;
	for (int i = 0; b && i < b->n_args; i++)
		check(w, b->args[i]);
	for (const op *o = b ? b->first : NULL; o; o = o->next)
		for (int i = 0; i < o->n_results; i++)
			check(w, &o->results[i]);
}

const sharding *sharding_under(const lint_walk *w, const value *v)
{
	return value_sharding(w->in->global, v);
}
