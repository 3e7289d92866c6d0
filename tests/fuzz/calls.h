/* The routines whose results are judged by residuals, and the trial that draws one. Every row of core/ops.def is of one of them, of the steps of random programs (step.h),
 * or has no public call. */
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include "calls_band.h"
#include "calls_batch.h"
#include "calls_eig.h"
#include "calls_function.h"
#include "calls_geev.h"
#include "calls_svd.h"
#include "step.h"

static const routine routines[] = {
    {"sytrd", "sytrd ormtr orgtr", sytrd_call},
    {"sy2sb", "sy2sb ormtr_sy2sb", sy2sb_call},
    {"stedc", "stedc sterf steqr", stedc_call},
    {"stev", "stev", stev_call},
    {"syev", "syev", syev_call},
    {"sygst", "sygst", sygst_call},
    {"sygv", "sygv", sygv_call},
    {"gebrd", "gebrd orgbr", gebrd_call},
    {"ge2gb", "ge2gb", ge2gb_call},
    {"bdsdc", "bdsdc bdsqr", bdsdc_call},
    {"gesvd", "gesvd", gesvd_call},
    {"polar", "polar", polar_call},
    {"pinv", "pinv", pinv_call},
    {"geqrf", "geqrf ormqr orgqr", geqrf_call},
    {"gels", "gels gels_inc", gels_call},
    {"geqp3", "geqp3 geqp3_random", geqp3_call},
    {"gelsy", "gelsy gelsd", gelsy_call},
    {"geqrf_inc", "geqrf_inc ormqr_inc", geqrf_inc_call},
    {"sytrf", "sytrf sytrs sysv sytri", sytrf_call},
    {"incpiv", "gesv_incpiv getrf_incpiv getrs_incpiv", incpiv_call},
    {"laswp", "laswp", laswp_call},
    {"plu", "plu", plu_call},
    {"solve", "refine", solve_call},
    {"gecon", "gecon pocon sycon trcon", gecon_call},
    {"geequ", "geequ poequ", geequ_call},
    {"gesvx", "", gesvx_call},
    {"gerfs", "gerfs porfs trrfs", gerfs_call},
    {"expm", "expm", expm_call},
    {"sqrtm", "sqrtm logm", sqrtm_call},
    {"uddate", "uddate", uddate_call},
    {"gbmv", "gbmv", gbmv_call},
    {"sbmv", "sbmv hbmv spmv hpmv", sbmv_call},
    {"spr", "spr hpr spr2 hpr2", spr_call},
    {"tbmv", "tbmv tbsv tpmv tpsv", tbmv_call},
    {"rot", "rot rotm vcopy", rot_call},
    {"random", "random convert", random_call},
    {"batch", "", batch_call},
    {"gehrd", "gehrd", gehrd_call},
    {"hseqr", "hseqr", hseqr_call},
    {"geev", "geev", geev_call},
    {"gees", "gees", gees_call},
    {"sylvester", "trsyl sylvester lyapunov", sylvester_call},
};
enum { ROUTINES = sizeof routines / sizeof *routines };

static inline void call_trial(world *w, long of_routine[])
{
    int which = (int)below(w, ROUTINES);
    call c = {.w = w, .x = w->x, .t = w->t, .typed = chance(w, 3), .by = 1};
    const char *only = getenv("TESELA_TEST_ROUTINE"); /* one alone, to look for what it does wrong */
    for (int k = 0; only && k < ROUTINES; k++)
        if (!strcmp(only, routines[k].name)) which = k;
    snprintf(w->last, sizeof w->last, "%s", routines[which].name);
    of_routine[which]++;
    routines[which].draw(&c);
    call_end(&c);
}

#endif
