/* The panel of labrd.cuh: its kernel, shapes, workspace and launch. */
#include "core/values.h"
#include "kernel/cuda/launch.cuh"
#include "kernel/cuda/leaf.h"
#include "kernel/cuda/svd/labrd_sides.cuh"

namespace tsl {
namespace labrd {
namespace {

template <class T, int NV> __global__ __launch_bounds__(THREADS, 1) void reduce(const __grid_constant__ panel<T> p)
{
    char *const ring = (char *)dynamic;
    shared<T> &s = *(shared<T> *)(ring + (int64_t)p.slots * UNIT_BYTES);
    const int group = blockIdx.x / p.cluster, rank = blockIdx.x % p.cluster;
    stream<T, NV> columns(p, ring, group, rank);
    by_rows<T>(p, s, -1).run(0, 0);
    for (int i = 0; i < p.k; i++) {
        by_columns<T> c(p, s, i, columns.first, columns.columns);
        c.begin(columns);
        if (!p.has_right(i)) return;
        columns.run(s, i, group, rank);
        c.end(rank);
        by_rows<T>(p, s, i).run(columns.first, rank == 0 ? columns.columns : 0);
    }
}

constexpr int FEW_CTAS = 32; /* though there are fewer columns: they share the rest of the work */

template <class T> struct room {
    int64_t padded;
    size_t elements;

    explicit room(int64_t m)
    {
        constexpr int64_t E = 16 / sizeof(T);
        padded = (m + E - 1) / E * E;
        elements = (size_t)(padded * (MOST_CTAS + 1) + 4 * LIMIT * MOST_CTAS + E);
    }
};

template <class T> panel<T> panel_of(const tsl_leaf *l)
{
    const room<T> r(l->m);
    panel<T> p = {};
    p.m = (int)l->m, p.n = (int)l->n, p.k = (int)l->k;
    p.A = (T *)l->A.p, p.lda = l->A.ld, p.d = (real_t<T> *)l->B.p, p.e = (real_t<T> *)l->C.p, p.tauq = (T *)l->D.p, p.taup = (T *)l->E.p;
    p.V = (T *)l->F.p, p.ldl = l->F.ld, p.X = p.V + l->k * p.ldl;
    p.Y = (T *)l->G.p, p.ldr = l->G.ld, p.U = p.Y + l->k * p.ldr;
    p.padded = (int)r.padded, p.by = (real_t<T>)__real__ l->alpha;
    p.a = (T *)l->work, p.part = p.a + r.padded, p.dots = p.part + r.padded * MOST_CTAS, p.head = p.dots + 4 * LIMIT * MOST_CTAS;
    p.aligned = (uintptr_t)p.A % 16 == 0 && l->A.ld * sizeof(T) % 16 == 0;
    return p;
}

struct chip {
    int processors, shared;
    bool clusters;
};

cudaError_t chip_of(chip *c)
{
    int device = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&c->processors, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&c->shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return e != cudaSuccess ? e : device_has_sm90(device, &c->clusters);
}

/* CTAs, as many as there are processors; clusters as large as the rows ask for. No groups: there is no room. */
template <class T, int NV> cudaError_t shape_of(panel<T> *p, launch_shape *shape)
{
    constexpr int MOST_ROWS = NV * THREADS * (16 / sizeof(T));
    const auto kernel = reduce<T, NV>;
    chip c = {};
    cudaError_t e = chip_of(&c);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, c.shared);
    if (e != cudaSuccess) return e;
    p->cluster = 1;
    while (p->cluster * MOST_ROWS < p->padded) p->cluster *= 2;
    const int ctas = tsl_min(tsl_min(c.processors, MOST_CTAS), tsl_max(FEW_CTAS, p->n / 4));
    *shape = {ctas, THREADS, (size_t)c.shared, p->cluster, false, true};
    p->groups = ctas;
    if (p->cluster > 1) {
        if (!c.clusters || p->cluster > MOST_CLUSTER) return p->groups = 0, cudaSuccess;
        e = most_clusters(&p->groups, kernel, *shape);
        p->groups = tsl_min(p->groups, ctas / p->cluster);
        if (e != cudaSuccess || p->groups == 0) return e;
    }
    p->most = (p->n + p->groups - 1) / p->groups;
    p->slots = (int)tsl_min(SLOTS, (c.shared - (int64_t)shared<T>::bytes(p->most)) / UNIT_BYTES);
    if (p->slots < 1) return p->groups = 0, cudaSuccess;
    constexpr int E = 16 / sizeof(T);
    p->ctas = p->groups * p->cluster, p->rows = (p->padded / E + p->cluster - 1) / p->cluster * E;
    shape->ctas = p->ctas, shape->shared = (size_t)p->slots * UNIT_BYTES + shared<T>::bytes(p->most);
    return cudaSuccess;
}

template <class T, int NV> tsl_status launch_panel(tsl_queue *q, panel<T> p)
{
    launch_shape shape = {};
    cudaError_t e = shape_of<T, NV>(&p, &shape);
    if (e != cudaSuccess || p.groups == 0) return e != cudaSuccess ? tsl_cuda_check(e, "labrd") : TSL_ERR_OVERFLOW;
    const tsl_status st = tsl_cuda_messages(tsl_cuda(q), 2 * (unsigned)p.k, &p.messages, &p.epoch);
    return st != TSL_OK ? st : tsl_cuda_check(launch(reduce<T, NV>, shape, tsl_cuda(q)->stream, p), "labrd");
}

template <class T> tsl_status launch_labrd(tsl_queue *q, const tsl_leaf *l)
{
    constexpr int64_t EACH_ROWS = THREADS * (16 / sizeof(T));
    const panel<T> p = panel_of<T>(l);
    const int vectors = (int)tsl_min(VECTORS, (p.m + EACH_ROWS - 1) / EACH_ROWS);
    return vectors <= 2 ? launch_panel<T, 2>(q, p) : vectors <= 4 ? launch_panel<T, 4>(q, p) : launch_panel<T, 8>(q, p);
}

} // namespace
} // namespace labrd
} // namespace tsl

static size_t workspace(const tsl_leaf *l)
{
    size_t bytes = 0;
    tsl::by_type(l->type, [&](auto zero) { return bytes = tsl::labrd::room<decltype(zero)>(l->m).elements * sizeof(zero), TSL_OK; });
    return bytes;
}

static tsl_status labrd(tsl_queue *q, const tsl_leaf *l)
{
    return tsl::by_type(l->type, [=](auto zero) { return tsl::labrd::launch_labrd<decltype(zero)>(q, l); });
}

extern "C" const tsl_kernel_entry tsl_cuda_labrd_entry = {TSL_ALL_TYPES(labrd), tsl::labrd::LIMIT, 0, workspace, NULL, NULL};
