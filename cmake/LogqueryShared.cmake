# logquery::shared: one shared library, liblogquery.so, made of the static ones without compiling anything again.
#
# Only symbols that the public headers declare are visible in it: cmake/package/exported.map. Its version is the project's, and as
# a minor version may change the interface before 1.0, the library's name says both: liblogquery.so.0.1.
set(empty "${PROJECT_BINARY_DIR}/generated/logquery_shared/empty.cc")
file(CONFIGURE OUTPUT "${empty}" CONTENT "// The shared library is made of archives.\n")
add_library(logquery_shared SHARED "${empty}")
add_library(logquery::shared ALIAS logquery_shared)
logquery_target(logquery_shared)
set(exported "${PROJECT_SOURCE_DIR}/cmake/package/exported.map")
set_target_properties(logquery_shared PROPERTIES
  EXPORT_NAME shared OUTPUT_NAME logquery VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib" INSTALL_RPATH "$ORIGIN/logquery" LINK_DEPENDS "${exported}")
target_include_directories(logquery_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(logquery_shared PRIVATE re2::re2 ZLIB::ZLIB zstd::zstd OpenSSL::Crypto
  $<TARGET_NAME_IF_EXISTS:DuckDB::DuckDB> $<TARGET_NAME_IF_EXISTS:Libpq::Libpq> $<TARGET_NAME_IF_EXISTS:CURL::libcurl>)
foreach(part IN ITEMS logquery logquery_duckdb logquery_store logquery_postgres logquery_http logquery_clickhouse
        logquery_bigquery logquery_deployment)
  if(TARGET ${part})
    target_sources(logquery_shared PRIVATE $<TARGET_OBJECTS:${part}>)
  endif()
endforeach()
# Abseil is part of the interface.
get_target_property(interface logquery INTERFACE_LINK_LIBRARIES)
list(FILTER interface INCLUDE REGEX "^(absl::[a-z0-9_]+|Threads::Threads)$")
target_link_libraries(logquery_shared PUBLIC ${interface})
target_link_options(logquery_shared PRIVATE "LINKER:--version-script=${exported}" LINKER:--no-undefined)
