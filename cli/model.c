/* Counts of work and traffic, step by step as src/dist takes them. docs/cluster.md has the formulas. */
#include "cli/model.h"

#include <math.h>
#include <string.h>

const char model_routines[] = "gemm, syrk, herk, trsm, trmm, potrf";

/* A broadcast of `bytes` to p processes: log2 p messages one after the other, and each byte in and out once (scatter, then
 * gather). */
static void broadcast(model_cost *c, double p, double bytes)
{
    if (p < 2)
        return;
    c->messages += ceil(log2(p));
    c->bytes += 2 * (p - 1) / p * bytes;
}

/* C := C + A B, m x n, inner size k, in panels of kb. */
static void product(const model_problem *p, model_cost *c, double m, double n, double k, double kb)
{
    double w = (double)tsl_type_size(p->type);
    for (double at = 0; at < k; at += kb) {
        broadcast(c, p->cols, w * m / p->rows * fmin(kb, k - at));
        broadcast(c, p->rows, w * n / p->cols * fmin(kb, k - at));
    }
    c->flops += 2 * m * n * k / p->rows / p->cols;
}

static double wide(const model_problem *p) { return fmax(p->nb, floor(1024 / p->nb) * p->nb); }

/* Half of the product is computed; the panel goes along the rows, then turned along the columns. */
static void update(const model_problem *p, model_cost *c, double n, double k, double kb)
{
    model_cost whole = {0};
    product(p, &whole, n, n, k, kb);
    c->flops += whole.flops / 2;
    c->messages += whole.messages;
    c->bytes += whole.bytes;
}

/* Row panels of B one after the other: each is solved by one row of processes, then leaves all later ones. */
static void triangular(const model_problem *p, model_cost *c)
{
    double w = (double)tsl_type_size(p->type);
    for (double at = 0; at < p->m; at += p->nb) {
        double b = fmin(p->nb, p->m - at);
        broadcast(c, p->cols, w * b * b);
        c->panel_flops += b * b * p->n / p->cols;
        product(p, c, p->m - at - b, p->n, b, b);
    }
}

static void cholesky(const model_problem *p, model_cost *c)
{
    double w = (double)tsl_type_size(p->type);
    for (double at = 0; at < p->n; at += p->nb) {
        double b = fmin(p->nb, p->n - at), rest = p->n - at - b;
        c->panel_flops += b * b * b / 3 + b * b * rest / p->rows;
        broadcast(c, p->rows, w * b * b);
        update(p, c, rest, b, b);
    }
}

bool model_count(const model_problem *p, model_cost *out)
{
    const char *r = p->routine;
    double w = (double)tsl_type_size(p->type), each = 1.0 / p->rows / p->cols, elements = p->n * p->n;
    *out = (model_cost){0};
    if (!strcmp(r, "gemm")) {
        product(p, out, p->m, p->n, p->k, wide(p));
        elements = p->m * p->n + p->m * p->k + p->k * p->n;
    } else if (!strcmp(r, "syrk") || !strcmp(r, "herk")) {
        update(p, out, p->n, p->k, 256);
        elements += p->n * p->k;
    } else if (!strcmp(r, "trsm") || !strcmp(r, "trmm")) {
        triangular(p, out);
        elements = p->m * p->m + p->m * p->n;
    } else if (!strcmp(r, "potrf")) {
        cholesky(p, out);
    } else {
        return false;
    }
    double kb = wide(p), panels = 2 * kb * (fmax(p->m, p->n) / p->rows + p->n / p->cols); /* two in flight */
    out->memory = w * (elements * each + panels);
    if (bench_is_complex(p->type))
        out->flops *= 4, out->panel_flops *= 4;
    return true;
}

double model_compute(const model_machine *m, const model_cost *c) { return (c->flops + m->panel * c->panel_flops) * m->flop; }
double model_communicate(const model_machine *m, const model_cost *c) { return c->messages * m->message + c->bytes * m->byte; }
