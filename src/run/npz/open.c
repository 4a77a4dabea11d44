/* open.c - reads the arrays of a list of files: .npz, .npy, XLA snapshots, or raw bytes. */
#include "run/npz/npz.h"

#ifdef TESS_NO_HLO
static bool open_raw(tess_npz *z, int number, tess_str text)
{
	UNUSED(number);
	UNUSED(text);
	return npz_error(z, "a shape behind it, and this library was built without HLO");
}

static bool is_snapshot(const tess_npz *z)
{
	UNUSED(z);
	return false;
}

static bool open_snapshot(tess_npz *z) { return npz_error(z, "it is not an array"); }
#else
#include "hlo/hlo.h"

/* Reads raw bytes as an array of this shape, in the order of its layout. */
static bool open_raw(tess_npz *z, int number, tess_str text)
{
	char name[16], why[128];
	snprintf(name, sizeof name, "in%d", number);
	const shape *s = shape_parse(z->ctx, text);
	if (!s)
		return false;
	int64_t bytes = s->kind == SH_ARRAY ? shape_bytes(s, SIZE_PADDED) : -1;
	if (bytes < 0 || shape_is_dynamic(s))
		return npz_error(z, "the shape behind it is not that of an array of known size");
	if ((uint64_t)bytes != z->file->text.len) {
		snprintf(why, sizeof why, "has %zu bytes, its shape %" PRId64, z->file->text.len,
		         bytes);
		return npz_error(z, why);
	}
	npz_member *m = npz_member_new(z, str_of(name));
	m->tensor.dtype = (tess_dtype)s->dtype;
	m->tensor.rank = s->rank;
	m->tensor.dims = s->dims;
	m->tensor.data = z->file->text.ptr;
	m->tensor.bytes = (size_t)bytes;
	if (layout_is_default(s->layout))
		return true;
	const shape *dense = shape_with_layout(z->ctx, s, NULL);
	m->tensor.bytes = (size_t)shape_bytes(dense, SIZE_DATA);
	m->heap = ctx_realloc(z->ctx, NULL, m->tensor.bytes + 1);
	if (!m->heap)
		ctx_unwind(z->ctx);
	m->tensor.data = m->heap;
	return relayout(s, z->file->text.ptr, dense, m->heap) ||
	       npz_error(z, "its layout cannot be read");
}

/* True for an HloSnapshot, as XLA dumps it: neither .npy nor zip files start like this. */
static bool is_snapshot(const tess_npz *z)
{
	tess_str s = z->file->text;
	return hlo_is_proto(z->ctx, s) && !str_starts(s, "PK") && !str_starts(s, "\x93NUMPY");
}

static void take_array(void *user, const char *name, const attr *a)
{
	tess_npz *z = user;
	npz_member *m = npz_member_new(z, str_of(name));
	size_t each = (size_t)dtype_bytes(a->type->dtype);
	m->tensor.dtype = (tess_dtype)a->type->dtype;
	m->tensor.rank = a->type->rank;
	m->tensor.dims = a->type->dims;
	m->tensor.data = a->data;
	m->tensor.bytes = (size_t)a->type->n_elems * each;
	if (!a->splat || a->type->n_elems < 2)
		return;
	char *all = arena_alloc(&z->mem, m->tensor.bytes);
	for (int64_t i = 0; i < a->type->n_elems; i++)
		memcpy(all + (size_t)i * each, a->data, each);
	m->tensor.data = all;
}

static bool open_snapshot(tess_npz *z)
{
	source *src = source_new(z->ctx, z->path, z->file->text);
	return hlo_snapshot_arrays(z->ctx, src, take_array, z);
}
#endif

/* Returns where the suffix ":f32[4,8]" starts; NULL if there is none. */
static const char *shape_in(tess_str part)
{
	const char *open = memchr(part.ptr, '[', part.len);
	for (const char *at = open; at && at > part.ptr; at--)
		if (at[-1] == ':')
			return at - 1;
	return NULL;
}

static tess_status open_part(tess_npz *z, tess_str part, int number)
{
	npz_file *f = NEW(&z->mem, npz_file);
	const char *colon = shape_in(part);
	tess_str path = {part.ptr, colon ? (size_t)(colon - part.ptr) : part.len};
	z->path = arena_str(&z->mem, path).ptr;
	tess_status status = file_read(z->ctx, z->path, &f->file);
	if (status != TESS_OK)
		return status;
	f->next = z->files;
	z->files = f;
	z->file = &f->file;
	tess_str text = {part.ptr + path.len + 1, part.len - path.len - 1};
	bool good = colon            ? open_raw(z, number, text)
	            : is_snapshot(z) ? open_snapshot(z)
	                             : npz_read(z, number);
	return good ? TESS_OK : TESS_INVALID;
}

/* Splits the list at commas, except those inside shapes. */
tess_status npz_read_files(tess_npz *z)
{
	tess_status status = TESS_OK;
	int number = 0, depth = 0;
	for (const char *begin = z->list, *at = begin; status == TESS_OK; at++) {
		depth += (*at == '[' || *at == '{' || *at == '(') -
		         (*at == ']' || *at == '}' || *at == ')');
		if (*at && (*at != ',' || depth > 0))
			continue;
		status = open_part(z, (tess_str){begin, (size_t)(at - begin)}, number++);
		begin = at + 1;
		if (!*at)
			break;
	}
	return status;
}

tess_npz *npz_new(tess_ctx *ctx, const char *list)
{
	tess_npz *z = ctx_realloc(ctx, NULL, sizeof *z);
	if (!z)
		return NULL;
	*z = (tess_npz){.ctx = ctx, .list = list};
	z->last = &z->first;
	arena_init(&z->mem, ctx);
	return z;
}

void npz_free(tess_npz *z)
{
	if (!z)
		return;
	for (npz_member *m = z->first; m; m = m->next)
		ctx_realloc(z->ctx, m->heap, 0);
	for (npz_file *f = z->files; f; f = f->next)
		file_close(z->ctx, &f->file);
	arena_free(&z->mem);
	ctx_realloc(z->ctx, z, 0);
}
