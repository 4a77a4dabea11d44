/* options.c - one parser for the command lines of all subcommands. */
#include "tess.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t text_distance(const char *a, size_t len, const char *b)
{
	enum { LONGEST = 64 };
	size_t row[LONGEST + 1], m = strlen(b);
	if (m > LONGEST || len > LONGEST)
		return LONGEST;
	for (size_t k = 0; k <= m; k++)
		row[k] = k;
	for (size_t i = 1; i <= len; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t k = 1; k <= m; k++) {
			size_t change = diagonal + (a[i - 1] != b[k - 1]);
			diagonal = row[k];
			size_t one = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
			row[k] = change < one ? change : one;
		}
	}
	return row[m];
}

int usage_error(const command *self, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fprintf(stderr, "tess %s: ", self->name);
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\nusage: tess %s %s\n`tess help %s` explains it\n", self->name,
	        self->args, self->name);
	va_end(ap);
	return EXIT_USAGE;
}

/* The lines of `text`, each after `indent` spaces but the first. */
static void put_indented(const char *text, int indent, FILE *to)
{
	for (const char *s = text; *s; s++) {
		fputc(*s, to);
		if (*s == '\n')
			fprintf(to, "%*s", indent, "");
	}
}

static void print_option(const option *o, FILE *to)
{
	enum { COLUMN = 30 };
	int n = fprintf(to, "  %s%s", o->name[1] ? "--" : "-", o->name);
	if (o->arg)
		n += fprintf(to, " %s", o->arg);
	fprintf(to, "%*s", n < COLUMN ? COLUMN - n : 2, "");
	put_indented(o->help, COLUMN, to);
	fputc('\n', to);
}

void command_help(const command *self, const option *table, int n, FILE *to)
{
	fprintf(to, "tess %s - %s\n\nusage: tess %s %s\n\n%s", self->name, self->summary,
	        self->name, self->args, self->about);
	if (n)
		fprintf(to, "\noptions:\n");
	for (int i = 0; i < n; i++)
		print_option(&table[i], to);
	fprintf(to, "\nexamples:\n%s\nexit status:\n  ", self->examples);
	put_indented(self->status, 2, to);
	fputs("\n  2    the command line is wrong\n  130  ended by Ctrl-C\n", to);
}

static const option *find_option(const options *o, const char *name, size_t len)
{
	for (int i = 0; i < o->n; i++)
		if (strlen(o->table[i].name) == len && memcmp(o->table[i].name, name, len) == 0)
			return &o->table[i];
	return NULL;
}

enum { MOST_THREADS = 4096 };

static const char *number_wanted(option_kind kind)
{
	switch (kind) {
	case OPTION_COUNT: return "a number, at least 0";
	case OPTION_POSITIVE: return "a number, at least 1";
	case OPTION_THREADS: return "a number from 0 to 4096";
	case OPTION_BYTES: return "bytes, as in 500kB, 72GB or 64GiB";
	default: return "a number";
	}
}

/* "72GB", "500e6", "64GiB". */
static bool parse_bytes(const char *text, int64_t *bytes)
{
	static const struct {
		const char *unit;
		double bytes;
	} units[] = {{"", 1},         {"B", 1},         {"kB", 1e3},       {"MB", 1e6},
	             {"GB", 1e9},     {"TB", 1e12},     {"KiB", 1 << 10},  {"MiB", 1 << 20},
	             {"GiB", 1 << 30}, {"TiB", 0x1p40}};
	char *end;
	double n = strtod(text, &end);
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (end != text && !strcmp(end, units[i].unit) && n >= 0 && n * units[i].bytes < 1e18) {
			*bytes = (int64_t)(n * units[i].bytes);
			return true;
		}
	return false;
}

static bool set_option(const option *o, const char *value)
{
	char *end = NULL;
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)o->to = true;
		return true;
	case OPTION_TEXT:
		*(const char **)o->to = value;
		return true;
	case OPTION_COUNT:
	case OPTION_POSITIVE:
	case OPTION_THREADS:
	case OPTION_INT:
		errno = 0;
		*(int64_t *)o->to = strtoll(value, &end, 10);
		return !errno && *value && !*end &&
		       (o->kind == OPTION_INT || *(int64_t *)o->to >= (o->kind == OPTION_POSITIVE)) &&
		       (o->kind != OPTION_THREADS || *(int64_t *)o->to <= MOST_THREADS);
	case OPTION_BYTES:
		return parse_bytes(value, o->to);
	case OPTION_LIST: {
		text_list *list = o->to;
		list->ptr[list->n++] = value;
		return true;
	}
	}
	return false;
}

static int unknown_option(const options *o, const char *given, size_t len)
{
	const char *name = given + strspn(given, "-"), *nearest = NULL;
	size_t least = len < 4 ? 2 : 3; /* two letters of three are another word */
	for (int i = 0; i < o->n; i++) {
		size_t d = text_distance(name, len, o->table[i].name);
		if (d < least && strlen(o->table[i].name) > 2) {
			least = d;
			nearest = o->table[i].name;
		}
	}
	const char *other = o->other_like ? o->other_like(name, len, least) : NULL;
	if (other)
		return usage_error(o->self, "unknown option %s; did you mean -%s?", given, other);
	return nearest ? usage_error(o->self, "unknown option %s; did you mean --%s?", given, nearest)
	               : usage_error(o->self, "unknown option %s", given);
}

/* One argument that begins with a dash.  *i moves over a separate value. */
static int parse_option(options *o, int argc, char **argv, int *i)
{
	const char *name = argv[*i] + (argv[*i][1] == '-' ? 2 : 1);
	const char *equals = strchr(name, '='), *value = equals ? equals + 1 : NULL;
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	if (len == 4 && strncmp(name, "help", 4) == 0) {
		if (!value)
			command_help(o->self, o->table, o->n, stdout);
		else if (strcmp(value, "man") == 0)
			command_man(o->self, o->table, o->n, stdout);
		else if (strcmp(value, "options") == 0)
			command_options(o->table, o->n, stdout);
		else
			return usage_error(o->self, "--help=%s: expected man or options",
			                   value);
		return EXIT_DONE;
	}
	if (strcmp(argv[*i], "-h") == 0) {
		command_help(o->self, o->table, o->n, stdout);
		return EXIT_DONE;
	}
	const option *known = find_option(o, name, len);
	if (!known) {
		char *copy = strndup(name, len);
		bool taken = copy && o->other && o->other(o->user, copy, value);
		free(copy);
		return taken ? -1 : unknown_option(o, argv[*i], len);
	}
	if (known->kind == OPTION_FLAG && value)
		return usage_error(o->self, "--%s takes no value", known->name);
	if (known->kind != OPTION_FLAG && !value) {
		if (*i + 1 >= argc)
			return usage_error(o->self, "%s needs a value: %s", argv[*i], known->arg);
		value = argv[++*i];
	}
	if (!set_option(known, value))
		return usage_error(o->self, "--%s %s: expected %s", known->name, value,
		                   number_wanted(known->kind));
	return -1;
}

/* Room for as many values as there can be. */
static bool reserve_lists(options *o, int argc)
{
	o->files = calloc((size_t)argc + 1, sizeof *o->files);
	for (int i = 0; i < o->n; i++)
		if (o->table[i].kind == OPTION_LIST) {
			text_list *list = o->table[i].to;
			list->ptr = calloc((size_t)argc + 1, sizeof *list->ptr);
			if (!list->ptr)
				return false;
		}
	return o->files != NULL;
}

int options_parse(options *o, int argc, char **argv)
{
	if (!reserve_lists(o, argc))
		return usage_error(o->self, "out of memory");
	bool only_files = false;
	for (int i = 0; i < argc; i++) {
		if (!only_files && strcmp(argv[i], "--") == 0) {
			only_files = true;
		} else if (!only_files && argv[i][0] == '-' && argv[i][1]) {
			int status = parse_option(o, argc, argv, &i);
			if (status >= 0)
				return status;
		} else {
			o->files[o->n_files++] = argv[i];
		}
	}
	if (o->n_files < o->min_files)
		return usage_error(o->self,
		                   o->n_files ? "another FILE is missing" : "a FILE is missing");
	if (o->n_files > o->max_files)
		return usage_error(o->self, "unexpected argument: %s", o->files[o->max_files]);
	return -1;
}

void options_free(options *o)
{
	free(o->files);
	for (int i = 0; i < o->n; i++)
		if (o->table[i].kind == OPTION_LIST)
			free(((text_list *)o->table[i].to)->ptr);
}
