/* Nonsymmetric eigenproblems: reduction to Hessenberg form and its Q, the QR iteration, eigenpairs, Schur forms: residuals,
 * orthogonality, forms. What is not a number, and what is refused. */
#include "eig.h"

typedef enum gen_kind { GEN_RANDOM, GEN_JORDAN, GEN_GRCAR, GEN_FRANK, GEN_ZEROS, GEN_UPPER, GEN_LOWER, GEN_UNBALANCED, GEN_ROTATION, GEN_TINY, GEN_HUGE, GEN_KINDS } gen_kind;
static const char *const gen_name[GEN_KINDS] = {"random", "Jordan", "Grcar", "Frank", "zeros", "upper", "lower", "unbalanced", "rotation", "tiny", "huge"};

static tsl_scalar element(gen_kind kind, int64_t n, int64_t i, int64_t j, tsl_scalar v, bool single)
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

static dense general_matrix(tsl_type t, int64_t n, gen_kind kind)
{
    dense A = dense_make(t, n, n, CANARY_FINITE);
    dense_random(&A, (uint64_t)(7 * n + kind));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&A, i, j, element(kind, n, i, j, dense_get(&A, i, j), qr_single(t)));
    return A;
}

static double by_of(tsl_type t, gen_kind kind)
{
    double up = qr_single(t) ? 0x1p100 : 0x1p900;
    return kind == GEN_TINY ? up : kind == GEN_HUGE ? 1 / up : 1;
}

/* |A Q - Q F| / (|A| n eps), all n x n numbers one column after the other */
static double off(const tsl_scalar *A, const tsl_scalar *Q, const tsl_scalar *F, int64_t n, tsl_type t)
{
    tsl_scalar *x = eig_product(A, Q, n, n), *y = eig_product(Q, F, n, n);
    for (int64_t i = 0; i < n * n; i++) x[i] -= y[i];
    double size = qr_norm(A, n, n), error = qr_norm(x, n, n);
    free(x), free(y);
    return error == 0 ? 0 : (size > 0 ? error / size : error) / ((double)n * tsl_type_eps(t));
}

static double off_of(const dense *A, const dense *Q, const dense *F, double by)
{
    int64_t n = A->n;
    tsl_scalar *a = eig_numbers(A, n, by), *q = eig_numbers(Q, n, 1), *f = eig_numbers(F, n, by);
    double error = off(a, q, f, n, A->t);
    free(a), free(q), free(f);
    return error;
}

static tsl_matrix *wrap(tsl_context *x, const dense *A)
{
    tsl_matrix *a = NULL;
    if (A->m && A->n && tsl_matrix_wrap(x, A->t, A->m, A->n, A->data, A->ld, &a)) abort();
    return a;
}

static tsl_view seen_as(tsl_matrix *a) { return a ? tsl_whole(a) : (tsl_view){0}; }

/* Eigenvalues of a real matrix in two columns, of a complex one in one */
static tsl_scalar eigenvalue(const dense *w, int64_t i) { return w->n == 2 ? CMPLX(creal(dense_get(w, i, 0)), creal(dense_get(w, i, 1))) : dense_get(w, i, 0); }

static dense values_of(tsl_type t, int64_t n) { return dense_make(t, n, tsl_is_complex(t) ? 1 : 2, CANARY_FINITE); }
static tsl_view real_parts(tsl_matrix *w) { return tsl_sub(tsl_whole(w), 0, 0, tsl_rows(tsl_whole(w)), 1); }
static tsl_view imaginary_parts(tsl_matrix *w) { return tsl_cols(tsl_whole(w)) == 2 ? tsl_sub(tsl_whole(w), 0, 1, tsl_rows(tsl_whole(w)), 1) : (tsl_view){0}; }

/* Is T upper triangular but for blocks of order 2 of real elements, and are w its eigenvalues? In LAPACK's form those of a
 * block are a pair of conjugates. */
static bool is_schur(const dense *F, const dense *w)
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
static double off_trace(const dense *A, const dense *w, double by)
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
static double off_vectors(const dense *A, const dense *V, const dense *w, bool left, double by)
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

static problem make(tsl_type t, int64_t n, gen_kind kind)
{
    problem p = {.A = general_matrix(t, n, kind), .kind = kind, .by = by_of(t, kind)};
    snprintf(p.who, sizeof p.who, "%c %d, %s", tsl_type_letter(t), (int)n, gen_name[kind]);
    return p;
}

static void pairs(tsl_context *x, const problem *p, bool left, bool right)
{
    tsl_type t = p->A.t;
    int64_t n = p->A.n, info = -7;
    dense A = dense_copy(&p->A), w = values_of(t, n), VL = dense_make(t, left ? n : 0, left ? n : 0, CANARY_FINITE), VR = dense_make(t, right ? n : 0, right ? n : 0, CANARY_FINITE);
    dense was[4] = {dense_copy(&A), dense_copy(&w), dense_copy(&VL), dense_copy(&VR)};
    tsl_matrix *a = wrap(x, &A), *b = wrap(x, &w), *c = wrap(x, &VL), *d = wrap(x, &VR);
    tsl_status st = tsl_geev(x, tsl_whole(a), real_parts(b), imaginary_parts(b), seen_as(c), seen_as(d), &info);
    check(!st && !info, "geev of %s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
    double trace = off_trace(&p->A, &w, p->by), l = left ? off_vectors(&p->A, &VL, &w, true, p->by) : 0, r = right ? off_vectors(&p->A, &VR, &w, false, p->by) : 0;
    check(trace < BOUND && l < BOUND && r < BOUND, "geev of %s: trace %g, left %g, right %g", p->who, trace, l, r);
    const dense *now[4] = {&A, &w, &VL, &VR};
    for (int i = 0; i < 4; i++) check(!dense_strays(now[i], &was[i], TSL_GENERAL), "geev of %s: wrote beside operand %d", p->who, i), dense_free(&was[i]);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(d);
    dense_free(&A), dense_free(&w), dense_free(&VL), dense_free(&VR);
}

/* Is eigenvalue number i first by this rule? */
static bool comes_first(tsl_schur_sort sort, tsl_scalar l)
{
    return sort == TSL_SORT_LHP ? creal(l) < 0 : sort == TSL_SORT_RHP ? creal(l) >= 0 : sort == TSL_SORT_IUC ? cabs(l) <= 1 : sort == TSL_SORT_OUC && cabs(l) > 1;
}

static void schur(tsl_context *x, const problem *p, tsl_schur_sort sort, bool vectors)
{
    tsl_type t = p->A.t;
    int64_t n = p->A.n, info = -7, sdim = -7;
    dense F = dense_copy(&p->A), w = values_of(t, n), Q = dense_make(t, vectors ? n : 0, vectors ? n : 0, CANARY_FINITE), was[3] = {dense_copy(&F), dense_copy(&w), dense_copy(&Q)};
    tsl_matrix *a = wrap(x, &F), *b = wrap(x, &w), *q = wrap(x, &Q);
    tsl_status st = tsl_gees(x, tsl_whole(a), sort, real_parts(b), imaginary_parts(b), seen_as(q), &sdim, &info);
    bool moved = info == n + 2; /* by rounding: an order that cannot be */
    check(!st && (!info || (sort && moved)), "gees of %s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
    double residual = vectors ? off_of(&p->A, &Q, &F, p->by) : 0, apart = vectors ? eig_apart(&Q, n) : 0;
    check(residual < BOUND && apart < BOUND && is_schur(&F, &w) && off_trace(&p->A, &w, p->by) < BOUND, "gees of %s, order %d: residual %g, Q %g, form %d", p->who, (int)sort, residual,
          apart, is_schur(&F, &w));
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += comes_first(sort, eigenvalue(&w, i));
    for (int64_t i = 0; i < sdim && !moved; i++) check(comes_first(sort, eigenvalue(&w, i)), "gees of %s, order %d: number %d", p->who, (int)sort, (int)i);
    check(moved || sdim == count, "gees of %s, order %d: %d come first, not %d", p->who, (int)sort, (int)count, (int)sdim);
    const dense *now[3] = {&F, &w, &Q};
    for (int i = 0; i < 3; i++) check(!dense_strays(now[i], &was[i], TSL_GENERAL), "gees of %s: wrote beside operand %d", p->who, i), dense_free(&was[i]);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(q);
    dense_free(&F), dense_free(&w), dense_free(&Q);
}

/* A := 0 below the diagonal of columns before ilo and of rows after ihi */
static void only_block(const dense *A, int64_t ilo, int64_t ihi)
{
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = j + 1; i < A->n; i++)
            if (j + 1 < ilo || i + 1 > ihi) dense_put(A, i, j, 0);
}

/* The reduction by panels, as devices without LAPACK have it */
static tsl_status by_panels(tsl_context *x, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau)
{
    if (tsl_set(x, "variant", "panels") || tsl_set(x, "tile", "8")) abort();
    tsl_status st = tsl_gehrd(x, ilo, ihi, A, tau);
    if (tsl_set(x, "variant", "auto") || tsl_set(x, "tile", "0")) abort();
    return st;
}

static void hessenberg(tsl_context *x, const problem *p, int64_t ilo, int64_t ihi, bool panels)
{
    tsl_type t = p->A.t;
    int64_t n = p->A.n, info = -7;
    dense full = dense_copy(&p->A), A, H, Q, C, tau = dense_make(t, n > 1 ? n - 1 : 0, 1, CANARY_FINITE), w = values_of(t, n), was = dense_copy(&tau);
    only_block(&full, ilo, ihi);
    A = dense_copy(&full);
    tsl_matrix *a = wrap(x, &A), *b = wrap(x, &tau), *f, *c, *q, *v = wrap(x, &w);
    tsl_view factors = b ? tsl_whole(b) : tsl_sub(tsl_whole(a), 0, 0, 0, 1);
    tsl_status st = (panels ? by_panels : tsl_gehrd)(x, ilo, ihi, tsl_whole(a), factors);
    check(!st && !dense_strays(&A, &full, TSL_GENERAL) && !dense_strays(&tau, &was, TSL_GENERAL), "gehrd of %s, %d to %d: %s", p->who, (int)ilo, (int)ihi, tsl_error(x));
    Q = dense_copy(&A), H = dense_copy(&A), C = dense_copy(&full);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 2; i < n; i++) dense_put(&H, i, j, 0);
    f = wrap(x, &H), q = wrap(x, &Q), c = wrap(x, &C);
    st = tsl_orghr(x, ilo, ihi, tsl_whole(q), factors);
    double apart = eig_apart(&Q, n), residual = off_of(&full, &Q, &H, p->by);
    check(!st && apart < BOUND && residual < BOUND, "orghr of %s, %d to %d: %s: Q %g, residual %g", p->who, (int)ilo, (int)ihi, tsl_error(x), apart, residual);
    st = tsl_ormhr(x, TSL_LEFT, qr_herm(t), ilo, ihi, tsl_whole(a), factors, tsl_whole(c));
    if (!st) st = tsl_ormhr(x, TSL_RIGHT, TSL_NOTRANS, ilo, ihi, tsl_whole(a), factors, tsl_whole(c));
    double same = 0, size = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) same = worse(same, cabs(p->by * (dense_get(&C, i, j) - dense_get(&H, i, j)))), size = tsl_larger(size, cabs(p->by * dense_get(&full, i, j)));
    check(!st && same <= BOUND * size * (double)n * tsl_type_eps(t), "ormhr of %s: %s: Q^H A Q is off H by %g", p->who, tsl_error(x), same / (size * tsl_type_eps(t)));
    if (p->kind != GEN_TINY && p->kind != GEN_HUGE) { /* hseqr takes numbers as they are */
        st = tsl_hseqr(x, 1, ilo, ihi, tsl_whole(f), real_parts(v), imaginary_parts(v), tsl_whole(q), &info);
        apart = eig_apart(&Q, n), residual = off_of(&full, &Q, &H, p->by);
        check(!st && !info && apart < BOUND && residual < BOUND && is_schur(&H, &w), "hseqr of %s: %s, info %d: Q %g, residual %g, form %d", p->who, tsl_error(x), (int)info, apart, residual,
              is_schur(&H, &w));
        st = tsl_hseqr(x, 0, ilo, ihi, tsl_whole(a), real_parts(v), imaginary_parts(v), (tsl_view){0}, &info); /* reflectors below the subdiagonal do not count */
        check(!st && !info && off_trace(&full, &w, p->by) < BOUND, "hseqr of %s: %s, info %d: trace %g", p->who, tsl_error(x), (int)info, off_trace(&full, &w, p->by));
    }
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(f), tsl_matrix_free(c), tsl_matrix_free(q), tsl_matrix_free(v);
    dense_free(&A), dense_free(&H), dense_free(&Q), dense_free(&C), dense_free(&tau), dense_free(&full), dense_free(&was), dense_free(&w);
}

/* The typed calls; eigenvalues go to the columns of w */
static tsl_status gehrd(tsl_context *x, tsl_type t, int64_t n, int64_t ilo, int64_t ihi, void *A, int64_t lda, void *tau, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgehrd(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_D: return tsl_dgehrd(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_C: return tsl_cgehrd(x, n, ilo, ihi, A, lda, tau, info);
    default: return tsl_zgehrd(x, n, ilo, ihi, A, lda, tau, info);
    }
}

static tsl_status ghr(tsl_context *x, tsl_type t, int64_t n, int64_t ilo, int64_t ihi, void *A, int64_t lda, const void *tau, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sorghr(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_D: return tsl_dorghr(x, n, ilo, ihi, A, lda, tau, info);
    case TSL_C: return tsl_cunghr(x, n, ilo, ihi, A, lda, tau, info);
    default: return tsl_zunghr(x, n, ilo, ihi, A, lda, tau, info);
    }
}

static tsl_status mhr(tsl_context *x, tsl_type t, char side, char trans, int64_t m, int64_t n, int64_t ilo, int64_t ihi, const void *A, int64_t lda, const void *tau, void *C, int64_t ldc, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sormhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    case TSL_D: return tsl_dormhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    case TSL_C: return tsl_cunmhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    default: return tsl_zunmhr(x, side, trans, m, n, ilo, ihi, A, lda, tau, C, ldc, info);
    }
}

static tsl_status hseqr(tsl_context *x, tsl_type t, char job, char compz, int64_t n, int64_t ilo, int64_t ihi, void *H, int64_t ldh, const dense *w, void *Z, int64_t ldz, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_shseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), dense_at(w, 0, 1), Z, ldz, info);
    case TSL_D: return tsl_dhseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), dense_at(w, 0, 1), Z, ldz, info);
    case TSL_C: return tsl_chseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), Z, ldz, info);
    default: return tsl_zhseqr(x, job, compz, n, ilo, ihi, H, ldh, dense_at(w, 0, 0), Z, ldz, info);
    }
}

static tsl_status geev(tsl_context *x, tsl_type t, char jobvl, char jobvr, int64_t n, void *A, int64_t lda, const dense *w, void *VL, int64_t ldvl, void *VR, int64_t ldvr, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), dense_at(w, 0, 1), VL, ldvl, VR, ldvr, info);
    case TSL_D: return tsl_dgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), dense_at(w, 0, 1), VL, ldvl, VR, ldvr, info);
    case TSL_C: return tsl_cgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), VL, ldvl, VR, ldvr, info);
    default: return tsl_zgeev(x, jobvl, jobvr, n, A, lda, dense_at(w, 0, 0), VL, ldvl, VR, ldvr, info);
    }
}

static tsl_status gees(tsl_context *x, tsl_type t, char jobvs, char sort, int64_t n, void *A, int64_t lda, int64_t *sdim, const dense *w, void *VS, int64_t ldvs, int64_t *info)
{
    switch (t) {
    case TSL_S: return tsl_sgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), dense_at(w, 0, 1), VS, ldvs, info);
    case TSL_D: return tsl_dgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), dense_at(w, 0, 1), VS, ldvs, info);
    case TSL_C: return tsl_cgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), VS, ldvs, info);
    default: return tsl_zgees(x, jobvs, sort, n, A, lda, sdim, dense_at(w, 0, 0), VS, ldvs, info);
    }
}

/* LAPACK's letters and order of arguments, on host arrays */
static void by_letters(tsl_context *x, tsl_type t, int64_t n)
{
    int64_t info = -7, sdim = -7, ilo = n > 3 ? 2 : 1, ihi = n > 3 ? n - 1 : n;
    char turned = tsl_is_complex(t) ? 'C' : 'T';
    dense full = general_matrix(t, n, GEN_RANDOM), A, Q, C, F, VL = dense_copy(&full), VR = dense_copy(&full), w = values_of(t, n), tau = dense_make(t, n, 1, CANARY_FINITE);
    only_block(&full, ilo, ihi);
    A = dense_copy(&full), C = dense_copy(&full);
    tsl_status st = gehrd(x, t, n, ilo, ihi, A.data, A.ld, tau.data, &info);
    Q = dense_copy(&A), F = dense_copy(&A);
    if (!st) st = ghr(x, t, n, ilo, ihi, Q.data, Q.ld, tau.data, &info);
    if (!st) st = mhr(x, t, 'L', turned, n, n, ilo, ihi, A.data, A.ld, tau.data, C.data, C.ld, &info);
    if (!st) st = mhr(x, t, 'R', 'N', n, n, ilo, ihi, A.data, A.ld, tau.data, C.data, C.ld, &info);
    double off_c = st ? INFINITY : off_of(&full, &Q, &C, 1);
    if (!st) st = hseqr(x, t, 'S', 'V', n, ilo, ihi, F.data, F.ld, &w, Q.data, Q.ld, &info);
    check(!st && !info && off_c < BOUND && off_of(&full, &Q, &F, 1) < BOUND && is_schur(&F, &w), "%c %d: %s, info %d: C %g, T %g", tsl_type_letter(t), (int)n, tsl_error(x), (int)info, off_c,
          off_of(&full, &Q, &F, 1));
    dense_free(&F), F = dense_copy(&full);
    st = gees(x, t, 'V', 'R', n, F.data, F.ld, &sdim, &w, Q.data, Q.ld, &info);
    check(!st && !info && off_of(&full, &Q, &F, 1) < BOUND && is_schur(&F, &w) && sdim >= 0 && sdim <= n, "%c %d: gees: %s, info %d", tsl_type_letter(t), (int)n, tsl_error(x), (int)info);
    dense_free(&F), F = dense_copy(&full);
    st = geev(x, t, 'V', 'V', n, F.data, F.ld, &w, VL.data, VL.ld, VR.data, VR.ld, &info);
    check(!st && !info && off_vectors(&full, &VL, &w, true, 1) < BOUND && off_vectors(&full, &VR, &w, false, 1) < BOUND, "%c %d: geev: %s, info %d", tsl_type_letter(t), (int)n,
          tsl_error(x), (int)info);
    dense_free(&F), F = dense_copy(&full);
    st = geev(x, t, 'N', 'N', n, F.data, F.ld, &w, NULL, 1, NULL, 1, &info);
    check(!st && !info && off_trace(&full, &w, 1) < BOUND, "%c %d: eigenvalues: %s, info %d", tsl_type_letter(t), (int)n, tsl_error(x), (int)info);
    dense_free(&full), dense_free(&A), dense_free(&Q), dense_free(&C), dense_free(&F), dense_free(&VL), dense_free(&VR), dense_free(&w), dense_free(&tau);
}

static void families(tsl_context *x, const char *name)
{
    static const int64_t orders[] = {1, 2, 3, 18, 41}; /* of 18 the last panel of 8 is one reflector of one element */
    for (int i = 0; i < 4; i++) {
        if (is_left_out(i, 1)) continue;
        for (int k = 0; k < 5; k++) {
            for (int kind = 0; kind < GEN_KINDS; kind++) {
                problem p = make(all_types[i], orders[k], (gen_kind)kind);
                pairs(x, &p, true, true);
                pairs(x, &p, kind % 3 == 1, kind % 3 == 2);
                schur(x, &p, TSL_SORT_NONE, true);
                schur(x, &p, (tsl_schur_sort)(1 + kind % 4), kind % 2);
                hessenberg(x, &p, 1, orders[k], kind % 2);
                if (orders[k] > 3) hessenberg(x, &p, 1 + kind % 3, orders[k] - kind % 4, kind % 2 == 0);
                dense_free(&p.A);
            }
            by_letters(x, all_types[i], orders[k]);
        }
        for (int large = 0; large < 2; large++) { /* several panels */
            problem p = make(all_types[i], large ? 97 : 70, GEN_RANDOM);
            pairs(x, &p, large, true);
            schur(x, &p, TSL_SORT_NONE, true);
            hessenberg(x, &p, large ? 1 : 3, large ? 97 : 65, large);
            dense_free(&p.A);
        }
        if (tsl_set(x, "variant", "parts")) abort(); /* as on a GPU */
        for (int kind = 0; kind < GEN_KINDS; kind++) {
            problem p = make(all_types[i], 3 + 5 * kind, (gen_kind)kind);
            pairs(x, &p, kind % 3 != 1, kind % 3 != 2);
            schur(x, &p, TSL_SORT_NONE, kind % 2);
            schur(x, &p, (tsl_schur_sort)(1 + (kind + i) % 4), true);
            schur(x, &p, (tsl_schur_sort)(1 + kind % 4), false);
            dense_free(&p.A);
        }
        problem p = make(all_types[i], 133, GEN_RANDOM); /* vectors by blocks */
        pairs(x, &p, true, true);
        dense_free(&p.A);
        if (tsl_set(x, "variant", "auto")) abort();
        checked("%s: %c: Hessenberg form, eigenpairs, Schur form", name, tsl_type_letter(all_types[i]));
    }
}

/* A block inside of H, by LAPACK and by chains of bulges: of any Z, rows ilo .. ihi become these times Q, and no others change.
 * Of one element: T is triangular. */
static void inside(tsl_context *x, const char *name)
{
    enum { N = 200, ILO = 21, IHI = 190 };
    for (int k = 0; k < 4; k++) {
        tsl_type t = k % 2 ? TSL_Z : TSL_S;
        int64_t info[2] = {-7, -7}, one = 7;
        dense H = general_matrix(t, N, GEN_RANDOM), H2, Q = dense_make(t, N, N, CANARY_FINITE), Z = general_matrix(t, N, GEN_RANDOM), was = dense_copy(&Z), w = values_of(t, N);
        only_block(&H, ILO, IHI);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = j + 2; i < N; i++) dense_put(&H, i, j, 0);
        H2 = dense_copy(&H);
        dense_fill(&Q, 0);
        for (int64_t i = 0; i < N; i++) dense_put(&Q, i, i, 1);
        if (tsl_set(x, "variant", k < 2 ? "auto" : "shifts")) abort();
        tsl_matrix *h = wrap(x, &H), *h2 = wrap(x, &H2), *q = wrap(x, &Q), *z = wrap(x, &Z), *v = wrap(x, &w);
        tsl_status st = tsl_hseqr(x, 1, ILO, IHI, tsl_whole(h), real_parts(v), imaginary_parts(v), tsl_whole(q), &info[0]);
        if (!st) st = tsl_hseqr(x, 1, ILO, IHI, tsl_whole(h2), real_parts(v), imaginary_parts(v), tsl_whole(z), &info[1]);
        if (!st) st = tsl_wait(x);
        check(!st && !info[0] && !info[1], "%s: hseqr of a block: %s, info %d and %d", name, tsl_error(x), (int)info[0], (int)info[1]);
        double off = 0;
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) {
                tsl_scalar sum = 0;
                bool in = i + 1 >= ILO && i + 1 <= IHI;
                for (int64_t r = 0; r < N && in; r++) sum += dense_get(&was, i, r) * dense_get(&Q, r, j);
                double d = cabs(dense_get(&Z, i, j) - (in ? sum : dense_get(&was, i, j)));
                off = in ? fmax(off, d) : d > 0 ? INFINITY : off;
            }
        check(off < BOUND * N * tsl_type_eps(t), "%s: hseqr of a block, %c: Z is off by %g", name, tsl_type_letter(t), off);
        dense T = general_matrix(t, 9, GEN_RANDOM); /* with reflectors that do not count */
        for (int64_t j = 0; j + 1 < 9; j++) dense_put(&T, j + 1, j, 0);
        tsl_matrix *a = wrap(x, &T);
        if (tsl_set(x, "variant", "auto")) abort();
        st = tsl_hseqr(x, 1, 4, 4, tsl_whole(a), tsl_sub(real_parts(v), 0, 0, 9, 1), tsl_is_complex(t) ? (tsl_view){0} : tsl_sub(imaginary_parts(v), 0, 0, 9, 1), (tsl_view){0}, &one);
        if (!st) st = tsl_wait(x);
        for (int64_t j = 0; j < 9; j++)
            for (int64_t i = j + 1; i < 9; i++) check(dense_get(&T, i, j) == 0, "%s: hseqr of one element leaves (%d,%d)", name, (int)i, (int)j);
        check(!st && !one, "%s: hseqr of one element: %s, info %d", name, tsl_error(x), (int)one);
        tsl_matrix_free(h), tsl_matrix_free(h2), tsl_matrix_free(q), tsl_matrix_free(z), tsl_matrix_free(v), tsl_matrix_free(a);
        dense_free(&H), dense_free(&H2), dense_free(&Q), dense_free(&Z), dense_free(&was), dense_free(&w), dense_free(&T);
    }
    checked("%s: a block inside", name);
}

/* The iteration by chains of bulges, as on a GPU: with the Schur form and without, of a matrix that falls apart too */
static void by_shifts(tsl_context *x, const char *name, int cases)
{
    enum { N = 270 };
    for (int k = 0; k < cases; k++) {
        tsl_type t = k == 1 ? TSL_C : TSL_D;
        int64_t info = -7;
        dense H = general_matrix(t, N, GEN_RANDOM), full, Q = dense_make(t, N, N, CANARY_FINITE), w = values_of(t, N);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) {
                if (i > j + 1 || (k == 2 && i == j + 1 && i % 90 == 5)) dense_put(&H, i, j, 0);
                dense_put(&Q, i, j, i == j);
            }
        full = dense_copy(&H);
        tsl_matrix *h = wrap(x, &H), *q = wrap(x, &Q), *v = wrap(x, &w);
        if (tsl_set(x, "variant", k % 2 ? "shifts" : "ahead")) abort();
        tsl_status st = tsl_hseqr(x, 1, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), tsl_whole(q), &info);
        double residual = off_of(&full, &Q, &H, 1), apart = eig_apart(&Q, N);
        check(!st && !info && residual < BOUND && apart < BOUND && is_schur(&H, &w), "%d: %s, info %d: residual %g, Q %g, form %d", k, tsl_error(x), (int)info, residual, apart, is_schur(&H, &w));
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++) dense_put(&H, i, j, i > j + 1 ? NAN : dense_get(&full, i, j)); /* does not count */
        st = tsl_hseqr(x, 0, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), (tsl_view){0}, &info);
        check(!st && !info && off_trace(&full, &w, 1) < BOUND, "%d: %s, info %d: trace %g", k, tsl_error(x), (int)info, off_trace(&full, &w, 1));
        dense_put(&H, 100, 100, INFINITY);
        st = tsl_hseqr(x, 0, 1, N, tsl_whole(h), real_parts(v), imaginary_parts(v), (tsl_view){0}, &info);
        check(!st && info == N && eig_spoiled(&w, w.n), "%d: infinite: %s, info %d", k, tsl_error(x), (int)info);
        if (tsl_set(x, "variant", "auto")) abort();
        tsl_matrix_free(h), tsl_matrix_free(q), tsl_matrix_free(v);
        dense_free(&H), dense_free(&full), dense_free(&Q), dense_free(&w);
    }
    checked("%s: chains of bulges", name);
}

/* Nothing; and what is not a number: an info, and NaN */
static void odd_ones(tsl_context *x, const char *name, const char *variant)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    int64_t info = -7;
    check(!tsl_set(x, "variant", variant), "%s", tsl_error(x));
    tsl_matrix *none, *no_rows;
    if (tsl_matrix_create(x, TSL_D, 0, 0, &none) || tsl_matrix_create(x, TSL_D, 0, 1, &no_rows)) abort();
    tsl_view o = tsl_whole(none), column = tsl_whole(no_rows);
    check(!tsl_geev(x, o, column, column, (tsl_view){0}, (tsl_view){0}, &info) && !info, "nothing: %s", tsl_error(x));
    if (!strcmp(variant, "auto")) check(!tsl_gehrd(x, 1, 0, o, column) && !tsl_orghr(x, 1, 0, o, column), "nothing: %s", tsl_error(x));
    tsl_matrix_free(none), tsl_matrix_free(no_rows);
    check(!tsl_dgeev(x, 'N', 'N', 0, NULL, 1, NULL, NULL, NULL, 1, NULL, 1, &info) && !info, "no rows: %s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 9; k++) {
            tsl_type t = all_types[i];
            int64_t n = k % 3 ? 11 : 70;
            dense A = general_matrix(t, n, GEN_RANDOM), w = values_of(t, n), V = dense_make(t, n, n, CANARY_FINITE);
            dense_put(&A, n / 2, n - 1 - k % 3, odd[k / 3]);
            info = 0;
            tsl_matrix *a = wrap(x, &A), *b = wrap(x, &w), *v = wrap(x, &V);
            tsl_status st = k % 3 == 2 ? tsl_gees(x, tsl_whole(a), TSL_SORT_NONE, real_parts(b), imaginary_parts(b), tsl_whole(v), NULL, &info)
                                       : tsl_geev(x, tsl_whole(a), real_parts(b), imaginary_parts(b), (tsl_view){0}, tsl_whole(v), &info);
            check(!st && info == n && eig_spoiled(&w, w.n) && eig_spoiled(&V, n), "%g: %s, info %d", odd[k / 3], tsl_status_name(st), (int)info);
            tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(v);
            dense_free(&A), dense_free(&w), dense_free(&V);
        }
    check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
    checked("%s: nothing, NaN and Inf, variant %s", name, variant);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *B, *W, *Z;
    int64_t info = -7;
    if (tsl_matrix_create(x, TSL_D, 6, 6, &A) || tsl_matrix_create(x, TSL_D, 8, 8, &B) || tsl_matrix_create(x, TSL_D, 6, 3, &W) || tsl_matrix_create(x, TSL_Z, 6, 7, &Z)) abort();
    tsl_view a = tsl_whole(A), b = tsl_whole(B), w = tsl_whole(W), none = {0}, re = tsl_sub(w, 0, 0, 6, 1), im = tsl_sub(w, 0, 1, 6, 1), tau = tsl_sub(w, 0, 2, 5, 1);
    tsl_view z = tsl_sub(tsl_whole(Z), 0, 0, 6, 6), zw = tsl_sub(tsl_whole(Z), 0, 6, 6, 1);
    says(x, tsl_gehrd(x, 0, 6, a, tau), TSL_ERR_SIZE, "gehrd: no block of rows and columns 0 to 6 of 6");
    says(x, tsl_gehrd(x, 3, 2, a, tau), TSL_ERR_SIZE, "3 to 2");
    says(x, tsl_gehrd(x, 1, 6, a, re), TSL_ERR_SHAPE, "tau is 6 x 1, must be a column of 5 elements");
    says(x, tsl_gehrd(x, 1, 6, tsl_trans(a), tau), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_orghr(x, 1, 7, a, tau), TSL_ERR_SIZE, "1 to 7 of 6");
    says(x, tsl_ormhr(x, TSL_LEFT, TSL_NOTRANS, 1, 6, a, tau, b), TSL_ERR_SHAPE, "ormhr: A, and so Q, must have as many rows as C");
    says(x, tsl_hseqr(x, 0, 1, 6, a, re, im, tsl_sub(b, 0, 0, 6, 6), &info), TSL_ERR_FLAG, "Schur form, which is not wanted");
    says(x, tsl_geev(x, tsl_sub(a, 0, 0, 6, 5), re, im, none, none, &info), TSL_ERR_SHAPE, "must be square");
    says(x, tsl_geev(x, a, re, none, none, none, &info), TSL_ERR_SHAPE, "wi is 0 x 0, must be a column of 6 elements");
    says(x, tsl_geev(x, z, zw, zw, none, none, &info), TSL_ERR_SHAPE, "no wi");
    says(x, tsl_geev(x, a, re, im, b, none, &info), TSL_ERR_SHAPE, "vectors must be as many");
    says(x, tsl_geev(x, a, re, re, none, none, &info), TSL_ERR_OVERLAP, "wi overlaps w");
    says(x, tsl_gees(x, a, (tsl_schur_sort)5, re, im, none, NULL, &info), TSL_ERR_FLAG, "gees: no order 5");
    double c[4] = {1, 0, 0, 1}, v[4], f[4];
    check(tsl_dgehrd(x, 2, 0, 2, c, 2, v, &info) == TSL_ERR_SIZE && info == -2, "ilo: info %d", (int)info);
    check(tsl_dgehrd(x, 2, 1, 3, c, 2, v, &info) == TSL_ERR_SIZE && info == -3, "ihi: info %d", (int)info);
    check(tsl_dgehrd(x, 2, 1, 2, c, 1, v, &info) == TSL_ERR_LD && info == -5, "lda: info %d", (int)info);
    check(tsl_dgeev(x, 'X', 'N', 2, c, 2, v, f, NULL, 1, NULL, 1, &info) == TSL_ERR_FLAG && info == -1, "jobvl: info %d", (int)info);
    check(tsl_dgeev(x, 'N', 'V', 2, c, 2, v, f, NULL, 1, v, 1, &info) == TSL_ERR_LD && info == -11, "ldvr: info %d", (int)info);
    check(tsl_dgeev(x, 'N', 'N', 2, c, 2, v, NULL, NULL, 1, NULL, 1, &info) == TSL_ERR_NULL && info == -7, "wi: info %d", (int)info);
    check(tsl_dgees(x, 'N', 'S', 2, c, 2, NULL, v, f, NULL, 1, &info) == TSL_ERR_FLAG && info == -2, "sort: info %d", (int)info);
    check(tsl_dhseqr(x, 'E', 'V', 2, 1, 2, c, 2, v, f, c, 1, &info) == TSL_ERR_LD && info == -11, "ldz: info %d", (int)info);
    check(tsl_dorghr(x, 2, 1, 2, c, 2, NULL, &info) == TSL_ERR_NULL && info == -6, "tau: info %d", (int)info);
    check(tsl_dormhr(x, 'L', 'C', 2, 2, 1, 2, c, 2, v, f, 2, &info) == TSL_ERR_FLAG && info == -2, "trans: info %d", (int)info);
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(W), tsl_matrix_free(Z);
}

int main(void)
{
    static const char *const where[] = {"host", "host:1", "cuda"};
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        by_shifts(x, where[k], k == 1 ? 1 : 3);
        inside(x, where[k]);
        if (k == 1) { /* has a memory of its own */
            tsl_context_destroy(x);
            continue;
        }
        families(x, where[k]);
        odd_ones(x, where[k], "auto");
        odd_ones(x, where[k], "parts");
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
