/* The tables of kernels, for their backends: at the start of the library. */
#ifndef TSL_KERNELS_H
#define TSL_KERNELS_H

void tsl_host_kernels_register(void);
void tsl_cuda_kernels_register(void); /* where CUDA is built in */

#endif
