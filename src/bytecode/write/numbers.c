/* numbers.c - the format's numbers: the first byte says, by its zeros below the first one, how many more
 * there are. */
#include "bytecode/write/write.h"

char *store_long_number(char *at, uint64_t n)
{
	int more = 1;
	while (more < 8 && n >> (7 * (more + 1)))
		more++;
	if (more == 8)
		*at++ = 0;
	uint64_t v = more == 8 ? n : (n << 1 | 1) << more;
	int bytes = more == 8 ? 8 : more + 1;
	for (int i = 0; i < bytes; i++)
		*at++ = (char)(v >> (8 * i));
	return at;
}

void put_signed(writer *w, int64_t v)
{
	put_number(w, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

size_t put_number_later(writer *w)
{
	size_t at = w->len;
	put_mem(w, "\0\0\0\0\0\0\0\0", 9);
	return at;
}

void patch_number(writer *w, size_t at, uint64_t n)
{
	for (int i = 0; i < 8; i++)
		w->ptr[at + 1 + (size_t)i] = (char)(n >> (8 * i));
}
