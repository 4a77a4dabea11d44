/* hlo_cases_text.c - checks of HLO text. */
#include "../../support/hlo_read.h"
#include "../../support/lent.h"
#include "hlo_cases.h"

static tess_str printed(tess_module *m, tess_hlo_style style, bool large, bool no_metadata)
{
	tess_hlo_print_opts opts = TESS_HLO_PRINT_OPTS_INIT;
	opts.style = style;
	opts.large_constants = large;
	opts.no_metadata = no_metadata;
	return lent(tess_hlo_print(m, &opts));
}

/* The first line in which two texts differ. */
static bool same_text(hlo_case *c, const char *what, tess_str got, tess_str want)
{
	size_t i = 0, line = 0;
	while (i < got.len && i < want.len && got.ptr[i] == want.ptr[i]) {
		if (got.ptr[i] == '\n')
			line = i + 1;
		i++;
	}
	if (i == got.len && i == want.len)
		return true;
	tess_str g = {got.ptr + line, got.len - line}, w = {want.ptr + line, want.len - line};
	const char *end = memchr(g.ptr, '\n', g.len);
	g.len = end ? (size_t)(end - g.ptr) : g.len;
	end = memchr(w.ptr, '\n', w.len);
	w.len = end ? (size_t)(end - w.ptr) : w.len;
	return unlike(c, what, g, w);
}

/* ---- opcodes ------------------------------------------------------------------ */

static const char *find_opcode(tess_str name)
{
	tess_hlo_opcode_info info;
	for (size_t i = 0; tess_hlo_opcode_get(i, &info); i++)
		if (name.len == strlen(info.name) && memcmp(name.ptr, info.name, name.len) == 0)
			return info.name;
	return NULL;
}

/* Attributes that came after the record was made. */
static bool is_newer(const char *attr)
{
	static const char *const newer[] = {"block_scaling_config", "has_dynamic_root",
	                                    "is_stable", "order"};
	for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
		if (strcmp(attr, newer[i]) == 0)
			return true;
	return false;
}

static bool has_text(const json_value *list, const char *text)
{
	for (const json_value *v = list->first; v; v = v->next)
		if (v->text.len == strlen(text) && memcmp(v->text.ptr, text, v->text.len) == 0)
			return true;
	return false;
}

static bool check_attrs_of(hlo_case *c, const char *opcode)
{
	const json_value *want = json_get(c->json, "attrs");
	const char *attr;
	int n = 0;
	if (!want || want->kind != J_ARRAY)
		return true; /* XLA was not asked, as it needs computations there */
	for (size_t k = 0; (attr = tess_hlo_opcode_attr(opcode, k, NULL)); k++) {
		if (has_text(want, attr))
			n++;
		else if (!is_newer(attr))
			return unlike(c, "attribute", (tess_str){attr, strlen(attr)},
			              (tess_str){"none", 4});
	}
	return n == want->n || unlike_number(c, "number of attributes", n, want->n);
}

bool check_attrs(hlo_case *c)
{
	const char *opcode = find_opcode(json_text(c->json, "opcode"));
	return !opcode ? unlike_number(c, "known opcodes", 0, 1) : check_attrs_of(c, opcode);
}

bool check_common_attrs(hlo_case *c) { return check_attrs_of(c, NULL); }

/* ---- modules ---------------------------------------------------------------------- */

/* XLA makes up what a dump left out; tessera keeps {...}.  Copies `want` with the elements
 * of every constant replaced. */
static tess_str without_elements(tess_str want, char *out, size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < want.len && n + 16 < room;) {
		static const char word[] = "constant({";
		if (want.len - i > strlen(word) && memcmp(want.ptr + i, word, strlen(word)) == 0) {
			const char *end = memchr(want.ptr + i, '}', want.len - i);
			n += (size_t)snprintf(out + n, room - n, "constant({...}");
			i = (size_t)(end - want.ptr) + 1;
			continue;
		}
		out[n++] = want.ptr[i++];
	}
	return (tess_str){out, n};
}

static bool check_style(hlo_case *c, tess_module *m, const char *key, tess_hlo_style style,
                        bool large)
{
	static char buf[1 << 16];
	tess_str want = json_text(json_get(c->json, "ok"), key),
		 input = json_text(c->json, "input");
	bool elided = strstr(input.ptr, "{...}") != NULL;
	if (elided)
		want = without_elements(want, buf, sizeof buf);
	return same_text(c, key, printed(m, style, large, false), want);
}

/* Parsing what was printed, and printing it, changes nothing. */
static bool check_fixpoint(hlo_case *c, tess_module *m)
{
	tess_str first = printed(m, TESS_HLO_STYLE_DEFAULT, true, false);
	tess_module *again = hlo_read(c->ctx, first, "again");
	if (!again)
		return unlike(c, "printed text", (tess_str){"refused", 7}, first);
	bool ok = same_text(c, "text printed again",
	                    printed(again, TESS_HLO_STYLE_DEFAULT, true, false), first);
	tess_module_free(again);
	return ok;
}

static bool check_module_text(hlo_case *c, tess_module *m)
{
	return check_style(c, m, "default", TESS_HLO_STYLE_DEFAULT, false) &&
	       check_style(c, m, "canonical", TESS_HLO_STYLE_CANONICAL, false) &&
	       check_style(c, m, "fingerprint", TESS_HLO_STYLE_FINGERPRINT, false) &&
	       check_style(c, m, "short_parsable", TESS_HLO_STYLE_SHORT, false) &&
	       check_style(c, m, "large_constants", TESS_HLO_STYLE_DEFAULT, true) &&
	       check_fixpoint(c, m);
}

bool check_module(hlo_case *c)
{
	const json_value *ok = json_get(c->json, "ok");
	tess_module *m = hlo_read(c->ctx, json_text(c->json, "input"), "input");
	bool good;
	if (!ok || c->differs)
		good = is_refused(c, m != NULL);
	else if (!m)
		good = unlike(c, "module", lent(tess_diag_render(c->ctx, false)),
		              (tess_str){"accepted", 8});
	else
		good = check_module_text(c, m);
	tess_module_free(m);
	return good;
}

/* Text that jaxlib printed stays as it is. */
static bool check_kept(hlo_case *c, const char *key, tess_hlo_style style)
{
	tess_str text = json_text(c->json, key);
	tess_module *m = hlo_read(c->ctx, text, key);
	bool cut_off = text.len && text.ptr[text.len - 1] != '\n'; /* by what made the record */
	if (!m && cut_off)
		return is_refused(c, false);
	if (!m)
		return unlike(c, key, lent(tess_diag_render(c->ctx, false)),
		              (tess_str){"accepted", 8});
	bool ok = same_text(c, key, printed(m, style, false, false), text);
	tess_module_free(m);
	return ok;
}

bool check_jax_module(hlo_case *c)
{
	return check_kept(c, "pre", TESS_HLO_STYLE_SHORT) &&
	       check_kept(c, "post", TESS_HLO_STYLE_DEFAULT);
}

/* The schedule is the order of the text of a scheduled module. */
bool check_schedule(hlo_case *c)
{
	tess_module *m = hlo_read(c->ctx, json_text(c->json, "input"), "input");
	const json_value *names = json_get(c->json, "names");
	if (!m)
		return unlike(c, "module", (tess_str){"refused", 7}, (tess_str){"accepted", 8});
	tess_str text = printed(m, TESS_HLO_STYLE_SHORT, false, false);
	const char *end = text.ptr + text.len, *at = memchr(text.ptr, '{', text.len);
	bool scheduled = memmem(text.ptr, text.len, "is_scheduled=true", 17) != NULL;
	bool ok = scheduled == (names != NULL) ||
	          unlike_number(c, "being scheduled", scheduled, !scheduled);
	for (const json_value *v = names ? names->first : NULL; ok && v; v = v->next) {
		char want[80];
		snprintf(want, sizeof want, " %.*s = ", (int)v->text.len, v->text.ptr);
		at = memmem(at, (size_t)(end - at), want, strlen(want));
		ok = at || unlike(c, "place in the schedule", (tess_str){"another", 7}, v->text);
	}
	tess_module_free(m);
	return ok;
}

/* ---- cost ----------------------------------------------------------------------- */

static bool check_cost_member(hlo_case *c, const char *key, double got)
{
	const json_value *want = json_get(json_get(c->json, "cost"), key);
	double number = want ? want->number : 0;
	return got == number || unlike_number(c, key, (int64_t)got, (int64_t)number);
}

bool check_cost(hlo_case *c)
{
	char text[2000], key[40];
	tess_str body = json_text(c->json, "body");
	tess_hlo_cost cost;
	int n = snprintf(text, sizeof text, "HloModule m\nENTRY e {\n %.*s\n}\n", (int)body.len,
	                 body.ptr);
	tess_module *m = hlo_read(c->ctx, (tess_str){text, (size_t)n}, "body");
	if (!m || tess_hlo_cost_get(m, &cost) != TESS_OK)
		return unlike(c, "module", (tess_str){"refused", 7}, (tess_str){"accepted", 8});
	tess_module_free(m);
	bool ok = check_cost_member(c, "flops", cost.flops) &&
	          check_cost_member(c, "transcendentals", cost.transcendentals) &&
	          check_cost_member(c, "bytes accessed", cost.bytes) &&
	          check_cost_member(c, "bytes accessedout{}", cost.result_bytes);
	for (int i = 0; ok && i < 8; i++) {
		snprintf(key, sizeof key, "bytes accessed%d{}", i);
		ok = check_cost_member(c, key, cost.operand_bytes[i]);
		snprintf(key, sizeof key, "utilization%d{}", i);
		ok = ok && check_cost_member(c, key, cost.operand_uses[i]);
	}
	return ok;
}

/* ---- StableHLO --------------------------------------------------------------------- */

/* The program that the record was made of: that of the module case of this name. */
bool check_to_stablehlo(hlo_case *c)
{
	tess_module *m = hlo_read(c->ctx, case_module(json_text(c->json, "name")), "input");
	tess_hlo_convert_opts opts = TESS_HLO_CONVERT_OPTS_INIT;
	tess_print_opts print = TESS_PRINT_OPTS_INIT;
	opts.sdy = false;
	print.locations = true;
	if (!m || tess_hlo_to_stablehlo(m, &opts) != TESS_OK)
		return unlike(c, "module", lent(tess_diag_render(c->ctx, false)),
		              (tess_str){"converted", 9});
	bool ok = same_text(c, "StableHLO", lent(tess_module_print(m, &print)),
	                    json_text(c->json, "mlir"));
	tess_module_free(m);
	return ok;
}
