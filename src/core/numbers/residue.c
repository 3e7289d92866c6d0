#include "core/numbers/residue.h"

typedef unsigned __int128 wide;

/* Bits of `high` in a weight: 53, less 8 of a residue and 4 of a sum of 16 */
enum { HIGH_BITS = 41 };

static uint32_t inverse(uint32_t a, uint32_t p)
{
    uint32_t x = 1;
    while (x * a % p != 1) ++x;
    return x;
}

static int bits_of(wide w)
{
    int bits = 0;
    for (; w; w >>= 1) ++bits;
    return bits;
}

/* What is below 2^cut goes to `low`, and is rounded. */
static void split(wide w, int cut, double *high, double *low)
{
    wide rest = cut > 0 ? w & (((wide)1 << cut) - 1) : 0;
    *high = (double)(w - rest);
    *low = (double)rest;
}

tsl_residues tsl_residues_of(int count, bool checked, double unit, int64_t k)
{
    tsl_residues r = {.count = count, .checked = checked};
    wide P = 1;
    for (int l = 0; l < count; ++l) P *= tsl_modulus_of(l);
    int cut = bits_of(P) - HIGH_BITS;
    for (int l = 0; l < count; ++l) {
        uint32_t p = tsl_modulus_of(l);
        split(P / p * inverse((uint32_t)(P / p % p), p), cut, &r.high[l], &r.low[l]);
    }
    split(P, cut, &r.p_high, &r.p_low);
    r.p_inverse = 1 / (double)P;
    /* a thousandth off: rint adds sqrt(k) / 2 < 2^8 to a norm of at least 2^26, and so the quotient by P is not near a half */
    r.limit = (double)P / 2 * (1 - 0x1p-9);
    double L = sqrt(r.limit), each = L / sqrt((double)k); /* an element of a row whose elements are all alike */
    r.shift = ilogb(each) - 4; /* so that it is 16 .. 32 in low */
    r.threshold = L / unit / ldexp(1, 2 * r.shift);
    return r;
}
