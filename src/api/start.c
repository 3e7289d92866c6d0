/* The start of the library: layers register with those below them. */
#include "api/enter.h"
#include "kernel/kernels.h"
#include "ops/ops.h"
#include "tiled/tiled.h"

static tsl_status make_default(tsl_context **ctx) { return tsl_context_create(NULL, ctx); }

static void start(void)
{
    tsl_host_kernels_register();
#ifdef TSL_WITH_CUDA
    tsl_cuda_kernels_register();
#endif
    tsl_rules_register();
    tsl_algorithms_register();
    tsl_tiles_register();
    tsl_make_default = make_default;
}

void tsl_library_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
}
