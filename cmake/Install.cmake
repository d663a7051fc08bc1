# `cmake --install` exports a package: find_package(percuss) and link percuss::percuss.
include(CMakePackageConfigHelpers)

add_library(percuss INTERFACE)
add_library(percuss::percuss ALIAS percuss)
target_link_libraries(percuss INTERFACE percuss_io)
install(TARGETS percuss EXPORT percuss-targets)

install(DIRECTORY include/percuss DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT percuss-targets NAMESPACE percuss:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/percuss)
configure_package_config_file(cmake/percuss-config.cmake.in ${CMAKE_BINARY_DIR}/percuss-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/percuss)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/percuss-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/percuss-config.cmake ${CMAKE_BINARY_DIR}/percuss-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/percuss)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
