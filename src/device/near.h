/* Messages between the devices of one program, whose ends are threads of it. */
#ifndef TSL_NEAR_H
#define TSL_NEAR_H

#include "device/device.h"

/* All ends of a channel have one backend. They may share a device. */
extern const tsl_fabric tsl_near_fabric;

#endif
