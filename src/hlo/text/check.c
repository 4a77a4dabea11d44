/* check.c - checks the shapes of an instruction. XLA's parser checks little and crashes on some of
 * the rest; whole programs are verified as StableHLO. */
#include "hlo/text/text.h"

#include <stdlib.h>

static bool check_fail(hlo_reader *r, place at, const char *what)
{
	return diag_error(r->ctx, at, E_HLO_SHAPE, "%s", what);
}

static bool same_sizes(const shape *a, const shape *b)
{
	enum { IGNORE = SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DTYPE | SHAPE_IGNORE_DYNAMIC };
	return shape_same(a, b, IGNORE);
}

/* Tokens and tuples are not checked. */
static bool check_elementwise(hlo_reader *r, const shape *s, const shape *const *operands, int n,
                              place at)
{
	for (int i = 0; i < n; i++)
		if (s->kind == SH_ARRAY && operands[i]->kind == SH_ARRAY &&
		    !same_sizes(s, operands[i]))
			return check_fail(
				r, at,
				"an elementwise operation has operands of other sizes than "
				"its result");
	return true;
}

static bool check_tuple(hlo_reader *r, const shape *s, const shape *const *operands, int n,
                        place at)
{
	bool ok = s->kind == SH_TUPLE && s->n_parts == n;
	for (int i = 0; ok && i < n; i++)
		ok = shape_same(s->parts[i], operands[i],
		                SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC);
	return ok ||
	       check_fail(r, at, "the parts of the tuple have other shapes than its operands");
}

static bool check_reshape(hlo_reader *r, const shape *s, const shape *from, place at)
{
	int64_t n, m;
	if (s->kind != SH_ARRAY || from->kind != SH_ARRAY)
		return check_fail(r, at, "only an array can be reshaped");
	return !shape_elements(s, &n) || !shape_elements(from, &m) || n == m ||
	       check_fail(r, at, "a reshape keeps the number of elements");
}

static bool check_element(hlo_reader *r, const shape *s, const shape *from, const attr_list *l,
                          place at)
{
	const attr *a = attrs_get_named(l, name_of_z(r->ctx, "index"));
	int64_t i = a ? strtoll(a->text->s, NULL, 10) : -1;
	if (from->kind != SH_TUPLE || i < 0 || i >= from->n_parts)
		return check_fail(r, at, "the tuple has no element of this index");
	return shape_same(s, from->parts[i], SHAPE_IGNORE_LAYOUT | SHAPE_IGNORE_DYNAMIC) ||
	       check_fail(r, at, "the element has another shape");
}

/* Checks all-gather and other ops along a dimension that the text gives. */
static bool check_gathered(hlo_reader *r, const shape *s, const attr_list *l, place at)
{
	const attr *a = attrs_get(l, N_dimensions);
	const shape *array = s->kind == SH_TUPLE && s->n_parts ? s->parts[s->n_parts - 1] : s;
	char *end;
	if (!a)
		return true;
	int64_t dim = strtoll(a->text->s + 1, &end, 10);
	if (end == a->text->s + 1 || *end != '}' || dim < 0 ||
	    (array->kind == SH_ARRAY && dim >= array->rank))
		return check_fail(r, at, "the operation works along one dimension of the array");
	return true;
}

/* There must be as many tiled dimensions as the array has. */
static bool check_sharding(hlo_reader *r, const shape *s, const attr_list *l, place at)
{
	const attr *a = attrs_get_named(l, name_of_z(r->ctx, "sharding"));
	if (!a || s->kind != SH_ARRAY)
		return true;
	source src = {.name = "", .text = name_str(a->text), .first_line = 1};
	uint32_t end;
	const hlo_sharding *h = hlo_sharding_parse(r->ctx, &src, 0, &end);
	if (!h || h->kind != HS_TILED)
		return true;
	int rank = h->named ? h->sdy->rank : h->rank - h->n_subgroups;
	if (rank == s->rank)
		return true;
	return diag_error(r->ctx, at, E_HLO_SHARDING_SHAPE,
	                  "the sharding tiles %d dimensions, the array has %d", rank, s->rank);
}

static bool takes_equal_sizes(const char *opcode)
{
	static const char *const names[] = {"add",
	                                    "and",
	                                    "atan2",
	                                    "compare",
	                                    "divide",
	                                    "maximum",
	                                    "minimum",
	                                    "mulhi",
	                                    "multiply",
	                                    "or",
	                                    "power",
	                                    "remainder",
	                                    "shift-left",
	                                    "shift-right-arithmetic",
	                                    "shift-right-logical",
	                                    "subtract",
	                                    "xor",
	                                    "complex"};
	for (int i = 0; i < COUNT(names); i++)
		if (strcmp(opcode, names[i]) == 0)
			return true;
	return false;
}

bool hlo_check(hlo_reader *r, const hlo_opcode *o, const shape *s, const shape *const *operands,
               int n, const attr_list *l, place at)
{
	if (!check_sharding(r, s, l, at))
		return false;
	if (takes_equal_sizes(o->opcode))
		return check_elementwise(r, s, operands, n, at);
	if (strcmp(o->opcode, "tuple") == 0)
		return check_tuple(r, s, operands, n, at);
	if (strcmp(o->opcode, "reshape") == 0)
		return check_reshape(r, s, operands[0], at);
	if (strcmp(o->opcode, "get-tuple-element") == 0)
		return check_element(r, s, operands[0], l, at);
	if (strcmp(o->opcode, "all-gather") == 0 || strcmp(o->opcode, "reduce-scatter") == 0)
		return check_gathered(r, s, l, at);
	return true;
}
