#include "core/log.h"
#include "device/device.h"
#include "device/cuda/backend.h"

bool (*tsl_cuda_strikes)(const char *what);
tsl_status (*tsl_cuda_loads)(const tsl_device *dev);

tsl_status tsl_cuda_status(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return TSL_OK;
    tsl_log(TSL_LOG_ERROR, "%s: %s", what, cudaGetErrorString(e));
    /* The runtime keeps the last failure per thread; left there, the check after a later kernel launch would take it for its
     * own. A failure that corrupts the context stays all the same. */
    (void)cudaGetLastError();
    switch (e) {
    case cudaErrorMemoryAllocation: return TSL_ERR_DEVICE_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver: return TSL_ERR_NO_DEVICE;
    default: return TSL_ERR_DEVICE;
    }
}

tsl_status tsl_cuda_use(const tsl_device *dev)
{
    int current;
    tsl_device_entry();
    cudaError_t e = cudaGetDevice(&current);
    if (e == cudaSuccess && current != dev->ordinal)
        e = cudaSetDevice(dev->ordinal);
    return tsl_cuda_check(e, "cudaSetDevice");
}
