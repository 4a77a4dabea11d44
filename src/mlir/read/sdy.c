/* sdy.c - parses attributes of the sdy dialect.
 *
 * Meshes, axes and shardings are parsed by the sharding layer, which reads the same source text and
 * returns where it stopped. */
#include "mlir/read/read.h"

#include <stdlib.h>

/* After a parser of the sharding layer: continues at `end`, unless it failed. */
static bool sdy_continue(reader *r, bool ok, uint32_t end)
{
	if (ok && !r->failed) {
		read_goto(r, r->text + end);
		return true;
	}
	r->failed = true; /* already reported */
	r->tok = T_END;
	r->tok_at = r->at = r->end;
	return false;
}

/* Reads <@mesh, […]>. */
static const sharding *read_sharding_body(reader *r)
{
	uint64_t hash = 0;
	uint32_t end = 0;
	if (r->tok == T_HASH) { /* the long form, or an alias */
		const attr *a = read_attr(r);
		if (a->kind != AT_SHARDING)
			read_expected(r, "a sharding before this");
		return a->sharding;
	}
	if (r->failed || r->tok != '<') {
		read_expected(r, "'<' of a sharding");
		return NULL;
	}
	const char *begin = r->tok_at, *close = angle_end(r, begin);
	tess_str span = {begin, close ? (size_t)(close + 1 - begin) : 0};
	const sharding *s = close ? memo_find(&r->shardings, span, &hash) : NULL;
	if (s) {
		read_goto(r, close + 1);
		return s;
	}
	s = sharding_parse(r->ctx, r->src, tok_pos(r), &end, NULL);
	if (!sdy_continue(r, s != NULL, end))
		return NULL;
	if (close && r->text + end == close + 1)
		memo_add(r, &r->shardings, span, hash, s);
	return s;
}

const attr *read_sharding_attr(reader *r)
{
	const sharding *s = read_sharding_body(r);
	return s ? attr_sharding(r->ctx, s) : NULL;
}

const attr *read_sharding_list(reader *r)
{
	int base = r->sharding_stack.len;
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			const sharding *s = read_sharding_body(r);
			vec_push(r->mem, &r->sharding_stack, s);
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	int n = r->sharding_stack.len - base;
	r->sharding_stack.len = base;
	return r->failed ? NULL : attr_shardings(r->ctx, r->sharding_stack.ptr + base, n);
}

const attr *read_per_value(reader *r)
{
	read_expect(r, '<');
	const attr *a = read_sharding_list(r);
	read_expect(r, '>');
	return a;
}

const attr *read_mesh_attr(reader *r)
{
	uint32_t end = 0;
	if (r->failed)
		return NULL;
	const mesh *m = mesh_parse(r->ctx, r->src, tok_pos(r), &end);
	return sdy_continue(r, m != NULL, end) ? attr_mesh(r->ctx, m) : NULL;
}

/* Reads a list of axes, which may be empty. */
static bool read_axes(reader *r, axis_list *out)
{
	uint32_t end = 0;
	if (r->failed)
		return false;
	bool ok = axis_list_parse(r->ctx, r->src, tok_pos(r), &end, out, NULL);
	return sdy_continue(r, ok, end);
}

const attr *read_axes_attr(reader *r)
{
	axis_list l = {0};
	return read_axes(r, &l) ? attr_axes(r->ctx, l.ptr, l.n) : NULL;
}

const attr *read_axes_list_attr(reader *r)
{
	VEC(const attr *) list = {0};
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			const attr *a = read_axes_attr(r);
			vec_push(r->mem, &list, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	if (r->failed)
		return NULL;
	return attr_of(r->ctx, &(attr){.kind = AT_AXES_LIST, .list = list.ptr, .n = list.len});
}

/* Reads [{"x"}: 0->2, …]. */
const attr *read_all_to_all_attr(reader *r)
{
	VEC(const attr *) list = {0};
	int base = r->ints.len;
	read_expect(r, '[');
	do {
		const attr *a = read_axes_attr(r);
		vec_push(r->mem, &list, a);
		read_expect(r, ':');
		int64_t from = read_int(r);
		read_expect(r, T_ARROW);
		int64_t to = read_int(r);
		vec_push(r->mem, &r->ints, from);
		vec_push(r->mem, &r->ints, to);
	} while (read_accept(r, ','));
	read_expect(r, ']');
	r->ints.len = base;
	if (r->failed)
		return NULL;
	return attr_of(r->ctx, &(attr){.kind = AT_ALL_TO_ALL,
	                               .list = list.ptr,
	                               .n = list.len,
	                               .ints = r->ints.ptr + base,
	                               .n_ints = 2 * list.len});
}

const attr *read_manual_axes(reader *r)
{
	VEC(const attr *) list = {0};
	read_expect(r, '{');
	if (r->tok != '}') {
		do {
			const attr *a = attr_string(r->ctx, name_of(r->ctx, read_string(r)));
			vec_push(r->mem, &list, a);
		} while (read_accept(r, ','));
	}
	read_expect(r, '}');
	if (r->failed)
		return NULL;
	return attr_of(r->ctx, &(attr){.kind = AT_MANUAL_AXES, .list = list.ptr, .n = list.len});
}

/* ---- sharding rules -------------------------------------------------------------------
 *
 *   rule  ::= '<' '(' tensors ')' '->' '(' tensors ')' ('{' factor '=' size, … '}')?
 *             ('reduction' '=' set)? ('need_replication' '=' set)?
 *             ('permutation' '=' set)? ('blocked_propagation' '=' set)? (',' 'custom')? '>'
 *   tensor ::= '[' (factors (',' factors)*)? ']'
 *   factors are letters glued together: i, j, …, z, z_1, z_2, … */

typedef struct rule_parts {
	VEC(tensor_factors) tensors;
	VEC(int64_t) sizes;
} rule_parts;

/* Reads one factor of a word; returns false, after a diagnostic, if it is none. */
static bool read_factor_letter(reader *r, tess_str *word, int *factor)
{
	char c = word->ptr[0];
	if (c < 'i' || c > 'z')
		return read_expected(r, "factors, letters from i to z");
	size_t used = 1;
	int64_t n = 0;
	if (c == 'z' && word->len > 1 && word->ptr[1] == '_') {
		for (used = 2; used < word->len && word->ptr[used] >= '0' && word->ptr[used] <= '9';
		     used++)
			n = n > 1 << 20 ? n : n * 10 + (word->ptr[used] - '0');
		if (used == 2 || word->ptr[2] == '0' || n > 1 << 20)
			return read_expected(r, "a factor like z_1");
	}
	*factor = c - 'i' + (int)n;
	word->ptr += used;
	word->len -= used;
	return true;
}

/* Reads the factors of one dimension. */
static dim_factors read_dim_factors(reader *r)
{
	VEC(int) list = {0};
	if (r->tok != T_WORD) {
		read_expected(r, "the factors of a dimension");
		return (dim_factors){0};
	}
	tess_str word = tok_text(r);
	int factor = 0;
	while (word.len && read_factor_letter(r, &word, &factor))
		vec_push(r->mem, &list, factor);
	read_next(r);
	return (dim_factors){list.len, list.ptr};
}

static void read_tensor_factors(reader *r, rule_parts *p)
{
	VEC(dim_factors) dims = {0};
	read_expect(r, '[');
	if (r->tok != ']') {
		do {
			dim_factors d = read_dim_factors(r);
			vec_push(r->mem, &dims, d);
		} while (read_accept(r, ','));
	}
	read_expect(r, ']');
	vec_push(r->mem, &p->tensors, (tensor_factors){dims.len, dims.ptr});
}

static int read_tensors(reader *r, rule_parts *p)
{
	int before = p->tensors.len;
	read_expect(r, '(');
	if (r->tok != ')') {
		do
			read_tensor_factors(r, p);
		while (read_accept(r, ','));
	}
	read_expect(r, ')');
	return p->tensors.len - before;
}

static void read_factor_sizes(reader *r, rule_parts *p)
{
	if (!read_accept(r, '{') || read_accept(r, '}'))
		return;
	do {
		place at = tok_place(r);
		dim_factors d = read_dim_factors(r);
		if (!r->failed && (d.n != 1 || d.factors[0] != p->sizes.len))
			read_fail_at(r, at, E_SYNTAX,
			             "the sizes of factors are given in order: i, j, k, …");
		read_expect(r, '=');
		int64_t size = read_int(r);
		vec_push(r->mem, &p->sizes, size);
	} while (read_accept(r, ','));
	read_expect(r, '}');
}

static factor_set read_factor_set(reader *r, const char *word)
{
	VEC(int) list = {0};
	if (!read_accept_word(r, word))
		return (factor_set){0};
	read_expect(r, '=');
	read_expect(r, '{');
	if (r->tok != '}') {
		do {
			dim_factors d = read_dim_factors(r);
			for (int i = 0; i < d.n; i++)
				vec_push(r->mem, &list, d.factors[i]);
		} while (read_accept(r, ','));
	}
	read_expect(r, '}');
	return (factor_set){list.len, list.ptr};
}

const attr *read_rule_attr(reader *r)
{
	rule_parts p = {0};
	sharding_rule rule = {0};
	read_expect(r, '<');
	rule.n_operands = read_tensors(r, &p);
	read_expect(r, T_ARROW);
	rule.n_results = read_tensors(r, &p);
	read_factor_sizes(r, &p);
	rule.reduction = read_factor_set(r, "reduction");
	rule.need_replication = read_factor_set(r, "need_replication");
	rule.permutation = read_factor_set(r, "permutation");
	rule.blocked = read_factor_set(r, "blocked_propagation");
	if (read_accept(r, ',')) {
		read_expect_word(r, "custom");
		rule.custom = true;
	}
	read_expect(r, '>');
	rule.tensors = p.tensors.ptr;
	rule.sizes = p.sizes.ptr;
	rule.n_factors = p.sizes.len;
	return r->failed ? NULL : attr_rule(r->ctx, &rule);
}

/* ---- records of propagation ----
 *
 *   edges ::= '<' '[' step (',' step)* ']' '>'
 *   step  ::= '{' 'step' '-' number '=' '[' entry (',' entry)* ']' '}'
 *   entry ::= '{' axis '=' ref '->' '[' ref (',' ref)* ']' '}'
 *   ref   ::= ('operand' | 'result') '-' number
 *
 * They are checked here and kept as text. */

typedef struct edge_ref_text {
	bool of_result;
	int64_t index;
} edge_ref_text;

static edge_ref_text read_edge_ref(reader *r)
{
	edge_ref_text e = {.of_result = read_accept_word(r, "result")};
	if (!e.of_result)
		read_expect_word(r, "operand");
	read_expect(r, '-');
	e.index = read_int(r);
	return e;
}

static bool same_edge_ref(edge_ref_text a, edge_ref_text b)
{
	return a.of_result == b.of_result && a.index == b.index;
}

static void read_edge_axis(reader *r)
{
	read_string(r);
	if (!read_accept(r, ':'))
		return;
	read_expect(r, '(');
	read_int(r);
	read_expect(r, ')');
	read_int(r);
}

static void read_edge_entry(reader *r)
{
	enum { MAX_TARGETS = 1024 };
	VEC(edge_ref_text) targets = {0};
	read_expect(r, '{');
	read_edge_axis(r);
	read_expect(r, '=');
	edge_ref_text source = read_edge_ref(r);
	read_expect(r, T_ARROW);
	read_expect(r, '[');
	do {
		place at = tok_place(r);
		edge_ref_text t = read_edge_ref(r);
		if (same_edge_ref(t, source))
			read_fail_at(r, at, E_SYNTAX, "the target is the source");
		for (int i = 0; i < targets.len; i++)
			if (same_edge_ref(t, targets.ptr[i]))
				read_fail_at(r, at, E_SYNTAX, "this target is given twice");
		if (targets.len == MAX_TARGETS)
			read_fail_at(r, at, E_LIMIT, "this has more than %d targets", MAX_TARGETS);
		vec_push(r->mem, &targets, t);
	} while (read_accept(r, ','));
	read_expect(r, ']');
	read_expect(r, '}');
}

static void read_edge_step(reader *r)
{
	read_expect(r, '{');
	read_expect_word(r, "step");
	read_expect(r, '-');
	place at = tok_place(r);
	int64_t step = read_int(r);
	if (step < 0)
		read_fail_at(r, at, E_NUMBER, "a step is not negative");
	vec_push(r->mem, &r->ints, step);
	read_expect(r, '=');
	read_expect(r, '[');
	do
		read_edge_entry(r);
	while (read_accept(r, ','));
	read_expect(r, ']');
	read_expect(r, '}');
}

static int cmp_steps(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

static void check_steps(reader *r, int64_t *steps, int n, place at)
{
	if (n > 1)
		qsort(steps, (size_t)n, sizeof *steps, cmp_steps);
	for (int i = 1; i < n; i++)
		if (steps[i] == steps[i - 1])
			read_fail_at(r, at, E_NUMBER, "step %" PRId64 " is recorded twice",
			             steps[i]);
}

const attr *read_propagation_edges(reader *r)
{
	const char *begin = r->tok_at;
	int first = r->ints.len;
	read_expect(r, '<');
	read_expect(r, '[');
	if (r->tok != ']') {
		do
			read_edge_step(r);
		while (read_accept(r, ','));
	}
	read_expect(r, ']');
	read_expect(r, '>');
	check_steps(r, r->ints.ptr + first, r->ints.len - first,
	            read_since(r, (uint32_t)(begin - r->text)));
	r->ints.len = first;
	if (r->failed)
		return NULL;
	writer w;
	writer_init(&w, r->mem);
	put_lit(&w, "#sdy.propagation_edges");
	put_mem(&w, begin, (size_t)(r->text + r->last_end - begin));
	return attr_of(r->ctx, &(attr){.kind = AT_OPAQUE, .text = name_of(r->ctx, writer_str(&w))});
}
