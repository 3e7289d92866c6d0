/* Messages between virtual host devices: by a stand-in for NCCL that takes host memory, on the queue's thread. So what is done
 * with GPUs can be tested without any. */
#include <string.h>

#include "core/values.h"
#include "device/host/host.h"
#include "device/nccl.h"

static bool there(const tsl_device *dev, char *place, size_t size)
{
    (void)dev, (void)size;
    *place = 0;
    return tsl_nccl_stands_in();
}

tsl_status tsl_host_exchange(host_queue *q, host_task *t)
{
    tsl_status st = tsl_nccl_group(&t->u.exchange.channel, NULL, t->u.exchange.message, t->u.exchange.count);
    tsl_host_free(&q->head.dev->allocator, t->u.exchange.message, tsl_times((size_t)t->u.exchange.count, sizeof *t->u.exchange.message));
    return st;
}

static tsl_status exchange(const tsl_channel *ch, tsl_queue *q, const tsl_channel_message *message, int count)
{
    const tsl_allocator *mem = &tsl_head(q)->dev->allocator;
    size_t bytes = tsl_times((size_t)count, sizeof *message);
    host_task t = {.kind = HOST_EXCHANGE, .u.exchange = {*ch, tsl_host_alloc(mem, bytes), count}};
    if (t.u.exchange.message) {
        memcpy(t.u.exchange.message, message, bytes);
        if (tsl_host_submit((host_queue *)q, &t) == TSL_OK) return TSL_OK;
        tsl_host_free(mem, t.u.exchange.message, bytes);
    }
    /* no memory for a task, and the other ends wait for this one */
    tsl_status late = tsl_host_queue_wait(q), st = tsl_nccl_group(ch, NULL, message, count);
    return late ? late : st;
}

const tsl_fabric tsl_host_fabric = {there, tsl_nccl_ticket, NULL, tsl_nccl_open, tsl_nccl_close, exchange, tsl_nccl_check};
