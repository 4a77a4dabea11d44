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

/* How products of f32 are computed; see XLA's precision_config. */
typedef enum product_precision {
	PRODUCT_DEFAULT, /* the fastest: TF32 on GPUs, one pass of bfloat16 on TPUs */
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
	double flops_f32_high;    /* the same at PRODUCT_HIGH */
	double flops_8bit;        /* products of floats and integers of 8 bits and fewer */
	double flops_vector;      /* other operations, f32 */
	double product_efficiency; /* share of a product's peak that large aligned ones reach */
	double memory_efficiency;  /* share of memory_bandwidth that long copies reach */
	double link_efficiency;    /* share of link_bandwidth that long messages reach */
	double far_efficiency;
	double launch_seconds;   /* from the start of a kernel to its first useful work */
	double link_floor;       /* seconds that the shortest collective takes within a node */
	double far_floor;        /* the same between nodes */
	double contention;       /* by how much computation slows down, as a share of the
				  * communication that it hides */
	double prefetch_bytes;   /* what may be gathered before it is needed, at any time */
	int64_t torus_axes;      /* of the near links: 0: they form a switch; 2 or 3: a torus */
	int64_t torus_extent;    /* devices along one of these axes */
	int64_t processors;      /* of a GPU, to which the tiles of products are distributed; 0:
				  * unknown */
	int64_t cores;           /* cores that all devices share, in one process; 0: each has its
				  * own */
	double relayout_bandwidth; /* bytes per second of a copy that makes another dimension
				    * outermost, as collectives along other dimensions need; 0:
				    * they do not need it */
	double turn_seconds;     /* what a core takes to go on with another of the devices that
				  * share it, whose data is not in its caches, as collectives
				  * make it do; of target_shared(), the time for all of them, by
				  * which floors are longer */
	double cache_bytes;      /* of a core: what it touched last, up to that, is read and written
				  * at cache_bandwidth; 0: memory's speed is that of everything */
	double cache_bandwidth;
	bool is_cpu;             /* XLA's compiler for CPUs compiles for it, not the one for GPUs */
} target;
int target_count(void);
const target *target_at(int i);
const target *target_named(const char *name); /* NULL if there is none */
/* Returns the machine with this number of devices: a part of a node, or a torus of that size. */
target target_with(const target *t, int64_t devices);
/* Returns one of several devices that run at the same time and share the machine's cores. */
target target_shared(const target *t, int64_t devices);
/* Returns the seconds in which a long copy reads or writes so many bytes of memory. */
static inline double memory_seconds(const target *t, double bytes)
{
	return bytes / (t->memory_bandwidth * t->memory_efficiency);
}
/* Returns which share of memory's time is that of whatever is nearest: a cache, or memory itself
 * (1) if the machine has none that is faster. */
double memory_share_of_nearest(const target *t);
/* The same for what holds so many bytes: it is in the cache if they fit in there. */
static inline double memory_share(const target *t, double bytes)
{
	return bytes <= t->cache_bytes ? memory_share_of_nearest(t) : 1;
}
/* Returns the seconds for bytes that are in the cache if they fit in there. */
static inline double traffic_seconds(const target *t, double bytes)
{
	return memory_share(t, bytes) * memory_seconds(t, bytes);
}
/* Reads a user's table (target.c describes the form) and adds its rows to `out`, allocated in
 * `mem`. Returns false after reporting an error. */
typedef VEC(target) target_vec;
bool target_parse(tess_ctx *ctx, source *src, arena *mem, target_vec *out);
/* Writes a row of such a table: `like`, fitted to a list of measurements (calibrate.c describes the
 * form of both), and how far off each measurement is. Returns false after reporting an error. */
bool target_calibrate(tess_ctx *ctx, source *src, const target *like, arena *mem, writer *w);

/* ---- work ----------------------------------------------------------------------- */

typedef struct work {
	double flops; /* arithmetic operations */
	double bytes; /* read and written */
} work;
/* Returns the work of one op on the types that it has: each operand is read once and each result
 * written once, as if nothing were fused. Regions of control flow are not included. */
work op_work(const module *m, const op *o);
/* Returns how many arithmetic operations per second the machine does at the op's precision, at its
 * peak (precision.c). */
double op_flop_rate(const target *t, const op *o);
/* What a custom call costs. */
typedef struct kernel_estimate {
	work w;       /* its arithmetic is that of products of its first operand's type */
	double share; /* of a product's efficiency */
	bool exact;   /* f32 is computed exactly, not in shorter types */
} kernel_estimate;
/* Estimates a custom call from what Pallas writes into it, or from its shapes if its library is
 * known (custom.c). Returns false if nothing is known. */
bool custom_call_estimate(const op *o, kernel_estimate *out);
/* Returns how often the body of a while runs; 0 if the program does not say. */
int64_t while_trip_count(const module *m, const op *o);

/* How deep calls and regions are followed, together. Programs are read with up to 256 regions inside
 * each other, and calls of up to 256 functions by each other. */
enum { MOST_NESTED = 600 };

/* ---- clusters: what runs as one kernel (cluster.c) -------------------------------------- */

/* Operations that a compiler fuses. They run when the last of them in program order is reached, and
 * the values between them are neither written nor read. */
typedef struct cluster {
	const op *root;       /* the last one, whose place in the program is the cluster's */
	const op *main;       /* the op under which it is listed: its product, or the last one */
	work w;               /* flops of all members; bytes that the cluster reads and writes */
	double memory_bytes;  /* what memory would move in the time that those bytes take: less than
			       * they are if some of them are in a cache */
	double unfused_bytes; /* sum of op_work() over its members */
	double peak_seconds;  /* its arithmetic at the peak rates of its precisions */
	double seconds;       /* of one run: with the efficiency for its shapes, and the launch */
} cluster;
typedef struct clusters {
	cluster **at; /* [n_ops]: the cluster whose root the op is; NULL: it is not a root */
	const op **with; /* [n_ops]: of an op whose results another cluster writes besides its own,
			  * the root of that cluster, which comes before it; else NULL */
	const struct fusing *fusing; /* cluster.h */
} clusters;
/* Finds the clusters of all functions of a program. Everything is allocated in `mem`. */
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
/* The names of the collectives, without their dialect: "all_reduce". */
extern const char *const transfer_words[TRANSFERS];

/* How the members of one group are distributed over a machine. */
typedef struct group_place {
	int64_t size;    /* number of its devices; 2 for a permute */
	int64_t in_node; /* members on the node with the fewest; `size`: all are on one node */
	int torus_axes;  /* axes of the torus that the group spans, at least 1 */
} group_place;
/* For the devices ids[n], which are numbered node by node. */
group_place group_placed(const target *t, const int64_t *ids, int64_t n);
/* For a group along dimensions of a mesh in the order of its devices: `sizes[i]` members that are
 * `strides[i]` devices apart (the stride of an axis is the product of the sizes of the axes after
 * it). */
group_place group_along(const target *t, const int64_t *sizes, const int64_t *strides, int n);

typedef struct transfer_cost {
	double seconds;    /* until the last device has its result, if nothing else runs */
	double wire_bytes; /* sent by one device */
	double far_bytes;  /* of these, the bytes over far links */
	link_class over;   /* the links that it occupies: LINK_FAR if it leaves a node */
	const char *algorithm; /* "ring", "tree", "hierarchical", "direct"; static */
} transfer_cost;
/* Returns the cost of the fastest algorithm; `bytes` is the size of the operand on one device. The
 * result depends on the arguments only. It never becomes smaller with a slower link, a longer
 * latency or more bytes. */
transfer_cost transfer_of(const target *t, transfer kind, double bytes, const group_place *g);

typedef struct collective {
	const op *o;
	double times;        /* how often it runs in a step */
	int64_t group_size;  /* devices of a group; 2 for a permute */
	int64_t n_groups;
	int64_t bytes;       /* of the operands on one device */
	int64_t result_bytes;
	double wire_bytes;   /* sent by one device */
	double seconds;      /* on the target, if nothing else runs; if it is merged with
			      * collectives before it (merge.c), the time that it adds to them */
	bool far;            /* leaves a node of the target */
	transfer kind;
	group_place place;   /* of the group with the fewest members on one node */
	const char *algorithm;
	const char *axes;    /* mesh axes along which it communicates, "model" or "x, y"; "" if
			      * unknown */
} collective;

/* ---- memory ---------------------------------------------------------------------------- */

/* A tensor that lives at the peak. LIVE_INSIDE: what the op that defines `v` needs in its regions,
 * and a list of these tensors, which have as many bytes together. */
typedef struct live_tensor {
	const value *v;
	int64_t bytes;
	enum { LIVE_ARGUMENT, LIVE_RESULT, LIVE_TEMPORARY, LIVE_INSIDE } role;
	int n_within;
	const struct live_tensor *within; /* largest first */
} live_tensor;

/* The memory of one device, or of the host for that device. */
typedef struct memory {
	int64_t arguments, results, donated; /* bytes; donated arguments are reused for results */
	int64_t temp;                   /* temporaries at the peak: the estimate */
	int64_t temp_lower, temp_upper; /* what compilers may need, at least and at most */
	int64_t peak;                   /* arguments + results - donated + temp */
	VEC(int64_t) curve; /* bytes of temporaries at each op of main */
	int peak_at; /* index in curve */
	int64_t inside_at_peak; /* bytes, of these, in regions of the op that runs at the peak */
	VEC(live_tensor) at_peak; /* largest first; their sum is `peak` */
} memory;

/* ---- the whole -------------------------------------------------------------------------- */

/* A cluster, with the number of times that it runs. */
typedef struct op_cost {
	const op *o; /* the op under which it is listed */
	double times;
	work w;
	double memory_bytes; /* as in cluster */
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

/* The time at which a task runs; a loop is one task. */
typedef struct timeline_event {
	const op *o;
	stream on;
	double begin, end; /* seconds from the start of the step */
	int collective;    /* of a transfer, its number among the collectives; else -1 */
	double held;       /* seconds, of these, in which everything waits for it; of a loop, for
			    * transfers in it */
} timeline_event;
typedef VEC(timeline_event) timeline_events;

/* The resource that takes the most time of a step. */
typedef enum bound {
	BOUND_COMPUTE, /* arithmetic */
	BOUND_MEMORY,  /* memory traffic of clusters */
	BOUND_LAUNCH,  /* launches of kernels */
	BOUND_NEAR,    /* links within a node */
	BOUND_FAR,     /* links between nodes */
} bound;

/* One step of the program on one device. */
typedef struct step_time {
	double serial_seconds;     /* clusters and collectives, one after the other */
	double overlapped_seconds; /* as scheduled: collectives run beside what does not need
				    * them */
	double exposed_communication_seconds; /* of this time, the part in which only links work */
	double prefetched_bytes;   /* the most that is gathered before its place in the program
				    * at any time. It comes on top of `memory`, which is in
				    * program order */
	double mfu;                /* arithmetic at peak / overlapped_seconds */
	bound bound;
} step_time;

typedef struct seconds_range {
	double least, most;
} seconds_range;

/* Returns the range that a step may take, by how far off the predictions of published runs were. */
seconds_range step_range(const step_time *s);

typedef struct costs {
	const target *target;
	work total; /* of all clusters; the time of collectives is that of links */
	double unfused_bytes;                   /* reading each operand and writing each result
						 * of each op once */
	double compute_seconds, memory_seconds; /* at the peak rates, without launches */
	double op_seconds;                      /* sum of the times of the clusters */
	double comm_seconds;
	double comm_bytes; /* sent by one device in a step */
	step_time step;
	VEC(op_cost) ops;  /* in program order; calls and loops are replaced by their contents */
	VEC(collective) collectives;
	timeline_events timeline; /* on each stream in the order of their start */
	memory mem;
	memory host; /* what is in the memory of the host; all 0: nothing */
	int unknown_loops; /* loops whose trip count is not known */
	int custom_calls;  /* calls whose work is not known */
} costs;

/* Returns a copy in which calls are replaced by what they call, and what is computed twice is
 * computed once. The caller releases it. NULL: it would be far larger. */
module *program_opened(const module *m);
/* Does the same to the program itself, whose values the caller does not use any more. Returns false
 * if it stays as it is or could not be opened completely. */
bool program_open(module *m);
/* Rewrites what compilers write differently, where costs depend on it (simplified.c). */
void program_simplify(module *m);
/* Returns true if 64 bits are enough to count the bytes of any sum over the program's tensors;
 * otherwise reports an error. */
bool program_countable(const module *m);
/* Returns true if there are not too many operations to process one by one, those of a function for
 * each of its calls; otherwise reports an error. */
bool program_openable(const module *m);
/* Computes the costs of @main, which must be countable and openable. `opened` is what
 * program_opened() returned: memory is computed from it, and the values in `mem` are its values.
 * NULL: memory is not wanted. `meshes` name the axes of collectives. Everything is allocated in
 * `mem`. */
void costs_of(const module *m, const module *opened, const program_meshes *meshes, const target *t,
              arena *mem, costs *out);
/* The same, but of memory only the estimate: neither the bounds nor the tensors at the peak. */
void costs_briefly(const module *m, const module *opened, const program_meshes *meshes, const target *t,
                   arena *mem, costs *out);

/* The collectives of @main in the order of costs_of(); those of a function occur once for each of
 * its calls. */
typedef VEC(const op *) collective_list;
void collectives_of(const module *m, arena *mem, collective_list *out);

#endif
