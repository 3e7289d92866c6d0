/* A cuBLAS handle per queue, with a workspace of its own: with cuBLAS's shared default results could differ from run to run
 * when several queues compute at once. Which kernels cuBLAS takes depends on the size of its workspace. So that is the same
 * under every memory limit, and not counted as part of it. */
#include "device/device.h"
#include "device/cuda/cublas.h"

#define WORKSPACE_BYTES ((size_t)32 << 20) /* what NVIDIA recommends for Hopper */

tsl_status tsl_cuda_cublas_bind(tsl_cuda_queue *q)
{
    if (!q->cublas)
        return TSL_OK;
    const tsl_cublas *lib = tsl_cublas_get();
    /* before the workspace, because it puts the default one back */
    tsl_status st = tsl_cublas_check(lib->set_stream(q->cublas, q->stream), "cublasSetStream");
    if (st == TSL_OK && q->cublas_workspace)
        st = tsl_cublas_check(lib->set_workspace(q->cublas, q->cublas_workspace, WORKSPACE_BYTES), "cublasSetWorkspace");
    return st;
}

static tsl_status open_handle(tsl_cuda_queue *q, const tsl_cublas *lib)
{
    tsl_status st = tsl_cublas_check(lib->create(&q->cublas), "cublasCreate");
    /* no TF32: a float product keeps the accuracy of float */
    if (st == TSL_OK)
        st = tsl_cublas_check(lib->set_math_mode(q->cublas, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    if (st == TSL_OK)
        st = tsl_device_alloc_beside(q->head.dev, WORKSPACE_BYTES, &q->cublas_workspace);
    if (st == TSL_OK)
        st = tsl_cuda_cublas_bind(q);
    if (st != TSL_OK)
        tsl_cuda_cublas_close(q);
    return st;
}

tsl_status tsl_cuda_cublas(tsl_cuda_queue *q, const tsl_cublas **lib, void **handle)
{
    tsl_status st = TSL_OK;
    *lib = tsl_cublas_get();
    if (!*lib)
        st = TSL_ERR_NO_DEVICE;
    else if (!q->cublas)
        st = open_handle(q, *lib);
    *handle = q->cublas;
    return st;
}

void tsl_cuda_cublas_close(tsl_cuda_queue *q)
{
    if (q->cublas)
        (void)tsl_cublas_check(tsl_cublas_get()->destroy(q->cublas), "cublasDestroy");
    if (q->cublas_workspace)
        tsl_device_release(q->head.dev, q->cublas_workspace);
    q->cublas = NULL;
    q->cublas_workspace = NULL;
}
