/* Internal names that the libraries beside this one (libtesela_mpi) use. They leave libtesela.so in a version of their own,
 * TESELA_PRIVATE in cmake/tesela.map, and are no part of its interface. */
#ifndef TSL_PRIVATE_H
#define TSL_PRIVATE_H

#define TSL_PRIVATE __attribute__((visibility("default")))

#endif
