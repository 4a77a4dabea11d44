/* proto.h - what the reader and writer of HLO protos share. Internal to hlo/proto.
 *
 * The reader produces the same IR as the text parser: the value of an attribute is written as text
 * and parsed by text/attr.c, so that there is one canonical form. Shapes and elements are converted
 * directly. The writer parses the same texts. text/attrs.def says which field of
 * HloInstructionProto an attribute is. */
#ifndef TESS_HLO_PROTO_PROTO_H
#define TESS_HLO_PROTO_PROTO_H

#include "hlo/proto/wire.h"

/* Fields of HloInstructionProto that the code names; those of other attributes are in
 * hlo/text/attrs.def. */
enum {
	INSTRUCTION_NAME = 1,
	INSTRUCTION_OPCODE = 2,
	INSTRUCTION_SHAPE = 3,
	INSTRUCTION_LITERAL = 8,
	INSTRUCTION_PARAMETER = 9,
	INSTRUCTION_DIMENSIONS = 14,
	INSTRUCTION_DOT = 30,
	INSTRUCTION_GATHER = 33,
	INSTRUCTION_ID = 35,
	INSTRUCTION_OPERANDS = 36,
	INSTRUCTION_CONTROLS = 37,
	INSTRUCTION_CALLED = 38,
	INSTRUCTION_SCATTER = 48,
	INSTRUCTION_OLD_GROUPS = 49,
	INSTRUCTION_DOMAIN = 54,
	INSTRUCTION_CONSTRAIN_LAYOUT = 56,
	INSTRUCTION_TRIANGULAR_SOLVE = 59,
	INSTRUCTION_REPLICATION = 61,
	INSTRUCTION_CHOLESKY = 62,
	INSTRUCTION_RNG_ALGORITHM = 70,
	INSTRUCTION_COMPARISON_TYPE = 72,
	INSTRUCTION_THREAD = 79,
	INSTRUCTION_STATISTICS = 82,
	INSTRUCTION_GROUPS = 87,
	INSTRUCTION_ORIGIN = 88,
	INSTRUCTION_RAGGED_DOT = 90,
	INSTRUCTION_IOTA_GROUPS = 92,
	INSTRUCTION_MESH_GROUPS = 93,
};

enum { RAGGED_DOT_NUMBERS = 1, CHOLESKY_LOWER = 1 }; /* in these messages of an instruction */

enum { /* of HloModuleProto */
       MODULE_NAME = 1,
       MODULE_ENTRY_NAME = 2,
       MODULE_COMPUTATIONS = 3,
       MODULE_PROGRAM_SHAPE = 4,
       MODULE_ID = 5,
       MODULE_ENTRY = 6,
       MODULE_SCHEDULE = 7,
       MODULE_ALIASES = 8,
       MODULE_FRAMES = 17,
       MODULE_DONORS = 18,
       MODULE_FRONTEND = 19,
};
enum { /* of HloComputationProto */
       COMPUTATION_NAME = 1,
       COMPUTATION_INSTRUCTIONS = 2,
       COMPUTATION_SHAPE = 4,
       COMPUTATION_ID = 5,
       COMPUTATION_ROOT = 6,
       COMPUTATION_FUSED = 7,
       COMPUTATION_THREAD = 8,
};

/* True if the bytes are an HloModuleProto (read.c). */
bool proto_is_module(arena *mem, tess_str bytes);

/* The state of writing. */
typedef struct proto_writer {
	tess_ctx *ctx;
	const module *m;
	arena *mem;
	ptr_map ids;     /* instruction -> its id */
	ptr_map numbers; /* computation -> its id */
	ptr_map fused;   /* computations that a fusion calls */
	ptr_map starts;  /* stage of an asynchronous operation -> its start */
	int64_t last_id, last_number;
	writer sequences; /* of computations that are not in the module */
	bool failed;
} proto_writer;

/* Reports that protos cannot express something of an instruction. */
void proto_refuse(proto_writer *p, const op *o, const char *fmt, ...) PRINTF(3, 4);
writer proto_part(proto_writer *p); /* a nested message */

/* ---- shapes and elements (data.c) ------------------------------------------------- */

const shape *proto_shape(proto_reader *p, const wire_message *m); /* NULL after an error */
const attr *proto_literal(proto_reader *p, const wire_message *m, const shape *s);
void put_proto_shape_field(proto_writer *p, writer *w, uint32_t number, const shape *s);
/* Returns false if the text left elements out. */
bool put_proto_literal(tess_ctx *ctx, writer *w, const attr *literal, const shape *s);

/* ---- shardings (sharding.c) ------------------------------------------------------- */

/* Writes an OpSharding as text. */
void proto_sharding_text(proto_reader *p, const wire_message *m, writer *w);
void proto_mesh_text(proto_reader *p, const wire_message *mesh, writer *w);
/* Writes the axes of this mesh in field `number` of a message. */
void proto_axes_text(proto_reader *p, const wire_message *mesh, const wire_message *m,
                     uint32_t number, writer *w);
void put_proto_sharding(tess_ctx *ctx, writer *w, const hlo_sharding *s);
void put_proto_mesh(writer *w, const mesh *m, bool iota_ids);
void put_proto_axes(writer *w, uint32_t number, const mesh *m, axis_list l);

/* ---- stack frames (frames.c) ---------------------------------------------------------------- */

void read_proto_frames(proto_reader *p, const wire_message *tables);
void put_proto_frames(proto_writer *p, writer *w, uint32_t number, tess_str text);

/* ---- original values (origin.c) ------------------------------------------------------------- */

void proto_origin_text(proto_reader *p, const wire_message *m, writer *w);
void put_proto_origin(proto_writer *p, writer *w, uint32_t number, tess_str text);

/* ---- attributes ------------------------------------------------------------------- */

/* Returns the field of the message that holds the attribute, and its field there; 0: it is a field
 * of the instruction itself. attrs.def has one place for each name, but some opcodes have messages
 * of their own. */
static inline uint32_t proto_outer_field(const hlo_opcode *row, const hlo_attribute *a,
                                         uint32_t *inner)
{
	*inner = a->field[1];
	if (a->field[0] == INSTRUCTION_GATHER && strcmp(row->opcode, "scatter") == 0)
		return INSTRUCTION_SCATTER;
	if (a->field[0] != INSTRUCTION_TRIANGULAR_SOLVE || strcmp(row->opcode, "cholesky") != 0)
		return a->field[0];
	*inner = CHOLESKY_LOWER;
	return INSTRUCTION_CHOLESKY;
}
/* Writes the text of an instruction's attribute; returns false if it is absent. */
bool proto_attr_text(proto_reader *p, const hlo_opcode *row, const hlo_attribute *a, bool required,
                     const wire_message *o, writer *w);
void proto_dictionary_text(proto_reader *p, const wire_message *m, writer *w);

/* Write the attributes of the opcode, and those that every instruction may have (write_attrs.c). */
void put_proto_attrs(proto_writer *p, const op *o, const hlo_opcode *row, writer *w);
void put_proto_common(proto_writer *p, const op *o, writer *w);
void put_proto_dictionary(proto_writer *p, writer *w, uint32_t number, tess_str text);
/* Of the module: { {0}: (0, {}, may-alias) } and { (0, {}) }. */
void put_proto_aliases(proto_writer *p, writer *w, uint32_t number, tess_str text);
void put_proto_donors(proto_writer *p, writer *w, uint32_t number, tess_str text);

#endif
