/* Contexts for the caller: made, the default one, and their end. */
#include "api/enter.h"
#include "core/sized.h"
#include "runtime/runtime.h"
#include "tune/tune.h"

static tsl_status make(const tsl_config *cfg, tsl_context **out)
{
    tsl_context *x;
    tsl_library_start();
    tsl_status st = tsl_context_open(cfg, &x);
    if (st) return st;
    st = tsl_tune_open(x);
    if (st) {
        tsl_tune_close(x);
        return tsl_context_give_up(x, st);
    }
    tsl_exit_watch(x);
    tsl_alive(&x->handle, x);
    *out = x;
    return TSL_OK;
}

tsl_status tsl_context_create(const tsl_config *cfg, tsl_context **ctx)
{
    tsl_config c = tsl_config_default();
    tsl_log_check();
    if (!ctx) return tsl_fail(NULL, TSL_ERR_NULL, "context: no place for the result");
    *ctx = NULL;
    if (cfg && !tsl_take_sized(&c, sizeof c, cfg, cfg->size))
        return tsl_fail(NULL, TSL_ERR_SIZE, "context: a configuration of %zu bytes, must be from tsl_config_default (%zu) with no field of a later version set",
                        cfg->size, sizeof c);
    if (c.allocator && (!c.allocator->alloc || !c.allocator->free))
        return tsl_fail(NULL, TSL_ERR_NULL, "context: the allocator lacks alloc or free");
    tsl_trace_open();
    return make(&c, ctx);
}

tsl_status tsl_default_context(tsl_context **ctx)
{
    if (!ctx) return tsl_fail(NULL, TSL_ERR_NULL, "default_context: no place for the result");
    *ctx = tsl_default_there();
    if (*ctx) return TSL_OK;
    tsl_library_start();
    return tsl_default_get(ctx);
}

/* Calls in flight are waited for, later ones are refused. Its matrices may outlive it: then so does as much of it as their end
 * needs. */
static void end(tsl_context *x)
{
    /* inside: a function the caller gave us cannot end the call it is called by */
    if (tsl_is_inside(x) || !tsl_ends(&x->handle)) return;
    if (__atomic_exchange_n(&x->ending, true, __ATOMIC_ACQ_REL)) return; /* it ends with the program */
    tsl_busy_wait(x); /* whoever has found it holds it by then */
    tsl_enter_own(x);
    tsl_drain(x);
    tsl_matrix_orphan_all(x);
    tsl_runtime_close(x);
    tsl_tune_close(x);
    tsl_context_close(x);
    x->orphans = true;
    tsl_leave(x, TSL_OK);
    while (__atomic_load_n(&x->callers, __ATOMIC_ACQUIRE)) tsl_pause();
    pthread_mutex_lock(&x->lock);
    x->ended = true;
    bool needed = x->matrices;
    pthread_mutex_unlock(&x->lock);
    if (!needed) tsl_context_forget(x);
    (void)tsl_trace_flush();
}

void tsl_context_destroy(tsl_context *x)
{
    if (!x) return;
    if (x == tsl_default_there()) (void)tsl_wait(x); /* it is everybody's who passes NULL */
    else end(x);
}
