/* The default context, which everybody has who passes NULL. */
#include "context/context.h"

tsl_context *tsl_the_default;
tsl_status (*tsl_make_default)(tsl_context **ctx);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of its making; once there it is read without */
static __thread bool making; /* this thread has the lock: what it calls may fork, as a driver that runs a program */

/* A child makes one of its own, when it needs it. */
void tsl_default_fork(tsl_fork_step step)
{
    if (making) return;
    if (step == TSL_FORK_BEFORE) {
        pthread_mutex_lock(&lock);
        return;
    }
    if (step == TSL_FORK_CHILD) tsl_the_default = NULL;
    pthread_mutex_unlock(&lock);
}

tsl_status tsl_default_get(tsl_context **ctx)
{
    tsl_status st = TSL_OK;
    tsl_context *x = tsl_default_there();
    if (!x) {
        pthread_mutex_lock(&lock);
        making = true;
        x = tsl_the_default; /* another thread may have made it meanwhile */
        if (!x && !tsl_make_default) st = tsl_fail(NULL, TSL_ERR_CONTEXT, "there is no context as yet, and so no matrix");
        else if (!x) st = tsl_make_default(&x);
        if (!st) __atomic_store_n(&tsl_the_default, x, __ATOMIC_RELEASE);
        making = false;
        pthread_mutex_unlock(&lock);
    }
    *ctx = x;
    return st;
}
