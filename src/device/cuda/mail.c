#include <limits.h>

#include "device/cuda/mail.h"

static tsl_status clear(tsl_cuda_queue *q)
{
    tsl_status st = tsl_cuda_check(cudaMemsetAsync(q->mail, 0, TSL_CUDA_MAIL_BYTES, q->stream), "cudaMemsetAsync");
    q->epoch = 0;
    if (st != TSL_OK)
        tsl_cuda_mail_close(q); /* what old messages say must not be taken for new */
    return st;
}

static tsl_status open_mail(tsl_cuda_queue *q)
{
    tsl_status st = tsl_device_alloc(q->head.dev, TSL_CUDA_MAIL_BYTES, &q->mail);
    return st == TSL_OK ? clear(q) : st;
}

tsl_status tsl_cuda_mail(tsl_cuda_queue *q, unsigned epochs, tsl_cuda_message **mail, unsigned *epoch)
{
    tsl_status st = TSL_OK;
    if (!q->mail)
        st = open_mail(q);
    else if (epochs >= UINT_MAX - q->epoch) /* all numbers are taken: the first again */
        st = clear(q);
    *mail = q->mail;
    *epoch = q->epoch + 1;
    q->epoch += epochs;
    return st;
}

void tsl_cuda_mail_close(tsl_cuda_queue *q)
{
    if (q->mail)
        tsl_device_release(q->head.dev, q->mail);
    q->mail = NULL;
}
