/* machine.c - finds the machine that a caller names: in the table, or in a file. */
#include "api/machine.h"

#include <unistd.h>

static tess_str names_of(tess_ctx *ctx, const target *rows, int n)
{
	writer w;
	writer_init(&w, &ctx->scratch);
	for (int i = 0; i < n; i++)
		put_f(&w, "%s%s", i ? ", " : "", rows[i].name);
	return writer_str(&w);
}

/* Returns the only row whose name starts like that; NULL if there is none, or several, which are
 * reported. *several says which. */
static const target *begun_machine(tess_ctx *ctx, const target *rows, int n, const char *begin,
                                   bool *several)
{
	arena *mem = &ctx->scratch;
	VEC(target) found = {0};
	const target *last = NULL;
	for (int i = 0; i < n && begin[0]; i++)
		if (str_starts(str_of(rows[i].name), begin)) {
			last = &rows[i];
			vec_push(mem, &found, rows[i]);
		}
	*several = found.len > 1;
	if (*several)
		diag_error(ctx, NOWHERE, E_TARGET, "several targets begin with '%s': %.*s", begin,
		           STR_ARG(names_of(ctx, found.ptr, found.len)));
	return *several ? NULL : last;
}

static tess_status unknown_machine(tess_ctx *ctx, const char *named)
{
	tess_str names = names_of(ctx, target_at(0), target_count());
	diag_error(ctx, NOWHERE, E_TARGET,
	           "there is no target '%s', nor a file of this name; targets are %.*s, or "
	           "FILE:NAME for a table of your own",
	           named, STR_ARG(names));
	return TESS_USAGE;
}

/* Returns the part before the colon, if there is such a file; or everything, if that is a file. */
static const char *path_in(const char *named, arena *mem, const char **name)
{
	const char *colon = strrchr(named, ':');
	*name = NULL;
	if (access(named, F_OK) == 0)
		return named;
	if (!colon || !colon[1])
		return NULL;
	const char *path = arena_str(mem, (tess_str){named, (size_t)(colon - named)}).ptr;
	*name = colon + 1;
	return access(path, F_OK) == 0 ? path : NULL;
}

static tess_status read_machine(tess_ctx *ctx, const char *path, const char *name, arena *mem,
                                machine *out)
{
	tess_status status = file_read(ctx, path, &out->file);
	if (status != TESS_OK)
		return status;
	target_vec rows = {0};
	/* Diagnostics point into the text as long as the context lives. */
	source *src = source_new(ctx, path, arena_str(&ctx->perm, out->file.text));
	if (!target_parse(ctx, src, mem, &rows))
		return TESS_INVALID;
	for (int i = 0; i < rows.len && !out->target; i++)
		if (!name || !strcmp(rows.ptr[i].name, name))
			out->target = &rows.ptr[i];
	bool several = false;
	if (!out->target)
		out->target = begun_machine(ctx, rows.ptr, rows.len, name ? name : "", &several);
	if (!out->target && rows.len && !several)
		diag_error(ctx, NOWHERE, E_TARGET, "%s has no target '%s'; it has %.*s", path, name,
		           STR_ARG(names_of(ctx, rows.ptr, rows.len)));
	else if (!out->target && !several)
		diag_error(ctx, NOWHERE, E_TARGET, "%s has no target: it is empty", path);
	return out->target ? TESS_OK : TESS_USAGE;
}

/* Finds a machine by name, without "/256". */
static tess_status find_named(tess_ctx *ctx, const char *named, arena *mem, machine *out)
{
	const char *name, *path;
	out->target = target_named(named);
	if (out->target)
		return TESS_OK;
	path = path_in(named, mem, &name);
	if (path)
		return read_machine(ctx, path, name, mem, out);
	bool several;
	out->target = begun_machine(ctx, target_at(0), target_count(), named, &several);
	return out->target ? TESS_OK : several ? TESS_USAGE : unknown_machine(ctx, named);
}

/* Returns how many devices fast links join, as in "v5p/256"; 0 if `named` does not say. */
static int64_t devices_joined(const char *named, size_t *name_len)
{
	enum { MOST_DIGITS = 9 };
	const char *slash = strrchr(named, '/');
	size_t digits = slash ? strspn(slash + 1, "0123456789") : 0;
	int64_t n = 0;
	if (!digits || digits > MOST_DIGITS || slash[1 + digits] || access(named, F_OK) == 0)
		return 0;
	for (size_t i = 1; i <= digits; i++)
		n = n * 10 + (slash[i] - '0');
	*name_len = (size_t)(slash - named);
	return n;
}

tess_status machine_find(tess_ctx *ctx, const char *named, arena *mem, machine *out)
{
	size_t len;
	*out = (machine){.target = named ? NULL : target_at(0)};
	int64_t joined = named ? devices_joined(named, &len) : 0;
	if (!named)
		return TESS_OK;
	if (!joined)
		return find_named(ctx, named, mem, out);
	tess_status status = find_named(ctx, arena_str(mem, (tess_str){named, len}).ptr, mem, out);
	if (status != TESS_OK)
		return status;
	target *t = NEW(mem, target);
	*t = *out->target;
	t->node_devices = joined;
	*t = target_with(t, joined);
	writer w;
	writer_init(&w, mem);
	put_f(&w, "%s/%" PRId64, out->target->name, joined);
	t->name = writer_z(&w);
	out->target = t;
	return TESS_OK;
}

void machine_free(tess_ctx *ctx, machine *m) { file_close(ctx, &m->file); }
