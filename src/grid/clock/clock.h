/* A clock instead of a network: the algorithms run as ever, process by process, but nothing is computed and nothing is sent.
 * What each would do is written down (record.c); then all are put on a time axis (simulate.c). */
#ifndef TSL_CLOCK_H
#define TSL_CLOCK_H

#include <stdbool.h>

#include "grid/clock/table.h"
#include "tesela_grid.h"

typedef struct tsl_clock_problem {
    const char *routine; /* one of those below */
    const char *variant; /* of its algorithms; NULL: the one that is taken by default */
    tsl_type type;
    int64_t m, n, k, nb;
    bool vectors; /* of an eigenproblem, too */
    int rows, cols;
    int places; /* of a factorization of order n: a few steps are run at so many places of it, instead of all; 0: all */
    int first, steps; /* record.c: of such a place the first step, and how many; those before it are left out */
} tsl_clock_problem;

/* Processes of a node are consecutive by rank, the table's `node` of them; or, tile, so many rows and columns of the grid's.
 * across: columns of the grid, by run.c. scatter: of the processes' speeds, relative. cores: they take the ways of the host's
 * cores through the algorithms; else those of GPUs, such as trees of QR. */
typedef struct tsl_clock_machine {
    tsl_clock_table table;
    int tile[2], across;
    double scatter;
    uint64_t seed;
    bool cores;
    bool peers; /* GPUs of a node see each other's memory, as they do where the processes are threads of one program */
} tsl_clock_machine;

/* Seconds of the call, and of work of a process; what a process sends; mean and most of all. Path: of the seconds of the call
 * those of the chain of work and messages that ends last; the rest of it are messages. */
typedef struct tsl_clock_result {
    double seconds, work, messages, bytes, most_messages, most_bytes, path[TSL_CLOCK_WORKS];
} tsl_clock_result;

TSL_PRIVATE extern const char tsl_clock_routines[]; /* those it knows, with a blank after each */
TSL_PRIVATE tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out);

/* record.c */
typedef enum tsl_event_kind { TSL_EVENT_WORK, TSL_EVENT_SEND, TSL_EVENT_PASS, TSL_EVENT_WAIT, TSL_EVENT_STEP } tsl_event_kind;

/* A message may stand for several: the pieces of one that is broadcast, which are passed on as they come; or, in turn, messages
 * of which each waits for what follows from the one before it. */
typedef struct tsl_event {
    tsl_event_kind kind;
    bool in_turn;
    int peer, times;  /* to whom it is sent, as so many */
    tsl_clock_work work;
    uint64_t key, of; /* of the message; of that which is passed on, or waited for */
    double amount;    /* seconds of work, or bytes of all */
} tsl_event;

typedef struct tsl_events {
    tsl_event *event;
    size_t count, room;
} tsl_events;

/* Numbers by keys that are not 0 */
typedef struct tsl_map {
    uint64_t *key;
    double *value;
    size_t count, room;
} tsl_map;

double *tsl_map_at(tsl_map *m, uint64_t key);             /* 0 at first; NULL: no memory */
const double *tsl_map_find(const tsl_map *m, uint64_t key); /* NULL: it has none */
void tsl_map_free(tsl_map *m);

TSL_PRIVATE tsl_status tsl_clock_record(const tsl_clock_problem *p, const tsl_clock_machine *m, int rank, tsl_events *log);
/* simulate.c */
int tsl_clock_node_of(const tsl_clock_machine *m, int rank); /* the number of the node it is on */
/* step: if not NULL, the time up to each mark, and what of its path was work; there is room for so many, and processes need
 * not get to the end */
enum { TSL_CLOCK_STEPS = 64 };
typedef struct tsl_clock_marks {
    int count;
    double when[TSL_CLOCK_STEPS], path[TSL_CLOCK_STEPS][TSL_CLOCK_WORKS];
} tsl_clock_marks;
tsl_status tsl_clock_simulate(int processes, const tsl_events *log, const tsl_clock_machine *m, tsl_clock_result *out,
                              tsl_clock_marks *marks);

#endif
