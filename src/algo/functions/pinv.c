/* The pseudo-inverse, and the rank, by singular values: A = U S V^H, P := V inv(S) U^H, where values that count as zero are
 * left out. */
#include <complex.h>
#include <math.h>

#include "algo/algo.h"
#include "core/values.h"

typedef struct values {
    double tolerance;
    int64_t rank;
} values;

/* Descending */
static void invert(void *with, int64_t count, int64_t one, tsl_scalar *s)
{
    values *v = with;
    double least = creal(s[0]) * v->tolerance;
    (void)one;
    for (int64_t i = 0; i < count; ++i) {
        bool counts = creal(s[i]) > least;
        v->rank += counts;
        s[i] = counts ? 1 / creal(s[i]) : 0;
    }
}

tsl_status tsl_pinv_svd(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], P = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), vectors = tsl_cols(P) ? d : 0;
    values v = {.tolerance = c->rank.tolerance};
    tsl_view s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, d, 1);
    tsl_view U = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, m, vectors),
             VT = tsl_temp_of(x, A, TSL_IN_PANELS, TSL_OF_TYPE, vectors, n);
    /* A = U S V^H */       tsl_gesvd(x, A, TSL_SVD_AUTO, s, U, VT, NULL);
    if (!tsl_good_so_far(x)) return tsl_laset(x, NAN, NAN, P), TSL_OK;
    if (tsl_rows(c->v[2])) {
        /* V := V inv(S), and the rank */
        tsl_lsdiv(x, c->rank.tolerance, VT, s, c->v[2]);
        if (vectors) tsl_gemm(x, 1, tsl_herm(VT), tsl_herm(U), 0, P);
        return TSL_OK;
    }
    tsl_visit(x, s, invert, &v);
    if (vectors) {
        /* V := V inv(S) */ tsl_equil(x, VT, s, tsl_sub(s, 0, 0, 0, 0));
        /* P := V U^H */    tsl_gemm(x, 1, tsl_herm(VT), tsl_herm(U), 0, P);
    }
    if (c->results) c->results->count = v.rank;
    return TSL_OK;
}

/* Of a batch each problem has a rank of its own. What has no singular values becomes NaN, by what U is before. */
tsl_status tsl_pinv_batch(tsl_context *x, const tsl_call *c)
{
    tsl_view A = c->v[0], P = c->v[1];
    int64_t m = tsl_rows(A), n = tsl_cols(A), d = tsl_min(m, n), vectors = tsl_cols(P) ? d : 0;
    tsl_view s = tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_REAL, d, 1);
    tsl_view U = tsl_temp(x, A, m, vectors), VT = tsl_temp(x, A, vectors, n);
    tsl_view r = tsl_rows(c->v[2]) ? c->v[2] : tsl_temp_of(x, A, TSL_IN_ONE, TSL_OF_INDEX, 1, 1);
    /* U := NaN */          tsl_laset(x, NAN, NAN, U);
    /* A = U S V^H */       tsl_gesvd(x, A, TSL_SVD_AUTO, s, U, VT, NULL);
    /* V := V inv(S), r */  tsl_lsdiv(x, c->rank.tolerance, VT, s, r);
    if (vectors) tsl_gemm(x, 1, tsl_herm(VT), tsl_herm(U), 0, P);
    return TSL_OK;
}
