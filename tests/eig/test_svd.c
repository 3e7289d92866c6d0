/* Singular values and vectors, and polar decompositions: residuals, orthogonality, and values beside LAPACK's. What is not a number, and what is refused. */
#include "eig.h"

typedef enum svd_kind { SVD_RANDOM, SVD_CLUSTERED, SVD_GRADED, SVD_DEFICIENT, SVD_ZERO_COLUMN, SVD_ZEROS, SVD_DIAGONAL, SVD_NILPOTENT, SVD_HILBERT, SVD_TWINS, SVD_TINY, SVD_HUGE, SVD_KINDS } svd_kind;
static const char *const svd_name[SVD_KINDS] = {"random", "clustered", "graded", "rank-deficient", "zero column", "zeros", "diagonal", "nilpotent", "Hilbert", "twin columns", "tiny", "huge"};
static const char *const driver_name[] = {"auto", "dc", "qr", "polar"};

/* Clustered: 1 on the diagonal but for rounding. Nilpotent: ones above the diagonal, one singular value is exactly zero */
static dense svd_matrix(tsl_type t, int64_t m, int64_t n, svd_kind kind)
{
    static const qr_kind like[SVD_KINDS] = {RANDOM, RANDOM, GRADED, DEFICIENT, ZERO_COLUMN, ZEROS, RANDOM, RANDOM, ILL, RANDOM, TINY, HUGE_ONES};
    dense A = qr_matrix(t, m, n, like[kind], (uint64_t)(m + 7 * n + kind));
    double eps = tsl_type_eps(t);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            tsl_scalar v = dense_get(&A, i, j);
            if (kind == SVD_CLUSTERED) v = (i == j) + eps * v;
            if (kind == SVD_DIAGONAL && (i != j || i % 4 == 3)) v = 0;
            if (kind == SVD_NILPOTENT) v = j == i + 1;
            if (kind == SVD_TWINS && j % 2) v = dense_get(&A, i, j - 1);
            dense_put(&A, i, j, v);
        }
    return A;
}

/* What extreme numbers are multiplied by */
static double scaled_by(tsl_type t, svd_kind kind)
{
    double up = qr_single(t) ? 0x1p100 : 0x1p900;
    return kind == SVD_TINY ? up : kind == SVD_HUGE ? 1 / up : 1;
}

typedef struct problem {
    dense A, s; /* LAPACK's values */
    svd_kind kind;
    int64_t m, n, d;
    char who[96];
} problem;

static problem make(tsl_type t, int64_t m, int64_t n, svd_kind kind)
{
    problem p = {.A = svd_matrix(t, m, n, kind), .kind = kind, .m = m, .n = n, .d = qr_min(m, n)};
    dense B = dense_copy(&p.A);
    p.s = dense_make(eig_real(t), p.d, 1, CANARY_FINITE);
    lapack_int rows = (lapack_int)m, cols = (lapack_int)n, ld = (lapack_int)B.ld, bad = 0;
    void *a = B.data, *s = p.s.data;
    switch (p.d ? t : TSL_INDEX) {
    case TSL_S: bad = LAPACKE_sgesdd(LAPACK_COL_MAJOR, 'N', rows, cols, a, ld, s, NULL, rows, NULL, cols); break;
    case TSL_D: bad = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', rows, cols, a, ld, s, NULL, rows, NULL, cols); break;
    case TSL_C: bad = LAPACKE_cgesdd(LAPACK_COL_MAJOR, 'N', rows, cols, a, ld, s, NULL, rows, NULL, cols); break;
    case TSL_Z: bad = LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'N', rows, cols, a, ld, s, NULL, rows, NULL, cols); break;
    default: break;
    }
    if (bad) abort();
    dense_free(&B);
    snprintf(p.who, sizeof p.who, "%c %d x %d, %s", tsl_type_letter(t), (int)m, (int)n, svd_name[kind]);
    return p;
}

static void done(problem *p) { dense_free(&p->A), dense_free(&p->s); }

/* X, m x n, less B C, m x k times k x n, beside X: |X - B C| / (|X| max(m,n) eps) */
static double off_product(const dense *X, const dense *B, const dense *s, const dense *C, int64_t k, double by)
{
    int64_t m = X->m, n = X->n;
    tsl_scalar *x = eig_numbers(X, n, by);
    double size = qr_norm(x, m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t r = 0; r < k; r++) {
            tsl_scalar c = dense_get(C, r, j) * (s ? by * dense_get(s, r, 0) : by);
            for (int64_t i = 0; i < m; i++) x[i + j * m] -= dense_get(B, i, r) * c;
        }
    double off = qr_norm(x, m, n);
    free(x);
    return off == 0 ? 0 : (size > 0 ? off / size : off) / ((double)qr_max(m, n) * tsl_type_eps(X->t));
}

/* Columns, or rows, of V that are to be orthonormal */
static double apart(const dense *V, bool rows)
{
    int64_t m = rows ? V->n : V->m, k = rows ? V->m : V->n;
    if (!m || !k) return 0;
    tsl_scalar *v = qr_room(m, k);
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < m; i++) v[i + j * m] = rows ? conj(dense_get(V, j, i)) : dense_get(V, i, j);
    double off = qr_apart(v, m, k, V->t);
    free(v);
    return off;
}

static bool descends(const dense *s)
{
    bool good = true;
    for (int64_t i = 0; i < s->m; i++) good &= creal(dense_get(s, i, 0)) >= 0 && (i == 0 || creal(dense_get(s, i, 0)) <= creal(dense_get(s, i - 1, 0)));
    return good;
}

static void good(const problem *p, const char *how, const dense *s, const dense *U, const dense *VT)
{
    double values = eig_off(s, &p->s, 0, p->d), off = U && VT ? off_product(&p->A, U, s, VT, p->d, scaled_by(p->A.t, p->kind)) : 0;
    double left = U ? apart(U, false) : 0, right = VT ? apart(VT, true) : 0;
    check(values < BOUND && off < BOUND && left < BOUND && right < BOUND && descends(s), "%s, %s: values %g, residual %g, U %g, V %g, descends %d", p->who, how, values, off,
          left, right, descends(s));
}

static tsl_matrix *wrap(tsl_context *x, const dense *A)
{
    tsl_matrix *a = NULL;
    if (A->m && A->n && tsl_matrix_wrap(x, A->t, A->m, A->n, A->data, A->ld, &a)) abort();
    return a;
}

static tsl_view seen_as(tsl_matrix *a) { return a ? tsl_whole(a) : (tsl_view){0}; }

/* On views: u and vt vectors of each side, -1 all */
static void on_views(tsl_context *x, const problem *p, tsl_svd_driver driver, int u, int vt)
{
    tsl_type t = p->A.t;
    int64_t info = -7, cols = !u ? 0 : u > 0 ? p->d : p->m, rows = !vt ? 0 : vt > 0 ? p->d : p->n;
    dense A = dense_copy(&p->A), s = dense_make(p->s.t, p->d, 1, CANARY_FINITE), U = dense_make(t, p->m, cols, CANARY_FINITE), VT = dense_make(t, rows, p->n, CANARY_FINITE);
    dense was[4] = {dense_copy(&A), dense_copy(&s), dense_copy(&U), dense_copy(&VT)};
    tsl_matrix *a = wrap(x, &A), *b = wrap(x, &s), *c = wrap(x, &U), *d = wrap(x, &VT);
    tsl_status st = tsl_gesvd(x, seen_as(a), driver, seen_as(b), seen_as(c), seen_as(d), &info);
    check(!st && !info, "%s, %s: %s, info %d: %s", p->who, driver_name[driver], tsl_status_name(st), (int)info, tsl_error(x));
    if (!st && !info) good(p, driver_name[driver], &s, u ? &U : NULL, vt ? &VT : NULL);
    const dense *now[4] = {&A, &s, &U, &VT};
    for (int i = 0; i < 4; i++) check(!dense_strays(now[i], &was[i], TSL_GENERAL), "%s: wrote beside operand %d", p->who, i), dense_free(&was[i]);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(c), tsl_matrix_free(d);
    dense_free(&A), dense_free(&s), dense_free(&U), dense_free(&VT);
}

static tsl_status typed(tsl_context *x, tsl_type t, bool dd, char u, char vt, int64_t m, int64_t n, void *A, int64_t lda, void *s, void *U, int64_t ldu, void *VT,
                        int64_t ldvt, int64_t *info)
{
    switch (t) {
    case TSL_S: return dd ? tsl_sgesdd(x, u, m, n, A, lda, s, U, ldu, VT, ldvt, info) : tsl_sgesvd(x, u, vt, m, n, A, lda, s, U, ldu, VT, ldvt, info);
    case TSL_D: return dd ? tsl_dgesdd(x, u, m, n, A, lda, s, U, ldu, VT, ldvt, info) : tsl_dgesvd(x, u, vt, m, n, A, lda, s, U, ldu, VT, ldvt, info);
    case TSL_C: return dd ? tsl_cgesdd(x, u, m, n, A, lda, s, U, ldu, VT, ldvt, info) : tsl_cgesvd(x, u, vt, m, n, A, lda, s, U, ldu, VT, ldvt, info);
    default: return dd ? tsl_zgesdd(x, u, m, n, A, lda, s, U, ldu, VT, ldvt, info) : tsl_zgesvd(x, u, vt, m, n, A, lda, s, U, ldu, VT, ldvt, info);
    }
}

/* LAPACK's letters; what is in A is looked for there */
static void by_letters(tsl_context *x, const problem *p, bool dd, char u, char vt)
{
    tsl_type t = p->A.t;
    int64_t info = -7, m = p->m, n = p->n, d = p->d;
    char really_u = dd && u == 'O' && m < n ? 'A' : u, really_vt = dd && u == 'O' ? (m >= n ? 'A' : 'O') : dd ? u : vt;
    dense A = dense_copy(&p->A), s = dense_make(p->s.t, d, 1, CANARY_FINITE);
    dense U = dense_make(t, m, really_u == 'A' ? m : d, CANARY_FINITE), VT = dense_make(t, really_vt == 'A' ? n : d, n, CANARY_FINITE);
    tsl_status st = typed(x, t, dd, u, vt, m, n, A.data, A.ld, s.data, U.data, U.ld, VT.data, VT.ld, &info);
    check(!st && !info, "%s, %c%c: %s, info %d: %s", p->who, u, vt, tsl_status_name(st), (int)info, tsl_error(x));
    for (int64_t j = 0; j < d && really_u == 'O'; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&U, i, j, dense_get(&A, i, j));
    for (int64_t j = 0; j < n && really_vt == 'O'; j++)
        for (int64_t i = 0; i < d; i++) dense_put(&VT, i, j, dense_get(&A, i, j));
    char how[8] = {dd ? 'd' : 'q', u, vt, 0};
    if (!st && !info) good(p, how, &s, really_u == 'N' ? NULL : &U, really_vt == 'N' ? NULL : &VT);
    dense_free(&A), dense_free(&s), dense_free(&U), dense_free(&VT);
}

static tsl_status typed_polar(tsl_context *x, const dense *A, const dense *H, int64_t *info)
{
    void *a = A->data, *h = H->n ? H->data : NULL;
    switch (A->t) {
    case TSL_S: return tsl_spolar(x, A->m, A->n, a, A->ld, h, H->ld, info);
    case TSL_D: return tsl_dpolar(x, A->m, A->n, a, A->ld, h, H->ld, info);
    case TSL_C: return tsl_cpolar(x, A->m, A->n, a, A->ld, h, H->ld, info);
    default: return tsl_zpolar(x, A->m, A->n, a, A->ld, h, H->ld, info);
    }
}

/* A = U H, H Hermitian, its eigenvalues the singular values */
static void polar(tsl_context *x, const problem *p, bool alone)
{
    tsl_type t = p->A.t;
    int64_t info = -7, n = p->n;
    dense U = dense_copy(&p->A), H = dense_make(t, n, alone ? 0 : n, CANARY_FINITE), s = dense_make(p->s.t, n, 1, CANARY_FINITE), was = dense_copy(&U);
    tsl_matrix *a = wrap(x, &U), *h = wrap(x, &H);
    tsl_status st = p->m % 2 ? tsl_polar(x, seen_as(a), seen_as(h), &info) : typed_polar(x, &U, &H, &info);
    check(!st && !info, "polar of %s: %s, info %d: %s", p->who, tsl_status_name(st), (int)info, tsl_error(x));
    bool same = true;
    for (int64_t j = 0; j < n && !alone; j++)
        for (int64_t i = 0; i <= j; i++) same &= dense_get(&H, i, j) == conj(dense_get(&H, j, i));
    double q = apart(&U, false), off = alone ? 0 : off_product(&p->A, &U, NULL, &H, n, scaled_by(t, p->kind)), least = 0;
    if (!alone) {
        dense_free(&s), s = eig_lapack(&H);
        double most = creal(dense_get(&s, n - 1, 0));
        least = creal(dense_get(&s, 0, 0)) >= 0 ? 0 : -creal(dense_get(&s, 0, 0)) / (most * (double)p->m * tsl_type_eps(t));
    }
    check(q < BOUND && off < BOUND && same && least < BOUND, "polar of %s: U %g, residual %g, Hermitian %d, negative by %g", p->who, q, off, same, least);
    check(!dense_strays(&U, &was, TSL_GENERAL), "polar of %s: wrote beside A", p->who);
    tsl_matrix_free(a), tsl_matrix_free(h);
    dense_free(&U), dense_free(&H), dense_free(&s), dense_free(&was);
}

static const int64_t shapes[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2}, {5, 5}, {33, 33}, {40, 21}, {21, 40}, {70, 9}, {9, 70}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void families(tsl_context *x, const char *name, bool few)
{
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < SVD_KINDS; kind++) {
                if (few && (k + kind + i) % 3) continue;
                problem p = make(all_types[i], shapes[k][0], shapes[k][1], (svd_kind)kind);
                on_views(x, &p, TSL_SVD_POLAR, 1, 1);
                on_views(x, &p, TSL_SVD_POLAR, (k + kind) % 2 ? -1 : 0, (k + kind) % 2 ? -1 : (kind + i) % 3 - 1);
                on_views(x, &p, TSL_SVD_AUTO, k % 2 ? 1 : -1, k % 2 ? 1 : -1);
                on_views(x, &p, (kind + k) % 2 ? TSL_SVD_QR : TSL_SVD_DC, kind % 3 - 1, (kind + k) % 3 - 1);
                by_letters(x, &p, true, "NSAO"[(k + kind) % 4], ' ');
                by_letters(x, &p, false, "NSAO"[kind % 4], "SAONSNAS"[kind % 4 + (k % 2) * 4]);
                if (p.m >= p.n) polar(x, &p, kind % 4 == 3);
                done(&p);
            }
        static const svd_kind hard[] = {SVD_RANDOM, SVD_HILBERT, SVD_TWINS, SVD_DEFICIENT};
        for (int k = few; k < 4; k += 1 + few) { /* several blocks */
            problem p = make(all_types[i], few ? 60 : 130, few ? 60 : 120, hard[(k + i) % 4]);
            on_views(x, &p, TSL_SVD_POLAR, -1, -1);
            polar(x, &p, false);
            done(&p);
        }
        checked("%s: %c: singular values, vectors, polar decompositions", name, tsl_type_letter(all_types[i]));
    }
}

/* Letters that overwrite A, by a variant; all parts cut, as devices without LAPACK cut them */
static void by_variant(tsl_context *x, const char *name, const char *variant)
{
    check(!tsl_set(x, "variant", variant) && !tsl_set(x, "tile", "8"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SHAPES && !is_left_out(i, 1); k++) {
            problem p = make(all_types[i], shapes[k][0], shapes[k][1], SVD_RANDOM);
            by_letters(x, &p, true, 'O', ' ');
            by_letters(x, &p, false, 'O', 'A'), by_letters(x, &p, false, 'S', 'O');
            done(&p);
        }
    check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "%s", tsl_error(x));
    checked("%s: in place, variant %s", name, variant);
}

/* Two stages to bidiagonal form, on all families */
static void by_stages(tsl_context *x, const char *name, bool few)
{
    check(!tsl_set(x, "variant", "two"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < SVD_KINDS; kind++) {
                if ((k + kind + i) % (few ? 4 : 2)) continue;
                problem p = make(all_types[i], shapes[k][0], shapes[k][1], (svd_kind)kind);
                on_views(x, &p, TSL_SVD_AUTO, 0, 0);
                on_views(x, &p, TSL_SVD_AUTO, (k + kind) % 3 ? -1 : 1, (k + kind) % 3 > 1 ? -1 : 1);
                done(&p);
            }
    problem p = make(TSL_D, 150, 140, SVD_RANDOM); /* several panels */
    on_views(x, &p, TSL_SVD_AUTO, 1, 1);
    done(&p);
    check(!tsl_set(x, "variant", "auto"), "%s", tsl_error(x));
    checked("%s: variant two", name);
}

/* No rows, or no columns: vectors are those of the identity. A number that is none: an info, and NaN */
static void odd_ones(tsl_context *x, const char *name, bool with_polar)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++)
        for (int driver = 0; driver < 4; driver++) {
            tsl_type t = all_types[i];
            for (int k = 0; k < 2; k++) {
                tsl_matrix *a, *s, *u, *v;
                double e[9] = {0};
                int64_t info = -7;
                if (tsl_matrix_create(x, t, k ? 3 : 0, k ? 0 : 3, &a) || tsl_matrix_create(x, eig_real(t), 0, 1, &s) || tsl_matrix_create(x, TSL_D, 3, 3, &u)) abort();
                if (tsl_matrix_wrap(x, TSL_D, 3, 3, e, 3, &v)) abort();
                tsl_view none = {0}, W = tsl_whole(v);
                tsl_status st = t != TSL_D ? TSL_OK : tsl_gesvd(x, tsl_whole(a), (tsl_svd_driver)driver, tsl_whole(s), k ? W : none, k ? none : W, &info);
                check(!st && (t != TSL_D || (!info && e[0] == 1 && e[4] == 1 && e[8] == 1 && e[1] == 0)), "nothing, %s: %s, %s", driver_name[driver], tsl_status_name(st),
                      tsl_error(x));
                tsl_matrix_free(a), tsl_matrix_free(s), tsl_matrix_free(u), tsl_matrix_free(v);
            }
            for (int k = 0; k < 6; k++) {
                int64_t m = k % 2 ? 11 : 5, n = k % 2 ? 5 : 8, info = -7, d = 5;
                dense A = svd_matrix(t, m, n, SVD_RANDOM), s = dense_make(eig_real(t), d, 1, CANARY_FINITE), U = dense_make(t, m, d, CANARY_FINITE);
                dense VT = dense_make(t, d, n, CANARY_FINITE), B = dense_copy(&A);
                dense_put(&A, m - 1, n / 2, odd[k / 2]), dense_put(&B, m - 1, n / 2, odd[k / 2]);
                tsl_matrix *a = wrap(x, &A), *b = wrap(x, &s), *u = wrap(x, &U), *v = wrap(x, &VT), *c = wrap(x, &B);
                tsl_status st = tsl_gesvd(x, tsl_whole(a), (tsl_svd_driver)driver, tsl_whole(b), tsl_whole(u), tsl_whole(v), &info);
                check(!st && info == d && eig_spoiled(&s, 1) && eig_spoiled(&U, d) && eig_spoiled(&VT, n), "%g, %s: %s, info %d", odd[k / 2], driver_name[driver],
                      tsl_status_name(st), (int)info);
                if (m >= n && with_polar) {
                    st = tsl_polar(x, tsl_whole(c), (tsl_view){0}, &info);
                    check(!st && info == n && eig_spoiled(&B, n), "polar, %g: %s, info %d", odd[k / 2], tsl_status_name(st), (int)info);
                }
                tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(u), tsl_matrix_free(v), tsl_matrix_free(c);
                dense_free(&A), dense_free(&s), dense_free(&U), dense_free(&VT), dense_free(&B);
            }
        }
    checked("%s: nothing, NaN and Inf", name);
}

/* By divide and conquer and by QR, values alone, vectors of one side, of both */
static void by_bidiagonal(tsl_context *x, const char *name)
{
    by_variant(x, name, "bidiagonal");
    check(!tsl_set(x, "variant", "bidiagonal") && !tsl_set(x, "tile", "8"), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SHAPES; k++)
            for (int kind = 0; kind < SVD_KINDS; kind++) {
                if ((i + k + kind) % 4) continue;
                problem p = make(all_types[i], shapes[k][0], shapes[k][1], (svd_kind)kind);
                on_views(x, &p, k % 2 ? TSL_SVD_DC : TSL_SVD_QR, kind % 3 - 1, kind / 3 % 3 - 1);
                on_views(x, &p, k % 2 ? TSL_SVD_QR : TSL_SVD_DC, -1, 1);
                done(&p);
            }
    checked("%s: variant bidiagonal", name);
    odd_ones(x, name, false);
}

static void says(tsl_context *x, tsl_status st, tsl_status want, const char *line)
{
    check(st == want && strstr(tsl_error(x), line), "%s, '%s'; not %s, '%s'", tsl_status_name(st), tsl_error(x), tsl_status_name(want), line);
}

static void refusals(tsl_context *x)
{
    tsl_matrix *A, *B, *S;
    int64_t info = -7;
    if (tsl_matrix_create(x, TSL_Z, 6, 4, &A) || tsl_matrix_create(x, TSL_Z, 8, 8, &B) || tsl_matrix_create(x, TSL_D, 4, 1, &S)) abort();
    tsl_view a = tsl_whole(A), s = tsl_whole(S), none = {0}, U = tsl_sub(tsl_whole(B), 0, 0, 6, 4), V = tsl_sub(tsl_whole(B), 0, 4, 4, 4);
    says(x, tsl_gesvd(x, a, (tsl_svd_driver)4, s, none, none, &info), TSL_ERR_FLAG, "gesvd: no driver 4");
    says(x, tsl_gesvd(x, a, TSL_SVD_AUTO, tsl_sub(s, 0, 0, 3, 1), none, none, &info), TSL_ERR_SHAPE, "s is 3 x 1, must be a column of 4 elements");
    says(x, tsl_gesvd(x, a, TSL_SVD_AUTO, s, tsl_sub(U, 0, 0, 6, 3), V, &info), TSL_ERR_SHAPE, "U must have");
    says(x, tsl_gesvd(x, a, TSL_SVD_AUTO, s, U, tsl_sub(V, 0, 0, 3, 4), &info), TSL_ERR_SHAPE, "VT must have");
    says(x, tsl_gesvd(x, tsl_herm(a), TSL_SVD_AUTO, s, none, none, &info), TSL_ERR_FLAG, "as it is stored");
    says(x, tsl_gesvd(x, a, TSL_SVD_AUTO, s, a, none, &info), TSL_ERR_OVERLAP, "U overlaps A");
    says(x, tsl_polar(x, tsl_sub(a, 0, 0, 3, 4), none, &info), TSL_ERR_SHAPE, "more columns than rows");
    says(x, tsl_polar(x, a, U, &info), TSL_ERR_SHAPE, "H must be square");
    double b[4] = {1, 0, 0, 1}, w[2], u[4], v[4];
    check(tsl_dgesvd(x, 'O', 'O', 2, 2, b, 2, w, u, 2, v, 2, &info) == TSL_ERR_FLAG && info == -2, "O twice: info %d", (int)info);
    check(tsl_dgesvd(x, 'X', 'O', 2, 2, b, 2, w, u, 2, v, 2, &info) == TSL_ERR_FLAG && info == -1, "jobu: info %d", (int)info);
    check(tsl_dgesvd(x, 'S', 'S', 2, -1, b, 2, w, u, 2, v, 2, &info) == TSL_ERR_SIZE && info == -4, "n: info %d", (int)info);
    check(tsl_dgesvd(x, 'S', 'S', 2, 2, b, 1, w, u, 2, v, 2, &info) == TSL_ERR_LD && info == -6, "lda: info %d", (int)info);
    check(tsl_dgesvd(x, 'S', 'S', 2, 2, b, 2, w, u, 1, v, 2, &info) == TSL_ERR_LD && info == -9, "ldu: info %d", (int)info);
    check(tsl_dgesvd(x, 'N', 'S', 2, 2, b, 2, w, NULL, 1, v, 1, &info) == TSL_ERR_LD && info == -11, "ldvt: info %d", (int)info);
    check(tsl_dgesdd(x, 'S', 2, 2, b, 2, NULL, u, 2, v, 2, &info) == TSL_ERR_NULL && info == -6, "s: info %d", (int)info);
    check(tsl_dgesdd(x, 'A', 2, 2, b, 2, w, u, 2, v, 1, &info) == TSL_ERR_LD && info == -10, "ldvt of gesdd: info %d", (int)info);
    check(tsl_dpolar(x, 1, 2, b, 2, v, 2, &info) && info == -2, "n of polar: info %d", (int)info);
    check(tsl_dpolar(x, 2, 2, b, 2, v, 1, &info) == TSL_ERR_LD && info == -6, "ldh: info %d", (int)info);
    check(!tsl_dgesdd(x, 'N', 0, 3, NULL, 1, NULL, NULL, 1, NULL, 1, &info) && !info, "no rows");
    checked("what is refused, and why");
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(S);
}

/* By tiles: the families, on several devices */
static void by_tiles(const char *devices, const char *tile)
{
    tsl_context *x = context_on(devices);
    char name[64];
    snprintf(name, sizeof name, "%s by tiles of %s", devices, tile);
    if (!x) return;
    check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", tile), "%s", tsl_error(x));
    families(x, name, true);
    odd_ones(x, name, true);
    tsl_context_destroy(x);
}

/* Of a tall, a wide and a square matrix, the last on a quarter of its memory: the same bits */
static void any_devices(void)
{
    static const char *const where[] = {"host:1,mem=64M", "host:2", "host:3", "host:1,mem=180K"};
    static const int64_t sizes[][2] = {{150, 70}, {70, 150}, {300, 300}};
    for (int i = 0; i < 3; i++) {
        problem p = make(TSL_D, sizes[i][0], sizes[i][1], SVD_RANDOM);
        dense first[3] = {0};
        for (int k = 0; k < 4; k++) {
            tsl_context *x = context_on(where[k]);
            tsl_counters n;
            int64_t info = -7;
            check(x && !tsl_set(x, "path", k < 3 ? "tiles" : "auto") && !tsl_set(x, "tile", "16"), "%s: %s", where[k], tsl_error(x));
            dense A = dense_copy(&p.A), now[3] = {dense_make(TSL_D, p.d, 1, CANARY_FINITE), dense_make(TSL_D, p.m, p.d, CANARY_FINITE), dense_make(TSL_D, p.d, p.n, CANARY_FINITE)};
            tsl_status st = typed(x, TSL_D, true, 'S', ' ', p.m, p.n, A.data, A.ld, now[0].data, now[1].data, now[1].ld, now[2].data, now[2].ld, &info);
            tsl_counters_get(x, &n);
            check(!st && !info && (n.tasks > 500 || (k == 3 && i < 2)), "%s on %s: %s, info %d, %d tasks: %s", p.who, where[k], tsl_status_name(st), (int)info, (int)n.tasks, tsl_error(x));
            good(&p, where[k], &now[0], &now[1], &now[2]);
            for (int j = 0; j < 3; j++) {
                if (k && n.tasks) check(dense_same(&now[j], &first[j]), "%s: operand %d has other bits on %s", p.who, j, where[k]);
                if (k) dense_free(&now[j]);
                else first[j] = now[j];
            }
            dense_free(&A);
            tsl_context_destroy(x);
        }
        for (int j = 0; j < 3; j++) dense_free(&first[j]);
        done(&p);
    }
    checked("the same bits on any devices");
}

int main(void)
{
    static const char *const where[] = {"host", "host:3", "cuda"};
    for (int k = 0; k < 3; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k], k == 1 || in_short());
        odd_ones(x, where[k], true);
        by_variant(x, where[k], "polar");
        by_variant(x, where[k], "two");
        by_stages(x, where[k], k == 1 || in_short());
        by_bidiagonal(x, where[k]);
        check(!tsl_set(x, "variant", "auto") && !tsl_set(x, "tile", "0"), "%s", tsl_error(x));
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    by_tiles("host:2", "8"), by_tiles("host:1,mem=64M", "13");
    if (!in_short()) any_devices();
    return tap_done();
}
