/* No device call under the runtime's lock: the driver may wait in any of them for work in flight, and the end of that work may
 * need a thread that waits for the lock. */
#include <assert.h>

#include "device/device.h"

__thread int tsl_device_barred;
__thread bool tsl_own_thread;
long tsl_device_intrusions;

void tsl_device_intruded(void)
{
    __atomic_fetch_add(&tsl_device_intrusions, 1, __ATOMIC_RELAXED);
    assert(!"a device call under the runtime's lock");
}
