/* sort.c - sort and top_k.
 *
 * Most comparators compare one key: compare(LT, g(x), g(y)), where x and y are the elements of one
 * operand and g is some function of one argument (JAX canonicalizes zeros and NaNs this way). Such
 * keys are mapped to unsigned integers with the same order and sorted by radix or merge sort. Any
 * other comparator is called for each comparison of a merge sort. Both sorts are stable, whether or
 * not the program asks for it. */
#include "exec/kernel.h"

enum { RADIX_FROM = 512 };

typedef struct sort_item {
	uint64_t key;
	int64_t at; /* position in the line before sorting */
} sort_item;

typedef struct sort_plan {
	int n; /* operands */
	int64_t len, inner, lines;
	const body *compare; /* for any comparator */
	/* for a key: */
	int key_operand;
	dtype key_type;
	const body *key_of; /* NULL: the element itself */
	bool down, total;
	int64_t k; /* top_k: results per line */
} sort_plan;

/* ---- keys --------------------------------------------------------------------------- */

/* Maps an element to an unsigned integer with the same order: TOTALORDER for floats, or, unless
 * `total`, with both zeros equal. */
static uint64_t ordered_key(dtype t, const char *p, bool total)
{
	int bytes = dtype_bytes(t);
	uint64_t bits = 0;
	memcpy(&bits, p, (size_t)bytes);
	uint64_t sign = (uint64_t)1 << (8 * bytes - 1), mask = sign | (sign - 1);
	switch (dtype_class_of(t)) {
	case DC_SINT: {
		int64_t v = elem_get_int(t, p);
		return (uint64_t)v ^ ((uint64_t)1 << 63);
	}
	case DC_FLOAT:
		if (float_format_of(t).special == FLOAT_POWERS) /* no sign, and NaN is the largest */
			return bits;
		if (dtype_bits(t) < 8) {
			sign = (uint64_t)1 << (dtype_bits(t) - 1);
			mask = sign | (sign - 1);
		}
		if (!total && bits == sign)
			bits = 0;
		return bits & sign ? ~bits & mask : bits | sign;
	default: return bits;
	}
}

static void merge_items(sort_item *a, sort_item *room, int64_t n)
{
	enum { RUN = 12 };
	for (int64_t from = 0; from < n; from += RUN)
		for (int64_t i = from + 1; i < min_i64(n, from + RUN); i++) {
			sort_item x = a[i];
			int64_t k = i;
			for (; k > from && a[k - 1].key > x.key; k--)
				a[k] = a[k - 1];
			a[k] = x;
		}
	for (int64_t w = RUN; w < n; w *= 2) {
		for (int64_t from = 0; from < n; from += 2 * w) {
			int64_t i = from, mid = min_i64(n, from + w), k = mid,
				end = min_i64(n, mid + w);
			for (int64_t to = from; to < end; to++)
				room[to] = k == end || (i < mid && a[i].key <= a[k].key) ? a[i++]
				                                                         : a[k++];
		}
		memcpy(a, room, sizeof *a * (size_t)n);
	}
}

/* Radix sort, least significant byte first; a byte that is the same in all keys is skipped. */
static void radix_items(sort_item *a, sort_item *room, int64_t n)
{
	sort_item *from = a, *to = room;
	for (int shift = 0; shift < 64; shift += 8) {
		int64_t count[257] = {0};
		for (int64_t i = 0; i < n; i++)
			count[(from[i].key >> shift & 255) + 1]++;
		if (count[(from[0].key >> shift & 255) + 1] == n)
			continue;
		for (int d = 1; d < 257; d++)
			count[d] += count[d - 1];
		for (int64_t i = 0; i < n; i++)
			to[count[from[i].key >> shift & 255]++] = from[i];
		sort_item *t = from;
		from = to;
		to = t;
	}
	if (from != a)
		memcpy(a, from, sizeof *a * (size_t)n);
}

/* ---- any comparator ----------------------------------------------------------------------- */

typedef struct compare_room {
	const step *s;
	const sort_plan *k;
	char *const *lines; /* [n], each with contiguous elements */
	void *scratch;
} compare_room;

/* True if element x of the line sorts before element y. */
static bool comes_before(const compare_room *r, int64_t x, int64_t y)
{
	char *args[2 * MAX_RANK], *results[1];
	uint8_t before = 0;
	results[0] = (char *)&before;
	for (int v = 0; v < r->k->n; v++) {
		args[2 * v] = r->lines[v] + x * r->s->t[v].bytes;
		args[2 * v + 1] = r->lines[v] + y * r->s->t[v].bytes;
	}
	body_run(r->k->compare, 1, args, results, r->scratch);
	return before;
}

static void merge_by(const compare_room *r, sort_item *a, sort_item *room, int64_t n)
{
	for (int64_t w = 1; w < n; w *= 2) {
		for (int64_t from = 0; from < n; from += 2 * w) {
			int64_t i = from, mid = min_i64(n, from + w), k = mid,
				end = min_i64(n, mid + w);
			for (int64_t to = from; to < end; to++) {
				bool left = k == end ||
				            (i < mid && !comes_before(r, a[k].at, a[i].at));
				room[to] = left ? a[i++] : a[k++];
			}
		}
		memcpy(a, room, sizeof *a * (size_t)n);
	}
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int64_t line_at(const sort_plan *k, int64_t line, int64_t len)
{
	return line / k->inner * k->inner * len + line % k->inner;
}

/* Scratch memory: items, room for merging, keys, a line of zeros, and a line of each operand. */
typedef struct sort_room {
	sort_item *items, *merge;
	char *keys, *zeros, *lines[MAX_RANK];
	void *body;
} sort_room;

static sort_room sort_room_of(const sort_plan *k, char *at)
{
	sort_room r;
	int64_t wide = ceil_div(k->len * 16, 64) * 64;
	r.items = (sort_item *)at;
	r.merge = (sort_item *)(at + wide);
	r.keys = at + 2 * wide;
	r.zeros = at + 3 * wide;
	at += 4 * wide;
	for (int v = 0; v < k->n; v++, at += wide)
		r.lines[v] = at;
	r.body = at;
	return r;
}

static void key_items(const sort_plan *k, sort_room *r)
{
	int64_t n = k->len;
	const char *keys = r->lines[k->key_operand];
	int bytes = dtype_bytes(k->key_type);
	if (k->key_of) {
		char *args[2 * MAX_RANK], *results[1] = {r->keys};
		for (int v = 0; v < k->n; v++)
			args[2 * v] = args[2 * v + 1] = v == k->key_operand ? r->lines[v]
			                                                    : r->zeros;
		memset(r->zeros, 0, (size_t)(n * 16));
		body_run(k->key_of, n, args, results, r->body);
		keys = r->keys;
	}
	for (int64_t i = 0; i < n; i++) {
		uint64_t key = ordered_key(k->key_type, keys + i * bytes, k->total);
		r->items[i] = (sort_item){k->down ? ~key : key, i};
	}
	if (n >= RADIX_FROM)
		radix_items(r->items, r->merge, n);
	else
		merge_items(r->items, r->merge, n);
}

static void sort_line(const step *s, const sort_plan *k, const call *c, int64_t line, sort_room *r)
{
	const int64_t one = 1;
	int64_t from = line_at(k, line, k->len), to = line_at(k, line, k->k);
	for (int v = 0; v < k->n; v++)
		box_copy(1, &k->len, r->lines[v], &one, c->at[v] + from * s->t[v].bytes, &k->inner,
		         s->t[v].bytes);
	if (k->compare) {
		compare_room cr = {s, k, r->lines, r->body};
		for (int64_t i = 0; i < k->len; i++)
			r->items[i].at = i;
		merge_by(&cr, r->items, r->merge, k->len);
	} else {
		key_items(k, r);
	}
	for (int v = 0; v < k->n; v++) {
		int bytes = s->t[v].bytes;
		char *out = call_out(s, c, v) + to * bytes;
		for (int64_t i = 0; i < k->k; i++)
			memcpy(out + i * k->inner * bytes, r->lines[v] + r->items[i].at * bytes,
			       (size_t)bytes);
	}
	if (s->op->kind == OP_CHLO_TOP_K) {
		int32_t *index = (int32_t *)call_out(s, c, 1) + to;
		for (int64_t i = 0; i < k->k; i++)
			index[i * k->inner] = (int32_t)r->items[i].at;
	}
}

static void run_sort(const step *s, const call *c)
{
	const sort_plan *k = s->params;
	sort_room r = sort_room_of(k, c->scratch);
	int64_t end = tile_begin(s, k->lines, c->tile + 1);
	for (int64_t i = tile_begin(s, k->lines, c->tile); i < end; i++)
		sort_line(s, k, c, i, &r);
}

/* ---- recognizing comparators of one key ----------------------------------------------------- */

/* Returns the comparator's argument that the value depends on; -1 if none, -2 if several. */
static int only_arg(const value *v, const block *b, int depth)
{
	if (value_owner(v) == b)
		return (int)v->index;
	const op *o = value_def(v);
	if (!o || o->parent != b || depth > 20)
		return o && o->kind == OP_CONSTANT ? -1 : -2;
	int arg = -1;
	for (int i = 0; i < o->n_operands; i++) {
		int a = only_arg(operand(o, i), b, depth + 1);
		if (a == -2 || (a >= 0 && arg >= 0 && a != arg))
			return -2;
		arg = a >= 0 ? a : arg;
	}
	return arg;
}

/* True if `a` and `b` are the same function, one of argument x, the other of argument y. */
static bool same_function(const value *a, const value *b, const block *blk, int depth)
{
	if (value_owner(a) == blk || value_owner(b) == blk)
		return value_owner(a) == blk && value_owner(b) == blk &&
		       a->index / 2 == b->index / 2;
	const op *p = value_def(a), *q = value_def(b);
	if (a == b)
		return true;
	if (!p || !q || depth > 20 || p->kind != q->kind || p->n_operands != q->n_operands ||
	    p->attrs.n != q->attrs.n || op_n_regions(p) || a->index != b->index ||
	    a->type != b->type)
		return false;
	for (int i = 0; i < p->attrs.n; i++)
		if (p->attrs.ptr[i].value != q->attrs.ptr[i].value)
			return false;
	for (int i = 0; i < p->n_operands; i++)
		if (!same_function(operand(p, i), operand(q, i), blk, depth + 1))
			return false;
	return true;
}

static bool find_key(exec_plan *p, step *s, sort_plan *k)
{
	const block *b = op_block(s->op, 0);
	const op *end = block_terminator(b);
	const op *cmp =
		end && end->n_operands == 1 ? value_def_of(operand(end, 0), OP_COMPARE) : NULL;
	if (!cmp || cmp->parent != b)
		return false;
	const char *dir = enum_word(op_attr(cmp, N_comparison_direction));
	const value *x = operand(cmp, 0), *y = operand(cmp, 1);
	int ax = only_arg(x, b, 0), ay = only_arg(y, b, 0);
	bool less = !strcmp(dir, "LT"), more = !strcmp(dir, "GT");
	if (!(less || more) || ax < 0 || ay < 0 || ax == ay || ax / 2 != ay / 2 ||
	    !same_function(x, y, b, 0) || dtype_is_complex(x->type->dtype))
		return false;
	k->down = more != (ax > ay);
	k->total = !strcmp(enum_word(op_attr(cmp, N_compare_type)), "TOTALORDER");
	k->key_operand = ax / 2;
	k->key_type = x->type->dtype;
	if (value_owner(x) != b)
		k->key_of = body_new_for(p, s->op, 0, x);
	return value_owner(x) == b || k->key_of;
}

static void sort_finish(step *s, sort_plan *k)
{
	const tensor *in = step_in(s, 0);
	const body *b = k->compare ? k->compare : k->key_of;
	k->lines = k->len ? in->n / k->len : 0;
	s->scratch = (size_t)((4 + k->n) * ceil_div(k->len * 16, 64) * 64) +
	             (b ? body_scratch_bytes(b) : 0);
	s->cost = (double)in->n * (k->compare ? 1500 : 25);
	s->params = k;
	s->run = run_sort;
	if (in->n > 1 << 12 && k->lines > 1)
		step_split(s, k->lines, 1);
}

bool prepare_sort(exec_plan *p, step *s)
{
	sort_plan *k = NEW(plan_mem(p), sort_plan);
	const tensor *in = step_in(s, 0);
	int64_t dim = op_int(s->op, N_dimension, -1);
	if (dim < 0)
		dim += in->rank;
	k->n = s->n_in;
	if (k->n > MAX_RANK || dim < 0 || dim >= in->rank)
		return step_invalid(p, s, "there is no such dimension");
	k->len = k->k = in->dims[dim];
	k->inner = in->strides[dim];
	if (!find_key(p, s, k) && !(k->compare = body_new(p, s->op, 0)))
		return false;
	sort_finish(s, k);
	return true;
}

/* The k largest of the last dimension in TOTALORDER; equal ones in their original order. */
bool prepare_top_k(exec_plan *p, step *s)
{
	sort_plan *k = NEW(plan_mem(p), sort_plan);
	const tensor *in = step_in(s, 0), *out = step_out(s, 0);
	if (!in->rank || s->n_out != 2 || step_out(s, 1)->dtype != DT_I32)
		return step_unsupported(p, s, "indices other than i32 are");
	*k = (sort_plan){.n = 1,
	                 .len = in->dims[in->rank - 1],
	                 .inner = 1,
	                 .down = true,
	                 .total = true,
	                 .key_type = in->dtype,
	                 .k = out->dims[out->rank - 1]};
	if (k->k > k->len)
		return step_invalid(p, s, "asks for more elements than there are");
	sort_finish(s, k);
	return true;
}
