/* How much of a long test is run, and what is drawn for it. */
#ifndef EXTENT_H
#define EXTENT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Is all of it asked for (make test-all)? Else long tests draw a part of their cases, another one of each type and routine. */
static inline bool in_full(void)
{
    const char *asked = getenv("TESELA_TEST_ALL");
    return asked && !strcmp(asked, "1");
}

/* Is only what depends on the processor asked for, once (scripts/check-cross, by an emulator)? On the host alone, as the
 * library chooses. */
static inline bool in_short(void)
{
    const char *asked = getenv("TESELA_TEST_SHORT");
    return asked && !strcmp(asked, "1");
}

/* Of the types s, d, c and z such a run leaves two out: d and c where turn is even, else s and z. */
static inline bool is_left_out(int type, int turn) { return in_short() && (type ^ type >> 1 ^ turn) & 1; }

/* A number that looks random, the same in every run: a hash of h */
static inline unsigned drawn_by(unsigned h)
{
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

/* Is the turn-th case run? In full each is; else about one of `of`. */
static inline bool is_drawn(unsigned turn, unsigned of) { return in_full() || drawn_by(turn + 1) % of == 0; }

#endif
