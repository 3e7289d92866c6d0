/* Three numbers of a machine from measured runs: least squares of the relative errors, none of the numbers negative. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model.h"

enum { RUNS = 512, TERMS = 3, LINE = 2048 };

typedef struct run {
    double x[TERMS], seconds; /* messages, bytes, flops */
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

static bool read_run(const char *line, double panel, run *out)
{
    const char *routine = field(line, "routine"), *type = field(line, "type"), *grid = field(line, "grid");
    char name[16] = "", letter = 0;
    model_problem p = {.routine = name};
    model_cost c;
    double n = number(line, "n", 0);
    if (!routine || !type || !grid || sscanf(routine, "\"%15[a-z0-9]", name) != 1 || sscanf(type, "\"%c", &letter) != 1 ||
        sscanf(grid, "\"%dx%d", &p.rows, &p.cols) != 2 || !strchr("sdcz", letter))
        return false;
    p.type = (tsl_type)(strchr("sdcz", letter) - "sdcz");
    p.n = n, p.m = number(line, "m", n), p.k = number(line, "k", n), p.nb = number(line, "nb", 256);
    out->seconds = number(line, "seconds", 0);
    if (!(out->seconds > 0) || !model_count(&p, &c))
        return false;
    out->x[0] = c.messages, out->x[1] = c.bytes, out->x[2] = c.flops + panel * c.panel_flops;
    return true;
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

bool model_fit(const char *file, model_machine *m)
{
    static run runs[RUNS];
    char line[LINE];
    int count = 0;
    double v[TERMS] = {0}, worst = 0;
    FILE *f = fopen(file, "r");
    if (!f)
        return !cli_fail("explain: --fit %s: it cannot be read", file);
    while (count < RUNS && fgets(line, sizeof line, f))
        count += read_run(line, m->panel, &runs[count]);
    fclose(f);
    if (count < TERMS)
        return !cli_fail("explain: --fit %s: %d runs on grids of routines the model knows; at least %d are needed", file, count,
                         TERMS);
    descend(runs, count, v);
    m->message = v[0], m->byte = v[1], m->flop = v[2];
    for (int i = 0; i < count; i++) {
        double guess = v[0] * runs[i].x[0] + v[1] * runs[i].x[1] + v[2] * runs[i].x[2];
        worst = fmax(worst, fabs(guess / runs[i].seconds - 1));
    }
    printf("fitted to %d runs of %s: worst error %.0f%%\n", count, file, 100 * worst);
    return true;
}
