/* tessera/hlo.h - HLO: XLA's shardings, the text of modules, and conversion to and from StableHLO.
 *
 *     const tess_mesh *mesh = tess_mesh_parse(ctx, tess_str_of("x=2,y=4"), NULL);
 *     tess_str sdy = tess_str_of("[{\"y\"}, {}]");
 *     const tess_sharding *s = tess_sharding_parse(ctx, sdy, NULL, mesh, 2);
 *     tess_str text = tess_hlo_sharding_text(tess_hlo_sharding_from_sdy(ctx, s, mesh));
 *     printf("%.*s\n", (int)text.len, text.ptr);
 *
 *     if (tess_hlo_from_stablehlo(m) == TESS_OK) {
 *             char *hlo = tess_hlo_print(m, NULL);
 *             puts(hlo);
 *             tess_text_free(hlo);
 *     }
 *
 * tess_module_parse() reads HLO; tess_parse_opts.hlo says what it becomes. docs/hlo.md explains the
 * notation and what is converted.
 *
 * Shardings are interned in their context, immutable, and live as long as it. Functions that
 * create return NULL with an error in the context. */
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

/** A sharding in one of XLA's three notations: V1 {devices=[2,4]0,1,2,…}, V2
 *  {devices=[2,4]<=[8]}, V3 {mesh[…], […]}. */
typedef struct tess_hlo_sharding tess_hlo_sharding;

/** The kind of a sharding, as in XLA's OpSharding. */
typedef enum tess_hlo_sharding_kind {
	TESS_HLO_SHARDING_REPLICATED = 0,
	TESS_HLO_SHARDING_MANUAL = 1,
	TESS_HLO_SHARDING_UNREDUCED = 2,
	TESS_HLO_SHARDING_UNKNOWN = 3,
	TESS_HLO_SHARDING_MAXIMAL = 4, /**< whole on one device */
	TESS_HLO_SHARDING_TILED = 5,
	TESS_HLO_SHARDING_TUPLE = 6,
} tess_hlo_sharding_kind;

/** What a dimension of the tiles after those of the tensor means. */
typedef enum tess_hlo_subgroup {
	TESS_HLO_SUBGROUP_MANUAL = 0,
	TESS_HLO_SUBGROUP_UNREDUCED = 1,
	TESS_HLO_SUBGROUP_REPLICATED = 2,
} tess_hlo_subgroup;

/** Parses "{devices=[2,4]<=[8]}", "{mesh['x'=2,'y'=4], [{'x'}, {'y'}]}", "{replicated}",
 *  "{{replicated}, {maximal device=0}}". Two with the same canonical text are the same pointer. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_parse(tess_ctx *ctx, tess_str text);
/** Returns the canonical text, which lives as long as the context. */
TESS_API tess_str tess_hlo_sharding_text(const tess_hlo_sharding *s);
/** Returns the kind; TESS_HLO_SHARDING_UNKNOWN for NULL. */
TESS_API tess_hlo_sharding_kind tess_hlo_sharding_kind_of(const tess_hlo_sharding *s);
/** Returns how many parts a tuple has; 0 for others. */
TESS_API size_t tess_hlo_sharding_part_count(const tess_hlo_sharding *s);
/** Returns part `i` of a tuple; NULL if there is none. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_part(const tess_hlo_sharding *s, size_t i);
/** True if it is written with the axes of a mesh (V3). */
TESS_API bool tess_hlo_sharding_is_named(const tess_hlo_sharding *s);
/** Returns the same sharding as tiles of devices (V1 or V2); itself if it is written so. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_v2(tess_ctx *ctx, const tess_hlo_sharding *s);

/** Gets into how many tiles each dimension is split, subgroups last, for V1 or V2.
 *  @param out gets at most `cap` of them.
 *  @return the number of dimensions; 0 if it is not tiled. */
TESS_API int tess_hlo_sharding_tiles(const tess_hlo_sharding *s, int64_t *out, int cap);
/** Gets the types of the subgroups.
 *  @param out gets at most `cap` of them.
 *  @return how many there are. */
TESS_API size_t tess_hlo_sharding_subgroups(const tess_hlo_sharding *s, tess_hlo_subgroup *out,
                                            size_t cap);
/** Gets the devices in the order of the tiles; for a maximal sharding the one device.
 *  @param out gets at most `cap` of them.
 *  @return how many there are. */
TESS_API size_t tess_hlo_sharding_devices(const tess_hlo_sharding *s, int64_t *out, size_t cap);
/** True if the devices are written as an iota (V2), not as a list (V1). */
TESS_API bool tess_hlo_sharding_is_iota(const tess_hlo_sharding *s);

/** Compares two shardings, however they are written.
 *  @return TESS_OK if the placement is the same and the same dimensions are open; TESS_FAILED if
 *  not; TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_hlo_sharding_same(tess_ctx *ctx, const tess_hlo_sharding *a,
                                            const tess_hlo_sharding *b);
/** Compares the placement only, whatever dimensions are open. */
TESS_API tess_status tess_hlo_sharding_same_placement(tess_ctx *ctx, const tess_hlo_sharding *a,
                                                      const tess_hlo_sharding *b);
/** Returns the shape that each device holds: sizes divided by the tiles and rounded up. It is an
 *  error if the sharding does not fit the shape. */
TESS_API const tess_shape *tess_hlo_sharding_tile_shape(tess_ctx *ctx, const tess_hlo_sharding *s,
                                                        const tess_shape *whole);
/** Gets the elements that a device holds: from begin[d] up to, not including, end[d] of each
 *  dimension.
 *  @return TESS_OK; TESS_FAILED if the device holds nothing or the sharding does not fit;
 *  TESS_NOMEM or TESS_USAGE. */
TESS_API tess_status tess_hlo_sharding_box(tess_ctx *ctx, const tess_hlo_sharding *s,
                                           const tess_shape *whole, int64_t device, int64_t *begin,
                                           int64_t *end);

/** Converts an sdy sharding to tiles (V2, or V1 if its devices are in no regular order).
 *  @param mesh its mesh; NULL: the one that it contains. */
TESS_API const tess_hlo_sharding *tess_hlo_sharding_from_sdy(tess_ctx *ctx,
                                                             const tess_sharding *s,
                                                             const tess_mesh *mesh);
/** Converts a sharding to an sdy sharding with the same placement, which contains its mesh.
 *  @param rank that of the tensor.
 *  @param hint the mesh to use if its axes can express the tiles; may be NULL, except for
 *  {unreduced}. Otherwise the mesh has axes named _axis_0, _axis_1, …, and device ids if the
 *  devices are in no regular order. */
TESS_API const tess_sharding *tess_hlo_sharding_to_sdy(tess_ctx *ctx, const tess_hlo_sharding *s,
                                                       int rank, const tess_mesh *hint);

/* ---- HLO text ------------------------------------------------------------ */

/** True if the module came from HLO and is not yet StableHLO. */
TESS_API bool tess_module_is_hlo(const tess_module *m);

/** The styles in which XLA prints, named as in its HloPrintOptions. */
typedef enum tess_hlo_style {
	TESS_HLO_STYLE_DEFAULT = 0,     /**< as HloModule::ToString() */
	TESS_HLO_STYLE_CANONICAL = 1,   /**< numbers for names; computations inside instructions */
	TESS_HLO_STYLE_FINGERPRINT = 2, /**< the same for equal programs; cannot be parsed */
	TESS_HLO_STYLE_SHORT = 3,       /**< short, but can be parsed */
} tess_hlo_style;

/** How to print HLO. */
typedef struct tess_hlo_print_opts {
	size_t struct_size;
	tess_hlo_style style;
	bool no_metadata;     /**< omits metadata and tables of stack frames */
	bool large_constants; /**< prints every element of every constant */
} tess_hlo_print_opts;
#define TESS_HLO_PRINT_OPTS_INIT {.struct_size = sizeof(tess_hlo_print_opts)}

/** Prints a module of HLO as XLA does.
 *  @return the text, or NULL; with a diagnostic if the module is not HLO. */
TESS_API TESS_GIVE char *tess_hlo_print(tess_module *m, const tess_hlo_print_opts *opts);

/** How to convert HLO. */
typedef struct tess_hlo_convert_opts {
	size_t struct_size;
	/** Converts shardings and meshes to sdy's. Otherwise they stay texts in mhlo.sharding,
	 *  as XLA's own conversion leaves them. True by default. */
	bool sdy;
} tess_hlo_convert_opts;
#define TESS_HLO_CONVERT_OPTS_INIT {.struct_size = sizeof(tess_hlo_convert_opts), .sdy = true}

/** Converts a module of HLO to StableHLO. Computations become functions, the entry becomes @main,
 *  fusions become calls, and asynchronous operations become synchronous ones. Instructions that
 *  StableHLO does not have stay operations of the dialect "hlo". A module that XLA's partitioner
 *  has written is the program of one device: its shardings are dropped.
 *  @return TESS_OK; TESS_INVALID with a diagnostic, with the module unchanged; TESS_NOMEM or
 *  TESS_USAGE. */
TESS_API tess_status tess_hlo_to_stablehlo(tess_module *m, const tess_hlo_convert_opts *opts);

/** Converts a module of StableHLO to HLO. @main becomes the entry; other functions and regions
 *  become computations. Shardings, meshes and manual computations of sdy are kept in the attributes
 *  in which JAX passes them to XLA, so that tess_hlo_to_stablehlo() restores them. A module that is
 *  HLO does not change.
 *  @return TESS_OK; TESS_INVALID with a diagnostic, with the module unchanged; TESS_NOMEM or
 *  TESS_USAGE. */
TESS_API tess_status tess_hlo_from_stablehlo(tess_module *m);

/** Returns statistics of a module of HLO: the opcodes with their counts and bytes, arguments,
 *  results, constants, operations, and every collective with its groups and bytes.
 *  @param json whether as one JSON object.
 *  @return the text, or NULL; with a diagnostic if the module is not HLO. */
TESS_API TESS_GIVE char *tess_hlo_stats(tess_module *m, bool json);

/** What the entry computation costs, counted as XLA's HloCostAnalysis does. */
typedef struct tess_hlo_cost {
	double flops, transcendentals;            /**< operations */
	double bytes;                             /**< read and written by all instructions */
	double operand_bytes[8], operand_uses[8]; /**< of it, of operand 0, 1, … */
	double result_bytes;                      /**< of it, written as results */
} tess_hlo_cost;
/** Gets the costs of a module of HLO.
 *  @return TESS_OK; TESS_INVALID with a diagnostic if the module is not HLO; TESS_NOMEM or
 *  TESS_USAGE. */
TESS_API tess_status tess_hlo_cost_get(tess_module *m, tess_hlo_cost *out);

/** An opcode and how many operands it takes. */
typedef struct tess_hlo_opcode_info {
	const char *name;               /**< "all-reduce" */
	int min_operands, max_operands; /**< max_operands -1: any number */
} tess_hlo_opcode_info;
/** Gets opcode `i` in the order of names; `name` is static.
 *  @return false if `i` is out of range. */
TESS_API bool tess_hlo_opcode_get(size_t i, tess_hlo_opcode_info *out);
/** Returns the name of attribute `i` of an opcode, in the order of printing.
 *  @param opcode NULL: the attributes that every opcode can have.
 *  @param required gets whether the opcode needs it; may be NULL.
 *  @return the name, which is static; NULL if there are no more. */
TESS_API const char *tess_hlo_opcode_attr(const char *opcode, size_t i, bool *required);

#ifdef __cplusplus
}
#endif
#endif
