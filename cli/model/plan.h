/* What `tesela bench` was asked to run, and in part what `tesela tune` was. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "bench/measure/measure.h"

enum { PLAN_ROUTINES = 256, PLAN_SIZES = 1024, PLAN_LETTERS = 16 };

/* Values of one flag, in the order given; those of TRANS are pairs, because gemm takes two. */
typedef struct plan_letters {
    char value[PLAN_LETTERS][2];
    int count;
    const char *given; /* the option's value; NULL: the default */
} plan_letters;

typedef struct cli_plan {
    const char *command; /* as error messages name it */
    const bench_routine *routine[PLAN_ROUTINES];
    tsl_type type[4];
    int64_t n[PLAN_SIZES]; /* none: `usual`, of batches an order of their own */
    int64_t usual;
    int routines, types, sizes;
    bool usual_types; /* none were asked for: d, or z where a routine has no d */
    int64_t m, k;                      /* 0: as n */
    int64_t count, usual_bytes;        /* problems of a batch; 0: as many as leave each operand with so many bytes */
    plan_letters letters[BENCH_FLAGS]; /* by the flag; BENCH_TRANSB is in BENCH_TRANS's pairs */
    const bench_rival *rival[BENCH_RIVALS];
    int rivals, reps;
    bool check;
    double energy; /* seconds to measure it for; 0: it was not asked for */
    const char *devices, *tile, *variant, *shape, *products, *json;
    const char *policy, *dist, *diag_on, *path; /* of tiles */
    const char *place;
    bool on_grid, of_threads;
    int grid_rows, grid_cols; /* 0: all processes of mpirun */
    int64_t nb;
    bool on_device;
} cli_plan;

bool cli_grid_shape(const char *text, int *rows, int *cols); /* "RxC", or "P": as square as can be */
/* False after one line about what makes no sense. */
bool cli_plan_read(cli_plan *plan, int argc, char **argv);
/* Parts of it, each adding the items of a list; a list may be NULL. */
bool cli_plan_routines(cli_plan *plan, const char *list);
bool cli_plan_types(cli_plan *plan, const char *list);
bool cli_plan_sizes(cli_plan *plan, const char *option, const char *list);

/* Calls visit for every case of the plan, sizes innermost. */
typedef void (*plan_visit)(void *user, const bench_routine *r, const bench_case *c);
void cli_plan_walk(const cli_plan *plan, plan_visit visit, void *user);

#endif
