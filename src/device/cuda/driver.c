/* The driver's own functions, for what the runtime has none for. */
#include "device/cuda/cuda.h"

bool tsl_cuda_driver(const char *name, unsigned version, void **entry)
{
    enum cudaDriverEntryPointQueryResult found;
    cudaError_t e = cudaGetDriverEntryPointByVersion(name, entry, version, cudaEnableDefault, &found);
    if (e != cudaSuccess)
        (void)cudaGetLastError();
    return e == cudaSuccess && found == cudaDriverEntryPointSuccess;
}
