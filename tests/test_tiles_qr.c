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
    results r = {qr_matrix(t, lq ? n : m, lq ? m : n, RANDOM, 3), qr_factors(t, k), qr_matrix(t, m, RHS, RANDOM, 4), dense_make(t, lq ? k : m, lq ? m : k, CANARY_FINITE)};
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

int main(void)
{
    static const char *const specs[] = {"host:2,mem=64M", "host:3,mem=64M", "host:2,mem=300K"};
    static const int64_t shapes[][2] = {{M, N}, {N, M}, {N, N}, {M, 7}, {16, 40}};
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
    }
    return tap_done();
}
