/* What the commands on files share: operands, a context, results, and what is said about them. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "cli/file/array.h"

enum { CLI_INPUTS = 2 };

typedef struct cli_job {
    const char *command, *devices, *type, *out, *format; /* options as given */
    const char *second; /* where a second result goes, or NULL */
    bool json;
    const char *input[CLI_INPUTS]; /* the files' words */
    cli_array array[CLI_INPUTS];
    int inputs;
    tsl_type wanted; /* results are of this type: that of the files, or that asked for */
    cli_format to;
    tsl_context *ctx;
    double begin;
    char told[1024]; /* what is said when the result is written */
} cli_job;

/* The options every such command has; they go first in its list. */
#define CLI_JOB_OPTIONS(job)                                                                                                   \
    {"--devices", &(job).devices, NULL}, {"-t", &(job).type, NULL}, {"-o", &(job).out, NULL}, {"--format", &(job).format, NULL}, \
        {"--json", NULL, &(job).json}
#define CLI_JOB_HELP                                                                                                           \
    "Files are .npy, MatrixMarket (dense or coordinate), or raw elements by columns as NAME@MxN; - is standard input or output.\n" \
    "  -o FILE          where the result goes; - (by default): standard output, as MatrixMarket\n"                             \
    "  --format F       npy, mtx or raw; by default as the name ends\n"                                                        \
    "  -t s|d|c|z       compute in this type, and of raw elements their type; by default that of the files, d of raw ones\n"   \
    "  --devices SPEC   where to compute; by default all GPUs, else the host\n"                                                \
    "  --json           what was done as JSON on standard output; the result needs -o FILE then\n"

/* Reads the files and opens a context; 0, or what to exit with. Then `cli_job_begin` starts the clock. */
int cli_job_open(cli_job *job, const char *const *inputs, int count);
void cli_job_begin(cli_job *job);
void cli_job_close(cli_job *job);
/* An array as a matrix of the context; the status is an exit status, said. */
int cli_job_wrap(cli_job *job, const cli_array *a, tsl_matrix **A);
/* What a call of the library returned as an exit status, said. */
int cli_job_status(cli_job *job, tsl_status st);
/* Writes `a` to -o, in the type wanted; then says what was told. */
int cli_job_write(cli_job *job, cli_array *a);

/* One thing to say: a number or a word. */
typedef struct cli_fact {
    const char *name; /* JSON's key; NULL ends a list */
    const char *text; /* a word, or NULL: the number */
    double number;
} cli_fact;
/* `sentence` for people, and the facts for programs; seconds and, of `flops`, the rate are added. Said by `cli_job_write`: of a result that is lost
 * nothing is said as if it were there. */
void cli_job_tell(cli_job *job, const char *sentence, double flops, const cli_fact *facts);

#endif
