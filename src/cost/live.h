/* live.h - what lives when in the memory of one device, or of the host; inside cost. */
#ifndef TESS_COST_LIVE_H
#define TESS_COST_LIVE_H

#include "cost/cluster.h"

typedef struct value_fact {
	int last;           /* position of the last use in the defining block; -1: none */
	value *root;        /* the value whose buffer this one shares */
	bool virtual;       /* fused away */
	bool reused;        /* its buffer went over to another value: nothing to free */
	bool returned;      /* by main: its memory is that of a result, there from the beginning */
	const value *donor; /* of a result of main: the argument whose memory it takes over */
	bool fixed;         /* argument of main: never freed or reused */
	bool borrowed; /* its buffer was a loop's carried value: counted with the loop's results */
} value_fact;

typedef struct mem_walk {
	const module *m;
	arena *mem;
	bool fused, careful; /* what one compiler fuses; only what all do */
	const fusing *fusing;
	const bool *on_host; /* [n_values]; NULL: nothing is there */
	bool host;           /* the host's memory is counted, not the device's */
	int *pos;            /* [n_ops] in the order in which its block runs */
	int *buffer_of;      /* [n_values]: + 1, by kernels.c; NULL: memory is not that of XLA's compiler for CPUs */
	int64_t *seen;       /* [n_ops]: by which search for what a kernel reads */
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

/* Whether the value lies in the memory that is counted. */
static inline bool is_counted(const mem_walk *w, const value *v) { return lies_on_host(w, v) == w->host; }

/* Of a temporary: in the upper model as allocators cut them, in the other one without what fits a
 * register; half precision in the upper one and on CPUs as a machine without units for it keeps it.
 */
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

/* Whether the result has the memory of an operand; the operand that the value is another name of, or
 * NULL. */
bool op_shares(const mem_walk *w, const op *o);
const value *renamed(const mem_walk *w, const value *v);
/* Whether it is not written: who reads it makes it. */
bool op_is_virtual(const mem_walk *w, const op *o);
/* Notes of each operation its place in the block.  @return how many there are. */
int number_ops(mem_walk *w, const block *b);
/* Notes of each value of the block how long it lives. */
void find_ranges(mem_walk *w, const block *b);

/* ---- the walk (peak.c) -------------------------------------------------------------------------- */

/* What becomes a result is written into its memory, if that is where it lies.  What only renames
 * another value is, too, if that is made here.  `main_func`: whose body it is, or NULL. */
void mark_returned(mem_walk *w, const block *b, const op *main_func);
/* The peak of a block whose results are marked; where it is, and the curve up to it, unless `out` is NULL. */
int64_t block_peak(mem_walk *w, const block *b, memory *out);
bool runs_regions(const op *o);
/* The same of what XLA's compiler for CPUs keeps in memory (assign.c). */
int64_t assigned_peak(mem_walk *w, const block *b, memory *out);
/* What runs inside of the op needs at most this much more. */
int64_t inner_peak(mem_walk *w, const op *o);
/* The function of a call that has a body; NULL: it is none. */
op *called(const mem_walk *w, const op *call);
/* The peak of a block inside of an op.  What a function or a branch yields is a result of the op
 * that runs it; what a loop's body yields takes memory of its own. */
int64_t region_peak(mem_walk *w, const block *b, memory *out);

/* ---- what lives at the peak (at_peak.c) ------------------------------------------------------------- */

/* What the op at work needs besides, opened: that of its region with the highest peak. */
live_tensor inside_at_peak(mem_walk *w, const op *o, int64_t bytes);
/* Lists it, the largest first, after the walk has found the peak. */
void tensors_at_peak(mem_walk *w, const op *main_func, memory *out);

#endif
