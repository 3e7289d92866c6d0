/* Products of a large symmetric matrix and a narrow one, which CUDA has a kernel of its own for: with small integers, so that
 * every sum is exact, against vectors: C x = alpha A (B x) + beta C0 x. Aligned blocks of matrices and others, sizes that do
 * and do not fill their tiles, the other triangle NaN, a NaN in B, and twice with the same bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tesela.h"

enum { PLACES = 5, VECTORS = 3 };

typedef struct problem {
    int64_t m, n, at; /* the operands begin in row and column `at` of theirs */
    tsl_uplo uplo;
    double alpha, beta;
    float *A, *B, *C, *D;
} problem;

static float small_integer(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((int)(*seed >> 40) % 7 - 3);
}

static void fill(float *p, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) p[i] = small_integer(&seed);
}

static problem make(int64_t m, int64_t n, int64_t at, tsl_uplo uplo, double beta)
{
    problem p = {.m = m, .n = n, .at = at, .uplo = uplo, .alpha = 2, .beta = beta};
    p.A = malloc((size_t)(m * m) * sizeof(float));
    p.B = malloc((size_t)(m * n) * sizeof(float));
    p.C = malloc((size_t)(m * n) * sizeof(float));
    p.D = malloc((size_t)(m * n) * sizeof(float));
    fill(p.A, m * m, 1), fill(p.B, m * n, 2), fill(p.C, m * n, 3);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            if (uplo == TSL_LOWER ? i < j : i > j) p.A[i + j * m] = NAN;
    for (int64_t i = 0; i < m * n && beta == 0; i++) p.C[i] = NAN;
    return p;
}

static void drop(problem *p) { free(p->A), free(p->B), free(p->C), free(p->D); }

/* A matrix on the device that holds the data from (at, at) on. */
static tsl_view put(tsl_context *x, int64_t m, int64_t n, int64_t at, float *data, tsl_matrix **out)
{
    tsl_matrix *host = NULL;
    check(!tsl_matrix_create(x, TSL_S, m + at + 4, n + at, out) && !tsl_matrix_wrap(x, TSL_S, m, n, data, m, &host), "matrices");
    tsl_view v = tsl_sub(tsl_whole(*out), at, at, m, n);
    check(!tsl_copy(x, tsl_whole(host), v) && !tsl_wait(x), "copy there");
    tsl_matrix_free(host);
    return v;
}

/* D := alpha A B + beta C on the device. */
static void run(tsl_context *x, problem *p)
{
    tsl_matrix *A, *B, *C, *host = NULL;
    tsl_view a = put(x, p->m, p->m, p->at, p->A, &A), b = put(x, p->m, p->n, p->at, p->B, &B), c = put(x, p->m, p->n, p->at, p->C, &C);
    a = p->uplo == TSL_LOWER ? tsl_lower(a) : tsl_upper(a);
    check(!tsl_symm(x, TSL_LEFT, p->alpha, a, b, p->beta, c), "symm: %s", tsl_error(x));
    check(!tsl_matrix_wrap(x, TSL_S, p->m, p->n, p->D, p->m, &host) && !tsl_copy(x, c, tsl_whole(host)) && !tsl_wait(x), "copy back");
    tsl_matrix_free(host), tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
}

static double stored(const problem *p, int64_t i, int64_t j)
{
    return (p->uplo == TSL_LOWER) == (i >= j) || i == j ? p->A[i + j * p->m] : p->A[j + i * p->m];
}

/* y := M x, the columns of M but `without` */
static void apply(const float *M, int64_t m, int64_t n, int64_t without, const double *x, double *y)
{
    memset(y, 0, (size_t)m * sizeof *y);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m && j != without; i++) y[i] += M[i + j * m] * x[j];
}

static int64_t wrong_rows(const problem *p, int64_t without)
{
    double *x = malloc((size_t)p->n * sizeof *x), *bx = malloc((size_t)p->m * sizeof *bx), *cx = malloc((size_t)p->m * sizeof *cx),
           *dx = malloc((size_t)p->m * sizeof *dx);
    int64_t wrong = 0;
    uint64_t seed = 9;
    for (int v = 0; v < VECTORS; v++) {
        for (int64_t j = 0; j < p->n; j++) x[j] = small_integer(&seed) * 31 + small_integer(&seed);
        apply(p->B, p->m, p->n, without, x, bx), apply(p->D, p->m, p->n, without, x, dx);
        if (p->beta != 0) apply(p->C, p->m, p->n, without, x, cx);
        for (int64_t i = 0; i < p->m; i++) {
            double sum = 0;
            for (int64_t k = 0; k < p->m; k++) sum += stored(p, i, k) * bx[k];
            wrong += !(dx[i] == p->alpha * sum + (p->beta != 0 ? p->beta * cx[i] : 0));
        }
    }
    free(x), free(bx), free(cx), free(dx);
    return wrong;
}

static void one(tsl_context *x, int64_t m, int64_t n, int64_t at, tsl_uplo uplo, double beta)
{
    problem p = make(m, n, at, uplo, beta);
    float *before = malloc((size_t)(m * n) * sizeof *before);
    run(x, &p);
    int64_t wrong = wrong_rows(&p, -1);
    check(wrong == 0, "%d x %d from %d, uplo %d, beta %g: %d rows are wrong", (int)m, (int)n, (int)at, (int)uplo, beta, (int)wrong);
    memcpy(before, p.D, (size_t)(m * n) * sizeof *before);
    run(x, &p);
    check(!memcmp(before, p.D, (size_t)(m * n) * sizeof *before), "%d x %d: the same bits", (int)m, (int)n);
    int64_t column = n / 2, finite = 0;
    p.B[m / 3 + column * m] = NAN;
    run(x, &p);
    for (int64_t i = 0; i < m; i++) finite += !isnan(p.D[i + column * m]);
    check(finite == 0 && wrong_rows(&p, column) == 0, "%d x %d: a NaN of B stays in its column", (int)m, (int)n);
    free(before);
    drop(&p);
}

static void on(const char *devices, const int64_t sizes[PLACES][3])
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    if (tsl_context_create(&cfg, &x)) {
        skip("no %s", devices);
        return;
    }
    for (int i = 0; i < PLACES; i++) {
        one(x, sizes[i][0], sizes[i][1], sizes[i][2], TSL_LOWER, i % 2 ? 3 : 0);
        one(x, sizes[i][0], sizes[i][1], sizes[i][2], TSL_UPPER, i % 2 ? 0 : 3);
        checked("%s: %d x %d, from row %d", devices, (int)sizes[i][0], (int)sizes[i][1], (int)sizes[i][2]);
    }
    tsl_context_destroy(x);
}

int main(void)
{
    on("host", (const int64_t[PLACES][3]){{260, 130, 0}, {256, 128, 4}, {129, 66, 1}, {4, 4, 0}, {64, 1, 0}});
    /* tiles that fill an H200, but for the last ones those at the edges and those of a block that is not aligned */
    on("cuda", (const int64_t[PLACES][3]){{4096, 512, 0}, {4100, 500, 4}, {5376, 380, 0}, {4096, 512, 1}, {4100, 509, 0}});
    return tap_done();
}
