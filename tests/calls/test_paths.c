/* Every routine on every path: each variant that any operation has, since a composite hands it on to its parts; device lists;
 * by tiles and not; tile sizes that divide nothing; shapes with one right-hand side, few, or fewer rows than columns; operands
 * in the caller's memory and in the device's. A call is right and gives the same bits each time, or says that it has no such
 * variant. Each routine runs in a process of its own: an algorithm that chooses itself again would end it.
 *
 * TESELA_TEST_ALL=1 takes every combination; otherwise some of them, others for each routine and type. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "extent.h"
#include "sweep.h"

enum { REPEATS = 3, NAMES = 64, SHARE = 23 };

static const char *const specs[] = {"host", "host:3", "host:2,mem=40K"};
static const char *const paths[] = {"one", "tiles"};
static const char *const tiles[] = {"0", "9", "16"};
static const struct {
    int64_t m, n, k;
} sizes[] = {{41, 55, 1}, {55, 41, 1}, {48, 48, 48}, {37, 37, 5}, {64, 20, 33}, {20, 64, 40}};
static const struct {
    int64_t row0, col0, pad;
} layouts[] = {{0, 0, 0}, {2, 3, 1}};

/* The names of all variants, each once */
static const char *names[NAMES];
static int name_count;

static void find_names(void)
{
    const bench_routine *r;
    const char *v;
    names[name_count++] = "auto";
    names[name_count++] = "leaf";
    for (int i = 0; (r = bench_routine_at(i)); i++)
        for (int k = 0; (v = bench_variant(r, k)); k++) {
            int known = 0;
            while (known < name_count && strcmp(names[known], v)) known++;
            if (known == name_count && known < NAMES) names[name_count++] = v;
        }
}

static char *now; /* what is about to run, for the parent of a process that ends in it */
static unsigned turn;
static bool all;

/* What every operand holds that may be written */
static void take(const bench_problem *p, char *to)
{
    for (int i = 0; i < p->count; i++) {
        const bench_array *a = &p->a[i];
        size_t bytes = (size_t)(a->ld * a->width) * tsl_type_size(a->type);
        memcpy(to, a->work, bytes);
        to += bytes;
    }
}

static tsl_status run(bench_problem *p, bench_interface by)
{
    tsl_status st = bench_restore(p, p->place);
    if (!st) st = bench_run(p, by);
    for (int i = 0; i < p->count && !st; i++) st = bench_fetch(p, i);
    return st;
}

static void judge(bench_problem *p, bench_interface by)
{
    size_t bytes = 0;
    for (int i = 0; i < p->count; i++) bytes += (size_t)(p->a[i].ld * p->a[i].width) * tsl_type_size(p->a[i].type);
    char *first = malloc(bytes + 1), *later = malloc(bytes + 1);
    tsl_status st = first && later ? run(p, by) : TSL_ERR_MEMORY;
    bool none = st == TSL_ERR_OPTION || (st == TSL_ERR_DEVICE_MEMORY && strstr(now, "mem="));
    check(!st || none, "%s: %s", now, tsl_error(p->ctx));
    if (!st) {
        const char *where = bench_trespass(p);
        double residual = bench_residual(p);
        check(!where && residual < BENCH_OK, "%s: residual %.3g%s%s", now, residual, where ? ", trespass on " : "", where ? where : "");
        take(p, first);
    }
    for (int r = 1; r < REPEATS && !st; r++) {
        check(!run(p, by), "%s: the next time: %s", now, tsl_error(p->ctx));
        take(p, later);
        check(!memcmp(first, later, bytes), "%s: other bits at time %d", now, r + 1);
    }
    free(first), free(later);
}

/* One case of a routine, type and context with variant and path set */
static void one(tsl_context *x, const bench_routine *r, tsl_type type, const char *spec, const char *variant, const char *path, const char *tile, int size, int layout)
{
    bench_interface by = r->typed[type] && turn % 3 ? BENCH_TYPED : BENCH_VIEWS;
    bench_place place = turn / 3 % 2 ? BENCH_DEVICE : BENCH_HOST;
    bench_case c = {.type = type, .m = sizes[size].m, .n = sizes[size].n, .k = sizes[size].k, .alpha = 1, .beta = 0.5, .seed = turn + 1,
                    .row0 = layouts[layout].row0, .col0 = layouts[layout].col0, .pad = layouts[layout].pad, .dominant = bench_no_pivots(variant)};
    if (by == BENCH_VIEWS && !r->views) return;
    char letters[BENCH_FLAGS + 1] = "";
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *legal = bench_letters(r, type, (bench_flag)f, by);
        c.flag[f] = *legal ? legal[sweep_pick(turn, (unsigned)f, strlen(legal))] : 0;
        letters[f] = c.flag[f] ? c.flag[f] : '-';
    }
    snprintf(now, 400, "%c%s on %s, variant %s, path %s, tile %s, m %d n %d k %d, %s, at %d, %s, %s", tsl_type_letter(type), r->name, spec, variant, path, tile, (int)c.m,
             (int)c.n, (int)c.k, letters, (int)c.row0, place == BENCH_HOST ? "host memory" : "device memory", by == BENCH_TYPED ? "typed" : "views");
    bench_problem p;
    tsl_status st = tsl_set(x, "tile", tile);
    if (!st) st = tsl_set(x, "path", path);
    if (!st) st = tsl_set(x, "variant", variant);
    check(!st, "%s: %s", now, tsl_error(x));
    if (st || (st = bench_open(x, r, &c, place, &p))) {
        check(st == TSL_ERR_DEVICE_MEMORY && strstr(spec, "mem="), "%s: operands: %s", now, tsl_error(x));
        return;
    }
    judge(&p, by);
    bench_close(&p);
}

static void on_spec(const bench_routine *r, tsl_type type, const char *spec)
{
    tsl_config cfg = tsl_config_default();
    tsl_context *x = NULL;
    cfg.devices = spec;
    if (tsl_context_create(&cfg, &x)) return;
    for (int v = 0; v < name_count; v++)
        for (size_t p = 0; p < COUNT(paths); p++)
            for (size_t t = 0; t < COUNT(tiles); t++)
                for (size_t z = 0; z < COUNT(sizes); z++)
                    for (size_t l = 0; l < COUNT(layouts); l++, turn++)
                        if (all || sweep_pick(turn, 7, SHARE) == 0) one(x, r, type, spec, names[v], paths[p], tiles[t], (int)z, (int)l);
    tsl_context_destroy(x);
}

/* In a child */
static int routine(const bench_routine *r, unsigned number)
{
    struct rlimit small = {1 << 20, 1 << 20}; /* of stack: endless recursion ends soon */
    setrlimit(RLIMIT_STACK, &small);
    alarm(500);
    turn = number << 16;
    for (int t = TSL_S; t <= TSL_Z; t++)
        for (size_t s = 0; s < COUNT(specs); s++)
            if (bench_has_type(r, (tsl_type)t) && (all || (s + (unsigned)t + number) % 2 == 0)) on_spec(r, (tsl_type)t, specs[s]);
    fflush(stdout);
    return tap_group_failed ? 1 : tap_group ? 0 : 2;
}

int main(int argc, char **argv)
{
    const bench_routine *r;
    all = in_full();
    now = mmap(NULL, 400, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED) return 1;
    find_names();
    for (int i = 0; (r = bench_routine_at(i)); i++) {
        if (!bench_takes_variants(r) || (argc > 1 && strcmp(argv[1], r->name))) continue;
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) _exit(routine(r, (unsigned)i));
        waitpid(child, &status, 0);
        bool ended = WIFEXITED(status);
        ok(ended && WEXITSTATUS(status) == 0, "%s%s%s", r->name, ended ? "" : ": it ended in ", ended ? "" : now);
    }
    return tap_done();
}
