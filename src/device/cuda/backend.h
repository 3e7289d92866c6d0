/* The parts of the CUDA backend to each other: the entries of tsl_cuda_backend by the file that has them. */
#ifndef TSL_CUDA_BACKEND_H
#define TSL_CUDA_BACKEND_H

#include "core/log.h"
#include "core/values.h"
#include "device/device.h"
#include "device/cuda/cuda.h"

/* tsl_device.state */
typedef struct tsl_cuda_state {
    cudaMemPool_t pool;  /* of this tsl_device alone, so that virtual devices on one GPU do not mix */
    cudaStream_t stream; /* orders allocations; no work runs on it */
    size_t max_pitch;    /* largest column pitch of a 2-d copy */
} tsl_cuda_state;

/* backend.c: makes the device the calling thread's. A context may be used from any thread, and the runtime's current device
 * belongs to the thread, so every entry that needs a device begins with this. */
tsl_status tsl_cuda_use(const tsl_device *dev);

/* memory.c */
tsl_status tsl_cuda_alloc(tsl_device *dev, size_t bytes, void **p);
void tsl_cuda_release(tsl_device *dev, void *p);
bool tsl_cuda_owns(const tsl_device *dev, const void *p);
bool tsl_cuda_seen_by(const tsl_device *dev, int ordinal);
tsl_status tsl_cuda_copy2d(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                           tsl_direction dir);
/* words.c: numbers that the host waits for. Pinned memory spares each the driver's own staging. */
tsl_status tsl_cuda_clear(tsl_queue *q, void *p, size_t bytes);
tsl_status tsl_cuda_read(tsl_queue *q, void *to, const void *from, size_t bytes);
tsl_status tsl_cuda_shared_open(tsl_device *dev, size_t bytes, void **p);
void tsl_cuda_shared_close(tsl_device *dev, void *p);
void tsl_cuda_words_close(tsl_cuda_queue *c);

/* queue.c */
tsl_status tsl_cuda_queue_open(tsl_device *dev, int priority, void *adopt, tsl_queue **q);
void tsl_cuda_queue_close(tsl_queue *q);
tsl_status tsl_cuda_queue_wait(tsl_queue *q);
void *tsl_cuda_queue_native(tsl_queue *q);
tsl_status tsl_cuda_queue_after(tsl_queue *q, void *native, tsl_event *e);
tsl_status tsl_cuda_queue_before(tsl_queue *q, void *native, tsl_event *e);
tsl_status tsl_cuda_in_order(tsl_queue *q, cudaStream_t first, cudaStream_t second, tsl_event *e); /* event.c */
tsl_status tsl_cuda_prepare(tsl_queue *q);
tsl_status tsl_cuda_launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l);

/* part.c */
tsl_status tsl_cuda_queue_leave_room(tsl_queue *q, int spare, tsl_event *e);
void tsl_cuda_parts_close(tsl_cuda_queue *c);

/* staging.c: pageable host memory by way of pinned buffers. To the device it returns when the source has been read, to the host
 * when all is there. */
bool tsl_cuda_is_pageable(const void *host);
bool tsl_cuda_fits_ring(size_t rows, size_t cols); /* a block for which that pays */
tsl_status tsl_cuda_staged_copy(tsl_cuda_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows,
                                size_t cols, tsl_direction dir);
void tsl_cuda_ring_close(tsl_cuda_queue *q);

/* notify.c */
tsl_status tsl_cuda_notify_open(tsl_cuda_queue *c); /* what notices need, if it is not there yet */
tsl_status tsl_cuda_notify(tsl_queue *q, const tsl_notice *n);
void tsl_cuda_notify_close(tsl_cuda_queue *q);

/* event.c */
tsl_status tsl_cuda_event_open(tsl_device *dev, tsl_event **e);
void tsl_cuda_event_close(tsl_device *dev, tsl_event *e);
tsl_status tsl_cuda_event_record(tsl_queue *q, tsl_event *e);
tsl_status tsl_cuda_event_after(tsl_queue *q, tsl_event *e);
tsl_status tsl_cuda_event_wait(tsl_event *e);
bool tsl_cuda_event_reached(tsl_event *e);
tsl_status tsl_cuda_event_elapsed(tsl_event *from, tsl_event *to, double *seconds);

/* fabric.c */
extern const tsl_fabric tsl_cuda_fabric;

/* span.c: device times of traced launches and messages. What cannot be traced is done all the same. */
bool tsl_cuda_span_begin(tsl_cuda_queue *q, const char *name, const char *category); /* false: not traced, no end */
void tsl_cuda_span_end(tsl_cuda_queue *q);
void tsl_cuda_span_flush(tsl_cuda_queue *q); /* the queue is idle: writes them to the trace */
void tsl_cuda_span_close(tsl_cuda_queue *q);

#endif
