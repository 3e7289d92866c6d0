/* What the CUDA rivals share. Their libraries are found at run time, so that the program also starts where they are not. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "bench/rival.h"

static bool fill(void *library, const char *const *symbols, void **table)
{
    for (int i = 0; symbols[i]; i++)
        if (!(table[i] = dlsym(library, symbols[i])))
            return false;
    return true;
}

bool bench_cuda_load(tsl_context *ctx, const char *const *libraries, const char *const *symbols, void **table,
                     char line[BENCH_LINE])
{
    tsl_device_info device;
    if (tsl_device_query(ctx, 0, &device) || strcmp(device.backend, "cuda")) {
        snprintf(line, BENCH_LINE, "no GPU in this context");
        return false;
    }
    if (cudaSetDevice(device.ordinal) != cudaSuccess) {
        snprintf(line, BENCH_LINE, "GPU %d cannot be used", device.ordinal);
        return false;
    }
    for (int i = 0; libraries[i]; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (library && fill(library, symbols, table))
            return true; /* stays loaded: such libraries have threads and destructors of their own */
    }
    snprintf(line, BENCH_LINE, "%s not found, or without %s", libraries[0], symbols[0]);
    return false;
}

bool bench_pin(void *p, size_t bytes) { return cudaHostRegister(p, bytes, cudaHostRegisterDefault) == cudaSuccess; }

void bench_unpin(void *p)
{
    if (cudaHostUnregister(p) != cudaSuccess)
        (void)cudaGetLastError();
}
