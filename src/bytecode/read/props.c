/* props.c - reads the attributes of an operation from its properties.
 *
 * Since version 5, an operation's inherent attributes are not in its dictionary: they are attribute
 * numbers, in the order of their names; an optional one has a presence flag in its lowest bit. The
 * rows of op/ops.def, or of VHLO's table, have the names. Since version 6, the sizes of an
 * operation's operand groups are plain numbers, after the rest. */
#include "bytecode/read/read.h"

static void push(bytecode *b, named_attrs *out, int known, const attr *a)
{
	vec_push(b->mem, out, (named_attr){name_known(b->ctx, known), a});
}

/* Reads all sizes, or those that are not zero with their indices. */
static const attr *bytes_read_sizes(bytecode *b, bytes *s, int n)
{
	enum { MOST = 8 };
	int64_t v[MOST] = {0};
	bool sparse;
	uint64_t count = bytes_flagged(b, s, &sparse), bits = sparse ? bytes_number(b, s) : 0;
	if (count > MOST || bits > 8)
		bytes_fail_at(b, s->at, E_BYTECODE, "there are %" PRIu64 " sizes of groups", count);
	for (uint64_t i = 0; i < count && !b->failed; i++) {
		uint64_t item = bytes_number(b, s), at = sparse ? item & ((1u << bits) - 1) : i;
		if (at >= MOST || item >> bits > INT32_MAX)
			bytes_fail_at(b, s->at, E_BYTECODE, "there is no group of number %" PRIu64
			                                    ", or none of its size", at);
		else
			v[at] = (int64_t)(item >> bits);
	}
	int32_t narrow[MOST];
	for (int i = 0; i < MOST; i++)
		narrow[i] = (int32_t)v[i];
	if (!sparse)
		n = (int)count < MOST ? (int)count : MOST;
	return attr_of(b->ctx, &(attr){.kind = AT_DENSE_ARRAY,
	                               .type = type_scalar(b->ctx, DT_I32),
	                               .n = n,
	                               .data = narrow,
	                               .data_len = sizeof *narrow * (size_t)n});
}

/* The number of groups: two in chlo.scan, three in branches. */
static int groups_of(int kind) { return kind == OP_CHLO_SCAN ? 2 : 3; }

static int count_numbers(bytes s)
{
	int n = 0;
	for (; s.at < s.end; n++) {
		int more = 8;
		if (*s.at)
			for (more = 0; !(*s.at >> more & 1); more++)
				;
		s.at = s.end - s.at <= more ? s.end : s.at + more + 1;
	}
	return n;
}

/* Bytecode that is not an artifact does not give its version of StableHLO; writers before 1.20 have
 * one attribute fewer for collective_broadcast. */
static bool is_left_out(const attr_row *row, bool fewer)
{
	return fewer && row->name == N_has_dynamic_root;
}

static void known_properties(bytecode *b, const op_entry *e, bytes *s, named_attrs *out)
{
	property_rows p = code_property_rows(b->ctx, e->kind, b->version);
	bool fewer = !p.n_sizes && count_numbers(*s) < p.n;
	for (int i = 0; i < p.n; i++) {
		bool there = true;
		if (is_left_out(p.rows[i], fewer))
			continue;
		uint64_t number = p.rows[i]->needed ? bytes_number(b, s) : bytes_flagged(b, s, &there);
		if (there && !b->failed)
			push(b, out, p.rows[i]->name, entry_attr(b, number));
	}
	for (int i = 0; i < p.n_sizes; i++)
		push(b, out, p.sizes[i]->name, bytes_read_sizes(b, s, groups_of(e->kind)));
	/* Absent attributes that only newer writers know. */
	while (s->at < s->end && *s->at == 1)
		s->at++;
}

static void vhlo_properties(bytecode *b, const op_entry *e, bytes *s, named_attrs *out)
{
	for (const vhlo_attr *a = e->vhlo->attrs; a->name != N_empty; a++)
		if (vhlo_has(a, e->vhlo_number))
			push(b, out, a->name, entry_attr(b, bytes_number(b, s)));
}

void properties_read(bytecode *b, const op_entry *e, bytes s, named_attrs *out)
{
	b->here = s.at;
	if (e->vhlo)
		vhlo_properties(b, e, &s, out);
	else if (e->kind != OP_UNKNOWN)
		known_properties(b, e, &s, out);
	if (!b->failed && s.at != s.end)
		bytes_fail_at(b, s.at, E_BYTECODE,
		              "the properties of %s have bytes left: they are of another version",
		              e->name->s);
}
