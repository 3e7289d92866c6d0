/* What tests of nonsymmetric eigenproblems share: matrices, residuals, typed calls by type. */
#ifndef GEEV_H
#define GEEV_H

#include "eig.h"

typedef enum gen_kind { GEN_RANDOM, GEN_JORDAN, GEN_GRCAR, GEN_FRANK, GEN_ZEROS, GEN_UPPER, GEN_LOWER, GEN_UNBALANCED, GEN_ROTATION, GEN_TINY, GEN_HUGE, GEN_KINDS } gen_kind;
static const char *const gen_name[GEN_KINDS] = {"random", "Jordan", "Grcar", "Frank", "zeros", "upper", "lower", "unbalanced", "rotation", "tiny", "huge"};

static inline tsl_scalar element(gen_kind kind, int64_t n, int64_t i, int64_t j, tsl_scalar v, bool single)
{
    double least = single ? 1e-36 : 1e-304;
    int64_t order = single ? 5 : 7; /* larger ones make LAPACK's ctrevc overflow */
    switch (kind) {
    case GEN_JORDAN: return i == j ? (double)(i / order) : j == i + 1 && (i + 1) % order ? 1 : 0;
    case GEN_GRCAR: return i == j + 1 ? -1 : j >= i && j <= i + 3 ? 1 : 0;
    case GEN_FRANK: return i <= j + 1 ? (double)(n - (i > j ? i : j)) : 0;
    case GEN_ZEROS: return 0;
    case GEN_UPPER: return i <= j ? v : 0;
    case GEN_LOWER: return i >= j ? v : 0;
    case GEN_UNBALANCED: return v * exp2(20.0 * (double)(i - j) / (double)n);
    case GEN_ROTATION: return (i + 1) % n == j; /* eigenvalues on the unit circle: shifts of which none converges at first */
    case GEN_TINY: return v * least;
    case GEN_HUGE: return v * 1e-3 / least;
    default: return v;
    }
}

static inline dense general_matrix(tsl_type t, int64_t n, gen_kind kind)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, (uint64_t)(7 * n + kind));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, element(kind, n, i, j, dense_get(&A, i, j), qr_single(t)));
    return A;
}

static inline double by_of(tsl_type t, gen_kind kind)
{
    double up = qr_single(t) ? 0x1p100 : 0x1p900;
    return kind == GEN_TINY ? up : kind == GEN_HUGE ? 1 / up : 1;
}

/* |A Q - Q F| / (|A| n eps), all n x n numbers one column after the other */
static inline double off(const tsl_scalar *A, const tsl_scalar *Q, const tsl_scalar *F, int64_t n, tsl_type t)
{
    tsl_scalar *x = eig_product(A, Q, n, n), *y = eig_product(Q, F, n, n);
    for (int64_t i = 0; i < n * n; i++) x[i] -= y[i];
    double size = qr_norm(A, n, n), error = qr_norm(x, n, n);
    free(x), free(y);
    return error == 0 ? 0 : (size > 0 ? error / size : error) / ((double)n * tsl_type_eps(t));
}

static inline double off_of(const dense *A, const dense *Q, const dense *F, double by)
{
    int64_t n = A->n;
    tsl_scalar *a = eig_numbers(A, n, by), *q = eig_numbers(Q, n, 1), *f = eig_numbers(F, n, by);
    double error = off(a, q, f, n, A->t);
    free(a), free(q), free(f);
    return error;
}

static inline tsl_matrix *wrap(tsl_context *x, const dense *A)
{
    tsl_matrix *a = NULL;
    if (A->m && A->n && tsl_matrix_wrap(x, A->t, A->m, A->n, A->data, A->ld, &a)) abort();
    return a;
}

static inline tsl_view seen_as(tsl_matrix *a) { return a ? tsl_whole(a) : (tsl_view){0}; }

/* Eigenvalues of a real matrix in two columns, of a complex one in one */
static inline tsl_scalar eigenvalue(const dense *w, int64_t i) { return w->n == 2 ? CMPLX(creal(dense_get(w, i, 0)), creal(dense_get(w, i, 1))) : dense_get(w, i, 0); }

static inline dense values_of(tsl_type t, int64_t n) { return dense_make(t, n, tsl_is_complex(t) ? 1 : 2, CANARY_FINITE); }
static inline tsl_view real_parts(tsl_matrix *w) { return tsl_sub(tsl_whole(w), 0, 0, tsl_rows(tsl_whole(w)), 1); }
static inline tsl_view imaginary_parts(tsl_matrix *w) { return tsl_cols(tsl_whole(w)) == 2 ? tsl_sub(tsl_whole(w), 0, 1, tsl_rows(tsl_whole(w)), 1) : (tsl_view){0}; }

/* Is T upper triangular but for blocks of order 2 of real elements, and are w its eigenvalues? In LAPACK's form those of a
 * block are a pair of conjugates. */
static inline bool is_schur(const dense *F, const dense *w)
{
    int64_t n = F->n;
    bool good = true, is_real = !tsl_is_complex(F->t);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++)
            if (!is_real || i > j + 1 || (j && dense_get(F, j, j - 1) != 0)) good &= dense_get(F, i, j) == 0;
    for (int64_t j = 0; j < n; j++) {
        tsl_scalar l = eigenvalue(w, j), d = dense_get(F, j, j);
        good &= fabs(creal(l) - creal(d)) <= 1e3 * tsl_type_eps(F->t) * cabs(d);
        if (!is_real) good &= cabs(l - d) <= 1e3 * tsl_type_eps(F->t) * cabs(d);
        else if (j + 1 < n && dense_get(F, j + 1, j) != 0) good &= cimag(l) > 0 && eigenvalue(w, j + 1) == conj(l) && dense_get(F, j + 1, j + 1) == d;
    }
    return good;
}

/* |sum of eigenvalues - trace| beside |A| n eps */
static inline double off_trace(const dense *A, const dense *w, double by)
{
    int64_t n = A->n;
    tsl_scalar sum = 0;
    double size = 0;
    for (int64_t j = 0; j < n; j++) {
        sum += by * (eigenvalue(w, j) - dense_get(A, j, j));
        for (int64_t i = 0; i < n; i++) size += cabs(by * dense_get(A, i, j)) * cabs(by * dense_get(A, i, j));
    }
    return cabs(sum) == 0 ? 0 : cabs(sum) / ((size > 0 ? sqrt(size) : 1) * (double)n * tsl_type_eps(A->t));
}

/* Vectors: |A V - V L|, of the left |A^H U - U conj(L)|, beside |A| n eps; and whether each has length 1 */
static inline double off_vectors(const dense *A, const dense *V, const dense *w, bool left, double by)
{
    int64_t n = A->n;
    tsl_scalar *a = qr_room(n, n), *v = qr_room(n, n), *l = qr_room(n, n);
    double worst = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            a[i + j * n] = by * (left ? conj(dense_get(A, j, i)) : dense_get(A, i, j));
            bool second = w->n == 2 && cimag(eigenvalue(w, j)) < 0, pair = w->n == 2 && cimag(eigenvalue(w, j)) != 0;
            int64_t first = second ? j - 1 : j;
            v[i + j * n] = !pair ? dense_get(V, i, j) : CMPLX(creal(dense_get(V, i, first)), (second ? -1 : 1) * creal(dense_get(V, i, first + 1)));
        }
    for (int64_t j = 0; j < n; j++) {
        l[j + j * n] = by * (left ? conj(eigenvalue(w, j)) : eigenvalue(w, j));
        double squares = 0;
        for (int64_t i = 0; i < n; i++) squares += creal(v[i + j * n] * conj(v[i + j * n]));
        worst = worse(worst, fabs(squares - 1) / ((double)n * tsl_type_eps(A->t)));
    }
    worst = worse(worst, off(a, v, l, n, A->t));
    free(a), free(v), free(l);
    return worst;
}

typedef struct problem {
    dense A;
    gen_kind kind;
    double by;
    char who[64];
} problem;

static inline problem make(tsl_type t, int64_t n, gen_kind kind)
{
    problem p = {.A = general_matrix(t, n, kind), .kind = kind, .by = by_of(t, kind)};
    snprintf(p.who, sizeof p.who, "%c %d, %s", tsl_type_letter(t), (int)n, gen_name[kind]);
    return p;
}

/* A := 0 below the diagonal of columns before ilo and of rows after ihi */
static inline void only_block(const dense *A, int64_t ilo, int64_t ihi)
{
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = j + 1; i < A->n; i++)
            if (j + 1 < ilo || i + 1 > ihi) dense_put(A, i, j, 0);
}

/* The typed calls; eigenvalues go to the columns of w */
static inline tsl_status gehrd(tsl_context *x, tsl_type t, int64_t n, int64_t ilo, int64_t ihi, void *A, int64_t lda, void *tau, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgehrd(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_D: return tsl_dgehrd(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_C: return tsl_cgehrd(x, n, ilo, ihi, A, lda, tau, info);
    default: return tsl_zgehrd(x, n, ilo, ihi, A, lda, tau, info);
    }
}

static inline tsl_status ghr(tsl_context *x, tsl_type t, int64_t n, int64_t ilo, int64_t ihi, void *A, int64_t lda, const void *tau, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sorghr(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_D: return tsl_dorghr(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_C: return tsl_cunghr(x, n, ilo, ihi, A, lda, tau, info);
    default: return tsl_zunghr(x, n, ilo, ihi, A, lda, tau, info);
    }
}

static inline tsl_status mhr(tsl_context *x, tsl_type t, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi, const void *A, int64_t lda, const void *tau, void *C, int64_t ldc, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sormhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    case TSL_D: return tsl_dormhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    case TSL_C: return tsl_cunmhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    default: return tsl_zunmhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    }
}

static inline tsl_status hseqr(tsl_context *x, tsl_type t, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, void *H, int64_t ldh, const dense *w, void *Z, int64_t ldz, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_shseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), dense_at(w, 0, 1), Z, ldz, info);
    case TSL_D: return tsl_dhseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), dense_at(w, 0, 1), Z, ldz, info);
    case TSL_C: return tsl_chseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), Z, ldz, info);
    default: return tsl_zhseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), Z, ldz, info);
    }
}

static inline tsl_status geev(tsl_context *x, tsl_type t, char jobvl, char jobvr, int64_t n, void *A, int64_t lda, const dense *w, void *VL, int64_t ldvl, void *VR, int64_t ldvr, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), dense_at(w, 0, 1), VL, ldvl, VR, ldvr, info);
    case TSL_D: return tsl_dgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), dense_at(w, 0, 1), VL, ldvl, VR, ldvr, info);
    case TSL_C: return tsl_cgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), VL, ldvl, VR, ldvr, info);
    default: return tsl_zgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), VL, ldvl, VR, ldvr, info);
    }
}

static inline tsl_status gees(tsl_context *x, tsl_type t, char jobvs, char sort, int64_t n, void *A, int64_t lda, int64_t *sdim, const dense *w, void *VS, int64_t ldvs, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), dense_at(w, 0, 1), VS, ldvs, info);
    case TSL_D: return tsl_dgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), dense_at(w, 0, 1), VS, ldvs, info);
    case TSL_C: return tsl_cgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), VS, ldvs, info);
    default: return tsl_zgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), VS, ldvs, info);
    }
}

#endif
