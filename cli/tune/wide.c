/* From which order on an operation's variant for products by residues pays, under the line of these products that is in the
 * table. One context goes by the table with the operation never in that variant; another by the table with a line that is
 * tried. Data stay on the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/tune/tune.h"

enum { RUNS = 3 };

static const double PAYS = 1.03, LONG = 5e-2; /* seconds of one run that is enough */

/* What is computed on, order n: A, which each run begins as S; B, factors; columns t and p of factors and of indices */
typedef struct problem {
    tsl_context *ctx;
    tsl_matrix *S, *A, *B, *t, *p;
} problem;

/* S := random, B := a matrix with a large diagonal */
static tsl_status fill(problem *a)
{
    double n = (double)tsl_rows(tsl_whole(a->S));
    tsl_status st = tsl_laset(a->ctx, 0, 2 * n, tsl_whole(a->A));
    if (!st)
        st = tsl_random(a->ctx, 1, tsl_whole(a->S));
    if (!st)
        st = tsl_random(a->ctx, 2, tsl_whole(a->B));
    return st ? st : tsl_geadd(a->ctx, 1, tsl_whole(a->A), 1, tsl_whole(a->B));
}

static tsl_status plain(problem *a) { return (void)a, TSL_OK; }
static tsl_status dominant(problem *a) { return tsl_copy(a->ctx, tsl_whole(a->B), tsl_whole(a->S)); }
static tsl_status factored(problem *a) { return tsl_potrf(a->ctx, tsl_lower(tsl_whole(a->B)), NULL); }
static tsl_status factored_lu(problem *a) { return tsl_getrf(a->ctx, tsl_whole(a->S), tsl_whole(a->p), NULL); }
static tsl_status factored_qr(problem *a) { return tsl_geqrf(a->ctx, tsl_whole(a->S), tsl_whole(a->t)); }
static tsl_status reflectors(problem *a) { return tsl_geqrf(a->ctx, tsl_whole(a->B), tsl_whole(a->t)); }

static tsl_status run_potrf(problem *a) { return tsl_potrf(a->ctx, tsl_lower(tsl_whole(a->A)), NULL); }
static tsl_status run_trtri(problem *a) { return tsl_trtri(a->ctx, tsl_lower(tsl_whole(a->A)), NULL); }
static tsl_status run_lauum(problem *a) { return tsl_lauum(a->ctx, tsl_lower(tsl_whole(a->A))); }
static tsl_status run_getrf(problem *a) { return tsl_getrf(a->ctx, tsl_whole(a->A), tsl_whole(a->p), NULL); }
static tsl_status run_getri(problem *a) { return tsl_getri(a->ctx, tsl_whole(a->A), tsl_whole(a->p), NULL); }
static tsl_status run_geqrf(problem *a) { return tsl_geqrf(a->ctx, tsl_whole(a->A), tsl_whole(a->t)); }
static tsl_status run_orgqr(problem *a) { return tsl_orgqr(a->ctx, tsl_whole(a->A), tsl_whole(a->t)); }
static tsl_status run_sygst(problem *a) { return tsl_sygst(a->ctx, 1, tsl_lower(tsl_whole(a->A)), tsl_lower(tsl_whole(a->B))); }
static tsl_status run_ormqr(problem *a)
{
    return tsl_ormqr(a->ctx, TSL_LEFT, TSL_NOTRANS, tsl_whole(a->B), tsl_whole(a->t), tsl_whole(a->A));
}

static const struct operation {
    const char *name;
    tsl_status (*ready)(problem *a), (*run)(problem *a);
} operations[TUNE_WIDE] = {
    {"potrf", dominant, run_potrf}, {"trtri", dominant, run_trtri},    {"lauum", dominant, run_lauum},
    {"getrf", plain, run_getrf},    {"getri", factored_lu, run_getri}, {"geqrf", plain, run_geqrf},
    {"ormqr", reflectors, run_ormqr}, {"orgqr", factored_qr, run_orgqr}, {"sygst", factored, run_sygst}};

const char *tune_wide_name(int i) { return operations[i].name; }

static void drop(problem *a)
{
    tsl_matrix_free(a->S), tsl_matrix_free(a->A), tsl_matrix_free(a->B), tsl_matrix_free(a->t), tsl_matrix_free(a->p);
}

static tsl_status make(problem *a, tsl_type type, int64_t n, const struct operation *op)
{
    tsl_status st = tsl_matrix_create(a->ctx, type, n, n, &a->S);
    if (!st)
        st = tsl_matrix_create(a->ctx, type, n, n, &a->A);
    if (!st)
        st = tsl_matrix_create(a->ctx, type, n, n, &a->B);
    if (!st)
        st = tsl_matrix_create(a->ctx, type, n, 1, &a->t);
    if (!st)
        st = tsl_matrix_create(a->ctx, TSL_INDEX, n, 1, &a->p);
    if (!st)
        st = fill(a);
    return st ? st : op->ready(a);
}

/* INFINITY: there is no memory for it, or no time */
static double seconds_of(const tune_residues *r, tsl_context *ctx, const char *variant, const struct operation *op,
                         tsl_type type, int64_t n, tsl_status *st)
{
    problem a = {.ctx = ctx};
    double best = INFINITY, seconds = 0;
    *st = make(&a, type, n, op);
    if (!*st)
        *st = tsl_set(ctx, "variant", variant);
    for (int i = 0; i <= RUNS && !(i > 1 && best > LONG) && !*st && !tune_over(r); i++) {
        *st = tsl_copy(ctx, tsl_whole(a.S), tsl_whole(a.A));
        if (!*st)
            *st = tsl_timer_start(ctx);
        if (!*st)
            *st = op->run(&a);
        if (!*st)
            *st = tsl_timer_stop(ctx, &seconds);
        if (i && !*st) /* the first one takes workspace */
            best = fmin(best, seconds);
    }
    drop(&a);
    if (!*st)
        *st = tsl_set(ctx, "variant", "auto");
    if (*st == TSL_ERR_DEVICE_MEMORY || *st == TSL_ERR_MEMORY)
        *st = TSL_OK;
    return best;
}

typedef struct search {
    const tune_residues *r;
    const struct operation *op;
    tsl_type type;
    tsl_context *never, *tried;
    int64_t from; /* the order that is tried; 0: none */
    tsl_status st;
} search;

static tsl_context *open(const search *s, int64_t from)
{
    char entry[TUNE_ENTRY], key[TUNE_KEY];
    tune_wide_entry(s->op->name, s->type, from, entry);
    snprintf(key, sizeof key, "emulated %s %c", s->op->name, tsl_type_letter(s->type));
    return tune_try(s->r->file, key, entry, s->r->devices);
}

/* With the line that is tried, or, as long as there is none, in the variant by name: it pays at least. */
static bool pays(search *s, int64_t n)
{
    double before = seconds_of(s->r, s->never, "auto", s->op, s->type, n, &s->st), now = INFINITY;
    if (!s->st && isfinite(before))
        now = seconds_of(s->r, s->from ? s->tried : s->never, s->from ? "auto" : "wide", s->op, s->type, n, &s->st);
    if (s->st || tune_over(s->r) || !isfinite(before) || !isfinite(now))
        return s->from > 0; /* what there is no memory for says nothing */
    printf("# %c%s %lld: %.3f\n", tsl_type_letter(s->type), s->op->name, (long long)n, before / now);
    fflush(stdout);
    return before >= PAYS * now;
}

void tune_wide_entry(const char *operation, tsl_type type, int64_t from, char entry[TUNE_ENTRY])
{
    char order[24] = "-";
    if (from)
        snprintf(order, sizeof order, "%lld", (long long)from);
    snprintf(entry, TUNE_ENTRY, "emulated %s %c %s", operation, tsl_type_letter(type), order);
}

bool tune_wide(const tune_residues *r, int i, tsl_type type, int64_t side, char entry[TUNE_ENTRY])
{
    search s = {.r = r, .op = &operations[i], .type = type};
    s.never = open(&s, 0);
    for (int j = 0; j < r->count && s.never && !s.st && !tune_over(r); j++) {
        int64_t n = r->n[j];
        if (n / 2 < side)
            continue;
        bool good = pays(&s, n);
        if (good == (s.from > 0))
            continue;
        tsl_context_destroy(s.tried);
        s.from = good ? n : 0;
        s.tried = good ? open(&s, n) : NULL;
        if (good && !s.tried)
            break;
    }
    bool found = s.never && !s.st && !tune_over(r) && (!s.from || s.tried);
    if (s.st)
        cli_fail("tune: %c%s: %s", tsl_type_letter(type), s.op->name, tsl_status_text(s.st));
    tune_wide_entry(s.op->name, type, s.from, entry);
    tsl_context_destroy(s.tried), tsl_context_destroy(s.never);
    return found;
}
