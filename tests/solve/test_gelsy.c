/* Least squares of any rank, gelsy and gelsd: ranks and solutions beside LAPACK's. */
#include "qrp.h"

typedef struct answer {
    dense A, B, s;
    int64_t *p, rank;
} answer;

/* LAPACK's, by LAPACKE */
static void lapack_squares(answer *a, bool by_values, double rcond)
{
    lapack_int m = (lapack_int)a->A.m, n = (lapack_int)a->A.n, k = (lapack_int)a->B.n, lda = (lapack_int)a->A.ld, ldb = (lapack_int)a->B.ld, rank = 0, bad = 0;
    lapack_int *p = calloc((size_t)n + 1, sizeof *p);
    void *A = a->A.data, *B = a->B.data, *s = a->s.data;
    switch (a->A.t) {
    case TSL_S: bad = by_values ? LAPACKE_sgelsd(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, s, (float)rcond, &rank) : LAPACKE_sgelsy(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, p, (float)rcond, &rank); break;
    case TSL_D: bad = by_values ? LAPACKE_dgelsd(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, s, rcond, &rank) : LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, p, rcond, &rank); break;
    case TSL_C: bad = by_values ? LAPACKE_cgelsd(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, s, (float)rcond, &rank) : LAPACKE_cgelsy(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, p, (float)rcond, &rank); break;
    default: bad = by_values ? LAPACKE_zgelsd(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, s, rcond, &rank) : LAPACKE_zgelsy(LAPACK_COL_MAJOR, m, n, k, A, lda, B, ldb, p, rcond, &rank);
    }
    if (bad) abort();
    a->rank = rank;
    free(p);
}

static tsl_status our_squares(tsl_context *x, answer *a, bool by_values, double rcond, int64_t *info)
{
    int64_t m = a->A.m, n = a->A.n, k = a->B.n, lda = a->A.ld, ldb = a->B.ld;
    void *A = a->A.data, *B = a->B.data, *s = a->s.data;
    switch (a->A.t) {
    case TSL_S: return by_values ? tsl_sgelsd(x, m, n, k, A, lda, B, ldb, s, (float)rcond, &a->rank, info) : tsl_sgelsy(x, m, n, k, A, lda, B, ldb, a->p, (float)rcond, &a->rank, info);
    case TSL_D: return by_values ? tsl_dgelsd(x, m, n, k, A, lda, B, ldb, s, rcond, &a->rank, info) : tsl_dgelsy(x, m, n, k, A, lda, B, ldb, a->p, rcond, &a->rank, info);
    case TSL_C: return by_values ? tsl_cgelsd(x, m, n, k, A, lda, B, ldb, s, (float)rcond, &a->rank, info) : tsl_cgelsy(x, m, n, k, A, lda, B, ldb, a->p, (float)rcond, &a->rank, info);
    default: return by_values ? tsl_zgelsd(x, m, n, k, A, lda, B, ldb, s, rcond, &a->rank, info) : tsl_zgelsy(x, m, n, k, A, lda, B, ldb, a->p, rcond, &a->rank, info);
    }
}

static answer make_answer(const dense *A, int64_t nrhs)
{
    int64_t d = qr_min(A->m, A->n);
    answer a = {.A = dense_copy(A), .B = dense_make(A->t, qr_max(A->m, A->n), nrhs, CANARY_FINITE), .s = dense_make(eig_real(A->t), d, 1, CANARY_FINITE), .p = calloc((size_t)A->n + 1, 8), .rank = -7};
    dense_random(&a.B, 99);
    return a;
}
static void free_answer(answer *a) { dense_free(&a->A), dense_free(&a->B), dense_free(&a->s), free(a->p); }

/* How far A's leading triangle is from one with the first singular values, by sums of squares: what gelsy leaves */
static double triangle_off(const dense *A, const dense *s, int64_t rank)
{
    double sum = 0, wanted = 0, largest = rank ? creal(dense_get(s, 0, 0)) : 1;
    for (int64_t j = 0; j < rank; j++) {
        for (int64_t i = 0; i <= j; i++) sum += pow(cabs(dense_get(A, i, j)) / largest, 2);
        wanted += pow(creal(dense_get(s, j, 0)) / largest, 2);
    }
    return fabs(sum - wanted);
}

static void squares(tsl_context *x, const char *name, tsl_type t, int64_t m, int64_t n, int64_t nrhs, qrp_kind kind, bool by_values)
{
    char line[96];
    int64_t info = -7;
    double eps = tsl_type_eps(t), rcond = 1e2 * (double)qr_max(m, n) * eps, off = 0, size = 0, values = 0;
    dense A = qrp_matrix(t, m, n, kind);
    answer ours = make_answer(&A, nrhs), theirs = make_answer(&A, nrhs), spectrum = make_answer(&A, nrhs);
    double rhs = 0;
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = 0; i < m; i++) rhs = tsl_larger(rhs, cabs(dense_get(&ours.B, i, j)));
    who(line, t, m, n, kind);
    lapack_squares(&theirs, by_values, rcond), lapack_squares(&spectrum, true, rcond);
    tsl_status st = our_squares(x, &ours, by_values, rcond, &info);
    check(!st && !info && ours.rank == theirs.rank, "%s, gels%c of %s: %s, info %d, rank %d, LAPACK's %d: %s", name, by_values ? 'd' : 'y', line, tsl_status_name(st), (int)info, (int)ours.rank,
          (int)theirs.rank, tsl_error(x));
    for (int64_t j = 0; j < nrhs; j++)
        for (int64_t i = 0; i < n; i++) {
            double o = cabs(dense_get(&ours.B, i, j) - dense_get(&theirs.B, i, j));
            off = o <= off ? off : isnan(o) ? INFINITY : o, size = tsl_larger(size, cabs(dense_get(&theirs.B, i, j)));
        }
    double condition = theirs.rank > 0 ? creal(dense_get(&spectrum.s, 0, 0)) / creal(dense_get(&spectrum.s, theirs.rank - 1, 0)) : 1;
    if (theirs.rank > 0) size = tsl_larger(size, rhs / creal(dense_get(&spectrum.s, 0, 0))); /* roundings of B count beside that, however small X is */
    if (by_values) values = eig_off(&ours.s, &theirs.s, 0, ours.s.m);
    double bound = BOUND * (double)qr_max(m, n) * eps * condition * (m > n ? condition : 1);
    check((off <= bound * size || bound > 1e-2) && values < BOUND, "%s, gels%c of %s: off %g beside %g, bound %g, values off %g", name, by_values ? 'd' : 'y', line, off, size, bound, values);
    double apart = by_values || kind == QRP_KAHAN ? 0 : triangle_off(&ours.A, &spectrum.s, theirs.rank);
    /* of Kahan's matrix pivoting leaves more than the values that are left out */
    check(apart <= BOUND * (double)(m + n) * eps, "%s, gelsy of %s: the triangle is off by %g", name, line, apart);
    free_answer(&ours), free_answer(&theirs), free_answer(&spectrum), dense_free(&A);
}

/* parts: the algorithms, as devices without LAPACK take them; tiles: columns of Kahan's matrix are equally long up to some
 * roundings, and in single precision another one may come first than LAPACK's */
static void families(tsl_context *x, const char *name, int step, bool parts, bool tiles)
{
    if (parts) check(!tsl_set(x, "variant", "parts"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < QRP_KINDS; kind++) {
                int64_t m = shapes[k][0], n = shapes[k][1];
                if ((k + kind + i) % step || (parts && is_left_out(i, 1)) || kind == QRP_UNLIKE || kind == QRP_GRADED) continue;
                bool alike = tiles && kind == QRP_KAHAN && tsl_type_eps(t) > 1e-10;
                if (!alike) squares(x, name, t, m, n, 3, (qrp_kind)kind, false);
                squares(x, name, t, m, n, 2, (qrp_kind)kind, true);
            }
        checked("%s: %c: least squares of any rank%s", name, tsl_type_letter(t), parts ? ", by parts" : "");
    }
    if (parts) check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
}

/* No right-hand sides: gelsd's singular values and rank are the same. parts: as on a GPU */
static void no_sides(tsl_context *x, const char *name)
{
    static const int64_t sizes[][2] = {{5, 3}, {3, 5}, {17, 17}, {60, 4}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 8; k++) {
            dense A = qrp_matrix(all_types[i], sizes[k % 4][0], sizes[k % 4][1], k % 2 ? QRP_RANDOM : QRP_DEFICIENT);
            answer with = make_answer(&A, 1), none = make_answer(&A, 0);
            double rcond = 1e3 * tsl_type_eps(A.t);
            int64_t info = -7, info0 = -7;
            check(!tsl_set(x, "variant", k < 4 ? "auto" : "parts"), "%s", tsl_error(x));
            tsl_status st = our_squares(x, &with, true, rcond, &info), st0 = our_squares(x, &none, true, rcond, &info0);
            check(!st && !st0 && !info && !info0 && with.rank == none.rank && eig_off(&none.s, &with.s, 0, none.s.m) < BOUND,
                  "%s: %c, %d x %d without right-hand sides: %s, info %d, rank %d and %d: %s", name, tsl_type_letter(A.t), (int)A.m, (int)A.n, tsl_status_name(st0),
                  (int)info0, (int)none.rank, (int)with.rank, tsl_error(x));
            dense_free(&A), free_answer(&with), free_answer(&none);
        }
    check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
    checked("%s: no right-hand sides", name);
}

/* No equations; a number that is none is in all of X */
static void odd_squares(tsl_context *x, const char *name)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    int64_t info = -7, rank = -7, p[4] = {0};
    double b[3] = {1, 2, 3}, c[3] = {1, 2, 3}, s[3] = {0}, none = 0;
    check(!tsl_dgelsd(x, 0, 3, 1, &none, 1, b, 3, s, 0, &rank, &info) && !info && rank == 0 && b[0] == 0 && b[2] == 0, "%s: no equations: rank %d, x %g %g", name, (int)rank, b[0], b[2]);
    rank = -7;
    check(!tsl_dgelsy(x, 0, 3, 1, &none, 1, c, 3, p, 0, &rank, &info) && !info && rank == 0 && c[0] == 0 && c[2] == 0, "%s: no equations: rank %d, x %g %g", name, (int)rank, c[0], c[2]);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++) {
            dense A = qrp_matrix(all_types[i], k % 2 ? 11 : 5, k % 2 ? 5 : 8, QRP_RANDOM);
            for (int in_b = 0; in_b < 2; in_b++)
                for (int by_values = 0; by_values < 2; by_values++) {
                    answer a = make_answer(&A, 2);
                    info = -7;
                    dense_put(in_b ? &a.B : &a.A, 2, 1, odd[k / 2]);
                    tsl_status st = our_squares(x, &a, by_values, 1e-3, &info);
                    check(!st && a.rank == 0 && info == (by_values ? 5 : 0) && eig_spoiled(&a.B, 2), "%s: %g, gels%c: %s, info %d, rank %d", name, odd[k / 2], by_values ? 'd' : 'y',
                          tsl_status_name(st), (int)info, (int)a.rank);
                    free_answer(&a);
                }
            dense_free(&A);
        }
    checked("%s: least squares of NaN and Inf", name);
}

/* By tiles, on several devices */
static void by_tiles(const char *devices, const char *tile)
{
    tsl_context *x = context_on(devices);
    char name[64];
    snprintf(name, sizeof name, "%s by tiles of %s", devices, tile);
    if (!x) return;
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s", tsl_error(x));
    families(x, name, 3, false, true);
    odd_squares(x, name);
    tsl_context_destroy(x);
}

int main(void)
{
    static const char *const where[] = {"host", "host:3", "cuda"};
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k], k == 1 || in_short() ? 3 : 1, false, false);
        families(x, where[k], 2, true, false);
        odd_squares(x, where[k]);
        check(!tsl_set(x, "variant", "parts"), "%s", tsl_error(x));
        odd_squares(x, where[k]);
        no_sides(x, where[k]);
        tsl_context_destroy(x);
    }
    by_tiles("host:2", "8"), by_tiles("host:1,mem=64M", "13");
    return tap_done();
}
