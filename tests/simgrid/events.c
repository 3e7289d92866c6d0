/* What the processes of a call would do, as the clock records it, for replay.cpp: a line of the network and of the clock's own
 * time, then one for each event. Usage: events ROUTINE N NB ROWS COLS NODE */
#include <stdio.h>
#include <stdlib.h>

#include "grid/clock/clock.h"

int main(int argc, char **argv)
{
    tsl_clock_machine m = {.across = argc == 7 ? atoi(argv[5]) : 1};
    if (argc != 7 || tsl_clock_read(tsl_clock_h200, &m.table)) return 2;
    tsl_clock_problem p = {.routine = argv[1], .type = TSL_D, .nb = atol(argv[3])};
    tsl_clock_result r;
    p.m = p.n = p.k = atol(argv[2]);
    p.rows = atoi(argv[4]), p.cols = atoi(argv[5]);
    m.table.node = atoi(argv[6]);
    if (tsl_clock_run(&p, &m, &r)) return 1;
    const tsl_clock_table *t = &m.table;
    printf("%d %d %.9g %.9g %.9g %.9g %.9g\n",
           p.rows * p.cols, (int)t->node, t->message, t->byte, t->near_message, t->near_byte,
           r.seconds);
    for (int rank = 0; rank < p.rows * p.cols; rank++) {
        tsl_events log;
        if (tsl_clock_record(&p, &m, NULL, rank, &log)) return 1;
        for (size_t i = 0; i < log.count; i++) {
            const tsl_event *e = &log.event[i];
            if (e->kind != TSL_EVENT_STEP)
                printf("%d %d %d %d %d %llu %llu %.9g\n", rank, (int)e->kind, e->peer, e->times, e->in_turn,
                       (unsigned long long)e->key, (unsigned long long)e->of, e->amount);
        }
        free(log.event);
    }
    return 0;
}
