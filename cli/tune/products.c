/* From which sizes products by residues pay: the least side of C at which an inner dimension of at most half of it does, and
 * the least such inner dimension, if with it products of larger sides, and with longer inner dimensions, pay as well. Sizes
 * are looked at a little past round ones, where blocks of kernels are filled worst. Data stay on the device. */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { PAST = 8, RUNS = 5, LEAST = 2, INNERS = 64, PART = 16 };

static const double PAYS = 1.03, /* times as fast as native ones, at least */
    HOPELESS = 0.25,             /* so much slower at half of a side that larger ones are not looked at */
    SAMPLE = 1e-2;               /* seconds that a time takes at least, unless RUNS are enough */

typedef struct search {
    const tune_residues *r;
    tsl_context *ctx;
    tsl_type type;
    tsl_matrix *A, *B, *C;
    int sides; /* of r->n those that memory is enough for */
    tsl_status st;
} search;

static bool over(const search *s) { return s->st || tune_over(s->r); }

/* C := C - A B, or of its lower triangle C - A A^H */
static tsl_status multiply(search *s, int64_t m, int64_t n, int64_t k, bool triangle)
{
    tsl_view A = tsl_sub(tsl_whole(s->A), 0, 0, m, k), C = tsl_sub(tsl_whole(s->C), 0, 0, m, n);
    if (triangle)
        return tsl_herk(s->ctx, -1, A, 1, tsl_lower(C));
    return tsl_gemm(s->ctx, -1, A, tsl_sub(tsl_whole(s->B), 0, 0, k, n), 1, C);
}

static double seconds_of(search *s, const char *products, int64_t m, int64_t n, int64_t k, bool triangle)
{
    double best = INFINITY, spent = 0, seconds;
    s->st = tsl_set(s->ctx, "products", products);
    for (int i = 0; i < RUNS + 1 && (i < LEAST + 1 || spent < SAMPLE) && !over(s); i++) {
        s->st = tsl_timer_start(s->ctx);
        if (!s->st)
            s->st = multiply(s, m, n, k, triangle);
        if (!s->st)
            s->st = tsl_timer_stop(s->ctx, &seconds);
        if (!i || s->st) /* the first one takes workspace */
            continue;
        best = fmin(best, seconds);
        spent += seconds;
    }
    return best;
}

/* Native time over that by residues */
static double gain(search *s, int64_t m, int64_t n, int64_t k, bool triangle)
{
    double native = seconds_of(s, "native", m, n, k, triangle), ours = seconds_of(s, "emulated", m, n, k, triangle);
    if (over(s))
        return 0;
    printf("# %c%s %lld x %lld x %lld: %.3f\n", tsl_type_letter(s->type), triangle ? "herk" : "gemm", (long long)m,
           (long long)n, (long long)k, native / ours);
    fflush(stdout);
    return native / ours;
}

static bool pays(search *s, int64_t m, int64_t n, int64_t k) { return gain(s, m, n, k, false) >= PAYS; }
static bool pays_half(search *s, int64_t n, int64_t k) { return gain(s, n, n, k, true) >= PAYS; }

/* Do larger products pay with this inner dimension, and these sides with longer ones? */
static bool holds(search *s, int at, int64_t k)
{
    int64_t side = s->r->n[at] + PAST;
    bool all = pays(s, side, side, s->r->n[at]) && pays_half(s, side, k);
    for (int i = at + 1; i < s->sides && all; i++) {
        int64_t larger = s->r->n[i] + PAST;
        all = pays(s, larger, larger, k) && pays(s, side, larger, k) && pays_half(s, larger, k);
    }
    return all;
}

/* Powers of two, and those and a half, from a part of the side on up to its half */
static int inners_of(int64_t side, int64_t k[INNERS])
{
    int count = 0;
    for (int64_t p = 2; p <= side / 2; p *= 2) {
        if (p >= side / PART)
            k[count++] = p;
        if (3 * p / 2 >= side / PART && 3 * p / 2 <= side / 2)
            k[count++] = 3 * p / 2;
    }
    return count;
}

/* *side := 0 where none pays */
static void find(search *s, int64_t *side, int64_t *inner)
{
    int64_t k[INNERS];
    *side = 0;
    for (int i = 0; i < s->sides && !over(s); i++) {
        int64_t n = s->r->n[i] + PAST;
        double half = gain(s, n, n, s->r->n[i] / 2, false);
        if (half < HOPELESS)
            return;
        for (int j = 0, count = inners_of(s->r->n[i], k); half >= PAYS && j < count && !over(s); j++)
            if (pays(s, n, n, k[j]) && holds(s, i, k[j])) {
                *side = s->r->n[i], *inner = k[j];
                return;
            }
    }
}

static void drop(search *s)
{
    tsl_matrix_free(s->A), tsl_matrix_free(s->B), tsl_matrix_free(s->C);
    s->A = s->B = s->C = NULL;
}

static tsl_status make(search *s, tsl_matrix **to, int64_t n)
{
    tsl_status st = tsl_matrix_create(s->ctx, s->type, n, n, to);
    return st ? st : tsl_random(s->ctx, 1, tsl_whole(*to));
}

/* The largest matrices there is memory for, workspace too */
static void open(search *s)
{
    for (s->sides = s->r->count; s->sides > 0; s->sides--) {
        int64_t n = s->r->n[s->sides - 1] + PAST;
        s->st = make(s, &s->A, n);
        if (!s->st)
            s->st = make(s, &s->B, n);
        if (!s->st)
            s->st = make(s, &s->C, n);
        if (!s->st)
            s->st = tsl_set(s->ctx, "products", "emulated");
        if (!s->st)
            s->st = multiply(s, n, n, n / 2, false);
        if (!s->st)
            s->st = tsl_wait(s->ctx);
        if (s->st != TSL_ERR_DEVICE_MEMORY && s->st != TSL_ERR_MEMORY)
            return;
        drop(s);
    }
}

bool tune_products(tsl_context *ctx, const tune_residues *r, tsl_type type, char entry[TUNE_ENTRY])
{
    search s = {.r = r, .ctx = ctx, .type = type};
    int64_t side = 0, inner = 0;
    open(&s);
    if (!s.st)
        find(&s, &side, &inner);
    bool found = !over(&s);
    if (s.st)
        cli_fail("tune: products of %c: %s", tsl_type_letter(type), tsl_error(ctx));
    if (side)
        snprintf(entry, TUNE_ENTRY, "emulated %c %lld %lld", tsl_type_letter(type), (long long)side, (long long)inner);
    else
        snprintf(entry, TUNE_ENTRY, "emulated %c - -", tsl_type_letter(type));
    drop(&s);
    tsl_set(ctx, "products", "native");
    return found;
}
