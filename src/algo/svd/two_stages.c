/* To bidiagonal form in two stages: R = Q1 B P1^H, B a band, and B = Q2 C P2^H. Products with Q = Q1 Q2 and P = P1 P2. */
#include "algo/svd/bidiagonal.h"
#include "core/values.h"

static void make_room(tsl_context *x, tsl_view R, int64_t kd, tsl_sweeps *s)
{
    int64_t n = tsl_cols(R);
    s->V = tsl_temp_of(x, R, TSL_IN_ONE, TSL_OF_TYPE, n, n);
    s->tau = tsl_temp_of(x, R, TSL_IN_ONE, TSL_OF_TYPE, tsl_max(1, tsl_pieces(n - 1, kd)), n);
}

void tsl_reduce_by_band(tsl_context *x, tsl_view R, tsl_view d, tsl_view e, bool vectors, tsl_two_stages *s)
{
    int64_t n = tsl_cols(R), kd = tsl_band_width(x, n);
    tsl_view AB = tsl_temp_of(x, R, TSL_IN_PANELS, TSL_OF_TYPE, kd + 1, n), none = tsl_sub(R, 0, 0, 0, 0);
    *s = (tsl_two_stages){R,
                          tsl_temp_of(x, R, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1),
                          tsl_temp_of(x, R, TSL_PER_COLUMN, TSL_OF_TYPE, n, 1),
                          {none, none},
                          {none, none},
                          kd};
    if (vectors) make_room(x, R, kd, &s->left), make_room(x, R, kd, &s->right);
    /* R = Q1 B P1^H */      tsl_ge2gb(x, R, AB, s->tauq, s->taup);
    /* B = Q2 C P2^H */
    tsl_gb2bd(x, AB, d, e, s->left.V, s->left.tau, s->right.V, s->right.tau);
}

void tsl_times_q(tsl_context *x, const tsl_two_stages *s, tsl_view X)
{
    tsl_view X1 = tsl_sub(X, 0, 0, tsl_cols(s->R), tsl_cols(X));
    /* X1 := Q2 X1 */        tsl_ormtr_sb2st(x, s->kd, s->left.V, s->left.tau, X1);
    /* X := Q1 X */          tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, s->R, s->tauq, X);
}

/* P1's reflectors are of rows from kd on. */
void tsl_times_p(tsl_context *x, const tsl_two_stages *s, tsl_view X)
{
    int64_t n = tsl_cols(s->R), less = n - s->kd;
    /* X := P2 X */          tsl_ormtr_sb2st(x, s->kd, s->right.V, s->right.tau, X);
    if (less <= 0) return;
    tsl_view P1 = tsl_herm(tsl_sub(s->R, 0, s->kd, less, less)), X2 = tsl_sub(X, s->kd, 0, less, tsl_cols(X));
    /* X2 := P1 X2 */        tsl_ormqr(x, TSL_LEFT, TSL_NOTRANS, P1, tsl_sub(s->taup, 0, 0, less, 1), X2);
}
