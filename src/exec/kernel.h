/* kernel.h - the interface of kernels: how to add an operation to exec.
 *
 * exec/kernel/kernels.def names a function for each op kind that prepares it. When a program is
 * planned, prepare_x(plan, step) reads step->op and the tensors step->t (operands, then results;
 * static shapes), decodes the attributes into step->params, and sets step->run. When the program
 * runs, step->run(step, call) is called for each distinct instance and each of the step->n_tiles
 * independent pieces of the work, by any thread; call->at[i] is the address of tensor i.
 *
 * Kernels are deterministic: results depend neither on the number of threads nor on that of
 * devices. So only shapes may determine where tiles cut what is summed.
 *
 *     static void run_negate_all(const step *s, const call *c) { … c->at[1] … }
 *     bool prepare_negate_all(exec_plan *p, step *s)
 *     {
 *             if (s->t[0].dtype != DT_F32)
 *                     return step_unsupported(p, s, "elements of this type");
 *             s->run = run_negate_all;
 *             s->cost = (double)s->t[0].n;
 *             return true;
 *     } */
#ifndef TESS_EXEC_KERNEL_H
#define TESS_EXEC_KERNEL_H

#include "exec/exec.h"
#include "exec/vec/vec.h"
#include "exec/steps/vm.h"

typedef struct step step;
typedef struct call call;
typedef void kernel_fn(const step *s, const call *c);
typedef bool prepare_fn(exec_plan *p, step *s);
typedef bool plan_fn(exec_plan *p, const op *o);
plan_fn plan_fused;
#define PLANNED(kind, name) plan_fn plan_##name;
#define KERNEL(kind, name, form) prepare_fn prepare_##name;
#include "exec/kernel/kernels.def"
#define PLANNED(target, name) plan_fn plan_##name;
#define KERNEL(target, name, form) prepare_fn prepare_##name;
#include "exec/rewrite/customs.def"

typedef struct tensor {
	const type *type;
	dtype dtype; /* as stored: the storage type of quantized elements */
	int bytes;   /* of an element */
	int rank;
	const int64_t *dims;
	const int64_t *strides; /* in elements. Row-major, except for operands of kernels with VIEWS
	                         * in exec/kernel/kernels.def */
	int64_t n;              /* elements */
} tensor;

enum { MAX_RANK = 32 };

struct call {
	char *const *at; /* operands, then results */
	int64_t tile;
	int32_t cls; /* which instance, by class */
	int worker;
	void *scratch; /* step->scratch bytes, aligned to 64, not cleared */
	struct run *run;
};

/* A result that may be computed in the memory of an operand that is no longer needed. Both have the
 * same number of bytes. */
typedef struct in_place {
	int in, out;
} in_place;

struct step {
	/* set before prepare() */
	const op *op;
	int n_ops; /* fused into it */
	int n_in, n_out;
	tensor *t; /* [n_in + n_out] */
	/* set by prepare() */
	kernel_fn *run;
	const void *params;
	int64_t n_tiles; /* 1 unless set */
	size_t scratch;
	double cost; /* estimated nanoseconds for all tiles of one instance */
	int n_in_place;
	in_place *in_place;
	/* used by the planner */
	struct step_plan *plan;
};

/* For prepare(): memory that lives as long as the plan, and the module. */
arena *plan_mem(exec_plan *p);
module *plan_module(exec_plan *p);
tess_ctx *plan_ctx(exec_plan *p);
/* Reports an error at the op, "stablehlo.sort: <what> not supported yet". @return false. */
bool step_unsupported(exec_plan *p, const step *s, const char *what, ...) PRINTF(3, 4);
/* Reports an error at the op: the program is wrong. @return false. */
bool step_invalid(exec_plan *p, const step *s, const char *what, ...) PRINTF(3, 4);
/* The elements of a scalar operand that is a constant of the program; else NULL. */
const void *step_constant(const exec_plan *p, const step *s, int i);
/* Ends the run with a diagnostic at the op; may be called by any thread. `what` is static. */
void call_fail(const call *c, const step *s, const char *what);

static inline const tensor *step_in(const step *s, int i) { return &s->t[i]; }
static inline const tensor *step_out(const step *s, int i) { return &s->t[s->n_in + i]; }
static inline char *call_in(const call *c, int i) { return c->at[i]; }
static inline char *call_out(const step *s, const call *c, int i) { return c->at[s->n_in + i]; }

/* Allows result `out` to be computed in the memory of operand `in`. */
void step_in_place(exec_plan *p, step *s, int in, int out);
/* Splits n independent items into tiles of at least `least` items. */
int64_t step_split(step *s, int64_t n, int64_t least);
/* The first item of a tile. */
static inline int64_t tile_begin(const step *s, int64_t n, int64_t tile)
{
	return n / s->n_tiles * tile + min_i64(tile, n % s->n_tiles);
}

/* ---- bodies: regions on scalars (exec/steps/body.c) ----------------------------------------- */

/* A region of elementwise ops on scalars (of a reduction, sort, scatter, …), run on many elements
 * at once. */
typedef struct body body;
/* Returns NULL after a diagnostic. Values from outside must be constants. */
const body *body_new(exec_plan *p, const op *o, int region);
/* The same, but with value `v` of the region as its only result. */
const body *body_new_for(exec_plan *p, const op *o, int region, const value *v);
size_t body_scratch_bytes(const body *b);
/* args[i], results[i]: n elements each.  Results must not overlap arguments. */
void body_run(const body *b, int64_t n, char *const *args, char *const *results, void *scratch);
/* The operation of a body that applies a single one to its arguments 0 and 1, of one type; else
 * VEC_NONE. */
vec_op body_op(const op *o, int region);
/* The same for a comparison of argument 0 with argument 1. */
vec_op body_comparison(const op *o, int region);

/* ---- boxes (exec/kernel/box.c) ----------------------------------------------------------- */

/* Copies an n-dimensional box between two strided arrays; strides in elements. */
void box_copy(int rank, const int64_t *dims, char *to, const int64_t *to_strides, const char *from,
              const int64_t *from_strides, int bytes);
/* n copies of an element. */
void box_fill(char *to, const char *element, int64_t n, int bytes);

/* ---- index arithmetic ------------------------------------------------------------ */

/* Row-major strides. */
static inline void strides_of(const int64_t *dims, int rank, int64_t *strides)
{
	int64_t s = 1;
	for (int i = rank - 1; i >= 0; i--) {
		strides[i] = s;
		s *= dims[i];
	}
}
/* Splits a row-major position into an index. */
static inline void index_of(int64_t at, const int64_t *dims, int rank, int64_t *index)
{
	for (int i = rank - 1; i >= 0; i--) {
		index[i] = at % dims[i];
		at /= dims[i];
	}
}
/* Advances to the next index, row-major; false after the last. */
static inline bool index_step(const int64_t *dims, int rank, int64_t *index)
{
	for (int i = rank - 1; i >= 0; i--) {
		if (++index[i] < dims[i])
			return true;
		index[i] = 0;
	}
	return false;
}
static inline int64_t index_dot(const int64_t *a, const int64_t *b, int rank)
{
	int64_t sum = 0;
	for (int i = 0; i < rank; i++)
		sum += a[i] * b[i];
	return sum;
}

#endif
