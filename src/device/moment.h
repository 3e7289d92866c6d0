/* Waits that end by themselves after a moment, so that who waits can look around. */
#ifndef TSL_MOMENT_H
#define TSL_MOMENT_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static inline bool tsl_moment_open(pthread_cond_t *news)
{
    pthread_condattr_t by;
    if (pthread_condattr_init(&by)) return false;
    bool good = !pthread_condattr_setclock(&by, CLOCK_MONOTONIC) && !pthread_cond_init(news, &by);
    pthread_condattr_destroy(&by);
    return good;
}

static inline struct timespec tsl_in_a_moment(void)
{
    enum { NS = 20000000, SECOND = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += NS;
    if (until.tv_nsec >= SECOND) until.tv_nsec -= SECOND, ++until.tv_sec;
    return until;
}

#endif
