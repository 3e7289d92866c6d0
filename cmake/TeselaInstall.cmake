# The libraries, the header, the CMake package and tesela.pc. The installed tree can be moved as a whole.

include(CMakePackageConfigHelpers)

install(TARGETS tesela_shared tesela_static
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/tesela.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# What a link with libtesela.a needs beside it, in order.
set(static_libs openblas)
if(OPENBLAS_LIBRARY MATCHES "libopenblasp\\.")
    set(static_libs openblasp)
endif()
if(NOT TESELA_LAPACKE_IN_OPENBLAS)
    list(APPEND static_libs lapacke)
endif()
set(static_system_libs pthread dl m)
set(static_cuda_dir "")
if(TESELA_HAVE_CUDA)
    list(APPEND static_libs cudart_static)
    list(PREPEND static_system_libs stdc++ rt)
    get_target_property(file CUDA::cudart_static IMPORTED_LOCATION)
    get_filename_component(static_cuda_dir ${file} DIRECTORY)
endif()

# A written package file rather than install(EXPORT): that would make every user of the static library enable the CUDA language.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tesela)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/teselaConfig.cmake.in ${PROJECT_BINARY_DIR}/teselaConfig.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/teselaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/teselaConfig.cmake ${PROJECT_BINARY_DIR}/teselaConfigVersion.cmake
    DESTINATION ${package_dir})

# tesela.pc: paths relative to the file where they can be.
set(pc_prefix ${CMAKE_INSTALL_PREFIX})
foreach(which LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${which}})
        set(pc_${which} ${CMAKE_INSTALL_${which}})
    else()
        set(pc_${which} "\${prefix}/${CMAKE_INSTALL_${which}}")
    endif()
endforeach()
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" up ${up})
    set(pc_prefix "\${pcfiledir}/${up}")
endif()
list(TRANSFORM static_libs PREPEND "-l" OUTPUT_VARIABLE pc_private)
list(TRANSFORM static_system_libs PREPEND "-l" OUTPUT_VARIABLE pc_system)
if(static_cuda_dir)
    list(PREPEND pc_private "-L${static_cuda_dir}")
endif()
foreach(lib OPENBLAS LAPACKE)
    get_filename_component(dir "${${lib}_LIBRARY}" DIRECTORY)
    if(dir AND NOT dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        list(PREPEND pc_private "-L${dir}")
    endif()
endforeach()
list(APPEND pc_private ${pc_system})
list(REMOVE_DUPLICATES pc_private)
list(JOIN pc_private " " pc_private)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tesela.pc.in ${PROJECT_BINARY_DIR}/tesela.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tesela.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
