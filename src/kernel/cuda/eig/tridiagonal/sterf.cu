/* Eigenvalues of a tridiagonal matrix (core/leaf.h) by divide and conquer, in O(n) memory; the host reads nothing. */
#include "kernel/cuda/eig/tridiagonal/dc_queue.cuh"

namespace tsl {
namespace {

template <class R> dc::state<R> carve(carver &c, const tsl_leaf *l)
{
    return dc::state_of<R>(c, dc::tree_of(l->m), (R *)l->A.p, (R *)l->B.p, true);
}

template <class R> size_t workspace_of(const tsl_leaf *l)
{
    carver c = {nullptr, 0};
    carve<R>(c, l);
    return c.used;
}

template <class R> tsl_status launch_sterf(tsl_queue *q, const tsl_leaf *l)
{
    carver c = {(char *)l->work, 0};
    dc::on_queue x = dc::place_of(q, l->type);
    return dc::values(x, carve<R>(c, l), l->info);
}

} // namespace
} // namespace tsl

static size_t workspace(const tsl_leaf *l) { return l->type == TSL_D ? tsl::workspace_of<double>(l) : tsl::workspace_of<float>(l); }

static tsl_status sterf(tsl_queue *q, const tsl_leaf *l)
{
    return l->type == TSL_D ? tsl::launch_sterf<double>(q, l) : tsl::launch_sterf<float>(q, l);
}

extern "C" const tsl_kernel_entry tsl_cuda_sterf_entry = {{sterf, sterf, NULL, NULL}, tsl::dc::LARGEST_ORDER, 0, workspace, NULL, NULL};
