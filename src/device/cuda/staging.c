/* Pageable host memory. The driver copies it through one thread and a small buffer of its own; here all cores pack pieces into
 * a ring of pinned buffers, from which the copy engine takes them at its full speed, while the next piece is packed. */
#include "device/cuda/backend.h"

enum { BUFFERS = 4 };
static const size_t BUFFER_BYTES = (size_t)8 << 20;
static const size_t LEAST_BYTES = (size_t)1 << 20; /* less is not worth packing, or a piece of its own */

struct tsl_cuda_ring {
    pthread_mutex_t lock;  /* several threads may put copies on one queue */
    char *buffer[BUFFERS]; /* pinned */
    cudaEvent_t free[BUFFERS];
    int next;
};

static tsl_status open_ring(tsl_cuda_queue *q)
{
    struct tsl_cuda_ring *r = tsl_host_alloc(&q->head.dev->allocator, sizeof *r);
    if (r && pthread_mutex_init(&r->lock, NULL)) {
        tsl_host_free(&q->head.dev->allocator, r, sizeof *r);
        r = NULL;
    }
    tsl_status st = r ? TSL_OK : TSL_ERR_MEMORY;
    q->ring = r;
    for (int i = 0; i < BUFFERS && st == TSL_OK; i++) {
        st = tsl_cuda_check(cudaHostAlloc((void **)&r->buffer[i], BUFFER_BYTES, cudaHostAllocDefault), "cudaHostAlloc");
        if (st == TSL_OK)
            st = tsl_cuda_check(cudaEventCreateWithFlags(&r->free[i], cudaEventDisableTiming), "cudaEventCreate");
    }
    if (st != TSL_OK)
        tsl_cuda_ring_close(q);
    return st;
}

void tsl_cuda_ring_close(tsl_cuda_queue *q)
{
    struct tsl_cuda_ring *r = q->ring;
    if (!r)
        return;
    for (int i = 0; i < BUFFERS; i++) {
        if (r->buffer[i])
            (void)tsl_cuda_check(cudaFreeHost(r->buffer[i]), "cudaFreeHost");
        if (r->free[i])
            (void)tsl_cuda_check(cudaEventDestroy(r->free[i]), "cudaEventDestroy");
    }
    pthread_mutex_destroy(&r->lock);
    tsl_host_free(&q->head.dev->allocator, r, sizeof *r);
    q->ring = NULL;
}

bool tsl_cuda_is_pageable(const void *host)
{
    struct cudaPointerAttributes a;
    if (cudaPointerGetAttributes(&a, host) != cudaSuccess) {
        (void)cudaGetLastError();
        return true;
    }
    return a.type == cudaMemoryTypeUnregistered;
}

/* Columns at a time, as many as fit a buffer. */
static size_t columns(size_t rows) { return BUFFER_BYTES / rows; }

bool tsl_cuda_fits_ring(size_t rows, size_t cols) { return rows <= BUFFER_BYTES && rows * cols >= LEAST_BYTES; }

static tsl_status to_device(tsl_cuda_queue *q, char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols)
{
    struct tsl_cuda_ring *r = q->ring;
    tsl_status st = TSL_OK;
    for (size_t at = 0, n; at < cols && st == TSL_OK; at += n) {
        int i = r->next;
        n = cols - at < columns(rows) ? cols - at : columns(rows);
        r->next = (i + 1) % BUFFERS;
        st = tsl_cuda_waited(cudaEventSynchronize(r->free[i]), "cudaEventSynchronize");
        if (st != TSL_OK)
            break;
        tsl_thread_pool_move(r->buffer[i], rows, src + at * src_pitch, src_pitch, rows, n);
        st = tsl_cuda_check(cudaMemcpy2DAsync(dst + at * dst_pitch, dst_pitch, r->buffer[i], rows, rows, n, cudaMemcpyHostToDevice,
                                              q->stream), "cudaMemcpy2DAsync");
        if (st == TSL_OK)
            st = tsl_cuda_check(cudaEventRecord(r->free[i], q->stream), "cudaEventRecord");
    }
    return st;
}

/* All buffers are on their way before the first is waited for; a block that would fit one of them is shared out, so that its
 * first part is unpacked while the rest is on its way. */
static tsl_status to_host(tsl_cuda_queue *q, char *dst, size_t dst_pitch, const char *src, size_t src_pitch, size_t rows, size_t cols)
{
    struct tsl_cuda_ring *r = q->ring;
    size_t share = (cols - 1) / BUFFERS + 1, least = (LEAST_BYTES - 1) / rows + 1, step = share < least ? least : share;
    if (step > columns(rows)) step = columns(rows);
    size_t pieces = (cols - 1) / step + 1;
    tsl_status st = TSL_OK;
    for (size_t p = 0; p < pieces + BUFFERS - 1 && st == TSL_OK; p++) {
        if (p >= BUFFERS - 1) {
            size_t done = p - (BUFFERS - 1), at = done * step, n = cols - at < step ? cols - at : step;
            if (done < pieces) {
                st = tsl_cuda_waited(cudaEventSynchronize(r->free[done % BUFFERS]), "cudaEventSynchronize");
                if (st == TSL_OK)
                    tsl_thread_pool_move(dst + at * dst_pitch, dst_pitch, r->buffer[done % BUFFERS], rows, rows, n);
            }
        }
        if (p < pieces && st == TSL_OK) {
            size_t at = p * step, n = cols - at < step ? cols - at : step;
            st = tsl_cuda_check(cudaMemcpy2DAsync(r->buffer[p % BUFFERS], rows, src + at * src_pitch, src_pitch, rows, n,
                                                  cudaMemcpyDeviceToHost, q->stream), "cudaMemcpy2DAsync");
            if (st == TSL_OK)
                st = tsl_cuda_check(cudaEventRecord(r->free[p % BUFFERS], q->stream), "cudaEventRecord");
        }
    }
    return st;
}

tsl_status tsl_cuda_staged_copy(tsl_cuda_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows,
                                size_t cols, tsl_direction dir)
{
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&opening);
    tsl_status st = q->ring ? TSL_OK : open_ring(q);
    pthread_mutex_unlock(&opening);
    if (st != TSL_OK)
        return st;
    pthread_mutex_lock(&q->ring->lock);
    st = dir == TSL_TO_DEVICE ? to_device(q, dst, dst_pitch, src, src_pitch, rows, cols)
                              : to_host(q, dst, dst_pitch, src, src_pitch, rows, cols);
    pthread_mutex_unlock(&q->ring->lock);
    return st;
}
