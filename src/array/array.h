/* array.h - the interface of array: meshes with axis types, types with shardings, the typing rule
 * of each operation, traced functions.
 *
 * For each dimension, a type says over which Explicit axes of its mesh it is sharded. An axis is a
 * number, its position in the mesh; a set of axes is a bit mask; the axes of one dimension, major
 * to minor, are the nibbles of one number. So most rules are integer comparisons. */
#ifndef TESS_ARRAY_ARRAY_H
#define TESS_ARRAY_ARRAY_H

#include "shape/shape.h"

enum { ARRAY_MAX_AXES = 15, ARRAY_MAX_RANK = 16 };

/* ---- meshes ---------------------------------------------------------------- */

typedef enum axis_kind { AXIS_AUTO, AXIS_EXPLICIT, AXIS_MANUAL } axis_kind;

typedef uint32_t axis_set; /* bit a: axis a */

/* Interned: equal meshes are the same pointer. */
typedef struct amesh {
	int n;
	const name *axis[ARRAY_MAX_AXES];
	int64_t size[ARRAY_MAX_AXES];
	axis_kind kind[ARRAY_MAX_AXES];
	const int64_t *ids; /* the device at each position, row-major; NULL: in order */
	const tess_ctx *ctx; /* where it is interned */
} amesh;

/* Returns the interned mesh equal to *m, or NULL with a diagnostic; copies ids. */
const amesh *amesh_of(tess_ctx *ctx, const amesh *m);
int amesh_axis(const amesh *m, const name *axis); /* -1: no such axis */
/* Returns the axes named in "X" or "X,Y".
 * @param m may be NULL: no axes
 * @param wrong set to the first word that is not one of the allowed axes; ptr NULL if there is
 * none; may be NULL */
axis_set amesh_axes_named(const amesh *m, tess_str words, axis_set allowed, tess_str *wrong);
int64_t amesh_devices(const amesh *m);
bool amesh_placed_alike(const amesh *a, const amesh *b); /* the same device at each position */
axis_set amesh_axes_of_kind(const amesh *m, axis_kind kind); /* m may be NULL */
/* Returns the mesh with the axes in `set` changed to another kind. */
const amesh *amesh_with_kind(tess_ctx *ctx, const amesh *m, axis_set set, axis_kind kind);
/* Writes "Mesh('X': 4, 'Y': 2, axis_types=(Explicit, Auto))". */
void put_amesh(writer *w, const amesh *m, const char *what);

/* ---- axes of a dimension -------------------------------------------------------------------- */

/* Nibble i is 1 + the i-th axis, major to minor; 0 ends the list. */
typedef uint64_t axis_seq;

static inline int axis_seq_len(axis_seq l)
{
	int n = 0;
	for (; l; l >>= 4)
		n++;
	return n;
}
static inline int axis_seq_at(axis_seq l, int i) { return (int)(l >> (4 * i) & 15) - 1; }
static inline axis_seq axis_seq_add(axis_seq l, int axis)
{
	return l | (uint64_t)(axis + 1) << (4 * axis_seq_len(l));
}
axis_seq axis_seq_join(axis_seq major, axis_seq minor);
axis_set axis_seq_set(axis_seq l);
axis_seq axis_seq_without(axis_seq l, axis_set set);
axis_seq axis_seq_within(axis_seq l, axis_set set);
int64_t axis_seq_size(const amesh *m, axis_seq l); /* 1 if empty */
int64_t axis_set_size(const amesh *m, axis_set set);

/* ---- partition specs ----------------------------------------------------------- */

/* A spec as users write it: names, not bound to a mesh yet. Interned by its text. */
typedef struct pspec {
	int n;
	struct pspec_dim {
		int n;
		const name *axis[ARRAY_MAX_AXES];
		bool any; /* unconstrained */
	} dim[ARRAY_MAX_RANK];
	int n_unreduced, n_reduced;
	const name *unreduced[ARRAY_MAX_AXES], *reduced[ARRAY_MAX_AXES];
} pspec;

/* Parses "X, _, (X,Y) U:Z R:(V,W)"; `?` is an unconstrained dimension. NULL with a diagnostic. */
const pspec *pspec_parse(tess_ctx *ctx, tess_str text);
/* Writes "P('X', None, ('X', 'Y'), unreduced={'Z'})". */
void put_pspec(writer *w, const pspec *s);

/* A spec bound to a mesh. */
typedef struct aspec {
	int n;
	axis_seq dim[ARRAY_MAX_RANK];
	uint32_t any; /* bit d: dimension d is unconstrained */
	axis_set unreduced, reduced;
} aspec;

/* Returns the dimensions, unreduced and reduced axes of a type as a spec. */
struct tess_array_type;
const pspec *pspec_of(tess_ctx *ctx, const struct tess_array_type *t);

/* Binds a spec; checks that the axes exist and are used once, and that nothing is unconstrained
 * unless some axis is Auto. Returns false with a diagnostic. */
bool aspec_bind(tess_ctx *ctx, const amesh *m, const pspec *s, aspec *out);

/* ---- types ------------------------------------------------------------------- */

typedef struct tess_array_type {
	dtype dtype;
	bool weak; /* from a Python number: adopts the other operand's dtype */
	bool key;  /* a random key, which is 64 bits: dtype is then ui64 */
	int rank;
	const amesh *mesh; /* NULL: no mesh was set */
	axis_set unreduced, reduced, varying;
	int64_t dim[ARRAY_MAX_RANK];
	axis_seq spec[ARRAY_MAX_RANK];
} atype;

enum { TYPE_LONG, TYPE_SHORT };

const atype *atype_intern(tess_ctx *ctx, const atype *t);
/* An unsharded scalar. */
atype atype_scalar(dtype t, const amesh *m);
/* Checks that axes are used once and that every sharded dimension divides evenly. */
bool atype_check(tess_ctx *ctx, const atype *t);
/* Shards *t by the spec, replacing all entries. Only Explicit axes of the type's mesh may be named;
 * `op` is for diagnostics. */
bool atype_shard(tess_ctx *ctx, atype *t, const pspec *s, const char *op);
/* The same for placing data on devices: Auto axes may be named, but are not part of the type. */
bool atype_place(tess_ctx *ctx, atype *t, const pspec *s);
bool atype_same(const atype *a, const atype *b);
bool atype_same_spec(const atype *a, const atype *b); /* dimensions, unreduced and reduced axes */
axis_set atype_axes(const atype *t);                  /* those that shard some dimension */
bool atype_is_sharded(const atype *t);
int64_t atype_elements(const atype *t);
int64_t atype_device_bytes(const atype *t);
/* Returns the type of the gradient for a value of this type: unreduced and reduced are swapped. */
atype atype_cotangent(const atype *t);
void put_atype(writer *w, const atype *t, int form);
void put_axis_set(writer *w, const amesh *m, axis_set s);      /* X or (X,Y) */
void put_axis_names(writer *w, const amesh *m, axis_seq l);   /* X or (X,Y) */
void put_spec_tuple(writer *w, const atype *t, int from, int to); /* ('X', None) */
/* Returns "f32[8@X,4]", in the scratch arena. */
const char *atype_text(tess_ctx *ctx, const atype *t, int form);
/* Returns the whole spec as P('X', None), in the scratch arena. */
const char *atype_spec_text(tess_ctx *ctx, const atype *t);
/* Returns the dtype with this name, in either form; DT_NONE if there is none. */
dtype atype_dtype_named(tess_str s);
/* Parses either form (type_read.c). Auto axes are accepted but dropped, since types do not have
 * them. NULL with a diagnostic. */
const atype *atype_parse(tess_ctx *ctx, tess_str text, const amesh *m);

/* Normalizes an axis counted from either end; false, with a diagnostic, if it is out of range. */
bool axis_normal(tess_ctx *ctx, const char *op, int64_t axis, int rank, int *out);

/* ---- attributes --------------------------------------------------------------- */

typedef struct params params;
typedef enum param_kind { PK_INTS, PK_NUMBER, PK_TEXT, PK_SPECS, PK_DTYPE, PK_MESH } param_kind;
typedef struct param {
	const char *key;
	param_kind kind;
	bool asked;         /* it was looked up */
	unsigned asked_as;  /* the kinds that it was looked up as, as bits; 0: any */
	int n;
	int64_t *ints;
	double number;
	tess_str text;
	const pspec *const *specs;
	const amesh *mesh;
	dtype dtype;
} param;
struct params {
	VEC(param) list;
};

const param *param_find(const params *a, const char *key); /* a may be NULL */
/* Marks all parameters as not looked up. */
void params_begin(const params *a);
/* Returns false, with a diagnostic, if a parameter has not been looked up since then, so that the
 * operation does not know it, or only as another kind. An empty list of integers means None. */
bool params_all_asked(tess_ctx *ctx, const char *op, const params *a);
int64_t param_int(const params *a, const char *key, int64_t otherwise);
bool param_has(const params *a, const char *key);
/* Returns a number, or the first of a list of integers. */
double param_number(const params *a, const char *key, double otherwise);
/* Returns their number; -1 if absent. */
int param_ints(const params *a, const char *key, const int64_t **out);
const pspec *param_spec(const params *a, const char *key);
/* Returns the i-th of a list; a single one applies to all i. */
const pspec *param_spec_at(const params *a, const char *key, int i);
const amesh *param_mesh(const params *a, const char *key, const amesh *otherwise);
tess_str param_text(const params *a, const char *key);
dtype param_dtype(const params *a, const char *key, dtype otherwise);
/* Set or replace a parameter. */
void params_set_ints(arena *mem, params *a, const char *key, const int64_t *v, int n);
void params_set(arena *mem, params *a, param one);
params *params_copy(arena *mem, const params *a); /* a deep copy; a may be NULL */

/* ---- windows ----------------------------------------------------------------------- */

/* A window along one dimension, in elements; the terms are XLA's. */
typedef struct array_window {
	int64_t size, window;                           /* of the operand and of the window */
	int64_t stride, base_dilation, window_dilation; /* stride of windows; dilation of the
	                                                 * operand and the window */
	int64_t low, high;                              /* padding; negative values crop */
	int64_t out;                                    /* number of window positions */
} array_window;

/* For reduce_window: a window for each dimension of x. */
bool pool_read(tess_ctx *ctx, const params *a, const atype *x, array_window *w);

/* The positions of the dimensions of a convolution. */
enum { CONV_BATCH = 0, CONV_FEATURE = 1, CONV_OUT = 0, CONV_IN = 1, CONV_SPATIAL = 2 };
typedef struct array_conv {
	int lhs[ARRAY_MAX_RANK], out[ARRAY_MAX_RANK]; /* batch, features, spatial dimensions */
	int rhs[ARRAY_MAX_RANK];                      /* output and input features, spatial */
	int n_spatial;
	int64_t feature_groups, batch_groups; /* at least one of them is 1 */
	array_window at[ARRAY_MAX_RANK];        /* for spatial dimensions */
} array_conv;

/* Reads a convolution of x with the kernel k. Returns false with a diagnostic. */
bool conv_read(tess_ctx *ctx, const params *a, const atype *x, const atype *k, array_conv *c);

/* ---- the context's state --------------------------------------------------------- */

/* What to do about communication that types do not show. */
typedef enum comm_level { COMM_ALLOW, COMM_WARN, COMM_DENY } comm_level;

typedef struct array_state {
	cons_tab meshes, types;
	ptr_map specs, ops; /* by name: pspec, array_op */
	const amesh *mesh;   /* the current one */
	struct afn *trace;   /* the innermost function being traced, or NULL */
	axis_set hidden;     /* axes that an enclosing vmap maps over */
	const struct mapped_name *named; /* dimensions that enclosing vmaps map by name */
	bool unchecked;      /* inside a shard_map that does not track what varies */
	comm_level comm;
	int64_t devices;     /* available for meshes; 0: as many as they ask for */
	struct kept_handles *kept; /* released handles, in debug builds; for api */
	struct eager_cache *eager; /* operations that were run outside functions; for api */
} array_state;
array_state *array_state_of(tess_ctx *ctx);

/* ---- axis names of collectives -------------------------------------------------------------- */

/* A dimension that an enclosing vmap maps under a name; the innermost first. */
typedef struct mapped_name {
	const struct mapped_name *outer;
	tess_str name;
	int64_t size;
} mapped_name;

typedef struct comm_reach {
	axis_set set; /* manual axes of the mesh */
	int mapped;   /* number of vmaps' names; not both */
	int64_t size; /* number of devices, or of elements */
} comm_reach;

/* Resolves the attribute "axes", "X" or "X,Y". Returns false with a diagnostic if a word is neither
 * a manual axis nor the name of an enclosing vmap, or if both occur. `op` is for diagnostics. */
bool comm_reach_of(tess_ctx *ctx, const char *op, const amesh *m, const params *a, comm_reach *out);
/* True if `word` is one of the words "X,Y"; and the other words. */
bool words_have(tess_str words, tess_str word);
tess_str words_without(arena *mem, tess_str words, tess_str word);

/* ---- operations ------------------------------------------------------------------- */

/* A query to a typing rule: the result types of `op` for operands of these types. A rule reads `in`
 * and the attributes, calls typed_out() for each result, and returns false with a diagnostic if the
 * operands are invalid. */
typedef struct array_op array_op;
typedef struct typing {
	tess_ctx *ctx;
	const array_op *op;
	const char *name; /* without prefix: "add" */
	const amesh *mesh;
	const atype *const *in;
	int n_in;
	const params *attrs;
	VEC(atype) out;
} typing;
typedef bool typed_fn(typing *q);

typedef struct maker maker;
typedef bool make_fn(maker *k);

/* A row of ops.def: a primitive has a typing rule, a composed operation has a maker. */
struct array_op {
	const char *name;
	int min_in, max_in; /* max_in -1: any number */
	typed_fn *rule;
	make_fn *make;
	int how;        /* the variant, if operations share a rule */
	const char *as; /* another name of this operation */
};
const array_op *array_op_named(tess_ctx *ctx, const char *name); /* NULL, without a diagnostic */
/* Runs the rule, after checking the number of operands and their meshes. */
bool array_type_of(typing *q);

/* ---- traced functions --------------------------------------------------------------- */

typedef struct afn afn;
typedef struct tess_array avalue;
typedef struct anode anode;

/* A value: a result of a node, or a parameter of a function being traced, or concrete data. */
struct tess_array {
	const atype *type;
	afn *home;   /* NULL: concrete */
	anode *node; /* NULL: a parameter or concrete */
	int index;   /* of the result, or of the parameter */
	tess_ctx *ctx; /* for a concrete value, as what follows */
	void *data;    /* the global value, row-major */
	size_t bytes;
	uint32_t mark; /* identifies the handle */
	const pspec *placed; /* including Auto axes; NULL: as in the type */
};

struct anode {
	const array_op *op;
	params *attrs;
	avalue **in, **out;
	int n_in, n_out;
	afn **body; /* of control flow: the loop body, or the branches */
	int n_bodies;
	int id;
	const amesh *mesh; /* the current one when it was added */
	/* of a shard_map: the manual axes along each dimension of each operand and result,
	 * ARRAY_MAX_RANK entries per value */
	const axis_seq *in_cut, *out_cut;
};

struct afn {
	tess_ctx *ctx;
	arena own, *mem;   /* mem: of the outermost enclosing function, which owns everything */
	afn *outer; /* the function being traced when this one was started */
	VEC(avalue *) params;
	VEC(avalue *) captured; /* values of outer functions, for which the last params stand */
	VEC(avalue *) outs;
	VEC(anode *) nodes;
	ptr_map capture_of;
	axis_set hidden;   /* captured values may not use these: the axes that a vmap maps over */
	axis_set manual;   /* captured values are seen as shards along these: a shard_map */
	int n_explicit;    /* number of params before those of captured values */
};

/* Starts a function; operations are emitted into it until array_trace() ends it. */
afn *afn_begin(tess_ctx *ctx);
avalue *afn_param(afn *f, const atype *t);
void afn_free(afn *f); /* the outermost function */
/* Returns what stands for v in the function being traced; NULL with a diagnostic if v belongs to
 * none of the enclosing functions. */
avalue *afn_lift(afn *f, avalue *v);
/* Appends a node with results of these types. */
anode *afn_append(afn *f, const array_op *op, avalue *const *in, int n_in, const params *a,
                  const atype *out, int n_out);

/* The body of a function being traced: writes its results to `out`, at most `cap`. @return their
 * number; -1 after an error */
typedef int array_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                       int cap);
enum { ARRAY_MAX_OUT = 64 };
/* Traces a body with parameters of these types. NULL after an error. */
afn *array_trace(tess_ctx *ctx, array_body *body, void *env, const atype *params, int n,
                 afn *with);

/* Control flow and transformations; attributes are named as in JAX. Each returns the number of
 * results written, or -1 after an error. */
typedef struct call_with_body {
	tess_ctx *ctx;
	array_body *body; /* one function runs all bodies */
	void *const *env; /* distinguishes them: branches; primal and backward */
	int n_bodies;
	avalue *const *in;
	int n_in;
	const params *attrs;
	avalue **out;
	int cap;
} call_with_body;
typedef int array_call(call_with_body *c);
enum { NOT_MAPPED = -1000 }; /* for in_axes and out_axes of vmap */
array_call array_jit, array_scan, array_while, array_cond, array_vmap, array_grad,
        array_value_and_grad, array_vjp, array_jvp, array_jacfwd, array_jacrev,
        array_linear_transpose, array_custom_vjp, array_shard_map, array_auto_axes,
        array_explicit_axes, array_use_mesh, array_map;

/* Emits an operation into the function being traced; operands may belong to enclosing functions. A
 * NULL operand means that an error was already reported. @return the number of results written to
 * `out`, at most `cap`; -1 after an error */
int array_emit(tess_ctx *ctx, const char *op, avalue *const *in, int n_in, const params *a,
               avalue **out, int cap);

/* Writes the function as StableHLO text, as @main, with the sharding of each result as an
 * sdy.sharding_constraint after its operation. Returns false with a diagnostic if an operation
 * cannot be lowered.
 * @param first the mesh that the module calls @mesh, whether or not it is used; NULL: meshes in
 * types are named @mesh0, @mesh1, …
 * @param placed the placement of each parameter, including Auto axes; NULL for what its type says;
 * may be NULL altogether */
bool array_lower(tess_ctx *ctx, const afn *f, const amesh *first, const pspec *const *placed,
                 writer *w);

/* Emits f applied to `in`, and the cotangents of its parameters, into the function being traced.
 * @param out_cts cotangents of the results, NULL for 0; NULL altogether: all are 1
 * @param wanted the parameters whose cotangents are written to cts
 * @return 1; 0 if some operation has no derivative rule (not an error); -1 after an error */
int array_reverse(tess_ctx *ctx, const afn *f, avalue *const *in, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts);

/* ---- composed operations -------------------------------------------------------------------- */

struct maker {
	tess_ctx *ctx;
	const array_op *op;
	avalue *const *in;
	int n_in;
	const params *attrs;
	VEC(avalue *) out;
};

#endif
