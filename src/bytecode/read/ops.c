/* ops.c - reads operations, regions and blocks.
 *
 *   op     = name, mask, location, [attributes], [properties], [result types], [operands],
 *            [successors], [orders of uses], [regions]
 *   region = blocks, [values in it, blocks]
 *   block  = 2 * ops + has arguments, [arguments], ops
 *
 * Values are numbered within a scope, which an isolated op opens. A region reserves as many numbers
 * as it has arguments and results, and assigns them in order; nested regions use the numbers after
 * these and release them at their end. An operand may be defined later: until then a placeholder
 * represents it.
 *
 * As when reading text, an op is created after its regions, so that the order of uses is the same;
 * orders of uses that the file specifies are ignored. */
#include "bytecode/read/read.h"

#include <stdlib.h>

enum op_mask {
	HAS_ATTRS = 1,
	HAS_RESULTS = 2,
	HAS_OPERANDS = 4,
	HAS_SUCCESSORS = 8,
	HAS_REGIONS = 16,
	HAS_USE_ORDERS = 32,
	HAS_PROPERTIES = 64,
};

/* The attributes of ops with the same name, properties and dictionary. */
typedef struct shared_attrs {
	attr_list list;
	const attr *shardings; /* of results; moved to their slots; NULL: none */
} shared_attrs;

/* How the current region numbers its values. */
typedef struct numbering {
	uint32_t base; /* of its scope */
	uint32_t next, end;
} numbering;

typedef struct op_reader {
	bytecode *b;
	VEC(value *) values;    /* of all open scopes */
	uint64_t n_placeholders; /* not defined yet */
	VEC(value *) operands;
	VEC(const type *) types;
	named_attrs attrs;
	ptr_map shared; /* number -> shared_attrs */
	int depth;
	const unsigned char *passed; /* up to where the file need not stay in memory */
	uint64_t room; /* how many more regions, blocks and values the section has bytes for */
} op_reader;

/* The parts of an op, as far as they are read. */
typedef struct read_parts {
	const op_entry *entry;
	const unsigned char *at;
	uint64_t properties, dict; /* number plus one; 0: none */
	int operands, n_operands, types, n_results;
	block **successors;
	int n_successors;
	region *regions;
	int n_regions;
	bool has_regions;
} read_parts;

/* ---- counts ------------------------------------------------------------------------------ */

/* Returns how many regions, blocks or values follow. Each takes at least one byte. Since they may
 * contain others that are counted before the next one comes, all of them together must fit into the
 * section. */
static uint64_t count_to_make(op_reader *r, bytes *s, bool *flag)
{
	bytecode *b = r->b;
	const unsigned char *at = s->at;
	uint64_t n = flag ? bytes_flagged(b, s, flag) : bytes_number(b, s);
	if (n > r->room)
		bytes_fail_at(b, at, E_BYTECODE, "%" PRIu64 " items are more than there is room for", n);
	if (b->failed)
		return 0;
	r->room -= n;
	return n;
}

/* ---- values ------------------------------------------------------------------------------ */

static bool is_placeholder(const value *v) { return v->is_arg && !value_owner(v); }

static void define(op_reader *r, numbering *n, value *v)
{
	bytecode *b = r->b;
	if (n->next >= n->end) {
		bytes_fail_at(b, b->here, E_BYTECODE, "a region has more values than it says");
		return;
	}
	value **slot = &r->values.ptr[n->next++];
	if (UNLIKELY(*slot != NULL)) {
		value_replace_uses(*slot, v);
		r->n_placeholders--;
	}
	*slot = v;
}

static value *operand_value(op_reader *r, const numbering *n, uint64_t i)
{
	bytecode *b = r->b;
	if (i >= (uint64_t)r->values.len - n->base) {
		bytes_fail_at(b, b->here, E_UNKNOWN_VALUE, "there is no value of number %" PRIu64, i);
		i = 0;
		if (r->values.len == (int)n->base)
			return NULL;
	}
	value **slot = &r->values.ptr[n->base + i];
	if (UNLIKELY(!*slot)) {
		*slot = &NEW(&b->m->mem, block_arg)->value;
		(*slot)->is_arg = 1;
		(*slot)->type = type_none(b->ctx);
		r->n_placeholders++;
	}
	return *slot;
}

/* At the end of a region, all its values must be defined. */
static void close_region(op_reader *r, const numbering *n, int begin)
{
	bytecode *b = r->b;
	if (!b->failed && n->next != n->end)
		bytes_fail_at(b, b->here, E_BYTECODE, "a region has fewer values than it says");
	for (int i = begin; r->n_placeholders && i < r->values.len && !b->failed; i++)
		if (r->values.ptr[i] && is_placeholder(r->values.ptr[i]))
			bytes_fail_at(b, b->here, E_UNKNOWN_VALUE, "a value is used and never defined");
	r->values.len = begin;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static int by_name(const void *x, const void *y)
{
	const named_attr *a = x, *b = y;
	return str_cmp(name_str(a->name), name_str(b->name));
}

/* Sorts by name; each name may occur once. */
static void sort_attrs_from(op_reader *r, int from)
{
	named_attr *list = r->attrs.ptr + from;
	int n = r->attrs.len - from;
	for (int i = 1; i < n; i++) { /* nearly always sorted already */
		int k = i;
		named_attr a = list[i];
		if (n > 64) {
			qsort(list, (size_t)n, sizeof *list, by_name);
			break;
		}
		for (; k > 0 && by_name(&a, &list[k - 1]) < 0; k--)
			list[k] = list[k - 1];
		list[k] = a;
	}
	for (int i = 1; i < n; i++)
		if (list[i].name == list[i - 1].name)
			bytes_fail_at(r->b, r->b->here, E_ATTR_SYNTAX, "the attribute %s is there twice",
			              list[i].name->s);
}

/* Pushes the attributes from an op's properties and dictionary, converted to StableHLO's. */
static void push_attrs(op_reader *r, const read_parts *p)
{
	bytecode *b = r->b;
	int from = r->attrs.len;
	if (p->properties)
		properties_read(b, p->entry, b->props[p->properties - 1], &r->attrs);
	b->here = p->at;
	const attr *dict = p->dict ? entry_attr(b, p->dict - 1) : NULL;
	if (dict && dict->kind != AT_DICT && !b->failed)
		bytes_fail_at(b, p->at, E_BYTECODE, "the attributes of an op are not a dictionary");
	for (int i = 0; !b->failed && dict && i < dict->n; i++)
		vec_push(b->mem, &r->attrs, (named_attr){dict->names[i], dict->list[i]});
	if (!b->failed && p->entry->vhlo)
		vhlo_to_stablehlo(&b->coder, p->entry->vhlo, &r->attrs, from);
	if (b->failed)
		r->attrs.len = from;
	sort_attrs_from(r, from);
}

/* Returns a key for ops whose attributes are the same; 0 if it does not fit into 64 bits. */
static uint64_t shared_number(const bytecode *b, const read_parts *p)
{
	uint64_t op = (uint64_t)(p->entry - b->ops) + 1, n = op;
	if (__builtin_mul_overflow(n, b->n_props + 1, &n) ||
	    __builtin_add_overflow(n, p->properties, &n) ||
	    __builtin_mul_overflow(n, b->n_attrs + 1, &n) ||
	    __builtin_add_overflow(n, p->dict, &n))
		return 0;
	return n;
}

/* The sharding of the results is stored in slots, not as an attribute. */
static void give_attrs(op_reader *r, const read_parts *p, op *o)
{
	bytecode *b = r->b;
	bool none = !p->properties && !p->dict && !p->entry->vhlo;
	uint64_t number = none ? 0 : shared_number(b, p);
	shared_attrs **memo = NULL;
	if (none)
		return;
	if (number)
		memo = (shared_attrs **)ptr_map_at(&r->shared, b->mem, (void *)(uintptr_t)number);
	if (memo && *memo) {
		o->attrs = (*memo)->list;
		if ((*memo)->shardings && !op_take_shardings(o, (*memo)->shardings))
			op_set_attr(b->m, o, op_sharding_attr(o->kind), (*memo)->shardings);
		return;
	}
	int from = r->attrs.len;
	push_attrs(r, p);
	int n = r->attrs.len - from;
	shared_attrs *made = NEW(b->mem, shared_attrs);
	for (int i = 0; i < n; i++)
		if (name_is(r->attrs.ptr[from + i].name, op_sharding_attr(o->kind)))
			made->shardings = r->attrs.ptr[from + i].value;
	op_attrs_as_read(b->m, o, r->attrs.ptr + from, n);
	made->list = o->attrs;
	if (made->shardings && op_attr(o, op_sharding_attr(o->kind)))
		memo = NULL; /* it did not fit here, but may elsewhere */
	if (memo && !b->failed)
		*(shared_attrs **)ptr_map_at(&r->shared, b->mem, (void *)(uintptr_t)number) = made;
	r->attrs.len = from;
}

/* The parts of a function are not stored as attributes. */
static void give_func_attrs(op_reader *r, const read_parts *p, op *o)
{
	bytecode *b = r->b;
	int from = r->attrs.len, n = from;
	const attr *type = NULL, *args = NULL, *results = NULL;
	push_attrs(r, p);
	for (int i = from; i < r->attrs.len; i++) {
		named_attr a = r->attrs.ptr[i];
		if (name_is(a.name, N_function_type))
			type = a.value;
		else if (name_is(a.name, N_arg_attrs))
			args = a.value;
		else if (name_is(a.name, N_res_attrs))
			results = a.value;
		else
			r->attrs.ptr[n++] = a;
	}
	func *f = b->failed ? NULL : func_of_attrs(b->m, type, args, results);
	if (f) {
		op_set_func(b->m, o, f);
		op_attrs_as_read(b->m, o, r->attrs.ptr + from, n - from);
		func_take_arg_shardings(b->m, o);
	} else {
		bytes_fail_at(b, p->at, E_ATTR_SYNTAX, "a function needs the attribute function_type");
	}
	r->attrs.len = from;
}

/* ---- names of operations --------------------------------------------------------------------- */

static const name *full_name(bytecode *b, const op_entry *e)
{
	tess_str dialect = b->dialects[e->dialect].name, own = b->strings[e->string];
	arena_mark mark = arena_here(b->mem);
	const char *s = arena_printf(b->mem, "%.*s.%.*s", STR_ARG(dialect), STR_ARG(own));
	const name *n = name_of_z(b->ctx, s);
	arena_back(b->mem, mark);
	return n;
}

static bool is_kept_dialect(tess_str d)
{
	static const char *const dialects[] = {"affine", "arith",  "cf",     "complex", "linalg",
	                                       "math",   "memref", "quant",  "scf",     "shape",
	                                       "tensor", "ub",     "vector"};
	for (int i = 0; i < COUNT(dialects); i++)
		if (str_is(d, dialects[i]))
			return true;
	return false;
}

/* Determines the op of an entry, when the first such op is read. */
static void resolve_entry(bytecode *b, op_entry *e)
{
	tess_str dialect = b->dialects[e->dialect].name;
	e->name = full_name(b, e);
	if (b->dialects[e->dialect].codes == CODES_VHLO) {
		e->vhlo = vhlo_row_named(b->strings[e->string], &e->vhlo_number);
		e->kind = e->vhlo ? e->vhlo->kind : OP_UNKNOWN;
		vhlo_version newest = vhlo_newest();
		if (!e->vhlo)
			bytes_fail_at(b, b->here, E_VERSION,
			              "there is no %s in StableHLO %d.%d.%d, the newest that is known: the "
			              "program was written for a newer one (%.*s)",
			              e->name->s, newest.major, newest.minor, newest.patch,
			              STR_ARG(b->producer));
		return;
	}
	e->kind = op_kind_of(b->ctx, e->name);
	if (e->kind == OP_UNKNOWN && !b->opts->allow_unregistered && !is_kept_dialect(dialect))
		bytes_fail_at(b, b->here, E_UNKNOWN_OP,
		              "unknown op %s; -allow-unregistered-dialect keeps such ops", e->name->s);
	if (memchr(e->name->s, 0, e->name->len))
		bytes_fail_at(b, b->here, E_UNKNOWN_OP, "the name of an op has a zero byte");
}

/* ---- parts of an operation -------------------------------------------------------------------- */

/* Skips orders of uses for `n` values: they refer to MLIR's use lists, which differ from ours. */
static void pass_use_orders(bytecode *b, bytes *s, uint64_t n)
{
	uint64_t lists = n > 1 ? bytes_count(b, s, 1) : 1;
	for (uint64_t i = 0; i < lists && !b->failed; i++) {
		bool pairs;
		if (n > 1)
			bytes_number(b, s);
		for (uint64_t k = bytes_flagged(b, s, &pairs); k > 0 && !b->failed; k--)
			bytes_number(b, s);
	}
}

static void read_result_types(op_reader *r, bytes *s, read_parts *p)
{
	uint64_t n = bytes_count(r->b, s, 1);
	if (n > INDEX_MAX / 2)
		bytes_ended(r->b, s);
	for (uint64_t i = 0; i < n && !r->b->failed; i++) {
		const type *t = bytes_type(r->b, s);
		vec_push(r->b->mem, &r->types, t);
	}
	p->n_results = r->types.len - p->types;
}

static void bytes_read_operands(op_reader *r, bytes *s, const numbering *n, read_parts *p)
{
	uint64_t count = bytes_count(r->b, s, 1);
	if (count > INDEX_MAX / 2)
		bytes_ended(r->b, s);
	for (uint64_t i = 0; i < count && !r->b->failed; i++) {
		value *v = operand_value(r, n, bytes_number(r->b, s));
		vec_push(r->b->mem, &r->operands, v);
	}
	p->n_operands = r->operands.len - p->operands;
}

static void read_successors(op_reader *r, bytes *s, block **blocks, uint64_t n_blocks, read_parts *p)
{
	bytecode *b = r->b;
	uint64_t n = bytes_count(b, s, 1);
	p->successors = NEW_N(b->mem, block *, n);
	for (uint64_t i = 0; i < n && !b->failed; i++) {
		uint64_t k = bytes_number(b, s);
		if (k >= n_blocks)
			bytes_fail_at(b, p->at, E_BYTECODE, "there is no block of number %" PRIu64, k);
		else
			p->successors[p->n_successors++] = blocks[k];
	}
}

static void read_region(op_reader *r, bytes *s, uint32_t base, region *g, int parent);

static void read_regions(op_reader *r, bytes *s, const numbering *n, read_parts *p)
{
	bytecode *b = r->b;
	bool isolated = false;
	uint64_t count = count_to_make(r, s, &isolated);
	bytes inside = *s;
	bool nested = isolated && b->version >= 2;
	if (nested) {
		int id;
		inside = bytes_section(b, s, &id);
		if (!b->failed && id != SECTION_IR)
			bytes_fail_at(b, p->at, E_BYTECODE, "the regions of an op are not a section of ops");
	}
	if (!b->failed && ++r->depth > (int)b->ctx->opts.max_depth)
		bytes_fail_at(b, p->at, E_LIMIT, "this is nested more than %u deep",
		              b->ctx->opts.max_depth);
	if (b->failed)
		return;
	p->regions = NEW_N(b->mem, region, count);
	p->n_regions = (int)count;
	uint32_t base = isolated ? (uint32_t)r->values.len : n->base;
	for (uint64_t i = 0; i < count && !b->failed; i++)
		read_region(r, &inside, base, &p->regions[i], p->entry->kind);
	r->depth--;
	if (!nested)
		*s = inside;
	else if (!b->failed && inside.at != inside.end)
		bytes_fail_at(b, inside.at, E_BYTECODE, "the regions of an op have bytes left");
}

/* ---- operations ------------------------------------------------------------------------------ */

/* VHLO's types are cast around sdy ops to builtin types; here they are builtin types anyway. */
static bool is_void_cast(const op_reader *r, const read_parts *p)
{
	if (!r->b->portable || p->entry->kind != OP_BUILTIN_UNREALIZED_CONVERSION_CAST ||
	    p->n_operands != p->n_results)
		return false;
	for (int i = 0; i < p->n_operands; i++) {
		const value *v = r->operands.ptr[p->operands + i];
		if (is_placeholder(v) || v->type != r->types.ptr[p->types + i])
			return false;
	}
	return true;
}

static void take_regions_of(const read_parts *p, op *o)
{
	for (int i = 0; i < p->n_regions; i++) {
		region *g = op_region(o, i);
		*g = p->regions[i];
		g->parent = o;
		for (block *k = g->first; k; k = k->next)
			k->parent = g;
	}
}

static op *make_op(op_reader *r, const read_parts *p, int parent)
{
	bytecode *b = r->b;
	int kind = p->entry->kind;
	bool holder = kind == OP_FUNC_FUNC || kind == OP_BUILTIN_MODULE;
	if (holder && (p->n_regions != 1 || p->n_operands || p->n_results))
		bytes_fail_at(b, p->at, E_OPERANDS, "%s has one region, and neither operands nor results",
		              p->entry->name->s);
	if (kind == OP_RETURN && p->entry->vhlo && parent == OP_FUNC_FUNC)
		kind = OP_FUNC_RETURN;
	op *o = op_new(b->m, kind, p->entry->name, r->operands.ptr + p->operands, p->n_operands,
	               r->types.ptr + p->types, p->n_results, p->n_regions);
	if (p->at - b->begin < UINT32_MAX)
		op_set_place(o, (uint32_t)(p->at - b->begin), (uint32_t)(p->at - b->begin) + 1);
	take_regions_of(p, o);
	if (b->failed)
		return o;
	if (kind == OP_FUNC_FUNC)
		give_func_attrs(r, p, o);
	else
		give_attrs(r, p, o);
	return o;
}

static void read_op_parts(op_reader *r, bytes *s, const numbering *n, block **blocks,
                          uint64_t n_blocks, read_parts *p)
{
	bytecode *b = r->b;
	uint64_t entry = bytes_number(b, s);
	if (!b->failed && entry >= b->n_ops)
		bytes_fail_at(b, p->at, E_BYTECODE, "there is no name of number %" PRIu64, entry);
	if (b->failed)
		return;
	p->entry = &b->ops[entry];
	if (UNLIKELY(!p->entry->name))
		resolve_entry(b, &b->ops[entry]);
	unsigned mask = bytes_byte(b, s);
	bytes_number(b, s); /* the location: see bytecode_find_loc() */
	if (mask & HAS_ATTRS)
		p->dict = bytes_number(b, s) + 1;
	if (mask & HAS_PROPERTIES)
		p->properties = bytes_number(b, s) + 1;
	if (!b->failed && (p->dict > b->n_attrs || p->properties > b->n_props || mask > 127))
		bytes_fail_at(b, p->at, E_BYTECODE, "an op has attributes that the file has not");
	if (mask & HAS_RESULTS)
		read_result_types(r, s, p);
	if (mask & HAS_OPERANDS)
		bytes_read_operands(r, s, n, p);
	if (mask & HAS_SUCCESSORS)
		read_successors(r, s, blocks, n_blocks, p);
	if (mask & HAS_USE_ORDERS)
		pass_use_orders(b, s, (uint64_t)p->n_results);
	p->has_regions = mask & HAS_REGIONS;
}

static void read_op(op_reader *r, bytes *s, numbering *n, block *in, block **blocks,
                    uint64_t n_blocks, int parent)
{
	bytecode *b = r->b;
	read_parts p = {.at = s->at, .operands = r->operands.len, .types = r->types.len};
	b->here = p.at;
	if (UNLIKELY(p.at - r->passed > SOURCE_STRETCH)) {
		source_passed(b->src, (size_t)(r->passed - b->begin), (size_t)(p.at - b->begin));
		r->passed = p.at;
	}
	read_op_parts(r, s, n, blocks, n_blocks, &p);
	/* Results are numbered before the values in nested regions. */
	numbering results = *n;
	n->next += (uint32_t)p.n_results;
	if (!b->failed && n->next > n->end)
		bytes_fail_at(b, p.at, E_BYTECODE, "a region has more values than it says");
	if (!b->failed && p.has_regions)
		read_regions(r, s, n, &p);
	b->here = p.at;
	if (!b->failed && is_void_cast(r, &p)) {
		for (int i = 0; i < p.n_results; i++)
			define(r, &results, r->operands.ptr[p.operands + i]);
	} else if (!b->failed) {
		if (UNLIKELY(in->successors != NULL))
			bytes_fail_at(b, p.at, E_TERMINATOR, "'%s' op must end its block",
			              op_name(in->last));
		op *o = make_op(r, &p, parent);
		op_append(in, o);
		if (p.n_successors)
			op_set_successors(b->m, o, p.successors, p.n_successors);
		for (int i = 0; i < p.n_results; i++)
			define(r, &results, result(o, i));
	}
	r->operands.len = p.operands;
	r->types.len = p.types;
}

/* ---- blocks and regions -------------------------------------------------------------------------- */

static void read_args(op_reader *r, bytes *s, numbering *n, block *k)
{
	bytecode *b = r->b;
	uint64_t count = bytes_count(b, s, 1);
	for (uint64_t i = 0; i < count && !b->failed; i++) {
		bool located = true;
		uint64_t t = b->version >= 4 ? bytes_flagged(b, s, &located) : bytes_number(b, s);
		value *v = block_add_arg(b->m, k, entry_type(b, t));
		if (located && s->at - b->begin < UINT32_MAX)
			value_arg(v)->at = (uint32_t)(s->at - b->begin);
		if (located)
			bytes_number(b, s);
		define(r, n, v);
	}
	if (b->version >= 3 && bytes_byte(b, s))
		pass_use_orders(b, s, count);
}

static void read_block(op_reader *r, bytes *s, numbering *n, block *k, block **blocks,
                       uint64_t n_blocks, int parent)
{
	bytecode *b = r->b;
	bool has_args;
	uint64_t n_ops = bytes_flagged(b, s, &has_args);
	b->here = s->at;
	if (has_args)
		read_args(r, s, n, k);
	for (; n_ops > 0 && !b->failed; n_ops--)
		read_op(r, s, n, k, blocks, n_blocks, parent);
}

static void read_region(op_reader *r, bytes *s, uint32_t base, region *g, int parent)
{
	bytecode *b = r->b;
	uint64_t n_blocks = count_to_make(r, s, NULL);
	uint64_t n_values = n_blocks ? count_to_make(r, s, NULL) : 0;
	if (n_values > INT32_MAX - (uint64_t)r->values.len)
		bytes_ended(b, s);
	if (!n_blocks || b->failed)
		return;
	int begin = r->values.len, end = begin + (int)n_values;
	vec_reserve(b->mem, &r->values, end);
	if (n_values)
		memset(r->values.ptr + begin, 0, sizeof *r->values.ptr * n_values);
	r->values.len = end;
	numbering n = {.base = base, .next = (uint32_t)begin, .end = (uint32_t)end};
	block **blocks = NEW_N(b->mem, block *, n_blocks);
	for (uint64_t i = 0; i < n_blocks; i++)
		blocks[i] = block_new(b->m, g);
	for (uint64_t i = 0; i < n_blocks && !b->failed; i++)
		read_block(r, s, &n, blocks[i], blocks, n_blocks, parent);
	close_region(r, &n, begin);
}

bool ops_read(bytecode *b)
{
	bytes s = b->sections[SECTION_IR];
	op_reader *r = NEW(b->mem, op_reader);
	numbering n = {0};
	r->b = b;
	r->passed = b->begin;
	r->room = (uint64_t)(s.end - s.at);
	vec_reserve(b->mem, &r->values, 1); /* never NULL: marks are offsets into it even if it
	                                     * stays empty */
	vec_reserve(b->mem, &r->operands, 1);
	vec_reserve(b->mem, &r->types, 1);
	vec_reserve(b->mem, &r->attrs, 1);
	read_block(r, &s, &n, module_body(b->m), NULL, 0, OP_BUILTIN_MODULE);
	if (!b->failed && s.at != s.end)
		bytes_fail_at(b, s.at, E_BYTECODE, "the section of operations has bytes left");
	return !b->failed;
}
