/* What a call on arrays in host memory would do: path, tile size, memory, transfers and time, before it is made. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/describe.h"
#include "api/enter.h"
#include "core/numbers/largest.h"
#include "tiled/tiled.h"

enum { PROBE_LEAST = 16, PROBE_PARTS = 4 }; /* parts: three matrices, and what is rounded up */

/* Of all operands together: each can be addressed, their sum need not. */
static double bytes_of(const tsl_described *p, bool written)
{
    double sum = 0;
    for (int i = 0; i < tsl_ops[p->c.op].operands; ++i)
        if (!written || !tsl_only_read(p->c.op, i)) sum += (double)tsl_dense_bytes(p->mat[i].type, p->mat[i].m, p->mat[i].n);
    return sum;
}

/* As the call itself would. */
static tsl_status check_sizes(tsl_context *x, const tsl_described *p, const char *routine)
{
    size_t bytes;
    for (int i = 0; i < tsl_ops[p->c.op].operands; ++i) {
        const tsl_matrix *a = &p->mat[i];
        if (!tsl_block_bytes(a->type, a->m, a->n, a->ld, &bytes))
            return tsl_fail(x, TSL_ERR_OVERFLOW, "explain: %s's %s of %lld x %lld elements is too large to address", routine,
                            tsl_ops[p->c.op].operand[i].name, (long long)a->m, (long long)a->n);
    }
    return TSL_OK;
}

/* Sizes of panels and reflectors bound each other. */
static tsl_status fit(tsl_context *x, const tsl_described *p)
{
    return tsl_trait(p->c.op, TSL_TALL) ? tsl_rule[p->c.op]->check(x, &p->c) : TSL_OK;
}

typedef struct rates { double flops, bytes; } rates; /* 0: the device has no room to be timed in */

/* The largest order up to n of which a product and a copy fit the device. */
static int64_t probe_order(tsl_context *x, tsl_type t, int64_t n)
{
    size_t room = tsl_room(x, x->dev, false) / PROBE_PARTS;
    while (n >= PROBE_LEAST && tsl_dense_bytes(t, n, n) > room) n /= 2;
    return n >= PROBE_LEAST ? n : 0;
}

static tsl_status time_it(tsl_context *x, tsl_type t, int64_t n, rates *r)
{
    size_t bytes = tsl_dense_bytes(t, n, n);
    tsl_matrix *A = NULL, *C = NULL, *host = NULL;
    void *p = tsl_host_alloc(&x->allocator, bytes);
    double seconds = 0;
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
        r->flops = tsl_flops_of(tsl_ops[TSL_OP_GEMM].flops, t, n, n, n) / seconds;
    }
    tsl_matrix_free(host);
    tsl_matrix_free(C);
    tsl_matrix_free(A);
    tsl_host_free(&x->allocator, p, bytes);
    return st;
}

/* Of the first device, by a product and a copy of its size: the device's own, not by what the caller has set. */
static tsl_status probe(tsl_context *x, tsl_type t, rates *r)
{
    int64_t n = probe_order(x, t, tsl_tuned(x, TSL_TUNED_TIMED_ORDER)), tile = x->tile;
    char path[sizeof x->path], variant[sizeof x->variant];
    *r = (rates){0};
    if (!n) return TSL_OK;
    tsl_products products = x->rest.products;
    strcpy(path, x->path), strcpy(variant, x->variant);
    strcpy(x->path, "one"), strcpy(x->variant, "auto"), x->tile = 0, x->rest.products = TSL_PRODUCTS_NATIVE;
    tsl_status st = time_it(x, t, n, r);
    strcpy(x->path, path), strcpy(x->variant, variant), x->tile = tile, x->rest.products = products;
    return st;
}

typedef struct page {
    char *text;
    size_t at, size;
} page;

/* A line more, as far as there is room. */
__attribute__((format(printf, 2, 3))) static void line(page *p, const char *format, ...)
{
    va_list args;
    if (p->at >= p->size) return;
    va_start(args, format);
    p->at += (size_t)tsl_vprint(p->text + p->at, p->size - p->at, format, args);
    va_end(args);
}

static void write_diagonal(page *out, tsl_diagonal d)
{
    const char *where = d.on_cores ? "the host's cores" : "the device that owns them";
    if (!(d.device > 0)) line(out, "diagonal blocks: on %s, because %s\n", where, d.why);
    else line(out, "diagonal blocks: on %s, because %s (about %.3g s, and %.3g s on the device)\n", where, d.why, d.core, d.device);
}

static void write_tiles(tsl_context *x, page *out, const tsl_described *p, const tsl_tile_plan *tiles)
{
    tsl_shape tile = tsl_shape_of(&p->c, tsl_output(p->c.op), tiles->nb);
    line(out, "tiles: %lld x %lld, because %s; %s\n", (long long)tile.mb, (long long)tile.nb, tiles->why,
         tsl_goes_in_order(x, &p->c) ? "in the order of the program" : "critical path first");
    if (tiles->need) line(out, "memory: a task needs %zu bytes, device %d has %zu free\n", tiles->need, tiles->device, tiles->room);
    if (tiles->slots) line(out, "memory: not all fits; a device has room for %lld tiles\n", (long long)tiles->slots);
    tsl_opcode diagonal = tsl_part_with(p->c.op, TSL_DIAGONAL_BLOCKS);
    if (diagonal != TSL_OP_COUNT) write_diagonal(out, tsl_diagonal_on(x, diagonal, p->mat[0].type, tiles->nb));
}

/* Of an operation whose kernel, or that of its panels, has several. */
static void write_shape(tsl_context *x, page *out, const tsl_described *p)
{
    int shapes = tsl_shapes(x->dev, p->c.op, p->type), shape = x->shape ? x->shape : tsl_tuned_shape(x, &p->c);
    const char *whose = tsl_trait(p->c.op, TSL_TALL) ? "panels" : "kernel";
    if (!shapes) return;
    if (!shape) line(out, "%s: of %d shapes the one the kernel chooses itself\n", whose, shapes);
    else line(out, "%s: shape %d of %d, because %s\n", whose, shape, shapes, x->shape ? "it was set" : "the tuning table says so");
}

/* Does its work grow with three sizes, as that of products of matrices? */
static bool multiplies(const tsl_described *p)
{
    int letters = 0;
    for (const char *s = tsl_ops[p->c.op].flops; *s && letters < 3; ++s) letters = *s >= 'a' && *s <= 'z' ? letters + 1 : 0;
    return letters == 3;
}

/* Of an operation that has a variant for products by residues */
static void write_wide(tsl_context *x, page *out, tsl_opcode op, tsl_type type)
{
    int variant = tsl_variant_for(op, TSL_BY_RESIDUES);
    int64_t from = tsl_tuned_wide(x, op, type);
    if (variant < 0) return;
    const char *name = tsl_ops[op].name, *wide = tsl_variants[variant].name;
    if (from == INT64_MAX)
        line(out, "products: %s never in variant %s, because no tuning table says from which order\n", name, wide);
    else
        line(out, "products: %s in variant %s from order %lld on, because the tuning table says so\n", name, wide,
             (long long)from);
}

static void write_products(tsl_context *x, page *out, const tsl_described *p)
{
    tsl_products asked = x->rest.products, how = tsl_products_for(p->c.op, asked);
    const char *parts = tsl_ops[p->c.op].parts;
    tsl_emulated_from from = tsl_tuned_emulated(x, p->type);
    const char *looked = how == TSL_PRODUCTS_FAST ? "not looked at" : "each element looked at";
    const char *where = x->dev->be->accelerator ? "" : "; on the host gemm, gemmt, syrk and herk alone, plainly";
    if (!multiplies(p)) return;
    if (how != asked) line(out, "products: native, because most factors are near the identity\n");
    else if (how == TSL_PRODUCTS_NATIVE) line(out, "products: native, because it was set\n");
    else if (how != TSL_PRODUCTS_AUTO) line(out, "products: by residues, %s, because it was set%s\n", looked, where);
    else if (from.side == 0) line(out, "products: native, because no tuning table says otherwise\n");
    else if (tsl_max(from.side, from.inner) == INT64_MAX) line(out, "products: native, because the tuning table says so\n");
    else {
        line(out,
             "products: by residues where, for m x n and k terms, (1/m + 1/n) %lld/2 + %lld/k is 1 or less (a triangle of C: "
             "as a square of its area), because the tuning table says so; else native%s\n",
             (long long)from.side, (long long)from.inner, where);
        write_wide(x, out, p->c.op, p->type);
        for (tsl_opcode part; tsl_next_part(&parts, &part);) write_wide(x, out, part, p->type);
    }
}

/* What the call will do, or why it cannot be done. */
static tsl_status plan(tsl_context *x, const tsl_described *p, page *out, bool *tiles, size_t *need)
{
    tsl_runtime *rt;
    tsl_tile_plan plan;
    size_t lane[TSL_LANES];
    tsl_decision d = tsl_decide(x, &p->c);
    *tiles = d.path == TSL_BY_TILES;
    *need = SIZE_MAX;
    line(out, "path: %s, because %s\n", !*tiles ? "one device" : x->dev->shares_host ? "tiles on the host's cores" : "tiles", d.why);
    write_products(x, out, p);
    if (!*tiles) {
        write_shape(x, out, p);
        tsl_status st = tsl_need_of_one(x, &p->c, lane);
        if (st) return st;
        *need = tsl_plus(lane[TSL_MAIN], lane[TSL_AHEAD]);
        return tsl_fits_one(x, &p->c) ? TSL_OK : tsl_tell_one(x, &p->c);
    }
    tsl_status st = tsl_tiled_runtime(x, &rt);
    if (!st) st = tsl_plan_tiles(x, &p->c, 0, &plan);
    if (!st) write_tiles(x, out, p, &plan);
    return st;
}

static tsl_status write(tsl_context *x, const tsl_described *p, tsl_type t, char *text, size_t size)
{
    rates r;
    bool tiles, moves = !x->dev->shares_host;
    page out = {text, 0, size};
    size_t need;
    double all = bytes_of(p, false), back = bytes_of(p, true);
    tsl_status st = probe(x, t, &r);
    if (st) return tsl_fail(x, st, "explain: the device cannot be timed: %s", tsl_status_text(st));
    st = plan(x, p, &out, &tiles, &need);
    if (st == TSL_ERR_DEVICE_MEMORY) line(&out, "it will fail: %s\n", x->detail);
    if (st) return st == TSL_ERR_DEVICE_MEMORY ? TSL_OK : st;
    int devices = tiles ? x->device_count : 1;
    double compute = p->flops / r.flops / devices, move = moves ? (all + back) / r.bytes : 0;
    /* a copy reads and writes; so memory bounds what computes in it */
    if (!moves) compute = tsl_larger(compute, (all + back) / (2 * r.bytes));
    for (int i = 0; i < devices; ++i) {
        double share = tiles ? fmin(all, (double)tsl_room(x, &x->devices[i], tiles)) : (double)need;
        if (moves) line(&out, "device %d: %s, at most %.3g GB\n", i, x->devices[i].name, 1e-9 * share);
        else line(&out, "device %d: %s, in the host's memory\n", i, x->devices[i].name);
    }
    if (!moves) line(&out, "moved: nothing\n");
    else
        line(&out, "moved: %.3g GB to devices, %.3g GB back%s\n", 1e-9 * all, 1e-9 * back,
             tiles && tsl_goes_in_order(x, &p->c) ? ", more where memory is short" : "");
    if (!(r.flops > 0)) line(&out, "time: not known, the device's memory is too small to time it\n");
    else
        line(&out, "time: about %.3g s (%.3g s to compute, %.3g s to move%s)\n", tiles ? (compute > move ? compute : move) : compute + move,
             compute, move, tiles ? ", at the same time" : "");
    return TSL_OK;
}

tsl_status tsl_explain(tsl_context *x, const char *routine, int64_t m, int64_t n, int64_t k, char *text, size_t size)
{
    tsl_described p;
    tsl_status st = tsl_enter_public(&x);
    if (st) return st;
    if (!routine || !text || !size) st = tsl_fail(x, TSL_ERR_NULL, "explain: no routine, or no place for the text");
    else if (m < 0 || n < 0 || k < 0) st = tsl_fail(x, TSL_ERR_SIZE, "explain: a size is negative");
    else if (!tsl_describe(routine, m, n, k, &p)) st = tsl_fail(x, TSL_ERR_OPTION, "explain: no typed call has the name '%s'", routine);
    else if (!(st = check_sizes(x, &p, routine)) && !(st = fit(x, &p))) st = write(x, &p, p.type, text, size);
    return tsl_leave(x, st);
}
