/* Text that reads the same in every locale: the point in a number is a point, whatever the program's own language. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/log.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain;

static void find_plain(void) { plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

int tsl_vprint(char *text, size_t size, const char *format, va_list args)
{
    pthread_once(&once, find_plain);
    locale_t before = uselocale(plain); /* of this thread alone */
    int length = vsnprintf(text, size, format, args);
    uselocale(before);
    return length;
}

int tsl_print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = tsl_vprint(text, size, format, args);
    va_end(args);
    return length;
}

bool tsl_seconds(const char *text, double *seconds)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    pthread_once(&once, find_plain);
    locale_t before = uselocale(plain);
    double value = strtod(text, &end);
    uselocale(before);
    if (*end || !isfinite(value)) return false;
    *seconds = value;
    return true;
}

double tsl_deadline(void)
{
    const char *text = getenv("TESELA_DEADLINE");
    double seconds = 0;
    if (text && *text && !tsl_seconds(text, &seconds))
        tsl_ignored(TSL_SETTING_DEADLINE, "TESELA_DEADLINE=%s ignored: it must be a number of seconds; 0: none", text);
    return seconds;
}
