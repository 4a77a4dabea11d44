/* test_hlo_tables.c - rows of the tables of HLO are where searches find them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hlo/text/text.h"

static int words_of(const char *s)
{
	int n = *s != 0;
	for (; *s; s++)
		n += *s == ' ';
	return n;
}

static void test_opcodes(void **state)
{
	(void)state;
	const hlo_opcode *row;
	int i = 0;
	for (; (row = hlo_opcode_at(i)); i++) {
		const char *stage;
		int flags, n = 0;
		if (hlo_opcode_find(str_of(row->opcode), &stage) != row)
			fail_msg("%s is not in its place", row->opcode);
		while (hlo_opcode_attr(row, n, &flags))
			n++;
		if (n != words_of(row->attrs))
			fail_msg("%s has an attribute that is not in its place, or none",
			         row->opcode);
	}
	assert_true(i > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opcodes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
