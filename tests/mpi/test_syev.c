/* Eigenpairs on grids: all, some by number, values alone; matrices, values and vectors in any layout, both triangles.
 * Residuals, orthogonality, and eigenvalues beside LAPACK's; every process has the same. */
#include <string.h>

#include "cases.h"
#include "eig.h"
#include "whole.h"

static const int64_t blocks[] = {1, 5, 32}, orders[] = {1, 2, 23, 75};

typedef struct problem {
    tsl_matrix *A, *w, *V;
    dense full, values;
} problem;

/* A of the triangle that is meant; the other is not a number. */
static tsl_status make(problem *k, const team *t, tsl_context *x, unsigned turn, tsl_type type, int64_t n, tsl_uplo uplo, int64_t columns)
{
    tsl_scheme scheme = pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST;
    tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), blocks[pick(turn, 3, COUNT(blocks))], scheme), v = layout(t, pick(turn, 4, LAYOUTS), 7, scheme);
    tsl_layout beside = pick(turn, 5, 2) ? tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY) : tsl_layout_vector(t->grid, 3);
    beside.scheme = scheme;
    *k = (problem){.full = eig_matrix(type, n, EIG_RANDOM)};
    k->values = eig_lapack(&k->full);
    dense A = eig_triangle(&k->full, uplo);
    tsl_status st = tsl_matrix_create_on(x, &l, type, n, n, &k->A);
    if (!st) st = tsl_matrix_create_on(x, &beside, eig_real(type), n, 1, &k->w);
    if (!st) st = tsl_matrix_create_on(x, &v, type, n, columns, &k->V);
    if (!st) st = tsl_scatter(x, 0, A.data, A.ld, tsl_whole(k->A));
    dense_free(&A);
    return st;
}

static void done(problem *k)
{
    tsl_matrix_free(k->A), tsl_matrix_free(k->w), tsl_matrix_free(k->V);
    dense_free(&k->full), dense_free(&k->values);
}

/* Between two eigenvalues, or beyond all */
static double bound(const problem *k, int64_t above)
{
    int64_t n = k->values.m;
    double low = creal(dense_get(&k->values, above > 0 ? above - 1 : 0, 0));
    double high = creal(dense_get(&k->values, above < n ? above : n - 1, 0));
    return above == 0 ? low - 1 : above == n ? high + 1 : (low + high) / 2;
}

/* job 0: values alone; 1: all pairs; 2: some, by number; 3: by value */
static double pairs(const team *t, tsl_context *x, unsigned turn, tsl_type type, int64_t n, int job)
{
    tsl_uplo uplo = pick(turn, 6, 2) ? TSL_UPPER : TSL_LOWER;
    int64_t first = job > 1 ? n / 3 : 0, count = job > 1 ? n / 2 : n, info = -7, m = -7;
    problem k;
    tsl_selection which = {.range = TSL_RANGE_INDEX, .il = first + 1, .iu = first + count};
    tsl_status st = make(&k, t, x, turn, type, n, uplo, count);
    if (job == 3) which = (tsl_selection){.range = TSL_RANGE_VALUE, .vl = bound(&k, first), .vu = bound(&k, first + count)};
    tsl_view S = st ? (tsl_view){0} : tsl_whole(k.A), none = {0};
    if (!st) st = tsl_syev(x, uplo == TSL_LOWER ? tsl_lower(S) : tsl_upper(S), job > 1 ? &which : NULL, tsl_whole(k.w), job ? tsl_whole(k.V) : none, &m, &info);
    double worst = INFINITY;
    if (!st && !info && m == count) {
        dense w = everything(x, k.w, n, 1), V = everything(x, k.V, n, count), w0 = dense_copy(&w);
        MPI_Bcast(w0.data, (int)(w0.ld * (int64_t)tsl_type_size(w0.t)), MPI_BYTE, 0, MPI_COMM_WORLD);
        worst = eig_off(&w, &k.values, first, count);
        if (job) worst = worse(worse(worst, eig_residual(&k.full, &V, &w, count, 1)), eig_apart(&V, count));
        for (int64_t i = 0; i < n; i++)
            if (dense_get(&w, i, 0) != dense_get(&w0, i, 0) || (i >= count && dense_get(&w, i, 0) != 0)) worst = INFINITY;
        dense_free(&w), dense_free(&V), dense_free(&w0);
    }
    if (!(worst < BOUND)) printf("# rank %d: order %d, job %d: %s, info %d, %d found: %s\n", t->rank, (int)n, job, tsl_status_name(st), (int)info, (int)m, tsl_error(x));
    done(&k);
    return worst;
}

static void sweep(const team *t, tsl_context *const ctx[2], tsl_type type)
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100 + type * 10);
    double worst = 0;
    for (unsigned i = 0; i < COUNT(orders); i++)
        for (int job = 0; job < 4; job++, turn++)
            if (job < 2 || orders[i] > 2) worst = worse(worst, pairs(t, ctx[pick(turn, 0, 2)], turn, type, orders[i], job));
    all_ok(t, worst < BOUND, "%csyev on %dx%d: %.2g", tsl_type_letter(type), t->rows, t->cols, worst);
}

/* A x = l B x and its kin, and a B that is not definite */
static void of_two(const team *t, tsl_context *x, tsl_type type, int64_t n)
{
    unsigned turn = (unsigned)(t->rows * 77 + type * 13 + n);
    for (int itype = 1; itype <= 3; itype++, turn++) {
        tsl_uplo uplo = pick(turn, 6, 2) ? TSL_UPPER : TSL_LOWER, other = pick(turn, 7, 3) ? uplo : TSL_LOWER;
        tsl_layout l = layout(t, pick(turn, 8, LAYOUTS), 6, TSL_IN_HOST);
        problem k;
        tsl_matrix *F = NULL;
        int64_t info = -7, m = -7, not_definite = -7;
        tsl_status st = make(&k, t, x, turn, type, n, uplo, n);
        dense B = dense_definite(type, n, TSL_GENERAL), half = eig_triangle(&B, other), A = eig_triangle(&k.full, uplo);
        if (!st) st = tsl_matrix_create_on(x, &l, type, n, n, &F);
        if (!st) st = tsl_scatter(x, 0, half.data, half.ld, tsl_whole(F));
        tsl_view S = uplo == TSL_LOWER ? tsl_lower(tsl_whole(k.A)) : tsl_upper(tsl_whole(k.A)), L = other == TSL_LOWER ? tsl_lower(tsl_whole(F)) : tsl_upper(tsl_whole(F));
        if (!st) st = tsl_sygv(x, itype, S, L, NULL, tsl_whole(k.w), tsl_whole(k.V), &m, &info);
        dense w = everything(x, k.w, n, 1), V = everything(x, k.V, n, n);
        check_two("on a grid", itype, &k.full, &B, &V, &w, n);
        dense_put(&half, n / 2, n / 2, -1);
        if (!st) st = tsl_scatter(x, 0, half.data, half.ld, tsl_whole(F));
        if (!st) st = tsl_scatter(x, 0, A.data, A.ld, tsl_whole(k.A));
        if (!st) st = tsl_sygv(x, itype, S, L, NULL, tsl_whole(k.w), tsl_whole(k.V), &m, &not_definite);
        all_ok(t, !st && !info && not_definite == n + n / 2 + 1 && !tap_group_failed, "%csygv on %dx%d, itype %d: %s, info %d, %d: %s", tsl_type_letter(type), t->rows, t->cols, itype,
               tsl_status_name(st), (int)info, (int)not_definite, tsl_error(x));
        dense_free(&B), dense_free(&half), dense_free(&A), dense_free(&w), dense_free(&V);
        tsl_matrix_free(F);
        done(&k);
    }
}

/* Not a number: an info everywhere. Too few columns for the eigenvalues of an interval: how many there are, everywhere */
static void odd(const team *t, tsl_context *x)
{
    problem k;
    int64_t info = -7, m = -7;
    enum { N = 23 };
    tsl_status st = make(&k, t, x, 7, TSL_Z, N, TSL_LOWER, N), refused;
    tsl_selection which = {.range = TSL_RANGE_VALUE, .vl = bound(&k, 3), .vu = bound(&k, 10)};
    refused = tsl_syev(x, tsl_lower(tsl_whole(k.A)), &which, tsl_whole(k.w), tsl_sub(tsl_whole(k.V), 0, 0, N, 5), &m, NULL);
    all_ok(t, refused == TSL_ERR_SHAPE && m == 7 && strstr(tsl_error(x), "7 eigenvalues are in the interval"), "few: %s",
           tsl_error(x));
    dense_put(&k.full, N - 1, 0, NAN);
    if (!st) st = tsl_scatter(x, 0, k.full.data, k.full.ld, tsl_whole(k.A));
    if (!st) st = tsl_syev(x, tsl_lower(tsl_whole(k.A)), NULL, tsl_whole(k.w), tsl_whole(k.V), &m, &info);
    dense w = everything(x, k.w, N, 1), V = everything(x, k.V, N, N);
    all_ok(t, !st && info > 0 && info <= N && eig_spoiled(&w, 1) && eig_spoiled(&V, N), "NaN: %s, info %d", tsl_status_name(st), (int)info);
    dense_free(&w), dense_free(&V);
    done(&k);
}

/* The Schur form with some eigenvalues first: how many, which every process counts. Processes may ask or not. */
static void sorted(const team *t, tsl_context *x, tsl_type type)
{
    enum { N = 71 };
    tsl_layout l = tsl_layout_matrix(t->grid, 5), v = tsl_layout_vector(t->grid, 3);
    tsl_matrix *A, *w, *wi;
    dense d = dense_make(type, N, N, CANARY_FINITE);
    int64_t sdim = -7, info = -7, right = 0;
    dense_random(&d, 3);
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = j; i < N; i++)
            dense_put(&d, i, j, i > j ? 0 : j % 3 ? 2 + (double)j : -1 - (double)j), right += i == j && j % 3 == 0;
    tsl_status st = tsl_matrix_create_on(x, &l, type, N, N, &A);
    if (!st) st = tsl_matrix_create_on(x, &v, type, N, 1, &w);
    if (!st) st = tsl_matrix_create_on(x, &v, type, N, 1, &wi);
    if (!st) st = tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A));
    tsl_view none = {0}, imaginary = type == TSL_D ? tsl_whole(wi) : none;
    if (!st) st = tsl_gees(x, tsl_whole(A), TSL_SORT_LHP, tsl_whole(w), imaginary, none, t->rank % 2 ? NULL : &sdim, &info);
    all_ok(t, !st && info == 0 && (t->rank % 2 || sdim == right), "%c: %d sorted first, not %d: %s %s", tsl_type_letter(type),
           (int)sdim,
           (int)right, tsl_status_name(st), tsl_error(x));
    tsl_matrix_free(A), tsl_matrix_free(w), tsl_matrix_free(wi);
    dense_free(&d);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    for (int type = TSL_S; type <= TSL_Z; type++) sweep(&t, ctx, (tsl_type)type);
    for (int type = TSL_S; type <= TSL_Z; type++) of_two(&t, ctx[type % 2], (tsl_type)type, type % 2 ? 33 : 75);
    odd(&t, ctx[1]);
    sorted(&t, ctx[0], TSL_D), sorted(&t, ctx[1], TSL_Z);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
