# tests/ROOM/test_NAME.c is one TAP program, linked with the static library and the benchmarks' objects; tests/support/*.c files are
# shared by all of them. ctest goes by the exit status; 77 means skipped.

set(tests_timeout ${TESELA_TEST_TIMEOUT})
# Not by what the user has tuned; and as on two cores, since tests run side by side.
set(tests_environment "OPENBLAS_NUM_THREADS=set:2" "TESELA_TUNE=set:none")
if(TESELA_SANITIZE)
    math(EXPR tests_timeout "4 * ${TESELA_TEST_TIMEOUT}")
    list(APPEND tests_environment "ASAN_OPTIONS=set:allocator_may_return_null=1" # as without it, what cannot be is refused
        "TSAN_OPTIONS=set:suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
endif()

# The longest begin first, so that none is left to run alone.
set(tests_long cross sweep dropin_testers cli sweep_large variants alloc_tiles forms paths lu tiles alloc python)
set(tests_full sweep_large cli_progress) # for make test-all

function(tesela_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${tests_timeout} SKIP_RETURN_CODE 77 ENVIRONMENT_MODIFICATION "${tests_environment}")
    list(FIND tests_long ${name} at)
    if(at GREATER -1)
        math(EXPR cost "1000 - ${at}")
        set_tests_properties(${name} PROPERTIES COST ${cost})
    endif()
    if(name IN_LIST tests_full)
        set_tests_properties(${name} PROPERTIES LABELS full)
    endif()
endfunction()

set(programs)
foreach(room blas calls eig factor grid machine products program solve tiles)
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${room}/test_*.c)
    list(APPEND programs ${found})
endforeach()
set(tests_include ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/support)
file(GLOB support CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c)
set(support_objects)
if(support)
    add_library(tesela_tests OBJECT ${support})
    target_link_libraries(tesela_tests PRIVATE tesela_compared)
    target_include_directories(tesela_tests PRIVATE ${tests_include})
    set(support_objects $<TARGET_OBJECTS:tesela_tests>)
endif()
foreach(source IN LISTS programs)
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source} ${bench_objects} ${support_objects})
    target_link_libraries(${name} PRIVATE tesela_compared tesela_static)
    target_include_directories(${name} PRIVATE ${tests_include})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    string(REGEX REPLACE "^test_" "" name ${name})
    tesela_add_test(${name} $<TARGET_FILE:test_${name}>)
endforeach()

# Their problems are so small that OpenBLAS's threads would take longer to wait for each other than to compute.
set(tests_small sweep sweep_large variants paths level1 level1_edges level2 level2_edges level2_views band packed norm lu lu_variants qr incpiv qrinc skinny
    edges edges_lu edges_ops edges_posv edges_potrf edges_qr edges_trtri ops_of_q sytrd sytrd_views syev sy2sb sb2st sb2st_some ldl sylvester uddate svd geev hseqr bidiagonal ge2gb gebrd)
list(APPEND tests_small bench_batches families laqr3 con function alloc refused hybrid graph mixed_tiles tiles_lu)
list(APPEND tests_small grid_threads grid_tcp near clock as_gpus)
set_property(TEST ${tests_small} APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:1")

if(TESELA_SANITIZE) # the search for leaks takes a child's memory for its parent's threads', and speaks where threads run on at the end
    set_property(TEST fork exit APPEND PROPERTY ENVIRONMENT_MODIFICATION "LSAN_OPTIONS=set:detect_leaks=0")
endif()

foreach(source model/model model/fit args progress) # of the program: its cost model
    target_sources(test_model PRIVATE ${PROJECT_SOURCE_DIR}/cli/${source}.c)
endforeach()
target_sources(test_shares PRIVATE ${PROJECT_SOURCE_DIR}/cli/tune/shares.c)

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/file/*.c) # and its files
foreach(test test_files test_bad_files)
    target_sources(${test} PRIVATE ${sources} ${PROJECT_SOURCE_DIR}/cli/args.c ${PROJECT_SOURCE_DIR}/cli/progress.c)
endforeach()

# The table of refusals, which knows the public headers.
target_sources(test_refused PRIVATE ${PROJECT_SOURCE_DIR}/tests/refused/views.c ${PROJECT_SOURCE_DIR}/tests/refused/typed.c)
target_compile_definitions(test_refused PRIVATE "HEADERS=\"${PROJECT_SOURCE_DIR}/include/tesela/{*,batch/*}.h\"")

# Which defects the host library has depends on the processor: as for several kinds that this one can run.
if(NOT TESELA_SANITIZE)
    tesela_add_test(core_types sh ${PROJECT_SOURCE_DIR}/tests/scripts/core_types.sh $<TARGET_FILE:test_host_library> $<TARGET_FILE:test_level1_edges>
        $<TARGET_FILE:test_level2_edges> full $<TARGET_FILE:test_edges_potrf> $<TARGET_FILE:test_edges_posv> $<TARGET_FILE:test_edges_lu>
        $<TARGET_FILE:test_edges_qr>)
    set_property(TEST core_types APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:1" "CUDA_VISIBLE_DEVICES=set:-1")
endif()

# LAPACK's norms as some processors have them, wrong of tiny numbers, on any.
if(NOT TESELA_SANITIZE) # which must be loaded first
    add_library(wrong_norms MODULE ${PROJECT_SOURCE_DIR}/tests/hostlib/norms.c)
    target_link_libraries(wrong_norms PRIVATE tesela_flags m)
    set_target_properties(wrong_norms PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    foreach(name host_library norms)
        tesela_add_test(${name}_wrong_norms $<TARGET_FILE:test_${name}>)
        set_property(TEST ${name}_wrong_norms APPEND PROPERTY ENVIRONMENT_MODIFICATION "LD_PRELOAD=set:$<TARGET_FILE:wrong_norms>" "OPENBLAS_NUM_THREADS=set:1"
            "CUDA_VISIBLE_DEVICES=set:-1")
    endforeach()
endif()

# Who counts the calls of the host library's threads is preloaded.
if(NOT TESELA_SANITIZE)
    add_library(pool_calls MODULE ${PROJECT_SOURCE_DIR}/tests/hostlib/pool.c)
    target_link_libraries(pool_calls PRIVATE ${CMAKE_DL_LIBS})
    set_target_properties(pool_calls PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    set_property(TEST few_threads APPEND PROPERTY ENVIRONMENT_MODIFICATION "LD_PRELOAD=set:$<TARGET_FILE:pool_calls>")
endif()

# A host library whose drivers come to NaN
add_library(silent_drivers MODULE ${PROJECT_SOURCE_DIR}/tests/hostlib/silent.c)
target_link_libraries(silent_drivers PRIVATE -Wl,--no-as-needed tesela_openblas)
set_target_properties(silent_drivers PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
set_property(TEST silent APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_HOST_BLAS=set:$<TARGET_FILE:silent_drivers>")

# A BLAS without LAPACK
add_library(blas_alone MODULE ${PROJECT_SOURCE_DIR}/tests/hostlib/alone.c)
set_target_properties(blas_alone PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
# and one that does not know the processor
add_library(blas_old MODULE ${PROJECT_SOURCE_DIR}/tests/hostlib/old.c)
target_link_libraries(blas_old PRIVATE -Wl,--no-as-needed tesela_openblas)
set_target_properties(blas_old PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
set_property(TEST host_named APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_TEST_ALONE=set:$<TARGET_FILE:blas_alone>"
    "TESELA_TEST_OLD=set:$<TARGET_FILE:blas_old>")

# A stand-in for NCCL, which needs a GPU for every process: with it messages between devices are tested on virtual host devices, and on
# one GPU.
add_library(nccl_stand_in MODULE ${PROJECT_SOURCE_DIR}/tests/nccl/stand_in.c)
target_link_libraries(nccl_stand_in PRIVATE tesela_flags Threads::Threads rt)
if(TESELA_HAVE_CUDA)
    target_link_libraries(nccl_stand_in PRIVATE CUDA::cudart_static ${CMAKE_DL_LIBS})
endif()
set_target_properties(nccl_stand_in PROPERTIES LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
set(by_stand_in "TESELA_NCCL=set:$<TARGET_FILE:nccl_stand_in>")
tesela_add_test(channel_stand_in $<TARGET_FILE:test_channel>)
set_property(TEST channel_stand_in APPEND PROPERTY ENVIRONMENT_MODIFICATION ${by_stand_in})

# And one for NVML: counters of energy without a GPU.
add_library(nvml_stand_in MODULE ${PROJECT_SOURCE_DIR}/tests/nvml/stand_in.c)
target_link_libraries(nvml_stand_in PRIVATE tesela_flags)
set_target_properties(nvml_stand_in PROPERTIES LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
add_dependencies(test_energy nvml_stand_in)
target_compile_definitions(test_energy PRIVATE "NVML_STAND_IN=\"$<TARGET_FILE:nvml_stand_in>\"")

# The examples are tests too: they say how the library is used. So is the README's.
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)
file(READ ${PROJECT_SOURCE_DIR}/README.md readme)
string(REGEX REPLACE ".*\n```c\n([^`]*)```.*" "\\1" readme "${readme}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/examples/readme.c CONTENT "${readme}" @ONLY)
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
list(APPEND examples ${PROJECT_BINARY_DIR}/examples/readme.c)
# And the program of each page about a family of routines.
foreach(page level3 cholesky lu qr ldl eigen svd schur functions condition products)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/${page}.md)
    file(READ ${PROJECT_SOURCE_DIR}/docs/${page}.md text)
    if(NOT text MATCHES "\n```c\n(#include[^`]*)```")
        message(FATAL_ERROR "docs/${page}.md has no program")
    endif()
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/examples/docs_${page}.c CONTENT "${CMAKE_MATCH_1}" @ONLY)
    list(APPEND examples ${PROJECT_BINARY_DIR}/examples/docs_${page}.c)
endforeach()
foreach(source IN LISTS examples)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    target_link_libraries(example_${name} PRIVATE tesela_flags tesela_static)
    set_target_properties(example_${name} PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    tesela_add_test(example_${name} $<TARGET_FILE:example_${name}>)
endforeach()
# Those in other languages, by the installed way of using the library: its header and the shared object. Not under a sanitizer, which they
# would need too.
if(NOT TESELA_SANITIZE)
    foreach(example "cplusplus.cpp;c++ -std=c++11" "fortran.f90;gfortran")
        list(GET example 0 source)
        list(GET example 1 compiler)
        get_filename_component(name ${source} NAME_WE)
        tesela_add_test(example_${name} sh ${PROJECT_SOURCE_DIR}/tests/scripts/example.sh "${compiler}" ${PROJECT_SOURCE_DIR}/examples/${source}
            ${PROJECT_SOURCE_DIR}/include $<TARGET_FILE:tesela_shared> ${PROJECT_BINARY_DIR}/examples/${name})
    endforeach()
endif()
if(NOT TESELA_SANITIZE)
    tesela_add_test(octave sh ${PROJECT_SOURCE_DIR}/tests/scripts/octave.sh ${PROJECT_SOURCE_DIR}/octave ${PROJECT_SOURCE_DIR}/include
        $<TARGET_FILE:tesela_shared> ${PROJECT_BINARY_DIR}/octave ${PROJECT_SOURCE_DIR}/examples/octave/solve.m)
endif()
# Where there is no such device they say so, and end.
foreach(name potrf readme)
    tesela_add_test(example_${name}_refused sh ${PROJECT_SOURCE_DIR}/tests/scripts/refused.sh $<TARGET_FILE:example_${name}> foo)
    set_property(TEST example_${name}_refused APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_DEVICES=set:foo")
endforeach()

# Programs of one call, linked with the static library: every layer is there, whatever the linker took first.
set(first_programs)
foreach(call typed number large mixed threads explain default create matrix wrap tiled views tiles set begin wait info timer counters devices progress
        cancel tell tuning nothing)
    add_executable(first_${call} ${PROJECT_SOURCE_DIR}/tests/first/first.c)
    target_compile_definitions(first_${call} PRIVATE FIRST=CALL_${call} FIRST_IS_${call})
    target_link_libraries(first_${call} PRIVATE tesela_flags tesela_static)
    set_target_properties(first_${call} PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/first)
    list(APPEND first_programs $<TARGET_FILE:first_${call}>)
endforeach()
tesela_add_test(first_call sh ${PROJECT_SOURCE_DIR}/tests/first/run.sh ${first_programs})
set_property(TEST first_call APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_DEVICES=set:host")

# A program that has much loaded already, as Python with PyTorch, has no static thread-local memory left for one more library.
tesela_add_test(loaded_late sh -c "lib='$<TARGET_FILE:tesela_shared>'; readelf -rW $lib >/dev/null && ! readelf -rW $lib | grep -E 'TPREL|TPOFF'")

tesela_add_test(layers bash ${PROJECT_SOURCE_DIR}/scripts/check-layers)
# What objects use of each other: those of all libraries of src/.
set(objects)
foreach(target tesela_objects tesela_sm90 tesela_mpi tesela_blas tesela_scalapack)
    if(TARGET ${target})
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endif()
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/objects-$<CONFIG>.list CONTENT "$<JOIN:${objects},\n>\n")
tesela_add_test(circles bash ${PROJECT_SOURCE_DIR}/scripts/check-circles ${PROJECT_BINARY_DIR}/generated/objects-$<CONFIG>.list)
foreach(name operation dialect largest width rooms)
    tesela_add_test(${name} bash ${PROJECT_SOURCE_DIR}/scripts/check-${name})
endforeach()
foreach(name docs reference) # links and numbers of the documents; a comment for every public function
    tesela_add_test(${name} sh ${PROJECT_SOURCE_DIR}/tests/scripts/python.sh ${PROJECT_SOURCE_DIR}/scripts/check-${name})
endforeach()

if(TARGET tesela AND EXISTS ${PROJECT_SOURCE_DIR}/tests/scripts/cli.sh)
    tesela_add_test(sanitize_list bash ${PROJECT_SOURCE_DIR}/scripts/check-sanitize $<TARGET_FILE:tesela>)
    tesela_add_test(cli bash ${PROJECT_SOURCE_DIR}/tests/scripts/cli.sh $<TARGET_FILE:tesela>)
    tesela_add_test(cli_files sh ${PROJECT_SOURCE_DIR}/tests/scripts/cli_files.sh $<TARGET_FILE:tesela>)
    tesela_add_test(cli_progress sh ${PROJECT_SOURCE_DIR}/tests/scripts/cli_progress.sh $<TARGET_FILE:tesela>)
    tesela_add_test(report sh ${PROJECT_SOURCE_DIR}/tests/scripts/report.sh $<TARGET_FILE:tesela>)
    tesela_add_test(cli_output bash ${PROJECT_SOURCE_DIR}/tests/scripts/cli_output.sh $<TARGET_FILE:tesela> $<TARGET_FILE:test_output>)
endif()

if(NOT TESELA_SANITIZE) # an interpreter that is not sanitized cannot load such a library
    include(TeselaPython)
endif()
foreach(name cli cli_output report octave python) # many programs, each with small problems
    if(TEST ${name})
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:1")
    endif()
endforeach()

# Another compiler, another rounding of fused operations, another OpenBLAS
if(NOT TESELA_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
    tesela_add_test(cross bash ${PROJECT_SOURCE_DIR}/scripts/check-cross ${PROJECT_BINARY_DIR}/cross)
    set_tests_properties(cross PROPERTIES TIMEOUT 1800)
endif()

# A program outside this tree: install, find_package, pkg-config, C++. A sanitized library would need a sanitized program.
if(NOT TESELA_SANITIZE)
    find_program(TESELA_PKG_CONFIG NAMES pkg-config pkgconf)
    mark_as_advanced(TESELA_PKG_CONFIG)
    tesela_add_test(consumer ${CMAKE_COMMAND}
        -D build=${PROJECT_BINARY_DIR} -D source=${PROJECT_SOURCE_DIR}/tests/consumer -D scratch=${PROJECT_BINARY_DIR}/tests/consumer
        -D config=$<CONFIG> -D generator=${CMAKE_GENERATOR} -D cc=${CMAKE_C_COMPILER} -D libdir=${CMAKE_INSTALL_LIBDIR}
        -D pkg_config=$<$<BOOL:${TESELA_PKG_CONFIG}>:${TESELA_PKG_CONFIG}> -D cli=$<TARGET_EXISTS:tesela>
        -D mpi=$<TARGET_EXISTS:tesela_mpi> -D mpiexec=${MPIEXEC_EXECUTABLE} -D np=${MPIEXEC_NUMPROC_FLAG}
        -P ${PROJECT_SOURCE_DIR}/tests/consumer.cmake)
endif()
