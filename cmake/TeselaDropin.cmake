# libtesela_blas.so: BLAS's and LAPACK's own symbols. It needs no other library to be loaded: the host's BLAS and libtesela are opened when
# they are first called for.

file(GLOB dropin CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compat/blas/*.c)
get_filename_component(openblas_file ${OPENBLAS_LIBRARY} REALPATH)
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${openblas_file} OUTPUT_VARIABLE headers ERROR_QUIET)
set(openblas_soname libopenblas.so.0)
if(headers MATCHES "SONAME +([^ \n]+)")
    set(openblas_soname ${CMAKE_MATCH_1})
endif()

add_library(tesela_blas SHARED ${dropin})
target_link_libraries(tesela_blas PRIVATE tesela_flags Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(tesela_blas PRIVATE TSL_BLAS_BIND=0 TSL_BLAS_BUILT_WITH="${openblas_soname}"
    TSL_BLAS_LIBTESELA="libtesela.so.${PROJECT_VERSION_MAJOR}")
target_link_options(tesela_blas PRIVATE LINKER:--as-needed)
add_dependencies(tesela_blas tesela_shared)
set_target_properties(tesela_blas PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
