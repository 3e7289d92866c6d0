/* Virtual host devices whose memory the host cannot touch, as it cannot a GPU's: pages that are open only while a task of such
 * a device runs. Whoever else reads or writes there ends the program. */
#ifndef FAR_H
#define FAR_H

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "context.h"
#include "device/device.h"

enum { FAR_BLOCKS = 4096 };
static struct { char *p; size_t bytes; } far_block[FAR_BLOCKS];
static int far_blocks, far_tasks; /* so many are at work */
static int far_devices;           /* the first ones of the context; others share the host's memory */
static pthread_mutex_t far_lock = PTHREAD_MUTEX_INITIALIZER;

static inline size_t far_pages(size_t bytes) { return (bytes + 4096) / 4096 * 4096; } /* a page more where a host library reads ahead */

static inline void far_open(int i, bool open) { mprotect(far_block[i].p, far_block[i].bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE); }

static inline void far_fence(bool begins)
{
    pthread_mutex_lock(&far_lock);
    bool turns = begins ? far_tasks++ == 0 : --far_tasks == 0;
    for (int i = 0; turns && i < far_blocks; i++) far_open(i, begins);
    pthread_mutex_unlock(&far_lock);
}

static inline void *far_alloc(void *user, int device, size_t bytes)
{
    if (device < 0 || device >= far_devices) return context_poisoned(user, device, bytes);
    void *p = mmap(NULL, far_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) return NULL;
    memset(p, 0xff, bytes);
    pthread_mutex_lock(&far_lock);
    bool fits = far_blocks < FAR_BLOCKS;
    if (fits) {
        far_block[far_blocks].p = p, far_block[far_blocks].bytes = far_pages(bytes);
        far_open(far_blocks++, far_tasks > 0);
    }
    pthread_mutex_unlock(&far_lock);
    if (!fits) munmap(p, far_pages(bytes));
    return fits ? p : NULL;
}

static inline void far_free(void *user, int device, void *p, size_t bytes)
{
    if (device < 0 || device >= far_devices) {
        context_free(user, device, p, bytes);
        return;
    }
    pthread_mutex_lock(&far_lock);
    int i = 0;
    while (i < far_blocks && far_block[i].p != p) i++;
    if (i < far_blocks) far_block[i] = far_block[--far_blocks];
    pthread_mutex_unlock(&far_lock);
    munmap(p, far_pages(bytes));
}

static inline void far_struck(int sig, siginfo_t *at, void *context)
{
    (void)sig, (void)context;
    static const char ours[] = "not ok 9999 - the host touched memory of a device\n", other[] = "not ok 9999 - SIGSEGV\n";
    bool found = false;
    for (int i = 0; i < far_blocks; i++) found |= (char *)at->si_addr >= far_block[i].p && (char *)at->si_addr < far_block[i].p + far_block[i].bytes;
    if (write(1, found ? ours : other, found ? sizeof ours - 1 : sizeof other - 1) < 0) _exit(3);
    _exit(1);
}

/* host:N, and what comes behind it; or GPUs, whose memory needs no fence */
static inline tsl_context *context_far(const char *devices)
{
    static const tsl_allocator guarded = {far_alloc, far_free, NULL};
    struct sigaction act = {.sa_sigaction = far_struck, .sa_flags = SA_SIGINFO};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    if (!strncmp(devices, "host", 4)) {
        sigaction(SIGSEGV, &act, NULL);
        tsl_host_fence = far_fence;
        far_devices = atoi(devices + 5); /* host:N */
        cfg.allocator = &guarded, cfg.workspace_limit = 1;
    }
    tsl_status st = tsl_context_create(&cfg, &x);
    if (st == TSL_ERR_NO_DEVICE) skip("%s: not here", devices);
    else ok(!st, "%s: context (%s)", devices, tsl_status_name(st));
    return x;
}

#endif
