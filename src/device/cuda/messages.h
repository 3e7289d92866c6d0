/* Messages between the CTAs of one kernel. A queue has a buffer for them, which begins as zeros. A kernel takes numbers,
 * epochs, that no kernel before it on the queue has taken, and puts one into each message's tag: so what is read there is known
 * to be new, and nothing has to be cleared. A message is stored and read as a whole. */
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

#ifdef __CUDACC__
__device__ inline void tsl_cuda_send(tsl_cuda_message *at, uint64_t word, uint64_t tag)
{
    asm volatile("{ .reg .b128 v; mov.b128 v, {%1, %2}; st.relaxed.gpu.global.b128 [%0], v; }" ::"l"(at), "l"(word), "l"(tag) : "memory");
}

__device__ inline tsl_cuda_message tsl_cuda_look(const tsl_cuda_message *at)
{
    tsl_cuda_message m;
    asm volatile("{ .reg .b128 v; ld.relaxed.gpu.global.b128 v, [%2]; mov.b128 {%0, %1}, v; }"
                 : "=l"(m.word), "=l"(m.tag)
                 : "l"(at)
                 : "memory");
    return m;
}
#endif
#endif
