/* hlo_cases.h - shared by the checks of hlo_cases.c. */
#ifndef TESS_TEST_HLO_CASES_H
#define TESS_TEST_HLO_CASES_H

#include "../../support/cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/hlo.h>
#include <tessera/shape.h>

/* One recorded case.  A check returns whether it holds; if not, `why` says what
 * was found. */
typedef struct hlo_case {
	tess_ctx *ctx;
	const json_value *json;
	bool differs; /* XLA accepts the input, tessera must not: hlo_differences.txt */
	char why[2000];
} hlo_case;

typedef bool check_fn(hlo_case *c);

/* Says what differs and returns false. */
bool unlike(hlo_case *c, const char *what, tess_str got, tess_str want);
bool unlike_number(hlo_case *c, const char *what, int64_t got, int64_t want);
bool numbers_are(hlo_case *c, const char *what, const int64_t *got, int n_got,
                    const int64_t *want, int n_want);
/* For inputs that must be refused: nothing came of it, and a diagnostic says why. */
bool is_refused(hlo_case *c, bool accepted);
bool texts_equal(tess_str a, tess_str b);
/* A row-major or ordered f32 array: dims and minor_to_major members of the case. */
const tess_shape *case_array(hlo_case *c, const char *dims, const char *order);

/* hlo_cases_shape.c */
check_fn check_shape_parse, check_byte_size, check_padded_size, check_array_size, check_tiled_map,
        check_tiled_index, check_strides, check_reshape_is_bitcast, check_transpose_is_bitcast,
        check_kept_dims, check_permute;
/* hlo_cases_sharding.c */
check_fn check_sharding_parse, check_tile_shape, check_sharding_equal, check_torch, check_pspec;
/* hlo_cases_text.c */
check_fn check_attrs, check_common_attrs, check_module, check_jax_module, check_schedule,
        check_cost, check_to_stablehlo;
/* The input of the module case of this name. */
tess_str case_module(tess_str name);

#endif
