/* rare.c - attributes and types that have codes in MLIR's bytecode, but are stored in the IR as
 * text or in parts: affine maps, strided layouts, string or sparse elements, distinct attributes,
 * memrefs. They are read by code and written as text.
 *
 * An affine map is its number of dimensions times four, plus a form:
 *
 *   0  nothing follows: each dimension is a result    1  a permutation of them
 *   2  the number of results, and the dimension that each one is
 *   3  symbols, results, and an expression for each, operators before their operands
 *
 * Source: the output of jaxlib. */
#include "bytecode/codes/make.h"

/* ---- affine maps --------------------------------------------------------------------- */

typedef enum affine_kind {
	AFFINE_DIM,
	AFFINE_SYMBOL,
	AFFINE_CONSTANT,
	AFFINE_ADD,
	AFFINE_MUL,
	AFFINE_MOD,
	AFFINE_FLOORDIV,
	AFFINE_CEILDIV,
	AFFINE_KINDS,
} affine_kind;

/* An expression. The left operand of an operator is the next one in the list. */
typedef struct affine {
	affine_kind kind;
	int64_t value; /* number of a dimension or symbol; a constant */
	int right;     /* of an operator: index of its right operand in the list */
} affine;

typedef struct affine_reader {
	coder *c;
	const field *f;
	int64_t at;
	int64_t n_dims, n_symbols;
	VEC(affine) list;
	int depth;
	bool failed;
} affine_reader;

static int64_t affine_number(affine_reader *r)
{
	if (r->at < r->f->n)
		return r->f->ints[r->at++];
	if (!r->failed)
		r->c->fail(r->c, "an affine map ends too soon");
	r->failed = true;
	return 0;
}

static int64_t affine_index(affine_reader *r, int64_t n)
{
	int64_t i = affine_number(r);
	if (!r->failed && (i < 0 || i >= n)) {
		r->c->fail(r->c, "an affine map has no dimension or symbol %" PRId64, i);
		r->failed = true;
	}
	return r->failed ? 0 : i;
}

/* Returns its index in the list. */
static int affine_read(affine_reader *r)
{
	int64_t kind = affine_number(r);
	int me = r->list.len;
	if (!r->failed && (kind < 0 || kind >= AFFINE_KINDS || r->depth >= (int)r->c->ctx->opts.max_depth)) {
		r->c->fail(r->c, "an affine map has an expression of kind %" PRId64
		                 ", or is nested too deep", kind);
		r->failed = true;
	}
	if (r->failed)
		return 0;
	vec_push(r->c->mem, &r->list, ((affine){.kind = (affine_kind)kind}));
	if (kind == AFFINE_DIM || kind == AFFINE_SYMBOL) {
		int64_t i = affine_index(r, kind == AFFINE_DIM ? r->n_dims : r->n_symbols);
		r->list.ptr[me].value = i;
	} else if (kind == AFFINE_CONSTANT) {
		uint64_t v = (uint64_t)affine_number(r);
		r->list.ptr[me].value = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
	} else {
		r->depth++;
		affine_read(r);
		int right = affine_read(r);
		r->list.ptr[me].right = right;
		r->depth--;
	}
	return me;
}

static bool is_product_with(const affine *list, int i, int64_t *by)
{
	const affine *e = &list[i];
	bool is = e->kind == AFFINE_MUL && list[e->right].kind == AFFINE_CONSTANT;
	*by = is ? list[e->right].value : 0;
	return is;
}

static void put_affine(writer *w, const affine *list, int i, bool tight);

/* Sums are printed without negative numbers: d0 - 1, d0 - d1, d0 - d1 * 2. */
static void put_sum(writer *w, const affine *list, int i)
{
	int right = list[i].right;
	int64_t by;
	put_affine(w, list, i + 1, false);
	if (is_product_with(list, right, &by) && by < 0 && by != INT64_MIN) {
		put_lit(w, " - ");
		put_affine(w, list, right + 1, by != -1 || list[right + 1].kind == AFFINE_ADD);
		if (by != -1)
			put_f(w, " * %" PRId64, -by);
	} else if (list[right].kind == AFFINE_CONSTANT && list[right].value < 0) {
		put_f(w, " - %" PRIu64, -(uint64_t)list[right].value);
	} else {
		put_lit(w, " + ");
		put_affine(w, list, right, false);
	}
}

/* Prints expression i, in parentheses inside a product. */
static void put_affine(writer *w, const affine *list, int i, bool tight)
{
	static const char *const words[] = {[AFFINE_MUL] = " * ", [AFFINE_MOD] = " mod ",
	                                    [AFFINE_FLOORDIV] = " floordiv ", [AFFINE_CEILDIV] = " ceildiv "};
	const affine *e = &list[i];
	int64_t by;
	if (e->kind <= AFFINE_CONSTANT) {
		put_f(w, "%s%" PRId64, e->kind == AFFINE_DIM ? "d" : e->kind == AFFINE_SYMBOL ? "s" : "", e->value);
		return;
	}
	put_z(w, tight ? "(" : "");
	if (e->kind == AFFINE_ADD) {
		put_sum(w, list, i);
	} else if (is_product_with(list, i, &by) && by == -1) {
		put_c(w, '-');
		put_affine(w, list, i + 1, true);
	} else {
		put_affine(w, list, i + 1, true);
		put_z(w, words[e->kind]);
		put_affine(w, list, e->right, true);
	}
	put_z(w, tight ? ")" : "");
}

static void put_letters(writer *w, char letter, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		put_f(w, "%s%c%" PRId64, i ? ", " : "", letter, i);
}

static void put_affine_head(writer *w, int64_t dims, int64_t symbols)
{
	put_lit(w, "affine_map<(");
	put_letters(w, 'd', dims);
	put_lit(w, ")");
	if (symbols) {
		put_c(w, '[');
		put_letters(w, 's', symbols);
		put_c(w, ']');
	}
	put_lit(w, " -> (");
}

/* Prints (d0, d1) -> (d1, d0), where each result is a dimension. */
static void put_dims_of(affine_reader *r, writer *w, int64_t n)
{
	for (int64_t i = 0; i < n && !r->failed; i++)
		put_f(w, "%sd%" PRId64, i ? ", " : "", affine_index(r, r->n_dims));
}

static void put_expressions(affine_reader *r, writer *w, int64_t n)
{
	for (int64_t i = 0; i < n && !r->failed; i++) {
		r->list.len = 0;
		affine_read(r);
		put_z(w, i ? ", " : "");
		if (!r->failed)
			put_affine(w, r->list.ptr, 0, false);
	}
}

static const attr *affine_attr(coder *c, const writer *w)
{
	return attr_of(c->ctx, &(attr){.kind = AT_AFFINE, .text = name_of(c->ctx, writer_str(w))});
}

static const attr *affine_identity(coder *c, int64_t dims)
{
	writer w;
	writer_init(&w, c->mem);
	put_affine_head(&w, dims, 0);
	put_letters(&w, 'd', dims);
	put_lit(&w, ")>");
	return affine_attr(c, &w);
}

const attr *codes_make_affine_map(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	enum { IDENTITY, PERMUTATION, PROJECTION, MOST = 1 << 16 };
	affine_reader r = {.c = c, .f = f};
	writer w;
	int64_t head = affine_number(&r), how = head & 3, results = r.n_dims = head >> 2;
	if (how > PROJECTION)
		r.n_symbols = affine_number(&r);
	if (how >= PROJECTION)
		results = affine_number(&r);
	if (!r.failed && (r.n_dims < 0 || r.n_dims > MOST || r.n_symbols < 0 || r.n_symbols > MOST))
		return c->fail(c, "an affine map has too many dimensions"), NULL;
	if (how == IDENTITY && !r.failed && f->n == 1)
		return affine_identity(c, r.n_dims);
	writer_init(&w, c->mem);
	put_affine_head(&w, r.n_dims, r.n_symbols);
	if (how > PROJECTION)
		put_expressions(&r, &w, results);
	else
		put_dims_of(&r, &w, results);
	put_lit(&w, ")>");
	if (!r.failed && r.at != f->n)
		return c->fail(c, "an affine map has numbers left"), NULL;
	return r.failed ? NULL : affine_attr(c, &w);
}

/* ---- attributes as text --------------------------------------------------------------------- */

static source *source_of(coder *c, const writer *w)
{
	return source_new(c->ctx, "bytecode", writer_str(w));
}

/* strided<[4, ?], offset: 2> */
const attr *codes_make_strided(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	writer w;
	writer_init(&w, c->mem);
	put_lit(&w, "strided<[");
	for (int64_t i = 0; i <= f[1].n; i++) {
		bool offset = i == f[1].n;
		int64_t v = offset ? f[0].i : f[1].ints[i];
		if (offset && !v)
			break;
		put_z(&w, offset ? "], offset: " : i ? ", " : "");
		put_f(&w, v == INT64_MIN ? "?" : "%" PRId64, v);
	}
	put_z(&w, f[0].i ? ">" : "]>");
	return c->texts->read_attr(c->ctx, source_of(c, &w));
}

/* Prints the elements from number *at on, with brackets for each dimension. */
static void put_strings(writer *w, const type *t, int d, const field *f, int64_t *at)
{
	if (d == t->rank) {
		put_quoted(w, name_str(f->names[(*at)++]));
		return;
	}
	put_c(w, '[');
	for (int64_t i = 0; i < t->dims[d]; i++) {
		put_z(w, i ? ", " : "");
		put_strings(w, t, d + 1, f, at);
	}
	put_c(w, ']');
}

/* dense<["a", "b"]> : tensor<2x!tf.string> */
const attr *codes_make_dense_strings(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	const type *t = f[0].t;
	bool splat = f[1].i;
	writer w;
	int64_t at = 0;
	if ((t->kind != TY_TENSOR && t->kind != TY_VECTOR) || !t->is_static ||
	    (splat ? f[2].n != 1 : f[2].n != t->n_elems))
		return c->fail(c, "there are other strings than the type has elements"), NULL;
	writer_init(&w, c->mem);
	put_lit(&w, "dense<");
	if (t->n_elems)
		put_strings(&w, t, splat ? t->rank : 0, &f[2], &at);
	put_lit(&w, "> : ");
	c->texts->write_type(&w, c->ctx, t);
	return c->texts->read_attr(c->ctx, source_of(c, &w));
}

/* Returns what is between the angle brackets of dense<…>; NULL, after a diagnostic, if the
 * attribute has none. */
static const char *text_of_elements(coder *c, const attr *a)
{
	writer w;
	writer_init(&w, c->mem);
	c->texts->write_attr(&w, c->ctx, a);
	const char *text = writer_z(&w), *end = strstr(text, "> : ");
	static const char head[] = "dense<";
	if (a->kind != AT_DENSE || !end || strncmp(text, head, sizeof head - 1))
		return c->fail(c, "sparse elements have something else than elements"), NULL;
	return arena_printf(c->mem, "%.*s", (int)(end - text - (long)sizeof head + 1), text + sizeof head - 1);
}

/* sparse<[[0, 1]], [2.0]> : tensor<4x4xf32> */
const attr *codes_make_sparse(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	writer w;
	const char *indices = text_of_elements(c, f[1].a), *values = indices ? text_of_elements(c, f[2].a) : NULL;
	if (!values)
		return NULL;
	writer_init(&w, c->mem);
	put_f(&w, "sparse<%s, %s> : ", indices, values);
	c->texts->write_type(&w, c->ctx, f[0].t);
	return c->texts->read_attr(c->ctx, source_of(c, &w));
}

/* distinct[0]<"a">: two of them are different even if their contents are equal. */
const attr *codes_make_distinct(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	writer w;
	writer_init(&w, c->mem);
	put_f(&w, "distinct[%" PRIu64 "]<", c->n_distinct++);
	if (f[0].a->kind != AT_UNIT)
		c->texts->write_attr(&w, c->ctx, f[0].a);
	put_c(&w, '>');
	return c->texts->read_attr(c->ctx, source_of(c, &w));
}

/* ---- memrefs -------------------------------------------------------------------------------- */

/* memref<2x?xf32, strided<[?, 1]>, 3>: an identity layout is left out. Without `dims` it is
 * unranked. */
static const type *memref_of(coder *c, const field *dims, const type *elem, const attr *layout,
                             const attr *space)
{
	writer w;
	writer_init(&w, c->mem);
	put_z(&w, dims ? "memref<" : "memref<*x");
	for (int64_t i = 0; dims && i < dims->n; i++)
		if (dims->ints[i] == DIM_DYNAMIC)
			put_lit(&w, "?x");
		else
			put_f(&w, "%" PRId64 "x", dims->ints[i]);
	c->texts->write_type(&w, c->ctx, elem);
	if (layout && layout != affine_identity(c, dims->n)) {
		put_lit(&w, ", ");
		c->texts->write_attr(&w, c->ctx, layout);
	}
	put_z(&w, space ? ", " : "");
	if (space && space->kind == AT_INT)
		put_int(&w, space->i);
	else if (space)
		c->texts->write_attr(&w, c->ctx, space);
	put_c(&w, '>');
	return c->texts->read_type(c->ctx, source_of(c, &w));
}

const type *codes_make_memref(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return memref_of(c, &f[0], f[1].t, f[2].a, NULL);
}

const type *codes_make_memref_in_space(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return memref_of(c, &f[1], f[2].t, f[3].a, f[0].a);
}

const type *codes_make_unranked_memref(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return memref_of(c, NULL, f[0].t, NULL, NULL);
}

const type *codes_make_unranked_memref_in_space(coder *c, const code_row *row, const field *f)
{
	UNUSED(row);
	return memref_of(c, NULL, f[1].t, NULL, f[0].a);
}
