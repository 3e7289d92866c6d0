/* The clock: on every grid it counts the messages and bytes of real processes, here threads; its time axis is right where it
 * can be told by hand; and what follows from a machine that is slower or a network that is. */
#include <string.h>

#include "core/numbers/largest.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"
#include "tap.h"

enum { MOST = 16 };

typedef struct counted {
    const tsl_clock_problem *p;
    tsl_wire_ops ops[MOST];
    bool (*send)(tsl_wire *w, int to, int tag, const void *data, size_t bytes, tsl_request *req);
    double messages[MOST], bytes[MOST];
    tsl_status st[MOST];
} counted;

static counted *counting; /* one test at a time */

static bool send_counted(tsl_wire *w, int to, int tag, const void *data, size_t bytes, tsl_request *req)
{
    counting->messages[w->rank] += 1, counting->bytes[w->rank] += (double)bytes;
    return counting->send(w, to, tag, data, bytes, req);
}

static tsl_status make(tsl_context *x, const tsl_layout *l, tsl_type type, int64_t n, tsl_matrix **A)
{
    tsl_status st = tsl_matrix_create_on(x, l, type, n, n, A);
    return st ? st : tsl_laset(x, 0.5, 3.0 * (double)n, tsl_whole(*A));
}

static tsl_status call(tsl_context *x, const tsl_clock_problem *p, tsl_view A, tsl_view B, tsl_view C)
{
    if (!strcmp(p->routine, "getrf")) return tsl_getrf(x, A, B, NULL);
    if (!strcmp(p->routine, "geqrf")) return tsl_geqrf(x, A, B);
    if (!strcmp(p->routine, "gemm")) return tsl_gemm(x, 1, A, B, 1, C);
    if (!strcmp(p->routine, "syrk")) return tsl_syrk(x, 1, A, 1, tsl_lower(C));
    if (!strcmp(p->routine, "trsm")) return tsl_trsm(x, TSL_LEFT, 1, tsl_lower(A), B);
    if (!strcmp(p->routine, "syev")) return tsl_syev(x, tsl_lower(A), NULL, B, p->vectors ? C : (tsl_view){0}, NULL, NULL);
    if (!strcmp(p->routine, "trmm")) return tsl_trmm(x, TSL_LEFT, 1, tsl_lower(A), B);
    return tsl_potrf(x, tsl_lower(A), NULL);
}

static tsl_status make_numbers(tsl_context *x, const tsl_clock_problem *p, tsl_grid *g, tsl_matrix **B)
{
    tsl_layout l = tsl_layout_vector(g, p->nb);
    l.scheme = TSL_ON_DEVICE;
    return tsl_matrix_create_on(x, &l, strcmp(p->routine, "getrf") ? p->type : TSL_INDEX, p->n, 1, B);
}

static bool has_numbers(const char *routine) { return strstr("getrf geqrf syev", routine); }

/* All operands square: counts begin with the call */
static tsl_status run(tsl_grid *g, void *user)
{
    counted *k = user;
    int me = g->wire->rank;
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *M[3] = {NULL, NULL, NULL};
    tsl_layout l = tsl_layout_matrix(g, k->p->nb);
    /* LU as on cores, by which the clock goes: from a device with a memory of its own hosts send the pivots' rows apart. */
    config.devices = strcmp(k->p->routine, "getrf") || k->p->variant ? "host:1,mem=64M" : "host";
    l.scheme = TSL_ON_DEVICE;
    tsl_status st = tsl_context_create(&config, &x);
    if (!st && k->p->variant) st = tsl_set(x, "variant", k->p->variant);
    if (has_numbers(k->p->routine)) {
        st = st ? st : make(x, &l, k->p->type, k->p->n, &M[0]);
        st = st ? st : tsl_random(x, 5, tsl_whole(M[0])); /* rows are exchanged as on average */
        st = st ? st : make_numbers(x, k->p, g, &M[1]);
        if (k->p->vectors) st = st ? st : make(x, &l, k->p->type, k->p->n, &M[2]);
    } else
        for (int i = 0; i < 3 && !st; i++) st = make(x, &l, k->p->type, k->p->n, &M[i]);
    k->ops[me] = *g->wire->ops;
    k->ops[me].send = send_counted, k->ops[me].is_near = false; /* so that all goes by messages */
    g->wire->ops = &k->ops[me];
    if (!st) st = call(x, k->p, tsl_whole(M[0]), tsl_whole(M[1]), M[2] ? tsl_whole(M[2]) : (tsl_view){0});
    k->st[me] = st;
    for (int i = 0; i < 3; i++) tsl_matrix_free(M[i]);
    tsl_context_destroy(x);
    return st;
}

/* Filled by main */
static tsl_clock_machine usual = {.table = {.message = 1e-6, .byte = 1e-9, .near_message = 1e-7, .near_byte = 1e-10, .node = 1},
                                  .cores = true};

static void counts(const char *routine, const char *variant, bool vectors, int rows, int cols, int64_t n, int64_t nb)
{
    tsl_clock_problem p = {.routine = routine, .variant = variant, .type = TSL_D, .m = n, .n = n, .k = n, .nb = nb,
                           .vectors = vectors, .rows = rows, .cols = cols};
    counted k = {.p = &p};
    tsl_clock_result r;
    tsl_grid *ends[2] = {NULL, NULL};
    tsl_status st = tsl_grid_create_local(1, 2, ends); /* whose send is that of all */
    if (!st) k.send = ends[0]->wire->ops->send;
    tsl_grid_free(ends[0]), tsl_grid_free(ends[1]);
    counting = &k;
    if (!st) st = tsl_grid_threads(rows, cols, run, &k);
    check(!st, "%s on %dx%d threads: %s", routine, rows, cols, tsl_status_name(st));
    st = tsl_clock_run(&p, &usual, &r);
    check(!st, "%s on %dx%d by the clock: %s", routine, rows, cols, tsl_error(NULL));
    double messages = 0, bytes = 0, most_messages = 0, most_bytes = 0;
    for (int i = 0; i < rows * cols; i++) {
        messages += k.messages[i] / (rows * cols), bytes += k.bytes[i] / (rows * cols);
        most_messages = tsl_larger(most_messages, k.messages[i]), most_bytes = tsl_larger(most_bytes, k.bytes[i]);
    }
    bool lu = !strcmp(routine, "getrf");
    double off = lu ? 0.05 : 1e-9; /* rows that change places are not the same ones */
    double more = lu && !variant ? 4 : 0; /* messages of one agreement: channels, which cores do not ask for */
    check(fabs(r.messages - messages) <= off * messages + more &&
              fabs(r.most_messages - most_messages) <= 2 * off * most_messages + more,
          "%s on %dx%d: %.2f messages, at most %.0f; by the clock %.2f, %.0f", routine, rows, cols, messages, most_messages,
          r.messages, r.most_messages);
    check(fabs(r.bytes - bytes) <= off * bytes && fabs(r.most_bytes - most_bytes) <= 2 * off * most_bytes,
          "%s on %dx%d: %.1f bytes, at most %.0f; by the clock %.1f, %.0f", routine, rows, cols, bytes, most_bytes, r.bytes,
          r.most_bytes);
    check(r.seconds >= r.work && r.work > 0, "%s on %dx%d: %g s, %g of work", routine, rows, cols, r.seconds, r.work);
}

static void all_counts(void)
{
    static const char *const routines[] = {"gemm", "syrk", "trsm", "trmm", "potrf", "getrf", "geqrf", "syev"};
    static const int shapes[][2] = {{2, 2}, {2, 4}, {3, 3}, {1, 6}};
    for (unsigned i = 0; i < sizeof routines / sizeof *routines; i++) {
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            counts(routines[i], NULL, false, shapes[k][0], shapes[k][1], 90, 7);
            counts(routines[i], NULL, false, shapes[k][0], shapes[k][1], 300, 32);
        }
        checked("%s: messages and bytes are those of threads", routines[i]);
    }
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        counts("syev", NULL, true, shapes[k][0], shapes[k][1], 90, 7);
        counts("syev", NULL, true, shapes[k][0], shapes[k][1], 300, 32);
    }
    checked("syev with vectors: messages and bytes are those of threads");
    static const int columns[][2] = {{2, 2}, {2, 4}, {3, 3}, {1, 6}, {5, 1}, {11, 1}};
    for (unsigned k = 0; k < sizeof columns / sizeof *columns; k++) {
        counts("getrf", "tournament", false, columns[k][0], columns[k][1], 90, 7);
        counts("getrf", "tournament", false, columns[k][0], columns[k][1], 700, 32);
    }
    checked("getrf by tournament: messages and bytes are those of threads");
}

static tsl_event works(double seconds) { return (tsl_event){.kind = TSL_EVENT_WORK, .amount = seconds}; }
static tsl_event waits_for(uint64_t key) { return (tsl_event){.kind = TSL_EVENT_WAIT, .of = key}; }

static tsl_event sends(int to, uint64_t key, double bytes)
{
    return (tsl_event){.kind = TSL_EVENT_SEND, .peer = to, .times = 1, .key = key, .amount = bytes};
}

static tsl_event passes(int to, uint64_t key, uint64_t of, double bytes)
{
    return (tsl_event){.kind = TSL_EVENT_PASS, .peer = to, .times = 1, .key = key, .of = of, .amount = bytes};
}

/* A copy, as keys become numbers */
static tsl_status simulate(const tsl_events *given, const tsl_clock_machine *m, bool whole, tsl_clock_result *out)
{
    tsl_event copy[3][4];
    tsl_events log[3];
    for (int i = 0; i < 3; i++) {
        log[i] = (tsl_events){copy[i], given[i].count, given[i].count};
        if (given[i].count) memcpy(copy[i], given[i].event, given[i].count * sizeof *copy[i]);
    }
    return tsl_clock_simulate(3, log, m, whole, out);
}

/* 0 works a second and sends eight bytes to 1, which passes them on to 2, while it works for three */
static void by_hand(void)
{
    tsl_clock_machine m = {.table = {.message = 0.25, .byte = 0.125, .near_message = 0.0625, .near_byte = 0, .node = 2}};
    tsl_event first[] = {works(1), sends(1, 7, 8)};
    tsl_event second[] = {passes(2, 9, 7, 8), works(3), waits_for(7)};
    tsl_event third[] = {waits_for(9), works(2)};
    tsl_events mine[3] = {{first, 2, 2}, {second, 3, 3}, {third, 2, 2}};
    tsl_clock_result r;
    tsl_status st = simulate(mine, &m, true, &r);
    /* 1 + 1/16 within the node of 0 and 1; then 8/8 + 1/4 to 2, and its work */
    ok(!st && r.seconds == 1.0625 + 1.25 + 2, "a chain of three takes %g s", r.seconds);
    ok(r.work == 2 && r.most_messages == 1 && r.bytes == 16. / 3, "its work and messages");
    /* 0 and 2 are on a node, where a node is two rows high: what is sent to 1 is late, what it sends on is too */
    tsl_clock_machine high = m;
    high.tile[0] = 2, high.tile[1] = 1, high.across = 2;
    st = simulate(mine, &high, true, &r);
    ok(!st && r.seconds == 1 + 1.25 + 1.25 + 2, "nodes down the columns: %g s", r.seconds);
    tsl_event straight[] = {works(1), sends(2, 9, 8)};
    tsl_events two[3] = {{straight, 2, 2}, {NULL, 0, 0}, {third, 2, 2}};
    st = simulate(two, &high, true, &r);
    ok(!st && r.seconds == 1 + 0.0625 + 2, "within one of these: %g s", r.seconds);
    tsl_event waits[] = {waits_for(11)};
    mine[2] = (tsl_events){waits, 1, 1};
    ok(simulate(mine, &m, true, &r) == TSL_ERR_MPI, "a wait for what nobody sends is told");
}

/* By the ways of GPUs, where panels stay and are a tree; too large for any memory, of which none is touched */
static void accelerators(void)
{
    static const char *const routines[] = {"potrf", "getrf", "geqrf"};
    int64_t n = 140000;
    tsl_clock_problem p = {.type = TSL_D, .m = n, .n = n, .k = n, .nb = 7000, .rows = 2, .cols = 2};
    tsl_clock_machine gpus = usual;
    gpus.cores = false;
    for (int i = 0; i < 3; i++) {
        tsl_clock_result r = {0}, on_cores = {0};
        p.routine = routines[i];
        tsl_status st = tsl_clock_run(&p, &gpus, &r);
        if (!st) st = tsl_clock_run(&p, &usual, &on_cores);
        ok(!st && r.messages > 0 && (strcmp(p.routine, "geqrf") || r.messages < on_cores.messages / 2),
           "%s as on GPUs: %.0f messages, as on cores %.0f", p.routine, r.messages, on_cores.messages);
    }
}

/* Columns of panels of LU without messages, where GPUs of a node see each other's memory */
static void by_peers(void)
{
    int64_t n = 140000;
    tsl_clock_problem p = {.routine = "getrf", .type = TSL_D, .m = n, .n = n, .k = n, .nb = 7000, .rows = 4, .cols = 1};
    tsl_clock_machine m = usual;
    tsl_clock_result r[4];
    tsl_status st = TSL_OK;
    m.cores = false;
    for (int i = 0; i < 4 && !st; i++) {
        m.peers = i % 2, m.table.node = i < 2 ? 4 : 2;
        st = tsl_clock_run(&p, &m, &r[i]);
    }
    ok(!st && r[1].messages < r[0].messages / 4 && r[1].seconds < r[0].seconds,
       "a node's GPUs by peers: %.0f messages, not %.0f", r[1].messages, r[0].messages);
    ok(!st && r[3].messages == r[2].messages && r[3].seconds == r[2].seconds, "a column of two nodes: %.0f messages",
       r[3].messages);
}

/* A few steps at some places of a factorization, or of each loop of an eigenproblem as on GPUs, say nearly what all do. */
static void places(void)
{
    static const char *const routines[] = {"potrf", "getrf", "geqrf", "syev"};
    tsl_clock_problem p = {.type = TSL_D, .m = 6400, .n = 6400, .k = 6400, .nb = 64, .rows = 2, .cols = 2};
    for (int i = 0; i < 4; i++) {
        tsl_clock_result all = {0}, some = {0};
        tsl_clock_machine m = usual;
        m.cores = i < 3;
        p.routine = routines[i], p.places = 0, p.vectors = i == 3;
        tsl_status st = tsl_clock_run(&p, &m, &all);
        p.places = 4;
        if (!st) st = tsl_clock_run(&p, &m, &some);
        ok(!st && fabs(some.seconds / all.seconds - 1) < 0.1 && fabs(some.bytes / all.bytes - 1) < 0.15,
           "%s by steps at 4 places: %.3g s, %.3g bytes; by all %.3g, %.3g", p.routine, some.seconds, some.bytes, all.seconds,
           all.bytes);
    }
}

static void machines(void)
{
    tsl_clock_problem p = {.routine = "potrf", .type = TSL_D, .m = 400, .n = 400, .k = 400, .nb = 16, .rows = 4, .cols = 4};
    tsl_clock_problem one = p;
    tsl_clock_machine slow = usual, near = usual, uneven = usual;
    tsl_clock_result r[4];
    slow.table.message *= 100, near.table.node = 4, uneven.scatter = 0.05, uneven.seed = 3;
    const tsl_clock_machine *const m[] = {&usual, &slow, &near, &uneven};
    tsl_status st = TSL_OK;
    for (int i = 0; i < 4 && !st; i++) st = tsl_clock_run(&p, m[i], &r[i]);
    ok(!st && r[1].seconds > r[0].seconds && r[1].work == r[0].work, "slower messages: %g s, not %g", r[1].seconds,
       r[0].seconds);
    ok(!st && r[2].seconds < r[0].seconds && r[2].messages == r[0].messages, "nodes of four: %g s", r[2].seconds);
    ok(!st && r[3].work > r[0].work && r[3].bytes == r[0].bytes, "processes of unequal speed: %g s", r[3].seconds);
    one.rows = one.cols = 1;
    ok(tsl_clock_run(&one, &usual, r) == TSL_ERR_GRID, "one process sends nothing");
    one.rows = 4097;
    ok(tsl_clock_run(&one, &usual, r) == TSL_ERR_GRID, "too many processes");
    p.routine = "gesvd";
    ok(tsl_clock_run(&p, &usual, r) == TSL_ERR_OPTION, "a routine the clock does not know");
}

int main(void)
{
    tsl_clock_table network = usual.table;
    tsl_clock_flat(&usual.table, 1e9, 4, 20);
    usual.table.message = network.message, usual.table.byte = network.byte, usual.table.node = 1;
    usual.table.near_message = network.near_message, usual.table.near_byte = network.near_byte;
    by_hand();
    all_counts();
    accelerators();
    by_peers();
    places();
    machines();
    return tap_done();
}
