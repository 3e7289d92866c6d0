/* Kernels before their first use. CUDA loads a kernel when it is first launched or asked about, and may wait there for all work
 * in flight, other devices' of the same GPU too: a stall in the middle of a graph of tasks. So a runtime that opens on a device
 * loads what tasks launch, file by file: level 3, Cholesky, LU, QR, copies and scalings. It is done once a process, and takes
 * as long as the first launches would. cuBLAS chooses its own kernels by the sizes of a call, and loads them then: that may
 * stall, too, and no more, since nothing the driver waits for waits for the caller (runtime/runtime.h). */
#include <cuda.h>

#include "core/values.h"
#include "kernel/cuda/leaf.h"

/* Of the driver; since version 12.4 */
typedef struct driver {
    CUresult (*module_of)(CUmodule *m, CUfunction f);
    CUresult (*count)(unsigned *n, CUmodule m);
    CUresult (*list)(CUfunction *f, unsigned n, CUmodule m);
    CUresult (*load)(CUfunction f);
} driver;

static bool find_driver(driver *d)
{
    return tsl_cuda_driver("cuFuncGetModule", 11000, (void **)&d->module_of) && tsl_cuda_driver("cuModuleGetFunctionCount", 12040, (void **)&d->count) &&
           tsl_cuda_driver("cuModuleEnumerateFunctions", 12040, (void **)&d->list) && tsl_cuda_driver("cuFuncLoad", 12040, (void **)&d->load);
}

/* All kernels of the file that `kernel` is in. */
static tsl_status load_file(const tsl_device *dev, const driver *d, const void *kernel)
{
    cudaFunction_t some;
    CUmodule m = NULL;
    unsigned count = 0;
    tsl_status st = tsl_cuda_check(cudaGetFuncBySymbol(&some, kernel), "cudaGetFuncBySymbol");
    if (st == TSL_OK) /* a result of the driver's has the runtime's number */
        st = tsl_cuda_check((cudaError_t)d->module_of(&m, some), "cuFuncGetModule");
    if (st == TSL_OK)
        st = tsl_cuda_check((cudaError_t)d->count(&count, m), "cuModuleGetFunctionCount");
    if (st != TSL_OK)
        return st;
    size_t bytes = tsl_times(count, sizeof(CUfunction));
    CUfunction *f = tsl_host_alloc(&dev->allocator, bytes);
    if (!f)
        return TSL_ERR_MEMORY;
    st = tsl_cuda_check((cudaError_t)d->list(f, count, m), "cuModuleEnumerateFunctions");
    for (unsigned i = 0; i < count && st == TSL_OK; i++)
        st = tsl_cuda_check((cudaError_t)d->load(f[i]), "cuFuncLoad");
    tsl_host_free(&dev->allocator, f, bytes);
    return st;
}

tsl_status tsl_cuda_load_kernels(const tsl_device *dev)
{
    static uint64_t loaded; /* atomic: a bit per GPU, whose context is the process' */
    uint64_t bit = (uint64_t)1 << (dev->ordinal & 63);
    driver d;
    if (dev->ordinal < 64 && (__atomic_load_n(&loaded, __ATOMIC_RELAXED) & bit))
        return TSL_OK;
    if (!find_driver(&d)) /* an older one loads kernels at their first use: a matter of time, as is cuBLAS's */
        return TSL_OK;
    tsl_status st = TSL_OK;
    for (int op = 0; op < TSL_OP_COUNT; op++) {
        const void *kernel;
        for (int i = 0; tsl_cuda_kernels[op]->kernel && (kernel = tsl_cuda_kernels[op]->kernel(i)) && st == TSL_OK; i++)
            st = load_file(dev, &d, kernel);
    }
    if (st == TSL_OK && dev->ordinal < 64)
        __atomic_fetch_or(&loaded, bit, __ATOMIC_RELAXED);
    return st;
}
