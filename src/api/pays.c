/* Whether a device pays, by the rates in the tuning tables: it must move the operands, compute, and still be sooner than the
 * host's cores. */
#include "api/pays.h"

#include "api/describe.h"
#include "api/enter.h"
#include "tiled/tiled.h"
#include "tune/tune.h"

static double rate_of(const tsl_context *x, bool core, const tsl_described *p, int64_t order)
{
    double known = tsl_tuned_rate(x, core, p->c.op, p->type, order);
    return 1e9 * (known > 0 ? known : (double)tsl_tuned_for(!core, tsl_is_double(p->type) ? TSL_TUNED_RATE_DOUBLE : TSL_TUNED_RATE_SINGLE));
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
    double begins = 1e-6 * (double)tsl_tuned_for(true, TSL_TUNED_BEGINNING), link = tsl_tuned_link(x);
    double host = p->flops / (rate_of(x, true, p, order) * tsl_blas_cores());
    if (!(link > 0)) link = (double)tsl_tuned_for(true, TSL_TUNED_LINK);
    return begins + moved(p) / (1e9 * link) + p->flops / rate_of(x, false, p, order) < host;
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
