/* print.c - prints HloShardings as XLA does. The grammar is in parse.c. */
#include "hlo/sharding/sharding.h"

/* ---- V1 and V2 ------------------------------------------------------------------------------ */

static void print_i64s(writer *w, const int64_t *v, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		if (i)
			put_c(w, ',');
		put_int(w, v[i]);
	}
}

/* [2,4]T(1,0), or just [8] */
static void print_iota(writer *w, const device_array *d)
{
	put_c(w, '[');
	print_i64s(w, d->iota, d->n_iota);
	put_c(w, ']');
	if (d->n_iota == 1)
		return;
	put_lit(w, "T(");
	for (int i = 0; i < d->n_iota; i++) {
		if (i)
			put_c(w, ',');
		put_int(w, d->perm[i]);
	}
	put_c(w, ')');
}

void device_array_print(writer *w, const device_array *d)
{
	if (d->n_iota) {
		put_lit(w, "<=");
		print_iota(w, d);
	} else {
		print_i64s(w, d->list, d->n);
	}
}

static const char *subgroup_word(subgroup t)
{
	switch (t) {
	case SUB_MANUAL: return "manual";
	case SUB_UNREDUCED: return "unreduced";
	case SUB_REPLICATED: return "replicated";
	}
	return "";
}

static void print_tiles_of(writer *w, const hlo_sharding *s)
{
	put_lit(w, "devices=[");
	print_i64s(w, s->tiles, s->rank);
	put_c(w, ']');
	device_array_print(w, &s->devices);
	if (s->n_subgroups == 1 && s->subgroups[0] == SUB_REPLICATED) {
		put_lit(w, " last_tile_dim_replicate");
	} else if (s->n_subgroups) {
		put_lit(w, " last_tile_dims={");
		for (int i = 0; i < s->n_subgroups; i++) {
			if (i)
				put_lit(w, ", ");
			put_z(w, subgroup_word(s->subgroups[i]));
		}
		put_c(w, '}');
	}
}

/* ---- V3 ------------------------------------------------------------------------------------- */

static void print_v3_axis(writer *w, axis_ref a)
{
	put_c(w, '\'');
	put_name(w, a.axis);
	put_c(w, '\'');
	if (axis_is_full(a))
		return;
	put_f(w, ":(%" PRId64 ")%" PRId64, a.pre, a.size);
}

static void print_v3_axes(writer *w, axis_list l, bool open)
{
	put_c(w, '{');
	for (int i = 0; i < l.n; i++) {
		if (i)
			put_lit(w, ", ");
		print_v3_axis(w, l.ptr[i]);
	}
	if (open)
		put_z(w, l.n ? ", ?" : "?");
	put_c(w, '}');
}

void hlo_axes_print(writer *w, axis_list l)
{
	put_c(w, '{');
	for (int i = 0; i < l.n; i++) {
		if (i)
			put_c(w, ',');
		print_v3_axis(w, l.ptr[i]);
	}
	put_c(w, '}');
}

static void print_v3_extra(writer *w, const char *word, axis_list l)
{
	if (!l.n)
		return;
	put_f(w, ", %s=", word);
	print_v3_axes(w, l, false);
}

bool mesh_ids_as_iota(const mesh *m, device_array *out)
{
	level l[ASSIGN_MAX];
	device_array_list(out, m->device_ids, m->n_device_ids);
	int n = device_array_levels(out, l);
	return n >= 0 && device_array_of_levels(out, l, n);
}

/* Prints [2,4]T(1,0); returns false if the ids are not an iota. */
static bool print_ids_as_iota(writer *w, const mesh *m)
{
	device_array d;
	if (!mesh_ids_as_iota(m, &d))
		return false;
	print_iota(w, &d);
	return true;
}

void hlo_mesh_print(writer *w, const mesh *m, bool iota_ids)
{
	put_lit(w, "mesh[");
	for (int i = 0; i < m->n_axes; i++) {
		if (i)
			put_c(w, ',');
		print_v3_axis(w, axis_full(m->axes[i].name));
		put_f(w, "=%" PRId64, m->axes[i].size);
	}
	put_c(w, ']');
	if (!m->n_device_ids)
		return;
	put_lit(w, ", device_ids=(");
	if (!iota_ids || !print_ids_as_iota(w, m))
		print_i64s(w, m->device_ids, m->n_device_ids);
	put_c(w, ')');
}

static const char *kind_word(hlo_sharding_kind k)
{
	switch (k) {
	case HS_REPLICATED: return "replicated";
	case HS_MANUAL: return "manual";
	case HS_UNREDUCED: return "unreduced";
	case HS_UNKNOWN: return "unknown";
	case HS_MAXIMAL:
	case HS_TILED:
	case HS_TUPLE: break;
	}
	return "";
}

static void print_named(writer *w, const hlo_sharding *s)
{
	if (s->kind == HS_MAXIMAL) {
		put_f(w, "maximal_mesh[device_id=%" PRId64 "]", s->devices.list[0]);
		return;
	}
	hlo_mesh_print(w, s->mesh, s->iota_ids);
	put_lit(w, ", ");
	if (!s->sdy) {
		put_z(w, kind_word(s->kind));
		return;
	}
	put_c(w, '[');
	for (int i = 0; i < s->sdy->rank; i++) {
		if (i)
			put_lit(w, ", ");
		print_v3_axes(w, dim_axes(&s->sdy->dims[i]), s->sdy->dims[i].open);
	}
	put_c(w, ']');
	print_v3_extra(w, "replicated", (axis_list){s->sdy->replicated, s->sdy->n_replicated});
	print_v3_extra(w, "unreduced", (axis_list){s->sdy->unreduced, s->sdy->n_unreduced});
	print_v3_extra(w, "manual", s->manual);
}

static void print_parts_of(writer *w, const hlo_sharding *s)
{
	for (int i = 0; i < s->n_parts; i++) {
		if (i)
			put_lit(w, ", ");
		if (i && i % 5 == 0)
			put_f(w, "/*index=%d*/", i);
		hlo_sharding_print(w, s->parts[i]);
	}
}

void hlo_sharding_print(writer *w, const hlo_sharding *s)
{
	put_c(w, '{');
	if (s->named)
		print_named(w, s);
	else if (s->kind == HS_TUPLE)
		print_parts_of(w, s);
	else if (s->kind == HS_TILED)
		print_tiles_of(w, s);
	else if (s->kind == HS_MAXIMAL)
		put_f(w, "maximal device=%" PRId64, s->devices.list[0]);
	else
		put_z(w, kind_word(s->kind));
	if (s->group)
		put_f(w, " shard_%s %" PRId64, s->group == GROUP_AS ? "as" : "like", s->group_id);
	put_c(w, '}');
}
