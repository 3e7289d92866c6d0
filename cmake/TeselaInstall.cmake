# The libraries, the headers, the license, the CMake package and tesela.pc. The installed tree can be moved as a whole.

include(CMakePackageConfigHelpers)

install(TARGETS tesela_shared tesela_static
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/tesela.h ${PROJECT_SOURCE_DIR}/include/tesela_grid.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tesela DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

get_filename_component(openblas_name ${OPENBLAS_LIBRARY} NAME_WE)
string(REGEX REPLACE "^lib" "" openblas_name ${openblas_name}) # "openblas", or "openblasp"

# What a link with libtesela.a needs beside it, in order. The host's BLAS is opened at run time.
set(static_libs)
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
write_basic_package_version_file(${PROJECT_BINARY_DIR}/teselaConfigVersion.cmake COMPATIBILITY SameMajorVersion) # as the soname: include/tesela.h
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
list(APPEND pc_private ${pc_system})
list(JOIN pc_private " " pc_private)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tesela.pc.in ${PROJECT_BINARY_DIR}/tesela.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tesela.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# tesela_blas.pc: with the host library, which has what is not here
get_filename_component(dir ${OPENBLAS_LIBRARY} DIRECTORY)
set(pc_host "-l${openblas_name}")
if(NOT dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    string(PREPEND pc_host "-L${dir} ")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/tesela_blas.pc.in ${PROJECT_BINARY_DIR}/tesela_blas.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tesela_blas.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# tesela_mpi.pc: with the MPI that it was built with, whose header its own includes.
if(TARGET tesela_mpi)
    set(pc_mpi_flags)
    set(pc_mpi_libs)
    foreach(dir IN LISTS MPI_C_INCLUDE_DIRS)
        string(APPEND pc_mpi_flags " -I${dir}")
    endforeach()
    foreach(lib IN LISTS MPI_C_LIBRARIES)
        get_filename_component(dir ${lib} DIRECTORY)
        get_filename_component(name ${lib} NAME)
        string(APPEND pc_mpi_libs " -L${dir} -l:${name}")
    endforeach()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/tesela_mpi.pc.in ${PROJECT_BINARY_DIR}/tesela_mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/tesela_mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
