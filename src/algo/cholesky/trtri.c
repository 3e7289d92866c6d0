/* Inverse of a triangle, in place: A := inv(L). */
#include "algo/algo.h"

void tsl_inverse(tsl_context *x, tsl_view A)
{
    tsl_execute(x, &(tsl_call){.op = TSL_OP_TRTRI, .passing = true, .v = {A}});
}

/* A zero on the diagonal is looked for before anything is changed, and waited for. */
bool tsl_invertible(tsl_context *x, tsl_view A)
{
    if (A.diag == TSL_UNIT) return true;
    tsl_singular(x, A);
    return tsl_good_so_far(x);
}

/* Row by row: before each step A00 = inv(L00), and A10 is still L10. As in LAPACK, what is known of the inverse is multiplied
 * with on one side and what is not yet inverted is solved with on the other: that keeps L inv(L) - I small element by
 * element. */
tsl_status tsl_trtri_rows(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    if (!c->passing && !tsl_invertible(x, A)) return TSL_OK;
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A10 := -A10 A00 */               tsl_trmm(x, TSL_RIGHT, -1, P.A00, P.A10);
        /* A10 := inv(A11) A10 */           tsl_trsm(x, TSL_LEFT, 1, P.A11, P.A10);
        /* A11 := inv(A11) */               tsl_inverse(x, P.A11);
    }
    return TSL_OK;
}

/* All rows below are updated at each step: before it A00 = inv(L00), and the rows below it are -[L10; L20] inv(L00). What one
 * block row of inv(L) lacks is inv(L11) from the left. */
tsl_status tsl_trtri_sweep(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t n = tsl_rows(A), nb = tsl_panel(x, c);
    if (!c->passing && !tsl_invertible(x, A)) return TSL_OK;
    for (int64_t k = 0; k < n; k += nb) {
        tsl_part3 P = tsl_partition(A, k, nb);
        /* A21 := -A21 inv(A11) */          tsl_trsm(x, TSL_RIGHT, -1, P.A11, P.A21);
        /* A20 := A20 + A21 A10 */          tsl_gemm(x, 1, P.A21, P.A10, 1, P.A20);
        /* A10 := inv(A11) A10 */           tsl_trsm(x, TSL_LEFT, 1, P.A11, P.A10);
        /* A11 := inv(A11) */               tsl_inverse(x, P.A11);
    }
    return TSL_OK;
}

/* By halves, row by row too: most of the work is a product and a solve with half of A. */
tsl_status tsl_trtri_wide(tsl_context *x, const tsl_call *c)
{
    tsl_view A = tsl_as_lower(c->v[0]);
    int64_t h = tsl_half(x, c);
    if (!c->passing && !tsl_invertible(x, A)) return TSL_OK;
    tsl_part2 P = tsl_partition2(A, h, h);
    /* A11 := inv(A11) */                   tsl_inverse(x, P.TL);
    /* A21 := -A21 A11 */                   tsl_trmm(x, TSL_RIGHT, -1, P.TL, P.BL);
    /* A21 := inv(A22) A21 */               tsl_trsm(x, TSL_LEFT, 1, P.BR, P.BL);
    /* A22 := inv(A22) */                   tsl_inverse(x, P.BR);
    return TSL_OK;
}

/* The triangle of X, or all of it but the diagonal, to that of A */
static void keep_triangle(tsl_context *x, tsl_view X, tsl_view A)
{
    int64_t n = tsl_rows(A), less = A.diag == TSL_UNIT;
    bool lower = tsl_triangle(A) == TSL_LOWER;
    A.uplo = TSL_GENERAL, A.diag = TSL_NONUNIT;
    int64_t i = lower ? less : 0, j = lower ? 0 : less;
    tsl_view from = tsl_sub(X, i, j, n - less, n - less), to = tsl_sub(A, i, j, n - less, n - less);
    tsl_copy(x, lower ? tsl_lower(from) : tsl_upper(from), lower ? tsl_lower(to) : tsl_upper(to));
}

/* Of small problems, many at once: L X = I */
tsl_status tsl_trtri_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], X = tsl_temp(x, A, tsl_rows(A), tsl_rows(A));
    if (!c->passing && !tsl_invertible(x, A)) return TSL_OK;
    /* X := I */                            tsl_laset(x, 0, 1, X);
    /* X := inv(L) X */                     tsl_trsm(x, TSL_LEFT, 1, A, X);
    /* A := X */                            keep_triangle(x, X, A);
    return TSL_OK;
}

/* L L^H X = I */
tsl_status tsl_potri_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], X = tsl_temp(x, A, tsl_rows(A), tsl_rows(A));
    if (!tsl_invertible(x, A)) return TSL_OK;
    /* X := I */                            tsl_laset(x, 0, 1, X);
    /* X := inv(L L^H) X */                 tsl_potrs(x, A, X);
    /* A := X */                            keep_triangle(x, X, A);
                                            tsl_real_diagonal(x, A);
    return TSL_OK;
}
