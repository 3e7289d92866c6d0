/* A call of MPI that fails on one process, through the profiling interface: nobody hangs, no process takes what was not
 * computed for a result, later calls on that grid are refused by all, and a fresh grid works. Each kind of call fails at its
 * first, second, ... use. */
#include <math.h>

#include "whole.h"

enum { N = 21, NB = 4, TIMES = 12 };

typedef enum kind { ISEND, IRECV, TEST, IPROBE, DUP, SIZE, RANK, GROUP, HANDLER, KINDS } kind;
static const char *const kinds[KINDS] = {"MPI_Isend", "MPI_Irecv", "MPI_Test", "MPI_Iprobe", "MPI_Comm_idup", "MPI_Comm_size",
                                         "MPI_Comm_rank", "MPI_Comm_group", "MPI_Comm_set_errhandler"};

/* The call of this kind that fails, counted from now; negative: none. */
static kind failing;
static int countdown = -1, fired, made;

static int fails(kind k)
{
    made += k == failing;
    if (k != failing || countdown < 0 || countdown-- > 0) return 0;
    return fired = 1;
}

static void arm(int here, kind k, int use)
{
    failing = k;
    countdown = here ? use : -1;
    fired = made = 0;
}

static void disarm(void) { countdown = -1; }

#define FAILING(kind, name, params, args) \
    int MPI_##name params { return fails(kind) ? MPI_ERR_OTHER : PMPI_##name args; }

FAILING(ISEND, Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, to, tag, c, r))
FAILING(IRECV, Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, from, tag, c, r))
FAILING(TEST, Test, (MPI_Request *r, int *done, MPI_Status *s), (r, done, s))
FAILING(IPROBE, Iprobe, (int from, int tag, MPI_Comm c, int *flag, MPI_Status *s), (from, tag, c, flag, s))
FAILING(DUP, Comm_idup, (MPI_Comm c, MPI_Comm *d, MPI_Request *r), (c, d, r))
FAILING(SIZE, Comm_size, (MPI_Comm c, int *n), (c, n))
FAILING(RANK, Comm_rank, (MPI_Comm c, int *n), (c, n))
FAILING(GROUP, Comm_group, (MPI_Comm c, MPI_Group *g), (c, g))
FAILING(HANDLER, Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))

static int somewhere(int cond) { return !everywhere(!cond); }

/* Operands, and what is done with them. */
typedef struct stage {
    tsl_context *x;
    tsl_grid *g;
    tsl_layout layout;
    tsl_matrix *A, *B, *C, *p, *tau;
    dense d;
} stage;

static tsl_status multiply(stage *s) { return tsl_gemm(s->x, 1, tsl_whole(s->A), tsl_whole(s->B), 0, tsl_whole(s->C)); }
static tsl_status factor(stage *s) { return tsl_potrf(s->x, tsl_lower(tsl_whole(s->A)), NULL); }
static tsl_status solve(stage *s) { return tsl_posv(s->x, tsl_lower(tsl_whole(s->A)), tsl_whole(s->B), NULL); }
static tsl_status lu(stage *s) { return tsl_getrf(s->x, tsl_whole(s->A), tsl_whole(s->p), NULL); }
static tsl_status qr(stage *s) { return tsl_geqrf(s->x, tsl_whole(s->A), tsl_whole(s->tau)); }
static tsl_status turn(stage *s) { return tsl_copy(s->x, tsl_trans(tsl_whole(s->A)), tsl_whole(s->C)); }
static tsl_status gather(stage *s) { return tsl_gather(s->x, tsl_whole(s->A), 0, s->d.data, s->d.ld); }
static tsl_status norm(stage *s) { double v; return tsl_norm(s->x, TSL_NORM_ONE, TSL_TRIANGULAR, tsl_whole(s->A), &v); }
static tsl_status length(stage *s) { double v; return tsl_nrm2(s->x, tsl_sub(tsl_whole(s->A), 0, 0, N, 1), &v); }
static tsl_status create(stage *s)
{
    tsl_matrix *M = NULL;
    tsl_status st = tsl_matrix_create_on(s->x, &s->layout, TSL_D, N, N, &M);
    tsl_matrix_free(M);
    return st;
}

static const struct { const char *name; tsl_status (*run)(stage *s); } jobs[] = {
    {"gemm", multiply}, {"potrf", factor}, {"posv", solve}, {"getrf", lu},   {"geqrf", qr},
    {"copy", turn},     {"gather", gather}, {"norm", norm}, {"nrm2", length}, {"create_on", create}};
enum { JOBS = sizeof jobs / sizeof *jobs };

static int open_stage(const team *t, stage *s, tsl_context *x, tsl_scheme scheme)
{
    *s = (stage){.x = x, .d = dense_make(TSL_D, N, N, CANARY_FINITE)};
    dense_dominant(&s->d, 1);
    if (tsl_grid_create(MPI_COMM_WORLD, t->rows, t->cols, &s->g)) return 0;
    s->layout = tsl_layout_matrix(s->g, NB);
    s->layout.scheme = scheme;
    tsl_layout everywhere = tsl_layout_whole(s->g, TSL_EVERY, TSL_EVERY);
    return !tsl_matrix_create_on(x, &everywhere, TSL_INDEX, N, 1, &s->p) &&
           !tsl_matrix_create_on(x, &everywhere, TSL_D, N, 1, &s->tau) &&
           !tsl_matrix_create_on(x, &s->layout, TSL_D, N, N, &s->A) && !tsl_matrix_create_on(x, &s->layout, TSL_D, N, N, &s->B) &&
           !tsl_matrix_create_on(x, &s->layout, TSL_D, N, N, &s->C) && !tsl_scatter(x, 0, s->d.data, s->d.ld, tsl_whole(s->A)) &&
           !tsl_scatter(x, 0, s->d.data, s->d.ld, tsl_whole(s->B));
}

static void close_stage(stage *s)
{
    tsl_matrix_free(s->A), tsl_matrix_free(s->B), tsl_matrix_free(s->C), tsl_matrix_free(s->p), tsl_matrix_free(s->tau);
    tsl_grid_free(s->g);
    dense_free(&s->d);
}

/* So many calls of this kind does a job make, before the last of its agreement */
static int before_the_end(const team *t, tsl_context *x, tsl_scheme scheme, int job, kind k)
{
    stage s;
    int open = everywhere(open_stage(t, &s, x, scheme)), rounds = 0;
    while (1 << rounds < t->size) rounds++;
    arm(0, k, 0);
    check(open && !jobs[job].run(&s), "%s, when nothing fails", jobs[job].name);
    close_stage(&s);
    return made - (rounds - 1);
}

/* One failing use; false: the job has not so many. */
static int fault(const team *t, tsl_context *x, tsl_scheme scheme, int job, kind k, int use, int last)
{
    stage s;
    int who = use % t->size, open = everywhere(open_stage(t, &s, x, scheme));
    check(open, "a fresh grid, after another has failed");
    arm(t->rank == who, k, use);
    tsl_status st = open ? jobs[job].run(&s) : TSL_OK;
    disarm();
    int happened = somewhere(fired), all = everywhere(st != TSL_OK), any = somewhere(st != TSL_OK);
    /* One that fails after it has begun the last agreement has said before that all is well: the others hear of it in their
     * next call. */
    int ending = k == TEST || k == IPROBE || !everywhere(t->rank != who || use < last);
    check(happened == any && (ending ? !fired || st : happened == all), "%s: use %d of %s on process %d: %s",
          jobs[job].name, use, kinds[k], who, tsl_status_name(st));
    tsl_status next = open ? tsl_scale(x, 2, tsl_whole(s.A)) : TSL_OK;
    check(happened ? next == TSL_ERR_MPI : next == TSL_OK, "%s, %s: the next call: %s", jobs[job].name, kinds[k], tsl_status_name(next));
    close_stage(&s);
    return happened;
}

static void sweep(const team *t, tsl_context *x, tsl_scheme scheme, const char *where)
{
    for (kind k = ISEND; k <= IPROBE; k++) {
        int faults = 0;
        for (int job = 0; job < JOBS; job++) {
            int last = before_the_end(t, x, scheme, job, k);
            for (int use = 0; use < TIMES && fault(t, x, scheme, job, k, use, last); use += use < 3 ? 1 : 3) faults++;
        }
        check(faults > 0, "%s: no call of %s failed", where, kinds[k]);
        all_ok(t, tap_group_failed == 0, "%s: %d failing calls of %s", where, faults, kinds[k]);
        tap_group = tap_group_failed = 0;
    }
}

static void making_grids(const team *t)
{
    for (kind k = ISEND; k < KINDS; k++) {
        int faults = 0, good = 1;
        for (int use = 0; use < 4; use++) {
            tsl_grid *g = NULL;
            arm(t->rank == use % t->size, k, use / t->size);
            tsl_status st = tsl_grid_create(MPI_COMM_WORLD, t->rows, t->cols, &g);
            disarm();
            faults += somewhere(fired);
            good &= same_everywhere(st) && !g == (st != TSL_OK);
            tsl_grid_free(g);
        }
        int any = faults || k == IPROBE; /* a process listens only where it has to wait */
        all_ok(t, good && any, "%d failing calls of %s while a grid is made: all have it or none", faults, kinds[k]);
    }
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    tsl_context *x = team_context(&t, "host"), *y = team_context(&t, "host:1,mem=64M");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    making_grids(&t);
    sweep(&t, x, TSL_IN_HOST, "in host memory");
    sweep(&t, y, TSL_ON_DEVICE, "on a device");
    tsl_context_destroy(y);
    tsl_context_destroy(x);
    return team_close(&t);
}
