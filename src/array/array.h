/* array.h - the door of array: meshes with axis types, shardings in types, the typing rule of
 * every operation, traced functions.
 *
 * A type says of each dimension over which Explicit axes of its mesh it is split.  Axes are
 * numbers (their position in the mesh), sets of them are bit masks, and the axes of one
 * dimension, major to minor, are nibbles of one number: so most rules are comparisons of
 * integers. */
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
	const int64_t *ids; /* the device at each place, row-major; NULL: in order */
	const tess_ctx *ctx; /* that it is interned in */
} amesh;

/* The interned mesh equal to *m, or NULL with a diagnostic; ids need not live on. */
const amesh *amesh_of(tess_ctx *ctx, const amesh *m);
int amesh_axis(const amesh *m, const name *axis); /* -1: no such axis */
/* The axes that "X" or "X,Y" names.
 * @param m may be NULL, which has none
 * @param wrong the first word that names none of those allowed; ptr NULL: each does; or NULL */
axis_set amesh_axes_named(const amesh *m, tess_str words, axis_set allowed, tess_str *wrong);
int64_t amesh_devices(const amesh *m);
bool amesh_placed_alike(const amesh *a, const amesh *b); /* the same device at each place */
axis_set amesh_axes_of_kind(const amesh *m, axis_kind kind); /* m may be NULL */
/* The mesh with the axes of `set` of another kind. */
const amesh *amesh_with_kind(tess_ctx *ctx, const amesh *m, axis_set set, axis_kind kind);
/* "Mesh('X': 4, 'Y': 2, axis_types=(Explicit, Auto))" */
void put_amesh(writer *w, const amesh *m, const char *what);

/* ---- axes of one dimension --------------------------------------------------- */

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
int64_t axis_seq_size(const amesh *m, axis_seq l); /* 1 if there are none */
int64_t axis_set_size(const amesh *m, axis_set set);

/* ---- partition specs ----------------------------------------------------------- */

/* What people write: names, not yet bound to a mesh.  Interned by its text. */
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

/* Reads "X, _, (X,Y) U:Z R:(V,W)"; `?` is an unconstrained dimension.  NULL with a
 * diagnostic. */
const pspec *pspec_parse(tess_ctx *ctx, tess_str text);
/* "P('X', None, ('X', 'Y'), unreduced={'Z'})" */
void put_pspec(writer *w, const pspec *s);

/* A spec bound to a mesh. */
typedef struct aspec {
	int n;
	axis_seq dim[ARRAY_MAX_RANK];
	uint32_t any; /* bit d: dimension d is unconstrained */
	axis_set unreduced, reduced;
} aspec;

/* The dimensions, unreduced and reduced axes of a type as a spec. */
struct tess_array_type;
const pspec *pspec_of(tess_ctx *ctx, const struct tess_array_type *t);

/* Checks that the axes exist, are used once, and that nothing is unconstrained where no axis
 * is Auto.  False with a diagnostic. */
bool aspec_bind(tess_ctx *ctx, const amesh *m, const pspec *s, aspec *out);

/* ---- types ------------------------------------------------------------------- */

typedef struct tess_array_type {
	dtype dtype;
	bool weak; /* of a plain number: yields to the other operand's type */
	bool key;  /* of random keys, which are 64 bits: dtype is then ui64 */
	int rank;
	const amesh *mesh; /* NULL: none was set */
	axis_set unreduced, reduced, varying;
	int64_t dim[ARRAY_MAX_RANK];
	axis_seq spec[ARRAY_MAX_RANK];
} atype;

enum { TYPE_LONG, TYPE_SHORT };

const atype *atype_intern(tess_ctx *ctx, const atype *t);
/* A scalar, unsharded. */
atype atype_scalar(dtype t, const amesh *m);
/* Checks that axes are used once and that every sharded dimension divides. */
bool atype_check(tess_ctx *ctx, const atype *t);
/* Shards *t as the spec says: every entry is replaced.  Only Explicit axes of the type's mesh
 * may be named; `op` is who asks. */
bool atype_shard(tess_ctx *ctx, atype *t, const pspec *s, const char *op);
/* The same where data is put on devices: Auto axes may be named, and do not show. */
bool atype_place(tess_ctx *ctx, atype *t, const pspec *s);
bool atype_same(const atype *a, const atype *b);
bool atype_same_spec(const atype *a, const atype *b); /* dimensions, U and R */
axis_set atype_axes(const atype *t);                  /* that shard some dimension */
bool atype_is_sharded(const atype *t);
int64_t atype_elements(const atype *t);
int64_t atype_device_bytes(const atype *t);
/* Of the gradient with respect to a value of this type: unreduced and reduced swap. */
atype atype_cotangent(const atype *t);
/* A type as each device sees it inside a shard_map over `manual` axes, and back. */
void put_atype(writer *w, const atype *t, int form);
void put_axis_set(writer *w, const amesh *m, axis_set s);      /* X or (X,Y) */
void put_axis_names(writer *w, const amesh *m, axis_seq l);   /* X or (X,Y) */
void put_spec_tuple(writer *w, const atype *t, int from, int to); /* ('X', None) */
/* "f32[8@X,4]", in the scratch arena. */
const char *atype_text(tess_ctx *ctx, const atype *t, int form);
/* The whole spec as P('X', None); in the scratch arena. */
const char *atype_spec_text(tess_ctx *ctx, const atype *t);
/* The element type of a name of either form; DT_NONE: there is none. */
dtype atype_dtype_named(tess_str s);
/* Reads either form (type_read.c).  Auto axes are accepted and dropped, as types never name them.
 * NULL with a diagnostic. */
const atype *atype_parse(tess_ctx *ctx, tess_str text, const amesh *m);

/* An axis counted from either end; false with a diagnostic if it is out of range. */
bool axis_normal(tess_ctx *ctx, const char *op, int64_t axis, int rank, int *out);

/* ---- attributes --------------------------------------------------------------- */

typedef struct params params;
typedef enum param_kind { PK_INTS, PK_NUMBER, PK_TEXT, PK_SPECS, PK_DTYPE, PK_MESH } param_kind;
typedef struct param {
	const char *key;
	param_kind kind;
	bool asked;         /* it was looked for */
	unsigned asked_as;  /* as which kinds, a bit each; 0: as any */
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
/* Marks all as not asked for. */
void params_begin(const params *a);
/* False, with a diagnostic, if nobody has asked for one of them since then, and so the operation does
 * not know it, or only as something of another kind.  No integers stand for None. */
bool params_all_asked(tess_ctx *ctx, const char *op, const params *a);
int64_t param_int(const params *a, const char *key, int64_t otherwise);
bool param_has(const params *a, const char *key);
/* A number, or the first of integers. */
double param_number(const params *a, const char *key, double otherwise);
/* How many there are; -1 if the attribute is absent. */
int param_ints(const params *a, const char *key, const int64_t **out);
const pspec *param_spec(const params *a, const char *key);
/* The i-th of a list; the only one stands for all. */
const pspec *param_spec_at(const params *a, const char *key, int i);
const amesh *param_mesh(const params *a, const char *key, const amesh *otherwise);
tess_str param_text(const params *a, const char *key);
dtype param_dtype(const params *a, const char *key, dtype otherwise);
/* Sets or replaces. */
void params_set_ints(arena *mem, params *a, const char *key, const int64_t *v, int n);
void params_set(arena *mem, params *a, param one);
params *params_copy(arena *mem, const params *a); /* with what they point to; a may be NULL */

/* ---- windows ----------------------------------------------------------------------- */

/* A dimension under a window, in elements; XLA's words. */
typedef struct array_window {
	int64_t size, window;                           /* of the operand and of the window */
	int64_t stride, base_dilation, window_dilation; /* of windows; between elements of the two */
	int64_t low, high;                              /* padding; negative: elements are left out */
	int64_t out;                                    /* how many places the window has */
} array_window;

typedef struct window_keys {
	const char *strides, *base_dilation, *window_dilation;
	bool dilation_needs_pairs; /* SAME and VALID do not go with a base dilation */
} window_keys;

/* Reads the lists of those names and `padding` for n dimensions, whose sizes and windows are in w
 * already, and counts the places; false with a diagnostic. */
bool windows_read(tess_ctx *ctx, const char *op, const params *a, const window_keys *keys, int n,
                  array_window *w);
/* Of reduce_window: a window for each dimension of x. */
bool pool_read(tess_ctx *ctx, const params *a, const atype *x, array_window *w);

/* Where the dimensions of a convolution stand. */
enum { CONV_BATCH = 0, CONV_FEATURE = 1, CONV_OUT = 0, CONV_IN = 1, CONV_SPATIAL = 2 };
typedef struct array_conv {
	int lhs[ARRAY_MAX_RANK], out[ARRAY_MAX_RANK]; /* batch, features, spatial dimensions */
	int rhs[ARRAY_MAX_RANK];                      /* features out, features in, the same */
	int n_spatial;
	int64_t feature_groups, batch_groups; /* one of them is 1 */
	array_window at[ARRAY_MAX_RANK];        /* spatial dimensions */
} array_conv;

/* Reads a convolution of x with the kernel k; false with a diagnostic. */
bool conv_read(tess_ctx *ctx, const params *a, const atype *x, const atype *k, array_conv *c);

/* ---- the context's state --------------------------------------------------------- */

/* What to do about communication that types do not show. */
typedef enum comm_level { COMM_ALLOW, COMM_WARN, COMM_DENY } comm_level;

typedef struct array_state {
	cons_tab meshes, types;
	ptr_map specs, ops; /* by name: pspec, array_op */
	const amesh *mesh;   /* that is set */
	struct afn *trace;   /* the innermost function being traced, or NULL */
	axis_set hidden;     /* axes that a vmap around has taken away */
	const struct mapped_name *named; /* dimensions that vmaps around have mapped by name */
	bool unchecked;      /* inside a shard_map that does not track what varies */
	comm_level comm;
	int64_t devices;     /* that meshes may use; 0: as many as they ask for */
	struct kept_handles *kept; /* handles given back, in debug builds; api's */
	struct eager_cache *eager; /* operations that were run outside of functions; api's */
} array_state;
array_state *array_state_of(tess_ctx *ctx);

/* ---- names that collectives refer to ---------------------------------------------- */

/* A dimension that a vmap around has mapped under a name, the innermost first. */
typedef struct mapped_name {
	const struct mapped_name *outer;
	tess_str name;
	int64_t size;
} mapped_name;

typedef struct comm_reach {
	axis_set set; /* manual axes of the mesh */
	int mapped;   /* how many names of vmaps; not both */
	int64_t size; /* how many devices, or elements */
} comm_reach;

/* What the attribute "axes" names, "X" or "X,Y"; false with a diagnostic if a word is neither a
 * manual axis nor the name of a vmap around, or if there are both.  `op` is who asks. */
bool comm_reach_of(tess_ctx *ctx, const char *op, const amesh *m, const params *a, comm_reach *out);
/* True if a word is one of "X,Y"; those that are left without it. */
bool words_have(tess_str words, tess_str word);
tess_str words_without(arena *mem, tess_str words, tess_str word);

/* ---- operations ------------------------------------------------------------------- */

/* One question to a typing rule: what does `op` make of operands of these types?  A rule
 * reads `in` and the attributes, calls typed_out() for each result, and returns false with
 * a diagnostic if the answer is no. */
typedef struct array_op array_op;
typedef struct typing {
	tess_ctx *ctx;
	const array_op *op;
	const char *name; /* without its prefix: "add" */
	const amesh *mesh;
	const atype *const *in;
	int n_in;
	const params *attrs;
	VEC(atype) out;
} typing;
typedef bool typed_fn(typing *q);

typedef struct maker maker;
typedef bool make_fn(maker *k);

/* A row of ops.def: a primitive has a rule; what is made of other operations has a maker. */
struct array_op {
	const char *name;
	int min_in, max_in; /* max_in -1: any number */
	typed_fn *rule;
	make_fn *make;
	int how;        /* which of the operations that share the rule */
	const char *as; /* another name of this operation */
};
const array_op *array_op_named(tess_ctx *ctx, const char *name); /* NULL, no diagnostic */
/* Asks the rule, after checking the number of operands and their meshes. */
bool array_type_of(typing *q);

/* ---- traced functions --------------------------------------------------------------- */

typedef struct afn afn;
typedef struct tess_array avalue;
typedef struct anode anode;

/* A value: a result of a node or a parameter of a function being traced, or concrete. */
struct tess_array {
	const atype *type;
	afn *home;   /* NULL: concrete */
	anode *node; /* NULL: a parameter or concrete */
	int index;   /* among the results of the node, or the parameters */
	tess_ctx *ctx; /* of a concrete value, as what follows */
	void *data;    /* global, row-major */
	size_t bytes;
	uint32_t mark; /* of the handle */
	const pspec *placed; /* with the Auto axes that it lies along; NULL: as the type says */
};

struct anode {
	const array_op *op;
	params *attrs;
	avalue **in, **out;
	int n_in, n_out;
	afn **body; /* of control flow: what is repeated, or the branches */
	int n_bodies;
	int id;
	const amesh *mesh; /* that was set when it was written */
	/* of a shard_map: the manual axes along each dimension of each operand and result,
	 * ARRAY_MAX_RANK entries a value */
	const axis_seq *in_cut, *out_cut;
};

struct afn {
	tess_ctx *ctx;
	arena own, *mem;   /* mem: that of the outermost function around, which owns everything */
	afn *outer; /* that was being traced when this one began */
	VEC(avalue *) params;
	VEC(avalue *) captured; /* values of outer that the last params stand for */
	VEC(avalue *) outs;
	VEC(anode *) nodes;
	ptr_map capture_of;
	axis_set hidden;   /* captured values may not use these: the mapped axes of a vmap */
	axis_set manual;   /* captured values are seen in parts along these: a shard_map */
	int n_explicit;    /* params before those of captured values */
};

/* Begins a function; what is emitted goes into it until array_trace() is done with it. */
afn *afn_begin(tess_ctx *ctx);
avalue *afn_param(afn *f, const atype *t);
void afn_free(afn *f); /* the outermost one */
/* What stands for v in the function being traced; NULL with a diagnostic if v belongs to
 * none of the functions around. */
avalue *afn_lift(afn *f, avalue *v);
/* Appends a node whose results have these types. */
anode *afn_append(afn *f, const array_op *op, avalue *const *in, int n_in, const params *a,
                  const atype *out, int n_out);

/* The body of a function being traced: writes its results to `out`, at most `cap`.
 * @return how many; -1 after an error. */
typedef int array_body(tess_ctx *ctx, void *env, avalue *const *in, int n_in, avalue **out,
                       int cap);
enum { ARRAY_MAX_OUT = 64 };
/* Traces a body with parameters of these types.  NULL after an error. */
afn *array_trace(tess_ctx *ctx, array_body *body, void *env, const atype *params, int n,
                 afn *with);

/* Control flow and transformations; the attributes are those that the names have in JAX.
 * Each returns how many results were written, or -1 after an error. */
typedef struct call_with_body {
	tess_ctx *ctx;
	array_body *body; /* all bodies are run by one function */
	void *const *env; /* what tells them apart: branches; primal and backward */
	int n_bodies;
	avalue *const *in;
	int n_in;
	const params *attrs;
	avalue **out;
	int cap;
} call_with_body;
typedef int array_call(call_with_body *c);
enum { NOT_MAPPED = -1000 }; /* in in_axes and out_axes of vmap */
array_call array_jit, array_scan, array_while, array_cond, array_vmap, array_grad,
        array_value_and_grad, array_vjp, array_jvp, array_jacfwd, array_jacrev,
        array_linear_transpose, array_custom_vjp, array_shard_map, array_auto_axes,
        array_explicit_axes, array_use_mesh, array_map;

/* Appends an operation to the function being traced; its operands may belong to functions
 * around it.  A NULL operand means that an error was reported already.
 * @return how many results were written to `out`, at most `cap`; -1 after an error. */
int array_emit(tess_ctx *ctx, const char *op, avalue *const *in, int n_in, const params *a,
               avalue **out, int cap);

/* The function as StableHLO text with a function @main, and behind each operation the
 * sharding of its result as an sdy.sharding_constraint.  False with a diagnostic if it has an
 * operation that cannot be lowered.
 * @param first the mesh that the module calls @mesh, whether or not something is sharded over
 * it; NULL: those that types name, as @mesh0, @mesh1, …
 * @param placed where each parameter lies, Auto axes and all, NULL for what its type says; NULL
 * altogether: all */
bool array_lower(tess_ctx *ctx, const afn *f, const amesh *first, const pspec *const *placed,
                 writer *w);

/* f applied to `in`, and cotangents of its parameters, emitted into the function being traced.
 * @param out_cts cotangents of the results, NULL where one is 0; NULL altogether: all are 1
 * @param wanted the parameters whose cotangents are written to cts
 * @return 1; 0 if some operation has no derivative rule (not an error), -1 after an error. */
int array_reverse(tess_ctx *ctx, const afn *f, avalue *const *in, avalue *const *out_cts,
                  const bool *wanted, avalue **outs, avalue **cts);

/* ---- what is made of other operations ------------------------------------------------ */

struct maker {
	tess_ctx *ctx;
	const array_op *op;
	avalue *const *in;
	int n_in;
	const params *attrs;
	VEC(avalue *) out;
};

#endif
