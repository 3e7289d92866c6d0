/* Functions of matrices, conditions and inverses by tiles beside what one device makes of the same problem: odd tiles, one device and several, and memory for a
 * quarter of a matrix. */

#include "extent.h"
#include "functions.h"
#include "graph.h"

static const char *const places[] = {"host:1", "host:2", "host:3,mem=%zu", "host"};
static const int64_t orders[][2] = {{1, 3}, {37, 13}, {97, 8}, {128, 9}};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static tsl_view tiled(tsl_context *x, const dense *d, int64_t nb, tsl_matrix **M)
{
    check(!tsl_tiled_wrap(x, d->t, d->m, d->n, d->data, d->ld, nb, M), "%s", tsl_error(x));
    return tsl_whole(*M);
}

static tsl_status by_tiles(tsl_context *x, const function_routine *r, int64_t nb, function_problem *f)
{
    tsl_matrix *A, *B, *p;
    tsl_view a = tiled(x, &f->A, nb, &A), b = tiled(x, &f->B, nb, &B);
    check(!tsl_matrix_wrap(x, TSL_INDEX, f->A.n, 1, f->p, f->A.n, &p), "%s", tsl_error(x));
    tsl_status st = r->run(x, a, b, tsl_whole(p), f);
    tsl_matrix_free(A), tsl_matrix_free(B), tsl_matrix_free(p);
    return st;
}

static void compare(tsl_context *alone, tsl_context *x, const function_routine *r, tsl_type type, int64_t n, int64_t nb)
{
    function_problem f;
    function_make(r, type, n, (uint64_t)(n + nb), &f);
    check(!function_alone(alone, r, &f, true), "%s", tsl_error(alone));
    function_problem g = f;
    g.A = dense_copy(&f.A), g.B = dense_copy(&f.B);
    dense was = dense_copy(&f.A);
    tsl_status st = function_alone(alone, r, &f, false), by = by_tiles(x, r, nb, &g);
    double off = function_differ(r, &g, &f);
    check(!st && !by && off <= 100 * (double)(n + 1), "order %d, tiles of %d: %s %s; %g roundoffs off, info %d and %d, %g and %g", (int)n, (int)nb, st ? tsl_error(alone) : "",
          by ? tsl_error(x) : "", off, (int)g.info, (int)f.info, g.number, f.number);
    check(!dense_strays(&g.A, &was, TSL_GENERAL), "order %d: elements beside A", (int)n);
    g.p = NULL;
    function_free(&f), function_free(&g), dense_free(&was);
}

/* Some of its tasks are products, or solutions with a triangle. */
static void is_cut(tsl_context *alone, const function_routine *r, const char *task)
{
    drawing d = drawing_open();
    compare(alone, d.x, r, TSL_Z, 97, 16);
    int tasks = drawing_close(&d, task);
    check(tasks > 6, "%d tasks of %s", tasks, task);
    checked("%s is cut", r->name);
}

int main(int argc, char **argv)
{
    tsl_context *alone = make("host");
    for (int i = 0; i < FUNCTIONS; i++)
        if (functions[i].cut && (argc < 2 || !strncmp(argv[1], functions[i].name, strlen(argv[1]))))
            is_cut(alone, &functions[i], functions[i].cut);
    for (unsigned place = 0; place < COUNT(places); place++)
        for (int type = TSL_S; type <= TSL_Z; type++) {
            char spec[64];
            snprintf(spec, sizeof spec, places[place], 128 * 128 * tsl_type_size((tsl_type)type) / 4);
            tsl_context *x = make(spec);
            for (int i = 0; i < FUNCTIONS && x; i++) {
                if (argc > 1 && strncmp(argv[1], functions[i].name, strlen(argv[1]))) continue;
                for (unsigned k = 0; k < COUNT(orders); k++)
                    if (in_full() || k == (place + (unsigned)type + (unsigned)i) % COUNT(orders)) compare(alone, x, &functions[i], (tsl_type)type, orders[k][0], orders[k][1]);
                checked("%s of %c on %s", functions[i].name, "sdcz"[type], spec);
            }
            tsl_context_destroy(x);
        }
    tsl_context_destroy(alone);
    return tap_done();
}
