/* scan.h - reading a text character by character, for grammars that need no tokens.
 *
 * There are no tokens: a grammar whose every step is decided by one character
 * needs none.  After an error the scan stands at its end, where nothing is
 * accepted, so that no step of the grammar needs a check. */
#ifndef TESS_BASE_SCAN_H
#define TESS_BASE_SCAN_H

#include "base/base.h"

typedef struct scan {
	tess_ctx *ctx;
	source *src;
	const char *at, *end;
	uint32_t last; /* after the last character that was taken */
	bool failed;
} scan;

void scan_begin(scan *s, tess_ctx *ctx, source *src, uint32_t begin);
/* Skips blanks and comments; the next character, or 0 at the end. */
char scan_peek(scan *s);
/* The offset of the next character that is not blank. */
uint32_t scan_here(scan *s);
place scan_since(scan *s, uint32_t begin);
/* Takes the character, if it is next. */
bool scan_accept(scan *s, char c);
void scan_expect(scan *s, char c);
/* Takes a word of letters, digits, '_', '$', '.'; empty if none is next. */
tess_str scan_word(scan *s);
/* Takes this word, if it is next. */
bool scan_accept_word(scan *s, const char *word);
/* "…", a quoted string; NULL after an error.  `what` is named in the error. */
const name *scan_string(scan *s, const char *what);
/* @name or @"name". */
const name *scan_symbol(scan *s);
int64_t scan_integer(scan *s);
/* Ends the scan after an error that was reported elsewhere. */
void scan_stop(scan *s);
/* Reports that `what` was expected and what is there instead; false. */
bool scan_error(scan *s, const char *what);
/* Reports an error of the given code at a range; false. */
bool scan_fail(scan *s, place at, diag_code code, const char *message, tess_str text);

#endif
