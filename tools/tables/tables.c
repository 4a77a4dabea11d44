/* tables.c - texts made from the tables of operations (src/op, …) and passes.
 *
 *   tables WHAT [FILE]
 *
 * WHAT is ops.md (what is known of each operation), passes.md (passes and their options) or
 * dictionary (words for fuzzers).  With FILE,
 * writes nothing and exits with 1 if the file's text is another one: `ninja tables` brings the
 * files up to date. */
#include "tables.h"

#include <stdlib.h>

static const char *const name_texts[] = {
#define NAME(id, text) text,
#include "base/names.def"
#undef NAME
};

const char *name_text(int known) { return name_texts[known]; }

bool word_at(const char *words, int i, word *out)
{
	if (!words)
		return false;
	while (*words == ' ')
		words++;
	for (; i > 0 && *words; i--) {
		words += strcspn(words, " ");
		words += strspn(words, " ");
	}
	size_t len = strcspn(words, " ");
	if (!len)
		return false;
	out->many = words[len - 1] == '*';
	len -= out->many || words[len - 1] == '=';
	snprintf(out->text, sizeof out->text, "%.*s", (int)len, words);
	return true;
}

int word_count(const char *words)
{
	word w;
	int n = 0;
	while (word_at(words, n, &w))
		n++;
	return n;
}

const char *dialect_of(int kind, size_t *len)
{
	*len = strcspn(op_kind_name(kind), ".");
	return op_kind_name(kind);
}

static const char *const dialects[] = {"stablehlo", "chlo", "sdy", "func", "builtin",
                                       "check", "interpreter", "arith", "tensor", "shape"};

static int dialect_rank(int kind)
{
	size_t len;
	const char *name = dialect_of(kind, &len);
	for (int i = 0; i < COUNT(dialects); i++)
		if (strlen(dialects[i]) == len && !memcmp(dialects[i], name, len))
			return i;
	return COUNT(dialects);
}

static int kind_cmp(const void *x, const void *y)
{
	int a = *(const int *)x, b = *(const int *)y;
	if (dialect_rank(a) != dialect_rank(b))
		return dialect_rank(a) - dialect_rank(b);
	return strcmp(op_kind_name(a), op_kind_name(b));
}

int kinds_by_name(int *kinds)
{
	int n = 0;
	for (int k = 1; k < OP_COUNT; k++)
		kinds[n++] = k;
	qsort(kinds, (size_t)n, sizeof *kinds, kind_cmp);
	return n;
}

typedef struct table_text {
	const char *what;
	void (*write)(FILE *f);
} table_text;

static const table_text table_texts[] = {
    {"ops.md", write_docs},
    {"passes.md", write_passes},
    {"dictionary", write_dictionary},
};

static bool same_text(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "rb");
	size_t at = 0;
	bool same = f != NULL;
	for (int c; same && (c = getc(f)) != EOF; at++)
		same = at < len && text[at] == (char)c;
	if (f)
		fclose(f);
	return same && at == len;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < COUNT(table_texts) && argc > 1; i++) {
		if (strcmp(argv[1], table_texts[i].what) != 0)
			continue;
		if (argc < 3) {
			table_texts[i].write(stdout);
			return 0;
		}
		char *text = NULL;
		size_t len = 0;
		FILE *f = open_memstream(&text, &len);
		table_texts[i].write(f);
		fclose(f);
		bool same = same_text(argv[2], text, len);
		free(text);
		if (!same)
			fprintf(stderr, "%s is not what the tables say: run `ninja tables`\n",
			        argv[2]);
		return !same;
	}
	fprintf(stderr, "usage: tables ops.md|passes.md|dictionary [FILE]\n");
	return 2;
}
