/* A TAP harness in one header: ok() per check, skip() for what cannot run here, tap_done() at the end. A program that skipped
 * all it has is itself skipped: exit status 77. scripts/run-tests lists what was skipped, and in CI says what may be. Not for
 * use by several threads at once: threads collect their outcome and the main thread reports it. */
#ifndef TAP_H
#define TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/numbers/largest.h"

/* The larger of two errors, of which NaN is the largest */
static inline double worse(double a, double b)
{
    double most = tsl_larger(a, b);
    return isnan(most) ? INFINITY : most;
}

static int tap_count, tap_failed, tap_skipped;
static int tap_group, tap_group_failed;

static inline void tap_line(const char *verdict, const char *fmt, va_list ap)
{
    printf("%s %d - ", verdict, ++tap_count);
    vprintf(fmt, ap);
    putchar('\n');
    fflush(stdout); /* a crash in the next check must not lose this line */
}

__attribute__((format(printf, 2, 3))) static inline void ok(int cond, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tap_failed += !cond;
    tap_line(cond ? "ok" : "not ok", fmt, ap);
    va_end(ap);
}

__attribute__((format(printf, 1, 2))) static inline void skip(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("ok %d # SKIP ", ++tap_count);
    vprintf(fmt, ap);
    putchar('\n');
    fflush(stdout);
    va_end(ap);
    tap_skipped++;
}

/* Many small checks behind one line of output: check() each, then checked() reports the group. The first few failures are
 * described; a group without any check fails, so that an empty loop cannot pass. */
__attribute__((format(printf, 2, 3))) static inline void check(int cond, const char *fmt, ...)
{
    tap_group++;
    if (cond || tap_group_failed++ >= 5) return;
    va_list ap;
    va_start(ap, fmt);
    printf("# ");
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
}

__attribute__((format(printf, 1, 2))) static inline void checked(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int good = tap_group > 0 && tap_group_failed == 0;
    tap_failed += !good;
    tap_line(good ? "ok" : "not ok", fmt, ap);
    va_end(ap);
    if (!good) printf("# %d of %d checks failed\n", tap_group_failed, tap_group);
    tap_group = tap_group_failed = 0;
}

/* The plan comes last because the number of checks depends on the devices present. */
static inline int tap_done(void)
{
    printf("1..%d\n", tap_count);
    tap_failed += tap_group_failed != 0; /* nobody has reported these */
    if (tap_failed) printf("# %d of %d failed\n", tap_failed, tap_count);
    if (tap_failed || tap_count == 0) return 1;
    return tap_skipped == tap_count ? 77 : 0;
}

#endif
