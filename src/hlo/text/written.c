/* written.c - attributes as XLA prints them. */
#include "hlo/text/text.h"

const attr *hlo_written_attr(hlo_reader *r, const writer *w)
{
	return hlo_text_attr(r, writer_str(w));
}

const attr *hlo_text_attr(hlo_reader *r, tess_str s)
{
	return r->s.failed ? NULL : attr_string(r->ctx, name_of(r->ctx, s));
}
