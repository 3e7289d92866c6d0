/* Sylvester's equation with general matrices, Lyapunov's; and with triangular matrices: every op and sign, real Schur forms whose blocks of order 2 lie where the recursion would cut, eigenvalues that nearly
 * meet or do, solutions that must be scaled; by the leaf and by the algorithm. Residuals in double complex. What is refused, and where. */
#include "qr.h"

#define BOUND 30.0

typedef enum kind { SYL_RANDOM, SYL_PAIRS, SYL_CLOSE, SYL_EQUAL, SYL_SCALED, SYL_TINY, SYL_HUGE, SYL_KINDS } kind;
static const char *const kind_name[SYL_KINDS] = {"random", "with pairs", "close", "equal", "scaled", "tiny", "huge"};

/* The size of A's elements, and of C's */
static double size_of(kind k, bool single)
{
    return k == SYL_SCALED ? (single ? 1e-26 : 1e-286) : k == SYL_TINY ? (single ? 1e-25 : 1e-200) : k == SYL_HUGE ? (single ? 1e18 : 1e140) : 1;
}
static double size_of_c(kind k, bool single) { return k == SYL_SCALED ? (single ? 1e8 : 1e10) : size_of(k, single); }

/* Upper triangular, eigenvalues between 1 and 3 times `sign`; of real elements pairs of them, from the second row on or everywhere, are blocks of order 2. NaN would be
 * LAPACK's below the diagonal: zeros. */
static dense triangle(tsl_type t, int64_t n, kind k, double sign, uint64_t seed)
{
    dense A = dense_make(t, n, n, CANARY_NAN);
    double size = size_of(k, qr_single(t));
    bool pairs = !tsl_is_complex(t) && (k == SYL_PAIRS || k == SYL_CLOSE);
    dense_random(&A, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            double along = 1 + 2.0 * (double)(i / 2) / (double)n;
            bool of_pair = pairs && (n > 40 || i % 4 == 1 || i % 4 == 2);
            if (i > j) v = of_pair && i == j + 1 && i % 2 == 0 ? -0.7 : 0; /* rows 1 and 2, 3 and 4, ..: an even cut would part them */
            else if (i < j) v = of_pair && j == i + 1 && i % 2 == 1 ? 0.9 : v / (double)n;
            else v = sign * (pairs && i % 2 == 0 && i > 0 ? 1 + 2.0 * (double)((i - 1) / 2) / (double)n : along);
            dense_put(&A, i, j, v * size);
        }
    return A;
}

static tsl_scalar at(const dense *A, tsl_op op, int64_t i, int64_t j)
{
    tsl_scalar v = op == TSL_NOTRANS ? dense_get(A, i, j) : dense_get(A, j, i);
    return op == TSL_HERM ? conj(v) : v;
}

/* op(A), times `up` */
static tsl_scalar *expanded(const dense *A, tsl_op op, double up)
{
    tsl_scalar *X = qr_room(A->m, A->n);
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) X[i + j * A->m] = at(A, op, i, j) * up;
    return X;
}

static double largest(const dense *A)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < A->m; i++) most = tsl_larger(most, cabs(dense_get(A, i, j)));
    return most;
}

/* |op(A) X + sign X op(B) - s C| / (eps max(m,n) (|A| + |B|) |X|); numbers near the ends of the range are brought to the middle */
static double residual(const dense *A, tsl_op a, const dense *B, tsl_op b, double sign, const dense *X, const dense *C, double s)
{
    int64_t m = X->m, n = X->n;
    double most = 0, up = 1 / fmax(largest(A), largest(B)), down = 1 / largest(X);
    tsl_scalar *F = expanded(A, a, up), *G = expanded(B, b, up * sign), *Y = expanded(X, TSL_NOTRANS, down), *R = expanded(C, TSL_NOTRANS, 1);
    for (int64_t i = 0; i < m * n; i++) R[i] = s * R[i] * up * down;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = 0; k < m; k++)
            for (int64_t i = 0; i < m; i++) R[i + j * m] -= F[i + k * m] * Y[k + j * m];
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < m; i++) R[i + j * m] -= Y[i + k * m] * G[k + j * n];
    }
    for (int64_t i = 0; i < m * n; i++) most = cabs(R[i]) <= most ? most : isnan(cabs(R[i])) ? INFINITY : cabs(R[i]);
    free(F), free(G), free(Y), free(R);
    return most / ((largest(A) + largest(B)) * up * (double)qr_max(m, n) * tsl_type_eps(X->t));
}

static tsl_status typed(tsl_context *x, tsl_type t, char ta, char tb, int64_t isgn, int64_t m, int64_t n, const void *A, int64_t lda, const void *B, int64_t ldb, void *C, int64_t ldc,
                        void *scale, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_strsyl(x, ta, tb, isgn, m, n, A, lda, B, ldb, C, ldc, scale, info);
    case TSL_D: return tsl_dtrsyl(x, ta, tb, isgn, m, n, A, lda, B, ldb, C, ldc, scale, info);
    case TSL_C: return tsl_ctrsyl(x, ta, tb, isgn, m, n, A, lda, B, ldb, C, ldc, scale, info);
    default: return tsl_ztrsyl(x, ta, tb, isgn, m, n, A, lda, B, ldb, C, ldc, scale, info);
    }
}

static double as_double(tsl_type t, const double *s) { return qr_single(t) ? (double)*(const float *)s : *s; }

static void one(tsl_context *x, tsl_type t, int64_t m, int64_t n, kind k, int ops, int64_t isgn)
{
    bool meets = k == SYL_CLOSE || k == SYL_EQUAL;
    dense A = triangle(t, m, k, 1, (uint64_t)(m + 1)), B = triangle(t, n, k, meets ? -(double)isgn : (double)isgn, (uint64_t)(n + 7));
    dense C = dense_make(t, m, n, CANARY_FINITE), was;
    tsl_op a = ops & 1 ? qr_herm(t) : TSL_NOTRANS, b = ops & 2 ? qr_herm(t) : TSL_NOTRANS;
    double scale = -1, near = qr_single(t) ? 1e-3 : 1e-9;
    int64_t info = -77;
    dense_random(&C, 5);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&C, i, j, dense_get(&C, i, j) * size_of_c(k, qr_single(t)));
    if (k == SYL_CLOSE && n) dense_put(&B, n - 1, n - 1, dense_get(&B, n - 1, n - 1) * (1 + near));
    was = dense_copy(&C);
    tsl_status st = typed(x, t, ops & 1 ? 'C' : 'N', ops & 2 ? 'C' : 'n', isgn, m, n, A.data, A.ld, B.data, B.ld, C.data, C.ld, &scale, &info);
    double s = as_double(t, &scale), off = m && n ? residual(&A, a, &B, b, (double)isgn, &C, &was, s) : 0;
    bool moves = k == SYL_EQUAL && m && n; /* the first eigenvalues are equal: the only ones, up to sizes */
    check(!st && (moves ? info == 1 : info == 0 || k == SYL_CLOSE) && off < BOUND && s > 0 && s <= 1 && (s < 1) == (k == SYL_SCALED && m && n) && !dense_strays(&C, &was, TSL_GENERAL),
          "%c %d x %d %s, ops %d, sign %d: %s, info %d, scale %g, residual %g %s", tsl_type_letter(t), (int)m, (int)n, kind_name[k], ops, (int)isgn, tsl_status_name(st), (int)info, s, off,
          tsl_error(x));
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&was);
}

static void all(tsl_context *x, const char *how)
{
    static const int64_t sizes[][2] = {{0, 3}, {3, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}, {5, 4}, {33, 34}, {65, 17}};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 10; s++)
            for (int k = 0; k < SYL_KINDS; k++)
                for (int ops = 0; ops < 4; ops++)
                    for (int64_t isgn = -1; isgn < 2; isgn += 2)
                        if (sizes[s][0] * sizes[s][1] <= 9 || (k != SYL_EQUAL && (ops == 3 || isgn > 0))) one(x, all_types[i], sizes[s][0], sizes[s][1], (kind)k, ops, isgn);
        for (int ops = 0; ops < 4; ops++) {
            one(x, all_types[i], 130, 71, SYL_PAIRS, ops, 1);
            one(x, all_types[i], 70, 129, SYL_PAIRS, ops, -1);
            one(x, all_types[i], 70, 97, SYL_SCALED, ops, 1);
        }
        checked("%s: %c", how, tsl_type_letter(all_types[i]));
    }
}

/* NaN anywhere in what is read: no hang, and no finite solution */
static void not_numbers(tsl_context *x, const char *how)
{
    for (int i = 0; i < 4; i++)
        for (int where = 0; where < 3; where++)
            for (int64_t n = 1; n <= 70; n += 23) {
                tsl_type t = all_types[i];
                dense A = triangle(t, n, SYL_RANDOM, 1, 1), B = triangle(t, n, SYL_RANDOM, 1, 2), C = dense_make(t, n, n, CANARY_FINITE);
                double scale = 0;
                int64_t info = 0, spoiled = 0;
                dense_random(&C, 3);
                dense_put(where == 0 ? &A : where == 1 ? &B : &C, 0, n - 1, CMPLX(NAN, 0));
                tsl_status st = typed(x, t, 'N', 'N', 1, n, n, A.data, A.ld, B.data, B.ld, C.data, C.ld, &scale, &info);
                for (int64_t j = 0; j < n; j++)
                    for (int64_t r = 0; r < n; r++) spoiled += !scalar_finite(dense_get(&C, r, j));
                check(!st && spoiled, "%c %d, %d: %s", tsl_type_letter(t), (int)n, where, tsl_status_name(st));
                dense_free(&A), dense_free(&B), dense_free(&C);
            }
    checked("%s: NaN", how);
}

/* A general matrix; nonnormal: far above its diagonal it is large */
static dense general(tsl_type t, int64_t n, bool nonnormal, double shift, uint64_t seed)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, dense_get(&A, i, j) * (nonnormal && j > i ? 100 : 1) + (i == j ? shift : 0));
    return A;
}

#define OF_TYPE(t, name, ...) ((t) == TSL_S ? tsl_s##name(__VA_ARGS__) : (t) == TSL_D ? tsl_d##name(__VA_ARGS__) : (t) == TSL_C ? tsl_c##name(__VA_ARGS__) : tsl_z##name(__VA_ARGS__))

static void whole(tsl_context *x, tsl_type t, int64_t m, int64_t n, bool nonnormal, bool one_form, int spoil)
{
    double shift = 3 + sqrt((double)qr_max(m, n)), scale = -1;
    dense A = general(t, m, nonnormal, shift, 3), B = general(t, n, nonnormal, shift, 4), C = dense_make(t, m, n, CANARY_FINITE);
    int64_t info = -77, finite = 0;
    dense_random(&C, 9);
    if (spoil) dense_put(spoil == 1 ? &A : &B, 0, (spoil == 1 ? m : n) - 1, CMPLX(NAN, 0));
    dense A2 = dense_copy(&A), B2 = dense_copy(&B), was = dense_copy(&C);
    tsl_status st = one_form ? OF_TYPE(t, lyapunov, x, n, (void *)A2.data, A2.ld, (void *)C.data, C.ld, (void *)&scale, &info)
                             : OF_TYPE(t, sylvester, x, m, n, (void *)A2.data, A2.ld, (void *)B2.data, B2.ld, (void *)C.data, C.ld, (void *)&scale, &info);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) finite += scalar_finite(dense_get(&C, i, j));
    if (spoil) {
        check(!st && info == 1 + (spoil == 1 ? m : m + n) && !finite, "%c %d x %d with NaN: %s, info %d", tsl_type_letter(t), (int)m, (int)n, tsl_status_name(st), (int)info);
    } else {
        double off = !m || !n ? 0 : one_form ? residual(&A, TSL_NOTRANS, &A, qr_herm(t), 1, &C, &was, 1) : residual(&A, TSL_NOTRANS, &B, TSL_NOTRANS, 1, &C, &was, 1);
        check(!st && info == 0 && as_double(t, &scale) == 1 && off < BOUND && !dense_strays(&C, &was, TSL_GENERAL), "%c %d x %d%s: %s, info %d, scale %g, residual %g %s", tsl_type_letter(t),
              (int)m, (int)n, one_form ? " with one" : "", tsl_status_name(st), (int)info, as_double(t, &scale), off, tsl_error(x));
    }
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&A2), dense_free(&B2), dense_free(&was);
}

/* A and -B with an eigenvalue in common: no unique solution */
static void meeting(tsl_context *x)
{
    double a[4] = {1, 2, 3, 4}, b[4] = {-1, -2, -3, -4}, c[4] = {1, 1, 1, 1}, scale = -1;
    int64_t info = 0;
    tsl_status st = tsl_dsylvester(x, 2, 2, a, 2, b, 2, c, 2, &scale, &info);
    check(!st && info == 1 && isfinite(c[0]) && isfinite(c[3]), "equal eigenvalues: %s, info %d", tsl_status_name(st), (int)info);
}

static void all_whole(tsl_context *x, const char *how)
{
    static const int64_t sizes[][2] = {{0, 2}, {2, 0}, {1, 1}, {2, 3}, {3, 1}, {17, 30}, {70, 33}};
    for (int i = 0; i < 4; i++) {
        for (int s = 0; s < 7; s++)
            for (int nonnormal = 0; nonnormal < 2; nonnormal++) {
                whole(x, all_types[i], sizes[s][0], sizes[s][1], nonnormal, false, 0);
                whole(x, all_types[i], sizes[s][0], sizes[s][0], nonnormal, true, 0);
            }
        whole(x, all_types[i], 4, 5, false, false, 1), whole(x, all_types[i], 4, 5, false, false, 2), whole(x, all_types[i], 6, 6, false, true, 1);
    }
    meeting(x);
    checked("%s: of general matrices", how);
}

static void on(const char *devices)
{
    tsl_context *x = context_on(devices);
    if (!x) return;
    all(x, devices);
    not_numbers(x, devices);
    all_whole(x, devices);
    check(!tsl_set(x, "variant", "rec"), "%s", tsl_error(x));
    all(x, "by products");
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    double a[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, b[4] = {1, 0, 0, 2}, c[6] = {2, 3, 4, 3, 4, 5}, t[6] = {2, 3, 4, 3, 4, 5}, s = 0;
    int64_t info = 0;
    tsl_context *x = context_on("host");
    tsl_matrix *A, *B, *C, *S, *T;
    if (!x || tsl_matrix_wrap(x, TSL_D, 3, 3, a, 3, &A) || tsl_matrix_wrap(x, TSL_D, 2, 2, b, 2, &B) || tsl_matrix_wrap(x, TSL_D, 3, 2, c, 3, &C) ||
        tsl_matrix_wrap(x, TSL_D, 1, 1, &s, 1, &S) || tsl_tiled_wrap(x, TSL_D, 3, 2, t, 3, 2, &T)) {
        ok(false, "operands");
        return;
    }
    tsl_view u = tsl_whole(A), v = tsl_whole(B), w = tsl_whole(C), z = tsl_whole(S);
    says(x, tsl_trsyl(x, 0, u, v, w, z, NULL), TSL_ERR_FLAG, "trsyl: the sign is 0, must be 1 or -1");
    says(x, tsl_trsyl(x, 1, v, v, w, z, NULL), TSL_ERR_SHAPE, "as many rows and columns");
    says(x, tsl_trsyl(x, 1, u, v, tsl_trans(w), z, NULL), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_trsyl(x, 1, tsl_lower(u), v, w, z, NULL), TSL_ERR_UPLO, "trsyl");
    says(x, tsl_trsyl(x, 1, u, v, w, v, NULL), TSL_ERR_SHAPE, "trsyl");
    check(!tsl_trsyl(x, 1, tsl_trans(u), v, w, z, &info) && info == 0 && s == 1 && c[0] == 1 && c[5] == 1, "on views: %g, %g %s", c[0], c[5], tsl_error(x));
    s = 0;
    check(!tsl_trsyl(x, 1, tsl_trans(u), v, tsl_whole(T), z, &info) && info == 0 && s == 1 && t[0] == 1 && t[5] == 1,
          "tiled: %g, %g %s", t[0], t[5], tsl_error(x));
    check(tsl_dtrsyl(x, 'x', 'N', 1, 3, 2, a, 3, b, 2, c, 3, &s, &info) == TSL_ERR_FLAG && info == -1, "trana: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 2, 3, 2, a, 3, b, 2, c, 3, &s, &info) == TSL_ERR_FLAG && info == -3, "isgn: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 1, -1, 2, a, 3, b, 2, c, 3, &s, &info) && info == -4, "m: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 1, 3, 2, a, 2, b, 2, c, 3, &s, &info) == TSL_ERR_LD && info == -7, "lda: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 1, 3, 2, a, 3, b, 1, c, 3, &s, &info) == TSL_ERR_LD && info == -9, "ldb: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 1, 3, 2, a, 3, b, 2, c, 2, &s, &info) == TSL_ERR_LD && info == -11, "ldc: info %d", (int)info);
    check(tsl_dtrsyl(x, 'N', 'N', 1, 3, 2, a, 3, b, 2, c, 3, NULL, &info) == TSL_ERR_NULL && info == -12, "scale: info %d", (int)info);
    check(tsl_dsylvester(x, -1, 2, a, 3, b, 2, c, 3, &s, &info) && info == -1, "m of sylvester: info %d", (int)info);
    check(tsl_dsylvester(x, 3, 2, a, 2, b, 2, c, 3, &s, &info) == TSL_ERR_LD && info == -4, "lda of sylvester: info %d", (int)info);
    check(tsl_dlyapunov(x, 2, b, 2, c, 1, &s, &info) == TSL_ERR_LD && info == -5, "ldc of lyapunov: info %d", (int)info);
    says(x, tsl_sylvester(x, tsl_trans(u), v, w, z, NULL), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_lyapunov(x, u, w, z, NULL), TSL_ERR_SHAPE, "A and C must be square");
    check(tsl_flops("ztrsyl", 5, 7, 0) == 4 * 5 * 7 * 12, "work");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C), tsl_matrix_free(S), tsl_matrix_free(T);
    tsl_context_destroy(x);
}

int main(void)
{
    on("host");
    on("cuda");
    refusals();
    return tap_done();
}
