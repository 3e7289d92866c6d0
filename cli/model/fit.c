/* The numbers of a machine from measured runs: least squares of the relative errors, none of the numbers negative. Panels and
 * diagonal blocks count as one kind, as they may on cores. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model.h"

enum { RUNS = 512, TERMS = 4, LINE = 8192, ROUNDS = 30 };

typedef struct run {
    model_problem problem;
    char routine[16];
    double x[TERMS], seconds; /* on the critical path: messages, bytes, flops of products and of panels */
} run;

/* The text after "key": in a record, which is one line. */
static const char *field(const char *line, const char *key)
{
    char pattern[32];
    snprintf(pattern, sizeof pattern, "\"%s\": ", key);
    const char *at = strstr(line, pattern);
    return at ? at + strlen(pattern) : NULL;
}

static double number(const char *line, const char *key, double absent)
{
    const char *at = field(line, key);
    char *end;
    double v = at ? strtod(at, &end) : absent;
    return at && end == at ? absent : v;
}

static bool read_run(const char *line, run *out)
{
    const char *routine = field(line, "routine"), *type = field(line, "type"), *grid = field(line, "grid");
    const char *variant = field(line, "variant"), *devices = field(line, "devices");
    char letter = 0, name[16];
    model_problem *p = &out->problem;
    model_cost c;
    double n = number(line, "n", 0);
    *p = (model_problem){.routine = out->routine};
    if (!routine || !type || !grid || sscanf(routine, "\"%15[a-z0-9]", out->routine) != 1 || sscanf(type, "\"%c", &letter) != 1 ||
        sscanf(grid, "\"%dx%d", &p->rows, &p->cols) != 2 || !strchr("sdcz", letter))
        return false;
    p->type = (tsl_type)(strchr("sdcz", letter) - "sdcz");
    p->n = n, p->m = number(line, "m", n), p->k = number(line, "k", n), p->nb = number(line, "nb", 256);
    if (variant && sscanf(variant, "\"%15[a-z0-9]", name) == 1)
        model_variant(out->routine, name, &p->plain);
    p->cores = devices && !strncmp(devices, "\"host", 5);
    out->seconds = number(line, "seconds", 0);
    return out->seconds > 0 && model_count(p, NULL, &c);
}

static void count(run *r, const model_machine *m)
{
    model_cost c;
    model_count(&r->problem, m, &c);
    r->x[0] = c.messages, r->x[1] = c.bytes, r->x[2] = c.flops, r->x[3] = c.panel + c.diagonal;
}

/* Coordinate descent: each number in turn is the best for the others as they are. The squares of relative errors are convex. */
static void descend(const run *r, int count, double v[TERMS])
{
    for (int round = 0; round < 20000; round++)
        for (int t = 0; t < TERMS; t++) {
            double above = 0, below = 0;
            for (int i = 0; i < count; i++) {
                double rest = r[i].seconds, w = 1 / (r[i].seconds * r[i].seconds);
                for (int u = 0; u < TERMS; u++)
                    rest -= u == t ? 0 : v[u] * r[i].x[u];
                above += w * rest * r[i].x[t];
                below += w * r[i].x[t] * r[i].x[t];
            }
            v[t] = below > 0 && above > 0 ? above / below : 0;
        }
}

/* What the critical path consists of depends on the machine, and the machine on that: by turns, from all of the work on. */
static void fit(run *r, int count_of, model_machine *m)
{
    double v[TERMS] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count_of; i++)
            count(&r[i], round ? m : NULL);
        descend(r, count_of, v);
        m->message = v[0], m->byte = v[1], m->flop = v[2];
        if (v[2] > 0 && v[3] > 0)
            m->panel = m->diagonal = v[3] / v[2];
    }
}

bool model_fit(const char *file, model_machine *m)
{
    static run runs[RUNS];
    char line[LINE];
    int runs_read = 0;
    double worst = 0;
    FILE *f = fopen(file, "r");
    if (!f)
        return !cli_fail("explain: --fit %s: it cannot be read", file);
    while (runs_read < RUNS && fgets(line, sizeof line, f))
        runs_read += read_run(line, &runs[runs_read]);
    fclose(f);
    if (runs_read < TERMS)
        return !cli_fail("explain: --fit %s: %d runs on grids of routines the model knows; at least %d are needed", file,
                         runs_read, TERMS);
    fit(runs, runs_read, m);
    printf("%6s %7s %6s %5s %6s %11s %11s %6s\n", "", "grid", "n", "nb", "", "measured s", "predicted", "error");
    for (int i = 0; i < runs_read; i++) {
        const model_problem *p = &runs[i].problem;
        model_cost c;
        model_count(p, m, &c);
        double guess = model_seconds(m, &c), error = guess / runs[i].seconds - 1;
        printf("%c%-5s %4dx%-2d %6.0f %5.0f %6s %11.4g %11.4g %+5.0f%%\n", tsl_type_letter(p->type), p->routine, p->rows, p->cols,
               p->n, p->nb, p->plain ? "plain" : "", runs[i].seconds, guess, 100 * error);
        worst = fmax(worst, fabs(error));
    }
    printf("fitted to %d runs of %s: worst error %.0f%%\n", runs_read, file, 100 * worst);
    return true;
}
