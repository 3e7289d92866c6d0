/* LU on grids: pivots as on one process, residuals, solutions and inverses; blocks of any matrix, tall and wide, with pivots
 * laid out in any way; singular matrices and NaN; row exchanges alone, both ways; errors of one process; the same bits in every
 * run; every allocation of one process failing in turn. */
#include <string.h>

#include "starved.h"

static const int64_t blocks[] = {1, 5, 32};
static const int64_t shapes[][2] = {{97, 97}, {131, 60}, {60, 131}, {33, 33}, {150, 7}, {7, 150}, {1, 1}, {140, 139}};

static void sweep(const team *t, tsl_context *const ctx[2])
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (unsigned b = 0; b < COUNT(blocks); b++) {
            double worst = 0;
            int good = 1, same = 1;
            for (unsigned i = 0; i < (blocks[b] == 1 ? 2 : COUNT(shapes)); i++, turn++) {
                tsl_context *x = ctx[pick(turn, 0, 2)];
                tsl_layout l = layout(t, pick(turn, 1, LAYOUTS), blocks[b], pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
                problem k;
                int64_t info = -1, ref[200] = {0};
                tsl_status st = make(&k, t, x, l, pick(turn, 3, BESIDE), (tsl_type)type, shapes[i][0], shapes[i][1], pick(turn, 4, 4));
                if (!st) st = factor(&k, t, x);
                if (!st) {
                    dense want = alone(&k, x, ref, &info);
                    worst = worse(worst, residual(&k, x));
                    same &= !memcmp(ref, k.piv, (size_t)k.count * sizeof *ref) && k.info == info && info == 0;
                    dense_free(&want);
                } else printf("# rank %d: %s\n", t->rank, tsl_error(x));
                good &= !st;
                drop(&k);
            }
            all_ok(t, good && same && worst < LIMIT, "%cgetrf on %dx%d in blocks of %lld: residual %.2g%s", tsl_type_letter((tsl_type)type),
                   t->rows, t->cols, (long long)blocks[b], worst, same ? "" : ", other pivots than on one process");
        }
}

static void solve(const team *t, tsl_context *x, tsl_type type, int64_t nb, tsl_scheme scheme, unsigned kind)
{
    enum { N = 83, NRHS = 9 };
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    tsl_layout l = layout(t, kind, nb, scheme), lb = layout(t, 0, 7, scheme);
    problem k;
    tsl_matrix *B = NULL;
    dense rhs = dense_make(type, N, NRHS, CANARY_FINITE), one = dense_make(type, N, N, 0);
    dense_random(&rhs, 5);
    for (int64_t i = 0; i < N; i++) dense_put(&one, i, i, 1);
    tsl_status st = make(&k, t, x, l, kind % BESIDE, type, N, N, 0);
    if (!st) st = tsl_matrix_create_on(x, &lb, type, N, NRHS, &B);
    double worst = 0;
    for (int i = 0; i < 4 && !st; i++) { /* getrs with each op, then gesv */
        if (i == 0) st = factor(&k, t, x);
        if (!st && i == 3) st = put(&k, x);
        if (!st) st = tsl_scatter(x, 0, rhs.data, rhs.ld, tsl_whole(B));
        tsl_view A = tsl_whole(k.A);
        if (i < 3) A.op = ops[i];
        if (!st) st = i < 3 ? tsl_getrs(x, A, tsl_whole(k.p), tsl_whole(B)) : tsl_gesv(x, A, tsl_whole(k.p), tsl_whole(B), &k.info);
        dense X = everything(x, B, N, NRHS);
        worst = worse(worst, misfit(x, &k, i < 3 ? ops[i] : TSL_NOTRANS, &X, &rhs));
        dense_free(&X);
    }
    double off = INFINITY;
    if (!st) st = tsl_getri(x, tsl_whole(k.A), tsl_whole(k.p), &k.info);
    if (!st) {
        dense X = everything(x, k.A, N, N);
        off = misfit(x, &k, TSL_NOTRANS, &X, &one);
        dense_free(&X);
    }
    all_ok(t, !st && k.info == 0 && worst < LIMIT && off < LIMIT, "%c in blocks of %lld, layout %u, %s: solutions off by %.2g, the inverse by %.2g (%s)",
           tsl_type_letter(type), (long long)nb, kind, scheme ? "on devices" : "in host memory", worst, off, st ? tsl_error(x) : "ok");
    tsl_matrix_free(B);
    drop(&k);
    dense_free(&rhs), dense_free(&one);
}

/* Columns of zeros, and NaN: info and pivots of one process; gesv then leaves B alone, getri A. */
static void singular(const team *t, tsl_context *x, tsl_scheme scheme, int64_t nb)
{
    enum { N = 70 };
    static const int64_t zero[] = {1, 6, 33, 70}, none = -1;
    tsl_layout l = layout(t, 0, nb, scheme);
    problem k;
    tsl_matrix *B = NULL;
    int good = !make(&k, t, x, l, 1, TSL_D, N, N, 0) && !tsl_matrix_create_on(x, &l, TSL_D, N, 2, &B);
    for (unsigned i = 0; i <= COUNT(zero) && good; i++) {
        int64_t ref[N] = {0}, info = -1, at = i < COUNT(zero) ? zero[i] : none;
        dense_random(&k.d, i + 1);
        for (int64_t r = 0; r < N && at > 0; r++) dense_put(&k.d, r, at - 1, 0), dense_put(&k.d, r, N - 1, 0);
        if (at < 0) dense_put(&k.d, 40, 30, NAN);
        good = !factor(&k, t, x);
        dense want = alone(&k, x, ref, &info);
        good = good && k.info == info && (at < 0 || info == at);
        if (at > 0) good = good && !memcmp(ref, k.piv, (size_t)at * sizeof *ref) && residual(&k, x) < LIMIT;
        if (at < 0) good = good && scalar_nan(dense_get(&k.f, N - 1, N - 1));
        dense_free(&want);
        if (at < 0 || !good) continue;
        dense before = everything(x, B, N, 2), held = everything(x, k.A, N, N);
        good = !tsl_getri(x, tsl_whole(k.A), tsl_whole(k.p), &info) && info == at;
        dense kept = everything(x, k.A, N, N);
        good = good && dense_same(&held, &kept) && !put(&k, x) && !tsl_gesv(x, tsl_whole(k.A), tsl_whole(k.p), tsl_whole(B), &info) && info == at;
        dense after = everything(x, B, N, 2);
        good = good && dense_same(&before, &after);
        dense_free(&before), dense_free(&after), dense_free(&held), dense_free(&kept);
    }
    all_ok(t, good, "singular and NaN, blocks of %lld, %s", (long long)nb, scheme ? "on devices" : "in host memory");
    tsl_matrix_free(B);
    drop(&k);
}

/* Rows, or of the transpose columns, exchanged forward and back; more pivots than one go takes. */
static void exchanges(const team *t, tsl_context *x, tsl_type type, tsl_scheme scheme, unsigned kind)
{
    enum { M = 600, N = 5 };
    tsl_layout l = layout(t, kind, 4, scheme), lp = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *P = NULL;
    static int64_t piv[M];
    int good = 1;
    for (int turned = 0; turned < 2; turned++) {
        int64_t m = turned ? N : M, n = turned ? M : N;
        for (int64_t count = turned ? 40 : 590; count > 0; count /= 8) {
            dense d = dense_make(type, m, n, CANARY_FINITE), e;
            dense_random(&d, (uint64_t)count);
            for (int64_t i = 0; i < count; i++) piv[i] = 1 + (i % 3 ? i + (int64_t)pick((unsigned)i, 1, (unsigned)(M - i)) : pick((unsigned)i, 2, M));
            good = good && !tsl_matrix_create_on(x, &l, type, m, n, &A) && !tsl_scatter(x, 0, d.data, d.ld, tsl_whole(A)) &&
                   !tsl_matrix_wrap_on(x, &lp, TSL_INDEX, count, 1, piv, count, &P);
            tsl_view v = tsl_whole(A);
            if (turned) v = tsl_trans(v);
            good = good && !tsl_laswp(x, v, tsl_whole(P), 0);
            e = everything(x, A, m, n);
            dense want = dense_copy(&d);
            for (int64_t i = 0; i < count; i++)
                for (int64_t j = 0, r = piv[i] - 1; j < N; j++) {
                    tsl_scalar a = turned ? dense_get(&want, j, i) : dense_get(&want, i, j), b = turned ? dense_get(&want, j, r) : dense_get(&want, r, j);
                    dense_put(&want, turned ? j : i, turned ? i : j, b), dense_put(&want, turned ? j : r, turned ? r : j, a);
                }
            good = good && dense_same(&want, &e) && !tsl_laswp(x, v, tsl_whole(P), 1);
            dense_free(&e);
            e = everything(x, A, m, n);
            good = good && dense_same(&d, &e);
            dense_free(&e), dense_free(&d), dense_free(&want);
            tsl_matrix_free(A), tsl_matrix_free(P);
            A = P = NULL;
        }
    }
    all_ok(t, good, "%claswp, layout %u, %s: there and back%s%s", tsl_type_letter(type), kind, scheme ? "on devices" : "in host memory", good ? "" : ": ",
           good ? "" : tsl_error(x));
}

/* What one process gets wrong, or sees otherwise than the others, all refuse. */
static void errors(const team *t, tsl_context *x)
{
    enum { N = 30 };
    tsl_layout l = layout(t, 0, 4, TSL_IN_HOST), lp = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    int odd = t->rank == t->size - 1, many = t->size > 1;
    problem k, other;
    tsl_matrix *P = NULL;
    int64_t piv[N], info;
    int good = !make(&k, t, x, l, 0, TSL_D, N, N, 0) && !make(&other, t, x, l, 1, TSL_D, N, N, 0) && !factor(&k, t, x);
    all_ok(t, good, "a factorization");
    tsl_view A = tsl_whole(k.A), p = tsl_whole(k.p);
    tsl_status st = tsl_getrf(x, A, odd ? (tsl_view){0} : p, &info);
    all_ok(t, st == TSL_ERR_VIEW && same_everywhere(st), "one process has no pivots: %s", tsl_error(x));
    st = tsl_getrf(x, A, odd ? tsl_sub(p, 0, 0, N - 1, 1) : p, &info);
    all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "one process's are too few: %s", tsl_error(x));
    st = tsl_getrf(x, odd ? tsl_trans(A) : A, p, &info);
    all_ok(t, st == TSL_ERR_FLAG && same_everywhere(st), "one process's A is transposed: %s", tsl_error(x));
    st = tsl_getrf(x, A, tsl_sub(A, 0, 0, N, 1), &info);
    all_ok(t, st == TSL_ERR_TYPE && same_everywhere(st), "pivots that are no indices: %s", tsl_error(x));
    st = tsl_getrf(x, A, odd ? tsl_whole(other.p) : p, &info);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process's are others: %s", tsl_error(x));
    st = tsl_laswp(x, A, p, odd);
    all_ok(t, !many || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process exchanges backward: %s", tsl_error(x));
    st = tsl_reduce(x, p, 1, tsl_whole(other.p));
    all_ok(t, st == TSL_ERR_TYPE && same_everywhere(st), "no sums of indices: %s", tsl_error(x));
    tsl_set(x, "variant", "rec");
    st = tsl_getrf(x, A, p, &info);
    all_ok(t, !many || (st == TSL_ERR_OPTION && same_everywhere(st)), "no such variant on a grid: %s", tsl_error(x));
    tsl_set(x, "variant", "auto");
    for (int64_t i = 0; i < N; i++) piv[i] = odd ? 1 + i : N; /* copies of which not all are the same: those of process 0 count */
    good = !tsl_matrix_wrap_on(x, &lp, TSL_INDEX, N, 1, piv, N, &P);
    dense before = everything(x, k.A, N, N);
    good = good && !tsl_laswp(x, A, tsl_whole(P), 0);
    dense after = everything(x, k.A, N, N);
    all_ok(t, good && (!many || dense_get(&after, 0, 0) == dense_get(&before, N - 1, 0)), "copies of pivots that differ");
    for (int64_t i = 0; i < N && many; i++) piv[i] = i == 7 ? N + 1 : 1 + i;
    tsl_reduce(x, p, 1, tsl_whole(other.p)); /* its line is about sums */
    st = many ? tsl_laswp(x, A, tsl_whole(P), 0) : TSL_ERR_PIVOT;
    all_ok(t, st == TSL_ERR_PIVOT && same_everywhere(st) && (!many || strstr(tsl_error(x), "process ")), "a pivot past the last row: %s", tsl_error(x));
    all_ok(t, !factor(&k, t, x) && k.info == 0 && residual(&k, x) < LIMIT, "and the grid goes on working");
    dense_free(&before), dense_free(&after);
    tsl_matrix_free(P);
    drop(&k), drop(&other);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    sweep(&t, ctx);
    for (int s = 0; s < 2; s++) {
        tsl_scheme scheme = s ? TSL_ON_DEVICE : TSL_IN_HOST;
        for (int type = TSL_S; type <= TSL_Z; type++) {
            solve(&t, ctx[s], (tsl_type)type, type % 2 ? 32 : 5, scheme, (unsigned)type);
            exchanges(&t, ctx[s], (tsl_type)type, scheme, (unsigned)type);
        }
        exchanges(&t, ctx[s], TSL_D, scheme, 4);
        exchanges(&t, ctx[1 - s], TSL_D, scheme, 5);
        singular(&t, ctx[s], scheme, 5);
        singular(&t, ctx[s], scheme, 32);
    }
    errors(&t, ctx[0]);
    if (t.size > 1) { /* on the host whatever is tested: the hook supplies its memory */
        memory(&t, "host", TSL_IN_HOST, NULL);
        memory(&t, "host:1,mem=64M", TSL_ON_DEVICE, NULL);
    }
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
