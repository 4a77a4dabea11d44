/* beside.c - modules next to the library: what they link with takes tens of milliseconds to load,
 * or has names that the library itself must not have. */
#include "exec/ranks/beside.h"
#include "exec/ranks/transport.h"

#include "base/base.h"

#include <dlfcn.h>

/* The folder of the library (or of the program that contains it), with a slash. */
static size_t own_folder(char *path, size_t bytes)
{
	Dl_info self;
	static const char anchor; /* some address in here */
	if (!dladdr(&anchor, &self) || !self.dli_fname)
		return 0;
	const char *slash = strrchr(self.dli_fname, '/');
	size_t n = slash ? (size_t)(slash - self.dli_fname) + 1 : 0;
	if (n + 64 > bytes)
		return 0;
	memcpy(path, self.dli_fname, n);
	return n;
}

void *beside_open(const char *kind)
{
	/* in the build folder, an installed library, an installed program */
	static const char *const places[] = {"", "tessera/", "../lib/tessera/",
	                                     "../lib64/tessera/"};
	char path[4096];
	size_t n = own_folder(path, sizeof path);
	void *handle = NULL;
	for (int i = 0; i < COUNT(places) && n && !handle; i++) {
		snprintf(path + n, sizeof path - n, "%stessera_%s.so", places[i], kind);
		handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	}
	snprintf(path, sizeof path, "tessera_%s.so", kind);
	return handle ? handle : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

transport *transport_open(const char *kind, const transport_opts *opts, char *why, size_t why_bytes)
{
	if (strcmp(kind, "tcp") == 0)
		return transport_open_tcp(opts, why, why_bytes);
	for (const char *s = kind; *s; s++)
		if (*s < 'a' || *s > 'z') {
			snprintf(why, why_bytes, "there is no transport of this name");
			return NULL;
		}
	void *handle = beside_open(kind);
	if (!handle) {
		const char *said = dlerror();
		snprintf(why, why_bytes, "this build has no transport '%s' (%s)", kind,
		         said ? said : "not found");
		return NULL;
	}
	/* Never closed: libraries that it links with may have started threads. */
	transport_open_fn *open = NULL;
	*(void **)&open = dlsym(handle, "tess_transport_open");
	if (open)
		return open(opts->patience, why, why_bytes);
	snprintf(why, why_bytes, "tessera_%s.so is not a transport of tessera", kind);
	return NULL;
}
