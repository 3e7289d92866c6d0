/* A program of calls on a few operands, by tiles. What it leaves in them has the same bits on any devices, policies and limits,
 * and after allocations that failed; of matrices the caller has tiled it is right as well. Factorizations by tiles share these
 * trials. */
#ifndef TILED_PROGRAM_H
#define TILED_PROGRAM_H

#include "exec/exec.h"
#include "extent.h"
#include "tiled_block.h"

enum { OPERANDS = 4 };

typedef struct left { dense v[OPERANDS]; } left; /* what a program is given, and what it leaves */

typedef struct program {
    int operands;
    left (*make)(tsl_type t, bool large); /* large: of a few tiles on which memory may be short */
    tsl_status (*run)(tsl_context *x, const tsl_view v[], const char *variant, int64_t *info); /* info NULL: it is asked for later */
    tsl_status (*by_arrays)(tsl_context *x);        /* a call of the same family, which may run out of memory as well; NULL: none */
    const char *variants[3];
    const char *tile;                               /* option tile for large ones */
    size_t (*room)(tsl_type t, size_t tiles);       /* bytes that let so many tiles be there beside those of a task */
} program;

static inline left left_copy(const program *p, const left *l)
{
    left c = {0};
    for (int i = 0; i < p->operands; i++) c.v[i] = dense_copy(&l->v[i]);
    return c;
}

static inline void left_free(left *l)
{
    for (int i = 0; i < OPERANDS; i++) dense_free(&l->v[i]);
}

static inline bool left_same(const program *p, const left *a, const left *b)
{
    bool same = true;
    for (int i = 0; i < p->operands; i++) same = same && dense_same(&a->v[i], &b->v[i]);
    return same;
}

/* With h, allocations fail from the one numbered `fail` on, or that one only. */
static inline tsl_status program_failing(const program *p, tsl_context *x, left *l, const char *variant, hook *h, long fail, bool all)
{
    block b[OPERANDS];
    tsl_view v[OPERANDS];
    int64_t info = 0;
    for (int i = 0; i < p->operands; i++) b[i] = wrap(x, &l->v[i], 0), v[i] = b[i].v;
    if (fail) hook_fail(h, fail, all);
    tsl_status st = h && p->by_arrays ? p->by_arrays(x) : TSL_OK;
    if (!st) st = p->run(x, v, variant, &info);
    if (fail) hook_rest(h);
    check(st || info == 0, "info %d", (int)info);
    for (int i = 0; i < p->operands; i++) tsl_matrix_free(b[i].mat);
    return st;
}

static inline tsl_status program_run(const program *p, tsl_context *x, left *l, const char *variant)
{
    return program_failing(p, x, l, variant, NULL, 0, false);
}

static inline void program_bits(const program *p, tsl_type t)
{
    static const char *const specs[] = {"host:1", "host:2", "host:3", "host:4"};
    left first = p->make(t, true);
    tsl_context *x = by_tiles("host:1", p->tile);
    check(!program_run(p, x, &first, "auto"), "%s", tsl_error(x));
    tsl_context_destroy(x);
    for (size_t s = 0; s < COUNT(specs); s++)
        for (size_t k = 0; k < COUNT(policies); k++) {
            x = by_tiles(specs[s], p->tile);
            check(!tsl_set(x, "policy", policies[k]), "%s", tsl_error(x));
            for (size_t tiles = 0; tiles < 14; tiles += 1 + tiles / 4) {
                left l = p->make(t, true);
                for (int d = 0; d < x->device_count; d++) x->devices[d].limit = tiles ? p->room(t, tiles) : SIZE_MAX;
                if (tiles) tsl_trim(x);
                tsl_status st = program_run(p, x, &l, p->variants[(k + tiles) % COUNT(p->variants)]);
                check(!st && left_same(p, &l, &first), "%s %c %s, room for %d more: other bits %s", specs[s], tsl_type_letter(t),
                      policies[k], (int)tiles, st ? tsl_error(x) : "");
                left_free(&l);
            }
            tsl_context_destroy(x);
        }
    left_free(&first);
    checked("%c: the same bits on any devices, policies and limits", tsl_type_letter(t));
}

/* Each allocation in turn fails, then all from it on: the call says so, nothing is lost, and the same context then has the same
 * bits. */
static inline void program_failures(const program *p, const char *spec)
{
    tsl_config cfg = tsl_config_default();
    left first = {0};
    long count = 0, refused = 0;
    cfg.devices = spec;
    for (long k = 0; k <= count; k += in_full() || count < 60 ? 1 : 3)
        for (int all = 0; all < (k ? 2 : 1); all++) {
            hook h = {0};
            tsl_context *x = NULL;
            cfg.allocator = &(tsl_allocator){hook_alloc, hook_free, &h};
            check(!tsl_context_create(&cfg, &x) && !tsl_set(x, "path", "tiles") && !tsl_set(x, "tile", "16"), "%s", spec);
            left l = p->make(TSL_D, false), again = p->make(TSL_D, false);
            long before = h.calls;
            tsl_status st = program_failing(p, x, &l, "auto", &h, k, all);
            if (!k) count = h.calls - before, first = left_copy(p, &l);
            refused += st != TSL_OK;
            check(!st || (k && (st == TSL_ERR_MEMORY || st == TSL_ERR_DEVICE_MEMORY)), "%s, allocation %ld: %s", spec, k, tsl_status_name(st));
            check(!st || *tsl_error(x), "%s, allocation %ld: no line about it", spec, k);
            check(st || left_same(p, &l, &first), "%s, allocation %ld: it went, with other bits", spec, k);
            check(!program_run(p, x, &again, "auto") && left_same(p, &again, &first), "%s, after allocation %ld: %s", spec, k, tsl_error(x));
            left_free(&l), left_free(&again);
            tsl_context_destroy(x);
            check(h.live == 0, "%s, allocation %ld: %ld are lost", spec, k, h.live);
        }
    left_free(&first);
    check(count > 20 && refused > 20, "%ld allocations, %ld refused", count, refused);
    checked("%s: allocations that fail", spec);
}

/* Matrices the caller has tiled by squares of any size: those that lie otherwise are copied; in a region and outside. `wrong`
 * is how far off a result is, in units of rounding. */
static inline void program_tiled(const program *p, const char *spec, bool region, left (*given)(void),
                                 double (*wrong)(tsl_context *, const left *, const left *))
{
    static const int64_t sides[][OPERANDS] = {{16, 16, 16, 16}, {7, 16, 33, 20}, {200, 3, 16, 16}, {25, 200, 200, 33}};
    tsl_context *x = make(spec);
    for (size_t s = 0; s < COUNT(sides); s++)
        for (int own = 0; own < 2; own++) {
            left l = given(), first = left_copy(p, &l);
            block b[OPERANDS];
            tsl_view v[OPERANDS];
            int64_t info = 0;
            for (int i = 0; i < p->operands; i++) b[i] = tiled(x, &l.v[i], sides[s][i], own), v[i] = b[i].v;
            if (region) check(!tsl_begin(x), "%s", tsl_error(x));
            tsl_status st = p->run(x, v, "auto", NULL);
            if (region && !st) st = tsl_wait(x);
            if (!st) st = tsl_info(x, &info);
            for (int i = 0; i < p->operands; i++) take_back(x, &b[i], &l.v[i], own);
            double off = st ? INFINITY : wrong(x, &l, &first);
            check(!st && !info && off < 30, "%s, tiles %d %d %d, own %d: %g, info %d, %s", spec, (int)sides[s][0], (int)sides[s][1],
                  (int)sides[s][2], own, off, (int)info, tsl_error(x));
            left_free(&l), left_free(&first);
        }
    tsl_context_destroy(x);
    checked("%s: matrices of square tiles%s", spec, region ? ", in a region" : "");
}

/* A call must give this status, and a line with these words. */
#define REFUSED(want, says, call)                                                                                              \
    do {                                                                                                                       \
        tsl_status got = (call);                                                                                               \
        check(got == (want) && strstr(tsl_error(x), says), "%s: %s, %s", #call, tsl_status_name(got), tsl_error(x));          \
    } while (0)

#endif
