# percuss_library(<room> [COLD] SOURCES ... [COLD_SOURCES ...] [DEPENDS ...])
#
# One folder of src/percuss = one library percuss::<room>. DEPENDS is the room's row of the include table in
# docs/architecture.md; tests/structure checks the #includes against the same table. A COLD room, or
# source, runs once per scene: optimising it fully would take much of the compile time and gain nothing. Such files
# are also compiled more at a time, which saves most where templates are alike; files of hot code in smaller numbers,
# because GCC inlines less in large units.
set(cold_batch 26)

add_library(percuss_compile_options INTERFACE)
target_compile_features(percuss_compile_options INTERFACE cxx_std_20)
# -Wno-restrict: GCC 12 sees overlaps in std::string that are not there (GCC bug 105651).
# No contraction and no fast-math: results must be the same from build to build and from run to run.
target_compile_options(percuss_compile_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${PERCUSS_WARNINGS_AS_ERRORS}>:-Werror>)

function(percuss_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_UNITY_BUILD AND CMAKE_UNITY_BUILD_BATCH_SIZE GREATER 0)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${cold_batch})
  endif()
endfunction()

function(percuss_library room)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;COLD_SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target percuss_${room})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(percuss::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:percuss_compile_options> ${ARG_PRIVATE_DEPENDS})
  if(ARG_COLD_SOURCES)  # objects of their own, so that they too are compiled several at a time
    add_library(${target}_cold OBJECT ${ARG_COLD_SOURCES})
    set_target_properties(${target}_cold PROPERTIES POSITION_INDEPENDENT_CODE ON)
    percuss_cold(${target}_cold)
    target_include_directories(${target}_cold PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target}_cold PRIVATE ${ARG_DEPENDS} percuss_compile_options ${ARG_PRIVATE_DEPENDS})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cold>)
  endif()
  if(ARG_COLD)
    percuss_cold(${target})
  endif()
  install(TARGETS ${target} EXPORT percuss-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
