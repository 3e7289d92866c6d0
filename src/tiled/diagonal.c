/* Where diagonal blocks are factored: on the device that owns them, or on one of the host's cores. By rates of the tuning
 * tables, never by times of this run: a core's factor may differ from a device's in its last bits, and the same call must
 * always give the same. */
#include "tiled/tiled.h"

tsl_diagonal tsl_diagonal_on(const tsl_context *x, tsl_opcode op, tsl_type type, int64_t nb)
{
    if (x->diag_on[0] != 'a') return (tsl_diagonal){.on_cores = x->diag_on[0] == 'h', .why = "the option \"diag-on\" says so"};
    if (x->dev->shares_host) return (tsl_diagonal){.why = "the first device is the host's cores"};
    double n = (double)nb, bytes = n * n * (double)tsl_type_size(type);
    double flops = tsl_flops_of(tsl_ops[op].flops, type, nb, nb, 0);
    double device = tsl_tuned_rate(x, false, op, type, nb), core = tsl_tuned_rate(x, true, op, type, nb);
    double link = tsl_tuned_link(x);
    if (!(device > 0 && core > 0 && link > 0))
        return (tsl_diagonal){.why = "the tuning tables do not have the rates of both places"};
    tsl_diagonal d = {.device = 1e-9 * flops / device, .core = 1e-9 * (flops / core + 2 * bytes / link)};
    d.on_cores = d.core < d.device;
    d.why =
        d.on_cores ? "a core is faster, the way there and back included" : "a core is slower, the way there and back included";
    return d;
}
