/* Messages between the CTAs of one kernel. A queue has a buffer for them, which begins as zeros. A kernel takes numbers,
 * epochs, that no kernel before it on the queue has taken, and puts one into each message's tag: so what is read there is known
 * to be new, and nothing has to be cleared. A message is stored and read as a whole
 * (kernel/cuda/exchange.cuh). */
#ifndef TSL_CUDA_MESSAGES_H
#define TSL_CUDA_MESSAGES_H

#include "device/cuda/cuda.h"

#define TSL_CUDA_MESSAGE_BYTES ((size_t)288 << 10)

typedef struct __attribute__((aligned(16))) tsl_cuda_message {
    uint64_t word, tag;
} tsl_cuda_message;

#ifdef __cplusplus
extern "C" {
#endif

/* messages.c: the queue's buffer, and the first of `epochs` numbers, none of which is zero */
tsl_status tsl_cuda_messages(tsl_cuda_queue *q, unsigned epochs, tsl_cuda_message **messages, unsigned *epoch);
void tsl_cuda_messages_close(tsl_cuda_queue *q);

#ifdef __cplusplus
}
#endif

#endif
