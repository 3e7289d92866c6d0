/* L D L^T and L D L^H on grids: pivots and info are LAPACK's, factors are its factors up to rounding, of either triangle of a
 * block of any matrix, laid out in any way; singular matrices and NaN; the same bits on every process and in every
 * run. */
#include <string.h>

#include <lapacke.h>

#include "cases.h"
#include "core/numbers/largest.h"
#include "whole.h"

enum { LIMIT = 30 };

typedef enum kind { RANDOM, HOLLOW, PAIRS, SINGULAR, SPOILT, KINDS } kind;
static const char *const kind_name[KINDS] = {"random", "with zeros on the diagonal", "of a number and pairs", "singular",
                                               "with NaN"};

typedef struct problem {
    tsl_type type;
    tsl_uplo uplo;
    bool herm;
    int64_t n, at, info; /* the block from (at, at) on */
    dense was, f;
    tsl_matrix *A, *p;
    int64_t *piv;
} problem;

static tsl_scalar element(const problem *k, kind which, const dense *r, int64_t i, int64_t j)
{
    tsl_scalar v = dense_get(r, i, j);
    if (i < k->at || j < k->at) return v;
    if (i == j && k->herm) v = CMPLX(creal(v), 0);
    if (which == HOLLOW) return i == j ? 0 : v;
    if (which == PAIRS) return i == k->at ? 5 : i == j + 1 && (j - k->at) % 2; /* lower: blocks reach over ends of panels */
    if (which == SINGULAR && (i == k->at + k->n / 2 || j == k->at + k->n / 2)) return 0;
    return which == SPOILT && i == k->at + k->n - 1 && j == k->at ? NAN : v;
}

static tsl_view inner(const problem *k, tsl_matrix *A)
{
    tsl_view v = tsl_sub(tsl_whole(A), k->at, k->at, k->n, k->n);
    return k->uplo == TSL_LOWER ? tsl_lower(v) : tsl_upper(v);
}

static tsl_status fetch_pivots(const problem *k, const team *t, tsl_context *x)
{
    tsl_matrix *W = NULL;
    tsl_layout l = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_status st = tsl_matrix_wrap_on(x, &l, TSL_INDEX, k->n, 1, k->piv, k->n ? k->n : 1, &W);
    if (!st) st = tsl_copy(x, tsl_whole(k->p), tsl_whole(W));
    tsl_matrix_free(W);
    return st;
}

static tsl_status factor(problem *k, const team *t, tsl_context *x)
{
    tsl_view A = inner(k, k->A), p = tsl_whole(k->p);
    k->info = -1;
    tsl_status st = tsl_scatter(x, 0, k->was.data, k->was.ld, tsl_whole(k->A));
    if (!st) st = k->herm ? tsl_hetrf(x, A, p, &k->info) : tsl_sytrf(x, A, p, &k->info);
    if (!st) st = fetch_pivots(k, t, x);
    dense_free(&k->f);
    k->f = everything(x, k->A, k->n + k->at, k->n + k->at);
    return st;
}

static tsl_status make(problem *k, const team *t, tsl_context *x, tsl_layout l, unsigned pivots, kind which)
{
    int64_t n = k->n + k->at;
    dense r = dense_make(k->type, n, n, CANARY_FINITE);
    tsl_layout lp = layout_beside(t, pivots, l, TSL_OVER_ROWS);
    k->was = dense_make(k->type, n, n, CANARY_FINITE);
    k->piv = calloc((size_t)k->n + 1, sizeof *k->piv);
    if (!k->piv) abort();
    dense_random(&r, (uint64_t)(k->n + 1000 * (int)which));
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) dense_put(&k->was, i, j, element(k, which, &r, i >= j ? i : j, i >= j ? j : i));
    dense_free(&r);
    tsl_status st = tsl_matrix_create_on(x, &l, k->type, n, n, &k->A);
    return st ? st : tsl_matrix_create_on(x, &lp, TSL_INDEX, k->n, 1, &k->p);
}

static void drop(problem *k)
{
    tsl_matrix_free(k->A), tsl_matrix_free(k->p);
    dense_free(&k->was), dense_free(&k->f);
    free(k->piv);
}

static lapack_int by_lapack(const problem *k, dense *A, lapack_int *p)
{
    lapack_int n = (lapack_int)k->n, ld = (lapack_int)A->ld;
    char u = k->uplo == TSL_LOWER ? 'L' : 'U';
    void *a = dense_at(A, k->at, k->at);
    switch (k->type) {
    case TSL_S: return LAPACKE_ssytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    case TSL_D: return LAPACKE_dsytrf(LAPACK_COL_MAJOR, u, n, a, ld, p);
    case TSL_C: return (k->herm ? LAPACKE_chetrf : LAPACKE_csytrf)(LAPACK_COL_MAJOR, u, n, a, ld, p);
    default: return (k->herm ? LAPACKE_zhetrf : LAPACKE_zsytrf)(LAPACK_COL_MAJOR, u, n, a, ld, p);
    }
}

/* The largest difference of the two, over the largest element of what was factored, the order and eps */
static double apart(const problem *k, const dense *B)
{
    double off = 0, size = 0;
    for (int64_t j = 0; j < B->n; j++)
        for (int64_t i = 0; i < B->m; i++) {
            double d = cabs(dense_get(&k->f, i, j) - dense_get(B, i, j));
            off = d <= off ? off : isnan(d) ? INFINITY : d;
            size = tsl_larger(size, cabs(dense_get(B, i, j)));
        }
    return off == 0 ? 0 : off / (size * (double)k->n * tsl_type_eps(k->type));
}

/* Outside of the triangle nothing has changed. */
static bool strays(const problem *k)
{
    bool any = false;
    for (int64_t j = 0; j < k->f.n; j++)
        for (int64_t i = 0; i < k->f.m; i++) {
            bool meant = i >= k->at && j >= k->at && (k->uplo == TSL_LOWER ? i >= j : i <= j);
            tsl_scalar a = dense_get(&k->f, i, j), b = dense_get(&k->was, i, j);
            any |= !meant && memcmp(&a, &b, sizeof a) != 0;
        }
    return any;
}

static void one(const team *t, tsl_context *x, problem k, unsigned turn, kind which)
{
    static const int64_t blocks[] = {1, 4, 13, 32};
    tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), blocks[pick(turn, 2, 4)], pick(turn, 3, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
    tsl_status st = make(&k, t, x, l, pick(turn, 4, BESIDE), which);
    if (!st) st = factor(&k, t, x);
    dense e = dense_copy(&k.was);
    lapack_int *q = calloc((size_t)k.n + 1, sizeof *q), told = k.n && which != SPOILT ? by_lapack(&k, &e, q) : 0;
    if (!q) abort();
    bool same = !st && (which == SPOILT || k.info == told), finite = true;
    for (int64_t i = 0; i < k.n && which != SPOILT; i++) same &= k.piv[i] == q[i];
    for (int64_t j = k.at; j < k.f.n; j++)
        for (int64_t i = k.at; i < k.f.m; i++) finite &= scalar_finite(dense_get(&k.f, i, j)) != 0;
    double off = which == SPOILT ? 0 : apart(&k, &e);
    bool good = !st && !strays(&k) && (which == SPOILT ? !finite : same && off < LIMIT);
    all_ok(t, good, "%c%s %s of order %d, %s, on %dx%d: %s, pivots %s, info %d (%d), off by %.2g", tsl_type_letter(k.type),
           k.herm ? " Hermitian" : "", k.uplo == TSL_LOWER ? "lower" : "upper", (int)k.n, kind_name[which], t->rows, t->cols,
           tsl_status_name(st), same ? "alike" : "differ", (int)k.info, (int)told, off);
    free(q);
    dense_free(&e);
    drop(&k);
}

/* The same bits on every process and in two runs */
static void again(const team *t, tsl_context *x)
{
    problem k = {.type = TSL_D, .uplo = TSL_UPPER, .n = 70};
    tsl_status st = make(&k, t, x, layout(t, 1, 8, TSL_IN_HOST), 0, HOLLOW);
    if (!st) st = factor(&k, t, x);
    dense f = dense_copy(&k.f), all = dense_copy(&k.f);
    MPI_Bcast(all.data, (int)all.bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!st) st = factor(&k, t, x);
    all_ok(t, !st && dense_same(&f, &k.f) && dense_same(&all, &f), "the same bits: %s", tsl_status_name(st));
    dense_free(&f), dense_free(&all);
    drop(&k);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    static const int64_t orders[] = {97, 33, 1, 0, 66};
    unsigned turn = (unsigned)(t.rows * 100 + t.cols);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (int as = 0; as < 4; as++)
            for (unsigned i = 0; i < COUNT(orders) && (!(as & 2) || tsl_is_complex((tsl_type)type)); i++, turn++)
                for (int which = 0; which < KINDS; which++)
                    if (orders[i] > 1 ? which == (int)i || (i == 0 && which < 2) : which == RANDOM)
                        one(&t, ctx[turn % 2],
                            (problem){.type = (tsl_type)type, .uplo = as & 1 ? TSL_UPPER : TSL_LOWER, .herm = as & 2,
                                      .n = orders[i], .at = i % 2 ? 3 : 0}, turn, (kind)which);
    again(&t, ctx[0]);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
