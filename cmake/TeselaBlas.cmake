# OpenBLAS and LAPACKE as imported targets tesela_openblas and tesela_lapacke.
# Sets OPENBLAS_VERSION, OPENBLAS_SONAME and TESELA_LAPACKE_IN_OPENBLAS. Other places: -DCMAKE_PREFIX_PATH=..., or the cache variables by hand.

# Debian keeps one directory per flavour; Fedora uses include/openblas. The header must be OpenBLAS's own, not the netlib one.
find_path(OPENBLAS_INCLUDE_DIR openblas_config.h
    PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial openblas)
find_library(OPENBLAS_LIBRARY NAMES openblas openblasp)
find_library(OPENBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-pthread openblas-openmp openblas-serial)
mark_as_advanced(OPENBLAS_INCLUDE_DIR OPENBLAS_LIBRARY)
if(NOT OPENBLAS_LIBRARY OR NOT OPENBLAS_INCLUDE_DIR OR NOT EXISTS ${OPENBLAS_INCLUDE_DIR}/cblas.h)
    message(FATAL_ERROR "OpenBLAS was not found (library: ${OPENBLAS_LIBRARY}, headers: ${OPENBLAS_INCLUDE_DIR}).\n"
        "Run scripts/setup, or give its prefix with -DCMAKE_PREFIX_PATH=DIR.")
endif()
file(STRINGS ${OPENBLAS_INCLUDE_DIR}/openblas_config.h line REGEX "define OPENBLAS_VERSION ")
string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" OPENBLAS_VERSION "${line}")

get_filename_component(file ${OPENBLAS_LIBRARY} REALPATH)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers ERROR_QUIET)
set(OPENBLAS_SONAME libopenblas.so.0)
if(headers MATCHES "SONAME +([^ \n]+)")
    set(OPENBLAS_SONAME ${CMAKE_MATCH_1})
endif()

add_library(tesela_openblas UNKNOWN IMPORTED)
set_target_properties(tesela_openblas PROPERTIES
    IMPORTED_LOCATION ${OPENBLAS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${OPENBLAS_INCLUDE_DIR})

# LAPACKE is a library of its own on Debian and part of OpenBLAS elsewhere.
include(CheckLibraryExists)
set(CMAKE_REQUIRED_QUIET ON)
check_library_exists(${OPENBLAS_LIBRARY} LAPACKE_dpotrf_work "" TESELA_LAPACKE_IN_OPENBLAS)
unset(CMAKE_REQUIRED_QUIET)
find_path(LAPACKE_INCLUDE_DIR lapacke.h HINTS ${OPENBLAS_INCLUDE_DIR} PATH_SUFFIXES lapacke openblas)
find_library(LAPACKE_LIBRARY lapacke)
mark_as_advanced(LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY)
if(NOT LAPACKE_INCLUDE_DIR OR NOT (TESELA_LAPACKE_IN_OPENBLAS OR LAPACKE_LIBRARY))
    message(FATAL_ERROR "LAPACKE was not found (library: ${LAPACKE_LIBRARY}, headers: ${LAPACKE_INCLUDE_DIR}).\n"
        "Run scripts/setup, or give its prefix with -DCMAKE_PREFIX_PATH=DIR.")
endif()

add_library(tesela_lapacke INTERFACE IMPORTED)
target_include_directories(tesela_lapacke INTERFACE ${LAPACKE_INCLUDE_DIR})
if(TESELA_LAPACKE_IN_OPENBLAS)
    target_link_libraries(tesela_lapacke INTERFACE tesela_openblas)
else()
    target_link_libraries(tesela_lapacke INTERFACE ${LAPACKE_LIBRARY})
endif()
