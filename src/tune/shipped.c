/* The tables that come with the library: text, compiled in. A GPU without a table of its own uses the H200's; the host's says
 * more of the kinds of cores that were measured. */
#include <string.h>

#include "tune/tune.h"

const char *tsl_shipped(const char *backend)
{
    static const struct {
        const char *backend, *text;
    } tables[] = {
        {"cuda",
#include "tune/h200.inc"
        },
        {"host",
#include "tune/host.inc"
#ifdef __x86_64__
#include "tune/core_x86.inc"
#endif
        },
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
        if (!strcmp(backend, tables[i].backend)) return tables[i].text;
    return NULL;
}
