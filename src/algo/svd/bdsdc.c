/* Singular values and vectors of a bidiagonal matrix B by the tridiagonal one of order 2n that it unfolds to, with zeros on the
 * diagonal and d1 e1 d2 .. dn beside it. Its eigenvalues are the singular values and their negatives, its vectors (v1 u1 v2 u2
 * ..) / sqrt(2) and, of -s, (v1 -u1 v2 -u2 ..) / sqrt(2). Those of the negative ones in ascending order are the singular
 * vectors in descending order. Computed eigenvectors are orthogonal, but an error of the size of eps |B| mixes those of s and
 * -s: u_i^T u_j and v_i^T v_j are off by as much as eps |B| / s, s the larger value of the two. So the halves are made
 * orthogonal by QR, in descending order. That changes u_j, and v_j, by eps |B| / s_i in the direction of one before, s_i >=
 * s_j, and so B by no more than eps |B|. Vectors of s = 0, whose halves may be anything, become what others leave. */
#include "algo/algo.h"
#include "core/values.h"

/* Q := the orthogonal factor of A, for a triangle with a positive diagonal; A is overwritten */
static void make_orthogonal(tsl_context *x, tsl_view A, tsl_view tau, tsl_view Q)
{
    /* A = Q R */            tsl_geqrf(x, A, tau);
    /* Q := signs of R */    tsl_signs(x, A, Q);
    /* Q := Q1 Q */          tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, A, tau, Q);
}

tsl_status tsl_bdsdc_unfolded(tsl_context *x, const tsl_call *c)
{
    tsl_view U = c->v[0], d = c->v[1], e = c->v[2], VT = c->v[3], like = tsl_is_there(U) ? U : VT;
    int64_t n = tsl_rows(d);
    bool lower = c->uplo == TSL_LOWER; /* B^T = V S U^T is upper */
    tsl_view f = tsl_temp(x, d, 2 * n, 1), g = tsl_temp(x, d, 2 * n, 1), f1 = tsl_sub(f, 0, 0, n, 1);
    g = tsl_sub(g, 0, 0, 2 * n - 1, 1);
    /* T := B unfolded */    tsl_unfold(x, d, e, f, g);
    if (!tsl_is_there(U) && !tsl_is_there(VT)) {
        /* f := values of T */   tsl_sterf(x, f, g, NULL);
    } else {
        tsl_view Z = tsl_temp(x, like, 2 * n, n), L = tsl_temp(x, like, n, n), R = tsl_temp(x, like, n, n),
                 Q = tsl_sub(Z, 0, 0, n, n), tau = tsl_temp(x, like, n, 1);
        /* T Z = Z F, the lower half of F */ tsl_stedc(x, f, g, 0, Z, NULL);
        /* L, R := Z's halves */ tsl_fold(x, Z, lower ? R : L, lower ? L : R);
        if (tsl_is_there(U)) make_orthogonal(x, L, tau, U);
        if (tsl_is_there(VT)) {
            make_orthogonal(x, R, tau, Q);
            /* VT := Q^T */      tsl_copy(x, tsl_trans(Q), VT);
        }
    }
    /* d := -f */            tsl_descending(x, d, f1, d);
    return TSL_OK;
}
