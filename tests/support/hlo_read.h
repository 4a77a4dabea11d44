/* hlo_read.h - parses HLO text for tests. */
#ifndef TESS_TEST_HLO_READ_H
#define TESS_TEST_HLO_READ_H

#include <tessera/module.h>

static inline tess_module *hlo_read(tess_ctx *c, tess_str text, const char *name)
{
	tess_parse_opts opts = TESS_PARSE_OPTS_INIT;
	opts.hlo = TESS_HLO_EXPECTED;
	return tess_module_parse(c, text, name, &opts);
}

#endif
