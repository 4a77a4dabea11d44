/* fields.c - converts the attributes of an instruction or operation, field by field. */
#include "hlo/convert/fields.h"

/* The macros used by fields.def. */
#define HLO_FIELD(k, h, ...) {.kind = &field_##k, .hlo = h, .to = {__VA_ARGS__}}
#define WITH_WORD(k, h, a, w) {.kind = &field_##k, .hlo = #h, .to = {N_##a}, .word = w}
#define NOTHING {0}
#define INTS(h, a) HLO_FIELD(ints, #h, N_##a)
#define ONE(h, a) HLO_FIELD(one, #h, N_##a)
#define INT(h, a) HLO_FIELD(int, #h, N_##a)
#define I32(h, a) HLO_FIELD(i32, #h, N_##a)
#define REAL(h, a) HLO_FIELD(real, #h, N_##a)
#define FLAG(h, a) HLO_FIELD(flag, #h, N_##a)
#define TRUE(h, a) HLO_FIELD(true, #h, N_##a)
#define UNIT(h, a) HLO_FIELD(unit, #h, N_##a)
#define STRING(h, a) HLO_FIELD(string, #h, N_##a)
#define WORD(h, a, w) WITH_WORD(word, h, a, w)
#define LOWER(h, a, w) WITH_WORD(lower, h, a, w)
#define PRECISION(h, a) HLO_FIELD(precision, #h, N_##a)
#define PAIRS(h, a) HLO_FIELD(pairs, #h, N_##a)
#define SLICES(h, a, b, c) HLO_FIELD(slices, #h, N_##a, N_##b, N_##c)
#define PADDING(h, a, b, c) HLO_FIELD(padding, #h, N_##a, N_##b, N_##c)
#define STRUCT(a, s, ...)                                                                          \
	{.kind = &field_struct, .hlo = "", .to = {N_##a}, .word = s,                               \
	 .members = (const hlo_field[]){__VA_ARGS__, {0}}}
#define REGION(h, i) {.kind = &field_region, .hlo = #h, .region = i}
#define WINDOW HLO_FIELD(window, "window", N_padding)
#define CONVOLUTION HLO_FIELD(convolution, "window", N_padding)
#define VECTORS HLO_FIELD(vectors, "", 0)
#define ALGORITHM(h, a) HLO_FIELD(algorithm, #h, N_##a)
#define COMPARISON(h, a) HLO_FIELD(comparison, #h, N_##a)
#define LARGEST(h) HLO_FIELD(largest, #h, 0)
#define STABLE(h, a) HLO_FIELD(stable, #h, N_##a)
#define GROUPS HLO_FIELD(groups, "replica_groups", N_replica_groups)
#define CHANNEL HLO_FIELD(channel, "channel_id", N_channel_handle)
#define SPLIT(h) HLO_FIELD(split, #h, N_split_dimension, N_concat_dimension, N_split_count)
#define LAYOUTS(h, a) HLO_FIELD(layouts, #h, N_##a, N_result_layouts)
#define ALIASES(h, a) HLO_FIELD(aliases, #h, N_##a)
#define CALLED(h) HLO_FIELD(called, #h, N_called_computations)
#define LITERAL(h) HLO_FIELD(call_literal, #h, 0)
#define CONFIG(h) HLO_FIELD(config, #h, N_backend_config, N_api_version)

#define FIELDS(name, ...) const hlo_field fields_##name[] = {__VA_ARGS__, {0}};
#include "hlo/convert/fields.def"
#undef FIELDS

bool raise_fields(hlo_raiser *r, const hlo_field *fields, const op *from, op *to)
{
	for (const hlo_field *f = fields; f->kind; f++) {
		if (f->kind->raise) {
			if (!f->kind->raise(r, f, from, to))
				return false;
			continue;
		}
		const attr *a = f->kind->value(r, f, from);
		if (a)
			op_set_attr(r->to, to, f->to[0], a);
	}
	return !r->failed;
}

bool sink_fields(hlo_sinker *l, const hlo_field *fields, const op *o)
{
	for (const hlo_field *f = fields; f->kind; f++)
		if (!f->kind->sink)
			f->kind->put(l, f, o, op_attr(o, f->to[0]));
		else if (!f->kind->sink(l, f, o))
			return false;
	return true;
}

int fields_regions(const hlo_field *fields)
{
	int n = 0;
	for (const hlo_field *f = fields; f->kind; f++)
		n += f->kind == &field_region;
	return n;
}
