# libtesela_blas: at the defaults, and with everything on Tesela in small tiles, on the host's cores and on three virtual devices.

add_executable(dropin_test ${PROJECT_SOURCE_DIR}/tests/dropin/test_dropin.c)
target_include_directories(dropin_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(dropin_test PRIVATE tesela_flags tesela_blas Threads::Threads ${CMAKE_DL_LIBS} m)
set_target_properties(dropin_test PROPERTIES LINKER_LANGUAGE C ENABLE_EXPORTS ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
target_link_options(dropin_test PRIVATE LINKER:--as-needed)

function(tesela_dropin_test name devices)
    tesela_add_test(${name} ${ARGN})
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "OPENBLAS_NUM_THREADS=set:1")
    if(TESELA_SANITIZE) # what the host library keeps is not ours
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "LSAN_OPTIONS=set:detect_leaks=0")
    endif()
    if(devices)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT_MODIFICATION "TESELA_OFFLOAD_MIN=set:0" "TESELA_TILE=set:16"
            "TESELA_DEVICES=set:${devices}")
    endif()
endfunction()

tesela_dropin_test(dropin "" $<TARGET_FILE:dropin_test>)
tesela_dropin_test(dropin_tiles host $<TARGET_FILE:dropin_test>)
tesela_dropin_test(dropin_tiles_3 host:3 $<TARGET_FILE:dropin_test>)
