/* Arrays that stay on a device between calls. While one is kept every call is looked at: an operand inside it is taken from its
 * copy. Where the host library must compute, its operands are brought home first, and stay there: no library ever sees an old
 * copy. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compat/blas/blas.h"
#include "tesela_blas.h"

typedef struct kept {
    char *array;
    size_t bytes;
    tsl_matrix *host, *copy;
    bool home; /* the program's array is up to date, and the copy is gone */
    bool fetched; /* before the last fork */
    bool lost; /* the copy is the parent's, and could not be fetched before this process was forked */
    struct kept *next;
} kept;

static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;   /* one array at a time goes or comes */
/* shared by calls that compute on copies; taken inside the first */
static pthread_rwlock_t use = PTHREAD_RWLOCK_INITIALIZER;
/* the list; taken inside the others, and nothing is computed under it */
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static kept *all;
static int count; /* those that are not at home */

#define TESELA(name) ((__typeof__(&name))tsl_blas_tesela(#name))

bool tsl_blas_keeps(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED) > 0; }

/* Better no result than one of old numbers. */
static void end(const char *why)
{
    fprintf(stderr, "tesela error: an array that is kept on a device cannot be brought home: %s\n", why);
    abort();
}

static kept *holder(const void *p)
{
    kept *k = NULL;
    if (!tsl_blas_keeps()) return NULL;
    pthread_rwlock_rdlock(&lock);
    for (k = all; k && (k->home || (const char *)p < k->array || (const char *)p >= k->array + k->bytes);) k = k->next;
    pthread_rwlock_unlock(&lock);
    if (k && k->lost) end("it is the parent process's");
    return k;
}

/* What a leaf computes on is no array of the program's that is kept. It must not wait for a fork, which waits for it. */
bool tsl_blas_kept(const void *p) { return tsl_blas_keeps() && !tsl_blas_within() && holder(p) != NULL; }

void tsl_blas_begin_use(void) { pthread_rwlock_rdlock(&use); }
void tsl_blas_end_use(void) { pthread_rwlock_unlock(&use); }

void *tsl_blas_place(const void *p)
{
    const kept *k = holder(p);
    return k ? (char *)TESELA(tsl_matrix_data)(k->copy) + ((const char *)p - k->array) : (void *)p;
}

static tsl_status fetch(const kept *k)
{
    tsl_context *x = tsl_blas_context();
    return x ? TESELA(tsl_copy)(x, TESELA(tsl_whole)(k->copy), TESELA(tsl_whole)(k->host)) : TSL_ERR_NO_DEVICE;
}

static void drop_copy(kept *k)
{
    TESELA(tsl_matrix_free)(k->copy);
    TESELA(tsl_matrix_free)(k->host);
}

/* The one copy that is up to date goes only when it has been brought home, and nobody computes on it. Under `moving`. */
static tsl_status bring_home(kept *k)
{
    pthread_rwlock_wrlock(&use);
    tsl_status st = fetch(k);
    if (!st) {
        pthread_rwlock_wrlock(&lock);
        k->home = true;
        __atomic_store_n(&count, count - 1, __ATOMIC_RELAXED);
        pthread_rwlock_unlock(&lock);
        drop_copy(k);
    }
    pthread_rwlock_unlock(&use);
    if (!st) tsl_blas_settle();
    return st;
}

void tsl_blas_home(const void *p)
{
    if (!tsl_blas_kept(p)) return;
    pthread_mutex_lock(&moving);
    kept *k = holder(p);
    if (k && bring_home(k)) end(TESELA(tsl_error)(NULL));
    pthread_mutex_unlock(&moving);
}

/* Before a fork arrays are brought up to date, since the child has no way to the device; there they are kept no more. */
static void before_fork(void)
{
    pthread_mutex_lock(&moving);
    pthread_rwlock_wrlock(&use);
    for (kept *k = all; k; k = k->next) k->fetched = k->home || (!k->lost && !fetch(k));
    pthread_rwlock_wrlock(&lock);
}

static void in_parent(void)
{
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&use);
    pthread_mutex_unlock(&moving);
}

void tsl_blas_keep_left(void)
{
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_init(&use, NULL);
    pthread_mutex_init(&moving, NULL);
    count = 0;
    for (kept *k = all; k; k = k->next) {
        k->home = k->fetched;
        k->lost = !k->fetched;
        count += k->lost;
    }
}

/* After a context was made: handlers before a fork run from the last to the first, and libtesela's own, which lets nobody in,
 * is to be later. */
static void watch_forks(void) { (void)pthread_atfork(before_fork, in_parent, NULL); }

/* Off the list. Under `moving`. */
static void forget(kept *k)
{
    pthread_rwlock_wrlock(&lock);
    kept **at = &all;
    while (*at && *at != k) at = &(*at)->next;
    if (*at) *at = k->next;
    pthread_rwlock_unlock(&lock);
    free(k);
}

/* Bits, as numbers of single precision: a copy does not look at them. */
static tsl_status copy_in(tsl_context *x, kept *k)
{
    int64_t n = (int64_t)(k->bytes / sizeof(float));
    tsl_status st = TESELA(tsl_matrix_wrap)(x, TSL_S, n, 1, k->array, n, &k->host);
    if (!st) st = TESELA(tsl_matrix_create)(x, TSL_S, n, 1, &k->copy);
    if (!st) st = TESELA(tsl_copy)(x, TESELA(tsl_whole)(k->host), TESELA(tsl_whole)(k->copy));
    return st;
}

static int keep(tsl_context *x, void *array, size_t bytes)
{
    kept *k = calloc(1, sizeof *k);
    if (!k) return -1;
    k->array = array;
    k->bytes = bytes;
    if (copy_in(x, k)) {
        drop_copy(k);
        free(k);
        return -1;
    }
    pthread_rwlock_wrlock(&lock);
    k->next = all;
    all = k;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
    pthread_rwlock_unlock(&lock);
    tsl_blas_settle();
    return 0;
}

/* Arrays that are at home are no hindrance: nobody knows of them but who will release them. */
int tesela_blas_keep(void *array, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    tsl_context *x = array && bytes && bytes % sizeof(float) == 0 ? tsl_blas_context() : NULL;
    if (!x) return -1;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&moving);
    bool meets = false;
    kept *was = NULL;
    for (kept *k = all; k; k = k->next) {
        if (k->home && k->array == (char *)array) was = k;
        meets = meets || (!k->home && (char *)array < k->array + k->bytes && k->array < (char *)array + bytes);
    }
    int told = meets ? -1 : keep(x, array, bytes);
    if (!told && was) forget(was);
    pthread_mutex_unlock(&moving);
    return told;
}

int tesela_blas_release(void *array)
{
    pthread_mutex_lock(&moving);
    kept *k = all;
    while (k && k->array != (char *)array) k = k->next;
    int told = k && (k->home || !bring_home(k)) ? 0 : -1;
    if (!told) forget(k);
    pthread_mutex_unlock(&moving);
    return told;
}
