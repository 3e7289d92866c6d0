/* A cost model of the distributed routines: what the critical path of one process does, and how long a machine takes for it. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "bench/measure.h"

/* A machine: seconds for a message, for a byte of it, for a flop of a large local product; and how many times slower flops of
 * panels are, which are too small or too narrow to be fast. */
typedef struct model_machine {
    double message, byte, flop, panel;
} model_machine;

typedef struct model_problem {
    const char *routine;
    tsl_type type;
    double m, n, k, nb;
    int rows, cols;
} model_problem;

/* On the critical path. */
typedef struct model_cost {
    double flops, panel_flops, messages, bytes, memory; /* memory: bytes of operands and workspace of a process */
} model_cost;

/* model.c: false if the model knows no such routine */
bool model_count(const model_problem *p, model_cost *out);
double model_compute(const model_machine *m, const model_cost *c);
double model_communicate(const model_machine *m, const model_cost *c);
extern const char model_routines[];

/* model_fit.c: the machine that explains the records of `tesela bench --grid --json` best; false after saying what is wrong */
bool model_fit(const char *file, model_machine *m);

#endif
