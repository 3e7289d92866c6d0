/* P, L and U of LU's factors: of one matrix and of batches, in every layout, to the bit; of real factors the product; bad
 * pivots; no P. */
#include <stdbool.h>

#include "batch.h"
#include "context.h"
#include "core/numbers/largest.h"

static const char *where;
static tsl_context *ctx;

enum { PIVOTS, P_, L_, U_, PARTS };

/* What there is to be: factors of any numbers, pivots of any rows, and the parts that follow from them */
typedef struct problem {
    int64_t m, n, d, count;
    stack A, of[PARTS], want[PARTS];
    tsl_matrix *a, *mat[PARTS];
} problem;

static void expected(const problem *b, int64_t k)
{
    for (int64_t i = 0; i < b->m; i++)
        for (int64_t j = 0; j < b->m; j++) stack_set(&b->want[P_], k, i, j, i == j);
    for (int64_t e = 0; e < b->d; e++) {
        int64_t with = (int64_t)creal(stack_get(&b->of[PIVOTS], k, e, 0)) - 1;
        for (int64_t i = 0; i < b->m; i++) {
            tsl_scalar v = stack_get(&b->want[P_], k, i, e);
            stack_set(&b->want[P_], k, i, e, stack_get(&b->want[P_], k, i, with)), stack_set(&b->want[P_], k, i, with, v);
        }
    }
    for (int64_t i = 0; i < b->m; i++)
        for (int64_t j = 0; j < b->d; j++) stack_set(&b->want[L_], k, i, j, i > j ? stack_get(&b->A, k, i, j) : i == j);
    for (int64_t i = 0; i < b->d; i++)
        for (int64_t j = 0; j < b->n; j++) stack_set(&b->want[U_], k, i, j, i <= j ? stack_get(&b->A, k, i, j) : 0);
}

/* one: as a matrix, not as a batch of one */
static tsl_status wrap(const stack *s, bool one, tsl_matrix **to)
{
    if (one) return tsl_matrix_wrap(ctx, s->t, s->m, s->n, s->data, s->ld, to);
    if (s->how == POINTERS) return tsl_batch_wrap_pointers(ctx, s->t, s->m, s->n, s->each, s->ld, s->count, to);
    return tsl_batch_wrap(ctx, s->t, s->m, s->n, s->data, s->ld, s->stride, s->count, to);
}

static problem make(tsl_type t, layout how, int64_t m, int64_t n, int64_t count, bool one)
{
    int64_t d = m < n ? m : n;
    problem b = {.m = m, .n = n, .d = d, .count = count, .A = random_stack(t, how, m, n, count)};
    const int64_t rows[PARTS] = {d, m, m, d}, cols[PARTS] = {1, m, d, n};
    tsl_status st = wrap(&b.A, one, &b.a);
    for (int i = 0; i < PARTS; i++) {
        b.of[i] = stack_make(i == PIVOTS ? TSL_INDEX : t, how, rows[i], cols[i], count);
        for (int64_t k = 0; k < count && i == PIVOTS; k++)
            for (int64_t e = 0; e < d; e++) stack_set(&b.of[i], k, e, 0, (double)(e + 1 + (7 * e + 5 * k + 3) % (m - e)));
        b.want[i] = stack_copy(&b.of[i]);
        if (!st) st = wrap(&b.of[i], one, &b.mat[i]);
    }
    if (m > 2 && n > 1 && count > 0) stack_set(&b.A, 0, 2, 1, (tsl_scalar)NAN), stack_set(&b.A, 0, 0, 0, (tsl_scalar)INFINITY);
    for (int64_t k = 0; k < count; k++) expected(&b, k);
    check(!st, "%s: operands: %s", where, tsl_error(ctx));
    return b;
}

static void drop(problem *b)
{
    tsl_matrix_free(b->a), stack_free(&b->A);
    for (int i = 0; i < PARTS; i++) tsl_matrix_free(b->mat[i]), stack_free(&b->of[i]), stack_free(&b->want[i]);
}

static tsl_status take_apart(const problem *b, bool with)
{
    tsl_view P = with ? tsl_whole(b->mat[P_]) : (tsl_view){0};
    tsl_status st = tsl_plu(ctx, tsl_whole(b->a), tsl_whole(b->mat[PIVOTS]), P, tsl_whole(b->mat[L_]), tsl_whole(b->mat[U_]));
    tsl_status late = tsl_wait(ctx);
    return st ? st : late;
}

static int same(const stack *a, const stack *b) { return !memcmp(a->data, b->data, a->elements * element_size(a->t)); }

static void parts(tsl_type t)
{
    static const int64_t sizes[][2] = {{1, 1}, {2, 2}, {5, 5}, {4, 4}, {17, 17}, {7, 3}, {3, 7}, {64, 64}, {33, 70}, {130, 41},
                                       {300, 9}, {5, 0}, {0, 5}, {1100, 3}};
    static const int64_t counts[] = {-1, 0, 1, 3, 70};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int with = 0; with < 2; with++) {
                int64_t m = sizes[s][0], n = sizes[s][1], count = counts[c] < 0 ? 1 : counts[c];
                if (m * n * count > 40000) continue;
                layout how = counts[c] < 0 ? GAPS : !count ? DENSE : (layout)((s + c + (size_t)with) % LAYOUTS);
                problem b = make(t, how, m, n, count, counts[c] < 0);
                tsl_status st = take_apart(&b, with);
                int good = !st;
                for (int i = 0; i < PARTS; i++) good &= (i == P_ && !with) || same(&b.of[i], &b.want[i]);
                check(good, "%s %c: %lld x %lld, %lld of them, %s P: %s", where, tsl_type_letter(t), (long long)m, (long long)n,
                      (long long)counts[c], with ? "with" : "without", tsl_error(ctx));
                drop(&b);
            }
    checked("%s %c: parts", where, tsl_type_letter(t));
}

/* A = P L U, where A is what getrf was given */
static void product(tsl_type t, int64_t m, int64_t n)
{
    problem b = make(t, GAPS, m, n, 1, true);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double any = 43758.5453 * fabs(sin(1 + 12.9898 * (double)i + 78.233 * (double)j));
            stack_set(&b.A, 0, i, j, fmod(any, 1) - 0.5);
        }
    stack was = stack_copy(&b.A);
    int64_t info = -1;
    tsl_status st = tsl_getrf(ctx, tsl_whole(b.a), tsl_whole(b.mat[PIVOTS]), &info);
    if (!st) st = take_apart(&b, true);
    double worst = 0;
    for (int64_t i = 0; i < m; i++) {
        int64_t row = 0; /* of L U, that P puts there */
        while (row < m - 1 && stack_get(&b.of[P_], 0, i, row) == 0) row++;
        for (int64_t j = 0; j < n; j++) {
            tsl_scalar sum = -stack_get(&was, 0, i, j);
            for (int64_t k = 0; k < b.d; k++) sum += stack_get(&b.of[L_], 0, row, k) * stack_get(&b.of[U_], 0, k, j);
            worst = tsl_larger(worst, cabs(sum));
        }
    }
    ok(!st && !info && worst < 10 * (double)(b.d + 1) * tsl_type_eps(t), "%s %c: P L U of %lld x %lld: %g %s", where,
       tsl_type_letter(t), (long long)m, (long long)n, worst, tsl_error(ctx));
    stack_free(&was), drop(&b);
}

/* Pivots that are no rows: in the caller's memory nothing is written */
static void bad_pivots(bool one)
{
    static const int64_t bad[] = {0, -1, 6, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        problem b = make(TSL_D, DENSE, 5, 4, one ? 1 : 3, one);
        *(int64_t *)stack_at(&b.of[PIVOTS], b.count - 1, 2, 0) = bad[i];
        stack L = stack_copy(&b.of[L_]);
        tsl_status st = take_apart(&b, true);
        bool intact = !one || same(&b.of[L_], &L);
        check(st == TSL_ERR_PIVOT && intact, "%s: pivot %lld: %s", where, (long long)bad[i], tsl_status_name(st));
        stack_free(&L), drop(&b);
    }
    checked("%s: pivots that are no rows, of %s", where, one ? "one matrix" : "a batch");
}

int main(void)
{
    static const struct { const char *devices, *tile; } ways[] = {{"host", "0"},   {"host:1", "0"},  {"host:1", "16"},
                                                                  {"host:3", "0"}, {"host:3", "16"}, {"cuda:0", "0"}};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        where = ways[w].devices;
        ctx = context_by(where, ways[w].tile);
        if (!ctx) continue;
        for (int i = 0; i < 4; i++) {
            static const tsl_type types[] = {TSL_S, TSL_D, TSL_C, TSL_Z};
            parts(types[i]);
            product(types[i], 20, 20), product(types[i], 50, 13), product(types[i], 13, 50);
        }
        bad_pivots(true), bad_pivots(false);
        tsl_context_destroy(ctx);
    }
    return tap_done();
}
