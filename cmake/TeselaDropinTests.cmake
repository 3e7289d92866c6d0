# libtesela_blas: at the defaults, and with everything on Tesela in small tiles, on the host's cores and on three virtual devices;
# dropin_beside: on such with little memory, beside another thread; dropin_loading, dropin_forking: forked amidst the first call;
# dropin_ending: the program ends amidst calls of its threads; dropin_wheel: what NumPy's wheels ask for; dropin_apart: with symbols of another OpenBLAS.

foreach(name dropin eig svd ldl con geev qrp sylvester apart beside ending forking loading memory wheel)
    add_executable(dropin_test_${name} ${PROJECT_SOURCE_DIR}/tests/dropin/test_${name}.c)
    target_include_directories(dropin_test_${name} PRIVATE ${tests_include})
    target_link_libraries(dropin_test_${name} PRIVATE tesela_flags -Wl,--no-as-needed tesela_blas -Wl,--as-needed ${CMAKE_DL_LIBS} m)
    set_target_properties(dropin_test_${name} PROPERTIES LINKER_LANGUAGE C ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()
add_executable(dropin_test_forking_first ${PROJECT_SOURCE_DIR}/tests/dropin/test_forking.c) # libtesela is there before the drop-in
target_include_directories(dropin_test_forking_first PRIVATE ${tests_include})
target_link_libraries(dropin_test_forking_first PRIVATE tesela_flags -Wl,--no-as-needed tesela_blas tesela_shared -Wl,--as-needed m)
set_target_properties(dropin_test_forking_first PROPERTIES LINKER_LANGUAGE C RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

add_executable(dropin_test_apart_64 ${PROJECT_SOURCE_DIR}/tests/dropin/test_apart.c)
target_compile_definitions(dropin_test_apart_64 PRIVATE WIDE)
target_include_directories(dropin_test_apart_64 PRIVATE ${tests_include})
target_link_libraries(dropin_test_apart_64 PRIVATE tesela_flags -Wl,--no-as-needed tesela_blas64 -Wl,--as-needed m)
set_target_properties(dropin_test_apart_64 PROPERTIES LINKER_LANGUAGE C ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)

function(tesela_dropin_test name devices)
    tesela_add_test(${name} ${ARGN})
    if(TESELA_SANITIZE) # what the host library keeps is not ours; a sanitizer opens libraries in our stead, and knows nothing of our paths
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "LSAN_OPTIONS=set:detect_leaks=0"
            "LD_LIBRARY_PATH=path_list_prepend:${PROJECT_BINARY_DIR}")
    endif()
    if(devices)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_OFFLOAD_MIN=set:0" "TESELA_TILE=set:16"
            "TESELA_DEVICES=set:${devices}")
    endif()
endfunction()

tesela_dropin_test(dropin "" $<TARGET_FILE:dropin_test_dropin>)
tesela_dropin_test(dropin_prescott "" $<TARGET_FILE:dropin_test_dropin>) # whose kernels have the most defects
set_property(TEST dropin_prescott APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_CORETYPE=set:Prescott")
tesela_dropin_test(dropin_eig "" $<TARGET_FILE:dropin_test_eig>)
tesela_dropin_test(dropin_svd "" $<TARGET_FILE:dropin_test_svd>)
tesela_dropin_test(dropin_ldl "" $<TARGET_FILE:dropin_test_ldl>)
tesela_dropin_test(dropin_ldl_ours host:1 $<TARGET_FILE:dropin_test_ldl>)
tesela_dropin_test(dropin_sylvester "" $<TARGET_FILE:dropin_test_sylvester>)
tesela_dropin_test(dropin_geev "" $<TARGET_FILE:dropin_test_geev>)
tesela_dropin_test(dropin_con "" $<TARGET_FILE:dropin_test_con>)
tesela_dropin_test(dropin_con_ours host:3 $<TARGET_FILE:dropin_test_con>)
tesela_dropin_test(dropin_eig_ours host:3 $<TARGET_FILE:dropin_test_eig>)
tesela_dropin_test(dropin_svd_ours host:3 $<TARGET_FILE:dropin_test_svd>)
tesela_dropin_test(dropin_sylvester_ours host:3 $<TARGET_FILE:dropin_test_sylvester>)
tesela_dropin_test(dropin_geev_ours host:3 $<TARGET_FILE:dropin_test_geev>)
tesela_dropin_test(dropin_qrp "" $<TARGET_FILE:dropin_test_qrp>)
tesela_dropin_test(dropin_qrp_ours host:3 $<TARGET_FILE:dropin_test_qrp>)
tesela_dropin_test(dropin_tiles host $<TARGET_FILE:dropin_test_dropin>)
tesela_dropin_test(dropin_tiles_3 host:3 $<TARGET_FILE:dropin_test_dropin>)
tesela_dropin_test(dropin_beside "host:3,mem=90K" $<TARGET_FILE:dropin_test_beside>)

# What has an allocator of its own, is forked amidst other threads, or is preloaded into programs that know nothing of sanitizers.
if(NOT TESELA_SANITIZE)
    tesela_dropin_test(dropin_memory host:3 $<TARGET_FILE:dropin_test_memory>)
    tesela_dropin_test(dropin_ending host $<TARGET_FILE:dropin_test_ending>)
    tesela_dropin_test(dropin_ending_3 host:3 $<TARGET_FILE:dropin_test_ending>)
    tesela_dropin_test(dropin_ending_small "" $<TARGET_FILE:dropin_test_ending>)
    tesela_dropin_test(dropin_apart "" $<TARGET_FILE:dropin_test_apart>)
    tesela_dropin_test(dropin_apart_3 host:3 $<TARGET_FILE:dropin_test_apart>)
    tesela_dropin_test(dropin_apart_64 host:3 $<TARGET_FILE:dropin_test_apart_64>)
    set_property(TEST dropin_ending_3 dropin_ending_small dropin_apart dropin_apart_3 dropin_apart_64 APPEND PROPERTY
        ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:4")
    tesela_dropin_test(dropin_loading "" $<TARGET_FILE:dropin_test_loading>)
    tesela_dropin_test(dropin_forking host $<TARGET_FILE:dropin_test_forking>)
    tesela_dropin_test(dropin_forking_first host $<TARGET_FILE:dropin_test_forking_first>)
    set_property(TEST dropin_forking_first APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:2")
    add_library(brought MODULE ${PROJECT_SOURCE_DIR}/tests/dropin/brought.c)
    set_target_properties(brought PROPERTIES C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    tesela_dropin_test(dropin_wheel "" $<TARGET_FILE:dropin_test_wheel> $<TARGET_FILE:brought>)
    tesela_dropin_test(dropin_r host:3 sh ${PROJECT_SOURCE_DIR}/tests/dropin/r.sh ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/tests/dropin/r.R)
    tesela_dropin_test(dropin_testers "" bash ${PROJECT_SOURCE_DIR}/scripts/check-dropin ${PROJECT_BINARY_DIR} quick)
endif()

add_executable(bench_dropin_calls EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/dropin/calls.c) # measures, and tests nothing
target_link_libraries(bench_dropin_calls PRIVATE tesela_flags -Wl,--no-as-needed tesela_blas -Wl,--as-needed ${CMAKE_DL_LIBS} m)
set_target_properties(bench_dropin_calls PROPERTIES LINKER_LANGUAGE C ENABLE_EXPORTS ON)
