/* names.c - names values as MLIR does.
 *
 * A region is numbered completely before the regions inside it, which continue its numbers: %0, %1,
 * … for results, %arg0, … for the arguments of a region's first block. Constants are %c and %cst,
 * the arguments of a while are %iterArg; if a name is taken, it gets a suffix _0, _1, … from a
 * counter that nested regions continue. The generic form numbers the whole module consecutively,
 * the last function first. */
#include "mlir/write/write.h"

/* The state in which a region starts. */
typedef struct naming {
	const region *region;
	uint32_t next_value, next_arg, next_conflict;
	int depth; /* number of scopes around it */
} naming;

typedef struct used_name {
	struct used_name *older; /* in its bucket */
	uint32_t hash;
	char text[];
} used_name;

typedef struct namer {
	printer *p;
	naming at;
	VEC(naming) todo;
	VEC(const op *) with_regions; /* ops of the current region */
	/* Names in use, innermost scope last, each in the bucket of its hash. */
	VEC(used_name *) used;
	VEC(int) scopes; /* start of each in `used` */
	used_name **buckets;
	uint32_t n_buckets;
} namer;

static uint32_t text_hash(const char *s) { return (uint32_t)hash_bytes(s, strlen(s), 11); }

static bool is_used(const namer *n, const char *text, uint32_t h)
{
	for (const used_name *u = n->buckets[h & (n->n_buckets - 1)]; u; u = u->older)
		if (u->hash == h && !strcmp(u->text, text))
			return true;
	return false;
}

static void bucket_link(namer *n, used_name *u)
{
	used_name **b = &n->buckets[u->hash & (n->n_buckets - 1)];
	u->older = *b;
	*b = u;
}

static void use_name(namer *n, used_name *u)
{
	arena *mem = n->p->mem;
	if ((uint32_t)n->used.len >= n->n_buckets) {
		n->n_buckets *= 2;
		n->buckets = NEW_N(mem, used_name *, n->n_buckets);
		for (int i = 0; i < n->used.len; i++)
			bucket_link(n, n->used.ptr[i]);
	}
	vec_push(mem, &n->used, u);
	bucket_link(n, u);
}

/* Removes the names of scopes deeper than `depth`. */
static void close_names(namer *n, int depth)
{
	while (n->scopes.len > depth) {
		int begin = n->scopes.ptr[--n->scopes.len];
		while (n->used.len > begin) {
			used_name *u = n->used.ptr[--n->used.len];
			n->buckets[u->hash & (n->n_buckets - 1)] = u->older;
		}
	}
}

/* Writes "12". */
static void write_digits(char *to, uint32_t v)
{
	char digits[10];
	int n = 0;
	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*to++ = digits[--n];
	*to = 0;
}

/* Writes "_12". */
static void append_number(char *to, uint32_t v)
{
	*to = '_';
	write_digits(to + 1, v);
}

static void label_by_name(printer *p, const value *v, const char *text)
{
	const uint32_t number = (uint32_t)p->names.len & LABEL_MAX;
	p->labels[v->id] = (value_label){.number = number, .named = 1};
	vec_push(p->mem, &p->names, text);
}

static void label_value(namer *n, const value *v, const char *text)
{
	tess_str base = str_of(text);
	used_name *u = arena_alloc(n->p->mem, offsetof(used_name, text) + base.len + 12);
	memcpy(u->text, base.ptr, base.len + 1);
	while (is_used(n, u->text, u->hash = text_hash(u->text)))
		append_number(u->text + base.len, n->at.next_conflict++);
	use_name(n, u);
	label_by_name(n->p, v, u->text);
}

static void label_by_number(namer *n, const value *v)
{
	n->p->labels[v->id].number = n->at.next_value++ & LABEL_MAX;
}

/* ---- names that MLIR suggests for ops ------------------------------------------------------- */

/* arith.constant: %c3_i32, %c3 of an index, %true, %cst */
static const char *arith_constant_name(const namer *n, const attr *a)
{
	const type *t = a->type;
	if (a->kind == AT_BOOL)
		return a->i ? "true" : "false";
	if (a->kind != AT_INT || t->kind != TY_SCALAR)
		return "cst";
	if (t->dtype == DT_INDEX)
		return arena_printf(n->p->mem, "c%" PRId64, a->i);
	return arena_printf(n->p->mem, "c%" PRId64 "_%s", a->i, dtype_mlir(t->dtype));
}

/* Returns word `i` of a list of words; NULL if there are fewer. */
static const char *nth_word(namer *n, const char *words, int i)
{
	for (; i > 0 && *words; i--) {
		words += strcspn(words, " ");
		words += strspn(words, " ");
	}
	int len = (int)strcspn(words, " ");
	return len ? arena_printf(n->p->mem, "%.*s", len, words) : NULL;
}

/* Returns the name that an op suggests for result i, or NULL. */
static const char *suggested_name(namer *n, const op *o, int i)
{
	if (o->kind == OP_ARITH_CONSTANT)
		return op_attr(o, N_value) ? arith_constant_name(n, op_attr(o, N_value)) : NULL;
	if (o->kind == OP_CONSTANT) {
		const type *t = result(o, i)->type, *elem = t->elem ? t->elem : t;
		bool integer = elem->kind == TY_INT ||
		               (elem->kind == TY_SCALAR && dtype_is_int(elem->dtype));
		return integer ? "c" : "cst";
	}
	return op_has(o, NAMES_RESULTS) ? nth_word(n, op_signature_of(o->kind)->results, i) : NULL;
}

/* Returns the name for argument i of a region's first block, or NULL. */
static const char *suggested_arg(const namer *n, const op *parent, int i)
{
	if (n->p->opts.generic || !parent)
		return NULL;
	if (parent->kind == OP_WHILE)
		return "iterArg";
	if (parent->kind != OP_CHLO_SCAN)
		return NULL;
	int count;
	const int64_t *segments = op_ints(n->p->m, parent, N_operandSegmentSizes, &count);
	return count == 2 && i >= segments[0] ? "carry" : "input";
}

static void label_results(namer *n, const op *o)
{
	printer *p = n->p;
	const char *first = o->n_results && !p->opts.generic ? suggested_name(n, o, 0) : NULL;
	if (!o->n_results)
		return;
	if (!first) {
		label_by_number(n, result(o, 0));
		return;
	}
	label_value(n, result(o, 0), first);
	for (int i = 1; i < o->n_results && suggested_name(n, o, i); i++) {
		label_value(n, result(o, i), suggested_name(n, o, i));
		p->labels[result(o, 0)->id].single = p->labels[result(o, i)->id].single = true;
	}
}

/* ---- regions ------------------------------------------------------------------------------ */

static void label_block(namer *n, const block *b, bool entry)
{
	char buf[14] = "arg";
	for (int i = 0; i < b->n_args; i++) {
		const char *text = entry ? suggested_arg(n, b->parent->parent, i) : NULL;
		if (entry && !text) {
			write_digits(buf + 3, n->at.next_arg++);
			text = buf;
		}
		if (text)
			label_value(n, b->args[i], text);
		else
			label_by_number(n, b->args[i]);
	}
	for (const op *o = b->first; o; o = o->next) {
		label_results(n, o);
		if (op_n_regions(o))
			vec_push(n->p->mem, &n->with_regions, o);
	}
}

static void label_region(namer *n, const region *g)
{
	for (const block *b = g->first; b; b = b->next)
		label_block(n, b, b == g->first);
}

static void push_regions(namer *n, const op *o)
{
	for (int i = 0; i < op_n_regions(o); i++) {
		naming next = n->at;
		next.region = op_region(o, i);
		next.depth = n->scopes.len;
		vec_push(n->p->mem, &n->todo, next);
	}
}

/* ---- keeping the names of the input text ---------------------------------------------------- */

/* A name in a function. */
typedef struct kept_name {
	const char *text;
	const value *holder;         /* the last value that was given it */
	struct kept_name *with_word; /* of a number: the same after a v; or NULL */
	uint32_t tried;              /* 0: free; else 1 + the number of suffixes tried */
} kept_name;

/* The names of a function. A value without a name keeps its number, as %v4 if some value is named
 * %4. Passes copy operations together with their values' names, so several values may have the same
 * name: if two of them are visible to each other, the second one gets a suffix. */
typedef struct kept_names {
	printer *p;
	ptr_map of;            /* kept_name, by interned text */
	VEC(kept_name *) said; /* by value, in program order; NULL: no name */
	int at;                /* index of the current value in `said` */
} kept_names;

static kept_name *name_at(kept_names *k, const name *text)
{
	void **at = ptr_map_at(&k->of, k->p->mem, text);
	if (!*at) {
		kept_name *n = NEW(k->p->mem, kept_name);
		n->text = text->s;
		*at = n;
	}
	return *at;
}

static void take(kept_name *n) { n->tried += !n->tried; }

/* Returns the name of `root` with the first free number as suffix. Sibling regions ask for the same
 * ones again and again. */
static const char *fresh_text(kept_names *k, kept_name *root)
{
	size_t len = strlen(root->text);
	char *text = arena_alloc(k->p->mem, len + 12);
	memcpy(text, root->text, len);
	kept_name *n;
	do {
		append_number(text + len, root->tried++);
		n = name_at(k, name_of_z(k->p->m->ctx, text));
	} while (n->tried);
	take(n);
	return n->text;
}

/* A suffix after a number needs a separator: %v4, %v4_1 come after %4. */
static const char *fresh_for(kept_names *k, kept_name *n)
{
	if (*n->text < '0' || *n->text > '9')
		return fresh_text(k, n);
	if (!n->with_word) {
		const char *text = arena_printf(k->p->mem, "v%s", n->text);
		n->with_word = name_at(k, name_of_z(k->p->m->ctx, text));
	}
	if (n->with_word->tried)
		return fresh_text(k, n->with_word);
	take(n->with_word);
	return n->with_word->text;
}

static void take_name(kept_names *k, const value *v)
{
	tess_str text = value_name(v);
	kept_name *n = text.len ? name_at(k, name_of(k->p->m->ctx, text)) : NULL;
	if (n)
		take(n);
	vec_push(k->p->mem, &k->said, n);
}

/* True if `inner` is in the region of `outer`, at any depth. */
static bool is_in_sight(const value *outer, const value *inner)
{
	const region *home = value_block(outer)->parent;
	const region *g = value_block(inner)->parent;
	while (g && g != home)
		g = g->parent && g->parent->parent ? g->parent->parent->parent : NULL;
	return g == home;
}

/* Values are visited in program order, regions as a whole: if any earlier holder is visible, the
 * last one is. */
static void keep_name(kept_names *k, const value *v)
{
	kept_name *n = k->said.ptr[k->at++];
	if (!n)
		return;
	if (n->holder && is_in_sight(n->holder, v)) {
		label_by_name(k->p, v, fresh_for(k, n));
		return;
	}
	n->holder = v;
	label_by_name(k->p, v, n->text);
}

static void keep_number(kept_names *k, const value *v)
{
	printer *p = k->p;
	const value_label *label = &p->labels[v->id];
	if (k->said.ptr[k->at++])
		return;
	char digits[11];
	write_digits(digits, label->number);
	const char *given = label->named ? p->names.ptr[label->number] : digits;
	kept_name *n = name_at(k, name_of_z(p->m->ctx, given));
	if (n->tried)
		label_by_name(p, v, fresh_for(k, n));
}

typedef void name_fn(kept_names *k, const value *v);

static void each_argument(kept_names *k, const block *b, name_fn *fn)
{
	for (int i = 0; i < b->n_args; i++)
		fn(k, b->args[i]);
}

/* Visits values in program order. */
static void each_named_value(kept_names *k, const op *root, name_fn *fn)
{
	for (const op *o = root; o; o = op_next(o, root)) {
		if (o != root && !o->prev)
			each_argument(k, o->parent, fn);
		if (o->n_results)
			fn(k, &o->results[0]);
		for (int r = 0; r < op_n_regions(o); r++)
			for (const block *b = op_region(o, r)->first; b; b = b->next)
				if (!b->first)
					each_argument(k, b, fn);
	}
}

static void keep_all_names(printer *p, const op *root)
{
	bool module = root->kind == OP_BUILTIN_MODULE;
	const op *first = module && op_body(root) ? op_body(root)->first : root;
	for (const op *f = first; f; f = module ? f->next : NULL) {
		kept_names k = {.p = p};
		each_named_value(&k, f, take_name);
		k.at = 0;
		each_named_value(&k, f, keep_name);
		k.at = 0;
		each_named_value(&k, f, keep_number);
	}
}

void name_values(printer *p, const op *root)
{
	namer n = {.p = p, .n_buckets = 64};
	n.buckets = NEW_N(p->mem, used_name *, n.n_buckets);
	p->n_labels = p->m->n_values;
	p->labels = NEW_N(p->mem, value_label, p->n_labels);
	if (root->n_results)
		label_by_number(&n, result(root, 0));
	push_regions(&n, root);
	while (n.todo.len) {
		naming next = n.todo.ptr[--n.todo.len];
		if (p->opts.generic) {
			n.at.region = next.region;
			n.at.depth = next.depth;
		} else {
			n.at = next;
		}
		close_names(&n, n.at.depth);
		vec_push(p->mem, &n.scopes, n.used.len);
		n.with_regions.len = 0;
		label_region(&n, n.at.region);
		for (int i = 0; i < n.with_regions.len; i++)
			push_regions(&n, n.with_regions.ptr[i]);
	}
	if (p->opts.keep_names)
		keep_all_names(p, root);
}

/* ---- naming the values of programs that were not read from text ----------------------------- */

static const name *label_text(const printer *p, const value_label *l)
{
	char digits[12];
	if (l->named)
		return name_of_z(p->ctx, p->names.ptr[l->number]);
	write_digits(digits, l->number);
	return name_of_z(p->ctx, digits);
}

void mlir_name_values(module *m)
{
	printer p = {.ctx = m->ctx, .m = m, .mem = &m->ctx->scratch};
	name_values(&p, m->top);
	for (op *o = op_next(m->top, m->top); o; o = op_next(o, m->top)) {
		for (int i = 0; i < o->n_results; i++) {
			const value_label *own = &p.labels[result(o, i)->id];
			const value_label *l = own->single ? own : &p.labels[result(o, 0)->id];
			value_set_name(m, result(o, i), label_text(&p, l));
		}
		for (int r = 0; r < op_n_regions(o); r++)
			for (block *b = op_region(o, r)->first; b; b = b->next)
				for (int i = 0; i < b->n_args; i++)
					value_set_name(m, b->args[i],
					               label_text(&p, &p.labels[b->args[i]->id]));
	}
}
