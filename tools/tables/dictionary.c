/* dictionary.c - words for fuzzers, in libFuzzer's form: names of operations and
 * attributes, element types, and what the forms have between their operands. */
#include "tables.h"

static const char *const dtype_words[] = {
#define DTYPE(id, mlir, ...) mlir,
#include "shape/dtype.def"
};

static const char *const form_words[] = {
#define END NULL
#define OPERANDS(n) NULL
#define COMMA_OPERANDS(n) NULL
#define OPERAND(number) NULL
#define REST(n) NULL
#define ATTRS NULL
#define TYPES(kind) NULL
#define CUSTOM(...) NULL
#define TEXT(text) text
#define FIELD(text, attr, kind) text
#define OPTIONAL(text, attr, kind) text
#define WORD(text, attr, kind) text
#define OPTIONAL_WORD(text, attr, kind) text
#define RESULT_SHARDING(text) text
#define OPTIONAL_RESULT_SHARDING(text) text
#define FORM(name, ...) __VA_ARGS__,
#include "mlir/forms/forms.def"
};

/* What no table has: punctuation, built-in attributes and types, words of custom forms. */
static const char *const other_words[] = {
    "->", "(%arg0: ", "loc(", "loc(\"a\":1:2)", "callsite(", "fused[", "#loc1 = ", "!t = ", "-#}",
    "{-#", "dialect_resources", "dense<", "dense_resource<", "sparse<", "array<i64: ", "\"0x",
    "0x7FC00000", "affine_map<(d0) -> (d0)>", "tensor<", "tensor<?x", "tensor<*x", "complex<",
    "tuple<", "!quant.uniform<i8:f32, ", "!stablehlo.token", "!stablehlo.future<", "vector<",
    "memref<", "#stablehlo.bounds<", "#stablehlo.dot<", "#stablehlo.gather<", "#stablehlo.conv<",
    "#sdy.sharding<@mesh, [", "#sdy.mesh<[", "{\"x\"}", "{\"x\":(1)2, ?}p1", "replicated={",
    "unreduced={", "#sdy.op_sharding_rule<([i])->([i])>", "applies", "across dimensions = ",
    "reducer(", "init: ", "cond {", "do {", "dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]",
    "window = {stride = [1]}", "contracting_dims = [0] x [0]", "batching_dims = ", "precision = [",
    "func.func @main(", "return", "module {", "^bb0(", "private", "attributes {", "^bb0:", "<{",
};

static void put_word(FILE *f, const char *s)
{
	if (!s || !*s)
		return;
	putc('"', f);
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			putc(*s, f);
	fputs("\"\n", f);
}

void write_dictionary(FILE *f)
{
	fputs("# Made from the tables of operations by tools/tables: do not edit.\n", f);
	for (int k = 1; k < OP_COUNT; k++)
		put_word(f, op_kind_name(k));
	for (int i = 0; i < N_COUNT; i++)
		if (strcspn(name_text(i), " \t\n") == strlen(name_text(i)))
			put_word(f, name_text(i));
	for (int i = 0; i < COUNT(dtype_words); i++)
		put_word(f, dtype_words[i]);
	for (int i = 0; i < COUNT(form_words); i++)
		put_word(f, form_words[i]);
	for (int i = 0; i < COUNT(other_words); i++)
		put_word(f, other_words[i]);
}
