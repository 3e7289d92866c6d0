/* Rows added to a Cholesky factor and taken from it: both triangles, with right-hand sides, in one block and in many, by tiles;
 * to a nearly singular matrix, and where there is none. Residuals in double complex. What is refused, and where. */
#include "qr.h"

#define BOUND 30.0

#define OF_TYPE(t, name, ...) ((t) == TSL_S ? tsl_s##name(__VA_ARGS__) : (t) == TSL_D ? tsl_d##name(__VA_ARGS__) : (t) == TSL_C ? tsl_c##name(__VA_ARGS__) : tsl_z##name(__VA_ARGS__))

/* G, n x n, += sign X^H Y, X k x n and Y k x m */
static void add_product(tsl_scalar *G, const dense *X, const dense *Y, double sign)
{
    for (int64_t j = 0; j < Y->n; j++)
        for (int64_t i = 0; i < X->n; i++)
            for (int64_t k = 0; k < X->m; k++) G[i + j * X->n] += sign * conj(dense_get(X, k, i)) * dense_get(Y, k, j);
}

/* The upper factor that the array's triangle stands for, zeros below it */
static dense upper_of(const dense *A, tsl_uplo uplo)
{
    dense R = dense_make(A->t, A->n, A->n, CANARY_FINITE);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->n; i++) dense_put(&R, i, j, i > j ? 0 : uplo == TSL_UPPER ? dense_get(A, i, j) : conj(dense_get(A, j, i)));
    return R;
}

/* The triangle of a factor, of a random matrix whose column `small` is nearly zero but for the rows that are in D; NaN in the
 * other triangle */
static dense factor_of(tsl_type t, int64_t n, tsl_uplo uplo, const dense *D, double small)
{
    int64_t rows = n + 3;
    dense M = dense_make(t, rows, n, CANARY_FINITE), A = dense_make(t, n, n, CANARY_FINITE);
    tsl_scalar *G = qr_room(n, n);
    dense_random(&M, 11);
    for (int64_t i = 0; i < rows && n; i++) dense_put(&M, i, n / 2, dense_get(&M, i, n / 2) * small);
    add_product(G, &M, &M, 1);
    add_product(G, D, D, 1);
    for (int64_t k = 0; k < n; k++) { /* Cholesky, upper, in double */
        for (int64_t i = 0; i < k; i++) {
            tsl_scalar sum = G[i + k * n];
            for (int64_t l = 0; l < i; l++) sum -= conj(G[l + i * n]) * G[l + k * n];
            G[i + k * n] = sum / G[i + i * n];
        }
        double d = creal(G[k + k * n]);
        for (int64_t l = 0; l < k; l++) d -= creal(conj(G[l + k * n]) * G[l + k * n]);
        G[k + k * n] = sqrt(d);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
            dense_put(&A, i, j, !in_triangle(uplo, i, j) ? CMPLX(NAN, NAN) : uplo == TSL_UPPER ? G[i + j * n] : conj(G[j + i * n]));
    dense_free(&M), free(G);
    return A;
}

static double largest(const dense *A)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) most = tsl_larger(most, cabs(dense_get(A, i, j)));
    return most;
}

/* |R'^H Y' - R^H Y - C^H U + D^H V| / (eps n k |R| |Y|), |R| the larger one and k the order or, if there are more, the rows:
 * narrow factors meet them one after the other, and each leaves a rounding error */
static double residual(const dense *now, const dense *nowY, const dense *was, const dense *wasY, const dense *C, const dense *U, const dense *D, const dense *V)
{
    int64_t n = now->n, m = nowY->n;
    tsl_scalar *G = qr_room(n, m);
    add_product(G, now, nowY, 1), add_product(G, was, wasY, -1), add_product(G, C, U, -1), add_product(G, D, V, 1);
    double off = qr_norm(G, n, m), steps = fmax((double)n, (double)(C->m + D->m)), eps = tsl_type_eps(now->t);
    double size = fmax(largest(now), largest(was)) * fmax(largest(nowY), fmax(largest(wasY), largest(V))) * (double)n * steps * eps;
    free(G);
    return off == 0 ? 0 : off / size;
}

static dense rows_of(tsl_type t, int64_t k, int64_t n, uint64_t seed)
{
    dense X = dense_make(t, k, n, CANARY_FINITE);
    dense_random(&X, seed);
    return X;
}

static void one(tsl_context *x, tsl_type t, int64_t n, int64_t m, int64_t p, int64_t q, tsl_uplo uplo, double small)
{
    dense C = rows_of(t, p, n, 21), BC = rows_of(t, p, m, 22), D = rows_of(t, q, n, 23), BD = rows_of(t, q, m, 24), B = rows_of(t, n, m, 25);
    dense A = factor_of(t, n, uplo, &D, small), A0 = dense_copy(&A), B0 = dense_copy(&B), C0 = dense_copy(&C), D0 = dense_copy(&D), U = dense_copy(&BC), V = dense_copy(&BD);
    int64_t info = -77;
    char u = uplo == TSL_UPPER ? 'U' : 'l';
    tsl_status st;
    if (m || (p && q)) st = OF_TYPE(t, uddate, x, u, n, m, p, q, (void *)A.data, A.ld, (void *)B.data, B.ld, (void *)C.data, C.ld, (void *)BC.data, BC.ld, (void *)D.data, D.ld, (void *)BD.data, BD.ld, &info);
    else if (p) st = OF_TYPE(t, chud, x, u, n, p, (void *)A.data, A.ld, (void *)C.data, C.ld, &info);
    else st = OF_TYPE(t, chdd, x, u, n, q, (void *)A.data, A.ld, (void *)D.data, D.ld, &info);
    dense R = upper_of(&A, uplo), R0 = upper_of(&A0, uplo);
    double off = n ? residual(&R, &R, &R0, &R0, &C0, &C0, &D0, &D0) : 0, beside = n && m ? residual(&R, &B, &R0, &B0, &C0, &U, &D0, &V) : 0;
    bool positive = true;
    for (int64_t i = 0; i < n; i++) positive &= creal(dense_get(&R, i, i)) > 0 && cimag(dense_get(&R, i, i)) == 0;
    check(!st && info == 0 && off < BOUND && beside < BOUND && positive && !dense_strays(&A, &A0, uplo) && !dense_strays(&B, &B0, TSL_GENERAL),
          "%c order %d, %d sides, %d rows added, %d taken, %s: %s, info %d, residuals %g %g%s %s", tsl_type_letter(t), (int)n, (int)m, (int)p, (int)q, uplo == TSL_UPPER ? "upper" : "lower",
          tsl_status_name(st), (int)info, off, beside, positive ? "" : ", not positive", tsl_error(x));
    dense_free(&A), dense_free(&A0), dense_free(&B), dense_free(&B0), dense_free(&C), dense_free(&C0), dense_free(&D), dense_free(&D0), dense_free(&BC), dense_free(&BD), dense_free(&U),
        dense_free(&V), dense_free(&R), dense_free(&R0);
}

/* A row that is larger than column j of R, and zero before: the leading block of order j + 1 has no factor. R is as before. A
 * solve on the host may spread a NaN to the columns that its kernel takes together: such a row fails at column j or before. */
static void impossible(tsl_context *x, tsl_type t, int64_t n, int64_t j, tsl_uplo uplo, double what)
{
    dense D = rows_of(t, 2, n, 5), A = factor_of(t, n, uplo, &D, 1), was = dense_copy(&A), B = rows_of(t, n, 2, 6), B0 = dense_copy(&B), Y = rows_of(t, 2, 2, 7);
    int64_t info = -77;
    for (int64_t i = 0; i < n; i++) dense_put(&D, 1, i, i < j ? 0 : what * 10 * (double)(n + 1));
    for (int64_t i = 0; i < n; i++) dense_put(&D, 0, i, 0);
    tsl_status st = OF_TYPE(t, uddate, x, uplo == TSL_UPPER ? 'U' : 'L', n, 2, 0, 2, (void *)A.data, A.ld, (void *)B.data, B.ld, NULL, 1, NULL, 1, (void *)D.data, D.ld, (void *)Y.data, Y.ld, &info);
    check(!st && (isnan(what) ? info >= 1 && info <= j + 1 : info == j + 1) && dense_same(&A, &was) && dense_same(&B, &B0), "%c order %d, impossible from %d on, %s: %s, info %d%s %s", tsl_type_letter(t), (int)n, (int)j,
          uplo == TSL_UPPER ? "upper" : "lower", tsl_status_name(st), (int)info, dense_same(&A, &was) ? "" : ", changed", tsl_error(x));
    dense_free(&D), dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&B0), dense_free(&Y);
}

static void all(tsl_context *x, const char *how, const int64_t *orders, int count)
{
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        double small = qr_single(t) ? 1e-2 : 1e-6;
        for (int s = 0; s < count; s++)
            for (int lower = 0; lower < 2; lower++) {
                tsl_uplo uplo = lower ? TSL_LOWER : TSL_UPPER;
                int64_t n = orders[s];
                one(x, t, n, 0, 1, 0, uplo, 1), one(x, t, n, 0, 7, 0, uplo, 1), one(x, t, n, 0, 0, 1, uplo, 1), one(x, t, n, 0, 0, 5, uplo, 1);
                one(x, t, n, 3, 6, 4, uplo, 1), one(x, t, n, 1, 40, 35, uplo, 1);
                one(x, t, n, 2, 0, 3, uplo, small), one(x, t, n, 0, 0, 0, uplo, 1);
                for (int64_t j = 0; j < n; j += 1 + n / 3) impossible(x, t, n, j, uplo, 1), impossible(x, t, n, j, uplo, NAN);
            }
        checked("%s: %c", how, tsl_type_letter(t));
    }
}

static void on(const char *devices)
{
    tsl_context *x = context_on(devices);
    if (!x) return;
    all(x, devices, (const int64_t[]){0, 1, 2, 3, 33}, 5);
    check(!tsl_set(x, "tile", "16"), "%s", tsl_error(x));
    all(x, "blocks of 16", (const int64_t[]){5, 16, 50}, 3);
    tsl_context_destroy(x);
}

/* Fewer columns than a tile has, and more rows than that: typed and by tiles; and the signs of rows by columns */
static void narrow(const char *devices)
{
    tsl_context *x = context_by(devices, "16");
    if (!x) return;
    all(x, "tiles of 16", (const int64_t[]){5, 16, 21}, 3);
    check(!tsl_set(x, "path", "auto") && !tsl_set(x, "tile", "0"), "%s", tsl_error(x));
    one(x, TSL_D, 5, 0, 600, 0, TSL_UPPER, 1), one(x, TSL_D, 5, 2, 600, 550, TSL_UPPER, 1), one(x, TSL_Z, 5, 2, 300, 600, TSL_LOWER, 1);
    checked("%s: narrow factors and many rows", devices);
    tsl_context_destroy(x);
    x = context_on(strcmp(devices, "cuda") ? "host" : devices);
    check(!tsl_set(x, "tile", "16") && !tsl_set(x, "variant", "cols"), "%s", tsl_error(x));
    one(x, TSL_D, 40, 0, 7, 0, TSL_UPPER, 1), one(x, TSL_C, 40, 3, 6, 4, TSL_UPPER, 1), one(x, TSL_S, 40, 3, 6, 4, TSL_LOWER, 1);
    checked("%s: signs by columns", devices);
    tsl_context_destroy(x);
}

static tsl_matrix *tiled(tsl_context *x, dense *d)
{
    enum { NB = 16 };
    tsl_matrix *m = NULL;
    check(!tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, NB, &m), "%s", tsl_error(x));
    return m;
}

/* Tiled matrices on several devices; fails: a row cannot be taken off, from column 20 on */
static void by_tiles(tsl_type t, tsl_uplo uplo, bool fails)
{
    enum { N = 50, K = 20, M = 3, AT = 20 };
    tsl_context *x = context_on("host:3");
    if (!x) return;
    dense D = rows_of(t, K, N, 3), A = factor_of(t, N, uplo, &D, 1), C = rows_of(t, K, N, 4), B = rows_of(t, N, M, 5), BC = rows_of(t, K, M, 6), BD = rows_of(t, K, M, 7);
    for (int64_t j = 0; fails && j < N; j++) dense_put(&D, 1, j, j < AT ? 0 : 1000), dense_put(&D, 0, j, 0);
    dense A0 = dense_copy(&A), B0 = dense_copy(&B), C0 = dense_copy(&C), D0 = dense_copy(&D), U = dense_copy(&BC), V = dense_copy(&BD);
    tsl_matrix *m[] = {tiled(x, &A), tiled(x, &B), tiled(x, &C), tiled(x, &BC), tiled(x, &D), tiled(x, &BD)};
    int64_t info = -77;
    tsl_view R = tsl_whole(m[0]);
    tsl_status st = tsl_uddate(x, uplo == TSL_UPPER ? tsl_upper(R) : tsl_lower(R), tsl_whole(m[1]), tsl_whole(m[2]), tsl_whole(m[3]), tsl_whole(m[4]), tsl_whole(m[5]), &info), late = tsl_wait(x);
    if (fails) {
        check(!st && !late && info == AT + 1 && dense_same(&A, &A0) && dense_same(&B, &B0), "%c by tiles, impossible: %s, info %d %s", tsl_type_letter(t), tsl_status_name(st), (int)info, tsl_error(x));
    } else {
        dense now = upper_of(&A, uplo), was = upper_of(&A0, uplo);
        double off = residual(&now, &now, &was, &was, &C0, &C0, &D0, &D0), beside = residual(&now, &B, &was, &B0, &C0, &U, &D0, &V);
        check(!st && !late && info == 0 && off < BOUND && beside < BOUND, "%c by tiles: %s, info %d, residuals %g %g %s", tsl_type_letter(t), tsl_status_name(st), (int)info, off, beside,
              tsl_error(x));
        dense_free(&now), dense_free(&was);
    }
    for (int i = 0; i < 6; i++) tsl_matrix_free(m[i]);
    dense_free(&A), dense_free(&A0), dense_free(&B), dense_free(&B0), dense_free(&C), dense_free(&C0), dense_free(&D), dense_free(&D0), dense_free(&BC), dense_free(&BD), dense_free(&U),
        dense_free(&V);
    tsl_context_destroy(x);
    checked("%c by tiles on three devices, %s%s", tsl_type_letter(t), uplo == TSL_UPPER ? "upper" : "lower", fails ? ", impossible" : "");
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    double a[4] = {3, 0, 0, 4}, c[2] = {4, 0}, d[2] = {0, 3};
    int64_t info = -77;
    tsl_context *x = context_on("host");
    tsl_matrix *A, *C, *D;
    if (!x || tsl_matrix_wrap(x, TSL_D, 2, 2, a, 2, &A) || tsl_matrix_wrap(x, TSL_D, 1, 2, c, 1, &C) || tsl_matrix_wrap(x, TSL_D, 1, 2, d, 1, &D)) {
        ok(false, "operands");
        return;
    }
    tsl_view r = tsl_upper(tsl_whole(A)), u = tsl_whole(C), v = tsl_whole(D), none = {0};
    says(x, tsl_chud(x, tsl_whole(A), u), TSL_ERR_UPLO, "uddate: R must be a triangle");
    says(x, tsl_chud(x, tsl_unit(r), u), TSL_ERR_UPLO, "uddate");
    says(x, tsl_chud(x, r, tsl_trans(u)), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_chud(x, r, tsl_sub(u, 0, 0, 1, 1)), TSL_ERR_SHAPE, "as many columns as R");
    says(x, tsl_uddate(x, r, tsl_sub(u, 0, 0, 1, 1), none, none, v, none, NULL), TSL_ERR_SHAPE, "B must have as many rows as R");
    check(!tsl_chud(x, r, u) && a[0] == 5 && a[3] == 4 && !tsl_chdd(x, r, v, &info) && info == 0 && fabs(a[3] - sqrt(7)) < 1e-15, "on views: %g %g %s", a[0], a[3], tsl_error(x));
    check(tsl_dchud(x, 'x', 2, 1, a, 2, c, 1, &info) == TSL_ERR_FLAG && info == -1 && tsl_dchud(x, 'U', -1, 1, a, 2, c, 1, &info) && info == -2, "typed: info %d", (int)info);
    check(tsl_dchdd(x, 'U', 2, 1, a, 1, c, 1, &info) == TSL_ERR_LD && info == -5 && tsl_dchdd(x, 'U', 2, 3, a, 2, c, 1, &info) == TSL_ERR_LD && info == -7, "typed: info %d", (int)info);
    check(tsl_dchdd(x, 'U', 2, 1, a, 2, a, 1, &info) == TSL_ERR_OVERLAP && info == -6, "overlap: info %d %s", (int)info, tsl_error(x));
    check(tsl_duddate(x, 'U', 2, 1, 1, 0, a, 2, NULL, 2, c, 1, d, 1, NULL, 1, NULL, 1, &info) == TSL_ERR_NULL && info == -8, "typed: info %d", (int)info);
    check(tsl_flops("dchud", 0, 10, 3) == 600 && tsl_flops("zchdd", 0, 10, 3) == 4800, "work");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(C), tsl_matrix_free(D);
    tsl_context_destroy(x);
}

int main(void)
{
    on("host");
    by_tiles(TSL_D, TSL_UPPER, false), by_tiles(TSL_C, TSL_LOWER, false), by_tiles(TSL_Z, TSL_UPPER, true), by_tiles(TSL_S, TSL_LOWER, true);
    narrow("host:3");
    on("cuda");
    narrow("cuda");
    refusals();
    return tap_done();
}
