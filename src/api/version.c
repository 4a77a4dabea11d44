/* version.c - what this build is. */
#include <tessera/core.h>

const char *tess_version(void) { return TESS_VERSION; }

#ifdef TESS_HAVE_ZLIB
#define ZLIB_FEATURE "zlib   yes\n"
#else
#define ZLIB_FEATURE "zlib   no\n"
#endif
#ifdef TESS_HAVE_MPI
#define MPI_FEATURE "mpi    tessera_mpi.so (when needed)\n"
#else
#define MPI_FEATURE "mpi    no\n"
#endif

const char *tess_features(void) { return ZLIB_FEATURE MPI_FEATURE; }
