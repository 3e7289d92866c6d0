/* Products of many sizes, native and by residues, and the line of the table that follows. Data stay on the device. */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { RUNS = 5, LEAST = 2, SAMPLES = 256 };

static const double HOPELESS = 0.25, /* so much slower at the first side that larger ones are not looked at */
    SAMPLE = 1e-2;                   /* seconds that a time takes at least, unless RUNS are enough */

typedef struct search {
    const tune_residues *r;
    tsl_context *ctx;
    tsl_type type;
    tsl_matrix *A, *B, *C;
    int sides; /* of r->n those that memory is enough for */
    tune_sample sample[SAMPLES];
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
    double side = (1 / (double)m + 1 / (double)n) / 2;
    s->sample[s->samples++] = (tune_sample){triangle ? sqrt(2) * side : side, 1 / (double)k, native / ours};
}

static void look_at_all(search *s)
{
    for (int i = 0; i < s->sides && !over(s); i++) {
        int64_t side = s->r->n[i], most = s->r->n[s->sides - 1];
        for (int64_t part = 1; part <= 8 && side / part > 0; part *= 2)
            look(s, side, side, side / part, false);
        if (s->samples && s->sample[0].gain < HOPELESS)
            return;
        look(s, side, side, (side + 1) / 2, true);
        look(s, side, side, (side + 3) / 4, true);
        if (side < most)
            look(s, side, most, (side + 3) / 4, false);
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
        int64_t n = s->r->n[s->sides - 1];
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
        tune_shares(s.sample, s.samples, &side, &inner);
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
