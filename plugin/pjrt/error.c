/* error.c - errors as PJRT has them: a code and a text. */
#include "plugin.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plugin_error {
	PJRT_Error base;
	PJRT_Error_Code code;
	char *text;
	size_t n;
} plugin_error;

static void destroy(PJRT_Error *error)
{
	plugin_error *e = (plugin_error *)error;
	free(e->text);
	free(e);
}

static void message(const PJRT_Error *error, const char **text, size_t *n)
{
	const plugin_error *e = (const plugin_error *)error;
	*text = e->text;
	*n = e->n;
}

static PJRT_Error_Code code_of(const PJRT_Error *error)
{
	return ((const plugin_error *)error)->code;
}

static void for_each_payload(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor, void *arg)
{
	(void)error, (void)visitor, (void)arg; /* there is none */
}

static const PJRT_Error_FunctionTable table = {
    sizeof table, sizeof(plugin_error), NULL, destroy, message, code_of, for_each_payload,
};

/* What is left to say when memory is out; destroying it does nothing. */
static void keep(PJRT_Error *error) { (void)error; }
static const PJRT_Error_FunctionTable no_memory_table = {
    sizeof table, sizeof(plugin_error), NULL, keep, message, code_of, for_each_payload,
};
static char no_memory_text[] = "tessera: no memory";
static plugin_error no_memory = {
    {&no_memory_table}, PJRT_Error_Code_RESOURCE_EXHAUSTED, no_memory_text,
    sizeof no_memory_text - 1,
};

PJRT_Error *error_no_memory(void) { return &no_memory.base; }

PJRT_Error *error_new(PJRT_Error_Code code, const char *format, ...)
{
	va_list ap, again;
	va_start(ap, format);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, format, ap);
	plugin_error *e = malloc(sizeof *e);
	char *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
	if (e && text) {
		vsnprintf(text, (size_t)n + 1, format, again);
		*e = (plugin_error){{&table}, code, text, (size_t)n};
	} else {
		free(e);
		free(text);
	}
	va_end(again);
	va_end(ap);
	return e && text ? &e->base : error_no_memory();
}

PJRT_Error *error_copy(const PJRT_Error *error)
{
	const char *text;
	size_t n;
	if (!error)
		return NULL;
	error->vtable->message(error, &text, &n);
	return error_new(error->vtable->get_code(error), "%.*s", (int)n, text);
}

void error_drop(PJRT_Error *error)
{
	if (error)
		error->vtable->destroy(error);
}

static PJRT_Error_Code code_of_status(tess_status status)
{
	switch (status) {
	case TESS_OK: return PJRT_Error_Code_OK;
	case TESS_INVALID: return PJRT_Error_Code_INVALID_ARGUMENT;
	case TESS_NOMEM: return PJRT_Error_Code_RESOURCE_EXHAUSTED;
	case TESS_STOPPED: return PJRT_Error_Code_CANCELLED;
	case TESS_IO:
	case TESS_USAGE:
	case TESS_FAILED: return PJRT_Error_Code_INTERNAL;
	}
	return PJRT_Error_Code_INTERNAL;
}

PJRT_Error *error_of_context(tess_ctx *ctx, tess_status status, const char *what)
{
	if (status == TESS_NOMEM && tess_diag_errors(ctx) == 0)
		return error_no_memory();
	char *text = tess_diag_render(ctx, false);
	PJRT_Error *e = error_new(code_of_status(status), "tessera: %s: %s", what, text ? text : "");
	tess_text_free(text);
	tess_diag_clear(ctx);
	return e;
}

PJRT_Error *pjrt_Error_Destroy(PJRT_Error_Destroy_Args *args)
{
	error_drop(args->error);
	return NULL;
}

PJRT_Error *pjrt_Error_Message(PJRT_Error_Message_Args *args)
{
	message(args->error, &args->message, &args->message_size);
	return NULL;
}

PJRT_Error *pjrt_Error_GetCode(PJRT_Error_GetCode_Args *args)
{
	args->code = code_of(args->error);
	return NULL;
}

PJRT_Error *pjrt_Error_ForEachPayload(PJRT_Error_ForEachPayload_Args *args)
{
	for_each_payload(args->error, args->visitor, args->user_arg);
	return NULL;
}
