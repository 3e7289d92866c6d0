/* tsl_solve on grids: every type, layout and op, general and positive definite, by lower precision and by A's own; its errors
 * are told as on one process; matrices singular to working precision; what one process gets wrong is everybody's; allocations
 * of one process that fail. And conversions between precisions, of blocks and triangles, between layouts; determinants; calls
 * that are cancelled. */
#include <string.h>

#include "cases.h"
#include "mixed.h"
#include "shortage.h"

enum { ORDER = 47, COUNT_B = 3 };

typedef struct request {
    tsl_type type;
    double exponent;
    bool definite;
    tsl_op op;
    unsigned kind, kind_b; /* layouts of A, and of B and X */
    int64_t nb, at;        /* the block begins at (at, at) */
    tsl_precision lowest;
} request;

static tsl_matrix *spread(tsl_context *x, tsl_layout l, const dense *d, int64_t at)
{
    tsl_matrix *A = NULL;
    dense wide = dense_make(d->t, d->m + at, d->n + at, CANARY_FINITE);
    dense_fill(&wide, NAN);
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->m; i++) dense_put(&wide, i + at, j + at, dense_get(d, i, j));
    if (!tsl_matrix_create_on(x, &l, d->t, wide.m, wide.n, &A) && tsl_scatter(x, 0, wide.data, wide.ld, tsl_whole(A))) tsl_matrix_free(A), A = NULL;
    dense_free(&wide);
    return A;
}

/* All of the block from (at, at) on */
static dense collected(tsl_context *x, tsl_matrix *A, int64_t m, int64_t n, int64_t at)
{
    dense wide = everything(x, A, m + at, n + at), d = dense_make(wide.t, m, n, CANARY_FINITE);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) dense_put(&d, i, j, dense_get(&wide, i + at, j + at));
    dense_free(&wide);
    return d;
}

static tsl_view seen(tsl_matrix *A, int64_t n, int64_t at, tsl_op op, bool definite)
{
    tsl_view v = tsl_sub(tsl_whole(A), at, at, n, n);
    if (op & TSL_TRANS) v = tsl_trans(v);
    if (op & TSL_CONJ) v = tsl_conj(v);
    return definite ? (at % 2 ? tsl_upper(v) : tsl_lower(v)) : v;
}

static void solved(const team *t, tsl_context *x, request r, tsl_scheme scheme)
{
    dense A = mixed_matrix(r.type, ORDER, r.exponent, GEOMETRIC, r.definite, 3), B = dense_make(r.type, ORDER, COUNT_B, CANARY_FINITE);
    tsl_solution s = {.info = -77};
    dense_random(&B, 5);
    tsl_layout l = layout(t, r.kind, r.nb, scheme), lb = layout(t, r.kind_b, r.nb + 1, scheme);
    tsl_matrix *a = spread(x, l, &A, r.at), *b = spread(x, lb, &B, 0), *y = NULL;
    tsl_status st = a && b ? tsl_matrix_create_on(x, &lb, r.type, ORDER, COUNT_B, &y) : TSL_ERR_MEMORY;
    if (!st) st = tsl_solve(x, seen(a, ORDER, r.at, r.op, r.definite), tsl_whole(b), tsl_whole(y), &(tsl_solve_options){.lowest = r.lowest}, &s);
    dense X = y ? everything(x, y, ORDER, COUNT_B) : dense_copy(&B), after = a ? collected(x, a, ORDER, ORDER, r.at) : dense_copy(&A);
    double eps = tsl_type_eps(r.type), back = mixed_backward(&A, r.op, &B, &X), real = s.singular ? 0 : mixed_forward(&A, r.op, &B, &X);
    bool hopeless = pow(10, r.exponent) > 100 / eps, low = r.lowest == TSL_FP32 && (r.type == TSL_D || r.type == TSL_Z) && r.exponent < 6;
    int good = !st && same_everywhere(st) && s.info == 0 && back <= 2 * sqrt(ORDER) * eps && s.backward_error <= 2 * sqrt(ORDER) * eps;
    good = good && s.forward_error >= real && (s.singular != 0) == hopeless && s.method == (low ? TSL_BY_CORRECTIONS : TSL_BY_FACTORS);
    good = good && s.precision == (low || r.type == TSL_S || r.type == TSL_C ? TSL_FP32 : TSL_FP64);
    for (int64_t j = 0; j < ORDER; j++)
        for (int64_t i = 0; i < ORDER; i++) good = good && dense_get(&A, i, j) == dense_get(&after, i, j);
    all_ok(t, good, "%c 1e%g%s, op %d, layouts %u and %u, blocks of %d from %d on, lowest %d: %s, method %d, precision %d, errors %.1e (%.1e) and %.1e (%.1e)",
           tsl_type_letter(r.type), r.exponent, r.definite ? ", definite" : "", r.op, r.kind, r.kind_b, (int)r.nb, (int)r.at, r.lowest,
           st ? tsl_error(x) : "ok", s.method, s.precision, s.backward_error, back, s.forward_error, real);
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&B), dense_free(&X), dense_free(&after);
}

static void sweep(const team *t, tsl_context *const ctx[2])
{
    for (unsigned turn = 0; turn < 32; turn++) {
        tsl_type type = (tsl_type)(turn % 4);
        double digits = -log10(tsl_type_eps(type)), exponents[] = {1, 4, digits * 0.6, digits + 3};
        request r = {.type = type, .exponent = exponents[turn / 4 % 4], .definite = pick(turn, 0, 3) == 0, .op = (tsl_op)pick(turn, 1, 4),
                     .kind = pick(turn, 2, LAYOUTS), .kind_b = pick(turn, 3, LAYOUTS), .nb = pick(turn, 4, 2) ? 5 : 16, .at = (int64_t)pick(turn, 5, 3),
                     .lowest = turn < 16 ? TSL_FP32 : TSL_AUTO};
        if (r.exponent > 6) r.definite = false; /* roundoff leaves it none */
        solved(t, ctx[turn % 2], r, turn % 2 ? TSL_ON_DEVICE : TSL_IN_HOST);
    }
}

/* Info as of gesv and posv; no right-hand sides; NaN; nothing at all */
static void troubles(const team *t, tsl_context *x, tsl_scheme scheme)
{
    tsl_layout l = layout(t, 0, 4, scheme);
    for (int definite = 0; definite < 2; definite++)
        for (int count = 0; count < 2; count++) {
            dense A = mixed_matrix(TSL_D, 20, 1, GEOMETRIC, true, 3), B = dense_make(TSL_D, 20, count, CANARY_FINITE);
            dense_random(&B, 1);
            for (int64_t i = 0; i < 20; i++) dense_put(&A, i, 12, 0), dense_put(&A, 12, i, 0);
            tsl_matrix *a = spread(x, l, &A, 0), *b = spread(x, l, &B, 0), *y = spread(x, l, &B, 0);
            for (int lowest = TSL_FP64; lowest <= TSL_FP32; lowest++) {
                tsl_solution s = {.info = -77};
                tsl_status st = tsl_solve(x, seen(a, 20, 0, TSL_NOTRANS, definite), tsl_whole(b), tsl_whole(y),
                                          &(tsl_solve_options){.lowest = (tsl_precision)lowest}, &s);
                all_ok(t, !st && s.info == 13 && s.singular && s.method == TSL_BY_FACTORS, "singular%s, %d columns, lowest %d: %s, info %d",
                       definite ? ", definite" : "", count, lowest, tsl_status_name(st), (int)s.info);
            }
            tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
            dense_free(&A), dense_free(&B);
        }
    dense A = mixed_matrix(TSL_D, 20, 1, GEOMETRIC, false, 3), B = dense_make(TSL_D, 20, 2, CANARY_FINITE);
    dense_random(&B, 1);
    dense_put(&A, 7, 3, NAN);
    tsl_matrix *a = spread(x, l, &A, 0), *b = spread(x, l, &B, 0), *y = spread(x, l, &B, 0);
    tsl_solution s = {.info = -77};
    tsl_status st = tsl_solve(x, tsl_whole(a), tsl_whole(b), tsl_whole(y), &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    all_ok(t, !st && s.singular && s.precision == TSL_FP64, "NaN: %s", tsl_status_name(st));
    st = tsl_solve(x, tsl_sub(tsl_whole(a), 3, 3, 0, 0), tsl_sub(tsl_whole(b), 3, 0, 0, 2), tsl_sub(tsl_whole(y), 3, 0, 0, 2), NULL, &s);
    all_ok(t, !st && s.info == 0, "nothing: %s", tsl_status_name(st));
    st = tsl_solve(x, tsl_sub(tsl_whole(a), 10, 10, 9, 9), tsl_sub(tsl_whole(b), 0, 0, 9, 2), tsl_sub(tsl_whole(y), 0, 0, 9, 2), NULL, NULL);
    all_ok(t, !st, "nobody wants to know of errors: %s", tsl_status_name(st));
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&B);
}

/* What one process gets wrong, or asks for otherwise than the others, all refuse. */
static void errors(const team *t, tsl_context *x)
{
    tsl_layout l = layout(t, 0, 4, TSL_IN_HOST);
    int odd = t->rank == t->size - 1, many = t->size > 1;
    dense A = mixed_matrix(TSL_D, 20, 1, GEOMETRIC, false, 3), B = dense_make(TSL_D, 20, 2, CANARY_FINITE);
    dense_random(&B, 1);
    tsl_matrix *a = spread(x, l, &A, 0), *b = spread(x, l, &B, 0), *y = spread(x, l, &B, 0);
    tsl_view va = tsl_whole(a), vb = tsl_whole(b), vy = tsl_whole(y);
    tsl_solution s = {.info = 4711};
    const struct { tsl_view A, B, X; tsl_solve_options o; tsl_status want; const char *what; } cases[] = {
        {odd ? (tsl_view){0} : va, vb, vy, {0}, TSL_ERR_VIEW, "one process has no A"},
        {va, odd ? tsl_sub(vb, 0, 0, 20, 1) : vb, vy, {0}, TSL_ERR_SHAPE, "one process's B has another size"},
        {va, vb, vy, {.accuracy = odd ? -1 : 0}, TSL_ERR_OPTION, "one process's accuracy is negative"},
        {va, vb, odd ? vb : vy, {0}, TSL_ERR_OVERLAP, "one process's X is its B"},
        {va, vb, vb, {0}, TSL_ERR_OVERLAP, "X is B"},
        {va, tsl_lower(vb), vy, {0}, TSL_ERR_UPLO, "B is a triangle"},
        {va, vb, vy, {.lowest = odd ? TSL_FP64 : TSL_FP32}, many ? TSL_ERR_SHAPE : TSL_OK, "one process asks for another precision"},
        {va, vb, vy, {.accuracy = odd ? 1e-3 : 0}, many ? TSL_ERR_SHAPE : TSL_OK, "one process asks for another accuracy"},
        {odd ? tsl_trans(va) : va, vb, vy, {0}, many ? TSL_ERR_SHAPE : TSL_OK, "one process's A is transposed"},
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        tsl_status st = tsl_solve(x, cases[i].A, cases[i].B, cases[i].X, &cases[i].o, &s);
        all_ok(t, st == cases[i].want && same_everywhere(st) && (!st || s.info == 4711), "%s: %s: %s", cases[i].what, tsl_status_name(st), st ? tsl_error(x) : "");
        s.info = 4711;
    }
    tsl_status st = tsl_solve(x, va, vb, vy, NULL, odd ? &s : NULL);
    all_ok(t, st == (many ? TSL_ERR_SHAPE : TSL_OK) && same_everywhere(st), "one process wants to know of errors: %s", tsl_error(x));
    static const char *const variants[] = {"3", "rec", "sweep", "late", "butterfly", "low", "ahead"};
    for (unsigned i = 0; i < COUNT(variants); i++)
        for (int definite = 0; definite < 2; definite++) {
            tsl_set(x, "variant", variants[i]);
            st = tsl_solve(x, definite ? tsl_lower(va) : va, vb, vy, NULL, NULL);
            tsl_set(x, "variant", "auto");
            bool there = i == 0 ? !definite : i >= 5;
            all_ok(t, same_everywhere(st) && (!many || st == (there ? TSL_OK : TSL_ERR_OPTION)), "variant %s%s: %s", variants[i], definite ? ", definite" : "",
                   tsl_status_name(st));
        }
    st = tsl_solve(x, va, vb, vy, &(tsl_solve_options){.lowest = TSL_FP32}, &s);
    dense X = everything(x, y, 20, 2);
    all_ok(t, !st && mixed_backward(&A, TSL_NOTRANS, &B, &X) < 1e-15, "and the grid goes on working");
    tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    dense_free(&A), dense_free(&B), dense_free(&X);
}

/* B := A in the other precision, between layouts: whole, a triangle, seen through ops; elements that do not fit */
static void conversions(const team *t, tsl_context *x)
{
    enum { M = 23, N = 23 };
    for (unsigned turn = 0; turn < 24; turn++) {
        tsl_type from = (tsl_type)(turn % 4), to = from == TSL_S ? TSL_D : from == TSL_D ? TSL_S : from == TSL_C ? TSL_Z : TSL_C;
        tsl_scheme scheme = pick(turn, 0, 2) ? TSL_ON_DEVICE : TSL_IN_HOST;
        unsigned kind = pick(turn, 1, LAYOUTS), other = turn % 3 ? pick(turn, 2, LAYOUTS) : kind;
        dense A = dense_make(from, M, N, CANARY_FINITE), B = dense_make(to, M, N, CANARY_FINITE);
        dense_random(&A, turn), dense_random(&B, turn + 50);
        int overflow = turn == 13 || turn == 15;
        if (overflow) dense_put(&A, 20, 9, 1e200);
        tsl_matrix *a = spread(x, layout(t, kind, 3, scheme), &A, 0), *b = spread(x, layout(t, other, 3, scheme), &B, 0);
        tsl_op op = (tsl_op)pick(turn, 3, 4);
        tsl_uplo uplo = (tsl_uplo)pick(turn, 4, 3);
        int64_t info = -77;
        tsl_view va = seen(a, M, 0, op, false), vb = tsl_whole(b);
        if (uplo) vb = uplo == TSL_LOWER ? tsl_lower(vb) : tsl_upper(vb);
        tsl_status st = tsl_convert(x, va, vb, &info);
        dense got = everything(x, b, M, N);
        bool fits = op & TSL_TRANS ? uplo == TSL_LOWER : uplo == TSL_UPPER; /* the triangle does not have that element */
        int good = !st && info == (overflow && !fits);
        for (int64_t j = 0; j < N; j++)
            for (int64_t i = 0; i < M; i++) {
                tsl_scalar v = op & TSL_TRANS ? dense_get(&A, j, i) : dense_get(&A, i, j), was = dense_get(&B, i, j), is = dense_get(&got, i, j);
                bool meant = uplo == TSL_GENERAL || (uplo == TSL_LOWER ? i >= j : i <= j);
                if (op & TSL_CONJ) v = conj(v);
                if (!tsl_is_complex(from)) v = creal(v);
                tsl_scalar want = !meant ? was : to == TSL_S || to == TSL_C ? (tsl_scalar)(tsl_cfloat)v : v;
                good = good && (want == is || (isinf(creal(want)) && isinf(creal(is))));
            }
        all_ok(t, good, "convert %c to %c, layouts %u to %u, op %d, triangle %d: %s, info %d", tsl_type_letter(from), tsl_type_letter(to), kind, other, op,
               uplo, st ? tsl_error(x) : "ok", (int)info);
        tsl_matrix_free(a), tsl_matrix_free(b);
        dense_free(&A), dense_free(&B), dense_free(&got);
    }
}

/* The determinant of a triangle's rows exchanged is known. */
static void determinants(const team *t, tsl_context *x, tsl_scheme scheme)
{
    enum { N = 300 }; /* several blocks are brought together */
    for (unsigned kind = 0; kind < LAYOUTS; kind++) {
        tsl_type type = (tsl_type)(kind % 4);
        dense A = dense_make(type, N, N, CANARY_FINITE);
        double want = 0, logabs = 77;
        tsl_scalar turn = 1, phase = 77;
        dense_fill(&A, 0);
        for (int64_t i = 0; i < N; i++) { /* the first two rows are exchanged */
            tsl_scalar d = (i % 3 ? 1e10 : -2e-7) * (tsl_is_complex(type) && i % 2 ? I : 1);
            dense_put(&A, i < 2 ? 1 - i : i, i, d);
            want += log(cabs(d)), turn *= (i == 1 ? -1 : 1) * d / cabs(d);
        }
        tsl_layout l = layout(t, kind, 7, scheme), lp = layout_beside(t, kind % BESIDE, l, TSL_OVER_ROWS);
        tsl_matrix *a = spread(x, l, &A, 0), *p = NULL;
        int64_t info = -1;
        int odd = t->rank == t->size - 1;
        tsl_status st = tsl_matrix_create_on(x, &lp, TSL_INDEX, N, 1, &p);
        if (!st) st = tsl_getrf(x, tsl_whole(a), tsl_whole(p), &info);
        if (!st) st = tsl_logdet(x, tsl_conj(tsl_whole(a)), tsl_whole(p), &phase, &logabs);
        all_ok(t, !st && !info && fabs(logabs - want) < 1e-4 * want && cabs(phase - conj(turn)) < 1e-10, "%clogdet, layout %u: %s, %g, not %g, %g%+gi",
               tsl_type_letter(type), kind, tsl_status_name(st), logabs, want, creal(phase), cimag(phase));
        st = tsl_logdet(x, odd ? tsl_sub(tsl_whole(a), 0, 0, N, N - 1) : tsl_whole(a), tsl_whole(p), &phase, &logabs);
        all_ok(t, st == TSL_ERR_SHAPE && same_everywhere(st), "one process's A is not square: %s", tsl_error(x));
        tsl_matrix_free(a), tsl_matrix_free(p);
        dense_free(&A);
    }
}

static int stop(void *times, double done, double total)
{
    (void)done, (void)total;
    return ++*(int *)times == 3;
}

/* One process is cancelled in the middle, or all of them: all return that, and the grid goes on working. */
static void cancellations(const team *t, tsl_context *x)
{
    enum { N = 300 };
    dense A = mixed_matrix(TSL_D, N, 1, GEOMETRIC, true, 3), B = dense_make(TSL_D, N, 1, CANARY_FINITE);
    dense_random(&B, 1);
    tsl_layout l = layout(t, 0, 16, TSL_IN_HOST);
    for (int all = 0; all < 2; all++) {
        tsl_matrix *a = spread(x, l, &A, 0), *b = spread(x, l, &B, 0), *y = spread(x, l, &B, 0);
        tsl_solution s = {.info = 4711};
        int64_t info = 4711;
        int times = 0, mine = all || t->rank == t->size - 1;
        tsl_status st = tsl_on_progress(x, mine ? stop : NULL, &times);
        if (!st) st = tsl_solve(x, tsl_whole(a), tsl_whole(b), tsl_whole(y), &(tsl_solve_options){.lowest = TSL_FP32}, &s);
        all_ok(t, st == TSL_ERR_CANCELLED && same_everywhere(st) && s.info == 4711, "solve: %s cancelled: %s", all ? "all are" : "one process is", tsl_error(x));
        times = 0;
        st = tsl_potrf(x, tsl_lower(tsl_whole(a)), &info);
        bool one = t->size == 1; /* then it is one routine */
        all_ok(t, one || (st == TSL_ERR_CANCELLED && same_everywhere(st) && info == 4711), "potrf: %s cancelled: %s", all ? "all are" : "one process is", tsl_error(x));
        tsl_matrix_free(a);
        a = spread(x, l, &A, 0);
        st = tsl_on_progress(x, NULL, NULL);
        tsl_cancel(x); /* of nothing */
        if (!st) st = tsl_solve(x, tsl_whole(a), tsl_whole(b), tsl_whole(y), &(tsl_solve_options){.lowest = TSL_FP32}, &s);
        all_ok(t, !st && s.info == 0 && s.backward_error < 1e-15, "and then it is solved: %s", tsl_status_name(st));
        tsl_matrix_free(a), tsl_matrix_free(b), tsl_matrix_free(y);
    }
    dense_free(&A), dense_free(&B);
}

typedef struct starved {
    const team *t;
    tsl_matrix *a, *b, *y;
    dense A, B, first;
    tsl_precision lowest;
} starved;

static tsl_status ready(void *of, tsl_context *x)
{
    starved *s = of;
    return tsl_scatter(x, 0, s->B.data, s->B.ld, tsl_whole(s->b));
}

static tsl_status call(void *of, tsl_context *x)
{
    starved *s = of;
    tsl_solution told;
    return tsl_solve(x, tsl_whole(s->a), tsl_whole(s->b), tsl_whole(s->y), &(tsl_solve_options){.lowest = s->lowest}, &told);
}

/* Lower precision gives way where there is no memory for it. */
static void gives_way(starved *s, tsl_context *x)
{
    int last = s->t->rank == s->t->size - 1, good = 1, tried = 0;
    for (int done = 0; !done && good && tried < 600; tried++) {
        left = last ? tried : -1;
        tsl_status st = call(s, x);
        done = everywhere(left >= 0 || !last);
        left = -1;
        dense X = everything(x, s->y, 30, 2);
        good = !st && mixed_backward(&s->A, TSL_NOTRANS, &s->B, &X) < 1e-15;
        dense_free(&X);
    }
    all_ok(s->t, good && tried > 1, "one process's allocations fail in turn, %d of them: it is solved all the same: %s", tried, tsl_error(x));
}

static int same(void *of, tsl_context *x, tsl_status st)
{
    starved *s = of;
    dense X = everything(x, s->y, 30, 2);
    int good = st || mixed_backward(&s->A, TSL_NOTRANS, &s->B, &X) < 1e-15;
    dense_free(&X);
    good = good && !call(of, x);
    X = everything(x, s->y, 30, 2);
    good = good && dense_same(&X, &s->first);
    dense_free(&X);
    return good;
}

static void memory(const team *t, const char *devices, tsl_scheme scheme, tsl_precision lowest)
{
    tsl_context *x = shortage_context(t, devices);
    if (!x) return;
    starved s = {.t = t, .A = mixed_matrix(TSL_D, 30, 2, GEOMETRIC, false, 3), .B = dense_make(TSL_D, 30, 2, CANARY_FINITE), .lowest = lowest};
    dense_random(&s.B, 1);
    tsl_layout l = layout(t, 1, 8, scheme);
    s.a = spread(x, l, &s.A, 0), s.b = spread(x, l, &s.B, 0), s.y = spread(x, l, &s.B, 0);
    all_ok(t, s.a && s.b && s.y && !call(&s, x), "a solution");
    s.first = everything(x, s.y, 30, 2);
    if (lowest == TSL_FP32) gives_way(&s, x);
    else shortage_trials(t, x, devices, 600, &(trial){ready, call, same, &s});
    tsl_matrix_free(s.a), tsl_matrix_free(s.b), tsl_matrix_free(s.y);
    dense_free(&s.A), dense_free(&s.B), dense_free(&s.first);
    tsl_context_destroy(x);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *ctx[2] = {team_context(&t, "host"), team_context(&t, "host:1,mem=64M")};
    sweep(&t, ctx);
    for (int i = 0; i < 2; i++) troubles(&t, ctx[i], i ? TSL_ON_DEVICE : TSL_IN_HOST);
    errors(&t, ctx[0]);
    conversions(&t, ctx[1]);
    cancellations(&t, ctx[0]);
    for (int i = 0; i < 2; i++) determinants(&t, ctx[i], i ? TSL_ON_DEVICE : TSL_IN_HOST);
    if (t.size > 1) { /* on the host whatever is tested: the hook supplies its memory */
        memory(&t, "host", TSL_IN_HOST, TSL_FP32);
        memory(&t, "host", TSL_IN_HOST, TSL_AUTO);
        memory(&t, "host:1,mem=64M", TSL_ON_DEVICE, TSL_AUTO);
    }
    tsl_context_destroy(ctx[1]);
    tsl_context_destroy(ctx[0]);
    return team_close(&t);
}
