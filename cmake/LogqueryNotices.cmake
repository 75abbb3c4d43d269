# logquery_notices(FILE): writes the notices of the third parties whose code the build links or compiles in.
#
# A licence's text is that of the package that this build uses: from .deps, or from the documentation of Debian's package.
# On a system that keeps no such file the notice has the licence's name and the project's address.

# logquery_notice(VARIABLE NAME SPDX ADDRESS FILE...): appends a notice to the text. FILE: candidates for the licence.
function(logquery_notice variable name spdx address)
  set(notice "${name}\n${address}\nLicence: ${spdx}\n\n")
  set(found "")
  foreach(file IN LISTS ARGN)
    if(EXISTS "${file}")
      set(found "${file}")
      break()
    endif()
  endforeach()
  if(found)
    file(READ "${found}" licence)
    string(APPEND notice "${licence}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${found}")
  else()
    string(APPEND notice "The text of the licence is at the address above.\n")
  endif()
  string(REPEAT "-" 80 line)
  set(${variable} "${${variable}}${line}\n${notice}\n" PARENT_SCOPE)
endfunction()

# The packages in the console's bundle are those of the lock file that are not for development alone.
function(logquery_console_notices variable)
  set(notices "${${variable}}")
  set(folder "${LOGQUERY_DEPS_DIR}/console")
  file(READ "${PROJECT_SOURCE_DIR}/shim/web/package-lock.json" lock)
  string(JSON packages GET "${lock}" packages)
  string(JSON count LENGTH "${packages}")
  math(EXPR last "${count} - 1")
  foreach(index RANGE 1 ${last})  # 0 is the console itself
    string(JSON path MEMBER "${packages}" ${index})
    string(JSON package GET "${packages}" "${path}")
    string(JSON development ERROR_VARIABLE absent GET "${package}" dev)
    string(JSON optional ERROR_VARIABLE absent GET "${package}" optional)
    if(development STREQUAL "ON" OR optional STREQUAL "ON")
      continue()
    endif()
    string(JSON version GET "${package}" version)
    string(JSON licence GET "${package}" license)
    string(REGEX REPLACE "^.*node_modules/" "" name "${path}")
    logquery_notice(notices "${name} ${version} (in the console)" "${licence}" "the npm package ${name}"
      "${folder}/${path}/LICENSE" "${folder}/${path}/LICENSE.md" "${folder}/${path}/LICENSE.txt")
  endforeach()
  set(${variable} "${notices}" PARENT_SCOPE)
endfunction()

function(logquery_notices output)
  set(debian /usr/share/doc)
  string(CONCAT text
    "logquery ${PROJECT_VERSION} is under the Apache License 2.0, which is in the file LICENSE. It contains or links the software "
    "below, each under its own licence.\n\n")
  if(LOGQUERY_WITH_DUCKDB)
    logquery_notice(text "DuckDB" MIT https://duckdb.org "${LOGQUERY_DEPS_DIR}/duckdb/LICENSE")
    string(APPEND text "DuckDB's library contains further software, which its folder third_party lists with the licences.\n\n")
  endif()
  logquery_notice(text "Abseil" Apache-2.0 https://abseil.io "${debian}/libabsl-dev/copyright")
  logquery_notice(text "RE2" BSD-3-Clause https://github.com/google/re2 "${debian}/libre2-dev/copyright")
  logquery_notice(text "JSON for Modern C++ (nlohmann/json)" MIT https://json.nlohmann.me
    "${debian}/nlohmann-json3-dev/copyright")
  logquery_notice(text "zlib" Zlib https://zlib.net "${debian}/zlib1g-dev/copyright")
  logquery_notice(text "Zstandard" BSD-3-Clause https://facebook.github.io/zstd "${debian}/libzstd-dev/copyright")
  logquery_notice(text "OpenSSL" Apache-2.0 https://www.openssl.org "${debian}/libssl-dev/copyright")
  if(LOGQUERY_WITH_POSTGRES)
    logquery_notice(text "libpq of PostgreSQL" PostgreSQL https://www.postgresql.org "${debian}/libpq-dev/copyright")
  endif()
  if(LOGQUERY_WITH_CLICKHOUSE OR LOGQUERY_WITH_BIGQUERY)
    logquery_notice(text "libcurl" curl https://curl.se "${debian}/libcurl4-openssl-dev/copyright")
  endif()
  if(LOGQUERY_BUILD_SHIM)
    logquery_notice(text "cpp-httplib ${httplib_VERSION}" MIT https://github.com/yhirose/cpp-httplib
      "${LOGQUERY_DEPS_DIR}/httplib/LICENSE")
    logquery_notice(text "CLI11 ${CLI11_VERSION}" BSD-3-Clause https://github.com/CLIUtils/CLI11
      "${debian}/libcli11-dev/copyright")
    logquery_notice(text "spdlog ${spdlog_VERSION}" MIT https://github.com/gabime/spdlog "${debian}/libspdlog-dev/copyright")
    logquery_notice(text "{fmt}" MIT https://fmt.dev "${debian}/libfmt-dev/copyright")
    logquery_notice(text "prometheus-cpp" MIT https://github.com/jupp0r/prometheus-cpp
      "${debian}/prometheus-cpp-dev/copyright")
    if(TARGET mimalloc)
      logquery_notice(text "mimalloc ${mimalloc_VERSION}" MIT https://github.com/microsoft/mimalloc
        "${debian}/libmimalloc-dev/copyright")
    endif()
    if(LOGQUERY_WITH_CONSOLE)
      logquery_console_notices(text)
    endif()
  endif()
  # An equal file keeps its time. The text is not expanded: licences have their own dollars and at signs.
  set(before "")
  if(EXISTS "${output}")
    file(READ "${output}" before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE "${output}" "${text}")
  endif()
endfunction()
