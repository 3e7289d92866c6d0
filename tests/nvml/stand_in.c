/* A stand-in for NVML: two GPUs whose counters grow with every look, by 250 and by 1000 mJ, and one that has none. */
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int nvmlInit_v2(void);
SHOWN int nvmlShutdown(void);
SHOWN int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device);
SHOWN int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
SHOWN const char *nvmlErrorString(int status);

static unsigned long long counter[3] = {5000, 70000, 0};
static int started;

int nvmlInit_v2(void) { return started++, 0; }
int nvmlShutdown(void) { return started-- ? 0 : 1; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)
{
    int number = strlen(pci) == 12 && !strncmp(pci, "0000:0", 6) && !strcmp(pci + 7, ":00.0") ? pci[6] - '1' : -1;
    if (number < 0 || number > 2)
        return 6;
    *device = &counter[number];
    return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    unsigned long long *c = device;
    if (!started || c == &counter[2])
        return started ? 3 : 1;
    *millijoules = *c += c == &counter[0] ? 250 : 1000;
    return 0;
}

const char *nvmlErrorString(int status) { return status == 3 ? "Not Supported" : status == 6 ? "Not Found" : "Uninitialized"; }
