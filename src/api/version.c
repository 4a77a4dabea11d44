/* version.c - what this build is. */
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

const char *tess_features(void) { return ZLIB_FEATURE LAPACK_FEATURE MPI_FEATURE; }
