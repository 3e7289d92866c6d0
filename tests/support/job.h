/* One operation on host arrays, run through each way into the library: typed calls, views of wrapped host arrays, and views
 * of matrices on the device (the whole array, canaries and all, is copied there and back). */
#ifndef JOB_H
#define JOB_H

#include "context.h"
#include "dense.h"
#include "extent.h"
#include "typed.h"

typedef enum job_via { VIA_TYPED, VIA_WRAPPED, VIA_CREATED, VIA_COUNT } job_via;

typedef struct env {
    tsl_context *ctx;
    const char *spec, *tile;
    job_via via;
} env;

typedef struct operand {
    dense *d;
    tsl_op op;
    tsl_uplo uplo; /* in the storage */
    tsl_diag diag;
} operand;

typedef struct job {
    tsl_opcode op;
    tsl_side side;
    tsl_scalar alpha, beta;
    bool backward;
    tsl_op trans; /* of Q */
    operand v[TSL_MAX_OPERANDS]; /* in the order of the operation table: the written one is the last, but for LU's pivots */
    int64_t info;
} job;

static inline int job_operands(const job *b) { return tsl_ops[b->op].operands; }
static inline operand *job_written(job *b) { return &b->v[job_operands(b) - 1]; }

/* BLAS has no letter for plain conjugation, nor a flag for an op on what is written. Without real herk calls either. */
static inline int job_has_typed_form(const job *b)
{
    int last = job_operands(b) - 1, herk = b->op == TSL_OP_HERK;
    if (herk && !tsl_is_complex(b->v[0].d->t)) return 0;
    if (tsl_is_complex(b->v[0].d->t)) {
        if (b->op == TSL_OP_SYRK && b->v[0].op == TSL_HERM) return 0;
        if (herk && b->v[0].op == TSL_TRANS) return 0;
    }
    for (int i = 0; i < last; i++)
        if (b->v[i].op == TSL_CONJ) return 0;
    return b->v[last].op == TSL_NOTRANS && b->op != TSL_OP_COPY && b->op != TSL_OP_SCALE;
}

static inline tsl_status job_call_typed(tsl_context *x, job *b)
{
    static const char trans[] = "NTxC", uplo[] = "xLU", diag[] = "NU", side[] = "LR";
    const operand *A = &b->v[0], *last = job_written(b);
    const typed_calls *f = typed_for(A->d->t);
    dense *a = A->d, *c = last->d;
    int64_t inner = A->op & 1 ? a->m : a->n;
    switch (b->op) {
    case TSL_OP_GEMM:
        return f->gemm(x, trans[A->op], trans[b->v[1].op], c->m, c->n, inner, b->alpha, a->data, a->ld, b->v[1].d->data,
                       b->v[1].d->ld, b->beta, c->data, c->ld);
    case TSL_OP_TRMM:
    case TSL_OP_TRSM:
        return (b->op == TSL_OP_TRMM ? f->trmm : f->trsm)(x, side[b->side], uplo[A->uplo], trans[A->op], diag[A->diag], c->m, c->n,
                                                          b->alpha, a->data, a->ld, c->data, c->ld);
    case TSL_OP_SYRK:
        return f->syrk(x, uplo[last->uplo], trans[A->op], c->n, inner, b->alpha, a->data, a->ld, b->beta, c->data, c->ld);
    case TSL_OP_HERK:
        return f->herk(x, uplo[last->uplo], trans[A->op], c->n, inner, b->alpha, a->data, a->ld, b->beta, c->data, c->ld);
    case TSL_OP_TRTRI: return f->trtri(x, uplo[A->uplo], diag[A->diag], a->n, a->data, a->ld, &b->info);
    case TSL_OP_LAUUM: return f->lauum(x, uplo[A->uplo], a->n, a->data, a->ld, &b->info);
    case TSL_OP_POTRI: return f->potri(x, uplo[A->uplo], a->n, a->data, a->ld, &b->info);
    case TSL_OP_POTRS: return f->potrs(x, uplo[A->uplo], a->n, c->n, a->data, a->ld, c->data, c->ld, &b->info);
    case TSL_OP_POSV: return f->posv(x, uplo[A->uplo], a->n, c->n, a->data, a->ld, c->data, c->ld, &b->info);
    case TSL_OP_GETRF: return f->getrf(x, a->m, a->n, a->data, a->ld, (int64_t *)c->data, &b->info);
    case TSL_OP_LASWP: return f->laswp(x, a->n, a->data, a->ld, 1, c->m, (int64_t *)c->data, b->backward ? -1 : 1);
    case TSL_OP_GETRS:
        return f->getrs(x, trans[A->op], a->n, c->n, a->data, a->ld, (int64_t *)b->v[1].d->data, c->data, c->ld, &b->info);
    case TSL_OP_GESV: return f->gesv(x, a->n, c->n, a->data, a->ld, (int64_t *)b->v[1].d->data, c->data, c->ld, &b->info);
    case TSL_OP_GEQRF: return (A->op ? f->gelqf : f->geqrf)(x, a->m, a->n, a->data, a->ld, c->data, &b->info);
    case TSL_OP_ORGQR: return (A->op ? f->glq : f->gqr)(x, a->m, a->n, c->m, a->data, a->ld, c->data, &b->info);
    case TSL_OP_ORMQR: /* LQ's Q is the other's conjugate transpose */
        return (A->op ? f->mlq : f->mqr)(x, side[b->side], trans[A->op ? A->op ^ b->trans : b->trans], c->m, c->n, b->v[1].d->m, a->data, a->ld,
                                         b->v[1].d->data, c->data, c->ld, &b->info);
    case TSL_OP_GELS: return f->gels(x, trans[A->op], a->m, a->n, c->n, a->data, a->ld, c->data, c->ld, &b->info);
    case TSL_OP_GELS_INC: return f->gels_inc(x, a->m, a->n, c->n, a->data, a->ld, c->data, c->ld, &b->info);
    case TSL_OP_SYTRD: return f->trd(x, uplo[A->uplo], a->n, a->data, a->ld, b->v[1].d->data, b->v[2].d->data, b->v[3].d->data, &b->info);
    case TSL_OP_ORGTR: return f->gtr(x, uplo[A->uplo], a->n, a->data, a->ld, b->v[1].d->data, &b->info);
    case TSL_OP_ORMTR:
        return f->mtr(x, side[b->side], uplo[A->uplo], trans[b->trans], c->m, c->n, a->data, a->ld, b->v[1].d->data, c->data, c->ld, &b->info);
    case TSL_OP_GETRI: return f->getri(x, a->n, a->data, a->ld, (int64_t *)c->data, &b->info);
    case TSL_OP_GESV_INCPIV: return f->gesv_incpiv(x, a->n, c->n, a->data, a->ld, c->data, c->ld, &b->info);
    default: return f->potrf(x, uplo[A->uplo], a->n, a->data, a->ld, &b->info);
    }
}

static inline tsl_status job_call_views(tsl_context *x, job *b, const tsl_view *v)
{
    switch (b->op) {
    case TSL_OP_COPY: return tsl_copy(x, v[0], v[1]);
    case TSL_OP_SCALE: return tsl_scale(x, b->alpha, v[0]);
    case TSL_OP_GEMM: return tsl_gemm(x, b->alpha, v[0], v[1], b->beta, v[2]);
    case TSL_OP_TRMM: return tsl_trmm(x, b->side, b->alpha, v[0], v[1]);
    case TSL_OP_TRSM: return tsl_trsm(x, b->side, b->alpha, v[0], v[1]);
    case TSL_OP_SYRK: return tsl_syrk(x, b->alpha, v[0], b->beta, v[1]);
    case TSL_OP_HERK: return tsl_herk(x, creal(b->alpha), v[0], creal(b->beta), v[1]);
    case TSL_OP_TRTRI: return tsl_trtri(x, v[0], &b->info);
    case TSL_OP_LAUUM: return b->info = 0, tsl_lauum(x, v[0]);
    case TSL_OP_POTRI: return tsl_potri(x, v[0], &b->info);
    case TSL_OP_POTRS: return b->info = 0, tsl_potrs(x, v[0], v[1]);
    case TSL_OP_POSV: return tsl_posv(x, v[0], v[1], &b->info);
    case TSL_OP_GETRF: return tsl_getrf(x, v[0], v[1], &b->info);
    case TSL_OP_LASWP: return b->info = 0, tsl_laswp(x, v[0], v[1], b->backward);
    case TSL_OP_GETRS: return b->info = 0, tsl_getrs(x, v[0], v[1], v[2]);
    case TSL_OP_GESV: return tsl_gesv(x, v[0], v[1], v[2], &b->info);
    case TSL_OP_GETRI: return tsl_getri(x, v[0], v[1], &b->info);
    case TSL_OP_GEQRF: return b->info = 0, tsl_geqrf(x, v[0], v[1]);
    case TSL_OP_ORGQR: return b->info = 0, tsl_orgqr(x, v[0], v[1]);
    case TSL_OP_ORMQR: return b->info = 0, tsl_ormqr(x, b->side, b->trans, v[0], v[1], v[2]);
    case TSL_OP_SYTRD: return b->info = 0, tsl_sytrd(x, v[0], v[1], v[2], v[3]);
    case TSL_OP_ORGTR: return b->info = 0, tsl_orgtr(x, v[0], v[1]);
    case TSL_OP_ORMTR: return b->info = 0, tsl_ormtr(x, b->side, b->trans, v[0], v[1], v[2]);
    case TSL_OP_GELS: return tsl_gels(x, v[0], v[1], &b->info);
    case TSL_OP_GELS_INC: return tsl_gels_inc(x, v[0], v[1], &b->info);
    case TSL_OP_GESV_INCPIV: return tsl_gesv_incpiv(x, v[0], v[1], &b->info);
    default: return tsl_potrf(x, v[0], &b->info);
    }
}

/* The whole array, margins included, as a matrix: wrapped, or made on the device and filled. */
static inline tsl_status job_bind(env *e, dense *d, tsl_matrix **host, tsl_matrix **used)
{
    tsl_status st = tsl_matrix_wrap(e->ctx, d->t, d->ld, d->cols, d->data, d->ld, host);
    *used = *host;
    if (st || e->via == VIA_WRAPPED) return st;
    st = tsl_matrix_create(e->ctx, d->t, d->ld, d->cols, used);
    return st ? st : tsl_copy(e->ctx, tsl_whole(*host), tsl_whole(*used));
}

static inline tsl_view job_view(const operand *o, tsl_matrix *mat)
{
    tsl_view v = tsl_sub(tsl_whole(mat), 0, 0, o->d->m, o->d->n);
    v.op = o->op, v.uplo = o->uplo, v.diag = o->diag;
    return v;
}

/* Runs the job; operands that name the same array share one matrix. */
static inline tsl_status job_run(env *e, job *b)
{
    if (e->via == VIA_TYPED) return job_call_typed(e->ctx, b);
    tsl_matrix *host[TSL_MAX_OPERANDS] = {0}, *used[TSL_MAX_OPERANDS] = {0};
    tsl_view v[TSL_MAX_OPERANDS] = {{0}};
    int n = job_operands(b), made = 0;
    tsl_status st = TSL_OK;
    for (; made < n && !st; made++) {
        int same = 0;
        while (b->v[same].d != b->v[made].d) same++;
        if (same == made) st = job_bind(e, b->v[made].d, &host[made], &used[made]);
        if (!st) v[made] = job_view(&b->v[made], used[same]);
    }
    if (!st) st = job_call_views(e->ctx, b, v);
    for (int i = 0; i < made; i++) {
        if (!st && used[i] != host[i]) st = tsl_copy(e->ctx, tsl_whole(used[i]), tsl_whole(host[i]));
        if (used[i] != host[i]) tsl_matrix_free(used[i]);
        tsl_matrix_free(host[i]);
    }
    return st;
}

/* Runs fn on every kind of device present, at the tuned block size and at one small enough to cross blocks, each way in. */
static inline void for_each_env(void (*fn)(env *e))
{
    static const char *const where[][2] = {{"host", "0"}, {"host", "16"}, {"host:2,mem=64M", "16"}, {"cuda", "0"}, {"cuda", "16"}};
    for (size_t w = 0; w < sizeof where / sizeof *where; w++) {
        env e = {context_on(where[w][0]), where[w][0], where[w][1], VIA_TYPED};
        bool good = e.ctx && !tsl_set(e.ctx, "tile", e.tile);
        if (e.ctx) ok(good, "%s: tiles of %s", e.spec, e.tile);
        for (int via = 0; via < VIA_COUNT && good; via++) {
            e.via = (job_via)via;
            bool runs = in_short() ? w == 0 && via == VIA_TYPED : *e.tile == '0' || (int)w % VIA_COUNT == via || in_full();
            if (runs) fn(&e); /* by tiles one of the ways in is enough: what follows is the same */
        }
        tsl_context_destroy(e.ctx);
    }
}

/* A context on a GPU; false: there is none, which is told as skipped, or it failed */
static inline bool env_on_gpu(env *e)
{
    e->spec = "cuda";
    e->ctx = context_on(e->spec);
    return e->ctx;
}

static inline const char *env_name(const env *e)
{
    static char name[80];
    static const char *const via[] = {"typed", "wrapped", "created"};
    snprintf(name, sizeof name, "%s tile %s, %s", e->spec, e->tile, via[e->via]);
    return name;
}

#endif
