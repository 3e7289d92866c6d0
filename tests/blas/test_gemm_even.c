/* Products of double precision whose operands are not aligned, or of odd sizes, which a GPU computes on copies where that pays:
 * with small integers, so that every sum is exact, against a vector: C x = alpha A (B x) + beta C0 x. Every op; sizes, starts
 * and leading dimensions that do and do not call for copies, and that these are made; nothing outside C is touched; NaN stays
 * in its row and column; and without memory for the copies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "exec/exec.h"

enum { A, B, C, OPERANDS };

typedef struct operand {
    int64_t rows, cols, ld, at; /* as stored, from the `at`-th element of the array on */
    size_t count, bytes;
    double *host;
    tsl_matrix *array, *block;
} operand;

typedef struct problem {
    tsl_type t;
    int64_t m, n, k;
    int odd;     /* operands whose leading dimension is odd, by bits; of others columns begin at multiples of 64 bytes */
    int shifted; /* those that begin at an odd element */
    bool copies; /* there are to be some */
    tsl_op opA, opB;
    double beta;
    operand of[OPERANDS];
} problem;

static int parts(tsl_type t) { return t == TSL_Z ? 2 : 1; }

static void small_integers(double *to, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        to[i] = (double)((int)(seed >> 40) % 7 - 3);
    }
}

static tsl_view seen(const operand *o, tsl_op op)
{
    tsl_view v = tsl_whole(o->block);
    return op == TSL_NOTRANS ? v : op == TSL_TRANS ? tsl_trans(v) : tsl_herm(v);
}

/* The array on the device, and the matrix in it */
static void put(tsl_context *x, const problem *p, operand *o)
{
    tsl_matrix *host = NULL;
    int64_t count = (int64_t)o->count;
    check(!tsl_matrix_create(x, p->t, count, 1, &o->array) && !tsl_matrix_wrap(x, p->t, count, 1, o->host, count, &host), "%s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(host), tsl_whole(o->array)) && !tsl_wait(x), "%s", tsl_error(x));
    check(!tsl_matrix_wrap(x, p->t, o->rows, o->cols, (double *)o->array->data + parts(p->t) * o->at, o->ld, &o->block), "%s", tsl_error(x));
    tsl_matrix_free(host);
}

static void open_problem(tsl_context *x, problem *p)
{
    bool tA = p->opA & TSL_TRANS, tB = p->opB & TSL_TRANS;
    int64_t rows[] = {tA ? p->k : p->m, tB ? p->n : p->k, p->m}, cols[] = {tA ? p->m : p->k, tB ? p->k : p->n, p->n};
    for (int i = 0; i < OPERANDS; i++) {
        operand *o = &p->of[i];
        int64_t whole = (rows[i] + 7) / 8 * 8;
        *o = (operand){.rows = rows[i], .cols = cols[i], .ld = p->odd >> i & 1 ? whole + 3 : whole, .at = p->shifted >> i & 1};
        o->count = (size_t)(o->at + o->ld * o->cols);
        o->bytes = o->count * (size_t)parts(p->t) * sizeof(double);
        o->host = malloc(o->bytes);
        small_integers(o->host, (int64_t)o->count * parts(p->t), (uint64_t)i);
        put(x, p, o);
    }
}

static void close_problem(problem *p)
{
    for (int i = 0; i < OPERANDS; i++) tsl_matrix_free(p->of[i].block), tsl_matrix_free(p->of[i].array), free(p->of[i].host);
}

/* What the product leaves in C's array, and whether it took workspace */
static double *computed(tsl_context *x, const problem *p, bool *copies)
{
    const operand *o = &p->of[C];
    double *after = malloc(o->bytes);
    tsl_matrix *host = NULL;
    tsl_trim(x);
    check(!tsl_gemm(x, 2, seen(&p->of[A], p->opA), seen(&p->of[B], p->opB), p->beta, tsl_whole(o->block)) && !tsl_wait(x), "%s", tsl_error(x));
    *copies = x->lanes[TSL_MAIN].arena.held > 0;
    check(!tsl_matrix_wrap(x, p->t, (int64_t)o->count, 1, after, (int64_t)o->count, &host), "%s", tsl_error(x));
    check(!tsl_copy(x, tsl_whole(o->array), tsl_whole(host)) && !tsl_wait(x), "%s", tsl_error(x));
    tsl_matrix_free(host);
    return after;
}

/* y := op(o) v, vectors being of pairs of parts */
static void times(const problem *p, const operand *o, const double *from, tsl_op op, const double *v, double *y)
{
    bool turned = op & TSL_TRANS, complex = p->t == TSL_Z;
    for (int64_t i = 0; i < 2 * (turned ? o->cols : o->rows); i++) y[i] = 0;
    for (int64_t j = 0; j < o->cols; j++)
        for (int64_t i = 0; i < o->rows; i++) {
            const double *e = from + parts(p->t) * (o->at + i + j * o->ld), *f = v + 2 * (turned ? i : j);
            double *to = y + 2 * (turned ? j : i), im = !complex ? 0 : op == TSL_HERM ? -e[1] : e[1];
            to[0] += e[0] * f[0] - im * f[1];
            to[1] += e[0] * f[1] + im * f[0];
        }
}

static bool is_product(const problem *p, const double *after)
{
    bool same = true;
    double *v = malloc((size_t)(2 * (p->n + p->k + 3 * p->m)) * sizeof *v);
    double *Bv = v + 2 * p->n, *ABv = Bv + 2 * p->k, *before = ABv + 2 * p->m, *now = before + 2 * p->m;
    small_integers(v, 2 * p->n, 11);
    times(p, &p->of[B], p->of[B].host, p->opB, v, Bv);
    times(p, &p->of[A], p->of[A].host, p->opA, Bv, ABv);
    times(p, &p->of[C], p->of[C].host, TSL_NOTRANS, v, before);
    times(p, &p->of[C], after, TSL_NOTRANS, v, now);
    for (int64_t i = 0; i < 2 * p->m; i++) same = same && now[i] == 2 * ABv[i] + p->beta * before[i];
    free(v);
    return same;
}

static bool untouched(const problem *p, const double *after)
{
    const operand *o = &p->of[C];
    bool same = true;
    for (size_t e = 0; e < o->count; e++) {
        bool inside = (int64_t)e >= o->at && ((int64_t)e - o->at) % o->ld < o->rows;
        size_t size = (size_t)parts(p->t);
        same = same && (inside || !memcmp(after + e * size, o->host + e * size, size * sizeof *after));
    }
    return same;
}

static void solve(tsl_context *x, problem p)
{
    bool copies;
    open_problem(x, &p);
    double *after = computed(x, &p, &copies);
    char which[120];
    snprintf(which, sizeof which, "%lld x %lld x %lld, ops %d %d, beta %g, odd %d, shifted %d", (long long)p.m, (long long)p.n, (long long)p.k,
             p.opA, p.opB, p.beta, p.odd, p.shifted);
    check(is_product(&p, after), "%s: a product", which);
    check(untouched(&p, after), "%s: nothing else is touched", which);
    check(copies == p.copies, "%s: copies are %smade", which, copies ? "" : "not ");
    free(after);
    close_problem(&p);
}

/* NaN in A is in its row of C, in B in its column, also at the end of the inner dimension; C is not read if beta is 0. */
static void spreads(tsl_context *x, problem p)
{
    bool copies, right = true;
    open_problem(x, &p);
    operand *a = &p.of[A], *b = &p.of[B], *c = &p.of[C];
    a->host[parts(p.t) * (a->at + 5 + (p.k - 1) * a->ld)] = NAN;
    b->host[parts(p.t) * (b->at + (p.k - 1) + 9 * b->ld)] = INFINITY;
    for (size_t e = 0; e < c->count * (size_t)parts(p.t); e++) c->host[e] = NAN;
    for (int i = 0; i < OPERANDS; i++) {
        tsl_matrix_free(p.of[i].block), tsl_matrix_free(p.of[i].array);
        put(x, &p, &p.of[i]);
    }
    double *after = computed(x, &p, &copies);
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t i = 0; i < p.m; i++) {
            const double *e = after + parts(p.t) * (c->at + i + j * c->ld);
            right = right && (isfinite(e[0]) && isfinite(e[parts(p.t) - 1])) == (i != 5 && j != 9);
        }
    check(right && copies, "%c: NaN and Inf where they belong", tsl_type_letter(p.t));
    free(after);
    close_problem(&p);
}

static void products(tsl_context *x, problem p)
{
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    const int count = p.t == TSL_Z ? 3 : 2;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            p.opA = ops[a], p.opB = ops[b], p.beta = (a + b) % 2 ? 0 : -3;
            solve(x, p);
        }
    checked("%c %lld x %lld x %lld, odd %d, shifted %d: %s", tsl_type_letter(p.t), (long long)p.m, (long long)p.n, (long long)p.k, p.odd, p.shifted,
            p.copies ? "with copies" : "without");
}

int main(void)
{
    static const problem of[] = {
        {.t = TSL_D, .m = 1803, .n = 1901, .k = 2101, .odd = 7, .copies = true},
        {.t = TSL_D, .m = 1804, .n = 1902, .k = 2102, .odd = 7, .shifted = 5, .copies = true},
        {.t = TSL_D, .m = 1804, .n = 1902, .k = 2102, .shifted = 4, .copies = true},
        {.t = TSL_D, .m = 1804, .n = 1902, .k = 2102, .odd = 2, .copies = true},
        {.t = TSL_D, .m = 1804, .n = 1902, .k = 2102},
        {.t = TSL_D, .m = 2051, .n = 2049, .k = 521, .odd = 7, .shifted = 3, .copies = true},
        {.t = TSL_D, .m = 2051, .n = 2049, .k = 521},
        {.t = TSL_D, .m = 301, .n = 403, .k = 501, .odd = 7},
        {.t = TSL_Z, .m = 1203, .n = 1301, .k = 181, .odd = 7, .copies = true},
        {.t = TSL_Z, .m = 1203, .n = 1301, .k = 181, .shifted = 2, .copies = true},
        {.t = TSL_Z, .m = 1203, .n = 1301, .k = 181, .odd = 4},
        {.t = TSL_Z, .m = 301, .n = 403, .k = 501, .odd = 7},
    };
    tsl_context *x = context_on("cuda:0");
    if (!x) return tap_done();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) products(x, of[i]);
    spreads(x, of[0]), spreads(x, of[8]);
    checked("NaN and Inf");
    tsl_context_destroy(x);
    problem without = of[0];
    without.copies = false;
    x = context_on("cuda:0,mem=1G"); /* the copies would take too much of it */
    if (x) products(x, without);
    tsl_context_destroy(x);
    x = context_on("cuda:0,mem=2G"); /* the copies would not, but most is taken */
    if (x) {
        tsl_matrix *taken = NULL;
        products(x, of[0]);
        ok(!tsl_matrix_create(x, TSL_D, (int64_t)1900 << 17, 1, &taken), "1.9 of 2 GB are taken");
        products(x, without);
        tsl_matrix_free(taken);
    }
    tsl_context_destroy(x);
    return tap_done();
}
