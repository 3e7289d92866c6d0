/* QR and LQ by tiles: right, and with the same bits on any number of devices, where memory is short, and in a region. */
#include "qr.h"
#include "tiled.h"

enum { M = 130, N = 90, NB = 16, RHS = 37 };
#define BOUND 30.0

typedef struct results {
    dense F, tau, C, Q;
} results;

static void results_free(results *r) { dense_free(&r->F), dense_free(&r->tau), dense_free(&r->C), dense_free(&r->Q); }

static int results_same(const results *a, const results *b)
{
    return dense_same(&a->F, &b->F) && dense_same(&a->tau, &b->tau) && dense_same(&a->C, &b->C) && dense_same(&a->Q, &b->Q);
}

static tsl_matrix *tiles(tsl_context *x, const dense *d)
{
    tsl_matrix *m = NULL;
    check(!tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, NB, &m), "wrap: %s", tsl_error(x));
    return m;
}

/* A = Q R, C := Q^H C, Q: of m x n matrices as seen */
static results compute(const char *spec, tsl_type t, int64_t m, int64_t n, bool lq, bool region)
{
    int64_t k = qr_min(m, n);
    tsl_context *x = make(spec);
    results r = {qr_matrix(t, lq ? n : m, lq ? m : n, RANDOM, 3), qr_factors(t, k), qr_matrix(t, m, RHS, RANDOM, 4),
                 dense_make(t, lq ? k : m, lq ? m : k, CANARY_FINITE)};
    dense_fill(&r.tau, 0);
    check(!tsl_set(x, "tile", "16"), "%s: the tile", spec);
    tsl_matrix *F = tiles(x, &r.F), *tau = tiles(x, &r.tau), *C = tiles(x, &r.C), *Q = tiles(x, &r.Q);
    tsl_view A = lq ? tsl_herm(tsl_whole(F)) : tsl_whole(F), q = lq ? tsl_herm(tsl_whole(Q)) : tsl_whole(Q);
    tsl_status st = region ? tsl_begin(x) : TSL_OK;
    if (!st) st = tsl_geqrf(x, A, tsl_whole(tau));
    if (!st) st = tsl_ormqr(x, TSL_LEFT, TSL_HERM, A, tsl_whole(tau), tsl_whole(C));
    if (!st) st = tsl_copy(x, tsl_sub(A, 0, 0, m, k), q);
    if (!st) st = tsl_orgqr(x, q, tsl_whole(tau));
    if (region) {
        tsl_status late = tsl_wait(x);
        if (!st) st = late;
    }
    check(!st, "%s, %c %d x %d, lq %d, region %d: %s", spec, tsl_type_letter(t), (int)m, (int)n, lq, region, tsl_error(x));
    tsl_matrix_free(F), tsl_matrix_free(tau), tsl_matrix_free(C), tsl_matrix_free(Q);
    tsl_context_destroy(x);
    return r;
}

/* Q of no reflectors is the identity, whatever was there: its factors, which are none, lie in no tile. */
static void test_no_reflectors(void)
{
    static const int64_t sizes[][2] = {{3, 3}, {40, 20}};
    for (int s = 0; s < 2; s++) {
        tsl_context *x = make("host:3");
        dense A = qr_matrix(TSL_D, sizes[s][0], sizes[s][1], RANDOM, 3);
        double none[1] = {0}, off = 0;
        check(!tsl_set(x, "tile", "16") && !tsl_set(x, "path", "tiles"), "by tiles");
        tsl_status st = tsl_dorgqr(x, A.m, A.n, 0, (double *)(void *)A.data, A.ld, none, NULL);
        for (int64_t i = 0; i < A.m * A.n; i++) off += fabs(creal(dense_get(&A, i % A.m, i / A.m)) - (i % A.m == i / A.m));
        check(!st && off == 0, "%d x %d: %s, off %g", (int)A.m, (int)A.n, tsl_error(x), off);
        dense_free(&A);
        tsl_context_destroy(x);
    }
    checked("Q of no reflectors");
}

/* C is Q^H of what it was, and Q what the reflectors say. */
static void right(const results *r, int64_t m, int64_t n, bool lq)
{
    tsl_type t = r->F.t;
    int64_t k = qr_min(m, n);
    operand F = {.d = (dense *)&r->F, .op = lq ? qr_herm(t) : TSL_NOTRANS}, before = F, Q = {.d = (dense *)&r->Q, .op = F.op};
    dense A = qr_matrix(t, lq ? n : m, lq ? m : n, RANDOM, 3), C = qr_matrix(t, m, RHS, RANDOM, 4);
    tsl_scalar *X = qr_room(m, RHS), *Y = qr_room(m, k);
    before.d = &A;
    for (int64_t i = 0; i < m * RHS; i++) X[i] = dense_get(&C, i % m, i / m);
    qr_reflect(&F, &r->tau, true, X, RHS);
    for (int64_t j = 0; j < k; j++) Y[j + j * m] = 1;
    qr_reflect(&F, &r->tau, false, Y, k);
    double size = qr_norm(X, m, RHS), residual = qr_residual(&before, &F, &r->tau);
    for (int64_t i = 0; i < m * RHS; i++) X[i] -= dense_get(&r->C, i % m, i / m);
    for (int64_t i = 0; i < m * k; i++) Y[i] -= seen(&Q, i % m, i / m);
    double product = qr_norm(X, m, RHS) / size / ((double)m * tsl_type_eps(t)), formed = qr_norm(Y, m, k) / ((double)m * tsl_type_eps(t));
    check(residual < BOUND && qr_orthogonality(&F, &r->tau) < BOUND && product < BOUND && formed < BOUND, "%c %d x %d, lq %d: residual %g, C off %g, Q off %g",
          tsl_type_letter(t), (int)m, (int)n, lq, residual, product, formed);
    dense_free(&A), dense_free(&C), free(X), free(Y);
}

/* Least squares: LAPACK's solution in double complex, the same bits on any devices and where memory is short; a singular one's
 * info. */
static dense solution(const char *spec, tsl_type t, int64_t m, int64_t n, bool turned, double scale, int64_t zero, int64_t *info)
{
    tsl_context *x = make(spec);
    dense A = qr_matrix(t, turned ? n : m, turned ? m : n, RANDOM, 3), B = qr_matrix(t, qr_max(m, n), RHS, RANDOM, 4);
    for (int64_t i = 0; i < A.m * A.n; i++) {
        int64_t r = i % A.m, c = i / A.m, along = A.m < A.n ? r : c;
        dense_put(&A, r, c, along == zero ? 0 : scale * (dense_get(&A, r, c) + (r == c ? 4 : 0)));
    }
    check(!tsl_set(x, "tile", "16"), "%s: the tile", spec);
    tsl_matrix *a = tiles(x, &A), *b = tiles(x, &B);
    tsl_view v = tsl_whole(a);
    if (turned) v.op = qr_herm(t);
    tsl_status st = tsl_gels(x, v, tsl_whole(b), info);
    check(!st, "%s, %cgels %d x %d, turned %d: %s", spec, tsl_type_letter(t), (int)m, (int)n, turned, tsl_error(x));
    tsl_matrix_free(a), tsl_matrix_free(b);
    tsl_context_destroy(x);
    dense_free(&A);
    return B;
}

static double off_lapack(const dense *X, int64_t m, int64_t n, bool turned)
{
    int64_t longest = qr_max(m, n);
    dense A = qr_matrix(X->t, turned ? n : m, turned ? m : n, RANDOM, 3), B = qr_matrix(X->t, longest, RHS, RANDOM, 4);
    tsl_scalar *a = qr_room(A.m, A.n), *b = qr_room(longest, RHS);
    for (int64_t i = 0; i < A.m * A.n; i++) a[i] = dense_get(&A, i % A.m, i / A.m) + (i % A.m == i / A.m ? 4 : 0);
    for (int64_t i = 0; i < longest * RHS; i++) b[i] = dense_get(&B, i % longest, i / longest);
    if (LAPACKE_zgels(LAPACK_COL_MAJOR, turned ? 'C' : 'N', (lapack_int)A.m, (lapack_int)A.n, RHS, (void *)a, (lapack_int)A.m, (void *)b,
                      (lapack_int)longest))
        abort();
    double most = 0, size = 0;
    for (int64_t j = 0; j < RHS; j++)
        for (int64_t i = 0; i < n; i++) {
            double d = cabs(b[i + j * longest] - dense_get(X, i, j));
            most = d <= most ? most : isnan(d) ? INFINITY : d, size = tsl_larger(size, cabs(b[i + j * longest]));
        }
    dense_free(&A), dense_free(&B), free(a), free(b);
    return most / (size * (double)longest * tsl_type_eps(X->t));
}

static void least_squares(tsl_type t)
{
    static const char *const specs[] = {"host:2,mem=64M", "host:3,mem=64M", "host:2,mem=300K", "host"};
    static const int64_t shapes[][2] = {{M, N}, {N, M}, {N, N}, {M, 7}, {16, 40}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int turned = 0; turned < 2; turned++) {
            int64_t m = shapes[s][0], n = shapes[s][1], info = -1;
            dense one = solution("host:1,mem=64M", t, m, n, turned, 1, -1, &info);
            double off = off_lapack(&one, m, n, turned);
            check(info == 0 && off < BOUND, "%cgels %d x %d, turned %d: off by %g", tsl_type_letter(t), (int)m, (int)n, turned, off);
            for (size_t d = 0; d < sizeof specs / sizeof *specs; d++) {
                dense more = solution(specs[d], t, m, n, turned, 1, -1, &info);
                double near = d < 3 ? 0 : off_lapack(&more, m, n, turned);
                check(d < 3 ? dense_same(&one, &more) : near < BOUND, "%cgels %d x %d, turned %d: other on %s, %g", tsl_type_letter(t),
                      (int)m, (int)n, turned, specs[d], near);
                dense_free(&more);
            }
            double up = qr_single(t) ? 0x1p-110 : 0x1p-1000; /* brought into range, and back, by powers of two */
            dense small = solution("host:2,mem=64M", t, m, n, turned, up, -1, &info);
            for (int64_t i = 0; i < small.m * RHS; i++) dense_put(&small, i % small.m, i / small.m, up * dense_get(&small, i % small.m, i / small.m));
            check(off_lapack(&small, m, n, turned) < 2 * BOUND, "%cgels %d x %d, turned %d: of tiny elements", tsl_type_letter(t), (int)m, (int)n, turned);
            dense_free(&one), dense_free(&small);
            dense singular = solution("host:2,mem=64M", t, m, n, turned, 1, 5, &info);
            check(info == 6, "%cgels %d x %d, turned %d: info %d", tsl_type_letter(t), (int)m, (int)n, turned, (int)info);
            dense_free(&singular);
        }
    checked("%cgels by tiles, on several devices", tsl_type_letter(t));
}

int main(void)
{
    static const char *const specs[] = {"host:2,mem=64M", "host:3,mem=64M", "host:2,mem=300K"};
    static const int64_t shapes[][2] = {{M, N}, {N, M}, {N, N}, {M, 7}, {16, 40}};
    test_no_reflectors();
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int lq = 0; lq < 2; lq++) {
                int64_t m = shapes[s][0], n = shapes[s][1];
                results one = compute("host:1,mem=64M", t, m, n, lq, false);
                right(&one, m, n, lq);
                for (int d = 0; d < 3; d++) {
                    if ((s + (size_t)i + (size_t)d) % 3 == 0 && s) continue;
                    results more = compute(specs[d], t, m, n, lq, d == 1);
                    check(results_same(&one, &more), "%c %d x %d, lq %d: other bits on %s", tsl_type_letter(t), (int)m, (int)n, lq, specs[d]);
                    results_free(&more);
                }
                results_free(&one);
            }
        checked("%c: by tiles, on several devices", tsl_type_letter(t));
        least_squares(t);
    }
    return tap_done();
}
