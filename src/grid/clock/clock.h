/* A clock instead of a network: the algorithms run as ever, process by process, but nothing is computed and nothing is sent.
 * What each would do is written down (record.c); then all are put on a time axis (simulate.c). */
#ifndef TSL_CLOCK_H
#define TSL_CLOCK_H

#include <stdbool.h>

#include "core/op.h"
#include "grid/clock/table.h"
#include "tesela_grid.h"

typedef struct tsl_clock_problem {
    const char *routine; /* one of those below */
    const char *variant; /* of its algorithms; NULL: the one that is taken by default */
    tsl_type type;
    int64_t m, n, k, nb;
    bool vectors; /* of an eigenproblem, too */
    int rows, cols;
    int places; /* some steps are run at so many places of each loop, instead of all (grid.h, tsl_sample); 0: all */
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
 * those of the chain of work and messages that ends last; the rest of it are messages. Part: of each operation that a composite
 * is made of. */
enum { TSL_CLOCK_NO_PART = TSL_OP_COUNT };
typedef struct tsl_clock_result {
    double seconds, work, messages, bytes, most_messages, most_bytes, path[TSL_CLOCK_WORKS], part[TSL_CLOCK_NO_PART + 1];
} tsl_clock_result;

TSL_PRIVATE extern const char tsl_clock_routines[]; /* those it knows, with a blank after each */
TSL_PRIVATE tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out);

/* record.c. STEP: what follows counts `amount` times, and is of the part `peer`. */
typedef enum tsl_event_kind { TSL_EVENT_WORK, TSL_EVENT_SEND, TSL_EVENT_PASS, TSL_EVENT_WAIT, TSL_EVENT_STEP } tsl_event_kind;

/* A message may stand for several: the pieces of one that is broadcast, which are passed on as they come; or, in turn, messages
 * of which each waits for what follows from the one before it. */
typedef struct tsl_event {
    uint64_t key, of; /* of the message; of that which is passed on, or waited for */
    double amount;    /* seconds of work, or bytes of all */
    int peer, times;  /* to whom it is sent, as so many */
    uint8_t kind, work; /* tsl_event_kind, tsl_clock_work */
    bool in_turn;
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

/* The steps of `steps` alone, if that is not NULL: of a text that looks ahead, a window */
struct tsl_sample;
TSL_PRIVATE tsl_status tsl_clock_record(const tsl_clock_problem *p, const tsl_clock_machine *m, const struct tsl_sample *steps,
                                        int rank, tsl_events *log);
/* match.c. False: no memory */
bool tsl_clock_match(int processes, tsl_events *log, size_t *messages);
/* simulate.c. The number of the node a process is on */
int tsl_clock_node_of(const tsl_clock_machine *m, int rank);
/* whole: what is before the first STEP counts, and all come to the end. */
tsl_status tsl_clock_simulate(int processes, tsl_events *log, const tsl_clock_machine *m, bool whole, tsl_clock_result *out);

#endif
