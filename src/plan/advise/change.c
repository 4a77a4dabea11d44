/* change.c - changes, each for all values that are alike: in repeated layers, and from one source
 * line. */
#include "plan/advise/advise.h"

#include "shardy/shardy.h"

/* ---- values by number ------------------------------------------------------------------------ */

static void add_numbered(value_order *l, arena *mem, value *v, int *room)
{
	if (l->n == *room) {
		value **old = l->ptr;
		*room = *room ? 2 * *room : 256;
		l->ptr = NEW_N(mem, value *, *room);
		if (l->n)
			memcpy(l->ptr, old, sizeof *old * (size_t)l->n);
	}
	l->ptr[l->n++] = v;
	*ptr_map_at(&l->number, mem, v) = (void *)(uintptr_t)l->n;
}

void value_order_of(module *m, arena *mem, value_order *out)
{
	int room = 0;
	*out = (value_order){0};
	for (op *o = m->top; o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++)
			add_numbered(out, mem, result(o, i), &room);
		for (int r = 0; r < op_n_regions(o); r++)
			for (const block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					add_numbered(out, mem, b->args[i], &room);
	}
}

int value_order_number(const value_order *l, const value *v)
{
	return (int)(uintptr_t)ptr_map_get(&l->number, v) - 1;
}

/* ---- changes that are alike -------------------------------------------------------------------- */

/* Writes "params['layers'][*]['w']" for params['layers'][3]['w']. */
static void put_path_alike(writer *w, const char *path)
{
	for (const char *c = path; *c; c++)
		if (*c < '0' || *c > '9')
			put_c(w, *c);
		else if (!w->len || w->ptr[w->len - 1] != '*')
			put_c(w, '*');
}

/* Arguments are alike if their paths differ only in numbers, values if they have the same place in
 * the source. The place of a constraint includes the caller of the function that made it, since one
 * helper is called for many values. */
bool advise_put_alike(writer *w, const attr *loc, advice_kind kind)
{
	const attr *frames[2] = {0};
	if (loc && loc->kind == AT_LOC_NAME && !loc->n) {
		put_path_alike(w, loc->text->s);
		return true;
	}
	bool calls = kind == ADVICE_RECONSTRAIN || kind == ADVICE_DROP;
	int n = source_own_frames(loc, frames, calls ? 2 : 1);
	if (!n && (frames[0] = source_file(loc)))
		n = 1;
	for (int i = 0; i < n; i++)
		put_f(w, "%s:%" PRId64 ":%" PRId64 " ", frames[i]->text->s, frames[i]->ints[0],
		      frames[i]->ints[1]);
	return n > 0;
}

/* Returns the change with this key, and puts it into the list. */
static advice_change *known_change(advisor *w, const name *key, advice_kind kind, const name *axis)
{
	void **known = ptr_map_at(&w->known, w->mem, key);
	advice_change *c = *known;
	if (!c) {
		*known = c = NEW(w->mem, advice_change);
		*c = (advice_change){.a = {.kind = kind, .axis = axis}};
	}
	if (c->round != w->round) {
		c->round = w->round;
		c->number = w->list.len;
		c->bytes = 0;
		memset(&c->places, 0, sizeof c->places); /* a change that is taken keeps the
							  * places that it had */
		vec_push(w->mem, &w->list, c);
	}
	return c;
}

/* Returns the change of this kind, to this sharding, of all values that are like `v`. */
advice_change *advise_change_for(advisor *w, advice_kind kind, const value *v, const sharding *to,
                             const name *axis)
{
	tess_ctx *ctx = w->s->m->ctx;
	writer key;
	writer_init(&key, w->mem);
	if (!advise_put_alike(&key, value_loc(v), kind))
		put_f(&key, "%d", value_order_number(&w->values, v));
	put_f(&key, " %d %p %p", (int)kind, (const void *)v->type, (const void *)to);
	return known_change(w, name_of(ctx, writer_str(&key)), kind, axis);
}

/* Returns the change with this name, which concerns many values. */
advice_change *advise_change_named(advisor *w, advice_kind kind, const char *what, const name *axis)
{
	writer key;
	writer_init(&key, w->mem);
	put_f(&key, "%s %s", what, axis ? axis->s : "");
	return known_change(w, name_of(w->s->m->ctx, writer_str(&key)), kind, axis);
}

void advise_add_place(advisor *w, advice_change *c, value *v, int argument, int result,
                      const sharding *to)
{
	vec_push(w->mem, &c->places,
	         (advice_place){.v = v, .argument = argument, .result = result, .to = to});
	c->bytes += (double)type_bytes(v->type);
}

/* ---- shardings ----------------------------------------------------------------------------------- */

const sharding *advise_sharding_now(const advisor *w, const value *v)
{
	int i = value_order_number(&w->values, v);
	return i >= 0 ? w->propagated[i] : NULL;
}

/* True if a sharding is over another mesh of the program; such values are not changed. */
bool advise_is_elsewhere(const advisor *w, const sharding *s)
{
	return s && s->mesh.symbol != w->s->mesh_symbol;
}

static mesh_ref plan_mesh_ref(const advisor *w)
{
	return (mesh_ref){.symbol = w->s->mesh_symbol};
}

/* Returns `s` with an axis on dimension `dim` and on no other; NULL: the shards would differ in
 * size. */
const sharding *advise_with_axis(const advisor *w, const sharding *s, const type *t,
                                 const name *axis, int dim)
{
	tess_ctx *ctx = w->s->m->ctx;
	const mesh *m = w->mesh;
	axis_ref a = axis_full(axis);
	dim_sharding *dims = NEW_N(w->mem, dim_sharding, t->rank);
	for (int d = 0; d < t->rank; d++) {
		axes_vec kept = {0};
		int n = s ? s->dims[d].n_axes : 0;
		for (int i = 0; i < n; i++)
			if (!axis_overlaps(s->dims[d].axes[i], a))
				vec_push(w->mem, &kept, s->dims[d].axes[i]);
		if (d == dim)
			vec_push(w->mem, &kept, a);
		dims[d] = (dim_sharding){
			.axes = kept.ptr, .n_axes = kept.len, .priority = PRIORITY_NONE};
		int64_t shards = axes_size((axis_list){kept.ptr, kept.len}, m);
		if (!shards || t->dims[d] % shards)
			return NULL;
	}
	return sharding_with_dims(ctx, sharding_replicated(ctx, plan_mesh_ref(w), t->rank), dims,
	                          t->rank);
}

bool advise_has_axis_on(const sharding *s, int dim, const name *axis)
{
	return s && dim < s->rank && axes_overlap_axis(dim_axes(&s->dims[dim]), axis_full(axis));
}

bool advise_can_change(const advisor *w, const type *t)
{
	return type_is_tensor(t) && t->is_static && t->rank > 0 &&
	       type_bytes(t) >= w->least_bytes;
}

/* ---- passes ------------------------------------------------------------------------------------ */

bool advise_run_pass(module *m, const char *name, arena *mem)
{
	pass_options o = pass_options_default();
	pass_list passes = {.mem = mem};
	run_opts quiet = {0};
	diag_mark said = diag_here(m->ctx);
	pass_list_add_named(&passes, name, &o);
	bool good = pass_list_run_on_main(m, &passes, &quiet);
	diag_back(m->ctx, said);
	return good;
}
