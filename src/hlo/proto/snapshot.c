/* snapshot.c - reads the arrays in a snapshot: a program's arguments and results.
 *
 *   HloSnapshot            1 HloProto, 2 LiteralProto of each argument, 3 that of the result
 *   HloUnoptimizedSnapshot 1 HloModuleProto, 2 HloInputs of each partition: 1 LiteralProto of
 *                          each argument
 *
 * Tuples are split, as in the converted program. */
#include "hlo/proto/proto.h"

typedef struct snapshot_reader {
	proto_reader p;
	hlo_array_taker *take;
	void *user;
	int n_in, n_out;
} snapshot_reader;

static void give_array(snapshot_reader *r, const attr *a, bool out)
{
	for (int i = 0; a->kind == AT_ARRAY && i < a->n; i++)
		give_array(r, a->list[i], out);
	if (a->kind == AT_DENSE)
		r->take(r->user, arena_printf(r->p.mem, out ? "out%d" : "in%d",
		                              out ? r->n_out++ : r->n_in++), a);
}

/* Reads each literal in field `number`. */
static void read_literals(snapshot_reader *r, const wire_message *m, uint32_t number, bool out)
{
	proto_reader *p = &r->p;
	for (const wire_field *f = NULL; !p->r.s.failed && (f = wire_next(m, number, f));) {
		wire_message literal = wire_read(p, f->bytes), shape_message = wire_sub(p, &literal, 1);
		const shape *s = proto_shape(p, &shape_message);
		const attr *a = s ? proto_literal(p, &literal, s) : NULL;
		if (a)
			give_array(r, a, out);
	}
}

static void read_partitions(snapshot_reader *r, const wire_message *m)
{
	const wire_field *first = wire_next(m, 2, NULL);
	if (first && wire_next(m, 2, first)) {
		proto_fail(&r->p, first->bytes.ptr,
		           "the snapshot has the arguments of several partitions: only those of one can be read");
		return;
	}
	wire_message inputs = wire_sub(&r->p, m, 2);
	read_literals(r, &inputs, 1, false);
}

bool hlo_snapshot_arrays(tess_ctx *ctx, source *src, hlo_array_taker *take, void *user)
{
	snapshot_reader *r = NEW(&ctx->scratch, snapshot_reader);
	proto_reader *p = &r->p;
	*r = (snapshot_reader){.take = take, .user = user};
	*p = (proto_reader){.r = hlo_reader_of(ctx, source_new(ctx, src->name, STR(""))),
	                    .name = src->name,
	                    .begin = src->text.ptr,
	                    .mem = &ctx->scratch};
	wire_message m = wire_read(p, src->text);
	bool none = proto_is_module(p->mem, src->text) || (!wire_find(&m, 2) && !wire_find(&m, 3));
	if (none && !p->r.s.failed)
		proto_fail(p, src->text.ptr, "the proto has no arrays: it is not a snapshot");
	if (p->r.s.failed)
		return false;
	if (proto_is_module(p->mem, wire_bytes(&m, 1))) {
		read_partitions(r, &m);
	} else {
		read_literals(r, &m, 2, false);
		read_literals(r, &m, 3, true);
	}
	return !p->r.s.failed;
}
