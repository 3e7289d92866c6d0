/* Products of double precision on the tensor cores. */
#ifndef TSL_CUDA_MMA_CUH
#define TSL_CUDA_MMA_CUH

namespace tsl {

/* D += A B in double on the tensor cores. With g = lane / 4 and t = lane % 4 a lane holds
 *   a = A(g,t)    b = B(t,g)    d = D(g,2t), D(g,2t+1) */
__device__ inline void mma4(double &d0, double &d1, double a, double b)
{
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b));
}

/* and of the larger ones
 *   a[2q], a[2q+1] = A(g, t+4q), A(g+8, t+4q)    b[q] = B(t+4q, g)    d = D(g,2t), D(g,2t+1), D(g+8,2t), D(g+8,2t+1).
 * Before sm_90 these are a sequence of the small one: A's halves of rows, four columns at a time. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <int Q> __device__ void mma4s(double (&d)[4], const double (&a)[2 * Q], const double (&b)[Q])
{
#pragma unroll
    for (int q = 0; q < Q; q++) {
        mma4(d[0], d[1], a[2 * q], b[q]);
        mma4(d[2], d[3], a[2 * q + 1], b[q]);
    }
}
__device__ inline void mma8(double (&d)[4], const double (&a)[4], const double (&b)[2]) { mma4s<2>(d, a, b); }
__device__ inline void mma16(double (&d)[4], const double (&a)[8], const double (&b)[4]) { mma4s<4>(d, a, b); }
#else
__device__ inline void mma8(double (&d)[4], const double (&a)[4], const double (&b)[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

__device__ inline void mma16(double (&d)[4], const double (&a)[8], const double (&b)[4])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "
        "{%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
}
#endif

} // namespace tsl
#endif
