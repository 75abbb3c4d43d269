// Files compiled into the library: the built-in definitions and the schema of logs. The build makes their source, by
// cmake/EmbedFiles.cmake; CMakeLists.txt says which files they are.
//
//     std::string_view schema = base::EmbeddedFile("log_schema.json");
//
// Thread-safe; the views live as long as the process.
#ifndef LOGQUERY_LIB_BASE_EMBEDDED_H_
#define LOGQUERY_LIB_BASE_EMBEDDED_H_

#include <string_view>
#include <vector>

namespace logquery::base {

// Returns the content of the file of this base name, empty if there is none.
std::string_view EmbeddedFile(std::string_view name);

// Returns all files' base names, sorted by path.
std::vector<std::string_view> EmbeddedFileNames();

}  // namespace logquery::base

#endif  // LOGQUERY_LIB_BASE_EMBEDDED_H_
