/* The host's BLAS as the kernels call it: right where the library itself is known to be wrong on some processor. Operands end
 * at pages nobody may read. tests/scripts/core_types.sh runs this for several processors that OpenBLAS can pretend to be, in full for
 * every one. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "fuzz/arena.h"
#include "hostlib/defects.h"
#include "hostlib/product.h"
#include "hostlib/routines.h"
#include "tap.h"

enum { MOST = 40 };

static uint64_t state = 1;
static double any(void) { return (double)((state = state * 6364136223846793005u + 1442695040888963407u) >> 11) * 0x1p-52 - 1; }
static double modulus(double complex a) { return cabs(a); }
static int64_t at(int64_t i, int64_t n, int64_t inc) { return inc < 0 ? (i - n + 1) * inc : i * inc; }
static int64_t span(int64_t n, int64_t inc) { return n < 1 ? 0 : 1 + (n - 1) * (inc < 0 ? -inc : inc); }

#define INT_OF(x) (&(const int64_t){x})
#define FN(name) PASTE3(P, _, name)
#define BLAS(name) PASTE3(tsl_hostlib_, P, ).name
#define BODY "tests/machine/host_library.inc"
#include "core/types.inc"

int main(void)
{
    const char *missing = tsl_hostlib_fill();
    ok(!missing, "the library is there: %s", missing ? missing : tsl_hostlib_name());
    printf("# mended: %s\n", *tsl_hostlib_mends() ? tsl_hostlib_mends() : "nothing");
    if (missing) return tap_done();
    s_all();
    d_all();
    c_all();
    z_all();
    return tap_done();
}
