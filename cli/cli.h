/* The program `tesela`: a table of commands over shared option parsing. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bench.h"
#include "tesela.h"

/* Exit statuses: a bad residual, a missing rival or a failed run is 1; words that make no sense are 2; a result that is
 * written, but with a warning that it is not to be trusted, is 3. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_DOUBTFUL = 3 };

typedef struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv); /* the words after the command's name */
    const char *summary;
    const char *help;
    bool (*takes)(const bench_routine *r); /* its help ends with a list of those it takes; NULL: it has none */
} cli_command;

static inline bool cli_any_routine(const bench_routine *r) { return r; }

extern const cli_command cli_solve, cli_lstsq, cli_factor, cli_multiply, cli_inverse, cli_determinant, cli_condition, cli_eig, cli_svd, cli_rank, cli_cond, cli_demo,
    cli_bench, cli_tune, cli_report, cli_explain, cli_info;

/* demo/eig.c: a table of one eigenproblem; false when the result is not right, or after saying why there is none */
bool cli_demo_eig(tsl_context *ctx, int64_t n);
/* demo/energy.c: joules of one solve, measured for so many seconds, or that they are not readable; false after saying what
 * failed */
bool cli_demo_energy(tsl_context *ctx, int64_t n, double seconds);

/* args.c */
typedef struct cli_option {
    const char *name;   /* "-n", "--devices"; NULL ends a list */
    const char **value; /* takes a value, stored here; NULL: a switch */
    bool *given;
} cli_option;

/* One line "tesela: ..." on stderr; they return CLI_USAGE, CLI_FAILED and CLI_DOUBTFUL. */
int cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same as cli_usage; then the words of a list that commas separate, as many on a line as fit. */
int cli_usage_list(const char *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* On a grid all processes, or threads, run the same command. From now on this one keeps to itself what the others say; speak:
 * its last line after all. */
int cli_number_of_all(void); /* of this process among mpirun's; 0 without it */
void cli_hold(bool others_speak);
void cli_speak(void);
bool cli_first_here(void); /* is this process the first of its machine? */

/* Reads options (`--name value`, `--name=value`) and at most max_words other words; their number, or -1 after saying what was
 * wrong. */
int cli_parse(const char *command, int argc, char **argv, const cli_option *options, const char **words, int max_words);

/* Takes the next item of a comma-separated list; false at its end. An empty item has length 0. */
bool cli_item(const char **rest, const char **item, size_t *length);
/* All of text[0..length) as a decimal number in [min, max]. */
bool cli_number(const char *text, size_t length, int64_t min, int64_t max, int64_t *value);

/* All of a word as seconds to measure energy for */
bool cli_seconds(const char *text, double *seconds);

/* grid.c: the processes of mpirun as a grid, by libtesela_mpi, which is loaded for that; says why it is not there */
struct bench_grid;
struct tsl_grid;
struct cli_plan;
typedef struct cli_grid cli_grid;
cli_grid *cli_grid_open(const struct cli_plan *plan);
/* of a thread, from its end of it; NULL: no memory */
cli_grid *cli_grid_of_threads(const struct cli_plan *plan, struct tsl_grid *grid);
const struct bench_grid *cli_grid_bench(cli_grid *g, tsl_context *ctx);
int cli_grid_rank(const cli_grid *g);
int cli_grid_local(const cli_grid *g); /* this process's number on its machine */
/* Did anything fail on any process? The first on which it did says what. */
bool cli_grid_failed(const cli_grid *g, bool here);
void cli_grid_close(cli_grid *g);

/* progress.c: from now on a line on stderr says how far the context's work is, with its rate and the time left, if stderr is a
 * terminal and it takes long; until the end, or a message */
void cli_progress_begin(const char *command, tsl_context *ctx);
void cli_progress_end(void);

/* context.c: a context on the devices asked for; on failure says why and *status is what to exit with */
tsl_context *cli_context(const char *devices, int *status);
/* context.c: warns, once, if TESELA_TRACE cannot be written. What was computed is none the worse for it: the exit status is
 * that of the work. */
void cli_trace_check(void);

#endif
