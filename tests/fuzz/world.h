/* A context of random devices, limits and options, and a few matrices in it, stored in any way there is; each with its truth, a plain
 * copy that the same operations are done on by hand. */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <stdarg.h>
#include <stdio.h>

#include "arena.h"
#include "tests/support/dense.h"
#include "plain.h"

enum { LINE = 900 };
enum { THINGS = 5, SPD = 0, TRI = 1 }; /* the first is positive definite or its factor, the second a triangle that can be solved with */

typedef enum place { ON_HOST, ON_DEVICE, TILED_HOST, TILED_OURS, PLACES } place;
typedef enum state { GENERAL, DOMINANT, INDEFINITE, FACTOR, UNKNOWN } state;
static const char *const place_name[] = {"host", "device", "tiled-host", "tiled-ours"};

typedef struct thing {
    place place;
    state state;
    tsl_uplo half;   /* of a factor */
    guarded g;       /* of the caller's array */
    dense d;         /* its description; data NULL: the storage is the library's */
    int64_t nb;
    tsl_matrix *mat;
    plain truth;
} thing;

typedef struct world {
    uint64_t seed, born;
    tsl_type t;
    int64_t n;
    tsl_context *x;
    char spec[48], options[96], wrong[LINE], last[400];
    const char *path; /* the option */
    size_t limit;     /* of each device's memory */
    bool gpu, region, limited, arrays; /* arrays: all matrices are plain ones of the caller, as typed calls take them */
    int steps;
    bool outcomes;      /* a call of the region had one; */
    int64_t first_info; /* the first that was not zero */
    thing thing[THINGS];
} world;

static inline uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

static inline int64_t below(world *w, int64_t count) { return count > 0 ? (int64_t)(draw(&w->seed) % (uint64_t)count) : 0; }
static inline bool chance(world *w, int one_in) { return below(w, one_in) == 0; }

__attribute__((format(printf, 2, 3))) static inline void complain(world *w, const char *format, ...)
{
    if (*w->wrong) return; /* the first is what counts */
    char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(w->wrong, sizeof w->wrong, "seed %llx: %s %s%s%c n=%lld step %d %s: %s", (unsigned long long)w->born, w->spec, w->options,
             w->region ? "in a region, " : "", tsl_type_letter(w->t), (long long)w->n, w->steps, w->last, text);
}

/* ---- contents -------------------------------------------------------------------------------------------------------------- */

/* Numbers of order one that the type can hold; a dominant matrix is Hermitian with 2n + 2 on its diagonal. */
static inline plain numbers(world *w, bool dominant)
{
    plain p = plain_make(w->n, w->n);
    dense one = {.t = w->t, .m = 1, .n = 1, .ld = 1, .cols = 1};
    double room[2];
    one.data = (unsigned char *)room;
    for (int64_t j = 0; j < w->n; j++)
        for (int64_t i = 0; i < w->n; i++) {
            uint64_t a = draw(&w->seed), b = draw(&w->seed);
            tsl_scalar v = CMPLX((double)(int64_t)a / 9.3e18, (double)(int64_t)b / 9.3e18);
            if (dominant && i < j) v = conj(*plain_at(&p, j, i));
            if (dominant && i == j) v = 2.0 * (double)w->n + 2;
            dense_put(&one, 0, 0, v);
            *plain_at(&p, i, j) = dense_get(&one, 0, 0);
        }
    for (int64_t j = 0; j < w->n && dominant; j++)
        for (int64_t i = 0; i < j; i++) *plain_at(&p, i, j) = conj(*plain_at(&p, j, i));
    return p;
}

static inline bool is_array(const thing *s) { return s->place == ON_HOST || s->place == TILED_HOST; }

static inline void array_write(const dense *d, const plain *p)
{
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++) dense_put(d, i, j, *plain_at(p, i, j));
}

/* A wrapped array of the test's beside the thing, for copies to and fro. */
static inline tsl_status exchange(world *w, thing *s, dense *d, bool fetch)
{
    tsl_matrix *m = NULL;
    tsl_status st = tsl_matrix_wrap(w->x, w->t, w->n, w->n, d->data, d->ld, &m);
    if (!st) st = fetch ? tsl_copy(w->x, tsl_whole(s->mat), tsl_whole(m)) : tsl_copy(w->x, tsl_whole(m), tsl_whole(s->mat));
    if (!st) st = tsl_wait(w->x) ? TSL_ERR_DEVICE : TSL_OK;
    tsl_matrix_free(m);
    return st;
}

/* New contents, by the program itself where the array is its own and no region is open: the next call must see them. */
static inline void refill(world *w, int k)
{
    thing *s = &w->thing[k];
    bool dominant = k == SPD || k == TRI;
    if (w->region) return;
    plain_free(&s->truth);
    s->truth = numbers(w, dominant);
    s->state = dominant ? DOMINANT : GENERAL;
    if (is_array(s)) {
        array_write(&s->d, &s->truth);
        return;
    }
    dense d = dense_make(w->t, w->n, w->n, CANARY);
    array_write(&d, &s->truth);
    tsl_status st = exchange(w, s, &d, false);
    if (st) complain(w, "filling a matrix: %s %s", tsl_status_name(st), tsl_error(w->x));
    dense_free(&d);
}

/* ---- comparison ------------------------------------------------------------------------------------------------------------ */

static inline double largest(const plain *p)
{
    double most = 0;
    for (int64_t k = 0; k < p->m * p->n; k++) most = tsl_larger(most, cabs(p->a[k]));
    return most;
}

static inline double tolerance(const world *w, double size)
{
    return 60.0 * (double)(w->n + 10) * tsl_type_eps(w->t) * (1 + size) * (1 + w->steps);
}

static inline bool margin_whole(const dense *d)
{
    size_t size = tsl_type_size(d->t);
    for (int64_t j = 0; j < d->cols; j++)
        for (size_t b = (size_t)d->m * size; b < (size_t)d->ld * size; b++)
            if (j < d->cols - 1 && d->data[(size_t)(j * d->ld) * size + b] != CANARY) return false;
    return true;
}

/* Outside regions only. */
static inline void compare(world *w, int k)
{
    thing *s = &w->thing[k];
    dense d = s->d;
    if (*w->wrong || s->state == UNKNOWN) return;
    if (!is_array(s)) {
        d = dense_make(w->t, w->n, w->n, CANARY);
        tsl_status st = exchange(w, s, &d, true);
        if (st) complain(w, "reading a matrix: %s %s", tsl_status_name(st), tsl_error(w->x));
    }
    double worst = 0, bound = tolerance(w, largest(&s->truth));
    for (int64_t j = 0; j < w->n; j++)
        for (int64_t i = 0; i < w->n; i++) {
            double e = cabs(dense_get(&d, i, j) - *plain_at(&s->truth, i, j));
            worst = e <= worst ? worst : isnan(e) ? INFINITY : e;
        }
    if (!(worst <= bound)) complain(w, "matrix %d (%s, tiles of %lld) is off by %g, allowed %g", k, place_name[s->place], (long long)s->nb, worst, bound);
    if (is_array(s) && !margin_whole(&d)) complain(w, "matrix %d (%s): written outside", k, place_name[s->place]);
    if (!is_array(s)) dense_free(&d);
}

/* ---- making and ending ----------------------------------------------------------------------------------------------------- */

static inline void describe(thing *s, world *w)
{
    size_t size = tsl_type_size(w->t);
    int64_t ld = w->n + (chance(w, 3) ? 0 : below(w, 5));
    if (ld < 1) ld = 1;
    size_t bytes = w->n ? (size_t)(ld * (w->n - 1) + w->n) * size : 0; /* ends with the last element */
    s->g = guarded_make(bytes, size);
    s->d = (dense){.t = w->t, .m = w->n, .n = w->n, .ld = ld, .cols = w->n, .bytes = bytes, .data = s->g.data};
}

static inline tsl_status thing_make(world *w, int k)
{
    thing *s = &w->thing[k];
    s->place = w->arrays ? ON_HOST : (place)below(w, PLACES);
    s->nb = chance(w, 3) ? 1 + below(w, 40) : 16;
    s->truth = plain_make(w->n, w->n);
    if (is_array(s)) describe(s, w);
    switch (s->place) {
    case ON_HOST: return tsl_matrix_wrap(w->x, w->t, w->n, w->n, s->d.data, s->d.ld, &s->mat);
    case ON_DEVICE: return tsl_matrix_create(w->x, w->t, w->n, w->n, &s->mat);
    case TILED_HOST: return tsl_tiled_wrap(w->x, w->t, w->n, w->n, s->d.data, s->d.ld, s->nb, &s->mat);
    default: return tsl_tiled_create(w->x, w->t, w->n, w->n, s->nb, &s->mat);
    }
}

static inline void world_end(world *w)
{
    if (w->x && w->region) (void)tsl_wait(w->x);
    for (int k = 0; k < THINGS; k++) {
        tsl_matrix_free(w->thing[k].mat);
        guarded_free(&w->thing[k].g);
        plain_free(&w->thing[k].truth);
    }
    tsl_context_destroy(w->x);
}

static inline void option(world *w, const char *name, const char *value)
{
    size_t used = strlen(w->options);
    if (tsl_set(w->x, name, value)) complain(w, "%s=%s: %s", name, value, tsl_error(w->x));
    snprintf(w->options + used, sizeof w->options - used, "%s=%s ", name, value);
}

#define ONE_OF(w, list) list[below(w, (int64_t)(sizeof list / sizeof *list))]

/* A context, without matrices; tight: where a call may be refused for memory, there is little */
static inline bool world_open(world *w, uint64_t seed, bool gpu, bool tight)
{
    static const char *const hosts[] = {"host", "host:1", "host:2", "host:3", "host:2+host", "host:1,mem=%d", "host:3,mem=%d", "host:2,mem=%d"};
    static const char *const gpus[] = {"cuda", "cuda+host", "cuda:0x2", "cuda:0x3,mem=%dK", "cuda:0,mem=%dK"};
    static const char *const policies[] = {"auto", "basic", "affinity", "cache", "write-back"}, *const paths[] = {"auto", "one", "tiles"},
                             *const dists[] = {"2d", "rows", "cols"}, *const tiles[] = {"16", "33", "64"};
    *w = (world){.seed = seed, .born = seed, .path = "auto", .gpu = gpu};
    for (int i = 0; i < 4; i++) (void)draw(&w->seed);
    w->t = (tsl_type)below(w, 4);
    w->n = chance(w, 12) ? below(w, 3) : chance(w, 6) ? 60 + below(w, 80) : 1 + below(w, 60);
    w->arrays = chance(w, 3);
    const char *form = gpu ? ONE_OF(w, gpus) : ONE_OF(w, hosts);
    w->limited = strchr(form, '%') != NULL;
    /* room for the matrices that live on the first device, and for a few tiles of up to 64 x 64 with their workspace */
    int room = (int)(THINGS * (w->n + 8) * (w->n + 8) * 16 + (1 + below(w, 6)) * 600000);
    if (tight && !gpu) room = 30000 + (int)below(w, 330000);
    if (w->limited) snprintf(w->spec, sizeof w->spec, form, gpu ? room / 1024 + 65536 : room);
    else snprintf(w->spec, sizeof w->spec, "%s", form);
    tsl_config cfg = tsl_config_default();
    cfg.devices = w->spec;
    tsl_status st = tsl_context_create(&cfg, &w->x);
    if (st) {
        complain(w, "no context: %s %s", tsl_status_name(st), tsl_error(NULL));
        return false;
    }
    w->limit = w->x->devices[0].limit;
    if (chance(w, 2)) option(w, "policy", ONE_OF(w, policies));
    if (chance(w, 2)) option(w, "path", w->path = ONE_OF(w, paths));
    if (chance(w, 3)) option(w, "dist", ONE_OF(w, dists));
    if (chance(w, 2)) option(w, "tile", ONE_OF(w, tiles));
    return !*w->wrong;
}

static inline bool world_make(world *w)
{
    tsl_status st = TSL_OK;
    for (int k = 0; k < THINGS && !st; k++) st = thing_make(w, k);
    if (st) complain(w, "a matrix: %s %s", tsl_status_name(st), tsl_error(w->x));
    for (int k = 0; k < THINGS && !*w->wrong; k++) refill(w, k);
    return !*w->wrong;
}

#endif
