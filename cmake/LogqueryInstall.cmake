# What `cmake --install` lays out, and what find_package(logquery) finds there.
include(CMakePackageConfigHelpers)
include(LogqueryAbseil)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/logquery")

install(DIRECTORY include/logquery DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# logquery_install(TARGET EXPORT): a component has its own file of targets, so that one can be used without the others.
function(logquery_install target export)
  install(TARGETS ${target} EXPORT ${export} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT ${export} NAMESPACE logquery:: DESTINATION "${package_dir}")
endfunction()

logquery_install(logquery logqueryTargets)
logquery_install(logquery_testing logquery-testingTargets)
if(LOGQUERY_WITH_DUCKDB)
  logquery_install(logquery_duckdb logquery-duckdbTargets)
  logquery_install(logquery_store logquery-storeTargets)
  cmake_path(IS_PREFIX LOGQUERY_DEPS_DIR "${DuckDB_LIBRARY}" NORMALIZE duckdb_is_ours)
  if(duckdb_is_ours)
    # No package of the system has this library, so it comes along.
    install(FILES "${DuckDB_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    install(FILES "${DuckDB_INCLUDE_DIR}/duckdb.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(FILES "${LOGQUERY_DEPS_DIR}/duckdb/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE.duckdb)
  endif()
endif()
if(LOGQUERY_WITH_POSTGRES)
  logquery_install(logquery_postgres logquery-postgresTargets)
endif()
if(LOGQUERY_WITH_CLICKHOUSE)
  logquery_install(logquery_clickhouse logquery-clickhouseTargets)
endif()
if(TARGET logquery_cli)
  install(TARGETS logquery_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

logquery_describe_abseil(logquery_abseil)
configure_package_config_file(cmake/logqueryConfig.cmake.in "${PROJECT_BINARY_DIR}/logqueryConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/logqueryConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/logqueryConfig.cmake" "${PROJECT_BINARY_DIR}/logqueryConfigVersion.cmake"
  cmake/LogqueryAbseil.cmake cmake/FindRE2.cmake cmake/Findzstd.cmake cmake/FindDuckDB.cmake
  cmake/FindLibpq.cmake
  DESTINATION "${package_dir}")
