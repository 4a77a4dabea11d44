/* info.c - writes what a jax.export artifact contains besides its program, as JSON: the calling
 * convention (its pytrees), the types of arguments and results with symbolic dimensions, their
 * shardings, and the platforms. */
#include "bytecode/export/flat.h"

#include <math.h>

enum { /* Exported */
       IN_TREE = 2,
       IN_VALUES = 3,
       OUT_TREE = 4,
       OUT_VALUES = 5,
       OLD_DEVICES = 6,
       IN_SHARDINGS = 7,
       OUT_SHARDINGS = 8,
       ORDERED_EFFECTS = 10,
       UNORDERED_EFFECTS = 11,
       CALLING_CONVENTION = 14,
       KEPT_ARGUMENTS = 15,
       DEVICES = 18,
       ALL_VALUES = 19,
       ALL_MESHES = 20,
       ALL_SHARDINGS = 21,
       IN_VALUE_NUMBERS = 22,
       OUT_VALUE_NUMBERS = 23,
       IN_SHARDING_NUMBERS = 24,
       OUT_SHARDING_NUMBERS = 25,
       JAX_VERSION = 26,
};
enum { TREE_KIND, TREE_CHILDREN, TREE_NAMES, TREE_CUSTOM };
enum { KIND_LEAF, KIND_NONE, KIND_TUPLE, KIND_LIST, KIND_DICT, KIND_CUSTOM };
enum { VALUE_SHAPE = 1, VALUE_DTYPE = 2, VALUE_MEMORY = 3 };
enum { SHARDING_NAMED = 2 };
enum { NAMED_MESH, NAMED_SPEC, NAMED_MEMORY, NAMED_MESH_NUMBER };
enum { MESH_SIZES, MESH_NAMES };
enum { SPEC_DIMS, SPEC_REDUCED, SPEC_UNREDUCED };
enum { TREE_LEVELS = 24 };

typedef struct export_info {
	flat f;
	size_t root;
	json j;
	uint64_t nodes; /* in trees; a table may be the child of several */
	uint64_t leaf;
	size_t deep; /* a tree with too many levels; 0: none */
	uint64_t items; /* in shapes and shardings, counted each time they are referred to */
	size_t much;    /* where these became too many; 0: nowhere */
} export_info;

/* Limits the output: a small file could refer to the same lists again and again. */
static bool may_put_item(export_info *x, size_t table)
{
	enum { ITEMS_A_BYTE = 16 };
	if (++x->items / ITEMS_A_BYTE > x->f.len && !x->much)
		x->much = table;
	return !x->f.failed && !x->much;
}

/* ---- trees ------------------------------------------------------------------------------- */

static void put_tree(export_info *x, size_t tree, int level);

static void put_children(export_info *x, size_t tree, const char *kind, int level)
{
	flat_list children = flat_list_of(&x->f, tree, TREE_CHILDREN, 4);
	json_key_arr(&x->j, kind);
	for (uint64_t i = 0; i < children.n && !x->f.failed; i++)
		put_tree(x, flat_list_table(&x->f, &children, i), level + 1);
	json_end(&x->j);
}

static void put_named_children(export_info *x, size_t tree)
{
	flat_list names = flat_list_of(&x->f, tree, TREE_NAMES, 4);
	json_key_arr(&x->j, "keys");
	for (uint64_t i = 0; i < names.n && !x->f.failed; i++)
		json_str(&x->j, flat_list_text(&x->f, &names, i));
	json_end(&x->j);
}

/* A leaf is written as its number, none as null, other nodes as their kind and children. */
static void put_tree(export_info *x, size_t tree, int level)
{
	static const char *const kinds[] = {"", "", "tuple", "list", "dict", "custom"};
	uint64_t kind = tree ? flat_value(&x->f, tree, TREE_KIND, 1) : KIND_NONE;
	if (level > TREE_LEVELS || ++x->nodes > x->f.len) {
		x->deep = x->deep ? x->deep : tree;
		json_z(&x->j, "");
		return;
	}
	if (kind == KIND_LEAF) {
		json_int(&x->j, (int64_t)x->leaf++);
		return;
	}
	if (kind == KIND_NONE || kind > KIND_CUSTOM) {
		json_num(&x->j, (double)NAN);
		return;
	}
	json_obj(&x->j);
	if (kind == KIND_CUSTOM)
		json_key_str(&x->j, "type", flat_text(&x->f, tree, TREE_CUSTOM));
	if (kind == KIND_DICT)
		put_named_children(x, tree);
	put_children(x, tree, kinds[kind], level);
	json_end(&x->j);
}

/* ---- shardings ---------------------------------------------------------------------------- */

static void put_texts(export_info *x, const char *key, size_t table, int field)
{
	flat_list l = flat_list_of(&x->f, table, field, 4);
	json_key_arr(&x->j, key);
	for (uint64_t i = 0; i < l.n && may_put_item(x, table); i++)
		json_str(&x->j, flat_list_text(&x->f, &l, i));
	json_end(&x->j);
}

static void put_mesh_axes(export_info *x, size_t mesh)
{
	flat_list names = flat_list_of(&x->f, mesh, MESH_NAMES, 4);
	flat_list sizes = flat_list_of(&x->f, mesh, MESH_SIZES, 4);
	json_key_arr(&x->j, "mesh");
	for (uint64_t i = 0; i < names.n && may_put_item(x, mesh); i++) {
		json_obj(&x->j);
		json_key_str(&x->j, "axis", flat_list_text(&x->f, &names, i));
		json_key_int(&x->j, "size", (int64_t)flat_list_number(&x->f, &sizes, i));
		json_end(&x->j);
	}
	json_end(&x->j);
}

static void put_export_sharding(export_info *x, size_t named)
{
	size_t mesh = flat_table(&x->f, named, NAMED_MESH);
	size_t spec = flat_table(&x->f, named, NAMED_SPEC);
	flat_list meshes = flat_list_of(&x->f, x->root, ALL_MESHES, 4);
	if (!mesh)
		mesh = flat_list_table(&x->f, &meshes,
		                       flat_value(&x->f, named, NAMED_MESH_NUMBER, 4));
	json_key_obj(&x->j, "sharding");
	if (mesh)
		put_mesh_axes(x, mesh);
	flat_list dims = spec ? flat_list_of(&x->f, spec, SPEC_DIMS, 4) : (flat_list){0};
	json_key_arr(&x->j, "dims");
	for (uint64_t i = 0; i < dims.n && may_put_item(x, named); i++) {
		size_t dim = flat_list_table(&x->f, &dims, i);
		flat_list axes = dim ? flat_list_of(&x->f, dim, 0, 4) : (flat_list){0};
		json_arr(&x->j);
		for (uint64_t k = 0; k < axes.n && may_put_item(x, dim); k++)
			json_str(&x->j, flat_list_text(&x->f, &axes, k));
		json_end(&x->j);
	}
	json_end(&x->j);
	if (spec && flat_list_of(&x->f, spec, SPEC_UNREDUCED, 4).n)
		put_texts(x, "unreduced", spec, SPEC_UNREDUCED);
	tess_str memory = flat_text(&x->f, named, NAMED_MEMORY);
	if (memory.len)
		json_key_str(&x->j, "memory", memory);
	json_end(&x->j);
}

/* Returns the sharding of argument or result i; 0 if there is none. */
static size_t export_sharding_at(export_info *x, bool out, uint64_t i)
{
	flat_list all = flat_list_of(&x->f, x->root, ALL_SHARDINGS, 4);
	flat_list numbers = flat_list_of(&x->f, x->root,
	                                 out ? OUT_SHARDING_NUMBERS : IN_SHARDING_NUMBERS, 4);
	flat_list own = flat_list_of(&x->f, x->root, out ? OUT_SHARDINGS : IN_SHARDINGS, 4);
	uint64_t number = flat_list_number(&x->f, &numbers, i);
	if (number)
		return flat_list_table(&x->f, &all, number - 1);
	size_t s = flat_list_table(&x->f, &own, i);
	return s ? flat_table(&x->f, s, SHARDING_NAMED) : 0;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Dimensions are numbers, or texts if symbolic. */
static void put_export_dims(export_info *x, size_t value)
{
	flat_list dims = flat_list_of(&x->f, value, VALUE_SHAPE, 4);
	json_key_arr(&x->j, "shape");
	for (uint64_t i = 0; i < dims.n && may_put_item(x, value); i++) {
		tess_str d = flat_list_text(&x->f, &dims, i);
		int64_t n = 0;
		bool known = d.len > 0;
		for (size_t k = 0; k < d.len && known; k++)
			known = d.ptr[k] >= '0' && d.ptr[k] <= '9' && mul_ok(n, 10, &n) &&
			        add_ok(n, d.ptr[k] - '0', &n);
		if (known)
			json_int(&x->j, n);
		else
			json_str(&x->j, d);
	}
	json_end(&x->j);
}

static bool is_kept(export_info *x, const flat_list *kept, uint64_t *next, uint64_t i)
{
	bool there = flat_list_number(&x->f, kept, *next) == i && *next < kept->n;
	*next += there;
	return there;
}

/* float0 and keys of random numbers are element types in JAX only. */
static void put_export_dtype(export_info *x, uint64_t number)
{
	static const struct {
		uint64_t number;
		const char *name;
	} others[] = {{22, "float0"}, {27, "key<fry>"}, {28, "key<rbg>"}, {29, "key<unsafe_rbg>"}};
	const char *name = dtype_numpy(dtype_numbered(NUMBER_JAX, number));
	for (int i = 0; i < COUNT(others); i++)
		if (others[i].number == number)
			name = others[i].name;
	json_key_z(&x->j, "dtype", name);
}

static void put_export_values(export_info *x, bool out)
{
	flat_list own = flat_list_of(&x->f, x->root, out ? OUT_VALUES : IN_VALUES, 4);
	flat_list numbers = flat_list_of(&x->f, x->root, out ? OUT_VALUE_NUMBERS : IN_VALUE_NUMBERS,
	                                 4);
	flat_list all = flat_list_of(&x->f, x->root, ALL_VALUES, 4);
	flat_list kept = flat_list_of(&x->f, x->root, KEPT_ARGUMENTS, 2);
	uint64_t n = numbers.n ? numbers.n : own.n, next = 0;
	json_key_arr(&x->j, "leaves");
	for (uint64_t i = 0; i < n && !x->f.failed && !x->much; i++) {
		size_t value = numbers.n ? flat_list_table(&x->f, &all,
		                                           flat_list_number(&x->f, &numbers, i))
		                         : flat_list_table(&x->f, &own, i);
		uint64_t dtype = value ? flat_value(&x->f, value, VALUE_DTYPE, 1) : 0;
		size_t sharding = export_sharding_at(x, out, i);
		json_obj(&x->j);
		if (value)
			put_export_dims(x, value);
		put_export_dtype(x, dtype);
		if (!out && !is_kept(x, &kept, &next, i))
			json_key_bool(&x->j, "used", false);
		if (sharding)
			put_export_sharding(x, sharding);
		json_end(&x->j);
	}
	json_end(&x->j);
}

static void put_side(export_info *x, const char *key, bool out)
{
	json_key_obj(&x->j, key);
	x->leaf = 0;
	json_key(&x->j, "tree");
	put_tree(x, flat_table(&x->f, x->root, out ? OUT_TREE : IN_TREE), 0);
	put_export_values(x, out);
	json_end(&x->j);
}

/* ---- the whole description ------------------------------------------------------------------ */

static void put_effects(export_info *x)
{
	static const int fields[] = {ORDERED_EFFECTS, UNORDERED_EFFECTS};
	json_key_arr(&x->j, "effects");
	for (int k = 0; k < COUNT(fields); k++) {
		flat_list l = flat_list_of(&x->f, x->root, fields[k], 4);
		for (uint64_t i = 0; i < l.n && !x->f.failed; i++) {
			size_t effect = flat_list_table(&x->f, &l, i);
			json_str(&x->j, effect ? flat_text(&x->f, effect, 0) : STR(""));
		}
	}
	json_end(&x->j);
}

static int64_t count_derivatives(const export_info *x)
{
	flat f = x->f;
	int64_t n = 0;
	for (size_t t = x->root; n < TREE_LEVELS && (t = flat_table(&f, t, EXPORT_VJP)); n++)
		;
	return n;
}

bool export_describe(tess_ctx *ctx, source *src, int order, writer *w)
{
	export_info x = {.f = {.p = (const unsigned char *)src->text.ptr, .len = src->text.len}};
	x.root = export_table(&x.f, order);
	json_init(&x.j, w, true);
	json_obj(&x.j);
	json_key_str(&x.j, "name", flat_text(&x.f, x.root, EXPORT_NAME));
	json_key_str(&x.j, "jax", flat_text(&x.f, x.root, JAX_VERSION));
	json_key_int(&x.j, "calling_convention",
	             (int64_t)flat_value(&x.f, x.root, CALLING_CONVENTION, 2));
	put_texts(&x, "platforms", x.root, EXPORT_PLATFORMS);
	uint64_t devices = flat_value(&x.f, x.root, DEVICES, 4);
	json_key_int(&x.j, "devices",
	             (int64_t)(devices ? devices : flat_value(&x.f, x.root, OLD_DEVICES, 2)));
	json_key_int(&x.j, "derivatives", count_derivatives(&x));
	put_effects(&x);
	put_side(&x, "arguments", false);
	put_side(&x, "results", true);
	json_end(&x.j);
	if (!x.f.failed && !x.deep && !x.much)
		return true;
	src->binary = true;
	size_t at = x.f.failed ? x.f.wrong : x.deep ? x.deep : x.much;
	place where = {.src = src, .begin = (uint32_t)at, .end = (uint32_t)at};
	return diag_error(
		ctx, where, E_BYTECODE, "%s",
		x.f.failed ? "this is not what jax.export writes, or it was cut short: it leads "
			     "out of the file here"
		: x.deep ? "the tree of a function is nested too deeply here"
			 : "shapes or shardings of so many dimensions are referred to too often");
}
