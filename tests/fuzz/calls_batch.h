/* Batches: an operand's problems lie side by side, n columns each. Strided, by pointers, or on views; each problem is judged as one call would be. */
#ifndef FUZZ_CALLS_BATCH_H
#define FUZZ_CALLS_BATCH_H

#include "calls_function.h"
#include "calls_svd.h"

enum { MOST_PROBLEMS = 6 };
typedef enum batch_form { STRIDED, POINTERS, VIEWS } batch_form;

typedef struct batch {
    batch_form form;
    int64_t count;
    int64_t info[MOST_PROBLEMS];
    tsl_matrix *mat[4];
    int mats;
} batch;

/* Of `count` problems, side by side */
static inline plain side_by_side(call *c, const plain *each, int64_t m, int64_t n, int64_t count)
{
    plain A = keep(c, plain_make(m, n * count));
    for (int64_t k = 0; k < count; k++) memcpy(&A.a[k * m * n], each[k].a, (size_t)(m * n) * sizeof *A.a);
    return A;
}
static inline plain problem_of(call *c, plain A, int64_t n, int64_t k) { return block_(c, A, 0, k * n, A.m, n); }
static inline int64_t stride_of(const operand *o, int64_t n) { return LD_(o) * n; }

/* The problems' addresses: on the host, or where the problems are; an array of its own, which is only read */
static inline void *addresses(call *c, batch *b, operand *o, int64_t n)
{
    plain each = keep(c, plain_make(tsl_max(1, b->count), 1));
    for (int64_t k = 0; k < b->count; k++) each.a[k] = (double)(intptr_t)((char *)P_(o) + (size_t)(k * stride_of(o, n)) * tsl_type_size(o->t));
    return P_(operand_at(c, o->place == ON_DEVICE && may(c, 2) ? ON_DEVICE : ON_HOST, TSL_INDEX, each.m, 1, READ, &each));
}

static inline tsl_view batch_view(call *c, batch *b, operand *o, int64_t n)
{
    tsl_matrix *m = NULL;
    tsl_status st = tsl_batch_wrap(c->x, o->t, o->m, n, P_(o), LD_(o), stride_of(o, n), b->count, &m);
    if (st) complain(c->w, "a batch of %lld x %lld: %s %s", (long long)o->m, (long long)n, tsl_status_name(st), tsl_error(c->x));
    b->mat[b->mats++] = m;
    return tsl_whole(m);
}

static inline void infos_are_zero(call *c, const batch *b)
{
    for (int64_t k = 0; k < b->count; k++)
        if (b->info[k]) complain(c->w, "info %lld of problem %lld", (long long)b->info[k], (long long)k);
}

/* By what: Cholesky, a solution by that, LU, a solution by that, QR, least squares */
static inline void batch_factors(call *c, batch *b, int what)
{
    int64_t n = 1 + below(c->w, 12), m = what >= 4 ? n + below(c->w, 8) : n, k = 1 + below(c->w, 4), rows = what == 5 ? m : n;
    tsl_uplo uplo = any_uplo(c);
    char u = letter_of(uplo);
    plain A[MOST_PROBLEMS], B[MOST_PROBLEMS];
    for (int64_t i = 0; i < b->count; i++) {
        A[i] = what < 2 ? dominant(c, n, true) : what < 4 ? dominant(c, n, false) : full_rank(c, m, n);
        B[i] = numbers_of(c, c->t, rows, k, 1);
    }
    bool system = what % 2, lu = what == 2 || what == 3;
    operand *a = updates(c, side_by_side(c, A, m, n, b->count)), *x = system ? updates(c, side_by_side(c, B, rows, k, b->count)) : NULL,
            *p = lu ? operand_of(c, TSL_INDEX, n, b->count, WRITTEN, NULL) : what == 4 ? writes(c, n, b->count) : NULL;
    void *pa = P_(a), *px = x ? P_(x) : NULL, *pp = p ? P_(p) : NULL;
    int64_t la = LD_(a), lx = x ? LD_(x) : 1, sa = stride_of(a, n), sx = x ? stride_of(x, k) : 0, sp = p ? stride_of(p, 1) : 0, count = b->count, *info = b->info;
    if (b->form == POINTERS) pa = addresses(c, b, a, n), px = x ? addresses(c, b, x, k) : NULL, pp = p ? addresses(c, b, p, 1) : NULL;
    tsl_view va = {0}, vx = {0}, vp = {0};
    if (b->form == VIEWS) va = batch_view(c, b, a, n), vx = x ? batch_view(c, b, x, k) : vx, vp = p ? batch_view(c, b, p, 1) : vp;
    tsl_view half = uplo == TSL_LOWER ? tsl_lower(va) : tsl_upper(va);
    begin(c, NULL);
    switch (what * 3 + (int)b->form) {
    case 0: c->st = BY_TYPE(c, potrf_batch, c->x, u, n, pa, la, sa, count, info); break;
    case 1: c->st = BY_TYPE(c, potrf_batch_pointers, c->x, u, n, pa, la, count, info); break;
    case 2: c->st = tsl_potrf(c->x, half, info); break;
    case 3: c->st = BY_TYPE(c, posv_batch, c->x, u, n, k, pa, la, sa, px, lx, sx, count, info); break;
    case 4: c->st = BY_TYPE(c, posv_batch_pointers, c->x, u, n, k, pa, la, px, lx, count, info); break;
    case 5: c->st = tsl_posv(c->x, half, vx, info); break;
    case 6: c->st = BY_TYPE(c, getrf_batch, c->x, n, n, pa, la, sa, pp, sp, count, info); break;
    case 7: c->st = BY_TYPE(c, getrf_batch_pointers, c->x, n, n, pa, la, pp, count, info); break;
    case 8: c->st = tsl_getrf(c->x, va, vp, info); break;
    case 9: c->st = BY_TYPE(c, gesv_batch, c->x, n, k, pa, la, sa, pp, sp, px, lx, sx, count, info); break;
    case 10: c->st = BY_TYPE(c, gesv_batch_pointers, c->x, n, k, pa, la, pp, px, lx, count, info); break;
    case 11: c->st = tsl_gesv(c->x, va, vp, vx, info); break;
    case 12: c->st = BY_TYPE(c, geqrf_batch, c->x, m, n, pa, la, sa, pp, sp, count); break;
    case 13: c->st = BY_TYPE(c, geqrf_batch_pointers, c->x, m, n, pa, la, pp, count); break;
    case 14: c->st = tsl_geqrf(c->x, va, vp); break;
    case 15: c->st = BY_TYPE(c, gels_batch, c->x, 'N', m, n, k, pa, la, sa, px, lx, sx, count, info); break;
    case 16: c->st = BY_TYPE(c, gels_batch_pointers, c->x, 'N', m, n, k, pa, la, px, lx, count, info); break;
    default: c->st = tsl_gels(c->x, va, vx, info);
    }
    if (!judge(c)) return;
    if (what != 4) infos_are_zero(c, b);
    plain F = result(c, a), X = x ? result(c, x) : F, P = p ? result(c, p) : F;
    for (int64_t i = 0; i < count && !*c->w->wrong; i++) {
        int kept = c->plains;
        plain f = problem_of(c, F, n, i), t = what == 4 ? problem_of(c, P, 1, i) : f;
        double size = plain_size(&A[i]) * (double)(m + 1);
        if (what == 1 || what == 3) solves(c, "A X - B", A[i], problem_of(c, X, k, i), B[i]);
        if (what == 5) least_squares(c, A[i], block_(c, X, 0, i * k, n, k), B[i]);
        if (what == 0) {
            plain L = uplo == TSL_LOWER ? from_(c, f, 0, true) : herm_(c, from_(c, f, 0, false));
            same_(c, "A - L L^H", times_(c, L, herm_(c, L)), A[i], size);
        }
        if (what == 2) {
            plain L = keep(c, plain_whole(&f, TRIANGLE, TSL_LOWER, TSL_UNIT)), PA = keep(c, plain_copy(&A[i]));
            for (int64_t r = 0; r < n; r++) {
                int64_t with = (int64_t)creal(*plain_at(&P, r, i)) - 1;
                if (with < r || with >= n) complain(c->w, "pivot %lld is %lld", (long long)r, (long long)with + 1);
                for (int64_t j = 0; j < n && with > r && with < n; j++) {
                    tsl_scalar v = *plain_at(&PA, r, j);
                    *plain_at(&PA, r, j) = *plain_at(&PA, with, j), *plain_at(&PA, with, j) = v;
                }
            }
            same_(c, "P A - L U", times_(c, L, from_(c, f, 0, false)), PA, size);
        }
        if (what == 4) {
            plain Q = keep(c, plain_reflectors(&f, &t, 0, m));
            same_(c, "A - Q R", A[i], times_(c, Q, from_(c, f, 0, false)), size);
        }
        while (c->plains > kept) plain_free(&c->kept[--c->plains]);
    }
}

/* C := alpha A B + beta C, or B := alpha inv(A) B */
static inline void batch_products(call *c, batch *b, bool solve)
{
    int64_t m = 1 + below(c->w, 12), n = 1 + below(c->w, 6), k = solve ? m : 1 + below(c->w, 12), count = b->count;
    plain A[MOST_PROBLEMS] = {{0}}, B[MOST_PROBLEMS] = {{0}}, C[MOST_PROBLEMS] = {{0}};
    for (int64_t i = 0; i < count; i++) {
        A[i] = solve ? from_(c, dominant(c, m, false), 0, true) : numbers_of(c, c->t, m, k, 1);
        B[i] = numbers_of(c, c->t, k, n, 1), C[i] = numbers_of(c, c->t, m, n, 1);
    }
    operand *a = reads(c, side_by_side(c, A, m, k, count)), *x = solve ? updates(c, side_by_side(c, B, k, n, count)) : reads(c, side_by_side(c, B, k, n, count)),
            *y = solve ? x : updates(c, side_by_side(c, C, m, n, count));
    void *pa = P_(a), *px = P_(x), *py = P_(y);
    double alpha = 0.5, beta = solve ? 0 : -0.75;
    tsl_view va = {0}, vx = {0}, vy = {0};
    if (b->form == POINTERS) pa = addresses(c, b, a, k), px = addresses(c, b, x, n), py = solve ? px : addresses(c, b, y, n);
    if (b->form == VIEWS) va = batch_view(c, b, a, k), vx = batch_view(c, b, x, n), vy = solve ? vx : batch_view(c, b, y, n);
    begin(c, NULL);
    if (solve)
        c->st = b->form == STRIDED ? BY_TYPE(c, trsm_batch, c->x, 'L', 'L', 'N', 'N', m, n, alpha, pa, LD_(a), stride_of(a, k), px, LD_(x), stride_of(x, n), count)
              : b->form == POINTERS ? BY_TYPE(c, trsm_batch_pointers, c->x, 'L', 'L', 'N', 'N', m, n, alpha, pa, LD_(a), px, LD_(x), count) : tsl_trsm(c->x, TSL_LEFT, alpha, tsl_lower(va), vx);
    else
        c->st = b->form == STRIDED ? BY_TYPE(c, gemm_batch, c->x, 'N', 'N', m, n, k, alpha, pa, LD_(a), stride_of(a, k), px, LD_(x), stride_of(x, n), beta, py, LD_(y), stride_of(y, n), count)
              : b->form == POINTERS ? BY_TYPE(c, gemm_batch_pointers, c->x, 'N', 'N', m, n, k, alpha, pa, LD_(a), px, LD_(x), beta, py, LD_(y), count) : tsl_gemm(c->x, alpha, va, vx, beta, vy);
    if (!judge(c)) return;
    plain Y = result(c, y);
    for (int64_t i = 0; i < count; i++) {
        plain got = problem_of(c, Y, n, i), right = solve ? keep(c, plain_copy(&B[i])) : keep(c, plain_copy(&C[i]));
        if (solve) plain_solve(&A[i], &right), plain_scale(alpha, &right);
        else plain_scale(beta, &right), plain_product(alpha, &A[i], &B[i], &right);
        same_(c, solve ? "trsm" : "gemm", got, right, 1 + (double)k);
    }
}

/* Eigenpairs, singular values, L D L^T, the exponential, a pseudo-inverse, norms */
static inline void batch_others(call *c, batch *b, int what)
{
    int64_t n = 1 + below(c->w, 12), m = what == 1 ? 1 + below(c->w, 12) : what == 4 ? n + below(c->w, 4) : n, d = tsl_min(m, n),
            k = what == 4 ? m : 1 + below(c->w, 4), count = b->count, *info = b->info;
    tsl_uplo uplo = any_uplo(c);
    char h = letter_of(uplo);
    plain A[MOST_PROBLEMS], B[MOST_PROBLEMS];
    for (int64_t i = 0; i < count; i++) {
        A[i] = what == 4                             ? full_rank(c, m, n)
               : what == 1 || what == 3 || what == 5 ? general(c, m, n)
                                                     : hermitian_of(c, n, what == 0);
        B[i] = numbers_of(c, c->t, n, k, 1);
    }
    operand *a = updates(c, side_by_side(c, A, m, n, count));
    operand *w = what < 2 ? operand_of(c, real_of(c->t), d, count, WRITTEN, NULL)
                           : NULL;
    operand *u = what == 0   ? writes(c, n, n * count)
                 : what == 1 ? writes(c, m, d * count)
                 : what == 2 ? updates(c, side_by_side(c, B, n, k, count))
                 : what == 4 ? writes(c, n, m * count) : NULL;
    operand *v = what == 1 ? writes(c, d, n * count) : NULL, *p = what == 2 ? operand_of(c, TSL_INDEX, n, count, WRITTEN, NULL) : NULL;
    int64_t of_u = what == 0 ? n : what == 1 ? d : k, ranks[MOST_PROBLEMS] = {0};
    operand *last = v ? v : p;
    double norms[MOST_PROBLEMS] = {0};
    tsl_view va = {0}, vw = {0}, vu = {0}, vv = {0}, half = {0};
    void *pa = P_(a), *pw = w ? P_(w) : NULL, *pu = u ? P_(u) : NULL, *pv = last ? P_(last) : NULL;
    int64_t la = LD_(a), sa = stride_of(a, n), sw = w ? stride_of(w, 1) : 0, lu = u ? LD_(u) : 1, su = u ? stride_of(u, of_u) : 0,
            lv = last ? LD_(last) : 1, sv = last ? stride_of(last, v ? n : 1) : 0;
    if (b->form == POINTERS) {
        pa = addresses(c, b, a, n), pu = u ? addresses(c, b, u, of_u) : NULL, pv = last ? addresses(c, b, last, v ? n : 1) : NULL;
        if (what < 2) pw = addresses(c, b, w, 1);
    }
    if (b->form == VIEWS) {
        va = batch_view(c, b, a, n), vw = w ? batch_view(c, b, w, 1) : va, vu = u ? batch_view(c, b, u, of_u) : va;
        vv = last ? batch_view(c, b, last, v ? n : 1) : va, half = uplo == TSL_LOWER ? tsl_lower(va) : tsl_upper(va);
    }
    begin(c, NULL);
    switch (what * 3 + (int)b->form) {
    case 0: c->st = BY_SYMMETRY(c, evx_batch, c->x, 'V', h, n, pa, la, sa, 1, n, pw, sw, pu, lu, su, count, info); break;
    case 1: c->st = BY_SYMMETRY(c, evx_batch_pointers, c->x, 'V', h, n, pa, la, 1, n, pw, pu, lu, count, info); break;
    case 2: c->st = tsl_syev(c->x, half, NULL, vw, vu, NULL, info); break;
    case 3: c->st = BY_TYPE(c, gesvd_batch, c->x, 'S', 'S', m, n, pa, la, sa, pw, sw, pu, lu, su, pv, lv, sv, count, info); break;
    case 4: c->st = BY_TYPE(c, gesvd_batch_pointers, c->x, 'S', 'S', m, n, pa, la, pw, pu, lu, pv, lv, count, info); break;
    case 5: c->st = tsl_gesvd(c->x, va, TSL_SVD_AUTO, vw, vu, vv, info); break;
    case 6: c->st = BY_TYPE(c, sysv_batch, c->x, h, n, k, pa, la, sa, pv, sv, pu, lu, su, count, info); break;
    case 7: c->st = BY_TYPE(c, sysv_batch_pointers, c->x, h, n, k, pa, la, pv, pu, lu, count, info); break;
    case 8: c->st = tsl_sysv(c->x, half, vv, vu, info); break;
    case 9: c->st = BY_TYPE(c, expm_batch, c->x, n, pa, la, sa, count, info); break;
    case 10: c->st = BY_TYPE(c, expm_batch_pointers, c->x, n, pa, la, count, info); break;
    case 11: c->st = tsl_expm(c->x, va, info); break;
    case 12: c->st = BY_TYPE(c, pinv_batch, c->x, m, n, pa, la, sa, -1, pu, lu, su, ranks, count, info); break;
    case 13: c->st = BY_TYPE(c, pinv_batch_pointers, c->x, m, n, pa, la, -1, pu, lu, ranks, count, info); break;
    case 14: c->st = tsl_pinv(c->x, va, -1, vu, ranks, info); break;
    default: c->st = tsl_norm(c->x, TSL_NORM_ONE, TSL_TRIANGULAR, va, norms);
    }
    if (!judge(c)) return;
    infos_are_zero(c, b);
    plain F = result(c, a), W = w ? result(c, w) : F, U = u ? result(c, u) : F, V = v ? result(c, v) : F;
    for (int64_t i = 0; i < count && !*c->w->wrong; i++) {
        int kept = c->plains;
        double *right = what == 0 ? calloc((size_t)n, sizeof *right) : NULL;
        if (right) plain_eigenvalues(&A[i], right), pairs_are(c, A[i], problem_of(c, W, 1, i), problem_of(c, U, n, i), right, 0, n, true);
        if (what == 1) decomposes(c, A[i], problem_of(c, W, 1, i), problem_of(c, U, d, i), problem_of(c, V, n, i));
        if (what == 2) solves(c, "A X - B", A[i], problem_of(c, U, k, i), B[i]);
        if (what == 3) {
            plain E = plain_exp(c, A[i]);
            same_(c, "exp(A)", problem_of(c, F, n, i), E, plain_size(&E) * (1 + norm_one(A[i])));
        }
        if (what == 4) {
            plain P = problem_of(c, U, m, i), unit = keep(c, plain_make(n, n));
            for (int64_t j = 0; j < n; j++) *plain_at(&unit, j, j) = 1;
            same_(c, "pinv(A) A - I", times_(c, P, A[i]), unit, plain_size(&P) * plain_size(&A[i]) * (double)m);
            if (ranks[i] != n) complain(c->w, "rank %lld of problem %lld, not %lld", (long long)ranks[i], (long long)i, (long long)n);
        }
        if (what == 5 && !(fabs(norms[i] - norm_one(A[i])) <= 50 * (double)n * tsl_type_eps(c->t) * norm_one(A[i])))
            complain(c->w, "norm %g of problem %lld, not %g", norms[i], (long long)i, norm_one(A[i]));
        free(right);
        while (c->plains > kept) plain_free(&c->kept[--c->plains]);
    }
}

static inline void batch_call(call *c)
{
    batch b = {.form = (batch_form)below(c->w, 3), .count = below(c->w, MOST_PROBLEMS)};
    int what = (int)below(c->w, 14);
    c->typed = true; /* operands are flat */
    snprintf(c->w->last, sizeof c->w->last, "batch %d form %d of %lld", what, (int)b.form, (long long)b.count);
    if (what == 13) b.form = VIEWS;
    if (b.form == VIEWS && b.count == 0) b.count = 1;
    if (what < 6) batch_factors(c, &b, what);
    else if (what < 8) batch_products(c, &b, what == 6);
    else batch_others(c, &b, what - 8);
    for (int k = 0; k < b.mats; k++) tsl_matrix_free(b.mat[k]);
}

#endif
