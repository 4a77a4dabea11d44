/* lent.h - texts from the library, for tests that read them at once. */
#ifndef TESS_TEST_LENT_H
#define TESS_TEST_LENT_H

#include <tessera/core.h>

/* Takes over a text, and keeps it until 32 more were taken over. Its ptr is NULL if `text` is. */
static inline tess_str lent(char *text)
{
	static char *texts[32];
	static unsigned n;
	tess_text_free(texts[n % 32]);
	texts[n++ % 32] = text;
	return tess_str_of(text);
}

#endif
