#include "bench/rival/rival.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TSL_WITH_CUDA
static bool not_built(tsl_context *ctx, void **state, char line[BENCH_LINE])
{
    (void)ctx;
    *state = NULL;
    snprintf(line, BENCH_LINE, "this program was built without CUDA");
    return false;
}

const bench_rival bench_cublas = {"cublas", BENCH_DEVICE, bench_cublas_offers, .open = not_built};
const bench_rival bench_cublas_fixed = {"cublas-fixed", BENCH_DEVICE, bench_cublas_fixed_offers, .open = not_built};
const bench_rival bench_cublasxt = {"cublasxt", BENCH_HOST, bench_cublasxt_offers, .open = not_built};
const bench_rival bench_cusolver = {"cusolver", BENCH_DEVICE, bench_cusolver_offers, .open = not_built};
const bench_rival bench_cusolver_mixed = {"cusolver-mixed", BENCH_DEVICE, bench_cusolver_mixed_offers, .open = not_built};
const bench_rival bench_cusolver_jacobi = {"cusolver-jacobi", BENCH_DEVICE, bench_cusolver_jacobi_offers,
                                           .open = not_built};

bool bench_pin(void *p, size_t bytes)
{
    (void)p, (void)bytes;
    return false;
}

void bench_unpin(void *p) { (void)p; }

bool bench_pci(int ordinal, char *out, int size)
{
    (void)ordinal, (void)out, (void)size;
    return false;
}
#endif

static const bench_rival *const rivals[BENCH_RIVALS] = {
    &bench_openblas, &bench_cublas,         &bench_cublas_fixed,    &bench_cublasxt,
    &bench_cusolver, &bench_cusolver_mixed, &bench_cusolver_jacobi, &bench_scalapack};

const bench_rival *bench_rival_find(const char *name, size_t length)
{
    for (int i = 0; i < BENCH_RIVALS; i++)
        if (strlen(rivals[i]->name) == length && !memcmp(rivals[i]->name, name, length))
            return rivals[i];
    return NULL;
}

const char *bench_rival_names(void)
{
    return "openblas, cublas, cublas-fixed, cublasxt, cusolver, cusolver-mixed, cusolver-jacobi, scalapack";
}

void *bench_function(void *library, const char *name, tsl_type t)
{
    char symbol[64], letter = tsl_type_letter(t);
    size_t length = strlen(name);
    if (length >= sizeof symbol)
        return NULL;
    for (size_t i = 0; i <= length; i++)
        symbol[i] = name[i] == '?' ? (char)toupper(letter) : name[i] == '!' ? letter : name[i] == '@' ? "SD"[bench_real(t) == TSL_D] : name[i];
    return dlsym(library, symbol);
}

void *bench_room_for(bench_room *room, size_t bytes)
{
    if (bytes > room->bytes || !room->p) {
        free(room->p);
        room->p = malloc(bytes + 1);
        room->bytes = room->p ? bytes : 0;
    }
    return room->p;
}

void bench_room_free(bench_room *room)
{
    free(room->p);
    *room = (bench_room){0};
}

bench_number bench_number_of(tsl_type t, tsl_scalar v)
{
    switch (t) {
    case TSL_S: return (bench_number){.s = (float)creal(v)};
    case TSL_D: return (bench_number){.d = creal(v)};
    case TSL_C: return (bench_number){.c = (tsl_cfloat)v};
    default: return (bench_number){.z = v};
    }
}

tsl_scalar bench_value_of(tsl_type t, const bench_number *v)
{
    return t == TSL_S ? v->s : t == TSL_D ? v->d : t == TSL_C ? (tsl_scalar)v->c : v->z;
}
