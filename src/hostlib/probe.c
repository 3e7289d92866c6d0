/* Finds out what the host library does wrong (defects.h), once, by calls of a few elements: some tenths of a millisecond. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hostlib/defects.h"
#include "hostlib/guard.h"
#include "hostlib/routines.h"

enum { MOST_SUMMED = 70, MOST_MEASURED = 18, HARD_VECTORS = 3, MOST_READ = 9, MOST_SCALED = 20, PRODUCT = 8, PLACES = 11, SEVERAL = 16 };

static const host_int zero = 0, one = 1, two = 2, three = 3, minus_one = -1, eight = PRODUCT, places = PLACES;

#define FN(name) PASTE3(probe_, P, _##name)
#define RAW(name) PASTE3(tsl_hostlib_raw_, P, ).name
#define BODY "hostlib/probe.inc"
#include "core/types.inc"
#undef BODY

/* OpenBLAS with threads of its own, or of OpenMP; which of its functions use them for a few elements cannot be seen from
 * outside. */
static bool has_pool(void)
{
    int (*kind)(void) = (int (*)(void))tsl_hostlib_of_first("openblas_get_parallel");
    return kind && kind() != 0;
}

/* "dot(cz)": a family and the types it concerns */
static void tell(char *text, size_t size, const char *family, const bool wrong[4])
{
    size_t at = strlen(text);
    char types[5] = "", *end = types;
    for (int t = 0; t < 4; ++t)
        if (wrong[t]) *end++ = "sdcz"[t];
    if (*types) snprintf(text + at, size - at, "%s%s(%s)", at ? " " : "", family, types);
}

void tsl_hostlib_probe(char *text, size_t size)
{
    host_guard g;
    bool guarded = tsl_hostlib_guard_open(&g);
    memset(tsl_hostlib_wrong, 0, sizeof tsl_hostlib_wrong);
    probe_s_all(&tsl_hostlib_wrong[TSL_S], guarded ? &g : NULL);
    probe_d_all(&tsl_hostlib_wrong[TSL_D], guarded ? &g : NULL);
    probe_c_all(&tsl_hostlib_wrong[TSL_C], guarded ? &g : NULL);
    probe_z_all(&tsl_hostlib_wrong[TSL_Z], guarded ? &g : NULL);
    if (guarded) tsl_hostlib_guard_close(&g);
    for (int t = 0; t < 4; ++t) tsl_hostlib_wrong[t].threads = has_pool();
    tsl_hostlib_mend_inside();
    *text = 0;
#define DEFECT(name)                                                                                                  \
    tell(text, size, #name, (bool[4]){tsl_hostlib_wrong[0].name, tsl_hostlib_wrong[1].name, tsl_hostlib_wrong[2].name, \
                                      tsl_hostlib_wrong[3].name});
    HOSTLIB_DEFECTS
#undef DEFECT
    tell(text, size, "not mended: norms", (bool[4]){probe_s_norms_again(), probe_d_norms_again(), probe_c_norms_again(), probe_z_norms_again()});
}
