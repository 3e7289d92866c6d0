/* TESELA_LOG, the way to make the library speak on stderr; and what is told there unasked: a setting that cannot be followed,
 * once. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"

static const char *const names[] = {"none", "error", "warn", "info", "debug"};

/* The level TESELA_LOG names; `otherwise` if it names none. */
static int level_in_force(int otherwise)
{
    const char *want = getenv("TESELA_LOG");
    for (int l = 0; want && l <= TSL_LOG_DEBUG; ++l)
        if (!strcmp(want, names[l])) return l;
    return otherwise;
}

static void speak(tsl_log_level level, const char *format, va_list args)
{
    char line[512];
    tsl_vprint(line, sizeof line, format, args);
    fprintf(stderr, "tesela %s: %s\n", names[level], line);
}

void tsl_log(tsl_log_level level, const char *format, ...)
{
    if ((int)level > level_in_force(0)) return;
    va_list args;
    va_start(args, format);
    speak(level, format, args);
    va_end(args);
}

void tsl_ignored(tsl_setting which, const char *format, ...)
{
    static atomic_bool told[TSL_SETTINGS];
    const char *rank = tsl_rank();
    if (rank && strcmp(rank, "0")) return; /* one of those that were started together speaks for all */
    if (level_in_force(TSL_LOG_WARN) < TSL_LOG_WARN || atomic_exchange(&told[which], true)) return;
    va_list args;
    va_start(args, format);
    speak(TSL_LOG_WARN, format, args);
    va_end(args);
}

void tsl_log_check(void)
{
    const char *want = getenv("TESELA_LOG");
    if (want && *want && level_in_force(-1) < 0)
        tsl_ignored(TSL_SETTING_LOG, "TESELA_LOG=%s ignored: it must be none, error, warn, info or debug", want);
}

char *tsl_last_line(void)
{
    static _Thread_local char last[TSL_DETAIL];
    return last;
}
