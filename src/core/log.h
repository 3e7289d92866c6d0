/* The log and the trace: what every room may write to. */
#ifndef TSL_LOG_H
#define TSL_LOG_H

#include <stdbool.h>

#include "core/private.h"

/* log.c: TESELA_LOG=error|warn|info|debug writes to stderr; unset is silent */
typedef enum tsl_log_level { TSL_LOG_ERROR = 1, TSL_LOG_WARN, TSL_LOG_INFO, TSL_LOG_DEBUG } tsl_log_level;
TSL_PRIVATE void tsl_log(tsl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* trace.c: TESELA_TRACE=file.json; times in seconds of tsl_now() */
TSL_PRIVATE double tsl_now(void);
TSL_PRIVATE bool tsl_trace_on(void);
void tsl_trace_retain(void);  /* one more context; opens the file for the first */
void tsl_trace_release(void); /* closes it after the last */
TSL_PRIVATE void tsl_trace_event(const char *name, const char *category, int device, int track, double from, double to);

#endif
