/* OpenBLAS's own threads. Its bits depend on how many it uses, and they would fight with the runtime's: while tasks run, in any
 * context of the process, it has one. */
#include <cblas.h>
#include <unistd.h>

#include "core/values.h"
#include "device/device.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, saved;

void tsl_blas_hold(void)
{
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        saved = openblas_get_num_threads();
        openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
}

void tsl_blas_let_go(void)
{
    pthread_mutex_lock(&lock);
    if (--users == 0) openblas_set_num_threads(saved);
    pthread_mutex_unlock(&lock);
}

int tsl_blas_cores(void)
{
    pthread_mutex_lock(&lock);
    int allowed = users ? saved : openblas_get_num_threads();
    pthread_mutex_unlock(&lock);
    return (int)tsl_max(1, tsl_min(sysconf(_SC_NPROCESSORS_ONLN), allowed));
}

/* The tasks that held it in the parent do not run in a child. */
void tsl_blas_fork(tsl_fork_step step)
{
    if (step == TSL_FORK_BEFORE) {
        pthread_mutex_lock(&lock);
        return;
    }
    if (step == TSL_FORK_CHILD && users) {
        users = 0;
        openblas_set_num_threads(saved);
    }
    pthread_mutex_unlock(&lock);
}

unsigned tsl_thread_slot(void)
{
    static unsigned threads;
    static _Thread_local unsigned own __attribute__((tls_model("initial-exec"))); /* 1 + the slot; 0: none yet */
    if (!own) own = 1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % TSL_COUNTERS;
    return own - 1;
}
