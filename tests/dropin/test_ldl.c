/* The drop-in's L D L^T: LAPACK's and LAPACKE's symbols of all types, both triangles, integers of 32 and 64 bits, both layouts;
 * queries, a singular matrix, bad arguments. Residuals of solutions and inverses; the diagonal is zero, so that pivots of order
 * 2 are needed. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

typedef double _Complex zed;
enum { N = 41, LD = 44, RHS = 3, WORK = 64 * N, ROWS = 101, COLS = 102 };

#define SYMBOLS(p, sy)                                                                                                                                      \
    void p##sy##trf_(const char *, const int *, void *, const int *, int *, void *, const int *, int *);                                                    \
    void p##sy##trs_(const char *, const int *, const int *, const void *, const int *, const int *, void *, const int *, int *);                           \
    void p##sy##sv_(const char *, const int *, const int *, void *, const int *, int *, void *, const int *, void *, const int *, int *);                   \
    void p##sy##tri_(const char *, const int *, void *, const int *, const int *, void *, int *);                                                           \
    void p##sy##sv_64_(const char *, const int64_t *, const int64_t *, void *, const int64_t *, int64_t *, void *, const int64_t *, void *, const int64_t *, int64_t *); \
    int LAPACKE_##p##sy##trf(int, char, int, void *, int, int *);                                                                                           \
    int LAPACKE_##p##sy##trs(int, char, int, int, const void *, int, const int *, void *, int);                                                             \
    int LAPACKE_##p##sy##sv(int, char, int, int, void *, int, int *, void *, int);                                                                          \
    int LAPACKE_##p##sy##sv_work(int, char, int, int, void *, int, int *, void *, int, void *, int);                                                        \
    int LAPACKE_##p##sy##tri(int, char, int, void *, int, const int *);
#define TABLE(p, sy, parts, herm, size, eps)                                                                                                                \
    {#p #sy, parts, herm, size, eps, p##sy##trf_, p##sy##trs_, p##sy##sv_, p##sy##tri_, p##sy##sv_64_, LAPACKE_##p##sy##trf, LAPACKE_##p##sy##trs, LAPACKE_##p##sy##sv, \
     LAPACKE_##p##sy##sv_work, LAPACKE_##p##sy##tri}
SYMBOLS(s, sy)
SYMBOLS(d, sy)
SYMBOLS(c, sy)
SYMBOLS(z, sy)
SYMBOLS(c, he)
SYMBOLS(z, he)

static const struct family {
    const char *name;
    int parts, herm;
    size_t size;
    double eps;
    void (*trf)(const char *, const int *, void *, const int *, int *, void *, const int *, int *);
    void (*trs)(const char *, const int *, const int *, const void *, const int *, const int *, void *, const int *, int *);
    void (*sv)(const char *, const int *, const int *, void *, const int *, int *, void *, const int *, void *, const int *, int *);
    void (*tri)(const char *, const int *, void *, const int *, const int *, void *, int *);
    void (*sv64)(const char *, const int64_t *, const int64_t *, void *, const int64_t *, int64_t *, void *, const int64_t *, void *, const int64_t *, int64_t *);
    int (*e_trf)(int, char, int, void *, int, int *);
    int (*e_trs)(int, char, int, int, const void *, int, const int *, void *, int);
    int (*e_sv)(int, char, int, int, void *, int, int *, void *, int);
    int (*e_sv_work)(int, char, int, int, void *, int, int *, void *, int, void *, int);
    int (*e_tri)(int, char, int, void *, int, const int *);
} families[] = {TABLE(s, sy, 1, 0, 4, FLT_EPSILON), TABLE(d, sy, 1, 0, 8, DBL_EPSILON), TABLE(c, sy, 2, 0, 8, FLT_EPSILON),
                TABLE(z, sy, 2, 0, 16, DBL_EPSILON), TABLE(c, he, 2, 1, 8, FLT_EPSILON), TABLE(z, he, 2, 1, 16, DBL_EPSILON)};

static int complaints, complained;
__attribute__((visibility("default"))) void xerbla_(const char *name, const int *argument, size_t length)
{
    (void)name, (void)length;
    complaints++, complained = *argument;
}

static zed A[N][N], B[N][RHS]; /* the matrix, all of it, and right-hand sides */
static zed a[LD * N], b[LD * N], work[WORK]; /* arrays of any type */
static int p[N];
static const int n = N, ld = LD, rhs = RHS, lwork = WORK, query = -1, one = 1, zero = 0;

static double number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1;
}

static void make(const struct family *f)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            A[i][j] = i == j ? 0 : f->parts == 2 ? CMPLX(number(), number()) : number();
            A[j][i] = f->herm ? conj(A[i][j]) : A[i][j];
        }
        for (int j = 0; j < RHS; j++) B[i][j] = f->parts == 2 ? CMPLX(number(), number()) : number();
    }
}

static void set(const struct family *f, void *to, int at, zed v)
{
    for (int k = 0; k < f->parts; k++) {
        double x = k ? cimag(v) : creal(v);
        if (f->size / (size_t)f->parts == 4) ((float *)to)[at * f->parts + k] = (float)x;
        else ((double *)to)[at * f->parts + k] = x;
    }
}

static zed get(const struct family *f, const void *from, int at)
{
    double v[2] = {0, 0};
    for (int k = 0; k < f->parts; k++) v[k] = f->size / (size_t)f->parts == 4 ? (double)((const float *)from)[at * f->parts + k] : ((const double *)from)[at * f->parts + k];
    return CMPLX(v[0], v[1]);
}

static int place(int layout, int i, int j, int lead) { return layout == COLS ? i + j * lead : i * lead + j; }

/* A's triangle, NaN in the other one; and B */
static void load(const struct family *f, int layout, char uplo)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) set(f, a, place(layout, i, j, LD), (uplo == 'L' ? i >= j : i <= j) ? A[i][j] : CMPLX(NAN, NAN));
        for (int j = 0; j < RHS; j++) set(f, b, place(layout, i, j, layout == COLS ? LD : RHS), B[i][j]);
    }
}

/* |A X - B| / (N |A| |X| eps), by largest elements */
static double unsolved(const struct family *f, int layout)
{
    double off = 0, size = 0;
    for (int j = 0; j < RHS; j++)
        for (int i = 0; i < N; i++) {
            zed r = B[i][j];
            for (int k = 0; k < N; k++) r -= A[i][k] * get(f, b, place(layout, k, j, layout == COLS ? LD : RHS));
            off = isnan(cabs(r)) ? INFINITY : fmax(off, cabs(r));
            size = tsl_larger(size, cabs(get(f, b, place(layout, i, j, layout == COLS ? LD : RHS))));
        }
    return off / (N * size * f->eps);
}

/* |A inv(A) - I|, from the triangle of the inverse, beside |A| |inv(A)| */
static double uninverted(const struct family *f, int layout, char uplo)
{
    double off = 0, size = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            zed r = -(i == j);
            for (int k = 0; k < N; k++) {
                bool here = uplo == 'L' ? k >= j : k <= j;
                zed x = here ? get(f, a, place(layout, k, j, LD)) : get(f, a, place(layout, j, k, LD));
                x = !here && f->herm ? conj(x) : x;
                size = tsl_larger(size, cabs(x));
                r += A[i][k] * x;
            }
            off = isnan(cabs(r)) ? INFINITY : fmax(off, cabs(r));
        }
    return off / (N * size * f->eps);
}

static bool blocks_of_two(void)
{
    int negative = 0;
    for (int i = 0; i < N; i++) negative += p[i] < 0;
    return negative > 0;
}

static void fortran(const struct family *f, char uplo)
{
    int info = -7;
    int64_t n64 = N, ld64 = LD, rhs64 = RHS, lwork64 = WORK, info64 = -7, p64[N];
    load(f, COLS, uplo);
    f->trf(&uplo, &n, a, &ld, p, work, &query, &info);
    check(!info && creal(get(f, work, 0)) >= 1 && creal(get(f, work, 0)) <= 65 * N, "%s, %c: trf asks for %g", f->name, uplo, creal(get(f, work, 0)));
    f->trf(&uplo, &n, a, &ld, p, work, &lwork, &info);
    check(!info && blocks_of_two(), "%s, %c: trf: info %d", f->name, uplo, info);
    f->trs(&uplo, &n, &rhs, a, &ld, p, b, &ld, &info);
    check(!info && unsolved(f, COLS) < 30, "%s, %c: trs: info %d, residual %g", f->name, uplo, info, unsolved(f, COLS));
    f->tri(&uplo, &n, a, &ld, p, work, &info);
    check(!info && uninverted(f, COLS, uplo) < 30, "%s, %c: tri: info %d, residual %g", f->name, uplo, info, uninverted(f, COLS, uplo));
    bool kept = true;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) kept &= (uplo == 'L' ? i >= j : i <= j) || isnan(creal(get(f, a, i + j * LD)));
    check(kept, "%s, %c: the other triangle was written", f->name, uplo);
    load(f, COLS, uplo);
    f->sv(&uplo, &n, &rhs, a, &ld, p, b, &ld, work, &lwork, &info);
    check(!info && unsolved(f, COLS) < 30, "%s, %c: sv: info %d, residual %g", f->name, uplo, info, unsolved(f, COLS));
    load(f, COLS, uplo);
    f->sv64(&uplo, &n64, &rhs64, a, &ld64, p64, b, &ld64, work, &lwork64, &info64);
    check(!info64 && unsolved(f, COLS) < 30, "%s, %c: sv_64: info %d, residual %g", f->name, uplo, (int)info64, unsolved(f, COLS));
    memset(a, 0, sizeof a);
    f->trf(&uplo, &n, a, &ld, p, work, &lwork, &info);
    check(info == (uplo == 'L' ? 1 : N), "%s, %c: of zeros: info %d", f->name, uplo, info);
}

static void lapacke(const struct family *f, int layout, char uplo)
{
    int ldb = layout == COLS ? LD : RHS;
    load(f, layout, uplo);
    int info = f->e_sv(layout, uplo, N, RHS, a, LD, p, b, ldb);
    check(!info && unsolved(f, layout) < 30, "LAPACKE_%s, %d, %c: sv: info %d, residual %g", f->name, layout, uplo, info, unsolved(f, layout));
    load(f, layout, uplo);
    info = f->e_sv_work(layout, uplo, N, RHS, a, LD, p, b, ldb, work, WORK);
    check(!info && unsolved(f, layout) < 30, "LAPACKE_%s, %d, %c: sv_work: info %d, residual %g", f->name, layout, uplo, info, unsolved(f, layout));
    load(f, layout, uplo);
    info = f->e_trf(layout, uplo, N, a, LD, p);
    if (!info) info = f->e_trs(layout, uplo, N, RHS, a, LD, p, b, ldb);
    check(!info && unsolved(f, layout) < 30, "LAPACKE_%s, %d, %c: trf, trs: info %d, residual %g", f->name, layout, uplo, info, unsolved(f, layout));
    info = f->e_tri(layout, uplo, N, a, LD, p);
    check(!info && uninverted(f, layout, uplo) < 30, "LAPACKE_%s, %d, %c: tri: info %d, residual %g", f->name, layout, uplo, info, uninverted(f, layout, uplo));
    load(f, layout, uplo);
    set(f, a, 0, NAN);
    check(f->e_sv(layout, uplo, N, RHS, a, LD, p, b, ldb) == -5, "LAPACKE_%s, %d, %c: a NaN in argument 5", f->name, layout, uplo);
}

static void wrong(const struct family *f)
{
    int info = 0, bad = N - 1;
    complaints = 0;
    f->trf("X", &n, a, &ld, p, work, &lwork, &info);
    check(info == -1 && complained == 1, "%s: uplo: info %d, told of %d", f->name, info, complained);
    f->trf("L", &query, a, &ld, p, work, &lwork, &info);
    check(info == -2 && complained == 2, "%s: n: info %d", f->name, info);
    f->trf("L", &n, a, &bad, p, work, &lwork, &info);
    check(info == -4 && complained == 4, "%s: lda: info %d", f->name, info);
    f->trf("L", &n, a, &ld, p, work, &zero, &info);
    check(info == -7 && complained == 7, "%s: lwork: info %d", f->name, info);
    f->sv("L", &n, &query, a, &ld, p, b, &ld, work, &lwork, &info);
    check(info == -3 && complained == 3, "%s: nrhs: info %d", f->name, info);
    f->sv("U", &n, &one, a, &ld, p, b, &bad, work, &lwork, &info);
    check(info == -8 && complained == 8, "%s: ldb: info %d", f->name, info);
    f->tri("L", &n, a, &bad, p, work, &info);
    check(info == -4 && complained == 4 && complaints == 7, "%s: lda of tri: info %d, told %d times", f->name, info, complaints);
    f->trf("L", &zero, NULL, &one, NULL, work, &lwork, &info);
    check(!info, "%s: of nothing: info %d", f->name, info);
}

int main(void)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        make(&families[i]);
        for (const char *uplo = "LU"; *uplo; uplo++) {
            fortran(&families[i], *uplo);
            lapacke(&families[i], COLS, *uplo);
            lapacke(&families[i], ROWS, *uplo);
        }
        wrong(&families[i]);
        checked("%s", families[i].name);
    }
    return tap_done();
}
