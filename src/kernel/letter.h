/* A letter: a word from a kernel, or a thread of the host's, to others that are at work at the same time: of the same device,
 * of another one, or of the host. Each half of the word goes with a tag, in 8 bytes that every memory stores as a whole. Who
 * finds the tag he expects in both halves has the word, and needs no fence for it. A place is written anew when all have read
 * what was there. Here a letter is a flag, too: who finds it sees what its writer wrote before. For kernels:
 * kernel/cuda/exchange.cuh. */
#ifndef TSL_LETTER_H
#define TSL_LETTER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct __attribute__((aligned(16))) tsl_letter { uint64_t half[2]; } tsl_letter;

static inline void tsl_letter_put(tsl_letter *at, uint64_t word, uint32_t tag)
{
    __atomic_store_n(&at->half[0], (uint64_t)tag << 32 | (uint32_t)word, __ATOMIC_RELEASE);
    __atomic_store_n(&at->half[1], (uint64_t)tag << 32 | word >> 32, __ATOMIC_RELEASE);
}

/* Is it there? */
static inline bool tsl_letter_get(const tsl_letter *at, uint32_t tag, uint64_t *word)
{
    uint64_t low = __atomic_load_n(&at->half[0], __ATOMIC_ACQUIRE), high = __atomic_load_n(&at->half[1], __ATOMIC_ACQUIRE);
    *word = high << 32 | (uint32_t)low;
    return low >> 32 == tag && high >> 32 == tag;
}

#endif
