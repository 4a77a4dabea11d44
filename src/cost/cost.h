/* cost.h - the door of plan: what a per-device program costs.
 *
 * Input is a local program (shapes of one device, collectives with replica
 * groups) or a global one that is taken as it stands.  Nothing is run: FLOPs and
 * bytes follow from shapes, times from a machine's table (targets.def), memory
 * from live ranges in program order.
 *
 * Loops count their body as often as it runs where the trip count can be read
 * from the program (a counter compared with a constant), else once, and say so. */
#ifndef TESS_COST_COST_H
#define TESS_COST_COST_H

#include "op/op.h"

/* ---- machines ------------------------------------------------------------------ */

/* One device and its links.  docs/memory.md has the sources of targets.def. */
typedef struct target {
	const char *name, *about;
	double flops_f32, flops_bf16; /* per second, dense */
	double memory_bytes;
	double memory_bandwidth; /* bytes per second */
	double link_bandwidth;   /* bytes per second and device, one direction, within a node */
	double link_latency;     /* seconds a step */
	int64_t node_devices;    /* devices that the fast links join; 0: all */
	double far_bandwidth;    /* bytes per second and device beyond a node */
	double far_latency;
} target;
int target_count(void);
const target *target_at(int i);
const target *target_named(const char *name); /* NULL if there is none */
/* Reads a user's table (target.c has the form); rows are added to `out`, in mem.  False once an
 * error is told. */
typedef VEC(target) target_vec;
bool target_parse(tess_ctx *ctx, source *src, arena *mem, target_vec *out);

/* ---- work ----------------------------------------------------------------------- */

typedef struct work {
	double flops; /* arithmetic operations */
	double bytes; /* read and written, each operand and result once */
} work;
/* Of one op on the types it stands on; regions of control flow not included. */
work op_work(const module *m, const op *o);
/* How often a while's body runs; 0 if the program does not say. */
int64_t while_trip_count(const module *m, const op *o);

/* ---- collectives ------------------------------------------------------------------- */

typedef struct collective {
	const op *o;
	double times;        /* runs a step */
	int64_t group_size;  /* devices that meet; for a permute: 2 */
	int64_t n_groups;
	int64_t bytes;       /* of the operands on one device */
	int64_t result_bytes;
	double wire_bytes;   /* sent by one device, ring algorithms */
	double seconds;      /* on the target */
	bool far;            /* crosses nodes of the target */
	const char *axes;    /* mesh axes it runs over, "model" or "x, y"; "" if unknown */
} collective;

/* ---- memory ---------------------------------------------------------------------------- */

/* A tensor that is alive at the peak; LIVE_INSIDE: what the op that gives `v` needs besides, in
 * its regions, and what that is, together as many bytes. */
typedef struct live_tensor {
	const value *v;
	int64_t bytes;
	enum { LIVE_ARGUMENT, LIVE_RESULT, LIVE_TEMPORARY, LIVE_INSIDE } role;
	int n_within;
	const struct live_tensor *within; /* largest first */
} live_tensor;

/* Of one device, or of the host for that device. */
typedef struct memory {
	int64_t arguments, results, donated; /* bytes; donated arguments are reused by results */
	int64_t temp;                   /* temporaries at the peak: the estimate */
	int64_t temp_lower, temp_upper; /* what a compiler may make of it */
	int64_t peak;                   /* arguments + results - donated + temp */
	VEC(int64_t) curve; /* bytes of temporaries at each op of main */
	int peak_at; /* index in curve */
	int64_t inside_at_peak; /* bytes, of them in regions of the op that runs then */
	VEC(live_tensor) at_peak; /* largest first; together `peak` */
} memory;

/* ---- the whole -------------------------------------------------------------------------- */

typedef struct op_cost {
	const op *o;
	double times;
	work w;
	double seconds; /* roofline of this op */
} op_cost;

typedef struct costs {
	const target *target;
	work total; /* collectives are no work: their time is that of links */
	double compute_seconds, memory_seconds; /* as if all ran at the peak rates */
	double op_seconds;                      /* sum of the ops' rooflines */
	double comm_seconds;
	double comm_bytes; /* sent by one device a step */
	VEC(op_cost) ops;  /* in program order, calls and loops opened */
	VEC(collective) collectives;
	memory mem;
	memory host; /* what lies in the memory of the host; all 0: nothing */
	int unknown_loops; /* loops whose trip count is not known */
	int custom_calls;  /* whose work is not known */
} costs;

/* A copy with calls replaced by what they call and without what is computed twice, to be released;
 * NULL: it would be far larger. */
module *program_opened(const module *m);
/* Whether 64 bits count the bytes of any sum over the program's tensors; if not, that is told. */
bool program_countable(const module *m);
/* Whether its operations can be looked at one by one, those of a function for each of its calls; if
 * not, that is told. */
bool program_openable(const module *m);
/* Of @main, which is countable and openable.  `opened` is what program_opened() gave: memory is
 * counted on it, and its values are those of `mem`; NULL: memory is not wanted.  `meshes` name the
 * axes of collectives.  Everything lies in `mem`. */
void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out);

#endif
