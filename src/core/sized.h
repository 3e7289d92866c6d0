/* Structs of callers that were compiled with another version of tesela.h: shorter ones lack the last fields, longer ones have
 * fields that are not known here. */
#ifndef TSL_CORE_SIZED_H
#define TSL_CORE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TSL_LATER = 4096 }; /* no later version's struct is larger than this one's by more: such a size is not one */

/* An argument of `size` bytes into one of `known`, whose fields have their default values. False: that is no size, or a field
 * that is not known here is set. */
static inline bool tsl_take_sized(void *to, size_t known, const void *from, size_t size)
{
    const char *bytes = (const char *)from;
    if (size > known + TSL_LATER) return false;
    for (size_t i = known; i < size; ++i)
        if (bytes[i]) return false;
    memcpy(to, from, size < known ? size : known);
    return size > 0;
}

/* A result of `known` bytes into one of `size`. */
static inline void tsl_give_sized(void *to, size_t size, const void *from, size_t known)
{
    memcpy(to, from, size < known ? size : known);
    if (size > known) memset((char *)to + known, 0, size - known);
}

#endif
