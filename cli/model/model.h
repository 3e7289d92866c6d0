/* A cost model of the distributed routines: what the critical path of one process does, and how long a machine takes for it. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "bench/measure/measure.h"
#include "grid/clock/clock.h"

/* A machine: seconds for a message, for a byte of it, for a flop of a large local product; and how many times slower flops of
 * panels are, and of Cholesky factors of diagonal blocks, which are too narrow or too small to be fast. */
typedef struct model_machine {
    double message, byte, flop, panel, diagonal;
} model_machine;

typedef struct model_problem {
    const char *routine, *variant; /* NULL: auto */
    tsl_type type;
    double m, n, k, nb;
    int rows, cols;
    bool values; /* of an eigenproblem, without vectors */
    bool cores; /* not GPUs: narrower panels, and messages take the time of the core that computes */
    bool plain; /* the texts without look-ahead */
} model_problem;

/* One thing after the other. */
typedef struct model_cost {
    double flops, panel, diagonal, messages, bytes; /* three kinds of flops */
} model_cost;

/* model.c: what the critical path of a machine consists of; without one, all that there is to do, with nothing hidden behind
 * anything else. False if the model knows no such routine. */
bool model_count(const model_problem *p, const model_machine *m, model_cost *out);
double model_compute(const model_machine *m, const model_cost *c);
double model_communicate(const model_machine *m, const model_cost *c);
double model_seconds(const model_machine *m, const model_cost *c);
double model_memory(const model_problem *p); /* bytes of operands and workspace of a process */
/* Is there such a variant on a grid, and does it do without look-ahead? Those there are, by commas. */
bool model_variant(const char *routine, const char *name, bool *plain);
const char *model_variants(const char *routine);
extern const char model_routines[];

/* fit.c: the machine that explains the records of `tesela bench --grid --json` best; false after saying what is wrong */
bool model_fit(const char *file, model_machine *m);

/* table.c: on standard output, a line for the routine and the machine, then one for each grid, numbered from 0; as JSON
 * an object whose last member is the list of them, which is left open */
void model_head(const model_problem *p, const model_machine *m, bool json);
void model_row(const model_problem *p, const model_machine *m, bool json, int number);

/* clock.c: the same table by the clock, of all steps (places: 0) or of some; false after saying what is wrong. A table of
 * kernels from a file; NULL: an H200. */
enum { MODEL_BEST_TILE = -1 }; /* as the rows of a tile: the tile of the least time */
bool model_clock_table(const char *file, tsl_clock_table *t);
bool model_clock_knows(const char *routine);
void model_clock_head(const model_problem *p, const tsl_clock_machine *m, int places, bool as_json);
bool model_clock(const model_problem *p, const tsl_clock_machine *m, int places, bool as_json, int number);

#endif
