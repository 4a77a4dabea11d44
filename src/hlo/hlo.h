/* hlo.h - the interface of hlo: XLA's shapes and layouts, HLO text and protos, HloSharding, and
 * conversion between HLO and StableHLO.
 *
 * shape/ has shapes and layouts, sharding/ XLA's shardings; text/ reads and prints HLO, proto/
 * reads and writes its protos; convert/ converts to and from StableHLO. No layer below the commands
 * needs this folder: -DTESS_HLO=OFF builds a library without it. */
#ifndef TESS_HLO_HLO_H
#define TESS_HLO_HLO_H

#include "hlo/shape/shape.h"
#include "hlo/sharding/sharding.h"
#include "op/op.h"

/* Parses HLO text; NULL with errors in the context. The text must live as long as the source is
 * used for diagnostics. The module has ops "hlo.…": see hlo/text/text.h. */
module *hlo_parse(tess_ctx *ctx, source *src);
/* The same for a proto: HloModuleProto, HloProto, HloSnapshot, … (proto/read.c). */
module *hlo_of_proto(tess_ctx *ctx, source *src);
bool hlo_is_proto(tess_ctx *ctx, tess_str text);
/* Passes the arguments of a snapshot, in0, in1, …, and its results, out0, out1, …, to `take`.
 * Returns false, after a diagnostic, if it is damaged or has none. */
typedef void hlo_array_taker(void *user, const char *name, const attr *elements);
bool hlo_snapshot_arrays(tess_ctx *ctx, source *src, hlo_array_taker *take, void *user);
/* Writes an HloModuleProto. Returns false, after a diagnostic, for what protos cannot hold, such as
 * constants whose elements the text left out. */
bool hlo_write_proto(writer *w, const module *m);
/* True for a module with such ops. */
bool hlo_is_module(const module *m);
/* True if the text starts with the word HloModule, which means nothing in MLIR. */
bool hlo_is_text(tess_ctx *ctx, tess_str text);

typedef struct hlo_print_opts {
	bool ids, percent, signatures;
	bool operand_shapes, operand_index; /* operand_shapes: of each operand; operand_index:
	                                     * comments that number operands */
	bool metadata, backend_config, control_predecessors;
	bool large_constants, essential_constants;
	bool canonical_names; /* tmp_0, tmp_1, … */
	bool full_bodies;     /* print computations where they are called, too */
} hlo_print_opts;
/* XLA's HloPrintOptions: Default(), Canonical(), Fingerprint(), ShortParsable(). */
#define HLO_PRINT_DEFAULT                                                                          \
	{.ids = true, .percent = true, .signatures = true, .operand_index = true,                  \
	 .metadata = true, .backend_config = true, .control_predecessors = true}
#define HLO_PRINT_CANONICAL                                                                        \
	{.ids = true, .operand_shapes = true, .canonical_names = true, .full_bodies = true}
#define HLO_PRINT_FINGERPRINT                                                                      \
	{.operand_shapes = true, .canonical_names = true, .full_bodies = true,                     \
	 .essential_constants = true}
#define HLO_PRINT_SHORT {.ids = true, .backend_config = true, .large_constants = true}
void hlo_print(writer *w, const module *m, const hlo_print_opts *opts);

typedef struct hlo_raise_opts {
	bool sdy; /* convert shardings to sdy's, instead of keeping them as texts */
	const attr_texts *texts; /* how to parse what is embedded in HLO as MLIR text */
} hlo_raise_opts;
/* Returns a new StableHLO module; NULL after an error. */
module *hlo_to_stablehlo(const module *m, const hlo_raise_opts *opts);

/* Converts shardings given as texts, mhlo.sharding and xla.sdy.sharding, to sdy's, if the program
 * has no mesh. `text` is what it was read from. Returns false with an error in the context. */
bool module_take_texts(module *m, tess_str text, const attr_texts *texts);

/* Converts to HLO, as far as it has the operations; NULL after an error. */
module *hlo_of_stablehlo(const module *m, const attr_texts *texts);

/* Opcodes and attributes (hlo/text/ops.def, hlo/text/attrs.def). */

typedef enum hlo_infer {
	HLO_INFER_none, HLO_INFER_like0, HLO_INFER_like1, HLO_INFER_token, HLO_INFER_pred0,
	HLO_INFER_complex, HLO_INFER_part, HLO_INFER_concatenate, HLO_INFER_dot, HLO_INFER_s32,
	HLO_INFER_u32, HLO_INFER_element, HLO_INFER_reduce, HLO_INFER_slice, HLO_INFER_sort,
	HLO_INFER_transpose, HLO_INFER_tuple,
} hlo_infer;

typedef enum hlo_work {
	HLO_WORK_nothing, HLO_WORK_moves, HLO_WORK_each, HLO_WORK_transcendental, HLO_WORK_dot,
	HLO_WORK_convolution, HLO_WORK_reduce,
} hlo_work;

typedef struct hlo_opcode {
	const char *opcode;
	int min, max; /* number of operands; max -1: any */
	hlo_infer infer;
	hlo_work work;
	const char *attrs;
} hlo_opcode;

typedef enum hlo_form {
	HLO_FORM_accuracy, HLO_FORM_aliases, HLO_FORM_boolean, HLO_FORM_braces, HLO_FORM_comparison,
	HLO_FORM_computation, HLO_FORM_computations, HLO_FORM_config, HLO_FORM_dictionary,
	HLO_FORM_groups, HLO_FORM_integer, HLO_FORM_integers, HLO_FORM_labels, HLO_FORM_literal,
	HLO_FORM_metadata, HLO_FORM_number, HLO_FORM_order, HLO_FORM_padding, HLO_FORM_pairs,
	HLO_FORM_precisions, HLO_FORM_predecessors, HLO_FORM_shape, HLO_FORM_shapes,
	HLO_FORM_sharding, HLO_FORM_sizes, HLO_FORM_slices, HLO_FORM_text, HLO_FORM_window,
	HLO_FORM_word,
} hlo_form;

typedef struct hlo_attribute {
	const char *name;
	hlo_form form;
	const char *initial; /* default value, not printed; "" for none */
	uint32_t field[2];   /* of HloInstructionProto; 0: none */
} hlo_attribute;

/* Finds an opcode. An async "all-to-all-start", "-update" or "-done" is found by the opcode it
 * starts; *stage is then "start", "update" or "done", else "". */
const hlo_opcode *hlo_opcode_at(int i); /* sorted; NULL: no more */
const hlo_opcode *hlo_opcode_find(tess_str opcode, const char **stage);
const hlo_attribute *hlo_attribute_find(tess_str name); /* of some opcode, or common */
enum { HLO_ATTR_REQUIRED = 1, HLO_ATTR_NEW = 2 };
/* Returns the i-th attribute of an opcode, in printing order; NULL: no more. */
const hlo_attribute *hlo_opcode_attr(const hlo_opcode *o, int i, int *flags);
const hlo_attribute *hlo_common_attr(int i); /* NULL: no more */
/* Returns the words of an enum, separated by blanks; NULL: it is not an enum. */
const char *hlo_attribute_words(const char *name);

/* ---- statistics of HLO (hlo/text/cost.c, hlo/text/stats.c) ---------------------------------- */

enum { HLO_COST_OPERANDS = 8 };

/* Counted like XLA's HloCostAnalysis. */
typedef struct hlo_cost {
	double flops, transcendentals;
	double bytes; /* read and written */
	double operand_bytes[HLO_COST_OPERANDS], operand_uses[HLO_COST_OPERANDS];
	double result_bytes;
} hlo_cost;

typedef struct hlo_collective {
	const op *o;
	const name *computation;
	const char *opcode; /* without -start */
	int64_t n_groups, group_size; /* group_size 0: all devices are one group; -1: groups differ
	                               * in size */
	tess_str groups;              /* as printed; source_target_pairs of a permute */
	int64_t bytes, result_bytes;  /* on one device */
	int64_t channel;              /* 0: none */
	double times;                 /* executions per step; unknown trip counts count as 1 */
	tess_str op_name;             /* of the metadata, without quotes */
} hlo_collective;

typedef struct hlo_opcode_count {
	const char *opcode;
	int64_t n, bytes; /* n: instructions; bytes: of their results */
} hlo_opcode_count;

typedef struct hlo_stats {
	int64_t n_computations, n_instructions;
	int64_t argument_bytes, result_bytes, constant_bytes;
	VEC(hlo_opcode_count) opcodes; /* by name */
	VEC(hlo_collective) collectives;
	hlo_cost cost;
	int unknown_loops; /* number of loops whose trip count the text does not give */
} hlo_stats;

/* Computes the statistics of an HLO module, in `mem`. */
void hlo_stats_of(const module *m, arena *mem, hlo_stats *out);

#endif
