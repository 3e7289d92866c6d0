/* Where the operands of the table lie: one piece of memory, of the host or of a device, a slot for each argument, full of
 * numbers that suit; and whether a call has changed a byte of it. */
#ifndef REFUSED_WORLD_H
#define REFUSED_WORLD_H

#include <math.h>
#include <pthread.h>

#include "refused/table.h"

typedef struct world {
    const char *devices;
    bool loud;           /* tell of each call before it is made */
    bool far;            /* operands are in memory of the device */
    int64_t tile;        /* of operands that are tiled; 0: they are flat */
    int64_t scale;       /* of sizes */
    tsl_context *x, *other;
    tsl_matrix *pool, *here;
    char *base, *image, *now; /* the operands, as they were, as they are */
    size_t slot, bytes;
    int64_t ld;
    char host[MOST][8 * WORDS], host_image[MOST][8 * WORDS];
    pthread_mutex_t lock;
    long calls, refuse; /* allocations, and the one that is refused; 0: none, negative: all from there on */
} world;

static inline void *world_alloc(void *user, int device, size_t bytes)
{
    world *w = user;
    (void)device;
    pthread_mutex_lock(&w->lock);
    long call = ++w->calls;
    pthread_mutex_unlock(&w->lock);
    if (w->refuse && (w->refuse > 0 ? call == w->refuse : call >= -w->refuse)) return NULL;
    void *p = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (p) memset(p, 0xff, bytes < 4096 ? bytes : 4096);
    return p;
}

static inline void world_free(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    free(p);
}

static inline int64_t world_size(const world *w, const char *text)
{
    int64_t n = 7 * w->scale, sum = 0;
    for (int sign = 1; *text; ++text) {
        char *end = NULL;
        if (*text == '+' || *text == '-') sign = *text == '-' ? -1 : 1;
        else if (*text == 'm') sum += sign * 9 * w->scale;
        else if (*text == 'n') sum += sign * n;
        else if (*text == 'k') sum += sign * 5 * w->scale;
        else if (*text == 'b') sum += sign * 3;
        else if (*text == 'p') sum += sign * n * (n + 1) / 2;
        else if (*text >= '0' && *text <= '9') sum += sign * strtoll(text, &end, 10), text = end - 1;
    }
    return sum;
}

static inline tsl_type world_type(tsl_type t, const argument *a)
{
    return has(a, 'i') ? TSL_INDEX : has(a, 'r') ? tsl_real_type(t) : has(a, 'o') ? (tsl_type)(t ^ 1) : t;
}

static inline int64_t world_ld(const world *w, const argument *a)
{
    int64_t rows = world_size(w, a->rows);
    return world_size(w, a->cols) == 1 ? tsl_max(1, rows) : tsl_max(w->ld, rows);
}

/* Numbers that suit: the diagonal dominates, pivots are those of no exchange */
static inline void world_fill(const world *w, int i, const argument *a, tsl_type t)
{
    tsl_type is = world_type(t, a);
    int64_t m = world_size(w, a->rows), n = world_size(w, a->cols), ld = world_ld(w, a);
    for (int64_t c = 0; c < n; ++c)
        for (int64_t r = 0; r < m; ++r) {
            double value = (double)((r * 37 + c * 61 + i * 13) % 101) / 101 - 0.5 + (r == c ? 10 + (double)(r % 5) : 0), part = r == c ? 0 : 0.25 - value / 3;
            char *at = w->image + (size_t)i * w->slot + (size_t)(r + c * ld) * tsl_type_size(is);
            if (n == 1) value = 1 + fabs(value);
            if (is == TSL_INDEX) *(int64_t *)(void *)at = 1 + (r + c * m) % tsl_max(m, 1);
            else if (is == TSL_S) *(float *)(void *)at = (float)value;
            else if (is == TSL_D) *(double *)(void *)at = value;
            else if (is == TSL_C) *(tsl_cfloat *)(void *)at = CMPLXF((float)value, (float)part);
            else *(tsl_cdouble *)(void *)at = CMPLX(value, part);
        }
}

/* The operands as they are in `image` */
static inline void world_restore(world *w)
{
    if (w->here) check(!tsl_copy(w->x, tsl_whole(w->here), tsl_whole(w->pool)) && !tsl_wait(w->x), "%s: operands are renewed: %s", w->devices, tsl_error(w->x));
    else memcpy(w->base, w->image, w->bytes);
    memcpy(w->host, w->host_image, sizeof w->host);
}

/* The first slot that has changed; -1: none. Of a typed call info is minus the argument's number. */
static inline int world_changed(world *w, const line *l)
{
    const char *now = w->base;
    tsl_matrix *to = NULL;
    if (w->here) {
        bool read = !tsl_matrix_wrap(w->x, TSL_INDEX, (int64_t)(w->bytes / 8), 1, w->now, (int64_t)(w->bytes / 8), &to) && !tsl_copy(w->x, tsl_whole(w->pool), tsl_whole(to)) && !tsl_wait(w->x);
        tsl_matrix_free(to);
        check(read, "%s: operands are read: %s", w->devices, tsl_error(w->x));
        now = w->now;
    }
    for (int i = 0; i < l->count; ++i) {
        bool told = l->typed && !strcmp(l->arguments[i].name, "info");
        if (memcmp(now + (size_t)i * w->slot, w->image + (size_t)i * w->slot, w->slot)) return i;
        if (!told && memcmp(w->host[i], w->host_image[i], sizeof w->host[i])) return i;
    }
    return -1;
}

static inline bool world_open(world *w)
{
    tsl_allocator a = {world_alloc, world_free, w};
    tsl_config cfg = tsl_config_default();
    bool host = !strncmp(w->devices, "host", 4);
    cfg.devices = w->devices;
    cfg.workspace_limit = 1;
    if (host) cfg.allocator = &a;
    w->ld = 12 * w->scale;
    w->slot = (size_t)tsl_max(w->ld * w->ld, 320) * 16;
    w->bytes = w->slot * MOST;
    w->image = malloc(w->bytes), w->now = malloc(w->bytes);
    pthread_mutex_init(&w->lock, NULL);
    tsl_status st = tsl_context_create(&cfg, &w->x);
    if (st == TSL_ERR_NO_DEVICE) {
        skip("%s: not here", w->devices);
        free(w->image), free(w->now);
        return false;
    }
    cfg.devices = "host", cfg.allocator = NULL;
    bool made = !st && !tsl_context_create(&cfg, &w->other);
    check(made, "%s: contexts (%s)", w->devices, tsl_status_name(st));
    if (!made) return false; /* without a context the default one would be taken */
    if (w->far) {
        check(!tsl_matrix_create(w->x, TSL_INDEX, (int64_t)(w->bytes / 8), 1, &w->pool), "%s: memory", w->devices);
        check(!tsl_matrix_wrap(w->x, TSL_INDEX, (int64_t)(w->bytes / 8), 1, w->image, (int64_t)(w->bytes / 8), &w->here), "%s: memory", w->devices);
        w->base = w->pool && w->here ? tsl_matrix_data(w->pool) : NULL;
    } else w->base = aligned_alloc(256, w->bytes);
    return w->base != NULL;
}

static inline void world_close(world *w)
{
    tsl_matrix_free(w->here), tsl_matrix_free(w->pool);
    tsl_context_destroy(w->x), tsl_context_destroy(w->other);
    if (!w->far) free(w->base);
    free(w->image), free(w->now);
    pthread_mutex_destroy(&w->lock);
}

#endif
