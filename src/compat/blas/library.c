/* The libraries underneath: the host's BLAS and LAPACK (hostlib), and libtesela. Neither is needed to load this one: the first
 * is opened by the first call, the second by the first large one. What the host library calls by its symbols, its LAPACK's
 * products and xerbla_, it finds in the program first: ours, and the program's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/blas.h"
#include "core/log.h"
#include "hostlib/hostlib.h"

static void *tesela;
static void (*tesela_forks)(tsl_fork_step step); /* under the lock of libraries */
static __thread bool tells; /* this thread, which forks, tells libtesela of it */

/* A fork waits until a library that another thread loads is whole: a child would find half of it, and cannot load the rest.
 * Where libtesela is loaded while a fork has begun, its own handlers are passed over in that fork: what they do is asked for
 * from here, in every fork. It waits for its calls, which may wait for a library: not under the lock. */
static void before_fork(void)
{
    tsl_hostlib_before_fork();
    tells = tsl_hostlib_held() && tesela_forks;
    if (!tells) return;
    tsl_hostlib_in_parent();
    tesela_forks(TSL_FORK_BEFORE);
    tsl_hostlib_before_fork();
}

static void in_parent(void)
{
    tsl_hostlib_in_parent();
    if (tells) tesela_forks(TSL_FORK_PARENT);
}

static void in_child(void)
{
    tsl_hostlib_in_child();
    if (tells) tesela_forks(TSL_FORK_CHILD);
}

__attribute__((constructor)) static void watch_forks(void) { (void)pthread_atfork(before_fork, in_parent, in_child); }

/* libtesela's host library counts in 32 bits: names that mean others in this program are not for it. */
#ifdef TSL_BLAS_64
enum { APART = RTLD_DEEPBIND };
#else
enum { APART = 0 };
#endif
static void open_tesela(void)
{
    tsl_hostlib_lock();
    tesela = dlopen(TSL_BLAS_LIBTESELA, RTLD_NOW | RTLD_LOCAL | APART);
    if (tesela) tesela_forks = (void (*)(tsl_fork_step))dlsym(tesela, "tsl_fork");
    tsl_hostlib_unlock();
}

void *tsl_blas_host(const char *symbol)
{
    void *found = tsl_hostlib_symbol(symbol);
    if (found) return tsl_blas_together(symbol, found);
    fprintf(stderr, "tesela error: no library has %s (TESELA_HOST_BLAS names one); tried %s\n", symbol, tsl_hostlib_tried());
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
