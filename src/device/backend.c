/* The backends of this build, in the order in which a default is looked for. */
#include "device/device.h"

#ifdef TSL_WITH_CUDA
extern const tsl_backend tsl_cuda_backend;
#endif

const tsl_backend *const tsl_backends[] = {
#ifdef TSL_WITH_CUDA
    &tsl_cuda_backend,
#endif
    &tsl_host_backend,
    NULL,
};
