/* format.c - the forms that what people read has. */
#include "api/format.h"

static const char *const format_names[] = {
	[TESS_FORMAT_TEXT] = "TEXT", [TESS_FORMAT_COLOR] = "COLOR", [TESS_FORMAT_JSON] = "JSON",
	[TESS_FORMAT_HTML] = "HTML", [TESS_FORMAT_SARIF] = "SARIF",
};

tess_status format_check(tess_ctx *ctx, tess_format f, unsigned has, const char *what)
{
	writer w;
	bool known = (unsigned)f < COUNT(format_names);
	if (known && has & FORMAT_BIT(f))
		return TESS_OK;
	writer_init(&w, &ctx->scratch);
	for (unsigned i = 0; i < COUNT(format_names); i++)
		if (has & FORMAT_BIT(i))
			put_f(&w, "%s%s", w.len ? ", " : "", format_names[i]);
	if (known)
		diag_error(ctx, NOWHERE, E_FORMAT, "%s has no format %s; it has %s", what,
		           format_names[f], writer_z(&w));
	else
		diag_error(ctx, NOWHERE, E_FORMAT, "there is no format %d; %s has %s", (int)f, what,
		           writer_z(&w));
	return TESS_USAGE;
}
