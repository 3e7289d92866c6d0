#include "core/numbers/products.h"

#include <math.h>
#include <string.h>

#include "core/leaf.h"
#include "core/numbers/residue.h"
#include "core/values.h"

static const char *const names[] = {"auto", "native", "emulated", "emulated-fast"};
enum { NAMES = sizeof names / sizeof *names };

bool tsl_products_named(const char *name, tsl_products *p)
{
    for (int i = 0; i < NAMES; ++i)
        if (!strcmp(name, names[i])) return *p = (tsl_products)i, true;
    return false;
}

const char *tsl_products_name(tsl_products p) { return names[p]; }

tsl_products tsl_products_of(tsl_precision p, tsl_products asked)
{
    if (p == TSL_FP32 && (asked == TSL_PRODUCTS_EMULATED || asked == TSL_PRODUCTS_FAST)) return asked;
    static const tsl_products of[] = {[TSL_FP32] = TSL_PRODUCTS_FP32, [TSL_TF32] = TSL_PRODUCTS_TF32,
                                      [TSL_BF16] = TSL_PRODUCTS_BF16, [TSL_FP16] = TSL_PRODUCTS_FP16};
    return of[p];
}

/* Beside the m n k multiplications there are factors to split, of m k and n k elements, and C to join: shares of the time as
 * 1/n, 1/m and 1/k, which together may be as large as what the multiplications save. Of a triangle a native product computes
 * half, and as much is split: it counts as a square of its area. */
static bool pays(tsl_emulated_from from, bool triangle, int64_t m, int64_t n, int64_t k)
{
    double side = (triangle ? sqrt(2) : 1) * (double)from.side, inner = (double)from.inner;
    return from.side > 0 && side / 2 / (double)m + side / 2 / (double)n + inner / (double)k <= 1;
}

tsl_products tsl_products_for(tsl_opcode op, tsl_products asked)
{
    return op == TSL_OP_EXPM && asked == TSL_PRODUCTS_AUTO ? TSL_PRODUCTS_NATIVE : asked;
}

bool tsl_is_emulated(const tsl_leaf *l, int64_t m, int64_t n, int64_t k)
{
    bool triangle = tsl_operand_is(l->op, tsl_output(l->op), TSL_IS_TRIANGLE);
    if (l->products == TSL_PRODUCTS_EMULATED || l->products == TSL_PRODUCTS_FAST) return true;
    return l->products == TSL_PRODUCTS_AUTO && pays(l->emulated, triangle, m, n, k);
}

tsl_leaf tsl_as_square(const tsl_leaf *l)
{
    tsl_leaf g = *l;
    g.m = l->n;
    return g;
}

tsl_leaf tsl_rank_k_product(const tsl_leaf *l)
{
    tsl_leaf g = tsl_as_square(l);
    g.C = l->B;
    g.B = l->A;
    g.B.op = l->A.op ^ (l->herm ? TSL_HERM : TSL_TRANS);
    return g;
}

/* Moduli: with L = 2^58.4 elements of double precision pass where |a| |b|, of magnitudes, is a fifth or more of the norms'
 * product; with one less, 2^54.6, what is cut off is as much as a native product loses where numbers vary little. */
tsl_residues tsl_residues_for(const tsl_leaf *l, int64_t k)
{
    bool fast = l->products == TSL_PRODUCTS_FAST, twice = tsl_is_double(l->type);
    return tsl_residues_of((twice ? 15 : 8) - fast, !fast, twice ? 0x1p-53 : 0x1p-24, k);
}
