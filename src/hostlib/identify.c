/* What the host library calls itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "hostlib/hostlib.h"

static const char *text_of(const char *function)
{
    const char *(*ask)(void) = (const char *(*)(void))tsl_hostlib_of_first(function);
    return ask ? ask() : NULL;
}

/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH Haswell MAX_THREADS=64": its name and version come first. */
static bool openblas(char *text, size_t size)
{
    const char *config = text_of("openblas_get_config"), *core = text_of("openblas_get_corename");
    if (!config) return false;
    const char *space = strchr(config, ' '), *end = space ? strchr(space + 1, ' ') : NULL;
    int length = end ? (int)(end - config) : (int)strlen(config);
    const char *better = tsl_hostlib_better_core(core);
    const char *slow = better ? ", slow: it does not know this processor; set " : "";
    snprintf(text, size, "%.*s%s%s%s%s%s", length, config, core ? " (" : "", core ? core : "", slow, better ? better : "",
             core ? ")" : "");
    return true;
}

static bool mkl(char *text, size_t size)
{
    void (*ask)(char *, int) = (void (*)(char *, int))tsl_hostlib_of_first("MKL_Get_Version_String");
    if (!ask) return false;
    ask(text, (int)size - 1);
    text[size - 1] = 0;
    for (size_t at = strlen(text); at > 0 && text[at - 1] == ' ';) text[--at] = 0;
    return true;
}

static bool blis(char *text, size_t size)
{
    const char *version = text_of("bli_info_get_version_str");
    int (*which)(void) = (int (*)(void))tsl_hostlib_of_first("bli_arch_query_id");
    char *(*arch)(int) = (char *(*)(int))tsl_hostlib_of_first("bli_arch_string");
    if (!version) return false;
    snprintf(text, size, "BLIS %s%s%s%s", version, which && arch ? " (" : "", which && arch ? arch(which()) : "", which && arch ? ")" : "");
    return true;
}

static const char *file_of(const char *symbol)
{
    Dl_info from;
    void *function = tsl_hostlib_raw(symbol);
    return function && dladdr(function, &from) ? from.dli_fname : NULL;
}

void tsl_hostlib_identify(char *text, size_t size)
{
    const char *blas = file_of("dasum_"), *lapack = file_of("dgeqrf_");
    if (!openblas(text, size) && !mkl(text, size) && !blis(text, size)) snprintf(text, size, "%s", blas ? blas : "a library without a name");
    size_t at = strlen(text);
    if (blas && lapack && strcmp(blas, lapack)) snprintf(text + at, size - at, ", LAPACK of %s", lapack);
}
