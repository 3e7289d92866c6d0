/* Whether a device pays, by the rates in the tuning tables: it must move the operands, compute, and still be sooner than the host's cores. */
#include "api/pays.h"

#include "api/describe.h"
#include "api/enter.h"
#include "tiled/tiled.h"
#include "tune/tune.h"

/* Where the tables do not know: a core with vectors of 256 bits, a slow link, a GPU that is not good at double precision. */
static const double CORE_RATE[] = {60e9, 30e9, 60e9, 30e9}; /* s d c z */
static const double DEVICE_RATE[] = {4e12, 1e12, 4e12, 1e12};
static const double LINK_RATE = 12e9;
static const double BEGINNING = 100e-6; /* seconds until a device has its first operand and after it has computed */

static double rate_of(const tsl_context *x, bool core, const tsl_described *p, int64_t order)
{
    double known = 1e9 * tsl_tuned_rate(x, core, p->c.op, p->type, order);
    return known > 0 ? known : core ? CORE_RATE[p->type] : DEVICE_RATE[p->type];
}

/* What goes there and what comes back, in bytes */
static double moved(const tsl_described *p)
{
    double sum = 0;
    for (int i = 0; i < tsl_ops[p->c.op].operands; ++i) {
        double bytes = (double)tsl_dense_bytes(p->mat[i].type, p->mat[i].m, p->mat[i].n);
        sum += tsl_ops[p->c.op].operand[i].access <= TSL_WRITES ? bytes : 2 * bytes;
    }
    return sum;
}

static bool sooner(const tsl_context *x, const tsl_described *p)
{
    int64_t order = tsl_max(p->mat[0].m, p->mat[0].n);
    double link = 1e9 * tsl_tuned_link(x), host = p->flops / (rate_of(x, true, p, order) * tsl_blas_cores());
    return BEGINNING + moved(p) / (link > 0 ? link : LINK_RATE) + p->flops / rate_of(x, false, p, order) < host;
}

bool tsl_pays(tsl_context *x, const char *routine, int64_t m, int64_t n, int64_t k, const char **why)
{
    tsl_described p;
    if (m < 0 || n < 0 || k < 0 || !tsl_describe(routine, m, n, k, &p) || tsl_enter_public(&x)) return false;
    bool pays;
    if (x->dev->shares_host) {
        tsl_decision d = tsl_decide(x, &p.c);
        pays = d.path == TSL_BY_TILES;
        *why = d.why;
    } else {
        pays = x->dev->be->accelerator && sooner(x, &p);
        *why = pays ? "the device is sooner, with what must be moved" : "the host's cores are as soon, with what must be moved";
    }
    tsl_leave(x, TSL_OK);
    return pays;
}
