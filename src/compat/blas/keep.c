/* Arrays that stay on a device between calls. While one is kept every call is looked at: an operand inside it is taken from its copy. */
#include <pthread.h>
#include <stdlib.h>

#include "compat/blas/blas.h"
#include "tesela_blas.h"

typedef struct kept {
    char *array;
    size_t bytes;
    tsl_matrix *host, *copy;
    struct kept *next;
} kept;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static kept *all;
static int count;

#define TESELA(name) ((__typeof__(&name))tsl_blas_tesela(#name))

bool tsl_blas_keeps(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED) > 0; }

static char *find(const void *p)
{
    char *at = NULL;
    if (!tsl_blas_keeps()) return NULL;
    pthread_rwlock_rdlock(&lock);
    for (const kept *k = all; k && !at; k = k->next)
        if ((const char *)p >= k->array && (const char *)p < k->array + k->bytes)
            at = (char *)TESELA(tsl_matrix_data)(k->copy) + ((const char *)p - k->array);
    pthread_rwlock_unlock(&lock);
    return at;
}

void *tsl_blas_place(const void *p)
{
    void *at = find(p);
    return at ? at : (void *)p;
}

bool tsl_blas_kept(const void *p) { return find(p) != NULL; }

/* Does some array that is kept share bytes with this one? */
static bool meets(const char *array, size_t bytes)
{
    bool yes = false;
    pthread_rwlock_rdlock(&lock);
    for (const kept *k = all; k && !yes; k = k->next) yes = array < (const char *)k->array + k->bytes && (const char *)k->array < array + bytes;
    pthread_rwlock_unlock(&lock);
    return yes;
}

static void forget(kept *k)
{
    TESELA(tsl_matrix_free)(k->copy);
    TESELA(tsl_matrix_free)(k->host);
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

int tesela_blas_keep(void *array, size_t bytes)
{
    tsl_context *x = array && bytes && bytes % sizeof(float) == 0 && !meets(array, bytes) ? tsl_blas_context() : NULL;
    kept *k = x ? calloc(1, sizeof *k) : NULL;
    if (!k) return -1;
    k->array = array;
    k->bytes = bytes;
    if (copy_in(x, k)) {
        forget(k);
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

static kept *of(const void *array)
{
    pthread_rwlock_rdlock(&lock);
    kept *k = all;
    while (k && k->array != array) k = k->next;
    pthread_rwlock_unlock(&lock);
    return k;
}

/* The one copy that is up to date goes only when it has been brought home; that is computing, and not done under the lock. */
int tesela_blas_release(void *array)
{
    kept *k = of(array);
    tsl_context *x = k ? tsl_blas_context() : NULL;
    if (!x || TESELA(tsl_copy)(x, TESELA(tsl_whole)(k->copy), TESELA(tsl_whole)(k->host))) return -1;
    pthread_rwlock_wrlock(&lock);
    for (kept **at = &all; *at; at = &(*at)->next)
        if (*at == k) {
            *at = k->next;
            __atomic_store_n(&count, count - 1, __ATOMIC_RELAXED);
            break;
        }
    pthread_rwlock_unlock(&lock);
    forget(k);
    tsl_blas_settle();
    return 0;
}
