/* cost.h - the interface of cost: what a per-device program costs.
 *
 * Input is a local program (shapes of one device, collectives with replica
 * groups) or a global one that is taken as it stands.  Nothing is run: FLOPs and
 * bytes follow from shapes, times from a machine's table (targets.def), memory
 * from live ranges in program order.  docs/costs.md says how far that is right.
 *
 * Loops count their body as often as it runs where the trip count can be read
 * from the program (a counter compared with a constant), else once, and say so. */
#ifndef TESS_COST_COST_H
#define TESS_COST_COST_H

#include "op/op.h"

/* ---- machines ------------------------------------------------------------------ */

typedef enum link_class {
	LINK_NEAR, /* within a node, or along the axes of a torus */
	LINK_FAR,  /* between nodes */
	LINK_CLASSES,
} link_class;

/* How products of f32 are computed, as XLA's precision_config says. */
typedef enum product_precision {
	PRODUCT_DEFAULT, /* fastest: TF32 on GPUs, one pass of bfloat16 on TPUs */
	PRODUCT_HIGH,
	PRODUCT_HIGHEST, /* as exact as f32 */
} product_precision;

/* One device and its links.  Rates are the data sheets' peaks; the efficiencies say how much of
 * them long operations reach.  docs/costs.md has the sources of targets.def. */
typedef struct target {
	const char *name, *about;
	double flops_f32, flops_bf16; /* per second, dense; f32 at PRODUCT_HIGHEST */
	double memory_bytes;
	double memory_bandwidth; /* bytes per second */
	double link_bandwidth;   /* bytes per second and device, one direction, within a node */
	double link_latency;     /* seconds a step */
	int64_t node_devices;    /* devices that the fast links join; 0: all */
	double far_bandwidth;    /* bytes per second and device beyond a node */
	double far_latency;

	double flops_f32_default; /* products of f32 at PRODUCT_DEFAULT */
	double flops_f32_high;    /* and at PRODUCT_HIGH */
	double flops_8bit;        /* products of floats and integers of 8 bits and fewer */
	double flops_vector;      /* what is no product, f32 */
	double product_efficiency; /* share of a product's peak that large aligned ones reach */
	double memory_efficiency;  /* share of memory_bandwidth that long copies reach */
	double link_efficiency;    /* share of link_bandwidth that long messages reach */
	double far_efficiency;
	double launch_seconds;   /* from the start of a kernel to its first useful work */
	double link_floor;       /* seconds that the shortest collective takes within a node */
	double far_floor;        /* and between nodes */
	double contention;       /* share of hidden communication by which computation slows down */
	double prefetch_bytes;   /* what may be gathered before it is needed, at one time */
	int64_t torus_axes;      /* of the near links: 0: a switch; 2 or 3: a torus */
	int64_t torus_extent;    /* devices along one of these axes */
	int64_t processors;      /* of a GPU, among which a product's tiles go; 0: not known */
	int64_t cores;           /* that all devices share, in one process; 0: each has its own */
	double relayout_bandwidth; /* bytes per second of a copy with another dimension outermost, which a
	                            * collective needs along a dimension that is not; 0: it needs none */
	bool is_cpu;             /* XLA's CPU compiler fuses for it, not that for GPUs */
} target;
int target_count(void);
const target *target_at(int i);
const target *target_named(const char *name); /* NULL if there is none */
/* The machine with so many devices in all: a part of a node, or a torus of that size. */
target target_with(const target *t, int64_t devices);
/* Each of so many devices, which run at once, where they share the machine's cores. */
target target_shared(const target *t, int64_t devices);
/* Reads a user's table (target.c has the form); rows are added to `out`, in mem.  False once an
 * error is reported. */
typedef VEC(target) target_vec;
bool target_parse(tess_ctx *ctx, source *src, arena *mem, target_vec *out);
/* Writes a row of such a table for `like` fitted to a list of measurements (calibrate.c has the form
 * of both), and how far each is from it.  False once an error is reported. */
bool target_calibrate(tess_ctx *ctx, source *src, const target *like, arena *mem, writer *w);

/* ---- work ----------------------------------------------------------------------- */

typedef struct work {
	double flops; /* arithmetic operations */
	double bytes; /* read and written */
} work;
/* Of one op on the types it stands on, each operand and result once: as if nothing were fused.
 * Regions of control flow are not included. */
work op_work(const module *m, const op *o);
/* Arithmetic operations a second at the op's precision, at the machine's peak (precision.c). */
double op_flop_rate(const target *t, const op *o);
/* What a custom call costs. */
typedef struct kernel_estimate {
	work w;       /* its arithmetic is that of products of its first operand's type */
	double share; /* of a product's efficiency */
	bool exact;   /* of f32, without shorter types */
} kernel_estimate;
/* As kernels of Pallas say, and as shapes of calls of known libraries do (custom.c); false: nothing is known. */
bool custom_call_estimate(const op *o, kernel_estimate *out);
/* How often a while's body runs; 0 if the program does not say. */
int64_t while_trip_count(const module *m, const op *o);

/* ---- clusters: what runs as one kernel (cluster.c) -------------------------------------- */

/* Operations that a compiler fuses, which run when the last of them in program order is reached.
 * What lies between them is neither written nor read. */
typedef struct cluster {
	const op *root;       /* the last, with which it runs */
	const op *main;       /* the op that it is listed under: its product, or the last */
	work w;               /* flops of all members; bytes that enter and leave the cluster */
	double unfused_bytes; /* the sum of op_work()'s */
	double peak_seconds;  /* arithmetic at the peak rates of its precisions */
	double seconds;       /* that one run takes: efficiency by shape, launch included */
} cluster;
typedef struct clusters {
	cluster **at; /* [n_ops]: the cluster whose root the op is; NULL: it is no root */
	const struct fusing *fusing; /* cluster.h */
} clusters;
/* Of all functions of a program; everything lies in `mem`. */
clusters clusters_of(const module *m, const target *t, arena *mem);

/* ---- collectives ------------------------------------------------------------------- */

typedef enum transfer {
	TRANSFER_ALL_REDUCE,
	TRANSFER_ALL_GATHER,
	TRANSFER_REDUCE_SCATTER,
	TRANSFER_ALL_TO_ALL,
	TRANSFER_BROADCAST,
	TRANSFER_PERMUTE, /* each device sends to one other */
} transfer;
enum { TRANSFERS = TRANSFER_PERMUTE + 1 };
/* The collectives that are it, without their dialect: "all_reduce". */
extern const char *const transfer_words[TRANSFERS];

/* How the members of one group lie on a machine. */
typedef struct group_place {
	int64_t size;    /* devices that meet; 2 for a permute */
	int64_t in_node; /* on one node, where fewest are together; `size`: all are */
	int torus_axes;  /* axes of the torus that they lie along, at least 1 */
} group_place;
/* Of the devices ids[n], numbered node by node. */
group_place group_placed(const target *t, const int64_t *ids, int64_t n);
/* Of a group along dimensions of a mesh in the order of its devices: `sizes[i]` members, `strides[i]`
 * devices apart (an axis' stride is the product of the sizes of those after it). */
group_place group_along(const target *t, const int64_t *sizes, const int64_t *strides, int n);

typedef struct transfer_cost {
	double seconds;    /* until the last device has what it gets, nothing else running */
	double wire_bytes; /* sent by one device */
	double far_bytes;  /* of these, over far links */
	link_class over;   /* the stream that it occupies: LINK_FAR if it leaves a node */
	const char *algorithm; /* "ring", "tree", "hierarchical", "direct"; static */
} transfer_cost;
/* The fastest algorithm; `bytes` are those of the operand on one device.  Depends on nothing but
 * its arguments; never less with a slower link, a longer latency or more bytes. */
transfer_cost transfer_of(const target *t, transfer kind, double bytes, const group_place *g);

typedef struct collective {
	const op *o;
	double times;        /* runs a step */
	int64_t group_size;  /* devices that meet; for a permute: 2 */
	int64_t n_groups;
	int64_t bytes;       /* of the operands on one device */
	int64_t result_bytes;
	double wire_bytes;   /* sent by one device */
	double seconds;      /* on the target, nothing else running; where it goes together with others
	                      * before it (merge.c), what it adds to them */
	bool far;            /* crosses nodes of the target */
	transfer kind;
	group_place place;   /* of its groups, where fewest members are together */
	const char *algorithm;
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

/* A cluster as often as it runs. */
typedef struct op_cost {
	const op *o; /* that it is listed under */
	double times;
	work w;
	double unfused_bytes;
	double peak_seconds; /* of its arithmetic alone */
	double seconds;      /* of one run */
} op_cost;

typedef enum stream {
	STREAM_COMPUTE,
	STREAM_NEAR, /* by link_class from here on */
	STREAM_FAR,
	STREAMS,
} stream;

/* When something runs in the schedule; of a loop, as a whole. */
typedef struct timeline_event {
	const op *o;
	stream on;
	double begin, end; /* seconds from the beginning of the step */
	int collective;    /* of a transfer: its number among the collectives; -1 */
	double held;       /* of these, in which everything waits for it; of a loop, for transfers in it */
} timeline_event;
typedef VEC(timeline_event) timeline_events;

/* Which resource a step would be bound by if it did nothing else. */
typedef enum bound {
	BOUND_COMPUTE, /* arithmetic */
	BOUND_MEMORY,  /* memory traffic of clusters */
	BOUND_LAUNCH,  /* starting them */
	BOUND_NEAR,    /* links within a node */
	BOUND_FAR,     /* links between nodes */
} bound;

/* One step of the program on one device. */
typedef struct step_time {
	double serial_seconds;     /* clusters and collectives one after the other */
	double overlapped_seconds; /* by the schedule: collectives run beside what does not need them */
	double exposed_communication_seconds; /* of it, in which nothing but links works */
	double prefetched_bytes;   /* most that is gathered before its place in the program at one time:
	                              beside `memory`, which is in program order */
	double mfu;                /* arithmetic at peak / overlapped_seconds */
	bound bound;
} step_time;

typedef struct seconds_range {
	double least, most;
} seconds_range;

/* What a step may take, as far as predictions of published runs were off. */
seconds_range step_range(const step_time *s);

typedef struct costs {
	const target *target;
	work total; /* per cluster; collectives are no work: their time is that of links */
	double unfused_bytes;                   /* each operand and result of each op once */
	double compute_seconds, memory_seconds; /* as if all ran at the peak rates, without launches */
	double op_seconds;                      /* sum of the clusters' times */
	double comm_seconds;
	double comm_bytes; /* sent by one device a step */
	step_time step;
	VEC(op_cost) ops;  /* in program order, calls and loops opened */
	VEC(collective) collectives;
	timeline_events timeline; /* in order of beginning on each stream */
	memory mem;
	memory host; /* what lies in the memory of the host; all 0: nothing */
	int unknown_loops; /* loops whose trip count is not known */
	int custom_calls;  /* whose work is not known */
} costs;

/* A copy with calls replaced by what they call and without what is computed twice, to be released;
 * NULL: it would be far larger. */
module *program_opened(const module *m);
/* The same done to the program itself, whose values are not looked at any more.  false: it stays as it
 * is, or could not be opened to the end. */
bool program_open(module *m);
/* Writes otherwise what compilers do, where costs depend on it (simplified.c). */
void program_simplify(module *m);
/* Whether 64 bits count the bytes of any sum over the program's tensors; if not,
 * reports an error. */
bool program_countable(const module *m);
/* Whether its operations can be looked at one by one, those of a function for each of its calls; if
 * not, reports an error. */
bool program_openable(const module *m);
/* Of @main, which is countable and openable.  `opened` is what program_opened() gave: memory is
 * counted on it, and its values are those of `mem`; NULL: memory is not wanted.  `meshes` name the
 * axes of collectives.  Everything lies in `mem`. */
void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out);
/* The same, without what is said of memory besides its estimate: no bracket, and no tensors at the peak. */
void costs_briefly(const module *m, const module *opened, const program_meshes *meshes, const target *t,
                   arena *mem, costs *out);

/* The collectives of @main in the order of costs_of(): those of a function for each of its calls. */
typedef VEC(const op *) collective_list;
void collectives_of(const module *m, arena *mem, collective_list *out);

#endif
