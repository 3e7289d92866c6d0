/* LU with incremental pivoting, on one device and by tiles: its two operations on a pair of tiles against a plain loop;
 * solutions of every kind of matrix, by every way in, with a residual that may be as large as the elements have grown; factors
 * used again; info; the same bits for any devices, policies and limits; allocations that fail; what is refused. */
#include "exec/exec.h"
#include "lu.h"
#include "runtime/runtime.h"
#include "tiled_program.h"

#define BOUND 30.0

static double largest(const dense *A, bool upper)
{
    double most = 0;
    for (int64_t j = 0; j < A->n; j++)
        for (int64_t i = 0; i < (upper ? j + 1 : A->m); i++) most = tsl_larger(most, cabs(dense_get(A, i, j)));
    return most;
}

/* ---- pairs of tiles ---- */

/* S, of n rows on top of others, eliminated by V(. x n), L(ib x n) and p, as tstrf left them: element by element */
static void eliminate(const dense *V, const dense *L, const dense *p, const dense *S)
{
    int64_t n = p->m, ib = L->m;
    for (int64_t j = 0; j < S->n; j++)
        for (int64_t k = 0; k < n; k += ib) {
            int64_t w = lu_min(ib, n - k);
            for (int64_t s = k; s < k + w; s++) {
                int64_t with = lu_pivot(p, s) - 1;
                tsl_scalar v = dense_get(S, s, j);
                dense_put(S, s, j, dense_get(S, with, j)), dense_put(S, with, j, v);
            }
            for (int64_t s = k; s < k + w; s++) {
                tsl_scalar v = dense_get(S, s, j);
                for (int64_t i = s + 1; i < k + w; i++) dense_put(S, i, j, dense_get(S, i, j) - dense_get(L, i - k, s) * v);
                for (int64_t i = 0; i < V->m; i++) dense_put(S, n + i, j, dense_get(S, n + i, j) - dense_get(V, i, s) * v);
            }
        }
}

static dense stacked(const dense *A, bool triangle, const dense *B)
{
    dense S = dense_make(TSL_Z, A->m + B->m, A->n, CANARY_FINITE);
    for (int64_t j = 0; j < A->n; j++) {
        for (int64_t i = 0; i < A->m; i++) dense_put(&S, i, j, triangle && i > j ? 0 : dense_get(A, i, j));
        for (int64_t i = 0; i < B->m; i++) dense_put(&S, A->m + i, j, dense_get(B, i, j));
    }
    return S;
}

/* The largest difference of S from A (its triangle) on top of B, or of zeros */
static double apart(const dense *S, const dense *A, bool triangle, const dense *B)
{
    double most = 0;
    for (int64_t j = 0; j < S->n; j++)
        for (int64_t i = 0; i < S->m; i++) {
            tsl_scalar v = i < A->m ? (triangle && i > j ? 0 : dense_get(A, i, j)) : B ? dense_get(B, i - A->m, j) : 0, d = dense_get(S, i, j) - v;
            most = scalar_finite(d) ? fmax(most, cabs(d)) : INFINITY;
        }
    return most;
}

static void pair(tsl_context *x, const char *how, tsl_type t, int64_t n, int64_t m, int64_t ib, int64_t columns, bool zero)
{
    dense U = dense_make(t, n, n, CANARY_FINITE), A = dense_make(t, m, n, CANARY_FINITE), L = dense_make(t, ib, n, CANARY_FINITE), p = lu_pivots(n);
    dense B1 = dense_make(t, n, columns, CANARY_FINITE), B2 = dense_make(t, m, columns, CANARY_FINITE);
    dense_random(&U, 3), dense_random(&A, 4), dense_random(&B1, 5), dense_random(&B2, 6);
    if (zero) dense_fill(&U, 0);
    dense was = dense_copy(&U), lower = dense_copy(&A), S = stacked(&U, true, &A), T = stacked(&B1, false, &B2);
    dense triangles = dense_copy(&L), pivots = dense_copy(&p), upper = dense_copy(&B1), under = dense_copy(&B2);
    block u = wrap(x, &U, 0), a = wrap(x, &A, 0), l = wrap(x, &L, 0), q = wrap(x, &p, 0), b1 = wrap(x, &B1, 0), b2 = wrap(x, &B2, 0);
    char who[128];
    snprintf(who, sizeof who, "%s %c: %d on top of %d, panels of %d%s", how, tsl_type_letter(t), (int)n, (int)m, (int)ib, zero ? ", zeros" : "");
    tsl_status st = tsl_execute(x, &(tsl_call){.op = TSL_OP_TSTRF, .v = {u.v, l.v, q.v, a.v}});
    check(!st, "%s: %s", who, tsl_error(x));
    bool right = !st;
    for (int64_t k = 0; k < n && right; k++) right = lu_pivot(&p, k) >= k + 1 && lu_pivot(&p, k) <= n + m && (lu_pivot(&p, k) == k + 1 || lu_pivot(&p, k) > n);
    check(right, "%s: pivots of other rows than its own and the lower tile's", who);
    check(largest(&A, false) <= M_SQRT2 * (1 + 4 * tsl_type_eps(t)), "%s: a multiplier of %g", who, largest(&A, false));
    double eps = (double)(n + m) * tsl_type_eps(t);
    if (right) {
        eliminate(&A, &L, &p, &S);
        double off = apart(&S, &U, true, NULL) / (eps * (1 + largest(&U, true)));
        check(off < BOUND, "%s: U off by %g", who, off);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j + 1; i < n; i++) right &= dense_get(&U, i, j) == dense_get(&was, i, j);
    check(right, "%s: wrote below U", who);
    st = tsl_execute(x, &(tsl_call){.op = TSL_OP_SSSSM, .v = {a.v, l.v, q.v, b1.v, b2.v}});
    check(!st, "%s: %s", who, tsl_error(x));
    if (right) {
        eliminate(&A, &L, &p, &T);
        double off = apart(&T, &B1, false, &B2) / (eps * (1 + largest(&B1, false) + largest(&B2, false)));
        check(off < BOUND, "%s: %d columns off by %g", who, (int)columns, off);
    }
    check(!dense_strays(&U, &was, TSL_GENERAL) && !dense_strays(&A, &lower, TSL_GENERAL) && !dense_strays(&L, &triangles, TSL_GENERAL) &&
              !dense_strays(&p, &pivots, TSL_GENERAL) && !dense_strays(&B1, &upper, TSL_GENERAL) && !dense_strays(&B2, &under, TSL_GENERAL),
          "%s: wrote outside", who);
    block all[] = {u, a, l, q, b1, b2};
    dense *made[] = {&U, &A, &L, &p, &B1, &B2, &was, &lower, &S, &T, &triangles, &pivots, &upper, &under};
    for (size_t i = 0; i < COUNT(all); i++) tsl_matrix_free(all[i].mat);
    for (size_t i = 0; i < COUNT(made); i++) dense_free(made[i]);
}

static void pairs(const char *spec, const char *variant)
{
    static const int64_t sizes[][4] = {{1, 1, 1, 1}, {5, 3, 2, 7}, {33, 17, 8, 20}, {20, 50, 7, 33}, {40, 40, 40, 5}, {64, 64, 32, 64}};
    tsl_context *x = make(spec);
    check(!tsl_set(x, "variant", variant), "%s", tsl_error(x));
    for (int i = 0; i < 4; i++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (int zero = 0; zero < 2; zero++) pair(x, variant, (tsl_type)i, sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], zero);
    tsl_context_destroy(x);
    checked("%s, %s: pairs of tiles", spec ? spec : "default device", variant);
}

/* ---- solutions ---- */

/* Wilkinson's matrix is solved exactly up to this order, however it is cut. */
static int64_t exact_order(tsl_type t) { return t == TSL_S || t == TSL_C ? 20 : 50; }

static void solved(env *e, tsl_type t, int64_t n, int64_t count, lu_kind kind)
{
    dense A = lu_matrix(t, n, n, kind, (uint64_t)n + 5), was = dense_copy(&A), B = dense_make(t, n, count, CANARY_FINITE);
    dense_random(&B, 5);
    dense first = dense_copy(&B);
    job b = {.op = TSL_OP_GESV_INCPIV, .v = {{.d = &A}, {.d = &B}}, .info = -77};
    char who[96];
    snprintf(who, sizeof who, "%c %s n %d, %d", tsl_type_letter(t), lu_kind_name[kind], (int)n, (int)count);
    tsl_status st = job_run(e, &b);
    check(!st && b.info == 0, "%s: %s, info %d, %s", who, tsl_status_name(st), (int)b.info, tsl_error(e->ctx));
    operand whole = {.d = &was};
    double growth = largest(&A, true) / largest(&was, false), r = lu_solution_residual(&whole, &B, &first);
    check(r < BOUND * fmax(1, growth), "%s: residual %g, growth %g", who, r, growth);
    check(growth < (kind == WILKINSON ? INFINITY : 10 + (double)n), "%s: a growth of %g", who, growth);
    check(dense_strays(&A, &was, TSL_GENERAL) == 0 && dense_strays(&B, &first, TSL_GENERAL) == 0, "%s: wrote outside", who);
    dense_free(&A), dense_free(&was), dense_free(&B), dense_free(&first);
}

/* U(j,j) is zero, as for LAPACK: B is left alone. */
static void no_solution(env *e, tsl_type t, lu_kind kind, int64_t n)
{
    dense A = lu_matrix(t, n, n, kind, 3), theirs = dense_copy(&A), p = lu_pivots(n), B = dense_make(t, n, 3, CANARY_FINITE);
    dense_random(&B, 5);
    dense first = dense_copy(&B);
    job b = {.op = TSL_OP_GESV_INCPIV, .v = {{.d = &A}, {.d = &B}}, .info = -77};
    int64_t info = lu_lapack(&theirs, &p);
    tsl_status st = job_run(e, &b);
    check(!st && b.info == info && dense_same(&B, &first), "%c %s n %d: %s, info %d, LAPACK's %d; B touched or not", tsl_type_letter(t), lu_kind_name[kind],
          (int)n, tsl_status_name(st), (int)b.info, (int)info);
    dense_free(&A), dense_free(&theirs), dense_free(&p), dense_free(&B), dense_free(&first);
}

/* Tiles on the diagonal are zero, and the first pivots of them found in others: the rows of the identity from the last one on */
static void found_below(env *e, tsl_type t)
{
    enum { N = 70 };
    dense A = dense_make(t, N, N, CANARY_FINITE), B = dense_make(t, N, 3, CANARY_FINITE);
    dense_fill(&A, 0), dense_random(&B, 8);
    for (int64_t i = 0; i < N; i++) dense_put(&A, N - 1 - i, i, 2);
    dense first = dense_copy(&B);
    job b = {.op = TSL_OP_GESV_INCPIV, .v = {{.d = &A}, {.d = &B}}, .info = -77};
    tsl_status st = job_run(e, &b);
    bool right = !st && b.info == 0;
    for (int64_t j = 0; j < 3; j++)
        for (int64_t i = 0; i < N; i++) right = right && 2 * dense_get(&B, i, j) == dense_get(&first, N - 1 - i, j);
    check(right, "%c: rows in the opposite order: %s, info %d", tsl_type_letter(t), tsl_status_name(st), (int)b.info);
    dense_free(&A), dense_free(&B), dense_free(&first);
}

/* What is no number is seen in the solution, or in info; and nothing else happens. */
static void not_numbers(env *e, tsl_type t)
{
    static const int64_t at[][3] = {{1, 0, 0}, {40, 20, 3}, {40, 3, 20}, {70, 69, 69}};
    for (size_t r = 0; r < COUNT(at); r++)
        for (int inf = 0; inf < 2; inf++) {
            int64_t n = at[r][0];
            dense A = lu_matrix(t, n, n, RANDOM, 3), B = dense_make(t, n, 2, CANARY_FINITE), was = dense_copy(&A);
            dense_random(&B, 4);
            dense_put(&A, at[r][1], at[r][2], inf ? INFINITY : NAN);
            job b = {.op = TSL_OP_GESV_INCPIV, .v = {{.d = &A}, {.d = &B}}, .info = -77};
            tsl_status st = job_run(e, &b);
            bool found = b.info != 0;
            for (int64_t i = 0; i < n; i++) found |= !scalar_finite(dense_get(&B, i, 0)) || (inf && dense_get(&B, i, 0) == 0);
            check(!st && found && !dense_strays(&A, &was, TSL_GENERAL), "%s in %d at %d, %d: %s, seen %d", inf ? "inf" : "nan", (int)n,
                  (int)at[r][1], (int)at[r][2], tsl_status_name(st), found);
            dense_free(&A), dense_free(&B), dense_free(&was);
        }
}

static void one_env(env *e)
{
    static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {33, 1}, {33, 40}, {65, 17}, {130, 3}};
    for (int i = 0; i < 4; i++) {
        tsl_type t = all_types[i];
        for (size_t s = 0; s < COUNT(sizes); s++)
            for (int kind = RANDOM; kind <= ILL; kind++) solved(e, t, kind == ILL ? lu_min(sizes[s][0], 8) : sizes[s][0], sizes[s][1], (lu_kind)kind);
        solved(e, t, exact_order(t), 2, WILKINSON);
        no_solution(e, t, ZERO_COLUMN, 40), no_solution(e, t, ZERO_COLUMN, 66), no_solution(e, t, ZEROS, 33), no_solution(e, t, ONES, 40);
        found_below(e, t);
        not_numbers(e, t);
        for (int64_t n = 0; n < 4; n += 3) { /* nothing to solve, and nothing to solve for */
            dense A = lu_matrix(t, n, n, PLANTED, 1), B = dense_make(t, n, n ? 0 : 4, CANARY_FINITE), was = dense_copy(&A);
            job b = {.op = TSL_OP_GESV_INCPIV, .v = {{.d = &A}, {.d = &B}}, .info = -77};
            check(job_run(e, &b) == TSL_OK && b.info == 0 && !dense_strays(&A, &was, TSL_GENERAL), "n %d, none: info %d, %s", (int)n,
                  (int)b.info, tsl_error(e->ctx));
            dense_free(&A), dense_free(&B), dense_free(&was);
        }
        checked("%s: %cgesv_incpiv", env_name(e), tsl_type_letter(t));
    }
}

/* ---- factors, by tiles ---- */

enum { A, L, P, B }; /* its operands */

static left with(tsl_type t, int64_t n, int64_t nb, int64_t ib)
{
    int64_t pairs = tsl_pairs(n, n, nb);
    left l = {{lu_matrix(t, n, n, RANDOM, 11), dense_make(t, ib, nb * pairs, CANARY_FINITE),
               dense_make(TSL_INDEX, nb, pairs, CANARY_FINITE), dense_make(t, n, 40, CANARY_FINITE)}};
    dense_random(&l.v[B], 12);
    dense_fill(&l.v[L], 0);
    return l;
}

static left with_given(tsl_type t, bool large) { return large ? with(t, 150, 33, 8) : with(t, 42, 16, 4); }
static left with_tiled(void) { return with(TSL_Z, 83, 16, 4); }
/* A task needs three, a narrow one and some pivots. */
static size_t room_for(tsl_type t, size_t tiles) { return (4 + tiles) * 33 * 33 * tsl_type_size(t) + 8192; }

static double residual(tsl_context *x, const left *l, const left *first)
{
    (void)x;
    operand whole = {.d = (dense *)&first->v[A]};
    return lu_solution_residual(&whole, &l->v[B], &first->v[B]) / fmax(1, largest(&l->v[A], true) / largest(&first->v[A], false));
}

/* Factored once, used twice: of B's columns the first ones, then the others */
static tsl_status factor_and_solve(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info)
{
    tsl_strips C = tsl_block_cols(v[B], 0, 23);
    tsl_status st = tsl_set(x, "variant", variant);
    if (!st) st = tsl_getrf_incpiv(x, v[A], v[L], v[P], info);
    if (!st) st = tsl_set(x, "variant", "auto");
    if (!st) st = tsl_getrs_incpiv(x, v[A], v[L], v[P], C.A1);
    if (!st) st = tsl_getrs_incpiv(x, v[A], v[L], v[P], C.A2);
    return st;
}

static tsl_status by_arrays(tsl_context *x)
{
    left l = with(TSL_D, 42, 16, 4);
    tsl_status st = tsl_dgesv_incpiv(x, 42, 5, (double *)l.v[A].data, l.v[A].ld, (double *)l.v[B].data, l.v[B].ld, NULL);
    left_free(&l);
    return st;
}

static const program incpiv = {4, with_given, factor_and_solve, by_arrays, {"auto", "right", "late"}, "0", room_for};

static void factors(const char *spec)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {33, 16, 4}, {32, 16, 16}, {65, 32, 5}, {40, 64, 8}, {100, 17, 3}};
    tsl_context *x = make(spec);
    for (int i = 0; i < 12; i++)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            left l = with((tsl_type)(i % 4), sizes[s][0], sizes[s][1], sizes[s][2]), first = left_copy(&incpiv, &l);
            check(!tsl_set(x, "path", "tiles") && !tsl_set(x, "variant", incpiv.variants[i / 4]), "%s", tsl_error(x));
            block a = wrap(x, &l.v[A], 0), t = wrap(x, &l.v[L], 0), p = wrap(x, &l.v[P], 0), b = wrap(x, &l.v[B], 0);
            tsl_status st = tsl_getrf_incpiv(x, a.v, t.v, p.v, NULL);
            check(!st && !tsl_set(x, "variant", "auto") && !tsl_set(x, "path", i % 3 ? "tiles" : "one"), "%s: %s", spec, tsl_error(x));
            if (!st) st = tsl_getrs_incpiv(x, a.v, t.v, p.v, b.v);
            double r = st ? INFINITY : residual(x, &l, &first);
            check(r < BOUND, "%s %c, %d by %d, %d: residual %g %s", spec, tsl_type_letter((tsl_type)(i % 4)), (int)sizes[s][0],
                  (int)sizes[s][1], (int)sizes[s][2], r, tsl_error(x));
            tsl_matrix_free(a.mat), tsl_matrix_free(t.mat), tsl_matrix_free(p.mat), tsl_matrix_free(b.mat);
            left_free(&l), left_free(&first);
        }
    tsl_context_destroy(x);
    checked("%s: factors, and solutions with them", spec);
}

/* Where the library chooses the tile, gesv_incpiv goes by sizes alone; one byte less than a task on the least tiles needs is
 * refused. */
static void chosen(void)
{
    enum { N = 600 };
    static const char *const specs[] = {"host:1", "host:2", "host:5", "host:1,mem=1M", "host:2,mem=512K"};
    dense first = {0}, A = lu_matrix(TSL_D, N, N, RANDOM, 2);
    for (size_t s = 0; s < COUNT(specs); s++) {
        tsl_context *x = by_tiles(specs[s], "0");
        dense F = dense_copy(&A), B = dense_make(TSL_D, N, 70, CANARY_FINITE);
        dense_random(&B, 3);
        dense was = dense_copy(&B);
        check(!tsl_dgesv_incpiv(x, N, 70, (double *)F.data, F.ld, (double *)B.data, B.ld, NULL), "%s: %s", specs[s], tsl_error(x));
        operand whole = {.d = &A};
        double r = lu_solution_residual(&whole, &B, &was);
        check(r < BOUND, "%s: residual %g", specs[s], r);
        check(s == 0 || s > 2 || dense_same(&B, &first), "%s: other bits", specs[s]);
        if (!s) first = dense_copy(&B);
        tsl_context_destroy(x);
        dense_free(&F), dense_free(&B), dense_free(&was);
    }
    tsl_context *x = by_tiles("host:1,mem=4K", "0");
    size_t need = 0, free = 0;
    for (size_t more = 0; more < 3; more++) {
        dense F = dense_copy(&A), B = dense_copy(&A);
        if (more) x->devices[0].limit = 4096 + need - free - 2 + more;
        tsl_status st = tsl_dgesv_incpiv(x, N, N, (double *)F.data, F.ld, (double *)B.data, B.ld, NULL);
        check(more == 2 ? !st : st == TSL_ERR_DEVICE_MEMORY, "on %zu bytes: %s", x->devices[0].limit, tsl_error(x));
        const char *line = tsl_error(x), *says = strstr(line, "needs "), *and = strstr(line, "and ");
        check(more || (says && and && sscanf(says, "needs %zu", &need) == 1 && sscanf(and, "and %zu", &free) == 1), "%s", line);
        check(x->devices[0].peak <= x->devices[0].limit, "past the limit");
        dense_free(&F), dense_free(&B);
    }
    check(need > 3 * 64 * 64 * 8 && need < 6 * 64 * 64 * 8, "three tiles of 64 and some, not %zu bytes", need);
    tsl_context_destroy(x);
    dense_free(&first), dense_free(&A);
    checked("tiles the library chooses, and the least memory");
}

/* In one call */
static void solved_tiled(const char *spec, bool region)
{
    tsl_context *x = make(spec);
    dense M = lu_matrix(TSL_D, 83, 83, RANDOM, 1), was = dense_copy(&M), X = dense_make(TSL_D, 83, 20, CANARY_FINITE);
    dense_random(&X, 2);
    dense first = dense_copy(&X);
    block a = tiled(x, &M, 16, false), b = tiled(x, &X, 16, false);
    if (region) check(!tsl_begin(x), "%s", tsl_error(x));
    tsl_status st = tsl_gesv_incpiv(x, a.v, b.v, NULL);
    if (region && !st) st = tsl_wait(x);
    tsl_matrix_free(a.mat), tsl_matrix_free(b.mat);
    operand whole = {.d = &was};
    check(!st && lu_solution_residual(&whole, &X, &first) < BOUND * fmax(1, largest(&M, true) / largest(&was, false)), "%s: gesv_incpiv of tiles", spec);
    dense_free(&M), dense_free(&was), dense_free(&X), dense_free(&first);
    tsl_context_destroy(x);
    checked("%s: gesv_incpiv of square tiles%s", spec, region ? ", in a region" : "");
}

static void refused(void)
{
    enum { N = 20, NB = 8, IB = 4 }; /* three tiles, six pairs */
    tsl_context *x = make("host");
    left l = with(TSL_D, N, NB, IB), other = with(TSL_S, N, NB, IB);
    block a = wrap(x, &l.v[A], 0), t = wrap(x, &l.v[L], 0), p = wrap(x, &l.v[P], 0), b = wrap(x, &l.v[B], 0), s = wrap(x, &other.v[A], 0);
    int64_t info;
    REFUSED(TSL_ERR_SHAPE, "square", tsl_gesv_incpiv(x, tsl_sub(a.v, 0, 0, N, N - 1), b.v, &info));
    REFUSED(TSL_ERR_SHAPE, "B's rows", tsl_gesv_incpiv(x, a.v, tsl_sub(b.v, 0, 0, N - 1, 3), &info));
    REFUSED(TSL_ERR_FLAG, "as it is stored", tsl_gesv_incpiv(x, tsl_trans(a.v), b.v, &info));
    REFUSED(TSL_ERR_FLAG, "B is seen", tsl_gesv_incpiv(x, a.v, tsl_trans(b.v), &info));
    REFUSED(TSL_ERR_TYPE, "types differ", tsl_gesv_incpiv(x, s.v, b.v, &info));
    REFUSED(TSL_ERR_OVERLAP, "B overlaps A", tsl_gesv_incpiv(x, a.v, a.v, &info));
    REFUSED(TSL_ERR_SHAPE, "p must be", tsl_getrf_incpiv(x, a.v, t.v, tsl_sub(p.v, 0, 0, NB, 5), &info));
    REFUSED(TSL_ERR_SHAPE, "p must be", tsl_getrf_incpiv(x, a.v, tsl_sub(t.v, 0, 0, IB, 47), p.v, &info));
    REFUSED(TSL_ERR_SHAPE, "p must be", tsl_getrf_incpiv(x, a.v, tsl_sub(t.v, 0, 0, 0, 48), p.v, &info));
    REFUSED(TSL_ERR_FLAG, "L is seen", tsl_getrf_incpiv(x, a.v, tsl_trans(t.v), p.v, &info));
    REFUSED(TSL_ERR_TYPE, "indices", tsl_getrf_incpiv(x, a.v, t.v, b.v, &info));
    REFUSED(TSL_ERR_SHAPE, "B's rows", tsl_getrs_incpiv(x, a.v, t.v, p.v, tsl_sub(b.v, 0, 0, 3, 3)));
    REFUSED(TSL_ERR_FLAG, "as it is stored", tsl_getrs_incpiv(x, tsl_trans(a.v), t.v, p.v, b.v));
    REFUSED(TSL_ERR_FLAG, "B is seen", tsl_getrs_incpiv(x, a.v, t.v, p.v, tsl_trans(b.v)));
    check(!tsl_set(x, "variant", "sweep"), "%s", tsl_error(x));
    REFUSED(TSL_ERR_OPTION, "no variant 'sweep'", tsl_gesv_incpiv(x, a.v, b.v, &info));
    check(!tsl_set(x, "variant", "late") && !tsl_gesv_incpiv(x, a.v, b.v, &info) && !info, "%s", tsl_error(x));
    char text[4096];
    check(!tsl_explain(x, "dgesv_incpiv", 0, 4000, 1, text, sizeof text) && strstr(text, "path: ") && strstr(text, "time: "), "explain: %s", text);
    block made[] = {a, t, p, b, s};
    for (size_t i = 0; i < COUNT(made); i++) tsl_matrix_free(made[i].mat);
    left_free(&l), left_free(&other);
    tsl_context_destroy(x);
    checked("what is refused, and explained");
}

int main(void)
{
    pairs("host", "leaf");
    pairs("host", "stack");
    pairs("host:1,mem=64M", "stack");
    pairs(NULL, "auto");
    for_each_env(one_env);
    factors("host:1,mem=300K"), factors("host:3"), factors("host");
    program_bits(&incpiv, TSL_D), program_bits(&incpiv, TSL_C);
    chosen();
    for (int i = 0; i < 4; i++) program_tiled(&incpiv, i % 2 ? "host" : "host:2", i / 2, with_tiled, residual), solved_tiled(i % 2 ? "host" : "host:2", i / 2);
    program_failures(&incpiv, "host:2"), program_failures(&incpiv, "host");
    refused();
    return tap_done();
}
