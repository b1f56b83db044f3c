# Installs the libraries, the headers and the package files for find_package(Basanite).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Basanite)

install(TARGETS basanite EXPORT BasaniteTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT BasaniteTargets NAMESPACE Basanite:: DESTINATION ${package_dir})

# Opened at run time, from beside libbasanite.
if(TARGET basanite_compiler)
  install(TARGETS basanite_compiler LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

file(WRITE ${CMAKE_BINARY_DIR}/BasaniteConfig.cmake.in "@PACKAGE_INIT@
include(\"\${CMAKE_CURRENT_LIST_DIR}/BasaniteTargets.cmake\")
include(\"\${CMAKE_CURRENT_LIST_DIR}/BasaniteMetallib.cmake\")
check_required_components(Basanite)
")
configure_package_config_file(${CMAKE_BINARY_DIR}/BasaniteConfig.cmake.in ${CMAKE_BINARY_DIR}/BasaniteConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/BasaniteConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/BasaniteConfig.cmake ${CMAKE_BINARY_DIR}/BasaniteConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/BasaniteMetallib.cmake
        DESTINATION ${package_dir})
