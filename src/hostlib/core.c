/* Which kernels OpenBLAS takes. It chooses them when it is loaded, by a list of the processors that it knows; for one that is
 * newer than itself it takes those of a Prescott, of 2004. OPENBLAS_CORETYPE, which it reads at that moment, names others. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "hostlib/hostlib.h"

const char *tsl_hostlib_better_core(const char *core)
{
    if (!core || getenv("OPENBLAS_CORETYPE")) return NULL;
#ifdef __x86_64__
    if (strcasecmp(core, "prescott")) return NULL;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return "OPENBLAS_CORETYPE=SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "OPENBLAS_CORETYPE=Haswell";
#endif
    return NULL;
}

/* An environment of its own for the moment: other threads read one or the other, and neither is freed. */
void *tsl_hostlib_open_as(const char *file, int how, const char *setting)
{
    enum { MOST = 4096 };
    static char *own[MOST];
    char **before = environ;
    size_t n = 0;
    for (; before && before[n] && n < MOST - 2; ++n) own[n] = before[n];
    own[n] = (char *)setting, own[n + 1] = NULL;
    environ = own;
    void *handle = dlopen(file, how);
    environ = before;
    return handle;
}
