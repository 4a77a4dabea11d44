/* fuzz_proto.c - any bytes as an HLO proto: HloModuleProto, alone or in one of the protos that
 * contain it.
 *
 * Accepted input can be printed. It is written as a proto that is accepted and written as the same
 * bytes, unless the writer reports that protos cannot express it. It is converted to StableHLO, or
 * there is a diagnostic.
 *
 * Most changes of single bytes make a length wrong, and the reader stops there. So the mutator lets
 * libFuzzer change the contents of one field, and then fixes the lengths around it. */
#include "../support/hlo_read.h"
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/module.h>

/* Returns false, with a diagnostic, if protos cannot express the module. */
static bool write_proto(tess_ctx *ctx, tess_module *m, tess_str *out)
{
	char *bytes = NULL;
	bool written = tess_module_write(m, NULL, &bytes, &out->len) == TESS_OK;
	MUST_OF(ctx, written || tess_diag_errors(ctx) > 0);
	out->ptr = bytes;
	return written;
}

static void same_when_written(tess_ctx *ctx, tess_module *m)
{
	tess_str one, two;
	if (!write_proto(ctx, m, &one))
		return;
	tess_module *again = hlo_read(ctx, one, "again");
	MUST_OF(ctx, again);
	MUST_OF(ctx, write_proto(ctx, again, &two));
	MUST_OF(ctx, one.len == two.len && memcmp(one.ptr, two.ptr, one.len) == 0);
	tess_module_free(again);
	tess_text_free((char *)one.ptr);
	tess_text_free((char *)two.ptr);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tess_ctx *ctx = tess_ctx_new(NULL);
	tess_module *m = hlo_read(ctx, (tess_str){(const char *)data, size}, "fuzz");
	MUST_OF(ctx, m || tess_diag_errors(ctx) > 0);
	if (m) {
		MUST_OF(ctx, lent(tess_hlo_print(m, NULL)).ptr);
		same_when_written(ctx, m);
		if (tess_hlo_to_stablehlo(m, NULL) == TESS_OK)
			lent(tess_module_print(m, NULL));
		else
			MUST_OF(ctx, tess_diag_errors(ctx) > 0);
		tess_module_free(m);
	}
	tess_ctx_free(ctx);
	return 0;
}

#ifdef TESS_FUZZ

/* ---- mutations that keep the proto well-formed ---------------------------------------------- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { CAPACITY = 1 << 16, LEVELS = 12, FIELDS = 4096 };

/* A field that starts at `begin` with its key; its contents start at `body`. */
typedef struct span {
	size_t begin, body, end;
	int bytes; /* is length-delimited: a string, a message, a list */
} span;

static size_t varint_at(const uint8_t *p, size_t n, size_t at, uint64_t *out)
{
	*out = 0;
	for (int shift = 0; at < n && shift < 64; shift += 7) {
		*out |= (uint64_t)(p[at] & 127) << shift;
		if (p[at++] < 128)
			return at;
	}
	return 0;
}

/* Lists the fields of a message; returns 0 if it is not a message, or empty. */
static size_t spans_of(const uint8_t *p, size_t n, span *out)
{
	size_t count = 0;
	for (size_t at = 0; at < n && count < FIELDS;) {
		uint64_t key, length = 0;
		size_t body = varint_at(p, n, at, &key), end = 0;
		if (!body || key < 8)
			return 0;
		if ((key & 7) == 0)
			end = varint_at(p, n, body, &length);
		else if ((key & 7) == 2 && (body = varint_at(p, n, body, &length)) && length <= n - body)
			end = body + (size_t)length;
		else if ((key & 7) == 1 || (key & 7) == 5)
			end = body + ((key & 7) == 1 ? 8 : 4);
		if (!end || end > n)
			return 0;
		out[count++] = (span){at, body, end, (key & 7) == 2};
		at = end;
	}
	return count;
}

static size_t put_bytes(uint8_t *out, size_t at, const uint8_t *p, size_t n)
{
	n = n < CAPACITY - at ? n : CAPACITY - at;
	memcpy(out + at, p, n);
	return at + n;
}

static size_t put_length(uint8_t *out, size_t at, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;
	for (; v > 127; v >>= 7)
		bytes[n++] = (uint8_t)(v | 128);
	bytes[n++] = (uint8_t)v;
	return put_bytes(out, at, bytes, n);
}

static unsigned next_random(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

static size_t change(const uint8_t *p, size_t n, uint8_t *out, int level, unsigned *random);

/* Changes the contents of a field: a nested message, or bytes as libFuzzer does. */
static size_t change_body(const uint8_t *p, size_t n, uint8_t *out, int level, unsigned *random)
{
	span *within = malloc(FIELDS * sizeof *within);
	size_t fields = level < LEVELS ? spans_of(p, n, within) : 0;
	free(within);
	if (fields && next_random(random) % 8)
		return change(p, n, out, level + 1, random);
	size_t most = n + 16 < CAPACITY ? n + 16 : CAPACITY;
	memcpy(out, p, n);
	return LLVMFuzzerMutate(out, n, most);
}

/* Repeats a field, removes it, inserts a copy of another one before it, or changes its contents. */
static size_t change(const uint8_t *p, size_t n, uint8_t *out, int level, unsigned *random)
{
	span *all = malloc(FIELDS * sizeof *all);
	size_t fields = spans_of(p, n, all), at = 0;
	uint8_t *body = malloc(CAPACITY);
	span one = all[next_random(random) % fields], other = all[next_random(random) % fields];
	unsigned what = next_random(random) % 16;
	at = put_bytes(out, at, p, one.begin);
	if (what < 2) /* twice */
		at = put_bytes(out, at, p + one.begin, one.end - one.begin);
	if (what == 3)
		at = put_bytes(out, at, p + other.begin, other.end - other.begin);
	if (what < 4 && what != 2) {
		at = put_bytes(out, at, p + one.begin, one.end - one.begin);
	} else if (what > 3) {
		size_t length = change_body(p + one.body, one.end - one.body, body, level, random);
		uint64_t key;
		size_t behind_key = varint_at(p, n, one.begin, &key);
		at = put_bytes(out, at, p + one.begin, behind_key - one.begin);
		at = one.bytes ? put_length(out, at, length) : at;
		at = put_bytes(out, at, body, length);
	}
	at = put_bytes(out, at, p + one.end, n - one.end);
	free(body);
	free(all);
	return at;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	span *all = malloc(FIELDS * sizeof *all);
	uint8_t *out = malloc(CAPACITY);
	unsigned random = seed;
	size_t n = size < CAPACITY / 2 && spans_of(data, size, all) && next_random(&random) % 16
	                   ? change(data, size, out, 0, &random)
	                   : 0;
	if (n && n <= max_size)
		memcpy(data, out, n);
	else
		n = LLVMFuzzerMutate(data, size, max_size);
	free(out);
	free(all);
	return n;
}

#endif
