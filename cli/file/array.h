/* Matrices in files: .npy, .npz, MatrixMarket, CSV and raw elements, by their names or through pipes ("-"). */
#ifndef CLI_FILE_ARRAY_H
#define CLI_FILE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tesela.h"

/* By columns, the leading dimension is m. TSL_INDEX is for pivots, which are written only. */
typedef struct cli_array {
    tsl_type type;
    int64_t m, n;
    bool vector; /* of one dimension in its file: written as one */
    bool csv;    /* was read from such a file */
    void *data;
    void *map; /* the file's pages that data lies in, if it was not read but mapped */
    size_t map_bytes;
} cli_array;

typedef enum cli_format { CLI_NPY, CLI_MTX, CLI_RAW, CLI_CSV, CLI_BY_NAME } cli_format;

/* How CSV is read and written. */
typedef struct cli_text {
    char delimiter;     /* ' ': any blanks; 0: read, what the first line suggests; written, a comma, or a tab in .tsv */
    int64_t skip;       /* lines before the elements; -1: one, if none of its fields is a number */
    const char *header; /* the first line of what is written, or NULL */
} cli_text;
#define CLI_TEXT ((cli_text){0, -1, NULL})

/* Functions that return a status (CLI_OK, CLI_FAILED, CLI_USAGE) have said in one line what was wrong. */

/* array.c */
int cli_array_make(cli_array *a, const char *name, tsl_type type, int64_t m, int64_t n); /* zeros */
void cli_array_free(cli_array *a);
/* between s, d, c, z; a complex array stays complex; to a lower precision it cannot fail */
int cli_array_convert(cli_array *a, const char *name, tsl_type type);
int cli_array_copy(cli_array *a, const char *name, const cli_array *of);
int64_t cli_array_strange(const cli_array *a); /* how many elements are NaN or infinite */
double cli_array_magnitude(const cli_array *a, int64_t at); /* |element number at| */
void cli_array_get(const cli_array *a, int64_t at, double v[2]); /* its real and imaginary part */
void cli_array_set(cli_array *a, int64_t at, const double v[2]); /* a real array takes the first */
void cli_array_mirror(cli_array *a, char uplo); /* the triangle L or U of a Hermitian matrix to the other side */
tsl_type cli_wider(tsl_type a, tsl_type b);                           /* that holds what both do */
int cli_array_transpose(cli_array *a, const char *name);              /* of the elements: m x n by rows to by columns */

/* source.c: a file being read */
typedef struct cli_source {
    const char *name; /* for people */
    FILE *f;
    int64_t left; /* bytes left of a regular file; -1: a pipe */
} cli_source;
int cli_source_bytes(cli_source *s, void *to, size_t bytes);         /* exactly so many, or "truncated" */
int cli_source_block(cli_source *s, size_t bytes, void **data);      /* in new memory; a file that is too short costs none */
bool cli_bytes_of(int64_t m, int64_t n, size_t size, size_t *bytes); /* m n size; false: more than there can be */

/* read.c: "-" is standard input. NAME@MxN: raw elements by columns, of type `raw`; NAME.npz:ARRAY: one of its arrays; other
 * formats say themselves what they hold. */
typedef struct cli_word {
    char file[4096];    /* the name of the file */
    bool raw;           /* of m x n elements */
    int64_t m, n;
    const char *member; /* of an .npz file, or NULL */
} cli_word;
bool cli_word_of(const char *word, cli_word *w); /* what a word means; false: too long */
int cli_read(const char *word, tsl_type raw, const cli_text *text, cli_array *a);
int cli_read_npy(cli_source *s, cli_array *a);
int cli_read_npz(cli_source *s, const char *member, cli_array *a); /* NULL: the only one there is */
int cli_read_mtx(cli_source *s, cli_array *a);
int cli_read_csv(cli_source *s, const cli_text *text, cli_array *a);
/* the elements that come next, if s is a file; private to the process */
int cli_map(cli_source *s, cli_array *a, bool *mapped);

/* write.c: what is written has its name only when it is whole; an input is never replaced */
bool cli_format_of(const char *word, cli_format *format); /* "npy", "mtx", "raw", "csv" */
bool cli_format_by_name(const char *name, cli_format *format);
int cli_may_name(const char *name, cli_format format);    /* does its name, if nothing else, say a format? */
bool cli_same_place(const char *a, const char *b);        /* one file, or two names of what would be one */
bool cli_is_output(const char *name);                    /* "-", or another name of the file or pipe that is standard output */
int cli_may_write(const char *name, const char *const *inputs, int count);
int cli_write(const char *name, cli_format format, const cli_text *text, const cli_array *a);
bool cli_put_npy(FILE *f, const cli_array *a);
bool cli_put_mtx(FILE *f, const cli_array *a);
bool cli_put_csv(FILE *f, const cli_text *text, const cli_array *a);

#endif
