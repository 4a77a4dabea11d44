/* transport.c - transports are modules beside the library, loaded when asked for: what
 * they link with takes tens of milliseconds to start. */
#include "exec/ranks/transport.h"

#include "base/base.h"
#include "exec/ranks/beside.h"

#include <dlfcn.h>

transport *transport_open(const char *kind, double patience, char *why, size_t why_bytes)
{
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
	/* The module stays loaded: what it links with may have left threads behind. */
	transport_open_fn *open = NULL;
	*(void **)&open = dlsym(handle, "tess_transport_open");
	if (open)
		return open(patience, why, why_bytes);
	snprintf(why, why_bytes, "tessera_%s.so is not a transport of tessera", kind);
	return NULL;
}
