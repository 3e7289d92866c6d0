/* The condition of A, as it decides how far a solution with a small residual may be from the exact one: by solutions of A W =
 * G, G random, that are known to be solutions. Let a be the row of inv(A) with the largest sum of moduli, |inv(A)|. An element
 * of W is a g; for numbers g of random sign |a g| is rarely much less than a's 2-norm, and that is at least |inv(A)| / sqrt(n).
 * So sqrt(n) times W's largest element is rarely less than |inv(A)|, and at most sqrt(n) times that.
 *
 * Where A is nearly singular this holds only if W is what it should be. Factors of lower precision are those of another matrix,
 * whose inverse may be much smaller; so are, of a matrix that is singular to roundoff, those of its own. Therefore the residual
 * of W is looked at, in A's precision: A W = G - T, and with T small in all directions beside G, W says as much as the exact
 * solution would. */
#include "algo/solve/refine.h"

tsl_system tsl_probes(tsl_context *x, const tsl_system *s)
{
    tsl_system q = *s;
    int64_t n = tsl_rows(s->A);
    q.unit = tsl_unit_of(tsl_matrix_type(s->A.mat), s->size);
    q.B = tsl_temp(x, s->A, n, TSL_PROBES);
    q.X = tsl_temp(x, s->A, n, TSL_PROBES);
    q.R = tsl_temp(x, s->A, n, TSL_PROBES);
    tsl_fill(x, q.B, tsl_probe_number, q.unit);
    return q;
}

bool tsl_probe(tsl_context *x, const tsl_system *q)
{
    double before = INFINITY, off = q->unit;
    /* T := G */                            tsl_copy(x, q->B, q->R);
    for (int turn = 0; turn <= TSL_CORRECTIONS; ++turn, before = off) {
        /* W := W + inv(A) T, from W = 0 */ tsl_apply_factors(x, q, q->R, off, turn > 0, q->X);
        /* T := G - A W */                  tsl_residual(x, q);
        tsl_norm(x, TSL_NORM_FRO, TSL_HERMITIAN, q->R, &off);
        if (off <= TSL_VERIFIED * q->unit) return true;
        if (tsl_stalls(before, off)) return false;
    }
    return false;
}

double tsl_probed(tsl_context *x, const tsl_system *q)
{
    double largest = 0;
    tsl_norm(x, TSL_NORM_MAX, TSL_HERMITIAN, q->X, &largest);
    return tsl_condition_of(tsl_rows(q->A), q->size, q->unit, largest);
}
