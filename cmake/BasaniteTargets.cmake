# Shared settings of every target: warnings, the repository root as include folder, sanitizers.

add_library(basanite_settings INTERFACE)
target_include_directories(basanite_settings INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
target_compile_options(basanite_settings INTERFACE -Wall -Wextra -Wno-unused-parameter
                                                     -Wno-missing-field-initializers -fvisibility=hidden)
if(BASANITE_SANITIZE)
  # No vptr check: LLVM and clang are built without RTTI, and their objects cross into code that has it. No check for null
  # objects: calls on them are allowed, as in Objective-C.
  target_compile_options(basanite_settings INTERFACE -fsanitize=${BASANITE_SANITIZE} -fno-sanitize=vptr,null
                                                     -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(basanite_settings INTERFACE -fsanitize=${BASANITE_SANITIZE})
endif()

# basanite_module(NAME SOURCES ... [LINK ...]): the object library of one folder of src/.
function(basanite_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC basanite_settings ${ARG_LINK})
  if(name IN_LIST runtime_modules)
    # Definitions may be written before the headers list them, and public methods accept a null `this`.
    target_compile_definitions(${name} PRIVATE BASANITE_BUILDING)
    target_compile_options(${name} PRIVATE -fno-delete-null-pointer-checks)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  endif()
endfunction()

# basanite_test(NAME SOURCES ... [LINK ...] [LABELS ...] [ENVIRONMENT name=value] [SERIAL]): one GoogleTest program, each
# case a test of CTest. SERIAL: no other test runs beside it (tests that compare times).
function(basanite_test name)
  cmake_parse_arguments(ARG "SERIAL" "ENVIRONMENT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${CMAKE_SOURCE_DIR}/tests/support/sanitizer_defaults.cpp)
  target_link_libraries(${name} PRIVATE basanite_settings ${ARG_LINK} GTest::gtest GTest::gtest_main)
  set(properties LABELS "${ARG_LABELS}" TIMEOUT 300)
  if(ARG_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT "${ARG_ENVIRONMENT}")
  endif()
  if(ARG_SERIAL)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()

# basanite_test_again(NAME SUFFIX ENVIRONMENT name=value... [FILTER pattern] [LABELS ...] [SERIAL]): the cases of a program of
# basanite_test() once more under other environment variables; their names in CTest end in .SUFFIX.
function(basanite_test_again name suffix)
  cmake_parse_arguments(ARG "SERIAL" "FILTER" "ENVIRONMENT;LABELS" ${ARGN})
  set(properties LABELS "${ARG_LABELS}" TIMEOUT 300)
  if(ARG_SERIAL)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  # One string of several assignments: the separators must reach set_tests_properties as they are.
  string(REPLACE ";" "\\;" environment "${ARG_ENVIRONMENT}")
  set(filter)
  if(ARG_FILTER)
    set(filter TEST_FILTER ${ARG_FILTER})
  endif()
  gtest_discover_tests(${name} TEST_SUFFIX .${suffix} TEST_LIST ${name}_${suffix} ${filter} DISCOVERY_MODE PRE_TEST
                       PROPERTIES ${properties} ENVIRONMENT "${environment}")
endfunction()
