/* sharding.c - converts OpShardings to text, which hlo/sharding parses, and back. */
#include "hlo/proto/proto.h"

enum {
	TYPE_REPLICATED,
	TYPE_MAXIMAL,
	TYPE_TUPLE,
	TYPE_OTHER,
	TYPE_MANUAL,
	TYPE_UNKNOWN,
	TYPE_UNREDUCED
};

static const char *const types[] = {"replicated", "maximal", "tuple",    "other",
                                    "manual",     "unknown", "unreduced"};

/* ---- reading ---------------------------------------------------------------------- */

static void put_list(writer *w, const int64_t *v, int n)
{
	for (int i = 0; i < n; i++)
		put_f(w, "%s%" PRId64, i ? "," : "", v[i]);
}

/* [2,4]T(1,0) */
static void put_iota_ids(writer *w, const int64_t *dims, int n, const int64_t *perm, int n_perm)
{
	put_c(w, '[');
	put_list(w, dims, n);
	put_c(w, ']');
	if (n_perm > 1) {
		put_lit(w, "T(");
		put_list(w, perm, n_perm);
		put_c(w, ')');
	}
}

/* devices=[2,4]<=[8] last_tile_dim_replicate */
static void put_devices(proto_reader *p, const wire_message *m, writer *w)
{
	int64_t *v, *perm;
	int n = wire_ints(p, m, 3, &v);
	put_lit(w, "devices=[");
	put_list(w, v, n);
	put_c(w, ']');
	n = wire_ints(p, m, 9, &v);
	if (n) {
		int n_perm = wire_ints(p, m, 10, &perm);
		put_lit(w, "<=");
		put_iota_ids(w, v, n, perm, n_perm);
	} else {
		n = wire_ints(p, m, 4, &v);
		put_list(w, v, n);
	}
	if (wire_int(m, 6))
		put_lit(w, " last_tile_dim_replicate");
	n = wire_ints(p, m, 8, &v);
	for (int i = 0; i < n; i++)
		put_f(w, "%s%s", i ? "," : " last_tile_dims={",
		      v[i] >= 0 && v[i] < COUNT(types) ? types[v[i]] : "?");
	put_z(w, n ? "}" : "");
}

static void put_tuple(proto_reader *p, const wire_message *m, writer *w)
{
	bool first = true;
	if (p->r.depth >= (int)p->r.ctx->opts.max_depth) {
		proto_fail(p, p->begin, "shardings are nested too deeply");
		return;
	}
	p->r.depth++;
	put_c(w, '{');
	for (const wire_field *f = NULL; (f = wire_next(m, 5, f)) && !p->r.s.failed;
	     first = false) {
		wire_message part = wire_read(p, f->bytes);
		put_z(w, first ? "" : ", ");
		proto_sharding_text(p, &part, w);
	}
	put_c(w, '}');
	p->r.depth--;
}

/* ---- NamedShardingProto: by the axes of a mesh ---------------------------------------------- */

/* Returns axis `at` of a mesh; NULL: it has none. */
static const wire_field *axis_of_mesh(proto_reader *p, const wire_message *mesh, int64_t at)
{
	VEC(const wire_field *) list = {0};
	if (p->axes.of != mesh->fields) {
		for (const wire_field *f = NULL; (f = wire_next(mesh, 1, f));)
			vec_push(p->mem, &list, f);
		p->axes.of = mesh->fields;
		p->axes.list = list.ptr;
		p->axes.n = list.len;
	}
	return mesh->n && at >= 0 && at < p->axes.n ? p->axes.list[at] : NULL;
}

static void put_axis(proto_reader *p, const wire_message *mesh, tess_str bytes, writer *w)
{
	wire_message a = wire_read(p, bytes), part = wire_sub(p, &a, 2);
	const wire_field *f = axis_of_mesh(p, mesh, wire_int(&a, 1));
	wire_message axis = f ? wire_read(p, f->bytes) : (wire_message){0};
	tess_str label = wire_bytes(&axis, 1);
	if (!f)
		proto_fail(p, bytes.ptr, "the mesh has no such axis");
	put_f(w, "'%.*s'", STR_ARG(label));
	if (wire_find(&a, 2))
		put_f(w, ":(%" PRId64 ")%" PRId64, wire_int(&part, 1), wire_int(&part, 2));
}

void proto_axes_text(proto_reader *p, const wire_message *mesh, const wire_message *m,
                     uint32_t number, writer *w)
{
	bool first = true;
	for (const wire_field *f = NULL; (f = wire_next(m, number, f)); first = false) {
		put_z(w, first ? "" : ",");
		put_axis(p, mesh, f->bytes, w);
	}
}

/* mesh['x'=2,'y'=4], device_ids=([2,4]T(1,0)) */
void proto_mesh_text(proto_reader *p, const wire_message *mesh, writer *w)
{
	int64_t *ids, *perm;
	wire_message iota = wire_sub(p, mesh, 3);
	bool first = true;
	put_lit(w, "mesh[");
	for (const wire_field *f = NULL; (f = wire_next(mesh, 1, f)); first = false) {
		wire_message axis = wire_read(p, f->bytes);
		put_f(w, "%s'%.*s'=%" PRId64, first ? "" : ",", STR_ARG(wire_bytes(&axis, 1)),
		      wire_int(&axis, 2));
	}
	put_c(w, ']');
	int n = wire_ints(p, mesh, 2, &ids);
	if (n) {
		put_lit(w, ", device_ids=(");
		put_list(w, ids, n);
		put_c(w, ')');
	} else if ((n = wire_ints(p, &iota, 1, &ids))) {
		int n_perm = wire_ints(p, &iota, 2, &perm);
		put_lit(w, ", device_ids=(");
		put_iota_ids(w, ids, n, perm, n_perm);
		put_c(w, ')');
	}
}

static void put_named(proto_reader *p, const wire_message *m, writer *w)
{
	static const struct {
		const char *word;
		uint32_t number;
	} lists[] = {{"replicated", 4}, {"unreduced", 5}, {"manual", 7}};
	wire_message mesh = wire_sub(p, m, 2);
	bool first = true;
	put_c(w, '{');
	proto_mesh_text(p, &mesh, w);
	put_lit(w, ", [");
	for (const wire_field *f = NULL; (f = wire_next(m, 3, f)); first = false) {
		wire_message dim = wire_read(p, f->bytes);
		put_z(w, first ? "{" : ", {");
		proto_axes_text(p, &mesh, &dim, 1, w);
		if (!wire_int(&dim, 2))
			put_z(w, wire_find(&dim, 1) ? ", ?" : "?");
		put_c(w, '}');
	}
	put_c(w, ']');
	for (int i = 0; i < COUNT(lists); i++)
		if (wire_find(m, lists[i].number)) {
			put_f(w, ", %s={", lists[i].word);
			proto_axes_text(p, &mesh, m, lists[i].number, w);
			put_c(w, '}');
		}
	put_c(w, '}');
}

void proto_sharding_text(proto_reader *p, const wire_message *m, writer *w)
{
	int64_t type = wire_int(m, 1), *devices;
	if (wire_find(m, 14)) {
		wire_message named = wire_sub(p, m, 14);
		put_named(p, &named, w);
		return;
	}
	if (type == TYPE_TUPLE) {
		put_tuple(p, m, w);
		return;
	}
	put_c(w, '{');
	if (type == TYPE_OTHER)
		put_devices(p, m, w);
	else if (type == TYPE_MAXIMAL)
		put_f(w, "maximal device=%" PRId64, wire_ints(p, m, 4, &devices) ? devices[0] : 0);
	else
		put_z(w, type >= 0 && type < COUNT(types) ? types[type] : "?");
	if (wire_int(m, 11))
		put_f(w, " shard_%s %" PRId64, wire_int(m, 13) ? "like" : "as", wire_int(m, 12));
	put_c(w, '}');
}

/* ---- writing ---------------------------------------------------------------------- */

static void put_tiled(writer *w, const hlo_sharding *s)
{
	static const int of_subgroup[] = {[SUB_MANUAL] = TYPE_MANUAL,
	                                  [SUB_UNREDUCED] = TYPE_UNREDUCED,
	                                  [SUB_REPLICATED] = TYPE_REPLICATED};
	int64_t v[ASSIGN_MAX];
	bool last = s->n_subgroups == 1 && s->subgroups[0] == SUB_REPLICATED;
	wire_put_ints(w, 3, s->tiles, s->rank);
	if (s->devices.n_iota) {
		for (int i = 0; i < s->devices.n_iota; i++)
			v[i] = s->devices.perm[i];
		wire_put_ints(w, 9, s->devices.iota, s->devices.n_iota);
		wire_put_ints(w, 10, v, s->devices.n_iota);
	} else {
		wire_put_ints(w, 4, s->devices.list, s->devices.n);
	}
	wire_put_int(w, 6, last);
	for (int i = 0; i < s->n_subgroups; i++)
		v[i] = of_subgroup[s->subgroups[i]];
	wire_put_ints(w, 8, v, last ? 0 : s->n_subgroups);
}

void put_proto_axes(writer *w, uint32_t number, const mesh *m, axis_list l)
{
	for (int i = 0; i < l.n; i++) {
		writer axis, part;
		writer_init(&axis, w->mem);
		writer_init(&part, w->mem);
		wire_put_int(&axis, 1, mesh_axis_index(m, l.ptr[i].axis));
		if (l.ptr[i].size) {
			wire_put_int(&part, 1, l.ptr[i].pre);
			wire_put_int(&part, 2, l.ptr[i].size);
			wire_put_bytes(&axis, 2, writer_str(&part));
		}
		wire_put_bytes(w, number, writer_str(&axis));
	}
}

/* Writes [2,4]T(1,0); returns false if the ids are not an iota. */
static bool put_ids_as_iota(writer *w, const mesh *m)
{
	writer part;
	device_array d;
	int64_t perm[ASSIGN_MAX];
	if (!mesh_ids_as_iota(m, &d))
		return false;
	for (int i = 0; i < d.n_iota; i++)
		perm[i] = d.perm[i];
	writer_init(&part, w->mem);
	wire_put_ints(&part, 1, d.iota, d.n_iota);
	wire_put_ints(&part, 2, perm, d.n_iota);
	wire_put_bytes(w, 3, writer_str(&part));
	return true;
}

void put_proto_mesh(writer *w, const mesh *m, bool iota_ids)
{
	for (int i = 0; i < m->n_axes; i++) {
		writer axis;
		writer_init(&axis, w->mem);
		wire_put_str(&axis, 1, name_str(m->axes[i].name));
		wire_put_int(&axis, 2, m->axes[i].size);
		wire_put_bytes(w, 1, writer_str(&axis));
	}
	if (m->n_device_ids && (!iota_ids || !put_ids_as_iota(w, m)))
		wire_put_ints(w, 2, m->device_ids, m->n_device_ids);
}

static void put_named_dims(writer *w, const hlo_sharding *s)
{
	const sharding *sdy = s->sdy;
	for (int i = 0; i < sdy->rank; i++) {
		writer dim;
		writer_init(&dim, w->mem);
		put_proto_axes(&dim, 1, s->mesh, dim_axes(&sdy->dims[i]));
		wire_put_int(&dim, 2, !sdy->dims[i].open);
		wire_put_bytes(w, 3, writer_str(&dim));
	}
	put_proto_axes(w, 4, s->mesh, (axis_list){sdy->replicated, sdy->n_replicated});
	put_proto_axes(w, 5, s->mesh, (axis_list){sdy->unreduced, sdy->n_unreduced});
	put_proto_axes(w, 7, s->mesh, s->manual);
}

/* Writes the NamedShardingProto inside the OpSharding. */
static void put_named_sharding(writer *w, const hlo_sharding *s)
{
	writer all, mesh;
	writer_init(&all, w->mem);
	writer_init(&mesh, w->mem);
	put_proto_mesh(&mesh, s->mesh, s->iota_ids);
	wire_put_bytes(&all, 2, writer_str(&mesh));
	put_named_dims(&all, s);
	wire_put_bytes(w, 14, writer_str(&all));
}

void put_proto_sharding(tess_ctx *ctx, writer *w, const hlo_sharding *s)
{
	static const int of_kind[] = {[HS_REPLICATED] = TYPE_REPLICATED,
	                              [HS_MANUAL] = TYPE_MANUAL,
	                              [HS_UNREDUCED] = TYPE_UNREDUCED,
	                              [HS_UNKNOWN] = TYPE_UNKNOWN,
	                              [HS_MAXIMAL] = TYPE_MAXIMAL,
	                              [HS_TILED] = TYPE_OTHER,
	                              [HS_TUPLE] = TYPE_TUPLE};
	bool by_axes = s->named && s->sdy;
	if (s->named && !by_axes)
		s = hlo_sharding_v2(ctx, s); /* then the mesh does not matter */
	wire_put_int(w, 1, of_kind[s->kind]);
	for (int i = 0; s->kind == HS_TUPLE && i < s->n_parts; i++) {
		writer part;
		writer_init(&part, w->mem);
		put_proto_sharding(ctx, &part, s->parts[i]);
		wire_put_bytes(w, 5, writer_str(&part));
	}
	if (by_axes)
		put_named_sharding(w, s);
	else if (s->kind == HS_TILED)
		put_tiled(w, s);
	if (s->kind == HS_MAXIMAL) {
		wire_put_ints(w, 3, (int64_t[]){1}, 1);
		wire_put_ints(w, 4, s->devices.list, 1);
	}
	if (s->group) {
		wire_put_int(w, 11, 1);
		wire_put_int(w, 12, s->group_id);
		wire_put_int(w, 13, s->group == GROUP_LIKE);
	}
}
