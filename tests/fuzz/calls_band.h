/* Matrices stored by bands or packed, rotations, and what moves or makes elements. */
#ifndef FUZZ_CALLS_BAND_H
#define FUZZ_CALLS_BAND_H

#include "calls_eig.h"

/* The storage of a band: row ku + i - j of column j is element (i,j). Elsewhere it holds anything. */
static inline plain banded(call *c, plain A, int64_t kl, int64_t ku)
{
    plain S = numbers_of(c, c->t, kl + ku + 1, A.n, 1);
    for (int64_t j = 0; j < A.n; j++)
        for (int64_t i = tsl_max(0, j - ku); i < A.m && i <= j + kl; i++) *plain_at(&S, ku + i - j, j) = *plain_at(&A, i, j);
    return S;
}

static inline plain packed(call *c, plain A, tsl_uplo uplo)
{
    plain S = keep(c, plain_make(A.n * (A.n + 1) / 2, 1));
    int64_t at = 0;
    for (int64_t j = 0; j < A.n; j++)
        for (int64_t i = uplo == TSL_LOWER ? j : 0; i < (uplo == TSL_LOWER ? A.n : j + 1); i++) S.a[at++] = *plain_at(&A, i, j);
    return S;
}

static inline plain within(call *c, plain A, int64_t kl, int64_t ku) { return from_(c, from_(c, A, ku, true), -kl, false); }

/* alpha A x + beta y */
static inline plain product(call *c, tsl_scalar alpha, plain A, plain x, tsl_scalar beta, plain y)
{
    plain r = keep(c, plain_copy(&y));
    plain_scale(beta, &r);
    plain_product(alpha, &A, &x, &r);
    return r;
}

static inline void is_right(call *c, const char *what, operand *y, plain right, double size)
{
    if (judge(c)) same_(c, what, result(c, y), right, (1 + size) * (double)(right.m + 1));
}

static inline void gbmv_call(call *c)
{
    int64_t m = 1 + order_of(c), n = 1 + order_of(c), kl = below(c->w, 6), ku = below(c->w, 6);
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    tsl_op op = ONE_OF(c->w, ops);
    plain A = within(c, general(c, m, n), kl, ku), S = keep(c, plain_op(&A, op)), x = numbers_of(c, c->t, S.n, 1, 1), y = numbers_of(c, c->t, S.m, 1, 1);
    tsl_scalar alpha = 0.5, beta = may(c, 2) ? 0 : -0.25;
    operand *a = reads(c, banded(c, A, kl, ku)), *ox = reads(c, x), *oy = updates(c, y);
    begin(c, NULL);
    c->st = c->typed ? BY_TYPE(c, gbmv, c->x, "NT?C"[op], m, n, kl, ku, alpha, P_(a), LD_(a), P_(ox), 1, beta, P_(oy), 1) : tsl_gbmv(c->x, op, m, n, kl, ku, alpha, view(a), view(ox), beta, view(oy));
    is_right(c, "gbmv", oy, product(c, alpha, S, x, beta, y), 1);
}

/* sbmv, hbmv, spmv, hpmv: of real elements symmetric, of complex ones Hermitian */
static inline void sbmv_call(call *c)
{
    int64_t n = 1 + order_of(c), k = below(c->w, tsl_min(n, 6));
    tsl_uplo uplo = any_uplo(c);
    bool pack = may(c, 2), lower = uplo == TSL_LOWER, z = tsl_is_complex(c->t);
    plain A = hermitian_of(c, n, true), x = numbers_of(c, c->t, n, 1, 1), y = numbers_of(c, c->t, n, 1, 1);
    if (!pack) A = within(c, A, k, k);
    plain S = pack ? packed(c, A, uplo) : banded(c, within(c, A, lower ? k : 0, lower ? 0 : k), lower ? k : 0, lower ? 0 : k);
    tsl_scalar alpha = 0.5, beta = may(c, 2) ? 0 : -0.25;
    operand *a = reads(c, S), *ox = reads(c, x), *oy = updates(c, y);
    char u = letter_of(uplo);
    begin(c, NULL);
    if (!c->typed)
        c->st = pack ? (z ? tsl_hpmv : tsl_spmv)(c->x, uplo, n, alpha, view(a), view(ox), beta, view(oy)) : (z ? tsl_hbmv : tsl_sbmv)(c->x, uplo, n, k, alpha, view(a), view(ox), beta, view(oy));
    else if (pack)
        c->st = BY_PREFIX(c, ss, ds, ch, zh, pmv, c->x, u, n, alpha, P_(a), P_(ox), 1, beta, P_(oy), 1);
    else
        c->st = BY_PREFIX(c, ss, ds, ch, zh, bmv, c->x, u, n, k, alpha, P_(a), LD_(a), P_(ox), 1, beta, P_(oy), 1);
    is_right(c, "sbmv", oy, product(c, alpha, A, x, beta, y), 1);
}

/* spr, hpr, spr2, hpr2 */
static inline void spr_call(call *c)
{
    int64_t n = 1 + order_of(c);
    tsl_uplo uplo = any_uplo(c);
    bool two = may(c, 2), z = tsl_is_complex(c->t);
    plain A = hermitian_of(c, n, true), x = numbers_of(c, c->t, n, 1, 1), y = numbers_of(c, c->t, n, 1, 1), xh = herm_(c, x), yh = herm_(c, y), R = keep(c, plain_copy(&A));
    double alpha = -0.75;
    plain_product(alpha, &x, two ? &yh : &xh, &R);
    if (two) plain_product(alpha, &y, &xh, &R);
    operand *ox = reads(c, x), *oy = two ? reads(c, y) : NULL, *a = updates(c, packed(c, A, uplo));
    char u = letter_of(uplo);
    begin(c, NULL);
    if (!c->typed)
        c->st = two ? (z ? tsl_hpr2 : tsl_spr2)(c->x, uplo, n, alpha, view(ox), view(oy), view(a)) : z ? tsl_hpr(c->x, uplo, n, alpha, view(ox), view(a)) : tsl_spr(c->x, uplo, n, alpha, view(ox), view(a));
    else if (two)
        c->st = BY_PREFIX(c, ss, ds, ch, zh, pr2, c->x, u, n, alpha, P_(ox), 1, P_(oy), 1, P_(a));
    else
        c->st = BY_PREFIX(c, ss, ds, ch, zh, pr, c->x, u, n, alpha, P_(ox), 1, P_(a));
    is_right(c, "spr", a, packed(c, R, uplo), 1);
}

/* tbmv, tbsv, tpmv, tpsv */
static inline void tbmv_call(call *c)
{
    int64_t n = 1 + order_of(c), k = below(c->w, tsl_min(n, 6));
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    tsl_op op = ONE_OF(c->w, ops);
    tsl_uplo uplo = any_uplo(c);
    tsl_diag diag = may(c, 3) ? TSL_UNIT : TSL_NONUNIT;
    bool pack = may(c, 2), solve = may(c, 2), lower = uplo == TSL_LOWER;
    plain A = from_(c, dominant(c, n, false), 0, lower), x = numbers_of(c, c->t, n, 1, 1), right = keep(c, plain_copy(&x));
    for (int64_t i = 0; i < n && diag == TSL_UNIT; i++) /* small beside the ones */
        for (int64_t j = 0; j < n; j++) *plain_at(&A, i, j) = rounded(c->t, *plain_at(&A, i, j) / (double)(n + 1));
    if (!pack) A = within(c, A, lower ? k : 0, lower ? 0 : k);
    plain S = pack ? packed(c, A, uplo) : banded(c, A, lower ? k : 0, lower ? 0 : k), T = keep(c, plain_whole(&A, TRIANGLE, uplo, diag));
    T = keep(c, plain_op(&T, op));
    if (solve) plain_solve(&T, &right);
    else right = times_(c, T, x);
    operand *a = reads(c, S), *ox = updates(c, x);
    char u = letter_of(uplo), t = "NT?C"[op], d = "NU"[diag];
    begin(c, NULL);
    if (!c->typed)
        c->st = pack ? (solve ? tsl_tpsv : tsl_tpmv)(c->x, uplo, op, diag, n, view(a), view(ox)) : (solve ? tsl_tbsv : tsl_tbmv)(c->x, uplo, op, diag, n, k, view(a), view(ox));
    else if (pack)
        c->st = solve ? BY_TYPE(c, tpsv, c->x, u, t, d, n, P_(a), P_(ox), 1) : BY_TYPE(c, tpmv, c->x, u, t, d, n, P_(a), P_(ox), 1);
    else
        c->st = solve ? BY_TYPE(c, tbsv, c->x, u, t, d, n, k, P_(a), LD_(a), P_(ox), 1) : BY_TYPE(c, tbmv, c->x, u, t, d, n, k, P_(a), LD_(a), P_(ox), 1);
    is_right(c, "tbmv", ox, right, plain_size(&T));
}

/* rot, rotm, and BLAS's copy */
static inline void rot_call(call *c)
{
    int64_t n = 1 + order_of(c), what = below(c->w, 3);
    bool real = !tsl_is_complex(c->t);
    if (what == 1 && !real) what = 0;
    if (what == 2) c->typed = true;
    plain x = numbers_of(c, c->t, n, 1, 1), y = numbers_of(c, c->t, n, 1, 1), X = keep(c, plain_copy(&x)), Y = keep(c, plain_copy(&y));
    double cs = 0.8, param[5] = {-1, 0.5, -0.25, 0.75, 1.5};
    float fparam[5] = {-1, 0.5f, -0.25f, 0.75f, 1.5f};
    tsl_scalar sn = real ? 0.6 : CMPLX(0.48, 0.36);
    for (int64_t i = 0; i < n; i++) {
        X.a[i] = what == 0 ? cs * x.a[i] + sn * y.a[i] : what == 1 ? param[1] * x.a[i] + param[3] * y.a[i] : x.a[i];
        Y.a[i] = what == 0 ? cs * y.a[i] - conj(sn) * x.a[i] : what == 1 ? param[2] * x.a[i] + param[4] * y.a[i] : x.a[i];
    }
    operand *ox = what == 2 ? reads(c, x) : updates(c, x), *oy = updates(c, y);
    begin(c, NULL);
    if (what == 0) c->st = c->typed ? BY_TYPE(c, rot, c->x, n, P_(ox), 1, P_(oy), 1, cs, sn) : tsl_rot(c->x, view(ox), view(oy), cs, sn);
    else if (what == 2) c->st = BY_TYPE(c, copy, c->x, n, P_(ox), 1, P_(oy), 1);
    else c->st = !c->typed ? tsl_rotm(c->x, view(ox), view(oy), param) : c->t == TSL_S ? tsl_srotm(c->x, n, P_(ox), 1, P_(oy), 1, fparam) : tsl_drotm(c->x, n, P_(ox), 1, P_(oy), 1, param);
    if (!judge(c)) return;
    same_(c, "x", result(c, ox), X, 2);
    same_(c, "y", result(c, oy), Y, 2);
}

/* random: within [-1, 1), and the same each time; convert: to the other precision and back */
static inline void random_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c);
    bool convert = may(c, 2);
    c->typed = false;
    plain A = numbers_of(c, c->t, m, n, 1);
    if (convert) {
        tsl_type other = c->t == TSL_S ? TSL_D : c->t == TSL_D ? TSL_S : c->t == TSL_C ? TSL_Z : TSL_C;
        operand *a = reads(c, A), *b = operand_of(c, other, m, n, WRITTEN, NULL);
        begin(c, NULL);
        c->st = tsl_convert(c->x, view(a), view(b), &c->info);
        if (!judge(c)) return;
        none_of_it(c);
        plain B = result(c, b);
        for (int64_t k = 0; k < m * n; k++)
            if (B.a[k] != rounded(other, A.a[k])) complain(c->w, "element %lld is %.17g, not %.17g", (long long)k, creal(B.a[k]), creal(A.a[k]));
        return;
    }
    operand *a = writes(c, m, n), *b = writes(c, m, n);
    begin(c, NULL);
    c->st = tsl_random(c->x, 5, view(a));
    if (!c->st) c->st = tsl_random(c->x, 5, view(b));
    if (!judge(c)) return;
    plain X = result(c, a), Y = result(c, b);
    for (int64_t k = 0; k < m * n; k++)
        if (X.a[k] != Y.a[k] || !(creal(X.a[k]) >= -1 && creal(X.a[k]) < 1 && cimag(X.a[k]) >= -1 && cimag(X.a[k]) < 1)) complain(c->w, "random numbers differ, or are too large: %g", creal(X.a[k]));
}

#endif
