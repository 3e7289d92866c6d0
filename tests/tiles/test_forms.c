/* Every operation has a form by tiles, if only in one place: the benchmark's problems, all that are calls on views, from tiled
 * matrices in odd tiles, tiled and flat ones mixed, and flat ones, on one device and several, with memory for all and for a
 * quarter of the operands. */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "extent.h"
#include "graph.h"

/* These run in more places than others: what a device has no room for the host's cores compute. */
static const char *const whole[] = {"sytrf", "hetrf", "sysv", "hesv", "geqp3", "geqp3_random", "gelsy", "sytrd", "hetrd",
                                    "gebrd", "gesvd", "gehrd", "geev", "gees", "trsyl", "sylvester", "gecon", "expm"};
/* Of these some tasks are products */
static const char *const cut[] = {"gesvd", "geqp3", "geqp3_random", "gelsy", "sytrf", "sysv", "gehrd", "gebrd", "sytrd"};
/* The same bits on any number of devices */
static const char *const same[] = {"gehrd", "gebrd", "sytrd", "hetrd", "geqp3", "gelsy"};
static const char *const places[] = {"host:1", "host:2", "host:3,mem=%zu", "host"};
static const int64_t orders[][2] = {{61, 45}, {37, 52}, {149, 149}, {1, 1}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool is_whole(const bench_routine *r)
{
    bool found = false;
    for (unsigned i = 0; i < COUNT(whole); i++) found |= !strcmp(r->name, whole[i]);
    return found;
}

/* Which operands are tiled: all; every other one; none, but the path is that by tiles */
typedef enum way { ALL, SOME, NONE, WAYS } way;

static tsl_status cut_operands(bench_problem *p, int64_t nb, way by, tsl_matrix *flat[BENCH_OPERANDS])
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->count && !st; i++) {
        bench_array *a = &p->a[i];
        tsl_matrix *tiled = NULL;
        if (by == NONE || (by == SOME && i % 2)) continue;
        st = tsl_tiled_wrap(p->ctx, a->type, a->ld, a->width, a->work, a->ld, nb, &tiled);
        if (!st) flat[i] = a->result, a->result = tiled;
    }
    return st;
}

/* A number made of all bits of the results */
static uint64_t digest(const bench_problem *p)
{
    uint64_t sum = 1469598103934665603u;
    for (int i = 0; i < p->count; i++) {
        const bench_array *a = &p->a[i];
        const unsigned char *byte = (const unsigned char *)a->work;
        size_t bytes = (size_t)a->ld * (size_t)a->width * tsl_type_size(a->type);
        for (size_t k = 0; k < bytes; k++) sum = (sum ^ byte[k]) * 1099511628211u;
    }
    return sum;
}
static uint64_t bits; /* of the last result */

static const char *compute(tsl_context *x, const bench_routine *r, const bench_case *c, int64_t nb, way by)
{
    static char text[300];
    bench_problem p;
    tsl_matrix *flat[BENCH_OPERANDS] = {0};
    tsl_status st = bench_open(x, r, c, BENCH_HOST, &p);
    if (st) return tsl_status_name(st);
    st = bench_restore(&p, BENCH_HOST);
    char tile[24];
    snprintf(tile, sizeof tile, "%d", by == NONE ? (int)nb : 0); /* the least that the library chooses is for more memory */
    if (!st) st = tsl_set(x, "path", by == NONE ? "tiles" : "auto");
    if (!st) st = tsl_set(x, "tile", tile);
    if (!st) st = cut_operands(&p, nb, by, flat);
    if (!st) st = bench_run(&p, BENCH_VIEWS);
    for (int i = 0; i < p.count; i++)
        if (flat[i]) tsl_matrix_free(p.a[i].result), p.a[i].result = flat[i];
    const char *where = st ? NULL : bench_trespass(&p);
    double residual = st ? INFINITY : bench_residual(&p);
    bool good = !st && !where && residual < BENCH_OK;
    bits = digest(&p);
    if (!good) snprintf(text, sizeof text, "residual %.3g, %s%s", residual, st ? tsl_error(x) : where ? where : "nothing else", where ? " changed where it must not" : "");
    bench_close(&p);
    return good || (st == TSL_ERR_DEVICE_MEMORY && !is_whole(r)) ? NULL : text;
}

static void letters(const bench_routine *r, bench_case *c, unsigned turn)
{
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *all = bench_letters(r, c->type, (bench_flag)f, BENCH_VIEWS);
        if (*all) c->flag[f] = all[drawn_by(turn * 8 + (unsigned)f) % strlen(all)];
    }
}

static void run(const char *devices, const bench_routine *r, tsl_type type)
{
    unsigned ran = 0;
    char spec[64], failure[500] = "";
    snprintf(spec, sizeof spec, devices, 149 * 149 * tsl_type_size(type) / 4);
    tsl_context *x = make(spec);
    for (unsigned i = 0; x && i < COUNT(orders) * WAYS; i++, ran++) {
        bench_case c = {.type = type, .m = orders[i % COUNT(orders)][0], .n = orders[i % COUNT(orders)][1], .k = 5, .alpha = 1,
                        .beta = 1, .seed = i,
                        .row0 = i % 3, .col0 = i % 2, .pad = i % 4};
        letters(r, &c, i);
        const char *wrong = compute(x, r, &c, i % 2 ? 13 : 16, (way)(i / COUNT(orders)));
        if (wrong && !failure[0]) snprintf(failure, sizeof failure, "; m=%lld n=%lld way %u: %s", (long long)c.m, (long long)c.n, i / (unsigned)COUNT(orders), wrong);
    }
    ok(!failure[0], "%c%s on %s: %u cases%s", tsl_type_letter(type), r->name, spec, ran, failure);
    tsl_context_destroy(x);
}

static void is_cut(const bench_routine *r)
{
    drawing d = drawing_open();
    bench_case c = {.type = TSL_D, .m = orders[2][0], .n = orders[2][1], .k = 5, .alpha = 1, .beta = 1};
    letters(r, &c, 1);
    const char *wrong = compute(d.x, r, &c, 16, ALL);
    int products = drawing_close(&d, "gemm");
    ok(!wrong && products > 0, "%s is cut: %d products %s", r->name, products, wrong ? wrong : "");
}

/* In tiles of fewer columns than panels have, and of more */
static void is_same(const bench_routine *r, tsl_type type, int64_t nb)
{
    uint64_t first = 0;
    bool good = true;
    const char *wrong = NULL;
    for (int devices = 1; devices <= 3; devices++) {
        char spec[] = "host:0";
        spec[5] = (char)('0' + devices);
        tsl_context *x = make(spec);
        bench_case c = {.type = type, .m = orders[0][0], .n = orders[0][1], .k = 5, .alpha = 1, .beta = 1};
        letters(r, &c, (unsigned)(type + nb));
        const char *what = compute(x, r, &c, nb, ALL);
        if (devices == 1) first = bits;
        wrong = what ? what : wrong;
        good = good && bits == first;
        tsl_context_destroy(x);
    }
    ok(good && !wrong, "%c%s in tiles of %d: the same bits on 1, 2 and 3 devices %s", tsl_type_letter(type), r->name, (int)nb,
       wrong ? wrong : "");
}

int main(int argc, char **argv)
{
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++) {
        if (!r->views || r->batch_of || (argc > 1 && strcmp(argv[1], r->name))) continue;
        for (unsigned place = 0; place < COUNT(places); place++)
            for (int type = TSL_S; type <= TSL_Z; type++)
                if (bench_has_type(r, (tsl_type)type) &&
                    is_drawn((unsigned)i * 16 + place * 4 + (unsigned)type, is_whole(r) ? 2 : 3))
                    run(places[place], r, (tsl_type)type);
    }
    for (unsigned i = 0; i < COUNT(cut); i++)
        if (argc < 2 || !strcmp(argv[1], cut[i])) is_cut(bench_find(cut[i], strlen(cut[i])));
    for (unsigned i = 0; i < COUNT(same); i++)
        for (int type = TSL_S; type <= TSL_Z; type++) {
            r = bench_find(same[i], strlen(same[i]));
            if (!bench_has_type(r, (tsl_type)type) || (argc > 1 && strcmp(argv[1], same[i]))) continue;
            if (in_full() || type % 2) is_same(r, (tsl_type)type, 7);
            if (in_full() || type % 2 == 0) is_same(r, (tsl_type)type, 41);
        }
    return tap_done();
}
