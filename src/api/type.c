/* type.c - the public functions of dtypes and types. */
#include "api/frame.h"
#include "ir/ir.h"
#include "mlir/mlir.h"

#include <tessera/attr.h>
#include <tessera/dtype.h>

#define DTYPE(id, mlir, hlo, bits, cls)                                                            \
	_Static_assert((int)TESS_##id == (int)DT_##id, "tess_dtype and dtype.def differ: " #id);
#include "shape/dtype.def"

/* ---- dtypes --------------------------------------------------------------------------------- */

static dtype known_dtype(tess_dtype t)
{
	return t > 0 && (int)t < DT_COUNT ? (dtype)t : DT_NONE;
}

const char *tess_dtype_hlo(tess_dtype t) { return dtype_hlo(known_dtype(t)); }
const char *tess_dtype_mlir(tess_dtype t) { return dtype_mlir(known_dtype(t)); }
const char *tess_dtype_numpy(tess_dtype t) { return dtype_numpy(known_dtype(t)); }
tess_dtype tess_dtype_from_hlo(tess_str s) { return (tess_dtype)dtype_from_hlo(s); }
tess_dtype tess_dtype_from_mlir(tess_str s) { return (tess_dtype)dtype_from_mlir(s); }
int tess_dtype_bits(tess_dtype t) { return dtype_bits(known_dtype(t)); }
int tess_dtype_bytes(tess_dtype t) { return dtype_bytes(known_dtype(t)); }

/* ---- types ------------------------------------------------------------------ */

/* Diagnostics copy what they need of the source, so it need not outlive the call. */
static const type *type_read(tess_ctx *ctx, tess_str text)
{
	source src = {.name = "", .text = arena_str(&ctx->scratch, text), .first_line = 1};
	return mlir_parse_type(ctx, &src);
}

const tess_type *tess_type_parse(tess_ctx *ctx, tess_str text)
{
	frame f;
	if (!ctx)
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = type_read(ctx, text);
	return frame_made(&f);
}

static void print_type(writer *w, tess_ctx *ctx, const void *t) { mlir_print_type(w, ctx, t); }

char *tess_type_print(tess_ctx *ctx, const tess_type *t)
{
	return text_printed(ctx, t, print_type);
}

/* ---- creating types ------------------------------------------------------------------------- */

static bool is_dtype(tess_dtype t) { return t > TESS_NO_DTYPE && t <= TESS_INDEX; }

const tess_type *tess_type_scalar(tess_ctx *ctx, tess_dtype t)
{
	frame f;
	if (!ctx || !is_dtype(t))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = type_scalar(ctx, (dtype)t);
	return frame_made(&f);
}

static bool are_dims(const int64_t *dims, int rank)
{
	for (int i = 0; i < rank; i++)
		if (!dims || (dims[i] < 0 && dims[i] != TESS_DYNAMIC))
			return false;
	return rank >= 0;
}

const tess_type *tess_type_tensor(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank)
{
	frame f;
	if (!ctx || !is_dtype(t) || !are_dims(dims, rank))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = type_tensor(ctx, (dtype)t, dims, rank);
	return frame_made(&f);
}

const tess_type *tess_type_function(tess_ctx *ctx, const tess_type *const *in, size_t n_in,
                                    const tess_type *const *out, size_t n_out)
{
	frame f;
	if (!ctx || !all_there((const void *const *)in, n_in) ||
	    !all_there((const void *const *)out, n_out))
		return NULL;
	if (setjmp(*frame_start(&f, ctx)) == 0)
		f.made = type_list(ctx, TY_FUNCTION, in, (int)n_in, out, (int)n_out);
	return frame_made(&f);
}

/* ---- properties ----------------------------------------------------------------------------- */

tess_type_kind tess_type_kind_of(const tess_type *t)
{
	switch (t ? t->kind : TY_NONE) {
	case TY_NONE: return TESS_TYPE_NONE;
	case TY_SCALAR: return TESS_TYPE_SCALAR;
	case TY_TENSOR: return TESS_TYPE_TENSOR;
	case TY_UNRANKED: return TESS_TYPE_UNRANKED;
	case TY_TUPLE: return TESS_TYPE_TUPLE;
	case TY_FUNCTION: return TESS_TYPE_FUNCTION;
	case TY_TOKEN: return TESS_TYPE_TOKEN;
	case TY_FUTURE: return TESS_TYPE_FUTURE;
	case TY_QUANT: return TESS_TYPE_QUANT;
	case TY_INT:
	case TY_COMPLEX:
	case TY_VECTOR:
	case TY_MEMREF:
	case TY_OPAQUE: return TESS_TYPE_OTHER;
	}
	return TESS_TYPE_OTHER;
}

tess_dtype tess_type_dtype(const tess_type *t) { return t ? (tess_dtype)t->dtype : TESS_NO_DTYPE; }

int tess_type_rank(const tess_type *t)
{
	type_kind k = t ? t->kind : TY_NONE;
	return k == TY_TENSOR || k == TY_VECTOR || k == TY_MEMREF ? t->rank : -1;
}

int64_t tess_type_dim(const tess_type *t, int i)
{
	return i >= 0 && i < tess_type_rank(t) ? t->dims[i] : -1;
}

const tess_type *tess_type_element(const tess_type *t) { return t ? t->elem : NULL; }

const tess_attr *tess_type_encoding(const tess_type *t) { return t ? t->encoding : NULL; }

size_t tess_type_in_count(const tess_type *t) { return t ? (size_t)t->n_in : 0; }
size_t tess_type_out_count(const tess_type *t) { return t ? (size_t)t->n_out : 0; }

const tess_type *tess_type_in(const tess_type *t, size_t i)
{
	return i < tess_type_in_count(t) ? t->in[i] : NULL;
}

const tess_type *tess_type_out(const tess_type *t, size_t i)
{
	return i < tess_type_out_count(t) ? t->out[i] : NULL;
}
