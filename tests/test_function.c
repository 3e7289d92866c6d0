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
        most = fmax(most, sum);
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
#define BODY "tests/function.inc"
#include "core/types.inc"

static void on(const char *devices)
{
    tsl_context *x = context_on(devices);
    if (!x) return;
    test_sall(x, devices);
    test_dall(x, devices);
    test_call(x, devices);
    test_zall(x, devices);
    tsl_context_destroy(x);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(void)
{
    double a[16] = {1};
    tsl_matrix *A, *T;
    tsl_context *x = context_on("host");
    if (!x || tsl_matrix_wrap(x, TSL_D, 4, 4, a, 4, &A) || tsl_tiled_create(x, TSL_D, 4, 4, 2, &T)) {
        ok(false, "operands");
        return;
    }
    says(x, tsl_expm(x, tsl_sub(tsl_whole(A), 0, 0, 2, 3), NULL), TSL_ERR_SHAPE, "expm: A must be square");
    says(x, tsl_expm(x, tsl_lower(tsl_whole(A)), NULL), TSL_ERR_UPLO, "expm");
    says(x, tsl_expm(x, tsl_trans(tsl_whole(A)), NULL), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_expm(x, tsl_whole(T), NULL), TSL_ERR_LAYOUT, "no form for matrices stored like this");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(T);
    tsl_context_destroy(x);
}

int main(void)
{
    on("host");
    on("cuda");
    refusals();
    return tap_done();
}
