/* Eigenpairs and Schur forms of general matrices: to Hessenberg form, A = Q H Q^H, by the QR iteration H = Z T Z^H, and vectors
 * of T. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

/* Sums of |a| over rows and over columns are within a factor of two of each other: balancing would change next to nothing. */
static bool is_balanced(tsl_context *x, tsl_view A)
{
    tsl_view sums = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_DOUBLE, tsl_rows(A), 2);
    double columns = 0, rows = 0, largest = 0;
    tsl_view c = tsl_block_cols(sums, 0, 1).A1, r = tsl_block_cols(sums, 1, 1).A1;
    tsl_laset(x, 0, 0, sums);
    tsl_colnorm(x, TSL_NORM_ONE, TSL_TRIANGULAR, A, c);
    tsl_colnorm(x, TSL_NORM_ONE, TSL_TRIANGULAR, tsl_trans(A), r);
    tsl_ratio(x, tsl_trans(c), tsl_trans(r), &columns, &largest);
    tsl_ratio(x, tsl_trans(r), tsl_trans(c), &rows, &largest);
    return columns <= 2 && rows <= 2 && !tsl_is_dry(x);
}

/* A := D A D^-1, D in s as LAPACK has it, and in which rows and columns, from 1 on, it is not triangular */
static void balance(tsl_context *x, tsl_view A, tsl_view s, int64_t *ilo, int64_t *ihi)
{
    tsl_view p = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 2, 1);
    tsl_scalar block[2] = {1, (double)tsl_rows(A)};
    tsl_laset(x, 1, 1, s);
    if (!is_balanced(x, A)) {
        tsl_gebal(x, A, s, p);
        tsl_read(x, p, block);
    }
    *ilo = (int64_t)creal(block[0]), *ihi = (int64_t)creal(block[1]);
    if (*ilo < 1 || *ihi > tsl_rows(A)) *ilo = 1, *ihi = tsl_rows(A); /* nothing was read */
}

/* What A is multiplied by; NaN: it is not finite, and has been set to NaN whole. */
static double factor_for(tsl_context *x, tsl_view A)
{
    double size, factor = tsl_into_range(x, TSL_TRIANGULAR, A, &size);
    if (isfinite(size)) return factor;
    tsl_laset(x, NAN, NAN, A);
    return NAN;
}

/* A = Q H Q^H in rows and columns ilo .. ihi, H in A, and Q unless it is empty */
static void reduce(tsl_context *x, tsl_view A, int64_t ilo, int64_t ihi, tsl_view Q)
{
    tsl_view tau = tsl_temp(x, A, tsl_rows(A), 1);
    tau = tsl_sub(tau, 0, 0, tsl_rows(A) - 1, 1);
    tsl_gehrd(x, ilo, ihi, A, tau);
    if (!tsl_is_there(Q)) return;
    tsl_copy(x, A, Q);
    tsl_orghr(x, ilo, ihi, Q, tau);
}

static void rescale(tsl_context *x, tsl_view A, double factor)
{
    if (tsl_is_there(A) && factor != 1 && !isnan(factor)) tsl_scale(x, 1 / factor, A);
}

tsl_status tsl_geev_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], w = c->v[1], wi = c->v[2], VL = c->v[3], VR = c->v[4], Q = tsl_is_there(VR) ? VR : VL;
    int64_t n = tsl_rows(A), ilo = 1, ihi = n;
    tsl_view s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, n, 1);
    double factor = factor_for(x, A);
    bool good = !isnan(factor);
    if (good) {
        /* A := D A D^-1 */         balance(x, A, s, &ilo, &ihi);
        /* A = Q H Q^H */           reduce(x, A, ilo, ihi, Q);
    }
    /* H = Z T Z^H, Q := Q Z */     tsl_hseqr(x, tsl_is_there(Q), ilo, ihi, A, w, wi, Q, NULL);
    if (tsl_is_there(VL) && tsl_is_there(VR)) {
        /* both begin with Q */     tsl_copy(x, VR, VL);
    }
    if (tsl_is_there(Q)) {
        /* V := D^-1 Q X */         tsl_trevc(x, ilo - 1, ihi - ilo + 1, A, VL, VR, s);
    }
    /* w := w / factor */           rescale(x, w, factor), rescale(x, wi, factor);
    return TSL_OK;
}

/* T, a Schur form, := S^H T S with eigenvalues in order, VS := VS S. LAPACK finds the form of what is one at once, and then
 * exchanges. */
static void put_in_order(tsl_context *x, const tsl_call *c)
{
    tsl_view T = c->v[0], VS = c->v[3];
    int64_t n = tsl_rows(T);
    bool wanted = tsl_is_there(VS);
    tsl_view S = wanted ? tsl_temp(x, T, n, n) : VS, W = wanted ? tsl_temp(x, T, n, n) : VS;
    if (!tsl_good_so_far(x)) return;
    tsl_by_host(x, &(tsl_call){.op = TSL_OP_GEES, .schur = c->schur, .v = {T, c->v[1], c->v[2], S}});
    if (!wanted) return;
    /* VS := VS S */                tsl_gemm(x, 1, VS, S, 0, W);
    tsl_copy(x, W, VS);
}

tsl_status tsl_gees_parts(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], w = c->v[1], wi = c->v[2], VS = c->v[3];
    int64_t n = tsl_rows(A);
    double factor = factor_for(x, A);
    if (!isnan(factor)) {
        /* A = Q H Q^H */           reduce(x, A, 1, n, VS);
    }
    /* H = Z T Z^H, Q := Q Z */     tsl_hseqr(x, true, 1, n, A, w, wi, VS, NULL);
    rescale(x, A, factor), rescale(x, w, factor), rescale(x, wi, factor);
    if (c->schur.sort) put_in_order(x, c);
    return TSL_OK;
}
