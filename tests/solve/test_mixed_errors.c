/* What tsl_solve tells of the error of a solution is never less than the error, above all where A is singular to working
 * precision, and where the right-hand side hides that: against a solution in long double. All types, precisions and places: on
 * one device, tiled, larger than the device. */
#include "mixed.h"

typedef enum family { HILBERT, NEAR_HILBERT, KERNEL, KAHAN, SMALL_ONE, SMALL_MANY, ZERO_BUT_ROUNDOFF, FAMILIES } family;
static const char *const family_name[FAMILIES] = {"Hilbert", "Hilbert, disturbed", "a kernel", "Kahan", "one small", "many small", "rank n - 1"};

/* The number of a place, -1 to 1 */
static double noise(int64_t i, int64_t j)
{
    uint64_t seed = (uint64_t)(1000 * i + j + 1);
    return dense_uniform(&seed) + dense_uniform(&seed);
}

/* exponent: of SMALL_ONE and SMALL_MANY */
static dense matrix_of(tsl_type t, family f, int64_t n, double exponent)
{
    if (f == SMALL_ONE || f == SMALL_MANY) return mixed_matrix(t, n, exponent, f == SMALL_ONE ? ONE_SMALL : GEOMETRIC, false, (uint64_t)n);
    dense A = f == ZERO_BUT_ROUNDOFF ? mixed_matrix(t, n, 3, GEOMETRIC, false, (uint64_t)n) : dense_make(t, n, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            double v = 1 / (double)(i + j + 1), d = fabs((double)(i - j));
            if (f == NEAR_HILBERT) v = 1 / ((double)(i + j) + 1.5) + 1e-12 * noise(i, j);
            if (f == KERNEL) v = exp(-0.05 * d) * cos(0.01 * (double)(i * j) / (double)n) + 1e-9 * noise(i, j);
            if (f == KAHAN) v = pow(sin(1.2), (double)i) * (i == j ? 1 : i < j ? -cos(1.2) : 0);
            tsl_scalar turn = tsl_is_complex(t) ? cexp(I * 0.3 * (double)(i - 2 * j)) : 1; /* by a diagonal of phases from either side */
            if (f != ZERO_BUT_ROUNDOFF) dense_put(&A, i, j, v * turn);
        }
    for (int64_t i = 0; i < n && f == ZERO_BUT_ROUNDOFF && n > 1; i++) { /* the last column is the sum of the others */
        tsl_scalar sum = 0;
        for (int64_t j = 0; j < n - 1; j++) sum += dense_get(&A, i, j);
        dense_put(&A, i, n - 1, sum);
    }
    return A;
}

/* Columns: A times ones, which hides small singular values; A times random numbers; random numbers */
static dense right_of(const dense *A, int64_t count)
{
    dense B = dense_make(A->t, A->n, count, CANARY_FINITE), E = dense_make(A->t, A->n, count, CANARY_FINITE);
    dense_random(&B, 7), dense_random(&E, 9);
    for (int64_t j = 0; j < count && j < 2; j++)
        for (int64_t i = 0; i < A->n; i++) {
            long double _Complex sum = 0;
            for (int64_t l = 0; l < A->n; l++) sum += (long double _Complex)dense_get(A, i, l) * (j ? dense_get(&E, l, j) : 1);
            dense_put(&B, i, j, (tsl_scalar)sum);
        }
    dense_free(&E);
    return B;
}

static int finite_ones, infinite_ones;

static tsl_view wrapped(tsl_context *x, const dense *d, bool tiled, tsl_matrix **m)
{
    tsl_status st = tiled ? tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, 16, m) : tsl_matrix_wrap(x, d->t, d->m, d->n, d->data, d->ld, m);
    check(!st, "%s", tsl_error(x));
    return tsl_whole(*m);
}

static void told(tsl_context *x, const char *spec, bool tiled, tsl_type t, family f, int64_t n, double exponent, int64_t count)
{
    dense A = matrix_of(t, f, n, exponent), B = right_of(&A, count), X = dense_make(t, n, count, CANARY_FINITE);
    tsl_matrix *a, *b, *y;
    tsl_view va = wrapped(x, &A, tiled, &a), vb = wrapped(x, &B, tiled, &b), vy = wrapped(x, &X, tiled, &y);
    for (int lowest = TSL_AUTO; lowest <= TSL_FP32; lowest++) {
        tsl_solution s = {.info = -77};
        char who[120];
        snprintf(who, sizeof who, "%s%s: %c, %s 1e%g, order %d, lowest %d", spec, tiled ? ", tiled" : "", tsl_type_letter(t), family_name[f], exponent,
                 (int)n, lowest);
        tsl_status st = tsl_solve(x, va, vb, vy, &(tsl_solve_options){.lowest = (tsl_precision)lowest}, &s);
        check(!st && s.info >= 0, "%s: %s, info %d", who, tsl_error(x), (int)s.info);
        check(s.info || s.backward_error <= 2 * sqrt((double)n) * tsl_type_eps(t), "%s: backward error %g", who, s.backward_error);
        check(s.singular ? isinf(s.forward_error) && isinf(s.condition) : isfinite(s.forward_error), "%s: singular %d, %g", who, s.singular, s.forward_error);
        double real = s.info || s.singular ? 0 : mixed_forward(&A, TSL_NOTRANS, &B, &X);
        check(real >= 0 && s.forward_error >= real, "%s: tells of %g, it is %g, method %d", who, s.forward_error, real, s.method);
        double condition = f == SMALL_ONE || f == SMALL_MANY ? pow(10, exponent) : NAN, eps = tsl_type_eps(t);
        check(!(condition < 1e-3 / eps) || !s.singular, "%s: no bound", who);
        check(!(condition > 100 / eps) || s.singular, "%s: a bound of %g", who, s.forward_error);
        finite_ones += !s.singular, infinite_ones += s.singular;
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&B), dense_free(&X);
}

static void all_of(tsl_context *x, const char *spec, bool tiled, bool few)
{
    static const int64_t orders[] = {1, 2, 7, 13, 29, 40, 61};
    for (int t = 0; t < 4; t++)
        for (int f = 0; f < FAMILIES; f++)
            for (int k = few ? 3 : 0; k < (few ? 5 : 7); k++) {
                bool by_exponent = f == SMALL_ONE || f == SMALL_MANY;
                double digits = -log10(tsl_type_eps(all_types[t]));
                for (double e = by_exponent ? 2 : 0; e <= (by_exponent ? digits + 3 : 0); e += few ? 6 : 3)
                    told(x, spec, tiled, all_types[t], (family)f, orders[k], e, 1 + 2 * (k % 2));
            }
    check(finite_ones > 20 && infinite_ones > 20, "%d with a bound, %d without", finite_ones, infinite_ones);
    checked("%s%s: what is told of errors is not less than these", spec, tiled ? ", tiled" : "");
    finite_ones = infinite_ones = 0;
}

/* A larger one, well-conditioned: the bound is no more than what n and the condition let expect. */
static void well_conditioned(tsl_context *x)
{
    dense A = mixed_matrix(TSL_D, 300, 2, GEOMETRIC, false, 3), B = right_of(&A, 3), X = dense_copy(&B);
    env e = {.ctx = x, .via = VIA_WRAPPED};
    tsl_solution s;
    tsl_status st = mixed_views(&e, (operand){.d = &A}, (operand){.d = &B}, (operand){.d = &X}, &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    check(!st && s.precision == TSL_FP32, "%s, method %d", tsl_error(x), s.method);
    check(s.forward_error < 1e-10 && s.condition > 30 && s.condition < 1e5, "a forward error of %g, condition %g", s.forward_error, s.condition);
    checked("a well-conditioned one");
    dense_free(&A), dense_free(&B), dense_free(&X);
}

int main(void)
{
    static const char *const specs[] = {"host", "host:3", "host:2,mem=40K", NULL};
    for (int i = 0; i < 4; i++) {
        const char *spec = specs[i] ? specs[i] : "default";
        tsl_config cfg = tsl_config_default();
        tsl_context *x;
        cfg.devices = specs[i];
        if (tsl_context_create(&cfg, &x)) return puts("Bail out! no context"), 1;
        all_of(x, spec, false, i > 0);
        if (i > 0) all_of(x, spec, true, true);
        else well_conditioned(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
