/* Sweeps a list of level-2 operations over types, devices, ways in, sizes, flags, increments and scalars. */
#ifndef LEVEL2_SWEEP_H
#define LEVEL2_SWEEP_H

#include "extent.h"
#include "level2_check.h"

static inline unsigned pick(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*seed >> 33) % n;
}

/* Flags, increments and scalars drawn at random, within what the way in can express. */
static inline problem draw(tsl_opcode op, tsl_type t, way w, int64_t m, int64_t n, uint64_t *seed)
{
    static const int64_t incs[] = {1, -1, 2, -2, 3, -3};
    static const tsl_op letters[] = {TSL_NOTRANS, TSL_TRANS, TSL_HERM};
    problem p = {.op = op, .t = t, .m = m, .n = n, .incx = incs[pick(seed, 6)], .incy = incs[pick(seed, 6)]};
    int views = w >= BY_WRAP, cplx = tsl_is_complex(t), dense_view = views && storage_of(op) == TSL_DENSE;
    if (shape_of(op) != WHOLE) p.uplo = pick(seed, 2) ? TSL_UPPER : TSL_LOWER;
    if (shape_of(op) == TRIANGLE) p.diag = (tsl_diag)pick(seed, 2);
    int flagged = family_of(op) != UPDATE && (shape_of(op) == WHOLE || shape_of(op) == TRIANGLE); /* BLAS has a flag for it */
    if (flagged || dense_view) p.trans = views ? (tsl_op)pick(seed, 4) : letters[pick(seed, 3)];
    if (views) { /* vectors of views have no negative increments but an op */
        p.incx = p.incx < 0 ? -p.incx : p.incx, p.incy = p.incy < 0 ? -p.incy : p.incy;
        p.opx = (tsl_op)pick(seed, 4), p.opy = (tsl_op)pick(seed, 4);
    } else if (op == TSL_OP_GER && cplx && pick(seed, 2)) p.opy = TSL_CONJ;
    if (storage_of(op) == TSL_BAND) /* more diagonals than there are, too */
        p.kl = pick(seed, 3) ? pick(seed, 5) : pick(seed, (unsigned)n + 6), p.ku = pick(seed, (unsigned)n + 3);
    static const double scalars[] = {0, 1, -0.75, 1.25, 0.5};
    p.alpha = scalars[pick(seed, 5)], p.beta = scalars[pick(seed, 5)];
    int real_alpha = op == TSL_OP_HER || op == TSL_OP_HPR;
    if (cplx && creal(p.alpha) < 1 && p.alpha != 0 && !real_alpha) p.alpha += CMPLX(0, 0.5);
    if (cplx && creal(p.beta) < 1 && p.beta != 0) p.beta += CMPLX(0, -0.25);
    return p;
}

/* Not every way has every operation for every type. */
static inline int exists(tsl_opcode op, tsl_type t, way w)
{
    int packed = storage_of(op) != TSL_DENSE, cplx = tsl_is_complex(t);
    if (shape_of(op) == SYMMETRIC && packed && cplx) return 0;
    return !(shape_of(op) == HERMITIAN && !cplx && w <= BY_DEVICE_POINTER);
}

static inline void one_case(env *e, way w, tsl_opcode op, tsl_type t, int64_t m, int64_t n, uint64_t *seed)
{
    static const char *const ways[] = {"typed", "typed on the device", "wrapped", "created"};
    problem p = draw(op, t, w, m, n, seed);
    problem_make(&p, *seed);
    const char *wrong = problem_check(e, w, &p, n % 8 == 1);
    check(!wrong, "%s %s: %c%s m %d n %d kl %d ku %d trans %d uplo %d diag %d ops %d %d incs %d %d alpha %g beta %g: %s", e->spec,
          ways[w], tsl_type_letter(t), tsl_ops[op].name, (int)p.m, (int)n, (int)p.kl, (int)p.ku, (int)p.trans, (int)p.uplo,
          (int)p.diag, (int)p.opx, (int)p.opy, (int)p.incx, (int)p.incy, creal(p.alpha), creal(p.beta), wrong);
    problem_free(&p);
}

/* Without rows or columns typed calls leave y alone, as BLAS does and the reference does not; test_level2_edges.c looks at
 * that. */
static inline int degenerate(tsl_opcode op, way w, int64_t m, int64_t n)
{
    return (op == TSL_OP_GEMV || op == TSL_OP_GBMV) && w <= BY_DEVICE_POINTER && (m == 0 || n == 0);
}

static inline void sweep(env *e, const tsl_opcode *ops, int count)
{
    uint64_t seed = 2024;
    unsigned turn = 0;
    int step = *e->tile == '0' ? 1 : 7; /* every call takes longer by tiles */
    for (int o = 0; o < count; o++)
        for (int i = 0; i < 4; i++) {
            for (int w = 0; w < WAYS; w++) {
                if (!exists(ops[o], all_types[i], (way)w)) continue;
                for (int64_t n = 0; n <= 70; n += step)
                    for (int s = 0; s < 3; s++) {
                        int64_t m = s == 0 ? n : (int64_t)pick(&seed, 71);
                        if (s > 0 && !is_drawn(turn++, 3)) continue;
                        if (!degenerate(ops[o], (way)w, m, n)) one_case(e, (way)w, ops[o], all_types[i], m, n, &seed);
                    }
                for (int s = 0; s < 3; s++)
                    one_case(e, (way)w, ops[o], all_types[i], 100 + pick(&seed, 201), 100 + pick(&seed, 201), &seed);
            }
            if (!exists(ops[o], all_types[i], BY_WRAP)) continue;
            checked("%s: %c%s", e->spec, tsl_type_letter(all_types[i]), tsl_ops[ops[o]].name);
        }
}

static inline void for_each_device(void (*fn)(env *e))
{
    static const char *const specs[] = {"host", "host:2,mem=64M", "host:3", "cuda"}, *const tiles[] = {"0", "0", "24", "0"};
    for (int i = 0; i < 4; i++) {
        env e = {.ctx = context_by(specs[i], tiles[i]), .spec = specs[i], .tile = tiles[i]};
        if (e.ctx) fn(&e);
        tsl_context_destroy(e.ctx);
    }
}

#endif
