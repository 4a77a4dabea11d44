/* address_path.h - names that have parts: params['layers'][0]['w'], layers.3.attention. */
#ifndef TESS_REPORT_ADDRESS_PATH_H
#define TESS_REPORT_ADDRESS_PATH_H

#include "report/address.h"

enum { MOST_PARTS = 32 };

typedef struct path {
	int n;
	tess_str part[MOST_PARTS];
} path;

/* params['w'].value, params/w and params.w are "params", "w"; flax's ".value" is no part of it. */
path path_of(tess_str text);
bool has_wildcard(tess_str text);

typedef enum path_fit { FITS_NOT, FITS_END, FITS_WHOLE } path_fit;
/* Whether the last parts of `p` are those that are asked for, in which each * stands for any text. */
path_fit path_fits(const path *asked, const path *p);
/* Whether they stand beside each other anywhere in it, but for its last part. */
bool path_within(const path *asked, const path *p);

/* What modules made whose path, in the names that JAX gives operations, is `text` or ends so: the values
 * that others use. */
void find_by_module(const op *main, tess_str text, arena *mem, value_list *out);

#endif
