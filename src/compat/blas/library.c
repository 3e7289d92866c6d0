/* The libraries underneath: the host's BLAS and LAPACK, and libtesela. Neither is needed to load this one: the first is opened by the first
 * call, the second by the first large one. The host library is opened by its own name, never by one that may be ours (libblas.so.3). What it
 * calls by its symbols, its LAPACK's products and xerbla_, it finds in the program first: ours, and the program's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compat/blas/blas.h"
#include "core/log.h"

enum { MOST = 8 };
static void *opened[MOST], *tesela;
static int count;
static char tried[512];

/* A fork waits until a library that another thread loads is whole: a child would find half of it, and cannot load the rest. Not for ever: before
 * version 2.36 of the C library whoever registers handlers of forks, as libraries do when they are loaded, waits for a fork that has begun. A
 * later one passes over these handlers in that fork: what libtesela's do is asked for from here, in every fork. */
enum { PATIENCE = 2 }; /* seconds */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static void (*tesela_forks)(tsl_fork_step step); /* under the lock */
static __thread struct {
    bool holds, tells; /* this thread, which forks, has the lock; and tells libtesela of it */
} fork_here;

static void hold(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    fork_here.holds = !pthread_mutex_timedlock(&loading, &until);
}

static void let_go(void)
{
    if (fork_here.holds) pthread_mutex_unlock(&loading);
}

/* libtesela waits for its calls, which may wait for a library: not under the lock. */
static void before_fork(void)
{
    hold();
    fork_here.tells = fork_here.holds && tesela_forks;
    if (!fork_here.tells) return;
    let_go();
    tesela_forks(TSL_FORK_BEFORE);
    hold();
}

static void in_parent(void)
{
    let_go();
    if (fork_here.tells) tesela_forks(TSL_FORK_PARENT);
}

static void in_child(void)
{
    pthread_mutex_init(&loading, NULL);
    if (fork_here.tells) tesela_forks(TSL_FORK_CHILD);
}

__attribute__((constructor)) static void watch_forks(void) { (void)pthread_atfork(before_fork, in_parent, in_child); }

static void *load(const char *name, int how)
{
    pthread_mutex_lock(&loading);
    void *handle = dlopen(name, how);
    pthread_mutex_unlock(&loading);
    return handle;
}

/* Is what the handle leads to this library itself? */
static bool is_this(void *handle)
{
    Dl_info here, there;
    void *symbol = dlsym(handle, "dgemm_");
    return symbol && dladdr(symbol, &there) && dladdr((void *)&tsl_blas_host, &here) && here.dli_fbase == there.dli_fbase;
}

static bool open_one(const char *name)
{
    void *handle = count < MOST ? load(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (handle && is_this(handle)) {
        dlclose(handle);
        handle = NULL;
    }
    strncat(tried, " ", sizeof tried - strlen(tried) - 1);
    strncat(tried, name, sizeof tried - strlen(tried) - 1);
    if (handle) opened[count++] = handle;
    return handle != NULL;
}

/* TESELA_HOST_BLAS: one library, or several with a colon between them, in which symbols are looked for in that order */
static bool open_named(const char *names)
{
    char name[1024];
    bool some = false;
    for (const char *at = names; *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ":"), at);
        if (*name) some |= open_one(name);
    }
    return some;
}

static void open_host(void)
{
#ifdef TSL_BLAS_64
    static const char *const usual[] = {"libopenblas64.so.0", "libopenblas64.so", "liblapack64.so.3", "libblas64.so.3"};
#else
    static const char *const usual[] = {TSL_BLAS_BUILT_WITH, "libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "libflexiblas.so.3",
                                        "libmkl_rt.so.2",    "libblis.so.4",     "liblapack.so.3", "libblas.so.3"};
#endif
    const char *asked = getenv("TESELA_HOST_BLAS");
    if (asked && *asked) {
        open_named(asked);
        return;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual && !count; ++i) open_one(usual[i]);
}

/* Its BLAS counts in 32 bits: names that mean others in this program are not for it. */
#ifdef TSL_BLAS_64
enum { APART = RTLD_DEEPBIND };
#else
enum { APART = 0 };
#endif
static void open_tesela(void)
{
    pthread_mutex_lock(&loading);
    tesela = dlopen(TSL_BLAS_LIBTESELA, RTLD_NOW | RTLD_LOCAL | APART);
    if (tesela) tesela_forks = (void (*)(tsl_fork_step))dlsym(tesela, "tsl_fork");
    pthread_mutex_unlock(&loading);
}

void *tsl_blas_host(const char *symbol)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *found = NULL;
    pthread_once(&once, open_host);
    for (int i = 0; i < count && !found; ++i) found = dlsym(opened[i], symbol);
    if (found) return tsl_blas_mended(symbol, found);
    fprintf(stderr, "tesela error: no library has %s (TESELA_HOST_BLAS names one); tried%s\n", symbol, tried);
    abort(); /* as ld.so ends a program whose symbol is not there */
}

void *tsl_blas_tesela(const char *symbol)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_tesela);
    return tesela ? dlsym(tesela, symbol) : NULL;
}

void *tsl_blas_loaded(const char *symbol)
{
    void *there = dlopen(TSL_BLAS_LIBTESELA, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD); /* and it stays: who asks keeps the symbol */
    return there ? dlsym(there, symbol) : NULL;
}

void tsl_blas_refuse(const char *name, int argument)
{
    char upper[16] = "";
    void (*xerbla)(const char *, const blas_int *, size_t) = (void (*)(const char *, const blas_int *, size_t))dlsym(RTLD_DEFAULT, "xerbla_");
    if (!xerbla) xerbla = (void (*)(const char *, const blas_int *, size_t))tsl_blas_host("xerbla_");
    for (int i = 0; name[i] && i < (int)sizeof upper - 1; ++i) upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 32) : name[i];
    xerbla(upper, &(blas_int){argument}, strlen(upper));
}
