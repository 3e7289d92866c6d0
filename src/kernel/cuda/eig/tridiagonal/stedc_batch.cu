/* Divide and conquer for tridiagonal matrices in batches. */
#include "kernel/cuda/eig/tridiagonal/dc_queue.cuh"
#include "kernel/cuda/eig/tridiagonal/stedc_batch.cuh"

static_assert(tsl::STEDC_BATCH_ABOVE == tsl::dc::LEAF && tsl::STEDC_BATCH_UP_TO == tsl::dc::SMALL, "merges are small");

namespace tsl {
namespace {

template <class R> struct batch_plan {
    dc::outlet<R> out;
    dc::state<R> p;
    dc::panels<R> b;
    size_t bytes;

    batch_plan(const tridiagonals<R> &t, void *work)
    {
        carver c = {(char *)work, 0};
        out = {t.Z, t.n, 0, t.n * t.count};
        p = dc::state_of<R>(c, dc::tree_of(t.n, t.count), t.d, t.e, false);
        b = dc::panels_of<R, R>(c, p, out);
        bytes = c.used;
    }
};

} // namespace
} // namespace tsl

template <class R> size_t tsl_stedc_batch_workspace(int64_t n, int64_t count)
{
    return tsl::batch_plan<R>({n, count, NULL, NULL, NULL}, NULL).bytes;
}

template <class R> tsl_status tsl_stedc_batch(tsl_queue *q, const tsl::tridiagonals<R> &t, void *work)
{
    const tsl::batch_plan<R> a(t, work);
    tsl::dc::on_queue x = tsl::dc::place_of(q, sizeof(R) == 8 ? TSL_D : TSL_S);
    return tsl::dc::pairs_of_batch(x, a.p, a.b, a.out);
}

template size_t tsl_stedc_batch_workspace<float>(int64_t, int64_t);
template size_t tsl_stedc_batch_workspace<double>(int64_t, int64_t);
template tsl_status tsl_stedc_batch<float>(tsl_queue *, const tsl::tridiagonals<float> &, void *);
template tsl_status tsl_stedc_batch<double>(tsl_queue *, const tsl::tridiagonals<double> &, void *);
