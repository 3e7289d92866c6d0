/* How many threads the host library uses: each has functions of its own names for that. */
#include "hostlib/hostlib.h"

static int (*get)(void);
static void (*set)(int);
static int64_t (*get_long)(void); /* BLIS counts in 64 bits */
static void (*set_long)(int64_t);

static const char *const names[][2] = {
    {"openblas_get_num_threads", "openblas_set_num_threads"},
    {"flexiblas_get_num_threads", "flexiblas_set_num_threads"},
    {"MKL_Get_Max_Threads", "MKL_Set_Num_Threads"},
};

void tsl_hostlib_find_threads(void)
{
    get = NULL, set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(get && set); ++i) {
        get = (int (*)(void))tsl_hostlib_raw(names[i][0]);
        set = (void (*)(int))tsl_hostlib_raw(names[i][1]);
    }
    get_long = (int64_t (*)(void))tsl_hostlib_raw("bli_thread_get_num_threads");
    set_long = (void (*)(int64_t))tsl_hostlib_raw("bli_thread_set_num_threads");
}

int tsl_hostlib_threads(void)
{
    int64_t threads = get && set ? get() : get_long && set_long ? get_long() : 1;
    return threads > 1 ? (int)threads : 1; /* BLIS has -1 while nobody has asked for any */
}

void tsl_hostlib_set_threads(int count)
{
    if (get && set) set(count);
    else if (get_long && set_long) set_long(count);
}
