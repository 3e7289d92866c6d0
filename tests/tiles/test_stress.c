/* Random programs on tiled matrices in host memory and in devices', on devices and cores with hardly any memory, with kernels
 * and transfers of random duration, and in most runs one failure somewhere: of an allocation, a copy, a launch, or a kernel.
 * The program must end; a failure is reported, and after it the context computes the right result; nothing stays allocated.
 * Right is what the same program gives on flat matrices of one device, which a second, sequential execution by tiles must
 * repeat bit for bit. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "dense.h"
#include "tap.h"

enum { N = 44, MATRICES = 4, STEPS = 9, HANG = 60 };

/* ---- a host backend that takes its time and fails when told to ----------------------------------------------------------- */

typedef enum fault { NOTHING, ALLOC, HOST_ALLOC, COPY, LAUNCH, KERNEL, QUEUE, EVENT, RECORD, AFTER, WAIT, NOTICE, FAULTS } fault;
static const char *const fault_name[] = {"nothing", "device memory", "host memory", "copy", "launch", "kernel", "queue", "event", "record",
                                         "after", "wait", "notice"};

static struct {
    pthread_mutex_t lock;
    uint64_t seed;
    bool slow;
    fault what;
    long calls, at, live, hits;
} nature = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

/* Waits a while; true: this is the call that fails. */
static bool strikes(fault what)
{
    pthread_mutex_lock(&nature.lock);
    bool now = nature.what == what && ++nature.calls == nature.at;
    unsigned pause = nature.slow && draw(&nature.seed) % 16 == 0 ? (unsigned)(nature.seed % 200) : 0;
    nature.hits += now;
    pthread_mutex_unlock(&nature.lock);
    if (pause && what != ALLOC && what != HOST_ALLOC) usleep(pause);
    return now;
}

static tsl_status slow_copy(tsl_queue *q, void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t rows, size_t cols,
                            tsl_direction dir)
{
    return strikes(COPY) ? TSL_ERR_DEVICE : tsl_host_backend.copy2d(q, dst, dst_pitch, src, src_pitch, rows, cols, dir);
}

static tsl_status bad_kernel(tsl_queue *q, const tsl_leaf *l) { return q && l ? TSL_ERR_DEVICE : TSL_OK; }

static tsl_status slow_kernel(tsl_queue *q, const tsl_leaf *l)
{
    (void)q, (void)l;
    (void)strikes(FAULTS);
    return TSL_OK;
}

/* Some kernels take longer: another one that only sleeps goes before them. */
static tsl_status slow_launch(tsl_queue *q, tsl_kernel fn, const tsl_leaf *l)
{
    if (strikes(LAUNCH)) return TSL_ERR_DEVICE;
    tsl_status st = tsl_host_backend.launch(q, slow_kernel, l);
    return st ? st : tsl_host_backend.launch(q, strikes(KERNEL) ? bad_kernel : fn, l);
}

static tsl_status slow_queue(tsl_device *dev, int priority, void *adopt, tsl_queue **q)
{
    return strikes(QUEUE) ? TSL_ERR_DEVICE : tsl_host_backend.queue_open(dev, priority, adopt, q);
}

static tsl_status slow_event(tsl_device *dev, tsl_event **e) { return strikes(EVENT) ? TSL_ERR_DEVICE : tsl_host_backend.event_open(dev, e); }

static tsl_status slow_record(tsl_queue *q, tsl_event *e) { return strikes(RECORD) ? TSL_ERR_DEVICE : tsl_host_backend.event_record(q, e); }

static tsl_status slow_after(tsl_queue *q, tsl_event *e) { return strikes(AFTER) ? TSL_ERR_DEVICE : tsl_host_backend.event_after(q, e); }

static tsl_status slow_notify(tsl_queue *q, const tsl_notice *n) { return strikes(NOTICE) ? TSL_ERR_DEVICE : tsl_host_backend.notify(q, n); }

/* It has waited, though it says that it failed. */
static tsl_status slow_wait(tsl_queue *q)
{
    tsl_status st = tsl_host_backend.queue_wait(q);
    return strikes(WAIT) ? TSL_ERR_DEVICE : st;
}

static tsl_status slow_event_wait(tsl_event *e)
{
    tsl_status st = tsl_host_backend.event_wait(e);
    return strikes(WAIT) ? TSL_ERR_DEVICE : st;
}

static tsl_backend slow_backend;

static void *count_alloc(void *user, int device, size_t bytes)
{
    (void)user;
    void *p = strikes(device < 0 ? HOST_ALLOC : ALLOC) || posix_memalign(&p, 256, bytes) ? NULL : p;
    pthread_mutex_lock(&nature.lock);
    nature.live += p != NULL;
    pthread_mutex_unlock(&nature.lock);
    return p;
}

static void count_free(void *user, int device, void *p, size_t bytes)
{
    (void)user, (void)device, (void)bytes;
    pthread_mutex_lock(&nature.lock);
    nature.live--;
    pthread_mutex_unlock(&nature.lock);
    free(p);
}

static void set_fault(fault what, long at)
{
    pthread_mutex_lock(&nature.lock);
    nature.what = what, nature.at = at, nature.calls = nature.hits = 0;
    pthread_mutex_unlock(&nature.lock);
}

/* ---- programs ------------------------------------------------------------------------------------------------------------- */

typedef struct program {
    struct step {
        int op, a, b, c;
        int64_t at, size; /* a diagonal block of all operands */
        tsl_op turn;
    } step[STEPS];
    int64_t nb[MATRICES]; /* of the tiles; two of them agree in most programs */
    dense start[MATRICES];
} program;

static program program_make(uint64_t seed)
{
    program p;
    int64_t nb = 7 + (int64_t)(draw(&seed) % 14);
    for (int s = 0; s < STEPS; s++) {
        int a = (int)(draw(&seed) % MATRICES), b = (int)(draw(&seed) % MATRICES), c = (int)(draw(&seed) % MATRICES);
        while (c == a || c == b) c = (c + 1) % MATRICES; /* the written one is no other */
        int64_t at = draw(&seed) % 3 ? 0 : (int64_t)(draw(&seed) % 20);
        p.step[s] = (struct step){(int)(draw(&seed) % 7), a, b, c, at, N - at, (tsl_op)(draw(&seed) % 4)};
    }
    for (int i = 0; i < MATRICES; i++) {
        p.nb[i] = draw(&seed) % 4 ? nb : nb + 3;
        p.start[i] = dense_make(TSL_Z, N, N, CANARY_FINITE);
        dense_dominant(&p.start[i], draw(&seed));
    }
    return p;
}

/* Scaled so that numbers stay of order one, whatever the sequence. */
static tsl_status perform(tsl_context *x, const struct step *s, tsl_matrix *const *m)
{
    const double small = 1.0 / (4 * N);
    tsl_view a = tsl_sub(tsl_whole(m[s->a]), s->at, s->at, s->size, s->size);
    tsl_view b = tsl_sub(tsl_whole(m[s->b]), s->at, s->at, s->size, s->size);
    tsl_view c = tsl_sub(tsl_whole(m[s->c]), s->at, s->at, s->size, s->size), turned = a;
    turned.op = s->turn;
    switch (s->op) {
    case 0: return tsl_gemm(x, small * small, turned, b, 0.5, c);
    case 1: return tsl_gemm(x, small, a, b, 0, c); /* what c was does not matter */
    case 2: return tsl_copy(x, turned, c);
    case 3: return tsl_herk(x, small * small, turned, 1, tsl_lower(c));
    case 4: return tsl_trmm(x, TSL_LEFT, small, tsl_lower(a), c);
    case 5: return tsl_scale(x, 0.75, tsl_upper(c));
    default: return tsl_hemm(x, TSL_RIGHT, small, tsl_lower(a), b, 0.25, c);
    }
}

static void *const at_home[MATRICES]; /* all of them in `out` itself */

/* The program on tiles (or flat matrices), in a region or call by call; on[i] is where matrix i lives meanwhile, NULL: in out,
 * where all results go. The first error, wherever it shows. */
static tsl_status run(tsl_context *x, const program *p, bool tiled, bool region, void *const *on, dense *out)
{
    tsl_matrix *m[MATRICES] = {0};
    void *data[MATRICES];
    tsl_status st = TSL_OK;
    for (int i = 0; i < MATRICES; i++) memcpy(data[i] = on[i] ? on[i] : out[i].data, p->start[i].data, out[i].bytes);
    for (int i = 0; i < MATRICES && !st; i++)
        st = tiled ? tsl_tiled_wrap(x, TSL_Z, N, N, data[i], out[i].ld, p->nb[i], &m[i])
                   : tsl_matrix_wrap(x, TSL_Z, N, N, out[i].data, out[i].ld, &m[i]);
    if (!st && region) st = tsl_begin(x);
    for (int s = 0; s < STEPS && !st; s++) st = perform(x, &p->step[s], m);
    tsl_status late = tsl_wait(x);
    for (int i = 0; i < MATRICES; i++) tsl_matrix_free(m[i]);
    for (int i = 0; i < MATRICES; i++) memmove(out[i].data, data[i], out[i].bytes);
    if (!late) late = tsl_wait(x); /* of the last matrix's transfers */
    return st ? st : late;
}

static double distance(const dense *a, const dense *b)
{
    double worst = 0;
    for (int i = 0; i < MATRICES; i++)
        for (int64_t j = 0; j < N; j++)
            for (int64_t k = 0; k < N; k++) worst = worse(worst, cabs(dense_get(&a[i], k, j) - dense_get(&b[i], k, j)));
    return worst;
}

static int same(const dense *a, const dense *b)
{
    for (int i = 0; i < MATRICES; i++)
        if (!dense_same(&a[i], &b[i])) return 0;
    return 1;
}

static tsl_context *open_slow(const char *devices)
{
    static const tsl_allocator counting = {count_alloc, count_free, NULL};
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = devices;
    cfg.allocator = &counting;
    tsl_status st = tsl_context_create(&cfg, &x);
    check(!st, "%s: %s", devices, tsl_status_name(st));
    slow_backend = tsl_host_backend;
    slow_backend.copy2d = slow_copy, slow_backend.launch = slow_launch, slow_backend.notify = slow_notify;
    slow_backend.queue_open = slow_queue, slow_backend.queue_wait = slow_wait;
    slow_backend.event_open = slow_event, slow_backend.event_record = slow_record, slow_backend.event_after = slow_after;
    slow_backend.event_wait = slow_event_wait;
    for (int d = 0; x && d < x->device_count; d++)
        if (!x->devices[d].shares_host) x->devices[d].be = &slow_backend;
    return x;
}

/* Some matrices move to some devices, which get room for them beside what they have. */
static void settle(tsl_context *x, uint64_t seed, const program *p, void **on)
{
    for (int i = 0; i < MATRICES; i++) {
        tsl_device *dev = &x->devices[draw(&seed) % (uint64_t)x->device_count];
        if (draw(&seed) % 2) continue;
        dev->limit += p->start[i].bytes;
        check(!tsl_device_alloc(dev, p->start[i].bytes, &on[i]), "a matrix on device %d", dev->index);
    }
}

static void unsettle(tsl_context *x, void **on)
{
    for (int i = 0; i < MATRICES; i++)
        for (int d = 0; d < x->device_count; d++) tsl_device_release(&x->devices[d], on[i]);
}

/* The bits of the sequential run; in place, by several tiles at once, perhaps others. */
static bool agrees(const dense *out, const dense *bits, const dense *right, bool in_place)
{
    return same(out, bits) || (in_place && distance(out, right) < 1e-10);
}

/* One program under one set of circumstances. */
static void trial(uint64_t seed, const program *p, const dense *right, const dense *bits, dense *out)
{
    static const char *const specs[] = {"host:1,mem=%zu", "host:2,mem=%zu", "host:3,mem=%zu", "host:4,mem=%zu", "host:7,mem=%zu",
                                        "host:1,mem=%zu+host,mem=%zu", "host:3,mem=%zu+host,mem=%zu", "host"};
    static const char *const policies[] = {"auto", "auto", "basic", "affinity", "cache", "write-back"};
    static const char *const dists[] = {"2d", "rows", "cols"};
    char spec[64];
    void *on[MATRICES] = {0};
    int64_t nb = 0;
    for (int i = 0; i < MATRICES; i++) nb = p->nb[i] > nb ? p->nb[i] : nb;
    /* three tiles and workspace for a few: of each of the executors */
    size_t limit = (size_t)((draw(&seed) % 2 ? 9 : 30) * nb * nb) * 16 + 8192;
    size_t shared = limit + (size_t)tsl_blas_cores() * ((size_t)(6 * nb * nb) * 16 + 4096); /* each core has its own workspace */
    snprintf(spec, sizeof spec, specs[draw(&seed) % 8], limit, shared);
    bool in_place = !strcmp(spec, "host");
    const char *policy = policies[draw(&seed) % 6], *dist = dists[draw(&seed) % 3];
    fault what = (fault)(draw(&seed) % FAULTS);
    long at = 1 + (long)(draw(&seed) % 400);
    bool region = draw(&seed) % 4 != 0;
    nature.seed = seed, nature.slow = draw(&seed) % 2;
    set_fault(NOTHING, 0);
    tsl_context *x = open_slow(spec);
    if (!x) return;
    check(!tsl_set(x, "policy", policy) && !tsl_set(x, "dist", dist) && !tsl_set(x, "diag-on", seed % 3 ? "device" : "host"), "set");
    if (draw(&seed) % 2 && !in_place) settle(x, seed, p, on);
    set_fault(what, at);
    tsl_status st = run(x, p, true, region, on, out);
    bool struck = nature.hits;
    set_fault(NOTHING, 0);
    if (!struck || !st) { /* memory that fails may mean no more than an eviction, or a task that is done at once; a wait has waited */
        check(!st, "seed %llx %s %s: %s %s", (unsigned long long)seed, spec, policy, tsl_status_name(st), tsl_error(x));
        check(!struck || what == ALLOC || what == HOST_ALLOC || what == WAIT, "seed %llx %s %s: %s %ld failed, unreported", (unsigned long long)seed, spec, policy,
              fault_name[what], at);
        check(st || agrees(out, bits, right, in_place), "seed %llx %s %s: off by %g", (unsigned long long)seed, spec, policy,
              distance(out, right));
    } else {
        tsl_status want = what == ALLOC ? TSL_ERR_DEVICE_MEMORY : what == HOST_ALLOC ? TSL_ERR_MEMORY : TSL_ERR_DEVICE;
        check(st == want, "seed %llx %s %s: %s %ld: %s", (unsigned long long)seed, spec, policy, fault_name[what], at, tsl_status_name(st));
        st = run(x, p, true, region, on, out);
        check(!st && agrees(out, bits, right, in_place), "seed %llx %s %s: after %s %ld: %s %s, off by %g", (unsigned long long)seed, spec,
              policy, fault_name[what], at, tsl_status_name(st), tsl_error(x), distance(out, right));
    }
    unsettle(x, on);
    tsl_context_destroy(x);
    check(tsl_device_intrusions == 0, "seed %llx %s %s: %ld device calls under the lock", (unsigned long long)seed, spec, policy,
          tsl_device_intrusions);
    check(nature.live == 0, "seed %llx %s %s: %s %ld: %ld blocks left", (unsigned long long)seed, spec, policy, fault_name[what], at,
          nature.live);
}

int main(void)
{
    const char *text = getenv("TESELA_TEST_SECONDS"), *from = getenv("TESELA_TEST_SEED");
    time_t end = time(NULL) + (text ? atol(text) : 10);
    uint64_t seed = from ? strtoull(from, NULL, 16) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u; /* another one each time */
    printf("# TESELA_TEST_SEED=%llx\n", (unsigned long long)seed);
    dense right[MATRICES], bits[MATRICES], out[MATRICES];
    long programs = 0, trials = 0;
    for (int i = 0; i < MATRICES; i++)
        right[i] = dense_make(TSL_Z, N, N, CANARY_FINITE), bits[i] = dense_copy(&right[i]), out[i] = dense_copy(&right[i]);
    do {
        program p = program_make(draw(&seed));
        tsl_context *flat = open_slow("host:1");
        set_fault(NOTHING, 0);
        check(!tsl_set(flat, "path", "one") && !run(flat, &p, false, false, at_home, right), "flat: %s", tsl_error(flat));
        tsl_context_destroy(flat);
        tsl_context *one = open_slow("host:1");
        check(!tsl_set(one, "policy", "basic") && !run(one, &p, true, false, at_home, bits), "sequential: %s", tsl_error(one));
        check(distance(bits, right) < 1e-10, "program %ld: tiles are off by %g", programs, distance(bits, right));
        tsl_context_destroy(one);
        for (int t = 0; t < 6 && (trials == 0 || time(NULL) <= end); t++, trials++) {
            alarm(HANG); /* the default action ends the program: a hang is a failure */
            trial(draw(&seed), &p, right, bits, out);
        }
        alarm(0);
        for (int i = 0; i < MATRICES; i++) dense_free(&p.start[i]);
        programs++;
    } while (time(NULL) < end && !tap_group_failed);
    check(trials > 0, "no trial was made");
    checked("%ld random programs, %ld trials", programs, trials);
    for (int i = 0; i < MATRICES; i++) dense_free(&right[i]), dense_free(&bits[i]), dense_free(&out[i]);
    return tap_done();
}
