/* A cuBLAS handle per queue. Its workspace is the queue's own and counted as the device's memory: with cuBLAS's shared default
 * results could differ from run to run when several queues compute at once. */
#include "device/device.h"
#include "device/cuda/cublas.h"

/* What NVIDIA recommends for Hopper, and the least it recommends for any processor. */
#define WORKSPACE_BYTES ((size_t)32 << 20)
#define WORKSPACE_LEAST ((size_t)4 << 20)
#define WORKSPACE_ALIGN ((size_t)256)

/* Of what the device may hold at most a 64th, so that all queues together leave nearly all of it to tiles; 0, which leaves cuBLAS its
 * default, where that is too little to be of use. */
static size_t workspace_bytes(const tsl_device *dev)
{
    size_t share = dev->limit / 64;
    if (share >= WORKSPACE_BYTES)
        return WORKSPACE_BYTES;
    return share < WORKSPACE_LEAST ? 0 : share / WORKSPACE_ALIGN * WORKSPACE_ALIGN;
}

tsl_status tsl_cuda_cublas_bind(tsl_cuda_queue *q)
{
    if (!q->cublas)
        return TSL_OK;
    const tsl_cublas *lib = tsl_cublas_get();
    /* before the workspace, because it puts the default one back */
    tsl_status st = tsl_cublas_check(lib->set_stream(q->cublas, q->stream), "cublasSetStream");
    if (st == TSL_OK && q->cublas_workspace)
        st = tsl_cublas_check(lib->set_workspace(q->cublas, q->cublas_workspace, workspace_bytes(q->head.dev)), "cublasSetWorkspace");
    return st;
}

static tsl_status open_handle(tsl_cuda_queue *q, const tsl_cublas *lib)
{
    size_t bytes = workspace_bytes(q->head.dev);
    tsl_status st = tsl_cublas_check(lib->create(&q->cublas), "cublasCreate");
    /* no TF32: a float product keeps the accuracy of float */
    if (st == TSL_OK)
        st = tsl_cublas_check(lib->set_math_mode(q->cublas, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    if (st == TSL_OK && bytes > 0)
        st = tsl_device_alloc(q->head.dev, bytes, &q->cublas_workspace);
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
