/* QR with column pivoting, or its first steps (core/leaf.h), in one kernel, whose CTAs are on the device together and exchange
 * messages.
 *
 * A CTA has columns of the matrix, in its shared memory where there is room, and their lengths from row k on. Columns stay
 * where they are; each has a position, which exchanges change. In a round
 *   the CTAs tell the longest column they have, and how long the second one is
 *   all take the longest of these, GROUP at most, and factor them alike, by themselves: the longest first, then the next as
 *     long as what is left of it is not shorter than `share` times any other column may be
 *   each CTA reflects its columns by what was taken, and measures them anew.
 * So one exchange serves several steps, and lengths are never downdated. */
#ifndef TSL_CUDA_LAQP2_CUH
#define TSL_CUDA_LAQP2_CUH

#include "kernel/cuda/qrp/laqp2_exchange.cuh"

namespace tsl {
namespace laqp2 {

/* A CTA's part of the steps */
template <class T> struct steps : part<T> {
    using part<T>::part;
    using part<T>::p;
    using part<T>::s;
    using part<T>::tid;
    using part<T>::lane;
    using part<T>::warp;
    using part<T>::cta;
    using part<T>::first;
    using part<T>::mine;
    using part<T>::length;
    using part<T>::tail;
    using part<T>::position;
    using part<T>::S;
    using part<T>::candidate;
    using part<T>::v;
    using part<T>::column;

    /* The reflector of x from row k on, by the squares below it; elements of any size */
    __device__ eig::scaled_reflector<T> reflector_of(const T *x, int k, double below);

    /* x := (I - conj(tau) v v^H) x, by a warp, from row k on; the squares from row k + 2 on */
    __device__ double reflect(T *x, const T *v1, T tau, int k);

    /* Step k + i, if there is a candidate for it that is not used: all threads know the same */
    __device__ bool take(int k, int i, unsigned &used);

    /* The columns taken get their positions and elements; those that were there get theirs. */
    __device__ void move(int k, int taken);

    /* Columns of a warp, AT_ONCE at a time, so that their sums are under way together; then their lengths from row next on */
    template <int AT_ONCE> __device__ void reflect_all(int k, int taken);

    /* The same, where a lane has all of its rows in registers */
    template <int AT_ONCE> __device__ void reflect_short(int k, int taken);

    /* As few at once as keep all warps busy */
    __device__ void follow(int k, int taken);

    __device__ void run()
    {
        for (int j = tid; j < mine; j += THREADS) position[j] = first + j;
        for (int64_t e = tid; e < (int64_t)mine * p.m; e += THREADS) S[e] = p.A[e % p.m + (first + e / p.m) * p.lda];
        __syncthreads();
        follow(0, 0);
        int k = 0;
        for (int round = 0; k < p.steps; round++) {
            unsigned used = 0;
            int taken = 0;
            this->propose(k, round);
            this->listen(round);
            while (taken < p.group && take(k, taken, used)) taken++;
            move(k, taken);
            __syncthreads();
            follow(k, taken);
            k += taken;
        }
        /* All have read A: they have told something since. */
        for (int64_t e = tid; e < (int64_t)mine * p.m; e += THREADS) p.A[e % p.m + position[e / p.m] * p.lda] = S[e];
        for (int j = tid; j < mine; j += THREADS) p.q[position[j]] = 1 + first + j;
    }
};

extern __shared__ __align__(16) unsigned char laqp2_shared[];

template <class T> __global__ __launch_bounds__(THREADS, 1) void factor(const problem<T> p)
{
    __shared__ shared<T> s;
    steps<T>(p, s, laqp2_shared).run();
}

} // namespace laqp2
} // namespace tsl
#endif
