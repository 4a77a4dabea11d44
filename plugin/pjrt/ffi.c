/* ffi.c - calls of handlers that others wrote for XLA's FFI (jax.ffi.register_ffi_target).
 *
 * Python knows the handlers that were registered for CPUs, and is asked for one by its name when a
 * program is planned.  A call site keeps its attributes, and the state that its handler made at the
 * first call.  Calls are made in the order of the program, by the thread that runs it; what a handler
 * schedules on the thread pool runs at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/attr.h>

#include "ffi_api.h"
#include "host.h"
#include "plugin.h"

/* ---- errors and futures ------------------------------------------------------------------------- */

struct XLA_FFI_Error {
	int code;
	char message[];
};

static XLA_FFI_Error *failure(int code, const char *message)
{
	const size_t n = strlen(message);
	XLA_FFI_Error *e = malloc(sizeof *e + n + 1);
	if (!e)
		abort(); /* there is no error to say so with */
	e->code = code;
	memcpy(e->message, message, n + 1);
	return e;
}

static XLA_FFI_Error *missing(const char *what)
{
	char text[128];
	snprintf(text, sizeof text, "tessera: %s is not there on devices of this platform", what);
	return failure(PJRT_Error_Code_UNIMPLEMENTED, text);
}

static XLA_FFI_Error *error_create(XLA_FFI_Error_Create_Args *args)
{
	return failure(args->errc, args->message);
}

static void error_details(XLA_FFI_Error_GetDetails_Args *args)
{
	args->message = args->error->message;
	args->errc = args->error->code;
}

static void error_destroy(XLA_FFI_Error_Destroy_Args *args) { free(args->error); }

static XLA_FFI_Error *future_create(XLA_FFI_Future_Create_Args *args)
{
	args->future = (XLA_FFI_Future *)event_new();
	return args->future ? NULL : failure(PJRT_Error_Code_RESOURCE_EXHAUSTED, "no memory");
}

static XLA_FFI_Error *future_set(XLA_FFI_Future_Set_Args *args)
{
	event_set((PJRT_Event *)args->future, NULL);
	return NULL;
}

static XLA_FFI_Error *future_fail(XLA_FFI_Future_Set_Args *args)
{
	event_set((PJRT_Event *)args->future,
	          error_new((PJRT_Error_Code)args->error->code, "%s", args->error->message));
	free(args->error);
	return NULL;
}

/* ---- call sites ------------------------------------------------------------------------------------ */

enum { STAGES = XLA_FFI_STAGES };

/* What was registered for a name; of the stages only the last one must be there. */
typedef struct handler {
	struct handler *next;
	XLA_FFI_Handler *stages[STAGES];
	char name[];
} handler;

typedef struct ffi_site {
	struct ffi_site *next;
	const handler *handler;
	const tess_attr *config;
	XLA_FFI_Attrs *attrs;
	bool made; /* its state */
	/* The types are those of other libraries, which keep how a state is released to themselves. */
	void *states[STAGES];
	int64_t state_types[STAGES];
} ffi_site;

struct XLA_FFI_InvokeContext {
	ffi_site *site;
	int device;
	int64_t run;
};

void ffi_sites_free(struct ffi_site *all)
{
	for (ffi_site *next; all; all = next) {
		next = all->next;
		ffi_attrs_free(all->attrs);
		free(all);
	}
}

/* ---- what handlers call ------------------------------------------------------------------------------ */

static XLA_FFI_Error *state_set(XLA_FFI_State_Args *args)
{
	if (args->stage < 0 || args->stage >= STAGES)
		return failure(PJRT_Error_Code_INVALID_ARGUMENT, "tessera: there is no such stage");
	args->ctx->site->states[args->stage] = args->state;
	args->ctx->site->state_types[args->stage] = args->type_id->type_id;
	return NULL;
}

static XLA_FFI_Error *state_get(XLA_FFI_State_Args *args)
{
	const ffi_site *s = args->ctx->site;
	if (args->stage < 0 || args->stage >= STAGES || !s->states[args->stage])
		return failure(PJRT_Error_Code_NOT_FOUND, "tessera: the stage has made no state");
	if (s->state_types[args->stage] != args->type_id->type_id)
		return failure(PJRT_Error_Code_INVALID_ARGUMENT, "tessera: the state has another type");
	args->state = s->states[args->stage];
	return NULL;
}

static XLA_FFI_Error *memory_allocate(XLA_FFI_DeviceMemory_Allocate_Args *args)
{
	const size_t alignment = args->alignment > 64 ? args->alignment : 64;
	const size_t size = (args->size + alignment - 1) / alignment * alignment;
	args->data = args->size ? aligned_alloc(alignment, size) : NULL;
	return args->data || !args->size ? NULL
	                                 : failure(PJRT_Error_Code_RESOURCE_EXHAUSTED, "no memory");
}

static XLA_FFI_Error *memory_free(XLA_FFI_DeviceMemory_Free_Args *args)
{
	free(args->data);
	return NULL;
}

static XLA_FFI_Error *schedule(XLA_FFI_ThreadPool_Schedule_Args *args)
{
	args->task(args->data);
	return NULL;
}

static XLA_FFI_Error *count_threads(XLA_FFI_ThreadPool_NumThreads_Args *args)
{
	*args->num_threads = 1;
	return NULL;
}

static XLA_FFI_Error *run_id(XLA_FFI_RunId_Get_Args *args)
{
	args->run_id = args->ctx->run;
	return NULL;
}

static XLA_FFI_Error *device_ordinal(XLA_FFI_DeviceOrdinal_Get_Args *args)
{
	args->device_ordinal = args->ctx->device;
	return NULL;
}

static XLA_FFI_Error *find_extension(XLA_FFI_FindExtension_Args *args)
{
	args->extension = NULL;
	return NULL;
}

static XLA_FFI_Error *no_user_data(XLA_FFI_InvokeContext_Get_Args *args)
{
	args->data = NULL;
	return missing("user data");
}

static XLA_FFI_Error *no_stream(XLA_FFI_Stream_Get_Args *args)
{
	(void)args;
	return missing("a stream");
}

static XLA_FFI_Error *no_handlers(XLA_FFI_Handler_Register_Args *args)
{
	(void)args;
	return missing("a registry of handlers, but that of jax.ffi,");
}

static XLA_FFI_Error *no_types(XLA_FFI_Type_Register_Args *args)
{
	(void)args;
	return missing("a registry of types, but that of jax.ffi,");
}

static const XLA_FFI_Api api = {
    .struct_size = sizeof api,
    .api_version = {.struct_size = sizeof(XLA_FFI_Api_Version),
                    .major_version = XLA_FFI_API_MAJOR,
                    .minor_version = XLA_FFI_API_MINOR},
    .Error_Create = error_create,
    .Error_GetDetails = error_details,
    .Error_Destroy = error_destroy,
    .Handler_Register = no_handlers,
    .Stream_Get = no_stream,
    .Type_Register = no_types,
    .InvokeContext_Get = no_user_data,
    .State_Set = state_set,
    .State_Get = state_get,
    .DeviceMemory_Allocate = memory_allocate,
    .DeviceMemory_Free = memory_free,
    .ThreadPool_Schedule = schedule,
    .ThreadPool_NumThreads = count_threads,
    .Future_Create = future_create,
    .Future_SetAvailable = future_set,
    .Future_SetError = future_fail,
    .RunId_Get = run_id,
    .DeviceOrdinal_Get = device_ordinal,
    .FindExtension = find_extension,
};

/* ---- handlers, by name ------------------------------------------------------------------------------- */

static _Atomic(tess_pjrt_find_handler *) find_handler;
static handler *handlers; /* of all programs; none goes before the process does */
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

void tess_pjrt_set_find_handler(tess_pjrt_find_handler *fn) { find_handler = fn; }

static const handler *handler_known(const char *name)
{
	pthread_mutex_lock(&handlers_lock);
	const handler *h = handlers;
	while (h && strcmp(h->name, name) != 0)
		h = h->next;
	pthread_mutex_unlock(&handlers_lock);
	return h;
}

/* Python is asked without a lock: another thread may have its own, and want this one. */
static const handler *handler_named(tess_str name)
{
	tess_pjrt_find_handler *find = find_handler;
	handler *h = calloc(1, sizeof *h + name.len + 1);
	if (!h)
		return NULL;
	memcpy(h->name, name.ptr, name.len);
	const handler *known = handler_known(h->name);
	void *stages[STAGES] = {NULL};
	if (known || !find || !find(h->name, stages) || !stages[XLA_FFI_STAGE_EXECUTE]) {
		free(h);
		return known;
	}
	memcpy(h->stages, stages, sizeof stages);
	pthread_mutex_lock(&handlers_lock);
	h->next = handlers;
	handlers = h;
	pthread_mutex_unlock(&handlers_lock);
	return h;
}

bool ffi_has(void *user, tess_str target)
{
	(void)user;
	return handler_named(target);
}

/* ---- a call -------------------------------------------------------------------------------------------- */

typedef struct buffers {
	XLA_FFI_Buffer *all; /* operands, then results */
	void **values;
	int *types;
} buffers;

static bool buffers_make(buffers *b, const tess_outside_call *call)
{
	const size_t n_in = call->n_operands, n = n_in + call->n_results;
	b->all = calloc(n + 1, sizeof *b->all);
	b->values = calloc(n + 1, sizeof *b->values);
	b->types = calloc(n + 1, sizeof *b->types);
	for (size_t i = 0; b->all && b->values && b->types && i < n; i++) {
		const tess_tensor *t = i < n_in ? &call->operands[i] : &call->results[i - n_in];
		b->all[i] = (XLA_FFI_Buffer){.struct_size = sizeof *b->all,
		                             .dtype = (int)primitive_of_type(t->dtype),
		                             .data = (void *)(uintptr_t)t->data,
		                             .rank = t->rank, .dims = t->dims};
		b->values[i] = &b->all[i];
		b->types[i] = XLA_FFI_BUFFER;
	}
	if (!b->all || !b->values || !b->types)
		return false;
	for (size_t i = 0; i < call->n_results; i++)
		if (call->begins_as[i] >= 0) /* one memory for both */
			b->all[call->begins_as[i]].data = b->all[n_in + i].data;
	return true;
}

static void buffers_free(buffers *b)
{
	free(b->all);
	free(b->values);
	free(b->types);
}

static bool fails(XLA_FFI_Error *e, const tess_outside_call *call)
{
	if (!e)
		return false;
	snprintf(call->why, call->why_room, "%s", e->message);
	free(e);
	return true;
}

static bool future_fails(XLA_FFI_Future *future, const tess_outside_call *call)
{
	PJRT_Error *e = future ? event_wait((PJRT_Event *)future) : NULL;
	const char *text;
	size_t n;
	event_release((PJRT_Event *)future);
	if (!e)
		return false;
	e->vtable->message(e, &text, &n);
	snprintf(call->why, call->why_room, "%.*s", (int)n, text);
	error_drop(e);
	return true;
}

static bool run_stage(XLA_FFI_InvokeContext *ctx, int stage, const buffers *b,
                      const tess_outside_call *call)
{
	const bool has_buffers = stage != XLA_FFI_STAGE_INSTANTIATE;
	const size_t n_in = call->n_operands;
	XLA_FFI_CallFrame frame = {
	    .struct_size = offsetof(XLA_FFI_CallFrame, future), /* as its readers have it */
	    .api = &api, .ctx = ctx, .stage = stage,
	    .args = {.struct_size = sizeof frame.args}, .rets = {.struct_size = sizeof frame.rets},
	    .attrs = ctx->site->attrs ? *ctx->site->attrs : (XLA_FFI_Attrs){.struct_size = sizeof frame.attrs},
	};
	if (!ctx->site->handler->stages[stage])
		return true;
	if (has_buffers) {
		frame.args = (XLA_FFI_List){.struct_size = sizeof frame.args, .size = (int64_t)n_in,
		                            .types = b->types, .values = b->values};
		frame.rets = (XLA_FFI_List){.struct_size = sizeof frame.rets,
		                            .size = (int64_t)call->n_results,
		                            .types = b->types + n_in, .values = b->values + n_in};
	}
	return !fails(ctx->site->handler->stages[stage](&frame), call) &&
	       !future_fails(frame.future, call);
}

/* The site's attributes, and its state, made by the first call: under the executable's lock. */
static ffi_site *site_make(PJRT_Executable *x, const tess_outside_call *call)
{
	ffi_site *s = x->sites;
	while (s && !(s->config == call->config && s->handler == handler_named(call->target)))
		s = s->next;
	if (s)
		return s;
	if (!(s = calloc(1, sizeof *s)))
		return NULL;
	s->handler = handler_named(call->target);
	s->config = call->config;
	s->attrs = s->handler ? ffi_attrs_new(x->ctx, call->config, call->why, call->why_room) : NULL;
	if (!s->attrs) {
		free(s);
		return NULL;
	}
	s->next = x->sites;
	return x->sites = s;
}

bool ffi_call(PJRT_Executable *x, const tess_outside_call *call)
{
	static atomic_llong runs;
	buffers b = {0};
	XLA_FFI_InvokeContext ctx = {.run = ++runs, .device = x->all[call->device]->about.id};
	snprintf(call->why, call->why_room, "no memory");
	bool good = buffers_make(&b, call);
	pthread_mutex_lock(&x->lock);
	ctx.site = good ? site_make(x, call) : NULL;
	good = ctx.site != NULL;
	if (good && !ctx.site->made)
		good = ctx.site->made = run_stage(&ctx, XLA_FFI_STAGE_INSTANTIATE, &b, call);
	pthread_mutex_unlock(&x->lock);
	for (int stage = XLA_FFI_STAGE_PREPARE; good && stage <= XLA_FFI_STAGE_EXECUTE; stage++)
		good = run_stage(&ctx, stage, &b, call);
	buffers_free(&b);
	return good;
}
