#include "core/log.h"
#include "device/device.h"
#include "device/cuda/cuda.h"

bool (*tsl_cuda_strikes)(const char *what);

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
