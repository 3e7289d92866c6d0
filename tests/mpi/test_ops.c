/* Every routine with a distributed form, on the benchmark's problems: types, letters, sizes, block sizes, alignments, views
 * that start anywhere, both storage schemes, also of one call's operands. Compared with the naive reference and by residual; nothing is written but what may
 * be. */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "grid.h"

#define COUNT(a) ((unsigned)(sizeof(a) / sizeof *(a)))

static const char *const routines[] = {"gemm",  "symm",  "hemm",  "syrk",  "herk",  "syr2k", "her2k", "trmm", "trsm", "gemmt",
                                       "potrf", "trtri", "lauum", "potri", "potrs", "posv",  "gemv",  "symv", "hemv", "gesvd",
                                       "sysv",  "hesv"};
/* All others too, in fewer cases: many are computed in one place, and LU, QR and eigenproblems have tests of their own. Of these the benchmark
 * makes the matrix of vectors itself, which is then not distributed. */
static const char *const elsewhere[] = {"syev", "heev", "syevr", "heevr"};
/* Some of those that are not, though much of each is panels */
static const char *const shared[] = {"gesvd", "sysv", "gehrd", "gebrd", "sytrd", "geqp3", "geqp3_random", "gelsy"};
static const int64_t sizes[] = {0, 1, 2, 5, 17, 33, 47, 65};
static const int64_t blocks[] = {1, 3, 32};
static const tsl_scalar scalars[][2] = {{1, 0}, {1, 1}, {-0.7 + 0.3 * I, 1}, {-1, 0.6 - 0.8 * I}, {0, 0.5 + 0.25 * I}, {1.5, -1}};

enum { CASES = 20 }; /* of each routine and type */

static bool is_listed(const bench_routine *r)
{
    bool found = false;
    for (unsigned i = 0; i < COUNT(routines); i++) found |= !strcmp(routines[i], r->name);
    for (unsigned i = 0; i < COUNT(elsewhere); i++) found |= !strcmp(elsewhere[i], r->name);
    return found;
}

/* Where the operands are kept; by turn: all in one place, all but the output elsewhere, or in turn here and there. */
typedef enum kept { BY_TURN, INPUTS_IN_HOST, INPUTS_ON_DEVICE } kept;

typedef struct sweep {
    team *t;
    tsl_context *ctx[2];
    const bench_routine *r;
    kept where;
    unsigned turn, ran;
    double worst;
    char failure[400];
} sweep;

static tsl_scheme scheme(const sweep *s, unsigned turn, unsigned operand, bool output)
{
    if (s->where != BY_TURN) return (s->where == INPUTS_ON_DEVICE) != output ? TSL_ON_DEVICE : TSL_IN_HOST;
    unsigned way = pick(turn, 15, 6);
    bool elsewhere = way == 0 ? !output : way == 1 && operand % 2;
    return (pick(turn, 3, 2) == 1) != elsewhere ? TSL_ON_DEVICE : TSL_IN_HOST;
}

/* Another layout for each operand. */
static tsl_layout layout(const sweep *s, unsigned turn, unsigned operand, bool output, int64_t nb)
{
    tsl_layout l = tsl_layout_matrix(s->t->grid, nb);
    if (s->where == BY_TURN && pick(turn, 4, 3) == 0) { /* not aligned with the others */
        l.rows.offset = pick(turn, 5 + operand, 2 * (unsigned)nb + 2);
        l.cols.offset = pick(turn, 8 + operand, 3 * (unsigned)nb + 1);
        l.rows.nb = blocks[pick(turn, 11 + operand, COUNT(blocks))];
    }
    l.scheme = scheme(s, turn, operand, output);
    return l;
}

/* The problem's arrays, whole on every process, and distributed matrices in between. */
static tsl_status distribute(const sweep *s, bench_problem *p, unsigned turn, int64_t nb)
{
    tsl_layout whole = tsl_layout_whole(s->t->grid, TSL_EVERY, TSL_EVERY);
    tsl_status st = TSL_OK;
    p->place = BENCH_DEVICE;
    for (int i = 0; i < p->count; i++) {
        bench_array *a = &p->a[i];
        tsl_layout l = layout(s, turn, (unsigned)i, i == p->count - 1, nb);
        tsl_matrix_free(a->source);
        tsl_matrix_free(a->result);
        a->source = a->result = NULL;
        if (!st) st = tsl_matrix_wrap_on(p->ctx, &whole, a->type, a->ld, a->width, a->first, a->ld, &a->source);
        if (!st) st = tsl_matrix_wrap_on(p->ctx, &whole, a->type, a->ld, a->width, a->work, a->ld, &a->result);
        if (!st) st = tsl_matrix_create_on(p->ctx, &l, a->type, a->ld, a->width, &a->device);
    }
    return st;
}

static void judge(sweep *s, bench_problem *p, int64_t nb, tsl_status st)
{
    bool small = p->c.m <= 65 && p->c.n <= 65 && p->c.k <= 65; /* else the naive reference takes too long */
    double residual = st ? INFINITY : bench_residual(p), deviation = st ? INFINITY : small ? bench_deviation(p) : 0;
    const char *where = st ? tsl_error(p->ctx) : bench_trespass(p);
    s->ran++;
    s->worst = worse(worse(s->worst, residual), deviation);
    if ((!where && residual < BENCH_OK && deviation < BENCH_OK) || s->failure[0]) return;
    char letters[BENCH_FLAGS + 1] = {0};
    for (int f = 0; f < BENCH_FLAGS; f++) letters[f] = p->c.flag[f] ? p->c.flag[f] : '-';
    snprintf(s->failure, sizeof s->failure,
             "; turn %u m=%lld n=%lld k=%lld flags %s nb=%lld at (%lld,%lld) alpha %g beta %g: residual %.3g, off by %.3g, %s",
             s->turn, (long long)p->c.m, (long long)p->c.n, (long long)p->c.k, letters, (long long)nb, (long long)p->c.row0,
             (long long)p->c.col0, creal(p->c.alpha), creal(p->c.beta), residual, deviation,
             where ? where : "nothing else changed");
}

static void solve(sweep *s, bench_case *c, int64_t nb)
{
    unsigned turn = s->turn;
    bench_problem p;
    c->seed = turn;
    tsl_status st = bench_open(s->ctx[turn % 2], s->r, c, BENCH_HOST, &p);
    if (!st) st = distribute(s, &p, turn, nb);
    if (!st) st = bench_restore(&p, BENCH_DEVICE);
    if (!st) st = bench_run(&p, BENCH_VIEWS);
    for (int i = 0; i < p.count && !st; i++) st = bench_fetch(&p, i);
    judge(s, &p, nb, st);
    bench_close(&p);
}

static void one_case(sweep *s, bench_case *c)
{
    unsigned turn = s->turn;
    c->n = sizes[pick(turn, 0, COUNT(sizes))];
    c->m = sizes[pick(turn, 1, COUNT(sizes))];
    c->k = sizes[pick(turn, 2, COUNT(sizes))];
    unsigned scalar = pick(turn + 7, 0, COUNT(scalars));
    c->alpha = scalars[scalar][0], c->beta = scalars[scalar][1];
    c->row0 = pick(turn + 7, 1, 5), c->col0 = pick(turn + 7, 2, 4), c->pad = pick(turn + 7, 3, 3);
    solve(s, c, blocks[pick(turn, 14, COUNT(blocks))]);
}

static void letters(sweep *s, bench_case *c)
{
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *all = bench_letters(s->r, c->type, (bench_flag)f, BENCH_VIEWS);
        if (*all) c->flag[f] = all[pick(s->turn + 13, (unsigned)f, (unsigned)strlen(all))];
    }
}

/* Large enough for panels of several blocks, and for products that take several panels. */
static void run_large(team *t, tsl_context *const ctx[2], const bench_routine *r, unsigned turn)
{
    sweep s = {.t = t, .ctx = {ctx[0], ctx[1]}, .r = r, .turn = turn};
    for (int i = 0; i < 2; i++, s.turn++) {
        bench_case c = {.type = i ? TSL_Z : TSL_D, .m = 613, .n = 587, .k = 601, .alpha = r->alpha, .beta = r->beta, .row0 = i};
        letters(&s, &c);
        solve(&s, &c, 48);
    }
    all_ok(t, !s.failure[0], "large %s on %dx%d: worst %.2g%s", r->name, t->rows, t->cols, s.worst, s.failure);
}

/* What is computed in one place is computed by the first process, and by no other. */
static void run_by_all(team *t, tsl_context *x, const bench_routine *r, unsigned turn)
{
    sweep s = {.t = t, .ctx = {x, x}, .r = r, .turn = turn};
    bench_case c = {.type = TSL_D, .m = 97, .n = 91, .k = 5, .alpha = 1, .beta = 1};
    tsl_counters n;
    letters(&s, &c);
    tsl_counters_reset(x);
    solve(&s, &c, 8);
    tsl_counters_get(x, &n);
    all_ok(t, !s.failure[0] && n.launches > 0, "%s on %dx%d is everybody's: %d leaves%s", r->name, t->rows, t->cols, (int)n.launches, s.failure);
}

/* Inputs in another place than the output, in several panels of one block each: MPI receives straight into what the product of the
 * panel before is computed from. */
static void run_mixed(team *t, tsl_context *const ctx[2], const bench_routine *r, unsigned turn)
{
    for (int where = INPUTS_IN_HOST; where <= INPUTS_ON_DEVICE; where++) {
        sweep s = {.t = t, .ctx = {ctx[0], ctx[1]}, .r = r, .turn = turn, .where = (kept)where};
        int cases = where == INPUTS_IN_HOST ? 8 : 2; /* those on a device are waited for in any case */
        for (int i = 0; i < cases; i++, s.turn++) {
            bench_case c = {.type = TSL_D, .m = 601, .n = 387, .k = 601, .alpha = r->alpha, .beta = r->beta};
            letters(&s, &c);
            solve(&s, &c, 256);
        }
        all_ok(t, !s.failure[0], "%s on %dx%d, inputs %s: worst %.2g%s", r->name, t->rows, t->cols,
               where == INPUTS_IN_HOST ? "in host memory, output on devices" : "on devices, output in host memory", s.worst, s.failure);
    }
}

/* Several panels on every grid, of part of a block, one block and many, with every letter: what look-ahead is for. */
static void run_ahead(team *t, tsl_context *const ctx[2], const bench_routine *r, tsl_type type, unsigned turn)
{
    static const int64_t cases[] = {1, 3, 3, 3, 32, 32, 32, 32, 150};
    sweep s = {.t = t, .ctx = {ctx[0], ctx[1]}, .r = r, .turn = turn};
    for (unsigned i = 0; i < COUNT(cases); i++, s.turn++) {
        bench_case c = {.type = type, .m = i % 2 ? 301 : 387, .n = i % 2 ? 403 : 283, .alpha = scalars[2][0], .row0 = i % 3, .col0 = i % 2};
        letters(&s, &c);
        solve(&s, &c, cases[i]);
    }
    all_ok(t, !s.failure[0], "%c%s in panels on %dx%d: %u cases, worst %.2g%s", tsl_type_letter(type), r->name, t->rows, t->cols,
           s.ran, s.worst, s.failure);
}

static void run(team *t, tsl_context *const ctx[2], const bench_routine *r, tsl_type type, int cases, unsigned *turn)
{
    sweep s = {.t = t, .ctx = {ctx[0], ctx[1]}, .r = r, .turn = *turn};
    for (int i = 0; i < cases; i++, s.turn++) {
        bench_case c = {.type = type};
        letters(&s, &c);
        one_case(&s, &c);
    }
    *turn = s.turn;
    all_ok(t, !s.failure[0], "%c%s on %dx%d: %u cases, worst %.2g%s", tsl_type_letter(type), r->name, t->rows, t->cols, s.ran,
           s.worst, s.failure);
}

/* inv(A) of a symmetric, indefinite A, from either triangle: A inv(A) = I */
static void run_inverse(const team *t, tsl_context *x, tsl_uplo uplo)
{
    enum { N = 41 };
    double a[N * N], f[N * N], inverse[N * N], off = 0;
    tsl_layout l = tsl_layout_matrix(t->grid, 4), every = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *W = NULL, *p = NULL;
    int64_t info = -7;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) a[i + j * N] = f[i + j * N] = (i * j) % 7 + (i + j) % 5 - 4 + (i == j ? 90 * (i % 2) - 40 : 0);
    tsl_status st = tsl_matrix_create_on(x, &l, TSL_D, N, N, &A);
    if (!st) st = tsl_matrix_create_on(x, &every, TSL_INDEX, N, 1, &p);
    if (!st) st = tsl_scatter(x, 0, f, N, tsl_whole(A));
    tsl_view S = uplo == TSL_LOWER ? tsl_lower(tsl_whole(A)) : tsl_upper(tsl_whole(A));
    if (!st) st = tsl_sytrf(x, S, tsl_whole(p), &info);
    if (!st) st = tsl_sytri(x, S, tsl_whole(p), &info);
    if (!st) st = tsl_matrix_wrap_on(x, &every, TSL_D, N, N, inverse, N, &W);
    if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(W));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            double sum = i == j ? -1 : 0;
            for (int k = 0; k < N; k++) sum += a[i + k * N] * inverse[(k > j) == (uplo == TSL_LOWER) ? k + j * N : j + k * N];
            off = worse(off, fabs(sum));
        }
    all_ok(t, !st && !info && off < 1e-9, "sytri on %dx%d: off by %g, info %d: %s", t->rows, t->cols, off, (int)info, tsl_error(x));
    tsl_matrix_free(A), tsl_matrix_free(p), tsl_matrix_free(W);
}

/* Least squares of a rank that is not full, by singular values or by pivoted QR: as on one process */
static void run_squares(const team *t, tsl_context *x, int64_t m, int64_t n, int64_t of_rank, bool by_values)
{
    enum { MOST = 40, K = 3 };
    double a[MOST * MOST], b[MOST * K], local[MOST * MOST], want[MOST * K], s[MOST], got[MOST * K], off = 0;
    tsl_layout l = tsl_layout_matrix(t->grid, 5), every = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    int64_t rows = m > n ? m : n, d = m < n ? m : n, info = 0, rank[2] = {-7, -7}, order[MOST] = {0};
    tsl_matrix *A = NULL, *B = NULL, *S = NULL, *W = NULL;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) a[i + j * m] = local[i + j * m] = sin(0.37 * (double)((i + 1) * (j % of_rank + 1)));
    for (int64_t i = 0; i < rows * K; i++) b[i] = want[i] = cos((double)(3 * i));
    tsl_status st = by_values ? tsl_dgelsd(x, m, n, K, local, m, want, rows, s, 1e-10, &rank[0], &info)
                              : tsl_dgelsy(x, m, n, K, local, m, want, rows, order, 1e-10, &rank[0], &info);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, m, n, &A);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, rows, K, &B);
    if (!st) st = tsl_matrix_create_on(x, &every, by_values ? TSL_D : TSL_INDEX, by_values ? d : n, 1, &S);
    if (!st) st = tsl_scatter(x, 0, a, m, tsl_whole(A));
    if (!st) st = tsl_scatter(x, 0, b, rows, tsl_whole(B));
    if (!st) st = by_values ? tsl_gelsd(x, tsl_whole(A), tsl_whole(S), tsl_whole(B), 1e-10, &rank[1], &info)
                            : tsl_gelsy(x, tsl_whole(A), tsl_whole(S), tsl_whole(B), 1e-10, &rank[1]);
    if (!st) st = tsl_matrix_wrap_on(x, &every, TSL_D, rows, K, got, rows, &W);
    if (!st) st = tsl_copy(x, tsl_whole(B), tsl_whole(W));
    for (int64_t j = 0; j < K; j++)
        for (int64_t i = 0; i < n; i++) off = worse(off, fabs(got[i + j * rows] - want[i + j * rows]));
    all_ok(t, !st && !info && rank[0] == rank[1] && off < 1e-10, "gels%c on %dx%d: rank %d, off by %g, info %d: %s",
           by_values ? 'd' : 'y', t->rows, t->cols, (int)rank[1], off, (int)info, tsl_error(x));
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(S), tsl_matrix_free(W);
}

/* Pivoted QR: LAPACK's pivots, fixed columns among them, and the sizes of its diagonal; what is not a number is in R */
static void run_pivots(const team *t, tsl_context *x, int64_t m, int64_t n, bool odd)
{
    enum { MOST = 60 };
    double a[MOST * MOST], want[MOST * MOST], got[MOST * MOST], tau[MOST], off = 0;
    int64_t p[2][MOST] = {{0}}, d = m < n ? m : n, info = -7, wrong = 0;
    bool seen[MOST] = {false}, finite = true;
    tsl_layout l = tsl_layout_matrix(t->grid, 4), every = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    tsl_matrix *A = NULL, *P = NULL, *T = NULL, *W = NULL;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            a[i + j * m] = want[i + j * m] = j == 2 ? 0 : sin((double)(j * j) + 3.7 * (double)((i + 3) * (j + 2)));
    if (odd) a[1 + 3 * m] = NAN;
    for (int64_t j = 4; j < n && !odd; j += m > n ? 17 : 2) p[0][j] = p[1][j] = j;
    tsl_status st = odd ? TSL_OK : tsl_dgeqp3(x, m, n, want, m, p[0], tau, &info);
    if (!st) st = tsl_matrix_create_on(x, &l, TSL_D, m, n, &A);
    if (!st) st = tsl_matrix_wrap_on(x, &every, TSL_INDEX, n, 1, p[1], n, &P);
    if (!st) st = tsl_matrix_create_on(x, &every, TSL_D, d, 1, &T);
    if (!st) st = tsl_scatter(x, 0, a, m, tsl_whole(A));
    if (!st) st = tsl_geqp3(x, tsl_whole(A), tsl_whole(P), tsl_whole(T));
    if (!st) st = tsl_matrix_wrap_on(x, &every, TSL_D, m, n, got, m, &W);
    if (!st) st = tsl_copy(x, tsl_whole(A), tsl_whole(W));
    for (int64_t j = 0; j < n && !st; j++) {
        if (p[1][j] < 1 || p[1][j] > n || seen[p[1][j] - 1] || (!odd && p[1][j] != p[0][j])) ++wrong;
        else seen[p[1][j] - 1] = true;
        if (j >= d) continue;
        off = worse(off, odd ? 0 : fabs(fabs(got[j + j * m]) - fabs(want[j + j * m])));
        finite &= isfinite(got[j + j * m]);
    }
    bool good = !st && !wrong && off < 1e-12 * (double)(m + n) && finite != odd;
    all_ok(t, good, "geqp3 of %d x %d on %dx%d: %d pivots are others, off by %g, finite %d: %s", (int)m, (int)n, t->rows,
           t->cols, (int)wrong, off, finite, tsl_error(x));
    tsl_matrix_free(A), tsl_matrix_free(P), tsl_matrix_free(T), tsl_matrix_free(W);
}

/* A product of matrices that every process has, for one that only some have: those compute it, and the others have nothing to do. */
static void run_places(const team *t, tsl_context *x)
{
    enum { M = 40, K = 30 };
    static const int places[][2] = {{0, 0}, {TSL_EVERY, 0}, {0, TSL_EVERY}};
    double a[M * K], b[K * M], c[M * M];
    tsl_layout every = tsl_layout_whole(t->grid, TSL_EVERY, TSL_EVERY);
    for (unsigned i = 0; i < COUNT(places); i++) {
        tsl_layout some = tsl_layout_whole(t->grid, places[i][0], places[i][1]);
        tsl_matrix *A = NULL, *B = NULL, *C = NULL;
        for (int e = 0; e < M * K; e++) a[e] = b[e] = 1;
        for (int e = 0; e < M * M; e++) c[e] = 7;
        tsl_status st = tsl_matrix_wrap_on(x, &every, TSL_D, M, K, a, M, &A);
        if (!st) st = tsl_matrix_wrap_on(x, &every, TSL_D, K, M, b, K, &B);
        if (!st) st = tsl_matrix_wrap_on(x, &some, TSL_D, M, M, c, M, &C);
        if (!st) st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(B), 0, tsl_whole(C));
        double want = C && tsl_local(tsl_whole(C)).m ? K : 7;
        int wrong = 0;
        for (int e = 0; e < M * M; e++) wrong += c[e] != want;
        all_ok(t, !st && !wrong, "gemm for C on (%d,%d): %s, %d wrong: %s", places[i][0], places[i][1], tsl_status_name(st), wrong, tsl_error(x));
        tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(C);
    }
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    int cases = argc > 2 ? atoi(argv[2]) : in_full() ? CASES : CASES / 2;
    unsigned turn = (unsigned)(t.rows * 1000 + t.cols * 100);
    for (unsigned i = 0; i < COUNT(routines); i++)
        for (int type = TSL_S; type <= TSL_Z; type++) {
            const bench_routine *r = bench_find(routines[i], strlen(routines[i]));
            if (r) run(&t, ctx, r, (tsl_type)type, cases, &turn);
            else all_ok(&t, 0, "there is no %s", routines[i]);
        }
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int type = TSL_S; type <= TSL_Z; type++)
            if (r->views && !r->batch_of && !is_listed(r) && bench_has_type(r, (tsl_type)type))
                run(&t, ctx, r, (tsl_type)type, cases > 5 ? cases / 5 : 1, &turn);
    for (int type = TSL_S; type <= TSL_Z; type++) run_ahead(&t, ctx, bench_find("trsm", 4), (tsl_type)type, turn + 100 * (unsigned)type);
    for (unsigned i = 0; i < COUNT(routines); i++) run_large(&t, ctx, bench_find(routines[i], strlen(routines[i])), turn + 2 * i);
    for (unsigned i = 0; i < COUNT(shared); i++) run_by_all(&t, ctx[0], bench_find(shared[i], strlen(shared[i])), turn + i);
    run_inverse(&t, ctx[0], TSL_LOWER), run_inverse(&t, ctx[1], TSL_UPPER);
    for (int k = 0; k < 2; k++) run_squares(&t, ctx[0], 37, 23, 21, k), run_squares(&t, ctx[1], 19, 31, 17, k);
    run_squares(&t, ctx[0], 19, 31, 6, false), run_squares(&t, ctx[1], 31, 31, 1, false);
    for (int k = 0; k < 2; k++) run_pivots(&t, ctx[k], 41, 29, k), run_pivots(&t, ctx[!k], 23, 53, k);
    run_places(&t, ctx[0]);
    static const char *const mixed[] = {"gemm", "syrk", "trmm", "trsm"};
    for (unsigned i = 0; i < COUNT(mixed); i++) run_mixed(&t, ctx, bench_find(mixed[i], strlen(mixed[i])), turn + 2 * i);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
