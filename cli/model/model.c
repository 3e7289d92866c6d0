/* Counts of work and traffic, step by step as src/grid takes them. docs/cluster.md has the formulas. */
#include "cli/model/model.h"
#include "core/variant.h"
#include "tune/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char model_routines[] = "gemm, syrk, herk, trsm, trmm, potrf";

/* A step of a sweep. Its panel is made, by one of `lines` rows or columns of processes in turn, and sent; then it updates all
 * that comes after, of which the strip that will be the next panel is the first. */
typedef struct step {
    model_cost panel, sent;
    double strip, update; /* flops: of those who have the strip, of a process on average */
} step;

typedef struct sweep {
    step (*at)(const model_problem *p, double done, double width, double next);
    double size, width;
    int lines;
    bool ahead; /* the next panel is made and sent before the update ends */
} sweep;

static void add(model_cost *c, const model_cost *d, double times)
{
    c->flops += times * d->flops, c->panel += times * d->panel, c->diagonal += times * d->diagonal;
    c->messages += times * d->messages, c->bytes += times * d->bytes;
}

/* A broadcast of `bytes` to p processes: log2 p messages one after the other, and each byte in and out once (scatter, then
 * gather). */
static void broadcast(model_cost *c, double p, double bytes)
{
    if (p < 2)
        return;
    c->messages += ceil(log2(p));
    c->bytes += 2 * (p - 1) / p * bytes;
}

/* A panel of several blocks is brought together on one of p rows or columns of processes. */
static void gather(model_cost *c, double p, double bytes)
{
    c->messages += p - 1;
    c->bytes += (p - 1) / p * bytes;
}

static double word(const model_problem *p) { return (double)tsl_type_size(p->type); }

/* C := C + A B, m x n: b columns of A go to the rows of C, b rows of B to its columns. */
static step of_product(const model_problem *p, double done, double b, double next)
{
    step s = {.update = 2 * p->m * p->n * b / p->rows / p->cols};
    (void)done, (void)next;
    broadcast(&s.sent, p->cols, word(p) * p->m / p->rows * b);
    broadcast(&s.sent, p->rows, word(p) * p->n / p->cols * b);
    return s;
}

/* C := C + A A^T, of which half is computed: b columns of A go to the rows of C, and from there to its columns. */
static step of_rank_k(const model_problem *p, double done, double b, double next)
{
    model_problem square = *p;
    square.m = p->n;
    step s = of_product(&square, done, b, next);
    s.update /= 2;
    return s;
}

/* Row panels of B: each is solved by one row of processes, then leaves all later ones. */
static step of_solve(const model_problem *p, double done, double b, double next)
{
    double after = p->m - done - b, w = word(p);
    step s = {.panel.panel = b * b * p->n / p->cols, .strip = 2 * next * b * p->n / p->cols,
              .update = 2 * after * b * p->n / p->rows / p->cols};
    broadcast(&s.panel, p->cols, w * b * b);
    if (b > p->nb)
        gather(&s.panel, p->rows, w * b * p->n / p->cols);
    if (after > 0) {
        broadcast(&s.sent, p->cols, w * after / p->rows * b);
        broadcast(&s.sent, p->rows, w * p->n / p->cols * b);
    }
    return s;
}

/* Column panels of A: each is factored by one column of processes, then leaves the triangle behind it. */
static step of_cholesky(const model_problem *p, double done, double b, double next)
{
    double after = p->n - done - b, w = word(p);
    step s = {.panel = {.panel = b * b * after / p->rows, .diagonal = b * b * b / 3},
              .strip = next * (2 * after - next) * b / p->rows, .update = after * after * b / p->rows / p->cols};
    if (b > p->nb)
        gather(&s.panel, p->cols, w * b * (after + b) / p->rows);
    if (after > 0) {
        broadcast(&s.panel, p->rows, w * b * b);
        broadcast(&s.sent, p->cols, w * after / p->rows * b);
        broadcast(&s.sent, p->rows, w * after / p->cols * b);
    }
    return s;
}

/* With look-ahead a step takes as long as the longer of two: the present update, with what falls to a process of making the
 * next panel, one in `lines`; and the way to the next panel, its strip updated, made and sent. Without, one comes after the
 * other. */
static model_cost walk(const model_problem *p, const sweep *s, const model_machine *m)
{
    model_cost total = {0};
    double b = fmin(s->width, s->size), next;
    step now = s->at(p, 0, b, fmin(s->width, s->size - b));
    add(&total, &now.panel, 1);
    add(&total, &now.sent, 1);
    for (double done = 0; done < s->size; done += b, b = next) {
        double after = s->size - done - b;
        next = fmin(s->width, after);
        step then = next > 0 ? s->at(p, done + b, next, fmin(s->width, after - next)) : (step){0};
        model_cost work = {.flops = fmax(now.update, now.strip)}, way = {.flops = now.strip};
        bool ahead = m && s->ahead;
        add(&work, &then.panel, ahead ? 1.0 / s->lines : 1);
        add(&work, &then.sent, ahead && !p->cores ? 0 : 1);
        add(&way, &then.panel, 1);
        add(&way, &then.sent, 1);
        add(&total, ahead && model_seconds(m, &way) > model_seconds(m, &work) ? &way : &work, 1);
        now = then;
    }
    return total;
}

/* Of the plain texts and of those that look ahead */
static double of_solves(const model_problem *p) { return p->plain ? p->nb : (double)tsl_width_solve(p->cores, (int64_t)p->nb, p->rows); }
static double of_factors(const model_problem *p) { return p->plain ? p->nb : (double)tsl_width_ahead(p->cores, (int64_t)p->nb, p->cols); }

/* Of products; where A's columns are distributed, whole blocks. */
static double wide(const model_problem *p) { return (double)tsl_width_product(p->cores, p->cols == 1 ? 1 : (int64_t)p->nb); }

static bool sweep_of(const model_problem *p, sweep *s)
{
    const char *r = p->routine;
    if (!strcmp(r, "gemm")) {
        *s = (sweep){of_product, p->k, wide(p), 1, true};
    } else if (!strcmp(r, "syrk") || !strcmp(r, "herk")) {
        *s = (sweep){of_rank_k, p->k, TSL_WIDE_UPDATE, 1, false};
    } else if (!strcmp(r, "trsm")) {
        double width = of_solves(p);
        *s = (sweep){of_solve, p->m, width, p->rows, !p->plain && p->n >= width};
    } else if (!strcmp(r, "trmm")) {
        *s = (sweep){of_solve, p->m, p->nb, p->rows, false};
    } else if (!strcmp(r, "potrf")) {
        *s = (sweep){of_cholesky, p->n, of_factors(p), p->cols, !p->plain};
    } else {
        return false;
    }
    return true;
}

bool model_count(const model_problem *p, const model_machine *m, model_cost *out)
{
    double real = bench_is_complex(p->type) ? 4 : 1; /* flops in one */
    model_machine slower = m ? *m : (model_machine){0};
    sweep s;
    if (!sweep_of(p, &s))
        return false;
    slower.flop *= real;
    *out = walk(p, &s, m ? &slower : NULL);
    out->flops *= real, out->panel *= real, out->diagonal *= real;
    return true;
}

double model_memory(const model_problem *p)
{
    const char *r = p->routine;
    double elements = !strcmp(r, "gemm")    ? p->m * p->n + p->m * p->k + p->k * p->n
                      : !strncmp(r, "tr", 2) ? p->m * p->m + p->m * p->n
                      : !strcmp(r, "potrf") ? p->n * p->n
                                            : p->n * p->n + p->n * p->k;
    double panels = 2 * wide(p) * (fmax(p->m, p->n) / p->rows + p->n / p->cols); /* two in flight */
    return word(p) * (elements / p->rows / p->cols + panels);
}

/* Beside "auto", which all have: what a grid takes, and whether it looks ahead. */
static const struct {
    const char *routine, *name; /* the first in capitals */
    int flags;
} variants[] = {
#define TSL_VARIANT(op, name, function, flags, rule) {#op, #name, flags},
#include "core/variants.def"
#undef TSL_VARIANT
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool on_grids(int i, const char *routine) { return !strcasecmp(routine, variants[i].routine) && (variants[i].flags & TSL_ON_GRIDS); }

bool model_variant(const char *routine, const char *name, bool *plain)
{
    *plain = false;
    for (int i = 0; i < VARIANTS; i++)
        if (on_grids(i, routine) && !strcmp(name, variants[i].name)) {
            *plain = strcmp(name, "ahead");
            return true;
        }
    return !strcmp(name, "auto");
}

const char *model_variants(const char *routine)
{
    static char names[64];
    int at = snprintf(names, sizeof names, "auto");
    for (int i = 0; i < VARIANTS; i++)
        if (on_grids(i, routine))
            at += snprintf(names + at, sizeof names - (size_t)at, ", %s", variants[i].name);
    return names;
}

double model_compute(const model_machine *m, const model_cost *c)
{
    return (c->flops + m->panel * c->panel + m->diagonal * c->diagonal) * m->flop;
}

double model_communicate(const model_machine *m, const model_cost *c) { return c->messages * m->message + c->bytes * m->byte; }
double model_seconds(const model_machine *m, const model_cost *c) { return model_compute(m, c) + model_communicate(m, c); }
