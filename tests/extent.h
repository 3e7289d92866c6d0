/* How much of a long test is run. */
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

/* Is the turn-th case run? In full each is; else one of `of`, the same ones in every run. */
static inline bool is_drawn(unsigned turn, unsigned of)
{
    unsigned h = (turn + 1) * 0x7feb352du;
    return in_full() || ((h ^ (h >> 15)) * 0x846ca68bu >> 16) % of == 0;
}

#endif
