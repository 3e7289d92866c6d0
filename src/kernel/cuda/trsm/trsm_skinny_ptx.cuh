/* The machine instructions the skinny triangular solve needs by name. */
#ifndef TSL_CUDA_TRSM_SKINNY_PTX_CUH
#define TSL_CUDA_TRSM_SKINNY_PTX_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#include "kernel/cuda/exchange.cuh"
#include "kernel/cuda/mma.cuh"
#include "kernel/cuda/scalar.cuh"

namespace tsl {
namespace skinny {

__device__ inline unsigned char *shared_memory()
{
    extern __shared__ __align__(16) unsigned char memory[];
    return memory;
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
