/* verify.c - the verifier: structure first, then each op's own constraints.
 *
 * One pass over the module in program order. For every op it checks the counts and kinds of
 * operands and results that its row of ops.def states, then its constraints, then, if types can be
 * inferred, whether the written ones agree. Wrong counts or kinds end the checks of that op, so
 * that later checks may rely on them: among others, ranks are known unless the row says
 * UNRANKED. */
#include "op/verify/dominance.h"
#include "op/verify/sdy.h"

typedef struct verify_row {
	bool known;
	const char *operands, *results;
	int n_regions; /* -1: any */
	infer_fn *infer, *propose;
	count_fn *count;
	check_fn *check, *quant;
} verify_row;

static const verify_row verify_rows[OP_COUNT] = {
#define OP(id, opname, form, traits, ...) [OP_##id] = {.known = true, __VA_ARGS__},
#define OPERANDS(kinds, words) .operands = kinds,
#define RESULTS(kinds, words) .results = kinds,
#define REGIONS(n, words) .n_regions = n,
#define INFER(f) .infer = infer_##f,
#define PROPOSE(f) .propose = infer_##f,
#define COUNTED(f) .count = count_##f,
#define CHECK(f) .check = check_##f,
#define QUANT(f) .quant = quant_##f,
#include "op/ops.def"
};

/* ---- kinds of operands and results -------------------------------------------------- */

static bool dtype_in(char letter, dtype d)
{
	dtype_class c = dtype_class_of(d);
	bool integer = c == DC_SINT || c == DC_UINT, flt = c == DC_FLOAT, cplx = c == DC_COMPLEX;
	switch (letter) {
	case 'a':
	case 'A':
	case 'X': return c != DC_INDEX;
	case 'P': return integer || c == DC_BOOL;
	case 'B': return c == DC_BOOL;
	case 'I': return integer;
	case 'N': return integer || flt || cplx;
	case 'f':
	case 'F': return flt;
	case 'c':
	case 'C': return flt || cplx;
	case 'S': return c == DC_SINT || flt || cplx;
	case 'Z': return cplx;
	case 'i': return integer;
	case 's':
	case 'd': return integer || c == DC_INDEX;
	default: return false;
	}
}

static bool type_in(char letter, const type *t)
{
	if (letter == 'T')
		return true;
	if (letter == 'V')
		return t->kind != TY_MEMREF;
	if (letter == 'K')
		return t->kind == TY_TOKEN;
	if (letter == 'Y')
		return !is_tensor(t) || type_in('A', t);
	if (!is_tensor(t))
		return false;
	if (letter == 'i' && is_ranked(t) && t->rank)
		return false;
	if ((letter == 'd' || letter == 's') && is_ranked(t) && t->rank != 1)
		return false;
	if (letter == 's' && !t->is_static)
		return false;
	if (is_quantized(t))
		return quant_type_ok(t) &&
		       strchr(t->elem->quant->axis < 0 ? "AXFCSNQ" : "XQ", letter);
	return t->dtype && dtype_in(letter, t->dtype);
}

static const char *kind_words(char letter)
{
	switch (letter) {
	case 'P': return "a tensor of i1 or integers";
	case 'B': return "a tensor of i1";
	case 'I': return "a tensor of integers";
	case 'N': return "a tensor of integers, floats or complex numbers";
	case 'f':
	case 'F': return "a tensor of floats";
	case 'c':
	case 'C': return "a tensor of floats or complex numbers";
	case 'S': return "a tensor of signed integers, floats or complex numbers";
	case 'Z': return "a tensor of complex numbers";
	case 'i': return "a scalar integer tensor";
	case 'd': return "a one-dimensional tensor of integers";
	case 's': return "a one-dimensional static tensor of integers";
	case 'V': return "a tensor or a token";
	case 'Q': return "a tensor of quantized numbers";
	case 'K': return "a token";
	default: return "a tensor";
	}
}

/* Operations of StableHLO and CHLO require known ranks, with few exceptions. */
static bool wants_ranks(const op *o)
{
	tess_str name = str_of(op_name(o));
	return !op_has(o, UNRANKED) &&
	       (str_starts(name, "stablehlo.") || str_starts(name, "chlo."));
}

/* Checks values against a pattern of letters; false with a diagnostic if they do not fit. */
static bool fits(module *m, const op *o, const char *pattern, const char *what, int n,
                 const type *(*get)(const op *, int))
{
	size_t len = strlen(pattern);
	char tail = len ? pattern[len - 1] : 0;
	bool open = tail == '*' || tail == '+' || tail == '?';
	int fixed = (int)len - (open ? 2 : 0);
	int least = fixed + (tail == '+'), most = tail == '*' || tail == '+' ? INT32_MAX
	                                          : fixed + (tail == '?');
	if (n < least || n > most)
		return diag_error(m->ctx, op_place(m, o), E_OPERANDS,
		                  "'%s' op has %d %s%s, expected %s%d", op_name(o), n, what,
		                  n == 1 ? "" : "s", most > least ? "at least " : "", least);
	for (int i = 0; i < n; i++) {
		char letter = pattern[i < fixed ? i : fixed];
		if (!type_in(letter, get(o, i)))
			return diag_error(m->ctx, op_place(m, o), E_TYPE,
			                  "'%s' op %s %d is %s, expected %s", op_name(o), what, i,
			                  type_words(m, get(o, i)), kind_words(letter));
		if (get(o, i)->kind == TY_UNRANKED && wants_ranks(o))
			return diag_error(m->ctx, op_place(m, o), E_TYPE,
			                  "'%s' op %s %d is %s, expected a ranked tensor",
			                  op_name(o), what, i, type_words(m, get(o, i)));
	}
	return true;
}

static const type *operand_type(const op *o, int i) { return operand(o, i)->type; }
static const type *result_type(const op *o, int i) { return o->results[i].type; }

/* ---- one op ------------------------------------------------------------------------------ */

static bool results_agree(module *m, const op *o, infer_fn *infer)
{
	const type **want = NEW_N(&m->ctx->scratch, const type *, o->n_results + 1);
	int errors = diag_errors(m->ctx);
	bool ok = true;
	if (infer && infer(m, o, want)) {
		for (int i = 0; i < o->n_results && ok; i++)
			if (!types_agree(want[i], o->results[i].type))
				ok = diag_error(
					m->ctx, op_place(m, o), E_RESULT_TYPE,
					"'%s' op result %d is %s, but its operands and attributes "
					"make %s",
					op_name(o), i, type_words(m, o->results[i].type),
					type_words(m, want[i]));
	} else {
		ok = diag_errors(m->ctx) == errors;
	}
	return ok;
}

static bool bad_kind(module *m, const op *o, const attr_row *row)
{
	const char *kind = attr_enum_kind(row->name);
	return kind ? bad_attr(m, o, row->name, "must be %s#stablehlo<%s …>",
	                       row->kind == ATTR_ENUMS ? "a list of " : "", kind)
	            : bad_attr(m, o, row->name, "is of another kind than the op takes");
}

/* Needed attributes must exist, and all must be of their kinds. Shardings of sdy's ops are in the
 * values, not among the attributes. */
static bool attrs_fit(module *m, const op *o)
{
	for (const attr_row *row = op_attr_rows(o->kind); row->kind; row++) {
		const attr *a = op_attr(o, row->name);
		bool elsewhere = row->kind == ATTR_SHARDING || op_is_func(o);
		if (!a && row->needed && !elsewhere)
			return bad_attr(m, o, row->name, "is required");
		if (a && !attr_fits(row, a))
			return bad_kind(m, o, row);
		const attr *word = a ? attr_bad_enum(a) : NULL;
		if (word)
			return bad_attr(m, o, row->name, "has the word %s, expected one of %s",
			                word->word->s, enum_words(word));
	}
	return true;
}

static bool regions_fit(module *m, const op *o, int wanted)
{
	if (wanted >= 0 && op_n_regions(o) != wanted)
		return diag_error(m->ctx, op_place(m, o), E_OPERANDS,
		                  "'%s' op has %d regions, expected %d", op_name(o),
		                  op_n_regions(o), wanted);
	for (int i = 0; i < op_n_regions(o); i++)
		if (!op_block(o, i))
			return bad_region(m, o, "has an empty region %d", i);
	return true;
}

bool op_verify(module *m, op *o)
{
	const verify_row *r = &verify_rows[o->kind];
	if (!attrs_ok(m, o))
		return false;
	for (int i = 0; i < o->n_results; i++)
		if (o->results[i].type->encoding && !bounds_fit(m, o, o->results[i].type))
			return false;
	if (!r->operands)
		return attrs_fit(m, o);
	if (!fits(m, o, r->operands, "operand", o->n_operands, operand_type) ||
	    !fits(m, o, r->results, "result", o->n_results, result_type))
		return false;
	if (!regions_fit(m, o, r->n_regions) || !attrs_fit(m, o))
		return false;
	arena_mark mark = arena_here(&m->ctx->scratch);
	bool ok = (!r->check || r->check(m, o)) && results_agree(m, o, r->infer) &&
	          (!r->quant || !op_is_quantized(o) || r->quant(m, o));
	arena_back(&m->ctx->scratch, mark);
	return ok;
}

/* ---- inferring results ---------------------------------------------------------------------- */

bool op_can_infer(int kind)
{
	return verify_rows[kind].infer || verify_rows[kind].propose;
}

/* The number of words in a list like "inputs* token"; *many: there may be more values. */
static int words_in(const char *words, bool *many)
{
	int n = 0;
	*many = false;
	for (const char *s = words ? words : ""; *s; s++) {
		n += *s != ' ' && (s == words || s[-1] == ' ');
		*many |= *s == '*';
	}
	return n;
}

/* For operations that are not checked, the table says at least how many operands they have. */
static bool operands_fit(module *m, const op *o, const verify_row *r)
{
	const op_signature *s = op_signature_of(o->kind);
	bool many;
	if (r->operands)
		return fits(m, o, r->operands, "operand", o->n_operands, operand_type);
	int n = words_in(s ? s->operands : NULL, &many);
	return many || o->n_operands == n ||
	       broken(m, o, "", "has %d operands, expected %d", o->n_operands, n);
}

bool op_infer(module *m, const op *o, const type **types)
{
	const verify_row *r = &verify_rows[o->kind];
	infer_fn *infer = r->infer ? r->infer : r->propose;
	return infer && operands_fit(m, o, r) &&
	       regions_fit(m, o, r->operands ? r->n_regions : -1) && attrs_fit(m, o) &&
	       infer(m, o, types);
}

int op_result_count(const module *m, const op_parts *p)
{
	const verify_row *r = &verify_rows[p->kind];
	const op_signature *s = op_signature_of(p->kind);
	bool many, many_operands;
	if (r->count)
		return r->count(m, p);
	if (!s)
		return -1;
	int n = words_in(s->results, &many);
	words_in(s->operands, &many_operands);
	bool like_operands = n == 1 && strchr(s->results, '=') && many_operands;
	return like_operands ? p->n_operands : many ? -1 : n;
}

/* ---- the module ------------------------------------------------------------------------------ */

static bool func_verify(module *m, const op *o)
{
	const block *b = op_body(o);
	const type *t = op_func(o)->type;
	if (!func_attrs_ok(m, o))
		return false;
	for (int i = 0; i < t->n_in; i++)
		if (t->in[i]->encoding && !bounds_fit(m, o, t->in[i]))
			return false;
	if (!b)
		return true;
	if (b->n_args != t->n_in)
		return bad_region(m, o, "has a body with %d arguments, but its type has %d",
		                  b->n_args, t->n_in);
	for (int i = 0; i < b->n_args; i++)
		if (b->args[i]->type != t->in[i])
			return bad_region(m, o,
			                  "has a body whose argument %d differs from its type", i);
	if (!b->next && !block_ends(b))
		return diag_error(m->ctx, op_place(m, b->last ? b->last : o), E_TERMINATOR,
		                  "'%s' op: its body must end in a return", op_name(o));
	return true;
}

/* Functions and meshes are found by their names in a module: in anything else that is known, nobody would. */
static bool symbol_ok(module *m, const op *o)
{
	const op *around = op_parent(o);
	return !op_has(o, SYMBOL) || !op_symbol(o) || around->kind == OP_BUILTIN_MODULE ||
	       around->kind == OP_UNKNOWN ||
	       diag_error(m->ctx, op_place(m, o), E_SYMBOL, "'%s' op must be in a module, not in '%s'",
	                  op_name(o), op_name(around));
}

bool module_verify(module *m)
{
	int errors = diag_errors(m->ctx);
	sdy_walk sdy = {.m = m};
	dominance dom = dominance_begin(m);
	module_attrs_ok(m, m->top);
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		PREFETCH(o->next);
		symbol_ok(m, o);
		if (op_is_func(o))
			func_verify(m, o);
		if (dominance_visit(&dom, o) && blocks_ok(m, o) && op_verify(m, o))
			sdy_verify(&sdy, o);
	}
	return diag_errors(m->ctx) == errors;
}
