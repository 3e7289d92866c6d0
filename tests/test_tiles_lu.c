/* LU by tiles: a panel is a tile, its pivots are one. Every shape and kind on several devices, on little memory and on cores, with LAPACK's
 * pivots where no rounding decides them; the same bits for any devices, policies and limits; matrices the caller has tiled; regions;
 * allocations that fail. */
#include "lu.h"
#include "runtime/runtime.h"
#include "tiled_block.h"

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

/* What a program of LU leaves: factors, pivots, solution and inverse, compared bit for bit */
typedef struct left { dense A, p, B; } left;

static left left_make(tsl_type t, int64_t n)
{
    left l = {lu_matrix(t, n, n, RANDOM, 11), lu_pivots(n), dense_make(t, n, 70, CANARY_FINITE)};
    dense_random(&l.B, 12);
    return l;
}

static void left_free(left *l) { dense_free(&l->A), dense_free(&l->p), dense_free(&l->B); }

static bool left_same(const left *a, const left *b)
{
    return dense_same(&a->A, &b->A) && dense_same(&a->p, &b->p) && dense_same(&a->B, &b->B);
}

static tsl_status program_failing(tsl_context *x, left *l, hook *h, long fail, int all)
{
    block a = wrap(x, &l->A, 2), p = wrap(x, &l->p, 2), b = wrap(x, &l->B, 0);
    tsl_view B = tsl_sub(b.v, 2, 1, l->B.m - 2, l->B.n - 1);
    if (fail) hook_fail(h, fail, all);
    tsl_status st = tsl_gesv(x, a.v, p.v, B, NULL);
    if (!st) st = tsl_getrs(x, tsl_herm(a.v), p.v, B);
    if (!st) st = tsl_laswp(x, B, p.v, 1);
    if (fail) hook_rest(h);
    tsl_matrix_free(a.mat), tsl_matrix_free(p.mat), tsl_matrix_free(b.mat);
    return st;
}

static tsl_status program(tsl_context *x, left *l) { return program_failing(x, l, NULL, 0, 0); }

static void bits(tsl_type t)
{
    enum { N = 190 };
    static const char *const specs[] = {"host:1", "host:2", "host:3", "host:4"};
    left first = left_make(t, N);
    tsl_context *x = by_tiles("host:1", "33");
    check(!program(x, &first), "%s", tsl_error(x));
    tsl_context_destroy(x);
    for (size_t s = 0; s < COUNT(specs); s++)
        for (size_t k = 0; k < COUNT(policies); k++) {
            x = by_tiles(specs[s], "33");
            check(!tsl_set(x, "policy", policies[k]), "%s", tsl_error(x));
            for (size_t tiles = 0; tiles < 14; tiles += 1 + tiles / 4) { /* a task needs two, and some pivots */
                left l = left_make(t, N);
                for (int d = 0; d < x->device_count; d++) x->devices[d].limit = tiles ? (2 * N + tiles * N) * 33 * tsl_type_size(t) + 4096 : SIZE_MAX;
                if (tiles) tsl_trim(x);
                tsl_status st = program(x, &l);
                check(!st && left_same(&l, &first), "%s %c %s, room for %d: other bits %s", specs[s], tsl_type_letter(t), policies[k], (int)tiles + 2, st ? tsl_error(x) : "");
                left_free(&l);
            }
            tsl_context_destroy(x);
        }
    left_free(&first);
    checked("%c: the same bits on any devices, policies and limits", tsl_type_letter(t));
}

/* Where the library chooses the tile it goes by sizes alone. */
static void chosen(void)
{
    static const char *const specs[] = {"host:1", "host:2", "host:5"};
    left first = left_make(TSL_D, 600);
    for (size_t s = 0; s < COUNT(specs); s++) {
        tsl_context *x = by_tiles(specs[s], "0");
        left l = left_make(TSL_D, 600);
        check(!program(x, &l), "%s: %s", specs[s], tsl_error(x));
        if (!s) left_free(&first), first = l;
        else check(left_same(&l, &first), "%s: other bits", specs[s]), left_free(&l);
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
    left l = left_make(TSL_D, N);
    size_t need = 0, free = 0;
    tsl_status st = program(x, &l);
    const char *line = tsl_error(x), *says = strstr(line, "needs "), *and = strstr(line, "and ");
    check(st == TSL_ERR_DEVICE_MEMORY && says && and && sscanf(says, "needs %zu", &need) == 1 && sscanf(and, "and %zu", &free) == 1, "%s: %s", tsl_status_name(st), line);
    check(need >= 2 * (N - 2) * 16 * 8 && need < 3 * N * 16 * 8, "two panels of 16 columns, not %zu bytes", need);
    for (size_t more = 0; more < 2; more++) {
        x->devices[0].limit = 4096 + need - free - 1 + more;
        left l2 = left_make(TSL_D, N);
        st = program(x, &l2);
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

/* Matrices the caller has tiled, by squares of any size: those that lie otherwise are copied, the pivots too; in a region and outside. */
static void tiled_by_caller(const char *spec, int region)
{
    static const int64_t sides[][3] = {{16, 16, 16}, {16, 7, 33}, {200, 16, 16}, {25, 200, 200}};
    tsl_context *x = make(spec);
    for (size_t s = 0; s < COUNT(sides); s++)
        for (int own = 0; own < 2; own++) {
            left l = left_make(TSL_Z, 83);
            dense A = dense_copy(&l.A), B = dense_copy(&l.B);
            block a = tiled(x, &l.A, sides[s][0], own), p = tiled(x, &l.p, sides[s][1], own), b = tiled(x, &l.B, sides[s][2], own);
            int64_t info = -1;
            if (region) check(!tsl_begin(x), "%s", tsl_error(x));
            tsl_status st = tsl_getrf(x, a.v, p.v, NULL);
            if (!st) st = tsl_getrs(x, a.v, p.v, b.v);
            if (region && !st) st = tsl_wait(x);
            if (!st) st = tsl_info(x, &info);
            take_back(x, &a, &l.A, own), take_back(x, &p, &l.p, own), take_back(x, &b, &l.B, own);
            check(!st && !info, "%s: %s", spec, tsl_error(x));
            operand seen_a = {.d = &A};
            double r = lu_in_range(&l.p, 83) ? lu_residual(&A, &l.A, &l.p) : INFINITY, e = lu_solution_residual(&seen_a, &l.B, &B);
            check(r < BOUND && e < BOUND, "%s, tiles %d %d %d, own %d: %g %g", spec, (int)sides[s][0], (int)sides[s][1], (int)sides[s][2], own, r, e);
            left_free(&l), dense_free(&A), dense_free(&B);
        }
    tsl_context_destroy(x);
    checked("%s: matrices of square tiles%s", spec, region ? ", in a region" : "");
}

/* Each allocation in turn fails, then all from it on: the call says so, nothing is lost, and the same context then has the same bits. */
static void failures(const char *spec)
{
    enum { N = 42 };
    tsl_config cfg = tsl_config_default();
    left first = left_make(TSL_D, N);
    long count = 0, refused = 0;
    for (long k = 0; k <= count; k++)
        for (int all = 0; all < 2; all++) {
            hook h = {0};
            tsl_context *x = NULL;
            cfg.devices = spec;
            cfg.allocator = &(tsl_allocator){hook_alloc, hook_free, &h};
            check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "16"), "%s", spec);
            left l = left_make(TSL_D, N), again = left_make(TSL_D, N);
            long before = h.calls;
            tsl_status st = program_failing(x, &l, &h, k, all);
            if (!k) count = h.calls - before, left_free(&first), first = l;
            else {
                refused += st != TSL_OK;
                check(!st || st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY, "%s, allocation %ld: %s", spec, k, tsl_status_name(st));
                check(st || left_same(&l, &first), "%s, allocation %ld: it went, with other bits", spec, k);
                left_free(&l);
            }
            check(!program(x, &again) && left_same(&again, &first), "%s, after allocation %ld: %s", spec, k, tsl_error(x));
            left_free(&again);
            tsl_context_destroy(x);
            check(h.live == 0, "%s, allocation %ld: %ld are lost", spec, k, h.live);
            if (!k) break;
        }
    left_free(&first);
    check(count > 20 && refused > 20, "%ld allocations, %ld refused", count, refused);
    checked("%s: allocations that fail", spec);
}

int main(void)
{
    shapes("host:1,mem=200K", "33");
    shapes("host:2", "33");
    shapes("host:3", "10");
    shapes("host", "33");
    for (int t = 0; t < 4; t++) solved(t % 2 ? "host:3" : "host:1,mem=300K", t < 2 ? "33" : "16", (tsl_type)t);
    solved("host", "33", TSL_Z);
    bits(TSL_D);
    bits(TSL_C);
    chosen();
    limits();
    failures("host:2");
    failures("host");
    outcomes("host:3");
    outcomes("host");
    for (int region = 0; region < 2; region++) tiled_by_caller("host:2", region), tiled_by_caller("host", region);
    return tap_done();
}
