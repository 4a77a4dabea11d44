/* beside.h - modules next to the library, opened when they are needed. */
#ifndef TESS_EXEC_BESIDE_H
#define TESS_EXEC_BESIDE_H

/* Opens tessera_KIND.so with global symbols; it stays open. NULL: there is none, see dlerror(). */
void *beside_open(const char *kind);

#endif
