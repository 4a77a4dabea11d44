/* parse.c - the entry points of the reader: parses a module, or a single attribute or type. */
#include "mlir/read/read.h"

void text_on_reading(tess_ctx *ctx, reading_fn *fn, void *user)
{
	text_tables *t = text_tables_of(ctx);
	t->reading = fn;
	t->reading_user = user;
}

/* True if the text starts with bytes that no text has, like a protocol buffer dumped by XLA, or if
 * its beginning has several. One later on may be in a string, or a fault whose place can be shown. */
static bool has_control_bytes(tess_str text)
{
	enum { START = 16, BEGINNING = 256, SEVERAL = 8 };
	int n = 0;
	for (size_t i = 0; i < text.len && i < BEGINNING; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		if (c < '\t' && i < START)
			return true;
		n += c < '\t' || (c > '\r' && c < ' ');
	}
	return n >= SEVERAL;
}

/* MLIR bytecode starts with "ML\xefR"; jax.export and compilers write it. */
bool text_is_binary(tess_ctx *ctx, source *src)
{
	bool long_enough = src->text.len >= 4;
	if (long_enough && !memcmp(src->text.ptr, "PK\x03\x04", 4))
		return !diag_error(ctx, NOWHERE, E_SYNTAX,
		                   "%s is a zip or npz archive, not a program",
		                   src->name);
	if (long_enough && !memcmp(src->text.ptr, "ML\xefR", 4))
		return !diag_error(ctx, (place){src, 0, 4}, E_SYNTAX,
		                   "this is MLIR bytecode, not the text of a program");
	if (has_control_bytes(src->text))
		return !diag_error(ctx, NOWHERE, E_SYNTAX,
		                   "%s is a binary file, not a program in MLIR or HLO",
		                   src->name);
	return false;
}

/* True for what print() shows of jax.make_jaxpr(f)(x), which no tool reads. */
static bool text_is_jaxpr(tess_ctx *ctx, source *src)
{
	size_t at = 0;
	while (at < src->text.len && strchr(" \t\r\n", src->text.ptr[at]))
		at++;
	tess_str rest = {src->text.ptr + at, src->text.len - at};
	return str_starts(rest, "{ lambda") &&
	       !diag_error(ctx, (place){src, (uint32_t)at, (uint32_t)at + 8}, E_SYNTAX,
	                   "this is a jaxpr, not a program: use what jax.jit(f).lower(x).as_text() returns");
}

module *mlir_parse(tess_ctx *ctx, source *src, const mlir_parse_opts *opts)
{
	if (text_is_binary(ctx, src) || text_is_jaxpr(ctx, src))
		return NULL;
	arena_mark here = arena_here(&ctx->scratch);
	reader *r = NEW(&ctx->scratch, reader);
	module *m = module_new(ctx);
	module_set_source(m, src);
	src->find_attr = mlir_find_attr;
	m->top->kind = OP_BUILTIN_MODULE;
	read_begin(r, ctx, src, opts);
	r->m = m;
	read_file(r);
	if (!r->failed) {
		module_unwrap(m);
		r->failed = !module_take_symbols(m);
	}
	bool good = !r->failed, verified = r->opts->no_verify;
	arena_back(&ctx->scratch, here);
	source_passed(src, 0, src->text.len);
	if (good && !verified)
		module_warn_unknown_attrs(m);
	if (good && (verified || module_verify(m)))
		return m;
	module_free(m);
	return NULL;
}

/* Prepares for one attribute or type, and nothing after it. */
static reader *read_alone(tess_ctx *ctx, source *src)
{
	reader *r = NEW(&ctx->scratch, reader);
	read_begin(r, ctx, src, NULL);
	return r;
}

const attr *mlir_parse_attr(tess_ctx *ctx, source *src)
{
	reader *r = read_alone(ctx, src);
	const attr *a = read_attr(r);
	if (r->tok != T_END)
		read_expected(r, "the end of the attribute");
	return r->failed ? NULL : a;
}

const type *mlir_parse_type(tess_ctx *ctx, source *src)
{
	reader *r = read_alone(ctx, src);
	const type *t = read_type(r);
	if (r->tok != T_END)
		read_expected(r, "the end of the type");
	return r->failed ? NULL : t;
}
