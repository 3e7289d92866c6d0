/* The machine instructions the skinny triangular solve needs by name. */
#ifndef TSL_CUDA_TRSM_SKINNY_PTX_CUH
#define TSL_CUDA_TRSM_SKINNY_PTX_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace skinny {

__device__ inline unsigned char *shared_memory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return memory;
}

/* D += A B in double on the tensor cores. With g = lane / 4 and t = lane % 4 a lane holds
 *   a[2q], a[2q+1] = A(g, t+4q), A(g+8, t+4q)    b[q] = B(t+4q, g)    d = D(g,2t), D(g,2t+1), D(g+8,2t), D(g+8,2t+1).
 * Before sm_90 there is only the 8 x 8 x 4 product, of which these are a sequence: A's halves of rows, four columns at a time. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
__device__ inline void mma4(double &d0, double &d1, double a, double b)
{
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b));
}
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

/* Words another CTA may be writing: single-copy atomic, from and to L2. */
__device__ inline ulonglong2 load_relaxed(const ulonglong2 *p)
{
    ulonglong2 v;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0,%1}, [%2];" : "=l"(v.x), "=l"(v.y) : "l"(p));
    return v;
}
__device__ inline void store_relaxed(double *p, double v)
{
    asm volatile("st.relaxed.gpu.global.f64 [%0], %1;" ::"l"(p), "d"(v));
}

/* Loads of data no one writes. Volatile, so that they are issued where they stand: before a wait, not after it. */
__device__ inline float load_now(const float *p)
{
    float v;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}
__device__ inline double load_now(const double *p)
{
    double v;
    asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(v) : "l"(p));
    return v;
}
__device__ inline double2 load_now(const double2 *p)
{
    double2 v;
    asm volatile("ld.global.nc.v2.f64 {%0,%1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
    return v;
}
__device__ inline cplx<float> load_now(const cplx<float> *p)
{
    cplx<float> v;
    asm volatile("ld.global.nc.v2.f32 {%0,%1}, [%2];" : "=f"(v.re), "=f"(v.im) : "l"(p));
    return v;
}
__device__ inline cplx<double> load_now(const cplx<double> *p)
{
    cplx<double> v;
    asm volatile("ld.global.nc.v2.f64 {%0,%1}, [%2];" : "=d"(v.re), "=d"(v.im) : "l"(p));
    return v;
}

/* To L2. */
__device__ inline void prefetch(const void *p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

/* v is in a register here, and not merely known how to get. */
__device__ inline void keep(double &v) { asm volatile("" : "+d"(v)); }

__device__ inline void copy_async(double2 *shared, const double2 *global)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(shared)), "l"(global)
                 : "memory");
}
__device__ inline void copy_async_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

} // namespace skinny
} // namespace tsl
#endif
