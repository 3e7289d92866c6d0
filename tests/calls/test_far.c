/* Sizes beyond 32 bits on the host, whatever the integers of its library: columns and elements further apart than 2^31, and
 * vectors and products longer than that. What lies far apart must give what the same elements do when they lie close. Memory is
 * mapped, and most of it never touched. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "context.h"

enum { N = 5 };
static const int64_t FAR = ((int64_t)1 << 31) + 5;

static void *mapped(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* N x N, the diagonal large, and symmetric: with its columns `ld` apart */
static void fill(tsl_type t, char *a, int64_t ld)
{
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < N; ++i) {
            double re = 1.0 / (double)(1 + i + j) + (i == j) * N, im = i == j ? 0 : (double)(i - j) / N;
            char *at = a + (size_t)(i + j * ld) * tsl_type_size(t);
            if (t == TSL_S) *(float *)at = (float)re;
            if (t == TSL_D) *(double *)at = re;
            if (t == TSL_C) *(tsl_cfloat *)at = CMPLXF((float)re, (float)im);
            if (t == TSL_Z) *(tsl_cdouble *)at = CMPLX(re, im);
        }
}

/* Rows that lie far apart are copied, and a product with the copy may add in another order. */
static bool equal(tsl_type t, const char *a, int64_t lda, const char *b, int64_t ldb)
{
    const bool single = t == TSL_S || t == TSL_C;
    const int64_t parts = t == TSL_C || t == TSL_Z ? 2 : 1;
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < parts * N; ++i) {
            double u = single ? ((const float *)a)[i + parts * j * lda] : ((const double *)a)[i + parts * j * lda];
            double v = single ? ((const float *)b)[i + parts * j * ldb] : ((const double *)b)[i + parts * j * ldb];
            if (!(fabs(u - v) <= 64 * N * tsl_type_eps(t))) return false;
        }
    return true;
}

typedef struct operands {
    tsl_view A, B, C, x, y, p;
    double number;
    int64_t info;
} operands;

static tsl_view row(tsl_view A, int64_t i) { return tsl_sub(A, i, 0, 1, N); }

#define EACH_OPERATION(X)                                                             \
    X(gemm, tsl_gemm(c, 2, o->A, tsl_trans(o->B), 1, o->C))                           \
    X(gemmt, tsl_gemmt(c, 2, o->A, o->B, 1, tsl_lower(o->C)))                         \
    X(symm, tsl_symm(c, TSL_LEFT, 1, tsl_lower(o->A), o->B, 1, o->C))                 \
    X(syrk, tsl_syrk(c, 1, o->A, 1, tsl_upper(o->C)))                                 \
    X(her2k, tsl_her2k(c, 1, o->A, o->B, 1, tsl_upper(o->C)))                         \
    X(trmm, tsl_trmm(c, TSL_RIGHT, 1, tsl_lower(o->A), o->C))                         \
    X(trsm, tsl_trsm(c, TSL_LEFT, 1, tsl_lower(o->A), o->C))                          \
    X(gemv, tsl_gemv(c, 1, o->A, tsl_trans(row(o->B, 1)), 1, tsl_trans(row(o->C, 2)))) \
    X(hemv, tsl_hemv(c, 1, tsl_lower(o->A), tsl_trans(row(o->B, 1)), 1, tsl_trans(row(o->C, 2)))) \
    X(ger, tsl_ger(c, 1, tsl_trans(row(o->A, 1)), tsl_trans(row(o->B, 2)), o->C))    \
    X(trmv, tsl_trmv(c, tsl_lower(o->A), tsl_trans(row(o->C, 1))))                    \
    X(trsv, tsl_trsv(c, tsl_upper(o->A), tsl_trans(row(o->C, 1))))                    \
    X(axpy, tsl_axpy(c, 3, tsl_trans(row(o->A, 1)), tsl_trans(row(o->C, 2))))         \
    X(scal, tsl_scal(c, 3, tsl_trans(row(o->C, 2))))                                  \
    X(swap, tsl_swap(c, tsl_trans(row(o->B, 1)), tsl_trans(row(o->C, 2))))            \
    X(copy, tsl_copy(c, o->A, o->C))                                                  \
    X(nrm2, tsl_nrm2(c, tsl_trans(row(o->A, 1)), &o->number))                         \
    X(norm, tsl_norm(c, TSL_NORM_ONE, TSL_SYMMETRIC, o->A, &o->number))                    \
    X(potrf, tsl_potrf(c, tsl_lower(o->C), &o->info))                                 \
    X(potri, tsl_potri(c, tsl_lower(o->C), &o->info))                                 \
    X(posv, tsl_posv(c, tsl_lower(o->A), o->C, &o->info))                             \
    X(gesv, tsl_gesv(c, o->A, o->p, o->C, &o->info))                                  \
    X(getrf, tsl_getrf(c, o->C, o->p, &o->info))                                      \
    X(geqrf, tsl_geqrf(c, o->C, o->y))                                                \
    X(gels, tsl_gels(c, o->A, o->C, &o->info))

#define AS_FUNCTION(name, call) \
    static tsl_status by_##name(tsl_context *c, operands *o) { return call; }
EACH_OPERATION(AS_FUNCTION)
static const struct {
    const char *name;
    tsl_status (*run)(tsl_context *c, operands *o);
} operations[] = {
#define AS_ROW(name, call) {#name, by_##name},
    EACH_OPERATION(AS_ROW)};

/* The three matrices are A, B and C; what an operation changes is compared. */
static void far_apart(tsl_context *c, tsl_type t)
{
    const size_t size = tsl_type_size(t);
    char *far[3], *near[3];
    double tau[2][2 * N];
    int64_t pivots[2][N];
    for (int k = 0; k < 3; ++k) {
        far[k] = mapped((size_t)(FAR * (N - 1) + N) * size);
        near[k] = malloc(N * N * size);
        if (!far[k] || !near[k]) return skip("no address space for matrices of %lld rows", (long long)FAR);
    }
    for (size_t f = 0; f < sizeof operations / sizeof *operations; ++f) {
        operands o[2] = {{.number = 0}};
        tsl_matrix *made[2][5] = {{NULL}};
        tsl_status st[2] = {TSL_OK, TSL_OK};
        for (int which = 0; which < 2; ++which) {
            for (int k = 0; k < 3; ++k) {
                fill(t, which ? near[k] : far[k], which ? N : FAR);
                st[which] |= tsl_matrix_wrap(c, t, N, N, which ? near[k] : far[k], which ? N : FAR, &made[which][k]);
            }
            st[which] |= tsl_matrix_wrap(c, TSL_INDEX, N, 1, pivots[which], N, &made[which][3]);
            st[which] |= tsl_matrix_wrap(c, t, N, 1, tau[which], N, &made[which][4]);
            if (!st[which]) {
                o[which].A = tsl_whole(made[which][0]), o[which].B = tsl_whole(made[which][1]), o[which].C = tsl_whole(made[which][2]);
                o[which].p = tsl_whole(made[which][3]), o[which].y = tsl_whole(made[which][4]);
                st[which] = operations[f].run(c, &o[which]);
            }
        }
        check(!st[0] && !st[1], "%c %s: %s, %s", tsl_type_letter(t), operations[f].name, tsl_status_name(st[0]), tsl_error(c));
        check(fabs(o[0].number - o[1].number) <= 64 * N * tsl_type_eps(t) && o[0].info == o[1].info, "%c %s: %g, %g, info %lld", tsl_type_letter(t), operations[f].name, o[0].number,
              o[1].number, (long long)o[0].info);
        for (int k = 0; k < 3; ++k) check(equal(t, far[k], FAR, near[k], N), "%c %s: operand %d differs", tsl_type_letter(t), operations[f].name, k);
        for (int k = 0; k < 10; ++k) tsl_matrix_free(made[k / 5][k % 5]);
    }
    for (int k = 0; k < 3; ++k) {
        munmap(far[k], (size_t)(FAR * (N - 1) + N) * size);
        free(near[k]);
    }
    checked("%c: columns %lld apart", tsl_type_letter(t), (long long)FAR);
}

/* Typed calls with vectors */
static void far_vectors(tsl_context *c)
{
    double *x = mapped((size_t)(FAR * (N - 1) + 1) * sizeof *x), y[N], sum = 0, dot = 0;
    if (!x) return skip("no address space for vectors with an increment of %lld", (long long)FAR);
    for (int i = 0; i < N; ++i) x[i * FAR] = i + 1, y[i] = 1;
    check(!tsl_ddot(c, N, x, FAR, y, 1, &sum) && sum == 15, "dot: %g", sum);
    check(!tsl_ddot(c, N, x, -FAR, x, FAR, &dot) && dot == 35, "dot backwards: %g", dot);
    check(!tsl_daxpy(c, N, 2, x, -FAR, y, 1) && y[0] == 11 && y[N - 1] == 3, "axpy backwards: %g %g", y[0], y[N - 1]);
    check(!tsl_daxpy(c, N, 1, y, 1, x, FAR) && x[0] == 12 && x[(N - 1) * FAR] == 8, "axpy: %g %g", x[0], x[(N - 1) * FAR]);
    munmap(x, (size_t)(FAR * (N - 1) + 1) * sizeof *x);
    checked("vectors with elements %lld apart", (long long)FAR);
}

/* Zeros but for the ends, which pages that are never written hold */
static void long_ones(tsl_context *c)
{
    const int64_t n = ((int64_t)1 << 31) + 100;
    float *x = mapped((size_t)n * sizeof *x), dot = 0, y = 1, z = 1;
    if (!x) return skip("no address space for %lld elements", (long long)n);
    x[0] = 3, x[n - 1] = -4;
    check(!tsl_sdot(c, n, x, 1, x, 1, &dot) && dot == 25, "sdot: %g", dot);
    check(!tsl_sgemv(c, 't', n, 1, 2, x, n, x, 1, 1, &y, 1) && y == 51, "sgemv: %g", y);
    check(!tsl_sgemm(c, 't', 'n', 1, 1, n, 1, x, n, x, n, 1, &z, 1) && z == 26, "sgemm: %g", z);
    munmap(x, (size_t)n * sizeof *x);
    checked("%lld elements", (long long)n);
}

int main(void)
{
    tsl_context *c = context_on("host");
    if (!c) return tap_done();
    for (int t = TSL_S; t <= TSL_Z; ++t) far_apart(c, (tsl_type)t);
    far_vectors(c);
    long_ones(c);
    tsl_context_destroy(c);
    return tap_done();
}
