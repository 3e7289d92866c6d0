/* QR and LQ on grids: residual and orthogonality by the reflectors, LAPACK's factors, signs and all; products with Q, Q itself
 * and least squares against reflectors and LAPACK in double complex; blocks of any matrix, tall and wide, with factors laid out
 * in any way; NaN, rank-deficient matrices, no elements; errors of one process; the same bits in every run; every allocation of
 * one process failing in turn. */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "qr.h"
#include "shortage.h"

enum { LIMIT = 30 };
static const int64_t blocks[] = {1, 5, 32};
static const int64_t shapes[][2] = {{67, 67}, {101, 60}, {60, 101}, {33, 33}, {120, 7}, {7, 120}, {1, 1}, {90, 89}, {1, 9}, {70, 1}};

/* Everybody has all of d and, after the factorization, of f and tau; the block factored is m x n, as stored, from (at, at) on,
 * seen through `op`. */
typedef struct problem {
    tsl_type type;
    tsl_op op;
    int64_t m, n, at, count;
    tsl_matrix *A, *T;
    dense d, f, tau;
} problem;

static tsl_view inner(const problem *k)
{
    tsl_view v = tsl_sub(tsl_whole(k->A), k->at, k->at, k->m, k->n);
    v.op = k->op;
    return v;
}

static dense part(const problem *k, const dense *d)
{
    dense e = dense_make(k->type, k->m, k->n, CANARY_FINITE);
    for (int64_t j = 0; j < k->n; j++)
        for (int64_t i = 0; i < k->m; i++) dense_put(&e, i, j, dense_get(d, k->at + i, k->at + j));
    return e;
}

static tsl_status put(const problem *k, tsl_context *x) { return tsl_scatter(x, 0, k->d.data, k->d.ld, tsl_whole(k->A)); }

static tsl_status make(problem *k, const team *t, tsl_context *x, tsl_layout l, unsigned kind, tsl_type type, tsl_op op, int64_t m, int64_t n, int64_t at)
{
    *k = (problem){.type = type, .op = op, .m = m, .n = n, .at = at, .count = qr_min(m, n), .d = dense_make(type, m + at, n + at, CANARY_FINITE)};
    tsl_layout lt = layout_beside(t, kind, l, TSL_OVER_COLS);
    dense_random(&k->d, (uint64_t)(m + 1000 * n));
    tsl_status st = tsl_matrix_create_on(x, &l, type, m + at, n + at, &k->A);
    return st ? st : tsl_matrix_create_on(x, &lt, type, k->count, 1, &k->T);
}

static void drop(problem *k)
{
    tsl_matrix_free(k->A), tsl_matrix_free(k->T);
    dense_free(&k->d), dense_free(&k->f), dense_free(&k->tau);
}

static tsl_status factor(problem *k, tsl_context *x)
{
    dense_free(&k->f), dense_free(&k->tau);
    tsl_status st = put(k, x);
    if (!st) st = tsl_geqrf(x, inner(k), tsl_whole(k->T));
    k->f = everything(x, k->A, k->m + k->at, k->n + k->at);
    k->tau = everything(x, k->T, k->count, 1);
    return st;
}

static double apart(const dense *a, const dense *b)
{
    double most = 0;
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t i = 0; i < a->m; i++) {
            double off = cabs(dense_get(a, i, j) - dense_get(b, i, j));
            most = off <= most ? most : isnan(off) ? INFINITY : off;
        }
    return most;
}

/* The worst of residual, orthogonality and, alike, in 100 n eps, distance from LAPACK's; infinite if something beside the block
 * was written */
static double judged(const problem *k, bool alike)
{
    dense was = part(k, &k->d), now = part(k, &k->f), theirs = dense_copy(&was), tau = dense_make(k->type, k->count, 1, 0);
    operand A = {.d = &was, .op = k->op}, F = {.d = &now, .op = k->op};
    double worst = worse(worse(0, qr_residual(&A, &F, &k->tau)), qr_orthogonality(&F, &k->tau)), size = (double)qr_max(k->m, k->n);
    qr_lapack(&theirs, &tau, k->op != TSL_NOTRANS);
    double far = worse(worse(0, apart(&now, &theirs) / size), apart(&tau, &k->tau)) / (100 * size * tsl_type_eps(k->type));
    worst = worse(worst, alike ? LIMIT * far : 0);
    for (int64_t j = 0; j < k->n + k->at; j++)
        for (int64_t i = 0; i < k->m + k->at; i++)
            if ((i < k->at || j < k->at) && dense_get(&k->f, i, j) != dense_get(&k->d, i, j)) worst = INFINITY;
    dense_free(&was), dense_free(&now), dense_free(&theirs), dense_free(&tau);
    return worst;
}

static double quality(const problem *k) { return judged(k, true); }

/* Of columns that depend on each other: by a tree other reflectors than LAPACK's may come out */
static double of_dependent(const problem *k) { return judged(k, !getenv("TESELA_PANELS")); }

static void sweep(const team *t, tsl_context *const ctx[2])
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (unsigned b = 0; b < COUNT(blocks); b++) {
            double worst = 0;
            int good = 1;
            for (unsigned i = 0; i < (blocks[b] == 1 ? 2 : COUNT(shapes)); i++, turn++) {
                tsl_context *x = ctx[pick(turn, 0, 2)];
                tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), blocks[b], pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
                problem k;
                tsl_op op = pick(turn, 5, 2) ? qr_herm((tsl_type)type) : TSL_NOTRANS;
                tsl_status st = make(&k, t, x, l, pick(turn, 3, BESIDE), (tsl_type)type, op, shapes[i][0], shapes[i][1], pick(turn, 4, 4));
                if (!st) st = factor(&k, x);
                if (!st) worst = worse(worst, quality(&k));
                else printf("# rank %d: %s\n", t->rank, tsl_error(x));
                good &= !st;
                drop(&k);
            }
            all_ok(t, good && worst < LIMIT, "%cgeqrf and gelqf on %dx%d in blocks of %lld: %.2g", tsl_type_letter((tsl_type)type), t->rows, t->cols,
                   (long long)blocks[b], worst);
        }
}

/* C := op(Q) C or C op(Q), C laid out otherwise than A, seen as stored or through its conjugate transpose; |C - by reflectors| */
static double product(const problem *k, const team *t, tsl_context *x, unsigned turn, tsl_status *st)
{
    enum { WIDE = 37 };
    bool right = pick(turn, 0, 2), inverse = pick(turn, 1, 2), turned = pick(turn, 2, 2);
    dense F = part(k, &k->f);
    operand A = {.d = &F, .op = k->op};
    int64_t q = seen_rows(&A), m = right ? WIDE : q, n = right ? q : WIDE;
    tsl_op herm = qr_herm(k->type);
    dense c = dense_make(k->type, turned ? n : m, turned ? m : n, CANARY_FINITE);
    tsl_layout l = layout(t, pick(turn, 3, LAYOUTS), pick(turn, 4, 2) ? 5 : 32, pick(turn, 5, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
    tsl_matrix *C = NULL;
    dense_random(&c, 3 + turn);
    if (!*st) *st = tsl_matrix_create_on(x, &l, k->type, c.m, c.n, &C);
    if (!*st) *st = tsl_scatter(x, 0, c.data, c.ld, tsl_whole(C));
    tsl_view v = tsl_whole(C);
    if (turned) v.op = herm;
    tsl_op of_q = inverse ? herm : TSL_NOTRANS;
    if (!tsl_is_complex(k->type) && pick(turn, 6, 2)) of_q ^= TSL_CONJ; /* of real elements nothing */
    if (!*st) *st = tsl_ormqr(x, right ? TSL_RIGHT : TSL_LEFT, of_q, inner(k), tsl_whole(k->T), v);
    if (*st) return INFINITY;
    dense got = everything(x, C, c.m, c.n);
    operand before = {.d = &c, .op = turned ? herm : TSL_NOTRANS}, after = {.d = &got, .op = before.op};
    tsl_scalar *X = qr_room(q, WIDE); /* C, or from the right its conjugate transpose, which Q^H multiplies for Q */
    for (int64_t j = 0; j < WIDE; j++)
        for (int64_t i = 0; i < q; i++) X[i + j * q] = right ? conj(seen(&before, j, i)) : seen(&before, i, j);
    double size = qr_norm(X, q, WIDE);
    qr_reflect(&A, &k->tau, inverse != right, X, WIDE);
    for (int64_t j = 0; j < WIDE; j++)
        for (int64_t i = 0; i < q; i++) X[i + j * q] -= right ? conj(seen(&after, j, i)) : seen(&after, i, j);
    double off = qr_norm(X, q, WIDE) / (size * (double)qr_max(k->m, k->n) * tsl_type_eps(k->type));
    free(X);
    dense_free(&F), dense_free(&c), dense_free(&got);
    tsl_matrix_free(C);
    return off;
}

/* The first columns of Q, as A has them, of the first `count` reflectors */
static double q_itself(const problem *k, tsl_context *x, int64_t count, tsl_status *st)
{
    dense F = part(k, &k->f), tau = dense_make(k->type, count, 1, 0);
    operand A = {.d = &F, .op = k->op};
    int64_t m = seen_rows(&A), n = seen_cols(&A);
    for (int64_t i = 0; i < count; i++) dense_put(&tau, i, 0, dense_get(&k->tau, i, 0));
    if (!*st) *st = tsl_orgqr(x, inner(k), tsl_sub(tsl_whole(k->T), 0, 0, count, 1));
    if (*st) return INFINITY;
    dense all = everything(x, k->A, k->m + k->at, k->n + k->at), got = part(k, &all);
    operand Q = {.d = &got, .op = k->op};
    tsl_scalar *X = qr_room(m, n);
    for (int64_t j = 0; j < n; j++) X[j + j * m] = 1;
    qr_reflect(&A, &tau, false, X, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) X[i + j * m] -= seen(&Q, i, j);
    double off = qr_norm(X, m, n) / ((double)m * tsl_type_eps(k->type));
    free(X);
    dense_free(&F), dense_free(&tau), dense_free(&all), dense_free(&got);
    return off;
}

static void products(const team *t, tsl_context *const ctx[2], tsl_type type)
{
    unsigned turn = (unsigned)(t->rows * 100 + t->cols * 10 + (int)type * 1000);
    double worst[2] = {0, 0};
    tsl_status st = TSL_OK;
    for (unsigned i = 0; i < 12 && !st; i++, turn++) {
        static const int64_t sizes[][2] = {{67, 67}, {101, 60}, {33, 20}, {120, 7}, {90, 89}, {40, 1}};
        tsl_context *x = ctx[pick(turn, 0, 2)];
        tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), pick(turn, 6, 2) ? 5 : 32, pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
        bool lq = i % 2;
        int64_t m = sizes[i / 2][0], n = sizes[i / 2][1];
        problem k;
        st = make(&k, t, x, l, pick(turn, 3, BESIDE), type, lq ? qr_herm(type) : TSL_NOTRANS, lq ? n : m, lq ? m : n, pick(turn, 4, 4));
        if (!st) st = factor(&k, x);
        for (unsigned j = 0; j < 3; j++) worst[0] = worse(worst[0], product(&k, t, x, 5 * turn + j, &st));
        worst[1] = worse(worst[1], q_itself(&k, x, pick(turn, 5, 2) ? k.count : k.count / 2, &st));
        if (st) printf("# rank %d: %s\n", t->rank, tsl_error(x));
        drop(&k);
    }
    all_ok(t, !st && worst[0] < LIMIT && worst[1] < LIMIT, "%c on %dx%d: products with Q off by %.2g, Q by %.2g", tsl_type_letter(type), t->rows, t->cols,
           worst[0], worst[1]);
}

/* LAPACK's answer in double complex, of A as it is seen; B has max(m,n) rows */
static void lapack_gels(const operand *A, tsl_scalar *B, int64_t nrhs)
{
    int64_t m = seen_rows(A), n = seen_cols(A);
    tsl_scalar *a = qr_room(m, n);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) a[i + j * m] = seen(A, i, j);
    if (LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', (lapack_int)m, (lapack_int)n, (lapack_int)nrhs, (void *)a, (lapack_int)m, (void *)B, (lapack_int)qr_max(m, n))) abort();
    free(a);
}

static double least_squares(const team *t, tsl_context *x, tsl_type type, unsigned turn, int64_t m, int64_t n, tsl_status *st)
{
    enum { NRHS = 6 };
    tsl_scheme scheme = pick(turn, 0, 2) ? TSL_ON_DEVICE : TSL_IN_HOST;
    tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), pick(turn, 2, 2) ? 5 : 32, scheme), lb = layout(t, pick(turn, 3, LAYOUTS), 7, scheme);
    bool turned = pick(turn, 4, 2);
    int64_t longest = qr_max(m, n), info = -1;
    problem k;
    tsl_matrix *B = NULL;
    dense b = dense_make(type, longest, NRHS, CANARY_FINITE);
    dense_random(&b, 7);
    double scale = turn % 4 == 0 ? (qr_single(type) ? 1e-36 : 1e-300) : 1; /* brought into range */
    *st = make(&k, t, x, l, 0, type, turned ? qr_herm(type) : TSL_NOTRANS, turned ? n : m, turned ? m : n, pick(turn, 5, 3));
    for (int64_t i = 0; i < qr_min(m, n); i++) dense_put(&k.d, k.at + i, k.at + i, dense_get(&k.d, k.at + i, k.at + i) + 4);
    for (int64_t j = 0; j < k.d.n; j++)
        for (int64_t i = 0; i < k.d.m; i++) dense_put(&k.d, i, j, scale * dense_get(&k.d, i, j));
    if (!*st) *st = put(&k, x);
    if (!*st) *st = tsl_matrix_create_on(x, &lb, type, longest, NRHS, &B);
    if (!*st) *st = tsl_scatter(x, 0, b.data, b.ld, tsl_whole(B));
    if (!*st) *st = tsl_gels(x, inner(&k), tsl_whole(B), &info);
    double off = INFINITY;
    if (!*st && info == 0) {
        dense got = everything(x, B, longest, NRHS), was = part(&k, &k.d);
        operand A = {.d = &was, .op = k.op};
        tsl_scalar *X = qr_room(longest, NRHS), *D = qr_room(n, NRHS);
        for (int64_t j = 0; j < NRHS; j++)
            for (int64_t i = 0; i < m; i++) X[i + j * longest] = scale * dense_get(&b, i, j);
        lapack_gels(&A, X, NRHS);
        for (int64_t j = 0; j < NRHS; j++)
            for (int64_t i = 0; i < n; i++) D[i + j * n] = X[i + j * longest] - scale * dense_get(&got, i, j);
        off = qr_norm(D, n, NRHS) / (qr_norm(X, longest, NRHS) * (double)longest * tsl_type_eps(type));
        free(X), free(D);
        dense_free(&got), dense_free(&was);
    }
    tsl_matrix_free(B);
    dense_free(&b);
    drop(&k);
    return off;
}

static void solves(const team *t, tsl_context *const ctx[2], tsl_type type)
{
    static const int64_t sizes[][2] = {{60, 60}, {95, 40}, {40, 95}, {33, 1}, {1, 33}, {70, 69}, {69, 70}, {5, 3}};
    double worst = 0;
    tsl_status st = TSL_OK;
    for (unsigned i = 0; i < COUNT(sizes) && !st; i++)
        worst = worse(worst, least_squares(t, ctx[i % 2], type, (unsigned)type * 100 + i, sizes[i][0], sizes[i][1], &st));
    all_ok(t, !st && worst < 10 * LIMIT, "%cgels on %dx%d: off by %.2g (%s)", tsl_type_letter(type), t->rows, t->cols, worst, tsl_status_name(st));
}

/* A column of zeros: info, and a B that was not solved for; zeros; NaN; no elements. */
static void special(const team *t, tsl_context *x, tsl_scheme scheme)
{
    enum { M = 50, N = 30 };
    tsl_layout l = layout(t, 0, 8, scheme);
    problem k;
    tsl_matrix *B = NULL, *E = NULL, *F = NULL;
    int64_t info = -1;
    int good = !make(&k, t, x, l, 1, TSL_D, TSL_NOTRANS, M, N, 0) && !tsl_matrix_create_on(x, &l, TSL_D, M, 3, &B) &&
               !tsl_scatter(x, 0, k.d.data, k.d.ld, tsl_sub(tsl_whole(B), 0, 0, M, 3));
    for (int64_t i = 0; i < M; i++) dense_put(&k.d, i, 17, 0), dense_put(&k.d, i, 25, 0);
    good = good && !factor(&k, x) && of_dependent(&k) < LIMIT && !put(&k, x) && !tsl_gels(x, tsl_whole(k.A), tsl_whole(B), &info);
    all_ok(t, good && info == 18, "a column of zeros: info is %lld", (long long)info);
    dense_fill(&k.d, 0);
    good = !factor(&k, x) && of_dependent(&k) < LIMIT && !put(&k, x) && !tsl_gels(x, tsl_whole(k.A), tsl_whole(B), &info) && info == 0;
    dense X = everything(x, B, M, 3);
    for (int64_t i = 0; i < 3 * M; i++) good &= dense_get(&X, i % M, i / M) == 0;
    all_ok(t, good, "zeros are solved by zeros");
    dense_random(&k.d, 8);
    dense_put(&k.d, 40, 11, NAN);
    good = !factor(&k, x) && scalar_nan(dense_get(&k.f, 11, N - 1)) && !scalar_nan(dense_get(&k.f, 10, 10)) && !put(&k, x) &&
           !tsl_gels(x, tsl_whole(k.A), tsl_whole(B), &info);
    all_ok(t, good, "NaN stays NaN, and nobody waits");
    good = !tsl_matrix_create_on(x, &l, TSL_D, 0, N, &E) && !tsl_matrix_create_on(x, &l, TSL_D, 0, 1, &F) && !tsl_geqrf(x, tsl_whole(E), tsl_whole(F)) &&
           !tsl_ormqr(x, TSL_LEFT, TSL_TRANS, tsl_sub(tsl_whole(k.A), 0, 0, M, 0), tsl_whole(F), tsl_whole(B)) &&
           !tsl_orgqr(x, tsl_whole(k.A), tsl_whole(F)) && !tsl_gels(x, tsl_whole(E), tsl_sub(tsl_whole(B), 0, 0, N, 3), &info) && info == 0;
    dense Q = everything(x, k.A, M, N);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < M; i++) good &= dense_get(&Q, i, j) == (i == j);
    all_ok(t, good, "no elements, no reflectors: %s", tsl_error(x));
    dense_free(&X), dense_free(&Q);
    tsl_matrix_free(B), tsl_matrix_free(E), tsl_matrix_free(F);
    drop(&k);
}

/* Columns whose squares are out of range: the factors of a matrix times a power of two are its own, and R times that. */
static void far(const team *t, tsl_context *x, tsl_type type, tsl_scheme scheme)
{
    enum { M = 90, N = 40 };
    tsl_layout l = layout(t, 0, 20, scheme);
    problem k;
    int good = !make(&k, t, x, l, 1, type, TSL_NOTRANS, M, N, 0) && !factor(&k, x) && quality(&k) < LIMIT;
    int most = qr_single(type) ? 100 : 980;
    dense f = dense_copy(&k.f), tau = dense_copy(&k.tau), d = dense_copy(&k.d);
    double worst = 0;
    for (int way = 0; way < 3 && good; way++) {
        double by = ldexp(1, way == 0 ? -most : most);
        for (int64_t j = 0; j < N; j++) /* all columns, or every other one */
            for (int64_t i = 0; i < M; i++) dense_put(&k.d, i, j, dense_get(&d, i, j) * (way < 2 || j % 2 ? by : 1 / by));
        good = !factor(&k, x);
        for (int64_t j = 0; j < N && good; j++)
            for (int64_t i = 0; i < M; i++) {
                double scale = i > j ? 1 : way < 2 || j % 2 ? by : 1 / by;
                worst = worse(worst, cabs(dense_get(&k.f, i, j) / scale - dense_get(&f, i, j)));
            }
        worst = worse(worst, apart(&tau, &k.tau));
    }
    all_ok(t, good && worst < 1000 * tsl_type_eps(type), "%c: columns far out of range, %s: off by %.2g", tsl_type_letter(type),
           scheme ? "on devices" : "in host memory", worst);
    dense_free(&f), dense_free(&tau), dense_free(&d);
    drop(&k);
}

/* What one process gets wrong, or sees otherwise than the others, all refuse. */
static void errors(const team *t, tsl_context *x)
{
    enum { N = 30 };
    tsl_layout l = layout(t, 0, 4, TSL_IN_HOST);
    int odd = t->rank == t->size - 1, many = t->size > 1;
    problem k, other;
    int64_t info = -77;
    int good = !make(&k, t, x, l, 0, TSL_Z, TSL_NOTRANS, N, N, 0) && !make(&other, t, x, l, 1, TSL_Z, TSL_NOTRANS, N, N, 0) && !factor(&k, x) && !put(&other, x);
    all_ok(t, good, "a factorization");
    tsl_view A = tsl_whole(k.A), tau = tsl_whole(k.T), C = tsl_whole(other.A);
    tsl_status st = tsl_geqrf(x, A, odd ? (tsl_view){0} : tau);
    all_ok(t, st == TSL_ERR_VIEW && same_everywhere(st), "one process has no factors: %s", tsl_error(x));
    st = tsl_geqrf(x, A, odd ? tsl_sub(tau, 0, 0, N - 1, 1) : tau);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "one process's are too few: %s", tsl_error(x));
    st = tsl_geqrf(x, odd ? tsl_trans(A) : A, tau);
    all_ok(t, st == TSL_ERR_FLAG && same_everywhere(st), "one process's A is transposed: %s", tsl_error(x));
    st = tsl_geqrf(x, odd ? tsl_herm(A) : A, tau);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process wants LQ: %s", tsl_error(x));
    st = tsl_geqrf(x, A, tsl_sub(A, 0, 0, N, 1));
    all_ok(t, st == TSL_ERR_OVERLAP && same_everywhere(st), "factors in A: %s", tsl_error(x));
    st = tsl_geqrf(x, A, odd ? tsl_whole(other.T) : tau);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process's are others: %s", tsl_error(x));
    st = tsl_ormqr(x, TSL_LEFT, odd ? TSL_HERM : TSL_NOTRANS, A, tau, C);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process wants the inverse: %s", tsl_error(x));
    st = tsl_ormqr(x, TSL_LEFT, odd ? TSL_TRANS : TSL_NOTRANS, A, tau, C);
    all_ok(t, st == TSL_ERR_FLAG && same_everywhere(st), "one process wants the transpose: %s", tsl_error(x));
    st = tsl_ormqr(x, odd ? TSL_RIGHT : TSL_LEFT, TSL_NOTRANS, A, tau, C);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process wants it from the right: %s", tsl_error(x));
    st = tsl_gels(x, A, odd ? tsl_sub(C, 0, 0, N - 1, 3) : tsl_sub(C, 0, 0, N, 3), &info);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st) && info == -77, "one process has too few right-hand sides' rows: %s", tsl_error(x));
    tsl_set(x, "variant", "late");
    st = tsl_geqrf(x, A, tau);
    all_ok(t, !many || (st == TSL_ERR_OPTION && same_everywhere(st)), "no such variant on a grid: %s", tsl_error(x));
    tsl_set(x, "variant", "auto");
    dense same = everything(x, other.A, N, N);
    all_ok(t, (!many || dense_same(&same, &other.d)) && !factor(&k, x) && quality(&k) < LIMIT, "nothing was touched, and the grid goes on working");
    dense_free(&same);
    drop(&k), drop(&other);
}

typedef struct starved { problem k; tsl_matrix *B; dense first, rhs; } starved;

static tsl_status ready(void *of, tsl_context *x)
{
    starved *s = of;
    tsl_status st = put(&s->k, x);
    return st ? st : tsl_scatter(x, 0, s->rhs.data, s->rhs.ld, tsl_whole(s->B));
}

static tsl_status call(void *of, tsl_context *x)
{
    starved *s = of;
    return tsl_gels(x, tsl_whole(s->k.A), tsl_whole(s->B), NULL);
}

static int same(void *of, tsl_context *x, tsl_status st)
{
    (void)st;
    starved *s = of;
    return !factor(&s->k, x) && dense_same(&s->first, &s->k.f);
}

static void memory(const team *t, const char *devices, tsl_scheme scheme)
{
    enum { M = 75, N = 50 };
    tsl_context *x = shortage_context(t, devices);
    starved s = {.rhs = dense_make(TSL_D, M, 2, 0)};
    tsl_layout l = layout(t, 1, 16, scheme);
    dense_random(&s.rhs, 2);
    if (!x) return;
    all_ok(t, !make(&s.k, t, x, l, 0, TSL_D, TSL_NOTRANS, M, N, 0) && !tsl_matrix_create_on(x, &l, TSL_D, M, 2, &s.B) && !factor(&s.k, x), "a factorization");
    s.first = dense_copy(&s.k.f);
    shortage_trials(t, x, devices, 400, &(trial){ready, call, same, &s});
    dense_free(&s.first), dense_free(&s.rhs);
    tsl_matrix_free(s.B);
    drop(&s.k);
    tsl_context_destroy(x);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    sweep(&t, ctx);
    for (int type = TSL_S; type <= TSL_Z; type++) {
        products(&t, ctx, (tsl_type)type);
        solves(&t, ctx, (tsl_type)type);
    }
    for (int s = 0; s < 2; s++) special(&t, ctx[s], s ? TSL_ON_DEVICE : TSL_IN_HOST);
    for (int type = TSL_S; type <= TSL_Z; type++)
        far(&t, ctx[type % 2], (tsl_type)type, type % 2 ? TSL_ON_DEVICE : TSL_IN_HOST);
    errors(&t, ctx[0]);
    if (t.size > 1) { /* on the host whatever is tested: the hook supplies its memory */
        memory(&t, "host", TSL_IN_HOST);
        memory(&t, "host:1,mem=64M", TSL_ON_DEVICE);
    }
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
