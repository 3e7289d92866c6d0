/* QR with column pivoting, exact and with pivots of a sketch: residuals, orthogonality, the diagonal, ranks. Columns that
 * are fixed, what is not a number, and what is refused. */
#include "qrp.h"

static bool is_permutation(const int64_t *p, int64_t n)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < n; j++) {
        if (p[j] < 1 || p[j] > n) return false;
        for (int64_t i = 0; i < j; i++)
            if (p[i] == p[j]) return false;
        sum += p[j];
    }
    return sum == n * (n + 1) / 2;
}

static dense permuted(const dense *A, const int64_t *p)
{
    dense B = dense_copy(A);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) dense_put(&B, i, j, dense_get(A, i, p[j] - 1));
    return B;
}

/* What the diagonal grows by at most, from element `from` on, where that is above the roundoff of the first */
static double growth(const dense *F, int64_t from, int64_t count)
{
    double most = 0, first = count ? cabs(dense_get(F, 0, 0)) : 0;
    for (int64_t k = from + 1; k < count; k++) {
        double a = cabs(dense_get(F, k, k)), b = cabs(dense_get(F, k - 1, k - 1));
        if (a > 100 * (double)F->n * tsl_type_eps(F->t) * first) most = tsl_larger(most, a / b);
    }
    return most;
}

static tsl_status typed_geqp3(tsl_context *x, dense *A, int64_t *p, dense *tau, int64_t *info)
{
    switch (A->t) {
    case TSL_S: return tsl_sgeqp3(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, info);
    case TSL_D: return tsl_dgeqp3(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, info);
    case TSL_C: return tsl_cgeqp3(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, info);
    default: return tsl_zgeqp3(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, info);
    }
}

static tsl_status typed_random(tsl_context *x, dense *A, int64_t *p, dense *tau, int64_t most, double tolerance, int64_t *rank, int64_t *info)
{
    switch (A->t) {
    case TSL_S: return tsl_sgeqp3_random(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, most, (float)tolerance, 5, rank, info);
    case TSL_D: return tsl_dgeqp3_random(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, most, tolerance, 5, rank, info);
    case TSL_C: return tsl_cgeqp3_random(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, most, (float)tolerance, 5, rank, info);
    default: return tsl_zgeqp3_random(x, A->m, A->n, (void *)A->data, A->ld, p, (void *)tau->data, most, tolerance, 5, rank, info);
    }
}

/* |A P - Q R| where only the first `rank` rows of R and reflectors count, beside |A| */
static double truncated(const dense *AP, const dense *F, const dense *tau, int64_t rank)
{
    int64_t m = AP->m, n = AP->n;
    tsl_scalar *X = qr_room(m, n);
    double size = 0, off = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) X[i + j * m] = i <= j && i < rank ? dense_get(F, i, j) : 0;
    dense first = *tau;
    first.m = rank;
    qr_reflect(&(operand){.d = (dense *)(uintptr_t)F}, &first, false, X, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) off = worse(off, cabs(X[i + j * m] - dense_get(AP, i, j))), size = tsl_larger(size, cabs(dense_get(AP, i, j)));
    free(X);
    return off == 0 ? 0 : off / size;
}

/* fixed: columns that come first, every second one from the last back */
static void pivoted(tsl_context *x, const char *name, tsl_type t, int64_t m, int64_t n, qrp_kind kind, int64_t fixed)
{
    char line[96];
    int64_t d = qr_min(m, n), info = -7, *p = calloc((size_t)(n + 1), sizeof *p);
    dense A = qrp_matrix(t, m, n, kind), F = dense_copy(&A), tau = qr_factors(t, d), was = dense_copy(&tau);
    who(line, t, m, n, kind);
    for (int64_t k = 0; k < fixed; k++) p[n - 1 - 2 * k] = k % 2 ? 3 : (int64_t)1 << 32; /* not zero, whatever bits it has */
    p[n] = 777;
    tsl_status st = typed_geqp3(x, &F, p, &tau, &info);
    check(!st && !info, "%s, %s: %s: %s", name, line, tsl_status_name(st), tsl_error(x));
    bool order = is_permutation(p, n), front = true;
    for (int64_t k = 0; k < fixed && order; k++) front &= (n - p[k]) % 2 == 0 && n - p[k] < 2 * fixed;
    if (order) {
        dense AP = permuted(&A, p);
        operand a = {.d = &AP}, f = {.d = &F};
        double off = qr_residual(&a, &f, &tau), apart = qr_orthogonality(&f, &tau), grows = growth(&F, qr_min(fixed, d), d);
        check(off < BOUND && apart < BOUND && grows < 1 + 1e3 * tsl_type_eps(t) && front, "%s, %s, %d fixed: residual %g, Q %g, diagonal grows %g, fixed in front %d", name, line,
              (int)fixed, off, apart, grows, front);
        dense_free(&AP);
    }
    check(order && p[n] == 777 && !dense_strays(&F, &A, TSL_GENERAL) && !dense_strays(&tau, &was, TSL_GENERAL), "%s, %s: order %d, or wrote beside", name, line, order);
    dense_free(&A), dense_free(&F), dense_free(&tau), dense_free(&was), free(p);
}

static void sketched(tsl_context *x, const char *name, tsl_type t, int64_t m, int64_t n, qrp_kind kind)
{
    char line[96];
    int64_t d = qr_min(m, n), info = -7, rank = -7, *p = calloc((size_t)(2 * n + 1), sizeof *p);
    dense A = qrp_matrix(t, m, n, kind), F = dense_copy(&A), G = dense_copy(&A), tau = qr_factors(t, d);
    who(line, t, m, n, kind);
    memset(p, 0x5a, (size_t)(2 * n) * sizeof *p);
    tsl_status st = typed_random(x, &F, p, &tau, n, 0, &rank, &info), again = typed_random(x, &G, p + n, &tau, n, 0, NULL, &info);
    check(!st && !again && !info && dense_same(&F, &G) && !memcmp(p, p + n, (size_t)n * sizeof *p), "%s, sketch of %s: %s, twice the same: %s", name, line, tsl_status_name(st),
          tsl_error(x));
    if (is_permutation(p, n)) {
        dense AP = permuted(&A, p);
        operand a = {.d = &AP}, f = {.d = &F};
        double off = qr_residual(&a, &f, &tau), apart = qr_orthogonality(&f, &tau), grows = growth(&F, 0, d);
        bool zero = kind == QRP_ZEROS || (kind == QRP_ZERO_COLUMN && n == 1);
        check(off < BOUND && apart < BOUND && (zero ? rank == 0 : rank > 0 && rank <= d) && (grows < 20 || kind == QRP_TWINS || kind == QRP_DEFICIENT),
              "%s, sketch of %s: residual %g, Q %g, rank %d, diagonal grows %g", name, line, off, apart, (int)rank, grows);
        dense_free(&AP);
    } else check(false, "%s, sketch of %s: no permutation", name, line);
    /* of half the columns; and as far as a tolerance says */
    double eps = tsl_type_eps(t), tolerance = 1e3 * (double)qr_max(m, n) * eps;
    bool low = kind == QRP_DEFICIENT || kind == QRP_TWINS;
    int64_t whole = kind == QRP_DEFICIENT ? qr_min(d, qr_max(1, d / 2)) : qr_min(m, (n + 2) / 3);
    if (kind == QRP_RANDOM || low) {
        dense_free(&F), F = dense_copy(&A);
        st = typed_random(x, &F, p, &tau, low ? n : d / 2, low ? tolerance : 0, &rank, &info);
        check(!st && rank == (low ? whole : d / 2), "%s, sketch of %s: rank %d, not %d", name, line, (int)rank, (int)(low ? whole : d / 2));
        if (!st && is_permutation(p, n) && low) {
            dense AP = permuted(&A, p);
            double off = truncated(&AP, &F, &tau, rank);
            check(off < (double)qr_max(m, n) * tolerance, "%s, sketch of %s: off %g", name, line, off);
            dense_free(&AP);
        }
    }
    dense_free(&A), dense_free(&F), dense_free(&G), dense_free(&tau), free(p);
}

static void families(tsl_context *x, const char *name, bool few)
{
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < QRP_KINDS; kind++) {
                int64_t m = shapes[k][0], n = shapes[k][1];
                bool extreme = kind == QRP_TINY || kind == QRP_HUGE || kind == QRP_UNLIKE;
                if (few && (k + kind + i) % 3) continue;
                pivoted(x, name, t, m, n, (qrp_kind)kind, 0);
                pivoted(x, name, t, m, n, (qrp_kind)kind, qr_min(3, (n + 1) / 2));
                if (!extreme) sketched(x, name, t, m, n, (qrp_kind)kind);
            }
        pivoted(x, name, t, 70, 70, QRP_KAHAN, 0);
        sketched(x, name, t, few ? 60 : 150, few ? 60 : 140, QRP_RANDOM), sketched(x, name, t, 90, 80, QRP_KAHAN), sketched(x, name, t, 100, 90, QRP_DEFICIENT);
        checked("%s: %c: pivoted QR", name, tsl_type_letter(t));
    }
}

/* The algorithms, as devices without LAPACK take them */
static void by_parts(tsl_context *x, const char *name)
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < QRP_KINDS; kind++) {
                int64_t m = shapes[k][0], n = shapes[k][1];
                if ((k + kind + i) % 2 || is_left_out(i, 1)) continue;
                check(!tsl_set(x, "variant", "panels"), "%s", tsl_error(x));
                pivoted(x, name, all_types[i], m, n, (qrp_kind)kind, k % 2 ? qr_min(3, (n + 1) / 2) : 0);
                check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
            }
    check(!tsl_set(x, "variant", "panels") && !tsl_set(x, "tile", "16"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int kind = 0; kind < QRP_KINDS; kind++)
            if (kind % 4 == i) pivoted(x, name, all_types[i], 1600, 33, (qrp_kind)kind, i == 1 ? 3 : 0);
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "%s", tsl_error(x));
    checked("%s: by parts", name);
    check(!tsl_set(x, "tile", "8"), "%s", tsl_error(x));
    for (int i = 0; i < 8; i++) {
        check(!tsl_set(x, "variant", i % 2 ? "ahead" : "right"), "%s", tsl_error(x));
        for (int kind = 0; kind < QRP_TINY; kind++)
            if (kind != QRP_UNLIKE) sketched(x, name, all_types[i / 2], kind % 2 ? 60 : 45, kind % 2 ? 40 : 70, (qrp_kind)kind);
    }
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "%s", tsl_error(x));
    checked("%s: sketches of several blocks", name);
}

/* No rows, no columns, no right-hand sides; a number that is none is in R */
static void odd_ones(tsl_context *x, const char *name)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    int64_t info = -7, rank = -7, p[4] = {0};
    double b[6] = {1, 2, 3, 4, 5, 7}, none = 0;
    check(!tsl_dgeqp3(x, 0, 3, &none, 1, p, &none, &info) && !info && !tsl_dgeqp3(x, 3, 0, &none, 3, p, &none, &info), "%s: nothing", name);
    check(!tsl_dgelsy(x, 3, 2, 0, b, 3, &none, 3, p, 0, &rank, &info) && !info, "%s: no right-hand sides", name);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++) {
            tsl_type t = all_types[i];
            dense F = qrp_matrix(t, k % 2 ? 11 : 5, k % 2 ? 5 : 8, QRP_RANDOM), tau = qr_factors(t, 5);
            int64_t order[8] = {0};
            bool finite = true;
            dense_put(&F, 2, 1, odd[k / 2]);
            tsl_status st = k % 2 ? typed_geqp3(x, &F, order, &tau, &info) : typed_random(x, &F, order, &tau, 8, 0, &rank, &info);
            for (int64_t r = 0; r < 5; r++) finite &= isfinite(cabs(dense_get(&F, r, r)));
            check(!st && !finite, "%s: %g: finite %d: %s", name, odd[k / 2], finite, tsl_error(x));
            dense_free(&F), dense_free(&tau);
        }
    checked("%s: nothing, NaN and Inf", name);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *B, *P, *T;
    int64_t info = -7, rank = -7, p[2] = {0};
    if (tsl_matrix_create(x, TSL_D, 6, 4, &A) || tsl_matrix_create(x, TSL_D, 6, 3, &B) || tsl_matrix_create(x, TSL_INDEX, 4, 1, &P) || tsl_matrix_create(x, TSL_D, 4, 1, &T)) abort();
    tsl_view a = tsl_whole(A), b = tsl_whole(B), q = tsl_whole(P), t = tsl_whole(T);
    says(x, tsl_geqp3(x, tsl_trans(a), q, t), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_geqp3(x, a, tsl_sub(q, 0, 0, 3, 1), t), TSL_ERR_SHAPE, "geqp3");
    says(x, tsl_geqp3(x, a, q, tsl_sub(t, 0, 0, 3, 1)), TSL_ERR_SHAPE, "must be a column of 4 elements");
    says(x, tsl_geqp3_random(x, a, q, t, -1, 0, 1, &rank), TSL_ERR_SIZE, "the rank to stop at is -1");
    says(x, tsl_geqp3_random(x, a, q, t, 4, -1, 1, &rank), TSL_ERR_FLAG, "tolerance");
    says(x, tsl_gelsy(x, a, q, tsl_sub(b, 0, 0, 5, 3), 0, &rank), TSL_ERR_SHAPE, "B must have as many rows");
    says(x, tsl_gelsd(x, a, tsl_sub(t, 0, 0, 3, 1), b, 0, &rank, &info), TSL_ERR_SHAPE, "must be a column of 4 elements");
    says(x, tsl_gelsy(x, a, q, a, 0, &rank), TSL_ERR_OVERLAP, "overlaps");
    double e[4] = {1, 0, 0, 1}, f[4] = {1, 1, 1, 1}, s[2];
    check(tsl_dgeqp3(x, -1, 2, e, 2, p, s, &info) == TSL_ERR_SIZE && info == -1, "m: info %d", (int)info);
    check(tsl_dgeqp3(x, 2, 2, e, 1, p, s, &info) == TSL_ERR_LD && info == -4, "lda: info %d", (int)info);
    check(tsl_dgeqp3(x, 2, 2, e, 2, NULL, s, &info) == TSL_ERR_NULL && info == -5, "jpvt: info %d", (int)info);
    check(tsl_dgelsy(x, 2, 2, -1, e, 2, f, 2, p, 0, &rank, &info) == TSL_ERR_SIZE && info == -3, "nrhs: info %d", (int)info);
    check(tsl_dgelsy(x, 2, 2, 1, e, 2, f, 1, p, 0, &rank, &info) == TSL_ERR_LD && info == -7, "ldb: info %d", (int)info);
    check(tsl_dgelsd(x, 2, 2, 1, e, 2, f, 2, NULL, 0, &rank, &info) == TSL_ERR_NULL && info == -8, "s: info %d", (int)info);
    check(tsl_dgelsd(x, 2, 2, 1, e, 2, f, 2, s, 0, NULL, &info) == TSL_ERR_NULL && info == -10, "rank: info %d", (int)info);
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(P), tsl_matrix_free(T);
}

/* By tiles: the families, on several devices */
static void by_tiles(const char *devices, const char *tile)
{
    tsl_context *x = context_on(devices);
    char name[64];
    snprintf(name, sizeof name, "%s by tiles of %s", devices, tile);
    if (!x) return;
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s", tsl_error(x));
    families(x, name, true);
    odd_ones(x, name);
    tsl_context_destroy(x);
}

/* The same bits, with fixed columns and without full rank too; the last has a quarter of the matrix's memory. Pivots of a
 * matrix whose columns are not alike are LAPACK's. */
static void any_devices(bool exact, qrp_kind kind)
{
    enum { M = 260, N = 230 };
    static const char *const where[] = {"host:1,mem=64M", "host:2", "host:3", "host:1,mem=120K"};
    dense A = qrp_matrix(TSL_D, M, N, kind), first = {0}, taus = {0};
    int64_t p[3][N] = {{0}}, rank = N, info = -7;
    for (int k = 0; k < 4; k += kind == QRP_RANDOM ? 1 : 3) {
        tsl_context *x = context_on(where[k]);
        dense F = dense_copy(&A), tau = qr_factors(TSL_D, N);
        int64_t *q = p[k > 0];
        check(x && !tsl_set(x, "path", k < 3 ? "tiles" : "auto") && !tsl_set(x, "tile", "16"), "%s: %s", where[k], tsl_error(x));
        memset(q, 0, sizeof p[0]);
        q[N - 3] = q[20] = q[21] = 1;
        tsl_status st = exact ? typed_geqp3(x, &F, q, &tau, &info) : typed_random(x, &F, q, &tau, N, 0, &rank, &info);
        check(!st && !info && rank == N, "%s: %s, rank %d: %s", where[k], tsl_status_name(st), (int)rank, tsl_error(x));
        if (k) check(dense_same(&F, &first) && dense_same(&tau, &taus) && !memcmp(p[0], p[1], sizeof p[0]), "other bits on %s", where[k]);
        if (k) dense_free(&F), dense_free(&tau);
        else first = F, taus = tau;
        tsl_context_destroy(x);
    }
    if (exact && kind == QRP_RANDOM) {
        tsl_context *x = context_on("host");
        dense F = dense_copy(&A), tau = qr_factors(TSL_D, N);
        p[2][N - 3] = p[2][20] = p[2][21] = 1;
        check(!typed_geqp3(x, &F, p[2], &tau, &info) && !memcmp(p[0], p[2], sizeof p[0]), "other pivots than LAPACK's");
        dense_free(&F), dense_free(&tau);
        tsl_context_destroy(x);
    }
    dense_free(&A), dense_free(&first), dense_free(&taus);
    checked("%s of %s: the same bits on any devices", exact ? "geqp3" : "a sketch", qrp_name[kind]);
}

int main(void)
{
    static const char *const where[] = {"host", "host:3", "cuda"};
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k], k == 1 || in_short());
        by_parts(x, where[k]);
        odd_ones(x, where[k]);
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    by_tiles("host:2", "8"), by_tiles("host:1,mem=64M", "13");
    if (!in_short()) any_devices(false, QRP_RANDOM), any_devices(true, QRP_RANDOM), any_devices(true, QRP_DEFICIENT);
    return tap_done();
}
