# A toolchain for the other architecture, by Debian's cross compiler and a folder with its libraries (scripts/check-cross):
#   cmake --toolchain cmake/cross.cmake -DTESELA_CROSS=aarch64 -DTESELA_CROSS_ROOT=FOLDER; x86_64 is the other one it is for
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TESELA_CROSS TESELA_CROSS_ROOT)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${TESELA_CROSS})
set(CMAKE_LIBRARY_ARCHITECTURE ${TESELA_CROSS}-linux-gnu)
set(CMAKE_C_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-g++)

set(libraries ${TESELA_CROSS_ROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
# LAPACKE's own needs are there too, and BLAS in a folder of its own.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${libraries}/openblas-pthread:${libraries}")
set(CMAKE_FIND_ROOT_PATH ${TESELA_CROSS_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${TESELA_CROSS} -cpu max -L ${TESELA_CROSS_ROOT}
    -E LD_LIBRARY_PATH=${libraries}/openblas-pthread:${libraries})
