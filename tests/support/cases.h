/* cases.h - for programs that check recorded cases: a JSON object on each line of a file. A second
 * file lists the expected differences, which are checked as well. */
#ifndef TESS_TEST_CASES_H
#define TESS_TEST_CASES_H

#include "json_in.h"

typedef enum case_outcome { CASE_PASSED, CASE_FAILED, CASE_SKIPPED } case_outcome;

/* Checks one case, and prints what is wrong with it. */
typedef case_outcome case_fn(const json_value *json);

/* Main function of `PROGRAM CASES.jsonl [DIFFERENCES.txt]`: checks all cases, and prints how many
 * passed and failed in total and for each value of the member `group`.
 * @return what main() returns: 0 if at least one passed and none failed */
int cases_main(int argc, char **argv, const char *group, case_fn *check);

/* True if the line is in the file of differences. Lines there that start with "# " are comments. */
bool case_differs(tess_str line);
/* Takes the next line from a text. Returns false at its end. */
bool case_next_line(tess_str *text, tess_str *line);
/* Returns the whole file of cases. */
tess_str cases_text(void);
bool text_is(tess_str a, const char *b);

#endif
