/* version.c - the version of this build, and its features. */
#include "api/without.h"

#include <tessera/core.h>

const char *tess_version(void) { return TESS_VERSION; }

#ifdef TESS_HAVE_ZLIB
#define ZLIB_FEATURE "zlib   yes\n"
#else
#define ZLIB_FEATURE "zlib   no\n"
#endif
#ifdef TESS_LAPACK_SONAME
#define LAPACK_FEATURE "lapack " TESS_LAPACK_SONAME " (when needed)\n"
#elif defined TESS_NO_LAPACK
#define LAPACK_FEATURE "lapack no\n"
#else
#define LAPACK_FEATURE "lapack liblapack.so.3 (if the machine has it)\n"
#endif
#ifdef TESS_HAVE_MPI
#define MPI_FEATURE "mpi    tessera_mpi.so (when needed)\n"
#else
#define MPI_FEATURE "mpi    no\n"
#endif

#ifdef TESS_NO_HLO
#define HLO_FEATURE "hlo    no\n"
#else
#define HLO_FEATURE "hlo    yes\n"
#endif
#ifdef TESS_NO_ARRAY
#define ARRAY_FEATURE "array  no\n"
#else
#define ARRAY_FEATURE "array  yes\n"
#endif

const char *tess_features(void)
{
	return ZLIB_FEATURE LAPACK_FEATURE MPI_FEATURE HLO_FEATURE ARRAY_FEATURE;
}

#if defined TESS_NO_HLO || defined TESS_NO_ARRAY
static tess_status report_missing(tess_ctx *ctx, void *arg)
{
	const char *part = arg;
	diag_error(ctx, NOWHERE, E_BUILT_WITHOUT,
	           "this library was built without %s: build it with -DTESS_%s=ON", part, part);
	return TESS_INVALID;
}

tess_status built_without(tess_ctx *ctx, const char *part)
{
	return ctx ? frame_run(ctx, report_missing, (void *)part) : TESS_INVALID;
}
#endif
