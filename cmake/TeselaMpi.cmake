# libtesela_mpi.so: grids whose processes are those of MPI. libtesela.so itself knows nothing of MPI.

file(GLOB by_mpi CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/grid/mpi/*.c)
add_library(tesela_mpi SHARED ${by_mpi})
add_library(tesela::tesela_mpi ALIAS tesela_mpi)
target_link_libraries(tesela_mpi PRIVATE tesela_flags PUBLIC tesela_shared MPI::MPI_C)
target_link_libraries(tesela_mpi PRIVATE Threads::Threads)
set(mpi_map ${PROJECT_SOURCE_DIR}/cmake/tesela_mpi.map)
target_link_options(tesela_mpi PRIVATE LINKER:--version-script=${mpi_map} LINKER:--as-needed LINKER:-z,nodelete)
if(NOT TESELA_SANITIZE)
    target_link_options(tesela_mpi PRIVATE LINKER:-z,defs)
endif()
set_target_properties(tesela_mpi PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_DEPENDS ${mpi_map} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
install(TARGETS tesela_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/tesela_mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# libtesela_scalapack.so: ScaLAPACK's symbols, to be preloaded before it. It finds the process's own BLACS at run time.
file(GLOB scalapack CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/compat/scalapack/*.c)
add_library(tesela_scalapack SHARED ${scalapack})
target_link_libraries(tesela_scalapack PRIVATE tesela_flags tesela_mpi ${CMAKE_DL_LIBS})
target_link_options(tesela_scalapack PRIVATE LINKER:--as-needed)
set_target_properties(tesela_scalapack PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
install(TARGETS tesela_scalapack LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
