#include "bench/energy/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/measure.h"

/* A counter lags behind by up to an update, on GPUs about 0.1 s. Rounds that do not count go before, so that the power is the
 * same at both ends. */
static const double LAG = 0.2;

static const char *const names[BENCH_PARTS] = {"GPU", "CPU"};

/* Each real GPU of the context once: virtual ones share it. */
static int addresses(tsl_context *ctx, char pci[BENCH_GPUS][BENCH_PCI], bool *known)
{
    int count = 0, seen[BENCH_GPUS];
    tsl_device_info d;
    *known = true;
    for (int i = 0; i < tsl_device_count(ctx) && count < BENCH_GPUS; i++) {
        bool again = tsl_device_query(ctx, i, &d) || strcmp(d.backend, "cuda");
        for (int j = 0; j < count && !again; j++)
            again = seen[j] == d.ordinal;
        if (again)
            continue;
        *known &= bench_pci(d.ordinal, pci[count], BENCH_PCI);
        seen[count++] = d.ordinal;
    }
    return count;
}

static const char *set_or(const char *variable, const char *usual)
{
    const char *set = getenv(variable);
    return set && *set ? set : usual;
}

void bench_meter_open(bench_meter *m, tsl_context *ctx)
{
    char pci[BENCH_GPUS][BENCH_PCI];
    bool known;
    *m = (bench_meter){.gpus = false};
    int gpus = addresses(ctx, pci, &known);
    m->gpus = gpus > 0;
    if (!m->gpus)
        snprintf(m->why[BENCH_GPU], BENCH_LINE, "there is none in this context");
    else if (!known)
        snprintf(m->why[BENCH_GPU], BENCH_LINE, "CUDA does not tell its PCI address");
    else
        m->readable[BENCH_GPU] = bench_nvml_open(&m->nvml, set_or("TESELA_NVML", "libnvidia-ml.so.1"), pci, gpus, m->why[BENCH_GPU]);
    m->readable[BENCH_CPU] = bench_rapl_open(&m->rapl, set_or("TESELA_POWERCAP", "/sys/class/powercap"), bench_now(), m->why[BENCH_CPU]);
}

void bench_meter_read(bench_meter *m, double joules[BENCH_PARTS])
{
    joules[BENCH_GPU] = joules[BENCH_CPU] = NAN;
    if (m->readable[BENCH_GPU])
        m->readable[BENCH_GPU] = bench_nvml_read(&m->nvml, &joules[BENCH_GPU], m->why[BENCH_GPU]);
    if (m->readable[BENCH_CPU])
        m->readable[BENCH_CPU] = bench_rapl_read(&m->rapl, bench_now(), &joules[BENCH_CPU], m->why[BENCH_CPU]);
}

void bench_meter_close(bench_meter *m)
{
    if (m->nvml.devices)
        bench_nvml_close(&m->nvml);
}

/* Rounds for so many seconds, then what the counters say; the number of rounds, or -1: one failed. Looking at the counters once
 * a second is enough to see each go around, and seldom enough to cost nothing. */
static int64_t rounds(bench_meter *m, bool (*act)(void *user), void *user, double seconds, double joules[BENCH_PARTS])
{
    double start = bench_now(), look = start + 1;
    for (int64_t done = 1;; done++) {
        if (!act(user))
            return -1;
        double now = bench_now();
        if (now >= look || now - start >= seconds) {
            bench_meter_read(m, joules);
            look = now + 1;
        }
        if (now - start >= seconds)
            return done;
    }
}

/* Joules of one round */
static bool again(bench_meter *m, bool (*act)(void *user), void *user, double seconds, double joules[BENCH_PARTS])
{
    double before[BENCH_PARTS];
    int64_t count = rounds(m, act, user, LAG, before);
    if (count > 0)
        count = rounds(m, act, user, seconds, joules);
    for (int i = 0; i < BENCH_PARTS && count > 0; i++)
        joules[i] = (joules[i] - before[i]) / (double)count;
    return count > 0;
}

bool bench_energy(bench_meter *m, const bench_work *w, double seconds, double joules[BENCH_PARTS])
{
    double restores[BENCH_PARTS];
    joules[BENCH_GPU] = joules[BENCH_CPU] = NAN;
    if (!m->readable[BENCH_GPU] && !m->readable[BENCH_CPU])
        return true;
    if (!again(m, w->round, w->user, seconds, joules) || !again(m, w->restore, w->user, seconds, restores))
        return false;
    for (int i = 0; i < BENCH_PARTS; i++) {
        joules[i] = (joules[i] - restores[i]) / w->calls;
        if (joules[i] <= 0) /* the counter did not tell them apart */
            joules[i] = NAN;
    }
    return true;
}

double bench_energy_of(const bench_meter *m, const double joules[BENCH_PARTS]) { return joules[m->gpus ? BENCH_GPU : BENCH_CPU]; }

void bench_energy_text(const bench_meter *m, const double joules[BENCH_PARTS], char *out, size_t size)
{
    size_t at = 0;
    *out = 0;
    for (int i = m->gpus ? BENCH_GPU : BENCH_CPU; i < BENCH_PARTS && at < size; i++) {
        const char *comma = at ? ", " : "";
        int more;
        if (isfinite(joules[i]))
            more = snprintf(out + at, size - at, "%s%s %.4g J", comma, names[i], joules[i]);
        else if (m->readable[i])
            more = snprintf(out + at, size - at, "%s%s too little to be measured", comma, names[i]);
        else
            more = snprintf(out + at, size - at, "%s%s not readable here (%s)", comma, names[i], m->why[i]);
        at += (size_t)more;
    }
}
