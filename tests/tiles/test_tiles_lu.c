/* LU by tiles: a panel is a tile, its pivots are one. Every shape and kind on several devices, on little memory and on cores,
 * with LAPACK's pivots where no rounding decides them; the same bits for any devices, policies and limits; matrices the caller
 * has tiled; regions; allocations that fail. */
#include "lu.h"
#include "runtime/runtime.h"
#include "tiled_program.h"

#define BOUND 30.0

static void factored(tsl_context *x, const char *spec, tsl_type t, int64_t m, int64_t n, lu_kind kind)
{
    dense A = lu_matrix(t, m, n, kind, (uint64_t)(m + 7 * n)), was = dense_copy(&A), theirs = dense_copy(&A);
    dense p = lu_pivots(lu_min(m, n)), first = dense_copy(&p), wanted = lu_pivots(lu_min(m, n));
    block a = wrap(x, &A, 0), q = wrap(x, &p, 0);
    int64_t info = -1, right = lu_lapack(&theirs, &wanted);
    char who[128];
    snprintf(who, sizeof who, "%s %c %d x %d %s", spec, tsl_type_letter(t), (int)m, (int)n, lu_kind_name[kind]);
    tsl_status st = tsl_getrf(x, a.v, q.v, &info);
    check(!st, "%s: %s", who, tsl_error(x));
    double r = !st && lu_in_range(&p, m) ? lu_residual(&was, &A, &p) : INFINITY;
    check(r < BOUND, "%s: residual %g", who, r);
    check(!lu_unique(kind) || (info == right && dense_same(&p, &wanted)), "%s: info %d, LAPACK's %d, or other pivots", who, (int)info, (int)right);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&p, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    tsl_matrix_free(a.mat), tsl_matrix_free(q.mat);
    dense_free(&A), dense_free(&was), dense_free(&theirs), dense_free(&p), dense_free(&first), dense_free(&wanted);
}

static void shapes(const char *spec, const char *tile)
{
    static const int64_t shape[][2] = {{1, 1}, {1, 70}, {70, 1}, {33, 33}, {34, 100}, {100, 34}, {66, 66}, {101, 67}, {67, 101}, {40, 150}};
    static const char *const variant[] = {"auto", "1", "2", "3", "late", "ahead"};
    tsl_context *x = by_tiles(spec, tile);
    for (int i = 0; i < 4; i++)
        for (size_t s = 0; s < COUNT(shape); s++) {
            check(!tsl_set(x, "variant", variant[((size_t)i + s) % COUNT(variant)]), "%s", tsl_error(x));
            for (int kind = 0; kind < LU_KINDS; kind++)
                if (kind != WILKINSON) factored(x, spec, (tsl_type)i, shape[s][0], shape[s][1], (lu_kind)kind);
        }
    for (size_t v = 0; v < COUNT(variant); v++) {
        check(!tsl_set(x, "variant", variant[v]), "%s", tsl_error(x));
        factored(x, spec, TSL_Z, 75, 130, PLANTED);
        factored(x, spec, TSL_D, 130, 130, PLANTED);
    }
    tsl_context_destroy(x);
    checked("%s, tiles of %s: factors and LAPACK's pivots of every shape", spec, tile);
}

/* A X = B, A^T X = B, A^H X = B with one factorization; B as it is, or seen transposed */
static void solved(const char *spec, const char *tile, tsl_type t)
{
    enum { N = 95 };
    static const int64_t columns[] = {1, 33, 80};
    tsl_context *x = by_tiles(spec, tile);
    dense F = lu_matrix(t, N, N, RANDOM, 5), A = dense_copy(&F), p = lu_pivots(N);
    block f = wrap(x, &F, 0), q = wrap(x, &p, 0);
    check(!tsl_getrf(x, f.v, q.v, NULL), "%s", tsl_error(x));
    for (size_t k = 0; k < COUNT(columns); k++)
        for (int op = 0; op <= TSL_HERM; op++)
            for (int turned = 0; turned < 2; turned++) {
                dense B = dense_make(t, N, columns[k], CANARY_FINITE), T = dense_make(t, columns[k], N, CANARY_FINITE);
                dense_random(&B, 9);
                for (int64_t j = 0; j < B.n; j++)
                    for (int64_t i = 0; i < N; i++) dense_put(&T, j, i, dense_get(&B, i, j));
                dense X = dense_copy(&B);
                block b = wrap(x, turned ? &T : &X, 0);
                tsl_view a = f.v;
                a.op = (tsl_op)op;
                tsl_status st = tsl_getrs(x, a, q.v, turned ? tsl_trans(b.v) : b.v);
                for (int64_t j = 0; j < B.n && turned; j++)
                    for (int64_t i = 0; i < N; i++) dense_put(&X, i, j, dense_get(&T, j, i));
                operand seen_a = {.d = &A, .op = (tsl_op)op};
                double r = st ? INFINITY : lu_solution_residual(&seen_a, &X, &B);
                check(r < BOUND, "%s %c op %d, %d columns, turned %d: %g %s", spec, tsl_type_letter(t), op, (int)B.n, turned, r, tsl_error(x));
                tsl_matrix_free(b.mat);
                dense_free(&B), dense_free(&T), dense_free(&X);
            }
    tsl_matrix_free(f.mat), tsl_matrix_free(q.mat);
    dense_free(&F), dense_free(&A), dense_free(&p);
    tsl_context_destroy(x);
    checked("%s, %c: solutions", spec, tsl_type_letter(t));
}

enum { A, P, B }; /* of the program */

static left with(tsl_type t, int64_t n)
{
    left l = {{lu_matrix(t, n, n, RANDOM, 11), lu_pivots(n), dense_make(t, n, 70, CANARY_FINITE)}};
    dense_random(&l.v[B], 12);
    return l;
}

static left with_given(tsl_type t, bool large) { return with(t, large ? 190 : 42); }
static left with_tiled(void) { return with(TSL_Z, 83); }
static size_t room_for(tsl_type t, size_t tiles) { return (2 + tiles) * 190 * 33 * tsl_type_size(t) + 4096; } /* a task needs two, and some pivots */

/* On blocks that begin off the edges of tiles, by gesv, or by its parts if a variant is asked for; then A^H X = B for other
 * columns, whose rows are exchanged and exchanged back. */
static tsl_status factor_and_solve(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    int64_t n = tsl_rows(v[A]) - 2;
    tsl_view M = tsl_sub(v[A], 2, 2, n, n), p = tsl_sub(v[P], 2, 0, n, 1);
    tsl_strips X = tsl_block_cols(tsl_sub(v[B], 2, 1, n, tsl_cols(v[B]) - 1), 0, 40);
    bool whole = !strcmp(variant, "auto");
    tsl_status st = tsl_set(x, "variant", variant);
    if (!st) st = whole ? tsl_gesv(x, M, p, X.A1, info) : tsl_getrf(x, M, p, info);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st && !whole) st = tsl_getrs(x, M, p, X.A1);
    if (!st) st = tsl_getrs(x, tsl_herm(M), p, X.A2);
    if (!st) st = tsl_laswp(x, X.A2, p, 0);
    if (!st) st = tsl_laswp(x, X.A2, p, 1);
    return st;
}

static dense part(const dense *d, int64_t i, int64_t j, int64_t n)
{
    dense of = *d;
    of.data = dense_at(d, i, j), of.m -= i, of.n = n;
    return of;
}

static double wrong(tsl_context *x, const left *l, const left *was)
{
    (void)x;
    int64_t n = l->v[A].m - 2;
    dense M = part(&was->v[A], 2, 2, n), F = part(&l->v[A], 2, 2, n), p = part(&l->v[P], 2, 0, 1), X[2], Y[2];
    double worst = lu_in_range(&p, n) ? lu_residual(&M, &F, &p) : INFINITY;
    for (int i = 0; i < 2; i++) {
        operand seen_a = {.d = &M, .op = i ? TSL_HERM : TSL_NOTRANS};
        Y[i] = part(&was->v[B], 2, i ? 41 : 1, i ? 29 : 40), X[i] = part(&l->v[B], 2, i ? 41 : 1, i ? 29 : 40);
        worst = worse(worst, lu_solution_residual(&seen_a, &X[i], &Y[i]));
    }
    return worst;
}

static const program lu = {3, with_given, factor_and_solve, NULL, {"auto", "late", "ahead"}, "33", room_for};

/* Where the library chooses the tile it goes by sizes alone. */
static void chosen(void)
{
    static const char *const specs[] = {"host:1", "host:2", "host:5"};
    left first = with(TSL_D, 600);
    for (size_t s = 0; s < COUNT(specs); s++) {
        tsl_context *x = by_tiles(specs[s], "0");
        left l = with(TSL_D, 600);
        check(!program_run(&lu, x, &l, "auto"), "%s: %s", specs[s], tsl_error(x));
        if (!s) left_free(&first), first = l;
        else check(left_same(&lu, &l, &first), "%s: other bits", specs[s]), left_free(&l);
        tsl_context_destroy(x);
    }
    left_free(&first);
    checked("the tile does not depend on the number of devices");
}

/* One byte less than a task needs is refused with what is missing; with that it goes, panels as narrow as need be. */
static void limits(void)
{
    enum { N = 300 };
    tsl_context *x = by_tiles("host:1,mem=4K", "0");
    left l = with(TSL_D, N);
    size_t need = 0, free = 0;
    tsl_status st = program_run(&lu, x, &l, "auto");
    const char *line = tsl_error(x), *says = strstr(line, "needs "), *and = strstr(line, "and ");
    check(st == TSL_ERR_DEVICE_MEMORY && says && and && sscanf(says, "needs %zu", &need) == 1 && sscanf(and, "and %zu", &free) == 1, "%s: %s",
          tsl_status_name(st), line);
    check(need >= 2 * (N - 2) * 16 * 8 && need < 3 * N * 16 * 8, "two panels of 16 columns, not %zu bytes", need);
    for (size_t more = 0; more < 2; more++) {
        x->devices[0].limit = 4096 + need - free - 1 + more;
        left l2 = with(TSL_D, N);
        st = program_run(&lu, x, &l2, "auto");
        check(more ? !st : st == TSL_ERR_DEVICE_MEMORY, "on %zu bytes: %s", x->devices[0].limit, tsl_error(x));
        check(x->devices[0].peak <= x->devices[0].limit, "past the limit");
        left_free(&l2);
    }
    left_free(&l);
    tsl_context_destroy(x);
    checked("limits");
}

/* A matrix without an inverse: LAPACK's info, B left alone; NaNs spread and nothing else happens. */
static void outcomes(const char *spec)
{
    enum { N = 90 };
    tsl_context *x = by_tiles(spec, "16");
    for (int i = 0; i < 4; i++) {
        dense A = lu_matrix((tsl_type)i, N, N, ZERO_COLUMN, 3), B = dense_make((tsl_type)i, N, 40, CANARY_FINITE), p = lu_pivots(N);
        dense_random(&B, 4);
        dense was = dense_copy(&B);
        block a = wrap(x, &A, 0), b = wrap(x, &B, 0), q = wrap(x, &p, 0);
        int64_t info = 0;
        check(!tsl_gesv(x, a.v, q.v, b.v, &info) && info == N / 2 + 1 && dense_same(&B, &was), "%s: info %d", spec, (int)info);
        dense_put(&A, 40, 20, NAN);
        check(!tsl_getrf(x, a.v, q.v, &info) && lu_in_range(&p, N), "%s: NaN", spec);
        check(isnan(creal(dense_get(&A, N - 1, N - 1))), "%s: a NaN is lost", spec);
        tsl_matrix_free(a.mat), tsl_matrix_free(b.mat), tsl_matrix_free(q.mat);
        dense_free(&A), dense_free(&B), dense_free(&p), dense_free(&was);
    }
    tsl_context_destroy(x);
    checked("%s: singular matrices and NaNs", spec);
}

int main(void)
{
    shapes("host:1,mem=200K", "33");
    shapes("host:2", "33");
    shapes("host:3", "10");
    shapes("host", "33");
    for (int t = 0; t < 4; t++) solved(t % 2 ? "host:3" : "host:1,mem=300K", t < 2 ? "33" : "16", (tsl_type)t);
    solved("host", "33", TSL_Z);
    program_bits(&lu, TSL_D);
    program_bits(&lu, TSL_C);
    chosen();
    limits();
    program_failures(&lu, "host:2");
    program_failures(&lu, "host");
    outcomes("host:3");
    outcomes("host");
    for (int i = 0; i < 4; i++) program_tiled(&lu, i % 2 ? "host" : "host:2", i / 2, with_tiled, wrong);
    return tap_done();
}
