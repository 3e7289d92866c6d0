#include "bench/rival/cuda.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_cublas_libraries[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};

static bool fill(void *library, const char *const *symbols, char *table)
{
    for (int i = 0; symbols[i]; i++) {
        void *found = dlsym(library, symbols[i]);
        if (!found)
            return false;
        memcpy(table + (size_t)i * sizeof found, &found, sizeof found);
    }
    return true;
}

static void *load(tsl_context *ctx, const char *const *libraries, const char *const *symbols, void *table, char line[BENCH_LINE])
{
    tsl_device_info device;
    if (tsl_device_query(ctx, 0, &device) || strcmp(device.backend, "cuda")) {
        snprintf(line, BENCH_LINE, "no GPU in this context");
        return NULL;
    }
    if (cudaSetDevice(device.ordinal) != cudaSuccess) {
        snprintf(line, BENCH_LINE, "GPU %d cannot be used", device.ordinal);
        return NULL;
    }
    for (int i = 0; libraries[i]; i++) {
        void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (library && fill(library, symbols, table))
            return library; /* stays loaded: such libraries have threads and destructors of their own */
    }
    snprintf(line, BENCH_LINE, "%s not found, or without %s", libraries[0], symbols[0]);
    return NULL;
}

bench_cuda *bench_cuda_open(tsl_context *ctx, const char *const *libraries, const char *const *symbols, void *table, char line[BENCH_LINE])
{
    void *library = load(ctx, libraries, symbols, table, line);
    bench_cuda *cuda = library ? calloc(1, sizeof *cuda) : NULL;
    if (library && !cuda)
        snprintf(line, BENCH_LINE, "out of memory");
    if (cuda)
        cuda->library = library;
    return cuda;
}

static void free_workspace(bench_cuda *cuda)
{
    tsl_matrix_free(cuda->holds_device);
    free(cuda->host);
    cuda->holds_device = NULL;
    cuda->device = cuda->host = NULL;
}

void bench_cuda_close(bench_cuda *cuda)
{
    free_workspace(cuda);
    tsl_matrix_free(cuda->holds_info);
    free(cuda);
}

bool bench_cuda_prepare(bench_cuda *cuda, const bench_by_cuda *by, bench_problem *p)
{
    const char *const *name = by->name[bench_is_complex(p->c.type)];
    for (int i = 0; i < BENCH_SYMBOLS && name[i]; i++)
        if (!(cuda->f[i] = bench_function(cuda->library, name[i], p->c.type)))
            return false;
    cuda->device_bytes = cuda->host_bytes = 0;
    free_workspace(cuda);
    if (!by->size)
        return true;
    if (!by->size(cuda, p) || !(cuda->host = malloc(cuda->host_bytes + 1)))
        return false;
    if (tsl_matrix_create(p->ctx, TSL_Z, (int64_t)(cuda->device_bytes / tsl_type_size(TSL_Z)) + 1, 1, &cuda->holds_device))
        return false;
    cuda->device = tsl_matrix_data(cuda->holds_device);
    return !by->ready || by->ready(cuda, p);
}

bool bench_pin(void *p, size_t bytes) { return cudaHostRegister(p, bytes, cudaHostRegisterDefault) == cudaSuccess; }

bool bench_pci(int ordinal, char *out, int size) { return cudaDeviceGetPCIBusId(out, size, ordinal) == cudaSuccess; }

void bench_unpin(void *p)
{
    if (cudaHostUnregister(p) != cudaSuccess)
        (void)cudaGetLastError();
}
