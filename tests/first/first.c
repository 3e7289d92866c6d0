/* A program that makes one call of the library, on the default context, and is linked with the static library: whichever object
 * the linker takes for it, what layers register must come along, and be registered when the call needs it. FIRST is one of
 * these calls. */
#include <pthread.h>
#include <stdio.h>

#include "tesela.h"

#define CALL_typed tsl_dpotrf(NULL, 'L', 2, a, 2, NULL)
#define CALL_number tsl_ddot(NULL, 2, a, 1, a, 1, &number)
#define CALL_large tsl_dgemm(NULL, 'N', 'N', 100, 100, 100, 1, large, 100, large, 100, 0, large + 10000, 100)
#define CALL_mixed tsl_dsgesv(NULL, 2, 1, a, 2, pivots, large, 2, x, 2, NULL, NULL)
#define CALL_threads together()
#define CALL_explain tsl_explain(NULL, "dpotrf", 100, 100, 100, text, sizeof text)
#define CALL_default tsl_default_context(&context)
#define CALL_create tsl_context_create(NULL, &context)
#define CALL_matrix tsl_matrix_create(NULL, TSL_D, 2, 2, &A)
#define CALL_wrap tsl_matrix_wrap(NULL, TSL_D, 2, 2, a, 2, &A)
#define CALL_tiled tsl_tiled_wrap(NULL, TSL_D, 2, 2, a, 2, 1, &A)
#define CALL_views (wrapped(), tsl_potrf(NULL, tsl_lower(tsl_whole(A)), NULL))
#define CALL_tiles (tiled(), tsl_potrf(NULL, tsl_lower(tsl_whole(A)), NULL))
#define CALL_set tsl_set(NULL, "path", "tiles")
#define CALL_begin tsl_begin(NULL)
#define CALL_wait tsl_wait(NULL)
#define CALL_info tsl_info(NULL, pivots)
#define CALL_timer tsl_timer_start(NULL)
#define CALL_counters tsl_counters_reset(NULL)
#define CALL_devices (tsl_device_count(NULL) > 0 ? TSL_OK : TSL_ERR_DEVICE)
#define CALL_progress tsl_progress(NULL, &number, &number)
#define CALL_cancel tsl_cancel(NULL)
#define CALL_tell tsl_on_progress(NULL, NULL, NULL)
#define CALL_tuning (*tsl_tuning(NULL) == 'n' ? TSL_ERR_DEVICE : TSL_OK) /* "no context could be made" */
/* an operation on views of nothing: refused, as there can be no matrix yet */
#define CALL_nothing (tsl_gemm(NULL, 1, none, none, 0, none) == TSL_ERR_CONTEXT ? TSL_OK : TSL_ERR_DEVICE)

static double a[4] = {4, 1, 1, 3}, x[2], large[20000], number;
static int64_t pivots[2];
static char text[2000];
static tsl_context *context;
static tsl_matrix *A;
static const tsl_view none;

#ifdef FIRST_IS_views
static void wrapped(void) { (void)tsl_matrix_wrap(NULL, TSL_D, 2, 2, a, 2, &A); }
#endif
#ifdef FIRST_IS_tiles
static void tiled(void) { (void)tsl_tiled_wrap(NULL, TSL_D, 2, 2, a, 2, 1, &A); }
#endif

#ifdef FIRST_IS_threads
static void *call(void *status)
{
    double own[4] = {4, 1, 1, 3};
    *(tsl_status *)status = tsl_dpotrf(NULL, 'L', 2, own, 2, NULL);
    return NULL;
}

/* Each of several threads may be the first. */
static tsl_status together(void)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    tsl_status each[THREADS] = {0}, worst = TSL_OK;
    int begun = 0;
    while (begun < THREADS && !pthread_create(&thread[begun], NULL, call, &each[begun])) ++begun;
    for (int i = 0; i < begun; ++i) {
        pthread_join(thread[i], NULL);
        if (each[i]) worst = each[i];
    }
    return begun ? worst : TSL_ERR_MEMORY;
}
#endif

int main(void)
{
    tsl_status st = FIRST;
    if (st) printf("%s: %s\n", tsl_status_name(st), tsl_error(NULL));
    (void)a, (void)x, (void)large, (void)number, (void)pivots, (void)text, (void)context, (void)A, (void)none;
    return st != TSL_OK;
}
