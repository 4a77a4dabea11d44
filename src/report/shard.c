/* shard.c - the part of a value on one device, and descriptions of meshes. */
#include "report/words.h"

/* Returns the mesh by which a sharding cuts a tensor of type `t`; NULL if it does not. */
static const mesh *cutting_mesh(const module *m, const type *t, const sharding *s)
{
	return s && type_is_tensor(t) && s->rank == t->rank ? sharding_mesh(m, s) : NULL;
}

const mesh *mesh_under_sharding(const module *m, const sharding *s, const mesh *program)
{
	const mesh *own = s ? sharding_mesh(m, s) : NULL;
	return own && !mesh_is_empty(own) ? own : program;
}

void put_mesh_axes(writer *w, const mesh *m)
{
	for (int i = 0; i < m->n_axes; i++)
		put_f(w, "%s%s=%" PRId64, i ? " x " : "", m->axes[i].name->s, m->axes[i].size);
	if (mesh_is_maximal(m))
		put_f(w, "device %" PRId64, m->device_ids[0]);
}

void json_mesh_list(json *j, const program_meshes *all)
{
	json_key_arr(j, "meshes");
	for (int i = 0; i < all->len; i++) {
		const program_mesh *p = &all->ptr[i];
		json_obj(j);
		if (p->declared)
			json_key_z(j, "name", op_symbol(p->declared)->s);
		json_key_int(j, "devices", p->mesh->n_devices);
		json_key_int(j, "shardings", p->uses);
		json_key_obj(j, "axes");
		for (int k = 0; k < p->mesh->n_axes; k++)
			json_key_int(j, p->mesh->axes[k].name->s, p->mesh->axes[k].size);
		json_end(j);
		if (p->mesh->n_device_ids) {
			json_key_arr(j, "device_ids");
			for (int64_t k = 0; k < p->mesh->n_device_ids; k++)
				json_int(j, p->mesh->device_ids[k]);
			json_end(j);
		}
		json_end(j);
	}
	json_end(j);
}

int64_t shard_bytes(const module *m, const type *t, const sharding *s)
{
	const mesh *me = cutting_mesh(m, t, s);
	int64_t bytes = max_i64(type_bytes(t), 0);
	if (!me || !bytes)
		return bytes;
	int64_t n = bytes / t->n_elems;
	for (int d = 0; d < t->rank; d++)
		n *= ceil_div(t->dims[d], sharding_dim_shards(s, d, me));
	return n;
}

void put_shard_type(writer *w, const module *m, const type *t, const sharding *s)
{
	const mesh *me = cutting_mesh(m, t, s);
	if (!me || !t->is_static || t->kind != TY_TENSOR) {
		put_type_short(w, t);
		return;
	}
	put_f(w, "%s[", t->dtype ? dtype_mlir(t->dtype) : "tensor");
	for (int d = 0; d < t->rank; d++)
		put_f(w, d ? ",%" PRId64 : "%" PRId64,
		      ceil_div(t->dims[d], sharding_dim_shards(s, d, me)));
	put_c(w, ']');
}
