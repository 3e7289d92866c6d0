/* A line about work that takes long, for who watches a terminal: a thread asks the library how far it is and writes it over the
 * last one. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "bench/measure/measure.h"
#include "cli/cli.h"

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool running, ending;
    const char *command;
    tsl_context *ctx;
    double begin, before; /* when it began, and what had been done by then */
} watched = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const double FIRST = 0.5, STEP = 0.2; /* seconds: what ends before the first line needs none */

static void clock_text(double seconds, char text[32])
{
    long s = (long)(seconds + 0.5);
    if (s < 100)
        snprintf(text, 32, "%ld s", s);
    else if (s < 6000)
        snprintf(text, 32, "%ld:%02ld min", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

static void show(void)
{
    double done = 0, total = 0, seconds = bench_now() - watched.begin;
    char left[32];
    tsl_progress(watched.ctx, &done, &total);
    done -= watched.before;
    total -= watched.before;
    if (done > 0 && total > 0) {
        clock_text((total - done) * seconds / done, left);
        fprintf(stderr, "%s: %.0f %%, %.4g Gflop/s, %s left\033[K\r", watched.command, 100 * done / total, done / seconds * 1e-9, left);
    } else {
        clock_text(seconds, left);
        fprintf(stderr, "%s: %s\033[K\r", watched.command, left);
    }
}

static void *watch(void *unused)
{
    struct timespec until;
    double next = FIRST;
    (void)unused;
    pthread_mutex_lock(&watched.lock);
    while (!watched.ending) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(next * 1e9);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&watched.over, &watched.lock, &until) && !watched.ending)
            show();
        next = STEP;
    }
    pthread_mutex_unlock(&watched.lock);
    return unused;
}

void cli_progress_begin(const char *command, tsl_context *ctx)
{
    double total;
    if (!isatty(STDERR_FILENO) || tsl_progress(ctx, &watched.before, &total))
        return;
    watched.command = command;
    watched.ctx = ctx;
    watched.begin = bench_now();
    watched.ending = false;
    pthread_cond_init(&watched.over, NULL);
    watched.running = !pthread_create(&watched.thread, NULL, watch, NULL);
}

void cli_progress_end(void)
{
    if (!watched.running)
        return;
    pthread_mutex_lock(&watched.lock);
    watched.ending = true;
    pthread_cond_signal(&watched.over);
    pthread_mutex_unlock(&watched.lock);
    pthread_join(watched.thread, NULL);
    pthread_cond_destroy(&watched.over);
    watched.running = false;
    fputs("\033[K", stderr);
}
