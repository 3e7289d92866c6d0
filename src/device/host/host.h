/* The host backend's queue: an ordered list of tasks and the thread that works through it, once there are any. */
#ifndef TSL_HOST_H
#define TSL_HOST_H

#include <stdatomic.h>

#include "device/device.h"

typedef enum host_task_kind { HOST_KERNEL, HOST_COPY, HOST_RECORD, HOST_AFTER, HOST_NOTIFY, HOST_EXCHANGE } host_task_kind;

typedef struct host_task {
    struct host_task *next;
    host_task_kind kind;
    union {
        struct { tsl_kernel fn; tsl_leaf leaf; } kernel;
        struct { void *dst; const void *src; size_t dst_pitch, src_pitch, rows, cols; } copy;
        struct { struct tsl_event *event; uint64_t turn; } event;
        tsl_notice notify;
        struct { tsl_channel channel; tsl_channel_message *message; int count; } exchange; /* the list is the task's */
    } u;
} host_task;

typedef struct host_queue {
    tsl_queue_head head;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    host_task *first, *last; /* waiting */
    host_task *spare;        /* done, kept for reuse */
    atomic_int busy;         /* tasks waiting or running */
    bool started, closing;   /* its thread */
    tsl_status error; /* first; while it is set, kernels and copies are passed over */
} host_queue;

/* The k-th record of an event is its turn k; `done` is the latest turn reached. */
struct tsl_event {
    pthread_mutex_t lock;
    pthread_cond_t reached;
    uint64_t asked, done;
    double when;
};

/* task.c: does one task, on whatever thread; a failure becomes the queue's error */
void tsl_host_do(host_queue *q, host_task *t);
uint64_t tsl_host_turn(tsl_event *e); /* one more turn is asked for */
/* queue.c: makes both, or neither */
bool tsl_host_sync(pthread_mutex_t *lock, pthread_cond_t *changed);
/* queue.c: appends a copy of the task, or does it at once if the queue is inline */
tsl_status tsl_host_submit(host_queue *q, const host_task *t);
tsl_status tsl_host_queue_open(tsl_device *dev, int priority, void *adopt, tsl_queue **out);
void tsl_host_queue_close(tsl_queue *q);
tsl_status tsl_host_queue_wait(tsl_queue *q);

/* fabric.c */
extern const tsl_fabric tsl_host_fabric;
tsl_status tsl_host_exchange(host_queue *q, host_task *t);

/* Nothing is under way, so that the caller's thread may run a leaf itself. An error that is kept is for whoever waits. */
static inline bool tsl_host_queue_idle(const tsl_queue *q)
{
    return atomic_load_explicit(&((const host_queue *)q)->busy, memory_order_acquire) == 0;
}

#endif
