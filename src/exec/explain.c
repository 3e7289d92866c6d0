/* What a call on arrays in host memory would do: path, tile size, memory, transfers and time, before it is made. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "exec/tiled.h"

enum { PROBE_HOST = 384, PROBE_GPU = 4096 };

/* Operands of the named routine: rows and columns, the triangle, and whether its sizes say more than one matrix. */
typedef struct problem {
    tsl_call c;
    tsl_matrix mat[TSL_MAX_OPERANDS];
    double flops;
} problem;

static tsl_opcode opcode_of(const char *name)
{
    int op = 0;
    while (op < TSL_OP_COUNT && strcmp(tsl_ops[op].name, name)) ++op;
    return (tsl_opcode)op;
}

static void operand(problem *p, int i, tsl_type type, int64_t m, int64_t n, tsl_uplo uplo)
{
    p->mat[i] = (tsl_matrix){.type = type, .m = m, .n = n, .ld = tsl_max(1, m)};
    p->c.v[i] = (tsl_view){.mat = &p->mat[i], .m = m, .n = n, .uplo = uplo};
}

/* Multiplications and additions, of complex numbers four times as many. False: no description of that operation. */
static bool describe(problem *p, tsl_opcode op, tsl_type t, int64_t m, int64_t n, int64_t k)
{
    double dm = (double)m, dn = (double)n, dk = (double)k;
    p->c = (tsl_call){.op = op, .alpha = 1, .beta = 1};
    switch (op) {
    case TSL_OP_GEMM: operand(p, 0, t, m, k, 0), operand(p, 1, t, k, n, 0), operand(p, 2, t, m, n, 0), p->flops = 2 * dm * dn * dk; break;
    case TSL_OP_SYMM:
    case TSL_OP_HEMM: operand(p, 0, t, m, m, 1), operand(p, 1, t, m, n, 0), operand(p, 2, t, m, n, 0), p->flops = 2 * dm * dm * dn; break;
    case TSL_OP_SYRK:
    case TSL_OP_HERK: operand(p, 0, t, n, k, 0), operand(p, 1, t, n, n, 1), p->flops = dn * dn * dk; break;
    case TSL_OP_SYR2K:
    case TSL_OP_HER2K: operand(p, 0, t, n, k, 0), operand(p, 1, t, n, k, 0), operand(p, 2, t, n, n, 1), p->flops = 2 * dn * dn * dk; break;
    case TSL_OP_TRMM:
    case TSL_OP_TRSM: operand(p, 0, t, m, m, 1), operand(p, 1, t, m, n, 0), p->flops = dm * dm * dn; break;
    case TSL_OP_POTRF:
    case TSL_OP_TRTRI:
    case TSL_OP_LAUUM: operand(p, 0, t, n, n, 1), p->flops = dn * dn * dn / 3; break;
    case TSL_OP_POTRI: operand(p, 0, t, n, n, 1), p->flops = 2 * dn * dn * dn / 3; break;
    case TSL_OP_POTRS: operand(p, 0, t, n, n, 1), operand(p, 1, t, n, k, 0), p->flops = 2 * dn * dn * dk; break;
    case TSL_OP_POSV: operand(p, 0, t, n, n, 1), operand(p, 1, t, n, k, 0), p->flops = dn * dn * (dn / 3 + 2 * dk); break;
    default: return false;
    }
    if (tsl_is_complex(t)) p->flops *= 4;
    return true;
}

static size_t bytes_of(const problem *p, bool written)
{
    size_t sum = 0;
    for (int i = 0; i < tsl_ops[p->c.op].operands; ++i)
        if (!written || tsl_ops[p->c.op].access[i] != 'R') sum += (size_t)p->mat[i].m * (size_t)p->mat[i].n * tsl_type_size(p->mat[i].type);
    return sum;
}

typedef struct rates { double flops, bytes; } rates;

/* Of the first device, by a product and a copy of its size. */
static tsl_status probe(tsl_context *x, tsl_type t, rates *r)
{
    int64_t n = x->dev->be == &tsl_host_backend ? PROBE_HOST : PROBE_GPU;
    size_t bytes = (size_t)(n * n) * tsl_type_size(t);
    tsl_matrix *A = NULL, *C = NULL, *host = NULL;
    void *p = tsl_host_alloc(&x->allocator, bytes);
    double seconds = 0;
    char variant[sizeof x->variant]; /* the caller's may be one of another operation */
    memcpy(variant, x->variant, sizeof variant);
    strcpy(x->variant, "auto");
    tsl_status st = p ? TSL_OK : TSL_ERR_MEMORY;
    if (p) memset(p, 0x3f, bytes); /* ordinary numbers: processors are faster with zeros */
    if (!st) st = tsl_matrix_create(x, t, n, n, &A);
    if (!st) st = tsl_matrix_create(x, t, n, n, &C);
    if (!st) st = tsl_matrix_wrap(x, t, n, n, p, n, &host);
    for (int turn = 0; turn < 2 && !st; ++turn) { /* the first one warms up */
        st = tsl_timer_start(x);
        if (!st) st = tsl_copy(x, tsl_whole(host), tsl_whole(A));
        if (!st) st = tsl_timer_stop(x, &seconds);
        r->bytes = (double)bytes / seconds;
        if (!st) st = tsl_timer_start(x);
        if (!st) st = tsl_gemm(x, 1, tsl_whole(A), tsl_whole(A), 0, tsl_whole(C));
        if (!st) st = tsl_timer_stop(x, &seconds);
        r->flops = 2.0 * (double)n * (double)n * (double)n * (tsl_is_complex(t) ? 4 : 1) / seconds;
    }
    memcpy(x->variant, variant, sizeof variant);
    tsl_matrix_free(host);
    tsl_matrix_free(C);
    tsl_matrix_free(A);
    tsl_host_free(&x->allocator, p, bytes);
    return st;
}

static int write_diagonal(tsl_diagonal d, char *text, size_t size)
{
    const char *where = d.on_cores ? "the host's cores" : "the device that owns them";
    if (!(d.device > 0)) return tsl_print(text, size, "diagonal blocks: on %s, because %s\n", where, d.why);
    return tsl_print(text, size, "diagonal blocks: on %s, because %s (about %.3g s, and %.3g s on the device)\n", where, d.why, d.core, d.device);
}

static tsl_status write(tsl_context *x, const problem *p, tsl_type t, char *text, size_t size)
{
    rates r;
    tsl_status st = probe(x, t, &r);
    if (st) return tsl_fail(x, st, "explain: the device cannot be timed: %s", tsl_status_text(st));
    tsl_decision d = tsl_decide(x, &p->c);
    bool tiles = d.path == TSL_BY_TILES, moves = !x->dev->shares_host;
    size_t all = bytes_of(p, false), back = bytes_of(p, true);
    int devices = tiles ? x->device_count : 1;
    double compute = p->flops / r.flops / devices, move = moves ? (double)(all + back) / r.bytes : 0;
    int at = tsl_print(text, size, "path: %s, because %s\n", !tiles ? "one device" : moves ? "tiles" : "tiles on the host's cores", d.why);
    if (tiles && at < (int)size)
        at += tsl_print(text + at, size - (size_t)at, "tiles: %lld x %lld, %s\n", (long long)tsl_tile_for(x, &p->c),
                       (long long)tsl_tile_for(x, &p->c), tsl_goes_in_order(x, &p->c) ? "in the order of the program" : "critical path first");
    if (tiles && (p->c.op == TSL_OP_POTRF || p->c.op == TSL_OP_POSV) && at < (int)size)
        at += write_diagonal(tsl_diagonal_on(x, t, tsl_tile_for(x, &p->c)), text + at, size - (size_t)at);
    for (int i = 0; i < devices && at < (int)size; ++i) {
        const tsl_device *dev = &x->devices[i];
        size_t share = tiles && dev->limit != SIZE_MAX && dev->limit < all ? dev->limit : all;
        at += tsl_print(text + at, size - (size_t)at, "device %d: %s, at most %.3g GB\n", i, dev->name, moves ? 1e-9 * (double)share : 0);
    }
    if (at < (int)size)
        at += tsl_print(text + at, size - (size_t)at, "moved: %.3g GB to devices, %.3g GB back%s\n", moves ? 1e-9 * (double)all : 0,
                       moves ? 1e-9 * (double)back : 0, tiles && moves && tsl_goes_in_order(x, &p->c) ? ", more where memory is short" : "");
    if (at < (int)size)
        tsl_print(text + at, size - (size_t)at, "time: about %.3g s (%.3g s to compute, %.3g s to move%s)\n",
                 tiles ? (compute > move ? compute : move) : compute + move, compute, move, tiles ? ", at the same time" : "");
    return TSL_OK;
}

tsl_status tsl_explain(tsl_context *x, const char *routine, int64_t m, int64_t n, int64_t k, char *text, size_t size)
{
    static const char letters[] = "sdcz";
    problem p;
    tsl_status st = tsl_enter(&x);
    if (st) return st;
    const char *letter = routine && *routine ? strchr(letters, tolower((unsigned char)*routine)) : NULL;
    if (!routine || !text || !size) st = tsl_fail(x, TSL_ERR_NULL, "explain: no routine, or no place for the text");
    else if (m < 0 || n < 0 || k < 0) st = tsl_fail(x, TSL_ERR_SIZE, "explain: a size is negative");
    else if (!letter || !describe(&p, opcode_of(routine + 1), (tsl_type)(letter - letters), m, n, k))
        st = tsl_fail(x, TSL_ERR_OPTION, "explain: '%s' is not a routine it knows", routine);
    else st = write(x, &p, (tsl_type)(letter - letters), text, size);
    return tsl_leave(x, st);
}
