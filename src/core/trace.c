/* TESELA_TRACE=file.json: Chrome trace events (also read by Perfetto) of all contexts of the process, in one file.
 * The file is a complete JSON array whenever no context is open. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/core.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static atomic_bool on;
static int contexts;
static bool forked;
static bool started; /* a later context of the process appends */
static const char *separator = "\n";

double tsl_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool tsl_trace_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }

void tsl_trace_retain(void)
{
    pthread_mutex_lock(&lock);
    const char *name = getenv("TESELA_TRACE");
    if (contexts++ == 0 && name && *name && !forked) {
        file = fopen(name, started ? "r+" : "w");
        if (!file) tsl_log(TSL_LOG_WARN, "cannot write the trace %s", name);
        else if (!started) fputs("[", file);
        else fseek(file, -2, SEEK_END); /* over the closing bracket */
        started = started || file;
        atomic_store(&on, file != NULL);
    }
    pthread_mutex_unlock(&lock);
}

void tsl_trace_release(void)
{
    pthread_mutex_lock(&lock);
    if (--contexts == 0 && file) {
        atomic_store(&on, false);
        fputs("]\n", file);
        fclose(file);
        file = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* The file is the parent's: what has been written to it so far leaves before a child could write it again, and a child has no trace. */
void tsl_trace_fork(tsl_fork_step step)
{
    if (step == TSL_FORK_BEFORE) {
        pthread_mutex_lock(&lock);
        if (file) fflush(file);
        return;
    }
    if (step == TSL_FORK_CHILD) {
        forked = true;
        contexts = 0;
        file = NULL;
        atomic_store(&on, false);
    }
    pthread_mutex_unlock(&lock);
}

void tsl_trace_event(const char *name, const char *category, int device, int track, double from, double to)
{
    pthread_mutex_lock(&lock);
    if (file) {
        fprintf(file, "%s{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f}", separator, name,
                category, device, track, from * 1e6, (to - from) * 1e6);
        separator = ",\n";
    }
    pthread_mutex_unlock(&lock);
}
