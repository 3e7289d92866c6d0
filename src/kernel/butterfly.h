/* Random butterflies (D. Parker, Random butterfly transformations, UCLA CSD-950023, 1995; M. Baboulin, J. Dongarra, J.
 * Herrmann, S. Tomov, ACM TOMS 39, 2013): U = [B1 0; 0 B2] B3, where each B is 1/sqrt(2) [R S; R -S] with random diagonal
 * matrices R and S near the identity. So of a vector of n elements the four that are q = n / 4 apart meet each other and no
 * others; the n mod 4 elements at the end are left as they are. V is another such matrix. LU of U^T A V needs no pivots where A
 * itself does, unless by rare chance.
 *
 * Used by host and device, with the same numbers on both: a hash of their index, so that nobody has to keep them. */
#ifndef TSL_BUTTERFLY_H
#define TSL_BUTTERFLY_H

#include <stdint.h>

#ifdef __CUDACC__
#define TSL_BUTTERFLY_INLINE static inline __host__ __device__
#else
#define TSL_BUTTERFLY_INLINE static inline
#endif

typedef enum tsl_butterfly_name { TSL_BUTTERFLY_U, TSL_BUTTERFLY_V } tsl_butterfly_name;

/* Of four elements: those of the outer butterfly, B3, halved, which stands for both square roots; and of the inner ones */
typedef struct tsl_butterfly {
    double outer[4], inner[4];
} tsl_butterfly;

/* Element i of the diagonal of [R 0; 0 S] in U's or V's outer (level 0) or inner butterflies: one of 2^20 numbers in 15/16 ..
 * 17/16 */
TSL_BUTTERFLY_INLINE double tsl_butterfly_number(tsl_butterfly_name name, int level, int64_t i)
{
    uint32_t h = (uint32_t)i * 0x9e3779b1u + (2 * (uint32_t)name + (uint32_t)level + 1) * 0x85ebca77u;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return 0.9375 + (double)((h ^ h >> 16) >> 12) * 0x1p-23;
}

/* Of elements i, i + q, i + 2 q, i + 3 q */
TSL_BUTTERFLY_INLINE tsl_butterfly tsl_butterfly_of(tsl_butterfly_name name, int64_t i, int64_t q)
{
    tsl_butterfly b;
    for (int a = 0; a < 4; ++a) {
        b.outer[a] = 0.5 * tsl_butterfly_number(name, 0, i + a * q);
        b.inner[a] = tsl_butterfly_number(name, 1, i + a * q);
    }
    return b;
}

/* x := U x */
TSL_BUTTERFLY_INLINE void tsl_butterfly_times(const tsl_butterfly *b, double x[4])
{
    double r0 = b->outer[0] * x[0], r1 = b->outer[1] * x[1], s0 = b->outer[2] * x[2], s1 = b->outer[3] * x[3];
    double y0 = b->inner[0] * (r0 + s0), y1 = b->inner[1] * (r1 + s1), y2 = b->inner[2] * (r0 - s0), y3 = b->inner[3] * (r1 - s1);
    x[0] = y0 + y1, x[1] = y0 - y1, x[2] = y2 + y3, x[3] = y2 - y3;
}

/* x := U^T x */
TSL_BUTTERFLY_INLINE void tsl_butterfly_trans_times(const tsl_butterfly *b, double x[4])
{
    double y0 = b->inner[0] * (x[0] + x[1]), y1 = b->inner[1] * (x[0] - x[1]), y2 = b->inner[2] * (x[2] + x[3]), y3 = b->inner[3] * (x[2] - x[3]);
    x[0] = b->outer[0] * (y0 + y2), x[1] = b->outer[1] * (y1 + y3), x[2] = b->outer[2] * (y0 - y2), x[3] = b->outer[3] * (y1 - y3);
}

#endif
