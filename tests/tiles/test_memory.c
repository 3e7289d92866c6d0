/* A memory limit is a limit, not an error: every routine with a tiled form on limits from what one task of 64 x 64 tiles needs upwards,
 * judged by residuals and the naive reference; one byte less is refused, with the bytes needed and free; what earlier calls kept is
 * given back; results of one tile size have the same bits on every limit and number of devices; what is moved stays within the model of docs/tiles.md. */
#include "memory.h"

static tsl_status once(bench_problem *p)
{
    tsl_status st = bench_restore(p, BENCH_HOST);
    return st ? st : bench_run(p, p->routine->typed[p->c.type] ? BENCH_TYPED : BENCH_VIEWS);
}

static const char *judge(bench_problem *p)
{
    if (bench_trespass(p)) return "changed where it must not";
    if (!(bench_residual(p) < BENCH_OK)) return "residual";
    return bench_deviation(p) < BENCH_OK ? NULL : "off the reference";
}

/* From `bytes`, which is too little, to the least limit on which the problem is solved: the error says how much was missing. 0: it does
 * not, or not truly. */
static size_t least_limit(tsl_context *x, bench_problem *p, size_t bytes, const char *what)
{
    size_t need = 0, free = 0;
    limit(x, bytes);
    tsl_status st = once(p);
    check(st == TSL_ERR_DEVICE_MEMORY && told(x, &need, &free), "%s on %zu bytes: %s '%s'", what, bytes, tsl_status_name(st), tsl_error(x));
    if (need <= free) return 0;
    bytes += need - free;
    limit(x, bytes - 1);
    check(once(p) == TSL_ERR_DEVICE_MEMORY && !memcmp(p->a[p->count - 1].work, p->a[p->count - 1].first, 1), "%s on a byte too little", what);
    return bytes;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names)) names++;
    return *names;
}

static bool is_of_vectors(const bench_routine *r)
{
    static const char *const names[] = {"axpy", "scal", "sscal", "dscal", "copy", "swap", "dot", "dotu", "dotc", "nrm2", "asum", "iamax",
                                        "rot", "srot", "drot", "rotm", NULL};
    return is_one_of(r->name, names);
}

static bench_case letters(const bench_routine *r, tsl_type t, unsigned turn)
{
    bench_case c = {.type = t, .m = 100, .n = is_of_vectors(r) ? 20011 : 131, .k = 70, .alpha = 0.7, .beta = -0.6, .pad = 1, .seed = turn};
    for (int f = 0; f < BENCH_FLAGS; f++) {
        const char *all = bench_letters(r, t, (bench_flag)f, BENCH_TYPED);
        c.flag[f] = *all ? all[turn / (unsigned)(f + 1) % strlen(all)] : 0;
    }
    return c;
}

static bool is_tiled(const bench_routine *r)
{
    static const char *const names[] = {"gemm", "gemmt", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm", "potrf", "potrs",
                                        "posv", "trtri", "potri", "lauum", "gemv", "symv", "hemv", "ger", "geru", "gerc", "trmv", "trsv",
                                        "syr", "her", "syr2", "her2", "lange", "lansy", "lanhe", "lantr", NULL};
    return is_one_of(r->name, names) || is_of_vectors(r);
}

/* One context for all limits, so every call finds what the one before has kept. */
static void sweep(const char *spec, tsl_type t)
{
    static const double times[] = {1, 1.02, 5, 1.4, 2, 1.1, 3, 1};
    tsl_context *x = make(spec);
    unsigned turn = 0, routines = 0;
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++) {
        if (!is_tiled(r) || !r->typed[t]) continue;
        bench_case c = letters(r, t, turn++);
        bench_problem p;
        limit(x, SIZE_MAX);
        routines++;
        check(!bench_open(x, r, &c, BENCH_HOST, &p) && !set(x, "auto", "0"), "%s", r->name);
        size_t least = least_limit(x, &p, 12 << 10, r->name);
        for (size_t k = 0; k < COUNT(times) && least; k++) {
            limit(x, (size_t)((double)least * times[k]));
            tsl_status st = once(&p);
            const char *wrong = st ? tsl_error(x) : !within(x) ? "past the limit" : k % 2 ? NULL : judge(&p);
            check(!wrong, "%s %c%s on %g times the least: %s", spec, tsl_type_letter(t), r->name, times[k], wrong);
        }
        bench_close(&p);
    }
    check(routines >= 30, "%u routines", routines);
    tsl_context_destroy(x);
    checked("%s, %c: %u routines complete on every limit, and say what is missing below", spec, tsl_type_letter(t), routines);
}

/* For tiles of one size: as on one device without a limit, bit for bit. */
static void bits(const char *spec, tsl_type t)
{
    static const size_t tiles[] = {6, 9, 14, 20, 30, 45};
    tsl_context *x = make(spec), *one = make("host:1");
    unsigned turn = 7;
    const bench_routine *r;
    for (int i = 0; (r = bench_routine_at(i)); i++) {
        if (!is_tiled(r) || !r->typed[t]) continue;
        bench_case c = letters(r, t, turn++);
        bench_problem p, right;
        limit(x, SIZE_MAX);
        check(!bench_open(one, r, &c, BENCH_HOST, &right) && !set(one, "tiles", "16") && !once(&right), "%s: %s", r->name, tsl_error(one));
        check(!bench_open(x, r, &c, BENCH_HOST, &p) && !set(x, "tiles", "16"), "%s: %s", r->name, tsl_error(x));
        bench_array *out = &p.a[p.count - 1];
        size_t bytes = (size_t)(out->ld * out->width) * tsl_type_size(t);
        for (size_t k = 0; k < COUNT(tiles); k++) {
            limit(x, tiles[k] * 16 * 16 * tsl_type_size(t) + 4096);
            check(!once(&p) && within(x) && !memcmp(right.a[p.count - 1].work, out->work, bytes) && !memcmp(right.out, p.out, sizeof p.out),
                  "%s %c%s, %zu tiles: other bits %s", spec, tsl_type_letter(t), r->name, tiles[k], tsl_error(x));
        }
        bench_close(&p);
        bench_close(&right);
    }
    tsl_context_destroy(x);
    tsl_context_destroy(one);
    checked("%s, %c: the same bits on every limit as on one device", spec, tsl_type_letter(t));
}

int main(void)
{
    static const char *const specs[] = {"host:1", "host:3"};
    for (int s = 0; s < 2; s++)
        for (int t = TSL_D; t <= TSL_Z; t += TSL_Z - TSL_D) {
            sweep(specs[s], (tsl_type)t);
            bits(specs[s], (tsl_type)t);
        }
    return tap_done();
}
