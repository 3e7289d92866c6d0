/* The largest and the least of many numbers, NaN where one is NaN. Not by fmax and fmin: these pass over NaN, and of such a
 * loop over floats, in double, gcc 12 for aarch64 dies at -O3 (scripts/check-largest finds them). For C and CUDA. */
#ifndef TSL_LARGEST_H
#define TSL_LARGEST_H

#ifdef __CUDACC__
#define TSL_LARGEST_INLINE static inline __host__ __device__
#else
#define TSL_LARGEST_INLINE static inline
#endif

/* The larger, and the smaller, of two numbers, or the NaN among them */
TSL_LARGEST_INLINE double tsl_larger(double a, double b) { return b > a || b != b ? b : a; }
TSL_LARGEST_INLINE double tsl_smaller(double a, double b) { return b < a || b != b ? b : a; }

#endif
