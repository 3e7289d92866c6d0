/* Which libraries are in use. */
#include <stdio.h>

#include "context/context.h"

static char text[1024];

static void compose(void)
{
    size_t at = 0;
    for (const tsl_backend *const *be = tsl_backends; *be; ++be) {
        char line[400];
        (*be)->libraries(line, sizeof line);
        int n = snprintf(text + at, sizeof text - at, "%s%s", at ? "\n" : "", line);
        if (n > 0 && at + (size_t)n < sizeof text) at += (size_t)n;
    }
#ifndef TSL_WITH_CUDA
    snprintf(text + at, sizeof text - at, "\nCUDA: not built in");
#endif
}

const char *tsl_libraries(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, compose);
    return text;
}
