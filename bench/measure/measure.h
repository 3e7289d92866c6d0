/* Timing one case, and what is reported about it. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdio.h>

#include "bench/energy/energy.h"
#include "bench/measure/machine.h"
#include "bench/rival/rival.h"

enum { BENCH_MAX_REPS = 100 };

/* How problems come to lie on a grid of processes (cli/grid.c), all of which measure together. */
typedef struct bench_grid {
    int rows, cols;
    int64_t nb;
    bool on_device; /* the parts, in device memory */
    tsl_status (*distribute)(const struct bench_grid *g, bench_problem *p); /* after that its device copies are distributed */
    void (*together)(const struct bench_grid *g);
    double (*longest)(const struct bench_grid *g, double seconds); /* of all processes */
    void (*sent)(const struct bench_grid *g, int64_t *messages, int64_t *bytes); /* by this process so far */
} bench_grid;

typedef struct bench_session {
    tsl_context *ctx;
    const bench_grid *grid; /* NULL: this process alone */
    const char *devices; /* as the report names them */
    int64_t tile;        /* 0: tuned */
    const char *variant, *policy;
    const char *products; /* how they are computed, where that was asked for; NULL: auto */
    bench_place place; /* of the data */
    bool pinned;
    int reps; /* 0: as many as a median needs */
    bool check;
    int rivals;
    const bench_rival *rival[BENCH_RIVALS];
    void *state[BENCH_RIVALS];
    double limit[4];    /* flop/s by type; 0: not known, negative: not yet looked for */
    double limit_bytes; /* byte/s */
    const char *limit_name;
    double last; /* seconds of the contender that ran last */
    bench_meter *meter;    /* NULL: energy was not asked for */
    double energy_seconds; /* each contender is repeated for so long */
    bench_machine machine;
} bench_session;

/* What was not measured is NaN. */
typedef struct bench_record {
    const bench_routine *routine;
    bench_case c;
    double seconds, residual;
    bool ok;
    char date[32];
    tsl_counters moved;
    double messages, bytes_sent; /* on a grid: the most any process sends in a call, those from device to device apart */
    double rival_seconds[BENCH_RIVALS];
    double joules[1 + BENCH_RIVALS][BENCH_PARTS]; /* of a call: the library's first */
    double accuracy[1 + BENCH_RIVALS];            /* of single elements, where it was asked for how products are computed */
} bench_record;

/* measure.c. False: the run failed and `line` says how; the record then says "not ok". */
/* A line about a status, with what the context says of it. */
void bench_say(tsl_status st, tsl_context *ctx, char line[BENCH_LINE]);
bool bench_measure(bench_session *s, const bench_routine *r, const bench_case *c, bench_record *out, char line[BENCH_LINE]);
tsl_status bench_timed_run(bench_problem *p, int calls, double *seconds); /* the library on restored data, per call */
bool bench_timed_rival(const bench_rival *r, void *state, bench_problem *p, int calls, double *seconds); /* and a rival */
double bench_now(void); /* seconds of the wall clock */
bench_place
bench_place_of(tsl_context *ctx); /* where a context's timed data are: on its only device if that has its own memory */

/* bench/rival/openblas_solve.c: x with A x = b in place of b by OpenBLAS's Cholesky, the factor in A's lower triangle;
 * seconds, NaN on failure */
double bench_openblas_solve(int64_t n, double *A, double *b);

/* limit.c: the rate no routine of this kind passes here, flop/s or byte/s; 0: not known */
double bench_limit(bench_session *s, const bench_record *r);

/* bench/energy/case.c: fills in the record's joules; a sample is of so many calls. False: a run failed */
bool bench_energy_case(bench_session *s, bench_problem *p, int calls, bench_record *out);

/* report.c */
void bench_params(const bench_case *c, char out[64]); /* "side=L,uplo=U,trans=N,diag=N" */
void bench_table_head(FILE *f, const bench_session *s);
void bench_table_row(FILE *f, bench_session *s, const bench_record *r); /* and what was moved, if tiles were */
double bench_rate(const bench_record *r); /* flop/s, or byte/s where memory is the bound */
void bench_json(FILE *f, bench_session *s, const bench_record *r);

#endif
