/* Opens the host library: by its own name, never by one that may be ours (libblas.so.3). */
#define _GNU_SOURCE
#include "hostlib/routines.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8, PATIENCE = 2 /* seconds */ };

/* How a build of OpenBLAS names its functions: those in the wheels of NumPy and SciPy have a prefix, those with integers of 64
 * bits a suffix. */
static const struct affix {
    const char *before, *after;
} affixes[] = {{"", ""}, {"scipy_", ""}, {"", "64_"}, {"scipy_", "64_"}};
enum { AFFIXES = sizeof affixes / sizeof *affixes };

static struct library {
    void *handle;
    const struct affix *affix;
} opened[MOST];
static int count;
static bool apart; /* its functions call its own, not those of the program */
bool tsl_hostlib_integers_are_wide;
static char tried[2048], name[256], mends[512];

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static __thread bool holds; /* this thread forks, and has the lock */
/* this thread opens and probes the library, whose functions may call others by the names that libtesela_blas has */
static __thread bool opening;

void tsl_hostlib_lock(void) { pthread_mutex_lock(&loading); }
void tsl_hostlib_unlock(void) { pthread_mutex_unlock(&loading); }

void tsl_hostlib_before_fork(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    holds = !pthread_mutex_timedlock(&loading, &until);
}

void tsl_hostlib_in_parent(void)
{
    if (holds) pthread_mutex_unlock(&loading);
}

bool tsl_hostlib_held(void) { return holds; }
void tsl_hostlib_in_child(void) { pthread_mutex_init(&loading, NULL); }

enum { NAME = 64 };

static void name_of(const struct library *l, const char *symbol, char full[NAME]) { snprintf(full, NAME, "%s%s%s", l->affix->before, symbol, l->affix->after); }

static void *find(const struct library *l, const char *symbol)
{
    char full[NAME];
    name_of(l, symbol, full);
    return dlsym(l->handle, full);
}

void *tsl_hostlib_of_first(const char *symbol) { return count ? find(&opened[0], symbol) : NULL; }

void *tsl_hostlib_raw(const char *symbol)
{
    void *found = NULL;
    for (int i = 0; i < count && !found; ++i) found = find(&opened[i], symbol);
    return found;
}

/* Another's: libtesela_blas has all the names, and passes on what it does not compute. */
void tsl_hostlib_redirect_calls(const char *of, const char *symbol, void *function, bool from_others)
{
    char full[NAME];
    for (int i = 0; i < count; ++i) {
        void *inside = find(&opened[i], of), *own = find(&opened[i], symbol);
        name_of(&opened[i], symbol, full);
        void *first = dlsym(RTLD_DEFAULT, full);
        if (inside && (from_others || !first || first == own)) tsl_hostlib_redirect(inside, full, function);
    }
}

/* Of the first one's affix: others have their LAPACK from it, or are the reference's */
bool tsl_hostlib_calls_tesela(void)
{
    char full[NAME];
    Dl_info ours, first;
    void *keep = dlsym(RTLD_DEFAULT, "tesela_blas_keep");
    if (apart || !keep || !count) return false;
    name_of(&opened[0], "dnrm2_", full);
    void *norm = dlsym(RTLD_DEFAULT, full);
    return norm && dladdr(norm, &first) && dladdr(keep, &ours) && first.dli_fbase == ours.dli_fbase;
}

/* A 32-bit integer is 1 in this number, a 64-bit one is negative: no element. */
static bool has_wide_integers(void *asum)
{
    const double x = 1;
    const int64_t n = (int64_t)0xffffffff00000001, one = 1;
    return ((double (*)(const int64_t *, const double *, const int64_t *))asum)(&n, &x, &one) == 0;
}

static void remember(const char *what, const char *why)
{
    size_t at = strlen(tried);
    snprintf(tried + at, sizeof tried - at, "%s%s%s%s%s", at ? " " : "", what, why ? " (" : "", why ? why : "", why ? ")" : "");
}

/* Why a library that is there is of no use; NULL: it is */
static const char *unusable(struct library *l)
{
    if (dlsym(l->handle, "tesela_blas_keep")) return "it is Tesela's own";
    for (l->affix = affixes; l->affix < affixes + AFFIXES && !find(l, "dasum_"); ++l->affix) continue;
    if (l->affix == affixes + AFFIXES) {
        l->affix = affixes;
        return count ? NULL : "it has no BLAS"; /* a LAPACK may stand after a BLAS */
    }
    bool is_wide = has_wide_integers(find(l, "dasum_"));
    if (sizeof(host_int) == sizeof(int) && is_wide) return "its integers have 64 bits";
#ifdef TSL_HOSTLIB_64
    if (!is_wide) return "its integers have 32 bits";
#endif
    if (count && is_wide != tsl_hostlib_wide()) return "its integers are not those of the first";
    tsl_hostlib_integers_are_wide = is_wide;
    return NULL;
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ /* which do not allow it */
enum { APART = 0 };
#else
enum { APART = RTLD_DEEPBIND };
#endif

/* A library that is loaded finds the program's symbols before its own. Two builds of OpenBLAS, one with threads and one
 * without, have the same ones inside. libtesela's has LAPACK too, which calls BLAS by names whose integers may be others in
 * this program; those of libtesela_blas, which has both, are good. */
static bool meets_others(void)
{
    if (dlsym(RTLD_DEFAULT, "blas_memory_alloc")) return true;
#if defined TSL_HOSTLIB_32 || defined TSL_HOSTLIB_64
    return false;
#else
    return dlsym(RTLD_DEFAULT, "dgemm_") && !(dlsym(RTLD_DEFAULT, "tesela_blas_keep") && dlsym(RTLD_DEFAULT, "dgemm_64_"));
#endif
}

/* Loaded by the program or by us before: its symbols are bound. */
static bool is_there(const char *file)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle) dlclose(handle);
    return handle;
}

/* Functions with integers of 64 bits and ordinary names call each other by these, and would find those of a library of the
 * program's that has 32 bits. */
static bool must_be_apart(const struct library *l)
{
    return APART && sizeof(host_int) != sizeof(int) && tsl_hostlib_wide() && !*l->affix->after;
}

static const char *core_of(const struct library *l)
{
    const char *(*ask)(void) = l->handle ? (const char *(*)(void))find(l, "openblas_get_corename") : NULL;
    return ask ? ask() : NULL;
}

/* What the loader says, which begins with the name of what it could not open; NULL: with this one's, it is not there */
static const char *loader_says(const char *file)
{
    const char *says = dlerror();
    size_t length = strlen(file);
    if (!says || strncmp(says, file, length) || strncmp(says + length, ": ", 2)) return says;
    return strstr(says, "No such file") ? NULL : says + length + 2;
}

static bool open_one(const char *file, int how)
{
    if (!(how & RTLD_NOLOAD) && meets_others() && !is_there(file)) how |= APART;
    struct library l = {.handle = count < MOST ? dlopen(file, RTLD_NOW | RTLD_LOCAL | how) : NULL};
    const char *why = l.handle ? unusable(&l) : loader_says(file);
    if (l.handle && !why && must_be_apart(&l)) {
        dlclose(l.handle);
        how |= APART;
        l.handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | how);
    }
    const char *better = why ? NULL : tsl_hostlib_better_core(core_of(&l));
    if (better) { /* what the program has loaded stays as it is */
        dlclose(l.handle);
        l.handle = tsl_hostlib_open_as(file, RTLD_NOW | RTLD_LOCAL | how, better);
    }
    remember(file, why);
    if (why && l.handle) dlclose(l.handle);
    else if (l.handle) opened[count++] = l, apart |= (how & APART) != 0;
    return l.handle && !why;
}

/* BLIS has no LAPACK: another's stands after it. False: there is none */
static bool is_whole(int how)
{
    static const char *const others[] = {
#ifdef TSL_HOSTLIB_64
        "liblapack64.so.3", "libopenblas64.so.0"
#else
        "liblapack.so.3", "libflame.so.1", "libopenblas.so.0"
#endif
    };
    const char *lacks = tsl_hostlib_lacks();
    for (size_t i = 0; lacks && count && i < sizeof others / sizeof *others; ++i)
        if (open_one(others[i], how)) lacks = tsl_hostlib_lacks();
    return !lacks;
}

static void close_all(void)
{
    while (count) dlclose(opened[--count].handle);
    apart = false;
}

/* TESELA_HOST_BLAS: one library, or several with a colon between them, in which functions are looked for in that order */
static void open_named(const char *names)
{
    char file[1024];
    for (const char *at = names; *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(file, sizeof file, "%.*s", (int)strcspn(at, ":"), at);
        if (*file) open_one(file, 0);
    }
    (void)is_whole(0);
}

/* libtesela_blas stands before a library that the program may have: that one then, so that there is no other with threads of
 * its own. The reference's are slow, and come last. Where none is whole the first will do: who misses what is told of it. */
static void open_usual(void)
{
    static const char *const usual[] = {
#ifdef TSL_HOSTLIB_64
        "libopenblas64.so.0", "libopenblas64.so", "liblapack64.so.3", "libblas64.so.3"
#else
        TSL_HOSTLIB_BUILT_WITH, "libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "libflexiblas.so.3",
        "libmkl_rt.so.2",       "libblis.so.4",     "liblapack.so.3", "libblas.so.3"
#endif
    };
    enum { USUAL = sizeof usual / sizeof *usual };
#if defined TSL_HOSTLIB_32 || defined TSL_HOSTLIB_64
    enum { REFERENCES = 2 };
    for (int i = 0; i < USUAL - REFERENCES && !count; ++i)
        if (open_one(usual[i], RTLD_NOLOAD) && !is_whole(RTLD_NOLOAD)) close_all();
    if (!count) *tried = 0;
#endif
    for (int i = 0; i < USUAL && !count; ++i)
        if (open_one(usual[i], 0) && !is_whole(0)) close_all();
    if (count) return;
    *tried = 0;
    for (int i = 0; i < USUAL && !count; ++i) open_one(usual[i], 0);
}

/* The program comes first. Without a loader of shared libraries it can open none: what is opened would find no C library, and
 * crash. */
static int names_loader(struct dl_phdr_info *of, size_t size, void *to)
{
    (void)size;
    for (int i = 0; i < of->dlpi_phnum; ++i) *(bool *)to |= of->dlpi_phdr[i].p_type == PT_INTERP;
    return 1;
}

static void open_all(void)
{
    const char *asked = getenv("TESELA_HOST_BLAS");
    bool can_load = false;
    (void)dl_iterate_phdr(names_loader, &can_load);
    tsl_hostlib_lock();
    count = 0; /* a child that was forked in the middle of this begins anew */
    *tried = 0;
    if (!can_load) remember("none", "a program that was linked with -static can open no library");
    else if (asked && *asked) open_named(asked);
    else open_usual();
    tsl_hostlib_unlock();
    if (!count) return;
    tsl_hostlib_find_raw();
    tsl_hostlib_find_threads();
    tsl_hostlib_identify(name, sizeof name);
    opening = true;
    tsl_hostlib_probe(mends, sizeof mends);
    opening = false;
}

bool tsl_hostlib_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!opening) pthread_once(&once, open_all);
    return count > 0;
}

bool tsl_hostlib_opening(void) { return opening; }

void *tsl_hostlib_symbol(const char *symbol)
{
    if (!tsl_hostlib_open()) return NULL;
    void *raw = tsl_hostlib_raw(symbol);
    return opening ? raw : tsl_hostlib_mended(symbol, raw);
}

const char *tsl_hostlib_tried(void) { return tried; }
const char *tsl_hostlib_name(void) { return name; }
const char *tsl_hostlib_mends(void) { return mends; }
