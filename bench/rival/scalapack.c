/* ScaLAPACK on the parts of a distributed problem, found at run time, and its grid of the same shape. */
#include <dlfcn.h>
#include <stdio.h>

#include "bench/rival/rival.h"

static struct {
    int rows, cols, nb;
} grid;

void bench_scalapack_on(int rows, int cols, int64_t nb)
{
    grid.rows = rows;
    grid.cols = cols;
    grid.nb = (int)nb;
}

static const char *const names[] = {"libscalapack-openmpi.so.2.2", "libscalapack-openmpi.so.2.1", "libscalapack-openmpi.so",
                                    "libscalapack-mpich.so.2.2", "libscalapack.so"};

static bool offers(const bench_routine *r) { return r->scalapack.run; }

static bool open_it(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    static bench_blacs s;
    (void)ctx;
    *state = &s;
    if (!grid.rows) {
        snprintf(line, BENCH_LINE, "it needs a process grid (--grid RxC under mpirun)");
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !s.library; i++)
        s.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    void (*get)(int, int, int *) = s.library ? (void (*)(int, int, int *))dlsym(s.library, "Cblacs_get") : NULL;
    void (*init)(int *, const char *, int, int) =
        s.library ? (void (*)(int *, const char *, int, int))dlsym(s.library, "Cblacs_gridinit") : NULL;
    void (*place)(int, int *, int *, int *, int *) =
        s.library ? (void (*)(int, int *, int *, int *, int *))dlsym(s.library, "Cblacs_gridinfo") : NULL;
    if (!get || !init || !place) {
        snprintf(line, BENCH_LINE, "no libscalapack with its BLACS was found");
        return false;
    }
    s.exit = (void (*)(int))dlsym(s.library, "Cblacs_gridexit");
    s.nb = grid.nb;
    get(-1, 0, &s.context);
    init(&s.context, "Row", grid.rows, grid.cols);
    int rows, row;
    place(s.context, &rows, &s.cols, &row, &s.col);
    return true;
}

static void close_it(void *state)
{
    bench_blacs *s = state;
    if (s->exit)
        s->exit(s->context);
    bench_room_free(&s->pivots);
    bench_room_free(&s->work);
}

static bool prepare(void *state, bench_problem *p)
{
    bench_blacs *s = state;
    s->f = bench_function(s->library, p->routine->scalapack.name[bench_is_complex(p->c.type)], p->c.type);
    return s->f;
}

static bool run(void *state, bench_problem *p) { return p->routine->scalapack.run(state, p); }

const bench_rival bench_scalapack = {"scalapack", BENCH_DEVICE, offers, NULL, open_it, close_it, prepare, run, NULL};
