/* Was a call cut? What is computed in one place is one task, and copies: the task graph tells. */
#ifndef TESTS_GRAPH_H
#define TESTS_GRAPH_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tiled.h"

typedef struct drawing {
    char name[32]; /* of the file */
    tsl_context *x;
} drawing;

/* A context on two devices whose tasks are drawn */
static inline drawing drawing_open(void)
{
    drawing d = {.name = "/tmp/tesela-drawn-XXXXXX", .x = make("host:2")};
    int file = mkstemp(d.name);
    check(file >= 0 && !tsl_set(d.x, "graph", d.name), "%s: %s", d.name, tsl_error(d.x));
    if (file >= 0) close(file);
    return d;
}

/* How many of its tasks were of that operation; the context ends */
static inline int drawing_close(drawing *d, const char *operation)
{
    char line[128], word[24];
    int tasks = 0;
    tsl_context_destroy(d->x);
    FILE *f = fopen(d->name, "r");
    snprintf(word, sizeof word, "\"%s ", operation);
    while (f && fgets(line, sizeof line, f)) tasks += strstr(line, word) != NULL;
    if (f) fclose(f);
    unlink(d->name);
    return tasks;
}

#endif
