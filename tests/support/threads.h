/* How many threads this process has. One that was just joined may still be there for a moment: what counts is a number that
 * stays. */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include <dirent.h>
#include <time.h>

static inline int threads_now(void)
{
    int count = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));) count += e->d_name[0] != '.';
    if (d) closedir(d);
    return count;
}

static inline int threads(void)
{
    int count = threads_now();
    for (int same = 0, now; same < 10; count = now) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        now = threads_now();
        same = now == count ? same + 1 : 0;
    }
    return count;
}

#endif
