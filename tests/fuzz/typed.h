/* The typed form of a step, where it has one. */
#ifndef FUZZ_TYPED_H
#define FUZZ_TYPED_H

#include "step.h"

#define T float
#define R float
#define FN(name) s_##name
#define CALL(name) tsl_s##name
#define ICALL tsl_isamax
#define NRM2_ tsl_snrm2
#define ASUM_ tsl_sasum
#include "typed.inc"
#define T double
#define R double
#define FN(name) d_##name
#define CALL(name) tsl_d##name
#define ICALL tsl_idamax
#define NRM2_ tsl_dnrm2
#define ASUM_ tsl_dasum
#include "typed.inc"
#define T tsl_cfloat
#define R float
#define FN(name) c_##name
#define CALL(name) tsl_c##name
#define ICALL tsl_icamax
#define NRM2_ tsl_scnrm2
#define ASUM_ tsl_scasum
#define HERMITIAN
#include "typed.inc"
#define T tsl_cdouble
#define R double
#define FN(name) z_##name
#define CALL(name) tsl_z##name
#define ICALL tsl_izamax
#define NRM2_ tsl_dznrm2
#define ASUM_ tsl_dzasum
#define HERMITIAN
#include "typed.inc"

/* BLAS has no letter for plain conjugation, no op on what is written nor on a symmetric matrix, and Hermitian calls for complex
 * types only. */
static inline bool has_typed_form(const world *w, const step *s)
{
    bool complex_type = tsl_is_complex(w->t), mirrored = s->what == SYMM || s->what == HEMM || s->what == SYMV || s->what == HEMV;
    bool ranked = s->what == SYRK || s->what == HERK || s->what == SYR2K || s->what == HER2K;
    if ((s->what >= COPY && s->what <= LASET) || s->op == TSL_CONJ) return false;
    if (!complex_type && (is_herm(s->what) || (s->what == NORM && s->b[0].uplo && s->structure == TSL_HERMITIAN))) return false;
    for (int k = 0; k < s->blocks; k++) {
        tsl_op op = s->b[k].op;
        bool out = k >= s->blocks - s->out, vector = by_vectors(s->what) ? k != s->matrix : s->what >= AXPY && s->what != NORM;
        bool conjugable = (s->what == GER && k == 1) || (s->what == DOT && k == 0);
        if (w->thing[s->b[k].of].place != ON_HOST) return false;
        if (vector ? (op & 2) && !(conjugable && complex_type) : op == TSL_CONJ) return false;
        if (!vector && (out || mirrored || s->what == NORM || s->what == POTRS) && op != TSL_NOTRANS) return false;
        if (vector && out && op != TSL_NOTRANS) return false;
        if (ranked && !out && complex_type && op == (is_herm(s->what) ? TSL_TRANS : TSL_HERM)) return false;
    }
    return !(s->what == SYR2K || s->what == HER2K) || s->b[0].op == s->b[1].op;
}

static inline tsl_status call_typed(world *w, const step *s, int64_t *info, tsl_scalar *number)
{
    static tsl_status (*const by_type[])(world *, const step *, int64_t *, tsl_scalar *) = {s_call, d_call, c_call, z_call};
    return by_type[w->t](w, s, info, number);
}

#endif
