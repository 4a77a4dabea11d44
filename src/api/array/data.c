/* data.c - exchanges concrete values with tensors, shards and DLPack. */
#include "api/array/fn.h"
#include "base/box.h"

/* ---- tensors and shards ----------------------------------------------------------------- */

tess_array *tess_array_from_tensor(tess_ctx *ctx, const tess_tensor *t, const char *spec)
{
	if (!array_usage(ctx, t && (t->data || !t->bytes), "the tensor or its data is missing"))
		return NULL;
	const tess_array_type *type = tess_array_type_make(ctx, t->dtype, t->dims, t->rank, spec);
	if (!type || !array_usage(ctx,
	                          t->bytes == (size_t)atype_elements(type) *
	                                              (size_t)dtype_bytes(type->dtype),
	                          "the size of the tensor in bytes does not match its dimensions"))
		return NULL;
	return tess_array_new(ctx, type, t->bytes ? t->data : "");
}

/* Returns which part of dimension d the device at a mesh position holds. */
static int64_t piece_at(const atype *t, int d, int64_t place)
{
	int64_t piece = 0;
	for (int i = 0; i < axis_seq_len(t->spec[d]); i++) {
		int axis = axis_seq_at(t->spec[d], i);
		int64_t stride = 1;
		for (int a = axis + 1; a < t->mesh->n; a++)
			stride *= t->mesh->size[a];
		piece = piece * t->mesh->size[axis] + place / stride % t->mesh->size[axis];
	}
	return piece;
}

/* The part on a device: its shape, its first element's offset in the whole, and its bounds. */
typedef struct array_part {
	int64_t local[ARRAY_MAX_RANK], begin[ARRAY_MAX_RANK], end[ARRAY_MAX_RANK];
	int64_t strides[ARRAY_MAX_RANK], at;
} array_part;

static array_part array_part_at(const atype *t, int64_t place)
{
	array_part p = {.at = 0};
	row_major_strides(t->rank, t->dim, p.strides);
	for (int d = 0; d < t->rank; d++) {
		p.local[d] = t->dim[d] / axis_seq_size(t->mesh, t->spec[d]);
		p.begin[d] = piece_at(t, d, place) * p.local[d];
		p.end[d] = p.begin[d] + p.local[d];
		p.at += p.begin[d] * p.strides[d];
	}
	return p;
}

static void paste_shard(const atype *t, char *whole, const char *shard, int64_t place)
{
	int64_t own[ARRAY_MAX_RANK], bytes = dtype_bytes(t->dtype);
	array_part p = array_part_at(t, place);
	row_major_strides(t->rank, p.local, own);
	box_move(t->rank, p.local, whole + p.at * bytes, p.strides, shard, own, (size_t)bytes);
}

tess_array *tess_array_from_shards(tess_ctx *ctx, const tess_array_type *t,
                                   const void *const *shards, size_t n)
{
	if (!array_type_here(ctx, t))
		return NULL;
	bool right = t->mesh && !t->unreduced && !t->reduced && !t->varying && shards &&
	             (int64_t)n == amesh_devices(t->mesh);
	for (size_t i = 0; right && i < n; i++)
		right = shards[i] != NULL;
	if (!array_usage(ctx, right, "there must be one shard for each device of the type's mesh"))
		return NULL;
	tess_array *v = array_concrete(ctx, t, NULL);
	for (size_t i = 0; v && i < n; i++)
		paste_shard(t, v->data, shards[i], (int64_t)i);
	return v;
}

/* True if the device holds the first of the copies of its part. */
static bool holds_first(const atype *t, int64_t place)
{
	axis_set cut = atype_axes(t);
	int64_t stride = 1;
	for (int a = t->mesh->n - 1; a >= 0; a--) {
		if (!(cut >> a & 1) && place / stride % t->mesh->size[a])
			return false;
		stride *= t->mesh->size[a];
	}
	return true;
}

tess_array *tess_array_from_callback(tess_ctx *ctx, const tess_array_type *t, tess_array_fill *fill,
                                     void *env)
{
	if (!array_usage(ctx, fill, "the function that fills the parts is missing") ||
	    !array_type_here(ctx, t) ||
	    !array_usage(ctx, !t->key && !t->unreduced && !t->reduced && !t->varying,
	                 "the type must not be of keys, unreduced, reduced or varying"))
		return NULL;
	tess_array *v = array_concrete(ctx, t, NULL);
	int64_t n = t->mesh ? amesh_devices(t->mesh) : 1;
	for (int64_t i = 0; v && i < n; i++) {
		if (t->mesh && !holds_first(t, i))
			continue;
		array_part p = array_part_at(t, i);
		char *at = (char *)v->data + p.at * dtype_bytes(t->dtype);
		if (!array_usage(ctx, fill(env, p.begin, p.end, at, p.strides),
		                 "a part was not filled")) {
			tess_array_free(v);
			return NULL;
		}
	}
	return v;
}

/* ---- DLPack ------------------------------------------------------------------------------- */

/* The structs of DLPack 1.0, which users have from its own header. */
typedef struct dl_tensor {
	void *data;
	int32_t device_type, device_id; /* 1: CPU */
	int32_t ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides; /* strides in elements; NULL: row-major */
	uint64_t byte_offset;
} dl_tensor;

struct DLManagedTensorVersioned {
	uint32_t major, minor;
	void *manager;
	void (*deleter)(struct DLManagedTensorVersioned *self);
	uint64_t flags;
	dl_tensor dl;
};

enum {
	DL_MAJOR = 1, /* of later versions only the deleter is known */
	DL_IS_COPIED = 2,

	DL_CPU = 1,
	DL_INT = 0,
	DL_UINT = 1,
	DL_FLOAT = 2,
	DL_BFLOAT = 4,
	DL_COMPLEX = 5,
	DL_BOOL = 6
};

static const struct {
	dtype t;
	uint8_t code, bits;
} dl_types[] = {
	{DT_F16, DL_FLOAT, 16}, {DT_F32, DL_FLOAT, 32},   {DT_F64, DL_FLOAT, 64},   {DT_BF16, DL_BFLOAT, 16},
	{DT_I8, DL_INT, 8},     {DT_I16, DL_INT, 16},     {DT_I32, DL_INT, 32},     {DT_I64, DL_INT, 64},
	{DT_UI8, DL_UINT, 8},   {DT_UI16, DL_UINT, 16},   {DT_UI32, DL_UINT, 32},   {DT_UI64, DL_UINT, 64},
	{DT_I1, DL_BOOL, 8},    {DT_C64, DL_COMPLEX, 64}, {DT_C128, DL_COMPLEX, 128},
};

typedef struct dl_owner {
	struct DLManagedTensorVersioned managed;
	tess_ctx *ctx;
	int64_t shape[ARRAY_MAX_RANK];
} dl_owner;

static void dl_free(struct DLManagedTensorVersioned *self)
{
	dl_owner *o = self->manager;
	ctx_realloc(o->ctx, o, 0);
}

struct DLManagedTensorVersioned *tess_array_to_dlpack(tess_ctx *ctx, const tess_array *v)
{
	tess_tensor t;
	int at = 0;
	if (!array_usage(ctx, v && tess_array_tensor(v, &t), "only concrete values have data") ||
	    !array_usage(ctx, v->ctx == ctx, "the value belongs to another context"))
		return NULL;
	while (at < COUNT(dl_types) && dl_types[at].t != v->type->dtype)
		at++;
	if (!array_usage(ctx, at < COUNT(dl_types), "DLPack has no such element type"))
		return NULL;
	dl_owner *o = ctx_realloc(ctx, NULL, sizeof *o + v->bytes + 64);
	if (!o)
		return NULL;
	uintptr_t data = ((uintptr_t)(o + 1) + 63) & ~(uintptr_t)63;
	*o = (dl_owner){.ctx = ctx,
	                .managed = {.major = DL_MAJOR,
	                            .manager = o,
	                            .deleter = dl_free,
	                            .flags = DL_IS_COPIED}};
	memcpy((void *)data, v->data, v->bytes);
	memcpy(o->shape, v->type->dim, sizeof o->shape);
	o->managed.dl = (dl_tensor){.data = (void *)data,
	                            .device_type = DL_CPU,
	                            .ndim = v->type->rank,
	                            .lanes = 1,
	                            .code = dl_types[at].code,
	                            .bits = dl_types[at].bits,
	                            .shape = o->shape};
	return &o->managed;
}

/* Copies the elements in row-major order, for any strides. */
static void dl_gather(const dl_tensor *t, size_t bytes, char *out)
{
	int64_t own[ARRAY_MAX_RANK];
	row_major_strides(t->ndim, t->shape, own);
	box_move(t->ndim, t->shape, out, own, (const char *)t->data + t->byte_offset,
	         t->strides ? t->strides : own, bytes);
}

tess_array *tess_array_from_dlpack(tess_ctx *ctx, const struct DLManagedTensorVersioned *m,
                                   const char *spec)
{
	int at = 0;
	if (!array_usage(ctx, !m || m->major == DL_MAJOR,
	                 "the tensor is not of major version 1 of DLPack"))
		return NULL;
	if (!array_usage(ctx,
	                 m && m->dl.device_type == DL_CPU && m->dl.ndim >= 0 &&
	                         m->dl.ndim <= ARRAY_MAX_RANK && m->dl.lanes == 1 &&
	                         (m->dl.shape || !m->dl.ndim),
	                 "the DLPack tensor must be in CPU memory, with at most 16 dimensions"))
		return NULL;
	while (at < COUNT(dl_types) &&
	       (dl_types[at].code != m->dl.code || dl_types[at].bits != m->dl.bits))
		at++;
	if (!array_usage(ctx, at < COUNT(dl_types),
	                 "the DLPack tensor has an unsupported element type"))
		return NULL;
	const tess_array_type *t = tess_array_type_make(ctx, (tess_dtype)dl_types[at].t,
	                                                m->dl.shape, m->dl.ndim, spec);
	tess_array *v = t && array_usage(ctx, m->dl.data || !atype_elements(t),
	                                 "the DLPack tensor has no data")
	                        ? array_concrete(ctx, t, NULL)
	                        : NULL;
	if (v && atype_elements(t))
		dl_gather(&m->dl, (size_t)dtype_bytes(t->dtype), v->data);
	return v;
}
