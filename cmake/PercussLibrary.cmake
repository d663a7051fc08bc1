# percuss_library(<room> SOURCES ... [DEPENDS ...])
#
# One folder of src/percuss = one library percuss::<room>. What programs may include of it is in include/percuss/<room>,
# which is installed; what else it has is for percuss alone. DEPENDS is the room's row of the include table in
# docs/architecture.md; tests/structure checks the #includes against the same table.
#
# Everything that ends up in a program is compiled at one optimisation level: of a template that two files instantiate
# (strings, fmt, Eigen) the linker keeps one copy, and a copy from an unoptimised file would serve all of them.
# tests/structure looks at the flags of every object of the program.

add_library(percuss_compile_options INTERFACE)
target_compile_features(percuss_compile_options INTERFACE cxx_std_20)
# -Wno-restrict, -Wno-array-bounds: GCC 12 sees overlaps in std::string and indices in std::sort that are not there (GCC
# bugs 105651 and 104336); clang, which compiles the sanitizer build, warns of the real ones.
# No contraction and no fast-math: results must be the same from build to build and from run to run.
target_compile_options(percuss_compile_options INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
  $<$<BOOL:${PERCUSS_WARNINGS_AS_ERRORS}>:-Werror>)

function(percuss_library room)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target percuss_${room})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(percuss::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:percuss_compile_options> ${ARG_PRIVATE_DEPENDS})
  install(TARGETS ${target} EXPORT percuss-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# percuss_parts_of(<variable> <archive> ...): what is needed of archives, even where the tests link whole ones. One word, so
# that CMake leaves it together.
function(percuss_parts_of variable)
  list(JOIN ARGN "," archives)
  set(${variable} "-Wl,--push-state,--no-whole-archive,${archives},--pop-state" PARENT_SCOPE)
endfunction()
