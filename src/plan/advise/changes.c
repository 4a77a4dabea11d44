/* changes.c - finds all changes of a program's annotations that may be worthwhile, those with the
 * most bytes first. */
#include "plan/advise/advise.h"

#include <stdlib.h>

/* ---- the mesh ------------------------------------------------------------------------------------- */

/* Finds meshes of the same number of devices with other sizes of the axes. */
static void find_other_shapes(advisor *w)
{
	enum { MOST = 12 };
	const mesh *m = w->mesh;
	tess_ctx *ctx = w->s->m->ctx;
	if (m->n_axes != 2 || m->n_device_ids)
		return;
	int found = 0;
	for (int64_t n = 2; n < m->n_devices && found < MOST; n *= 2) {
		mesh_axis axes[2] = {m->axes[0], m->axes[1]};
		axes[0].size = n;
		axes[1].size = m->n_devices / n;
		if (m->n_devices % n || n == m->axes[0].size)
			continue;
		writer what;
		writer_init(&what, w->mem);
		put_f(&what, "mesh %" PRId64, n);
		advice_change *c = advise_change_named(w, ADVICE_MESH, writer_z(&what), NULL);
		c->a.mesh = mesh_of(ctx, axes, 2, NULL, 0);
		c->bytes = 1e30;
		found++;
	}
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static int by_change_bytes(const void *a, const void *b)
{
	const advice_change *x = *(advice_change *const *)a, *y = *(advice_change *const *)b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Chooses some of each kind: there are many changes of large values, and one of them alone is of
 * little use. */
static void choose_changes(advisor *w)
{
	int left[] = {
		[ADVICE_CONSTRAIN] = 16, [ADVICE_RECONSTRAIN] = 12, [ADVICE_DROP] = 6,
		[ADVICE_SHARD] = 16, [ADVICE_DONATE] = 1, [ADVICE_MESH] = 12,
		[ADVICE_LOOKUP] = 1,
	};
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		c->chosen = (c->a.n || c->a.mesh) && left[c->a.kind]-- > 0;
	}
}

void advice_changes_find(advisor *w)
{
	w->round++;
	w->list.len = 0;
	if (!w->next) {
		advise_arguments_note(w);
		advise_values_note(w);
	}
	advise_values_find(w);
	advise_arguments_find(w);
	advise_lookups_find(w);
	find_other_shapes(w);
	advise_constraints_complete(w);
	for (int i = 0; i < w->list.len; i++) {
		advice_change *c = w->list.ptr[i];
		c->a.n = c->places.len;
		c->a.places = c->places.ptr;
	}
	if (w->list.len)
		qsort(w->list.ptr, (size_t)w->list.len, sizeof *w->list.ptr, by_change_bytes);
	choose_changes(w);
}
