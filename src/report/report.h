/* report.h - the interface of report: everything that people read.
 *
 * A report is computed once, into a `report`, and then rendered: as text for a terminal, as JSON,
 * or as an HTML page. The renderers compute nothing. */
#ifndef TESS_REPORT_REPORT_H
#define TESS_REPORT_REPORT_H

#include "partition/partition.h"
#include "cost/cost.h"
#include "plan/plan.h"
#include "report/address.h"
#include "report/explain.h"
#include "report/lint.h"
#include "report/purpose/purpose.h"
#include "report/words.h"
#include "mlir/mlir.h"

/* The subject of a report. `global` is the propagated program, `local` the per-device program; they
 * may be the same module. */
typedef struct report_input {
	const module *global, *local;
	const module *opened;   /* `local` with calls inlined; NULL: it would be too large */
	const module *given;    /* as the user wrote it; for report_diff() */
	const mesh *mesh;       /* the program's; may be NULL: one device */
	program_meshes meshes;  /* all that it names, that one first */
	int64_t n_devices;      /* of the program */
	const char *title;      /* file name */
	const target *target;
	const collective_origin *origins; /* of the collectives of `local`; may be NULL */
	int n_origins;
	int n_merged;   /* number of collectives saved by merging them */
	bool as_shardy; /* values are resharded where Shardy would */
	trail *trail;   /* of `global`, for the HTML page; may be NULL */
	ptr_map *edges; /* with a trail: erased edge -> the value it stood for */
	const finding_list *findings; /* NULL: lint was not run */
	const advice_list *advice;    /* NULL: no advice requested */
	const struct plan_words *plan; /* the plan of `global`, for the HTML page, or NULL */
} report_input;

/* Similar collectives: repeated layers have one of each kind per layer. */
typedef struct collective_group {
	const collective *first;
	int number;    /* number of the first */
	int64_t count;
	double seconds, wire_bytes; /* of all, per step */
	double held; /* the part of these seconds in which everything waits; 0 inside loops */
	const collective_origin *origin; /* of the first; may be NULL */
} collective_group;

/* Similar operations: same name, same operand and result types. */
typedef struct op_group {
	const op *first;
	int64_t count;  /* in the text, with calls inlined */
	double times;   /* executions per step, of all */
	double seconds; /* sum over their clusters */
	work work;
	bool compute_bound; /* else by memory traffic */
} op_group;

/* Similar tensors alive at the peak: same type, role and purpose. */
typedef struct tensor_group {
	live_tensor first;
	purpose held_for;
	int64_t count;
	const struct tensor_group *within; /* groups of the tensors in its regions */
	int n_within;
} tensor_group;

typedef struct tensor_groups {
	tensor_group *ptr; /* ordered by total bytes, largest first */
	int len, cap;
} tensor_groups;

/* A tensor of which several devices hold the same part. */
typedef struct replicated_tensor {
	const value *v;
	int64_t bytes;  /* of the part on one device */
	int64_t copies; /* number of devices that hold each part */
	int64_t waste;  /* bytes over all devices beyond one copy */
} replicated_tensor;

/* Replicated tensors of one type and sharding; arguments are separate. */
typedef struct replicated_group {
	replicated_tensor first;
	int64_t count;
} replicated_group;

/* A tensor with a dimension that its axes do not divide evenly. */
typedef struct padded_tensor {
	const value *v;
	int dim;
	int64_t shards, size;
	int64_t waste; /* padding over all devices */
} padded_tensor;

/* The communication over one set of mesh axes. */
typedef struct axis_traffic {
	const char *axes;
	int64_t count; /* number of collectives in the text */
	double runs, wire_bytes, seconds;
	bool far; /* between nodes */
} axis_traffic;

typedef struct report {
	report_input in;
	costs costs;
	int64_t n_devices;
	VEC(replicated_tensor) replicated; /* ordered by waste, largest first */
	VEC(replicated_group) replicated_kinds; /* the same */
	VEC(padded_tensor) padded;         /* the same */
	VEC(axis_traffic) traffic;         /* ordered by seconds, largest first */
	VEC(const collective_origin *) origin_of; /* of each collective in the costs; may be NULL */
	VEC(collective_group) groups;      /* ordered by seconds, largest first */
	VEC(op_group) operations;         /* the same; without collectives */
	bool purposes_told;                /* the purposes of memory are known */
	purposes purposes;
	int64_t held[PURPOSES], held_on_host[PURPOSES]; /* bytes; they add up to the peak */
	tensor_groups at_peak;             /* on a device */
	tensor_groups on_host;             /* in host memory, at its own peak */
} report;

void report_build(const report_input *in, arena *mem, report *out);
/* Groups similar collectives, operations, tensors at the peak and replicated tensors (groups.c). */
void report_group(arena *mem, report *r);
/* Returns the purpose of a tensor alive at the peak; FOR_OTHER for tensors in regions. */
static inline purpose report_purpose(const report *r, const live_tensor *t)
{
	return r->purposes_told && t->role != LIVE_INSIDE ? r->purposes.of_value[t->v->id] : FOR_OTHER;
}
void report_text(const report *r, writer *w, bool color);
void report_json(const report *r, writer *w);
/* Writes the report's figures into an open JSON object; `lists`: also what is alive at the peak. */
void report_members(const report *r, bool lists, json *j);
/* Writes what is known of a collective's "moves", "from", "to" and "for". */
void report_origin_members(const collective_origin *o, arena *mem, json *j);
/* Writes "operands", "results", "count", "times", "flops", "bytes", "seconds" and "bound". */
void report_operation_members(const op_group *g, arena *mem, json *j);
/* Writes one self-contained page, which loads nothing from elsewhere. */
void report_html(const report *r, arena *mem, writer *w);
/* Writes one page for two programs and their difference. */
void report_html_of_both(const report *a, const report *b, arena *mem, writer *w);

/* Why a collective exists (explain_collective.c). `m` is the program after propagation, `t` its
 * trail. */
typedef struct collective_why {
	const collective *c;
	const collective_origin *origin; /* NULL: the program itself contains it */
	int number;
	explanation has, wants; /* of the value that moves, and of what uses it; `v` may be NULL */
	VEC(explanation) summed; /* operands whose sharding makes the moved value a partial sum */
} collective_why;
void explain_collective(module *m, trail *t, const collective *c, const collective_origin *origin,
                        int number, arena *mem, collective_why *out);
void explain_collective_text(const collective_why *y, writer *w, bool color);
void explain_collective_json(const collective_why *y, arena *mem, writer *w);

/* Writes every value of @main with its sharding, as text or JSON (table.c). */
void table_of(const module *m, bool as_json, arena *mem, writer *w);
/* Writes the signature of @main as JSON (signature.c). */
void signature_of(const module *m, arena *mem, writer *w);

/* Writes the difference between two programs of a context (diff.c). @return true if none */
bool report_diff(const report *a, const report *b, bool as_json, bool color, arena *mem, writer *w);

/* What to change in a program (report_advice.c). */
typedef struct advice_words {
	const advice_list *r;
	const char *title;
	const target *target;
	bool color;
} advice_words;
void advice_text(const advice_words *p, writer *w);
/* Write only the changes: as text, or as a member of an open object. */
void advice_list_text(const advice_words *p, writer *w);
void advice_members(const advice_list *r, arena *mem, json *j);
void advice_json(const advice_words *p, arena *mem, writer *w);

/* A plan, and the results of the search for it (report_plan.c). */
typedef struct plan_words {
	const plan_result *r;
	const char *title, *target; /* of the program; of the machine */
	double seconds;             /* duration of the search */
	bool color;
} plan_words;
void plan_text(const plan_words *p, writer *w);
void plan_json(const plan_words *p, arena *mem, writer *w);
/* Writes its members into an open object. */
void plan_members(const plan_words *p, arena *mem, json *j);
/* Writes the plan as "jax", "dtensor", "specs" or "json" (report_plan_emit.c). Returns false after
 * reporting an error: for any other form, and if the form cannot say what the plan does. */
bool plan_emit(const plan_words *p, const char *form, arena *mem, writer *w);

/* Annotations and the cost of their alternatives (report_price.c). */
typedef struct price_words {
	const plan_subject *s;
	const plan_price_list *l;
	arena *mem;
	const char *title, *target;
	int64_t limit; /* memory of one device */
	bool all;      /* list all alternatives, not only the best; JSON always has them all */
} price_words;
void price_text(const price_words *p, writer *w);
void price_json(const price_words *p, writer *w);

/* Facts about HLO text (report_hlo.c). */
struct hlo_stats;
void report_hlo_text(const struct hlo_stats *s, writer *w);
void report_hlo_json(const struct hlo_stats *s, writer *w);

#endif
