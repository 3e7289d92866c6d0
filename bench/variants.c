/* The named variants of routines, for those who run them all: the tuner and the tests. */
#include <string.h>

#include "bench/bench.h"

static const struct family {
    const char *routine, *variant[6]; /* NULL ends them */
} families[] = {
    {"gemm", {"rec", "mp", "pm", "pp"}},
    {"gemmt", {"rec", "pp"}},
    {"symm", {"rec", "mp", "pm", "pp"}},
    {"hemm", {"rec", "mp", "pm", "pp"}},
    {"syrk", {"rec", "mp", "pm", "pp"}},
    {"herk", {"rec", "mp", "pm", "pp"}},
    {"syr2k", {"fused", "rec", "mp", "pm", "pp"}},
    {"her2k", {"fused", "rec", "mp", "pm", "pp"}},
    {"trmm", {"rec", "mp", "pm", "pp"}},
    {"trsm", {"rec", "mp", "pm", "pp"}},
    {"potrf", {"ahead", "1", "2", "3"}},
    {"trtri", {"rows", "sweep"}},
    {"lauum", {"sweep"}},
};

bool bench_has_variants(const bench_routine *r)
{
    static const char *const composites[] = {"potri", "potrs", "posv"}; /* whose parts have some */
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++)
        if (!strcmp(composites[i], r->name))
            return true;
    return bench_variants(r) != NULL;
}

const char *const *bench_variants(const bench_routine *r)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strcmp(families[i].routine, r->name))
            return families[i].variant;
    return NULL;
}
