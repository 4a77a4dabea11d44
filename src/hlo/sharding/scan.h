/* scan.h - what the two parts of the HloSharding parser share. Internal to hlo/sharding. */
#ifndef TESS_HLO_SHARDING_SCAN_H
#define TESS_HLO_SHARDING_SCAN_H

#include "base/scan.h"
#include "hlo/sharding/sharding.h"

#include <stdlib.h>

/* True if that many devices may be listed one by one; reports an error otherwise. */
bool hlo_sharding_can_list(tess_ctx *ctx, place at, int64_t n);
int64_t scan_natural(scan *s);
void scan_skip_metadata(scan *s); /* after the word */
/* Parses V3, after the opening brace and up to the closing one; NULL, with nothing consumed, if it
 * is not V3. */
const hlo_sharding *parse_named_sharding(scan *s);
/* After the word mesh: parses a mesh and axes, ['x'=2] {'x'}; NULL after an error. */
const mesh *parse_mesh_in_groups(scan *s, uint32_t begin, axes_vec *axes, bool *iota);

#endif
