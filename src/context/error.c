/* What went wrong, in one line: kept for the context, and for the thread that made the call. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "context/context.h"

tsl_status tsl_fail(tsl_context *x, tsl_status st, const char *format, ...)
{
    char line[TSL_DETAIL]; /* the arguments may be the line before */
    va_list args;
    va_start(args, format);
    tsl_vprint(line, sizeof line, format, args);
    va_end(args);
    strcpy(tsl_last_line(), line);
    if (x) strcpy(x->detail, line);
    tsl_log(TSL_LOG_INFO, "%s: %s", tsl_status_name(st), line);
    return st;
}

const char *tsl_error(tsl_context *x)
{
    static __thread char line[TSL_DETAIL]; /* the context may be destroyed, or fail again, before it is read */
    if (!x || tsl_enter(&x)) return tsl_last_line();
    strcpy(line, x->detail);
    tsl_leave(x, TSL_OK);
    return line;
}
