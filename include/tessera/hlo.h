/* tessera/hlo.h - HLO: text of modules, and shardings in XLA's spellings.
 *
 * Shardings belong to a context, live as long as it, and are immutable. */
#ifndef TESSERA_HLO_H
#define TESSERA_HLO_H

#include <tessera/core.h>
#include <tessera/diag.h>
#include <tessera/module.h>
#include <tessera/shape.h>
#include <tessera/sharding.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- HloSharding --------------------------------------------------------- */

typedef struct tess_hlo_sharding tess_hlo_sharding;

typedef enum tess_hlo_sharding_kind {
	TESS_HLO_SHARDING_REPLICATED = 0,
	TESS_HLO_SHARDING_MANUAL = 1,
	TESS_HLO_SHARDING_UNREDUCED = 2,
	TESS_HLO_SHARDING_UNKNOWN = 3,
	TESS_HLO_SHARDING_MAXIMAL = 4, /**< on one device */
	TESS_HLO_SHARDING_TILED = 5,
	TESS_HLO_SHARDING_TUPLE = 6,
} tess_hlo_sharding_kind;

typedef enum tess_hlo_subgroup {
	TESS_HLO_SUBGROUP_MANUAL = 0,
	TESS_HLO_SUBGROUP_UNREDUCED = 1,
	TESS_HLO_SUBGROUP_REPLICATED = 2,
} tess_hlo_subgroup;

/** Parses "{devices=[2,4]<=[8]}", "{mesh['x'=2,'y'=4], [{'x'}, {'y'}]}", "{replicated}",
 *  "{{replicated}, {maximal device=0}}".  Equal canonical texts give the same pointer.
 *  @return NULL once the errors are in the context. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_parse(tess_ctx *ctx, tess_str text);
/** Canonical text; lives as long as the context. */
TESS_API tess_str tess_hlo_sharding_text(const tess_hlo_sharding *s);
/** Of NULL: UNKNOWN. */
TESS_API tess_hlo_sharding_kind tess_hlo_sharding_kind_of(const tess_hlo_sharding *s);
/** Parts of a tuple, 0 for others. */
TESS_API size_t tess_hlo_sharding_part_count(const tess_hlo_sharding *s);
TESS_API const tess_hlo_sharding *tess_hlo_sharding_part(const tess_hlo_sharding *s, size_t i);
/** Spelled with the axes of a mesh (V3). */
TESS_API bool tess_hlo_sharding_is_named(const tess_hlo_sharding *s);
/** The same as tiles of devices (V1 or V2); itself if it is that already. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_v2(tess_ctx *ctx, const tess_hlo_sharding *s);

/** The tiles of a sharding in V1 or V2, subgroups last.
 *  @return how many dimensions; 0 if it is not tiled.  At most `cap` are written. */
TESS_API int tess_hlo_sharding_tiles(const tess_hlo_sharding *s, int64_t *out, int cap);
/** Types of the last dimensions that are subgroups.  @return how many. */
TESS_API size_t tess_hlo_sharding_subgroups(const tess_hlo_sharding *s, tess_hlo_subgroup *out,
                                            size_t cap);
/** Devices in the order of the tiles (one for a maximal sharding).  @return how many. */
TESS_API size_t tess_hlo_sharding_devices(const tess_hlo_sharding *s, int64_t *out, size_t cap);
/** True if the devices are written as an iota (V2), not as a list. */
TESS_API bool tess_hlo_sharding_is_iota(const tess_hlo_sharding *s);

/** Compares two shardings: the same placement, the same dimensions open, however spelled.
 *  @return TESS_OK if so, TESS_FAILED if not, TESS_NOMEM. */
TESS_API tess_status tess_hlo_sharding_same(tess_ctx *ctx, const tess_hlo_sharding *a,
                                            const tess_hlo_sharding *b);
/** The same, whatever dimensions are open. */
TESS_API tess_status tess_hlo_sharding_same_placement(tess_ctx *ctx, const tess_hlo_sharding *a,
                                                      const tess_hlo_sharding *b);
/** The shape that each device holds, rounded up.
 *  @return NULL (with a diagnostic) if the sharding does not fit the shape. */
TESS_API const tess_shape *tess_hlo_sharding_tile_shape(tess_ctx *ctx, const tess_hlo_sharding *s,
                                                        const tess_shape *whole);
/** [begin, end) of what a device holds, one entry for each dimension.
 *  @return TESS_OK, TESS_FAILED if the device holds nothing or the sharding does not fit, or
 *  TESS_NOMEM. */
TESS_API tess_status tess_hlo_sharding_box(tess_ctx *ctx, const tess_hlo_sharding *s,
                                           const tess_shape *whole, int64_t device, int64_t *begin,
                                           int64_t *end);

/** The tiles of an sdy sharding.
 *  @param mesh its mesh; NULL: the inlined one.
 *  @return NULL once the errors are in the context. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_from_sdy(tess_ctx *ctx,
                                                             const tess_sharding *s,
                                                             const tess_mesh *mesh);
/** An sdy sharding of the same placement, with its mesh inlined.
 *  @param rank of the tensor.
 *  @param hint the mesh to use where its axes express the tiles, or NULL.  Elsewhere a
 *  mesh is made of the axes _axis_0, _axis_1, …; devices in no regular order give it
 *  device ids.  {unreduced} needs a mesh.
 *  @return NULL once the errors are in the context. */
TESS_API const tess_sharding *tess_hlo_sharding_to_sdy(tess_ctx *ctx, const tess_hlo_sharding *s,
                                                       int rank, const tess_mesh *hint);

/* ---- HLO text ------------------------------------------------------------ */

/* tess_module_parse() reads HLO: tess_parse_opts.hlo. */
/** True if the module came from HLO and is not yet StableHLO. */
TESS_API bool tess_module_is_hlo(const tess_module *m);

/** XLA's ways to print, by the names of its HloPrintOptions. */
typedef enum tess_hlo_style {
	TESS_HLO_STYLE_DEFAULT = 0,
	TESS_HLO_STYLE_CANONICAL = 1,   /**< names by number, bodies in place */
	TESS_HLO_STYLE_FINGERPRINT = 2, /**< equal for equal programs; cannot be parsed */
	TESS_HLO_STYLE_SHORT = 3,       /**< short, with everything that parsing needs */
} tess_hlo_style;

typedef struct tess_hlo_print_opts {
	size_t struct_size;
	tess_hlo_style style;
	bool no_metadata;     /**< without metadata and tables of frames */
	bool large_constants; /**< every element of every constant */
} tess_hlo_print_opts;
#define TESS_HLO_PRINT_OPTS_INIT {.struct_size = sizeof(tess_hlo_print_opts)}

/** The module as XLA prints it.
 *  @param opts NULL for the defaults.
 *  @return the text, or NULL, with a diagnostic if it is not HLO. */
TESS_API TESS_GIVE char *tess_hlo_print(tess_module *m, const tess_hlo_print_opts *opts);

typedef struct tess_hlo_convert_opts {
	size_t struct_size;
	/** Shardings and meshes as sdy has them.  Without it they stay texts, mhlo.sharding, as
	 *  XLA's own conversion leaves them. */
	bool sdy;
} tess_hlo_convert_opts;
#define TESS_HLO_CONVERT_OPTS_INIT {.struct_size = sizeof(tess_hlo_convert_opts), .sdy = true}

/** Makes StableHLO of a module that came from HLO text.  Computations become functions, the
 *  entry @main; fusions become calls, async operations their synchronous counterparts.
 *  What StableHLO has not stays an operation of the dialect "hlo".  What XLA's partitioner has
 *  made is the program of one device: its shardings are done and dropped.
 *  @param opts NULL for the defaults.
 *  @return TESS_OK, TESS_INVALID (the module is then unchanged), or TESS_NOMEM. */
TESS_API tess_status tess_hlo_to_stablehlo(tess_module *m, const tess_hlo_convert_opts *opts);

/** Makes HLO of StableHLO: @main becomes the entry, other functions and regions become
 *  computations.  Shardings, meshes and manual computations of sdy go along as JAX carries
 *  them, so that tess_hlo_to_stablehlo() finds them again.
 *  @return TESS_OK, TESS_INVALID (the module is then unchanged), or TESS_NOMEM. */
TESS_API tess_status tess_hlo_from_stablehlo(tess_module *m);

/** Opcodes with their counts and bytes, arguments, results, constants, operations, and every
 *  collective with its groups and bytes, as text or as one JSON object.
 *  @return the text, or NULL, with a diagnostic if it is not HLO. */
TESS_API TESS_GIVE char *tess_hlo_stats(tess_module *m, bool json);

/** What the entry computation costs, counted as XLA's HloCostAnalysis does. */
typedef struct tess_hlo_cost {
	double flops, transcendentals;
	double bytes; /**< read and written by all instructions */
	double operand_bytes[8], operand_uses[8]; /**< by the number of the operand */
	double result_bytes;
} tess_hlo_cost;
/** @return TESS_OK, TESS_INVALID if it is no HLO, or TESS_NOMEM. */
TESS_API tess_status tess_hlo_cost_get(tess_module *m, tess_hlo_cost *out);

/** An opcode and what it takes. */
typedef struct tess_hlo_opcode_info {
	const char *name;               /**< "all-reduce" */
	int min_operands, max_operands; /**< max -1: any number */
} tess_hlo_opcode_info;
/** The opcodes, sorted by name.  @return false if `i` is out of range. */
TESS_API bool tess_hlo_opcode_get(size_t i, tess_hlo_opcode_info *out);
/** Attribute `i` of an opcode, in the order of printing.
 *  @param opcode NULL: of every opcode.
 *  @param required may be NULL.  @return NULL: no more. */
TESS_API const char *tess_hlo_opcode_attr(const char *opcode, size_t i, bool *required);

#ifdef __cplusplus
}
#endif
#endif
