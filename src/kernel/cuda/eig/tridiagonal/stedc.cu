/* Eigenpairs of a tridiagonal matrix (core/leaf.h) by divide and conquer. The host waits once for each level of large merges,
 * for the sizes of its products. */
#include "kernel/cuda/eig/tridiagonal/dc_queue.cuh"

namespace tsl {
namespace {

constexpr int64_t LARGEST_WITH_VECTORS = (int64_t)1 << 18; /* more than any memory holds */

template <class T> struct plan {
    using R = real_t<T>;
    dc::outlet<T> out;
    dc::state<R> p;
    dc::panels<R> b;
    size_t bytes;

    explicit plan(const tsl_leaf *l)
    {
        carver c = {(char *)l->work, 0};
        out = {(T *)l->A.p, l->A.ld, l->eig.first, l->n};
        p = dc::state_of<R>(c, dc::tree_of(l->m), (R *)l->B.p, (R *)l->C.p, false);
        b = dc::panels_of<R, T>(c, p, out);
        bytes = c.used;
    }
};

/* None of the vectors is wanted */
tsl_leaf values_of(const tsl_leaf *l)
{
    tsl_leaf v = *l;
    v.op = TSL_OP_STERF;
    v.type = tsl_real_type(l->type);
    v.A = l->B, v.B = l->C;
    return v;
}

template <class T> tsl_status launch_stedc(tsl_queue *q, const tsl_leaf *l)
{
    const plan<T> a(l);
    dc::counts host[dc::counts_on_host(LARGEST_WITH_VECTORS)];
    dc::on_queue x = dc::place_of(q, tsl_real_type(l->type));
    return dc::pairs(x, a.p, a.b, a.out, host, l->info);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl_leaf sized = *l;
    sized.work = NULL;
    const tsl_leaf v = tsl::values_of(&sized);
    if (l->n == 0) return tsl_cuda_sterf_entry.workspace(&v);
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::plan<decltype(zero)>(&sized).bytes, TSL_OK; });
    return bytes;
}

static tsl_status stedc(tsl_queue *q, const tsl_leaf *l)
{
    const tsl_leaf v = tsl::values_of(l);
    if (l->n == 0) return tsl_cuda_sterf_entry.fn[v.type](q, &v);
    return tsl::by_type(l->type, [=](auto zero) { return tsl::launch_stedc<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_stedc_entry = {TSL_ALL_TYPES(stedc), tsl::LARGEST_WITH_VECTORS, 0, workspace, NULL, NULL};
