/* vm.c - builds and runs programs of elementwise operations. */
#include "exec/steps/vm.h"

#include "exec/kernel.h"

enum { TILE = 1024, NO_REG = 0xffff };

typedef struct vm_ins {
	vec_fn *fn;
	int64_t imm;
	uint16_t d, a, b, c;
} vm_ins;

typedef enum leaf_kind {
	LEAF_DENSE,   /* memory read in place */
	LEAF_STRIDED, /* copied into the register, tile by tile */
	LEAF_SPLAT,   /* one element of memory, copied all over the register once */
	LEAF_CONST,
	LEAF_IOTA, /* i64 */
} leaf_kind;

typedef struct vm_leaf {
	leaf_kind kind;
	int arg;
	uint16_t reg;
	uint8_t bytes;          /* of an element */
	const int64_t *strides; /* STRIDED and IOTA: after collapsing, in elements */
	char value[16];
} vm_leaf;

typedef struct vm_out {
	int out;
	uint16_t reg;
	uint8_t bytes;
} vm_out;

/* A register is in scratch, or moves through memory with the tile. */
typedef struct vm_place {
	int64_t offset; /* in scratch */
	uint8_t bytes;  /* of an element */
	bool direct;    /* a dense leaf or an output */
} vm_place;

struct vm {
	int rank;
	const int64_t *dims; /* collapsed */
	int n_regs, n_ins, n_leaves, n_outs;
	const vm_ins *ins;
	const vm_leaf *leaves;
	const vm_out *outs;
	const vm_place *places;
	size_t scratch;
	double cost;
};

typedef struct vm_value {
	uint8_t bytes;
	int leaf;     /* or -1 */
	int last_use; /* instruction */
	int def;
	int out; /* index in outs of the output to which it is written directly, or -1 */
} vm_value;

struct vm_builder {
	arena *mem;
	int rank;
	const int64_t *dims;
	VEC(vm_ins) ins;
	VEC(vm_leaf) leaves;
	VEC(vm_out) outs;
	VEC(vm_value) regs;
	double cost;
};

/* ---- building ------------------------------------------------------------------- */

vm_builder *vm_begin(arena *mem, const int64_t *dims, int rank)
{
	vm_builder *b = NEW(mem, vm_builder);
	b->mem = mem;
	b->rank = rank;
	b->dims = rank > 0 ? COPY_N(mem, dims, rank) : NULL;
	return b;
}

static vm_reg vm_new_reg(vm_builder *b, int bytes)
{
	vm_value v = {
		.bytes = (uint8_t)bytes, .leaf = -1, .def = b->ins.len, .last_use = -1, .out = -1};
	vec_push(b->mem, &b->regs, v);
	return b->regs.len - 1;
}

static vm_reg vm_emit(vm_builder *b, vec_fn *fn, int bytes, vm_reg x, vm_reg y, vm_reg z,
                      int64_t imm)
{
	vm_reg d = vm_new_reg(b, bytes);
	vm_ins i = {fn, imm, (uint16_t)d, NO_REG, NO_REG, NO_REG};
	vm_reg from[3] = {x, y, z};
	uint16_t *to[3] = {&i.a, &i.b, &i.c};
	for (int k = 0; k < 3; k++) {
		if (from[k] < 0)
			continue;
		*to[k] = (uint16_t)from[k];
		b->regs.ptr[from[k]].last_use = b->ins.len;
	}
	vec_push(b->mem, &b->ins, i);
	b->cost += 0.1 + 0.02 * bytes;
	return d;
}

static vm_reg vm_new_leaf(vm_builder *b, vm_leaf leaf, dtype t)
{
	vm_reg r = vm_new_reg(b, leaf.bytes);
	leaf.reg = (uint16_t)r;
	b->regs.ptr[r].leaf = b->leaves.len;
	vec_push(b->mem, &b->leaves, leaf);
	vec_fn *load = t == DT_NONE ? NULL : vec_load(t);
	return load ? vm_emit(b, load, vec_type_bytes(vec_type_of(t)), r, -1, -1, 0) : r;
}

static bool all_zero(const int64_t *strides, const int64_t *dims, int rank)
{
	for (int i = 0; i < rank; i++)
		if (strides[i] && dims[i] != 1)
			return false;
	return true;
}

static bool row_major(const int64_t *strides, const int64_t *dims, int rank)
{
	int64_t want = 1;
	for (int i = rank - 1; i >= 0; i--) {
		if (dims[i] != 1 && strides[i] != want)
			return false;
		want *= dims[i];
	}
	return true;
}

vm_reg vm_input(vm_builder *b, int arg, dtype t, const int64_t *strides)
{
	vm_leaf leaf = {.arg = arg, .bytes = (uint8_t)dtype_bytes(t)};
	if (!strides || (b->rank >= 0 && row_major(strides, b->dims, b->rank)))
		leaf.kind = LEAF_DENSE;
	else if (all_zero(strides, b->dims, b->rank))
		leaf.kind = LEAF_SPLAT;
	else
		leaf.kind = LEAF_STRIDED, leaf.strides = COPY_N(b->mem, strides, b->rank);
	return vm_new_leaf(b, leaf, t);
}

vm_reg vm_const(vm_builder *b, dtype t, const void *element)
{
	vm_leaf leaf = {.kind = LEAF_CONST, .arg = -1, .bytes = (uint8_t)dtype_bytes(t)};
	memcpy(leaf.value, element, leaf.bytes);
	return vm_new_leaf(b, leaf, t);
}

vm_reg vm_iota(vm_builder *b, dtype t, int dim)
{
	int64_t *strides = NEW_N(b->mem, int64_t, b->rank);
	strides[dim] = 1;
	vm_leaf leaf = {.kind = LEAF_IOTA, .arg = -1, .bytes = 8, .strides = strides};
	return vm_convert(b, DT_I64, t, vm_new_leaf(b, leaf, DT_NONE));
}

static vm_reg vm_fix(vm_builder *b, dtype t, vm_reg r)
{
	vec_fn *fix = vec_fix(t);
	return fix ? vm_emit(b, fix, vec_type_bytes(vec_type_of(t)), r, -1, -1, 0) : r;
}

vm_reg vm_apply(vm_builder *b, vec_op op, dtype in, dtype out, vm_reg x, vm_reg y, vm_reg z,
                int64_t imm)
{
	vec_type t = vec_type_of(in);
	vec_fn *fn = vec_find(op, t);
	vec_type r = vec_result(op, t);
	if (!fn || r != vec_type_of(out))
		return -1;
	if (op >= VEC_EXP && op <= VEC_TANH)
		b->cost += 3;
	vm_reg d = vm_emit(b, fn, vec_type_bytes(r), x, y, z, imm);
	return vec_needs_fix(op) ? vm_fix(b, out, d) : d;
}

vm_reg vm_convert(vm_builder *b, dtype from, dtype to, vm_reg x)
{
	vec_type f = vec_type_of(from), t = vec_type_of(to);
	bool widens = dtype_is_float(from) && dtype_is_float(to) && dtype_bits(from) <= 16 &&
	              dtype_bits(to) >= 32;
	if (from == to || (widens && f == t))
		return x;
	if (f == VT_F32 && t == VT_F32)
		return vm_fix(b, to, x);
	int64_t imm = dtype_is_int(to) ? dtype_bits(to) : dtype_bits(to) < 32;
	vm_reg d = vm_emit(b, vec_convert(f, t), vec_type_bytes(t), x, -1, -1, imm);
	return vm_fix(b, to, d);
}

vm_reg vm_bitcast(vm_builder *b, dtype from, dtype to, vm_reg x)
{
	vec_fn *store = vec_store(from), *load = vec_load(to);
	if (store)
		x = vm_emit(b, store, dtype_bytes(from), x, -1, -1, 0);
	if (load)
		x = vm_emit(b, load, vec_type_bytes(vec_type_of(to)), x, -1, -1, 0);
	return x;
}

void vm_output(vm_builder *b, int out, dtype t, vm_reg x)
{
	vec_fn *store = vec_store(t);
	if (store)
		x = vm_emit(b, store, dtype_bytes(t), x, -1, -1, 0);
	else if (b->regs.ptr[x].leaf >= 0 || b->regs.ptr[x].out >= 0)
		x = vm_emit(b, vec_find(VEC_COPY, vec_type_of(t)), dtype_bytes(t), x, -1, -1, 0);
	b->regs.ptr[x].out = b->outs.len;
	vec_push(b->mem, &b->outs, (vm_out){out, (uint16_t)x, (uint8_t)dtype_bytes(t)});
}

/* ---- finishing: merging dimensions, placing registers --------------------------------------- */

/* True if in every strided leaf, a dimension and the next one larger than 1 can be merged. */
static bool dims_join(const vm_builder *b, int d, int next)
{
	for (int i = 0; i < b->leaves.len; i++) {
		const int64_t *s = b->leaves.ptr[i].strides;
		if (s && s[d] != s[next] * b->dims[next])
			return false;
	}
	return true;
}

/* Merges dimensions that have even strides, and drops those of size 1. */
static int collapse(vm_builder *b, int64_t *dims)
{
	int rank = 0;
	int *last = NEW_N(b->mem, int, b->rank); /* original dimension of each */
	for (int d = 0; d < b->rank; d++) {
		if (b->dims[d] == 1)
			continue;
		if (rank > 0 && dims_join(b, last[rank - 1], d))
			dims[rank - 1] *= b->dims[d];
		else
			dims[rank++] = b->dims[d];
		last[rank - 1] = d;
	}
	if (rank == 0)
		dims[rank++] = 1; /* last[0] is 0 */
	for (int i = 0; i < b->leaves.len; i++) {
		const int64_t *s = b->leaves.ptr[i].strides;
		if (!s)
			continue;
		int64_t *t = NEW_N(b->mem, int64_t, rank);
		for (int k = 0; k < rank; k++)
			t[k] = s[last[k]];
		b->leaves.ptr[i].strides = t;
	}
	return rank;
}

/* Assigns scratch to registers: a register's room is free after the last instruction that reads it.
 * All rooms have the size of the widest element. */
static size_t place_registers(vm_builder *b, vm_place *places)
{
	int widest = 1;
	for (int r = 0; r < b->regs.len; r++)
		widest = b->regs.ptr[r].bytes > widest ? b->regs.ptr[r].bytes : widest;
	int64_t size = (int64_t)widest * TILE;
	int *free_rooms = NEW_N(b->mem, int, b->regs.len), n_free = 0;
	int *room_of = NEW_N(b->mem, int, b->regs.len);
	int n_rooms = 0;
	for (int r = 0; r < b->regs.len; r++) {
		const vm_value *v = &b->regs.ptr[r];
		places[r].bytes = v->bytes;
		room_of[r] = -1;
		/* Leaves keep their rooms, because constants are filled in once. */
		if (v->leaf < 0)
			continue;
		places[r].direct = b->leaves.ptr[v->leaf].kind == LEAF_DENSE;
		if (!places[r].direct)
			places[r].offset = n_rooms++ * size;
	}
	for (int k = 0; k < b->ins.len; k++) {
		const vm_ins *i = &b->ins.ptr[k];
		const uint16_t from[3] = {i->a, i->b, i->c};
		/* If elements differ in size, d must not share a source's room: the loop would
		 * overwrite elements that it has yet to read. */
		int was_free = n_free;
		for (int j = 0; j < 3; j++) {
			if (from[j] == NO_REG || b->regs.ptr[from[j]].last_use != k ||
			    room_of[from[j]] < 0)
				continue;
			free_rooms[n_free++] = room_of[from[j]];
			room_of[from[j]] = -1;
			if (places[from[j]].bytes == places[i->d].bytes)
				was_free = n_free;
		}
		places[i->d].direct = b->regs.ptr[i->d].out >= 0;
		if (places[i->d].direct)
			continue;
		int at = was_free ? free_rooms[was_free - 1] : n_rooms++;
		if (was_free)
			free_rooms[was_free - 1] = free_rooms[--n_free];
		places[i->d].offset = at * size;
		room_of[i->d] = b->regs.ptr[i->d].last_use < 0 ? -1 : at;
	}
	return (size_t)(n_rooms * size);
}

const vm *vm_finish(vm_builder *b)
{
	ASSERT(b->regs.len < NO_REG);
	vm *v = NEW(b->mem, vm);
	if (b->rank > 0) {
		int64_t *dims = NEW_N(b->mem, int64_t, b->rank);
		v->rank = collapse(b, dims);
		v->dims = dims;
	}
	vm_place *places = NEW_N(b->mem, vm_place, b->regs.len);
	v->scratch = place_registers(b, places);
	v->places = places;
	v->n_regs = b->regs.len;
	v->ins = b->ins.ptr;
	v->n_ins = b->ins.len;
	v->leaves = b->leaves.ptr;
	v->n_leaves = b->leaves.len;
	v->outs = b->outs.ptr;
	v->n_outs = b->outs.len;
	v->cost = b->cost + 0.1;
	return v;
}

/* ---- running --------------------------------------------------------------------------- */

static size_t reg_table_bytes(const vm *v)
{
	return ((size_t)v->n_regs * sizeof(char *) + 63) & ~(size_t)63;
}

size_t vm_scratch_bytes(const vm *v) { return reg_table_bytes(v) + v->scratch; }
double vm_cost(const vm *v) { return v->cost; }

bool vm_in_place(const vm *v, int arg, int out)
{
	int written = -1;
	for (int i = 0; i < v->n_outs; i++)
		for (int k = 0; v->outs[i].out == out && k < v->n_ins; k++)
			if (v->ins[k].d == v->outs[i].reg)
				written = k;
	for (int l = 0; l < v->n_leaves; l++) {
		const vm_leaf *leaf = &v->leaves[l];
		if (leaf->arg != arg)
			continue;
		if (leaf->kind != LEAF_DENSE || v->places[v->ins[written].d].bytes != leaf->bytes)
			return false;
		for (int k = written + 1; k < v->n_ins; k++)
			if (v->ins[k].a == leaf->reg || v->ins[k].b == leaf->reg ||
			    v->ins[k].c == leaf->reg)
				return false;
	}
	return true;
}

/* The number of elements from `index` on that form a box: whole rows, planes, … as far as both the
 * index and `n` allow. *first is the outermost dimension of the box, which has *count positions of
 * it. */
static int64_t box_ahead(const vm *v, const int64_t *index, int64_t n, int *first, int64_t *count)
{
	int k = v->rank - 1;
	int64_t size = 1; /* of the box inside dimension k */
	while (k > 0 && index[k] == 0 && size * v->dims[k] <= n) {
		size *= v->dims[k];
		k--;
	}
	*first = k;
	*count = min_i64(n / size, v->dims[k] - index[k]);
	return *count * size;
}

/* Loads elements [at, at + n) of the iteration space, box by box. */
static void load_boxes(const vm *v, const vm_leaf *leaf, const char *src, char *d, int64_t at,
                       int64_t n)
{
	int64_t index[MAX_RANK], dims[MAX_RANK], to[MAX_RANK];
	index_of(at, v->dims, v->rank, index);
	while (n > 0) {
		int first;
		int64_t count, run = box_ahead(v, index, n, &first, &count);
		int64_t offset = index_dot(index, leaf->strides, v->rank);
		int rank = v->rank - first;
		memcpy(dims, v->dims + first, sizeof *dims * (size_t)rank);
		dims[0] = count;
		strides_of(dims, rank, to);
		box_copy(rank, dims, d, to, src + offset * leaf->bytes, leaf->strides + first,
		         leaf->bytes);
		d += run * leaf->bytes;
		n -= run;
		index[first] += count;
		for (int k = first; k > 0 && index[k] == v->dims[k]; k--) {
			index[k] = 0;
			index[k - 1]++;
		}
	}
}

/* The same for iota: the values are what other leaves have as offsets. */
static void load_iota(const vm *v, const vm_leaf *leaf, int64_t *d, int64_t at, int64_t n)
{
	int64_t index[MAX_RANK];
	int inner = v->rank - 1;
	index_of(at, v->dims, v->rank, index);
	while (n > 0) {
		int64_t run = min_i64(n, v->dims[inner] - index[inner]);
		int64_t from = index_dot(index, leaf->strides, v->rank);
		for (int64_t i = 0; i < run; i++)
			d[i] = from + i * leaf->strides[inner];
		d += run;
		n -= run;
		index[inner] += run;
		for (int k = inner; k > 0 && index[k] == v->dims[k]; k--) {
			index[k] = 0;
			index[k - 1]++;
		}
	}
}

static void start_leaves(const vm *v, char *const *args, char **reg, int64_t n)
{
	for (int l = 0; l < v->n_leaves; l++) {
		const vm_leaf *leaf = &v->leaves[l];
		if (leaf->kind == LEAF_SPLAT)
			box_fill(reg[leaf->reg], args[leaf->arg], n, leaf->bytes);
		else if (leaf->kind == LEAF_CONST)
			box_fill(reg[leaf->reg], leaf->value, n, leaf->bytes);
	}
}

static void load_leaves(const vm *v, char *const *args, char **reg, int64_t at, int64_t n)
{
	for (int l = 0; l < v->n_leaves; l++) {
		const vm_leaf *leaf = &v->leaves[l];
		if (leaf->kind == LEAF_DENSE)
			reg[leaf->reg] = args[leaf->arg] + at * leaf->bytes;
		else if (leaf->kind == LEAF_STRIDED)
			load_boxes(v, leaf, args[leaf->arg], reg[leaf->reg], at, n);
		else if (leaf->kind == LEAF_IOTA)
			load_iota(v, leaf, (int64_t *)reg[leaf->reg], at, n);
	}
}

void vm_run(const vm *v, char *const *args, char *const *outs, int64_t begin, int64_t end,
            void *scratch)
{
	char **reg = scratch, *rooms = (char *)scratch + reg_table_bytes(v);
	for (int r = 0; r < v->n_regs; r++)
		reg[r] = rooms + v->places[r].offset;
	start_leaves(v, args, reg, min_i64(TILE, end - begin));
	for (int64_t at = begin; at < end; at += TILE) {
		int64_t n = min_i64(TILE, end - at);
		load_leaves(v, args, reg, at, n);
		for (int o = 0; o < v->n_outs; o++)
			reg[v->outs[o].reg] = outs[v->outs[o].out] + at * v->outs[o].bytes;
		for (int k = 0; k < v->n_ins; k++) {
			const vm_ins *i = &v->ins[k];
			i->fn(n, reg[i->d], i->a == NO_REG ? NULL : reg[i->a],
			      i->b == NO_REG ? NULL : reg[i->b], i->c == NO_REG ? NULL : reg[i->c],
			      i->imm);
		}
	}
}
