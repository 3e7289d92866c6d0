/* Cholesky with look-ahead: against the factor of one process, on layouts whose panels one process column has or several;
 * matrices that are not positive definite; the same bits in every run; every allocation of one process failing in turn. */
#include "cases.h"
#include "shortage.h"

enum { LIMIT = 50 }; /* units of roundoff */
static const int64_t blocks[] = {1, 3, 32};
static const int64_t sizes[] = {5, 129, 301, 387}; /* from one panel to several on every grid */
enum { SMALL = 3 };                                /* of them in blocks of 1, which are slow to distribute */

typedef struct problem {
    tsl_matrix *A;
    dense d;
    int64_t n, at; /* the block from (at, at) on is factored */
    tsl_uplo uplo;
} problem;

static tsl_view triangle(const problem *p, tsl_matrix *A)
{
    tsl_view v = tsl_sub(tsl_whole(A), p->at, p->at, p->n - p->at, p->n - p->at);
    return p->uplo == TSL_LOWER ? tsl_lower(v) : tsl_upper(v);
}

static tsl_status put(const problem *p, tsl_context *x) { return tsl_scatter(x, 0, p->d.data, p->d.ld, tsl_whole(p->A)); }

static tsl_status make(problem *p, tsl_context *x, const tsl_layout *l, tsl_type type, int64_t n, int64_t at, tsl_uplo uplo)
{
    *p = (problem){.n = n, .at = at, .uplo = uplo, .d = dense_make(type, n, n, CANARY_FINITE)};
    dense_dominant(&p->d, (uint64_t)n);
    return tsl_matrix_create_on(x, l, type, n, n, &p->A);
}

static void drop(problem *p)
{
    tsl_matrix_free(p->A);
    dense_free(&p->d);
}

/* The same by this process alone. */
static dense alone(const problem *p, tsl_context *x, int64_t *info)
{
    dense e = dense_copy(&p->d);
    tsl_matrix *W = NULL;
    tsl_status st = tsl_matrix_wrap(x, e.t, e.m, e.n, e.data, e.ld, &W);
    if (!st) st = tsl_potrf(x, triangle(p, W), info);
    if (st) dense_fill(&e, NAN);
    tsl_matrix_free(W);
    return e;
}

/* The largest difference in units of roundoff, elements being at most about sqrt(2n); -1: something else was written. */
static double distance(const problem *p, const dense *got, const dense *want)
{
    double most = 0, unit = tsl_type_eps(got->t) * sqrt(2.0 * (double)p->n);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->n; i++) {
            double off = cabs(dense_get(got, i, j) - dense_get(want, i, j)) / unit;
            int inside = i >= p->at && j >= p->at && in_triangle(p->uplo, i, j);
            if (!inside && off != 0) return -1;
            most = isnan(off) ? INFINITY : fmax(most, off);
        }
    return most;
}

static double factor(const team *t, tsl_context *const ctx[2], tsl_type type, int64_t nb, unsigned turn)
{
    tsl_context *x = ctx[pick(turn, 0, 2)];
    tsl_layout l = layout(t, pick(turn, 1, DISTRIBUTED), nb, pick(turn, 2, 2) ? TSL_ON_DEVICE : TSL_IN_HOST);
    problem p;
    int64_t info = -1, ref = -1, n = sizes[pick(turn, 3, nb == 1 ? SMALL : COUNT(sizes))];
    tsl_status st = make(&p, x, &l, type, n, pick(turn, 4, 5), pick(turn, 5, 2) ? TSL_LOWER : TSL_UPPER);
    if (!st) st = put(&p, x);
    if (!st) st = tsl_potrf(x, triangle(&p, p.A), &info);
    double worst = INFINITY;
    if (!st) {
        dense got = everything(x, p.A, n, n), want = alone(&p, x, &ref);
        worst = distance(&p, &got, &want);
        dense_free(&got);
        dense_free(&want);
    }
    drop(&p);
    return info == 0 && ref == 0 ? worst : INFINITY;
}

static void sweep(const team *t, tsl_context *const ctx[2])
{
    unsigned turn = (unsigned)(t->rows * 1000 + t->cols * 100);
    for (int type = TSL_S; type <= TSL_Z; type++)
        for (unsigned b = 0; b < COUNT(blocks); b++) {
            double worst = 0;
            int good = 1;
            int cases = blocks[b] == 1 ? 3 : in_full() ? 8 : 4;
            for (int i = 0; i < cases; i++, turn++) {
                double off = factor(t, ctx, (tsl_type)type, blocks[b], turn);
                good &= off >= 0 && off < LIMIT;
                worst = worse(worst, off);
            }
            all_ok(t, good, "%cpotrf on %dx%d in blocks of %lld: off by %.2g", tsl_type_letter((tsl_type)type), t->rows, t->cols,
                   (long long)blocks[b], worst);
        }
}

/* The first bad column, on all processes, as LAPACK counts it; a later one changes nothing. */
static void indefinite(const team *t, tsl_context *x, tsl_scheme scheme, int64_t nb, tsl_uplo uplo)
{
    static const int64_t bad[] = {1, 2, 31, 96, 97, 128, 129, 255, 257, 296};
    enum { N = 301, AT = 5 };
    tsl_layout l = layout(t, nb == 3, nb, scheme);
    problem p;
    int good = !make(&p, x, &l, TSL_Z, N, AT, uplo);
    for (unsigned i = 0; i < COUNT(bad) && good; i += nb == 1 ? 4 : 1) {
        int64_t info = -1, ref = -1, j = AT + bad[i] - 1;
        dense_dominant(&p.d, 1);
        dense_put(&p.d, j, j, i % 2 ? -1 : NAN);
        dense_put(&p.d, N - 1, N - 1, -1);
        good = !put(&p, x) && !tsl_potrf(x, triangle(&p, p.A), &info);
        dense want = alone(&p, x, &ref);
        good = good && info == bad[i] && ref == info;
        dense_free(&want);
    }
    all_ok(t, good, "not positive definite, %s, blocks of %lld, %s triangle", scheme ? "on devices" : "in host memory", (long long)nb,
           uplo == TSL_LOWER ? "lower" : "upper");
    drop(&p);
}

/* Calls of leaves by all processes. */
static int64_t launches(tsl_context *x)
{
    tsl_counters n = {0};
    int64_t all = 0;
    tsl_counters_get(x, &n);
    MPI_Allreduce(&n.launches, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Look-ahead, by rule and by name; and the plain text, which calls other leaves. Processes that want the same text by different
 * names, and one that wants another, of potrf itself and of a part of posv. Variants that grids or the operation do not have
 * are refused. */
static void texts(const team *t, tsl_context *x, tsl_scheme scheme, int64_t nb)
{
    static const char *const names[] = {"auto", "auto", "ahead", "1"}, *const ahead[] = {"ahead", "leaf"};
    static const char *const refused[] = {"2", "3", "fused", "mp"};
    enum { N = 387, RUNS = COUNT(names), PLAIN = RUNS - 1 };
    tsl_layout l = layout(t, 0, nb, scheme);
    problem p;
    int64_t info = -1, calls[RUNS];
    dense got[RUNS];
    int good = !make(&p, x, &l, TSL_D, N, 0, TSL_LOWER), same = 1;
    for (int run = 0; run < RUNS; run++) {
        tsl_set(x, "variant", names[run]);
        good = good && !put(&p, x);
        calls[run] = launches(x);
        good = good && !tsl_potrf(x, triangle(&p, p.A), &info) && info == 0;
        calls[run] = launches(x) - calls[run];
        got[run] = everything(x, p.A, N, N);
        if (run < PLAIN) same = same && dense_same(&got[0], &got[run]) && calls[run] == calls[0];
    }
    all_ok(t, good && same, "blocks of %lld: the same bits in every run, and %lld calls", (long long)nb, (long long)calls[0]);
    double off = distance(&p, &got[0], &got[PLAIN]);
    all_ok(t, good && off >= 0 && off < LIMIT && calls[PLAIN] != calls[0], "the plain text's factor: off by %.2g, in %lld calls", off,
           (long long)calls[PLAIN]);
    bool last = t->rank == t->size - 1;
    for (unsigned i = 0; i < COUNT(ahead); i++) {
        tsl_set(x, "variant", last ? ahead[i] : "auto");
        good = !put(&p, x) && !tsl_potrf(x, triangle(&p, p.A), &info) && info == 0;
        dense one = everything(x, p.A, N, N);
        off = distance(&p, &one, &got[0]);
        all_ok(t, good && off >= 0 && off < LIMIT, "one process looks ahead as '%s', the others by rule: off by %.2g", ahead[i], off);
        dense_free(&one);
    }
    tsl_set(x, "variant", last ? "1" : "auto");
    tsl_status st = tsl_potrf(x, triangle(&p, p.A), &info);
    all_ok(t, t->size == 1 || (st == TSL_ERR_SHAPE && same_everywhere(st)), "one process wants another variant: %s", tsl_status_name(st));
    tsl_matrix *B = NULL;
    st = tsl_matrix_create_on(x, &l, TSL_D, N, 3, &B);
    if (!st) st = tsl_posv(x, triangle(&p, p.A), tsl_whole(B), &info);
    all_ok(t, t->size == 1 || (st == TSL_ERR_SHAPE && same_everywhere(st)), "and of a part of its call: %s", tsl_status_name(st));
    tsl_matrix *C = NULL;
    good = !tsl_matrix_create_on(x, &l, TSL_D, N, N, &C);
    for (unsigned i = 0; i < COUNT(refused) && t->size > 1; i++) {
        tsl_set(x, "variant", refused[i]);
        st = tsl_potrf(x, triangle(&p, p.A), &info);
        all_ok(t, st == TSL_ERR_OPTION && same_everywhere(st), "no variant %s on a grid: %s", refused[i], tsl_error(x));
        st = tsl_gemm(x, 1, tsl_whole(p.A), tsl_whole(B), 0, tsl_sub(tsl_whole(C), 0, 0, N, 3));
        all_ok(t, good && st == TSL_ERR_OPTION && same_everywhere(st), "nor of gemm: %s", tsl_error(x));
    }
    tsl_matrix_free(B);
    tsl_matrix_free(C);
    tsl_set(x, "variant", "auto");
    for (int run = 0; run < RUNS; run++) dense_free(&got[run]);
    drop(&p);
}

typedef struct starved { problem p; dense first; } starved;

static tsl_status ready(void *of, tsl_context *x) { return put(&((starved *)of)->p, x); }

static tsl_status call(void *of, tsl_context *x)
{
    const problem *p = &((starved *)of)->p;
    return tsl_potrf(x, triangle(p, p->A), NULL);
}

static int same(void *of, tsl_context *x, tsl_status st)
{
    starved *s = of;
    int good = !st || (!ready(s, x) && !call(s, x)); /* as if nothing had been */
    dense now = everything(x, s->p.A, s->p.n, s->p.n);
    good = good && dense_same(&s->first, &now);
    dense_free(&now);
    return good;
}

static void memory(const team *t, const char *devices, tsl_scheme scheme)
{
    enum { N = 301 };
    tsl_context *x = shortage_context(t, devices);
    starved s;
    if (!x) return;
    tsl_layout l = layout(t, 1, 32, scheme);
    all_ok(t, !make(&s.p, x, &l, TSL_D, N, 0, TSL_LOWER) && !ready(&s, x) && !call(&s, x), "a factorization");
    s.first = everything(x, s.p.A, N, N);
    shortage_trials(t, x, devices, 1000, &(trial){ready, call, same, &s});
    dense_free(&s.first);
    drop(&s.p);
    tsl_context_destroy(x);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    sweep(&t, ctx);
    for (unsigned b = 0; b < COUNT(blocks); b++)
        for (int s = 0; s < 2; s++) {
            tsl_scheme scheme = s ? TSL_ON_DEVICE : TSL_IN_HOST;
            if (blocks[b] > 1 || s == 0) indefinite(&t, ctx[s], scheme, blocks[b], TSL_LOWER);
            if (blocks[b] > 1 || s == 1) indefinite(&t, ctx[s], scheme, blocks[b], TSL_UPPER);
            if (blocks[b] > 1) texts(&t, ctx[s], scheme, blocks[b]);
        }
    memory(&t, "host", TSL_IN_HOST); /* on the host whatever is tested: the hook supplies its memory */
    memory(&t, "host:1,mem=64M", TSL_ON_DEVICE);
    memory(&t, "host:1,mem=64M", TSL_IN_HOST);
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
