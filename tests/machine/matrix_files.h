/* Files in a folder of the program's own, and how they are read. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/file/array.h"
#include "npz.h"
#include "tap.h"

static char dir[] = "/tmp/tesela-files-XXXXXX";
static char path[64], said[64];

static inline const char *in_dir(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static inline void spill(const char *name, const void *bytes, size_t count)
{
    FILE *f = fopen(in_dir(name), "wb");
    if (f) {
        fwrite(bytes, 1, count, f);
        fclose(f);
    }
}

/* Lines that were said on stderr while f ran. */
static inline int lines_said(int (*f)(const char *), const char *word, int *status)
{
    int keep = dup(2), lines = 0, c;
    fflush(stderr);
    FILE *to = freopen(said, "w+", stderr);
    *status = f(word);
    fflush(stderr);
    rewind(to);
    while ((c = getc(to)) != EOF)
        lines += c == '\n';
    dup2(keep, 2);
    close(keep);
    clearerr(stderr);
    return lines;
}

static cli_text text = {0, -1, NULL};

static inline int read_it(const char *word)
{
    cli_array a;
    int status = cli_read(word, TSL_D, &text, &a);
    cli_array_free(&a);
    return status;
}

static inline bool refused(const char *word)
{
    int status, lines = lines_said(read_it, word, &status);
    if (status != CLI_FAILED || lines != 1)
        printf("# %s: status %d, %d lines\n", word, status, lines);
    return status == CLI_FAILED && lines == 1;
}

static inline bool same(const cli_array *a, const cli_array *b)
{
    return a->type == b->type && a->m == b->m && a->n == b->n && a->vector == b->vector &&
           !memcmp(a->data, b->data, (size_t)a->m * (size_t)a->n * tsl_type_size(a->type));
}

static inline void fill(cli_array *a)
{
    size_t parts = (size_t)a->m * (size_t)a->n * (a->type == TSL_C || a->type == TSL_Z ? 2 : 1);
    for (size_t i = 0; i < parts; i++)
        if (a->type == TSL_S || a->type == TSL_C)
            ((float *)a->data)[i] = (float)((double)i / 3 - 7);
        else
            ((double *)a->data)[i] = (double)i / 3 - 7;
}

static inline size_t npy(char *to, const char *header, const void *data, size_t bytes)
{
    size_t length = strlen(header);
    memcpy(to, "\x93NUMPY\x01\x00", 8);
    to[8] = (char)(length & 255);
    to[9] = (char)(length >> 8);
    memcpy(to + 10, header, length);
    memcpy(to + 10 + length, data, bytes);
    return 10 + length + bytes;
}

/* A folder for the program's files. */
static inline bool folder_made(void)
{
    bool made = mkdtemp(dir);
    snprintf(said, sizeof said, "%s/said", dir);
    return made;
}

static inline int folder_done(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) ? 1 : tap_done();
}
