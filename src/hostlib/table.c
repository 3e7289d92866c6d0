/* Fills the tables of the host library's functions. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "hostlib/routines.h"

s_routines tsl_hostlib_s, tsl_hostlib_raw_s;
d_routines tsl_hostlib_d, tsl_hostlib_raw_d;
c_routines tsl_hostlib_c, tsl_hostlib_raw_c;
z_routines tsl_hostlib_z, tsl_hostlib_raw_z;

static const struct row {
    const char *symbol;
    void *mended, *raw;
    bool needed; /* by libtesela */
} rows[] = {
#define ROW(symbol, name, needed) {symbol, &PASTE3(tsl_hostlib_, P, ).name, &PASTE3(tsl_hostlib_raw_, P, ).name, needed},
#define BODY "hostlib/table.inc"
#include "core/types.inc"
#undef BODY
};
enum { ROWS = sizeof rows / sizeof *rows };

static char missing[3072];

/* Data and function pointers have one representation under POSIX; copying the bytes needs no cast between them. */
static void put(void *place, void *function) { memcpy(place, &function, sizeof function); }

void tsl_hostlib_find_raw(void)
{
    for (int i = 0; i < ROWS; ++i) put(rows[i].raw, tsl_hostlib_raw(rows[i].symbol));
}

const char *tsl_hostlib_lacks(void)
{
    for (int i = 0; i < ROWS; ++i)
        if (rows[i].needed && !tsl_hostlib_mended(rows[i].symbol, tsl_hostlib_raw(rows[i].symbol))) return rows[i].symbol;
    return NULL;
}

static void fill(void)
{
    if (!tsl_hostlib_open()) {
        snprintf(missing, sizeof missing, "no BLAS for the host (TESELA_HOST_BLAS names one); tried: %s", tsl_hostlib_tried());
        return;
    }
    for (int i = 0; i < ROWS; ++i) {
        void *function = tsl_hostlib_symbol(rows[i].symbol);
        put(rows[i].mended, function);
        if (!function && rows[i].needed && !*missing)
            snprintf(missing, sizeof missing, "the host's BLAS, %s, has no %s (TESELA_HOST_BLAS=BLAS:LAPACK names two libraries); tried: %s", tsl_hostlib_name(),
                     rows[i].symbol, tsl_hostlib_tried());
    }
}

const char *tsl_hostlib_fill(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
    return *missing ? missing : NULL;
}
