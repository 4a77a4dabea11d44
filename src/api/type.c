/* type.c - the public side of element types, and of types. */
#include "api/frame.h"
#include "ir/ir.h"
#include "mlir/mlir.h"

#include <tessera/attr.h>
#include <tessera/dtype.h>

#define DTYPE(id, mlir, hlo, bits, cls)                                                            \
	_Static_assert((int)TESS_##id == (int)DT_##id, "tess_dtype and dtype.def differ: " #id);
#include "shape/dtype.def"
#undef DTYPE

/* ---- element types -------------------------------------------------------- */

static dtype known_dtype(tess_dtype t)
{
	return t > 0 && (int)t < DT_COUNT ? (dtype)t : DT_NONE;
}

const char *tess_dtype_hlo(tess_dtype t) { return dtype_hlo(known_dtype(t)); }
const char *tess_dtype_mlir(tess_dtype t) { return dtype_mlir(known_dtype(t)); }
tess_dtype tess_dtype_from_hlo(tess_str s) { return (tess_dtype)dtype_from_hlo(s); }
tess_dtype tess_dtype_from_mlir(tess_str s) { return (tess_dtype)dtype_from_mlir(s); }
int tess_dtype_bits(tess_dtype t) { return dtype_bits(known_dtype(t)); }
int tess_dtype_bytes(tess_dtype t) { return dtype_bytes(known_dtype(t)); }

/* ---- types ------------------------------------------------------------------ */

/* One of these makes the whole call. */
typedef struct type_call {
	tess_str text, printed;
	const type *type;
	const void *a, *b;
	size_t n, n_b;
	dtype dtype;
} type_call;

static const tess_type *type_made(tess_ctx *ctx, frame_fn *body, type_call *c)
{
	return frame_run(ctx, body, c) == TESS_OK ? c->type : NULL;
}

/* Diagnostics keep what they need of the source, so it may go with the call. */
static tess_status parse_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	source src = {.name = "", .text = arena_str(&ctx->scratch, c->text), .first_line = 1};
	c->type = mlir_parse_type(ctx, &src);
	return TESS_OK;
}

static tess_status print_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	writer w;
	writer_init(&w, frame_text_arena(ctx));
	mlir_print_type(&w, ctx, c->type);
	c->printed = writer_str(&w);
	return TESS_OK;
}

const tess_type *tess_type_parse(tess_ctx *ctx, tess_str text)
{
	return type_made(ctx, parse_type_body, &(type_call){.text = text});
}

tess_str tess_type_print(tess_ctx *ctx, const tess_type *t)
{
	type_call c = {.type = t};
	return frame_run(ctx, print_type_body, &c) == TESS_OK ? c.printed : STR("");
}

/* ---- types made --------------------------------------------------------------------- */

static tess_status scalar_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	c->type = type_scalar(ctx, c->dtype);
	return TESS_OK;
}

static tess_status tensor_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	c->type = type_tensor(ctx, c->dtype, c->a, (int)c->n);
	return TESS_OK;
}

static tess_status tuple_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	c->type = type_list(ctx, TY_TUPLE, c->a, (int)c->n, NULL, 0);
	return TESS_OK;
}

static tess_status function_type_body(tess_ctx *ctx, void *arg)
{
	type_call *c = arg;
	c->type = type_list(ctx, TY_FUNCTION, c->a, (int)c->n, c->b, (int)c->n_b);
	return TESS_OK;
}

static bool is_dtype(tess_dtype t) { return t > TESS_NO_DTYPE && t <= TESS_INDEX; }

const tess_type *tess_type_scalar(tess_ctx *ctx, tess_dtype t)
{
	return is_dtype(t) ? type_made(ctx, scalar_type_body, &(type_call){.dtype = (dtype)t})
	                   : NULL;
}

const tess_type *tess_type_tensor(tess_ctx *ctx, tess_dtype t, const int64_t *dims, int rank)
{
	if (!is_dtype(t) || rank < 0)
		return NULL;
	for (int i = 0; i < rank; i++)
		if (dims[i] < 0 && dims[i] != TESS_DYNAMIC)
			return NULL;
	return type_made(ctx, tensor_type_body,
	                 &(type_call){.dtype = (dtype)t, .a = dims, .n = (size_t)rank});
}

const tess_type *tess_type_tuple(tess_ctx *ctx, const tess_type *const *members, size_t n)
{
	if (!all_there((const void *const *)members, n))
		return NULL;
	return type_made(ctx, tuple_type_body, &(type_call){.a = members, .n = n});
}

const tess_type *tess_type_function(tess_ctx *ctx, const tess_type *const *in, size_t n_in,
                                    const tess_type *const *out, size_t n_out)
{
	if (!all_there((const void *const *)in, n_in) ||
	    !all_there((const void *const *)out, n_out))
		return NULL;
	return type_made(ctx, function_type_body,
	                 &(type_call){.a = in, .n = n_in, .b = out, .n_b = n_out});
}

/* ---- types asked ------------------------------------------------------------------------ */

tess_type_kind tess_type_kind_of(const tess_type *t)
{
	switch (t->kind) {
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

tess_dtype tess_type_dtype(const tess_type *t) { return (tess_dtype)t->dtype; }

int tess_type_rank(const tess_type *t)
{
	type_kind k = t->kind;
	return k == TY_TENSOR || k == TY_VECTOR || k == TY_MEMREF ? t->rank : -1;
}

int64_t tess_type_dim(const tess_type *t, int i)
{
	return i >= 0 && i < tess_type_rank(t) ? t->dims[i] : -1;
}

const tess_type *tess_type_element(const tess_type *t) { return t->elem; }

const tess_attr *tess_type_encoding(const tess_type *t) { return t->encoding; }

size_t tess_type_in_count(const tess_type *t) { return (size_t)t->n_in; }
size_t tess_type_out_count(const tess_type *t) { return (size_t)t->n_out; }

const tess_type *tess_type_in(const tess_type *t, size_t i)
{
	return i < tess_type_in_count(t) ? t->in[i] : NULL;
}

const tess_type *tess_type_out(const tess_type *t, size_t i)
{
	return i < tess_type_out_count(t) ? t->out[i] : NULL;
}
