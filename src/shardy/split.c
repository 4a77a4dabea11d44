/* split.c - one file that holds several programs, between lines `// -----`. */
#include "shardy/shardy.h"

static bool is_separator(tess_str rest)
{
	return str_starts(rest, "// -----");
}

static size_t line_length(tess_str rest)
{
	const char *end = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;
	return end ? (size_t)(end - rest.ptr) + 1 : rest.len;
}

bool split_next(tess_str *rest, uint32_t *line, tess_str *chunk, uint32_t *chunk_line)
{
	if (!rest->ptr)
		return false;
	*chunk = (tess_str){rest->ptr, 0};
	*chunk_line = *line;
	while (rest->len) {
		size_t n = line_length(*rest);
		bool separator = is_separator(*rest);
		rest->ptr += n;
		rest->len -= n;
		++*line;
		if (separator)
			return true;
		chunk->len += n;
	}
	rest->ptr = NULL;
	return true;
}
