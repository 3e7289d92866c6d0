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

#endif
