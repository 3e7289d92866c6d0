/* Mixed precision on tiled matrices and on arrays larger than a device: A tiled, or B and X, or all, or none, general and
 * definite, seen through ops and as part of a larger matrix; as accurate as double factors whatever the condition, by those
 * where lower precision does not lead to it; A and B untouched, also on devices too small for A; NaN, singular, in a region;
 * allocations that fail. */
#include <limits.h>

#include "mixed.h"

enum { N = 150, COUNT = 3, TILE = 32 };

static tsl_view tiled_or_not(tsl_context *x, const dense *d, bool tiled, tsl_matrix **m, int64_t rows, int64_t cols)
{
    tsl_status st = tiled ? tsl_tiled_wrap(x, d->t, d->ld, d->cols, d->data, d->ld, TILE, m) : tsl_matrix_wrap(x, d->t, d->ld, d->cols, d->data, d->ld, m);
    check(!st, "%s", tsl_error(x));
    return tsl_sub(tsl_whole(*m), 0, 0, rows, cols);
}

typedef struct what {
    tsl_type t;
    double exponent;
    bool definite, tiled_A, tiled_B;
    tsl_op op;
} what;

static void solved(tsl_context *x, const char *spec, what w, tsl_method expected)
{
    dense A = mixed_matrix(w.t, N, w.exponent, GEOMETRIC, w.definite, 3), was = dense_copy(&A), F = dense_copy(&A);
    dense B = dense_make(w.t, N, COUNT, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
    tsl_matrix *a, *b, *y;
    tsl_solution s = {.info = -77};
    dense_random(&B, 5);
    dense given = dense_copy(&B);
    mixed_lapack(&F, &B, &Y, w.definite, false, NULL);
    tsl_view va = tiled_or_not(x, &A, w.tiled_A, &a, N, N), vb = tiled_or_not(x, &B, w.tiled_B, &b, N, COUNT),
             vy = tiled_or_not(x, &X, w.tiled_B, &y, N, COUNT);
    if (w.op & TSL_TRANS) va = tsl_trans(va);
    if (w.op & TSL_CONJ) va = tsl_conj(va);
    if (w.definite) va = w.exponent < 5 ? tsl_lower(va) : tsl_upper(va);
    tsl_status st = tsl_solve(x, va, vb, vy, &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    double ours = mixed_backward(&was, w.op, &B, &X), theirs = mixed_backward(&was, TSL_NOTRANS, &B, &Y);
    check(!st && s.info == 0, "%s: %c 1e%g: %s, info %d", spec, tsl_type_letter(w.t), w.exponent, tsl_error(x), (int)s.info);
    check(ours <= fmax(2 * theirs, tsl_type_eps(TSL_D)), "%s: %c 1e%g: backward error %g, by double factors %g", spec, tsl_type_letter(w.t),
          w.exponent, ours, theirs);
    check(s.backward_error <= fmax(8 * ours, tsl_type_eps(TSL_D)), "%s: %c 1e%g: tells of %g, it is %g", spec, tsl_type_letter(w.t), w.exponent,
          s.backward_error, ours);
    double most = 2 * pow(N, 1.5) * pow(10, w.exponent) * 3 * tsl_type_eps(TSL_D);
    check(s.forward_error <= most && !s.singular, "%s: %c 1e%g: tells of a forward error of %g, no more than %g", spec, tsl_type_letter(w.t),
          w.exponent, s.forward_error, most);
    check(s.method == expected, "%s: %c 1e%g%s, op %d: method %d, not %d", spec, tsl_type_letter(w.t), w.exponent,
          w.definite ? " definite" : "", w.op, s.method, expected);
    check(dense_same(&A, &was) && dense_same(&B, &given), "%s: wrote A or B", spec);
    check(dense_strays(&X, &Y, TSL_GENERAL) == 0, "%s: wrote outside", spec);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&was), dense_free(&F), dense_free(&B), dense_free(&X), dense_free(&Y);
    free(given.data);
}

static void troubled(tsl_context *x, const char *spec)
{
    double a[4] = {1, 1, 1, 1}, b[2] = {1, 1}, y[2] = {7, 7};
    tsl_matrix *A, *B, *Y;
    tsl_solution s = {.info = -77};
    check(!tsl_tiled_wrap(x, TSL_D, 2, 2, a, 2, 1, &A) && !tsl_tiled_wrap(x, TSL_D, 2, 1, b, 2, 1, &B) &&
              !tsl_tiled_wrap(x, TSL_D, 2, 1, y, 2, 1, &Y),
          "matrices");
    check(!tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), NULL, &s) && s.info == 2 && s.method == TSL_BY_FACTORS,
          "%s: singular: info %d", spec, (int)s.info);
    a[3] = NAN;
    check(!tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), NULL, &s) && s.method == TSL_BY_FACTORS, "%s: NaN: %s", spec, tsl_error(x));
    a[3] = INFINITY;
    check(!tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), NULL, &s) && s.method == TSL_BY_FACTORS, "%s: Inf: %s", spec, tsl_error(x));
    a[3] = 1 + 1e-10; /* singular in single precision */
    check(!tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), NULL, &s) && s.info == 0 && s.method == TSL_BY_FACTORS && fabs(y[0] + y[1] - 1) < 1e-9,
          "%s: nearly singular: %g + %g", spec, y[0], y[1]);
    check(!tsl_begin(x) && tsl_solve(x, tsl_whole(A), tsl_whole(B), tsl_whole(Y), NULL, &s) == TSL_ERR_LAYOUT && !tsl_wait(x), "%s: in a region", spec);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(Y);
}

static long calls, fail_from, fail_to, lost; /* allocations that fail, by number; what is not given back. Threads of devices count too */

static void *take(void *user, int device, size_t bytes)
{
    (void)user, (void)device;
    long call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    void *p = call >= fail_from && call < fail_to ? NULL : aligned_alloc(256, (bytes + 255) / 256 * 256);
    __atomic_fetch_add(&lost, p != NULL, __ATOMIC_RELAXED);
    return p;
}

static void give(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    __atomic_fetch_sub(&lost, 1, __ATOMIC_RELAXED);
    free(p);
}

/* From the allocation numbered `at` on all fail, or that one only: the call then fails and nothing is lost, or it is solved in
 * another way. False: there are not so many. */
static bool shortage_at(tsl_context *x, long at, bool all, bool definite, int *failed)
{
    enum { SMALL = 40 };
    dense A = mixed_matrix(TSL_D, SMALL, at % 2 || definite ? 2 : 12, GEOMETRIC, definite, 1), B = dense_make(TSL_D, SMALL, 2, CANARY_FINITE), X = dense_copy(&B);
    tsl_matrix *a, *b, *y;
    tsl_solution s;
    dense_random(&B, 1);
    tsl_view va = tiled_or_not(x, &A, true, &a, SMALL, SMALL), vb = tiled_or_not(x, &B, true, &b, SMALL, 2), vy = tiled_or_not(x, &X, false, &y, SMALL, 2);
    calls = 0, fail_from = at, fail_to = all ? LONG_MAX : at + 1;
    tsl_status st = tsl_solve(x, definite ? tsl_lower(va) : va, vb, vy, &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    bool more = calls > at;
    fail_from = fail_to = 0;
    *failed += st != TSL_OK;
    check(st == TSL_OK || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY, "%ld: %s", at, tsl_status_name(st));
    check(st || mixed_backward(&A, TSL_NOTRANS, &B, &X) < 2 * tsl_type_eps(TSL_D), "%ld: wrong, method %d", at, s.method);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&B), dense_free(&X);
    return more;
}

static void shortage(const char *devices)
{
    static const tsl_allocator allocator = {take, give, NULL};
    int failed = 0;
    for (int kind = 0; kind < 4; kind++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x;
        cfg.devices = devices, cfg.allocator = &allocator;
        check(!tsl_context_create(&cfg, &x), "%s: a context", devices);
        for (long at = 0; at < 2000 && (shortage_at(x, at, kind / 2, kind % 2, &failed) || at % 2); at++) continue;
        tsl_context_destroy(x);
        check(lost == 0, "%s: %ld blocks lost", devices, lost);
    }
    check(failed > 0, "%s: none failed", devices);
    checked("%s: allocations that fail", devices);
}

int main(void)
{
    static const char *const specs[] = {"host", "host:2", "host:3,mem=170K", NULL};
    for (int i = 0; i < 4; i++) {
        tsl_config cfg = tsl_config_default();
        tsl_context *x;
        const char *spec = specs[i] ? specs[i] : "default";
        cfg.devices = specs[i];
        if (tsl_context_create(&cfg, &x)) return puts("Bail out! no context"), 1;
        for (int z = 0; z < 2; z++)
            for (int definite = 0; definite < 2; definite++) {
                tsl_type t = z ? TSL_Z : TSL_D;
                solved(x, spec, (what){t, 2, definite, true, true, TSL_NOTRANS}, TSL_BY_CORRECTIONS);
                solved(x, spec, (what){t, 5, definite, true, false, TSL_NOTRANS}, TSL_BY_CORRECTIONS);
                solved(x, spec, (what){t, 2, definite, true, false, definite ? TSL_NOTRANS : TSL_HERM}, TSL_BY_CORRECTIONS);
                solved(x, spec, (what){t, 12, definite, true, true, TSL_NOTRANS}, TSL_BY_FACTORS);
                solved(x, spec, (what){t, 3, definite, false, false, TSL_NOTRANS}, TSL_BY_CORRECTIONS); /* with little memory step by step, too */
            }
        solved(x, spec, (what){TSL_D, 3, false, false, true, TSL_NOTRANS}, TSL_BY_CORRECTIONS);
        troubled(x, spec);
        checked("%s", spec);
        tsl_context_destroy(x);
    }
    shortage("host:2");
    shortage("host:3,mem=170K");
    return tap_done();
}
