/* dot.c - products by dot_general: dot, matmul, tensordot, einsum. */
#include "array/control.h"
#include "array/make/make.h"

typedef struct product {
	int64_t lc[ARRAY_MAX_RANK], rc[ARRAY_MAX_RANK], lb[ARRAY_MAX_RANK], rb[ARRAY_MAX_RANK];
	int n_contract, n_batch;
} product;

static avalue *dot_of(maker *k, avalue *a, avalue *b, const product *p, bool given)
{
	params *at = make_ints(k, "lhs_contract", p->lc, p->n_contract);
	make_more(k, at, "rhs_contract", p->rc, p->n_contract);
	make_more(k, at, "lhs_batch", p->lb, p->n_batch);
	make_more(k, at, "rhs_batch", p->rb, p->n_batch);
	make_pass(k, at, "preferred_element_type");
	if (given)
		make_pass(k, at, "out_sharding");
	return make2(k, "lax.dot_general", a, b, at);
}

/* Contracts the last dimension of the left operand with the second to last of the right one;
 * scalars are multiplied. how: vectors and matrices only. */
bool make_dot(maker *k)
{
	int ra = k->in[0]->type->rank, rb = k->in[1]->type->rank;
	product p = {.lc = {ra - 1}, .rc = {rb > 1 ? rb - 2 : 0}, .n_contract = 1};
	if (k->op->how && (ra < 1 || ra > 2 || rb < 1 || rb > 2))
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK,
		                  "%s does not take ranks %d and %d: use dot_general", k->op->name, ra, rb);
	if (!ra || !rb)
		return make_out(k, make2(k, "jnp.multiply", k->in[0], k->in[1], NULL));
	return make_out(k, dot_of(k, k->in[0], k->in[1], &p, true));
}

/* Contracts the last dimensions of both. */
bool make_inner(maker *k)
{
	int ra = k->in[0]->type->rank, rb = k->in[1]->type->rank;
	product p = {.lc = {ra - 1}, .rc = {rb - 1}, .n_contract = 1};
	if (!ra || !rb)
		return make_out(k, make2(k, "jnp.multiply", k->in[0], k->in[1], NULL));
	return make_out(k, dot_of(k, k->in[0], k->in[1], &p, true));
}

bool make_outer(maker *k)
{
	int64_t at1 = 1, at0 = 0;
	avalue *a = make1(k, "lax.expand_dims", k->in[0], make_ints(k, "dimensions", &at1, 1));
	avalue *b = make1(k, "lax.expand_dims", k->in[1], make_ints(k, "dimensions", &at0, 1));
	return make_out(k, make2(k, "lax.mul", a, b, NULL));
}

/* Contracts the last dimension with the second to last; the others are batch dimensions. */
bool make_batch_matmul(maker *k)
{
	int rank = k->in[0]->type->rank;
	product p = {.lc = {rank - 1}, .rc = {rank - 2}, .n_contract = 1, .n_batch = rank - 2};
	if (rank < 2 || k->in[1]->type->rank != rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "batch_matmul does not take ranks %d and %d",
		                  rank, k->in[1]->type->rank);
	for (int d = 0; d < p.n_batch; d++)
		p.lb[d] = p.rb[d] = d;
	return make_out(k, dot_of(k, k->in[0], k->in[1], &p, true));
}

/* Contracts along one axis, by default the last; the other dimensions are batch dimensions. */
bool make_vecdot(maker *k)
{
	int rank = k->in[0]->type->rank, axis;
	product p = {.n_contract = 1};
	if (!axis_normal(k->ctx, "vecdot", param_int(k->attrs, "axis", -1), rank, &axis))
		return false;
	if (k->in[1]->type->rank != rank)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "vecdot does not take ranks %d and %d", rank,
		                  k->in[1]->type->rank);
	p.lc[0] = p.rc[0] = axis;
	for (int d = 0; d < rank; d++) {
		if (d == axis)
			continue;
		if (k->in[0]->type->spec[d] != k->in[1]->type->spec[d]) /* JAX maps over it */
			return diag_error(k->ctx, NOWHERE, E_ARRAY_MAPPED,
			                  "vecdot: dimension %d of both operands should be sharded the "
			                  "same; got %s, %s",
			                  d, atype_text(k->ctx, k->in[0]->type, TYPE_SHORT),
			                  atype_text(k->ctx, k->in[1]->type, TYPE_SHORT));
		p.lb[p.n_batch] = p.rb[p.n_batch] = d;
		p.n_batch++;
	}
	return make_out(k, dot_of(k, k->in[0], k->in[1], &p, false));
}

/* axes: those of the left operand, then as many of the right one. */
bool make_tensordot(maker *k)
{
	const int64_t *axes;
	product p = {0};
	int n = param_ints(k->attrs, "axes", &axes);
	if (n < 0 || n % 2 || n > 2 * ARRAY_MAX_RANK)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "tensordot needs pairs of axes");
	p.n_contract = n / 2;
	for (int i = 0; i < p.n_contract; i++) {
		p.lc[i] = axes[i];
		p.rc[i] = axes[p.n_contract + i];
	}
	return make_out(k, dot_of(k, k->in[0], k->in[1], &p, true));
}

/* ---- einsum ---------------------------------------------------------------------------------- */

/* One letter for each dimension; of several operands, all their letters. */
enum { MOST_LETTERS = 128 };
typedef struct letters {
	char at[MOST_LETTERS];
	int n;
} letters;

static int letters_find(const letters *l, char c)
{
	for (int i = 0; i < l->n; i++)
		if (l->at[i] == c)
			return i;
	return -1;
}

static avalue *permute_to(maker *k, avalue *x, const letters *from, const letters *to)
{
	int64_t perm[ARRAY_MAX_RANK];
	bool same = true;
	for (int i = 0; i < to->n; i++) {
		perm[i] = letters_find(from, to->at[i]);
		same &= perm[i] == i;
	}
	return same ? x : make1(k, "lax.transpose", x, make_ints(k, "permutation", perm, to->n));
}

/* Sums over unwanted letters. */
static avalue *sum_others(maker *k, avalue *x, letters *l, const letters *want, bool given)
{
	int64_t axes[ARRAY_MAX_RANK];
	letters left = {0};
	int n = 0;
	for (int i = 0; i < l->n; i++) {
		if (letters_find(want, l->at[i]) >= 0)
			left.at[left.n++] = l->at[i];
		else
			axes[n++] = i;
	}
	if (!n)
		return x;
	*l = left;
	params *a = make_ints(k, "axes", axes, n);
	if (given)
		make_pass(k, a, "out_sharding");
	return make1(k, "lax.reduce_sum", x, a);
}

static avalue *places_along(maker *k, const atype *t, int dim)
{
	int64_t at = dim;
	avalue *out;
	params *a = make_ints(k, "shape", t->dim, t->rank);
	make_more(k, a, "dimension", &at, 1);
	params_set(&k->ctx->scratch, a,
	           (param){.key = "dtype", .kind = PK_DTYPE, .n = 1, .dtype = DT_I32});
	return array_emit(k->ctx, "lax.iota", NULL, 0, a, &out, 1) == 1 ? out : NULL;
}

/* If a letter occurs twice in one operand, takes its diagonal: everything else is set to 0 and
 * summed. `given`: this is the result, up to the order of dimensions. */
static avalue *diagonals(maker *k, avalue *x, letters *l, bool given)
{
	for (int i = l->n - 1; i > 0 && x; i--) {
		letters before = {.n = i};
		memcpy(before.at, l->at, (size_t)i);
		int j = letters_find(&before, l->at[i]);
		int64_t axis = i;
		if (j < 0)
			continue;
		avalue *on = make2(k, "lax.eq", places_along(k, x->type, j),
		                   places_along(k, x->type, i), NULL);
		avalue *in[] = {on, x, make1(k, "jnp.zeros_like", x, NULL)}, *kept = NULL;
		params *a = make_ints(k, "axes", &axis, 1);
		if (given)
			make_pass(k, a, "out_sharding");
		x = in[0] && in[2] && array_emit(k->ctx, "lax.select", in, 3, NULL, &kept, 1) == 1
		            ? make1(k, "lax.reduce_sum", kept, a)
		            : NULL;
		memmove(l->at + i, l->at + i + 1, (size_t)(l->n - i));
		l->n--;
	}
	return x;
}

/* Returns the dimensions of a product in dot_general's order: batch, left, right. Letters of both
 * operands are kept only if they are in `later`. */
static letters product_letters(const letters *a, const letters *b, const letters *later)
{
	letters at = {0};
	for (int i = 0; i < a->n; i++)
		if (letters_find(b, a->at[i]) >= 0 && letters_find(later, a->at[i]) >= 0)
			at.at[at.n++] = a->at[i];
	for (int i = 0; i < a->n; i++)
		if (letters_find(b, a->at[i]) < 0)
			at.at[at.n++] = a->at[i];
	for (int j = 0; j < b->n; j++)
		if (letters_find(a, b->at[j]) < 0)
			at.at[at.n++] = b->at[j];
	return at;
}

/* Multiplies two operands; the result has product_letters(). */
static avalue *multiply_pair(maker *k, avalue *x, const letters *a, avalue *y, const letters *b,
                             const letters *later, bool given)
{
	product p = {0};
	for (int i = 0; i < a->n; i++) {
		int j = letters_find(b, a->at[i]);
		if (j < 0)
			continue;
		if (letters_find(later, a->at[i]) >= 0) {
			p.lb[p.n_batch] = i;
			p.rb[p.n_batch++] = j;
		} else {
			p.lc[p.n_contract] = i;
			p.rc[p.n_contract++] = j;
		}
	}
	return dot_of(k, x, y, &p, given);
}

typedef struct subscripts {
	letters in[16], out;
	int n;
} subscripts;

enum { DOTS_END = 64 }; /* dimensions of `...` are represented by characters just below the
                         * letters */

/* Reads the letters for `...` in an operand with `n` such dimensions: the last n of the run. */
static bool dots_read(maker *k, letters *to, int n)
{
	if (n < 0 || to->n + n > ARRAY_MAX_RANK)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
		                  "einsum: `...` does not fit an operand");
	for (int i = n; i > 0; i--)
		to->at[to->n++] = (char)(DOTS_END - i);
	return true;
}

/* Returns how many dimensions `...` has in operand i: those without a letter. */
static int dots_of(maker *k, tess_str s, int i)
{
	int rank = i < k->n_in ? k->in[i]->type->rank : 0, at = 0;
	for (size_t c = 0; c < s.len && at <= i && s.ptr[c] != '-'; c++) {
		at += s.ptr[c] == ',';
		rank -= at == i && s.ptr[c] != ',' && s.ptr[c] != ' ' && s.ptr[c] != '.';
	}
	return rank;
}

/* Without `->`: the dimensions of `...`, then letters that occur once, in order. */
static void implicit_result(subscripts *e, int n_dots)
{
	int count[128] = {0};
	for (int i = 0; i < e->n; i++)
		for (int j = 0; j < e->in[i].n; j++)
			count[(int)e->in[i].at[j]]++;
	for (int i = n_dots; i > 0; i--)
		e->out.at[e->out.n++] = (char)(DOTS_END - i);
	for (int c = 'A'; c <= 'z'; c++)
		if (count[c] == 1 && e->out.n < ARRAY_MAX_RANK)
			e->out.at[e->out.n++] = (char)c;
}

static bool einsum_read(maker *k, subscripts *e)
{
	tess_str s = param_text(k->attrs, "subscripts");
	letters *to = &e->in[0];
	int n_dots = 0;
	e->n = 1;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == ',' && e->n < 16 && to != &e->out) {
			to = &e->in[e->n++];
		} else if (c == '-' && i + 1 < s.len && s.ptr[i + 1] == '>') {
			to = &e->out;
			i++;
		} else if (c == '.' && i + 2 < s.len && s.ptr[i + 1] == '.' &&
		           s.ptr[i + 2] == '.') {
			int n = to == &e->out ? n_dots : dots_of(k, s, e->n - 1);
			if (!dots_read(k, to, n))
				return false;
			n_dots = n > n_dots ? n : n_dots;
			i += 2;
		} else if (c != ' ') {
			if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ||
			    to->n == ARRAY_MAX_RANK)
				return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
				                  "einsum cannot read the subscripts \"%.*s\"", STR_ARG(s));
			to->at[to->n++] = c;
		}
	}
	if (to != &e->out)
		implicit_result(e, n_dots);
	bool fit = e->n == k->n_in;
	for (int i = 0; fit && i < e->n; i++)
		fit = e->in[i].n == k->in[i]->type->rank;
	return fit || diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
	                         "einsum: \"%.*s\" does not fit the operands", STR_ARG(s));
}

/* out_sharding must name axes that types show, and have no more entries than dimensions. */
static bool einsum_fits(maker *k, const subscripts *e)
{
	const pspec *s = param_spec(k->attrs, "out_sharding");
	if (!out_sharding_shows(k))
		return false;
	return !s || s->n <= e->out.n ||
	       diag_error(k->ctx, NOWHERE, E_ARRAY_RANK,
	                  "einsum: out_sharding has %d entries for a result of rank %d", s->n,
	                  e->out.n);
}

/* Collects the letters in later operands or the result. */
static void einsum_later(const subscripts *e, int from, letters *out)
{
	*out = e->out;
	for (int i = from; i < e->n; i++)
		for (int j = 0; j < e->in[i].n; j++)
			if (letters_find(out, e->in[i].at[j]) < 0)
				out->at[out->n++] = e->in[i].at[j];
}

/* Returns out_sharding with its entries in dot_general's order. */
static const pspec *einsum_spec(maker *k, const subscripts *e, const letters *at)
{
	const pspec *s = param_spec(k->attrs, "out_sharding");
	if (!s)
		return NULL;
	pspec *p = NEW(&k->ctx->perm, pspec);
	*p = *s;
	p->n = at->n;
	for (int i = 0; i < at->n; i++) {
		int from = letters_find(&e->out, at->at[i]);
		memset(&p->dim[i], 0, sizeof p->dim[i]);
		if (from >= 0 && from < s->n)
			p->dim[i] = s->dim[from];
	}
	return p;
}

/* Contracts the next operand with the intermediate. If letters of an intermediate are sharded alike
 * on both sides, it is contracted as if unsharded; its spec is left to the last product. */
static avalue *einsum_step(maker *k, const subscripts *e, int i, avalue *x, letters *l)
{
	letters later, mine = e->in[i];
	bool last = i + 1 == e->n;
	maker inner = *k;
	params *a = make_attrs(k);
	einsum_later(e, i + 1, &later);
	letters known = later;
	for (int j = 0; j < l->n; j++)
		if (letters_find(&known, l->at[j]) < 0)
			known.at[known.n++] = l->at[j];
	avalue *y = sum_others(k, k->in[i], &mine, &known, false);
	letters theirs = later;
	for (int j = 0; j < mine.n; j++)
		if (letters_find(&theirs, mine.at[j]) < 0)
			theirs.at[theirs.n++] = mine.at[j];
	x = sum_others(k, x, l, &theirs, false);
	make_pass(k, a, "preferred_element_type");
	inner.attrs = a;
	const letters at = product_letters(l, &mine, &later);
	if (at.n > ARRAY_MAX_RANK) {
		diag_error(k->ctx, NOWHERE, E_ARRAY_RANK,
		           "einsum: a product of two operands has rank %d, but values have at most "
		           "rank %d",
		           at.n, ARRAY_MAX_RANK);
		return NULL;
	}
	if (last && param_has(k->attrs, "out_sharding")) {
		const pspec *s = einsum_spec(k, e, &at);
		params_set(&k->ctx->scratch, a,
		           (param){.key = "out_sharding",
		                   .kind = PK_SPECS,
		                   .n = 1,
		                   .specs = COPY_N(&k->ctx->scratch, &s, 1)});
	}
	x = multiply_pair(&inner, x, l, y, &mine, &later, last);
	*l = at;
	return x;
}

/* With out_sharding and three or more operands, the compiler shards the intermediate products, so
 * everything is done on a mesh without Explicit axes. */
static bool einsum_automatic(maker *k)
{
	array_state *st = array_state_of(k->ctx);
	const amesh *mesh = st->mesh;
	const amesh *hidden = amesh_with_kind(k->ctx, mesh, amesh_axes_of_kind(mesh, AXIS_EXPLICIT),
	                                      AXIS_AUTO);
	const pspec *s = param_spec(k->attrs, "out_sharding");
	maker inner = *k;
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, k->n_in);
	params *a = make_attrs(k);
	make_pass(k, a, "subscripts");
	make_pass(k, a, "preferred_element_type");
	for (int i = 0; i < k->n_in; i++)
		if (!(in[i] = without_auto(k->ctx, k->in[i], hidden)))
			return false;
	inner.in = in;
	inner.attrs = a;
	st->mesh = hidden;
	bool done = make_einsum(&inner);
	st->mesh = mesh;
	return done && make_out(k, emit_reshard(k->ctx, inner.out.ptr[0], s, mesh));
}

bool make_einsum(maker *k)
{
	subscripts e = {0};
	if (k->n_in > 2 && param_has(k->attrs, "out_sharding") &&
	    amesh_axes_of_kind(array_state_of(k->ctx)->mesh, AXIS_EXPLICIT))
		return einsum_automatic(k);
	if (!einsum_read(k, &e) || !einsum_fits(k, &e))
		return false;
	avalue **in = NEW_N(&k->ctx->scratch, avalue *, e.n);
	for (int i = 0; i < e.n; i++) {
		bool last = e.n == 1 && e.in[0].n == e.out.n + 1;
		if (!(in[i] = diagonals(k, k->in[i], &e.in[i], last)))
			return false;
	}
	k->in = in;
	letters l = e.in[0];
	avalue *x = in[0];
	if (e.n == 1)
		x = sum_others(k, x, &l, &e.out, true);
	for (int i = 1; i < e.n && x; i++)
		x = einsum_step(k, &e, i, x, &l);
	if (x && (l.n != e.out.n))
		x = sum_others(k, x, &l, &e.out, false);
	for (int i = 0; x && i < e.out.n; i++)
		if (letters_find(&l, e.out.at[i]) < 0)
			return diag_error(k->ctx, NOWHERE, E_ARRAY_ATTRIBUTE,
			                  "einsum: a letter of the result is in "
			                  "no operand");
	return make_out(k, x ? permute_to(k, x, &l, &e.out) : NULL);
}

/* ---- matmul ---------------------------------------------------------------------------------- */

/* Leading dimensions are broadcast: written as an einsum, with dimensions of 1 squeezed. */
bool make_matmul(maker *k)
{
	char text[4 * ARRAY_MAX_RANK], out[ARRAY_MAX_RANK + 1];
	avalue *in[2];
	int at = 0, n_out = 0, ranks[] = {k->in[0]->type->rank, k->in[1]->type->rank};
	int lead[] = {ranks[0] > 2 ? ranks[0] - 2 : 0, ranks[1] > 2 ? ranks[1] - 2 : 0};
	int n_lead = lead[0] > lead[1] ? lead[0] : lead[1];
	if (!ranks[0] || !ranks[1] || n_lead > 12)
		return diag_error(k->ctx, NOWHERE, E_ARRAY_RANK, "matmul does not take ranks %d and %d",
		                  ranks[0], ranks[1]);
	for (int d = 0; d < n_lead; d++)
		out[n_out++] = (char)('a' + d);
	for (int i = 0; i < 2; i++) {
		int64_t gone[ARRAY_MAX_RANK];
		int n_gone = 0;
		const atype *t = k->in[i]->type;
		for (int d = 0; d < lead[i]; d++) {
			int other = d + (n_lead - lead[i]) - (n_lead - lead[1 - i]);
			bool single = t->dim[d] == 1 && other >= 0 &&
			              k->in[1 - i]->type->dim[other] != 1;
			if (single)
				gone[n_gone++] = d;
			else
				text[at++] = (char)('a' + d + n_lead - lead[i]);
		}
		in[i] = n_gone ? make1(k, "lax.squeeze", k->in[i],
		                       make_ints(k, "dimensions", gone, n_gone))
		               : k->in[i];
		if (!in[i])
			return false;
		if (i == 0 && ranks[0] > 1)
			out[n_out++] = text[at++] = 'y';
		text[at++] = 'z';
		if (i == 1 && ranks[1] > 1)
			out[n_out++] = text[at++] = 'w';
		text[at++] = i ? '-' : ',';
	}
	text[at++] = '>';
	memcpy(text + at, out, (size_t)n_out);
	params *a = make_attrs(k);
	params_set(&k->ctx->scratch, a, (param){.key = "subscripts", .kind = PK_TEXT, .n = 1,
	                                            .text = {text, (size_t)(at + n_out)}});
	make_pass(k, a, "out_sharding");
	make_pass(k, a, "preferred_element_type");
	avalue *result;
	return array_emit(k->ctx, "jnp.einsum", in, 2, a, &result, 1) == 1 && make_out(k, result);
}
