/* Energy by the machine's own counters: of GPUs by NVML, of the processor's packages and their memory by RAPL. */
#ifndef BENCH_ENERGY_H
#define BENCH_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/rival/rival.h"

enum { BENCH_GPUS = 64, BENCH_ZONES = 64, BENCH_PATH = 512, BENCH_PCI = 32 };

/* rapl.c: the counters of `folder`, as /sys/class/powercap has them. */
typedef struct bench_zone {
    char file[BENCH_PATH];
    uint64_t range, last; /* microjoules: the counter's largest value, and the one last seen */
} bench_zone;
typedef struct bench_rapl {
    int zones;
    bench_zone zone[BENCH_ZONES];
    double last; /* when they were read */
    uint64_t microjoules; /* since they were opened */
} bench_rapl;
/* False: `line` says why not; one counter that cannot be read makes all useless. `now`: seconds of a clock */
bool bench_rapl_open(bench_rapl *r, const char *folder, double now, char line[BENCH_LINE]);
bool bench_rapl_read(bench_rapl *r, double now, double *joules, char line[BENCH_LINE]);

/* nvml.c: GPUs by their PCI addresses */
typedef struct bench_nvml {
    int (*init)(void), (*shutdown)(void);
    int (*find)(const char *pci, void **device);
    int (*energy)(void *device, unsigned long long *millijoules); /* since the driver was loaded */
    const char *(*says)(int status);
    void *device[BENCH_GPUS];
    unsigned long long first[BENCH_GPUS];
    int devices;
} bench_nvml;
bool bench_nvml_open(bench_nvml *v, const char *library, char (*pci)[BENCH_PCI], int gpus, char line[BENCH_LINE]);
bool bench_nvml_read(bench_nvml *v, double *joules, char line[BENCH_LINE]);
void bench_nvml_close(bench_nvml *v);

/* energy.c: both, of a context's GPUs and of the machine's processors. */
typedef enum bench_part { BENCH_GPU, BENCH_CPU, BENCH_PARTS } bench_part;
typedef struct bench_meter {
    bench_nvml nvml;
    bench_rapl rapl;
    bool gpus; /* the context has some: they are what computes */
    bool readable[BENCH_PARTS];
    char why[BENCH_PARTS][BENCH_LINE]; /* what is not readable is not */
} bench_meter;
/* TESELA_POWERCAP and TESELA_NVML name another folder and another library. */
void bench_meter_open(bench_meter *m, tsl_context *ctx);
void bench_meter_read(bench_meter *m, double joules[BENCH_PARTS]); /* since it was opened; NaN: not readable */
void bench_meter_close(bench_meter *m);

/* A job that needs its data restored: `restore` does that, `round` does that and then the job, `calls` times. Both wait for the
 * end. */
typedef struct bench_work {
    void *user;
    int calls;
    bool (*restore)(void *user), (*round)(void *user);
} bench_work;
/* Joules of one call: rounds for so many seconds, less restores for as many. NaN: not readable. False: the job failed. */
bool bench_energy(bench_meter *m, const bench_work *w, double seconds, double joules[BENCH_PARTS]);
/* "GPU 12.3 J, CPU not readable here (why)" */
void bench_energy_text(const bench_meter *m, const double joules[BENCH_PARTS], char *out, size_t size);
/* of what computes: the GPUs, or without any the processors */
double bench_energy_of(const bench_meter *m, const double joules[BENCH_PARTS]);

#endif
