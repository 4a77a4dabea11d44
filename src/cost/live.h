/* live.h - which values live when in the memory of one device, or of the host. Internal to cost. */
#ifndef TESS_COST_LIVE_H
#define TESS_COST_LIVE_H

#include "cost/cluster.h"

typedef struct value_fact {
	int last;           /* position of the last use in the defining block; -1: none */
	bool virtual;       /* fused away */
	bool reused;        /* another value has taken over its buffer: nothing to free */
	bool returned;      /* by main: it is in the memory of a result, which exists from the
			     * start */
	bool fixed;         /* argument of main: never freed or reused */
	bool borrowed; /* its buffer was the value that a loop carries: counted with the loop's
		        * results */
	value *root;        /* the value whose buffer this one shares */
	const value *donor; /* of a result of main: the argument whose memory it takes over */
	const value *dies_with; /* the next value with the same `last` (peak.c) */
} value_fact;

typedef struct mem_walk {
	const module *m;
	arena *mem;
	bool fused, careful; /* whether anything is fused; only what all compilers fuse */
	const fusing *fusing;
	const bool *on_host; /* [n_values]; NULL: nothing is on the host */
	bool host;           /* the host's memory is counted, not the device's */
	const int *donor;    /* [results of main], see func_donors() */
	int *pos;            /* [n_ops]: position in the order in which its block runs */
	int *buffer_of;      /* [n_values]: buffer + 1, by kernels.c; NULL: the memory is not
			      * that of XLA's compiler for CPUs */
	int64_t *seen;       /* [n_ops]: the last search for what a kernel reads that visited it */
	int64_t n_seen;
	value_fact *facts;   /* [n_values] */
	ptr_map func_peaks;  /* func op -> peak + 1 */
	int depth;
} mem_walk;

static inline value_fact *fact(mem_walk *w, const value *v) { return &w->facts[v->id]; }
static inline const value_fact *fact_const(const mem_walk *w, const value *v) { return &w->facts[v->id]; }

static inline bool lies_on_host(const mem_walk *w, const value *v)
{
	return w->on_host && w->on_host[v->id];
}

/* True if the value is in the memory that is being counted. */
static inline bool is_counted(const mem_walk *w, const value *v) { return lies_on_host(w, v) == w->host; }

/* Returns the size of a temporary. For the upper bound, sizes are rounded up as allocators do;
 * otherwise, values that fit a register count nothing. For the upper bound and on CPUs, half
 * precision is as large as on a machine without units for it. */
static inline int64_t temp_bytes(const mem_walk *w, const value *v)
{
	enum { ALIGNMENT = 64, REGISTER = 8 };
	int64_t n = is_counted(w, v) ? value_bytes(v) : 0;
	if (is_half(v) && w->fusing->cpu)
		n *= 2;
	if (w->fused)
		return n <= REGISTER ? 0 : n;
	return ceil_div(n, ALIGNMENT) * ALIGNMENT;
}

/* ---- live ranges (live.c) ------------------------------------------------------------------------ */

/* True if the result shares the memory of an operand; renamed() returns the operand of which a
 * value is another name, or NULL. */
bool op_shares(const mem_walk *w, const op *o);
const value *renamed(const mem_walk *w, const value *v);
/* True if the op's result is not written, because its users compute it. */
bool op_is_virtual(const mem_walk *w, const op *o);
/* Sets the position of each operation in the block. @return how many operations there are */
int number_ops(mem_walk *w, const block *b);
/* Finds for each value of the block how long it lives. */
void find_ranges(mem_walk *w, const block *b);

/* ---- the walk (peak.c) -------------------------------------------------------------------------- */

/* A value that becomes a result is written into the result's memory, if it is in the counted
 * memory. So is a value that only renames another one, if that is computed in main. `main_func`:
 * the function whose body it is, or NULL. */
void mark_returned(mem_walk *w, const block *b, const op *main_func);
/* Returns the peak of a block whose results are marked. If `out` is not NULL, it also gets the
 * place of the peak, and the curve up to it. */
int64_t block_peak(mem_walk *w, const block *b, memory *out);
bool runs_regions(const op *o);
/* The same for the memory that XLA's compiler for CPUs assigns (assign.c). */
int64_t assigned_peak(mem_walk *w, const block *b, memory *out);
/* Returns the most memory that is needed inside the op. */
int64_t inner_peak(mem_walk *w, const op *o);
/* Returns the function of a call, if it has a body; else NULL. */
op *called(const mem_walk *w, const op *call);
/* Returns the peak of a block inside an op. What a function or a branch yields is a result of the
 * op that runs it; what the body of a loop yields has its own memory. */
int64_t region_peak(mem_walk *w, const block *b, memory *out);

/* ---- what lives at the peak (at_peak.c) ------------------------------------------------------------- */

/* What the op at the peak needs in its regions: the tensors of the region with the highest peak. */
live_tensor inside_at_peak(mem_walk *w, const op *o, int64_t bytes);
/* Lists the tensors at the peak, the largest first, after the walk has found the peak. */
void tensors_at_peak(mem_walk *w, const op *main_func, memory *out);

#endif
