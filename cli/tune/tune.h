/* `tesela tune`: the search for one entry, and the table it goes into. */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include <signal.h>

#include "bench/measure/measure.h"
#include "cli/model/plan.h"

/* search.c */
enum { TUNE_CANDIDATES = 64, TUNE_ENTRY = 512, TUNE_KEY = 64 };

typedef struct tune_search {
    double deadline;    /* of bench_now(): then the best so far is taken */
    const volatile sig_atomic_t *stop; /* set: give up */
    const char *label;  /* for people who watch; NULL: nobody does */
} tune_search;

/* What an entry is for */
typedef struct tune_problem {
    const bench_routine *r;
    bench_case c;
    int64_t order, width; /* width 0: any */
    bool turned;          /* a product with the transpose */
} tune_problem;

bool tune_has_variants(const bench_routine *r);
bool tune_has_panels(const bench_routine *r); /* whose kernel may have shapes */
/* Finds the best variant, block size and shape for a problem and writes its line of the table; false: stopped, or `line` says
 * what failed. */
bool tune_case(tsl_context *ctx, const tune_search *s, const tune_problem *p, char entry[TUNE_ENTRY], char line[BENCH_LINE]);

/* For products by residues: sizes in ascending order, and until when */
typedef struct tune_file tune_file;
typedef struct tune_residues {
    const char *devices;
    const tune_file *file;
    const int64_t *n;
    int count;
    double deadline;
    const volatile sig_atomic_t *stop;
} tune_residues;

static inline bool tune_over(const tune_residues *r) { return *r->stop || bench_now() >= r->deadline; }

/* products.c: the line of the table that says from where products of a type pay; false: out of time, stopped, or after saying
 * what failed */
bool tune_products(tsl_context *ctx, const tune_residues *r, tsl_type type, char entry[TUNE_ENTRY]);

/* shares.c: of a product (1/m + 1/n)/2, where a triangle of C counts as a square of the same area, 1/k, and native time over
 * that by residues; and the two numbers of the line that follows from such, by which none is chosen that does not pay. *side
 * is 0 where none pays. */
typedef struct tune_sample {
    double side, inner, gain;
} tune_sample;
void tune_shares(const tune_sample *s, int count, int64_t *side, int64_t *inner);

/* wide.c: operations with a variant for them; the line that says from which order on that pays, where sides from `side` on are
 * by residues; and such a line; 0: never */
enum { TUNE_WIDE = 9 };
const char *tune_wide_name(int i);
bool tune_wide(const tune_residues *r, int i, tsl_type type, int64_t side, char entry[TUNE_ENTRY]);
void tune_wide_entry(const char *operation, tsl_type type, int64_t from, char entry[TUNE_ENTRY]);

/* core.c: the line of the table for the same case on one core of the host, and the one for the link between the device's
 * memory and the host's; false after saying what failed */
bool tune_core(const bench_routine *r, const bench_case *c, char entry[TUNE_ENTRY]);
bool tune_link(tsl_context *ctx, char entry[TUNE_ENTRY]);

/* file.c: a table on disk, as lines; what others wrote in it stays */
struct tune_file {
    const char *path;
    char *text;
};

/* Reads the file or starts a new one; false after saying what is wrong. `ctx` says for which device. */
bool tune_open(tune_file *f, const char *path, const char *devices, tsl_context *ctx);
/* The words by which lines are told apart, those each begins with. */
void tune_key(const tune_problem *p, const char *before, char key[TUNE_KEY]);
bool tune_holds(const tune_file *f, const char *key);
/* Puts an entry in place of an earlier one with that key and saves the table; false after saying why not. */
bool tune_put(tune_file *f, const char *key, const char *entry);
/* A context that goes by the table with this entry in it, which is not saved. NULL after saying why not */
tsl_context *tune_try(const tune_file *f, const char *key, const char *entry, const char *devices);
/* The first number after a key; 0: there is no line with it, or no number */
int64_t tune_number(const tune_file *f, const char *key);
void tune_close(tune_file *f);

typedef struct tune_job {
    tsl_context *ctx;
    tune_file file;
    const volatile sig_atomic_t *stop;
    double end;
    bool again;
    bool apart; /* the device has a memory of its own: its table speaks of the host's cores too */
    bool linked;
    bool products, all; /* products by residues, too; every routine */
    int total, seen, found, kept, status;
} tune_job;

/* tune.c: is the line to be found, or to be found anew? what was found is shown and saved */
bool tune_missing(const tune_job *job, const char *key);
void tune_save(tune_job *job, const char *key, const char *entry);

/* residues.c: lines of products by residues, of the plan's types and sizes; those that are known to be wanted are counted */
void tune_count_residues(tune_job *job, const cli_plan *plan);
void tune_residues_of(tune_job *job, const cli_plan *plan);

#endif
