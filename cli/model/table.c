/* What the cost model predicts: a table for people, or JSON for programs. */
#include <math.h>
#include <stdio.h>

#include "bench/measure/json.h"
#include "cli/model/model.h"

/* All there is to do, and how long it takes one thing after the other; then the time with what the routine hides hidden.
 * Efficiency: of that time, against all flops at the best rate, that of large local products as a rule, on as many processes. */
typedef struct prediction {
    double memory, messages, bytes, compute, communicate, in_turn, seconds, efficiency;
} prediction;

static prediction predict(const model_problem *p, const model_machine *m)
{
    model_cost all, path, one;
    model_problem alone = *p;
    alone.rows = alone.cols = 1;
    model_count(p, NULL, &all);
    model_count(p, m, &path);
    model_count(&alone, NULL, &one);
    double fastest = m->flop * fmin(1, fmin(m->panel, m->diagonal));
    double ideal = (one.flops + one.panel + one.diagonal) * fastest / p->rows / p->cols, seconds = model_seconds(m, &path);
    return (prediction){model_memory(p), all.messages, all.bytes, model_compute(m, &all), model_communicate(m, &all), model_seconds(m, &all),
                        seconds, ideal / seconds};
}

static double byte_rate(const model_machine *m) { return m->byte > 0 ? 1 / m->byte : INFINITY; }
static double flop_rate(const model_machine *m) { return m->flop > 0 ? 1 / m->flop : INFINITY; }

static void text_head(const model_problem *p, const model_machine *m)
{
    printf("%c%s%s on %s: %.3g s a message, %.3g byte/s, %.3g flop/s a process, panels %.3g, diagonal blocks %.3g times slower\n",
           tsl_type_letter(p->type), p->routine, p->plain ? " without look-ahead" : "", p->cores ? "cores" : "GPUs", m->message, byte_rate(m),
           flop_rate(m), m->panel, m->diagonal);
}

static void text_row(const model_problem *p, const model_machine *m, int number)
{
    char grid[24];
    if (!number)
        printf("%9s %9s %10s %10s %10s %10s %11s %10s %10s %10s\n", "grid", "n", "bytes here", "messages", "traffic",
               "compute s", "communicate", "in turn", "seconds", "efficiency");
    prediction v = predict(p, m);
    snprintf(grid, sizeof grid, "%dx%d", p->rows, p->cols);
    printf("%9s %9.0f %10.3g %10.0f %10.3g %10.3g %11.3g %10.3g %10.3g %9.0f%%\n", grid, p->n, v.memory, v.messages, v.bytes, v.compute,
           v.communicate, v.in_turn, v.seconds, 100 * v.efficiency);
}

static void json_head(const model_problem *p, const model_machine *m)
{
    printf("{\"routine\": \"%c%s\", \"look_ahead\": %s, \"devices\": \"%s\", \"nb\": %.0f", tsl_type_letter(p->type), p->routine,
           p->plain ? "false" : "true", p->cores ? "host" : "cuda", p->nb);
    json_number(stdout, "latency", m->message);
    json_number(stdout, "bandwidth", byte_rate(m));
    json_number(stdout, "rate", flop_rate(m));
    json_number(stdout, "panel", m->panel);
    json_number(stdout, "diagonal", m->diagonal);
    printf(", \"grids\": [");
}

static void json_row(const model_problem *p, const model_machine *m)
{
    prediction v = predict(p, m);
    printf("{\"grid\": \"%dx%d\", \"m\": %.0f, \"n\": %.0f, \"k\": %.0f", p->rows, p->cols, p->m, p->n, p->k);
    json_number(stdout, "memory", v.memory);
    json_number(stdout, "messages", v.messages);
    json_number(stdout, "traffic", v.bytes);
    json_number(stdout, "compute", v.compute);
    json_number(stdout, "communicate", v.communicate);
    json_number(stdout, "in_turn", v.in_turn);
    json_number(stdout, "seconds", v.seconds);
    json_number(stdout, "efficiency", v.efficiency);
    putchar('}');
}

void model_head(const model_problem *p, const model_machine *m, bool json)
{
    if (json)
        json_head(p, m);
    else
        text_head(p, m);
}

void model_row(const model_problem *p, const model_machine *m, bool json, int number)
{
    if (!json)
        return text_row(p, m, number);
    fputs(number ? ", " : "", stdout);
    json_row(p, m);
}
