/* builders.c - tessera/ops.h and src/api/ops.c: a function for each operation. */
#include "tables.h"

/* What a builder takes besides operands: the attributes that must be there.  Segment sizes
 * follow from the operands. */
static bool is_parameter(const attr_row *row)
{
	return row->needed && row->name != N_operandSegmentSizes &&
	       row->name != N_resultSegmentSizes;
}

static bool has_many(const char *words)
{
	word w;
	for (int i = 0; word_at(words, i, &w); i++)
		if (w.many)
			return true;
	return false;
}

/* It has exactly one result, and no region. */
static bool gives_value(int kind)
{
	const op_signature *s = op_signature_of(kind);
	word w;
	return word_count(s->results) == 1 && word_at(s->results, 0, &w) && !w.many &&
	       !(w.same && has_many(s->operands)) && !word_count(s->regions);
}

/* sdy ops have no kinds in ops.def, but most result types are the operand's. */
static bool infers(int kind)
{
	const op_signature *s = op_signature_of(kind);
	word w;
	if (word_count(s->regions) || !word_at(s->results, 0, &w) || has_many(s->results))
		return false;
	return op_can_infer(kind) || w.same;
}

/* The result has its operand's type, and nothing but that. */
static bool takes_operand_type(int kind)
{
	const op_signature *s = op_signature_of(kind);
	word w;
	return !op_can_infer(kind) && word_at(s->results, 0, &w) && w.same;
}

/* ---- parameters ---------------------------------------------------------------------- */

typedef struct line {
	FILE *f;
	int col, indent;
} line;

/* One parameter; lines are broken before column 100. */
static void put_parameter(line *l, const char *text)
{
	int len = (int)strlen(text);
	if (l->col + 2 + len + 2 > 100) {
		fprintf(l->f, ",\n%*s", l->indent, "");
		l->col = l->indent;
	} else {
		fprintf(l->f, ", ");
		l->col += 2;
	}
	fprintf(l->f, "%s", text);
	l->col += len;
}

static void attr_parameters(line *l, const attr_row *row)
{
	char text[160];
	const char *name = name_text(row->name);
	switch (row->kind) {
	case ATTR_BOOL: snprintf(text, sizeof text, "bool %s", name); break;
	case ATTR_I32: snprintf(text, sizeof text, "int32_t %s", name); break;
	case ATTR_I64:
	case ATTR_INDEX:
	case ATTR_POSITIVE: snprintf(text, sizeof text, "int64_t %s", name); break;
	case ATTR_F32: snprintf(text, sizeof text, "double %s", name); break;
	case ATTR_STRING:
	case ATTR_SYMBOL_REF:
	case ATTR_ENUM: snprintf(text, sizeof text, "const char *%s", name); break;
	case ATTR_INTS:
		snprintf(text, sizeof text, "const int64_t *%s", name);
		put_parameter(l, text);
		snprintf(text, sizeof text, "size_t n_%s", name);
		break;
	case ATTR_SHARDING: snprintf(text, sizeof text, "const tess_sharding *%s", name); break;
	case ATTR_MESH: snprintf(text, sizeof text, "const tess_mesh *%s", name); break;
	default: snprintf(text, sizeof text, "const tess_attr *%s", name); break;
	}
	put_parameter(l, text);
}

static void group_parameters(line *l, const char *words, const char *one, const char *many)
{
	char text[160];
	word w;
	for (int i = 0; word_at(words, i, &w); i++) {
		snprintf(text, sizeof text, "%s%s", w.many ? many : one, w.text);
		put_parameter(l, text);
		if (w.many) {
			snprintf(text, sizeof text, "size_t n_%s", w.text);
			put_parameter(l, text);
		}
	}
}

static void result_parameters(line *l, int kind)
{
	const op_signature *s = op_signature_of(kind);
	if (!infers(kind))
		group_parameters(l, s->results, "const tess_type *", "const tess_type *const *");
}

static void many_regions(line *l, const char *regions)
{
	char text[80];
	word w;
	for (int i = 0; word_at(regions, i, &w); i++)
		if (w.many) {
			snprintf(text, sizeof text, "size_t n_%s", w.text);
			put_parameter(l, text);
		}
}

static void write_prototype(FILE *f, int kind, const char *before, const char *after)
{
	char name[100];
	const op_signature *s = op_signature_of(kind);
	line l = {.f = f};
	const char *type = gives_value(kind) ? "tess_value *" : "tess_op *";
	l.indent = fprintf(f, "%s%stess_%s(", before, type, c_name(kind, name, sizeof name));
	l.col = l.indent + fprintf(f, "tess_builder *at");
	result_parameters(&l, kind);
	group_parameters(&l, s->operands, "tess_value *", "tess_value *const *");
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++)
		if (is_parameter(row))
			attr_parameters(&l, row);
	many_regions(&l, s->regions);
	fprintf(f, ")%s", after);
}

/* ---- the header -------------------------------------------------------------------------- */

static const char *kind_words(attr_row_kind kind)
{
	static const char *const words[] = {
	    [ATTR_ANY] = "any", [ATTR_UNIT] = "unit", [ATTR_BOOL] = "bool", [ATTR_STRING] = "string",
	    [ATTR_TYPE] = "type", [ATTR_LIST] = "array", [ATTR_DICT] = "dictionary",
	    [ATTR_I32] = "i32", [ATTR_I64] = "i64", [ATTR_INDEX] = "i64", [ATTR_POSITIVE] = "i64",
	    [ATTR_F32] = "f32", [ATTR_INTS] = "numbers", [ATTR_BOOLS] = "array of bools",
	    [ATTR_ELEMENTS] = "elements", [ATTR_I64_ELEMENTS] = "elements", [ATTR_ENUM] = "enum", [ATTR_ENUMS] = "array of enums",
	    [ATTR_STRUCT] = "struct", [ATTR_GROUPS] = "elements or mesh axes",
	    [ATTR_SYMBOL_REF] = "symbol", [ATTR_MESH] = "mesh", [ATTR_SHARDING] = "sharding",
	    [ATTR_SHARDINGS] = "sharding_per_value", [ATTR_MANUAL_AXES] = "manual_axes",
	    [ATTR_AXES] = "axes", [ATTR_AXES_LIST] = "list of axes",
	    [ATTR_ALL_TO_ALL] = "all_to_all parameters",
	};
	return words[kind];
}

/* Words of a comment, broken before column 90. */
static void put_comment(FILE *f, int *col, const char *text)
{
	if (*col + 1 + (int)strlen(text) > 90)
		*col = fprintf(f, "\n *  %s", text) - 1;
	else
		*col += fprintf(f, " %s", text);
}

static void write_optional(FILE *f, int kind)
{
	char text[120];
	const attr_row *last = NULL;
	int col = 0;
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++)
		last = row->needed ? last : row;
	if (!last)
		return;
	col = fprintf(f, "\n *  May also have") - 1;
	for (const attr_row *row = op_attr_rows(kind); row->kind; row++) {
		if (row->needed)
			continue;
		snprintf(text, sizeof text, "%s (%s)%s", name_text(row->name),
		         kind_words(row->kind), row == last ? "." : ",");
		put_comment(f, &col, text);
	}
}

static void write_comment(FILE *f, int kind)
{
	const op_signature *s = op_signature_of(kind);
	word w;
	int n = word_count(s->regions);
	fprintf(f, "/** %s", op_kind_name(kind));
	for (int i = 0; word_at(s->regions, i, &w); i++)
		fprintf(f, "%s %s",
		        i                   ? ","
		        : n == 1 && !w.many ? "; a region to fill:"
		                            : "; regions to fill:",
		        w.text);
	write_optional(f, kind);
	fprintf(f, " */\n");
}

void write_builders_header(FILE *f)
{
	int kinds[OP_COUNT], n = kinds_by_name(kinds);
	size_t len, last = 0;
	const char *dialect = "";
	fputs("/* tessera/ops.h - a builder for each operation.  Made from the tables of operations by\n"
	      " * tools/tables: do not edit.\n"
	      " *\n"
	      " * See tessera/build.h for what all have in common.  A builder takes, in this order, the\n"
	      " * types of the results where they do not follow from the operands, the operands, the\n"
	      " * attributes that must be there, and how many regions there are where that varies.\n"
	      " * What may also be there is given to tess_op_set_attr() afterwards.  It returns the\n"
	      " * result if there is exactly one and no region, else the operation.  Regions are empty:\n"
	      " * see tess_block_new() and tess_build_reducer().\n"
	      " *\n"
	      " * Attributes that are words of an enum are given as the word: \"LT\", \"THREE_FRY\". */\n"
	      "#ifndef TESSERA_OPS_H\n#define TESSERA_OPS_H\n\n#include <tessera/build.h>\n\n"
	      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
	      f);
	for (int i = 0; i < n; i++) {
		if (!op_signature_of(kinds[i]))
			continue;
		const char *name = dialect_of(kinds[i], &len);
		if (len != last || memcmp(name, dialect, len) != 0)
			fprintf(f, "\n/* ---- %.*s ---- */\n", (int)len, name);
		dialect = name;
		last = len;
		fprintf(f, "\n");
		write_comment(f, kinds[i]);
		write_prototype(f, kinds[i], "TESS_API ", ";\n");
	}
	fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", f);
}

/* ---- the source ------------------------------------------------------------------------------ */

static void write_groups(FILE *f, const char *call, const char *words)
{
	word w;
	for (int i = 0; word_at(words, i, &w); i++)
		if (w.many)
			fprintf(f, "\t%s(&c, %s, n_%s);\n", call, w.text, w.text);
		else
			fprintf(f, "\t%s(&c, &%s, 1);\n", call, w.text);
}

static void write_result_types(FILE *f, int kind)
{
	const op_signature *s = op_signature_of(kind);
	word w;
	if (!word_at(s->results, 0, &w))
		return;
	if (!infers(kind)) {
		write_groups(f, "call_results", s->results);
	} else if (takes_operand_type(kind)) {
		word_at(s->operands, 0, &w);
		fprintf(f, "\tcall_result_like(&c, %s);\n", w.text);
	} else if (w.same && has_many(s->operands)) {
		fprintf(f, "\tcall_infer_like_operands(&c);\n");
	} else {
		fprintf(f, "\tcall_infer(&c, %d);\n", word_count(s->results));
	}
}

static void write_attr(FILE *f, const attr_row *row)
{
	const char *name = name_text(row->name);
	switch (row->kind) {
	case ATTR_BOOL: fprintf(f, "\tcall_int(&c, N_%s, ATTR_BOOL, %s);\n", name, name); break;
	case ATTR_I32: fprintf(f, "\tcall_int(&c, N_%s, ATTR_I32, %s);\n", name, name); break;
	case ATTR_I64:
	case ATTR_INDEX:
	case ATTR_POSITIVE: fprintf(f, "\tcall_int(&c, N_%s, ATTR_I64, %s);\n", name, name); break;
	case ATTR_F32: fprintf(f, "\tcall_float(&c, N_%s, %s);\n", name, name); break;
	case ATTR_STRING:
		fprintf(f, "\tcall_text(&c, N_%s, ATTR_STRING, %s);\n", name, name);
		break;
	case ATTR_SYMBOL_REF:
		fprintf(f, "\tcall_text(&c, N_%s, ATTR_SYMBOL_REF, %s);\n", name, name);
		break;
	case ATTR_ENUM: fprintf(f, "\tcall_text(&c, N_%s, ATTR_ENUM, %s);\n", name, name); break;
	case ATTR_INTS: fprintf(f, "\tcall_ints(&c, N_%s, %s, n_%s);\n", name, name, name); break;
	case ATTR_SHARDING: fprintf(f, "\tcall_sharding(&c, N_%s, %s);\n", name, name); break;
	case ATTR_MESH: fprintf(f, "\tcall_mesh(&c, N_%s, %s);\n", name, name); break;
	default: fprintf(f, "\tcall_attr_value(&c, N_%s, %s);\n", name, name); break;
	}
}

static void write_regions(FILE *f, const char *regions)
{
	word w;
	int fixed = 0;
	for (int i = 0; word_at(regions, i, &w); i++)
		if (w.many)
			fprintf(f, "\tcall_regions(&c, n_%s);\n", w.text);
		else
			fixed++;
	if (fixed)
		fprintf(f, "\tcall_regions(&c, %d);\n", fixed);
}

static const char *id_of(int kind)
{
	static const char *const ids[] = {
	    "",
#define OP(id, ...) #id,
#include "op/ops.def"
	};
	return ids[kind];
}

void write_builders_source(FILE *f)
{
	int kinds[OP_COUNT], n = kinds_by_name(kinds);
	fputs("/* ops.c - the builders of tessera/ops.h.  Made from the tables of operations by\n"
	      " * tools/tables: do not edit. */\n"
	      "#include \"api/build.h\"\n\n#include <tessera/ops.h>\n", f);
	for (int i = 0; i < n; i++) {
		const op_signature *s = op_signature_of(kinds[i]);
		if (!s)
			continue;
		fprintf(f, "\n");
		write_prototype(f, kinds[i], "", "\n{\n");
		fprintf(f, "\top_call c = call_begin(at, OP_%s);\n", id_of(kinds[i]));
		write_groups(f, "call_operands", s->operands);
		write_result_types(f, kinds[i]);
		for (const attr_row *row = op_attr_rows(kinds[i]); row->kind; row++)
			if (is_parameter(row))
				write_attr(f, row);
		write_regions(f, s->regions);
		fprintf(f, "\treturn %s(&c);\n}\n",
		        gives_value(kinds[i]) ? "call_value" : "call_op");
	}
}
