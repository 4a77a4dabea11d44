/* test_sharding_doc.c - docs/sharding.md is right: every mesh and sharding in its examples, the
 * comments next to them, and the table of errors. */
#include "sharding_fixture.h"

#include <stdlib.h>

static source *doc;
static ptr_map meshes; /* of the current example, by name */

static void open_doc(void)
{
	file_text file;
	assert_int_equal(file_read(ctx, TEST_DATA "/../docs/sharding.md", &file), TESS_OK);
	doc = source_new(ctx, "docs/sharding.md", arena_str(&ctx->perm, file.text));
	file_close(ctx, &file);
}

static uint32_t offset_of(const char *p)
{
	return (uint32_t)(p - doc->text.ptr);
}

/* Returns where `what` is in the line, or NULL. */
static const char *find_in(tess_str line, const char *what)
{
	return memmem(line.ptr, line.len, what, strlen(what));
}

static void read_mesh(tess_str line, const char *at)
{
	uint32_t end;
	const char *symbol = at + strlen("sdy.mesh @"), *stop = strchr(symbol, ' ');
	const name *n = name_of(ctx, (tess_str){symbol, (size_t)(stop - symbol)});
	const mesh *m = mesh_parse(ctx, doc, offset_of(find_in(line, "<")), &end);
	expect_no_errors();
	*ptr_map_at(&meshes, &ctx->perm, n) = (void *)m;
}

/* Reads the numbers of 4x8xf32. */
static int read_dims(const char *p, int64_t *dims)
{
	int rank = 0;
	char *end;
	while (*p >= '0' && *p <= '9') {
		dims[rank++] = strtoll(p, &end, 10);
		p = end + (*end == 'x');
	}
	return rank;
}

enum { MAX_RANK = 4 };
typedef struct example {
	const sharding *s;
	const mesh *m;
	int rank;
	int64_t dims[MAX_RANK];
} example;

static void check_comment(tess_str line, const example *now, const example *before)
{
	const char *each = find_in(line, "// each device: ");
	if (each) {
		int64_t want[MAX_RANK], local[MAX_RANK];
		assert_int_equal(read_dims(each + strlen("// each device: "), want), now->rank);
		sharding_local_shape(now->s, now->m, now->dims, now->rank, local);
		assert_memory_equal(local, want, sizeof(int64_t) * (size_t)now->rank);
	}
	const char *as = find_in(line, "as above");
	if (as)
		assert_int_equal(sharding_same_placement(now->s, now->m, before->s, before->m,
		                                         now->dims, now->rank),
		                 find_in(line, "// as above") != NULL);
}

static void read_sharding(tess_str line, const char *at, example *e)
{
	uint32_t end;
	sharding_places places;
	const char *tensor = find_in(line, "tensor<");
	assert_non_null(tensor);
	e->rank = read_dims(tensor + strlen("tensor<"), e->dims);
	e->s = sharding_parse(ctx, doc, offset_of(at) + (uint32_t)strlen("#sdy.sharding"), &end,
	                      &places);
	expect_no_errors();
	e->m = ptr_map_get(&meshes, e->s->mesh.symbol);
	sharding_verify(ctx, e->s, e->m, e->rank, &places);
	expect_no_errors();
}

static bool next_line(size_t *at, tess_str *line)
{
	const char *begin = doc->text.ptr + *at;
	if (*at >= doc->text.len)
		return false;
	const char *end = memchr(begin, '\n', doc->text.len - *at);
	size_t len = end ? (size_t)(end - begin) : doc->text.len - *at;
	*line = (tess_str){begin, len};
	*at += len + 1;
	return true;
}

static void examples(void **state)
{
	size_t at = 0;
	tess_str line;
	bool inside = false;
	int shardings = 0;
	example now = {0};
	(void)state;
	open_doc();
	while (next_line(&at, &line)) {
		if (str_starts(line, "```")) {
			inside = str_starts(line, "```mlir");
			meshes = (ptr_map){0};
		}
		if (!inside)
			continue;
		const char *mesh_at = find_in(line, "sdy.mesh @"),
			   *s = find_in(line, "#sdy.sharding<");
		if (mesh_at)
			read_mesh(line, mesh_at);
		if (s) {
			example before = now;
			read_sharding(line, s, &now);
			check_comment(line, &now, &before);
			shardings++;
		}
	}
	assert_in_range(shardings, 20, 100);
}

static void check_row(tess_str line)
{
	const char *end = line.ptr + line.len, *text = end;
	int code = atoi(line.ptr + strlen("| E"));
	uint32_t stop;
	sharding_places places;
	const mesh *m = mesh_text("<[\"x\"=8, \"y\"=2, \"z\"=12]>");
	const mesh *one = mesh_text("<[], device_ids=[3]>");
	/* the example is the last text in backquotes */
	for (int quotes = 0; quotes < 2; quotes += *text == '`')
		text--;
	text++;
	if (text[1] == '[') {
		assert_null(mesh_parse(ctx, doc, offset_of(text), &stop));
	} else {
		const sharding *s = sharding_parse(ctx, doc, offset_of(text), &stop, &places);
		const mesh *on = strncmp(text, "<@m,", 4) == 0 ? m : one;
		assert_true(!s || !sharding_verify(ctx, s, on, 1, &places));
	}
	assert_int_equal(diag_errors(ctx), 1);
	assert_int_equal(diag_at(ctx, 0)->code, code);
	diag_clear(ctx);
}

static void table_of_errors(void **state)
{
	size_t at = 0;
	tess_str line;
	int rows = 0;
	(void)state;
	open_doc();
	while (next_line(&at, &line)) {
		if (!str_starts(line, "| E0"))
			continue;
		check_row(line);
		rows++;
	}
	assert_in_range(rows, 26, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(table_of_errors),
	};
	return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
