/* Memory before pages that nobody has touched, to see whether a function reads past the end of its operands. */
#ifndef TSL_HOSTLIB_GUARD_H
#define TSL_HOSTLIB_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { GUARDED = 2, GUARD_ROOM = 4096 }; /* operands, and bytes of each */

typedef struct host_guard {
    char *map, *end[GUARDED]; /* where the pages after the operands begin */
    size_t page, block;       /* a block is room for an operand and the page after it */
} host_guard;

/* guard.c: False: there is no memory for it, or the system does not tell which pages were touched. */
bool tsl_hostlib_guard_open(host_guard *g);
void tsl_hostlib_guard_close(host_guard *g);
/* Makes the pages untouched again. Has one been read since? */
void tsl_hostlib_guard_arm(const host_guard *g);
bool tsl_hostlib_guard_read(const host_guard *g);

#endif
