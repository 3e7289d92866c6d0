/* Functions of matrices beside long sums in extended precision, and beside what they are the inverse of. */
#include "qr.h"

#define BOUND 30.0

typedef long double _Complex lc;
typedef enum kind { PLAIN, NILPOTENT, JORDAN, SHIFTED, DIAGONAL, NONNORMAL, ROTATING, KINDS } kind;
static const char *const kind_name[KINDS] = {"random", "nilpotent", "Jordan's block", "of large diagonal", "diagonal", "nonnormal", "with blocks of order 2"};

static lc *room(int64_t n)
{
    lc *X = calloc((size_t)(n * n + 1), sizeof *X);
    if (!X) abort();
    return X;
}

static double norm_one(const lc *X, int64_t n)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) sum += (double)cabsl(X[i + j * n]);
        most = tsl_larger(most, sum);
    }
    return most;
}

/* C := A B */
static void multiply(const lc *A, const lc *B, lc *C, int64_t n)
{
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; B[k + j * n] != 0 && i < n; i++) C[i + j * n] += A[i + k * n] * B[k + j * n];
}

static lc *exponential(const lc *A, int64_t n)
{
    enum { TERMS = 22 };
    lc *E = room(n), *P = room(n), *W = room(n), *S = room(n), *t;
    int s = 0;
    (void)frexp(norm_one(A, n), &s);
    if (s < -2) s = -2;
    s += 2;
    for (int64_t i = 0; i < n * n; i++) S[i] = A[i] * ldexpl(1, -s);
    for (int64_t i = 0; i < n; i++) E[i + i * n] = P[i + i * n] = 1;
    for (int k = 1; k < TERMS; k++) {
        multiply(P, S, W, n);
        for (int64_t i = 0; i < n * n; i++) E[i] += W[i] /= k;
        t = P, P = W, W = t;
    }
    for (int k = 0; k < s; k++) multiply(E, E, W, n), t = E, E = W, W = t;
    free(P), free(W), free(S);
    return E;
}

#define FN(name) PASTE3(test_, P, name)
#define BODY "tests/eig/function.inc"
#include "core/types.inc"

/* P of A = B C, of a rank that is known: A P A = A, P A P = P, and A P is Hermitian */
static void pseudo_inverses(tsl_context *x, const char *how, int64_t m, int64_t n, int64_t rank)
{
    dense B = dense_make(TSL_Z, m, rank, CANARY_FINITE), C = dense_make(TSL_Z, rank, n, CANARY_FINITE), A = dense_make(TSL_Z, m, n, CANARY_FINITE), P = dense_make(TSL_Z, n, m, CANARY_FINITE);
    int64_t found = -1, again = -1, info = -7;
    tsl_matrix *a, *p;
    dense_random(&B, 1), dense_random(&C, 2);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar sum = 0;
            for (int64_t k = 0; k < rank; k++) sum += dense_get(&B, i, k) * dense_get(&C, k, j);
            dense_put(&A, i, j, sum);
        }
    dense was = dense_copy(&A);
    if (tsl_matrix_wrap(x, TSL_Z, m, n, A.data, A.ld, &a) || tsl_matrix_wrap(x, TSL_Z, n, m, P.data, P.ld, &p)) abort();
    tsl_status st = tsl_pinv(x, tsl_whole(a), -1, tsl_whole(p), &found, &info);
    memcpy(A.data, was.data, A.bytes);
    if (!st) st = tsl_matrix_rank(x, tsl_whole(a), 1e-10, &again, NULL);
    double off = 0;
    for (int64_t i = 0; i < m && !st; i++)
        for (int64_t j = 0; j < n; j++) {
            tsl_scalar sum = -dense_get(&was, i, j);
            for (int64_t k = 0; k < n; k++) {
                tsl_scalar ap = 0;
                for (int64_t l = 0; l < m; l++) ap += dense_get(&P, k, l) * dense_get(&was, l, j);
                sum += dense_get(&was, i, k) * ap;
            }
            off = worse(off, cabs(sum));
        }
    for (int64_t i = 0; i < m && !st; i++)
        for (int64_t j = 0; j < m; j++) {
            tsl_scalar sum = 0;
            for (int64_t k = 0; k < n; k++) sum += dense_get(&was, i, k) * dense_get(&P, k, j) - conj(dense_get(&was, j, k) * dense_get(&P, k, i));
            off = worse(off, cabs(sum));
        }
    check(!st && info == 0 && found == rank && again == rank && off < 1e-11, "%s: %d x %d of rank %d: %s, ranks %d %d, off by %g %s", how, (int)m, (int)n, (int)rank, tsl_status_name(st), (int)found,
          (int)again, off, tsl_error(x));
    dense_put(&A, 0, 0, NAN);
    check(!tsl_pinv(x, tsl_whole(a), -1, tsl_whole(p), &found, &info) && info > 0 && isnan(creal(dense_get(&P, 0, 0))), "%s: NaN: info %d", how, (int)info);
    check(tsl_pinv(x, tsl_whole(a), -1, tsl_whole(a), NULL, NULL) != TSL_OK, "%s: overlapping", how);
    tsl_matrix_free(a), tsl_matrix_free(p);
    dense_free(&A), dense_free(&B), dense_free(&C), dense_free(&P), dense_free(&was);
}

static void on(const char *devices)
{
    tsl_context *x = context_on(devices);
    if (!x) return;
    test_sall(x, devices);
    test_dall(x, devices);
    test_call(x, devices);
    test_zall(x, devices);
    pseudo_inverses(x, devices, 7, 4, 4), pseudo_inverses(x, devices, 5, 9, 3), pseudo_inverses(x, devices, 6, 6, 2), pseudo_inverses(x, devices, 1, 1, 1);
    checked("%s: pseudo-inverses", devices);
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    double a[16] = {1};
    tsl_matrix *A;
    tsl_context *x = context_on("host");
    if (!x || tsl_matrix_wrap(x, TSL_D, 4, 4, a, 4, &A)) {
        ok(false, "operands");
        return;
    }
    says(x, tsl_expm(x, tsl_sub(tsl_whole(A), 0, 0, 2, 3), NULL), TSL_ERR_SHAPE, "expm: A must be square");
    says(x, tsl_expm(x, tsl_lower(tsl_whole(A)), NULL), TSL_ERR_UPLO, "expm");
    says(x, tsl_expm(x, tsl_trans(tsl_whole(A)), NULL), TSL_ERR_FLAG, "as it is stored");
    checked("what is refused, and why");
    tsl_matrix_free(A);
    tsl_context_destroy(x);
}

/* Functions of tiled matrices are those of flat ones. */
static void tiled(const char *devices)
{
    enum { N = 21 };
    static tsl_status (*const function[])(tsl_context *, tsl_view, int64_t *) = {tsl_expm, tsl_sqrtm, tsl_logm};
    tsl_context *x = context_on(devices), *one = context_on("host");
    for (int i = 0; x && one && i < 3 * 4 * 2; i++) {
        tsl_type t = (tsl_type)(i / 3 % 4);
        dense A = dense_make(t, N, N, CANARY_FINITE), F;
        tsl_matrix *a, *f;
        int64_t info = -7, flat = -7, nb = i < 12 ? 5 : 8;
        double off = 0;
        dense_dominant(&A, 1);
        for (int64_t j = 0; j < N; j++)
            for (int64_t k = 0; k < N; k++) dense_put(&A, k, j, dense_get(&A, k, j) / (2 * N));
        F = dense_copy(&A);
        if (tsl_tiled_wrap(x, t, N, N, A.data, A.ld, nb, &a) || tsl_matrix_wrap(one, t, N, N, F.data, F.ld, &f)) abort();
        tsl_status st = function[i % 3](x, tsl_whole(a), &info);
        check(!function[i % 3](one, tsl_whole(f), &flat), "flat: %s", tsl_error(one));
        for (int64_t j = 0; j < N; j++)
            for (int64_t k = 0; k < N; k++) off = worse(off, cabs(dense_get(&A, k, j) - dense_get(&F, k, j)));
        check(!st && info == 0 && flat == 0 && off < 100 * N * tsl_type_eps(t),
              "%s: function %d, tiles of %d: %s %s, info %d, off by %g", devices, i % 3, (int)nb,
              tsl_status_name(st), tsl_error(x), (int)info, off);
        tsl_matrix_free(a), tsl_matrix_free(f);
        dense_free(&A), dense_free(&F);
    }
    tsl_context_destroy(x), tsl_context_destroy(one);
    checked("%s: functions of tiled matrices", devices);
}

int main(void)
{
    on("host");
    on("cuda");
    tiled("host:1"), tiled("host:3,mem=80K"), tiled("host");
    refusals();
    return tap_done();
}
