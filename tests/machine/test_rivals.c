/* A ratio says something only if the rival computes the same: every rival's routines, with every letter, at one odd size. It
 * may decline a type, but not all of a routine that it offers. */
#include "bench/rival/rival.h"
#include "hostlib/defects.h"
#include "sweep.h"

static tsl_status fetch_written(bench_problem *p)
{
    tsl_status st = TSL_OK;
    for (int i = 0; i < p->count && !st; i++) st = bench_writes(p, i) ? bench_fetch(p, i) : TSL_OK;
    return st;
}

/* What others have wrong is theirs to mend: complex rotg of some versions of OpenBLAS gives no rotation, and what our own probe of
 * it finds; cuSOLVER's singular values of batches go by A^H A, and in double precision leave hundreds of n eps |A|. */
static bool known_to_fail(const sweep *s, const bench_rival *rival)
{
    bool rotg = !strcmp(s->r->name, "rotg") && bench_is_complex(s->type), asum = !strcmp(s->r->name, "asum") && tsl_hostlib_wrong[s->type].asum;
    bool squared = !strcmp(s->r->name, "gesvd_batch") && (s->type == TSL_D || s->type == TSL_Z);
    return (!strcmp(rival->name, "openblas") && (rotg || asum)) || (!strcmp(rival->name, "cusolver") && squared);
}

/* Which step failed, or NULL */
static const char *run_rival(const bench_rival *rival, void *state, bench_problem *p)
{
    if (bench_restore(p, p->place)) return "the problem is lost";
    if (!rival->run(state, p)) return "its call fails";
    if (rival->finish && !rival->finish(state, p)) return "its result cannot be brought into our form";
    return fetch_written(p) ? "its result cannot be fetched" : NULL;
}

static bool unlike(const sweep *s, const bench_rival *rival)
{
    return !strcmp(rival->name, "cusolver") && s->r->cusolver.unlike;
}

/* The first of a few shapes that the rival takes: some want no more columns than rows, some small ones. False: none. *declined:
 * it says so itself */
static bool open_for(sweep *s, const bench_rival *rival, void *state, bench_case *c, bench_problem *p, bool *declined)
{
    static const int64_t shapes[][2] = {{31, 37}, {37, 31}, {29, 23}};
    *declined = true;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        c->m = shapes[i][0], c->n = shapes[i][1];
        if (bench_open(s->ctx, s->r, c, rival->place, p)) return *declined = false;
        bool runs = bench_rival_runs(rival, p);
        *declined &= !runs;
        if (runs && rival->prepare(state, p)) return true;
        bench_close(p);
    }
    return false;
}

/* False: it declines all problems of the type */
static bool check_rival(sweep *s, const bench_rival *rival, void *state)
{
    bench_case c = {.type = s->type, .k = 23, .count = 5, .alpha = s->r->alpha, .beta = s->r->beta, .pad = 2};
    char whose[40];
    bool takes = false, declined;
    if (unlike(s, rival)) {
        skip("%s's %c%s on %s: it computes something else", rival->name, tsl_type_letter(s->type), s->r->name, s->devices);
        return true;
    }
    sweep_first_flags(s, BENCH_TYPED, &c);
    do {
        bench_problem p;
        double residual = INFINITY;
        bool opened = open_for(s, rival, state, &c, &p, &declined);
        takes |= !declined;
        if (!opened) {
            sweep_describe(s, &c, rival->place, BENCH_TYPED, "it takes no such problem");
            continue;
        }
        const char *what = run_rival(rival, state, &p);
        if (!what) residual = s->r->residual(&p);
        bench_close(&p);
        if (!(residual < BENCH_OK) && known_to_fail(s, rival)) {
            skip("%s's %c%s on %s: wrong in this version of it", rival->name, tsl_type_letter(s->type), s->r->name, s->devices);
            return true;
        }
        if (!(residual < BENCH_OK)) sweep_describe(s, &c, rival->place, BENCH_TYPED, what ? what : "wrong");
        s->worst = worse(s->worst, residual);
        s->ran++;
    } while (sweep_next_flags(s, BENCH_TYPED, &c));
    snprintf(whose, sizeof whose, "%s's ", rival->name);
    if (takes) sweep_report(s, whose);
    return takes;
}

static void check_rivals(tsl_context *ctx, const char *devices)
{
    const char *names = bench_rival_names();
    for (size_t length; *names; names += length + strspn(names + length, ", ")) {
        length = strcspn(names, ",");
        const bench_rival *rival = bench_rival_find(names, length);
        char line[BENCH_LINE] = "no such rival";
        void *state;
        if (!rival || !rival->open(ctx, &state, line)) {
            skip("%.*s on %s: %s", (int)length, names, devices, line);
            continue;
        }
        const bench_routine *r;
        for (int i = 0; (r = bench_routine_at(i)); i++) {
            bool takes = false;
            for (int t = TSL_S; t <= TSL_Z && rival->offers(r); t++) {
                sweep s = {.ctx = ctx, .devices = devices, .r = r, .type = (tsl_type)t};
                if (bench_has_type(s.r, s.type)) takes |= check_rival(&s, rival, state);
            }
            if (rival->offers(r)) ok(takes, "%s's %s on %s: of some type", rival->name, r->name, devices);
        }
        rival->close(state);
    }
}

int main(void)
{
    sweep_on("host", check_rivals);
    sweep_on("host:3,mem=64M", check_rivals);
    sweep_on("cuda", check_rivals);
    return tap_done();
}
