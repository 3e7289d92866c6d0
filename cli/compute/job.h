/* What the commands on files share: operands, a context, results, and what is said about them. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "cli/file/array.h"

enum { CLI_INPUTS = 2 };

typedef struct cli_job {
    const char *command, *devices, *type, *out, *format, *delimiter, *skip; /* options as given */
    const char *second, *third; /* where a second and a third result go, or NULL */
    bool json;
    bool numbers; /* the results are numbers, which are told: no file is written */
    const char *input[CLI_INPUTS]; /* the files' words */
    cli_array array[CLI_INPUTS];
    int inputs;
    tsl_type wanted; /* results are of this type: that of the files, or that asked for */
    cli_format to;
    cli_text text;
    tsl_context *ctx;
    double begin, seconds;
    char unknown[600], doubt[200]; /* what could not be computed and why; why the result is not to be trusted */
} cli_job;

/* The options every such command has; they go first in its list. Of one whose results are numbers: the first line. */
#define CLI_JOB_INPUTS(job)                                                                                                    \
    {"--devices", &(job).devices, NULL}, {"-t", &(job).type, NULL}, {"--json", NULL, &(job).json},                             \
        {"--delimiter", &(job).delimiter, NULL}, {"--skip", &(job).skip, NULL}
#define CLI_JOB_OPTIONS(job)                                                                                                   \
    CLI_JOB_INPUTS(job), {"-o", &(job).out, NULL}, {"--format", &(job).format, NULL}, {"--header", &(job).text.header, NULL}

#define CLI_JOB_FILES                                                                                                          \
    "Files are .npy, an array of an .npz as FILE.npz:NAME, MatrixMarket (dense or coordinate), CSV, or raw elements by columns as\n" \
    "NAME@MxN; - is standard input or output.\n"
#define CLI_JOB_INPUTS_HELP                                                                                                    \
    "  -t s|d|c|z       compute in this type, and of raw elements their type; by default that of the files, d of raw ones\n"   \
    "  --devices SPEC   where to compute; by default all GPUs, else the host\n"                                                \
    "  --delimiter C    between the fields of CSV: a character, tab or space (any blanks); by default what the first line has of\n" \
    "                   ; tab , and blanks\n"                                                                                  \
    "  --skip N         lines of CSV before the numbers; by default one, if none of its fields is a number\n"
#define CLI_JOB_HELP                                                                                                           \
    CLI_JOB_FILES                                                                                                              \
    "  -o FILE          where the result goes; - (by default): standard output, as MatrixMarket\n"                             \
    "  --format F       npy, mtx, csv or raw; by default as the name ends\n"                                                   \
    "  --header LINE    the first line of a result that is CSV\n" CLI_JOB_INPUTS_HELP                                          \
    "  --json           what was done as JSON on standard output; the result needs -o FILE then\n"
#define CLI_JOB_NUMBERS_HELP                                                                                                   \
    CLI_JOB_FILES CLI_JOB_INPUTS_HELP "  --json           the numbers as JSON; what is not finite is null\n"
#define CLI_JOB_STATUS(three)                                                                                                  \
    "Exit status: 0 done; 1 failed, and nothing is written; 2 the words make no sense; 3 done, with a warning: " three ".\n"
#define CLI_JOB_STRANGE "the result has NaN or infinite elements"

/* Reads the files and opens a context; 0, or what to exit with. Then `cli_job_begin` starts the clock. */
int cli_job_open(cli_job *job, const char *const *inputs, int count);
void cli_job_begin(cli_job *job);
void cli_job_end(cli_job *job); /* stops it: what follows is not part of the work */
void cli_job_close(cli_job *job);
/* An array as a matrix of the context; the status is an exit status, said. */
int cli_job_wrap(cli_job *job, const cli_array *a, tsl_matrix **A);
/* What a call of the library returned as an exit status, said. */
int cli_job_status(cli_job *job, tsl_status st);
/* Of a number that is not worth a result: true, or why it is not known is kept, to be told. */
bool cli_job_known(cli_job *job, const char *what, tsl_status st);
/* The result is not to be trusted; the first reason is told. */
void cli_job_doubt(cli_job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Doubts a result with elements that are NaN or infinite. */
void cli_job_inspect(cli_job *job, const char *what, const cli_array *a);
/* Ends the clock, and writes `a` to -o, in the type wanted; looks for NaN in it. What is then found out about it may fail: the
 * result is there. */
int cli_job_write(cli_job *job, cli_array *a);
/* The same of `a`, in its own type, and of others, if not NULL, to job->second and job->third: all or none */
int cli_job_write_all(cli_job *job, const cli_array *a, const cli_array *second, const cli_array *third);

/* One thing to say: a number or a word. */
typedef struct cli_fact {
    const char *name; /* JSON's key; NULL ends a list */
    const char *text; /* a word, or NULL: the number */
    double number;
} cli_fact;
/* `sentence` for people, or the facts for programs; seconds and, of `flops`, the rate are added. Then what is not known and
 * what is in doubt. CLI_OK or CLI_DOUBTFUL. */
int cli_job_tell(cli_job *job, const char *sentence, double flops, const cli_fact *facts);

/* residual.c: R, which comes as B, := B - A X; A whole, or a triangle of a Hermitian matrix */
tsl_status cli_residual(cli_job *job, tsl_view A, const cli_array *X, const cli_array *R);
/* The largest |r| / (|A| |x|) of a column of R and X, norms inf; `a` is |A|. */
double cli_backward_error(double a, const cli_array *X, const cli_array *R);

/* square.c: a square matrix by its factors */
typedef struct cli_square {
    const char *uplo; /* L or U: that triangle of a positive definite matrix; NULL: P A = L U */
    cli_array pivots;
    tsl_matrix *A, *p;
    double norm; /* |A| before it was factored: the largest sum of a column; NAN: not known */
    int64_t info;
} cli_square;
bool cli_uplo(const char *command, const char *word); /* NULL, L or U, or says that it is neither */
tsl_view cli_triangle(tsl_matrix *A, const char *uplo); /* NULL: all of A */
/* Of the first input, which becomes its factors. If the norm is needed and cannot be had it fails, before anything is done. A
 * matrix that is not positive definite fails; one that is singular has an info. */
typedef enum cli_norm { CLI_NO_NORM, CLI_NORM_WANTED, CLI_NORM_NEEDED } cli_norm;
int cli_square_factor(cli_job *job, cli_square *s, cli_norm norm);
void cli_square_free(cli_square *s);

#endif
