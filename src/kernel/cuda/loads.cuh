/* Loads of a matrix no one writes, with a condition. */
#ifndef TSL_CUDA_LOADS_CUH
#define TSL_CUDA_LOADS_CUH

#include "kernel/cuda/scalar.cuh"

namespace tsl {

/* V neighbouring elements, loaded together. */
template <class T, int V> struct alignas(V * sizeof(T)) frag {
    T v[V];
};

/* The load instructions, by the number and type of the reals: either *p or, if not in, zeros without touching the memory.
 * A matrix is read once, so 16-byte loads bypass L1; smaller ones do not, since unaligned neighbours share sectors. Predicated
 * rather than branched around, and volatile, so that loads follow one another and stay where they are put: ahead of a barrier,
 * or of a wait. */
__device__ inline void load_reals(float (&r)[1], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.f32 %0, 0f00000000; @q ld.global.nc.f32 %0, [%1]; }"
                 : "=&f"(r[0])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(float (&r)[2], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; mov.f32 %0, 0f00000000; mov.f32 %1, 0f00000000;\n"
                 "@q ld.global.nc.v2.f32 {%0, %1}, [%2]; }"
                 : "=&f"(r[0]), "=&f"(r[1])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(float (&r)[4], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %5, 0; mov.f32 %0, 0f00000000; mov.f32 %1, 0f00000000;\n"
                 "mov.f32 %2, 0f00000000; mov.f32 %3, 0f00000000;\n"
                 "@q ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4]; }"
                 : "=&f"(r[0]), "=&f"(r[1]), "=&f"(r[2]), "=&f"(r[3])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(double (&r)[1], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %2, 0; mov.f64 %0, 0d0000000000000000; @q ld.global.nc.f64 %0, [%1]; }"
                 : "=&d"(r[0])
                 : "l"(p), "r"((unsigned)in));
}
__device__ inline void load_reals(double (&r)[2], const void *p, bool in)
{
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %3, 0; mov.f64 %0, 0d0000000000000000; mov.f64 %1, 0d0000000000000000;\n"
                 "@q ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2]; }"
                 : "=&d"(r[0]), "=&d"(r[1])
                 : "l"(p), "r"((unsigned)in));
}

template <class T, int V> __device__ frag<T, V> load_if(bool in, const T *p)
{
    constexpr int PARTS = is_complex<T> ? 2 : 1;
    real_t<T> r[V * PARTS];
    load_reals(r, p, in);
    frag<T, V> f;
#pragma unroll
    for (int v = 0; v < V; ++v) {
        if constexpr (is_complex<T>)
            f.v[v] = T{r[2 * v], r[2 * v + 1]};
        else
            f.v[v] = r[v];
    }
    return f;
}
template <class T, int V> __device__ frag<T, V> load(const T *p) { return load_if<T, V>(true, p); }

} // namespace tsl
#endif
