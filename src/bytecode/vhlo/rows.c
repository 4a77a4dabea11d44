/* rows.c - the table of VHLO's operations, and version numbers. */
#include "bytecode/vhlo/vhlo.h"

#include <stdlib.h>

#define A(n, h, d) {N_##n, N_##n, VHLO_##h, VHLO_##d, 0}
#define AS(n, to, h, d) {N_##n, N_##to, VHLO_##h, VHLO_##d, 0}
#define IN(n, to) {N_##n, N_##to, VHLO_FIELD, VHLO_NONE, 0}
#define ONLY(form, n, to, h, d) {N_##n, N_##to, VHLO_##h, VHLO_##d, form}
#define FROM2(...) SECOND_##__VA_ARGS__
#define ONLY1(...) FIRST_##__VA_ARGS__
#define SECOND_A(n, h, d) ONLY(2, n, n, h, d)
#define SECOND_IN(n, to) ONLY(2, n, to, FIELD, NONE)
#define FIRST_A(n, h, d) ONLY(1, n, n, h, d)
#define ATTRS(...) (const vhlo_attr[]){__VA_ARGS__, {N_empty, N_empty, VHLO_SAME, VHLO_NONE, 0}}
#define NO_ATTRS (const vhlo_attr[]){{N_empty, N_empty, VHLO_SAME, VHLO_NONE, 0}}

/* By kind; empty for ops that VHLO does not have. */
static const vhlo_row vhlo_rows[OP_COUNT] = {
#define VHLO(kind, name, v1, v2, attrs) [OP_##kind] = {OP_##kind, name, v1, v2, attrs},
#include "bytecode/vhlo/vhlo.def"
};

const vhlo_row *vhlo_row_named(tess_str name, int *form)
{
	size_t base = name.len;
	while (base > 0 && name.ptr[base - 1] >= '0' && name.ptr[base - 1] <= '9')
		base--;
	if (base < 3 || base + 1 != name.len || name.ptr[base - 1] != 'v' || name.ptr[base - 2] != '_')
		return NULL;
	*form = name.ptr[base] - '0';
	name.len = base - 2;
	for (int i = 0; i < COUNT(vhlo_rows); i++) {
		const vhlo_row *row = &vhlo_rows[i];
		if (row->name && str_is(name, row->name))
			return *form == 1 || (*form == 2 && row->v2) ? row : NULL;
	}
	return NULL;
}

const vhlo_row *vhlo_row_of(int kind)
{
	/* func.return ends functions, stablehlo.return other regions; VHLO has one op for both. */
	if (kind == OP_FUNC_RETURN)
		kind = OP_RETURN;
	return vhlo_rows[kind].name ? &vhlo_rows[kind] : NULL;
}

/* ---- versions --------------------------------------------------------------------------- */

vhlo_version vhlo_newest(void) { return (vhlo_version){1, 20, 0}; }

static bool older_than(vhlo_version a, vhlo_version b)
{
	if (a.major != b.major)
		return a.major < b.major;
	return a.minor != b.minor ? a.minor < b.minor : a.patch < b.patch;
}

/* The versions that StableHLO 1.20 supports for readers of that age. */
static const struct {
	const char *word;
	vhlo_version version;
} vhlo_promises[] = {
    {"", {1, 20, 0}},
    {"4w", {1, 18, 0}},
    {"12w", {1, 16, 2}},
    {"min", {0, 9, 0}},
};

static bool three_numbers(const char *text, vhlo_version *out)
{
	int *const to[] = {&out->major, &out->minor, &out->patch};
	for (int i = 0; i < COUNT(to); i++) {
		char *end;
		long v = *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
		if (v < 0 || v > 9999 || *end != (i < 2 ? '.' : 0))
			return false;
		*to[i] = (int)v;
		text = end + 1;
	}
	return true;
}

bool vhlo_version_parse(tess_ctx *ctx, const char *text, vhlo_version *out)
{
	const vhlo_version first = {0, 9, 0}, newest = vhlo_newest();
	for (int i = 0; i < COUNT(vhlo_promises); i++)
		if (!strcmp(text, vhlo_promises[i].word)) {
			*out = vhlo_promises[i].version;
			return true;
		}
	if (!three_numbers(text, out))
		return diag_error(ctx, NOWHERE, E_VERSION,
		                  "'%s' is not a version of StableHLO: write 1.16.0, or 4w, 12w, min",
		                  text);
	if (older_than(*out, first) || older_than(newest, *out))
		return diag_error(ctx, NOWHERE, E_VERSION,
		                  "StableHLO %s is out of range: portable artifacts are written for "
		                  "0.9.0 to %d.%d.%d",
		                  text, newest.major, newest.minor, newest.patch);
	return true;
}
