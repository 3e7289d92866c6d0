/* What one process does in a call, written down in order: work, messages, and waits for them. All of it runs but the work; what
 * the processes agree on is the same on all, so this one's own is taken for that of every other. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exec/exec.h"
#include "grid/clock/clock.h"
#include "grid/grid.h"

typedef struct recorder {
    tsl_wire head;
    const tsl_clock_machine *machine;
    tsl_grid *grid;
    tsl_events log;
    tsl_map counts;   /* messages so far, by process, tag and way */
    bool waits;       /* what is asked for now is waited for */
    uint64_t passing; /* what has just come in, and is sent on now; 0: nothing is */
    bool lost;        /* no memory */
} recorder;

static recorder *recorder_of(tsl_wire *w) { return (recorder *)w; }

static void put(recorder *w, tsl_event e)
{
    if (w->log.count == w->log.room) {
        size_t room = w->log.room ? 2 * w->log.room : 256;
        tsl_event *larger = realloc(w->log.event, room * sizeof *larger);
        if (!larger) {
            w->lost = true;
            return;
        }
        w->log.event = larger, w->log.room = room;
    }
    w->log.event[w->log.count++] = e;
}

/* The next message from one process to another with this tag: the same number at both ends */
static uint64_t next_key(recorder *w, int from, int to, int tag)
{
    uint64_t pair = (uint64_t)from << 52 | (uint64_t)to << 40 | (uint64_t)tag << 25; /* tags are not 0 */
    double *count = tsl_map_at(&w->counts, pair);
    if (!count) w->lost = true;
    return pair | (count ? (uint64_t)(*count)++ : 0);
}

static bool send(tsl_wire *wire, int to, int tag, const void *data, size_t bytes, tsl_request *req)
{
    recorder *w = recorder_of(wire);
    uint64_t key = next_key(w, wire->rank, to, tag), of = w->passing;
    size_t most = tsl_post_size(w->grid, tsl_post_over(tag));
    int times = wire->times ? wire->times : (int)tsl_max(1, (int64_t)((bytes + most - 1) / most));
    (void)data;
    put(w, (tsl_event){.kind = of ? TSL_EVENT_PASS : TSL_EVENT_SEND, .peer = to, .times = times, .in_turn = wire->times,
                       .key = key, .of = of, .amount = (double)bytes * (wire->times ? times : 1)});
    *req = (tsl_request){.pending = of != 0, .as.number = (int64_t)of};
    if (!of) w->waits = false;
    return w->lost;
}

static bool receive(tsl_wire *wire, int from, int tag, void *data, size_t bytes, tsl_request *req)
{
    recorder *w = recorder_of(wire);
    *req = (tsl_request){.pending = true, .as.number = (int64_t)next_key(w, from, wire->rank, tag)};
    w->waits = false, w->passing = 0;
    (void)data, (void)bytes;
    return w->lost;
}

/* A broadcast that is sent on does not hold this process up, unless it waits for it itself: then it asks for what it has
 * sent. */
static bool test(tsl_wire *wire, tsl_request *req)
{
    recorder *w = recorder_of(wire);
    uint64_t key = (uint64_t)req->as.number;
    w->passing = 0;
    if (!w->waits) return w->lost;
    if (req->passes) w->passing = key;
    else put(w, (tsl_event){.kind = TSL_EVENT_WAIT, .of = key});
    req->pending = false;
    return w->lost;
}

static void cancel(tsl_wire *w, tsl_request *req)
{
    (void)w;
    req->pending = false;
}

static void tell(tsl_wire *w, int to, int tag, const int *word) { (void)w, (void)to, (void)tag, (void)word; }

static bool hear(tsl_wire *w, int tag, int *from, int *word)
{
    (void)tag, (void)word;
    recorder_of(w)->passing = 0;
    *from = -1;
    return false;
}

static void idle(tsl_wire *w) { recorder_of(w)->waits = true; }

/* Kinds of work that nothing else is between are one event each. */
static void put_work(recorder *w, tsl_clock_work kind, double seconds)
{
    for (size_t i = w->log.count; i > 0 && w->log.event[i - 1].kind == TSL_EVENT_WORK; --i)
        if (w->log.event[i - 1].work == kind) {
            w->log.event[i - 1].amount += seconds;
            return;
        }
    put(w, (tsl_event){.kind = TSL_EVENT_WORK, .work = (uint8_t)kind, .amount = seconds});
}

static void work(tsl_wire *wire, const tsl_told *what)
{
    recorder *w = recorder_of(wire);
    if (what->kind == TSL_TOLD_STEP) put(w, (tsl_event){.kind = TSL_EVENT_STEP, .peer = what->op, .amount = what->weight});
    else put_work(w, tsl_clock_work_of(what), tsl_clock_seconds(&w->machine->table, what) * (double)what->times);
    w->waits = false, w->passing = 0;
}

/* Kernels that wait for each other are LU's alone, on GPUs. */
static bool peers(tsl_wire *wire, int a, int b)
{
    const tsl_clock_machine *m = recorder_of(wire)->machine;
    return m->peers && !m->cores && tsl_clock_node_of(m, a) == tsl_clock_node_of(m, b);
}

static const char *refuses(const tsl_wire *w)
{
    (void)w;
    return NULL;
}

static void close_wire(tsl_wire *w, bool broken) { (void)w, (void)broken; }

static const tsl_wire_ops ops = {.name = "a clock", .send = send, .receive = receive, .test = test, .cancel = cancel,
                                 .tell = tell, .hear = hear, .idle = idle, .refuses = refuses, .work = work, .peers = peers,
                                 .close = close_wire};

const char tsl_clock_routines[] = "gemm syrk herk trsm trmm potrf getrf geqrf syev ";

static tsl_status call(tsl_context *x, const tsl_clock_problem *p, tsl_view A, tsl_view B, tsl_view C)
{
    if (!strcmp(p->routine, "getrf")) return tsl_getrf(x, A, B, NULL);
    if (!strcmp(p->routine, "geqrf")) return tsl_geqrf(x, A, B);
    if (!strcmp(p->routine, "gemm")) return tsl_gemm(x, 1, A, B, 1, C);
    if (!strcmp(p->routine, "syrk")) return tsl_syrk(x, 1, A, 1, tsl_lower(C));
    if (!strcmp(p->routine, "herk")) return tsl_herk(x, 1, A, 1, tsl_lower(C));
    if (!strcmp(p->routine, "trsm")) return tsl_trsm(x, TSL_LEFT, 1, tsl_lower(A), B);
    if (!strcmp(p->routine, "trmm")) return tsl_trmm(x, TSL_LEFT, 1, tsl_lower(A), B);
    if (!strcmp(p->routine, "potrf")) return tsl_potrf(x, tsl_lower(A), NULL);
    if (!strcmp(p->routine, "syev")) return tsl_syev(x, tsl_lower(A), NULL, B, C, NULL, NULL);
    return tsl_fail(x, TSL_ERR_OPTION, "clock: no routine '%s'", p->routine);
}

/* A is m x n; B has a number for each of its columns */
static tsl_status panels(tsl_context *x, const tsl_clock_problem *p, tsl_layout l, tsl_matrix *M[3])
{
    tsl_layout v = tsl_layout_vector(l.grid, p->nb);
    v.scheme = l.scheme;
    tsl_type numbers = strcmp(p->routine, "getrf") ? p->type : TSL_INDEX;
    tsl_status st = tsl_matrix_create_on(x, &l, p->type, p->m, p->n, &M[0]);
    return st ? st : tsl_matrix_create_on(x, &v, numbers, tsl_min(p->m, p->n), 1, &M[1]);
}

/* A and the vectors are n x n; an eigenvalue for each row */
static tsl_status pairs(tsl_context *x, const tsl_clock_problem *p, const tsl_clock_table *t, tsl_layout l, tsl_matrix *M[3])
{
    tsl_layout v = tsl_layout_vector(l.grid, p->nb);
    const char *lacks = tsl_clock_lacks(t, true);
    v.scheme = l.scheme;
    if (lacks) return tsl_fail(x, TSL_ERR_OPTION, "clock: the table has no line '%s', which %s needs", lacks, p->routine);
    tsl_status st = tsl_matrix_create_on(x, &l, p->type, p->n, p->n, &M[0]);
    if (!st) st = tsl_matrix_create_on(x, &v, tsl_real_type(p->type), p->n, 1, &M[1]);
    return st || !p->vectors ? st : tsl_matrix_create_on(x, &l, p->type, p->n, p->n, &M[2]);
}

/* A is m x k of products, of order n or m else; B is k x n, or m x n; C is m x n or n x n */
static tsl_status operands(tsl_context *x, const tsl_clock_problem *p, const tsl_clock_table *t, tsl_layout l, tsl_matrix *M[3])
{
    if (!strncmp(p->routine, "ge", 2) && strcmp(p->routine, "gemm")) return panels(x, p, l, M);
    if (!strcmp(p->routine, "syev")) return pairs(x, p, t, l, M);
    bool product = !strcmp(p->routine, "gemm"), update = strstr(p->routine, "rk"), factor = !strcmp(p->routine, "potrf");
    int64_t a[2] = {product || !(update || factor) ? p->m : p->n, product || update ? p->k : factor ? p->n : p->m};
    int64_t b[2] = {product ? p->k : p->m, p->n}, c[2] = {product ? p->m : p->n, p->n};
    tsl_status st = tsl_matrix_create_on(x, &l, p->type, a[0], a[1], &M[0]);
    if (!st && !update && !factor) st = tsl_matrix_create_on(x, &l, p->type, b[0], b[1], &M[1]);
    if (!st && (update || product)) st = tsl_matrix_create_on(x, &l, p->type, c[0], c[1], &M[2]);
    return st;
}

/* Device memory is addresses, of which few are ever touched. */
static void *reserve(void *user, int device, size_t bytes)
{
    (void)user;
    if (device < 0) return malloc(bytes);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void release(void *user, int device, void *p, size_t bytes)
{
    (void)user;
    if (device < 0) free(p);
    else munmap(p, bytes);
}

tsl_status tsl_clock_record(const tsl_clock_problem *p, const tsl_clock_machine *m, const tsl_sample *steps, int rank,
                            tsl_events *log)
{
    recorder w = {.head = {.ops = &ops, .rank = rank, .size = p->rows * p->cols, .left = -1, .most = (size_t)1 << 30,
                           .device_messages = true}, .machine = m};
    tsl_config config = tsl_config_default();
    tsl_context *x = NULL;
    tsl_matrix *M[3] = {NULL, NULL, NULL};
    tsl_view v[3] = {{0}, {0}, {0}};
    const tsl_allocator nowhere = {reserve, release, NULL};
    config.devices = "host:1,mem=4096G"; /* a memory of its own */
    config.allocator = &nowhere;
    tsl_status st = tsl_context_create(&config, &x);
    const tsl_backend *cores = st ? NULL : x->dev->be;
    tsl_backend gpu = st ? (tsl_backend){0} : *cores;
    gpu.accelerator = true;
    if (!st && !m->cores) x->dev->be = &gpu;
    w.grid = st ? NULL : tsl_grid_make(&w.head, p->rows, p->cols);
    if (!st && !w.grid) st = TSL_ERR_MEMORY;
    if (!st) {
        tsl_alive(&w.grid->handle, NULL);
        if (!m->cores) w.grid->channels.state = TSL_CHANNELS_NONE; /* all messages are the recorder's */
        tsl_layout l = tsl_layout_matrix(w.grid, p->nb);
        l.scheme = TSL_ON_DEVICE;
        st = operands(x, p, &m->table, l, M);
        for (int i = 0; i < 3; ++i)
            if (M[i]) v[i] = tsl_whole(M[i]);
        w.log.count = 0; /* of the call alone */
        w.grid->sample.places = p->places;
        if (steps) w.grid->sample = *steps;
        if (!st && p->variant) st = tsl_set(x, "variant", p->variant);
        if (!st) st = call(x, p, v[0], v[1], v[2]);
    }
    if (st) tsl_fail(NULL, st, "%s", tsl_error(x));
    for (int i = 0; i < 3; ++i) tsl_matrix_free(M[i]);
    tsl_grid_free(w.grid);
    if (x) x->dev->be = cores; /* memory goes back as it was taken */
    tsl_context_destroy(x);
    tsl_map_free(&w.counts);
    *log = w.log;
    return st;
}
