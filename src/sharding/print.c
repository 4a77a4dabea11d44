/* print.c - meshes, axes and shardings as text, exactly as sdy prints them: `replicated` before
 * `unreduced`, no word for sum, {"a", ?} but {?}. */
#include "sharding/sharding.h"

static void print_axis_refs(writer *w, axis_list l)
{
	for (int i = 0; i < l.n; i++) {
		if (i)
			put_lit(w, ", ");
		axis_print(w, l.ptr[i]);
	}
}

void axis_print(writer *w, axis_ref a)
{
	put_quoted(w, name_str(a.axis));
	if (axis_is_full(a))
		return;
	put_lit(w, ":(");
	put_int(w, a.pre);
	put_c(w, ')');
	put_int(w, a.size);
}

void axes_print(writer *w, axis_list l)
{
	put_c(w, '{');
	print_axis_refs(w, l);
	put_c(w, '}');
}

static void print_device_ids(writer *w, const mesh *m)
{
	put_lit(w, ", device_ids=[");
	for (int64_t i = 0; i < m->n_device_ids; i++) {
		if (i)
			put_lit(w, ", ");
		put_int(w, m->device_ids[i]);
	}
	put_c(w, ']');
}

void mesh_print(writer *w, const mesh *m)
{
	put_lit(w, "<[");
	for (int i = 0; i < m->n_axes; i++) {
		if (i)
			put_lit(w, ", ");
		put_quoted(w, name_str(m->axes[i].name));
		put_c(w, '=');
		put_int(w, m->axes[i].size);
	}
	put_c(w, ']');
	if (m->n_device_ids)
		print_device_ids(w, m);
	put_c(w, '>');
}

void mesh_ref_print(writer *w, mesh_ref m)
{
	if (m.symbol) {
		put_symbol(w, name_str(m.symbol));
		return;
	}
	put_lit(w, "mesh");
	mesh_print(w, m.inlined);
}

/* {"x", ?}p1 */
static void dim_sharding_print(writer *w, const dim_sharding *d)
{
	put_c(w, '{');
	print_axis_refs(w, dim_axes(d));
	if (d->open)
		put_z(w, d->n_axes ? ", ?" : "?");
	put_c(w, '}');
	if (d->priority != PRIORITY_NONE) {
		put_c(w, 'p');
		put_int(w, d->priority);
	}
}

static const char *reduction_word(reduction r)
{
	switch (r) {
	case RED_SUM: return "";
	case RED_MAX: return "max";
	case RED_MIN: return "min";
	}
	return "";
}

void sharding_print(writer *w, const sharding *s)
{
	put_c(w, '<');
	mesh_ref_print(w, s->mesh);
	put_lit(w, ", [");
	for (int d = 0; d < s->rank; d++) {
		if (d)
			put_lit(w, ", ");
		dim_sharding_print(w, &s->dims[d]);
	}
	put_c(w, ']');
	if (s->n_replicated) {
		put_lit(w, ", replicated=");
		axes_print(w, (axis_list){s->replicated, s->n_replicated});
	}
	if (s->n_unreduced) {
		put_lit(w, ", unreduced=");
		put_z(w, reduction_word(s->reduction));
		axes_print(w, (axis_list){s->unreduced, s->n_unreduced});
	}
	put_c(w, '>');
}
