/* cases.c - reads files of recorded cases, and counts the results. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 100 };

static tess_str cases, differences; /* one file per process */

static tess_str read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) != 0) {
		perror(path);
		exit(2);
	}
	long size = ftell(f);
	rewind(f);
	char *text = malloc((size_t)size + 1);
	size_t got = fread(text, 1, (size_t)size, f);
	text[got] = 0;
	fclose(f);
	return (tess_str){text, got};
}

tess_str cases_text(void) { return cases; }

bool text_is(tess_str a, const char *b)
{
	return a.len == strlen(b) && memcmp(a.ptr, b, a.len) == 0;
}

bool case_next_line(tess_str *text, tess_str *line)
{
	if (!text->len)
		return false;
	const char *end = memchr(text->ptr, '\n', text->len);
	*line = (tess_str){text->ptr, end ? (size_t)(end - text->ptr) : text->len};
	size_t used = line->len + (end != NULL);
	text->ptr += used;
	text->len -= used;
	return true;
}

bool case_differs(tess_str wanted)
{
	tess_str rest = differences, line;
	while (case_next_line(&rest, &line))
		if (line.len && line.len == wanted.len && line.ptr[0] != '#' &&
		    memcmp(line.ptr, wanted.ptr, line.len) == 0)
			return true;
	return false;
}

/* ---- results by group ----------------------------------------------------------------------- */

typedef struct tally {
	char group[64];
	int count[3];
} tally;

/* The last tally collects all groups for which there is no room. */
static tally *tally_of(tally *t, int *n, tess_str group)
{
	for (int i = 0; i < *n; i++)
		if (text_is(group, t[i].group) || i == GROUPS - 1)
			return &t[i];
	snprintf(t[*n].group, sizeof t[*n].group, "%.*s", (int)group.len, group.ptr);
	return &t[(*n)++];
}

static void print_tally(const tally *t)
{
	printf("%-26s %4d passed %4d failed", t->group, t->count[CASE_PASSED],
	       t->count[CASE_FAILED]);
	if (t->count[CASE_SKIPPED])
		printf(" %4d skipped", t->count[CASE_SKIPPED]);
	printf("\n");
}

int cases_main(int argc, char **argv, const char *group, case_fn *check)
{
	static tally tallies[GROUPS];
	int total[3] = {0}, n = 0;
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: %s CASES.jsonl [DIFFERENCES.txt]\n", argv[0]);
		return 2;
	}
	cases = read_file(argv[1]);
	differences = argc > 2 ? read_file(argv[2]) : (tess_str){"", 0};
	for (tess_str rest = cases, line; case_next_line(&rest, &line);) {
		json_value *json = json_parse(line);
		case_outcome o = json ? check(json) : CASE_FAILED;
		tally_of(tallies, &n, group ? json_text(json, group) : (tess_str){"", 0})
			->count[o]++;
		total[o]++;
		json_free(json);
	}
	for (int i = 0; i < n && group; i++)
		print_tally(&tallies[i]);
	printf("%d passed, %d failed", total[CASE_PASSED], total[CASE_FAILED]);
	printf(total[CASE_SKIPPED] ? ", %d skipped\n" : "\n", total[CASE_SKIPPED]);
	free((char *)cases.ptr);
	if (argc > 2)
		free((char *)differences.ptr);
	return total[CASE_FAILED] > 0 || total[CASE_PASSED] == 0;
}
