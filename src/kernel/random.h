/* Random numbers by their place: element (i,j) of a matrix depends on the seed, i and j alone, so that it is the same whoever
 * computes it. A column is a stream of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014) whose beginning is a hash of seed
 * and column.
 *
 * Used by host and device. */
#ifndef TSL_RANDOM_H
#define TSL_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define TSL_RANDOM_INLINE static inline __host__ __device__
#else
#define TSL_RANDOM_INLINE static inline
#endif

TSL_RANDOM_INLINE uint64_t tsl_random_mixed(uint64_t h)
{
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return h ^ h >> 31;
}

/* part: 0 of a real element, 0 and 1 of a complex one's real and imaginary part */
TSL_RANDOM_INLINE uint64_t tsl_random_bits(uint64_t seed, int64_t i, int64_t j, int part)
{
    const uint64_t step = 0x9e3779b97f4a7c15u;
    uint64_t column = tsl_random_mixed(tsl_random_mixed(seed + step) + step * ((uint64_t)j + 1));
    return tsl_random_mixed(column + step * (2 * (uint64_t)i + (uint64_t)part + 1));
}

/* Of -1 <= x < 1, all equally likely: multiples of 2^-52, and of 2^-23 */
TSL_RANDOM_INLINE double tsl_random_double(uint64_t bits) { return (double)(bits >> 11) * 0x1p-52 - 1; }
TSL_RANDOM_INLINE float tsl_random_float(uint64_t bits) { return (float)(bits >> 40) * 0x1p-23f - 1; }

#endif
