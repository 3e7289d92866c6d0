# libtesela_blas.so: BLAS's and LAPACK's own symbols. It needs no other library to be loaded: the host's BLAS and libtesela are opened when
# they are first called for. libtesela_blas64.so: the same names with integers of 64 bits, over a host library that has such.

file(GLOB dropin CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compat/blas/*.c ${PROJECT_SOURCE_DIR}/src/hostlib/*.c ${PROJECT_SOURCE_DIR}/src/hostlib/mend/*.c
    ${PROJECT_SOURCE_DIR}/src/core/numbers/rotation.c)

if(TESELA_QUICK) # thousands of wrappers
    foreach(name behind cblas fortran lapacke)
        set_source_files_properties(${PROJECT_SOURCE_DIR}/src/compat/blas/${name}.c PROPERTIES COMPILE_OPTIONS -O0)
    endforeach()
endif()

foreach(which blas blas64)
    add_library(tesela_${which} SHARED ${dropin})
    add_library(tesela::tesela_${which} ALIAS tesela_${which})
    target_link_libraries(tesela_${which} PRIVATE tesela_flags Threads::Threads ${CMAKE_DL_LIBS} m)
    target_compile_definitions(tesela_${which} PRIVATE TSL_HOSTLIB_BUILT_WITH="${OPENBLAS_SONAME}"
        TSL_BLAS_LIBTESELA="libtesela.so.${PROJECT_VERSION_MAJOR}" $<IF:$<STREQUAL:${which},blas64>,TSL_BLAS_64$<SEMICOLON>TSL_HOSTLIB_64,TSL_HOSTLIB_32>)
    target_link_options(tesela_${which} PRIVATE LINKER:--as-needed LINKER:-z,nodelete)
    add_dependencies(tesela_${which} tesela_shared)
    set_target_properties(tesela_${which} PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
endforeach()
install(TARGETS tesela_blas tesela_blas64 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/tesela_blas.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The names under which programs ask for a BLAS and a LAPACK: libraries without a symbol of their own that lead here, and for what is not here
# to the host library. They have a directory of their own, for a library path or for update-alternatives.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/empty.c CONTENT "/* no symbol of its own */\n")
foreach(name blas lapack)
    add_library(tesela_as_${name} SHARED ${PROJECT_BINARY_DIR}/generated/empty.c)
    target_link_libraries(tesela_as_${name} PRIVATE tesela_blas tesela_openblas)
    target_link_options(tesela_as_${name} PRIVATE LINKER:--no-as-needed)
    file(RELATIVE_PATH to_lib ${CMAKE_INSTALL_FULL_LIBDIR}/tesela ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(tesela_as_${name} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${name} SOVERSION 3
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/names BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/..;$ORIGIN/${to_lib}")
    install(TARGETS tesela_as_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tesela NAMELINK_SKIP)
endforeach()
