/* index.c - parses subscripts. */
#include "array/make/index.h"

typedef struct index_scan {
	tess_ctx *ctx;
	const char *at, *end;
	tess_str text;
	bool failed;
} index_scan;

static void index_fail(index_scan *s, const char *what)
{
	if (!s->failed)
		diag_error(s->ctx, NOWHERE, E_ARRAY_ATTRIBUTE, "in the subscript \"%.*s\": %s",
		           STR_ARG(s->text), what);
	s->failed = true;
}

static bool index_accept(index_scan *s, const char *word)
{
	while (s->at < s->end && *s->at == ' ')
		s->at++;
	size_t n = strlen(word);
	if (s->failed || (size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

/* Returns false if there is no number here. */
static bool index_number(index_scan *s, int64_t *out)
{
	bool minus = index_accept(s, "-"), any = false;
	int64_t v = 0;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++, any = true)
		if (!mul_ok(v, 10, &v) || !add_ok(v, *s->at - '0', &v))
			index_fail(s, "a number is too large");
	if (minus && !any)
		index_fail(s, "expected a number");
	*out = minus ? -v : v;
	return any;
}

/* Normalizes a bound of a slice like Python. */
static int64_t slice_bound(bool given, int64_t v, int64_t size, bool backward, bool is_start)
{
	if (!given)
		return backward == is_start ? size - (backward ? 1 : 0) : (backward ? -1 : 0);
	if (v < 0)
		v += size;
	if (backward)
		return v < 0 ? -1 : v >= size ? size - 1 : v;
	return v < 0 ? 0 : v > size ? size : v;
}

static void index_slice(index_scan *s, index_item *it, bool has_from, int64_t from, int64_t size)
{
	int64_t to = 0, by = 1;
	bool has_to = index_number(s, &to);
	if (index_accept(s, ":") && !index_number(s, &by))
		by = 1;
	if (by == 0 || by == INT64_MIN) {
		index_fail(s, "a step cannot be 0");
		return;
	}
	it->kind = INDEX_SLICE;
	it->by = by;
	it->from = slice_bound(has_from, from, size, by < 0, true);
	it->to = slice_bound(has_to, to, size, by < 0, false);
	int64_t length = by > 0 ? it->to - it->from : it->from - it->to;
	it->size = length > 0 ? ceil_div(length, by > 0 ? by : -by) : 0;
	it->whole = by == 1 && it->size == size;
}

static void index_one(index_scan *s, index_item *it, int64_t size, int n_operands)
{
	int64_t v = 0;
	if (index_accept(s, "#")) {
		it->kind = INDEX_ARRAY;
		if (!index_number(s, &it->number) || it->number < 1 || it->number >= n_operands)
			index_fail(s, "there is no such operand");
		return;
	}
	bool given = index_number(s, &v);
	if (index_accept(s, ":")) {
		index_slice(s, it, given, v, size);
	} else if (given) {
		it->kind = INDEX_NUMBER;
		it->number = v < 0 ? v + size : v;
		it->size = 1;
		if (it->number < 0 || it->number >= size)
			index_fail(s, "an index is out of range");
	} else {
		index_fail(s, "expected a number, a slice, None, ... or #operand");
	}
}

/* Returns how many dimensions the items after the dots use. */
static int dims_behind(index_scan s)
{
	int n = 0;
	while (s.at < s.end) {
		const char *comma = memchr(s.at, ',', (size_t)(s.end - s.at));
		index_scan one = {.ctx = s.ctx, .at = s.at, .end = comma ? comma : s.end};
		if (!index_accept(&one, "None") && one.at < one.end)
			n++;
		s.at = comma ? comma + 1 : s.end;
	}
	return n;
}

static void index_whole(index_plan *p, const atype *x, int dim)
{
	p->item[p->n++] = (index_item){.kind = INDEX_SLICE, .from = 0, .to = x->dim[dim], .by = 1,
	                               .size = x->dim[dim], .whole = true, .dim = dim};
}

bool index_read(tess_ctx *ctx, tess_str text, const atype *x, int n_operands, index_plan *p)
{
	index_scan s = {.ctx = ctx, .at = text.ptr, .end = text.ptr + text.len, .text = text};
	int dim = 0;
	p->n = 0;
	while (!s.failed && index_accept(&s, "") && s.at < s.end) {
		if (p->n + x->rank >= 2 * ARRAY_MAX_RANK) {
			index_fail(&s, "there are too many items");
		} else if (index_accept(&s, "...")) {
			index_scan behind = s;
			index_accept(&behind, ",");
			for (int left = x->rank - dim - dims_behind(behind); left > 0; left--)
				index_whole(p, x, dim++);
		} else if (index_accept(&s, "None")) {
			p->item[p->n++] = (index_item){.kind = INDEX_NEW, .size = 1, .dim = -1};
		} else if (dim == x->rank) {
			index_fail(&s, "there are more items than dimensions");
		} else {
			index_item *it = &p->item[p->n++];
			*it = (index_item){.dim = dim};
			index_one(&s, it, x->dim[dim], n_operands);
			dim++;
		}
		if (!index_accept(&s, ",") && s.at < s.end)
			index_fail(&s, "expected ','");
	}
	while (!s.failed && dim < x->rank)
		index_whole(p, x, dim++);
	return !s.failed;
}

/* ---- index arrays --------------------------------------------------------------------------- */

static bool broadcast_places(tess_ctx *ctx, const char *name, index_places *l, const atype *t)
{
	if (t->rank > l->rank) {
		memmove(l->dim + t->rank - l->rank, l->dim, sizeof *l->dim * (size_t)l->rank);
		for (int d = 0; d < t->rank - l->rank; d++)
			l->dim[d] = 1;
		l->rank = t->rank;
	}
	for (int d = 0; d < t->rank; d++) {
		int64_t *n = &l->dim[l->rank - t->rank + d];
		if (t->dim[d] != *n && t->dim[d] != 1 && *n != 1)
			return diag_error(ctx, NOWHERE, E_ARRAY_SHAPE,
			                  "%s got incompatible shapes for broadcasting of indices",
			                  name);
		*n = *n == 1 ? t->dim[d] : *n;
	}
	return true;
}

bool index_places_of(tess_ctx *ctx, const char *name, const index_plan *p, const atype *const *in,
                     index_places *out)
{
	index_places l = {0};
	bool ended = false;
	for (int i = 0; i < p->n; i++) {
		const index_item *it = &p->item[i];
		bool advanced = index_is_advanced(it);
		bool array = it->kind == INDEX_ARRAY && in[it->number]->rank > 0;
		ended |= !advanced && l.advanced;
		l.in_front |= advanced && ended;
		l.advanced += advanced;
		l.cut |= it->kind == INDEX_SLICE && !it->whole;
		if (array) {
			l.at[l.arrays] = l.left;
			l.of[l.arrays++] = (int)it->number;
			if (!broadcast_places(ctx, name, &l, in[it->number]))
				return false;
		}
		l.left += !advanced || array;
	}
	*out = l;
	return l.left - l.arrays + l.rank <= ARRAY_MAX_RANK ||
	       diag_error(ctx, NOWHERE, E_ARRAY_RANK, "the result has too many dimensions");
}

/* Returns the sharding of an array along a dimension of the common shape. */
static axis_seq places_spec(const index_places *l, const atype *t, int d)
{
	int own = d - (l->rank - t->rank);
	return own < 0 ? 0 : t->spec[own];
}

/* True if all index arrays have one shape, so that none is broadcast to another sharding. */
static bool is_one_shape(const index_places *l, const atype *const *in)
{
	for (int i = 0; i < l->arrays; i++) {
		const atype *t = in[l->of[i]];
		if (t->rank != l->rank ||
		    memcmp(t->dim, l->dim, sizeof *l->dim * (size_t)l->rank) != 0)
			return false;
	}
	return l->advanced == l->arrays;
}

bool index_places_agree(tess_ctx *ctx, const char *name, const index_places *l,
                        const atype *const *in, bool *sharded)
{
	bool alike = true, clash = false;
	*sharded = false;
	for (int i = 0; i < l->arrays; i++)
		for (int d = 0; d < l->rank; d++) {
			axis_seq s = places_spec(l, in[l->of[i]], d);
			axis_seq first = places_spec(l, in[l->of[0]], d);
			*sharded |= s != 0;
			alike &= s == first;
			clash |= s && first && s != first;
		}
	if (!(is_one_shape(l, in) ? !alike : clash) && !(*sharded && l->cut))
		return true;
	return diag_error(ctx, NOWHERE, E_ARRAY_INCOMPATIBLE, "%s: indices %s; reshard them first",
	                  name,
	                  alike ? "are sharded, but not the start of a slice beside them"
	                        : "should have the same sharding");
}
