/* array_data.c - concrete values from and for others: tensors, shards, DLPack. */
#include "api/array_fn.h"

/* ---- tensors and shards ----------------------------------------------------------------- */

tess_array *tess_array_from_tensor(tess_ctx *ctx, const tess_tensor *t, const char *spec)
{
	if (!array_usage(ctx, t && (t->data || !t->bytes), "no tensor"))
		return NULL;
	const tess_type *type = tess_type_make(ctx, t->dtype, t->dims, t->rank, spec);
	if (!type || !array_usage(ctx,
	                          t->bytes == (size_t)atype_elements(type) *
	                                              (size_t)dtype_bytes(type->dtype),
	                          "the tensor has another size in bytes than its dimensions say"))
		return NULL;
	return tess_array_new(ctx, type, t->bytes ? t->data : "");
}

/* Which piece of dimension d the device at a place of the mesh holds. */
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

/* Copies a shard to its place, row by row of the last dimension. */
static void paste_shard(const atype *t, char *whole, const char *shard, int64_t place)
{
	int64_t local[ARRAY_MAX_RANK], from[ARRAY_MAX_RANK], bytes = dtype_bytes(t->dtype),
							     rows = 1;
	for (int d = 0; d < t->rank; d++) {
		local[d] = t->dim[d] / axis_seq_size(t->mesh, t->spec[d]);
		from[d] = piece_at(t, d, place) * local[d];
		rows *= d + 1 < t->rank ? local[d] : 1;
	}
	int64_t width = t->rank ? local[t->rank - 1] : 1;
	for (int64_t r = 0; r < rows && width; r++) {
		int64_t left = r, at = t->rank ? from[t->rank - 1] : 0,
			stride = t->rank ? t->dim[t->rank - 1] : 1;
		for (int d = t->rank - 2; d >= 0; d--) {
			at += (from[d] + left % local[d]) * stride;
			left /= local[d];
			stride *= t->dim[d];
		}
		memcpy(whole + at * bytes, shard + r * width * bytes, (size_t)(width * bytes));
	}
}

tess_array *tess_array_from_shards(tess_ctx *ctx, const tess_type *t, const void *const *shards,
                                   size_t n)
{
	if (!array_type_here(ctx, t))
		return NULL;
	bool right = t->mesh && !t->unreduced && !t->reduced && !t->varying && shards &&
	             (int64_t)n == amesh_devices(t->mesh);
	for (size_t i = 0; right && i < n; i++)
		right = shards[i] != NULL;
	if (!array_usage(ctx, right, "shards: one for each device of the mesh of the type"))
		return NULL;
	tess_array *v = array_concrete(ctx, t, NULL);
	for (size_t i = 0; v && i < n; i++)
		paste_shard(t, v->data, shards[i], (int64_t)i);
	return v;
}

/* ---- DLPack ------------------------------------------------------------------------------- */

/* The structures of DLPack 0.8, which others have from its own header. */
typedef struct dl_tensor {
	void *data;
	int32_t device_type, device_id; /* 1: CPU */
	int32_t ndim;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *shape, *strides; /* strides in elements; NULL: row-major */
	uint64_t byte_offset;
} dl_tensor;

struct DLManagedTensor {
	dl_tensor dl;
	void *manager;
	void (*deleter)(struct DLManagedTensor *self);
};

enum {
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
	struct DLManagedTensor managed;
	tess_ctx *ctx;
	int64_t shape[ARRAY_MAX_RANK];
} dl_owner;

static void dl_free(struct DLManagedTensor *self)
{
	dl_owner *o = self->manager;
	ctx_realloc(o->ctx, o, 0);
}

struct DLManagedTensor *tess_array_to_dlpack(tess_ctx *ctx, const tess_array *v)
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
	*o = (dl_owner){.ctx = ctx, .managed = {.manager = o, .deleter = dl_free}};
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

/* Elements in row-major order, whatever the strides are. */
static void dl_gather(const dl_tensor *t, int64_t n, size_t bytes, char *out)
{
	const char *from = (const char *)t->data + t->byte_offset;
	for (int64_t i = 0; i < n; i++) {
		int64_t left = i, at = 0, row = 1;
		for (int d = t->ndim - 1; d >= 0; d--) {
			at += left % t->shape[d] * (t->strides ? t->strides[d] : row);
			left /= t->shape[d];
			row *= t->shape[d];
		}
		memcpy(out + (size_t)i * bytes, from + at * (int64_t)bytes, bytes);
	}
}

tess_array *tess_array_from_dlpack(tess_ctx *ctx, const struct DLManagedTensor *m, const char *spec)
{
	int at = 0;
	if (!array_usage(ctx,
	                 m && m->dl.device_type == DL_CPU && m->dl.ndim >= 0 &&
	                         m->dl.ndim <= ARRAY_MAX_RANK && m->dl.lanes == 1 &&
	                         (m->dl.shape || !m->dl.ndim),
	                 "a DLPack tensor in the memory of the CPU is needed"))
		return NULL;
	while (at < COUNT(dl_types) &&
	       (dl_types[at].code != m->dl.code || dl_types[at].bits != m->dl.bits))
		at++;
	if (!array_usage(ctx, at < COUNT(dl_types),
	                 "the DLPack tensor has an element type that is not known"))
		return NULL;
	const tess_type *t = tess_type_make(ctx, (tess_dtype)dl_types[at].t, m->dl.shape,
	                                    m->dl.ndim, spec);
	tess_array *v = t && array_usage(ctx, m->dl.data || !atype_elements(t),
	                                 "the DLPack tensor has no data")
	                        ? array_concrete(ctx, t, NULL)
	                        : NULL;
	if (v)
		dl_gather(&m->dl, atype_elements(t), (size_t)dtype_bytes(t->dtype), v->data);
	return v;
}
