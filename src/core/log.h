/* The log and the trace: what every room may write to. */
#ifndef TSL_LOG_H
#define TSL_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/private.h"

/* log.c: TESELA_LOG=none|error|warn|info|debug writes to stderr; unset is silent */
typedef enum tsl_log_level { TSL_LOG_ERROR = 1, TSL_LOG_WARN, TSL_LOG_INFO, TSL_LOG_DEBUG } tsl_log_level;
TSL_PRIVATE void tsl_log(tsl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* log.c: a warning that a setting of the user's environment is not followed, once in the life of a process and of several that
 * were started together, by the first. Told where TESELA_LOG is unset too. */
typedef enum tsl_setting {
    TSL_SETTING_LOG, TSL_SETTING_TUNE, TSL_SETTING_NCCL, TSL_SETTING_MESSAGE, TSL_SETTING_PASS, TSL_SETTING_OFFLOAD, TSL_SETTING_TILE,
    TSL_SETTING_DEVICES, TSL_SETTING_DEADLINE, TSL_SETTING_PANELS, TSL_SETTING_PARTS, TSL_SETTING_PRODUCTS, TSL_SETTING_NODE,
    TSL_SETTINGS
} tsl_setting;
TSL_PRIVATE void tsl_ignored(tsl_setting which, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tsl_log_check(void); /* is TESELA_LOG one of those? */

#define TSL_DETAIL 256
/* log.c: what went wrong last in a call of this thread, with a context or without: a line of at most TSL_DETAIL characters */
char *tsl_last_line(void);

/* trace.c: the process's number among those that were started together, as launchers tell it; NULL: it was started alone */
const char *tsl_rank(void);

/* text.c: snprintf and vsnprintf as in the C locale. All numbers the library writes go through them. */
int tsl_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int tsl_vprint(char *text, size_t size, const char *format, va_list args);
/* text.c: a time, 0 or more, with a point in every locale; false: it is none */
bool tsl_seconds(const char *text, double *seconds);
TSL_PRIVATE double tsl_deadline(void); /* text.c: TESELA_DEADLINE; 0: none */

/* trace.c: TESELA_TRACE=file.json; times in seconds of tsl_now() */
double tsl_now(void);
bool tsl_trace_on(void);
void tsl_trace_open(void);                 /* before a context is made: opens the file, if that is wanted and not done */
/* a device was opened: its number among all of the process, by which events name it */
int tsl_trace_device(const char *text);
void tsl_trace_lane(int device, int track, const char *text); /* what the device's row of this number shows */
void tsl_trace_event(const char *name, const char *category, int device, int track, double from, double to);

/* Around a fork every lock of the process as a whole is taken, and given back in both (context/alive.c). */
typedef enum tsl_fork_step { TSL_FORK_BEFORE, TSL_FORK_PARENT, TSL_FORK_CHILD } tsl_fork_step;
void tsl_trace_fork(tsl_fork_step step); /* trace.c */

#endif
