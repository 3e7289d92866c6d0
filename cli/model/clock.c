/* What the clock says of a call on a grid (src/grid/clock): a line, or a member of the JSON list, for each grid. */
#include <math.h>
#include <stdio.h>

#include "bench/measure/json.h"
#include "cli/cli.h"
#include "cli/model/model.h"
#include "grid/clock/clock.h"

/* Within a node as NVLink on an H200 is described: 400 GB/s each way. Assumed: 2 us. */
static const double near_message = 2e-6, near_byte = 1 / 400e9;

static double efficiency(const model_problem *p, const model_machine *m, double seconds)
{
    char name[32];
    snprintf(name, sizeof name, "%c%s", tsl_type_letter(p->type), p->routine);
    return tsl_flops(name, (int64_t)p->m, (int64_t)p->n, (int64_t)p->k) * m->flop / p->rows / p->cols / seconds;
}

static void text(const model_problem *p, const tsl_clock_result *r, double share, int number)
{
    char grid[24];
    snprintf(grid, sizeof grid, "%dx%d", p->rows, p->cols);
    if (!number)
        printf("%9s %9s %10s %10s %12s %12s %11s %11s %10s\n", "grid", "n", "messages", "at most", "bytes", "at most", "work s",
               "seconds", "efficiency");
    printf("%9s %9.0f %10.1f %10.0f %12.4g %12.4g %11.4g %11.4g %9.0f%%\n", grid, p->n, r->messages, r->most_messages, r->bytes,
           r->most_bytes, r->work, r->seconds, 100 * share);
}

static void json(const model_problem *p, const tsl_clock_result *r, double share, int number)
{
    printf("%s{\"grid\": \"%dx%d\"", number ? ", " : "", p->rows, p->cols);
    json_number(stdout, "n", p->n);
    json_number(stdout, "messages", r->messages);
    json_number(stdout, "most_messages", r->most_messages);
    json_number(stdout, "bytes", r->bytes);
    json_number(stdout, "most_bytes", r->most_bytes);
    json_number(stdout, "work", r->work);
    json_number(stdout, "seconds", r->seconds);
    json_number(stdout, "efficiency", share);
    putchar('}');
}

bool model_clock(const model_problem *p, const model_machine *m, const model_nodes *nodes, bool as_json, int number)
{
    tsl_clock_problem problem = {.routine = p->routine, .type = p->type, .m = (int64_t)p->m, .n = (int64_t)p->n,
                                 .k = (int64_t)p->k, .nb = (int64_t)p->nb, .rows = p->rows, .cols = p->cols};
    tsl_clock_machine machine = {.flop = m->flop, .panel = m->panel, .diagonal = m->diagonal, .message = m->message,
                                 .byte = m->byte, .near_message = near_message, .near_byte = near_byte,
                                 .scatter = nodes->scatter, .node = (int)nodes->processes, .seed = (uint64_t)nodes->seed};
    tsl_clock_result r;
    if (tsl_clock_run(&problem, &machine, &r))
        return !cli_fail("explain: %s", tsl_error(NULL));
    (as_json ? json : text)(p, &r, efficiency(p, m, r.seconds), number);
    return true;
}
