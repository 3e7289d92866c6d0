/* From which sizes products by residues pay. Their time over that of native ones is about r + a (1/m + 1/n)/2 + b/k: a and b
 * are found by least squares, and the table says where a (1/m + 1/n)/2 + b/k is less than with any product that does not
 * pay. */
#include <math.h>

#include "cli/tune/tune.h"

enum { TERMS = 3 };

static const double PAYS = 1.03, /* times as fast as native ones, at least */
    MARGIN = 1.02;               /* from the nearest that does not pay or, if all do, to the farthest that does */

/* x := the solution of the normal equations A x = y, which A is taken apart for; false: they do not say */
static bool solve(double A[TERMS][TERMS], double y[TERMS], double x[TERMS])
{
    for (int j = 0; j < TERMS; j++) {
        if (!(A[j][j] > 0))
            return false;
        for (int i = j + 1; i < TERMS; i++) {
            double l = A[i][j] / A[j][j];
            for (int k = j; k < TERMS; k++)
                A[i][k] -= l * A[j][k];
            y[i] -= l * y[j];
        }
    }
    for (int j = TERMS - 1; j >= 0; j--) {
        x[j] = y[j];
        for (int k = j + 1; k < TERMS; k++)
            x[j] -= A[j][k] * x[k];
        x[j] /= A[j][j];
    }
    return true;
}

/* *a and *b, in sizes: the shares of splitting and joining; of too few samples, or odd ones, as two to one */
static void fit(const tune_sample *s, int count, double *a, double *b)
{
    double A[TERMS][TERMS] = {{0}}, y[TERMS] = {0}, x[TERMS];
    for (int i = 0; i < count; i++) {
        const tune_sample *at = &s[i];
        double f[TERMS] = {1, 1e3 * at->side, 1e3 * at->inner};
        for (int p = 0; p < TERMS; p++) {
            for (int q = 0; q < TERMS; q++)
                A[p][q] += f[p] * f[q];
            y[p] += f[p] / at->gain;
        }
    }
    bool good = solve(A, y, x) && x[1] > 0 && x[2] > 0;
    *a = good ? x[1] : 2, *b = good ? x[2] : 1;
}

static double cost(const tune_sample *s, double a, double b) { return a * s->side + b * s->inner; }

void tune_shares(const tune_sample *s, int count, int64_t *side, int64_t *inner)
{
    double a, b, least = INFINITY, most = 0;
    bool any = false;
    fit(s, count, &a, &b);
    for (int i = 0; i < count; i++) {
        if (s[i].gain < PAYS)
            least = fmin(least, cost(&s[i], a, b));
        most = fmax(most, cost(&s[i], a, b));
    }
    double up_to = isfinite(least) ? least / MARGIN : most * MARGIN;
    for (int i = 0; i < count; i++)
        any |= cost(&s[i], a, b) <= up_to;
    *side = any ? (int64_t)ceil(a / up_to) : 0, *inner = any ? (int64_t)ceil(b / up_to) : 0;
}
