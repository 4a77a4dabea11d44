/* plugin.h - the interface of the PJRT plugin: JAX, and others who speak PJRT, run on virtual devices.
 *
 * The journey of a program: client.c makes devices and memories; transfer.c takes arrays in;
 * compile.c reads a program, propagates its shardings and plans it; execute.c runs it on the
 * buffers of all devices, at once or on the client's thread (queue.c); buffer.c gives arrays back.
 * Every function of the API is pjrt_<name>(), and stands in functions.def.
 *
 * The plugin is a shared object of its own and sees include/tessera/ only. */
#ifndef TESS_PJRT_PLUGIN_H
#define TESS_PJRT_PLUGIN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <tessera/shards.h>

#include "api.h"

#define DELETED "tessera: the buffer was deleted or donated"
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define PJRT(name, bytes, ...) PJRT_Error *pjrt_##name(PJRT_##name##_Args *args);
#define PJRT_NOT(name, bytes, ...)
#include "functions.def"
#undef PJRT_NOT
#undef PJRT

extern PJRT_Layouts_Extension layouts_extension;     /* layout.c */
extern PJRT_Shardings_Extension shardings_extension; /* sharding.c */
extern PJRT_Custom_Partitioner_Extension partitioner_extension; /* partitioner.c */

/* ---- errors: error.c --------------------------------------------------------------------- */

/* An error for the caller, who destroys it; NULL would be success. */
PJRT_Error *error_new(PJRT_Error_Code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The errors in a context, as text; clears them. */
PJRT_Error *error_of_context(tess_ctx *ctx, tess_status status, const char *what);
PJRT_Error *error_no_memory(void);
PJRT_Error *error_copy(const PJRT_Error *error); /* NULL of NULL */
void error_drop(PJRT_Error *error);              /* NULL: nothing */

/* ---- events: event.c ----------------------------------------------------------------------- */

/* An event is done once, with or without an error; several may hold it.  The counted references
 * are those of the callers and ours alike. */
PJRT_Event *event_new(void);                  /* not done yet; NULL without memory */
PJRT_Event *event_done(void);                 /* done without an error; never NULL */
PJRT_Event *event_retain(PJRT_Event *e);
void event_release(PJRT_Event *e);            /* NULL: nothing */
/* Marks it done, and calls those who wait.  Takes the error; NULL: none. */
void event_set(PJRT_Event *e, PJRT_Error *error);
/* The error it ended with, waiting for the end; to be destroyed; NULL: none. */
PJRT_Error *event_wait(PJRT_Event *e);
bool event_is_done(const PJRT_Event *e);
/* Calls `fn` when the event is done, perhaps at once; the error is fn's. */
PJRT_Error *event_then(PJRT_Event *e, PJRT_Event_OnReadyCallback fn, void *arg);

/* ---- several processes: processes.c --------------------------------------------------------- */

typedef struct process_options {
	char transport[8];    /* "tcp", "mpi"; "": as jax.distributed is used */
	char host[200];       /* where the others reach this process; "": anywhere */
	int64_t count, index; /* of jax.distributed; 0: it is not used */
	int64_t patience;     /* seconds */
} process_options;

/* Finds the other processes, if there are any, and counts their devices. */
PJRT_Error *processes_join(PJRT_Client *c, const PJRT_Client_Create_Args *args);
void processes_leave(PJRT_Client *c);
int process_of_device(const PJRT_Client *c, int id);

/* ---- devices and memories: client.c ---------------------------------------------------------- */

typedef struct user_data {
	const void *key;
	void *data;
	void (*dtor)(void *);
} user_data;

enum { MEMORY_KINDS = 3 }; /* "device", "pinned_host", "unpinned_host" */

typedef struct device_memory {
	PJRT_Memory base;
	int id, kind;
	PJRT_Device *device;
	char text[48];
	user_data *data; /* what the caller hung on it */
	int n_data;
} device_memory;

struct PJRT_DeviceDescription {
	int id, process;
	int local; /* among the devices of its process */
	char text[32], debug[48];
};

struct PJRT_Device {
	PJRT_DeviceDescription about;
	PJRT_Client *client;
	device_memory memory[MEMORY_KINDS];
	PJRT_Memory *memories[MEMORY_KINDS];
	/* As a real device would count: what several devices share counts on each. */
	atomic_llong bytes, peak_bytes, n_buffers, largest;
};

struct PJRT_TopologyDescription {
	PJRT_DeviceDescription **devices;
	int n_devices;
	PJRT_DeviceDescription *own; /* of a topology without a client */
	const char *platform;
};

struct queue;

struct PJRT_Client {
	const char *platform;
	int n_devices; /* of all processes */
	int n_own, first_own; /* of this one */
	int process, n_processes;
	int *first_of; /* [n_processes + 1]: where the devices of a process begin; NULL: there is one */
	process_options wanted;
	tess_ctx *ranks_ctx;
	tess_ranks *ranks; /* NULL: there is one process */
	PJRT_Client *next; /* of those with ranks */
	int threads;
	bool faithful, asynchronous;
	int64_t max_bytes; /* of a program's intermediate values; 0: no limit */
	int64_t device_bytes; /* memory of a device */
	PJRT_Device *device;
	PJRT_Device **devices;
	PJRT_Memory **memories;
	PJRT_TopologyDescription topology;
	struct queue *queue;
	tess_pool *pool; /* of all programs */
	_Atomic(tess_buffer *) last_upload; /* what came last, until a program runs; NULL: nothing */
};

const char *memory_kind_name(int kind);
int memory_kind_named(const char *name, size_t n); /* -1: there is no such kind */
static inline device_memory *memory_of(PJRT_Memory *m) { return (device_memory *)m; }
/* The memory that arguments name by itself or by a device; never NULL. */
device_memory *memory_chosen(PJRT_Client *c, PJRT_Device *d, PJRT_Memory *m);

/* ---- buffers: buffer.c, transfer.c --------------------------------------------------------------- */

/* The bytes of a buffer, now or later: handles and runs that will read it share it. */
typedef struct cell {
	atomic_int refs;
	PJRT_Event *ready;
	tess_buffer *data; /* set before `ready` is done; NULL: that ended with an error */
} cell;
cell *cell_new(PJRT_Event *ready, tess_buffer *data); /* takes both, also without memory: NULL */
cell *cell_retain(cell *c);
void cell_release(cell *c); /* NULL: nothing */

/* What one device holds of an array: row-major.  `minor_to_major` is the order that the program
 * asked for; only those who read the bytes see it. */
struct PJRT_Buffer {
	device_memory *memory;
	cell *cell;         /* NULL: deleted */
	PJRT_Event *ready;
	PJRT_Buffer_Type type;
	bool deleted;
	atomic_int outside; /* references that the caller counts: with any, the cell stays */
	size_t bytes;
	int rank;
	int64_t *minor_to_major; /* NULL: the last dimension is the fastest */
	int64_t dims[];          /* rank, and room for the order */
};

int element_bytes(PJRT_Buffer_Type t); /* of an element in memory; 0: a token */
tess_dtype type_to_tess(PJRT_Buffer_Type t);
PJRT_Buffer_Type type_from_tess(tess_dtype t);
uint64_t primitive_of_type(tess_dtype t); /* xla.PrimitiveType */
size_t bytes_of(PJRT_Buffer_Type t, const int64_t *dims, int rank);

/* Takes the cell, also without memory: NULL.  NULL for a cell: there was no memory. */
PJRT_Buffer *device_buffer_new(device_memory *m, PJRT_Buffer_Type t, const int64_t *dims, int rank,
                        cell *c);
/* The bytes of one that is ready; NULL: it was deleted, or its making failed. */
tess_buffer *device_buffer_data(const PJRT_Buffer *b);
void device_buffer_delete(PJRT_Buffer *b);
bool order_is_default(const int64_t *minor_to_major, int rank);
/* Sets the order that the buffer reports; NULL: the default. */
void device_buffer_set_order(PJRT_Buffer *b, const int64_t *minor_to_major);

/* Copies row-major elements to or from places that strides (in bytes) tell. */
void copy_strided(char *to, const int64_t *to_strides, const char *from,
                  const int64_t *from_strides, const int64_t *dims, int rank, int element);
void strides_of_order(const int64_t *minor_to_major, const int64_t *dims, int rank, int element,
                      int64_t *strides);

/* transfer.c: the last upload has no holder but its buffers any more, so that one may be donated. */
void last_upload_forget(PJRT_Client *c);

/* ---- compiled programs: compile.c, executable.c -------------------------------------------------- */

/* An argument or result of @main: of the whole, and what a device holds of it. */
typedef struct port {
	PJRT_Buffer_Type type;
	int rank;
	int64_t *dims;        /* of a device's part */
	size_t bytes;
	bool donated;         /* arguments: its memory is the program's after a run */
	int memory_kind;
	int64_t *order;       /* minor to major, or NULL */
	char *sharding;       /* xla.OpSharding, serialized */
	size_t sharding_size;
	int number;           /* of the plan's inputs or outputs; -1: a token, which is none */
} port;

typedef struct compile_options {
	int replicas, partitions;
	int *devices; /* by partition, replicas * partitions of them; NULL: 0, 1, … */
	int n_devices;
	bool *free_arguments, *free_results; /* propagation may shard what has no sharding */
	int n_free_arguments, n_free_results; /* 1: all alike */
	bool shardy; /* uneven shardings of arguments and results are cut down, as Shardy has it */
	int64_t faithful, max_bytes; /* -1: as the client has it */
} compile_options;

struct PJRT_Executable {
	atomic_int refs;
	PJRT_Client *client; /* NULL: compiled for a topology */
	char *name;
	compile_options options;
	char *option_bytes;
	size_t n_option_bytes;
	char *code; /* the program as it came, for serialization */
	size_t n_code;
	char fingerprint[40];
	tess_ctx *ctx;
	tess_module *program;
	tess_module *propagated; /* where that is not as tess_exec_new() does it; else NULL */
	tess_exec *exec;
	pthread_mutex_t lock; /* of the context */
	int n_all;          /* devices that it is compiled for; of several replicas each runs alone */
	int n_devices;      /* those of them that are this process's */
	int *at;            /* [n_devices]: which of all they are */
	bool *own;          /* [n_all] */
	int n_plan_devices; /* n_all, or 1: the program has no mesh, all devices do the same */
	port *arguments, *results;
	int n_arguments, n_results;
	int n_inputs, n_outputs; /* of the plan: arguments and results that are no tokens */
	PJRT_Device **all;     /* [n_all]; NULL: it is compiled without devices */
	PJRT_Device **devices; /* [n_devices] */
	PJRT_LogicalDeviceIds *ids;
	bool talks; /* a run exchanges something with other processes */
	bool verifies; /* its first run is looked at, with TESSERA_VERIFY */
	bool verified; /* that was done; under the lock */
	struct ffi_site *sites; /* calls of handlers, as runs come to them; ffi.c */
	bool calls_host; /* Python's functions: never on the caller's thread, unless that is in one */
	bool deleted;
	_Atomic(tess_ctx *) errors; /* of a run; NULL: a run uses it now */
	_Atomic(int *) passed; /* [output]: the input that it is as it came, or -1; NULL: not known */
	_Atomic double seconds;     /* that the last run took; 0: there was none */
	/* What queries return, made when they are asked first. */
	PJRT_Layouts_MemoryLayout **argument_layouts, **result_layouts;
	const char **argument_shardings, **result_shardings;
	size_t *argument_sharding_sizes, *result_sharding_sizes;
	struct executable_answers *answers; /* made with it */
};

struct PJRT_LoadedExecutable {
	PJRT_Executable *x;
};

PJRT_Error *executable_make(PJRT_Client *c, const PJRT_TopologyDescription *t,
                            const PJRT_Program *program, const char *options, size_t n_options,
                            PJRT_Executable **out);
PJRT_Executable *executable_retain(PJRT_Executable *x);
void executable_release(PJRT_Executable *x);

/* donors.c: arguments whose memory the program takes are donated. */
PJRT_Error *donors_match(PJRT_Executable *x, const tess_op *f);

/* border.c: arguments and results get the shardings that the options imply. */
PJRT_Error *border_settle(PJRT_Executable *x, const tess_op *f);

/* Several devices run the program, each for itself. */
static inline bool is_replicated(const PJRT_Executable *x) { return x->options.replicas > 1; }

/* The program of one device, to be freed; under the executable's lock.  optimized.c: as text of
 * StableHLO; optimized_hlo.c: an xla.HloModuleProtoWithConfig. */
PJRT_Error *optimized_print(PJRT_Executable *x, char **out, size_t *n);
PJRT_Error *optimized_hlo(PJRT_Executable *x, char **out, size_t *n);

/* executable.c: what the program takes and gives, as lists; NULL: there is no memory. */
struct executable_answers *answers_new(const PJRT_Executable *x);
void answers_free(struct executable_answers *a);
void layouts_free(PJRT_Layouts_MemoryLayout **all); /* layout.c */

/* pages.c: the program's report page, if the environment wants pages. */
void page_leave(PJRT_Executable *x);

/* trace.c: seconds since some time that does not change. */
double seconds_now(void);
/* Now, in microseconds; 0: nobody wants a trace.  What began then has ended; `d` NULL: its
 * memory is not told. */
double trace_now(void);
void trace_is_of(int process); /* before the first of them */
void trace_add(const char *what, const char *name, double begin, const PJRT_Device *d);

/* verify.c: whether the environment wants that first runs are verified. */
bool verify_is_wanted(void);
/* The first run of a program that verifies, on inputs [input * plan devices + device]. */
PJRT_Error *verify_first_run(PJRT_Executable *x, cell *const *inputs);

/* options.c: xla.CompileOptionsProto.  What was made is freed also after an error. */
PJRT_Error *options_read(const char *bytes, size_t n, compile_options *out);
void options_free(compile_options *o);

/* layout.c: the order of result i, where the program leaves it open. */
int64_t *order_chosen(const PJRT_Executable *x, const tess_op *f, size_t i);

/* inspect.c: gives the sharding of each value that jax.debug.inspect_array_sharding looks at to the
 * function that asked for it.  The pointers are those of the process that made the program. */
PJRT_Error *shardings_show(PJRT_Executable *x);

/* sharding.c: xla.OpSharding of a propagated sharding; no bytes: replicated. */
char *sharding_bytes(tess_ctx *ctx, const tess_sharding *s, const tess_mesh *mesh, size_t *n);
/* The other way round, on the axes of `mesh` as far as they express it; NULL after an error, which is
 * in the context. */
const tess_sharding *sharding_read(tess_ctx *ctx, const char *bytes, size_t n, int rank,
                                   const tess_mesh *mesh);

/* partitioner.c: what Python partitions becomes a manual computation. */
PJRT_Error *custom_calls_partition(PJRT_Executable *x);

/* ---- callbacks: host.c --------------------------------------------------------------------------- */

bool call_host(const tess_outside_call *call);
/* Whatever a program calls outside: Python's functions, or handlers; `user` is the executable. */
bool call_outside(void *user, const tess_outside_call *call);
bool is_of_python(tess_str target);

/* ffi.c: handlers that others registered. */
bool ffi_has(void *user, tess_str target);
bool ffi_call(PJRT_Executable *x, const tess_outside_call *call);
void ffi_sites_free(struct ffi_site *all);

void host_runs_add(int n); /* runs of programs with callbacks that have not ended */
bool is_in_callback(void); /* this thread is, so that it must not wait for the client's */

/* ---- Ctrl-C: interrupt.c ----------------------------------------------------------------------------- */

unsigned interrupts_now(void); /* how many there were */
/* A run begins on this thread, which was called after so many interrupts. */
void run_begins(unsigned interrupts_before);
bool run_may_proceed(void *user, const tess_progress *progress); /* no, after a further interrupt */
/* Returns when Python, which looks for signals five times a second while it waits for results, knows of the
 * last interrupt.  If it hears of the end of the run first, it raises that, and KeyboardInterrupt afterwards. */
void wait_for_python(void);

/* ---- the client's thread: queue.c ------------------------------------------------------------------ */

typedef struct task {
	void (*run)(struct task *t); /* releases the task */
	struct task *next;
} task;
/* Runs tasks in order, on a thread that begins with the first. */
struct queue *queue_new(void);
/* Waits while too many wait already, unless it is called by a task. */
void queue_push(struct queue *q, task *t);
bool queue_is_idle(struct queue *q);
void queue_free(struct queue *q); /* after the last task has run */

#endif
