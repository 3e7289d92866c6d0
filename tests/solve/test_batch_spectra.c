/* Typed calls on batches of spectra: eigenpairs of symmetric matrices, alone, by index and of pairs, singular values, polar
 * decompositions, eigenpairs and Schur forms of general matrices, exponentials. Each problem is judged by residuals; problems
 * with a NaN have an info, and do not touch others. */
#include "batch_forms.h"
#include "context.h"

static const char *where;
static tsl_context *ctx;

/* Is the info of each problem 0, or, where it was spoiled, not? */
static int infos_right(const int64_t *info, int64_t count)
{
    int right = 1;
    for (int64_t k = 0; k < count; k++)
        right &= (info[k] != 0) == is_spoiled(k);
    return right;
}

/* A V = V W, V orthonormal, W ascending */
static double pairs_error(const dense *A, const stack *V, const stack *w, int64_t k, int64_t pairs)
{
    dense v = dense_of(V, k);
    v.n = pairs;
    dense vw = dense_scaled(&v, w, k);
    double worst = worse(dense_error(V->t, 'N', A, 'N', &v, &vw), dense_unitary(V->t, &v));
    for (int64_t i = 1; i < pairs; i++)
        if (!(creal(stack_get(w, k, i - 1, 0)) <= creal(stack_get(w, k, i, 0))))
            worst = INFINITY;
    dense_free(&v), dense_free(&vw);
    return worst;
}

static void symmetric_case(tsl_type t, layout how, int64_t n, char uplo, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(real_of(t), how, n, 1, count), x = stack_copy(&w), Z;
    spoil(&A);
    stack given = stack_copy(&A), values = stack_copy(&A), some = stack_copy(&A), w0 = stack_copy(&w);
    int64_t *info = calloc((size_t)count, sizeof *info), il = (n + 2) / 3, iu = tsl_larger(il, n - n / 4), pairs = iu - il + 1;
    Z = stack_make(t, how, n, pairs, count);
    char job = 'V';
    double worst = 0, apart = 0, chosen = 0;
#define SYEV(M, V) job, uplo, n, M(A), V(w), count, info
    tsl_status st = BY_FORM(t, how, syev, heev, SYEV);
    int infos = infos_right(info, count);
#undef SYEV
#define SYEV(M, V) 'N', uplo, n, M(values), V(x), count, info
    if (!st)
        st = BY_FORM(t, how, syev, heev, SYEV);
#undef SYEV
    infos &= infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        dense full = dense_half(&given, k, uplo, 'H');
        double size = dense_size(&full) * (double)n;
        if (is_spoiled(k))
            infos &= all_nan(&A, k) && all_nan(&w, k) && all_nan(&x, k);
        else
            worst = worse(worst, pairs_error(&full, &A, &w, k, n));
        for (int64_t i = 0; i < n && !is_spoiled(k); i++)
            apart = worse(apart, cabs(stack_get(&w, k, i, 0) - stack_get(&x, k, i, 0)) / (size * eps(t)));
        dense_free(&full);
    }
    check(!st && infos && worst < BOUND && apart < BOUND && stack_intact(&A, &given) && stack_intact(&w, &w0),
          "%s %c syev %c %d, layout %d: infos %d, %g, %g, %s", where, tsl_type_letter(t), uplo, (int)n, how, infos, worst,
          apart, tsl_error(ctx));
    stack z0 = stack_copy(&Z);
#define SYEVX(M, V) 'V', uplo, n, M(some), il, iu, V(x), M(Z), count, info
    if (!st)
        st = BY_FORM(t, how, syevx, heevx, SYEVX);
    for (int64_t k = 0; k < count && !st; k++) {
        dense full = dense_half(&given, k, uplo, 'H');
        double size = dense_size(&full) * (double)n;
        if (is_spoiled(k))
            infos &= info[k] != 0;
        else
            chosen = worse(chosen, pairs_error(&full, &Z, &x, k, pairs));
        for (int64_t i = 0; i < pairs && !is_spoiled(k); i++)
            chosen = worse(chosen, cabs(stack_get(&w, k, il - 1 + i, 0) - stack_get(&x, k, i, 0)) / (size * eps(t)));
        dense_free(&full);
    }
    check(!st && infos && chosen < BOUND && stack_intact(&Z, &z0), "%s %c syevx %c %d, layout %d: infos %d, %g, %s", where,
          tsl_type_letter(t), uplo, (int)n, how, infos, chosen, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&x), stack_free(&given), stack_free(&values), stack_free(&some), stack_free(&Z),
        stack_free(&z0), stack_free(&w0), free(info);
}

/* A x = w B x, A B x = w x or B A x = w x */
static void generalized_case(tsl_type t, layout how, int64_t n, char uplo, int64_t itype, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), B = definite_stack(t, how, n, count),
          w = stack_make(real_of(t), how, n, 1, count);
    stack a = stack_copy(&A), b = stack_copy(&B);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
    int infos = 1;
#define SYGV(M, V) itype, 'V', uplo, n, M(A), M(B), V(w), count, info
    tsl_status st = BY_FORM(t, how, sygv, hegv, SYGV);
    for (int64_t k = 0; k < count && !st; k++) {
        infos &= is_bad(k) ? info[k] == n + bad_column(n) + 1 : info[k] == 0;
        if (info[k])
            continue;
        dense S = dense_half(&a, k, uplo, 'H'), D = dense_half(&b, k, uplo, 'H'), V = dense_of(&A, k),
              VW = dense_scaled(&V, &w, k), l, r;
        dense inner = itype == 1 ? dense_unit(0) : dense_times('N', itype == 2 ? &D : &S, 'N', &V);
        r = itype == 1 ? dense_times('N', &D, 'N', &VW) : VW;
        l = itype == 1 ? S : itype == 2 ? S : D;
        double e = dense_error(t, 'N', &l, 'N', itype == 1 ? &V : &inner, &r);
        worst = worse(worst, e);
        if (itype == 1)
            dense_free(&r);
        dense_free(&S), dense_free(&D), dense_free(&V), dense_free(&VW), dense_free(&inner);
    }
    check(!st && infos && worst < BOUND, "%s %c sygv %d %c %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t),
          (int)itype, uplo, (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&B), stack_free(&w), stack_free(&a), stack_free(&b), free(info);
}

static void singular_case(tsl_type t, layout how, int64_t m, int64_t n, char job, int64_t count)
{
    int64_t d = m < n ? m : n, *info = calloc((size_t)count, sizeof *info);
    stack A = random_stack(t, how, m, n, count), s = stack_make(real_of(t), how, d, 1, count), x = stack_copy(&s);
    stack U = stack_make(t, how, m, job == 'A' ? m : d, count), VT = stack_make(t, how, job == 'A' ? n : d, n, count);
    spoil(&A);
    stack given = stack_copy(&A), values = stack_copy(&A), u0 = stack_copy(&U), v0 = stack_copy(&VT);
    double worst = 0, apart = 0;
#define GESVD(M, V) job, job, m, n, M(A), V(s), M(U), M(VT), count, info
    tsl_status st = BY_FORM(t, how, gesvd, gesvd, GESVD);
    int infos = infos_right(info, count);
#undef GESVD
#define GESVD(M, V) 'N', 'N', m, n, M(values), V(x), NULL, NONE(M) NULL, NONE(M) count, info
#define NONE(M) NONE_##M
#define NONE_STRIDED_M 1, 0,
#define NONE_POINTERS_M 1,
    if (!st)
        st = BY_FORM(t, how, gesvd, gesvd, GESVD);
    infos &= infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        dense a = dense_of(&given, k), u = dense_of(&U, k), vt = dense_of(&VT, k);
        double size = dense_size(&a) * (double)(m + n), before = INFINITY;
        if (is_spoiled(k))
            infos &= all_nan(&U, k) && all_nan(&s, k) && all_nan(&x, k) && all_nan(&VT, k);
        else {
            dense i = dense_unit(vt.m);
            worst = worse(worst, worse(dense_unitary(t, &u), dense_error(t, 'N', &vt, 'C', &vt, &i)));
            dense_free(&i);
            u.n = d;
            dense us = dense_scaled(&u, &s, k), top = dense_make(d, n);
            for (int64_t j = 0; j < n; j++)
                for (int64_t r = 0; r < d; r++)
                    *dense_at(&top, r, j) = *dense_at(&vt, r, j);
            worst = worse(worst, dense_error(t, 'N', &us, 'N', &top, &a));
            dense_free(&us), dense_free(&top);
        }
        for (int64_t i = 0; i < d && !is_spoiled(k); i++) {
            double value = creal(stack_get(&s, k, i, 0));
            apart = worse(apart, cabs(value - stack_get(&x, k, i, 0)) / (size * eps(t)));
            if (!(value >= 0 && value <= before))
                worst = INFINITY;
            before = value;
        }
        dense_free(&a), dense_free(&u), dense_free(&vt);
    }
    check(!st && infos && worst < BOUND && apart < BOUND && stack_intact(&U, &u0) && stack_intact(&VT, &v0),
          "%s %c gesvd %c %d x %d, layout %d: infos %d, %g, %g, %s", where, tsl_type_letter(t), job, (int)m, (int)n, how, infos,
          worst, apart, tsl_error(ctx));
    stack_free(&A), stack_free(&s), stack_free(&x), stack_free(&U), stack_free(&VT), stack_free(&given), stack_free(&values),
        stack_free(&u0), stack_free(&v0), free(info);
}

/* A = U H, U orthonormal, H Hermitian with no negative diagonal */
static void polar_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, m, n, count), H = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define POLAR(M, V) m, n, M(A), M(H), count, info
    tsl_status st = BY_FORM(t, how, polar, polar, POLAR);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), u = dense_of(&A, k), h = dense_of(&H, k), i = dense_unit(n);
        worst = worse(worst, worse(dense_unitary(t, &u), dense_error(t, 'N', &u, 'N', &h, &a)));
        worst = worse(worst, dense_error(t, 'C', &h, 'N', &i, &h));
        for (int64_t j = 0; j < n; j++)
            if (!(creal(*dense_at(&h, j, j)) >= 0))
                worst = INFINITY;
        dense_free(&a), dense_free(&u), dense_free(&h), dense_free(&i);
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c polar %d x %d, layout %d: infos %d, %g, %s", where,
          tsl_type_letter(t), (int)m, (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&H), stack_free(&given), free(info);
}

/* A P A = A, P A P = P, both products Hermitian; every third problem has two equal columns, and one problem is zero */
static void inverse_case(tsl_type t, layout how, int64_t m, int64_t n, int64_t count)
{
    int64_t d = m < n ? m : n, *info = calloc((size_t)count, sizeof *info), *rank = calloc((size_t)count, sizeof *rank);
    stack A = random_stack(t, how, m, n, count), P = stack_make(t, how, n, m, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                if (k == 2)
                    stack_set(&A, k, i, j, 0);
                else if (k % 3 == 0 && n > 1 && j == n - 1)
                    stack_set(&A, k, i, j, stack_get(&A, k, i, 0));
                else if (i == j)
                    stack_set(&A, k, i, j, stack_get(&A, k, i, j) + 3 * sqrt((double)d));
            }
    spoil(&A);
    stack given = stack_copy(&A), again = stack_copy(&A), p0 = stack_copy(&P);
    double worst = 0;
#define PINV(M, V) m, n, M(A), -1, M(P), rank, count, info
    tsl_status st = BY_FORM(t, how, pinv, pinv, PINV);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            infos &= all_nan(&P, k);
        if (is_spoiled(k))
            continue;
        infos &= rank[k] == (k == 2 ? 0 : k % 3 == 0 && n > 1 && n <= m ? d - 1 : d);
        dense a = dense_of(&given, k), x = dense_of(&P, k), ax = dense_times('N', &a, 'N', &x),
              xa = dense_times('N', &x, 'N', &a), im = dense_unit(m), in = dense_unit(n);
        worst = worse(worst, worse(dense_error(t, 'N', &ax, 'N', &a, &a), dense_error(t, 'N', &xa, 'N', &x, &x)));
        worst = worse(worst, worse(dense_error(t, 'C', &ax, 'N', &im, &ax), dense_error(t, 'C', &xa, 'N', &in, &xa)));
        dense_free(&a), dense_free(&x), dense_free(&ax), dense_free(&xa), dense_free(&im), dense_free(&in);
    }
    int64_t *ranks = calloc((size_t)count, sizeof *ranks);
#define RANK(M, V) m, n, M(again), -1, NULL, NONE(M) ranks, count, info
    if (!st)
        st = BY_FORM(t, how, pinv, pinv, RANK);
    for (int64_t k = 0; k < count && !st; k++)
        infos &= is_spoiled(k) || ranks[k] == rank[k];
    check(!st && infos && worst < BOUND * (double)(m + n) && stack_intact(&P, &p0),
          "%s %c pinv %d x %d, layout %d: infos, ranks %d, %g, %s", where, tsl_type_letter(t), (int)m, (int)n, how, infos,
          worst, tsl_error(ctx));
    stack_free(&A), stack_free(&P), stack_free(&given), stack_free(&again), stack_free(&p0), free(info), free(rank),
        free(ranks);
}

/* Eigenvalue j of problem k; vectors of real matrices are two columns of a pair */
static tsl_scalar value_of(tsl_type t, const stack *w, const stack *wi, int64_t k, int64_t j)
{
    return is_complex(t) ? stack_get(w, k, j, 0) : CMPLX(creal(stack_get(w, k, j, 0)), creal(stack_get(wi, k, j, 0)));
}

static dense vectors_of(tsl_type t, const stack *V, const stack *wi, int64_t k)
{
    dense d = dense_of(V, k);
    for (int64_t j = 0; j + 1 < V->n && !is_complex(t); j++) {
        if (!(creal(stack_get(wi, k, j, 0)) > 0))
            continue;
        for (int64_t i = 0; i < V->m; i++) {
            tsl_scalar re = stack_get(V, k, i, j), im = stack_get(V, k, i, j + 1);
            *dense_at(&d, i, j) = re + I * im, *dense_at(&d, i, j + 1) = re - I * im;
        }
        j++;
    }
    return d;
}

static void general_case(tsl_type t, layout how, int64_t n, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(t, how, n, 1, count), wi = stack_make(t, how, n, 1, count);
    stack VL = stack_make(t, how, n, n, count), VR = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define GEEV(M, V) 'V', 'V', n, M(A), V(w), V(wi), M(VL), M(VR), count, info
#define GEEVC(M, V) 'V', 'V', n, M(A), V(w), M(VL), M(VR), count, info
    tsl_status st = is_complex(t) ? COMPLEX_FORM(t, how, geev, GEEVC) : REAL_FORM(t, how, geev, GEEV);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), r = vectors_of(t, &VR, &wi, k), l = vectors_of(t, &VL, &wi, k), rw = dense_make(n, n),
              lw = dense_make(n, n);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                *dense_at(&rw, i, j) = *dense_at(&r, i, j) * value_of(t, &w, &wi, k, j);
                *dense_at(&lw, i, j) = *dense_at(&l, i, j) * conj(value_of(t, &w, &wi, k, j));
            }
        worst = worse(worst, worse(dense_error(t, 'N', &a, 'N', &r, &rw), dense_error(t, 'C', &a, 'N', &l, &lw)));
        dense_free(&a), dense_free(&r), dense_free(&l), dense_free(&rw), dense_free(&lw);
    }
    check(!st && infos && worst < BOUND, "%s %c geev %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), (int)n, how,
          infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&wi), stack_free(&VL), stack_free(&VR), stack_free(&given), free(info);
}

/* Problems in the device's memory, at a stride or at pointers: right eigenvectors */
static void on_device_case(int pointers)
{
    enum { N = 7, COUNT = 40 };
    stack A = random_stack(TSL_D, GAPS, N, N, COUNT), V = stack_make(TSL_D, DENSE, N, N, COUNT);
    stack w = stack_make(TSL_D, DENSE, N, 1, COUNT), wi = stack_copy(&w), *host[] = {&A, &w, &wi, &V};
    tsl_matrix *there[4] = {NULL}, *seen[4] = {NULL}, *here[4] = {NULL};
    void *each[4][COUNT];
    int64_t info[COUNT];
    tsl_view v[4];
    tsl_status st = TSL_OK;
    for (int i = 0; i < 4 && !st; i++) {
        int64_t n = host[i]->n;
        st = tsl_matrix_create(ctx, TSL_D, N, n * COUNT, &there[i]);
        double *data = tsl_matrix_data(there[i]);
        int64_t ld = tsl_matrix_ld(there[i]);
        for (int64_t k = 0; k < COUNT && !st; k++)
            each[i][k] = data + k * n * ld;
        if (!st)
            st = pointers ? tsl_batch_wrap_pointers(ctx, TSL_D, N, n, each[i], ld, COUNT, &seen[i])
                          : tsl_batch_wrap(ctx, TSL_D, N, n, data, ld, n * ld, COUNT, &seen[i]);
        if (!st)
            st = tsl_batch_wrap(ctx, TSL_D, N, n, host[i]->data, host[i]->ld, host[i]->stride, COUNT, &here[i]);
        v[i] = tsl_whole(seen[i]);
    }
    if (!st)
        st = tsl_copy(ctx, tsl_whole(here[0]), v[0]);
    if (!st)
        st = tsl_geev(ctx, v[0], v[1], v[2], (tsl_view){0}, v[3], info);
    for (int i = 1; i < 4 && !st; i++)
        st = tsl_copy(ctx, v[i], tsl_whole(here[i]));
    double worst = 0;
    for (int64_t k = 0; k < COUNT && !st; k++) {
        dense a = dense_of(&A, k), r = vectors_of(TSL_D, &V, &wi, k), rw = dense_make(N, N);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < N; i++)
                *dense_at(&rw, i, j) = *dense_at(&r, i, j) * value_of(TSL_D, &w, &wi, k, j);
        worst = info[k] ? INFINITY : worse(worst, dense_error(TSL_D, 'N', &a, 'N', &r, &rw));
        dense_free(&a), dense_free(&r), dense_free(&rw);
    }
    check(!st && worst < BOUND, "%s geev in the device's memory, pointers %d: %g, %s", where, pointers, worst, tsl_error(ctx));
    for (int i = 0; i < 4; i++)
        tsl_matrix_free(seen[i]), tsl_matrix_free(there[i]), tsl_matrix_free(here[i]), stack_free(host[i]);
}

/* A = Z T Z^H; with an order of eigenvalues, those in the left half-plane first */
static void schur_case(tsl_type t, layout how, int64_t n, char sort, int64_t count)
{
    stack A = random_stack(t, how, n, n, count), w = stack_make(t, how, n, 1, count), wi = stack_make(t, how, n, 1, count),
          VS = stack_make(t, how, n, n, count);
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info), *sdim = calloc((size_t)count, sizeof *sdim);
    double worst = 0;
#define GEES(M, V) 'V', sort, n, M(A), sdim, V(w), V(wi), M(VS), count, info
#define GEESC(M, V) 'V', sort, n, M(A), sdim, V(w), M(VS), count, info
    tsl_status st = is_complex(t) ? COMPLEX_FORM(t, how, gees, GEESC) : REAL_FORM(t, how, gees, GEES);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), z = dense_of(&VS, k), s = dense_of(&A, k), zs = dense_times('N', &z, 'N', &s);
        worst = worse(worst, worse(dense_unitary(t, &z), dense_error(t, 'N', &zs, 'C', &z, &a)));
        int64_t left = 0;
        for (int64_t j = 0; j < n; j++) {
            left += creal(value_of(t, &w, &wi, k, j)) < 0;
            for (int64_t i = j + 2; i < n; i++)
                if (cabs(*dense_at(&s, i, j)) != 0)
                    worst = INFINITY;
        }
        infos &= sdim[k] == (sort == 'L' ? left : 0);
        for (int64_t j = 0; j < left && sort == 'L'; j++)
            infos &= creal(value_of(t, &w, &wi, k, j)) < 0;
        dense_free(&a), dense_free(&z), dense_free(&s), dense_free(&zs);
    }
    check(!st && infos && worst < BOUND, "%s %c gees %c %d, layout %d: infos %d, %g, %s", where, tsl_type_letter(t), sort,
          (int)n, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&w), stack_free(&wi), stack_free(&VS), stack_free(&given), free(info), free(sdim);
}

/* exp(A) by its series, of A / 2^s, squared s times */
static dense exponential(const dense *A)
{
    int squarings = 0;
    double size = dense_size(A) * (double)A->m;
    while (ldexp(size, -squarings) > 0.25)
        squarings++;
    dense x = dense_make(A->m, A->m), sum = dense_unit(A->m), term = dense_unit(A->m);
    for (int64_t i = 0; i < A->m * A->m; i++)
        x.a[i] = A->a[i] * ldexp(1, -squarings);
    for (int j = 1; j < 20; j++) {
        dense next = dense_times('N', &term, 'N', &x);
        dense_free(&term), term = next;
        for (int64_t i = 0; i < A->m * A->m; i++)
            sum.a[i] += term.a[i] /= j;
    }
    for (; squarings; squarings--) {
        dense next = dense_times('N', &sum, 'N', &sum);
        dense_free(&sum), sum = next;
    }
    dense_free(&x), dense_free(&term);
    return sum;
}

static void exponential_case(tsl_type t, layout how, int64_t n, double scale, int64_t count)
{
    stack A = random_stack(t, how, n, n, count);
    for (int64_t k = 0; k < count; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                stack_set(&A, k, i, j, stack_get(&A, k, i, j) * scale * (k % 3 ? 1 : 1e-3));
    spoil(&A);
    stack given = stack_copy(&A);
    int64_t *info = calloc((size_t)count, sizeof *info);
    double worst = 0;
#define EXPM(M, V) n, M(A), count, info
    tsl_status st = BY_FORM(t, how, expm, expm, EXPM);
    int infos = infos_right(info, count);
    for (int64_t k = 0; k < count && !st; k++) {
        if (is_spoiled(k))
            continue;
        dense a = dense_of(&given, k), e = exponential(&a), ours = dense_of(&A, k);
        double apart = 0, size = dense_size(&e), norm = dense_size(&a) * (double)n;
        for (int64_t i = 0; i < n * n; i++)
            apart = worse(apart, cabs(e.a[i] - ours.a[i]));
        worst = worse(worst, apart / (size * eps(t) * (double)(n + 1) * (1 + norm)));
        dense_free(&a), dense_free(&e), dense_free(&ours);
    }
    check(!st && infos && worst < BOUND && stack_intact(&A, &given), "%s %c expm %d of size %g, layout %d: infos %d, %g, %s",
          where, tsl_type_letter(t), (int)n, scale, how, infos, worst, tsl_error(ctx));
    stack_free(&A), stack_free(&given), free(info);
}

static void all_operations(int64_t largest)
{
    static const int64_t orders[] = {1, 2, 3, 5, 9, 17, 33, 65, 97};
    for (int type = TSL_S; type <= TSL_Z; type++) {
        tsl_type t = (tsl_type)type;
        for (int how = 0; how < LAYOUTS; how++)
            for (size_t o = 0; o < sizeof orders / sizeof *orders && orders[o] <= largest; o++) {
                int64_t n = orders[o], count = n <= 5 ? 37 : n <= 17 ? 13 : 5;
                layout l = (layout)how;
                char up = (how + (int)o) % 2 ? 'U' : 'L';
                state = (uint64_t)(type * 1000 + how * 100 + (int)o);
                if (n > 17 && (int)o % LAYOUTS != how && !in_full())
                    continue;
                symmetric_case(t, l, n, up, count);
                generalized_case(t, l, n, up, 1 + ((int)o + how) % 3, count);
                singular_case(t, l, n, n, 'S', count);
                singular_case(t, l, n + 6, n, o % 2 ? 'A' : 'S', count);
                singular_case(t, l, n, n + 4, o % 2 ? 'S' : 'A', count);
                polar_case(t, l, n + (int64_t)(o % 2) * 4, n, count);
                inverse_case(t, l, n + 3, n, count);
                inverse_case(t, l, n, n + 2, count);
                if (n <= 33 || strncmp(where, "cuda", 4)) { /* a GPU has these one after the other */
                    general_case(t, l, n, count);
                    schur_case(t, l, n, o % 2 ? 'L' : 'N', count);
                }
                exponential_case(t, l, n, o % 2 ? 0.1 : 2.0 / (double)n, count);
            }
        on_device_case(type % 2);
        if (t == TSL_D && largest >= 97)
            inverse_case(t, DENSE, 257, 256, 1); /* one that all cores have together */
        checked("%s: %c: all spectra", where, tsl_type_letter(t));
    }
}

int main(void)
{
    static const struct {
        const char *devices;
        int64_t largest;
    } on[] = {{"host", 97}, {"host:3", 17}, {"host:2,mem=300K", 9}, {"cuda", 97}};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        where = on[i].devices;
        ctx = context_on(where);
        if (!ctx)
            continue;
        all_operations(on[i].largest);
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
