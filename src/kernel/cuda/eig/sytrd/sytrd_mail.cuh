/* What CTAs tell each other in a step of sytrd.cuh. */
#ifndef TSL_CUDA_SYTRD_MAIL_CUH
#define TSL_CUDA_SYTRD_MAIL_CUH

#include "kernel/cuda/exchange.cuh"

namespace tsl {
namespace sytrd {

/* The messages about an element: p and a */
template <class T> struct mail {
    static constexpr int COUNT = sizeof(T) > 8 ? 2 : 1;
    tsl_cuda_message m[COUNT];

    template <class U> static __device__ uint64_t bits(U x)
    {
        uint64_t word = 0;
        memcpy(&word, &x, sizeof x);
        return word;
    }
    static __device__ uint64_t marked(uint64_t word, unsigned mark) { return (word & ~(uint64_t)1) | mark; }

    static __device__ void send(tsl_cuda_message *set, int n, int r, T p, T a, unsigned mark)
    {
        if constexpr (sizeof(T) > 8) {
            tsl::send(set + r, bits(a.re), marked(bits(p.re), mark));
            tsl::send(set + n + r, bits(a.im), marked(bits(p.im), mark));
        } else if constexpr (sizeof(T) == 8) {
            tsl::send(set + r, bits(a), marked(bits(p), mark));
        } else {
            tsl::send(set + r, bits(a) | bits(p) << 32, mark);
        }
    }

    __device__ void look(const tsl_cuda_message *set, int n, int r)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) m[i] = tsl::look(set + i * n + r);
    }

    __device__ bool fresh(unsigned mark) const
    {
        bool all = true;
#pragma unroll
        for (int i = 0; i < COUNT; i++) all = all && (m[i].tag & 1) == mark;
        return all;
    }

    __device__ void open(T &p, T &a) const
    {
        if constexpr (sizeof(T) > 8) {
            p = {__longlong_as_double((long long)(m[0].tag & ~(uint64_t)1)), __longlong_as_double((long long)(m[1].tag & ~(uint64_t)1))};
            a = {__longlong_as_double((long long)m[0].word), __longlong_as_double((long long)m[1].word)};
        } else if constexpr (sizeof(T) == 8) {
            const uint64_t tag = m[0].tag & ~(uint64_t)1;
            memcpy(&p, &tag, sizeof p);
            memcpy(&a, &m[0].word, sizeof a);
        } else {
            a = __uint_as_float((unsigned)m[0].word);
            p = __uint_as_float((unsigned)(m[0].word >> 32));
        }
    }
};

} // namespace sytrd
} // namespace tsl
#endif
