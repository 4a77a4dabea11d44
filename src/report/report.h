/* report.h - the door of report: what people read.
 *
 * A report is computed once, into a `report`, and then rendered: as text for a
 * terminal, as JSON, as one HTML page.  The renderers decide nothing. */
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

/* What a report is about.  `global` is the propagated program, `local` what one
 * device runs; they may be the same module. */
typedef struct report_input {
	const module *global, *local;
	const module *opened;   /* `local` with calls opened; NULL: it would be too large */
	const module *given;    /* as the user wrote it; for report_diff() */
	const mesh *mesh;       /* the program's; may be NULL: one device */
	program_meshes meshes;  /* all that it names, that one first */
	int64_t n_devices;      /* of the program */
	const char *title;      /* file name */
	const target *target;
	const collective_origin *origins; /* of the collectives of `local`; may be NULL */
	int n_origins;
	int n_merged;   /* collectives fewer in the program that runs */
	bool as_shardy; /* values are resharded where Shardy would */
	trail *trail;   /* of `global`, for the page; may be NULL */
	ptr_map *edges; /* with a trail: erased edge -> what it stood for */
	const finding_list *findings; /* NULL: not looked for */
	const advice_list *advice;    /* likewise */
	const struct plan_words *plan; /* that gave `global` its annotations, for the page; may be NULL */
} report_input;

/* Collectives that are alike: repeated layers have one of each kind each. */
typedef struct collective_group {
	const collective *first;
	int number;    /* of the first */
	int64_t count;
	double seconds, wire_bytes; /* of all, a step */
	double held; /* of these seconds, those in which everything waits; not within loops */
	const collective_origin *origin; /* of the first; may be NULL */
} collective_group;

/* Operations that are alike: of one name, on operands and to a result of the same types. */
typedef struct op_group {
	const op *first;
	int64_t count;  /* in the text, calls opened */
	double times;   /* runs a step, of all */
	double seconds; /* the sum of their clusters' */
	work work;
	bool compute_bound; /* else by memory traffic */
} op_group;

/* Tensors alive at the peak that are alike: of one type in one role, for one purpose. */
typedef struct tensor_group {
	live_tensor first;
	purpose held_for;
	int64_t count;
	const struct tensor_group *within; /* of what is in regions, likewise */
	int n_within;
} tensor_group;

typedef struct tensor_groups {
	tensor_group *ptr; /* by bytes of all, largest first */
	int len, cap;
} tensor_groups;

/* A tensor that several devices hold the same part of. */
typedef struct replicated_tensor {
	const value *v;
	int64_t bytes;  /* of the part on one device */
	int64_t copies; /* devices that hold it */
	int64_t waste;  /* bytes over all devices beyond one copy */
} replicated_tensor;

/* Replicated tensors of one type and sharding, arguments apart. */
typedef struct replicated_group {
	replicated_tensor first;
	int64_t count;
} replicated_group;

/* A tensor with a dimension that its axes do not divide. */
typedef struct padded_tensor {
	const value *v;
	int dim;
	int64_t shards, size;
	int64_t waste; /* bytes of padding over all devices */
} padded_tensor;

/* What is communicated over one set of mesh axes. */
typedef struct axis_traffic {
	const char *axes;
	int64_t count; /* collectives in the text */
	double runs, wire_bytes, seconds;
	bool far; /* beyond a node */
} axis_traffic;

typedef struct report {
	report_input in;
	costs costs;
	int64_t n_devices;
	VEC(replicated_tensor) replicated; /* by waste, largest first */
	VEC(replicated_group) replicated_kinds; /* likewise */
	VEC(padded_tensor) padded;         /* likewise */
	VEC(axis_traffic) traffic;         /* by seconds, largest first */
	VEC(const collective_origin *) origin_of; /* of each collective of the costs; may be NULL */
	VEC(collective_group) groups;      /* likewise, largest first */
	VEC(op_group) operations;         /* without collectives; likewise */
	bool purposes_told;                /* what memory is held for is known */
	purposes purposes;
	int64_t held[PURPOSES], held_on_host[PURPOSES]; /* bytes at the peak; together those of it */
	tensor_groups at_peak;             /* of a device */
	tensor_groups on_host;             /* of the host's memory, at its own peak */
} report;

void report_build(const report_input *in, arena *mem, report *out);
/* Counts together what is alike (groups.c): collectives, operations, tensors at the peak,
 * replicated ones. */
void report_group(arena *mem, report *r);
/* What a tensor alive at the peak is held for; of what is in regions FOR_OTHER. */
static inline purpose report_purpose(const report *r, const live_tensor *t)
{
	return r->purposes_told && t->role != LIVE_INSIDE ? r->purposes.of_value[t->v->id] : FOR_OTHER;
}
void report_text(const report *r, writer *w, bool color);
void report_json(const report *r, writer *w);
/* The figures of the JSON object, into one that is open; `lists`: with what is alive at the peak.
 */
void report_members(const report *r, bool lists, json *j);
/* "moves", "from", "to" and "for" of a collective, as far as they are known. */
void report_origin_members(const collective_origin *o, arena *mem, json *j);
/* "operands", "results", "count", "times", "flops", "bytes", "seconds", "bound". */
void report_operation_members(const op_group *g, arena *mem, json *j);
/* One self-contained page: nothing is loaded from elsewhere. */
void report_html(const report *r, arena *mem, writer *w);
/* The same of two programs, and what differs. */
void report_html_of_both(const report *a, const report *b, arena *mem, writer *w);

/* Why a collective exists (explain_collective.c): `m` is the program as propagation left it,
 * `t` its trail. */
typedef struct collective_why {
	const collective *c;
	const collective_origin *origin; /* NULL: the program asks for it */
	int number;
	explanation has, wants; /* of the value that moves, and of what takes it; `v` may be NULL */
	VEC(explanation) summed; /* operands whose sharding makes the value that moves partial */
} collective_why;
void explain_collective(module *m, trail *t, const collective *c, const collective_origin *origin,
                        int number, arena *mem, collective_why *out);
void explain_collective_text(const collective_why *y, writer *w, bool color);
void explain_collective_json(const collective_why *y, arena *mem, writer *w);

/* Every value of @main with its sharding, as text or JSON (table.c). */
void table_of(const module *m, bool as_json, arena *mem, writer *w);
/* What @main takes and returns, as JSON (signature.c). */
void signature_of(const module *m, arena *mem, writer *w);

/* What changed between two programs of one context (diff.c).  @return whether nothing did. */
bool report_diff(const report *a, const report *b, bool as_json, bool color, arena *mem, writer *w);

/* What to change in a program (report_advice.c). */
typedef struct advice_words {
	const advice_list *r;
	const char *title;
	const target *target;
	bool color;
} advice_words;
void advice_text(const advice_words *p, writer *w);
/* The changes alone; as a member of an object that is open. */
void advice_list_text(const advice_words *p, writer *w);
void advice_members(const advice_list *r, arena *mem, json *j);
void advice_json(const advice_words *p, arena *mem, writer *w);

/* A plan, and what was found on the way (report_plan.c). */
typedef struct plan_words {
	const plan_result *r;
	const char *title, *target; /* of the program, of the machine */
	double seconds;             /* that the search took */
	bool color;
} plan_words;
void plan_text(const plan_words *p, writer *w);
void plan_json(const plan_words *p, arena *mem, writer *w);
/* Its members, into an object that is open. */
void plan_members(const plan_words *p, arena *mem, json *j);
/* As "jax", "dtensor", "specs" or "json" (report_plan_emit.c).  false: there is no such form. */
bool plan_emit(const plan_words *p, const char *form, arena *mem, writer *w);

/* Annotations with what others would cost (report_price.c). */
typedef struct price_words {
	const plan_subject *s;
	const plan_price_list *l;
	arena *mem;
	const char *title, *target;
	int64_t limit; /* bytes of one device */
	bool all;      /* all other shardings, not only the best; JSON has them in any case */
} price_words;
void price_text(const price_words *p, writer *w);
void price_json(const price_words *p, writer *w);

/* Facts about HLO text (report_hlo.c). */
struct hlo_stats;
void report_hlo_text(const struct hlo_stats *s, writer *w);
void report_hlo_json(const struct hlo_stats *s, writer *w);

#endif
