/* sharding.c - shardings as xla.OpSharding, which is how JAX asks for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/hlo.h>

#include "plugin.h"
#include "message.h"

enum { TYPE = 1, TILE_DIMS = 3, DEVICES = 4, LAST_REPLICATED = 6, METADATA = 7, LAST_TILES = 8,
       IOTA_RESHAPE = 9, IOTA_TRANSPOSE = 10 };
enum { MAXIMAL = 1, OTHER = 3, MANUAL = 4, UNREDUCED = 6 };

typedef struct numbers {
	int64_t *v;
	size_t n;
} numbers;

/* "[2,1,4]", "(1,0)" or "0,4,1": up to where the numbers end. */
static const char *read_numbers(const char *at, numbers *out)
{
	size_t most = 1;
	for (const char *p = at; *p && *p != '}'; p++)
		most += *p == ',';
	*out = (numbers){malloc(sizeof *out->v * most), 0};
	at += *at == '[' || *at == '(';
	while (out->v && ((*at >= '0' && *at <= '9') || *at == ','))
		if (*at == ',')
			at++;
		else
			out->v[out->n++] = strtoll(at, (char **)&at, 10);
	return at + (*at == ']' || *at == ')');
}

static void put_numbers(message_writer *w, uint32_t field, numbers *n)
{
	w->failed |= !n->v;
	if (n->n)
		message_put_packed(w, field, n->v, n->n);
	free(n->v);
}

/* {devices=[2,1,4]<=[8] last_tile_dim_replicate}, as XLA spells it. */
static void put_tiles(message_writer *w, const char *text)
{
	numbers n;
	const char *at = read_numbers(strstr(text, "devices=") + strlen("devices="), &n);
	put_numbers(w, TILE_DIMS, &n);
	if (strncmp(at, "<=", 2) != 0) {
		read_numbers(at, &n);
		put_numbers(w, DEVICES, &n);
		return;
	}
	at = read_numbers(at + 2, &n);
	size_t n_reshape = n.n;
	put_numbers(w, IOTA_RESHAPE, &n);
	if (*at == 'T') {
		read_numbers(at + 1, &n);
		put_numbers(w, IOTA_TRANSPOSE, &n);
		return;
	}
	int64_t identity[64];
	for (size_t i = 0; i < n_reshape && i < 64; i++)
		identity[i] = (int64_t)i;
	message_put_packed(w, IOTA_TRANSPOSE, identity, n_reshape);
}

static void put_reduction(message_writer *w, tess_reduction reduction)
{
	static const char key[] = "sdy::reduction_op";
	const char *name = reduction == TESS_REDUCTION_MAX   ? "MAX"
	                   : reduction == TESS_REDUCTION_MIN ? "MIN"
	                                                     : "SUM";
	message_writer inner = {0};
	message_put_bytes(&inner, 1, key, strlen(key));
	message_put_bytes(&inner, 2, name, strlen(name));
	message_put_bytes(w, METADATA, inner.bytes, inner.n);
	w->failed |= inner.failed;
	message_free(&inner);
}

static void put_last_tiles(message_writer *w, const char *text)
{
	static const struct {
		const char *word;
		int64_t type;
	} words[] = {{"replicated", 0}, {"manual", MANUAL}, {"unreduced", UNREDUCED}};
	const char *at = strstr(text, "last_tile_dims={");
	int64_t types[8];
	size_t n = 0;
	if (!at)
		return;
	for (at += strlen("last_tile_dims={"); *at && *at != '}' && n < 8;) {
		size_t k = 0;
		while (k < 3 && strncmp(at, words[k].word, strlen(words[k].word)) != 0)
			k++;
		if (k < 3) {
			types[n++] = words[k].type;
			at += strlen(words[k].word);
		} else {
			at++;
		}
	}
	message_put_packed(w, LAST_TILES, types, n);
}

static void put_sharding(message_writer *w, const tess_hlo_sharding *h, const char *text,
                         tess_reduction reduction)
{
	int64_t device = 0;
	switch (tess_hlo_sharding_kind_of(h)) {
	case TESS_HLO_SHARDING_REPLICATED: return;
	case TESS_HLO_SHARDING_MAXIMAL:
		tess_hlo_sharding_devices(h, &device, 1);
		message_put_number(w, TYPE, MAXIMAL);
		message_put_packed(w, TILE_DIMS, (int64_t[]){1}, 1);
		message_put_packed(w, DEVICES, &device, 1);
		return;
	case TESS_HLO_SHARDING_MANUAL: message_put_number(w, TYPE, MANUAL); return;
	case TESS_HLO_SHARDING_UNREDUCED:
		message_put_number(w, TYPE, UNREDUCED);
		put_reduction(w, reduction);
		return;
	default: break;
	}
	message_put_number(w, TYPE, OTHER);
	put_tiles(w, text);
	if (strstr(text, "last_tile_dim_replicate"))
		message_put_number(w, LAST_REPLICATED, 1);
	if (strstr(text, "unreduced"))
		put_reduction(w, reduction);
	put_last_tiles(w, text);
}

char *sharding_bytes(tess_ctx *ctx, const tess_sharding *s, const tess_mesh *mesh, size_t *n)
{
	message_writer w = {0};
	const tess_hlo_sharding *h = s ? tess_hlo_sharding_from_sdy(ctx, s, mesh) : NULL;
	if (h) {
		tess_str text = tess_hlo_sharding_text(h);
		char *z = malloc(text.len + 1);
		if (z) {
			memcpy(z, text.ptr, text.len);
			z[text.len] = 0;
			put_sharding(&w, h, z, tess_sharding_reduction(s));
		}
		free(z);
	}
	*n = w.failed ? 0 : w.n;
	return (char *)(w.bytes ? w.bytes : calloc(1, 1));
}

/* ---- reading ------------------------------------------------------------------------------------ */

static bool read_packed(const message_reader *r, int64_t *v, size_t room, size_t *n)
{
	message_reader inner = message_open(r->bytes, r->n);
	if (!r->bytes) { /* a single number needs no packing */
		if (*n < room)
			v[(*n)++] = (int64_t)r->number;
		return true;
	}
	while (inner.at < inner.end && !inner.failed && *n < room)
		v[(*n)++] = (int64_t)message_varint(&inner);
	return !inner.failed && inner.at == inner.end;
}

static void print_numbers(FILE *f, const char *open, const int64_t *v, size_t n, const char *close)
{
	fputs(open, f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, i ? ",%lld" : "%lld", (long long)v[i]);
	fputs(close, f);
}

/* The lists of an OpSharding, by their fields. */
typedef struct op_sharding {
	int64_t type;
	bool last_replicated, bad;
	size_t n[IOTA_TRANSPOSE + 1];
	int64_t *v[IOTA_TRANSPOSE + 1];
} op_sharding;

static op_sharding op_sharding_read(const char *bytes, size_t n)
{
	op_sharding s = {0};
	message_reader r = message_open(bytes, n);
	while (message_next(&r)) {
		switch (r.field) {
		case TYPE: s.type = (int64_t)r.number; break;
		case LAST_REPLICATED: s.last_replicated = r.number; break;
		case TILE_DIMS:
		case DEVICES:
		case LAST_TILES:
		case IOTA_RESHAPE:
		case IOTA_TRANSPOSE:
			if (!s.v[r.field])
				s.v[r.field] = malloc(sizeof **s.v * (r.n + 64));
			s.bad |= !s.v[r.field] || !read_packed(&r, s.v[r.field], r.n + 64,
			                                       &s.n[r.field]);
			break;
		default: break; /* metadata */
		}
	}
	s.bad |= r.failed;
	return s;
}

static void print_last_tiles(FILE *f, const op_sharding *s)
{
	for (size_t i = 0; i < s->n[LAST_TILES]; i++) {
		int64_t t = s->v[LAST_TILES][i];
		fprintf(f, "%s%s", i ? ", " : " last_tile_dims={",
		        t == MANUAL ? "manual" : t == UNREDUCED ? "unreduced" : "replicated");
	}
	if (s->n[LAST_TILES])
		fputs("}", f);
}

/* As XLA spells it, which the library reads. */
static void op_sharding_print(FILE *f, const op_sharding *s)
{
	if (s->type != OTHER) {
		if (s->type == MAXIMAL && s->n[DEVICES])
			fprintf(f, "{maximal device=%lld}", (long long)s->v[DEVICES][0]);
		else
			fputs(s->type == MANUAL ? "{manual}" : "{replicated}", f);
		return;
	}
	print_numbers(f, "{devices=[", s->v[TILE_DIMS], s->n[TILE_DIMS], "]");
	if (s->n[IOTA_RESHAPE]) {
		print_numbers(f, "<=[", s->v[IOTA_RESHAPE], s->n[IOTA_RESHAPE], "]");
		if (s->n[IOTA_RESHAPE] > 1)
			print_numbers(f, "T(", s->v[IOTA_TRANSPOSE], s->n[IOTA_TRANSPOSE], ")");
	} else {
		print_numbers(f, "", s->v[DEVICES], s->n[DEVICES], "");
	}
	if (s->last_replicated)
		fputs(" last_tile_dim_replicate", f);
	print_last_tiles(f, s);
	fputs("}", f);
}

const tess_sharding *sharding_read(tess_ctx *ctx, const char *bytes, size_t n, int rank,
                                   const tess_mesh *mesh)
{
	op_sharding s = op_sharding_read(bytes, n);
	const tess_hlo_sharding *h = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *f = s.bad ? NULL : open_memstream(&text, &len);
	if (f) {
		op_sharding_print(f, &s);
		if (fclose(f) == 0)
			h = tess_hlo_sharding_parse(ctx, (tess_str){text, len});
	}
	free(text);
	for (int i = 0; i < COUNT(s.v); i++)
		free(s.v[i]);
	return h ? tess_hlo_sharding_to_sdy(ctx, h, rank, mesh) : NULL;
}

/* ---- the extension ------------------------------------------------------------------------------ */

/* One for each; NULL where there is none at all: a list without entries is refused by callers. */
static PJRT_Error *shardings_of(const port *ports, int n, const char ***kept, size_t **sizes,
                                PJRT_Shardings_Executable_Shardings_Args *args)
{
	if (!*kept && n) {
		const char **all = malloc(sizeof *all * (size_t)n);
		size_t *bytes = malloc(sizeof *bytes * (size_t)n);
		if (!all || !bytes) {
			free(all);
			free(bytes);
			return error_no_memory();
		}
		for (int i = 0; i < n; i++) {
			all[i] = ports[i].sharding;
			bytes[i] = ports[i].sharding_size;
		}
		*kept = all;
		*sizes = bytes;
	}
	args->num_shardings = (size_t)n;
	args->shardings = *kept;
	args->sharding_sizes = *sizes;
	return NULL;
}

static PJRT_Error *parameter_shardings(PJRT_Shardings_Executable_Shardings_Args *args)
{
	PJRT_Executable *x = args->executable;
	return shardings_of(x->arguments, x->n_arguments, &x->argument_shardings,
	                    &x->argument_sharding_sizes, args);
}

static PJRT_Error *output_shardings(PJRT_Shardings_Executable_Shardings_Args *args)
{
	PJRT_Executable *x = args->executable;
	return shardings_of(x->results, x->n_results, &x->result_shardings,
	                    &x->result_sharding_sizes, args);
}

PJRT_Shardings_Extension shardings_extension = {
    .base = {sizeof shardings_extension, PJRT_Extension_Type_Shardings, NULL},
    .parameter_shardings = parameter_shardings,
    .output_shardings = output_shardings,
};
