/* Batches of eigenproblems and of singular value decompositions, problem by problem: residuals, orthogonality, and values
 * beside LAPACK's. One of the problems is not a number, and spoils no other. */
#include "eig.h"

#include "context.h"

static const char *where;
static tsl_context *ctx;

/* Problems side by side in one array, with gaps in columns; by pointers: the last one first */
typedef struct stack {
    dense all;
    int64_t n;
    void **each;
    tsl_matrix *mat;
} stack;

static stack stack_make(tsl_type t, int64_t m, int64_t n, int64_t count, bool pointers)
{
    stack s = {.all = dense_make(t, m, n * count, CANARY_FINITE), .n = n, .each = calloc((size_t)count, sizeof(void *))};
    for (int64_t k = 0; k < count; k++) s.each[k] = dense_at(&s.all, 0, n * (pointers ? count - 1 - k : k));
    tsl_status st = pointers ? tsl_batch_wrap_pointers(ctx, t, m, n, s.each, s.all.ld, count, &s.mat)
                             : tsl_batch_wrap(ctx, t, m, n, s.all.data, s.all.ld, s.all.ld * n, count, &s.mat);
    check(!st, "%s: a batch: %s", where, tsl_error(ctx));
    return s;
}

static void stack_free(stack *s) { tsl_matrix_free(s->mat), dense_free(&s->all), free(s->each); }

static dense problem(const stack *s, int64_t k)
{
    dense p = s->all;
    p.n = p.cols = s->n, p.data = s->each[k];
    return p;
}

static void put(const stack *s, int64_t k, const dense *from)
{
    dense to = problem(s, k);
    for (int64_t j = 0; j < to.n; j++)
        for (int64_t i = 0; i < to.m; i++) dense_put(&to, i, j, dense_get(from, i, j));
}

/* Has nothing been written between columns, and behind them? */
static bool in_bounds(const stack *s)
{
    dense was = dense_make(s->all.t, s->all.m, s->all.n, CANARY_FINITE);
    bool good = !dense_strays(&s->all, &was, TSL_GENERAL);
    dense_free(&was);
    return good;
}

static bool is_spoiled(int64_t k, int64_t count) { return count > 1 && k == count / 2; }

/* Pairs il .. iu, all of them or, if V is not wanted, values */
static void pairs(tsl_type t, int64_t n, int64_t count, tsl_uplo uplo, bool pointers, bool vectors, int64_t il, int64_t iu)
{
    int64_t wanted = iu - il + 1, room = wanted == n ? n + 1 : wanted, *info = calloc((size_t)count, sizeof *info);
    stack A = stack_make(t, n, n, count, pointers), V = stack_make(t, n, room, count, pointers);
    stack w = stack_make(eig_real(t), n, 1, count, false);
    dense full[EIG_KINDS], values[EIG_KINDS];
    char who[160];
    snprintf(who, sizeof who, "%s: %c of order %d, %d of them, %s, %s, pairs %d to %d%s", where, tsl_type_letter(t), (int)n,
             (int)count, uplo == TSL_LOWER ? "lower" : "upper", pointers ? "pointers" : "stride", (int)il, (int)iu,
             vectors ? "" : ", values");
    int kinds = (int)qr_min(EIG_KINDS, count);
    for (int kind = 0; kind < kinds; kind++) {
        full[kind] = eig_matrix(t, n, (eig_kind)kind);
        values[kind] = eig_lapack(&full[kind]);
    }
    for (int64_t k = 0; k < count; k++) {
        dense half = eig_triangle(&full[k % EIG_KINDS], uplo);
        int64_t row = uplo == TSL_LOWER ? n - 1 : 0;
        if (is_spoiled(k, count)) dense_put(&half, row, n - 1 - row, k % 2 ? NAN : INFINITY);
        put(&A, k, &half);
        dense_free(&half);
    }
    tsl_selection which = {wanted == n ? TSL_RANGE_ALL : TSL_RANGE_INDEX, il, iu, 0, 0};
    tsl_view a = tsl_whole(A.mat), none = {0};
    tsl_view half = uplo == TSL_LOWER ? tsl_lower(a) : tsl_upper(a), v = vectors ? tsl_whole(V.mat) : none;
    tsl_status st = tsl_syev(ctx, half, &which, tsl_whole(w.mat), v, NULL, info);
    check(!st, "%s: %s", who, tsl_error(ctx));
    for (int64_t k = 0; k < count && !st; k++) {
        int kind = (int)(k % EIG_KINDS);
        dense v = problem(&V, k), l = problem(&w, k);
        bool zeros = true;
        for (int64_t i = wanted; i < n; i++) zeros &= dense_get(&l, i, 0) == 0;
        for (int64_t j = wanted; j < room && vectors; j++)
            for (int64_t i = 0; i < n; i++) zeros &= dense_get(&v, i, j) == 0;
        check(zeros, "%s: %s: no zeros behind them", who, eig_name[kind]);
        l.m = wanted;
        if (is_spoiled(k, count)) {
            bool spoiled = eig_spoiled(&l, 1) && (!vectors || eig_spoiled(&v, wanted));
            check(info[k] == n && spoiled, "%s: not a number, info %d", who, (int)info[k]);
            continue;
        }
        double off = vectors ? eig_residual(&full[kind], &v, &l, wanted, eig_by(t, (eig_kind)kind)) : 0;
        double q = vectors ? eig_apart(&v, wanted) : 0, value = eig_off(&l, &values[kind], il - 1, wanted);
        check(info[k] == 0 && off < BOUND && q < BOUND && value < BOUND,
              "%s: %s: info %d, residual %g, orthogonality %g, values %g", who, eig_name[kind], (int)info[k], off, q, value);
    }
    check(in_bounds(&A) && in_bounds(&w) && in_bounds(&V), "%s: wrote elsewhere", who);
    for (int kind = 0; kind < kinds; kind++) dense_free(&full[kind]), dense_free(&values[kind]);
    stack_free(&A), stack_free(&w), stack_free(&V), free(info);
}

static dense lapack_values(const dense *A)
{
    int64_t d = qr_min(A->m, A->n);
    dense B = dense_copy(A), s = dense_make(eig_real(A->t), d, 1, CANARY_FINITE);
    lapack_int m = (lapack_int)A->m, n = (lapack_int)A->n, ld = (lapack_int)A->ld, bad;
    switch (A->t) {
    case TSL_S: bad = LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', m, n, (void *)B.data, ld, (void *)s.data, NULL, m, NULL, n); break;
    case TSL_D: bad = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, (void *)B.data, ld, (void *)s.data, NULL, m, NULL, n); break;
    case TSL_C: bad = LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', m, n, (void *)B.data, ld, (void *)s.data, NULL, m, NULL, n); break;
    default: bad = LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', m, n, (void *)B.data, ld, (void *)s.data, NULL, m, NULL, n);
    }
    if (bad) abort();
    dense_free(&B);
    return s;
}

/* |A - U S V^H| / (|A| max(m,n) eps) */
static double off_product(const dense *A, const dense *U, const dense *s, const dense *VT, double by)
{
    int64_t m = A->m, n = A->n, d = qr_min(m, n);
    tsl_scalar *x = eig_numbers(A, n, by), *u = eig_numbers(U, d, -1), *v = eig_numbers(VT, n, by);
    double size = qr_norm(x, m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t r = 0; r < d; r++) v[r + j * d] *= dense_get(s, r, 0);
    qr_product(CblasNoTrans, u, v, x, m, n, d);
    double off = qr_norm(x, m, n);
    free(x), free(u), free(v);
    return off == 0 ? 0 : (size > 0 ? off / size : off) / ((double)qr_max(m, n) * tsl_type_eps(A->t));
}

static double rows_apart(const dense *VT)
{
    tsl_scalar *v = qr_room(VT->n, VT->m);
    for (int64_t j = 0; j < VT->m; j++)
        for (int64_t i = 0; i < VT->n; i++) v[i + j * VT->n] = conj(dense_get(VT, j, i));
    double off = qr_apart(v, VT->n, VT->m, VT->t);
    free(v);
    return off;
}

static double size_of_kind(tsl_type t, qr_kind kind)
{
    double up = qr_single(t) ? 0x1p100 : 0x1p900;
    return kind == TINY ? up : kind == HUGE_ONES ? 1 / up : 1;
}

static void singular(tsl_type t, int64_t m, int64_t n, int64_t count, bool pointers, bool left, bool right)
{
    int64_t d = qr_min(m, n), *info = calloc((size_t)count, sizeof *info);
    stack A = stack_make(t, m, n, count, pointers), s = stack_make(eig_real(t), d, 1, count, pointers);
    stack U = stack_make(t, m, d, count, false), VT = stack_make(t, d, n, count, pointers);
    dense full[QR_KINDS], values[QR_KINDS];
    char who[160];
    snprintf(who, sizeof who, "%s: %c %d x %d, %d of them, %s%s%s", where, tsl_type_letter(t), (int)m, (int)n, (int)count,
             pointers ? "pointers" : "stride", left ? ", U" : "", right ? ", VT" : "");
    for (int kind = 0; kind < QR_KINDS; kind++) {
        full[kind] = qr_matrix(t, m, n, (qr_kind)kind, (uint64_t)(m + 3 * n + kind));
        values[kind] = lapack_values(&full[kind]);
    }
    for (int64_t k = 0; k < count; k++) {
        put(&A, k, &full[k % QR_KINDS]);
        dense a = problem(&A, k);
        if (is_spoiled(k, count)) dense_put(&a, m - 1, n / 2, k % 2 ? NAN : INFINITY);
    }
    tsl_view none = {0};
    tsl_view on_left = left ? tsl_whole(U.mat) : none, on_right = right ? tsl_whole(VT.mat) : none;
    tsl_status st = tsl_gesvd(ctx, tsl_whole(A.mat), TSL_SVD_AUTO, tsl_whole(s.mat), on_left, on_right, info);
    check(!st, "%s: %s", who, tsl_error(ctx));
    for (int64_t k = 0; k < count && !st; k++) {
        int kind = (int)(k % QR_KINDS);
        dense u = problem(&U, k), v = problem(&VT, k), l = problem(&s, k);
        if (is_spoiled(k, count)) {
            bool spoiled = eig_spoiled(&l, 1) && (!left || eig_spoiled(&u, d)) && (!right || eig_spoiled(&v, n));
            check(info[k] == d && spoiled, "%s: not a number, info %d", who, (int)info[k]);
            continue;
        }
        double off = left && right ? off_product(&full[kind], &u, &l, &v, size_of_kind(t, (qr_kind)kind)) : 0;
        double q = left ? eig_apart(&u, d) : 0, p = right ? rows_apart(&v) : 0, value = eig_off(&l, &values[kind], 0, d);
        check(info[k] == 0 && off < BOUND && q < BOUND && p < BOUND && value < BOUND,
              "%s: %s: info %d, residual %g, orthogonality %g and %g, values %g", who, qr_kind_name[kind], (int)info[k], off, q,
              p, value);
    }
    check(in_bounds(&A) && in_bounds(&s) && in_bounds(&U) && in_bounds(&VT), "%s: wrote elsewhere", who);
    for (int kind = 0; kind < QR_KINDS; kind++) dense_free(&full[kind]), dense_free(&values[kind]);
    stack_free(&A), stack_free(&s), stack_free(&U), stack_free(&VT), free(info);
}

/* Every type in turn at every order; more problems than CTAs run at once of small ones */
static void all(int64_t largest, int64_t many)
{
    static const int64_t more[] = {48, 64, 65, 100, 128, 140, 200, 257};
    for (int64_t i = 1; i <= 48; i++) {
        int64_t n = i <= 40 ? i : more[i - 41], count = i % 13 == 5 && i <= 40 ? many : i % 11 == 3 ? 1 : 7;
        if (n > largest) break;
        for (int t = 0; t < 4; t++) {
            tsl_uplo uplo = (i + t) % 2 ? TSL_LOWER : TSL_UPPER;
            bool pointers = (i + t) % 3 == 1;
            pairs((tsl_type)t, n, count, uplo, pointers, true, 1, n);
            pairs((tsl_type)t, n, count, uplo, !pointers, false, 1, n);
            pairs((tsl_type)t, n, count, uplo, pointers, (i + t) % 4 > 0, (n + 2) / 3, (2 * n + 2) / 3);
            singular((tsl_type)t, n, n, count, pointers, true, true);
            singular((tsl_type)t, n + i % 7, n, count, !pointers, (i + t) % 2, (i + t) % 4 > 1);
            singular((tsl_type)t, n, n + i % 9, count, pointers, (i + t) % 4 > 1, (i + t) % 2);
        }
    }
    /* all kinds of them where one method ends and another begins */
    static const struct { int64_t n, count; } middle[] = {{33, 22},  {47, 23},  {48, 13}, {96, 24},
                                                          {160, 13}, {256, 13}, {311, 2}, {512, 2}};
    for (int i = 0; i < 8 && middle[i].n <= largest; i++)
        for (int t = 0; t < 4; t++) {
            int64_t n = middle[i].n, count = middle[i].count;
            pairs((tsl_type)t, n, count, (i + t) % 2 ? TSL_LOWER : TSL_UPPER, (i + t) % 3 == 1, true, 1, n);
            pairs((tsl_type)t, n, count, (i + t) % 2 ? TSL_UPPER : TSL_LOWER, (i + t) % 3 == 0, false, 1, n);
            if (n < 300) pairs((tsl_type)t, n, count, TSL_LOWER, false, t % 2, n / 5, n - 1);
        }
    if (largest > 96) pairs(TSL_D, 96, 3200, TSL_LOWER, false, true, 10, 12); /* more than there is workspace for at once */
    singular(TSL_D, 300, 5, 3, false, true, true);
    singular(TSL_Z, 6, 150, 3, true, true, true);
    if (largest > 120) singular(TSL_D, 130, 120, 300, false, true, true); /* more than are computed at once */
    if (largest > 256) {
        singular(TSL_D, 300, 300, QR_KINDS, false, true, true);
        singular(TSL_S, 260, 310, QR_KINDS, true, true, true);
        singular(TSL_C, 290, 270, 3, false, true, true);
        singular(TSL_Z, 200, 256, 3, true, true, true);
        singular(TSL_S, 512, 512, 2, false, true, true);
        singular(TSL_D, 512, 400, 2, true, true, false);
        singular(TSL_D, 512, 512, QR_KINDS, false, false, false);
        singular(TSL_D, 700, 96, 3, false, true, true);
    }
    checked("%s: orders 1 to %d", where, (int)largest);
}

int main(void)
{
    static const struct { const char *devices; int64_t largest, many; } on[] = {{"host:2", 48, 20}, {"cuda", 512, 1000}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx) continue;
        all(on[i].largest, on[i].many);
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
