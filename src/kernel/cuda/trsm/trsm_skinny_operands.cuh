/* The moving parts of the solve kernel: its shape, tiles of M on their way from global memory to registers, X on its way from
 * L2 to shared memory, and the products of the two. */
#ifndef TSL_CUDA_TRSM_SKINNY_OPERANDS_CUH
#define TSL_CUDA_TRSM_SKINNY_OPERANDS_CUH

#include "kernel/cuda/trsm/trsm_skinny.cuh"

namespace tsl {
namespace skinny {

constexpr size_t SM_BYTES = 228 << 10; /* shared memory of a multiprocessor, on Hopper */

template <class T, int W, int NT> struct solve_shape {
    static constexpr int PL = PLANES<T>, NB = 16 * W, THREADS = 32 * W, COLUMNS = 8 * NT;
    using left = left_layout<PL, W>;
    using right = right_layout<PL, W, NT>;
    static constexpr int DEPTH = sizeof(T) == 16 ? 2 : 4; /* steps of M in flight; a divisor of W */
    static constexpr int EXCHANGE = right::TOTAL;         /* double2 of an X */
    static constexpr int WORDS = EXCHANGE / THREADS;      /* of them a thread moves */
    static constexpr int CAP = PL * NT <= 2 ? 3 : 2;      /* CTAs an SM's registers allow */
    static constexpr size_t bytes(int buffers) { return (left::TOTAL + buffers * right::TOTAL) * sizeof(double2) + 16; }
    static constexpr int fit(int buffers)
    {
        const int n = (int)(SM_BYTES / (bytes(buffers) + 1024));
        return n < CAP ? n : CAP;
    }
    static constexpr int BUFFERS = fit(1) > fit(2) ? 1 : 2; /* for X: two spare a barrier, unless they cost a CTA */
    static constexpr size_t BYTES = bytes(BUFFERS);
    static constexpr int PER_SM = fit(BUFFERS);
    static_assert(PER_SM >= 1 && W % DEPTH == 0, "");
};

/* The rows of M a lane feeds to the tensor cores, 16 columns at a time. */
template <class T> struct stream {
    const T *upper, *lower; /* rows g and g + 8 of the warp's sixteen */
    int64_t quad;           /* four columns on */
    int left;               /* steps to go */
    __device__ void next(T (&a)[8])
    {
        if (left-- > 0) {
#pragma unroll
            for (int q = 0; q < 4; q++) {
                a[2 * q] = load_now(upper);
                a[2 * q + 1] = load_now(lower);
                upper += quad;
                lower += quad;
            }
        }
    }
};

/* d += a x for a 16 x 16 left operand and step s of a right operand in shared memory */
template <int PL, int NT> __device__ void step(double (&d)[NT][PL][4], const double (&a)[PL][8], const double2 *x, int s)
{
    const int lane = threadIdx.x % 32;
    double minus[8];
    if constexpr (PL == 2)
#pragma unroll
        for (int e = 0; e < 8; e++) minus[e] = -a[1][e];
#pragma unroll
    for (int nt = 0; nt < NT; nt++) {
        double b[PL][4];
#pragma unroll
        for (int pl = 0; pl < PL; pl++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const double2 v = x[(((s * NT + nt) * PL + pl) * 2 + h) * 32 + lane];
                b[pl][2 * h] = v.x;
                b[pl][2 * h + 1] = v.y;
            }
        mma16(d[nt][0], a[0], b[0]);
        if constexpr (PL == 2) {
            mma16(d[nt][1], a[0], b[1]);
            mma16(d[nt][0], minus, b[1]);
            mma16(d[nt][1], a[1], b[0]);
        }
    }
}

/* Step s of a left operand in shared memory. */
template <int PL> __device__ void take(double (&a)[PL][8], const double2 *left, int s)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int pl = 0; pl < PL; pl++)
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const double2 v = left[(s * PL + pl) * 128 + q * 32 + lane];
            a[pl][2 * q] = v.x;
            a[pl][2 * q + 1] = v.y;
        }
}

/* d += left x, steps 0 .. steps-1 */
template <int PL, int NT> __device__ void apply(double (&d)[NT][PL][4], const double2 *left, const double2 *x, int steps)
{
#pragma unroll 2
    for (int s = 0; s < steps; s++) {
        double a[PL][8];
        take<PL>(a, left, s);
        step<PL, NT>(d, a, x, s);
    }
}

/* The share of one of THREADS neighbouring threads in an X on its way from L2 to shared memory. */
template <int WORDS, int THREADS> struct inbox {
    ulonglong2 v[WORDS];
    __device__ static ulonglong2 look(const double2 *from, int q)
    {
        return load_relaxed((const ulonglong2 *)from + q * THREADS + threadIdx.x % THREADS);
    }
    __device__ void fetch(const double2 *from)
    {
#pragma unroll
        for (int q = 0; q < WORDS; q++) v[q] = look(from, q);
    }
    __device__ bool waiting() const
    {
        bool yes = false;
#pragma unroll
        for (int q = 0; q < WORDS; q++) yes |= v[q].x == EMPTY || v[q].y == EMPTY;
        return yes;
    }
    /* patient: this X was not due yet, and those who need it first should have the memory system to themselves */
    __device__ void await(const double2 *from, bool patient)
    {
        while (__any_sync(~0u, waiting())) {
            if (patient) __nanosleep(100);
#pragma unroll
            for (int q = 0; q < WORDS; q++)
                if (v[q].x == EMPTY || v[q].y == EMPTY) v[q] = look(from, q);
        }
    }
    __device__ void put(double2 *to) const
    {
#pragma unroll
        for (int q = 0; q < WORDS; q++) ((ulonglong2 *)to)[q * THREADS + threadIdx.x % THREADS] = v[q];
    }
};

template <class S> __device__ wide<S::PL> get(const double2 *x, int k, int c)
{
    wide<S::PL> v;
#pragma unroll
    for (int pl = 0; pl < S::PL; pl++) part(v, pl) = ((const double *)x)[S::right::at(k, c, pl)];
    return v;
}
template <class S> __device__ void set(double2 *x, int k, int c, wide<S::PL> v)
{
#pragma unroll
    for (int pl = 0; pl < S::PL; pl++) ((double *)x)[S::right::at(k, c, pl)] = part(v, pl);
}

} // namespace skinny
} // namespace tsl
#endif
