/* cases.h - the programs that check recorded cases: a JSON object on each line of a file, and
 * lines of differences, which are checked, too. */
#ifndef TESS_TEST_CASES_H
#define TESS_TEST_CASES_H

#include "json_in.h"

typedef enum case_outcome { CASE_PASSED, CASE_FAILED, CASE_SKIPPED } case_outcome;

/* Checks one case, and prints what is wrong with it. */
typedef case_outcome case_fn(const json_value *json);

/* `PROGRAM CASES.jsonl [DIFFERENCES.txt]`: checks all cases and prints how many passed and failed
 * of each group, which is the value of this member, and of all.
 * @return what main() returns: 0 if none failed and one passed */
int cases_main(int argc, char **argv, const char *group, case_fn *check);

/* Whether this line stands among the differences; "# " begins a reason. */
bool case_differs(tess_str line);
/* Takes the next line off a text; false at its end. */
bool case_next_line(tess_str *text, tess_str *line);
/* The whole file of cases. */
tess_str cases_text(void);
bool text_is(tess_str a, const char *b);

#endif
