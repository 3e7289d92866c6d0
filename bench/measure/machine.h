/* What a record was measured on and with. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "tesela.h"

typedef struct bench_machine {
    char cpu[256];
    int cores;           /* this process may use */
    char gpu[160];       /* of the context's devices, "2 x NVIDIA H200"; "": none */
    char libraries[512]; /* and their versions, joined by "; " */
    /* the sources this program was built from; a + behind: changed since. cmake/commit.cmake says whence */
    const char *commit;
} bench_machine;

void bench_machine_look(tsl_context *ctx, bench_machine *m);
void bench_date(char out[32]); /* now, "2026-11-16T03:04:05Z" */

#endif
