/* Where a call goes, and why; the context it goes to. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/blas/blas.h"
#include "api/pays.h"
#include "core/log.h"
#include "exec/exec.h"

enum { USUAL_LEAST = 256 }; /* the order of a product below which nobody is asked */
enum { FAILED = 10000 };    /* info of a call that failed: -FAILED - status; LAPACK's own are above that */

double tsl_blas_least[BLAS_CLASSES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double least[BLAS_CLASSES]; /* what tsl_blas_least is while nothing else asks to see all calls */
static bool told_least, speaks, settled;
static tsl_context *context;
static bool without; /* there is no context to be had */
static bool making;  /* one is being made, and what its threads call is the host library's */
/* calls of this thread that are with Tesela: what comes back from there is the host library's */
static _Thread_local int inside;

#define TESELA(name) ((__typeof__(&name))tsl_blas_tesela(#name))

static void ignored(tsl_setting which, const char *name, const char *text, const char *why)
{
    __typeof__(&tsl_ignored) tell = TESELA(tsl_ignored);
    if (tell) tell(which, "%s=%s ignored: %s", name, text, why);
}

/* TESELA_OFFLOAD_MIN is the order of a product; its cube is what sizes are compared with. Vectors, and a matrix with a vector,
 * go to Tesela only if everything does: copying them to a device takes longer than to compute with them. */
static void read_settings(void)
{
    const char *text = getenv("TESELA_OFFLOAD_MIN"), *log = getenv("TESELA_LOG");
    char *end = NULL;
    double asked = text && *text ? strtod(text, &end) : 0, order = USUAL_LEAST;
    told_least = end && !*end && asked >= 0;
    if (text && *text && !told_least) ignored(TSL_SETTING_OFFLOAD, "TESELA_OFFLOAD_MIN", text, "it is no order of a matrix");
    if (told_least) order = asked;
    least[LEVEL3] = least[FACTOR] = order * order * order;
    least[VECTORS] = least[MATRICES] = order > 0 ? INFINITY : 0;
    speaks = log && (!strcmp(log, "info") || !strcmp(log, "debug"));
}

/* A child begins anew, whatever another thread of its parent was about to do here, and makes a context of its own. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    context = NULL;
    without = making = settled = false;
    for (int i = 0; i < BLAS_CLASSES; ++i) tsl_blas_least[i] = 0;
    tsl_blas_keep_left();
}

/* Before anybody takes a lock: a fork that began earlier would leave it taken in the child. */
__attribute__((constructor)) static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, in_child); }

/* Under the lock */
static void settle(void)
{
    if (!settled) read_settings();
    __atomic_store_n(&settled, true, __ATOMIC_RELEASE);
    bool sees_all = speaks || tsl_blas_keeps();
    for (int i = 0; i < BLAS_CLASSES; ++i) {
        double value = sees_all ? 0 : least[i];
        __atomic_store(&tsl_blas_least[i], &value, __ATOMIC_RELAXED);
    }
}

void tsl_blas_settle(void)
{
    pthread_mutex_lock(&lock);
    settle();
    pthread_mutex_unlock(&lock);
}

static void set_tile(void)
{
    const char *text = getenv("TESELA_TILE");
    if (text && *text && TESELA(tsl_set)(context, "tile", text))
        ignored(TSL_SETTING_TILE, "TESELA_TILE", text, "it is no size of a tile");
}

/* Where the host's cores are all there is, products are as fast in the host library. Only factorizations may gain by tiles. */
static void see_devices(void)
{
    tsl_device_info d;
    if (told_least || TESELA(tsl_device_query_sized)(context, 0, &d, sizeof d) || strcmp(d.backend, "host")) return;
    least[LEVEL3] = INFINITY;
    settle();
}

static void make_context(void)
{
    const char *devices = getenv("TESELA_DEVICES");
    if (!tsl_blas_tesela("tsl_context_create") || TESELA(tsl_context_create)(NULL, &context)) context = NULL;
    without = !context;
    if (!context && devices && *devices && tsl_blas_tesela("tsl_error"))
        ignored(TSL_SETTING_DEVICES, "TESELA_DEVICES", devices, TESELA(tsl_error)(NULL));
    if (!context) return;
    set_tile();
    see_devices();
}

tsl_context *tsl_blas_context(void)
{
    pthread_mutex_lock(&lock);
    inside++;
    if (!settled) settle();
    if (!context && !without) {
        __atomic_store_n(&making, true, __ATOMIC_RELAXED);
        make_context();
        __atomic_store_n(&making, false, __ATOMIC_RELAXED);
    }
    tsl_context *made = context;
    inside--;
    pthread_mutex_unlock(&lock);
    return made;
}

static void say(const blas_call *c, tsl_log_level level, const char *where, const char *why)
{
    if (!speaks && level != TSL_LOG_ERROR) return;
    __typeof__(&tsl_log) log = TESELA(tsl_log);
    inside++;
    if (log)
        log(level, "%s (%lld x %lld x %lld): %s: %s", c->name, (long long)c->size[0], (long long)c->size[1], (long long)c->size[2], where, why);
    inside--;
}

static bool to_host(const blas_call *c, const char *why)
{
    say(c, TSL_LOG_INFO, "host library", why);
    return false;
}

bool tsl_blas_within(void)
{
    static bool (*in_leaf)(void);
    if (inside) return true;
    __typeof__(in_leaf) ask = __atomic_load_n(&in_leaf, __ATOMIC_RELAXED);
    if (!ask) __atomic_store_n(&in_leaf, ask = (__typeof__(in_leaf))tsl_blas_loaded("tsl_in_leaf"), __ATOMIC_RELAXED);
    return ask && ask();
}

bool tsl_blas_open(blas_call *c, void **fn)
{
    const char *why = "the setting TESELA_OFFLOAD_MIN says so";
    char symbol[32];
    if (__atomic_load_n(&making, __ATOMIC_RELAXED) || tsl_blas_within()) return false;
    if (!__atomic_load_n(&settled, __ATOMIC_ACQUIRE)) tsl_blas_settle();
    if (c->asks) return to_host(c, "its workspace is asked for, or short, or LAPACK has an answer of its own");
    if (!c->kept && !c->is_long && !(c->work >= least[c->class])) {
        bool vectors = c->class == VECTORS || c->class == MATRICES;
        return to_host(c, vectors ? "it moves as much as it computes" : least[c->class] < INFINITY ? "it is small" : "there is no other device");
    }
    if (!(c->ctx = tsl_blas_context())) return to_host(c, "no device of Tesela's can be used");
    snprintf(symbol, sizeof symbol, "tsl_%s", c->name);
    if (!__atomic_load_n(fn, __ATOMIC_RELAXED)) __atomic_store_n(fn, tsl_blas_tesela(symbol), __ATOMIC_RELAXED);
    c->fn = __atomic_load_n(fn, __ATOMIC_RELAXED);
    inside++;
    bool ours = c->fn && (c->kept || c->is_long || told_least || TESELA(tsl_pays)(c->ctx, c->one, c->size[0], c->size[1], c->size[2], &why));
    inside--;
    if (!ours) return to_host(c, c->fn ? why : "Tesela does not have it");
    say(c, TSL_LOG_INFO, "Tesela", c->kept ? "an operand is kept on a device" : c->is_long ? "its sizes need 64 bits" : why);
    inside++;
    if (c->kept) tsl_blas_begin_use();
    c->computes = TESELA(tsl_computes)();
    *c->computes = false;
    return true;
}

/* Refused before anything was computed */
static bool is_refusal(tsl_status st)
{
    return st == TSL_ERR_NULL || st == TSL_ERR_FLAG || st == TSL_ERR_SIZE || st == TSL_ERR_LD || st == TSL_ERR_OVERFLOW || st == TSL_ERR_NO_DEVICE ||
           st == TSL_ERR_PROCESS || st == TSL_ERR_OVERLAP || st == TSL_ERR_OPTION || st == TSL_ERR_LAYOUT || st == TSL_ERR_CONTEXT;
}

static bool about_memory(tsl_status st) { return st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY; }

/* An estimate that is no number: LAPACK's functions tell it by rcond, by info, or by both, as their version has it. Nothing was
 * changed. */
static bool is_no_estimate(const blas_call *c, const int64_t *info) { return info && *info > 0 && !strcmp(c->name + 3, "con"); }

/* Another library may compute what nobody has begun. A factorization in its middle is neither the matrix nor its factors. */
bool tsl_blas_close(blas_call *c, tsl_status st, int64_t *info)
{
    const char *why = c->lacks ? "no memory for its row numbers" : TESELA(tsl_error)(NULL);
    /* the program has ended: nobody computes any more, the host library neither */
    bool ends = st == TSL_ERR_CONTEXT && *c->computes;
    bool untouched = st != TSL_OK && !ends && (c->lacks || is_refusal(st) || (about_memory(st) && !*c->computes));
    inside--;
    if (c->kept) tsl_blas_end_use();
    if (st == TSL_OK && is_no_estimate(c, info)) return to_host(c, "the estimate is no number");
    if (st == TSL_OK) return true;
    if (st == TSL_ERR_PIVOT && (!info || *info < 0)) { /* the host library would exchange rows that are not there */
        enum { IPIV = 6 }; /* of the one that has no info */
        tsl_blas_refuse(c->name, info ? (int)-*info : IPIV);
        return true;
    }
    if (untouched) return to_host(c, why);
    if (ends) tsl_blas_stop();
    say(c, TSL_LOG_ERROR, "failed", why);
    if (info) *info = -FAILED - (int64_t)st;
    if (info) return true;
    fprintf(stderr, "tesela error: %s failed, and has no way to say so: %s\n", c->name, why);
    abort();
}

bool tsl_blas_has_nan(size_t size, const void *a, int64_t rows, int64_t cols, int64_t ld)
{
    bool found = false;
    if (ld < rows || tsl_blas_kept(a)) return false;
    for (int64_t j = 0; j < cols && !found; ++j)
        for (int64_t i = j * ld; i < j * ld + rows; ++i)
            found |= size == sizeof(double) ? isnan(((const double *)a)[i]) : isnan(((const float *)a)[i]);
    return found;
}

int64_t *tsl_blas_rows(blas_call *c, const void *rows, int64_t count, bool wide, bool read)
{
    if (wide) return (int64_t *)rows;
    int64_t *to = malloc((size_t)MORE(1, count) * sizeof *to);
    if (!to) c->lacks = true;
    for (int64_t i = 0; to && read && i < count; ++i) to[i] = ((const int *)rows)[i];
    return to;
}

void tsl_blas_rows_back(int64_t *from, void *rows, int64_t count, bool wide, bool written)
{
    if (wide || from == rows) return;
    for (int64_t i = 0; written && i < count; ++i) ((int *)rows)[i] = (int)from[i];
    free(from);
}

void tsl_blas_whole(void *x, int64_t best, bool wide)
{
    if (wide) *(int64_t *)x = best;
    else *(int *)x = (int)best;
}
