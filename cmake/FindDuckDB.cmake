# Finds DuckDB's C API: DuckDB::DuckDB. DuckDB_ROOT says where to look first.
find_path(DuckDB_INCLUDE_DIR duckdb.h HINTS "${DuckDB_ROOT}" "${LOGQUERY_DEPS_DIR}/duckdb" PATH_SUFFIXES include include/logquery-duckdb)
find_library(DuckDB_LIBRARY duckdb HINTS "${DuckDB_ROOT}" "${LOGQUERY_DEPS_DIR}/duckdb" PATH_SUFFIXES lib lib/logquery "lib/${CMAKE_LIBRARY_ARCHITECTURE}/logquery")
mark_as_advanced(DuckDB_INCLUDE_DIR DuckDB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB
  REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run scripts/bootstrap, or set DuckDB_ROOT to a folder with duckdb.h and libduckdb.so")

if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES
    IMPORTED_LOCATION "${DuckDB_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
