/* Messages between the devices of one program, whose ends are threads of it. */
#ifndef TSL_NEAR_H
#define TSL_NEAR_H

#include "device/device.h"

/* All ends of a channel have one backend. They may share a device. */
extern const tsl_fabric tsl_near_fabric;

/* Around a kernel of this end that writes to memory of other ends. Once an end has been closed as broken none is at work any
 * more, and none begins: false. */
bool tsl_near_kernel_begins(const tsl_channel *ch);
void tsl_near_kernel_ended(const tsl_channel *ch);

#endif
