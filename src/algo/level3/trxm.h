/* What triangular products and solves have in common (trmm.c, trsm.c). */
#ifndef TSL_TRXM_H
#define TSL_TRXM_H

#include "algo/algo.h"

typedef struct tsl_tri { tsl_view A, B; } tsl_tri;

/* B A from the right is A^T B^T from the left, of the transposes. */
static inline tsl_tri tsl_from_left(const tsl_call *c)
{
    tsl_tri o = {c->v[0], c->v[1]};
    return c->side == TSL_RIGHT ? (tsl_tri){tsl_trans(o.A), tsl_trans(o.B)} : o;
}

/* One step of a sweep through the triangle, from the first block on or, backward, from the last: the diagonal block, and the
 * rest of its block row and block column towards what was passed before and what comes after, with the rows of B that go with
 * them. */
typedef struct tsl_step {
    tsl_view A11, row_before, row_after, col_before, col_after;
    tsl_view B1, B_before, B_after;
} tsl_step;

static inline tsl_step tsl_sweep(tsl_tri o, bool backward, int64_t k, int64_t nb)
{
    if (backward) {
        int64_t end = tsl_from_end(o.A, k), begin = tsl_from_end(o.A, k + nb);
        tsl_part3 P = tsl_partition(o.A, begin, end - begin);
        tsl_strips B = tsl_block_rows(o.B, begin, end - begin);
        return (tsl_step){P.A11, P.A12, P.A10, P.A21, P.A01, B.A1, B.A2, B.A0};
    }
    tsl_part3 P = tsl_partition(o.A, k, nb);
    tsl_strips B = tsl_block_rows(o.B, k, nb);
    return (tsl_step){P.A11, P.A10, P.A12, P.A01, P.A21, B.A1, B.A0, B.A2};
}

#endif
