/* The cost model of distributed routines (cli/model/model.c): what must hold on any machine, and that a fit finds the machine again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/model/model.h"
#include "tap.h"

static const char *const routines[] = {"gemm", "syrk", "herk", "trsm", "trmm", "potrf"};
enum { ROUTINES = sizeof routines / sizeof *routines };
static const int grids[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {4, 2}, {3, 5}, {32, 32}};
enum { GRIDS = sizeof grids / sizeof *grids };
/* one that computes slowly, one that sends slowly, one between */
static const model_machine machines[] = {{1e-9, 1e-12, 1e-9, 2, 5}, {1e-3, 1e-6, 1e-14, 4, 9}, {5e-6, 2e-11, 2e-14, 4, 240}};
enum { MACHINES = sizeof machines / sizeof *machines };

static model_problem problem(const char *routine, int rows, int cols)
{
    const double n = 9000;
    return (model_problem){.routine = routine, .type = TSL_D, .m = n, .n = n, .k = n, .nb = 512, .rows = rows, .cols = cols};
}

static model_cost count(const model_problem *p, const model_machine *m)
{
    model_cost c = {0};
    check(model_count(p, m, &c), "%s is known", p->routine);
    return c;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)); }
static bool same(model_cost a, model_cost b) { return !memcmp(&a, &b, sizeof a); }

static void test_one_process(void)
{
    for (int r = 0; r < ROUTINES; r++)
        for (int cores = 0; cores < 2; cores++) {
            model_problem p = problem(routines[r], 1, 1);
            p.cores = cores;
            model_cost all = count(&p, NULL), path = count(&p, &machines[2]);
            char name[16];
            snprintf(name, sizeof name, "z%s", p.routine);
            double flops = tsl_flops(name, (int64_t)p.m, (int64_t)p.n, (int64_t)p.k) / 4;
            check(all.messages == 0 && all.bytes == 0, "%s: no messages", p.routine);
            check(same(all, path), "%s: nothing to hide", p.routine);
            check(fabs(all.flops + all.panel + all.diagonal - flops) <= flops / p.n * 2, "%s: all flops, up to lower terms", p.routine);
        }
    checked("one process: all the flops and no messages");
}

/* Between all of the work shared out evenly, with free messages, and everything one after the other. */
static void test_bounds(void)
{
    for (int r = 0; r < ROUTINES; r++)
        for (int g = 0; g < GRIDS; g++)
            for (int i = 0; i < 2 * MACHINES; i++) {
                const model_machine *m = &machines[i / 2];
                model_problem p = problem(routines[r], grids[g][0], grids[g][1]), one = problem(routines[r], 1, 1);
                p.cores = one.cores = i % 2;
                model_cost all = count(&p, NULL), path = count(&p, m), alone = count(&one, NULL);
                double seconds = model_seconds(m, &path), share = model_compute(m, &alone) / p.rows / p.cols;
                check(seconds >= share * (1 - 1e-12), "%s %dx%d: not below computing", p.routine, p.rows, p.cols);
                check(seconds <= model_seconds(m, &all) * (1 + 1e-12), "%s %dx%d: not above the sum", p.routine, p.rows, p.cols);
                check(seconds >= model_communicate(m, &all) * (1 - 1e-12), "%s %dx%d: not below messages", p.routine, p.rows,
                      p.cols);
            }
    checked("never below computing alone nor messages alone, never above their sum");
}

static void test_in_turn(void)
{
    for (int g = 0; g < GRIDS; g++)
        for (int i = 0; i < MACHINES; i++)
            for (int r = 1; r < ROUTINES; r++) {
                model_problem p = problem(routines[r], grids[g][0], grids[g][1]);
                p.plain = true;
                check(same(count(&p, NULL), count(&p, &machines[i])), "%s %dx%d plain: the sum", p.routine, p.rows, p.cols);
                p.plain = false;
                if (!strcmp(p.routine, "potrf") || !strcmp(p.routine, "trsm")) continue;
                check(same(count(&p, NULL), count(&p, &machines[i])), "%s %dx%d: the sum", p.routine, p.rows, p.cols);
            }
    checked("the sum without look-ahead, and of what has none");
}

static void test_overlap(void)
{
    static const char *const ahead[] = {"gemm", "trsm", "potrf"};
    for (int r = 0; r < 3; r++) {
        model_problem p = problem(ahead[r], 4, 4);
        p.m = p.n = p.k = 90000; /* many steps, so that the last few, where updates are small, are few */
        model_cost all = count(&p, NULL), computing = count(&p, &machines[0]), sending = count(&p, &machines[1]);
        check(near(sending.messages, all.messages) && near(sending.bytes, all.bytes), "%s: all messages in sequence", p.routine);
        check(computing.bytes < all.bytes / 2, "%s: most traffic hidden", p.routine);
        check(computing.flops >= all.flops / 2, "%s: not the updates", p.routine);
        p.cores = true;
        check(count(&p, &machines[0]).bytes > all.bytes / 2, "%s: traffic takes a core's time", p.routine);
    }
    model_problem p = problem("potrf", 4, 4);
    p.n = 90000;
    check(count(&p, &machines[0]).panel < count(&p, NULL).panel / 2, "panels hidden, but for one column's in four");
    static const struct { const char *routine, *name; bool there, plain; } variants[] = {
        {"potrf", "auto", true, false}, {"potrf", "ahead", true, false}, {"potrf", "1", true, true}, {"potrf", "2", false, false},
        {"potrf", "pp", false, false},  {"trsm", "auto", true, false},   {"trsm", "pp", true, true}, {"trsm", "ahead", true, false},
        {"trsm", "p", false, false},
        {"trsm", "1", false, false},    {"gemm", "auto", true, false},   {"gemm", "pp", false, false}};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        bool plain, there = model_variant(variants[i].routine, variants[i].name, &plain);
        check(there == variants[i].there && plain == variants[i].plain, "variant %s of %s", variants[i].name, variants[i].routine);
    }
    checked("the longer of update and next panel");
}

/* Cholesky of two panels of b columns on two process columns, by hand. */
static void test_by_hand(void)
{
    const double b = 512;
    model_machine m = {1e-6, 1e-10, 1e-13, 4, 100};
    model_problem p = problem("potrf", 1, 2);
    p.n = 2 * b;
    double chol = 100 * b * b * b / 3 * 1e-13, solve = 4 * b * b * b * 1e-13, sent = 1e-6 + 8 * b * b * 1e-10;
    double strip = b * b * b * 1e-13; /* all of the update: one process has it */
    model_cost c = count(&p, &m);
    check(near(model_seconds(&m, &c), chol + solve + sent + strip + chol), "two panels");
    p.type = TSL_Z;
    model_cost z = count(&p, &m);
    check(near(z.diagonal, 4 * c.diagonal) && near(z.bytes, 2 * c.bytes), "complex: four times the flops, twice the bytes");
    p.routine = "getrf";
    check(!model_count(&p, &m, &c), "no model of getrf");
    checked("by hand");
}

/* Runs that are as the model says: the fit finds the machine they ran on. */
static void test_fit(void)
{
    const model_machine real = {3e-5, 2e-10, 5e-11, 1.5, 1.5};
    static const char *const measured[] = {"gemm", "syrk", "trsm", "potrf"};
    model_machine found = machines[2];
    char name[] = "/tmp/tesela-model-XXXXXX";
    int fd = mkstemp(name);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    for (int i = 0; f && i < 4 * 4 * 3; i++) {
        model_problem p = problem(measured[i % 4], grids[i / 4 % 4][0], grids[i / 4 % 4][1]);
        p.m = p.n = p.k = 1000 * (1 + i / 16), p.nb = 128, p.cores = true;
        model_cost c = count(&p, &real);
        fprintf(f, "{\"routine\": \"%s\", \"type\": \"d\", \"n\": %g, \"devices\": \"host\", \"variant\": \"auto\", "
                   "\"grid\": \"%dx%d\", \"nb\": 128, \"seconds\": %.15g}\n",
                p.routine, p.n, p.rows, p.cols, model_seconds(&real, &c));
    }
    ok(f && !fclose(f) && model_fit(name, &found), "fitted");
    if (fd >= 0) remove(name);
    ok(fabs(found.message / real.message - 1) < 1e-2 && fabs(found.byte / real.byte - 1) < 1e-2 &&
           fabs(found.flop / real.flop - 1) < 1e-3 && fabs(found.panel / real.panel - 1) < 1e-2,
       "the machine again: %g %g %g %g", found.message, found.byte, found.flop, found.panel);
}

int main(void)
{
    test_one_process();
    test_bounds();
    test_in_turn();
    test_overlap();
    test_by_hand();
    test_fit();
    return tap_done();
}
