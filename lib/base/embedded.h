// Files compiled into the library: the built-in definitions and the schema of logs. cmake/EmbedFiles.cmake generates
// their source; CMakeLists.txt lists the files.
//
//     std::string_view schema = base::EmbeddedFile("log_schema.json");
//
// Thread-safe; the views live as long as the process.
#ifndef LOGQUERY_LIB_BASE_EMBEDDED_H_
#define LOGQUERY_LIB_BASE_EMBEDDED_H_

#include <string_view>
#include <vector>

namespace logquery::base {

// Returns the content of the file with this base name; empty if there is none.
std::string_view EmbeddedFile(std::string_view name);

// Returns all files' base names, sorted by path.
std::vector<std::string_view> EmbeddedFileNames();

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_EMBEDDED_H_
