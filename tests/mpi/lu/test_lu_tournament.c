/* LU on grids whose pivots are left of a tournament, asked for by name: residuals of factors and solutions, multipliers, blocks
 * of any matrix, tall and wide, pivots in range, the same bits in every run; with one row of processes the pivots of partial
 * pivoting; singular matrices, processes whose rows have no pivots, NaN and Inf; every allocation of one process failing in
 * turn. */
#include <string.h>

#include "starved.h"

/* Multipliers may exceed one, of random matrices by little. */
#define MULTIPLIER 30.0

static tsl_context *plain; /* which looks at what comes of it */

static const int64_t blocks[] = {1, 5, 32};
static const int64_t shapes[][2] = {{97, 97}, {131, 60}, {60, 131}, {33, 33}, {150, 7},
                                    {7, 150}, {1, 1},    {140, 139}, {195, 32}};

/* Row j changes places with one that has no pivot yet. */
static int in_range(const problem *k)
{
    for (int64_t j = 0; j < k->count; j++)
        if (k->piv[j] < j + 1 || k->piv[j] > k->m) return 0;
    return 1;
}

static double multiplier(const problem *k)
{
    double most = 0;
    for (int64_t j = 0; j < k->count; j++)
        for (int64_t i = j + 1; i < k->m; i++) most = worse(most, cabs(dense_get(&k->f, k->at + i, k->at + j)));
    return most;
}

static int same_as_partial(problem *k, const team *t, tsl_context *x)
{
    int64_t ref[200];
    dense played = dense_copy(&k->f);
    memcpy(ref, k->piv, (size_t)k->count * sizeof *ref);
    tsl_set(x, "variant", "auto");
    int same = !factor(k, t, x) && dense_same(&played, &k->f) && !memcmp(ref, k->piv, (size_t)k->count * sizeof *ref);
    tsl_set(x, "variant", "tournament");
    dense_free(&played);
    return same;
}

static void sweep(const team *t, tsl_context *const ctx[2])
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (unsigned b = 0; b < COUNT(blocks); b++) {
            double worst = 0, most = 0;
            int good = 1, again = 1, others = 0;
            for (unsigned i = 0; i < (blocks[b] == 1 ? 2 : COUNT(shapes)); i++, turn++) {
                tsl_context *x = ctx[pick(turn, 0, 2)];
                unsigned kind = pick(turn, 1, LAYOUTS);
                tsl_layout l = layout(t, kind, blocks[b], pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
                problem k;
                tsl_status st = make(&k, t, x, l, pick(turn, 3, BESIDE), (tsl_type)type, shapes[i][0], shapes[i][1],
                                     pick(turn, 4, 4));
                if (!st) st = factor(&k, t, x);
                if (!st) {
                    dense first = dense_copy(&k.f);
                    good &= in_range(&k) && k.info == 0;
                    worst = worse(worst, residual(&k, plain)), most = worse(most, multiplier(&k));
                    again &= !factor(&k, t, x) && dense_same(&first, &k.f);
                    int same = same_as_partial(&k, t, x), one = kind < 3 && t->rows == 1; /* all rows on one process */
                    good &= same || !one, others += !same;
                    dense_free(&first);
                } else printf("# rank %d: %s\n", t->rank, tsl_error(x));
                good &= !st;
                drop(&k);
            }
            all_ok(t, good && again && worst < LIMIT && most < MULTIPLIER && (others || t->rows == 1 || blocks[b] == 1),
                   "%cgetrf on %dx%d in blocks of %lld: residual %.2g, multipliers up to %.2g, %d with other pivots%s",
                   tsl_type_letter((tsl_type)type), t->rows, t->cols, (long long)blocks[b], worst, most, others,
                   again ? "" : ", other bits the second time");
        }
}

/* gesv by its name too, and getrs by the factors */
static void solve(const team *t, tsl_context *x, tsl_type type, int64_t nb, tsl_scheme scheme)
{
    enum { N = 183, NRHS = 9 };
    tsl_layout l = layout(t, 0, nb, scheme), lb = layout(t, 0, 7, scheme);
    problem k;
    tsl_matrix *B = NULL;
    dense rhs = dense_make(type, N, NRHS, CANARY_FINITE);
    dense_random(&rhs, 5);
    tsl_status st = make(&k, t, x, l, 1, type, N, N, 0);
    if (!st) st = tsl_matrix_create_on(x, &lb, type, N, NRHS, &B);
    double worst = 0;
    for (int i = 0; i < 2 && !st; i++) {
        st = i ? put(&k, x) : factor(&k, t, x);
        if (!st) st = tsl_scatter(x, 0, rhs.data, rhs.ld, tsl_whole(B));
        if (i == 0) tsl_set(x, "variant", "auto"); /* getrs has no such variant */
        if (!st && i == 0) st = tsl_getrs(x, tsl_whole(k.A), tsl_whole(k.p), tsl_whole(B));
        tsl_set(x, "variant", "tournament");
        if (!st && i == 1) st = tsl_gesv(x, tsl_whole(k.A), tsl_whole(k.p), tsl_whole(B), &k.info);
        dense X = everything(x, B, N, NRHS);
        worst = worse(worst, misfit(plain, &k, TSL_NOTRANS, &X, &rhs));
        dense_free(&X);
    }
    dense played = everything(x, k.A, N, N);
    all_ok(t, !st && k.info == 0 && worst < LIMIT && dense_same(&played, &k.f),
           "%c in blocks of %lld, %s: solutions off by %.2g (%s)", tsl_type_letter(type), (long long)nb,
           scheme ? "on devices" : "in host memory", worst, st ? tsl_error(x) : "ok");
    dense_free(&played), dense_free(&rhs);
    tsl_matrix_free(B);
    drop(&k);
}

/* Row i of A is `factor` times row 0 or, by 0, zeros. */
static void repeat(const dense *A, int64_t i, double factor)
{
    for (int64_t j = 0; j < A->n; j++) dense_put(A, i, j, factor * dense_get(A, 0, j));
}

typedef enum kind { ZERO_COLUMN, ZEROS, ALIKE, FEW, WITH_NAN, WITH_INF, KINDS } kind;
static const char *const names[KINDS] = {"a column of zeros", "zeros", "rows alike", "a process without pivots", "a NaN",
                                         "an Inf"};

static void fill(const dense *A, kind what, int64_t nb, int64_t at)
{
    dense_random(A, 7);
    for (int64_t i = 0; i < A->m; i++) {
        if (what == ZERO_COLUMN) dense_put(A, i, at, 0);
        if (what == ZEROS) repeat(A, i, 0);
        if (what == ALIKE && i) repeat(A, i, i % 2 ? 1 : 0.5);
        if (what == FEW && i / nb % 2) repeat(A, i, i % 3 ? 0 : 0.25);
    }
    if (what == WITH_NAN) dense_put(A, 40, 30, NAN);
    if (what == WITH_INF) dense_put(A, 40, 30, INFINITY);
}

/* info is that of the first zero pivot, and the factors are as good; what is no number spreads and pivots stay rows. */
static void singular(const team *t, tsl_context *x, tsl_type type, tsl_scheme scheme, int64_t nb)
{
    enum { M = 110, N = 70, AT = 33 };
    static const int64_t right[KINDS] = {AT + 1, 1, 2, -1, -1, -1};
    for (kind what = 0; what < KINDS; what++) {
        problem k;
        tsl_status st = make(&k, t, x, layout(t, 0, nb, scheme), 1, type, M, N, 0);
        fill(&k.d, what, nb, AT);
        if (!st) st = factor(&k, t, x);
        int number = what < WITH_NAN, zero = 0;
        for (int64_t j = 0; j < N && !zero; j++) zero = dense_get(&k.f, j, j) == 0 ? (int)j + 1 : 0;
        double off = what == ZEROS ? largest(&k.f) : number && !st ? residual(&k, plain) : 0;
        int spread = number || isinf(largest(&k.f));
        int known = right[what] >= 0 && (what != ALIKE || !tsl_is_complex(type)); /* a complex quotient is rounded */
        all_ok(t, !st && in_range(&k) && k.info == zero && (!known || zero == right[what]) && off < LIMIT && spread,
               "%c, %s, blocks of %lld, %s: info %d, residual %.2g", tsl_type_letter(type), names[what], (long long)nb,
               scheme ? "on devices" : "in host memory", (int)k.info, off);
        drop(&k);
    }
}

static void apart(const team *t, tsl_context *x)
{
    problem k;
    tsl_status st = make(&k, t, x, layout(t, 0, 4, TSL_IN_HOST), 0, TSL_D, 30, 30, 0);
    if (t->rank == t->size - 1) tsl_set(x, "variant", "auto");
    if (!st) st = factor(&k, t, x);
    tsl_set(x, "variant", "tournament");
    all_ok(t, t->size == 1 || st == TSL_ERR_SHAPE, "one process has partial pivoting: %s", tsl_error(x));
    all_ok(t, !factor(&k, t, x) && residual(&k, plain) < LIMIT, "and the grid goes on working");
    drop(&k);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    for (int i = 0; i < 2; i++) tsl_set(ctx[i], "variant", "tournament");
    plain = team_context(&t, "host");
    sweep(&t, ctx);
    for (int s = 0; s < 2; s++)
        for (int type = TSL_S; type <= TSL_Z; type++) {
            tsl_scheme scheme = s ? TSL_ON_DEVICE : TSL_IN_HOST;
            solve(&t, ctx[s], (tsl_type)type, type % 2 ? 32 : 5, scheme);
            singular(&t, ctx[s], (tsl_type)type, scheme, type % 2 ? 5 : 16);
        }
    apart(&t, ctx[0]);
    if (t.size > 1) { /* on the host whatever is tested: the hook supplies its memory */
        memory(&t, "host", TSL_IN_HOST, "tournament");
        memory(&t, "host:1,mem=64M", TSL_ON_DEVICE, "tournament");
    }
    tsl_context_destroy(plain);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
