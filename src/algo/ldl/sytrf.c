/* A = L D L^T, or L D L^H, with symmetric pivoting, by panels of columns: from the first one on if the lower triangle is given,
 * from the last one back if the upper is. A panel exchanges rows and columns of what is left of A; that is changed once for all
 * of its columns. A block of D of order 2 may reach over the end of a panel: where a panel begins does not depend on numbers,
 * and nothing waits. */
#include "algo/algo.h"
#include "core/values.h"

tsl_status tsl_sytrf_panels(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], p = c->v[1];
    int64_t n = tsl_rows(A), most = tsl_leaf_order(x, &(tsl_call){.op = TSL_OP_LASYF, .k = n, .v = {A, p}});
    int64_t nb = tsl_min(n, tsl_min(most, tsl_panel(x, c)));
    bool lower = tsl_triangle(A) == TSL_LOWER, herm = c->herm && tsl_is_complex(tsl_matrix_type(A.mat));
    tsl_view Y = tsl_temp(x, A, n, nb + 1), W = tsl_temp(x, A, n, nb + 1),
             s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    for (int64_t done = 0; done < n; done += nb) {
        int64_t left = n - done, b = tsl_min(nb, left), rest = left - b, count = tsl_min(b + 1, left);
        tsl_view R = lower ? tsl_partition2(A, done, done).BR : tsl_partition2(A, left, left).TL;
        tsl_view Y1 = tsl_sub(Y, 0, 0, left, b + 1), W1 = tsl_sub(W, 0, 0, left, b + 1);
        tsl_view p1 = tsl_sub(p, lower ? done : left - count, 0, count, 1);
        /* [R, p, Y, W] := its panel */ tsl_lasyf(x, herm, b, done, R, p1, Y1, W1, s);
        if (rest == 0) break;
        tsl_view R2 = lower ? tsl_partition2(R, b, b).BR : tsl_partition2(R, rest, rest).TL;
        tsl_view Y2 = tsl_sub(Y1, lower ? b : 0, 0, rest, b + 1), W2 = tsl_sub(W1, lower ? b : 0, 0, rest, b + 1);
        /* R2 := R2 - Y2 W2^T, or W2^H */
        tsl_gemmt_of(x, herm, -1, Y2, herm ? tsl_herm(W2) : tsl_trans(W2), 1, R2);
    }
    return TSL_OK;
}
