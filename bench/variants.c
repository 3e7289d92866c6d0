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

const char *const *bench_variants(const bench_routine *r)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strcmp(families[i].routine, r->name))
            return families[i].variant;
    return NULL;
}
