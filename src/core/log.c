/* TESELA_LOG: the one way to make the library speak on stderr. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

static const char *const names[] = {"", "error", "warn", "info", "debug"};

static int level_in_force(void)
{
    const char *want = getenv("TESELA_LOG");
    for (int l = TSL_LOG_ERROR; want && l <= TSL_LOG_DEBUG; ++l)
        if (!strcmp(want, names[l])) return l;
    return 0;
}

void tsl_log(tsl_log_level level, const char *format, ...)
{
    if ((int)level > level_in_force()) return;
    char line[512];
    va_list args;
    va_start(args, format);
    tsl_vprint(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "tesela %s: %s\n", names[level], line);
}
