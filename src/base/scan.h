/* scan.h - reads a text character by character, for grammars that need no tokens, because one
 * character decides every step.
 *
 * After an error the scan is at its end, where nothing is accepted, so that no step of a grammar
 * needs a check. */
#ifndef TESS_BASE_SCAN_H
#define TESS_BASE_SCAN_H

#include "base/base.h"

/* Differences between the grammars. */
typedef struct scan_rules {
	diag_code syntax, number; /* codes of errors */
	const char *in_words;     /* besides letters, digits and '_'; "->" ends a word */
	bool words_start_anyhow;  /* with a digit, too, or one of `in_words` */
	bool block_comments;
	bool hexadecimal;         /* 0x10 is a number */
} scan_rules;

typedef struct scan {
	tess_ctx *ctx;
	source *src;
	const scan_rules *rules;
	const char *at, *end;
	uint32_t last; /* after the last consumed character */
	bool failed;
} scan;

/* With the rules of MLIR's attributes. */
void scan_begin(scan *s, tess_ctx *ctx, source *src, uint32_t begin);
/* Skips blanks and comments; returns the next character, or 0 at the end. */
char scan_peek(scan *s);
/* Returns the offset of the next character that is not blank. */
uint32_t scan_here(scan *s);
static inline uint32_t scan_offset(const scan *s) { return (uint32_t)(s->at - s->src->text.ptr); }
place scan_since(const scan *s, uint32_t begin);
/* Returns the place of the next word or character, for errors. */
place scan_next(scan *s);
/* Consumes the character if it is next. */
bool scan_accept(scan *s, char c);
void scan_expect(scan *s, char c);
/* Consumes these characters if they are next. */
bool scan_accept_text(scan *s, const char *token);
void scan_expect_text(scan *s, const char *token);
/* Consumes a word of letters, digits, '_' and what the rules say; empty if there is none. */
tess_str scan_word(scan *s);
/* Consumes this word if it is next. */
bool scan_accept_word(scan *s, const char *word);
/* "…", a quoted string; NULL after an error, which mentions `what`. */
const name *scan_string(scan *s, const char *what);
/* @name or @"name". */
const name *scan_symbol(scan *s);
int64_t scan_integer(scan *s);
/* Continues at this offset, since something else has read what comes before. */
void scan_go(scan *s, uint32_t at);
/* Records that everything up to here is consumed. */
static inline void scan_took(scan *s) { s->last = scan_offset(s); }
/* Ends the scan after an error that was reported elsewhere. */
void scan_stop(scan *s);
/* Reports that `what` was expected, and what was found; returns false. */
bool scan_error(scan *s, const char *what);
/* Reports an error at a range; returns false. */
bool scan_fail(scan *s, place at, diag_code code, const char *message, tess_str text);

#endif
