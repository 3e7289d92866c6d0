/* Nonsymmetric eigenproblems and Sylvester's equation. */
#ifndef FUZZ_CALLS_GEEV_H
#define FUZZ_CALLS_GEEV_H

#include "calls_eig.h"

static inline void gehrd_call(call *c)
{
    int64_t n = order_of(c), less = tsl_max(0, n - 1), k = order_of(c), ilo = 1, ihi = n;
    tsl_side side = (tsl_side)below(c->w, 2);
    bool herm = may(c, 2);
    draw_family(c, "");
    plain A = general(c, n, n);
    if (n > 2 && may(c, 3) && !c->bad) { /* upper triangular outside rows and columns ilo .. ihi */
        ilo = 1 + below(c->w, n), ihi = ilo + below(c->w, n - ilo + 1);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = j + 1; i < n; i++)
                if (j < ilo - 1 || i > ihi - 1) *plain_at(&A, i, j) = 0;
    }
    operand *a = updates(c, A), *tau = writes(c, less, 1);
    begin(c, "gehrd");
    c->st = c->typed ? BY_PREFIX(c, s, d, c, z, gehrd, c->x, n, ilo, ihi, P_(a), LD_(a), P_(tau), &c->info) : tsl_gehrd(c->x, ilo, ihi, view(a), view(tau));
    if (!judge(c)) return;
    plain F = result(c, a), t = result(c, tau), V = keep(c, plain_copy(&F));
    for (int64_t j = 0; j < n; j++) /* below the block there is nothing of a reflector */
        for (int64_t i = ihi; i < n; i++) *plain_at(&V, i, j) = 0;
    plain Q = keep(c, plain_reflectors(&V, &t, 1, n)), H = from_(c, F, -1, false);
    orthonormal(c, "Q", Q);
    same_(c, "A - Q H Q^H", A, times_(c, times_(c, Q, H), herm_(c, Q)), plain_size(&A) * (1 + 0.1 * (double)n));
    if (*c->w->wrong) return;
    go_on(c);
    if (may(c, 2)) {
        plain C = numbers_of(c, c->t, side == TSL_LEFT ? n : k, side == TSL_LEFT ? k : n, 1);
        operand *o = updates(c, C);
        begin(c, NULL);
        c->st = c->typed ? BY_Q(c, mhr, c->x, side == TSL_LEFT ? 'L' : 'R', herm_letter(c, herm), C.m, C.n, ilo, ihi, P_(a), LD_(a), P_(tau), P_(o), LD_(o), &c->info)
                         : tsl_ormhr(c->x, side, herm_op(c, herm), ilo, ihi, view(a), view(tau), view(o));
        if (judge(c)) same_(c, "ormhr", result(c, o), q_times(c, Q, C, side, herm), 1 + (double)n);
    } else {
        a->usage = WRITTEN;
        begin(c, NULL);
        c->st = c->typed ? BY_Q(c, ghr, c->x, n, ilo, ihi, P_(a), LD_(a), P_(tau), &c->info) : tsl_orghr(c->x, ilo, ihi, view(a), view(tau));
        if (judge(c)) same_(c, "orghr", result(c, a), Q, 1);
    }
}

/* Upper triangular, of real elements with blocks of order 2 that stand apart */
static inline void is_schur_form(call *c, plain T)
{
    bool real = !tsl_is_complex(c->t), before = false;
    for (int64_t j = 0; j < T.n; j++) {
        for (int64_t i = j + 2; i < T.m; i++)
            if (*plain_at(&T, i, j) != 0) complain(c->w, "T is no Schur form: (%lld,%lld)", (long long)i, (long long)j);
        bool block = j + 1 < T.n && *plain_at(&T, j + 1, j) != 0;
        if (block && (!real || before)) complain(c->w, "T is no Schur form: (%lld,%lld)", (long long)j + 1, (long long)j);
        before = block;
    }
}

/* Eigenvalues are those on the diagonal of a Schur form, of blocks of order 2 by trace and determinant */
static inline void values_of(call *c, plain T, plain w, plain wi)
{
    double off = 0, size = plain_size(&T);
    for (int64_t j = 0; j < T.n; j++) {
        bool block = j + 1 < T.n && *plain_at(&T, j + 1, j) != 0;
        if (!block) {
            off = tsl_larger(off, cabs((tsl_is_complex(c->t) ? w.a[j] : CMPLX(creal(w.a[j]), creal(wi.a[j]))) - *plain_at(&T, j, j)));
            continue;
        }
        double trace = creal(*plain_at(&T, j, j) + *plain_at(&T, j + 1, j + 1));
        off = tsl_larger(off, fabs(creal(w.a[j] + w.a[j + 1]) - trace));
        if (!(creal(wi.a[j]) > 0) || creal(wi.a[j]) != -creal(wi.a[j + 1])) complain(c->w, "a pair is none: %g %g", creal(wi.a[j]), creal(wi.a[j + 1]));
        j++;
    }
    near_(c, "eigenvalues beside T", off, size, T.n);
}

static inline void hseqr_call(call *c)
{
    int64_t n = order_of(c);
    bool real = !tsl_is_complex(c->t);
    draw_family(c, "");
    plain A = general(c, n, n), H = from_(c, A, -1, false);
    c->bad = !plain_finite(&H); /* below that nothing counts */
    operand *h = updates(c, H), *w = writes(c, n, 1), *wi = real ? writes(c, n, 1) : NULL, *z = updates(c, eye_(c, n, n));
    begin(c, "hseqr");
    if (!c->typed) c->st = tsl_hseqr(c->x, 1, 1, n, view(h), view(w), wi ? view(wi) : no_view(), view(z), &c->info);
    else switch (c->t) {
        case TSL_S: c->st = tsl_shseqr(c->x, 'S', 'V', n, 1, n, P_(h), LD_(h), P_(w), P_(wi), P_(z), LD_(z), &c->info); break;
        case TSL_D: c->st = tsl_dhseqr(c->x, 'S', 'V', n, 1, n, P_(h), LD_(h), P_(w), P_(wi), P_(z), LD_(z), &c->info); break;
        case TSL_C: c->st = tsl_chseqr(c->x, 'S', 'V', n, 1, n, P_(h), LD_(h), P_(w), P_(z), LD_(z), &c->info); break;
        default: c->st = tsl_zhseqr(c->x, 'S', 'V', n, 1, n, P_(h), LD_(h), P_(w), P_(z), LD_(z), &c->info);
        }
    if (!judge(c)) return;
    none_of_it(c);
    plain T = result(c, h), Z = result(c, z), values = result(c, w);
    is_schur_form(c, T);
    orthonormal(c, "Z", Z);
    same_(c, "H - Z T Z^H", H, times_(c, times_(c, Z, T), herm_(c, Z)), plain_size(&H) * (1 + 0.2 * (double)n));
    values_of(c, T, values, wi ? result(c, wi) : values);
}

static inline void gees_call(call *c)
{
    int64_t n = order_of(c), sdim = -1;
    bool real = !tsl_is_complex(c->t), vectors = may(c, 4) == false;
    tsl_schur_sort sort = (tsl_schur_sort)below(c->w, 5);
    draw_family(c, "");
    if (c->typed || c->family != RANDOM) sort = TSL_SORT_NONE;
    plain A = general(c, n, n);
    operand *a = updates(c, A), *w = writes(c, n, 1), *wi = real ? writes(c, n, 1) : NULL, *v = vectors ? writes(c, n, n) : NULL;
    void *pv = v ? P_(v) : NULL;
    int64_t ldv = v ? LD_(v) : 1;
    char job = v ? 'V' : 'N';
    begin(c, sort == TSL_SORT_NONE ? "gees" : NULL);
    if (!c->typed) c->st = tsl_gees(c->x, view(a), sort, view(w), wi ? view(wi) : no_view(), v ? view(v) : no_view(), &sdim, &c->info);
    else switch (c->t) {
        case TSL_S: c->st = tsl_sgees(c->x, job, 'N', n, P_(a), LD_(a), &sdim, P_(w), P_(wi), pv, ldv, &c->info); break;
        case TSL_D: c->st = tsl_dgees(c->x, job, 'N', n, P_(a), LD_(a), &sdim, P_(w), P_(wi), pv, ldv, &c->info); break;
        case TSL_C: c->st = tsl_cgees(c->x, job, 'N', n, P_(a), LD_(a), &sdim, P_(w), pv, ldv, &c->info); break;
        default: c->st = tsl_zgees(c->x, job, 'N', n, P_(a), LD_(a), &sdim, P_(w), pv, ldv, &c->info);
        }
    if (!judge(c) || c->info > n) return;
    none_of_it(c);
    plain T = result(c, a), values = result(c, w), imaginary = wi ? result(c, wi) : values;
    is_schur_form(c, T);
    values_of(c, T, values, imaginary);
    for (int64_t i = 0; i < n && sort != TSL_SORT_NONE; i++) {
        tsl_scalar l = real ? CMPLX(creal(values.a[i]), creal(imaginary.a[i])) : values.a[i];
        bool first = sort == TSL_SORT_LHP ? creal(l) < 0 : sort == TSL_SORT_RHP ? creal(l) >= 0 : sort == TSL_SORT_IUC ? cabs(l) <= 1 : cabs(l) > 1;
        double edge = sort <= TSL_SORT_RHP ? fabs(creal(l)) : fabs(cabs(l) - 1);
        if (first != (i < sdim) && edge > 100 * (double)n * tsl_type_eps(c->t) * (1 + plain_size(&A))) complain(c->w, "eigenvalue %lld of %lld that come first is %g%+gi", (long long)i, (long long)sdim, creal(l), cimag(l));
    }
    if (!vectors) return;
    plain Z = result(c, v);
    orthonormal(c, "VS", Z);
    same_(c, "A - VS T VS^H", A, times_(c, times_(c, Z, T), herm_(c, Z)), plain_size(&A) * (1 + 0.2 * (double)n));
}

/* Columns of a real matrix that hold pairs, as complex ones */
static inline plain complex_vectors(call *c, plain V, plain wi)
{
    plain Z = keep(c, plain_copy(&V));
    for (int64_t j = 0; j + 1 < V.n && !tsl_is_complex(c->t); j++) {
        if (creal(wi.a[j]) == 0) continue;
        for (int64_t i = 0; i < V.m; i++) {
            double re = creal(*plain_at(&V, i, j)), im = creal(*plain_at(&V, i, j + 1));
            *plain_at(&Z, i, j) = CMPLX(re, im), *plain_at(&Z, i, j + 1) = CMPLX(re, -im);
        }
        j++;
    }
    return Z;
}

static inline void geev_call(call *c)
{
    int64_t n = order_of(c);
    bool real = !tsl_is_complex(c->t), left = may(c, 2), right = may(c, 2);
    draw_family(c, "g"); /* balanced: residuals are by columns, not by norms */
    plain A = general(c, n, n);
    operand *a = updates(c, A), *w = writes(c, n, 1), *wi = real ? writes(c, n, 1) : NULL, *vl = left ? writes(c, n, n) : NULL, *vr = right ? writes(c, n, n) : NULL;
    void *pl = vl ? P_(vl) : NULL, *pr = vr ? P_(vr) : NULL;
    int64_t ll = vl ? LD_(vl) : 1, lr = vr ? LD_(vr) : 1;
    char jl = vl ? 'V' : 'N', jr = vr ? 'V' : 'N';
    begin(c, "geev");
    if (!c->typed) c->st = tsl_geev(c->x, view(a), view(w), wi ? view(wi) : no_view(), vl ? view(vl) : no_view(), vr ? view(vr) : no_view(), &c->info);
    else switch (c->t) {
        case TSL_S: c->st = tsl_sgeev(c->x, jl, jr, n, P_(a), LD_(a), P_(w), P_(wi), pl, ll, pr, lr, &c->info); break;
        case TSL_D: c->st = tsl_dgeev(c->x, jl, jr, n, P_(a), LD_(a), P_(w), P_(wi), pl, ll, pr, lr, &c->info); break;
        case TSL_C: c->st = tsl_cgeev(c->x, jl, jr, n, P_(a), LD_(a), P_(w), pl, ll, pr, lr, &c->info); break;
        default: c->st = tsl_zgeev(c->x, jl, jr, n, P_(a), LD_(a), P_(w), pl, ll, pr, lr, &c->info);
        }
    if (!judge(c)) return;
    none_of_it(c);
    plain re = result(c, w), im = wi ? result(c, wi) : re, values = keep(c, plain_make(n, 1)), D;
    tsl_scalar sum = 0, trace = 0;
    for (int64_t i = 0; i < n; i++) values.a[i] = real ? CMPLX(creal(re.a[i]), creal(im.a[i])) : re.a[i], sum += values.a[i], trace += *plain_at(&A, i, i);
    near_(c, "sum of eigenvalues less trace", cabs(sum - trace), plain_size(&A) * (double)(n + 1), n);
    D = keep(c, plain_diagonal(&values, n, n));
    double size = plain_size(&A) * (1 + 0.3 * (double)n);
    if (right) {
        plain V = complex_vectors(c, result(c, vr), im);
        same_(c, "A V - V W", times_(c, A, V), times_(c, V, D), size);
        for (int64_t j = 0; j < n; j++) {
            double length = 0;
            for (int64_t i = 0; i < n; i++) length = hypot(length, cabs(*plain_at(&V, i, j)));
            near_(c, "length of a vector", fabs(length - 1), 1, n);
        }
    }
    if (left) {
        plain U = herm_(c, complex_vectors(c, result(c, vl), im));
        same_(c, "U^H A - W U^H", times_(c, U, A), times_(c, D, U), size);
    }
}

/* A X + isgn X B = s C */
static inline void solves_sylvester(call *c, plain A, plain B, plain X, plain C, double isgn, double s)
{
    plain L = times_(c, A, X), R = keep(c, plain_copy(&C));
    plain_product(isgn, &X, &B, &L);
    plain_scale(s, &R);
    double size = (plain_size(&A) + plain_size(&B)) * plain_size(&X) * (double)(X.m + X.n) + s * plain_size(&C);
    if (!(s > 0 && s <= 1)) complain(c->w, "a scale of %g", s);
    same_(c, "A X + X B - s C", L, R, size);
}

static inline void sylvester_call(call *c)
{
    int64_t m = order_of(c), n = order_of(c), what = below(c->w, 3);
    double isgn = may(c, 2) ? 1 : -1;
    static const tsl_op ops[] = {TSL_NOTRANS, TSL_NOTRANS, TSL_TRANS, TSL_HERM, TSL_CONJ};
    tsl_op opa = ONE_OF(c->w, ops), opb = ONE_OF(c->w, ops);
    draw_family(c, "gloziths"); /* others have eigenvalues in common */
    if (what == 2) n = m;
    plain A = general(c, m, m), B = general(c, n, n), C = numbers_of(c, c->t, m, n, 1);
    for (int64_t i = 0; i < m; i++) *plain_at(&A, i, i) += rounded(c->t, 2.5 * (double)m + 1);
    for (int64_t i = 0; i < n; i++) *plain_at(&B, i, i) += rounded(c->t, (what == 0 && isgn < 0 ? -1 : 1) * (2.5 * (double)n + 1));
    if (what == 0) {
        A = from_(c, A, 0, false), B = from_(c, B, 0, false);
        c->bad = !plain_finite(&A) || !plain_finite(&B);
    }
    if (what == 2) c->bad = !plain_finite(&A);
    if (m == 0 || n == 0) c->bad = false; /* there is no X that could say so */
    operand *a = what ? updates(c, A) : reads(c, A), *b = what == 0 ? reads(c, B) : what == 1 ? updates(c, B) : NULL, *x = updates(c, C), *s = reals(c, 1);
    begin(c, what == 0 ? "trsyl" : what == 1 ? "sylvester" : "lyapunov");
    if (c->typed) opa = opa == TSL_NOTRANS ? opa : TSL_HERM, opb = opb == TSL_NOTRANS ? opb : TSL_HERM;
    tsl_view va = view(a), vb = b ? view(b) : va;
    va.op = opa, vb.op = opb;
    if (what == 0)
        c->st = c->typed ? BY_TYPE(c, trsyl, c->x, herm_letter(c, opa != TSL_NOTRANS), herm_letter(c, opb != TSL_NOTRANS), (int64_t)isgn, m, n, P_(a), LD_(a), P_(b), LD_(b), P_(x), LD_(x), P_(s), &c->info)
                         : tsl_trsyl(c->x, (int64_t)isgn, va, vb, view(x), view(s), &c->info);
    else if (what == 1)
        c->st = c->typed ? BY_TYPE(c, sylvester, c->x, m, n, P_(a), LD_(a), P_(b), LD_(b), P_(x), LD_(x), P_(s), &c->info) : tsl_sylvester(c->x, view(a), view(b), view(x), view(s), &c->info);
    else
        c->st = c->typed ? BY_TYPE(c, lyapunov, c->x, n, P_(a), LD_(a), P_(x), LD_(x), P_(s), &c->info) : tsl_lyapunov(c->x, view(a), view(x), view(s), &c->info);
    if (!judge(c) || m == 0 || n == 0) return;
    none_of_it(c);
    plain SA = what == 0 ? keep(c, plain_op(&A, opa)) : A, SB = what == 0 ? keep(c, plain_op(&B, opb)) : what == 1 ? B : herm_(c, A);
    solves_sylvester(c, SA, SB, result(c, x), C, what == 0 ? isgn : 1, creal(result(c, s).a[0]));
}

#endif
