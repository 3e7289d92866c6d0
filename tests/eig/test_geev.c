/* Nonsymmetric eigenproblems: reduction to Hessenberg form and its Q, the QR iteration, eigenpairs, Schur forms: residuals,
 * orthogonality, forms. What is not a number, and what is refused. */
#include "geev.h"

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

/* The reduction as it comes; by panels, as devices without LAPACK have it; by tiles */
typedef enum reduction { AS_IT_COMES, BY_PANELS, BY_TILES, REDUCTIONS } reduction;

static tsl_status reduce(tsl_context *x, reduction by, int64_t ilo, int64_t ihi, tsl_view A, tsl_view tau)
{
    if (by == BY_PANELS && tsl_set(x, "variant", "panels")) abort();
    if (by == BY_TILES && tsl_set(x, "path", "tiles")) abort();
    if (by != AS_IT_COMES && tsl_set(x, "tile", "8")) abort();
    tsl_status st = tsl_gehrd(x, ilo, ihi, A, tau);
    if (tsl_set(x, "variant", "auto") || tsl_set(x, "path", "auto") || tsl_set(x, "tile", "0")) abort();
    return st;
}

static void hessenberg(tsl_context *x, const problem *p, int64_t ilo, int64_t ihi, reduction by)
{
    tsl_type t = p->A.t;
    int64_t n = p->A.n, info = -7;
    dense full = dense_copy(&p->A), A, H, Q, C, tau = dense_make(t, n > 1 ? n - 1 : 0, 1, CANARY_FINITE), w = values_of(t, n), was = dense_copy(&tau);
    only_block(&full, ilo, ihi);
    A = dense_copy(&full);
    tsl_matrix *a = wrap(x, &A), *b = wrap(x, &tau), *f, *c, *q, *v = wrap(x, &w);
    tsl_view factors = b ? tsl_whole(b) : tsl_sub(tsl_whole(a), 0, 0, 0, 1);
    tsl_status st = reduce(x, by, ilo, ihi, tsl_whole(a), factors);
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
                hessenberg(x, &p, 1, orders[k], (reduction)((kind + i) % REDUCTIONS));
                reduction other = (reduction)((kind + i + 1) % REDUCTIONS);
                if (orders[k] > 3) hessenberg(x, &p, 1 + kind % 3, orders[k] - kind % 4, other);
                dense_free(&p.A);
            }
            by_letters(x, all_types[i], orders[k]);
        }
        for (int large = 0; large < 2; large++) { /* several panels */
            problem p = make(all_types[i], large ? 97 : 70, GEN_RANDOM);
            pairs(x, &p, large, true);
            schur(x, &p, TSL_SORT_NONE, true);
            hessenberg(x, &p, large ? 1 : 3, large ? 97 : 65, large ? BY_PANELS : BY_TILES);
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
    static const char *const where[] = {"host", "cuda"};
    for (int k = 0; k < 2; k++) {
        tsl_context *x = context_on(where[k]);
        if (!x) continue;
        families(x, where[k]);
        odd_ones(x, where[k], "auto");
        odd_ones(x, where[k], "parts");
        if (!k) refusals(x);
        tsl_context_destroy(x);
    }
    return tap_done();
}
