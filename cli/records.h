/* The file of `bench --json`: an array of records, whole JSON after each one. All that a program that is killed in the
 * midst of a write can leave out is the closing bracket. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "bench/measure/measure.h"

/* "-" is stdout. These return false after saying why. There is one such file at a time. */
bool cli_records_open(const char *name);
bool cli_records_add(bench_session *s, const bench_record *r);
bool cli_records_close(void);

#endif
