/* A process that does not come, comes late or is dead: with a deadline nobody waits for ever. Usage: test_deadline RxC
 * [killed|channel]
 *   killed: one process ends by SIGKILL under a launcher that lets the others live: each says what it was told, frees all and ends
 *   channel: one is late with messages from device to device, by the stand-in for NCCL
 *   else: one is late for a call, or in the middle of one, at each kind of message: all return TSL_ERR_LATE, those that waited with its
 *   number; the grid is refused from then on, and a fresh one works */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"

enum { N = 24, NB = 4, LATE = 1 }; /* LATE: the process that is */

/* The use of this kind of call at which the process falls asleep, counted from now; negative: none. */
typedef enum kind { ISEND, DUP, KINDS } kind;
static const char *const kinds[KINDS] = {"MPI_Isend", "MPI_Comm_idup"};
#define PATIENCE "0.5"
static const double SLEEP = 2; /* the deadline, as long again for the roll, and then some */
static kind sleepy;
static int countdown = -1, slept;

static void sleep_in(kind k)
{
    if (k != sleepy || countdown < 0 || countdown-- > 0) return;
    slept = 1;
    usleep((useconds_t)(SLEEP * 1e6));
}

#define SLEEPY(kind, name, params, args)  \
    int MPI_##name params                 \
    {                                     \
        sleep_in(kind);                   \
        return PMPI_##name args;          \
    }

SLEEPY(ISEND, Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, to, tag, c, r))
SLEEPY(DUP, Comm_idup, (MPI_Comm c, MPI_Comm *d, MPI_Request *r), (c, d, r))

typedef struct stage {
    tsl_context *x;
    tsl_grid *g;
    tsl_layout layout;
    tsl_matrix *A, *C;
} stage;

static tsl_status multiply(stage *s) { return tsl_gemm(s->x, 1, tsl_whole(s->A), tsl_whole(s->A), 0, tsl_whole(s->C)); }
static tsl_status turn(stage *s) { return tsl_copy(s->x, tsl_trans(tsl_whole(s->A)), tsl_whole(s->C)); }
static tsl_status create(stage *s)
{
    tsl_matrix *M = NULL;
    tsl_status st = tsl_matrix_create_on(s->x, &s->layout, TSL_D, N, N, &M);
    tsl_matrix_free(M);
    return st;
}

enum { AGREEMENT = 2 }; /* so many messages of each of four processes */
static const struct {
    const char *name;
    tsl_status (*run)(stage *s);
    int use;
} cases[] = {{"gemm", multiply, AGREEMENT + 1}, {"copy", turn, AGREEMENT}, {"create_on", create, 0}};
enum { CASES = sizeof cases / sizeof *cases };

static int open_stage(stage *s, const team *t)
{
    tsl_device_info dev = {0};
    int good = !tsl_grid_create(MPI_COMM_WORLD, t->rows, t->cols, &s->g);
    tsl_device_query(s->x, 0, &dev);
    s->layout = tsl_layout_matrix(s->g, NB);
    s->layout.scheme = dev.is_virtual ? TSL_ON_DEVICE : TSL_IN_HOST;
    good = good && !tsl_matrix_create_on(s->x, &s->layout, TSL_D, N, N, &s->A) && !tsl_matrix_create_on(s->x, &s->layout, TSL_D, N, N, &s->C);
    return good && !tsl_laset(s->x, 1, 2, tsl_whole(s->A));
}

static void close_stage(stage *s)
{
    tsl_matrix_free(s->A), tsl_matrix_free(s->C);
    tsl_grid_free(s->g);
}

static int names_it(const char *line) { return strstr(line, "deadline") && strstr(line, "no answer from process 1;"); }

static void late(const team *t, tsl_context *x, int i, int by_channel)
{
    stage s = {.x = x};
    all_ok(t, open_stage(&s, t), "a fresh grid");
    sleepy = ISEND, slept = by_channel;
    countdown = t->rank == LATE && !by_channel ? cases[i].use : -1;
    tsl_set(x, "deadline", PATIENCE);
    tsl_status st = cases[i].run(&s);
    tsl_set(x, "deadline", "0");
    countdown = -1;
    const char *line = tsl_error(x);
    int waited = t->rank != LATE && !by_channel ? names_it(line) : slept && strstr(line, "deadline") != NULL; /* its device is late, not it */
    all_ok(t, st == TSL_ERR_LATE && waited, "%s, late at use %d of %s: %s: %s", cases[i].name, cases[i].use,
           by_channel ? "NCCL" : kinds[ISEND], tsl_status_name(st), line);
    st = tsl_scale(x, 2, tsl_whole(s.A));
    all_ok(t, st == TSL_ERR_LATE, "%s: the next call: %s", cases[i].name, tsl_status_name(st));
    close_stage(&s);
}

/* The deadline is long: whoever is slow is waited for. */
static void slow(const team *t, tsl_context *x)
{
    stage s = {.x = x};
    all_ok(t, open_stage(&s, t), "a fresh grid");
    all_ok(t, !tsl_set(x, "deadline", "60"), "a longer deadline");
    sleepy = ISEND, countdown = t->rank == LATE ? AGREEMENT : -1;
    tsl_status st = multiply(&s);
    all_ok(t, st == TSL_OK, "slow, and in time: %s", tsl_status_name(st));
    close_stage(&s);
}

/* By the environment, which is all there is when a grid is made */
static void making(const team *t)
{
    static const kind at[] = {ISEND, DUP};
    for (int i = 0; i < 2; i++) {
        tsl_grid *g = NULL;
        MPI_Comm own;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        setenv("TESELA_DEADLINE", t->rank == LATE ? "1" : PATIENCE, 1);
        sleepy = at[i], countdown = t->rank == LATE ? 0 : -1;
        tsl_status st = tsl_grid_create(own, t->rows, t->cols, &g);
        countdown = -1;
        setenv("TESELA_DEADLINE", "", 1);
        all_ok(t, t->rank == LATE || (st == TSL_ERR_LATE && !g && strstr(tsl_error(NULL), "deadline")), "a grid, late at %s: %s", kinds[at[i]], tsl_status_name(st));
    }
}

static void options(const team *t, tsl_context *x)
{
    static const char *const bad[] = {"", "-1", "soon", "1s", "inf", "nan"};
    for (int i = 0; i < 6; i++) all_ok(t, tsl_set(x, "deadline", bad[i]) == TSL_ERR_OPTION, "deadline '%s' is refused", bad[i]);
    all_ok(t, !tsl_set(x, "deadline", PATIENCE) && !tsl_set(x, "deadline", "0"), "0 and %s are not", PATIENCE);
}

/* Without MPI_Finalize, which would wait for the dead one */
static void killed(const team *t, tsl_context *x)
{
    stage s = {.x = x};
    alarm(60); /* a hang is a failure */
    all_ok(t, open_stage(&s, t), "a fresh grid");
    if (t->rank == LATE) kill(getpid(), SIGKILL);
    tsl_set(x, "deadline", PATIENCE);
    tsl_status st = multiply(&s);
    printf("%s\n", names_it(tsl_error(x)) ? tsl_status_name(st) : tsl_error(x));
    close_stage(&s);
    tsl_grid_free(t->grid);
    tsl_context_destroy(x);
    printf("ended\n");
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    team t = team_open(argc, argv);
    int by_channel = argc > 2 && !strcmp(argv[2], "channel");
    tsl_context *x = team_context(&t, by_channel ? "host:1,mem=64M" : "host");
    options(&t, x);
    if (argc > 2 && !strcmp(argv[2], "killed")) killed(&t, x);
    for (int i = 0; i < CASES; i++)
        if (!by_channel || cases[i].run == turn) late(&t, x, i, by_channel);
    if (!by_channel) slow(&t, x), making(&t);
    tsl_context_destroy(x);
    return team_close(&t);
}
