#include "device/cuda/backend.h"

static cudaError_t take(const tsl_cuda_state *s, size_t bytes, void **p)
{
    static const char name[] = "cudaMallocFromPoolAsync";
    cudaError_t e = tsl_cuda_struck(name) ? cudaErrorMemoryAllocation : cudaMallocFromPoolAsync(p, bytes, s->pool, s->stream);
    if (e != cudaSuccess)
        (void)cudaGetLastError();
    return e;
}

/* The allocation is waited for, so the memory can be used on any queue at once. */
tsl_status tsl_cuda_alloc(tsl_device *dev, size_t bytes, void **p)
{
    tsl_cuda_state *s = dev->state;
    *p = NULL;
    tsl_status st = tsl_cuda_use(dev);
    if (st != TSL_OK)
        return st;
    cudaError_t e = take(s, bytes, p);
    if (e == cudaErrorMemoryAllocation) {
        /* blocks the pool keeps may be in the way, none of them being large enough */
        (void)tsl_cuda_check(cudaMemPoolTrimTo(s->pool, 0), "cudaMemPoolTrimTo");
        e = take(s, bytes, p);
    }
    st = tsl_cuda_status(e, "cudaMallocFromPoolAsync");
    if (st != TSL_OK)
        return st;
    st = tsl_cuda_waited(cudaStreamSynchronize(s->stream), "cudaStreamSynchronize");
    if (st != TSL_OK) {
        tsl_cuda_release(dev, *p);
        *p = NULL;
    }
    return st;
}

/* The caller has waited for all that used p. The stream knows its device. */
void tsl_cuda_release(tsl_device *dev, void *p)
{
    tsl_cuda_state *s = dev->state;
    tsl_device_entry();
    if (p && tsl_cuda_check(cudaFreeAsync(p, s->stream), "cudaFreeAsync") == TSL_OK)
        (void)tsl_cuda_waited(cudaStreamSynchronize(s->stream), "cudaStreamSynchronize");
}

bool tsl_cuda_owns(const tsl_device *dev, const void *p)
{
    struct cudaPointerAttributes a;
    if (tsl_cuda_use(dev) != TSL_OK)
        return false;
    if (cudaPointerGetAttributes(&a, p) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return a.type == cudaMemoryTypeManaged || (a.type == cudaMemoryTypeDevice && a.device == dev->ordinal);
}

/* What the caller's allocator has given may be of any kind. */
bool tsl_cuda_seen_by(const tsl_device *dev, int ordinal)
{
    const tsl_cuda_state *s = dev->state;
    struct cudaMemLocation peer = {.type = cudaMemLocationTypeDevice, .id = ordinal};
    enum cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
    if (ordinal == dev->ordinal)
        return true;
    if (dev->hooked || tsl_cuda_use(dev) != TSL_OK)
        return false;
    return tsl_cuda_check(cudaMemPoolGetAccess(&access, s->pool, &peer), "cudaMemPoolGetAccess") == TSL_OK &&
           access == cudaMemAccessFlagsProtReadWrite;
}

tsl_status tsl_cuda_copy2d(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                           tsl_direction dir)
{
    static const enum cudaMemcpyKind kinds[] = {
        [TSL_TO_DEVICE] = cudaMemcpyHostToDevice, [TSL_TO_HOST] = cudaMemcpyDeviceToHost, [TSL_PEER] = cudaMemcpyDefault};
    const tsl_device *dev = tsl_head(q)->dev;
    const tsl_cuda_state *s = dev->state;
    cudaStream_t stream = tsl_cuda(q)->stream;
    if (rows == 0 || cols == 0)
        return TSL_OK;
    tsl_status st = tsl_cuda_use(dev);
    if (st != TSL_OK)
        return st;
    if (dir != TSL_PEER && tsl_cuda_fits_ring(rows, cols) && tsl_cuda_is_pageable(dir == TSL_TO_DEVICE ? src : dst))
        return tsl_cuda_staged_copy(tsl_cuda(q), dst, dst_pitch, src, src_pitch, rows, cols, dir);
    if (cols == 1 || (dst_pitch == rows && src_pitch == rows))
        return tsl_cuda_check(cudaMemcpyAsync(dst, src, rows * cols, kinds[dir], stream), "cudaMemcpyAsync");
    if (dst_pitch <= s->max_pitch && src_pitch <= s->max_pitch)
        return tsl_cuda_check(cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, rows, cols, kinds[dir], stream),
                              "cudaMemcpy2DAsync");
    for (size_t j = 0; j < cols && st == TSL_OK; j++)
        st = tsl_cuda_check(
            cudaMemcpyAsync((char *)dst + j * dst_pitch, (const char *)src + j * src_pitch, rows, kinds[dir], stream),
            "cudaMemcpyAsync");
    return st;
}
