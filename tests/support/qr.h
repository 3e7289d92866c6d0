/* Matrices for tests of QR and LQ, LAPACK's own answers, and Q by its reflectors in double complex. A matrix is an operand:
 * seen through its conjugate transpose its QR is the LQ of what is stored. */
#ifndef QR_H
#define QR_H

#include <complex.h>
#define lapack_complex_float float _Complex
#define lapack_complex_double double _Complex
#include <cblas.h>
#include <lapacke.h>

#include "reference.h"

/* DEFICIENT: of rank half its size; TINY and HUGE_ONES: near the ends of the range */
typedef enum qr_kind { RANDOM, GRADED, ILL, DEFICIENT, ZEROS, ZERO_COLUMN, TRIANGLE, TINY, HUGE_ONES, SMALL_ROWS, UNLIKE_COLUMNS, QR_KINDS } qr_kind;
static const char *const qr_kind_name[QR_KINDS] = {"random", "graded", "ill-conditioned", "rank-deficient", "zeros", "zero column", "triangular",
                                                   "tiny", "huge", "small rows", "unlike columns"};

static inline int64_t qr_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t qr_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline tsl_op qr_herm(tsl_type t) { return tsl_is_complex(t) ? TSL_HERM : TSL_TRANS; }
static inline bool qr_single(tsl_type t) { return t == TSL_S || t == TSL_C; }

static inline dense qr_matrix(tsl_type t, int64_t m, int64_t n, qr_kind kind, uint64_t seed)
{
    dense A = dense_make(t, m, n, CANARY_FINITE);
    int64_t rank = qr_max(1, qr_min(m, n) / 2);
    double least = qr_single(t) ? 1e-37 : 1e-306;
    dense_random(&A, seed);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            double step = (double)(i + 2 * j) / (double)(m + 2 * n);
            if (kind == GRADED) v *= exp2(-40 * step);
            if (kind == ILL) v = 1 / (double)(i + j + 1);
            if (kind == DEFICIENT && j >= rank) v = dense_get(&A, i, j - rank) * (1 + (double)(j % 3));
            if (kind == ZEROS || (kind == ZERO_COLUMN && j == n / 2) || (kind == TRIANGLE && i > j)) v = 0;
            if (kind == TINY) v *= least;
            if (kind == HUGE_ONES) v *= 1e-3 / least;
            if (kind == SMALL_ROWS && i > 0) v *= qr_single(t) ? 1e-22 : 1e-161;
            if (kind == UNLIKE_COLUMNS && qr_single(t)) v *= j > 0 ? 1e27 : 1e12; /* in double the tests' own squares would overflow */
            dense_put(&A, i, j, v);
        }
    return A;
}

static inline dense qr_factors(tsl_type t, int64_t count) { return dense_make(t, count, 1, CANARY_FINITE); }

/* LAPACK's QR of A as it is stored, or its LQ */
static inline void qr_lapack(const dense *A, dense *tau, bool lq)
{
    lapack_int m = (lapack_int)A->m, n = (lapack_int)A->n, ld = (lapack_int)A->ld, bad = 0;
    void *a = A->data, *t = tau->data;
    if (!tau->m) return;
    switch (A->t) {
    case TSL_S: bad = lq ? LAPACKE_sgelqf(LAPACK_COL_MAJOR, m, n, a, ld, t) : LAPACKE_sgeqrf(LAPACK_COL_MAJOR, m, n, a, ld, t); break;
    case TSL_D: bad = lq ? LAPACKE_dgelqf(LAPACK_COL_MAJOR, m, n, a, ld, t) : LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, a, ld, t); break;
    case TSL_C: bad = lq ? LAPACKE_cgelqf(LAPACK_COL_MAJOR, m, n, a, ld, t) : LAPACKE_cgeqrf(LAPACK_COL_MAJOR, m, n, a, ld, t); break;
    default: bad = lq ? LAPACKE_zgelqf(LAPACK_COL_MAJOR, m, n, a, ld, t) : LAPACKE_zgeqrf(LAPACK_COL_MAJOR, m, n, a, ld, t);
    }
    if (bad) abort(); /* nothing to compare with */
}

/* X := Q X, or Q^H X: m x n numbers one column after the other, Q the reflectors in F */
static inline void qr_reflect(const operand *F, const dense *tau, bool inverse, tsl_scalar *X, int64_t n)
{
    int64_t m = seen_rows(F), count = tau->m;
    tsl_scalar *v = malloc((size_t)(m + 1) * sizeof *v);
    if (!v) abort();
    for (int64_t s = 0; s < count; s++) {
        int64_t k = inverse ? s : count - 1 - s;
        tsl_scalar by = dense_get(tau, k, 0);
        if (inverse) by = conj(by);
        for (int64_t i = k; i < m; i++) v[i] = i == k ? 1 : seen(F, i, k);
        for (int64_t j = 0; j < n && by != 0; j++) {
            tsl_scalar *x = X + j * m, sum = 0;
            for (int64_t i = k; i < m; i++) sum += conj(v[i]) * x[i];
            sum *= by;
            for (int64_t i = k; i < m; i++) x[i] -= sum * v[i];
        }
    }
    free(v);
}

/* The largest sum of |x| down a column; infinite if one is not a number */
static inline double qr_norm(const tsl_scalar *X, int64_t m, int64_t n)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++) sum += cabs(X[i + j * m]);
        most = sum <= most ? most : isnan(sum) ? INFINITY : sum;
    }
    return most;
}

static inline tsl_scalar *qr_room(int64_t m, int64_t n)
{
    tsl_scalar *X = calloc((size_t)(m * n + 1), sizeof *X);
    if (!X) abort();
    return X;
}

/* |A - Q R| / (max(m,n) eps |A|) */
static inline double qr_residual(const operand *A, const operand *F, const dense *tau)
{
    int64_t m = seen_rows(A), n = seen_cols(A);
    tsl_scalar *X = qr_room(m, n), *Y = qr_room(m, n);
    double scale = qr_single(A->d->t) ? 1 : 0x1p500; /* of tiny ones the residual would vanish */
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) Y[i + j * m] = seen(A, i, j);
    double size = qr_norm(Y, m, n), up = size < 1e-250 ? scale : size > 1e250 ? 1 / scale : 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m && i <= j; i++) X[i + j * m] = up * seen(F, i, j);
    qr_reflect(F, tau, false, X, n);
    for (int64_t i = 0; i < m * n; i++) X[i] -= up * Y[i];
    double off = qr_norm(X, m, n);
    free(X), free(Y);
    return off == 0 ? 0 : off / (size * up) / ((double)qr_max(m, n) * tsl_type_eps(A->d->t));
}

/* C := C + op(A) B, m x n numbers, by BLAS: of large problems it is most of a test's time */
static inline void qr_product(CBLAS_TRANSPOSE op, const tsl_scalar *A, const tsl_scalar *B, tsl_scalar *C, int64_t m, int64_t n,
                              int64_t k)
{
    const tsl_scalar one = 1;
    int rows = (int)m, depth = (int)k, ld = op == CblasNoTrans ? rows : depth;
    if (m && n && k) cblas_zgemm(CblasColMajor, op, CblasNoTrans, rows, (int)n, depth, &one, A, ld, B, depth, &one, C, rows);
}

/* C, or its conjugate transpose, as numbers */
static inline tsl_scalar *qr_numbers(const dense *C, bool turned)
{
    int64_t m = turned ? C->n : C->m, n = turned ? C->m : C->n;
    tsl_scalar *X = qr_room(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) X[i + j * m] = turned ? conj(dense_get(C, j, i)) : dense_get(C, i, j);
    return X;
}

/* The norm of X - Y, relative, by m, n and eps; X is overwritten. */
static inline double qr_difference(tsl_scalar *X, const tsl_scalar *Y, int64_t m, int64_t n, tsl_type t)
{
    double size = qr_norm(Y, m, n);
    for (int64_t i = 0; i < m * n; i++) X[i] -= Y[i];
    double off = qr_norm(X, m, n);
    return off == 0 ? 0 : off / size / ((double)qr_max(m, n) * tsl_type_eps(t));
}

/* |I - Q^H Q| / (m eps), of m x n numbers; of Q's first columns by its reflectors */
static inline double qr_apart(const tsl_scalar *Q, int64_t m, int64_t n, tsl_type t)
{
    tsl_scalar *G = qr_room(n, n);
    for (int64_t j = 0; j < n; j++) G[j + j * n] = -1;
    qr_product(CblasConjTrans, Q, Q, G, n, n, m);
    double off = qr_norm(G, n, n);
    free(G);
    return off / ((double)m * tsl_type_eps(t));
}

static inline double qr_orthogonality(const operand *F, const dense *tau)
{
    int64_t m = seen_rows(F), n = tau->m;
    tsl_scalar *Q = qr_room(m, n);
    for (int64_t j = 0; j < n; j++) Q[j + j * m] = 1;
    qr_reflect(F, tau, false, Q, n);
    double off = qr_apart(Q, m, n, F->d->t);
    free(Q);
    return off;
}

static inline job qr_job(tsl_opcode op, dense *A, tsl_op as, dense *tau, dense *C)
{
    job b = {.op = op, .v = {{.d = A, .op = as}, {.d = tau}, {.d = C}}, .info = -77};
    if (op == TSL_OP_GELS) b.v[1].d = C, b.v[2].d = NULL;
    return b;
}

#endif
