/* json_in.h - a JSON parser for tests. */
#ifndef TESS_TEST_JSON_IN_H
#define TESS_TEST_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/core.h>

typedef enum json_kind { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT } json_kind;

typedef struct json_value json_value;
struct json_value {
	json_kind kind;
	bool yes;
	bool is_real; /* a number written with a decimal point */
	double number;
	int64_t integer;
	tess_str text;  /* of a string; `key` is the name of a member */
	tess_str key;   /* in an object */
	json_value *first, *next;
	int n;
};

/* Parses one value. Returns NULL if it is malformed. Release it with json_free(). */
json_value *json_parse(tess_str text);
void json_free(json_value *v);
/* Returns a member of an object, or NULL; v may be NULL. */
const json_value *json_get(const json_value *v, const char *key);
/* Returns the text of a string member; empty if there is none. */
tess_str json_text(const json_value *v, const char *key);
/* Writes the integers of an array member, at most cap. Returns their number, or -1 if it is not an
 * array. */
int json_ints(const json_value *v, const char *key, int64_t *out, int cap);
bool json_yes(const json_value *v, const char *key);

#endif
