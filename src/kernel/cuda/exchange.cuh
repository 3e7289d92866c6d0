/* Exchange among the CTAs of one kernel, which are on the device together. One memory model, at gpu scope:
 *   word     4, 8 or 16 bytes, stored and read as a whole, relaxed: who reads finds an older one or this one, never parts of
 *            both.
 *   message  a word of 16 bytes: data, and a tag that tells it from older ones (device/cuda/messages.h). It orders nothing else
 *            and needs no fence.
 *   letter   a word of 8 bytes whose halves go with a tag each (kernel/letter.h), at the scope of the system: as a message, and
 *            also to other devices and to the host.
 *   flag     a word, or a message, after a fence (release); who has found it passes a fence, too (acquire). One thread of a CTA
 *            raises it behind a barrier, threads await it ahead of a barrier: what the one CTA wrote before its barrier, the
 *            other one reads after its own.
 * Sums of what CTAs told are made in an order that the number of CTAs alone decides: the same bits in all of them. */
#ifndef TSL_CUDA_EXCHANGE_CUH
#define TSL_CUDA_EXCHANGE_CUH

#include "device/cuda/messages.h"
#include "kernel/cuda/scalar.cuh"
#include "kernel/letter.h"

namespace tsl {

constexpr int MOST_CTAS = 160; /* of a kernel whose CTAs all tell each other something */

/* Writes that this thread knows of are seen by who passes a fence after it has found a word stored after this one. */
__device__ inline void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

/* The same for others beyond the device: before a letter, and after one */
__device__ inline void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

/* Words: W has 4 or 8 bytes. */
template <class W> __device__ W peek(const W *p)
{
    if constexpr (sizeof(W) == 4) {
        unsigned v;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
        return (W)v;
    } else {
        uint64_t v;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
        return (W)v;
    }
}

/* And with it what was written before it was published */
__device__ inline int acquire(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

template <class W> __device__ void post(W *p, W v)
{
    if constexpr (sizeof(W) == 4) asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"((unsigned)v) : "memory");
    else asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"((uint64_t)v) : "memory");
}

/* Two words of 8 bytes, and a number as a word: what tells a new one is its value. The compiler may move other accesses past
 * these. */
__device__ inline ulonglong2 load_relaxed(const ulonglong2 *p)
{
    ulonglong2 v;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0,%1}, [%2];" : "=l"(v.x), "=l"(v.y) : "l"(p));
    return v;
}
__device__ inline void store_relaxed(ulonglong2 *p, ulonglong2 v)
{
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1,%2};" ::"l"(p), "l"(v.x), "l"(v.y));
}
__device__ inline void store_relaxed(double *p, double v) { asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(p), "d"(v)); }

/* A flag: what the CTA wrote before its last barrier is there for who awaits it. */
template <class W> __device__ void publish(W *p, W v)
{
    fence();
    post(p, v);
}

/* Until holds(), which peeks, or looks, says so */
template <class F> __device__ void await(F holds)
{
    while (!holds()) {
    }
    fence();
}

/* Messages */
__device__ inline void send(tsl_cuda_message *at, uint64_t word, uint64_t tag)
{
    asm volatile("{ .reg .b128 v; mov.b128 v, {%1, %2}; st.relaxed.gpu.global.b128 [%0], v; }" ::"l"(at), "l"(word), "l"(tag)
                 : "memory");
}

__device__ inline tsl_cuda_message look(const tsl_cuda_message *at)
{
    tsl_cuda_message m;
    asm volatile("{ .reg .b128 v; ld.relaxed.gpu.global.b128 v, [%2]; mov.b128 {%0, %1}, v; }"
                 : "=l"(m.word), "=l"(m.tag)
                 : "l"(at)
                 : "memory");
    return m;
}

/* Letters. As they are in memory; and is that the one with this tag? */
__device__ inline void send(tsl_letter *at, uint64_t word, unsigned tag)
{
    const uint64_t high = (uint64_t)tag << 32;
    asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1,%2};" ::"l"(at), "l"(high | (unsigned)word), "l"(high | word >> 32)
                 : "memory");
}

__device__ inline tsl_letter look(const tsl_letter *at)
{
    tsl_letter l;
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0,%1}, [%2];" : "=l"(l.half[0]), "=l"(l.half[1]) : "l"(at) : "memory");
    return l;
}
__device__ inline bool has_tag(tsl_letter l, unsigned tag) { return l.half[0] >> 32 == tag && l.half[1] >> 32 == tag; }
__device__ inline uint64_t word_of(tsl_letter l) { return l.half[1] << 32 | (unsigned)l.half[0]; }

/* An element as one message, or two */
template <class T> struct element_message {
    static constexpr int WORDS = (sizeof(T) + 7) / 8;
    tsl_cuda_message m[WORDS];

    static __device__ __forceinline__ void send(tsl_cuda_message *at, T a, uint64_t tag)
    {
        uint64_t word[WORDS] = {};
        memcpy(word, &a, sizeof a);
#pragma unroll
        for (int w = 0; w < WORDS; w++) tsl::send(at + w, word[w], tag);
    }
    __device__ __forceinline__ void look(const tsl_cuda_message *at)
    {
#pragma unroll
        for (int w = 0; w < WORDS; w++) m[w] = tsl::look(at + w);
    }
    __device__ __forceinline__ bool has(uint64_t tag) const
    {
        bool all = true;
#pragma unroll
        for (int w = 0; w < WORDS; w++) all = all && m[w].tag == tag;
        return all;
    }
    __device__ __forceinline__ T value() const
    {
        uint64_t word[WORDS];
        T a;
#pragma unroll
        for (int w = 0; w < WORDS; w++) word[w] = m[w].word;
        memcpy(&a, word, sizeof a);
        return a;
    }
};

/* What each CTA tells all others in an exchange, as a flag: a number, and one of 32 bits. A set of messages has one of each CTA;
 * `epoch` says which exchange it is. The set is free for another exchange when all have heard this one. */
struct told {
    double value;
    unsigned number;
};

__device__ inline void tell(tsl_cuda_message *messages, int set, unsigned epoch, double value, unsigned number)
{
    fence();
    send(messages + set * MOST_CTAS + blockIdx.x, (uint64_t)__double_as_longlong(value), (uint64_t)number << 32 | epoch);
}

/* From one CTA */
__device__ inline told hear(const tsl_cuda_message *messages, int set, int cta, unsigned epoch)
{
    tsl_cuda_message m;
    await([&] { return m = look(messages + set * MOST_CTAS + cta), (unsigned)m.tag == epoch; });
    return {__longlong_as_double((long long)m.word), (unsigned)(m.tag >> 32)};
}

/* From all; one warp. Calls f with what each told, in an order of its own for each lane. */
template <class F> __device__ void hear_all(const tsl_cuda_message *messages, int set, int ctas, unsigned epoch, F f)
{
    constexpr int EACH = MOST_CTAS / 32;
    const int lane = threadIdx.x % 32;
    tsl_cuda_message m[EACH];
    await([&] {
        bool fresh = true;
#pragma unroll
        for (int i = 0; i < EACH; i++) m[i] = look(messages + set * MOST_CTAS + min(lane + 32 * i, ctas - 1));
#pragma unroll
        for (int i = 0; i < EACH; i++) fresh = fresh && (unsigned)m[i].tag == epoch;
        return __all_sync(0xffffffffu, fresh);
    });
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (lane + 32 * i < ctas) f(__longlong_as_double((long long)m[i].word), (unsigned)(m[i].tag >> 32));
}

} // namespace tsl
#endif
