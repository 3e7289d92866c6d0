#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "bench/energy/energy.h"

/* Functions have the representation of data pointers under POSIX. */
static bool fill(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found;
}

static bool said(const bench_nvml *v, const char *what, int status, char line[BENCH_LINE])
{
    if (status)
        snprintf(line, BENCH_LINE, "NVML: %s: %s", what, v->says(status));
    return !status;
}

bool bench_nvml_open(bench_nvml *v, const char *library, char (*pci)[BENCH_PCI], int gpus, char line[BENCH_LINE])
{
    *v = (bench_nvml){.devices = 0};
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL); /* stays: it has threads of its own */
    if (!opened) {
        snprintf(line, BENCH_LINE, "%.200s is not here", library);
        return false;
    }
    if (!fill(opened, "nvmlInit_v2", &v->init) || !fill(opened, "nvmlShutdown", &v->shutdown) ||
        !fill(opened, "nvmlDeviceGetHandleByPciBusId_v2", &v->find) || !fill(opened, "nvmlDeviceGetTotalEnergyConsumption", &v->energy) ||
        !fill(opened, "nvmlErrorString", &v->says)) {
        snprintf(line, BENCH_LINE, "%.200s has no counter of energy", library);
        return false;
    }
    if (!said(v, "start", v->init(), line))
        return false;
    bool good = gpus <= BENCH_GPUS;
    for (int i = 0; i < gpus && good; i++, v->devices++)
        good = said(v, pci[i], v->find(pci[i], &v->device[i]), line) && said(v, pci[i], v->energy(v->device[i], &v->first[i]), line);
    if (!good)
        v->shutdown();
    return good;
}

bool bench_nvml_read(bench_nvml *v, double *joules, char line[BENCH_LINE])
{
    unsigned long long now, sum = 0;
    for (int i = 0; i < v->devices; i++) {
        if (!said(v, "energy", v->energy(v->device[i], &now), line))
            return false;
        sum += now - v->first[i];
    }
    *joules = 1e-3 * (double)sum;
    return true;
}

void bench_nvml_close(bench_nvml *v) { v->shutdown(); }
