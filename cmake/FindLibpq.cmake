# Finds PostgreSQL's C client library: Libpq::Libpq. CMake's own FindPostgreSQL also wants the server's headers.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(LIBPQ_PKG QUIET libpq)
endif()
find_path(Libpq_INCLUDE_DIR libpq-fe.h HINTS "${Libpq_ROOT}" ${LIBPQ_PKG_INCLUDE_DIRS} PATH_SUFFIXES include postgresql)
find_library(Libpq_LIBRARY pq HINTS "${Libpq_ROOT}" ${LIBPQ_PKG_LIBRARY_DIRS} PATH_SUFFIXES lib)
mark_as_advanced(Libpq_INCLUDE_DIR Libpq_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libpq
  REQUIRED_VARS Libpq_LIBRARY Libpq_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run scripts/bootstrap, or set Libpq_ROOT to a folder with include/libpq-fe.h and lib/libpq.so")

if(Libpq_FOUND AND NOT TARGET Libpq::Libpq)
  add_library(Libpq::Libpq UNKNOWN IMPORTED)
  set_target_properties(Libpq::Libpq PROPERTIES
    IMPORTED_LOCATION "${Libpq_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Libpq_INCLUDE_DIR}")
endif()
