/* lent.h - texts of the library, for tests that look at them at once. */
#ifndef TESS_TEST_LENT_H
#define TESS_TEST_LENT_H

#include <tessera/core.h>

/* A text that lives until 32 more have been lent; ptr is NULL if it is. */
static inline tess_str lent(char *text)
{
	static char *texts[32];
	static unsigned n;
	tess_text_free(texts[n % 32]);
	texts[n++ % 32] = text;
	return tess_str_of(text);
}

#endif
