# How every target of logquery is compiled.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
endif()

find_program(LOGQUERY_CCACHE ccache)
mark_as_advanced(LOGQUERY_CCACHE)
if(LOGQUERY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER AND PROJECT_IS_TOP_LEVEL)
  # ccache serves every clone: paths in the source tree become relative to the build folder, and the build folder's own path is
  # not hashed. -ffile-prefix-map, below, keeps both paths out of the objects. Files that use a precompiled header are cached only
  # with this sloppiness. Messages show absolute paths, as without ccache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_ABSSTDERR=1 "${LOGQUERY_CCACHE}")
endif()

# Links in an eighth of the time, and there are fifty programs.
find_program(LOGQUERY_LLD NAMES ld.lld)
mark_as_advanced(LOGQUERY_LLD)
if(LOGQUERY_LLD AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld=")
  add_link_options(-fuse-ld=lld)
endif()

# logquery_target(NAME): the language, the warnings, the sanitizers, the run path.
function(logquery_target name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES
    CXX_EXTENSIONS OFF
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/logquery")
  # -pthread for all alike, as one precompiled header serves them all. No object holds the path of a clone: ccache does not hash the
  # value of -ffile-prefix-map, so an object of one clone serves the others.
  target_compile_options(${name} PRIVATE
    -pthread "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wundef -Wvla
    $<$<BOOL:${LOGQUERY_WARNINGS_AS_ERRORS}>:-Werror>
    $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wthread-safety>
    # ccache needs it to see through a precompiled header; -Wrestrict of gcc 12 fires on std::string's own operator+.
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess -Wno-restrict>
    # In a precompiled header gcc 12 no longer knows that std::string stands in a header of the system.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${LOGQUERY_PRECOMPILE_HEADERS}>>:-Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>
    # A file that a batch includes looks like a header to gcc.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${LOGQUERY_UNITY}>>:-Wno-subobject-linkage>)
  # In a file of more instructions gcc inlines less, and a batch has many: translating a query took 14 % more of them. The tests,
  # which stand in a folder of their own, are not optimised.
  if(LOGQUERY_UNITY AND CMAKE_CURRENT_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
    target_compile_options(${name} PRIVATE
      $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release,RelWithDebInfo>>:--param=large-unit-insns=1000000>)
  endif()

  if(LOGQUERY_SANITIZE)
    set(thread OFF)
    if(LOGQUERY_SANITIZE STREQUAL "thread")
      set(thread ON)
    endif()
    target_compile_options(${name} PRIVATE
      -O1 -g1 -fno-omit-frame-pointer -fsanitize=${LOGQUERY_SANITIZE} -fno-sanitize-recover=all
      # The sanitizers' own code leads gcc to see reads of what was never set, or lies outside.
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
      $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${thread}>>:-Wno-array-bounds>)
    target_link_options(${name} PUBLIC -fsanitize=${LOGQUERY_SANITIZE})
  endif()
endfunction()

# logquery_batches(NAME VARIABLE): with LOGQUERY_UNITY, replaces the files in VARIABLE by files that include several of them. Files
# with definitions of their own, or in the build's folder, stay.
function(logquery_batches name variable)
  if(NOT LOGQUERY_UNITY)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(files)
  set(compiled)
  foreach(file IN LISTS ${variable})
    get_filename_component(path "${file}" ABSOLUTE)
    get_source_file_property(definitions "${path}" COMPILE_DEFINITIONS)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" generated)
    if(definitions OR generated)
      list(APPEND compiled "${path}")
    else()
      list(APPEND files "${path}")
    endif()
  endforeach()
  if(files)
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/batch_sources.py" --size 8
        --root "${PROJECT_SOURCE_DIR}" --out "${LOGQUERY_BATCHES_DIR}/${name}" ${files}
      OUTPUT_VARIABLE batches COMMAND_ERROR_IS_FATAL ANY)
    # A new helper in one file may have the name of another file's.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/batch_sources.py")
  endif()
  set(${variable} ${compiled} ${batches} PARENT_SCOPE)
endfunction()

# logquery_library(NAME [EXPORT_NAME name] SOURCES file...): a static library, also as logquery::EXPORT_NAME. A room that
# has no file yet is an empty library.
function(logquery_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORT_NAME" "SOURCES")
  if(NOT arg_EXPORT_NAME)
    set(arg_EXPORT_NAME ${name})
  endif()
  if(NOT arg_SOURCES)
    set(arg_SOURCES "${PROJECT_BINARY_DIR}/generated/${name}/empty.cc")
    file(CONFIGURE OUTPUT "${arg_SOURCES}" CONTENT "// This library has no sources yet.\n")
  endif()
  logquery_batches(${name} arg_SOURCES)
  add_library(${name} STATIC ${arg_SOURCES})
  add_library(logquery::${arg_EXPORT_NAME} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${arg_EXPORT_NAME} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE "${PROJECT_SOURCE_DIR}")
  logquery_target(${name})
  if(LOGQUERY_PRECOMPILE_HEADERS AND NOT name STREQUAL "logquery")
    target_precompile_headers(${name} REUSE_FROM logquery)
  endif()
endfunction()
