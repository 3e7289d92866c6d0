/* A clock instead of a network: the algorithms run as ever, process by process, but nothing is computed and nothing is sent.
 * What each would do is written down (record.c); then all are put on a time axis (simulate.c). */
#ifndef TSL_CLOCK_H
#define TSL_CLOCK_H

#include <stdbool.h>

#include "core/private.h"
#include "tesela_grid.h"

typedef struct tsl_clock_problem {
    const char *routine; /* one of those in record.c */
    tsl_type type;
    int64_t m, n, k, nb;
    int rows, cols;
} tsl_clock_problem;

/* Seconds for a flop of a large product, and how many times slower solves and factors are; seconds for a message and a byte of
 * it, between nodes and within one of so many processes, consecutive by rank. scatter: of the processes' speeds, relative. */
typedef struct tsl_clock_machine {
    double flop, panel, diagonal, message, byte, near_message, near_byte, scatter;
    int node;
    uint64_t seed;
} tsl_clock_machine;

/* Seconds of the call, and of work of a process; what a process sends; mean and most of all */
typedef struct tsl_clock_result {
    double seconds, work, messages, bytes, most_messages, most_bytes;
} tsl_clock_result;

TSL_PRIVATE tsl_status tsl_clock_run(const tsl_clock_problem *p, const tsl_clock_machine *m, tsl_clock_result *out);

/* record.c */
typedef enum tsl_event_kind { TSL_EVENT_WORK, TSL_EVENT_SEND, TSL_EVENT_PASS, TSL_EVENT_WAIT } tsl_event_kind;

typedef struct tsl_event {
    tsl_event_kind kind;
    int peer;         /* to whom it is sent */
    uint64_t key, of; /* of the message; of that which is passed on, or waited for */
    double amount;    /* seconds of work, or bytes */
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

tsl_status tsl_clock_record(const tsl_clock_problem *p, const tsl_clock_machine *m, int rank, tsl_events *log);
/* simulate.c */
tsl_status tsl_clock_simulate(int processes, const tsl_events *log, const tsl_clock_machine *m, tsl_clock_result *out);

#endif
