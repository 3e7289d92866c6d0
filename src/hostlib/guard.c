/* The system gives a page to a process when it is first touched, and tells which pages it has given: a page that was only
 * mapped is there after a read, and not before. Nobody is disturbed by that, unlike by the signals of pages that may not be
 * read. */
#define _GNU_SOURCE
#include "hostlib/guard.h"

#include <sys/mman.h>
#include <unistd.h>

void tsl_hostlib_guard_arm(const host_guard *g)
{
    for (int i = 0; i < GUARDED; ++i) madvise(g->end[i], g->page, MADV_DONTNEED);
}

bool tsl_hostlib_guard_read(const host_guard *g)
{
    for (int i = 0; i < GUARDED; ++i) {
        unsigned char given = 1;
        if (mincore(g->end[i], g->page, &given) || given & 1) return true;
    }
    return false;
}

/* Does the system tell? */
static bool tells(const host_guard *g)
{
    bool before = tsl_hostlib_guard_read(g);
    (void)*(volatile char *)g->end[0];
    return !before && tsl_hostlib_guard_read(g);
}

bool tsl_hostlib_guard_open(host_guard *g)
{
    g->page = (size_t)sysconf(_SC_PAGESIZE);
    g->block = (GUARD_ROOM + g->page - 1) / g->page * g->page + g->page;
    g->map = mmap(NULL, GUARDED * g->block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED) return false;
    for (int i = 0; i < GUARDED; ++i) g->end[i] = g->map + (size_t)(i + 1) * g->block - g->page;
    if (tells(g)) return true;
    tsl_hostlib_guard_close(g);
    return false;
}

void tsl_hostlib_guard_close(host_guard *g) { munmap(g->map, GUARDED * g->block); }
