/* scan.c - what the two parts of the HloSharding parser share. */
#include "hlo/sharding/scan.h"

int64_t scan_natural(scan *s)
{
	if (scan_peek(s) == '-')
		scan_error(s, "a number that is not negative");
	return s->failed ? 0 : scan_integer(s);
}

/* The keys of an operation's metadata (OpMetadata). */
static bool is_metadata_key(tess_str w)
{
	static const char *const keys[] = {
		"op_type", "op_name", "source_file", "source_line", "source_end_line",
		"source_column", "source_end_column", "profile_type", "deduplicated_name",
		"metadata_payload", "stack_frame_id", "scheduling_name"};
	for (int i = 0; i < COUNT(keys); i++)
		if (str_is(w, keys[i]))
			return true;
	return false;
}

/* After the opening brace: skips strings and balanced braces, up to the closing one. */
static void skip_braces(scan *s)
{
	for (int depth = 1; !s->failed && depth > 0;) {
		char c = scan_peek(s);
		if (c == '"') {
			scan_string(s, "a string");
			continue;
		}
		if (!c)
			scan_error(s, "'}'");
		depth += (c == '{') - (c == '}');
		if (!s->failed)
			s->at++;
	}
}

/* After the opening brace: skips op_name="jit(f)" source_line=3 … '}'. */
static void skip_metadata_fields(scan *s)
{
	while (!s->failed && !scan_accept(s, '}')) {
		tess_str word = scan_word(s);
		if (!is_metadata_key(word)) {
			s->at -= word.len;
			scan_error(s, "a key of metadata, op_name, source_file, source_line, …");
			return;
		}
		scan_expect(s, '=');
		if (scan_peek(s) == '"')
			scan_string(s, "a string");
		else if (scan_accept(s, '{'))
			skip_braces(s);
		else if (scan_peek(s) >= 'A')
			scan_word(s); /* for profile_type */
		else
			scan_integer(s);
	}
}

/* Skips metadata={…} of one operation, or metadata={{…}, {…}} of several. */
void scan_skip_metadata(scan *s)
{
	scan_expect(s, '=');
	scan_expect(s, '{');
	if (scan_peek(s) != '{') {
		skip_metadata_fields(s);
		return;
	}
	do {
		scan_expect(s, '{');
		skip_metadata_fields(s);
	} while (scan_accept(s, ','));
	scan_expect(s, '}');
}
