/* `tesela tune`: the search for one entry, and the table it goes into. */
#ifndef CLI_TUNE_H
#define CLI_TUNE_H

#include <signal.h>

#include "bench/measure/measure.h"

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

/* core.c: the line of the table for the same case on one core of the host, and the one for the link between the device's
 * memory and the host's; false after saying what failed */
bool tune_core(const bench_routine *r, const bench_case *c, char entry[TUNE_ENTRY]);
bool tune_link(tsl_context *ctx, char entry[TUNE_ENTRY]);

/* file.c: a table on disk, as lines; what others wrote in it stays */
typedef struct tune_file {
    const char *path;
    char *text;
} tune_file;

/* Reads the file or starts a new one; false after saying what is wrong. `ctx` says for which device. */
bool tune_open(tune_file *f, const char *path, const char *devices, tsl_context *ctx);
/* The words by which lines are told apart, those each begins with. */
void tune_key(const tune_problem *p, const char *before, char key[TUNE_KEY]);
bool tune_holds(const tune_file *f, const char *key);
/* Puts an entry in place of an earlier one with that key and saves the table; false after saying why not. */
bool tune_put(tune_file *f, const char *key, const char *entry);
void tune_close(tune_file *f);

#endif
