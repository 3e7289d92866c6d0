/* Products of floating-point numbers by exact products of residues: Ozaki's second scheme. For C and CUDA.
 *
 * Row i of A and column j of B become integers, a' = rint(2^e a) and b' = rint(2^f b), with exponents such that |a'|, |b'| in
 * norm 2 are less than L = sqrt(P/2). P is the product of moduli p that have no factor in common. So 2 |a' b'| < P, and a' b'
 * is known from its residues, sums of products of 8-bit numbers, which are exact. What is lost is what rint cuts off: of an
 * element of C at most |a'|_1 / 2 + |b'|_1 / 2 of the least unit.
 *
 * Is that as little as a native product loses? Where neither row nor column is exact in integers it is about 2 L units, and
 * must be at most eps |a'| |b'|, elements' magnitudes. A lower bound of that sum is one more product of 8-bit numbers:
 * magnitudes, cut to multiples of 2^shift and at most 127 of these ("low"). Elements of C that fail are products of the
 * elements themselves; so are those of rows and columns with Inf or NaN. An element's bits follow from its row and its column
 * alone. */
#ifndef TSL_RESIDUE_H
#define TSL_RESIDUE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define TSL_RESIDUE_INLINE static __host__ __device__ __forceinline__
#else
#define TSL_RESIDUE_INLINE static inline
#endif

enum {
    TSL_MODULI_MOST = 16,      /* P < 2^126; integers < 2^63 */
    TSL_INNER_MOST = 1 << 16,  /* terms of a sum of products of residues: at most 2^30 */
    TSL_LOW_MOST = 127,
    TSL_SQUARED_BITS = 20,     /* of magnitudes whose squares are added up for a norm: of k < 2^24 */
    TSL_MEASURED = 256,
    TSL_LINE_EXACT = 0, TSL_LINE_ROUNDED = 1, TSL_LINE_NATIVE = 2 /* a row of A, a column of B; NATIVE: it has Inf or NaN */
};

/* What of a product depends on its inner size and type alone */
typedef struct tsl_residues {
    int count;        /* moduli */
    bool checked;     /* elements are looked at, as above */
    int shift;        /* of low */
    double limit;     /* L^2, less a little for roundings */
    double threshold; /* low is to be at least so much for each of row and column that is not exact */
    /* P and weights w = q P / p, q P / p = 1 mod p, as sums of two numbers: the sums of the first ones, times residues, are
     * exact */
    double high[TSL_MODULI_MOST], low[TSL_MODULI_MOST], p_high, p_low, p_inverse;
} tsl_residues;

/* residue.c: unit: a roundoff of the type */
tsl_residues tsl_residues_of(int count, bool checked, double unit, int64_t k);

TSL_RESIDUE_INLINE uint32_t tsl_modulus_of(int l)
{
    switch (l) {
    case 0: return 256;
    case 1: return 255;
    case 2: return 253;
    case 3: return 251;
    case 4: return 247;
    case 5: return 241;
    case 6: return 239;
    case 7: return 233;
    case 8: return 229;
    case 9: return 227;
    case 10: return 223;
    case 11: return 217;
    case 12: return 211;
    case 13: return 199;
    case 14: return 197;
    default: return 193;
    }
}

/* t mod p for t < 2^31: with M = ceil(2^39 / p), which 32 bits hold, t M / 2^39 is too large by less than 1 / p. */
TSL_RESIDUE_INLINE uint32_t tsl_modulo(uint32_t t, uint32_t p)
{
    const uint32_t M = (uint32_t)(((1ull << 39) + p - 1) / p);
#ifdef __CUDA_ARCH__
    const uint32_t q = __umulhi(t, M) >> 7;
#else
    const uint32_t q = (uint32_t)((uint64_t)t * M >> 39);
#endif
    return t - p * q;
}

/* The residue of an integer of less than 2^63, in -p/2 .. p/2: of 22 + 21 + 21 bits, with the sign's 2^63 taken off again */
TSL_RESIDUE_INLINE int32_t tsl_residue(int64_t a, int l)
{
    const uint32_t p = tsl_modulus_of(l), half = p / 2, middle = (1u << 21) % p, top = (uint32_t)((1ull << 42) % p),
                   less = p - (uint32_t)((1ull << 63) % p) + half;
    const uint64_t u = (uint64_t)a ^ (1ull << 63);
    const uint32_t t = (uint32_t)(u >> 42) * top + ((uint32_t)(u >> 21) & 0x1fffff) * middle + ((uint32_t)u & 0x1fffff) + less;
    return (int32_t)tsl_modulo(t, p) - (int32_t)half;
}

/* Of a sum of two */
TSL_RESIDUE_INLINE int32_t tsl_residue_of_sum(int32_t a, int32_t b, int l)
{
    const int32_t p = (int32_t)tsl_modulus_of(l), half = p / 2, s = a + b;
    return s < -half ? s + p : s > p - 1 - half ? s - p : s;
}

/* Of a sum of products, in 0 .. p - 1. That for 256 may have gone past 32 bits. */
TSL_RESIDUE_INLINE int32_t tsl_reduced_sum(int32_t sum, int l)
{
    const uint32_t p = tsl_modulus_of(l), u = (uint32_t)sum ^ (1u << 31), middle = (1u << 16) % p, less = p - (1u << 31) % p;
    return (int32_t)tsl_modulo((u >> 16) * middle + (u & 0xffff) + less, p);
}

/* Of T1 - T2 and T3 - T1 - T2, the real and the imaginary part of a product by T1 = Re Re, T2 = Im Im, T3 = (Re + Im) (Re +
 * Im) */
TSL_RESIDUE_INLINE int32_t tsl_reduced_difference(int32_t a, int32_t b, int l)
{
    return a < b ? a - b + (int32_t)tsl_modulus_of(l) : a - b;
}

/* a 2^e without an intermediate result that overflows, or loses bits to underflow that the end would have */
TSL_RESIDUE_INLINE double tsl_power_of_two(int e)
{
#ifdef __CUDA_ARCH__
    return __longlong_as_double((long long)(e + 1023) << 52);
#else
    union { uint64_t bits; double value; } u = {(uint64_t)(e + 1023) << 52};
    return u.value;
#endif
}

TSL_RESIDUE_INLINE double tsl_shifted(double a, int e)
{
    for (; e > 1000; e -= 1000) a *= tsl_power_of_two(1000);
    for (; e < -1000; e += 1000) a *= tsl_power_of_two(-1000);
    return a * tsl_power_of_two(e);
}

TSL_RESIDUE_INLINE uint64_t tsl_magnitude_bits(double a)
{
#ifdef __CUDA_ARCH__
    return (uint64_t)__double_as_longlong(a) & ~(1ull << 63);
#else
    union { double value; uint64_t bits; } u = {a};
    return u.bits & ~(1ull << 63);
#endif
}

/* Of the largest magnitude's bits: is it finite? And E, with all magnitudes less than 2^E: of subnormal ones what is true of
 * the least normal one, which leaves them bits enough (e is at most 62 - E + 20). */
TSL_RESIDUE_INLINE bool tsl_is_finite_bits(uint64_t largest) { return largest < 0x7ffull << 52; }
TSL_RESIDUE_INLINE int tsl_line_exponent(uint64_t largest)
{
    const int biased = (int)(largest >> 52);
    return (biased ? biased : 1) - 1022;
}

/* A magnitude's square, an upper bound, as a multiple of 2^(2 (E - 20)) */
TSL_RESIDUE_INLINE uint64_t tsl_squared(double a, int E)
{
    const uint64_t q = (uint64_t)ceil(tsl_shifted(fabs(a), TSL_SQUARED_BITS - E));
    return q * q;
}

/* A line is measured in pieces of TSL_MEASURED elements, each read once: its largest magnitude, and the sum of the squares with
 * its own E. That sum for another piece's, or the line's, which is larger: an upper bound again */
TSL_RESIDUE_INLINE uint64_t tsl_squares_for(uint64_t squares, int E, int larger)
{
    const int bits = 2 * (larger - E);
    return bits > 63 ? squares > 0 : (squares >> bits) + ((squares & (((uint64_t)1 << bits) - 1)) > 0);
}

/* e, the largest with |2^e a| <= L, of the sum of squares: S 4^t <= L^2 for t = e + E - 20 */
TSL_RESIDUE_INLINE int tsl_scaling(uint64_t S, int E, double limit)
{
    if (!S) return 0;
    const int x = (int)(tsl_magnitude_bits(limit / (double)S) >> 52) - 1023;
    return (x >> 1) - E + TSL_SQUARED_BITS;
}

TSL_RESIDUE_INLINE int64_t tsl_as_integer(double a, int e) { return (int64_t)rint(tsl_shifted(a, e)); }
TSL_RESIDUE_INLINE bool tsl_is_rounded(double a, int e)
{
    const double s = tsl_shifted(a, e);
    return s != rint(s) || (s == 0 && a != 0);
}

TSL_RESIDUE_INLINE int32_t tsl_low(int64_t a, int shift)
{
    const uint64_t cut = (uint64_t)(a < 0 ? -a : a) >> shift;
    return cut < TSL_LOW_MOST ? (int32_t)cut : TSL_LOW_MOST;
}

/* Is an element to be a product of the elements themselves? */
TSL_RESIDUE_INLINE bool tsl_fails(const tsl_residues *r, int row, int column, int32_t low)
{
    if (row == TSL_LINE_NATIVE || column == TSL_LINE_NATIVE) return true;
    return r->checked && (double)low < (double)(row + column) * r->threshold;
}

/* The integer less than P/2 of these residues, rounded: Chinese remainders. `high` and `low` are sums of weights times
 * residues. */
TSL_RESIDUE_INLINE double tsl_rebuilt(const tsl_residues *r, double high, double low)
{
    const double q = rint(high * r->p_inverse);
    return fma(-r->p_high, q, high) + fma(-r->p_low, q, low);
}

#endif
