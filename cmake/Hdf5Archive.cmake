# A shared HDF5 may be built for files in the network: that of Debian brings curl and thirty libraries behind it, and to
# load them takes longer than all else until percuss begins. Of the archive the linker takes what percuss calls.
include(CheckCSourceCompiles)

list(GET HDF5_C_LIBRARIES 0 hdf5_shared)
get_filename_component(hdf5_folder ${hdf5_shared} DIRECTORY)
find_library(HDF5_ARCHIVE libhdf5.a HINTS ${hdf5_folder})
find_library(SZIP_LIBRARY sz)
if(HDF5_ARCHIVE AND SZIP_LIBRARY)
  percuss_parts_of(hdf5_parts ${HDF5_ARCHIVE})
  set(CMAKE_REQUIRED_INCLUDES ${HDF5_C_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${hdf5_parts} ${SZIP_LIBRARY} ZLIB::ZLIB m ${CMAKE_DL_LIBS})
  check_c_source_compiles("#include <hdf5.h>
    int main(void) { return H5Fcreate(\"\", 0, H5P_DEFAULT, H5P_DEFAULT) == H5T_NATIVE_DOUBLE; }" HDF5_ARCHIVE_LINKS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(HDF5_ARCHIVE_LINKS)
    # An imported library has a file of its own: szip, which the archive needs.
    set_target_properties(hdf5::hdf5 PROPERTIES IMPORTED_LOCATION ${SZIP_LIBRARY}
      INTERFACE_LINK_LIBRARIES "${hdf5_parts};${SZIP_LIBRARY};ZLIB::ZLIB;m;${CMAKE_DL_LIBS}")
  endif()
endif()
