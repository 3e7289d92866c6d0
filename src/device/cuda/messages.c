#include <limits.h>

#include "device/cuda/messages.h"

static tsl_status clear(tsl_cuda_queue *q)
{
    tsl_status st = tsl_cuda_check(cudaMemsetAsync(q->messages, 0, TSL_CUDA_MESSAGE_BYTES, q->stream), "cudaMemsetAsync");
    q->epoch = 0;
    if (st != TSL_OK)
        tsl_cuda_messages_close(q); /* what old messages say must not be taken for new */
    return st;
}

static tsl_status open_messages(tsl_cuda_queue *q)
{
    tsl_status st = tsl_device_alloc(q->head.dev, TSL_CUDA_MESSAGE_BYTES, &q->messages);
    return st == TSL_OK ? clear(q) : st;
}

tsl_status tsl_cuda_messages(tsl_cuda_queue *q, unsigned epochs, tsl_cuda_message **messages, unsigned *epoch)
{
    tsl_status st = TSL_OK;
    if (!q->messages)
        st = open_messages(q);
    else if (epochs >= UINT_MAX - q->epoch) /* all numbers are taken: the first again */
        st = clear(q);
    *messages = q->messages;
    *epoch = q->epoch + 1;
    q->epoch += epochs;
    return st;
}

void tsl_cuda_messages_close(tsl_cuda_queue *q)
{
    if (q->messages)
        tsl_device_release(q->head.dev, q->messages);
    q->messages = NULL;
}
