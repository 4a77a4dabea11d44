/* docs.c - docs/ops.md: what is known of each operation. */
#include "tables.h"

typedef struct op_facts {
	bool pretty;
	bool operand_kinds, constraints, rule, rule_beyond;
	bool local, evaluated;           /* of partition/local/local.def, exec/kernel/kernels.def */
} op_facts;

static bool named(const char *what, const char *name) { return strcmp(what, name) == 0; }

static const struct {
	const char *form, *operands;
	bool checked, inferred, rule, rule_beyond;
} rows[OP_COUNT] = {
#define OP(id, opname, form_name, traits, ...) [OP_##id] = {.form = #form_name, __VA_ARGS__},
#define OPERANDS(kinds, words) .operands = kinds,
#define CHECK(f) .checked = true,
#define INFER(f) .inferred = true,
#define RULE(f) .rule = true,
#define RULE_MORE(f) .rule_beyond = true,
#include "op/ops.def"
};

static const int locals[] = {
#define LOCAL(id, function) OP_##id,
#include "partition/local/local.def"
#undef LOCAL
};

static const int kernels[] = {
#define PLANNED(id, name) OP_##id,
#define KERNEL(id, name, form) OP_##id,
#define EXPANDED(id, name) OP_##id,
#define SPECIALISED(id, name) OP_##id,
#define INLINED(id) OP_##id,
#include "exec/kernel/kernels.def"
};

static op_facts facts_of(int kind)
{
	size_t len;
	bool sdy = !strncmp(dialect_of(kind, &len), "sdy.", 4);
	op_facts f = {.constraints = sdy || kind == OP_FUNC_FUNC};
	f.pretty = !named(rows[kind].form, "generic");
	f.operand_kinds = rows[kind].operands != NULL;
	f.constraints |= f.operand_kinds && (rows[kind].checked || rows[kind].inferred);
	f.rule = rows[kind].rule;
	f.rule_beyond = rows[kind].rule_beyond;
	for (int i = 0; i < COUNT(locals); i++)
		f.local |= locals[i] == kind;
	f.evaluated = op_kind_traits(kind) & FUSES;
	for (int i = 0; i < COUNT(kernels); i++)
		f.evaluated |= kernels[i] == kind;
	return f;
}

static void put_words(FILE *f, const char *words, const char *none)
{
	word w;
	for (int i = 0; word_at(words, i, &w); i++)
		fprintf(f, "%s%s%s", i ? ", " : "", w.text, w.many ? "…" : "");
	if (!word_count(words))
		fprintf(f, "%s", none);
}

static void write_row(FILE *f, int kind)
{
	op_facts k = facts_of(kind);
	const op_signature *s = op_signature_of(kind);
	size_t len;
	dialect_of(kind, &len);
	fprintf(f, "| %s | ", op_kind_name(kind) + len + 1);
	put_words(f, s ? s->operands : "", "");
	if (s && word_count(s->regions)) {
		fprintf(f, " {");
		put_words(f, s->regions, "");
		fprintf(f, "}");
	}
	fprintf(f, " | %s | %s | %s | %s | %s | %s |\n", k.pretty ? "pretty" : "generic",
	        k.constraints     ? "constraints"
	        : k.operand_kinds ? "types"
	                          : "attributes",
	        op_can_infer(kind) ? "yes" : "",
	        k.rule          ? "yes"
	        : k.rule_beyond ? "beyond"
	                        : "",
	        k.local                   ? "own"
	        : k.rule || k.rule_beyond ? "by rule"
	                                  : "",
	        k.evaluated ? "yes" : "");
}

static void write_count(FILE *f, const int *kinds, int n)
{
	int constraints = 0, infer = 0, rule = 0, local = 0, evaluated = 0;
	for (int i = 0; i < n; i++) {
		op_facts k = facts_of(kinds[i]);
		constraints += k.constraints;
		infer += op_can_infer(kinds[i]);
		rule += k.rule || k.rule_beyond;
		local += k.local;
		evaluated += k.evaluated;
	}
	fprintf(f,
	        "Of %d operations, %d have constraints that are checked, %d infer their types, %d have\n"
	        "a sharding rule, %d are partitioned by code of their own, and %d are evaluated.\n",
	        n, constraints, infer, rule, local, evaluated);
}

void write_docs(FILE *f)
{
	int kinds[OP_COUNT], n = kinds_by_name(kinds);
	size_t len, last = 0;
	const char *dialect = "";
	fputs("# Operations\n\n"
	      "What tessera knows about each operation. `ninja tables` generates this page from"
	      " the tables of\n"
	      "operations: do not edit it. With `-allow-unregistered-dialect`, operations of"
	      " other dialects are\n"
	      "read and printed unchanged.\n\n"
	      "| column | meaning |\n"
	      "|---|---|\n"
	      "| operands | in order; `…` stands for any number; regions in braces |\n"
	      "| text | *pretty*: the operation has its own syntax; *generic*: only MLIR's"
	      " generic form, which is read for all operations |\n"
	      "| verified | *constraints*: the constraints of the specification; *types*: the"
	      " number and element types of operands and results; *attributes*: that required"
	      " attributes are present |\n"
	      "| infer | *yes*: result types follow from operands and attributes |\n"
	      "| rule | *yes*: the operation has a sharding rule; *beyond*: it has one, but"
	      " Shardy has none |\n"
	      "| partition | *own*: by code for this operation; *by rule*: on local shapes, by"
	      " its sharding rule; empty: computed whole on every device |\n"
	      "| evaluate | *yes*: `tess run` and `tess eval` compute it |\n\n",
	      f);
	write_count(f, kinds, n);
	for (int i = 0; i < n; i++) {
		const char *name = dialect_of(kinds[i], &len);
		if (len != last || memcmp(name, dialect, len) != 0)
			fprintf(f,
			        "\n## %.*s\n\n| operation | operands | text | verified | infer | rule | partition | "
			        "evaluate |\n|---|---|---|---|---|---|---|---|\n",
			        (int)len, name);
		dialect = name;
		last = len;
		write_row(f, kinds[i]);
	}
}
