# SPDX-License-Identifier: Apache-2.0
# basanite_add_metallib(TARGET FILES source.metal... [NAME name] [OPTIONS option...]): compiles Metal sources into NAME.metallib
# (default: default.metallib) beside the program TARGET, where MTL::Device::newDefaultLibrary() finds it. A change of a source
# or of a file that it includes compiles them again. OPTIONS go to `basanite compile`. Paths of sources are relative to the
# current source folder. Programs in one folder need libraries of different names: two of one name are an error of CMake's run
# (the folder counts as it is set at the call). The property BASANITE_METALLIBS of TARGET lists the files made, for install().
function(basanite_add_metallib target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "NAME" "FILES;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "basanite_add_metallib: there is no target \"${target}\".")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "basanite_add_metallib(${target}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}.")
  endif()
  if(NOT ARG_FILES)
    message(FATAL_ERROR "basanite_add_metallib(${target}): FILES names no Metal source.")
  endif()
  if(NOT ARG_NAME)
    set(ARG_NAME default)
  endif()
  get_target_property(base ${target} BINARY_DIR)
  get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
  if(NOT folder)
    set(folder ${base})
  endif()
  set(place ${folder}/${ARG_NAME}.metallib)
  cmake_path(ABSOLUTE_PATH place BASE_DIRECTORY ${base} NORMALIZE)
  get_property(owner GLOBAL PROPERTY "BASANITE_METALLIB:${place}")
  if(owner)
    message(FATAL_ERROR "basanite_add_metallib(${target}): the target \"${owner}\" already makes ${place}; "
                        "give one of the two another NAME or RUNTIME_OUTPUT_DIRECTORY.")
  endif()
  set_property(GLOBAL PROPERTY "BASANITE_METALLIB:${place}" ${target})
  set(sources)
  foreach(file IN LISTS ARG_FILES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND sources ${file})
  endforeach()

  set(library ${CMAKE_CURRENT_BINARY_DIR}/${target}_metallibs/${ARG_NAME}.metallib)
  # In Basanite's own build the compiler is a target, opened by the tool at run time.
  set(compiler $<TARGET_NAME_IF_EXISTS:basanite_compiler>)
  # Built with sanitizers the tool judges itself in its tests; here it is to do its work.
  set(run)
  if(BASANITE_SANITIZE)
    set(run ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0 TSAN_OPTIONS=report_bugs=0)
  endif()
  add_custom_command(OUTPUT ${library} DEPENDS ${sources} Basanite::tool ${compiler} DEPFILE ${library}.d VERBATIM
                     COMMENT "Compiling ${ARG_NAME}.metallib of ${target}"
                     COMMAND ${run} $<TARGET_FILE:Basanite::tool> compile ${sources} --emit=metallib --output ${library} --depfile ${library}.d
                             ${ARG_OPTIONS})
  # A target of its own, since the program need not be linked again when only a shader changes.
  set(copy ${target}_${ARG_NAME}_metallib)
  add_custom_target(${copy} ALL DEPENDS ${library} VERBATIM COMMENT "Putting ${ARG_NAME}.metallib beside ${target}"
                    COMMAND ${CMAKE_COMMAND} -E make_directory $<TARGET_FILE_DIR:${target}>
                    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${library} $<TARGET_FILE_DIR:${target}>)
  add_dependencies(${target} ${copy})
  set_property(TARGET ${target} APPEND PROPERTY BASANITE_METALLIBS ${library})
endfunction()
