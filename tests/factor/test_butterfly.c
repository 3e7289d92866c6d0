/* Random butterflies: what they make of matrices, against U and V written out; and solutions of mixed precision by way of them,
 * asked for by name: as accurate as double factors for matrices of every kind and condition, with pivots from windows of rows,
 * and by A's own factors where butterflies do not help. */
#include "algo/algo.h"
#include "kernel/butterfly.h"
#include "mixed.h"

enum { TILE = 8, COUNT = 3 };

static tsl_context *made(const char *spec, const char *variant, int tile)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    char text[16];
    cfg.devices = spec;
    snprintf(text, sizeof text, "%d", tile);
    tsl_status st = tsl_context_create(&cfg, &x);
    if (st == TSL_ERR_NO_DEVICE) return NULL;
    if (!st) st = tsl_set(x, "variant", variant);
    if (!st) st = tsl_set(x, "tile", text);
    check(!st, "%s: %s", spec, tsl_error(x));
    return x;
}

/* U or V, n x n: the inner butterflies side by side, times the outer one */
static double *written_out(tsl_butterfly_name name, int64_t n)
{
    double *inner = calloc((size_t)(n * n + 1), 3 * sizeof *inner), *outer = inner + n * n, *W = outer + n * n;
    int64_t q = n / 4;
    if (!inner) abort();
    for (int64_t i = 0; i < n; i++) {
        double r = tsl_butterfly_number(name, 0, i) / sqrt(2), s = tsl_butterfly_number(name, 1, i) / sqrt(2);
        if (i >= 4 * q) outer[i + i * n] = inner[i + i * n] = 1;
        else {
            int64_t half = i % (2 * q), top = i / (2 * q) * 2 * q, quarter = i % q; /* column i of [R S; R -S], and of its half */
            outer[half + i * n] = r, outer[half + 2 * q + i * n] = i < 2 * q ? r : -r;
            inner[top + quarter + i * n] = s, inner[top + quarter + q + i * n] = half < q ? s : -s;
        }
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < n; i++) W[i + j * n] += inner[i + k * n] * outer[k + j * n];
    memcpy(inner, W, (size_t)(n * n) * sizeof *W);
    return inner;
}

static void transformed(env *e, tsl_type t, int64_t m, int64_t n, tsl_butterflies butterflies)
{
    dense A = dense_make(t, m, n, CANARY_FINITE), was;
    dense_random(&A, (uint64_t)(m + 3 * n));
    was = dense_copy(&A);
    double *left = written_out(butterflies == TSL_BUTTERFLIES_V ? TSL_BUTTERFLY_V : TSL_BUTTERFLY_U, m), *right = written_out(TSL_BUTTERFLY_V, n), off = 0;
    tsl_matrix *host = NULL, *used = NULL;
    operand a = {.d = &A};
    tsl_status st = job_bind(e, &A, &host, &used);
    if (!st) st = tsl_execute(e->ctx, &(tsl_call){.op = TSL_OP_BUTTERFLY, .butterfly = {.which = butterflies}, .v = {job_view(&a, used)}});
    if (!st && used != host) st = tsl_copy(e->ctx, tsl_whole(used), tsl_whole(host));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar want = 0;
            for (int64_t l = 0; l < n; l++)
                for (int64_t k = 0; k < m; k++)
                    want += (butterflies == TSL_BUTTERFLIES_V ? left[i + k * m] : left[k + i * m]) * dense_get(&was, k, l) *
                            (butterflies == TSL_BUTTERFLIES_BOTH ? right[l + j * n] : l == j);
            off = worse(off, cabs(want - dense_get(&A, i, j)));
        }
    check(!st && off < 16 * tsl_type_eps(t) && dense_strays(&A, &was, TSL_GENERAL) == 0, "%c %d x %d, butterflies %d: off by %g, %s",
          tsl_type_letter(t), (int)m, (int)n, butterflies, off, tsl_error(e->ctx));
    if (used != host) tsl_matrix_free(used);
    tsl_matrix_free(host), free(left), free(right), dense_free(&A), dense_free(&was);
}

static void transforms(const char *spec)
{
    static const int64_t orders[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 30};
    env e = {.ctx = made(spec, "auto", 0), .spec = spec, .via = VIA_CREATED};
    if (!e.ctx) return skip("%s: not here", spec);
    for (int t = 0; t < 4; t++)
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
            transformed(&e, (tsl_type)t, orders[i], orders[i], TSL_BUTTERFLIES_BOTH);
            transformed(&e, (tsl_type)t, orders[i], COUNT, TSL_BUTTERFLIES_U), transformed(&e, (tsl_type)t, orders[i], COUNT, TSL_BUTTERFLIES_V);
        }
    checked("%s: U^T A V, U^T A, V A", spec);
    tsl_context_destroy(e.ctx);
}

typedef enum kind { RANDOM, ZERO_DIAGONAL, REVERSED, SHIFTED, TRIANGLE, GRADED, ROWS_APART, ILL, VERY_ILL, HIDDEN_ZERO, REPEATED, KINDS } kind;
static const char *const kind_name[KINDS] = {"random", "of zero diagonal", "reversal", "shift", "triangle", "graded", "with rows far apart", "condition 1e9",
                                             "condition 1e14", "without pivots under butterflies", "singular"};

/* A such that U^T A V has a block of zeros where it begins, as far as roundoff leaves it: inv(U)^T M inv(V) */
static void hide_zero(dense *A)
{
    int64_t n = A->n;
    lapack_int *p = malloc((size_t)(n + 1) * sizeof *p);
    double *U = written_out(TSL_BUTTERFLY_U, n), *V = written_out(TSL_BUTTERFLY_V, n), *M = malloc((size_t)(n * n + 1) * 2 * sizeof *M), *T = M + n * n;
    if (!p || !M) abort();
    for (int part = 0; part < (A->t == TSL_Z ? 2 : 1); part++) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) M[i + j * n] = i < 2 * TILE && j < TILE ? 0 : part ? cimag(dense_get(A, i, j)) : creal(dense_get(A, i, j));
        for (int side = 0; side < 2; side++) { /* M := inv(W)^T M, transposed in between */
            double *W = side ? V : U;
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < n; i++) T[j + i * n] = W[i + j * n];
            LAPACKE_dgesv_work(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)n, T, (lapack_int)n, p, M, (lapack_int)n);
            memcpy(T, M, (size_t)(n * n) * sizeof *T);
            for (int64_t j = 0; j < n; j++)
                for (int64_t i = 0; i < n; i++) M[j + i * n] = T[i + j * n];
        }
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) dense_put(A, i, j, part ? CMPLX(creal(dense_get(A, i, j)), M[i + j * n]) : M[i + j * n]);
    }
    free(p), free(U), free(V), free(M);
}

static dense matrix(tsl_type t, int64_t n, kind what)
{
    if (what == ILL || what == VERY_ILL) return mixed_matrix(t, n, what == ILL ? 9 : 14, GEOMETRIC, false, 11);
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, (uint64_t)n + 1);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            tsl_scalar a = dense_get(&A, i, j);
            if (what == ZERO_DIAGONAL && i == j && n > 1) a = 0;
            if (what == REVERSED) a = i + j == n - 1;
            if (what == SHIFTED) a = i == (j + 1) % n;
            if (what == TRIANGLE) a = i > j ? 0 : i == j ? 2 + a : a;
            if (what == GRADED) a *= pow(0.9, (double)(i + j));
            if (what == ROWS_APART) a *= pow(10, (double)(i % 7) - 3);
            dense_put(&A, i, j, a);
        }
    for (int64_t j = 0; j < n && what == REPEATED; j++) dense_put(&A, n - 1, j, n > 1 ? dense_get(&A, 0, j) : 0);
    if (what == HIDDEN_ZERO && n > 4 * TILE) hide_zero(&A);
    return A;
}

static bool within_windows(const int64_t *p, int64_t n, int64_t nb)
{
    bool yes = true;
    for (int64_t i = 0; i < n; i++) yes = yes && p[i] >= i + 1 && p[i] <= n && p[i] <= i / nb * nb + 2 * nb;
    return yes;
}

static void solved(tsl_context *x, tsl_context *plain, tsl_type t, int64_t n, int64_t count, kind what)
{
    dense A = matrix(t, n, what), was = dense_copy(&A), F = dense_copy(&A), again = dense_copy(&A), direct = dense_copy(&A);
    dense B = dense_make(t, n, count, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B), second = dense_copy(&B), Z = dense_copy(&B);
    int64_t iter = 4711, info = -77, other = 0, *p = calloc((size_t)n, 2 * sizeof *p), want;
    char who[96];
    if (!p) abort();
    dense_random(&B, 3);
    want = mixed_lapack(&F, &B, &Y, false, false, NULL);
    snprintf(who, sizeof who, "%c %d x %d %s", tsl_type_letter(t), (int)n, (int)count, kind_name[what]);
    tsl_status st = mixed_typed(x, 0, &A, p, &B, &X, &iter, &info);
    double theirs = mixed_backward(&was, TSL_NOTRANS, &B, &Y), ours = mixed_backward(&was, TSL_NOTRANS, &B, &X);
    check(!st && (what == REPEATED || info == want), "%s: info %d, LAPACK's %d, %s", who, (int)info, (int)want, tsl_error(x));
    check(info || what == REPEATED || ours <= fmax(2 * theirs, (t == TSL_Z ? 2 : 1) * tsl_type_eps(TSL_D)),
          "%s: backward error %g, by double factors %g", who, ours, theirs);
    check((iter < 0) != dense_same(&A, &was) || n == 1, "%s: iter %d, and A %s", who, (int)iter, iter < 0 ? "is as it was" : "was touched");
    check(what != RANDOM || n < 4 || (iter >= 0 && within_windows(p, n, TILE)), "%s: iter %d, or pivots of other rows", who, (int)iter);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&X, &Y, TSL_GENERAL) == 0, "%s: wrote outside", who);
    st = mixed_typed(x, 0, &again, p, &B, &second, &other, &info);
    check(!st && dense_same(&X, &second) && other == iter, "%s: other bits the second time", who);
    /* the first window of what butterflies make of a reversal is zero but for one element: by A's own factors */
    if (what == REVERSED && n == 257) {
        st = mixed_typed(plain, 0, &direct, p + n, &B, &Z, &other, &info);
        check(!st && iter >= 0 && iter == other && dense_same(&X, &Z) && !memcmp(p, p + n, (size_t)n * sizeof *p),
              "%s: iter %d, not as without butterflies", who, (int)iter);
    }
    dense_free(&A), dense_free(&was), dense_free(&F), dense_free(&again), dense_free(&direct), dense_free(&B), dense_free(&X), dense_free(&Y);
    dense_free(&second), dense_free(&Z), free(p);
}

/* NaN and Inf come to LAPACK's ends, a positive definite matrix to the factors it always has. */
static void others(tsl_context *x, tsl_context *plain, tsl_type t)
{
    enum { N = 40 };
    int64_t p[N], iter = 0, info = 0, turns = 0;
    for (int i = 0; i < 2; i++) {
        dense A = matrix(t, N, RANDOM), B = dense_make(t, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
        dense_random(&B, 3);
        dense_put(&A, 7, 9, i ? NAN : INFINITY);
        tsl_status st = mixed_typed(x, 0, &A, p, &B, &X, &iter, &info);
        check(!st && (i ? iter < 0 : iter == -2), "%c, %s: iter %d, %s", tsl_type_letter(t), i ? "NaN" : "Inf", (int)iter, tsl_error(x));
        dense_free(&A), dense_free(&B), dense_free(&X);
    }
    dense A = mixed_matrix(t, N, 3, GEOMETRIC, true, 4), B = dense_make(t, N, COUNT, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
    dense_random(&B, 3);
    tsl_status st = mixed_typed(x, 'L', &A, NULL, &B, &X, &iter, &info);
    if (!st) st = mixed_typed(plain, 'L', &A, NULL, &B, &Y, &turns, &info);
    check(!st && iter == turns && dense_same(&X, &Y), "%c, definite: iter %d, %d, %s", tsl_type_letter(t), (int)iter, (int)turns, tsl_error(x));
    dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&Y);
}

static void solutions(const char *spec)
{
    static const int64_t orders[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 65, 255, 257};
    tsl_context *x = made(spec, "butterfly", TILE), *plain = made(spec, "low", TILE);
    if (!x) return skip("%s: not here", spec);
    for (int t = TSL_D; t <= TSL_Z; t += TSL_Z - TSL_D) {
        for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
            for (int what = 0; what < KINDS; what++)
                if (orders[i] < 250 || ((size_t)what + i) % 2 == 0 || what == HIDDEN_ZERO || what == REVERSED)
                    solved(x, plain, (tsl_type)t, orders[i], orders[i] % 2 ? COUNT : 1, (kind)what);
        others(x, plain, (tsl_type)t);
        checked("%s: solutions by butterflies, %c", spec, tsl_type_letter((tsl_type)t));
    }
    tsl_context_destroy(x), tsl_context_destroy(plain);
}

/* By views, A seen through every op; condition by condition */
static void views(const char *spec)
{
    enum { N = 50 };
    static const tsl_solve_options single = {.lowest = TSL_FP32};
    env e = {.ctx = made(spec, "butterfly", TILE), .spec = spec, .via = VIA_CREATED};
    if (!e.ctx) return skip("%s: not here", spec);
    for (int as = 0; as < 4; as++)
        for (int exponent = 1; exponent <= 14; exponent += 3) {
            dense A = mixed_matrix(TSL_Z, N, exponent, (spectrum)(exponent % SPECTRA), false, 7),
                  B = dense_make(TSL_Z, N, COUNT, CANARY_FINITE), X = dense_copy(&B);
            tsl_solution s;
            dense_random(&B, 2);
            tsl_status st = mixed_views(&e, (operand){.d = &A, .op = (tsl_op)as}, (operand){.d = &B}, (operand){.d = &X}, &single, &s);
            double error = mixed_backward(&A, (tsl_op)as, &B, &X);
            check(!st && !s.info && error < 2 * tsl_type_eps(TSL_D), "op %d, 1e%d: backward error %g, %s", as, exponent, error, tsl_error(e.ctx));
            check(exponent > 4 || (s.method == TSL_BY_CORRECTIONS && s.precision == TSL_FP32), "op %d, 1e%d: method %d", as, exponent, s.method);
            dense_free(&A), dense_free(&B), dense_free(&X);
        }
    checked("%s: by views", spec);
    tsl_context_destroy(e.ctx);
}

/* Blocks as large as they are in earnest, and products by halves */
static void large(void)
{
    enum { ORDER = 2300 };
    tsl_context *x = made("cuda", "butterfly", 0);
    if (!x) return skip("no GPU here: large blocks");
    for (int i = 0; i < 2; i++) {
        tsl_type t = i ? TSL_Z : TSL_D;
        dense A = dense_make(t, ORDER, ORDER, CANARY_FINITE), F, B = dense_make(t, ORDER, 1, CANARY_FINITE), X = dense_copy(&B), Y = dense_copy(&B);
        int64_t iter = -1, info = -1, *p = malloc(ORDER * sizeof *p);
        if (!p) abort();
        dense_random(&A, 5), dense_random(&B, 6);
        F = dense_copy(&A);
        mixed_lapack(&F, &B, &Y, false, false, NULL);
        for (int tile = 0; tile <= 512; tile += 512) {
            char text[16];
            snprintf(text, sizeof text, "%d", tile);
            check(!tsl_set(x, "tile", text), "%s", tsl_error(x));
            tsl_status st = mixed_typed(x, 0, &A, p, &B, &X, &iter, &info);
            double theirs = mixed_backward(&A, TSL_NOTRANS, &B, &Y), ours = mixed_backward(&A, TSL_NOTRANS, &B, &X);
            check(!st && iter >= 0 && ours <= fmax(2 * theirs, tsl_type_eps(TSL_D)), "%c %d, tile %d: iter %d, backward error %g, by double factors %g, %s",
                  tsl_type_letter(t), ORDER, tile, (int)iter, ours, theirs, tsl_error(x));
            check(tile == 0 || within_windows(p, ORDER, tile), "%c: pivots of other rows", tsl_type_letter(t));
        }
        dense_free(&A), dense_free(&F), dense_free(&B), dense_free(&X), dense_free(&Y), free(p);
    }
    checked("large blocks");
    tsl_context_destroy(x);
}

int main(void)
{
    transforms("host"), transforms("cuda");
    solutions("host"), solutions("cuda");
    views("host"), views("cuda");
    large();
    return tap_done();
}
