/* From which sizes products by residues pay. Their time over that of native ones is about r + a (1/m + 1/n)/2 + b/k: a and b
 * are found by least squares from products of many sizes, and the table says where a (1/m + 1/n)/2 + b/k is less than with any
 * product that does not pay. Sizes are a little past round ones, where blocks of kernels are filled worst. Data stay on the
 * device. */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { PAST = 8, RUNS = 5, LEAST = 2, SAMPLES = 256, TERMS = 3 };

static const double PAYS = 1.03, /* times as fast as native ones, at least */
    HOPELESS = 0.25,             /* so much slower at the first side that larger ones are not looked at */
    MARGIN = 1.02,               /* between those that pay and the nearest that does not */
    SAMPLE = 1e-2;               /* seconds that a time takes at least, unless RUNS are enough */

/* Of a product: (1/m + 1/n)/2, 1/k, and native time over that by residues */
typedef struct sample {
    double side, inner, gain;
    bool triangle;
} sample;

typedef struct search {
    const tune_residues *r;
    tsl_context *ctx;
    tsl_type type;
    tsl_matrix *A, *B, *C;
    int sides; /* of r->n those that memory is enough for */
    sample sample[SAMPLES];
    int samples;
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

static void look(search *s, int64_t m, int64_t n, int64_t k, bool triangle)
{
    double native = seconds_of(s, "native", m, n, k, triangle), ours = seconds_of(s, "emulated", m, n, k, triangle);
    if (over(s) || s->samples == SAMPLES)
        return;
    printf("# %c%s %lld x %lld x %lld: %.3f\n", tsl_type_letter(s->type), triangle ? "herk" : "gemm", (long long)m,
           (long long)n, (long long)k, native / ours);
    fflush(stdout);
    s->sample[s->samples++] = (sample){(1 / (double)m + 1 / (double)n) / 2, 1 / (double)k, native / ours, triangle};
}

static void look_at_all(search *s)
{
    for (int i = 0; i < s->sides && !over(s); i++) {
        int64_t side = s->r->n[i] + PAST, most = s->r->n[s->sides - 1] + PAST;
        for (int64_t part = 1; part <= 8 && s->r->n[i] / part > 0; part *= 2)
            look(s, side, side, s->r->n[i] / part, false);
        if (s->samples && s->sample[0].gain < HOPELESS)
            return;
        look(s, side, side, (s->r->n[i] + 1) / 2, true);
        look(s, side, side, (s->r->n[i] + 3) / 4, true);
        if (side < most)
            look(s, side, most, (s->r->n[i] + 3) / 4, false);
    }
}

/* x := the solution of the normal equations A x = y, which A is taken apart for; false: they do not say */
static bool solve(double A[TERMS][TERMS], double y[TERMS], double x[TERMS])
{
    for (int j = 0; j < TERMS; j++) {
        if (!(A[j][j] > 0))
            return false;
        for (int i = j + 1; i < TERMS; i++) {
            double l = A[i][j] / A[j][j];
            for (int k = j; k < TERMS; k++)
                A[i][k] -= l * A[j][k];
            y[i] -= l * y[j];
        }
    }
    for (int j = TERMS - 1; j >= 0; j--) {
        x[j] = y[j];
        for (int k = j + 1; k < TERMS; k++)
            x[j] -= A[j][k] * x[k];
        x[j] /= A[j][j];
    }
    return true;
}

/* *a and *b, in sizes: the shares of splitting and joining; of too few samples, or odd ones, as two to one */
static void fit(const search *s, double *a, double *b)
{
    double A[TERMS][TERMS] = {{0}}, y[TERMS] = {0}, x[TERMS];
    for (int i = 0; i < s->samples; i++) {
        const sample *at = &s->sample[i];
        double f[TERMS] = {1, 1e3 * at->side, 1e3 * at->inner};
        for (int p = 0; p < TERMS && !at->triangle; p++) {
            for (int q = 0; q < TERMS; q++)
                A[p][q] += f[p] * f[q];
            y[p] += f[p] / at->gain;
        }
    }
    bool good = solve(A, y, x) && x[1] > 0 && x[2] > 0;
    *a = good ? x[1] : 2, *b = good ? x[2] : 1;
}

/* *side := 0 where none pays */
static void find(const search *s, int64_t *side, int64_t *inner)
{
    double a, b, least = INFINITY, most = 0;
    fit(s, &a, &b);
    for (int i = 0; i < s->samples; i++) {
        double cost = a * s->sample[i].side + b * s->sample[i].inner;
        if (s->sample[i].gain < PAYS)
            least = fmin(least, cost);
        most = fmax(most, cost);
    }
    double up_to = isfinite(least) ? least / MARGIN : most;
    bool any = false;
    for (int i = 0; i < s->samples; i++)
        any |= a * s->sample[i].side + b * s->sample[i].inner <= up_to;
    *side = any ? (int64_t)ceil(a / up_to) : 0, *inner = (int64_t)ceil(b / up_to);
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
        look_at_all(&s);
    if (!over(&s))
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
